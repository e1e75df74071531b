"""What is asked of each simulated data set: rejections, sets, coverage, regret, calibration."""

import itertools

import numpy as np
import pandas as pd

from sklearn_stats_compare import (
    Simplest,
)
from sklearn_stats_compare.stats._best import (
    model_confidence_set_pvalues,
    possibly_best_pvalues,
    probability_best,
    rank_limits,
    regret_bounds,
)
from sklearn_stats_compare.stats._corrected_t import PairedTTests, rope_probabilities
from sklearn_stats_compare.stats._family import Family, Settings, pair_test
from sklearn_stats_compare.stats._multitest import P_ADJUST
from sklearn_stats_compare.stats._pair_tests import UNCORRECTED_T, is_five_by_two

ALPHA = 0.05
ROPE = (-0.01, 0.01)
RULES = {
    "possibly_best": Simplest("complexity"),
    "rope": Simplest("complexity", within="rope", rope=0.01),
    "at most 0.05": Simplest("complexity", 0.05),
    "1se": Simplest("complexity", within="1se"),
    "1%": Simplest("complexity", within="1%"),
}
BINS = np.array([0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0])


def settings(p_adjust):
    """Two-sided settings under an adjustment."""
    return Settings("two-sided", p_adjust, ROPE, ALPHA)


def of_equal_models(scores, *, slow=True):
    """Rates of one data set whose models are exchangeable, each a mean over pairs or models."""
    tests = PairedTTests.all_pairs(scores)
    inside = rope_probabilities(tests.mean_diff, tests.std_err, tests.df, ROPE)
    rates = {
        "uncorrected t, two-sided": UNCORRECTED_T.all_pairs(scores).pvalue("two-sided") < ALPHA,
        "corrected t, two-sided": tests.pvalue("two-sided") < ALPHA,
        "corrected t, one-sided after ranking": tests.pvalue("greater") < ALPHA,
        "ROPE verdict better or worse": np.maximum(inside.better, inside.worse) >= 1 - ALPHA,
        "ROPE verdict equivalent": inside.rope >= 1 - ALPHA,
    }
    for method in P_ADJUST:
        if method != "maxt" or slow:
            pvalues = Family(scores, tests, settings(method)).pvalue("two-sided")
            rates[f"any of all pairs, {method}"] = pvalues.min() < ALPHA
    rates["possibly-best set leaves out"] = possibly_best_pvalues(scores) < ALPHA
    if slow:
        rates["the same by max-t"] = possibly_best_pvalues(scores, method="maxt") < ALPHA
        rates["model confidence set leaves out"] = model_confidence_set_pvalues(scores) < ALPHA
    if is_five_by_two(scores.design):
        for name, test in {"5×2cv t": "5x2cv_t", "5×2cv F": "5x2cv_f"}.items():
            rates[name] = pair_test(test).all_pairs(scores).pvalue("two-sided") < ALPHA
    return {name: float(np.mean(rate)) for name, rate in rates.items()}


def of_differing_models(scores, truth, rng):
    """Coverage, power, regret of one data set with known true means; and what was predicted."""
    tests = PairedTTests.all_pairs(scores)
    difference = truth[tests.first] - truth[tests.second]
    low, high = Family(scores, tests, settings(None)).interval()
    covered = (low <= difference) & (difference <= high)
    rates = {"95 % interval covers": float(covered.mean())}
    for method in P_ADJUST:
        pvalues = Family(scores, tests, settings(method)).pvalue("two-sided")
        right = (pvalues < ALPHA) & (difference > 0)
        wrong = (pvalues < ALPHA) & (difference < 0)
        rates[f"true differences found, {method}"] = right.mean()
        rates[f"wrong direction, any, {method}"] = float(wrong.any())
    best = int(np.argmax(truth))
    rates["possibly-best set holds the best"] = possibly_best_pvalues(scores)[best] >= ALPHA
    rates["model confidence set holds the best"] = (
        model_confidence_set_pvalues(scores)[best] >= ALPHA
    )
    rates["all shortfalls are within their bounds"] = (
        truth[best] - truth <= regret_bounds(scores)
    ).all()
    low, high = rank_limits(scores)
    rank = 1 + (truth[:, None] < truth).sum(axis=1)
    rates["all ranks are within their intervals"] = ((low <= rank) & (rank <= high)).all()
    complexity = rng.permutation(len(truth)).tolist()
    results = {
        "params": [{"complexity": value} for value in complexity],
        "mean_test_score": scores.means,
        **{f"split{k}_test_score": scores.values[:, k] for k in range(scores.n_splits)},
    }
    for name, rule in RULES.items():
        chosen = rule.choose(results, scores)[0]
        rates[f"regret, {name}"] = truth[best] - truth[chosen]
        rates[f"complexity, {name}"] = complexity[chosen]
    rates["regret, best mean"] = truth[best] - truth[scores.order[0]]
    rates["complexity, best mean"] = complexity[scores.order[0]]
    # Pairs in the order of the models and not of the ranking, which would choose the sign.
    turned = tests.first > tests.second
    better = rope_probabilities(tests.mean_diff, tests.std_err, tests.df, (0.0, 0.0)).better
    predicted = {
        "P(better)": (np.where(turned, 1 - better, better), (difference > 0) ^ turned),
        "P(best)": (
            probability_best(scores, most_behind=0.0, n_draws=2000, rng=rng).best,
            np.arange(len(truth)) == best,
        ),
    }
    return {name: float(rate) for name, rate in rates.items()}, predicted


def calibration_bins(predicted, happened):
    """Of predictions in each bin: how many, their mean, and how often it was so."""
    which = np.clip(np.digitize(predicted, BINS) - 1, 0, len(BINS) - 2)
    frame = pd.DataFrame({"bin": which, "predicted": predicted, "happened": happened})
    table = frame.groupby("bin").agg(
        n=("predicted", "size"), predicted=("predicted", "mean"), happened=("happened", "mean")
    )
    names = [f"{low:.2f} to {high:.2f}" for low, high in itertools.pairwise(BINS)]
    return table.set_axis([names[k] for k in table.index])
