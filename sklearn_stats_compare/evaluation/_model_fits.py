"""Single fits of cross_validate_models: their scores by metric, or why they failed."""

import warnings
from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import cross_validate

from sklearn_stats_compare._messages import outside_level, real_score, shown, shown_list
from sklearn_stats_compare.evaluation._kept_of_models import kept_by
from sklearn_stats_compare.evaluation._sklearn_private import says_that_all_fits_failed
from sklearn_stats_compare.predictions import CHOICE, Keeping

_PREFIX = "test_"

Outcome = tuple[dict[str, float] | str, dict[str, Any]]
"""Scores by metric or the reason of a failure, and kept arrays."""


# A class of its own, because `compare_learning_curves` catches it and continues at other sizes.
class NothingFitsError(ValueError):
    """Every fit failed; `failures` lists which, how often and why."""

    def __init__(self, failures: str) -> None:
        super().__init__(f"`models` must contain one that can be fitted: {failures}")
        self.failures = failures


def outcome_of(
    estimator: Any,
    X: Any,
    y: Any,
    split: Any,
    options: dict[str, Any],
    of_values: bool | None,
    name: str,
    choice_of: Callable[[Any], Any] | None = None,
) -> Outcome:
    """Scores of one model on one split by metric, or the reason of a failure; kept responses.

    `choice_of` returns an array to keep of the fitted model, or None.
    """
    arrays: dict[str, Any] = {}
    try:
        if of_values is not None:
            keeping = Keeping(of_values=of_values, into=arrays)
            options = {**options, **kept_by(estimator, options, keeping)}
        if choice_of is not None:
            options = {**options, "return_estimator": True}
        found, fitted = _scores(estimator, X, y, split, options)
        choice = None if choice_of is None or fitted is None else choice_of(fitted)
        if choice is not None:
            arrays[CHOICE] = choice
        return found, arrays
    except Exception as error:
        # For example a model without `predict_proba` among several metrics: scikit-learn (1.6 to
        # 1.9) raises whatever `error_score` is.
        error.add_note(f"This was the model {name!r}.")
        raise


def is_finite(scores: dict[str, float]) -> bool:
    """Whether no score of a fit failed."""
    return all(map(isfinite, scores.values()))


def _scores(
    estimator: Any, X: Any, y: Any, split: Any, options: dict[str, Any]
) -> tuple[dict[str, float] | str, Any]:
    """Scores by metric, or the reason of a failure; the fitted model if it is asked for."""
    try:
        # The public function on one split, instead of the private `_fit_and_score` on each.
        result = cross_validate(estimator, X, y, cv=[split], **options)
    except ValueError as error:
        # With one split, a failed fit means that all failed; scikit-learn then raises, not warns.
        if options["error_score"] == "raise" or not says_that_all_fits_failed(error):
            raise
        return _reason(str(error)), None
    scores = {
        key.removeprefix(_PREFIX): value[0]
        for key, value in result.items()
        if key.startswith(_PREFIX)
    }
    try:
        if not scores:
            raise TypeError
        found = {name: real_score(score) for name, score in scores.items()}
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"`scoring` must give real numbers, one or more by name; got {shown(scores)}."
        ) from None
    return found, result.get("estimator", [None])[0]


def _reason(report: str) -> str:
    """Type and first line of the exception that a traceback ends with."""
    # scikit-learn puts `traceback.format_exc()` into its report. The last of chained exceptions is
    # the one raised; lines of its traceback are indented.
    last = report.rpartition("Traceback (most recent call last):")[2].splitlines()
    return next((line for line in last if line and not line.startswith(" ")), report).rstrip(". ")


def metrics_of_outcomes(outcomes: list[Any], error_score: Any) -> list[str]:
    """Names of the metrics; a callable names none for a model that failed.

    Raises ValueError if a callable names different metrics in different calls.
    """
    scored = [outcome for outcome in outcomes if not isinstance(outcome, str)]
    # If a fit fails, scikit-learn cannot know the names of a callable's metrics, and enters
    # `error_score` as "score".
    metrics = max(map(list, scored), key=lambda names: (names != ["score"], len(names)))
    for outcome in scored:
        failed = list(outcome) == ["score"] and _same(outcome["score"], error_score)
        if set(outcome) != set(metrics) and not failed:
            raise ValueError(
                "`scoring` must give the same metrics for every model and split; got "
                f"{shown_list(map(repr, metrics))}, and elsewhere "
                f"{shown_list(map(repr, outcome))}."
            )
    return metrics


def _same(score: float, error_score: Any) -> bool:
    return score == error_score or (np.isnan(score) and error_score != error_score)


def warn_of_failures(
    outcomes: list[Any], names: list[str], error_score: Any, dataset: str = ""
) -> None:
    """Issue one warning that lists the fits that failed; `dataset` is one of several."""
    failed = [isinstance(outcome, str) for outcome in outcomes]
    if not any(failed):
        return
    n_splits = len(outcomes) // len(names)
    lines = []
    for k, name in enumerate(names):
        own = [o for o in outcomes[k * n_splits : (k + 1) * n_splits] if isinstance(o, str)]
        if own:
            # One warning for all fits: `cross_validate` on one split raises instead of warning.
            lines.append(f"{name}: {len(own)} of {n_splits}, the first with {own[0]}")
    where = f" on {shown(dataset)}" if dataset else ""
    failures = f"{sum(failed)} of {len(outcomes)} fits failed{where}. " + "; ".join(lines)
    if all(failed):
        raise NothingFitsError(failures)
    warnings.warn(
        f"{failures}. Their scores are set to {error_score}.",
        FitFailedWarning,
        stacklevel=outside_level(),
    )
