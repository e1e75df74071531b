"""A notebook: what a real kernel finds on <Tab>, which asks Jedi, and what a cell shows."""

import pytest

manager = pytest.importorskip("jupyter_client.manager", reason="no notebook's kernel to ask")
pytest.importorskip("ipykernel", reason="no notebook's kernel to ask")

TABLES = {"comparison_", "pairwise_frequentist_", "pairwise_bayesian_", "possibly_best_"}
CELL = """
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn_stats_compare import StatisticalGridSearchCV
search = StatisticalGridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, cv=10)
assert get_ipython().Completer.use_jedi  # the default, which reads names as nobody else does
"""


@pytest.fixture(scope="module")
def kernel():
    running, client = manager.start_new_kernel(kernel_name="python3")
    yield client
    client.stop_channels()
    running.shutdown_kernel(now=True)


def executed(client, code):
    """What a cell printed, and what it shows by kind."""
    messages = []
    reply = client.execute_interactive(
        code, timeout=600, output_hook=lambda message: messages.append(message["content"])
    )
    assert reply["content"]["status"] == "ok", reply["content"]
    shown = next((content["data"] for content in messages if "data" in content), None)
    return "".join(content.get("text", "") for content in messages), shown


def completed(client, code):
    """Names that <Tab> offers after some code."""
    content = client.complete(code, reply=True, timeout=600)["content"]
    return {match.rpartition(".")[2] for match in content["matches"]}


def test_tab_finds_the_tables_of_a_fitted_search_and_computes_none(kernel):
    executed(kernel, CELL)
    assert not TABLES & completed(kernel, "search.")  # not fitted: they would raise
    executed(kernel, "_ = search.fit(*load_iris(return_X_y=True))")
    assert completed(kernel, "search.") >= {*TABLES, "best_score_", "compare"}
    assert completed(kernel, "search.comp") >= {"comparison_", "compare"}
    assert completed(kernel, "search.pair") == {"pairwise_frequentist_", "pairwise_bayesian_"}
    assert executed(kernel, "print(search._record._comparisons)")[0] == "{}\n"


@pytest.fixture(scope="module")
def fitted(kernel):
    """A kernel with a fitted search."""
    executed(kernel, f"{CELL}\n_ = search.fit(*load_iris(return_X_y=True))")
    return kernel


def test_tab_finds_what_can_be_asked_of_a_comparison(fitted):
    executed(fitted, "c = search.comparison_")
    assert completed(fitted, "c.") >= {"against", "possibly_best", "posterior", "ranking"}


def test_the_last_expression_of_a_cell_is_shown(fitted):
    def shown(code):
        return executed(fitted, code)[1]

    cell = shown("search.comparison_")
    assert cell["text/html"].startswith('<div class="ssc-glance">')
    assert cell["text/plain"].startswith("2 candidates on 10 splits")
    cell = shown("search")
    assert "sk-top-container" in cell["text/html"]
    assert "See comparison_." in cell["text/html"]
    cell = shown("from sklearn_stats_compare import report; report(search)")
    assert cell["text/plain"].startswith("2 candidates were scored by accuracy")
    assert "iframe" in shown("report(search, 'html')")["text/html"]
    assert "| rank |" in shown("report(search, 'markdown')")["text/markdown"]
