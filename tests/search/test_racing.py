"""Racing searches: the full search's results where nothing is dropped, and its winner for less."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy.stats import loguniform
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    ComparisonWarning,
    RacingGridSearchCV,
    RacingRandomizedSearchCV,
    SimplestNotPracticallyWorse,
    SimplestPossiblyBest,
    SimplestWithinOneStandardError,
    SimplestWithinPercentLoss,
    StatisticalGridSearchCV,
    compare,
)
from sklearn_stats_compare.comparison import split_scores
from sklearn_stats_compare.displays import LeaderDisplay
from sklearn_stats_compare.reports import report
from sklearn_stats_compare.search.runs import Given, Options, Race
from sklearn_stats_compare.search.runs._block_splitter import BlockSplitter

SKLEARN = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
X, y = make_classification(n_samples=120, n_features=6, flip_y=0.2, random_state=0)
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
EQUALS = {"C": [0.5, 1.0, 2.0]}  # so much alike that nothing is dropped
EXTRA = {"n_splits_evaluated", "eliminated_at", "elimination_pvalue", "elimination"}
# From hopeless to good.
GAMMAS = {"gamma": [1e-6, 1e-5, 0.02, 0.03, 0.05, 30.0, 100.0], "C": [1.0]}


def assert_same_results(race, full):
    assert set(race.cv_results_) == set(full.cv_results_) | EXTRA
    for key, values in full.cv_results_.items():
        if "_time" not in key:
            np.testing.assert_array_equal(race.cv_results_[key], values, err_msg=key)
    public = {name for name in vars(full) if name.endswith("_") and not name.startswith("_")}
    assert public <= set(vars(race))
    for name in ("best_index_", "best_score_", "best_params_", "n_splits_", "multimetric_"):
        assert hasattr(race, name) == hasattr(full, name)
        if hasattr(full, name):
            np.testing.assert_equal(getattr(race, name), getattr(full, name))


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"scoring": "roc_auc", "return_train_score": True},
        {"scoring": ["accuracy", "roc_auc"], "refit": "roc_auc", "return_train_score": True},
        {"scoring": {"a": "accuracy", "b": "roc_auc"}, "refit": False, "race_metric": "b"},
        {"scoring": lambda estimator, X, y: estimator.score(X, y)},
        {"scoring": lambda estimator, X, y: {"one": 1.0, "two": estimator.score(X, y)},
         "refit": "two"},
        {"refit": False},
        {"n_jobs": 2},
        {"cv": ShuffleSplit(11, random_state=0)},
        {"cv": list(StratifiedKFold(12).split(X, y))},
        {"cv": 10},
    ],
)  # fmt: skip
def test_where_nothing_is_dropped_the_results_are_grid_searchs(arguments):
    arguments = {"cv": CV, **arguments}
    model = SVC(random_state=0)
    race = RacingGridSearchCV(model, EQUALS, random_state=1, alpha=1e-9, **arguments).fit(X, y)
    arguments.pop("race_metric", None)
    full = GridSearchCV(model, EQUALS, **arguments).fit(X, y)
    assert_same_results(race, full)
    assert race.n_fits_ == race.n_fits_full_ == 3 * race.n_splits_
    if full.refit:
        np.testing.assert_array_equal(race.predict(X), full.predict(X))


@pytest.mark.parametrize("random_state", [3, "instance"])
def test_the_randomized_race_samples_what_randomized_search_samples(random_state):
    def searched(kind, **options):
        seed = np.random.RandomState(3) if random_state == "instance" else random_state
        return kind(
            SVC(random_state=0), {"C": loguniform(0.5, 2)}, n_iter=4, cv=CV, random_state=seed,
            **options,
        ).fit(X, y)  # fmt: skip

    race = searched(RacingRandomizedSearchCV, alpha=1e-9)
    assert_same_results(race, searched(RandomizedSearchCV))


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module", params=["samples", "splits"])
def raced(cancer, request):
    data = cancer[0] / cancer[0].std(axis=0), cancer[1]
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
    race = RacingGridSearchCV(SVC(), GAMMAS, cv=cv, look=request.param, random_state=0).fit(*data)
    return race, GridSearchCV(SVC(), GAMMAS, cv=cv).fit(*data)


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
    every = [5, 10, 15, 20, 25, 30] if race.look == "splits" else list(range(2, 31))
    assert history["n_splits"].tolist() == every
    assert history["look"].tolist()[:-1] == list(range(1, len(every)))
    assert history["look"].iloc[-1] is pd.NA
    assert history["dropped"].sum() == 7 - history["alive"].iloc[-1]
    assert history["n_fits"].iloc[-1] == race.n_fits_
    assert history["n_fits"].iloc[0] == 7 * every[0]
    assert sorted(race.race_order_) == list(range(30))
    assert race.race_metric_ == "score"
    # A simple random order of all splits, not one within each repeat.
    np.testing.assert_array_equal(race.race_order_, np.random.RandomState(0).permutation(30))


def test_tables_cover_the_survivors_and_say_so(raced):
    race, full = raced
    survivors = np.flatnonzero(np.isnan(race.cv_results_["eliminated_at"]))
    n = survivors.size
    assert len(race.pairwise_frequentist_) == n * (n - 1) // 2
    assert set(race.comparison_.ranking.index) == set(survivors)
    assert race.comparison_.leader_index == race.best_index_
    with pytest.warns(ComparisonWarning, match=f"Only {n} of 7 candidates ran on all splits"):
        assert set(race.possibly_best_.index) <= set(survivors)
    assert f"These are the survivors of a race among 7 candidates: {7 - n} were dropped" in (
        " ".join(repr(race.comparison_).split())
    )
    assert "survivors of a race" in race.comparison_._repr_html_()
    # Labels are those among all candidates, and are made of what varied among these.
    assert race.comparison_.naming == "candidates are named by gamma"
    # By index as in cv_results_, and labels as in the history.
    first, second = race.comparison_.ranking.index[:2]
    by_label = race.posterior(*race.comparison_.ranking["label"].iloc[:2])
    assert race.posterior(first, second) == by_label
    # The numbers of a pair are those of the full search.
    whole = compare(full, test_train_ratio=1 / 9).posterior(int(first), int(second))
    assert race.posterior(first, second).loc == pytest.approx(whole.loc)
    dropped = np.flatnonzero(~np.isnan(race.cv_results_["eliminated_at"]))[0]
    with pytest.raises(ValueError, match="`i` must be a candidate's index"):
        race.posterior(int(dropped), int(first))


@pytest.mark.parametrize("look", ["samples", "splits"])
def test_the_history_is_the_same_for_every_n_jobs_and_seed_fixes_it(cancer, look):
    def fitted(**options):
        tree = DecisionTreeClassifier(random_state=0)
        grid = {"max_depth": [1, 2, 3, 4, 5], "criterion": ["gini", "entropy"]}
        return RacingGridSearchCV(tree, grid, cv=CV, look=look, **options).fit(*cancer)

    one, two, other = fitted(random_state=0), fitted(random_state=0, n_jobs=2), fitted()
    pd.testing.assert_frame_equal(one.race_history_, two.race_history_)
    np.testing.assert_array_equal(one.race_order_, two.race_order_)
    looks = [5, 10] if look == "splits" else list(range(2, 11))
    assert other.race_history_["n_splits"].tolist() == looks


class FailsOn(ClassifierMixin, BaseEstimator):
    """Fails where the training set holds a sample, by its row number in the first feature."""

    def __init__(self, row=-1, offset=0.0):
        self.row, self.offset = row, offset

    def fit(self, X, y):
        if self.row in X[:, 0]:
            raise RuntimeError(f"row {self.row}")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        right = X[:, 1] > self.offset
        return self.classes_[right.astype(int)]


NUMBERED = np.column_stack([np.arange(100), np.linspace(-1, 1, 100)])
HALVES = (NUMBERED[:, 1] > 0).astype(int)


@pytest.mark.parametrize("look", ["samples", "splits"])
def test_a_candidate_with_a_failed_split_is_dropped_with_a_warning(look):
    search = RacingGridSearchCV(
        FailsOn(), {"row": [-1, 3]}, cv=KFold(20), look=look, random_state=0
    )
    with (
        pytest.warns(FitFailedWarning, match="fits failed out of a total"),
        pytest.warns(UserWarning, match="non-finite"),
    ):
        search.fit(NUMBERED, HALVES)
    assert search.best_params_ == {"row": -1}
    # After its first block, which is one split for looks at samples.
    assert search.cv_results_["eliminated_at"][1] == (5 if look == "splits" else 1)
    assert search.cv_results_["elimination"].tolist() == ["", "failed"]
    assert np.isnan(search.cv_results_["elimination_pvalue"]).all()
    assert "1 of them for a failed split" in " ".join(repr(search.comparison_).split())


def test_where_every_fit_of_the_search_fails_scikit_learns_error_is_raised():
    search = RacingGridSearchCV(FailsOn(row=3), {"offset": [0.0, 0.5]}, cv=KFold(20))
    broken = np.full_like(NUMBERED, 3)
    with pytest.raises(ValueError, match="All the 40 fits failed"):
        search.fit(broken, HALVES)


@pytest.mark.parametrize("look", ["samples", "splits", "auto"])
@pytest.mark.parametrize("can_be_fitted", ["first", "last"])
def test_blocks_in_which_all_fail_are_failed_cells_and_not_the_end(can_be_fitted, look):
    # Splits in the order that random_state=0 gives them: five can be fitted, the others score 0
    # for failing.
    order = RacingGridSearchCV(FailsOn(), {"offset": [0.0]}, cv=KFold(20), random_state=0)
    order = order.fit(NUMBERED, HALVES).race_order_
    fine = order[:5] if can_be_fitted == "first" else order[-5:]
    folds = [test for _, test in KFold(20).split(NUMBERED)]
    bad = int(folds[fine[0]][0])
    everything = np.arange(100)
    splits = [
        (np.setdiff1d(everything, [bad, *test] if k in fine else test), test)
        for k, test in enumerate(folds)
    ]
    search = RacingGridSearchCV(
        FailsOn(row=bad),
        {"offset": [0.0, 0.5]},
        cv=splits,
        error_score=0.0,
        look=look,
        random_state=0,
        refit=False,
    )
    # A list of splits has repeats as well: its test sets partition the data.
    with pytest.warns(FitFailedWarning, match="fits failed out of a total of") as record:
        search.fit(NUMBERED, HALVES)
    assert len(record) == 1
    np.testing.assert_array_equal(search.race_order_, order)
    assert search.n_fits_ == search.cv_results_["n_splits_evaluated"].sum()
    for k in range(20):
        assert search.cv_results_[f"split{k}_test_score"][0] == (1.0 if k in fine else 0.0)
    assert search.best_params_ == {"offset": 0.0}


class Untouched(SVC):
    def fit(self, X, y, sample_weight=None):
        raise AssertionError("fitted before the settings were checked")


def test_fewer_than_ten_splits_other_callables_and_unnamed_metrics_are_refused():
    few = r"`cv` must make at least 10 splits for a race by the scores of splits; got 5\. Use look="
    with pytest.raises(ValueError, match=few):
        RacingGridSearchCV(SVC(), EQUALS, look="splits").fit(X, y)
    with pytest.raises(ValueError, match="`refit` must be a metric's name, a bool or a rule"):
        RacingGridSearchCV(SVC(), EQUALS, cv=10, refit=lambda results: 0).fit(X, y)
    metrics = ["accuracy", "roc_auc"]
    with pytest.raises(ValueError, match="`race_metric` must be one of accuracy, roc_auc if"):
        RacingGridSearchCV(SVC(), EQUALS, cv=10, scoring=metrics, refit=False).fit(X, y)
    with pytest.raises(ValueError, match="`race_metric` must be one of 'accuracy', 'roc_auc'"):
        RacingGridSearchCV(SVC(), EQUALS, cv=10, scoring=metrics, race_metric="f1").fit(X, y)
    with pytest.raises(ValueError, match="`race_metric` must be one of 'score'; got 'f1'"):
        RacingGridSearchCV(Untouched(), {"C": [1]}, cv=10, race_metric="f1").fit(X, y)
    with pytest.raises(ValueError, match="the parameter refit must be set to a scorer key"):
        RacingGridSearchCV(SVC(), EQUALS, cv=10, scoring=metrics).fit(X, y)
    with pytest.raises(ValueError, match="Was the CV iterator empty"):
        RacingGridSearchCV(SVC(), EQUALS, cv=iter([])).fit(X, y)
    with pytest.raises(ValueError, match="'strategy' parameter"):
        RacingGridSearchCV(SVC(), EQUALS, cv=10, strategy="none").fit(X, y)
    with pytest.raises(ValueError, match="'cv' parameter"):
        RacingGridSearchCV(SVC(), EQUALS, cv="ten").fit(X, y)


def test_a_rule_sees_the_survivors_only(raced, cancer):
    data = cancer[0] / cancer[0].std(axis=0), cancer[1]
    with pytest.warns(
        ComparisonWarning, match="choice of SimplestPossiblyBest refers to"
    ) as record:
        race = clone(raced[0]).set_params(refit=SimplestPossiblyBest("gamma")).fit(*data)
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
        SimplestPossiblyBest("gamma"),
        SimplestWithinOneStandardError("gamma"),
        SimplestNotPracticallyWorse("gamma", rope=0.01),
        SimplestWithinPercentLoss("gamma", percent=1),
    ],
)
def test_every_rule_says_once_that_it_chooses_among_the_survivors(raced, rule):
    race, full = raced
    design = race._record.design
    scores, of_all = (split_scores(s.cv_results_, "score", design) for s in (race, full))
    with pytest.warns(ComparisonWarning, match=f"The choice of {type(rule).__name__}") as record:
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
        lambda: race.comparison_.possibly_best(),
        lambda: race.comparison_.model_confidence_set(),
        lambda: compare(race.cv_results_, test_train_ratio=1 / 9).possibly_best(),
    ]
    for ask in asked:
        with pytest.warns(ComparisonWarning, match=f"Only {n} of 7 candidates ran") as record:
            ask()
        assert len(record) == 1
        assert record[0].filename == __file__
    assert "Statements about the best refer to these candidates only." in (
        " ".join(repr(race.comparison_).split())
    )
    whole = compare(full, test_train_ratio=1 / 9)
    assert len(whole.possibly_best()) <= len(whole.model_confidence_set()) == 7
    # It says so in words, and does not warn.
    assert "entered may be one that was dropped" in " ".join(report(race).split())
    starred = LeaderDisplay.from_search(race)  # says it in the legend instead
    assert starred.marked_as == "possibly best of those compared"


def test_the_race_may_be_on_another_metric_than_the_refit(cancer):
    data = cancer[0] / cancer[0].std(axis=0), cancer[1]
    race = RacingGridSearchCV(
        SVC(), GAMMAS, cv=CV, scoring=["accuracy", "roc_auc"], refit="roc_auc",
        race_metric="accuracy", random_state=0,
    ).fit(*data)  # fmt: skip
    assert race.race_metric_ == "accuracy"
    assert race.comparison_.metric == "roc_auc"
    out = ~np.isnan(race.cv_results_["eliminated_at"])
    assert out.any()
    assert np.isnan(race.cv_results_["mean_test_roc_auc"][out]).all()


def test_a_single_metric_may_be_named_to_race_by():
    race = RacingGridSearchCV(SVC(), EQUALS, cv=CV, scoring="roc_auc", race_metric="roc_auc")
    assert race.fit(X, y).race_metric_ == "score"
    assert race.comparison_.metric == "roc_auc"


def test_a_split_without_a_score_of_the_race_metric_does_not_end_the_race():
    # The first of twelve folds has one class only: its ROC AUC is no number for any candidate.
    classes = np.r_[np.ones(10, dtype=int), np.tile([0, 1], 55)]
    data = np.random.default_rng(0).normal(size=(120, 4)) + classes[:, None]
    search = RacingGridSearchCV(
        SVC(), {"C": [1e-5, 0.5, 1]}, cv=KFold(12), scoring=["accuracy", "roc_auc"],
        refit="accuracy", race_metric="roc_auc",
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of the score that is no number
        full = StatisticalGridSearchCV(
            SVC(), {"C": [1e-5, 0.5, 1]}, cv=KFold(12), scoring=["accuracy", "roc_auc"], refit=False
        ).fit(data, classes)
        areas = np.array([full.cv_results_[f"split{k}_test_roc_auc"] for k in range(1, 12)])
        best = areas.mean(axis=0).argmax()
        for seed in range(4):
            search.set_params(random_state=seed).fit(data, classes)
            assert search.n_fits_ < search.n_fits_full_
            means = search.cv_results_["mean_test_accuracy"]
            assert means[best] == full.cv_results_["mean_test_accuracy"][best]


def test_groups_and_metadata_routing_reach_the_splitter():
    groups = np.arange(120) % 12
    plain = GridSearchCV(SVC(), EQUALS, cv=GroupKFold(12)).fit(X, y, groups=groups)
    race = RacingGridSearchCV(SVC(), EQUALS, cv=GroupKFold(12), alpha=1e-9)
    assert_same_results(race.fit(X, y, groups=groups), plain)
    with config_context(enable_metadata_routing=True):
        assert_same_results(race.fit(X, y, groups=groups), plain)


def test_a_one_shot_generator_and_an_unseeded_shuffle_are_split_once():
    full = GridSearchCV(SVC(), EQUALS, cv=StratifiedKFold(10)).fit(X, y)
    for n_jobs in (None, 2):  # 2: a generator cannot be sent to workers
        once = StratifiedKFold(10).split(X, y)
        race = RacingGridSearchCV(SVC(), EQUALS, cv=once, alpha=1e-9, n_jobs=n_jobs)
        assert_same_results(race.fit(X, y), full)
    same = {"random_state": [0, 1, 2]}  # identical candidates: any difference is of the splits
    shuffled = RacingGridSearchCV(SVC(), same, cv=ShuffleSplit(20, test_size=0.1)).fit(X, y)
    assert (shuffled.pairwise_frequentist_["mean_diff"] == 0).all()


def test_it_is_pickled_cloned_and_fitted_again(raced):
    race, _ = raced
    again = pickle.loads(pickle.dumps(race))
    pd.testing.assert_frame_equal(again.race_history_, race.race_history_)
    pd.testing.assert_frame_equal(again.pairwise_frequentist_, race.pairwise_frequentist_)
    assert clone(race).get_params().keys() == race.get_params().keys()
    small = RacingGridSearchCV(SVC(), EQUALS, cv=CV, random_state=0).fit(X, y)
    before = dict(vars(small))
    with pytest.raises(ValueError, match="at least 3 splits for a race by the values of samples"):
        small.set_params(cv=2).fit(X, y)
    assert vars(small)["cv"] == 2
    small.set_params(cv=CV)
    assert set(vars(small)) == set(before)
    assert small.n_fits_ == before["n_fits_"]


@pytest.mark.parametrize(("look", "looks"), [("splits", [5, 10]), ("samples", range(2, 11))])
def test_verbose_tells_every_look(capsys, look, looks):
    RacingGridSearchCV(SVC(), EQUALS, cv=CV, look=look, random_state=0, verbose=1).fit(X, y)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("[race]")]
    assert len(lines) == len(looks)
    for line, n in zip(lines, looks, strict=True):
        assert line.startswith(f"[race] after {n} of 10 splits: ")
        assert "left, leader" in line


def test_scores_that_cannot_catch_up_need_no_test():
    # Always right against always wrong, and with alpha so small that no p-value would do.
    search = RacingGridSearchCV(
        FailsOn(), {"offset": [0.0, 2.0]}, cv=ShuffleSplit(60, random_state=0), alpha=1e-300,
        scoring="accuracy", random_state=0,
    ).fit(NUMBERED, HALVES)  # fmt: skip
    assert search.cv_results_["elimination_pvalue"][1] == 0
    assert search.best_params_ == {"offset": 0.0}


def race_of(model, **options):
    return Race(Given(X, y, {}, Options.of(RacingGridSearchCV(model, {}, **options)), 10))


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
    race = race_of(model, error_score=error_score)
    assert race._bounds([{"C": 1}]) == expected
    assert race._bounds([{"svc": SVC()}]) == (expected if not hasattr(model, "steps") else None)
    for scoring, bounds in [("roc_auc_ovr", (0, 1)), ("matthews_corrcoef", (-1, 1)), ("r2", None)]:
        found = race_of(model, scoring=scoring)._bounds([])
        assert found == bounds


def test_names_for_all_candidates_are_cut_to_the_survivors(raced):
    race, _ = raced
    names = [f"model {i}" for i in range(7)]
    named = race.compare(labels=names)
    assert named.leader == f"model {race.best_index_}"
    with pytest.raises(ValueError, match="survivors of a race among 7 candidates"):
        race.posterior(0, race.best_index_)


def test_results_of_a_race_are_compared_without_the_dropped(raced, tmp_path):
    race, _ = raced
    pd.DataFrame(race.cv_results_).to_csv(tmp_path / "race.csv")
    own = race.comparison_
    for results in (race.cv_results_, pd.DataFrame(race.cv_results_), tmp_path / "race.csv"):
        found = compare(results, test_train_ratio=1 / 9)
        assert found.note == own.note
        assert found.leader_index == race.best_index_
        assert list(found.ranking.index) == list(own.ranking.index)
        assert not found.scores.missing.any()
    names = [f"model {i}" for i in range(7)]
    named = compare(race.cv_results_, test_train_ratio=1 / 9, labels=names)
    assert named.leader == f"model {race.best_index_}"


def test_the_leaders_luck_is_that_of_the_whole_race(raced):
    race, _ = raced
    n = int(np.isnan(race.cv_results_["eliminated_at"]).sum())
    with pytest.warns(ComparisonWarning, match=f"from 7 candidates, of which {n} are compared"):
        race.comparison_.optimism(rng=0)
    assert f"chosen as the highest of 7, of which the {n} compared" in report(race)
    alone = RacingGridSearchCV(
        FailsOn(), {"offset": [0.0, 0.5, 0.9]}, cv=ShuffleSplit(20, random_state=0), random_state=0
    ).fit(NUMBERED, HALVES)  # fmt: skip
    assert alone.comparison_.scores.n_candidates == 1
    assert "chosen as the highest of 3, which flatters it" in report(alone)


def test_the_splits_are_let_go_after_the_fit():
    race = RacingGridSearchCV(SVC(), EQUALS, cv=CV, random_state=0).fit(X, y)
    kept = [value for value in vars(race).values() if isinstance(value, BlockSplitter)]
    light = {"served", "block", "_begin", "get_metadata_routing"}
    assert all(set(vars(splitter)) <= light for splitter in kept)
    # Through `_begin` it would hold the run, and with it the data.
    assert all(not splitter.served and splitter._begin is None for splitter in kept)


@pytest.mark.filterwarnings("ignore:The estimator SVC does not support callbacks")
@pytest.mark.skipif(SKLEARN < (1, 9), reason="callbacks exist from 1.9 on")
def test_callbacks_follow_the_race():
    # scikit-learn's progress bar is made with rich, which is an optional dependency of its own.
    pytest.importorskip("rich")
    from sklearn.callback import ProgressBar

    race = RacingGridSearchCV(SVC(), EQUALS, cv=CV, random_state=0, alpha=1e-9)
    full = GridSearchCV(SVC(), EQUALS, cv=CV).fit(X, y)
    assert_same_results(race.set_callbacks(ProgressBar()).fit(X, y), full)
