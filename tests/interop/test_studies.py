"""Studies of Optuna and OptunaSearchCV as they are; skipped without Optuna.

What of a study is refused, tests/comparison/test_optuna_study.py shows on stubs of the same form.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import KFold, ShuffleSplit, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare

REASON = "Optuna is installed by `nox -s interop`"
optuna = pytest.importorskip("optuna", reason=REASON)
optuna.logging.set_verbosity(optuna.logging.ERROR)
# Optuna calls some of its own parts experimental.
pytestmark = pytest.mark.filterwarnings("ignore")

X, y = make_classification(n_samples=120, flip_y=0.2, random_state=0)
CV = KFold(6, shuffle=True, random_state=0)
RATIO = 1 / 5
DEPTH = optuna.distributions.IntDistribution(1, 6)


def depth(k):
    return DecisionTreeClassifier(max_depth=k, random_state=0)


def run(
    n_trials=6, *, direction="maximize", attributes=False, steps=True, pruner=None, sampler=None,
    returns_early=False,
):  # fmt: skip
    """A study of trees of several depths."""

    def objective(trial):
        k, scores = trial.suggest_int("depth", 1, 6), []
        for i, (train, test) in enumerate(CV.split(X)):
            scores.append(depth(k).fit(X[train], y[train]).score(X[test], y[test]))
            if direction == "minimize":
                scores[-1] = 1 - scores[-1]
            if attributes:
                trial.set_user_attr(f"split{i}_test_score", scores[-1])
            if steps:
                trial.report(scores[-1], i)
                if trial.should_prune():
                    if returns_early:
                        return np.mean(scores)
                    raise optuna.TrialPruned
        return np.mean(scores)

    study = optuna.create_study(
        direction=direction,
        pruner=pruner or optuna.pruners.NopPruner(),
        sampler=sampler or optuna.samplers.TPESampler(seed=0),
    )
    study.optimize(objective, n_trials=n_trials)
    return study


def by_hand(study, name="depth"):
    """The matrix of the trials from scikit-learn, NaN for those that were stopped."""
    return np.array(
        [
            cross_val_score(depth(trial.params[name]), X, y, cv=CV)
            if trial.state.name == "COMPLETE"
            else np.full(6, np.nan)
            for trial in study.trials
        ]
    )


def check_same_tables(found, matrix):
    options = {"metric": found.metric, "test_train_ratio": RATIO}
    expected = compare(matrix, labels=list(found.labels), **options)
    for table in ("frequentist", "bayesian", "against"):
        pd.testing.assert_frame_equal(getattr(found, table)(), getattr(expected, table)())


FORMS = pytest.mark.parametrize("form", [{"attributes": True, "steps": False}, {}])


@FORMS
def test_a_study_gives_the_tables_of_the_matrix(form):
    study = run(**form)
    found = compare(study, test_train_ratio=RATIO)
    check_same_tables(found, by_hand(study))
    assert [found.params[k] for k in range(6)] == [trial.params for trial in study.trials]
    assert found.note.startswith("Optuna's TPESampler chose candidates after it had seen scores")


@FORMS
def test_errors_that_the_study_minimizes_are_negated(form):
    study = run(direction="minimize", **form)
    found = compare(study, test_train_ratio=RATIO)
    errors = np.array(
        [1 - cross_val_score(depth(t.params["depth"]), X, y, cv=CV) for t in study.trials]
    )
    np.testing.assert_array_equal(found.scores.values, -errors)
    assert found.metric == "neg_score"
    assert "negated" in found.note


def test_pruned_trials_are_missing_and_the_note_counts_them():
    study = run(12, pruner=optuna.pruners.ThresholdPruner(lower=0.72))
    pruned = [trial.state.name == "PRUNED" for trial in study.trials]
    assert 0 < sum(pruned) < 12
    found = compare(study, test_train_ratio=RATIO)
    assert found.scores.missing.tolist() == pruned
    check_same_tables(found, by_hand(study))
    assert f"a pruner stopped {sum(pruned)} of 12 trials, which are missing here" in found.note


def test_trials_that_return_early_as_for_the_wilcoxon_pruner_are_missing_too():
    """Optuna's example returns the mean so far instead of raising TrialPruned."""
    pruner = optuna.pruners.WilcoxonPruner(p_threshold=0.3)
    study = run(20, pruner=pruner, returns_early=True)
    short = [len(trial.intermediate_values) < 6 for trial in study.trials]
    assert 0 < sum(short) < 20
    found = compare(study, test_train_ratio=RATIO)
    assert found.scores.missing.tolist() == short


def test_a_sampler_without_scores_has_no_note_on_error_rates():
    study = run(sampler=optuna.samplers.RandomSampler(seed=0))
    assert compare(study, test_train_ratio=RATIO).note.startswith("Optuna does not record")


def test_studies_without_one_objective_or_complete_trials_are_refused():
    with pytest.raises(ValueError, match="one objective; got one with 2"):
        compare(optuna.create_study(directions=["minimize", "maximize"]))
    with pytest.raises(ValueError, match="none of them complete"):
        compare(optuna.create_study())


def test_failed_and_waiting_trials_are_named():
    study = run(5)
    study.enqueue_trial({"depth": 3})
    study.add_trial(optuna.create_trial(state=optuna.trial.TrialState.FAIL))
    found = compare(study, test_train_ratio=RATIO)
    assert "Trials that failed are missing: 6. Left out: 1 trial" in found.note
    assert found.scores.missing.tolist() == [False] * 5 + [True]


@pytest.fixture
def search():
    integration = pytest.importorskip("optuna_integration", reason=REASON)

    def fitted(cv, model=None, **options):
        # Three trials of the same tree: the same scores if the splits are the same.
        study = optuna.create_study(direction="maximize")
        for _ in range(3):
            study.enqueue_trial({"max_depth": 3})
        given = {"n_trials": 4, "study": study, **options}
        return integration.OptunaSearchCV(
            model or DecisionTreeClassifier(random_state=0), {"max_depth": DEPTH}, cv=cv, **given
        ).fit(X, y)

    return fitted


def test_equal_trials_on_redrawn_splits_are_refused(search):
    redrawn = search(KFold(6, shuffle=True))
    scores = [
        tuple(trial.user_attrs[f"split{k}_test_score"] for k in range(6))
        for trial in redrawn.trials_[:3]
    ]
    assert len(set(scores)) > 1  # the same model: only the splits differ
    with pytest.raises(ValueError, match="which may have split anew for each candidate"):
        compare(redrawn)
    with pytest.raises(ValueError, match="the same parameters, and scores of"):
        compare(redrawn.study_, test_train_ratio=RATIO)


def test_a_seeded_search_has_the_labels_of_its_trials(search):
    seeded = search(CV)
    found = compare(seeded)
    check_same_tables(found, by_hand(seeded.study_, name="max_depth"))
    assert found.labels[0] == "max_depth=3 #0"
    assert found.note.startswith("OptunaSearchCV chose candidates after it had seen scores")


@pytest.mark.parametrize(
    "cv", [6, list(CV.split(X)), CV.split(X)], ids=lambda cv: type(cv).__name__
)
def test_splits_are_the_same_for_all_trials_if_they_are_listed_or_folds_in_order(search, cv):
    listed = search(cv, scoring="roc_auc")
    found = compare(listed, test_train_ratio=RATIO)
    assert found.metric == "roc_auc"
    splits = 6 if isinstance(cv, int) else CV
    for trial, row in zip(listed.trials_, found.scores.values, strict=True):
        own = cross_val_score(depth(trial.params["max_depth"]), X, y, cv=splits, scoring="roc_auc")
        np.testing.assert_array_equal(row, own)


def test_a_search_that_draws_at_random_chose_nothing_by_scores(search):
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    assert compare(search(CV, study=study)).note == ""


def test_a_table_of_trials_is_refused_until_its_columns_are_renamed(search):
    seeded = search(CV)
    trials = seeded.study_.trials_dataframe(attrs=("params", "user_attrs"))
    with pytest.raises(
        ValueError, match=r"'params_max_depth', which belongs to a table of trials.*removeprefix"
    ):
        compare(trials, test_train_ratio=RATIO)
    several = seeded.study_.trials_dataframe(attrs=("params", "user_attrs"), multi_index=True)
    with pytest.raises(ValueError, match="in one level"):
        compare(several, test_train_ratio=RATIO)
    named = trials.rename(columns=lambda name: name.removeprefix("user_attrs_"))
    found = compare(named, test_train_ratio=RATIO)
    np.testing.assert_array_equal(found.scores.values, compare(seeded).scores.values)
    assert found.note.startswith("Optuna chose candidates after it had seen scores")


def test_a_study_with_trials_of_an_earlier_fit_is_refused(search):
    twice = search(CV)
    twice.fit(X, y)
    with pytest.raises(ValueError, match="8 trials and `n_trials` is 4"):
        compare(twice)


def test_a_trial_pruned_after_some_epochs_is_missing_although_it_has_scores(search):
    from sklearn.linear_model import SGDClassifier

    integration = pytest.importorskip("optuna_integration")
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=0),
        pruner=optuna.pruners.ThresholdPruner(lower=0.7),
    )
    epochs = integration.OptunaSearchCV(
        SGDClassifier(random_state=0), {"alpha": optuna.distributions.FloatDistribution(1e-6, 1e3,
        log=True)}, cv=CV, enable_pruning=True, max_iter=3, n_trials=8, study=study,
    ).fit(X, y)  # fmt: skip
    pruned = [trial.state.name == "PRUNED" for trial in epochs.trials_]
    assert 0 < sum(pruned) < 8
    assert all("split0_test_score" in trial.user_attrs for trial in epochs.trials_)
    assert compare(epochs).scores.missing.tolist() == pruned


def test_the_sizes_of_shuffle_splits_come_from_the_data(search):
    shuffled = search(ShuffleSplit(6, test_size=0.25, random_state=0))
    with pytest.raises(ValueError, match="`test_train_ratio` must be given"):
        compare(shuffled)
    design = compare(shuffled, X=X, y=y).scores.design
    assert design.n_train.tolist() == [90] * 6  # 120 · 3/4
    assert design.n_test.tolist() == [30] * 6
    part = search(ShuffleSplit(6, random_state=0), subsample=60)
    with pytest.raises(ValueError, match="must be the 60 samples that OptunaSearchCV drew"):
        compare(part, X=X, y=y)
    drawn = part.sample_indices_
    assert compare(part, X=X[drawn], y=y[drawn]).scores.design.n_test.tolist() == [6] * 6


def test_a_second_metric_that_is_a_known_loss_is_lower_for_better_trials():
    rng = np.random.default_rng(0)

    def objective(trial):
        errors = 0.2 + trial.suggest_float("C", 0, 1) / 10 + 0.01 * rng.standard_normal(10)
        for k, error in enumerate(errors):
            trial.set_user_attr(f"split{k}_test_rmse", float(error))
            trial.set_user_attr(f"split{k}_test_r2", float(1 - error**2))
        return float((1 - errors**2).mean())

    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(objective, n_trials=4)
    by_r2, by_rmse = (compare(study, metric=m, test_train_ratio=1 / 9) for m in ("r2", "rmse"))
    assert by_r2.leader == by_rmse.leader
    assert by_rmse.metric == "neg_rmse"
    assert "rmse is lower for better models" in by_rmse.note
