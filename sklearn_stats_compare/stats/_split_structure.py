"""Structure found in the indices of splits: repeats, swapped halves, growing windows, pool."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def number_repeats(tests: list[NDArray[np.intp]], n_samples: int) -> NDArray[np.int64]:
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


def swap_halves(
    one: tuple[NDArray[np.intp], NDArray[np.intp]], other: tuple[NDArray[np.intp], NDArray[np.intp]]
) -> bool:
    """Whether each of two splits trains on the test set of the other, with halves of equal size."""
    (train_1, test_1), (train_2, test_2) = one, other
    return (
        # For an odd number of samples the halves differ by one.
        abs(test_1.size - test_2.size) <= 1
        and np.array_equal(np.sort(train_1), np.sort(test_2))
        and np.array_equal(np.sort(train_2), np.sort(test_1))
    )


def grows(before: NDArray[np.intp], after: NDArray[np.intp]) -> bool:
    """Whether a training set contains the previous one and more samples."""
    return before.size < after.size and bool(np.isin(before, after).all())


def pool_size(
    n_train: Sequence[int], n_test: Sequence[int], touched: NDArray[np.bool_]
) -> int | None:
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
