"""StatisticPair: base class of results that unpack as ``statistic, pvalue``."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class StatisticPair:
    """A test's statistic and p-value.

    Attributes
    ----------
    statistic : float
        The test's statistic.
    pvalue : float
        Its p-value.
    """

    statistic: float
    pvalue: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.statistic, self.pvalue))
