"""What strains a comparison over data sets, in words."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import count
from sklearn_stats_compare.datasets._datasets_settings import DatasetsSettings
from sklearn_stats_compare.stats import nemenyi_pvalues

_SCALES = 100.0
FEW_DATASETS = 10
"""With fewer, hardly any difference is significant after an adjustment for several pairs."""


def strained_datasets(values: NDArray[np.float64], settings: DatasetsSettings) -> list[str]:
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
        return nemenyi_pvalues(np.arange(1.0, n_models + 1), n_datasets).min()
    # All differences have one sign.
    return 2.0 ** (1 - n_datasets)
