"""Scorers that keep what a fitted estimator responds while it is scored.

The responses travel from the worker to the search with the score itself: scikit-learn's
``_fit_and_score`` returns whatever number a scorer returns, and a float may carry more.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any

import numpy as np

from sklearn_stats_compare.search._sklearn_private import MultimetricScorer, num_samples
from sklearn_stats_compare.search.ledger import CLASSES, RESPONSES, Scored

_SCORED = "_sklearn_stats_compare_scored"


class RecordingScorer:
    """A scorer that keeps the responses of the estimator to the samples that it scores first.

    scikit-learn scores the test samples before the training samples, on the estimator that it
    fitted for this split alone. In all other respects it is the scorer that it was made of.

    Parameters
    ----------
    scorer : callable
        With the arguments (estimator, X, y).
    """

    def __init__(self, scorer: Callable[..., Any]) -> None:
        self._recorded_scorer = scorer

    def __getattr__(self, name: str) -> Any:
        # What metadata routing and scikit-learn's own checks ask of a scorer. Not while it is being
        # unpickled and has nothing yet.
        if name == "_recorded_scorer" or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._recorded_scorer, name)

    def __repr__(self) -> str:
        return repr(self._recorded_scorer)

    def __call__(self, estimator: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Score, and let the first score carry the responses."""
        with _recorded(estimator, X) as responses:
            scores = self._recorded_scorer(estimator, X, *args, **kwargs)
        return _with_responses(scores, responses)


class RecordingMultimetricScorer(MultimetricScorer):
    """The same for several metrics.

    `_score` of scikit-learn 1.6 to 1.9 asks ``isinstance(scorer, _MultimetricScorer)`` before it
    reads the errors of single metrics.
    """

    def __call__(self, estimator: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Score by all metrics, and let the first score carry the responses."""
        with _recorded(estimator, X) as responses:
            scores = super().__call__(estimator, X, *args, **kwargs)
        return _with_responses(scores, responses)


def recording(scorers: Any) -> Any:
    """The scorers of a search, made to keep responses."""
    if isinstance(scorers, MultimetricScorer):
        return RecordingMultimetricScorer(scorers=scorers._scorers, raise_exc=scorers._raise_exc)
    return RecordingScorer(scorers)


def not_recording(scorers: Any) -> Any:
    """The scorers that `recording` was given; of several metrics, a mapping."""
    if isinstance(scorers, MultimetricScorer):
        return scorers._scorers
    return scorers._recorded_scorer if isinstance(scorers, RecordingScorer) else scorers


@contextmanager
def _recorded(estimator: Any, X: Any) -> Iterator[dict[str, Any]]:
    """Keep what the methods of an estimator return for `X`, where it is scored for the first time.

    The methods are shadowed on the estimator itself, which scikit-learn cloned for this one fit, so
    that scorers see an object of the user's own class.
    """
    responses: dict[str, Any] = {}
    own = getattr(estimator, "__dict__", None)
    if own is None or _SCORED in own:
        yield responses
        return
    own[_SCORED] = True
    n_samples, depth = num_samples(X), [0]
    shadowed: list[tuple[dict[str, Any], str]] = []
    for part in _answering(estimator):
        own = vars(part)
        for name in RESPONSES:
            # `available_if` raises AttributeError; what else a property of the user's raises is for
            # the scorer to meet.
            with suppress(Exception):
                method = getattr(part, name)
                if name not in own:
                    own[name] = _noting(method, name, responses, n_samples, depth)
                    shadowed.append((own, name))
    try:
        yield responses
    finally:
        for own, name in shadowed:
            own.pop(name, None)
        with suppress(Exception):
            if responses:  # of which class the columns are; a fold may lack some
                responses[CLASSES] = np.asarray(estimator.classes_)


def _answering(estimator: Any) -> Iterator[Any]:
    """An estimator, and the parts of it that its own ``score`` may ask instead of it.

    ``Pipeline.score`` transforms the samples and calls ``score`` of the last step, and that of a
    search its scorer with ``best_estimator_``.
    """
    while hasattr(estimator, "__dict__"):
        yield estimator
        steps = getattr(estimator, "steps", None)
        estimator = steps[-1][1] if steps else getattr(estimator, "best_estimator_", None)


def _noting(
    method: Callable[..., Any],
    name: str,
    responses: dict[str, Any],
    n_samples: int,
    depth: list[int],
) -> Callable[..., Any]:
    """A method that notes what it returns to a scorer for all test samples.

    It has the name of the other: scorers of scikit-learn look a method up, and then its name.
    """

    @wraps(method)
    def noted(*args: Any, **kwargs: Any) -> Any:
        depth[0] += 1
        try:
            found = method(*args, **kwargs)
        finally:
            depth[0] -= 1
        # `predict` of many estimators calls their own `decision_function`: no scorer asked for it.
        if depth[0] == 0 and name not in responses:
            with suppress(TypeError):
                if num_samples(found) == n_samples:
                    responses[name] = found
        return found

    return noted


def _with_responses(scores: Any, responses: dict[str, Any]) -> Any:
    if not responses:
        return scores
    if isinstance(scores, dict):
        for name, score in scores.items():
            if _is_plain(score):
                return {**scores, name: Scored(score, responses)}
        return scores
    return Scored(scores, responses) if _is_plain(scores) else scores


def _is_plain(score: Any) -> bool:
    """Whether a score is a number that a float holds exactly, as scikit-learn takes it."""
    if hasattr(score, "item"):
        with suppress(ValueError):
            score = score.item()
    return isinstance(score, int | float)
