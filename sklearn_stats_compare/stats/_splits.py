"""SplitDesign: train and test sizes of the splits of a cross-validation, and their structure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class SplitDesign:
    """Sizes and structure of the splits that the scores come from.

    Parameters
    ----------
    n_train, n_test : array-like of int, shape (n_splits,)
        Number of samples that each split trains on and tests on.
    repeat : array-like of int, shape (n_splits,), optional
        The repeat that each split belongs to: a run of consecutive splits whose test sets
        partition the data is one repeat, numbered from 0; −1 for a split that is in none.
        Default: −1 everywhere, that is, not known.
    complementary_halves : bool, default=False
        Whether the splits come in consecutive pairs that swap two halves of the data
        (2-fold cross-validation, repeated).
    expanding : bool, default=False
        Whether every training set contains the one before it, and more (an expanding window).

    Raises
    ------
    ValueError
        If sizes are not whole numbers, are negative, differ in length, or if nothing is trained on.
    """

    n_train: NDArray[np.int64]
    n_test: NDArray[np.int64]
    repeat: NDArray[np.int64] = None  # type: ignore[assignment]  # set in __post_init__
    complementary_halves: bool = False
    expanding: bool = False

    def __post_init__(self) -> None:
        n_train = _check_sizes("n_train", self.n_train)
        n_test = _check_sizes("n_test", self.n_test)
        if len(n_train) != len(n_test):
            raise ValueError(
                "`n_train` and `n_test` must have one entry per split each; "
                f"got {len(n_train)} and {len(n_test)} entries."
            )
        if n_train.sum() == 0:
            raise ValueError("`n_train` must hold at least one training sample; got 0 in all.")
        if self.repeat is None:
            repeat = np.full(len(n_train), -1)
        else:
            repeat = np.asarray(self.repeat)
            if repeat.shape != n_train.shape or repeat.dtype.kind not in "iu":
                raise ValueError(
                    f"`repeat` must be {len(n_train)} whole numbers, one per split; "
                    f"got {self.repeat!r}."
                )
        object.__setattr__(self, "n_train", n_train)
        object.__setattr__(self, "n_test", n_test)
        object.__setattr__(self, "repeat", repeat.astype(np.int64))

    @classmethod
    def from_indices(cls, splits: Sequence[tuple[Any, Any]], n_samples: int) -> Self:
        """Describe splits given as (train, test) indices, in any form that indexes an array.

        Parameters
        ----------
        splits : sequence of (train, test)
            Integer indices, boolean masks, ranges or slices, as scikit-learn takes them.
        n_samples : int
            Number of samples that the indices point into.
        """
        samples = np.arange(n_samples)
        trains = [samples[_as_index(train)] for train, _ in splits]
        tests = [samples[_as_index(test)] for _, test in splits]
        repeat = _number_repeats(tests, n_samples)
        return cls(
            n_train=np.array([train.size for train in trains]),
            n_test=np.array([test.size for test in tests]),
            repeat=repeat,
            complementary_halves=_are_complementary_halves(trains, tests, repeat),
            expanding=_is_expanding(trains),
        )

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""
        return len(self.n_train)

    @property
    def test_train_ratio(self) -> float:
        """q = Σ n_test / Σ n_train: exactly 1/(k−1) for k-fold, uneven folds included."""
        # Python integers, divided last: a mean of ratios, or the first split's, would be off.
        return int(self.n_test.sum()) / int(self.n_train.sum())

    @property
    def variance_factor(self) -> float:
        """1/J + q: what the variance of split differences is multiplied by (Nadeau & Bengio)."""
        return 1 / self.n_splits + self.test_train_ratio


def _check_sizes(name: str, sizes: ArrayLike) -> NDArray[np.int64]:
    array = np.asarray(sizes)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(f"`{name}` must be whole numbers ≥ 0, one per split; got {sizes!r}.")
    return array.astype(np.int64)


def _as_index(indices: Any) -> Any:
    """Lists and ranges become integer or boolean arrays; an empty list would index as float."""
    if isinstance(indices, slice):
        return indices
    array = np.asarray(indices)
    return array if array.size else array.astype(np.intp)


def _number_repeats(tests: list[NDArray[np.int64]], n_samples: int) -> NDArray[np.int64]:
    repeat = np.full(len(tests), -1)
    start = number = 0
    while start < len(tests):
        stop, clashed = _end_of_partition(tests, start, n_samples)
        if stop is not None:
            repeat[start:stop] = number
            number += 1
            start = stop
        elif clashed:
            start += 1
        else:  # the rest together leaves samples out, so any shorter rest does too
            break
    return repeat


def _end_of_partition(
    tests: list[NDArray[np.int64]], start: int, n_samples: int
) -> tuple[int | None, bool]:
    """Where the run of test sets from `start` has covered the data once; or None, and why."""
    covered = np.zeros(n_samples, dtype=bool)
    n_covered = 0
    for position in range(start, len(tests)):
        test = tests[position]
        if covered[test].any() or np.unique(test).size != test.size:
            return None, True
        covered[test] = True
        n_covered += test.size
        if n_covered == n_samples:
            return position + 1, False
    return None, False


def _are_complementary_halves(
    trains: list[NDArray[np.int64]], tests: list[NDArray[np.int64]], repeat: NDArray[np.int64]
) -> bool:
    if len(tests) % 2 or (repeat < 0).any() or (np.bincount(repeat) != 2).any():
        return False
    return all(
        abs(tests[k].size - tests[k + 1].size) <= 1
        and np.array_equal(np.sort(trains[k]), np.sort(tests[k + 1]))
        and np.array_equal(np.sort(trains[k + 1]), np.sort(tests[k]))
        for k in range(0, len(tests), 2)
    )


def _is_expanding(trains: list[NDArray[np.int64]]) -> bool:
    return len(trains) > 1 and all(
        before.size < after.size and bool(np.isin(before, after).all())
        for before, after in pairwise(trains)
    )
