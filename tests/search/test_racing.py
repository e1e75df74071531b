"""Racing searches: the full search's winner for less. test_drop_in has races that drop nothing."""

import warnings

import numpy as np
import pandas as pd
import pytest
from quick import Votes
from race_cases import Fails
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare.comparison.readers._searches import split_scores
from sklearn_stats_compare.reports import report
from sklearn_stats_compare.search.runs._plans import FitContext, Options
from sklearn_stats_compare.search.runs._race import Race
from sklearn_stats_compare.search.runs._run import PlannedSplits

X, y = make_classification(n_samples=120, n_features=6, flip_y=0.2, random_state=0)
CV = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
EQUALS = {"gamma": [0.1, 0.11, 0.12]}  # so much alike that nothing is dropped
# From hopeless to good.
GAMMAS = {"gamma": [1e-6, 1e-5, 0.02, 0.03, 0.05, 30.0, 100.0], "power": [2]}
TENS = ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)


def race_of(model=None, grid=EQUALS, **arguments):
    arguments = {"cv": CV, "random_state": 0, **arguments}
    return ssc.RacingGridSearchCV(Votes() if model is None else model, grid, **arguments)


@pytest.fixture(scope="module")
def cancer():
    data, classes = load_breast_cancer(return_X_y=True)
    return data[:300] / data.std(axis=0), classes[:300]


@pytest.fixture(scope="module")
def full(cancer):
    return ms.GridSearchCV(Votes(), GAMMAS, cv=TENS).fit(*cancer)


@pytest.fixture(scope="module", params=["samples", "splits"])
def raced(cancer, full, request):
    race = race_of(grid=GAMMAS, cv=TENS, interim=request.param).fit(*cancer)
    return race, full


def test_the_full_searchs_winner_wins_for_fewer_fits(raced):
    race, full = raced
    assert race.best_params_ == full.best_params_
    assert race.best_score_ == full.best_score_
    assert race.n_fits_ < 0.6 * race.n_fits_full_ == 0.6 * 210


def test_dropped_candidates_stay_in_the_results_without_means(raced):
    race, _ = raced
    results = race.cv_results_
    out = ~np.isnan(results["eliminated_at"])
    assert out.any()
    assert np.isnan(results["mean_test_score"][out]).all()
    assert (results["rank_test_score"][out] > results["rank_test_score"][~out].max()).all()
    assert (results["n_splits_evaluated"][out] == results["eliminated_at"][out]).all()
    assert (results["n_splits_evaluated"][~out] == 30).all()
    assert (results["elimination_pvalue"][out] < 0.05).all()
    assert np.isnan(results["elimination_pvalue"][~out]).all()
    # What was run is what the full search has there, in the columns of the cv's own order.
    ran = 0
    for k in range(30):
        ours, theirs = (search.cv_results_[f"split{k}_test_score"] for search in raced)
        np.testing.assert_array_equal(ours[~np.isnan(ours)], theirs[~np.isnan(ours)])
        ran += np.count_nonzero(~np.isnan(ours))
    assert ran == race.n_fits_ == results["n_splits_evaluated"].sum()


def test_the_history_adds_up(raced):
    race, _ = raced
    history = race.race_history_
    assert list(history.columns) == ["look", "n_splits", "alive", "dropped", "leader", "n_fits"]
    every = [5, 10, 15, 20, 25, 30] if race.interim == "splits" else list(range(2, 31))
    assert history["n_splits"].tolist() == every
    assert history["look"].tolist()[:-1] == list(range(1, len(every)))
    assert history["look"].iloc[-1] is pd.NA
    # All candidates run on the first block, and each later one is of those left after the last.
    alive = history["alive"].to_numpy()
    n_fits = 7 * every[0] + np.r_[0, np.cumsum(alive[:-1] * np.diff(every))]
    assert history["n_fits"].tolist() == n_fits.tolist()
    assert race.n_fits_ == n_fits[-1]
    assert history["dropped"].sum() == 7 - alive[-1]
    assert history["leader"].iloc[-1] == race.comparison_.leader
    assert race.race_metric_ == "score"
    labels = ("1e-06", "1e-05", "0.02", "0.03", "0.05", "30.0", "100.0")
    assert race.race_labels_ == labels
    # A simple random order of all splits, not one within each repeat.
    np.testing.assert_array_equal(race.race_order_, np.random.RandomState(0).permutation(30))


def test_tables_cover_the_survivors_and_say_so(raced):
    race, full = raced
    survivors = np.flatnonzero(np.isnan(race.cv_results_["eliminated_at"]))
    n = survivors.size
    assert len(race.pairwise_frequentist_) == n * (n - 1) // 2
    assert set(race.comparison_.ranking().index) == set(survivors)
    assert race.comparison_.ranking().index[0] == race.best_index_
    with pytest.warns(
        ssc.ComparisonWarning, match=f"Only {n} of 7 candidates ran on all these splits"
    ):
        assert set(race.possibly_best_.index) <= set(survivors)
    assert f"These are the survivors of a race among 7 candidates: {7 - n} were dropped" in (
        " ".join(repr(race.comparison_).split())
    )
    assert "survivors of a race" in race.comparison_._repr_html_()
    # Labels are those among all candidates, and are made of what varied among these.
    assert race.comparison_._naming == "candidates are named by gamma"
    # By index as in cv_results_, and labels as in the history.
    first, second = race.comparison_.ranking().index[:2]
    by_label = race.posterior(*race.comparison_.ranking()["label"].iloc[:2])
    assert race.posterior(first, second) == by_label
    # The numbers of a pair are those of the full search.
    whole = ssc.compare(full, test_train_ratio=1 / 9).posterior(int(first), int(second))
    assert race.posterior(first, second).loc == pytest.approx(whole.loc)
    dropped = np.flatnonzero(~np.isnan(race.cv_results_["eliminated_at"]))[0]
    with pytest.raises(ValueError, match="`i` must be a candidate's index"):
        race.posterior(int(dropped), int(first))
    with pytest.raises(ValueError, match="survivors of a race among 7 candidates"):
        race.posterior(0, race.best_index_)
    # Names for all candidates are cut to the survivors.
    named = race.compare(labels=[f"model {i}" for i in range(7)])
    assert named.leader == f"model {race.best_index_}"


NUMBERED = np.column_stack([np.arange(100), np.linspace(-1, 1, 100)])
HALVES = (NUMBERED[:, 1] > 0).astype(int)


@pytest.mark.parametrize("look", ["samples", "splits"])
def test_a_candidate_with_a_failed_split_is_dropped_with_a_warning(look):
    search = race_of(Fails(), {"on": [None, 3]}, cv=ms.KFold(20), interim=look)
    with (
        pytest.warns(FitFailedWarning, match="fits failed out of a total"),
        pytest.warns(UserWarning, match="non-finite"),
    ):
        search.fit(NUMBERED, HALVES)
    assert search.best_params_ == {"on": None}
    # After its first block, which is one split for looks at samples.
    assert search.cv_results_["eliminated_at"][1] == (5 if look == "splits" else 1)
    assert search.cv_results_["elimination"].tolist() == ["", "failed"]
    assert np.isnan(search.cv_results_["elimination_pvalue"]).all()
    assert "1 of them for a failed split" in " ".join(repr(search.comparison_).split())


@pytest.mark.parametrize("look", ["samples", "splits", "auto"])
@pytest.mark.parametrize("can_be_fitted", ["first", "last"])
def test_blocks_in_which_all_fail_are_failed_cells_and_not_the_end(can_be_fitted, look):
    # Splits in the order that random_state=0 gives them: five can be fitted, the others score 0
    # for failing.
    order = np.random.RandomState(0).permutation(20)
    fine = order[:5] if can_be_fitted == "first" else order[-5:]
    folds = [test for _, test in ms.KFold(20).split(NUMBERED)]
    bad = int(folds[fine[0]][0])
    everything = np.arange(100)
    splits = [
        (np.setdiff1d(everything, [bad, *test] if k in fine else test), test)
        for k, test in enumerate(folds)
    ]
    grid = {"shift": [0.0, 0.5]}
    search = race_of(Fails(on=bad), grid, cv=splits, error_score=0.0, interim=look, refit=False)
    # A list of splits has repeats as well: its test sets partition the data.
    with pytest.warns(FitFailedWarning, match="fits failed out of a total of") as record:
        search.fit(NUMBERED, HALVES)
    assert len(record) == 1
    np.testing.assert_array_equal(search.race_order_, order)
    assert search.n_fits_ == search.cv_results_["n_splits_evaluated"].sum()
    for k in range(20):
        assert search.cv_results_[f"split{k}_test_score"][0] == (1.0 if k in fine else 0.0)
    assert search.best_params_ == {"shift": 0.0}


class Untouched(SVC):
    def fit(self, X, y, sample_weight=None):
        raise AssertionError("fitted before the settings were checked")


METRICS = ["accuracy", "roc_auc"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"cv": 5, "interim": "splits"},
            r"`cv` must make at least 10 splits for a race by the scores of splits; got 5\. Use",
        ),
        ({"refit": lambda results: 0}, "`refit` must be a metric's name, a bool or a rule"),
        ({"scoring": METRICS, "refit": False}, "`race_metric` must be one of accuracy, roc_auc if"),
        (
            {"scoring": METRICS, "race_metric": "f1"},
            "`race_metric` must be one of 'accuracy', 'roc_auc'",
        ),
        ({"race_metric": "f1"}, "`race_metric` must be one of 'score'; got 'f1'"),
        ({"scoring": METRICS}, "the parameter refit must be set to a scorer key"),
        ({"cv": iter([])}, "Was the CV iterator empty"),
        ({"strategy": "none"}, "'strategy' parameter"),
        ({"cv": "ten"}, "'cv' parameter"),
    ],
)
def test_impossible_races_are_refused_before_the_first_fit(arguments, message):
    with pytest.raises(ValueError, match=message):
        race_of(Untouched(), **{"cv": 10, **arguments}).fit(X, y)


def test_a_rule_sees_the_survivors_only(raced, cancer):
    with pytest.warns(ssc.ComparisonWarning, match="choice of Simplest refers to") as record:
        race = clone(raced[0]).set_params(refit=ssc.Simplest("gamma")).fit(*cancer)
    assert len(record) == 1
    report = race.selection_report_
    why = report.loc[race.best_index_, "why"]
    assert why.startswith("among those compared: p = ")
    assert why.endswith("for the hypothesis that it is the best")
    dropped = ~np.isnan(race.cv_results_["eliminated_at"])
    assert not report.loc[np.flatnonzero(dropped), "kept"].any()
    assert (
        report.loc[0, "why"]
        == f"dropped in the race after {race.cv_results_['eliminated_at'][0]:.0f} splits"
    )
    assert race.best_params_["gamma"] <= raced[0].best_params_["gamma"]
    assert race.best_score_ == race.cv_results_["mean_test_score"][race.best_index_]


@pytest.mark.parametrize(
    "rule",
    [
        ssc.Simplest("gamma"),
        ssc.Simplest("gamma", within="1se"),
        ssc.Simplest("gamma", within="rope", rope=0.01),
        ssc.Simplest("gamma", within="1%"),
    ],
)
def test_every_rule_says_once_that_it_chooses_among_the_survivors(raced, rule):
    race, full = raced
    design = race._record.design
    scores, of_all = (split_scores(s.cv_results_, "score", design) for s in (race, full))
    with pytest.warns(
        ssc.ComparisonWarning, match=f"The choice of {type(rule).__name__}"
    ) as record:
        _, report = rule.choose(race.cv_results_, scores)
    assert len(record) == 1
    finished = np.isnan(race.cv_results_["eliminated_at"])[report.index]
    assert (report["why"].str.startswith("among those compared: ") == finished).all()
    rule.choose(full.cv_results_, of_all)  # where nobody was dropped it has no reason to


def test_sets_of_a_races_survivors_say_what_they_are_sets_of(raced):
    race, full = raced
    n = race.comparison_.scores.n_candidates
    asked = [
        lambda: race.possibly_best_,
        lambda: race.comparison_.possibly_best(method="mcs", everyone=True),
        lambda: ssc.compare(race.cv_results_, test_train_ratio=1 / 9).possibly_best(),
    ]
    for ask in asked:
        with pytest.warns(ssc.ComparisonWarning, match=f"Only {n} of 7 candidates ran") as record:
            ask()
        assert len(record) == 1
        assert record[0].filename == __file__
    said = "Statements about the best refer to these candidates only."
    assert said in " ".join(repr(race.comparison_).split())
    whole = ssc.compare(full, test_train_ratio=1 / 9)
    assert len(whole.possibly_best()) <= len(whole.possibly_best(method="mcs", everyone=True)) == 7
    # It says so in words, and does not warn.
    assert "entered may be one that was dropped" in " ".join(report(race).split())


def test_a_single_metric_may_be_named_to_race_by():
    race = race_of(scoring="roc_auc", race_metric="roc_auc")
    assert race.fit(X, y).race_metric_ == "score"
    assert race.comparison_.metric == "roc_auc"


def test_a_split_without_a_score_of_the_race_metric_does_not_end_the_race():
    # The first of twelve folds has one class only: its ROC AUC is no number for any candidate.
    classes = np.r_[np.ones(10, dtype=int), np.tile([0, 1], 55)]
    data = np.random.default_rng(0).normal(size=(120, 4)) + classes[:, None]
    arguments = {"cv": ms.KFold(12), "scoring": METRICS}
    grid = {"C": [1e-5, 0.5, 1]}
    search = race_of(SVC(), grid, refit="accuracy", race_metric="roc_auc", **arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of the score that is no number
        full = ms.GridSearchCV(SVC(), grid, refit=False, **arguments).fit(data, classes)
        areas = np.array([full.cv_results_[f"split{k}_test_roc_auc"] for k in range(1, 12)])
        best = areas.mean(axis=0).argmax()
        for seed in range(2):
            search.set_params(random_state=seed).fit(data, classes)
            assert search.n_fits_ < search.n_fits_full_
            means = search.cv_results_["mean_test_accuracy"]
            assert means[best] == full.cv_results_["mean_test_accuracy"][best]


def test_a_race_that_is_refused_keeps_the_fit_before():
    small = race_of().fit(X, y)
    before = dict(vars(small))
    with pytest.raises(ValueError, match="at least 3 splits for a race by the values of samples"):
        small.set_params(cv=2).fit(X, y)
    assert vars(small)["cv"] == 2
    small.set_params(cv=CV)
    assert set(vars(small)) == set(before)
    assert small.n_fits_ == before["n_fits_"]


@pytest.mark.parametrize(("look", "looks"), [("splits", [5, 10]), ("samples", range(2, 11))])
def test_verbose_tells_every_look(capsys, look, looks):
    race_of(interim=look, verbose=1).fit(X, y)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("[race]")]
    assert len(lines) == len(looks)
    for line, n in zip(lines, looks, strict=True):
        assert line.startswith(f"[race] after {n} of 10 splits: ")
        assert "left, leader" in line


def begun(model, **options):
    return Race(FitContext(X, y, {}, Options.of(ssc.RacingGridSearchCV(model, {}, **options)), 10))


@pytest.mark.parametrize(
    ("model", "error_score", "expected"),
    [
        (SVC(), np.nan, (0, 1)),
        (make_pipeline(StandardScaler(), SVC()), np.nan, (0, 1)),
        (make_pipeline(StandardScaler(), Ridge()), np.nan, None),
        (Ridge(), np.nan, None),
        (SVC(), -7.0, (-7, 1)),  # a fit that fails has a score below every other
        (SVC(), "raise", (0, 1)),
    ],
)
def test_bounds_of_the_score_are_known_where_its_name_tells_them(model, error_score, expected):
    race = begun(model, error_score=error_score)
    assert race._bounds([{"C": 1}]) == expected
    assert race._bounds([{"svc": SVC()}]) == (expected if not hasattr(model, "steps") else None)
    for scoring, bounds in [("roc_auc_ovr", (0, 1)), ("matthews_corrcoef", (-1, 1)), ("r2", None)]:
        found = begun(model, scoring=scoring)._bounds([])
        assert found == bounds


def test_the_leaders_luck_is_that_of_the_whole_race(raced):
    race, _ = raced
    n = int(np.isnan(race.cv_results_["eliminated_at"]).sum())
    with pytest.warns(ssc.ComparisonWarning, match=f"from 7 candidates, of which {n} are compared"):
        race.comparison_.optimism(rng=0)
    assert f"chosen as the highest of 7, of which the {n} compared" in report(race)
    grid = {"shift": [0.0, 0.5, 0.9]}
    alone = race_of(Fails(), grid, cv=ms.ShuffleSplit(20, random_state=0)).fit(NUMBERED, HALVES)
    assert alone.comparison_.scores.n_candidates == 1
    assert "chosen as the highest of 3, which flatters it" in report(alone)
    with pytest.warns(
        ssc.ComparisonWarning, match="Only 1 of 3 candidates ran on all these splits"
    ):
        assert "the only candidate with a score on every split" in str(alone.recommend())


def test_the_splits_are_let_go_after_the_fit():
    race = race_of().fit(X, y)
    kept = [value for value in vars(race).values() if isinstance(value, PlannedSplits)]
    # Through `_begin` it would hold the run, and with it the data.
    assert all(not splitter._splits and splitter._begin is None for splitter in kept)


@pytest.mark.parametrize("unit", [1.0, 2.0**40])
def test_a_dropped_candidate_is_never_refitted_whatever_the_unit(unit):
    # Squared errors beyond 2**53, of amounts in the hundred millions: the lowest mean − 1, by which
    # scikit-learn ranks candidates without a mean, is the lowest mean.
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 1))
    y = unit * (X[:, 0] + 0.1 * rng.standard_normal(150))
    race = ssc.RacingGridSearchCV(
        Ridge(), {"alpha": [1e9, 1e6, 1e-3]}, cv=10, scoring="neg_mean_squared_error",
        rope="1%", random_state=0,
    ).fit(X, y)  # fmt: skip
    assert race.cv_results_["rank_test_score"].tolist() == [2, 2, 1]
    assert race.best_params_ == {"alpha": 1e-3}
