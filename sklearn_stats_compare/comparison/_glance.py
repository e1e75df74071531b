"""A comparison at a glance, in a terminal or a notebook: what can be told in a moment."""

import html
from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import sentence, visible
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._text import comparison_text, no_verdicts

# A table of more pairs takes seconds, which a repr must not; of pairs that are drawn sooner.
_QUICK_PAIRS_DRAWN = 20_000
_QUICK_PAIRS = 500_000
_HTML_ROWS = 60


def text_at_a_glance(comparison: Compared) -> str:
    """Design, settings, and the best candidates with the leader's verdict on each."""
    known = "_pairwise_frequentist" in vars(comparison)
    pairs = known or comparison.scores.n_pairs <= _QUICK_PAIRS_DRAWN
    return comparison_text(
        comparison.scores,
        comparison._ranking,
        _leader_table(comparison),
        comparison._pairwise_frequentist if pairs else None,
        metric=comparison.metric,
        settings=comparison.settings,
        naming=comparison.naming,
        note=comparison.note,
    )


def html_at_a_glance(comparison: Compared) -> str:
    """Ranking and leader table; pandas escapes the labels."""
    notes = (sentence(comparison.naming), comparison.note)
    note = "".join(f"<p>{html.escape(visible(words))}</p>" for words in notes if words)
    size: dict[str, Any] = {"max_rows": _HTML_ROWS, "show_dimensions": True}
    ranking, leader_table = comparison._ranking.to_html(**size), _leader_table(comparison)
    ranking = visible(ranking)
    if leader_table is None:
        told = no_verdicts(comparison.scores, comparison.settings)
        return f"{note}{ranking}<p>{html.escape(told)}</p>"
    return note + ranking + visible(leader_table.to_html(index=False, **size))


def _leader_table(comparison: Compared) -> pd.DataFrame | None:
    """The leader table, None where it would take too long to compute for a glance."""
    row, scores = comparison.settings.adjustment, comparison.scores
    quick = scores.n_pairs <= (_QUICK_PAIRS_DRAWN if row.joint else _QUICK_PAIRS)
    if not comparison.settings.test.has_std_err:
        # Such a test has no leader table. The verdicts are those of the first rows of all pairs.
        return comparison._pairwise_frequentist.iloc[: scores.n_candidates - 1] if quick else None
    if quick or row.closed_form or "_leader_table" in vars(comparison):
        return comparison._leader_table
    return None
