"""Kept predictions of a search → a value per candidate, repeat and sample, of one metric."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import count
from sklearn_stats_compare.search._scorer_reading import ScorerReading, read_scorer
from sklearn_stats_compare.search._sklearn_private import safe_indexing
from sklearn_stats_compare.search.ledger import CLASSES
from sklearn_stats_compare.search.runs import Evaluated
from sklearn_stats_compare.stats import SampleScores, group_values

_HOW = 'keep predictions with `return_predictions=True`, or compare with test="corrected_t"'


@dataclass(frozen=True, eq=False)
class Scored:
    """What the predictions of a fit were scored with.

    Attributes
    ----------
    y : array-like
        The truth.
    scorers : mapping of str to callable
        By metric.
    estimator : estimator
        Of the search, not fitted.
    groups : array-like or None
        Samples that belong together.
    """

    y: Any
    scorers: Mapping[str, Any]
    estimator: Any
    groups: Any


def sample_scores(
    evaluated: Evaluated, scored: Scored, rows: Sequence[int], metric: str
) -> SampleScores:
    """Values of every sample in every repeat, of some candidates.

    Raises
    ------
    ValueError
        If no predictions were kept, the splits are no repeats of folds, or the metric has no
        values of samples; the message says why, and what to do.
    """
    design, responses = evaluated.design, evaluated.ledger.responses
    assert design is not None
    if responses is None:
        raise ValueError(f'`test` "samples" needs the predictions of the search: {_HOW}.')
    repeat = design.repeat
    n_folds = np.bincount(repeat) if (repeat >= 0).all() else np.array([0])
    if np.ptp(n_folds) or n_folds[0] < 2:
        raise ValueError(
            '`test` "samples" needs splits that test every sample once in each repeat, with as '
            f"many folds; {_HOW}."
        )
    reading = read_scorer(scored.scorers[metric], scored.estimator)
    if reading.how == "none":
        raise ValueError(f'`test` "samples" has no values of samples here: {reading.reason}.')
    n_repeats = len(n_folds)
    values = np.full((len(rows), n_repeats, responses.n_samples), np.nan)
    y = [safe_indexing(scored.y, test) for test in responses.tests]
    groups_of = None
    if scored.groups is not None:
        groups_of = [safe_indexing(scored.groups, test) for test in responses.tests]
    for k, row in enumerate(rows):
        for split, test in enumerate(responses.tests):
            score = float(evaluated.ledger.scores([row], [split], metric)[0, 0])
            cell = responses.cells.get((row, split), {})
            units = None if groups_of is None else groups_of[split]
            values[k, repeat[split], test] = _values(reading, cell, y[split], score, units)
    tested = np.unique(np.concatenate([responses.tests[j] for j in np.flatnonzero(repeat == 0)]))
    values = values[:, :, tested]
    n_samples, words = values.shape[2], ""
    if scored.groups is not None:
        groups = np.asarray(safe_indexing(scored.groups, tested))
        # Centred first: a group's sum would else vary with its size, by the score itself.
        means = values.mean(axis=2, keepdims=True)
        sums, names = group_values(values - means, groups)
        values = sums + means
        words = f"{n_folds[0]} folds, {count(len(names), 'group')} of {n_samples:,} samples"
    form = "auc" if reading.metric == "roc_auc_score" else "mean"
    return SampleScores(values, int(n_folds[0]), form=form, words=words)


def _values(
    reading: ScorerReading, cell: Mapping[str, Any], y: Any, score: float, units: Any
) -> NDArray[np.float64] | float:
    """Values of one candidate on one split; NaN where it failed."""
    method = next((name for name in reading.response_methods if name in cell), None)
    if method is None or not np.isfinite(score):
        return float("nan")
    response = cell[method].whole()
    classes = cell[CLASSES].whole() if CLASSES in cell else None
    if method != "predict" and classes is not None and classes.shape == (2,):
        # Of two classes a scorer takes the values for the positive one alone.
        positive = classes[1] if reading.pos_label is None else reading.pos_label
        first = positive == classes[0]
        if response.ndim == 2:
            response = response[:, 0 if first else 1]
        elif first:
            response = -response
    return reading.values(y, response, score=score, classes=classes, units=units)
