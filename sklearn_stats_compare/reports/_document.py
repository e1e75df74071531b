"""A report before it is laid out: facts and options → headings, paragraphs and tables in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sklearn_stats_compare._messages import count
from sklearn_stats_compare.reports._bibliography import (
    LETTERS,
    POSSIBLY_BEST,
    POSTERIOR,
    ROPE,
    bibtex,
)
from sklearn_stats_compare.reports._facts import Facts, all_facts
from sklearn_stats_compare.reports._prose import findings, methods, remarks, works
from sklearn_stats_compare.reports._report_options import Options
from sklearn_stats_compare.reports._report_tables import ReportTable, metrics_table, report_tables
from sklearn_stats_compare.reports._table_columns import POSTERIORS
from sklearn_stats_compare.reports._words import listed


@dataclass(frozen=True)
class Heading:
    """What the blocks below it are about."""

    text: str


Block = Heading | str | ReportTable
"""A heading, a paragraph or a table."""


@dataclass(frozen=True, eq=False)
class Document:
    """Facts of one metric or of several, and what to tell of them."""

    facts: list[Facts]
    options: Options

    @classmethod
    def of(cls, source: Any, options: Options, reference: int | str | None = None) -> "Document":
        """Of a comparison, a search, or a mapping of metrics to such."""
        return cls(all_facts(source, options.digits, reference), options)

    @property
    def several(self) -> bool:
        """Whether there is more than one metric."""
        return len(self.facts) > 1

    @property
    def title(self) -> str:
        """The candidates' number and the metrics."""
        scores = self.facts[0].comparison.scores
        metrics = listed([facts.metric for facts in self.facts], most=len(self.facts))
        return f"{count(scores.n_candidates, 'candidate')} by {metrics}"

    def has(self, part: str) -> bool:
        """Whether this part was asked for, or has something to add."""
        if part == "metrics" and not (self.several or self.options.parts_chosen):
            return False  # of one metric the ranking tells more
        return part in self.options.parts

    def opening(self) -> list[str | ReportTable]:
        """Blocks on all metrics together."""
        blocks: list[str | ReportTable] = list(methods(self.facts)) if self.has("prose") else []
        if self.has("metrics"):
            blocks.append(metrics_table(self.facts, self.options))
        return blocks

    def paragraphs_of(self, facts: Facts) -> list[str]:
        """Paragraphs on one metric."""
        first = facts is self.facts[0]
        told = findings(facts, several=self.several) if self.has("prose") else []
        return [*told, *(remarks(facts, first=first) if self.has("remarks") else [])]

    def tables_of(self, facts: Facts) -> list[ReportTable]:
        """The tables of one metric."""
        return report_tables(facts, self.options, several=self.several)

    def blocks(self) -> Iterator[Block]:
        """Everything that is no picture, in order."""
        yield from self.opening()
        for facts in self.facts:
            own: list[Block] = [*self.paragraphs_of(facts), *self.tables_of(facts)]
            if self.several and own:
                yield Heading(facts.metric)
            yield from own

    @property
    def cites(self) -> bool:
        """Whether the works behind the methods are cited."""
        return self.options.cite is not None

    @cached_property
    def bibtex(self) -> str:
        """BibTeX entries of the methods that the parts asked for use."""
        keys = works(self.facts) if self.has("prose") else []
        for facts in self.facts:
            if not facts.tested:
                continue
            test = [*facts.settings.test.works, *facts.settings.adjustment.works]
            columns = {k: names for k, names in self.options.columns.items() if self.has(k)}
            if "ranking" in columns:
                ranking = columns["ranking"]
                keys += facts.settings.test.works
                keys += POSSIBLY_BEST if "possibly_best" in ranking else ()
                # Letters follow from the adjusted verdicts.
                lettered = facts.lettered and "letters" in ranking
                keys += [*facts.settings.adjustment.works, *LETTERS] if lettered else ()
            if {"leader", "reference", "pairs"} & set(columns) or self.has("metrics"):
                keys += test
            if set(POSTERIORS) & set(columns.get("leader", ())) or self.has("pictures"):
                keys += [*POSTERIOR, *ROPE]
        return bibtex(keys)
