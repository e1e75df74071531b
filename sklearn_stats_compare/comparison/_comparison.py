"""Comparison: tests, posteriors, tables and plots of the split scores of named candidates."""

from __future__ import annotations

import dataclasses
import os
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, fields
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import visible
from sklearn_stats_compare._utils._validation import (
    check_count,
    check_flag,
    check_listed,
    check_option,
    check_probability,
    check_rng,
    check_written,
    shown,
    warn_user,
)
from sklearn_stats_compare.comparison._labels import (
    CandidateLabels,
    CandidateNames,
    Reader,
    checked_candidates,
    checked_labels,
    checked_params,
)
from sklearn_stats_compare.comparison._planning import calibrate, next_step, plan, resolution
from sklearn_stats_compare.comparison._predictions import (
    SubgroupComparison,
    by,
    delong,
    mcnemar,
    samples,
    with_metric,
    with_settings,
)
from sklearn_stats_compare.comparison._repr import help_tree, html_repr, text_repr
from sklearn_stats_compare.comparison._saving import split_column, to_csv, to_long
from sklearn_stats_compare.comparison._tables import (
    PairNames,
    bayesian_table,
    check_assumptions,
    check_n_pairs,
    check_streamable,
    copy_to_return,
    frequentist_table,
    joined_table,
    leader_mean,
    metric_range,
    mistaken_settings,
    pair_tables,
    ranking_table,
    resolve_rope,
    warn_of_survivors,
)
from sklearn_stats_compare.stats._best import (
    BEST_METHODS,
    RANK_METHODS,
    model_confidence_set_pvalues,
    possibly_best_pvalues,
    rank_limits,
    regret_bounds,
)
from sklearn_stats_compare.stats._best import probability_best as best_probabilities
from sklearn_stats_compare.stats._corrected_t import PairedTTests, Posterior, RopeProbabilities
from sklearn_stats_compare.stats._family import (
    MOST_STEPPED_DOWN,
    N_DRAWS,
    Family,
    Settings,
    pair_test,
)
from sklearn_stats_compare.stats._nested import OptimismResult, folds_by_repeat, selection_optimism
from sklearn_stats_compare.stats._pair_tests import CORRECTED_T, PairTest
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats.test_set._classifiers import DeLongResult, McNemarResult

if TYPE_CHECKING:
    from sklearn_stats_compare.predictions._predicted import Predicted


class OfComparison(Enum):  # type checkers know an Enum of one member as a sentinel (PEP 484)
    """Default of `p_adjust`, where None already means no adjustment."""

    OWN = "the comparison's own"


OWN = OfComparison.OWN


@dataclass(frozen=True, eq=False, repr=False)
class PairwiseTables:
    """What comparisons on one data set and over several have alike."""

    @cached_property
    @abstractmethod
    def _pairwise_frequentist(self) -> pd.DataFrame: ...

    @cached_property
    @abstractmethod
    def _pairwise_bayesian(self) -> pd.DataFrame: ...

    def __getstate__(self) -> dict[str, Any]:
        # Without cached results: all pairs of 200 candidates take 3.6 MB.
        return {each.name: vars(self)[each.name] for each in fields(self)}

    @property
    def pairwise_frequentist(self) -> pd.DataFrame:
        """`frequentist()` with the comparison's own settings, computed once; a copy."""
        return copy_to_return(self._pairwise_frequentist)

    @property
    def pairwise_bayesian(self) -> pd.DataFrame:
        """`bayesian()` with the comparison's own settings, computed once; a copy."""
        return copy_to_return(self._pairwise_bayesian)

    def report(self, format: str = "text", **options: Any) -> str:
        """Report the comparison in words and tables, to read or to paste into a paper.

        Parameters
        ----------
        format : {"text", "markdown", "latex", "html", "json", "bibtex"}, default="text"
            As for `report`.
        **options
            As for `report`.

        Returns
        -------
        str
            The report, as `report` makes it.

        Raises
        ------
        ValueError
            If `format` is unknown, or as `report` does.
        """
        # A layer above, imported when it is asked for.
        from sklearn_stats_compare.reports import report

        return report(self, format, **options)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(PairwiseTables):
    """Statistical comparison of candidates that were scored on the same splits of one data set.

    A fitted search provides one as ``search.comparison_``. The tables are computed on first access
    and then kept.

    Parameters
    ----------
    scores : SplitScores
        Test scores, candidates × splits, higher is better, and the sizes of the splits.
    labels : sequence of str or "name=value", optional
        A unique name for each candidate, in the order of `scores`; "name=value" makes it from
        `params`, as ``C=1, gamma=0.1``. Default: the values alone where they are unique, or "0",
        "1", … without `params`.
    params : sequence of mappings, optional
        Parameters of each candidate.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Alternative of `p_val` and `p_unadjusted`, for the better-ranked candidate of a pair against
        the other. Verdicts and intervals are always two-sided: the scores themselves determine the
        direction, which makes a one-sided p-value too small by a factor of up to two.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, \
            default="bonferroni"
        How p-values are adjusted for the number of pairs. "maxt" draws from the joint null
        distribution of all t statistics. Of the methods that bound the chance of any false claim it
        is usually the least conservative (measured: 5 to 6 % at a nominal 5 %), and the slowest. It
        shrinks its covariance, because few splits estimate correlations poorly.
    rope : float, (float, float) or str, default=0.01
        Region of practical equivalence of a score difference: a half-width or (low, high) of
        model_1 − model_2, in score units, or a share of the leader's absolute mean, such as
        ``"1%"``. The default is a convention for accuracies and other scores between 0 and 1; for
        others choose the largest difference that would not matter.
    alpha : float, default=0.05
        Level of verdicts and of intervals, in (0, 1).
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
            default="corrected_t"
        Test of a pair, used by all methods; see `frequentist`. "samples" needs scores with values
        per sample. The 5×2cv tests estimate no standard error: they give p-values and verdicts, but
        no posteriors, sets or plans.
    metric : str, default="score"
        Name of the score, for display.
    candidates : sequence of int, optional
        Index of each candidate in its source, such as its row in ``cv_results_``, for scores of
        some candidates only. Default: 0, 1, ….
    note : str, default=""
        A sentence on where the scores come from, shown with them.
    n_entered : int, optional
        Number of candidates that the leader was chosen from, if not all of them are compared, as
        after a race. Default: the number compared.
    dropped_pvalue : float, optional
        Highest p-value at which a race dropped the others as worse on new data. Below alpha, they
        are not possibly best. Default: any of them may be the best.
    predicted : object, optional
        Kept predictions of a search, for `by`, `with_metric`, `mcnemar` and `delong`.
    warn : bool, default=True
        Whether to issue one `ComparisonWarning` if the splits strain the assumptions, or if `rope`
        or `alpha` would decide every pair whatever the scores are.

    Raises
    ------
    ValueError
        If an option is unknown or out of range, or labels are not unique.
    TypeError
        If `scores` are not SplitScores.

    Notes
    -----
    A verdict compares model_1 with model_2. It is ``better`` or ``worse`` if the adjusted two-sided
    p-value is below `alpha`; ``equivalent`` if two one-sided tests, adjusted in the same way, place
    the difference inside the ROPE, even if the difference is also significant; ``undecided``
    otherwise, which does not mean equal; and ``missing`` if a candidate failed on any split. A
    one-sided `p_val` below `alpha` next to the verdict ``undecided`` is no contradiction: the
    verdict is two-sided.

    A difference that is the same on all splits is tested by a sign test on the K splits of one
    repeat: its two-sided p-value is 2^(1 − K), and its interval agrees with that p-value.

    Agreement on few samples does not show equivalence: two candidates whose true scores differ by δ
    agree on n samples with probability up to (1 − δ)ⁿ. If all scores are between −1 and 1, two
    candidates with the same score on every split are therefore `equivalent` within ±h only if (1 −
    h)ⁿ, adjusted for the number of pairs, is below alpha. One pair requires n ≥ 3/h. n is the
    number of different samples that the splits test; if sizes are unknown, it is estimated from
    scores that are counts, and otherwise each split counts as one sample. The interval and the
    posterior of such a pair use n too. If all scores are shares of the test samples, such as
    accuracies, every test of equivalence has a p-value of at least P(Bin(n, h) ≤ n·mean_diff).
    Scores beyond ±1 have no such bound, because the contribution of a sample is unknown: agreement
    on every split then counts as equivalence.

    A comparison is valid for candidates that were chosen before the data were seen and scored on
    the same splits of one data set. With fewer than 10 splits, expanding windows or very uneven
    test sets, read the numbers only as a guide; a warning says so. The correction itself is an
    approximation: it assumes that the correlation between splits equals the share of samples in a
    test set. Error rates can exceed the stated level in three cases: learners that change much with
    their training set, candidates that favour one class on stratified folds, and many splits of few
    groups. See the user guide.

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

    The tree is worse than the others, which differ by less than 0.02: use the cheaper of these.
    """

    scores: SplitScores
    labels: Sequence[str] | None = None
    params: Sequence[Mapping[str, Any]] | None = field(default=None, kw_only=True)
    metric: str = field(default="score", kw_only=True)
    candidates: Sequence[int] | None = field(default=None, kw_only=True)
    note: str = field(default="", kw_only=True)
    n_entered: int | None = field(default=None, kw_only=True)
    dropped_pvalue: float | None = field(default=None, kw_only=True)
    predicted: Predicted | None = field(default=None, kw_only=True)
    rope: float | tuple[float, float] | str = field(default=0.01, kw_only=True)
    alpha: float = field(default=0.05, kw_only=True)
    alternative: str = field(default="greater", kw_only=True)
    p_adjust: str | None = field(default="bonferroni", kw_only=True)
    test: str | PairTest = field(default=CORRECTED_T, kw_only=True)
    warn: InitVar[bool] = field(default=True, kw_only=True)

    def __post_init__(self, warn: bool) -> None:
        if not isinstance(self.scores, SplitScores):
            raise TypeError(
                "`scores` must be SplitScores(values, SplitDesign(n_train, n_test)); "
                f"got {type(self.scores).__name__}."
            )
        n = self.scores.n_candidates
        params = checked_params(self.params, n)
        if self.n_entered is not None:
            self._set(n_entered=check_count("n_entered", self.n_entered, n))
        if self.dropped_pvalue is not None:
            check_probability("dropped_pvalue", self.dropped_pvalue)
        self._set(**{name: check_written(name, getattr(self, name)) for name in ("metric", "note")})
        labels = checked_labels(self.labels, params, n)
        self._set(params=params, labels=labels, candidates=checked_candidates(self.candidates, n))
        # A share is checked against a mean of 1: the leader's mean would cost a ranking of all
        # candidates, which may not be needed yet.
        rope = resolve_rope(self.rope, 1.0)
        settings = self._settings(rope)
        settings.test.check_scores(self.scores)
        self._set(alpha=settings.alpha, test=settings.test)
        if isinstance(self.rope, list):
            self._set(rope=tuple(self.rope))
        strained = check_assumptions(self.scores, settings.test, params=params, metric=self.metric)
        strained += mistaken_settings(self.scores, rope, settings.alpha)
        if check_flag("warn", warn) and strained:
            warn_user(" ".join(strained))

    def _set(self, **checked: Any) -> None:
        vars(self).update(checked)  # frozen for all others

    def _settings(self, rope: tuple[float, float]) -> Settings:
        return Settings(self.alternative, self.p_adjust, rope, self.alpha, pair_test(self.test))

    def __repr__(self) -> str:
        return text_repr(self)

    def _repr_html_(self) -> str:
        return html_repr(self)

    @property
    def ranking(self) -> pd.DataFrame:
        """Candidates from the best mean to the worst, failed ones last.

        Indexed by candidate (its row in ``cv_results_``), with the columns

        - ``rank``: 1 for the best, ties share the better rank, <NA> for a failed candidate;
        - ``label``;
        - ``mean``: mean score over the splits, in score units;
        - ``std_err``: its standard error by the test, s·√(1/J + q) of the corrected t;
        - ``ci_low``, ``ci_high``: its own 1 − alpha interval. An overlap of two such intervals says
          little about the difference, because both scores rise and fall with the split: see the
          pairwise tables.
        """
        return self._ranking.copy()

    @cached_property
    def _ranking(self) -> pd.DataFrame:
        order, names = self.scores.order, self._candidate_names
        labels = [names.label(row) for row in order]
        table = ranking_table(self.scores, labels, self.settings, self.metric)
        return table.set_axis(pd.Index(names.indices_of(order), name="candidate"))

    @property
    def leader_table(self) -> pd.DataFrame:
        """The leader against every other candidate: the first rows of both pairwise tables.

        The numbers are the pairwise tables' own, adjusted for all pairs: the scores chose the
        leader, so the family is all pairs, not its own m − 1. With `p_adjust` None, "bonferroni" or
        "sidak" no other pair is computed. The other methods need the p-value of every pair and
        raise an error for more than 20 million pairs.

        Columns: ``model_1`` (the leader), ``model_2``, ``mean_diff``, ``std_err``, ``t_stat``,
        ``p_unadjusted``, ``p_val``, ``ci_low``, ``ci_high``, ``worse_prob``, ``better_prob``,
        ``rope_prob``, and the ``verdict`` of the t-test. See `frequentist` and `bayesian`.
        """
        return self._leader_table.copy()

    @property
    def leader_index(self) -> int | None:
        """Index of the candidate with the best mean (the first of ties); None if all failed."""
        if not self.scores.n_available:
            return None
        return int(self._candidate_names.indices_of(self.scores.order[:1])[0])

    @property
    def leader(self) -> str | None:
        """Label of the candidate with the best mean (the first of ties); None if all failed."""
        return (
            self._candidate_names.label(self.scores.order[0]) if self.scores.n_available else None
        )

    @property
    def samples(self) -> SampleScores:
        """Values of single samples with the scores as means; ValueError if there are none."""
        return samples(self)

    def frequentist(
        self,
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
        test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
                optional
            Test of each pair. Default: the comparison's. "uncorrected_t" assumes independent splits
            and is only for teaching: with 10×10-fold cross-validation of equally good candidates it
            finds a "significant" difference in about half of all pairs. "samples" tests the
            differences of per-sample values, with n − 1 degrees of freedom. It is of the fitted
            models; what their algorithms would give on other training sets of this size, it may
            miss in a fifth of the data sets or more. "5x2cv_t" (Dietterich) and "5x2cv_f"
            (Alpaydın) need five complementary halvings, such as RepeatedKFold(n_splits=2,
            n_repeats=5). Then ``t_stat`` is their statistic and ``std_err`` the denominator of t;
            there are no intervals and no verdict ``equivalent``, and the F-test has no direction.
            These tests have half the power of the corrected t over 10×10 folds, and the 5×2cv t
            depends on which split is first.
        rng : None, int or numpy.random.Generator, default=0
            Source of the 20,000 draws of "maxt"; the default makes tables reproducible.

        Returns
        -------
        DataFrame
            A row per pair, model_1 ranked before model_2, best pairs first, with the columns

            - ``model_1``, ``model_2``: labels, as categoricals in rank order;
            - ``mean_diff``: mean score of model_1 minus that of model_2, in score units;
            - ``std_err``: the corrected standard error of ``mean_diff``; ``t_stat``: the ratio of
              the two, with J − 1 degrees of freedom;
            - ``p_unadjusted``, ``p_val``: p-values for `alternative`, before and after the
              adjustment;
            - ``ci_low``, ``ci_high``: two-sided 1 − alpha interval of the difference: simultaneous
              over all pairs for "bonferroni", "sidak", "maxt" and "holm" (which has Bonferroni's
              intervals, so one may include 0 although the verdict decides), and for each pair
              separately otherwise. For candidates with the same score on every split it contains
              the differences that so few samples could have missed;
            - ``verdict``: better, worse, equivalent, undecided or missing. It is always two-sided,
              and adjusted like `p_val` (not adjusted with ``p_adjust=None``). A one-sided `p_val`
              below alpha may therefore occur with ``undecided``.

            Equivalence refers to the comparison's ROPE, in score units: if scores do not lie
            between 0 and 1, `repr` shows its width relative to the leader's mean. A pair with a
            failed candidate is ``missing``, has NaN numbers and does not count in the family.

        Raises
        ------
        ValueError
            If an option is unknown, `rng` is not a valid source of draws, a 5×2cv test is used with
            other splits or with "maxt", or there are more than 20 million pairs: see `leader_table`
            and `iter_pairs`.

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
        return self._frequentist(alternative, p_adjust, test, rng).copy()

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
            - ``verdict``: the one of the three with probability at least 1 − alpha, else
              ``undecided``. Probabilities are not adjusted for the number of pairs.

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
        return self._bayesian(rope).copy()  # as of `frequentist`

    def against(
        self,
        reference: int | str,
        *,
        alternative: str = "two-sided",
        p_adjust: str | OfComparison | None = OWN,
    ) -> pd.DataFrame:
        """Test one candidate, named before the scores were seen, against every other.

        The family has m − 1 tests, not the m(m − 1)/2 pairs of `frequentist`, so the same
        difference gets a smaller p-value. Use it for a paper that proposes a method or defends a
        baseline. With ``p_adjust="maxt"`` this is Dunnett's comparison, with the dependence and the
        variances estimated from the scores.

        Parameters
        ----------
        reference : int or str
            Index of the candidate (its row in ``cv_results_``), or its label.
        alternative : {"two-sided", "greater", "less"}, default="two-sided"
            Alternative of `p_val` and `p_unadjusted`: "greater" asks whether the reference is
            better. Choose it before the scores are seen, too. Verdicts are two-sided.
        p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, optional
            Correction for the m − 1 tests. Default: the comparison's.

        Returns
        -------
        DataFrame
            A row for each other candidate, best first, with the columns of `leader_table`:
            ``model_1`` is the reference, and the verdict says how it stands against ``model_2``.
            Intervals are simultaneous as in `frequentist`, over the m − 1 differences.

        Raises
        ------
        ValueError
            If there is no such candidate, an option is unknown, the test knows no standard error,
            or "maxt" is requested for more than 200 candidates.

        Warnings
        --------
        Do not choose the reference by its scores: the best of ten equal candidates is called better
        than some other too often. For the best candidate use `leader_table`, which adjusts for all
        pairs.

        References
        ----------
        Dunnett, C. W. (1955). A multiple comparison procedure for comparing several treatments with
        a control. JASA 50, 1096–1121. https://doi.org/10.1080/01621459.1955.10501294

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
        >>> means = np.array([[0.80], [0.83], [0.79], [0.80]])
        >>> scores = means + 0.02 * np.random.default_rng(0).standard_normal((4, 30))
        >>> comparison = Comparison(
        ...     SplitScores(scores, SplitDesign([90] * 30, [10] * 30)),
        ...     labels=["baseline", "new", "old", "tree"],
        ... )
        >>> table = comparison.against("baseline")
        >>> table[["model_1", "model_2", "mean_diff", "p_val", "verdict"]].round(3)
            model_1 model_2  mean_diff  p_val    verdict
        0  baseline     new     -0.038  0.005      worse
        1  baseline    tree     -0.002  1.000  undecided
        2  baseline     old      0.004  1.000  undecided
        """
        row = self._candidate_names.row(reference, "reference")
        settings = dataclasses.replace(
            self.settings,
            alternative=alternative,
            p_adjust=self.settings.p_adjust if isinstance(p_adjust, OfComparison) else p_adjust,
        )
        settings.check_has_std_err("against")
        scores = self.scores
        if settings.adjustment.joint and scores.n_pairs > MOST_STEPPED_DOWN:
            raise ValueError(
                '`p_adjust` "maxt" must have at most 200 candidates here, because it simulates all '
                f'of their pairs; got {scores.n_candidates:,}. Use "holm".'
            )
        others = scores.order[scores.order != row]
        tests = settings.test.against(scores, row, others)
        n_tests = 0 if scores.missing[row] else int(np.count_nonzero(~scores.missing[others]))
        # Nothing is known about a reference that failed, and a family has at least one test.
        family = Family(scores, tests, settings, n_tests=max(n_tests, 1))
        probabilities = tests.rope_probabilities(settings.rope)
        names = self._pair_names
        return joined_table(
            frequentist_table(family, probabilities, names=names),
            bayesian_table(tests, probabilities, names=names, alpha=settings.alpha),
        )

    def iter_pairs(self, chunk_size: int = 100_000) -> Iterator[pd.DataFrame]:
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
            ``better_prob``, ``rope_prob`` and, from `bayesian`, ``bayesian_verdict``. Rows are
            numbered on from chunk to chunk, and every chunk has the same dtypes and categories, as
            a Parquet file requires. Without any pair there is one empty table.

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

    def posterior(self, i: int | str, j: int | str) -> Posterior:
        """Posterior of the mean difference, candidate `i` minus candidate `j`.

        Parameters
        ----------
        i, j : int or str
            Candidate indices (rows of ``cv_results_``) or labels.

        Returns
        -------
        Posterior
            With the comparison's ROPE. All NaN if a candidate failed. For two candidates with the
            same score on every split, it is that of models that agree on n samples, or a point mass
            at 0 if a score is beyond ±1; see the Notes of `Posterior`.

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
        self, i: int | str, j: int | str, levels: float | Sequence[float] = (0.5, 0.75, 0.95)
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
        low, high = self.posterior(i, j).interval(np.array(checked))
        return pd.DataFrame({"level": checked, "low": low, "high": high})

    def calibrate(self, *, n_simulations: int = 1000, rng: Any = None) -> pd.DataFrame:
        """How often verdicts like these would be right, by simulation from the scores' covariance.

        Candidates are simulated with the covariance that these scores have between candidates, once
        all equally good and once with the observed differences. The verdicts are those of
        `pairwise_frequentist`, with the same family, adjustment, ROPE and level.

        Parameters
        ----------
        n_simulations : int, default=1000
            Number of simulated tables for each row. Each costs as much as `frequentist`: use fewer
            with `p_adjust="maxt"` or hundreds of candidates.
        rng : None, int or numpy.random.Generator, optional
            Source of the draws. Default: fresh entropy.

        Returns
        -------
        DataFrame
            Four rows, with the columns

            - ``truth``: "equal" candidates, or differences "as observed";
            - ``dependence``: "corrected", splits correlated as the correction assumes, or "naive",
              independent splits, for which the correction is conservative; with ``test="samples"``
              bootstraps of the samples, with or without what training sets add to the variance;
            - ``any_false``: share of the tables with any false verdict: "better" or "worse" for a
              pair without that difference, or "equivalent" for a pair with a true difference
              outside the ROPE. An adjustment for the family should bound this share by `alpha`;
            - ``claimed``, ``equivalent``, ``undecided``: mean shares of the pairs. ``claimed``,
              better or worse, is a rate of false claims where candidates are equal and the power
              where they differ as observed;
            - ``any_false_se`` and so on: their standard errors.

        Raises
        ------
        ValueError
            If `n_simulations` is not a whole number ≥ 2, `rng` is not a valid source of draws,
            there are fewer than two candidates that did not fail or fewer than two splits, nothing
            was trained on, or there are more than 20 million pairs.

        Notes
        -----
        ``any_false`` of equal candidates under "corrected" is the true level of the adjustment with
        this many candidates and splits. It shows, for example, whether "maxt" exceeds its nominal
        level.

        Valid under two assumptions: scores are normal, and splits correlate by n_test/(n_train +
        n_test). The simulation cannot check the second; see the measured error rates in the user
        guide. The power is for differences as large as those observed, which are exaggerated if the
        leader was lucky.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
        >>> scores = np.random.default_rng(0).normal([[0.9], [0.9], [0.8]], 0.03, (3, 50))
        >>> comparison = Comparison(SplitScores(scores, SplitDesign([80] * 50, [20] * 50)))
        >>> found = comparison.calibrate(n_simulations=300, rng=0)
        >>> found[["truth", "dependence", "any_false", "claimed"]].round(2)
                 truth dependence  any_false  claimed
        0        equal  corrected       0.05     0.02
        1        equal      naive       0.00     0.00
        2  as observed  corrected       0.01     0.67
        3  as observed      naive       0.00     0.67

        Among three equal candidates, some pair would be found different in 5 % of cases. The
        differences observed here would be found again.
        """
        return calibrate(self, n_simulations, rng)

    def by(self, groups: Any, *, min_samples: int = 30) -> SubgroupComparison:
        """Compare the leader with every other candidate within subgroups of samples.

        Parameters
        ----------
        groups : array-like of shape (n_samples,)
            Subgroup of each row of the data that the search was fitted on: a column of the data, an
            array, or bins of numbers from ``pandas.cut``. A Series is aligned by index with the
            data. At most 100 subgroups; missing values form the subgroup ``<NA>``.
        min_samples : int, default=30
            Subgroups with fewer samples are listed but not tested. With `groups` in ``fit``, groups
            are counted instead of samples. Two other kinds of subgroups are not tested, because the
            level is not kept there (see `SampleTTest`): those with fewer samples or groups than
            folds and, for ratios of counts such as F1, those with fewer than 20 samples of a class
            in a fold.

        Returns
        -------
        SubgroupComparison
            With `table`, and `sentences` such as "better overall, undecided in B".

        Raises
        ------
        ValueError
            If the comparison has no values of samples; if `groups` have another length or index, or
            are too many; or if the score is not a mean over samples and predictions were not kept,
            so that it cannot be computed within a subgroup.

        Notes
        -----
        Within each subgroup the test is that of `SampleTTest` on its samples, at level alpha
        divided by the number of subgroups that are tested; the adjustment for pairs is the
        comparison's own. So the family is subgroups × all pairs, as in `leader_table`, because the
        same scores chose the leader. In simulations of equal candidates with two subgroups at a
        nominal 5 %, a family of subgroups × rivals claimed a difference from the leader in 12 % of
        cases with ten candidates and in 24 % with fifty. The family of all pairs did so in 3.5 %
        and 2 %.

        If the score is a mean over samples, the score of a subgroup is the mean over its samples.
        Other scores, such as F1, are computed within the subgroup on each fold, which needs kept
        predictions.

        Two candidates may differ on no sample of a subgroup but on others. They are "equivalent"
        there only if the subgroup is large enough to show a difference beyond the ROPE: 368 samples
        for accuracy, a ROPE of ±0.01, two candidates and two subgroups at 5 %.

        Different verdicts do not show that the difference varies between subgroups: "undecided" may
        only mean that a subgroup is small. Valid for subgroups that were chosen before the scores
        were seen.

        Examples
        --------
        >>> import pandas as pd
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.neighbors import KNeighborsClassifier
        >>> from sklearn_stats_compare import StatisticalGridSearchCV
        >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
        >>> search = StatisticalGridSearchCV(
        ...     KNeighborsClassifier(), {"n_neighbors": [1, 15]}, scoring="neg_log_loss", cv=5,
        ...     test="samples",
        ... ).fit(X, y)
        >>> size = pd.cut(X["mean radius"], [0, 12, 16, 40], labels=["small", "medium", "large"])
        >>> search.comparison_.by(size)
        15 by neg_log_loss, within small (171), medium (257), large (141):
        - against 1: better overall, undecided in small, large
        candidates are named by n_neighbors

        Fifteen neighbours are better than one overall. For small and for large nuclei the test is
        undecided, which does not show that the difference is smaller there.
        """
        return by(self, groups, min_samples)

    def with_settings(self, **settings: Any) -> Any:
        """The same scores under other settings; no warning about the splits is repeated.

        Parameters
        ----------
        **settings
            Any of `alternative`, `p_adjust`, `rope`, `alpha`, `test`, `labels`; labels may be
            "name=value", as ``C=1, gamma=0.1``, where parameters are known.

        Raises
        ------
        TypeError
            If a setting is unknown.
        """
        return with_settings(self, **settings)

    def with_metric(self, scorer: Any, **settings: Any) -> Any:
        """Compare by another metric of the same predictions; nothing is fitted again.

        Parameters
        ----------
        scorer : str or callable
            As for scikit-learn's `scoring`: a name, or what ``make_scorer`` returns. It must be
            computed from a response that was kept. A search scored by accuracy keeps ``predict``.
        **settings
            As for `with_settings`. A `rope` is in units of the score: 0.01 is a convention for
            scores between 0 and 1.

        Returns
        -------
        Comparison

        Raises
        ------
        ValueError
            If no predictions were kept, or the scorer needs more than these.

        Notes
        -----
        With two classes, probabilities replace decisions that were not kept, and `Comparison.note`
        says so; with more classes this raises an error. Scores are unweighted, even if the search
        passed sample weights to its scorers.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.neighbors import KNeighborsClassifier
        >>> from sklearn_stats_compare import StatisticalGridSearchCV
        >>> search = StatisticalGridSearchCV(
        ...     KNeighborsClassifier(), {"n_neighbors": [1, 9]}, scoring="neg_log_loss", cv=5,
        ...     test="samples", return_predictions=True,
        ... ).fit(*load_breast_cancer(return_X_y=True))
        >>> by_area = search.comparison_.with_metric("roc_auc")
        >>> by_area.leader, by_area.metric
        ('9', 'roc_auc')
        """
        return with_metric(self, scorer, **settings)

    def mcnemar(
        self, i: int | str, j: int | str, *, repeat: int = 0, method: str = "exact"
    ) -> McNemarResult:
        """McNemar's test of two candidates on their out-of-fold predictions.

        Parameters
        ----------
        i, j : int or str
            Candidate indices or labels.
        repeat : int, default=0
            Which repeat of the cross-validation: several would count each sample several times.
        method : {"exact", "mid-p", "chi2", "chi2_corrected"}, default="exact"
            As for `mcnemar`.

        Returns
        -------
        McNemarResult
            Of candidate `i` as model 1 and `j` as model 2.

        Raises
        ------
        ValueError
            If no predictions were kept, none of them from ``predict``, or there is no such
            candidate or repeat.

        Warns
        -----
        ComparisonWarning
            Always: the predictions come from one fit per fold, and the test treats them as those of
            one model. The result is valid for the fitted models only and ignores how models vary
            with their training data. ``test="samples"`` by accuracy includes that variation.
        """
        return mcnemar(self, i, j, repeat, method)

    def delong(
        self,
        i: int | str,
        j: int | str,
        *,
        repeat: int = 0,
        alternative: str = "two-sided",
    ) -> DeLongResult:
        """DeLong's test of two candidates' areas under the ROC curve, fold by fold.

        Parameters
        ----------
        i, j : int or str
            Candidate indices or labels.
        repeat : int, default=0
            Which repeat of the cross-validation: several would count each sample several times.
        alternative : {"two-sided", "greater", "less"}, default="two-sided"
            As for `delong`.

        Returns
        -------
        DeLongResult
            Of candidate `i` as model 1 and `j` as model 2: means of the areas over folds, and the
            variances of these means. Curves are means of the folds' at each false positive rate.

        Raises
        ------
        ValueError
            If no predictions were kept, none of them decisions or probabilities of two classes, a
            fold has fewer than two samples of a class, or there is no such candidate or repeat.

        Notes
        -----
        Scores of models from different folds are not on one scale and are never ranked together.
        The areas are averaged, as scikit-learn does, and their variances are added, because folds
        share no test sample. Valid for the fitted models only: the variance ignores how models vary
        with their training data. ``test="samples"`` by ROC AUC includes that variation.
        """
        return delong(self, i, j, repeat, alternative)

    def possibly_best(
        self, alpha: float | None = None, *, method: str | None = None, rng: Any = 0
    ) -> pd.DataFrame:
        """Candidates that may be the best: a true best is left out with probability ≤ alpha.

        This guarantee accounts for the choice of the leader from the same data. Candidates tied
        with the leader are always in the set. After most races the guarantee covers only the
        survivors: see the Notes.

        Parameters
        ----------
        alpha : float, optional
            Level, in (0, 1). Default: the comparison's.
        method : {"bonferroni", "maxt"}, optional
            Adjustment for the m − 1 one-sided tests. "bonferroni" uses their number; "maxt" uses
            their joint null distribution, which usually gives a smaller set and takes longer.
            Default: "maxt" for ``test="samples"`` and up to 100 candidates, otherwise "bonferroni".
        rng : None, int or numpy.random.Generator, default=0
            Source of the 20,000 draws of "maxt".

        Returns
        -------
        DataFrame
            The members in rank order, indexed by candidate, with the columns ``label``, ``mean``,
            ``behind`` (the leader's mean minus its own, in score units) and ``p_val`` (of the
            hypothesis that the candidate is the best; at least alpha). The table is empty if all
            candidates failed or there is only one split.

        Raises
        ------
        ValueError
            If `alpha`, `method` or `rng` is invalid, or if `method` is "maxt" and there are more
            than 20 million pairs.

        Warns
        -----
        ComparisonWarning
            After a race, or an extension of some candidates: others are not compared. Not after a
            race with ``eliminate="inferior"``, at its level or a higher one.

        Notes
        -----
        The set is valid under the assumptions of the comparison's test. Its members cannot be
        excluded as the best, but they are not necessarily equally good.

        There is no guarantee for all candidates that entered a race, unless it was run with
        ``eliminate="inferior"``. By default a race drops the candidates that cannot win on these
        splits, which says nothing about new data. In simulations with equal
        candidates, a given true best was not in the set in 55 to 86 % of races among 5 to 50
        candidates over 30 splits, and in 2 to 4 % of full searches.

        References
        ----------
        Hsu, J. C. (1981). Simultaneous confidence intervals for all distances from the "best".
        Annals of Statistics 9, 1026–1034. https://doi.org/10.1214/aos/1176345582
        """
        # "maxt" needs all pairs at once; Bonferroni's method needs only those of the leader.
        if method is not None and check_option("method", method, BEST_METHODS) == "maxt":
            check_n_pairs(self.scores)
        check_rng(rng)
        self.settings.check_has_std_err("possibly_best")
        pvalues = possibly_best_pvalues(
            self.scores, method=method, rng=rng, test=self.settings.test
        )
        table = self._ranked_with(p_val=pvalues)
        level = self.settings.alpha if alpha is None else check_probability("alpha", alpha)
        members = table[table["p_val"] >= level]
        # Last, so that a wrong argument raises without a warning before it.
        self._warn_of_survivors("The possibly-best set", level)
        return members

    def model_confidence_set(self, *, rng: Any = 0) -> pd.DataFrame:
        """p-value of each candidate in the model confidence set of Hansen, Lunde and Nason.

        The set of candidates with a p-value of at least alpha contains all best candidates with
        probability at least 1 − alpha. It is usually larger than `possibly_best`, which contains
        any given best candidate with this probability. After most races both cover only the
        survivors: see `possibly_best`.

        Parameters
        ----------
        rng : None, int or numpy.random.Generator, default=0
            Source of the 20,000 draws.

        Returns
        -------
        DataFrame
            All candidates in rank order, indexed by candidate, with the columns ``label``,
            ``mean``, ``behind``, ``p_val``, and ``in_set`` at the comparison's alpha.

        Raises
        ------
        ValueError
            If there are more than 20 million pairs, or `rng` is not a valid source of draws.

        Warns
        -----
        ComparisonWarning
            After a race, or an extension of some candidates: others are not compared. Not after a
            race with ``eliminate="inferior"``, at its level or a higher one.

        Notes
        -----
        The statistic is the range statistic T_R with the corrected variance. Its null distribution
        is the joint distribution of all t statistics, with a standard deviation for each pair. It
        is not a bootstrap of the splits, because these are not independent. The covariance of the
        candidates is shrunk towards independence, because few splits estimate it poorly. The cost
        grows with the square of the number of candidates: about 10 seconds at 500, up to a minute
        at 1,000.

        References
        ----------
        Hansen, P. R., Lunde, A. and Nason, J. M. (2011). The model confidence set. Econometrica
        79, 453–497. https://doi.org/10.3982/ECTA5771
        """
        check_rng(rng)
        check_n_pairs(self.scores)
        self.settings.check_has_std_err("model_confidence_set")
        # The null distribution covers every pair: the method has no form for the leader alone.
        pvalues = model_confidence_set_pvalues(self.scores, rng=rng, test=self.settings.test)
        table = self._ranked_with(p_val=pvalues)
        alpha = self.settings.alpha
        self._warn_of_survivors("The model confidence set", alpha)
        return table.assign(in_set=table["p_val"] >= alpha)

    def probability_best(self, n_draws: int = N_DRAWS, rng: Any = None) -> pd.DataFrame:
        """Probability that each candidate has the highest mean, or one within the ROPE of it.

        Parameters
        ----------
        n_draws : int, default=20,000
            Draws from the joint posterior of all means; the standard error of a probability is at
            most 0.5/√n_draws.
        rng : None, int or numpy.random.Generator, optional
            Source of the draws. Default: fresh entropy, so that two calls differ by a little.

        Returns
        -------
        DataFrame
            All candidates in rank order, indexed by candidate, with the columns ``label``,
            ``mean``, ``best_prob`` (they sum to 1; candidates that are always tied share theirs)
            and ``within_rope_prob`` (the highest mean exceeds its own by no more than the ROPE's
            upper end).

        Raises
        ------
        ValueError
            If `n_draws` is not a whole number ≥ 1, or `rng` is not a valid source of draws.

        Notes
        -----
        The joint posterior is multivariate t with J − 1 degrees of freedom; its pairwise
        differences are those of `posterior`. Candidates with the same score on every split are tied
        in each draw, although `posterior` allows a difference between them.
        """
        check_rng(rng)
        check_count("n_draws", n_draws, limit=_MOST_DRAWS)
        settings = self.settings
        settings.check_has_std_err("probability_best")  # 5×2cv tests have no posterior
        found = best_probabilities(
            self.scores,
            most_behind=settings.rope[1],  # the best minus a candidate is never negative
            n_draws=n_draws,
            rng=rng,
            test=settings.test,
        )
        table = self._ranked_with(best_prob=found.best, within_rope_prob=found.within_rope)
        return table.drop(columns="behind")

    def optimism(self, method: str = "fold_bootstrap", rng: Any = None) -> OptimismResult:
        """How much of the leader's mean is luck: it was chosen for being the highest.

        This is an approximate correction from the split scores alone. The corrected mean is still
        too high, by up to about 0.07, if all candidates are near chance, so a value slightly above
        chance is no evidence of a signal. It is too low if one candidate is clearly better. To
        publish a score, use `nested_score` or an untouched test set.

        Parameters
        ----------
        method : {"fold_bootstrap", "cross_selection", "tibshirani"}, default="fold_bootstrap"
            "fold_bootstrap" draws the folds of each repeat with replacement (100 resamples in all,
            at least 20 a repeat), takes the candidate with the best mean on the folds drawn and
            scores it on the others; of the three methods, it has the smallest error.
            "cross_selection" takes, for each split, the candidate that is best on the other splits
            of the same repeat and scores it on that split; it draws nothing. "tibshirani" subtracts
            the mean over the splits of the best score there minus the leader's (Tibshirani and
            Tibshirani, 2009); it corrects too much, and is there for comparison.
        rng : None, int or numpy.random.Generator, optional
            Source of the resamples. Default: fresh entropy, so that two calls differ by a little.

        Returns
        -------
        OptimismResult
            With ``mean`` (the leader's), ``optimism``, ``corrected_mean``, ``std_err``, ``method``,
            in score units, and ``confidence_interval(confidence_level)``. ``search.best_score_``
            stays scikit-learn's. The interval is of the leader's expected score and allows for its
            choice: see `OptimismResult.confidence_interval`.

        Raises
        ------
        ValueError
            If `rng` is not a valid source of draws, or `method` is unknown. If the splits do not
            form repeats (runs of splits whose test sets partition the data) and `method` is not
            "tibshirani": for shuffle splits, and for plain scores of which only the sizes are
            known.

        Warns
        -----
        ComparisonWarning
            If "tibshirani" is used and the repeats are not known. After a race, because the
            estimate leaves out the candidates that were dropped.

        References
        ----------
        Tibshirani, R. J. and Tibshirani, R. (2009). A bias correction for the minimum error rate
        in cross-validation. Annals of Applied Statistics 3, 822–829.
        https://doi.org/10.1214/08-AOAS224

        Tsamardinos, I., Greasidou, E. and Borboudakis, G. (2018). Bootstrapping the out-of-sample
        predictions for efficient and accurate cross-validation. Machine Learning 107, 1895–1922.
        https://doi.org/10.1007/s10994-018-5714-4
        """
        check_rng(rng)  # before the work; "tibshirani" would not look at it
        bounds = metric_range(self.metric)
        found = selection_optimism(self.scores, method=method, rng=rng, bounds=bounds)
        # The two others score the choice of some folds on the other folds of the same repeat.
        if not folds_by_repeat(self.scores):
            warn_user(
                "The splits form no repeats, so only 'tibshirani' can correct for the choice of "
                "the leader, and it usually corrects too much."
            )
        # The optimism grows with the number of candidates to choose from.
        if self.n_entered is not None and self.n_entered > self.scores.n_candidates:
            warn_user(
                f"The leader was chosen from {self.n_entered:,} candidates, of which "
                f"{self.scores.n_candidates:,} are compared here: the others are left out of this "
                "estimate, and more of the leader's mean may be luck than it says."
            )
        return found

    def shortfall(
        self, alpha: float | None = None, *, method: str = "bonferroni", rng: Any = 0
    ) -> pd.DataFrame:
        """How much worse than the best each candidate may be: upper bounds that hold all at once.

        With probability at least 1 − alpha, the true mean of no candidate is further below that of
        the best than its bound. The bounds hold together. You may therefore look at all of them,
        deploy the candidate that you like, and say that it is at most so much worse than the best.

        Parameters
        ----------
        alpha : float, optional
            Level, in (0, 1). Default: the comparison's.
        method : {"bonferroni", "maxt"}, default="bonferroni"
            Adjustment of the critical values, as for `possibly_best`. "maxt" usually gives smaller
            bounds and takes longer.
        rng : None, int or numpy.random.Generator, default=0
            Source of the 20,000 draws of "maxt".

        Returns
        -------
        DataFrame
            All candidates in rank order, indexed by candidate, with the columns ``label``,
            ``mean``, ``behind`` (the leader's mean minus its own) and ``at_most`` (the bound), in
            score units. ``at_most`` is 0 only for a candidate that is alone in the possibly-best
            set (and its copies), and NaN for candidates that failed and with one split.

        Raises
        ------
        ValueError
            If `alpha`, `method` or `rng` is invalid, or if the test knows no standard error. If
            `method` is "maxt" and there are more than 20 million pairs, or `alpha` is not above
            1/20,001, the smallest p-value of its draws.

        Warns
        -----
        ComparisonWarning
            After a race, or an extension of some candidates: others are not compared, and the best
            of them may be better.

        Notes
        -----
        The bounds are limits in the manner of Hsu's constrained intervals, with the critical values
        of `possibly_best`. They are valid under the assumptions of the comparison's test. The cost
        is that of the pairs of all members of the possibly-best set with all candidates.

        References
        ----------
        Hsu, J. C. (1981). Simultaneous confidence intervals for all distances from the "best".
        Annals of Statistics 9, 1026–1034. https://doi.org/10.1214/aos/1176345582

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
        >>> means = np.array([[0.80], [0.83], [0.70], [0.82]])
        >>> scores = means + 0.02 * np.random.default_rng(0).standard_normal((4, 30))
        >>> comparison = Comparison(
        ...     SplitScores(scores, SplitDesign([90] * 30, [10] * 30)),
        ...     labels=["baseline", "new", "old", "tree"],
        ... )
        >>> table = comparison.shortfall()[["label", "behind", "at_most"]]
        >>> print(table.round(3).to_string(index=False))
           label  behind  at_most
             new   0.000    0.010
            tree   0.016    0.042
        baseline   0.038    0.063
             old   0.132    0.155
        """
        if check_option("method", method, BEST_METHODS) == "maxt":
            check_n_pairs(self.scores)
        check_rng(rng)
        level = self.settings.alpha if alpha is None else check_probability("alpha", alpha)
        self.settings.check_has_std_err("shortfall")
        bounds = regret_bounds(
            self.scores, alpha=level, method=method, rng=rng, test=self.settings.test
        )
        table = self._ranked_with(at_most=bounds)
        self._warn_of_survivors("The bound of the shortfall", level)
        return table

    def rank_intervals(
        self, alpha: float | None = None, *, method: str = "holm", rng: Any = 0
    ) -> pd.DataFrame:
        """Which ranks each candidate may have by its true mean: intervals that hold all at once.

        With probability at least 1 − alpha, the intervals contain the true ranks of all candidates.
        They show how little a ranking by means may say: often the leader's interval reaches far
        down.

        Parameters
        ----------
        alpha : float, optional
            Level, in (0, 1). Default: the comparison's.
        method : {"holm", "bonferroni", "maxt"}, default="holm"
            Adjustment for the m(m − 1) one-sided tests of all ordered pairs. "maxt" uses their
            joint null distribution in a single step and takes longer.
        rng : None, int or numpy.random.Generator, default=0
            Source of the 20,000 draws of "maxt".

        Returns
        -------
        DataFrame
            All candidates in rank order, indexed by candidate, with the columns ``label``,
            ``mean``, ``rank`` (by the observed means; <NA> for a failed candidate), ``rank_low``
            and ``rank_high`` (1 is the best; <NA> for a failed candidate).

        Raises
        ------
        ValueError
            If `alpha`, `method` or `rng` is invalid, if the test knows no standard error, or there
            are more than 20 million pairs.

        Warns
        -----
        ComparisonWarning
            After a race, or an extension of some candidates: ranks are among those compared.

        Notes
        -----
        The rank of a candidate is 1 plus the number of candidates with a higher true mean. Its
        interval goes from 1 plus the number of candidates shown to be better to m minus the number
        shown to be worse. The sets are valid under the assumptions of the comparison's test.

        References
        ----------
        Mogstad, M., Romano, J. P., Shaikh, A. M. and Wilhelm, D. (2024). Inference for ranks with
        applications to mobility across neighbourhoods and academic achievement across countries.
        Review of Economic Studies 91, 476–518. https://doi.org/10.1093/restud/rdad006

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
        >>> means = np.array([[0.80], [0.83], [0.70], [0.82]])
        >>> scores = means + 0.02 * np.random.default_rng(0).standard_normal((4, 30))
        >>> comparison = Comparison(
        ...     SplitScores(scores, SplitDesign([90] * 30, [10] * 30)),
        ...     labels=["baseline", "new", "old", "tree"],
        ... )
        >>> table = comparison.rank_intervals()[["label", "rank", "rank_low", "rank_high"]]
        >>> print(table.to_string(index=False))
           label  rank  rank_low  rank_high
             new     1         1          2
            tree     2         1          3
        baseline     3         2          3
             old     4         4          4
        """
        check_option("method", method, RANK_METHODS)
        check_rng(rng)
        level = self.settings.alpha if alpha is None else check_probability("alpha", alpha)
        self.settings.check_has_std_err("rank_intervals")  # 5×2cv tests have no direction
        check_n_pairs(self.scores)
        low, high = rank_limits(
            self.scores, alpha=level, method=method, rng=rng, test=self.settings.test
        )
        order = self.scores.order
        self._warn_of_survivors("The interval of a rank", level)
        ranking = self._ranking
        return pd.DataFrame(
            {
                "label": ranking["label"],
                "mean": ranking["mean"],
                "rank": ranking["rank"],
                "rank_low": pd.Series(low[order], ranking.index).astype("Int64"),
                "rank_high": pd.Series(high[order], ranking.index).astype("Int64"),
            },
            index=ranking.index,
        )

    def shared_by(self, candidates: pd.DataFrame | Iterable[int | str]) -> str:
        """What the parameters of some candidates have in common, in one sentence.

        Parameters
        ----------
        candidates : DataFrame or iterable of int or str
            A table indexed by candidate, such as `possibly_best()`, or indices or labels.

        Returns
        -------
        str
            For each parameter that varies over all candidates: the value that these share, the
            values that occur, or the statement that every value occurs.

        Raises
        ------
        ValueError
            If the comparison has no parameters, a candidate does not exist, or `candidates` is
            empty.
        """
        if self.params is None:
            raise ValueError("The comparison knows no parameters; one of a search does.")
        which = candidates.index if isinstance(candidates, pd.DataFrame) else candidates
        which = check_listed("candidates", which, "a table indexed by candidate, or candidates")
        chosen = [self._candidate_names.row(c, "candidates") for c in which]
        if not chosen:
            raise ValueError("`candidates` must name at least one candidate; got none.")
        read, everything = Reader(), range(len(self.params))
        names = {name: None for params in self.params for name in params}
        sentences = []
        for name in names:
            all_values = _values(self.params, everything, name, read)
            found = set(_values(self.params, chosen, name, read))
            values = [value for value in all_values if value in found]  # in the grid's order
            if len(all_values) == 1:
                continue
            if values == [_UNSET]:
                sentences.append(f"{name} unset in all")
            elif len(values) == 1:
                sentences.append(f"{name}={values[0]} in all")
            elif len(values) == len(all_values):
                sentences.append(f"every value of {name} occurs: {_values_in_words(values)}")
            else:
                sentences.append(f"{name} is one of {_values_in_words(values)}")
        return visible("; ".join(sentences)) or "no parameter varies"

    def choose(self, rule: Any) -> Choice:
        """Which candidate a rule for ``refit=`` takes; nothing is fitted.

        Parameters
        ----------
        rule : SelectionRule
            Such as `SimplestPossiblyBest`. Its `complexity` may be parameters or a function of
            them, but not columns of ``cv_results_`` such as times, which a comparison does not
            have. For the same reason `BestSubjectTo` cannot have bounds of other metrics here. The
            comparison supplies the split sizes and the metric.

        Returns
        -------
        Choice
            With the attributes ``index``, ``label``, ``params`` and ``report``. To refit it:
            ``clone(search.estimator).set_params(**choice.params).fit(X, y)``.

        Raises
        ------
        TypeError
            If `rule` is not a selection rule.
        ValueError
            If the comparison has no parameters or another metric than the rule, or if the rule
            cannot choose, for example because every candidate failed.

        Warns
        -----
        ComparisonWarning
            After a race, or an extension of some candidates: others are not compared. Not after a
            race with ``eliminate="inferior"``.

        Examples
        --------
        >>> from sklearn.base import clone
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_stats_compare import SimplestPossiblyBest, StatisticalGridSearchCV
        >>> X, y = load_iris(return_X_y=True)
        >>> tree = DecisionTreeClassifier(random_state=0)
        >>> search = StatisticalGridSearchCV(tree, {"max_depth": [1, 2, 3, 4]}, cv=10).fit(X, y)
        >>> choice = search.comparison_.choose(SimplestPossiblyBest("max_depth"))
        >>> choice
        Choice(index=1, label='2', params={'max_depth': 2})
        >>> deployed = clone(search.estimator).set_params(**choice.params).fit(X, y)
        """
        # This folder may not import its class; a class in place of an instance has a `choose` too.
        # So do arrays.
        is_other = isinstance(rule, type | np.ndarray | np.generic)
        if is_other or not callable(getattr(rule, "choose", None)):
            raise TypeError(
                f"`rule` must be a rule, such as SimplestPossiblyBest('C'); got {shown(rule)}."
            )
        if self.params is None:
            raise ValueError("The comparison knows no parameters; one of a search does.")
        if getattr(rule, "metric", None) not in (None, "score", self.metric):
            raise ValueError(
                f"`rule` must be of the metric that is compared, {self.metric!r}; got one of "
                f"{rule.metric!r}. Ask compare(metric={rule.metric!r}) of the search."
            )
        self.settings.check_has_std_err("choose")
        columns = {split_column(k, self.metric): own for k, own in enumerate(self.scores.values.T)}
        row, report = rule.choose(
            {"params": list(self.params), **columns}, self.scores, self.settings.test
        )
        self._warn_of_survivors(
            f"The choice of {type(rule).__name__}", getattr(rule, "alpha", None)
        )
        names = self._candidate_names
        report = report.assign(label=[names.label(k) for k in report.index])
        report.index = pd.Index(names.indices_of(report.index), name="candidate")
        return Choice(names.indices[row], names.label(row), self.params[row], report)

    def split_correlation(self) -> pd.DataFrame:
        """Correlation of split scores, candidates × candidates in rank order.

        High correlations are the fold effect: an easy split is easy for all candidates. NaN for a
        candidate that failed, or that has the same score on all splits. Raises ValueError if there
        are more than 20 million pairs.
        """
        check_n_pairs(self.scores)
        labels = [self._candidate_names.label(i) for i in self.scores.order]
        correlation = self.scores.correlation(self.scores.order)
        return pd.DataFrame(correlation, index=labels, columns=labels)

    def resolution(
        self, power: float = 0.8, alpha: float | None = None, p_adjust: str | None = None
    ) -> pd.DataFrame:
        """Smallest true differences from the leader that this cross-validation is likely to find.

        For the leader and each other candidate, this is the difference that the two-sided corrected
        t-test finds with probability `power`: with the present design, with 2 and 5 times its
        repeats, and with infinitely many. No number of repeats finds a smaller difference than this
        last one with that probability (about 2.80·s·√q at the defaults), because repeats reuse the
        same data.

        Parameters
        ----------
        power : float, default=0.8
            Probability of finding the difference, in (0, 1) and above `alpha`.
        alpha : float, optional
            Two-sided level, in (0, 1). Default: the comparison's.
        p_adjust : str, optional
            If None, the default, `alpha` is the level of each test. With any of the comparison's
            methods, `alpha` is divided by m − 1, the number of candidates other than the leader
            that did not fail. The result is Bonferroni's level and the first level of stepwise
            methods; for "sidak" and "maxt" it is slightly too strict.

        Returns
        -------
        DataFrame
            A row per candidate but the leader, in rank order, indexed by candidate, with the
            columns

            - ``label``;
            - ``mean_diff``: the leader's mean minus its own, in score units;
            - ``std``: standard deviation s of the split differences, in score units;
            - ``detectable``, ``detectable_2x``, ``detectable_5x``, ``detectable_limit``: the
              differences found with probability `power`, in score units;
            - ``note``: why a number is NaN, or "". 2x and 5x are NaN if the repeats are unknown.

        Raises
        ------
        ValueError
            If an option is unknown or out of its range.

        Notes
        -----
        The values are computed from the non-central t distribution with J − 1 degrees of freedom
        and non-centrality δ/(s·√(1/J + q)), with the observed s and a correlation of the splits of
        q/(1 + q), which the corrected test assumes. With ``test="samples"`` there are n − 1 degrees
        of freedom, more repeats reduce only the part of the variance that is between repeats, and
        ``std`` is √n times the standard error. More repeats require that the folds can be drawn
        anew, unlike those of LeaveOneGroupOut and PredefinedSplit.

        The values refer to single tests of a candidate against a given leader. The verdicts of
        `leader_table` have less power: they are adjusted for all pairs, because the scores
        determined the leader. For their resolution under Bonferroni's method, set ``alpha=0.05 /
        n_pairs``.

        This is not a test. It describes what the design can show; the pairwise tables describe what
        the scores show.

        References
        ----------
        Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine
        Learning 52, 239–281. https://doi.org/10.1023/A:1024068626366
        """
        return resolution(self, power, alpha, p_adjust)

    def plan(
        self,
        difference: float,
        power: float = 0.8,
        alpha: float | None = None,
        p_adjust: str | None = None,
    ) -> pd.DataFrame:
        """How many repeats it takes to find a true difference from the leader in a single test.

        The verdicts of the tables are adjusted for all pairs and require more repeats, so a pair
        may be ``undecided`` although the answer here is "enough". With `p_adjust`, the level is
        adjusted as in `resolution`.

        Parameters
        ----------
        difference : float
            True difference to find, > 0, in score units.
        power : float, default=0.8
            Probability of finding it, in (0, 1) and above `alpha`.
        alpha : float, optional
            Two-sided level, in (0, 1). Default: the comparison's.
        p_adjust : str, optional
            As for `resolution`.

        Returns
        -------
        DataFrame
            A row per candidate but the leader, in rank order, indexed by candidate, with the
            columns

            - ``label``, ``mean_diff``, ``std``: as in `resolution`;
            - ``n_repeats``, ``n_splits``: the smallest design of the same folds that finds the
              difference, <NA> if there is none or it is unknown;
            - ``detectable_limit``: the smallest difference that any number of repeats can find, in
              score units;
            - ``answer``: in words, such as "8 × 10 folds in one test (now 10: enough)" or "not
              with this data: the limit is 0.0413"; with `p_adjust` it names the level.

        Raises
        ------
        ValueError
            If an option is unknown or out of its range.

        Notes
        -----
        The assumptions are those of `resolution`. Each further repeat helps less. Beyond ten,
        further repeats are seldom worthwhile.
        """
        return plan(self, difference, power, alpha, p_adjust)

    def next_step(self) -> str:
        """What to do next, in a sentence or two; empty where there is no leader or no rival.

        Notes
        -----
        If rivals are undecided, the advice is the first of these that applies. (1) Values of single
        samples instead of few splits, which need no further fit if predictions were kept. (2) A
        second repeat, if samples are tested and there is only one repeat, because one repeat does
        not show how much the models change when they are retrained. (3) Further repeats, if at most
        five times as many would find true differences as large as the observed ones, each with
        probability 0.5 at the level of the verdicts. (4) More samples, if no number of repeats
        would. Their number is for the best rival, with the same probability, and assumes that the
        variance falls as one over the number of samples. Folds that cannot be drawn anew, such as
        those of LeaveOneGroupOut, have no further repeats.

        The advice may also name the simplest of the candidates that may be the best, and how far
        its mean can be below the leader's. If that is more than the ROPE and the leader's standard
        error, the advice names a rule that limits it: see `choose`.

        If the scores chose the candidates, as in halving or tuned searches, the advice is the
        cross-validation that can compare them.

        Examples
        --------
        >>> import textwrap
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.pipeline import make_pipeline
        >>> from sklearn.preprocessing import StandardScaler
        >>> from sklearn_stats_compare import StatisticalGridSearchCV
        >>> search = StatisticalGridSearchCV(
        ...     make_pipeline(StandardScaler(), LogisticRegression()),
        ...     {"logisticregression__C": [0.001, 1.0, 10.0]},
        ...     scoring="accuracy", cv=5, test="samples",
        ... ).fit(*load_breast_cancer(return_X_y=True))
        >>> print(textwrap.fill(search.comparison_.next_step(), 92))
        Undecided against 10.0: first add a second repeat with search.extend(X, y, n_repeats=1),
        because one repeat does not show how much the models change when they are retrained. The
        other candidate that may be the best has a mean 0.0123 below the leader's;
        choose(SimplestWithinOneStandardError(…)) limits that difference.
        """
        return next_step(self)

    def plot(self, kind: str = "leader", **options: Any) -> Any:
        """Draw the comparison; `help` lists the kinds of pictures.

        Parameters
        ----------
        kind : {"leader", "pairwise", "parameter_heatmap", "parameter_profile", "posterior", \
                "ranks", "rope_sensitivity", "split_scores", "subgroups"}, default="leader"
            What to draw: the kind ``"leader"`` is `displays.LeaderDisplay`, and so on.
        **options
            As for ``from_comparison`` of the display, such as ``ax``, ``parameter="C"`` for a
            parameter profile or ``groups`` for subgroups. To leave room for labels around your own
            `ax`, use constrained layout: ``fig, ax = plt.subplots(layout="constrained")``.

        Returns
        -------
        display
            The display, drawn; ``display.figure_`` is the figure.

        Raises
        ------
        ValueError
            If `kind` is unknown, or the display cannot draw this comparison.
        ImportError
            If matplotlib is not installed.
        """
        # A layer above, imported when it is asked for.
        from sklearn_stats_compare.displays import PICTURES

        return PICTURES[check_option("kind", kind, PICTURES)].from_comparison(self, **options)

    def help(self) -> None:
        """Print what can be asked of the comparison, as a tree."""
        # A layer above, imported when it is asked for.
        from sklearn_stats_compare.displays import PICTURES

        print(help_tree(self, PICTURES))

    def to_csv(self, path: str | os.PathLike[str], *, settings: bool = True) -> None:
        """Save scores, labels, parameters, and sizes and repeats of the splits, as a CSV file.

        ``compare(path)`` reads it back: the same numbers to the last bit, labels and types of the
        parameters included.

        Parameters
        ----------
        path : str or path
            Path of the file. An existing file is replaced.
        settings : bool, default=True
            Whether to save `alternative`, `p_adjust`, `rope`, `alpha` and `test` as well.
            ``compare(path)`` uses them as defaults.

        Notes
        -----
        The first line is a comment with everything that belongs to no single candidate. The rest is
        a table with a row per candidate and a column per split, which ``pandas.read_csv(path,
        skiprows=1)`` reads. Parameters that are not Python literals, such as estimators, are saved
        as text. Predictions and values of single samples are not saved, and a comparison that tests
        by them warns. To save these, pickle the search or the comparison.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sklearn_stats_compare import compare
        >>> scores = {"svm": [0.91, 0.89, 0.93] * 4, "tree": [0.71, 0.66, 0.74] * 4}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "scores.csv"
        ...     compare(scores, n_train=90, n_test=10, rope=0.02).to_csv(path)
        ...     again = compare(path)
        >>> again.leader, again.rope, again.scores.design.n_train.tolist() == [90] * 12
        ('svm', 0.02, True)
        """
        return to_csv(self, path, settings)

    def to_long(self) -> pd.DataFrame:
        """Table of all scores, a row for each candidate and split.

        ``compare(comparison.to_long())`` makes the same tables, and so does the CSV file of
        ``to_long().to_csv(path, index=False)``. Rows of models that were scored elsewhere on the
        same splits can be added.

        Returns
        -------
        DataFrame
            With the columns

            - ``model``: the candidate's label;
            - ``split``: number of the split, from 0;
            - ``repeat``, ``fold``: numbers of the repeat and of the split in it, from 0, if the
              splits are known to be repeats of a partition;
            - ``metric``, ``score``: higher is better, NaN where a candidate failed;
            - ``n_train``, ``n_test``: numbers of samples of the split; or ``test_train_ratio``, the
              same in all rows, if only that is known;
            - ``n_samples``, ``complementary_halves``, ``expanding``, ``sliding``, ``resampled``: as
              in `SplitDesign`, the same in all rows, if the number is known or the structure
              applies.

        Notes
        -----
        Parameters, settings, notes, and values of single samples are not in the table. `to_csv`
        saves all but the last. Tables of several metrics can be joined by `pandas.concat`:
        ``compare(table, metric=…)`` takes one of them.

        Examples
        --------
        >>> from sklearn_stats_compare import compare
        >>> comparison = compare({"svm": [0.91, 0.89, 0.93] * 4, "tree": [0.71, 0.66, 0.74] * 4},
        ...                      n_train=90, n_test=10)
        >>> comparison.to_long().head(2)
          model  split metric  score  n_train  n_test
        0   svm      0  score   0.91       90      10
        1   svm      1  score   0.89       90      10
        >>> compare(comparison.to_long()).leader
        'svm'
        """
        return to_long(self)

    def candidate(self, which: int | str, *, name: str = "which") -> int:
        """Index of the candidate with this index or label; errors call the argument `name`."""
        return self._candidate_names.indices[self._candidate_names.row(which, name)]

    @property
    def naming(self) -> str:
        """What labels are made of, as "candidates are named C_gamma"; "" if labels show it."""
        return self.labels.naming if isinstance(self.labels, CandidateLabels) else ""

    @property
    def rope_bounds(self) -> tuple[float, float]:
        """The ROPE as (low, high) in score units."""
        return self.settings.rope

    @cached_property
    def settings(self) -> Settings:
        """Alternative, adjustment, ROPE in score units, level and test, as one value."""
        return self._settings(resolve_rope(self.rope, leader_mean(self.scores)))

    @cached_property
    def _candidate_names(self) -> CandidateNames:
        return CandidateNames(tuple(self.labels or ()), tuple(self.candidates or ()), self.note)

    @cached_property
    def _pair_names(self) -> PairNames:
        return PairNames(self._candidate_names.labels, self.scores.order, self.scores.missing)

    @cached_property
    def _all_pairs(self) -> PairedTTests:
        check_n_pairs(self.scores, self.p_adjust)
        return self.settings.test.all_pairs(self.scores)

    @cached_property
    def _probabilities(self) -> RopeProbabilities:
        """ROPE probabilities of all pairs; both tables use them."""
        return self._all_pairs.rope_probabilities(self.settings.rope)

    @cached_property
    def _pairwise_frequentist(self) -> pd.DataFrame:
        return self._frequentist()

    @cached_property
    def _pairwise_bayesian(self) -> pd.DataFrame:
        return self._bayesian()

    @cached_property
    def _possibly_best_members(self) -> NDArray[np.bool_]:
        """Whether each candidate may be the best at `alpha`; no warning of survivors."""
        self.settings.check_has_std_err("possibly_best")
        pvalues = possibly_best_pvalues(self.scores, test=self.settings.test)
        members: NDArray[np.bool_] = pvalues >= self.settings.alpha
        members.flags.writeable = False  # it is kept
        return members

    @cached_property
    def _leader_table(self) -> pd.DataFrame:
        settings, names = self.settings, self._pair_names
        settings.check_has_std_err("leader_table")
        # These adjust a p-value by the family size alone: m − 1 tests instead of m(m − 1)/2.
        if settings.adjustment.closed_form:
            tests = settings.test.against_leader(self.scores)
            probabilities = tests.rope_probabilities(settings.rope)
            # The family size is that of all pairs, because the scores chose the leader.
            family = Family(self.scores, tests, settings)
            frequentist = frequentist_table(family, probabilities, names=names)
            bayesian = bayesian_table(tests, probabilities, names=names, alpha=settings.alpha)
        else:
            # In rank order the pairs of the leader come first.
            n_others = self.scores.n_candidates - 1
            frequentist = self._pairwise_frequentist.iloc[:n_others]
            bayesian = self._pairwise_bayesian.iloc[:n_others]
        return joined_table(frequentist, bayesian)

    def _frequentist(
        self,
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
        family = Family(self.scores, tests, settings, rng)
        return frequentist_table(family, probabilities, names=self._pair_names)

    def _bayesian(self, rope: float | tuple[float, float] | str | None = None) -> pd.DataFrame:
        """The table of `bayesian`, read-only."""
        self.settings.check_has_std_err("bayesian")
        tests = self._all_pairs
        if rope is None:
            probabilities = self._probabilities
        else:
            # "1%" is a share of the leader's mean, which becomes score units here.
            region = resolve_rope(rope, leader_mean(self.scores))
            probabilities = tests.rope_probabilities(region)
        alpha = self.settings.alpha
        return bayesian_table(tests, probabilities, names=self._pair_names, alpha=alpha)

    def _warn_of_survivors(self, choice: str, alpha: float | None) -> None:
        n = self.scores.n_candidates
        warn_of_survivors(self.n_entered, n, choice, self.dropped_pvalue, alpha)

    def _ranked_with(self, **columns: NDArray[np.float64]) -> pd.DataFrame:
        """Candidates in rank order with their means, and columns in the order of candidates."""
        # Labels and indices of the names are of cv_results_, rows of scores of those compared.
        order, names = self.scores.order, self._candidate_names
        means = self.scores.means[order]
        return pd.DataFrame(
            {
                "label": [names.label(i) for i in order],
                "mean": means,
                "behind": means[0] - means,
                **{name: values[order] for name, values in columns.items()},
            },
            index=pd.Index(names.indices_of(order), name="candidate"),
        )


_MOST_DRAWS = 10**9
"""With this many, the standard error of a probability is below 0.00002; more is a mistake."""


_MOST_VALUES = 6

_UNSET = "unset"


def _values(params: Any, candidates: Iterable[int], name: str, read: Reader) -> list[str]:
    """Different values of a parameter, as text, in the order in which they occur."""
    found = (read(params[c][name]) if name in params[c] else _UNSET for c in candidates)
    return list(dict.fromkeys(found))


def _values_in_words(values: list[str]) -> str:
    if len(values) <= _MOST_VALUES:
        return ", ".join(values)
    return f"{values[0]}, …, {values[-1]} ({len(values)} values)"


@dataclass(frozen=True, eq=False)
class Choice:
    """Result of `Comparison.choose`.

    Attributes
    ----------
    index : int
        Index of the candidate: its row in ``cv_results_``.
    label : str
        Its label.
    params : dict
        Its parameters.
    report : DataFrame
        A row per candidate, in rank order, indexed by candidate, with the columns ``label``,
        ``mean``, ``kept`` (whether the rule accepts it), ``why``, ``complexity`` (of rules that
        take the simplest), ``chosen``.
    """

    index: int
    label: str
    params: Mapping[str, Any]
    report: pd.DataFrame = field(repr=False)
