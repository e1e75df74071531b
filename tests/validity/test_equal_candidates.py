"""Error rates with ten equally good models: what the guarantees promise, on real learners.

Each data set has ten logistic regressions on features of their own, independent and identically
distributed given the class, 300 samples, scored by accuracy on 10×10-fold cross-validation. A band
fails only if the rate ± 2 standard errors lies wholly outside. The bands are for models that have
learnt something (an accuracy of about 0.8); near chance a model changes much with its training set,
the correction is too small, and the rates are recorded without a band.
"""

import time

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

from benchmarks._logistic import accuracies, areas, decisions, equal_blocks, masks
from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._best import model_confidence_set_pvalues, possibly_best_pvalues
from sklearn_stats_compare.stats._corrected_t import PairedTTests

ALPHA = 0.05
N_SAMPLES = 300
BANDS = {
    # what: (lowest, highest) rate
    "possibly-best set leaves a given candidate out": (0.0, 0.05),
    "the same by max-t": (0.0, 0.05),
    "model confidence set leaves a given candidate out": (0.0, 0.05),
    "uncorrected t, two-sided, rejects": (0.45, 1.0),
    "corrected t, two-sided, rejects": (0.02, 0.045),
}


def simulated_scores(rng, shift):
    """Scores of ten equal models on one data set."""
    X, y = equal_blocks(rng, n_samples=N_SAMPLES, shift=shift)
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=int(rng.integers(2**31)))
    train, test = masks(cv, y)
    values = accuracies(decisions(X, y, train), y, test)
    return SplitScores(values, SplitDesign(train.sum(axis=1), test.sum(axis=1)))


def rates_of_one(scores, *, slow):
    """Share of the pairs, or of the ten exchangeable candidates, on which each thing happens."""
    tests = PairedTTests.all_pairs(scores)
    uncorrected = PairedTTests(
        tests.first, tests.second, tests.mean_diff, tests.std, tests.df, 1 / scores.n_splits
    )
    rates = [
        possibly_best_pvalues(scores) < ALPHA,
        possibly_best_pvalues(scores, method="maxt") < ALPHA if slow else np.nan,
        model_confidence_set_pvalues(scores) < ALPHA if slow else np.nan,
        uncorrected.pvalue("two-sided") < ALPHA,
        tests.pvalue("two-sided") < ALPHA,
    ]
    return [np.mean(rate) for rate in rates]


def outside_bands(n_data_sets, capsys, *, shift=0.4, slow):
    """Simulate, print the rates with their standard errors, and say which contradict a band."""
    start = time.perf_counter()
    rng = np.random.default_rng(20)
    found = np.array(
        [rates_of_one(simulated_scores(rng, shift), slow=slow) for _ in range(n_data_sets)]
    )
    rates = found.mean(axis=0)
    errors = found.std(axis=0, ddof=1) / np.sqrt(n_data_sets)
    outside = []
    with capsys.disabled():
        seconds = time.perf_counter() - start
        print(f"\n{n_data_sets:,} data sets, shift {shift}, nominal {ALPHA:.0%}, {seconds:.0f} s")
        for (what, (low, high)), rate, error in zip(BANDS.items(), rates, errors, strict=True):
            if np.isnan(rate):
                continue
            print(f"  {what}: {rate:.2%} ± {error:.2%} (band {low:.1%} to {high:.1%})")
            if rate + 2 * error < low or rate - 2 * error > high:
                outside.append(what)
    return outside


@pytest.mark.slow
def test_error_rates_lie_in_their_bands(capsys):
    assert not outside_bands(1_500, capsys, slow=True)


@pytest.mark.slow
def test_near_chance_the_corrected_test_rejects_a_little_too_often(capsys):
    # An accuracy of about 0.57, as in docs/guide/assumptions.rst; nothing else leaves its band.
    outside = outside_bands(1_000, capsys, shift=0.1, slow=True)
    assert "corrected t, two-sided, rejects" in outside
    assert "possibly-best set leaves a given candidate out" not in outside


def test_error_rates_of_a_few_data_sets_do_not_contradict_their_bands(capsys):
    assert not outside_bands(60, capsys, slow=False)


def test_the_batched_solver_gives_logistic_regressions_scores():
    rng = np.random.default_rng(0)
    X, y = equal_blocks(rng, n_samples=N_SAMPLES, n_models=3)
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
    train, test = masks(cv, y)
    penalties = np.array([0.01, 1.0, 100.0])
    value = decisions(X, y, train, penalties)
    for model, C in enumerate(penalties):
        theirs = LogisticRegression(C=C, tol=1e-10, solver="newton-cholesky")
        for scoring, scores in (("accuracy", accuracies), ("roc_auc", areas)):
            expected = cross_val_score(theirs, X[model], y, cv=cv, scoring=scoring)
            np.testing.assert_allclose(scores(value, y, test)[model], expected, rtol=1e-12)
        # And with scikit-learn's defaults, whose solver stops a little earlier.
        default = cross_val_score(LogisticRegression(C=C), X[model], y, cv=cv)
        assert np.mean(default == accuracies(value, y, test)[model]) >= 0.95
