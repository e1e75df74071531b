"""A candidate with losses of 1e26 leaves the numbers of the others as they are."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import SGDRegressor

from sklearn_stats_compare import Simplest, StatisticalGridSearchCV

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]

X, y = load_diabetes(return_X_y=True)
SOUND = [3e-5, 1e-4, 3e-4]


def search_of(steps, max_iter, **options):
    model = SGDRegressor(random_state=0, max_iter=max_iter, learning_rate="constant")
    return StatisticalGridSearchCV(
        model, {"eta0": steps}, cv=5, scoring="neg_mean_squared_error", rope="1%", **options
    ).fit(100 * X, y)  # nobody scaled


def test_rules_choose_among_the_others_as_without_it():
    for rule in (Simplest("eta0", within=1.0), Simplest("eta0", within=None)):
        found = [
            search_of(steps, 200, refit=rule, return_predictions=False).best_params_
            for steps in ([1e-5, 1e-4, 1e-3], [1e-5, 1e-4, 1e-3, 1e-2, 1e-1])
        ]
        assert found == [{"eta0": 1e-4}] * 2
    assert search_of([1e-5, 1e-4, 1e-3, 1e-1], 200).recommend("eta0").params == {"eta0": 1e-4}


@pytest.mark.parametrize("max_iter", [1, 5])
def test_sets_and_max_t_of_the_others_are_as_without_it(max_iter):
    options = {"test": "samples", "p_adjust": "maxt"}
    sound = search_of(SOUND, max_iter, **options)
    with_one = search_of([*SOUND, 0.1 if max_iter == 1 else 0.01], max_iter, **options)
    expected = sound.pairwise_frequentist_
    found = with_one.pairwise_frequentist_
    # The pairs with it are rejected first, and step-down max-t draws the others alone.
    np.testing.assert_allclose(
        found.loc[found["mean_diff"] < 1e10, "p_val"], expected["p_val"], atol=0.004
    )
    for method in ("mcs", "bayes"):
        tables = [
            own.comparison_.possibly_best(method=method, everyone=True).sort_index()
            for own in (sound, with_one)
        ]
        numbers = tables[0].select_dtypes("float").columns.drop(["mean", "behind"])
        pd.testing.assert_frame_equal(
            tables[1].iloc[:3][numbers], tables[0][numbers], atol=0.01, rtol=0
        )
        assert not tables[1]["in_set"].iloc[3]
