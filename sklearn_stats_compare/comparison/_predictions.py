"""Other settings and metrics for the same predictions, and within subgroups."""

from __future__ import annotations

import dataclasses
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare._utils._formatting import visible
from sklearn_stats_compare.comparison import _tables
from sklearn_stats_compare.comparison._planning import Calls
from sklearn_stats_compare.stats._family import Family, PairTest, PairTestName, pair_test
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._scores import SplitScores

if TYPE_CHECKING:
    from sklearn_stats_compare.comparison._comparison import Comparison
    from sklearn_stats_compare.predictions._predicted import Predicted


def with_settings(comparison: Any, metric: Any = None, **settings: Any) -> Any:
    """See `Comparison.with_settings`."""
    known = ("alternative", "p_adjust", "rope", "alpha", "test", "labels")
    for name in settings:
        if name not in known:
            raise TypeError(
                f"A setting must be one of metric, {', '.join(known)}; got {name!r}."
                f"{checks.meant(name, known)}"
            )
    if metric is not None:
        comparison = _with_metric(comparison, metric)
        if not settings:
            return comparison
    scores = with_samples(
        comparison.scores, comparison._predicted, settings.get("test", comparison.test)
    )
    calls = comparison._calls
    if not settings.keys() <= {"test", "labels"}:  # which `compare` of the search does not know
        calls = dataclasses.replace(calls, compare=Calls.again)
    other = dataclasses.replace(comparison, scores=scores, **settings, _calls=calls, warn=False)
    mistaken = _tables.mistaken_settings(
        scores,
        _tables.resolve_rope(other.rope, 1.0) if "rope" in settings else None,
        other.alpha if "alpha" in settings else None,
    )
    if mistaken:
        checks.warn_user(" ".join(mistaken), "comparison-warnings")
    return other


def with_samples(
    scores: SplitScores, kept: Predicted | None, test: PairTestName | PairTest | None
) -> SplitScores:
    """The scores, with values of samples if the test needs them and there are predictions."""
    if kept is None or test is None or scores.samples is not None or pair_test(test).of_splits:
        return scores
    return dataclasses.replace(scores, samples=kept.samples())


def _with_metric(comparison: Any, scorer: Any) -> Any:
    kept = predictions_of(comparison).with_metric(scorer)
    samples = None if comparison._settings.test.of_splits else kept.samples()
    return dataclasses.replace(
        comparison,
        scores=SplitScores(kept.scores, comparison.scores.design, samples),
        metric=kept.metric,
        _predicted=kept,
        note=_tables.joined_notes(comparison.note, kept.note),
        _dropped_pvalue=None,  # a race drops candidates by one metric
        _calls=dataclasses.replace(comparison._calls, compare=Calls.again),
        warn=False,
    )


def predictions_of(comparison: Any) -> Predicted:
    """The candidates' predictions; ValueError if these were not kept."""
    kept: Predicted | None = comparison._predicted
    if kept is None:
        raise ValueError(
            "This comparison has no predictions. Those of a search have them, or of "
            "cross_validate_models, with `return_predictions=True`; tables and ledgers have none."
        )
    return kept


MOST_GROUPS = 100

_TEXTS = ("model_1", "model_2", "verdict")

_NUMBERS = _tables.FREQUENTIST_COLUMNS[2:-1]


def by(comparison: Comparison, groups: Any, min_samples: int) -> SubgroupComparison:
    """See `Comparison.by`."""
    least = checks.check_count("min_samples", min_samples, least=2)
    if comparison._settings.test.of_splits:
        raise ValueError(
            '`by` needs the test of per-sample values: use compare(test="samples") or '
            f'with_settings(test="samples"); the test is {comparison._settings.test.name!r}.'
        )
    kept, own = comparison._predicted, comparison.scores.samples
    if comparison._lost:
        raise ValueError(
            "`by` needs what candidates predicted, which a fit keeps by default and a pickle or "
            'copy lacks. Fit with return_predictions="values" or True.'
        )
    samples = predictions_of(comparison).samples() if own is None else own
    n_data = samples.n_samples if kept is None else kept.responses.n_samples
    if kept is not None and kept.scoring.by_name and not isinstance(groups, pd.Series):
        raise ValueError(
            "`groups` must be a pandas Series whose index has the names of the samples, because "
            f"the rows of a long table have no order; got {checks.shown(groups)}."
        )
    codes, names = _codes(groups, n_data, None if kept is None else kept.scoring.index)
    tested = slice(None) if kept is None else kept.tested
    sizes = np.bincount(codes[tested], minlength=len(names))
    if not comparison.scores.n_available:
        raise ValueError("`by` needs a leader, and every candidate failed.")
    parts = _by_subgroup(samples, kept, codes, max(least, samples.n_folds))
    n_tested = sum(part is not None for part in parts)
    tables = []
    for k, (name, size, part) in enumerate(zip(names, sizes, parts, strict=True)):
        if size:
            n_independent = np.inf
            if part is not None and kept is not None:
                n_independent = kept.n_independent_of(kept.tested[codes[kept.tested] == k])
            if part is not None and size == sizes.sum() and own is not None:
                part = own
            n_rows = int(size) if comparison.scores.n_rows else 0
            table = _table(comparison, part, max(n_tested, 1), n_independent, n_rows)
            table.insert(0, "group", name)
            table.insert(1, "n_samples", int(size))
            tables.append(table)
    overall = _table(comparison, comparison.scores.samples, 1)
    overall.insert(0, "n_samples", int(sizes.sum()))
    table = pd.concat(tables, ignore_index=True)
    table["group"] = pd.Categorical(table["group"], categories=names, ordered=True)
    return SubgroupComparison(
        table,
        overall,
        metric=comparison.metric,
        rope=comparison._settings.rope,
        naming=comparison._naming,
    )


def _by_subgroup(
    samples: SampleScores, kept: Predicted | None, codes: NDArray[np.intp], least: int
) -> list[SampleScores | None]:
    """Values of each subgroup; None if samples, groups or samples of a class are too few."""
    if kept is not None:
        parts = kept.by_subgroup(codes, least)
        return [None if part is None or part.has_rare_class else part for part in parts]
    all_members = (codes == k for k in range(int(codes.max(initial=-1)) + 1))
    return [
        dataclasses.replace(samples, values=samples.values[:, :, members], words="")
        if members.sum() >= least
        else None
        for members in all_members
    ]


def _codes(groups: Any, n_rows: int, index: pd.Index | None) -> tuple[NDArray[np.intp], list[Any]]:
    """Number of each row's subgroup, and names of these in order."""
    try:
        tables = pd.DataFrame | pd.MultiIndex
        is_column = not isinstance(groups, tables) and np.ndim(groups) == 1
    except ValueError:  # rows of different lengths
        is_column = False
    if not is_column:
        rule = "be one subgroup per row of the data, such as a column of it"
        raise checks.wrong("groups", rule, groups)
    column = groups if isinstance(groups, pd.Series) else pd.Series(groups)
    if len(column) != n_rows:
        raise ValueError(
            f"`groups` must have one entry per row of the data, {n_rows:,}; got {len(column):,}."
        )
    if index is None:
        checks.check_same_index([("groups", groups), ("X", np.arange(n_rows))])
    elif isinstance(groups, pd.Series):
        own = groups.index
        same = own.is_unique and index.is_unique and own.isin(index).all()
        if checks.are_other_levels(own, index) or not (same or own.equals(index)):
            raise ValueError(
                "`groups` must have the index of the data, or none, to be aligned with it; got "
                f"{checks.shown_list(map(repr, groups.index[:3]))} …."
            )
        column = groups if own.equals(index) else groups.reindex(index)
    if column.map(lambda own: isinstance(own, tuple | frozenset)).any():
        column = column.map(str)  # pandas would take the parts apart
    try:
        categories = column.astype("category").cat.remove_unused_categories()
    except TypeError:  # lists have no hash
        rule = "be one subgroup per row of the data, as text or a number"
        raise checks.wrong("groups", rule, column.iloc[0]) from None
    names: list[Any] = list(categories.cat.categories)
    codes = np.array(categories.cat.codes, dtype=np.intp)
    if (codes < 0).any():
        codes[codes < 0] = len(names)
        missing = "<NA>"
        while missing in names:  # a subgroup of that name
            missing = f"<{missing}>"
        names.append(missing)
    if len(names) > MOST_GROUPS:
        raise ValueError(
            f"`groups` must be at most {MOST_GROUPS} different subgroups; got {len(names):,}. Cut "
            "numbers into bins with pandas.cut."
        )
    if len(set(map(str, names))) < len(names):
        rule = "have subgroups of different names, also as text"
        raise checks.wrong("groups", rule, names)
    return codes, names


def _table(
    comparison: Comparison,
    samples: SampleScores | None,
    n_groups: int,
    n_independent: float = np.inf,
    n_rows: int = 0,
) -> pd.DataFrame:
    """The overall leader against each other candidate on some samples, at alpha / n_groups."""
    order = comparison.scores.order
    leader, rivals = int(order[0]), order[1:]
    labels = [comparison._candidate_names.labels[k] for k in order]
    if samples is None:
        names = {"model_1": labels[0], "model_2": labels[1:]}
        return pd.DataFrame({**names, **dict.fromkeys(_NUMBERS, np.nan), "verdict": TOO_FEW})
    own = comparison._settings
    settings = dataclasses.replace(own, alternative="two-sided", alpha=own.alpha / n_groups)
    scores = _as_scores(samples, comparison.scores)
    # As in `against`: these adjust a p-value by the family size alone.
    if settings.adjustment.closed_form:
        tests = settings.test.against(scores, leader, rivals)
    else:
        tests = settings.test.all_pairs(scores)
    if scores is not comparison.scores:
        # The means of a subgroup do not show that the scores are shares, as those of splits do.
        n_independent = min(n_independent, samples.n_samples)
        agreed, shared = (
            n_independent if np.isfinite(n) else n
            for n in (comparison.scores.n_agreed, comparison.scores.n_shared)
        )
        unit = comparison.scores.unit
        tests = dataclasses.replace(
            tests, n_agreed=agreed, n_shared=shared, n_rows=float(n_rows), unit=unit
        )
    low, high = settings.rope
    # In the second the leader is model_2 where it is behind, and the ROPE is turned with the pair.
    table, turned = (
        _tables.frequentist_table(
            Family(scores, tests, dataclasses.replace(settings, rope=rope)),
            tests.rope_probabilities(rope),
            names=comparison._pair_names,
        ).astype(dict.fromkeys(_TEXTS, str))
        for rope in ((low, high), (-high, -low))
    )
    table = _of_leader(table, turned, labels[0], labels[1:])
    table["p_val"] = (n_groups * table["p_val"]).clip(upper=1.0)
    if scores is not comparison.scores:
        undefined = scores.missing & ~comparison.scores.missing
        table.loc[undefined[leader] | undefined[rivals], "verdict"] = UNDEFINED
        if np.isinf(comparison.scores.n_agreed):
            # What a sample may contribute is unknown, and its range on all samples stands for it.
            # Not for duplicates in a grid, which have the same values on all samples.
            overall: Any = comparison.scores.samples
            apart = [not np.array_equal(overall.values[leader], overall.values[k]) for k in rivals]
            same = (table["mean_diff"] == 0) & (table["std_err"] == 0) & np.array(apart, dtype=bool)
            # Models that differ on a share d of all samples differ on none of n with probability
            # (1 − d)ⁿ, and their means differ by at most d times the range.
            level = settings.alpha / max(comparison.scores.n_pairs, 1)
            reach = float(np.subtract(*overall.bounds[::-1]))
            largest, end = (
                -np.expm1(np.log(p) / n_independent) * reach for p in (level, level / 2)
            )
            is_inside = low < -largest and largest < high
            table.loc[same, "verdict"] = "equivalent" if is_inside else "undecided"
            table.loc[same, "ci_low"], table.loc[same, "ci_high"] = -end, end
    return table


def _as_scores(samples: SampleScores, overall: SplitScores) -> SplitScores:
    """Split scores whose mean is that of the samples.

    A fold may hold no sample of a subgroup, so each has the mean of its repeat.
    """
    if samples is overall.samples:
        return overall
    values = samples.values.mean(axis=2, dtype=np.float64)[:, overall.design.repeat]
    return SplitScores(np.where(overall.missing[:, None], np.nan, values), overall.design, samples)


def _of_leader(
    table: pd.DataFrame, turned: pd.DataFrame, leader: str, rivals: list[str]
) -> pd.DataFrame:
    """Rows of one candidate, in the order of its rivals, with the candidate as model_1.

    Those in which it is model_2 come from `turned`, the table with the ROPE from −high to −low.
    """
    first = table[table["model_1"] == leader]
    second = turned[turned["model_2"] == leader].copy()
    second["model_1"], second["model_2"] = leader, second["model_1"].to_numpy()
    low, high = second["ci_low"].to_numpy(), second["ci_high"].to_numpy()
    # 0 − x, because −x of zero is a negative zero.
    second["ci_low"], second["ci_high"] = 0 - high, 0 - low
    second["mean_diff"], second["t_stat"] = 0 - second["mean_diff"], 0 - second["t_stat"]
    second["verdict"] = second["verdict"].replace(_tables.TURNED)
    found = pd.concat([first, second]).set_index("model_2").loc[rivals].reset_index()
    return found[list(_tables.FREQUENTIST_COLUMNS)]


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
        What the labels are made of, as a sentence; "" if they show it.
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
        sentences = {
            rival: _sentence(overall[rival], rows.set_index("group")["verdict"])
            for rival, rows in self.table.groupby("model_2", observed=True, sort=False)
        }
        return pd.Series(sentences, dtype=object, name="leader").rename_axis("against")

    def __repr__(self) -> str:
        if not len(self.table):
            return "No rivals."
        leader, sentences = self.table["model_1"].iloc[0], self.sentences
        groups = self.table.drop_duplicates("group")
        sizes = checks.shown_list(
            f"{group} ({n:,})"
            for group, n in zip(groups["group"], groups["n_samples"], strict=True)
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
        f"{_WORDS.get(verdict, verdict)} in "
        f"{checks.shown_list(map(str, others.index[others == verdict]))}"
        for verdict in others.unique()
    ]
    return f"{overall} overall, {'; '.join(parts)}"
