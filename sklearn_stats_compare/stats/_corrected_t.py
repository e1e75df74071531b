"""Nadeau and Bengio's corrected paired t-test, for one pair and for all pairs at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from sklearn_stats_compare._messages import (
    ALTERNATIVES,
    check_numbers,
    check_option,
    check_probability,
)
from sklearn_stats_compare.stats._agreed_samples import agreement_reach
from sklearn_stats_compare.stats._limits import ROUNDING
from sklearn_stats_compare.stats._moments import Moments, in_units
from sklearn_stats_compare.stats._posterior import RopeProbabilities, rope_probabilities
from sklearn_stats_compare.stats._ranked_moments import RankedMoments
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._splits import SplitDesign
from sklearn_stats_compare.stats._student import small_tail, standardise


@dataclass(frozen=True)
class CorrectedTTestResult:
    """Result of `corrected_ttest`.

    Attributes
    ----------
    statistic : float
        Corrected t; 0 if the scores are identical.
    pvalue : float
        p-value for the chosen alternative.
    df : int
        Degrees of freedom, n_splits − 1.
    mean_diff : float
        Mean of `scores_1 - scores_2`, in score units.
    std_err : float
        Corrected standard error of `mean_diff`, in score units; 0 only if the scores are identical.
    """

    statistic: float
    pvalue: float
    df: int
    mean_diff: float
    std_err: float
    _n_agreed: float = field(default=np.inf, repr=False)

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Two-sided confidence interval of the mean difference, in score units.

        For identical scores it contains every difference that n samples could have missed: its
        half-width is 1 − (tail probability)^(1/n), or 0 if a score is beyond ±1.
        """
        tail = (1 - check_probability("confidence_level", confidence_level)) / 2
        # With standard error 0 the critical value does not matter, even if it is infinite.
        if self.std_err:
            half_width = float(stats.t.isf(tail, self.df)) * self.std_err
        else:
            half_width = float(agreement_reach(tail, self._n_agreed))
        return self.mean_diff - half_width, self.mean_diff + half_width


def corrected_ttest(
    scores_1: ArrayLike,
    scores_2: ArrayLike,
    *,
    n_train: ArrayLike,
    n_test: ArrayLike,
    n_samples: int | None = None,
    alternative: str = "two-sided",
) -> CorrectedTTestResult:
    """Test whether two models differ in mean score over the splits of one data set.

    The splits of a cross-validation share samples. The split differences are therefore not
    independent, and the ordinary paired t-test rejects far too often. Nadeau and Bengio correct the
    standard error to s·√(1/J + q), with q = Σ n_test / Σ n_train over all J splits. If splits use
    only part of the n samples, q is n_test/(n − n_test); see `SplitDesign.overlap_ratio`.

    Parameters
    ----------
    scores_1, scores_2 : array-like of float, shape (n_splits,)
        Scores of the two models on the same splits, higher is better.
    n_train, n_test : int or array-like of int, shape (n_splits,)
        Number of training and of test samples of each split.
    n_samples : int, optional
        Number of samples from which the splits are drawn, n. Default: n_train + n_test.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": model 1 scores higher. If you choose the direction after looking at the scores, a
        one-sided p-value is up to two times too small.

    Returns
    -------
    CorrectedTTestResult
        With `statistic`, `pvalue`, `df`, `mean_diff`, `std_err` and `confidence_interval()`.

    Raises
    ------
    ValueError
        If the scores are not two vectors of equal length ≥ 2, `n_samples` is smaller than a
        training or test set, or an option is unknown.

    Notes
    -----
    The test is approximately valid for k-fold and random-subsampling cross-validation of models
    whose errors are stable under small changes of the training set. It is a heuristic if the
    training sets grow (time series) or test sizes are very uneven. It is not a test of two fitted
    models. NaN scores give NaN.

    A difference that is the same on all J splits has standard deviation 0, but coarse scores, such
    as accuracies on small test sets, often agree by chance. Such a difference is treated as K equal
    signs: the two-sided p-value is 2^(1 − K), and the standard error is the one with this p-value.
    K is the number of splits with different test samples, the smaller of 1 + n_train/n_test and J.
    The same rule applies to scores between −1 and 1 whose difference varies by less than 1/n_test
    of its size, as equal counts do if test sets differ by one sample.

    Identical scores have standard error 0 and p-value 1. Models whose true scores differ by δ agree
    on n samples with probability up to (1 − δ)ⁿ, from which the interval is computed.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239–281. https://doi.org/10.1023/A:1024068626366

    Bouckaert, R. R. and Frank, E. (2004). Evaluating the replicability of significance tests for
    comparing learning algorithms. PAKDD 2004. https://doi.org/10.1007/978-3-540-24775-3_3

    Examples
    --------
    Five folds of 100 samples each; the mean difference is 0.02.

    >>> from sklearn_stats_compare import corrected_ttest
    >>> result = corrected_ttest(
    ...     [0.83, 0.81, 0.86, 0.80, 0.85], [0.80, 0.80, 0.84, 0.79, 0.82], n_train=400, n_test=100
    ... )
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (2.981, 0.041)

    The uncorrected test, which treats the differences as independent, gives t = 4.472 and p =
    0.011. After the correction, the evidence from five folds is weak.
    """
    check_option("alternative", alternative, ALTERNATIVES)
    first, second = check_numbers("scores_1", scores_1), check_numbers("scores_2", scores_2)
    if first.ndim != 1 or first.shape != second.shape or first.size < 2:
        raise ValueError(
            "`scores_1` and `scores_2` must be vectors of equal length, at least 2; "
            f"got shapes {first.shape} and {second.shape}."
        )
    sizes = [_for_each_split(n, first.size) for n in (n_train, n_test)]
    design = SplitDesign(sizes[0], sizes[1], n_samples=n_samples)
    scores = SplitScores(np.stack([first, second]), design)
    tests = PairedTTests.against(scores, 0, np.array([1]))
    return CorrectedTTestResult(
        statistic=float(tests.statistic[0]),
        pvalue=float(tests.pvalue(alternative)[0]),
        df=tests.df,
        mean_diff=float(tests.mean_diff[0]),
        std_err=float(tests.std_err[0]),
        _n_agreed=tests.n_agreed,
    )


def _for_each_split(size: Any, n_splits: int) -> Any:
    """Repeat a scalar size for each split; return other values as they are, to be checked later."""
    try:
        single = np.ndim(size) == 0
    except ValueError:  # rows of different lengths
        single = False
    return np.full(n_splits, size) if single else size


@dataclass(frozen=True, eq=False)
class PairedTTests:
    """Corrected t-tests of many pairs, each as first − second.

    Attributes
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        Candidates of each pair.
    mean_diff, std : ndarray of float, shape (n_pairs,)
        Mean and standard deviation (ddof=1) of the split differences. Rounding error counts as
        zero, so that both are exactly 0 for identical candidates. NaN if a candidate is missing. If
        a difference is `constant`, `std` is set so that K equal differences count as K equal signs
        (two-sided p = 2^(1 − K)), with K the number of splits of one repeat.
    constant : ndarray of bool, shape (n_pairs,)
        Whether the difference is not zero but varies by no more than equal counts do.
    df : int or ndarray of float, shape (n_pairs,)
        Degrees of freedom; J − 1 for tests of split scores.
    variance_factor : float or ndarray of float, shape (n_pairs,)
        Variance of the mean over the variance of a split: 1/J + q for the corrected test.
    n_agreed : float, default=inf
        Number of samples on which candidates with the same score on every split agree; infinite if
        such agreement shows that they are equivalent. See `SplitScores.n_agreed`.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    mean_diff: NDArray[np.float64]
    std: NDArray[np.float64]
    constant: NDArray[np.bool_]
    df: Any
    variance_factor: Any
    n_agreed: float = field(default=np.inf, kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        # Without cached properties.
        return {each.name: vars(self)[each.name] for each in fields(self)}

    @classmethod
    def all_pairs(cls, scores: SplitScores) -> "PairedTTests":
        """Every pair of candidates in rank order: (1st, 2nd), (1st, 3rd), …, (2nd, 3rd), …."""
        m = scores.n_candidates
        return next(cls.in_chunks(scores, max(m * (m - 1) // 2, 1)))

    @classmethod
    def in_chunks(cls, scores: SplitScores, chunk_size: int) -> Iterator["PairedTTests"]:
        """Yield the pairs of `all_pairs`, bit-identical and in its order, `chunk_size` at a time.

        Needs memory for the scores and one chunk. The last chunk may be smaller; if there are no
        pairs, one empty chunk is returned.
        """
        order, rows = scores.order, RankedMoments(scores)
        m, unit, moments = len(order), rows.unit, rows.moments
        n_pairs = m * (m - 1) // 2
        i, j = 0, 1  # the next pair, in rank order
        for start in range(0, max(n_pairs, 1), chunk_size):
            size = min(chunk_size, n_pairs - start)
            first, second = np.empty(size, dtype=order.dtype), np.empty(size, dtype=order.dtype)
            mean_diff, std = np.empty(size), np.empty(size)
            constant = np.empty(size, dtype=bool)
            done = 0
            while done < size:
                others = slice(j, min(m, j + size - done))
                pairs = slice(done, done + others.stop - j)
                mean_diff[pairs], std[pairs], constant[pairs] = rows(i, others)
                first[pairs], second[pairs] = order[i], order[others]
                done, j = pairs.stop, others.stop
                if j == m:
                    i, j = i + 1, i + 2
            yield cls(
                first,
                second,
                mean_diff * unit,
                std * unit,
                constant,
                moments.df,
                moments.variance_factor,
                n_agreed=scores.n_agreed,
            )

    @classmethod
    def against(cls, scores: SplitScores, i: int, others: NDArray[np.intp]) -> "PairedTTests":
        """Candidate `i` minus each of `others`; no other pair is computed."""
        unit, (row, rest) = in_units(scores.comparable(np.array([i])), scores.comparable(others))
        threshold = ROUNDING * np.maximum(np.abs(row).max(axis=1), np.abs(rest).max(axis=1))
        moments = Moments.of(scores)
        mean_diff, std, constant = moments(row - rest, threshold)
        return cls(
            np.full(len(others), i),
            np.asarray(others),
            mean_diff * unit,
            std * unit,
            constant,
            moments.df,
            moments.variance_factor,
            n_agreed=scores.n_agreed,
        )

    def with_variance_factor(self, factor: float) -> "PairedTTests":
        """Return the same pairs with another variance factor.

        A constant difference still counts as the same number of signs.
        """
        std = self.std.copy()
        std[self.constant] *= np.sqrt(self.variance_factor / factor)
        return replace(self, std=std, variance_factor=factor)

    @cached_property
    def std_err(self) -> NDArray[np.float64]:
        """Standard error of the mean difference, s·√variance_factor."""
        # A standard deviation of 0 stays 0, even if the factor is infinite.
        factor = np.sqrt(self.variance_factor)
        return np.multiply(self.std, factor, out=np.zeros_like(self.std), where=self.std != 0)

    @cached_property
    def statistic(self) -> NDArray[np.float64]:
        """t = mean / standard error; 0 if both are zero."""
        return standardise(self.mean_diff, self.std_err)

    @property
    def direction(self) -> NDArray[np.float64]:
        """Positive if a significant test shows the first to be better, negative for the second."""
        return self.mean_diff

    @cached_property
    def tail(self) -> NDArray[np.float64]:
        """P(T > |t|), from which every p-value is computed."""
        return small_tail(self.statistic, self.df)

    def pvalue(self, alternative: str) -> NDArray[np.float64]:
        """p-values for an alternative, shape (n_pairs,)."""
        if alternative == "two-sided":
            return 2 * self.tail
        with_direction = self.statistic >= 0 if alternative == "greater" else self.statistic <= 0
        return np.where(with_direction, self.tail, 1 - self.tail)

    def rope_probabilities(self, rope: tuple[float, float]) -> RopeProbabilities:
        """Posterior probabilities below, inside and above the ROPE, each of shape (n_pairs,)."""
        return rope_probabilities(self.mean_diff, self.std_err, self.df, rope, self.n_agreed)
