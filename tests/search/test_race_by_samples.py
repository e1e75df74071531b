"""Races that look at the values of samples, in small searches."""

import pickle
import re
import time

import joblib
import numpy as np
import pandas as pd
import pytest
from counted import Stops
from quick import Votes
from race_cases import Fails, assert_same_race, dropped
from sklearn import config_context
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import Ridge
from sklearn.metrics import get_scorer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare import ComparisonWarning, Simplest, compare
from sklearn_stats_compare.displays import LeaderDisplay
from sklearn_stats_compare.reports import report
from sklearn_stats_compare.search.runs import _race

X, y = make_classification(n_samples=300, n_features=6, flip_y=0.1, random_state=0)
# From hopeless to good.
GAMMAS = {"gamma": [1e-6, 1e-5, 0.02, 0.03, 0.05, 30.0, 100.0]}
CV = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
FRAMES = pd.DataFrame(X), pd.Series(np.array(["b", "a"])[y], index=range(300, 0, -1))
FEW = "There are only [0-9] splits"
SURVIVORS = "These are the survivors of a race among 7 candidates: "

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite"),
    pytest.mark.filterwarnings(f"ignore:{FEW}"),
]


def race(grid=GAMMAS, model=None, **arguments):
    model = Votes() if model is None else model
    return ssc.RacingGridSearchCV(model, grid, **{"random_state": 0, **arguments})


def assert_survivors_have_the_results_of(search, full):
    """What ran has the scores of the full search; so have means and ranks of the survivors."""
    out = dropped(search)
    of_race, of_full = search.cv_results_, full.cv_results_
    for name, values in of_full.items():
        if name.endswith("_time"):
            continue
        if name == "params":
            assert of_race[name] == values
        elif name.startswith("rank_"):
            mean = of_full[name.replace("rank_", "mean_")][~out]
            ranks = [1 + np.count_nonzero(mean > own) for own in mean]
            np.testing.assert_array_equal(of_race[name][~out], ranks)
            assert (of_race[name][out] > max(ranks)).all()
        else:
            np.testing.assert_array_equal(of_race[name][~out], values[~out], err_msg=name)
        if re.match(r"split\d+_test", name):
            ran = ~np.isnan(of_race[name])
            np.testing.assert_array_equal(of_race[name][ran], values[ran], err_msg=name)
        if name.startswith("mean_test"):
            assert np.isnan(of_race[name][out]).all()


@pytest.fixture(scope="module")
def raced():
    return race().fit(X, y)


@pytest.fixture(scope="module")
def of_repeats():
    """Races over two repeats of five folds, by what they look at."""
    return {look: race(cv=CV, interim=look).fit(X, y) for look in ("samples", "splits")}


@pytest.fixture(scope="module")
def inferior():
    return race(eliminate="inferiority").fit(X, y)


# What it finds


def test_five_folds_are_raced_and_the_results_say_what_was_dropped(raced):
    full = ms.GridSearchCV(Votes(), GAMMAS).fit(X, y)
    assert raced.best_params_ == full.best_params_
    assert raced.best_score_ == full.best_score_
    assert_survivors_have_the_results_of(raced, full)
    # Four candidates are at chance, .4 below the leader: two splits of 60 samples show it.
    assert dropped(raced)[[0, 1, 5, 6]].all()
    assert (raced.cv_results_["eliminated_at"][[0, 1, 5, 6]] == 2).all()
    reasons = np.where(dropped(raced), "hopeless", "").tolist()
    assert raced.cv_results_["elimination"].tolist() == reasons
    assert f"{dropped(raced).sum()} were dropped before the end" in raced.comparison_.note
    with pytest.raises(ValueError, match=SURVIVORS):
        raced.comparison_._candidate(0)


@pytest.mark.parametrize(
    ("model", "data", "arguments"),
    [
        (Ridge(), make_regression(n_samples=300, n_features=8, noise=20, random_state=0),
         {"scoring": "neg_mean_squared_error"}),
        (Votes(), (X, y), {"scoring": "roc_auc", "return_train_score": True}),
        (Votes(), (X, y), {"cv": ms.PredefinedSplit(np.repeat([0, 1, 2, 3], [20, 40, 80, 160]))}),
        pytest.param(
            Votes(), (X, y), {"cv": ms.ShuffleSplit(6, test_size=0.2, random_state=0)},
            marks=pytest.mark.slow,
        ),
        pytest.param(Votes(), (X, y), {"cv": ms.StratifiedKFold(3)}, marks=pytest.mark.slow),
        (Votes(), (X, y), {"scoring": {"a": "accuracy", "b": "roc_auc", "c": "f1_macro"},
                         "refit": "b"}),
        (make_pipeline(StandardScaler(), SVC()), FRAMES, {"cv": CV}),
    ],
    ids=["regression", "auc", "uneven", "shuffled", "three", "metrics", "frames, texts, repeats"],
)  # fmt: skip
def test_survivors_have_the_results_of_the_full_search(model, data, arguments):
    grid = {"svc__gamma": GAMMAS["gamma"]} if hasattr(model, "steps") else GAMMAS
    if isinstance(model, Ridge):
        grid = {"alpha": [0.01, 0.1, 1, 10, 100, 1e3, 1e4]}
    search = race(grid, model, interim="samples", **arguments).fit(*data)
    assert dropped(search).any()
    full = ms.GridSearchCV(model, grid, **arguments).fit(*data)
    assert_survivors_have_the_results_of(search, full)
    assert search.best_params_ == full.best_params_
    assert search.n_fits_ < search.n_fits_full_ == 7 * full.n_splits_


@pytest.mark.parametrize("keeps", [False, "values", True])
def test_kept_predictions_do_not_change_the_race(keeps, raced):
    search = race(return_predictions=keeps).fit(X, y)
    assert_same_race(search, raced)
    if keeps is True:
        frame = search.predictions(4)
        assert len(frame) == 300
    else:
        with pytest.raises(AttributeError, match="Set `return_predictions=True` before"):
            search.predictions(4)


def test_the_survivors_are_tested_by_samples():
    search = race(interim="samples", test="samples", eliminate="inferiority").fit(X, y)
    rows = np.flatnonzero(~dropped(search))
    assert 1 < rows.size < 7
    full = ssc.StatisticalGridSearchCV(
        Votes(), {"gamma": [GAMMAS["gamma"][k] for k in rows]}, test="samples"
    ).fit(X, y)
    for name in ("pairwise_frequentist_", "pairwise_bayesian_"):
        pd.testing.assert_frame_equal(getattr(search, name), getattr(full, name))


@pytest.mark.parametrize("race_metric", ["accuracy", "roc_auc"])
def test_one_of_several_metrics_decides(race_metric):
    few = {"gamma": [1e-6, 0.02, 0.05, 30.0]}
    metrics = ["accuracy", "roc_auc"]
    search = race(few, scoring=metrics, refit="roc_auc", race_metric=race_metric, interim="samples")
    search.fit(X, y)
    alone = race(few, scoring=race_metric, interim="samples").fit(X, y)
    assert search.race_metric_ == race_metric
    for name in ("n_splits_evaluated", "eliminated_at", "elimination_pvalue", "elimination"):
        np.testing.assert_array_equal(search.cv_results_[name], alone.cv_results_[name])
    assert search.comparison_.metric == "roc_auc"
    assert dropped(search).any()
    assert np.isnan(search.cv_results_["mean_test_roc_auc"][dropped(search)]).all()


def test_weighted_scores_are_raced_by_weighted_values():
    weights = np.random.default_rng(0).uniform(0.5, 2, 300)
    with config_context(enable_metadata_routing=True):
        model = SVC().set_fit_request(sample_weight=True)
        scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
        full = ms.GridSearchCV(model, GAMMAS, scoring=scorer).fit(X, y, sample_weight=weights)
        for keeps in (False, True):
            search = race(model=model, scoring=scorer, interim="samples", return_predictions=keeps)
            search.fit(X, y, sample_weight=weights)
            assert_survivors_have_the_results_of(search, full)
            assert dropped(search).any()
            assert search.best_params_ == full.best_params_


# Which look


def hits(estimator, X, y):
    """No function of predictions that could be known by sample."""
    return estimator.score(X, y)


@pytest.mark.parametrize("cv", [5, CV])
def test_a_metric_without_values_of_samples(cv):
    reason = "has no values of samples: "
    with pytest.raises(ValueError, match=f'`interim` must be "splits" or "auto" .* {reason}') as no:
        race(scoring=hits, interim="samples", cv=cv).fit(X, y)
    assert str(no.value).endswith('; got "samples".')
    if cv == 5:
        few = f"at least 10 splits .* scores of splits; got 5.* look at samples here: .*{reason}"
        with pytest.raises(ValueError, match=few):
            race(scoring=hits, cv=cv).fit(X, y)
        return
    search = race(scoring=hits, cv=cv).fit(X, y)
    by_splits = race(scoring=hits, cv=cv, interim="splits").fit(X, y)
    assert search.race_history_["n_splits"].tolist() == [5, 10]
    assert_same_race(search, by_splits)


def test_groups():
    groups = np.arange(300) % 20
    few = ms.GroupKFold(5)
    with pytest.raises(ValueError, match="because samples of one group are not independent"):
        race(interim="samples", cv=few).fit(X, y, groups=groups)
    with pytest.raises(ValueError, match=r"at least 10 splits .*: samples of one group are not"):
        race(cv=few).fit(X, y, groups=groups)
    many, grid = ms.GroupKFold(10), {"gamma": [1e-6, 0.02, 0.05]}
    search = race(grid, cv=many).fit(X, y, groups=groups)
    assert_same_race(search, race(grid, cv=many, interim="splits").fit(X, y, groups=groups))
    with config_context(enable_metadata_routing=True):
        routed = race(grid, cv=many).fit(X, y, groups=groups)
        assert_same_race(search, routed)
        with pytest.raises(ValueError, match="because samples of one group are not independent"):
            race(interim="samples", cv=many).fit(X, y, groups=groups)


def test_values_that_take_too_much_memory(monkeypatch, of_repeats):
    monkeypatch.setattr(_race, "are_large_values", lambda *sizes: True)
    search = race(cv=CV).fit(X, y)
    assert_same_race(search, of_repeats["splits"])
    with pytest.raises(ValueError, match="their values would take more than 1 GB"):
        race().fit(X, y)
    # Those who want them get them, and so do those who keep them anyway.
    assert race(cv=CV, interim="samples").fit(X, y).race_history_["n_splits"].iloc[0] == 2
    kept = race(cv=CV, return_predictions="values").fit(X, y)
    assert kept.race_history_["n_splits"].iloc[0] == 2


def test_parameters_are_checked(inferior):
    for name, value in [
        ("tolerance", -1),
        ("tolerance", "1%"),
        ("interim", "x"),
        ("eliminate", "x"),
    ]:
        with pytest.raises(ValueError, match=f"'{name}' parameter of RacingGridSearchCV must be"):
            race(**{name: value}).fit(X, y)
    for wrong in (0, 1, -0.1, "0.01", np.nan):
        with pytest.raises(ValueError, match=r"`dropped_pvalue` must be in \(0, 1\)"):
            ssc.Comparison(inferior.comparison_.scores, _dropped_pvalue=wrong, warn=False)


# Fits that fail


LINE = np.column_stack([np.arange(200.0), np.linspace(-1, 1, 200)])
SIDE = (LINE[:, 1] > 0).astype(int)
FAILING = {"on": [None, 3.0], "shift": [0.0, 0.5]}


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("look", ["auto", "samples"])
def test_a_candidate_that_fails_is_dropped(look, keeps):
    search = race(FAILING, Fails(), interim=look, return_predictions=keeps).fit(LINE, SIDE)
    # The other two: one is always right, and the other in 75 % of cases.
    assert search.cv_results_["elimination"].tolist() == ["", "hopeless", "failed", "failed"]
    assert search.best_params_ == {"on": None, "shift": 0.0}


class FailsToPredict(Fails):
    """Fits, and fails later."""

    def fit(self, X, y):
        try:
            super().fit(X, y)
        except ValueError:
            self.at = None  # a column that `predict` does not find
        return self


@pytest.mark.filterwarnings("ignore:Scoring failed")
@pytest.mark.parametrize("model", [Fails(), FailsToPredict()], ids=["fit", "predict"])
@pytest.mark.parametrize("look", ["auto", "samples"])
def test_failures_with_a_score_are_worse_and_dropped_for_it(look, model):
    search = race(FAILING, model, interim=look, error_score=0, cv=5).fit(LINE, SIDE)
    full = ms.GridSearchCV(model, FAILING, error_score=0, cv=5).fit(LINE, SIDE)
    assert_survivors_have_the_results_of(search, full)
    assert search.cv_results_["elimination"].tolist() == ["", *["hopeless"] * 3]
    assert (search.cv_results_["elimination_pvalue"][1:] < 0.05).all()
    assert search.best_params_ == {"on": None, "shift": 0.0}


@pytest.mark.parametrize("look", ["auto", "samples"])
def test_a_split_on_which_all_fail_says_nothing(look):
    # Sample 3 is in the test set of one split only, and no candidate fails on this one; sample 3 is
    # also left out of the other training sets but one.
    folds = list(ms.StratifiedKFold(6).split(LINE, SIDE))
    cv = [
        (np.setdiff1d(train, [] if k == 2 else [3]), test) for k, (train, test) in enumerate(folds)
    ]
    grid = {"on": [3.0], "shift": [0.0, 0.1, 0.9]}
    search = race(grid, Fails(), interim=look, cv=cv, refit=False).fit(LINE, SIDE)
    assert search.cv_results_["elimination"].tolist()[0] == ""
    assert "failed" not in search.cv_results_["elimination"]
    assert "hopeless" in search.cv_results_["elimination"]
    assert np.isnan(search.cv_results_["split2_test_score"]).all()


# Ledgers and copies


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    ("n_fits", "seed"),
    [
        pytest.param(n, seed, marks=() if (n, seed) in {(13, 0), (20, None)} else pytest.mark.slow)
        for n in (0, 5, 13, 20, 25)
        for seed in (0, None)
    ],
)
def test_a_race_that_was_interrupted_goes_on(path, n_fits, seed, monkeypatch):
    monkeypatch.setattr(Stops, "n_left", n_fits)
    arguments = {"model": Stops(), "cv": CV, "random_state": seed, "refit": False}
    with pytest.raises(KeyboardInterrupt):
        race(ledger=path, **arguments).fit(X, y)
    monkeypatch.setattr(Stops, "n_left", 10**9)
    again = race(ledger=path, **arguments).fit(X, y)
    # A block is seven fits at first, and fewer after that.
    assert 0 <= n_fits - again.n_reused_ < 7
    assert_same_race(again, race(ledger=path, **arguments).fit(X, y))
    if seed is not None:
        assert_same_race(again, race(**arguments).fit(X, y))


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(("first", "then"), [("samples", "splits"), ("splits", "samples")])
def test_a_ledger_of_another_look_is_gone_on_with(path, first, then, of_repeats):
    before = race(ledger=path, cv=CV, interim=first).fit(X, y)
    after = race(ledger=path, cv=CV, interim=then).fit(X, y)
    assert_same_race(before, of_repeats[first])
    assert_same_race(after, of_repeats[then])
    if first == "samples":  # which keep values of samples; scores alone cannot be looked at
        assert after.n_reused_ > 0
    assert_same_race(race(ledger=path, cv=CV, interim=first).fit(X, y), before)


def test_it_is_pickled_cloned_and_set(inferior):
    again = pickle.loads(pickle.dumps(inferior))
    assert_same_race(again, inferior)
    pd.testing.assert_frame_equal(again.pairwise_frequentist_, inferior.pairwise_frequentist_)
    assert repr(again.comparison_) == repr(inferior.comparison_)
    assert again.comparison_._dropped_pvalue == inferior.comparison_._dropped_pvalue
    copied = clone(inferior)
    assert (copied.interim, copied.eliminate, copied.tolerance) == ("auto", "inferiority", 0.0)
    copied.set_params(eliminate="futility", interim="samples", tolerance=0.5)
    # Nothing can be better than the leader, at about .9, by half.
    copied.set_params(param_grid={"gamma": [1e-6, 0.02, 0.2, 30.0]}).fit(X, y)
    assert dropped(copied).sum() == 3


# Tolerance


@pytest.mark.parametrize("look", ["samples", pytest.param("splits", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("tolerance", "n_seeds", "most"),
    [
        # At level 0.05, more than 2 of 6 have a probability of 0.2 %, as have both of 2. In 60
        # orders, 2 of the races by samples with a tolerance of 0.01 chose a mean 0.013 behind, and
        # none of the others did.
        (0.05, 2, 1),
        pytest.param(0.01, 6, 2, marks=pytest.mark.slow),
        pytest.param(0.05, 6, 2, marks=pytest.mark.slow),
    ],
)
def test_the_choice_is_not_further_than_the_tolerance_behind(look, tolerance, n_seeds, most):
    grid = {"gamma": [0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0]}
    full = ms.GridSearchCV(Votes(), grid, cv=CV).fit(X, y)
    means = full.cv_results_["mean_test_score"]
    n_fits = {0.0: 0, tolerance: 0}
    n_behind = {0.0: 0, tolerance: 0}
    for seed in range(n_seeds):
        for value in n_fits:
            search = race(grid, cv=CV, interim=look, tolerance=value, random_state=seed).fit(X, y)
            n_fits[value] += search.n_fits_
            # The means are shares of 300 samples, so a difference of 0.01 is subject to rounding.
            n_behind[value] += means[search.best_index_] < means.max() - value - 1e-12
    assert n_behind[0.0] == 0
    assert n_behind[tolerance] <= most
    # In sum: the leader at a look may be another one, so a single race may take more.
    assert n_fits[tolerance] < n_fits[0.0]


# Inferior on new data


def asked_of(search):
    return [
        lambda: search.possibly_best_,
        lambda: search.comparison_.possibly_best(),
        lambda: search.comparison_.possibly_best(method="mcs", everyone=True),
        lambda: search.compare(rope=0.02).possibly_best(),
        lambda: search.comparison_.choose(Simplest("gamma")),
        lambda: search.comparison_.choose(ssc.Simplest("gamma", within="1se")),
    ]


@pytest.mark.parametrize("look", ["samples", "splits"])
def test_inferior_candidates_are_not_possibly_best_so_nothing_warns(look, of_repeats):
    arguments = {"cv": CV, "interim": look}
    search = race(eliminate="inferiority", **arguments).fit(X, y)
    hopeless = of_repeats[look]
    # The standard error on new data is larger than that of the rest of the table.
    assert search.n_fits_full_ > search.n_fits_ > hopeless.n_fits_
    assert 0 < dropped(search).sum() < dropped(hopeless).sum()
    out = np.where(dropped(search), "inferior", "").tolist()
    assert search.cv_results_["elimination"].tolist() == out
    for ask in asked_of(search):
        ask()
    rule = Simplest("gamma")
    chosen = race(eliminate="inferiority", refit=rule, **arguments).fit(X, y)
    assert set(chosen.selection_report_.query("kept").index) == set(search.possibly_best_.index)
    assert search.comparison_._dropped_pvalue == np.nanmax(search.cv_results_["elimination_pvalue"])
    note = search.comparison_.note
    n, are_worse = dropped(search).sum(), "was dropped because it is worse"
    are_worse = are_worse if n == 1 else "were dropped because they are worse"
    assert note.startswith(f"{SURVIVORS}{n} {are_worse}")
    assert "on new data (adjusted p ≤ " in note
    assert "Statements about the best" not in repr(search.comparison_)
    assert "may be one that was dropped" not in report(search)
    assert "that were compared to the end" not in repr(search.comparison_)
    for ask in asked_of(hopeless):
        with pytest.warns(ComparisonWarning, match="candidates ran on all these splits") as record:
            ask()
        assert len(record) == 1


def test_the_picture_marks_the_possibly_best(inferior, of_repeats):
    pytest.importorskip("matplotlib")
    assert LeaderDisplay.from_search(inferior).marked_as == "possibly best"
    two = of_repeats["samples"]
    assert LeaderDisplay.from_search(two).marked_as == "possibly best of those compared"


def test_a_lower_level_than_that_of_the_race_warns():
    # One that is far behind, and one that a race at level .4 drops with p between .05 and .4.
    search = race(model=SVC(), eliminate="inferiority", alpha=0.4, scoring="roc_auc").fit(X, y)
    largest = search.comparison_._dropped_pvalue
    assert 0.05 < largest < 0.4
    assert len(search.possibly_best_)
    search.comparison_.possibly_best(alpha=largest * 1.001)
    told = (
        f"worse on new data with p-values of up to {largest:.2g}, which is not below alpha = 0.05"
    )
    with pytest.warns(ComparisonWarning, match=told):
        search.comparison_.possibly_best(alpha=0.05)
    with pytest.warns(ComparisonWarning, match=told):
        search.compare(alpha=0.05).possibly_best(method="mcs", everyone=True)


def test_the_guarantee_is_of_the_metric_of_the_race():
    search = race(
        scoring=["accuracy", "roc_auc"], refit="accuracy", eliminate="inferiority",
        return_predictions=True,
    ).fit(X, y)  # fmt: skip
    out = np.where(dropped(search), "inferior in accuracy", "").tolist()
    assert search.cv_results_["elimination"].tolist() == out
    assert len(search.possibly_best_)
    assert len(search.compare(metric="accuracy").possibly_best())
    for other in (
        search.compare(metric="roc_auc"),
        search.comparison_.with_settings(metric="roc_auc"),
    ):
        with pytest.warns(ComparisonWarning, match="candidates ran on all these splits"):
            other.possibly_best()
    by_auc = clone(search).set_params(refit=Simplest("gamma", metric="roc_auc"))
    with pytest.warns(ComparisonWarning, match="The choice of Simplest refers"):
        by_auc.set_params(race_metric="accuracy").fit(X, y)


def test_with_a_tolerance_the_best_may_have_been_dropped():
    search = race(eliminate="inferiority", tolerance=0.02).fit(X, y)
    assert set(search.cv_results_["elimination"]) == {"", "not superior"}
    with pytest.warns(ComparisonWarning, match="candidates ran on all these splits"):
        _ = search.possibly_best_


def test_a_failed_candidate_may_be_the_best():
    grid = {"on": [None, 3.0], "shift": [0.0, 0.01, 2.0]}
    search = race(grid, Fails(), eliminate="inferiority").fit(LINE, SIDE)
    assert search.cv_results_["elimination"].tolist() == ["", "", "inferior", *["failed"] * 3]
    assert "3 of them for a failed split" in search.comparison_.note
    with pytest.warns(ComparisonWarning, match="Only 2 of 6 candidates ran on all these splits"):
        _ = search.possibly_best_


@pytest.mark.parametrize("look", ["auto", "splits"])
def test_candidates_that_cannot_catch_up_may_still_be_the_best_on_new_data(look):
    """Bounds of the score speak of these splits, so "inferior" ignores them."""
    grid = {"shift": [0.0, 2.0]}  # always right, and half of the time
    # With alpha so small that no p-value would do: what cannot catch up needs no test.
    arguments = {"scoring": "accuracy", "cv": ms.ShuffleSplit(60, random_state=0), "alpha": 1e-300}
    search = race(grid, Fails(), interim=look, **arguments).fit(LINE, SIDE)
    assert dropped(search).tolist() == [False, True]
    assert search.cv_results_["elimination_pvalue"][1] == 0
    search = race(grid, Fails(), interim=look, eliminate="inferiority", **arguments)
    assert not dropped(search.fit(LINE, SIDE)).any()


def test_files_keep_why_candidates_were_dropped(inferior, raced, path, tmp_path):
    for search in (inferior, raced):
        own = search.comparison_
        pd.DataFrame(search.cv_results_).to_csv(tmp_path / "results.csv")
        for results in (
            search.cv_results_, pd.DataFrame(search.cv_results_), tmp_path / "results.csv",
        ):  # fmt: skip
            found = compare(results, test_train_ratio=1 / 4)
            assert found.note == own.note
            assert found._dropped_pvalue == own._dropped_pvalue
            assert found.ranking().index[0] == search.best_index_
            assert list(found.ranking().index) == list(own.ranking().index)
            assert not found.scores.missing.any()
        names = [f"model {i}" for i in range(7)]
        named = compare(search.cv_results_, test_train_ratio=1 / 4, labels=names)
        assert named.leader == f"model {search.best_index_}"
        own.to_csv(tmp_path / "comparison.csv")
        again = compare(tmp_path / "comparison.csv")
        assert again._dropped_pvalue == own._dropped_pvalue
        assert again._n_entered == own._n_entered == 7
    # Results of earlier versions had no such column, and ledgers have none.
    old = {k: v for k, v in inferior.cv_results_.items() if k != "elimination"}
    race(eliminate="inferiority", ledger=path).fit(X, y)
    for obj in (old, path):
        found = compare(obj, test_train_ratio=1 / 4) if obj is old else compare(obj)
        assert found._dropped_pvalue is None
        with pytest.warns(
            ComparisonWarning, match="Only 3 of 7 candidates ran on all these splits"
        ):
            found.possibly_best()


def test_an_extension_keeps_what_the_race_found():
    search = race(cv=CV, eliminate="inferiority").fit(X, y)
    before = search.comparison_._dropped_pvalue
    search.extend(X, y, n_repeats=1)
    assert search.n_splits_ == 15
    assert search.comparison_._dropped_pvalue == before
    assert len(search.possibly_best_)


def test_the_ledger_of_a_race_with_one_survivor_is_read(tmp_path):
    path = tmp_path / "one.sqlite"
    X, y = make_classification(600, random_state=0)
    race = ssc.RacingGridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2], "max_features": [1, None]},
        cv=10, random_state=0, ledger=path, tolerance=0.5,
    ).fit(X, y)  # fmt: skip
    assert race.comparison_.scores.n_candidates == 1
    read = compare(path)
    assert read.leader == race.comparison_.leader
    assert read.ranking()["mean"].iloc[0] == race.best_score_


class FailsOn(ClassifierMixin, BaseEstimator):
    """Right on a share of samples; cannot learn where one of some tenths of them is tested."""

    def __init__(self, right=0.9, on=(), seconds=0.0):
        self.right, self.on, self.seconds = right, on, seconds

    def fit(self, X, y):
        time.sleep(self.seconds)
        if {*range(10)} - {*(X[:, 0] // 20)} <= {*self.on}:
            raise ValueError("cannot learn")
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        i = X[:, 0].astype(int)
        return np.where(i * 7919 % 100 < 100 * self.right, i % 2, 1 - i % 2)


NUMBERS = np.arange(200.0)[:, None], np.arange(200) % 2
ORDER = np.random.RandomState(0).permutation(10).tolist()  # that of random_state=0


@pytest.mark.parametrize("scoring", ["accuracy", ["accuracy"]])
def test_a_race_goes_on_if_all_fits_before_the_first_look_fail(scoring):
    # No score has named a metric by then. A split on which all fail tells nothing about them.
    model = FailsOn(on=ORDER[:2])
    search = race({"right": [0.9, 0.3]}, model, cv=ms.KFold(10), scoring=scoring, refit=False)
    search.fit(*NUMBERS)
    assert dropped(search).tolist() == [False, True]


def test_a_fit_that_decides_nothing_does_not_end_a_race():
    # The bad ones are dropped before they fail. With one worker they never do; idle workers,
    # which wait for the slow one, would run ahead.
    grid = [
        {"right": [0.9], "seconds": [0.1]},
        {"right": [0.3, 0.29, 0.28], "on": [tuple(ORDER[4:])]},
    ]
    for n_jobs in (1, 16):
        search = race(grid, FailsOn(), cv=ms.KFold(10), refit=False, error_score="raise")
        with joblib.parallel_config("threading", n_jobs=n_jobs):
            search.fit(*NUMBERS)
        assert dropped(search).tolist() == [False, True, True, True]
