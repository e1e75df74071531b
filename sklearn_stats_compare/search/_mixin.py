"""StatisticalSearchMixin: what a fitted search can be asked of its candidates."""

from collections.abc import Callable
from numbers import Integral, Real
from os import PathLike
from threading import RLock
from types import MethodType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from sklearn_stats_compare._messages import ALTERNATIVES, check_option
from sklearn_stats_compare.comparison import (
    Comparison,
    candidate_labels,
    metrics_of,
    split_scores,
    survivors,
)
from sklearn_stats_compare.search._fit_mixin import RecordedFitMixin
from sklearn_stats_compare.stats import P_ADJUST, Posterior, SplitDesign, SplitScores

# Threads that ask at once get one comparison, and one warning. It takes milliseconds, so one lock
# serves all searches; a lock of their own could not be pickled. A warning may be shown by code that
# asks the search again, hence reentrant.
_MAKING_A_COMPARISON = RLock()

STATISTICAL_CONSTRAINTS: dict[str, list[Any]] = {
    "alternative": [StrOptions(set(ALTERNATIVES))],
    "p_adjust": [StrOptions({name for name in P_ADJUST if name is not None}), None],
    "rope": [Interval(Real, 0, None, closed="left"), tuple, list, str],
    "alpha": [Interval(Real, 0, 1, closed="neither")],
    "ledger": [str, PathLike, None],
    "ledger_block": [Interval(Integral, 1, None, closed="left"), None],
    "ledger_strict": ["boolean"],
    "retry_failed": ["boolean"],
}


class AfterFit:
    """A method that is not there before `fit`: hasattr is False, a call raises NotFittedError."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        self.__doc__ = method.__doc__
        self.__name__ = method.__name__

    def __get__(self, search: Any, owner: type | None = None) -> Any:
        if search is None:
            return self._method
        check_is_fitted(search, "cv_results_")
        return MethodType(self._method, search)


class StatisticalSearchMixin(RecordedFitMixin):
    """What a search gains: sizes of the very splits used, and comparisons of its candidates.

    Stands before one of scikit-learn's searches among the bases.
    """

    def __dir__(self) -> list[str]:
        # From 1.9 on scikit-learn reads every name in dir() to show a search in a notebook. The
        # tables wait until they are asked for; completers find them on the class.
        waiting = (
            "comparison_",
            "pairwise_frequentist_",
            "pairwise_bayesian_",
            "possibly_best_",
        )
        names = object.__dir__(self)
        return [name for name in names if name not in waiting and hasattr(self, name)]

    @property
    def n_train_(self) -> NDArray[np.int64]:
        """Number of samples that each split trained on, shape (n_splits,)."""
        return self._recorded_design().n_train

    @property
    def n_test_(self) -> NDArray[np.int64]:
        """Number of samples that each split tested on, shape (n_splits,)."""
        return self._recorded_design().n_test

    @property
    def test_train_ratio_(self) -> float:
        """Σ n_test / Σ n_train, which corrects the variance for the overlap of the splits.

        Where splits use only a part of the samples, `SplitDesign.overlap_ratio` of
        ``comparison_.scores.design`` does that instead.
        """
        return self._recorded_design().test_train_ratio

    @property
    def comparison_(self) -> Comparison:
        """The comparison behind the tables, of the refit metric under the fitted settings."""
        return self._comparison(self._own_metric())

    @property
    def pairwise_frequentist_(self) -> pd.DataFrame:
        """Corrected t-tests of all pairs of candidates; see `Comparison.frequentist`."""
        return self._comparison(self._own_metric(".pairwise_frequentist")).pairwise_frequentist

    @property
    def pairwise_bayesian_(self) -> pd.DataFrame:
        """Posterior probabilities of all pairs of candidates; see `Comparison.bayesian`."""
        return self._comparison(self._own_metric(".pairwise_bayesian")).pairwise_bayesian

    @property
    def possibly_best_(self) -> pd.DataFrame:
        """Candidates that may be the best at the fitted alpha; see `Comparison.possibly_best`.

        After a race, those that may be the best of its survivors, with a warning.
        """
        return self._comparison(self._own_metric(".possibly_best()")).possibly_best()

    @property
    def selection_report_(self) -> pd.DataFrame:
        """Every candidate, whether the rule in `refit` kept it, why, and its complexity.

        A row per candidate in rank order, indexed by candidate, with the columns ``label``,
        ``mean``, ``kept``, ``why``, ``complexity``, ``chosen``.
        """
        check_is_fitted(self, "cv_results_")
        if self._selection is None:
            raise AttributeError(
                "There is no selection report: `refit` was no rule such as "
                "SimplestPossiblyBest('C')."
            )
        return self._selection.copy()

    @AfterFit
    def posterior(self, i: int | str, j: int | str) -> Posterior:
        """Posterior of the mean score difference, candidate `i` minus candidate `j`.

        Parameters
        ----------
        i, j : int or str
            Candidate indices (rows of ``cv_results_``) or labels (as in the tables).

        Returns
        -------
        Posterior

        Raises
        ------
        ValueError
            If there is no such candidate; the message lists what there is.
        """
        return self._comparison(self._own_metric(".posterior(i, j)")).posterior(i, j)

    @AfterFit
    def compare(self, *, metric: str | None = None, **settings: Any) -> Comparison:
        """Compare the candidates under other settings, or by another metric; nothing is refitted.

        Parameters
        ----------
        metric : str, optional
            One of the metrics that were scored. Default: the refit metric, as it was when `fit`
            was called.
        **settings
            Any of `alternative`, `p_adjust`, `rope`, `alpha`, `test` (see `Comparison`), and
            `labels`, one per candidate in the order of ``cv_results_``. Default: as they were when
            `fit` was called.

        Returns
        -------
        Comparison

        Raises
        ------
        ValueError
            If `metric` or the value of a setting is unknown.
        TypeError
            If a setting is unknown.
        """
        if metric is None:
            metric = self._own_metric()
        elif self.multimetric_ or metric != self._metric_name:
            metric = check_option("metric", metric, metrics_of(self.cv_results_))
        else:
            metric = "score"
        comparison = self._comparison(metric)
        labels = settings.get("labels")
        if labels is not None and len(labels) == len(self.cv_results_["params"]):
            # In the order of cv_results_; a race compares some of its candidates.
            settings["labels"] = [labels[i] for i in comparison.candidates or ()]
        return comparison.with_settings(**settings) if settings else comparison

    def _recorded_design(self) -> SplitDesign:
        check_is_fitted(self, "cv_results_")
        if self._record is None:
            raise AttributeError(
                "The sizes of the splits were not recorded: this search runs candidates in a "
                "`_run_search` of its own, or its splits are no indices."
            )
        return self._record.design

    def _own_metric(self, then: str = "") -> str:
        """The metric that the attributes speak of.

        Where there is no one metric, the error says which call to use instead: `compare` with a
        metric, and `then` what was asked for.
        """
        self._recorded_design()
        if self._metric is None:
            metrics = metrics_of(self.cv_results_)
            raise AttributeError(
                f"This search scored {len(metrics)} metrics, and `refit` names none of them; use "
                f"`compare(metric={metrics[0]!r}){then}`. The metrics are {', '.join(metrics)}."
            )
        return self._metric

    def _comparison(self, metric: str) -> Comparison:
        with _MAKING_A_COMPARISON:
            known = self._comparisons
            if metric not in known:
                made = self._new_comparison(
                    split_scores(self.cv_results_, metric, self._recorded_design()),
                    metric=self._metric_name if metric == "score" else metric,
                    warn=not known,  # the splits are the same for every metric
                    **self._settings,
                )
                # A new dict, as another thread may be pickling the old one.
                known = self._comparisons = {**known, metric: made}
            return known[metric]

    def _new_comparison(self, scores: SplitScores, **options: Any) -> Comparison:
        """Of the candidates with a score on every split; it says so where others have none."""
        params = self.cv_results_["params"]
        rows, told = survivors(self.cv_results_)
        told["note"] = " ".join(filter(None, (told.get("note"), self._note)))
        labels = None
        if len(rows) < len(params):  # of a candidate, the same name as among all
            named = candidate_labels(params)
            labels = [named[i] for i in rows]
        return Comparison(
            SplitScores(scores.values[rows], scores.design),
            labels,
            params=[params[i] for i in rows],
            **told,
            **options,
        )
