"""Nadeau and Bengio's corrected t-test and the posterior, for one pair and for all at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special, stats

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare._utils._formatting import plus_minus
from sklearn_stats_compare.stats._numeric import (
    LARGEST,
    MANY,
    ROUNDING,
    Flags,
    Numbers,
    Places,
    parts,
    ranked_pairs,
    same_tail,
    small_tail,
    standardise,
)
from sklearn_stats_compare.stats._scores import (
    Moments,
    RankedMoments,
    SplitDesign,
    SplitScores,
    in_units,
)


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
    _n_counted: float = field(default=np.inf, repr=False)

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Two-sided confidence interval of the mean difference, in score units.

        If all scores are numbers of correct samples over their number, as accuracies are, limits
        beyond 0 are at least those of Clopper and Pearson for models that differ in one direction
        only. For identical scores between −1 and 1 the limits are ±(1 − tail^(1/n)), which n
        samples could have missed.
        """
        tail = (1 - checks.check_probability("confidence_level", confidence_level)) / 2
        critical = float(stats.t.isf(tail, self.df))
        difference, std_err = np.array([self.mean_diff]), np.array([self.std_err])
        low, high = (
            sign
            * float(upper_limit(sign * difference, std_err, critical, tail, self._n_counted)[0])
            for sign in (-1, 1)
        )
        return low, high


def corrected_ttest(
    scores_1: ArrayLike,
    scores_2: ArrayLike,
    *,
    n_train: ArrayLike,
    n_test: ArrayLike,
    n_samples: int | None = None,
    alternative: checks.Alternative = "two-sided",
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
    training sets grow (time series) or test sizes are very uneven. NaN scores give NaN.

    The test is of the models fitted on the splits, on average over them, not of two models fitted
    on all samples. What their algorithms would give on other data sets it may miss more often, as
    `SampleTTest` does; see its Notes.

    A difference that is the same on all J splits has standard deviation 0, but coarse scores, such
    as accuracies on small test sets, often agree by chance. Such a difference is treated as K equal
    signs: the two-sided p-value is 2^(1 − K), and the standard error is the one with this p-value.
    K is the number of splits with different test samples, the smaller of 1 + n_train/n_test and J.
    The same rule applies to equal counts on test sets of different size, and to other scores
    between −1 and 1 whose difference is at most 0.6/√n_test and varies by less than 1.5/n_test of
    its size, as equal counts of a class do.

    Identical scores have standard error 0 and two-sided p-value 1. Models whose true scores differ
    by δ agree on n samples with probability up to (1 − δ)ⁿ, from which the interval is computed.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239–281. https://doi.org/10.1023/A:1024068626366

    Bouckaert, R. R. and Frank, E. (2004). Evaluating the replicability of significance tests for
    comparing learning algorithms. PAKDD 2004. https://doi.org/10.1007/978-3-540-24775-3_3

    Examples
    --------
    Five folds of 100 samples each; the mean difference is 0.02.

    >>> from sklearn_stats_compare.stats import corrected_ttest
    >>> result = corrected_ttest(
    ...     [0.83, 0.81, 0.86, 0.80, 0.85], [0.80, 0.80, 0.84, 0.79, 0.82], n_train=400, n_test=100
    ... )
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (2.981, 0.041)

    The uncorrected test, which treats the differences as independent, gives t = 4.472 and p =
    0.011. After the correction, the evidence from five folds is weak.
    """
    checks.check_option("alternative", alternative, checks.ALTERNATIVES)
    given = (("n_train", n_train), ("n_test", n_test))
    listed = [(name, own) for name, own in given if hasattr(own, "__len__")]
    checks.check_same_index([("scores_1", scores_1), ("scores_2", scores_2), *listed])
    first = checks.check_numbers("scores_1", scores_1)
    second = checks.check_numbers("scores_2", scores_2)
    if first.ndim != 1 or first.shape != second.shape or first.size < 2:
        raise ValueError(
            "`scores_1` and `scores_2` must be vectors of equal length, at least 2; "
            f"got shapes {first.shape} and {second.shape}."
        )
    sizes = [_for_each_split(n, first.size) for n in (n_train, n_test)]
    design = SplitDesign(sizes[0], sizes[1], n_samples=n_samples)
    tests = PairedTTests.against(SplitScores(np.stack([first, second]), design), 0, np.array([1]))
    return CorrectedTTestResult(
        statistic=float(tests.statistic[0]),
        pvalue=float(tests.pvalue(alternative)[0]),
        df=tests.df,
        mean_diff=float(tests.mean_diff[0]),
        std_err=float(tests.std_err[0]),
        _n_counted=float(tests.n_counted[0]),
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
    n_shared : float, default=inf
        Number of samples of which all scores are shares, infinite if they are not. See
        `SplitScores.n_shared`.
    n_rows : float, default=0.0
        The same, but of samples and not of groups.
    unit : float, default=1.0
        Largest difference of two values of a sample. See `SplitScores.unit`.
    """

    first: Places
    second: Places
    mean_diff: Numbers
    std: Numbers
    constant: Flags
    df: Any
    variance_factor: Any
    n_agreed: float = field(default=np.inf, kw_only=True)
    n_shared: float = field(default=np.inf, kw_only=True)
    n_rows: float = field(default=0.0, kw_only=True)
    unit: float = field(default=1.0, kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        # Without cached properties.
        return {each.name: vars(self)[each.name] for each in fields(self)}

    @classmethod
    def all_pairs(cls, scores: SplitScores) -> "PairedTTests":
        """Every pair of candidates in rank order: (1st, 2nd), (1st, 3rd), …, (2nd, 3rd), …."""
        m = scores.n_candidates
        return next(cls.in_chunks(scores, max(m * (m - 1) // 2, 1)))

    @classmethod
    def in_chunks(cls, scores: SplitScores, chunk_size: int) -> "Iterator[PairedTTests]":
        """Yield the pairs of `all_pairs`, bit-identical and in its order, `chunk_size` at a time.

        Needs memory for the scores and one chunk. The last chunk may be smaller; if there are no
        pairs, one empty chunk is returned.
        """
        order, rows = scores.order, RankedMoments(scores)
        unit, moments = rows.unit, rows.moments
        for size, of_rows in ranked_pairs(len(order), chunk_size):
            first, second = np.empty(size, dtype=order.dtype), np.empty(size, dtype=order.dtype)
            mean_diff, std = np.empty(size), np.empty(size)
            constant = np.empty(size, dtype=bool)
            for i, others, pairs in of_rows:
                mean_diff[pairs], std[pairs], constant[pairs] = rows(i, others)
                first[pairs], second[pairs] = order[i], order[others]
            yield cls(
                first,
                second,
                mean_diff * unit,
                std * unit,
                constant,
                moments.df,
                moments.variance_factor,
                n_agreed=scores.n_agreed,
                n_shared=scores.n_shared,
                n_rows=scores.n_rows,
                unit=scores.unit,
            )

    @classmethod
    def against(cls, scores: SplitScores, i: int, others: Places) -> "PairedTTests":
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
            n_shared=scores.n_shared,
            n_rows=scores.n_rows,
            unit=scores.unit,
        )

    def with_variance_factor(self, factor: float) -> "PairedTTests":
        """Return the same pairs with another variance factor.

        A constant difference still counts as the same number of signs.
        """
        std = self.std.copy()
        std[self.constant] *= np.sqrt(self.variance_factor / factor)
        return replace(self, std=std, variance_factor=factor)

    @cached_property
    def std_err(self) -> Numbers:
        """Standard error of the mean difference, s·√variance_factor."""
        # A standard deviation of 0 stays 0, even if the factor is infinite.
        factor = np.sqrt(self.variance_factor)
        return np.multiply(self.std, factor, out=np.zeros_like(self.std), where=self.std != 0)

    @cached_property
    def statistic(self) -> Numbers:
        """t = mean / standard error; 0 if both are zero."""
        return standardise(self.mean_diff, self.std_err)

    def statistic_at(self, df: int) -> Numbers:
        """The statistics with `df` degrees of freedom that have the same tails."""
        return same_tail(self.statistic, self.df, df)

    @property
    def n_counted(self) -> Numbers:
        """For each pair the number of samples in `limit_pvalue`; infinite if it does not apply.

        It applies if the scores are shares, and to candidates with the same score on every split.
        Of groups it is `effective_number`.
        """
        n = effective_number(np.abs(self.mean_diff), self.std_err, self.n_shared, self.n_rows)
        return np.where(self.std == 0, self.n_agreed, n)

    @property
    def direction(self) -> Numbers:
        """Positive if a significant test shows the first to be better, negative for the second."""
        return self.mean_diff

    @cached_property
    def tail(self) -> Numbers:
        """P(T > |t|), from which every p-value is computed."""
        return small_tail(self.statistic, self.df)

    def pvalue(self, alternative: str) -> Numbers:
        """p-values for an alternative, shape (n_pairs,)."""
        if alternative == "two-sided":
            return 2 * self.tail
        with_direction = self.statistic >= 0 if alternative == "greater" else self.statistic <= 0
        return np.where(with_direction, self.tail, 1 - self.tail)

    def rope_probabilities(self, rope: tuple[float, float]) -> "RopeProbabilities":
        """Posterior probabilities below, inside and above the ROPE, each of shape (n_pairs,)."""
        own = self.mean_diff, self.std_err, self.df
        return rope_probabilities(*own, rope, self.n_agreed, self.unit)


def effective_number(share: Numbers, std_err: Numbers, n_groups: float, n_rows: float) -> Numbers:
    """Number of independent samples with which a share has this standard error.

    It is from the number of groups, of which a few may be all wrong, to that of samples. The
    standard error shows it if it is that of `MANY` independent samples in this share, or more.
    Two thirds of it count, because the standard error is an estimate: claims about simulated groups
    that are partly wrong then keep their level.
    """
    square = 1.5 * std_err**2
    found = np.divide(share * (1 - share), square, out=np.zeros_like(share), where=square > 0)
    found = np.where(share**2 >= MANY * std_err**2, found, 0.0)
    return np.clip(found, n_groups, max(n_groups, n_rows))


_MOST_DRAWS = 10**10

_PAIRS_AT_ONCE = 20_000


class RopeProbabilities(NamedTuple):
    """Probabilities, summing to 1, that model 1 is worse, practically equivalent, or better."""

    worse: Any
    rope: Any
    better: Any


def rope_probabilities(
    loc: Numbers,
    scale: Numbers,
    df: Any,
    rope: tuple[float, float],
    n_agreed: float = np.inf,
    unit: float = 1.0,
) -> RopeProbabilities:
    """Probabilities below, inside and above the ROPE for many posteriors at once.

    Each tail is evaluated on its small side, so that small probabilities keep their digits, also
    for a ROPE far out in a tail. A posterior with `scale` 0 is that of `n_agreed` samples on which
    two models agree, or a point mass if their number is infinite. A point mass on the boundary of a
    ROPE is inside.
    """
    n = np.size(loc)
    if n > _PAIRS_AT_ONCE:
        # In chunks whose dozen intermediate arrays fit in the processor's cache.
        found = RopeProbabilities(*(np.empty(n) for _ in range(3)))
        for part in parts(n, _PAIRS_AT_ONCE):
            own_df = df[part] if np.ndim(df) else df
            some = rope_probabilities(loc[part], scale[part], own_df, rope, n_agreed, unit)
            for every, found_here in zip(found, some, strict=True):
                every[part] = found_here
        return found
    low, high = rope
    below = standardise(low - loc, scale)
    above = standardise(high - loc, scale)
    below_tail, above_tail = small_tail(below, df), small_tail(above, df)
    same = scale == 0
    if not np.any(same):
        pass
    elif np.isinf(n_agreed):
        # A point mass on a boundary is inside: the outer tail is 0, not 1/2.
        below_tail = np.where(same & (below == 0), 0.0, below_tail)
        above_tail = np.where(same & (above == 0), 0.0, above_tail)
    else:
        below_tail = np.where(same, agreement_tail((low - loc) / unit, n_agreed), below_tail)
        above_tail = np.where(same, agreement_tail((high - loc) / unit, n_agreed), above_tail)
    worse = np.where(below <= 0, below_tail, 1 - below_tail)
    better = np.where(above >= 0, above_tail, 1 - above_tail)
    inside = _between(below, above, below_tail, above_tail)
    return RopeProbabilities(worse, np.maximum(inside, 0.0), better)


def _between(below: Numbers, above: Numbers, below_tail: Numbers, above_tail: Numbers) -> Numbers:
    """P(below ≤ T ≤ above), from the small tails at both ends, which keep their digits."""
    return np.where(
        below > 0,
        below_tail - above_tail,
        np.where(above < 0, above_tail - below_tail, 1 - below_tail - above_tail),
    )


@dataclass(frozen=True)
class Posterior:
    """Posterior distribution of the mean difference between two models, model 1 − model 2.

    With the corrected variance and a non-informative prior, the posterior is a Student t
    distribution. The class has the methods of a frozen SciPy distribution. Two candidates with the
    same score on every split have `scale` 0, and `n_agreed` determines the posterior.

    Parameters
    ----------
    df : float
        Degrees of freedom, those of the test: n_splits − 1 for a test of splits.
    loc : float
        Mean difference, in score units.
    scale : float
        Corrected standard error of the mean difference, in score units, ≥ 0.
    rope : float or (float, float), default=0.0
        Default region of practical equivalence for `probabilities()`: a half-width or
        (low, high), in score units.
    n_agreed : float, default=inf
        Number of samples, ≥ 0, on which two candidates with `scale` 0 agree. Not used for any other
        `scale`. If it is infinite, the posterior is a point mass at `loc`.
    unit : float, default=1.0
        Largest difference of two values of a sample, > 0, such as the largest cost.
    labels : (str, str), optional
        Names of the two candidates, of which the first minus the second is described.

    Raises
    ------
    ValueError
        If `df`, `loc`, `scale`, `n_agreed` or `unit` is not a number, one of them except `loc` is
        negative, `unit` is 0, or `rope` is neither a half-width ≥ 0 nor a pair low ≤ high. Methods
        raise ValueError if an argument is not a number.

    Notes
    -----
    The posterior is valid under the conditions of the corrected t-test: scores of both models on
    the same splits of one data set. It describes the difference in mean score between the models
    fitted on the splits, not between two models fitted on all samples; that of their algorithms on
    other data sets may lie outside more often, see `SampleTTest`. The prior is flat for the
    difference and for the logarithm of the variance. NaN parameters (a failed candidate, one split)
    give NaN.

    Two models that agree on n samples may still differ on others. Their difference may have either
    sign, with probability 1/2 each. With a uniform prior of its size between 0 and 1 `unit`, the
    size has a Beta(1, n + 1) distribution, and is at least h units with probability
    (1 − h)^(n + 1).

    References
    ----------
    Corani, G. and Benavoli, A. (2015). A Bayesian approach for comparing cross-validated
    algorithms on multiple data sets. Machine Learning 100, 285–304.
    https://doi.org/10.1007/s10994-015-5486-z

    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
    http://jmlr.org/papers/v18/16-305.html

    Examples
    --------
    The two best candidates of scikit-learn's published example:

    >>> from sklearn_stats_compare.stats import Posterior
    >>> posterior = Posterior(df=99, loc=0.01, scale=0.013327776619887863, rope=0.01)
    >>> print(*(f"{p:.3f}" for p in posterior.probabilities()))
    0.068 0.432 0.500
    >>> print(f"{posterior.sf(0):.3f}")
    0.773

    The first model scores higher with probability 0.773, and by more than 0.01 with probability
    0.5: the comparison is undecided.
    """

    df: float
    loc: float
    scale: float
    rope: float | tuple[float, float] = 0.0
    n_agreed: float = np.inf
    unit: float = field(default=1.0, kw_only=True)
    labels: tuple[str, str] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        # No splits have `df` between 0 and 1, where SciPy's inverse is inaccurate.
        rules = {
            "df": "≥ 1, or 0 of one split",
            "loc": "a number",
            "scale": "≥ 0",
            "n_agreed": "≥ 0",
            "unit": "> 0",
        }
        for name, rule in rules.items():
            value = getattr(self, name)
            beyond = name != "loc" and checks.is_number(value) and value < 0
            beyond |= name == "unit" and value == 0
            if not checks.is_number(value) or beyond or (name == "df" and 0 < value < 1):
                raise ValueError(f"`{name}` must be {rule}; got {checks.shown(value)}.")
            if not isinstance(value, int):  # also a Fraction, which SciPy does not accept
                object.__setattr__(self, name, float(value))
        if not _is_nan_pair(self.rope):
            object.__setattr__(self, "rope", checks.check_interval("rope", self.rope))
        labels = self.labels
        if labels is not None and not (isinstance(labels, tuple) and len(labels) == 2):
            raise checks.wrong("labels", "be a tuple of two, or None", labels)

    def __repr__(self) -> str:
        first, second = self.labels or ("first", "second")
        worse, equivalent, better = (f"{p:.3f}" for p in self.probabilities())
        low, high = self.rope if isinstance(self.rope, tuple) else (-self.rope, self.rope)
        rope = f"±{high:.4g}" if low == -high else f"{low:.4g} to {high:.4g}"
        return (
            f"{first} − {second}: {plus_minus(self.loc, self.scale)}, t with {self.df:g} df. "
            f"{first} is worse with probability {worse}, equivalent (ROPE {rope}) {equivalent}, "
            f"better {better}."
        )

    @property
    def _is_point(self) -> bool:
        return self.scale == 0 and np.isinf(self.n_agreed)

    @property
    def _distribution(self) -> Any:
        if self.scale == 0:
            return AGREED(self.n_agreed, loc=self.loc, scale=self.unit)
        return stats.t(self.df, loc=self.loc, scale=self.scale)

    def pdf(self, x: ArrayLike) -> Any:
        """Probability density at `x`; a point mass is inf at its point and 0 elsewhere."""
        return self._at("pdf", "x", x, lambda x: np.where(x == self.loc, np.inf, 0.0))

    def cdf(self, x: ArrayLike) -> Any:
        """P(difference ≤ x)."""
        return self._at("cdf", "x", x, lambda x: np.where(x >= self.loc, 1.0, 0.0))

    def sf(self, x: ArrayLike) -> Any:
        """P(difference > x), which is more accurate than ``1 - cdf(x)`` for a small tail."""
        return self._at("sf", "x", x, lambda x: np.where(x < self.loc, 1.0, 0.0))

    def ppf(self, q: ArrayLike) -> Any:
        """Quantile at probability `q`; NaN outside [0, 1]."""
        return self._at("ppf", "q", q, lambda q: np.where((q >= 0) & (q <= 1), self.loc, np.nan))

    def mean(self) -> float:
        """Mean of the distribution; infinite for one degree of freedom, as in SciPy."""
        with _no_overflow_errors():
            return self.loc if self._is_point else float(self._distribution.mean())

    def std(self) -> float:
        """Standard deviation; larger than `scale`, and infinite for two degrees of freedom."""
        with _no_overflow_errors():
            return 0.0 if self._is_point else float(self._distribution.std())

    def rvs(self, size: int | tuple[int, ...] | None = None, random_state: Any = None) -> Any:
        """Random draws; a scalar without `size`, as in SciPy's frozen distributions."""
        if not isinstance(random_state, np.random.Generator):
            checks.check_seed("random_state", random_state)
        if size is not None:
            for n in size if isinstance(size, tuple) else (size,):
                checks.check_count("size", n, least=0, limit=_MOST_DRAWS)
        if self._is_point or np.isnan(self.loc) or np.isnan(self.scale) or not self.df > 0:
            constant = self.loc if self._is_point else float("nan")
            return constant if size is None else np.full(size, constant)
        with _no_overflow_errors():
            return self._distribution.rvs(size=size, random_state=random_state)

    def interval(self, confidence: ArrayLike = 0.95) -> tuple[Any, Any]:
        """Limits of the central interval with probability `confidence` in [0, 1]."""
        share = checks.check_numbers("confidence", confidence)
        if ((share < 0) | (share > 1)).any():
            raise ValueError(f"`confidence` must be in [0, 1]; got {checks.shown(confidence)}.")
        tail = (1 - share) / 2
        return self.ppf(tail), self.ppf(1 - tail)

    def probabilities(self, rope: float | tuple[float, float] | None = None) -> RopeProbabilities:
        """Probabilities that model 1 is worse, practically equivalent, and better.

        Parameters
        ----------
        rope : float or (float, float), optional
            Half-width ≥ 0 or (low, high) in score units. Default: `rope` of the posterior.

        Returns
        -------
        RopeProbabilities
            Named tuple (worse, rope, better) of floats: P(difference < low),
            P(low ≤ difference ≤ high), P(difference > high).
        """
        region: Any = self.rope if rope is None else checks.check_interval("rope", rope)
        found = rope_probabilities(
            np.asarray(self.loc), np.asarray(self.scale), self.df, region, self.n_agreed, self.unit
        )
        return RopeProbabilities(*(float(p) for p in found))

    def break_even_rope(self, probability: float = 0.95) -> float:
        """Smallest half-width of a ROPE at which the pair counts as equivalent.

        Parameters
        ----------
        probability : float, default=0.95
            Probability, in (0, 1), that the ROPE must contain for the pair to count as equivalent.

        Returns
        -------
        float
            The half-width r, in score units, with P(−r ≤ difference ≤ r) = `probability`. If
            differences below r do not matter, the two models may be treated as equivalent.
        """
        probability = checks.check_probability("probability", probability)
        distance = abs(self.loc)
        if self._is_point or not self.df > 0 or np.isnan(distance) or np.isnan(self.scale):
            return distance if self._is_point else float("nan")
        if self.scale == 0:
            missing = lambda r: probability - self.probabilities(r).rope  # noqa: E731
            return float(optimize.brentq(missing, 0.0, distance + self.unit, xtol=1e-15))
        # In standard units, shifted by the distance so that a large distance loses no digits. The
        # probability within ±r is between P(|T| ≤ r − distance) and P(T ≤ r − distance).
        with _no_overflow_errors():
            shift = float(np.divide(distance, self.scale))
        standard = stats.t(self.df)
        most = float(standard.isf((1 - probability) / 2))
        if np.isinf(self.scale) or np.isinf(most):
            return float("inf")
        if np.isinf(shift):
            return distance

        def lacking(u: float) -> float:
            ends = (np.asarray(-u - 2 * shift), np.asarray(u))
            return probability - float(_between(*ends, *(small_tail(z, self.df) for z in ends)))

        least = max(float(standard.ppf(probability)), -shift)
        if lacking(least) <= 0:  # the other tail is 0 in double precision
            return float(distance + self.scale * least)
        while lacking(most) > 0:  # only because of rounding
            most += 1e-9 * (1 + most)
        # For the smallest probabilities the bracket may span hundreds of orders of magnitude.
        u = optimize.brentq(lacking, least, most, xtol=1e-14, maxiter=5000)
        with _no_overflow_errors():
            return float(distance + np.multiply(self.scale, u))

    def _at(self, function: str, name: str, values: ArrayLike, of_point: Any) -> Any:
        """A function of the distribution, or `of_point` for a point mass; NaN where x is NaN."""
        x = checks.check_numbers(name, values)
        if self._is_point:
            return np.where(np.isnan(x), np.nan, of_point(x))[()]  # a scalar, as in SciPy
        with _no_overflow_errors():
            return getattr(self._distribution, function)(x)


def _no_overflow_errors() -> np.errstate:
    """Silence overflow in SciPy far out in a tail, where results are still correct."""
    return np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore")


def _is_nan_pair(rope: Any) -> bool:
    """Whether a relative ROPE is undefined because no candidate has a mean."""
    return (
        isinstance(rope, tuple)
        and len(rope) == 2
        and all(isinstance(v, float) and np.isnan(v) for v in rope)
    )


def limit_pvalue(
    difference: Numbers,
    std_err: Numbers,
    df: Any,
    limit: float,
    n_counted: Any = np.inf,
    weight: Any = 0.0,
    unit: float = 1.0,
) -> Numbers:
    """p-values of "the true difference is at least `limit`", which a claim of less must reject.

    All claims about a margin use it: equivalence, domination, and bounds of other metrics.
    Intervals and regret bounds use its inverse, `upper_limit`. The t-test alone is too certain of a
    limit other than 0 if few samples differ: a number of rare events that is too small has an
    estimated variance that is too small. Two additions prevent this.

    - One model may be right on every sample on which the other is right, and also on a further
      share δ. The number of differing samples is then binomial with n and δ, and no p-value is
      below P(Bin(n, limit) ≤ n·max(difference, 0)), or for a negative limit
      P(Bin(n, −limit) ≥ −n·difference). For models that agree on all samples it is (1 − limit)ⁿ.
    - Each model may be right on some samples on which the other is wrong. If their `weight` is
      known, z² such samples are added to the variance, as in Wilson's limit: z is the solution of
      limit − difference = z·√(SE² + z²·weight²). For no such sample the limit is z²/n; Poisson's
      exact 97.5 % limit is 3.7/n.

    A difference shown to be below 0 is below every positive limit: p-values for these are not above
    that of the t-test of 0.

    Parameters
    ----------
    difference, std_err : ndarray of float, shape (n_pairs,)
        Differences and their standard errors.
    df : float or ndarray of float, shape (n_pairs,)
        Degrees of freedom.
    limit : float
        The limit, in score units.
    n_counted : float or ndarray of float, shape (n_pairs,), default=inf
        Number of samples n, if a sample contributes at most `unit`/n to a difference, or inf. If
        n·difference is not a whole number, the beta distribution interpolates the binomial one.
    weight : float or ndarray of float, shape (n_pairs,), default=0.0
        Change of the difference if the models differed on one more sample; 0 if unknown. Not used
        for pairs without any spread.
    unit : float, default=1.0
        Largest difference of two values of a sample.

    References
    ----------
    Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated
    in the case of the binomial. Biometrika 26, 404–413. https://doi.org/10.1093/biomet/26.4.404
    """
    z = standardise(limit - difference, _widened(limit - difference, std_err, weight))
    tail = small_tail(z, df)
    found = np.where(z >= 0, tail, 1 - tail)
    n = np.broadcast_to(np.asarray(n_counted, dtype=float), found.shape)
    known = np.isfinite(n)
    if known.any():
        n, share = n[known], min(abs(limit) / unit, 1.0)
        inside = np.clip(n * (difference if limit >= 0 else -difference)[known] / unit, 0.0, n)
        with np.errstate(invalid="ignore"):
            if limit >= 0:
                rare = special.betainc(n - inside, inside + 1, 1 - share)
                rare = np.where(inside >= n, 1.0, rare)
            else:
                rare = special.betainc(inside, n - inside + 1, share)
                rare = np.where(inside <= 0, 1.0, rare)
        found[known] = np.maximum(found[known], rare)
    if limit >= 0:
        below = difference < 0
        own_df = df[below] if np.ndim(df) else df
        of_zero = small_tail(standardise(difference[below], std_err[below]), own_df)
        found[below] = np.minimum(found[below], of_zero)
    return found


def upper_limit(
    difference: Numbers,
    std_err: Numbers,
    critical: Any,
    tail: float,
    n_counted: Any = np.inf,
    weight: Any = 0.0,
    unit: float = 1.0,
) -> Numbers:
    """Upper confidence limits of differences: `limit_pvalue` is `tail` at them.

    Parameters
    ----------
    difference, std_err : ndarray of float, shape (n_pairs,)
        As for `limit_pvalue`.
    critical : float or ndarray of float, shape (n_pairs,)
        Critical value ≥ 0 of the t statistic for `tail`.
    tail : float
        Probability that the true difference is above its limit.
    n_counted, weight : float or ndarray of float, shape (n_pairs,)
        As for `limit_pvalue`.
    unit : float
        As for `limit_pvalue`.
    """
    # Without spread, or with an infinite one, the critical value does not matter.
    reach = std_err.copy()
    varies = (std_err != 0) & np.isfinite(std_err)
    np.multiply(critical, reach, out=reach, where=varies)
    limit = difference + reach
    # A difference shown to be below 0 stays so: claims of a margin of 0 are those of the test.
    above = ~(limit < 0)
    if np.any(weight):
        rare = np.multiply(critical, critical) * weight
        limit = np.where(above & varies, difference + np.hypot(reach, rare), limit)
    n = np.broadcast_to(np.asarray(n_counted, dtype=float), limit.shape)
    # The binomial limit is at most this, by Chernoff's inequality; most pairs are beyond it.
    counted = np.flatnonzero(above & np.isfinite(n) & (limit < unit))
    if counted.size:
        n, seen = n[counted], np.clip(difference[counted] / unit, 0.0, 1.0)
        with np.errstate(divide="ignore"):
            size = -np.log(tail) / n
        within = limit[counted] / unit < seen + size + np.sqrt(size * (size + 2 * seen))
        counted, n, seen = counted[within], n[within], n[within] * seen[within]
        # By the other tail: the oldest SciPy has no `betainccinv`. The limit is at least about 3/n,
        # so that the subtraction loses no digit that counts.
        exact = 1 - special.betaincinv(n - seen, seen + 1, tail)
        limit[counted] = np.maximum(limit[counted], unit * np.where(seen < n, exact, 1.0))
    return limit


def _widened(margin: Numbers, std_err: Numbers, weight: Any) -> Numbers:
    """√(SE² + z²·weight²) with z times it equal to `margin`."""
    if not np.any(weight):
        return std_err
    squared, weight = std_err**2, np.where(std_err > 0, weight, 0.0)
    margin = np.clip(margin, -LARGEST, LARGEST)  # squares of larger ones overflow
    # The root of z⁴·w² + z²·SE² = margin² in a form that loses no digits if w is small.
    root = np.sqrt(squared**2 + 4 * np.square(weight) * margin**2)
    return np.sqrt((squared + root) / 2)


def agreement_tail(distance: Numbers, n_samples: float) -> Numbers:
    """P(difference > |distance|) for models that agree on all of n samples, by `AGREED`."""
    return 0.5 * (1 - np.minimum(np.abs(distance), 1.0)) ** (n_samples + 1)


class _Agreed(stats.rv_continuous):
    """Posterior of the difference of two models that agree on all of n samples.

    Either direction has probability 1/2. With a uniform prior of its size between 0 and 1, the size
    has a Beta(1, n + 1) distribution.
    """

    def _argcheck(self, n: ArrayLike) -> Any:
        return np.asarray(n) >= 0

    def _pdf(self, x: Any, n: Any) -> Any:
        return 0.5 * (n + 1) * (1 - np.abs(x)) ** n

    def _cdf(self, x: Any, n: Any) -> Any:
        tail = agreement_tail(x, n)
        return np.where(x < 0, tail, 1 - tail)

    def _sf(self, x: Any, n: Any) -> Any:
        return self._cdf(-x, n)

    def _ppf(self, q: Any, n: Any) -> Any:
        size = -np.expm1(np.log(2 * np.minimum(q, 1 - q)) / (n + 1))
        return np.copysign(size, q - 0.5)

    def _isf(self, q: Any, n: Any) -> Any:
        return -self._ppf(q, n)

    def _stats(self, n: Any) -> Any:
        return 0.0, 2 / ((n + 2) * (n + 3)), 0.0, None


AGREED = _Agreed(a=-1.0, b=1.0, name="agreed", shapes="n")
