"""CandidateNames: look up candidates by label or index."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_listed, shown, shown_list
from sklearn_stats_compare.comparison._labels import CandidateLabels, candidate_labels

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
        if isinstance(which, str) and which in self._row_of_label:
            return self._row_of_label[which]
        is_index = isinstance(which, Integral) and not isinstance(which, bool)
        if is_index and which in self._row_of_index:
            return self._row_of_index[int(which)]
        indices = np.asarray(self.indices)
        left_out = f" {self.note}" if self.note else ""
        known = f"from {indices.min()} to {indices.max()}"
        if np.ptp(indices) >= len(indices):  # some only
            known = f"one of {shown_list(map(str, indices))}"
        raise ValueError(
            f"`{name}` must be a candidate's index, {known}, or its label, "
            f"one of {shown_list(map(repr, self.labels))}; got {shown(which)}.{left_out}"
        )

    @cached_property
    def _row_of_label(self) -> dict[str, int]:
        return {label: row for row, label in enumerate(self.labels)}

    @cached_property
    def _row_of_index(self) -> dict[int, int]:
        return {index: row for row, index in enumerate(self.indices)}

    def label(self, row: int) -> str:
        """Label of a row."""
        return self.labels[row]

    def indices_of(self, rows: Any) -> NDArray[np.intp]:
        """Indices of candidates, from rows."""
        return np.asarray(self.indices)[rows]


def checked_labels(
    labels: Any, params: Sequence[Mapping[str, Any]] | None, n: int
) -> tuple[str, ...]:
    """Return `labels`, or labels made from `params`; raise unless there are `n` unique ones."""
    if labels is None:
        return tuple(str(i) for i in range(n)) if params is None else candidate_labels(params)
    if isinstance(labels, str) and labels == NAMED:
        return named_labels(params)
    listed = check_listed("labels", labels, f'a sequence, one per candidate, or "{NAMED}"')
    if not isinstance(labels, CandidateLabels):
        labels = tuple(str(label) for label in listed)
    if len(labels) != n:
        raise ValueError(f"`labels` must name each of the {n} candidates; got {len(labels)}.")
    if len(set(labels)) < n:
        twice = sorted(label for label, times in Counter(labels).items() if times > 1)
        raise ValueError(
            f"`labels` must be unique; got more than one {shown_list(map(repr, twice))}."
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
    listed = check_listed("params", params, "a sequence, one per candidate")
    if len(listed) != n:
        raise ValueError(f"`params` must have one entry per candidate, {n}; got {len(listed)}.")
    if not all(isinstance(candidate, Mapping) for candidate in listed):
        raise TypeError(f"`params` must be mappings of names to values; got {shown(params)}.")
    return listed


def checked_candidates(candidates: Any, n: int) -> tuple[int, ...]:
    """Return `candidates`, or 0, 1, …, if they are `n` different indices."""
    if candidates is None:
        return tuple(range(n))
    rule = f"{n} different indices, one per candidate"
    listed = check_listed("candidates", candidates, rule)
    whole = all(isinstance(i, Integral) and not isinstance(i, bool) for i in listed)
    indices = tuple(int(index) for index in listed) if whole else ()
    if len(indices) != n or len(set(indices)) < n:
        raise ValueError(f"`candidates` must be {rule}; got {shown(candidates)}.")
    return indices
