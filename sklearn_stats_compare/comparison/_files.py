"""CSV files of results or of scores → tables of text."""

import os
from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.comparison._axis_names import is_text


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
    return table.iloc[1:].set_axis(pd.Index(names.to_list()), axis=1).reset_index(drop=True)


def check_header(columns: pd.Index) -> None:
    """Raise ValueError where the first row of a matrix of scores is one of its models or splits.

    `numpy.savetxt` writes none. Whole numbers are what pandas calls columns without names.
    """
    if len(columns) and not any(map(is_text, columns)) and not all(map(str.isdigit, columns)):
        raise ValueError(
            "`obj` must be a CSV file whose first row names the columns; got "
            f"{shown_list(columns)}. Read it as an array, such as with numpy.loadtxt."
        )
