"""DatasetsComparison: ranks, tests, posteriors and tables of models over several data sets."""

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
    check_flag,
    check_interval,
    check_listed,
    check_numbers,
    check_text,
    outside_level,
    shown,
)
from sklearn_stats_compare.comparison import CandidateNames, Comparison, checked_labels
from sklearn_stats_compare.datasets import _datasets_pairwise
from sklearn_stats_compare.datasets._dataset_tests import ZEROS_IN_WORDS
from sklearn_stats_compare.datasets._datasets_methods import DatasetsMethods
from sklearn_stats_compare.datasets._datasets_settings import DatasetsSettings
from sklearn_stats_compare.datasets._datasets_strain import strained_datasets
from sklearn_stats_compare.datasets._datasets_text import datasets_html, datasets_text
from sklearn_stats_compare.stats import dataset_ranks

_NONE: Mapping[str, Comparison] = {}


@dataclass(frozen=True, eq=False, repr=False)
class DatasetsComparison(DatasetsMethods):
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
    test: str = field(default="wilcoxon", kw_only=True)
    zeros: str = field(default="pratt", kw_only=True)
    alternative: str = field(default="two-sided", kw_only=True)
    p_adjust: str | None = field(default="holm", kw_only=True)
    rope: float | tuple[float, float] = field(default=0.01, kw_only=True)
    alpha: float = field(default=0.05, kw_only=True)
    warn: InitVar[bool] = field(default=True, kw_only=True)

    def __post_init__(self, warn: bool) -> None:
        values = check_numbers("values", self.values)
        if values.ndim != 2 or min(values.shape) < 2:
            raise ValueError(
                "`values` must be scores of at least 2 models on at least 2 data sets; got shape "
                f"{values.shape}."
            )
        if not np.isfinite(values).all():
            raise ValueError("`values` must be finite numbers; got NaN or infinity.")
        labels = checked_labels(self.labels, None, len(values))
        datasets = _checked_datasets(self.datasets, values.shape[1])
        unknown = [name for name in self.comparisons if name not in datasets]
        if unknown:
            raise ValueError(
                f"`comparisons` must be named after data sets; got {shown(unknown[0])}."
            )
        check_text("metric", self.metric)
        check_text("note", self.note)
        values.setflags(write=False)
        vars(self).update(values=values, labels=labels, datasets=datasets)
        vars(self).update(alpha=self.settings.alpha)
        strained = strained_datasets(values, self.settings)
        if check_flag("warn", warn) and strained:
            warnings.warn(" ".join(strained), ComparisonWarning, stacklevel=outside_level())

    def __getstate__(self) -> dict[str, Any]:
        # Without cached tables.
        return {each.name: vars(self)[each.name] for each in fields(self)}

    def __repr__(self) -> str:
        return datasets_text(self)

    def _repr_html_(self) -> str:
        return datasets_html(self)

    @cached_property
    def settings(self) -> DatasetsSettings:
        """Test, adjustment, ROPE in score units and level, as one value."""
        rope = check_interval("rope", self.rope)
        return DatasetsSettings(
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

    @property
    def rope_bounds(self) -> tuple[float, float]:
        """The ROPE as (low, high) in score units."""
        return self.settings.rope

    @property
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

    @property
    def pairwise_frequentist(self) -> pd.DataFrame:
        """`frequentist()` with the comparison's own settings, computed once; a copy."""
        return self._pairwise_frequentist.copy()

    @property
    def pairwise_bayesian(self) -> pd.DataFrame:
        """`bayesian()` with the comparison's own settings, computed once; a copy."""
        return self._pairwise_bayesian.copy()

    @property
    def leader_table(self) -> pd.DataFrame:
        """The leader against every other model: the first rows of both pairwise tables.

        The numbers are adjusted for all pairs, because the scores chose the leader. Columns: those
        of `frequentist` with ``worse_prob``, ``better_prob`` and ``rope_prob`` before ``verdict``.
        """
        return self._leader_table.copy()

    @property
    def leader(self) -> str:
        """Label of the model with the best mean rank; of ties, the one with the better mean."""
        return str(self.labels[self.order[0]])

    @property
    def leader_index(self) -> int:
        """Row of the leader in `values`."""
        return int(self.order[0])

    @cached_property
    def ranks(self) -> NDArray[np.float64]:
        """Rank of each model on each data set, shape (n_models, n_datasets); 1 the best."""
        return dataset_ranks(self.values)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Rows of the models from the best mean rank to the worst; ties by mean, then by row."""
        values = np.asarray(self.values)
        return np.lexsort((-values.mean(axis=1), self.ranks.mean(axis=1).round(12)))

    @property
    def test_words(self) -> str:
        """The test of a pair, in words."""
        settings = self.settings
        zeros = f", {ZEROS_IN_WORDS[settings.zeros]}" if settings.test == "wilcoxon" else ""
        return f"{settings.row.words}{zeros}"

    @property
    def _pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows of the models of each pair, in the order of `frequentist`."""
        first, second = np.triu_indices(self.n_models, 1)
        return self.order[first], self.order[second]

    @property
    def _pair_labels(self) -> dict[str, pd.Categorical]:
        return _datasets_pairwise.pair_labels(self, np.triu_indices(self.n_models, 1))

    @cached_property
    def _names(self) -> CandidateNames:
        return CandidateNames(tuple(self.labels), tuple(range(self.n_models)))

    @cached_property
    def _ranking(self) -> pd.DataFrame:
        return _datasets_pairwise.ranking_of(self)

    @cached_property
    def _pairwise_frequentist(self) -> pd.DataFrame:
        return _datasets_pairwise.frequentist(self)

    @cached_property
    def _pairwise_bayesian(self) -> pd.DataFrame:
        return _datasets_pairwise.bayesian(self)

    @cached_property
    def _leader_table(self) -> pd.DataFrame:
        return _datasets_pairwise.leader_table(self)


def _checked_datasets(datasets: Any, n: int) -> tuple[str, ...]:
    names = tuple(
        str(name) for name in check_listed("datasets", datasets, "a sequence, one per data set")
    )
    if len(names) != n or len(set(names)) < n:
        raise ValueError(
            f"`datasets` must be {n} different names, one per data set; got {shown(list(names))}."
        )
    return names
