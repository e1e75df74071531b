"""A pytest plugin that runs scikit-learn's own tests of searches, and writes down what passed.

SWAP names our classes, "Statistical" or "Racing", that stand in for scikit-learn's before its test
module is imported, so that its parametrize lists hold ours as well; "" leaves scikit-learn's.
Outcomes go to the file that OUTCOMES names.
"""

import json
import os

import sklearn.model_selection

import sklearn_stats_compare
from sklearn_stats_compare.stats import _race

KIND = os.environ.get("SWAP", "")
if KIND:
    for name in ("GridSearchCV", "RandomizedSearchCV"):
        setattr(sklearn.model_selection, name, getattr(sklearn_stats_compare, KIND + name))
if KIND == "Racing":
    # scikit-learn's tests are content with three folds, and two for some scorers.
    _race.FEWEST_SPLITS = _race.FEWEST_SPLITS_BY_SAMPLES = 1
    # They read the scores of all candidates, so races look at samples but drop nothing.
    for name in ("RacingGridSearchCV", "RacingRandomizedSearchCV"):
        getattr(sklearn_stats_compare, name).__init__.__kwdefaults__["alpha"] = 1e-300

outcomes = {}


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        node = report.nodeid.split("::", 1)[1]
        outcomes[node.replace(KIND, "") if KIND else node] = report.outcome


def pytest_sessionfinish(session):
    with open(os.environ["OUTCOMES"], "w") as file:
        json.dump(outcomes, file)
