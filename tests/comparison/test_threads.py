"""One comparison, or one fitted search, that several threads ask at once."""

import copy
import pickle
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import RepeatedKFold

import sklearn_stats_compare as ssc
from sklearn_stats_compare.search._record import FitRecord
from sklearn_stats_compare.stats._power import two_sided_power

N_THREADS = 8
QUESTIONS = {
    "frequentist": lambda c: c.frequentist(),
    "bayesian": lambda c: c.bayesian(),
    "leader": lambda c: c.against(),
    "ranking": lambda c: c.ranking(),
    "possibly best": lambda c: c.possibly_best(),
    "probability": lambda c: c.possibly_best(method="bayes", everyone=True, rng=0),
    "holm": lambda c: c.frequentist(p_adjust="holm"),
    "streamed": lambda c: pd.concat(c.with_settings(p_adjust="sidak").frequentist(chunk_size=7)),
    "resolution": lambda c: c.plan(),
    "repr": lambda c: pd.DataFrame([repr(c)]),
}


@pytest.fixture(autouse=True)
def threads_that_take_turns_often():
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


COPIES = pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))], ids=["deepcopy", "pickle"]
)


def at_once(function):
    """What `function` returns in each of eight threads that call it at the same moment."""
    start = Barrier(N_THREADS)

    def call(k):
        start.wait()
        return function(k)

    with ThreadPoolExecutor(N_THREADS) as pool:
        return list(pool.map(call, range(N_THREADS)))


def fresh_comparison(**settings):
    rng = np.random.default_rng(0)
    values = np.linspace(0.9, 0.8, 8)[:, None] + rng.normal(0, 0.03, (8, 20))
    values[3] = values[4]
    values[6, 2] = np.nan
    design = ssc.SplitDesign([80] * 20, [20] * 20, np.arange(20) // 5)
    return ssc.Comparison(ssc.SplitScores(values, design), **settings)


def fitted_search(**options):
    y = np.random.default_rng(0).integers(0, 2, 60)
    options = {"cv": RepeatedKFold(n_splits=5, n_repeats=2, random_state=0), **options}
    grid = {"strategy": ["stratified", "uniform", "most_frequent"], "random_state": [0, 1]}
    return ssc.StatisticalGridSearchCV(DummyClassifier(), grid, **options).fit(np.zeros((60, 1)), y)


@pytest.mark.parametrize("p_adjust", [pytest.param("bonferroni", marks=pytest.mark.slow), "holm"])
def test_eight_threads_get_the_tables_that_one_gets(p_adjust):
    serial = fresh_comparison(p_adjust=p_adjust)
    expected = {name: ask(serial) for name, ask in QUESTIONS.items()}
    names = list(QUESTIONS)
    for _ in range(2):
        shared = fresh_comparison(p_adjust=p_adjust)

        def ask_all(k, shared=shared):
            turned = names[k:] + names[:k]  # each thread begins with another question
            return {name: QUESTIONS[name](shared) for name in turned}

        for found in at_once(ask_all):
            for name in names:
                pd.testing.assert_frame_equal(found[name], expected[name], check_exact=True)


def test_eight_threads_get_one_comparison_of_a_search():
    search = fitted_search()
    expected = search.pairwise_frequentist_
    for _ in range(10):
        search._record._comparisons.clear()  # as after fit
        asked = at_once(lambda k: (search.comparison_, search.pairwise_frequentist_))
        assert len({id(comparison) for comparison, _ in asked}) == 1
        for _, table in asked:
            pd.testing.assert_frame_equal(table, expected, check_exact=True)


def test_a_search_warns_in_one_of_eight_threads(monkeypatch):
    usual = FitRecord._new_comparison

    def slow(*arguments):
        time.sleep(0.05)  # until all have asked
        return usual(*arguments)

    monkeypatch.setattr(FitRecord, "_new_comparison", slow)
    search = fitted_search(cv=5)
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        at_once(lambda k: search.pairwise_bayesian_)
    assert [w.category for w in record] == [ssc.ComparisonWarning]


def test_warning_filters_are_unchanged():
    filters = list(warnings.filters)
    for _ in range(10):
        at_once(lambda k: [two_sided_power(shift, 9, 0.05) for shift in range(8)])
        assert list(warnings.filters) == filters


class AsksWhilePickled:
    """A parameter that asks its comparison for a table while it is being pickled or copied."""

    def __reduce__(self):
        self.comparison.scores.std_errs  # noqa: B018
        self.comparison.frequentist()
        return (str, ("asked",))


@COPIES
def test_tables_may_be_computed_while_a_comparison_is_copied(copied):
    asks = [AsksWhilePickled() for _ in range(8)]
    comparison = fresh_comparison(params=[{"p": value, "k": k} for k, value in enumerate(asks)])
    for value in asks:
        value.comparison = comparison
    table = copied(comparison).frequentist()
    pd.testing.assert_frame_equal(table, comparison.frequentist(), check_exact=True)


@COPIES
def test_the_copy_of_a_search_has_the_same_tables(copied):
    search = fitted_search()
    table = search.pairwise_frequentist_
    pd.testing.assert_frame_equal(copied(search).pairwise_frequentist_, table, check_exact=True)


PROCESS = """
import warnings
from concurrent.futures import ThreadPoolExecutor
import matplotlib, numpy as np, sklearn_stats_compare as ssc
from sklearn.tree import DecisionTreeClassifier
matplotlib.use("Agg")
X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
scores = ssc.SplitScores(np.random.default_rng(0).random((2, 4)), ssc.SplitDesign([9] * 4, [3] * 4))
page = ssc.Comparison(scores, warn=False)
def work(_):
    for _ in range(8):
        grid = {"max_depth": [1, 2, 3]}
        ssc.StatisticalGridSearchCV(DecisionTreeClassifier(), grid, cv=3).fit(X, y)
    return {page.report("html") for _ in range(2)}
before, shown, expected = dict(matplotlib.rcParams), warnings._showwarnmsg_impl, work(0)
with ThreadPoolExecutor(8) as threads:
    assert all(found == expected for found in threads.map(work, range(8)))
assert dict(matplotlib.rcParams) == before
assert warnings._showwarnmsg_impl is shown
with warnings.catch_warnings(record=True) as caught:
    warnings.warn("of the user", UserWarning)
assert len(caught) == 1
"""


def test_fits_and_pages_of_many_threads_leave_the_process_as_it_was():
    # Until Python 3.14 the filters of warnings and, always, the style of pictures are the
    # process's. A thread that restored them after another one had changed them would leave these.
    # In a process of its own, because scikit-learn's threads exchange the filters of pytest.
    subprocess.run([sys.executable, "-W", "default", "-c", PROCESS], check=True)
