"""bootstrap_score: its definition in loops, learning by heart, and that it is right on average."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import BootstrapSplit, bootstrap_score

X, y = make_classification(n_samples=60, n_features=5, flip_y=0.2, random_state=0)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


def by_definition(model, X, y, loss, n_splits):
    """Apparent, leave-one-out bootstrap and no-information error, sample by sample."""
    bags = list(BootstrapSplit(n_splits, random_state=1).split(X, y))
    fitted = [clone(model).fit(X[train], y[train]) for train, _ in bags]
    own = []
    for i in range(len(y)):
        unseen = [model for model, (train, _) in zip(fitted, bags, strict=True) if i not in train]
        own.append(np.mean([loss(y[i], model.predict(X[i : i + 1])[0]) for model in unseen]))
    predictions = clone(model).fit(X, y).predict(X)
    apparent = np.mean([loss(*pair) for pair in zip(y, predictions, strict=True)])
    none = np.mean([[loss(a, b) for b in predictions] for a in y])
    return apparent, np.mean(own), none


@pytest.mark.parametrize(
    ("model", "target", "loss", "metric", "best"),
    [
        (TREE, y, lambda a, b: float(a != b), "accuracy", 1),
        (KNeighborsRegressor(3), X[:, 0] + y, lambda a, b: (a - b) ** 2,
         "neg_mean_squared_error", 0),
    ],
)  # fmt: skip
def test_the_definition(model, target, loss, metric, best):
    apparent, oob, none = by_definition(model, X[:, 1:], target, loss, 40)
    found = bootstrap_score(model, X[:, 1:], target, n_splits=40, random_state=1)
    assert found.metric == metric
    assert found.apparent == pytest.approx(best - apparent)
    assert found.out_of_bag == pytest.approx(best - oob)
    assert found.no_information == pytest.approx(best - none)
    r = (min(oob, none) - apparent) / (none - apparent)
    weight = 0.632 / (1 - 0.368 * r)
    assert oob < none
    assert found.score == pytest.approx(best - (1 - weight) * apparent - weight * oob)
    point = bootstrap_score(model, X[:, 1:], target, method=".632", n_splits=40, random_state=1)
    assert point.score == pytest.approx(best - 0.368 * apparent - 0.632 * oob)
    plain = bootstrap_score(model, X[:, 1:], target, method="oob", n_splits=40, random_state=1)
    assert plain.score == pytest.approx(best - oob)


def test_a_custom_loss_gives_the_same_number():
    model, target = KNeighborsRegressor(3), X[:, 0]
    own = bootstrap_score(
        model, X, target, loss=lambda a, b: (a - b) ** 2, n_splits=30, random_state=0
    )
    squared = bootstrap_score(model, X, target, n_splits=30, random_state=0)
    assert own.metric == "neg_mean_loss"
    assert own.score == pytest.approx(squared.score)
    assert own.no_information == pytest.approx(squared.no_information)


def test_invariances():
    words = np.array(["no", "yes"])[y]
    found = bootstrap_score(TREE, X, y, n_splits=30, random_state=0)
    assert bootstrap_score(TREE, X, words, n_splits=30, random_state=0) == found
    assert bootstrap_score(TREE, X, y, n_splits=30, random_state=0, n_jobs=2) == found
    scaled = bootstrap_score(LinearRegression(), X, 3 * X[:, 0] ** 2 + 7, random_state=0)
    plain = bootstrap_score(LinearRegression(), X, X[:, 0] ** 2, random_state=0)
    assert scaled.score == pytest.approx(9 * plain.score)
    assert scaled.weight == pytest.approx(plain.weight)


def test_estimators_are_not_fitted_in_place_and_frames_are_accepted():
    data, target = load_iris(return_X_y=True, as_frame=True)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    found = bootstrap_score(tree, data, target, n_splits=20, stratify=True, random_state=0)
    assert not hasattr(tree, "tree_")
    assert 0.85 < found.score < 1
    assert found.no_information == pytest.approx(1 / 3, abs=0.01)


def test_on_average_632_plus_is_unbiased_where_632_is_optimistic():
    # The true accuracy of one nearest neighbour on noise is 0.5, whatever the data.
    rng = np.random.default_rng(0)
    scores = {".632": [], ".632+": [], "oob": []}
    for seed in range(40):
        noise, labels = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
        for method, found in scores.items():
            model = KNeighborsClassifier(1)
            found.append(
                bootstrap_score(
                    model, noise, labels, method=method, n_splits=30, random_state=seed
                ).score
            )
    # Standard error of each mean about 0.08/√40 = 0.013.
    assert np.mean(scores["oob"]) == pytest.approx(0.5, abs=0.04)
    assert np.mean(scores[".632+"]) == pytest.approx(0.5, abs=0.04)
    assert np.mean(scores[".632"]) > 0.65


def test_the_result_differs_from_mlxtends():
    mlxtend = pytest.importorskip("mlxtend.evaluate")
    model = LogisticRegression()
    theirs = mlxtend.bootstrap_point632_score(
        model, X, y, n_splits=50, method=".632", random_seed=0, clone_estimator=True
    )
    ours = bootstrap_score(model, X, y, method=".632", n_splits=50, random_state=0)
    # Close, as both estimate one thing, and not the same number: theirs averages replicates.
    assert ours.score == pytest.approx(np.mean(theirs), abs=0.05)
    assert ours.score != pytest.approx(np.mean(theirs), abs=1e-9)


def test_a_column_of_targets_is_a_vector():
    found = bootstrap_score(TREE, X, y, n_splits=30, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, of column vectors
        column = bootstrap_score(TREE, X, y[:, None], n_splits=30, random_state=0)
        frame = bootstrap_score(TREE, X, pd.DataFrame({"y": y}), n_splits=30, random_state=0)
    assert column == frame == found
    linear = bootstrap_score(LinearRegression(), X, X[:, :1] ** 2, random_state=0)
    plain = bootstrap_score(LinearRegression(), X, X[:, 0] ** 2, random_state=0)
    assert linear.score == pytest.approx(plain.score)
    two = bootstrap_score(LinearRegression(), X, X[:, :2] ** 2, random_state=0)
    other = bootstrap_score(LinearRegression(), X, X[:, 1] ** 2, random_state=0)
    assert two.out_of_bag == pytest.approx((plain.out_of_bag + other.out_of_bag) / 2)


def test_what_cannot_be_scored_raises():
    with pytest.raises(ValueError, match=r"`method` must be one of 'oob', '\.632', '\.632\+'"):
        bootstrap_score(TREE, X, y, method="632")
    with pytest.raises(ValueError, match="`loss` must be given for an estimator"):
        bootstrap_score(KMeans(), X, y)
    with pytest.raises(ValueError, match=r"`loss` must give one finite number per sample"):
        bootstrap_score(TREE, X, y, loss=lambda a, b: 1.0)
    with pytest.raises(ValueError, match=r"`n_splits` must be larger: \d+ of 60 samples"):
        bootstrap_score(TREE, X, y, n_splits=2, random_state=0)
    with pytest.raises(ValueError, match="`n_splits` must be a whole number ≥ 1; got 0"):
        bootstrap_score(TREE, X, y, n_splits=0)
    with pytest.raises(ValueError, match="`stratify` must be False where `y` is not classes"):
        bootstrap_score(LinearRegression(), X, X[:, 0], stratify=True)
