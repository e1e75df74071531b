"""Places that are at least a gap apart, near those that were wanted."""

import numpy as np
from numpy.typing import NDArray


def spread(wanted: NDArray[np.float64], gap: float) -> NDArray[np.float64]:
    """Places from 0 to 1 near the given ones, at least `gap` apart where there is room."""
    n = len(wanted)
    gap = min(gap, 1 / max(n - 1, 1))
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(n)
    # Isotonic regression: neighbours that are too close move together, about their mean.
    blocks: list[list[float]] = []
    for place in wanted[order] - steps:
        blocks.append([place])
        while len(blocks) > 1 and np.mean(blocks[-2]) >= np.mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    means = np.concatenate([np.full(len(block), np.mean(block)) for block in blocks])
    places = np.empty(n)
    places[order] = np.clip(means, 0, 1 - gap * (n - 1)) + steps
    return places
