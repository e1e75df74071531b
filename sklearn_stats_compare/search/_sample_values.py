"""What candidates predicted → a value per candidate, repeat and sample, of one metric."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import count
from sklearn_stats_compare.search._scorer_reading import ScorerReading, read_scorer
from sklearn_stats_compare.search._sklearn_private import safe_indexing
from sklearn_stats_compare.search.ledger import CLASSES, VALUES, WEIGHTS, Ledger
from sklearn_stats_compare.stats import SampleScores, SampleTTest, SplitDesign, group_values

_INSTEAD = 'compare(test="corrected_t") needs none'


@dataclass(frozen=True, eq=False)
class Scoring:
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

    def samples(
        self, ledger: Ledger, design: SplitDesign, rows: Sequence[int], metric: str
    ) -> SampleScores:
        """Values of every sample in every repeat, of some candidates.

        Raises
        ------
        ValueError
            If no predictions were kept, the splits are no repeats of folds, the metric has no
            values of samples, or a candidate's predictions do not give its score; the message says
            why, and what to do.
        """
        responses = ledger.responses
        if responses is None:
            raise ValueError(
                '`test` "samples" needs the predictions of the search: set '
                f"`return_predictions=True` before `fit`; {_INSTEAD}."
            )
        SampleTTest().check(design)
        repeat = design.repeat
        n_folds = np.bincount(repeat)
        if np.ptp(n_folds) or n_folds[0] < 2:
            raise ValueError(
                f'`test` "samples" needs repeats with the same number of folds; {_INSTEAD}.'
            )
        reading = read_scorer(self.scorers[metric], self.estimator)
        if reading.how == "none":
            raise ValueError(
                f'`test` "samples" has no values of samples here: {reading.reason}; {_INSTEAD}.'
            )
        y = [safe_indexing(self.y, test) for test in responses.tests]
        units: list[Any] = [None] * len(y)
        if self.groups is not None:
            units = [safe_indexing(self.groups, test) for test in responses.tests]
        known = ledger.scores(rows, range(len(y)), metric)
        # In single precision where that is all there is.
        dtype = np.float32 if responses.are_values else np.float64
        values = np.full((len(rows), len(n_folds), responses.n_samples), np.nan, dtype)
        for k, row in enumerate(rows):
            for split, test in enumerate(responses.tests):
                score = float(known[k, split])
                if not np.isfinite(score):  # a candidate that failed is missing
                    continue
                cell = responses.arrays(row, split)
                found = cell.get(VALUES + metric)
                if found is None:
                    try:
                        found = values_in_split(reading, cell, y[split], score, units[split])
                    except ValueError as error:
                        raise ValueError(
                            f'`test` "samples" has no values of samples for candidate {row}: '
                            f"{error} {_INSTEAD}."
                        ) from None
                values[k, repeat[split], test] = found
        tested = np.unique(
            np.concatenate([responses.tests[j] for j in np.flatnonzero(repeat == 0)])
        )
        return self._of_units(values[:, :, tested], tested, int(n_folds[0]), reading)

    def _of_units(
        self, values: NDArray[Any], tested: NDArray[np.intp], n_folds: int, reading: ScorerReading
    ) -> SampleScores:
        """Values of samples, or of groups where these are what is independent."""
        words = ""
        if self.groups is not None:
            groups = np.asarray(safe_indexing(self.groups, tested))
            # Centred first: a group's sum would else vary with its size, by the score itself.
            means = values.mean(axis=2, keepdims=True, dtype=float)
            sums, names = group_values(values - means, groups)
            values = sums + means
            repeats = f"{values.shape[1]:,} × " if values.shape[1] > 1 else ""
            n_samples = f"{tested.size:,} samples"
            words = f"{repeats}{n_folds} folds, {count(len(names), 'group')} of {n_samples}"
        form = "auc" if reading.metric == "roc_auc_score" else "mean"
        return SampleScores(values, n_folds, form=form, words=words)


def values_in_split(
    reading: ScorerReading, cell: Mapping[str, NDArray[Any]], y: Any, score: float, units: Any
) -> NDArray[np.float64]:
    """Values of one candidate in one split, from what it responded there.

    Raises
    ------
    ValueError
        If no response that the scorer takes was kept, or it does not give the score.
    """
    method = next((name for name in reading.response_methods if name in cell), None)
    if method is None:
        asked = " or ".join(f"`{name}`" for name in reading.response_methods)
        raise ValueError(f"what it returned from {asked} is no array, or the scorer changed `X`.")
    response, classes = cell[method], cell.get(CLASSES)
    if method != "predict" and classes is not None and classes.shape == (2,):
        # Of two classes a scorer takes the values for the positive one alone.
        positive = classes[1] if reading.pos_label is None else reading.pos_label
        first = positive == classes[0]
        if response.ndim == 2:
            response = response[:, 0 if first else 1]
        elif first:
            response = -response
    options = {"score": score, "classes": classes, "units": units}
    weights = cell.get(WEIGHTS)
    if weights is None:
        return reading.values(y, response, **options)
    try:  # of several scorers some may take no weights
        return reading.values(y, response, **options)
    except ValueError:
        return reading.values(y, response, sample_weight=weights, **options)
