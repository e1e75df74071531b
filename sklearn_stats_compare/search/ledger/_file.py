"""LedgerFile: the finished fits of a search, in a file that survives the process."""

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import printable, warn_user
from sklearn_stats_compare.comparison._saving import STRUCTURE, design_description
from sklearn_stats_compare.search.ledger import _fingerprint, _ledger
from sklearn_stats_compare.search.ledger._storage import Entries, absolute
from sklearn_stats_compare.stats._design import SplitDesign, as_index, split_keys

Split = tuple[NDArray[np.int64], NDArray[np.int64]]


class LedgerFile(Entries):
    """The finished fits of a search, in one section per data set.

    A file has these entries: ``search``, its settings and code; ``versions``; ``state``, the names
    of values that the code itself changes; and ``data`` for each section. A section has ``start``,
    with the candidates; ``splits`` of a fit or an extension, by their keys; ``indices`` of splits
    that cannot be regenerated; the ``order`` that a race drew; ``outcomes`` of fits that ended
    about the same time; and ``end``.

    Parameters
    ----------
    path : str or path-like
        The file; it is created if it does not exist.
    identity : Identity
        The identity of the search. Other data get their own section.
    strict : bool, default=True
        Whether other versions are refused; otherwise a warning names them.

    Raises
    ------
    ValueError
        If the folder does not exist, or the file is damaged, not a ledger, or another search's.
    RuntimeError
        If another search is using it.
    OSError
        If it cannot be opened or written to.
    """

    def __init__(
        self, path: str | os.PathLike[str], identity: _fingerprint.Identity, *, strict: bool = True
    ) -> None:
        self._split_numbers: dict[str, int] = {}  # outcomes name splits by number: keys are long
        self._batches: dict[int, list[str]] = {}
        self._drawn: dict[int, str] = {}
        self._section = 0
        self._has_started = False
        super().__init__(absolute(path))
        try:
            self._take(identity, strict)
        except BaseException:  # an interrupt too: the lock must not outlive the object
            self.close()
            raise

    def settle(
        self,
        number: int,
        keys: list[str],
        splits: list[tuple[Any, Any]],
        design: SplitDesign,
        n_samples: int,
        drawn: Callable[[list[str]], str],
    ) -> tuple[list[str], list[tuple[Any, Any]]] | None:
        """Return the keys and splits of a batch in the file; None if the given ones are valid.

        Parameters
        ----------
        number : int
            0 for the splits of ``fit``, n for those of its n-th extension.
        keys, splits : list
            The keys and the (train, test) that `cv` makes now.
        design : SplitDesign
            Their sizes and structure.
        n_samples : int
            Number of samples.
        drawn : callable
            Returns a key of how `cv` draws splits at random; "" if it always makes the splits with
            these keys. Splits in the file are used only if they were drawn in the same way.

        Raises
        ------
        ValueError
            If the file has other splits of ``fit``, which were not drawn in the same way.
        """
        stored = self._batches.get(number)
        saved = self._saved_splits(number, n_samples)
        if stored == keys:
            return None
        # Unseeded splits differ each time; the outcomes belong to those in the file.
        how = drawn(keys)  # it splits a second time, so not where the keys are equal already
        if stored and saved and how and self._drawn.get(number) == how:
            return stored, list(saved)
        if stored is not None and number == 0:
            raise ValueError(
                "`ledger` must belong to this search; the file has "
                f"{count(len(stored), 'split')} that are not the {len(keys)} of this `cv`. Take "
                "another file, or delete it to start again; to add splits, use `extend`."
            )
        kept = []
        if how:  # a cv may yield masks and slices, which JSON does not have
            samples = np.arange(n_samples)
            kept = [(samples[as_index(train)], samples[as_index(test)]) for train, test in splits]
        self.add_batch(number, keys, how, kept, design_description(design, STRUCTURE))
        return None

    def _saved_splits(self, number: int, n_samples: int) -> list[Split] | None:
        """Return the splits of a batch if their indices were saved; ValueError if damaged."""
        wanted = self._batches.get(number)
        if not wanted:
            return None
        with self.reading():
            found = {
                body["key"]: (
                    _ledger.unpacked_indices(body["train"], n_samples),
                    _ledger.unpacked_indices(body["test"], n_samples),
                )
                for body in self._bodies("indices")
                if body["key"] in wanted
            }
        if len(found) < len(set(wanted)):
            return None
        splits = [found[key] for key in wanted]
        # Each entry is intact (SHA-256), but a crafted one may have the key of other indices.
        if split_keys(splits, n_samples) != wanted:
            raise self.damaged("splits are not those of their keys")
        return splits

    def start(
        self,
        candidates: Sequence[str],
        splits: Sequence[str],
        description: Mapping[str, Any] | None = None,
    ) -> bool:
        """Save the candidates and splits of a search; return whether they are safe.

        `description` is the result of `search_description`; only the first start saves it.

        Raises
        ------
        OSError
            If this is the first start, and it cannot be saved.
        """
        # The splits of a fit without this file have no number in it, when it is extended with one.
        numbers = [self._split_numbers[key] for key in splits if key in self._split_numbers]
        # Not a monotonic clock: `Ledger.status` reads the time in another process.
        body: dict[str, Any] = {
            "candidates": list(candidates), "splits": numbers, "time": time.time(),
        }  # fmt: skip
        if description is not None and not self._has_started:
            body["told"] = description
        is_safe = self._add([("start", body)])
        if not is_safe and not self._has_started:
            raise self.unwritable(self.trouble)
        self._has_started = True
        return is_safe

    def add_state(self, names: Collection[str]) -> None:
        """Save the names of values that fits change; comparisons of searches ignore them."""
        if names:
            self._add([("state", {"names": sorted(names)})])

    def end(self, *, cut: bool = False) -> bool:
        """Save that a search has ended, or `max_time` cut it; return whether this was saved."""
        return self._add([("end", {"time": time.time()} | ({"cut": True} if cut else {}))])

    def add_batch(
        self, number: int, keys: Sequence[str], drawn: str = "", splits: Sequence[Split] = (),
        design: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Save keys and sizes of a batch; if splits are random, also how and the splits."""
        self._remember_batch(number, keys, drawn)
        body = {"batch": number, "keys": list(keys), "drawn": drawn}
        entries = [("splits", body if design is None else {**body, "design": design})]
        for key, (train, test) in zip(keys, splits, strict=False):  # `splits` may be empty
            packed = {"train": _ledger.packed_indices(train), "test": _ledger.packed_indices(test)}
            entries.append(("indices", {"key": key, **packed}))
        self._add(entries)

    def order(self, drawn: Sequence[int]) -> list[int]:
        """Return the saved order of splits, or save `drawn` and return it."""
        with self.reading():
            stored = next((body["order"] for body in self._bodies("order")), None)
            if stored is not None:
                # True and 1.0 compare equal to 1, and could not index.
                if sorted(stored) != sorted(drawn) or not set(map(type, stored)) <= {int}:
                    raise ValueError("an order is not one of these splits")
                return list(stored)
        self._add([("order", {"order": [int(position) for position in drawn]})])
        return list(drawn)

    @property
    def has_outcomes(self) -> bool:
        """Whether the file has fits, of this search or of others."""
        with self.reading():
            return any(True for _ in self.of_kinds("outcomes"))

    def load(
        self, ledger: _ledger.Outcomes, candidates: Sequence[str], splits: Sequence[str]
    ) -> NDArray[np.int64]:
        """Copy the outcomes of these candidates and splits from the file to `ledger`.

        Returns
        -------
        start : ndarray of int, shape (n_candidates, n_splits)
            Number of the start that saved each cell; −1 if the file does not have it.
        """
        rows = {key: row for row, key in enumerate(candidates)}
        columns = {
            self._split_numbers[key]: column
            for column, key in enumerate(splits)
            if key in self._split_numbers
        }
        starts = np.full((len(candidates), len(splits)), -1)
        n_starts = 0
        with self.reading():
            for kind, body in self.of_kinds("start", "outcomes"):
                if body["of"] != self._section:
                    continue
                if kind == "start":
                    n_starts += 1
                    continue
                # In the order of the file, so that a repeated fit has its last outcome.
                starts[ledger.unpack(rows, columns, body)] = n_starts
        return starts

    def outcomes(
        self,
        cells: Sequence[_ledger.Cell],
        candidates: Sequence[str],
        splits: Sequence[str],
        ledger: _ledger.Outcomes,
    ) -> dict[str, Any]:
        """Outcomes of fits that have the same metrics, or failed, for `save`.

        `candidates` and `splits` are the keys of its rows and columns.
        """
        rows = {i: k for k, i in enumerate(dict.fromkeys(i for i, _ in cells))}
        columns = {j: k for k, j in enumerate(dict.fromkeys(j for _, j in cells))}
        return {
            "candidates": [candidates[i] for i in rows],
            "splits": [self._split_numbers[splits[j]] for j in columns],
            "cells": [[rows[i], columns[j]] for i, j in cells],
            "outcomes": ledger.packed(cells),
            "time": time.time(),
        }

    def save(self, outcomes: Sequence[Mapping[str, Any]]) -> bool:
        """Save in one transaction what `outcomes` returned; return whether it was saved."""
        return self._add([("outcomes", body) for body in outcomes])

    def _take(self, identity: _fingerprint.Identity, strict: bool) -> None:
        """Compare the entries that exist, and add those that are missing."""
        data = dict(identity.data)
        versions: dict[str, str] = {}
        with self.reading():
            for body in self.of_kind("versions"):
                versions |= body["versions"]
            sections = [body["data"] for body in self.of_kind("data")]
            differing = [_fingerprint.differences(section, data) for section in sections]
            ended = {body["of"] for body in self.of_kind("end")}
            state = {name for body in self.of_kind("state") for name in body["names"]}
            # Values that fits changed in an earlier search, such as counters, are never compared.
            stored = next(self.of_kind("search"), None)
            if stored is not None:
                differing_in = _fingerprint.differences_of(stored, versions, state, identity)
            self._section = differing.index("") if "" in differing else len(sections)
            for body in self._bodies("splits"):
                self._remember_batch(body["batch"], body["keys"], body["drawn"])
        entries: list[tuple[str, Any]] = []
        if stored is not None:
            _fingerprint.check_belongs(self.name, *differing_in, strict=strict)
        elif sections or versions:
            raise self.damaged("it does not say what it belongs to")
        else:
            own = {"settings": dict(identity.settings), "code": dict(identity.code)}
            entries.append(("search", own))
        if not identity.versions.items() <= versions.items():
            # Entries are never changed: a later one of the same name counts.
            entries.append(("versions", {"versions": dict(identity.versions)}))
        if "" not in differing:
            entries.append(("data", {"data": data}))
            # Folds of a nested cross-validation end one after the other: no reason to warn.
            if sections and len(sections) - 1 not in ended:
                warn_user(
                    f"The ledger {self.name} contains an unfinished search of other data. Its fits "
                    f"are not used: it differs in {printable(differing[-1])}.",
                    "other-data",
                    UserWarning,
                )
        if entries and not self.add(entries):
            raise self.unwritable(self.trouble)

    def _remember_batch(self, number: int, keys: Sequence[str], drawn: str) -> None:
        self._batches[number], self._drawn[number] = list(keys), drawn
        for key in keys:
            # In order of first use, as in the file: the numbers are not stored.
            self._split_numbers.setdefault(key, len(self._split_numbers))

    def _bodies(self, kind: str) -> Iterator[Any]:
        """Bodies of one kind, of this section."""
        return (body for body in self.of_kind(kind) if body["of"] == self._section)

    def _add(self, entries: Sequence[tuple[str, Any]]) -> bool:
        return self.add([(kind, {"of": self._section, **body}) for kind, body in entries])
