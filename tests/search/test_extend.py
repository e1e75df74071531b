"""extend: further splits of the same data, as if fit had had them all."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from counted import Counted, assert_same_search, assert_same_tables, counted
from quick import Votes
from scipy import sparse
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_moons
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare.search.runs._extension import check_alike
from sklearn_stats_compare.stats._design import SplitDesign

X, y = make_moons(n_samples=60, noise=0.25, random_state=1)
GRID = {"gamma": [0.1, 10], "power": [1, 2]}


class Neighbours(ClassifierMixin, BaseEstimator):
    """The majority of the nearest samples, in a tenth of the time that scikit-learn's takes."""

    def __init__(self, n_neighbors=5):
        self.n_neighbors = n_neighbors

    def fit(self, X, y):
        self.X_, self.y_, self.classes_ = X, y, np.unique(y)
        return self

    def predict(self, X):
        distance = ((X[:, None] - self.X_) ** 2).sum(axis=2)
        nearest = np.argpartition(distance, self.n_neighbors - 1)[:, : self.n_neighbors]
        return (self.y_[nearest].mean(axis=1) > 0.5).astype(int)

    def score(self, X, y):
        return float(np.mean(self.predict(X) == y))


def repeated(n_repeats, random_state=0):
    return ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=n_repeats, random_state=random_state)


def assert_same(one, other):
    assert_same_search(one, other)
    assert_same_tables(one, other)


def search(cv, kind=ssc.StatisticalGridSearchCV, **arguments):
    return kind(Votes(), GRID, cv=cv, **arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        pytest.param(
            {"scoring": "roc_auc", "return_train_score": True, "n_jobs": 2}, marks=pytest.mark.slow
        ),
        {"scoring": ["accuracy", "roc_auc"], "refit": "roc_auc"},
        {"refit": ssc.Simplest("gamma")},
        {"refit": False},
    ],
)
def test_the_next_repeats_make_the_search_that_had_them_from_the_start(arguments):
    def two(n_repeats):
        return search(repeated(n_repeats), **arguments).set_params(param_grid={"gamma": [0.1, 10]})

    grown = two(1).fit(X, y)
    assert grown.extend(X, y, n_repeats=1) is grown
    grown = pickle.loads(pickle.dumps(grown)).extend(X, y, n_repeats=2)
    whole = two(4).fit(X, y)
    assert_same(grown, whole)
    if arguments.get("refit", True):
        assert grown.best_params_ == whole.best_params_
        assert grown.best_score_ == whole.best_score_
        np.testing.assert_array_equal(grown.predict(X), whole.predict(X))


@pytest.mark.usefixtures("unchecked")
def test_nothing_is_fitted_again():
    grown = counted().fit(X, y)
    Counted.fits.clear()
    grown.extend(X, y, n_repeats=3)
    assert Counted.fits == dict.fromkeys(range(4), 15)
    assert grown.n_splits_ == 25


def test_a_cv_or_a_generator_makes_the_further_splits(path):
    further = ms.ShuffleSplit(6, test_size=0.2, random_state=0)
    whole = counted(cv=[*ms.KFold(6).split(X), *further.split(X)]).fit(X, y)
    for ledger in (None, path):
        for made in (further, further.split(X)):
            assert_same(counted(ledger, cv=ms.KFold(6)).fit(X, y).extend(X, y, cv=made), whole)


def test_a_randomized_search_keeps_its_candidates():
    def randomized(n_repeats, seed):
        return search(
            repeated(n_repeats), ssc.StatisticalRandomizedSearchCV, n_iter=3, random_state=seed
        )

    assert_same(randomized(2, 0).fit(X, y).extend(X, y, n_repeats=1), randomized(3, 0).fit(X, y))
    unseeded = randomized(2, None).fit(X, y)
    candidates = unseeded.cv_results_["params"]
    assert unseeded.extend(X, y, n_repeats=1).cv_results_["params"] == candidates


@pytest.mark.usefixtures("unchecked")
def test_with_a_ledger_an_extension_goes_on_where_it_was(path):
    def fitted():
        return counted(path).fit(X, y)

    first = fitted().extend(X, y, n_repeats=2)
    Counted.fits.clear()
    again = fitted()
    assert not Counted.fits
    again.extend(X, y, n_repeats=2)
    assert not Counted.fits
    assert again.n_reused_ == 40
    assert_same(again, first)
    Counted.fits.clear()
    fitted().extend(X, y, n_repeats=3)
    assert Counted.fits == {0: 5, 1: 5, 2: 5, 3: 5}


@pytest.mark.usefixtures("unchecked")
def test_a_ledger_has_all_splits_of_looks_that_needed_no_fit(path):
    for _ in range(2):  # made, and then loaded
        grown = knn([5, 43], 1, alpha=0.01, ledger=path)
        grown.extend(X, y, until="decided", max_fits=40)
        assert grown.n_splits_ == 15
        assert ssc.compare(path).scores.n_splits == grown.n_splits_


@pytest.mark.usefixtures("unchecked")
def test_unseeded_further_splits_are_replayed_from_the_ledger(path):
    def grown():
        made = counted(path, cv=ms.KFold(5, shuffle=True)).fit(X, y)
        return made.extend(X, y, cv=ms.ShuffleSplit(3, test_size=0.2)).extend(X, y, n_repeats=1)

    first = grown()
    Counted.fits.clear()
    assert_same(grown(), first)
    assert not Counted.fits


def test_the_possibly_best_alone():
    grown = ssc.StatisticalGridSearchCV(
        Neighbours(), {"n_neighbors": [3, 5, 7, 47]}, cv=repeated(4),
    ).fit(X, y)  # fmt: skip
    members = grown.possibly_best_.index
    assert 1 < len(members) < 4
    left_out = [i for i in range(4) if i not in members]
    before = {name: np.array(values) for name, values in grown.cv_results_.items()}
    grown.extend(X, y, n_repeats=2, candidates="possibly_best")
    results = grown.cv_results_
    assert grown.n_splits_ == 30
    for k in range(20):
        name = f"split{k}_test_score"
        np.testing.assert_array_equal(results[name], before[name])
    for k in range(20, 30):
        assert np.isnan(results[f"split{k}_test_score"][left_out]).all()
        assert np.isfinite(results[f"split{k}_test_score"][members]).all()
    assert np.isnan(results["mean_test_score"][left_out]).all()
    assert results["n_splits_evaluated"][left_out].tolist() == [20] * len(left_out)
    assert set(grown.comparison_.ranking().index) == set(members)
    assert "left out of the last splits" in grown.comparison_.note
    assert grown.best_index_ in members
    # And so in whatever reads cv_results_ later.
    assert set(ssc.compare(grown).ranking().index) == set(members)
    # The rest stays out: of it there is no complete row.
    grown.extend(X, y, n_repeats=1, candidates="all")
    assert np.isnan(results["mean_test_score"][left_out]).all()
    assert set(grown.comparison_.ranking().index) == set(members)
    assert (
        pickle.loads(pickle.dumps(grown)).comparison_.ranking().equals(grown.comparison_.ranking())
    )


def test_a_rule_says_why_a_candidate_was_left_out():
    grown = ssc.StatisticalGridSearchCV(
        Neighbours(), {"n_neighbors": [3, 5, 7, 47]}, cv=repeated(4),
        refit=ssc.Simplest({"n_neighbors": "descending"}),
    ).fit(X, y)  # fmt: skip
    with pytest.warns(
        ssc.ComparisonWarning, match="Only 3 of 4 candidates ran on all these splits"
    ):
        grown.extend(X, y, n_repeats=2, candidates="possibly_best")
    why = grown.selection_report_["why"]
    assert why[3] == "left out of the last splits"


def test_an_extended_race_evaluates_its_survivors():
    numbers = {"n_neighbors": [1, 3, 5, 7, 9, 35, 45]}
    race = ssc.RacingGridSearchCV(Neighbours(), numbers, cv=repeated(4), random_state=0).fit(X, y)
    history, n_fits = race.race_history_, race.n_fits_
    survivors = set(race.comparison_.ranking().index)
    assert len(survivors) < 7
    race.extend(X, y, n_repeats=1)
    assert race.n_splits_ == 25
    assert set(race.comparison_.ranking().index) == survivors
    assert race.race_history_.equals(history)
    assert race.n_fits_ == n_fits + 5 * len(survivors)
    assert race.n_fits_full_ == 25 * 7
    assert "survivors of a race" in race.comparison_.note
    assert np.isfinite(race.cv_results_["elimination_pvalue"]).sum() == 7 - len(survivors)
    whole = ssc.StatisticalGridSearchCV(Neighbours(), numbers, cv=repeated(5)).fit(X, y)
    for i in survivors:
        assert race.cv_results_["mean_test_score"][i] == whole.cv_results_["mean_test_score"][i]


@pytest.mark.parametrize(
    ("cv", "params"),
    [
        (ms.KFold(4, shuffle=True, random_state=0), {}),
        (ms.KFold(4, shuffle=True), {}),
        (ms.StratifiedKFold(4, shuffle=True, random_state=np.random.RandomState(0)), {}),
        (ms.RepeatedKFold(n_splits=4, n_repeats=1), {}),
        (ms.ShuffleSplit(4, random_state=0), {}),
        (ms.GroupKFold(4, shuffle=True, random_state=0), {"groups": np.arange(60) % 12}),
    ],
)
def test_other_splitters_are_shuffled_with_new_seeds(cv, params):
    grown = counted(cv=cv).fit(X, y, **params)
    grown.extend(X, y, n_repeats=2, **params)
    assert grown.n_splits_ == 12
    assert len(set(grown._record.evaluated.split_keys)) == 12
    if not isinstance(cv, ms.ShuffleSplit):
        assert grown.comparison_.scores.design.repeat.tolist() == np.repeat([0, 1, 2], 4).tolist()


def test_repeats_of_splits_that_were_not_shuffled_warn():
    with pytest.warns(
        ssc.ComparisonWarning, match="were not shuffled, but its further repeats are"
    ):
        grown = counted(cv=4).fit(X, y).extend(X, y, n_repeats=2)
    assert grown.n_splits_ == 12
    grown.extend(X, y, n_repeats=1)  # one warning only


NOT_DRAWN = "`n_repeats` must come with a `cv` that draws splits"
ALL_THERE = "RepeatedKFold makes no further splits"


@pytest.mark.parametrize(
    ("cv", "n_samples", "expected"),
    [
        (ms.TimeSeriesSplit(3), 60, NOT_DRAWN),
        (ms.LeaveOneOut(), 60, NOT_DRAWN),
        (ms.PredefinedSplit(np.arange(60) % 3), 60, NOT_DRAWN),
        (list(ms.KFold(3).split(X)), 60, NOT_DRAWN),
        # Eight folds of eight samples, in whatever order.
        (ms.RepeatedKFold(n_splits=8, n_repeats=1, random_state=0), 8, ALL_THERE),
        (ms.RepeatedKFold(n_splits=8, n_repeats=1), 8, ALL_THERE),
    ],
)
def test_where_there_is_one_way_to_split_it_cannot_be_repeated(cv, n_samples, expected):
    data = X[:n_samples], y[:n_samples]
    grown = counted(cv=cv).fit(*data)
    with pytest.raises(ValueError, match=expected):
        grown.extend(*data, n_repeats=1)
    assert len(grown.n_test_) == grown.n_splits_


@pytest.mark.parametrize("further", [repeated(2), repeated(3), ms.KFold(3)])
def test_splits_that_are_there_already_are_refused(further):
    grown = counted(cv=[*repeated(2).split(X, y), *ms.KFold(3).split(X)]).fit(X, y)
    expected = dict(grown.cv_results_)
    with pytest.raises(
        ValueError, match="`cv` must not repeat splits that were already evaluated; "
    ):
        grown.extend(X, y, cv=further)
    assert grown.cv_results_ == expected  # as it was
    assert grown.n_splits_ == 13


@pytest.mark.parametrize(
    ("further", "mean"),
    [
        (ms.KFold(10, shuffle=True, random_state=0), "54"),  # 0.9 · 60 after 0.8 · 60 = 48
        (ms.KFold(3), "40"),
        (ms.ShuffleSplit(4, test_size=0.5, random_state=0), "30"),
        (ms.ShuffleSplit(4, train_size=0.2, test_size=0.2, random_state=0), "12"),
    ],
)
def test_splits_that_train_on_more_or_less_are_refused(further, mean, path):
    grown = counted(path, cv=repeated(1)).fit(X, y)
    before = dict(grown.cv_results_)
    message = (
        f"`cv` must make splits that train on as many samples .* 48 on average.*; got {mean}. "
    )
    with pytest.raises(ValueError, match=message + ".*the same number of folds"):
        grown.extend(X, y, cv=further)
    assert grown.cv_results_ == before  # as it was
    # Nor does the ledger know of them: the extension with others goes through.
    again = counted(path, cv=repeated(1)).fit(X, y)
    assert again.extend(X, y, n_repeats=1).n_splits_ == 10


def test_uneven_folds_and_groups_are_no_other_share_of_training_samples():
    def sizes(cv, n, groups=None):
        return SplitDesign.from_indices(list(cv.split(np.zeros(n), groups=groups)), n)

    # Ten folds of 103 train on 92 or 93 samples; on 92.7 on average whichever come first.
    uneven = sizes(ms.KFold(10), 103)
    assert set(uneven.n_train) == {92, 93}
    check_alike(uneven, sizes(ms.KFold(10, shuffle=True, random_state=0), 103))
    check_alike(uneven, sizes(ms.ShuffleSplit(5, test_size=0.1, random_state=0), 103))
    # Groups of 1 to 20 samples: folds differ, and still each sample is in k − 1 training sets.
    groups = np.repeat(np.arange(20), np.arange(1, 21))
    grouped = sizes(ms.GroupKFold(4), groups.size, groups)
    assert grouped.n_train.mean() == 0.75 * groups.size
    check_alike(grouped, sizes(ms.ShuffleSplit(5, test_size=0.25, random_state=0), groups.size))
    # Of two draws of a fifth of the groups the means may differ by more than 5 %, by chance; two
    # standard errors of the difference leave out about one pair in twenty.
    draws = [
        sizes(ms.GroupShuffleSplit(5, test_size=0.4, random_state=seed), groups.size, groups)
        for seed in range(30)
    ]
    refused = n_apart = 0
    for one, other in itertools.combinations(draws, 2):
        n_apart += other.n_train.mean() > 1.05 * one.n_train.mean()
        try:
            check_alike(one, other)
        except ValueError:
            refused += 1
    n_pairs = 30 * 29 // 2
    assert n_apart > 0.2 * n_pairs
    assert refused < 0.15 * n_pairs
    with pytest.raises(ValueError, match="train on as many samples"):
        check_alike(draws[0], sizes(ms.GroupKFold(2), groups.size, groups))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"X": X + 1}, "the data"),
        ({"y": y[::-1]}, "`y`"),
        ({"groups": y}, "`groups`"),
        ({"estimator": Counted(3)}, "`estimator`"),
        ({"scoring": "roc_auc"}, "`scoring`"),
    ],
)
def test_other_data_or_another_search_is_refused(change, expected):
    grown = counted().fit(X, y)
    data = {"X": X, "y": y} | {k: v for k, v in change.items() if k in ("X", "y", "groups")}
    grown.set_params(**{k: v for k, v in change.items() if k in ("estimator", "scoring")})
    with pytest.raises(ValueError, match=f"as `fit`; they differ in {expected}"):
        grown.extend(**data, n_repeats=1)
    assert grown.n_splits_ == 10


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "either `cv`, or `n_repeats`, `until` or both"),
        ({"cv": 3, "n_repeats": 1}, "either `cv`, or"),
        ({"cv": 3, "until": "decided"}, "either `cv`, or"),
        ({"n_repeats": 0}, "`n_repeats` must be a whole number ≥ 1; got 0"),
        ({"until": "bored"}, "`until` must be one of"),
        ({"until": "decided", "max_fits": 0}, "`max_fits` must be a whole number ≥ 1"),
        ({"n_repeats": 1, "max_fits": 9}, "`max_fits` must be None without `until`"),
        ({"n_repeats": 1, "candidates": "some"}, "`candidates` must be one of 'all', 'possibly"),
        ({"cv": []}, "No fits were performed"),
        ({"cv": [next(ms.KFold(3).split(X))] * 2}, "1 of its 2 are repeated"),
        # A misspelt option, before any fit.
        ({"until": "decided", "max_repeats": 4}, r"they differ in `max_repeats` \(nothing there"),
    ],
)
def test_bad_arguments_are_refused_and_change_nothing(arguments, expected):
    grown = counted().fit(X, y)
    before = dict(vars(grown))
    with pytest.raises(ValueError, match=expected):
        grown.extend(X, y, **arguments)
    assert vars(grown) == before


def test_a_fit_that_fails_leaves_the_search_as_it_was(monkeypatch):
    grown = counted().fit(X, y)
    before = dict(vars(grown))

    def stop(self, X, y):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Counted, "fit", stop)
        with pytest.raises(KeyboardInterrupt):
            grown.extend(X, y, n_repeats=1)
    assert vars(grown) == before
    assert grown.extend(X, y, n_repeats=1).n_splits_ == 15


def test_where_few_splits_exist_repeats_are_new_ones_as_long_as_there_are_any():
    groups = np.arange(60) % 6  # C(6, 2) = 15 ways to test on two of six groups
    cv = ms.GroupShuffleSplit(2, test_size=2, random_state=0)
    grown = counted(cv=cv).fit(X, y, groups=groups)
    for _ in range(4):
        grown.extend(X, y, n_repeats=1, groups=groups)
    assert len(set(grown._record.evaluated.split_keys)) == grown.n_splits_ == 10
    with pytest.raises(ValueError, match="`n_repeats` must not exceed the possible repeats"):
        grown.extend(X, y, n_repeats=9, groups=groups)
    assert grown.n_splits_ == 10


def test_until_decided_keeps_what_it_has_where_there_are_no_further_repeats():
    groups = np.arange(60) % 4
    cv = ms.GroupShuffleSplit(1, test_size=2, random_state=0)  # six ways
    grown = ssc.StatisticalGridSearchCV(
        Neighbours(), {"n_neighbors": [5, 29]}, cv=cv, rope=1e-4, refit=False
    ).fit(X, y, groups=groups).extend(X, y, n_repeats=1, groups=groups)  # fmt: skip
    grown.extend(X, y, until="decided", max_fits=20, groups=groups)
    assert grown.extension_stop_ == "exhausted"
    assert grown.n_splits_ == 6 == 2 + len(grown.extension_history_)


@pytest.mark.parametrize(
    "needs", [{"until": "decided"}, {"n_repeats": 1, "candidates": "possibly_best"}]
)
def test_nothing_can_be_decided_by_a_single_split(needs):
    grown = counted(cv=ms.ShuffleSplit(1, random_state=0)).fit(X, y)
    with pytest.raises(ValueError, match="must have their defaults after a fit on a single split"):
        grown.extend(X, y, **needs)
    assert grown.extend(X, y, n_repeats=1).n_splits_ == 2


@pytest.mark.parametrize(
    "form",
    ["csr", "coo", "Int64", "category"]
    + [pytest.param(form, marks=pytest.mark.slow) for form in ("csc", "string", "object")],
)
def test_the_same_data_are_known_again_after_use(form):
    if form in ("csr", "csc", "coo"):
        data = sparse.random(60, 5, 0.5, form, random_state=0)
        model = SVC(random_state=0)
    else:
        letters = pd.Series(list("abcdef") * 10, dtype="object")
        codes = letters.map(ord).astype("Int64")
        column = codes if form == "Int64" else letters.astype(form)
        data = pd.DataFrame({"a": column, "b": np.arange(60) % 2.0})
        model = make_pipeline(OrdinalEncoder(), SVC(random_state=0))
    grown = ssc.StatisticalGridSearchCV(model, {}, cv=repeated(1)).fit(data, y)
    grown.extend(data, y, n_repeats=1).extend(data.copy(), y.copy(), n_repeats=1)
    assert grown.n_splits_ == 15
    other = data.copy()
    others = [other]
    if form in ("csr", "csc", "coo"):
        other.data[0] += 1
    else:
        other["a"] = other["a"].to_numpy()[::-1]
        other["a"] = other["a"].astype(data["a"].dtype)
        others += [data.astype({"b": np.float32}), data[["b", "a"]], data.iloc[::-1]]
    for other in others:
        with pytest.raises(ValueError, match="they differ in the data"):
            grown.extend(other, y, n_repeats=1)


def test_two_metrics_without_a_refit_metric():
    grown = search(repeated(2), scoring=["accuracy", "roc_auc"], refit=False)
    grown.fit(X, y).extend(X, y, n_repeats=1)
    assert grown.n_splits_ == 15
    for needs_a_metric in ({"until": "decided"}, {"n_repeats": 1, "candidates": "possibly_best"}):
        with pytest.raises(ValueError, match=r"use `search.compare\(metric='accuracy'\)"):
            grown.extend(X, y, **needs_a_metric)


def knn(numbers, n_repeats, **arguments):
    return ssc.StatisticalGridSearchCV(
        Neighbours(), {"n_neighbors": numbers}, cv=repeated(n_repeats), **arguments
    ).fit(X, y)


def test_until_decided_stops_when_every_verdict_is_in():
    grown = knn([5, 43], 1, alpha=0.01)
    grown.extend(X, y, until="decided", max_fits=40)
    assert grown.extension_stop_ == "decided"
    history = grown.extension_history_
    assert history["undecided"].tolist()[-1] == 0
    assert (history["undecided"][:-1] > 0).all()
    assert history["n_splits"].tolist() == [5 * (2 + k) for k in range(len(history))]
    assert history["n_fits"].tolist() == [10 * (1 + k) for k in range(len(history))]
    assert grown.n_splits_ == history["n_splits"].iloc[-1]
    assert len(history) > 0
    assert_same(grown, knn([5, 43], 1 + len(history), alpha=grown.comparison_.alpha))
    n = len(history)
    note = grown.comparison_.note
    assert note.startswith(f"Extended by whole repeats, with {n} look")
    # True of every comparison that repeats it, by whatever metric and level.
    said = (
        " at the Neighbours.score: a single candidate could be the best. Each look is at alpha = "
    )
    assert said in note
    assert grown.compare(alpha=0.2, rope=0.1).note == note
    # Another such extension does not raise the level of a look, and owns to all looks together.
    level = grown.comparison_.alpha
    grown.extend(X, y, until="decided", max_fits=40)
    assert grown.comparison_.alpha < level
    assert "that there could be together keep 0.010" in grown.comparison_.note
    grown.extend(X, y, n_repeats=1)
    assert grown.comparison_.note.startswith("Splits were added after the last look. Each look")


@pytest.mark.parametrize("n_repeats", [15, pytest.param(200, marks=pytest.mark.slow)])
def test_what_is_out_of_reach_stays_undecided_after_many_repeats(n_repeats):
    """The floor, checked: 3 or 40 times the repeats that it judged from, and still undecided."""
    grown = knn([3, 7], 5)
    assert grown.extend(X, y, until="decided").extension_stop_ == "floor"
    assert "by these scores no number of repeats would change that" in grown.comparison_.note
    many = knn([3, 7], n_repeats)
    assert many.pairwise_frequentist_["verdict"].tolist() == ["undecided"]
    several = knn([3, 5, 7], 2).extend(X, y, until="decided", max_fits=300)
    assert several.extension_stop_ == "floor"


def test_until_decided_stops_at_max_fits():
    grown = knn([5, 43], 1, alpha=0.001)
    apart = knn([5, 43], 1, alpha=0.0003)
    apart.extend(X, y, until="decided", n_repeats=2, max_fits=60)
    assert apart.extension_history_["n_splits"].tolist() == [15, 25, 35]  # looks 2 repeats apart
    with pytest.raises(ValueError, match="allow for 1 repeat, which takes 10 fits; got 9"):
        grown.extend(X, y, until="decided", max_fits=9)
    grown.extend(X, y, until="decided", max_fits=19)
    assert grown.extension_stop_ == "max_fits"
    assert grown.n_splits_ == 10
    assert "until `max_fits`" in grown.comparison_.note
    by_default = knn([5, 43], 1, alpha=0.001).extend(X, y, until="decided")
    assert by_default.n_splits_ == 10  # as many fits as there were


def test_five_splits_are_too_few_to_give_up():
    """After 5 splits the rest looks useless, after 15 it is decided."""
    grown = knn([5, 45], 1, alpha=0.01).extend(X, y, until="decided", max_fits=100)
    assert grown.extension_stop_ == "decided"
    assert grown.extension_history_["out_of_reach"].tolist()[-1] == 0


def test_what_is_decided_already_is_not_extended():
    grown = knn([5, 45], 4)
    before = dict(grown.cv_results_)
    grown.extend(X, y, until="decided")
    assert grown.extension_stop_ == "decided"
    assert len(grown.extension_history_) == 0
    assert grown.cv_results_ == before
    assert "Not extended" in grown.comparison_.note
    assert not grown.fit(X, y).comparison_.note  # a new fit forgets the extension


def test_a_cv_that_was_changed_must_train_on_as_many_samples():
    folds = ms.KFold(3, shuffle=True, random_state=0)
    search = ssc.StatisticalGridSearchCV(Votes(), {"gamma": [0.1, 1.0]}, cv=folds).fit(X, y)
    search.set_params(cv=ms.KFold(10, shuffle=True, random_state=0))
    with pytest.raises(ValueError, match="train on as many samples as those so far"):
        search.extend(X, y, n_repeats=1)


@pytest.mark.filterwarnings("ignore:The splits of this search were not shuffled")
@pytest.mark.parametrize("has_ledger", [False, True])
@pytest.mark.parametrize("name", ["groups", "sample_weight"])
def test_an_argument_of_none_is_not_given(name, has_ledger, tmp_path):
    ledger = tmp_path / "l.sqlite" if has_ledger else None
    search = ssc.StatisticalGridSearchCV(Votes(), GRID, cv=10, ledger=ledger)
    for first, second in (({name: None}, {}), ({}, {name: None})):
        search.fit(X, y, **first)
        assert search.extend(X, y, n_repeats=1, **second).n_splits_ == 20
    if has_ledger:
        assert search.fit(X, y).n_reused_ == search.fit(X, y, **{name: None}).n_reused_ > 0
