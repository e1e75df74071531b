"""A study whose trials store one score per split, and report it to a pruner."""

import optuna
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare

X, y = load_breast_cancer(return_X_y=True)
cv = StratifiedKFold(10, shuffle=True, random_state=0)  # the same splits in every trial


def objective(trial):
    """Mean accuracy over the splits."""
    model = DecisionTreeClassifier(
        max_depth=trial.suggest_int("max_depth", 1, 8),
        min_samples_leaf=trial.suggest_int("min_samples_leaf", 1, 20),
        random_state=0,
    )
    scores = []
    for i, (train, test) in enumerate(cv.split(X, y)):
        scores.append(model.fit(X[train], y[train]).score(X[test], y[test]))
        trial.set_user_attr(f"split{i}_test_score", scores[-1])
        trial.report(scores[-1], i)
        if trial.should_prune():
            raise optuna.TrialPruned
    return sum(scores) / len(scores)


study = optuna.create_study(
    direction="maximize",
    sampler=optuna.samplers.TPESampler(seed=0),
    pruner=optuna.pruners.MedianPruner(n_startup_trials=3, n_warmup_steps=3),
)
study.optimize(objective, n_trials=10)

comparison = compare(study, test_train_ratio=1 / 9)
print(comparison.note)
print(comparison.against()[["model_2", "mean_diff", "verdict"]])

pruned = [trial.state.name == "PRUNED" for trial in study.trials]
assert comparison.scores.missing.tolist() == pruned
assert list(comparison.params) == [trial.params for trial in study.trials]
assert abs(comparison.scores.means[~comparison.scores.missing].max() - study.best_value) < 1e-12
