"""Training sets of growing size: how many samples, which ones, and whether they lack a class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import type_of_target

from sklearn_stats_compare._messages import check_count, check_option, shown
from sklearn_stats_compare.stats import as_index, check_splits

SCHEDULES = ("geometric", "arithmetic")

Split = tuple[NDArray[np.intp], NDArray[np.intp]]


def training_sizes(schedule: Any, n_sizes: int, full: int) -> tuple[int, ...]:
    """Training-set sizes, ascending and different."""
    if isinstance(schedule, str):
        check_option("schedule", schedule, SCHEDULES)
        # More sizes would repeat: sizes are whole numbers from 1 on.
        n_sizes = check_count("n_sizes", n_sizes)
        if schedule == "geometric":
            sizes = full / 2.0 ** np.arange(min(n_sizes, full.bit_length()))
        else:
            n_sizes = min(n_sizes, full)
            sizes = full * (np.arange(n_sizes) + 1) / n_sizes
        return tuple(sorted({max(1, int(size)) for size in sizes}))
    found = set()
    for size in _schedule_items(schedule):
        # 1 is one sample and 1.0 all of them, as for `train_sizes` of scikit-learn's
        # learning_curve.
        if isinstance(size, int | np.integer) and not isinstance(size, bool) and 1 <= size <= full:
            found.add(int(size))
        elif isinstance(size, float | np.floating) and 0 < size <= 1:
            # Rounded down and at least 1, as in `_translate_train_sizes` of scikit-learn.
            found.add(max(1, int(float(size) * full)))
        else:
            raise ValueError(
                f"`schedule` must name sizes from 1 to {full}, the smallest training set, or "
                f"shares in (0, 1]; got {shown(size)}."
            )
    if not found:
        raise ValueError("`schedule` must name at least one size; got none.")
    return tuple(sorted(found))


def _schedule_items(schedule: Any) -> list[Any]:
    try:
        return list(schedule)
    except TypeError:
        names = ", ".join(map(repr, SCHEDULES))
        raise ValueError(
            f"`schedule` must be one of {names}, or a sequence of sizes; got {shown(schedule)}."
        ) from None


def shuffled_splits(splits: Any, n_samples: int, random_state: Any) -> list[Split]:
    """Splits with training sets in random order, for any form of indices."""
    # One stream for all splits, in their order, so that only `random_state` matters.
    rng, samples = check_random_state(random_state), np.arange(n_samples)
    splits = list(splits)
    if splits:
        splits = check_splits("cv", splits, n_samples)
    return [
        # Distinct samples only: a bootstrap bag holds some of them repeatedly.
        (rng.permutation(np.unique(samples[as_index(train)])), samples[as_index(test)])
        for train, test in splits
    ]


def class_numbers(y: Any) -> NDArray[np.intp] | None:
    """Index of each sample's class; None if the target is not a single class per sample."""
    if y is None or type_of_target(y) not in ("binary", "multiclass"):
        return None
    # From NumPy 2.0 on, the inverse has the shape of its input, (n, 1) for a column; hence `ravel`.
    numbers: NDArray[np.intp] = np.unique(np.asarray(y), return_inverse=True)[1]
    return numbers.ravel()


def lacks_a_class(classes: NDArray[np.intp] | None, splits: list[Split]) -> bool:
    """Whether the training set of some split lacks a class; never without `classes`."""
    if classes is None:
        return False
    # Classes of all samples: a class without training samples cannot be learned.
    n_classes = classes.max() + 1
    return any(np.unique(classes[train]).size < n_classes for train, _ in splits)
