"""DatasetTest: a test of all pairs of models over data sets, as one value.

To add a test, write its function and add a row to `DATASET_TESTS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats import (
    average_ranks,
    nemenyi_pvalues,
    rank_pairs,
    sign_test_pairs,
    wilcoxon_pairs,
)

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


Tails = Callable[[NDArray[np.float64], str, float], PairTails]
"""Takes scores (n_models, n_datasets), the treatment of zeros, and the tested difference."""


@dataclass(frozen=True)
class DatasetTest:
    """A test of pairs of models over data sets.

    Parameters
    ----------
    name : str
        Its key, the value of ``test=``.
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

    name: str
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
    from_ranks = rank_pairs(average_ranks(values), values.shape[1])
    pvalue = nemenyi_pvalues(average_ranks(values), values.shape[1])
    unknown = np.full(len(pvalue), np.nan)
    return PairTails(from_ranks.z, pvalue, unknown, unknown)


DATASET_TESTS: Mapping[str, DatasetTest] = {
    row.name: row
    for row in (
        DatasetTest(
            "wilcoxon",
            "Wilcoxon's signed-rank test",
            _wilcoxon,
            works=("wilcoxon1945individual", "demsar2006statistical"),
        ),
        DatasetTest("sign", "the sign test", _sign, works=("demsar2006statistical",)),
        DatasetTest(
            "nemenyi",
            "Nemenyi's test of mean ranks",
            _nemenyi,
            of_scores=False,
            adjusted=True,
            works=("nemenyi1963distribution", "demsar2006statistical"),
        ),
    )
}
"""All tests of pairs over data sets, by name."""
