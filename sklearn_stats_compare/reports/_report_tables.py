"""Facts → the two tables of a report, as cells of text that each format lays out."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import level_words
from sklearn_stats_compare.comparison import verdict_words
from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._prose import interval_words, letters_note, number, p_value


@dataclass(frozen=True, eq=False)
class ReportTable:
    """One table: words for people, and beside each cell the value that it sorts by.

    Attributes
    ----------
    name : str
        "ranking" or "leader".
    caption : str
        One sentence.
    header : list of str
        Column names.
    aligns : str
        "l" or "r" for each column.
    cells : list of list of str
        Rows of text.
    values : list of list
        The same rows as numbers, or text where the cell is text.
    """

    name: str
    caption: str
    header: list[str]
    aligns: str
    cells: list[list[str]]
    values: list[list[Any]]


def report_tables(facts: Facts) -> list[ReportTable]:
    """The ranking, and where there is a second candidate the leader against the others."""
    tables = [_ranking(facts)]
    if len(facts.leader_table) and facts.comparison.leader is not None:
        tables.append(_leader(facts))
    return tables


def _ranking(facts: Facts) -> ReportTable:
    header = ["rank", "candidate", "mean", "std. err.", "low", "high"]
    aligns = "rlrrrr"
    caption = (
        f"Candidates by mean {facts.comparison.metric}, with "
        f"{facts.settings.test.std_err_words}s and "
        f"{level_words(facts.comparison.alpha)} intervals, each by itself."
    )
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
        if facts.lettered:
            cells[-1].append(row.letters)
            values[-1].append(row.letters)
    return ReportTable("ranking", caption, header, aligns, cells, values)


def _leader(facts: Facts) -> ReportTable:
    header = ["candidate", "difference", "low", "high", "p", "P(worse)", "P(equiv.)"]
    header += ["P(better)", "verdict"]
    caption = (
        f"The leader, {facts.comparison.leader}, against every other candidate: difference in mean "
        f"{facts.comparison.metric} (leader − candidate) with {interval_words(facts)}, two-sided "
        "p-value, posterior probabilities that the leader is worse, practically equivalent or "
        "better, and verdict."
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
    return ReportTable("leader", caption, header, "lrrrrrrrl", cells, values)
