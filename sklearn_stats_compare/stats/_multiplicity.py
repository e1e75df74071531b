"""p-values of a family of tests → adjusted p-values, and simultaneous critical values.

A new adjustment is a row of `ADJUSTMENTS`, and its function.
"""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from sklearn_stats_compare._messages import check_numbers, check_option, shown

_MOST_TESTS = 10**18


def adjust_pvalues(
    pvalues: ArrayLike, method: str | None, *, n_tests: int | None = None
) -> NDArray[np.float64]:
    """Adjust the p-values of a family of tests for its size.

    Parameters
    ----------
    pvalues : array-like of float, shape (n,)
        Unadjusted p-values. NaN stays NaN and is not counted in the family.
    method : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by"}
        None leaves the p-values as they are. "bonferroni", "sidak" (tests independent or
        positively dependent) and "holm" (any dependence) bound the chance of one false rejection;
        "hochberg" does so under positive dependence. "bh" (positive dependence) and "by" (any
        dependence) bound the expected share of false rejections.
    n_tests : int, optional
        Size of the family where it is larger than what is given; only for None, "bonferroni" and
        "sidak", which need no other test's p-value. Default: the number of p-values that are not
        NaN.

    Returns
    -------
    ndarray of float, shape (n,)
        Adjusted p-values, at most 1, in the order given.

    Raises
    ------
    ValueError
        If `method` is unknown, a p-value lies outside [0, 1], or `n_tests` is given to a method
        that needs every p-value of its family.

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
    >>> from sklearn_stats_compare.stats import adjust_pvalues
    >>> print(adjust_pvalues([0.01, 0.04, 0.03], "holm").round(3).tolist())
    [0.03, 0.06, 0.06]
    """
    rows = {name: row.adjust for name, row in ADJUSTMENTS.items() if row.adjust is not None}
    check_option("method", method, rows)
    p = check_numbers("pvalues", pvalues)
    if p.ndim != 1 or ((p < 0) | (p > 1)).any():
        raise ValueError(f"`pvalues` must be a vector of numbers in [0, 1]; got {shown(pvalues)}.")
    known = ~np.isnan(p)
    size = int(known.sum())
    if n_tests is not None:
        whole = isinstance(n_tests, Integral) and not isinstance(n_tests, bool)
        if not whole or not size <= n_tests <= _MOST_TESTS:
            raise ValueError(
                f"`n_tests` must be at least the number of p-values, {size}; got "
                f"{shown(n_tests)}. It is a whole number of at most 1e18."
            )
        if n_tests != size:
            check_option("method", method, CLOSED_FORM)
        size = int(n_tests)
    if known.all() and p.size:  # then the millions of a large family are not picked out
        return np.minimum(rows[method](p, size), 1.0)
    adjusted = p.copy()
    if known.any():
        adjusted[known] = np.minimum(rows[method](p[known], size), 1.0)
    return adjusted


def critical_value(method: str | None, *, alpha: float, n_tests: int, df: Any) -> Any:
    """|t| beyond which a two-sided interval of 1 − `alpha` excludes zero, for each `df`.

    Simultaneous over `n_tests` for "bonferroni", "sidak" and "holm" (whose step-down verdicts have
    no simple intervals: it takes Bonferroni's); marginal for None, "hochberg", "bh" and "by".
    """
    if n_tests < 1:
        return float("nan")
    # isf of the tail: ppf of 1 minus it would round to infinity for families of 1e16 and more.
    critical = stats.t.isf(ADJUSTMENTS[method].level(alpha, n_tests) / 2, df)
    return critical if np.ndim(df) else float(critical)


def _marginal(alpha: float, n: int) -> float:
    return alpha


def _shared(alpha: float, n: int) -> float:
    return alpha / n


def _sidak_level(alpha: float, n: int) -> float:
    # 1 − (1 − alpha)^(1/n) would lose the digits of a small alpha.
    return float(-np.expm1(np.log1p(-alpha) / n))


def _unadjusted(p: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    return p


def _bonferroni(p: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    return p * n


def _sidak(p: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):  # p = 1: log1p(−1) is −inf, and the answer exactly 1
        adjusted: NDArray[np.float64] = -np.expm1(n * np.log1p(-p))
    return adjusted


def _holm(p: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    # The smallest of n p-values times n, the next times n − 1, …; adjusted p-values keep the order
    # of the unadjusted ones, as a step down ends at the first that is not rejected (Wright, 1992).
    order = np.argsort(p)
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(n, 0, -1))
    return adjusted


def _hochberg(p: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    # Holm's factors, stepped up from the largest: the first that is rejected takes the rest along.
    order = np.argsort(p)[::-1]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum.accumulate(p[order] * np.arange(1, n + 1))
    return adjusted


def _false_discovery(method: str) -> Callable[[NDArray[np.float64], int], Any]:
    # SciPy counts the p-values itself; NaN, which it does not take, were left out before.
    return lambda p, n: stats.false_discovery_control(p, method=method)


Adjust = Callable[[NDArray[np.float64], int], Any]
"""p-values of a family, and its size → adjusted p-values, which may exceed 1."""


@dataclass(frozen=True)
class Adjustment:
    """A way to adjust the p-values of a family for its size.

    Parameters
    ----------
    name : str or None
        Its key; what ``p_adjust=`` takes.
    prose : str
        How p-values were adjusted, after "p-values were adjusted for 6 pairs"; "" for not at all.
    adjust : callable or None
        The adjusted p-values; None where they come from the test's joint null distribution.
    closed_form : bool, default=False
        Whether the adjustment of one p-value needs the size of the family alone, not the others.
    level : callable
        From the level of a family and its size to that of each interval. By default alpha, which
        makes intervals of each pair by itself.
    simultaneous : bool, default=False
        Whether all intervals together hold all differences with 1 − alpha.
    wider : str or None, optional
        Of a joint adjustment: one that is not, and a bit more cautious.
    works : tuple of str, default=()
        Keys of the works to cite for it, as a report's bibliography has them.
    """

    name: str | None
    prose: str
    adjust: Adjust | None
    closed_form: bool = False
    level: Callable[[float, int], float] = _marginal
    simultaneous: bool = False
    wider: str | None = None
    works: tuple[str, ...] = ()

    @property
    def joint(self) -> bool:
        """Whether p-values come from the joint null, whose draws take time."""
        return self.adjust is None

    @property
    def line(self) -> str:
        """What a line of a terminal or of a picture says."""
        return f"adjusted by {self.name}" if self.name else "not adjusted"

    @property
    def in_the_limit(self) -> str | None:
        """The method for infinitely many splits, which have no joint null to draw from."""
        return self.wider if self.joint else self.name

    def sentence(self, pairs: str) -> str:
        """What the methods of a paper say; `pairs` is their number in words."""
        if not self.prose:
            return "p-values were not adjusted for the number of pairs"
        return f"p-values were adjusted for {pairs} {self.prose}"


ADJUSTMENTS: dict[str | None, Adjustment] = {
    row.name: row
    for row in (
        Adjustment(None, "", _unadjusted, closed_form=True),
        Adjustment(
            "bonferroni",
            "by Bonferroni's method",
            _bonferroni,
            closed_form=True,
            level=_shared,
            simultaneous=True,
            works=("dunn1961multiple",),
        ),
        Adjustment(
            "sidak",
            "by Šidák's method",
            _sidak,
            closed_form=True,
            level=_sidak_level,
            simultaneous=True,
            works=("sidak1967rectangular",),
        ),
        # Holm's verdicts have no simple intervals: Bonferroni's are simultaneous, and wider.
        Adjustment(
            "holm",
            "by Holm's method",
            _holm,
            level=_shared,
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
P_ADJUST = tuple(ADJUSTMENTS)
"""Every way to correct for the size of the family."""
CLOSED_FORM = tuple(name for name, row in ADJUSTMENTS.items() if row.closed_form)
"""Adjustments of one p-value that need only the size of the family, not the other p-values."""
