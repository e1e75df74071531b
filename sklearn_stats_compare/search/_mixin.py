"""StatisticalSearchMixin: what turns one of scikit-learn's searches into a compared one."""

from collections.abc import Callable
from functools import partial
from numbers import Real
from threading import RLock
from types import MethodType
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.comparison._results import metrics_of, split_scores
from sklearn_stats_compare.comparison._rope import check_rope
from sklearn_stats_compare.search._ledger import Ledger
from sklearn_stats_compare.search._selection import SelectionRule
from sklearn_stats_compare.search._splitters import SplitRecorder, read_once
from sklearn_stats_compare.stats import Posterior, SplitDesign, SplitScores
from sklearn_stats_compare.stats._checks import ALTERNATIVES, check_option
from sklearn_stats_compare.stats._multiplicity import P_ADJUST

_SETTINGS = ("alternative", "p_adjust", "rope", "alpha")
# Threads that ask at once get one comparison, and one warning. It takes milliseconds, so one lock
# serves all searches; a lock of their own could not be pickled. A warning may be shown by code that
# asks the search again, hence reentrant.
_MAKING_A_COMPARISON = RLock()

STATISTICAL_CONSTRAINTS: dict[str, list[Any]] = {
    "alternative": [StrOptions(set(ALTERNATIVES))],
    "p_adjust": [StrOptions({name for name in P_ADJUST if name is not None}), None],
    "rope": [Interval(Real, 0, None, closed="left"), tuple, list, str],
    "alpha": [Interval(Real, 0, 1, closed="neither")],
}


class _AfterFit:
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


class StatisticalSearchMixin:
    """What a search gains: sizes of the very splits used, and comparisons of its candidates.

    Stands before one of scikit-learn's searches among the bases.
    """

    alternative: str
    p_adjust: str | None
    rope: float | tuple[float, float] | str
    alpha: float
    # What fit leaves.
    cv_results_: dict[str, Any]
    multimetric_: bool
    best_index_: int
    best_score_: float
    _selection: pd.DataFrame | None
    _design: SplitDesign | None
    _settings: dict[str, Any]
    _metric: str | None
    _metric_name: str
    _comparisons: dict[str, Comparison]

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Run fit with all sets of parameters, and record the sizes of the splits.

        Nothing statistical is computed until a table is asked for.

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
        """
        cv = self.cv  # type: ignore[has-type]
        self.cv = self._cv_for_fit(cv)
        try:
            super().fit(X, y, **params)  # type: ignore[misc]
        finally:
            self.cv = cv
            design = self.__dict__.pop("_recorded", None)
            selection = self.__dict__.pop("_selected", None)
        # All at once and last: a fit that fails leaves the one before it whole.
        self._design, self._selection = design, selection
        self._settings = {name: getattr(self, name) for name in _SETTINGS}
        if isinstance(self.rope, list):
            self._settings["rope"] = tuple(self.rope)
        self._remember_metric()
        self._comparisons = {}
        return self

    def _cv_for_fit(self, cv: Any) -> Any:
        """What stands in for `cv` during the fit."""
        return read_once(cv)

    def _format_results(
        self, candidate_params: Any, n_splits: int, out: Any, more_results: Any = None
    ) -> Any:
        ledger = Ledger(len(candidate_params), n_splits)
        ledger.fill(range(ledger.n_candidates), range(n_splits), out)
        return super()._format_results(  # type: ignore[misc]
            candidate_params, n_splits, ledger.rows(), more_results
        )

    def _validate_params(self) -> None:
        super()._validate_params()  # type: ignore[misc]
        check_rope(self.rope)

    def _run_search(
        self, evaluate_candidates: Callable[..., Any], *, callback_ctx: Any = None
    ) -> None:
        recorder = SplitRecorder(self.cv, classifier=is_classifier(self.estimator))  # type: ignore[attr-defined]
        # scikit-learn passes the context from 1.9 on, and before that takes none.
        context = {} if callback_ctx is None else {"callback_ctx": callback_ctx}
        super()._run_search(partial(evaluate_candidates, cv=recorder), **context)  # type: ignore[misc]
        # Not kept on self during the search: scikit-learn sends self to the workers.
        self._recorded = recorder.design

    def _select_best_index(self, refit: Any, refit_metric: Any, results: Any) -> Any:
        if not isinstance(refit, SelectionRule):
            return super()._select_best_index(refit, refit_metric, results)  # type: ignore[misc]
        design = self.__dict__.get("_recorded")
        if design is None:  # a search of its own records nothing: the rule must be told
            return refit(results)
        chosen, self._selected = refit.choose(results, refit.chosen_metric(results), design)
        return chosen

    def _remember_metric(self) -> None:
        """Which metric the attributes speak of, and its name, whatever is set afterwards."""
        refit: Any = self.refit  # type: ignore[attr-defined]
        scoring: Any = self.scoring  # type: ignore[attr-defined]
        if isinstance(refit, SelectionRule):
            self._metric = refit.chosen_metric(self.cv_results_)
            # scikit-learn leaves this out where refit is callable.
            self.best_score_ = self.cv_results_[f"mean_test_{self._metric}"][self.best_index_]
        elif self.multimetric_:
            self._metric = refit if isinstance(refit, str) else None
        else:
            self._metric = "score"
        self._metric_name = scoring if isinstance(scoring, str) else "score"

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
        """Σ n_test / Σ n_train, which corrects the variance for the overlap of the splits."""
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
        """Candidates that may be the best at the fitted alpha; see `Comparison.possibly_best`."""
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

    @_AfterFit
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

    @_AfterFit
    def compare(self, *, metric: str | None = None, **settings: Any) -> Comparison:
        """Compare the candidates under other settings, or by another metric; nothing is refitted.

        Parameters
        ----------
        metric : str, optional
            One of the metrics that were scored. Default: the refit metric, as it was when `fit`
            was called.
        **settings
            Any of `alternative`, `p_adjust`, `rope`, `alpha`, and `labels`, one per candidate in
            the order of ``cv_results_``. Default: as they were when `fit` was called.

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
        if self._design is None:
            raise AttributeError(
                "The sizes of the splits were not recorded: this search runs candidates in a "
                "`_run_search` of its own, or its splits are no indices."
            )
        return self._design

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
        return Comparison(scores, params=self.cv_results_["params"], **options)
