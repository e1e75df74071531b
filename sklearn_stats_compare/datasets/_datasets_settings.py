"""DatasetsSettings: test, adjustment, ROPE and level of a comparison over data sets."""

from dataclasses import dataclass

from sklearn_stats_compare._messages import ALTERNATIVES, check_option, check_probability
from sklearn_stats_compare.stats import DATASET_TESTS, P_ADJUST, ZEROS

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

    @property
    def p_adjust_of_others(self) -> str | None:
        """The adjustment of tests other than those of equality of all pairs."""
        return "holm" if self.p_adjust == "shaffer" else self.p_adjust
