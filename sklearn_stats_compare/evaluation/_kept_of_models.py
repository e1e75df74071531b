"""KeptOfModels: predictions of models during cross-validation."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import check_scoring

from sklearn_stats_compare.evaluation._sklearn_private import count_samples
from sklearn_stats_compare.predictions import (
    Keeping,
    Predicted,
    Responses,
    Scoring,
    by_metric,
    check_memory,
    recording,
    values_suffice,
)
from sklearn_stats_compare.stats import SplitScores


class KeptOfModels:
    """Responses of models to the test samples of splits, or values of these.

    Parameters
    ----------
    models : sequence of estimators
        Not fitted.
    scoring : object
        As for ``cross_validate``.
    X, y, groups : object
        The data.
    splits : sequence of (array, array)
        Training and test samples.
    keeps : True or "values"
        As `return_predictions`.

    Raises
    ------
    ValueError
        If there is not enough memory.
    """

    def __init__(
        self,
        models: Sequence[Any],
        scoring: Any,
        X: Any,
        y: Any,
        groups: Any,
        splits: Sequence[Any],
        keeps: bool | str,
    ) -> None:
        scorers = by_metric(check_scoring(models[0], scoring=scoring))
        tests = [np.asarray(test, dtype=np.intp) for _, test in splits]
        n_tested = sum(test.size for test in tests)
        check_memory(
            scorers, models[0], y, keeps=keeps, n_candidates=len(models), n_tested=n_tested
        )
        self.of_values = keeps == "values" and values_suffice(
            scorers, models[0], grouped=groups is not None
        )
        n_samples = count_samples(X)
        self._responses = Responses(are_values=keeps == "values").widened(tests, n_samples)
        self._scoring = Scoring.of(X, y, scorers, models[0], groups)
        self._n_models = len(models)

    def fill(self, kept: Sequence[Mapping[str, Any]]) -> None:
        """Store the kept responses of every model and split, ordered by model."""
        for k, arrays in enumerate(kept):
            self._responses.enter(*divmod(k, len(self._responses.tests)), arrays)

    def predicted(
        self, metric: str, scores: SplitScores, failed: NDArray[np.bool_]
    ) -> Predicted | None:
        """Predictions scored by one metric; None for a metric that a callable names itself."""
        if metric not in self._scoring.scorers:
            return None
        rows = range(self._n_models)
        # A fit that failed has no predictions, even if `error_score` is a number.
        values = np.where(failed, np.nan, scores.values)
        return Predicted(self._responses, self._scoring, scores.design, rows, metric, values)


def kept_by(estimator: Any, options: Mapping[str, Any], keeping: Keeping) -> dict[str, Any]:
    """Options of ``cross_validate`` with scorers that keep the predictions of a model.

    `n_jobs` is 1, because another process would not return the kept responses.
    """
    scorers = check_scoring(
        estimator, scoring=options["scoring"], raise_exc=options["error_score"] == "raise"
    )
    return {"scoring": recording(scorers, keeping), "n_jobs": 1}
