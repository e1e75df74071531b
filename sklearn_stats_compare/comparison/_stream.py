"""The maximum number of pairs in one table, and a stream of tables for more pairs."""

from collections.abc import Iterator

import pandas as pd

from sklearn_stats_compare.comparison._tables import (
    PairNames,
    bayesian_table,
    frequentist_table,
    streamed_table,
)
from sklearn_stats_compare.stats import CLOSED_FORM, Family, Settings, SplitScores

MOST_PAIRS = 20_000_000
"""Maximum of pairs in a table of all pairs; both tables then take 3 GB, with pandas 2 about 6."""


def too_many_pairs(scores: SplitScores) -> bool:
    """Whether a table of all pairs, those of missing candidates included, would be too large."""
    return _n_rows(scores) > MOST_PAIRS


def check_n_pairs(scores: SplitScores, p_adjust: str | None = None) -> None:
    """Raise ValueError if a table of all pairs would be too large, and name alternatives.

    `p_adjust` is the comparison's adjustment, which the alternatives would use.
    """
    if not too_many_pairs(scores):
        return
    # `leader_table` and `iter_pairs` would raise as well.
    one_by_one = ""
    if p_adjust not in CLOSED_FORM:
        one_by_one = (
            f" Under {p_adjust!r}, which needs every pair's p-value at once, use "
            'with_settings(p_adjust="bonferroni") for the first and the last.'
        )
    raise ValueError(
        f"`scores` must make at most {MOST_PAIRS:,} pairs for what needs all of them at once; got "
        f"{_n_rows(scores):,}, of {scores.n_candidates:,} candidates. Use `leader_table` for the "
        "leader against every other, `possibly_best()` for who may be the best, or "
        f"`iter_pairs(chunk_size)` for all pairs, some at a time.{one_by_one}"
    )


def check_streamable(p_adjust: str | None) -> None:
    """Raise ValueError if an adjustment needs all p-values, so that no chunk would be final."""
    if p_adjust in CLOSED_FORM:  # their p-values need the size of the family alone
        return
    raise ValueError(
        f"`p_adjust` must be one of {', '.join(map(repr, CLOSED_FORM))} where pairs are streamed, "
        f"as the other methods need every pair's p-value at once; got {p_adjust!r}. Use "
        'with_settings(p_adjust="bonferroni").'
    )


def pair_tables(
    scores: SplitScores,
    chunk_size: int,
    *,
    names: PairNames,
    settings: Settings,
) -> Iterator[pd.DataFrame]:
    """Both tables of all pairs as one, `chunk_size` rows at a time, numbered through."""
    start = 0
    for tests in settings.test.in_chunks(scores, chunk_size):
        probabilities = tests.rope_probabilities(settings.rope)
        # The family is that of `scores`, so that each chunk is adjusted for all pairs.
        family = Family(scores, tests, settings)
        frequentist = frequentist_table(family, probabilities, names=names)
        bayesian = bayesian_table(tests, probabilities, names=names, alpha=settings.alpha)
        yield streamed_table(frequentist, bayesian, start)
        start += len(frequentist)


def _n_rows(scores: SplitScores) -> int:
    # Pairs with a failed candidate have a row, "missing", but do not count in the family.
    return scores.n_candidates * (scores.n_candidates - 1) // 2
