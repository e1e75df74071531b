"""A pytest plugin that runs scikit-learn's own tests of searches, and writes down what passed.

With SWAP=1 our two classes stand in for scikit-learn's before its test module is imported, so that
its parametrize lists hold ours as well. Outcomes go to the file that OUTCOMES names.
"""

import json
import os

import sklearn.model_selection

import sklearn_stats_compare

if os.environ.get("SWAP") == "1":
    for name in ("GridSearchCV", "RandomizedSearchCV"):
        setattr(sklearn.model_selection, name, getattr(sklearn_stats_compare, f"Statistical{name}"))

outcomes = {}


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        outcomes[report.nodeid.split("::", 1)[1].replace("Statistical", "")] = report.outcome


def pytest_sessionfinish(session):
    with open(os.environ["OUTCOMES"], "w") as file:
        json.dump(outcomes, file)
