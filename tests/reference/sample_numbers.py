"""Make samples.json: standard errors of per-sample values by plain loops, no code of the package.

    python tests/reference/sample_numbers.py

Four candidates, three repeats of five uneven folds of 23 samples, negative values, the best of them
not the first. The formulas are written out sample by sample, as a reader would check them by hand.
"""

import itertools
import json
import random
from pathlib import Path

from scipy import stats

HERE = Path(__file__).parent
N_CANDIDATES, N_REPEATS, N_SAMPLES, N_FOLDS = 4, 3, 23, 5


def values():
    """Losses with what samples, candidates and refits have of their own, to four decimals."""
    source = random.Random(17)
    hardness = [source.gauss(-1.0, 0.6) for _ in range(N_SAMPLES)]
    offset = [-0.3, 0.1, 0.15, -0.05]
    table = []
    for candidate in range(N_CANDIDATES):
        own = [source.gauss(0.0, 0.3) for _ in range(N_SAMPLES)]
        table.append(
            [
                [
                    round(hardness[i] + offset[candidate] + own[i] + source.gauss(0.0, 0.2), 4)
                    for i in range(N_SAMPLES)
                ]
                for _ in range(N_REPEATS)
            ]
        )
    return table


def mean(numbers):
    return sum(numbers) / len(numbers)


def variance(numbers):
    """With one degree of freedom less than there are numbers."""
    centre = mean(numbers)
    return sum((x - centre) ** 2 for x in numbers) / (len(numbers) - 1)


def std_err(d, form, n_folds, instability):
    """Of the mean of d[r][i], r the repeat and i the sample."""
    n_repeats, n = len(d), len(d[0])
    inflation = n_folds / (n_folds - 1)
    of_samples = mean([variance(row) for row in d])
    by_sample = [[row[i] for row in d] for i in range(n)]
    if n_repeats == 1:
        squared = (of_samples * inflation + instability * of_samples) / n
    elif form == "mean":
        of_refits = mean([variance(column) for column in by_sample])
        squared = (of_samples * inflation + of_refits / n_repeats) / n
    else:
        of_means = variance([mean(column) for column in by_sample])
        of_repeats = variance([mean(row) for row in d])
        squared = inflation * (of_means / n + of_repeats / n_repeats)
    return squared**0.5


def numbers():
    table = values()
    # The first three folds hold five samples, the last two four; any samples will do.
    fold = [sorted([k % N_FOLDS for k in range(N_SAMPLES)])] * N_REPEATS
    splits = [
        [
            mean([x for x, f in zip(table[c][r], fold[r], strict=True) if f == k])
            for r in range(N_REPEATS)
            for k in range(N_FOLDS)
        ]
        for c in range(N_CANDIDATES)
    ]
    cases = []
    for form, n_repeats, instability in (
        ("mean", 3, 1.0),
        ("auc", 3, 1.0),
        ("mean", 1, 1.0),
        ("mean", 1, 0.3),
        ("auc", 1, 1.0),
    ):
        pairs = []
        for i, j in itertools.combinations(range(N_CANDIDATES), 2):
            d = [
                [a - b for a, b in zip(table[i][r], table[j][r], strict=True)]
                for r in range(n_repeats)
            ]
            n_splits = n_repeats * N_FOLDS
            difference = mean(splits[i][:n_splits]) - mean(splits[j][:n_splits])
            error = std_err(d, form, N_FOLDS, instability)
            pairs.append(
                {
                    "i": i,
                    "j": j,
                    "mean_diff": difference,
                    "std_err": error,
                    "p_two_sided": 2 * float(stats.t.sf(abs(difference / error), N_SAMPLES - 1)),
                }
            )
        cases.append(
            {
                "form": form,
                "n_repeats": n_repeats,
                "instability": instability,
                "pairs": pairs,
                "own_std_errs": [
                    std_err(table[c][:n_repeats], form, N_FOLDS, instability)
                    for c in range(N_CANDIDATES)
                ],
            }
        )
    return {"values": table, "splits": splits, "n_folds": N_FOLDS, "cases": cases}


if __name__ == "__main__":
    (HERE / "samples.json").write_text(json.dumps(numbers(), indent=1) + "\n")
