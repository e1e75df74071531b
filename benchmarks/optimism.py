"""How near each correction of the leader's mean comes to the truth; bias and RMSE.

python -m benchmarks.optimism [n_data_sets]

Noise: logistic regressions on features of their own, none of which has anything to do with the
classes; the truth is chance. Smooth grid: one logistic regression over a grid of penalties. The
truth of a data set is the score of the chosen candidate, fitted on all of it, on 20,000
independent samples. The results are recorded in docs/guide/cannot_tell.rst.
"""

import sys
import time
from itertools import product

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold

from benchmarks._logistic import accuracies, areas, decisions, masks
from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._optimism import OPTIMISM_METHODS, selection_optimism

N_TRUTH = 20_000
SCORES = {"accuracy": accuracies, "roc_auc": areas}
DESIGNS = [(10, 1), (5, 5), (10, 10)]
SIZES = [60, 300]
NUMBERS = [10, 50, 200]


def noise(rng, n_samples, n_candidates):
    X = rng.standard_normal((n_candidates, n_samples, 2))
    return X, rng.random(n_samples) < 0.5, 1.0


def smooth_grid(rng, n_samples, n_candidates):
    """10 features, of which 4 matter; penalties from far too strong to none to speak of."""
    coef = np.r_[np.full(4, 0.5), np.zeros(6)]
    X = rng.standard_normal((n_samples, 10))
    y = rng.random(n_samples) < expit(X @ coef)
    return np.broadcast_to(X, (n_candidates, *X.shape)), y, np.geomspace(1e-4, 1e2, n_candidates)


REGIMES = {"noise": noise, "smooth grid": smooth_grid}


def one_data_set(rng, regime, n_samples, n_candidates, n_folds, n_repeats, score):
    """Errors of the leader's mean as it is and corrected, and whether each interval holds truth."""
    X, y, C = REGIMES[regime](rng, n_samples + N_TRUTH if regime != "noise" else n_samples,
                              n_candidates)  # fmt: skip
    own = slice(n_samples)
    seed = int(rng.integers(2**31))
    cv = RepeatedStratifiedKFold(n_splits=n_folds, n_repeats=n_repeats, random_state=seed)
    train, test = masks(cv, y[own])
    values = SCORES[score](decisions(X[:, own], y[own], train, C), y[own], test)
    design = SplitDesign(train.sum(axis=1), test.sum(axis=1), np.arange(len(train)) // n_folds)
    scores = SplitScores(values, design)
    if regime == "noise":
        truth = 0.5  # whatever was learnt: the classes of new samples are coins
    else:
        leader = int(scores.order[0])
        model = LogisticRegression(C=C[leader]).fit(X[leader, own], y[own])
        value = model.decision_function(X[leader, n_samples:])[None, :, None]
        truth = float(SCORES[score](value, y[n_samples:], np.ones((1, N_TRUTH), bool))[0, 0])
    found = {method: selection_optimism(scores, method=method, rng=rng)
             for method in OPTIMISM_METHODS}  # fmt: skip
    naive = found["tibshirani"].mean
    errors = [naive - truth, *(result.corrected_mean - truth for result in found.values())]
    half_width = np.subtract(*found["tibshirani"].confidence_interval()[::-1]) / 2
    return errors, np.abs(errors) <= half_width


def coverage(n_data_sets):
    """Print how often the 95 % intervals hold the truth with ten folds once, the hardest case."""
    names = ("around the plain mean", *OPTIMISM_METHODS)
    print(f"95 % intervals that hold the truth, accuracy, 10 folds, {n_data_sets} data sets each")
    for regime, n_samples, m in product(REGIMES, SIZES, (10, 200)):
        rng = np.random.default_rng(7)
        holds = [one_data_set(rng, regime, n_samples, m, 10, 1, "accuracy")[1]
                 for _ in range(n_data_sets)]  # fmt: skip
        shares = np.mean(holds, axis=0)
        told = ", ".join(f"{name} {share:.1%}" for name, share in zip(names, shares, strict=True))
        print(f"  {regime}, {n_samples} samples, {m} candidates: {told}", flush=True)


def main(n_data_sets):
    start = time.perf_counter()
    names = ["naive", *OPTIMISM_METHODS]
    cells = list(product(SIZES, NUMBERS, DESIGNS, SCORES))
    per_cell = max(1, n_data_sets // len(cells))
    print(f"{len(cells)} cells (n, m, folds × repeats, score) of {per_cell} data sets each")
    print(f"{'':12}  {'':15}  {'bias':>7}  {'RMSE':>6}  {'95 % interval holds the truth':>30}")
    for regime in REGIMES:
        rng = np.random.default_rng(4)
        errors, holds = [], []
        for (n_samples, m, (n_folds, n_repeats), score), _ in product(cells, range(per_cell)):
            e, h = one_data_set(rng, regime, n_samples, m, n_folds, n_repeats, score)
            errors.append(e)
            holds.append(h)
        errors, holds = np.array(errors), np.array(holds)
        standard_error = errors.std(axis=0, ddof=1) / np.sqrt(len(errors))
        rows = zip(names, errors.mean(axis=0), standard_error,
                   np.sqrt((errors**2).mean(axis=0)), holds.mean(axis=0), strict=True)  # fmt: skip
        for name, bias, error, rmse, share in rows:
            print(f"{regime:12}  {name:15}  {bias:+.3f} ± {error:.3f}  {rmse:.3f}  {share:>20.0%}")
    coverage(400)
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 720)
