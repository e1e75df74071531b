"""SAMPLE_METRICS: the function that gives the values of samples, by name of the metric."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare._messages import check_numbers, check_option, shown
from sklearn_stats_compare.stats.per_sample import (
    _agreement,
    _average_precision,
    _class_losses,
    _explained,
    _ratios,
    _regression_losses,
    _roc_auc,
)
from sklearn_stats_compare.stats.per_sample._shift import around, shifted

Values = NDArray[np.float64]


@dataclass(frozen=True)
class SampleMetric:
    """How the values of samples are computed for a metric.

    Attributes
    ----------
    function : callable
        Takes the truth, the response and the metric's options. Returns one number per sample if the
        metric is their mean, else the metric and the influences of the samples on it.
    is_mean : bool
        Whether the metric is a mean over samples; only then can samples be weighted.
    can_sum : bool
        Whether the metric has ``normalize=False``, the sum instead of the mean.
    is_of_counts : bool
        Whether the metric is a ratio of counts, and so depends on the size of the rarest class.
    """

    function: Callable[..., Any]
    is_mean: bool = False
    can_sum: bool = False
    is_of_counts: bool = False

    @property
    def options(self) -> frozenset[str]:
        """Names of the metric's options with which the values can be computed."""
        names = [
            name
            for name, parameter in signature(self.function).parameters.items()
            if parameter.kind is parameter.KEYWORD_ONLY
        ]
        return frozenset([*names, "normalize"] if self.can_sum else names)


# Keys do not include the response method: a metric does not depend on whether its second argument
# comes from `predict`, `predict_proba` or `decision_function`.
SAMPLE_METRICS = {
    "accuracy_score": SampleMetric(_class_losses.hits, is_mean=True, can_sum=True),
    "average_precision_score": SampleMetric(
        _average_precision.average_precision, is_of_counts=True
    ),
    "balanced_accuracy_score": SampleMetric(_ratios.balanced_accuracy, is_of_counts=True),
    "brier_score_loss": SampleMetric(_class_losses.brier_losses, is_mean=True),
    "cohen_kappa_score": SampleMetric(_agreement.kappa, is_of_counts=True),
    "d2_absolute_error_score": SampleMetric(_explained.d2_absolute),
    "d2_brier_score": SampleMetric(_explained.d2_brier),
    "d2_log_loss_score": SampleMetric(_explained.d2_log_loss),
    "d2_tweedie_score": SampleMetric(_explained.d2_tweedie),
    "explained_variance_score": SampleMetric(_explained.explained_variance),
    "f1_score": SampleMetric(_ratios.f1, is_of_counts=True),
    "fbeta_score": SampleMetric(_ratios.fbeta, is_of_counts=True),
    "hamming_loss": SampleMetric(_class_losses.label_misses, is_mean=True),
    "jaccard_score": SampleMetric(_ratios.jaccard, is_of_counts=True),
    "log_loss": SampleMetric(_class_losses.log_losses, is_mean=True, can_sum=True),
    "matthews_corrcoef": SampleMetric(_agreement.matthews, is_of_counts=True),
    "mean_absolute_error": SampleMetric(_regression_losses.absolutes, is_mean=True),
    "mean_absolute_percentage_error": SampleMetric(_regression_losses.percentages, is_mean=True),
    "mean_gamma_deviance": SampleMetric(_regression_losses.gamma_deviances, is_mean=True),
    "mean_pinball_loss": SampleMetric(_regression_losses.pinballs, is_mean=True),
    "mean_poisson_deviance": SampleMetric(_regression_losses.poisson_deviances, is_mean=True),
    "mean_squared_error": SampleMetric(_regression_losses.squares, is_mean=True),
    "mean_squared_log_error": SampleMetric(_regression_losses.log_squares, is_mean=True),
    "mean_tweedie_deviance": SampleMetric(_regression_losses.tweedie_deviances, is_mean=True),
    # The score function of `make_cost_scorer`.
    "misclassification_cost": SampleMetric(_class_losses.costs, is_mean=True, can_sum=True),
    "negative_likelihood_ratio": SampleMetric(_ratios.negative_likelihood_ratio, is_of_counts=True),
    "positive_likelihood_ratio": SampleMetric(_ratios.positive_likelihood_ratio, is_of_counts=True),
    "precision_score": SampleMetric(_ratios.precision, is_of_counts=True),
    "r2_score": SampleMetric(_explained.r2),
    "recall_score": SampleMetric(_ratios.recall, is_of_counts=True),
    "roc_auc_score": SampleMetric(_roc_auc.roc_auc),
    "root_mean_squared_error": SampleMetric(
        _regression_losses.root_of_mean(_regression_losses.squared_errors)
    ),
    "root_mean_squared_log_error": SampleMetric(
        _regression_losses.root_of_mean(_regression_losses.squared_log_errors)
    ),
    "top_k_accuracy_score": SampleMetric(_class_losses.top_k_hits, is_mean=True, can_sum=True),
    "zero_one_loss": SampleMetric(_class_losses.misses, is_mean=True, can_sum=True),
}
"""How the values of samples are computed, by name of scikit-learn's function."""


def sample_values(
    metric: str,
    y_true: Any,
    response: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    normalize: bool = True,
    **options: Any,
) -> Values:
    """Return values of the test samples of a split; their mean is the metric of the split.

    Parameters
    ----------
    metric : str
        Name of the function in scikit-learn, a key of `SAMPLE_METRICS`.
    y_true : array-like of shape (n_samples,) or (n_samples, n_outputs)
        The truth.
    response : array-like of shape (n_samples,) or (n_samples, n_columns)
        The second argument of the metric: classes, numbers, probabilities or scores. For two
        classes, the column of the positive one.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the samples; only for metrics that are a mean over samples.
    normalize : bool, default=True
        False returns the sum instead of the mean; only for metrics with this option.
    **options
        Options of the metric.

    Returns
    -------
    ndarray of float64, shape (n_samples,)
        The values φ. They have the sign of the metric: for a loss lower is better.

        - If the metric is a mean over samples, the loss or hit of each sample; with weights, times
          n·w_i/Σw.
        - Otherwise the metric plus the influence of the sample on it: n times the derivative of
          the metric with respect to the sample's weight (the infinitesimal jackknife). R²,
          explained variance and D² hold the fold's total fixed.
        - NaN if scikit-learn's metric is NaN. If scikit-learn sets an undefined metric to a number
          (no positives, no predictions, a constant truth), that number.

    Raises
    ------
    ValueError
        If `metric` has no values of samples, or weights are given and it is not a mean.

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman & Hall,
    chapter 22 (the infinitesimal jackknife). https://doi.org/10.1201/9780429246593

    Bamber, D. (1975). The area above the ordinal dominance graph and the area below the receiver
    operating characteristic graph. Journal of Mathematical Psychology 12, 387–415.
    https://doi.org/10.1016/0022-2496(75)90001-2

    DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under two or
    more correlated receiver operating characteristic curves: a nonparametric approach. Biometrics
    44, 837–845. https://doi.org/10.2307/2531595 (the areas' placement values)

    Hand, D. J. and Till, R. J. (2001). A simple generalisation of the area under the ROC curve for
    multiple class classification problems. Machine Learning 45, 171–186.
    https://doi.org/10.1023/A:1010920819831 (``multi_class="ovo"``)

    Examples
    --------
    Two of four samples are positive and one of them is found: the recall is ½. Each positive has
    twice the influence that it would have on a mean over all four samples, and negatives have none:

    >>> from sklearn_stats_compare.stats import sample_values
    >>> sample_values("recall_score", [1, 1, 0, 0], [1, 0, 1, 0]).tolist()
    [1.5, -0.5, 0.5, 0.5]
    """
    entry = SAMPLE_METRICS[check_option("metric", metric, SAMPLE_METRICS)]
    unknown = sorted(set(options) - entry.options)
    if unknown or (not normalize and not entry.can_sum):
        raise ValueError(
            f"Options of {metric} must be among {sorted(entry.options)} for values of samples; got "
            f"{shown(unknown or 'normalize=False')}."
        )
    # Undefined metrics need no warning: they are NaN, or the number that scikit-learn uses.
    with np.errstate(divide="ignore", invalid="ignore"):
        if entry.is_mean:
            return _mean(entry.function(y_true, response, **options), sample_weight, normalize)
        if sample_weight is not None:
            raise ValueError(refused_weights(metric))
        return around(*entry.function(y_true, response, **options))


def refused_weights(metric: str) -> str:
    """Message that there are no values of weighted samples for a metric."""
    return (
        "`sample_weight` must be None where the score is not a mean over samples: values of "
        f"weighted samples are not known for {metric}."
    )


def _mean(losses: Values, sample_weight: ArrayLike | None, normalize: bool) -> Values:
    n = len(losses)
    if sample_weight is None:
        return losses if normalize else n * losses
    weights = check_numbers("sample_weight", sample_weight).ravel()
    if weights.size != n:
        raise ValueError(f"`sample_weight` must be one number per sample, {n}; got {weights.size}.")
    total = float(weights.sum())
    if not total > 0:
        raise ValueError(f"`sample_weight` must have a sum > 0; got {total!r}.")
    unit = total if normalize else 1.0
    return shifted(n * weights * losses / unit, float(weights @ losses) / unit)
