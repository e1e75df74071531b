"""What keeps a search that is started again from being the same search: unseeded random numbers."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from sklearn_stats_compare.stats._warnings import outside_level


def warn_of_chance(search: Any, candidates: Sequence[Mapping[str, Any]]) -> None:
    """Warn once if a search that was killed and started again need not end with the same scores."""
    drawn = []
    if hasattr(search, "param_distributions") and search.random_state is None:
        drawn.append("`random_state` of the search is None, so that other candidates are drawn")
    if _unseeded(search.estimator, candidates):
        name = type(search.estimator).__name__
        drawn.append(f"`random_state` of {name} is None, so that fits may draw other numbers")
    if drawn:
        warnings.warn(
            "A search that is killed and started again need not end with the same `cv_results_`: "
            f"{', and '.join(drawn)}. Set it to a number.",
            UserWarning,
            stacklevel=outside_level(),
        )


def _unseeded(estimator: Any, candidates: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a `random_state` of the estimator is None in any candidate."""
    for name, value in estimator.get_params(deep=True).items():
        if name.rpartition("__")[2] == "random_state" and any(
            params.get(name, value) is None for params in candidates
        ):
            return True
    parts = {id(part): part for params in candidates for part in params.values()}
    return any(
        _unseeded(part, [{}])
        for part in parts.values()
        if hasattr(part, "get_params") and not isinstance(part, type)
    )
