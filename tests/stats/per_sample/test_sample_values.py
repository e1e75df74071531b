"""Values of samples: means, weights, undefined scores, and invariance to order and names."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import metrics

from sklearn_stats_compare.predictions._influence import SAMPLE_METRICS, sample_values

N = 15
CLASSES = arrays(int, N, elements=st.integers(0, 2))
TWO_CLASSES = arrays(int, N, elements=st.integers(0, 1))
SCORES = arrays(int, N, elements=st.integers(-3, 3))
OF_CLASSES = [
    ("accuracy_score", {}),
    ("balanced_accuracy_score", {}),
    ("cohen_kappa_score", {}),
    ("matthews_corrcoef", {}),
    *[
        (name, {"average": average})
        for name in ("f1_score", "jaccard_score", "precision_score", "recall_score")
        for average in ("macro", "micro", "weighted")
    ],
]
OF_SCORES = ["roc_auc_score", "average_precision_score"]
OF_NUMBERS = ["r2_score", "explained_variance_score", "root_mean_squared_error",
              "mean_squared_error", "mean_absolute_error", "d2_absolute_error_score"]  # fmt: skip


def quietly(function, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **kwargs)


@pytest.mark.parametrize(
    ("name", "options", "truths", "responses"),
    [(*case, CLASSES, CLASSES) for case in OF_CLASSES]
    + [(name, {}, TWO_CLASSES, SCORES) for name in OF_SCORES]
    + [(name, {}, SCORES, SCORES) for name in OF_NUMBERS],
)
@given(data=st.data())
def test_means_are_scikit_learns_scores_and_order_does_not_matter(
    name, options, truths, responses, data
):
    truth, response = data.draw(truths), data.draw(responses)
    score = quietly(getattr(metrics, name), truth, response, **options)
    values = sample_values(name, truth, response, **options)
    assert values.mean() == pytest.approx(score, rel=1e-12, abs=1e-14, nan_ok=True)
    assert np.isnan(values).all() == np.isnan(score)
    order = np.array(data.draw(st.permutations(range(N))))
    moved = sample_values(name, truth[order], response[order], **options)
    np.testing.assert_allclose(moved, values[order], atol=1e-12)


@given(CLASSES, CLASSES, st.permutations(["a", "b", "c"]))
def test_values_do_not_depend_on_class_names(truth, said, names):
    names = np.array(names)
    for name, options in OF_CLASSES:
        renamed = sample_values(name, names[truth], names[said], **options)
        values = sample_values(name, truth, said, **options)
        np.testing.assert_allclose(renamed, values, atol=1e-12)


@given(TWO_CLASSES, SCORES)
def test_values_depend_only_on_the_order_of_scores(truth, scores):
    for name in OF_SCORES:
        stretched = sample_values(name, truth, np.exp(scores / 3.0))
        np.testing.assert_allclose(stretched, sample_values(name, truth, scores), atol=1e-12)
    # The other class is positive for negated scores.
    turned = sample_values("roc_auc_score", 1 - truth, -scores)
    expected = sample_values("roc_auc_score", truth, scores)
    np.testing.assert_allclose(turned, expected, atol=1e-12)


@given(SCORES, SCORES)
def test_values_of_rescaled_numbers(truth, said):
    for name in ("r2_score", "explained_variance_score", "d2_absolute_error_score"):
        in_cents = sample_values(name, 128.0 * truth, 128.0 * said)  # exact
        np.testing.assert_allclose(in_cents, sample_values(name, truth, said), atol=1e-12)


def test_two_samples_have_a_share_of_explained_errors_and_one_has_none():
    # Total |1 − 2| and |3 − 2|, errors 0.5 and 0: 1 − 0.5/2.
    values = sample_values("d2_absolute_error_score", [1.0, 3.0], [1.5, 3.0])
    assert values.mean() == pytest.approx(0.75)
    assert np.isnan(sample_values("d2_absolute_error_score", [1.0], [1.5])).all()


def test_values_of_a_weighted_mean():
    # Losses 0, 1, 4 under weights 1, 2, 1: mean 6/4, and values 6/4 + 3·w·(loss − 6/4)/4.
    values = sample_values("mean_squared_error", [1.0, 2, 3], [1.0, 3, 1], sample_weight=[1, 2, 1])
    np.testing.assert_allclose(values, [0.375, 0.75, 3.375])
    assert values.mean() == 1.5
    # Who is always right is so in each sample, whatever the weights.
    right = sample_values("accuracy_score", [0, 1, 0], [0, 1, 0], sample_weight=[0.2, 5, 1])
    assert right.tolist() == [1, 1, 1]


def test_values_of_a_weighted_mean_have_its_variance_over_test_sets():
    rng = np.random.default_rng(0)
    means, errors = [], []
    for _ in range(400):
        said, weights = rng.random(200) < 0.8, rng.exponential(size=200)
        values = sample_values("accuracy_score", np.ones(200), said, sample_weight=weights)
        means.append(values.mean())
        errors.append(values.std(ddof=1) / np.sqrt(200))
    # 0.040; without the weights in the denominator it would be 0.088.
    assert np.mean(errors) == pytest.approx(np.std(means), rel=0.1)


@pytest.mark.parametrize(
    "name", sorted(name for name in SAMPLE_METRICS if not SAMPLE_METRICS[name].is_mean)
)
def test_weights_raise_if_the_score_is_not_a_mean(name):
    options = {"beta": 1} if name == "fbeta_score" else {}
    with pytest.raises(ValueError, match=f"values of weighted samples are not known for {name}"):
        sample_values(name, [0, 1], [0, 1], sample_weight=[1, 1], **options)


def test_invalid_arguments_raise():
    with pytest.raises(ValueError, match=r"`metric` must be one of 'accuracy_score', 'average"):
        sample_values("rand_score", [0, 1], [0, 1])
    with pytest.raises(ValueError, match=r"Options of roc_auc_score must be among \['average',"):
        sample_values("roc_auc_score", [0, 1], [0, 1], max_fpr=0.1)
    with pytest.raises(ValueError, match=r"Options of f1_score must be among .*got 'normalize=F"):
        sample_values("f1_score", [0, 1], [0, 1], normalize=False)
    for weights, rule in (([1], "one number per sample, 2; got 1"), ([0, 0], "sum > 0; got 0.0")):
        with pytest.raises(ValueError, match=rf"`sample_weight` must (be|have a) {rule}"):
            sample_values("accuracy_score", [0, 1], [0, 1], sample_weight=weights)
    for name, option in (("f1_score", "average"), ("mean_squared_error", "multioutput")):
        with pytest.raises(ValueError, match=f"`{option}` must"):
            sample_values(name, [0, 1], [0, 1], **{option: "raw_values"})


@pytest.mark.parametrize(
    ("name", "truth", "response", "options", "expected"),
    [
        # No positives, none predicted: scikit-learn's zero_division.
        ("recall_score", [0, 0], [0, 1], {}, 0.0),
        ("precision_score", [0, 1], [0, 0], {}, 0.0),
        ("precision_score", [0, 1], [0, 0], {"zero_division": 1}, 1.0),
        ("f1_score", [0, 0], [0, 0], {"zero_division": np.nan}, np.nan),
        ("roc_auc_score", [1, 1], [0.2, 0.3], {}, np.nan),
        ("average_precision_score", [0, 0], [0.2, 0.3], {}, 0.0),
        ("matthews_corrcoef", [1, 1], [1, 0], {}, 0.0),
        ("positive_likelihood_ratio", [0, 1], [0, 1], {}, np.nan),
        ("r2_score", [1.0, 1.0], [1.0, 2.0], {}, 0.0),
        ("r2_score", [1.0, 1.0], [1.0, 1.0], {}, 1.0),
        ("r2_score", [1.0, 1.0], [1.0, 2.0], {"force_finite": False}, -np.inf),
        ("r2_score", [1.0], [2.0], {}, np.nan),
        ("root_mean_squared_error", [1.0, 2.0], [1.0, 2.0], {}, 0.0),
        ("balanced_accuracy_score", [1, 1], [1, 1], {"adjusted": True}, np.nan),
        ("brier_score_loss", [0, 0], [0.5, 0.5], {}, 0.25),
    ],
)
def test_values_of_constant_folds(name, truth, response, options, expected):
    values = sample_values(name, truth, response, **options)
    np.testing.assert_array_equal(values, [expected] * len(truth))
    function = getattr(metrics, name, None)
    if function is not None:
        found = quietly(function, truth, response, **options)
        np.testing.assert_array_equal(found, expected)
