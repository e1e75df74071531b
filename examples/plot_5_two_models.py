"""
Two given models: which test answers which question
===================================================

Claim: "is A better than B?" is several questions, each with a test of its own, and a paired t-test
over folds is wrong for all of them.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import cross_validate_models
from sklearn_stats_compare.displays import LearningCurveComparisonDisplay
from sklearn_stats_compare.evaluation import compare_learning_curves, paired_cv_test
from sklearn_stats_compare.stats import delong, mcnemar

X, y = load_breast_cancer(return_X_y=True)
logistic = make_pipeline(StandardScaler(), LogisticRegression())
tree = DecisionTreeClassifier(max_depth=4, random_state=0)
models = {"logistic": logistic, "tree": tree}

# %%
# Two ways to train: a corrected test of ten folds, and 5×2cv, which trains on half of the data.

for method in ("kfold", "5x2cv_f"):
    result = paired_cv_test(logistic, tree, X, y, method=method, random_seed=1)
    print(f"{method:8} statistic {result.statistic:.2f}, p = {result.pvalue:.5f}")

# %%
# The same models on ten repeats of ten folds, with an interval and a verdict.

cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
print(cross_validate_models(models, X, y, cv=cv, n_jobs=2))

# %%
# Two fitted models, one test set: McNemar for accuracy, DeLong for the area under the ROC curve.

X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
fitted = [model.fit(X_train, y_train) for model in models.values()]
pair = mcnemar(y_test, *(model.predict(X_test) for model in fitted))
print(f"McNemar: {pair.n_only_1_right} to {pair.n_only_2_right}, p = {pair.pvalue:.4f}")
areas = delong(y_test, *(model.predict_proba(X_test)[:, 1] for model in fitted))
print(f"DeLong: z = {areas.statistic:.2f}, p = {areas.pvalue:.4f}")

# %%
# Would more data change the answer?

cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
curves = compare_learning_curves(models, X, y, cv=cv, random_state=0, n_jobs=2)
LearningCurveComparisonDisplay.from_learning_curves(curves)
plt.show()
