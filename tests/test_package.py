"""The package as a whole: its public names, what importing it does, what it stands on."""

import json
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import sklearn_stats_compare
from sklearn_stats_compare import _FOLDERS, Comparison, SplitDesign, SplitScores, displays, reports
from sklearn_stats_compare.displays import PICTURES
from sklearn_stats_compare.displays._base import ComparisonDisplay

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
LeaderDisplay
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
    assert 'pip install "sklearn-stats-compare[plot]"' in session["error"]


def test_public_names_are_sorted_there_and_none_looks_like_a_test():
    names = sklearn_stats_compare.__all__
    assert names == sorted(names)
    for name in names:
        assert getattr(sklearn_stats_compare, name).__doc__
        assert not name.lower().startswith("test")


def test_core_dependencies_are_scikit_learn_and_what_it_stands_on():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {requirement.split(">=")[0] for requirement in project["dependencies"]}
    assert names == {"numpy", "scipy", "pandas", "scikit-learn", "joblib"}


def test_all_displays_and_report_are_at_the_top():
    assert {
        **dict.fromkeys(displays.__all__, "displays"),
        **dict.fromkeys(reports.__all__, "reports"),
    } == _FOLDERS
    for name, folder in _FOLDERS.items():
        own = getattr(sklearn_stats_compare, name)
        assert own is getattr(import_module(f"sklearn_stats_compare.{folder}"), name)
        assert name in sklearn_stats_compare.__all__
        assert name in dir(sklearn_stats_compare)


def test_another_name_is_not_there():
    with pytest.raises(AttributeError, match="'sklearn_stats_compare' has no attribute 'plots'"):
        sklearn_stats_compare.plots  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'plots'"):
        from sklearn_stats_compare import plots  # noqa: F401


def test_a_comparison_reports_itself(moons_comparison):
    for format in ("text", "markdown", "latex", "html", "json"):
        own = moons_comparison.report(format=format)
        assert own == moons_comparison.report(format) == reports.report(moons_comparison, format)
    with pytest.raises(ValueError, match="`format` must be one of 'text', 'markdown'"):
        moons_comparison.report("word")
    with pytest.raises(TypeError):
        moons_comparison.report(colour="red")


def test_every_display_of_a_comparison_is_a_kind():
    of_comparisons = {
        display
        for display in vars(displays).values()
        if isinstance(display, type) and issubclass(display, ComparisonDisplay)
    }
    assert set(PICTURES.values()) == of_comparisons
    assert next(iter(PICTURES)) == "leader"  # the default goes first
    for kind in PICTURES:
        assert f'"{kind}"' in Comparison.plot.__doc__


# These need arguments, or two hyper-parameters.
OF_SOME = ("parameter_heatmap", "parameter_profile", "subgroups")


def test_a_comparison_draws_itself(moons_search):
    comparison = moons_search.comparison_
    assert isinstance(comparison.plot(), displays.LeaderDisplay)
    assert comparison.plot(top=1).figure_.axes
    pair = comparison.plot("posterior", i="rbf", j="linear")
    assert isinstance(pair, displays.PosteriorDisplay)
    drawn = {kind for kind in PICTURES if kind not in OF_SOME}
    for kind in drawn:
        assert type(comparison.plot(kind=kind)) is PICTURES[kind]
    assert comparison.plot("parameter_profile", parameter="kernel").ax_


def test_unknown_kinds_and_arguments_of_another_display_are_refused(moons_comparison):
    for kind in ("pie", "LeaderDisplay", None, ["leader"]):
        with pytest.raises(
            ValueError, match=r"`kind` must be one of 'leader', 'pairwise', .*; got"
        ):
            moons_comparison.plot(kind)
    with pytest.raises(TypeError):
        moons_comparison.plot("leader", parameter="C")


def test_help_lists_every_public_name_and_every_picture(moons_comparison, capsys):
    assert moons_comparison.help() is None
    tree = capsys.readouterr().out
    fields = set(moons_comparison.__dataclass_fields__)
    public = {name for name in dir(Comparison) if not name.startswith("_")} - fields
    listed = {line.split(".", 1)[1].split("(")[0].split()[0] for line in tree.split("\n")
              if "── ." in line}  # fmt: skip
    assert listed == public
    for kind in PICTURES:
        assert f'.plot("{kind}"' in tree
    assert '.plot("parameter_profile", parameter=…) ' in tree
    assert max(map(len, tree.split("\n"))) <= 96
    assert "Comparison of 4 candidates by score" in tree
    assert "none kept: return_predictions=True" in tree


def test_help_shows_no_control_characters(capsys):
    scores = SplitScores(np.eye(2, 10), SplitDesign([90] * 10, [10] * 10))
    Comparison(scores, metric="\x1b[31mred\nname").help()
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert printed.startswith("Comparison of 2 candidates by ")
