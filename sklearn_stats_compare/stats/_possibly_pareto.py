"""Which candidates are not shown to be dominated, by several criteria at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare._messages import check_probability
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._criteria import Criterion
from sklearn_stats_compare.stats._posterior import rope_probabilities


def possibly_pareto_pvalues(
    criteria: Sequence[Criterion], ropes: ArrayLike, *, alpha: float = 0.05
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """p-value of each candidate for the hypothesis that no rival dominates it.

    A rival dominates a candidate if it is worse than it by more than the ROPE in no criterion, and
    better by more than the ROPE in at least one. If all ROPEs are 0, it is better in every one.
    Keep every candidate whose p-value is not below alpha: one that no rival dominates is left out
    with probability at most alpha.

    The p-value of a pair is that of an intersection-union test: the largest of the one-sided
    p-values of "worse by the ROPE or more", and of K times the smallest of "better by the ROPE or
    less", for K criteria. The second part is left out if some ROPE is 0, because the first then
    shows that the rival is better. The smallest of a candidate is multiplied by the number of its
    rivals.

    Rivals are the members of the observed front, the best sum of gains in units of the ROPEs first,
    and only those that are kept themselves. So no candidate is left out for a rival that is left
    out, and not all are. None of this raises an error rate: it only removes rejections.

    Parameters
    ----------
    criteria : sequence of Criterion
        Measures of the same candidates.
    ropes : array-like of float, shape (n_criteria,)
        Half-widths ≥ 0 of the regions of practical equivalence, in the units of the criteria.
    alpha : float, default=0.05
        Level below which a candidate is left out and is no rival, in (0, 1).

    Returns
    -------
    pvalues : ndarray of float, shape (n_candidates,)
        NaN for a candidate that is missing in some criterion; all NaN with one split.
    rivals : ndarray of int, shape (n_candidates,)
        The rival with the smallest p-value; −1 where no rival dominates the candidate as observed.

    References
    ----------
    Tamhane, A. C. and Logan, B. R. (2004). A superiority-equivalence approach to one-sided tests on
    multiple endpoints in clinical trials. Biometrika 91, 715–727.
    https://doi.org/10.1093/biomet/91.3.715
    """
    check_probability("alpha", alpha)
    gains = np.column_stack([criterion.gains for criterion in criteria])
    widths = np.asarray(ropes, dtype=float)
    pvalues = np.full(len(gains), np.nan)
    rivals = np.full(len(gains), -1, dtype=np.intp)
    known = np.flatnonzero(np.isfinite(gains).all(axis=1))
    if not known.size or min(criterion.n_splits for criterion in criteria) < 2:
        return pvalues, rivals
    pvalues[known] = 1.0
    height = _height(gains, widths)
    front = known[observed_front(gains[known])]
    for rival in front[np.argsort(-height[front], kind="stable")]:
        if pvalues[rival] < alpha:
            continue
        others = known[height[known] < height[rival]]
        adjusted = (known.size - 1) * _domination_pvalues(criteria, widths, int(rival), others)
        smaller = adjusted < pvalues[others]
        pvalues[others[smaller]], rivals[others[smaller]] = adjusted[smaller], rival
    return pvalues, rivals


def observed_front(gains: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether no other row is at least as high in every column, and higher in one."""
    front = np.ones(len(gains), dtype=bool)
    for row in np.argsort(-gains.sum(axis=1), kind="stable"):
        if front[row]:
            below = (gains <= gains[row]).all(axis=1) & (gains < gains[row]).any(axis=1)
            front &= ~below
    return front


def _height(gains: NDArray[np.float64], ropes: NDArray[np.float64]) -> NDArray[np.float64]:
    """A number that is higher for a rival than for each candidate that it may dominate.

    Without it, three candidates could each dominate the next one, and all would be left out.
    """
    if (ropes > 0).all():
        height: NDArray[np.float64] = (gains / ropes).sum(axis=1)
        return height
    # A rival is better in every criterion whose ROPE is 0.
    return gains[:, int(np.argmin(ropes))]


def _domination_pvalues(
    criteria: Sequence[Criterion],
    ropes: NDArray[np.float64],
    rival: int,
    others: NDArray[np.intp],
) -> NDArray[np.float64]:
    """p-value of each of `others` for the hypothesis that the rival does not dominate it."""
    tests = [criterion.against(rival, others) for criterion in criteria]
    difference = np.stack([each.mean_diff for each in tests])
    pvalues = np.max([_at_most(*pair) for pair in zip(tests, -ropes, strict=True)], axis=0)
    observed = (difference > -ropes[:, None]).all(axis=0)
    if (ropes > 0).all():
        better = np.min([_at_most(*pair) for pair in zip(tests, ropes, strict=True)], axis=0)
        pvalues = np.maximum(pvalues, len(tests) * better)
        observed &= (difference > ropes[:, None]).any(axis=0)
    # At a level above one half, a p-value below it may be of a difference in the other direction.
    return np.where(observed, pvalues, 1.0)


def _at_most(tests: PairedTTests, value: float) -> NDArray[np.float64]:
    """p-values of the hypotheses that the differences are at most `value`."""
    if value == 0:
        return tests.pvalue("greater")
    region = (float(value), float(value))
    found = rope_probabilities(tests.mean_diff, tests.std_err, tests.df, region).worse
    # Scores of few samples may agree on all splits although the models differ: without any spread
    # that is no evidence of a difference within the ROPE.
    return np.where(tests.std_err == 0, 1.0, found)
