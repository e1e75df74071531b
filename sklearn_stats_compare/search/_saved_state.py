"""State of a fitted search for pickle and skops: plain values, without what can be made again."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare.comparison import CandidateLabels, split_and_metric
from sklearn_stats_compare.search._record import FitRecord
from sklearn_stats_compare.search.ledger import Column

_PACKED = "_packed"


def saved(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state without what ``cv_results_`` says too, and without tables of pandas."""
    record = state.get("_record")
    if not isinstance(record, FitRecord):
        return dict(state)
    record = record.without_scores(_scores(state.get("cv_results_")))
    selection: Any = _packed(record.selection)
    if selection is not None:
        record = replace(record, selection=selection)
    kept = {**state, "_record": record}
    packed = {}
    for name in record.names:  # of the fit: parameters are the user's
        form = _packed(kept.get(name))
        if form is not None:
            packed[name] = form
            del kept[name]
    return {**kept, _PACKED: packed} if packed else kept


def restored(state: Mapping[str, Any]) -> dict[str, Any]:
    """What `saved` was given."""
    whole = dict(state)
    for name, form in whole.pop(_PACKED, {}).items():
        whole[name] = _unpacked(form)
    record = whole.get("_record")
    if isinstance(record, FitRecord):
        selection: Any = record.selection
        if isinstance(selection, Mapping):
            record = replace(record, selection=_unpacked(selection))
        whole["_record"] = record.with_scores(_scores(whole.get("cv_results_")))
    return whole


def _scores(results: Any) -> dict[Column, NDArray[np.float64]]:
    """Scores of each part and metric, candidates × splits."""
    columns: dict[Column, dict[int, Any]] = {}
    for key, values in results.items() if isinstance(results, Mapping) else ():
        for part in ("test", "train"):
            column = split_and_metric(key, part)
            if column is not None:
                split, metric = column
                columns.setdefault((f"{part}_scores", metric), {})[split] = values
    found = {}
    for named, of_splits in columns.items():
        if sorted(of_splits) == list(range(len(of_splits))):
            in_order = [of_splits[split] for split in range(len(of_splits))]
            found[named] = np.asarray(np.column_stack(in_order), dtype=np.float64)
    return found


# skops saves neither pandas' objects nor attributes of a tuple.
def _packed(value: Any) -> dict[str, Any] | None:
    """A table or labels in plain values; None of anything else, and of odd tables."""
    if isinstance(value, CandidateLabels):
        return {"labels": list(value), "naming": value.naming}
    if not isinstance(value, pd.DataFrame) or value.index.nlevels > 1:
        return None
    form = {
        "columns": [[name, *_values(column)] for name, column in value.items()],
        "index": [value.index.name, *_values(value.index.to_series())],
    }
    # A subclass may leave tables of any kind.
    return form if _is_same(_unpacked(form), value) else None


def _unpacked(form: Mapping[str, Any]) -> Any:
    if "labels" in form:
        return CandidateLabels(form["labels"], form["naming"])
    name, kind, values = form["index"]
    index = pd.Index(pd.array(values, dtype=kind), name=name, dtype=kind)
    columns = {
        named: pd.Series(pd.array(of, dtype=dtype), index=index, dtype=dtype)
        for named, dtype, of in form["columns"]
    }
    return pd.DataFrame(columns, index=index, columns=[named for named, _, _ in form["columns"]])


def _values(column: pd.Series) -> tuple[str, Any]:
    """Type and values; of a type that has <NA>, None in its place."""
    missing = column.isna().to_numpy()
    values = column.tolist()
    if isinstance(column.dtype, np.dtype) and column.dtype.kind != "O":
        return str(column.dtype), values
    return str(column.dtype), [
        None if is_na else value for value, is_na in zip(values, missing, strict=True)
    ]


def _is_same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    try:
        pd.testing.assert_frame_equal(one, other, check_exact=True)
    except AssertionError:
        return False
    return type(one) is type(other)
