"""DatasetsSettings: test, adjustment, ROPE and level of a comparison over data sets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import ALTERNATIVES, check_option, check_probability
from sklearn_stats_compare.datasets._dataset_tests import DATASET_TESTS, DatasetTest
from sklearn_stats_compare.stats import (
    ADJUSTMENTS,
    P_ADJUST,
    ZEROS,
    adjust_pvalues,
    shaffer_pvalues,
)

# Max-t draws from the joint null of corrected t statistics; Shaffer's method counts which pairs
# can be equal together, so it exists for all pairs only.
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
        check_option("test", self.test, DATASET_TESTS)
        check_option("zeros", self.zeros, ZEROS)
        check_option("alternative", self.alternative, ALTERNATIVES)
        check_option("p_adjust", self.p_adjust, DATASETS_P_ADJUST)
        object.__setattr__(self, "alpha", check_probability("alpha", self.alpha))
        if not self.row.of_scores and self.alternative != "two-sided":
            raise ValueError(
                f"`alternative` must be 'two-sided' with test={self.test!r}; got "
                f"{self.alternative!r}."
            )
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
            return shaffer_pvalues(pvalues, n_models)
        return adjust_pvalues(pvalues, self.p_adjust)

    def adjusted(self, pvalues: NDArray[np.float64]) -> NDArray[np.float64]:
        """p-values of another family, adjusted."""
        return adjust_pvalues(pvalues, self.p_adjust_of_others)

    def tail(self, n_tests: int) -> float:
        """Probability of each tail of an interval: simultaneous where the adjustment is."""
        return ADJUSTMENTS[self.p_adjust_of_others].level(self.alpha, n_tests) / 2
