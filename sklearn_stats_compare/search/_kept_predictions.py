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
    """Out-of-fold predictions of a candidate, as the scorers got them.

    Parameters
    ----------
    i : int or str
        Candidate index (row of ``cv_results_``) or label (as in the tables).
    repeat : int, optional
        Which repeat of the cross-validation, from 0 on. Default: all, where there are several with
        the repeat as the first level of the columns.
    method : {"predict", "predict_proba", "decision_function", "predict_log_proba"}, optional
        Which response. Default: the first of these that a scorer asked for.

    Returns
    -------
    DataFrame of shape (n_samples, n_outputs)
        A row per sample of `X`, with its index if it had one. One column, or of probabilities and
        of decisions between several classes a column per class. <NA> or NaN where a sample was not
        tested on, or the fit failed.

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
    scikit-learn's ``cross_val_predict`` on the same splits. Where splits are no
    repeats of folds, such as those of ``ShuffleSplit``, each split counts as a repeat.

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
            "they were dropped, or the search evaluates candidates on splits of its own."
        )
    if responses.are_values:
        raise AttributeError(
            "There are no predictions: the values alone of their samples were kept. Set "
            "`return_predictions=True` before `fit`."
        )
    candidate = _candidate(i, self.cv_results_["params"])
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


def _candidate(i: int | str, params: Sequence[Mapping[str, Any]]) -> int:
    """Row of ``cv_results_``; all of them have predictions, also those that a race dropped."""
    if isinstance(i, str):
        labels = candidate_labels(params)
        if i not in labels:
            raise ValueError(
                f"`i` must be a candidate's index, from 0 to {len(params) - 1}, or its label, one "
                f"of {shown_list(map(repr, labels))}; got {shown(i)}."
            )
        return labels.index(i)
    return check_count("i", i, least=0, most=len(params) - 1)
