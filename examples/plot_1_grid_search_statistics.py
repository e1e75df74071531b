"""
Four kernels, one winner?
=========================

A grid search ranks its candidates. This example shows which differences are more than luck, on the
four candidates of scikit-learn's "Statistical comparison of models using grid search".
"""

from pathlib import Path

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
print(search.comparison_)

# %%
# A paired t-test that takes the splits for independent finds a difference between the best two. The
# corrected test knows that the splits overlap, and does not.

for test in ("uncorrected_t", "corrected_t"):
    row = search.comparison_.frequentist(test=test, p_adjust=None).iloc[0]
    print(f"rbf against linear, {test:13}: t = {row.t_stat:.3f}, p = {row.p_val:.3f}")

# %%
# All pairs: p-values, one-sided in the direction of the ranking, multiplied by the number of pairs;
# and the probability that the first model is worse, practically equivalent (±0.01) or better.

print(search.pairwise_frequentist_.round(3).to_string(index=False))
print(search.pairwise_bayesian_.round(3).to_string(index=False))

# %%
# One pair in detail: rbf scores higher than linear with probability 0.773, but 0 lies well inside
# the 95 % interval. The shaded band is the ROPE.

print(f"P(rbf scores higher than linear) = {search.posterior('rbf', 'linear').sf(0):.3f}")
low, high = search.posterior("rbf", "linear").interval(0.95)
print(f"With probability 0.95 the difference is between {low:.6f} and {high:.6f}.")

pictures = Path("pictures")
pictures.mkdir(exist_ok=True)
display = PosteriorDisplay.from_search(search, "rbf", "linear", interval=0.95)
display.figure_.savefig(pictures / "plot_1_posterior.png", dpi=150)

# %%
# The leader against all the others.

ridge = PosteriorDisplay.from_search(search, ridge=3, interval=0.95)
ridge.figure_.savefig(pictures / "plot_1_ridge.png", dpi=150)
print(f"Pictures are in {pictures}/.")
