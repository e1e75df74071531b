"""Two models on each data set and, by the hierarchical model, over all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare._utils._formatting import level_words, one_line
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._tables import TURNED, VERDICTS
from sklearn_stats_compare.stats._corrected_t import RopeProbabilities
from sklearn_stats_compare.stats.datasets._hierarchical import (
    HierarchicalResult,
    bayesian_hierarchical,
)
from sklearn_stats_compare.stats.datasets._signed_rank import sign_test_pairs

_DRAWS = (500, 2_000, 8_000)
"""Draws of each chain: as many as converge."""


def hierarchical(
    comparison: Any, i: int | str, j: int | str, rope: Any, rng: Any, options: dict[str, Any]
) -> "PairOverDatasets":
    """See `DatasetsComparison.hierarchical`."""
    first, second = two_models(comparison, i, j)
    bounds = comparison._settings.rope if rope is None else checks.check_interval("rope", rope)
    known = [comparison.comparisons.get(name) for name in comparison.datasets]
    unknown = [name for name, own in zip(comparison.datasets, known, strict=True) if own is None]
    if unknown:
        raise ValueError(
            "`hierarchical` needs split scores of every data set, with the sizes of the splits; "
            f"they are not known for {checks.shown_list(unknown)}."
        )
    one, other = (str(comparison.labels[row]) for row in (first, second))
    differences = [_of_splits(own, one, other) for own in known]
    overlaps = np.array([own.scores.design.overlap_ratio for own in known])
    sufficient = (
        [d.mean() for d in differences],
        [((d - d.mean()) ** 2).sum() for d in differences],
        [d.size for d in differences],
        # n_test/n_train → the share of the test set, n_test/(n_train + n_test).
        overlaps / (1 + overlaps),
        bounds,
    )
    checks.check_rng(rng)
    # An outlying data set slows the chains of σ₀ and ν; more draws are cheap.
    for n_draws in (options.pop("n_draws"),) if "n_draws" in options else _DRAWS:
        found = bayesian_hierarchical(
            *sufficient, confidence_level=1 - comparison.alpha, rng=rng, n_draws=n_draws, **options
        )
        if found.converged:
            break
    if not found.converged:
        checks.warn_user(
            f"The draws of the hierarchical model have not converged (R-hat {found.rhat:.3f}, "
            f"effective sample size {found.ess:.0f}): take more draws with `n_draws`.",
            "draws",
        )
    datasets = tuple(comparison.datasets)
    return PairOverDatasets(one, other, comparison.metric, datasets, bounds, differences, found)


def two_models(comparison: Any, i: int | str, j: int | str) -> tuple[int, int]:
    """Rows of two models, which differ."""
    first, second = comparison._names.row(i, "i"), comparison._names.row(j, "j")
    if first == second:
        raise ValueError(f"`i` and `j` must be two models; got {comparison.labels[first]!r} twice.")
    return first, second


def _of_splits(own: Any, first: str, second: str) -> NDArray[np.float64]:
    """Differences of two models on the splits of one data set."""
    labels = list(own.labels)
    one, other = (own.scores.values[labels.index(name)] for name in (first, second))
    return np.subtract(one, other)


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


_COLUMNS = ("mean_diff", "std_err", "p_val", "ci_low", "ci_high", "verdict")


def on_each(comparison: Any, i: Any, j: Any) -> pd.DataFrame:
    """See `DatasetsComparison.on_each`."""
    first, second = comparison._names.row(i, "i"), comparison._names.row(j, "j")
    if first == second:
        raise ValueError(f"`j` must be another model than `i`; got {checks.shown(j)}.")
    rows = []
    for name in comparison.datasets:
        own = comparison.comparisons.get(name)
        rows.append({} if own is None else _test(comparison, own, first, second))
    table = pd.DataFrame(rows, columns=list(_COLUMNS))
    table["mean_diff"] = comparison.values[first] - comparison.values[second]
    verdict = table["verdict"].astype(object).fillna("missing")
    table["verdict"] = pd.Categorical(verdict, categories=list(VERDICTS))
    table.insert(0, "dataset", list(comparison.datasets))
    return table


def win_tie_loss(comparison: Any) -> pd.DataFrame:
    """See `DatasetsComparison.win_tie_loss`."""
    pairs = np.triu_indices(comparison.n_models, 1)
    # With the tolerance of the tests: means of the same folds in another order are tied.
    counts = sign_test_pairs(comparison.values[comparison.order])
    table = pd.DataFrame(comparison._labelled(pairs))
    table["wins"], table["ties"], table["losses"] = counts.wins, counts.n_ties, counts.losses
    if comparison.comparisons:
        found = pd.concat([_verdicts(comparison, own) for own in comparison.comparisons.values()])
        of_verdicts = found.value_counts().unstack(fill_value=0)
        of_verdicts = of_verdicts.reindex(
            pd.MultiIndex.from_arrays(pairs), columns=list(VERDICTS), fill_value=0
        )
        # Data sets without split scores, and models that are not among those of a data set.
        of_verdicts["missing"] += comparison.n_datasets - of_verdicts.sum(axis=1)
        table[list(VERDICTS)] = of_verdicts.to_numpy()
    return table


def _test(comparison: Any, own: Comparison, first: int, second: int) -> dict[str, Any]:
    """The test of the two models on one data set."""
    names = [str(comparison.labels[row]) for row in (first, second)]
    if not set(names) <= set(own.labels or ()):
        return {}
    table = _of_pair(comparison, own).against(names[0], alternative="two-sided", p_adjust=None)
    row = table[table["model_2"].astype(str) == names[1]].iloc[0]
    return {name: row[name] for name in _COLUMNS}


def _of_pair(comparison: Any, own: Comparison) -> Comparison:
    return own.with_settings(
        alpha=comparison.alpha, rope=comparison.rope, p_adjust=None, alternative="two-sided"
    )


def _verdicts(comparison: Any, own: Comparison) -> pd.DataFrame:
    """The verdicts of a data set, by the places of two models in the order of `comparison`."""
    place = {str(comparison.labels[row]): k for k, row in enumerate(comparison.order)}
    pairs = _of_pair(comparison, own)
    low, high = comparison._settings.rope
    table, turned = pairs.frequentist(), pairs.with_settings(rope=(-high, -low)).frequentist()
    one, other = (table[name].map(place).astype(float) for name in ("model_1", "model_2"))
    verdict, of_other = (each["verdict"].astype(object) for each in (table, turned))
    found = pd.DataFrame(
        {
            "first": np.minimum(one, other),
            "second": np.maximum(one, other),
            "verdict": verdict.where(one < other, of_other.replace(TURNED)),
        }
    )
    return found.dropna()  # a model may have been left out
