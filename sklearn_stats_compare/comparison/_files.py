"""CSV files of results or of scores → tables of text."""

import os
from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.comparison._axis_names import is_text


def read_csv(path: str | os.PathLike[Any], *, gaps: bool = True) -> pd.DataFrame:
    """Cells of a file as text, under the unchanged names of its first row.

    With `gaps`, pandas' words for an absent value, such as "NA" and "None", are read as NaN.

    Reading as text keeps every bit of a number, which pandas' parser does not guarantee. That
    parser would also rename a duplicate column, and use the first column as the index if rows are
    longer than the header.
    """
    # An absolute path: pandas would download text that looks like a URL.
    whole = os.path.abspath(os.fsdecode(path))
    try:
        table = pd.read_csv(
            whole, dtype=str, header=None, keep_default_na=gaps, na_values=None if gaps else [""]
        )
    except ValueError as error:  # pandas raises it too, for files it cannot parse or decode
        raise ValueError(
            f"`obj` must be the path of a CSV file; {shown(path)} cannot be read as one: "
            f"{shown(str(error))}."
        ) from None
    names = table.iloc[0].fillna("").astype(str)
    return table.iloc[1:].set_axis(pd.Index(names.to_list()), axis=1).reset_index(drop=True)


def check_header(columns: pd.Index) -> None:
    """Raise ValueError if the first row of a matrix of scores holds scores, not names.

    `numpy.savetxt` writes no header. pandas names columns without names by whole numbers.
    """
    if len(columns) and not any(map(is_text, columns)) and not all(map(str.isdigit, columns)):
        raise ValueError(
            "`obj` must be a CSV file whose first row names the columns; got "
            f"{shown_list(columns)}. Read it as an array, such as with numpy.loadtxt."
        )
