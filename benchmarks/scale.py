"""Time and memory of the answers for up to 10,000 candidates, and of a stream of all their pairs.

python -m benchmarks.scale

Each size is measured in a process of its own, on scores over 30 splits with parameters as a
randomized search has them. The answers are asked of one comparison after another, from
`cv_results_` on: labels, leader table, possibly-best set, P(best) of 20,000 draws, and the four
selection rules. Then all pairs are streamed in chunks of 100,000 and looked at.

Then the largest that is answered at once: both pairwise tables of 5,000 candidates, and P(best) of
100,000. Beside them stands the floor of the same run, which is the least that they cost: a product
of matrices and three Student-t tails for every pair, or a product and its largest values.
"""

import json
import resource
import subprocess
import sys
import time

import numpy as np
from scipy import special

from sklearn_stats_compare import (
    Comparison,
    Simplest,
    SplitDesign,
    SplitScores,
)

CANDIDATES, SPLITS = (100, 300, 1_000, 3_000, 10_000), 30
# Of the largest size: all answers together; the whole process; and what the stream may add to it
# from its tenth chunk on. And each answer that draws the joint null, of 1,000 candidates.
BOUNDS = {"seconds": 5.0, "memory": 1_000.0, "growth": 20.0, "joint": 60.0, "joint memory": 500.0}
# Candidates, splits and most seconds; the tables may take so many times their own size.
MANY = {
    "tables of 5,000 × 200": (5_000, 200, 15.0),
    "tables of 5,000 × 1,000": (5_000, 1_000, 40.0),
    "P(best) of 100,000 × 10": (100_000, 10, 10.0),
}
TIMES_THE_TABLES = 1.5
RATIO = 1 / 9
RULES = (
    Simplest(["depth", "C"], test_train_ratio=RATIO),
    Simplest("depth", within="rope", rope=0.01, test_train_ratio=RATIO),
    Simplest("depth", within="1se", test_train_ratio=RATIO),
    Simplest("depth", within="1%"),
)


def cv_results_of(n_candidates):
    rng = np.random.default_rng(0)
    values = 0.8 + 0.03 * rng.standard_normal(SPLITS) + np.zeros((n_candidates, 1))
    values += 0.03 * rng.standard_normal(values.shape)
    drawn = zip(rng.lognormal(size=(n_candidates, 2)), rng.integers(1, 40, n_candidates),
                strict=True)  # fmt: skip
    return {
        "params": [{"C": C, "gamma": gamma, "depth": depth} for (C, gamma), depth in drawn],
        "mean_test_score": values.mean(axis=1),
        **{f"split{k}_test_score": values[:, k] for k in range(SPLITS)},
    }


def comparison_of(cv_results):
    values = np.column_stack([cv_results[f"split{k}_test_score"] for k in range(SPLITS)])
    design = SplitDesign([90] * SPLITS, [10] * SPLITS, np.arange(SPLITS) // 10)
    return Comparison(SplitScores(values, design), params=cv_results["params"])


ANSWERS = {
    "labels": lambda c, results: comparison_of(results).labels,
    "leader": lambda c, results: c.against(),
    "possibly": lambda c, results: c.possibly_best(),
    "P(best)": lambda c, results: c.possibly_best(method="bayes", everyone=True, rng=0),
    "selection": lambda c, results: [rule(results) for rule in RULES],
}


def peak_memory():
    """Peak resident memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(n_candidates):
    """What one size takes, in a process that has done nothing else."""
    found = {"start": peak_memory()}
    results = cv_results_of(n_candidates)
    comparison = comparison_of(results)
    for what, answer in ANSWERS.items():
        start = time.perf_counter()
        answer(comparison, results)
        found[what] = time.perf_counter() - start
    found["answers"] = peak_memory()
    n_pairs, decided, start = 0, 0, time.perf_counter()
    for chunk, pairs in enumerate(comparison.frequentist(chunk_size=100_000)):
        n_pairs += len(pairs)
        decided += int((pairs["verdict"] == "better").sum())
        if chunk <= 10:
            found["tenth chunk"] = peak_memory()
    found.update(stream=time.perf_counter() - start, n_pairs=n_pairs, end=peak_memory())
    assert n_pairs == n_candidates * (n_candidates - 1) // 2
    return found


JOINT = {
    "max-t, table of all pairs": lambda c: c.with_settings(p_adjust="maxt").frequentist(),
    "model confidence set": lambda c: c.possibly_best(method="mcs", everyone=True),
    "possibly best by max-t": lambda c: c.possibly_best(method="maxt"),
}
JOINT_CANDIDATES = 1_000


def measured_joint():
    """What the 20,000 draws of the joint null take for all pairs of a thousand candidates."""
    comparison = comparison_of(cv_results_of(JOINT_CANDIDATES))
    found = {}
    for what, answer in JOINT.items():
        start = time.perf_counter()
        answer(comparison)
        found[what] = time.perf_counter() - start
    return {**found, "memory": peak_memory()}


def scores_of(n_candidates, n_splits):
    rng = np.random.default_rng(0)
    values = 0.8 + 0.03 * rng.standard_normal(n_splits) + np.zeros((n_candidates, 1))
    values += 0.03 * rng.standard_normal(values.shape)
    return SplitScores(values, SplitDesign([90] * n_splits, [10] * n_splits))


def floor_of_tables(values):
    """A product of the centred scores, then three tails of each pair, some rows at a time."""
    m, n_splits = values.shape
    means = values.mean(axis=1)
    centred = values - means[:, None]
    squares = np.einsum("mj,mj->m", centred, centred)
    factor = (1 / n_splits + RATIO) / (n_splits - 1)
    tails = np.empty((3, m * (m - 1) // 2))
    done = 0
    for start in range(0, m, 100):
        rows = slice(start, start + 100)
        i, j = np.triu_indices(len(squares[rows]), 1, m - start)
        products = centred[rows] @ centred[start:].T
        variance = squares[start:][i] + squares[start:][j] - 2 * products[i, j]
        error, mean = np.sqrt(factor * variance), means[start:][i] - means[start:][j]
        for tail, x in zip(tails, (-0.01, 0, 0.01), strict=True):
            special.stdtr(n_splits - 1, -np.abs((mean - x) / error), out=tail[done : done + len(i)])
        done += len(i)


def floor_of_best(values):
    """Products for 20,000 draws of all means, and the largest of each draw."""
    draws = np.random.default_rng(0).standard_normal((20_000, values.shape[1]))
    for start in range(0, len(draws), 5):
        (draws[start : start + 5] @ values.T).max(axis=1)


def measured_many(what):
    """Seconds, those of the floor, and memory in MB beside that of the scores."""
    n_candidates, n_splits, _ = MANY[what]
    scores = scores_of(n_candidates, n_splits)
    comparison, before, start = Comparison(scores), peak_memory(), time.perf_counter()
    if what.startswith("P"):
        tables, floor = (
            [comparison.possibly_best(method="bayes", everyone=True, rng=0)],
            floor_of_best,
        )
    else:
        tables = [comparison.frequentist(), comparison.bayesian()]
        floor = floor_of_tables
    found = {"seconds": time.perf_counter() - start, "memory": peak_memory() - before}
    # Not in full: labels are of the comparison, which has them once.
    found["tables"] = sum(table.memory_usage().sum() for table in tables) / 2**20
    start = time.perf_counter()
    floor(scores.values)
    return {**found, "floor": time.perf_counter() - start}


def many_rows():
    """Print what is answered at once, and return the rows that have bounds."""
    rows = []
    print(f"\n{'':24}{'seconds':>9}{'/ floor':>9}{'MB':>7}{'/ tables':>10}")
    for what, (_, _, seconds) in MANY.items():
        found = in_a_process_of_its_own(what)
        print(
            f"{what:24}{found['seconds']:9.1f}{found['seconds'] / found['floor']:9.2f}"
            f"{found['memory']:7.0f}{found['memory'] / found['tables']:10.2f}",
            flush=True,
        )
        rows.append((what, found["seconds"], seconds, "s"))
        if what.startswith("tables"):
            times = found["memory"] / found["tables"]
            rows.append((f"memory, {what}", times, TIMES_THE_TABLES, "×"))
    return rows


def in_a_process_of_its_own(n_candidates):
    command = [sys.executable, "-m", "benchmarks.scale", str(n_candidates)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def main():
    print(f"{SPLITS} splits; seconds of each answer, all pairs streamed, and peak memory in MB")
    names = ["candidates", *ANSWERS, "together", "memory", "stream", "pairs/s", "memory"]
    print("".join(f"{name:>11}" for name in names))
    for n_candidates in CANDIDATES:
        found = in_a_process_of_its_own(n_candidates)
        together = sum(found[what] for what in ANSWERS)
        print(
            f"{n_candidates:11,}"
            + "".join(f"{found[what]:11.3f}" for what in ANSWERS)
            + f"{together:11.2f}{found['answers']:11.0f}{found['stream']:11.2f}"
            + f"{found['n_pairs'] / found['stream']:11,.0f}{found['end']:11.0f}",
            flush=True,
        )
    growth = found["end"] - found["tenth chunk"]
    print(f"\n{n_candidates:,} candidates, of which {found['start']:.0f} MB are the imports:")
    rows = [
        ("answers together", together, BOUNDS["seconds"], "s"),
        ("peak memory of the process", found["end"], BOUNDS["memory"], "MB"),
        ("the stream's from chunk 10 on", growth, BOUNDS["growth"], "MB"),
    ]
    joint = in_a_process_of_its_own("joint")
    memory = joint.pop("memory")
    rows += [(what, seconds, BOUNDS["joint"], "s") for what, seconds in joint.items()]
    rows.append((f"memory, {JOINT_CANDIDATES:,} candidates", memory, BOUNDS["joint memory"], "MB"))
    rows += many_rows()
    met = True
    print()
    for what, value, bound, unit in rows:
        met &= value < bound
        over = "" if value < bound else "  OUT OF BOUNDS"
        print(f"{what:32}{value:9.1f} {unit:3}{'<':>3}{bound:7.4g}{over}")
    print("all within bounds" if met else "OUT OF BOUNDS")
    return 0 if met else 1


if __name__ == "__main__":
    if len(sys.argv) > 1:
        size = sys.argv[1]
        if size in MANY:
            print(json.dumps(measured_many(size)))
        else:
            print(json.dumps(measured_joint() if size == "joint" else measured(int(size))))
        sys.exit(0)
    sys.exit(main())
