"""DatasetsComparison: ranks, tests, posteriors and tables of models over several data sets."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare.comparison._comparison import (
    OWN,
    Comparison,
    OfComparison,
    PairwiseTables,
    given_settings,
)
from sklearn_stats_compare.comparison._labels import CandidateNames, checked_labels
from sklearn_stats_compare.comparison._saving import DIRECTION
from sklearn_stats_compare.comparison._tables import copy_to_return, verdicts
from sklearn_stats_compare.datasets import _over_splits, _tests
from sklearn_stats_compare.datasets._repr import datasets_html, datasets_text, next_step
from sklearn_stats_compare.stats._corrected_t import RopeProbabilities
from sklearn_stats_compare.stats._numeric import LARGEST
from sklearn_stats_compare.stats.datasets import _rank_tests
from sklearn_stats_compare.stats.datasets._bayesian import (
    bayesian_sign_test,
    bayesian_signed_rank_draws,
    bayesian_signed_rank_pairs,
)
from sklearn_stats_compare.stats.datasets._signed_rank import PseudoMedians, pseudo_medians

_NONE: Mapping[str, Comparison] = {}

Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, eq=False, repr=False)
class DatasetsComparison(PairwiseTables):
    """Statistical comparison of models over several data sets.

    `compare_datasets` makes one. The data sets are a sample of those that the question is about,
    and each of them counts once. The tables are computed on first access and then kept.

    Parameters
    ----------
    values : array-like of float, shape (n_models, n_datasets)
        Mean score of each model on each data set, higher is better.
    labels : sequence of str
        A unique name for each model.
    datasets : sequence of str
        A unique name for each data set.
    metric : str, default="score"
        Name of the score, for display.
    comparisons : mapping of str to Comparison, optional
        The comparison on each data set, where split scores are known. The hierarchical model and
        the verdicts on single data sets need them.
    note : str, default=""
        A sentence on where the scores come from, shown with them.
    test : {"wilcoxon", "sign", "nemenyi"}, default="wilcoxon"
        Test of a pair. "wilcoxon" is the signed-rank test of the differences; "sign" counts on how
        many data sets each model is better; "nemenyi" compares mean ranks, which depend on the
        other models: see the Notes.
    zeros : {"pratt", "wilcox", "zsplit"}, default="pratt"
        How the signed-rank test treats data sets on which two models tie, as in
        ``scipy.stats.wilcoxon``. Pratt's method ranks them and then drops their ranks; "wilcox"
        drops them first; "zsplit" shares their ranks between both models, as Demšar (2006) does.
    alternative : {"greater", "less", "two-sided"}, default="two-sided"
        Alternative of `p_val` and `p_unadjusted`, for model_1 against model_2. Verdicts and
        intervals are always two-sided.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "shaffer"}, \
            default="holm"
        How p-values are adjusted for the number of pairs. "shaffer" is Shaffer's static method: at
        least as powerful as "holm", for two-sided tests of equality of all pairs. It assumes that
        two models that equal a third are equal; see `stats.shaffer_pvalues`.
    rope : float or (float, float), default=0.01
        Region of practical equivalence of a score difference: a half-width or (low, high) of
        model_1 − model_2, in score units.
    alpha : float, default=0.05
        Level of verdicts and of intervals, in (0, 1).
    warn : bool, default=True
        Whether to issue one `ComparisonWarning` if there are too few data sets for the test.

    Raises
    ------
    ValueError
        If an option is unknown or out of range, names are not unique, there are fewer than two
        models or data sets, a score is missing, or `alternative` is one-sided with Nemenyi's test
        or Shaffer's method.

    Notes
    -----
    **What is tested.** The signed-rank test asks whether the differences of two models over data
    sets are symmetric about zero. It assumes that the data sets are independent and that
    differences on different data sets can be ranked together. The sign test assumes only that the
    data sets are independent. Both use one score for each data set and ignore how precise it is.
    The hierarchical model uses the scores of all splits.

    **Equivalence** concerns the typical difference: the pseudo-median for the signed-rank test, the
    median for the sign test. It does not concern the mean: two models that are alike on most data
    sets are equivalent even if one is far worse on a few. With a mean difference at the limit of
    the ROPE and a skewed (exponential) distribution, the signed-rank test finds equivalence in 13 %
    of samples of 10 data sets and in 33 % of 50, at alpha 0.05 (± 0.9 %); with symmetric
    differences, in at most 6 %. `on_each` shows each data set.

    **Intervals** of the pseudo-median assume continuous differences. Ties make them wider: with
    accuracies on 30 samples, 95 % intervals covered the pseudo-median in 97 to 100 % of
    simulations, otherwise in 94 to 97 %. With ties an interval may contain 0 although the verdict
    finds a difference.

    **Mean ranks** depend on the other models: whether two models differ by Nemenyi's test may
    change when a third one is left out (Benavoli, Corani and Mangili, 2016). The default therefore
    tests pairs by Wilcoxon's test with Holm's adjustment. Ranks order the tables and the diagram.

    **Splits are not data sets.** Splits or repeats of one data set are not independent, and tests
    of this class reject far too often for them. Use `compare` for one data set.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.
    https://www.jmlr.org/papers/v7/demsar06a.html

    Benavoli, A., Corani, G. and Mangili, F. (2016). Should we really use post-hoc tests based on
    mean-ranks? JMLR 17(5), 1–10. http://jmlr.org/papers/v17/benavoli16a.html

    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial for
    comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
    http://jmlr.org/papers/v18/16-305.html
    """

    values: NDArray[np.float64]
    labels: Sequence[str]
    datasets: Sequence[str]
    metric: str = field(default="score", kw_only=True)
    comparisons: Mapping[str, Comparison] = field(default_factory=lambda: _NONE, kw_only=True)
    note: str = field(default="", kw_only=True)
    test: _tests.DatasetTestName = field(default="wilcoxon", kw_only=True)
    zeros: _tests.Zeros = field(default="pratt", kw_only=True)
    alternative: checks.Alternative = field(default="two-sided", kw_only=True)
    p_adjust: _tests.DatasetsPAdjust | None = field(default="holm", kw_only=True)
    rope: float | tuple[float, float] = field(default=0.01, kw_only=True)
    alpha: float = field(default=0.05, kw_only=True)
    warn: InitVar[bool] = field(default=True, kw_only=True)

    def __post_init__(self, warn: bool) -> None:
        values = checks.check_numbers("values", self.values)
        if values.ndim != 2 or min(values.shape) < 2:
            raise ValueError(
                "`values` must be scores of at least 2 models on at least 2 data sets; got shape "
                f"{values.shape}."
            )
        broken = values[~(np.abs(values) <= LARGEST)]
        if broken.size:
            raise ValueError(
                f"`values` must be finite numbers from −{LARGEST:g} to {LARGEST:g}; got "
                f"{float(broken[0])!r}."
            )
        labels = checked_labels(self.labels, None, len(values))
        datasets = _checked_datasets(self.datasets, values.shape[1])
        if isinstance(self.values, pd.DataFrame):
            axes = (
                ("labels", labels, self.values.index),
                ("datasets", datasets, self.values.columns),
            )
            for name, given, axis in axes:
                own = [str(label) for label in axis]
                if own not in ([*given], [*map(str, range(len(own)))]):
                    raise ValueError(
                        f"`{name}` must be those of the DataFrame, in its order, "
                        f"{checks.shown_list(map(repr, own))}; got {checks.shown(list(given))}."
                    )
        if not isinstance(self.comparisons, Mapping):
            raise TypeError(
                "`comparisons` must be a mapping of data sets to comparisons; got "
                f"{checks.shown(self.comparisons)}."
            )
        comparisons = {checks.encodable(str(name)): own for name, own in self.comparisons.items()}
        unknown = [name for name in comparisons if name not in datasets]
        if unknown:
            raise checks.wrong("comparisons", "be named after data sets", unknown[0])
        for own in comparisons.values():
            if not set(labels) <= set(getattr(own, "labels", None) or ()):
                raise checks.wrong("comparisons", f"be of models {labels}", own)
        written = {
            name: checks.check_written(name, vars(self)[name]) for name in ("metric", "note")
        }
        values.setflags(write=False)
        vars(self).update(values=values, labels=labels, datasets=datasets, **written)
        vars(self).update(comparisons=comparisons if comparisons else self.comparisons)
        vars(self).update(alpha=self._settings.alpha)
        problems = _tests.check_dataset_assumptions(values, self._settings)
        if checks.check_flag("warn", warn) and problems:
            checks.warn_user(" ".join(problems), "few-data-sets")

    __repr__ = datasets_text
    _repr_html_ = datasets_html

    @cached_property
    def _settings(self) -> _tests.DatasetsSettings:
        """Test, adjustment, ROPE in score units and level, as one value."""
        rope = checks.check_interval("rope", self.rope)
        return _tests.DatasetsSettings(
            self.test, self.zeros, self.alternative, self.p_adjust, rope, self.alpha
        )

    @property
    def n_models(self) -> int:
        """Number of models."""
        return len(self.labels)

    @property
    def n_datasets(self) -> int:
        """Number of data sets."""
        return len(self.datasets)

    def ranking(self) -> pd.DataFrame:
        """Models from the best mean rank to the worst.

        Indexed by model, its row in `values`, with the columns

        - ``rank``: 1 for the best mean rank; models with the same mean rank share the better rank;
        - ``label``;
        - ``mean_rank``: mean over data sets of the model's rank; 1 is the best, and ties are
          averaged;
        - ``mean``, ``median``: of its scores, in score units;
        - ``n_best``: on how many data sets no other model is better.
        """
        return self._ranking.copy()

    def frequentist(
        self,
        *,
        test: _tests.DatasetTestName | None = None,
        zeros: _tests.Zeros | None = None,
        alternative: checks.Alternative | None = None,
        p_adjust: _tests.DatasetsPAdjust | OfComparison | None = OWN,
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
        p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "shaffer"}, \
                optional
            Correction for the number of pairs. Default: the comparison's. Nemenyi's test is
            adjusted already.
        intervals : bool, optional
            Whether to compute ``median_diff`` and its interval, which are NaN otherwise. Default:
            True if this takes at most 20 million means of two differences, such as 4,950 pairs on
            89 data sets.

        Returns
        -------
        DataFrame
            A row per pair, model_1 ranked before model_2, best pairs first, with the columns

            - ``model_1``, ``model_2``: labels, as categoricals in rank order;
            - ``mean_diff``: mean over data sets of the score of model_1 minus that of model_2, in
              score units; ``median_diff``: Hodges and Lehmann's pseudo-median of the differences;
            - ``statistic``: z of the signed-rank test, wins minus losses, or z of the mean ranks;
              positive if model_1 is better;
            - ``p_unadjusted``, ``p_val``: p-values for `alternative`, before and after the
              adjustment;
            - ``ci_low``, ``ci_high``: two-sided 1 − alpha interval of the pseudo-median, by the
              signed-rank test: simultaneous over all pairs for "bonferroni", "sidak", "holm" and
              "shaffer" (the last two use Bonferroni's intervals), for each pair separately
              otherwise; infinite if there are too few data sets for the level;
            - ``verdict``: better, worse, equivalent or undecided. Always two-sided, and adjusted.
              ``equivalent``: two one-sided tests of the same kind, adjusted by the same method
              (Holm's for "shaffer"), place the difference inside the ROPE. Nemenyi's test has no
              equivalence.

        Raises
        ------
        ValueError
            If an option is unknown, or `alternative` is one-sided with Nemenyi's test or Shaffer's
            method.
        """
        own = self._settings
        given = given_settings(p_adjust, test=test, zeros=zeros, alternative=alternative)
        settings = dataclasses.replace(own, **given)
        if intervals is None and settings == own:
            return copy_to_return(self._pairwise_frequentist)
        return self._frequentist(settings, intervals)

    def _frequentist(
        self, settings: _tests.DatasetsSettings, intervals: bool | None
    ) -> pd.DataFrame:
        values = self.values[self.order]
        pairs = np.triu_indices(len(values), 1)
        if intervals is not None:
            checks.check_flag("intervals", intervals)
        else:
            n = self.n_datasets
            intervals = len(pairs[0]) * n * (n + 1) // 2 <= _MOST_WALSH
        return self._tested(
            settings,
            pairs,
            lambda shift: settings.row.tails(values, settings.zeros, shift),
            lambda pvalues: settings.adjusted_for_all(pvalues, len(values)),
            intervals,
        )

    def bayesian(
        self,
        *,
        test: Literal["signed_rank", "sign"] = "signed_rank",
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
            - ``worse_prob``, ``better_prob``, ``rope_prob``: probability that on data sets like
              these model_1 is mostly worse than model_2 by more than the ROPE allows, mostly better
              by more, or mostly neither;
            - ``verdict``: the one of the three with probability at least 1 − alpha, else
              ``undecided``. Probabilities are not adjusted for the number of pairs.

        Raises
        ------
        ValueError
            If `test` is unknown, `rope` is not a half-width or (low, high), or `rng` is not a valid
            source of draws.

        Notes
        -----
        "Mostly" refers to the means of two differences in the signed-rank test, and to differences
        in the sign test. A probability of 0.95 that model_1 is mostly better does not say how much
        better it is, and does not mean that it is better on 95 % of data sets.

        References
        ----------
        Benavoli, A., Corani, G., Mangili, F., Zaffalon, M. and Ruggeri, F. (2014). A Bayesian
        Wilcoxon signed-rank test based on the Dirichlet process. ICML 2014, PMLR 32(2), 1026–1034.
        http://proceedings.mlr.press/v32/benavoli14.html

        Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
        for comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
        http://jmlr.org/papers/v18/16-305.html
        """
        checks.check_option("test", test, _BAYESIAN)
        if test == "signed_rank" and rope is None and type(rng) is int and rng == 0:
            return copy_to_return(self._pairwise_bayesian)
        checks.check_rng(rng)
        bounds = self._settings.rope if rope is None else checks.check_interval("rope", rope)
        return self._bayesian(test, bounds, rng)

    def _bayesian(self, test: str, bounds: tuple[float, float], rng: Any) -> pd.DataFrame:
        values = self.values[self.order]
        if test == "sign":
            found = _by_signs(values, bounds)
        else:
            found = bayesian_signed_rank_pairs(values, bounds, rng=rng)
        pairs = np.triu_indices(len(values), 1)
        enough = 1 - self._settings.alpha
        return pd.DataFrame(
            {
                **self._labelled(pairs),
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

    def against(
        self,
        reference: int | str | None = None,
        *,
        alternative: checks.Alternative | None = None,
        p_adjust: _tests.DatasetsPAdjust | OfComparison | None = OWN,
    ) -> pd.DataFrame:
        """Test one model against every other: the leader, or one named before.

        Without a reference, this is the leader against every other model, the first rows of both
        pairwise tables, adjusted for all pairs, because the scores chose the leader.

        A reference must have been named before the scores were seen. Its family has m − 1 tests,
        not the m(m − 1)/2 pairs of `frequentist`, so the same difference gets a smaller p-value.
        Use it for a paper that proposes a method or defends a baseline.

        Parameters
        ----------
        reference : int or str, optional
            Row or label of the model. Default: the leader.
        alternative : {"two-sided", "greater", "less"}, optional
            Alternative of `p_val` and `p_unadjusted`: "greater" asks whether the reference is
            better. Verdicts are two-sided. Default: "two-sided" with a reference, the comparison's
            for the leader.
        p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by"}, optional
            Correction for the m − 1 tests, or for all pairs. Default: the comparison's; with a
            reference "holm" instead of "shaffer", which is for all pairs. With ``test="nemenyi"``
            the tests are of mean ranks, and "bonferroni" makes them Bonferroni–Dunn's.

        Returns
        -------
        DataFrame
            A row for each other model, best first, with the columns of `frequentist`; ``model_1``
            is the reference. Those of the leader also have ``worse_prob``, ``better_prob`` and
            ``rope_prob`` before ``verdict``.

        Raises
        ------
        ValueError
            If there is no such model, or an option is unknown.

        Warnings
        --------
        Do not choose the reference by its scores: leave it out, which adjusts for all pairs.

        References
        ----------
        Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7,
        1–30. https://www.jmlr.org/papers/v7/demsar06a.html
        """
        if reference is None:
            return self._against_leader(alternative, p_adjust)
        row = self._names.row(reference, "reference")
        own = {"alternative": "two-sided", "p_adjust": self._settings.p_adjust_of_others}
        given = given_settings(p_adjust, alternative=alternative)
        settings = dataclasses.replace(self._settings, **own | given)
        if settings.p_adjust == "shaffer":
            raise ValueError(
                "`p_adjust` must not be 'shaffer' here: it is for all pairs. Use 'holm'."
            )
        others = self.order[self.order != row]
        values = np.vstack([self.values[row], self.values[others]])

        def tails_at(shift: float) -> _tests.PairTails:
            if not settings.row.of_scores:
                # Tests of the mean rank of a model among all models, not adjusted yet.
                ranks = self.ranks.mean(axis=1)[[row, *others]]
                pairs = _rank_tests.rank_pairs(ranks, self.n_datasets)
                n, unknown = len(others), np.full(len(others), np.nan)
                return _tests.PairTails(pairs.z[:n], pairs.pvalue[:n], unknown, unknown)
            # A pair's test needs no other scores.
            own = [settings.row.tails(values[[0, k]], settings.zeros, shift)
                   for k in range(1, len(values))]  # fmt: skip
            return _tests.PairTails(*(np.concatenate(each) for each in zip(*own, strict=True)))

        places = np.flatnonzero(self.order != row)
        first = np.full_like(places, np.flatnonzero(self.order == row)[0])
        return self._tested(settings, (first, places), tails_at, settings.adjusted, True)

    def possibly_best(self, alpha: float | None = None) -> pd.DataFrame:
        """Models that may be the best: a given true best is left out with probability ≤ alpha.

        Parameters
        ----------
        alpha : float, optional
            Level, in (0, 1). Default: the comparison's.

        Returns
        -------
        DataFrame
            The members in rank order, indexed by model, with the columns ``label``, ``mean_rank``
            and ``p_val``. The last is the p-value of the hypothesis that no other model is better;
            it is at least alpha.

        Raises
        ------
        ValueError
            If `alpha` is not in (0, 1), or the test is Nemenyi's, which does not test each pair
            separately.

        Notes
        -----
        A model is left out if one of the m − 1 others is better by a one-sided test of the
        comparison at alpha/(m − 1). The bound follows from Bonferroni's inequality, as in
        `Comparison`. Here a model is the best if the hypothesis of the pair's test is true against
        every other model. For the signed-rank test, this means differences that are symmetric about
        zero or in favour of the model.
        """
        settings = self._settings
        if not settings.row.of_scores:
            raise ValueError(
                "`test` must not be 'nemenyi' here, because it tests ranks; use 'wilcoxon'."
            )
        level = settings.alpha if alpha is None else checks.check_probability("alpha", alpha)
        n = self.n_models
        tails = settings.row.tails(np.asarray(self.values), settings.zeros, 0.0)
        first, second = np.triu_indices(n, 1)
        lowest = np.ones(n)
        np.minimum.at(lowest, first, tails.less)
        np.minimum.at(lowest, second, tails.greater)
        pvalues = np.minimum(1.0, (n - 1) * lowest)
        order = self.order
        table = pd.DataFrame(
            {
                "label": [str(self.labels[row]) for row in order],
                "mean_rank": self.ranks.mean(axis=1)[order],
                "p_val": pvalues[order],
            },
            index=pd.Index(order, name="model"),
        )
        return table[table["p_val"] >= level]

    def friedman(self, *, tie_correction: bool = True) -> _rank_tests.FriedmanResult:
        """Test whether the models have equal ranks, by Friedman's test.

        Parameters
        ----------
        tie_correction : bool, default=True
            Whether to correct for ties, as SciPy does; Demšar (2006) does not.

        Returns
        -------
        FriedmanResult
            Friedman's χ², Iman and Davenport's F, Kendall's W, and mean ranks in the order of
            `labels`.

        Raises
        ------
        ValueError
            If `tie_correction` is not True or False.
        """
        return _rank_tests.friedman_test(self.values, tie_correction=tie_correction)

    def critical_difference(
        self,
        method: Literal["nemenyi", "bonferroni_dunn"] = "nemenyi",
        *,
        alpha: float | None = None,
    ) -> float:
        """The difference of mean ranks from which two models differ.

        Parameters
        ----------
        method : {"nemenyi", "bonferroni_dunn"}, default="nemenyi"
            "nemenyi" is for all pairs, "bonferroni_dunn" for one control against all others.
        alpha : float, optional
            Level, in (0, 1). Default: the comparison's.

        Returns
        -------
        float
            In ranks.

        Raises
        ------
        ValueError
            If `method` is unknown or `alpha` is not in (0, 1).
        """
        own = _CRITICAL[checks.check_option("method", method, _CRITICAL)]
        level = self.alpha if alpha is None else checks.check_probability("alpha", alpha)
        return own(self.n_models, self.n_datasets, level)

    def hierarchical(
        self,
        i: int | str,
        j: int | str,
        *,
        rope: float | tuple[float, float] | None = None,
        rng: Any = 0,
        **options: Any,
    ) -> _over_splits.PairOverDatasets:
        """Compare two models by the hierarchical model of all their split scores.

        Parameters
        ----------
        i, j : int or str
            Rows or labels of two models.
        rope : float or (float, float), optional
            Region of practical equivalence, in score units. Default: the comparison's.
        rng : None, int or numpy.random.Generator, default=0
            Source of the draws; the default makes results reproducible.
        **options
            As for `stats.bayesian_hierarchical`: `mean_limit`, `n_chains`, `n_draws` and
            `n_warmup`. Without `n_draws`, each chain keeps 500 draws; if they do not converge,
            2,000, and then 8,000.

        Returns
        -------
        PairOverDatasets
            Probabilities that model `i` is worse, practically equivalent or better than model `j`
            on the next data set and on average over data sets, and the difference on each data set,
            shrunken towards the others.

        Raises
        ------
        ValueError
            If there is no such model, `i` and `j` are the same, split scores are not known for
            every data set, or an option is invalid.

        Warns
        -----
        ComparisonWarning
            If the sampler has not converged.

        Notes
        -----
        The model assumes that the correlation of two splits of a data set is the share of samples
        in the test set, as the corrected t-test does. Data sets with precise scores count for more.
        It is valid for independent data sets of one population; with fewer than about five, the
        result depends on the prior. See `stats.bayesian_hierarchical`.

        References
        ----------
        Corani, G., Benavoli, A., Demšar, J., Mangili, F. and Zaffalon, M. (2017). Statistical
        comparison of classifiers through Bayesian hierarchical modelling. Machine Learning 106,
        1817–1837. https://doi.org/10.1007/s10994-017-5641-9
        """
        return _over_splits.hierarchical(self, i, j, rope, rng, options)

    def posterior_draws(
        self,
        i: int | str,
        j: int | str,
        *,
        rope: float | tuple[float, float] | None = None,
        n_draws: int = 10_000,
        rng: Any = 0,
    ) -> NDArray[np.float64]:
        """Draws from the posterior of the Bayesian signed-rank test of two models.

        Parameters
        ----------
        i, j : int or str
            Rows or labels of two models.
        rope : float or (float, float), optional
            Region of practical equivalence, in score units. Default: the comparison's.
        n_draws : int, default=10,000
            Number of draws.
        rng : None, int or numpy.random.Generator, default=0
            Source of the draws.

        Returns
        -------
        ndarray of float, shape (n_draws, 3)
            Probability that model `i` is worse, practically equivalent or better than model `j`, by
            the mean of two data sets; each row sums to 1.

        Raises
        ------
        ValueError
            If there is no such model, `i` and `j` are the same, or an option is invalid.
        """
        first, second = _over_splits.two_models(self, i, j)
        bounds = self._settings.rope if rope is None else checks.check_interval("rope", rope)
        differences = self.values[first] - self.values[second]
        return bayesian_signed_rank_draws(differences, bounds, n_draws=n_draws, rng=rng)

    def on_each(self, i: int | str | None = None, j: int | str | None = None) -> pd.DataFrame:
        """Differences of two models on each data set.

        Parameters
        ----------
        i, j : int or str
            Rows or labels of two models.

        Returns
        -------
        DataFrame
            A row per data set with the columns ``dataset``; ``mean_diff``, model `i` minus model
            `j`, in score units; and ``std_err``, two-sided ``p_val``, ``ci_low``, ``ci_high`` and
            ``verdict``. These come from the test of the data set's own comparison, at the `alpha`
            and `rope` of this comparison. They are not adjusted for the number of data sets.
            Without split scores they are NaN, and the verdict is ``missing``.

        Raises
        ------
        ValueError
            If there is no such model.
        """
        return _over_splits.on_each(self, i, j)

    def win_tie_loss(self) -> pd.DataFrame:
        """On how many data sets each model is better than each other.

        Returns
        -------
        DataFrame
            A row per pair, in the order of `frequentist`, with the columns ``model_1``,
            ``model_2``; ``wins``, ``ties``, ``losses`` of model_1 by mean scores; and, if split
            scores are known, ``better``, ``worse``, ``equivalent``, ``undecided`` and ``missing``:
            on how many data sets the test of split scores gives this verdict, not adjusted for the
            number of pairs or data sets.

        Notes
        -----
        A count of "significant wins" is not a test. It depends on how many splits each data set has
        and ignores the sizes of differences (Demšar, 2006, section 3.1.4). Use `frequentist`.
        """
        return _over_splits.win_tie_loss(self)

    def with_settings(self, **settings: Any) -> Self:
        """The same scores under other settings.

        Parameters
        ----------
        **settings
            Any of `test`, `zeros`, `alternative`, `p_adjust`, `rope` and `alpha`.

        Returns
        -------
        DatasetsComparison

        Raises
        ------
        TypeError
            If a setting is unknown.
        ValueError
            If a value is out of range.
        """
        known = [each.name for each in fields(_tests.DatasetsSettings)]
        for name in settings:
            if name not in known:
                near = checks.meant(name, known)
                raise TypeError(f"A setting must be one of {', '.join(known)}; got {name!r}.{near}")
        return dataclasses.replace(self, **settings, warn=False)

    def to_long(self) -> pd.DataFrame:
        """The scores as a long table, which `compare_datasets` reads.

        Returns
        -------
        DataFrame
            With the columns of `Comparison.to_long` after ``dataset``, if split scores are known
            for every data set; else a row per model and data set with the columns ``dataset``,
            ``model``, ``metric``, ``greater_is_better`` and ``score``.
        """
        if len(self.comparisons) == self.n_datasets:
            parts = [own.to_long() for own in self.comparisons.values()]
            table = pd.concat(parts, keys=list(self.comparisons), names=["dataset"])
            table = table.reset_index(level="dataset").reset_index(drop=True)
            # A model that was left out here may still be in the comparisons.
            return table[table["model"].astype(str).isin(self.labels)].reset_index(drop=True)
        return pd.DataFrame(
            {
                "dataset": np.repeat(self.datasets, self.n_models),
                "model": np.tile(self.labels, self.n_datasets),
                "metric": self.metric,
                DIRECTION: True,
                "score": self.values.T.ravel(),
            }
        )

    def next_step(self) -> str:
        """What to do next, in a sentence or two.

        Returns
        -------
        str
            If the pair's test finds the leader by mean rank worse than another model, the text says
            so. If models are undecided against the leader, it estimates how many data sets would
            find a difference as large as the observed one with a probability of one half, at the
            level of the verdicts.

        Notes
        -----
        The number of data sets is a rough extrapolation: z grows with the square root of their
        number. It is for the first undecided model and Bonferroni's level, the lowest that a
        step-down method may need; Nemenyi's test has its own critical value.
        """
        return next_step(self)

    def plot(
        self,
        kind: Literal[
            "critical_difference", "ranks", "differences", "simplex"
        ] = "critical_difference",
        **options: Any,
    ) -> Any:
        """Draw the comparison.

        Parameters
        ----------
        kind : {"critical_difference", "ranks", "differences", "simplex"}, \
                default="critical_difference"
            What to draw: the kind ``"critical_difference"`` is
            `displays.CriticalDifferenceDisplay`, and so on.
        **options
            As for ``from_comparison`` of the display, such as ``ax``, or ``i`` and ``j`` of a pair.

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
        from sklearn_stats_compare.displays import DATASETS_PICTURES as PICTURES

        display = PICTURES[checks.check_option("kind", kind, PICTURES)]
        return display.from_comparison(self, **options)

    @property
    def leader(self) -> str:
        """Label of the model with the best mean rank; of ties, the one with the better mean."""
        return str(self.labels[self.order[0]])

    @cached_property
    def ranks(self) -> NDArray[np.float64]:
        """Rank of each model on each data set, shape (n_models, n_datasets); 1 the best."""
        return _rank_tests.dataset_ranks(self.values)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Rows of the models from the best mean rank to the worst; ties by mean, then by row."""
        values = np.asarray(self.values)
        return np.lexsort((-values.mean(axis=1), self.ranks.mean(axis=1).round(12)))

    @property
    def test_words(self) -> str:
        """The test of a pair, in words."""
        settings = self._settings
        zeros = f", {_tests.ZEROS_IN_WORDS[settings.zeros]}" if settings.test == "wilcoxon" else ""
        return f"{settings.row.words}{zeros}"

    def _labelled(self, pairs: Pairs) -> dict[str, pd.Categorical]:
        """Labels of the models of pairs, given by their places in rank order."""
        categories = pd.CategoricalDtype([str(self.labels[row]) for row in self.order])
        return {
            name: pd.Categorical.from_codes(places, dtype=categories)
            for name, places in zip(("model_1", "model_2"), pairs, strict=True)
        }

    def _tested(
        self,
        settings: _tests.DatasetsSettings,
        pairs: Pairs,
        tails_at: Callable[[float], _tests.PairTails],
        adjusted: Callable[[NDArray[np.float64]], NDArray[np.float64]],
        intervals: bool,
    ) -> pd.DataFrame:
        """The table of tests of pairs, given by their places in rank order.

        `tails_at` tests the pairs against a difference; `adjusted` adjusts p-values of equality.
        """
        values = self.values[self.order]
        first, second = pairs
        tails = tails_at(0.0)
        p_unadjusted = tails.pvalue(settings.alternative)
        decided = adjusted(tails.two_sided) < settings.alpha
        low, high = settings.rope
        equivalence = np.ones(len(first))
        if settings.row.of_scores and low < high:
            # Nothing is beyond an infinite bound.
            below = tails_at(low).greater if np.isfinite(low) else 0.0
            above = tails_at(high).less if np.isfinite(high) else 0.0
            equivalence = np.maximum(equivalence * below, above)
        ends = PseudoMedians(*np.full((3, len(first)), np.nan))
        if intervals:
            ends = pseudo_medians(values[first] - values[second], settings.tail(len(first)))
        return pd.DataFrame(
            {
                **self._labelled(pairs),
                "mean_diff": values[first].mean(axis=1) - values[second].mean(axis=1),
                "median_diff": ends.middle,
                "statistic": tails.statistic,
                "p_unadjusted": p_unadjusted,
                "p_val": adjusted(p_unadjusted),
                "ci_low": ends.low,
                "ci_high": ends.high,
                "verdict": verdicts(
                    better=decided & (tails.statistic > 0),
                    worse=decided & (tails.statistic < 0),
                    equivalent=settings.adjusted(equivalence) < settings.alpha,
                    missing=np.zeros(len(first), dtype=bool),
                ),
            }
        )

    @cached_property
    def _names(self) -> CandidateNames:
        return CandidateNames(tuple(self.labels), tuple(range(self.n_models)))

    @cached_property
    def _ranking(self) -> pd.DataFrame:
        order, values = self.order, self.values[self.order]
        mean_ranks = self.ranks.mean(axis=1)[order]
        return pd.DataFrame(
            {
                "rank": pd.Series(mean_ranks.round(12)).rank(method="min").astype(int).array,
                "label": [str(self.labels[row]) for row in order],
                "mean_rank": mean_ranks,
                "mean": values.mean(axis=1),
                "median": np.median(values, axis=1),
                "n_best": (self.ranks == self.ranks.min(axis=0)).sum(axis=1)[order],
            },
            index=pd.Index(order, name="model"),
        )

    @cached_property
    def _pairwise_frequentist(self) -> pd.DataFrame:
        return self._frequentist(self._settings, None)

    @cached_property
    def _pairwise_bayesian(self) -> pd.DataFrame:
        return self._bayesian("signed_rank", self._settings.rope, 0)

    @cached_property
    def _leader_table(self) -> pd.DataFrame:
        n_others = self.n_models - 1
        tests = self._pairwise_frequentist.iloc[:n_others]
        if tests["median_diff"].isna().all():  # there were too many pairs
            values = self.values[self.order]
            n_pairs = self.n_models * n_others // 2
            ends = pseudo_medians(values[0] - values[1:], self._settings.tail(n_pairs))
            tests = tests.assign(median_diff=ends.middle, ci_low=ends.low, ci_high=ends.high)
        posterior = self._pairwise_bayesian.iloc[:n_others]
        probabilities = posterior[["worse_prob", "better_prob", "rope_prob"]]
        return pd.concat([tests.drop(columns="verdict"), probabilities, tests["verdict"]], axis=1)


def _checked_datasets(datasets: Any, n: int) -> tuple[str, ...]:
    given = checks.check_listed("datasets", datasets, "a sequence, one per data set")
    names = tuple(checks.encodable(str(name)) for name in given)
    if len(names) != n or len(set(names)) < n:
        raise checks.wrong("datasets", f"be {n} different names, one per data set", list(names))
    return names


_MOST_WALSH = 20_000_000
"""Walsh averages for which intervals of all pairs take about a second."""


def _by_signs(values: NDArray[np.float64], rope: Any) -> RopeProbabilities:
    pairs = zip(*np.triu_indices(len(values), 1), strict=True)
    found = [bayesian_sign_test(values[i] - values[j], rope)
             for i, j in pairs]  # fmt: skip
    return RopeProbabilities(*map(np.array, zip(*found, strict=True)))


_BAYESIAN = ("signed_rank", "sign")
_CRITICAL = {
    "nemenyi": _rank_tests.nemenyi_critical_difference,
    "bonferroni_dunn": _rank_tests.bonferroni_dunn_critical_difference,
}
