"""Comparison: tests, posteriors, tables and plots of the split scores of named candidates."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_count,
    check_flag,
    check_probability,
    check_text,
    outside_level,
)
from sklearn_stats_compare.comparison import _pairwise
from sklearn_stats_compare.comparison._assumptions import mistaken_settings, strained_assumptions
from sklearn_stats_compare.comparison._by_predictions import KeptPredictions
from sklearn_stats_compare.comparison._candidate_names import (
    CandidateNames,
    checked_candidates,
    checked_labels,
    checked_params,
)
from sklearn_stats_compare.comparison._glance import html_at_a_glance, text_at_a_glance
from sklearn_stats_compare.comparison._labels import CandidateLabels
from sklearn_stats_compare.comparison._methods import ComparisonMethods
from sklearn_stats_compare.comparison._rope import leader_mean, resolve_rope
from sklearn_stats_compare.comparison._standing import standing
from sklearn_stats_compare.comparison._stream import check_n_pairs
from sklearn_stats_compare.comparison._tables import PairNames, copy_to_return
from sklearn_stats_compare.stats import (
    CORRECTED_T,
    PairedTTests,
    PairTest,
    RopeProbabilities,
    Settings,
    SplitScores,
    pair_test,
    possibly_best_pvalues,
)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(ComparisonMethods):
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
    predicted: KeptPredictions | None = field(default=None, kw_only=True)
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
        check_text("metric", self.metric)
        check_text("note", self.note)
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
        strained = strained_assumptions(self.scores, settings.test)
        strained += mistaken_settings(self.scores, rope, settings.alpha)
        if check_flag("warn", warn) and strained:
            warnings.warn(" ".join(strained), ComparisonWarning, stacklevel=outside_level())

    def _set(self, **checked: Any) -> None:
        vars(self).update(checked)  # frozen for all others

    def _settings(self, rope: tuple[float, float]) -> Settings:
        return Settings(self.alternative, self.p_adjust, rope, self.alpha, pair_test(self.test))

    def __getstate__(self) -> dict[str, Any]:
        # Without cached results: all pairs of 200 candidates take 3.6 MB.
        return {each.name: vars(self)[each.name] for each in fields(self)}

    def __repr__(self) -> str:
        return text_at_a_glance(self)

    def _repr_html_(self) -> str:
        return html_at_a_glance(self)

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
        return standing(self)

    @property
    def pairwise_frequentist(self) -> pd.DataFrame:
        """`frequentist()` with the comparison's own settings, computed once; a copy."""
        return copy_to_return(self._pairwise_frequentist)

    @property
    def pairwise_bayesian(self) -> pd.DataFrame:
        """`bayesian()` with the comparison's own settings, computed once; a copy."""
        return copy_to_return(self._pairwise_bayesian)

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

    def candidate(self, which: int | str, *, name: str = "candidate") -> int:
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
        return _pairwise.frequentist_to_keep(self)

    @cached_property
    def _pairwise_bayesian(self) -> pd.DataFrame:
        return _pairwise.bayesian_to_keep(self)

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
        return _pairwise.leader_table(self)
