"""The private parts of scikit-learn that predictions/ uses; only this module imports them.

They are the same from 1.6 to 1.9; the tests run with both versions.
"""

from collections.abc import Callable
from typing import Any

# The scorer of a search with several metrics; `_fit_and_score` checks for this class.
from sklearn.metrics._scorer import _MultimetricScorer as MultimetricScorer

# `_Scorer` is the class of scorers made by `make_scorer`. `_PassthroughScorer` replaces
# `scoring=None`: it calls the estimator's own `score`.
from sklearn.metrics._scorer import _PassthroughScorer, _Scorer

# Selects rows of lists, frames and sparse matrices alike.
from sklearn.utils import _safe_indexing as safe_indexing

# Also counts samples of frames, lists and array API arrays, with scikit-learn's own errors.
from sklearn.utils.validation import _num_samples as num_samples

__all__ = [
    "MultimetricScorer",
    "estimator_passed_through",
    "num_samples",
    "parts_of_scorer",
    "safe_indexing",
]


def parts_of_scorer(scorer: Any) -> tuple[Callable[..., Any], int, dict[str, Any], Any] | None:
    """Return score function, sign, arguments and response method of a scorer; None if it has none.

    Scorers made by `make_scorer` store them in these private attributes, which
    TunedThresholdClassifierCV reads too. A custom scorer must have all four, and must score by
    sign · score_func(y, response, **kwargs).
    """
    # A subclass that overrides how it scores.
    kind = type(scorer)
    if isinstance(scorer, _Scorer) and (
        kind._score is not _Scorer._score or kind.__call__ is not _Scorer.__call__
    ):
        return None
    function = getattr(scorer, "_score_func", None)
    sign, kwargs = getattr(scorer, "_sign", None), getattr(scorer, "_kwargs", None)
    method = getattr(scorer, "_response_method", None)
    if callable(function) and sign in (-1, 1) and isinstance(kwargs, dict) and method:
        return function, int(sign), kwargs, method
    return None


def estimator_passed_through(scorer: Any) -> Any:
    """Return the estimator whose own `score` a search's scorer calls; None for other scorers."""
    return scorer._estimator if isinstance(scorer, _PassthroughScorer) else None
