"""scikit-learn's checks of an estimator, for all our searches."""

import pytest
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import HalvingGridSearchCV, HalvingRandomSearchCV, ShuffleSplit
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import sklearn_stats_compare as ssc

CS, ALPHAS = {"C": [0.1, 1.0]}, {"alpha": [0.1, 1.0]}
# As scikit-learn's tests of its halving searches have them.
HALVING = {"cv": 2, "random_state": 0, "min_resources": "smallest"}
RACE = {"cv": ShuffleSplit(10, test_size=0.5, random_state=1), "random_state": 0}
BY_SAMPLES = {**RACE, "cv": ShuffleSplit(3, test_size=0.5, random_state=1)}  # the fewest


class StatisticalHalvingGridSearchCV(ssc.StatisticalSearchMixin, HalvingGridSearchCV):
    """As the guide makes it."""


class StatisticalHalvingRandomSearchCV(ssc.StatisticalSearchMixin, HalvingRandomSearchCV):
    """As the guide makes it."""


# The others differ in how candidates are drawn, in the estimator, or stand before another search,
# with what test_search_mixin.py checks by itself.
EACH_KIND = [
    ssc.StatisticalGridSearchCV(LogisticRegression(tol=0.01), CS, cv=2),
    ssc.RacingGridSearchCV(Ridge(), ALPHAS, **BY_SAMPLES),
]
OTHERS = [
    StatisticalHalvingGridSearchCV(LogisticRegression(), CS, **HALVING),
    ssc.StatisticalGridSearchCV(Ridge(), ALPHAS, cv=2),
    ssc.StatisticalRandomizedSearchCV(LogisticRegression(), CS, n_iter=2, cv=2, random_state=0),
    StatisticalHalvingGridSearchCV(Ridge(), ALPHAS, **HALVING),
    StatisticalHalvingRandomSearchCV(LogisticRegression(), CS, **HALVING),
    ssc.RacingGridSearchCV(LogisticRegression(), CS, **RACE),
    ssc.RacingGridSearchCV(Ridge(), ALPHAS, **RACE),
    ssc.RacingRandomizedSearchCV(LogisticRegression(), CS, n_iter=2, **RACE),
]


def expected_to_fail(search):
    """What scikit-learn expects of its own searches too."""
    found = {}
    if isinstance(search.estimator, Ridge):
        found["check_supervised_y_2d"] = "DataConversionWarning not caught"
    if hasattr(search, "min_resources"):
        found["check_fit2d_1sample"] = "fails before, as min_resources needs more samples"
    return found


@parametrize_with_checks(EACH_KIND, expected_failed_checks=expected_to_fail)
@pytest.mark.filterwarnings("ignore")  # the checks provoke failing fits
def test_scikit_learns_checks_of_an_estimator(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.parametrize("search", OTHERS, ids=lambda search: type(search).__name__)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_checks_of_the_other_searches(search):
    # One test each: to name some 400 checks would take every run a second.
    check_estimator(search, expected_failed_checks=expected_to_fail(search))
