"""read_scorer: what a scorer needs, and how the values of its samples are computed."""

from collections.abc import Callable, Mapping
from functools import partial
from inspect import Parameter, signature
from typing import Any

from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, get_scorer, r2_score
from sklearn.pipeline import Pipeline

from sklearn_stats_compare.predictions._scorer_reading import (
    How,
    ScorerReading,
    defaults_of,
    non_default_options,
)
from sklearn_stats_compare.predictions._sklearn_private import (
    estimator_passed_through,
    parts_of_scorer,
)
from sklearn_stats_compare.stats import SAMPLE_METRICS


def read_scorer(scorer: Any, estimator: Any = None) -> ScorerReading:
    """Read what a scorer needs, and how the values of its samples are computed.

    Parameters
    ----------
    scorer : callable, str or None
        A scorer of `make_scorer`, or one with the same attributes (`make_cost_scorer`); a name for
        `get_scorer`; None for the estimator's own `score`.
    estimator : estimator object, optional
        The estimator that is scored, for its `score`.

    Returns
    -------
    ScorerReading
        Its `how` is "none", with a reason, if there are no values; no error is raised.
    """
    if isinstance(scorer, str):
        scorer = get_scorer(scorer)
    if scorer is None:
        return _own_score(estimator)
    if (passed := estimator_passed_through(scorer)) is not None:
        return _own_score(passed)
    parts = parts_of_scorer(scorer)
    if parts is None:
        return ScorerReading(
            "none",
            "the scorer is a function of the estimator, and may need more than the predictions of "
            "a test set; use make_scorer with a function of the truth and the predictions",
            getattr(scorer, "__name__", type(scorer).__name__),
        )
    function, sign, kwargs, method = parts
    return _reading(function, sign, kwargs, (method,) if isinstance(method, str) else tuple(method))


def values_suffice(scorers: Mapping[str, Any], estimator: Any, *, grouped: bool) -> bool:
    """Whether scorers can compute the values of samples, so that predictions need not be kept.

    A jackknife with groups cannot: it leaves out whole groups, and a scorer does not know them.
    """
    return not grouped or all(
        read_scorer(scorer, estimator).how != "jackknife" for scorer in scorers.values()
    )


def _own_score(estimator: Any) -> ScorerReading:
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    # An overridden method may only call that of the mixin, as KNeighborsClassifier's does. The
    # score of every split is compared with that of the predictions; a different one is refused.
    if isinstance(estimator, ClassifierMixin):
        return _reading(accuracy_score, 1, {}, ("predict",))
    if isinstance(estimator, RegressorMixin):
        return _reading(r2_score, 1, {}, ("predict",))
    name = f"{type(estimator).__name__}.score"
    return ScorerReading(
        "none", f"{name} is a custom method, and may need more than predictions", name
    )


def _reading(
    function: Callable[..., Any], sign: int, kwargs: Mapping[str, Any], methods: tuple[str, ...]
) -> ScorerReading:
    options, inner = dict(kwargs), function
    # Keyword arguments of a `partial` are options like a scorer's own.
    while isinstance(inner, partial) and not inner.args:
        options = {**inner.keywords, **options}
        inner = inner.func
    function = inner
    name = getattr(function, "__name__", type(function).__name__)
    how, reason = _how(function, name, options)
    if missing := _missing(function, options):
        how = "none"
        reason = f"{name} needs `{missing}` in addition to the truth and the predictions"
    return ScorerReading(
        how,
        reason,
        name,
        sign,
        methods,
        options.get("pos_label", defaults_of(function).get("pos_label")),
        options,
        function,
    )


def _how(function: Callable[..., Any], name: str, options: Mapping[str, Any]) -> tuple[How, str]:
    # Another function may have the same name.
    package = str(getattr(function, "__module__", "")).split(".")[0]
    if name not in SAMPLE_METRICS or package not in ("sklearn", "sklearn_stats_compare"):
        return "jackknife", f"the influence of a sample on {name} is not known"
    unknown = sorted(set(non_default_options(function, options)) - SAMPLE_METRICS[name].options)
    if unknown:
        return "jackknife", f"the influence of a sample on {name} with {unknown[0]} is not known"
    return ("mean" if SAMPLE_METRICS[name].is_mean else "influence"), ""


def _missing(function: Callable[..., Any], options: Mapping[str, Any]) -> str:
    """The first argument that must come from elsewhere, such as metadata; empty if none must."""
    try:
        parameters = list(signature(function).parameters.values())
    except (TypeError, ValueError):  # compiled functions
        return ""
    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    for place, parameter in enumerate(parameters):
        is_needed = parameter.default is Parameter.empty and parameter.kind in named
        if is_needed and place > 1 and parameter.name not in options:
            return parameter.name
    return ""
