"""A report on several data sets before its layout: headings, paragraphs and tables in order."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import count
from sklearn_stats_compare.comparison import verdict_words
from sklearn_stats_compare.datasets import DatasetsComparison, strained_datasets
from sklearn_stats_compare.reports._bibliography import SIGNED_RANK, bibtex
from sklearn_stats_compare.reports._datasets_prose import (
    adjusted,
    findings,
    level,
    methods,
    remarks,
    rope_words,
    works,
)
from sklearn_stats_compare.reports._report_options import Options
from sklearn_stats_compare.reports._report_tables import ReportTable
from sklearn_stats_compare.reports._spans import cited, with_symbols
from sklearn_stats_compare.reports._words import number, p_value

_MOST_PAIRS = 500


@dataclass(frozen=True, eq=False)
class DatasetsDocument:
    """A comparison over data sets, and the parts to report."""

    comparison: DatasetsComparison
    options: Options
    reference: int | str | None = None

    @property
    def several(self) -> bool:
        """Whether there is more than one metric."""
        return False

    @property
    def title(self) -> str:
        """The numbers of models and data sets, and the metric."""
        own = self.comparison
        n_models, n = count(own.n_models, "model"), count(own.n_datasets, "data set")
        return f"{n_models} over {n} by {own.metric}"

    @property
    def cites(self) -> bool:
        """Whether to cite the works for the methods."""
        return self.options.cite is not None

    @cached_property
    def bibtex(self) -> str:
        """BibTeX entries for the methods."""
        return bibtex([*works(self.comparison), *SIGNED_RANK])

    def has(self, part: str) -> bool:
        """Whether this part was requested."""
        return part in self.options.parts

    @cached_property
    def strained(self) -> list[str]:
        """Sentences on what strains the tests."""
        return strained_datasets(self.comparison.values, self.comparison.settings)

    @cached_property
    def paragraphs(self) -> list[str]:
        """Methods and results, and remarks for the author."""
        prose = [methods(self.comparison), findings(self.comparison)] if self.has("prose") else []
        return [*prose, *(remarks(self.comparison, self.strained) if self.has("remarks") else [])]

    def blocks(self) -> Iterator[str | ReportTable]:
        """Everything except pictures, in order."""
        yield from self.paragraphs
        yield from self.tables

    @cached_property
    def tables(self) -> list[ReportTable]:
        """The requested tables."""
        own, found = self.comparison, []
        if self.has("ranking"):
            found.append(self._table("ranking", own.ranking, _RANKING, self._of_ranking()))
        if self.has("leader"):
            table = own.leader_table
            words = f"The leader, {own.leader}, against every other model: "
            caption = words + self._of_tests("leader − model", posteriors=True)
            found.append(self._table("leader", table, _LEADER, caption))
        if self.reference is not None and self.has("reference"):
            table = own.against(self.reference)
            name = str(table["model_1"].iloc[0])
            words = f"{name}, which was named beforehand, against every other model: "
            n_tests = count(own.n_models - 1, "test")
            caption = words + self._of_tests("it − model", family=n_tests)
            found.append(self._table("reference", table, _REFERENCE, caption))
        if self.has("pairs"):
            n_pairs = own.n_models * (own.n_models - 1) // 2
            if n_pairs > _MOST_PAIRS:
                raise ValueError(
                    f"`parts` can have 'pairs' where there are at most {_MOST_PAIRS} of them; got "
                    f"{n_pairs:,} pairs. `pairwise_frequentist` has them all."
                )
            caption = "All pairs: " + self._of_tests("first − second")
            found.append(self._table("pairs", own.pairwise_frequentist, _PAIRS, caption))
        return found

    def _of_ranking(self) -> str:
        own = self.comparison
        return (
            f"Mean ranks over {count(own.n_datasets, 'data set')} (1 is the best, ties share their "
            f"mean rank), mean and median {own.metric}, and the number of data sets on which no "
            "other model is better."
        )

    def _of_tests(self, difference: str, *, posteriors: bool = False, family: str = "") -> str:
        own = self.comparison
        p_values = adjusted(own)
        if family:
            p_values = f"adjusted for the {family} of this table"
        # The family of a reference is tested two-sided.
        alternative = "two-sided" if family else own.settings.alternative
        sided = "two-sided" if alternative == "two-sided" else f"one-sided ({alternative})"
        parts = [
            f"mean difference in {own.metric} ({difference}); pseudo-median with its {level(own)} "
            f"interval; {sided} p-value of {own.settings.row.words}, {p_values}"
        ]
        if posteriors:
            parts.append(
                f"posterior probabilities by the Bayesian signed-rank test{cited(SIGNED_RANK)}, "
                "not adjusted, that the first is mostly worse, equivalent or better"
            )
        return with_symbols("; ".join(parts)) + f"; with {rope_words(own)}."

    def _table(
        self, name: str, rows: pd.DataFrame, columns: "Mapping[str, _Column]", caption: str
    ) -> ReportTable:
        decimals = self.options.digits if self.options.digits is not None else 4
        alpha = self.comparison.alpha
        cells, values = [], []
        records: Any = rows[list(columns)].itertuples(index=False, name=None)
        for record in records:
            words = [
                c.words(v, decimals, alpha) for c, v in zip(columns.values(), record, strict=True)
            ]
            cells.append(words)
            values.append(
                [v if c.align == "r" else w
                 for c, v, w in zip(columns.values(), record, words, strict=True)]
            )  # fmt: skip
        caption = self.options.captions.get(name) or f"{self.options.caption} {caption}".strip()
        return ReportTable(
            name,
            self.comparison.metric,
            [column.header for column in columns.values()],
            "".join(column.align for column in columns.values()),
            cells,
            values,
            caption.replace("{metric}", self.comparison.metric),
            labels=frozenset(
                k for k, c in enumerate(columns) if c in ("label", "model_1", "model_2")
            ),
        )


@dataclass(frozen=True)
class _Column:
    """A column: heading, alignment, and the text of a value with these decimals and alpha."""

    header: str
    align: str
    words: Callable[[Any, int, float], str]


def _text(value: Any, decimals: int, alpha: float) -> str:
    return str(value)


def _score(value: Any, decimals: int, alpha: float) -> str:
    return number(float(value), decimals)


def _p(value: Any, decimals: int, alpha: float) -> str:
    return p_value(value, alpha).removeprefix("= ")


def _probability(value: Any, decimals: int, alpha: float) -> str:
    return number(value, 3)


def _verdict(role: str) -> "Callable[[Any, int, float], str]":
    return lambda value, decimals, alpha: verdict_words(str(value), role)


def _verdict_on_pair(value: Any, decimals: int, alpha: float) -> str:
    return {"better": "first better", "worse": "second better"}.get(str(value), str(value))


_RANKING = {
    "rank": _Column("rank", "r", lambda value, decimals, alpha: f"{value:d}"),
    "label": _Column("model", "l", _text),
    "mean_rank": _Column("mean rank", "r", lambda value, decimals, alpha: number(value, 2)),
    "mean": _Column("mean", "r", _score),
    "median": _Column("median", "r", _score),
    "n_best": _Column("best on", "r", lambda value, decimals, alpha: f"{value:d}"),
}
_TESTS = {
    "mean_diff": _Column("difference", "r", _score),
    "median_diff": _Column("median", "r", _score),
    "ci_low": _Column("low", "r", _score),
    "ci_high": _Column("high", "r", _score),
    "p_val": _Column("p", "r", _p),
}
_LEADER = {
    "model_2": _Column("model", "l", _text),
    **_TESTS,
    "worse_prob": _Column("P(worse)", "r", _probability),
    "rope_prob": _Column("P(equiv.)", "r", _probability),
    "better_prob": _Column("P(better)", "r", _probability),
    "verdict": _Column("verdict", "l", _verdict("leader")),
}
_REFERENCE = {
    "model_2": _Column("model", "l", _text),
    **_TESTS,
    "verdict": _Column("verdict", "l", _verdict("reference")),
}
_PAIRS = {
    "model_1": _Column("first", "l", _text),
    "model_2": _Column("second", "l", _text),
    **_TESTS,
    "verdict": _Column("verdict", "l", _verdict_on_pair),
}
