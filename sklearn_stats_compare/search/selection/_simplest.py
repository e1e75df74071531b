"""SimplestRule: choose the simplest of the candidates that a rule keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sklearn_stats_compare.search.selection._complexity import check_complexity, complexity_keys
from sklearn_stats_compare.search.selection._rule import SelectionRule


@dataclass(frozen=True)
class SimplestRule(SelectionRule):
    """Keep the candidates that are good enough and take the simplest of them.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        Determines which candidate is simpler. The options are:

        - the name of a parameter, or of a numeric column of ``cv_results_`` such as
          ``"mean_score_time"``: the larger the value, the more complex the candidate;
        - a sequence of such names, the most important first;
        - a mapping of such names to "ascending" (larger is more complex) or "descending";
        - a function of a candidate's parameters whose results can be ordered.
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.
    """

    complexity: Any
    metric: str | None = field(default=None, kw_only=True)
    test_train_ratio: float | None = field(default=None, kw_only=True)

    def check(self, params: Sequence[Mapping[str, Any]], scoring: Any) -> None:
        """Raise an error if the rule is invalid for candidates with these parameters."""
        super().check(params, scoring)
        check_complexity(self.complexity, params)

    def _preference(
        self, cv_results: Mapping[str, Any]
    ) -> tuple[list[tuple[Any, ...]], dict[str, Any]]:
        keys = complexity_keys(self.complexity, cv_results)
        return keys, {"complexity": [key[0] if len(key) == 1 else key for key in keys]}
