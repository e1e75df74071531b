"""Tests and critical differences of mean ranks; each function is a method of DatasetsComparison."""

from typing import Any

from sklearn_stats_compare._messages import check_option, check_probability
from sklearn_stats_compare.stats import (
    FriedmanResult,
    bonferroni_dunn_critical_difference,
    friedman_test,
    nemenyi_critical_difference,
)

_CRITICAL = {
    "nemenyi": nemenyi_critical_difference,
    "bonferroni_dunn": bonferroni_dunn_critical_difference,
}


def friedman(self: Any, *, tie_correction: bool = True) -> FriedmanResult:
    """Test whether the models have equal ranks, by Friedman's test.

    Parameters
    ----------
    tie_correction : bool, default=True
        Whether to correct for ties, as SciPy does; Demšar (2006) does not.

    Returns
    -------
    FriedmanResult
        Friedman's χ², Iman and Davenport's F, Kendall's W, and mean ranks in the order of
        `labels`.

    Raises
    ------
    ValueError
        If `tie_correction` is not True or False.
    """
    return friedman_test(self.values, tie_correction=tie_correction)


def critical_difference(self: Any, method: str = "nemenyi", *, alpha: float | None = None) -> float:
    """The difference of mean ranks from which two models differ.

    Parameters
    ----------
    method : {"nemenyi", "bonferroni_dunn"}, default="nemenyi"
        "nemenyi" is for all pairs, "bonferroni_dunn" for one control against all others.
    alpha : float, optional
        Level, in (0, 1). Default: the comparison's.

    Returns
    -------
    float
        In ranks.

    Raises
    ------
    ValueError
        If `method` is unknown or `alpha` is not in (0, 1).
    """
    own = _CRITICAL[check_option("method", method, _CRITICAL)]
    level = self.alpha if alpha is None else check_probability("alpha", alpha)
    return own(self.n_models, self.n_datasets, level)
