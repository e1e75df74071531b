"""Names of single metrics; for ``scoring=None``, that of an estimator's own ``score``.

Estimators are recognised by their attributes, so that scikit-learn need not be imported here.
"""

from typing import Any

from sklearn_stats_compare._messages import shown

_BY_KIND = {"classifier": "accuracy", "regressor": "r2"}
# Their `score` uses their `scoring`. Elsewhere the parameter means something else: boosting models
# use it for early stopping, and RidgeCV to choose its penalty.
_SCORED_BY_SCORING = ("LogisticRegressionCV", "RFECV")
# Their `score` is that of the inner estimator.
_HAND_ON = ("FrozenEstimator", "RFE", "SelfTrainingClassifier")
# Their `score` is the share of the deviance that they explain, D², and not R².
_BY_DEVIANCE = ("GammaRegressor", "PoissonRegressor", "TweedieRegressor")
# Packages in which all other classifiers score by accuracy and regressors by R², even with their
# own method for it.
_KNOWN = ("sklearn", "imblearn", "xgboost", "lightgbm", "catboost")


def own_metric(model: Any) -> str:
    """What ``model.score`` returns: the name of a metric, or the kind of model that defines it.

    A user's class counts as its kind, whatever its `score` does: only its author knows whether that
    is comparable with the others.
    """
    scoring, model = _scored_by(model)
    if scoring is not None:
        return scoring
    if type(model).__name__ in _BY_DEVIANCE:
        return "d2"
    kind = estimator_kind(model)
    return _BY_KIND.get(kind or "", f"the score of a {kind}" if kind else "a score of its own")


def own_metric_name(model: Any) -> str:
    """Name of what ``model.score`` returns, such as ``"accuracy"`` or ``"KMeans.score"``."""
    scoring, model = _scored_by(model)
    if scoring is not None:
        return scoring
    if type(model).__name__ in _BY_DEVIANCE:
        return "d2"
    package = str(getattr(getattr(type(model), "score", None), "__module__", "")).partition(".")[0]
    name = _BY_KIND.get(estimator_kind(model) or "") if package in _KNOWN else None
    return name or f"{type(model).__name__}.score"


def single_metric_name(search: Any) -> str:
    """Display name of the metric of a single-metric search; "score" if unknown."""
    scoring, estimator = getattr(search, "scoring", None), getattr(search, "estimator", None)
    if isinstance(scoring, str):
        return scoring
    return own_metric_name(estimator) if scoring is None and estimator is not None else "score"


def estimator_kind(model: Any) -> str | None:
    """Return "classifier", "regressor" or another kind that an estimator names; None without one.

    From scikit-learn 1.6 on the kind is a tag. Before it was the attribute ``_estimator_type``,
    which is all that some searches of other packages have.
    """
    try:
        kind = model.__sklearn_tags__().estimator_type
    except AttributeError:  # none, or of an estimator without tags inside
        kind = None
    found: str | None = kind or getattr(model, "_estimator_type", None)
    return found


def _scored_by(model: Any) -> tuple[str | None, Any]:
    """The `scoring` that ``model.score`` uses, or the inner model that computes it."""
    # A pipeline's `score` is that of its last step, which may also be "passthrough" or None.
    if hasattr(model, "named_steps") and hasattr(model.steps[-1][1], "fit"):
        return _scored_by(model.steps[-1][1])
    name = type(model).__name__
    if name.endswith("SearchCV") or name in _SCORED_BY_SCORING:
        scoring, refit = getattr(model, "scoring", None), getattr(model, "refit", None)
        if isinstance(scoring, dict) and isinstance(refit, str):
            scoring = scoring.get(refit, refit)
        elif isinstance(scoring, list | tuple | set) and isinstance(refit, str):
            scoring = refit
        if scoring is not None and scoring != "warn":  # a default that scikit-learn will change
            return (scoring if isinstance(scoring, str) else shown(scoring)), model
    elif name not in _HAND_ON:
        return None, model
    return _scored_by(model.estimator) if hasattr(model, "estimator") else (None, model)
