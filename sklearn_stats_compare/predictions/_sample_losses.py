"""Metrics that are means, or nearly so, as a number for each sample.

Each function has the arguments of scikit-learn's metric. The mean of the numbers is the metric.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import xlogy

Values = NDArray[np.float64]


def hits(y_true: Any, y_pred: Any) -> Values:
    """1 for each sample whose labels are all predicted correctly, else 0."""
    truth, predicted = as_labels(y_true), as_labels(y_pred)
    right = np.asarray(truth == predicted)
    return np.asarray(right if right.ndim == 1 else right.all(axis=1), dtype=np.float64)


def misses(y_true: Any, y_pred: Any) -> Values:
    """1 for each sample with any wrong label, else 0."""
    return 1.0 - hits(y_true, y_pred)


def label_misses(y_true: Any, y_pred: Any) -> Values:
    """The share of wrong labels of each sample: the Hamming loss."""
    wrong = np.asarray(as_labels(y_true) != as_labels(y_pred), dtype=np.float64)
    return wrong if wrong.ndim == 1 else wrong.mean(axis=1)


def log_losses(y_true: Any, y_proba: ArrayLike, *, labels: ArrayLike | None = None) -> Values:
    """Negative logarithm of the predicted probability of the true class."""
    probabilities = _columns(y_proba)
    # scikit-learn clips probabilities to this distance from 0 and 1, by their own precision.
    eps = np.finfo(probabilities.dtype).eps
    clipped = np.clip(probabilities, eps, 1 - eps).astype(np.float64)
    return -xlogy(one_hot(y_true, clipped.shape[1], labels), clipped).sum(axis=1)


def brier_losses(
    y_true: Any,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    scale_by_half: bool | str = "auto",
) -> Values:
    """Squared distance of the probabilities from 1 for the true class and 0 for the others.

    With two classes, half of it: the squared error of one probability.
    """
    probabilities = _columns(y_proba).astype(np.float64)
    truth = brier_truth(y_true, y_proba, labels=labels, pos_label=pos_label)
    losses = ((truth - probabilities) ** 2).sum(axis=1)
    is_half = probabilities.shape[1] < 3 if scale_by_half == "auto" else scale_by_half
    return losses / 2 if is_half else losses


def brier_truth(
    y_true: Any, y_proba: ArrayLike, *, labels: ArrayLike | None, pos_label: Any
) -> Values:
    """Indicators of the true classes with which `brier_losses` compares the probabilities."""
    array = np.asarray(y_proba)
    if array.ndim == 1 or array.shape[1] == 1:
        positive = np.asarray(as_labels(y_true) == _positive(y_true, pos_label))
        return np.column_stack([~positive, positive]).astype(np.float64)
    return one_hot(y_true, array.shape[1], labels)


def top_k_hits(
    y_true: Any, y_score: ArrayLike, *, k: int = 2, labels: ArrayLike | None = None
) -> Values:
    """1 if the true class is among the `k` with the highest scores, else 0."""
    truth, scores = as_labels(y_true), np.asarray(y_score)
    classes = np.unique(truth if labels is None else np.asarray(labels))
    true_codes = codes(truth, classes)
    if scores.ndim == 1 or scores.shape[1] == 1:
        if k > 1:
            return np.ones(len(truth))
        scores = scores.ravel()
        # scikit-learn distinguishes probabilities from decision values in this way.
        threshold = 0.5 if scores.min() >= 0 and scores.max() <= 1 else 0
        return ((scores > threshold) == true_codes).astype(np.float64)
    # Among equal scores scikit-learn takes the class with the higher number first.
    highest = np.argsort(scores, axis=1, kind="stable")[:, ::-1][:, :k]
    return (highest == true_codes[:, None]).any(axis=1).astype(np.float64)


def costs(
    y_true: Any, y_pred: Any, *, cost_matrix: ArrayLike, labels: ArrayLike | None = None
) -> Values:
    """Cost of each prediction: `cost_matrix` at the row of the true class and predicted column."""
    matrix = np.asarray(cost_matrix, dtype=np.float64)
    classes = classes_of(y_true, y_pred) if labels is None else np.asarray(labels)
    return matrix[codes(as_labels(y_true), classes), codes(as_labels(y_pred), classes)]


def one_hot(y_true: Any, n_columns: int, labels: ArrayLike | None = None) -> Values:
    """1 in the column of each sample's class and 0 elsewhere; columns are sorted classes.

    A multilabel sample has a 1 in the column of each of its labels.
    """
    truth = as_labels(y_true)
    if truth.ndim == 2:
        return truth.astype(np.float64)
    classes = np.unique(truth if labels is None else np.asarray(labels))
    if len(classes) != n_columns:
        raise ValueError(
            f"`labels` must be given where not every class of the probabilities, {n_columns}, "
            f"occurs; got {len(classes)}."
        )
    return np.eye(n_columns)[codes(truth, classes)]


def _columns(probabilities: ArrayLike) -> NDArray[Any]:
    """Return a column per class; for two classes the input may be the positive column alone."""
    array = np.asarray(probabilities)
    if array.dtype.kind != "f":
        array = array.astype(np.float64)
    array = array[:, None] if array.ndim == 1 else array
    return np.column_stack([1 - array, array]) if array.shape[1] == 1 else array


def _positive(y_true: Any, pos_label: Any) -> Any:
    """The positive class as in scikit-learn: 1 in {0, 1} and {-1, 1}, else the greater."""
    if pos_label is not None:
        return pos_label
    classes = np.unique(as_labels(y_true))
    # In a fold of zeros only, 1 is still the positive class.
    return (
        1 if classes.dtype.kind in "iufb" and set(classes.tolist()) <= {-1, 0, 1} else classes[-1]
    )


# Several outputs are averaged with the weights `multioutput`.

UNIFORM = "uniform_average"


def squares(y_true: ArrayLike, y_pred: ArrayLike, *, multioutput: Any = UNIFORM) -> Values:
    """Squared errors."""
    return over_outputs(squared_errors(y_true, y_pred), multioutput)


def log_squares(y_true: ArrayLike, y_pred: ArrayLike, *, multioutput: Any = UNIFORM) -> Values:
    """Squared differences of log(1 + y)."""
    return over_outputs(squared_log_errors(y_true, y_pred), multioutput)


def absolutes(y_true: ArrayLike, y_pred: ArrayLike, *, multioutput: Any = UNIFORM) -> Values:
    """Absolute errors."""
    return over_outputs(np.abs(as_outputs(y_true) - as_outputs(y_pred)), multioutput)


def percentages(y_true: ArrayLike, y_pred: ArrayLike, *, multioutput: Any = UNIFORM) -> Values:
    """Absolute errors as shares of the truth."""
    truth = as_outputs(y_true)
    least = np.finfo(np.float64).eps  # as in scikit-learn, for a truth of 0
    shares = np.abs(truth - as_outputs(y_pred)) / np.maximum(np.abs(truth), least)
    return over_outputs(shares, multioutput)


def pinballs(
    y_true: ArrayLike, y_pred: ArrayLike, *, alpha: float = 0.5, multioutput: Any = UNIFORM
) -> Values:
    """Pinball loss: alpha times the error if too low, 1 − alpha times the error if too high."""
    differences = as_outputs(y_true) - as_outputs(y_pred)
    losses = np.where(differences >= 0, alpha * differences, (alpha - 1) * differences)
    return over_outputs(losses, multioutput)


def tweedie_deviances(y_true: ArrayLike, y_pred: ArrayLike, *, power: float = 0) -> Values:
    """Unit deviances of the Tweedie distribution; `power` 0 is normal, 1 Poisson, 2 gamma."""
    truth, predicted = as_outputs(y_true)[:, 0], as_outputs(y_pred)[:, 0]
    if power == 0:
        return (truth - predicted) ** 2
    if power == 1:
        return 2 * (xlogy(truth, truth / predicted) - truth + predicted)
    if power == 2:
        return 2 * (np.log(predicted / truth) + truth / predicted - 1)
    one, two = 1 - power, 2 - power
    own = np.maximum(truth, 0) if power < 0 else truth
    return 2 * (own**two / (one * two) - truth * predicted**one / one + predicted**two / two)


def root_of_mean(
    errors: Callable[[ArrayLike, ArrayLike], Values],
) -> Callable[..., tuple[float, Values]]:
    """Return a function for the root of a mean loss and its influences, (loss − mean)/(2·root).

    The influences follow from the delta method. They are 0 if all losses are 0.
    """

    def root(
        y_true: ArrayLike, y_pred: ArrayLike, *, multioutput: Any = UNIFORM
    ) -> tuple[float, Values]:
        losses = errors(y_true, y_pred)
        means = losses.mean(axis=0)
        roots = np.sqrt(means)
        influences = (losses - means) / (2 * np.where(roots == 0, 1, roots))
        return float(over_outputs(roots[None], multioutput)[0]), over_outputs(
            influences, multioutput
        )

    return root


def squared_errors(y_true: ArrayLike, y_pred: ArrayLike) -> Values:
    """Squared errors, one column per output."""
    return (as_outputs(y_true) - as_outputs(y_pred)) ** 2


def squared_log_errors(y_true: ArrayLike, y_pred: ArrayLike) -> Values:
    """Squared differences of log(1 + y), one column per output."""
    return (np.log1p(as_outputs(y_true)) - np.log1p(as_outputs(y_pred))) ** 2


def as_outputs(values: ArrayLike) -> Values:
    """Return numbers as float64, one column per output."""
    array = np.asarray(values, dtype=np.float64)
    return array[:, None] if array.ndim == 1 else array


def over_outputs(values: Values, multioutput: Any) -> Values:
    """Return the mean over columns, weighted unless `multioutput` is "uniform_average"."""
    if isinstance(multioutput, str) or multioutput is None:
        if multioutput not in (None, UNIFORM):
            raise ValueError(f"`multioutput` must be {UNIFORM!r} or weights; got {multioutput!r}.")
        return values.mean(axis=1)
    return np.average(values, axis=1, weights=np.asarray(multioutput, dtype=np.float64))


Flags = NDArray[np.bool_]


def as_labels(values: Any) -> NDArray[Any]:
    """Return classes as a vector, or as an indicator matrix for multilabel targets."""
    array = values.toarray() if sparse.issparse(values) else np.asarray(values)
    return array.ravel() if array.ndim == 2 and array.shape[1] == 1 else array


def classes_of(truth: Any, predicted: Any) -> NDArray[Any]:
    """Return the classes of both vectors, sorted."""
    return np.unique(np.concatenate([np.unique(as_labels(truth)), np.unique(as_labels(predicted))]))


def indicators(truth: Any, predicted: Any, labels: ArrayLike | None = None) -> tuple[Flags, Flags]:
    """Return indicators of the true and of the predicted classes, both (n_samples, n_classes).

    For multilabel targets `labels` are columns, as in scikit-learn's metrics.
    """
    truth, predicted = as_labels(truth), as_labels(predicted)
    if truth.ndim == 2:
        columns = slice(None) if labels is None else np.asarray(labels)
        return truth[:, columns] != 0, predicted[:, columns] != 0
    classes = classes_of(truth, predicted) if labels is None else np.asarray(labels)
    return truth[:, None] == classes, predicted[:, None] == classes


def codes(values: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the position of each value in the classes; raise ValueError if one is not there."""
    order = np.argsort(classes, kind="stable")
    places = order[np.searchsorted(classes, values, sorter=order).clip(max=len(classes) - 1)]
    unknown = np.asarray(classes[places] != values)
    if unknown.any():
        raise ValueError(
            f"`labels` must name every class; got {classes.tolist()!r}, without "
            f"{np.asarray(values)[unknown][0]!r}."
        )
    return places


Scored = tuple[float, Values]


def r2(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    multioutput: Any = UNIFORM,
    force_finite: bool = True,
) -> Scored:
    """R², and the centred influence of each sample: −e²/V + (1 − R²)·(y − ȳ)²/V.

    V is the fold's mean of (y − ȳ)². The second term is the effect of the sample on V.
    """
    truth = as_outputs(y_true)
    if len(truth) < 2:
        return np.nan, np.zeros(len(truth))
    nulls = (truth - truth.mean(axis=0)) ** 2
    return _explained(squared_errors(y_true, y_pred), nulls, multioutput, force_finite)


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
    nulls = (truth - truth.mean(axis=0)) ** 2
    return _explained((errors - errors.mean(axis=0)) ** 2, nulls, multioutput, force_finite)


def d2_absolute(y_true: ArrayLike, y_pred: ArrayLike, *, multioutput: Any = UNIFORM) -> Scored:
    """D² of absolute errors; the total is the fold's mean distance from its median."""
    truth = as_outputs(y_true)
    if len(truth) < 2:
        return np.nan, np.zeros(len(truth))
    nulls = np.abs(truth - np.median(truth, axis=0))
    return _explained(np.abs(truth - as_outputs(y_pred)), nulls, multioutput, True)


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
    return _explained(losses[:, None], null_losses[:, None], None, False)


def _explained(losses: Values, nulls: Values, multioutput: Any, force_finite: bool) -> Scored:
    """1 − losses/total for each output, averaged over the outputs; the total is that of `nulls`."""
    if isinstance(multioutput, str) and multioutput == "variance_weighted":
        # The weights are the totals, so that it is one share of the sums of all outputs.
        if (varied := nulls.any(axis=0)).any():
            losses = losses[:, varied].sum(axis=1, keepdims=True)
            nulls = nulls[:, varied].sum(axis=1, keepdims=True)
        multioutput = UNIFORM
    means, total = losses.mean(axis=0), nulls.mean(axis=0)
    defined = total != 0
    # As in scikit-learn, a perfect prediction of a constant scores 1, any other 0.
    constant = np.where(means == 0, 1.0, 0.0)
    if not force_finite:
        constant = np.where(means == 0, np.nan, -np.inf)
    safe = np.where(defined, total, 1)
    scores = np.where(defined, 1 - means / safe, constant)
    of_total = means / safe * (nulls / safe - 1)
    deviations = np.where(defined, (means - losses) / safe + of_total, 0.0)
    return float(over_outputs(scores[None], multioutput)[0]), over_outputs(deviations, multioutput)


# Share of the score that counts as rounding: below it hits stay exactly 0 and 1.
_ROUNDING = 1e-14


def shifted(values: ArrayLike, score: float) -> NDArray[np.float64]:
    """Shift values by the rounding error, so that their mean is the score.

    Parameters
    ----------
    values : array-like of float, shape (n_samples,)
        Values whose mean is the score up to rounding.
    score : float
        Score of the test set.

    Returns
    -------
    ndarray of float64, shape (n_samples,)
        The values; if the score is not finite, the score for each sample.
    """
    found = np.asarray(values, dtype=np.float64)
    if not np.isfinite(score):
        return np.full(found.shape, score)
    # The second shift removes the rounding of the first.
    for _ in range(2):
        residue = score - found.mean()
        if abs(residue) > _ROUNDING * abs(score):
            found = found + residue
    return found


def around(score: float, deviations: ArrayLike) -> NDArray[np.float64]:
    """Add the score to deviations from it, whose mean is 0 up to rounding."""
    return shifted(score + np.asarray(deviations, dtype=np.float64), score)
