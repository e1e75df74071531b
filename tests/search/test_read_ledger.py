"""compare() reads the ledger of a search that has ended, was stopped, or runs."""

import time

import numpy as np
import pandas as pd
import pytest
from counted import Stops
from quick import Votes
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold, ShuffleSplit
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    Ledger,
    RacingGridSearchCV,
    Simplest,
    StatisticalGridSearchCV,
    compare,
)
from sklearn_stats_compare.search.ledger import _saving
from sklearn_stats_compare.search.ledger._file import LedgerFile

X, y = make_moons(noise=0.352, random_state=1, n_samples=103)  # folds are uneven
CV = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
GRID = {"gamma": [0.1, 1.0, 10.0], "power": [1, 2]}
CV_SIZES = {len(test) for _, test in CV.split(X, y)}


def stopped(search, n_fits):
    Stops.n_left = n_fits
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    return Ledger(search.ledger).status()


def assert_same_tables(found, expected):
    for table in ("ranking", "frequentist", "bayesian"):
        pd.testing.assert_frame_equal(
            getattr(found, table)(), getattr(expected, table)(), check_exact=True
        )


@pytest.mark.parametrize(
    ("scoring", "cv"),
    [
        (None, CV),
        ("roc_auc", ShuffleSplit(12, test_size=0.2)),
        (["accuracy", "roc_auc"], RepeatedKFold(n_splits=2)),
    ],
)
def test_of_a_whole_search_it_is_its_comparison(scoring, cv, path):
    refit = "roc_auc" if isinstance(scoring, list) else True
    grid = {"gamma": [0.1, 1.0, 10.0]}
    search = StatisticalGridSearchCV(
        Votes(), grid, scoring=scoring, refit=refit, cv=cv, ledger=path, p_adjust="holm"
    ).fit(X, y)
    found = compare(path)  # by the metric and the settings of the search
    assert_same_tables(found, search.comparison_)
    assert found._naming == search.comparison_._naming
    assert found.metric == search.comparison_.metric  # "accuracy" where `scoring` is None
    assert list(found.params) == search.cv_results_["params"]
    for name in ("n_train", "n_test", "repeat", "complementary_halves", "n_samples"):
        np.testing.assert_array_equal(
            getattr(found.scores.design, name), getattr(search.comparison_.scores.design, name)
        )
    assert found.note == (
        "These are the scores in the ledger 'search.sqlite' of a search that is finished. Where "
        "the call gives no others, settings are the search's: p_adjust='holm'."
    )
    assert compare(path, p_adjust=None)._settings.p_adjust is None
    assert compare(path, p_adjust="bonferroni")._settings.p_adjust == "bonferroni"
    if isinstance(scoring, list):
        assert compare(path, metric="accuracy").metric == "accuracy"


def test_of_a_stopped_search_the_candidates_that_are_done(path):
    search = StatisticalGridSearchCV(Stops(), GRID, cv=CV, ledger=str(path))
    status = stopped(search, 4 * 20 + 10)  # 4 of 6 candidates, and a part
    n = status.n_done // 20
    assert 2 <= n < 6
    found = compare(path)
    assert list(found._candidates) == list(range(n))
    done = f"{status.n_done} of its 120 fits are done"
    assert f"{done}: compared are {n} of 6 candidates on 20 of 20 splits" in found.note
    assert f"Of the other {6 - n} candidate" in found.note
    assert found._n_entered == 6
    # The same numbers as of the whole search: what is done is not done again.
    Stops.n_left = 10**6
    whole = search.fit(X, y).comparison_
    np.testing.assert_array_equal(found.scores.values, whole.scores.values[:n])
    assert list(found.labels) == list(whole.labels[:n])
    assert_same_tables(compare(path), whole)


def test_of_a_stopped_extension_and_race_the_largest_block(tmp_path):
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=1, random_state=0)
    ledger = tmp_path / "extended.sqlite"
    extended = StatisticalGridSearchCV(Stops(), GRID, cv=cv, ledger=ledger)
    Stops.n_left = 10**6
    before = extended.fit(X, y).comparison_
    Stops.n_left = 15  # one candidate and a half on the second repeat
    with pytest.raises(KeyboardInterrupt):
        extended.extend(X, y, n_repeats=1)
    found = compare(extended.ledger)
    assert_same_tables(found, before)
    assert found.scores.design.splits_per_repeat == 10
    assert "compared are 6 of 6 candidates on 10 of 20 splits" in found.note

    alike = {"gamma": [0.1, 0.101, 0.102, 0.103, 0.104, 0.105]}  # nobody is dropped
    race = RacingGridSearchCV(
        Stops(), alike, cv=CV, interim="splits", random_state=0, ledger=tmp_path / "race.sqlite",
    )  # fmt: skip
    stopped(race, 6 * 14)  # two times five splits, and a part of the next five
    found = compare(race.ledger)
    # The order is that of a simple random sample of all splits.
    assert found.scores.values.shape == (6, 14)
    first = np.sort(np.random.RandomState(0).permutation(20)[:14])
    np.testing.assert_array_equal(
        found.scores.design.n_test, [len(list(CV.split(X, y))[k][1]) for k in first]
    )
    assert set(found.scores.design.n_test.tolist()) == CV_SIZES


def test_of_a_whole_race_its_survivors(path):
    grid = {"gamma": [1e-7, 1e-6, 1e-5, 10.0, 12.0], "power": [2]}
    race = RacingGridSearchCV(
        Votes(), grid, cv=CV, interim="splits", random_state=0, ledger=path
    ).fit(X, y)
    found = compare(race.ledger)
    assert 1 < found.scores.n_candidates < 5
    assert_same_tables(found, race.comparison_)
    assert list(found.labels) == list(race.comparison_.labels)


def test_where_nothing_is_complete_it_says_how_far_the_search_is(path):
    search = StatisticalGridSearchCV(Stops(), GRID, cv=CV, ledger=path)
    stopped(search, 15)  # of the first candidate only
    with pytest.raises(
        ValueError,
        # Nothing before it: the file is whole, and its fits must not be thrown away.
        match=r"^`obj` must hold scores of two candidates on the same split; in the ledger "
        r"'search.sqlite', of a search that "
        r"is stopped, \d+ of 120 fits are done \(6 candidates × 20 splits\)\.$",
    ):
        compare(path)


def test_failed_fits_are_missing(path):
    search = StatisticalGridSearchCV(Votes(), {"gamma": [-1, 0.1, 1.0]}, cv=CV, ledger=path)
    with pytest.warns(Warning, match="fits failed|non-finite"):
        search.fit(X, y)
    found = compare(search.ledger)
    assert_same_tables(found, search.comparison_)
    assert found.scores.missing.tolist() == [True, False, False]


def test_while_the_search_runs_and_of_several_data_sets(path):
    notes = []

    class Looks(Votes):
        def fit(self, X, y):
            if self.gamma == 10 and not notes:
                while Ledger(path).status().n_done < 40:  # another thread saves, each half second
                    time.sleep(0.01)
                notes.append(compare(path).note)
            return super().fit(X, y)

    search = StatisticalGridSearchCV(Looks(), {"gamma": [0.1, 1, 10]}, cv=CV, ledger=path)
    search.fit(X, y)
    assert "a search that is running" in notes[0]
    assert "compared are 2 of 3 candidates" in notes[0]
    search.fit(X[:-1], y[:-1])
    found = compare(path)
    assert "finished, the last of 2 data sets" in found.note
    assert_same_tables(found, search.comparison_)


def test_estimators_as_parameters_are_named_and_sizes_can_be_given(path):
    grid = {"model": [Votes(), DecisionTreeClassifier(random_state=0)]}
    search = StatisticalGridSearchCV(Pipeline([("model", Votes())]), grid, cv=CV, ledger=path).fit(
        X, y
    )
    found = compare(path)
    assert list(found.labels) == list(search.comparison_.labels)
    assert found.params[1] == {"model": "DecisionTreeClassifier(random_state=0)"}
    ratio = compare(path, test_train_ratio=0.5, labels=["a", "b"])
    assert ratio.scores.design.test_train_ratio == 0.5
    assert list(ratio.labels) == ["a", "b"]


def test_a_ledger_of_an_earlier_version_needs_the_sizes(path, monkeypatch):
    add = LedgerFile._add

    def as_before(file, entries):
        kept = ("told", "design")
        return add(file, [(k, {n: v for n, v in b.items() if n not in kept}) for k, b in entries])

    monkeypatch.setattr(LedgerFile, "_add", as_before)
    search = StatisticalGridSearchCV(Votes(), GRID, cv=CV, ledger=path).fit(X, y)
    with pytest.raises(ValueError, match="`test_train_ratio` must be given"):
        compare(path)
    found = compare(path, n_train=search.n_train_, n_test=search.n_test_)
    assert "does not say the settings of its search: the usual ones stand" in found.note
    assert list(found.labels) == list("012345")
    np.testing.assert_array_equal(
        found.ranking()["std_err"], search.comparison_.ranking()["std_err"]
    )


@pytest.fixture
def told_as(path, monkeypatch):
    """A ledger of a search whose description of itself was changed."""
    describe = _saving.search_description

    def fitted(**changes):
        def changed(*given):
            told = describe(*given) | changes
            return {name: value for name, value in told.items() if value is not None}

        path.unlink(missing_ok=True)
        with monkeypatch.context() as patched:
            patched.setattr(_saving, "search_description", changed)
            StatisticalGridSearchCV(Votes(), {"gamma": [0.1, 1.0]}, cv=10, ledger=path).fit(X, y)
        return path

    return fitted


def test_a_metric_that_was_not_given_has_no_name(told_as):
    untold = told_as(metric=None)
    assert compare(untold).metric == "score"
    assert Ledger(untold).status().finished


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"metric": 3}, "metric in another form than a search writes"),
        ({"settings": ["rope"]}, "settings in another form than a search writes"),
        ({"settings": {"rm": 1}}, r"settings among alternative, .*; got 'rm'"),
        ({"settings": {"alpha": "rm"}}, "`alpha` must be"),
    ],
)
def test_what_a_stranger_wrote_of_a_search_is_refused(changes, expected, told_as):
    crafted = told_as(**changes)
    with pytest.raises(ValueError, match=expected):
        compare(crafted)


def test_settings_are_those_of_the_last_start_and_defaults_are_not_shown(path):
    search = StatisticalGridSearchCV(
        Votes(), {"gamma": [0.1, 1.0]}, cv=CV, ledger=path, rope=(-0.02, 0.03), alpha=0.1,
        alternative="two-sided", p_adjust=None, test="uncorrected_t",
    ).fit(X, y)  # fmt: skip
    found = compare(path)
    assert found._settings == search.comparison_._settings
    assert "p_adjust=None, rope=[-0.02, 0.03], alpha=0.1, test='uncorrected_t'." in found.note
    search.set_params(rope="1%").fit(X, y)
    assert compare(path).rope == "1%"
    assert compare(path, rope=0.01).rope == 0.01  # the same as the usual one, but given
    StatisticalGridSearchCV(Votes(), {"gamma": [0.1, 1.0]}, cv=CV, ledger=path).fit(X, y)
    assert compare(path).note.endswith("a search that is finished.")


def test_a_test_that_needs_predictions_is_named_and_not_made(path):
    StatisticalGridSearchCV(
        Votes(), {"gamma": [0.1, 1.0]}, cv=RepeatedKFold(n_splits=10, n_repeats=1, random_state=0),
        ledger=path, test="samples",
    ).fit(X, y)  # fmt: skip
    found = compare(path)
    assert found._settings.test.name == "corrected_t"
    assert "The test of the search, samples, needs more than the file has" in found.note


@pytest.mark.parametrize("refit", [Simplest("gamma", metric="roc_auc"), False])
def test_of_several_metrics_the_one_of_refit_is_the_default(refit, path):
    StatisticalGridSearchCV(
        Votes(), {"gamma": [0.1, 1.0]}, scoring=["accuracy", "roc_auc"], cv=CV, ledger=path,
        refit=refit,
    ).fit(X, y)  # fmt: skip
    if refit:
        assert compare(path).metric == "roc_auc"
    else:
        with pytest.raises(ValueError, match="`metric` must be one of"):
            compare(path)


def test_what_is_no_ledger_is_not_read_as_one(tmp_path):
    with pytest.raises(FileNotFoundError):
        compare(tmp_path / "nowhere.sqlite")
    (tmp_path / "text.csv").write_text("{}")
    with pytest.raises(ValueError, match="must be the path of a CSV file"):
        compare(tmp_path / "text.csv")


def test_a_ledger_is_a_value_that_clones_compares_and_is_read(path):
    ledger = Ledger(path, retry_failed=False)
    search = StatisticalGridSearchCV(Votes(), {"gamma": [0.1, 1]}, cv=CV, ledger=ledger)
    assert clone(search).ledger == ledger != Ledger(path)
    search.fit(X, y)
    assert_same_tables(compare(ledger), compare(path))
    assert clone(search).set_params(ledger=str(path)).fit(X, y).n_reused_ == 40  # 2 × 20 fits
    with pytest.raises(TypeError, match="`path` must be the path of a ledger; got 3"):
        Ledger(3)
    with pytest.raises(ValueError, match="`strict` must be True or False; got 'no'"):
        Ledger(path, strict="no")


class OfSizes(ClassifierMixin, BaseEstimator):
    """A model whose parameters are sequences and mappings."""

    def __init__(self, sizes=(1,), weight=None):
        self.sizes = sizes
        self.weight = weight

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.where(np.arange(len(X)) % 7 == 0, 0, (X[:, 0] > 0).astype(int))


@pytest.mark.parametrize(
    "sizes", [[(100,), (10,), (5,)], [[128], [16], [4]], [(100, 100), (16, 16), (8, 8)]]
)
def test_rules_read_sequences_of_a_ledger_as_the_search_does(sizes, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] + rng.normal(size=200) > 0).astype(int)
    grid = {"sizes": sizes, "weight": [{0: 1, 1: 3}]}
    path = tmp_path / "search.sqlite"
    search = StatisticalGridSearchCV(OfSizes(), grid, cv=10, ledger=path).fit(X, y)
    read = compare(path)
    assert [own["sizes"] for own in read.params] == sizes
    by_function = Simplest(lambda own: own["weight"][1] * sum(own["sizes"]), 0.2)
    for rule in (Simplest("sizes", 0.2), by_function):
        assert read.choose(rule).params == search.comparison_.choose(rule).params
        assert read.choose(rule).params["sizes"] == sizes[-1]
