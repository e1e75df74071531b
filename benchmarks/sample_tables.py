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

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.stats import SampleScores

N_FOLDS = 5


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


def within(what, found, bound):
    """Print a number beside its bound, and say whether it is kept."""
    print(f"{what} {found:.3g} (bound {bound:g})")
    return found <= bound


def pairs():
    """Times of tables and of max-t, and memory beside that of the imports."""
    before = memory()
    scores = scores_of(1000, 2, 1000)

    def tables():
        comparison = Comparison(scores, test="samples")
        return comparison.frequentist(), comparison.bayesian()

    ratios = [seconds(tables) / seconds(lambda: floor(scores)) for _ in range(5)]
    adjusted = Comparison(scores, test="samples", p_adjust="maxt")
    took = seconds(lambda: adjusted.frequentist())
    return (
        within("both tables / floor", float(np.median(ratios)), 2.0),
        within("max-t, s", took, 20.0),
        within("memory, MB", memory() - before, 500.0),
    )


def leader():
    """Times of what compares the leader alone."""
    before = memory()
    scores = scores_of(10_000, 1, 10_000)
    took = seconds(lambda: Comparison(scores, test="samples").against())
    took += seconds(lambda: Comparison(scores, test="samples").possibly_best())
    return (
        within("leader table and set, s", took, 10.0),
        within("memory, MB", memory() - before, 2000.0),
    )


if __name__ == "__main__":
    parts = {"pairs": pairs, "leader": leader}
    if len(sys.argv) > 1:
        sys.exit(0 if all(parts[sys.argv[1]]()) else 1)
    # A process each, whose memory is its own.
    command = [sys.executable, "-m", "benchmarks.sample_tables"]
    sys.exit(max([subprocess.run([*command, name], check=False).returncode for name in parts]))
