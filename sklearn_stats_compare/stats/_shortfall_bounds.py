"""Shortfall: upper bounds of how much worse than the best each candidate is, all at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_stats_compare._messages import check_probability
from sklearn_stats_compare.stats._agreed_samples import agreement_reach
from sklearn_stats_compare.stats._joint_null import JointNull, critical_value
from sklearn_stats_compare.stats._maxt import N_DRAWS
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._possibly_best import possibly_best_pvalues, rivals_maxima
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._split_t import CORRECTED_T


def shortfall_bounds(
    scores: SplitScores,
    *,
    alpha: float = 0.05,
    method: str = "bonferroni",
    rng: Any = 0,
    test: PairTest = CORRECTED_T,
    candidates: Sequence[int] | NDArray[np.intp] | None = None,
) -> NDArray[np.float64]:
    """Simultaneous upper bounds of (true mean of the best − true mean of each candidate).

    With probability at least 1 − alpha, all bounds hold, in the manner of Hsu (1981). A candidate's
    bound is the largest one-sided confidence limit of its distance from a member of the
    possibly-best set, or 0 if that is larger: max over the members j of x_j − x_i + d_j·SE_ji,
    where d_j is the critical value that decides whether j is in the set. Without any spread,
    d_j·SE_ji is the difference that n samples miss with probability alpha / (m − 1).

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates.
    alpha : float, default=0.05
        Probability that some bound is too small, in (0, 1).
    method : {"bonferroni", "maxt"}, default="bonferroni"
        As for `possibly_best_pvalues`.
    rng : None, int or numpy.random.Generator, default=0
        Source of the 20,000 draws of "maxt".
    test : PairTest, default=CORRECTED_T
        The test of each pair.
    candidates : sequence of int, optional
        Candidates whose bounds are needed. The others are NaN. Default: all.

    Returns
    -------
    ndarray of float, shape (n_candidates,)
        Bounds ≥ 0, in score units. NaN for a missing candidate; all NaN with one split.

    Raises
    ------
    ValueError
        If `alpha` is not in (0, 1), `method` is unknown, or `method` is "maxt" and `alpha` is not
        above 1/20,001, the smallest p-value of its draws.

    References
    ----------
    Hsu, J. C. (1981). Simultaneous confidence intervals for all distances from the "best".
    Annals of Statistics 9, 1026–1034. https://doi.org/10.1214/aos/1176345582
    """
    alpha = check_probability("alpha", alpha)
    if method == "maxt" and not alpha > 1 / (1 + N_DRAWS):
        raise ValueError(
            f"`alpha` must be above 1/{1 + N_DRAWS:,} with method='maxt', the smallest p-value of "
            f"its {N_DRAWS:,} draws; got {alpha!r}. Use method='bonferroni'."
        )
    drawn = None
    if method == "maxt" and scores.n_available > 1 and scores.n_splits > 1:
        # Once: the bounds and the set must see the same draws.
        null = test.joint_null(scores, rng, N_DRAWS)
        drawn = null, [np.concatenate(list(rivals_maxima(null)))]
    pvalues = possibly_best_pvalues(scores, method=method, rng=rng, test=test, drawn=drawn)
    bounds = np.full(scores.n_candidates, np.nan)
    known = np.flatnonzero(~np.isnan(pvalues))
    members = known[pvalues[known] >= alpha]
    criticals = None
    if drawn is not None:
        criticals = _dunnett_critical(scores, members, alpha, null, drawn[1][0], test)
    for i in known if candidates is None else np.intersect1d(candidates, known):
        rivals = members != i
        tests = test.against(scores, int(i), members[rivals])
        # At a level above one half it would be negative, and a bound less than the difference seen.
        tail = alpha / max(1, known.size - 1)
        critical = np.maximum(stats.t.isf(tail, tests.df), 0.0)
        if criticals is not None:
            critical = criticals[rivals]
        # An infinite standard error stays so, whatever the critical value is.
        reach = tests.std_err.copy()
        same = reach == 0
        np.multiply(critical, reach, out=reach, where=~same & np.isfinite(reach))
        reach[same] = agreement_reach(tail, tests.n_agreed)
        bounds[i] = (reach - tests.mean_diff).max(initial=0.0)
    return bounds


def _dunnett_critical(
    scores: SplitScores,
    members: NDArray[np.intp],
    alpha: float,
    null: JointNull,
    drawn: NDArray[np.float64],
    test: PairTest,
) -> NDArray[np.float64]:
    """Critical value of max over i ≠ j of T*_ij for each member j of the possibly-best set."""
    rank = np.empty_like(scores.order)
    rank[scores.order] = np.arange(len(rank))
    positions = rank[members]
    maxima = np.sort(drawn[:, positions], axis=0)
    critical = np.empty(members.size)
    for k, (member, position) in enumerate(zip(members, positions, strict=True)):
        rivals = null.excluded[position]
        own = test.against(scores, int(member), null.candidates)
        undrawn = int(np.count_nonzero(own.std[rivals] > 0))

        def pvalue(
            value: float, k: int = k, rivals: Any = rivals, undrawn: int = undrawn, own: Any = own
        ) -> float:
            reached = N_DRAWS - np.searchsorted(maxima[:, k], value, side="left")
            p = null.pvalue(
                np.array([value]),
                np.array([reached]),
                drawn=not rivals.all(),
                n_undrawn=undrawn,
                df=own.df,
                two_sided=False,
            )
            return float(p[0])

        # Bonferroni's value for twice the rivals, or above the largest draw.
        high = float(stats.t.isf(alpha / 4 / len(null.candidates), np.min(own.df)))
        critical[k] = critical_value(pvalue, alpha, max(high, 2 * float(maxima[-1, k])))
    return critical
