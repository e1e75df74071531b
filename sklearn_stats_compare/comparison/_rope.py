"""The region of practical equivalence as users write it → (low, high) in score units."""

from typing import Any

from sklearn_stats_compare._messages import check_interval, shown
from sklearn_stats_compare.stats import SplitScores


def check_rope(rope: Any) -> None:
    """Raise ValueError unless `rope` is a half-width, a (low, high) pair or a share like "1%"."""
    resolve_rope(rope, 1.0)


def resolve_rope(rope: Any, leader_mean: float) -> tuple[float, float]:
    """Return `rope` as (low, high); a share is one of the absolute `leader_mean`."""
    if isinstance(rope, str):
        half_width = _share(rope) * abs(leader_mean)
        return -half_width, half_width
    return check_interval("rope", rope)


def leader_mean(scores: SplitScores) -> float:
    """The highest mean, for a relative ROPE; NaN if every candidate failed."""
    return float(scores.means[scores.order[0]])


def _share(rope: str) -> float:
    text = rope.strip()
    try:
        if not text.endswith("%"):
            raise ValueError
        _, high = check_interval("rope", float(text[:-1]))
    except ValueError:
        raise ValueError(
            "`rope` must be a half-width ≥ 0, a (low, high) pair, or a share of the leader's "
            f"|mean| such as '1%'; got {shown(rope)}."
        ) from None
    return high / 100
