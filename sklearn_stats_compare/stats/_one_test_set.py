"""Classifiers on one common test set: McNemar's test of two, Cochran's Q of several."""

import warnings
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_classes,
    check_flag,
    check_option,
    check_same_kind,
    outside_level,
)
from sklearn_stats_compare.stats._mcnemar import (
    MCNEMAR_METHODS,
    McNemarResult,
    of_counts,
)
from sklearn_stats_compare.stats._multiplicity import ADJUSTMENTS, adjust_pvalues
from sklearn_stats_compare.stats._pair import StatisticPair

_POOLED = (
    "Predictions pooled over folds come from several fits of each model: this test takes them for "
    "predictions of one, and so ignores how the models vary with their training data. For models "
    "under cross-validation compare scores per split, with cross_validate_models or "
    "corrected_ttest."
)


def mcnemar(
    y_true: ArrayLike,
    pred1: ArrayLike,
    pred2: ArrayLike,
    *,
    method: str = "exact",
    pooled_over_folds: bool = False,
) -> McNemarResult:
    """Test whether two classifiers have the same accuracy, from predictions on one test set.

    Only samples that exactly one of the two predicts correctly tell them apart; under equality each
    model is as likely as the other to be that one.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Classes.
    pred1, pred2 : array-like of shape (n_samples,)
        Predictions of both models for the same samples in the same order.
    method : {"exact", "mid-p", "chi2", "chi2_corrected"}, default="exact"
        "exact" is binomial and never rejects too often; "mid-p" gives half weight to the observed
        count, which is less cautious and in practice rejects no more often than it says (at equal
        counts it is 1 − P(count)/2); "chi2" and "chi2_corrected", Edwards' correction for
        continuity, are approximations for some 25 discordant samples and more. Where both models
        are ahead equally often nothing is corrected.
    pooled_over_folds : bool, default=False
        Whether the predictions are pooled over the folds of a cross-validation, as those of
        scikit-learn's ``cross_val_predict``: then a warning says what the test ignores.

    Returns
    -------
    McNemarResult
        Unpacks as ``statistic, pvalue``; with the four counts, `difference` and
        `confidence_interval()`. Without discordant samples p = 1.

    Raises
    ------
    ValueError
        If the arrays are not vectors of one length ≥ 1, hold missing values, `method` is unknown,
        or predictions are not of the kind of the classes: text beside numbers, or probabilities.

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
    Valid for two fitted models and independent test samples. It compares these two fits, not the
    ways in which they were trained.

    References
    ----------
    McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions
    or percentages. Psychometrika 12, 153–157. https://doi.org/10.1007/BF02295996

    Fagerland, M. W., Lydersen, S. and Laake, P. (2013). The McNemar test for binary matched-pairs
    data: mid-p and asymptotic are better than exact conditional. BMC Medical Research Methodology
    13, 91. https://doi.org/10.1186/1471-2288-13-91

    Examples
    --------
    Model 1 alone is right on one sample, model 2 alone on seven, both on thirteen:

    >>> import numpy as np
    >>> from sklearn_stats_compare import mcnemar
    >>> truth = np.ones(21)
    >>> right_1 = np.repeat([1, 0, 1], [1, 7, 13])
    >>> right_2 = np.repeat([0, 1, 1], [1, 7, 13])
    >>> result = mcnemar(truth, right_1, right_2)
    >>> round(result.pvalue, 3), round(result.difference, 3)
    (0.07, -0.286)

    Seven to one is not yet enough to call model 2 better.
    """
    check_option("method", method, MCNEMAR_METHODS)
    correct = _correct(y_true, {"pred1": pred1, "pred2": pred2})
    _tell_pooled(pooled_over_folds)
    first, second = correct
    return of_counts(
        int(np.sum(first & second)),
        int(np.sum(first & ~second)),
        int(np.sum(~first & second)),
        first.size,
        method,
    )


@dataclass(frozen=True, eq=False)
class McNemarPairs:
    """McNemar's tests of all pairs of several models, in the order of the models.

    Attributes
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        Numbers of the two models, from 0.
    difference : ndarray of float, shape (n_pairs,)
        Accuracy of the first minus accuracy of the second.
    statistic : ndarray of float, shape (n_pairs,)
        As for `mcnemar`.
    pvalue : ndarray of float, shape (n_pairs,)
        p-values of the single tests.
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

    def pairwise(self, *, method: str = "exact", p_adjust: str | None = "holm") -> McNemarPairs:
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
            An entry of each array per pair, in the order (0, 1), (0, 2), …, (1, 2) and so on.
        """
        check_option("method", method, MCNEMAR_METHODS)
        check_option("p_adjust", p_adjust, _OF_PVALUES)
        n_models, n = self._correct.shape
        first, second = np.triu_indices(n_models, 1)
        counts = self._correct.astype(np.float64)
        both = np.rint(counts @ counts.T).astype(int)
        results = [
            of_counts(both[i, j], both[i, i] - both[i, j], both[j, j] - both[i, j], n, method)
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
        Classes.
    *preds : array-like of shape (n_samples,)
        Predictions of each model, two models or more.
    pooled_over_folds : bool, default=False
        As for `mcnemar`.

    Returns
    -------
    CochransQResult
        Unpacks as ``statistic, pvalue``; with `accuracies`, and `pairwise()` for McNemar's tests of
        all pairs. Where every sample is right for all models or wrong for all, Q = 0 and p = 1.

    Raises
    ------
    ValueError
        If there are fewer than two models, or for the arrays as in `mcnemar`.

    Warns
    -----
    ComparisonWarning
        With `pooled_over_folds`.

    Notes
    -----
    Valid for fitted models and independent test samples, approximately: χ² wants some 24 and more
    of (number of models × samples on which they disagree). With two models Q is McNemar's
    uncorrected χ².

    References
    ----------
    Cochran, W. G. (1950). The comparison of percentages in matched samples. Biometrika 37, 256–266.
    https://doi.org/10.1093/biomet/37.3-4.256

    Examples
    --------
    >>> from sklearn_stats_compare import cochrans_q
    >>> truth = [1] * 12
    >>> result = cochrans_q(truth, [1] * 12, [1] * 8 + [0] * 4, [0, 1] * 6)
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (7.0, 0.03)

    The three are not all alike, though six or fewer disagreements settle no single pair:

    >>> result.pairwise().pvalue_adjusted.round(3).tolist()
    [0.25, 0.094, 0.688]
    """
    if len(preds) < 2:
        raise ValueError(f"`preds` must be of at least two models; got {len(preds)}.")
    correct = _correct(y_true, {f"preds[{k}]": pred for k, pred in enumerate(preds)})
    _tell_pooled(pooled_over_folds)
    k = len(preds)
    by_model = [int(total) for total in correct.sum(axis=1)]
    by_sample = correct.sum(axis=0)
    # Whole numbers of any size, so that equal accuracies give exactly 0.
    between = k * sum(total**2 for total in by_model) - sum(by_model) ** 2
    disagreement = int((by_sample * (k - by_sample)).sum())
    statistic = (k - 1) * between / disagreement if disagreement else 0.0
    return CochransQResult(
        statistic=statistic,
        pvalue=float(special.chdtrc(k - 1, statistic)),
        df=k - 1,
        accuracies=np.array(by_model) / correct.shape[1],
        _correct=correct,
    )


_OF_PVALUES = tuple(name for name, row in ADJUSTMENTS.items() if not row.joint)


def _correct(y_true: ArrayLike, preds: dict[str, ArrayLike]) -> NDArray[np.bool_]:
    """Whether each model predicted each sample correctly, shape (n_models, n_samples)."""
    truth = check_classes("y_true", y_true)
    rows = []
    for name, pred in preds.items():
        row = check_classes(name, pred)
        if row.shape != truth.shape:
            raise ValueError(
                f"`{name}` must have one prediction per entry of `y_true`, {truth.size}; "
                f"got {row.size}."
            )
        check_same_kind(name, row, truth)
        rows.append(truth == row)
    return np.array(rows, dtype=bool)


def _tell_pooled(pooled_over_folds: bool) -> None:
    if check_flag("pooled_over_folds", pooled_over_folds):
        warnings.warn(_POOLED, ComparisonWarning, stacklevel=outside_level())
