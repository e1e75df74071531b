"""Shares of a loss explained by a model: R², explained variance and D²."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare.stats.per_sample._class_losses import (
    brier_losses,
    brier_truth,
    log_losses,
    one_hot,
)
from sklearn_stats_compare.stats.per_sample._regression_losses import (
    UNIFORM,
    as_outputs,
    over_outputs,
    squared_errors,
    tweedie_deviances,
)

Values = NDArray[np.float64]
Scored = tuple[float, Values]


def r2(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    multioutput: Any = UNIFORM,
    force_finite: bool = True,
) -> Scored:
    """R², and the centred values of −loss over the fold's total mean square.

    The total V is held at its value in the fold. The full influence has a second term,
    (1 − R²)·((y − ȳ)²/V − 1). It is the same for all models with the same R² and cancels in their
    difference, so that tests of no difference keep their level. Without it, intervals of the
    difference are too narrow if two models differ much. On 200 normal samples with R² of .55 and
    .20 the standard error is .091 (with the term .098) and should be .099; with R² of .89 and −.01
    it is .102 (.136) and should be .145. The term matters more for heavy-tailed targets.
    """
    truth = as_outputs(y_true)
    if len(truth) < 2:
        return np.nan, np.zeros(len(truth))
    total = ((truth - truth.mean(axis=0)) ** 2).mean(axis=0)
    return _explained(squared_errors(y_true, y_pred), total, multioutput, force_finite)


def explained_variance(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    multioutput: Any = UNIFORM,
    force_finite: bool = True,
) -> Scored:
    """Explained variance, and values as for `r2` with the errors centred at their mean."""
    truth = as_outputs(y_true)
    errors = truth - as_outputs(y_pred)
    total = ((truth - truth.mean(axis=0)) ** 2).mean(axis=0)
    return _explained((errors - errors.mean(axis=0)) ** 2, total, multioutput, force_finite)


def d2_absolute(y_true: ArrayLike, y_pred: ArrayLike, *, multioutput: Any = UNIFORM) -> Scored:
    """D² of absolute errors; the total is the fold's mean distance from its median."""
    truth = as_outputs(y_true)
    if len(truth) < 2:
        return np.nan, np.zeros(len(truth))
    total = np.abs(truth - np.median(truth, axis=0)).mean(axis=0)
    return _explained(np.abs(truth - as_outputs(y_pred)), total, multioutput, True)


def d2_tweedie(y_true: ArrayLike, y_pred: ArrayLike, *, power: float = 0) -> Scored:
    """D² of a deviance; the total is the deviance from the fold's mean."""
    truth = as_outputs(y_true)
    null = np.full(len(truth), truth.mean())
    total = tweedie_deviances(truth, null, power=power)
    return _single(tweedie_deviances(y_true, y_pred, power=power), total)


def d2_log_loss(y_true: Any, y_proba: ArrayLike, *, labels: ArrayLike | None = None) -> Scored:
    """D² of the log loss; the total is the loss of the fold's class frequencies."""
    losses = log_losses(y_true, y_proba, labels=labels)
    array = np.asarray(y_proba)
    n_columns = 2 if array.ndim == 1 or array.shape[1] == 1 else array.shape[1]
    null = np.tile(one_hot(y_true, n_columns, labels).mean(axis=0), (len(losses), 1))
    return _single(losses, log_losses(y_true, null, labels=labels))


def d2_brier(
    y_true: Any, y_proba: ArrayLike, *, labels: ArrayLike | None = None, pos_label: Any = None
) -> Scored:
    """D² of the Brier score; the total is the loss of the fold's class frequencies."""
    losses = brier_losses(y_true, y_proba, labels=labels, pos_label=pos_label, scale_by_half=False)
    truth = brier_truth(y_true, y_proba, labels=labels, pos_label=pos_label)
    return _single(losses, ((truth - truth.mean(axis=0)) ** 2).sum(axis=1))


def _single(losses: Values, null_losses: Values) -> Scored:
    if len(losses) < 2:
        return np.nan, np.zeros(len(losses))
    return _explained(losses[:, None], null_losses.mean(keepdims=True), None, False)


def _explained(losses: Values, total: Values, multioutput: Any, force_finite: bool) -> Scored:
    """1 − losses/total for each output, averaged over the outputs."""
    means = losses.mean(axis=0)
    defined = total != 0
    # As in scikit-learn, a perfect prediction of a constant scores 1, any other 0.
    constant = np.where(means == 0, 1.0, 0.0)
    if not force_finite:
        constant = np.where(means == 0, np.nan, -np.inf)
    safe = np.where(defined, total, 1)
    scores = np.where(defined, 1 - means / safe, constant)
    deviations = np.where(defined, (means - losses) / safe, 0.0)
    if isinstance(multioutput, str) and multioutput == "variance_weighted":
        multioutput = total if defined.any() else UNIFORM
    return float(over_outputs(scores[None], multioutput)[0]), over_outputs(deviations, multioutput)
