"""Tests of classifiers on one common test set: McNemar's, Cochran's Q and DeLong's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare.stats._multitest import ADJUSTMENTS, PAdjust, adjust_pvalues
from sklearn_stats_compare.stats._numeric import StatisticPair, two_sided_z, z_test

McNemarMethod = Literal["exact", "mid-p", "chi2", "chi2_corrected"]


@dataclass(frozen=True)
class McNemarResult(StatisticPair):
    """Result of `mcnemar`; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        χ²; for "exact" and "mid-p" the smaller of the two discordant counts.
    pvalue : float
        Two-sided p-value.
    n_both_right, n_only_1_right, n_only_2_right, n_both_wrong : int
        Numbers of samples that both, only one, or neither model predicted correctly.
    labels : (str, str) or None
        Names of the two models, if they are known.
    """

    n_both_right: int
    n_only_1_right: int
    n_only_2_right: int
    n_both_wrong: int
    labels: tuple[str, str] | None = None

    @property
    def n(self) -> int:
        """Number of samples."""
        return self.n_both_right + self.n_only_1_right + self.n_only_2_right + self.n_both_wrong

    @property
    def difference(self) -> float:
        """Accuracy of model 1 minus accuracy of model 2."""
        return (self.n_only_1_right - self.n_only_2_right) / self.n

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Bonett and Price's interval of the difference of the two accuracies.

        It adds one sample to each discordant count, which keeps the coverage in small test sets.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Probability that the interval covers the difference.

        Returns
        -------
        low, high : float
            Limits for the difference, clipped to −1 and 1.

        References
        ----------
        Bonett, D. G. and Price, R. M. (2012). Adjusted Wald confidence interval for a difference of
        binomial proportions based on paired data. Journal of Educational and Behavioral Statistics
        37, 479–488. https://doi.org/10.3102/1076998611411915
        """
        level = checks.check_probability("confidence_level", confidence_level)
        # Wald's variance of a paired difference with one sample added to each discordant count.
        first = (self.n_only_1_right + 1) / (self.n + 2)
        second = (self.n_only_2_right + 1) / (self.n + 2)
        middle = first - second
        variance = (first + second - middle**2) / (self.n + 2)
        half_width = two_sided_z(level) * variance**0.5
        return max(-1.0, middle - half_width), min(1.0, middle + half_width)


def mcnemar(
    y_true: ArrayLike,
    pred1: ArrayLike,
    pred2: ArrayLike,
    *,
    method: McNemarMethod = "exact",
    pooled_over_folds: bool = False,
) -> McNemarResult:
    """Test whether two classifiers have the same accuracy, from predictions on one test set.

    The test uses only discordant samples, which exactly one of the two models predicts correctly.
    If the accuracies are equal, each model is equally likely to be the correct one.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    pred1, pred2 : array-like of shape (n_samples,)
        Predictions of both models for the same samples in the same order.
    method : {"exact", "mid-p", "chi2", "chi2_corrected"}, default="exact"
        "exact" is the binomial test, which never exceeds its level. "mid-p" gives half weight to
        the observed count; it is less conservative and in practice keeps its level (at equal counts
        it is 1 − P(count)/2). "chi2" and "chi2_corrected" are approximations for about 25 or more
        discordant samples, the latter with Edwards' continuity correction, which does not apply to
        equal counts.
    pooled_over_folds : bool, default=False
        Whether the predictions are pooled over the folds of a cross-validation, like those of
        scikit-learn's ``cross_val_predict``. If True, a warning says what the test ignores.

    Returns
    -------
    McNemarResult
        Unpacks as ``statistic, pvalue``; has the four counts, `difference` and
        `confidence_interval()`. Without discordant samples p = 1.

    Raises
    ------
    ValueError
        If the arrays are not vectors of equal length ≥ 1 or have missing values, `method` is
        unknown, or predictions cannot be classes of `y_true` (text for numbers, probabilities).

    Warns
    -----
    ComparisonWarning
        With `pooled_over_folds`.

    See Also
    --------
    cochrans_q : For more than two models.
    compare_error_rates : For different, independent test sets.

    Notes
    -----
    Valid for two fitted models and independent test samples. The test compares these two fits, not
    the learning procedures.

    References
    ----------
    McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions
    or percentages. Psychometrika 12, 153–157. https://doi.org/10.1007/BF02295996

    Fagerland, M. W., Lydersen, S. and Laake, P. (2013). The McNemar test for binary matched-pairs
    data: mid-p and asymptotic are better than exact conditional. BMC Medical Research Methodology
    13, 91. https://doi.org/10.1186/1471-2288-13-91

    Examples
    --------
    Only model 1 is right on one sample, only model 2 on seven, and both on thirteen:

    >>> import numpy as np
    >>> from sklearn_stats_compare.stats import mcnemar
    >>> truth = np.ones(21)
    >>> right_1 = np.repeat([1, 0, 1], [1, 7, 13])
    >>> right_2 = np.repeat([0, 1, 1], [1, 7, 13])
    >>> result = mcnemar(truth, right_1, right_2)
    >>> round(result.pvalue, 3), round(result.difference, 3)
    (0.07, -0.286)

    Seven against one is not enough to conclude that model 2 is better.
    """
    checks.check_option("method", method, MCNEMAR_METHODS)
    correct = correct_predictions(y_true, {"pred1": pred1, "pred2": pred2})
    warn_if_pooled(pooled_over_folds)
    first, second = correct
    return mcnemar_of_counts(
        int(np.sum(first & second)),
        int(np.sum(first & ~second)),
        int(np.sum(~first & second)),
        first.size,
        method,
    )


def mcnemar_of_counts(both: int, only_1: int, only_2: int, n: int, method: str) -> McNemarResult:
    """McNemar's test from the numbers of samples that both or only one predicted correctly."""
    # Python integers, because squares of NumPy's overflow from 3·10⁹ samples on.
    statistic, pvalue = MCNEMAR_METHODS[method](int(only_1), int(only_2))
    return McNemarResult(
        statistic=float(statistic),
        # Twice the tail exceeds 1 if both counts are equal or nearly so.
        pvalue=min(1.0, float(pvalue)),
        n_both_right=int(both),
        n_only_1_right=int(only_1),
        n_only_2_right=int(only_2),
        n_both_wrong=int(n - both - only_1 - only_2),
    )


def _exact(only_1: int, only_2: int) -> tuple[float, float]:
    # The binomial with p = 1/2 is symmetric: both tails together are twice the smaller one.
    return min(only_1, only_2), 2 * stats.binom.cdf(min(only_1, only_2), only_1 + only_2, 0.5)


def _mid_p(only_1: int, only_2: int) -> tuple[float, float]:
    least, n = min(only_1, only_2), only_1 + only_2
    if only_1 == only_2:  # the two tails share this count, so that half of it is subtracted once
        return least, 1 - stats.binom.pmf(least, n, 0.5) / 2 if n else 1.0
    return least, 2 * stats.binom.cdf(least, n, 0.5) - stats.binom.pmf(least, n, 0.5)


def _of_chi2(squared: int, n_discordant: int) -> tuple[float, float]:
    statistic = squared / n_discordant if n_discordant else 0.0
    # The upper tail, because 1 − cdf loses the digits of a small p-value.
    return statistic, float(special.chdtrc(1, statistic))


MCNEMAR_METHODS: dict[str, Callable[[int, int], tuple[float, float]]] = {
    "exact": _exact,
    "mid-p": _mid_p,
    "chi2": lambda one, other: _of_chi2((one - other) ** 2, one + other),
    # Like R's mcnemar.test, which corrects only if the counts differ.
    "chi2_corrected": lambda one, other: _of_chi2(max(0, abs(one - other) - 1) ** 2, one + other),
}

# Adjustments that need only p-values. "maxt" needs the joint distribution of t statistics.
_PVALUE_ADJUSTMENTS = tuple(name for name, row in ADJUSTMENTS.items() if not row.joint)


@dataclass(frozen=True, eq=False)
class McNemarPairs:
    """McNemar's tests of all pairs of models, in the order of the models.

    Attributes
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        Numbers of the two models, from 0.
    difference : ndarray of float, shape (n_pairs,)
        Accuracy of the first minus accuracy of the second.
    statistic : ndarray of float, shape (n_pairs,)
        As for `mcnemar`.
    pvalue : ndarray of float, shape (n_pairs,)
        Unadjusted p-values.
    pvalue_adjusted : ndarray of float, shape (n_pairs,)
        p-values adjusted for all pairs.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    difference: NDArray[np.float64]
    statistic: NDArray[np.float64]
    pvalue: NDArray[np.float64]
    pvalue_adjusted: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CochransQResult(StatisticPair):
    """Result of `cochrans_q`; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        Cochran's Q.
    pvalue : float
        Its p-value, from χ².
    df : int
        Degrees of freedom, the number of models minus 1.
    accuracies : ndarray of float, shape (n_models,)
        Accuracy of each model.
    """

    df: int
    accuracies: NDArray[np.float64]
    _correct: NDArray[np.bool_] = field(repr=False)

    def pairwise(
        self, *, method: McNemarMethod = "exact", p_adjust: PAdjust | None = "holm"
    ) -> McNemarPairs:
        """McNemar's test of every pair of the models.

        Parameters
        ----------
        method : {"exact", "mid-p", "chi2", "chi2_corrected"}, default="exact"
            As for `mcnemar`.
        p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by"}, default="holm"
            Correction for the number of pairs.

        Returns
        -------
        McNemarPairs
            Each array has one entry per pair, in the order (0, 1), (0, 2), …, (1, 2) and so on.
        """
        checks.check_option("method", method, MCNEMAR_METHODS)
        checks.check_option("p_adjust", p_adjust, _PVALUE_ADJUSTMENTS)
        n_models, n = self._correct.shape
        first, second = np.triu_indices(n_models, 1)
        # As floats, because NumPy multiplies integers without BLAS. Sums of 0 and 1 are exact.
        counts = self._correct.astype(np.float64)
        both = np.rint(counts @ counts.T).astype(int)
        results = [
            mcnemar_of_counts(
                both=both[i, j],
                only_1=both[i, i] - both[i, j],
                only_2=both[j, j] - both[i, j],
                n=n,
                method=method,
            )
            for i, j in zip(first, second, strict=True)
        ]
        pvalue = np.array([result.pvalue for result in results])
        return McNemarPairs(
            first,
            second,
            difference=np.array([result.difference for result in results]),
            statistic=np.array([result.statistic for result in results]),
            pvalue=pvalue,
            pvalue_adjusted=adjust_pvalues(pvalue, p_adjust),
        )


def cochrans_q(
    y_true: ArrayLike, *preds: ArrayLike, pooled_over_folds: bool = False
) -> CochransQResult:
    """Test whether several classifiers have the same accuracy, from predictions on one test set.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    *preds : array-like of shape (n_samples,)
        Predictions of each model, at least two models.
    pooled_over_folds : bool, default=False
        As for `mcnemar`.

    Returns
    -------
    CochransQResult
        Unpacks as ``statistic, pvalue``; with `accuracies`, and `pairwise()` for McNemar's tests of
        all pairs. If all models are right or wrong on the same samples, Q = 0 and p = 1.

    Raises
    ------
    ValueError
        If there are fewer than two models, or the arrays are invalid as for `mcnemar`.

    Warns
    -----
    ComparisonWarning
        With `pooled_over_folds`.

    Notes
    -----
    Valid for fitted models and independent test samples. The χ² distribution is an approximation:
    (number of models) × (number of samples on which they disagree) should be at least about 24.
    With two models Q is McNemar's uncorrected χ².

    References
    ----------
    Cochran, W. G. (1950). The comparison of percentages in matched samples. Biometrika 37, 256–266.
    https://doi.org/10.1093/biomet/37.3-4.256

    Examples
    --------
    >>> from sklearn_stats_compare.stats import cochrans_q
    >>> truth = [1] * 12
    >>> result = cochrans_q(truth, [1] * 12, [1] * 8 + [0] * 4, [0, 1] * 6)
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (7.0, 0.03)

    The test rejects that the three accuracies are equal. Each pair disagrees on at most six
    samples, which is too few for any pair to be significant:

    >>> result.pairwise().pvalue_adjusted.round(3).tolist()
    [0.25, 0.094, 0.688]
    """
    if len(preds) < 2:
        raise ValueError(
            f"`preds` must be predictions of at least two models; got {len(preds)}. Pass those of "
            "each model as an argument, such as *preds.values() of a mapping."
        )
    correct = correct_predictions(y_true, {f"preds[{k}]": pred for k, pred in enumerate(preds)})
    warn_if_pooled(pooled_over_folds)
    k = len(preds)
    by_model = [int(total) for total in correct.sum(axis=1)]
    by_sample = correct.sum(axis=0)
    # Python integers, so that equal accuracies give exactly 0.
    between = k * sum(total**2 for total in by_model) - sum(by_model) ** 2
    disagreement = int((by_sample * (k - by_sample)).sum())
    statistic = (k - 1) * between / disagreement if disagreement else 0.0
    return CochransQResult(
        statistic=statistic,
        # The upper tail keeps the digits of a small p-value.
        pvalue=float(special.chdtrc(k - 1, statistic)),
        df=k - 1,
        accuracies=np.array(by_model) / correct.shape[1],
        _correct=correct,
    )


Curve = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class DeLongResult(StatisticPair):
    """Result of `delong`; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        z of the difference; 0 for identical rankings, ±inf for a difference with variance 0.
    pvalue : float
        p-value for the chosen alternative; NaN for a difference with variance 0.
    auc1, auc2 : float
        Areas under the ROC curves of both models.
    var1, var2, cov : float
        DeLong's estimates of the variances and the covariance of the areas.
    curve1, curve2 : tuple of ndarray
        False and true positive rates of both models, from (0, 0) to (1, 1).
    labels : (str, str) or None
        Names of the two models, if they are known.
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
    labels: tuple[str, str] | None = None

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
            Limits for `difference` by the normal approximation, clipped to −1 and 1; NaN if the
            estimated variance is 0.
        """
        level = checks.check_probability("confidence_level", confidence_level)
        if self.variance == 0:
            return np.nan, np.nan
        half_width = two_sided_z(level) * sqrt(self.variance)
        # For areas near 0 and 1 the normal interval may exceed the range of a difference.
        return max(-1.0, self.difference - half_width), min(1.0, self.difference + half_width)


def delong(
    y_true: ArrayLike,
    score1: ArrayLike,
    score2: ArrayLike,
    *,
    pos_label: Any = None,
    alternative: checks.Alternative = "two-sided",
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
    sklearn_stats_compare.cross_validate_models : For models under cross-validation.

    Notes
    -----
    Valid for two fitted models and independent test samples. The normal approximation is poor for
    areas near 1 with few samples and for few samples of a class: with 3 positives it calls equal
    areas different in 11.5 %, with 5 or 10 in 8 %, at a nominal 5 %. If a model separates the
    classes perfectly, the estimated variance of its area is 0. If that of the difference is 0,
    there is no p-value. Not valid for nested models that were fitted to the test samples. Scores of
    several fits are not on one scale. An area over scores pooled over folds is therefore not the
    area of any model, and raises an error.

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
    >>> from sklearn_stats_compare.stats import delong
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = delong(truth, [1, 2, 3, 6, 4, 5, 7, 8], [1, 3, 6, 7, 2, 4, 5, 8])
    >>> result.auc1, result.auc2, round(result.pvalue, 3)
    (0.875, 0.5625, 0.114)

    The areas are 0.88 and 0.56, but with eight samples the difference is not significant.
    """
    if checks.check_flag("pooled_over_folds", pooled_over_folds):
        raise ValueError(
            "`pooled_over_folds` must be False here; got True. Scores from different folds are not "
            "on one scale, and no model has their pooled ranking. Compare the area per split with "
            "cross_validate_models(models, X, y, scoring='roc_auc')."
        )
    checks.check_option("alternative", alternative, checks.ALTERNATIVES)
    checks.check_same_index([("y_true", y_true), ("score1", score1), ("score2", score2)])
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
    truth = checks.check_classes("y_true", y_true)
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
        raise checks.wrong("pos_label", f"be one of {classes.tolist()}", pos_label)
    return np.asarray(truth == pos_label)


def _is_same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:  # an array, pandas' NA, or an object that raises anything
        return False


def _checked_scores(name: str, scores: ArrayLike, n: int) -> NDArray[np.float64]:
    array = checks.check_numbers(name, scores)
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


Fold = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


def delong_of_folds(
    folds: Sequence[Fold], *, alternative: checks.Alternative = "two-sided"
) -> DeLongResult:
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
    variances: dict[str, Any] = {
        name: mean(name) / n_folds for name in ("var1", "var2", "cov", "variance")
    }
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
    return np.where(turns, true[point], np.interp(at, false, true))


# Pooled predictions come from `cross_val_predict`. Its documentation also warns against using them
# to measure generalisation error.
_POOLED = (
    "Predictions pooled over folds come from several fits of each model, but this test assumes a "
    "single fit: it ignores how the models vary with their training data. For models under "
    'cross-validation use test="samples", which includes that variation, or compare scores per '
    "split with cross_validate_models or corrected_ttest."
)


def correct_predictions(y_true: ArrayLike, preds: dict[str, ArrayLike]) -> NDArray[np.bool_]:
    """Which samples each model predicted correctly, shape (n_models, n_samples)."""
    checks.check_same_index([("y_true", y_true), *preds.items()])
    truth = checks.check_classes("y_true", y_true)
    rows = []
    for name, pred in preds.items():
        row = checks.check_classes(name, pred)
        if row.shape != truth.shape:
            raise ValueError(
                f"`{name}` must have one prediction per entry of `y_true`, {truth.size}; "
                f"got {row.size}."
            )
        checks.check_same_kind(name, row, truth)
        # Of many classes some may be in one of them alone; -1 and 1 for 0 and 1 are another coding.
        known, unknown = np.unique(truth), np.setdiff1d(row, truth)
        if known.size == 2 and unknown.size and np.setdiff1d(truth, row).size:
            rule = f"be classes of `y_true`, which are {checks.shown_list(map(str, known))}"
            raise checks.wrong(name, rule, unknown.tolist()[0])
        fractions = row[row % 1 != 0] if row.dtype.kind == "f" else row[:0]
        if fractions.size and not np.isin(fractions, truth).any():
            raise ValueError(
                f"`{name}` must be classes, as those of `y_true`; got {fractions[0]:g}."
            )
        # The check is needed because NumPy compares text with numbers as False everywhere.
        rows.append(truth == row)
    return np.array(rows, dtype=bool)


def warn_if_pooled(pooled_over_folds: bool) -> None:
    """Check the flag, and warn if the predictions come from several fits of each model."""
    if checks.check_flag("pooled_over_folds", pooled_over_folds):
        checks.warn_user(_POOLED, "pooled-predictions")
