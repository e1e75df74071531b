"""parameter_grid(): the mean score at every pair of values of two hyper-parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._labels import Reader
from sklearn_stats_compare.comparison._profile import fits_number_axis, place_of


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
    return [name for name in shared if len({place_of(p[name]) for p in params}) > 1]


def parameter_grid(comparison: Comparison, x: str, y: str) -> ParameterGrid:
    """Best mean score, and the leader's verdict on it, at every pair of values of `x` and `y`.

    Numbers are in ascending order, `y` from the bottom up; other values keep the grid's order.

    Raises
    ------
    ValueError
        If the comparison has no parameters or not these, `x` and `y` are the same, no candidate has
        both, or all candidates failed.
    """
    params = comparison.params
    if params is None:
        raise ValueError("The comparison knows no parameters; one of a search does.")
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
    across = _in_order([params[row][x] for row in found])
    down = _in_order([params[row][y] for row in found], upwards=True)
    rows, columns = list(down), list(across)
    shape = len(rows), len(columns)
    means = np.full(shape, np.nan)
    verdicts, labels = np.full(shape, "", dtype=object), np.full(shape, "", dtype=object)
    ranks = {int(row): rank for rank, row in enumerate(comparison.scores.order)}
    verdict_of = _verdicts(comparison)
    several = False
    for row in sorted(found, key=ranks.__getitem__):
        at = rows.index(place_of(params[row][y])), columns.index(place_of(params[row][x]))
        several = several or bool(verdicts[at])
        # In rank order, so that the first at a place is its best; those that failed come last.
        if not verdicts[at]:
            labels[at] = str((comparison.labels or ())[row])
            verdicts[at] = verdict_of.get(labels[at], "leader")
            failed = comparison.scores.missing[row]
            means[at] = np.nan if failed else comparison.scores.means[row]
    names_down = pd.Index(list(down.values()), name=y)
    names_across = pd.Index(list(across.values()), name=x)
    means_table, verdict_table, label_table = (
        pd.DataFrame(values, index=names_down, columns=names_across)
        for values in (means, verdicts, labels)
    )
    return ParameterGrid(means_table, verdict_table, label_table, several)


def _verdicts(comparison: Comparison) -> dict[str, str]:
    if comparison.settings.test.has_std_err:
        table = comparison.leader_table
    else:
        # This test has no leader table; the first rows of all pairs are the leader's.
        table = comparison.pairwise_frequentist.iloc[: comparison.scores.n_candidates - 1]
    return dict(zip(table["model_2"].astype(str), table["verdict"].astype(str), strict=True))


def _in_order(values: list[Any], *, upwards: bool = False) -> dict[str, str]:
    """Key of each value → its text, in the order of an axis."""
    read = Reader()
    places = {place_of(value): value for value in values}
    if all(fits_number_axis(value) for value in values):
        ordered = sorted(places, key=lambda place: float(places[place]), reverse=upwards)
        places = {place: places[place] for place in ordered}
    return {place: read(value) for place, value in places.items()}
