"""How far one call travels inside the package: files that it touches, and hops between them.

python -m benchmarks.house [--path]

A hop is a call of a function of the package in another file than the call before it: where a reader
who follows the calls one by one turns to another file. Four trips: a plain `fit`, a `fit` with a
ledger, a race, and an extension; each a small search, made twice so that nothing is imported
meanwhile. With ``--path``, the files of each trip in the order that they are entered first, with
the number of hops into each.
"""

import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare
from sklearn_stats_compare import RacingGridSearchCV, StatisticalGridSearchCV

HOME = str(Path(sklearn_stats_compare.__file__).parent)
MOST_HOPS = {"fit": 42, "fit with a ledger": 155, "race": 110, "extend": 89}
X, y = make_moons(noise=0.35, random_state=1, n_samples=60)
GRID = {"max_depth": [1, 2, 3]}
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


class Trip:
    """The files of the package that a call goes through."""

    def __init__(self) -> None:
        self.hops: Counter[str] = Counter()
        self._at = ""

    @property
    def n_hops(self) -> int:
        """Number of calls from one file to another."""
        return sum(self.hops.values())

    def follow(self, call: Callable[[], Any]) -> "Trip":
        """Make a call and count."""
        sys.setprofile(self._note)
        try:
            call()
        finally:
            sys.setprofile(None)
        return self

    def _note(self, frame: Any, event: str, _: Any) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(HOME) and path != self._at:
            self.hops[path.removeprefix(HOME).lstrip("/\\")] += bool(self._at)
            self._at = path


def search(kind: Any = StatisticalGridSearchCV, **options: Any) -> Any:
    """A small search."""
    return kind(DecisionTreeClassifier(random_state=0), GRID, cv=CV, **options)


def trips() -> dict[str, Callable[[], Any]]:
    """The four calls; each is made twice, and counted the second time."""
    folder = tempfile.TemporaryDirectory()
    plain, race = search(), search(RacingGridSearchCV, random_state=0)
    fitted = search().fit(X, y)
    saved = [search(ledger=Path(folder.name) / f"{k}.sqlite") for k in range(2)]
    return {
        "fit": lambda: plain.fit(X, y),
        "fit with a ledger": lambda: saved.pop().fit(X, y),
        "race": lambda: race.fit(X, y),
        "extend": lambda: fitted.extend(X, y, n_repeats=1),
        "_": lambda: folder.cleanup(),
    }


def main(arguments: list[str]) -> int:
    """Print a line per trip."""
    too_far = False
    calls = trips()
    clean_up = calls.pop("_")
    for name, call in calls.items():
        call()
        trip = Trip().follow(call)
        most = MOST_HOPS[name]
        too_far |= trip.n_hops > most
        print(f"{name:18}  {len(trip.hops):2} files  {trip.n_hops:4} hops of {most} at most")
        if "--path" in arguments:
            for file, n in trip.hops.items():
                print(f"    {n:4}  {file}")
    clean_up()
    return int(too_far)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main(sys.argv[1:]))
