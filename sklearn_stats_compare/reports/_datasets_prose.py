"""A comparison over data sets → paragraphs for the methods and results of a paper."""

from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import count, level_words
from sklearn_stats_compare.datasets import DatasetsComparison
from sklearn_stats_compare.reports._bibliography import (
    FRIEDMAN,
)
from sklearn_stats_compare.reports._spans import cited, unbroken, with_symbols
from sklearn_stats_compare.reports._words import NAMED, listed, number, p_value
from sklearn_stats_compare.stats import ADJUSTMENTS

_SHAFFER = ("shaffer1986modified",)


def methods(comparison: DatasetsComparison) -> str:
    """A paragraph on the methods."""
    settings = comparison.settings
    n_models, n = comparison.n_models, comparison.n_datasets
    sentences = [
        f"{count(n_models, 'model')} were compared by {comparison.metric} over "
        f"{count(n, 'data set')}, each of which counts once"
        f"{', by the mean score over its splits' if comparison.comparisons else ''}.",
        comparison.note,
        f"Pairs of models were tested by {comparison.test_words}"
        f"{cited(settings.row.works)}; {_adjustment(comparison)}.",
    ]
    if settings.row.of_scores and settings.rope[0] < settings.rope[1]:
        sentences.append(
            "Two models count as practically equivalent where two one-sided tests of this kind "
            f"place their difference within {rope_words(comparison)}."
        )
    alpha = unbroken(f"alpha = {settings.alpha:g}")
    if settings.alternative == "two-sided":
        sentences.append(f"All {unbroken('p-values')} and verdicts are two-sided, with {alpha}.")
    else:
        sentences.append(
            f"{unbroken('p-values')} are one-sided ({settings.alternative}), and verdicts are "
            f"two-sided, with {alpha}."
        )
    return " ".join(filter(None, sentences))


def findings(comparison: DatasetsComparison) -> str:
    """A paragraph on the results."""
    friedman = comparison.friedman()
    ranking = comparison.ranking
    alpha = comparison.alpha
    f_df = ", ".join(map(str, friedman.f_df))
    unequal = "differ" if friedman.f_pvalue < alpha else "do not differ significantly"
    sentences = [
        f"The ranks of the models {unequal} (Friedman's test, Iman and Davenport's "
        + unbroken(f"F({f_df}) = {number(friedman.f_statistic, 2)}")
        + ", "
        + unbroken(f"p {p_value(friedman.f_pvalue, alpha)}")
        + f"; Kendall's W = {number(friedman.kendalls_w, 2)}){cited(FRIEDMAN)}.",
        f"{comparison.leader} has the best mean rank, {number(ranking['mean_rank'].iloc[0], 2)} "
        f"of {comparison.n_models}.",
        *_by_verdict(comparison, comparison.leader_table),
    ]
    if comparison.settings.row.of_scores:
        members = comparison.possibly_best()["label"].tolist()
        verb = "are" if len(members) > 1 else "is only"
        sentences.append(
            f"Possibly the best {verb} {listed(members)}: a given true best is left out with a "
            f"probability of at most {unbroken(f'{100 * alpha:g} %')}."
        )
    return " ".join(sentences)


def remarks(comparison: DatasetsComparison, strained: list[str]) -> list[str]:
    """Remarks for the author: what to do next, and what strains the tests."""
    return [f"Next: {comparison.next_step()}", *([" ".join(strained)] if strained else [])]


def works(comparison: DatasetsComparison) -> list[str]:
    """Keys of the works for the methods that the paragraphs name."""
    settings = comparison.settings
    return [*settings.row.works, *adjustment_works(comparison), *FRIEDMAN]


def adjustment_works(comparison: DatasetsComparison) -> tuple[str, ...]:
    """Keys of the works for the adjustment."""
    p_adjust = comparison.settings.p_adjust_used
    return _SHAFFER if p_adjust == "shaffer" else ADJUSTMENTS[p_adjust].works


def rope_words(comparison: DatasetsComparison) -> str:
    """The ROPE in score units."""
    low, high = comparison.rope_bounds
    if low == -high:
        return f"the region of practical equivalence, ±{high:.4g}"
    return f"the region of practical equivalence, {low:.4g} to {high:.4g}".replace("-", "−")


def adjusted(comparison: DatasetsComparison) -> str:
    """How p-values are adjusted, as ``"adjusted for 10 pairs by Holm's method"``."""
    n_pairs = comparison.n_models * (comparison.n_models - 1) // 2
    settings = comparison.settings
    if settings.row.adjusted:
        return "which are adjusted for all pairs by the test itself"
    if settings.p_adjust is None:
        return "not adjusted for the number of pairs"
    if settings.p_adjust == "shaffer":
        return f"adjusted for {count(n_pairs, 'pair')} by Shaffer's static method"
    return f"adjusted for {count(n_pairs, 'pair')} {ADJUSTMENTS[settings.p_adjust].prose}"


def level(comparison: DatasetsComparison) -> str:
    """The level of intervals, as ``"95 %"``."""
    return unbroken(level_words(comparison.alpha))


def _adjustment(comparison: DatasetsComparison) -> str:
    words = with_symbols(f"p-values were {adjusted(comparison)}".replace("were which are", "are"))
    return words + cited(adjustment_works(comparison))


def _by_verdict(comparison: DatasetsComparison, table: pd.DataFrame) -> list[str]:
    sentences = []
    for verdict, words in (
        ("better", "It is better than {}."),
        ("worse", "By the test of the pair it is worse than {}."),
        ("equivalent", "It is practically equivalent to {}."),
        (
            "undecided",
            "The data sets do not separate it from {}; that does not show that they are equal.",
        ),
    ):
        rows = table[table["verdict"] == verdict]
        if len(rows):
            sentences.append(words.format(_pairs(comparison, rows, verdict != "equivalent")))
    return sentences


def _pairs(comparison: DatasetsComparison, rows: pd.DataFrame, tested: bool) -> str:
    first_rows: Any = rows.head(NAMED).itertuples()
    items = []
    for row in first_rows:
        words = [f"mean difference {number(row.mean_diff, 4)}"]
        if tested:
            words.append(unbroken(f"p {p_value(row.p_val, comparison.alpha)}"))
        items.append(f"{row.model_2} ({', '.join(words)})")
    return listed(items, len(rows))
