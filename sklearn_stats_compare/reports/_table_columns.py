"""Columns that tables may have, by their names in the comparison's DataFrames."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sklearn_stats_compare.comparison import verdict_words
from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._words import number, p_value

CellWords = Callable[[Any, Facts], str]


@dataclass(frozen=True)
class Column:
    """A column: its heading, alignment "l" or "r", text of a value, and sort key."""

    header: str
    align: str
    words: CellWords
    value: Callable[[Any, str], Any] = lambda value, words: value


def _said(value: Any, words: str) -> str:
    return words


def _score(value: Any, facts: Facts) -> str:
    return number(value, facts.decimals)


def _difference(value: Any, facts: Facts) -> str:
    return number(value, facts.difference_decimals)


def _p(value: Any, facts: Facts) -> str:
    return p_value(value, facts.comparison.alpha).removeprefix("= ")


def _probability(value: Any, facts: Facts) -> str:
    return number(value, 3)


def _text(value: Any, facts: Facts) -> str:
    return str(value)


def _verdict_on_pair(value: Any, facts: Facts) -> str:
    # Both candidates have a column here; it does not matter which is the leader.
    return {"better": "first better", "worse": "second better"}.get(str(value), str(value))


RANKING: Mapping[str, Column] = {
    # A failed candidate has no rank.
    "rank": Column("rank", "r", lambda rank, facts: "–" if np.isnan(rank) else f"{rank:.0f}"),
    "label": Column("candidate", "l", _text, _said),
    "mean": Column("mean", "r", _score),
    "std_err": Column("std. err.", "r", _score),
    "ci_low": Column("low", "r", _score),
    "ci_high": Column("high", "r", _score),
    "possibly_best": Column("best?", "l", lambda best, facts: "*" if best else "", _said),
    "letters": Column("letters", "l", _text, _said),
}
_TESTS: Mapping[str, Column] = {
    "mean_diff": Column("difference", "r", _difference),
    "std_err": Column("std. err.", "r", _difference),
    "t_stat": Column("t", "r", lambda t, facts: number(t, 2)),
    "p_unadjusted": Column("unadj. p", "r", _p),
    "p_val": Column("p", "r", _p),
    "ci_low": Column("low", "r", _difference),
    "ci_high": Column("high", "r", _difference),
}
LEADER: Mapping[str, Column] = {
    "model_1": Column("leader", "l", _text, _said),
    "model_2": Column("candidate", "l", _text, _said),
    **_TESTS,
    "worse_prob": Column("P(worse)", "r", _probability),
    "rope_prob": Column("P(equiv.)", "r", _probability),
    "better_prob": Column("P(better)", "r", _probability),
    "verdict": Column("verdict", "l", lambda v, facts: verdict_words(str(v)), _said),
}
REFERENCE: Mapping[str, Column] = {
    **LEADER,
    "model_1": Column("reference", "l", _text, _said),
    "verdict": Column("verdict", "l", lambda v, facts: verdict_words(str(v), "reference"), _said),
}
PAIRS: Mapping[str, Column] = {
    "model_1": Column("first", "l", _text, _said),
    "model_2": Column("second", "l", _text, _said),
    **_TESTS,
    "verdict": Column("verdict", "l", _verdict_on_pair, _said),
}

COLUMNS: Mapping[str, Mapping[str, Column]] = {
    "ranking": RANKING,
    "leader": LEADER,
    "reference": REFERENCE,
    "pairs": PAIRS,
}
"""Table → all available columns."""
_TESTED = ("mean_diff", "ci_low", "ci_high", "p_val")
POSTERIORS = ("worse_prob", "rope_prob", "better_prob")
DEFAULTS: Mapping[str, tuple[str, ...]] = {
    "ranking": tuple(RANKING),
    "leader": ("model_2", *_TESTED, *POSTERIORS, "verdict"),
    "reference": ("model_2", *_TESTED, *POSTERIORS, "verdict"),
    "pairs": ("model_1", "model_2", *_TESTED, "verdict"),
}
"""Table → its default columns."""
NAMES: Mapping[str, tuple[str, ...]] = {
    "ranking": ("label",),
    "leader": ("model_2",),
    "reference": ("model_2",),
    "pairs": ("model_1", "model_2"),
}
"""Table → the columns that identify a row, which it always has."""
LABELS = frozenset({"label", "model_1", "model_2"})
"""Columns of candidates' labels."""
