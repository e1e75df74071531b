"""Parity with other packages on random input, to 1e-10 if they have the same statistic."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.model_selection import KFold, cross_val_score
from sklearn.svm import SVC

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores

CLOSE = {"rel": 1e-10, "abs": 1e-10}
# Scores with four digits, as accuracies have: differences that vary, or not at all.
TWO_MODELS = arrays(int, (2, 20), elements=st.integers(5000, 10_000))


@given(scores=TWO_MODELS, rope=st.sampled_from([0.001, 0.01, 0.1]), runs=st.sampled_from([1, 2, 4]))
def test_matches_baycomp_two_on_single(baycomp, scores, rope, runs):
    x, y = scores / 10_000
    assume(np.std(x - y) > 1e-6)
    n_folds = 20 // runs
    left, inside, right = baycomp.two_on_single(x, y, rope=rope, runs=runs)
    design = SplitDesign([n_folds - 1] * 20, [1] * 20)
    posterior = Comparison(SplitScores([x, y], design), rope=rope, warn=False).posterior(0, 1)
    ours = posterior.probabilities()
    # baycomp's difference is y − x: its left tail is our `better`.
    assert (ours.better, ours.rope, ours.worse) == pytest.approx((left, inside, right), **CLOSE)


def test_uncorrected_t_matches_mlxtends_k_fold_test(moons_data):
    evaluate = pytest.importorskip("mlxtend.evaluate")
    X, y = moons_data
    one, other = SVC(kernel="linear"), SVC(kernel="rbf")
    t, p = evaluate.paired_ttest_kfold_cv(one, other, X, y, cv=10, shuffle=True, random_seed=3)
    folds = KFold(10, shuffle=True, random_state=3)
    scores = [cross_val_score(model, X, y, cv=folds) for model in (one, other)]
    comparison = Comparison(SplitScores(scores, SplitDesign([90] * 10, [10] * 10)), ["a", "b"])
    row = comparison.frequentist(test="uncorrected_t", alternative="two-sided").iloc[0]
    sign = 1 if row["model_1"] == "a" else -1
    assert (sign * row["t_stat"], row["p_unadjusted"]) == pytest.approx((t, p), **CLOSE)
