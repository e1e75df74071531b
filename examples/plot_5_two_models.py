"""
Two given models: which test answers which question
===================================================

Claim: "is A better than B?" is several questions, each with a test of its own, and the textbook's
favourite, a paired t-test over folds, is wrong for all of them.

A logistic regression and a decision tree on scikit-learn's breast cancer data.
"""

import warnings
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import cross_validate_models
from sklearn_stats_compare.displays import LearningCurveComparisonDisplay, RocComparisonDisplay
from sklearn_stats_compare.evaluation import (
    bootstrap_score,
    compare_learning_curves,
    paired_cv_test,
)
from sklearn_stats_compare.stats import accuracy_interval, cochrans_q, delong, mcnemar

pictures = Path("pictures")
pictures.mkdir(exist_ok=True)

X, y = load_breast_cancer(return_X_y=True)
logistic = make_pipeline(StandardScaler(), LogisticRegression())
tree = DecisionTreeClassifier(max_depth=4, random_state=0)
bayes = GaussianNB()

# %%
# Two ways to train. The uncorrected t over ten folds makes the most of the difference; corrected,
# it is what the folds can carry. 5×2cv trains on half of the data and has less power.

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it says that this number is too good
    textbook = paired_cv_test(logistic, tree, X, y, method="kfold", correction=None)
corrected = paired_cv_test(logistic, tree, X, y, method="kfold")
print(f"10 folds, uncorrected  t = {textbook.statistic:.2f}, p = {textbook.pvalue:.5f}")
print(f"10 folds, corrected    t = {corrected.statistic:.2f}, p = {corrected.pvalue:.5f}")
for name in ("t", "f"):
    statistic, pvalue = paired_cv_test(logistic, tree, X, y, method=f"5x2cv_{name}", random_seed=1)
    print(f"5×2cv                  {name} = {statistic:.2f}, p = {pvalue:.5f}")

cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
found = cross_validate_models(
    {"logistic": logistic, "tree": tree}, X, y, cv=cv, scoring=["accuracy", "roc_auc"], n_jobs=2
)
for metric, comparison in found.items():
    row = comparison.against().iloc[0]
    print(
        f"10×10 folds, {metric:9} {row['model_1']} − {row['model_2']} = {row['mean_diff']:.3f}, "
        f"interval {row['ci_low']:.3f} to {row['ci_high']:.3f}: {row['verdict']}"
    )

# %%
# Two fitted models, one test set: McNemar for accuracy, DeLong for the area under the ROC curve,
# Cochran for more than two.

X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
models = [model.fit(X_train, y_train) for model in (logistic, tree, bayes)]
predictions = [model.predict(X_test) for model in models]
for name, predicted in zip(("logistic", "tree", "bayes"), predictions, strict=True):
    n_correct = int((predicted == y_test).sum())
    low, high = accuracy_interval(n_correct, len(y_test))
    print(f"{name:9} {n_correct}/{len(y_test)} right, accuracy {low:.3f} to {high:.3f}")

pair = mcnemar(y_test, *predictions[:2])
low, high = pair.confidence_interval()
print(
    f"McNemar: {pair.n_only_1_right} samples only the logistic regression has right, "
    f"{pair.n_only_2_right} only the tree; p = {pair.pvalue:.4f}, "
    f"difference {low:.3f} to {high:.3f}"
)
q = cochrans_q(y_test, *predictions)
print(f"Cochran: Q = {q.statistic:.2f}, p = {q.pvalue:.4f}")
print("pairs, adjusted:", q.pairwise().pvalue_adjusted.round(4).tolist())
scores = [model.predict_proba(X_test)[:, 1] for model in models[:2]]
print(f"DeLong: z = {delong(y_test, *scores).statistic:.2f}")
display = RocComparisonDisplay.from_predictions(y_test, *scores, names=["logistic", "tree"])
display.figure_.savefig(pictures / "plot_5_roc.png", dpi=150)

# %%
# What to expect of one model on new data, and whether more data would change the answer.

for name, model in (("logistic", logistic), ("tree", tree)):
    result = bootstrap_score(model, X, y, n_splits=50, random_state=0)
    print(f"{name:9} .632+ accuracy {result.score:.3f}, on its own data {result.apparent:.3f}")

curves = compare_learning_curves(
    {"logistic": logistic, "tree": tree, "bayes": bayes},
    X,
    y,
    cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0),
    random_state=0,
    n_jobs=2,
)
print(curves.verdicts.to_string(index=False))
display = LearningCurveComparisonDisplay.from_learning_curves(curves)
display.figure_.savefig(pictures / "plot_5_learning_curves.png", dpi=150)
