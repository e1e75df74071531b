"""Names of rows, columns and metrics → what they say of a table of numbers."""

import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

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
    "maximum", "rank", "ranks", "ranksum", "sumofranks", "wins", "losses", "ties", "lower", "upper",
    "cilow", "cihigh",
}  # fmt: skip

# The last rows are of spreadsheets in German, French, Spanish and Italian.
_MEANS = {
    "mean", "means", "average", "avg", "median", "std", "sd", "stdev", "stddev", "sem", "rank",
    "ranks", "mittelwert", "durchschnitt", "mittlerer", "rang", "standardabweichung", "stabw",
    "moyenne", "médiane", "mediane", "écart", "ecart", "media", "mediana", "promedio",
    "desviación", "desviacion", "estándar", "estandar", "desvest", "deviazione",
    "moyen", "medio", "rango", "moy", "desv", "mittel", "stdabw", "gesamt", "summe",
}  # fmt: skip

# With one of these: mean accuracy, avg. rank, cv_mean, mean of all folds.
_SUMMED = {
    "score", "scores", "accuracy", "acc", "auc", "f1", "performance", "cv", "test", "train", "val",
    "all", "of", "over", "the", "folds", "splits", "repeats", "datasets", "data", "sets",
    "arithmetic", "geometric", "harmonic", "grand", "overall", "total", "friedman", "min", "max",
    "type", "standard", "general", "générale", "generale", "est", "dev",
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


def words_of(label: Any) -> list[str]:
    return [word for word in re.split(r"[\W_]+", str(label).lower()) if word]


def letters(label: Any) -> str:
    """The letters and digits of a label, in lower case."""
    return "".join(words_of(label))


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
