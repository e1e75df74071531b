"""Models over several data sets: all fits in one parallel loop, with a ledger and progress."""

import os
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import indexable

from sklearn_stats_compare._messages import count, outside_level, shown, shown_list
from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.datasets import DatasetsComparison, compare_datasets
from sklearn_stats_compare.evaluation._jobs import check_jobs
from sklearn_stats_compare.evaluation._model_fits import Outcome, is_finite
from sklearn_stats_compare.evaluation._models_on_splits import ModelsOnSplits
from sklearn_stats_compare.evaluation._named_estimators import named_models, stratifies
from sklearn_stats_compare.evaluation._pooled_fits import Cell, Fit, pooled
from sklearn_stats_compare.predictions import CHOICE
from sklearn_stats_compare.search import FinishedFit, OuterLedger, Progress


def compared_over_datasets(
    models: Any,
    datasets: Mapping[Any, Any],
    *,
    groups: Any = None,
    cv: Any = None,
    params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    pre_dispatch: int | str = "2*n_jobs",
    ledger: Any = None,
    **arguments: Any,
) -> dict[str, dict[str, Comparison]]:
    """The comparisons on each data set, by metric.

    `arguments` are those of `ModelsOnSplits.of`.
    """
    check_jobs(n_jobs, verbose)
    data = _checked_data(datasets, groups)
    if len(data) > 1 and not (
        cv is None or isinstance(cv, int | np.integer) or hasattr(cv, "split")
    ):
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
        books: list[OuterLedger | None] = []
        for name, (X, y, units) in data.items():
            try:
                book, splits = _book(ledger, name, models, X, y, units, cv, params, arguments)
                if book is not None:
                    stack.callback(book.close)
                plans.append(
                    ModelsOnSplits.of(
                        models, X, y, groups=units, cv=splits, params=params, **arguments
                    )
                )
                books.append(book)
            except (TypeError, ValueError) as error:
                if len(data) > 1:
                    error.add_note(f"This was the data set {name!r}.")
                raise
        outcomes = _outcomes(plans, books, n_jobs, verbose, pre_dispatch)
    return _by_dataset(list(data), plans, outcomes)


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
    folder: Any,
    name: str,
    models: Any,
    X: Any,
    y: Any,
    groups: Any,
    cv: Any,
    params: Any,
    arguments: Mapping[str, Any],
) -> tuple[OuterLedger | None, Any]:
    """The ledger of a data set, and the splits: those of a former run if `cv` draws them."""
    if folder is None:
        return None, cv
    if not isinstance(folder, str | os.PathLike) or not os.fspath(folder):
        raise ValueError(f"`ledger` must be the path of a folder; got {shown(folder)}.")
    names, estimators = named_models(models)
    labels = names or [str(k) for k in range(len(estimators))]
    book = OuterLedger(
        Path(folder) / _file_name(name),
        dict(zip(labels, estimators, strict=True)),
        X,
        y,
        {**(params or {}), "groups": groups},
        scoring=arguments.get("scoring"),
        error_score=arguments.get("error_score"),
    )
    try:
        return book, book.settle(cv, groups, classifier=stratifies(cv, estimators))
    except BaseException:
        book.close()
        raise


def _file_name(name: str) -> str:
    """A name that is valid for a folder on every system, and different for different names."""
    # "Iris" and "iris" are one folder on some systems, and "con" is none on others.
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:60]
    return f"{plain}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _outcomes(
    plans: list[ModelsOnSplits],
    books: list[OuterLedger | None],
    n_jobs: int | None,
    verbose: int,
    pre_dispatch: int | str,
) -> dict[Cell, Outcome]:
    """The outcome of each data set, model and split: from the ledgers, or fitted in one pool."""
    outcomes: dict[Cell, Outcome] = {}
    for k, (plan, book) in enumerate(zip(plans, books, strict=True)):
        if book is None:
            continue
        for (i, j), fit in book.found().items():
            # An earlier run may have kept no values of samples.
            if plan.kept is None or set(fit.arrays) - {CHOICE}:
                outcomes[k, i, j] = dict(fit.scores), dict(fit.arrays)
    trouble = ""
    n_fits = sum(len(plan.estimators) * len(plan.splits) for plan in plans)
    with Progress("cross_validate_models", n_fits, shown=verbose > 0) as progress:
        n_models = count(len(plans[0].estimators), "model")
        progress.say(f"Fitting {n_models} on {count(len(plans), 'data set')}, {n_fits:,} fits")
        if outcomes:
            progress.add(len(outcomes))
        fits = _fits(plans, books, outcomes)
        for cell, outcome, seconds in pooled(fits, n_jobs, pre_dispatch):
            outcomes[cell] = outcome
            scores, arrays = outcome
            book = books[cell[0]]
            # Fits and scores that failed are tried again: their cause may be the machine.
            if book is not None and not isinstance(scores, str) and is_finite(scores):
                saved = FinishedFit(scores, seconds, arrays)
                trouble = book.save(cell[1], cell[2], saved) or trouble
            progress.add(1)
    if trouble:
        warnings.warn(
            f"The cross-validation went on, but it is no longer saved: {trouble}.",
            UserWarning,
            stacklevel=outside_level(),
        )
    for book in filter(None, books):
        book.end()
    return outcomes


def _fits(
    plans: list[ModelsOnSplits],
    books: list[OuterLedger | None],
    known: Mapping[Cell, Outcome],
) -> Iterator[Fit]:
    """The fits that are not known yet."""
    done = set(known)  # before the pool adds to it
    for k, (plan, book) in enumerate(zip(plans, books, strict=True)):
        for i, (name, model) in enumerate(zip(plan.labels, plan.estimators, strict=True)):
            for j, split in enumerate(plan.splits):
                if (k, i, j) not in done:
                    yield Fit(
                        (k, i, j),
                        model,
                        None if book is None else book.of_search(i, j),
                        plan.X,
                        plan.y,
                        split,
                        plan.options,
                        plan.of_values,
                        name,
                    )


def _by_dataset(
    names: list[str], plans: list[ModelsOnSplits], outcomes: Mapping[Cell, Outcome]
) -> dict[str, dict[str, Comparison]]:
    found = {}
    for k, (name, plan) in enumerate(zip(names, plans, strict=True)):
        own = [
            outcomes[k, i, j] for i in range(len(plan.estimators)) for j in range(len(plan.splits))
        ]
        # Of several data sets, what strains the splits of one is not what decides.
        alone = len(names) == 1
        found[name] = plan.comparisons(own, warn=alone, dataset="" if alone else name)
    return found
