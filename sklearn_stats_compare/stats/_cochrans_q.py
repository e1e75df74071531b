"""Cochran's Q test of several classifiers on one test set, and McNemar's tests of their pairs."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from sklearn_stats_compare._messages import check_option
from sklearn_stats_compare.stats._mcnemar import MCNEMAR_METHODS, mcnemar_of_counts
from sklearn_stats_compare.stats._multiplicity import ADJUSTMENTS, adjust_pvalues
from sklearn_stats_compare.stats._pair import StatisticPair
from sklearn_stats_compare.stats._predictions import correct_predictions, warn_if_pooled

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
            Each array has one entry per pair, in the order (0, 1), (0, 2), …, (1, 2) and so on.
        """
        check_option("method", method, MCNEMAR_METHODS)
        check_option("p_adjust", p_adjust, _PVALUE_ADJUSTMENTS)
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
    >>> from sklearn_stats_compare import cochrans_q
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
        raise ValueError(f"`preds` must be predictions of at least two models; got {len(preds)}.")
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
