"""Checks of the hierarchical model's data, and a variance for data sets without one."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_numbers, is_number, shown
from sklearn_stats_compare.stats._limits import LARGEST, ROUNDING


def with_variance(
    means: NDArray[np.float64],
    squares: NDArray[np.float64],
    splits: NDArray[np.float64],
    width: Any,
) -> NDArray[np.float64]:
    """Sums of squares, of a substitute where all differences of a data set are the same."""
    zero = squares <= splits * (ROUNDING * means) ** 2
    if not zero.any():
        return squares
    others = squares[~zero] / splits[~zero]
    # A tenth of a percent of the spread of the means: next to nothing, but not zero.
    last = (1e-3 * means.std()) ** 2 if np.ptp(means) > ROUNDING * np.abs(means).max() else 0.0
    variance = width**2 / 12 or (others.min() if others.size else last)
    return np.where(zero, splits * variance, squares)


def checked_limit(limit: Any, means: NDArray[np.float64]) -> float | None:
    """`mean_limit` as a float, or None."""
    if limit is None:
        return None
    least = float(np.abs(means).max())
    if not (is_number(limit) and 0 < limit <= LARGEST and limit >= least):
        raise ValueError(
            f"`mean_limit` must be a number ≥ the largest |mean_diff|, {least:g}; "
            f"got {shown(limit)}."
        )
    return float(limit)


def checked_data(*given: Any) -> tuple[NDArray[np.float64], ...]:
    """The four arrays as vectors of one length, with their rules."""
    names = ("mean_diff", "sum_squares", "n_splits", "rho")
    means = check_numbers(names[0], given[0])
    if means.ndim != 1 or means.size < 2:
        raise ValueError(f"`mean_diff` must be a vector of ≥ 2 data sets; got {shown(given[0])}.")
    rules: dict[str, tuple[str, Callable[[NDArray[np.float64]], NDArray[np.bool_]]]] = {
        "mean_diff": ("finite numbers", lambda x: np.abs(x) <= LARGEST),
        "sum_squares": ("finite numbers ≥ 0", lambda x: (x >= 0) & (x <= LARGEST)),
        "n_splits": ("whole numbers ≥ 2", lambda x: (x >= 2) & (x <= LARGEST) & (x == x.round())),
        "rho": ("numbers in [0, 1)", lambda x: (x >= 0) & (x < 1)),
    }
    found = []
    for name, value in zip(names, given, strict=True):
        rule, is_kept = rules[name]
        array = check_numbers(name, value)
        may_be_one = name in ("n_splits", "rho") and array.ndim == 0
        if not (may_be_one or array.shape == means.shape) or not is_kept(array).all():
            raise ValueError(
                f"`{name}` must be {rule}, one per data set ({means.size}); got {shown(value)}."
            )
        found.append(np.broadcast_to(array, means.shape))
    return tuple(found)
