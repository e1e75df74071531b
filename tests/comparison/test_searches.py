"""compare() of searches: the splits that their candidates share, and how these were chosen.

tests/interop/test_studies.py has OptunaSearchCV itself, which calls ``cv.split`` for each trial.
"""

import copy

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression

from sklearn_stats_compare import (
    ComparisonWarning,
    StatisticalGridSearchCV,
    compare,
    possibly_pareto,
)
from sklearn_stats_compare.evaluation import BootstrapSplit
from sklearn_stats_compare.reports import report

X, y = make_classification(n_samples=120, n_features=5, flip_y=0.2, random_state=0)
SEEDED = ms.StratifiedKFold(10, shuffle=True, random_state=0)
GRID = {"C": [0.001, 0.1, 10.0]}
SIZES = {"test_train_ratio": 1 / 9}


class TrialByTrialCV(BaseEstimator):
    """A search of another package: it cross-validates each candidate by itself."""

    def __init__(self, estimator, grid, cv=None, scoring=None):
        self.estimator, self.grid, self.cv, self.scoring = estimator, grid, cv, scoring

    def fit(self, X, y, groups=None):
        options = {"cv": self.cv, "scoring": self.scoring, "groups": groups}
        models = [clone(self.estimator).set_params(C=C) for C in self.grid["C"]]
        rows = [ms.cross_validate(model, X, y, **options)["test_score"] for model in models]
        self.n_splits_ = len(rows[0])
        self.cv_results_ = {
            "params": [{"C": C} for C in self.grid["C"]],
            **{f"split{k}_test_score": column for k, column in enumerate(np.transpose(rows))},
        }
        return self


class BatchesCV(ms.GridSearchCV):
    """As BayesSearchCV of scikit-optimize: scikit-learn splits once for each batch."""

    def _run_search(self, evaluate_candidates):
        for C in self.param_grid["C"]:
            evaluate_candidates([{"C": C}])


class KeepsGenerator(ms.KFold):
    """Draws from a generator of its own, whatever its seed."""

    def __init__(self):
        super().__init__(10, shuffle=True, random_state=0)
        self.rng = np.random.default_rng(0)


class Undeclared:
    """A splitter that says nothing of how it draws."""

    def split(self, X, y=None, groups=None):
        rng = np.random.default_rng()
        for _ in range(10):
            order = rng.permutation(len(X))
            yield order[12:], order[:12]

    def get_n_splits(self, X=None, y=None, groups=None):
        return 10


GOING_ON = np.random.RandomState(0)
CHANGING = {
    "unseeded folds": lambda: ms.StratifiedKFold(10, shuffle=True),
    "unseeded repeats": lambda: ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=1),
    "unseeded hold-out": lambda: ms.ShuffleSplit(10),
    "a generator that goes on": lambda: ms.KFold(10, shuffle=True, random_state=GOING_ON),
    "a generator inside": KeepsGenerator,
    "nothing said": Undeclared,
}
LASTING = {
    "default": lambda: None,
    "a number": lambda: 10,
    "NumPy's number": lambda: np.int64(10),
    "folds in order": lambda: ms.KFold(10),
    "seeded folds": lambda: SEEDED,
    "seeded hold-out": lambda: ms.ShuffleSplit(10, test_size=12, random_state=0),
    "seeded by NumPy": lambda: ms.KFold(10, shuffle=True, random_state=np.int64(3)),
    "a list": lambda: list(ms.StratifiedKFold(10, shuffle=True).split(X, y)),
    "each group": ms.LeaveOneGroupOut,
    "predefined": lambda: ms.PredefinedSplit(np.arange(120) % 10),
    "in time": lambda: ms.TimeSeriesSplit(10),
    "groups": lambda: ms.GroupKFold(10),
    "a seeded bootstrap": lambda: BootstrapSplit(10, random_state=0),
}


def by_kind(splitters, of_batches):
    """Whose code splits and what its splitter draws are found out apart: one is for both kinds."""
    cases = [*((TrialByTrialCV, name) for name in splitters), (BatchesCV, of_batches)]
    return pytest.mark.parametrize(("kind", "name"), cases)


@by_kind(CHANGING, "unseeded folds")
def test_a_search_that_splits_anew_for_each_candidate_raises(kind, name):
    """One candidate twice: on the same splits its scores would be twice the same."""
    search = kind(LogisticRegression(), {"C": [1.0, 1.0]}, cv=CHANGING[name]()).fit(X, y)
    scores = np.array([search.cv_results_[f"split{k}_test_score"] for k in range(10)])
    if not isinstance(search.cv, KeepsGenerator):  # what draws from it, nobody can tell
        assert (scores != scores[:, :1]).any()
    with pytest.raises(ValueError, match=r"^`obj` must be a search whose candidates") as error:
        compare(search, **SIZES)
    assert f"got {kind.__name__} with cv=" in str(error.value)
    assert "a splitter with an integer `random_state`, or a list of splits" in str(error.value)


@by_kind(LASTING, "a seeded bootstrap")
@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_a_search_with_constant_splits_is_compared(kind, name):
    groups = np.arange(120) % 20 if name in ("each group", "groups") else None
    search = kind(LogisticRegression(), {"C": [1.0, 1.0]}, cv=LASTING[name]())
    sizes = {} if name == "default" else SIZES
    np.testing.assert_array_equal(*compare(search.fit(X, y, groups=groups), **sizes).scores.values)


def test_a_generator_of_splits_is_made_a_list_of():
    """scikit-learn's check_cv makes it one; where nobody does, the second candidate has none."""
    search = BatchesCV(LogisticRegression(), {"C": [1.0, 1.0]}, cv=SEEDED.split(X, y)).fit(X, y)
    np.testing.assert_array_equal(*compare(search, **SIZES).scores.values)


class Named(ms.GridSearchCV):
    """Neither `fit` nor how it runs is its own."""


@pytest.mark.parametrize("name", CHANGING)
def test_a_search_of_scikit_learn_splits_once_whatever_its_splitter(name):
    kind = Named if name == "unseeded folds" else ms.GridSearchCV
    options = {"cv": CHANGING[name]()}
    if name == "unseeded repeats":
        kind, options = ms.RandomizedSearchCV, {**options, "n_iter": 2}
    search = kind(LogisticRegression(), {"C": [1.0, 1.0]}, **options).fit(X, y)
    comparison = compare(search, **SIZES)
    assert comparison.note == ""
    np.testing.assert_array_equal(*comparison.scores.values)


def test_a_search_without_cv_raises_but_its_results_are_read():
    search = TrialByTrialCV(LogisticRegression(), GRID, cv=SEEDED).fit(X, y)
    del search.cv
    with pytest.raises(ValueError, match=r"got TrialByTrialCV with no `cv`.*its `cv_results_`"):
        compare(search, **SIZES)
    assert compare(search.cv_results_, **SIZES).labels == ("0.001", "0.1", "10.0")


@pytest.fixture(scope="module")
def renamed():
    """A search that runs batches, under any name."""
    fitted = BatchesCV(LogisticRegression(), GRID, cv=SEEDED).fit(X, y)

    def under(name):
        search = copy.copy(fitted)
        search.__class__ = type(name, (BatchesCV,), {})
        return search

    return under


CHOSE = "chose candidates after it had seen scores on these splits, so the error rates of p-values"


@pytest.mark.parametrize(
    "name",
    ["BayesSearchCV", "GASearchCV", "TuneSearchCV", "EvolutionaryAlgorithmSearchCV", "MySearchCV"],
)
def test_the_note_says_what_choosing_by_scores_does_to_the_error_rates(name, renamed):
    comparison = compare(renamed(name))
    note = comparison.note
    assert note.startswith(f"{name} {CHOSE}")
    assert note.endswith("no longer hold: read them as a description.")
    for printed in (repr(comparison), report(comparison, format="text")):
        assert note in " ".join(printed.split())


@pytest.mark.parametrize("name", ["DaskGridSearchCV", "RandomizedSearchCV", "TuneGridSearchCV"])
def test_candidates_that_were_fixed_beforehand_need_no_note(name, renamed):
    assert compare(renamed(name)).note == ""


def test_trials_of_optuna_in_a_frame_have_the_note(renamed):
    trials = pd.DataFrame(renamed("BayesSearchCV").cv_results_)
    assert compare(trials, **SIZES).note == ""  # which search it was, the columns do not say
    trials = trials.drop(columns="params").rename(columns={"param_C": "params_C"})
    assert compare(trials, **SIZES).note.startswith(f"Optuna {CHOSE}")


def test_the_last_iteration_of_a_halving_search_is_compared_with_a_note(tmp_path):
    search = ms.HalvingGridSearchCV(
        LogisticRegression(), {"C": [0.001, 0.01, 0.1, 1, 10]}, cv=10, factor=2, random_state=0
    ).fit(X, y)
    last = search.cv_results_["iter"] == search.n_iterations_ - 1
    kept = [p for p, is_last in zip(search.cv_results_["params"], last, strict=True) if is_last]
    path = tmp_path / "results.csv"
    pd.DataFrame(search.cv_results_).to_csv(path)
    for obj, sizes in ((search, {}), (search.cv_results_, SIZES), (path, SIZES)):
        with pytest.warns(ComparisonWarning, match=f"Only the last .* {last.sum()} of {last.size}"):
            comparison = compare(obj, **sizes)
        note = comparison.note
        assert note.startswith("The halving search kept these candidates for their scores on less")
        assert note.endswith("no longer hold: read them as a description.")
        assert len(comparison.ranking()) == last.sum()
        assert [dict(p) for p in comparison.params] == kept
        # Candidates have the rows of cv_results_, also those whose times they are given.
        assert sorted(comparison.ranking().index) == np.flatnonzero(last).tolist()
    with pytest.warns(ComparisonWarning, match="Only the last"):
        front = possibly_pareto(search, ["score", "mean_fit_time"], alpha=1e-12)
    times = search.cv_results_["mean_fit_time"][last]
    assert sorted(front["mean_fit_time"]) == sorted(times)
    once = ms.HalvingGridSearchCV(
        LogisticRegression(), GRID, cv=10, min_resources=120, random_state=0
    ).fit(X, y)
    assert compare(once).note == ""  # one iteration: no candidate was left out, so there is no note


def test_searches_by_samples_are_compared_by_splits_and_a_note_says_so():
    X, y = make_classification(random_state=0)
    model = LogisticRegression()
    searches = {
        f"{weight}": StatisticalGridSearchCV(model, {"C": [1, weight]}, cv=10, test="samples")
        for weight in (0.01, 100)
    }
    for search in searches.values():
        search.fit(X, y)
    of_searches = compare(searches)
    of_comparisons = compare({name: search.comparison_ for name, search in searches.items()})
    for found in (of_searches, of_comparisons):
        assert "Where the call names no test, it is corrected_t" in found.note
        assert "corrected t-test" in repr(found)
