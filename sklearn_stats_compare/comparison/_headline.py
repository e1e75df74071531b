"""The headline of a comparison: the leader, and how many candidates may be the best."""

import numpy as np

from sklearn_stats_compare._messages import count, one_line, shown_decimals, shown_number
from sklearn_stats_compare.comparison._assumptions import may_lack_the_best
from sklearn_stats_compare.comparison._compared import Compared

# The set of possibly best candidates takes a pass over the scores, about 50 ms at this many: a repr
# must be fast.
_QUICK_SCORES = 1_000_000
_LABEL_WIDTH = 100


def headline(comparison: Compared, *, counting: bool = True) -> list[str]:
    """Sentences such as "rbf leads, with a mean roc_auc of 0.9395." and how many may be the best.

    No table is computed. `counting` False leaves the number out, as for a comparison that replaces
    one by another test.
    """
    scores = comparison.scores
    if not scores.n_available:
        return ["No candidate has a score on every split."]
    means = scores.means
    first = scores.order[0]
    label = one_line(comparison._candidate_names.label(first), _LABEL_WIDTH)
    n_tied = int(np.sum(means == means[first]))
    decimals = shown_decimals(comparison.settings.test.std_errs(scores))
    mean = shown_number(means[first], decimals)
    metric = one_line(comparison.metric, 40)
    if scores.n_candidates == 1:
        return [f"{label} is the only candidate, with a mean {metric} of {mean}."]
    tied = f", tied with {count(n_tied - 1, 'other')}" if n_tied > 1 else ""
    said = [f"{label} leads{tied}, with a mean {metric} of {mean}."]
    if counting:
        said += _possibly_best(comparison)
    return said


def counts_quickly(comparison: Compared) -> bool:
    """Whether the possibly best candidates can be computed, and quickly."""
    quick = comparison.scores.values.size <= _QUICK_SCORES
    return quick and comparison.settings.test.has_std_err


def _possibly_best(comparison: Compared) -> list[str]:
    scores, settings = comparison.scores, comparison.settings
    if not counts_quickly(comparison):
        return []
    n = int(comparison._possibly_best_members.sum())
    among = count(scores.n_candidates, "candidate")
    if may_lack_the_best(
        comparison.n_entered, scores.n_candidates, comparison.dropped_pvalue, settings.alpha
    ):
        among += " that were compared to the end"
    if n == 0:  # with one split there is no standard error
        return []
    if n == 1:
        return [f"Of {among} it alone may be the best, at alpha = {settings.alpha:g}."]
    return [f"{n:,} of {among} may be the best, at alpha = {settings.alpha:g}."]
