"""StatisticalSearchMixin: what a search gains, and the hooks by which scikit-learn fits it."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from sklearn_stats_compare.comparison import Comparison, check_rope
from sklearn_stats_compare.search._after_fit import AfterFit
from sklearn_stats_compare.search._compared_again import compared_again
from sklearn_stats_compare.search._discovery import (
    TABLES,
    line_below,
    tables_of,
    without_tables,
)
from sklearn_stats_compare.search._extend import extend
from sklearn_stats_compare.search._fitting import Fitting
from sklearn_stats_compare.search._kept_predictions import predictions
from sklearn_stats_compare.search._record import FitRecord
from sklearn_stats_compare.search._saved_state import restored, saved
from sklearn_stats_compare.search._sent_to_workers import FITTING, state_for_workers
from sklearn_stats_compare.search._sklearn_private import BaseSearchCV
from sklearn_stats_compare.search.ledger import Outline
from sklearn_stats_compare.search.runs import (
    EveryCandidate,
    Given,
    Hooks,
    Options,
    Plan,
    Race,
    SplitBySplit,
    WholeRun,
)
from sklearn_stats_compare.stats import Posterior


class StatisticalSearchMixin(BaseSearchCV):
    """What a search gains: recorded splits, a ledger, and comparisons of its candidates.

    Stands before one of scikit-learn's searches among the bases. What scikit-learn calls, and when,
    is in docs/architecture.rst.
    """

    # The plan of a fit by blocks; None for a search that goes by blocks with a ledger only.
    _plan: ClassVar[type[EveryCandidate | Race | SplitBySplit] | None] = None
    # The run of a fit that is not by blocks.
    _whole: ClassVar[type[WholeRun]] = WholeRun
    # The only private names on a search: one during a fit, one after it. Annotations alone: with
    # values here every search would have them before `fit`.
    _fitting: Fitting
    _record: FitRecord

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Run fit with all sets of parameters, and record the sizes of the splits.

        The comparison is not computed here, but when a table is first accessed.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            Training vectors, or a precomputed kernel or distance matrix.
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
            If `ledger` is the file of another search, is not a ledger or is damaged. A race also
            raises it if `cv` makes fewer than 10 splits; if `refit` is a callable that is not a
            rule of this package; or if there are several metrics and neither `race_metric` nor
            `refit` names one.
        RuntimeError
            If another search is using `ledger`.
        OSError
            If `ledger` cannot be opened or written to.
        TimeoutError
            If `max_time` was over before the first block of fits, without a `ledger`.
        """
        plan = type(self)._plan
        # Between blocks a progress line can move; scikit-learn's own fit is one block. Not where a
        # subclass lists candidates in a `_run_search` of its own, nor where scikit-learn has a
        # line for every fit.
        own = type(self)._run_search is not StatisticalSearchMixin._run_search
        if plan is None and self.max_time is not None:
            plan = SplitBySplit
        elif plan is None and (self.ledger is not None or (self.verbose == 1 and not own)):
            plan = EveryCandidate
        return self._fit(X, y, params, plan)

    extend = AfterFit(extend)
    predictions = AfterFit(predictions)

    def __dir__(self) -> list[str]:
        # `BaseEstimator.__dir__` of scikit-learn 1.9 asks hasattr() of each name, which would
        # compute the tables; whether they can be asked for is known without.
        names = [
            name for name in object.__dir__(self) if name not in TABLES and hasattr(self, name)
        ]
        return [*names, *tables_of(self)]

    def _get_fitted_attr_html(self, doc_link: str = "") -> Any:
        # scikit-learn 1.9 reads every name in dir() for its diagram.
        with without_tables(self):
            return super()._get_fitted_attr_html(doc_link)

    def _repr_html_inner(self) -> str:
        return f"{super()._repr_html_inner()}{line_below(self)}"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in shown:  # not where scikit-learn is set to show text
            shown["text/html"] += line_below(self)
        return shown

    @property
    def n_train_(self) -> NDArray[np.int64]:
        """Number of samples that each split trained on, shape (n_splits,)."""
        return self._fit_record.design.n_train

    @property
    def n_test_(self) -> NDArray[np.int64]:
        """Number of samples that each split tested on, shape (n_splits,)."""
        return self._fit_record.design.n_test

    @property
    def test_train_ratio_(self) -> float:
        """Σ n_test / Σ n_train, which corrects the variance for the overlap of the splits.

        Where splits use only a part of the samples, `SplitDesign.overlap_ratio` of
        ``comparison_.scores.design`` does that instead.
        """
        return self._fit_record.design.test_train_ratio

    @AfterFit
    def drop_predictions(self) -> Self:
        """Delete the kept predictions, for example before the search is pickled."""
        # A new record: of copies of the search, which share the old one, they stay.
        self._record = self._fit_record.without_predictions()
        return self

    @property
    def comparison_(self) -> Comparison:
        """The comparison of the candidates by the refit metric, with the settings of ``fit``."""
        return self._own_comparison()

    @property
    def pairwise_frequentist_(self) -> pd.DataFrame:
        """Corrected t-tests of all pairs of candidates; see `Comparison.frequentist`."""
        return self._own_comparison(".pairwise_frequentist").pairwise_frequentist

    @property
    def pairwise_bayesian_(self) -> pd.DataFrame:
        """Posterior probabilities of all pairs of candidates; see `Comparison.bayesian`."""
        return self._own_comparison(".pairwise_bayesian").pairwise_bayesian

    @property
    def possibly_best_(self) -> pd.DataFrame:
        """Candidates that may be the best at level `alpha`; see `Comparison.possibly_best`.

        After a race, these are the candidates that may be the best of the survivors, and a warning
        says so.
        """
        return self._own_comparison(".possibly_best()").possibly_best()

    @property
    def selection_report_(self) -> pd.DataFrame:
        """Every candidate, whether the rule in `refit` kept it, why, and its complexity.

        One row per candidate in rank order, indexed by candidate. The columns are ``label``,
        ``mean``, ``kept``, ``why``, ``complexity`` and ``chosen``.
        """
        selection = self._fit_record.selection
        if selection is None:
            raise AttributeError(
                "There is no selection report: `refit` was not a rule such as "
                "SimplestPossiblyBest('C')."
            )
        return selection.copy()  # the record must not change with the user's frame

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
            If there is no such candidate; the message lists the candidates.
        """
        return self._own_comparison(".posterior(i, j)").posterior(i, j)

    @AfterFit
    def compare(self, *, metric: str | None = None, **settings: Any) -> Comparison:
        """Compare the candidates with other settings or by another metric, without refitting.

        Parameters
        ----------
        metric : str, optional
            One of the metrics in `scoring`. Default: the refit metric when ``fit`` was called.
        **settings
            Any of `alternative`, `p_adjust`, `rope`, `alpha`, `test` (see `Comparison`), and
            `labels`, one per candidate in the order of ``cv_results_``, or "name=value" for labels
            such as ``C=1, gamma=0.1``. Default: the settings when ``fit`` was called.

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
        return compared_again(self, self._fit_record, metric, settings)

    @property
    def _fit_record(self) -> FitRecord:
        check_is_fitted(self, "cv_results_")  # else an AttributeError about `_record`
        return self._record

    def _own_comparison(self, then: str = "") -> Comparison:
        """The comparison behind the attributes; error messages name the attribute in `then`."""
        record = self._fit_record
        return record.comparison(self.cv_results_, record.own_metric(self.cv_results_, then))

    def _fit(
        self,
        X: Any,
        y: Any,
        params: Mapping[str, Any],
        plan: Callable[[Given], Plan] | None,
        extended: FitRecord | None = None,
        marks: tuple[Options, Outline] | None = None,
    ) -> Self:
        def base_fit(search: Any) -> Callable[..., Any]:
            return super().fit  # of the copy that is fitted

        Fitting(base_fit, X, y, params, plan, extended, marks, type(self)._whole).fit(self)
        return self

    # The hooks of scikit-learn's BaseSearchCV, private but with one signature from 1.6 to 1.9.

    def _validate_params(self) -> None:
        super()._validate_params()
        check_rope(self.rope)

    def _get_scorers(self) -> tuple[Any, Any]:
        scorers, refit_metric = super()._get_scorers()
        fitting: Fitting | None = vars(self).get(FITTING)
        if fitting is not None and fitting.keeps:
            scorers = fitting.recording(scorers, in_turns=self.return_train_score)
        return scorers, refit_metric

    def _run_search(
        self, evaluate_candidates: Callable[..., Any], *, callback_ctx: Any = None
    ) -> None:
        # scikit-learn 1.9 looks for `callback_ctx` in this signature; 1.6 passes no context.
        evaluate = self._fitting.checked(evaluate_candidates, self.refit)
        self._fitting.run.search(evaluate, callback_ctx, self._hooks())

    def _format_results(
        self, candidate_params: Any, n_splits: int, out: Any, more_results: Any = None
    ) -> Any:
        return self._fitting.run.format_results(
            self._hooks(), candidate_params, n_splits, out, more_results
        )

    def _select_best_index(self, refit: Any, refit_metric: Any, results: Any) -> Any:
        # scikit-learn's is a static method, called on the instance, so that this one has `self`.
        chosen = self._fitting.choose(refit, results)
        if chosen is None:
            chosen = super()._select_best_index(refit, refit_metric, results)
        self._fitting.note_best(chosen, results)
        return chosen

    def _hooks(self) -> Hooks:
        return Hooks(self, super()._run_search, super()._format_results)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        if FITTING in state:
            return state_for_workers(self, state)
        # A subclass with __slots__ has a tuple.
        return saved(state) if isinstance(state, dict) else state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(restored(state) if isinstance(state, dict) else state)
