"""What the package computes, saved before a change and compared after it.

python -m benchmarks.outputs save FILE
python -m benchmarks.outputs compare BEFORE AFTER [--rtol 1e-12] [--only REGEX] [--show N]

``save`` calls what is public over broad input: matrices of scores of many designs, everything that
`compare` reads, searches, races, several data sets, nested and learning curves, and the tests of
test sets. It stores tables, plans, reports, pictures, warnings and errors as plain values in a
pickle, each under a name such as ``matrix/plain/5x20/frequentist/p_adjust=holm``. Addresses, times
and paths are replaced by constants.

``compare`` prints what is missing, new, or not bitwise the same, with the largest relative
difference of its numbers. It exits with 1 where the difference is above ``--rtol``, or not one of
numbers. With ``--only``, names that the regular expression does not find are left out.
"""

import argparse
import inspect
import math
import numbers
import os
import pickle
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

import sklearn_stats_compare as ssc
from benchmarks._output_inputs import ALTERNATIVES, FOLDER, RULES, SECTIONS, TESTS

PACKAGE = ssc.__name__
FOLDERS = (ssc, ssc.displays, ssc.evaluation, ssc.reports, ssc.stats)
PUBLIC = {name for folder in FOLDERS for name in folder.__all__} - {"PairTest"}
# New names of members, with the names that they had in the saved outputs.
RENAMED: dict[str, str] = {}
# Options that set how much is drawn at random, and from which seed.
DRAWS = {"rng": 0, "random_state": 0, "n_draws": 500, "n_simulations": 10}
TIMES = re.compile(r"(^|_)(time|seconds|rate)(_|$)")
ADJUSTMENTS = (None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt")
FORMATS = ("text", "markdown", "latex", "html", "json", "bibtex")


def each(name: str, values: Iterable[Any], **others: Any) -> list[dict[str, Any]]:
    """Arguments with each of `values` under `name`."""
    return [{name: value, **others} for value in values]


PAIR = {"i": 0, "j": 1}
# Arguments of methods, of one class or of all; a method that is not here gets its defaults.
ARGUMENTS: dict[str, list[dict[str, Any]]] = {
    "against": [
        {},
        {"reference": 0},
        {"reference": 1, "p_adjust": "maxt"},
        {"reference": 0, "p_adjust": None, "alternative": "less"},
        {"reference": "nobody"},
    ],
    "bayesian": [{}, *each("rope", [0.0, 0.05, (-0.01, 0.03), -1])],
    "frequentist": [
        {},
        *[{"p_adjust": p, "alternative": a} for p in ADJUSTMENTS for a in ALTERNATIVES],
        *[{"test": t, "p_adjust": p} for t in TESTS for p in ("holm", "maxt")],
        {"test": "unknown"},
        {"p_adjust": "unknown"},
    ],
    "optimism": each("method", ["fold_bootstrap", "cross_selection", "tibshirani"]),
    "plan": [
        *each("difference", [None, 0.02, 0.1, 0.0]),
        {"power": 0.9, "alpha": 0.01, "p_adjust": "holm"},
        {"difference": 0.03, "power": 0.9, "alpha": 0.1, "p_adjust": None},
    ],
    "Comparison.possibly_best": [
        {"alpha": 0.2},
        *each("method", ["mcb", "maxt", "mcs", "bayes"]),
        *each("method", ["mcs", "bayes"], everyone=True),
    ],
    "posterior": [PAIR, {"i": 1, "j": 0}],
    "Comparison.ranking": each("rank_intervals", [None, "holm", "bonferroni", "maxt"]),
    "shortfall": [{}, {"alpha": 0.2}, {"method": "maxt"}],
    "confidence_interval": [{}, {"confidence_level": 0.8}, {"confidence_level": 2}],
    "report": [
        *each("format", FORMATS),
        {"digits": 2, "reference": 1, "cite": "bibtex"},
        {"format": "latex", "latex_tables": "siunitx", "label": "tab:x", "caption": "Of x."},
        {"format": "markdown", "parts": ["ranking", "pairs"]},
    ],
    "Comparison.plot": [
        *each("kind", ["leader", "pairwise", "posterior", "ranks", "rope_sensitivity"]),
        *each("kind", ["split_scores", "parameter_heatmap", "subgroups", "unknown"]),
        {"kind": "parameter_profile", "parameter": "max_depth"},
        {"kind": "posterior", "i": 0, "j": 1},
        {"kind": "pairwise", "value": "p_val"},
    ],
    "Comparison.choose": [{"rule": rule} for rule in RULES.values()],
    "Comparison.with_settings": [
        *each("test", TESTS),
        {"p_adjust": "maxt", "rope": 0.05, "alpha": 0.1},
        {"rope": "1%"},
        {"alpha": 2},
    ],
    "Posterior.cdf": [{"x": [-0.01, 0.02]}],
    "Posterior.sf": [{"x": [-0.01, 0.02]}],
    "Posterior.pdf": [{"x": [-0.01, 0.02]}],
    "Posterior.ppf": [{"q": [0.1, 0.5]}],
    "Posterior.interval": [{"confidence": 0.9}],
    "SplitScores.comparable": [{"rows": [0, 1]}],
    "SplitScores.correlation": [{"rows": [0, 1]}],
    "SplitScores.subset": [{"rows": [0, 1]}],
    "SplitScores.std_errs_by": [{"variance_factor": 0.2}],
    "OptimismResult.limits": [{"tail": 0.05}],
    "SubgroupComparison.plot": [{}],
    "DatasetsComparison.bayesian": each("test", ["signed_rank", "sign"]),
    "DatasetsComparison.frequentist": [
        {},
        *[{"test": t, "zeros": z} for t in ("wilcoxon", "sign", "nemenyi")
          for z in ("pratt", "wilcox", "zsplit")],
        *[{"p_adjust": p, "alternative": a} for p in (*ADJUSTMENTS, "shaffer")
          for a in ALTERNATIVES],
    ],
    "DatasetsComparison.critical_difference": each("method", ["nemenyi", "bonferroni_dunn"]),
    "DatasetsComparison.friedman": each("tie_correction", [True, False]),
    "DatasetsComparison.hierarchical": [{**PAIR, "n_draws": 50, "n_warmup": 100, "n_chains": 2}],
    "DatasetsComparison.on_each": [PAIR],
    "DatasetsComparison.possibly_best": [{}, {"alpha": 0.2}],
    "DatasetsComparison.posterior_draws": [PAIR],
    "DatasetsComparison.with_settings": [
        *each("test", ["sign", "nemenyi"]), {"p_adjust": "shaffer", "rope": 0.02},
    ],
    "DatasetsComparison.plot": each("kind", ["critical_difference", "ranks", "differences",
                                             "simplex", "unknown"]),
}  # fmt: skip
# What has other entries below, writes files, or tells of the machine.
LEFT_OUT = {
    "by", "to_csv", "fit", "extend", "drop_predictions", "set_callbacks",
    "get_metadata_routing", "get_params", "set_params", "set_score_request", "pop", "popitem",
    "clear", "copy", "update", "fromkeys", "get", "setdefault", "items", "keys", "values",
    "comparisons", "path",
}  # fmt: skip
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
# What only the whole output of a comparison has.
LONG = {"scores"}


def normal(text: str) -> str:
    """`text` without what differs between two runs."""
    text = text.replace(str(FOLDER), "FOLDER").replace(str(Path.cwd()), "HERE")
    text = re.sub(r"0x[0-9a-f]{6,}", "0x", text)
    # The forms of a notebook are numbered through the process.
    text = re.sub(r"\b(ssc-params|sk-[a-z]+-id)-\d+", r"\1", text)
    text = re.sub(r"<(dc:date)>.*?</\1>", "", text)
    return re.sub(r"\b\d+(\.\d+)? (s|seconds|ms)\b", "0 s", text)


def is_public(value: Any) -> bool:
    """Whether an object is of a public class of the package, or a result."""
    kind = type(value)
    return (
        kind.__name__ != "SampleTTest"
        and kind.__module__.startswith(PACKAGE)
        and (kind.__name__ in PUBLIC or kind.__name__.endswith(("Result", "OverDatasets")))
    )


def plain(value: Any) -> Any:
    """`value` in tuples, arrays, numbers and text."""
    if value is None or isinstance(value, bool | int | float | complex):
        return value
    if isinstance(value, str):
        return normal(str(value))
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, BaseException):
        return ("error", type(value).__name__, normal(str(value)))
    if isinstance(value, pd.DataFrame):
        columns = [
            (plain(name), str(value.dtypes.iloc[k]),
             "times" if TIMES.search(str(name)) else plain(value.iloc[:, k].to_numpy()))
            for k, name in enumerate(value.columns)
        ]  # fmt: skip
        return ("DataFrame", plain(value.index), tuple(columns), plain(dict(value.attrs)))
    if isinstance(value, pd.Series):
        return ("Series", plain(value.name), plain(value.index), plain(value.to_numpy()))
    if isinstance(value, pd.Index):
        return ("Index", plain(list(value.names)), plain(value.to_numpy()))
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "biufc":
            return np.array(value)
        return ("array", value.shape, tuple(plain(item) for item in value.ravel().tolist()))
    if isinstance(value, Mapping):
        return tuple(
            (plain(key), "times" if TIMES.search(str(key)) else plain(item))
            for key, item in value.items()
        )
    if isinstance(value, set | frozenset):
        return tuple(sorted(map(repr, value)))
    if isinstance(value, Iterable) and not isinstance(value, Path):
        return tuple(plain(item) for item in value)
    return normal(repr(value))


def drawn(figure: Any) -> Any:
    """Texts and data of the axes of a figure."""
    figure.canvas.draw()
    axes = []
    for ax in figure.axes:
        axes.append((
            [text.get_text() for text in ax.findobj(mpl.text.Text)],
            [line.get_xydata() for line in ax.get_lines()],
            [line.get_color() for line in ax.get_lines()],
            [(np.ma.filled(part.get_offsets(), np.nan),
              [path.vertices for path in part.get_paths()], part.get_array())
             for part in ax.collections],
            [patch.get_path().vertices @ patch.get_patch_transform().get_matrix()[:2, :2]
             for patch in ax.patches],
            [np.ma.filled(image.get_array(), np.nan) for image in ax.images],
            (ax.get_xlim(), ax.get_ylim()),
        ))  # fmt: skip
    return axes


class Outputs(dict[str, Any]):
    """Plain values by name."""

    def add(
        self, name: str, function: Callable[..., Any], *, whole: int = 1, **options: Any
    ) -> Any:
        """Store what a call returns, warns and raises; with `whole`, members of what it returns.

        `whole` is 2 for every choice of arguments, 1 for the first of each method, 0 for the value.
        """
        value: Any
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warnings.simplefilter("ignore", ResourceWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                value = function(**options)
            except Exception as error:
                value = error
        if caught:
            self[f"{name}!warnings"] = tuple(
                (one.category.__name__, normal(str(one.message))) for one in caught
            )
        if type(value).__name__.endswith("Display"):
            self.add(f"{name}/frame", value.frame)
            self.add(f"{name}/drawn", lambda: drawn(value.figure_))
            plt.close("all")
        elif type(value).__module__.startswith(PACKAGE) and not isinstance(value, str):
            if whole and (is_public(value) or hasattr(value, "cv_results_")):
                self.walk(name, value, whole)
            elif is_public(value):
                self[name] = normal(repr(value))
        else:
            self[name] = plain(value)
        return value

    def walk(self, name: str, value: Any, whole: int) -> None:
        """Store every public property and method of `value`, and how it is printed."""
        kind = type(value).__name__
        self.add(f"{name}/repr", lambda: repr(value))
        # The form of an estimator shows what it fitted, with times and cut arrays.
        if hasattr(value, "_repr_html_") and not kind.endswith("CV"):
            self.add(f"{name}/_repr_html_", value._repr_html_)
        for member in sorted(dir(value)):
            if member.startswith("_") or member in LEFT_OUT or (whole < 2 and member in LONG):
                continue
            place = f"{name}/{RENAMED.get(member, member)}"
            if TIMES.search(member):
                self[place] = "times"
            elif not inspect.isroutine(inspect.getattr_static(value, member, None)):
                self.add(place, lambda member=member: getattr(value, member), whole=whole - 1)
            elif not inspect.isclass(value) and not (kind.endswith("CV") and member != "compare"):
                self.calls(place, value, member, whole - kind.endswith("CV"))

    def calls(self, place: str, value: Any, member: str, whole: int) -> None:
        """Store what a method returns for each choice of its arguments."""
        method, known_as = getattr(value, member), RENAMED.get(member, member)
        if not callable(method):
            self[place] = plain(method)
            return
        choices = ARGUMENTS.get(f"{type(value).__name__}.{known_as}", ARGUMENTS.get(known_as, [{}]))
        if whole < 2:
            choices = [] if member == "plot" else choices[:1]
        known = inspect.signature(method).parameters
        required = {
            key for key, p in known.items() if p.default is p.empty and p.kind not in VARIADIC
        }
        for choice in choices:
            if not required <= choice.keys():
                continue
            named = ",".join(f"{key}={'' if callable(v) else v}" for key, v in choice.items())
            if member == "choose":
                named = next(key for key, rule in RULES.items() if rule is choice["rule"])
                choice = {"rule": choice["rule"]()}
            draws = {key: value for key, value in DRAWS.items() if key in known}
            self.add(
                f"{place}/{named}" if named else place, method, whole=whole - 1,
                **{**draws, **choice},
            )  # fmt: skip


def difference(one: Any, two: Any) -> float:
    """Largest relative difference of the numbers of two values; NaN if they differ otherwise."""
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        if one.shape != two.shape or one.dtype != two.dtype:
            return math.nan
        if one.tobytes() == two.tobytes():
            return 0.0
        one, two = one.ravel().tolist(), two.ravel().tolist()
    if isinstance(one, tuple | list) and isinstance(two, tuple | list):
        if len(one) != len(two):
            return math.nan
        largest = [difference(a, b) for a, b in zip(one, two, strict=True)]
        return math.nan if any(map(math.isnan, largest)) else max(largest, default=0.0)
    # NumPy's floats are Python's too.
    alike = isinstance(one, type(two)) or isinstance(two, type(one))
    if alike and (one == two or (one != one and two != two)):
        return 0.0
    if isinstance(one, numbers.Number) and isinstance(two, numbers.Number):
        size = max(abs(one), abs(two))
        return abs(one - two) / size if size and math.isfinite(size) else math.nan
    return math.nan


def excerpt(one: Any, two: Any, width: int = 70) -> str:
    """Where two values differ first, as text."""
    with np.printoptions(precision=17, threshold=10**6):
        a, b = repr(one), repr(two)
    start = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), 0)
    start = max(0, start - 30)
    return f"      {a[start : start + width]!r}\n      {b[start : start + width]!r}"


def compared(before: Path, after: Path, rtol: float, only: str, show: int) -> int:
    """Print what differs between two saved sets; 1 if something does."""
    old, new = (
        {k: v for k, v in pickle.loads(path.read_bytes()).items() if re.search(only, k)}
        for path in (before, after)
    )
    lacking, added = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
    found = {key: difference(old[key], new[key]) for key in old if key in new}
    within = {key: by for key, by in found.items() if 0 < by <= rtol}
    beyond = {key: by for key, by in found.items() if not by <= rtol}
    print(f"{len(found)} of both, {len(lacking)} missing, {len(added)} new, "
          f"{len(within)} within {rtol:g}, {len(beyond)} different")  # fmt: skip
    for title, keys in (("missing", lacking), ("new", added), ("within", within)):
        for key in list(keys)[:show]:
            print(f"{title:10}{key}" + (f"  {found[key]:.1e}" if key in found else ""))
    for key in list(beyond)[:show]:
        print(f"different {key}  {beyond[key]:.1e}\n{excerpt(old[key], new[key])}")
    return int(bool(lacking or added or beyond))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.outputs")
    commands = parser.add_subparsers(dest="command", required=True)
    save = commands.add_parser("save")
    save.add_argument("file", type=Path)
    save.add_argument("--sections", default="", help="a regular expression, for a part of them")
    both = commands.add_parser("compare")
    both.add_argument("before", type=Path)
    both.add_argument("after", type=Path)
    both.add_argument("--rtol", type=float, default=1e-12)
    both.add_argument("--only", default="")
    both.add_argument("--show", type=int, default=20)
    given = parser.parse_args()
    if given.command == "compare":
        return compared(given.before, given.after, given.rtol, given.only, given.show)
    if os.environ.get("PYTHONHASHSEED") != "0":
        # Errors name the members of sets, and sums over threads differ in their last bits.
        fixed = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **fixed})
    mpl.use("Agg")
    out = Outputs()
    for section in SECTIONS:
        if re.search(given.sections, section.__name__):
            section(out)
            print(f"{section.__name__:12}{len(out):7} outputs", flush=True)
    given.file.write_bytes(pickle.dumps(dict(out)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
