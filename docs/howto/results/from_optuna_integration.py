"""OptunaSearchCV splits again for each trial: its splitter needs an integer seed."""

from optuna.distributions import FloatDistribution
from optuna_integration import OptunaSearchCV
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_stats_compare import compare

X, y = load_breast_cancer(return_X_y=True)
search = OptunaSearchCV(
    make_pipeline(StandardScaler(), LogisticRegression()),
    {"logisticregression__C": FloatDistribution(1e-3, 1e3, log=True)},
    cv=StratifiedKFold(10, shuffle=True, random_state=0),
    n_trials=5,
    random_state=0,
    scoring="roc_auc",
).fit(X, y)

comparison = compare(search)
print(comparison.note)
print(comparison.against()[["model_2", "mean_diff", "verdict"]])

assert comparison.metric == "roc_auc"
assert list(comparison.params) == [trial.params for trial in search.trials_]
assert comparison.scores.values[0, 0] == search.trials_[0].user_attrs["split0_test_score"]
