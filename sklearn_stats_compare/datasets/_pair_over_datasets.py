"""PairOverDatasets: what the hierarchical model says of two models."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import level_words, one_line
from sklearn_stats_compare.stats import HierarchicalResult, RopeProbabilities

_LABEL_WIDTH = 40


@dataclass(frozen=True, eq=False, repr=False)
class PairOverDatasets:
    """Two models by the hierarchical model of their split scores on several data sets.

    `DatasetsComparison.hierarchical` makes one.

    Attributes
    ----------
    model_1, model_2 : str
        Labels of the models; differences are model_1 − model_2.
    metric : str
        Name of the score.
    datasets : tuple of str
        Names of the data sets.
    rope : (float, float)
        Region of practical equivalence, in score units.
    differences : sequence of ndarray
        Differences on the splits of each data set.
    result : HierarchicalResult
        The posterior.
    """

    model_1: str
    model_2: str
    metric: str
    datasets: tuple[str, ...]
    rope: tuple[float, float]
    differences: Sequence[NDArray[np.float64]] = field(repr=False)
    result: HierarchicalResult = field(repr=False)

    @property
    def next_dataset(self) -> RopeProbabilities:
        """Probability (worse, rope, better) of the true difference on the next data set."""
        return self.result.next_dataset

    @property
    def average(self) -> RopeProbabilities:
        """Probability (worse, rope, better) of the average over data sets."""
        return self.result.average

    @property
    def shrunken(self) -> NDArray[np.float64]:
        """Posterior mean of the true difference on each data set, shape (n_datasets,)."""
        return self.result.delta

    @property
    def shrunken_low(self) -> NDArray[np.float64]:
        """Lower limits of the intervals of the true differences, shape (n_datasets,)."""
        return self.result.delta_low

    @property
    def shrunken_high(self) -> NDArray[np.float64]:
        """Upper limits of the intervals of the true differences, shape (n_datasets,)."""
        return self.result.delta_high

    @property
    def summary(self) -> pd.DataFrame:
        """The average over data sets and the next data set.

        Columns: ``dataset``, ``mean_diff``, the posterior mean in score units, and ``ci_low``,
        ``ci_high``, a central interval.
        """
        own = self.result
        average = own.average_interval(own.confidence_level)
        following = own.next_dataset_interval(own.confidence_level)
        middle = float(np.mean(own.delta0))
        return pd.DataFrame(
            [
                ("average", middle, *average),
                # The population is symmetric about its centre.
                ("next data set", middle, *following),
            ],
            columns=["dataset", "mean_diff", "ci_low", "ci_high"],
        )

    @property
    def table(self) -> pd.DataFrame:
        """A row per data set.

        Columns: ``dataset``; ``mean_diff``, the mean over its splits; ``shrunken``, the posterior
        mean of the true difference; ``shrunken_low``, ``shrunken_high``, its central interval, all
        in score units; and ``worse_prob``, ``better_prob``, ``rope_prob``.
        """
        inside = self.result.by_dataset
        return pd.DataFrame(
            {
                "dataset": list(self.datasets),
                "mean_diff": [d.mean() for d in self.differences],
                "shrunken": self.shrunken,
                "shrunken_low": self.shrunken_low,
                "shrunken_high": self.shrunken_high,
                "worse_prob": inside.worse,
                "better_prob": inside.better,
                "rope_prob": inside.rope,
            }
        )

    def __repr__(self) -> str:
        first, second = (one_line(name, _LABEL_WIDTH) for name in (self.model_1, self.model_2))
        rows = self.summary
        level = level_words(1 - self.result.confidence_level)
        lines = [
            f"{first} − {second} by {one_line(self.metric, _LABEL_WIDTH)}, hierarchical model of "
            f"{len(self.datasets)} data sets",
            f"ROPE {self.rope[0]:.4g} to {self.rope[1]:.4g}",
            "",
            f"{'':13}   worse  equivalent  better   mean, {level} interval",
        ]
        for (name, shares), row in zip(
            (("average", self.average), ("next data set", self.next_dataset)),
            rows.itertuples(),
            strict=True,
        ):
            lines.append(
                f"{name:13}  {shares.worse:6.3f}  {shares.rope:10.3f}  {shares.better:6.3f}   "
                f"{row.mean_diff:.4f}, {row.ci_low:.4f} to {row.ci_high:.4f}"
            )
        return "\n".join(lines)
