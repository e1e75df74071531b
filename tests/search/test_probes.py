"""Probes: a second repeat of a few candidates measures the instability for all of them."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare.stats import SampleTTest

X, y = make_classification(120, n_features=6, flip_y=0.2, random_state=0)
DEPTHS = [1, 2, 3, 5, None]


SHUFFLED = StratifiedKFold(5, shuffle=True, random_state=0)
TENS = RepeatedStratifiedKFold(n_splits=10, n_repeats=1, random_state=0)


def searched(search=ssc.StatisticalGridSearchCV, **options):
    options = {"cv": 5, "test": "samples", "scoring": "accuracy", **options}
    return search(DecisionTreeClassifier(random_state=0), {"max_depth": DEPTHS}, **options)


def measured(search, metric=None):
    return search.compare(metric=metric).scores.samples.measured


def results_of(search):
    return {
        name: np.ma.getdata(column)
        for name, column in search.cv_results_.items()
        if not name.endswith("_time")
    }


def test_probes_leave_the_results_and_the_candidates_as_they_were():
    search = searched().fit(X, y)
    before, best = results_of(search), search.best_estimator_
    n_kept = search.cv_results_["mean_fit_time"].copy()
    assert search.extend(X, y, n_repeats=1, candidates=3) is search
    assert results_of(search).keys() == before.keys()
    for name, column in results_of(search).items():
        np.testing.assert_array_equal(column, before[name])
    np.testing.assert_array_equal(search.cv_results_["mean_fit_time"], n_kept)
    assert search.n_splits_ == 5
    assert search.best_estimator_ is best
    assert search.refit is True
    assert len(search.comparison_.scores.means) == len(DEPTHS)
    assert (measured(search).n_candidates, measured(search).n_fits) == (3, 15)
    said = f"instability {measured(search).ratio:.2g}, measured by 15 further fits"
    assert said in " ".join(str(search.comparison_).split())


def test_all_candidates_as_probes_measure_what_a_second_repeat_of_all_does():
    probed = searched(cv=SHUFFLED).fit(X, y)
    probed.extend(X, y, n_repeats=1, candidates=len(DEPTHS))
    full = searched(cv=SHUFFLED).fit(X, y).extend(X, y, n_repeats=1)
    values = full.comparison_.scores.samples.values.astype(float)
    assert values.shape[1] == 2
    pairs = [values[i] - values[j] for i in range(len(values)) for j in range(i)]
    refits = sum(d.var(axis=0, ddof=1).mean() for d in pairs)
    spread = sum(d.var(axis=1, ddof=1).mean() for d in pairs)
    assert measured(probed).pooled == pytest.approx(refits / spread, rel=1e-12)
    assert measured(full) is None


def test_a_number_probes_the_best_and_a_list_those_it_names():
    search = searched().fit(X, y)
    ranked = search.comparison_.scores.order[:2]
    by_number = measured(search.extend(X, y, n_repeats=1, candidates=2))
    by_index = measured(search.extend(X, y, n_repeats=1, candidates=[int(i) for i in ranked]))
    assert by_number == by_index
    named = measured(search.extend(X, y, n_repeats=1, candidates=["1", 4]))
    assert named == measured(search.extend(X, y, n_repeats=1, candidates=[4, 0]))
    assert named != by_number


def test_more_probes_than_candidates_are_all_of_them():
    search = searched().fit(X, y).extend(X, y, n_repeats=2, candidates=50)
    assert (measured(search).n_candidates, measured(search).n_fits) == (5, 50)


def test_every_metric_is_measured_and_pickles_keep_it():
    scoring = ["accuracy", "neg_log_loss", "balanced_accuracy"]
    search = searched(scoring=scoring, refit="accuracy").fit(X, y)
    search.extend(X, y, n_repeats=1, candidates=3)
    again = pickle.loads(pickle.dumps(search))
    for metric in scoring:
        assert measured(again, metric) == measured(search, metric) is not None
    assert measured(search, "accuracy") != measured(search, "neg_log_loss")


def test_a_fit_and_an_extension_of_all_forget_the_probes():
    search = searched(cv=SHUFFLED).fit(X, y)
    search.extend(X, y, n_repeats=1, candidates=3)
    assert measured(search) is not None
    assert measured(search.fit(X, y)) is None
    search.extend(X, y, n_repeats=1, candidates=3).extend(X, y, n_repeats=1)
    assert search.n_splits_ == 10
    assert measured(search) is None
    with pytest.raises(ValueError, match="a fit of several repeats, which measure the instability"):
        search.extend(X, y, n_repeats=1, candidates=3)


def test_fit_measures_at_its_end_if_the_test_asks_for_it():
    test = SampleTTest(instability="measured")
    search = searched(test=test).fit(X, y)
    assert measured(search).n_fits == 15
    by_hand = searched().fit(X, y).extend(X, y, n_repeats=1, candidates=3)
    assert measured(search) == measured(by_hand)
    # Two repeats measure the instability of every pair themselves.
    twice = searched(test=test, cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0))
    assert measured(twice.fit(X, y)) is None


def test_fit_warns_where_the_instability_cannot_be_measured():
    splits = list(StratifiedKFold(5).split(X, y))  # these draw no further repeats
    search = searched(test=SampleTTest(instability="measured"), cv=splits)
    with pytest.warns(ssc.ComparisonWarning, match="was not measured, and is assumed: `n_repeats`"):
        search.fit(X, y)
    assert measured(search) is None
    assert search.n_splits_ == 5


def test_probes_in_a_ledger_are_not_repeated_and_its_readers_find_all_candidates(path, capsys):
    options = {"ledger": path, "cv": SHUFFLED, "verbose": 1}
    first = searched(**options).fit(X, y).extend(X, y, n_repeats=1, candidates=3)
    status = ssc.Ledger(path).status()
    assert (status.finished, status.n_done, status.n_fits) == (True, 25, 25)
    capsys.readouterr()
    again = searched(**options).fit(X, y).extend(X, y, n_repeats=1, candidates=3)
    said = capsys.readouterr().out
    assert "25 of 25 fits are done already" in said
    assert "15 of 15 fits are done already" in said
    assert measured(again) == measured(first)
    again.extend(X, y, n_repeats=1)
    assert "15 of 25 fits are done already" in capsys.readouterr().out
    whole = searched(cv=SHUFFLED).fit(X, y).extend(X, y, n_repeats=1)
    np.testing.assert_array_equal(
        again.cv_results_["mean_test_score"], whole.cv_results_["mean_test_score"]
    )
    assert ssc.Ledger(path).status().n_fits == 50


def test_survivors_of_a_race_are_probed():
    options = {"cv": TENS, "random_state": 0, "eliminate": "inferiority"}
    search = searched(ssc.RacingGridSearchCV, **options).fit(X, y)
    n_fits = search.n_fits_
    search.extend(X, y, n_repeats=1, candidates=2)
    assert measured(search).n_fits == 20
    assert search.n_fits_ == n_fits + 20
    assert len(search.comparison_.scores.means) >= 2


def test_a_race_with_one_survivor_has_nothing_to_measure():
    test = SampleTTest(instability="measured")
    search = searched(ssc.RacingGridSearchCV, cv=TENS, random_state=0, test=test).fit(X, y)
    assert len(search.comparison_.scores.means) == 1
    assert measured(search) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"candidates": 3}, "`n_repeats` must be given, without `cv` and `until`"),
        ({"candidates": 3, "n_repeats": 1, "until": "decided"}, "without `cv` and `until`"),
        ({"candidates": 3, "cv": 5}, "without `cv` and `until`"),
        ({"candidates": 1, "n_repeats": 1}, "`candidates` must be a whole number ≥ 2; got 1"),
        ({"candidates": [2], "n_repeats": 1}, "`candidates` must name at least two"),
        ({"candidates": [0, "7"], "n_repeats": 1}, "must be a candidate's index"),
    ],
)
def test_wrong_probes_raise(options, message):
    search = searched().fit(X, y)
    with pytest.raises(ValueError, match=message):
        search.extend(X, y, **options)


def test_probes_need_values_of_samples_of_folds():
    search = searched(test="corrected_t", return_predictions=False).fit(X, y)
    with pytest.raises(ValueError, match='`test` "samples" needs the predictions'):
        search.extend(X, y, n_repeats=1, candidates=3)
    kept = searched(test="corrected_t", return_predictions=True).fit(X, y)
    kept.extend(X, y, n_repeats=1, candidates=3)
    assert kept.compare(test="samples").scores.samples.measured.n_fits == 15
    drawn = searched(
        test="corrected_t", return_predictions=True, cv=ShuffleSplit(5, random_state=0)
    )
    with pytest.raises(ValueError, match="shuffle splits"):
        drawn.fit(X, y).extend(X, y, n_repeats=1, candidates=3)


@pytest.mark.filterwarnings("ignore:There are only 5 splits")
def test_what_probes_measured_is_used_wherever_samples_decide():
    # Of a search that tests by splits, whose values of samples are kept by default.
    search = searched(test="corrected_t", cv=SHUFFLED)
    assumed = search.fit(X, y).recommend().candidates["at_most"]
    search.extend(X, y, n_repeats=1, candidates=3)
    comparison = search.comparison_
    by_samples = search.compare(test="samples")
    assert by_samples.scores.samples.measured.ratio != 0.5
    found = search.recommend().candidates["at_most"]
    np.testing.assert_array_equal(found, by_samples.recommend().candidates["at_most"])
    assert (found > assumed).any()
    again = comparison.with_settings(test="samples")
    np.testing.assert_array_equal(again.against()["std_err"], by_samples.against()["std_err"])
    assert "does not show" not in by_samples.next_step()


def test_the_first_analysis_of_an_extension_uses_what_probes_measured():
    search = searched(cv=SHUFFLED).fit(X, y)
    search.extend(X, y, n_repeats=1, candidates=3)
    design, record = search.comparison_.scores.design, search._fit_record
    scores = record.scores(record.evaluated.ledger, design, list(range(len(DEPTHS))), "score")
    test = SampleTTest(instability=measured(search).ratio)
    found, expected = (one.all_pairs(scores).std_err for one in (SampleTTest(), test))
    np.testing.assert_array_equal(found, expected)


def test_a_rule_cannot_choose_before_the_instability_is_measured():
    rule = ssc.Simplest(within=None)
    search = searched(test=SampleTTest(instability="measured"), refit=rule)
    with pytest.raises(ValueError, match=r"`refit` must not be a rule .* comparison_\.choose"):
        search.fit(X, y)
    assert not hasattr(search, "cv_results_")


def test_the_advice_by_another_metric_names_the_best_three_by_that_metric():
    # extend(candidates=3) takes the best three by the metric of `refit`.
    X_four = load_breast_cancer().data[:, :4]
    search = ssc.StatisticalGridSearchCV(
        LogisticRegression(max_iter=500),
        {"C": [1e-7, 1e-6, 1e-5, 0.001, 0.01, 0.1, 1]},
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
        scoring=["accuracy", "neg_log_loss"],
        refit="accuracy",
        test="samples",
    ).fit(X_four, load_breast_cancer().target)
    assert search.compare(metric="neg_log_loss").ranking().index[:3].tolist() == [6, 5, 4]
    assert "candidates=[4, 5, 6])" in search.compare(metric="neg_log_loss").next_step()
