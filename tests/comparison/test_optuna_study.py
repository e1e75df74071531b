"""Studies in the form of Optuna's; tests/interop/test_studies.py reads real ones."""

from types import SimpleNamespace

import numpy as np
import pytest

from sklearn_stats_compare import compare

SCORES = np.random.default_rng(0).normal(0.8, 0.05, size=(4, 10)).round(3)
RATIO = {"test_train_ratio": 1 / 9}


class Study:
    """With what Optuna 5.0's Study has of this."""

    def __init__(self, trials, directions=("MAXIMIZE",), sampler="TPESampler", metric_names=None):
        self.trials, self.metric_names = trials, metric_names
        self.directions = [SimpleNamespace(name=name) for name in directions]
        self.sampler = type(sampler, (), {})()


Study.__module__ = "optuna.study.study"


def trial(number, state="COMPLETE", value=None, params=None, attributes=None, steps=None):
    kept = {"user_attrs": attributes or {}, "intermediate_values": steps or {}}
    params = {"C": number} if params is None else params
    state = SimpleNamespace(name=state)
    return SimpleNamespace(number=number, state=state, value=value, params=params, **kept)


def attributes(row, metric="score"):
    return {f"split{k}_test_{metric}": value for k, value in enumerate(row)}


def steps(row):
    return dict(enumerate(row))


def with_attributes(rows, value=np.mean, sign=1, **given):
    rows = enumerate(np.asarray(rows))
    return [trial(k, value=value(row), attributes=attributes(sign * row), **given)
            for k, row in rows]  # fmt: skip


def by_attributes(value=np.mean, sign=1, **study):
    return Study(with_attributes(SCORES, value, sign), **study)


def by_steps(value=np.mean, **study):
    trials = [trial(k, value=value(row), steps=steps(row)) for k, row in enumerate(SCORES)]
    return Study(trials, **study)


@pytest.mark.parametrize("form", [by_attributes, by_steps])
def test_scores_labels_and_metric(form):
    found = compare(form(metric_names=["roc_auc"]), **RATIO)
    np.testing.assert_array_equal(found.scores.values, SCORES)
    assert list(found.params) == [{"C": k} for k in range(4)]
    assert found.metric == "roc_auc"
    assert compare(form(metric_names=["roc_auc"]), metric="roc_auc", **RATIO).metric == "roc_auc"
    with pytest.raises(ValueError, match=r"`metric` must be one of .*got 'accuracy'"):
        compare(form(metric_names=["roc_auc"]), metric="accuracy", **RATIO)


@pytest.mark.parametrize("direction", ["MAXIMIZE", "MINIMIZE"])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_objective_shows_whether_higher_scores_are_better(direction, sign):
    """Scores may be stored with the sign of the objective, or with the other one."""
    study = by_attributes(sign=sign, directions=[direction])
    better = sign if direction == "MAXIMIZE" else -sign
    found = compare(study, **RATIO)
    np.testing.assert_array_equal(found.scores.values, better * sign * SCORES)
    assert found.metric == ("score" if better > 0 else "neg_score")


def test_scores_in_a_tiny_unit_have_the_direction_of_the_objective():
    trials = [
        trial(k, value=-row.mean() * 1e-12, attributes=attributes(row * 1e-12))
        for k, row in enumerate(SCORES)
    ]
    found = compare(Study(trials, directions=["MINIMIZE"]), **RATIO)
    np.testing.assert_array_equal(found.scores.values, SCORES * 1e-12)


def test_steps_have_the_direction_of_the_objective():
    # Minus the mean of scores is minimized: higher scores are better.
    trials = [trial(k, value=-row.mean(), steps=steps(row)) for k, row in enumerate(SCORES)]
    n = SCORES.shape[1]
    found = compare(Study(trials, directions=["MINIMIZE"]), n_train=[11] * n, n_test=[1] * n)
    np.testing.assert_array_equal(found.scores.values, SCORES)


def test_where_the_objective_does_not_show_it_maximized_scores_are_taken_as_they_are():
    found = compare(by_attributes(np.median), **RATIO)
    np.testing.assert_array_equal(found.scores.values, SCORES)
    assert "Higher score is assumed to be better" in found.note
    with pytest.raises(ValueError, match="must show whether higher or lower scores are better"):
        compare(by_attributes(np.median, directions=["MINIMIZE"]), **RATIO)


def test_steps_that_an_objective_minimizes_are_negated():
    found = compare(by_steps(directions=["MINIMIZE"]), **RATIO)
    np.testing.assert_array_equal(found.scores.values, -SCORES)
    assert "Lower scores are better in the study" in found.note


def test_one_of_several_metrics_must_be_named():
    trials = [
        trial(k, value=row.mean(), attributes={**attributes(row, "f1"), **attributes(row**2, "r2")})
        for k, row in enumerate(SCORES)
    ]
    with pytest.raises(ValueError, match="`metric` must be one of f1, r2"):
        compare(Study(trials), **RATIO)
    by_r2 = compare(Study(trials), metric="r2", **RATIO)
    np.testing.assert_array_equal(by_r2.scores.values, SCORES**2)
    assert compare(Study(trials, metric_names=["f1"]), **RATIO).metric == "f1"


def test_parameters_drawn_twice_get_unique_labels():
    trials = with_attributes([SCORES[0]] * 3, params={"C": 1})
    assert compare(Study(trials), **RATIO).labels == ("C=1 #0", "C=1 #1", "C=1 #2")


def test_equal_trials_with_other_scores_are_refused():
    rows = [[0.965, 0.9, 0.95], [0.965, 0.92, 0.94], [0.982, 0.93, 0.9]]
    trials = with_attributes(rows, params={"C": 1})
    with pytest.raises(ValueError, match=r"trials 0 and 1 have .* 0.9 and 0.92 in split 1"):
        compare(Study(trials), test_train_ratio=0.5)


def test_pruned_failed_and_running_trials():
    trials = by_steps().trials
    trials += [trial(4, "PRUNED", steps={0: 0.1}), trial(5, "FAIL", params={}), trial(6, "RUNNING")]
    found = compare(Study(trials), **RATIO)
    assert found.scores.missing.tolist() == [False] * 4 + [True] * 2
    assert "a pruner stopped 1 of 6 trials, which are missing here" in found.note
    ending = "Trials that failed are missing: 5. Left out: 1 trial without a result yet."
    assert found.note.endswith(ending)
    fixed = compare(Study(trials, sampler="GridSampler"), **RATIO)
    assert fixed.note.startswith("A pruner stopped 1 of 6 trials")


def test_trials_that_ended_early_with_their_mean_are_missing():
    trials = by_steps().trials
    trials.append(trial(4, value=0.2, steps={0: 0.1, 1: 0.3}))
    assert compare(Study(trials), **RATIO).scores.missing.tolist() == [False] * 4 + [True]
    # Half of the splits each: no trial has all.
    halves = [
        trial(k, value=row[k::2].mean(), steps={i: row[i] for i in range(k, 10, 2)})
        for k, row in enumerate(SCORES[:2])
    ]
    with pytest.raises(ValueError, match="no trial reported all of them"):
        compare(Study(halves), **RATIO)


ONE, OTHER = with_attributes([[0.4, 0.6]]), trial(1, value=0.5, attributes=attributes([0.4]))


@pytest.mark.parametrize(
    ("study", "match"),
    [
        (Study([], directions=["MINIMIZE"] * 2), "one objective; got one with 2"),
        (Study([]), "got 0 trials, none of them complete"),
        (Study([trial(0, value=0.5)]), "its trials have neither"),
        (by_steps(lambda row: row[-1]), "value is the last of them"),
        (by_steps(np.max), "not every trial's value is their mean"),
        # Constant values: their mean is the last of them too.
        (Study([trial(0, value=0.5, steps=steps([0.5, 0.5]))]), "value is the last of them"),
        (Study([*ONE, OTHER]), "trial 1 has no user attribute 'split1_test_score'"),
    ],
)
def test_what_is_not_comparable_is_refused(study, match):
    with pytest.raises(ValueError, match=match):
        compare(study, **RATIO)


def test_sizes_of_as_many_splits_say_that_steps_are_splits():
    found = compare(by_steps(np.max), n_train=[90] * 10, n_test=[10] * 10)
    np.testing.assert_array_equal(found.scores.values, SCORES)
    # One size for all says nothing about their number.
    with pytest.raises(ValueError, match="not every trial's value is their mean"):
        compare(by_steps(np.max), n_train=90, n_test=10)
    # Running means do not become scores of splits.
    with pytest.raises(ValueError, match="value is the last of them"):
        compare(by_steps(lambda row: row[-1]), n_train=[90] * 10, n_test=[10] * 10)


def test_a_study_needs_sizes():
    with pytest.raises(ValueError, match="`test_train_ratio` must be given"):
        compare(by_steps())
    with pytest.raises(ValueError, match="`X` must be given with a fitted search"):
        compare(by_steps(), X=np.ones((100, 2)))


def test_an_incremental_search_has_one_test_set():
    # Columns of `BaseIncrementalSearchCV._get_cv_results` of dask-ml 2025.1.
    results = {"test_score": [0.5, 0.6], "params": [{}, {"C": 2}], "partial_fit_calls": [1, 3]}
    search = type("HyperbandSearchCV", (), {"cv_results_": results})()
    with pytest.raises(ValueError, match="HyperbandSearchCV scored each on one test set"):
        compare(search, **RATIO)


def test_a_study_that_a_search_was_given_may_have_trials_of_another_fit():
    class OptunaSearchCV:
        cv, n_splits_, n_trials, scoring = 10, 10, 3, "roc_auc"
        study = study_ = by_attributes()

    with pytest.raises(ValueError, match="has 4 trials and `n_trials` is 3"):
        compare(OptunaSearchCV())
    OptunaSearchCV.n_trials = 4
    found = compare(OptunaSearchCV())
    assert found.metric == "roc_auc"
    assert found.note.startswith("OptunaSearchCV chose candidates")
