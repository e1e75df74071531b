"""All pairs of 1,000 candidates on 100 splits, beside what else there is; ratios of one run.

    python benchmarks/pairwise.py

Beside our two tables: a loop over pairs as in scikit-learn's worked example, baycomp, and the
floor, which is the least that any implementation has to compute: an explicit-difference variance
pass and three vectorised Student-t tails for every pair.
"""

import itertools
import statistics
import subprocess
import sys
import time
from math import factorial

import numpy as np
from scipy import special, stats

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores

try:
    import baycomp
except ModuleNotFoundError:
    baycomp = None

M, J, N_TRAIN, N_TEST = 1_000, 100, 90, 10
N_PAIRS = M * (M - 1) // 2
BOUNDS = {"floor": 2.0, "loop": 300.0, "baycomp": 45.0, "memory": 400.0}


def scores_of(n_candidates):
    return 0.8 + 0.05 * np.random.default_rng(0).standard_normal((n_candidates, J))


def our_tables(values):
    comparison = Comparison(SplitScores(values, SplitDesign([N_TRAIN] * J, [N_TEST] * J)))
    return comparison.frequentist(), comparison.bayesian()


def floor(values):
    """Variances of explicit differences, a row of candidates at a time, then three tails."""
    mean, std = np.empty(N_PAIRS), np.empty(N_PAIRS)
    start = 0
    for i in range(M - 1):
        differences = values[i] - values[i + 1 :]
        stop = start + len(differences)
        mean[start:stop] = differences.mean(axis=1)
        std[start:stop] = differences.std(axis=1, ddof=1)
        start = stop
    scale = std * np.sqrt(1 / J + N_TEST / N_TRAIN)
    return [special.stdtr(J - 1, -np.abs((mean - x) / scale)) for x in (-0.01, 0, 0.01)]


def worked_example_loop(values):
    """Both tables, pair after pair, as a reader of the worked example would write them."""
    n_pairs = factorial(len(values)) / (2 * factorial(len(values) - 2))
    frequentist, bayesian = [], []
    for i, k in itertools.combinations(range(len(values)), 2):
        differences = values[i] - values[k]
        std = np.sqrt(np.var(differences, ddof=1) * (1 / J + N_TEST / N_TRAIN))
        t = np.mean(differences) / std
        p = stats.t.sf(np.abs(t), J - 1)
        frequentist.append([i, k, t, min(p * n_pairs, 1)])
        posterior = stats.t(J - 1, loc=np.mean(differences), scale=std)
        worse = posterior.cdf(-0.01)
        better = 1 - posterior.cdf(0.01)
        bayesian.append([i, k, worse, better, posterior.cdf(0.01) - posterior.cdf(-0.01)])
    return frequentist, bayesian


def baycomp_loop(values):
    for i, k in itertools.combinations(range(len(values)), 2):
        baycomp.two_on_single(values[i], values[k], rope=0.01, runs=10)


def seconds(function, values):
    start = time.perf_counter()
    function(values)
    return time.perf_counter() - start


def peak_memory():
    """Peak resident memory in MB of a process of its own that makes both tables."""
    code = (
        "import resource, sys; sys.path[:0] = ['benchmarks', '.']; import pairwise;"
        "pairwise.our_tables(pairwise.scores_of(pairwise.M));"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    return float(
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    )


def main():
    everything, few = scores_of(M), scores_of(25)
    our_tables(everything)
    floor(everything)  # both once unmeasured: the first touches memory for the first time
    runs = {"ours": [], "floor": [], "loop": [], "baycomp": []}
    for _ in range(7):  # in turn, so that a slow moment of the machine hits all
        runs["ours"].append(seconds(our_tables, everything) / N_PAIRS)
        runs["floor"].append(seconds(floor, everything) / N_PAIRS)
        runs["loop"].append(seconds(worked_example_loop, few) / 300)
        if baycomp:
            runs["baycomp"].append(seconds(baycomp_loop, few) / 300)
    median = {name: statistics.median(times) for name, times in runs.items() if times}
    memory = peak_memory()
    print(f"{M:,} candidates × {J} splits, {N_PAIRS:,} pairs, both tables; medians of 7 runs")
    print(f"{'':28}{'per pair':>12}{'ratio':>10}{'bound':>10}")
    print(f"{'our two tables':28}{median['ours'] * 1e6:9.3f} µs")
    rows = [
        ("floor", "ours / floor", median["ours"] / median["floor"], "≤"),
        ("loop", "worked example / ours", median["loop"] / median["ours"], "≥"),
    ]
    if baycomp:
        rows.append(("baycomp", "baycomp / ours", median["baycomp"] / median["ours"], "≥"))
    else:
        print("baycomp is not installed: not measured")
    met = memory <= BOUNDS["memory"]
    for name, what, ratio, sense in rows:
        met &= ratio <= BOUNDS[name] if sense == "≤" else ratio >= BOUNDS[name]
        print(f"{what:28}{median[name] * 1e6:9.3f} µs{ratio:10.2f}{sense:>5}{BOUNDS[name]:5.0f}")
    print(
        f"{'peak memory of the process':28}{memory:9.0f} MB{'':10}{'≤':>5}{BOUNDS['memory']:5.0f}"
    )
    print("all within bounds" if met else "OUT OF BOUNDS")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
