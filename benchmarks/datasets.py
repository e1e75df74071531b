"""Time of a comparison over data sets, beside what it must compute and baycomp.

python -m benchmarks.datasets

100 models on 500 data sets: everything but the Bayesian tests of pairs, then those; and the
hierarchical model of two models on 50 data sets of 100 splits each. The floor of the Bayesian
signed-rank test is the least that any implementation by draws has to compute: cumulated weights of
the data sets, drawn once for all pairs; then for each pair a sort, and for both limits of the ROPE
a sum of products of weights and cumulated weights, in which data sets with the same partners are
one term. Exits with 1 where a bound is passed.
"""

import statistics
import sys
import time
import warnings

import numpy as np

from sklearn_stats_compare import DatasetsComparison
from sklearn_stats_compare.stats.datasets._hierarchical import bayesian_hierarchical

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # baycomp's own, about old matplotlib calls
        import baycomp
except ModuleNotFoundError:
    baycomp = None

M, N, ROPE, N_DRAWS = 100, 500, 0.01, 10_000
N_PAIRS = M * (M - 1) // 2
SOME = 100  # pairs of the floor
BOUNDS = {"everything": 2.0, "Bayesian": 60.0, "hierarchical": 1.0}


def scores(rng):
    """Data sets of unequal difficulty, on which models differ by little."""
    return (
        rng.uniform(0.6, 0.9, N)
        + 0.01 * rng.standard_normal((M, 1)) * rng.gamma(2, 0.5, N)
        + (0.02 * rng.standard_normal((M, N)))
    )


def everything(values):
    """Seconds of every table and test but `bayesian`, each computed once."""
    labels, names = [f"m{i}" for i in range(M)], [f"d{j}" for j in range(N)]
    parts, start = {}, time.perf_counter()
    comparison = DatasetsComparison(values, labels, names)
    for name, answer in {
        "ranking": lambda: comparison.ranking(),
        "friedman": comparison.friedman,
        "critical_difference": comparison.critical_difference,
        "frequentist": lambda: comparison.frequentist(),
        "possibly_best": comparison.possibly_best,
        "against": lambda: comparison.against("m0"),
        "win_tie_loss": comparison.win_tie_loss,
    }.items():
        answer()
        parts[name] = (now := time.perf_counter()) - start
        start = now
    return parts


def floor(values, rng):
    """Seconds of the least work for SOME pairs, and for their common draws."""
    start = time.perf_counter()
    weights = rng.standard_exponential((N, N_DRAWS))
    weights /= weights.sum(axis=0)
    cumulated = np.vstack([np.zeros(N_DRAWS), np.cumsum(weights, axis=0)])
    drawn = time.perf_counter() - start
    # Of a cache's size.
    blocks = [cumulated[:, k : k + 800].copy() for k in range(0, N_DRAWS, 800)]
    pairs = rng.choice(M, (SOME, 2))
    start = time.perf_counter()
    sums = []
    for i, j in pairs:
        ascending = np.sort(values[i] - values[j])
        for limit in (-ROPE, ROPE):
            # The sum is symmetric: a data set beyond the limit is a partner of one before it.
            n_rows = np.searchsorted(ascending, limit)
            partners = np.searchsorted(ascending, 2 * limit - ascending[:n_rows])
            starts = np.flatnonzero(np.diff(partners, prepend=-1))
            sums.append((np.append(starts, n_rows), partners[starts]))
    for block in blocks:
        for edges, partners in sums:
            np.einsum("id,id->d", np.diff(block[edges], axis=0), block[partners])
    return drawn, (time.perf_counter() - start) / SOME


def peer(values):
    """Seconds of baycomp for a pair, with as many draws."""
    start = time.perf_counter()
    baycomp.SignedRankTest(values[0], values[1], ROPE, nsamples=N_DRAWS, random_state=0).probs()
    return time.perf_counter() - start


def hierarchical(rng):
    """Seconds of the hierarchical model, and whether its draws converged."""
    means = rng.normal(0.01, 0.02, (50, 1))
    splits = means + rng.normal(0, 0.01, (50, 1)) + rng.normal(0, 0.03, (50, 100))
    squares = 99 * splits.var(axis=1, ddof=1)
    start = time.perf_counter()
    found = bayesian_hierarchical(splits.mean(axis=1), squares, 100, 0.1, rope=ROPE)
    return time.perf_counter() - start, found


def line(name, seconds, bound=None):
    limit = "" if bound is None else f"   bound {bound:g} s"
    print(f"{name:46}{seconds:9.4f} s{limit}", flush=True)
    return bound is None or seconds <= bound


def main():
    rng = np.random.default_rng(23)
    values = scores(rng)
    print(f"{M} models × {N} data sets, {N_PAIRS:,} pairs; medians of 3 runs")
    everything(values)  # once unmeasured
    runs = [everything(values) for _ in range(3)]
    for name in runs[0]:
        line(f"  {name}", statistics.median(run[name] for run in runs))
    total = statistics.median(sum(run.values()) for run in runs)
    met = line("everything but the Bayesian tests", total, BOUNDS["everything"])

    comparison = DatasetsComparison(
        values, [f"m{i}" for i in range(M)], [f"d{j}" for j in range(N)]
    )
    start = time.perf_counter()
    comparison.bayesian(rope=ROPE)
    bayesian = time.perf_counter() - start
    met &= line("all Bayesian signed-rank tests", bayesian, BOUNDS["Bayesian"])
    drawn, each = floor(values, rng)
    line("  a pair", bayesian / N_PAIRS)
    line("  a pair, floor", each + drawn / N_PAIRS)
    print(f"  ratio to the floor{bayesian / (drawn + N_PAIRS * each):37.2f}")
    if baycomp:
        theirs = statistics.median(peer(values) for _ in range(3))
        line("  a pair, baycomp", theirs)
        print(f"  baycomp / ours{theirs * N_PAIRS / bayesian:41.0f}")
    else:
        print("  baycomp is not installed: not measured")

    found = [hierarchical(rng) for _ in range(3)]
    took = statistics.median(seconds for seconds, _ in found)
    met &= line("hierarchical model, 50 data sets × 100 splits", took, BOUNDS["hierarchical"])
    rhat = max(result.rhat for _, result in found)
    ess = min(result.ess for _, result in found)
    print(f"  largest R-hat {rhat:.4f}, smallest effective sample size {ess:.0f}")
    print("all within bounds" if met else "OUT OF BOUNDS")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
