"""Facts → the tables of a report, as cells of text that each format lays out."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare.reports._captions import (
    leader_caption,
    metrics_caption,
    pairs_caption,
    ranking_caption,
    reference_caption,
)
from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._report_options import Options
from sklearn_stats_compare.reports._table_columns import COLUMNS, LABELS
from sklearn_stats_compare.reports._words import listed, number

# Write a larger table to a file: Comparison.pairwise_frequentist.to_csv.
_MOST_PAIRS = 500
# The leader's verdict on a candidate → the mark of the candidate.
_MARKS = {"better": "−", "worse": "+", "equivalent": "=", "undecided": "?", "missing": "×"}


@dataclass(frozen=True, eq=False)
class ReportTable:
    """One table: text cells, and for each cell the value to sort by.

    Attributes
    ----------
    name : str
        "metrics", "ranking", "leader", "reference" or "pairs".
    metric : str
        Name of the score; for the table of several metrics, all names.
    header : list of str
        Column names.
    aligns : str
        "l" or "r" for each column.
    cells : list of list of str
        Rows of text.
    values : list of list
        The same rows as numbers, or text if the cell is text.
    caption : str
        Caption of the table.
    bold : frozenset of (int, int)
        Row and column of bold cells.
    labels : frozenset of int
        Columns of candidates' labels.
    """

    name: str
    metric: str
    header: list[str]
    aligns: str
    cells: list[list[str]]
    values: list[list[Any]]
    caption: str = ""
    bold: frozenset[tuple[int, int]] = frozenset()
    labels: frozenset[int] = frozenset({0})


def report_tables(facts: Facts, options: Options, *, several: bool = False) -> list[ReportTable]:
    """The requested tables of one metric, of `several` or alone, that have rows."""
    rivals = len(facts.leader_table) and facts.comparison.leader is not None
    tables = []
    if "ranking" in options.parts:
        tables.append(_ranking(facts, options.columns["ranking"]))
    if "leader" in options.parts and rivals:
        columns = options.columns["leader"]
        tables.append(_table("leader", facts, facts.leader_table, columns, leader_caption))
    if "reference" in options.parts and facts.reference_table is not None:
        columns = options.columns["reference"]
        rows = facts.reference_table
        tables.append(_table("reference", facts, rows, columns, reference_caption))
    if "pairs" in options.parts and rivals:
        tables.append(_pairs(facts, options.columns["pairs"]))
    return [_captioned(table, options, several) for table in tables]


def metrics_table(all_facts: list[Facts], options: Options) -> ReportTable:
    """Mean, its standard error and verdict of every candidate by each metric, best means bold."""
    labels = all_facts[0].ranking["label"].tolist()
    header, aligns = ["candidate"], "l"
    cells: list[list[str]] = [[label] for label in labels]
    values: list[list[Any]] = [[label] for label in labels]
    bold = set()
    for facts in all_facts:
        column = len(header)
        header, aligns = [*header, facts.metric, ""], aligns + "rl"
        rows: Any = facts.ranking.itertuples()
        ranking = {row.label: row for row in rows}
        verdicts = dict(
            zip(facts.leader_table["model_2"], facts.leader_table["verdict"], strict=True)
        )
        for row, label in enumerate(labels):
            mean, std_err, rank = (getattr(ranking[label], k) for k in ("mean", "std_err", "rank"))
            # Ties share a rank, and a failed candidate has none.
            best = not np.isnan(mean) and rank == 1
            mark = "*" if best else _MARKS.get(str(verdicts.get(label, "")), "×")
            words = number(mean, facts.decimals)
            if not np.isnan(std_err):
                words += f" ± {number(std_err, facts.decimals)}"
            cells[row] += [words, mark]
            values[row] += [mean, mark]
            if best:
                bold.add((row, column))
    metrics = listed([facts.metric for facts in all_facts], most=len(all_facts))
    caption = metrics_caption(all_facts)
    table = ReportTable("metrics", metrics, header, aligns, cells, values, caption, frozenset(bold))
    return _captioned(table, options)


def _captioned(table: ReportTable, options: Options, several: bool = False) -> ReportTable:
    """The table with the requested caption, or with its own."""
    instead = options.captions.get(table.name)
    if instead is None:
        return replace(table, caption=f"{_of(options.caption, table)} {table.caption}".strip())
    # With one caption, the tables of all metrics could not be distinguished.
    is_clear = not several or "{metric}" in instead
    return replace(table, caption=_of(instead if is_clear else f"{{metric}}: {instead}", table))


def _of(caption: str, table: ReportTable) -> str:
    # Not `str.format`, which raises for any other brace.
    return caption.replace("{metric}", table.metric)


def _ranking(facts: Facts, columns: Collection[str]) -> ReportTable:
    left_out = set()
    if not (facts.tested and facts.comparison.scores.n_available > 1):
        left_out.add("possibly_best")
    if not facts.lettered:
        left_out.add("letters")
    # The rank of a failed candidate is pandas.NA.
    rows = facts.ranking.assign(rank=facts.ranking["rank"].to_numpy(float, na_value=np.nan))
    known = [name for name in columns if name not in left_out]
    return _table("ranking", facts, rows, known, ranking_caption)


def _pairs(facts: Facts, columns: Collection[str]) -> ReportTable:
    # Pairs of failed candidates have rows as well.
    candidates = facts.comparison.scores.n_candidates
    n = candidates * (candidates - 1) // 2
    if n > _MOST_PAIRS:
        raise ValueError(
            f"`parts` can have 'pairs' where there are at most {_MOST_PAIRS} of them; got {n:,} "
            "pairs. `pairwise_frequentist` has them all."
        )
    return _table("pairs", facts, facts.comparison.pairwise_frequentist, columns, pairs_caption)


def _table(
    name: str,
    facts: Facts,
    rows: pd.DataFrame,
    names: Collection[str],
    caption: Callable[[Facts, Collection[str]], str],
) -> ReportTable:
    """The table of these rows with the columns of these names."""
    columns = {key: COLUMNS[name][key] for key in names}
    cells: list[list[str]] = []
    values: list[list[Any]] = []
    records: Any = rows[list(columns)].itertuples(index=False, name=None)
    for record in records:
        words = [c.words(v, facts) for c, v in zip(columns.values(), record, strict=True)]
        cells.append(words)
        values.append(
            [c.value(v, w) for c, v, w in zip(columns.values(), record, words, strict=True)]
        )
    return ReportTable(
        name,
        facts.metric,
        [column.header for column in columns.values()],
        "".join(column.align for column in columns.values()),
        cells,
        values,
        caption(facts, columns),
        labels=frozenset(k for k, key in enumerate(columns) if key in LABELS),
    )
