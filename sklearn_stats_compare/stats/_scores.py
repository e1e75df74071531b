"""SplitScores: the matrix of test scores, candidates × splits, and moments of differences."""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import inf, isfinite, isinf
from typing import Any

import numpy as np
from scipy import stats

from sklearn_stats_compare._utils._validation import check_numbers, is_number, shown
from sklearn_stats_compare.stats._design import SplitDesign as SplitDesign
from sklearn_stats_compare.stats._numeric import (
    LARGEST,
    ROUNDING,
    Distances,
    Flags,
    Numbers,
    Places,
    Rows,
    parts,
)
from sklearn_stats_compare.stats._sample_scores import SampleScores

_LARGEST_DENOMINATOR = 1000

_SCORES_TRIED = 16

UNITS = {"n_independent": inf, "sample_range": inf, "error_score": inf, "scorer_name": ""}
"""What scores have beside their values and sizes, and what it usually is."""


@dataclass(frozen=True, eq=False)
class SplitScores:
    """Test scores of several candidates on the same splits; higher is better.

    Parameters
    ----------
    values : array-like of float, shape (n_candidates, n_splits)
        Scores as returned by scikit-learn's scorers: higher is better, whatever their sign. A
        candidate is missing if any of its scores is masked or not finite, or is beyond ±1e150,
        where squares overflow: a mean over some of the splits cannot be compared with a mean over
        all of them.
    design : SplitDesign
        Sizes and structure of the splits.
    samples : SampleScores, optional
        Values of samples whose means are the scores, for ``test="samples"``. A candidate that is
        missing there is missing here.
    n_independent : float, default=inf
        Number of independent units on which a score depends, if that is less than the number of
        test samples: of groups, or of samples of the rarest class for recall or ROC AUC. Candidates
        that agree on them are shown to be equivalent by no more than these.
    sample_range : float, default=inf
        Largest difference of two values of one sample, in score units, as of costs. Infinite if it
        is not known: then it is taken for 1 if all scores are within ±1.
    error_score : float, default=inf
        Score of fits that failed. Candidates that have it show nothing about the range of scores.
    scorer_name : str, default=""
        Name of the metric in scikit-learn, if scores have another: its range is known by it.

    Raises
    ------
    ValueError
        If `values` is not a non-empty matrix of real numbers with one column per split of
        `design`, `samples` have different candidates, splits or scores, or `n_independent` or
        `sample_range` is not a number > 0, `error_score` is no number, or `scorer_name` no text.
    TypeError
        If `design` is not a SplitDesign, or `samples` is not a SampleScores.
    """

    values: Numbers
    design: SplitDesign
    samples: SampleScores | None = None
    n_independent: float = inf
    sample_range: float = inf
    error_score: float = inf
    scorer_name: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.design, SplitDesign):
            raise TypeError(
                "`design` must be a SplitDesign(n_train, n_test), with one size of each per split; "
                f"got {shown(self.design)}."
            )
        values = np.array(
            check_numbers("values", self.values, "numbers, candidates × splits"), order="C"
        )
        columns = [*getattr(self.values, "columns", ())]
        if columns != [*range(len(columns))] and {*columns} == {*range(len(columns))}:
            raise ValueError(
                "`values` must have its columns in the order of the splits; got a DataFrame with "
                f"{shown(columns)}. Sort them, or pass `to_numpy()`."
            )
        if values.ndim != 2 or values.size == 0:
            raise ValueError(
                "`values` must be a matrix, candidates × splits, with at least one of each; "
                f"got shape {values.shape}."
            )
        if values.shape[1] != self.design.n_splits:
            raise ValueError(
                f"`values` must have one column per split of `design`, {self.design.n_splits}; "
                f"got {values.shape[1]}."
            )
        for name in ("n_independent", "sample_range"):
            if not is_number(given := getattr(self, name)) or not given > 0:
                raise ValueError(f"`{name}` must be a number > 0; got {shown(given)}.")
        if not is_number(self.error_score):
            raise ValueError(f"`error_score` must be a number; got {shown(self.error_score)}.")
        if not isinstance(self.scorer_name, str):
            raise ValueError(f"`scorer_name` must be text; got {shown(self.scorer_name)}.")
        values.setflags(write=False)
        object.__setattr__(self, "values", values)
        if self.samples is not None:
            if not isinstance(self.samples, SampleScores):
                raise TypeError(
                    "`samples` must be SampleScores(values, n_folds) or None; "
                    f"got {shown(self.samples)}."
                )
            self.samples.check_agreement(values, self.design.n_test, _failed(values))

    def __getstate__(self) -> dict[str, Any]:
        # Without cached properties.
        return {each.name: vars(self)[each.name] for each in fields(self)}

    @property
    def units(self) -> dict[str, Any]:
        """What is in `UNITS`, where it is not usual."""
        return {name: own for name, usual in UNITS.items() if (own := getattr(self, name)) != usual}

    @property
    def unit(self) -> float:
        """The `sample_range`, or 1."""
        return self.sample_range if isfinite(self.sample_range) else 1.0

    @property
    def n_candidates(self) -> int:
        """Number of candidates, the missing ones included."""
        return self.values.shape[0]

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""
        return self.values.shape[1]

    @cached_property
    def missing(self) -> Flags:
        """Whether each candidate has an unusable score, shape (n_candidates,).

        Unusable scores are NaN, infinite, or beyond ±1e150, where squares overflow.
        """
        failed = _failed(self.values)
        return failed if self.samples is None else failed | self.samples.missing

    @property
    def failed(self) -> Flags:
        """Whether each score is the `error_score`, shape (n_candidates, n_splits)."""
        return (self.values == self.error_score) & isfinite(self.error_score)

    @cached_property
    def typical(self) -> Numbers:
        """Scores of candidates that are not missing, without those that failed if others did not.

        What kind of score it is shows in them.
        """
        values, failed = self.values[~self.missing], self.failed[~self.missing]
        if not failed.any(axis=1).all():
            return values[~failed.any(axis=1)]
        # On some split all have failed: another score of each stands for it.
        some = ~failed.all(axis=1)
        values, failed = values[some], failed[some]
        others = np.take_along_axis(values, np.argmin(failed, axis=1)[:, None], axis=1)
        return np.where(failed, others, values) if len(values) else self.values[~self.missing]

    @property
    def why_missing(self) -> str:
        """What is wrong with a missing candidate, in words."""
        finite = np.abs(self.values[np.isfinite(self.values)])
        beyond = f", or is beyond ±{LARGEST:g}" if (finite > LARGEST).any() else ""
        return f"a score is not a finite number{beyond}"

    @cached_property
    def means(self) -> Numbers:
        """Mean score of each candidate, NaN where missing, shape (n_candidates,)."""
        return self.comparable(slice(None)).mean(axis=1)

    @cached_property
    def std_errs(self) -> Numbers:
        """Corrected standard error of each mean, s·√(1/J + q); NaN if missing or J < 2."""
        return self.std_errs_by(self.design.variance_factor)

    def std_errs_by(self, variance_factor: float) -> Numbers:
        """The same with another variance factor than 1/J + q."""
        values = self.comparable(slice(None))
        if self.n_splits < 2:
            return np.full(len(values), np.nan)
        std = values.std(axis=1, ddof=1)
        std[std <= ROUNDING * np.abs(values).max(axis=1)] = 0.0
        # A standard deviation of 0 stays 0, even if the factor is infinite.
        factor = np.sqrt(variance_factor)
        return np.multiply(std, factor, out=np.zeros_like(std), where=std != 0)

    @cached_property
    def n_agreed(self) -> float:
        """Number of different samples on which candidates with the same scores agree.

        Two candidates whose true scores differ by δ agree on n samples with probability up to
        (1 − δ)ⁿ, if a sample contributes at most 1/n to a score, or δ is in units of
        `sample_range`. It is infinite if a score is beyond ±1 and `sample_range` is not known: then
        the contribution of a sample is unknown. If sizes are unknown and cannot be
        estimated from the scores, each split counts as one sample. It is at most `n_independent`.
        """
        n = float(self.design.splits_per_repeat)
        if not self._within_one and isinf(self.sample_range):
            return inf
        if self.design.sizes_known and (self._trusts_sizes or self._shares is None):
            n = self.design.samples_per_repeat
        elif self._shares is not None:
            n *= self._shares.max()
        return float(min(n, self.n_independent))

    @cached_property
    def n_shared(self) -> float:
        """Number of different samples of which all scores are shares; inf if they are no shares.

        Accuracies are shares of all test samples, so that it is `n_agreed`. Recall is a share of
        the positives: their number in a split is estimated as the smallest n ≤ 1,000 for which all
        scores are multiples of 1/n. So is every number if the sizes are unknown, or below 5 and so
        perhaps only a ratio. It is `n_agreed`, too, if `sample_range` is known. It is at most
        `n_independent`, unless sizes are unknown: then that may be what is not known.
        """
        if isfinite(self.sample_range):
            return self.n_agreed
        if self._shares is None:
            return inf
        if self._of_all_samples or (self.design.sizes_known and not self._trusts_sizes):
            return self.n_agreed
        n = float(self._shares.max() * self.design.splits_per_repeat)
        return min(n, self.n_independent) if self.design.sizes_known else n

    @property
    def n_rows(self) -> float:
        """Number of samples of which scores are shares, if groups count in `n_shared`; else 0."""
        if self._shares is None or isfinite(self.sample_range):
            return 0.0
        n = float(self._shares.max() * self.design.splits_per_repeat)
        n = self.design.samples_per_repeat if self._of_all_samples else n
        return n if n >= 2 * self.n_independent else 0.0

    @cached_property
    def count_values(self) -> Numbers | None:
        """What one more right answer adds to the score of each split, 1/n; None if not known.

        Folds are taken to have about as many samples where `design` does not say how many.
        """
        shares = self._shares
        if shares is None or not shares.all():  # splits without test samples are SciPy's case
            return None
        if self._of_all_samples:
            return 1 / shares
        # Of 3/10 and 5/10 the smallest n is 10, but of 2/10 and 4/10 it is 5.
        return 1 / (shares * np.maximum(np.round(shares.max() / shares), 1))

    @property
    def n_tested(self) -> float:
        """Mean number of test samples of a split if scores within ±1 are no shares; else inf."""
        is_mean = self._trusts_sizes and self._within_one and self._shares is None
        return float(self.design.n_test.mean()) if is_mean else inf

    @cached_property
    def _shares(self) -> Numbers | None:
        """Number of samples of each split of which all scores are shares; None if they are not."""
        if not self._within_one:
            return None
        values, n_test = self.typical, self.design.n_test
        most = np.full(self.n_splits, float(_LARGEST_DENOMINATOR))
        if self._trusts_sizes:
            counts = values * n_test
            errors = np.abs(counts - np.round(counts))
            allowed = 1.001 * self._rounding * n_test
            if self._fits_sizes or (allowed.max() < 0.5 and bool((errors <= allowed).all())):
                return n_test.astype(float)
            most = np.minimum(most, n_test)
        if self._rounding:
            found = _rounded_denominators(values, self._rounding)
            if (found <= most).all():
                return found
        found = np.ones(self.n_splits)
        for split, column in enumerate(values.T):
            found[split] = denominator(column)
            if found[split] > most[split]:  # most often on the first split
                return None
        return found if found.max() > 1 or self._trusts_sizes else None

    @property
    def may_be_rounded(self) -> bool:
        """Whether scores without sizes are shares only because of their decimals.

        Of two decimals most are multiples of 1/100, whatever they are.
        """
        shares = None if self._trusts_sizes else self._shares
        return shares is not None and bool(shares.max() * self._rounding > 0.25)

    @cached_property
    def as_shares(self) -> tuple["SplitScores", float]:
        """The scores, and their unit: a hundredth of them, and 100, if they are shares in per cent.

        Whether a lead is the same on all splits must not depend on the unit.
        """
        values, hundredth = self.typical, self.values / 100
        if values.size and 1 < np.abs(values).max() <= 100:
            kinds = [float, np.float32] if np.array_equal(values, values.astype("f4")) else [float]
            for kind in kinds:
                failed = self.error_score / 100
                shares = SplitScores(hundredth.astype(kind), self.design, error_score=failed)
                if shares._shares is not None or (values == 100).all():
                    return shares, 100.0
        return self, 1.0

    @property
    def rounding_of_shares(self) -> float:
        """How far scores may be from shares of samples; 0 if they are shares, or are none."""
        if self.count_values is None:
            return 0.0
        counts = self.typical / self.count_values
        exact = np.abs(counts - np.round(counts)) <= 1e-14 * np.maximum(1, np.abs(counts))
        return 0.0 if exact.all() else self._rounding

    @cached_property
    def _rounding(self) -> float:
        """How far scores may be from what they were before they were rounded; 0 if they were not.

        Half a unit of the last decimal, for two to 14 decimals, or that of single precision.
        """
        values = self.typical
        is_single = np.array_equal(values, values.astype(np.float32))
        for decimals in range(2, 7 if is_single else 15):
            error = min(1e-13, 0.1 * 10.0**-decimals)
            # A few scores show that most tables were not rounded. Nor were those in a small unit.
            for own in (values[:, 0], values):
                found = np.round(own, decimals)
                found = found.astype(np.float32) if is_single else found
                if not np.allclose(own, found, 0, error) or found.any() != own.any():
                    break
            else:
                return 0.5 * 10.0**-decimals + 2.0**-24 * is_single
        return 2.0**-24 * min(1.0, np.abs(values).max(initial=0.0)) if is_single else 0.0

    @property
    def _of_all_samples(self) -> bool:
        """Whether the scores are shares of all test samples, as accuracies are."""
        shares, n_test = self._shares, self.design.n_test
        return self._trusts_sizes and shares is not None and np.array_equal(shares, n_test)

    @cached_property
    def _within_one(self) -> bool:
        """Whether all scores are within ±1, and there are any."""
        values = self.typical
        return bool(values.size) and bool(np.abs(values).max() <= 1)

    @property
    def _trusts_sizes(self) -> bool:
        """Whether `n_test` are sizes, recorded or not small, and not perhaps only a ratio."""
        design = self.design
        is_recorded = design.n_samples is not None or bool((design.repeat >= 0).any())
        return design.sizes_known and (
            is_recorded or bool(design.n_test.mean() >= 5) or self._fits_sizes
        )

    @cached_property
    def _fits_sizes(self) -> bool:
        """Whether all scores are shares of `n_test` samples, such as 0 and 1 of one."""
        counts = self.typical * self.design.n_test
        # Of tiny scores no share is a whole number of samples.
        return bool((np.abs(counts - np.round(counts)) <= 1e-9 * np.abs(counts)).all())

    @cached_property
    def order(self) -> Places:
        """Candidates from the best mean to the worst; ties by index; missing ones last."""
        return np.argsort(-self.means, kind="stable")  # NaN sorts last

    @property
    def n_available(self) -> int:
        """Number of candidates that are not missing."""
        return int((~self.missing).sum())

    @property
    def n_pairs(self) -> int:
        """Number of pairs of candidates that are not missing: the size of the family."""
        return self.n_available * (self.n_available - 1) // 2

    def subset(self, rows: Places) -> "SplitScores":
        """The scores of some candidates."""
        samples = None if self.samples is None else self.samples.subset(rows)
        return replace(self, values=self.values[rows], samples=samples)

    def comparable(self, rows: Places | slice) -> Numbers:
        """Rows of scores; all NaN for a missing candidate, so that no partial row is compared."""
        return np.where(self.missing[rows, None], np.nan, self.values[rows])

    def correlation(self, rows: Places | None = None) -> Numbers:
        """Correlation over splits of candidates `rows` with all candidates in rank order.

        Default: of all candidates in rank order. High correlations are the fold effect: an easy
        split is easy for all candidates. NaN for a missing candidate, or one with the same score
        on every split.
        """
        units = self._units(self.order)
        own = units if rows is None else self._units(rows)
        return np.clip(own @ units.T, -1, 1)

    def _units(self, rows: Places) -> Numbers:
        """Split-centred scores as vectors of length 1; NaN for constant scores."""
        values = self.comparable(rows)
        centred = values - values.mean(axis=1, keepdims=True)
        norm = np.sqrt((centred**2).sum(axis=1, keepdims=True))
        norm[norm <= ROUNDING * np.abs(values).max(axis=1, keepdims=True)] = np.nan
        return centred / norm


def _failed(values: Numbers) -> Flags:
    with np.errstate(invalid="ignore"):
        return np.asarray(~(np.abs(values) <= LARGEST).all(axis=1))


def denominator(scores: Numbers) -> float:
    """The smallest n ≤ 1,000 for which all scores are multiples of 1/n; inf if there is none."""
    different = np.unique(scores)
    n = np.arange(1, _LARGEST_DENOMINATOR + 1)
    # In chunks: the first few scores show if they are not counts.
    for start in range(0, different.size, _SCORES_TRIED):
        counts = np.multiply.outer(n, different[start : start + _SCORES_TRIED])
        n = n[(np.abs(counts - np.round(counts)) <= 1e-9 * np.abs(counts)).all(axis=1)]
        if not n.size:
            return inf
    return float(n[0])


# The chance of a smaller number that fits by accident.
_ACCIDENT = 1e-3


def _rounded_denominators(scores: Numbers, rounding: float) -> Numbers:
    """The smallest n or n + 1 of each split of which rounded scores are shares; inf if by chance.

    A score is within `rounding` of some multiple of 1/n by chance with probability 2·n·rounding.
    """
    n = np.arange(1.0, _LARGEST_DENOMINATOR + 2)
    fit: Flags = np.empty((scores.shape[1], n.size), dtype=bool)
    accident = np.ones(n.size)
    for split, column in enumerate(scores.T):
        different = np.unique(column[column % 1 != 0])[:_SCORES_TRIED]
        counts = np.multiply.outer(n, different)
        errors = np.abs(counts - np.round(counts))
        fit[split] = (errors <= 1.001 * rounding * n[:, None]).all(axis=1)
        accident *= np.minimum(1, 2 * (2 * rounding * n) ** different.size)
    both = np.all(np.logical_or(fit[:, :-1], fit[:, 1:]), axis=0)
    first = int(np.argmax(both))
    if not both[first] or accident[: first + 1].sum() > _ACCIDENT:
        return np.full(len(fit), inf)
    return np.where(fit[:, first], n[first], n[first + 1])


# Balanced accuracy and F1 count the samples of a class, which folds have n or n + 1 of. Leads of
# equally many vary by up to 1.5/n_test of their mean if no class is much rarer than 2 in 5.
_NEARLY_EQUAL = 1.5


def are_constant(
    size: Numbers, std: Numbers, equal_counts: float, n_tested: float, rounding: float = 0.0
) -> Flags:
    """Which differences of a mean `size` are the same on all splits, or equal counts.

    Equal counts in folds of different size, such as c/10 and c/11, vary by `equal_counts` of their
    mean, and by up to 1.5 × the `rounding` of scores: 1 if differences take two neighbouring
    values, √2 if scores are halfway between two, such as 0.125.
    """
    equal = equal_counts * size
    nearly = std <= _NEARLY_EQUAL / n_tested * size
    # By chance only small leads are alike on all splits, but so is that of an AUC of 0.99 over 0.5.
    # 0.6/√n is the deviation on a split of two equal candidates that disagree on 36 % of samples.
    nearly &= size <= 0.6 * n_tested**-0.5
    constant: Flags = (std == 0) | nearly | (np.abs(std - equal) <= 1e-7 * equal + 1.5 * rounding)
    return constant


@dataclass(frozen=True)
class Moments:
    """Means and standard deviations of split differences for scores of one design.

    Attributes
    ----------
    df : int
        Degrees of freedom, J − 1.
    variance_factor : float
        1/J + q.
    spread_of_equal_counts : float
        Standard deviation, relative to the mean, of differences of equal counts.
    n_tested : float
        As in `SplitScores`.
    n_signs : int
        Number of equal signs as which a constant difference counts.
    rounding : float
        As in `SplitScores`, of shares, times √(J/(J − 1)).
    """

    df: int
    variance_factor: float
    spread_of_equal_counts: float
    n_tested: float
    n_signs: int
    rounding: float

    @classmethod
    def of(cls, scores: SplitScores) -> "Moments":
        """Return the settings for the design of `scores`."""
        shares, unit = scores.as_shares
        design, counts = scores.design, shares.count_values
        return cls(
            df=design.n_splits - 1,
            variance_factor=design.variance_factor,
            n_signs=design.splits_per_repeat,
            spread_of_equal_counts=(
                0.0 if counts is None or len(counts) < 2 else counts.std(ddof=1) / counts.mean()
            ),
            n_tested=shares.n_tested,
            # The largest standard deviation of two values is larger in few splits, by ddof=1.
            rounding=unit
            * shares.rounding_of_shares
            * (design.n_splits / max(design.n_splits - 1, 1)) ** 0.5,
        )

    def __call__(self, differences: Numbers, threshold: Numbers) -> tuple[Numbers, Numbers, Flags]:
        """Return row means, standard deviations (ddof=1) and which rows are constant, in place."""
        mean = differences.mean(axis=1)
        if self.df < 1:  # one difference has no spread
            nothing = np.full_like(mean, np.nan)
            return nothing, nothing, np.zeros(mean.shape, dtype=bool)
        std = self.spread(differences, mean)
        return mean, std, self.set_constant_spread(mean, std, threshold)

    def spread(self, differences: Numbers, mean: Numbers) -> Numbers:
        """Return standard deviations of rows with known means, in place."""
        # The same two passes as np.var, bit-identical, without another buffer.
        np.subtract(differences, mean[:, None], out=differences)
        np.multiply(differences, differences, out=differences)
        std: Numbers = np.sqrt(differences.sum(axis=1) / self.df)
        return std

    def set_constant_spread(self, mean: Numbers, std: Numbers, threshold: Numbers) -> Flags:
        """Return which differences are constant, and set their spread to that of equal signs.

        Changes `mean` and `std`; values up to `threshold` are rounding error and become zero.
        """
        std[std <= threshold] = 0.0
        size = np.abs(mean)
        mean[size <= threshold] = 0.0
        limits = self.spread_of_equal_counts, self.n_tested, self.rounding
        constant = are_constant(size, std, *limits) & (mean != 0)
        if constant.any():
            std[constant] = np.maximum(std[constant], self._std_of_equal_signs * size[constant])
        return constant

    @property
    def _std_of_equal_signs(self) -> float:
        """Standard deviation, relative to the mean, for which p is that of equal signs."""
        if not np.isfinite(self.variance_factor):
            return 1.0  # arbitrary, because the standard error is infinite
        # At least 1e-300: for a thousand splits of one repeat (leave-one-out) it would underflow.
        t = float(stats.t.isf(max(2.0**-self.n_signs, 1e-300), self.df))
        return float(1 / (t * np.sqrt(self.variance_factor)))


def in_units(*arrays: Numbers) -> tuple[float, list[Numbers]]:
    """Return a power of two and the scores in this unit; 1 unless their squares would underflow."""
    largest = max((float(np.nanmax(np.abs(a), initial=0.0)) for a in arrays), default=0.0)
    if not 0 < largest < 1e-100:
        return 1.0, list(arrays)
    # A normal number: NumPy's division by a subnormal one may overflow.
    unit = max(float(2.0 ** np.floor(np.log2(largest))), float(np.finfo(float).tiny))
    return unit, [array / unit for array in arrays]


# Number of pairs × splits below which explicit differences are fast.
_FEW_DIFFERENCES = 50_000_000

# A mean difference below this share of its terms has lost more than 10 digits. A spread this close
# to that of equal counts may be on either side of it.
_LOST_DIGITS = 1e-6

# Explicit differences in memory at a time, which fit in the processor's cache.
_NUMBERS_AT_ONCE = 100_000


class RankedMoments:
    """Moments of the differences between a candidate and those ranked below it.

    Moments of many pairs come from matrix products. Explicit differences are used where products
    lose digits (as for scores like 0.999999 ± 1e-9), if there are few pairs, and for the leader,
    whose rows must be bit-identical to those of `PairedTTests.against`.

    Parameters
    ----------
    scores : SplitScores
        The scores.

    Attributes
    ----------
    unit : float
        Unit of the computations.
    moments : Moments
        Moments for the design of `scores`.
    """

    def __init__(self, scores: SplitScores) -> None:
        self.unit, (self._values,) = in_units(scores.comparable(scores.order))
        self.moments = Moments.of(scores)
        self._largest = np.abs(self._values).max(axis=1)
        m, n_splits = self._values.shape
        self._few = n_splits < 2 or m * (m - 1) // 2 * n_splits < _FEW_DIFFERENCES
        self._rows = Rows(self._block, m)

    def __call__(self, i: int, others: slice) -> tuple[Numbers, Numbers, Flags]:
        """Means and standard deviations of row `i` minus rows `others`, and which are constant."""
        threshold = ROUNDING * np.maximum(self._largest[i], self._largest[others])
        if self._few or i == 0:
            return self.moments(self._values[i] - self._values[others], threshold)
        mean, std = self._rows(i, others)
        return mean, std, self.moments.set_constant_spread(mean, std, threshold)

    @cached_property
    def _centred(self) -> tuple[Distances, Numbers, Numbers]:
        """Distances that are standard deviations, means relative to the leader, and their sizes."""
        # The leader is subtracted first: a difference of two numbers is rounded relative to itself.
        points = self._values - self._values[0]
        levels = np.einsum("mj,mj->m", points, points) / points.shape[1]
        means = points.mean(axis=1)
        points -= means[:, None]
        points /= np.sqrt(self.moments.df)
        return Distances.of_points(points, levels), means, np.sqrt(levels)

    def _block(self, rows: slice, columns: slice) -> Numbers:
        """Means and standard deviations, (2, rows, columns)."""
        distances, means, sizes = self._centred
        std, lost = distances(rows, columns)
        mean = np.subtract.outer(means[rows], means[columns])
        size = np.abs(mean)
        lost |= size < _LOST_DIGITS * np.add.outer(sizes[rows], sizes[columns])
        for limit in (self.moments.spread_of_equal_counts, _NEARLY_EQUAL / self.moments.n_tested):
            lost |= np.abs(std - size * limit) <= _LOST_DIGITS * std
        first, second = np.nonzero(np.triu(lost, 1))
        for some in parts(len(first), _NUMBERS_AT_ONCE // self._values.shape[1]):
            part = first[some], second[some]
            differences = self._values[rows][part[0]] - self._values[columns][part[1]]
            mean[part] = differences.mean(axis=1)
            std[part] = self.moments.spread(differences, mean[part])
        return np.stack([mean, std])
