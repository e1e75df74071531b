"""Tables of Arrow are read as those of NumPy are, with the index that they carry."""

import numpy as np
import pandas as pd
import pytest

from sklearn_stats_compare import compare

arrow = pytest.importorskip("pyarrow", reason="it is installed by `nox -s interop`")
TABLE = pd.DataFrame(
    [
        {"model": m, "fold": k, "score": s + k / 100}
        for m, s in (("a", 0.8), ("b", 0.7))
        for k in range(10)
    ]
)
TEN = {"test_train_ratio": 1 / 9}


@pytest.mark.parametrize(
    "table",
    [
        TABLE.convert_dtypes(dtype_backend="pyarrow"),
        arrow.Table.from_pandas(TABLE),
        arrow.Table.from_pandas(TABLE.set_index(["model", "fold"])),
    ],
)
def test_a_long_table(table):
    assert np.array_equal(compare(table, **TEN).scores.values, compare(TABLE, **TEN).scores.values)
