"""The text of a comparison: design, settings, a short table and notes, for a terminal."""

import textwrap

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import (
    count,
    one_line,
    short_labels,
    shown_decimals,
    shown_number,
    visible,
)
from sklearn_stats_compare.comparison._assumptions import (
    doubtful_rope,
    scores_of_zero_to_one,
    strained_assumptions,
)
from sklearn_stats_compare.comparison._stream import too_many_pairs
from sklearn_stats_compare.comparison._verdicts import verdict_counts, verdict_words
from sklearn_stats_compare.stats import Settings, SplitScores

# To fit a terminal: 24 lines, notes included, of usually 80 columns or more.
_ROWS = 12
_LABEL_WIDTH = 40
_WIDTH = 88


def comparison_text(
    scores: SplitScores,
    ranking: pd.DataFrame,
    leader_table: pd.DataFrame | None,
    *,
    metric: str,
    settings: Settings,
    naming: str = "",
    note: str = "",
    next_step: str = "",
) -> str:
    """Design, settings, and the best candidates with the leader's verdict on each.

    `leader_table` is None if it takes too long to compute for a glance.
    """
    design, *others = fact_lines(scores, metric, settings)
    notes = note_sentences(note, scores, leader_table, settings, next_step)
    lines = [
        design,
        *textwrap.wrap(visible(naming), _WIDTH),
        *others,
        "",
        *_candidate_lines(ranking, leader_table),
        *([""] if notes else []),
        # `visible`: a note may hold labels of the user, with control characters in them.
        *(line for words in notes for line in textwrap.wrap(visible(words), _WIDTH)),
    ]
    return "\n".join(lines)


def fact_lines(scores: SplitScores, metric: str, settings: Settings) -> list[str]:
    """Design, test, family and ROPE, a line each."""
    return [
        _design_line(scores, metric),
        settings.test.line(scores),
        _family_line(scores, settings),
        f"ROPE {_rope_text(scores, settings.rope)}",
    ]


def _design_line(scores: SplitScores, metric: str) -> str:
    repeat = scores.design.repeat
    # SplitDesign marks splits that form no repeats with −1. Repeats of several sizes, as from group
    # splitters, are not "10 × 10 folds".
    sizes = np.bincount(repeat) if (repeat >= 0).all() else np.empty(0)
    folds = f" ({sizes.size} × {sizes[0]} folds)" if sizes.size and np.ptp(sizes) == 0 else ""
    return (
        f"{count(scores.n_candidates, 'candidate')} on "
        f"{count(scores.n_splits, 'split')}{folds}, score: {one_line(metric, _WIDTH)}"
    )


def _family_line(scores: SplitScores, settings: Settings) -> str:
    pairs = count(scores.n_pairs, "pair")
    return f"{pairs}, {settings.adjustment.line}, verdicts two-sided at alpha = {settings.alpha:g}"


def _rope_text(scores: SplitScores, rope: tuple[float, float]) -> str:
    low, high = rope
    if np.isnan(high):  # a share such as "1%" of a mean that does not exist
        return "of no width: it is a share of the leader's mean, and there is no leader"
    text = f"±{high:.4g}" if low == -high else f"{low:.4g} to {high:.4g}"
    if scores_of_zero_to_one(scores):  # a width in score units is clear there
        return text
    # A width of 0.01 is a convention for accuracies; the share of the mean shows its width here.
    text += " score units"
    mean = abs(float(scores.means[scores.order[0]]))
    widest = (
        max(abs(end) for end in rope if np.isfinite(end)) if np.isfinite(rope).any() else np.nan
    )
    if mean > 0 and np.isfinite(widest):
        text += f", {100 * widest / mean:.2g} % of the leader's |mean|"
    return text


def _candidate_lines(ranking: pd.DataFrame, leader_table: pd.DataFrame | None) -> list[str]:
    shown = ranking.head(_ROWS)
    names = short_labels(shown["label"], _LABEL_WIDTH)
    # One number of decimals for all rows, so that the decimal points stand below each other.
    decimals = shown_decimals(ranking["std_err"].to_numpy())
    columns = [
        ["rank", *("-" if pd.isna(rank) else str(rank) for rank in shown["rank"])],
        ["candidate", *(names[label] for label in shown["label"])],
        ["mean", *(shown_number(mean, decimals) for mean in shown["mean"])],
        ["std_err", *(shown_number(std_err, decimals) for std_err in shown["std_err"])],
    ]
    if leader_table is not None and len(leader_table):
        words = map(verdict_words, leader_table["verdict"].head(_ROWS - 1))
        # The table has no row for the leader, hence one more word and one verdict fewer.
        first = "missing" if pd.isna(shown["rank"].iloc[0]) else "leader"
        columns.append(["verdict", first, *words])
    widths = [max(map(len, column)) for column in columns]
    aligns = [">", "<", ">", ">", "<"]
    lines = [
        "  ".join(
            f"{cell:{align}{width}}"
            # Without verdicts there is one column fewer than alignments.
            for cell, align, width in zip(row, aligns, widths, strict=False)
        ).rstrip()
        for row in zip(*columns, strict=True)
    ]
    if len(ranking) > _ROWS:
        lines.append(_rest_line(len(ranking) - _ROWS, leader_table))
    return lines


def _rest_line(n_rest: int, leader_table: pd.DataFrame | None) -> str:
    line = f"… and {n_rest:,} more"
    if leader_table is not None:
        line += f": {verdict_counts(leader_table['verdict'].iloc[_ROWS - 1 :])}"
    return line


def no_verdicts(scores: SplitScores, settings: Settings) -> str:
    """A sentence on where to find verdicts that take too long to compute here."""
    has_std_err = settings.test.has_std_err
    if too_many_pairs(scores):
        other = 'p_adjust="bonferroni"' if has_std_err else 'test="corrected_t"'
        refused = settings.p_adjust if has_std_err else settings.test
        return (
            f"Verdicts: none, as there are too many pairs for {refused}; "
            f"with_settings({other}) has some."
        )
    table = "leader_table" if has_std_err else "pairwise_frequentist"
    return f"Verdicts: see {table}, which takes a while for so many pairs."


def note_sentences(
    note: str,
    scores: SplitScores,
    leader_table: pd.DataFrame | None,
    settings: Settings,
    next_step: str = "",
) -> list[str]:
    """Notes for readers of the ranking, such as that a candidate is missing."""
    strained = strained_assumptions(scores, settings.test, advising=not next_step)
    notes = [*([note] if note else []), *strained]
    doubt = doubtful_rope(scores, settings.rope)
    if doubt:
        notes.append(doubt)
    n_missing = scores.n_candidates - scores.n_available
    if n_missing:
        notes.append(f"{count(n_missing, 'candidate')} missing: a score is not a finite number.")
    if leader_table is None:
        notes.append(no_verdicts(scores, settings))
    return [*notes, f"Next: {next_step}"] if next_step else notes
