"""LearningCurveComparison: a comparison at each training-set size, and tables of all."""

import dataclasses
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from sklearn_stats_compare.comparison import Comparison, PairNames, frequentist_table
from sklearn_stats_compare.stats import Family, rope_probabilities


@dataclass(frozen=True, eq=False)
class LearningCurveComparison:
    """Result of `compare_learning_curves`.

    Attributes
    ----------
    sizes : tuple of int
        Training-set sizes, ascending.
    comparisons : dict of int to Comparison
        The comparison of the models at each size. Its variance is corrected for the overlap of the
        splits that the training sets are drawn from.
    metric : str
        Name of the score.
    """

    sizes: tuple[int, ...]
    comparisons: dict[int, Comparison] = field(repr=False)
    metric: str

    @property
    def curves(self) -> pd.DataFrame:
        """Mean score of each model at each size, a row per size and model.

        Columns: ``n_train``, ``model``, ``mean``, ``std_err`` (corrected), ``ci_low``, ``ci_high``
        (two-sided, of level 1 − alpha, not adjusted), ``n_splits``. NaN if a class was missing from
        a training set, or a fit failed.
        """
        frames = [
            comparison.ranking.sort_index()  # from rank order to that of the models
            .rename(columns={"label": "model"})
            .assign(n_train=size, n_splits=comparison.scores.n_splits)
            for size, comparison in self.comparisons.items()
        ]
        columns = ["n_train", "model", "mean", "std_err", "ci_low", "ci_high", "n_splits"]
        return pd.concat(frames, ignore_index=True)[columns]

    @property
    def verdicts(self) -> pd.DataFrame:
        """Verdict on every pair of models at each size.

        Columns: ``n_train``, ``model_1``, ``model_2``, in the order in which the models were given;
        ``mean_diff`` (model_1 − model_2), ``p_val``, two-sided and adjusted for the pairs of its
        size, ``verdict``. There is no adjustment for the number of sizes. An asymmetric ROPE is
        that of model_1 − model_2 at every size, whichever leads.
        """
        frames = []
        for size, comparison in self.comparisons.items():
            # Two-sided whatever `alternative` is: models are in the given order, not by rank.
            frames.append(_pairs_in_given_order(comparison).assign(n_train=size))
        columns = ["n_train", "model_1", "model_2", "mean_diff", "p_val", "verdict"]
        return pd.concat(frames, ignore_index=True)[columns]


def _pairs_in_given_order(comparison: Comparison) -> pd.DataFrame:
    """The two-sided table of all pairs, each the earlier model minus the later one."""
    ranked = comparison.settings.test.all_pairs(comparison.scores)
    turned = ranked.first > ranked.second
    # The pairs are reversed before they are tested: an asymmetric ROPE is then that of model_1 −
    # model_2 as in the table, whichever leads at this size.
    tests = dataclasses.replace(
        ranked,
        first=np.where(turned, ranked.second, ranked.first),
        second=np.where(turned, ranked.first, ranked.second),
        mean_diff=np.where(turned, -ranked.mean_diff, ranked.mean_diff),
    )
    settings = dataclasses.replace(comparison.settings, alternative="two-sided")
    given = np.arange(comparison.scores.n_candidates)
    table = frequentist_table(
        Family(comparison.scores, tests, settings),
        rope_probabilities(tests.mean_diff, tests.std_err, tests.df, settings.rope),
        names=PairNames(tuple(comparison.labels or ()), given, comparison.scores.missing),
    )
    names = {name: table[name].astype(object) for name in ("model_1", "model_2")}
    return table.assign(**names).iloc[np.lexsort((tests.second, tests.first))]
