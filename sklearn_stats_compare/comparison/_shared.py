"""What the parameters of some candidates have in common, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pandas as pd

from sklearn_stats_compare._utils._formatting import visible
from sklearn_stats_compare._utils._validation import check_listed, wrong
from sklearn_stats_compare.comparison._labels import Reader
from sklearn_stats_compare.comparison._tables import check_is_comparison, known_params

if TYPE_CHECKING:
    from sklearn_stats_compare.comparison._comparison import Comparison


def shared_by(comparison: Comparison, candidates: pd.DataFrame | Iterable[int | str]) -> str:
    """What the parameters of some candidates have in common, in one sentence.

    Parameters
    ----------
    comparison : Comparison
        Whose candidates they are.
    candidates : DataFrame or iterable of int or str
        A table indexed by candidate, such as `possibly_best()`, or indices or labels.

    Returns
    -------
    str
        For each parameter that varies over all candidates: the value that these share, the
        values that occur, or the statement that every value occurs.

    Raises
    ------
    ValueError
        If the comparison has no parameters, a candidate does not exist, or `candidates` is
        empty.
    """
    check_is_comparison(comparison)
    params = known_params(comparison)
    which = candidates
    if isinstance(candidates, pd.DataFrame):
        which = candidates.index
        if which.name != "candidate":
            rule = 'be a table whose index is "candidate", such as possibly_best(), or candidates'
            raise wrong("candidates", rule, f"an index called {which.name}")
    which = check_listed("candidates", which, "a table indexed by candidate, or candidates")
    chosen = [comparison._candidate_names.row(c, "candidates") for c in which]
    if not chosen:
        raise ValueError("`candidates` must name at least one candidate; got none.")
    read, everything = Reader(), range(len(params))
    names = {name: None for candidate in params for name in candidate}
    sentences = []
    for name in names:
        all_values = _values(params, everything, name, read)
        found = _values(params, chosen, name, read)
        values = [text for key, text in all_values.items() if key in found]  # in the grid's order
        if len(all_values) == 1:
            continue
        if values == [_UNSET]:
            sentences.append(f"{name} unset in all")
        elif len(values) == 1:
            sentences.append(f"{name}={values[0]} in all")
        elif len(values) == len(all_values):
            sentences.append(f"every value of {name} occurs: {_values_in_words(values)}")
        else:
            sentences.append(f"{name} is one of {_values_in_words(values)}")
    return visible("; ".join(sentences)) or "no parameter varies"


_MOST_VALUES = 6

_UNSET = "unset"


def _values(params: Any, candidates: Iterable[int], name: str, read: Reader) -> dict[str, str]:
    """Different values of a parameter, and their texts, in the order in which they occur."""
    values = [params[c][name] for c in candidates if name in params[c]]
    short = {read.identity(value): read(value) for value in values}
    is_clear = len(set(short.values())) == len(short)
    found = {}
    for c in candidates:
        if name in params[c]:
            value = params[c][name]
            found[read.identity(value)] = read(value, in_full=not is_clear)
        else:
            found[_UNSET] = _UNSET
    return found


def _values_in_words(values: list[str]) -> str:
    if len(values) <= _MOST_VALUES:
        return ", ".join(values)
    return f"{values[0]}, …, {values[-1]} ({len(values)} values)"
