"""How complex candidates are: a parameter, a column or a function → keys that can be ordered."""

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import check_option


def complexity_keys(complexity: Any, cv_results: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """A key for each candidate that sorts by complexity, the simplest first."""
    params: Sequence[Mapping[str, Any]] = cv_results["params"]
    if callable(complexity):
        return _orderable([(complexity(candidate),) for candidate in params], "complexity")
    if isinstance(complexity, str):  # first: a string is a sequence of strings
        directions = {complexity: "ascending"}
    elif isinstance(complexity, Mapping):
        directions = dict(complexity)
    elif isinstance(complexity, Sequence) and complexity:
        directions = dict.fromkeys(complexity, "ascending")
    else:
        raise ValueError(
            "`complexity` must be a parameter's name, several, a mapping of names to 'ascending' "
            f"or 'descending', a column of cv_results_, or a function; got {complexity!r}."
        )
    columns = []
    for name, direction in directions.items():
        check_option(f"complexity[{name!r}]", direction, ("ascending", "descending"))
        columns.append(_column(name, direction, cv_results))
    return _orderable(list(zip(*columns, strict=True)), ", ".join(map(str, directions)))


def _column(name: Any, direction: str, cv_results: Mapping[str, Any]) -> list[Any]:
    params = cv_results["params"]
    # The candidates of a list of grids may have different parameters.
    names = sorted({key for candidate in params for key in candidate})
    if name in names:  # a parameter goes before a column of that name
        lacking = [i for i, candidate in enumerate(params) if name not in candidate]
        if lacking:
            raise ValueError(
                f"`complexity` names {name!r}, which candidate {lacking[0]} does not have; give a "
                "function of the parameters."
            )
        values = [candidate[name] for candidate in params]
    elif name in cv_results and np.asarray(cv_results[name]).dtype.kind in "iuf":
        values = np.asarray(cv_results[name]).tolist()  # Python's numbers, for the report
    else:
        raise ValueError(
            f"`complexity` must name a parameter, one of {', '.join(names)}, or a numeric column "
            f"of cv_results_; got {name!r}."
        )
    if direction == "ascending":
        return values
    # The order is reversed by a minus, as keys of several columns are compared as tuples.
    if not all(isinstance(value, Real) for value in values):
        raise ValueError(
            f"`complexity` can be descending in numbers only, and {name!r} has other values; give "
            "a function of the parameters."
        )
    return [-value for value in values]


def _orderable(keys: list[tuple[Any, ...]], what: str) -> list[tuple[Any, ...]]:
    try:
        sorted(keys)  # now, with a message of its own; `min` would raise later
    # TypeError of None beside numbers; ValueError of arrays, whose comparison has no truth value.
    except (TypeError, ValueError):
        raise ValueError(
            f"`complexity` must be something that can be ordered, and the values of {what} cannot "
            f"be: {', '.join(sorted({type(v).__name__ for key in keys for v in key}))}. Give a "
            "function of the parameters that returns numbers."
        ) from None
    return keys
