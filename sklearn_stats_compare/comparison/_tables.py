"""Scores and families of tests → the ranking and the pairwise tables."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare.comparison._verdicts import verdicts
from sklearn_stats_compare.stats import (
    Family,
    PairedTTests,
    RopeProbabilities,
    Settings,
    SplitScores,
    critical_value,
)

# From pandas 3 on, a shallow copy is copied on write.
_PANDAS = int(pd.__version__.partition(".")[0])

FREQUENTIST_COLUMNS = (
    "model_1",
    "model_2",
    "mean_diff",
    "std_err",
    "t_stat",
    "p_unadjusted",
    "p_val",
    "ci_low",
    "ci_high",
    "verdict",
)
BAYESIAN_COLUMNS = (
    "model_1",
    "model_2",
    "mean_diff",
    "worse_prob",
    "better_prob",
    "rope_prob",
    "verdict",
)


def frequentist_table(
    family: Family, probabilities: RopeProbabilities | None, *, names: "PairNames"
) -> pd.DataFrame:
    """The table of tests, a row per pair of `family`; nothing is rounded.

    `probabilities` are None if the test has no standard error; intervals are NaN then. The columns
    are the arrays of `family`, because copies take 0.7 GB for 5,000 candidates.
    """
    tests, alternative = family.tests, family.settings.alternative
    p_val = two_sided = family.pvalue(alternative) if alternative == "two-sided" else None
    # Before the other columns: it needs a few more arrays while it is computed.
    verdict = verdicts(*family.decisions(probabilities, two_sided), missing=names.missing(tests))
    if p_val is None:
        p_val = family.pvalue(alternative)
    half_width = family.half_width()
    ci_low = tests.mean_diff - half_width
    columns = (
        *names.of(tests),
        tests.mean_diff,
        tests.std_err,
        tests.statistic,
        tests.pvalue(alternative),
        p_val,
        ci_low,
        np.add(tests.mean_diff, half_width, out=half_width),
        verdict,
    )
    return pd.DataFrame(dict(zip(FREQUENTIST_COLUMNS, columns, strict=True)), copy=False)


def calibration_table(
    rows: Sequence[tuple[str, str, NDArray[np.float64], NDArray[np.float64]]],
) -> pd.DataFrame:
    """Simulated rates and their standard errors, a row per truth and dependence."""
    columns = ("any_false", "claimed", "equivalent", "undecided")
    errors = [f"{column}_se" for column in columns]
    records = [
        {"truth": truth, "dependence": dependence,
         **dict(zip(columns, rates, strict=True)), **dict(zip(errors, ses, strict=True))}
        for truth, dependence, rates, ses in rows
    ]  # fmt: skip
    return pd.DataFrame(records)


def bayesian_table(
    tests: PairedTTests, probabilities: RopeProbabilities, *, names: "PairNames", alpha: float
) -> pd.DataFrame:
    """The table of posterior probabilities, a row per pair of `tests`; nothing is rounded.

    The columns are the arrays of `tests` and `probabilities`, not copies.
    """
    enough = 1 - alpha
    columns = (
        *names.of(tests),
        tests.mean_diff,
        probabilities.worse,
        probabilities.better,
        probabilities.rope,
        verdicts(
            better=probabilities.better >= enough,
            worse=probabilities.worse >= enough,
            equivalent=probabilities.rope >= enough,
            missing=names.missing(tests),
        ),
    )
    return pd.DataFrame(dict(zip(BAYESIAN_COLUMNS, columns, strict=True)), copy=False)


def copy_to_return(kept: pd.DataFrame) -> pd.DataFrame:
    """A copy of a cached table; from pandas 3 on, it is copied on write."""
    return kept.copy(deep=_PANDAS < 3)


def streamed_table(frequentist: pd.DataFrame, bayesian: pd.DataFrame, start: int) -> pd.DataFrame:
    """Both tables of the same pairs as one, with both verdicts; rows numbered from `start`."""
    table = frequentist.copy(deep=False)  # the columns are shared: only new ones are added
    for column in BAYESIAN_COLUMNS:
        if column.endswith("_prob"):
            table[column] = bayesian[column]
    table["bayesian_verdict"] = bayesian["verdict"]
    # Not reset_index: it would copy every column of every chunk.
    table.index = pd.RangeIndex(start, start + len(table))
    return table


def joined_table(frequentist: pd.DataFrame, bayesian: pd.DataFrame) -> pd.DataFrame:
    """Both tables of the same pairs as one, with the verdict of the t-tests."""
    probabilities = [column for column in BAYESIAN_COLUMNS if column.endswith("_prob")]
    # The rows are the same pairs in the same order; concat aligns by index, which both share.
    return pd.concat(
        [
            frequentist[list(FREQUENTIST_COLUMNS[:-1])],
            bayesian[probabilities],
            frequentist[["verdict"]],
        ],
        axis=1,
    )


def ranking_table(scores: SplitScores, labels: Sequence[str], settings: Settings) -> pd.DataFrame:
    """Candidates in rank order with their means and marginal 1 − alpha intervals.

    `labels` are in rank order as well; the index is left to the caller.
    """
    order, test = scores.order, settings.test
    mean, std_err = scores.means[order], test.std_errs(scores)[order]
    critical = critical_value(None, alpha=settings.alpha, n_tests=1, df=test.df(scores))
    half_width = critical * std_err
    return pd.DataFrame(
        {
            # Int64, pandas' nullable integers: a failed candidate's rank is <NA>, not 7.0.
            "rank": pd.Series(mean).rank(method="min", ascending=False).astype("Int64").array,
            "label": list(labels),
            "mean": mean,
            "std_err": std_err,
            "ci_low": mean - half_width,
            "ci_high": mean + half_width,
        }
    )


class PairNames:
    """Candidates of pairs → labels, as categoricals whose categories are in rank order."""

    def __init__(
        self, labels: tuple[str, ...], order: NDArray[np.intp], missing: NDArray[np.bool_]
    ) -> None:
        self._categories = pd.CategoricalDtype([labels[i] for i in order])
        self._rank = np.empty_like(order)
        self._rank[order] = np.arange(len(order))
        self._missing = missing

    def of(self, tests: PairedTTests) -> tuple[pd.Categorical, pd.Categorical]:
        """Labels of the first and of the second candidate of each pair."""
        return self._labels(tests.first), self._labels(tests.second)

    def missing(self, tests: PairedTTests) -> NDArray[np.bool_]:
        """Whether a candidate of each pair is missing."""
        missing: NDArray[np.bool_] = self._missing[tests.first] | self._missing[tests.second]
        return missing

    def _labels(self, candidates: NDArray[np.intp]) -> pd.Categorical:
        # from_codes, with one dtype for all: a Categorical made from labels would hash millions of
        # them, and chunks of a stream would differ in their categories.
        return pd.Categorical.from_codes(self._rank[candidates], dtype=self._categories)
