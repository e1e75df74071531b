"""SAMPLE_METRICS: values of samples by metric, which are influences if it is not a mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from inspect import signature
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from sklearn_stats_compare._utils._validation import check_numbers, check_option, shown
from sklearn_stats_compare.predictions import _sample_losses as losses
from sklearn_stats_compare.predictions._sample_losses import (
    Flags,
    Scored,
    Values,
    around,
    as_labels,
    classes_of,
    codes,
    indicators,
    shifted,
)
from sklearn_stats_compare.stats.test_set._classifiers import placements


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

    @cached_property
    def options(self) -> frozenset[str]:
        """Names of the metric's options with which the values can be computed."""
        names = [
            name
            for name, parameter in signature(self.function).parameters.items()
            if parameter.kind is parameter.KEYWORD_ONLY
        ]
        return frozenset([*names, "normalize"] if self.can_sum else names)


# The influence of sample i on a ratio N/D of two means is (N_i − (N/D)·D_i)/D: n times the
# derivative of the score with respect to the sample's weight (the infinitesimal jackknife).


def ratio_of_counts(
    parts: Callable[[Any, Any], tuple[Any, Any]],
) -> Callable[..., Scored]:
    """Return a metric that is a ratio of counts, and the influences on it, by class or on average.

    `parts` returns numerator and denominator from the indicators of the true and of the predicted
    classes.
    """

    def metric(
        y_true: Any,
        y_pred: Any,
        *,
        labels: ArrayLike | None = None,
        pos_label: Any = 1,
        average: str = "binary",
        zero_division: Any = "warn",
    ) -> Scored:
        true, said = indicators(y_true, y_pred, [pos_label] if average == "binary" else labels)
        return _score(*parts(true, said), true, average, zero_division)

    return metric


def fbeta(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str = "binary",
    zero_division: Any = "warn",
) -> Scored:
    """F-beta: (1 + β²)·TP over β²·(number in the class) + (number predicted)."""
    square = float(beta) ** 2
    true, said = indicators(y_true, y_pred, [pos_label] if average == "binary" else labels)
    if np.isinf(beta):  # the recall
        return _score(true & said, true, true, average, zero_division)
    parts = (1 + square) * (true & said), square * true + said
    return _score(*parts, true, average, zero_division)


def balanced_accuracy(y_true: Any, y_pred: Any, *, adjusted: bool = False) -> Scored:
    """Balanced accuracy A, the mean recall of the classes, and (n/(C·n_c))(correct − recall_c)."""
    true, said = indicators(y_true, y_pred)
    occurs = true.any(axis=0)
    true, said = true[:, occurs], said[:, occurs]
    score, influences = averaged(*ratios(true & said, true, 0.0))
    if not adjusted:
        return score, influences
    chance = 1 / true.shape[1]
    if chance == 1:
        return np.nan, influences
    return (score - chance) / (1 - chance), influences / (1 - chance)


def positive_likelihood_ratio(y_true: Any, y_pred: Any) -> Scored:
    """LR+: the true positive rate over the false positive rate; NaN if the latter is 0."""
    true, said = _two_classes(y_true, y_pred)
    return _quotient(ratios(true & said, true, np.nan), ratios(~true & said, ~true, np.nan))


def negative_likelihood_ratio(y_true: Any, y_pred: Any) -> Scored:
    """LR−: the false negative rate over the true negative rate; NaN if the latter is 0."""
    true, said = _two_classes(y_true, y_pred)
    return _quotient(ratios(true & ~said, true, np.nan), ratios(~true & ~said, ~true, np.nan))


def matthews(y_true: Any, y_pred: Any) -> Scored:
    """Matthews' correlation: covariance of the classes over the root of both variances."""
    true, said = (flags.astype(np.float64) for flags in indicators(y_true, y_pred))
    of_true, of_said = true.mean(axis=0), said.mean(axis=0)
    right = (true * said).sum(axis=1)
    covariance = right.mean() - of_true @ of_said
    variances = [1 - share @ share for share in (of_true, of_said)]
    # scikit-learn counts in integers, so that the variance of a single class is exactly 0.
    if any((flags == flags[0]).all() for flags in (true, said)):
        return 0.0, np.zeros(len(true))
    scale = np.sqrt(variances[0] * variances[1])
    score = covariance / scale
    by_covariance = (right - right.mean()) - (true - of_true) @ of_said - (said - of_said) @ of_true
    # The derivative of 1 − p·p is −2p.
    by_variances = sum(
        -2 * (flags - share) @ share / variance
        for flags, share, variance in zip((true, said), (of_true, of_said), variances, strict=True)
    )
    return float(score), by_covariance / scale - score / 2 * by_variances


def kappa(
    y1: Any, y2: Any, *, labels: ArrayLike | None = None, weights: str | None = None
) -> Scored:
    """Cohen's kappa: 1 − disagreement over the disagreement expected by chance."""
    classes = classes_of(y1, y2) if labels is None else np.asarray(labels)
    one, other = (codes(as_labels(values), classes) for values in (y1, y2))
    steps = np.abs(np.subtract.outer(np.arange(len(classes)), np.arange(len(classes))))
    distance = {None: steps != 0, "linear": steps, "quadratic": steps**2}[weights] * 1.0
    of_one, of_other = (
        np.bincount(rater, minlength=len(classes)) / len(rater) for rater in (one, other)
    )
    found, by_chance = distance[one, other], of_one @ distance @ of_other
    if by_chance == 0:
        return np.nan, np.zeros(len(one))
    ratio = found.mean() / by_chance
    expected = (distance @ of_other)[one] + (of_one @ distance)[other] - 2 * by_chance
    return float(1 - ratio), -((found - found.mean()) - ratio * expected) / by_chance


def roc_auc(
    y_true: Any,
    y_score: ArrayLike,
    *,
    average: str = "macro",
    multi_class: str = "raise",
    labels: ArrayLike | None = None,
) -> Scored:
    """Area A under the ROC curve and (n/n_c)·(V_i − mean V of the class).

    V_i is the placement value of sample i: the share of the other class in the fold that it is
    ranked correctly against, with ties as 1/2. For several classes scikit-learn averages the areas
    of each class against the rest ("ovr") or of each pair ("ovo"), and the influences are averaged
    alike.
    """
    truth, scores = as_labels(y_true), np.asarray(y_score, dtype=np.float64)
    if truth.ndim == 2:
        return over_classes(_area, truth != 0, scores, average)
    classes = np.unique(truth)
    n_columns = 1 if scores.ndim == 1 else scores.shape[1]
    if len(classes) <= 2 and n_columns <= 2:
        # A fold with a single class has no area.
        return _area(truth == classes[-1], scores.reshape(len(truth), -1)[:, -1])
    classes = classes if labels is None else np.asarray(labels)
    if multi_class == "ovo":
        return _of_pairs(codes(truth, classes), scores, average)
    if multi_class != "ovr":
        raise ValueError(f"`multi_class` must be 'ovr' or 'ovo'; got {multi_class!r}.")
    return over_classes(_area, truth[:, None] == classes, scores, average)


def average_precision(
    y_true: Any, y_score: ArrayLike, *, average: str = "macro", pos_label: Any = 1
) -> Scored:
    """Average precision: the mean over positives of the precision at their score.

    N_i samples score as high as sample i or higher, TP_i of them positive: the precision at its
    score is TP_i/N_i. With P positives in the fold, the influence of sample k is
    (n/P)·[y_k(TP_k/N_k − AP) + Σ (y_k − TP_i/N_i)/N_i]. The sum is over positives that score no
    higher than k, which are ranked after it.
    """
    truth, scores = as_labels(y_true), np.asarray(y_score, dtype=np.float64)
    if truth.ndim == 2:
        return over_classes(_of_two, truth != 0, scores, average)
    classes = np.unique(truth)
    if len(classes) > 2:
        return over_classes(_of_two, truth[:, None] == classes, scores, average)
    return _of_two(np.asarray(truth == pos_label), scores.reshape(len(truth), -1)[:, -1])


# Keys do not include the response method: a metric does not depend on whether its second argument
# comes from `predict`, `predict_proba` or `decision_function`.
SAMPLE_METRICS = {
    "accuracy_score": SampleMetric(losses.hits, is_mean=True, can_sum=True),
    "average_precision_score": SampleMetric(average_precision, is_of_counts=True),
    "balanced_accuracy_score": SampleMetric(balanced_accuracy, is_of_counts=True),
    "brier_score_loss": SampleMetric(losses.brier_losses, is_mean=True),
    "cohen_kappa_score": SampleMetric(kappa, is_of_counts=True),
    "d2_absolute_error_score": SampleMetric(losses.d2_absolute),
    "d2_brier_score": SampleMetric(losses.d2_brier),
    "d2_log_loss_score": SampleMetric(losses.d2_log_loss),
    "d2_tweedie_score": SampleMetric(losses.d2_tweedie),
    "explained_variance_score": SampleMetric(losses.explained_variance),
    "f1_score": SampleMetric(
        ratio_of_counts(lambda true, said: (2.0 * (true & said), 1.0 * true + said)),
        is_of_counts=True,
    ),
    "fbeta_score": SampleMetric(fbeta, is_of_counts=True),
    "hamming_loss": SampleMetric(losses.label_misses, is_mean=True),
    "jaccard_score": SampleMetric(
        ratio_of_counts(lambda true, said: (true & said, true | said)), is_of_counts=True
    ),
    "log_loss": SampleMetric(losses.log_losses, is_mean=True, can_sum=True),
    "matthews_corrcoef": SampleMetric(matthews, is_of_counts=True),
    "mean_absolute_error": SampleMetric(losses.absolutes, is_mean=True),
    "mean_absolute_percentage_error": SampleMetric(losses.percentages, is_mean=True),
    "mean_gamma_deviance": SampleMetric(partial(losses.tweedie_deviances, power=2), is_mean=True),
    "mean_pinball_loss": SampleMetric(losses.pinballs, is_mean=True),
    "mean_poisson_deviance": SampleMetric(partial(losses.tweedie_deviances, power=1), is_mean=True),
    "mean_squared_error": SampleMetric(losses.squares, is_mean=True),
    "mean_squared_log_error": SampleMetric(losses.log_squares, is_mean=True),
    "mean_tweedie_deviance": SampleMetric(losses.tweedie_deviances, is_mean=True),
    # The score function of `make_cost_scorer`.
    "misclassification_cost": SampleMetric(losses.costs, is_mean=True, can_sum=True),
    "negative_likelihood_ratio": SampleMetric(negative_likelihood_ratio, is_of_counts=True),
    "positive_likelihood_ratio": SampleMetric(positive_likelihood_ratio, is_of_counts=True),
    "precision_score": SampleMetric(
        ratio_of_counts(lambda true, said: (true & said, said)), is_of_counts=True
    ),
    "r2_score": SampleMetric(losses.r2),
    "recall_score": SampleMetric(
        ratio_of_counts(lambda true, said: (true & said, true)), is_of_counts=True
    ),
    "roc_auc_score": SampleMetric(roc_auc),
    "root_mean_squared_error": SampleMetric(losses.root_of_mean(losses.squared_errors)),
    "root_mean_squared_log_error": SampleMetric(losses.root_of_mean(losses.squared_log_errors)),
    "top_k_accuracy_score": SampleMetric(losses.top_k_hits, is_mean=True, can_sum=True),
    "zero_one_loss": SampleMetric(losses.misses, is_mean=True, can_sum=True),
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

        - If the metric is a mean over samples, the loss or hit of each sample.
        - If it is their weighted mean, the metric plus n·w_i/Σw times what the sample is above it.
        - Otherwise the metric plus the influence of the sample on it: n times the derivative of
          the metric with respect to the sample's weight (the infinitesimal jackknife).
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

    >>> from sklearn_stats_compare.predictions._influence import sample_values
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


def _mean(values: Values, sample_weight: ArrayLike | None, normalize: bool) -> Values:
    n = len(values)
    if sample_weight is None:
        return values if normalize else n * values
    weights = check_numbers("sample_weight", sample_weight).ravel()
    if weights.size != n:
        raise ValueError(f"`sample_weight` must be one number per sample, {n}; got {weights.size}.")
    total = float(weights.sum())
    if not total > 0:
        raise ValueError(f"`sample_weight` must have a sum > 0; got {total!r}.")
    if normalize:  # a ratio of two sums, Σ wφ / Σ w: both depend on which samples were drawn
        mean = float(weights @ values) / total
        return around(mean, n * weights * (values - mean) / total)
    return shifted(n * weights * values, float(weights @ values))


def ratios(numerator: Any, denominator: Any, undefined: float) -> tuple[Values, Values]:
    """Return ratios of the means of columns, and the influences on them, (n_samples, n_columns).

    A ratio with denominator 0 is `undefined`, and all influences on it are 0.
    """
    means = np.mean(denominator, axis=0)
    empty = means == 0
    safe = np.where(empty, 1, means)
    found = np.mean(numerator, axis=0) / safe
    influences = np.where(empty, 0.0, (numerator - found * denominator) / safe)
    return np.where(empty, undefined, found), influences


def averaged(scores: Values, influences: Values, members: Any = None) -> Scored:
    """Return the mean of the defined scores and the influences on it.

    `members` (n_samples, n_columns) have the weights of the columns as their means. Samples
    influence these weights too.
    """
    defined = ~np.isnan(scores)
    if not defined.any():
        return np.nan, np.zeros(len(influences))
    scores, influences = scores[defined], influences[:, defined]
    if members is None or not np.any(members[:, defined]):
        return float(scores.mean()), influences.mean(axis=1)
    members = np.asarray(members[:, defined], dtype=np.float64)
    weights = members.mean(axis=0)
    mean = float(scores @ weights / weights.sum())
    return mean, (influences @ weights + members @ (scores - mean)) / weights.sum()


def _two_classes(y_true: Any, y_pred: Any) -> tuple[Flags, Flags]:
    true, said = indicators(y_true, y_pred)
    # Classes are sorted; the greater is the positive one.
    return true[:, -1:], said[:, -1:]


def _quotient(one: tuple[Values, Values], other: tuple[Values, Values]) -> Scored:
    (above, by_above), (below, by_below) = one, other
    if not below[0] > 0:  # also if it is NaN
        return np.nan, np.zeros(len(by_above))
    quotient = above[0] / below[0]
    return float(quotient), (by_above[:, 0] - quotient * by_below[:, 0]) / below[0]


def _score(
    numerator: Any, denominator: Any, true: Flags, average: str, zero_division: Any
) -> Scored:
    undefined = 0.0 if isinstance(zero_division, str) else float(zero_division)
    if average == "samples":
        return _over_samples(numerator.sum(axis=1), denominator.sum(axis=1), undefined)
    if average == "micro":
        numerator = numerator.sum(axis=1, keepdims=True)
        denominator = denominator.sum(axis=1, keepdims=True)
    elif average not in ("binary", "macro", "weighted"):
        raise ValueError(f"`average` must give one number; got {average!r}.")
    members = true if average == "weighted" else None
    return averaged(*ratios(numerator, denominator, undefined), members)


def _over_samples(numerator: Any, denominator: Any, undefined: float) -> Scored:
    """The mean of a score per sample; samples with an undefined score are left out."""
    found = np.where(
        denominator == 0, undefined, numerator / np.where(denominator == 0, 1, denominator)
    )
    defined = ~np.isnan(found)
    if not defined.any():
        return np.nan, np.zeros(len(found))
    mean = float(found[defined].mean())
    return mean, np.where(defined, found - mean, 0.0) / defined.mean()


def _area(positive: Flags, scores: Values) -> Scored:
    n = len(positive)
    n_positive = int(positive.sum())
    influences = np.zeros(n)
    if n_positive in (0, n):
        return np.nan, influences
    below, above = placements(scores, positive)
    area = float(below.mean())
    influences[positive] = n / n_positive * (below - area)
    influences[~positive] = n / (n - n_positive) * (above - area)
    return area, influences


def _of_pairs(true_codes: NDArray[np.intp], scores: Values, average: str) -> Scored:
    # Hand and Till (2001): each class of a pair has its own column, among the pair's samples.
    n = len(true_codes)
    # Classes that do not occur in the fold form no pairs.
    pairs = list(combinations(np.unique(true_codes).tolist(), 2))
    areas, influences = np.empty(len(pairs)), np.zeros((n, len(pairs)))
    members = np.empty((n, len(pairs)), dtype=bool)
    for k, pair in enumerate(pairs):
        members[:, k] = inside = np.isin(true_codes, pair)
        found = [_area(true_codes[inside] == c, scores[inside, c]) for c in pair]
        areas[k] = np.mean([area for area, _ in found])
        # The influences are on n_pair samples, but the weight of a sample is a share of n.
        share = n / max(int(inside.sum()), 1)
        influences[inside, k] = share * np.mean([influence for _, influence in found], axis=0)
    if not pairs:
        return np.nan, np.zeros(n)
    return averaged(areas, influences, members if average == "weighted" else None)


def _of_two(positive: Flags, scores: Values) -> Scored:
    n, n_positive = len(positive), int(positive.sum())
    if not n_positive:
        return 0.0, np.zeros(n)  # scikit-learn's, with a warning
    # Ranks from the highest score; ties all get the last of their ranks.
    above = stats.rankdata(-scores, method="max").astype(np.intp)
    order = np.argsort(-scores, kind="stable")
    precision = np.cumsum(positive[order])[above - 1] / above
    score = float(precision[positive].mean())
    # For each sample the sum over positives that score no higher: from its own tie on.
    first_of_tie = stats.rankdata(-scores, method="min").astype(np.intp) - 1
    sums = []
    for terms in (positive / above, positive * precision / above):
        sums.append(np.cumsum(terms[order][::-1])[::-1][first_of_tie])
    influences = positive * (precision - score) + positive * sums[0] - sums[1]
    return score, influences * n / n_positive


def over_classes(
    binary: Callable[[Flags, Values], Scored], true: Flags, scores: Values, average: str
) -> Scored:
    """Return the average of a binary score over columns, and the influences on it."""
    if average == "micro":
        score, influences = binary(true.ravel(), scores.ravel())
        # Each sample is in n_columns of the n·n_columns pooled entries.
        return score, influences.reshape(true.shape).mean(axis=1)
    if average == "samples":
        own = np.array([binary(*row)[0] for row in zip(true, scores, strict=True)])
        return float(own.mean()), own - own.mean()
    if average not in ("macro", "weighted"):
        raise ValueError(f"`average` must give one number; got {average!r}.")
    found = [binary(true[:, c], scores[:, c]) for c in range(true.shape[1])]
    of_class = np.array([score for score, _ in found])
    influences = np.column_stack([influence for _, influence in found])
    if average == "weighted":
        if not true.any():
            return 0.0, np.zeros(len(true))
        of_class[~true.any(axis=0)] = 0.0  # as in scikit-learn: the class has weight 0
    if np.isnan(of_class).any():
        return np.nan, np.zeros(len(true))
    return averaged(of_class, influences, true if average == "weighted" else None)


def group_values(values: ArrayLike, groups: ArrayLike) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Sum the values of samples within groups; the mean over groups is still the score.

    Parameters
    ----------
    values : array-like of float, shape (..., n_samples)
        Values of samples of one or more models.
    groups : array-like of shape (n_samples,)
        The group of each sample.

    Returns
    -------
    values : ndarray of float64, shape (..., n_groups)
        For group g, (n_groups/n_samples)·Σ φ_i over its samples: the mean over groups is the mean
        over samples up to rounding. Larger groups have more weight, as they have in the score.
    groups : ndarray of shape (n_groups,)
        The groups, sorted.

    Notes
    -----
    The variance of these values includes the variation of group sizes. Use it for differences
    between two models, where the sizes have little effect. For the score of a single model centre
    the values first: (n_groups/n_samples)·Σ (φ_i − score).

    Examples
    --------
    >>> from sklearn_stats_compare.predictions._influence import group_values
    >>> values, groups = group_values([1.0, 0.0, 1.0, 1.0], ["b", "a", "b", "b"])
    >>> values.tolist(), groups.tolist()  # means of 0.75: of 4 samples, and of 2 groups
    ([0.0, 1.5], ['a', 'b'])
    """
    array = np.asarray(values, dtype=np.float64)
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    codes = codes.ravel()
    if array.shape[-1:] != codes.shape:
        raise ValueError(
            f"`groups` must have one entry per sample, {array.shape[-1]}; got {codes.size}."
        )
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(len(names)))
    return np.add.reduceat(array[..., order], starts, axis=-1) * (len(names) / codes.size), names


MOST_GROUPS = 50
"""Largest number of additional scores computed per split."""


def jackknife_values(
    score: Callable[[NDArray[np.intp]], float],
    n_samples: int,
    *,
    whole: float | None = None,
    units: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return values of samples from scores that leave out each of at most 50 groups.

    Parameters
    ----------
    score : callable
        ``score(places)`` is the score of the samples at these sorted positions.
    n_samples : int
        Number of samples.
    whole : float, optional
        The score of all samples. Default: it is computed.
    units : array-like of shape (n_samples,), optional
        The unit of each sample, such as a person; units are left out as a whole. Default: each
        sample is a unit.
    n_groups : int, default=50
        Largest number of groups. Units are assigned to them at random, always in the same way.

    Returns
    -------
    ndarray of float64, shape (n_samples,)
        The values. All NaN if the score, or a score that leaves out a group, is NaN.

    Notes
    -----
    T is the score of all samples and T_g the score without group g of n_g samples. The influence
    of the group is (n/n_g − 1)·(T − T_g); for a mean over samples this is exactly the group's mean
    minus T. Each of its samples gets this influence times the root of the number of units in the
    group.

    - Exact: the mean of the values is T. With up to 50 units each unit is a group, and for a mean
      the values are those of the samples.
    - Approximate: for other smooth scores the values are the influences up to terms of order 1/n.
    - With more than 50 units the values of single samples are not known. The root makes their
      variance equal on average to that of single samples. The variance comes from 50 groups and
      has 49 degrees of freedom. Do not sum such values over groups other than `units`.
    - Conservative for scores that depend on few samples: for absolute errors of normal numbers it
      gives 2.0 times the variance of the median with 30 samples and 1.4 times with 100 to 1,000,
      and 1.2 to 1.3 times that of the maximum (means over 300 data sets).

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman & Hall,
    chapter 11. https://doi.org/10.1201/9780429246593

    Busing, F. M. T. A., Meijer, E. and van der Leeden, R. (1999). Delete-m jackknife for unequal m.
    Statistics and Computing 9, 3–8. https://doi.org/10.1023/A:1008800423698
    """
    places = np.arange(n_samples)
    whole = float(score(places)) if whole is None else float(whole)
    own = places if units is None else np.unique(np.asarray(units), return_inverse=True)[1].ravel()
    n_units = int(own.max()) + 1
    if n_units < 2 or not np.isfinite(whole):
        # Nothing can be left out.
        return np.full(n_samples, whole if not np.isfinite(whole) else np.nan)
    # Neighbouring samples are often alike (sorted data), so groups are random. The seed is fixed:
    # every candidate has the same groups.
    order = np.random.default_rng(0).permutation(n_units)
    groups = np.empty(n_units, dtype=np.intp)
    groups[order] = np.arange(n_units) % min(MOST_GROUPS, n_units)
    group_of, units_in = groups[own], np.bincount(groups)
    n_in = np.bincount(group_of)
    without = np.array([float(score(places[group_of != g])) for g in range(len(n_in))])
    if not np.isfinite(without).all():
        return np.full(n_samples, np.nan)
    added = (n_samples / n_in - 1) * (whole - without) * np.sqrt(units_in)
    # The mean of the leave-out scores differs from the score by the jackknife's bias.
    deviations = added[group_of]
    return around(whole, deviations - deviations.mean())
