"""How complex candidates are: a parameter, a column or a function → keys that can be ordered."""

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import check_option

_PARTS_OF_COLUMNS = ("mean_", "std_", "rank_", "split", "n_splits_", "n_resources")


def complexity_keys(complexity: Any, cv_results: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """A key for each candidate that sorts by complexity, the simplest first."""
    if callable(complexity):
        return _of_function(complexity, cv_results["params"])
    directions = _directions(complexity)
    columns = [_column(name, direction, cv_results) for name, direction in directions.items()]
    return _orderable(list(zip(*columns, strict=True)), ", ".join(map(str, directions)))


def check_complexity(complexity: Any, params: Sequence[Mapping[str, Any]]) -> None:
    """Raise what `complexity_keys` will raise of these parameters, before anything is fitted."""
    if callable(complexity):
        _of_function(complexity, params)
        return
    names = {key for candidate in params for key in candidate}
    for name, direction in _directions(complexity).items():
        # Columns of results are not known yet: times and scores.
        if name in names or not str(name).startswith(_PARTS_OF_COLUMNS):
            _orderable([(key,) for key in _column(name, direction, {"params": params})], str(name))


def _of_function(
    complexity: Callable[[Mapping[str, Any]], Any], params: Sequence[Mapping[str, Any]]
) -> list[tuple[Any, ...]]:
    keys = []
    for i, candidate in enumerate(params):
        try:
            keys.append((complexity(candidate),))
        except Exception as error:
            error.add_note(f"`complexity` was called with the parameters of candidate {i}.")
            raise
    return _orderable(keys, "complexity")


def _directions(complexity: Any) -> dict[Any, str]:
    """Names of parameters or columns, and in which direction each is complex."""
    if isinstance(complexity, str):  # first: a string is a sequence of strings
        directions = {complexity: "ascending"}
    elif isinstance(complexity, Mapping):
        directions = dict(complexity)
    elif isinstance(complexity, Sequence) and complexity:
        directions = dict.fromkeys(complexity, "ascending")
    else:
        raise ValueError(
            "`complexity` must be the name of a parameter or of a column of cv_results_, a "
            "sequence of names, a mapping of names to 'ascending' or 'descending', or a function; "
            f"got {complexity!r}."
        )
    for name, direction in directions.items():
        check_option(f"complexity[{name!r}]", direction, ("ascending", "descending"))
    return directions


def _column(name: Any, direction: str, cv_results: Mapping[str, Any]) -> list[Any]:
    params = cv_results["params"]
    # The candidates of a list of grids may have different parameters.
    names = sorted({key for candidate in params for key in candidate})
    if name in names:  # a parameter goes before a column of that name
        lacking = [i for i, candidate in enumerate(params) if name not in candidate]
        if lacking:
            raise ValueError(
                f"`complexity` must name a parameter of every candidate; got {name!r}, which "
                f"candidate {lacking[0]} does not have. Pass a function of the parameters, such as "
                f"lambda params: params.get({name!r}, 0)."
            )
        values = [candidate[name] for candidate in params]
    elif name in cv_results and np.asarray(cv_results[name]).dtype.kind in "iuf":
        values = np.asarray(cv_results[name]).tolist()  # Python's numbers, for the report
    else:
        # The name in the step of a pipeline, whose own name is left out most often.
        meant = [full for full in names if full.endswith(f"__{name}")]
        hint = f" Did you mean {meant[0]!r}?" if meant else ""
        raise ValueError(
            f"`complexity` must name a parameter, one of {', '.join(names)}, or a numeric column "
            f"of cv_results_; got {name!r}.{hint}"
        )
    if direction == "ascending":
        return values
    # The order is reversed by a minus, as keys of several columns are compared as tuples.
    if not all(isinstance(value, Real) for value in values):
        raise ValueError(
            f"`complexity` must have numbers to be 'descending'; {name!r} has other values. Pass a "
            "function of the parameters."
        )
    return [-value for value in values]


def _orderable(keys: list[tuple[Any, ...]], what: str) -> list[tuple[Any, ...]]:
    try:
        sorted(keys)  # now, with a message of its own; `min` would raise later
    # TypeError of None beside numbers; ValueError of arrays, whose comparison has no truth value.
    except (TypeError, ValueError):
        raise ValueError(
            f"`complexity` must have values that can be ordered; those of {what} cannot: "
            f"{', '.join(sorted({type(v).__name__ for key in keys for v in key}))}. Pass a "
            "function of the parameters that returns numbers."
        ) from None
    return keys
