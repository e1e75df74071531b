"""Draws recommend.png, the first picture of the README: its first program.

python docs/_static/recommend.py, in docs/_static
"""

import matplotlib as mpl
from sklearn.datasets import load_digits
from sklearn.svm import SVC

from sklearn_stats_compare import StatisticalGridSearchCV

mpl.use("Agg")
X, y = load_digits(return_X_y=True)
search = StatisticalGridSearchCV(SVC(), {"C": [0.1, 0.3, 1, 3, 10, 30]}, cv=5).fit(X, y)
display = search.recommend().plot()
display.figure_.savefig("recommend.png", dpi=110, metadata={"Software": None})
