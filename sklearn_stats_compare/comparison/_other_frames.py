"""Frames of other packages, such as polars, and tables of text → pandas frames with named rows."""

import warnings
from typing import Any

import pandas as pd

from sklearn_stats_compare.comparison._axis_names import names_rows


def is_frame(obj: Any) -> bool:
    """Whether an object is a pandas frame, or one of a package that converts to pandas.

    Tested by attributes, so that no package need be imported. A search has none of them.
    """
    converts = hasattr(obj, "columns") and callable(getattr(obj, "to_pandas", None))
    return isinstance(obj, pd.DataFrame) or converts or _has_protocol(obj)


def as_pandas(frame: Any) -> pd.DataFrame:
    """A pandas frame; one of another package has the column of row names as its index."""
    if isinstance(frame, pd.DataFrame):
        return frame
    if not hasattr(frame, "to_pandas"):
        with warnings.catch_warnings():
            # pandas 3.1 deprecates the protocol, but reads by it until pandas 4.
            warnings.filterwarnings("ignore", ".*Interchange Protocol is deprecated")
            return pd.api.interchange.from_dataframe(frame)
    try:
        converted: pd.DataFrame = frame.to_pandas()
    except ImportError:
        # polars converts by pyarrow, on which neither package depends, and polars 2 has no
        # interchange protocol (`__dataframe__`).
        converted = pd.DataFrame({name: list(frame[name]) for name in frame.columns})
    return converted


def _has_protocol(obj: Any) -> bool:
    """Whether an object has the dataframe interchange protocol; a class of frames is no frame."""
    return hasattr(obj, "__dataframe__") and not isinstance(obj, type)


def with_row_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its first column as the index if that column names the rows.

    Files and polars frames have no index. An index written by pandas has its name as the header, or
    none.
    """
    if frame.shape[1] < 2:
        return frame
    name = str(frame.columns[0])
    first = frame.iloc[:, 0]
    if name and not names_rows(name) and all(map(_is_number, first)):
        return frame
    index = pd.Index([str(label) for label in first], name=name or None)
    return frame.iloc[:, 1:].set_axis(index, axis=0)


def _is_number(cell: Any) -> bool:
    # An empty cell is a score that is missing.
    try:
        float("nan" if cell is None or cell is pd.NA else cell)
    except (TypeError, ValueError):
        return False
    return True
