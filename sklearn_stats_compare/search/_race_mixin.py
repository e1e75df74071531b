"""RacingSearchMixin: what turns a compared search into a race."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils._param_validation import StrOptions

from sklearn_stats_compare.search._extend_mixin import ExtendableSearchMixin
from sklearn_stats_compare.search._race import Race
from sklearn_stats_compare.stats import STRATEGIES

RACING_CONSTRAINTS: dict[str, list[Any]] = {
    "strategy": [StrOptions(set(STRATEGIES))],
    "race_metric": [str, None],
    "random_state": ["random_state"],
}


class RacingSearchMixin(ExtendableSearchMixin):
    """A race: candidates that cannot win any more stop being fitted.

    Stands before one of scikit-learn's searches among the bases.
    """

    strategy: str
    race_metric: str | None
    random_state: Any
    # What fit leaves.
    race_history_: pd.DataFrame
    race_order_: NDArray[np.intp]
    race_labels_: tuple[str, ...]
    race_metric_: str
    n_fits_: int
    n_fits_full_: int

    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Run the race over all sets of parameters, and record the sizes of the splits.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            Training vectors; for a precomputed kernel or distance matrix it is square.
        y : array-like of shape (n_samples, n_output) or (n_samples,), default=None
            Target relative to X; None for unsupervised learning.
        **params : dict of str -> object
            Parameters passed to the ``fit`` method of the estimator, the scorer and the splitter,
            as for scikit-learn's searches.

        Returns
        -------
        self : object
            The fitted search.

        Raises
        ------
        ValueError
            If `cv` makes fewer than 10 splits, `refit` is a callable that is none of this package's
            rules, several metrics are scored and none of them is named to race by, or `ledger` is
            the file of another search or of none, or is damaged.
        RuntimeError
            If another search is using `ledger`.
        """
        return super().fit(X, y, **params)

    def _goes_by_blocks(self) -> bool:
        return True

    def _plan(self, cv: Any) -> Race:
        return Race(self, cv)
