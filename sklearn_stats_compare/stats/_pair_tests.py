"""All pair tests that a comparison can use, one line each."""

from typing import Any

from sklearn_stats_compare._messages import check_option
from sklearn_stats_compare.stats._five_by_two_test import ALPAYDIN_F, DIETTERICH_T
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._sample_t import SAMPLES
from sklearn_stats_compare.stats._split_t import CORRECTED_T, UNCORRECTED_T

PAIR_TESTS: dict[str, PairTest] = {
    test.name: test
    for test in (
        CORRECTED_T,
        UNCORRECTED_T,
        SAMPLES,
        DIETTERICH_T,
        ALPAYDIN_F,
    )
}


def pair_test(test: Any) -> PairTest:
    """Return the test of this name, or `test` itself; a ValueError lists the known names."""
    if isinstance(test, PairTest):
        return test
    return PAIR_TESTS[check_option("test", test, tuple(PAIR_TESTS))]


def check_has_std_err(test: PairTest, asked: str) -> None:
    """Raise ValueError if the test has no standard error, which `asked` needs."""
    if test.has_std_err:
        return
    having = " or ".join(repr(name) for name, known in PAIR_TESTS.items() if known.has_std_err)
    raise ValueError(
        f"`test` must be {having} for {asked}, which needs the standard error of a mean "
        f"difference; got {test.name!r}, which estimates none. Use "
        'with_settings(test="corrected_t").'
    )
