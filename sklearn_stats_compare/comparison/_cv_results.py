"""A ``cv_results_``, from a fitted search or saved by a user → scores and parameters."""

from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare.comparison._chosen_by_scores import (
    joined_notes,
    kept_by_halving,
    warn_of_last_iteration,
)
from sklearn_stats_compare.comparison._columns import (
    check_every_split,
    entries,
    numbers,
    score_matrix,
    split_columns,
)
from sklearn_stats_compare.comparison._found import Found, Sizes
from sklearn_stats_compare.comparison._optuna_study import has_study, read_study
from sklearn_stats_compare.comparison._params import params_of
from sklearn_stats_compare.comparison._results import survivors
from sklearn_stats_compare.comparison._searches import (
    adaptive_note,
    check_splits,
    is_of_optuna,
    metric_of,
)
from sklearn_stats_compare.stats import SplitScores


def read_search(search: Any, metric: str | None, sizes: Sizes) -> Found:
    """A fitted search with ``cv_results_``."""
    if has_study(search):
        # Its cv_results_ lacks the parameters, has scores of trials that were stopped early, and
        # raises KeyError where a trial failed.
        check_splits(search)
        return read_study(search.study_, metric, sizes, search)
    _check_has_splits(search)
    check_splits(search)
    return read_results(search.cv_results_, metric, sizes, search)


def _check_has_splits(search: Any) -> None:
    # Hyperband and the other incremental searches of dask-ml.
    if "partial_fit_calls" in search.cv_results_:
        raise ValueError(
            "`obj` must be a search that scored its candidates on several splits; "
            f"{type(search).__name__} scored each on one test set, after other numbers of calls "
            "to `partial_fit`. Score the candidates that matter by `cross_validate_models`."
        )


def read_results(results: Any, metric: str | None, sizes: Sizes, search: Any = None) -> Found:
    """A ``cv_results_``, as a mapping or as a DataFrame, and its search, if known."""
    note = adaptive_note(search, results)
    # A search maximizes. The frame of the trials of a study does not say whether the study does.
    may_be_loss = search is None and is_of_optuna(results)
    # The two columns that `BaseSuccessiveHalving._run_search` of scikit-learn adds.
    if "iter" in results and "n_resources" in results:
        results, note = _last_iteration(results)
    by_metric = split_columns(results)
    if not by_metric:
        raise ValueError("`obj` must have columns such as split0_test_score; it has none.")
    column, name = metric_of(search, metric, list(by_metric))
    check_every_split(by_metric[column], column)
    values = score_matrix(results, by_metric[column])
    if not values.size:
        raise ValueError("`obj` must hold at least one candidate; it is empty.")
    design = sizes.design(values.shape[1], search=search)
    # After the scores are read: dropped candidates of a race have NaN on the splits not run; they
    # are left out, not counted as failed.
    rows, arguments = _survivors(results, values, column)
    arguments["note"] = joined_notes(arguments.get("note"), note)
    params = params_of(results, len(values))
    if params is not None:
        params = [params[i] for i in rows]
    return Found(
        SplitScores(values[rows], design),
        name,
        params=params,
        arguments=arguments,
        may_be_loss=may_be_loss,
    )


def _last_iteration(results: Any) -> tuple[Any, str]:
    """The candidates of a halving search with the most resources, and a note on their choice."""
    # In an edited CSV file, cells may be empty or text.
    iteration = numbers(results["iter"], "iter")
    if not iteration.size or not np.isfinite(iteration).all():
        raise ValueError("`obj` must hold the number of an iteration for every row of `iter`.")
    last = np.flatnonzero(iteration == iteration.max())
    note = ""
    if last.size < iteration.size:
        note = kept_by_halving()
        warn_of_last_iteration(last.size, iteration.size)
    # pandas selects rows by one index; in a mapping each column is an array or a list.
    if isinstance(results, pd.DataFrame):
        return results.iloc[last], note
    kept = {}
    for key, value in results.items():
        # Nothing else is used, and a column of another length must not raise an error.
        if str(key).startswith(("split", "param")):
            column = entries(value, str(key), iteration.size)
            kept[key] = [column[i] for i in last]
    return kept, note


def _survivors(results: Any, values: Any, metric: str) -> tuple[Any, dict[str, Any]]:
    """`survivors` for results that a user may have edited."""
    # `survivors` counts candidates by a split's column, as in cv_results_.
    race: dict[str, Any] = {"split0": values[:, 0]}
    if "eliminated_at" in results:
        for name in ("eliminated_at", "elimination_pvalue"):
            if name not in results:
                raise ValueError(f"`obj` must hold {name} where it is of a race; it does not.")
            race[name] = numbers(results[name], name)
            if race[name].size != len(values):
                raise ValueError(
                    f"`obj` must hold one entry per candidate as {name}, {len(values)}; "
                    f"got {race[name].size}."
                )
        if "elimination" in results:  # not in files of older versions
            race["elimination"] = entries(results["elimination"], "elimination", len(values))
    return survivors(race, metric)
