"""How large the package is, and how far a reader of one call travels inside it.

python -m benchmarks.house [--path]

First the whole: files, lines of code (without docstrings, comments and blank lines), imports of one
module by another, the longest chain of imports, the files that `compare` reaches by them, pairs of
places in two files, or twice in one, that share six lines, and what the import takes above that of
scikit-learn's `model_selection`, pandas and SciPy's `stats` (the best of ten).

Then four trips: a plain `fit`, a `fit` with a ledger, a race, and an extension; each a small
search, made twice so that nothing is imported meanwhile. A hop is a call of a function of the
package in another file than the call before it: where a reader who follows the calls one by one
turns to another file. With ``--path``, the files of each trip in the order that they are entered
first, with the number of hops into each.

Behind each figure stands that of the package of one file for each helper (363 files).
"""

import ast
import io
import subprocess
import sys
import tempfile
import tokenize
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare
from sklearn_stats_compare import RacingGridSearchCV, StatisticalGridSearchCV

HOME = str(Path(sklearn_stats_compare.__file__).parent)
PACKAGE = sklearn_stats_compare.__name__
# What a figure may be at most, and what it was.
WHOLE = {
    "files": (115, 363),
    "lines of code": (26_500, 31_423),
    "imports": (650, 1_386),
    "chain of imports": (20, 54),
    "files `compare` reaches": (30, 167),
    "repeated blocks": (55, 55),
    "import, s": (0.05, 0.03),
}
TRIPS = {"fit": (9, 17), "fit with a ledger": (16, 36), "race": (20, 47), "extend": (20, 30)}
X, y = make_moons(noise=0.35, random_state=1, n_samples=60)
GRID = {"max_depth": [1, 2, 3]}
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


def lines_of_code(path: Path) -> list[tuple[int, str]]:
    """Number and text of each line that is neither a docstring, a comment nor blank."""
    source = path.read_text()
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        # Docstrings, and those below attributes and constants.
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in (
            tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
            tokenize.ENDMARKER,
        ):  # fmt: skip
            code.update(range(token.start[0], token.end[0] + 1))
    lines = source.splitlines()
    return [(k, lines[k - 1].strip()) for k in sorted(code - left_out)]


def imports(files: list[Path]) -> dict[str, set[str]]:
    """For each module of the package, the modules of it that it imports when it is imported."""
    root = Path(HOME).parent
    names = {".".join(file.relative_to(root).with_suffix("").parts): file for file in files}
    names = {name.removesuffix(".__init__"): file for name, file in names.items()}
    edges: dict[str, set[str]] = {}
    for name, file in names.items():
        found = edges[name] = set()
        waiting: list[ast.AST] = list(ast.parse(file.read_text()).body)
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
                for each in node.names:
                    inner = f"{node.module}.{each.name}"
                    found.add(inner if inner in names else str(node.module))
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                waiting += node.orelse
            elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                waiting += ast.iter_child_nodes(node)
        found.discard(name)
    return edges


def longest_chain(edges: dict[str, set[str]]) -> int:
    """Number of modules on the longest way down."""

    @cache
    def depth(name: str) -> int:
        return 1 + max((depth(each) for each in edges[name]), default=0)

    return max(map(depth, edges))


def reached(edges: dict[str, set[str]], start: str) -> set[str]:
    """The modules that are imported with one, itself included."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += edges[name]
    return seen


def repeated_blocks(files: list[Path], n: int = 6) -> int:
    """Pairs of places that share at least `n` lines of code; an import is not such a line."""
    places: defaultdict[tuple[str, ...], list[tuple[Path, int]]] = defaultdict(list)
    for file in files:
        lines = [
            text
            for _, text in lines_of_code(file)
            if len(text) > 1 and not text.startswith(("from ", "import ", "@"))
        ]
        for k in range(len(lines) - n + 1):
            places[tuple(lines[k : k + n])].append((file, k))
    pairs = {pair for found in places.values() for pair in combinations(found, 2)}
    # A longer block is one pair: the one that none stands before.
    return sum(((a, k - 1), (b, j - 1)) not in pairs for (a, k), (b, j) in pairs)


def import_seconds(times: int = 10) -> float:
    """What the import takes above that of what it imports."""
    code = (
        "from time import perf_counter as now\n"
        "import sklearn.model_selection, pandas, scipy.stats\n"
        f"start = now()\nimport {PACKAGE}\nprint(now() - start)"
    )
    return min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(times)
    )


def whole() -> dict[str, float]:
    """The figures of the package as a whole."""
    files = sorted(Path(HOME).rglob("*.py"))
    edges = imports(files)
    compare = sklearn_stats_compare.compare.__module__
    return {
        "files": len(files),
        "lines of code": sum(len(lines_of_code(file)) for file in files),
        "imports": sum(map(len, edges.values())),
        "chain of imports": longest_chain(edges),
        "files `compare` reaches": len(reached(edges, compare)),
        "repeated blocks": repeated_blocks(files),
        "import, s": import_seconds(),
    }


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
    """Print a line per figure, and 1 where one is larger than it may be."""
    too_large = False
    for name, figure in whole().items():
        most, was = WHOLE[name]
        too_large |= figure > most
        print(f"{name:24}{figure:8,.5g}   at most {most:<8,} was {was:,}")
    calls = trips()
    clean_up = calls.pop("_")
    for name, call in calls.items():
        call()
        trip = Trip().follow(call)
        most, was = TRIPS[name]
        too_large |= len(trip.hops) > most
        print(
            f"files in a {name:19}{len(trip.hops):8}   at most {most:<8} was {was}; "
            f"{trip.n_hops} hops"
        )
        if "--path" in arguments:
            for file, n in trip.hops.items():
                print(f"    {n:4}  {file}")
    clean_up()
    return int(too_large)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main(sys.argv[1:]))
