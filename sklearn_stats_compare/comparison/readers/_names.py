"""Names of rows, columns and metrics → what they say of a table of numbers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import refuse, shown, shown_list, wrong
from sklearn_stats_compare.comparison._tables import joined_notes
from sklearn_stats_compare.comparison.readers._sizes import ParsedScores

# Only these names show what a table of numbers holds. The words are those of scikit-learn, Optuna,
# skore, pycaret, AutoGluon and R's caret.

_SPLIT = re.compile(
    r"\s*((splits?|folds?|cv|reps?|repeats?|repetition|resample|bootstrap|seeds?)[\W_]*\d+[\W_]*)+",
    re.I,
)

_SPLIT_WITHIN = re.compile(r"(split|fold|resample|(?<![a-z])cv)[\W_]*\d", re.I)

SPLIT_AXIS = re.compile(r"split|fold|resample|repeat|(^|[\W_])(rep|cv)($|[\W_])", re.I)

_SPLIT_ALONE = {"fold", "split", "resample"}


_TIME = re.compile(
    r"(.*[\W_])?(time|duration|runtime)([\W_]+((test|train)(ing)?|val|predict|both|fit|score|marginal|s|secs?|seconds|ms))*[\W_]*"
    r"|tt \(sec\)",
    re.I,
)

# Compared by letters and digits only: "Std. Dev." is stddev.
_SUMMARIES = {
    "mean", "average", "avg", "std", "sd", "stdev", "stddev", "standarddeviation", "sem", "meanstd",
    "median", "overall", "total", "wintieloss", "pvalue", "pval", "min", "max", "minimum",
    "maximum", "rank", "ranks", "wins", "losses", "ties", "lower", "upper", "cilow", "cihigh",
}  # fmt: skip

_MEANS = {"mean", "means", "average", "avg", "median", "std", "sd", "stdev", "stddev", "sem",
          "rank", "ranks"}  # fmt: skip

# With one of these: mean accuracy, avg. rank, cv_mean, mean of all folds.
_SUMMED = {
    "score", "scores", "accuracy", "acc", "auc", "f1", "performance", "cv", "test", "train", "val",
    "all", "of", "over", "the", "folds", "splits", "repeats", "datasets", "data", "sets",
    "arithmetic", "geometric", "harmonic", "grand", "overall", "total", "friedman", "min", "max",
}  # fmt: skip

MODEL_AXIS = {
    "model", "models", "modelname", "estimator", "algorithm", "classifier", "learner", "method",
    "candidate",
}  # fmt: skip

_BOOKKEEPING = MODEL_AXIS | {
    "name", "trial", "split", "splits", "fold", "folds", "resample", "resamples",
    "repeat", "rep", "seed", "iter", "iteration", "number", "id", "rank", "state", "stacklevel",
    "caninfer", "fitorder", "index", "epoch", "date", "weight", "weights", "seconds", "nsamples",
    "nclasses", "classes", "nfeatures", "ninstances", "size", "taskid", "did", "testsize",
    "trainsize", "datasetid", "ytrue", "ntrain", "ntest", "imbalance", "imbalanceratio", "dataset",
    "randomstate", "randomseed", "support", "bestiteration", "elapsed", "latency", "latencyms",
    "fits", "fitsecs", "learningrate",
}  # fmt: skip

_METRICS = {
    "accuracy", "acc", "auc", "auroc", "roc", "rocauc", "aucroc", "prauc", "f1", "f1score", "fbeta",
    "kappa", "mcc", "precision", "prec", "recall", "sensitivity", "sens", "specificity", "spec",
    "r2", "r²", "r2score", "rsquared", "rmse", "mse", "mae", "mape", "smape", "mase", "rmsle",
    "logloss", "loss", "crossentropy", "brier", "deviance", "error", "jaccard", "ndcg", "corrcoef",
    "score", "scores", "value", "values", "result", "results", "metric", "objective", "performance",
}  # fmt: skip

# Words next to a metric's name: test_f1_macro, neg_mean_squared_error, roc_auc_ovr.
_WITH_METRICS = {
    "test", "train", "val", "validation", "default", "neg", "balanced", "mean", "root", "squared",
    "absolute", "log", "average", "cohen", "matthews", "max", "median", "macro", "micro",
    "weighted", "samples", "ovr", "ovo", "valid", "binary", "multi", "std", "stdv",
}  # fmt: skip


def kind_of(axis: pd.Index) -> str:
    """What an axis says it holds: "splits"; "plain" for numbers alone; "named" otherwise."""
    names = [str(name) for name in axis.names if name is not None]
    if any(map(_names_splits, names)) or (len(axis) and all(map(is_split, axis))):
        return "splits"
    plain = not names and all(map(is_whole, axis))
    return "plain" if plain else "named"


def _names_splits(axis: Any) -> bool:
    # Parameters of trees and of halving.
    is_parameter = re.search(r"min_samples_split|splitter|resampler", str(axis), re.I)
    return axis is not None and not is_parameter and SPLIT_AXIS.search(str(axis)) is not None


_OF_SCORES = {
    "metric", "metrics", "scoring", "measure", "name", "type", "score", "scores", "test", "outer",
    "performance", "what", "kennzahl", "metrik", "métrique", "metrica", "métrica",
}  # fmt: skip
"""Words of columns that name the metric of scores, unlike eval_metric and early_stopping_metric."""


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


def names_splits_alone(axis: Any) -> bool:
    """Whether an axis is called fold or outer split, but not min_samples_split."""
    words = {*words_of(axis)} if axis is not None else set()
    return bool(words) and words <= {"split", "fold", "resample", "cv", "repeat", "rep", "outer"}


def is_whole(label: Any) -> bool:
    return re.fullmatch(r"-?\d+", str(label)) is not None


def is_text(label: Any) -> bool:
    """Whether a label is text other than a number; numbers read from a file may be text."""
    return isinstance(label, str) and not is_number(label)


def holds_names(column: pd.Series) -> bool:
    """Whether the first cell of a column that is not empty is text and no number."""
    filled = column.dropna()
    return not filled.empty and is_text(filled.iloc[0])


def is_split(label: Any) -> bool:
    """Whether a label names a split: ``split0``, ``Fold 3``, ``rep1_fold2``, ``Fold01.Rep1``."""
    return bool(_SPLIT.fullmatch(str(label))) or letters(label) in _SPLIT_ALONE


def has_split(label: Any) -> bool:
    """Whether a label names a split among other things, such as ``svm_split_0``."""
    return _SPLIT_WITHIN.search(str(label)) is not None


def is_summary(label: Any) -> bool:
    """Whether a label names a mean or a spread of the others, and nothing more."""
    words = {word for word in words_of(label) if not word.isdigit()}
    return (bool(words & _MEANS) and words <= _MEANS | _SUMMED) or letters(label) in _SUMMARIES


_SPREADS = {"std", "sd", "stdv", "stdev", "stddev", "stderr", "sem", "se", "ci", "var",
            "err", "rank", "time"}  # fmt: skip


def spreads_among(labels: Iterable[Any]) -> list[int]:
    """The places of labels such as ``forest_std`` beside ``forest`` or ``forest_mean``."""
    deviation = re.compile(r"std[\W_]*dev|standard[\W_]*deviation", re.I)
    words = [words_of(deviation.sub("std", str(label))) for label in labels]
    of_scores = ("test", "score", "mean")
    names = [tuple(word for word in own if word not in of_scores) or tuple(own) for own in words]
    found = []
    for k, own in enumerate(names):
        ends = ((own[0], own[1:]), (own[-1], own[:-1])) if own else ()
        if any(end in _SPREADS and stem and stem in names for end, stem in ends):
            found.append(k)
    return found


def is_bookkeeping(label: Any) -> bool:
    """Whether a column of this name identifies rows and holds no scores."""
    return letters(label) in _BOOKKEEPING


def names_models(axis: Any) -> bool:
    """Whether an axis of this name holds models."""
    return letters(axis) in MODEL_AXIS


def is_time(label: Any) -> bool:
    """Whether a label names a duration, such as ``fit_time`` but not ``time_forest``."""
    return _TIME.fullmatch(str(label)) is not None


def is_metric(label: Any) -> bool:
    """Whether a label is a metric's name and nothing more."""
    words = [word for word in words_of(label) if not word.isdigit()]  # of a class: precision_0
    return may_be_metric(label) and set(words) <= _METRICS | _WITH_METRICS


def may_be_metric(label: Any) -> bool:
    """Whether one of the words of a label is a metric, as in ``RF~Accuracy``."""
    return not _METRICS.isdisjoint(words_of(label))


def words_of(label: Any) -> list[str]:
    return [word for word in re.split(r"[\W_]+", str(label).lower()) if word]


def letters(label: Any) -> str:
    """The letters and digits of a label, in lower case."""
    return "".join(words_of(label))


_NEGATED = "neg_"

# What programs write around the name of a metric: mlr3 the type of task, MLflow "metrics.",
# scikit-learn "test_"; a class, a quantile or the number of a run may follow.
_AROUND = re.compile(
    r"^((metrics|classif|regr|surv|test|train|val|valid|validation|cv|mean|avg)[._ ])+"
    r"|([._ ](test|train|val|valid|validation|cv|mean|avg))+$|[_ ][\d.]+$",
    re.I,
)

# Ends of names, by letters and digits only: also binary_logloss and merror of boosting, val_loss.
_ENDS = (
    "loss", "error", "mse", "rmsle", "mae", "mape", "deviance", "crossentropy", "errorrate",
    "brierscore", "brier",
)  # fmt: skip

# Further names; none of them is negative for any model.
_LOSSES = {
    # yardstick
    "brierclass", "briersurvival", "briersurvivalintegrated", "classificationcost",
    "huberlosspseudo", "mase", "rankedprobscore", "rmserelative",
    # mlr3measures
    "bbrier", "ce", "cost", "costs", "fdr", "fn", "fnr", "fomr", "fp", "fpr", "maxae", "maxse",
    "mbrier", "medae", "medse", "mmce", "msle", "pinball", "rae", "rrse", "rse", "sae", "sse",
    # plain words
    "err", "ber", "misclass", "misclassification", "misclassificationrate", "nll",
    "misclassificationcost", "falsepositiverate", "falsenegativerate", "perplexity", "crps", "wape",
    "bce", "wer", "cer", "mdape", "aic", "bic", "rmspe", "rmsse", "wrmsse", "ece", "kldivergence",
    "negloglik", "negloglikelihood", "negativeloglikelihood", "eer", "fid", "ter", "hinge",
    "hamming", "regret", "hausdorff",
    # Weka
    "numberincorrect", "percentincorrect",
    # over data sets
    "rank", "ranks",
}  # fmt: skip

# May be negative for any model, as those of densities are.
_ANY_SIGN = {"aic", "bic", "nll", "negloglik", "negloglikelihood", "negativeloglikelihood"}

# With other words, such as a unit, these leave the direction open.
LOSS_WORDS = {
    "rmse", "mse", "mae", "mape", "smape", "mase", "rmsle", "loss", "losses", "logloss", "error",
    "errors", "nll", "deviance", "brier", "crossentropy", "misclassification", "wer", "cer",
}  # fmt: skip

OF_NO_METRIC = {"score", "scores", "value", "values", "result", "results", "estimate", "metric"}

# Metrics of which higher scores are better.
_GAINS = _METRICS - LOSS_WORDS - OF_NO_METRIC - {"objective", "performance", "corrcoef"}

# Of skills, such as d2_log_loss, which are at most 1; "d2_rmse" is on a second data set.
_SKILL = re.compile(
    r"(.*[\W_])?(d2[\W_]+(?!.*(mse|mae|mape|msle|wer))|explained[\W_]).*"
    r"|.*[\W_](explained|skill([\W_]*scores?)?)(\s*\(.*\))?",
    re.I,
)

# Of a gain in terms of a loss, or of a loss of something: "negative RMSE", "negative_class_error".
_EITHER_WAY = re.compile(
    r"(.*[\W_])?(gains?|improvement|decrease|drop|reduction|profit|saved|savings|no|without|neg"
    r"|negated|negative|minus|inv|inverse|inverted|skill|explained)([\W_].*)?"
    r"|\s*100\s*[-−–/].*|.*\(\s*1(00)?\s*[-−–/].*|\s*1\s*/.*",
    re.I,
)

_COMPLEMENT = re.compile(r".*(^|[\W_])1(00|\.0)?\s*([-−–]|minus)\s*[(a-z]", re.I)  # "(1 - AUC)"

_ONE_MINUS = re.compile(r"\s*1\s*[-−–]")


def check_direction(lower_is_better: Any) -> bool | None:
    """Return `lower_is_better` if it is True, False or None, else raise ValueError."""
    if lower_is_better is None or isinstance(lower_is_better, bool | np.bool_):
        return None if lower_is_better is None else bool(lower_is_better)
    raise wrong("lower_is_better", "be True, False or None", lower_is_better)


def direction(given: bool | None, own: bool | None) -> bool | None:
    """Whether lower scores are better, as given or as a table says; ValueError if they differ."""
    if own is not None and given not in (None, own):
        raise ValueError(
            "`lower_is_better` must be left out, or agree with the table, whose column "
            f"'greater_is_better' or ranks say {own}; got {given}."
        )
    return given if own is None else own


def refuse_direction(lower_is_better: bool | None, what: str) -> None:
    """Raise ValueError if `lower_is_better` is given for scores of which higher ones are better."""
    where = f"where `obj` is {what}, whose scores are higher for better models"
    refuse("lower_is_better", lower_is_better, where)


def names_a_score(label: str) -> bool:
    """Whether a label names one metric, unlike "test_score", "error" and "val_loss"."""
    known = (_GAINS | LOSS_WORDS) - {"loss", "losses", "error", "errors"}
    return not known.isdisjoint(words_of(label))


def is_loss(metric: str) -> bool:
    """Whether a metric is known to be lower for better models."""
    if _ONE_MINUS.match(metric):
        return False
    name = letters(_AROUND.sub("", metric))
    if name in _LOSSES:
        return True
    is_turned = _has_gain(metric) or _EITHER_WAY.fullmatch(metric) or _SKILL.fullmatch(metric)
    return (is_time(metric) or name.endswith(_ENDS)) and not is_turned


def _has_gain(metric: str) -> bool:
    """Whether a name has that of a gain, as "accuracy (log loss)" and "AUC over time"."""
    return not _GAINS.isdisjoint(words_of(metric))


def _may_be_loss(metric: str, most: float) -> bool:
    """Whether it may be, of scores up to `most`: a skill is no loss, and is at most 1."""
    if found := _ONE_MINUS.match(metric):
        # One minus a loss is a gain, but "1-step RMSE" is none.
        rest = metric[found.end() :]
        known = letters(rest) in _LOSSES or is_metric(rest) or letters(rest) in _ENDS
        is_gain = (is_loss(rest) or _may_be_loss(rest, most)) and (known or rest[:1].isspace())
        return most > 1 or not is_gain
    if _COMPLEMENT.match(metric) and _has_gain(metric):
        return True
    if _SKILL.fullmatch(metric) and most <= 1:
        return False
    named = is_time(metric) or letters(metric).endswith(_ENDS)
    return named or not LOSS_WORDS.isdisjoint(words_of(metric))


def higher_is_better(found: ParsedScores, lower_is_better: bool | None) -> ParsedScores:
    """What was read, with scores that are higher for better models."""
    given = direction(lower_is_better, found.lower_is_better)
    named = metric_of(found.metric, found.models or found.labels or (), given, found.splits)
    metric, values, note = turned(named, found.scores.values, given)
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
    if letters(metric) not in OF_NO_METRIC or len(labels) < 2:
        return metric
    ends = dict.fromkeys(label.rpartition("~")[2] for label in labels)
    if all("~" in label for label in labels) and all(map(is_metric, ends)):
        if len(ends) == 1:
            return next(iter(ends))
    else:
        of_all = [{*words_of(label)} & (_METRICS - OF_NO_METRIC - {"loss"}) for label in labels]
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
        losses = [word for word in common if word in LOSS_WORDS or is_loss(word)]
        if losses and lower_is_better is None:
            raise ValueError(
                f"`metric` or `lower_is_better` must be given where {min(losses)!r} is in the "
                f"names of all {what}; got None. It says whether lower scores are better."
            )
    return metric


def turned(
    metric: str, values: NDArray[np.float64], lower_is_better: bool | None
) -> tuple[str, NDArray[np.float64], str]:
    """Metric and scores that are higher for better models, and a note if the metric's name decides.

    Known losses are negated unless all their scores are ≤ 0: then they have been already.
    """
    with np.errstate(invalid="ignore"):
        below, above = bool((values < 0).any()), bool((values > 0).any())
    if lower_is_better and metric.startswith(_NEGATED) and not (above and not below):
        raise ValueError(
            "`lower_is_better` must be False or left out for scores that have been negated, as "
            f"the metric's name says; got True for {shown(metric)}."
        )
    note = ""
    if lower_is_better is None:
        if metric.startswith(_NEGATED):
            is_unclear = not below and is_loss(metric.removeprefix(_NEGATED))
        else:
            most = float(values[np.isfinite(values)].max(initial=-np.inf))
            is_unclear = not is_loss(metric) and _may_be_loss(metric, most)
        if above and is_unclear:
            raise ValueError(
                f"`lower_is_better` must be given for {shown(metric)}, which may be lower for "
                "better models, as its name says; got None."
            )
        if not is_loss(metric):
            return metric, values, ""
        if below and not above and letters(_AROUND.sub("", metric)) not in _ANY_SIGN:
            note = f"{metric} is lower for better models, but the scores are negated already."
            return metric, values, note
        if below:
            raise ValueError(
                f"`lower_is_better` must be given for {shown(metric)}, which is lower for better "
                "models, because some scores are negative; got None."
            )
        note = (
            f"{metric} is lower for better models: the scores are its negative, {_NEGATED}{metric}."
        )
    elif not lower_is_better:
        return metric, values, ""
    # From 0, so that no score is −0.
    return f"{_NEGATED}{metric}", 0.0 - values, note


# By letters: also the task_id of mlr3 and the Key_Dataset of Weka.
_DATASETS = {"dataset", "datasets", "datasetname", "datasetid", "keydataset", "task", "taskid"}


def names_datasets(column: Any) -> bool:
    """Whether a column, or an axis, of this name holds data sets."""
    return letters(column) in _DATASETS


def is_number(cell: Any) -> bool:
    # An empty cell is a score that is missing.
    try:
        float("nan" if cell is None or cell is pd.NA else cell)
    except (TypeError, ValueError):
        return False
    return True
