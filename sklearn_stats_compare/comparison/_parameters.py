"""The mean score over the values of one or two hyper-parameters."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import check_option, shown, shown_list
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._labels import Reader, identity
from sklearn_stats_compare.comparison._tables import known_params


@dataclass(frozen=True, eq=False)
class ParameterGrid:
    """Result of `parameter_grid`.

    Attributes
    ----------
    means : DataFrame, shape (n_values_of_y, n_values_of_x)
        Best mean at each pair of values, as text in the order of the axes; NaN where no candidate
        has the pair, or all of them failed.
    verdicts : DataFrame of str, the same shape
        The leader's verdict on that candidate; "leader", "missing", or "" if there is none.
    labels : DataFrame of str, the same shape
        Its label, "" if there is none.
    several : bool
        Whether some pair of values has several candidates. Then the best is shown.
    """

    means: pd.DataFrame
    verdicts: pd.DataFrame
    labels: pd.DataFrame
    several: bool


def varying_parameters(params: Sequence[Mapping[str, Any]] | None) -> list[str]:
    """Names of the parameters that every candidate has and that differ, in the grid's order."""
    if not params:
        return []
    shared = [name for name in params[0] if all(name in candidate for candidate in params)]
    return [name for name in shared if len({_place_of(p[name], name) for p in params}) > 1]


def parameter_grid(comparison: Comparison, x: str, y: str) -> ParameterGrid:
    """Best mean score, and the leader's verdict on it, at every pair of values of `x` and `y`.

    Numbers are in ascending order, `y` from the bottom up; other values keep the grid's order.

    Raises
    ------
    ValueError
        If the comparison has no parameters or not these, `x` and `y` are the same, no candidate has
        both, or all candidates failed.
    """
    params = known_params(comparison)
    names = sorted({name for candidate in params for name in candidate})
    for key, name in (("x", x), ("y", y)):
        if not isinstance(name, str) or name not in names:
            raise ValueError(f"`{key}` must be one of {shown_list(names)}; got {shown(name)}.")
    if x == y:
        raise ValueError(f"`y` must be another parameter than `x`; got {shown(y)} for both.")
    if comparison.leader is None:
        raise ValueError("There is no heat map of candidates that all failed.")
    found = [row for row, candidate in enumerate(params) if x in candidate and y in candidate]
    if not found:
        raise ValueError(f"No candidate has a value of both {shown(x)} and {shown(y)}.")
    across = _in_order([params[row][x] for row in found], x)
    down = _in_order([params[row][y] for row in found], y, upwards=True)
    # In rank order, so that the first at a place is its best; those that failed come last.
    ranked = comparison.scores.order[np.isin(comparison.scores.order, found)]
    labels = np.array(comparison.labels, dtype=object)[ranked]
    verdict_of = _verdicts(comparison)
    every = pd.DataFrame(
        {
            "down": [_place_of(params[row][y], y) for row in ranked],
            "across": [_place_of(params[row][x], x) for row in ranked],
            "mean": comparison.scores.means[ranked],
            "verdict": [verdict_of.get(label, "leader") for label in labels],
            "label": labels,
        }
    )
    best = every.drop_duplicates(["down", "across"])

    def table(column: str, empty: Any) -> pd.DataFrame:
        found = best.pivot(index="down", columns="across", values=column).reindex(
            index=list(down), columns=list(across)
        )
        found.index = pd.Index(list(down.values()), name=y)
        found.columns = pd.Index(list(across.values()), name=x)
        return found.where(found.notna(), empty)

    return ParameterGrid(
        table("mean", np.nan), table("verdict", ""), table("label", ""), len(best) < len(every)
    )


def _verdicts(comparison: Comparison) -> dict[str, str]:
    if comparison._settings.test.has_std_err:
        table = comparison.against()
    else:
        # This test has no leader table; the first rows of all pairs are the leader's.
        table = comparison.frequentist().iloc[: comparison.scores.n_candidates - 1]
    return dict(zip(table["model_2"].astype(str), table["verdict"].astype(str), strict=True))


def _in_order(values: list[Any], name: str, *, upwards: bool = False) -> dict[str, str]:
    """Key of each value → its text, in the order of an axis."""
    read = Reader()
    places = {_place_of(value, name): value for value in values}
    if all(fits_number_axis(value) for value in values):
        ordered = sorted(places, key=lambda place: float(places[place]), reverse=upwards)
        places = {place: places[place] for place in ordered}
    return {place: read(value) for place, value in places.items()}


OTHERS = ("best", "held", "averaged")


@dataclass(frozen=True, eq=False)
class ParameterProfile:
    """Result of `parameter_profile`.

    Attributes
    ----------
    table : DataFrame
        A row per value, with the columns ``value``, ``mean``, ``ci_low``, ``ci_high``, ``label``.
    candidates : tuple of tuple of int
        The candidates with each value, in the order of the rows. Failed ones are left out unless
        all of a value failed.
    others : {"best", "held", "averaged", "none"}
        What was done with the other hyper-parameters; "none" where every value has one candidate.
    """

    table: pd.DataFrame
    candidates: tuple[tuple[int, ...], ...]
    others: str


def parameter_profile(
    comparison: Comparison, parameter: str | None, others: str
) -> ParameterProfile:
    """Mean score with its corrected interval at every value of one hyper-parameter.

    Parameters
    ----------
    comparison : Comparison
        It must have parameters of its candidates, as that of a search does.
    parameter : str
        Name of the hyper-parameter, as in the grid, or its last part if that is unique.
    others : {"best", "held", "averaged"}
        What to do with the other hyper-parameters: at each value take the candidate with the best
        mean ("best"), take only candidates that otherwise equal the leader ("held"), or average the
        scores of all ("averaged").

    Raises
    ------
    ValueError
        If the comparison has no parameters or none of this name, or all candidates failed.
    """
    check_option("others", others, OTHERS)
    parameter = parameter_named(comparison, parameter)
    by_value = _candidates_by_value(comparison, parameter, held=others == "held")
    values = [value for value, _ in by_value]
    candidates = tuple(tuple(found) for _, found in by_value)
    rows = _averaged if others == "averaged" else _best_of_each
    table = rows(comparison, candidates)[["mean", "ci_low", "ci_high", "label"]]
    table = table.reset_index(drop=True)
    # As objects: pandas would turn 1 and "auto", or 1 and None, into one type.
    table.insert(0, "value", pd.Series(values, dtype=object))
    alone = all(len(found) == 1 for found in candidates)
    return ParameterProfile(table, candidates, "none" if alone else others)


def parameter_named(comparison: Comparison, parameter: str | None) -> str:
    """The full name of a parameter, given in full or by its last part as in labels."""
    names = sorted({name for candidate in known_params(comparison) for name in candidate})
    if isinstance(parameter, str) and parameter in names:
        return parameter
    meant = [name for name in names if name.rpartition("__")[2] == parameter]
    if len(meant) != 1:
        raise ValueError(f"`parameter` must be one of {shown_list(names)}; got {shown(parameter)}.")
    return meant[0]


def fits_number_axis(value: Any) -> bool:
    """Whether a value can be drawn on a numeric axis."""
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        return False
    size: Any = abs(value)
    # A whole number may be too large for a float, and the span of an axis to 1e308 overflows.
    return bool(size < 1e300)


COUNTS_OR_SHARES = {
    "n_components", "min_samples_leaf", "min_samples_split", "max_features", "max_samples",
    "n_features_to_select", "min_df", "max_df",
}  # fmt: skip
"""Parameters of which 5 is a count and 0.5 a share, by the last part of their names."""


def _place_of(value: Any, name: str) -> str:
    """Key of a parameter's value on an axis; 1 and 1.0 have the same, if they mean the same."""
    is_count = name.rpartition("__")[2] in COUNTS_OR_SHARES and isinstance(value, Integral)
    return f"{float(value)}{is_count}" if fits_number_axis(value) else identity(value)


def _averaged(comparison: Comparison, candidates: tuple[tuple[int, ...], ...]) -> pd.DataFrame:
    """A row per value, of the scores averaged split by split over the candidates with it."""
    # Split by split, so that the fold effect stays in the averages: scores on the same splits are
    # not independent, so averaging more candidates does not by itself narrow the interval.
    scores = comparison.scores

    def mean_of(values: NDArray[Any]) -> NDArray[Any]:
        return np.array([values[list(found)].mean(axis=0) for found in candidates])

    samples = scores.samples
    if samples is not None:
        samples = dataclasses.replace(samples, values=mean_of(samples.values))
    averaged = dataclasses.replace(scores, values=mean_of(scores.values), samples=samples)
    ranking = Comparison(
        averaged, metric=comparison.metric, alpha=comparison.alpha, test=comparison.test, warn=False
    ).ranking()
    table = ranking.loc[list(range(len(candidates)))]  # from rank order to that of the values
    if np.isfinite(scores.n_shared):
        # Shares of samples have limits that their average, which is no share, would not have.
        places = np.argsort(scores.order)
        limits = mean_of(comparison.ranking()[["ci_low", "ci_high"]].to_numpy()[places])
        table["ci_low"] = np.fmin(table["ci_low"], limits[:, 0])
        table["ci_high"] = np.fmax(table["ci_high"], limits[:, 1])
    table["label"] = [f"mean of {len(found)}" for found in candidates]
    return table


def _best_of_each(comparison: Comparison, candidates: tuple[tuple[int, ...], ...]) -> pd.DataFrame:
    """A row per value, of the candidate with the best mean."""
    ranks = {candidate: rank for rank, candidate in enumerate(comparison.scores.order)}
    return comparison.ranking().iloc[[min(ranks[c] for c in found) for found in candidates]]


def _candidates_by_value(
    comparison: Comparison, parameter: str, *, held: bool
) -> list[tuple[Any, list[int]]]:
    """Values of the parameter in the order of the grid, each with its candidates."""
    params = comparison.params or ()
    leader = comparison.scores.order[0]
    if comparison.leader is None:
        raise ValueError("There is no profile of candidates that all failed.")

    def rest(candidate: Mapping[str, Any]) -> str:
        return repr(sorted((k, identity(v)) for k, v in candidate.items() if k != parameter))

    found: dict[str, tuple[Any, list[int]]] = {}
    for index, candidate in enumerate(params):
        as_leader = not held or rest(candidate) == rest(params[leader])
        if parameter in candidate and as_leader:
            value = candidate[parameter]
            found.setdefault(_place_of(value, parameter), (value, []))[1].append(index)
    if not found:
        raise ValueError(f"No candidate with a value of {parameter!r} is left to draw.")
    # A value is represented by candidates that did not fail; if all failed, it is missing.
    missing = comparison.scores.missing
    return [
        (value, [i for i in candidates if not missing[i]] or candidates)
        for value, candidates in found.values()
    ]
