"""What 0.1.0 left on disk: `made_by_0_1.py` made it. docs/stability.rst is the promise."""

import json
import pickle
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy
import sklearn
from made_by_0_1 import X, search, y
from sklearn.exceptions import InconsistentVersionWarning

from sklearn_stats_compare import ComparisonWarning, compare

DATA = Path(__file__).parent / "data_0_1"


@pytest.fixture(scope="module")
def expected():
    return json.loads((DATA / "reference.json").read_text())


def test_the_ledger_of_0_1_is_compared_as_then(expected):
    with pytest.warns(ComparisonWarning, match="only 5 splits"):
        comparison = compare(DATA / "ledger.sqlite")
    np.testing.assert_array_equal(comparison.scores.values, expected["scores"])


def test_a_search_goes_on_from_the_ledger_of_0_1_or_refuses_it_in_words(tmp_path):
    ledger = tmp_path / "search.sqlite"
    shutil.copy(DATA / "ledger.sqlite", ledger)
    # It was made by the oldest dependencies, and other ones may give other scores.
    if (sklearn.__version__, np.__version__, scipy.__version__) == ("1.6.0", "1.26.0", "1.11.1"):
        assert search(ledger).fit(X, y).n_reused_ == 15
        return
    before = ledger.read_bytes()
    with pytest.raises(ValueError, match=r"`ledger` must belong to this search; .* 1\.6\.0 → "):
        search(ledger).fit(X, y)
    assert ledger.read_bytes() == before


def test_the_pickle_of_0_1_has_the_numbers_of_then(expected):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InconsistentVersionWarning)
        fitted = pickle.loads((DATA / "search.pickle").read_bytes())
    table = fitted.pairwise_frequentist_
    np.testing.assert_array_equal(fitted.comparison_.scores.values, expected["scores"])
    np.testing.assert_allclose(table["p_val"], expected["p_val"], rtol=1e-9)
    assert table["verdict"].tolist() == expected["verdict"]
    assert fitted.posterior(0, 2).mean() == pytest.approx(
        np.mean(np.subtract(expected["scores"][0], expected["scores"][2]))
    )
