"""Describe in words what labels that hold only values are made of."""

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

# Names joined like the values are easy to read up to this many letters.
_LONGEST_PATTERN = 40


def naming_words(candidates: Sequence[Mapping[str, Any]], shorter: Mapping[str, str]) -> str:
    """A clause such as ``"candidates are named C_gamma"``; "" if values explain themselves.

    Parameters
    ----------
    candidates : sequence of mappings
        For each candidate the parameters whose values, joined by ``_``, are its label.
    shorter : mapping of str to str
        The last part of each name, if it is unique.
    """
    if all(_explains_itself(value) for candidate in candidates for value in candidate.values()):
        return ""
    found = _in_order(candidates)
    if not found:
        return ""
    names = [shorter.get(name, name) for name in found]
    pattern = "_".join(names)
    if len(names) == 1:
        words = f"by {pattern}"
    # Names that contain the joining sign would run into each other.
    elif len(pattern) <= _LONGEST_PATTERN and not any("_" in name for name in names):
        words = pattern
    else:
        words = f"by {', '.join(names[:-1])} and {names[-1]}"
    lacking = any(len(candidate) < len(found) for candidate in candidates)
    rest = "; parameters that a candidate lacks are omitted" if lacking else ""
    return f"candidates are named {words}{rest}"


def _explains_itself(value: Any) -> bool:
    """Whether a value explains itself: "rbf" and SVC() do; 0.1, True and "2" do not."""
    if isinstance(value, str):
        return any(map(str.isalpha, value))
    return callable(value) or hasattr(value, "get_params")


def _in_order(candidates: Sequence[Mapping[str, Any]]) -> list[str]:
    """All names, in an order common to all candidates; none if there is no such order."""
    before: dict[str, set[str]] = {}
    for names in dict.fromkeys(tuple(candidate) for candidate in candidates):
        for k, name in enumerate(names):
            before.setdefault(name, set()).update(names[max(k - 1, 0) : k])
    try:
        return list(TopologicalSorter(before).static_order())
    except CycleError:
        return []
