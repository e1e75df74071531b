"""Facts → the tables of a report, as cells of text that each format lays out."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sklearn_stats_compare.comparison import verdict_words
from sklearn_stats_compare.reports._bibliography import POSTERIOR, ROPE
from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._prose import (
    interval_words,
    letters_note,
    level,
    number,
    p_value,
)
from sklearn_stats_compare.reports._report_options import Options
from sklearn_stats_compare.reports._spans import cited, unbroken

# What the leader's verdict on a candidate makes of the candidate.
_MARKS = {"better": "−", "worse": "+", "equivalent": "=", "undecided": "?", "missing": "×"}


@dataclass(frozen=True, eq=False)
class ReportTable:
    """One table: words for people, and beside each cell the value that it sorts by.

    Attributes
    ----------
    name : str
        "metrics", "ranking" or "leader".
    metric : str
        Name of the score; of the table of several metrics, all of them.
    header : list of str
        Column names.
    aligns : str
        "l" or "r" for each column.
    cells : list of list of str
        Rows of text.
    values : list of list
        The same rows as numbers, or text where the cell is text.
    caption : str
        What the table shows, in sentences.
    bold : frozenset of (int, int)
        Row and column of the cells that stand out.
    """

    name: str
    metric: str
    header: list[str]
    aligns: str
    cells: list[list[str]]
    values: list[list[Any]]
    caption: str = ""
    bold: frozenset[tuple[int, int]] = frozenset()


def report_tables(facts: Facts, options: Options) -> list[ReportTable]:
    """The ranking, and where there is a second candidate the leader against the others."""
    tables = []
    if "ranking" in options.parts:
        tables.append(_ranking(facts))
    if (
        "leader" in options.parts
        and len(facts.leader_table)
        and facts.comparison.leader is not None
    ):
        tables.append(_leader(facts))
    return [_captioned(table, options) for table in tables]


def metrics_table(all_facts: list[Facts], options: Options) -> ReportTable:
    """Mean and verdict of every candidate by each metric, the best means bold."""
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
            mean, rank = ranking[label].mean, ranking[label].rank
            # Ties share a rank, and a failed candidate has none.
            best = not np.isnan(mean) and rank == 1
            mark = "*" if best else _MARKS.get(str(verdicts.get(label, "")), "×")
            cells[row] += [number(mean, facts.decimals), mark]
            values[row] += [mean, mark]
            if best:
                bold.add((row, column))
    words = " and ".join(facts.metric for facts in all_facts)
    caption = (
        f"Mean {words} of every candidate. Marks tell how it stands by that metric: * the best "
        "mean (bold); against that, − worse, = practically equivalent, ? undecided, × missing."
    )
    table = ReportTable(
        "metrics", words, header, aligns, cells, values, caption=caption, bold=frozenset(bold)
    )
    return _captioned(table, options)


def _captioned(table: ReportTable, options: Options) -> ReportTable:
    """The table with the caption that was asked for, or the one that was made of it."""
    if table.name in options.captions:
        return replace(table, caption=options.captions[table.name])
    return replace(table, caption=f"{options.caption} {table.caption}".strip())


def _ranking(facts: Facts) -> ReportTable:
    header = ["rank", "candidate", "mean", "std. err.", "low", "high"]
    aligns = "rlrrrr"
    caption = (
        f"Candidates by mean {facts.metric}, with {facts.settings.test.std_err_words}s and "
        f"{level(facts)} intervals, each by itself."
    )
    choice = facts.tested and facts.comparison.scores.n_available > 1
    if choice:
        header, aligns = [*header, "best?"], aligns + "l"
        caption += " Those with a * may be the best."
    if facts.lettered:
        header, aligns = [*header, "letters"], aligns + "l"
    caption = f"{caption} {letters_note(facts)}".strip()
    cells, values = [], []
    rows: Any = facts.ranking.itertuples()
    for row in rows:
        failed = np.isnan(row.mean)
        numbers = [row.mean, row.std_err, row.ci_low, row.ci_high]
        rank = "–" if failed else str(row.rank)
        cells.append([rank, row.label, *(number(x, facts.decimals) for x in numbers)])
        values.append([np.nan if failed else int(row.rank), row.label, *numbers])
        if choice:
            cells[-1].append("*" if row.possibly_best else "")
            values[-1].append("*" if row.possibly_best else "")
        if facts.lettered:
            cells[-1].append(row.letters)
            values[-1].append(row.letters)
    return ReportTable("ranking", facts.metric, header, aligns, cells, values, caption=caption)


def _leader(facts: Facts) -> ReportTable:
    header = ["candidate", "difference", "low", "high", "p", "P(worse)", "P(equiv.)"]
    header += ["P(better)", "verdict"]
    caption = (
        f"The leader, {facts.comparison.leader}, against every other candidate: difference in mean "
        f"{facts.metric} (leader − candidate) with {interval_words(facts)}, two-sided "
        f"{unbroken('p-value')}, posterior probabilities{cited((*POSTERIOR, *ROPE))} that the "
        "leader is worse, practically equivalent or better, and verdict."
    )
    cells, values = [], []
    rows: Any = facts.leader_table.itertuples()
    for row in rows:
        differences = [row.mean_diff, row.ci_low, row.ci_high]
        probabilities = [row.worse_prob, row.rope_prob, row.better_prob]
        cells.append(
            [
                str(row.model_2),
                *(number(x, facts.difference_decimals) for x in differences),
                p_value(row.p_val, facts.comparison.alpha).removeprefix("= "),
                *(number(x, 3) for x in probabilities),
                verdict_words(str(row.verdict)),
            ]
        )
        verdict = verdict_words(str(row.verdict))
        values.append([str(row.model_2), *differences, row.p_val, *probabilities, verdict])
    return ReportTable("leader", facts.metric, header, "lrrrrrrrl", cells, values, caption=caption)
