"""A notebook: what <Tab> finds, which asks Jedi, and what a cell of a real kernel shows."""

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from sklearn_stats_compare import StatisticalGridSearchCV

jedi = pytest.importorskip("jedi", reason="no notebook's kernel to ask")
manager = pytest.importorskip("jupyter_client.manager", reason="no notebook's kernel to ask")
pytest.importorskip("ipykernel", reason="no notebook's kernel to ask")

TABLES = {"comparison_", "pairwise_frequentist_", "pairwise_bayesian_", "possibly_best_"}
GRID = {"var_smoothing": [1e-9, 1e-3]}
CELL = f"""
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn_stats_compare import StatisticalGridSearchCV
search = StatisticalGridSearchCV(GaussianNB(), {GRID}, cv=10)
assert get_ipython().Completer.use_jedi  # the default, which reads names as nobody else does
"""


def test_tab_finds_the_tables_of_a_fitted_search_and_computes_none():
    search = StatisticalGridSearchCV(GaussianNB(), GRID, cv=10)

    def completed(code):
        return {found.name for found in jedi.Interpreter(code, [{"search": search}]).complete()}

    assert not TABLES & completed("search.")  # not fitted: they would raise
    search.fit(*load_iris(return_X_y=True))
    assert completed("search.") >= {*TABLES, "best_score_", "compare"}
    assert completed("search.comp") >= {"comparison_", "compare"}
    assert completed("search.pair") == {"pairwise_frequentist_", "pairwise_bayesian_"}
    assert search._record._comparisons == {}


@pytest.fixture(scope="module")
def fitted():
    """A kernel with a fitted search."""
    running, client = manager.start_new_kernel(kernel_name="python3")
    executed(client, f"{CELL}\n_ = search.fit(*load_iris(return_X_y=True))")
    yield client
    client.stop_channels()
    running.shutdown_kernel(now=True)


def executed(client, code):
    """What a cell shows, by kind."""
    messages = []
    reply = client.execute_interactive(
        code, timeout=600, output_hook=lambda message: messages.append(message["content"])
    )
    assert reply["content"]["status"] == "ok", reply["content"]
    return next((content["data"] for content in messages if "data" in content), None)


@pytest.mark.slow
def test_tab_finds_what_can_be_asked_of_a_comparison(fitted):
    executed(fitted, "c = search.comparison_")
    content = fitted.complete("c.", reply=True, timeout=600)["content"]
    found = {match.rpartition(".")[2] for match in content["matches"]}
    assert found >= {"against", "possibly_best", "posterior", "ranking"}


@pytest.mark.slow  # what is shown is in test_shown_in_notebooks.py
def test_the_last_expression_of_a_cell_is_shown(fitted):
    cell = executed(fitted, "search.comparison_")
    assert cell["text/html"].startswith('<div class="ssc-glance">')
    assert cell["text/plain"].startswith("2 candidates on 10 splits")
    cell = executed(fitted, "search")
    assert "sk-top-container" in cell["text/html"]
    assert "See comparison_." in cell["text/html"]
    cell = executed(fitted, "from sklearn_stats_compare import report; report(search)")
    assert cell["text/plain"].startswith("2 candidates were scored by accuracy")
    assert "iframe" in executed(fitted, "report(search, 'html')")["text/html"]
    assert "| rank |" in executed(fitted, "report(search, 'markdown')")["text/markdown"]
