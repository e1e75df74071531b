"""
Five classifiers on twelve data sets
====================================

If you propose a method, you compare it on many data sets. ``cross_validate_models`` fits the models
on all of them in one parallel loop, and returns a comparison in which every data set counts once.
"""

import matplotlib.pyplot as plt
from sklearn import datasets
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import cross_validate_models

data = {
    "iris": datasets.load_iris(return_X_y=True),
    "wine": datasets.load_wine(return_X_y=True),
    "breast cancer": datasets.load_breast_cancer(return_X_y=True),
    "moons": datasets.make_moons(300, noise=0.3, random_state=0),
    "circles": datasets.make_circles(300, noise=0.2, factor=0.5, random_state=0),
    "blobs": datasets.make_blobs(300, centers=5, cluster_std=3.0, random_state=0),
    "quantiles": datasets.make_gaussian_quantiles(n_samples=300, n_classes=3, random_state=0),
    "hastie": datasets.make_hastie_10_2(400, random_state=0),
    "linear": datasets.make_classification(300, n_informative=5, random_state=0),
    "noisy": datasets.make_classification(300, flip_y=0.2, random_state=1),
    "wide": datasets.make_classification(150, n_features=60, n_informative=6, random_state=2),
    "unbalanced": datasets.make_classification(400, weights=[0.85], class_sep=0.7, random_state=4),
}
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "neighbors": make_pipeline(StandardScaler(), KNeighborsClassifier(9)),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "forest": RandomForestClassifier(25, random_state=0),
}
cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
comparison = cross_validate_models(models, data, cv=cv, n_jobs=2)
print(comparison)

# %%
# In the diagram, a bar joins models that the tests do not find different.

comparison.plot("critical_difference")
plt.show()

# %%
# The hierarchical model predicts the difference on the next data set. A paragraph for the paper:

print(comparison.hierarchical("forest", "logistic"))
print(comparison.report().split("\n\n")[0])
