"""compare(): a fitted search, cross_validate results or plain scores → Comparison."""

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from sklearn_stats_compare.comparison._columns import (
    Splits,
    check_every_split,
    entries,
    is_split_column,
    matrix_of,
    n_samples_of,
    numbers,
    score_matrix,
    split_columns,
    splits_of,
)
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._files import read_csv
from sklearn_stats_compare.comparison._params import params_of
from sklearn_stats_compare.comparison._results import survivors
from sklearn_stats_compare.comparison._splitters import design_of_splitter
from sklearn_stats_compare.stats import SplitDesign, SplitScores
from sklearn_stats_compare.stats._checks import check_option, shown, shown_list
from sklearn_stats_compare.stats._warnings import ComparisonWarning, outside_level

_RESULTS = ("mean_test_", "std_test_", "rank_test_")


def compare(
    obj: Any,
    *,
    metric: str | None = None,
    test_train_ratio: float | None = None,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    n_samples: int | None = None,
    labels: Sequence[str] | None = None,
    alternative: str = "greater",
    p_adjust: str | None = "bonferroni",
    rope: float | tuple[float, float] | str = 0.01,
    alpha: float = 0.05,
) -> Comparison:
    """Compare the candidates of results that exist already; nothing is fitted.

    Parameters
    ----------
    obj : object
        One of

        - a fitted search with ``cv_results_``: of this package, scikit-learn's, or another that
          keeps scikit-learn's form. Of a halving search the last iteration is compared, with a
          warning;
        - such a ``cv_results_`` itself: a mapping, the DataFrame made from it, or the path of the
          CSV file made from that;
        - a mapping of names to results of scikit-learn's ``cross_validate``; with
          ``return_indices=True`` the sizes are read from them, and splits that differ between
          models are refused;
        - a matrix of scores, candidates × splits, higher is better: an array, or a DataFrame whose
          index holds the labels.
    metric : str, optional
        Metric to compare by, where there are several.
    test_train_ratio : float, optional
        Σ n_test / Σ n_train of the splits, > 0: 1/(k − 1) for k-fold, repeated or not. Where
        training and test set together are less than all n samples, n_test/(n − n_test).
    n_train, n_test : int or array-like of int, shape (n_splits,), optional
        Sizes of the splits, together, instead of the ratio.
    n_samples : int, optional
        Number of samples that the splits are drawn from, where the sizes follow from it and the
        search's splitter (the ShuffleSplit family with shares as sizes), or where training and test
        set together are not all of them (beside `n_train` and `n_test`, or for the ShuffleSplit
        family).
    labels : sequence of str, optional
        A unique name for each candidate, in the order of `obj`.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        As for `Comparison`.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, \
            default="bonferroni"
        As for `Comparison`.
    rope : float, (float, float) or str, default=0.01
        As for `Comparison`.
    alpha : float, default=0.05
        As for `Comparison`.

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError
        If `obj` is none of these.
    ValueError
        If the sizes of the splits cannot be known, the metric is unknown, or the results are
        incomplete. Sizes are never guessed: of a search they are read from its splitter where
        they follow from the splitter's parameters (k-fold, leave-one-out, shuffle-split), and
        asked for by name otherwise.

    Notes
    -----
    Valid only where all candidates were scored on the same splits. Scores of cross-validations
    with different splits are not paired; an unseeded shuffle makes them differ from model to
    model, which cannot be seen in the scores.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import compare
    >>> search = GridSearchCV(SVC(), {"C": [0.01, 1, 100]}, cv=10).fit(*load_iris(return_X_y=True))
    >>> compare(search).leader_table[["model_1", "model_2", "verdict"]]
      model_1 model_2    verdict
    0       1     100  undecided
    1       1    0.01  undecided
    """
    settings = {"alternative": alternative, "p_adjust": p_adjust, "rope": rope, "alpha": alpha}
    sizes = _Sizes(test_train_ratio, n_train, n_test, n_samples)
    if _is_ours(obj):
        given = {} if labels is None else {"labels": labels}
        comparison: Comparison = obj.compare(metric=metric, **settings, **given)
        return comparison
    found = _read(obj, metric, sizes)
    is_list = isinstance(labels, Sequence) and not isinstance(labels, str)
    if labels is not None and is_list and found.told.get("n_entered") == len(labels):
        labels = [labels[i] for i in found.told["candidates"]]  # of a race, one per candidate
    return Comparison(
        found.scores,
        found.labels if labels is None else labels,
        params=found.params,
        metric=found.metric,
        **found.told,
        **settings,  # type: ignore[arg-type]
    )


class _Found:
    """What could be read of an object."""

    def __init__(
        self,
        scores: SplitScores,
        metric: str,
        labels: Sequence[str] | None = None,
        params: Sequence[Mapping[str, Any]] | None = None,
        told: dict[str, Any] | None = None,
    ) -> None:
        self.scores, self.metric, self.labels, self.params = scores, metric, labels, params
        self.told = told or {}


class _Sizes:
    """Sizes of splits as the caller gives them."""

    def __init__(
        self,
        ratio: float | None,
        n_train: ArrayLike | None,
        n_test: ArrayLike | None,
        n_samples: int | None,
    ) -> None:
        if (n_train is None) != (n_test is None):
            raise ValueError("`n_train` and `n_test` must be given together; got only one of them.")
        if ratio is not None and n_train is not None:
            raise ValueError(
                "`test_train_ratio` must be left out where `n_train` and `n_test` are given."
            )
        self.ratio, self.n_train, self.n_test, self.n_samples = ratio, n_train, n_test, n_samples

    def design(self, n_splits: int, splitter: Any = None) -> SplitDesign:
        """The design, from what was given or else from the splitter that made the splits."""
        if self.ratio is not None:
            return SplitDesign.from_ratio(self.ratio, n_splits)
        if self.n_train is not None:
            n_train, n_test = (_per_split(n, n_splits) for n in (self.n_train, self.n_test))
            return SplitDesign(n_train, n_test, n_samples=self.n_samples)
        design = design_of_splitter(splitter, n_splits, self.n_samples)
        if design is None:
            raise ValueError(
                "`test_train_ratio` must be given, Σ n_test / Σ n_train of the splits (1/(k - 1) "
                "for k-fold), or `n_train` and `n_test`: the sizes of the splits cannot be known "
                "from the results."
            )
        return design


def _per_split(size: Any, n_splits: int) -> Any:
    """A size for each split, where one was given for all; what it is, SplitDesign checks."""
    one_for_all = not isinstance(size, Iterable) or isinstance(size, str)
    return np.full(n_splits, size) if one_for_all else size


def _is_ours(obj: Any) -> bool:
    return hasattr(obj, "n_train_") and callable(getattr(obj, "compare", None))


def _read(obj: Any, metric: str | None, sizes: _Sizes) -> _Found:
    if hasattr(obj, "cv_results_"):
        splitter = getattr(obj, "cv", None)
        n_splits = getattr(obj, "n_splits_", None)
        return _read_results(_last_iteration(obj.cv_results_), metric, sizes, (splitter, n_splits))
    if isinstance(obj, str | os.PathLike):
        return _read_results(_last_iteration(read_csv(obj)), metric, sizes)
    if isinstance(obj, pd.DataFrame):
        if any(map(is_split_column, obj.columns)):
            return _read_results(_last_iteration(obj), metric, sizes)
        _check_no_results(obj)
        labels = [str(label) for label in obj.index]
        return _Found(_matrix(obj, sizes), metric or "score", labels=labels)
    if isinstance(obj, Mapping):
        if any(map(is_split_column, obj)):
            return _read_results(_last_iteration(obj), metric, sizes)
        return _read_cross_validations(obj, metric, sizes)
    if isinstance(obj, np.ndarray | list | tuple):
        return _Found(_matrix(obj, sizes), metric or "score")
    raise TypeError(
        "`obj` must be a fitted search, a cv_results_ (mapping, DataFrame or path of a CSV file), "
        "a mapping of names to cross_validate results, or a matrix of scores; got "
        f"{type(obj).__name__}."
    )


def _matrix(values: Any, sizes: _Sizes) -> SplitScores:
    scores = matrix_of(values)
    return SplitScores(scores, sizes.design(scores.shape[1]))


def _check_no_results(frame: pd.DataFrame) -> None:
    """Raise ValueError for a DataFrame whose columns are not all scores of splits."""
    for column in frame.columns:
        parts = column if isinstance(column, tuple) else (column,)
        named = [str(part) for part in parts]
        if any(is_split_column(name) or name.startswith(_RESULTS) for name in named):
            raise ValueError(
                "`obj` must have columns such as split0_test_score, in one level, or be a matrix "
                f"of scores; got a column {shown(column)}."
            )
        if named[0].startswith("Unnamed: "):  # an index, saved and read back as numbers
            raise ValueError(
                "`obj` must be a matrix of scores alone, with labels as its index; got a column "
                f"{shown(column)}, as an index that was saved to a file. Read it with index_col=0."
            )


def _last_iteration(results: Any) -> Any:
    """Of a halving search, the candidates that were compared on the most resources."""
    if "iter" not in results or "n_resources" not in results:
        return results
    iteration = numbers(results["iter"], "iter")
    if not iteration.size or not np.isfinite(iteration).all():
        raise ValueError("`obj` must hold the number of an iteration for every row of `iter`.")
    last = np.flatnonzero(iteration == iteration.max())
    warnings.warn(
        f"Only the last iteration of the halving search is compared, {last.size} of "
        f"{iteration.size} rows: the others were scored on less data.",
        ComparisonWarning,
        stacklevel=outside_level(),
    )
    if isinstance(results, pd.DataFrame):
        return results.iloc[last]
    kept = {}
    for key, value in results.items():
        if str(key).startswith(("split", "param")):
            column = entries(value, str(key), iteration.size)
            kept[key] = [column[i] for i in last]
    return kept


def _read_results(
    results: Any, metric: str | None, sizes: _Sizes, splitter: tuple[Any, Any] = (None, None)
) -> _Found:
    """A ``cv_results_``, as a mapping or as a DataFrame."""
    by_metric = split_columns(results)
    if not by_metric:
        raise ValueError("`obj` must have columns such as split0_test_score; it has none.")
    chosen = _chosen_metric(metric, list(by_metric))
    check_every_split(by_metric[chosen], chosen)
    values = score_matrix(results, by_metric[chosen])
    if not values.size:
        raise ValueError("`obj` must hold at least one candidate; it is empty.")
    design = sizes.design(values.shape[1], splitter)
    rows, told = _survivors(results, values)
    params = params_of(results, len(values))
    if params is not None:
        params = [params[i] for i in rows]
    return _Found(SplitScores(values[rows], design), chosen, params=params, told=told)


def _survivors(results: Any, values: Any) -> tuple[Any, dict[str, Any]]:
    """As `survivors`, of results that somebody may have edited."""
    race = {"split0": values[:, 0]}
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
    return survivors(race)


def _chosen_metric(metric: str | None, metrics: list[str]) -> str:
    if metric is not None:
        return str(check_option("metric", metric, metrics))
    if len(metrics) > 1:
        raise ValueError(f"`metric` must be one of {shown_list(metrics)}; got None.")
    return metrics[0]


def _read_cross_validations(
    results: Mapping[str, Any], metric: str | None, sizes: _Sizes
) -> _Found:
    """Results of cross_validate by model."""
    if not results:
        raise ValueError("`obj` must hold at least one model; it is empty.")
    rows, designs = [], []
    of_all: str | None = None
    for name, result in results.items():
        if not isinstance(result, Mapping):
            raise TypeError(
                "`obj` must map each name to the mapping that cross_validate returns; "
                f"{shown(name)} is mapped to {type(result).__name__}."
            )
        metrics = [k[5:] for k in result if isinstance(k, str) and k.startswith("test_")]
        if not metrics:
            raise ValueError(f"`obj` must hold test scores of every model; {shown(name)} has none.")
        chosen = _chosen_metric(metric, metrics)
        if of_all is not None and chosen != of_all:
            raise ValueError(
                "`obj` must hold the same metric for every model; got "
                f"{shown_list([of_all, chosen])}."
            )
        of_all = chosen
        rows.append(numbers(result[f"test_{chosen}"], shown(name)))
        designs.append(result.get("indices"))
    lengths = {row.size for row in rows}
    if len(lengths) > 1:
        listed = shown_list(map(str, sorted(lengths)))
        raise ValueError(
            f"`obj` must hold the same splits for every model; got [{listed}] of them."
        )
    if lengths == {0}:
        raise ValueError("`obj` must hold the scores of at least one split; got none.")
    scores = np.stack(rows)
    labels = [str(name) for name in results]
    known = [splits_of(indices, scores.shape[1]) for indices in designs if indices is not None]
    if known:
        _check_same_splits(known, labels)
    if known and len(known) == len(designs):
        design = SplitDesign.from_indices(known[0], n_samples_of(known[0]))
    else:
        design = sizes.design(scores.shape[1])
    return _Found(SplitScores(scores, design), of_all or "score", labels=labels)


def _check_same_splits(splits: list[Splits], names: list[str]) -> None:
    for other in splits[1:]:
        for (train, test), (other_train, other_test) in zip(splits[0], other, strict=True):
            if not (np.array_equal(train, other_train) and np.array_equal(test, other_test)):
                raise ValueError(
                    "`obj` must hold the same splits for every model; those of "
                    f"{shown_list(names)} differ. Give cross_validate a splitter with a "
                    "`random_state`, or a list of splits."
                )
