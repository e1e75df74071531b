"""scikit-learn's checks of an estimator, for all our searches."""

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import ShuffleSplit
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_stats_compare import (
    RacingGridSearchCV,
    RacingRandomizedSearchCV,
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
)

CS, ALPHAS = {"C": [0.1, 1.0]}, {"alpha": [0.1, 1.0]}
RACE = {"cv": ShuffleSplit(10, test_size=0.5, random_state=1), "random_state": 0}


@parametrize_with_checks(
    [
        StatisticalGridSearchCV(LogisticRegression(), CS, cv=2),
        StatisticalGridSearchCV(Ridge(), ALPHAS, cv=2),
        StatisticalRandomizedSearchCV(LogisticRegression(), CS, n_iter=2, cv=2, random_state=0),
        RacingGridSearchCV(LogisticRegression(), CS, **RACE),
        RacingGridSearchCV(Ridge(), ALPHAS, **RACE),
        RacingRandomizedSearchCV(LogisticRegression(), CS, n_iter=2, **RACE),
    ],
    # scikit-learn expects the same of its own searches.
    expected_failed_checks=lambda search: (
        {"check_supervised_y_2d": "DataConversionWarning not caught"}
        if isinstance(search.estimator, Ridge)
        else {}
    ),
)
@pytest.mark.filterwarnings("ignore")  # the checks provoke failing fits
def test_scikit_learns_checks_of_an_estimator(estimator, check):
    check(estimator)
