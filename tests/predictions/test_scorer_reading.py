"""Every scorer of scikit-learn: how it is read, and values whose mean is its score."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from replays import classification, multilabel, regression, response_of
from scipy.sparse import csr_array
from sklearn import metrics
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import (
    check_scoring,
    f1_score,
    get_scorer,
    get_scorer_names,
    make_scorer,
    matthews_corrcoef,
    roc_auc_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_stats_compare.evaluation import make_cost_scorer
from sklearn_stats_compare.predictions._influence import sample_values
from sklearn_stats_compare.predictions._scorers import name_of_scorer, read_scorer

MEANS = {
    "accuracy", "neg_brier_score", "neg_log_loss", "neg_mean_absolute_error",
    "neg_mean_absolute_percentage_error", "neg_mean_gamma_deviance", "neg_mean_poisson_deviance",
    "neg_mean_squared_error", "neg_mean_squared_log_error", "top_k_accuracy",
}  # fmt: skip
# Scores of two partitions, a maximum and a median: their influences are unknown.
JACKKNIFED = {
    "adjusted_mutual_info_score", "adjusted_rand_score", "completeness_score",
    "fowlkes_mallows_score", "homogeneity_score", "mutual_info_score", "neg_max_error",
    "neg_median_absolute_error", "normalized_mutual_info_score", "rand_score", "v_measure_score",
}  # fmt: skip
AVERAGED = {
    f"{metric}{average}"
    for metric in ("f1", "jaccard", "precision", "recall")
    for average in ("", "_macro", "_micro", "_samples", "_weighted")
}
INFLUENCES = AVERAGED | {
    "average_precision", "balanced_accuracy", "d2_absolute_error_score", "d2_brier_score",
    "d2_log_loss_score", "explained_variance", "matthews_corrcoef",
    "neg_negative_likelihood_ratio", "neg_root_mean_squared_error",
    "neg_root_mean_squared_log_error", "positive_likelihood_ratio", "r2", "roc_auc",
    "roc_auc_ovo", "roc_auc_ovo_weighted", "roc_auc_ovr", "roc_auc_ovr_weighted",
}  # fmt: skip
# In 1.9 but not in 1.6, the oldest supported version.
NEW_SINCE_1_6 = {"d2_brier_score", "d2_log_loss_score"}

DATA = {
    "two classes": classification([0, 1]),
    "two, as text": classification(["no", "yes"], seed=1),
    "two classes, few samples": classification([0, 1], n=7, seed=2),
    "four classes": classification([0, 1, 2, 3], seed=3),
    "three, as text": classification(["a", "b", "c"], n=60, seed=4, shares=[0.7, 0.2, 0.1]),
    "several labels": multilabel(),
    "numbers": regression(),
    "numbers, few samples": regression(n=5, seed=1),
    "two outputs": regression(k=2, seed=2),
}


def scored(scorer, truth, estimator, rows=slice(None)):
    """Truth, response and score of these rows; None if the scorer does not apply to such data."""
    places = np.arange(len(truth))[rows, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            score = scorer(estimator, places, truth[rows])
        except (ValueError, AttributeError, TypeError, ZeroDivisionError):
            return None
    reading = read_scorer(scorer, estimator)
    methods, pos_label = reading.response_methods, reading.pos_label
    return truth[rows], response_of(estimator, methods, len(truth), pos_label)[rows], score


def test_every_scorer_of_scikit_learn_is_read_as_expected():
    # Fails if a new version of scikit-learn adds scorers.
    known = MEANS | INFLUENCES | JACKKNIFED
    assert set(get_scorer_names()) <= known
    assert known - set(get_scorer_names()) <= NEW_SINCE_1_6
    for name in get_scorer_names():
        reading = read_scorer(name)
        jackknifed = name in JACKKNIFED
        expected = "mean" if name in MEANS else "jackknife" if jackknifed else "influence"
        assert reading.how == expected, name
        assert bool(reading.reason) == jackknifed, name
        assert reading.sign == (-1 if name.startswith("neg_") else 1), name


# Jackknives of clusterings differ in nothing but the scorer that they call again and again.
NOT_AT_NIGHT = {"adjusted_mutual_info_score", "rand_score", "neg_max_error"}
JACKKNIFED_AT_NIGHT = JACKKNIFED - NOT_AT_NIGHT - {"neg_median_absolute_error"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in JACKKNIFED_AT_NIGHT else [])
        for name in get_scorer_names()
    ],
)
def test_mean_of_values_is_the_score(name):
    scorer = get_scorer(name)
    reading = read_scorer(scorer)
    n_applied = 0
    for kind in DATA:
        # A jackknife scores as often as there are samples: of each kind of data few are enough.
        if name in JACKKNIFED and kind in ("two classes", "numbers"):
            continue
        found = scored(scorer, *DATA[kind])
        if found is None:
            continue
        truth, response, score = found
        n_applied += 1
        assert np.isfinite(score)
        values = reading.values(truth, response, score=score)
        assert values.shape == (len(truth),)
        assert values.dtype == np.float64
        assert values.mean() == pytest.approx(score, rel=1e-12, abs=1e-15)
        # Without `score` it is computed.
        if name not in JACKKNIFED or len(truth) < 10:
            assert_allclose(reading.values(truth, response), values, rtol=1e-12, atol=1e-12)
        if reading.how != "jackknife":
            # Without the last step, which shifts the mean to the score.
            with np.errstate(all="ignore"):
                own = reading.sign * sample_values(
                    reading.metric, truth, response, **reading.options
                )
            assert own.mean() == pytest.approx(score, rel=1e-12, abs=1e-15), kind
    assert n_applied


def made(kind, function, **options):
    return kind, make_scorer(function, **options)


def lost(kind, function, **options):
    return made(kind, function, greater_is_better=False, **options)


def of_probabilities(kind, function, **options):
    return made(kind, function, response_method="predict_proba", **options)


def costs(kind, **options):
    return kind, make_cost_scorer([[0, 1], [10, -1]], **options)


FOUR, LABELS, TEXT = "four classes", "several labels", "two, as text"
MADE = {
    "mean": {
        "accuracy as a sum": made(FOUR, metrics.accuracy_score, normalize=False),
        "zero-one of labels": lost(LABELS, metrics.zero_one_loss),
        "Hamming": lost(LABELS, metrics.hamming_loss),
        "Brier of a label": lost(
            TEXT, metrics.brier_score_loss, response_method="predict_proba", pos_label="no"
        ),
        "log loss of labels": lost(
            "three, as text", metrics.log_loss, response_method="predict_proba", labels=[*"abc"]
        ),
        "log loss as a sum": of_probabilities(FOUR, metrics.log_loss, normalize=False),
        "top 1 of 2": made(
            "two classes", metrics.top_k_accuracy_score, response_method="decision_function", k=1
        ),
        "top 3 of 4": of_probabilities(FOUR, metrics.top_k_accuracy_score, k=3),
        "pinball": made("numbers", metrics.mean_pinball_loss, alpha=0.9),
        "pinball of outputs": made(
            "two outputs", metrics.mean_pinball_loss, alpha=0.1, multioutput=[0.3, 0.7]
        ),
        **{
            f"Tweedie {power}": made("numbers", metrics.mean_tweedie_deviance, power=power)
            for power in (-1, 0, 1, 1.5, 2, 3)
        },
        "a loss that is read as a score": made("numbers", metrics.mean_squared_error),
        "costs": costs("two classes"),
        "costs by labels": costs(TEXT, labels=["yes", "no"]),
        "costs as a sum": costs(TEXT, normalize=False),
    },
    "influence": {
        "D² Tweedie": made("numbers", metrics.d2_tweedie_score, power=1),
        **{
            f"R² by {weights}": made("two outputs", metrics.r2_score, multioutput=weights)
            for weights in ("variance_weighted", [0.2, 0.8])
        },
        "F2": made(FOUR, metrics.fbeta_score, beta=2, average="macro"),
        "F0.5 of no": made(TEXT, metrics.fbeta_score, beta=0.5, pos_label="no"),
        "F∞": made(FOUR, metrics.fbeta_score, beta=np.inf, average="weighted"),
        "F1 of some labels": made(FOUR, metrics.f1_score, average="weighted", labels=[1, 3]),
        "micro F1 of some labels": made(LABELS, metrics.f1_score, average="micro", labels=[0, 2]),
        "precision of a label that is never said": made(
            "three, as text", metrics.precision_score, average="macro", labels=["a", "b", "z"],
            zero_division=np.nan, pos_label=None,
        ),
        "recall of samples, some without": made(
            LABELS, metrics.recall_score, average="samples", zero_division=np.nan
        ),
        "Jaccard of samples": made(
            LABELS, metrics.jaccard_score, average="samples", zero_division=1
        ),
        "partial": made(FOUR, partial(metrics.fbeta_score, beta=0.5), average="macro"),
        "adjusted balanced accuracy": made(FOUR, metrics.balanced_accuracy_score, adjusted=True),
        **{
            f"kappa {weights}": made(FOUR, metrics.cohen_kappa_score, weights=weights)
            for weights in (None, "linear", "quadratic")
        },
        **{
            f"area of labels {average}": of_probabilities(LABELS, roc_auc_score, average=average)
            for average in ("macro", "micro", "weighted")
        },
        "micro area": of_probabilities(FOUR, roc_auc_score, average="micro", multi_class="ovr"),
        "whole area": of_probabilities("two classes", roc_auc_score, max_fpr=None),
        "average precision of no": of_probabilities(
            TEXT, metrics.average_precision_score, pos_label="no"
        ),
        **{
            f"average precision {average}": of_probabilities(
                LABELS, metrics.average_precision_score, average=average
            )
            for average in ("macro", "micro", "weighted", "samples")
        },
    },
    "jackknife": {
        "part of the area": of_probabilities("two classes", roc_auc_score, max_fpr=0.3),
        "median": lost("numbers", metrics.median_absolute_error),
        "one's own": made(FOUR, lambda t, p: float(np.mean(t == p))),
    },
}  # fmt: skip


@pytest.mark.parametrize(("how", "name"), [(how, name) for how in MADE for name in MADE[how]])
def test_scorers_with_arguments_and_weights(how, name):
    kind, scorer = MADE[how][name]
    truth, response, score = scored(scorer, *DATA[kind])
    reading = read_scorer(scorer)
    assert reading.how == how
    estimator = DATA[kind][1]
    given = {"classes": getattr(estimator, "classes_", None)}
    values = reading.values(truth, response, score=score, **given)
    assert values.mean() == pytest.approx(score, rel=1e-12, abs=1e-15)
    if how != "jackknife" and "costs" not in name:
        options = {k: v for k, v in reading.options.items() if k != "max_fpr"}
        own = reading.sign * sample_values(reading.metric, truth, response, **options)
        assert own.mean() == pytest.approx(score, rel=1e-12, abs=1e-15)
    given["sample_weight"] = weights = np.random.default_rng(5).integers(0, 4, len(truth))
    if how != "mean":
        with pytest.raises(ValueError, match="`sample_weight` must be None where the score is not"):
            reading.values(truth, response, **given)
        return
    score = scorer(estimator, np.arange(len(truth))[:, None], truth, sample_weight=weights)
    for known in (score, None):
        values = reading.values(truth, response, score=known, **given)
        assert values.mean() == pytest.approx(score, rel=1e-12)


def test_score_method_of_the_estimator():
    for estimator, metric in (
        (LogisticRegression(), "accuracy_score"),
        (LinearRegression(), "r2_score"),
        (make_pipeline(StandardScaler(), LinearRegression()), "r2_score"),
    ):
        for reading in (read_scorer(None, estimator), read_scorer(check_scoring(estimator))):
            assert reading.metric == metric
            assert reading.response_methods == ("predict",)
            assert reading.sign == 1


def test_scorers_without_values_give_a_reason():
    def own(estimator, X, y):
        return 0.5

    def paid(y_true, y_pred, amounts, *, normalize=True):
        return float(np.sum(amounts[y_true == y_pred]))

    for scorer, estimator, part in (
        (own, None, "a function of the estimator"),
        (make_scorer(paid), None, "paid needs `amounts` in addition to the truth and the pred"),
        (None, KMeans(), "KMeans.score is a custom method"),
    ):
        reading = read_scorer(scorer, estimator)
        assert reading.how == "none"
        assert part in reading.reason
        with pytest.raises(ValueError, match="There are no values of samples for this scorer: "):
            reading.values([0, 1], [0, 1])


def test_custom_score_must_match_the_predictions():
    truth, predicted = np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0])
    # KNeighborsClassifier and others only call the method of the mixin.
    reading = read_scorer(None, KNeighborsClassifier())
    assert reading.metric == "accuracy_score"
    assert_array_equal(reading.values(truth, predicted, score=0.75), truth == predicted)
    with pytest.raises(ValueError, match=r"is 0\.5; got one for which it is 0\.75"):
        reading.values(truth, predicted, score=0.5)


def test_another_function_of_the_same_name_is_not_recognised():
    def accuracy_score(y_true, y_pred):
        return 7.0

    assert read_scorer(make_scorer(accuracy_score)).how == "jackknife"


def test_response_must_give_the_score():
    reading = read_scorer("neg_mean_absolute_error")
    assert reading.values([1, 2, 3], [1.0, 2, 4]).tolist() == [0, 0, -1]
    with pytest.raises(ValueError, match=r"the response for which mean_absolute_error is -5\.0"):
        reading.values([1, 2, 3], [1.0, 2, 4], score=-5.0)
    # scikit-learn computed the score in single precision.
    truth, response = np.array([1.0, 2, 4]), np.array([1.1, 2.2, 3.3], dtype=np.float32)
    score = -metrics.mean_absolute_error(truth, response)
    values = read_scorer("neg_mean_absolute_error").values(truth, response, score=score)
    assert values.mean() == pytest.approx(score, rel=1e-15)


def test_values_are_nan_if_the_score_is_nan():
    for name in ("roc_auc", "r2", "adjusted_rand_score"):
        assert np.isnan(read_scorer(name).values([0, 0], [0, 1], score=np.nan)).all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isnan(read_scorer("roc_auc").values([1, 1, 1], [0.1, 0.2, 0.3])).all()
        assert np.isnan(read_scorer("r2").values([1.0], [2.0])).all()


def test_undefined_ratios_match_scikit_learn():
    # Without false positives the scorer of 1.9 returns 1, that of 1.6 NaN.
    scorer = get_scorer("positive_likelihood_ratio")
    truth, said = np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = scorer._score_func(truth, said)
    values = read_scorer(scorer).values(truth, said, score=score)
    assert_array_equal(values, [score] * 4)


def test_sparse_labels():
    truth, estimator = multilabel()
    said = estimator.responses["predict"]
    for name in ("accuracy", "f1_macro", "jaccard_samples"):
        dense = read_scorer(name).values(truth, said)
        found = read_scorer(name).values(csr_array(truth), csr_array(said))
        assert_allclose(found, dense, rtol=1e-12)
    own = read_scorer(make_scorer(lambda t, p: float(np.mean((t - p).sum()))))
    values = own.values(csr_array(truth), csr_array(said))
    assert values.mean() == pytest.approx((truth - said).sum())


def test_data_frames_and_text_labels():
    truth, said = pd.Series(["b", "a", "b"], index=[7, 8, 9], dtype="category"), ["b", "b", "b"]
    assert read_scorer("accuracy").values(truth, said).tolist() == [1, 0, 1]
    assert read_scorer("rand_score").values(truth, said).mean() == pytest.approx(1 / 3)


# Of 1, 2, 5 and 8 samples, and of constant numbers at 12 and 27; the others run at night.
SEEDS = {7, 11, 12, 27}


@pytest.mark.parametrize(
    "seed",
    [seed if seed in SEEDS else pytest.param(seed, marks=pytest.mark.slow) for seed in range(30)],
)
def test_small_folds_with_absent_classes(seed):
    # Folds of 1 to 8 samples of a classifier that knows more classes, constant numbers, samples
    # without labels: whatever scikit-learn scores, the mean is; NaN where it is or where the
    # jackknife cannot tell.
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    for truth, estimator in (
        classification([0, 1], seed=seed),
        classification(["a", "b", "c"], seed=seed),
        multilabel(seed=seed),
        regression(seed=seed),
    ):
        if truth.dtype.kind == "f" and seed % 3 == 0:
            truth = np.full_like(truth, truth[-n])
        for name in get_scorer_names():
            found = scored(get_scorer(name), truth, estimator, slice(-n, None))
            if found is None:
                continue
            own, response, score = found
            reading = read_scorer(name)
            values = reading.values(own, response, score=score)
            if reading.how == "jackknife" and np.isnan(values).all():
                continue
            assert values.shape == (n,)
            assert values.mean() == pytest.approx(score, rel=1e-12, abs=1e-14, nan_ok=True), name


@pytest.mark.parametrize(
    ("name", "kind", "method"),
    [
        ("accuracy", "two classes", "predict"),
        ("roc_auc", "two classes", "decision_function"),
        ("neg_log_loss", "two, as text", "predict_proba"),
        ("r2", "numbers", "predict"),
        ("roc_auc", "numbers", None),
    ],
)
def test_response_method_of_each_scorer(name, kind, method):
    assert read_scorer(name).response_method(DATA[kind][1]) == method


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(("neg_log_loss", kind) for kind in ("four classes", "two classes")),
        ("neg_brier_score", "two classes"),
        *((name, "four classes") for name in ("roc_auc_ovr", "roc_auc_ovo_weighted")),
        ("top_k_accuracy", "four classes"),
        *((name, "numbers") for name in ("r2", "neg_root_mean_squared_error")),
        ("neg_median_absolute_error", "numbers"),
    ],
)
def test_single_and_half_precision_responses(name, kind, dtype):
    # Boosters give float32. A probability of 1 is clipped by the precision that it came in.
    truth, estimator = DATA[kind]
    reading = read_scorer(name)
    response = response_of(estimator, reading.response_methods, len(truth)).astype(dtype)
    if kind == "two classes":
        response = np.where(truth == truth[0], dtype(1), dtype(0))
    if name.startswith("roc_auc_ov") and dtype is np.float16:
        return  # scikit-learn raises: the columns do not sum to 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = reading.sign * get_scorer(name)._score_func(truth, response, **reading.options)
    values = reading.values(truth, response, score=score)
    assert values.dtype == np.float64
    assert values.mean() == pytest.approx(score, rel=1e-12)
    if reading.how != "jackknife":
        own = reading.sign * sample_values(reading.metric, truth, response, **reading.options)
        assert_allclose(own, values, rtol=2e-3, atol=2e-3)


def test_every_scorer_of_scikit_learn_has_its_name():
    names = get_scorer_names()
    assert [name_of_scorer(get_scorer(name)) for name in names] == names

    # Not another function of that name.
    def mean_absolute_error(y, said):
        return 100.0

    assert name_of_scorer(make_scorer(mean_absolute_error, greater_is_better=False)) == ""
    # Also without what `make_scorer` has by default.
    again = make_scorer(matthews_corrcoef), make_scorer(f1_score, average="macro")
    assert [name_of_scorer(own) for own in again] == ["matthews_corrcoef", "f1_macro"]
