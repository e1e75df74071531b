"""Coverage and width of 95 % intervals for the score of one procedure.

    python -m benchmarks.nested [data sets, default 200] [part of a cell's name, default all]

Two targets: the expected score of the model that is fitted on all samples of a data set, measured
on 20,000 new samples, and its mean over data sets. The folds are 5 or 10, once, five or ten times.
Intervals: "corrected t" of Nadeau and Bengio over splits; "samples", what `Comparison.ranking()`
shows with ``test="samples"``; "nested", of Bates, Hastie and Tibshirani, with five folds (150 fits)
and where cheap with ten (550 fits), also around the outer mean instead of the extrapolated one; and
"naive", the standard deviation of all values over √n. A procedure with tuning runs its search
within every training set. The results are recorded in docs/evidence.
"""

import sys
import time
from itertools import chain, combinations

import numpy as np
from scipy import stats

from benchmarks._nested_cells import NESTED_CELLS, labels
from benchmarks._sample_cells import with_samples
from sklearn_stats_compare.stats._family import PAIR_TESTS
from sklearn_stats_compare.stats._nested import nested_cv_interval

N_TRUTH = 20_000
LEVEL = 0.95
N_REPEATS = 10
# (folds, repeats) of the usual intervals; the first repeats of one set of ten.
DESIGNS = ((5, 1), (10, 1), (5, 5), (10, 10))
# Of the nested interval.
NESTED = ((5, 1), (5, 10), (10, 10))


def splits_of(label, n_folds, with_pairs):
    """Training masks of a repeat: without each fold, then without each pair of folds."""
    alone = [label != k for k in range(n_folds)]
    pairs = combinations(range(n_folds), 2) if with_pairs else ()
    return np.array([*alone, *(alone[i] & alone[j] for i, j in pairs)])


def nested_lists(values, label, n_folds):
    """Outer and inner values of a repeat, from (samples, splits) in the order of `splits_of`."""
    of_pair = {
        pair: n_folds + number for number, pair in enumerate(combinations(range(n_folds), 2))
    }
    outer = [values[label == k, k] for k in range(n_folds)]
    inner = [
        np.concatenate(
            [
                values[label == fold, of_pair[min(k, fold), max(k, fold)]]
                for fold in range(n_folds)
                if fold != k
            ]
        )
        for k in range(n_folds)
    ]
    return outer, inner


def usual(values, train, test, n_folds):
    """{name: (mean, half-width)} of the intervals that need nothing but the outer splits."""
    scores = with_samples(values[None], train, test, n_folds)
    mean = float(scores.means[0])
    found = {}
    for name, words in (("corrected_t", "corrected t"), ("samples", "samples")):
        chosen = PAIR_TESTS[name]
        critical = stats.t.isf((1 - LEVEL) / 2, chosen.df(scores))
        found[words] = mean, critical * float(chosen.std_errs(scores)[0])
    pooled = values[test.T]
    std_err = pooled.std(ddof=1) / np.sqrt(values.shape[0])
    found["naive"] = mean, stats.norm.isf((1 - LEVEL) / 2) * std_err
    return found


def one_data_set(cell, n_samples, rng):
    """Score of the model of all samples, {(interval, folds, repeats): (mean, half-width)}."""
    X, y = cell.data(rng, n_samples)
    X_new, y_new = cell.data(rng, N_TRUTH)
    everything = np.ones((1, n_samples), dtype=bool)
    truth = float(cell.values(X, y, everything, X_new, y_new).mean())
    found = {}
    for n_folds in (5, 10):
        with_pairs = n_folds == 5 or cell.pairs_of_ten
        label = [labels(rng, y, n_folds) for _ in range(N_REPEATS)]
        train = [splits_of(each, n_folds, with_pairs) for each in label]
        per_repeat = len(train[0])
        values = cell.values(X, y, np.concatenate(train), X, y)
        for folds, repeats in DESIGNS:
            if folds == n_folds:
                outer = np.concatenate([each[:n_folds] for each in train[:repeats]])
                columns = [r * per_repeat + k for r in range(repeats) for k in range(n_folds)]
                for name, interval in usual(values[:, columns], outer, ~outer, n_folds).items():
                    found[name, folds, repeats] = interval
        for folds, repeats in NESTED if with_pairs else ():
            if folds == n_folds:
                lists = [
                    nested_lists(values[:, r * per_repeat : (r + 1) * per_repeat], each, n_folds)
                    for r, each in enumerate(label[:repeats])
                ]
                outer, inner = (list(chain(*parts)) for parts in zip(*lists, strict=True))
                for bias, name in (("paper", "nested"), ("outer", "nested, outer mean")):
                    result = nested_cv_interval(outer, inner, n_folds, bias=bias)
                    half_width = (result.upper - result.lower) / 2
                    found[name, folds, repeats] = result.mean, half_width
    return truth, found


def coverage(name, n_samples, n_data_sets, *, seed=0):
    """Rows of one cell: {(interval, folds, repeats): {what: (value, standard error)}}.

    What: "fitted model" and "procedure", the shares of data sets whose interval contains the score
    of the model of all samples and its mean over data sets; "width"; and "error", the mean of the
    estimate minus the score of the procedure.
    """
    cell, rng = NESTED_CELLS[name], np.random.default_rng(seed)
    truths, rows = [], []
    for _ in range(n_data_sets):
        truth, found = one_data_set(cell, n_samples, rng)
        truths.append(truth)
        rows.append(found)
    truth = np.array(truths)
    table = {}
    for key in rows[0]:
        mean, half_width = np.array([row[key] for row in rows]).T
        table[key] = {
            "fitted model": _mean(np.abs(mean - truth) <= half_width),
            "procedure": _mean(np.abs(mean - truth.mean()) <= half_width),
            "width": _mean(2 * half_width),
            "error": _mean(mean - truth),
        }
    return table


def _mean(values):
    values = np.asarray(values, dtype=float)
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def printed(name, n_samples, n_data_sets):
    """Print the rows of one cell."""
    start = time.perf_counter()
    table = coverage(name, n_samples, n_data_sets)
    print(f"{name}, {n_samples} samples, {n_data_sets} data sets")
    print(f"  {'':26} {'fitted model':>14} {'procedure':>14} {'width':>16} {'error':>17}")
    for (interval, folds, repeats), row in sorted(table.items()):
        shares = [f"{100 * row[what][0]:6.1f} ± {100 * row[what][1]:.1f} %"
                  for what in ("fitted model", "procedure")]  # fmt: skip
        rest = [f"{row[what][0]:8.4f} ± {row[what][1]:.4f}" for what in ("width", "error")]
        print(f"  {f'{interval}, {folds}×{repeats}':26}", *shares, *rest)
    print(f"  {time.perf_counter() - start:.0f} s", flush=True)


def main(n_data_sets, part):
    for name, cell in NESTED_CELLS.items():
        for n_samples in cell.sizes:
            if part in f"{name}, {n_samples}":
                printed(name, n_samples, n_data_sets)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, sys.argv[2] if len(sys.argv) > 2 else "")
