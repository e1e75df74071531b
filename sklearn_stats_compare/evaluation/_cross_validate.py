"""cross_validate_models(): named estimators, scored on the same splits → Comparison."""

import dataclasses
import os
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from sklearn.base import clone
from sklearn.utils import indexable

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._progress import Progress
from sklearn_stats_compare._utils._validation import (
    Alternative,
    shown,
    shown_list,
    warn_user,
    wrong,
)
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.datasets._comparison import DatasetsComparison
from sklearn_stats_compare.datasets._read import compare_datasets
from sklearn_stats_compare.evaluation import _fits
from sklearn_stats_compare.predictions._predicted import (
    Predicted,
    independent_units,
    tested_by_samples,
)
from sklearn_stats_compare.predictions._scorers import read_scorer
from sklearn_stats_compare.search._outer_ledger import FinishedFit, OuterLedger
from sklearn_stats_compare.stats._design import tested_rows
from sklearn_stats_compare.stats._family import PAdjust, PairTest, PairTestName, pair_test
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._scores import SplitDesign, SplitScores


def cross_validate_models(
    models: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: dict[str, Any] | None = None,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: Any = np.nan,
    alternative: Alternative = "greater",
    p_adjust: PAdjust | None = "bonferroni",
    rope: float | tuple[float, float] | str = 0.01,
    alpha: float = 0.05,
    return_predictions: bool | Literal["values"] = False,
    test: PairTestName | PairTest = "corrected_t",
    ledger: str | PathLike[str] | None = None,
) -> Any:
    """Cross-validate several models on the same splits and compare them.

    Over several data sets, all fits run in one parallel loop.

    Parameters
    ----------
    models : mapping of str to estimator, or sequence of estimators
        The models. They are cloned for each fit, and not modified. Models in a sequence are named
        after their classes and, if these are not unique, their parameters.
    X : array-like of shape (n_samples, n_features), or mapping of str to (X, y)
        Data to fit, or several data sets by name, as ``{"iris": (X, y), …}``.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        Target; left out for several data sets.
    groups : array-like of shape (n_samples,), or mapping of str to these, optional
        Groups of samples, for the splitter; for several data sets, by their names.
    scoring : str, callable, list, tuple or dict, optional
        As for scikit-learn's ``cross_validate``. If None, the ``score`` method of each estimator is
        used, which must be the same metric for all: accuracy for classifiers, R² for regressors,
        and `scoring` for a search.
    cv : int, splitter, iterable or None, optional
        As for scikit-learn's ``cross_validate``: an int makes stratified folds for classifiers. The
        splits are drawn once, for all models, so the splitter may shuffle without a seed. For
        several data sets an int or a splitter.
    n_jobs : int, optional
        Number of jobs to run in parallel. The fits of all models on all splits are run in one
        joblib call. With more than one job, everything within a model runs with one.
    verbose : int, default=0
        1 shows a progress line.
    params : dict, optional
        Parameters to pass to ``fit`` and, with metadata routing, to the scorers, as for
        ``cross_validate``. Every model receives all of them and must accept them. Pass groups for
        the splitter as `groups`, even with metadata routing.
    pre_dispatch : int or str, default="2*n_jobs"
        As for ``cross_validate``.
    error_score : "raise" or float, default=nan
        Score of a fit that fails; "raise" raises the error. With NaN, the model is ``missing``: it
        is last in the ranking, and the tests exclude it. Of several data sets, those on which a
        model failed are left out, or, if fewer than two would remain, the models that failed; the
        result's ``note`` lists them.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        As for `Comparison`.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, \
            default="bonferroni"
        As for `Comparison`.
    rope : float, (float, float) or str, default=0.01
        As for `Comparison`; in score units for several data sets.
    alpha : float, default=0.05
        As for `Comparison`.
    return_predictions : bool or "values", default=False
        As for `StatisticalGridSearchCV`. True keeps the predictions of every model for every test
        sample, which `Comparison.by`, ``with_settings(metric=…)`` and others need. "values"
        keeps only the value of each metric for each sample.
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
            default="corrected_t"
        As for `Comparison`. "samples" implies ``return_predictions="values"``.
    ledger : str or path-like, optional
        Folder in which every finished fit is saved at once, in a file per data set. Another run
        with the same models, data and settings fits only what is missing; other data have a section
        of their own. It keeps values of samples, and no predictions. Saved fits are not repeated to
        check them, as a search does: after a change in what your code reads, such as a file, use a
        new folder. Searches of this package among the models have files of their own in it.

    Returns
    -------
    Comparison, DatasetsComparison or mapping of str to these
        A `Comparison` of the only metric; if `scoring` names several, a mapping of them by metric,
        which prints all and has ``.report()``. For several data sets a `DatasetsComparison` with
        its default test takes the place of each `Comparison`; its ``comparisons`` are those on each
        data set with the settings given here.

    Raises
    ------
    TypeError
        If `models` is neither a mapping nor a sequence, or if one of the models has no ``fit``.
    ValueError
        If `models` is empty; if every fit failed; if only some of the models are classifiers and
        `cv` is None or an int, so it is not clear whether to stratify; or if `scoring` is None and
        the ``score`` methods of the models compute different metrics. Also if `ledger` is of other
        settings or splits. Of several data sets, if fewer than two or only one model are given, two
        are the same, `scoring` names other metrics on another, or no model can be fitted on one of
        them; the error names it.

    Warns
    -----
    FitFailedWarning
        If some fits failed and `error_score` is a number. One warning for each data set lists the
        models, the number of failures and the first error of each.

    See Also
    --------
    compare : Compares existing results.
    compare_datasets : Compares existing results over several data sets.
    StatisticalGridSearchCV : Compares the settings of one estimator.

    Notes
    -----
    The tests are valid only if you chose the models before you saw these scores. To compare tuned
    models, pass searches as models: each search then tunes within every training set.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import cross_validate_models
    >>> found = cross_validate_models(
    ...     {"lr": LogisticRegression(max_iter=1000), "svm": SVC(), "dummy": DummyClassifier()},
    ...     *load_iris(return_X_y=True),
    ...     cv=10,
    ... )
    >>> found.against()[["model_1", "model_2", "verdict"]]
      model_1 model_2    verdict
    0      lr     svm  undecided
    1      lr   dummy     better
    """
    options: dict[str, Any] = {
        "groups": groups, "scoring": scoring, "cv": cv, "n_jobs": n_jobs, "verbose": verbose,
        "params": params, "pre_dispatch": pre_dispatch, "error_score": error_score,
        "alternative": alternative, "p_adjust": p_adjust, "rope": rope, "alpha": alpha,
        "return_predictions": return_predictions, "test": test, "ledger": ledger,
    }  # fmt: skip
    if not isinstance(X, Mapping):
        return _only_or_all(compared_models(models, X, y, **options))
    if y is not None:
        raise ValueError("`y` must be left out where `X` maps data sets to (X, y).")
    if len(X) < 2:
        raise ValueError(f"`X` must hold at least 2 data sets where it is a mapping; got {len(X)}.")
    if isinstance(rope, str):
        raise ValueError(f"`rope` must be in score units for several data sets; got {rope!r}.")
    _fits.check_params(params)
    for name, own in (params or {}).items():
        if isinstance(own, Mapping) and not {*own}.isdisjoint(X):
            raise ValueError(
                "`params` must hold the same for all data sets; got a mapping of data sets as "
                f"{name!r}. Compare on each, and give the results to compare_datasets."
            )
    n_models = len(_fits.named_models(models)[1])
    if n_models < 2:
        raise ValueError(
            f"`models` must contain at least 2 where `X` maps data sets to (X, y); got {n_models}."
        )
    # It warns if so few data sets cannot show a difference: before the fits, which may take hours.
    names = ([str(k) for k in range(n)] for n in (n_models, len(X)))
    DatasetsComparison(np.zeros((n_models, len(X))), *names, alpha=alpha)
    return _only_or_all(by_metric(compared_on_each(models, X, **options), rope=rope, alpha=alpha))


def _only_or_all(found: Mapping[str, Any]) -> Any:
    """The comparison of a single metric, which scikit-learn calls "score", or those of several."""
    return found["score"] if list(found) == ["score"] else _fits.ByMetric(found)


class ModelsOnSplits:
    """Models on the splits of one data set, ready to be fitted.

    Attributes
    ----------
    names : list of str or None
        Names of the models, if they were given.
    labels : list of str
        Names that messages use.
    estimators : list of estimators
        Not fitted.
    X, y : object
        The data.
    splits : list of (array, array)
        Training and test samples.
    params : list of dict or None
        Parameters of ``fit``, by model.
    options : dict
        Further options of ``cross_validate``.
    kept : KeptOfModels or None
        Where predictions are kept, if they are.
    test : PairTest
        Test of a pair.
    settings : dict
        Further arguments of a `Comparison`.
    book : OuterLedger or None
        The finished fits.
    further : sequence of (array, array)
        Splits on which fits are needed too, but which are not compared.
    """

    def __init__(
        self,
        models: Any,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        scoring: Any = None,
        cv: Any = None,
        params: dict[str, Any] | None = None,
        error_score: Any = np.nan,
        return_predictions: bool | Literal["values"] = False,
        test: PairTestName | PairTest = "corrected_t",
        book: OuterLedger | None = None,
        **settings: Any,
    ) -> None:
        """Check the arguments and draw the splits, before hours of fits."""
        names, estimators = _fits.named_models(models)
        if names is None:
            settings["params"] = [{"model": estimator} for estimator in estimators]
        # Two splits, the fewest for which a comparison has numbers.
        none = SplitScores(np.zeros((len(estimators), 2)), SplitDesign.from_ratio(1.0, 2))
        labels = Comparison(none, names, warn=False, **settings).labels
        if not isinstance(return_predictions, bool | np.bool_) and not (
            isinstance(return_predictions, str) and return_predictions == "values"
        ):
            raise wrong("return_predictions", 'be True, False or "values"', return_predictions)
        test = pair_test(test)
        keeps = return_predictions or (not test.of_splits and "values")
        X, y, groups = indexable(X, y, groups)
        splits = _fits.drawn_splits(cv, X, y, groups, estimators, book)
        if scoring is None:
            _fits.check_one_score(list(labels or ()), estimators)
            if keeps and any(_fits.search_in(each) is not None for each in estimators):
                # A search hides its predictions behind its `score`.
                scoring = _fits.common_scoring(estimators, bool(params))
        if test.of_splits:
            test.check(SplitDesign.from_indices(splits, count_samples(X)))
        _fits.check_params(params)
        self.params = [_fits.params_of_fit(each, params, groups) for each in estimators]
        self.scoring = _fits.scoring_of_models(
            estimators, scoring, X, y, groups, error_score, params or {}
        )
        kept = None
        if keeps:
            shape = len(estimators), count_samples(X)
            kept = _fits.kept_of_models(self.scoring, shape, splits, keeps)
        readings = (read_scorer(own, estimators[0]) for own in self.scoring.scorers.values())
        # Some metrics have no values of samples.
        self.expects_arrays = keeps is True or bool(
            keeps and any(r.how != "none" for r in readings)
        )
        self.names, self.labels, self.estimators = names, list(labels or ()), estimators
        self.X, self.y, self.groups, self.splits = X, y, groups, splits
        self.further: Sequence[Any] = ()
        self.options = {"scoring": scoring, "error_score": error_score}
        self.kept = kept
        self.test, self.settings = test, settings
        self.book = book

    @property
    def n_fits(self) -> int:
        """Number of fits."""
        return len(self.estimators) * (len(self.splits) + len(self.further))

    def fits(self, number: int, known: Container[_fits.Cell]) -> Iterator[_fits.Fit]:
        """The fits that are not known yet, as those of the data set with this number."""
        for i, (name, model) in enumerate(zip(self.labels, self.estimators, strict=True)):
            for j, split in enumerate([*self.splits, *self.further]):
                if (number, i, j) not in known:
                    yield _fits.Fit(
                        (number, i, j),
                        clone(model),  # so that no fitted model is sent to a worker
                        name,
                        None if self.book is None else self.book.of_search(i, j),
                        self.X,
                        self.y,
                        split,
                        {**self.options, "params": self.params[i]},
                        None if self.kept is None else self.kept.of_values,
                    )

    def comparisons(
        self,
        found: Mapping[_fits.Cell, FinishedFit],
        number: int = 0,
        *,
        pool: int | None = None,
        warn: bool = True,
        dataset: str = "",
    ) -> dict[str, Comparison]:
        """The comparison by each metric, from the fits on the data set with this number.

        `pool` is the number of samples that the splits are drawn from, if they do not show it.
        `dataset` is its name among several.
        """
        error_score, scoring = self.options["error_score"], self.options["scoring"]
        rows, columns = range(len(self.estimators)), range(len(self.splits))
        fits = [found[number, i, j] for i in rows for j in columns]
        outcomes = [fit.scores for fit in fits]
        kept = self.kept
        if kept is not None:
            for k, fit in enumerate(fits):
                kept.responses.enter(*divmod(k, len(columns)), fit.arrays)
        _fits.warn_of_failures(outcomes, self.labels, error_score, dataset)
        design = SplitDesign.from_indices(self.splits, count_samples(self.X))
        if pool is not None:
            design = dataclasses.replace(design, n_samples=pool)
        shape = (len(rows), len(columns))
        comparisons: dict[str, Comparison] = {}
        metrics = _fits.metrics_of_outcomes(outcomes, error_score)
        tested = tested_rows(self.splits, count_samples(self.X))
        independent = independent_units(self.scoring, design, metrics, tested)
        for metric in metrics:
            values = [
                error_score if isinstance(o, str) else o.get(metric, error_score) for o in outcomes
            ]
            scored, predicted = np.reshape(values, shape), None
            # A callable may name metrics that no scorer has.
            if kept is not None and metric in self.scoring.scorers:
                predicted = Predicted(kept.responses, self.scoring, design, rows, metric, scored)
            known = independent.get(metric, {}) if predicted is None else predicted.independent
            scores = SplitScores(scored, design, **known)
            used = self.test
            if not self.test.of_splits:
                scores, used = tested_by_samples(
                    scores,
                    partial(_samples_of, predicted),
                    self.test,
                    what=f"{metric} is compared",
                )
            comparisons[metric] = Comparison(
                scores,
                self.names,
                # scikit-learn names every single metric "score".
                metric=_fits.name_of_scores(scoring, self.estimators)
                if metric == "score"
                else metric,
                _predicted=predicted,
                test=used,
                **self.settings,
                warn=warn and not comparisons,  # the splits are the same for every metric
            )
        return comparisons


def compared_models(
    models: Any, X: Any, y: Any, *, groups: Any = None, **arguments: Any
) -> dict[str, Comparison]:
    """`cross_validate_models` on one data set, with the arguments of `compared_on_each`."""
    own_groups = None if groups is None else {"data": groups}
    return compared_on_each(models, {"data": (X, y)}, groups=own_groups, **arguments)["data"]


def _samples_of(predicted: Predicted | None) -> SampleScores:
    if predicted is None:
        raise ValueError("it is a metric that a callable names, without values of samples.")
    return predicted.samples()


def compared_on_each(
    models: Any,
    datasets: Mapping[Any, Any],
    *,
    groups: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    pre_dispatch: int | str = "2*n_jobs",
    ledger: Any = None,
    warn: bool = True,
    pool: int | None = None,
    **arguments: Any,
) -> dict[str, dict[str, Comparison]]:
    """The comparisons on each data set, by metric.

    With `warn` False, there are no warnings about the splits. `pool` is as for
    `ModelsOnSplits.comparisons`; `arguments` are those of `ModelsOnSplits`.
    """
    _fits.check_fitting(n_jobs, verbose, arguments.get("error_score", np.nan), cv)
    data = _checked_data(datasets, groups)
    several = len(data) > 1
    if several and not (cv is None or isinstance(cv, int | np.integer) or hasattr(cv, "split")):
        raise ValueError(
            "`cv` must be an int or a splitter for several data sets, because splits are of the "
            f"samples of one; got {shown(type(cv).__name__)}."
        )
    if ledger is not None and arguments.get("return_predictions") is True:
        raise ValueError(
            '`return_predictions` must be False or "values" with a `ledger`, which keeps no '
            "predictions; got True."
        )
    with ExitStack() as stack:
        plans: list[ModelsOnSplits] = []
        for name, (X, y, units) in data.items():
            try:
                book = _book(ledger, name, models, X, y, units, arguments)
                if book is not None:
                    stack.callback(book.close)
                plans.append(
                    ModelsOnSplits(models, X, y, groups=units, cv=cv, book=book, **arguments)
                )
            except (TypeError, ValueError) as error:
                if several:
                    error.add_note(f"This was the data set {name!r}.")
                raise
        _fits.check_searches(plans[0], n_jobs)
        known = {
            cell: fit
            for cell, fit in fits_in_ledgers(plans).items()
            # An earlier run may have kept no values of samples.
            if fit.arrays or not plans[cell[0]].expects_arrays
        }
        n_models = count(len(plans[0].estimators), "model")
        found = fitted(
            plans,
            known,
            Progress("cross_validate_models", sum(p.n_fits for p in plans), shown=verbose > 0),
            f"Fitting {n_models} on {count(len(plans), 'data set')}, "
            f"{sum(plan.n_fits for plan in plans):,} fits",
            "cross-validation",
            n_jobs,
            pre_dispatch,
        )
    return {
        # Of several data sets, the splits of one are not what decides.
        name: plan.comparisons(
            found, k, pool=pool, warn=warn and not several, dataset=name if several else ""
        )
        for k, (name, plan) in enumerate(zip(data, plans, strict=True))
    }


def by_metric(
    over: Mapping[str, Mapping[str, Comparison]], **settings: Any
) -> dict[str, DatasetsComparison]:
    """The comparison over data sets by each metric, from those on each data set.

    Without the data sets on which a model failed; if fewer than two are left, without such models.
    """
    (first, metrics), *others = over.items()
    for name, found in others:
        if set(found) != set(metrics):
            raise ValueError(
                "`scoring` must give the same metrics on every data set; got "
                f"{shown_list(map(repr, metrics))} on {shown(first)}, and "
                f"{shown_list(map(repr, found))} on {shown(name)}."
            )
    result: dict[str, DatasetsComparison] = {}
    for metric in metrics:
        own = {name: found[metric] for name, found in over.items()}
        scored = np.array([np.isfinite(each.scores.means) for each in own.values()])
        by_dataset = scored.all(axis=1).sum() >= 2
        if not by_dataset and scored.all(axis=0).sum() < 2:
            raise ValueError(
                "`models` must contain at least two that can be fitted and scored on all data "
                f"sets, or all of them on at least two; by {metric} "
                f"{int((~scored).sum())} of {scored.size} have no score."
            )
        result[metric] = compare_datasets(
            own,
            missing="drop_datasets" if by_dataset else "drop_models",
            # The number of data sets is the same for every metric.
            warn=not result,
            **settings,
        )
    return result


def _checked_data(datasets: Mapping[Any, Any], groups: Any) -> dict[str, tuple[Any, Any, Any]]:
    """X, y and groups of each data set."""
    if groups is not None and not isinstance(groups, Mapping):
        raise ValueError("`groups` must be a mapping of data sets to groups where `X` is one.")
    names = [str(name) for name in datasets]
    if len(set(names)) < len(names):
        raise ValueError(f"`X` must name its data sets differently; got {shown(list(datasets))}.")
    unknown = [name for name in groups or () if name not in datasets]
    if unknown:
        raise ValueError(f"`groups` must be named after data sets; got {shown(unknown[0])}.")
    found: dict[str, tuple[Any, Any, Any]] = {}
    seen: list[tuple[Any, Any]] = []
    for name, value in datasets.items():
        # scikit-learn's loaders return a Bunch, with `return_X_y` a tuple.
        if hasattr(value, "data") and hasattr(value, "target"):
            value = (value.data, value.target)
        if not isinstance(value, tuple | list) or len(value) != 2:
            raise ValueError(
                f"`X` must map each data set to (X, y); got {shown(type(value).__name__)} for "
                f"{shown(name)}."
            )
        for other, earlier in seen:
            if all(a is b for a, b in zip(value, earlier, strict=True)):
                raise ValueError(
                    f"`X` must hold different data sets; {shown(other)} and {shown(name)} are the "
                    "same X and y."
                )
        seen.append((name, value))
        try:
            X, y = indexable(*value)
        except ValueError as error:
            error.add_note(f"This was the data set {str(name)!r}.")
            raise
        found[str(name)] = X, y, (groups or {}).get(name)
    return found


def _book(
    folder: Any, name: str, models: Any, X: Any, y: Any, groups: Any, arguments: Mapping[str, Any]
) -> OuterLedger | None:
    """The ledger of a data set."""
    if folder is None:
        return None
    if not isinstance(folder, str | os.PathLike) or not os.fspath(folder):
        raise ValueError(f"`ledger` must be the path of a folder; got {shown(folder)}.")
    names, estimators = _fits.named_models(models)
    labels = names or [str(k) for k in range(len(estimators))]
    # A folder that is valid on every system, and different for different names: "Iris" and "iris"
    # are one on some systems, and "con" is none on others.
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:60]
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return OuterLedger(
        Path(folder) / f"{plain}-{digest}",
        dict(zip(labels, estimators, strict=True)),
        X,
        y,
        {**(arguments.get("params") or {}), "groups": groups},
        scoring=arguments.get("scoring"),
        error_score=arguments.get("error_score"),
    )


def fits_in_ledgers(plans: list[ModelsOnSplits]) -> dict[_fits.Cell, FinishedFit]:
    """The fits that the ledgers of each data set have."""
    return {
        (k, i, j): fit
        for k, plan in enumerate(plans)
        if plan.book is not None
        for (i, j), fit in plan.book.found().items()
    }


def fitted(
    plans: list[ModelsOnSplits],
    known: Mapping[_fits.Cell, FinishedFit],
    progress: Progress,
    opening: str,
    what: str,
    n_jobs: int | None,
    pre_dispatch: int | str,
) -> dict[_fits.Cell, FinishedFit]:
    """The fit of each data set, model and split: known, or made in one pool and saved.

    All fits are in one pool, so that no worker waits for the last fit of each model.
    """
    found = dict(known)
    lacking = (fit for k, plan in enumerate(plans) for fit in plan.fits(k, known))
    trouble = ""
    with progress:
        progress.say(opening)
        if known:
            progress.add(len(known))
        for (k, i, j), fit in _fits.pooled(lacking, n_jobs, pre_dispatch):
            found[k, i, j] = fit
            book = plans[k].book
            # Fits and scores that failed are tried again: their cause may be the machine.
            error_score = plans[k].options["error_score"]
            if book is not None and _fits.is_scored(fit, error_score):
                trouble = book.save(i, j, fit) or trouble
            progress.add(1)
    if trouble:
        warn_user(
            f"The {what} went on, but it is no longer saved: {trouble}.",
            "no-longer-saved",
            UserWarning,
        )
    for plan in plans:
        if plan.book is not None:
            plan.book.end()
    return found
