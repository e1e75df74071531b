"""The package as a whole: its public names, what importing it does, what it stands on."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import get_args

import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare._utils._validation import ALTERNATIVES, Alternative
from sklearn_stats_compare.comparison import _comparison as own
from sklearn_stats_compare.datasets import _tests as over
from sklearn_stats_compare.displays import PICTURES
from sklearn_stats_compare.displays._base import ComparisonDisplay
from sklearn_stats_compare.reports._report import _FORMATS
from sklearn_stats_compare.stats._best import RANK_METHODS
from sklearn_stats_compare.stats._family import PAIR_TESTS, PairTestName
from sklearn_stats_compare.stats._multitest import P_ADJUST, PAdjust
from sklearn_stats_compare.stats.test_set._classifiers import MCNEMAR_METHODS, McNemarMethod
from sklearn_stats_compare.stats.test_set._proportions import INTERVALS, IntervalMethod

ROOT = Path(__file__).parents[1]
# What a fresh interpreter finds at each step of a session, where an import takes seconds.
SESSION = """
import json, sys, sklearn.model_selection
found, before = {}, set(sys.modules)
found["known"] = sorted({name.partition(".")[0] for name in before})
import sklearn_stats_compare
found["new"] = sorted(set(sys.modules) - before)
found["halving"] = "HalvingGridSearchCV" in vars(sklearn.model_selection)
import sklearn_stats_compare.displays
from sklearn_stats_compare import *
from sklearn_stats_compare.displays import LeaderDisplay
found["asked for"] = sorted(set(sys.modules) - before)
sys.modules["matplotlib"] = None
scores = SplitScores([[0.9, 0.7] * 6, [0.8, 0.9] * 6], SplitDesign([9] * 12, [1] * 12))
try:
    LeaderDisplay.from_comparison(Comparison(scores))
except ImportError as error:
    found["error"] = str(error)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def session():
    done = subprocess.run(
        [sys.executable, "-c", SESSION], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_importing_the_package_imports_no_other_package_than_scikit_learn_does(session):
    # What it costs is in benchmarks/import_time.py; here is why it costs little.
    new = {name.partition(".")[0] for name in session["new"]}
    assert new - {*session["known"]} - sys.stdlib_module_names == {"sklearn_stats_compare"}
    folders = ("sklearn_stats_compare.displays", "sklearn_stats_compare.reports")
    assert not [name for name in session["new"] if name.startswith(folders)]


def test_importing_the_displays_imports_no_extra(session):
    extras = {"matplotlib", "polars", "rich", "distributed", "statsmodels"}
    assert not extras & {name.partition(".")[0] for name in session["asked for"]}


def test_importing_the_package_enables_no_experiment_of_scikit_learn(session):
    assert not session["halving"]


def test_without_matplotlib_the_error_says_what_to_install(session):
    assert "pip install matplotlib" in session["error"]


def test_public_names_are_sorted_there_documented_and_all_that_completion_shows():
    folders = {"displays", "evaluation", "reports", "stats"}
    completed = {name for name in dir(ssc) if not name.startswith("_")}
    assert completed == {*ssc.__all__} | folders
    for module in (ssc, *(getattr(ssc, f) for f in folders)):
        assert module is import_module(module.__name__)
        assert module.__all__ == sorted(module.__all__)
        for name in module.__all__:
            assert getattr(module, name).__doc__
            assert not name.lower().startswith("test")
    assert ssc.report is ssc.reports.report


def test_the_public_names_are_few_enough_to_hold_in_the_head():
    scores = ssc.SplitScores([[0.9, 0.7] * 6], ssc.SplitDesign([9] * 12, [1] * 12))
    members = [name for name in dir(ssc.Comparison(scores)) if not name.startswith("_")]
    ours, theirs = (
        [*signature(cls).parameters] for cls in (ssc.StatisticalGridSearchCV, GridSearchCV)
    )
    counted = {
        "names at the top": (ssc.__all__, 26),
        "members of Comparison": (members, 29),
        "parameters of its own of a search": ([name for name in ours if name not in theirs], 8),
    }
    for race, drawn in (("Grid", ()), ("Randomized", ("param_distributions", "n_iter"))):
        cls = getattr(ssc, f"Racing{race}SearchCV")
        more = [name for name in signature(cls).parameters if name not in {*ours, *drawn}]
        counted[f"further parameters of {cls.__name__}"] = (more, 6)
    for what, (names, most) in counted.items():
        assert len(names) <= most, (what, names)


WORDS = {
    Alternative: ALTERNATIVES,
    PAdjust: [name for name in P_ADJUST if name],
    PairTestName: PAIR_TESTS,
    own.SetMethod: own._SETS,
    own.RankMethod: RANK_METHODS,
    own.ReportFormat: _FORMATS,
    own.PictureKind: PICTURES,
    over.DatasetTestName: over.DATASET_TESTS,
    over.Zeros: over.ZEROS,
    over.DatasetsPAdjust: [name for name in over.DATASETS_P_ADJUST if name],
    McNemarMethod: MCNEMAR_METHODS,
    IntervalMethod: INTERVALS,
}


@pytest.mark.parametrize("known", WORDS, ids=lambda known: str(get_args(known)[0]))
def test_editors_complete_the_words_that_are_allowed(known):
    assert sorted(get_args(known)) == sorted(WORDS[known])


@pytest.mark.parametrize(
    ("options", "near"),
    [
        ({"test": "sample"}, "samples"),
        ({"p_adjust": "bonferoni"}, "bonferroni"),
        ({"alternative": "greter"}, "greater"),
        ({"interim": "sample"}, "samples"),
        ({"eliminate": "inferior"}, "inferiority"),
    ],
)
def test_a_search_names_the_word_nearest_to_an_unknown_one(options, near):
    search = ssc.RacingGridSearchCV(SVC(), {"C": [1, 2]}, **options)
    (name,) = options
    with pytest.raises(ValueError, match=rf"'{name}' parameter.* Did you mean '{near}'\?") as no:
        search.fit([[0.0], [1.0]] * 6, [0, 1] * 6)
    assert "._" not in str(no.value)  # no private module


def test_core_dependencies_are_scikit_learn_and_what_it_stands_on():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {requirement.split(">=")[0] for requirement in project["dependencies"]}
    assert names == {"numpy", "scipy", "pandas", "scikit-learn", "joblib"}


def test_another_name_is_not_there():
    with pytest.raises(AttributeError, match="'sklearn_stats_compare' has no attribute 'plots'"):
        ssc.plots  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'plots'"):
        from sklearn_stats_compare import plots  # noqa: F401


def test_a_comparison_reports_itself(moons_comparison):
    for format in _FORMATS:
        own = moons_comparison.report(format=format)
        assert own == moons_comparison.report(format) == ssc.report(moons_comparison, format)
    with pytest.raises(ValueError, match="`format` must be one of 'text', 'markdown'"):
        moons_comparison.report("word")
    with pytest.raises(TypeError):
        moons_comparison.report(colour="red")


def test_every_display_of_a_comparison_is_a_kind():
    public = [own for own in vars(ssc.displays).values() if isinstance(own, type)]
    assert set(PICTURES.values()) == {own for own in public if issubclass(own, ComparisonDisplay)}
    assert next(iter(PICTURES)) == "leader"  # the default goes first
    for kind in PICTURES:
        assert f'"{kind}"' in ssc.Comparison.plot.__doc__


# These need arguments, or two hyper-parameters.
OF_SOME = ("parameter_heatmap", "parameter_profile", "subgroups")


def test_a_comparison_draws_itself(moons_search):
    comparison = moons_search.comparison_
    assert isinstance(comparison.plot(), ssc.displays.LeaderDisplay)
    assert comparison.plot(top=1).figure_.axes
    pair = comparison.plot("posterior", i="rbf", j="linear")
    assert isinstance(pair, ssc.displays.PosteriorDisplay)
    drawn = {kind for kind in PICTURES if kind not in OF_SOME}
    for kind in drawn:
        assert type(comparison.plot(kind=kind)) is PICTURES[kind]
    assert comparison.plot("parameter_profile", parameter="kernel").ax_


def test_unknown_kinds_and_arguments_of_another_display_are_refused(moons_comparison):
    for kind in ("pie", "LeaderDisplay", None, ["leader"]):
        with pytest.raises(ValueError, match=r"`kind` must be one of 'leader', 'pairwise', .*; g"):
            moons_comparison.plot(kind)
    with pytest.raises(TypeError):
        moons_comparison.plot("leader", parameter="C")


PACKAGE = Path(ssc.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))


def private_imports(path):
    """Names beginning with an underscore that a file imports from scikit-learn."""
    text = path.read_text()
    imports = re.search(r"(from|import) sklearn\b", text)
    for node in ast.walk(ast.parse(text)) if imports else ():
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sklearn":
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names if a.name.split(".")[0] == "sklearn"]
        else:
            continue
        yield from (name for name in names if "._" in name)


def test_one_module_imports_private_parts_of_scikit_learn():
    found = {path.relative_to(PACKAGE): list(private_imports(path)) for path in FILES}
    assert [str(path) for path, names in found.items() if names] == ["_sklearn_private.py"]
