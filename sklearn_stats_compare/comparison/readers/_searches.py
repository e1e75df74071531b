"""Fitted searches, ``cv_results_`` and Optuna's studies → scores, and how they were chosen.

Searches are recognised by the module of their code, so that no package need be imported here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import check_option, shown, shown_list, warn_user
from sklearn_stats_compare.comparison import _tables
from sklearn_stats_compare.comparison._labels import CandidateLabels
from sklearn_stats_compare.comparison._saving import (
    INDEPENDENT,
    split_and_metric,
    split_column,
)
from sklearn_stats_compare.comparison.readers import _matrix, _metrics, _rows, _sizes
from sklearn_stats_compare.comparison.readers._long_table import (
    cell_text,
    direction_of,
)
from sklearn_stats_compare.predictions._predicted import independent_units
from sklearn_stats_compare.predictions._responses import Scoring, by_metric, name_of_weights
from sklearn_stats_compare.predictions._scorers import read_scorer
from sklearn_stats_compare.stats._score_range import are_counts
from sklearn_stats_compare.stats._scores import SplitDesign, SplitScores

_FIXED_SEARCHES = ("GridSearch", "RandomizedSearch", "RandomSearch")

# Optuna's samplers that use no scores: random, grid, quasi-random, brute force.
FIXED_SAMPLERS = ("RandomSampler", "GridSampler", "QMCSampler", "BruteForceSampler")


def check_splits(search: Any) -> None:
    """Raise ValueError unless all candidates of a search are known to have the same splits.

    A search that runs scikit-learn's own `fit` and `_run_search` splits once for all candidates, or
    is a halving search, which rejects a splitter that may change. Any other search may split anew
    for each candidate or batch, so it needs splits that are the same at every call.
    """
    # Both methods, because a subclass elsewhere may override either. scikit-learn's `fit` splits
    # once for each batch of candidates. Its grid and randomized searches have one batch; halving
    # has several, and raises unless `_yields_constant_splits(cv)`.
    packages = {_sizes.package_of(type(search), name) for name in ("fit", "_run_search")}
    if packages == {"sklearn"}:
        return
    cv = getattr(search, "cv", _sizes.ABSENT)
    if _sizes.is_constant(cv):
        return
    of = "no `cv`" if cv is _sizes.ABSENT else f"cv={shown(cv)}"
    raise ValueError(
        "`obj` must be a search whose candidates were scored on the same splits; got "
        f"{type(search).__name__} with {of}, which may have split anew for each candidate. Give "
        "the search a splitter with an integer `random_state`, or a list of splits. Where you "
        "know that the splits were the same, compare its `cv_results_`."
    )


def metric_of(search: Any, metric: str | None, metrics: list[str]) -> tuple[str, str]:
    """The metric to compare by: its name in ``cv_results_`` and its display name.

    A single metric is "score" there, whatever the search's `scoring` is; of several metrics, the
    default is the refit metric.
    """
    refit = getattr(search, "refit", None)
    # scikit-learn calls a single metric "score" in ``cv_results_``, whatever it is.
    if metrics == ["score"]:
        name = _sizes.single_metric_name(search)
        if metric is not None:
            check_option("metric", metric, dict.fromkeys((name, "score")))
        return "score", name
    if metric is None and len(metrics) > 1:
        # A rule of this package as `refit` names its metric; the metric of other callables is
        # unknown.
        by = refit if isinstance(refit, str) else getattr(refit, "metric", None)
        if isinstance(by, str) and by in metrics:
            return by, by
    chosen = _sizes.chosen_metric(metric, metrics)
    return chosen, chosen


def is_of_optuna(results: Iterable[Any]) -> bool:
    """Whether columns are those of Optuna's trials_dataframe; scikit-learn's are param_C."""
    return any(str(key).startswith("params_") for key in results)


def _chose_by_scores(search: Any) -> bool:
    if _sizes.package_of(type(search), "_run_search") == "sklearn":
        return False
    # By name, because other packages have no common class: they name their grid and random searches
    # after scikit-learn's.
    if is_fixed(type(search).__name__):
        return False
    sampler = getattr(getattr(search, "study_", None), "sampler", None)  # of Optuna
    return type(sampler).__name__ not in FIXED_SAMPLERS


def is_fixed(name: str) -> bool:
    """Whether a search of this name lists its candidates before it sees a score."""
    return any(word in name for word in _FIXED_SEARCHES)


def read_search(search: Any, metric: str | None, sizes: _sizes.Sizes) -> _sizes.ParsedScores:
    """A fitted search with ``cv_results_``."""
    if has_study(search):
        # Its cv_results_ lacks the parameters, has scores of trials that were stopped early, and
        # raises KeyError where a trial failed.
        check_splits(search)
        return read_study(search.study_, metric, sizes, search)
    # Hyperband and the other incremental searches of dask-ml.
    if isinstance(search.cv_results_, Mapping) and "partial_fit_calls" in search.cv_results_:
        raise ValueError(
            "`obj` must be a search that scored its candidates on several splits; "
            f"{type(search).__name__} scored each on one test set, after other numbers of calls "
            "to `partial_fit`. Score the candidates that matter by `cross_validate_models`."
        )
    # RidgeCV and others have an array of that name.
    if not isinstance(search.cv_results_, Mapping):
        raise ValueError(
            "`obj` must be a search with columns such as split0_test_score in its `cv_results_`; "
            f"{type(search).__name__} has none. Score the models by `cross_validate_models`."
        )
    check_splits(search)
    return read_results(search.cv_results_, metric, sizes, search)


def read_results(
    results: Any, metric: str | None, sizes: _sizes.Sizes, search: Any = None
) -> _sizes.ParsedScores:
    """A ``cv_results_``, as a mapping or as a DataFrame, and its search, if known."""
    if not isinstance(results, pd.DataFrame):
        is_read = re.compile(_rows.READ, re.DOTALL).fullmatch
        read = {name: column for name, column in results.items() if is_read(str(name))}
        split = next(filter(_matrix.is_split_column, results), None)
        if split is not None and isinstance(results[split], pd.Series):
            # Names, ranks and others of the same rows, perhaps in another order.
            rows = set(results[split].index)
            same = (pd.Series, len(results[split]))
            read |= {
                name: column
                for name, column in results.items()
                if (type(column), np.size(column)) == same and set(column.index) == rows
            }
        results = {**results, **_matrix.aligned(read)}
    elif search is None:
        results = _rows.with_saved_index(results)
    # A note on error rates if candidates were chosen by scores; "" otherwise.
    if search is not None:
        chose = type(search).__name__ if _chose_by_scores(search) else None
    else:
        chose = "Optuna" if is_of_optuna(results) else None
    note = "" if chose is None else _tables.chosen_by_search(chose)
    # The two columns that `BaseSuccessiveHalving._run_search` of scikit-learn adds.
    last: NDArray[np.intp] | None = None
    is_sorted = isinstance(results, pd.DataFrame) and _matrix.is_permuted(results.index)
    numbers = results.index.to_numpy().astype(int) if is_sorted else None
    about = _rows.Rows.of(results) if search is None else None
    row_names, whole = list(_rows.index_of(results)), results
    if "iter" in results and "n_resources" in results:
        results, last, note = _last_iteration(results)
    by_metric = _matrix.split_columns(results)
    if not by_metric:
        raise ValueError("`obj` must have columns such as split0_test_score; it has none.")
    own = about.metric if about is not None and list(by_metric) == ["score"] else None
    column, name = metric_of(search, None if metric == own else metric, list(by_metric))
    name = own or name
    _matrix.check_every_split(by_metric[column], column)
    values = _matrix.score_matrix(results, by_metric[column])
    if not values.size:
        raise ValueError("`obj` must hold at least one candidate; it is empty.")
    design = sizes.design(values.shape[1], search=search)
    # A search maximizes, and ranks by that. Other tables, as of the trials of a study, may not.
    may_be_loss, lower = search is None, None
    if search is None:
        lower, ranks = direction_of(whole), results.get(f"rank_test_{column}")
        if lower is None and ranks is not None:
            lower = _rows.direction_by_rank(_matrix.entries(ranks, "rank", len(values)), values)
            may_be_loss = lower is not False
    # After the scores are read: dropped candidates of a race have NaN on the splits not run; they
    # are left out, not counted as failed.
    rows, arguments = _survivors(results, values, column)
    arguments["note"] = _tables.joined_notes(arguments.get("note"), note)
    places = rows if last is None else last[rows]
    if last is not None or numbers is not None:
        arguments["_candidates"] = (places if numbers is None else numbers[places]).tolist()
    about = None if about is None else about.among(places)
    params = _matrix.params_of(results, len(values))
    if params is not None:
        params = [params[i] for i in rows]
        params = params if about is None else about.with_names(params, values[rows])
        mixed = _sizes.mixed_metrics(search, params) if column == "score" else ""
        if mixed:
            warn_user(mixed, "comparison-warnings")
            name, arguments["note"] = "score", _tables.joined_notes(arguments["note"], mixed)
    models: list[str] = []
    labels: Sequence[str] | None = None
    if about is not None:
        models = [
            " ".join(map(cell_text, own)) for own in zip(*(c for _, c in about.models), strict=True)
        ]
        labels = about.names() if params is None else about.labels()
        if labels or models:
            _matrix.check_names(labels or models, (), values[rows])
        _matrix.check_rows(pd.Index(row_names), values)
        if params is None and labels is None and numbers is not None:
            labels = [str(number) for number in arguments["_candidates"]]
        elif params is None and labels is None and about.columns:
            labels = CandidateLabels(map(str, arguments.get("_candidates", rows)), _rows.NUMBERED)
    scores = SplitScores(values[rows], design)
    if search is not None:
        scores = replace(scores, **_units(search, column, scores, sizes.data))
    return _sizes.ParsedScores(
        scores,
        name,
        labels=labels,
        params=params,
        arguments=arguments,
        may_be_loss=may_be_loss,
        of_scorer=own is None,
        lower_is_better=lower,
        models=models,
        rows=places.tolist(),
        row_names=row_names,
    )


def _units(
    search: Any, metric: str, scores: SplitScores, data: _sizes.Data | None
) -> Mapping[str, Any]:
    """What `SplitScores` takes of the scorer of a search, and of its data if they are given."""
    scorers, design = by_metric(getattr(search, "scorer_", None)), scores.design
    if scorers.get(metric) is None:
        return {}
    estimator, given = getattr(search, "estimator", None), getattr(search, "error_score", np.nan)
    failed = given if isinstance(given, Real) else np.nan
    reading = read_scorer(scorers[metric], estimator)
    if reading.is_sum and not design.sizes_known:
        raise ValueError(
            f"`X` must be given for a sum, or `n_train` and `n_test`; {metric!r} is one, with "
            "normalize=False, and what a sample contributes depends on their number."
        )
    takes = hasattr(scorers[metric], "get_metadata_routing") and name_of_weights(scorers[metric])
    if takes and data is not None:
        warn_user(
            f"The scorer of {metric!r} takes weights. If the search was fitted with some, they are "
            "not known here, and the number of samples on which equal candidates agree counts all "
            "alike, which may be too many.",
            "comparison-warnings",
        )
    if data is None:
        rows, own = np.arange(int(np.ceil(design.samples_per_repeat))), _sizes.Data(None)
    else:
        rows, own = data.tested(search, design.n_splits), data
    scoring = Scoring.of(own.X, own.y, {metric: scorers[metric]}, estimator, own.groups, failed)
    try:
        found = dict(independent_units(scoring, design, [metric], rows)[metric])
    except TypeError as error:
        raise ValueError(
            f"`y` must be that of the search, with labels of one kind; {error}."
        ) from None
    if data is None:  # of accuracies and recall it shows in the scores
        name = f"{reading.options.get('average', '')} {reading.metric}"
        of_classes = reading.is_of_counts or reading.metric == "roc_auc_score"
        if are_counts(name) and of_classes:  # shares of a class, and not of all test samples
            scores = replace(scores, design=replace(design, sizes_known=False))
        n = scores.n_shared if are_counts(name) or design.sizes_known else np.inf
        if np.isinf(n) and (of_classes or not design.sizes_known):
            n = float(design.splits_per_repeat)
        found["n_independent"] = min(n, found.get("n_independent", n))
    return found


def _last_iteration(results: Any) -> tuple[Any, NDArray[np.intp], str]:
    """The candidates of a halving search with the most resources, their rows, and a note."""
    # In an edited CSV file, cells may be empty or text.
    iteration = _matrix.numbers(results["iter"], "iter")
    if not iteration.size or not np.isfinite(iteration).all():
        raise ValueError("`obj` must hold the number of an iteration for every row of `iter`.")
    last = np.flatnonzero(iteration == iteration.max())
    note = ""
    if last.size < iteration.size:
        note = _tables.kept_by_halving()
        _tables.warn_of_last_iteration(last.size, iteration.size)
    # pandas selects rows by one index; in a mapping each column is an array or a list.
    if isinstance(results, pd.DataFrame):
        return results.iloc[last], last, note
    kept = {}
    for key, value in results.items():
        # Nothing else is used, and a column of another length must not raise an error.
        if str(key).startswith(("split", "param")):
            column = _matrix.entries(value, str(key), iteration.size)
            kept[key] = [column[i] for i in last]
    return kept, last, note


def _survivors(results: Any, values: Any, metric: str) -> tuple[Any, dict[str, Any]]:
    """`survivors` for results that a user may have edited."""
    # `survivors` counts candidates by a split's column, as in cv_results_.
    race: dict[str, Any] = {"split0": values[:, 0]}
    if "eliminated_at" in results:
        for name in ("eliminated_at", "elimination_pvalue"):
            if name not in results:
                raise ValueError(f"`obj` must hold {name} where it is of a race; it does not.")
            race[name] = _matrix.numbers(_matrix.entries(results[name], name, len(values)), name)
        if "elimination" in results:  # not in files of older versions
            why = results["elimination"]
            race["elimination"] = _matrix.entries(why, "elimination", len(values))
    if "n_splits_evaluated" in results:
        evaluated = results["n_splits_evaluated"]
        evaluated = _matrix.entries(evaluated, "n_splits_evaluated", len(values))
        race["n_splits_evaluated"] = _matrix.numbers(evaluated, "n_splits_evaluated")
    return survivors(race, metric)


_PREFIX = "mean_test_"

INFERIOR = "inferior"
"""In the column "elimination": a candidate that a race dropped as worse on new data."""


def metrics_of(cv_results: Mapping[str, Any]) -> list[str]:
    """Names of the metrics in `cv_results`; a single metric is called "score"."""
    return [key.removeprefix(_PREFIX) for key in cv_results if str(key).startswith(_PREFIX)]


def n_split_columns(cv_results: Mapping[str, Any], metric: str) -> int:
    """Number of splits with test scores in `cv_results`."""
    found = (split_and_metric(key) for key in cv_results)
    return sum(column is not None and column[1] == metric for column in found)


def split_scores(cv_results: Mapping[str, Any], metric: str, design: SplitDesign) -> SplitScores:
    """The split scores of one metric of `cv_results`, candidates × splits."""
    columns = [cv_results[split_column(k, metric)] for k in range(design.n_splits)]
    known = cv_results.get(INDEPENDENT, {}).get(metric, {})
    return SplitScores(np.column_stack(columns), design, **known)


def inferior_in(metric: str) -> str:
    """Entry of "elimination" for a candidate that is worse on new data by this metric."""
    return INFERIOR if metric == "score" else f"{INFERIOR} in {metric}"


def survivors(
    cv_results: Mapping[str, Any], metric: str = "score"
) -> tuple[NDArray[np.intp], dict[str, Any]]:
    """Rows of `cv_results` that were evaluated to the end, and arguments of a `Comparison`.

    All rows and no arguments if the results are not of a race or an extension, or no candidate was
    dropped. A dropped candidate ran on some splits only and cannot be compared.
    """
    n = len(cv_results[next(key for key in cv_results if str(key).startswith("split"))])
    dropped = ~np.isnan(_column(cv_results, "eliminated_at", n))
    if dropped.all():  # the last ones failed, and no candidate finished
        return np.arange(n), {}
    evaluated = _column(cv_results, "n_splits_evaluated", n)
    left_out = ~dropped & (evaluated < evaluated[~dropped].max())
    rows = np.flatnonzero(~dropped & ~left_out)
    if len(rows) == n:
        return rows, {}
    said = []
    dropped_pvalue = None
    if dropped.any():
        pvalues = _column(cv_results, "elimination_pvalue", n)[dropped]
        why = np.array(list(map(str, cv_results.get("elimination", [""] * n))))[dropped]
        worse = (why == inferior_in(metric)) & np.isfinite(pvalues)
        n_failed = int(np.isnan(pvalues).sum())
        failed = f", {n_failed:,} of them for a failed split" if n_failed else ""
        were, are, they = ("was", "is", "it") if dropped.sum() == 1 else ("were", "are", "they")
        if worse.all():
            # A p-value that is 0 in double precision is no probability of `Comparison`.
            dropped_pvalue = float(max(pvalues.max(), np.finfo(float).tiny))
            how = (
                f"because {they} {are} worse on new data (adjusted p ≤ {dropped_pvalue:.2g}), and "
                f"{are} not compared."
            )
        else:
            how = (
                f"before the end{failed}, and {are} not compared. Statements about the best refer "
                "to these candidates only."
            )
        said.append(
            f"These are the survivors of a race among {n:,} candidates: {dropped.sum():,} {were} "
            f"dropped {how}"
        )
    if left_out.any():
        dropped_pvalue = None
        why_not = (
            "left out of the last splits, for those that might be the best by the search's metric"
        )
        if not evaluated[left_out].any():  # `max_time` was over within the first split
            why_not = "not evaluated"
        said.append(
            f"{left_out.sum():,} of {n - dropped.sum():,} candidates were {why_not}, and are not "
            "compared."
        )
    return rows, {
        "_candidates": rows.tolist(),
        "note": " ".join(said),
        "_n_entered": n,
        "_dropped_pvalue": dropped_pvalue,
    }


def _column(cv_results: Mapping[str, Any], name: str, n: int) -> NDArray[np.float64]:
    """A column that races and extensions add; NaN where there is none."""
    return np.asarray(list(cv_results.get(name, [np.nan] * n)), dtype=float)


# Optuna is recognised by the module of its classes, and never imported.


def is_study(obj: Any) -> bool:
    """Whether an object is a study of Optuna."""
    is_of_optuna = any(base.__module__.partition(".")[0] == "optuna" for base in type(obj).__mro__)
    return is_of_optuna and hasattr(obj, "trials") and hasattr(obj, "directions")


def has_study(search: Any) -> bool:
    """Whether an object is a fitted search that kept its trials in a study of Optuna."""
    return is_study(getattr(search, "study_", None))


def read_study(
    study: Any, metric: str | None, sizes: _sizes.Sizes, search: Any = None
) -> _sizes.ParsedScores:
    """The trials of a study, and the search that ran them, if known."""
    if len(study.directions) != 1:
        raise ValueError(
            "`obj` must be a study with one objective; got one with "
            f"{len(study.directions)}. Compare by each metric separately, from a matrix of its "
            "scores, trials × splits."
        )
    direction = str(study.directions[0].name)
    trials = [trial for trial in study.trials if trial.state.name not in ("RUNNING", "WAITING")]
    # Raise ValueError if a search was given a study with trials of its own.
    n_trials = getattr(search, "n_trials", None)
    # The trials of a study that a search was given may come from another fit, `cv` or data set.
    if n_trials is not None and search.study is not None and len(trials) > n_trials:
        raise ValueError(
            "`obj` must be a search whose candidates were scored on the same splits; the study "
            f"of {type(search).__name__} has {len(trials)} trials and `n_trials` is {n_trials}, "
            "so others come from before this fit. If you know that the splits were the same, "
            "compare its `study_`."
        )
    complete = [k for k, trial in enumerate(trials) if trial.state.name == "COMPLETE"]
    if not complete:
        raise ValueError(
            "`obj` must be a study with complete trials; got "
            f"{count(len(study.trials), 'trial')}, none of them complete."
        )
    own = [trials[k] for k in complete]
    by_metric = _matrix.split_columns({key: None for trial in own for key in trial.user_attrs})
    stopped = np.zeros(len(own), dtype=bool)
    if by_metric:
        single = SimpleNamespace(scoring=_name(study), refit=_name(study))
        column, name = metric_of(single if search is None else search, metric, list(by_metric))
        found = _from_attributes(own, by_metric[column], column)
        sign, said = _sign(own, found, direction, column)
    else:
        name = _sizes.chosen_metric(metric, [_name(study)])
        found, stopped = scores_by_step(own, sizes)
        whole = np.flatnonzero(~stopped)
        sign, said = _sign([own[k] for k in whole], found[whole], direction, name)
    if search is None:
        finished = [own[k] for k in np.flatnonzero(~stopped)]
        of_trials = [(trial.number, trial.params) for trial in finished]
        _rows.check_equal_trials(of_trials, found[~stopped])
    values = np.full((len(trials), found.shape[1]), np.nan)
    values[complete] = sign * found
    design = sizes.design(values.shape[1], search=search)
    if sign < 0:
        name = f"neg_{name}"
        where = "" if said else "Lower scores are better in the study. "
        said = f"{said} {where}The scores are negated here.".strip()
    if search is None:
        said = (
            f"{said} Optuna does not record the splits: nothing shows that all trials had the "
            "same ones."
        ).strip()
    n_stopped = int(stopped.sum()) + sum(trial.state.name == "PRUNED" for trial in trials)
    sampler = type(getattr(study, "sampler", None)).__name__
    chose = f"Optuna's {sampler}" if search is None else type(search).__name__
    chosen = _choice_note("" if sampler in FIXED_SAMPLERS else chose, n_stopped, len(trials))
    return _sizes.ParsedScores(
        SplitScores(values, design),
        name,
        params=[trial.params for trial in trials],
        arguments={"note": _tables.joined_notes(chosen, said, _unfinished(study, trials))},
    )


def _name(study: Any) -> str:
    """The name of the objective."""
    names = getattr(study, "metric_names", None)
    return str(names[0]) if names else "score"


def _from_attributes(
    trials: Sequence[Any], columns: Sequence[tuple[int, Any]], metric: str
) -> NDArray[np.float64]:
    """Scores in user attributes such as ``split0_test_score``, trials × splits."""
    _matrix.check_every_split(columns, metric)
    for trial in trials:
        lacking = [key for _, key in columns if key not in trial.user_attrs]
        if lacking:
            raise ValueError(
                "`obj` must be a study whose complete trials have the same splits; trial "
                f"{trial.number} has no user attribute {shown(lacking[0])}, which others have."
            )
    return np.stack(
        [
            _matrix.numbers([trial.user_attrs[key] for _, key in columns], f"trial {trial.number}")
            for trial in trials
        ]
    )


def _sign(
    trials: Sequence[Any], found: NDArray[np.float64], direction: str, metric: str
) -> tuple[int, str]:
    """1 if higher scores are better and −1 if lower, and a note where this could not be checked.

    The objective shows it: a trial's value is usually the mean of its scores, or minus the mean.
    """
    means, values = found.mean(axis=1), np.array([trial.value for trial in trials])
    known = np.isfinite(means)
    for sign in (1, -1):
        if known.any() and np.allclose(values[known], sign * means[known], rtol=1e-6, atol=0):
            return (sign if direction == "MAXIMIZE" else -sign), ""
    if direction == "MAXIMIZE" and _metrics.is_loss(metric):
        return -1, f"{metric} is lower for better models."
    if direction == "MAXIMIZE":
        return 1, (
            f"Higher {metric} is assumed to be better, as in scikit-learn. The study does not show "
            "it, because the values that it maximized are not the means of these scores."
        )
    raise ValueError(
        "`obj` must show whether higher or lower scores are better; got a study that minimizes "
        f"values that are neither the means of {shown(metric)} over the splits nor minus these. "
        "Compare a matrix of the scores, trials × splits, in which higher is better."
    )


def _choice_note(chose: str, n_stopped: int, n_trials: int) -> str:
    """A note on error rates if scores chose the parameters of trials, or which trials to stop."""
    said = [f"{chose} chose candidates after it had seen scores on these splits"] if chose else []
    if n_stopped:
        said.append(
            f"{'a' if said else 'A'} pruner stopped {n_stopped} of {n_trials} trials, which are "
            "missing here, because of their scores on some of these splits"
        )
    if not said:
        return ""
    note = f"{', and '.join(said)}, {_tables.NO_ERROR_RATES}"
    return _tables.ChosenByScores(note, _tables.UNSEEN_SPLITS)


def _unfinished(study: Any, trials: Sequence[Any]) -> str:
    """A sentence on trials that failed or have not ended."""
    failed = [str(trial.number) for trial in trials if trial.state.name == "FAIL"]
    n_left_out = len(study.trials) - len(trials)
    said = [f"Trials that failed are missing: {shown_list(failed)}."] if failed else []
    if n_left_out:
        said.append(f"Left out: {count(n_left_out, 'trial')} without a result yet.")
    return " ".join(said)


def scores_by_step(
    trials: Sequence[Any], sizes: _sizes.Sizes
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The intermediate values of complete trials, trials × steps, and which ended before the last.

    Raises
    ------
    ValueError
        If nothing shows that the steps are splits. Intermediate values are often those of epochs,
        or running means over folds. They count as scores of splits if the value of each trial is
        their mean, but not their last, or if sizes were given for each of as many splits.
    """
    own = [trial.intermediate_values for trial in trials]
    steps = sorted({step for values in own for step in values})
    if not steps:
        raise ValueError(
            "`obj` must be a study whose trials report one score per split, as user attributes "
            "such as split0_test_score or as intermediate values; its trials have neither. In the "
            "objective, call `trial.set_user_attr(f'split{i}_test_score', score)` for each split."
        )
    found = np.stack(
        [
            _matrix.numbers([values.get(step) for step in steps], f"trial {trial.number}")
            for trial, values in zip(trials, own, strict=True)
        ]
    )
    ended = np.array([[step in values for step in steps] for values in own])
    last = _matrix.numbers([values[max(values)] if values else None for values in own], "a trial")
    stopped: NDArray[np.bool_] = np.logical_not(ended.all(axis=1))
    values = np.array([trial.value for trial in trials])
    means = np.where(ended, found, 0).sum(axis=1) / np.maximum(ended.sum(axis=1), 1)
    # A NaN among the scores of a trial says nothing of the others.
    known = np.isfinite(means) & ended.any(axis=1)
    is_last = bool(known.any()) and np.allclose(values[known], last[known], rtol=1e-6, atol=0)
    is_mean = bool(known.any()) and np.allclose(values[known], means[known], rtol=1e-6, atol=0)
    # Where the last value is the mean too, the scores do not show which of them was meant. The
    # objective of Optuna's WilcoxonPruner returns the mean so far of a trial that it stops.
    are_splits = is_mean or (_n_given(sizes) == len(steps) and not stopped.any())
    if not is_last and are_splits and not stopped.all():
        return np.where(stopped[:, np.newaxis], np.nan, found), stopped
    if is_last:
        why = "each trial's value is the last of them, as of epochs or running means"
    elif is_mean:
        why = "no trial reported all of them"
    else:
        why = "not every trial's value is their mean"
    raise ValueError(
        "`obj` must be a study whose intermediate values are scores of splits; "
        f"{why}, and the steps are {shown_list(map(str, steps))}. Return the mean of the scores "
        "over the splits in the objective, store them as user attributes such as "
        "split0_test_score, or compare a matrix of the scores, trials × splits."
    )


def _n_given(sizes: _sizes.Sizes) -> int | None:
    """Number of splits whose sizes the caller gave one by one."""
    given = sizes.n_test
    is_vector = isinstance(given, Iterable) and not isinstance(given, str)
    return np.size(np.asarray(given)) if is_vector else None
