"""Per-sample losses of regression metrics: squared errors, absolute errors, deviances.

Each function has the arguments of scikit-learn's metric and returns one number per sample. The
mean of these numbers is the metric. Several outputs are averaged with the weights `multioutput`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy

Values = NDArray[np.float64]
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


def poisson_deviances(y_true: ArrayLike, y_pred: ArrayLike) -> Values:
    """Unit deviances of the Poisson distribution."""
    return tweedie_deviances(y_true, y_pred, power=1)


def gamma_deviances(y_true: ArrayLike, y_pred: ArrayLike) -> Values:
    """Unit deviances of the gamma distribution."""
    return tweedie_deviances(y_true, y_pred, power=2)


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
