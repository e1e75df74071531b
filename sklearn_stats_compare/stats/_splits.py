"""SplitDesign: train and test sizes of the splits of a cross-validation, and their structure."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare._messages import check_count, check_flag, shown
from sklearn_stats_compare.stats._split_indices import (
    LARGEST_SIZE,
    as_index,
    check_splits,
    samples_of,
)
from sklearn_stats_compare.stats._split_structure import (
    grows,
    number_repeats,
    pool_size,
    swap_halves,
)

_LARGEST_RATIO = 10**12
_MOST_SPLITS = 10**9


@dataclass(frozen=True, eq=False)
class SplitDesign:
    """Sizes and structure of the splits that the scores come from.

    Parameters
    ----------
    n_train, n_test : array-like of int, shape (n_splits,)
        Number of different samples that each split trains on and tests on.
    repeat : array-like of int, shape (n_splits,), optional
        The repeat that each split belongs to: a run of consecutive splits whose test sets
        partition the data is one repeat, numbered from 0; −1 for a split that is in none.
        Default: −1 everywhere, that is, not known.
    complementary_halves : bool, default=False
        Whether the splits come in consecutive pairs that swap two halves of the data
        (2-fold cross-validation, repeated).
    expanding : bool, default=False
        Whether every training set contains the one before it, and more (an expanding window).
    sliding : bool, default=False
        Whether every training set lies before its test set, without growing (a sliding window).
    resampled : bool, default=False
        Whether training sets hold samples more than once, as bootstraps do.
    sizes_known : bool, default=True
        False where only the ratio of the sizes is known, and `n_train`, `n_test` stand for it.
    n_samples : int, optional
        Size of the pool of samples that every split draws its training and its test set from. It
        matters where a split uses only a part of the pool: see `overlap_ratio`. Default: not known.

    Raises
    ------
    ValueError
        If sizes are not whole numbers, are negative, or differ in length, or if `n_samples` is
        smaller than one of them.
    """

    n_train: NDArray[np.int64]
    n_test: NDArray[np.int64]
    repeat: NDArray[np.int64] = None  # type: ignore[assignment]  # set in __post_init__
    complementary_halves: bool = False
    expanding: bool = False
    sliding: bool = False
    resampled: bool = False
    sizes_known: bool = True
    n_samples: int | None = None

    def __post_init__(self) -> None:
        n_train = _check_sizes("n_train", self.n_train)
        n_test = _check_sizes("n_test", self.n_test)
        if len(n_train) != len(n_test):
            raise ValueError(
                "`n_train` and `n_test` must have one entry per split each; "
                f"got {len(n_train)} and {len(n_test)} entries."
            )
        _check_pool(self.n_samples, n_train, n_test)
        if self.repeat is None:
            repeat = np.full(len(n_train), -1)
        else:
            repeat = _array(self.repeat)
            if repeat.shape != n_train.shape or repeat.dtype.kind not in "iu":
                raise ValueError(
                    f"`repeat` must be {len(n_train)} whole numbers, one per split; "
                    f"got {shown(self.repeat)}."
                )
        for name in ("complementary_halves", "expanding", "sliding", "resampled", "sizes_known"):
            object.__setattr__(self, name, check_flag(name, getattr(self, name)))
        # The class is frozen, so that attributes are set past its __setattr__.
        for name, array in (("n_train", n_train), ("n_test", n_test), ("repeat", repeat)):
            array = array.astype(np.int64)
            array.setflags(write=False)  # what was recorded is not edited afterwards
            object.__setattr__(self, name, array)

    @classmethod
    def from_indices(cls, splits: Sequence[tuple[Any, Any]], n_samples: int) -> Self:
        """Describe splits given as (train, test) indices, in any form that indexes an array.

        Parameters
        ----------
        splits : sequence of (train, test)
            Integer indices, boolean masks, ranges or slices, as scikit-learn takes them.
        n_samples : int
            Number of samples that the indices point into. It is the pool of the design, unless the
            splits leave out samples that random draws from all of them would not.

        Raises
        ------
        ValueError
            If `n_samples` is not a whole number ≥ 1, or `splits` are not pairs of indices of so
            many samples, at least one pair.
        """
        n_samples = check_count("n_samples", n_samples, limit=LARGEST_SIZE)
        samples = samples_of(n_samples)
        splits = check_splits("splits", splits, n_samples)
        n_train, n_test, tests = [], [], []
        touched = np.zeros(n_samples, dtype=bool)
        swaps = len(splits) % 2 == 0
        expanding = forward = len(splits) > 1
        resampled = False
        before: tuple[NDArray[np.intp], NDArray[np.intp]] | None = None
        # One split at a time: a copy of all training indices may be larger than the data.
        for k, (train_index, test_index) in enumerate(splits):
            train, test = samples[as_index(train_index)], samples[as_index(test_index)]
            # Different samples: a bag that holds one twice has not more to learn from.
            n_train.append(int(np.count_nonzero(np.bincount(train, minlength=n_samples))))
            n_test.append(test.size)
            tests.append(test)
            touched[train] = touched[test] = True
            resampled = resampled or n_train[-1] < train.size
            forward = forward and train.max(initial=-1) < test.min(initial=n_samples)
            if before is not None:  # and the tests move on
                forward = forward and before[1].min(initial=n_samples) < test.min(initial=n_samples)
            if before is not None:
                if k % 2:
                    swaps = swaps and swap_halves(before, (train, test))
                expanding = expanding and grows(before[0], train)
            before = train, test
        repeat = number_repeats(tests, n_samples)
        # Swapped halves that do not cover the data would be no 2-fold cross-validation.
        in_pairs = bool((repeat >= 0).all()) and bool((np.bincount(repeat) == 2).all())
        return cls(
            n_train=np.array(n_train),
            n_test=np.array(n_test),
            repeat=repeat,
            complementary_halves=swaps and in_pairs,
            expanding=expanding,
            # A sliding window keeps its size; an expanding one has a warning of its own.
            sliding=forward and not expanding,
            resampled=resampled,
            n_samples=pool_size(n_train, n_test, touched),
        )

    @classmethod
    def from_ratio(
        cls, test_train_ratio: float, n_splits: int, repeat: ArrayLike | None = None
    ) -> Self:
        """Make a design from Σ n_test / Σ n_train, > 0, where the sizes are not known.

        Raises
        ------
        ValueError
            If `test_train_ratio` is not a number > 0, or `n_splits` not a whole number ≥ 1.
        """
        ratio = test_train_ratio
        is_number = isinstance(ratio, Real) and not isinstance(ratio, bool)
        if not is_number or not 0 < ratio < np.inf:
            raise ValueError(f"`test_train_ratio` must be a number > 0; got {shown(ratio)}.")
        if not 1 / _LARGEST_RATIO <= ratio <= _LARGEST_RATIO:
            raise ValueError(f"`test_train_ratio` must be from 1e-12 to 1e12; got {shown(ratio)}.")
        # Whole numbers, large enough for the ratio to keep all but its last digits.
        most = int(_LARGEST_RATIO / max(1.0, float(ratio)))
        share = Fraction(float(ratio)).limit_denominator(most)
        n_splits = check_count("n_splits", n_splits, limit=_MOST_SPLITS)
        return cls(
            n_train=np.full(n_splits, share.denominator),
            n_test=np.full(n_splits, share.numerator),
            repeat=repeat,  # type: ignore[arg-type]  # converted in __post_init__
            sizes_known=False,
        )

    def followed_by(self, other: "SplitDesign") -> "SplitDesign":
        """The design of these splits and then those of `other`, of the same data."""
        if not isinstance(other, SplitDesign):
            raise TypeError(f"`other` must be a SplitDesign; got {shown(other)}.")
        numbered = self.repeat.max(initial=-1) + 1
        return SplitDesign(
            n_train=np.concatenate([self.n_train, other.n_train]),
            n_test=np.concatenate([self.n_test, other.n_test]),
            repeat=np.concatenate(
                [self.repeat, np.where(other.repeat < 0, -1, other.repeat + numbered)]
            ),
            complementary_halves=self.complementary_halves and other.complementary_halves,
            # What strains the method in some of the splits strains it.
            expanding=self.expanding or other.expanding,
            sliding=self.sliding or other.sliding,
            resampled=self.resampled or other.resampled,
            sizes_known=self.sizes_known and other.sizes_known,
            # Of two pools neither is that of all splits; without one the ratio is on the safe side.
            n_samples=self.n_samples if self.n_samples == other.n_samples else None,
        )

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""
        return len(self.n_train)

    @property
    def splits_per_repeat(self) -> int:
        """K, the number of splits that test on different samples: those of one repeat, at least 2.

        The splits of another repeat test on the same samples again. Where the repeats are not known
        it is how many test sets the data have room for, 1 + 1/q, or J if that is less.
        """
        if (self.repeat < 0).any():
            q = self.overlap_ratio
            most = int(1 + 1 / q + 1e-9) if q > 0 else self.n_splits  # exactly k of k-fold
            return max(2, min(self.n_splits, most))
        return max(2, int(np.bincount(self.repeat).min()))

    @property
    def test_train_ratio(self) -> float:
        """Σ n_test / Σ n_train: exactly 1/(k−1) for k-fold, uneven folds included.

        Infinite where nothing is trained on (models that were fitted before).
        """
        # Python integers, divided last: a mean of ratios, or the first split's, would be off.
        n_train = sum(self.n_train.tolist())
        return sum(self.n_test.tolist()) / n_train if n_train else float("inf")

    @property
    def overlap_ratio(self) -> float:
        """q of the correction: Σ n_test / Σ n_train as if every split trained on all it could.

        Nadeau and Bengio take q/(1 + q) = n_test/(n_train + n_test) for the correlation of two
        splits, where n_train + n_test = n, the size of the pool. Where a split uses less than the
        pool, n − n_test stands for n_train: smaller training sets have less in common with each
        other, not more, and n_test/n_train would say that they have more. It is `test_train_ratio`
        where n is not known, and where training sets grow or slide.
        """
        # Windows are nested or move along: they overlap by what they are, not as random draws from
        # a pool do. Their correction is a heuristic, and a warning says so.
        if self.n_samples is None or self.expanding or self.sliding:
            return self.test_train_ratio
        sizes = zip(self.n_train.tolist(), self.n_test.tolist(), strict=True)
        # Nothing that is trained on stays nothing: models that were fitted before.
        n_train = sum(max(train, self.n_samples - test) for train, test in sizes if train)
        return sum(self.n_test.tolist()) / n_train if n_train else float("inf")

    @property
    def draws_part(self) -> bool:
        """Whether splits use only a part of the pool, so that the two ratios differ."""
        return self.overlap_ratio != self.test_train_ratio

    @property
    def variance_factor(self) -> float:
        """1/J + q: what the variance of split differences is multiplied by (Nadeau & Bengio).

        With `overlap_ratio` as q.
        """
        return 1 / self.n_splits + self.overlap_ratio


def _check_sizes(name: str, sizes: ArrayLike) -> NDArray[np.int64]:
    array = _array(sizes)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(f"`{name}` must be whole numbers ≥ 0, one per split; got {shown(sizes)}.")
    if (array > LARGEST_SIZE).any():  # as int64 it might turn negative
        raise ValueError(f"`{name}` must be at most 1e18 samples; got {array.max()}.")
    return array.astype(np.int64)


def _array(values: Any) -> NDArray[Any]:
    """Values as an array, empty where they are rows of different lengths."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.empty(0)


def _check_pool(n_samples: Any, n_train: NDArray[np.int64], n_test: NDArray[np.int64]) -> None:
    if n_samples is None:
        return
    most = max(int(n_train.max()), int(n_test.max()))
    whole = isinstance(n_samples, Integral) and not isinstance(n_samples, bool)
    if not whole or n_samples < most:
        raise ValueError(
            f"`n_samples` must be a whole number ≥ {most}, the most that a split trains or tests "
            f"on; got {shown(n_samples)}. It counts the samples that all splits are drawn from."
        )
