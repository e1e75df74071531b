"""Comparison: tests, posteriors, tables and plots of the split scores of named candidates."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field, fields
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare.comparison import _tables
from sklearn_stats_compare.comparison._labels import (
    CandidateLabels,
    CandidateNames,
    checked_candidates,
    checked_labels,
    checked_params,
)
from sklearn_stats_compare.comparison._planning import Calls, next_step, plan, resolution
from sklearn_stats_compare.comparison._predictions import SubgroupComparison, by, with_settings
from sklearn_stats_compare.comparison._recommend import Recommendation, recommend
from sklearn_stats_compare.comparison._repr import html_repr, text_repr
from sklearn_stats_compare.comparison._saving import INDEPENDENT, split_column, to_csv, to_long
from sklearn_stats_compare.stats import _best, _family
from sklearn_stats_compare.stats._corrected_t import PairedTTests, Posterior, RopeProbabilities
from sklearn_stats_compare.stats._nested import OptimismResult, folds_by_repeat, selection_optimism
from sklearn_stats_compare.stats._sample_t import MANY_SPLITS
from sklearn_stats_compare.stats._score_range import counted_by
from sklearn_stats_compare.stats._scores import SplitScores

if TYPE_CHECKING:
    from sklearn_stats_compare.predictions._predicted import Predicted


class OfComparison(Enum):  # type checkers know an Enum of one member as a sentinel (PEP 484)
    """Default of `p_adjust`, where None already means no adjustment."""

    OWN = "the comparison's own"


OWN = OfComparison.OWN


def given_settings(p_adjust: Any, **others: Any) -> dict[str, Any]:
    """The settings that a call gives: not None, and a `p_adjust` that may be None."""
    given = {name: value for name, value in others.items() if value is not None}
    return given if isinstance(p_adjust, OfComparison) else {**given, "p_adjust": p_adjust}


@dataclass(frozen=True, eq=False, repr=False)
class PairwiseTables:
    """What comparisons on one data set and over several have alike."""

    def __getstate__(self) -> dict[str, Any]:
        # Without cached results: all pairs of 200 candidates take 3.6 MB.
        return {each.name: vars(self)[each.name] for each in fields(self)}

    def __dir__(self) -> list[str]:
        # What completion shows: `warn` is the default of an argument, which `replace` reads.
        return sorted({*super().__dir__()} - {"warn"})

    def _against_leader(self, alternative: str | None, p_adjust: Any) -> pd.DataFrame:
        """The leader table under these settings, where they are given."""
        own: Any = self
        changed = given_settings(p_adjust, alternative=alternative)
        return (own.with_settings(**changed) if changed else own)._leader_table.copy()

    def report(self, format: ReportFormat = "text", **options: Any) -> str:
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
    note : str, default=""
        A sentence on where the scores come from, shown with them.
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
    scores that are called accuracies, and otherwise each split counts as one sample. The interval
    and the posterior of such a pair use n too. If all scores are shares of test samples, such as
    accuracies, every test of equivalence has a p-value of at least P(Bin(n, h) ≤ n·mean_diff).
    Scores beyond ±1 have no such bound, because the contribution of a sample is unknown: agreement
    on every split then counts as equivalence.

    A comparison is valid for candidates that were chosen before the data were seen and scored on
    the same splits of one data set. With fewer than 10 splits, expanding windows or very uneven
    test sets, read the numbers only as a guide; a warning says so. The correction itself is an
    approximation: it assumes that the correlation between splits equals the share of samples in a
    test set. Error rates can exceed the stated level, as for candidates that favour different
    classes on stratified folds, many splits of few groups, or rare large losses: see "Where levels
    are exceeded" in the documentation.

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
    >>> comparison.frequentist()[["model_1", "model_2", "verdict"]]
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
    note: str = field(default="", kw_only=True)
    rope: float | tuple[float, float] | str = field(default=0.01, kw_only=True)
    alpha: float = field(default=0.05, kw_only=True)
    alternative: checks.Alternative = field(default="greater", kw_only=True)
    p_adjust: _family.PAdjust | None = field(default="bonferroni", kw_only=True)
    test: _family.PairTestName | _family.PairTest = field(default="corrected_t", kw_only=True)
    warn: InitVar[bool] = field(default=True, kw_only=True)
    # What only this package's readers know. Candidates that a race dropped are not compared:
    # index of each in its source, the number that the leader was chosen from, and the highest
    # p-value at which others were dropped as worse on new data.
    _candidates: Sequence[int] | None = field(default=None, kw_only=True)
    _n_entered: int | None = field(default=None, kw_only=True)
    _dropped_pvalue: float | None = field(default=None, kw_only=True)
    _predicted: Predicted | None = field(default=None, kw_only=True)  # kept predictions
    _results: Mapping[str, Any] | None = field(default=None, kw_only=True)  # `cv_results_`
    _lost: bool = field(default=False, kw_only=True)  # whether a copy left out what was predicted
    _calls: Calls = field(default=Calls(), kw_only=True)

    def __post_init__(self, warn: bool) -> None:
        if not isinstance(self.scores, SplitScores):
            raise TypeError(
                "`scores` must be SplitScores(values, SplitDesign(n_train, n_test)); "
                f"got {type(self.scores).__name__}."
            )
        if self._predicted is not None:
            known = dict(self._predicted.independent)
            if known.get("n_independent", np.inf) > self.scores.n_independent:
                known.pop("n_independent", None)
            if not known.items() <= self.scores.units.items():
                self._set(scores=dataclasses.replace(self.scores, **known))
            if self._predicted.splits_groups and _tables.SPLITS_GROUPS not in self.note:
                self._set(note=_tables.joined_notes(self.note, _tables.SPLITS_GROUPS))
        n = self.scores.n_candidates
        params = checked_params(self.params, n)
        if self._n_entered is not None:
            self._set(_n_entered=checks.check_count("n_entered", self._n_entered, n))
        if self._dropped_pvalue is not None:
            checks.check_probability("dropped_pvalue", self._dropped_pvalue)
        for name in ("metric", "note"):
            self._set(**{name: checks.check_written(name, getattr(self, name))})
        if self.scores.scorer_name == self.metric:
            self._set(scores=dataclasses.replace(self.scores, scorer_name=""))
        self._set(scores=counted_by(self.scores, self.metric))
        labels = checked_labels(self.labels, params, n)
        self._set(params=params, labels=labels, _candidates=checked_candidates(self._candidates, n))
        # A share is checked against a mean of 1: the leader's mean would cost a ranking of all
        # candidates, which may not be needed yet.
        rope = _tables.resolve_rope(self.rope, 1.0)
        settings = self._settings_at(rope)
        settings.test.check_scores(self.scores)
        self._set(alpha=settings.alpha, test=settings.test)
        if isinstance(self.rope, list):
            self._set(rope=tuple(self.rope))
        strained = _tables.check_assumptions(
            self.scores, settings.test, params=params, metric=self.metric,
            kept=self._keeps_values,
        )  # fmt: skip
        strained += _tables.mistaken_settings(self.scores, rope, settings.alpha)
        if warn and self._predicted is not None and self._predicted.puts_none:
            strained.append(
                "A candidate puts no sample into a class, so that its precision is the value of "
                "`zero_division`, and no estimate: do not read its intervals and verdicts."
            )
        if checks.check_flag("warn", warn) and strained:
            checks.warn_user(" ".join(strained), "comparison-warnings")

    def __getstate__(self) -> dict[str, Any]:
        # Nor values that no one asked to keep.
        by_default = self._predicted is not None and self._predicted.responses.by_default
        lost = {"_predicted": None, "_lost": True} if by_default or self._lost else {}
        return super().__getstate__() | lost

    def _set(self, **checked: Any) -> None:
        vars(self).update(checked)  # frozen for all others

    def _settings_at(self, rope: tuple[float, float]) -> _family.Settings:
        return _family.Settings(
            self.alternative, self.p_adjust, rope, self.alpha, _family.pair_test(self.test)
        )

    __repr__ = text_repr
    _repr_html_ = html_repr

    def ranking(self, *, rank_intervals: RankMethod | None = None, rng: Any = 0) -> pd.DataFrame:
        """Candidates from the best mean to the worst, failed ones last.

        Parameters
        ----------
        rank_intervals : {None, "holm", "bonferroni", "maxt"}, default=None
            Whether to add which ranks each candidate may have by its true mean, and the adjustment
            for the m(m − 1) one-sided tests of all ordered pairs. "maxt" uses their joint null
            distribution in a single step and takes longer.
        rng : None, int or numpy.random.Generator, default=0
            Source of the 20,000 draws of "maxt".

        Returns
        -------
        DataFrame
            Indexed by candidate (its row in ``cv_results_``), with the columns

            - ``rank``: 1 for the best, equal floating-point means share the better rank, <NA> for a
              failed candidate;
            - ``label``;
            - ``mean``: mean score over the splits, in score units;
            - ``std_err``: its standard error by the test, s·√(1/J + q) of the corrected t;
            - ``ci_low``, ``ci_high``: its own 1 − alpha interval. An overlap of two such intervals
              says little about the difference, because both scores rise and fall with the split:
              see the pairwise tables. With groups, it is for groups like these, and allows for no
              kind of group that fails wholly and is not among them;
            - with `rank_intervals`, ``rank_low`` and ``rank_high``: 1 is the best; <NA> for a
              failed candidate. With probability at least 1 − alpha, these intervals contain the
              true ranks of all candidates. They show how little a ranking by means may say: often
              the leader's interval reaches far down.

        Raises
        ------
        ValueError
            If `rank_intervals` or `rng` is invalid. With `rank_intervals`, if the test knows no
            standard error, or there are more than 20 million pairs.

        Warns
        -----
        ComparisonWarning
            With `rank_intervals`, after a race, or an extension of some candidates: ranks are among
            those compared.

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
        >>> table = comparison.ranking(rank_intervals="holm")
        >>> print(table[["label", "rank", "rank_low", "rank_high"]].to_string(index=False))
           label  rank  rank_low  rank_high
             new     1         1          2
            tree     2         1          3
        baseline     3         2          3
             old     4         4          4
        """
        checks.check_option("rank_intervals", rank_intervals, (None, *_best.RANK_METHODS))
        checks.check_rng(rng)
        table = self._ranking.copy()
        if rank_intervals is None:
            return table
        settings, order = self._settings, self.scores.order
        settings.check_has_std_err("rank_intervals")  # 5×2cv tests have no direction
        _tables.check_n_pairs(self.scores)
        low, high = _best.rank_limits(
            self.scores, alpha=settings.alpha, method=rank_intervals, rng=rng, test=settings.test
        )
        self._warn_of_survivors("The interval of a rank", settings.alpha)
        for name, limits in (("rank_low", low), ("rank_high", high)):
            table[name] = pd.Series(limits[order], table.index).astype("Int64")
        return table

    @cached_property
    def _ranking(self) -> pd.DataFrame:
        order, names = self.scores.order, self._candidate_names
        labels = [names.labels[row] for row in order]
        table = _tables.ranking_table(self.scores, labels, self._settings, self.metric)
        return table.set_axis(pd.Index(names.indices_of(order), name="candidate"))

    @property
    def leader(self) -> str | None:
        """Label of the candidate with the best mean (the first of ties); None if all failed."""
        leader = self._candidate_names.labels[self.scores.order[0]]
        return leader if self.scores.n_available else None

    @overload
    def frequentist(
        self,
        *,
        alternative: checks.Alternative | None = None,
        p_adjust: _family.PAdjust | OfComparison | None = OWN,
        test: _family.PairTestName | _family.PairTest | None = None,
        rng: Any = 0,
        chunk_size: None = None,
    ) -> pd.DataFrame: ...

    @overload
    def frequentist(
        self,
        *,
        alternative: checks.Alternative | None = None,
        p_adjust: _family.PAdjust | OfComparison | None = OWN,
        test: _family.PairTestName | _family.PairTest | None = None,
        rng: Any = 0,
        chunk_size: int,
    ) -> Iterator[pd.DataFrame]: ...

    def frequentist(
        self,
        *,
        alternative: checks.Alternative | None = None,
        p_adjust: _family.PAdjust | OfComparison | None = OWN,
        test: _family.PairTestName | _family.PairTest | None = None,
        rng: Any = 0,
        chunk_size: int | None = None,
    ) -> pd.DataFrame | Iterator[pd.DataFrame]:
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
        chunk_size : int, optional
            Largest number of pairs in one table, for more pairs than memory holds: a million take
            about 0.25 GB. Default: one table of all pairs.

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
              intervals), and for each pair separately otherwise. "maxt" and "holm" step down for
              verdicts only, so that an interval may include 0 although the verdict decides. For
              candidates with the same score on every split it contains the differences that so few
              samples could have missed;
            - ``verdict``: better, worse, equivalent, undecided or missing. It is always two-sided,
              and adjusted like `p_val` (not adjusted with ``p_adjust=None``). A one-sided `p_val`
              below alpha may therefore occur with ``undecided``.

            Equivalence refers to the comparison's ROPE, in score units: if scores do not lie
            between 0 and 1, `repr` shows its width relative to the leader's mean. A pair with a
            failed candidate is ``missing``, has NaN numbers and does not count in the family.

            With `chunk_size`, an iterator of tables of the same rows in the same order, to the last
            bit, with the further columns ``worse_prob``, ``better_prob``, ``rope_prob`` and
            ``bayesian_verdict`` of `bayesian`. Rows are numbered on from chunk to chunk, and every
            chunk has the same dtypes and categories, as a Parquet file requires. Without any pair
            there is one empty table.

        Raises
        ------
        ValueError
            If an option is unknown, `rng` is not a valid source of draws, a 5×2cv test is used with
            other splits or with "maxt", or there are more than 20 million pairs: see `against` and
            `chunk_size`. With `chunk_size`, if `p_adjust` is not None, "bonferroni" or "sidak": the
            other methods need the p-values of all pairs first.

        Notes
        -----
        The table by the comparison's own settings is computed once. Tables of 20 million pairs take
        about 3 GB (6 GB with pandas 2). Chunks have no such bound: they are computed anew each
        time, and only the scores and one chunk are in memory.

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

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
        >>> scores = 0.8 + 0.02 * np.random.default_rng(0).standard_normal((200, 30))
        >>> comparison = Comparison(SplitScores(scores, SplitDesign([90] * 30, [10] * 30)))
        >>> chunks = comparison.frequentist(chunk_size=8_000)
        >>> print(round(max(pairs["t_stat"].max() for pairs in chunks), 2))
        2.44

        This is the largest of 19,900 t statistics among 200 candidates that differ by chance only.
        """
        is_default = type(rng) is int and rng == 0
        rng = checks.check_rng(rng)
        own = self._settings
        of_pairs = None if test is None else _family.pair_test(test)
        given = given_settings(p_adjust, alternative=alternative, test=of_pairs)
        settings = dataclasses.replace(own, **given)
        # Before any number: a 5×2cv test of other splits would return meaningless numbers.
        settings.test.check_scores(self.scores)
        if chunk_size is not None:
            chunk_size = checks.check_count("chunk_size", chunk_size)
            settings.check_has_std_err("chunk_size")
            _tables.check_streamable(settings.p_adjust)
            names = self._pair_names
            return _tables.pair_tables(self.scores, chunk_size, names=names, settings=settings)
        if settings == own and (is_default or not settings.adjustment.joint):
            return _tables.copy_to_return(self._pairwise_frequentist)
        # A copy: other tables share the arrays of the columns.
        return self._frequentist(settings, rng).copy()

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
            `against` and the `chunk_size` of `frequentist`.

        References
        ----------
        Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a
        tutorial for comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
        http://jmlr.org/papers/v18/16-305.html
        """
        if rope is None:
            return _tables.copy_to_return(self._pairwise_bayesian)
        return self._bayesian(rope).copy()  # as of `frequentist`

    def against(
        self,
        reference: int | str | None = None,
        *,
        alternative: checks.Alternative | None = None,
        p_adjust: _family.PAdjust | OfComparison | None = OWN,
    ) -> pd.DataFrame:
        """Test one candidate against every other: the leader, or one named before.

        Without a reference, this is the leader against every other candidate, the first rows of
        both pairwise tables. The numbers are adjusted for all pairs, because the scores chose the
        leader. With `p_adjust` None, "bonferroni" or "sidak" no other pair is computed; the other
        methods need the p-value of every pair and raise an error for more than 20 million pairs.

        A reference must have been named before the scores were seen. Its family has m − 1 tests,
        not the m(m − 1)/2 pairs of `frequentist`, so the same difference gets a smaller p-value.
        Use it for a paper that proposes a method or defends a baseline. With ``p_adjust="maxt"``
        this is Dunnett's comparison, with the dependence and the variances estimated from the
        scores.

        Parameters
        ----------
        reference : int or str, optional
            Index of the candidate (its row in ``cv_results_``), or its label. Default: the leader.
        alternative : {"two-sided", "greater", "less"}, optional
            Alternative of `p_val` and `p_unadjusted`: "greater" asks whether the reference is
            better. Choose it before the scores are seen, too. Verdicts are two-sided. Default:
            "two-sided" with a reference, the comparison's for the leader.
        p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, optional
            Correction for the m − 1 tests, or for all pairs. Default: the comparison's.

        Returns
        -------
        DataFrame
            A row for each other candidate, best first, with the columns ``model_1`` (the reference
            or the leader), ``model_2``, ``mean_diff``, ``std_err``, ``t_stat``, ``p_unadjusted``,
            ``p_val``, ``ci_low``, ``ci_high``, ``worse_prob``, ``better_prob``, ``rope_prob``, and
            the ``verdict`` of the t-test on ``model_1``. See `frequentist` and `bayesian`.
            Intervals are simultaneous as there, with a reference over the m − 1 differences.

        Raises
        ------
        ValueError
            If there is no such candidate, an option is unknown, the test knows no standard error,
            or "maxt" is requested for more than 200 candidates.

        Warnings
        --------
        Do not choose the reference by its scores: the best of ten equal candidates is called better
        than some other too often. Without a reference the numbers allow for that choice.

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
        if reference is None:
            return self._against_leader(alternative, p_adjust)
        row = self._candidate_names.row(reference, "reference")
        given = given_settings(p_adjust, alternative=alternative)
        settings = dataclasses.replace(self._settings, **{"alternative": "two-sided"} | given)
        settings.check_has_std_err("against")
        scores = self.scores
        if settings.adjustment.joint and scores.n_pairs > _family.MOST_STEPPED_DOWN:
            raise ValueError(
                '`p_adjust` "maxt" must have at most 200 candidates here, because it simulates all '
                f'of their pairs; got {scores.n_candidates:,}. Use "holm".'
            )
        others = scores.order[scores.order != row]
        tests = settings.test.against(scores, row, others)
        n_tests = 0 if scores.missing[row] else int(np.count_nonzero(~scores.missing[others]))
        # Nothing is known about a reference that failed, and a family has at least one test.
        family = _family.Family(scores, tests, settings, n_tests=max(n_tests, 1))
        return _tables.joined_table(*_tables.both_tables(family, self._pair_names))

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
        self._settings.check_has_std_err("posterior")
        first, second = self._candidate_names.row(i, "i"), self._candidate_names.row(j, "j")
        tests = self._settings.test.against(self.scores, first, np.array([second]))
        return Posterior(
            df=np.ravel(tests.df)[0].item(),  # one for all pairs, or one each; J − 1 stays an int
            loc=float(tests.mean_diff[0]),
            scale=float(tests.std_err[0]),
            rope=self._settings.rope,
            n_agreed=tests.n_agreed if first != second else np.inf,
            unit=tests.unit,
            labels=(self._candidate_names.labels[first], self._candidate_names.labels[second]),
        )

    def by(self, groups: Any, *, min_samples: int = 30) -> SubgroupComparison:
        """Compare the leader with every other candidate within subgroups of samples.

        Parameters
        ----------
        groups : array-like of shape (n_samples,)
            Subgroup of each row of the data that the search was fitted on: a column of the data, an
            array, or bins of numbers from ``pandas.cut``. A Series is aligned by index with the
            data; samples of a long table of predictions have names only, and need one. A column of
            that table must get these names as its index first. At most 100 subgroups; missing
            values form the subgroup ``<NA>``.
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
        comparison's own. So the family is subgroups × all pairs, as in `against`, because the
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

    def with_settings(self, *, metric: Any = None, **settings: Any) -> Self:
        """The same candidates under other settings; nothing is fitted again.

        No warning about the splits is repeated. The test of samples warns of fits that failed.

        Parameters
        ----------
        metric : str or callable, optional
            Another metric of the same predictions, as for scikit-learn's `scoring`: a name, or what
            ``make_scorer`` returns. It must be computed from a response that was kept. A search
            scored by accuracy keeps ``predict``.
        **settings
            Any of `alternative`, `p_adjust`, `rope`, `alpha`, `test`, `labels`; labels may be
            "name=value", as ``C=1, gamma=0.1``, where parameters are known. A `rope` is in units of
            the score: 0.01 is a convention for scores between 0 and 1.

        Returns
        -------
        Comparison

        Raises
        ------
        TypeError
            If a setting is unknown.
        ValueError
            If no predictions were kept, or the metric needs more than these.

        Notes
        -----
        With two classes, probabilities replace decisions that were not kept, and `Comparison.note`
        says so; with more classes this raises an error. Scores by another metric are unweighted,
        even if the search passed sample weights to its scorers.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.neighbors import KNeighborsClassifier
        >>> from sklearn_stats_compare import StatisticalGridSearchCV
        >>> search = StatisticalGridSearchCV(
        ...     KNeighborsClassifier(), {"n_neighbors": [1, 9]}, scoring="neg_log_loss", cv=5,
        ...     test="samples", return_predictions=True,
        ... ).fit(*load_breast_cancer(return_X_y=True))
        >>> by_area = search.comparison_.with_settings(metric="roc_auc")
        >>> by_area.leader, by_area.metric
        ('9', 'roc_auc')
        """
        found = with_settings(self, metric, **settings)
        test, samples = found._settings.test, found.scores.samples
        is_new = self._settings.test.of_splits and not test.of_splits
        if is_new and samples is not None and samples.n_failed:
            checks.warn_user(" ".join(test.strained(found.scores)), "comparison-warnings")
        return found

    def possibly_best(
        self,
        alpha: float | None = None,
        *,
        method: SetMethod | None = None,
        everyone: bool = False,
        rng: Any = 0,
    ) -> pd.DataFrame:
        """Candidates that may be the best: a true best is left out with probability ≤ alpha.

        This guarantee accounts for the choice of the leader from the same data. Candidates tied
        with the leader are always in the set. After most races the guarantee covers only the
        survivors: see the Notes.

        Parameters
        ----------
        alpha : float, optional
            Level, in (0, 1). Default: the comparison's.
        method : {"mcb", "maxt", "mcs", "bayes"}, optional
            "mcb" makes Hsu's multiple comparisons with the best, m − 1 one-sided tests with
            Bonferroni's adjustment. "maxt" uses their joint null distribution, which usually gives
            a smaller set and takes longer. "mcs" is the model confidence set of Hansen, Lunde and
            Nason, which contains all best candidates at once with probability at least 1 − alpha,
            and is usually larger. "bayes" is the smallest set that contains the best with
            a posterior probability of 1 − alpha. Default: "maxt" for ``test="samples"`` and up to
            100 candidates, otherwise "mcb".
        everyone : bool, default=False
            Whether to list every candidate, with a column ``in_set``, rather than the members.
        rng : None, int or numpy.random.Generator, default=0
            Source of the 20,000 draws of all methods but "mcb".

        Returns
        -------
        DataFrame
            The members in rank order, indexed by candidate, with the columns ``label``, ``mean``,
            ``behind`` (the leader's mean minus its own, in score units) and ``p_val`` (of the
            hypothesis that the candidate is the best; at least alpha). With "bayes", in place of
            ``p_val``, ``best_prob`` (the probabilities of all candidates sum to 1; candidates that
            are always tied share theirs; their standard error is at most 0.0036) and
            ``within_rope_prob`` (the highest mean exceeds its own by no more than the ROPE's upper
            end). The table is empty if all candidates failed. With one split there is no p-value
            and no candidate is excluded.

        Raises
        ------
        ValueError
            If `alpha`, `method` or `rng` is invalid, or if `method` is "maxt" or "mcs" and there
            are more than 20 million pairs.

        Warns
        -----
        ComparisonWarning
            After a race, or an extension of some candidates: others are not compared. Not after a
            race with ``eliminate="inferiority"``, at its level or a higher one.

        Notes
        -----
        The set is valid under the assumptions of the comparison's test. Its members cannot be
        excluded as the best, but they are not necessarily equally good.

        There is no guarantee for all candidates that entered a race, unless it was run with
        ``eliminate="inferiority"``. By default a race drops the candidates that cannot win on these
        splits, which says nothing about new data. In simulations with equal
        candidates, a given true best was not in the set in 55 to 86 % of races among 5 to 50
        candidates over 30 splits, and in 2 to 4 % of full searches.

        The statistic of "mcs" is the range statistic T_R with the corrected variance. Its null
        distribution is the joint distribution of all t statistics, with a standard deviation for
        each pair. It is not a bootstrap of the splits, because these are not independent. The
        covariance of the candidates is shrunk towards independence, because few splits estimate it
        poorly. The cost grows with the square of the number of candidates: about 10 seconds at 500,
        up to a minute at 1,000.

        The joint posterior of "bayes" is multivariate t with J − 1 degrees of freedom; its pairwise
        differences are those of `posterior`. Candidates with the same score on every split are tied
        in each draw, although `posterior` allows a difference between them.

        References
        ----------
        Hsu, J. C. (1981). Simultaneous confidence intervals for all distances from the "best".
        Annals of Statistics 9, 1026–1034. https://doi.org/10.1214/aos/1176345582

        Hansen, P. R., Lunde, A. and Nason, J. M. (2011). The model confidence set. Econometrica
        79, 453–497. https://doi.org/10.3982/ECTA5771
        """
        # The null distribution of "maxt" and "mcs" covers every pair; the other methods need only
        # those of the leader, or none.
        if method is not None and checks.check_option("method", method, _SETS) in ("maxt", "mcs"):
            _tables.check_n_pairs(self.scores)
        checks.check_rng(rng)
        checks.check_flag("everyone", everyone)
        settings, scores = self._settings, self.scores
        settings.check_has_std_err("possibly_best")
        level = settings.alpha if alpha is None else checks.check_probability("alpha", alpha)
        one_split = (scores.n_splits < 2) & ~scores.missing  # excludes none of the candidates
        if method == "bayes":
            # The best minus a candidate is never negative: only the ROPE's upper end counts.
            drawn = _best.probability_best(
                scores, most_behind=settings.rope[1], rng=rng, test=settings.test
            )
            columns = {"best_prob": drawn.best, "within_rope_prob": drawn.within_rope}
            members = _credible_set(drawn.best, level) | one_split
        else:
            pvalues = (
                _best.model_confidence_set_pvalues(scores, rng=rng, test=settings.test)
                if method == "mcs"
                else _best.possibly_best_pvalues(scores, method=method, rng=rng, test=settings.test)
            )
            members = (pvalues >= level) | one_split
            columns = {"p_val": pvalues}
        table = self._ranked_with(**columns, in_set=members)
        # Last, so that a wrong argument raises without a warning before it.
        self._warn_of_survivors(_SETS[method or "mcb"], level)
        return table if everyone else table[table["in_set"]].drop(columns="in_set")

    def optimism(
        self,
        method: Literal["fold_bootstrap", "cross_selection", "tibshirani"] = "fold_bootstrap",
        rng: Any = 0,
    ) -> OptimismResult:
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
            scores it on the others; it has the smallest error, except by losses that a few splits
            dominate, such as the log loss of trees.
            "cross_selection" takes, for each split, the candidate that is best on the other splits
            of the same repeat and scores it on that split; it draws nothing. "tibshirani" subtracts
            the mean over the splits of the best score there minus the leader's (Tibshirani and
            Tibshirani, 2009); it corrects too much, and is there for comparison.
        rng : None, int or numpy.random.Generator, default=0
            Source of the resamples. Other seeds give estimates that differ by up to half.

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
        checks.check_rng(rng)  # before the work; "tibshirani" would not look at it
        found = selection_optimism(self.scores, method=method, rng=rng, metric=self.metric)
        # The two others score the choice of some folds on the other folds of the same repeat.
        if not folds_by_repeat(self.scores):
            checks.warn_user(
                "The splits form no repeats, so only 'tibshirani' can correct for the choice of "
                "the leader, and it usually corrects too much.",
                "no-repeats",
            )
        # The optimism grows with the number of candidates to choose from.
        if self._n_entered is not None and self._n_entered > self.scores.n_candidates:
            checks.warn_user(
                f"The leader was chosen from {self._n_entered:,} candidates, of which "
                f"{self.scores.n_candidates:,} are compared here: the others are left out of this "
                "estimate, and more of the leader's mean may be luck than it says.",
                "optimism-after-a-race",
            )
        return found

    def shortfall(
        self, alpha: float | None = None, *, method: Literal["mcb", "maxt"] = "mcb", rng: Any = 0
    ) -> pd.DataFrame:
        """How much worse than the best each candidate may be: upper bounds that hold all at once.

        With probability at least 1 − alpha, the true mean of no candidate is further below that of
        the best than its bound. The bounds hold together. You may therefore look at all of them,
        deploy the candidate that you like, and say that it is at most so much worse than the best.

        Parameters
        ----------
        alpha : float, optional
            Level, in (0, 1). Default: the comparison's.
        method : {"mcb", "maxt"}, default="mcb"
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
        if checks.check_option("method", method, _best.BEST_METHODS) == "maxt":
            _tables.check_n_pairs(self.scores)
        checks.check_rng(rng)
        level = self._settings.alpha if alpha is None else checks.check_probability("alpha", alpha)
        self._settings.check_has_std_err("shortfall")
        bounds = _best.regret_bounds(
            self.scores, alpha=level, method=method, rng=rng, test=self._settings.test
        )
        table = self._ranked_with(at_most=bounds)
        self._warn_of_survivors("The bound of the shortfall", level)
        return table

    def choose(self, rule: Any) -> Choice:
        """Which candidate a rule for ``refit=`` takes; nothing is fitted.

        Parameters
        ----------
        rule : SelectionRule
            `Simplest` or `BestSubjectTo`. The comparison supplies the split sizes, the metric and
            the ROPE. Columns of ``cv_results_`` such as times, and bounds of other metrics, need a
            comparison of a search of this package.

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
            race with ``eliminate="inferiority"``.

        Examples
        --------
        >>> from sklearn.base import clone
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_stats_compare import Simplest, StatisticalGridSearchCV
        >>> X, y = load_iris(return_X_y=True)
        >>> tree = DecisionTreeClassifier(random_state=0)
        >>> search = StatisticalGridSearchCV(tree, {"max_depth": [1, 2, 3, 4]}, cv=10).fit(X, y)
        >>> choice = search.comparison_.choose(Simplest("max_depth"))
        >>> choice
        Choice(index=1, label='2', params={'max_depth': 2})
        >>> deployed = clone(search.estimator).set_params(**choice.params).fit(X, y)
        """
        # This folder may not import its class; a class in place of an instance has a `choose` too.
        # So do arrays.
        is_other = isinstance(rule, type | np.ndarray | np.generic)
        if is_other or not callable(getattr(rule, "choose", None)):
            given = checks.shown(rule)
            raise TypeError(f"`rule` must be a rule, such as Simplest('C'); got {given}.")
        params = _tables.known_params(self)
        if getattr(rule, "metric", None) not in (None, "score", self.metric):
            raise ValueError(
                f"`rule` must be of the metric that is compared, {self.metric!r}; got one of "
                f"{rule.metric!r}. Ask compare(metric={rule.metric!r}) of the search."
            )
        self._settings.check_has_std_err("choose")
        if getattr(rule, "rope", "") is None:
            rule = dataclasses.replace(rule, rope=self._settings.rope)
        row, report = rule.choose(self._results_of_rules(), self.scores, self._settings.test)
        self._warn_of_survivors(
            f"The choice of {type(rule).__name__}", getattr(rule, "alpha", None)
        )
        names = self._candidate_names
        report = report.assign(label=[names.labels[k] for k in report.index])
        report.index = pd.Index(names.indices_of(report.index), name="candidate")
        return Choice(names.indices[row], names.labels[row], params[row], report)

    def recommend(self, by: Any = None, *, within: Any = None) -> Recommendation:
        """Which candidate to deploy, and what it and the cheaper ones may cost at most.

        The rule takes the simplest candidate that is shown to be at most the ROPE worse than the
        best, and the leader if there is no such candidate. ``refit=Simplest(within=None)`` is the
        same rule in a search, with an ``alpha`` of its own.

        If splits are few and the fits kept values of samples, as searches do by default, these
        decide: the result says so.

        Parameters
        ----------
        by : str, sequence of str, mapping or callable, optional
            Which candidate is simpler or cheaper, as for `Simplest`. Default: parameters whose
            order is known, such as ``C`` or ``max_depth``, if candidates differ in no others; else
            the time to fit and to score.
        within : {"possibly_best", "rope", "1se"}, float or str, optional
            Which candidates are good enough, as for `Simplest`. Default: the upper end of the ROPE,
            in score units.

        Returns
        -------
        Recommendation
            It prints two to five lines. ``candidates`` is the table behind them, and ``plot()``
            draws it.

        Raises
        ------
        ValueError
            If `by` or `within` is invalid, the test knows no standard error, or every candidate
            failed.

        Warns
        -----
        ComparisonWarning
            After a race, or an extension of some candidates: others are not compared.

        Notes
        -----
        The bounds are those of `shortfall`: with probability at least 1 − alpha, no candidate is
        further below the best than its bound. You may therefore look at all of them and take any.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_stats_compare import StatisticalGridSearchCV
        >>> search = StatisticalGridSearchCV(
        ...     DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4, 8]},
        ...     cv=10, rope=0.05,
        ... ).fit(*load_breast_cancer(return_X_y=True))
        >>> search.recommend()
        Deploy max_depth=2: the smallest max_depth of the 3 shown to be within the ROPE of the best.
        By samples: mean accuracy 0.921 ± 0.014; at most 0.032 below the best of 4 (95 %).
        Simpler: max_depth=1 may cost up to 0.066.
        predict() of this search uses max_depth=4.
        """
        return recommend(self, by, within)

    def plan(
        self,
        difference: float | None = None,
        power: float = 0.8,
        alpha: float | None = None,
        p_adjust: _family.PAdjust | None = None,
    ) -> pd.DataFrame:
        """Which true differences from the leader are found, and how many repeats one takes.

        Without a `difference`: for the leader and each other candidate, the smallest true
        difference that the two-sided corrected t-test finds with probability `power`: with the
        present design, with 2 and 5 times its repeats, and with infinitely many. No number of
        repeats finds a smaller difference than this last one with that probability (about
        2.80·s·√q at the defaults), because repeats reuse the same data.

        With one: how many repeats it takes to find it in a single test. The verdicts of the tables
        are adjusted for all pairs and require more repeats, so a pair may be ``undecided`` although
        the answer here is "enough".

        Parameters
        ----------
        difference : float, optional
            True difference to find, > 0, in score units.
        power : float, default=0.8
            Probability of finding it, in (0, 1) and above `alpha`.
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
            - ``std``: standard deviation s of the split differences, in score units.

            Without a `difference` also

            - ``detectable``, ``detectable_2x``, ``detectable_5x``, ``detectable_limit``: the
              differences found with probability `power`, in score units;
            - ``note``: why a number is NaN, or "". 2x and 5x are NaN if the repeats are unknown.

            With one also

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
        The values are computed from the non-central t distribution with J − 1 degrees of freedom
        and non-centrality δ/(s·√(1/J + q)), with the observed s and a correlation of the splits of
        q/(1 + q), which the corrected test assumes. With ``test="samples"`` there are n − 1 degrees
        of freedom, more repeats reduce only the part of the variance that is between repeats, and
        ``std`` is √n times the standard error. More repeats require that the folds can be drawn
        anew, unlike those of LeaveOneGroupOut and PredefinedSplit. Each further repeat helps less.
        Beyond ten, further repeats are seldom worthwhile.

        The values refer to single tests of a candidate against a given leader. The verdicts of
        `against` have less power: they are adjusted for all pairs, because the scores determined
        the leader. For their resolution under Bonferroni's method, set ``alpha=0.05 / n_pairs``.

        This is not a test. It describes what the design can show; the pairwise tables describe what
        the scores show. `evaluation.calibrate` simulates how often such verdicts are right.

        References
        ----------
        Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine
        Learning 52, 239–281. https://doi.org/10.1023/A:1024068626366
        """
        if difference is None:
            return resolution(self, power, alpha, p_adjust)
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
        Undecided against 10.0. More samples may decide, about 1,000 instead of 569. To deploy one
        now, recommend() says which, and what it may cost.
        """
        return next_step(self)

    def plot(self, kind: PictureKind = "leader", **options: Any) -> Any:
        """Draw the comparison.

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
        from sklearn_stats_compare import displays

        kinds = displays.PICTURES
        return kinds[checks.check_option("kind", kind, kinds)].from_comparison(self, **options)

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
        ``to_long().to_csv(path, index=False)``, unless only some splits form repeats or repeats
        have different numbers of folds: use `to_csv` for these. Rows of models that were scored
        elsewhere on the same splits can be added.

        Returns
        -------
        DataFrame
            With the columns

            - ``model``: the candidate's label;
            - ``split``: number of the split, from 0;
            - ``repeat``, ``fold``: numbers of the repeat and of the split in it, from 0, if the
              splits are known to be repeats of a partition;
            - ``metric``, ``greater_is_better``, ``score``: True in all rows, whatever the name of
              the metric suggests; the score is NaN where a candidate failed;
            - ``n_train``, ``n_test``: numbers of samples of the split; or ``test_train_ratio``, the
              same in all rows, if only that is known;
            - ``n_samples``, ``complementary_halves`` and other structure: as in `SplitDesign`, the
              same in all rows, if the number is known or the structure applies; ``n_independent``,
              as in `SplitScores`, if it is finite.

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
          model  split metric  greater_is_better  score  n_train  n_test
        0   svm      0  score               True   0.91       90      10
        1   svm      1  score               True   0.89       90      10
        >>> compare(comparison.to_long()).leader
        'svm'
        """
        return to_long(self)

    def _results_of_rules(self) -> dict[str, Any]:
        """What a rule reads of ``cv_results_``, of the candidates that are compared."""
        columns = {split_column(k, self.metric): own for k, own in enumerate(self.scores.values.T)}
        rows = list(self._candidates or ())
        of_search = {
            name: np.asarray(values)[rows]
            for name, values in (self._results or {}).items()
            if name.startswith(("mean_", "std_", "split"))  # times and scores
        }
        of_search[INDEPENDENT] = (self._results or {}).get(INDEPENDENT, {})
        params = [{}] * self.scores.n_candidates if self.params is None else list(self.params)
        if getattr(self.note, "instead", "") == _tables.BEST_OF_SEARCHES:
            # The smallest C of several kinds of models is not the simplest.
            names = self._candidate_names.labels
            params = [{"search": name, **own} for name, own in zip(names, params, strict=True)]
        return {**of_search, "params": params, **columns}

    def _candidate(self, which: int | str, *, name: str = "which") -> int:
        """Index of the candidate with this index or label; errors call the argument `name`."""
        return self._candidate_names.indices[self._candidate_names.row(which, name)]

    @property
    def _naming(self) -> str:
        """What labels are made of, as "candidates are named C_gamma"; "" if labels show it."""
        return self.labels.naming if isinstance(self.labels, CandidateLabels) else ""

    @cached_property
    def _settings(self) -> _family.Settings:
        """Alternative, adjustment, ROPE in score units, level and test, as one value."""
        return self._settings_at(_tables.resolve_rope(self.rope, _tables.leader_mean(self.scores)))

    @cached_property
    def _candidate_names(self) -> CandidateNames:
        return CandidateNames(tuple(self.labels or ()), tuple(self._candidates or ()), self.note)

    @cached_property
    def _pair_names(self) -> _tables.PairNames:
        labels = self._candidate_names.labels
        return _tables.PairNames(labels, self.scores.order, self.scores.missing)

    @cached_property
    def _all_pairs(self) -> PairedTTests:
        _tables.check_n_pairs(self.scores, self.p_adjust)
        return self._settings.test.all_pairs(self.scores)

    @cached_property
    def _probabilities(self) -> RopeProbabilities:
        """ROPE probabilities of all pairs; both tables use them."""
        return self._all_pairs.rope_probabilities(self._settings.rope)

    @cached_property
    def _pairwise_frequentist(self) -> pd.DataFrame:
        return self._frequentist(self._settings)

    @cached_property
    def _pairwise_bayesian(self) -> pd.DataFrame:
        return self._bayesian()

    @cached_property
    def _possibly_best_members(self) -> NDArray[np.bool_]:
        """Whether each candidate may be the best at `alpha`; no warning of survivors."""
        self._settings.check_has_std_err("possibly_best")
        pvalues = _best.possibly_best_pvalues(self.scores, test=self._settings.test)
        members: NDArray[np.bool_] = pvalues >= self._settings.alpha
        members.flags.writeable = False  # it is kept
        return members

    @cached_property
    def _leader_table(self) -> pd.DataFrame:
        settings = self._settings
        settings.check_has_std_err("against")
        # These adjust a p-value by the family size alone: m − 1 tests instead of m(m − 1)/2.
        if settings.adjustment.closed_form:
            tests = settings.test.against_leader(self.scores)
            # The family size is that of all pairs, because the scores chose the leader.
            family = _family.Family(self.scores, tests, settings)
            return _tables.joined_table(*_tables.both_tables(family, self._pair_names))
        # In rank order the pairs of the leader come first.
        n_others = self.scores.n_candidates - 1
        return _tables.joined_table(
            self._pairwise_frequentist.iloc[:n_others], self._pairwise_bayesian.iloc[:n_others]
        )

    def _frequentist(self, settings: _family.Settings, rng: Any = 0) -> pd.DataFrame:
        """The table of `frequentist`, read-only."""
        own, test = self._settings, settings.test
        if test == own.test:  # computed once for all tables, whatever their adjustment
            tests = self._all_pairs
            probabilities = self._probabilities if test.has_std_err else None
        else:
            _tables.check_n_pairs(self.scores, own.p_adjust)
            tests = test.all_pairs(self.scores)
            probabilities = tests.rope_probabilities(settings.rope) if test.has_std_err else None
        family = _family.Family(self.scores, tests, settings, checks.check_rng(rng))
        return _tables.frequentist_table(family, probabilities, names=self._pair_names)

    def _bayesian(self, rope: float | tuple[float, float] | str | None = None) -> pd.DataFrame:
        """The table of `bayesian`, read-only."""
        self._settings.check_has_std_err("bayesian")
        tests = self._all_pairs
        if rope is None:
            probabilities = self._probabilities
        else:
            # "1%" is a share of the leader's mean, which becomes score units here.
            region = _tables.resolve_rope(rope, _tables.leader_mean(self.scores))
            probabilities = tests.rope_probabilities(region)
        alpha = self._settings.alpha
        return _tables.bayesian_table(tests, probabilities, names=self._pair_names, alpha=alpha)

    @property
    def _keeps_values(self) -> bool:
        """Whether there are values of samples, or predictions that give some."""
        kept = self._predicted
        return self.scores.samples is not None or (kept is not None and kept.have_values)

    def _by_samples(self) -> Comparison | None:
        """The same by the test of samples, if splits are few and it is suited; else None."""
        test: Any = self._settings.test
        few = self.scores.n_splits < MANY_SPLITS
        if self._keeps_values and test.of_splits and test.has_std_err and few:
            # Where some fit has no values, such as one that a ledger had before.
            with suppress(ValueError):
                found = with_settings(self, test="samples")
                test = found._settings.test
                return found if test.is_suited(found.scores) else None
        return None

    @property
    def _may_lack_the_best(self) -> bool:
        """Whether the best of all that entered may have been dropped, at this alpha."""
        n = self.scores.n_candidates
        return _tables.may_lack_the_best(self._n_entered, n, self._dropped_pvalue, self.alpha)

    def _warn_of_survivors(self, choice: str, alpha: float | None) -> None:
        n = self.scores.n_candidates
        _tables.warn_of_survivors(self._n_entered, n, choice, self._dropped_pvalue, alpha)

    def _ranked_with(self, **columns: NDArray[Any]) -> pd.DataFrame:
        """Candidates in rank order with their means, and columns in the order of candidates."""
        # Labels and indices of the names are of cv_results_, rows of scores of those compared.
        order, names = self.scores.order, self._candidate_names
        means = self.scores.means[order]
        behind = means[0] - means
        # Means that differ by rounding alone are tied.
        behind[np.abs(behind) <= 8 * np.finfo(float).eps * np.abs(means[0])] = 0.0
        return pd.DataFrame(
            {
                "label": [names.labels[i] for i in order],
                "mean": means,
                "behind": behind,
                **{name: values[order] for name, values in columns.items()},
            },
            index=pd.Index(names.indices_of(order), name="candidate"),
        )


ReportFormat = Literal["text", "markdown", "latex", "html", "json", "bibtex"]
SetMethod = Literal["mcb", "maxt", "mcs", "bayes"]
RankMethod = Literal["holm", "bonferroni", "maxt"]
PictureKind = Literal[
    "leader",
    "pairwise",
    "parameter_heatmap",
    "parameter_profile",
    "posterior",
    "ranks",
    "rope_sensitivity",
    "split_scores",
    "subgroups",
]

_SETS = {
    "mcb": "The possibly-best set",
    "maxt": "The possibly-best set",
    "mcs": "The model confidence set",
    "bayes": "The credible set of the best",
}


def _credible_set(probabilities: NDArray[np.float64], alpha: float) -> NDArray[np.bool_]:
    """Members of the smallest set with a total probability of 1 − alpha; NaN are none."""
    known = np.nan_to_num(probabilities)
    order = np.argsort(-known, kind="stable")
    before = np.cumsum(known[order]) - known[order]
    # Rounding of the sum must not add a candidate; equal probabilities are in or out together.
    enough = known[order][before < 1 - alpha - 1e-12]
    return np.asarray((known >= enough.min(initial=np.inf)) & (known > 0))


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
