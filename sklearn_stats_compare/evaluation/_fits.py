"""Fits of given models: checked arguments, names, and scores by metric or why they failed."""

import inspect
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import isfinite
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import ClassifierMixin, RegressorMixin, clone, is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import GridSearchCV, check_cv, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.utils.parallel import Parallel, delayed

from sklearn_stats_compare._sklearn_private import (
    count_samples,
    parts_of_scorer,
    says_that_all_fits_failed,
)
from sklearn_stats_compare._utils._formatting import shortened, visible
from sklearn_stats_compare._utils._validation import real_score, shown, shown_list, warn_user, wrong
from sklearn_stats_compare.comparison._comparison import ReportFormat
from sklearn_stats_compare.comparison._labels import Reader, identity
from sklearn_stats_compare.comparison.readers._sizes import (
    mixed_metrics,
    own_metric,
    own_metric_name,
)
from sklearn_stats_compare.predictions import _responses
from sklearn_stats_compare.predictions._predicted import check_memory
from sklearn_stats_compare.predictions._responses import by_metric
from sklearn_stats_compare.predictions._scorers import (
    is_of_scikit_learn,
    name_of_scorer,
    values_suffice,
)
from sklearn_stats_compare.search._outer_ledger import FinishedFit, OuterLedger
from sklearn_stats_compare.search._search import StatisticalSearchMixin
from sklearn_stats_compare.search.runs._run import tested_samples
from sklearn_stats_compare.stats._design import check_splits


# A class of its own, because `compare_learning_curves` catches it and continues at other sizes.
class NothingFitsError(ValueError):
    """Every fit failed; `failures` lists which, how often and why."""

    def __init__(self, failures: str) -> None:
        super().__init__(f"`models` must contain one that can be fitted: {failures}")
        self.failures = failures


def is_scored(fit: FinishedFit, error_score: Any = np.nan) -> bool:
    """Whether the fit and all its scores succeeded: a scorer that fails leaves `error_score`."""
    if isinstance(fit.scores, str):
        return False
    return all(isfinite(score) and score != error_score for score in fit.scores.values())


def _scores(
    estimator: Any, X: Any, y: Any, split: Any, options: dict[str, Any]
) -> tuple[dict[str, float] | str, Any]:
    """Scores by metric, or the reason of a failure; the fitted model if it is asked for."""
    try:
        # The public function on one split, instead of the private `_fit_and_score` on each.
        result = cross_validate(estimator, X, y, cv=[split], **options)
    except ValueError as error:
        # With one split, a failed fit means that all failed; scikit-learn then raises, not warns.
        if options["error_score"] == "raise" or not says_that_all_fits_failed(error):
            raise
        return _reason(str(error)), None
    scores = {key[5:]: value[0] for key, value in result.items() if key.startswith("test_")}
    try:
        if not scores:
            raise TypeError
        found = {name: real_score(score) for name, score in scores.items()}
    except (TypeError, ValueError, OverflowError):
        raise wrong("scoring", "give real numbers, one or more by name", scores) from None
    return found, result.get("estimator", [None])[0]


def _reason(report: str) -> str:
    """Type and first line of the exception that a traceback ends with."""
    # scikit-learn puts `traceback.format_exc()` into its report. The last of chained exceptions is
    # the one raised; lines of its traceback are indented.
    last = report.rpartition("Traceback (most recent call last):")[2].splitlines()
    return next((line for line in last if line and not line.startswith(" ")), report).rstrip(". ")


def metrics_of_outcomes(outcomes: list[Any], error_score: Any) -> list[str]:
    """Names of the metrics; a callable names none for a model that failed.

    Raises ValueError if a callable names different metrics in different calls.
    """
    scored = [outcome for outcome in outcomes if not isinstance(outcome, str)]
    # If a fit fails, scikit-learn cannot know the names of a callable's metrics, and enters
    # `error_score` as "score".
    metrics = max(map(list, scored), key=lambda names: (names != ["score"], len(names)))
    for outcome in scored:
        failed = list(outcome) == ["score"] and _same(outcome["score"], error_score)
        if set(outcome) != set(metrics) and not failed:
            raise ValueError(
                "`scoring` must give the same metrics for every model and split; got "
                f"{shown_list(map(repr, metrics))}, and elsewhere "
                f"{shown_list(map(repr, outcome))}."
            )
    return metrics


def _same(score: float, error_score: Any) -> bool:
    return score == error_score or (np.isnan(score) and error_score != error_score)


def warn_of_failures(
    outcomes: list[Any], names: list[str], error_score: Any, dataset: str = ""
) -> None:
    """Issue one warning that lists the fits that failed; `dataset` is one of several."""
    failed = [isinstance(outcome, str) for outcome in outcomes]
    if not any(failed):
        return
    n_splits = len(outcomes) // len(names)
    lines = []
    for k, name in enumerate(names):
        own = [o for o in outcomes[k * n_splits : (k + 1) * n_splits] if isinstance(o, str)]
        if own:
            # One warning for all fits: `cross_validate` on one split raises instead of warning.
            lines.append(f"{name}: {len(own)} of {n_splits}, the first with {own[0]}")
    where = f" on {shown(dataset)}" if dataset else ""
    failures = f"{sum(failed)} of {len(outcomes)} fits failed{where}. " + "; ".join(lines)
    if all(failed):
        raise NothingFitsError(failures)
    warn_user(
        f"{failures}. Their scores are set to {error_score}.",
        "fits-failed",
        FitFailedWarning,
    )


Cell = tuple[int, int, int]
"""Which fit: of a data set, a model on a split."""


class Fit(NamedTuple):
    """A fit that is to be made.

    Attributes
    ----------
    cell : (int, int, int)
        Data set, model and split.
    model : estimator
        Not fitted.
    name : str
        Name of the model, for messages.
    ledger : str or None
        The ledger of a search of this package within the model.
    X, y : object
        The data.
    split : (array, array)
        Training and test samples.
    options : dict
        Options of ``cross_validate``.
    of_values : bool or None
        Whether to keep values of samples rather than responses; None to keep neither.
    """

    cell: Cell
    model: Any
    name: str
    ledger: str | None
    X: Any
    y: Any
    split: Any
    options: dict[str, Any]
    of_values: bool | None


def pooled(
    fits: Iterable[Fit], n_jobs: int | None, pre_dispatch: int | str
) -> Iterator[tuple[Cell, FinishedFit]]:
    """Make the fits; yield them as they end.

    Everything inside a fit runs with one job if the pool has more.
    """
    is_parallel = effective_n_jobs(n_jobs) > 1
    options = {"n_jobs": n_jobs, "pre_dispatch": pre_dispatch}
    # scikit-learn's Parallel passes its configuration to the workers (from 1.3 on).
    try:
        pool = Parallel(return_as="generator_unordered", **options)
    except (TypeError, ValueError):
        # joblib has it from 1.4 on, and not for multiprocessing: all outcomes come at the end.
        pool = Parallel(**options)
    yield from pool(delayed(_finished)(fit, is_parallel) for fit in fits)


def _finished(fit: Fit, one_job: bool) -> tuple[Cell, FinishedFit]:
    """A fit, in a worker: scores by metric or the reason of a failure, and what is kept."""
    start = time.perf_counter()
    # Without its ledger rather than not at all.
    path = None if fit.ledger is None or OuterLedger.is_in_use(fit.ledger) else fit.ledger
    estimator = for_one_split(fit.model, one_job=one_job, ledger=path)
    arrays: dict[str, Any] = {}
    options = fit.options
    try:
        if fit.of_values is not None:
            raises = options["error_score"] == "raise"
            scorers = check_scoring(estimator, scoring=options["scoring"], raise_exc=raises)
            keeping = _responses.Keeping(of_values=fit.of_values, into=arrays)
            # One job, because another process would not return the kept responses.
            options = {**options, "scoring": _responses.recording(scorers, keeping), "n_jobs": 1}
        scores, fitted = _scores(estimator, fit.X, fit.y, fit.split, options)
        choice = None if fitted is None else choice_of(fitted)
        if choice is not None:
            arrays[_responses.CHOICE] = choice
    except Exception as error:
        # For example a model without `predict_proba` among several metrics: scikit-learn (1.6 to
        # 1.9) raises whatever `error_score` is.
        error.add_note(f"This was the model {fit.name!r}.")
        raise
    return fit.cell, FinishedFit(scores, time.perf_counter() - start, arrays)


class KeptOfModels(NamedTuple):
    """Responses of models to the test samples of splits, or values of these."""

    responses: _responses.Responses
    of_values: bool
    """Whether the values of samples are computed during the fits."""


def scoring_of_models(
    models: Sequence[Any],
    scoring: Any,
    X: Any,
    y: Any,
    groups: Any,
    error_score: Any,
    params: Mapping[str, Any],
) -> _responses.Scoring:
    """What the models are scored with."""
    scorers = by_metric(check_scoring(models[0], scoring=scoring))
    weights = _responses.weights_by_metric(scorers, params, of_search=False)
    return _responses.Scoring.of(X, y, scorers, models[0], groups, error_score, weights)


def kept_of_models(
    scoring: _responses.Scoring, shape: tuple[int, int], splits: Any, keeps: Any
) -> KeptOfModels:
    """Return room for what is kept, models × samples; `keeps` is True or "values".

    ValueError if there is not enough memory.
    """
    scorers, model, (n_models, n_samples) = scoring.scorers, scoring.estimator, shape
    tests = tested_samples(splits, n_samples)
    n_tested = sum(test.size for test in tests)
    check_memory(scorers, model, scoring.y, keeps=keeps, n_candidates=n_models, n_tested=n_tested)
    only_values = keeps == "values"
    return KeptOfModels(
        _responses.Responses(are_values=only_values).widened(tests, n_samples),
        only_values and values_suffice(scorers, model, grouped=scoring.groups is not None),
    )


def refuse_datasets(X: Any) -> None:
    """Raise ValueError for a mapping of data sets."""
    if isinstance(X, Mapping):
        raise ValueError(
            "`X` must be the samples of one data set; got a mapping of "
            f"{shown_list(map(repr, X))}. Call this for each data set, or compare models over "
            "several by cross_validate_models."
        )


def named_models(models: Any, name: str = "models") -> tuple[list[str] | None, list[Any]]:
    """Checked names, or None if they are not given, and estimators."""
    if isinstance(models, Mapping):
        # Labels are text, so 1 and "1" would be equal.
        names, estimators = [str(own) for own in models], list(models.values())
        if len(set(names)) < len(names):
            raise wrong(name, "have different names, as text", list(models))
    # Each letter of text would be a model.
    elif isinstance(models, Sequence) and not isinstance(models, str):
        names, estimators = None, list(models)
    else:
        raise TypeError(
            f"`{name}` must be a mapping of names to estimators or a sequence of estimators; got "
            f"{type(models).__name__}."
        )
    if not estimators:
        raise ValueError(f"`{name}` must contain at least one estimator; got {models!r}.")
    for estimator in estimators:
        if not hasattr(estimator, "fit") or isinstance(estimator, type):
            raise TypeError(
                f"`{name}` must contain estimator instances with a `fit` method; got "
                f"{shown(estimator)}."
            )
    return names, estimators


def drawn_splits(
    cv: Any,
    X: Any,
    y: Any,
    groups: Any,
    estimators: list[Any],
    book: OuterLedger | None = None,
) -> list[Any]:
    """The splits, drawn once for all models; those of a former run if a ledger has them."""
    kinds = {is_classifier(estimator) for estimator in estimators}
    if len(kinds) > 1 and (cv is None or isinstance(cv, int | np.integer)):
        raise ValueError(
            "`cv` must be a splitter, such as KFold(5), if only some of the models are "
            f"classifiers, because it is not clear whether to stratify; got {shown(cv)}."
        )
    # check_cv stratifies a number of folds where this is True and `y` holds classes.
    classifier = kinds == {True}
    try:
        if book is None:
            splits = list(check_cv(cv, y, classifier=classifier).split(X, y, groups))
        else:
            splits = book.settle(cv, groups, classifier=classifier)
    except ValueError as error:
        if groups is None and "'groups' parameter" in str(error):
            raise ValueError(
                f"`groups` must be given for {shown(cv)}, also where `params` have some; got None."
            ) from None
        raise
    if not splits:
        raise ValueError(f"`cv` must give at least one split; got none from {shown(cv)}.")
    return check_splits("cv", splits, count_samples(X))


class ByMetric(dict[str, Any]):
    """A comparison for each metric, of one data set or over several, under scikit-learn's names.

    A single metric has the key "score", as in ``cross_validate``, and its own name works too.
    """

    def __missing__(self, key: Any) -> Any:
        """The only comparison, if `key` is its metric."""
        own = self.get("score")
        if own is not None and key == own.metric:
            return own
        names = [*self, *([own.metric] if own is not None and own.metric != "score" else [])]
        raise KeyError(f"no metric {shown(key)}; the keys are {shown_list(map(repr, names))}")

    def report(self, format: ReportFormat = "text", **options: Any) -> str:
        """Report every metric, with one table of all; as `report` does."""
        # Imported when it is asked for, like everything of reports/.
        from sklearn_stats_compare.reports import report

        return report(self, format, **options)

    def __repr__(self) -> str:
        return "\n\n".join(f"[{key!r}]\n{comparison!r}" for key, comparison in self.items())

    def _repr_html_(self) -> str:
        return "".join(
            f"<p><code>[{escape(visible(repr(key)))}]</code></p>{comparison._repr_html_()}"
            for key, comparison in self.items()
        )


def check_one_score(names: Sequence[str], models: Sequence[Any]) -> None:
    """Raise ValueError if the models' own scores are different metrics."""
    by_metric: dict[str, list[str]] = {}
    for name, model in zip(names, models, strict=True):
        by_metric.setdefault(own_metric(model), []).append(name)
    if len(by_metric) > 1:
        listed = "; ".join(f"{m} for {shown_list(of)}" for m, of in by_metric.items())
        raise ValueError(
            "`scoring` must be given if the `score` methods of the models compute different "
            f"metrics; got None, which is {listed}. Pass one metric that suits all models, or "
            "compare only models of the same kind."
        )


def name_of_scores(scoring: Any, models: Sequence[Any]) -> str:
    """Display name of the only metric."""
    if scoring is not None:
        return name_of_scorer(scoring) or "score"
    names = set(map(own_metric_name, models))
    name = names.pop() if len(names) == 1 else "score"
    # The scorer of a search may be a function, which is shown as "<function …>".
    return "score" if name.startswith("<") else name


def check_estimator(name: str, estimator: Any) -> None:
    """Raise TypeError unless `estimator` has ``fit`` and is not a class."""
    if not hasattr(estimator, "fit") or isinstance(estimator, type):
        raise TypeError(f"`{name}` must be an estimator, with `fit`; got {shown(estimator)}.")


def check_fitting(n_jobs: Any, verbose: Any = 0, error_score: Any = np.nan, cv: Any = None) -> None:
    """Raise ValueError for arguments that joblib and scikit-learn would refuse during the fits."""
    # joblib treats True as 1 job, and rejects 0 with "n_jobs == 0 in Parallel has no meaning".
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and (not whole or n_jobs == 0 or abs(n_jobs) > _MOST_JOBS):
        raise wrong("n_jobs", "be None or a whole number, −1 for all processors, but not 0", n_jobs)
    if not isinstance(verbose, Integral) or verbose < 0:
        raise ValueError(f"`verbose` must be a whole number ≥ 0; got {shown(verbose)}.")
    # Not `in`: an array would be compared element by element.
    text = isinstance(error_score, str) and error_score == "raise"
    number = isinstance(error_score, Real) and not isinstance(error_score, bool)
    if not text and not number:
        raise ValueError(f"`error_score` must be 'raise' or a number; got {shown(error_score)}.")
    if isinstance(cv, bytes | bytearray):  # which have a `split` of another kind
        raise wrong("cv", "be a number of folds, a splitter, or an iterable of (train, test)", cv)


_MOST_JOBS = 10**6

_LONGEST_VALUE = 200

_LONGEST_LABEL = 60

_SCORERS = ((ClassifierMixin, "accuracy"), (RegressorMixin, "r2"))
"""Classes whose `score` is that of a scorer."""

# By name: with sklearn.neighbors the import of this package would take longer.
_ACCURACIES = ("KNeighborsClassifier.score", "RadiusNeighborsClassifier.score")
"""Methods of scikit-learn that only allow X to be None, and call that of `ClassifierMixin`."""


Searches = Mapping[str, tuple[Any, str]]
"""The searches in procedures, by name, each with the prefix of its parameters."""


def search_in(procedure: Any) -> tuple[Any, str] | None:
    """The search that a procedure is or ends in, and the prefix of its parameters of ``fit``."""
    prefix = ""
    while True:
        # Also searches of other packages, and those that are fitted.
        if hasattr(procedure, "_run_search") or hasattr(procedure, "best_params_"):
            return procedure, prefix
        if type(procedure).__name__.endswith("SearchCV"):
            return procedure, prefix
        if isinstance(procedure, Pipeline):
            name, procedure = procedure.steps[-1]
            prefix += f"{name}__"
        elif _transforms_target(procedure):
            # Its own ``fit`` passes parameters on as they are.
            procedure = getattr(procedure, "regressor_", procedure.regressor)
        else:
            return None


def _transforms_target(procedure: Any) -> bool:
    # Here, because sklearn.compose imports all linear models.
    from sklearn.compose import TransformedTargetRegressor

    return isinstance(procedure, TransformedTargetRegressor)


def for_one_split(procedure: Any, *, one_job: bool, ledger: str | None) -> Any:
    """A clone for an outer split.

    With `one_job`, nothing in it runs in parallel, because outer splits do. Its search is given
    `ledger` if it takes one and has none.
    """
    own = clone(procedure)
    if one_job:
        found = own.get_params(deep=True).items()
        jobs = {k: 1 for k, v in found if k.rpartition("__")[2] == "n_jobs" and v not in (None, 1)}
        own.set_params(**jobs)
    found_search = search_in(own)
    if ledger is not None and found_search is not None:
        search, _ = found_search
        if search.get_params(deep=False).get("ledger", ledger) is None:
            search.set_params(ledger=ledger)
    return own


def check_params(params: Any) -> None:
    """Raise ValueError if arguments of `fit` are not given by name."""
    if params is not None and not isinstance(params, Mapping):
        raise ValueError(f"`params` must be a mapping of names to values; got {shown(params)}.")


def params_of_fit(procedure: Any, params: Mapping[str, Any] | None, groups: Any) -> dict[str, Any]:
    """Arguments of a procedure's ``fit``, with groups if its search splits by groups."""
    found = search_in(procedure)
    given = dict(params or {})
    if groups is None:
        return given
    if get_config()["enable_metadata_routing"]:
        # scikit-learn routes them itself, without a prefix, to who asks for them.
        router = getattr(procedure, "get_metadata_routing", None)
        if router is not None and router().consumes("fit", ["groups"]):
            given.setdefault("groups", groups)
    elif found is not None and _uses_groups(found[0]):
        given.setdefault(f"{found[1]}groups", groups)
    return given


def warn_of_ungrouped(searches: Searches, splits: Iterable[tuple[Any, Any]], groups: Any) -> None:
    """Warn of searches that split without the groups that the outer splits keep together."""
    named = [name for name, (search, _) in searches.items() if not _uses_groups(search)]
    units = np.unique(np.asarray(groups, dtype=object).astype(str), return_inverse=True)[1]
    # scikit-learn says so where a splitter ignores them.
    if named and not any(np.isin(units[test], units[train]).any() for train, test in splits):
        warn_user(
            f"The outer splits use `groups`, but the search in {', '.join(named)} splits without "
            "them: it tunes on samples of groups that it was trained on. Give it a splitter such "
            "as GroupKFold.",
            "grouped-outer-splits",
        )


def check_searches(plan: Any, n_jobs: Any) -> None:
    """Refuse what searches among the models cannot do in parallel; warn of those without groups."""
    found = zip(plan.labels, map(search_in, plan.estimators), strict=True)
    searches = {name: own for name, own in found if own is not None}
    if effective_n_jobs(n_jobs) > 1:
        check_own_ledgers(searches)
    if plan.groups is not None:
        warn_of_ungrouped(searches, plan.splits, plan.groups)


def check_own_ledgers(searches: Searches) -> None:
    """Raise ValueError if parallel fits would share the ledger of a search."""
    for name, (search, _) in searches.items():
        if getattr(search, "ledger", None) is not None:
            raise ValueError(
                f"`procedure` {name!r} has a search with a `ledger` of its own, which one fit at a "
                "time can use; got more than one job. Give nested_score the `ledger` instead."
            )


def _uses_groups(search: Any) -> bool:
    try:
        requests = search.cv.get_metadata_routing().split.requests
    except AttributeError:  # a number, an iterable, or a splitter of another package
        return False
    return bool(requests.get("groups"))


def choice_of(fitted: Any) -> NDArray[np.uint8] | None:
    """What the search in a fitted procedure chose, as JSON in UTF-8; None without a search."""
    found = search_in(fitted)
    if found is None or not hasattr(found[0], "best_params_"):
        return None
    search, _ = found
    # A transformed target has scores in other units.
    is_comparable = not _transforms_target(fitted) and not mixed_metrics(
        search, getattr(search, "cv_results_", {}).get("params", ())
    )
    read = Reader()
    chosen = {
        "params": {name: _plain(value, read) for name, value in search.best_params_.items()},
        "keys": {name: identity(value) for name, value in search.best_params_.items()},
        "score": _inner_score(search),
        "metric": (name_of_scorer(own_scoring(search)) or None) if is_comparable else None,
        "is_own": is_comparable,
    }
    return np.frombuffer(json.dumps(chosen).encode(), dtype=np.uint8)


def _inner_score(search: Any) -> float | None:
    score = getattr(search, "best_score_", None)
    if score is None:  # scikit-learn sets none where `refit` is a callable
        results = getattr(search, "cv_results_", {})
        means = [name for name in results if name.startswith("mean_test_")]
        # A rule of this package may name one of several metrics.
        mean = means[0] if len(means) == 1 else f"mean_test_{_metric_of_rule(search)}"
        if mean in means:
            score = results[mean][search.best_index_]
    return None if score is None or not np.isfinite(score) else float(score)


def _metric_of_rule(search: Any) -> str | None:
    refit = getattr(search, "refit", None)
    return None if isinstance(refit, str) else getattr(refit, "metric", None)


def common_scoring(models: Iterable[Any], has_params: bool) -> Any:
    """The scorer, or its name, that gives what each model's `score` does; None if none is known."""
    if has_params and get_config()["enable_metadata_routing"]:
        return None  # a scorer by name has no requests for metadata
    found = {identity(parts_of_scorer(own) or own): own for own in map(own_scoring, models)}
    return found.popitem()[1] if len(found) == 1 else None


def own_scoring(model: Any) -> Any:
    """The scorer, or its name, that gives what ``model.score`` does; None if none is known to."""
    own = inspect.getattr_static(type(model), "score", None)
    if own is inspect.getattr_static(Pipeline, "score"):
        return own_scoring(model.steps[-1][1])
    searches = (GridSearchCV, StatisticalSearchMixin)
    if any(own is inspect.getattr_static(each, "score") for each in searches):  # BaseSearchCV's
        scoring, refit = model.scoring, model.refit
        if scoring is None:
            return own_scoring(model.estimator)
        by = refit if isinstance(refit, str) else _metric_of_rule(model)
        if isinstance(scoring, Mapping | list | tuple | set) and len(scoring) == 1:
            (by,) = scoring
        if isinstance(scoring, Mapping):
            scoring = scoring.get(by)
        elif isinstance(scoring, list | tuple | set):
            scoring = by
        name = name_of_scorer(scoring)
        if isinstance(scoring, str) or (name.isidentifier() and is_of_scikit_learn(name)):
            return name
        return scoring if parts_of_scorer(scoring) else None
    for mixin, name in _SCORERS:
        if own is inspect.getattr_static(mixin, "score"):
            return name
    is_known = getattr(own, "__module__", "").startswith("sklearn.")
    return "accuracy" if is_known and own.__qualname__ in _ACCURACIES else None


def _plain(value: Any, read: Reader) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    return read(value, in_full=True)


def labels_of(distinct: Sequence[Mapping[str, Any]]) -> list[str]:
    """A label in the form ``C=1, gamma=0.1`` for each choice, with all its parameters.

    Unlike the labels of a comparison, these include parameters that all choices share.
    """
    names = {name for one in distinct for name in one}
    last = Counter(name.rpartition("__")[2] for name in names)
    found: list[str] = []
    for one in distinct:
        parts = []
        for name, value in one.items():
            short = name.rpartition("__")[2]
            parts.append(f"{short if last[short] == 1 else name}={value}")
        label = shortened(", ".join(parts) or "no parameters", _LONGEST_LABEL)
        found.append(label if label not in found else f"{label} ({len(found) + 1})")
    return found
