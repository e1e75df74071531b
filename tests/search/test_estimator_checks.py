"""scikit-learn's checks of an estimator, for all our searches."""

import pytest
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import HalvingRandomSearchCV, ShuffleSplit
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_stats_compare import (
    RacingGridSearchCV,
    RacingRandomizedSearchCV,
    StatisticalGridSearchCV,
    StatisticalHalvingGridSearchCV,
    StatisticalRandomizedSearchCV,
    with_statistics,
)

CS, ALPHAS = {"C": [0.1, 1.0]}, {"alpha": [0.1, 1.0]}
# As scikit-learn's tests of its halving searches have them.
HALVING = {"cv": 2, "random_state": 0, "min_resources": "smallest"}
RACE = {"cv": ShuffleSplit(10, test_size=0.5, random_state=1), "random_state": 0}


@parametrize_with_checks(
    [
        StatisticalGridSearchCV(LogisticRegression(), CS, cv=2),
        StatisticalGridSearchCV(Ridge(), ALPHAS, cv=2),
        StatisticalRandomizedSearchCV(LogisticRegression(), CS, n_iter=2, cv=2, random_state=0),
        StatisticalHalvingGridSearchCV(LogisticRegression(), CS, **HALVING),
        StatisticalHalvingGridSearchCV(Ridge(), ALPHAS, **HALVING),
        with_statistics(HalvingRandomSearchCV)(LogisticRegression(), CS, **HALVING),
        RacingGridSearchCV(LogisticRegression(), CS, **RACE),
        RacingGridSearchCV(Ridge(), ALPHAS, **RACE),
        RacingRandomizedSearchCV(LogisticRegression(), CS, n_iter=2, **RACE),
    ],
    # scikit-learn expects the same of its own searches.
    expected_failed_checks=lambda search: {
        **(
            {"check_supervised_y_2d": "DataConversionWarning not caught"}
            if isinstance(search.estimator, Ridge)
            else {}
        ),
        **(
            {"check_fit2d_1sample": "fails before, as min_resources needs more samples"}
            if hasattr(search, "min_resources")
            else {}
        ),
    },
)
@pytest.mark.filterwarnings("ignore")  # the checks provoke failing fits
def test_scikit_learns_checks_of_an_estimator(estimator, check):
    check(estimator)
