"""How the cost of each answer grows with candidates and splits; ratios and seconds of one run.

python -m benchmarks.growth

Every number is the time of one answer, over that of the least that it must compute: all pairs'
variances where it is about pairs, the candidates' covariance with the leader where it is about the
leader. A column that stays level grows no faster than its floor.
"""

import sys
import time

import numpy as np

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.reports import report

CANDIDATES, SPLITS = (10, 100, 1_000, 3_000), (10, 100, 1_000)
# Above these, all pairs are asked of nothing but the tables.
MOST_FOR_REPORT = 1_000


def comparison_of(n_candidates, n_splits):
    rng = np.random.default_rng(0)
    values = 0.8 + 0.03 * rng.standard_normal(n_splits) + np.zeros((n_candidates, 1))
    values += 0.03 * rng.standard_normal(values.shape)
    repeat = np.arange(n_splits) // 10
    return Comparison(SplitScores(values, SplitDesign([90] * n_splits, [10] * n_splits, repeat)))


def all_pairs(comparison):
    values = comparison.scores.values
    return [(values[i] - values[i + 1 :]).var(axis=1, ddof=1) for i in range(len(values) - 1)]


def against_leader(comparison):
    values = comparison.scores.values
    return (values[0] - values).var(axis=1, ddof=1)


ANSWERS = {
    # what: (floor, answer)
    "both pairwise tables": (all_pairs, lambda c: (c.frequentist(), c.bayesian())),
    "leader table": (against_leader, lambda c: c.against()),
    "possibly-best set": (against_leader, lambda c: c.possibly_best()),
    "P(best), 20,000 draws": (
        against_leader,
        lambda c: c.possibly_best(method="bayes", everyone=True, rng=0),
    ),
    "report, text": (all_pairs, lambda c: report(c, format="text")),
}


def seconds(function, n_candidates, n_splits):
    """Least of three runs, each on a comparison that has computed nothing yet."""
    found = []
    for _ in range(3):
        comparison = comparison_of(n_candidates, n_splits)
        start = time.perf_counter()
        function(comparison)
        found.append(time.perf_counter() - start)
    return min(found)


def table(title, sizes):
    print(f"\n{title}: time of the answer / time of its floor (seconds)")
    print(f"{'':26}" + "".join(f"{f'{m:,} × {j:,}':>20}" for m, j in sizes))
    for what, (floor, answer) in ANSWERS.items():
        ratios = []
        for m, j in sizes:
            if what.startswith("report") and m > MOST_FOR_REPORT:
                ratios.append(f"{'':>20}")
                continue
            took = seconds(answer, m, j)
            ratio = f"{took / seconds(floor, m, j):,.1f}"
            ratios.append(f"{f'{ratio} ({took:.2g} s)':>20}")
        print(f"{what:26}" + "".join(ratios))


def main():
    table("candidates", [(m, 100) for m in CANDIDATES])
    table("splits", [(100, j) for j in SPLITS])
    return 0


if __name__ == "__main__":
    sys.exit(main())
