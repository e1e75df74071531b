"""Simulated scores like given ones with other true means, by draws of splits or of samples."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_sums import SampleSums
from sklearn_stats_compare.stats._sample_variance import SampleVariance
from sklearn_stats_compare.stats._scores import SplitScores

DEPENDENCE = ("corrected", "naive")

Simulator = Callable[[NDArray[np.float64], np.random.Generator], SplitScores]
"""Maps true means, shape (n_candidates,), and a random generator to scores."""


def split_simulator(scores: SplitScores, dependence: str) -> Simulator:
    """Return a simulator of split scores with the covariance of `scores`.

    The covariance between candidates is that of the given scores within splits. With "corrected"
    all splits share a component with q times this covariance. Their correlation is then
    n_test/(n_train + n_test), and the variance of a mean is Nadeau and Bengio's. With "naive"
    splits are independent.

    Parameters
    ----------
    scores : SplitScores
        Scores without missing candidates, on at least two splits, with a finite ratio of sizes.
    dependence : {"corrected", "naive"}
        Dependence between splits.
    """
    n_splits = scores.n_splits
    centred = scores.values - scores.means[:, None]
    shared = float(np.sqrt(scores.design.overlap_ratio))

    def draw(means: NDArray[np.float64], rng: np.random.Generator) -> SplitScores:
        n_draws = n_splits + (dependence == "corrected")
        draws = centred @ rng.standard_normal((n_splits, n_draws)) / np.sqrt(n_splits - 1)
        values = means[:, None] + draws[:, :n_splits]
        if dependence == "corrected":
            values += shared * draws[:, n_splits:]
        return SplitScores(values, scores.design)

    return draw


def sample_simulator(
    scores: SplitScores, samples: SampleScores, variance: SampleVariance, dependence: str
) -> Simulator:
    """Return a simulator of values of samples by a bootstrap, which keeps their distribution.

    "naive" is only the bootstrap: the variance of a mean is that of independent samples and fixed
    models. "corrected" shifts all values of a candidate by another draw, so that the variance of
    every mean difference is the one that the test estimates.

    Parameters
    ----------
    scores : SplitScores
        Scores without missing candidates.
    samples : SampleScores
        Values of the samples.
    variance : SampleVariance
        The squared standard error of the test.
    dependence : {"corrected", "naive"}
        Whether to add the part of the estimated variance that is not due to samples.
    """
    n, own = samples.n_samples, samples.means[:, None, None]
    shared = _root_of_other_variance(samples, variance) if dependence == "corrected" else None

    def draw(means: NDArray[np.float64], rng: np.random.Generator) -> SplitScores:
        values = samples.values[:, :, rng.integers(n, size=n)] - own
        values += means[:, None, None]
        if shared is not None:
            values += (shared @ rng.standard_normal(shared.shape[1]))[:, None, None]
        values.setflags(write=False)
        drawn = replace(samples, values=values)
        # Every split has the overall mean, because tests of samples use only the means.
        splits = np.repeat(drawn.means[:, None], scores.n_splits, axis=1)
        return SplitScores(splits, scores.design, drawn)

    return draw


def _root_of_other_variance(samples: SampleScores, variance: SampleVariance) -> NDArray[np.float64]:
    """A square root of the covariance of means minus that of a bootstrap of samples."""
    every = np.arange(samples.n_candidates)
    points = SampleSums(samples, variance, every).root()
    whole = points[0][points[1]]
    resampled = samples.values.mean(axis=1, dtype=np.float64)
    resampled -= resampled[0].copy()
    resampled -= resampled.mean(axis=1, keepdims=True)
    resampled /= samples.n_samples
    covariance = whole @ whole.T - resampled @ resampled.T
    size, vectors = np.linalg.eigh(covariance)
    root: NDArray[np.float64] = vectors * np.sqrt(np.maximum(size, 0.0))
    return root
