"""Tables, draws and sets of the test of per-sample values, beside the least that they cost.

    python -m benchmarks.sample_tables

1,000 candidates × 1,000 samples × 2 repeats: both pairwise tables beside the floor (one blocked
product of matrices and three vectorised Student-t tails for every pair), and the max-t adjustment.
10,000 × 10,000: the leader's table and the possibly-best set. Times as ratios within one run where
there is something to compare with, and the memory of a process for each.
"""

import resource
import subprocess
import sys
import time

import numpy as np
from scipy import special

from sklearn_stats_compare import Comparison, SampleScores, SplitDesign, SplitScores

N_FOLDS = 5
BOUNDS = {"floor": 2.0, "maxt s": 20.0, "pairs MB": 500.0, "leader s": 10.0, "leader MB": 2000.0}


def scores_of(n_candidates, n_repeats, n_samples):
    """Accuracies of candidates that are right on many samples together."""
    rng = np.random.default_rng(0)
    easy = rng.standard_normal(n_samples, dtype=np.float32) + np.float32(0.8)
    values = np.empty((n_candidates, n_repeats, n_samples), dtype=np.float32)
    for i in range(n_candidates):
        own = rng.standard_normal((n_repeats, n_samples), dtype=np.float32)
        values[i] = easy + np.float32(0.2 * i / n_candidates) + np.float32(0.5) * own > 0
    values.setflags(write=False)  # so that it is not copied
    n_test = np.full(N_FOLDS * n_repeats, n_samples // N_FOLDS)
    design = SplitDesign(n_samples - n_test, n_test, np.repeat(np.arange(n_repeats), N_FOLDS))
    splits = values.reshape(n_candidates, n_repeats * N_FOLDS, -1).mean(axis=2, dtype=float)
    return SplitScores(splits, design, SampleScores(values, N_FOLDS))


def floor(scores):
    """A blocked product of the centred values, then three tails."""
    m, n = scores.n_candidates, scores.samples.n_samples
    centred = scores.samples.values.astype(float).reshape(m, -1)
    centred -= centred.mean(axis=1, keepdims=True)
    products = np.empty((m, m))
    for start in range(0, m, 125):
        products[start : start + 125] = centred[start : start + 125] @ centred.T
    i, j = np.triu_indices(m, 1)
    squares = products.diagonal()
    scale = np.sqrt(squares[i] + squares[j] - 2 * products[i, j]) / n
    difference = scores.means[i] - scores.means[j]
    return [special.stdtr(n - 1, -np.abs((difference - x) / scale)) for x in (-0.01, 0, 0.01)]


def seconds(run):
    """Time of one call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def memory():
    """Most that this process held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def pairs():
    """Times of tables and of max-t, and memory beside that of the imports."""
    before = memory()
    scores = scores_of(1000, 2, 1000)

    def tables():
        comparison = Comparison(scores, test="samples")
        return comparison.pairwise_frequentist, comparison.pairwise_bayesian

    ratios = [seconds(tables) / seconds(lambda: floor(scores)) for _ in range(5)]
    print(f"both tables / floor {np.median(ratios):.2f} (bound {BOUNDS['floor']:g})")
    adjusted = Comparison(scores, test="samples", p_adjust="maxt")
    took = seconds(lambda: adjusted.pairwise_frequentist)
    print(f"max-t {took:.1f} s (bound {BOUNDS['maxt s']:g} s)")
    print(f"memory {memory() - before:.0f} MB (bound {BOUNDS['pairs MB']:g} MB)")


def leader():
    """Times of what compares the leader alone."""
    before = memory()
    scores = scores_of(10_000, 1, 10_000)
    took = seconds(lambda: Comparison(scores, test="samples").leader_table)
    took += seconds(lambda: Comparison(scores, test="samples").possibly_best())
    print(f"leader table and set {took:.1f} s (bound {BOUNDS['leader s']:g} s)")
    print(f"memory {memory() - before:.0f} MB (bound {BOUNDS['leader MB']:g} MB)")


if __name__ == "__main__":
    parts = {"pairs": pairs, "leader": leader}
    if len(sys.argv) > 1:
        parts[sys.argv[1]]()
    else:
        for name in parts:  # a process each, whose memory is its own
            subprocess.run([sys.executable, "-m", "benchmarks.sample_tables", name], check=True)
