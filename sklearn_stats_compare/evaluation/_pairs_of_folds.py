"""Fits without two folds, which the interval of Bates, Hastie and Tibshirani needs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.predictions import VALUES
from sklearn_stats_compare.stats import NestedIntervalResult, SplitDesign, nested_cv_interval

_FEWEST_FOLDS = 3
Split = tuple[Any, Any]


def check_folds(design: SplitDesign, groups: Any) -> None:
    """Raise ValueError unless splits are repeats of folds of independent samples."""
    if groups is not None:
        raise ValueError(
            '`interval` "bates" needs independent samples; got `groups`. Use "corrected_t".'
        )
    sizes = np.unique(np.bincount(design.repeat[design.repeat >= 0], minlength=1))
    if (design.repeat < 0).any() or sizes.size > 1 or sizes[0] < _FEWEST_FOLDS:
        raise ValueError(
            f'`interval` "bates" needs a `cv` of repeats of K ≥ {_FEWEST_FOLDS} folds that test '
            "every sample once, such as RepeatedKFold; got other splits."
        )
    if design.n_test.min() < 2:
        raise ValueError(
            '`interval` "bates" needs at least two samples in every test set of `cv`; got one.'
        )


def pairs_of_folds(splits: Sequence[Split], design: SplitDesign) -> list[Split]:
    """Splits that train without two folds of a repeat, and test on both."""
    return [
        (np.setdiff1d(splits[k][0], splits[other][1]), np.r_[splits[k][1], splits[other][1]])
        for k, other in _pairs(design.repeat)
    ]


def bates_intervals(
    comparisons: Mapping[str, Comparison],
    arrays: Mapping[tuple[int, int], Mapping[str, Any]],
    row: int,
    splits: Sequence[Split],
    further: Sequence[Split],
) -> dict[str, NestedIntervalResult]:
    """Results by metric; without a metric of which a fit failed.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        By metric.
    arrays : mapping of (int, int) to mapping
        What the fits of each procedure on each split left, `further` after `splits`.
    row : int
        The procedure.
    splits, further : sequence of (train, test)
        The outer splits, and those of `pairs_of_folds`.
    """
    found = {}
    for metric, comparison in comparisons.items():
        name = VALUES + metric
        cells = [arrays.get((row, j), {}) for j in range(len(splits) + len(further))]
        if not all(name in cell for cell in cells):
            continue
        every = [cell[name] for cell in cells]
        if not all(np.isfinite(values).all() for values in every):
            continue
        outer = every[: len(splits)]
        repeat = comparison.scores.design.repeat
        inner: list[list[NDArray[Any]]] = [[] for _ in splits]
        for values, (k, other) in zip(every[len(splits) :], _pairs(repeat), strict=True):
            of_k, of_other = np.split(values, [len(splits[k][1])])
            # Without fold k, the other fold is tested, and the other way round.
            inner[k].append(of_other)
            inner[other].append(of_k)
        n_folds = int(np.count_nonzero(repeat == repeat[0]))
        found[metric] = nested_cv_interval(outer, [np.concatenate(own) for own in inner], n_folds)
    return found


def _pairs(repeat: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Pairs of splits of the same repeat."""
    for number in np.unique(repeat):
        folds = np.flatnonzero(repeat == number).tolist()
        for place, k in enumerate(folds):
            for other in folds[place + 1 :]:
                yield k, other
