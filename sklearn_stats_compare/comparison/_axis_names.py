"""Recognise by its name what a row or column holds: a split, a metric, a time, a summary, ….

Only these names show what a table of numbers holds. The words are those of scikit-learn, Optuna,
skore, pycaret, AutoGluon and R's caret.
"""

import re
from typing import Any

import pandas as pd

_SPLIT = re.compile(
    r"\s*((splits?|folds?|cv|reps?|repeats?|repetition|resample|bootstrap)[\W_]*\d+[\W_]*)+", re.I
)
_SPLIT_WITHIN = re.compile(r"(split|fold|resample)[\W_]*\d", re.I)
_SPLIT_AXIS = re.compile(r"split|fold|resample|repeat|(^|[\W_])(rep|cv)($|[\W_])", re.I)
_SPLIT_ALONE = {"fold", "split", "resample"}
_TRIAL = ("param_", "params_", "user_attrs_", "system_attrs_")
_TIME = re.compile(
    r"(.*[\W_])?(time|duration|runtime)([\W_]+(test|val|train|marginal|s|secs?|seconds|ms))*[\W_]*"
    r"|tt \(sec\)",
    re.I,
)
# Compared by letters and digits only: "Std. Dev." is stddev.
_SUMMARIES = {
    "mean", "average", "avg", "std", "sd", "stdev", "stddev", "standarddeviation", "sem", "meanstd",
}  # fmt: skip
_MODEL_AXIS = {
    "model", "models", "modelname", "estimator", "algorithm", "classifier", "learner", "method",
    "candidate",
}  # fmt: skip
_BOOKKEEPING = _MODEL_AXIS | {
    "name", "trial", "split", "splits", "fold", "folds", "resample", "resamples",
    "repeat", "rep", "seed", "iter", "iteration", "number", "id", "rank", "state", "stacklevel",
    "caninfer", "fitorder",
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
    "weighted", "samples", "ovr", "ovo",
}  # fmt: skip


def kind_of(axis: pd.Index) -> str:
    """What an axis says it holds: "splits"; "plain" for numbers alone; "named" otherwise."""
    names = [str(name) for name in axis.names if name is not None]
    if any(_SPLIT_AXIS.search(name) for name in names) or (len(axis) and all(map(is_split, axis))):
        return "splits"
    plain = not names and all(re.fullmatch(r"-?\d+", str(label)) for label in axis)
    return "plain" if plain else "named"


def is_of_models(axis: pd.Index) -> bool:
    """Whether the name of an axis, such as "model", says that it holds models."""
    return any(letters(name) in _MODEL_AXIS for name in axis.names if name is not None)


def is_text(label: Any) -> bool:
    """Whether a label is text other than a number; numbers read from a file may be text."""
    if not isinstance(label, str):
        return False
    try:
        float(label)
    except ValueError:
        return True
    return False


def names_rows(name: str) -> bool:
    """Whether a column of this name holds the names of rows, such as "model" or "fold"."""
    return is_bookkeeping(name) or _SPLIT_AXIS.fullmatch(name) is not None


def is_split(label: Any) -> bool:
    """Whether a label names a split: ``split0``, ``Fold 3``, ``rep1_fold2``, ``Fold01.Rep1``."""
    return bool(_SPLIT.fullmatch(str(label))) or letters(label) in _SPLIT_ALONE


def has_split(label: Any) -> bool:
    """Whether a label names a split among other things, such as ``svm_split_0``."""
    return _SPLIT_WITHIN.search(str(label)) is not None


def is_of_trial(label: Any) -> bool:
    """Whether a label is of a table of trials, such as ``user_attrs_split0_test_score``."""
    text = str(label)
    return text.startswith(_TRIAL) or ("_test_" in text and has_split(text))


def is_summary(label: Any) -> bool:
    """Whether a label names a mean or a spread of the others."""
    return letters(label) in _SUMMARIES


def is_bookkeeping(label: Any) -> bool:
    """Whether a column of this name identifies rows and holds no scores."""
    return letters(label) in _BOOKKEEPING


def is_time(label: Any) -> bool:
    """Whether a label names a duration, such as ``fit_time`` but not ``time_forest``."""
    return _TIME.fullmatch(str(label)) is not None


def may_be_time(label: Any) -> bool:
    """Whether "time" is one of the words of a label."""
    return "time" in _words(label)


def is_metric(label: Any) -> bool:
    """Whether a label is a metric's name and nothing more."""
    words = [word for word in _words(label) if not word.isdigit()]  # of a class: precision_0
    return may_be_metric(label) and set(words) <= _METRICS | _WITH_METRICS


def may_be_metric(label: Any) -> bool:
    """Whether one of the words of a label is a metric, as in ``RF~Accuracy``."""
    return not _METRICS.isdisjoint(_words(label))


def _words(label: Any) -> list[str]:
    return [word for word in re.split(r"[\W_]+", str(label).lower()) if word]


def letters(label: Any) -> str:
    """The letters and digits of a label, in lower case."""
    return "".join(_words(label))
