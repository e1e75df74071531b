"""hierarchical(): split scores of two models on all data sets → the next data set, and the mean."""

from typing import Any


def hierarchical(
    self: Any,
    i: int | str,
    j: int | str,
    *,
    rope: float | tuple[float, float] | None = None,
    rng: Any = 0,
) -> Any:
    """Hierarchical model."""
    raise NotImplementedError
