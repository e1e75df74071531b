"""SplitDesign: train and test sizes of the splits of a cross-validation, and their structure."""

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare._messages import check_count, check_flag, check_listed, shown

_LARGEST_SIZE = 10**18
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
        samples = _samples(n_samples)
        n_samples, splits = samples.size, check_splits("splits", splits, samples.size)
        n_train, tests = [], []
        touched = np.zeros(n_samples, dtype=bool)
        swaps = len(splits) % 2 == 0
        expanding = forward = len(splits) > 1
        resampled = False
        before: tuple[NDArray[np.intp], NDArray[np.intp]] | None = None
        # One split at a time: a copy of all training indices may be larger than the data.
        for k, (train_index, test_index) in enumerate(splits):
            train, test = samples[as_index(train_index)], samples[as_index(test_index)]
            n_train.append(np.count_nonzero(np.bincount(train, minlength=n_samples)))
            tests.append(test)
            touched[train] = touched[test] = True
            resampled = resampled or n_train[-1] < train.size
            forward = forward and train.max(initial=-1) < test.min(initial=n_samples)
            if before is not None:  # and the tests move on
                forward = forward and before[1].min(initial=n_samples) < test.min(initial=n_samples)
            if before is not None:
                if k % 2:
                    swaps = swaps and _swap_halves(before, (train, test))
                expanding = expanding and _grows(before[0], train)
            before = train, test
        repeat = _number_repeats(tests, n_samples)
        in_pairs = bool((repeat >= 0).all()) and bool((np.bincount(repeat) == 2).all())
        return cls(
            n_train=np.array(n_train),
            n_test=np.array([test.size for test in tests]),
            repeat=repeat,
            complementary_halves=swaps and in_pairs,
            expanding=expanding,
            sliding=forward and not expanding,
            resampled=resampled,
            n_samples=_pool(n_train, tests, touched),
        )

    @classmethod
    def from_ratio(
        cls, test_train_ratio: float, n_splits: int, repeat: ArrayLike | None = None
    ) -> Self:
        """A design of which only Σ n_test / Σ n_train, > 0, is known.

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


def check_splits(name: str, splits: Any, n_samples: int) -> list[tuple[Any, Any]]:
    """Return `splits` as a list of (train, test) if they point into `n_samples`, else ValueError.

    Parameters
    ----------
    name : str
        What the user calls them.
    splits : iterable of (train, test)
        In any form that indexes an array of samples.
    n_samples : int
        Size of that array.
    """
    rule = "(train, test) pairs of indices of samples, at least one pair"
    checked = []
    try:
        for split in check_listed(name, splits, rule):
            train, test = split
            if isinstance(split, str | bytes | Mapping | Set):
                raise TypeError
            _check_index(train, n_samples)
            _check_index(test, n_samples)
            checked.append((train, test))
    except (TypeError, ValueError):
        checked = []
    if not checked:
        raise ValueError(
            f"`{name}` must be {rule}; got {shown(splits)}. Of {n_samples} samples the indices are "
            f"whole numbers from 0 to {n_samples - 1}, or masks, ranges or slices."
        )
    return checked


def _check_index(index: Any, n_samples: int) -> None:
    """Raise TypeError or ValueError unless `index` picks some of so many samples, or none."""
    if isinstance(index, slice):
        index.indices(n_samples)
        return
    if isinstance(index, str | bytes | Mapping | Set):
        raise TypeError
    array = np.asarray(index)
    if array.ndim != 1:
        raise ValueError
    if not array.size:
        return
    if array.dtype.kind == "b":
        right = array.size == n_samples
    else:
        right = array.dtype.kind in "iu" and -n_samples <= array.min() and array.max() < n_samples
    if not right:
        raise ValueError


def _samples(n_samples: Any) -> NDArray[np.intp]:
    n_samples = check_count("n_samples", n_samples, limit=_LARGEST_SIZE)
    try:
        return np.arange(n_samples)
    except (MemoryError, ValueError):
        raise ValueError(
            f"`n_samples` must be as many samples as memory has room for; got {n_samples}."
        ) from None


def _check_sizes(name: str, sizes: ArrayLike) -> NDArray[np.int64]:
    array = _array(sizes)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(f"`{name}` must be whole numbers ≥ 0, one per split; got {shown(sizes)}.")
    if (array > _LARGEST_SIZE).any():  # as int64 it might turn negative
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


def _pool(
    n_train: list[Any], tests: list[NDArray[np.intp]], touched: NDArray[np.bool_]
) -> int | None:
    """Number of samples that the splits draw from.

    All of them, unless more are untouched than splits of these sizes leave by chance: four standard
    deviations. Then a part was set aside, and only what was touched is the pool.
    """
    n_samples = touched.size
    used = np.array(n_train) + np.array([test.size for test in tests])
    share = float(np.prod(np.clip(1 - used / n_samples, 0.0, 1.0)))
    by_chance = n_samples * share + 4 * (n_samples * share * (1 - share)) ** 0.5 + 1
    n_touched = int(touched.sum())
    pool = n_samples if n_samples - n_touched <= by_chance else n_touched
    # Test sets that were drawn with replacement may be larger than what they are drawn from.
    return pool if pool >= max(test.size for test in tests) else None


def as_index(indices: Any) -> Any:
    """Any form of indices as one that indexes; an empty list would index as float."""
    if isinstance(indices, slice):
        return indices
    array = np.asarray(indices)
    return array if array.size else array.astype(np.intp)


def split_keys(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[str]:
    """A key for each split, of the samples that it trains on and tests on, in their order.

    A split that comes again has its number at the end. Every fit makes keys, of as many indices as
    there are samples times splits, and CRC-32 takes a tenth of the time of a hash.
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
    """Number of splits that are known, or that came before in the same list."""
    return sum("-" in key or key in known for key in keys)


def _number_repeats(tests: list[NDArray[np.intp]], n_samples: int) -> NDArray[np.int64]:
    """Number the runs of test sets that partition the data; −1 outside them.

    One pass: `start` is the first split of the longest run without a sample tested twice that ends
    at the present one.
    """
    repeat = np.full(len(tests), -1)
    last_tested_by = np.full(n_samples, -1)
    start = number = n_covered = 0
    for k, test in enumerate(tests):
        # Drawn twice, as in a bootstrap. On ten million samples np.unique takes 50 times as long.
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


def _swap_halves(
    one: tuple[NDArray[np.intp], NDArray[np.intp]], other: tuple[NDArray[np.intp], NDArray[np.intp]]
) -> bool:
    """Whether each of two splits trains on what the other tests on, and the halves are halves."""
    (train_1, test_1), (train_2, test_2) = one, other
    return (
        abs(test_1.size - test_2.size) <= 1
        and np.array_equal(np.sort(train_1), np.sort(test_2))
        and np.array_equal(np.sort(train_2), np.sort(test_1))
    )


def _grows(before: NDArray[np.intp], after: NDArray[np.intp]) -> bool:
    """Whether a training set contains the one before it, and more."""
    return before.size < after.size and bool(np.isin(before, after).all())
