"""
See the differences
===================

A table of p-values is read by few. This example draws everything that a comparison of four
candidates can show, and writes the report that goes with it.
"""

from pathlib import Path

from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC

from sklearn_stats_compare import StatisticalGridSearchCV
from sklearn_stats_compare.displays import (
    LeaderDisplay,
    PairwiseDisplay,
    ParameterProfileDisplay,
    PosteriorDisplay,
    RopeSensitivityDisplay,
    SplitScoresDisplay,
)
from sklearn_stats_compare.reports import report

pictures = Path("pictures")
pictures.mkdir(exist_ok=True)

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
search = StatisticalGridSearchCV(
    SVC(random_state=0),
    [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}],
    scoring="roc_auc",
    cv=cv,
).fit(X, y)

# %%
# Scores per split rise and fall together: an easy split is easy for all. That is why candidates
# are compared split by split, and why the splits are not independent.

scores = SplitScoresDisplay.from_search(search)
scores.figure_.savefig(pictures / "plot_2_split_scores.png", dpi=150)

# %%
# The leader against the others. Where the interval crosses zero, nothing is decided.

leader = LeaderDisplay.from_search(search)
leader.figure_.savefig(pictures / "plot_2_leader.png", dpi=150)

# %%
# One difference in full: how probable is it that rbf is better, equivalent, worse?

posterior = PosteriorDisplay.from_search(search, "rbf", "3_poly", interval=0.95)
posterior.figure_.savefig(pictures / "plot_2_posterior.png", dpi=150)

# %%
# All pairs at a glance.

pairs = PairwiseDisplay.from_search(search)
pairs.figure_.savefig(pictures / "plot_2_pairwise.png", dpi=150)

# %%
# If you cannot say how wide your region of practical equivalence is: from which width on would
# rbf and linear count as equivalent?

sensitivity = RopeSensitivityDisplay.from_search(search, "rbf", "linear")
sensitivity.figure_.savefig(pictures / "plot_2_rope_sensitivity.png", dpi=150)

# %%
# One hyper-parameter, with the kernel held: what does C do?

by_c = StatisticalGridSearchCV(
    SVC(random_state=0),
    {"C": [0.01, 0.1, 1, 10, 100, 1000]},
    scoring="roc_auc",
    cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0),
).fit(X, y)
profile = ParameterProfileDisplay.from_search(by_c, "C")
profile.figure_.savefig(pictures / "plot_2_parameter_profile.png", dpi=150)

# %%
# The same in words, to read here, and as one page to hand on: its tables sort on a click and its
# menu shows any pair.

print(report(search))
(pictures / "plot_2_report.html").write_text(report(search, "html"))
print(f"Pictures and the page are in {pictures}/.")
