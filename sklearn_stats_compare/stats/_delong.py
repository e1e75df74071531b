"""DeLong's test of two areas under the ROC curve on one test set, in O(n log n)."""

from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from sklearn_stats_compare._messages import (
    ALTERNATIVES,
    check_classes,
    check_flag,
    check_numbers,
    check_option,
    check_probability,
    shown,
)
from sklearn_stats_compare.stats._normal import two_sided_z, z_test
from sklearn_stats_compare.stats._pair import StatisticPair

Curve = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class DeLongResult(StatisticPair):
    """Result of `delong`; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        z of the difference; 0 for identical rankings, ±inf for a difference with variance 0.
    pvalue : float
        p-value for the chosen alternative.
    auc1, auc2 : float
        Areas under the ROC curves of both models.
    var1, var2, cov : float
        DeLong's estimates of the variances and the covariance of the areas.
    curve1, curve2 : tuple of ndarray
        False and true positive rates of both models, from (0, 0) to (1, 1).
    """

    auc1: float
    auc2: float
    var1: float
    var2: float
    cov: float
    variance: float
    """Variance of the difference, var1 + var2 − 2·cov."""
    curve1: Curve = field(repr=False)
    curve2: Curve = field(repr=False)

    @property
    def difference(self) -> float:
        """auc1 − auc2."""
        return self.auc1 - self.auc2

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Two-sided confidence interval of the difference of the areas.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Probability that the interval covers the difference.

        Returns
        -------
        low, high : float
            Limits for `difference` by the normal approximation, clipped to −1 and 1.
        """
        level = check_probability("confidence_level", confidence_level)
        half_width = two_sided_z(level) * sqrt(self.variance)
        # For areas near 0 and 1 the normal interval may exceed the range of a difference.
        return max(-1.0, self.difference - half_width), min(1.0, self.difference + half_width)


def delong(
    y_true: ArrayLike,
    score1: ArrayLike,
    score2: ArrayLike,
    *,
    pos_label: Any = None,
    alternative: str = "two-sided",
    pooled_over_folds: bool = False,
) -> DeLongResult:
    """Test whether two models have the same area under the ROC curve, on one test set.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes, two of them.
    score1, score2 : array-like of float, shape (n_samples,)
        Scores of both models for the same samples, higher for the positive class: probabilities or
        values of a decision function.
    pos_label : object, optional
        The positive class. Default: the greater of the two, as in scikit-learn's classifiers.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": model 1 has the greater area.
    pooled_over_folds : bool, default=False
        Whether the scores are pooled over the folds of a cross-validation. True raises an error.

    Returns
    -------
    DeLongResult
        Unpacks as ``statistic, pvalue``; has both areas, their variances and covariance,
        `difference`, `confidence_interval()` and both curves. Scores that rank all samples
        identically give z = 0 and p = 1.

    Raises
    ------
    ValueError
        If the arrays are not vectors of equal length, a score is not finite, `y_true` does not
        have two classes with at least two samples each, or scores are pooled over folds.

    See Also
    --------
    mcnemar : For accuracies instead of areas.
    cross_validate_models : With ``scoring="roc_auc"``, for models under cross-validation.

    Notes
    -----
    Valid for two fitted models and independent test samples. The normal approximation is poor for
    areas near 1 with few samples; if a model separates the classes perfectly, the estimated
    variance of its area is 0. Not valid for nested models that were fitted to the test samples.
    Scores of several fits are not on one scale. An area over scores pooled over folds is therefore
    not the area of any model, and raises an error.

    The variance is DeLong's, computed from midranks with the algorithm of Sun and Xu.

    References
    ----------
    DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under two or
    more correlated receiver operating characteristic curves. Biometrics 44, 837–845.
    https://doi.org/10.2307/2531595

    Sun, X. and Xu, W. (2014). Fast implementation of DeLong's algorithm for comparing the areas
    under correlated receiver operating characteristic curves. IEEE Signal Processing Letters 21,
    1389–1393. https://doi.org/10.1109/LSP.2014.2337313

    Examples
    --------
    >>> from sklearn_stats_compare import delong
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = delong(truth, [1, 2, 3, 6, 4, 5, 7, 8], [1, 3, 6, 7, 2, 4, 5, 8])
    >>> result.auc1, result.auc2, round(result.pvalue, 3)
    (0.875, 0.5625, 0.114)

    The areas are 0.88 and 0.56, but with eight samples the difference is not significant.
    """
    if check_flag("pooled_over_folds", pooled_over_folds):
        raise ValueError(
            "`pooled_over_folds` must be False: scores of models from different folds are not on "
            "one scale, and no model has their pooled ranking. Compare the area per split with "
            "cross_validate_models(models, X, y, scoring='roc_auc')."
        )
    check_option("alternative", alternative, ALTERNATIVES)
    positive = _is_positive(y_true, pos_label)
    scores = [
        _checked_scores(name, score, positive.size)
        for name, score in (("score1", score1), ("score2", score2))
    ]
    # The structural components V10 and V01 of DeLong et al.; their mean is the area.
    of_positives, of_negatives = zip(*(placements(s, positive) for s in scores), strict=True)
    auc1, auc2 = (float(placements.mean()) for placements in of_positives)
    # S10/m + S01/n of DeLong et al., with ddof=1.
    covariance = np.cov(of_positives) / of_positives[0].size
    covariance += np.cov(of_negatives) / of_negatives[0].size
    # Computed from the differences: exactly 0 for identical rankings, where a sum may be 1e-18.
    variance = float(
        np.var(of_positives[0] - of_positives[1], ddof=1) / of_positives[0].size
        + np.var(of_negatives[0] - of_negatives[1], ddof=1) / of_negatives[0].size
    )
    statistic, pvalue = z_test(auc1 - auc2, variance, alternative)
    return DeLongResult(
        statistic=statistic,
        pvalue=pvalue,
        auc1=auc1,
        auc2=auc2,
        var1=float(covariance[0, 0]),
        var2=float(covariance[1, 1]),
        cov=float(covariance[0, 1]),
        variance=variance,
        curve1=_curve(scores[0], positive),
        curve2=_curve(scores[1], positive),
    )


def _is_positive(y_true: ArrayLike, pos_label: Any) -> NDArray[np.bool_]:
    truth = check_classes("y_true", y_true)
    classes, counts = np.unique(truth, return_counts=True)
    if len(classes) != 2:
        raise ValueError(
            f"`y_true` must have two classes; got {len(classes)}: {classes[:5].tolist()}."
        )
    # One sample would make np.cov divide by 0.
    if counts.min() < 2:
        raise ValueError(
            "`y_true` must have at least two samples of each class to estimate a variance; "
            f"got {counts.tolist()} of {classes.tolist()}."
        )
    if pos_label is None:
        # np.unique sorts, like scikit-learn's `classes_`.
        pos_label = classes[1]
    elif not any(_is_same(pos_label, label) for label in classes.tolist()):
        raise ValueError(f"`pos_label` must be one of {classes.tolist()}; got {shown(pos_label)}.")
    return np.asarray(truth == pos_label)


def _is_same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except (TypeError, ValueError):  # an array, or pandas' NA
        return False


def _checked_scores(name: str, scores: ArrayLike, n: int) -> NDArray[np.float64]:
    array = check_numbers(name, scores)
    if array.shape != (n,):
        raise ValueError(
            f"`{name}` must have one score per entry of `y_true`, shape ({n},); got shape "
            f"{array.shape}. With predict_proba, use the column of the positive class."
        )
    if not np.isfinite(array).all():
        raise ValueError(
            f"`{name}` must be finite; got {int((~np.isfinite(array)).sum())} values that are not."
        )
    return array


def placements(
    scores: NDArray[np.float64], positive: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Share of negatives below each positive, and share of positives above each negative.

    Ties count half. The midrank among all samples minus the midrank within the class is the number
    of samples of the other class below.
    """
    positives, negatives = scores[positive], scores[~positive]
    # Midranks are the average ranks of ties. Sorting takes O(n log n); DeLong et al. compare each
    # positive with each negative.
    among_all = stats.rankdata(scores)
    below = among_all[positive] - stats.rankdata(positives)
    above = positives.size - (among_all[~positive] - stats.rankdata(negatives))
    return below / negatives.size, above / positives.size


def _curve(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> Curve:
    """False and true positive rates as the threshold falls, one point per distinct score."""
    # Keeps a point per distinct score; scikit-learn's roc_curve drops collinear points.
    order = np.argsort(-scores, kind="stable")
    last_of_ties = np.r_[np.flatnonzero(np.diff(scores[order])), scores.size - 1]
    true = np.cumsum(positive[order])[last_of_ties]
    false = last_of_ties + 1 - true
    return np.r_[0, false / false[-1]], np.r_[0, true / true[-1]]
