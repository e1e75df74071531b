"""predictions: what a candidate of a fitted search predicted for samples that it was tested on."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_count, shown, shown_list
from sklearn_stats_compare.comparison import candidate_labels
from sklearn_stats_compare.search._record import FitRecord


def predictions(
    self: Any, i: int | str, *, repeat: int | None = None, method: str | None = None
) -> pd.DataFrame:
    """Out-of-fold predictions of a candidate, as the scorers received them.

    Parameters
    ----------
    i : int or str
        Candidate index (row of ``cv_results_``) or label (as in the tables).
    repeat : int, optional
        Repeat of the cross-validation, starting at 0. Default: all; if there are several, the
        repeat is the first level of the columns.
    method : {"predict", "predict_proba", "decision_function", "predict_log_proba"}, optional
        Response to return. Default: the first of these that a scorer used.

    Returns
    -------
    DataFrame of shape (n_samples, n_outputs)
        One row per sample of `X`, with the index of `X` if it has one. Probabilities, and decision
        values for several classes, have one column per class; other responses have one column.
        Values are <NA> or NaN if a sample is in no test set, or if the fit failed.

    Raises
    ------
    AttributeError
        If the search was not fitted with ``return_predictions=True``, or its predictions were
        dropped.
    ValueError
        If there is no such candidate, repeat or response, or no response was kept.

    Notes
    -----
    Each sample is predicted by a model that was fitted without it: the values are those of
    scikit-learn's ``cross_val_predict`` on the same splits. If the splits are
    not repeats of folds, such as those of ``ShuffleSplit``, each split counts as a repeat.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import StatisticalGridSearchCV
    >>> X, y = load_iris(return_X_y=True)
    >>> search = StatisticalGridSearchCV(SVC(), {"C": [0.01, 1]}, cv=5, return_predictions=True)
    >>> out_of_fold = search.fit(X, y).predictions(1)
    >>> out_of_fold.shape
    (150, 1)
    >>> print((out_of_fold["predict"] == y).mean().round(3), search.best_score_.round(3))
    0.967 0.967
    """
    record: FitRecord = self._record
    responses = record.evaluated.ledger.responses
    if responses is None:
        raise AttributeError(
            "There are no predictions: `return_predictions` was False when the search was fitted, "
            "they were dropped, or a subclass evaluates candidates on its own splits."
        )
    if responses.are_values:
        raise AttributeError(
            "There are no predictions: only the value of each metric for each sample was kept. "
            "Set `return_predictions=True` before `fit`."
        )
    candidate = _candidate(i, self.cv_results_["params"], record)
    repeats = record.design.repeat
    if (repeats < 0).any():
        repeats = np.arange(repeats.size)
    n_repeats = int(repeats.max()) + 1
    if repeat is not None:
        chosen = [check_count("repeat", repeat, least=0, most=n_repeats - 1)]
    else:
        chosen = list(range(n_repeats))
    frames = {
        k: responses.frame(candidate, np.flatnonzero(repeats == k).tolist(), method) for k in chosen
    }
    if len(chosen) == 1:
        frame = frames[chosen[0]]
    else:
        frame = pd.concat(frames, axis=1, names=["repeat", "output"])
    index = None if record.scoring is None else record.scoring.index
    return frame if index is None else frame.set_axis(index)


def _candidate(i: int | str, params: Sequence[Mapping[str, Any]], record: FitRecord) -> int:
    """Row of ``cv_results_``; all of them have predictions, also those that a race dropped.

    Of a halving search, only those of the last iteration have predictions.
    """
    stages = record.evaluated.stages
    rows: Sequence[int] = stages[-1].rows if stages else range(len(params))
    if isinstance(i, str):
        labels = candidate_labels([params[row] for row in rows])
        if i not in labels:
            raise ValueError(
                f"`i` must be a candidate's index, from 0 to {len(params) - 1}, or its label, one "
                f"of {shown_list(map(repr, labels))}; got {shown(i)}."
            )
        return rows[labels.index(i)]
    candidate = check_count("i", i, least=0, most=len(params) - 1)
    if candidate not in rows:
        raise ValueError(
            "`i` must be a candidate of the last iteration, because the predictions of the others "
            f"are not kept: from {min(rows)} to {max(rows)}; got {candidate}."
        )
    return candidate
