"""Adjusted p-values and simultaneous critical values for a family of tests.

To add an adjustment, write its function and add a row to `ADJUSTMENTS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats


def adjust_pvalues(
    pvalues: ArrayLike, method: str | None, *, n_tests: int | None = None
) -> NDArray[np.float64]:
    """Adjust the p-values of a family of tests for multiplicity.

    Parameters
    ----------
    pvalues : array-like of float, shape (n,)
        Unadjusted p-values. NaN stays NaN and does not count in the family.
    method : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by"}
        None leaves the p-values unchanged. "bonferroni" and "holm" (any dependence), "sidak"
        (independence or positive dependence) and "hochberg" (positive dependence) control the
        probability of any false rejection. "bh" (positive dependence) and "by" (any dependence)
        control the expected share of false rejections.
    n_tests : int, optional
        Size of the family if it is larger than the number of p-values. Only for None, "bonferroni"
        and "sidak", which do not need the p-values of the other tests. Default: the number of
        p-values that are not NaN.

    Returns
    -------
    ndarray of float, shape (n,)
        Adjusted p-values, at most 1, in the same order.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian
    Journal of Statistics 6, 65–70.

    Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of significance.
    Biometrika 75, 800–802. https://doi.org/10.1093/biomet/75.4.800

    Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate. JRSS B 57,
    289–300. https://doi.org/10.1111/j.2517-6161.1995.tb02031.x

    Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery rate in multiple
    testing under dependency. Annals of Statistics 29, 1165–1188.
    https://doi.org/10.1214/aos/1013699998

    Examples
    --------
    >>> from sklearn_stats_compare.stats._multitest import adjust_pvalues
    >>> print(adjust_pvalues([0.01, 0.04, 0.03], "holm").round(3).tolist())
    [0.03, 0.06, 0.06]
    """
    adjust = ADJUSTMENTS[method].adjust
    assert adjust is not None  # `MaxT` draws those of "maxt"
    p = np.asarray(pvalues, dtype=float)
    known = ~np.isnan(p)
    size = int(known.sum()) if n_tests is None else n_tests
    if known.all() and p.size:  # avoids a copy of the millions of a large family
        return np.minimum(adjust(p, size), 1.0)
    adjusted = p.copy()
    if known.any():
        adjusted[known] = np.minimum(adjust(p[known], size), 1.0)
    return adjusted


def critical_value(method: str | None, *, alpha: float, n_tests: int, df: Any) -> Any:
    """|t| above which a two-sided 1 − `alpha` interval excludes zero, for each `df`.

    Simultaneous over `n_tests` for "bonferroni", "sidak" and "holm"; marginal for None, "hochberg",
    "bh" and "by". "holm" has Bonferroni's intervals, because its step-down verdicts have no simple
    intervals.
    """
    if n_tests < 1:
        return float("nan")
    # isf of the tail, because ppf of 1 − tail rounds to infinity for families of 1e16 or more.
    # Its absolute value, because SciPy gives −inf for the least tails.
    critical = np.abs(stats.t.isf(ADJUSTMENTS[method].level(alpha, n_tests) / 2, df))
    return critical if np.ndim(df) else float(critical)


def _sidak(p: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):  # p = 1: log1p(−1) is −inf, and the result exactly 1
        adjusted: NDArray[np.float64] = -np.expm1(n * np.log1p(-p))
    return adjusted


def _holm(p: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    # The smallest of n p-values times n, the next times n − 1, …. The running maximum keeps their
    # order, because a step-down stops at the first that is not rejected (Wright, 1992).
    order = np.argsort(p)
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(n, 0, -1))
    return adjusted


def _hochberg(p: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    # Holm's factors in a step-up from the largest: the first rejection rejects all smaller ones.
    order = np.argsort(p)[::-1]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum.accumulate(p[order] * np.arange(1, n + 1))
    return adjusted


def _false_discovery(method: str) -> Callable[[NDArray[np.float64], int], Any]:
    # SciPy counts the p-values itself. It does not accept NaN, which the caller has removed.
    return lambda p, n: stats.false_discovery_control(p, method=method)


Adjust = Callable[[NDArray[np.float64], int], Any]
"""Maps the p-values and the size of a family to adjusted p-values, which may exceed 1."""


@dataclass(frozen=True)
class Adjustment:
    """A multiplicity adjustment of the p-values of a family.

    Parameters
    ----------
    name : str or None
        Its key, the value of ``p_adjust=``.
    prose : str
        Method, to follow "p-values were adjusted for 6 pairs"; "" if they are not adjusted.
    adjust : callable or None
        Computes the adjusted p-values; None if they come from the test's joint null distribution.
    closed_form : bool, default=False
        Whether an adjusted p-value depends only on its p-value and the size of the family.
    level : callable
        Maps the level and the size of a family to the level of each interval. By default alpha,
        for which intervals are marginal.
    simultaneous : bool, default=False
        Whether all intervals together cover all differences with probability 1 − alpha.
    wider : str or None, optional
        For a joint adjustment, a slightly more conservative one that is not joint.
    works : tuple of str, default=()
        Keys of the works to cite, as in a report's bibliography.
    """

    name: str | None
    prose: str
    adjust: Adjust | None
    closed_form: bool = False
    level: Callable[[float, int], float] = lambda alpha, n: alpha
    simultaneous: bool = False
    wider: str | None = None
    works: tuple[str, ...] = ()

    @property
    def joint(self) -> bool:
        """Whether p-values come from draws of the joint null, which take time."""
        return self.adjust is None

    @property
    def line(self) -> str:
        """Short description for a terminal or a figure."""
        return f"adjusted by {self.name}" if self.name else "not adjusted"

    @property
    def in_the_limit(self) -> str | None:
        """The method for infinitely many splits, for which no joint null can be drawn."""
        return self.wider if self.joint else self.name

    def sentence(self, pairs: str) -> str:
        """Description for the methods section of a paper; `pairs` is their number in words."""
        if not self.prose:
            return "p-values were not adjusted for the number of pairs"
        return f"p-values were adjusted for {pairs} {self.prose}"


ADJUSTMENTS: dict[str | None, Adjustment] = {
    row.name: row
    for row in (
        Adjustment(None, "", lambda p, n: p, closed_form=True),
        Adjustment(
            "bonferroni",
            "by Bonferroni's method",
            lambda p, n: p * n,
            closed_form=True,
            level=lambda alpha, n: alpha / n,
            simultaneous=True,
            works=("dunn1961multiple",),
        ),
        Adjustment(
            "sidak",
            "by Šidák's method",
            _sidak,
            closed_form=True,
            # The direct 1 − (1 − alpha)^(1/n) would lose the digits of a small alpha.
            level=lambda alpha, n: float(-np.expm1(np.log1p(-alpha) / n)),
            simultaneous=True,
            works=("sidak1967rectangular",),
        ),
        # Holm's verdicts have no simple intervals. Bonferroni's are simultaneous, but wider.
        Adjustment(
            "holm",
            "by Holm's method",
            _holm,
            level=lambda alpha, n: alpha / n,
            simultaneous=True,
            works=("holm1979simple",),
        ),
        Adjustment("hochberg", "by Hochberg's method", _hochberg, works=("hochberg1988sharper",)),
        Adjustment(
            "bh",
            "to bound the false discovery rate (Benjamini–Hochberg)",
            _false_discovery("bh"),
            works=("benjamini1995controlling",),
        ),
        Adjustment(
            "by",
            "to bound the false discovery rate (Benjamini–Yekutieli)",
            _false_discovery("by"),
            works=("benjamini2001control",),
        ),
        Adjustment(
            "maxt",
            "by step-down max-t with 20,000 draws from the joint null (those of equivalence by its "
            "single step)",
            None,  # `MaxT` draws
            simultaneous=True,
            wider="sidak",
            works=("westfall1993resampling", "romano2005exact", "ledoit2004well"),
        ),
    )
}

PAdjust = Literal["bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"]
"""The names in `ADJUSTMENTS`, which editors complete; None stands for none."""

P_ADJUST = tuple(ADJUSTMENTS)
"""All multiplicity adjustments, by name."""

CLOSED_FORM = tuple(name for name, row in ADJUSTMENTS.items() if row.closed_form)
"""Adjustments that need only one p-value and the size of the family."""
