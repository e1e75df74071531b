"""A report before its layout: facts and options → headings, paragraphs and tables in order."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare.comparison._tables import verdict_words
from sklearn_stats_compare.datasets._comparison import DatasetsComparison
from sklearn_stats_compare.reports import _bibliography, _facts, _prose
from sklearn_stats_compare.stats._multitest import ADJUSTMENTS


@dataclass(frozen=True)
class Heading:
    """A heading for the blocks below it."""

    text: str


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


Block = Heading | str | ReportTable
"""A heading, a paragraph or a table."""


@dataclass(frozen=True, eq=False)
class Document:
    """Facts on one or several metrics, and the parts to report."""

    facts: list[Any]
    options: "Options"

    @classmethod
    def of(cls, source: Any, options: "Options", reference: int | str | None = None) -> "Document":
        """Make a document from a comparison, a search, or a mapping of metrics to these."""
        if isinstance(source, DatasetsComparison):
            table = None if reference is None else source.against(reference)
            return DatasetsDocument([_facts.DatasetsFacts(source, options.digits, table)], options)
        return cls(_facts.all_facts(source, options.digits, reference), options)

    @property
    def several(self) -> bool:
        """Whether there is more than one metric."""
        return len(self.facts) > 1

    @property
    def title(self) -> str:
        """The number of candidates and the metrics."""
        scores = self.facts[0].comparison.scores
        metrics = _facts.listed([facts.metric for facts in self.facts], most=len(self.facts))
        return f"{count(scores.n_candidates, 'candidate')} by {metrics}"

    def headings(self, facts: Any) -> dict[str, str]:
        """Headings of the tables of one metric on a page, in their order."""
        return {
            "ranking": "Ranking",
            "reference": f"{facts.reference}, named beforehand, against the others",
            "leader": f"The leader, {facts.comparison.leader}, against the others",
            "pairs": "All pairs",
        }

    def has(self, part: str) -> bool:
        """Whether this part was requested and is not empty."""
        if part == "metrics" and not (self.several or self.options.parts_chosen):
            return False  # for one metric the ranking says more
        return part in self.options.parts

    def opening(self) -> list[str | ReportTable]:
        """Paragraphs and table on all metrics together."""
        blocks: list[str | ReportTable] = []
        if self.has("prose"):
            blocks += _prose.methods(self.facts)
        if self.has("metrics"):
            blocks.append(metrics_table(self.facts, self.options))
        return blocks

    def paragraphs_of(self, facts: Any) -> list[str]:
        """Paragraphs on one metric."""
        first = facts is self.facts[0]
        paragraphs = _prose.findings(facts, several=self.several) if self.has("prose") else []
        return [*paragraphs, *(_prose.remarks(facts, first=first) if self.has("remarks") else [])]

    def tables_of(self, facts: Any) -> list[ReportTable]:
        """The requested tables of one metric that have rows."""
        options = self.options
        left_out = set()
        if not (facts.tested and facts.comparison.scores.n_available > 1):
            left_out.add("possibly_best")
        if not facts.lettered:
            left_out.add("letters")

        def columns(name: str) -> dict[str, Column]:
            names = [key for key in options.columns[name] if key not in left_out]
            return {key: COLUMNS[name][key] for key in names}

        def table(name: str, rows: pd.DataFrame, caption: str) -> ReportTable:
            made = _table(name, facts, rows, columns(name), caption)
            return _captioned(made, options, self.several)

        tables = []
        if "ranking" in options.parts:
            # The rank of a failed candidate is pandas.NA.
            rows = facts.ranking.assign(rank=facts.ranking["rank"].to_numpy(float, na_value=np.nan))
            tables.append(table("ranking", rows, ranking_caption(facts, columns("ranking"))))
        if "leader" in options.parts and facts.has_rivals:
            words = f"The leader, {facts.comparison.leader}, against every other candidate: "
            words += _compared(facts, columns("leader"), "leader − candidate", "the leader")
            tables.append(table("leader", facts.leader_table, words))
        reference = facts.reference_table
        if "reference" in options.parts and reference is not None and len(reference):
            given, own = (facts.reference, facts.n_referred), columns("reference")
            words = f"{given[0]}, which was named beforehand, against every other candidate: "
            words += _compared(facts, own, "it − candidate", *given)
            tables.append(table("reference", reference, words))
        if "pairs" in options.parts and facts.has_rivals:
            _check_pairs(facts.comparison.scores.n_candidates)
            words = _compared(facts, columns("pairs"), "first − second", "the first")
            tables.append(table("pairs", facts.comparison.frequentist(), f"All pairs: {words}"))
        return tables

    def blocks(self) -> Iterator[Block]:
        """Everything except pictures, in order."""
        yield from self.opening()
        for facts in self.facts:
            own: list[Block] = [*self.paragraphs_of(facts), *self.tables_of(facts)]
            if self.several and own:
                yield Heading(facts.metric)
            yield from own

    @property
    def cites(self) -> bool:
        """Whether to cite the works for the methods."""
        return self.options.cite is not None

    @cached_property
    def bibtex(self) -> str:
        """BibTeX entries for the methods in the requested parts."""
        return _bibliography.bibtex(self._works())

    def _works(self) -> list[str]:
        keys = _prose.works(self.facts) if self.has("prose") else []
        for facts in self.facts:
            if not facts.tested:
                continue
            test = [*facts.settings.test.works, *facts.settings.adjustment.works]
            columns = {k: names for k, names in self.options.columns.items() if self.has(k)}
            if "ranking" in columns:
                ranking = columns["ranking"]
                keys += facts.settings.test.works
                keys += _bibliography.POSSIBLY_BEST if "possibly_best" in ranking else ()
                # Letters follow from the adjusted verdicts.
                if facts.lettered and "letters" in ranking:
                    keys += [*facts.settings.adjustment.works, *_bibliography.LETTERS]
            if {"leader", "reference", "pairs"} & set(columns) or self.has("metrics"):
                keys += test
            if set(POSTERIORS) & set(columns.get("leader", ())) or self.has("pictures"):
                keys += [*_bibliography.POSTERIOR, *_bibliography.ROPE]
        return keys


class DatasetsDocument(Document):
    """The facts of a comparison over data sets, and the parts to report."""

    facts: list[_facts.DatasetsFacts]

    @property
    def title(self) -> str:
        """The numbers of models and data sets, and the metric."""
        own = self.facts[0].comparison
        n_models, n = count(own.n_models, "model"), count(own.n_datasets, "data set")
        return f"{n_models} over {n} by {own.metric}"

    def has(self, part: str) -> bool:
        """Whether this part was requested, and exists for data sets."""
        return part in self.options.parts and part not in ("metrics", "pictures")

    def opening(self) -> list[str | ReportTable]:
        """The paragraph on the methods."""
        return [_prose.datasets_methods(self.facts[0])] if self.has("prose") else []

    def paragraphs_of(self, facts: _facts.DatasetsFacts) -> list[str]:
        """Results, and remarks for the author."""
        found = [_prose.datasets_findings(facts)] if self.has("prose") else []
        return [*found, *(_prose.datasets_remarks(facts) if self.has("remarks") else [])]

    def tables_of(self, facts: _facts.DatasetsFacts) -> list[ReportTable]:
        """The requested tables."""
        own, options, found = facts.comparison, self.options, []
        if "ranking" in options.parts:
            caption = (
                f"Mean ranks over {count(own.n_datasets, 'data set')} (1 is the best, ties share "
                f"their mean rank), mean and median {own.metric}, and the number of data sets on "
                "which no other model is better."
            )
            found.append(("ranking", own.ranking(), caption))
        if "leader" in options.parts:
            words = f"The leader, {own.leader}, against every other model: "
            caption = words + _over_datasets(facts, "leader − model", posteriors=True)
            found.append(("leader", own.against(), caption))
        table = facts.reference_table
        if table is not None and "reference" in options.parts:
            words = f"{facts.reference}, which was named beforehand, against every other model"
            n_tests = count(own.n_models - 1, "test")
            caption = f"{words}: {_over_datasets(facts, 'it − model', family=n_tests)}"
            found.append(("reference", table, caption))
        if "pairs" in options.parts:
            _check_pairs(own.n_models)
            caption = f"All pairs: {_over_datasets(facts, 'first − second')}"
            found.append(("pairs", own.frequentist(), caption))
        return [
            _captioned(_table(name, facts, rows, DATASETS_COLUMNS[name], caption), options)
            for name, rows, caption in found
        ]

    def _works(self) -> list[str]:
        return [*_prose.datasets_works(self.facts[0].comparison), *_bibliography.SIGNED_RANK]


_MOST_PAIRS = 500

# The leader's verdict on a candidate → the mark of the candidate.
_MARKS = {"better": "−", "worse": "+", "equivalent": "=", "undecided": "?", "missing": "×"}


def metrics_table(all_facts: list[_facts.Facts], options: "Options") -> ReportTable:
    """Mean, its standard error and verdict of every candidate by each metric, best means bold."""
    labels = all_facts[0].ranking["label"].tolist()
    header, aligns = ["candidate"], "l"
    cells: list[list[str]] = [[label] for label in labels]
    values: list[list[Any]] = [[label] for label in labels]
    bold = set()
    for facts in all_facts:
        column = len(header)
        header, aligns = [*header, facts.metric, ""], aligns + "rl"
        ranking = {row.label: row for row in facts.ranking.itertuples()}
        verdicts = facts.leader_table.set_index("model_2")["verdict"]
        for row, label in enumerate(labels):
            mean, std_err, rank = (getattr(ranking[label], k) for k in ("mean", "std_err", "rank"))
            # Ties share a rank, and a failed candidate has none.
            best = not np.isnan(mean) and rank == 1
            mark = "*" if best else _MARKS.get(str(verdicts.get(label, "")), "×")
            words = _facts.number(mean, facts.decimals)
            if not np.isnan(std_err):
                words += f" ± {_facts.number(std_err, facts.decimals)}"
            cells[row] += [words, mark]
            values[row] += [mean, mark]
            if best:
                bold.add((row, column))
    metrics = _facts.listed([facts.metric for facts in all_facts], most=len(all_facts))
    caption = metrics_caption(all_facts)
    table = ReportTable("metrics", metrics, header, aligns, cells, values, caption, frozenset(bold))
    return _captioned(table, options)


def _captioned(table: ReportTable, options: "Options", several: bool = False) -> ReportTable:
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


def _check_pairs(n_candidates: int) -> None:
    # Pairs of failed candidates have rows as well.
    n = n_candidates * (n_candidates - 1) // 2
    if n > _MOST_PAIRS:
        raise ValueError(
            f"`parts` can have 'pairs' where there are at most {_MOST_PAIRS} of them; got {n:,} "
            "pairs. `frequentist()` has them all."
        )


def _table(
    name: str, facts: Any, rows: pd.DataFrame, columns: "Mapping[str, Column]", caption: str
) -> ReportTable:
    """The table of these rows with these columns."""
    cells: list[list[str]] = []
    values: list[list[Any]] = []
    aligns = "".join(column.align for column in columns.values())
    for record in rows[list(columns)].itertuples(index=False, name=None):
        words = [c.words(v, facts) for c, v in zip(columns.values(), record, strict=True)]
        cells.append(words)
        # Text sorts by what is shown.
        values.append([w if a == "l" else v for a, v, w in zip(aligns, record, words, strict=True)])
    return ReportTable(
        name,
        facts.metric,
        [column.header for column in columns.values()],
        aligns,
        cells,
        values,
        caption,
        labels=frozenset(k for k, key in enumerate(columns) if key in LABELS),
    )


@dataclass(frozen=True)
class Column:
    """A column: its heading, alignment "l" for text or "r" for numbers, and text of a value."""

    header: str
    align: str
    words: Callable[[Any, Any], str]


def _score(value: Any, facts: _facts.AnyFacts) -> str:
    return _facts.number(value, facts.decimals)


def _difference(value: Any, facts: _facts.AnyFacts) -> str:
    return _facts.number(value, facts.difference_decimals)


def _p(value: Any, facts: _facts.AnyFacts) -> str:
    return _facts.p_value(value, facts.comparison.alpha).removeprefix("= ")


def _probability(value: Any, facts: _facts.AnyFacts) -> str:
    return _facts.number(value, 3)


def _text(value: Any, facts: _facts.AnyFacts) -> str:
    return str(value)


def _verdict_on_pair(value: Any, facts: _facts.AnyFacts) -> str:
    # Both candidates have a column here; it does not matter which is the leader.
    return {"better": "first better", "worse": "second better"}.get(str(value), str(value))


RANKING: Mapping[str, Column] = {
    # A failed candidate has no rank.
    "rank": Column("rank", "r", lambda rank, facts: "–" if np.isnan(rank) else f"{rank:.0f}"),
    "label": Column("candidate", "l", _text),
    "mean": Column("mean", "r", _score),
    "std_err": Column("std. err.", "r", _score),
    "ci_low": Column("low", "r", _score),
    "ci_high": Column("high", "r", _score),
    "possibly_best": Column("best?", "l", lambda best, facts: "*" if best else ""),
    "letters": Column("letters", "l", _text),
}

_TESTS: Mapping[str, Column] = {
    "mean_diff": Column("difference", "r", _difference),
    "std_err": Column("std. err.", "r", _difference),
    "t_stat": Column("t", "r", lambda t, facts: _facts.number(t, 2)),
    "p_unadjusted": Column("unadj. p", "r", _p),
    "p_val": Column("p", "r", _p),
    "ci_low": Column("low", "r", _difference),
    "ci_high": Column("high", "r", _difference),
}

LEADER: Mapping[str, Column] = {
    "model_1": Column("leader", "l", _text),
    "model_2": Column("candidate", "l", _text),
    **_TESTS,
    "worse_prob": Column("P(worse)", "r", _probability),
    "rope_prob": Column("P(equiv.)", "r", _probability),
    "better_prob": Column("P(better)", "r", _probability),
    "verdict": Column("verdict", "l", lambda v, facts: verdict_words(str(v))),
}

REFERENCE: Mapping[str, Column] = {
    **LEADER,
    "model_1": Column("reference", "l", _text),
    "verdict": Column("verdict", "l", lambda v, facts: verdict_words(str(v), "reference")),
}

PAIRS: Mapping[str, Column] = {
    "model_1": Column("first", "l", _text),
    "model_2": Column("second", "l", _text),
    **_TESTS,
    "verdict": Column("verdict", "l", _verdict_on_pair),
}

COLUMNS: Mapping[str, Mapping[str, Column]] = {
    "ranking": RANKING,
    "leader": LEADER,
    "reference": REFERENCE,
    "pairs": PAIRS,
}
"""Table → all available columns."""

_MODEL = Column("model", "l", _text)

_OVER_DATASETS: Mapping[str, Column] = {
    "mean_diff": _TESTS["mean_diff"],
    "median_diff": Column("median", "r", _difference),
    **{key: _TESTS[key] for key in ("ci_low", "ci_high", "p_val")},
}

DATASETS_COLUMNS: Mapping[str, Mapping[str, Column]] = {
    "ranking": {
        "rank": RANKING["rank"],
        "label": _MODEL,
        "mean_rank": Column("mean rank", "r", lambda rank, facts: _facts.number(rank, 2)),
        "mean": RANKING["mean"],
        "median": Column("median", "r", _score),
        "n_best": Column("best on", "r", lambda n, facts: f"{n:d}"),
    },
    "leader": {
        "model_2": _MODEL,
        **_OVER_DATASETS,
        **{key: LEADER[key] for key in ("worse_prob", "rope_prob", "better_prob", "verdict")},
    },
    "reference": {"model_2": _MODEL, **_OVER_DATASETS, "verdict": REFERENCE["verdict"]},
    "pairs": {
        "model_1": PAIRS["model_1"],
        "model_2": PAIRS["model_2"],
        **_OVER_DATASETS,
        "verdict": PAIRS["verdict"],
    },
}
"""Table of a comparison over data sets → its columns."""

_TESTED = ("mean_diff", "ci_low", "ci_high", "p_val")

POSTERIORS = ("worse_prob", "rope_prob", "better_prob")

DEFAULTS: Mapping[str, tuple[str, ...]] = {
    "ranking": tuple(RANKING),
    "leader": ("model_2", *_TESTED, *POSTERIORS, "verdict"),
    "reference": ("model_2", *_TESTED, *POSTERIORS, "verdict"),
    "pairs": ("model_1", "model_2", *_TESTED, "verdict"),
}
"""Table → its default columns."""

LABELS = frozenset({"label", "model_1", "model_2"})
"""Columns of candidates' labels. A table always has those of its default columns."""


def ranking_caption(facts: _facts.Facts, columns: Collection[str]) -> str:
    """Caption of the ranking with these columns."""
    shown = []
    if "std_err" in columns:
        shown.append(f"{facts.settings.test.std_err_words}s")
    if {"ci_low", "ci_high"} & set(columns):
        shown.append(f"{_facts.level(facts)} intervals, each by itself and not adjusted")
    with_shown = f", with {_facts.listed(shown, most=len(shown))}" if shown else ""
    caption = f"Candidates by mean {facts.metric}{with_shown}."
    if "possibly_best" in columns:
        caption += (
            " Those with a * may be the best (Hsu's multiple comparisons with the best"
            f"{_facts.cited(_bibliography.POSSIBLY_BEST)}, {_facts.alpha_words(facts)})."
        )
    if "letters" in columns:
        caption += (
            " Candidates that share a letter are not separated (undecided or practically "
            f"equivalent) by {_p_values(facts)}{_facts.cited(_bibliography.LETTERS)}."
        )
        if facts.comparison.scores.n_available > _facts.LETTERED:
            caption += f" Letters are given to the best {_facts.LETTERED}."
    elif facts.letters_left_out:
        caption += " Letters are left out: they would be too many, or take too long."
    return caption


def metrics_caption(all_facts: list[_facts.Facts]) -> str:
    """Caption of the table of several metrics, or of one."""
    several = len(all_facts) > 1
    metrics = _facts.listed([facts.metric for facts in all_facts], most=len(all_facts))
    # Comparisons by several metrics may use different tests.
    errors = dict.fromkeys(facts.settings.test.std_err_words for facts in all_facts)
    caption = (
        f"Mean {metrics} of every candidate ± {' or '.join(errors)}. Marks tell how it stands"
        f"{' by that metric' if several else ''}: * the best mean (bold); against that, − worse, "
        "= practically equivalent, ? undecided, × missing."
    )
    tested = [facts for facts in all_facts if facts.tested]
    families = dict.fromkeys(_p_values(facts) for facts in tested)
    if len(families) == 1:
        within = " within each metric" if several else ""
        caption += f" The marks come from {next(iter(families))}{within}."
    elif families:
        by = "; ".join(f"by {facts.metric}, {_p_values(facts)}" for facts in tested)
        caption += f" The marks come from: {by}."
    return caption


def _compared(
    facts: _facts.Facts,
    columns: Collection[str],
    difference: str,
    first: str,
    n_tests: int | None = None,
) -> str:
    works = _facts.cited((*_bibliography.POSTERIOR, *_bibliography.ROPE))
    posteriors = (
        f"posterior probabilities{works}, not adjusted, that {first} is worse, practically "
        "equivalent or better"
    )
    words = (
        ({"mean_diff"}, f"difference in mean {facts.metric} ({difference})"),
        ({"std_err"}, f"its {facts.settings.test.std_err_words}"),
        ({"ci_low", "ci_high"}, _facts.interval_words(facts, n_tests)),
        ({"t_stat"}, _facts.with_symbols("t-statistic")),
        ({"p_unadjusted"}, _facts.with_symbols("two-sided p-value, not adjusted")),
        ({"p_val"}, _p_values(facts, n_tests)),
        ({*POSTERIORS}, posteriors),
        ({"verdict"}, f"verdict at {_facts.alpha_words(facts)}"),
    )
    shown = [said for names, said in words if names & set(columns)]
    caption = f"{'; '.join(shown)}."
    if {*POSTERIORS, "verdict"} & set(columns):
        caption += f" The region of practical equivalence is {_facts.rope_words(facts)}."
    return caption


def _over_datasets(
    facts: _facts.DatasetsFacts, difference: str, *, posteriors: bool = False, family: str = ""
) -> str:
    own = facts.comparison
    of_table = f"adjusted for the {family} of this table"
    p_values = of_table if family else _prose.datasets_adjusted(own)
    # The family of a reference is tested two-sided.
    alternative = "two-sided" if family else own._settings.alternative
    sided = "two-sided" if alternative == "two-sided" else f"one-sided ({alternative})"
    is_joint = ADJUSTMENTS[own._settings.p_adjust_of_others].simultaneous
    joint = "simultaneous " if is_joint and own.n_models > 2 else ""
    caption = (
        f"mean difference in {own.metric} ({difference}); pseudo-median with its "
        f"{joint}{_facts.level(facts)} interval; {sided} p-value of {own._settings.row.words}, "
        f"{p_values}"
    )
    if posteriors:
        caption += (
            "; posterior probabilities by the Bayesian signed-rank "
            f"test{_facts.cited(_bibliography.SIGNED_RANK)}, not adjusted, that the first is "
            "mostly worse, equivalent or better"
        )
    rope = f"the region of practical equivalence, {_facts.rope_words(facts)}"
    return f"{_facts.with_symbols(caption)}; with {rope}."


def _p_values(facts: _facts.Facts, n_tests: int | None = None) -> str:
    return _facts.with_symbols(f"two-sided p-values {_facts.adjusted(facts, n_tests)}")


PARTS = ("prose", "remarks", "metrics", "ranking", "leader", "reference", "pairs", "pictures")
"""Every part of a report, in order."""

# There may be hundreds of pairs.
_USUAL = tuple(part for part in PARTS if part != "pairs")

_TABLES = ("metrics", *COLUMNS)

_LATEX_TABLES = ("booktabs", "siunitx", "plain")

_LATEX_WIDTHS = ("column", "page")

_MOST_DIGITS = 15  # precision of a float


@dataclass
class Options:
    """The arguments of `report`, which documents them; an error names an invalid one."""

    digits: int | None
    caption: Any
    label: str | None
    parts: Any
    cite: str | None
    latex_tables: str
    latex_width: str
    columns: Any

    def __post_init__(self) -> None:
        if self.digits is not None:
            self.digits = checks.check_count("digits", self.digits, least=0, most=_MOST_DIGITS)
        self.captions: dict[str, str] = {}
        if isinstance(self.caption, Mapping):
            for table, words in self.caption.items():
                checks.check_option("caption", table, _TABLES)
                self.captions[table] = checks.check_text(f"caption[{table!r}]", words)
            self.caption = ""
        if self.label is not None and not re.fullmatch(
            r"[A-Za-z0-9:._+/-]+", checks.check_text("label", self.label)
        ):
            raise ValueError(
                "`label` must be ASCII letters, digits and any of : . _ + / -, as LaTeX reads it; "
                f"got {checks.shown(self.label)}."
            )
        self.parts_chosen = self.parts is not None
        # A single part may be given by its name.
        given = [self.parts] if isinstance(self.parts, str) else self.parts
        self.parts = (
            checks.check_listed("parts", given, "names of parts") if self.parts_chosen else _USUAL
        )
        for part in self.parts:
            checks.check_option("parts", part, PARTS)
        self.caption = "" if self.caption is None else checks.check_text("caption", self.caption)
        checks.check_option("cite", self.cite, (None, "bibtex"))
        checks.check_option("latex_tables", self.latex_tables, _LATEX_TABLES)
        checks.check_option("latex_width", self.latex_width, _LATEX_WIDTHS)
        self.columns = _checked_columns(self.columns)


def _checked_columns(columns: Any) -> Mapping[str, tuple[str, ...]]:
    """The columns of every table: the chosen ones, each once, or the default."""
    if columns is None:
        return DEFAULTS
    if not isinstance(columns, Mapping):
        raise TypeError(
            "`columns` must be a mapping of tables to names of columns, such as "
            f'{{"leader": ["mean_diff", "p_val"]}}; got {checks.shown(columns)}.'
        )
    found = dict(DEFAULTS)
    for table, names in columns.items():
        checks.check_option("columns", table, COLUMNS)
        option = f"columns[{table!r}]"
        chosen = checks.check_listed(option, names, "names of columns")
        for name in chosen:
            checks.check_option(option, name, COLUMNS[table])
        # Names of candidates come first, unless they were given a place.
        left_out = [name for name in DEFAULTS[table] if name in LABELS and name not in chosen]
        found[table] = tuple(dict.fromkeys([*left_out, *chosen]))
    return found
