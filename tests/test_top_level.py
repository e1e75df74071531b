"""Displays and reports at the top of the package and on comparisons, imported when asked for."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sklearn_stats_compare
from sklearn_stats_compare import (
    Comparison,
    SplitDesign,
    SplitScores,
    displays,
    reports,
    search,
)
from sklearn_stats_compare._lazy import FOLDERS
from sklearn_stats_compare.displays import PICTURES
from sklearn_stats_compare.displays._base import ComparisonDisplay

ROOT = Path(__file__).parents[1]


def in_a_fresh_interpreter(code):
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_all_displays_and_report_are_at_the_top():
    assert {
        **dict.fromkeys(displays.__all__, "displays"),
        **dict.fromkeys(reports.__all__, "reports"),
        "StatisticalHalvingGridSearchCV": "search",
    } == FOLDERS
    folders = {"displays": displays, "reports": reports, "search": search}
    for name, folder in FOLDERS.items():
        own = getattr(sklearn_stats_compare, name)
        assert own is getattr(folders[folder], name)
        assert name in sklearn_stats_compare.__all__
        assert name in dir(sklearn_stats_compare)


def test_another_name_is_not_there():
    with pytest.raises(AttributeError, match="'sklearn_stats_compare' has no attribute 'plots'"):
        sklearn_stats_compare.plots  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'plots'"):
        from sklearn_stats_compare import plots  # noqa: F401


def test_importing_the_package_imports_neither_folder():
    loaded = (
        "print(*[n for n in sys.modules if n.startswith(('sklearn_stats_compare.displays', "
        "'sklearn_stats_compare.reports', 'matplotlib'))])"
    )
    assert in_a_fresh_interpreter(f"import sys, sklearn_stats_compare; {loaded}") == []
    asked = f"import sys; from sklearn_stats_compare import *; LeaderDisplay; {loaded}"
    assert not [name for name in in_a_fresh_interpreter(asked) if "matplotlib" in name]


def test_importing_the_package_enables_no_experiment_of_scikit_learn():
    code = "import sklearn_stats_compare; import sklearn.model_selection as m; {}print(*vars(m))"
    assert "HalvingGridSearchCV" not in in_a_fresh_interpreter(code.format(""))
    asked = "sklearn_stats_compare.StatisticalHalvingGridSearchCV; "
    assert "HalvingGridSearchCV" in in_a_fresh_interpreter(code.format(asked))


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


@pytest.mark.parametrize("kind", ["pie", "LeaderDisplay", None, ["leader"]])
def test_an_unknown_kind_is_refused_with_those_that_there_are(moons_comparison, kind):
    with pytest.raises(ValueError, match=r"`kind` must be one of 'leader', 'pairwise', .*; got"):
        moons_comparison.plot(kind)


def test_arguments_of_another_display_are_refused(moons_comparison):
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
