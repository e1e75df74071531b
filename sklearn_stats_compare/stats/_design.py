"""SplitDesign: train and test sizes of the splits of a cross-validation, and their structure."""

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare._utils._validation import (
    check_count,
    check_flag,
    check_same_index,
    shown,
)
from sklearn_stats_compare.stats._numeric import Flags, Places

_LARGEST_RATIO = 10**12

_MOST_SPLITS = 10**9


@dataclass(frozen=True, eq=False)
class SplitDesign:
    """Sizes and structure of the splits on which scores were computed.

    Parameters
    ----------
    n_train, n_test : array-like of int, shape (n_splits,)
        Number of distinct training and test samples of each split.
    repeat : array-like of int, shape (n_splits,), optional
        The repeat of each split, numbered from 0: consecutive splits whose test sets partition the
        data form a repeat. −1 for a split outside any repeat. Default: −1 for all, that is,
        unknown.
    complementary_halves : bool, default=False
        Whether the splits form consecutive pairs that swap two halves of the data (repeated 2-fold
        cross-validation).
    expanding : bool, default=False
        Whether every training set contains the previous one and more (an expanding window).
    sliding : bool, default=False
        Whether every training set is before its test set and does not grow (a sliding window).
    resampled : bool, default=False
        Whether training sets contain samples more than once, as in a bootstrap.
    repeated : bool, default=False
        Whether a split is the same as an earlier one, which is no new observation, or splits that
        are no repeats test the same samples again and again.
    tests_training : bool, default=False
        Whether a split tests samples that it trains on.
    sizes_known : bool, default=True
        False if only the ratio of the sizes is known, which `n_train` and `n_test` then represent.
    n_samples : int, optional
        Size of the pool from which every split draws its training and test samples. It matters if
        a split uses only part of the pool: see `overlap_ratio`. Default: unknown.
    stratified : bool, default=False
        Whether all test sets are known to have the same shares of the classes.

    Raises
    ------
    ValueError
        If sizes are not whole numbers, are negative or have different lengths, or if `n_samples` is
        smaller than any of them.
    """

    n_train: NDArray[np.int64]
    n_test: NDArray[np.int64]
    repeat: NDArray[np.int64] = None  # type: ignore[assignment]  # set in __post_init__
    complementary_halves: bool = False
    expanding: bool = False
    sliding: bool = False
    resampled: bool = False
    repeated: bool = False
    tests_training: bool = False
    sizes_known: bool = True
    n_samples: int | None = None
    stratified: bool = False

    def __post_init__(self) -> None:
        check_same_index([("n_train", self.n_train), ("n_test", self.n_test)])
        n_train = _check_sizes("n_train", self.n_train)
        n_test = _check_sizes("n_test", self.n_test)
        if len(n_train) != len(n_test):
            raise ValueError(
                "`n_train` and `n_test` must each have one entry per split; "
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
        for each in fields(self):
            if each.type is bool:
                object.__setattr__(self, each.name, check_flag(each.name, getattr(self, each.name)))
        # The class is frozen, and so its own __setattr__ raises.
        for name, array in (("n_train", n_train), ("n_test", n_test), ("repeat", repeat)):
            array = array.astype(np.int64)
            array.setflags(write=False)  # recorded sizes must not change
            object.__setattr__(self, name, array)

    @classmethod
    def from_indices(cls, splits: Sequence[tuple[Any, Any]], n_samples: int) -> Self:
        """Make a design from (train, test) indices in any form that indexes an array.

        Parameters
        ----------
        splits : sequence of (train, test)
            Integer indices, boolean masks, ranges or slices, as in scikit-learn.
        n_samples : int
            Number of samples that are indexed. They are the pool of the design, unless the splits
            leave out more samples than random draws from all of them would.

        Raises
        ------
        ValueError
            If `n_samples` is not a whole number ≥ 1, or `splits` is empty or not pairs of valid
            indices.
        """
        n_samples = check_count("n_samples", n_samples, limit=LARGEST_SIZE)
        samples = samples_of(n_samples)
        splits = check_splits("splits", splits, n_samples)
        n_train, n_test, tests = [], [], []
        touched, trained = np.zeros((2, n_samples), dtype=bool)
        swaps = len(splits) % 2 == 0
        expanding = forward = len(splits) > 1
        resampled = tests_training = False
        before: tuple[Places, Places] | None = None
        # Split by split, because a copy of all training indices may be larger than the data.
        for k, (train_index, test_index) in enumerate(splits):
            train, test = samples[as_index(train_index)], samples[as_index(test_index)]
            # Distinct samples: a bootstrap that contains a sample twice has no more information.
            n_train.append(int(np.count_nonzero(times := np.bincount(train, minlength=n_samples))))
            n_test.append(test.size)
            tests.append(test)
            touched[train] = touched[test] = trained[train] = True
            resampled = resampled or n_train[-1] < train.size
            tests_training = tests_training or bool(times[test].any())
            forward = forward and train.max(initial=-1) < test.min(initial=n_samples)
            if before is not None:
                # The test sets move on.
                forward = forward and before[1].min(initial=n_samples) < test.min(initial=n_samples)
                if k % 2:
                    swaps = swaps and swap_halves(before, (train, test))
                expanding = expanding and grows(before[0], train)
            before = train, test
        repeat = number_repeats(tests, n_samples)
        # In a 2-fold cross-validation the swapped halves cover the data.
        in_pairs = bool((repeat >= 0).all()) and bool((np.bincount(repeat) == 2).all())
        found = cls(
            n_train=np.array(n_train),
            n_test=np.array(n_test),
            repeat=repeat,
            complementary_halves=swaps and in_pairs,
            expanding=expanding,
            # A sliding window keeps its size; an expanding window has its own warning.
            sliding=forward and not expanding,
            resampled=resampled,
            repeated=_repeat_others(splits, samples)
            or (not forward and _test_the_same(tests, repeat, trained)),
            tests_training=tests_training,
            n_samples=pool_size(n_train, n_test, touched),
        )
        if (repeat >= 0).all() or found.repeated or not found.n_test.any():
            return found
        return replace(found, repeated=_test_few_sets(tests, found.splits_per_repeat))

    @classmethod
    def from_ratio(
        cls, test_train_ratio: float, n_splits: int, repeat: ArrayLike | None = None
    ) -> Self:
        """Make a design from Σ n_test / Σ n_train > 0, if the sizes are unknown.

        Raises
        ------
        ValueError
            If `test_train_ratio` is not a number > 0, or `n_splits` is not a whole number ≥ 1.
        """
        ratio = test_train_ratio
        is_number = isinstance(ratio, Real) and not isinstance(ratio, bool)
        if not is_number or not 0 < ratio < np.inf:
            raise ValueError(f"`test_train_ratio` must be a number > 0; got {shown(ratio)}.")
        if not 1 / _LARGEST_RATIO <= ratio <= _LARGEST_RATIO:
            raise ValueError(f"`test_train_ratio` must be from 1e-12 to 1e12; got {shown(ratio)}.")
        # Whole numbers, large enough for the ratio to lose only its last digits.
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
        """Return the design of these splits followed by those of `other`, on the same data."""
        if not isinstance(other, SplitDesign):
            raise TypeError(f"`other` must be a SplitDesign; got {shown(other)}.")
        numbered = self.repeat.max(initial=-1) + 1
        # A property of some of the splits that weakens the method applies to all.
        weak = ("expanding", "sliding", "resampled", "repeated", "tests_training", "stratified")
        return SplitDesign(
            n_train=np.concatenate([self.n_train, other.n_train]),
            n_test=np.concatenate([self.n_test, other.n_test]),
            repeat=np.concatenate(
                [self.repeat, np.where(other.repeat < 0, -1, other.repeat + numbered)]
            ),
            complementary_halves=self.complementary_halves and other.complementary_halves,
            **{name: getattr(self, name) or getattr(other, name) for name in weak},
            sizes_known=self.sizes_known and other.sizes_known,
            # Two different pools: without `n_samples` the ratio is conservative.
            n_samples=self.n_samples if self.n_samples == other.n_samples else None,
        )

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""
        return len(self.n_train)

    @property
    def splits_per_repeat(self) -> int:
        """K, the number of splits with different test samples: those of one repeat, at least 2.

        The splits of another repeat test the same samples again. If the repeats are unknown, it is
        the number of test sets that fit in the data, 1 + 1/q, or J if that is less.
        """
        if (self.repeat < 0).any():
            q = self.overlap_ratio
            # Exactly k for k-fold, also if the ratio was rounded.
            most = int(1 + 1 / q + 0.1) if q > 0 else self.n_splits
            return max(2, min(self.n_splits, most))
        return max(2, int(np.bincount(self.repeat).min()))

    @property
    def samples_per_repeat(self) -> float:
        """Number of different samples that the splits test: those of one repeat.

        If the repeats are unknown, it is the expected number for test sets drawn at random from the
        pool. If the pool is unknown too, it is K test sets, with K of `splits_per_repeat`. Windows
        over a time series do not test a sample twice.
        """
        in_repeats = self.repeat >= 0
        if in_repeats.any():
            tested = np.bincount(self.repeat[in_repeats], weights=self.n_test[in_repeats])
            return float(tested.min())
        if self.n_samples is None:
            return float(self.splits_per_repeat * self.n_test.mean())
        if self.expanding or self.sliding:
            return float(min(self.n_samples, self.n_test.sum()))
        return float(self.n_samples * (1 - np.prod(1 - self.n_test / self.n_samples)))

    @property
    def test_train_ratio(self) -> float:
        """Σ n_test / Σ n_train: exactly 1/(k−1) for k-fold, uneven folds included.

        Infinite if there are no training samples (models that were fitted before).
        """
        # Sums of Python integers, divided last: a mean of ratios would differ for uneven folds.
        n_train = sum(self.n_train.tolist())
        return sum(self.n_test.tolist()) / n_train if n_train else float("inf")

    @property
    def overlap_ratio(self) -> float:
        """q of the correction: Σ n_test / Σ n_train, if each split trained on all other samples.

        Nadeau and Bengio assume that two splits have correlation q/(1 + q) = n_test/(n_train +
        n_test), where n_train + n_test = n, the size of the pool. If a split uses less than the
        pool, n − n_test replaces n_train: smaller training sets overlap less, but n_test/n_train
        would imply that they overlap more. If n is unknown, or training sets grow or slide, q is
        `test_train_ratio`.
        """
        # Windows overlap by construction, not like random draws from a pool. Their correction is a
        # heuristic, and a warning says so.
        if self.n_samples is None or self.expanding or self.sliding:
            return self.test_train_ratio
        sizes = zip(self.n_train.tolist(), self.n_test.tolist(), strict=True)
        # Splits without training samples (models that were fitted before) stay without.
        n_train = sum(max(train, self.n_samples - test) for train, test in sizes if train)
        return sum(self.n_test.tolist()) / n_train if n_train else float("inf")

    @property
    def draws_part(self) -> bool:
        """Whether splits use only part of the pool, so that the two ratios differ."""
        return self.overlap_ratio != self.test_train_ratio

    @property
    def variance_factor(self) -> float:
        """Variance of a mean difference over that of a split difference: 1/J + q (Nadeau & Bengio).

        q is `overlap_ratio`.
        """
        return 1 / self.n_splits + self.overlap_ratio


def stratifies(cv: Any) -> bool:
    """Whether a splitter is known to give all test sets the same shares of the classes."""
    return "Stratified" in type(cv).__name__


def _check_sizes(name: str, sizes: ArrayLike) -> NDArray[np.int64]:
    array = _array(sizes)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(f"`{name}` must be whole numbers ≥ 0, one per split; got {shown(sizes)}.")
    if (array > LARGEST_SIZE).any():  # int64 might overflow
        raise ValueError(f"`{name}` must be at most 1e18 samples; got {array.max()}.")
    return array.astype(np.int64)


def _array(values: Any) -> NDArray[Any]:
    """Values as an array; empty for rows of different lengths, or if some are masked."""
    try:
        return np.empty(0) if np.ma.is_masked(values) else np.asarray(values)
    except ValueError:
        return np.empty(0)


def _check_pool(n_samples: Any, n_train: NDArray[np.int64], n_test: NDArray[np.int64]) -> None:
    if n_samples is None:
        return
    most = max(int(n_train.max()), int(n_test.max()))
    whole = isinstance(n_samples, Integral) and not isinstance(n_samples, bool)
    if not whole or not most <= n_samples <= LARGEST_SIZE:
        raise ValueError(
            f"`n_samples` must be a whole number ≥ {most}, the largest training or test set; got "
            f"{shown(n_samples)}. It is the number of samples from which splits are drawn."
        )


# Sizes are summed as int64, whose largest value is 9.2e18.
LARGEST_SIZE = 10**18


def check_splits(name: str, splits: Any, n_samples: int) -> list[tuple[Any, Any]]:
    """Return `splits` as a list of (train, test) if they index `n_samples`, else raise ValueError.

    Parameters
    ----------
    name : str
        Name of the argument.
    splits : iterable of (train, test)
        Indices in any form that indexes an array of samples.
    n_samples : int
        Size of that array.
    """
    rule = "(train, test) pairs of indices of samples, at least one pair"
    samples, checked = samples_of(n_samples), []
    try:
        if isinstance(splits, Mapping):  # iterates over keys, which may be pairs
            raise TypeError
        for split in splits:
            train, test = split
            # "01", {0: …, 1: …} and {0, 1} also unpack into two items.
            if isinstance(split, str | bytes | Mapping | Set):
                raise TypeError
            # Rows of an array, which NumPy finds or refuses.
            if samples[as_index(train)].ndim != 1 or samples[as_index(test)].ndim != 1:
                raise ValueError
            checked.append((train, test))
    except (TypeError, ValueError, IndexError):
        checked = []
    if not checked:
        raise ValueError(
            f"`{name}` must be {rule}; got {shown(splits)}. The indices of {n_samples} samples are "
            f"whole numbers from 0 to {n_samples - 1}, masks, ranges or slices."
        )
    return checked


def as_index(indices: Any) -> Any:
    """Convert indices of any form to one that indexes an array."""
    if isinstance(indices, slice):
        return indices
    array = np.asarray(indices)
    # np.array([]) has a float type, which NumPy does not accept as an index.
    return array if array.size else array.astype(np.intp)


def samples_of(n_samples: int) -> Places:
    """Return the numbers of all samples, to be indexed."""
    try:
        # NumPy raises MemoryError, or ValueError for sizes beyond the address space.
        return np.arange(n_samples)
    except (MemoryError, ValueError):
        raise ValueError(
            f"`n_samples` must be small enough for an index in memory; got {n_samples}."
        ) from None


def tested_rows(splits: Sequence[tuple[Any, Any]], n_samples: int) -> Places:
    """Rows of the data that some split tests, sorted."""
    tested = np.zeros(n_samples, dtype=bool)
    for _, test in splits:
        tested[as_index(test)] = True
    return np.flatnonzero(tested)


def split_keys(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[str]:
    """Return a key for each split, from its training and test samples and their order.

    The key of a repeated split ends with a counter. Keys are CRC-32 checksums, which take a tenth
    of the time of a hash: every fit computes them over samples × splits indices.
    """
    samples = np.arange(n_samples, dtype=np.int64)
    seen: Counter[str] = Counter()
    keys = []
    for split in splits:
        sides = (np.ascontiguousarray(samples[as_index(side)]) for side in split)
        key = ".".join(f"{side.size:x}.{zlib.crc32(side.data):08x}" for side in sides)
        seen[key] += 1
        keys.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return keys


def n_repeated(keys: Iterable[str], known: Collection[str] = ()) -> int:
    """Number of splits that are in `known` or earlier in the list."""
    return sum("-" in key or key in known for key in keys)


def number_repeats(tests: list[Places], n_samples: int) -> NDArray[np.int64]:
    """Number the runs of test sets that partition the data; −1 outside them.

    In one pass: `start` is the first split of the longest run that ends at the current split and
    tests no sample twice.
    """
    repeat = np.full(len(tests), -1)
    last_tested_by = np.full(n_samples, -1)
    start = number = n_covered = 0
    for k, test in enumerate(tests):
        # A sample twice, as in a bootstrap. For ten million samples np.unique is 50 times slower.
        if np.count_nonzero(np.bincount(test)) != test.size:
            start, n_covered = k + 1, 0
            continue
        clash = last_tested_by[test].max(initial=-1)
        if clash >= start:
            n_covered -= sum(tests[i].size for i in range(start, clash + 1))
            start = int(clash) + 1
        last_tested_by[test] = k
        n_covered += test.size
        if n_covered == n_samples:
            repeat[start : k + 1] = number
            number += 1
            start, n_covered = k + 1, 0
    return repeat


def _repeat_others(splits: Sequence[tuple[Any, Any]], samples: Places) -> bool:
    """Whether some splits have the same training and test samples, in any order."""
    marks = np.random.default_rng(0).integers(2**63, size=samples.size, dtype=np.uint64)
    keys = [tuple(int(marks[as_index(side)].sum()) for side in split) for split in splits]
    return len({*keys}) < len(keys)


def _test_the_same(
    tests: list[Places], repeat: NDArray[np.int64], trained: NDArray[np.bool_]
) -> bool:
    """Whether splits that are no repeats share test samples that no split trains on: a hold-out."""
    others = [tests[k] for k in np.flatnonzero(repeat < 0)]
    if not others:
        return False
    times = np.bincount(np.concatenate(others), minlength=trained.size)
    return not trained[times > 0].any() and bool(times.max() > 1)


def _test_few_sets(tests: list[Places], n_counted: int) -> bool:
    """Whether fewer test sets differ than count, as of windows that follow several trainings.

    Or at most half as many as there are splits, if they overlap.
    """
    different = {own.tobytes(): own for own in map(np.sort, tests)}
    needed, n = min(len(tests), n_counted), len(tests)
    if n > 2 and np.bincount(np.concatenate([*different.values()])).max() > 1:
        needed = max(needed, n // 2 + 1)
    return len(different) < needed


def swap_halves(one: tuple[Places, Places], other: tuple[Places, Places]) -> bool:
    """Whether each of two splits trains on the test set of the other, with halves of equal size."""
    (train_1, test_1), (train_2, test_2) = one, other
    return (
        # For an odd number of samples the halves differ by one.
        abs(test_1.size - test_2.size) <= 1
        and np.array_equal(np.sort(train_1), np.sort(test_2))
        and np.array_equal(np.sort(train_2), np.sort(test_1))
    )


def grows(before: Places, after: Places) -> bool:
    """Whether a training set contains the previous one and more samples."""
    return before.size < after.size and bool(np.isin(before, after).all())


def pool_size(n_train: Sequence[int], n_test: Sequence[int], touched: Flags) -> int | None:
    """Number of samples that the splits draw from.

    The pool is all samples, unless more samples are unused than splits of these sizes leave out by
    chance (four standard deviations). Then a part was set aside, and only used samples are the
    pool.
    """
    n_samples = touched.size
    used = np.array(n_train) + np.array(n_test)
    share = float(np.prod(np.clip(1 - used / n_samples, 0.0, 1.0)))
    # Mean and standard deviation of a binomial: if splits are independent, each sample is left out
    # by all of them with probability `share`.
    by_chance = n_samples * share + 4 * (n_samples * share * (1 - share)) ** 0.5 + 1
    n_touched = int(touched.sum())
    pool = n_samples if n_samples - n_touched <= by_chance else n_touched
    # Test sets drawn with replacement may be larger than the pool.
    return pool if pool >= max(n_test) else None
