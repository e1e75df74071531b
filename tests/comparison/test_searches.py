"""compare() of searches: do candidates share their splits, how were they chosen, by what metric."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)

from sklearn_stats_compare import (
    BootstrapSplit,
    ComparisonWarning,
    SimplestPossiblyBest,
    StatisticalGridSearchCV,
    compare,
)
from sklearn_stats_compare.reports import report

X, y = make_classification(n_samples=120, n_features=5, flip_y=0.2, random_state=0)
SEEDED = StratifiedKFold(10, shuffle=True, random_state=0)
GRID = {"C": [0.001, 0.1, 10.0]}
SIZES = {"test_train_ratio": 1 / 9}


class TrialByTrialCV(BaseEstimator):
    """A search of another package: it cross-validates each candidate by itself."""

    def __init__(self, estimator, grid, cv=None, scoring=None):
        self.estimator, self.grid, self.cv, self.scoring = estimator, grid, cv, scoring

    def fit(self, X, y, groups=None):
        options = {"cv": self.cv, "scoring": self.scoring, "groups": groups}
        models = [clone(self.estimator).set_params(C=C) for C in self.grid["C"]]
        rows = [cross_validate(model, X, y, **options)["test_score"] for model in models]
        self.n_splits_ = len(rows[0])
        self.cv_results_ = {
            "params": [{"C": C} for C in self.grid["C"]],
            **{f"split{k}_test_score": column for k, column in enumerate(np.transpose(rows))},
        }
        return self


class BatchesCV(GridSearchCV):
    """As BayesSearchCV of scikit-optimize: scikit-learn splits once for each batch."""

    def _run_search(self, evaluate_candidates):
        for C in self.param_grid["C"]:
            evaluate_candidates([{"C": C}])


class KeepsGenerator(KFold):
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


CHANGING = {
    "unseeded folds": lambda: StratifiedKFold(10, shuffle=True),
    "unseeded repeats": lambda: RepeatedStratifiedKFold(n_splits=5, n_repeats=2),
    "unseeded hold-out": lambda: ShuffleSplit(10),
    "a generator that goes on": lambda: KFold(
        10, shuffle=True, random_state=np.random.RandomState(0)
    ),
    "a generator inside": KeepsGenerator,
    "nothing said": Undeclared,
}
LASTING = {
    "default": lambda: None,
    "a number": lambda: 10,
    "NumPy's number": lambda: np.int64(10),
    "folds in order": lambda: KFold(10),
    "seeded folds": lambda: SEEDED,
    "seeded hold-out": lambda: ShuffleSplit(10, test_size=12, random_state=0),
    "seeded by NumPy": lambda: KFold(10, shuffle=True, random_state=np.int64(3)),
    "a list": lambda: list(StratifiedKFold(10, shuffle=True).split(X, y)),
    "each group": LeaveOneGroupOut,
    "predefined": lambda: PredefinedSplit(np.arange(120) % 10),
    "in time": lambda: TimeSeriesSplit(10),
    "groups": lambda: GroupKFold(10),
    "a seeded bootstrap": lambda: BootstrapSplit(10, random_state=0),
}


@pytest.mark.parametrize("kind", [TrialByTrialCV, BatchesCV])
@pytest.mark.parametrize("cv", CHANGING.values(), ids=CHANGING)
def test_a_search_that_splits_anew_for_each_candidate_raises(kind, cv):
    """One candidate three times: on the same splits its scores would be three times the same."""
    search = kind(LogisticRegression(), {"C": [1.0, 1.0, 1.0]}, cv=cv()).fit(X, y)
    scores = np.array([search.cv_results_[f"split{k}_test_score"] for k in range(10)])
    if not isinstance(search.cv, KeepsGenerator):  # what draws from it, nobody can tell
        assert (scores != scores[:, :1]).any()
    with pytest.raises(ValueError, match=r"^`obj` must be a search whose candidates") as error:
        compare(search, **SIZES)
    assert f"got {kind.__name__} with cv=" in str(error.value)
    assert "a splitter with an integer `random_state`, or a list of splits" in str(error.value)


@pytest.mark.parametrize("kind", [TrialByTrialCV, BatchesCV])
@pytest.mark.parametrize("cv", LASTING.values(), ids=LASTING)
@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_a_search_with_constant_splits_is_compared(kind, cv):
    groups = (
        {"groups": np.arange(120) % 20} if isinstance(cv(), GroupKFold | LeaveOneGroupOut) else {}
    )
    search = kind(LogisticRegression(), {"C": [1.0, 1.0]}, cv=cv()).fit(X, y, **groups)
    found = compare(search, **SIZES).scores.values
    np.testing.assert_array_equal(found[0], found[1])


@pytest.mark.parametrize("cv", CHANGING.values(), ids=CHANGING)
def test_a_search_of_scikit_learn_splits_once_whatever_its_splitter(cv):
    class Named(GridSearchCV):
        """Neither `fit` nor how it runs is its own."""

    grid = {"C": [1.0, 1.0]}
    for search in (
        GridSearchCV(LogisticRegression(), grid, cv=cv()),
        Named(LogisticRegression(), grid, cv=cv()),
        RandomizedSearchCV(LogisticRegression(), GRID, n_iter=2, cv=cv(), random_state=0),
    ):
        comparison = compare(search.fit(X, y), **SIZES)
        assert comparison.note == ""
        if hasattr(search, "param_grid"):
            np.testing.assert_array_equal(*comparison.scores.values)


def test_a_search_without_cv_raises_but_its_results_are_read():
    search = TrialByTrialCV(LogisticRegression(), GRID, cv=SEEDED).fit(X, y)
    del search.cv
    with pytest.raises(ValueError, match=r"got TrialByTrialCV with no `cv`.*its `cv_results_`"):
        compare(search, **SIZES)
    assert compare(search.cv_results_, **SIZES).labels == ("0.001", "0.1", "10.0")


def test_a_generator_of_splits_is_made_a_list_of():
    """scikit-learn's check_cv makes it one; where nobody does, the second candidate has none."""
    search = BatchesCV(LogisticRegression(), {"C": [1.0, 1.0]}, cv=SEEDED.split(X, y)).fit(X, y)
    np.testing.assert_array_equal(*compare(search, **SIZES).scores.values)


def renamed(name):
    return type(name, (BatchesCV,), {})(LogisticRegression(), GRID, cv=SEEDED).fit(X, y)


CHOSE = "chose candidates after it had seen scores on these splits, so the error rates of p-values"


@pytest.mark.parametrize(
    "name",
    ["BayesSearchCV", "GASearchCV", "TuneSearchCV", "EvolutionaryAlgorithmSearchCV", "MySearchCV"],
)
def test_the_note_says_what_choosing_by_scores_does_to_the_error_rates(name):
    comparison = compare(renamed(name))
    assert comparison.note.startswith(f"{name} {CHOSE}")
    assert comparison.note.endswith("no longer hold: read them as a description.")
    flat = " ".join(repr(comparison).split())
    assert comparison.note in flat
    assert comparison.note in " ".join(report(comparison, format="text").split())


@pytest.mark.parametrize("name", ["DaskGridSearchCV", "RandomizedSearchCV", "TuneGridSearchCV"])
def test_candidates_that_were_fixed_beforehand_need_no_note(name):
    assert compare(renamed(name)).note == ""


def test_trials_of_optuna_in_a_frame_have_the_note():
    trials = pd.DataFrame(renamed("BayesSearchCV").cv_results_)
    assert compare(trials, **SIZES).note == ""  # which search it was, the columns do not say
    trials = trials.drop(columns="params").rename(columns={"param_C": "params_C"})
    assert compare(trials, **SIZES).note.startswith(f"Optuna {CHOSE}")


def test_the_note_of_a_halving_search_says_so_too(tmp_path):
    search = HalvingGridSearchCV(
        LogisticRegression(), {"C": [0.001, 0.01, 0.1, 1, 10]}, cv=10, factor=2, random_state=0
    ).fit(X, y)
    path = tmp_path / "results.csv"
    pd.DataFrame(search.cv_results_).to_csv(path)
    for obj in (search, search.cv_results_, path):
        with pytest.warns(ComparisonWarning, match="Only the last iteration"):
            note = compare(obj, **SIZES).note
        assert note.startswith("The halving search kept these candidates for their scores on less")
        assert note.endswith("no longer hold: read them as a description.")
    once = HalvingGridSearchCV(
        LogisticRegression(), GRID, cv=10, min_resources=120, random_state=0
    ).fit(X, y)
    assert compare(once).note == ""  # one iteration: no candidate was left out, so there is no note


@pytest.mark.parametrize("metric", [None, "score", "roc_auc"])
def test_a_single_metric_has_its_name_from_the_search(metric):
    grid = {"cv": SEEDED, "scoring": "roc_auc"}
    search = GridSearchCV(LogisticRegression(), GRID, **grid).fit(X, y)
    ours = StatisticalGridSearchCV(LogisticRegression(), GRID, **grid).fit(X, y)
    found = compare(search, metric=metric)
    assert found.metric == compare(ours, metric=metric).metric == "roc_auc"
    np.testing.assert_array_equal(found.scores.values, ours.comparison_.scores.values)


def test_another_name_raises_with_both_valid_names():
    search = GridSearchCV(LogisticRegression(), GRID, cv=SEEDED, scoring="roc_auc").fit(X, y)
    with pytest.raises(ValueError, match="must be one of 'roc_auc', 'score'; got 'accuracy'"):
        compare(search, metric="accuracy")
    plain = GridSearchCV(LogisticRegression(), GRID, cv=SEEDED).fit(X, y)
    assert compare(plain).metric == "accuracy"
    with pytest.raises(ValueError, match="must be one of 'accuracy', 'score'; got 'roc_auc'"):
        compare(plain, metric="roc_auc")


@pytest.mark.parametrize(
    ("scoring", "refit", "metric", "name"),
    [
        (["roc_auc"], "roc_auc", None, "roc_auc"),
        ({"area": "roc_auc"}, "area", "area", "area"),
        (["accuracy", "roc_auc"], "roc_auc", None, "roc_auc"),
        (["accuracy", "roc_auc"], "roc_auc", "accuracy", "accuracy"),
        (
            ["accuracy", "roc_auc"],
            SimplestPossiblyBest("C", metric="roc_auc", test_train_ratio=1 / 9),
            None,
            "roc_auc",
        ),
    ],
)
def test_the_refit_metric_is_the_default(scoring, refit, metric, name):
    """The one that the search chose its best candidate by."""
    search = GridSearchCV(
        LogisticRegression(), GRID, cv=SEEDED, scoring=scoring, refit=refit
    ).fit(X, y)  # fmt: skip
    found = compare(search, metric=metric)
    assert found.metric == name
    expected = [search.cv_results_[f"split{k}_test_{name}"] for k in range(10)]
    np.testing.assert_array_equal(found.scores.values.T, expected)


@pytest.mark.parametrize("refit", [False, lambda results: 0])
def test_several_metrics_without_refit_need_a_name(refit):
    search = GridSearchCV(
        LogisticRegression(), GRID, cv=SEEDED, scoring=["accuracy", "roc_auc"], refit=refit
    ).fit(X, y)
    with pytest.raises(ValueError, match="`metric` must be one of accuracy, roc_auc; got None"):
        compare(search)


@pytest.fixture
def optuna_search():
    """OptunaSearchCV itself, where it is installed: it calls ``cv.split`` once for each trial."""
    optuna = pytest.importorskip("optuna")
    integration = pytest.importorskip("optuna_integration")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    space = {"C": optuna.distributions.FloatDistribution(0.01, 10)}

    def fitted(cv, sampler=None, **options):
        study = optuna.create_study(
            direction="maximize", sampler=sampler or optuna.samplers.TPESampler(seed=0)
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it is experimental, and asks for old tags
            return integration.OptunaSearchCV(
                LogisticRegression(), space, cv=cv, n_trials=3, study=study, **options
            ).fit(X, y)

    fitted.random = optuna.samplers.RandomSampler(seed=0)
    return fitted


@pytest.mark.parametrize("cv", CHANGING.values(), ids=CHANGING)
def test_optuna_with_splits_that_change_raises(optuna_search, cv):
    with pytest.raises(ValueError, match="got OptunaSearchCV with cv="):
        compare(optuna_search(cv()), **SIZES)


@pytest.mark.parametrize("cv", [10, SEEDED, list(SEEDED.split(X, y)), SEEDED.split(X, y)])
def test_optuna_with_constant_splits_is_compared(optuna_search, cv):
    search = optuna_search(cv, scoring="roc_auc")
    found = compare(search, **SIZES)
    assert found.metric == "roc_auc"
    assert found.note.startswith(f"OptunaSearchCV {CHOSE}")
    for trial, row in zip(search.trials_, found.scores.values, strict=True):
        model = LogisticRegression(**trial.params)
        splits = SEEDED if not isinstance(cv, int) else cv
        own = cross_validate(model, X, y, cv=splits, scoring="roc_auc")["test_score"]
        np.testing.assert_array_equal(row, own)


def test_optuna_that_draws_at_random_chose_nothing_by_scores(optuna_search):
    assert compare(optuna_search(10, optuna_search.random)).note == ""


def test_trials_of_optuna_raise_until_their_columns_are_renamed(optuna_search):
    search = optuna_search(SEEDED)
    trials = search.study_.trials_dataframe(attrs=("params", "user_attrs"))
    with pytest.raises(
        ValueError, match=r"'params_C', which belongs to a table of trials.*removeprefix"
    ):
        compare(trials, **SIZES)
    several = search.study_.trials_dataframe(attrs=("params", "user_attrs"), multi_index=True)
    with pytest.raises(ValueError, match="in one level"):
        compare(several, **SIZES)
    named = trials.rename(columns=lambda name: name.removeprefix("user_attrs_"))
    found = compare(named, **SIZES)
    np.testing.assert_array_equal(found.scores.values, compare(search, **SIZES).scores.values)
    assert found.note.startswith(f"Optuna {CHOSE}")
