"""Influences on scores: derivatives with respect to a sample's weight, and known formulas."""

import warnings
from functools import partial

import numpy as np
import pytest
from sklearn import metrics

from sklearn_stats_compare.predictions._influence import SAMPLE_METRICS, sample_values
from sklearn_stats_compare.stats import delong

RNG = np.random.default_rng(0)
N = 24
TWO = np.r_[0, 1, RNG.integers(0, 2, N - 2)]
TWO_SAID = np.where(RNG.random(N) < 0.7, TWO, 1 - TWO)
FOUR = np.r_[np.arange(4), RNG.choice(4, N - 4, p=[0.4, 0.3, 0.2, 0.1])]
FOUR_SAID = np.where(RNG.random(N) < 0.6, FOUR, RNG.integers(0, 4, N))
LABELS = (RNG.random((N, 3)) < [0.5, 0.3, 0.2]).astype(int)
LABELS_SAID = np.where(RNG.random((N, 3)) < 0.7, LABELS, 1 - LABELS)
SCORES = np.round(RNG.normal(size=N) + TWO, 1)
PROBA = 1 / (1 + np.exp(-SCORES))
PROBAS = RNG.dirichlet(np.ones(4), N) * 0.7 + 0.3 * np.eye(4)[FOUR]
LABEL_SCORES = np.round(RNG.normal(size=(N, 3)) + LABELS, 1)
NUMBERS = RNG.gamma(2, 2, N)
PREDICTED = NUMBERS * np.exp(RNG.normal(0, 0.3, N))
OUTPUTS, OUTPUTS_SAID = RNG.gamma(2, 2, (2, N, 2))

AVERAGES = [
    (truth, said, {"average": average})
    for truth, said in ((FOUR, FOUR_SAID), (LABELS, LABELS_SAID))
    for average in ("macro", "micro", "weighted")
] + [(TWO, TWO_SAID, {"average": "binary", "pos_label": 0})]
F_BETA = [(*case[:2], {**case[2], "beta": 2}) for case in AVERAGES]
CASES = {
    "accuracy_score": [(FOUR, FOUR_SAID, {}), (LABELS, LABELS_SAID, {})],
    "average_precision_score": [
        (TWO, SCORES, {}),
        (TWO, SCORES, {"pos_label": 0}),
        (FOUR, PROBAS, {"average": "weighted"}),
        *[(LABELS, LABEL_SCORES, {"average": a}) for a in ("macro", "micro", "weighted")],
    ],
    "balanced_accuracy_score": [(FOUR, FOUR_SAID, {}), (FOUR, FOUR_SAID, {"adjusted": True})],
    "brier_score_loss": [(TWO, PROBA, {})],
    "cohen_kappa_score": [
        (FOUR, FOUR_SAID, {"weights": weights}) for weights in (None, "linear", "quadratic")
    ],
    "f1_score": AVERAGES,
    "fbeta_score": F_BETA,
    "hamming_loss": [(LABELS, LABELS_SAID, {})],
    "jaccard_score": AVERAGES,
    "log_loss": [(TWO, PROBA, {}), (FOUR, PROBAS, {"labels": [0, 1, 2, 3]})],
    "matthews_corrcoef": [(TWO, TWO_SAID, {}), (FOUR, FOUR_SAID, {})],
    "mean_absolute_error": [(NUMBERS, PREDICTED, {}), (OUTPUTS, OUTPUTS_SAID, {})],
    "mean_absolute_percentage_error": [(NUMBERS, PREDICTED, {})],
    "mean_gamma_deviance": [(NUMBERS, PREDICTED, {})],
    "mean_pinball_loss": [(NUMBERS, PREDICTED, {"alpha": 0.9})],
    "mean_poisson_deviance": [(NUMBERS, PREDICTED, {})],
    "mean_squared_error": [(OUTPUTS, OUTPUTS_SAID, {"multioutput": [0.2, 0.8]})],
    "mean_squared_log_error": [(NUMBERS, PREDICTED, {})],
    "mean_tweedie_deviance": [(NUMBERS, PREDICTED, {"power": 1.5})],
    "negative_likelihood_ratio": [(TWO, TWO_SAID, {})],
    "positive_likelihood_ratio": [(TWO, TWO_SAID, {})],
    "precision_score": AVERAGES,
    "recall_score": AVERAGES,
    "roc_auc_score": [
        (TWO, SCORES, {}),
        *[(LABELS, LABEL_SCORES, {"average": a}) for a in ("macro", "micro", "weighted")],
        *[
            (FOUR, PROBAS, {"multi_class": kind, "average": a})
            for kind in ("ovr", "ovo")
            for a in ("macro", "weighted")
        ],
    ],
    "root_mean_squared_error": [(NUMBERS, PREDICTED, {}), (OUTPUTS, OUTPUTS_SAID, {})],
    "root_mean_squared_log_error": [(NUMBERS, PREDICTED, {})],
    "top_k_accuracy_score": [(FOUR, PROBAS, {"k": 2})],
    "zero_one_loss": [(FOUR, FOUR_SAID, {})],
}
# Their total is held fixed; compared with its own formula below.
OF_A_TOTAL = {
    "r2_score": (NUMBERS, PREDICTED, {}),
    "explained_variance_score": (NUMBERS, PREDICTED, {}),
    "d2_tweedie_score": (NUMBERS, PREDICTED, {"power": 1}),
    "d2_log_loss_score": (TWO, PROBA, {}),
    "d2_brier_score": (TWO, PROBA, {}),
}


def function(name):
    if name.endswith("likelihood_ratio"):
        scorer = "neg_negative_likelihood_ratio" if name.startswith("neg") else name
        return metrics.get_scorer(scorer)._score_func
    return getattr(metrics, name, None)


def assert_derivative(values, score, y_true, response, tolerance):
    """Compare with n times the derivative of the score by each sample's weight, at weights of 1.

    By copies, since not every metric takes weights: of `copies` copies of all samples one more, or
    one less, of one is a weight of 1 ± 1/copies. The error is of the order 1/copies². Equal samples
    have equal derivatives; of more than six that differ, six are drawn.
    """
    copies, n = 60, len(y_true)
    every = np.repeat(np.arange(n), copies)
    rows = np.column_stack([y_true, response])
    _, chosen, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    expected = np.full(chosen.size, np.nan)
    for k in np.random.default_rng(0).permutation(chosen.size)[:6]:
        more, less = np.append(every, chosen[k]), np.delete(every, chosen[k] * copies)
        change = score(y_true[more], response[more]) - score(y_true[less], response[less])
        expected[k] = change * n * copies / 2
    expected = expected[place.ravel()]
    drawn = np.isfinite(expected)
    atol = tolerance * np.abs(expected[drawn]).max()
    np.testing.assert_allclose(values[drawn], expected[drawn], atol=atol)


ALL = [(name, case) for name, cases in CASES.items() for case in cases]


def test_every_metric_has_a_derivative_test():
    own = {"d2_absolute_error_score", "misclassification_cost"}  # have tests of their own
    assert set(CASES) | set(OF_A_TOTAL) | own == set(SAMPLE_METRICS)


@pytest.mark.parametrize(
    ("name", "case"), ALL, ids=[f"{name}-{i}" for i, (name, _) in enumerate(ALL)]
)
def test_values_equal_the_score_plus_its_derivative_by_sample_weight(name, case):
    y_true, response, options = case
    metric = function(name)
    score = metric(y_true, response, **options)
    values = sample_values(name, y_true, response, **options)
    assert values.mean() == pytest.approx(score, rel=1e-12)
    assert_derivative(values - score, partial(metric, **options), y_true, response, 2e-4)


@pytest.mark.parametrize("name", OF_A_TOTAL)
def test_shares_of_a_total_follow_the_total_too(name):
    y_true, response, options = OF_A_TOTAL[name]
    metric = function(name)
    if metric is None:
        pytest.skip("not in scikit-learn 1.6")
    score = metric(y_true, response, **options)
    values = sample_values(name, y_true, response, **options)
    assert values.mean() == pytest.approx(score, rel=1e-12)
    # Copies of a sample change the total, too.
    assert_derivative(values - score, partial(metric, **options), y_true, response, 1e-3)


@pytest.mark.parametrize("name", ["r2_score", "explained_variance_score"])
@pytest.mark.parametrize("multioutput", ["variance_weighted", "uniform_average", [0.2, 0.8]])
def test_shares_of_several_totals_follow_each(name, multioutput):
    # The weights of the outputs are their totals, or do not depend on the samples.
    truth = np.column_stack([NUMBERS, np.random.default_rng(0).permutation(NUMBERS) ** 2])
    said = np.column_stack([PREDICTED, np.full(len(NUMBERS), truth[:, 1].mean() + 0.1)])
    metric = partial(function(name), multioutput=multioutput)
    values = sample_values(name, truth, said, multioutput=multioutput)
    assert values.mean() == pytest.approx(metric(truth, said), rel=1e-12)
    assert_derivative(values - metric(truth, said), metric, truth, said, 1e-3)


def test_d2_of_absolute_errors_matches_its_formula():
    nulls, errors = np.abs(NUMBERS - np.median(NUMBERS)), np.abs(NUMBERS - PREDICTED)
    total = nulls.mean()
    of_total = errors.mean() / total * (nulls / total - 1)
    values = sample_values("d2_absolute_error_score", NUMBERS, PREDICTED)
    np.testing.assert_allclose(values, 1 - errors / total + of_total, rtol=1e-12)


def test_balanced_accuracy_and_f1_match_their_formulas():
    n_c = np.bincount(FOUR)
    recalls = np.array([np.mean(FOUR_SAID[c == FOUR] == c) for c in range(4)])
    expected = recalls.mean() + N / (4 * n_c[FOUR]) * ((FOUR == FOUR_SAID) - recalls[FOUR])
    found = sample_values("balanced_accuracy_score", FOUR, FOUR_SAID)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    right, both = TWO * TWO_SAID, TWO + TWO_SAID
    f1 = 2 * right.sum() / both.sum()
    expected = f1 + (2 * right - f1 * both) / both.mean()
    np.testing.assert_allclose(sample_values("f1_score", TWO, TWO_SAID), expected, rtol=1e-12)


def test_area_has_placement_values_and_delongs_variance():
    def place(score, others):
        return np.mean((score > others) + 0.5 * (score == others))

    positives, negatives = SCORES[TWO == 1], SCORES[TWO == 0]
    placed = np.array([
        place(s, negatives) if t else 1 - place(s, positives)
        for s, t in zip(SCORES, TWO, strict=True)
    ])  # fmt: skip
    area = placed[TWO == 1].mean()
    n_c = np.bincount(TWO)
    expected = area + N / n_c[TWO] * (placed - area)
    values = sample_values("roc_auc_score", TWO, SCORES)
    np.testing.assert_allclose(values, expected, rtol=1e-12)
    # Mean squares of the values over n, with n_c − 1 instead of n_c in each class.
    by_class = [
        np.sum((values[c == TWO] - area) ** 2) / N**2 * n_c[c] / (n_c[c] - 1) for c in (0, 1)
    ]
    assert sum(by_class) == pytest.approx(delong(TWO, SCORES, SCORES).var1, rel=1e-12)


def test_samples_average_is_the_mean_of_per_sample_scores():
    found = sample_values("jaccard_score", LABELS, LABELS_SAID, average="samples")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        own = [metrics.jaccard_score(*row) for row in zip(LABELS, LABELS_SAID, strict=True)]
    np.testing.assert_allclose(found, own, rtol=1e-12)


def test_costs_come_from_the_cost_matrix():
    values = sample_values(
        "misclassification_cost", ["a", "b", "b"], ["b", "a", "b"],
        cost_matrix=[[0, 1], [5, -1]], labels=["a", "b"],
    )  # fmt: skip
    assert values.tolist() == [1, 5, -1]
    with pytest.raises(ValueError, match=r"`labels` must name every class; got \['a'\], without"):
        sample_values("misclassification_cost", ["a", "b"], ["a", "a"], cost_matrix=[[0]],
                      labels=["a"])  # fmt: skip
