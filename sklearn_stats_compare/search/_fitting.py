"""Fitting: one call of ``fit`` or ``extend``, from what the user gave to what the search leaves."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from sklearn_stats_compare._sklearn_private import count_samples, parameters_around
from sklearn_stats_compare._utils._validation import shown, shown_list
from sklearn_stats_compare.comparison.readers._searches import split_scores
from sklearn_stats_compare.predictions._predicted import tested_by_samples
from sklearn_stats_compare.predictions._responses import (
    Keeping,
    Responses,
    Scoring,
    by_metric,
    check_labels,
    not_recording,
    recording,
)
from sklearn_stats_compare.predictions._scorers import values_suffice
from sklearn_stats_compare.search._record import (
    FitRecord,
    UnfinishedRecord,
    samples_of,
)
from sklearn_stats_compare.search._selection import SelectionRule, Simplest
from sklearn_stats_compare.search.ledger._fingerprint import (
    Fingerprint,
    changed_meanwhile,
    check_same,
    differences,
    identity,
)
from sklearn_stats_compare.search.ledger._storage import absolute
from sklearn_stats_compare.search.runs import _plans
from sklearn_stats_compare.search.runs._batches import BatchedRun
from sklearn_stats_compare.search.runs._run import Run
from sklearn_stats_compare.stats._family import pair_test
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_t import MANY_SPLITS, SampleTTest


class Fitting:
    """A search while it is being fitted.

    Parameters
    ----------
    base_fit : callable
        Takes a search and returns scikit-learn's ``fit`` of it.
    X, y, params : object
        As for ``fit``.
    plan : callable, optional
        Makes the plan of the fit. Default: the search lists its candidates itself.
    extended : FitRecord, optional
        What is extended.
    """

    run: Run | BatchedRun
    _options: _plans.Options
    _given: _plans.FitContext

    def __init__(
        self,
        base_fit: Callable[[Any], Callable[..., Any]],
        X: Any,
        y: Any,
        params: Mapping[str, Any],
        plan: Callable[[_plans.FitContext], _plans.Plan] | None,
        extended: FitRecord | None = None,
    ) -> None:
        self._base_fit = base_fit
        self._X, self._y, self._params = X, y, params
        self._plan = plan
        self._extended = extended
        self._selection: pd.DataFrame | None = None
        self._of_refit = ""
        self._ledger: tuple[str, Path] | None = None
        self.keeps: bool | str = False

    def fit(self, search: Any) -> None:
        """Fit a search; one that cannot be fitted keeps what the fit before it left.

        scikit-learn's hooks find their splitter as `cv` on the search. So that the user's own
        parameters never change, and other threads can clone, print and fit the search meanwhile,
        a copy is fitted, and what it left is handed over all at once. Callbacks (scikit-learn 1.9)
        are promised the very search: with these it is fitted itself.
        """
        whole = dict(vars(search))
        last = whole.get("_record")
        before = () if last is None else last.names
        target = search
        if "_skl_callbacks" not in whole:
            # Not `copy.copy`, which would go through `__getstate__` of scikit-learn or of the user.
            target = object.__new__(type(search))
            vars(target).update(whole)
            _copy_slots(search, target)
        # Else a hook of the user, or `hasattr`, would find the fit before during this one.
        for name in before:
            vars(target).pop(name, None)
        try:
            record = self._fit_in_place(target, whole)
        except BaseException:  # Ctrl-C in a notebook, too
            if target is search:
                vars(search).clear()
                vars(search).update(whole)
            if self._ledger is not None and "_record" not in vars(search):
                # The first fit fixes where a relative path leads, also one that is interrupted.
                vars(search)["_record"] = UnfinishedRecord(self._ledger)
            raise
        # A hook or a scorer of the user may have set attributes on the search meanwhile. They stay:
        # only those of the fit are replaced.
        own = search.get_params(deep=False)
        fitted = {
            name: value
            for name, value in vars(target).items()
            if name not in own and (name not in whole or name in before or whole[name] is not value)
        }
        # What another class sets in `__init__` is not of the fit, also where a fit changes it.
        names = (*(n for n in fitted if n in before or n not in whole), "_record")
        vars(search).update(fitted, _record=replace(record, names=names))
        for name in set(before) - set(names):
            vars(search).pop(name, None)

    def checked(self, evaluate: Callable[..., Any], refit: Any) -> Callable[..., Any]:
        """`evaluate_candidates`, before which a rule in `refit` is checked.

        What a rule refuses after the fits would cost all of them.
        """
        if not isinstance(refit, SelectionRule):
            return evaluate
        if self._given.candidates is not None:
            refit.check(self._given.candidates, self._options.scoring)
            return evaluate

        def check_and_evaluate(candidates: Any, **more: Any) -> Any:
            candidates = list(candidates)
            refit.check(candidates, self._options.scoring)
            return evaluate(candidates, **more)

        return check_and_evaluate

    def choose(self, refit: Any, results: Mapping[str, Any]) -> int | None:
        """Index that a rule of this package chooses; None where scikit-learn is to choose."""
        if not isinstance(refit, SelectionRule):
            return None
        design = self.run.design
        if design is None:
            # A subclass whose `_run_search` has a splitter of its own: no sizes were recorded, and
            # the rule needs its `test_train_ratio`.
            return refit(results)
        # Of a search with several stages, such as halving, among the candidates of the last.
        evaluated = self.run.evaluated
        rows: Sequence[int] = range(len(results["params"]))
        if evaluated.stages:
            rows, results = evaluated.stages[-1].rows, evaluated.stages[-1].of(results)
        metric = refit.chosen_metric(results)
        scores = split_scores(results, metric, design)
        test = pair_test(self._options.settings["test"])
        scoring = self._scoring(self._given.scorers()) if evaluated.ledger.responses else None

        def samples() -> SampleScores:
            return samples_of(evaluated.ledger, scoring, scores, rows, metric)

        as_recommended = False
        if isinstance(refit, Simplest) and refit.within is None:
            as_recommended = True
            if refit.rope is None:
                refit = replace(refit, rope=self._options.settings["rope"])
        if not test.of_splits:
            scores, test = tested_by_samples(scores, samples, test, what="`refit` chooses")
        elif as_recommended and scores.n_splits < MANY_SPLITS:
            with suppress(ValueError):
                SampleTTest().check(scores.design)
                with_values = replace(scores, samples=samples())
                if SampleTTest().is_suited(with_values):
                    scores, test = with_values, SampleTTest()
        chosen, report = refit.choose(results, scores, test)
        report.index = pd.Index([rows[i] for i in report.index], name=report.index.name)
        self._selection = report
        return rows[chosen]

    def note_best(self, best: int, results: Mapping[str, Any]) -> None:
        """Say how long the refit will take, which `max_time` does not include."""
        options, design = self._options, self.run.design
        if self._given.limit.is_set and options.refit and design is not None:
            fit_time = float(results["mean_fit_time"][best])
            self._of_refit = _plans.refit_words(fit_time, design, count_samples(self._X))
            if self._of_refit and options.verbose > 0:
                print(f"[refit] {self._of_refit}", flush=True)

    def _fit_in_place(self, search: Any, before: Mapping[str, Any]) -> FitRecord:
        """Fit a search in place; `before` holds the attributes that it had."""
        refit = search.refit
        if isinstance(refit, type) and issubclass(refit, SelectionRule):
            raise TypeError(
                f"`refit` must be a rule, such as {refit.__name__}{refit.example}; got the class."
            )
        measures = getattr(search.test, "instability", None) == "measured"
        if isinstance(refit, SelectionRule) and measures:
            raise ValueError(
                "`refit` must not be a rule where the test has instability='measured', because the "
                f"probes are fitted after the choice; got {refit}. Fit with `refit` of "
                "scikit-learn, and let the rule choose with comparison_.choose(rule)."
            )
        if self._plan is not None:
            # scikit-learn validates in `fit`, when `cv` is a `PlannedSplits` already, and after the
            # candidates were listed from parameters that may be wrong.
            search._validate_params()
        # An extension has `max_fits`.
        limit = _plans.TimeLimit(search.max_time if self._extended is None else None)
        cv = _plans.read_once(search.cv)
        options = _plans.Options.of(search)
        fingerprint = Fingerprint.of(options, self._X, self._y, self._params)
        self.keeps = options.return_predictions
        if self._extended is not None:  # as the fit before
            before_it = self._extended.evaluated.ledger.responses
            self.keeps = before_it is not None and _how_kept(before_it)
            options = replace(options, return_predictions=self.keeps)
        elif self._plan is None and self.keeps == "auto":  # the candidates are not listed before
            self.keeps = False
            options = replace(options, return_predictions=False)
        given = _plans.FitContext(self._X, self._y, self._params, options, cv, limit=limit)
        if self.keeps:
            # Asked during the fit alone: what scikit-learn refuses of `scoring`, it shall refuse.
            given = replace(given, scorers=lambda: not_recording(search._get_scorers()[0]))
        if self._plan is not None:
            given = self._given_to_plan(search, given, before)
        self._options, self._given = options, given
        changed = self._run(search, given)
        run = self.run
        if isinstance(run, BatchedRun):
            if hasattr(search, "_plan"):
                # A subclass of ours that lists its candidates, as scikit-learn's searches allow.
                run.fitted_attributes["stopped_"] = None
            else:
                run.check(search)
        vars(search).update(run.fitted_attributes)
        if getattr(search, "stopped_", None) is not None:
            search.stopped_ = " ".join(filter(None, (search.stopped_, self._of_refit)))
        if self.keeps:
            search.scorer_ = not_recording(search.scorer_)
        metric = _metric_of(search)
        if isinstance(search.refit, SelectionRule):
            # `BaseSearchCV.fit` leaves this out where `refit` is callable.
            search.best_score_ = search.cv_results_[f"mean_test_{metric}"][search.best_index_]
        del vars(search)["_fitting"]
        belongs = given.identity
        if belongs is not None:  # without the values that fits change
            code = {name: part for name, part in belongs.code.items() if name not in changed}
            belongs = replace(belongs, code=code)
        evaluated = run.evaluated
        kept = evaluated.ledger.responses
        return FitRecord(
            evaluated=evaluated,
            fingerprint=fingerprint,
            identity=belongs,
            ledger=self._ledger,
            options=replace(options, cv=None),
            metric=metric,
            selection=self._selection,
            interim=run.interim,
            cut=run.note,
            searched_by=type(search).__name__,
            scoring=None if kept is None else self._scoring(search.scorer_),
        )

    def recording(self, scorers: Any, *, in_turns: bool) -> Any:
        """The scorers of a search, made to keep what it is to keep."""
        of_values = self.keeps == "values" and values_suffice(
            by_metric(not_recording(scorers)),
            self._options.estimator,
            grouped=bool(self._params),  # which may be groups under any name
        )
        keeping = Keeping(in_turns=in_turns, of_values=of_values, by_default=self.keeps == "auto")
        return recording(scorers, keeping)

    def _scoring(self, scorers: Any) -> Scoring:
        """What the predictions were scored with."""
        options = self._options
        return Scoring.of(self._X, self._y, by_metric(scorers), options.estimator, self.run.groups)

    def _given_to_plan(
        self, search: Any, given: _plans.FitContext, before: Mapping[str, Any]
    ) -> _plans.FitContext:
        """Candidates, what is known of them, and what a ledger must belong to."""
        known = self._extended
        if known is None:
            given = replace(given, candidates=_plans.candidates_of(search))
        else:
            candidates = before["cv_results_"]["params"]
            given = replace(given, candidates=candidates, known=known.evaluated)
        if search.ledger is None:
            return given
        assert given.candidates is not None
        self._check_alone(search.ledger)
        if self.keeps in (True, "values"):
            check_labels(self._y)
        belongs = identity(given.options, self._X, self._y, self._params, given.candidates)
        if known is not None and known.identity is not None:
            # The record leaves out values that the fit changed, so only the others can differ.
            was, code = known.identity, belongs.code
            code = {name: part for name, part in code.items() if name in was.code}
            pairs = (was.data, belongs.data), (was.settings, belongs.settings), (was.code, code)
            check_same("; ".join(filter(None, (differences(*pair) for pair in pairs))))
        # A relative path leads where it led in the last fit, whatever the working directory is now.
        previous: FitRecord | UnfinishedRecord | None = before.get("_record")
        given_as, at = os.fspath(search.ledger), None if previous is None else previous.ledger
        path = at[1] if at is not None and at[0] == given_as else absolute(search.ledger)
        self._ledger = given_as, path
        return replace(given, identity=belongs, path=path)

    def _check_alone(self, ledger: Any) -> None:
        """Refuse a ledger that all candidates of another search would share."""
        outer = parameters_around(lambda part: getattr(part, "ledger", None) == ledger)
        if outer and not any(name.rpartition("__")[2] == "ledger" for name in outer):
            raise ValueError(
                "`ledger` must be None in a search that is a candidate of another search, or one "
                f"of the parameters that the other sets; it sets {shown_list(outer)}. A file "
                f"belongs to one search: {shown(os.fspath(ledger))} would be that of the first "
                "candidate. Give the other search the ledger."
            )

    def _run(self, search: Any, given: _plans.FitContext) -> set[str]:
        """Run scikit-learn's fit; the names of the user's values that fits changed meanwhile."""
        own_cv, own_verbose = search.cv, search.verbose
        changed: set[str] = set()
        vars(search)["_fitting"] = self
        plan = self._plan
        self.run = run = BatchedRun(given) if plan is None else Run(given, plan(given))
        search.cv = run.cv
        try:
            self._base_fit(search)(self._X, self._y, **self._params)
        except BaseException as error:
            run.note_saved(error)
            raise
        finally:
            search.cv, search.verbose = own_cv, own_verbose
            if given.identity is not None:
                changed |= changed_meanwhile(given.options, given.identity.code)
            run.close(changed)
        return changed


def _how_kept(kept: Responses) -> bool | str:
    """The `return_predictions` of a fit that kept these."""
    return "auto" if kept.by_default else "values" if kept.are_values else True


def _metric_of(search: Any) -> str | None:
    """The metric that a fitted search's attributes speak of."""
    refit = search.refit
    if isinstance(refit, SelectionRule):
        return refit.chosen_metric(search.cv_results_)
    # `refit` may be False or a callable, which names no metric.
    if search.multimetric_:
        return refit if isinstance(refit, str) else None
    return "score"


def _copy_slots(search: Any, target: Any) -> None:
    """Copy what a subclass keeps in ``__slots__``, which `vars` does not have."""
    for name in {name for kind in type(search).__mro__ for name in vars(kind).get("__slots__", ())}:
        if name not in ("__dict__", "__weakref__") and hasattr(search, name):
            object.__setattr__(target, name, getattr(search, name))
