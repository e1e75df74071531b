"""How near each correction of the leader's mean comes to the truth, and what intervals cover.

python -m benchmarks.optimism bias [n_data_sets [regime]]
python -m benchmarks.optimism coverage [n_data_sets [regime]]

Noise: logistic regressions on features of their own, none of which has anything to do with the
classes; the truth is chance. Smooth grid: one logistic regression over a grid of penalties. One
better: as noise, but the features of one candidate decide most of the classes. The truth of a data
set is the score of the chosen candidate, fitted on all of it, on 20,000 independent samples. The
results are recorded in docs/evidence.
"""

import sys
import time
from itertools import product

import numpy as np
from scipy import stats
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold

from benchmarks._conditional import AFTER_CHOICE, ChosenMean
from benchmarks._logistic import accuracies, areas, decisions, masks
from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._nested import OPTIMISM_METHODS, selection_optimism

N_TRUTH = 20_000
SCORES = {"accuracy": accuracies, "roc_auc": areas}
DESIGNS = [(10, 1), (5, 5), (10, 10)]
SIZES = [60, 300]
NUMBERS = [10, 50, 200]
# "usual" surrounds the plain mean, and OPTIMISM_METHODS their corrected means, with the same width.
# "hybrid, steps" counts a tie of accuracies as a lead of half a sample.
INTERVALS = ("usual", *OPTIMISM_METHODS, *AFTER_CHOICE, "hybrid, steps", "package's")


def noise(rng, n_samples, n_candidates):
    X = rng.standard_normal((n_candidates, n_samples, 2))
    return X, rng.random(n_samples) < 0.5, 1.0, None


def smooth_grid(rng, n_samples, n_candidates):
    """10 features, of which 4 matter; penalties from far too strong to none to speak of."""
    coef = np.r_[np.full(4, 0.5), np.zeros(6)]
    X = rng.standard_normal((n_samples + N_TRUTH, 10))
    y = rng.random(len(X)) < expit(X @ coef)
    own = np.broadcast_to(X[:n_samples], (n_candidates, n_samples, 10))
    return own, y[:n_samples], np.geomspace(1e-4, 1e2, n_candidates), (X[n_samples:], y[n_samples:])


def one_better(rng, n_samples, n_candidates):
    """As noise, but the first model's features decide the classes to a large part."""
    X = rng.standard_normal((n_candidates, n_samples, 2))
    new = rng.standard_normal((N_TRUTH, 2))
    y, y_new = (rng.random(len(x)) < expit(1.5 * x.sum(axis=1)) for x in (X[0], new))
    return X, y, 1.0, (new, y_new)


REGIMES = {"noise": noise, "smooth grid": smooth_grid, "one better": one_better}


def one_data_set(rng, regime, n_samples, n_candidates, n_folds, n_repeats, score):
    """Errors of the leader's mean as it is and corrected; what each interval does; the lead.

    Returns
    -------
    errors : list of float
        Of the uncorrected mean, then of `OPTIMISM_METHODS`.
    holds, widths : ndarray, shape (len(INTERVALS),)
        Whether the interval holds the truth, and its width as a multiple of the usual one.
    lead : float
        How many standard errors the leader is ahead of the second.
    """
    X, y, C, new = REGIMES[regime](rng, n_samples, n_candidates)
    seed = int(rng.integers(2**31))
    cv = RepeatedStratifiedKFold(n_splits=n_folds, n_repeats=n_repeats, random_state=seed)
    train, test = masks(cv, y)
    values = SCORES[score](decisions(X, y, train, C), y, test)
    design = SplitDesign(train.sum(axis=1), test.sum(axis=1), np.arange(len(train)) // n_folds)
    scores = SplitScores(values, design)
    leader = int(scores.order[0])
    if regime == "noise" or (regime == "one better" and leader > 0):
        truth = 0.5  # whatever was learnt: the classes of new samples are coins
    else:
        model = LogisticRegression(C=np.broadcast_to(C, n_candidates)[leader]).fit(X[leader], y)
        value = model.decision_function(new[0])[None, :, None]
        truth = float(SCORES[score](value, new[1], np.ones((1, N_TRUTH), bool))[0, 0])
    found = {method: selection_optimism(scores, method=method, rng=rng, metric=score)
             for method in OPTIMISM_METHODS}  # fmt: skip
    result = found["tibshirani"]
    errors = [result.mean - truth, *(each.corrected_mean - truth for each in found.values())]
    half_width = stats.t.isf(0.025, result.df) * result.std_err
    low, high = np.transpose(
        [(centre - half_width, centre + half_width)
         for centre in (result.mean, *(each.corrected_mean for each in found.values()))]
        + [ChosenMean.of(scores).limits(0.025, method) for method in AFTER_CHOICE]
        + [ChosenMean.of(scores, 0.5 / n_samples).limits(0.025), result.limits(0.025)]
    )  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        widths = (high - low) / (2 * half_width)
    lead = result.leads[0] if result.leads else 0.0  # of the first that is not a copy
    # Limits and truth may be equal but for rounding: accuracies are shares.
    return errors, (low <= truth + 1e-12) & (truth <= high + 1e-12), widths, lead


def coverage(n_data_sets, regimes=REGIMES):
    """Print how often the 95 % intervals hold the truth with ten folds once, the hardest case."""
    print(f"95 % intervals that hold the truth, accuracy, 10 folds, {n_data_sets} data sets each")
    print("By thirds of the leader's lead over the second, in standard errors of the difference;")
    print("and the median width as a multiple of the usual interval's")
    print(f"{'':42}{'  '.join(f'{name:>15}' for name in INTERVALS)}")
    for regime, n_samples, m in product(regimes, SIZES, (10, 200)):
        rng = np.random.default_rng(7)
        found = [one_data_set(rng, regime, n_samples, m, 10, 1, "accuracy")[1:]
                 for _ in range(n_data_sets)]  # fmt: skip
        holds, widths, leads = (np.array(each) for each in zip(*found, strict=True))
        third = np.argsort(np.argsort(leads, kind="stable")) * 3 // len(leads)
        rows = [("all", third >= 0), *((f"{word} lead", third == k)
                for k, word in enumerate(("small", "middle", "large")))]  # fmt: skip
        for words, which in rows:
            shares = holds[which].mean(axis=0)
            errors = np.sqrt(shares * (1 - shares) / which.sum())
            told = [f"{100 * share:.1f} ± {100 * error:.1f} %"
                    for share, error in zip(shares, errors, strict=True)]  # fmt: skip
            cell = f"{regime}, {n_samples}, {m}: {words}"
            print(f"{cell:42}{'  '.join(f'{each:>15}' for each in told)}")
        told = "  ".join(f"{width:>15.2f}" for width in np.nanmedian(widths, axis=0))
        print(f"{f'{regime}, {n_samples}, {m}: width':42}{told}", flush=True)


def bias(n_data_sets, regimes=REGIMES):
    """Print bias and RMSE of each correction over all sizes, designs and scores."""
    names = ["naive", *OPTIMISM_METHODS]
    cells = list(product(SIZES, NUMBERS, DESIGNS, SCORES))
    per_cell = max(1, n_data_sets // len(cells))
    print(f"{len(cells)} cells (n, m, folds × repeats, score) of {per_cell} data sets each")
    print(f"{'':12}  {'':15}  {'bias':>7}  {'RMSE':>6}")
    for regime in regimes:
        rng = np.random.default_rng(4)
        errors, holds = [], []
        for (n_samples, m, (n_folds, n_repeats), score), _ in product(cells, range(per_cell)):
            e, h, *_ = one_data_set(rng, regime, n_samples, m, n_folds, n_repeats, score)
            errors.append(e)
            holds.append(h)
        errors, holds = np.array(errors), np.array(holds)
        standard_error = errors.std(axis=0, ddof=1) / np.sqrt(len(errors))
        rows = zip(names, errors.mean(axis=0), standard_error,
                   np.sqrt((errors**2).mean(axis=0)), strict=True)  # fmt: skip
        for name, mean, error, rmse in rows:
            print(f"{regime:12}  {name:15}  {mean:+.3f} ± {error:.3f}  {rmse:.3f}")
        shares = holds.mean(axis=0)
        errors = np.sqrt(shares * (1 - shares) / len(holds))
        told = (f"{name} {100 * share:.1f} ± {100 * error:.1f} %"
                for name, share, error in zip(INTERVALS, shares, errors, strict=True))  # fmt: skip
        print(f"{regime:12}  95 % intervals hold the truth: {', '.join(told)}", flush=True)


def main(what="coverage", n_data_sets=None, *regimes):
    start = time.perf_counter()
    measure, default = {"bias": (bias, 720), "coverage": (coverage, 400)}[what]
    measure(int(n_data_sets or default), regimes or REGIMES)
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
