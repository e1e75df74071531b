"""Ranking and tables of pairs of models over data sets.

Each public function but `ranking_of` and `leader_table` is a method of `DatasetsComparison`.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_interval, check_option, check_rng
from sklearn_stats_compare.comparison import OWN, OfComparison, verdicts
from sklearn_stats_compare.datasets._dataset_tests import PairTails
from sklearn_stats_compare.datasets._datasets_settings import DatasetsSettings
from sklearn_stats_compare.stats import (
    RopeProbabilities,
    bayesian_sign_test,
    bayesian_signed_rank_pairs,
    pseudo_medians,
)

_MOST_WALSH = 20_000_000
"""Walsh averages for which intervals of all pairs take about a second."""


def _by_signed_ranks(
    values: NDArray[np.float64], rope: tuple[float, float], rng: Any
) -> RopeProbabilities:
    return bayesian_signed_rank_pairs(values, rope, rng=rng).probabilities


def _by_signs(
    values: NDArray[np.float64], rope: tuple[float, float], rng: Any
) -> RopeProbabilities:
    pairs = zip(*np.triu_indices(len(values), 1), strict=True)
    found = [bayesian_sign_test(values[i] - values[j], rope).probabilities
             for i, j in pairs]  # fmt: skip
    return RopeProbabilities(*map(np.array, zip(*found, strict=True)))


_BAYESIAN = {"signed_rank": _by_signed_ranks, "sign": _by_signs}


def ranking_of(self: Any) -> pd.DataFrame:
    """The table of `DatasetsComparison.ranking`."""
    order, values = self.order, self.values
    mean_ranks = self.ranks.mean(axis=1)[order]
    best = (self.ranks == self.ranks.min(axis=0)).sum(axis=1)[order]
    return pd.DataFrame(
        {
            "rank": pd.Series(mean_ranks.round(12)).rank(method="min").astype(int).array,
            "label": [str(self.labels[row]) for row in order],
            "mean_rank": mean_ranks,
            "mean": values[order].mean(axis=1),
            "median": np.median(values[order], axis=1),
            "n_best": best,
        },
        index=pd.Index(order, name="model"),
    )


def frequentist(
    self: Any,
    *,
    test: str | None = None,
    zeros: str | None = None,
    alternative: str | None = None,
    p_adjust: str | OfComparison | None = OWN,
    intervals: bool | None = None,
) -> pd.DataFrame:
    """Test every pair of models over the data sets.

    Parameters
    ----------
    test : {"wilcoxon", "sign", "nemenyi"}, optional
        Test of each pair. Default: the comparison's.
    zeros : {"pratt", "wilcox", "zsplit"}, optional
        How the signed-rank test treats ties. Default: the comparison's.
    alternative : {"greater", "less", "two-sided"}, optional
        Alternative of `p_val` and `p_unadjusted`. Default: the comparison's. The scores decide
        which model of a pair is first, so a one-sided p-value is too small by up to a factor of
        two; verdicts are two-sided.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "shaffer"}, optional
        Correction for the number of pairs. Default: the comparison's. Nemenyi's test is adjusted
        already.
    intervals : bool, optional
        Whether to compute ``median_diff`` and its interval, which are NaN otherwise. Default: True
        if this takes at most 20 million means of two differences, such as 4,950 pairs on 89 data
        sets.

    Returns
    -------
    DataFrame
        A row per pair, model_1 ranked before model_2, best pairs first, with the columns

        - ``model_1``, ``model_2``: labels, as categoricals in rank order;
        - ``mean_diff``: mean over data sets of the score of model_1 minus that of model_2, in score
          units; ``median_diff``: Hodges and Lehmann's pseudo-median of the differences;
        - ``statistic``: z of the signed-rank test, wins minus losses, or z of the mean ranks;
          positive if model_1 is better;
        - ``p_unadjusted``, ``p_val``: p-values for `alternative`, before and after the adjustment;
        - ``ci_low``, ``ci_high``: two-sided 1 − alpha interval of the pseudo-median, by the
          signed-rank test: simultaneous over all pairs for "bonferroni", "sidak", "holm" and
          "shaffer" (the last two use Bonferroni's intervals), for each pair separately otherwise;
          infinite if there are too few data sets for the level;
        - ``verdict``: better, worse, equivalent or undecided. Always two-sided, and adjusted.
          ``equivalent``: two one-sided tests of the same kind, adjusted by the same method (Holm's
          for "shaffer"), place the difference inside the ROPE. Nemenyi's test has no equivalence.

    Raises
    ------
    ValueError
        If an option is unknown, or `alternative` is one-sided with Nemenyi's test or Shaffer's
        method.
    """
    own = self.settings
    settings = dataclasses.replace(
        own,
        test=own.test if test is None else test,
        zeros=own.zeros if zeros is None else zeros,
        alternative=own.alternative if alternative is None else alternative,
        p_adjust=own.p_adjust if isinstance(p_adjust, OfComparison) else p_adjust,
    )
    values = self.values[self.order]
    first, second = np.triu_indices(len(values), 1)

    def tails_at(shift: float) -> PairTails:
        return settings.row.tails(values, settings.zeros, shift)

    tails = tails_at(0.0)
    n = values.shape[1]
    if intervals is None:
        intervals = len(first) * n * (n + 1) // 2 <= _MOST_WALSH
    two_sided = settings.adjusted_for_all(tails.two_sided, len(values))
    p_unadjusted = of_alternative(tails, settings.alternative)
    p_val = two_sided
    if settings.alternative != "two-sided":
        p_val = settings.adjusted_for_all(p_unadjusted, len(values))
    return table_of(
        self,
        settings,
        (first, second),
        tails,
        p_unadjusted=p_unadjusted,
        p_val=p_val,
        two_sided=two_sided,
        equivalence=settings.adjusted(equivalence_pvalues(settings, tails_at, len(first))),
        intervals=intervals,
    )


def of_alternative(tails: PairTails, alternative: str) -> NDArray[np.float64]:
    """The p-values of one alternative."""
    found: NDArray[np.float64] = getattr(tails, alternative.replace("-", "_"))
    return found


def equivalence_pvalues(
    settings: DatasetsSettings, tails_at: Callable[[float], PairTails], n_pairs: int
) -> NDArray[np.float64]:
    """p-values of the two one-sided tests of each pair; 1 for a test without a ROPE.

    `tails_at` tests the pairs against a difference.
    """
    low, high = settings.rope
    if not settings.row.of_scores or low == high:
        return np.ones(n_pairs)
    return np.maximum(tails_at(low).greater, tails_at(high).less)


def table_of(
    self: Any,
    settings: DatasetsSettings,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    tails: PairTails,
    *,
    p_unadjusted: NDArray[np.float64],
    p_val: NDArray[np.float64],
    two_sided: NDArray[np.float64],
    equivalence: NDArray[np.float64],
    intervals: bool,
) -> pd.DataFrame:
    """The table of tests of some pairs, given by their places in rank order."""
    values = self.values[self.order]
    first, second = pairs
    n_tests = max(1, len(first))
    mean_diff = values[first].mean(axis=1) - values[second].mean(axis=1)
    middle = low = high = np.full(len(first), np.nan)
    if intervals and len(first):
        middle, low, high = pseudo_medians(values[first] - values[second], settings.tail(n_tests))
    decided = two_sided < settings.alpha
    return pd.DataFrame(
        {
            **pair_labels(self, pairs),
            "mean_diff": mean_diff,
            "median_diff": middle,
            "statistic": tails.statistic,
            "p_unadjusted": p_unadjusted,
            "p_val": p_val,
            "ci_low": low,
            "ci_high": high,
            "verdict": verdicts(
                better=decided & (tails.statistic > 0),
                worse=decided & (tails.statistic < 0),
                equivalent=equivalence < settings.alpha,
                missing=np.zeros(len(first), dtype=bool),
            ),
        }
    )


def pair_labels(
    self: Any, pairs: tuple[NDArray[np.intp], NDArray[np.intp]]
) -> dict[str, pd.Categorical]:
    """Labels of the models of pairs, given by their places in rank order."""
    categories = pd.CategoricalDtype([str(self.labels[row]) for row in self.order])
    return {
        name: pd.Categorical.from_codes(places, dtype=categories)
        for name, places in zip(("model_1", "model_2"), pairs, strict=True)
    }


def bayesian(
    self: Any,
    *,
    test: str = "signed_rank",
    rope: float | tuple[float, float] | None = None,
    rng: Any = 0,
) -> pd.DataFrame:
    """Posterior probabilities of every pair of models over the data sets.

    Parameters
    ----------
    test : {"signed_rank", "sign"}, default="signed_rank"
        Bayesian signed-rank test, or Bayesian sign test.
    rope : float or (float, float), optional
        Region of practical equivalence, in score units. Default: the comparison's.
    rng : None, int or numpy.random.Generator, default=0
        Source of the draws; the default makes tables reproducible.

    Returns
    -------
    DataFrame
        A row per pair, in the order of `frequentist`, with the columns

        - ``model_1``, ``model_2``: labels, as categoricals in rank order;
        - ``mean_diff``: mean over data sets of the difference, in score units;
        - ``worse_prob``, ``better_prob``, ``rope_prob``: probability that on data sets like these
          model_1 is mostly worse than model_2 by more than the ROPE allows, mostly better by more,
          or mostly neither;
        - ``verdict``: the one of the three with probability at least 1 − alpha, else ``undecided``.
          Probabilities are not adjusted for the number of pairs.

    Raises
    ------
    ValueError
        If `test` is unknown, `rope` is not a half-width or (low, high), or `rng` is not a valid
        source of draws.

    Notes
    -----
    "Mostly" refers to the means of two differences in the signed-rank test, and to differences in
    the sign test. A probability of 0.95 that model_1 is mostly better does not say how much better
    it is, and does not mean that it is better on 95 % of data sets.

    References
    ----------
    Benavoli, A., Corani, G., Mangili, F., Zaffalon, M. and Ruggeri, F. (2014). A Bayesian Wilcoxon
    signed-rank test based on the Dirichlet process. ICML 2014, PMLR 32(2), 1026–1034.
    http://proceedings.mlr.press/v32/benavoli14.html

    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial for
    comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
    http://jmlr.org/papers/v18/16-305.html
    """
    check_option("test", test, _BAYESIAN)
    check_rng(rng)
    bounds = self.settings.rope if rope is None else check_interval("rope", rope)
    values = self.values[self.order]
    found = _BAYESIAN[test](values, bounds, rng)
    pairs = np.triu_indices(len(values), 1)
    enough = 1 - self.settings.alpha
    return pd.DataFrame(
        {
            **pair_labels(self, pairs),
            "mean_diff": values[pairs[0]].mean(axis=1) - values[pairs[1]].mean(axis=1),
            "worse_prob": found.worse,
            "better_prob": found.better,
            "rope_prob": found.rope,
            "verdict": verdicts(
                better=found.better >= enough,
                worse=found.worse >= enough,
                equivalent=found.rope >= enough,
                missing=np.zeros(len(pairs[0]), dtype=bool),
            ),
        }
    )


def leader_table(self: Any) -> pd.DataFrame:
    """The leader against every other model; see `DatasetsComparison.leader_table`."""
    n_others = self.n_models - 1
    tests = self._pairwise_frequentist.iloc[:n_others]
    if tests["median_diff"].isna().all():  # there were too many pairs
        values = self.values[self.order]
        n_pairs = self.n_models * n_others // 2
        ends = pseudo_medians(values[0] - values[1:], self.settings.tail(n_pairs))
        tests = tests.assign(median_diff=ends.middle, ci_low=ends.low, ci_high=ends.high)
    return joined(tests, self._pairwise_bayesian.iloc[:n_others])


def joined(tests: pd.DataFrame, posterior: pd.DataFrame) -> pd.DataFrame:
    """Both tables of the same pairs as one, with the verdict of the tests."""
    probabilities = posterior[["worse_prob", "better_prob", "rope_prob"]]
    return pd.concat([tests.drop(columns="verdict"), probabilities, tests[["verdict"]]], axis=1)
