"""The private parts of scikit-learn that predictions/ uses; no other module of it imports any.

All have been as they are here from 1.6 to 1.9, and the tests run on both ends.
"""

from collections.abc import Callable
from typing import Any

# What a search scores several metrics with; `_fit_and_score` treats it by its class.
from sklearn.metrics._scorer import _MultimetricScorer as MultimetricScorer

# What `make_scorer` makes.
# What `scoring=None` becomes: it calls the estimator's own `score`.
from sklearn.metrics._scorer import _PassthroughScorer, _Scorer

# Rows of whatever `fit` takes: lists, frames, sparse matrices.
from sklearn.utils import _safe_indexing as safe_indexing

# Of frames, lists and array API arrays too, and with scikit-learn's own errors.
from sklearn.utils.validation import _num_samples as num_samples

__all__ = [
    "MultimetricScorer",
    "estimator_passed_through",
    "num_samples",
    "parts_of_scorer",
    "safe_indexing",
]


def parts_of_scorer(scorer: Any) -> tuple[Callable[..., Any], int, dict[str, Any], Any] | None:
    """Return score function, sign, its arguments and the response method; None if it has none.

    What `make_scorer` makes keeps them in these attributes, and TunedThresholdClassifierCV reads
    them too; there is no public way. A scorer of one's own that has all four is read alike, if it
    scores by sign · score_func(y, response, **kwargs).
    """
    # A subclass that scores in a way of its own.
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
    """Return the estimator whose own `score` a search's scorer calls; None of other scorers."""
    return scorer._estimator if isinstance(scorer, _PassthroughScorer) else None
