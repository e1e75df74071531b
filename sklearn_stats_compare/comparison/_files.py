"""CSV files of results → tables of text."""

import os
from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import shown


def read_csv(path: str | os.PathLike[Any]) -> pd.DataFrame:
    """A file's cells as text, under the names of its first row as they stand there.

    As text, numbers are read to the last bit, which pandas' own parser does not promise. Left to
    itself it would also rename a column that occurs twice, and take the first for an index where
    rows are longer than the header.
    """
    # The whole path: pandas would fetch a text that reads like an address from the network.
    whole = os.path.abspath(os.fsdecode(path))
    try:
        table = pd.read_csv(whole, dtype=str, header=None)
    except ValueError as error:  # also what pandas raises for files it cannot parse or decode
        raise ValueError(
            f"`obj` must be the path of a CSV file; {shown(path)} cannot be read as one: "
            f"{shown(str(error))}."
        ) from None
    names = table.iloc[0].fillna("").astype(str)
    return table.iloc[1:].set_axis(pd.Index(names), axis=1).reset_index(drop=True)
