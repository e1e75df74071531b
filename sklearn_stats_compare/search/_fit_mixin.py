"""RecordedFitMixin: a fit that records its splits, and can be saved, resumed and extended."""

import os
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.model_selection import ParameterGrid, ParameterSampler, RandomizedSearchCV

from sklearn_stats_compare._messages import count, outside_level
from sklearn_stats_compare.comparison import Comparison, check_rope
from sklearn_stats_compare.search._block_run import BlockRun
from sklearn_stats_compare.search._entries import absolute
from sklearn_stats_compare.search._identity import (
    Identity,
    changed_meanwhile,
    differences,
    identity,
    without,
)
from sklearn_stats_compare.search._ledger import Ledger
from sklearn_stats_compare.search._losses import Losses, is_loss
from sklearn_stats_compare.search._outline import Outline
from sklearn_stats_compare.search._plan import EveryCandidate, FitRecord, Given, Plan
from sklearn_stats_compare.search._selection import SelectionRule
from sklearn_stats_compare.search._split_recorder import SplitRecorder, read_once

SETTINGS = ("alternative", "p_adjust", "rope", "alpha")
# What a fit leaves beside fitted attributes.
_PRIVATE = (
    "_record", "_selection", "_settings", "_metric", "_metric_name", "_note", "_comparisons",
    "_looking", "_checked_cv_orig",
)  # fmt: skip


class RecordedFitMixin:
    """What fitting leaves beside scikit-learn's attributes, and how it goes by blocks.

    Stands before one of scikit-learn's searches among the bases.
    """

    alternative: str
    p_adjust: str | None
    rope: float | tuple[float, float] | str
    alpha: float
    ledger: str | os.PathLike[str] | None
    ledger_block: int | None
    ledger_strict: bool
    retry_failed: bool
    # What fit leaves.
    cv_results_: dict[str, Any]
    multimetric_: bool
    best_index_: int
    best_score_: float
    n_splits_: int
    n_reused_: int
    n_retried_: int
    _record: FitRecord | None
    _selection: pd.DataFrame | None
    _settings: dict[str, Any]
    _metric: str | None
    _metric_name: str
    _note: str
    _comparisons: dict[str, Comparison]
    _fitted: tuple[str, ...]
    _ledger_path: Any = None
    _ledger_given: str

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

        Raises
        ------
        ValueError
            If `ledger` is the file of another search or of none, or is damaged.
        RuntimeError
            If another search is using `ledger`.
        OSError
            If `ledger` cannot be opened or written to.
        """
        return self._fit(X, y, params, type(self)._plan)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()  # type: ignore[assignment]
        # Where a relative path leads is a matter of this machine.
        state = {name: v for name, v in state.items() if not name.startswith("_ledger_")}
        if "_running" not in state:
            return state
        # During a fit: scikit-learn sends the search with every task, from 1.9 on. Workers need
        # neither the fit before this one, whose tables may be large, nor the splits.
        unwanted = {"_running", "cv", *self._left_so_far()}
        return {name: value for name, value in state.items() if name not in unwanted} | {"cv": None}

    def _left_so_far(self) -> list[str]:
        """Names of what a fit leaves, while it runs."""
        own = self.get_params(deep=False)  # type: ignore[attr-defined]
        names = [name for name in vars(self) if name.endswith("_") or name in _PRIVATE]
        return [name for name in names if name not in own]

    def _goes_by_blocks(self) -> bool:
        """Whether a fit is more than one call that evaluates everything."""
        return self.ledger is not None

    def _plan(self, cv: Any) -> Plan:
        """What a fit by blocks evaluates; `self` is the copy that is being fitted."""
        return EveryCandidate(cv)

    def _candidates(self) -> list[dict[str, Any]]:
        """All candidates, in scikit-learn's order."""
        search: Any = self
        if isinstance(search, RandomizedSearchCV):
            return list(
                ParameterSampler(
                    search.param_distributions, search.n_iter, random_state=search.random_state
                )
            )
        return list(ParameterGrid(search.param_grid))

    def _fit(
        self,
        X: Any,
        y: Any,
        params: dict[str, Any],
        plan_of: Callable[[Any, Any], Plan],
        known: FitRecord | None = None,
        candidates: list[dict[str, Any]] | None = None,
    ) -> Self:
        if isinstance(self.ledger, str | os.PathLike) and str(self.ledger) != vars(self).get(
            "_ledger_given"
        ):
            # Once: the working directory may change between a fit and its extension.
            self._ledger_path, self._ledger_given = absolute(self.ledger), str(self.ledger)
        # scikit-learn's hooks find their splitter on the search. The parameters of the user's own
        # never change during a fit, so that other threads can clone, print and fit it meanwhile.
        # Callbacks (scikit-learn 1.9) are promised the very search: with these it is fitted itself.
        if "_skl_callbacks" in vars(self):
            whole = dict(vars(self))
            try:
                self._forget_fit()
                own_names = set(vars(self))
                self._fit_in_place(X, y, params, plan_of, known, candidates)
                self._fitted = tuple(set(vars(self)) - own_names)
            except BaseException:
                vars(self).clear()
                vars(self).update(whole)
                raise
            return self
        work = self._unfitted_copy()
        before = dict(vars(work))
        work._fit_in_place(X, y, params, plan_of, known, candidates)
        # All at once and last: a fit that fails leaves the one before it whole. What hooks, scorers
        # and callables of the user set on the search itself stays.
        own = self.get_params(deep=False)  # type: ignore[attr-defined]
        fitted = {
            name: value
            for name, value in vars(work).items()
            if name not in own and (name not in before or before[name] is not value)
        }
        stale = set(vars(self).get("_fitted", ())) - set(fitted)
        vars(self).update(fitted, _fitted=tuple(fitted))
        for name in stale:
            vars(self).pop(name, None)
        return self

    def _unfitted_copy(self) -> Self:
        """A shallow copy, without what the last fit left."""
        copied = object.__new__(type(self))
        vars(copied).update(vars(self))
        copied._forget_fit()
        return copied

    def _forget_fit(self) -> None:
        for name in vars(self).pop("_fitted", ()):
            vars(self).pop(name, None)

    def _fit_in_place(
        self,
        X: Any,
        y: Any,
        params: dict[str, Any],
        plan_of: Callable[[Any, Any], Plan],
        known: FitRecord | None,
        candidates: list[dict[str, Any]] | None,
    ) -> None:
        """Fit a search that nobody else uses meanwhile."""
        by_blocks = known is not None or self._goes_by_blocks()
        if by_blocks:
            self._validate_params()  # while `cv` is the user's own
        outline = Outline.of(self, X, y, params)
        belongs: Identity | None = None
        if self.ledger is not None:
            candidates = candidates or self._candidates()
            belongs = identity(self, X, y, params, candidates)
            if known is not None and known.identity is not None:
                self._check_same(known.identity, belongs)
        own_cv = self.cv  # type: ignore[has-type]
        cv = read_once(own_cv)
        given = Given(X, y, params, outline, self._ledger_path, belongs, known, candidates)
        losses = Losses()
        lost: BaseException | None = None
        state: set[str] = set()
        while True:
            run = BlockRun(self, plan_of(self, cv), given, losses) if by_blocks else None
            self._running = run
            self.cv = run.splitter if run is not None else cv
            try:
                super().fit(X, y, **params)  # type: ignore[misc]
                break
            except BaseException as error:
                if run is None:
                    raise
                # Begun anew rather than gone on with: joblib may yet hand in what it had sent out
                # before.
                if is_loss(error) and losses.go_on(self, run, error):
                    given, lost = replace(given, candidates=run.candidates), error
                    continue
                run.tell_saved(error)
                if lost is not None and error is not lost:
                    raise error from lost
                raise
            finally:
                self.cv = own_cv
                if run is not None:
                    if belongs is not None:
                        state |= changed_meanwhile(self, belongs.code)
                        run.note_state(state)
                    run.close()
        left = {
            name: self.__dict__.pop(name, None)
            for name in ("_running", "_recorded", "_recorder", "_selected", "_outcomes")
        }
        record, recorder = left["_recorded"], left["_recorder"]
        if recorder is not None:
            record = recorder.record(left["_outcomes"], outline)
        if record is not None and belongs is not None:
            record = replace(record, identity=without(belongs, state))
        self._record, self._selection = record, left["_selected"]
        self._settings = {name: getattr(self, name) for name in SETTINGS}
        if isinstance(self.rope, list):
            self._settings["rope"] = tuple(self.rope)
        self._note = ""
        self._remember_metric()
        self._comparisons = {}
        if run is not None:
            vars(self).update(run.left)

    def _check_same(self, known: Identity, belongs: Identity) -> None:
        # Values that the fit itself changed are not among those that are known.
        code = {name: part for name, part in belongs.code.items() if name in known.code}
        pairs = (
            (known.data, belongs.data), (known.settings, belongs.settings), (known.code, code),
        )  # fmt: skip
        differing = "; ".join(filter(None, (differences(*pair) for pair in pairs)))
        if differing:
            raise ValueError(
                f"`extend` must be given what `fit` was given; it differs in {differing}."
            )

    def _validate_params(self) -> None:
        super()._validate_params()  # type: ignore[misc]
        check_rope(self.rope)

    def _run_search(
        self, evaluate_candidates: Callable[..., Any], *, callback_ctx: Any = None
    ) -> None:
        run = self._running
        if run is not None:
            self._recorded = run.search(evaluate_candidates, callback_ctx)
            run.results.update(self._rendered(run, self._recorded.ledger))
            return
        recorder = SplitRecorder(self.cv, classifier=is_classifier(self.estimator))  # type: ignore[attr-defined]
        # scikit-learn passes the context from 1.9 on, and before that takes none.
        context = {} if callback_ctx is None else {"callback_ctx": callback_ctx}
        super()._run_search(partial(evaluate_candidates, cv=recorder), **context)  # type: ignore[misc]
        # Not kept on self during the search: scikit-learn sends self to the workers.
        self._recorder = recorder

    def _format_results(
        self, candidate_params: Any, n_splits: int, out: Any, more_results: Any = None
    ) -> Any:
        if self._running is not None:
            return self._running.collect(out)
        self._outcomes = Ledger(len(candidate_params), n_splits)
        self._outcomes.fill(range(len(candidate_params)), range(n_splits), out)
        return super()._format_results(  # type: ignore[misc]
            candidate_params, n_splits, out, more_results
        )

    def _rendered(self, run: BlockRun, ledger: Ledger) -> dict[str, Any]:
        """``cv_results_`` of a whole ledger."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="One or more of the .* scores are non-finite")
            results: dict[str, Any] = super()._format_results(  # type: ignore[misc]
                run.candidates, ledger.n_splits, ledger.rows(), run.more
            )
        # Cells that were not run are no news; scores that were, are.
        ran = ledger.ran
        for part in ("test", "train"):
            bad = np.zeros(ledger.n_candidates, dtype=bool)
            for key, scores in results.items():
                if key.startswith("split") and f"_{part}_" in key:
                    split = int(key.removeprefix("split").partition("_")[0])
                    bad |= ran[:, split] & ~np.isfinite(scores)
            if bad.any():
                named = ", ".join(map(str, np.flatnonzero(bad)[:20]))
                rest = ", …" if bad.sum() > 20 else ""
                warnings.warn(
                    f"One or more of the {part} scores are non-finite, those of "
                    f"{count(int(bad.sum()), 'candidate')}: {named}{rest}",
                    UserWarning,
                    stacklevel=outside_level(),
                )
        return results

    def _select_best_index(self, refit: Any, refit_metric: Any, results: Any) -> Any:
        if not isinstance(refit, SelectionRule):
            return super()._select_best_index(refit, refit_metric, results)  # type: ignore[misc]
        recorded = self.__dict__.get("_recorded") or self.__dict__.get("_recorder")
        if recorded is None or recorded.design is None:
            return refit(results)  # a search of its own records nothing: the rule must be told
        metric = refit.chosen_metric(results)
        chosen, self._selected = refit.choose(results, metric, recorded.design)
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
