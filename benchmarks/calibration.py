"""Error rates, power, coverage and calibration on real learners, by simulation.

python -m benchmarks.calibration [share of the data sets, default 1]

One cell (ten equal logistic regressions on features of their own, N = 300, 10×10 folds, accuracy,
nominal 5 %) and one factor at a time around it; and models that differ by a known amount. Prints
every rate with its standard error over data sets. The results are in
docs/evidence/rates.rst.
"""

import sys
import time

import numpy as np
import pandas as pd

from benchmarks._cells import CELLS
from benchmarks._procedures import calibration_bins, of_differing_models, of_equal_models


def simulated(name, n_data_sets, *, seed=20, slow=True):
    """Mean and standard error of every rate of one cell, and predictions where truth is known."""
    rng = np.random.default_rng(seed)
    rows, predictions = [], {}
    for _ in range(n_data_sets):
        scores, truth = CELLS[name].scores(rng)
        if truth is None:
            rows.append(of_equal_models(scores, slow=slow))
            continue
        row, predicted = of_differing_models(scores, truth, rng)
        rows.append(row)
        for what, (probability, happened) in predicted.items():
            predictions.setdefault(what, []).append((probability, happened))
    found = pd.DataFrame(rows)
    table = pd.DataFrame({"rate": found.mean(), "se": found.std(ddof=1) / np.sqrt(len(found))})
    bins = {
        what: calibration_bins(*(np.concatenate(part) for part in zip(*pairs, strict=True)))
        for what, pairs in predictions.items()
    }
    return table, bins


def main(share):
    start = time.perf_counter()
    for name, cell in CELLS.items():
        n = max(2, round(share * cell.n_data_sets))
        began = time.perf_counter()
        table, bins = simulated(name, n)
        print(f"\n{name}: {n:,} data sets, {time.perf_counter() - began:.0f} s")
        for what, row in table.iterrows():
            unit = 1 if what.startswith(("regret", "complexity")) else 100
            sign = "" if unit == 1 else " %"
            digits = 4 if unit == 1 else 2
            print(
                f"  {what:45}{unit * row['rate']:9.{digits}f} ± {unit * row['se']:.{digits}f}{sign}"
            )
        for what, frame in bins.items():
            print(f"  {what}\n{frame.round(3).to_string()}")
        sys.stdout.flush()
    print(f"\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
