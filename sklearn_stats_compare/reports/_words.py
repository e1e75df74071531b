"""Numbers, settings and lists in words, the same in prose, tables and pictures."""

from collections.abc import Mapping, Sequence

import numpy as np

from sklearn_stats_compare._messages import count, level_words, shown_number
from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._spans import unbroken

NAMED = 10
"""Number of list items named in a sentence; the others are counted."""
# Adjustment → how its intervals are made. Holm's verdicts have no simple intervals.
_INTERVALS: Mapping[str | None, str] = {
    "bonferroni": "by Bonferroni's method",
    "sidak": "by Šidák's method",
    "holm": "by Bonferroni's method",
    "maxt": "by single-step max-t",
}


def number(value: float, decimals: int) -> str:
    """A number as text, or text for a missing or infinite one."""
    if np.isnan(value):
        return "–"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return shown_number(value, decimals).replace("-", "−")


def p_value(p: float, alpha: float) -> str:
    """A p-value as printed in papers, with "=" or "<"."""
    if np.isnan(p):
        return "–"
    if p < alpha < 0.001:  # the floor would hide the decision
        return f"= {p:.1e}"
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def adjusted(facts: Facts, n_tests: int | None = None) -> str:
    """How p-values were adjusted, as ``"adjusted for 6 pairs by Bonferroni's method"``.

    The family is all pairs, or `n_tests` of a reference.
    """
    adjustment = facts.settings.adjustment
    if not adjustment.prose:
        return f"not adjusted for the number of {'pairs' if n_tests is None else 'tests'}"
    return f"adjusted for {_family(facts, n_tests)} {adjustment.prose}"


def interval_words(facts: Facts, n_tests: int | None = None) -> str:
    """The kind of intervals in a table, as ``"95 % intervals, simultaneous …"``."""
    adjustment = facts.settings.adjustment
    if not adjustment.simultaneous:
        return f"{level(facts)} intervals, each by itself and not adjusted"
    family = _family(facts, n_tests)
    return f"{level(facts)} intervals, simultaneous for {family} {_INTERVALS[adjustment.name]}"


def _family(facts: Facts, n_tests: int | None) -> str:
    if n_tests is None:
        return count(facts.comparison.scores.n_pairs, "pair")
    return count(n_tests, "test")


def level(facts: Facts) -> str:
    """The level of intervals, as ``"95 %"``."""
    return unbroken(level_words(facts.comparison.alpha))


def rope_words(facts: Facts) -> str:
    """The ROPE in score units."""
    low, high = facts.comparison.rope_bounds
    rope = facts.comparison.rope
    if np.isnan(high):
        return f"{rope} of the leader's |mean|"
    if low == -high:
        share = f" ({rope} of the leader's |mean|)" if isinstance(rope, str) else ""
        return f"±{high:.4g}{share}"
    return (
        f"{number(low, 4)} to {number(high, 4)}"
        if np.isinf([low, high]).any()
        else (f"{low:.4g} to {high:.4g}".replace("-", "−"))
    )


def listed(items: Sequence[str], n: int | None = None, *, most: int = NAMED) -> str:
    """A list in words: the first items, and the number of further ones of `n`."""
    n, named = len(items) if n is None else n, list(items[:most])
    if n > len(named):
        return f"{', '.join(named)} and {n - len(named):,} more"
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
