"""What a scorer needs from an estimator, and how the values of its samples are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from inspect import Parameter, signature
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, get_scorer, get_scorer_names, r2_score
from sklearn.pipeline import Pipeline

from sklearn_stats_compare._sklearn_private import (
    count_samples,
    estimator_passed_through,
    parts_of_scorer,
    take_rows,
)
from sklearn_stats_compare._utils._validation import shown, without_warnings
from sklearn_stats_compare.predictions import _influence
from sklearn_stats_compare.predictions._sample_losses import shifted


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
        try:
            scorer = get_scorer(scorer)
        except ValueError:
            raise ValueError(
                "`metric` must be one of sklearn.metrics.get_scorer_names(), or a scorer of "
                f"make_scorer; got {shown(scorer)}."
            ) from None
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


def name_of_scorer(scorer: Any) -> str:
    """Name of a scorer in scikit-learn, or of its function, with the options that differ.

    ``make_scorer(f1_score, pos_label="yes")`` is ``"f1(pos_label='yes')"``. Empty if it has none.
    """
    if isinstance(scorer, str):
        return scorer
    if (parts := parts_of_scorer(scorer)) is None:
        return ""
    function, sign, _, method = parts
    options, usual, known = _options_of(parts), method, dict[str, Any]()
    name = f"{'' if sign > 0 else 'neg_'}{getattr(function, '__name__', '<')}"
    if not name.isidentifier() or name in _named_scorers():  # a lambda, or another accuracy
        name = ""
    for other, (of, same_sign, own, of_name) in _named_scorers().items():
        is_same = (of, same_sign) == (function, sign) and own.items() <= options.items()
        if is_same and len(own) >= len(known):
            name, usual, known = other, of_name, own
    if not name:
        return ""
    others = {key: value for key, value in options.items() if key not in known}
    if method != usual and method not in usual:
        others["response_method"] = method
    listed = ", ".join(f"{key}={shown(value)}" for key, value in others.items())
    return f"{name}({listed})" if listed else name


def is_of_scikit_learn(name: str) -> bool:
    """Whether a name is that of a scorer of scikit-learn, perhaps with options."""
    return name.partition("(")[0] in _named_scorers()


@lru_cache
def _named_scorers() -> dict[str, tuple[Any, int, dict[str, Any], Any]]:
    """Function, sign, options and response method of each scorer that has a name."""
    found = {name: parts_of_scorer(get_scorer(name)) for name in get_scorer_names()}
    return {k: (own[0], own[1], _options_of(own), own[3]) for k, own in found.items() if own}


def _options_of(parts: tuple[Callable[..., Any], int, dict[str, Any], Any]) -> dict[str, Any]:
    """The options of a scorer that matter, without those that are the default."""
    given = {k: own.item() if isinstance(own, np.generic) else own for k, own in parts[2].items()}
    options = _non_default_options(parts[0], given)
    is_of_all = "average" in options and _defaults(parts[0])["average"] == "binary"
    if is_of_all or options.get("pos_label") is True:
        options.pop("pos_label", None)
    return options


def values_suffice(scorers: Mapping[str, Any], estimator: Any, *, grouped: bool) -> bool:
    """Whether scorers can compute the values of samples, so that predictions need not be kept.

    A jackknife with groups cannot: it leaves out whole groups, and a scorer does not know them. Of
    precision it matters how many samples were put into a class, which values do not show.
    """
    readings = [read_scorer(scorer, estimator) for scorer in scorers.values()]
    return all(
        reading.metric != "precision_score" and not (grouped and reading.how == "jackknife")
        for reading in readings
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
        options.get("pos_label", _defaults(function).get("pos_label")),
        options,
        function,
    )


def _how(function: Callable[..., Any], name: str, options: Mapping[str, Any]) -> tuple[How, str]:
    # Another function may have the same name.
    package = str(getattr(function, "__module__", "")).split(".")[0]
    if name not in _influence.SAMPLE_METRICS or package not in ("sklearn", "sklearn_stats_compare"):
        return "jackknife", f"the influence of a sample on {name} is not known"
    known = _influence.SAMPLE_METRICS[name].options
    unknown = sorted(set(_non_default_options(function, options)) - known)
    if unknown:
        return "jackknife", f"the influence of a sample on {name} with {unknown[0]} is not known"
    return ("mean" if _influence.SAMPLE_METRICS[name].is_mean else "influence"), ""


def _missing(function: Callable[..., Any], options: Mapping[str, Any]) -> str:
    """The first argument that must come from elsewhere, such as metadata; empty if none must."""
    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    for parameter in _parameters(function)[2:]:
        is_needed = parameter.default is Parameter.empty and parameter.kind in named
        if is_needed and parameter.name not in options:
            return parameter.name
    return ""


How = Literal["mean", "influence", "jackknife", "none"]

_PLAIN = (bool, int, float, str, type(None))


@dataclass(frozen=True, eq=False)
class ScorerReading:
    """What a scorer needs, and how the values of its samples are computed.

    Attributes
    ----------
    how : {"mean", "influence", "jackknife", "none"}
        "mean": the score is the mean of the values. "influence": each value is the score plus the
        sample's influence on it. "jackknife": approximate, from scores that leave out groups of
        samples. "none": there are no values.
    reason : str
        Why there are no values, or why they are approximate; empty otherwise.
    metric : str
        Name of the score function, such as "roc_auc_score".
    sign : int
        1, or −1 if lower values of the score function are better. It is applied to the values.
    response_methods : tuple of str
        Methods that can give the response; the first that the estimator has is used.
    pos_label : object
        The positive class; None for the greater of two classes. With two classes a scorer takes
        this class's column of `predict_proba`, and the `decision_function` oriented towards it.
    options : mapping
        Further arguments of the score function.
    """

    how: How
    reason: str
    metric: str
    sign: int = 1
    response_methods: tuple[str, ...] = ()
    pos_label: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    _score_func: Callable[..., Any] | None = field(default=None, repr=False)

    def response_method(self, estimator: Any) -> str | None:
        """Name of the method that gives this estimator's response; None if it has none of them."""
        return next((name for name in self.response_methods if hasattr(estimator, name)), None)

    def values(
        self,
        y_true: Any,
        response: ArrayLike,
        *,
        score: float | None = None,
        sample_weight: ArrayLike | None = None,
        classes: ArrayLike | None = None,
        units: ArrayLike | None = None,
    ) -> NDArray[np.float64]:
        """Return values of the test samples of a split, higher is better; their mean is the score.

        Parameters
        ----------
        y_true : array-like
            The truth of the test samples, as the scorer got it.
        response : array-like
            The response for them in the form that the score function gets: with two classes the
            column of the positive class.
        score : float, optional
            The split's score. Default: it is computed.
        sample_weight : array-like of shape (n_samples,), optional
            Weights with which the split was scored; only if `how` is "mean".
        classes : array-like, optional
            The estimator's ``classes_``; cost matrices without labels need them.
        units : array-like of shape (n_samples,), optional
            Group of each sample, such as `groups`; a jackknife leaves out whole groups.

        Returns
        -------
        ndarray of float64, shape (n_samples,)
            The values. NaN if the score is NaN.

        Raises
        ------
        ValueError
            If there are no values (see `reason`), if weights are given for a score that is not a
            mean, or if the response does not give the score.
        """
        if self.how == "none":
            raise ValueError(f"There are no values of samples for this scorer: {self.reason}.")
        if sample_weight is not None and self.how != "mean":
            raise ValueError(_influence.refused_weights(self.metric))
        options = self._options(classes)
        if score is None:
            weighted = {} if sample_weight is None else {"sample_weight": sample_weight}
            score = self._score(y_true, response, {**options, **weighted})
        if not np.isfinite(score):
            return np.full(count_samples(y_true), score)
        if self.how != "jackknife":
            assert self._score_func is not None
            known = _non_default_options(self._score_func, options)
            found = self.sign * _influence.sample_values(
                self.metric, y_true, response, sample_weight=sample_weight, **known
            )
            if np.isnan(found).all():
                # Undefined: scikit-learn sets it to a fixed number, which no sample influences.
                return np.full(len(found), score)
            scale = max(abs(score), float(np.abs(found).mean()))
            if _is_near(found.mean(), score, response, scale):
                return shifted(found, score)
            if sample_weight is not None:
                raise ValueError(_refused_response(self.metric, score, found.mean()))
        return self._jackknifed(y_true, response, options, score, units)

    @property
    def is_of_counts(self) -> bool:
        """Whether the score is a ratio of counts, such as F1."""
        known = _influence.SAMPLE_METRICS.get(self.metric)
        return known is not None and known.is_of_counts

    @property
    def is_sum(self) -> bool:
        """Whether the score is a sum over samples, as of `normalize=False`."""
        known = self.metric in _influence.SAMPLE_METRICS
        return known and not self.options.get("normalize", True)

    @property
    def can_score(self) -> bool:
        """Whether the score follows from the truth and the response."""
        return self._score_func is not None and self.how != "none"

    def score(self, y_true: Any, response: ArrayLike, classes: ArrayLike | None = None) -> float:
        """Return the score, higher is better; the arguments are those of `values`."""
        return self._score(y_true, response, self._options(classes))

    def _options(self, classes: ArrayLike | None) -> dict[str, Any]:
        options = dict(self.options)
        if self.metric == "misclassification_cost" and options.get("labels") is None:
            # Without labels `make_cost_scorer` uses the order of the estimator's classes.
            options["labels"] = classes
        return options

    def _score(self, y_true: Any, response: Any, options: dict[str, Any]) -> float:
        assert self._score_func is not None
        with without_warnings():  # the search has warned already; a jackknife would repeat it
            return self.sign * float(self._score_func(y_true, response, **options))

    def _jackknifed(
        self, y_true: Any, response: Any, options: dict[str, Any], score: float, units: Any
    ) -> NDArray[np.float64]:
        again = self._score(y_true, response, options)
        # Scores such as R² are near 0 only after a subtraction of larger numbers.
        scale = max(abs(score), abs(again), 1e-6)
        if not _is_near(again, score, response, scale):
            raise ValueError(_refused_response(self.metric, score, again))

        def at(places: NDArray[np.intp]) -> float:
            try:
                truth, kept = (take_rows(values, places) for values in (y_true, response))
                return self._score(truth, kept, options)
            except ValueError:  # a class without samples
                return np.nan

        return _influence.jackknife_values(at, count_samples(y_true), whole=score, units=units)


def _parameters(function: Callable[..., Any]) -> list[Parameter]:
    # Only scikit-learn's own are remembered, which no user's function or data hang on: each fit
    # reads its scorers.
    if str(getattr(function, "__module__", "")).startswith("sklearn."):
        return _remembered_parameters(function)
    return _parameters_of(function)


def _parameters_of(function: Callable[..., Any]) -> list[Parameter]:
    try:
        return list(signature(function).parameters.values())
    except (TypeError, ValueError):  # of compiled functions
        return []


_remembered_parameters = lru_cache(_parameters_of)


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    return {parameter.name: parameter.default for parameter in _parameters(function)}


def _non_default_options(
    function: Callable[..., Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options without those that equal their default, such as ``max_fpr=None``."""
    defaults = _defaults(function)
    return {
        name: value
        for name, value in options.items()
        # Plain values only: an array would be compared element by element.
        if not (
            isinstance(value, _PLAIN)
            and name in defaults
            and type(defaults[name]) is type(value)
            and defaults[name] == value
        )
    }


def _is_near(found: float, score: float, response: Any, scale: float) -> bool:
    """Whether two ways to compute a score agree to the precision of the response.

    `scale` is the size of the numbers from which it is computed, in whatever unit.
    """
    dtype = getattr(response, "dtype", None)
    # scikit-learn sums single- and half-precision input in its own precision.
    is_float = getattr(dtype, "kind", "") == "f"
    tolerance = np.sqrt(np.finfo(dtype if is_float else np.float64).eps)
    return bool(abs(found - score) <= tolerance * scale)


def _refused_response(metric: str, score: float, found: float) -> str:
    """Message that a response does not give the score."""
    return (
        f"`response` must be the response for which {metric} is {score!r}; got one for which it "
        f"is {float(found)!r}."
    )
