"""One model that was named beforehand against every other over data sets; and the possible best.

Each public function is a method of `DatasetsComparison`.
"""

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_probability
from sklearn_stats_compare.comparison import OWN, OfComparison
from sklearn_stats_compare.datasets._dataset_tests import PairTails
from sklearn_stats_compare.datasets._datasets_pairwise import (
    equivalence_pvalues,
    of_alternative,
    table_of,
)
from sklearn_stats_compare.stats import rank_pairs


def against(
    self: Any,
    reference: int | str,
    *,
    alternative: str = "two-sided",
    p_adjust: str | OfComparison | None = OWN,
) -> pd.DataFrame:
    """Test one model, named before the scores were seen, against every other.

    The family has m − 1 tests, not the m(m − 1)/2 pairs of `frequentist`, so the same difference
    gets a smaller p-value. Use it for a paper that proposes a method or defends a baseline.

    Parameters
    ----------
    reference : int or str
        Row or label of the model.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Alternative of `p_val` and `p_unadjusted`: "greater" asks whether the reference is better.
        Verdicts are two-sided.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by"}, optional
        Correction for the m − 1 tests. Default: the comparison's; "holm" instead of "shaffer",
        which is for all pairs. With ``test="nemenyi"`` the tests are of mean ranks, and
        "bonferroni" makes them Bonferroni–Dunn's.

    Returns
    -------
    DataFrame
        A row for each other model, best first, with the columns of `frequentist`; ``model_1`` is
        the reference.

    Raises
    ------
    ValueError
        If there is no such model, or an option is unknown.

    Warnings
    --------
    Do not choose the reference by its scores: use `leader_table`, which adjusts for all pairs.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.
    https://www.jmlr.org/papers/v7/demsar06a.html
    """
    row = self._names.row(reference, "reference")
    settings = dataclasses.replace(
        self.settings,
        alternative=alternative,
        p_adjust=self.settings.p_adjust_of_others
        if isinstance(p_adjust, OfComparison)
        else p_adjust,
    )
    if settings.p_adjust == "shaffer":
        raise ValueError("`p_adjust` must not be 'shaffer' here: it is for all pairs. Use 'holm'.")
    others = self.order[self.order != row]
    values = np.vstack([self.values[row], self.values[others]])
    tails = _of_first(self, settings, values, row)
    p_unadjusted = of_alternative(tails, settings.alternative)
    equivalence = equivalence_pvalues(
        settings, lambda shift: _each_other(settings, values, shift), len(others)
    )
    places = np.flatnonzero(self.order != row)
    return table_of(
        self,
        settings,
        (np.full_like(places, np.flatnonzero(self.order == row)[0]), places),
        tails,
        p_unadjusted=p_unadjusted,
        p_val=settings.adjusted(p_unadjusted),
        two_sided=settings.adjusted(tails.two_sided),
        equivalence=settings.adjusted(equivalence),
        intervals=True,
    )


def possibly_best(self: Any, alpha: float | None = None) -> pd.DataFrame:
    """Models that may be the best: a given true best is left out with probability ≤ alpha.

    Parameters
    ----------
    alpha : float, optional
        Level, in (0, 1). Default: the comparison's.

    Returns
    -------
    DataFrame
        The members in rank order, indexed by model, with the columns ``label``, ``mean_rank`` and
        ``p_val``. The last is the p-value of the hypothesis that no other model is better; it is at
        least alpha.

    Raises
    ------
    ValueError
        If `alpha` is not in (0, 1), or the test is Nemenyi's, which does not test each pair
        separately.

    Notes
    -----
    A model is left out if one of the m − 1 others is better by a one-sided test of the comparison
    at alpha/(m − 1). The bound follows from Bonferroni's inequality, as in `Comparison`. Here a
    model is the best if the hypothesis of the pair's test is true against every other model. For
    the signed-rank test, this means differences that are symmetric about zero or in favour of the
    model.
    """
    settings = self.settings
    if not settings.row.of_scores:
        raise ValueError(
            "`test` must not be 'nemenyi' here, because it tests ranks; use 'wilcoxon'."
        )
    level = settings.alpha if alpha is None else check_probability("alpha", alpha)
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


def _of_first(self: Any, settings: Any, values: NDArray[np.float64], row: int) -> PairTails:
    """The tests of the first row against the others."""
    n = len(values) - 1
    if settings.row.of_scores:
        return _each_other(settings, values, 0.0)
    # Tests of mean ranks among all models, not adjusted yet.
    ranks = self.ranks.mean(axis=1)
    others = self.order[self.order != row]
    pairs = rank_pairs(np.concatenate([ranks[[row]], ranks[others]]), self.n_datasets)
    unknown = np.full(n, np.nan)
    return PairTails(pairs.z[:n], pairs.pvalue[:n], unknown, unknown)


def _each_other(settings: Any, values: NDArray[np.float64], shift: float) -> PairTails:
    """Tests of the first row against each other; a pair's test needs no other scores."""
    own = [settings.row.tails(values[[0, k]], settings.zeros, shift) for k in range(1, len(values))]
    return PairTails(*(np.concatenate(each) for each in zip(*own, strict=True)))
