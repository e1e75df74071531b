"""nested_score: whole tuning procedures, scored on samples that their tuning never saw."""

import json
import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import sklearn
from joblib import parallel_config
from quick import Votes
from scipy import stats
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_regressor
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.datasets import load_breast_cancer, make_regression
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, PoissonRegressor, Ridge
from sklearn.metrics import fbeta_score, make_scorer, recall_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
import sklearn_stats_compare.evaluation._fits as nested_fits
from sklearn_stats_compare import ComparisonWarning, nested_score
from sklearn_stats_compare.stats._nested import nested_cv_interval

pytestmark = pytest.mark.filterwarnings("ignore:There are only")

X, y = load_breast_cancer(return_X_y=True)
X, y = StandardScaler().fit_transform(X[:200, :6]), y[:200]
X_REGRESSION, Y_REGRESSION = make_regression(120, 5, noise=20.0, random_state=0)
GRID = {"gamma": [0.1, 10.0], "power": [1, 2]}
VOTES, TREE = Votes(), DecisionTreeClassifier(random_state=0)
SEARCH = ms.GridSearchCV(VOTES, GRID, cv=3)
OURS = ssc.StatisticalGridSearchCV(VOTES, GRID, cv=3)
OUTER = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
RIDGE = ms.GridSearchCV(Ridge(), {"alpha": [0.01, 1.0, 100.0]}, cv=3)
SEVERAL = ms.GridSearchCV(VOTES, GRID, scoring=["accuracy", "f1"], refit=np.argmax)
WITH_LEDGER = ssc.StatisticalGridSearchCV(VOTES, GRID, cv=3, ledger="own.sqlite")
GROUPS = np.repeat(np.arange(40), 5)


class Fails(ClassifierMixin, BaseEstimator):
    """Cannot learn where a certain sample is missing."""

    def fit(self, X, y):
        if not (X == FIRST).all(axis=1).any():
            raise ValueError("the first sample is missing")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


FIRST = X[0]


@pytest.fixture(scope="module")
def found():
    return nested_score(SEARCH, X, y, cv=OUTER, interval="corrected_t")


@pytest.fixture(scope="module")
def expected():
    """What cross_validate returns for the same."""
    return ms.cross_validate(SEARCH, X, y, cv=OUTER, return_estimator=True)


@pytest.mark.parametrize(
    "procedure",
    [
        ms.RandomizedSearchCV(VOTES, GRID, n_iter=3, cv=3, random_state=0),
        OURS,
        ssc.RacingGridSearchCV(VOTES, GRID, cv=4, random_state=0),
        make_pipeline(StandardScaler(), SEARCH),
        # The metric of a search is that of `several` too, and `transformed target` has a `RIDGE`.
        pytest.param(
            ms.GridSearchCV(VOTES, GRID, cv=3, scoring="balanced_accuracy"), marks=pytest.mark.slow
        ),
        ms.GridSearchCV(VOTES, GRID, cv=3, scoring={"a": "accuracy", "b": "roc_auc"}, refit="b"),
        TREE,
        pytest.param(RIDGE, marks=pytest.mark.slow),
        TransformedTargetRegressor(RIDGE),
    ],
    ids=[
        "randomized", "ours", "race", "pipeline", "balanced", "several", "no search", "regression",
        "transformed target",
    ],
)  # fmt: skip
def test_scores_are_those_of_cross_val_score_to_the_last_digit(procedure):
    is_regression = is_regressor(procedure)
    data = (X_REGRESSION, Y_REGRESSION) if is_regression else (X, y)
    kind = ms.KFold if is_regression else ms.StratifiedKFold
    cv = kind(3, shuffle=True, random_state=0)
    found = nested_score(procedure, *data, cv=cv)
    assert isinstance(found, ssc.NestedScoreResult)
    expected = ms.cross_val_score(procedure, *data, cv=cv)
    np.testing.assert_array_equal(found.scores[found.metrics[0]], expected)
    if is_regression:  # by R², which is that of all folds together
        errors = ms.cross_val_predict(procedure, *data, cv=cv) - Y_REGRESSION
        assert found.score == pytest.approx(1 - np.mean(errors**2) / Y_REGRESSION.var())
        assert found.metrics == ["r2"]
        assert found.scores["param_alpha"].isin([0.01, 1.0, 100.0]).all()
    else:
        assert found.score == pytest.approx(expected.mean(), abs=1e-15)


def test_choices_are_those_of_the_fitted_searches(found, expected):
    fitted = expected["estimator"]
    table = found.scores
    np.testing.assert_array_equal(table["accuracy"], expected["test_score"])
    assert table["param_gamma"].tolist() == [s.best_params_["gamma"] for s in fitted]
    np.testing.assert_array_equal(table["inner_score"], [s.best_score_ for s in fitted])
    np.testing.assert_array_equal(table["gap"], table["inner_score"] - table["accuracy"])
    counts = pd.Series([json.dumps(s.best_params_) for s in fitted]).value_counts()
    assert found.choices["n_splits"].tolist() == counts.tolist()
    assert found.choices["share"].sum() == pytest.approx(1)
    by_parameter = found.parameters.groupby("parameter")["n_splits"].sum()
    assert by_parameter.to_dict() == {"gamma": 10, "power": 10}
    assert found.summary.loc["accuracy", "gap"] == pytest.approx(table["gap"].mean())


def test_two_jobs_have_the_results_of_one():
    models = {"grid": SEARCH, "ours": OURS, "pipeline": make_pipeline(StandardScaler(), OURS)}
    one, two = (nested_score(models, X, y, cv=3, n_jobs=n_jobs).results for n_jobs in (1, 2))
    alone = {"grid": nested_score(SEARCH, X, y, cv=3)}
    for results in (one, alone):
        for name, found in results.items():
            tables = (own.scores.drop(columns="seconds") for own in (found, two[name]))
            pd.testing.assert_frame_equal(*tables)


def test_the_corrected_interval_is_nadeau_and_bengios(found, expected):
    """t·s·√(1/J + n_test/n_train), with J − 1 degrees of freedom, by Wilson's equation."""
    scores = expected["test_score"]
    mean, variance = scores.mean(), scores.var(ddof=1) * (1 / 10 + 40 / 160)
    # At least the binomial variance, with the factor 5·(1/10 + 1/4) of five folds.
    share = max(variance / (mean * (1 - mean)), 5 * (1 / 10 + 40 / 160) / 200)
    for end in found.confidence_interval(0.9):
        t = np.abs(end - mean) / np.sqrt(share * end * (1 - end))
        assert t == pytest.approx(stats.t.ppf(0.95, 9), rel=1e-9)
    row = found.summary.loc["accuracy"]
    np.testing.assert_allclose((row["ci_low"], row["ci_high"]), found.confidence_interval(0.95))


def test_the_interval_of_samples_is_that_of_the_comparison():
    cv = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
    found = nested_score(SEARCH, X, y, cv=cv, interval="samples")
    options = {"cv": cv, "scoring": "accuracy", "test": "samples"}
    row = ssc.cross_validate_models({"tree": SEARCH}, X, y, **options).ranking().iloc[0]
    np.testing.assert_allclose(found.confidence_interval(), (row["ci_low"], row["ci_high"]))
    assert "from the values of samples" in " ".join(str(found).split())
    by_default = nested_score(SEARCH, X, y, cv=cv)
    assert by_default.confidence_interval() == found.confidence_interval()


@pytest.mark.parametrize(
    "arguments",
    [
        {"cv": ms.ShuffleSplit(10, random_state=0)},
        {"scoring": lambda model, X, y: model.score(X, y)},
    ],
    ids=["no repeats of folds", "no values"],
)
def test_the_default_interval_without_values_of_samples_is_the_corrected_one(arguments):
    found = nested_score(TREE, X, y, **{"cv": 10, **arguments})
    assert found.confidence_interval() == found.confidence_interval(method="corrected_t")
    assert "corrected t" in str(found)
    with pytest.raises(ValueError, match="samples"):
        found.confidence_interval(method="samples")


def test_bates_interval_is_that_of_fits_without_two_folds():
    """Models of pairs of folds, fitted one by one here, as the paper's algorithm 1 has them."""
    search = ms.GridSearchCV(TREE, {"max_depth": [1, 6]}, cv=2)
    cv = ms.RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=1)
    found = nested_score(search, X, y, cv=cv, interval="bates", n_jobs=2)
    splits = list(cv.split(X, y))
    outer, inner, scores = [], [], []
    for repeat in (splits[:4], splits[4:]):
        tests = [test for _, test in repeat]
        values = {}
        for k, other in combinations(range(4), 2):
            train = np.setdiff1d(np.arange(200), np.r_[tests[k], tests[other]])
            model = clone(search).fit(X[train], y[train])
            for tested, without in ((k, other), (other, k)):
                right = model.predict(X[tests[tested]]) == y[tests[tested]]
                values[without, tested] = right.astype(float)
        for k, (train, test) in enumerate(repeat):
            model = clone(search).fit(X[train], y[train])
            scores.append(model.score(X[test], y[test]))
            outer.append((model.predict(X[test]) == y[test]).astype(float))
            inner.append(np.concatenate([values[k, other] for other in range(4) if other != k]))
    expected = nested_cv_interval(outer, inner, 4)
    # By Wilson's equation, as the score is a share: z standard errors of a mean at each limit.
    mean, least = expected.mean, expected.n_folds / (expected.n_folds - 1) / expected.n_samples
    share = max(expected.std_err**2 / (mean * (1 - mean)), least)
    for end in found.confidence_interval(0.9):
        z = np.abs(end - mean) / np.sqrt(share * end * (1 - end))
        assert z == pytest.approx(stats.norm.isf(0.05), rel=1e-9)
    assert found.score == pytest.approx(expected.mean)
    # The outer scores stay those of cross-validation.
    np.testing.assert_array_equal(found.scores["accuracy"], scores)


def test_several_procedures_are_compared_on_the_same_splits():
    models = {"tree": SEARCH, "line": make_pipeline(StandardScaler(), LogisticRegression())}
    unseeded = ms.KFold(5, shuffle=True)
    found = nested_score(models, X, y, cv=unseeded, scoring=["accuracy", "roc_auc"], rope=0.02)
    assert list(found) == ["accuracy", "roc_auc"]
    comparison = found["roc_auc"]
    assert isinstance(comparison, ssc.Comparison)
    assert list(comparison.labels) == ["tree", "line"]
    assert comparison.rope == 0.02
    for i, (name, result) in enumerate(found.results.items()):
        np.testing.assert_array_equal(result.scores["roc_auc"], comparison.scores.values[i])
        assert result.name == name
    assert found.results["line"].choices.empty
    assert found.results["tree"].metrics == ["accuracy", "roc_auc"]
    # The search tunes by accuracy alone.
    assert np.isnan(found.results["tree"].summary.loc["roc_auc", "gap"])
    again = ssc.cross_validate_models(models, X, y, cv=5, scoring=["accuracy", "roc_auc"])
    fixed = nested_score(models, X, y, cv=5, scoring=["accuracy", "roc_auc"])
    for metric in fixed:
        np.testing.assert_array_equal(fixed[metric].scores.values, again[metric].scores.values)


def test_gap_only_if_both_are_of_one_metric():
    by_loss = ms.GridSearchCV(TREE, {"max_depth": [1, 6]}, cv=2, scoring="neg_log_loss")
    found = nested_score(by_loss, X, y, cv=3, scoring="accuracy")
    assert "gap" not in found.scores
    assert "inner_score" in found.scores
    assert np.isnan(found.summary.loc["accuracy", "gap"])
    assert found.metrics == ["accuracy"]
    assert nested_score(by_loss, X, y, cv=3).metrics == ["neg_log_loss"]
    logs = TransformedTargetRegressor(RIDGE, func=np.log, inverse_func=np.exp)
    positive = np.exp(Y_REGRESSION / 100)
    assert "gap" not in nested_score(logs, X_REGRESSION, positive, cv=ms.KFold(3)).scores
    named = clone(by_loss).set_params(scoring={"m": "accuracy"}, refit="m")
    assert "gap" not in nested_score(named, X, y, cv=3, scoring={"m": "neg_log_loss"}).scores
    # One metric under two names, and a search's own.
    assert "gap" in nested_score(named, X, y, cv=3, scoring={"other": "accuracy"}).scores
    assert "gap" in nested_score(named, X, y, cv=3).scores
    by_function = clone(by_loss).set_params(scoring=lambda model, X, y: model.score(X, y))
    found = nested_score(by_function, X, y, cv=3)
    assert "gap" in found.scores
    assert "<function" not in str(found)


@pytest.mark.filterwarnings("ignore:A class has as few as")
@pytest.mark.parametrize("scoring", [["accuracy", "f1"], {"A": "accuracy", "f1": "f1"}])
def test_a_rule_names_the_metric_of_the_gap(scoring):
    rule = ssc.Simplest("max_depth", metric="f1")
    search = ssc.StatisticalGridSearchCV(
        TREE, {"max_depth": [1, 6]}, cv=2, scoring=scoring, refit=rule
    )
    found = nested_score(search, X, y, cv=ms.KFold(3), scoring=["f1", "accuracy"])
    inner = []
    for train, _ in ms.KFold(3).split(X):
        search.fit(X[train], y[train])
        inner.append(search.cv_results_["mean_test_f1"][search.best_index_])
    np.testing.assert_allclose(found.scores["inner_score"], inner)
    np.testing.assert_allclose(found.scores["gap"], inner - found.scores["f1"])
    assert np.isnan(found.summary.loc["accuracy", "gap"])
    with pytest.raises(ValueError, match="is the name of none, and chooses by 'f1'"):
        nested_score(search, X, y, cv=3)


@pytest.mark.parametrize(("n_jobs", "inner"), [(None, 2), (1, 2), (2, 1)])
def test_only_one_level_is_parallel(monkeypatch, n_jobs, inner):
    seen = []

    def scores(procedure, *args):
        seen.append((procedure.n_jobs, procedure.estimator.n_jobs))
        return {"score": 0.5}, None

    monkeypatch.setattr(nested_fits, "_scores", scores)
    model = ms.GridSearchCV(LogisticRegression(n_jobs=None), {"C": [1]}, n_jobs=2, cv=3)
    with parallel_config("threading"):
        nested_score(model, X, y, cv=5, n_jobs=n_jobs)
    assert set(seen) == {(inner, None)}
    assert model.n_jobs == 2


@pytest.mark.parametrize(
    ("is_pipeline", "routing"),
    [(False, False), (True, True)]
    + [pytest.param(*case, marks=pytest.mark.slow) for case in ((False, True), (True, False))],
)
def test_groups_reach_the_search_within(is_pipeline, routing):
    seen = []

    class Spy(ms.GroupKFold):
        def split(self, X, y=None, groups=None):
            seen.append(set(groups))
            return super().split(X, y, groups)

    outer = ms.GroupKFold(3)
    search = ms.GridSearchCV(TREE, {"max_depth": [1, 6]}, cv=Spy(2))
    procedure = make_pipeline(StandardScaler(), search) if is_pipeline else search
    with sklearn.config_context(enable_metadata_routing=routing):
        found = nested_score(procedure, X, y, cv=outer, groups=GROUPS)
    held_out = [set(GROUPS[test]) for _, test in outer.split(X, y, GROUPS)]
    assert [set(GROUPS) - groups for groups in seen] == held_out
    plain = nested_score(search, X, y, cv=outer, groups=GROUPS)
    np.testing.assert_array_equal(found.scores["accuracy"], plain.scores["accuracy"])


def test_groups_that_a_search_does_not_know_are_warned_of():
    with pytest.warns(ComparisonWarning, match="search in GridSearchCV splits without"):
        nested_score(SEARCH, X, y, cv=ms.GroupKFold(5), groups=GROUPS)
    # Nor do the outer splits keep them together, as scikit-learn says alone.
    with warnings.catch_warnings():
        warnings.simplefilter("error", ComparisonWarning)
        with pytest.warns(UserWarning, match="groups parameter is ignored"):
            nested_score(SEARCH, X, y, cv=ms.StratifiedKFold(5), groups=GROUPS)


def test_groups_are_an_argument_of_their_own():
    with pytest.raises(ValueError, match="`groups` must be given for GroupKFold"):
        nested_score(SEARCH, X, y, cv=ms.GroupKFold(5), params={"groups": GROUPS})


def test_arguments_of_fit():
    params = {"sample_weight": np.random.default_rng(0).uniform(0.1, 2, len(y))}
    for routing in (False, True):
        with sklearn.config_context(enable_metadata_routing=routing):
            search = ms.GridSearchCV(clone(TREE), {"max_depth": [1, 6]}, cv=3)
            if routing:
                search.estimator.set_fit_request(sample_weight=True)
                search.estimator.set_score_request(sample_weight=False)
            found = nested_score(search, X, y, cv=3, params=params)
            expected = ms.cross_validate(search, X, y, cv=3, params=params)["test_score"]
        np.testing.assert_array_equal(found.scores["accuracy"], expected)


def test_a_failed_fit_leaves_no_mean_unless_a_number_stands_for_it():
    def scored(**options):
        with pytest.warns(FitFailedWarning, match="(1 of 5 fits|of which 4) failed"):
            return nested_score(Fails(), X, y, cv=ms.KFold(5), **options)

    found = scored()
    assert found.scores["accuracy"].isna().sum() == 1
    assert np.isnan(found.score)
    assert "1 of 5 splits have no accuracy of Fails, so there is no mean." in str(found)
    assert "nan" not in str(found)
    assert np.isnan(scored(interval="bates").confidence_interval()).all()
    with pytest.raises(ValueError, match="the first sample is missing"):
        nested_score(Fails(), X, y, cv=ms.KFold(5), error_score="raise")
    found = scored(error_score=0.0)
    with pytest.warns(FitFailedWarning):
        expected = ms.cross_val_score(Fails(), X, y, cv=ms.KFold(5), error_score=0.0)
    assert found.score == pytest.approx(expected.mean())
    assert np.isfinite(found.confidence_interval()).all()


def test_html_escapes_names():
    found = nested_score({"<b>": TREE, "other": TREE}, X, y, cv=3)
    html = found.results["<b>"]._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert "&lt;b&gt;" in found._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"procedure": ms.GridSearchCV(VOTES, GRID, refit=False)}, "`procedure` must refit"),
        ({"procedure": {}}, "`procedure` must contain at least one"),
        ({"interval": "naive"}, "`interval` must be"),
        ({"cv": []}, "`cv` must give at least one split"),
        ({"n_jobs": 0}, "`n_jobs` must be"),
        ({"n_jobs": True}, "`n_jobs` must be"),
        ({"n_jobs": 1.5}, "`n_jobs` must be"),
        ({"error_score": "stop"}, "`error_score` must be"),
        ({"interval": "bates", "cv": ms.ShuffleSplit(5)}, "needs a `cv` of repeats of K ≥ 3 folds"),
        ({"interval": "bates", "cv": ms.KFold(2)}, "needs a `cv` of repeats of K ≥ 3 folds"),
        ({"interval": "bates", "scoring": "roc_auc"}, "is the mean of a value of every sample"),
        ({"interval": "bates", "cv": ms.GroupKFold(5), "groups": GROUPS}, "needs independent"),
        ({"interval": "samples", "scoring": lambda e, X, y: 1.0}, "needs a metric with a value"),
        ({"scoring": "nonsense"}, "nonsense"),
        ({"scoring": {"gap": "accuracy"}}, "`scoring` must not name a metric as a column"),
        ({"params": [1]}, "`params` must be a mapping"),
        ({"cv": [(np.arange(150), np.arange(100, 200))]}, "split 0 has 50 of them in both"),
        ({"cv": [(np.arange(150), np.arange(0))]}, "got none in split 0"),
        ({"interval": "samples", "cv": ms.ShuffleSplit(6)}, "needs a `cv` of repeats of folds"),
        ({"interval": "bates", "cv": ms.KFold(200)}, "at least two samples in every test set"),
        ({"procedure": SEVERAL}, "`scoring` must be given, because the search in 'GridSearchCV' h"),
        ({"procedure": {"own": WITH_LEDGER}, "n_jobs": 2}, "`procedure` 'own' has a search with a"),
    ],
)
def test_bad_arguments(arguments, message):
    arguments = {"procedure": SEARCH, "X": X, "y": y, "cv": 5, **arguments}
    with pytest.raises(ValueError, match=message):
        nested_score(**arguments)


def test_what_cannot_be_fitted_raises():
    class Never(Fails):
        def fit(self, X, y):
            raise ValueError("never")

    with pytest.raises(ValueError, match=r"`procedure` must fit .*5 of 5 fits failed.*never"):
        nested_score(Never(), X, y, cv=5)
    with pytest.raises(TypeError, match="`procedure` must contain estimator instances"):
        nested_score(ms.GridSearchCV, X, y)


def test_bad_arguments_of_the_result(found):
    with pytest.raises(ValueError, match="needs further fits"):
        found.confidence_interval(method="bates")
    with pytest.raises(ValueError, match="`metric` must be"):
        found.confidence_interval(metric="roc_auc")
    with pytest.raises(ValueError, match="`confidence_level` must be"):
        found.confidence_interval(95)


@pytest.mark.skipif(
    not hasattr(ms.GridSearchCV, "set_callbacks"), reason="scikit-learn has callbacks from 1.9 on"
)
@pytest.mark.parametrize("n_jobs", [None, pytest.param(2, marks=pytest.mark.slow)])
def test_callbacks_of_a_search_run_in_every_outer_fit(n_jobs, tmp_path, capfd):
    from sklearn.callback import ProgressBar

    def found():
        # Trees support no callbacks, of which scikit-learn warns.
        search = ms.GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, cv=3)
        search.set_callbacks(ProgressBar())
        return nested_score(search, X, y, cv=5, n_jobs=n_jobs, ledger=tmp_path)

    plain = ms.GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, cv=3)
    expected = ms.cross_val_score(plain, X, y, cv=5)
    np.testing.assert_array_equal(found().scores["accuracy"], expected)
    if n_jobs is None:  # what workers print does not always reach this process's output
        assert capfd.readouterr().out.count("GridSearchCV - fit") >= 5
    assert found().n_reused == 5


class OwnScore(LogisticRegression):
    def score(self, X, y, sample_weight=None):
        return 0.5


COUNTS = np.random.default_rng(0).poisson(np.exp(0.5 * X_REGRESSION[:, 0]))
POISSON = PoissonRegressor()


@pytest.mark.parametrize(
    ("procedure", "target"),
    [
        (OwnScore(), y),
        (ms.GridSearchCV(OwnScore(), {"C": [0.1, 1]}, cv=3), y),
        (ms.GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=3), y),
        (MultiOutputClassifier(TREE), np.c_[y, 1 - y]),
        (POISSON, COUNTS),
        (ms.GridSearchCV(POISSON, {"alpha": [0.1, 10]}, cv=3), COUNTS),
    ],
)
def test_the_default_metric_is_the_score_method(procedure, target):
    data = (X_REGRESSION if target is COUNTS else X), target
    found = nested_score(procedure, *data, cv=ms.KFold(5))
    expected = ms.cross_val_score(procedure, *data, cv=ms.KFold(5))
    np.testing.assert_array_equal(found.scores[found.metrics[0]], expected)
    if target is COUNTS:  # a score of deviance is not called R²
        assert found.metrics == ["d2"]
        assert ("gap" in found.scores) == (procedure is not POISSON)


def test_a_parameter_that_a_choice_lacks_is_no_value_of_it_and_labels_have_all():
    grid = [{"max_depth": [1]}, {"min_samples_leaf": [1, 5], "criterion": ["gini"]}]
    found = nested_score(ms.GridSearchCV(TREE, grid, cv=3), X, y, cv=OUTER)
    counted = found.parameters.groupby("parameter")["n_splits"].sum()
    for name in counted.index:
        assert counted[name] == found.scores[f"param_{name}"].notna().sum()
    assert None not in found.parameters["value"].tolist()
    # Also parameters and choices that never change are named.
    for depths in ([1, 6], [2]):
        grid = {"max_depth": depths, "criterion": ["gini"]}
        found = nested_score(ms.GridSearchCV(TREE, grid, cv=3), X, y, cv=5)
        assert found.choices["chosen"].str.contains("criterion=gini").all()
    assert found.choices["n_splits"].tolist() == [5]
    assert "max_depth=2" in str(found)


class FailsOnFew(LogisticRegression):
    def fit(self, X, y):
        if len(X) < 130:
            raise ValueError("too few")
        return super().fit(X, y)


def test_further_fits_that_fail_are_told():
    with pytest.warns(
        FitFailedWarning, match=r"further fits, of which 10 failed.*too few.*no interval"
    ):
        found = nested_score(FailsOnFew(), X, y, cv=5, interval="bates")
    assert found.score == pytest.approx(ms.cross_val_score(FailsOnFew(), X, y, cv=5).mean())
    assert np.isnan(found.confidence_interval()).all()
    assert "no interval" in str(found)


@pytest.mark.parametrize("interval", ["samples", "bates", "corrected_t"])
def test_values_beyond_single_precision_have_the_same_interval_in_other_units(interval):
    # Without an intercept and a penalty, predictions have the unit of the target, and squared
    # errors its square: 1e40 is beyond single precision.
    model = Ridge(alpha=1e-9, fit_intercept=False)
    options = {"cv": ms.KFold(5), "scoring": "neg_mean_squared_error", "interval": interval}
    small, large = (
        nested_score(model, X_REGRESSION, Y_REGRESSION * unit, **options).confidence_interval()
        for unit in (1, 1e20)
    )
    np.testing.assert_allclose(large, np.multiply(small, 1e40), rtol=1e-5)


def test_masks_are_splits_too():
    splits = list(ms.StratifiedKFold(5).split(X, y))
    masks = [tuple(np.isin(np.arange(len(y)), side) for side in split) for split in splits]
    for interval in ("samples", "bates"):
        found, expected = (
            nested_score(TREE, X, y, cv=cv, interval=interval).confidence_interval()
            for cv in (masks, splits)
        )
        assert found == expected


def test_few_outer_splits_and_time_are_warned_of():
    with pytest.warns(ComparisonWarning, match="There are only 3 outer splits"):
        nested_score(TREE, X, y, cv=3)
    with pytest.warns(ComparisonWarning, match="The outer splits follow time"):
        nested_score(TREE, X, y, cv=ms.TimeSeriesSplit(5))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ComparisonWarning)
        nested_score({"a": TREE, "b": SEARCH}, X, y, cv=5)


@pytest.mark.filterwarnings("ignore:A class has as few as 6")
def test_scores_without_an_error_have_an_interval_by_every_method():
    # A class that its only feature separates: no outer fold has an error. Wilson's lower limit is
    # 1/(1 + t²·f/n), with f = 5/4 + 1/2 for values of samples, and above (1 + 1/4) for "bates".
    separated = np.r_[np.linspace(-2, -1, 30), np.linspace(1, 2, 30)][:, None]
    labels = np.repeat([0, 1], 30)
    cv = ms.StratifiedKFold(5, shuffle=True, random_state=0)
    found = nested_score(LogisticRegression(), separated, labels, cv=cv, interval="bates")
    assert found.score == 1.0
    for method, squared in (
        ("samples", stats.t.isf(0.025, 59) ** 2 * 1.75),
        ("corrected_t", stats.t.isf(0.025, 4) ** 2 * 2.25),
        ("bates", stats.norm.isf(0.025) ** 2 * 1.25),
    ):
        low, high = found.confidence_interval(method=method)
        assert (low, high) == (pytest.approx(1 / (1 + squared / 60)), 1.0)
    areas = nested_score(LogisticRegression(), separated, labels, cv=cv, scoring="roc_auc")
    low, high = areas.confidence_interval()
    assert 0.8 < low < 0.95
    assert high == 1.0


def test_scores_that_do_not_vary_and_have_no_range_have_no_interval():
    options = {"scoring": lambda *given: 3.0, "interval": "corrected_t"}
    constant = nested_score(LogisticRegression(), X, y, cv=5, **options)
    with pytest.warns(ssc.ComparisonWarning, match="do not vary, and the range of this score"):
        assert np.isnan(constant.confidence_interval()).all()


def test_r2_is_that_of_all_folds_together():
    # One less the sum of all squared errors over that of all squared deviations from the mean. The
    # mean R² of folds of 6 samples is far below: their own means fit their targets.
    X_small, y_small = X_REGRESSION[:60], Y_REGRESSION[:60] + 300 * np.sin(np.arange(60.0))
    cv = ms.KFold(10)
    predicted = ms.cross_val_predict(Ridge(), X_small, y_small, cv=cv)
    expected = 1 - np.sum((y_small - predicted) ** 2) / np.sum((y_small - y_small.mean()) ** 2)
    found = nested_score(Ridge(), X_small, y_small, cv=cv)
    assert found.score == pytest.approx(expected)
    assert ms.cross_val_score(Ridge(), X_small, y_small, cv=cv).mean() < expected - 0.05
    # The variance has the total's part: the influence on a ratio of means.
    squares, deviations = (y_small - predicted) ** 2, (y_small - y_small.mean()) ** 2
    influence = ((1 - expected) * deviations - squares) / deviations.mean()
    variance = influence.var(ddof=1) / 60 * (10 / 9 + 0.5)
    assert found.summary.loc["r2", "std_err"] == pytest.approx(np.sqrt(variance))
    assert found.confidence_interval()[1] <= 1


def test_groups_keep_the_mean_r2_of_folds():
    options = {"groups": np.repeat(np.arange(24), 5), "cv": ms.GroupKFold(6)}
    found = nested_score(Ridge(), X_REGRESSION, Y_REGRESSION, **options)
    expected = ms.cross_val_score(Ridge(), X_REGRESSION, Y_REGRESSION, **options)
    assert found.score == pytest.approx(expected.mean())


def test_strained_assumptions_of_the_interval_are_warned_of():
    rare = np.arange(200) % 20 == 0  # two positives in a fold
    model = LogisticRegression(class_weight="balanced")
    with pytest.warns(ComparisonWarning, match="A class has as few as 2 samples in a fold"):
        nested_score(model, X, rare, cv=5, scoring="average_precision")


def log_of(X):
    return np.log1p(np.abs(X))


def square_of(X):
    return np.square(X)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_settings_are_counted_by_all_they_hold(n_jobs):
    """Not by a text that is cut, elided by scikit-learn or NumPy, or has an address."""
    names = [f"measurement_{i:02d}" for i in range(40)]
    data = pd.DataFrame(np.random.default_rng(0).normal(size=(90, 40)), columns=names)
    target = (data["measurement_03"] + data["measurement_09"] > 0).astype(int)
    without = [
        [("keep", "passthrough", [c for c in names if c != names[k]])] for k in range(15, 25)
    ]
    model = Pipeline([
        ("chosen", ColumnTransformer(without[0])),
        ("change", FunctionTransformer(log_of)),
        ("model", GaussianNB()),
    ])  # fmt: skip
    grid = {"chosen__transformers": without, "change__func": [log_of, square_of]}
    search = ms.GridSearchCV(model, grid, cv=3)
    nested = nested_score(search, data, target, cv=5, n_jobs=n_jobs)
    fitted = ms.cross_validate(search, data, target, cv=5, return_estimator=True)["estimator"]
    best = [each.best_params_ for each in fitted]
    chosen = [(params["chosen__transformers"][0][2], params["change__func"]) for params in best]
    counts = sorted((chosen.count(each) for each in chosen), reverse=True)
    assert len(counts) == sum(nested.choices["n_splits"])
    expected = [chosen.count(each) for k, each in enumerate(chosen) if each not in chosen[:k]]
    assert sorted(nested.choices["n_splits"]) == sorted(expected)
    assert " at 0x" not in str(nested.choices)
    # scikit-learn shows the first 30 of a list.
    wholes = {"chosen": [
        ColumnTransformer([("keep", "passthrough", [c for c in names if c != names[k]])])
        for k in range(31, 40)
    ]}  # fmt: skip
    nested = nested_score(ms.GridSearchCV(model, wholes, cv=3), data, target, cv=5, n_jobs=n_jobs)
    by_value = nested.parameters.query("parameter == 'chosen'")["n_splits"].tolist()
    assert by_value == nested.choices["n_splits"].tolist()


def test_r2_with_one_row_per_group_is_the_mean_of_the_folds():
    patients = np.random.default_rng(0).permutation(len(Y_REGRESSION))
    cv = ms.GroupKFold(10)
    found = nested_score(Ridge(), X_REGRESSION, Y_REGRESSION, groups=patients, cv=cv)
    expected = ms.cross_val_score(Ridge(), X_REGRESSION, Y_REGRESSION, groups=patients, cv=cv)
    assert found.score == pytest.approx(expected.mean())


class FailsOnce(Ridge):
    """Cannot learn where a certain sample is missing."""

    def fit(self, X, y, sample_weight=None):
        if not np.equal(X, X_REGRESSION[0]).all(axis=1).any():
            raise ValueError("the first sample is missing")
        return super().fit(X, y, sample_weight)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_r2_does_not_depend_on_what_other_procedures_do():
    cv = ms.KFold(10, shuffle=True, random_state=0)
    alone = nested_score(Ridge(), X_REGRESSION, Y_REGRESSION, cv=cv).score
    procedures = {"ridge": Ridge(), "fails": FailsOnce()}
    found = nested_score(procedures, X_REGRESSION, Y_REGRESSION, cv=cv)
    assert found.results["ridge"].score == pytest.approx(alone)
    assert np.isnan(found.results["fails"].score)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_functions_on_one_line_are_told_apart(n_jobs):
    data = np.random.default_rng(3).normal(size=(60, 3))
    target = data[:, 0] + 1.4 * np.abs(data[:, 0]) + np.random.default_rng(4).normal(size=60)
    functions = [lambda X: X, lambda X: np.abs(X)]
    search = ms.GridSearchCV(
        make_pipeline(FunctionTransformer(), Ridge()),
        {"functiontransformer__func": functions},
        cv=3,
    )
    cv = ms.KFold(10, shuffle=True, random_state=0)
    found = nested_score(search, data, target, cv=cv, n_jobs=n_jobs)
    fitted = ms.cross_validate(search, data, target, cv=cv, return_estimator=True)["estimator"]
    best = [each.best_index_ for each in fitted]
    assert len(set(best)) == 2
    assert found.choices["n_splits"].tolist() == sorted(map(best.count, {*best}), reverse=True)


@pytest.mark.parametrize("scoring", ["f1", "jaccard"])
def test_the_interval_of_an_f1_does_not_depend_on_other_procedures(scoring):
    # One F1 is always a fraction, as shares are; F1 of two models seldom are of one denominator.
    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    deep = DecisionTreeClassifier(random_state=0)
    options = {"cv": ms.StratifiedKFold(5, shuffle=True, random_state=0), "scoring": scoring}
    for interval in ("samples", "corrected_t"):
        alone = nested_score(tree, X, y, interval=interval, **options).summary.iloc[0]
        both = nested_score({"tree": tree, "deep": deep}, X, y, interval=interval, **options)
        beside = both.results["tree"].summary.iloc[0]
        for name in ("mean", "std_err", "ci_low", "ci_high"):
            assert alone[name] == pytest.approx(beside[name], rel=1e-9)


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_intervals_of_pooled_r2_end_at_one():
    for seed in range(5):
        draws = np.random.default_rng(seed)
        X_own = draws.standard_normal((40, 3))
        y_own = X_own @ [3, 2, 1] + 0.2 * draws.standard_t(2, 40)
        cv = ms.KFold(10, shuffle=True, random_state=seed)
        found = nested_score(Ridge(), X_own, y_own, cv=cv)
        assert found.confidence_interval()[1] <= 1


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
@pytest.mark.parametrize(
    ("scorer", "refit", "name"),
    [
        (make_scorer(recall_score), True, "recall"),
        ({"own": make_scorer(recall_score)}, "own", "recall"),
        (make_scorer(recall_score, pos_label=0), True, "recall(pos_label=0)"),
        (make_scorer(fbeta_score, beta=2), True, "fbeta_score(beta=2)"),
    ],
)
def test_the_scorer_of_a_search_has_the_interval_of_the_same_scorer_by_name(scorer, refit, name):
    search = clone(SEARCH).set_params(scoring=scorer, refit=refit)
    found = nested_score(search, X, y, cv=4)
    given = scorer["own"] if isinstance(scorer, dict) else scorer
    expected = nested_score(search, X, y, cv=4, scoring="recall" if name == "recall" else given)
    assert found.confidence_interval() == expected.confidence_interval()
    assert list(found.summary.index) == [name]
    assert found.summary["gap"].notna().all()
    with pytest.raises(ValueError, match="different metrics"):
        nested_score({"a": search, "b": clone(SEARCH).set_params(scoring="f1")}, X, y, cv=4)
