"""Labels of candidates: short, unique, made of their parameters; candidates looked up by them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from graphlib import CycleError, TopologicalSorter
from numbers import Integral
from types import CodeType, FunctionType
from typing import Any, Self

import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare._utils._formatting import shortened

_LONGEST_VALUE = 40

_LONGEST_LABEL = 200


class CandidateLabels(tuple[str, ...]):
    """Labels that `candidate_labels` made.

    Attributes
    ----------
    naming : str
        What they are made of, such as "candidates are named C_gamma"; "" if labels show it.
    """

    naming: str

    def __new__(cls, labels: Iterable[str], naming: str = "") -> Self:
        """Create from labels and a description of them."""
        made = super().__new__(cls, labels)
        made.naming = naming
        return made

    def of(self, rows: Iterable[int]) -> "CandidateLabels":
        """The labels of some candidates."""
        return CandidateLabels([self[row] for row in rows], self.naming)


def candidate_labels(
    params: Sequence[Mapping[str, Any]], *, named: bool = False
) -> CandidateLabels:
    """Label each candidate by the parameters in which it differs from the others.

    The first of these forms with unique labels is used: the varying values joined by ``_``
    (``rbf``, ``3_poly``), with the names of booleans and None (``max_depth=None``); ``name=value``
    with the last part of each name (``C=1, gamma=0.1``); the same with values in full
    (``clf=SVC(C=1)``); with whole names as well (``clf__C=1``); and finally the second form with
    the candidate's index (``C=1 #3``), for candidates that are drawn twice, have no readable
    difference, or would need more than 200 characters. Parameters that are the same for all
    candidates are left out.

    Parameters
    ----------
    params : sequence of mappings
        One mapping of parameter names to values per candidate, as in ``cv_results_["params"]``.
    named : bool, default=False
        Whether to leave out the first form, so that every label has names.
    """
    if not params:  # scikit-learn raises for an empty grid
        return CandidateLabels(())
    read = Reader()
    varying = _without_constants(params, read)
    names = {name for candidate in varying for name in candidate}
    ends = Counter(name.rpartition("__")[2] for name in names)
    # The last part of a nested name (``C`` of ``clf__C``) if no other name has the same.
    last_part = {name: end for name in names if ends[end := name.rpartition("__")[2]] == 1 and end}
    forms: list[Callable[[Mapping[str, Any]], str]] = [
        lambda candidate: "_".join(
            f"{last_part.get(name, name)}={read(value)}" if _needs_name(value) else read(value)
            for name, value in candidate.items()
        ),
        lambda candidate: _pairs(candidate, last_part, read),
        lambda candidate: _pairs(candidate, last_part, partial(read, in_full=True)),
    ]
    for form in forms[named:]:
        labels = [form(candidate) if candidate else "default" for candidate in varying]
        if (
            all(labels)
            and len(set(labels)) == len(labels)
            and max(map(len, labels)) <= _LONGEST_LABEL
        ):
            naming = naming_words(varying, last_part) if form is forms[0] else ""
            return CandidateLabels(labels, naming)
    labels = [
        shortened(forms[1](candidate) if candidate else "default", _LONGEST_LABEL)
        for candidate in varying
    ]
    return CandidateLabels(_numbered(labels))


def _without_constants(params: Sequence[Mapping[str, Any]], read: "Reader") -> list[dict[str, Any]]:
    if len(params) == 1:
        return [dict(params[0])]
    seen: dict[str, list[tuple[str, str]]] = {}
    for candidate in params:
        for name, value in candidate.items():
            seen.setdefault(name, []).append((type(value).__name__, read.identity(value)))
    constant = {
        name
        for name, values in seen.items()
        if len(values) == len(params) and len(set(values)) == 1
    }
    if len(constant) == len(seen):  # identical candidates: show all parameters
        constant = set()
    return [
        {name: value for name, value in candidate.items() if name not in constant}
        for candidate in params
    ]


def _pairs(
    candidate: Mapping[str, Any], shorter: Mapping[str, str], read: Callable[[Any], str]
) -> str:
    return ", ".join(f"{shorter.get(name, name)}={read(v)}" for name, v in candidate.items())


def _numbered(labels: Sequence[str]) -> tuple[str, ...]:
    """Append the candidate's index to labels that occur more than once."""
    count = Counter(labels)
    numbered = [
        f"{label} #{index}" if count[label] > 1 else label for index, label in enumerate(labels)
    ]
    if len(set(numbered)) < len(numbered):  # a value that itself reads like "1 #3"
        numbered = [f"{label} #{index}" for index, label in enumerate(labels)]
    return tuple(numbered)


class Reader:
    """Values as text, remembered by identity: a grid repeats a few objects in thousands of rows."""

    def __init__(self) -> None:
        # The value is kept with its text, so that no other object can get its id.
        self._known: dict[tuple[int, bool | None], tuple[Any, str]] = {}

    def __call__(self, value: Any, in_full: bool = False) -> str:
        key = id(value), in_full
        if key not in self._known:
            self._known[key] = value, _in_full(value) if in_full else _short(value)
        return self._known[key][1]

    def identity(self, value: Any) -> str:
        """`identity` of a value."""
        key = id(value), None
        if key not in self._known:
            self._known[key] = value, identity(value)
        return self._known[key][1]


def identity(value: Any) -> str:
    """Text that only equal values share, in this process and in others.

    Not ``repr``: NumPy and scikit-learn shorten that of long lists, and functions have an address.
    """
    if hasattr(value, "get_params") and not isinstance(value, type):
        with suppress(Exception):  # of a class that breaks scikit-learn's rules
            return f"{type(value).__qualname__}{identity(value.get_params(deep=False))}"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key!r}: {identity(own)}' for key, own in value.items())}}}"
    if type(value) in (list, tuple):
        return f"{type(value).__name__}({', '.join(map(identity, value))})"
    if isinstance(value, np.ndarray | pd.Series | pd.DataFrame):
        return f"{type(value).__name__} {joblib.hash(value)}"
    if isinstance(value, partial):
        return f"partial{identity((value.func, value.args, value.keywords))}"
    if isinstance(value, FunctionType):
        kept = [cell.cell_contents for cell in value.__closure__ or ()]
        defaults = value.__defaults__, value.__kwdefaults__
        of = f"{value.__module__}.{value.__qualname__}:{value.__code__.co_firstlineno}"
        # Several may be on one line.
        return f"{of}{identity((kept, defaults, value.__code__))}"
    if isinstance(value, CodeType):
        parts = value.co_code.hex(), value.co_names, value.co_varnames, value.co_consts
        return f"code{identity(parts)}"
    return hex(value) if type(value) is int and abs(value) > 1 << 60 else repr(value)


def params_in_full(params: Mapping[str, Any], read: Reader) -> str:
    """All parameters of a candidate as text, "svc__C=14.38, svc__gamma=0.004642"."""
    return ", ".join(f"{name}={read(value, in_full=True)}" for name, value in params.items())


def _short(value: Any) -> str:
    if hasattr(value, "get_params") and not isinstance(value, type):
        return type(value).__name__
    if isinstance(value, float | np.floating):
        exact = str(value)
        return exact if len(exact) <= 8 else f"{value:.4g}"
    text = _in_full(value)
    return text if len(text) <= _LONGEST_VALUE else shortened(text, _LONGEST_VALUE)


def _in_full(value: Any) -> str:
    if isinstance(value, type) or (callable(value) and not hasattr(value, "get_params")):
        text = getattr(value, "__name__", None) or type(value).__name__
    elif type(value) in (list, tuple):
        items = ", ".join(_short(v) if callable(v) else _in_full(v) for v in value)
        one = "," if len(value) == 1 else ""  # as a table of a file or a ledger has it
        text = f"[{items}]" if isinstance(value, list) else f"({items}{one})"
    else:
        try:
            text = str(value)
        except ValueError:  # whole numbers of thousands of digits
            text = type(value).__name__
        if " at 0x" in text:  # an address, which the next run would not repeat
            text = type(value).__name__
    return checks.encodable(" ".join(text.split()))


NAMED = "name=value"
"""Setting of `labels` that writes the name of every parameter next to its value."""


@dataclass(frozen=True, eq=False)
class CandidateNames:
    """Labels and indices of the rows of scores.

    Parameters
    ----------
    labels : tuple of str
        Label of each row, unique.
    indices : tuple of int
        Index of each row where it comes from, unique.
    note : str, default=""
        Added to the error for an unknown candidate, such as which ones were left out.
    """

    labels: tuple[str, ...]
    indices: tuple[int, ...]
    note: str = ""

    def row(self, which: int | str, name: str) -> int:
        """Row of the candidate with this index or label."""
        if isinstance(which, str) and checks.encodable(which) in self._row_of_label:
            return self._row_of_label[checks.encodable(which)]
        is_index = isinstance(which, Integral) and not isinstance(which, bool)
        if is_index and which in self._row_of_index:
            return self._row_of_index[int(which)]
        indices = np.asarray(self.indices)
        left_out = f" {self.note}" if self.note else ""
        known = f"from {indices.min()} to {indices.max()}"
        if np.ptp(indices) >= len(indices):  # some only
            known = f"one of {checks.shown_list(map(str, indices))}"
        raise ValueError(
            f"`{name}` must be a candidate's index, {known}, or its label, "
            f"one of {checks.shown_list(map(repr, self.labels))}; got {checks.shown(which)}."
            f"{checks.meant(which, self.labels)}{left_out}"
        )

    @cached_property
    def _row_of_label(self) -> dict[str, int]:
        return {label: row for row, label in enumerate(self.labels)}

    @cached_property
    def _row_of_index(self) -> dict[int, int]:
        return {index: row for row, index in enumerate(self.indices)}

    def indices_of(self, rows: Any) -> NDArray[np.intp]:
        """Indices of candidates, from rows."""
        return np.asarray(self.indices)[rows]


def labels_among(labels: Any, rows: Sequence[int], n: int) -> Any:
    """The labels of some of `n` rows, if there is one for each; other labels as they are."""
    if not isinstance(labels, Sequence | np.ndarray | pd.Index | pd.Series):
        return labels
    in_order = not isinstance(labels, pd.Series) or labels.index.equals(pd.RangeIndex(n))
    if isinstance(labels, str) or len(labels) != n or not in_order:
        return labels
    listed = list(labels)
    return [listed[row] for row in rows]


def checked_labels(
    labels: Any, params: Sequence[Mapping[str, Any]] | None, n: int
) -> tuple[str, ...]:
    """Return `labels`, or labels made from `params`; raise unless there are `n` unique ones."""
    if labels is None:
        return tuple(str(i) for i in range(n)) if params is None else candidate_labels(params)
    if isinstance(labels, str) and labels == NAMED:
        return named_labels(params)
    if isinstance(labels, pd.Series) and not labels.index.equals(pd.RangeIndex(len(labels))):
        raise ValueError(
            "`labels` must be in the order of the candidates; got a Series with the index "
            f"{checks.shown_list(map(str, labels.index))}. Pass `to_list()` if the order is right."
        )
    listed = checks.check_listed("labels", labels, f'a sequence, one per candidate, or "{NAMED}"')
    if not isinstance(labels, CandidateLabels):
        labels = tuple(checks.encodable(str(label)) for label in listed)
    if len(labels) != n:
        raise ValueError(f"`labels` must name each of the {n} candidates; got {len(labels)}.")
    if len(set(labels)) < n:
        twice = sorted(label for label, times in Counter(labels).items() if times > 1)
        raise ValueError(
            f"`labels` must be unique; got more than one {checks.shown_list(map(repr, twice))}."
        )
    return labels


def named_labels(params: Sequence[Mapping[str, Any]] | None) -> CandidateLabels:
    """Labels in the form "C=1, gamma=0.1", where parameters are known."""
    if params is None:
        raise ValueError(
            f'`labels` "{NAMED}" needs parameters of the candidates, which the results of a search '
            "have; these have none: give a sequence of labels, one per candidate."
        )
    return candidate_labels(params, named=True)


def checked_params(params: Any, n: int) -> Sequence[Mapping[str, Any]] | None:
    """Return `params` if they are `n` mappings, or None."""
    if params is None:
        return None
    listed = checks.check_listed("params", params, "a sequence, one per candidate")
    if len(listed) != n:
        raise ValueError(f"`params` must have one entry per candidate, {n}; got {len(listed)}.")
    if not all(isinstance(candidate, Mapping) for candidate in listed):
        given = checks.shown(params)
        raise TypeError(f"`params` must be mappings of names to values; got {given}.")
    for name in {name for candidate in listed for name in candidate}:
        checks.check_text("params", name)
    return [dict(candidate) for candidate in listed]  # copies


def checked_candidates(candidates: Any, n: int) -> tuple[int, ...]:
    """Return `candidates`, or 0, 1, …, if they are `n` different indices."""
    if candidates is None:
        return tuple(range(n))
    rule = f"{n} different indices, one per candidate"
    listed = checks.check_listed("candidates", candidates, rule)
    whole = all(isinstance(i, Integral) and not isinstance(i, bool) for i in listed)
    indices = tuple(int(index) for index in listed) if whole else ()
    if len(indices) != n or len(set(indices)) < n:
        raise ValueError(f"`candidates` must be {rule}; got {checks.shown(candidates)}.")
    return indices


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


def _needs_name(value: Any) -> bool:
    """Whether a value says nothing without its name: a boolean or None."""
    return value is None or isinstance(value, bool | np.bool_)


def _explains_itself(value: Any) -> bool:
    """Whether a label explains itself: "rbf", SVC() and True with its name do; 0.1 does not."""
    if _needs_name(value):
        return True
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
