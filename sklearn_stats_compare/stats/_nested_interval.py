"""nested_cv_interval(): the interval of one procedure's score by nested cross-validation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import (
    check_count,
    check_listed,
    check_numbers,
    check_option,
    check_probability,
    count,
)
from sklearn_stats_compare.stats._limits import LARGEST, ROUNDING
from sklearn_stats_compare.stats._normal import two_sided_z

_FEWEST_FOLDS = 3
# Multiples of (inner mean − outer mean) that are subtracted from the inner mean.
BIAS_FACTORS: dict[str, Callable[[int], float]] = {
    # Exact if the score is a + b/(training size): K/(K − 2) − 1 over K/(K − 2) − K/(K − 1).
    "paper": lambda k: 1 + (k - 2) / k,
    "r_package": lambda k: 1 + ((k - 2) / (k - 1)) ** 1.5,
    "outer": lambda k: 1.0,
}


@dataclass(frozen=True)
class NestedIntervalResult:
    """Result of `nested_cv_interval`.

    Attributes
    ----------
    mean : float
        Estimated score of the procedure trained on all samples: the mean of the inner values minus
        `bias`.
    std_err : float
        Square root of the estimated mean squared error of `mean`, limited to `naive_std_err` times
        1 to √n_folds.
    bias : float
        What was subtracted from the mean of the inner values; negative if scores rise with the
        number of training samples.
    inflation : float
        `std_err` / `naive_std_err`, from 1 to √n_folds; 1 if all values are equal.
    naive_std_err : float
        Standard deviation of the inner values over √n_samples.
    mse : float
        Estimated mean squared error before it is limited. It is negative in some data sets.
    n_samples, n_folds, n_repeats : int
        Number of samples n, of folds K and of repeats R.
    """

    mean: float
    std_err: float
    bias: float
    inflation: float
    naive_std_err: float = field(repr=False)
    mse: float = field(repr=False)
    n_samples: int = field(repr=False)
    n_folds: int = field(repr=False)
    n_repeats: int = field(repr=False)

    @property
    def lower(self) -> float:
        """Lower limit of the 95 % interval."""
        return self.confidence_interval()[0]

    @property
    def upper(self) -> float:
        """Upper limit of the 95 % interval."""
        return self.confidence_interval()[1]

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Interval `mean` ± z·`std_err`; it may exceed the range of the score."""
        level = check_probability("confidence_level", confidence_level)
        # At a level close to 1 the quantile is infinite, and 0·∞ would be NaN.
        half_width = two_sided_z(level) * self.std_err if self.std_err else 0.0
        return self.mean - half_width, self.mean + half_width


def nested_cv_interval(
    outer: Sequence[Any], inner: Sequence[Any], n_folds: int, *, bias: str = "paper"
) -> NestedIntervalResult:
    """Interval for the score of one procedure by Bates, Hastie and Tibshirani's nested CV.

    Parameters
    ----------
    outer : sequence of array-like of float, length n_repeats * n_folds
        For each fold of each repeat, in order: values of its samples from the model trained on the
        other K − 1 folds. Values are scores or losses, whose mean is estimated; at least two in
        each fold. The folds of every repeat partition the same n samples.
    inner : sequence of array-like of float, length n_repeats * n_folds
        For each fold k: values of all samples of the other folds, in any order. Those of fold l are
        from the model trained on all folds but k and l. This model also tests fold k, for the inner
        values of fold l, so that a repeat needs K + K·(K − 1)/2 fits.
    n_folds : int
        Number of folds K ≥ 3 of a repeat.
    bias : {"paper", "r_package", "outer"}, default="paper"
        Factor of the estimated bias: `mean` is the inner mean minus factor·(inner mean − outer
        mean). "paper" is 1 + (K − 2)/K. It is exact if the expected score is a + b/m with m
        training samples. "r_package" is 1 + ((K − 2)/(K − 1))^1.5. "outer" is 1, which gives the
        outer mean, that is, the usual cross-validated score.

    Returns
    -------
    NestedIntervalResult
        With `mean`, `std_err`, `lower`, `upper`, `bias` and `inflation`; `confidence_interval`
        computes intervals of other levels.

    Raises
    ------
    ValueError
        If `n_folds` is below 3, the lists do not have one item per fold of complete repeats, an
        item is not a vector of finite numbers of the right length, or `bias` is unknown.

    Notes
    -----
    Every fold k gives one estimate of the squared error of cross-validation on the other folds:
    a_k = (inner mean − outer mean)², which also contains the error of the outer mean,
    b_k = s²/n_k. The means of a and b over all folds of all repeats estimate the mean squared
    error for n·(K − 1)/K samples::

        mse = (K − 1)/K·(ā − b̄),   std_err = √mse, at least naive_std_err, at most √K times that

    The target is the expected score of the model that the procedure fits on all n samples. A
    procedure includes its tuning: each model above is then the result of a search within its own
    training folds.

    Valid for scores that are means of values of independent samples (accuracy, log loss, squared
    error). If samples depend on each other, give one value per group. Not valid for areas under
    ROC curves or other scores that are not means, time series, or shuffle splits. A single repeat
    gives only K estimates of the error: their mean is often negative, and `inflation` is then 1.
    The authors recommend many repeats (200 in their simulations). The quantile is normal, without
    regard to the uncertainty of the estimated error. In 24 simulated cases of 30 to 300 samples
    (benchmarks/nested.py), 95 % intervals with ten repeats of five folds covered the score of the
    fitted model in 94.7 % of data sets on average, at worst in 89.5 %; with one repeat in 91.0 %.

    The published implementations agree on the limits of the error, on the factor (K − 1)/K and on
    the naive standard error from inner values. They differ otherwise. R's nestedcv, by the first
    author (R/core.R), has the factor "r_package" and takes the outer mean from other splits. It
    fits no outer models: its outer value of fold k is from one model without k and another fold, so
    that ā contains no difference due to the number of training samples. Its ā is a variance about
    the mean, and its b̄ that of the means of all tested folds. R's mlr3inferr
    (R/MeasureCiNestedCV.R) follows the paper, as this function does by default; without its bias
    correction it returns the outer mean. The paper's factor is the default because it follows from
    a learning curve. The other is 3 % larger with 5 folds and 2 % with 10.

    References
    ----------
    Bates, S., Hastie, T. and Tibshirani, R. (2024). Cross-validation: what does it estimate and how
    well does it do it? JASA 119, 1434–1445. https://doi.org/10.1080/01621459.2023.2197686

    Examples
    --------
    Three folds of two samples, once. The model of folds 2 and 3 is right on one sample of fold 1;
    those of one fold are right on every second sample, whichever fold they test:

    >>> from sklearn_stats_compare.stats import nested_cv_interval
    >>> outer = [[1, 0], [1, 1], [1, 0]]
    >>> inner = [[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]]
    >>> result = nested_cv_interval(outer, inner, n_folds=3)
    >>> round(result.mean, 3), round(result.bias, 3)
    (0.722, -0.222)

    The inner mean is 0.5, the outer one 0.667, and the bias 4/3 of the difference. The learning
    curve is assumed to rise on to 0.722 with all six samples.
    """
    k = check_count("n_folds", n_folds, least=_FEWEST_FOLDS)
    check_option("bias", bias, BIAS_FACTORS)
    tested, others = _folds("outer", outer), _folds("inner", inner)
    n, n_repeats = _sizes(tested, others, k)
    pooled = np.concatenate(others)
    outer_mean = float(np.mean(np.concatenate(tested)))
    # Around a common level, because squares of large values lose digits.
    inner_mean = float(outer_mean + (pooled - outer_mean).mean())
    spread = float(pooled.std(ddof=1))
    if spread <= ROUNDING * float(np.abs(pooled).max()):
        spread = 0.0
    differences = [_difference(a, b) for a, b in zip(others, tested, strict=True)]
    squares = np.mean(np.square(differences))
    noise = np.mean([values.var(ddof=1) / values.size for values in tested])
    mse = float((k - 1) / k * (squares - noise))
    naive = spread / sqrt(n)
    std_err = min(max(naive, sqrt(max(mse, 0.0))), sqrt(k) * naive)
    correction = BIAS_FACTORS[bias](k) * (inner_mean - outer_mean)
    return NestedIntervalResult(
        mean=inner_mean - correction,
        std_err=std_err,
        bias=correction,
        inflation=std_err / naive if naive else 1.0,
        naive_std_err=naive,
        mse=mse,
        n_samples=n,
        n_folds=k,
        n_repeats=n_repeats,
    )


def _difference(inner: NDArray[np.float64], outer: NDArray[np.float64]) -> float:
    """Inner mean − outer mean of one fold."""
    level = outer[0]
    return float((inner - level).mean() - (outer - level).mean())


def _folds(name: str, values: Any) -> list[NDArray[np.float64]]:
    """The values of each fold as vectors of finite numbers."""
    folds = [check_numbers(name, each) for each in check_listed(name, values, "a list of vectors")]
    for each in folds:
        if each.ndim != 1:
            raise ValueError(
                f"`{name}` must hold one vector of values per fold; got shape {each.shape}."
            )
        if not (np.abs(each) <= LARGEST).all():
            raise ValueError(f"`{name}` must hold finite values of at most 1e150; got others.")
    return folds


def _sizes(
    outer: list[NDArray[np.float64]], inner: list[NDArray[np.float64]], k: int
) -> tuple[int, int]:
    """Numbers of samples and of repeats; raise ValueError unless the folds fit together."""
    if not outer or len(outer) % k:
        raise ValueError(
            f"`outer` must have one vector for each of the {k} folds of every repeat; "
            f"got {count(len(outer), 'vector')}."
        )
    if len(inner) != len(outer):
        raise ValueError(
            f"`inner` must have as many vectors as `outer`, {len(outer)}; got {len(inner)}."
        )
    tested = np.array([each.size for each in outer]).reshape(-1, k)
    if tested.min() < 2:
        raise ValueError(
            f"`outer` must have at least two values in every fold; got {tested.min()}."
        )
    totals = tested.sum(axis=1)
    if (totals != totals[0]).any():
        raise ValueError(
            "`outer` must have values of the same samples in every repeat; "
            f"got {totals.min():,} to {totals.max():,} values."
        )
    n = int(totals[0])
    needed = n - tested.ravel()
    found = np.array([each.size for each in inner])
    if (found != needed).any():
        wrong = int(np.flatnonzero(found != needed)[0])
        raise ValueError(
            f"`inner` must have a value for each of the {needed[wrong]:,} samples outside fold "
            f"{wrong % k} of repeat {wrong // k}; got {found[wrong]:,}."
        )
    return n, len(totals)
