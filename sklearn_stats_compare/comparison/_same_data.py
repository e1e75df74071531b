"""Marks of the data behind scores: whether several searches used the same, as far as known.

The code that makes the marks of a search lies in a layer that this one must not import.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn_stats_compare._messages import printable, shown, shown_list

SPLITS = "the splits"
"""The name of the splits among the marks, which come last."""


@dataclass(frozen=True)
class DataMarks:
    """Marks of X, y, the splits and other inputs; two of the same `kind` can be compared.

    Attributes
    ----------
    kind : str
        How the marks were made.
    lines : mapping of str to (str, str)
        What is marked → its key, and a description for users.
    """

    kind: str
    lines: Mapping[str, Sequence[str]]


_READERS: list[Callable[[Any], DataMarks | None]] = []


def add_marks(read: Callable[[Any], DataMarks | None]) -> None:
    """Register a function that reads the marks of a kind of search, and returns None for others."""
    _READERS.append(read)


def marks_of(search: Any) -> DataMarks | None:
    """Marks of the data that a search was fitted on; None if it has none."""
    found = (read(search) for read in _READERS)
    return next((marks for marks in found if marks is not None), None)


def check_same_data(marks: Mapping[str, DataMarks | None]) -> bool:
    """Whether all are known to come from the same splits of the same data.

    Raises
    ------
    ValueError
        If some are known to come from different ones.
    """
    first: dict[str, tuple[str, DataMarks]] = {}
    for name, own in marks.items():
        if own is None:
            continue
        other_name, other = first.setdefault(own.kind, (name, own))
        differing = _differences(other, own)
        if differing:
            raise ValueError(
                "`obj` must hold searches on the same splits of the same data; those of "
                f"{shown_list([shown(other_name), shown(name)])} differ in {differing}. Scores on "
                "other data are not paired: fit both on the same X and y, and choose columns or "
                "prepare them in a Pipeline."
            )
    return len(first) == 1 and None not in marks.values()


def _differences(one: DataMarks, other: DataMarks) -> str:
    found = []
    # An input of one search only, such as weights, cannot be compared.
    for name in [name for name in one.lines if name in other.lines]:
        (key, description), (other_key, other_description) = one.lines[name], other.lines[name]
        if description != other_description:
            found.append(f"{name} ({description}, {other_description})")
        elif key != other_key:
            found.append(f"{name} (not the same {description})")
    # Different data also have different splits.
    return printable("; ".join(found[:-1] if len(found) > 1 and SPLITS in found[-1] else found))
