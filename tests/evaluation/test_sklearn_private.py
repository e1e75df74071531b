"""The one module that uses private parts of scikit-learn, on both ends."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.model_selection import cross_validate
from sklearn.svm import SVC

from sklearn_stats_compare._sklearn_private import (
    count_samples,
    says_that_all_fits_failed,
    take_rows,
)

DATA = np.arange(12.0).reshape(4, 3)
KINDS = {"array": DATA, "list": DATA.tolist(), "frame": pd.DataFrame(DATA)}
KINDS["sparse"] = csr_matrix(DATA)


@pytest.mark.parametrize("kind", KINDS)
def test_data_of_every_kind_is_counted_and_indexed(kind):
    data = KINDS[kind]
    assert count_samples(data) == 4
    rows = take_rows(data, np.array([2, 0]))
    assert type(rows) is type(data)
    as_array = rows.toarray() if kind == "sparse" else np.asarray(rows)
    np.testing.assert_array_equal(as_array, DATA[[2, 0]])


def test_data_without_samples_raise():
    with pytest.raises(TypeError, match="Expected sequence or array-like"):
        count_samples(None)


def test_scikit_learn_says_that_all_fits_failed():
    X, y = np.ones((10, 1)), np.arange(10) % 2
    with pytest.raises(ValueError, match="fits failed") as refused:
        cross_validate(SVC(C=-1), X, y, cv=[(np.arange(8), np.arange(8, 10))])
    assert says_that_all_fits_failed(refused.value)
    assert not says_that_all_fits_failed(ValueError("`scoring` must be one of …"))
