"""Settings: test, adjustment, ROPE and level of a comparison."""

from dataclasses import dataclass

from sklearn_stats_compare._messages import ALTERNATIVES, check_option, check_probability
from sklearn_stats_compare.stats._multiplicity import ADJUSTMENTS, Adjustment
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._pair_tests import check_has_std_err, pair_test
from sklearn_stats_compare.stats._split_t import CORRECTED_T


@dataclass(frozen=True)
class Settings:
    """Test, adjustment, ROPE and level for decisions on pairs.

    Parameters
    ----------
    alternative : {"greater", "less", "two-sided"}
        Alternative of the reported p-values; verdicts are two-sided.
    p_adjust : str or None
        A key of `ADJUSTMENTS`.
    rope : (float, float)
        Limits of the region of practical equivalence, in score units; NaN if it is relative to a
        mean that is unknown.
    alpha : float
        Level, in (0, 1).
    test : str or PairTest, default=CORRECTED_T
        A key of `PAIR_TESTS`, or a test.

    Raises
    ------
    ValueError
        If a value is unknown or out of range, or the adjustment needs a joint null distribution
        and the test has none.
    """

    alternative: str
    p_adjust: str | None
    rope: tuple[float, float]
    alpha: float
    test: PairTest = CORRECTED_T

    def __post_init__(self) -> None:
        check_option("alternative", self.alternative, ALTERNATIVES)
        check_option("p_adjust", self.p_adjust, ADJUSTMENTS)
        # The caller checks the ROPE: users may not pass NaN, but a relative ROPE is NaN if all
        # scores are missing.
        object.__setattr__(self, "alpha", check_probability("alpha", self.alpha))
        object.__setattr__(self, "test", pair_test(self.test))
        if self.adjustment.joint and not self.test.has_joint_null:
            raise ValueError(
                f"`p_adjust` must not be {self.p_adjust!r} with a {self.test.words}: its joint "
                "null distribution is that of corrected t statistics."
            )

    @property
    def adjustment(self) -> Adjustment:
        """The row of `p_adjust`."""
        return ADJUSTMENTS[self.p_adjust]

    def check_has_std_err(self, asked: str) -> None:
        """Raise ValueError if the test has no standard error, which `asked` needs."""
        check_has_std_err(self.test, asked)
