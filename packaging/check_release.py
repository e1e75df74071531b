"""Whether others can install, build and test what is committed; `nox -s release` runs it.

python packaging/check_release.py [arguments of pytest]
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*command, **options):
    """Run a module of this Python, which must succeed."""
    subprocess.run([sys.executable, "-m", *command], check=True, **options)


def main(arguments):
    """Check the metadata, two builds, and the tests of the sdist on the installed wheel."""
    run("validate_pyproject", "pyproject.toml")
    run("check_manifest")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for k in range(2):
            run("build", "--outdir", str(home / f"built{k}"), stdout=subprocess.DEVNULL)
        first, second = (
            {path.name: path.read_bytes() for path in (home / f"built{k}").iterdir()}
            for k in range(2)
        )
        assert first == second, "two builds of one commit differ"
        sdist, wheel = sorted((home / "built0").iterdir(), key=lambda path: path.suffix)
        run("twine", "check", "--strict", str(wheel), str(sdist))
        run("check_wheel_contents", str(wheel))
        print(f"{wheel.name}: {wheel.stat().st_size / 1000:.0f} kB")
        # The tests of the sdist, outside of any checkout, of the package that the wheel installs.
        run("pip", "install", "--quiet", "--force-reinstall", "--no-deps", str(wheel))
        shutil.unpack_archive(sdist, home)
        unpacked = home / sdist.name.removesuffix(".tar.gz")
        # Without it the folder does not hide the installed package; some tests read the rest of it.
        (unpacked / "sklearn_stats_compare" / "__init__.py").unlink()
        run("pytest", "-n", "auto", "tests", *arguments, cwd=unpacked)


if __name__ == "__main__":
    main(sys.argv[1:])
