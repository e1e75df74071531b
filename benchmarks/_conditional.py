"""ChosenMean: conditional, hybrid and projection intervals of Andrews, Kitagawa and McCloskey.

The package does not have them, because they do not cover the truth of coarse scores whose leaders
are close (see benchmarks.optimism). Their paper: Inference on winners, Quarterly Journal of
Economics 139 (2024), 305–358, https://doi.org/10.1093/qje/qjad043.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy import optimize, stats

from sklearn_stats_compare import SplitScores

AFTER_CHOICE = ("projection", "hybrid", "conditional")
_SAME = 1e-9
_SHARE_OF_PROJECTION = 0.1
"""Share of alpha for the outer interval of "hybrid" (Andrews et al., 2024, recommend a tenth)."""


@dataclass(frozen=True)
class ChosenMean:
    """The mean of the candidate that was chosen for having the best mean.

    Given that choice, and what the scores of the others say after regression on the leader's, its
    mean follows a normal distribution truncated to [low, high]. The covariance of the means is that
    of the split scores times 1/J + q. The normal distribution is widened to the critical value of
    Student's t. Bonferroni's bound replaces the quantile of the simultaneous interval.
    """

    mean: float
    std_err: float
    df: int
    n_candidates: int
    low: float
    high: float

    @classmethod
    def of(cls, scores: SplitScores, half_step: float = 0.0) -> Self:
        """The leader of these scores; at least one candidate is not missing, and J > 1.

        With half the step between possible means, a tie counts as a lead of that much.
        """
        values = scores.comparable(scores.order[: scores.n_available])
        means = values.mean(axis=1)
        centred = values - means[:, None]
        leader = int(scores.order[0])
        mean, std_err = float(scores.means[leader]), float(scores.std_errs[leader])
        low, high = -np.inf, np.inf
        square = centred[0] @ centred[0]
        if square > 0:
            # Regression on the leader; the factor 1/J + q of all covariances cancels.
            slope = centred @ centred[0] / square
            rest = means - half_step - slope * means[0]
            # Copies of the leader say nothing; their slope may differ from 1 by rounding.
            below, above = slope < 1 - _SAME, slope > 1 + _SAME
            low = float((rest[below] / (1 - slope[below])).max(initial=-np.inf))
            high = float((rest[above] / (1 - slope[above])).min(initial=np.inf))
        # Rounding must not put the mean outside.
        low, high = min(low, mean), max(high, mean)
        return cls(mean, std_err, scores.n_splits - 1, len(means), low, high)

    def limits(self, tail: float, method: str = "hybrid") -> tuple[float, float]:
        """Interval with the probability `tail` on either side.

        "conditional" inverts the truncated distribution; "projection" is simultaneous for all
        candidates; "hybrid" is "conditional" within "projection" at a tenth of alpha.
        """
        if not self.std_err > 0:
            return self.mean, self.mean
        share = _SHARE_OF_PROJECTION if method == "hybrid" else 1.0
        reach = float(stats.t.isf(share * tail / self.n_candidates, self.df)) * self.std_err
        if method == "projection":
            return self.mean - reach, self.mean + reach
        if method == "hybrid":
            tail = (tail - share * tail) / (1 - share * 2 * tail)
        else:
            reach = np.inf
        critical = float(stats.t.isf(tail, self.df))
        if not np.isfinite(critical):  # a level that rounds to 1
            return -np.inf, np.inf
        unit = self.std_err * critical / float(stats.norm.isf(tail))
        truncated = _Truncated(
            (self.low - self.mean) / unit, (self.high - self.mean) / unit, reach / unit
        )
        return (
            self.mean + unit * truncated.shift(1 - tail),
            self.mean + unit * truncated.shift(tail),
        )


@dataclass(frozen=True)
class _Truncated:
    """A standard normal number plus δ, observed at 0, within [low, high] and δ ± outer."""

    low: float
    high: float
    outer: float

    def below(self, shift: float) -> float:
        """P(below the observed value) if δ is `shift`."""
        low = max(self.low - shift, -self.outer)
        high = min(self.high - shift, self.outer)
        return float(stats.truncnorm.cdf(-shift, low, high)) if low < high else 0.5

    def shift(self, share: float) -> float:
        """The δ for which the probability below the observed value is `share`."""
        # That probability falls as δ grows.
        low, high = -self.outer, self.outer
        if np.isinf(self.outer):
            low, high = -1.0, 1.0
            while self.below(low) < share and low > -1e8:
                low *= 2
            while self.below(high) > share and high < 1e8:
                high *= 2
        if self.below(low) <= share:
            return low
        if self.below(high) >= share:
            return high
        return float(optimize.brentq(lambda d: self.below(d) - share, low, high, xtol=1e-10))
