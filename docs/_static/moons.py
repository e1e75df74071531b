"""Draws moons.png, the picture of the README and of the first page: the published example.

Run it in this folder.
"""

from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC

from sklearn_stats_compare import StatisticalGridSearchCV
from sklearn_stats_compare.displays import PosteriorDisplay

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
search = StatisticalGridSearchCV(
    SVC(random_state=0),
    [{"kernel": ["linear", "rbf"]}, {"kernel": ["poly"], "degree": [2, 3]}],
    scoring="roc_auc",
    cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),
).fit(X, y)
display = PosteriorDisplay.from_search(search, ridge=3, interval=0.95)
# Without the name and version of the program that wrote it, so that the file does not change.
display.figure_.savefig("moons.png", dpi=130, metadata={"Software": None})
