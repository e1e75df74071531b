"""DeLong's test for areas averaged over the folds of a cross-validation."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._delong import Curve, DeLongResult, delong
from sklearn_stats_compare.stats._normal import z_test

Fold = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


def delong_of_folds(folds: Sequence[Fold], *, alternative: str = "two-sided") -> DeLongResult:
    """Test whether two models have the same mean area under the ROC curve over folds.

    Parameters
    ----------
    folds : sequence of (array, array, array)
        Truth and scores of both models in each fold, as for `delong`. No sample is in two folds.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": model 1 has the greater mean area.

    Returns
    -------
    DeLongResult
        Mean areas, and the variances of these means: sums over folds divided by K². The curves are
        vertical averages over folds (Fawcett, 2006), so that their areas are the mean areas.

    Raises
    ------
    ValueError
        If a fold does not have two classes with at least two samples each.

    References
    ----------
    DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under two or
    more correlated receiver operating characteristic curves: a nonparametric approach. Biometrics
    44, 837–845. https://doi.org/10.2307/2531595

    Fawcett, T. (2006). An introduction to ROC analysis. Pattern Recognition Letters 27, 861–874.
    https://doi.org/10.1016/j.patrec.2005.10.010
    """
    found = [delong(truth, score1, score2) for truth, score1, score2 in folds]
    n_folds = len(found)

    def mean(name: str) -> float:
        return float(np.mean([getattr(fold, name) for fold in found]))

    # Folds share no samples: the variance of a mean of K independent areas.
    variances = {name: mean(name) / n_folds for name in ("var1", "var2", "cov", "variance")}
    auc1, auc2 = mean("auc1"), mean("auc2")
    statistic, pvalue = z_test(auc1 - auc2, variances["variance"], alternative)
    return DeLongResult(
        statistic=statistic,
        pvalue=pvalue,
        auc1=auc1,
        auc2=auc2,
        **variances,
        curve1=_mean_curve([fold.curve1 for fold in found]),
        curve2=_mean_curve([fold.curve2 for fold in found]),
    )


def _mean_curve(curves: Sequence[Curve]) -> Curve:
    """Mean true positive rate at each false positive rate where any curve has a point."""
    at = np.unique(np.concatenate([false for false, _ in curves]))
    # A curve may be vertical: it has two heights there, the limits from the left and the right.
    low, high = (
        np.mean([_height(curve, at, side) for curve in curves], axis=0)
        for side in ("left", "right")
    )
    return np.repeat(at, 2), np.column_stack([low, high]).ravel()


def _height(curve: Curve, at: NDArray[np.float64], side: str) -> NDArray[np.float64]:
    false, true = curve
    first = np.searchsorted(false, at, side="left")
    last = np.searchsorted(false, at, side="right") - 1
    turns = last >= first  # the curve has points there, from the lowest to the highest
    point = np.clip(first if side == "left" else last, 0, false.size - 1)
    between = np.interp(at, false, true)
    return np.where(turns, true[point], between)
