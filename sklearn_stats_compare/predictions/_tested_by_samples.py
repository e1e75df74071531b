"""tested_by_samples: the test of samples if there are values of samples, else that of splits."""

import warnings
from collections.abc import Callable
from dataclasses import replace

from sklearn_stats_compare._messages import ComparisonWarning, outside_level
from sklearn_stats_compare.stats import CORRECTED_T, PairTest, SampleScores, SplitScores


def tested_by_samples(
    scores: SplitScores, samples: Callable[[], SampleScores], test: PairTest, *, what: str
) -> tuple[SplitScores, PairTest]:
    """Return scores with values of samples and their test, or else scores and the corrected t-test.

    The fits are done by then and must not be lost: a warning gives the reason for the fallback.

    Parameters
    ----------
    scores : SplitScores
        Scores of the splits.
    samples : callable
        Returns the values of samples, or raises ValueError.
    test : PairTest
        The test of samples.
    what : str
        Start of the warning, such as "roc_auc is compared".
    """
    try:
        test.check(scores.design)
        return replace(scores, samples=samples()), test
    except ValueError as error:
        warnings.warn(
            f"{what} by the corrected t-test of splits: {error}",
            ComparisonWarning,
            stacklevel=outside_level(),
        )
        return scores, CORRECTED_T
