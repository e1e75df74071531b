"""compare(): a fitted search, cross_validate results or plain scores → Comparison."""

import ast
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._results import survivors
from sklearn_stats_compare.comparison._splitters import design_of_splitter
from sklearn_stats_compare.stats import SplitDesign, SplitScores
from sklearn_stats_compare.stats._checks import check_option
from sklearn_stats_compare.stats._warnings import ComparisonWarning, outside_level

_SPLIT = re.compile(r"split(\d+)_test_(.+)")


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
        Σ n_test / Σ n_train of the splits, > 0: 1/(k − 1) for k-fold, repeated or not.
    n_train, n_test : int or array-like of int, shape (n_splits,), optional
        Sizes of the splits, together, instead of the ratio.
    n_samples : int, optional
        Number of samples, where the sizes follow from it and the search's splitter (the
        ShuffleSplit family with shares as sizes).
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
    if labels is not None and found.told and len(labels) == found.told["n_entered"]:
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
            n_train, n_test = (
                np.full(n_splits, n) if np.ndim(n) == 0 else np.asarray(n)  # type: ignore[arg-type]
                for n in (self.n_train, self.n_test)
            )
            return SplitDesign(n_train, n_test)
        design = design_of_splitter(splitter, n_splits, self.n_samples)
        if design is None:
            raise ValueError(
                "`test_train_ratio` must be given, Σ n_test / Σ n_train of the splits (1/(k - 1) "
                "for k-fold), or `n_train` and `n_test`: the sizes of the splits cannot be known "
                "from the results."
            )
        return design


def _is_ours(obj: Any) -> bool:
    return hasattr(obj, "n_train_") and callable(getattr(obj, "compare", None))


def _read(obj: Any, metric: str | None, sizes: _Sizes) -> _Found:
    if hasattr(obj, "cv_results_"):
        splitter = getattr(obj, "cv", None)
        n_splits = getattr(obj, "n_splits_", None)
        return _read_results(_last_iteration(obj.cv_results_), metric, sizes, (splitter, n_splits))
    if isinstance(obj, str | os.PathLike):
        # As text: numbers are then read to the last bit, which pandas' own parser does not promise.
        return _read_results(_last_iteration(pd.read_csv(obj, dtype=str)), metric, sizes)
    if isinstance(obj, pd.DataFrame):
        if any(_SPLIT.fullmatch(str(column)) for column in obj.columns):
            return _read_results(_last_iteration(obj), metric, sizes)
        labels = [str(label) for label in obj.index]
        return _Found(_matrix(obj.to_numpy(), sizes), metric or "score", labels=labels)
    if isinstance(obj, Mapping):
        if any(_SPLIT.fullmatch(str(key)) for key in obj):
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
    if np.ndim(values) != 2:
        raise ValueError(
            "`obj` must be a matrix of scores, candidates × splits; got "
            f"{np.ndim(values)} dimension(s)."
        )
    return SplitScores(values, sizes.design(np.shape(values)[1]))


def _last_iteration(results: Any) -> Any:
    """Of a halving search, the candidates that were compared on the most resources."""
    if "iter" not in results or "n_resources" not in results:
        return results
    iteration = _numbers(results["iter"], "iter")
    last = np.flatnonzero(iteration == iteration.max())
    warnings.warn(
        f"Only the last iteration of the halving search is compared, {last.size} of "
        f"{iteration.size} rows: the others were scored on less data.",
        ComparisonWarning,
        stacklevel=outside_level(),
    )
    return {
        key: [value[i] for i in last] if isinstance(value, list) else np.ma.asarray(value)[last]
        for key, value in results.items()
    }


def _read_results(
    results: Any, metric: str | None, sizes: _Sizes, splitter: tuple[Any, Any] = (None, None)
) -> _Found:
    """A ``cv_results_``, as a mapping or as a DataFrame."""
    splits: dict[str, dict[int, Any]] = {}
    for key in results:
        match = _SPLIT.fullmatch(str(key))
        if match:
            splits.setdefault(match[2], {})[int(match[1])] = results[key]
    if not splits:
        raise ValueError("`obj` must have columns such as split0_test_score; it has none.")
    chosen = _chosen_metric(metric, list(splits))
    columns = splits[chosen]
    missing = sorted(set(range(max(columns) + 1)) - set(columns))
    if missing:
        raise ValueError(
            f"`obj` must hold every split of {chosen!r}; split {missing[0]} of "
            f"{max(columns) + 1} is missing."
        )
    values = np.column_stack([_numbers(columns[k], f"split{k}") for k in range(len(columns))])
    design = sizes.design(values.shape[1], splitter)
    rows, told = survivors(results)
    params = _params(results, len(values))
    if params is not None:
        params = [params[i] for i in rows]
    return _Found(SplitScores(values[rows], design), chosen, params=params, told=told)


def _numbers(column: Any, name: str) -> NDArray[np.float64]:
    try:
        return np.asarray(list(column), dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"`obj` must hold numbers as scores; {name} does not.") from None


def _chosen_metric(metric: str | None, metrics: list[str]) -> str:
    if metric is not None:
        return str(check_option("metric", metric, metrics))
    if len(metrics) > 1:
        raise ValueError(f"`metric` must be one of {', '.join(metrics)}; got None.")
    return metrics[0]


def _params(results: Any, n_candidates: int) -> list[dict[str, Any]] | None:
    """Parameters of the candidates; from a CSV file, as far as their text is a literal."""
    if "params" in results:
        params = list(results["params"])
        if all(isinstance(p, Mapping) for p in params):
            return [dict(p) for p in params]
        try:
            literal = [ast.literal_eval(str(p)) for p in params]
        except (ValueError, SyntaxError):
            literal = []
        if literal and all(isinstance(p, dict) for p in literal):
            return literal
    names = [str(key) for key in results if str(key).startswith("param_")]
    if not names:
        return None
    return [
        {
            name.removeprefix("param_"): results[name][i]
            for name in names
            if not _is_absent(results[name][i])
        }
        for i in range(n_candidates)
    ]


def _is_absent(value: Any) -> bool:
    return value is np.ma.masked or (isinstance(value, float) and np.isnan(value))


def _read_cross_validations(
    results: Mapping[str, Any], metric: str | None, sizes: _Sizes
) -> _Found:
    """Results of cross_validate by model."""
    if not results:
        raise ValueError("`obj` must hold at least one model; it is empty.")
    rows, designs, chosen = [], [], None
    for name, result in results.items():
        if not isinstance(result, Mapping):
            raise TypeError(
                f"`obj` must map each name to the mapping that cross_validate returns; {name!r} "
                f"is mapped to {type(result).__name__}."
            )
        metrics = [str(k).removeprefix("test_") for k in result if str(k).startswith("test_")]
        if not metrics:
            raise ValueError(f"`obj` must hold test scores of every model; {name!r} has none.")
        chosen = _chosen_metric(metric, metrics)
        rows.append(_numbers(result[f"test_{chosen}"], repr(name)))
        designs.append(result.get("indices"))
    lengths = {row.size for row in rows}
    if len(lengths) > 1:
        raise ValueError(
            f"`obj` must hold the same splits for every model; got {sorted(lengths)} of them."
        )
    scores = np.stack(rows)
    known = [indices for indices in designs if indices is not None]
    if known:
        _check_same_splits(known, list(results))
        if len(known) == len(designs):
            splits = list(zip(known[0]["train"], known[0]["test"], strict=True))
            n_samples = 1 + max(int(np.max(part)) for pair in splits for part in pair if len(part))
            design = SplitDesign.from_indices(splits, n_samples)
            return _Found(SplitScores(scores, design), chosen or "score", labels=list(results))
    design = sizes.design(scores.shape[1])
    return _Found(SplitScores(scores, design), chosen or "score", labels=list(results))


def _check_same_splits(indices: list[Any], names: list[str]) -> None:
    first = indices[0]
    for other in indices[1:]:
        same = len(first["test"]) == len(other["test"]) and all(
            np.array_equal(first[side][k], other[side][k])
            for side in ("train", "test")
            for k in range(len(first["test"]))
        )
        if not same:
            raise ValueError(
                f"`obj` must hold the same splits for every model; those of {', '.join(names)} "
                "differ. Give cross_validate a splitter with a `random_state`, or a list of splits."
            )
