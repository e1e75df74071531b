"""An object that users have → what `compare` reads of it, by the reader of its kind."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from sklearn_stats_compare.comparison._columns import is_split_column
from sklearn_stats_compare.comparison._cv_results import read_results, read_search
from sklearn_stats_compare.comparison._found import Found, Sizes
from sklearn_stats_compare.comparison._frames import read_matrix
from sklearn_stats_compare.comparison._long_columns import LongNames
from sklearn_stats_compare.comparison._long_table import is_named_tables, joined
from sklearn_stats_compare.comparison._named_models import (
    is_list_of_results,
    read_listed,
    read_named,
)
from sklearn_stats_compare.comparison._optuna_study import has_study, is_study, read_study
from sklearn_stats_compare.comparison._other_frames import is_frame
from sklearn_stats_compare.comparison._read_table import (
    check_no_orientation,
    read_csv_file,
    read_frame,
)
from sklearn_stats_compare.comparison._saved_scores import is_saved, read_saved
from sklearn_stats_compare.comparison._stored import read_stored


def read_object(
    obj: Any, metric: str | None, sizes: Sizes, orient: str | None, names: LongNames
) -> Found:
    """Scores, names and notes of an object, by the reader of its kind."""
    # Text is a path, never the content of a file: no string is parsed by guess.
    is_path = isinstance(obj, str | os.PathLike)
    saved = is_path and is_saved(obj)
    stored = (read_saved if saved else read_stored)(obj, metric, sizes)
    if stored is not None:
        check_no_orientation(orient)
        names.check_none()
        return stored
    if is_path:
        return read_csv_file(obj, metric, sizes, orient, names)
    # Before searches: a DataFrame has its columns as attributes, and one may be named cv_results_.
    if is_frame(obj):
        return read_frame(obj, metric, sizes, orient, names)
    if is_named_tables(obj):
        return read_frame(joined(obj), metric, sizes, orient, names)
    names.check_none()
    if is_list_of_results(obj):
        check_no_orientation(orient)
        return read_listed(obj, metric, sizes, _read_path)
    if isinstance(obj, np.ndarray | list | tuple):
        return read_matrix(obj, metric, sizes, orient)
    check_no_orientation(orient)
    if is_study(obj):
        return read_study(obj, metric, sizes)
    if has_study(obj) or hasattr(obj, "cv_results_"):
        return read_search(obj, metric, sizes)
    if isinstance(obj, Mapping):
        # Both forms are mappings: cv_results_ of column names, the other of names to results.
        if any(map(is_split_column, obj)):
            return read_results(obj, metric, sizes)
        return read_named(obj, metric, sizes, _read_path)
    # A hook of scikit-learn's searches: this layer imports no scikit-learn, and estimators such as
    # LassoCV have `fit` and `cv` too.
    if hasattr(obj, "_run_search"):
        raise ValueError(
            f"`obj` must be a fitted search; got a {type(obj).__name__} that is not fitted. Call "
            "its `fit` first."
        )
    raise TypeError(
        "`obj` must be a fitted search, a list of them, an Optuna study, reports of skore, a "
        "cv_results_ (mapping, DataFrame or path of a CSV file), a mapping of names to "
        "cross_validate results, scores or searches, a matrix of scores, or a long table; "
        f"got {type(obj).__name__}."
    )


def _read_path(path: Any, metric: str | None, sizes: Sizes) -> Found:
    return read_object(path, metric, sizes, None, LongNames())
