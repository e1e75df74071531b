"""Names of metrics → whether lower scores are better, where the name says so for certain."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import refuse, shown, shown_list, wrong
from sklearn_stats_compare.comparison._tables import joined_notes
from sklearn_stats_compare.comparison.readers._names import is_time, letters, words_of
from sklearn_stats_compare.comparison.readers._sizes import ParsedScores

# The words and names are those of scikit-learn, yardstick, caret, mlr3, Weka, H2O, PyCaret,
# AutoGluon, Keras and boosting libraries.

_GAINS = {
    "accuracy", "acc", "bacc", "auc", "auroc", "roc", "rocauc", "aucroc", "prauc", "auprc", "aupr",
    "aucpr", "f1", "f2", "f1score", "fbeta", "kappa", "kap", "mcc", "precision", "prec", "recall",
    "sensitivity", "sens", "specificity", "spec", "ppv", "npv", "tpr", "tnr", "r2", "r²", "r2score",
    "rsquared", "rsq", "jaccard", "iou", "miou", "ndcg", "corrcoef", "gmean", "cindex",
}  # fmt: skip

_LOSSES = {
    "rmse", "mse", "mae", "mape", "smape", "mase", "rmsle", "loss", "losses", "logloss", "error",
    "errors", "nll", "deviance", "brier", "crossentropy", "misclassification", "wer", "cer", "err",
}  # fmt: skip

_OF_NO_METRIC = {"score", "scores", "value", "values", "result", "results", "estimate", "metric"}
"""Scores so called are higher for better models, as those of ``cross_val_score``."""

_METRICS = _GAINS | _LOSSES | _OF_NO_METRIC | {"objective", "performance"}

# Words next to a metric's name that do not turn it: test_f1_macro, roc_auc_ovr.
_BESIDE = {
    "test", "train", "val", "validation", "default", "neg", "balanced", "mean", "root", "squared",
    "absolute", "log", "average", "cohen", "matthews", "max", "median", "macro", "micro",
    "weighted", "samples", "ovr", "ovo", "valid", "binary", "multi", "std", "stdv",
}  # fmt: skip

# The same, but part of no name that is a metric and nothing more.
_AROUND = (_BESIDE - {"neg", "std", "stdv"}) | {
    "adjusted", "avg", "bal", "categorical", "class", "classif", "classification", "cohens", "cv",
    "eval", "gamma", "huber", "ir", "k", "label", "logarithmic", "metrics", "mn", "oob", "per",
    "percentage", "pinball", "poisson", "pr", "quadratic", "quantile", "ranking", "rate", "regr",
    "residual", "s", "sparse", "statistic", "subset", "top", "total", "training", "tweedie",
}  # fmt: skip

# Around "score" only these leave it what scikit-learn calls a score, unlike quantile_score.
_AROUND_SCORE = {
    "test", "train", "val", "validation", "valid", "mean", "average", "avg", "cv", "eval",
}  # fmt: skip

_AROUND_TIME = {
    "time", "duration", "runtime", "elapsed", "fit", "score", "training", "testing", "predict",
    "prediction", "inference", "both", "marginal", "wall", "cpu", "user", "usercpu", "tt", "total",
    "sec", "secs", "seconds", "ms",
}  # fmt: skip

# Also binary_logloss and merror of boosting, nrmse, and rmsecv and rmsep of calibrations.
_LOSS_WORD = re.compile(
    r"(m|n|s|w|log|multi|binary|val|test|train|mean|avg|root|huber|hinge)*"
    r"(loss|error|r?mse(c|cv|p)?|rmsle|mae|mape|deviance|errorrate|brierscore)"
)

# By letters and digits only.
_LOSS_NAMES = {
    # yardstick
    "brierclass", "briersurvival", "briersurvivalintegrated", "classificationcost",
    "huberlosspseudo", "mase", "rankedprobscore", "rmserelative",
    # mlr3measures
    "bbrier", "ce", "cost", "costs", "fdr", "fn", "fnr", "fomr", "fp", "fpr", "maxae", "maxse",
    "mbrier", "medae", "medse", "mmce", "msle", "pinball", "rae", "rrse", "rse", "sae", "sse",
    # plain words
    "ber", "misclass", "misclassificationcost", "falsepositiverate", "falsenegativerate",
    "perplexity", "crps", "wape", "bce", "mdape", "rmspe", "rmsse", "wrmsse", "ece",
    "kldivergence", "eer", "fid", "ter", "hinge", "hamming", "regret", "hausdorff",
    "categoricalcrossentropy", "binarycrossentropy", "coverageerror", "totalcost", "daviesbouldin",
    "relativeabsoluteerror", "rootrelativesquarederror", "categoricalhinge",
    # Weka
    "numberincorrect", "percentincorrect", "zeroone",
}  # fmt: skip

# Losses that may be negative for any model, as those of densities are, and costs with gains.
_ANY_SIGN = {
    "aic", "bic", "nll", "negloglik", "negloglikelihood", "negativeloglikelihood", "loss",
    "deviance", "cost", "costs", "totalcost", "classificationcost", "misclassificationcost",
}  # fmt: skip

_GAIN_NAMES = {
    "ap", "map", "mrr", "hitrate", "lift", "gini", "ginicoef", "ks", "ccc", "iic", "rpd", "rpiq",
    "jindex", "gaincapture", "fmeas", "fmeasure", "fscore", "f05", "dice", "bleu", "rouge",
    "psnr", "ssim", "concordance", "concordancesurvival", "youden", "informedness", "markedness",
    "loglik", "loglikelihood", "likelihood", "correlation", "correlationcoefficient", "pearson",
    "spearman", "kendall", "ktau", "srho", "ari", "nmi", "ami", "silhouette", "correct",
    "percentcorrect", "numbercorrect", "areaunderroc", "areaunderprc", "areaundertheroccurve",
    "truepositiverate", "truenegativerate", "matthewscorrelation", "matthews", "rsqtrad",
    "uar", "adjustedr2", "adjr2", "adjustedrsquared", "profit", "revenue", "reward", "utility",
    "explainedvariance", "explaineddeviance", "skill", "skillscore", "brierskill",
    "d2absoluteerror", "d2brier", "d2logloss", "d2pinball", "d2pinballloss", "d2tweedie",
    "d2poissondeviance", "d2gammadeviance", "d2tweediedeviance", "adjustedrand", "vmeasure", "dcg",
    "calinskiharabasz", "balancedaccuracy", "normalizedgini", "aucmu", "rocaunp", "rocaunu",
    "mauc", "maucau1p", "maucau1u", "maucaunp", "maucaunu", "meanpospredvalue", "meannegpredvalue",
    "adjrsquared", "weightedavgfmeasure",
}  # fmt: skip

# What programs write before and after a name: mlr3 the type of task, MLflow "metrics.",
# scikit-learn "test_"; a class, a quantile, the number of a run or options may follow.
_WRITTEN_AROUND = re.compile(
    r"^((metrics|classif|regr|surv|test|train|val|valid|validation|cv|mean|avg)[._ ])+"
    r"|([._ ](test|train|val|valid|validation|cv|mean|avg))+$|[_ ][\d.]+$|\(\w+=.*\)$",
    re.I,
)

# "(1 - AUC)", "-R2", with any of the dashes that programs write.
_ARITHMETIC = re.compile(r"(^|[\W_])(1(00)?([.,]0+)?|one)[\s_%]*([-‐-―−/]|minus)|^\s*[-‐-―−]", re.I)

_NEGATED = "neg_"


def is_metric(label: Any) -> bool:
    """Whether a label is a metric's name and nothing more."""
    words = [word for word in words_of(label) if not word.isdigit()]  # of a class: precision_0
    return may_be_metric(label) and set(words) <= _METRICS | _BESIDE


def may_be_metric(label: Any) -> bool:
    """Whether one of the words of a label is a metric, as in ``RF~Accuracy``."""
    return not _METRICS.isdisjoint(words_of(label))


def names_a_score(label: str) -> bool:
    """Whether a label names one metric, unlike "test_score", "error" and "val_loss"."""
    known = (_GAINS | _LOSSES) - {"loss", "losses", "error", "errors"}
    return not known.isdisjoint(words_of(label))


def is_score(label: Any) -> bool:
    """Whether a label says that it is a score, and not by which metric, as "test_score"."""
    words = {word for word in words_of(label) if not word.isdigit()}
    return not words.isdisjoint(_OF_NO_METRIC) and words <= _OF_NO_METRIC | _AROUND_SCORE


def says_metric(label: Any) -> bool:
    """Whether a label of a column or of scores is a metric, or has a loss in it; no time."""
    name = str(label)
    known = is_metric(label) or (is_loss(name) is not None and not is_score(label))
    return not is_time(label) and (known or _has_loss(name))


def is_arithmetic(label: str) -> bool:
    """Whether a label says how scores were made of a metric, as "1 - AUC" does."""
    return _ARITHMETIC.search(label) is not None


def is_loss(metric: str) -> bool | None:
    """Whether lower scores are better; None unless every word of the name is known to say so."""
    if is_arithmetic(metric):
        return None
    name = letters(_WRITTEN_AROUND.sub("", metric))
    if not {name, name.removesuffix("loss")}.isdisjoint(_LOSS_NAMES | _ANY_SIGN):
        return True
    if not {name, name.removesuffix("score")}.isdisjoint(_GAIN_NAMES | _GAINS):
        return False
    words = {word for word in words_of(metric) if not word.isdigit()}
    if is_time(metric):
        return True if words <= _AROUND | _AROUND_TIME else None
    kinds = {_is_loss_word(word) for word in words - _AROUND - _OF_NO_METRIC}
    if not kinds:
        return False if is_score(metric) else None
    return kinds.pop() if len(kinds) == 1 else None


def _is_loss_word(word: str) -> bool | None:
    if word in _GAINS:
        return False
    return True if word in _LOSSES or _LOSS_WORD.fullmatch(word) else None


def _has_loss(metric: str) -> bool:
    """Whether a name that is not known for certain has something of a loss in it."""
    named = any(map(_is_loss_word, words_of(metric)))
    return named or is_time(metric) or is_arithmetic(metric)


_OF_METRICS = {
    "metric", "metrics", "scoring", "measure", "kennzahl", "metrik", "métrique", "metrica",
    "métrica",
}  # fmt: skip

_OF_SCORES = _OF_METRICS | {
    "name", "type", "score", "scores", "test", "outer", "performance", "what",
}  # fmt: skip
"""Words of columns that name the metric of scores, unlike eval_metric and early_stopping_metric."""


def is_called_metric(column: Any) -> bool:
    """Whether a column says that it names the metric of scores, as "Metric" and "measure" do."""
    words = {*words_of(column)}
    return words <= _OF_SCORES and not words.isdisjoint(_OF_METRICS)


def names_metrics(column: Any, cells: Iterable[Any]) -> bool:
    """Whether a column names the metrics of its rows, by its own name or that of every cell."""
    # Parameters are called after metrics too, such as l1, gini and squared_error.
    says = says_metric if letters(column) in ("variable", "key") else is_metric
    is_other = names_parameter(column) or not all(map(says, cells))
    return is_called_metric(column) or not is_other


def names_parameter(column: Any) -> bool:
    """Whether a column of metrics of this name may be a parameter, or what chose the model."""
    return letters(column) in {"loss", "criterion", "objective", "refit", "tunedby"}


def check_metric_column(column: Any, metrics: Iterable[Any]) -> None:
    """Raise ValueError if a column may name the metric by which models were only trained or tuned.

    It does not matter if higher scores are better by all these metrics.
    """
    losses = [metric for metric in map(str, metrics) if is_loss(metric)]
    if losses and not _OF_SCORES.issuperset(words_of(column)):
        raise ValueError(
            f"`obj` must name its metric in a column 'metric'; {shown(column)} names "
            f"{losses[0]!r}, by which models may only have been trained or tuned. Rename the "
            "column, or drop it."
        )


def check_direction(lower_is_better: Any) -> bool | None:
    """Return `lower_is_better` if it is True, False or None, else raise ValueError."""
    if lower_is_better is None or isinstance(lower_is_better, bool | np.bool_):
        return None if lower_is_better is None else bool(lower_is_better)
    raise wrong("lower_is_better", "be True, False or None", lower_is_better)


def direction(given: bool | None, own: bool | None) -> bool | None:
    """Whether lower scores are better, as given or as a table says; ValueError if they differ."""
    if own is not None and given not in (None, own):
        raise ValueError(
            "`lower_is_better` must be left out, or agree with the table, whose ranks, or column "
            f"of directions, say {own}; got {given}."
        )
    return given if own is None else own


def refuse_direction(lower_is_better: bool | None, what: str) -> None:
    """Raise ValueError if `lower_is_better` is given for scores of which higher ones are better."""
    where = f"where `obj` is {what}, whose scores are higher for better models"
    refuse("lower_is_better", lower_is_better, where)


def higher_is_better(found: ParsedScores, lower_is_better: bool | None) -> ParsedScores:
    """What was read, with scores that are higher for better models."""
    given = direction(lower_is_better, found.lower_is_better)
    named = metric_of(found.metric, found.models or found.labels or (), given, found.splits)
    metric, values, note = turned(named, found.scores.values, given, of_scorer=found.of_scorer)
    scores = found.scores
    if metric != named:
        scores = replace(scores, values=values)
    arguments = {**found.arguments, "note": joined_notes(found.arguments.get("note"), note)}
    return replace(found, scores=scores, metric=metric, arguments=arguments)


def metric_of(
    metric: str, labels: Sequence[str], lower_is_better: bool | None, splits: Sequence[str] = ()
) -> str:
    """The metric, or that in the names of models if there is none, as caret's RF~RMSE and SVM~RMSE.

    ValueError if the models have several, or they or the splits one that leaves the direction open.
    """
    several = [label for label in labels if may_be_metric(label)]
    of_this = [label for label in several if {*words_of(metric)} <= {*words_of(label)}]
    if 0 < len(of_this) < len(several) == len(labels):
        raise ValueError(
            f"`obj` must hold the scores of several models by one metric; got "
            f"{shown_list(map(repr, labels))}. Keep those by {metric}, {shown_list(of_this)}."
        )
    if letters(metric) not in _OF_NO_METRIC or len(labels) < 2:
        return metric
    ends = dict.fromkeys(label.rpartition("~")[2] for label in labels)
    if all("~" in label for label in labels) and all(map(is_metric, ends)):
        if len(ends) == 1:
            return next(iter(ends))
    else:
        of_all = [{*words_of(label)} & (_METRICS - _OF_NO_METRIC - {"loss"}) for label in labels]
        ends = dict.fromkeys(" ".join(sorted(own)) for own in of_all)
        if not all(of_all):
            ends = {}
    if len(ends) > 1:
        raise ValueError(
            "`obj` must hold the scores of several models by one metric; got models called "
            f"{shown_list(map(repr, labels))}, of {shown_list(ends)}. If they are models, give "
            "`metric`."
        )
    for what, names in (("models", labels), ("splits", splits)):
        common = set.intersection(*({*words_of(name)} for name in names)) if names else set()
        losses = [word for word in common if _is_loss_word(word) or is_loss(word)]
        if losses and lower_is_better is None:
            raise ValueError(
                f"`metric` or `lower_is_better` must be given where {min(losses)!r} is in the "
                f"names of all {what}; got None. It says whether lower scores are better."
            )
    return metric


def turned(
    metric: str,
    values: NDArray[np.float64],
    lower_is_better: bool | None,
    *,
    of_scorer: bool = False,
) -> tuple[str, NDArray[np.float64], str]:
    """Metric and scores that are higher for better models, and a note if the metric's name decides.

    Known losses are negated unless all their scores are ≤ 0: then they have been already. A name
    that does not say for certain which scores are better raises ValueError, unless it is that of a
    scorer of scikit-learn, whose scores are higher for better models, and has no loss in it.
    """
    with np.errstate(invalid="ignore"):
        below, above = bool((values < 0).any()), bool((values > 0).any())
    plain = _WRITTEN_AROUND.sub("", metric)
    is_negated = plain.startswith(_NEGATED) and letters(plain) not in _ANY_SIGN
    if lower_is_better and is_negated and not (above and not below):
        raise ValueError(
            "`lower_is_better` must be False or left out for scores that have been negated, as "
            f"the metric's name says; got True for {shown(metric)}."
        )
    if lower_is_better is not None:
        # From 0, so that no score is −0.
        negated = f"{_NEGATED}{metric}", 0.0 - values, ""
        return negated if lower_is_better else (metric, values, "")
    known = is_loss(metric)
    if is_negated:
        of_gain = is_loss(plain.removeprefix(_NEGATED)) is False
        known = None if of_gain or (above and not below) else False
    elif known is None and of_scorer and not _has_loss(metric):
        known = False
    elif known is False and _is_beyond(metric, values):
        known = None
    if known is None:
        raise ValueError(
            f"`lower_is_better` must be given for {shown(metric)}, whose name does not say for "
            "certain whether lower scores are better; got None. False: higher scores are better."
        )
    if not known:
        _check_one_unit(metric, values)
        return metric, values, ""
    if below and not above and (of_scorer or letters(plain) not in _ANY_SIGN):
        note = f"{metric} is lower for better models, but the scores are negated already."
        return metric, values, note
    if below:
        raise ValueError(
            f"`lower_is_better` must be given for {shown(metric)}, which is lower for better "
            "models, because some scores are negative; got None."
        )
    note = f"{metric} is lower for better models: the scores are its negative, {_NEGATED}{metric}."
    return f"{_NEGATED}{metric}", 0.0 - values, note


def _is_beyond(metric: str, values: NDArray[np.float64]) -> bool:
    """Whether scores contradict the range of the gain that the metric is called after."""
    if letters(metric).startswith("d2"):
        return bool((values > 1).any())  # d2_log_loss of a second data set
    are_shares = not (_GAINS - _MAY_BE_NEGATIVE).isdisjoint(words_of(metric))
    return are_shares and bool((values < 0).any()) and not bool((values > 0).any())


_MAY_BE_NEGATIVE = {"kappa", "kap", "mcc", "corrcoef", "r2", "r²", "r2score", "rsquared", "rsq"}


def _check_one_unit(metric: str, values: NDArray[np.float64]) -> None:
    """Raise ValueError if shares of one model are beside percentages of another."""
    if _GAINS.isdisjoint(words_of(metric)):
        return
    with np.errstate(invalid="ignore"):
        least, most = values.min(axis=1), values.max(axis=1)
        are_shares = (least > 0.05) & (most <= 1)
        are_percentages = (least > 5) & (most <= 100)
    if are_shares.any() and are_percentages.any():
        raise ValueError(
            "`obj` must have the scores of all models in one unit; got one with scores up to "
            f"{most[are_shares][0]:.3g} and one with scores from {least[are_percentages][0]:.3g}. "
            "Are these percentages? Divide them by 100."
        )
