"""FileLock: only one search at a time writes to a file; others may read or copy it."""

import contextlib
import os
import threading
import time
import weakref
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt

_HELD: "weakref.WeakSet[FileLock]" = weakref.WeakSet()
_making = threading.Lock()
"""Held from when a file is made until it is locked: no other thread sees it in between."""
_TRIES, _PAUSE = 5, 0.05
_FAR = 2**31 - 2
"""Position of a byte past the end of any ledger: Windows does not let others read locked bytes."""


class InUseError(OSError):
    """Another search holds the lock."""


class FileLock:
    """An exclusive lock on a file that exists, until it is released or the process ends.

    It uses ``flock``, which belongs to the open file. SQLite's own locks on POSIX belong to the
    process, and are lost when any code in it closes the file, such as ``shutil.copy``
    (https://www.sqlite.org/howtocorrupt.html, 2.2).

    Raises
    ------
    InUseError
        If another process, or another search in this one, holds it.
    OSError
        If the file cannot be opened, or its file system has no locks.
    """

    def __init__(self, path: Path) -> None:
        self._file: int | None = os.open(path, os.O_RDWR)
        # A process that is being started has its parent's open files until it runs its own program,
        # which closes them (PEP 446). So a lock may outlive its owner by some milliseconds.
        for tries_left in reversed(range(_TRIES)):
            try:
                self._lock(self._file)
                break
            # flock fails with EWOULDBLOCK, and `msvcrt.locking` with EACCES.
            except (BlockingIOError, PermissionError) as error:
                if not tries_left:
                    self._close()
                    raise InUseError(str(error)) from error
                time.sleep(_PAUSE)
            except OSError:
                self._close()
                raise
        stat = os.fstat(self._file)
        self.identity = stat.st_dev, stat.st_ino
        _HELD.add(self)

    def release(self) -> None:
        """Release the lock."""
        if self._file is not None:
            # A child that was forked shares the lock: closing the file here would leave it there,
            # LOCK_UN takes it from both (flock(2)).
            if fcntl is not None:
                fcntl.flock(self._file, fcntl.LOCK_UN)
            else:
                # Windows too unlocks a file that is closed, but says not when.
                os.lseek(self._file, _FAR, os.SEEK_SET)
                msvcrt.locking(self._file, msvcrt.LK_UNLCK, 1)
            self._close()

    def _lock(self, file: int) -> None:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            # LK_LOCK would try for ten seconds before it gives up.
            os.lseek(file, _FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def locked(path: Path) -> tuple[FileLock, bool]:
    """Lock of a file, which is made where there is none, and whether it was.

    Its owner alone can read a file that is made here.

    Raises
    ------
    InUseError
        If another process, or another search in this one, holds the lock.
    OSError
        If the file cannot be made or opened, or its file system knows no locks.
    """
    with _making:
        # With O_EXCL one of several processes makes the file; the others get FileExistsError.
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            return FileLock(path), True
        except FileExistsError:
            pass
    return FileLock(path), False


def is_locked(path: Path) -> bool:
    """Whether somebody holds the lock of a file."""
    try:
        FileLock(path).release()
    except InUseError:
        return True
    except OSError:  # a file that may only be read, say
        return False
    return False


def _release_in_child() -> None:
    # A process that was forked, such as a worker of multiprocessing, has the open file too, and
    # would keep it locked after its parent was killed. It closes the file without LOCK_UN, which
    # would take the lock from the parent. The thread that held `_making` may not exist here.
    global _making
    _making = threading.Lock()
    for lock in list(_HELD):
        with contextlib.suppress(OSError):
            lock._close()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_release_in_child)
