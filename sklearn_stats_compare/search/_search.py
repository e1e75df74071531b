"""The public searches, their mixin, and `Fitting`: one call of ``fit`` or ``extend``."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from inspect import signature
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, check_cv
from sklearn.utils.validation import check_is_fitted

from sklearn_stats_compare._sklearn_private import (
    BaseSearchCV,
    Interval,
    StrOptions,
    count_samples,
    parameters_around,
    validate_parameter_constraints,
)
from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._planning import Calls
from sklearn_stats_compare.comparison._recommend import Recommendation, recommend
from sklearn_stats_compare.comparison._saving import INDEPENDENT
from sklearn_stats_compare.comparison._tables import resolve_rope
from sklearn_stats_compare.comparison.readers._searches import metrics_of, split_scores
from sklearn_stats_compare.predictions import _responses
from sklearn_stats_compare.predictions._predicted import (
    Independent,
    independent_units,
    tested_by_samples,
)
from sklearn_stats_compare.predictions._scorers import values_suffice
from sklearn_stats_compare.search._docstrings import with_shared_docstring
from sklearn_stats_compare.search._extend import extend, given_params, probe_after_fit
from sklearn_stats_compare.search._record import (
    TABLES,
    FitRecord,
    UnfinishedRecord,
    candidate_row,
    compared_again,
    line_below,
    predicted_of,
    restored,
    samples_of,
    saved,
    state_for_workers,
    tables_of,
)
from sklearn_stats_compare.search._selection import SelectionRule, Simplest
from sklearn_stats_compare.search.ledger import _fingerprint
from sklearn_stats_compare.search.ledger._read import Ledger
from sklearn_stats_compare.search.ledger._storage import absolute
from sklearn_stats_compare.search.runs import _plans
from sklearn_stats_compare.search.runs._batches import BatchedRun
from sklearn_stats_compare.search.runs._extension import draws_at_random
from sklearn_stats_compare.search.runs._race import Race
from sklearn_stats_compare.search.runs._run import Run
from sklearn_stats_compare.stats._corrected_t import Posterior
from sklearn_stats_compare.stats._family import PAIR_TESTS, PairTestName, pair_test
from sklearn_stats_compare.stats._multitest import P_ADJUST, PAdjust
from sklearn_stats_compare.stats._numeric import LARGEST
from sklearn_stats_compare.stats._pair_tests import PairTest
from sklearn_stats_compare.stats._race import ELIMINATE, STRATEGIES
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_t import MANY_SPLITS, SampleTTest
from sklearn_stats_compare.stats._scores import SplitScores


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
        scoring = self._given.scoring(self._given.scorers(), self.run.groups)
        results = {**results, INDEPENDENT: self._independent(scoring, evaluated)}
        scores = split_scores(results, metric, design)
        test = pair_test(self._options.settings["test"])

        def samples() -> SampleScores:
            predicted = predicted_of(evaluated.ledger, scoring, scores, rows, metric)
            return samples_of(predicted, design)

        as_recommended = False
        if isinstance(refit, Simplest) and refit.within is None:
            as_recommended = True
            if refit.rope is None:
                refit = replace(refit, rope=self._options.settings["rope"])
        if self.run.interim is not None and hasattr(refit, "alpha"):
            # The scores decided the number of splits: one look has a part of the level.
            of_one_look = self.run.interim.settings["alpha"] / self.run.interim.alpha
            refit = replace(refit, alpha=refit.alpha * of_one_look)
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
        fingerprint = _fingerprint.Fingerprint.of(options, self._X, self._y, self._params)
        self.keeps = options.return_predictions
        if self._extended is not None:  # as the fit before
            kept = self._extended.evaluated.ledger.responses
            self.keeps = kept is not None and _how_kept(kept)
            options = replace(options, return_predictions=self.keeps)
        elif self._plan is None and self.keeps == "auto":  # the candidates are not listed before
            self.keeps = False
            options = replace(options, return_predictions=False)
        given = _plans.FitContext(self._X, self._y, self._params, options, cv, limit=limit)
        if self.keeps or search.ledger is not None:
            # Asked during the fit alone: what scikit-learn refuses of `scoring`, it shall refuse.
            given = replace(
                given, scorers=lambda: _responses.not_recording(search._get_scorers()[0])
            )
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
            search.scorer_ = _responses.not_recording(search.scorer_)
        metric = _metric_of(search)
        if isinstance(search.refit, SelectionRule):
            # `BaseSearchCV.fit` leaves this out where `refit` is callable.
            search.best_score_ = search.cv_results_[f"mean_test_{metric}"][search.best_index_]
        del vars(search)["_fitting"]
        belongs = given.identity
        if belongs is not None:  # without the values that fits change
            code = {name: part for name, part in belongs.code.items() if name not in changed}
            belongs = replace(belongs, code=code)
        evaluated, scoring = run.evaluated, self._given.scoring(search.scorer_, self.run.groups)
        metrics = evaluated.ledger.metrics()
        stages = [
            replace(
                stage,
                tested=None,
                independent=independent_units(scoring, stage.design, metrics, stage.tested),
            )
            for stage in evaluated.stages
            if stage.tested is not None
        ]
        evaluated = replace(evaluated, stages=tuple(stages))
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
            scoring=None if evaluated.ledger.responses is None else scoring,
            independent=self._independent(scoring, evaluated),
            weighted=bool(scoring.weights),
            extend=self._call_of_extend(options.cv),
        )

    def _call_of_extend(self, cv: Any) -> str:
        """As `FitRecord.extend`."""
        classifier = is_classifier(self._options.estimator)
        if not draws_at_random(check_cv(cv, self._y, classifier=classifier)):
            return ""
        given = [f"{name}={name}, " for name, own in self._params.items() if own is not None]
        return "".join([Calls.extend, *given]) if given else Calls.extend

    def recording(self, scorers: Any, *, in_turns: bool) -> Any:
        """The scorers of a search, made to keep what it is to keep."""
        of_values = self.keeps == "values" and values_suffice(
            _responses.by_metric(_responses.not_recording(scorers)),
            self._options.estimator,
            grouped=bool(self._params),  # which may be groups under any name
        )
        keeping = _responses.Keeping(
            in_turns=in_turns, of_values=of_values, by_default=self.keeps == "auto"
        )
        return _responses.recording(scorers, keeping)

    def _independent(self, scoring: _responses.Scoring, evaluated: _plans.Evaluated) -> Independent:
        """`independent_units` of this fit, and of what it extends."""
        if evaluated.design is None:
            return {}
        rows, metrics = self.run.tested, evaluated.ledger.metrics()
        rows = np.arange(count_samples(self._X)) if rows is None else rows
        found = dict(independent_units(scoring, evaluated.design, metrics, rows))
        for metric in found:
            ledger = evaluated.ledger
            candidates = range(ledger.n_candidates)
            values = ledger.scores(candidates, range(ledger.n_splits), metric)
            scores = SplitScores(values, evaluated.design)
            predicted = predicted_of(ledger, scoring, scores, candidates, metric)
            if predicted is not None:  # how many were predicted counts for precision
                found[metric] = predicted.independent
        if self._extended is None:
            return found
        # An extension tests what it tests, and what was tested before.
        before = self._extended.independent or {}
        return {
            metric: {
                name: max(n, before[metric][name])
                for name, n in own.items()
                if name in before.get(metric, {})
            }
            for metric, own in found.items()
        }

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
            _responses.check_labels(self._y)
        belongs = _fingerprint.identity(
            given.options, self._X, self._y, self._params, given.candidates
        )
        if known is not None and known.identity is not None:
            # The record leaves out values that the fit changed, so only the others can differ.
            was, code = known.identity, belongs.code
            code = {name: part for name, part in code.items() if name in was.code}
            pairs = (was.data, belongs.data), (was.settings, belongs.settings), (was.code, code)
            differing = (_fingerprint.differences(*pair) for pair in pairs)
            _fingerprint.check_same("; ".join(filter(None, differing)))
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
                f"of the parameters that the other sets; it sets {checks.shown_list(outer)}. A "
                f"file belongs to one search: {checks.shown(os.fspath(ledger))} would be that of "
                "the first candidate. Give the other search the ledger."
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
                changed |= _fingerprint.changed_meanwhile(given.options, given.identity.code)
            run.close(changed)
        return changed


def _how_kept(kept: _responses.Responses) -> bool | str:
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


class StatisticalSearchMixin(BaseSearchCV):
    """What any search gains: recorded splits, and comparisons of its candidates.

    Stands before a search among the bases of a class: ``class MySearch(StatisticalSearchMixin,
    BayesSearchCV): pass``. The class has the parameters, results and attributes of that search.
    After ``fit`` it also has the tables, sets, rules and displays of `StatisticalGridSearchCV`. The
    search may list its candidates in advance or choose them by their scores, in one batch or many.

    Attributes
    ----------
    alternative, p_adjust, rope, alpha, test, return_predictions
        Settings, as in `StatisticalGridSearchCV`. They belong to the class: a class with
        ``alpha = 0.01`` in its body has another level. A setting that its ``__init__`` takes and
        stores is a parameter.
    comparison_ : Comparison
        The comparison of the candidates by the refit metric.
    pairwise_frequentist_, pairwise_bayesian_, possibly_best_ : DataFrame
        Its tables.
    n_train_, n_test_ : ndarray of int, shape (n_splits,)
        Number of samples that each split trained and tested on.
    test_train_ratio_ : float
        Σ n_test / Σ n_train.

    Raises
    ------
    TypeError
        When a class is made, if the mixin does not stand before the search, or if a parameter of
        the search has the name of a setting. By ``fit``, if the search evaluates candidates in
        another way than through the ``evaluate_candidates`` of scikit-learn's ``BaseSearchCV``.
    ValueError
        By ``fit``, if candidates that are compared have other splits, as with a shuffled splitter
        without `random_state`.

    Notes
    -----
    In a halving search each iteration is compared separately: ``comparison_`` contains the
    candidates of the last one, and ``compare(stage=0)`` those of the first. The candidates of the
    last were chosen by their scores on a part of the same data, and a search that evaluates a
    second batch may have chosen it by the scores of the first. The error rates of p-values,
    intervals and verdicts are then not known; a warning or a note of the comparison says so. With
    `return_predictions`, a halving search keeps the predictions of the last iteration only.

    `max_time`, `ledger` and ``extend`` need a list of all candidates before the first fit; a class
    that is made with this mixin has none of them. A rule such as ``Simplest("C")`` as
    `refit` works if the search takes a callable; ``BayesSearchCV`` does not, and
    ``comparison_.choose(rule)`` works after its ``fit``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection._search import BaseSearchCV
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import StatisticalSearchMixin
    >>> class Climb(BaseSearchCV):
    ...     def __init__(self, estimator, *, cv=None):
    ...         super().__init__(estimator, cv=cv)
    ...
    ...     def _run_search(self, evaluate_candidates):
    ...         C, results = 0.01, evaluate_candidates([{"C": 0.01}])
    ...         while results["mean_test_score"].argmax() == len(results["params"]) - 1:
    ...             C *= 10
    ...             results = evaluate_candidates([{"C": C}])
    >>> class StatisticalClimb(StatisticalSearchMixin, Climb):
    ...     rope = 0.02
    >>> search = StatisticalClimb(SVC(), cv=10).fit(*load_iris(return_X_y=True))
    >>> search.comparison_.against()[["model_1", "model_2", "mean_diff", "verdict"]].round(3)
      model_1 model_2  mean_diff    verdict
    0    10.0     1.0      0.007  undecided
    1    10.0   100.0      0.007  undecided
    2    10.0     0.1      0.047  undecided
    3    10.0    0.01      0.053  undecided

    The search stopped at ``C=100`` because ``C=10`` had a higher mean score, and the test does not
    confirm this difference.
    """

    alternative: checks.Alternative = "greater"
    p_adjust: PAdjust | None = "bonferroni"
    rope: float | tuple[float, float] | str = 0.01
    alpha: float = 0.05
    return_predictions: bool | Literal["auto", "values"] = False
    test: PairTestName | PairTest = "corrected_t"
    # What `Options` and `Fitting` read of every search. These need the list of all candidates
    # before the first fit, which only the search's own code knows.
    max_time: float | None = None
    ledger: str | PathLike[str] | Ledger | None = None

    # The only private names on a search: one during a fit, one after it. Annotations alone: with
    # values here every search would have them before `fit`.
    _fitting: Fitting
    _record: FitRecord

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = [kind for kind in cls.__mro__ if issubclass(kind, StatisticalSearchMixin)]
        others = [kind for kind in cls.__mro__ if kind not in own]
        if list(cls.__mro__[: len(own)]) != own:
            raise TypeError(
                "`StatisticalSearchMixin` must stand before the search among the bases of "
                f"{cls.__name__}; got {', '.join(kind.__name__ for kind in cls.__bases__)}."
            )
        taken = STATISTICAL_CONSTRAINTS.keys() & signature(others[0]).parameters.keys()
        if taken:
            raise TypeError(
                "A search must have no parameter with the name of a setting, "
                f"{', '.join(STATISTICAL_CONSTRAINTS)}; {others[0].__name__} has "
                f"{', '.join(sorted(taken))}."
            )

    def fit(self, X: Any, y: Any = None, *args: Any, **params: Any) -> Self:
        """Run fit of the search, and record its splits.

        The comparison is not computed here, but when a table is first accessed.

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
        """
        if args:
            # By name, as the record of a fit has them. `bind` raises the TypeError of too many.
            names = list(signature(super().fit).bind(X, y, *args, **params).arguments)[2:]
            params |= dict(zip(names, args, strict=False))
        # Before what is read of them; scikit-learn's own `fit` does it again.
        self._validate_params()
        return self._fit(X, y, params, None)

    def __dir__(self) -> list[str]:
        # `BaseEstimator.__dir__` of scikit-learn 1.9 asks hasattr() of each name, which would
        # compute the tables; whether they can be asked for is known without.
        names = [
            name for name in object.__dir__(self) if name not in TABLES and hasattr(self, name)
        ]
        return [*names, *tables_of(self)]

    def _get_fitted_attr_html(self, doc_link: str = "") -> Any:
        # scikit-learn 1.9 reads every name in dir() for its diagram: of a search without a metric,
        # which has no tables.
        record = vars(self).get("_record")
        if record is None:
            return super()._get_fitted_attr_html(doc_link)
        drawn = object.__new__(type(self))
        drawn.__dict__ |= vars(self) | {"_record": replace(record, metric=None)}
        return super(StatisticalSearchMixin, drawn)._get_fitted_attr_html(doc_link)

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
        return self._own_comparison(".frequentist()").frequentist()

    @property
    def pairwise_bayesian_(self) -> pd.DataFrame:
        """Posterior probabilities of all pairs of candidates; see `Comparison.bayesian`."""
        return self._own_comparison(".bayesian()").bayesian()

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
                "There is no selection report: `refit` was not a rule such as Simplest('C')."
            )
        return selection.copy()  # the record must not change with the user's frame

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

    def compare(
        self, *, metric: str | None = None, stage: int | None = None, **settings: Any
    ) -> Comparison:
        """Compare the candidates with other settings or by another metric, without refitting.

        Parameters
        ----------
        metric : str, optional
            One of the metrics in `scoring`. Default: the refit metric when ``fit`` was called.
        stage : int, optional
            Iteration of a halving search, from 0: its candidates are compared by their scores on
            its splits. Candidates of iteration 0 were not chosen by scores. Default: the last.
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
            If `metric`, `stage` or the value of a setting is unknown.
        TypeError
            If a setting is unknown.
        """
        record = self._fit_record
        if stage is not None:
            last = len(record.evaluated.stages) - 1
            if last < 0:
                raise checks.wrong(
                    "stage", "be None, because only a halving search has iterations", stage
                )
            stage = checks.check_count("stage", stage, least=0, most=last)
            if stage < last:  # that of the last has its predictions
                record = record.at_stage(stage)
        return compared_again(self, record, metric, settings)

    def recommend(self, by: Any = None, *, within: Any = None) -> Recommendation:
        """Which candidate to deploy, and what it and the cheaper ones may cost at most.

        Parameters
        ----------
        by : str, sequence of str, mapping or callable, optional
            Which candidate is simpler or cheaper, as for `Simplest`. Default: parameters whose
            order is known, such as ``C``, if candidates differ in no others; else the time to fit
            and to score.
        within : {"possibly_best", "rope", "1se"}, float or str, optional
            Which candidates are good enough, as for `Simplest`. Default: the ROPE.

        Returns
        -------
        Recommendation
            As of `Comparison.recommend`, which this calls. It also says if `predict` uses another
            candidate.

        Raises
        ------
        ValueError
            As `Comparison.recommend`.
        """
        refitted = self.best_index_ if hasattr(self, "best_estimator_") else None
        return recommend(self._own_comparison(".recommend()"), by, within, refitted)

    def score(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Score of the refitted candidate on new data, by the metric of `refit`.

        Parameters
        ----------
        X, y : array-like
            New data.
        **params
            As for `score` of the search in scikit-learn.

        Returns
        -------
        float
            By the only metric, or that which `refit` names or, as a rule, chooses by.

        Raises
        ------
        ValueError
            If the search scored several metrics, and `refit` is a callable that names none.
        """
        if not (callable(self.refit) and getattr(self, "multimetric_", False)):
            return super().score(X, y, **params)
        metric = _metric_of(self)
        if metric is None:
            raise ValueError(
                "`refit` must be a metric, or a rule with a `metric`, for `score` by one of "
                f"{checks.shown_list(metrics_of(self.cv_results_))}; got "
                f"{checks.shown(self.refit)}. Call search.scorer_[metric](search.best_estimator_, "
                "X, y)."
            )
        named: Any = object.__new__(type(self))
        vars(named).update(vars(self), refit=metric)
        return super(StatisticalSearchMixin, named).score(X, y, **params)

    def predictions(
        self, i: int | str, *, repeat: int | None = None, method: str | None = None
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
            One row per sample of `X`, with the index of `X` if it has one. Probabilities, and
            decision values for several classes, have one column per class; other responses have
            one column. Values are <NA> or NaN if a sample is in no test set, or if the fit failed.

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
        record = self._fit_record
        responses = record.evaluated.ledger.responses
        if responses is None:
            raise AttributeError(
                "There are no predictions, or they were dropped: fit with return_predictions=True. "
                'By default a search keeps none that test="samples" cannot use, as of splits that '
                "are no folds."
            )
        if responses.are_values:
            raise AttributeError(
                "There are no predictions: only the value of each metric for each sample was kept. "
                "Set `return_predictions=True` before `fit`."
            )
        candidate = candidate_row(i, self.cv_results_["params"], record)
        repeats = record.design.repeat
        if (repeats < 0).any():
            repeats = np.arange(repeats.size)
        last = int(repeats.max())
        chosen = list(range(last + 1))
        if repeat is not None:
            chosen = [checks.check_count("repeat", repeat, least=0, most=last)]
        frames = {
            k: responses.frame(candidate, np.flatnonzero(repeats == k).tolist(), method)
            for k in chosen
        }
        if len(chosen) == 1:
            frame = frames[chosen[0]]
        else:
            frame = pd.concat(frames, axis=1, names=["repeat", "output"])
        index = None if record.scoring is None else record.scoring.index
        return frame if index is None else frame.set_axis(index)

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
        plan: Callable[[_plans.FitContext], _plans.Plan] | None,
        extended: FitRecord | None = None,
    ) -> Self:
        def base_fit(search: Any) -> Callable[..., Any]:
            return super().fit  # of the copy that is fitted

        Fitting(base_fit, X, y, given_params(params), plan, extended).fit(self)
        return self

    # The hooks of scikit-learn's BaseSearchCV, private but with one signature from 1.6 to 1.9.

    def _validate_params(self) -> None:
        settings = {name: getattr(self, name) for name in STATISTICAL_CONSTRAINTS}
        try:
            super()._validate_params()
            validate_parameter_constraints(STATISTICAL_CONSTRAINTS, settings, type(self).__name__)
        except ValueError as error:
            # scikit-learn lists the options in any order, and a class by its private module.
            listed = str(error).replace(PairTest.__module__, "sklearn_stats_compare.stats")
            near = (checks.meant(getattr(self, name, None), own) for name, own in OPTIONS.items()
                    if f"'{name}' parameter" in listed)  # fmt: skip
            raise type(error)(listed + next(near, "")) from None
        # A share of the leader's mean is known to comparisons alone.
        share = isinstance(self.rope, str)
        resolve_rope(self.rope, 1.0) if share else checks.check_interval("rope", self.rope)

    def _get_scorers(self) -> tuple[Any, Any]:
        scorers, refit_metric = super()._get_scorers()
        fitting: Fitting | None = vars(self).get("_fitting")
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

    def _hooks(self) -> _plans.Hooks:
        return _plans.Hooks(self, super()._run_search, super()._format_results)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        if "_fitting" in state:
            return state_for_workers(self, state)
        # A subclass with __slots__ has a tuple.
        return saved(state) if isinstance(state, dict) else state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(restored(state) if isinstance(state, dict) else state)


# Checked by scikit-learn when `fit` is called, in its own words; `resolve_rope` looks into a tuple.
STATISTICAL_CONSTRAINTS: dict[str, list[Any]] = {
    "alternative": [StrOptions(set(checks.ALTERNATIVES))],
    "p_adjust": [StrOptions({name for name in P_ADJUST if name is not None}), None],
    "rope": [Interval(Real, 0, None, closed="left"), tuple, list, str],
    "alpha": [Interval(Real, 0, 1, closed="neither")],
    "max_time": [Interval(Real, 0, 1e9, closed="right"), None],
    "ledger": [str, PathLike, None],  # a `Ledger` is a PathLike
    "return_predictions": ["boolean", StrOptions({"auto", "values"})],
    "test": [StrOptions(set(PAIR_TESTS)), PairTest],
}


class _ListedSearchMixin(StatisticalSearchMixin):
    """A search whose candidates are listed before its first fit."""

    # The plan of a fit without `max_time`.
    _plan: ClassVar[type[_plans.EveryCandidate | Race]] = _plans.EveryCandidate

    def _store(self, given: Mapping[str, Any]) -> None:
        """Store the arguments of ``__init__``, those of scikit-learn as its search does."""
        own = {*STATISTICAL_CONSTRAINTS, *RACING_CONSTRAINTS}
        if "param_distributions" in given:
            own.remove("random_state")  # RandomizedSearchCV has it
        super().__init__(**{name: given[name] for name in given if name not in {"self", *own}})
        for name in own & given.keys():
            setattr(self, name, given[name])

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
        """
        plan: type[_plans.Plan] | None = type(self)._plan
        if plan is _plans.EveryCandidate:
            if self.max_time is not None:
                plan = _plans.SplitBySplit
            # A subclass that lists candidates in its own `_run_search` is left to scikit-learn.
            elif self.ledger is None and (
                type(self)._run_search is not StatisticalSearchMixin._run_search
            ):
                plan = None
        self._fit(X, y, params, plan)
        if getattr(self.test, "instability", None) == "measured":
            probe_after_fit(self, X, y, params)
        return self

    def extend(
        self,
        X: Any,
        y: Any = None,
        *,
        cv: Any = None,
        n_repeats: int | None = None,
        until: Literal["decided"] | None = None,
        max_fits: int | None = None,
        candidates: Literal["all", "possibly_best"] | int | Sequence[int | str] = "all",
        **params: Any,
    ) -> Any:
        """Evaluate the candidates on further splits of the same data, without repeating fits.

        Afterwards ``cv_results_``, ``best_*``, the refitted estimator, ``n_splits_`` and every
        table are the same as if ``fit`` had used all splits.

        Parameters
        ----------
        X, y : array-like
            The same data as for ``fit``. With a `ledger`, `extend` compares the data completely,
            and the code of the estimator and the scoring. Without one, it compares only the type,
            size and names of the data and up to 64 rows.
        cv : int, cross-validation generator or an iterable, optional
            Determines the further splits. Their mean training size must be within 5 % of that of
            the splits so far, because the mean score is taken over both.
        n_repeats : int, optional
            Number of further repeats of the search's own `cv`, if the parameter `cv` is not given.
            For RepeatedStratifiedKFold and RepeatedKFold with an int as `random_state`, they are
            the next repeats of the same series. Other splitters are shuffled with a new seed for
            each repeat, which depends on the splits so far.
        until : {"decided"}, optional
            If "decided", add `n_repeats` (default: 1) repeats at a time and look at the scores
            after each step. Stop when no pair of the candidates that may be the best is
            ``undecided``, or when the scores so far suggest that the undecided pairs would stay so
            after infinitely many repeats. Every look lowers the level of the verdicts; see Notes.
        max_fits : int, optional
            Maximum number of further fits, with `until`. Default: the number of fits so far.
        candidates : {"all", "possibly_best"}, int or sequence of int or str, default="all"
            Which candidates to evaluate: all that have a score on every split so far, or only those
            of them in ``possibly_best_``. For the others, the scores on the further splits and the
            means are NaN, and no table contains them, as after a race. A number (the best so many)
            or a list of indices and labels are *probes*: ``cv_results_`` and all tables stay those
            of all candidates on the splits so far, and `stats.SampleTTest` uses the instability
            that the probes show; see Notes.
        **params : dict of str -> object
            The other parameters of ``fit``, such as `groups`.

        Returns
        -------
        self : object
            The search. With `until`, ``extension_stop_`` is the reason why it stopped: "decided",
            "floor" (more repeats would not help), "max_fits", or "exhausted" (there are no further
            repeats). ``extension_history_`` has one row per look, and ``comparison_.note``
            describes both in words.

        Raises
        ------
        ValueError
            If the data, the estimator or the scoring differ from those of ``fit``; if none of `cv`,
            `n_repeats` and `until` is given, or `cv` with one of the others; if `max_fits` is given
            without `until`, or is too small for one look; if `cv` repeats splits, or makes splits
            with another training size; if `max_time` cut the search; if probes are asked for after
            several repeats; or if the splitter of the search draws no random splits, so there are
            no others.

        Notes
        -----
        With `cv` or `n_repeats`, the tables are valid if you chose the number of splits without
        looking at the scores. With `until`, the scores determine it, and frequent looks would find
        differences by chance. Every look, and ``comparison_`` and a rule in `refit` afterwards,
        therefore have a lower level than `alpha`, by Pocock's boundary for as many looks as
        `max_fits` allows. All looks together keep `alpha`; a second such extension was not planned
        with the first, and the note says what both keep. ``comparison_.alpha`` is the level of one
        look; it is higher if fewer looks are possible. The scores before the extension count as the
        first look at this level. If you have already decided by the tables before the
        extension, at `alpha`, that was an additional look. The documentation's evidence has the
        error rates.

        Probes are for a search with one repeat, whose values of samples were kept
        (``test="samples"`` or `return_predictions`). ``extend(X, y, n_repeats=1, candidates=3)``
        runs a second repeat of the best three, 15 fits with ``cv=5``. How much their differences
        change replaces the assumed instability for all candidates; see `stats.SampleTTest`. Only
        with a `ledger` does a later extension of all candidates reuse these fits.

        With a `ledger`, an extension that was killed resumes if you call ``fit`` and ``extend`` as
        before.

        Examples
        --------
        >>> from sklearn.datasets import make_moons
        >>> from sklearn.model_selection import RepeatedStratifiedKFold
        >>> from sklearn.svm import SVC
        >>> from sklearn_stats_compare import StatisticalGridSearchCV
        >>> X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
        >>> search = StatisticalGridSearchCV(
        ...     SVC(random_state=0),
        ...     {"kernel": ["linear", "rbf", "poly"]},
        ...     rope=0.05,
        ...     cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=1, random_state=0),
        ... ).fit(X, y)
        >>> search.comparison_.against()["verdict"].tolist()
        ['undecided', 'undecided']
        >>> search.extend(X, y, until="decided", max_fits=600).extension_stop_
        'floor'
        >>> search.n_splits_
        30
        >>> search.comparison_.against()[["model_2", "verdict"]]
          model_2    verdict
        0     rbf  undecided
        1    poly  undecided

        After two more repeats, the extension stops because further ones would not help: with these
        data, even infinitely many repeats could not detect differences this small. The note
        describes the looks, and ``comparison_.alpha`` is the level of each:

        >>> search.comparison_.note[:55]
        'Extended by whole repeats, with 2 looks at the accuracy'
        >>> round(search.comparison_.alpha, 4)
        0.0141
        """
        return extend(self, X, y, params, cv, n_repeats, until, max_fits, candidates)


@with_shared_docstring
class StatisticalGridSearchCV(_ListedSearchMixin, GridSearchCV):
    """Grid search that also shows which candidates really differ.

    A drop-in replacement for :class:`sklearn.model_selection.GridSearchCV`: the same arguments,
    the same ``cv_results_``, ``best_*`` and predictions, at the same cost. After ``fit`` it also
    tests which differences between candidates are more than luck.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Raises
    ------
    sklearn.exceptions.NotFittedError
        If an attribute or method is used before ``fit``.
    AttributeError
        If a table is requested after a search with several metrics whose `refit` names none of
        them. The message says which call to use instead.
    ValueError
        If a pairwise table would have more than 20 million pairs. The message says what to call on
        ``comparison_`` instead.

    See Also
    --------
    StatisticalRandomizedSearchCV : Samples settings at random.
    Comparison : The class of ``comparison_``.

    Notes
    -----
    Each table is computed when it is first used, from ``cv_results_`` and the sizes of the splits,
    and then kept. The tables use the settings at the time of ``fit``: a later
    ``set_params(alpha=…)`` has no effect until the next ``fit``. To compare the same scores with
    other settings, use the method ``compare``.

    ``fit`` works on a shallow copy of the search and takes over its results, so that parameters
    never change during a fit, and a fit that fails leaves the results of the previous one intact.
    Hooks of a subclass, such as ``_run_search``, are called on that copy. With scikit-learn's
    callbacks (1.9) the search itself is fitted.

    ``fit`` never fails for a statistical reason. The first comparison issues one
    `ComparisonWarning` if the splits strain the assumptions of the test, for example if there are
    fewer than 10, if training sets grow, or if test sizes differ more than twofold.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239–281. https://doi.org/10.1023/A:1024068626366

    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
    http://jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import StatisticalGridSearchCV
    >>> X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    >>> search = StatisticalGridSearchCV(
    ...     SVC(random_state=0),
    ...     [{"kernel": ["linear", "rbf"]}, {"kernel": ["poly"], "degree": [2, 3]}],
    ...     scoring="roc_auc",
    ...     cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),
    ... ).fit(X, y)
    >>> search.pairwise_frequentist_[["model_1", "model_2", "t_stat", "p_val", "verdict"]].round(3)
      model_1 model_2  t_stat  p_val    verdict
    0     rbf  linear   0.750  1.000  undecided
    1     rbf  3_poly   1.657  0.302  undecided
    2     rbf  2_poly   4.565  0.000     better
    3  linear  3_poly   1.111  0.807  undecided
    4  linear  2_poly   4.276  0.000     better
    5  3_poly  2_poly   3.851  0.001     better

    The polynomial of degree 2 is worse than each of the others. The data do not separate the other
    three, although their means differ.
    """

    # `get_params` and `clone` read the parameters off this signature, so that it names those of
    # scikit-learn too.
    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: int | str = "2*n_jobs",
        error_score: Any = np.nan,
        return_train_score: bool = False,
        alternative: checks.Alternative = "greater",
        p_adjust: PAdjust | None = "bonferroni",
        rope: float | tuple[float, float] | str = 0.01,
        alpha: float = 0.05,
        max_time: float | None = None,
        ledger: str | PathLike[str] | Ledger | None = None,
        return_predictions: bool | Literal["auto", "values"] = "auto",
        test: PairTestName | PairTest = "corrected_t",
    ) -> None:
        self._store(locals())


@with_shared_docstring
class StatisticalRandomizedSearchCV(_ListedSearchMixin, RandomizedSearchCV):
    """Randomized search that also shows which candidates really differ.

    A drop-in replacement for :class:`sklearn.model_selection.RandomizedSearchCV`. Errors,
    notes and references are those of `StatisticalGridSearchCV`.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    StatisticalGridSearchCV : The same for a grid of settings, with errors and notes.

    Examples
    --------
    >>> from scipy.stats import loguniform
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn_stats_compare import StatisticalRandomizedSearchCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = StatisticalRandomizedSearchCV(
    ...     make_pipeline(StandardScaler(), LogisticRegression()),
    ...     {"logisticregression__C": loguniform(1e-4, 1e3)},
    ...     n_iter=5,
    ...     cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0),
    ...     random_state=0,
    ...     rope=0.02,
    ... ).fit(X, y)
    >>> search.comparison_
    5 candidates on 15 splits (3 × 5 folds), score: accuracy
    candidates are named by C
    corrected t-test, n_test/n_train = 0.25
    10 pairs, adjusted by bonferroni, verdicts two-sided at alpha = 0.05
    ROPE ±0.02
    <BLANKLINE>
    rank  candidate     mean  std_err  verdict
       1  0.6945     0.97716  0.00830  leader
       1  0.6519     0.97716  0.00717  equivalent
       3  1.657      0.97424  0.00843  equivalent
       4  0.09238    0.97364  0.00792  undecided
       5  10.15      0.97130  0.00823  undecided
    <BLANKLINE>
    Next: Undecided against 0.09238 and 1 other candidate. By samples the same fits decide
    none of them; more samples may decide. To deploy one now, recommend() says which, and
    what it may cost.

    If two points of accuracy do not matter, C = 0.65 and C = 1.66 are shown to be as good as the
    best. For the other two the data do not decide.
    """

    # `get_params` and `clone` read the parameters off this signature, so that it names those of
    # scikit-learn too.
    def __init__(
        self,
        estimator: Any,
        param_distributions: Any,
        *,
        n_iter: int = 10,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: int | str = "2*n_jobs",
        random_state: Any = None,
        error_score: Any = np.nan,
        return_train_score: bool = False,
        alternative: checks.Alternative = "greater",
        p_adjust: PAdjust | None = "bonferroni",
        rope: float | tuple[float, float] | str = 0.01,
        alpha: float = 0.05,
        max_time: float | None = None,
        ledger: str | PathLike[str] | Ledger | None = None,
        return_predictions: bool | Literal["auto", "values"] = "auto",
        test: PairTestName | PairTest = "corrected_t",
    ) -> None:
        self._store(locals())


# "random_state" is scikit-learn's word for None, a seed or a RandomState.
RACING_CONSTRAINTS: dict[str, list[Any]] = {
    "strategy": [StrOptions(set(STRATEGIES))],
    "interim": [StrOptions({"auto", "samples", "splits"})],
    "tolerance": [Interval(Real, 0, LARGEST, closed="both")],
    "eliminate": [StrOptions(set(ELIMINATE))],
    "race_metric": [str, None],
    "random_state": ["random_state"],
}


OPTIONS: dict[str, Iterable[Any]] = {
    "alternative": checks.ALTERNATIVES, "p_adjust": P_ADJUST, "test": PAIR_TESTS,
    "strategy": STRATEGIES, "interim": ("auto", "samples", "splits"), "eliminate": ELIMINATE,
}  # fmt: skip
"""Parameters that are one of some words, for which errors name the nearest."""


@with_shared_docstring
class RacingGridSearchCV(_ListedSearchMixin, GridSearchCV):
    """Grid search that drops candidates that can no longer become the winner.

    A drop-in replacement for :class:`sklearn.model_selection.GridSearchCV` and
    `StatisticalGridSearchCV`. The search evaluates the candidates on one or a few splits at a time,
    in random order. It drops a candidate as soon as the splits so far show that the full search
    would not choose it. The survivors are evaluated on all splits.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Raises
    ------
    ValueError
        By ``fit``, if `cv` makes fewer than 3 splits, or fewer than 10 for looks at splits; if
        `interim` is "samples" and the race cannot look at samples; if `refit` is a callable that is
        not a rule of this package; or if there are several metrics and neither `race_metric` nor
        `refit` names one.

    See Also
    --------
    RacingRandomizedSearchCV : Races a random sample of settings.
    StatisticalGridSearchCV : Evaluates every candidate on every split.

    Notes
    -----
    A race tries to return the candidate that the full search would return. Given the data, the
    scores of all candidates on all J splits are a fixed table, and the splits so far are a simple
    random sample of its columns. The standard error of a paired mean difference after n splits is
    therefore τ·√(1/n − 1/J), where τ is the standard deviation of the differences, whatever the
    overlap of the training sets. Looks at splits estimate τ from the scores of splits. Looks at
    samples estimate τ² by the variance of the differences of single samples over the size of a test
    set, times the dispersion: how many times more the scores of splits vary than that, at least 1.
    The degrees of freedom are Satterthwaite's, and count few if few samples decide. `alpha` is
    divided among the looks and, as in Bonferroni's method, among the rivals; with looks at samples,
    among the effective number of correlated rivals (Li and Ji, 2005).

    The winner was dropped in none of 200 random orders of seven real and simulated grids, and in
    less than 5 % of the tables of most kinds that were made to mislead. The exceptions are rare
    events, such as a rival that is ahead on every split except one, on which it crashes; and, with
    "pooled", a few candidates that vary with the training set three to ten times as much as with
    the test samples, while the others do not: 4 to 16 %. The
    documentation's evidence has the figures.

    A race does not show which candidate is better on new data. The tables of the survivors do.

    At each look, the workers share the fits of all remaining candidates on a few splits. With few
    survivors, many of a large number of workers wait.

    References
    ----------
    Li, J. and Ji, L. (2005). Adjusting multiple testing in multilocus analyses using the
    eigenvalues of a correlation matrix. Heredity 95, 221–227.
    https://doi.org/10.1038/sj.hdy.6800717

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_stats_compare import RacingGridSearchCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = RacingGridSearchCV(
    ...     DecisionTreeClassifier(random_state=0),
    ...     {"max_depth": [1, 2, 3, 5, 8], "criterion": ["gini", "entropy"]},
    ...     cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0),
    ...     random_state=0,
    ... ).fit(X[:, :5], y)
    >>> history = search.race_history_
    >>> history.loc[history["dropped"] > 0, ["look", "n_splits", "alive", "dropped", "n_fits"]]
        look  n_splits  alive  dropped  n_fits
    13    14        15      6        4     150
    15    16        17      4        2     162
    23    24        25      3        1     194
    24    25        26      2        1     197
    >>> search.comparison_.ranking()["label"].tolist()
    ['entropy_5', 'gini_5']
    >>> search.n_fits_, search.n_fits_full_
    (205, 300)

    The race takes 205 fits instead of 300. It saves little, because half of the ten candidates are
    very similar. Larger grids often need about a third of the fits.
    """

    _plan = Race
    # `_validate_params` reads this attribute of the class alone, not those of its bases.
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **GridSearchCV._parameter_constraints,
        **RACING_CONSTRAINTS,
    }

    # `get_params` and `clone` read the parameters off this signature, so that it names those of
    # scikit-learn too.
    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: int | str = "2*n_jobs",
        error_score: Any = np.nan,
        return_train_score: bool = False,
        alternative: checks.Alternative = "greater",
        p_adjust: PAdjust | None = "bonferroni",
        rope: float | tuple[float, float] | str = 0.01,
        alpha: float = 0.05,
        strategy: Literal["pooled", "strict"] = "pooled",
        interim: Literal["auto", "samples", "splits"] = "auto",
        tolerance: float = 0.0,
        eliminate: Literal["futility", "inferiority"] = "futility",
        race_metric: str | None = None,
        random_state: Any = None,
        max_time: float | None = None,
        ledger: str | PathLike[str] | Ledger | None = None,
        return_predictions: bool | Literal["auto", "values"] = "auto",
        test: PairTestName | PairTest = "corrected_t",
    ) -> None:
        self._store(locals())


@with_shared_docstring
class RacingRandomizedSearchCV(_ListedSearchMixin, RandomizedSearchCV):
    """Randomized search that drops candidates that can no longer become the winner.

    A drop-in replacement for :class:`sklearn.model_selection.RandomizedSearchCV`. The race, its
    errors and its notes are those of `RacingGridSearchCV`.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    RacingGridSearchCV : The same for a grid of settings, with errors and notes.

    Examples
    --------
    >>> from scipy.stats import loguniform
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn_stats_compare import RacingRandomizedSearchCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = RacingRandomizedSearchCV(
    ...     make_pipeline(StandardScaler(), LogisticRegression()),
    ...     {"logisticregression__C": loguniform(1e-6, 1e2)},
    ...     n_iter=10,
    ...     cv=10,
    ...     random_state=0,
    ... ).fit(X[:, :10], y)
    >>> search.n_fits_ < search.n_fits_full_
    True
    """

    _plan = Race
    # `_validate_params` reads this attribute of the class alone, not those of its bases.
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **RandomizedSearchCV._parameter_constraints,
        **RACING_CONSTRAINTS,
    }

    # `get_params` and `clone` read the parameters off this signature, so that it names those of
    # scikit-learn too.
    def __init__(
        self,
        estimator: Any,
        param_distributions: Any,
        *,
        n_iter: int = 10,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: int | str = "2*n_jobs",
        random_state: Any = None,
        error_score: Any = np.nan,
        return_train_score: bool = False,
        alternative: checks.Alternative = "greater",
        p_adjust: PAdjust | None = "bonferroni",
        rope: float | tuple[float, float] | str = 0.01,
        alpha: float = 0.05,
        strategy: Literal["pooled", "strict"] = "pooled",
        interim: Literal["auto", "samples", "splits"] = "auto",
        tolerance: float = 0.0,
        eliminate: Literal["futility", "inferiority"] = "futility",
        race_metric: str | None = None,
        max_time: float | None = None,
        ledger: str | PathLike[str] | Ledger | None = None,
        return_predictions: bool | Literal["auto", "values"] = "auto",
        test: PairTestName | PairTest = "corrected_t",
    ) -> None:
        self._store(locals())
