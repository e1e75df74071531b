"""Whether the steps of Optuna's trials are splits: intermediate values → scores by split."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown_list
from sklearn_stats_compare.comparison._columns import numbers
from sklearn_stats_compare.comparison._found import Sizes


def scores_by_step(
    trials: Sequence[Any], sizes: Sizes
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The intermediate values of complete trials, trials × steps, and which ended before the last.

    Raises
    ------
    ValueError
        If nothing shows that the steps are splits. Intermediate values are often those of epochs,
        or running means over folds. They count as scores of splits if the value of each trial is
        their mean, but not their last, or if sizes were given for each of as many splits.
    """
    steps = sorted({step for trial in trials for step in trial.intermediate_values})
    if not steps:
        raise ValueError(
            "`obj` must be a study whose trials report one score per split, as user attributes "
            "such as split0_test_score or as intermediate values; its trials have neither. In the "
            "objective, call `trial.set_user_attr(f'split{i}_test_score', score)` for each split."
        )
    found = np.full((len(trials), len(steps)), np.nan)
    ended = np.zeros(found.shape, dtype=bool)
    last = np.full(len(trials), np.nan)
    for row, trial in enumerate(trials):
        own = dict(sorted(trial.intermediate_values.items()))
        columns = np.searchsorted(steps, list(own))
        found[row, columns] = numbers(list(own.values()), f"trial {trial.number}")
        ended[row, columns] = True
        last[row] = found[row, columns[-1]] if own else np.nan
    stopped: NDArray[np.bool_] = np.logical_not(ended.all(axis=1))
    values = np.array([trial.value for trial in trials])
    means = np.where(ended, found, 0).sum(axis=1) / np.maximum(ended.sum(axis=1), 1)
    # A NaN among the scores of a trial says nothing of the others.
    known = np.isfinite(means) & ended.any(axis=1)
    is_last = bool(known.any()) and np.allclose(values[known], last[known], rtol=1e-6)
    is_mean = bool(known.any()) and np.allclose(values[known], means[known], rtol=1e-6)
    # Where the last value is the mean too, the scores do not show which of them was meant. The
    # objective of Optuna's WilcoxonPruner returns the mean so far of a trial that it stops.
    are_splits = is_mean or (_n_given(sizes) == len(steps) and not stopped.any())
    if not is_last and are_splits and not stopped.all():
        return np.where(stopped[:, np.newaxis], np.nan, found), stopped
    if is_last:
        why = "each trial's value is the last of them, as of epochs or running means"
    elif is_mean:
        why = "no trial reported all of them"
    else:
        why = "not every trial's value is their mean"
    raise ValueError(
        "`obj` must be a study whose intermediate values are scores of splits; "
        f"{why}, and the steps are {shown_list(map(str, steps))}. Return the mean of the scores "
        "over the splits in the objective, store them as user attributes such as "
        "split0_test_score, or compare a matrix of the scores, trials × splits."
    )


def _n_given(sizes: Sizes) -> int | None:
    """Number of splits whose sizes the caller gave one by one."""
    given = sizes.n_test
    is_vector = isinstance(given, Iterable) and not isinstance(given, str)
    return np.size(np.asarray(given)) if is_vector else None
