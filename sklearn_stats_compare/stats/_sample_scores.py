"""SampleScores: a value per sample, whose mean is a split's score, and its standard errors."""

import hashlib
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare.stats._numeric import LARGEST, Distances, Flags, Numbers, Places, parts

FORMS = ("mean", "auc")

FEWEST_OF_A_CLASS = {"mean": 20, "auc": 8}

AGREEMENT = 1e-6
"""Tolerance between means of samples and of splits, relative to the root mean square."""

_RARE = 0.25

_HEAVY = 9.0
"""Kurtosis above which tails are heavy: that of an exponential distribution."""

_FEW_SAMPLES = 3
"""Number of samples that should not decide alone."""

WHOLE = np.int8
"""Type of values that are whole numbers, an eighth of the size of numbers in double precision."""

# Differences and negatives of these fit in the type.
_LARGEST_WHOLE = 60

# Numbers in double precision in memory at a time.
_NUMBERS_AT_ONCE = 2_000_000


ASSUMED_INSTABILITY = 0.5
"""ê²/s̄² of one repeat that was not measured."""


@dataclass(frozen=True)
class MeasuredInstability:
    """The ratio ê²/s̄² of the differences between some candidates, the probes.

    Attributes
    ----------
    ratio : float
        The ratio that is used: the upper one-sided 95 % limit of `pooled` if that is at most 0.2,
        or else the larger of `pooled` and 0.5.
    pooled : float
        The estimate: the sum of ê² over all pairs of probes, over that of s̄².
    n_candidates : int
        Number of probes.
    n_fits : int
        Number of fits beyond the first repeat.
    """

    ratio: float
    pooled: float
    n_candidates: int
    n_fits: int

    @classmethod
    def of(cls, samples: "SampleScores") -> "MeasuredInstability | None":
        """Measure it on values of two or more repeats.

        None if no two candidates differ, or values are those of groups of samples, drawn anew in
        each repeat.

        The limit is that of a ratio of two means over samples, by the delta method. It is at least
        Wilson's for no change, because no change on a few samples does not show that there is none.
        Models that change more than it allows also vary with what all training sets of the folds
        share, which refits do not show. Areas and ratios of counts are treated as such models.
        """
        known = np.flatnonzero(~samples.missing)
        if known.size < 2 or samples.n_repeats < 2 or samples.are_of_groups:
            return None
        own = samples.values[known].astype(np.float64)
        own /= float(samples.largest[known].max()) or 1.0
        # Σ over pairs of (a_i − a_j)² is the number of candidates times Σ (a_i − ā)².
        own -= own.mean(axis=0)
        refits = own.var(axis=1, ddof=1).sum(axis=0)
        own -= own.mean(axis=2, keepdims=True)
        spread = np.square(own).mean(axis=1).sum(axis=0)
        total = float(spread.sum())
        if total <= samples.rounding**2 * spread.size:
            return None
        total *= spread.size / (spread.size - 1)  # s̄² has n − 1 degrees of freedom
        pooled = float(refits.sum()) / total
        ratio = pooled + _ONE_SIDED * float(np.linalg.norm(refits - pooled * spread)) / total
        # z² over the number of samples that the spread amounts to: few if the others agree.
        few = (_ONE_SIDED * float(np.linalg.norm(spread) / spread.sum())) ** 2
        ratio = max(ratio, few / (1 + few))
        if ratio > _STABLE or samples.form == "auc" or samples.fewest is not None:
            ratio = max(pooled, ASSUMED_INSTABILITY)
        n_fits = known.size * samples.n_folds * (samples.n_repeats - 1)
        return cls(ratio, pooled, int(known.size), int(n_fits))


_STABLE = 0.2
"""Largest ê²/s̄² that is used as measured: logistic regressions have 0.02 to 0.15, 1-NN 0.25."""

_ONE_SIDED = 1.645
"""Quantile of the normal distribution at 95 %."""


@dataclass(frozen=True, eq=False)
class SampleScores:
    """Values of samples for several candidates, each from the split that tests on the sample.

    Parameters
    ----------
    values : array-like of float, shape (n_candidates, n_repeats, n_samples)
        Values φ, higher is better. Their mean over the test samples of a split is its score. They
        are 1 or 0 for accuracy, and the negative loss of each sample for log loss. For scores that
        are not means they are the score plus the sample's influence on it. Single precision is
        kept. A candidate with any value that is not finite is missing.
    n_folds : int
        Number of folds of a repeat, K ≥ 2.
    form : {"mean", "auc"}, default="mean"
        Kind of score: "auc" for areas under ROC curves, which have another variance formula.
    words : str, default=""
        Description of the test samples, such as "5 folds, 60 groups" if each value is that of a
        group. Default: the numbers of folds, repeats and samples.
    fewest : int, optional
        For areas under ROC curves and ratios of counts, such as F1 or recall, the smallest number
        of samples of a class in a fold; for precision also of those that a candidate puts into it.
        Below 8 and 20 a warning says that the test exceeds its level.
    measured : MeasuredInstability, optional
        What further repeats of some candidates showed, if there is one repeat of all.
    are_of_groups : bool, default=False
        Whether a value is the influence of a random group of samples, of which each repeat has
        others, as of a jackknife in large folds. Repeats then do not show the instability.
    n_failed : int, default=0
        Number of fits that failed, each with its `error_score` as the value of all its samples. If
        there are any, a warning says that the test does not allow for them.

    Raises
    ------
    ValueError
        If `values` is not a non-empty three-dimensional array of numbers, there are fewer samples
        than folds, or an option is unknown.
    """

    values: NDArray[Any] = field(repr=False)
    n_folds: int
    form: str = "mean"
    words: str = ""
    fewest: int | None = None
    measured: MeasuredInstability | None = None
    are_of_groups: bool = False
    n_failed: int = 0

    def __post_init__(self) -> None:
        values = _kept(self.values)
        if values.ndim != 3 or values.size == 0:
            raise ValueError(
                "`values` must be candidates × repeats × samples, with at least one of each; "
                f"got shape {values.shape}."
            )
        n_folds = checks.check_count("n_folds", self.n_folds, least=2, most=values.shape[2])
        object.__setattr__(self, "n_folds", n_folds)
        checks.check_option("form", self.form, FORMS)
        checks.check_text("words", self.words)
        if self.fewest is not None:
            checks.check_count("fewest", self.fewest, least=0)
        object.__setattr__(self, "values", values)

    def __getstate__(self) -> dict[str, Any]:
        # Without cached properties.
        return {each.name: vars(self)[each.name] for each in fields(self)}

    @property
    def n_candidates(self) -> int:
        """Number of candidates, the missing ones included."""
        return int(self.values.shape[0])

    @property
    def n_repeats(self) -> int:
        """Number of repeats, R: every sample is tested once in each."""
        return int(self.values.shape[1])

    @property
    def n_samples(self) -> int:
        """Number of samples, or of groups, n."""
        return int(self.values.shape[2])

    @cached_property
    def missing(self) -> Flags:
        """Whether each candidate has a value that is not finite, shape (n_candidates,)."""
        return ~(self.largest <= LARGEST)

    @cached_property
    def largest(self) -> Numbers:
        """Largest absolute value of each candidate; NaN if any value is NaN."""
        # Two passes, because np.abs would copy all values.
        high, low = self.values.max(axis=(1, 2)), self.values.min(axis=(1, 2))
        return np.maximum(high, -low).astype(np.float64)

    @cached_property
    def means(self) -> Numbers:
        """Mean value of each candidate, NaN where missing, shape (n_candidates,)."""
        with np.errstate(invalid="ignore", over="ignore"):  # missing candidates
            means = np.asarray(self.values.mean(axis=(1, 2), dtype=np.float64))
        means[self.missing] = np.nan
        return means

    @cached_property
    def root_mean_squares(self) -> Numbers:
        """Root mean square of each candidate's values, NaN where missing."""
        found = np.full(self.n_candidates, np.nan)
        known = np.flatnonzero(~self.missing)
        for place in parts(known.size, _NUMBERS_AT_ONCE // (self.n_repeats * self.n_samples)):
            rows = known[place]
            # In units of the largest, so that squares neither overflow nor underflow.
            unit = np.where(self.largest[rows] > 0, self.largest[rows], 1.0)
            part = self.values[rows] / unit[:, None, None]
            np.multiply(part, part, out=part)
            found[rows] = np.sqrt(part.mean(axis=(1, 2))) * unit
        return found

    def rare_differences(self, first: Places, second: Places) -> Numbers:
        """The largest difference of two candidates on one sample, averaged over repeats.

        0 if they differ on more than a quarter of the samples, unless there are only two values.
        """
        if self._has_two_values:
            low, high = self.bounds
            return np.full(len(first), high - low)
        found = np.empty(len(first))
        for part in parts(len(first), _NUMBERS_AT_ONCE // (self.n_repeats * self.n_samples)):
            d = self.values[first[part]].astype(np.float64) - self.values[second[part]]
            sizes = np.abs(d.mean(axis=1))
            largest = sizes.max(axis=1)
            are_rare = (sizes > self.rounding * largest[:, None]).mean(axis=1) <= _RARE
            found[part] = np.where(are_rare, largest, 0.0)
        return found

    def tails(self, first: Places, second: Places) -> tuple[Numbers, Numbers]:
        """Degrees of freedom, and factors of the standard error, for differences with heavy tails.

        If a few large differences make up most of the variance, such as costly errors, the variance
        is as uncertain as their number. By Satterthwaite's approximation it has 2n/(κ − 1) degrees
        of freedom, with κ the kurtosis. The number may also be too small, so that the largest
        difference counts once more. Both apply to kurtoses above `_HEAVY`; otherwise there are
        n − 1 degrees of freedom. Two values, such as right and wrong, have no heavy tails.
        """
        n = self.n_samples
        df, factor = np.full(len(first), n - 1.0), np.ones(len(first))
        if self._has_two_values or self.form == "auc":
            return df, factor
        for part in parts(len(first), _NUMBERS_AT_ONCE // n):
            d = self._of_samples[first[part]] - self._of_samples[second[part]]
            d -= d.mean(axis=1, keepdims=True)
            np.multiply(d, d, out=d)
            square, largest = d.mean(axis=1), d.max(axis=1)
            fourth = np.multiply(d, d, out=d).mean(axis=1)
            with np.errstate(invalid="ignore", divide="ignore"):
                heavy = fourth > _HEAVY * square**2
                wider = square + largest / n
                kurtosis = (fourth + largest**2 / n) / wider**2
                df[part] = np.where(heavy, np.clip(2 * n / (kurtosis - 1), 1, n - 1), n - 1)
                factor[part] = np.where(heavy, np.sqrt(wider / square), 1.0)
        return df, factor

    @property
    def has_rare_class(self) -> bool:
        """Whether a fold has too few samples of a class for a score that depends on each class."""
        return self.fewest is not None and self.fewest < FEWEST_OF_A_CLASS[self.form]

    @cached_property
    def few_decide(self) -> bool:
        """Whether three samples have over half of Σd² for the leader and some other candidate.

        They must be in favour of the same candidate, and tails heavy, as in `tails`: among few
        groups three often have half. Pairs that differ on few samples only, such as near-duplicates
        or counts, do not count.
        """
        known = np.flatnonzero(~self.missing)
        if known.size < 2 or (self.fewest is not None and self.form == "mean"):
            return False
        leader = np.full(known.size, known[np.argmax(self.means[known])])
        for row in known[self.tails(leader, known)[0] < self.n_samples - 1]:
            d = self._of_samples[row] - self._of_samples[leader[0]]
            largest = d[np.argsort(-np.abs(d))[:_FEW_SAMPLES]]
            decide = abs(np.sign(largest).sum()) == _FEW_SAMPLES and 2 * largest @ largest > d @ d
            if decide and np.mean(np.abs(d) > self.rounding) > _RARE:
                return True
        return False

    @cached_property
    def _of_samples(self) -> Numbers:
        """Mean value of each sample over repeats, in units of the largest, in double precision."""
        unit = float(np.max(self.largest[~self.missing], initial=0.0)) or 1.0
        with np.errstate(invalid="ignore", over="ignore"):
            return np.asarray(self.values.mean(axis=1, dtype=np.float64) / unit)

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The lowest and highest value of all candidates that are not missing."""
        known = ~self.missing
        if not known.any():
            return np.nan, np.nan
        low, high = self.values.min(axis=(1, 2))[known], self.values.max(axis=(1, 2))[known]
        return float(low.min()), float(high.max())

    @cached_property
    def _has_two_values(self) -> bool:
        """Whether there are only two different values, such as correct and wrong."""
        low, high = self.bounds
        rows = (self.values[k] for k in np.flatnonzero(~self.missing))
        return all(((row == low) | (row == high)).all() for row in rows)

    @property
    def rounding(self) -> float:
        """Share of the root mean square up to which a standard deviation is rounding error."""
        is_single = self.values.dtype == np.float32
        return 8 * float(np.finfo(np.float32 if is_single else np.float64).eps)

    @property
    def described(self) -> str:
        """`words`, or a description of the shape: "2 × 5 folds, 569 samples"."""
        if self.words:
            return self.words
        repeats = f"{self.n_repeats:,} × " if self.n_repeats > 1 else ""
        return f"{repeats}{count(self.n_folds, 'fold')}, {count(self.n_samples, 'sample')}"

    def subset(self, rows: Places) -> "SampleScores":
        """The values of some candidates; `self` if all are selected."""
        if np.array_equal(rows, np.arange(self.n_candidates)):
            return self
        chosen = self.values[rows]
        if chosen.base is None:  # already a copy
            chosen.setflags(write=False)
        return replace(self, values=chosen)

    def check_agreement(self, values: Numbers, n_test: NDArray[np.int64], missing: Flags) -> None:
        """Raise ValueError unless these are values of the split scores (n_candidates, n_splits)."""
        if self.n_candidates != len(values):
            raise ValueError(
                f"`samples` must be of the same {count(len(values), 'candidate')}; "
                f"got {self.n_candidates:,}."
            )
        if self.n_folds * self.n_repeats != values.shape[1]:
            raise ValueError(
                f"`samples` must have n_folds × n_repeats = {values.shape[1]}, the number of "
                f"splits; got {self.n_folds} × {self.n_repeats}."
            )
        known = ~(missing | self.missing)
        found, splits = self.means[known], values[known]
        allowed = AGREEMENT * np.maximum(
            self.root_mean_squares[known], np.abs(splits).max(axis=1, initial=0.0)
        )
        # Weights: in a mean over samples larger folds have more weight.
        weighed = splits @ (n_test / max(int(n_test.sum()), 1))
        far = np.minimum(np.abs(found - weighed), np.abs(found - splits.mean(axis=1))) > allowed
        if int(n_test.sum()) != self.n_samples * self.n_repeats:
            # Numbers of groups per fold are unknown: some weighted mean of the splits must match.
            low, high = splits.min(axis=1), splits.max(axis=1)
            far &= (found < low - allowed) | (found > high + allowed)
        if far.any():
            worst = int(np.flatnonzero(known)[np.flatnonzero(far)[0]])
            raise ValueError(
                "`samples` must have the scores as means of their values, to 1e-6; got "
                f"{self.means[worst]:.9g} for candidate {worst}, whose mean score is "
                f"{values[worst].mean():.9g}."
            )


def are_whole(values: NDArray[Any]) -> bool:
    """Whether all values are small whole numbers, which `WHOLE` represents exactly."""
    found = values if values.dtype == WHOLE else np.rint(values)
    return bool(((found == values) & (np.abs(values) <= _LARGEST_WHOLE)).all())


_SINGLE_FROM, _SINGLE_TO = 1e-30, 1e38
"""If the largest value is between these, single precision has seven digits of it."""

_SINGLE_RANGE = 1e5
"""Largest value, in medians, beside which seven digits of it still tell the others apart."""


def type_of_values(values: NDArray[Any], *, single: bool) -> Any:
    """The type to keep values in; double if not `single`, or if that would lose some of them."""
    if are_whole(values):
        return WHOLE
    sizes = np.abs(values)
    largest = float(sizes.max(initial=0.0))
    fits = single and _SINGLE_FROM < largest < _SINGLE_TO
    return np.float32 if fits and largest < _SINGLE_RANGE * np.median(sizes) else np.float64


def _kept(values: Any) -> NDArray[Any]:
    """Return numbers as a read-only array; single precision is kept, which halves its size."""
    kept = isinstance(values, np.ndarray) and not isinstance(values, np.ma.MaskedArray)
    is_kept = kept and values.dtype in (np.float32, np.float64)
    if not (is_kept or (kept and values.dtype == WHOLE and are_whole(values))):
        values = checks.check_numbers("values", values, "numbers, candidates × repeats × samples")
    # Read-only input, such as a part of another array, is not copied: it may take gigabytes.
    if values.flags.writeable or not values.flags.c_contiguous:
        values = np.array(values, order="C")
        values.setflags(write=False)
    return values


# Numbers in double precision in memory at a time.
_DIFFERENCES_AT_ONCE = 250_000


@dataclass(frozen=True)
class SampleVariance:
    """The squared standard error of the mean of d_ir, sample i in repeat r.

    Form "mean" is (1/n)·[s̄²·K/(K − 1) + ê²/R], with s̄² the mean over repeats of Var_i(d_ir) and
    ê² the mean over samples of Var_r(d_ir). Form "auc" is K/(K − 1)·[Var_i(d̄_i)/n + s_R²/R], with
    s_R² the variance of the means of the repeats. With one repeat, and where repeats do not show
    it, both assume ê² = `instability`·s̄².

    Attributes
    ----------
    form : {"mean", "auc"}
        Form of the variance.
    n_folds, n_repeats, n_samples : int
        K, R and n.
    instability : float
        Assumed ê²/s̄² if there is one repeat.
    times : float
        Multiplies the number of repeats R in the formula; may be infinite. Because each fold's area
        has its own pairs, repeats also reduce Var_i(d̄_i), by ê²·(1/R − 1/later). This can be
        estimated from two repeats; with one the variance is NaN.
    are_of_groups : bool
        As of `SampleScores`.
    """

    form: str
    n_folds: int
    n_repeats: int
    n_samples: int
    instability: float
    times: float = 1.0
    are_of_groups: bool = False

    @classmethod
    def of(cls, samples: SampleScores, instability: float, times: float = 1.0) -> "SampleVariance":
        """Return the variance for values of this form and shape."""
        shape = samples.n_folds, samples.n_repeats, samples.n_samples
        return cls(samples.form, *shape, instability, times, samples.are_of_groups)

    @property
    def _inflation(self) -> float:
        return self.n_folds / (self.n_folds - 1)

    def __call__(self, d: Numbers) -> Numbers:
        """Variance for differences (pairs, R, n), explicitly in two passes; overwrites `d`."""
        n, repeats = self.n_samples, self.n_repeats
        later = repeats * self.times
        if repeats > 1 and self.form == "auc":
            of_samples = d.mean(axis=1).var(axis=1, ddof=1)
            of_repeats = d.mean(axis=2).var(axis=1, ddof=1)
            if self.times != 1:
                # Not in `coordinates`, which represent sums: this is a difference.
                own = d - d.mean(axis=1, keepdims=True)
                # s_R² contains what all samples of a repeat share; Var_i(d̄_i) does not.
                own -= own.mean(axis=2, keepdims=True)
                anew = _sum_of_squares(own) / ((n - 1) * (repeats - 1))
                of_samples = np.maximum(of_samples - anew * (1 / repeats - 1 / later), 0.0)
            return self._inflation * (of_samples / n + of_repeats / later)
        if self.form == "auc" and self.times != 1:
            return np.full(len(d), np.nan)
        refits = None
        if repeats > 1 and not self.are_of_groups:
            refits = _sum_of_squares(d - d.mean(axis=1, keepdims=True)) / (n * (repeats - 1))
        d -= d.mean(axis=2, keepdims=True)
        spread = _sum_of_squares(d) / (repeats * (n - 1))
        if refits is None:
            refits = self.instability * spread
        return (spread * self._inflation + refits / later) / n

    @property
    def n_coordinates(self) -> int:
        """Number of columns of `coordinates`."""
        n, repeats = self.n_samples, self.n_repeats
        if repeats > 1 and self.form == "auc":
            return n + repeats
        return n * repeats + (0 if self.are_of_groups else repeats - 1)

    def coordinates(self, d: Numbers) -> Numbers:
        """Vectors of candidates, (m, columns); squared distances are the variances of pairs.

        Overwrites the values, (m, R, n), from which a common part may have been subtracted. Both
        sums of squares of the form "mean" are over the same numbers. In Helmert's orthonormal
        coordinates, the first of which is the mean over repeats, they share all others, so that
        there are hardly more columns than numbers.
        """
        m, repeats, n = d.shape
        inflation, later = self._inflation, repeats * self.times
        if repeats == 1 or self.are_of_groups:
            d -= d.mean(axis=2, keepdims=True)
            d *= np.sqrt((inflation + self.instability / later) / (repeats * n * (n - 1)))
            return d.reshape(m, -1)
        if self.form == "auc":
            of_samples, of_repeats = d.mean(axis=1), d.mean(axis=2)
            of_samples -= of_samples.mean(axis=1, keepdims=True)
            of_repeats -= of_repeats.mean(axis=1, keepdims=True)
            of_samples *= np.sqrt(inflation / (n * (n - 1)))
            of_repeats *= np.sqrt(inflation / (repeats * (repeats - 1)))
            return np.concatenate([of_samples, of_repeats], axis=1)
        d = _helmert(repeats) @ d
        means = d.mean(axis=2, keepdims=True)
        d -= means
        within = inflation / (repeats * (n - 1) * n)
        between = 1 / (n**2 * later * (repeats - 1))
        d[:, 0] *= np.sqrt(within)
        d[:, 1:] *= np.sqrt(within + between)
        last = means[:, 1:, 0] * np.sqrt(between * n)
        return np.concatenate([d.reshape(m, -1), last], axis=1)


def unit_of(samples: SampleScores, candidates: Places) -> float:
    """A power of two as unit, 1 unless squares would underflow or overflow."""
    largest = float(samples.largest[candidates].max(initial=0.0))
    extreme = largest > 0 and not 1e-100 < largest < 1e100
    return float(2.0 ** np.floor(np.log2(largest))) if extreme else 1.0


def standard_errors(
    samples: SampleScores, variance: SampleVariance, first: Places, second: Places | None
) -> Numbers:
    """Standard errors of pairs of candidates that are not missing, from explicit differences.

    If `second` is None, standard errors of the means of candidates `first`.
    """
    found = np.empty(len(first))
    unit = unit_of(samples, first if second is None else np.union1d(first, second))
    # One candidate for all pairs, which is converted once.
    one = second is not None and len(first) > 0 and bool((first == first[0]).all())
    row = samples.values[first[:1]].astype(np.float64) if one else None
    at_once = _DIFFERENCES_AT_ONCE // (variance.n_repeats * variance.n_samples)
    for part in parts(len(first), at_once):
        d = samples.values[first[part]].astype(np.float64) if row is None else row
        if second is not None:
            d = d - samples.values[second[part]]
        if unit != 1.0:
            d /= unit
        found[part] = variance(d)
    errors: Numbers = np.sqrt(found, out=found)
    errors *= unit
    return errors


def _sum_of_squares(d: Numbers) -> Numbers:
    """Sum of squares of each pair, in an order that does not depend on the number of pairs."""
    flat = d.reshape(len(d), -1)
    return np.multiply(flat, flat).sum(axis=1)


def _helmert(n: int) -> Numbers:
    """An orthonormal matrix whose first row is constant."""
    matrix = np.tri(n, k=-1) - np.diag(np.arange(n, dtype=float))
    matrix[0] = 1.0
    return matrix / np.sqrt((matrix**2).sum(axis=1, keepdims=True))


_DISTANCES_AT_ONCE = 4_000_000


class SampleSums:
    """Standard errors of differences between some candidates, as distances of points.

    Candidates are points (`SampleVariance.coordinates`).

    Parameters
    ----------
    samples : SampleScores
        Values of the samples.
    variance : SampleVariance
        The squared standard error of a mean.
    candidates : ndarray of int, shape (m,)
        Candidates that are not missing; positions refer to this array.
    """

    def __init__(self, samples: SampleScores, variance: SampleVariance, candidates: Places) -> None:
        self.samples, self.variance, self.candidates = samples, variance, candidates
        self._unit = unit_of(samples, candidates)

    @cached_property
    def _distances(self) -> Distances:
        """Distances of the candidates, in units."""
        m, values = len(self.candidates), self.samples.values
        # The first candidate is subtracted: a difference of two numbers is rounded relative to
        # itself, so that scores like 0.999999 ± 1e-9 lose no digits.
        first = values[self.candidates[:1]].astype(np.float64)
        blocks = list(parts(m, _DISTANCES_AT_ONCE // first.size))
        levels = np.empty(m)

        def points_of(part: slice) -> Numbers:
            difference = values[self.candidates[part]] - first
            difference /= self._unit
            level = np.einsum("mri,mri->m", difference, difference)
            levels[part] = level / (first.size * self.variance.n_samples)
            return self.variance.coordinates(difference)

        n_columns = self.variance.n_coordinates
        if n_columns <= m or len(blocks) == 1:
            return Distances.of_points(np.concatenate([points_of(part) for part in blocks]), levels)
        # All points at once would be as large as the values in double precision.
        products = np.empty((m, m))
        for k, part in enumerate(blocks):
            points = points_of(part)
            products[part, part] = points @ points.T
            for other in blocks[:k]:
                products[part, other] = points @ points_of(other).T
                products[other, part] = products[part, other].T
        return Distances(None, products, levels)

    def standard_errors(self, rows: slice, columns: slice) -> Numbers:
        """Standard errors of candidates `rows` minus `columns`, in score units."""
        errors, digits_lost = self._distances(rows, columns)
        errors *= self._unit
        lost = np.nonzero(digits_lost)
        first, second = self.candidates[rows][lost[0]], self.candidates[columns][lost[1]]
        pairs = first != second
        errors[lost[0][pairs], lost[1][pairs]] = standard_errors(
            self.samples, self.variance, first[pairs], second[pairs]
        )
        return errors

    def root(self) -> tuple[Numbers, Places]:
        """A square root, (u, r), of the products of distinct candidates, and the row of each one.

        Its rows times independent standard normal numbers are draws of the candidates' means, up to
        a common shift. Copies share a row, so that they are tied in every draw.
        """
        copies: dict[bytes, int] = {}
        number = np.array(
            [
                copies.setdefault(hashlib.blake2b(self.samples.values[c]).digest(), len(copies))
                for c in self.candidates
            ]
        )
        return self._distances.root(np.unique(number, return_index=True)[1]) * self._unit, number
