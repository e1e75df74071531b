"""What a model's own ``score`` measures, so that accuracy is not compared with R²."""

from collections.abc import Sequence
from typing import Any

from sklearn.pipeline import Pipeline

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.evaluation._sklearn_private import estimator_kind

_BY_KIND = {"classifier": "accuracy", "regressor": "r2"}
# Their `score` follows their `scoring`. Elsewhere the parameter means something else: the boosting
# models stop early by it, and RidgeCV chooses its penalty by it.
_SCORED_BY_SCORING = ("LogisticRegressionCV", "RFECV")


def check_one_score(names: Sequence[str], models: Sequence[Any]) -> None:
    """Raise ValueError where the models' own scores are of different metrics."""
    by_metric: dict[str, list[str]] = {}
    for name, model in zip(names, models, strict=True):
        by_metric.setdefault(_own_metric(model), []).append(name)
    if len(by_metric) > 1:
        listed = "; ".join(f"{m} of {shown_list(of)}" for m, of in by_metric.items())
        raise ValueError(
            "`scoring` must be given where the models' own scores measure different things; got "
            f"None, which is {listed}. Name one metric that suits them all, or compare the models "
            "that are of one kind."
        )


def _own_metric(model: Any) -> str:
    """What ``model.score`` returns: a metric's name, or what kind of model defines it.

    A class of the user's own counts as its kind, whatever its `score` does: only its author can
    say whether that is comparable with the others.
    """
    # A pipeline's `score` is that of its last step, which may also be "passthrough" or None.
    while isinstance(model, Pipeline) and hasattr(model.steps[-1][1], "fit"):
        model = model.steps[-1][1]
    name = type(model).__name__
    if name.endswith("SearchCV") or name in _SCORED_BY_SCORING:
        scoring, refit = getattr(model, "scoring", None), getattr(model, "refit", None)
        if isinstance(scoring, dict) and isinstance(refit, str):
            scoring = scoring.get(refit, refit)
        elif isinstance(scoring, list | tuple | set) and isinstance(refit, str):
            scoring = refit
        if scoring is not None and scoring != "warn":  # a default that scikit-learn will change
            return scoring if isinstance(scoring, str) else shown(scoring)
        if hasattr(model, "estimator"):
            return _own_metric(model.estimator)
    kind = estimator_kind(model)
    return _BY_KIND.get(kind or "", f"the score of a {kind}" if kind else "a score of its own")
