"""
Four kernels, one winner?
=========================

A grid search ranks its candidates; the ranking does not say which differences would survive
another split of the same data. This example compares the four candidates of scikit-learn's
tutorial "Statistical comparison of models using grid search" and reproduces its numbers.
"""

from pathlib import Path

from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC

from sklearn_stats_compare import StatisticalGridSearchCV
from sklearn_stats_compare.displays import PosteriorDisplay

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)

# %%
# The search is used as ``GridSearchCV`` is. Ten repeats of ten folds give every candidate a
# hundred scores on the same splits.

search = StatisticalGridSearchCV(
    SVC(random_state=0),
    param_grid=[
        {"kernel": ["linear"]},
        {"kernel": ["poly"], "degree": [2, 3]},
        {"kernel": ["rbf"]},
    ],
    scoring="roc_auc",
    cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),
)
search.fit(X, y)
print(search.comparison_)

# %%
# The leader, rbf, is better than 2_poly. Whether it is better than the other two is undecided.
#
# Why not simply test the hundred differences? Because the splits share their samples: an easy
# split is easy for all candidates, and the differences are not independent either.

print("\nCorrelation of split scores")
print(search.comparison_.scores.correlation().round(6))

# %%
# A paired t-test that takes the splits for independent finds a difference between the best two.
# The corrected test knows that the splits overlap, and does not.

uncorrected = search.comparison_.frequentist(test="uncorrected_t", p_adjust=None).iloc[0]
corrected = search.comparison_.frequentist(p_adjust=None).iloc[0]
print(
    f"\nrbf against linear, uncorrected: t = {uncorrected.t_stat:.3f}, p = {uncorrected.p_val:.3f}"
)
print(f"rbf against linear, corrected:   t = {corrected.t_stat:.3f}, p = {corrected.p_val:.3f}")

# %%
# All pairs, p-values multiplied by the number of pairs. These are one-sided in the direction that
# the ranking chose, as in the tutorial; the verdicts are two-sided.

print("\nAll pairs, frequentist")
print(search.pairwise_frequentist_.round(3).to_string(index=False))

# %%
# The Bayesian view: how probable is it that the first model is worse, practically equivalent
# (within ±0.01), or better?

print("\nAll pairs, Bayesian")
print(search.pairwise_bayesian_.round(3).to_string(index=False))

# %%
# One pair in detail. Model rbf scores higher than linear with probability 0.773, but 0 lies well
# inside the 95 % interval. The picture shows the density of the difference; the shaded band is the
# ROPE, and the three areas are the three probabilities of the table above.

posterior = search.posterior("rbf", "linear")
print(f"\nP(rbf scores higher than linear) = {posterior.sf(0):.3f}")
for level in (0.5, 0.75, 0.95):
    low, high = posterior.interval(level)
    print(f"With probability {level} the difference is between {low:.6f} and {high:.6f}.")
print(
    "To count the two as equivalent with probability 0.95, differences up to "
    f"{posterior.break_even_rope(0.95):.6f} must not matter to you."
)

pictures = Path("pictures")
pictures.mkdir(exist_ok=True)
display = PosteriorDisplay.from_search(search, "rbf", "linear", interval=0.95)
display.figure_.savefig(pictures / "plot_1_posterior.png", dpi=150)

# %%
# The leader against all the others.

ridge = PosteriorDisplay.from_search(search, ridge=3, interval=0.95)
ridge.figure_.savefig(pictures / "plot_1_ridge.png", dpi=150)
print(f"\nPictures are in {pictures}/.")
