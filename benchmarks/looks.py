"""What looking after every repeat costs: error rates of ``extend(until="decided")``.

python -m benchmarks.looks [number of data sets, default 500]

Logistic regressions on features of their own, 300 samples, as in the study of calibration: equal
ones, where every claim is false, and ones that differ, where it is the power. A search begins with
one repeat of ten folds and looks after each further one, up to twenty, by the very rule of
`extend`; beside it, the same scores with the number of repeats fixed beforehand.
"""

import sys
import time
import warnings

import numpy as np
import pandas as pd

from benchmarks._cells import N_MODELS, blocks, differing, folds
from sklearn_stats_compare import Comparison, ComparisonWarning, SplitDesign, SplitScores
from sklearn_stats_compare.comparison._undecided import Undecided
from sklearn_stats_compare.search._extension import stops_for

MOST_REPEATS = 20


SEARCHES = ("two equal candidates", "ten equal candidates", "two candidates that differ")


def repeats(rng):
    return folds(rng, 10, MOST_REPEATS)


def first_repeats(scores, n_repeats, models):
    kept = slice(0, 10 * n_repeats)
    design = scores.design
    part = SplitDesign(
        design.n_train[kept], design.n_test[kept], design.repeat[kept], n_samples=design.n_samples
    )
    return Comparison(SplitScores(scores.values[models, kept], part), warn=False)


def any_difference(comparison):
    return comparison.pairwise_frequentist["verdict"].isin(["better", "worse"]).any()


def of_one_search(scores, models):
    """Whether any candidate is called better than another: with looks, and without."""
    claimed = {
        f"{n} repeats, fixed": any_difference(first_repeats(scores, n, models))
        for n in (1, 10, MOST_REPEATS)
    }
    for n_repeats in range(1, MOST_REPEATS + 1):
        comparison = first_repeats(scores, n_repeats, models)
        stop = stops_for(Undecided.of(comparison))
        if stop is not None:
            break
    claimed["until decided"] = any_difference(comparison)
    return {
        **claimed,
        "stopped: decided": stop == "decided",
        "stopped: floor": stop == "floor",
        "repeats": n_repeats,
    }


def rates(n_data_sets, seed=11):
    """Mean and standard error over data sets, of searches of two candidates and of ten."""
    rng = np.random.default_rng(seed)
    pairs = [[k, k + 1] for k in range(0, N_MODELS, 2)]
    rows = {name: [] for name in SEARCHES}
    for _ in range(n_data_sets):
        equal, _ = blocks(rng, cv=repeats)
        unequal, _ = differing(rng, cv=repeats)
        everyone = list(range(N_MODELS))
        found = (
            pd.DataFrame([of_one_search(equal, pair) for pair in pairs]).mean(),
            pd.Series(of_one_search(equal, everyone)),
            pd.DataFrame([of_one_search(unequal, pair) for pair in pairs]).mean(),
        )
        for name, row in zip(SEARCHES, found, strict=True):
            rows[name].append(row)
    tables = {}
    for name, found in rows.items():
        frame = pd.DataFrame(found).astype(float)
        tables[name] = pd.DataFrame(
            {"rate": frame.mean(), "se": frame.std(ddof=1) / np.sqrt(len(frame))}
        )
    return tables


def main(n_data_sets):
    start = time.perf_counter()
    warnings.simplefilter("ignore", ComparisonWarning)
    for name, table in rates(n_data_sets).items():
        print(f"\n{name}: {n_data_sets:,} data sets")
        for what, row in table.iterrows():
            if what == "repeats":
                print(f"  {what:24}{row['rate']:7.1f} ± {row['se']:.1f}")
            else:
                print(f"  {what:24}{100 * row['rate']:7.2f} ± {100 * row['se']:.2f} %")
    print(f"\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
