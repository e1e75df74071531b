"""A search as the last expression of a notebook's cell: scikit-learn's diagram, and a line."""

import re
import time
from html import unescape

import numpy as np
import pytest
import sklearn
from counted import Counted
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import ComparisonWarning, RacingGridSearchCV, StatisticalGridSearchCV

X, y = make_classification(n_samples=120, n_features=6, random_state=0)
GRID = {"max_depth": [1, 2, 3]}


def search_of(**arguments):
    return StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0), GRID, **{"cv": 10, **arguments}
    )


def line_of(search):
    """The line below the diagram; both ways that a notebook asks show the same one."""
    found = [search._repr_html_(), search._repr_mimebundle_()["text/html"]]
    lines = []
    for page in found:
        assert "sk-top-container" in page
        line = re.search(r'<div style="margin-top[^>]*>([^<]*)</div>$', page)
        lines.append("" if line is None else unescape(line[1]))
    assert lines[0] == lines[1]
    return lines[0]


def test_the_line_names_the_leader_and_counts_those_that_may_be_the_best():
    search = search_of().fit(X, y)
    before = line_of(search)
    comparison, n = search.comparison_, len(search.possibly_best_)
    assert before == line_of(search)  # whether the comparison was made yet or not
    words = "it alone may be the best" if n == 1 else f"{n} of 3 candidates may be the best"
    assert before.startswith(
        f"{comparison.leader} leads, tied with 1 other, with a mean accuracy of "
    )
    assert words in before
    assert before.endswith("Candidates are named by max_depth. See comparison_.")


def test_before_a_fit_and_without_one_metric_there_is_the_diagram_alone():
    assert line_of(search_of()) == ""
    assert line_of(search_of(scoring=["accuracy", "f1"], refit=False).fit(X, y)) == ""
    assert "mean f1" in line_of(search_of(scoring=["accuracy", "f1"], refit="f1").fit(X, y))


def test_the_line_takes_no_warning_from_the_table():
    search = search_of(cv=3).fit(X, y)
    assert line_of(search)
    with pytest.warns(ComparisonWarning, match="only 3 splits"):
        search.comparison_  # noqa: B018


def test_a_search_by_samples_is_not_counted_until_its_values_were_read():
    search = search_of(test="samples").fit(X, y)
    assert "may be the best" not in line_of(search)
    assert "leads" in line_of(search)
    search.comparison_  # noqa: B018
    assert "may be the best" in line_of(search)


def test_settings_that_cannot_be_compared_leave_the_diagram():
    search = search_of(test="5x2cv_t").fit(X, y)  # ten folds are no five times two
    with pytest.raises(ValueError, match="5"):
        search.comparison_  # noqa: B018
    assert line_of(search) == ""


def test_after_a_race_the_line_speaks_of_those_that_were_compared():
    cv = RepeatedKFold(n_splits=5, n_repeats=6, random_state=0)
    grid = {"C": [1e-8, 0.9, 1.0, 1.1]}
    race = RacingGridSearchCV(SVC(kernel="linear"), grid, cv=cv, interim="splits").fit(X, y)
    n = len(race.comparison_.scores.values)
    assert 1 < n < 4
    assert re.search(rf"of {n} candidates that were compared to the end", line_of(race))


def test_the_line_is_escaped():
    texts = ["<script>alert(1)</script>", "<img src=x>"]
    search = StatisticalGridSearchCV(Counted(), {"does": texts}, cv=10).fit(X, y)
    line = search._repr_html_().rsplit("<div style=", 1)[1]
    assert "&lt;" in line
    assert "<script" not in line
    assert "<img" not in line


def test_where_scikit_learn_shows_text_there_is_no_line():
    search = search_of().fit(X, y)
    with sklearn.config_context(display="text"):
        assert set(search._repr_mimebundle_()) == {"text/plain"}
        assert not hasattr(search, "_repr_html_")


def test_a_search_inside_another_estimator_is_a_part_of_its_diagram():
    whole = make_pipeline(StandardScaler(), search_of()).fit(X, y)
    assert "sk-top-container" in whole._repr_html_()
    assert "leads" not in whole._repr_html_()


def test_thousands_of_candidates_are_shown_without_a_table():
    grid = {"var_smoothing": np.logspace(-9, 0, 3)}
    # Nothing is kept, because the results are made up.
    search = StatisticalGridSearchCV(GaussianNB(), grid, cv=10, return_predictions=False)
    search.fit(X, y)
    n = 5000
    rng = np.random.default_rng(0)
    results = {f"split{k}_test_score": rng.random(n) for k in range(10)}
    results["mean_test_score"] = np.mean(list(results.values()), axis=0)
    results["params"] = [{"C": i, "gamma": i / 7} for i in range(n)]
    search.cv_results_ = results
    plain = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9]}, cv=10).fit(X, y)
    start = time.perf_counter()
    plain._repr_html_()
    diagram = time.perf_counter() - start
    start = time.perf_counter()
    assert "5,000 candidates may be the best" in line_of(search)
    taken = time.perf_counter() - start
    # A table of its 12 million pairs takes seconds. Two diagrams, and 0.1 s beside them; the limit
    # is loose, as it is no benchmark.
    assert taken < 2 * diagram + 5
    assert search._record._comparisons == {}
