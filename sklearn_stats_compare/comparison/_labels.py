"""Parameters of candidates → short labels that are unique."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np

from sklearn_stats_compare._messages import shortened
from sklearn_stats_compare.comparison._naming import naming_words

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
    (``rbf``, ``3_poly``); ``name=value`` with the last part of each name (``C=1, gamma=0.1``); the
    same with values in full (``clf=SVC(C=1)``); with whole names as well (``clf__C=1``); and
    finally the second form with the candidate's index (``C=1 #3``), for candidates that are drawn
    twice, have no readable difference, or would need more than 200 characters. Parameters that are
    the same for all candidates are left out.

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
    last_part = _last_parts({name for candidate in varying for name in candidate})
    forms: list[Callable[[Mapping[str, Any]], str]] = [
        lambda candidate: "_".join(read(value) for value in candidate.values()),
        lambda candidate: _pairs(candidate, last_part, read),
        lambda candidate: _pairs(candidate, last_part, partial(read, in_full=True)),
        lambda candidate: _pairs(candidate, {}, partial(read, in_full=True)),
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
            seen.setdefault(name, []).append((type(value).__name__, read(value, in_full=True)))
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


def _last_parts(names: set[str]) -> dict[str, str]:
    """The last part of each nested name (``C`` of ``clf__C``) if no other name has the same."""
    ends = Counter(name.rpartition("__")[2] for name in names)
    return {name: end for name in names if ends[end := name.rpartition("__")[2]] == 1 and end}


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
        self._known: dict[tuple[int, bool], tuple[Any, str]] = {}

    def __call__(self, value: Any, in_full: bool = False) -> str:
        key = id(value), in_full
        if key not in self._known:
            self._known[key] = value, _in_full(value) if in_full else _short(value)
        return self._known[key][1]


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
        text = f"[{items}]" if isinstance(value, list) else f"({items})"
    else:
        try:
            text = str(value)
        except ValueError:  # whole numbers of thousands of digits
            text = type(value).__name__
        if " at 0x" in text:  # an address, which the next run would not repeat
            text = type(value).__name__
    return " ".join(text.split())
