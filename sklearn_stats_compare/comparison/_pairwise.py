"""Tests and posteriors of the pairs of a comparison.

Each function is a method of `Comparison`.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_count, check_probability, check_rng
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._rope import leader_mean, resolve_rope
from sklearn_stats_compare.comparison._stream import check_n_pairs, check_streamable, pair_tables
from sklearn_stats_compare.comparison._tables import (
    bayesian_table,
    frequentist_table,
    joined_table,
)
from sklearn_stats_compare.stats import (
    Family,
    PairTest,
    Posterior,
    pair_test,
)


class OfComparison(Enum):  # type checkers know an Enum of one member as a sentinel (PEP 484)
    """Default of `p_adjust`, where None already means no adjustment."""

    OWN = "the comparison's own"


OWN = OfComparison.OWN


def frequentist(
    self: Compared,
    *,
    alternative: str | None = None,
    p_adjust: str | OfComparison | None = OWN,
    test: str | PairTest | None = None,
    rng: Any = 0,
) -> pd.DataFrame:
    """Test every pair of candidates.

    Parameters
    ----------
    alternative : {"greater", "less", "two-sided"}, optional
        Alternative of `p_val` and `p_unadjusted`. Default: the comparison's.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, optional
        Correction for the number of pairs. Default: the comparison's.
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, optional
        Test of each pair. Default: the comparison's. "uncorrected_t" assumes independent splits and
        is only for teaching: with 10×10-fold cross-validation of equally good candidates it finds a
        "significant" difference in about half of all pairs. "samples" tests the differences of
        per-sample values, with n − 1 degrees of freedom. "5x2cv_t" (Dietterich) and "5x2cv_f"
        (Alpaydın) need five complementary halvings, such as RepeatedKFold(n_splits=2, n_repeats=5).
        Then ``t_stat`` is their statistic and ``std_err`` the denominator of t; there are no
        intervals and no verdict ``equivalent``, and the F-test has no direction. These tests have
        half the power of the corrected t over 10×10 folds, and the 5×2cv t depends on which split
        is first.
    rng : None, int or numpy.random.Generator, default=0
        Source of the 20,000 draws of "maxt"; the default makes tables reproducible.

    Returns
    -------
    DataFrame
        A row per pair, model_1 ranked before model_2, best pairs first, with the columns

        - ``model_1``, ``model_2``: labels, as categoricals in rank order;
        - ``mean_diff``: mean score of model_1 minus that of model_2, in score units;
        - ``std_err``: the corrected standard error of ``mean_diff``; ``t_stat``: the ratio of the
          two, with J − 1 degrees of freedom;
        - ``p_unadjusted``, ``p_val``: p-values for `alternative`, before and after the adjustment;
        - ``ci_low``, ``ci_high``: two-sided 1 − alpha interval of the difference: simultaneous over
          all pairs for "bonferroni", "sidak", "maxt" and "holm" (which has Bonferroni's intervals,
          so one may include 0 although the verdict decides), and for each pair separately
          otherwise. For candidates with the same score on every split it contains the differences
          that so few samples could have missed;
        - ``verdict``: better, worse, equivalent, undecided or missing. It is always two-sided, and
          adjusted like `p_val` (not adjusted with ``p_adjust=None``). A one-sided `p_val` below
          alpha may therefore occur with ``undecided``.

        Equivalence refers to the comparison's ROPE, in score units: if scores do not lie between 0
        and 1, `repr` shows its width relative to the leader's mean. A pair with a failed candidate
        is ``missing``, has NaN numbers and does not count in the family.

    Raises
    ------
    ValueError
        If an option is unknown, `rng` is not a valid source of draws, a 5×2cv test is used with
        other splits or with "maxt", or there are more than 20 million pairs: see `leader_table` and
        `iter_pairs`.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine
    Learning 52, 239–281. https://doi.org/10.1023/A:1024068626366

    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised
    classification learning algorithms. Neural Computation 10, 1895–1923.
    https://doi.org/10.1162/089976698300017197

    Alpaydın, E. (1999). Combined 5×2 cv F test for comparing supervised classification
    learning algorithms. Neural Computation 11, 1885–1892.
    https://doi.org/10.1162/089976699300016007
    """
    # A copy: other tables share the arrays of the columns.
    return frequentist_to_keep(
        self, alternative=alternative, p_adjust=p_adjust, test=test, rng=rng
    ).copy()


def frequentist_to_keep(
    self: Compared,
    *,
    alternative: str | None = None,
    p_adjust: str | OfComparison | None = OWN,
    test: str | PairTest | None = None,
    rng: Any = 0,
) -> pd.DataFrame:
    """The table of `frequentist`, read-only."""
    rng = check_rng(rng)
    own = self.settings
    test = own.test if test is None else pair_test(test)
    # Before any number: a 5×2cv test of other splits would return meaningless numbers.
    test.check_scores(self.scores)
    settings = dataclasses.replace(
        own,
        alternative=own.alternative if alternative is None else alternative,
        p_adjust=own.p_adjust if isinstance(p_adjust, OfComparison) else p_adjust,
        test=test,
    )
    if test == own.test:  # computed once for all tables, whatever their adjustment
        tests = self._all_pairs
        probabilities = self._probabilities if test.has_std_err else None
    else:
        check_n_pairs(self.scores, own.p_adjust)
        tests = test.all_pairs(self.scores)
        probabilities = tests.rope_probabilities(settings.rope) if test.has_std_err else None
    return frequentist_table(
        Family(self.scores, tests, settings, rng), probabilities, names=self._pair_names
    )


def bayesian(
    self: Compared, *, rope: float | tuple[float, float] | str | None = None
) -> pd.DataFrame:
    """Posterior probabilities of every pair of candidates.

    Parameters
    ----------
    rope : float, (float, float) or str, optional
        Region of practical equivalence, as for the class. Default: the comparison's.

    Returns
    -------
    DataFrame
        A row per pair, in the order of `frequentist`, with the columns

        - ``model_1``, ``model_2``: labels, as categoricals in rank order;
        - ``mean_diff``: mean score of model_1 minus that of model_2, in score units;
        - ``worse_prob``, ``better_prob``, ``rope_prob``: probability that model_1 is worse
          than model_2 by more than the ROPE allows, better by more, or neither;
        - ``verdict``: the one of the three with probability at least 1 − alpha, else ``undecided``.
          Probabilities are not adjusted for the number of pairs.

        The ROPE is in score units: if scores do not lie between 0 and 1, `repr` shows its width
        relative to the leader's mean.

    Raises
    ------
    ValueError
        If `rope` is none of these forms, or there are more than 20 million pairs: see
        `leader_table` and `iter_pairs`.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a
    tutorial for comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
    http://jmlr.org/papers/v18/16-305.html
    """
    return bayesian_to_keep(self, rope=rope).copy()  # as of `frequentist`


def bayesian_to_keep(
    self: Compared, *, rope: float | tuple[float, float] | str | None = None
) -> pd.DataFrame:
    """The table of `bayesian`, read-only."""
    self.settings.check_has_std_err("bayesian")
    tests = self._all_pairs
    if rope is None:
        probabilities = self._probabilities
    else:
        # "1%" is a share of the leader's mean, which becomes score units here.
        probabilities = tests.rope_probabilities(resolve_rope(rope, leader_mean(self.scores)))
    return bayesian_table(tests, probabilities, names=self._pair_names, alpha=self.settings.alpha)


def iter_pairs(self: Compared, chunk_size: int = 100_000) -> Iterator[pd.DataFrame]:
    """Stream both pairwise tables, some pairs at a time, for more pairs than memory holds.

    The pairs, their order and their numbers are those of `pairwise_frequentist` and
    `pairwise_bayesian`, to the last bit. Only the scores and one chunk are in memory.

    Parameters
    ----------
    chunk_size : int, default=100,000
        Maximum number of pairs in one table. A million pairs take about 0.25 GB.

    Returns
    -------
    iterator of DataFrame
        A row per pair, in the order of `frequentist`, with its columns, then ``worse_prob``,
        ``better_prob``, ``rope_prob`` and, from `bayesian`, ``bayesian_verdict``. Rows are numbered
        on from chunk to chunk, and every chunk has the same dtypes and categories, as a Parquet
        file requires. Without any pair there is one empty table.

    Raises
    ------
    ValueError
        If `chunk_size` is not a whole number ≥ 1, or `p_adjust` is not None, "bonferroni" or
        "sidak": the other methods need the p-values of all pairs first.

    Notes
    -----
    Two tables of 20 million pairs take about 3 GB (6 GB with pandas 2), and more pairs raise an
    error. A stream has no such bound. It computes every pair anew each time and keeps nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
    >>> scores = 0.8 + 0.02 * np.random.default_rng(0).standard_normal((200, 30))
    >>> comparison = Comparison(SplitScores(scores, SplitDesign([90] * 30, [10] * 30)))
    >>> sum(len(pairs) for pairs in comparison.iter_pairs(chunk_size=8_000))
    19900
    >>> largest = max(pairs["t_stat"].max() for pairs in comparison.iter_pairs())
    >>> print(round(largest, 2))
    2.44

    This is the largest of 19,900 t statistics among 200 candidates that differ by chance only.
    """
    # `pair_tables` is a generator, which would raise at the first chunk, not at the call.
    chunk_size = check_count("chunk_size", chunk_size)
    self.settings.check_has_std_err("iter_pairs")
    check_streamable(self.settings.p_adjust)
    return pair_tables(self.scores, chunk_size, names=self._pair_names, settings=self.settings)


def leader_table(self: Compared) -> pd.DataFrame:
    """The leader against every other candidate; see `Comparison.leader_table`."""
    settings = self.settings
    settings.check_has_std_err("leader_table")
    # These adjust a p-value by the family size alone: m − 1 tests instead of m(m − 1)/2.
    if settings.adjustment.closed_form:
        tests = settings.test.against_leader(self.scores)
        probabilities = tests.rope_probabilities(settings.rope)
        # The family size is that of all pairs, because the scores chose the leader.
        family = Family(self.scores, tests, settings)
        frequentist = frequentist_table(family, probabilities, names=self._pair_names)
        bayesian = bayesian_table(
            tests, probabilities, names=self._pair_names, alpha=settings.alpha
        )
    else:
        # In rank order the pairs of the leader come first.
        n_others = self.scores.n_candidates - 1
        frequentist = self._pairwise_frequentist.iloc[:n_others]
        bayesian = self._pairwise_bayesian.iloc[:n_others]
    return joined_table(frequentist, bayesian)


def posterior(self: Compared, i: int | str, j: int | str) -> Posterior:
    """Posterior of the mean difference, candidate `i` minus candidate `j`.

    Parameters
    ----------
    i, j : int or str
        Candidate indices (rows of ``cv_results_``) or labels.

    Returns
    -------
    Posterior
        With the comparison's ROPE. All NaN if a candidate failed. For two candidates with the same
        score on every split, it is that of models that agree on n samples, or a point mass at 0 if
        a score is beyond ±1; see the Notes of `Posterior`.

    Raises
    ------
    ValueError
        If there is no such candidate; the message lists the candidates.
    """
    self.settings.check_has_std_err("posterior")
    first, second = self._candidate_names.row(i, "i"), self._candidate_names.row(j, "j")
    tests = self.settings.test.against(self.scores, first, np.array([second]))
    return Posterior(
        df=np.ravel(tests.df)[0].item(),  # one for all pairs, or one each; J − 1 stays an int
        loc=float(tests.mean_diff[0]),
        scale=float(tests.std_err[0]),
        rope=self.settings.rope,
        n_agreed=tests.n_agreed if first != second else np.inf,
    )


def credible_intervals(
    self: Compared, i: int | str, j: int | str, levels: float | Sequence[float] = (0.5, 0.75, 0.95)
) -> pd.DataFrame:
    """Central credible intervals of the mean difference, candidate `i` minus candidate `j`.

    Parameters
    ----------
    i, j : int or str
        Candidate indices or labels.
    levels : float or sequence of float, default=(0.5, 0.75, 0.95)
        Probability of each interval, in (0, 1).

    Returns
    -------
    DataFrame
        A row per level with the columns ``level``, ``low``, ``high``, in score units.
    """
    # As objects: NumPy would turn True into 1.0 and "0.5" among numbers into text.
    several = np.atleast_1d(np.asarray(levels, dtype=object))
    checked = [check_probability("levels", level) for level in several]
    low, high = posterior(self, i, j).interval(np.array(checked))
    return pd.DataFrame({"level": checked, "low": low, "high": high})
