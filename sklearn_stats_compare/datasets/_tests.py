"""Tests of all pairs of models over data sets, the settings of a comparison, and its assumptions.

To add a test, write its function and add a row to `DATASET_TESTS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare.stats._multitest import ADJUSTMENTS, P_ADJUST, adjust_pvalues
from sklearn_stats_compare.stats.datasets import _rank_tests
from sklearn_stats_compare.stats.datasets._signed_rank import ZEROS, sign_test_pairs, wilcoxon_pairs

ZEROS_IN_WORDS = {
    "pratt": "ties by Pratt's method",
    "wilcox": "without tied data sets",
    "zsplit": "ranks of ties shared",
}
"""Treatments of tied data sets by the signed-rank test."""


class PairTails(NamedTuple):
    """Tests of all pairs of models, in the order (0, 1), (0, 2), …, arrays of shape (n_pairs,).

    Attributes
    ----------
    statistic : ndarray of float
        Positive where the first model is better.
    two_sided, greater, less : ndarray of float
        p-values, not adjusted; "greater" is evidence that the first model is better.
    """

    statistic: NDArray[np.float64]
    two_sided: NDArray[np.float64]
    greater: NDArray[np.float64]
    less: NDArray[np.float64]

    def pvalue(self, alternative: str) -> NDArray[np.float64]:
        """The p-values of one alternative."""
        return np.asarray(getattr(self, alternative.replace("-", "_")))


Tails = Callable[[NDArray[np.float64], str, float], PairTails]
"""Takes scores (n_models, n_datasets), the treatment of zeros, and the tested difference."""


@dataclass(frozen=True)
class DatasetTest:
    """A test of pairs of models over data sets.

    Parameters
    ----------
    words : str
        The test in words, to follow "tested by".
    tails : callable
        Computes the tests of all pairs.
    of_scores : bool, default=True
        Whether it tests a difference in score units, so that there is equivalence.
    adjusted : bool, default=False
        Whether its p-values are those of all pairs together already.
    works : tuple of str, default=()
        Keys of the works to cite, as in a report's bibliography.
    """

    words: str
    tails: Tails
    of_scores: bool = True
    adjusted: bool = False
    works: tuple[str, ...] = ()


def _wilcoxon(values: NDArray[np.float64], zeros: str, shift: float) -> PairTails:
    pairs = wilcoxon_pairs(values, zeros=zeros, shift=shift)
    return PairTails(pairs.z, pairs.pvalue, pairs.greater, pairs.less)


def _sign(values: NDArray[np.float64], zeros: str, shift: float) -> PairTails:
    pairs = sign_test_pairs(values, shift=shift)
    wins = (pairs.wins - pairs.losses).astype(float)
    return PairTails(wins, pairs.pvalue, pairs.greater, pairs.less)


def _nemenyi(values: NDArray[np.float64], zeros: str, shift: float) -> PairTails:
    from_ranks = _rank_tests.rank_pairs(_rank_tests.average_ranks(values), values.shape[1])
    pvalue = _rank_tests.nemenyi_pvalues(_rank_tests.average_ranks(values), values.shape[1])
    unknown = np.full(len(pvalue), np.nan)
    return PairTails(from_ranks.z, pvalue, unknown, unknown)


DATASET_TESTS: Mapping[str, DatasetTest] = {
    "wilcoxon": DatasetTest(
        "Wilcoxon's signed-rank test",
        _wilcoxon,
        works=("wilcoxon1945individual", "demsar2006statistical"),
    ),
    "sign": DatasetTest("the sign test", _sign, works=("demsar2006statistical",)),
    "nemenyi": DatasetTest(
        "Nemenyi's test of mean ranks",
        _nemenyi,
        of_scores=False,
        adjusted=True,
        works=("nemenyi1963distribution", "demsar2006statistical"),
    ),
}
"""All tests of pairs over data sets, by name."""

# Max-t draws from the joint null of corrected t statistics; Shaffer's method counts which pairs
# can be equal together, so it exists for all pairs only.
DatasetTestName = Literal["wilcoxon", "sign", "nemenyi"]
Zeros = Literal["pratt", "wilcox", "zsplit"]
DatasetsPAdjust = Literal["bonferroni", "sidak", "holm", "hochberg", "bh", "by", "shaffer"]

DATASETS_P_ADJUST = (*(name for name in P_ADJUST if name != "maxt"), "shaffer")


@dataclass(frozen=True)
class DatasetsSettings:
    """Settings of tests of pairs of models over data sets, checked.

    Parameters
    ----------
    test : str
        A key of `DATASET_TESTS`.
    zeros : str
        How the signed-rank test treats differences of zero, one of `ZEROS`.
    alternative : {"greater", "less", "two-sided"}
        Alternative of the reported p-values.
    p_adjust : str or None
        One of `DATASETS_P_ADJUST`.
    rope : (float, float)
        Limits of the region of practical equivalence, in score units.
    alpha : float
        Level, in (0, 1).
    """

    test: str
    zeros: str
    alternative: str
    p_adjust: str | None
    rope: tuple[float, float]
    alpha: float

    def __post_init__(self) -> None:
        checks.check_option("test", self.test, DATASET_TESTS)
        checks.check_option("zeros", self.zeros, ZEROS)
        checks.check_option("alternative", self.alternative, checks.ALTERNATIVES)
        checks.check_option("p_adjust", self.p_adjust, DATASETS_P_ADJUST)
        object.__setattr__(self, "alpha", checks.check_probability("alpha", self.alpha))
        if not self.row.of_scores and self.alternative != "two-sided":
            rule = f"be 'two-sided' with test={self.test!r}"
            raise checks.wrong("alternative", rule, self.alternative)
        if self.p_adjust == "shaffer" and self.alternative != "two-sided":
            # If 1 > 2, then 1 ≤ 3 and 2 ≤ 3 may both be true; of 1 = 3 and 2 = 3 only one.
            raise ValueError(
                "`alternative` must be 'two-sided' with p_adjust='shaffer', which counts the pairs "
                f"that can be equal at once; got {self.alternative!r}. Use 'holm'."
            )

    @property
    def row(self) -> DatasetTest:
        """The test."""
        return DATASET_TESTS[self.test]

    @property
    def p_adjust_used(self) -> str | None:
        """The adjustment of tests of equality; None for a test that is adjusted already."""
        return None if self.row.adjusted else self.p_adjust

    @property
    def p_adjust_of_others(self) -> str | None:
        """The adjustment of other families than the tests of equality of all pairs."""
        return "holm" if self.p_adjust == "shaffer" else self.p_adjust

    def adjusted_for_all(self, pvalues: NDArray[np.float64], n_models: int) -> NDArray[np.float64]:
        """p-values of equality of all pairs, adjusted."""
        if self.row.adjusted:
            return pvalues
        if self.p_adjust == "shaffer":
            return _rank_tests.shaffer_pvalues(pvalues, n_models)
        return adjust_pvalues(pvalues, self.p_adjust)

    def adjusted(self, pvalues: NDArray[np.float64]) -> NDArray[np.float64]:
        """p-values of another family, adjusted."""
        return adjust_pvalues(pvalues, self.p_adjust_of_others)

    def tail(self, n_tests: int) -> float:
        """Probability of each tail of an interval: simultaneous where the adjustment is."""
        return ADJUSTMENTS[self.p_adjust_of_others].level(self.alpha, n_tests) / 2


_SCALES = 100.0

FEW_DATASETS = 10
"""With fewer, hardly any difference is significant after an adjustment for several pairs."""


def check_dataset_assumptions(values: NDArray[np.float64], settings: DatasetsSettings) -> list[str]:
    """Sentences on too few data sets, and on scores of different scales."""
    n_models, n = values.shape
    found = []
    least = least_pvalue(settings, n_models, n)
    n_pairs = n_models * (n_models - 1) // 2
    # If all pairs differ in one direction on all data sets; step-up methods then need less.
    adjusted_least = settings.adjusted_for_all(np.full(n_pairs, least), n_models).min()
    if adjusted_least >= settings.alpha:
        before = f", before the adjustment for {count(n_pairs, 'pair')}"
        adjusted = before if settings.p_adjust_used else ""
        found.append(
            f"{count(n, 'data set')} cannot show any difference at alpha = {settings.alpha:g}: the "
            f"smallest possible p-value is {least:.2g}{adjusted}."
        )
    elif n < FEW_DATASETS:
        found.append(
            f"{count(n, 'data set')} are few: only differences in the same direction on nearly all "
            "of them can be shown."
        )
    # Ranks of differences are comparable within one scale only, which the spreads show.
    spread = np.ptp(values, axis=0)
    typical = np.median(spread)
    if settings.test == "wilcoxon" and typical > 0 and spread.max() > _SCALES * typical:
        found.append(
            "The models differ far more on some data sets than on others, and Wilcoxon's test "
            'assumes that all differences are on one scale. Use test="sign", or relative scores.'
        )
    return found


def least_pvalue(settings: DatasetsSettings, n_models: int, n_datasets: int) -> Any:
    """The smallest two-sided p-value that a pair can have."""
    if settings.row.adjusted:
        # One model is always the best, and one always the worst.
        return _rank_tests.nemenyi_pvalues(np.arange(1.0, n_models + 1), n_datasets).min()
    # All differences have one sign.
    return 2.0 ** (1 - n_datasets)
