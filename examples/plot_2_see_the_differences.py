"""
See the differences
===================

This example draws what a comparison of four candidates can show, and writes the report that goes
with it.
"""

from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC

from sklearn_stats_compare import StatisticalGridSearchCV
from sklearn_stats_compare.reports import report

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
search = StatisticalGridSearchCV(
    SVC(random_state=0),
    [{"kernel": ["linear", "rbf"]}, {"kernel": ["poly"], "degree": [2, 3]}],
    scoring="roc_auc",
    cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),
)
comparison = search.fit(X, y).comparison_

# %%
# Scores per split rise and fall together: an easy split is easy for all. That is why candidates are
# compared split by split, and why the splits are not independent.

comparison.plot("split_scores")
plt.show()

# %%
# The leader against the others. If the interval crosses zero, nothing is decided.

comparison.plot("leader")
plt.show()

# %%
# All pairs at a glance.

comparison.plot("pairwise")
plt.show()

# %%
# If you cannot say how wide your region of practical equivalence is: from which width on would rbf
# and linear count as equivalent?

comparison.plot("rope_sensitivity", i="rbf", j="linear")
plt.show()

# %%
# The same in words, and as one page to hand on, whose tables sort on a click.

print(report(comparison))
Path("pictures").mkdir(exist_ok=True)
Path("pictures/plot_2_report.html").write_text(report(comparison, "html"))
