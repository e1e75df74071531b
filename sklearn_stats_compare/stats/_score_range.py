"""Range of a score, and confidence limits of means that stay in it."""

import re
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sklearn_stats_compare.stats._numeric import MANY, Numbers
from sklearn_stats_compare.stats._scores import SplitScores

UNBOUNDED = (-np.inf, np.inf)

# Options of a scorer that leave the range as it is: f1(pos_label='yes').
_OPTIONS = r"(\((?!.*(adjusted|normalize)=)\w+=.*\))?$"

# How scikit-learn names variants of a metric, and its function.
_BY = re.compile(r"(_score)?(_(macro|micro|samples|(ovr|ovo)(_weighted)?|weighted))?" + _OPTIONS)

# Fractions of samples. Precision is one of a number that depends on the candidate.
_SHARES = {"accuracy", "balanced_accuracy", "top_k_accuracy", "recall"}

# Of several classes these are the accuracy; of several labels they are no shares.
_MICRO = {"f1_micro", "precision_micro"}

_ZERO_TO_ONE = _SHARES | {"average_precision", "f1", "jaccard", "precision", "roc_auc"}

_PER_CENT = re.compile(r"percent|pct|%|acc|error|sensitivity|specificity|recall|rate")

_UP_TO_ONE = re.compile("r2|explained_variance|d2_(absolute_error|brier|log_loss|pinball|tweedie)")

# No model can have a negative loss of these: a "neg_bias" may have any sign.
_NEGATIVE = re.compile(
    r"neg_(brier|log_?loss|max_error|(root_)?mean_squared(_log)?_error|rmse|mse|mae|mape|rmsle"
    r"|(mean|median)_absolute(_percentage)?_error|mean_(gamma|poisson|tweedie)_deviance"
    r"|mean_pinball_loss|negative_likelihood_ratio)"
)


def _named(names: str) -> re.Pattern[str]:
    """A pattern of these names by their letters, with what programs write around them."""
    return re.compile(
        r"(test|cv|neg|val|valid|validation|eval|metrics?|predictive|regr|classif|classification|binary"
        rf"|categorical|sparse|micro|top\d*k?)*({names})(rate|loss|score|micro|test|cv|val)*"
    )


# What other programs and people call metrics of scikit-learn.
_SYNONYMS = {
    "accuracy": _named("accuracy|acc|correct|percentcorrect"),
    "balanced_accuracy": _named("balancedaccuracy|balaccuracy|bacc|uar"),
    "recall": _named("recall|sensitivity|sens|specificity|spec|tpr|tnr"),
    "recall_macro": _named("(mean|avg|macro)(recall|sensitivity|specificity)|recallmacro"),
    "precision": _named("precision|prec|ppv|npv"),
    "precision_macro": _named("(macro|weighted)precision|precision(macro|weighted)"),
    "roc_auc": _named(
        "(mean|macro)?(auc|roc|rocauc|aucroc|auroc|areaunder(the)?roc(curve)?)(macro)?"
    ),
    "average_precision": _named("averageprecision|ap|prauc|aucpr|auprc|aupr|areaunderprc"),
    "f1": _named("(macro|weighted)?(f1|f1score|fmeas|fmeasure)(macro|weighted)?"),
    "jaccard": _named("jaccard|m?iou"),
    "matthews_corrcoef": _named("mcc|matthews(corrcoef|correlation)"),
    "r2": _named("r2|r²|r2score|rsq|rsqtrad|rsquared"),
    "neg_rmse": _named(
        "rmse|mse|mae|mape|rmsle|msle|(mn|multi|binary)?logloss|brier(class|score)?"
        "|(root)?meansquarederror|meanabsolute(percentage)?error"
    ),
}


def _letters(metric: str) -> str:
    return re.sub(r"[\W_]+", "", re.sub(_OPTIONS, "", metric.lower()))


def _synonym(metric: str) -> str:
    """The name in scikit-learn of a metric that is called otherwise, or the same name."""
    if metric in _MICRO or metric_range(metric) != UNBOUNDED:
        return metric
    letters = _letters(metric)
    return next((name for name, own in _SYNONYMS.items() if own.fullmatch(letters)), metric)


def metric_range(metric: str) -> tuple[float, float]:
    """Range of a metric by its name in scikit-learn; unbounded if it is not known."""
    name = _BY.sub("", metric, count=1)
    if _NEGATIVE.fullmatch(name):
        return -np.inf, 0.0
    if _UP_TO_ONE.fullmatch(name):
        return -np.inf, 1.0
    if name == "matthews_corrcoef":
        return -1.0, 1.0
    if name == "positive_likelihood_ratio":
        return 0.0, np.inf
    return (0.0, 1.0) if name in _ZERO_TO_ONE else UNBOUNDED


class ScoreRange(NamedTuple):
    """Range of a score, and what the variance of the mean of a share of samples would be.

    Attributes
    ----------
    least, most : float
        The range; infinite where it is unknown.
    n_samples : float
        Number of samples of which the scores are shares, or that are tested.
    factor : float
        Variance of the mean of a share over the binomial variance μ(1 − μ)/n.
    are_shares : bool
        Whether the scores are shares of samples, such as accuracies.
    are_certain : bool
        Whether they are shares for certain: scores by another metric may only look like it.
    are_known : bool
        Whether the range is that of the metric.
    n_rows : float
        Number of samples, if `n_samples` is one of groups, of the rarest class, or of weights.
    """

    least: float = -np.inf
    most: float = np.inf
    n_samples: float = np.inf
    factor: float = 1.0
    are_shares: bool = False
    are_certain: bool = True
    are_known: bool = True
    n_rows: float = 0.0

    @classmethod
    def of(cls, scores: SplitScores, factor: float, metric: str = "") -> "ScoreRange":
        """The range of scores by a metric: that of its name, (0, 1) of what may be shares.

        It is (0, 100) of accuracies in per cent. Other values beyond a range contradict its name.
        """
        scores = counted_by(scores, metric)
        metric = _synonym(scores.scorer_name or metric)
        bounds = metric_range(metric)
        is_share, is_known = _BY.sub("", metric) in _SHARES, bounds != UNBOUNDED
        may_be_share = is_share or not is_known or metric in _MICRO
        may_be_share &= np.isinf(scores.sample_range)
        may_be_percent = may_be_share and (is_share or _PER_CENT.search(metric.lower()))
        shares, most = scores.as_shares if may_be_percent else (scores, 1.0)
        known = shares.typical
        design = scores.design
        # Of a ratio alone, each split counts as one sample.
        n = design.samples_per_repeat if design.sizes_known else design.splits_per_repeat
        n = float(min(n, scores.n_independent))
        # An error without errors is −0. A share by its name is none.
        is_error = (
            not is_share
            and bool((known <= 0).all())
            and (bool((known < 0).any() or np.signbit(known).all()) or metric.startswith("neg_"))
        )
        if may_be_share and known.size and np.abs(known - (0.5 - is_error)).max() <= 0.5:
            # If sizes are unknown, few decimals do not show that samples of accuracies are few.
            is_limit = design.sizes_known or (is_share and not are_counts(metric))
            of_shares = min(shares.n_shared, scores.n_independent if is_limit else np.inf)
            if is_share or np.isfinite(of_shares) or not (known % 1).any():
                n = of_shares if np.isfinite(of_shares) else n
                rows = shares.n_rows
                if np.isinf(shares.n_shared):  # weighted, or an average over classes
                    rows = design.samples_per_repeat if design.sizes_known else _MANY_ROWS
                ends = 0.0 - most * is_error, most * (not is_error)
                return cls(*ends, n, factor, True, is_share, is_known, max(n, rows))
        if known.size and not bounds[0] <= known.min() <= known.max() <= bounds[1]:
            bounds = UNBOUNDED
        if bounds == UNBOUNDED and known.size and np.isfinite(most := scores.sample_range):
            # Costs and counts, whose range is not known for certain: a cost may be negative.
            ends = 0.0 - most * is_error, most * (not is_error)
            if ends[0] <= known.min() <= known.max() <= ends[1]:
                return cls(*ends, n, factor, are_known=False)
        return cls(*bounds, n, factor)


ANY_RANGE = ScoreRange()

_MANY_ROWS = 1e9
"""Of scores that are no shares and whose sizes are unknown."""


# Shares of all samples, or of those of one class. An average over classes is none.
_COUNTS = _named(
    "accuracy|acc|recall(weighted)?|sensitivity|sens|specificity|spec|m?error|correct"
    "|percent(in)?correct|zeroone|misclass(ification)?|tpr|tnr|fpr|fnr|mmce|ce|err"
)

# Shares of what a candidate predicts, of one class or of several.
_PRECISION = _named(
    r"(macro|weighted)*(precision|prec|ppv|npv|positivepredictivevalue|negativepredictivevalue|fdr)"
    r"(macro|weighted|\d+)*"
)


def are_counts(metric: str) -> bool:
    """Whether scores are shares of samples, all or those of one class, by the metric's name."""
    return _COUNTS.fullmatch(_letters(metric)) is not None


def counted_by(scores: SplitScores, metric: str) -> SplitScores:
    """The scores; if how many samples they depend on is unknown, each split counts as one.

    It is unknown for precision, which is a share of what a candidate predicts, and if sizes are,
    except for metrics that are shares of samples by their name: there the smallest common
    denominator shows it.
    """
    metric = scores.scorer_name or metric
    name, n = _letters(metric), float(scores.design.splits_per_repeat)
    is_precision = _PRECISION.fullmatch(name) is not None and "micro" not in name
    is_known = scores.design.sizes_known or are_counts(metric)
    is_known &= not is_precision or np.isfinite(scores.n_independent)
    if is_known or n >= scores.n_independent:
        return scores
    return replace(scores, n_independent=n)


def mean_limits(
    mean: Any, std_err: Any, critical: Any, within: ScoreRange
) -> tuple[Numbers, Numbers]:
    """Confidence limits of mean scores that stay in the range of the score.

    The limits are mean ± critical·SE, except in two cases. Shares of samples, such as accuracy,
    have Wilson's limits. These are the solutions μ of (mean − μ)² = critical²·f·μ(1 − μ)/n, where f
    is SE² over the binomial variance, at least `within.factor`: few errors have a standard error
    that is too small, and no error has none. n is the number of groups, but of samples if the
    standard error is that of ten independent errors or more: groups are seldom all right or all
    wrong. Other scores of a finite range have the same limits if they do not vary. Scores that may
    be shares, or may be such as Cohen's kappa, have the wider of both limits.

    Parameters
    ----------
    mean, std_err : array-like of float, shape (n_means,)
        Means and their standard errors.
    critical : float or (float, float)
        Critical value of t ≥ 0, or those of the lower and the upper limit.
    within : ScoreRange
        Range of the score.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. JASA
    22, 209–212. https://doi.org/10.1080/01621459.1927.10502953
    """
    mean, std_err = np.asarray(mean, dtype=float), np.asarray(std_err, dtype=float)
    width = within.most - within.least
    least, most = within[:2] if within.are_known else UNBOUNDED
    inside = (mean >= within.least) & (mean <= within.most)  # not the score of failed fits
    solves = np.isfinite(width) & inside & (within.are_shares | (std_err == 0))
    if np.any(solves):
        share = np.clip((mean - within.least) / width, 0.0, 1.0)
        rarer = width * np.minimum(share, 1 - share)
        are_many = (std_err > 0) & (rarer**2 >= MANY * std_err**2)
        n = np.where(are_many, max(within.n_samples, within.n_rows), within.n_samples)
        binomial = share * (1 - share) / n
        factor = np.zeros_like(share)
        np.divide((std_err / width) ** 2, binomial, out=factor, where=binomial > 0)
    limits = []
    for c, sign in zip(np.broadcast_to(critical, 2), (-1, 1), strict=True):
        # Without a spread the critical value need not be finite.
        reach = np.multiply(c, std_err, out=np.zeros_like(std_err), where=std_err != 0)
        limit = mean + sign * reach
        if np.any(solves):
            a = min(float(c), 1e100) ** 2 * np.maximum(factor, within.factor) / n
            root = np.sqrt(a * share * (1 - share) + a**2 / 4)
            solved = within.least + width * (share + a / 2 + sign * root) / (1 + a)
            if not within.are_certain:
                solved = np.clip(solved, within.least, within.most)
                solved = np.maximum(solved, limit) if sign > 0 else np.minimum(solved, limit)
            limit = np.where(solves, solved, limit)
        end = most if sign > 0 else least
        limit = np.where((mean == end) & ~np.isnan(std_err), end, limit)
        limits.append(np.where(inside, np.clip(limit, least, most), limit))
    return limits[0], limits[1]
