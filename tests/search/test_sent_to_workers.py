"""What scikit-learn sends to the workers with every fit, the search itself, is small."""

import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import RepeatedStratifiedKFold

import sklearn_stats_compare as ssc
from sklearn_stats_compare.search._fitting import Fitting

rng = np.random.default_rng(0)
X = rng.standard_normal((2000, 1))
y = np.arange(2000) % 2
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
GRID = {"number": list(range(30))}
N_FITS = 600  # of the longest: 30 candidates on 10 splits, extended by 10
# scikit-learn's own tree of contexts, from 1.9 on, has about 82 bytes a fit.
MOST = 2_000 + 100 * N_FITS
FITTING = []
SIZES = []


class Watched(ClassifierMixin, BaseEstimator):
    """Pickles, while it is fitted, the search that it is fitted by."""

    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        for search in FITTING if self.number % 5 == 4 else ():
            sent = pickle.dumps(search)
            SIZES.append(len(sent))
            assert not any(word in sent for word in (b"sqlite3", b"LedgerFile", b"cv_results_"))
        return self

    def predict(self, X):
        return np.where(X[:, 0] > self.number / 10, 1, 0)


@pytest.fixture
def watched(monkeypatch):
    """Watches the copies that searches are fitted on, which scikit-learn sends."""
    SIZES.clear()
    run = Fitting._run

    def watched_run(fitting, search, given):
        FITTING[:] = [search]
        return run(fitting, search, given)

    monkeypatch.setattr(Fitting, "_run", watched_run)
    yield
    FITTING.clear()


@pytest.mark.parametrize("kind", [ssc.StatisticalGridSearchCV, ssc.RacingGridSearchCV])
@pytest.mark.parametrize("cv", [CV, list(CV.split(X, y))], ids=["splitter", "indices"])
@pytest.mark.parametrize("saved", [False, True])
def test_neither_splits_nor_earlier_fits_nor_the_ledger(kind, cv, saved, watched, tmp_path):
    arguments = {"ledger": tmp_path / "search.sqlite"} if saved else {}
    if kind is ssc.RacingGridSearchCV:
        arguments["random_state"] = 0
    search = kind(Watched(), GRID, cv=cv, refit=False, **arguments)
    search.fit(X, y)
    assert SIZES
    assert max(SIZES) < MOST < 0.5 * 8 * X.size * 10  # half of the indices of ten splits
    len(search.pairwise_frequentist_), len(search.pairwise_bayesian_)
    if saved:
        (tmp_path / "search.sqlite").unlink()
    SIZES.clear()
    search.fit(X, y)
    if cv is CV:
        search.extend(X, y, n_repeats=1)
    assert max(SIZES) < MOST


def test_a_search_is_whole_after_its_fit_and_after_one_that_failed():
    search = ssc.StatisticalGridSearchCV(Watched(), GRID, cv=CV).fit(X, y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        search.fit(X, y[:-1])
    copy = pickle.loads(pickle.dumps(search))
    assert copy.cv == search.cv or copy.cv.n_repeats == CV.n_repeats
    assert copy.comparison_.ranking.equals(search.comparison_.ranking)
