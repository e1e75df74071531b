"""NamedScores: split scores of candidates that have names."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_count, check_listed, check_text, shown, shown_list
from sklearn_stats_compare.comparison._labels import candidate_labels
from sklearn_stats_compare.comparison._stream import check_n_pairs
from sklearn_stats_compare.stats import SplitScores


@dataclass(frozen=True, eq=False, repr=False)
class NamedScores:
    """Split scores of named candidates: who they are and how they stand, before any test.

    Parameters
    ----------
    scores : SplitScores
        Test scores, candidates × splits, higher is better, and the sizes of the splits.
    labels : sequence of str, optional
        A unique name for each candidate, in the order of `scores`. Default: made from `params`, or
        "0", "1", ….
    params : sequence of mappings, optional
        Parameters of each candidate.
    metric : str, default="score"
        Name of the score, for people to read.
    candidates : sequence of int, optional
        Index of each candidate where it comes from, such as its row in ``cv_results_``, for scores
        of some candidates only. Default: 0, 1, ….
    note : str, default=""
        A sentence on where the scores come from, shown with them.
    n_entered : int, optional
        Number of candidates that the leader was chosen from, where not all of them are compared.
        Default: those that are.

    Raises
    ------
    ValueError
        If labels or indices are not unique, or there is not one per candidate.
    TypeError
        If a text is none, or `labels`, `params` or `candidates` are no sequences.
    """

    scores: SplitScores
    labels: Sequence[str] | None = None
    params: Sequence[Mapping[str, Any]] | None = field(default=None, kw_only=True)
    metric: str = field(default="score", kw_only=True)
    candidates: Sequence[int] | None = field(default=None, kw_only=True)
    note: str = field(default="", kw_only=True)
    n_entered: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.scores, SplitScores):
            raise TypeError(
                "`scores` must be SplitScores(values, SplitDesign(n_train, n_test)); "
                f"got {type(self.scores).__name__}."
            )
        n = self.scores.n_candidates
        if self.params is not None:
            params = check_listed("params", self.params, "a sequence, one per candidate")
            if len(params) != n:
                raise ValueError(
                    f"`params` must have one entry per candidate, {n}; got {len(params)}."
                )
            if not all(isinstance(candidate, Mapping) for candidate in params):
                raise TypeError(
                    f"`params` must be mappings of names to values; got {shown(self.params)}."
                )
            object.__setattr__(self, "params", params)
        if self.n_entered is not None:
            object.__setattr__(self, "n_entered", check_count("n_entered", self.n_entered, n))
        check_text("metric", self.metric)
        check_text("note", self.note)
        object.__setattr__(self, "labels", self._checked_labels())
        object.__setattr__(self, "candidates", self._checked_candidates())

    def __getstate__(self) -> dict[str, Any]:
        # A copy, to which no other thread can add a computed table while it is being pickled.
        return dict(vars(self))

    def _checked_labels(self) -> tuple[str, ...]:
        if self.labels is None:
            if self.params is not None:
                return candidate_labels(self.params)
            return tuple(str(i) for i in range(self.scores.n_candidates))
        listed = check_listed("labels", self.labels, "a sequence, one per candidate")
        labels = tuple(str(label) for label in listed)
        if len(labels) != self.scores.n_candidates:
            raise ValueError(
                f"`labels` must name each of the {self.scores.n_candidates} candidates; "
                f"got {len(labels)} labels."
            )
        if len(set(labels)) < len(labels):
            twice = sorted(label for label, n in Counter(labels).items() if n > 1)
            raise ValueError(
                f"`labels` must be unique; got more than one {shown_list(map(repr, twice))}."
            )
        return labels

    def _checked_candidates(self) -> tuple[int, ...]:
        n = self.scores.n_candidates
        if self.candidates is None:
            return tuple(range(n))
        rule = f"{n} different indices, one per candidate"
        listed = check_listed("candidates", self.candidates, rule)
        whole = all(isinstance(i, Integral) and not isinstance(i, bool) for i in listed)
        candidates = tuple(int(index) for index in listed) if whole else ()
        if len(candidates) != n or len(set(candidates)) < n:
            raise ValueError(f"`candidates` must be {rule}; got {shown(self.candidates)}.")
        return candidates

    @property
    def leader_index(self) -> int | None:
        """Index of the candidate with the best mean (the first of ties); None if all failed."""
        order = self.scores.order
        return int(self._indices(order[:1])[0]) if self.scores.n_available else None

    @property
    def leader(self) -> str | None:
        """Label of the candidate with the best mean (the first of ties); None if all failed."""
        return self._label(self.scores.order[0]) if self.scores.n_available else None

    def split_correlation(self) -> pd.DataFrame:
        """Correlation of split scores, candidates × candidates in rank order.

        High correlations are the fold effect: an easy split is easy for all. NaN for a candidate
        that failed, or that scores the same on every split and so correlates with nothing.
        Raises ValueError where there are more than 20 million pairs.
        """
        check_n_pairs(self.scores)
        labels = [self._label(i) for i in self.scores.order]
        correlation = self.scores.correlation(self.scores.order)
        return pd.DataFrame(correlation, index=labels, columns=labels)

    def candidate(self, which: int | str, *, name: str = "candidate") -> int:
        """Index of a candidate that is given by index or label; `name` is for the error."""
        return int(self._indices([self._row(which, name)])[0])

    def _row(self, which: int | str, name: str) -> int:
        """Row of `scores` of a candidate that is given by index or label."""
        if isinstance(which, str) and which in self._row_of_label:
            return self._row_of_label[which]
        is_index = isinstance(which, Integral) and not isinstance(which, bool)
        if is_index and which in self._row_of_index:
            return self._row_of_index[int(which)]
        labels, indices = self._all_labels, self._indices(slice(None))
        left_out = f" {self.note}" if self.note else ""
        known = f"from {indices.min()} to {indices.max()}"
        if np.ptp(indices) >= len(indices):  # some only
            known = f"one of {shown_list(map(str, indices))}"
        raise ValueError(
            f"`{name}` must be a candidate's index, {known}, or its label, "
            f"one of {shown_list(map(repr, labels))}; got {shown(which)}.{left_out}"
        )

    @cached_property
    def _row_of_label(self) -> dict[str, int]:
        return {label: row for row, label in enumerate(self._all_labels)}

    @cached_property
    def _row_of_index(self) -> dict[int, int]:
        return {int(index): row for row, index in enumerate(self._indices(slice(None)))}

    def _indices(self, rows: Any) -> NDArray[np.intp]:
        """Indices of candidates, from rows of `scores`."""
        return np.asarray(self.candidates)[rows]

    @property
    def _all_labels(self) -> tuple[str, ...]:
        return tuple(self.labels or ())

    def _label(self, row: int) -> str:
        return self._all_labels[row]
