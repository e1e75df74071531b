"""Models of a long table: their labels, and the parameters in tidymodels' columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare.comparison._columns import is_absent
from sklearn_stats_compare.comparison._labels import candidate_labels
from sklearn_stats_compare.comparison._long_columns import CONFIG, LongColumns
from sklearn_stats_compare.comparison._params import cell_value

# Of workflow sets, of summaries and of `tune_bayes`; rsample's and yardstick's begin with a dot.
_NO_PARAMETERS = {"id", "id2", "id3", "wflow_id", "preproc", "model", "n", "mean", "std_err"}

Name = tuple[str, ...]


def params_of_models(
    table: pd.DataFrame, model: NDArray[np.intp], columns: LongColumns
) -> list[dict[str, Any]] | None:
    """What tidymodels' further columns hold: the parameters of each candidate; None without any.

    `model` is the candidate of each row. A column that varies within a candidate is no parameter.
    """
    used = {*columns.models, *columns.splits, columns.value, columns.metric}
    _, first = np.unique(model, return_index=True)
    params: list[dict[str, Any]] = [{} for _ in first]
    for name in map(str, table.columns):
        if name in used or name in _NO_PARAMETERS or name.startswith(".") or not name:
            continue
        cells = table[name].tolist()
        texts = np.array([str(cell) for cell in cells], dtype=object)
        if (texts != texts[first][model]).any():
            continue
        for own, row in zip(params, first, strict=True):
            # R's word for a parameter that another model of the table has.
            if cells[row] is not None and not is_absent(cells[row]) and cells[row] != "NA":
                own[name] = cell_value(cells[row])
    return params if any(params) else None


def labels_of(
    models: Sequence[Name], columns: Sequence[str], params: list[dict[str, Any]] | None
) -> Sequence[str]:
    """A label of each model: its name, or its parameters if it has no name but its .config."""
    if columns[-1] == CONFIG:
        names = [name[:-1] for name in models]
        if len(set(names)) == len(names) and names[0]:
            return [" ".join(name) for name in names]
        if params is not None:
            named = [
                {"model": " ".join(name), **own} if name else own
                for name, own in zip(names, params, strict=True)
            ]
            return candidate_labels(named, named=bool(names[0]))
    return [" ".join(name) for name in models]
