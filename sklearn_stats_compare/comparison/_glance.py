"""A comparison at a glance, in a terminal or a notebook: what can be computed quickly."""

from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import sentence
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._glance_page import ROWS, glance_page
from sklearn_stats_compare.comparison._headline import counts_quickly, headline
from sklearn_stats_compare.comparison._labels import Reader, params_in_full
from sklearn_stats_compare.comparison._next_step import next_step
from sklearn_stats_compare.comparison._text import comparison_text, fact_lines, note_sentences

# A table of more pairs takes seconds, too long for a repr; pairs that are drawn take even longer.
_QUICK_PAIRS_DRAWN = 20_000
_QUICK_PAIRS = 500_000


def text_at_a_glance(comparison: Compared) -> str:
    """Design, settings, and the best candidates with the leader's verdict on each."""
    return comparison_text(
        comparison.scores,
        comparison._ranking,
        _leader_table(comparison),
        metric=comparison.metric,
        settings=comparison.settings,
        naming=comparison.naming,
        note=comparison.note,
        next_step=_next_step(comparison),
    )


def html_at_a_glance(comparison: Compared) -> str:
    """The same as a small page, with intervals, parameters in full, and the leader table."""
    scores, settings = comparison.scores, comparison.settings
    leader_table, ranking = _leader_table(comparison), comparison._ranking
    design, *facts = fact_lines(scores, comparison.metric, settings)
    members: frozenset[str] = frozenset()
    if counts_quickly(comparison) and scores.n_available > 1:
        labels = enumerate(comparison._possibly_best_members)
        members = frozenset(
            comparison._candidate_names.label(row) for row, is_one in labels if is_one
        )
    return glance_page(
        ranking,
        leader_table,
        headline=headline(comparison),
        facts=[design, *filter(None, [sentence(comparison.naming).rstrip(".")]), *facts],
        notes=note_sentences(
            comparison.note,
            scores,
            leader_table,
            settings,
            _next_step(comparison),
        ),
        params=_params(comparison),
        members=members,
        rope=settings.rope,
        alpha=settings.alpha,
    )


def _next_step(comparison: Any) -> str:
    """What to do next; empty if that takes too long to compute for a glance."""
    if _leader_table(comparison) is None or not counts_quickly(comparison):
        return ""
    return next_step(comparison)


def _params(comparison: Compared) -> list[str] | None:
    """Parameters in full, by rank; None if unknown."""
    if comparison.params is None:
        return None
    read = Reader()
    best = comparison.scores.order[:ROWS]
    return [params_in_full(comparison.params[row], read) for row in best]


def _leader_table(comparison: Compared) -> pd.DataFrame | None:
    """The leader table; None if it takes too long to compute for a glance."""
    row, scores = comparison.settings.adjustment, comparison.scores
    quick = scores.n_pairs <= (_QUICK_PAIRS_DRAWN if row.joint else _QUICK_PAIRS)
    if not comparison.settings.test.has_std_err:
        # Such a test has no leader table. The verdicts are those of the first rows of all pairs.
        return comparison._pairwise_frequentist.iloc[: scores.n_candidates - 1] if quick else None
    if quick or row.closed_form or "_leader_table" in vars(comparison):
        return comparison._leader_table
    return None
