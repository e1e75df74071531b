"""AnySearchMixin: statistics for a search whose own code lists and evaluates candidates."""

import inspect
from typing import Any, ClassVar, Self

from sklearn_stats_compare._messages import check_count
from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.search._after_fit import AfterFit
from sklearn_stats_compare.search._compared_again import compared_again
from sklearn_stats_compare.search._mixin import StatisticalSearchMixin
from sklearn_stats_compare.search.runs import BatchedRun, WholeRun

SETTINGS_OF_ANY = {
    "alternative": "greater",
    "p_adjust": "bonferroni",
    "rope": 0.01,
    "alpha": 0.05,
    "return_predictions": False,
    "test": "corrected_t",
}
"""The parameters that any search can have, and their defaults."""

# A ledger and blocks need the list of all candidates before the first fit, which only the search's
# own code knows.
OF_BLOCKS = ("max_time", "ledger", "ledger_block", "ledger_strict", "retry_failed")
"""The parameters that such a search cannot have."""


class AnySearchMixin(StatisticalSearchMixin):
    """Stands before any subclass of BaseSearchCV; its batches of candidates are recorded."""

    _whole: ClassVar[type[WholeRun]] = BatchedRun

    # What `Options` and `Fitting` read of every search; not parameters here.
    max_time: ClassVar[None] = None
    ledger: ClassVar[None] = None
    ledger_block: ClassVar[None] = None
    ledger_strict: ClassVar[bool] = True
    retry_failed: ClassVar[bool] = True

    def fit(self, X: Any, y: Any = None, *args: Any, **params: Any) -> Self:
        """Run fit of the search, and record its splits.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            Training vectors, or a precomputed kernel or distance matrix.
        y : array-like of shape (n_samples, n_output) or (n_samples,), default=None
            Target relative to X; None for unsupervised learning.
        *args, **params : object
            Further arguments of the ``fit`` method of the search.

        Returns
        -------
        self : object
            The fitted search.

        Raises
        ------
        TypeError
            If the search evaluates candidates in another way than through scikit-learn's
            `evaluate_candidates`.
        ValueError
            If it evaluates candidates of one stage on different splits.
        """
        if args:
            # By name, as the record of a fit has them. `bind` raises the TypeError of too many.
            own = inspect.signature(super(StatisticalSearchMixin, self).fit)
            names = list(own.bind(X, y, *args, **params).arguments)[2:]
            params |= dict(zip(names, args, strict=False))
        # Before what is read of them; scikit-learn's own `fit` does it again.
        self._validate_params()
        return self._fit(X, y, params, None)

    @AfterFit
    def compare(
        self, *, metric: str | None = None, stage: int | None = None, **settings: Any
    ) -> Comparison:
        """Compare the candidates with other settings, another metric or at an earlier iteration.

        Parameters
        ----------
        metric : str, optional
            One of the metrics in `scoring`. Default: the refit metric when ``fit`` was called.
        stage : int, optional
            Iteration of a halving search, from 0: its candidates are compared by their scores on
            its splits. Candidates of iteration 0 were not chosen by scores. Default: the last.
        **settings
            Any of `alternative`, `p_adjust`, `rope`, `alpha`, `test` (see `Comparison`), and
            `labels`, one per candidate, or "name=value" for labels such as ``C=1, gamma=0.1``.
            Default: the settings when ``fit`` was called.

        Returns
        -------
        Comparison

        Raises
        ------
        ValueError
            If `metric`, `stage` or the value of a setting is unknown.
        TypeError
            If a setting is unknown.
        """
        record = self._fit_record
        if stage is not None:
            last = len(record.evaluated.stages) - 1
            stage = check_count("stage", stage, least=0, most=last)
            if stage < last:  # that of the last has its predictions
                record = record.at_stage(stage)
        return compared_again(self, record, metric, settings)

    @property
    def extend(self) -> Any:
        """Not available: splits can be added to searches that list their candidates beforehand."""
        raise AttributeError(
            f"{type(self).__name__} has no `extend`, because its own code evaluates candidates. "
            "Compare the candidates of interest with StatisticalGridSearchCV, whose `extend` adds "
            "splits."
        )
