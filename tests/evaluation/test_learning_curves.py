"""compare_learning_curves: sizes, nesting, scikit-learn's own curves, and the corrected numbers."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare import ComparisonWarning
from sklearn_stats_compare.evaluation import compare_learning_curves
from sklearn_stats_compare.evaluation._learning_curve import training_sizes

X, y = make_classification(n_samples=200, n_features=5, flip_y=0.1, random_state=0)
MODELS = {"lr": LogisticRegression(), "tree": DecisionTreeClassifier(random_state=0)}
CV = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


@pytest.fixture(scope="module")
def curves():
    return compare_learning_curves(MODELS, X, y, cv=CV, schedule=[40, 1.0], random_state=0)


def test_schedules():
    assert training_sizes("geometric", 5, 160) == (10, 20, 40, 80, 160)
    assert training_sizes("arithmetic", 4, 160) == (40, 80, 120, 160)
    assert training_sizes([0.5, 160, 1.0, 20], 5, 160) == (20, 80, 160)
    assert training_sizes(np.array([10, 50]), 5, 160) == (10, 50)
    assert training_sizes("geometric", 10, 20) == (1, 2, 5, 10, 20)  # no size twice


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("linear", "`schedule` must be one of 'geometric', 'arithmetic'; got 'linear'"),
        ([10, 161], r"sizes from 1 to 160, the smallest training set, .* got 161"),
        ([0, 10], "got 0"),
        ([1.5], r"shares in \(0, 1\]; got 1.5"),
        ([True], "got True"),
        ([], "`schedule` must name at least one size"),
        (10, "`schedule` must be one of 'geometric', 'arithmetic', or a sequence of sizes; got 10"),
    ],
)
def test_impossible_sizes_raise(schedule, message):
    with pytest.raises(ValueError, match=message):
        compare_learning_curves(MODELS, X, y, cv=CV, schedule=schedule)


class Remembers(ClassifierMixin, BaseEstimator):
    """Keeps the samples that it was fitted to, by their number in the first feature."""

    fits: list = []  # noqa: RUF012

    def fit(self, X, y):
        self.fits.append(set(X[:, 0]))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_smaller_training_sets_are_part_of_larger_ones_and_the_same_for_all_models():
    Remembers.fits.clear()
    numbered = np.column_stack([np.arange(200), X])
    compare_learning_curves(
        {"one": Remembers(), "two": Remembers()}, numbered, y, cv=ms.KFold(10), n_sizes=3,
        random_state=1,
    )  # fmt: skip
    fits = np.array(Remembers.fits, dtype=object).reshape(3, 2, 10)
    for split in range(10):
        small, middle, full = fits[:, 0, split]
        assert small < middle < full
        assert (len(small), len(middle), len(full)) == (45, 90, 180)
        assert fits[0, 1, split] == small


def test_at_the_full_size_it_is_cross_validate_models(curves):
    assert curves.sizes == (40, 160)
    whole = ssc.cross_validate_models(MODELS, X, y, cv=CV)
    full = curves.comparisons[160].scores
    # Trees may split ties by the order of samples; the logistic regression does not care.
    np.testing.assert_allclose(full.values[0], whole.scores.values[0])
    assert full.design.test_train_ratio == whole.scores.design.test_train_ratio
    # scikit-learn's own curve has its prefixes of the training sets, and so the same at the end.
    _, _, theirs = ms.learning_curve(LogisticRegression(), X, y, train_sizes=[1.0], cv=CV)
    np.testing.assert_allclose(full.values[0], theirs[0])


def test_intervals_and_verdicts_have_the_ratio_of_the_whole_splits_at_every_size(curves):
    for size in (40, 160):
        comparison = curves.comparisons[size]
        scores = comparison.scores
        # 40 of 200 samples are tested on, and 160 are there to train on at every size.
        assert scores.design.overlap_ratio == 40 / 160
        expected = ssc.stats.corrected_ttest(*scores.values, n_train=160, n_test=40)
        row = curves.verdicts.set_index("n_train").loc[size]
        assert row["mean_diff"] == pytest.approx(expected.mean_diff)
        assert row["p_val"] == pytest.approx(expected.pvalue)
        curve = curves.curves.query("n_train == @size and model == 'lr'").iloc[0]
        std_err = scores.values[0].std(ddof=1) * np.sqrt(1 / 10 + 40 / 160)
        assert curve["std_err"] == pytest.approx(std_err)
        # Accuracies: Wilson's equation, in which the standard error is that of a mean at the limit.
        mean, end = curve["mean"], curve["ci_high"]
        share = max(std_err**2 / (mean * (1 - mean)), 5 * (1 / 10 + 40 / 160) / 200)
        at_end = np.sqrt(share * end * (1 - end))
        assert end - mean == pytest.approx(stats.t.isf(0.025, 9) * at_end)
        assert curve["mean"] == pytest.approx(scores.values[0].mean())
        # In rank order the verdicts are those of the comparison.
        table = comparison.frequentist(alternative="two-sided").iloc[0]
        sign = 1 if row["model_1"] == table["model_1"] else -1
        assert {row["model_1"], row["model_2"]} == {table["model_1"], table["model_2"]}
        assert (row["p_val"], row["mean_diff"]) == (table["p_val"], sign * table["mean_diff"])


def test_pairs_are_in_the_order_in_which_models_were_given():
    models = {"dummy": DummyClassifier(), **MODELS}
    found = compare_learning_curves(models, X, y, cv=CV, schedule=[0.5, 1.0], random_state=0)
    pairs = found.verdicts[["model_1", "model_2"]].to_numpy().tolist()
    assert pairs == 2 * [["dummy", "lr"], ["dummy", "tree"], ["lr", "tree"]]
    assert found.verdicts.query("n_train == 160")["verdict"].iloc[0] == "worse"


def test_a_missing_class_gives_nan_with_one_warning():
    rare = np.where(np.arange(200) < 20, 1, 0)
    words = "In some training sets of 4 samples a class"
    with pytest.warns(ComparisonWarning, match=words) as record:
        found = compare_learning_curves(MODELS, X, rare, cv=CV, schedule=[4, 160], random_state=0)
    assert len(record) == 1
    assert record[0].filename == __file__
    assert found.curves["mean"].isna().tolist() == [True] * 2 + [False] * 2
    assert found.verdicts["verdict"].iloc[0] == "missing"


class NeedsMany(LogisticRegression):
    def fit(self, X, y):
        if len(X) < 50:
            raise ValueError("fewer than 50 samples")
        return super().fit(X, y)


def test_a_size_at_which_no_fit_succeeds_is_nan_with_a_warning():
    def curve(schedule, **options):
        return compare_learning_curves(
            {"many": NeedsMany()}, X, y, cv=10, schedule=schedule, random_state=0, **options
        )

    with pytest.warns(FitFailedWarning, match=r"20 samples 10 of 10 fits failed.*scores are NaN"):
        found = curve([20, 160])
    assert found.curves["mean"].isna().tolist() == [True, False]
    with pytest.raises(ValueError, match="fewer than 50"):
        curve([20], error_score="raise")
    with pytest.warns(FitFailedWarning), pytest.raises(ValueError, match="every fit at every size"):
        curve([20, 30])


@pytest.mark.parametrize(
    ("cv", "message"),
    [(ms.TimeSeriesSplit(9), r"follow time.*\(\d+ of up to 180 samples\)"), (3, "only 3 splits")],
)
def test_a_warning_of_the_splits_is_given_once(cv, message):
    with pytest.warns(ComparisonWarning, match=message) as record:
        found = compare_learning_curves(MODELS, X, y, cv=cv, schedule=[10, 20], random_state=0)
    assert len(record) == 1
    if cv != 3:  # 9 splits test on 20 samples each; splits in time keep the ratio of their sizes
        ratios = [found.comparisons[n].scores.design.overlap_ratio for n in (10, 20)]
        assert ratios == [20 / 10, 20 / 20]


@pytest.mark.filterwarnings("ignore:Some splits are the same as others")
def test_indices_in_every_form_and_bags_of_different_samples():
    indices = [(tuple(range(150)), [*range(150, 200)]), (range(50, 200), slice(0, 50))] * 5
    mask = np.arange(200) < 150
    bags = ssc.evaluation.BootstrapSplit(12, random_state=0)
    smallest = min(np.unique(train).size for train, _ in bags.split(X))
    for cv, size in ((indices, 150), ([(mask, ~mask)] * 10, 150), (bags, smallest)):
        found = compare_learning_curves(MODELS, X, y, cv=cv, schedule=[1.0], random_state=0)
        assert found.sizes == (size,)
    assert (found.comparisons[smallest].scores.design.n_train == smallest).all()


def test_regression_frames_jobs_and_seeds():
    data, target = load_diabetes(return_X_y=True, as_frame=True)
    arguments = {
        "models": [LinearRegression(), Ridge()], "X": data, "y": target, "cv": 10,
        "scoring": "neg_mean_absolute_error", "n_sizes": 3, "random_state": 3,
    }  # fmt: skip
    found = compare_learning_curves(**arguments)
    assert found.metric == "neg_mean_absolute_error"
    assert list(found.curves["model"][:2]) == ["LinearRegression", "Ridge"]
    again = compare_learning_curves(**arguments, n_jobs=2)
    pd.testing.assert_frame_equal(found.curves, again.curves)
    # More data, smaller errors.
    linear = found.curves.query("model == 'LinearRegression'")["mean"]
    assert linear.iloc[-1] > linear.iloc[0]
    with pytest.raises(ValueError, match="`scoring` must be a single metric"):
        compare_learning_curves(**{**arguments, "scoring": {"a": "r2", "b": "r2"}})


def test_the_order_of_models_does_not_matter():
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    models = {"bayes": GaussianNB(), "dummy": DummyClassifier(), "stump": stump}
    one, other = (
        compare_learning_curves(
            {name: models[name] for name in names}, X, y, cv=10, n_sizes=2, random_state=3
        ).curves.sort_values(["n_train", "model"], ignore_index=True)
        for names in (models, ["stump", "dummy", "bayes"])
    )
    pd.testing.assert_frame_equal(one, other)


@pytest.mark.slow
def test_equal_models_are_found_different_in_at_most_one_of_twenty():
    # Two logistic regressions on disjoint features of equal strength; per size, two-sided at 5 %.
    rng = np.random.default_rng(0)
    rejected = {20: 0, 80: 0}
    runs = 200
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(runs):
            classes = rng.integers(0, 2, 100)
            data = rng.normal(size=(100, 4)) + 0.5 * classes[:, None]
            first, second = (Columns(start) for start in (0, 2))
            found = compare_learning_curves(
                {"a": first, "b": second}, data, classes,
                cv=ms.KFold(5, shuffle=True, random_state=0), schedule=[20, 80], random_state=0,
            )  # fmt: skip
            for size, p in zip(found.verdicts["n_train"], found.verdicts["p_val"], strict=True):
                rejected[size] += p < 0.05
    # Conservative where training sets are small; the upper bound is 5 % and three errors.
    for count in rejected.values():
        assert count / runs <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)


class Columns(ClassifierMixin, BaseEstimator):
    """A logistic regression on two of the features."""

    def __init__(self, start=0):
        self.start = start

    def fit(self, X, y):
        self.model_ = LogisticRegression().fit(X[:, self.start : self.start + 2], y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X[:, self.start : self.start + 2])


def test_cross_validate_agrees_on_one_small_training_set():
    found = compare_learning_curves(MODELS, X, y, cv=ms.KFold(10), schedule=[30], random_state=5)
    rng = np.random.RandomState(5)
    splits = [(rng.permutation(train)[:30], test) for train, test in ms.KFold(10).split(X)]
    expected = ms.cross_validate(LogisticRegression(), X, y, cv=splits)["test_score"]
    np.testing.assert_array_equal(found.comparisons[30].scores.values[0], expected)


def test_a_size_of_splits_of_a_part_of_the_data_has_the_ratio_of_these_splits():
    splits = list(ms.KFold(10).split(X[:100]))  # samples 100 to 199 are set aside
    found = compare_learning_curves(MODELS, X, y, cv=splits, schedule=[20, 90], random_state=0)
    for size in (20, 90):
        assert found.comparisons[size].scores.design.overlap_ratio == 10 / 90


@pytest.mark.parametrize("p_adjust", [None, "bonferroni", "holm", "maxt"])
def test_an_asymmetric_rope_is_that_of_the_models_in_their_given_order(p_adjust):
    rng = np.random.default_rng(0)
    # The second is behind the first by 0.02 ± 0.001, the third far behind both.
    base = rng.normal(0.8, 0.03, 40)
    noise = rng.normal(0, 0.001, (3, 40))
    design = ssc.SplitDesign([90] * 40, [10] * 40)
    rope = (-0.05, 0.005)  # of first − second: up to 0.05 less is as good, 0.02 more is not

    def found(values, labels):
        scores = ssc.SplitScores(np.array(values), design)
        comparison = ssc.Comparison(scores, labels, p_adjust=p_adjust, rope=rope)
        curves = ssc.evaluation.LearningCurveComparison((90,), {90: comparison}, "score")
        return curves.verdicts.set_index(["model_1", "model_2"])["verdict"]

    values = [base + noise[0], base - 0.02 + noise[1], base - 0.4 + noise[2]]
    ahead = found(values, ["first", "second", "third"])
    assert ahead["first", "second"] == "better"  # +0.02 is outside (−0.05, 0.005)
    # The leader is now the later model: second − first is +0.02, and first − second −0.02.
    behind = found([values[1], values[0], values[2]], ["first", "second", "third"])
    assert behind["first", "second"] == "equivalent"  # −0.02 is inside (−0.05, 0.005)
    assert (behind[["first", "second"]].xs("third", level="model_2") == "better").all()


@pytest.mark.parametrize("function", [compare_learning_curves, ssc.nested_score])
def test_a_mapping_of_data_sets_is_refused(function):
    models = {"one": GaussianNB(), "other": GaussianNB()}
    with pytest.raises(ValueError, match=r"`X` must be the samples of one data set; .* 'd0'"):
        function(models, {"d0": (np.ones((9, 1)), np.arange(9) % 3)})
