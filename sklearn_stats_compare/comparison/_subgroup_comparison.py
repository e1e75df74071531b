"""SubgroupComparison: verdicts on the leader within subgroups, in a table and in words."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

import pandas as pd

from sklearn_stats_compare._messages import shown_list, visible

TOO_FEW, UNDEFINED = "too few", "undefined"
_WORDS = {TOO_FEW: "too few samples", UNDEFINED: "not defined"}


@dataclass(frozen=True, eq=False)
class SubgroupComparison:
    """The leader of a comparison against each other candidate, within subgroups.

    Attributes
    ----------
    table : DataFrame
        A row per subgroup and rival, the subgroups sorted, with the columns ``group``,
        ``n_samples``, ``model_1`` (the leader of all samples), ``model_2``, ``mean_diff``,
        ``std_err``, ``t_stat``, ``p_unadjusted``, ``p_val``, ``ci_low``, ``ci_high`` and
        ``verdict``. p-values are two-sided. There are two further verdicts: "too few" for subgroups
        with too few samples, which are not tested, and "undefined" if the score is not defined on
        some fold, such as ROC AUC without one of the classes.
    overall : DataFrame
        The same columns except ``group`` for all samples, adjusted for pairs only.
    metric : str
        Name of the score.
    rope : (float, float)
        The ROPE in score units.
    naming : str
        What the labels are made of, as `Comparison.naming`.
    """

    table: pd.DataFrame
    overall: pd.DataFrame
    metric: str = "score"
    rope: tuple[float, float] = field(default=(0.0, 0.0), repr=False)
    naming: str = field(default="", repr=False)

    @property
    def sentences(self) -> pd.Series:
        """A sentence on each rival, by its label: "better overall, undecided in B"."""
        overall = self.overall.set_index("model_2")["verdict"]
        by_rival = self.table.groupby("model_2", observed=True, sort=False)
        sentences = {
            rival: _sentence(overall[rival], rows.set_index("group")["verdict"])
            for rival, rows in by_rival
        }
        return pd.Series(sentences, dtype=object, name="leader").rename_axis("against")

    def __repr__(self) -> str:
        if not len(self.table):
            return "No rivals."
        leader, sentences = self.table["model_1"].iloc[0], self.sentences
        groups = self.table.drop_duplicates("group")
        sizes = shown_list(
            [
                f"{group} ({n:,})"
                for group, n in zip(groups["group"], groups["n_samples"], strict=True)
            ]
        )
        lines = [f"{leader} by {self.metric}, within {sizes}:"]
        lines += [f"- against {rival}: {said}" for rival, said in sentences.head(12).items()]
        if len(sentences) > 12:
            lines.append(f"… and against {len(sentences) - 12:,} more, in `table`")
        lines += textwrap.wrap(visible(self.naming), 88)
        return "\n".join(lines)


def _sentence(overall: str, by_group: pd.Series) -> str:
    """The verdict on all samples, and the subgroups with a different one."""
    others = by_group[by_group != overall]
    if others.empty:
        where = "and in each subgroup" if len(by_group) > 1 else f"and in {by_group.index[0]}"
        return f"{overall} overall {where}"
    parts = [
        f"{verdict} in {shown_list([str(group) for group in rows.index])}"
        for verdict, rows in _by_verdict(others)
    ]
    return f"{overall} overall, {'; '.join(parts)}"


def _by_verdict(verdicts: pd.Series) -> Iterator[tuple[str, pd.Series]]:
    for verdict in verdicts.unique():
        rows = verdicts[verdicts == verdict]
        yield _WORDS.get(verdict, verdict), rows
