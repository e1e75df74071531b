"""Scores of which lower ones are better, such as an rmse → their negatives, by name or argument."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison._axis_names import letters
from sklearn_stats_compare.comparison._chosen_by_scores import joined_notes
from sklearn_stats_compare.comparison._found import Found
from sklearn_stats_compare.stats import SplitScores

_NEGATED = "neg_"
# mlr3 puts the type of task before a measure, and scikit-learn "test_" before a column of scores.
_BEFORE = ("classif.", "regr.", "surv.", "test_")
# By letters and digits only; none of them is negative for any model.
_LOSSES = {
    # yardstick
    "rmse", "mae", "mape", "smape", "mase", "mse", "huberloss", "huberlosspseudo",
    "poissonlogloss", "mnlogloss", "brierclass", "briersurvival", "briersurvivalintegrated",
    "classificationcost", "rankedprobscore", "rmserelative",
    # mlr3measures
    "ce", "bbrier", "mbrier", "logloss", "costs", "fdr", "fn", "fnr", "fomr", "fp", "fpr", "maxae",
    "maxse", "medae", "medse", "msle", "rae", "rmsle", "rrse", "rse", "sae", "sse", "pinball",
    "mmce",
    # scikit-learn, without its neg_, and plain words
    "brier", "brierscore", "brierscoreloss", "brierloss", "crossentropy", "deviance", "error",
    "errorrate", "hammingloss", "hingeloss", "loss", "maxerror", "meanabsoluteerror",
    "meanabsolutepercentageerror", "meangammadeviance", "meanpinballloss", "meanpoissondeviance",
    "meansquarederror", "meansquaredlogerror", "medianabsoluteerror", "misclassification",
    "misclassificationrate", "rootmeansquarederror", "rootmeansquaredlogerror", "zerooneloss",
}  # fmt: skip
# Ends of further names, such as those of boosting: binary_logloss, merror, val_loss.
_ENDS = ("loss", "error", "mse", "rmsle", "mae", "mape", "deviance", "crossentropy")
# Words of names whose values are turned round, or skills, such as d2_log_loss.
_TURNED = {"neg", "negative", "negated", "minus", "inverse", "inverted", "inv", "d2", "skill"}


def check_direction(lower_is_better: Any) -> bool | None:
    """Return `lower_is_better` if it is True, False or None, else raise ValueError."""
    if lower_is_better is None or isinstance(lower_is_better, bool | np.bool_):
        return None if lower_is_better is None else bool(lower_is_better)
    raise ValueError(
        f"`lower_is_better` must be True, False or None; got {shown(lower_is_better)}."
    )


def refuse_direction(lower_is_better: bool | None, what: str) -> None:
    """Raise ValueError if `lower_is_better` is given for scores of which higher ones are better."""
    if lower_is_better is not None:
        raise ValueError(
            f"`lower_is_better` must be left out where `obj` is {what}, whose scores are higher "
            f"for better models; got {lower_is_better}."
        )


def is_loss(metric: str) -> bool:
    """Whether a metric is known to be lower for better models."""
    for before in _BEFORE:
        metric = metric.removeprefix(before)
    name, words = letters(metric), re.split(r"[\W_]+", metric.lower())
    return name in _LOSSES or (name.endswith(_ENDS) and _TURNED.isdisjoint(words))


def higher_is_better(found: Found, lower_is_better: bool | None) -> Found:
    """What was read, with scores that are higher for better models."""
    metric, values, note = turned(found.metric, found.scores.values, lower_is_better)
    if metric == found.metric:
        return found
    scores = SplitScores(values, found.scores.design)
    arguments = {**found.arguments, "note": joined_notes(found.arguments.get("note"), note)}
    return replace(found, scores=scores, metric=metric, arguments=arguments)


def turned(
    metric: str, values: NDArray[np.float64], lower_is_better: bool | None
) -> tuple[str, NDArray[np.float64], str]:
    """Metric and scores that are higher for better models, and a note if the metric's name decides.

    Known losses are negated unless all their scores are ≤ 0: then they have been already.
    """
    if lower_is_better and metric.startswith(_NEGATED):
        raise ValueError(
            "`lower_is_better` must be False or left out for scores that have been negated, as "
            f"the metric's name says; got True for {shown(metric)}."
        )
    note = ""
    if lower_is_better is None:
        with np.errstate(invalid="ignore"):
            below, above = bool((values < 0).any()), bool((values > 0).any())
        if not is_loss(metric) or not above:
            return metric, values, ""
        if below:
            raise ValueError(
                f"`lower_is_better` must be given for {shown(metric)}, which is lower for better "
                "models, because some scores are negative and some positive; got None."
            )
        note = (
            f"{metric} is lower for better models: the scores are its negative, {_NEGATED}{metric}."
        )
    elif not lower_is_better:
        return metric, values, ""
    # From 0, so that no score is −0.
    return f"{_NEGATED}{metric}", 0.0 - values, note
