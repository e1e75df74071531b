"""Comparison: everything that can be asked of the split scores of named candidates."""

import dataclasses
import html
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import InitVar, dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import (
    ALTERNATIVES,
    ComparisonWarning,
    check_count,
    check_flag,
    check_option,
    check_probability,
    check_rng,
    outside_level,
    visible,
)
from sklearn_stats_compare.comparison._assumptions import strained_assumptions
from sklearn_stats_compare.comparison._planning import DetectableDifferences
from sklearn_stats_compare.comparison._rope import check_rope
from sklearn_stats_compare.comparison._stream import check_n_pairs, check_streamable, pair_tables
from sklearn_stats_compare.comparison._tables import (
    PairNames,
    bayesian_table,
    calibration_table,
    five_by_two_table,
    frequentist_table,
    joined_table,
    ranking_table,
)
from sklearn_stats_compare.comparison._text import comparison_text, no_verdicts
from sklearn_stats_compare.stats import (
    CLOSED_FORM,
    P_ADJUST,
    Family,
    FiveByTwo,
    PairedTTests,
    Posterior,
    RopeProbabilities,
    SplitScores,
    VerdictRule,
    calibration,
    is_five_by_two,
    rope_probabilities,
)

TESTS = ("corrected_t", "uncorrected_t", "5x2cv_t", "5x2cv_f")
# A table of more pairs takes seconds, which a repr must not.
_QUICK_PAIRS: dict[str | None, int] = {"maxt": 20_000}
_QUICK_PAIRS_OTHERWISE = 500_000
_HTML_ROWS = 60
_MOST_SIMULATIONS = 10**7


class _Setting(Enum):
    """Stands for "as the comparison has it", where None means something else."""

    OWN = "the comparison's own"


_OWN = _Setting.OWN


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(DetectableDifferences):
    """Statistical comparison of candidates that were scored on the same splits of one data set.

    A fitted search makes one (``search.comparison_``). The tables are computed when they are
    first asked for, then kept.

    Parameters
    ----------
    scores : SplitScores
        Test scores, candidates × splits, higher is better, and the sizes of the splits.
    labels : sequence of str, optional
        A unique name for each candidate, in the order of `scores`. Default: made from `params`, or
        "0", "1", ….
    params : sequence of mappings, optional
        Parameters of each candidate.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Alternative of `p_val` and `p_unadjusted`, for the better-ranked candidate of a pair
        against the other. Verdicts and intervals are two-sided whatever it is: the scores
        themselves chose the direction, which makes a one-sided p-value up to two times too small.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, \
            default="bonferroni"
        How p-values are adjusted for the number of pairs. "maxt" draws from the joint null
        distribution of all t statistics: the least conservative that still bounds the chance of
        one false claim (to 5 to 6 % at a nominal 5 %, as measured), and the slowest. The covariance
        that it draws with is shrunk towards that of independent candidates, because few splits say
        little of how candidates correlate.
    rope : float, (float, float) or str, default=0.01
        Region of practical equivalence of a score difference: a half-width or (low, high), in
        score units, of model_1 − model_2, or a share of the leader's mean without its sign, such
        as ``"1%"``. The default is a convention for accuracies and other scores between 0 and 1;
        for others choose the largest difference that would not matter.
    alpha : float, default=0.05
        Level of verdicts and of intervals, in (0, 1).
    metric : str, default="score"
        Name of the score, for people to read.
    candidates : sequence of int, optional
        Index of each candidate where it comes from, such as its row in ``cv_results_``, for scores
        of some candidates only. Default: 0, 1, ….
    note : str, default=""
        A sentence on where the scores come from, shown with them.
    n_entered : int, optional
        Number of candidates that the leader was chosen from, where not all of them are compared, as
        after a race. Default: those that are.
    warn : bool, default=True
        Whether to give one `ComparisonWarning` where the splits strain the assumptions.

    Raises
    ------
    ValueError
        If an option is unknown or out of range, or labels are not unique.
    TypeError
        If `scores` are not SplitScores.

    Notes
    -----
    Verdicts are always of model_1 against model_2: ``better`` or ``worse`` where the adjusted
    two-sided p-value is below `alpha`; ``equivalent`` where two one-sided tests, adjusted alike,
    place the difference inside the ROPE, which goes before a difference that is real but too
    small to matter; ``undecided`` otherwise, which does not mean equal; ``missing`` where a
    candidate failed on any split. A one-sided `p_val` below `alpha` beside the verdict
    ``undecided`` is no contradiction: the verdict's p-value is two-sided.

    A difference that is the same on every split is worth as many equal signs as one repeat has
    splits: its two-sided p-value is 2^(1 − K), and its interval is as wide as that.

    Valid for candidates that were chosen before the data were seen and scored on the same splits
    of one data set; with fewer than 10 splits, expanding windows or very uneven test sets the
    numbers are a guide and a warning says so. The correction is itself an approximation: it takes
    the correlation of splits to be the share of samples that are tested on, and learners that
    change much with their training set can exceed the stated error rates. So can candidates that
    favour one class, on stratified folds, and many splits of few groups: see the user guide.

    Examples
    --------
    >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
    >>> scores = [[0.91, 0.89, 0.93, 0.90, 0.92, 0.94, 0.90, 0.91, 0.93, 0.92],
    ...           [0.90, 0.90, 0.92, 0.91, 0.91, 0.94, 0.89, 0.92, 0.92, 0.92],
    ...           [0.71, 0.66, 0.74, 0.70, 0.69, 0.73, 0.72, 0.70, 0.68, 0.75]]
    >>> ten_fold = SplitDesign(n_train=[90] * 10, n_test=[10] * 10)
    >>> comparison = Comparison(
    ...     SplitScores(scores, ten_fold), labels=["svm", "knn", "tree"], rope=0.02
    ... )
    >>> comparison.pairwise_frequentist[["model_1", "model_2", "verdict"]]
      model_1 model_2     verdict
    0     svm     knn  equivalent
    1     svm    tree      better
    2     knn    tree      better

    The tree is worse than either; between the other two the difference is shown to be smaller
    than 0.02, so take whichever is cheaper.
    """

    alternative: str = field(default="greater", kw_only=True)
    p_adjust: str | None = field(default="bonferroni", kw_only=True)
    warn: InitVar[bool] = field(default=True, kw_only=True)

    def __post_init__(self, warn: bool) -> None:
        super().__post_init__()
        check_option("alternative", self.alternative, ALTERNATIVES)
        check_option("p_adjust", self.p_adjust, P_ADJUST)
        check_rope(self.rope)
        object.__setattr__(self, "alpha", check_probability("alpha", self.alpha))
        if isinstance(self.rope, list):
            object.__setattr__(self, "rope", tuple(self.rope))
        strained = strained_assumptions(self.scores.design)
        if check_flag("warn", warn) and strained:
            warnings.warn(" ".join(strained), ComparisonWarning, stacklevel=outside_level())

    def __repr__(self) -> str:
        pairs = self.scores.n_pairs <= _QUICK_PAIRS["maxt"] or "_pairwise_frequentist" in vars(self)
        return comparison_text(
            self.scores,
            self._ranking,
            self._leader_table_at_a_glance,
            self._pairwise_frequentist if pairs else None,
            metric=self.metric,
            alternative=self.alternative,
            p_adjust=self.p_adjust,
            rope=self.rope_bounds,
            alpha=self.alpha,
            note=self.note,
        )

    def _repr_html_(self) -> str:
        """Ranking and leader table for a notebook; pandas escapes the labels."""
        note = f"<p>{html.escape(visible(self.note))}</p>" if self.note else ""
        size: dict[str, Any] = {"max_rows": _HTML_ROWS, "show_dimensions": True}
        ranking, leader_table = self._ranking.to_html(**size), self._leader_table_at_a_glance
        ranking = visible(ranking)
        if leader_table is None:
            return f"{note}{ranking}<p>{html.escape(no_verdicts(self.scores, self.p_adjust))}</p>"
        return note + ranking + visible(leader_table.to_html(index=False, **size))

    @property
    def _leader_table_at_a_glance(self) -> pd.DataFrame | None:
        """The leader table, None where it would take too long to compute for a glance."""
        quick = self.scores.n_pairs <= _QUICK_PAIRS.get(self.p_adjust, _QUICK_PAIRS_OTHERWISE)
        if quick or self.p_adjust in CLOSED_FORM or "_leader_table" in vars(self):
            return self._leader_table
        return None

    def with_settings(self, **settings: Any) -> Self:
        """The same scores under other settings; no warning is repeated.

        Parameters
        ----------
        **settings
            Any of `alternative`, `p_adjust`, `rope`, `alpha`, `labels`.

        Raises
        ------
        TypeError
            If a setting is unknown.
        """
        known = ("alternative", "p_adjust", "rope", "alpha", "labels")
        for name in settings:
            if name not in known:
                raise TypeError(f"A setting must be one of {', '.join(known)}; got {name!r}.")
        return dataclasses.replace(self, **settings, warn=False)

    @property
    def ranking(self) -> pd.DataFrame:
        """Candidates from the best mean to the worst, failed ones last.

        Indexed by candidate (its row in ``cv_results_``), with the columns

        - ``rank``: 1 for the best, ties share the better rank, <NA> for a failed candidate;
        - ``label``;
        - ``mean``: mean score over the splits, in score units;
        - ``std_err``: its corrected standard error, s·√(1/J + q);
        - ``ci_low``, ``ci_high``: its own 1 − alpha interval. Two such intervals that overlap say
          little about the difference, because both scores rise and fall with the split: see the
          pairwise tables.
        """
        return self._ranking.copy()

    @cached_property
    def _ranking(self) -> pd.DataFrame:
        order = self.scores.order
        labels = [self._label(row) for row in order]
        table = ranking_table(self.scores, labels, alpha=self.alpha)
        return table.set_axis(pd.Index(self._indices(order), name="candidate"))

    @property
    def pairwise_frequentist(self) -> pd.DataFrame:
        """`frequentist()` with the comparison's own settings, computed once; a copy."""
        return self._pairwise_frequentist.copy()

    @property
    def pairwise_bayesian(self) -> pd.DataFrame:
        """`bayesian()` with the comparison's own settings, computed once; a copy."""
        return self._pairwise_bayesian.copy()

    @cached_property
    def _pairwise_frequentist(self) -> pd.DataFrame:
        return self.frequentist()

    @cached_property
    def _pairwise_bayesian(self) -> pd.DataFrame:
        return self.bayesian()

    def frequentist(
        self,
        *,
        alternative: str | None = None,
        p_adjust: str | _Setting | None = _OWN,
        test: str = "corrected_t",
        rng: Any = 0,
    ) -> pd.DataFrame:
        """Test every pair of candidates.

        Parameters
        ----------
        alternative : {"greater", "less", "two-sided"}, optional
            Alternative of `p_val` and `p_unadjusted`. Default: the comparison's.
        p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, optional
            Correction for the number of pairs. Default: the comparison's.
        test : {"corrected_t", "uncorrected_t", "5x2cv_t", "5x2cv_f"}, default="corrected_t"
            "uncorrected_t" takes the splits for independent and is there for teaching alone: with
            10×10-fold cross-validation of equally good candidates it finds a "significant"
            difference about every second time. "5x2cv_t" (Dietterich) and "5x2cv_f" (Alpaydın)
            are for splits that are five complementary halvings, such as RepeatedKFold(n_splits=2,
            n_repeats=5); ``t_stat`` holds their statistic, ``std_err`` the t's denominator, there
            are no intervals and no ``equivalent``, and the F has no direction. They have half the
            power of the corrected t over 10×10 folds, and the t depends on which split is first.
        rng : None, int or numpy.random.Generator, default=0
            Source of the 20,000 draws of "maxt"; the default makes tables repeat.

        Returns
        -------
        DataFrame
            A row per pair, model_1 ranked before model_2, best pairs first, with the columns

            - ``model_1``, ``model_2``: labels, as categoricals in rank order;
            - ``mean_diff``: mean score of model_1 minus that of model_2, in score units;
            - ``std_err``: its corrected standard error; ``t_stat``: their ratio, with J − 1
              degrees of freedom;
            - ``p_unadjusted``, ``p_val``: before and after the adjustment, of `alternative`;
            - ``ci_low``, ``ci_high``: two-sided 1 − alpha interval of the difference:
              simultaneous over all pairs for "bonferroni", "sidak", "maxt" and "holm" (whose
              intervals are Bonferroni's, so one may include 0 where the verdict decides), and for
              each pair alone otherwise;
            - ``verdict``: better, worse, equivalent, undecided, missing. Two-sided and adjusted
              like `p_val` (per pair with ``p_adjust=None``), whatever `alternative` is, so a
              one-sided `p_val` below alpha may stand beside ``undecided``.

            Equivalence refers to the comparison's ROPE, which is in score units: where scores do
            not lie between 0 and 1, `repr` says how wide it is beside the leader's mean. A pair
            with a failed candidate is ``missing``, has NaN numbers and is counted in no family.

        Raises
        ------
        ValueError
            If an option is unknown, `rng` is no source of draws, a 5×2cv test is asked for of other
            splits, or with "maxt", or there are more than 20 million pairs: see `leader_table` and
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
        rng = check_rng(rng)
        tests = self._tests(check_option("test", test, TESTS))
        if alternative is None:
            alternative = self.alternative
        check_option("alternative", alternative, ALTERNATIVES)
        if isinstance(p_adjust, _Setting):
            p_adjust = self.p_adjust
        check_option("p_adjust", p_adjust, P_ADJUST)
        if test.startswith("5x2cv"):
            return self._five_by_two(tests, test, alternative, p_adjust)
        probabilities = self._probabilities if test == "corrected_t" else self._inside(tests)
        return frequentist_table(
            Family(self.scores, tests, p_adjust, rng),
            probabilities,
            names=self._names,
            rope=self.rope_bounds,
            alternative=alternative,
            alpha=self.alpha,
        )

    def _five_by_two(
        self, pairs: PairedTTests, test: str, alternative: str, p_adjust: str | None
    ) -> pd.DataFrame:
        if not is_five_by_two(self.scores.design):
            raise ValueError(
                f"`test` must be 'corrected_t' for these splits; got {test!r}, which needs five "
                "pairs of splits that swap two halves of the data, such as those of "
                "RepeatedStratifiedKFold(n_splits=2, n_repeats=5)."
            )
        if p_adjust == "maxt":
            raise ValueError(
                "`p_adjust` must not be 'maxt' with a 5×2cv test: its joint null distribution is "
                "that of corrected t statistics."
            )
        return five_by_two_table(
            FiveByTwo.of(self.scores, pairs.first, pairs.second),
            pairs,
            test=test,
            names=self._names,
            alternative=alternative,
            p_adjust=p_adjust,
            n_tests=self.scores.n_pairs,
            alpha=self.alpha,
        )

    def bayesian(self, *, rope: float | tuple[float, float] | str | None = None) -> pd.DataFrame:
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
            - ``verdict``: the one of the three that reaches 1 − alpha, else ``undecided``. It is
              per pair: probabilities are not adjusted for the number of pairs.

            The ROPE is in score units: where scores do not lie between 0 and 1, `repr` says how
            wide it is beside the leader's mean.

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
        tests = self._tests("corrected_t")
        if rope is None:
            probabilities = self._probabilities
        else:
            probabilities = self._inside(tests, self._resolved(rope))
        return bayesian_table(tests, probabilities, names=self._names, alpha=self.alpha)

    def iter_pairs(self, chunk_size: int = 100_000) -> Iterator[pd.DataFrame]:
        """Stream both pairwise tables, some pairs at a time, for more pairs than memory holds.

        The pairs, their order and their numbers are those of `pairwise_frequentist` and
        `pairwise_bayesian`, to the last bit. What is held is the scores and one chunk.

        Parameters
        ----------
        chunk_size : int, default=100,000
            Most pairs in one table. A million takes about 0.25 GB while it is made.

        Returns
        -------
        iterator of DataFrame
            A row per pair, in the order of `frequentist`, with its columns, then ``worse_prob``,
            ``better_prob``, ``rope_prob`` and, from `bayesian`, ``bayesian_verdict``. Rows are
            numbered on from chunk to chunk, and every chunk has the same dtypes and categories,
            as one Parquet file needs them. Without any pair there is one table, empty.

        Raises
        ------
        ValueError
            If `chunk_size` is not a whole number ≥ 1, or `p_adjust` is none of None, "bonferroni"
            and "sidak": the other methods need every pair's p-value before the first is known.

        Notes
        -----
        Two tables of 20 million pairs take about 6 GB, and more are refused; a stream has no such
        bound. It computes every pair anew each time and keeps nothing.

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

        Among 200 candidates that differ by luck alone, the largest of 19,900 t statistics.
        """
        chunk_size = check_count("chunk_size", chunk_size)
        check_streamable(self.p_adjust)
        return pair_tables(
            self.scores,
            chunk_size,
            names=self._names,
            alternative=self.alternative,
            p_adjust=self.p_adjust,
            rope=self.rope_bounds,
            alpha=self.alpha,
        )

    @property
    def leader_table(self) -> pd.DataFrame:
        """The leader against every other candidate: the first rows of both pairwise tables.

        The numbers are the pairwise tables' own, adjusted for all pairs: the leader was chosen
        by its scores, so the family is not only its own m − 1 pairs. With `p_adjust` None,
        "bonferroni" or "sidak" no other pair is computed, so the cost grows with the number of
        candidates and not with its square; the other methods need every pair's p-value, and are
        refused for more than 20 million pairs.

        Columns: ``model_1`` (the leader), ``model_2``, ``mean_diff``, ``std_err``, ``t_stat``,
        ``p_unadjusted``, ``p_val``, ``ci_low``, ``ci_high``, ``worse_prob``, ``better_prob``,
        ``rope_prob``, and the ``verdict`` of the t-test. See `frequentist` and `bayesian`.
        """
        return self._leader_table.copy()

    @cached_property
    def _leader_table(self) -> pd.DataFrame:
        order = self.scores.order
        if self.p_adjust in CLOSED_FORM:
            tests = PairedTTests.against(self.scores, int(order[0]), order[1:])
            probabilities = self._inside(tests)
            frequentist = frequentist_table(
                Family(self.scores, tests, self.p_adjust),
                probabilities,
                names=self._names,
                rope=self.rope_bounds,
                alternative=self.alternative,
                alpha=self.alpha,
            )
            bayesian = bayesian_table(tests, probabilities, names=self._names, alpha=self.alpha)
        else:
            frequentist = self._pairwise_frequentist.iloc[: len(order) - 1]
            bayesian = self._pairwise_bayesian.iloc[: len(order) - 1]
        return joined_table(frequentist, bayesian)

    def calibrate(self, *, n_simulations: int = 1000, rng: Any = None) -> pd.DataFrame:
        """How often verdicts like these would be right, by simulation from the scores' covariance.

        Candidates are simulated with the covariance that these scores have between candidates,
        once all equally good and once with the differences observed here, and the verdicts are
        made as in `pairwise_frequentist`: the same family, adjustment, ROPE and level.

        Parameters
        ----------
        n_simulations : int, default=1000
            Number of simulated tables for each row. Each costs what `frequentist` costs: with
            `p_adjust="maxt"`, or with hundreds of candidates, take fewer.
        rng : None, int or numpy.random.Generator, optional
            Source of the draws. Default: fresh entropy.

        Returns
        -------
        DataFrame
            Four rows, with the columns

            - ``truth``: "equal" candidates, or differences "as observed";
            - ``dependence``: "corrected", splits correlated as the correction has it, or "naive",
              splits independent, for which the correction is too cautious;
            - ``any_false``: share of the tables with any false verdict: better or worse of a pair
              that is not so, or equivalent of a pair whose true difference is outside the ROPE.
              This is what an adjustment for the family is to bound by `alpha`;
            - ``claimed``, ``equivalent``, ``undecided``: mean shares of the pairs. ``claimed``,
              better or worse, is a rate of false claims where candidates are equal and the power
              where they differ as observed;
            - ``any_false_se`` and so on: their standard errors.

        Raises
        ------
        ValueError
            If `n_simulations` is not a whole number ≥ 2, `rng` is no source of draws, there are
            fewer than two candidates that did not fail or fewer than two splits, nothing was
            trained on, or there are more than 20 million pairs.

        Notes
        -----
        ``any_false`` of equal candidates under "corrected" is the level that the adjustment really
        has with this many candidates and splits: here one would see that an adjustment such as
        "maxt" errs more often than it says.

        Valid as far as its two assumptions go: normal scores, and a correlation between splits of
        n_test/(n_train + n_test). Whether learners keep to the second it cannot tell; for that see
        the measured error rates in the user guide. The power is of differences as large as those
        seen, which are exaggerated where the leader was lucky.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
        >>> scores = np.random.default_rng(0).normal([[0.9], [0.9], [0.8]], 0.03, (3, 50))
        >>> comparison = Comparison(SplitScores(scores, SplitDesign([80] * 50, [20] * 50)))
        >>> found = comparison.calibrate(rng=0)
        >>> found[["truth", "dependence", "any_false", "claimed"]].round(2)
                 truth dependence  any_false  claimed
        0        equal  corrected       0.05     0.02
        1        equal      naive       0.00     0.00
        2  as observed  corrected       0.00     0.66
        3  as observed      naive       0.00     0.67

        Of three equal candidates some pair would be told apart in 5 % of cases; the differences
        seen here would be found again.
        """
        check_count("n_simulations", n_simulations, least=2, limit=_MOST_SIMULATIONS)
        check_rng(rng)
        scores = self.scores
        available = np.flatnonzero(~scores.missing)
        if available.size < 2 or scores.n_splits < 2:
            raise ValueError(
                "`scores` must be of at least two candidates that did not fail, on at least two "
                f"splits; got {available.size} and {scores.n_splits}."
            )
        if not np.isfinite(scores.design.overlap_ratio):
            raise ValueError("`scores` must come from splits that train on something; got none.")
        check_n_pairs(scores, self.p_adjust)
        known = SplitScores(scores.values[available], scores.design)
        rule = VerdictRule(self.p_adjust, self.rope_bounds, self.alpha)
        return calibration_table(calibration(known, rule, int(n_simulations), rng))

    def posterior(self, i: int | str, j: int | str) -> Posterior:
        """Posterior of the mean difference, candidate `i` minus candidate `j`.

        Parameters
        ----------
        i, j : int or str
            Candidate indices (rows of ``cv_results_``) or labels.

        Returns
        -------
        Posterior
            With the comparison's ROPE. All NaN where a candidate failed; a point mass at 0 for
            two identical candidates.

        Raises
        ------
        ValueError
            If there is no such candidate; the message lists what there is.
        """
        first, second = self._row(i, "i"), self._row(j, "j")
        tests = PairedTTests.against(self.scores, first, np.array([second]))
        return Posterior(
            df=tests.df,
            loc=float(tests.mean_diff[0]),
            scale=float(tests.std_err[0]),
            rope=self.rope_bounds,
        )

    def credible_intervals(
        self, i: int | str, j: int | str, levels: float | Sequence[float] = (0.5, 0.75, 0.95)
    ) -> pd.DataFrame:
        """Central credible intervals of the mean difference, candidate `i` minus candidate `j`.

        Parameters
        ----------
        i, j : int or str
            Candidate indices or labels.
        levels : float or sequence of float, default=(0.5, 0.75, 0.95)
            Probabilities that the intervals hold, each in (0, 1).

        Returns
        -------
        DataFrame
            A row per level with the columns ``level``, ``low``, ``high``, in score units.
        """
        several = np.atleast_1d(np.asarray(levels, dtype=object))
        checked = [check_probability("levels", level) for level in several]
        low, high = self.posterior(i, j).interval(np.array(checked))
        return pd.DataFrame({"level": checked, "low": low, "high": high})

    @cached_property
    def _names(self) -> PairNames:
        return PairNames(self._all_labels, self.scores.order, self.scores.missing)

    @cached_property
    def _all_pairs(self) -> PairedTTests:
        check_n_pairs(self.scores, self.p_adjust)
        return PairedTTests.all_pairs(self.scores)

    def _tests(self, test: str) -> PairedTTests:
        if test == "uncorrected_t":
            return self._all_pairs.uncorrected()
        return self._all_pairs

    @cached_property
    def _probabilities(self) -> RopeProbabilities:
        """Of all pairs with the comparison's ROPE: both tables are made from these tails."""
        return self._inside(self._all_pairs)

    def _inside(
        self, tests: PairedTTests, rope: tuple[float, float] | None = None
    ) -> RopeProbabilities:
        return rope_probabilities(
            tests.mean_diff, tests.std_err, tests.df, self.rope_bounds if rope is None else rope
        )
