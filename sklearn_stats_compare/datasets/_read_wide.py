"""A wide DataFrame of scores, data sets × models → scores of models × data sets."""

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_numbers, shown
from sklearn_stats_compare.comparison import is_metric, is_split, spelled_datasets, turned
from sklearn_stats_compare.datasets._found_datasets import FoundDatasets

_FOLDS = (
    "Splits or repeats of one data set are not independent, so tests over data sets reject far too "
    "often for them: use `compare`."
)


def read_wide(
    frame: pd.DataFrame, metric: str | None, lower_is_better: bool | None
) -> FoundDatasets:
    """Rows are data sets and columns are models; cells may be empty."""
    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        raise ValueError(
            "`obj` must have data sets as its rows and models as its columns, in one level each; "
            "got several levels. Take one metric, or pass a long table."
        )
    check_no_splits(frame.index, "row")
    check_no_splits(frame.columns, "column")
    for label in frame.columns:
        if is_metric(label):
            raise ValueError(
                "`obj` must have models as its columns, with scores by one metric; got a column "
                f"{shown(label)}, which is a metric."
            )
    for what, axis in (("rows", frame.index), ("columns", frame.columns)):
        if axis.has_duplicates:
            twice = axis[axis.duplicated()][0]
            raise ValueError(
                f"`obj` must have different names of {what}; got {shown(twice)} more than once."
            )
    # None and pandas.NA are empty cells.
    cells = frame.astype(object).where(frame.notna(), np.nan).to_numpy()
    values = check_numbers("obj", cells, "a table of numbers, data sets × models")
    models, datasets = ([str(name) for name in axis] for axis in (frame.columns, frame.index))
    # The name of a metric decides in long tables only, which contain it.
    name, scores, note = turned(metric or "score", values.T, bool(lower_is_better))
    return FoundDatasets(scores, models, datasets, name, note=note)


def with_dataset_names(frame: pd.DataFrame, names: pd.DataFrame | None) -> pd.DataFrame:
    """A wide frame with its data sets as the index.

    `names` is a frame without an index, such as that of a file, with all of its cells as text; None
    for a frame that has one.
    """
    spelled = spelled_datasets(frame)
    if names is None:
        is_numbered = isinstance(frame.index, pd.RangeIndex)
        return frame.set_index(spelled[0]) if is_numbered and len(spelled) == 1 else frame
    if frame.shape[1] < 2:
        return frame
    first = frame.columns[0]
    column = spelled[0] if len(spelled) == 1 else first
    cells = pd.to_numeric(names.iloc[:, 0], errors="coerce")
    # pandas saves its index in a column without a name.
    if column != first and str(first) == "" and np.array_equal(cells, np.arange(len(cells))):
        frame, names = frame.iloc[:, 1:], names.iloc[:, 1:]
    elif column == first and not spelled and str(first) != "" and cells.notna().all():
        raise ValueError(
            "`obj` must name its data sets in its first column; got numbers in a column "
            f"{shown(first)}. Name it 'dataset' if they are names."
        )
    place = list(frame.columns).index(column)
    others = [k for k in range(frame.shape[1]) if k != place]
    return frame.iloc[:, others].set_axis(names.iloc[:, place].to_list(), axis=0)


def check_no_splits(names: pd.Index, what: str) -> None:
    """Raise ValueError if names, which should be of data sets, are of splits."""
    if len(names) and all(is_split(name) for name in names):
        raise ValueError(
            f"`obj` must hold scores on different data sets; got a {what} {shown(names[0])}, which "
            f"names a split. {_FOLDS}"
        )
