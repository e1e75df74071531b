"""Warnings of unseeded random numbers, which differ in a restarted search."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from sklearn_stats_compare._messages import outside_level


def warn_of_drawn_candidates(options: Any) -> None:
    """Warn if a search that was killed and started again would draw other candidates."""
    if options.draws_candidates and options.random_state is None:
        warnings.warn(
            "If this search is killed and started again, its `cv_results_` may differ: "
            "`random_state` of the search is None, so a restart draws other candidates. Set it to "
            "an int.",
            UserWarning,
            stacklevel=outside_level(),
        )


def is_unseeded(estimator: Any, candidates: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a `random_state` of the estimator is None in any candidate.

    Few of these draw numbers: LogisticRegression with some solvers, SVC with `probability`. Only a
    second fit shows whether one does.
    """
    for name, value in estimator.get_params(deep=True).items():
        if name.rpartition("__")[2] == "random_state" and any(
            params.get(name, value) is None for params in candidates
        ):
            return True
    # Estimators among the values of a grid, once each: several candidates may share one.
    parts = {id(part): part for params in candidates for part in params.values()}
    return any(
        is_unseeded(part, [{}])
        for part in parts.values()
        # A class has an unbound `get_params`, which cannot be called.
        if hasattr(part, "get_params") and not isinstance(part, type)
    )
