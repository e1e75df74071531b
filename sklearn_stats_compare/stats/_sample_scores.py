"""SampleScores: a value per sample; the score of a split is the mean over its test samples."""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import (
    check_count,
    check_numbers,
    check_option,
    check_text,
    count,
)
from sklearn_stats_compare.stats._limits import LARGEST

FORMS = ("mean", "auc")
AGREEMENT = 1e-6
"""Tolerance between means of samples and of splits, relative to the root mean square."""
_RARE = 0.25
# Numbers in double precision in memory at a time.
_NUMBERS_AT_ONCE = 2_000_000


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
        For ratios of counts, such as F1 or recall, the smallest number of samples of a class in a
        fold. Below 20 a warning says that the test exceeds its level.

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

    def __post_init__(self) -> None:
        values = _kept(self.values)
        if values.ndim != 3 or values.size == 0:
            raise ValueError(
                "`values` must be candidates × repeats × samples, with at least one of each; "
                f"got shape {values.shape}."
            )
        n_folds = check_count("n_folds", self.n_folds, least=2, most=values.shape[2])
        object.__setattr__(self, "n_folds", n_folds)
        check_option("form", self.form, FORMS)
        check_text("words", self.words)
        if self.fewest is not None:
            check_count("fewest", self.fewest, least=0)
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
    def missing(self) -> NDArray[np.bool_]:
        """Whether each candidate has a value that is not finite, shape (n_candidates,)."""
        return ~(self.largest <= LARGEST)

    @cached_property
    def largest(self) -> NDArray[np.float64]:
        """Largest absolute value of each candidate; NaN if any value is NaN."""
        # Two passes, because np.abs would copy all values.
        high, low = self.values.max(axis=(1, 2)), self.values.min(axis=(1, 2))
        return np.maximum(high, -low).astype(np.float64)

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """Mean value of each candidate, NaN where missing, shape (n_candidates,)."""
        with np.errstate(invalid="ignore", over="ignore"):  # missing candidates
            means = np.asarray(self.values.mean(axis=(1, 2), dtype=np.float64))
        means[self.missing] = np.nan
        return means

    @cached_property
    def root_mean_squares(self) -> NDArray[np.float64]:
        """Root mean square of each candidate's values, NaN where missing."""
        found = np.full(self.n_candidates, np.nan)
        step = max(1, _NUMBERS_AT_ONCE // (self.n_repeats * self.n_samples))
        known = np.flatnonzero(~self.missing)
        for start in range(0, known.size, step):
            rows = known[start : start + step]
            # In units of the largest, so that squares neither overflow nor underflow.
            unit = np.where(self.largest[rows] > 0, self.largest[rows], 1.0)
            part = self.values[rows] / unit[:, None, None]
            np.multiply(part, part, out=part)
            found[rows] = np.sqrt(part.mean(axis=(1, 2))) * unit
        return found

    def rare_differences(
        self, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """The largest difference of two candidates on one sample, averaged over repeats.

        0 if they differ on more than a quarter of the samples, unless there are only two values.
        """
        if self._has_two_values:
            low, high = self.bounds
            return np.full(len(first), high - low)
        found = np.empty(len(first))
        step = max(1, _NUMBERS_AT_ONCE // (self.n_repeats * self.n_samples))
        for start in range(0, len(first), step):
            part = slice(start, start + step)
            d = self.values[first[part]].astype(np.float64) - self.values[second[part]]
            sizes = np.abs(d.mean(axis=1))
            largest = sizes.max(axis=1)
            are_rare = (sizes > self.rounding * largest[:, None]).mean(axis=1) <= _RARE
            found[part] = np.where(are_rare, largest, 0.0)
        return found

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
        return 8 * float(np.finfo(self.values.dtype).eps)

    @property
    def described(self) -> str:
        """`words`, or a description of the shape: "2 × 5 folds, 569 samples"."""
        if self.words:
            return self.words
        repeats = f"{self.n_repeats:,} × " if self.n_repeats > 1 else ""
        return f"{repeats}{count(self.n_folds, 'fold')}, {count(self.n_samples, 'sample')}"

    def subset(self, rows: NDArray[np.intp]) -> "SampleScores":
        """The values of some candidates; `self` if all are selected."""
        if np.array_equal(rows, np.arange(self.n_candidates)):
            return self
        chosen = self.values[rows]
        if chosen.base is None:  # already a copy
            chosen.setflags(write=False)
        return replace(self, values=chosen)

    def check_agreement(
        self, values: NDArray[np.float64], n_test: NDArray[np.int64], missing: NDArray[np.bool_]
    ) -> None:
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


def _kept(values: Any) -> NDArray[Any]:
    """Return numbers as a read-only array; single precision is kept, which halves its size."""
    kept = isinstance(values, np.ndarray) and not isinstance(values, np.ma.MaskedArray)
    if not (kept and values.dtype in (np.float32, np.float64)):
        values = check_numbers("values", values, "numbers, candidates × repeats × samples")
    # Read-only input, such as a part of another array, is not copied: it may take gigabytes.
    if values.flags.writeable or not values.flags.c_contiguous:
        values = np.array(values, order="C")
        values.setflags(write=False)
    array: NDArray[Any] = values
    return array
