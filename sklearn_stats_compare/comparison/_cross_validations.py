"""Results of scikit-learn's ``cross_validate``, one per model → scores on the same splits."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.comparison._columns import (
    Splits,
    is_split_column,
    n_samples_of,
    numbers,
    splits_of,
)
from sklearn_stats_compare.comparison._found import Found, Sizes, chosen_metric
from sklearn_stats_compare.stats import SplitDesign, SplitScores

# Frames and cross_val_score do not have the indices.
HINT = " The mapping that cross_validate(…, return_indices=True) returns contains them."


def read_cross_validations(results: Mapping[Any, Any], metric: str | None, sizes: Sizes) -> Found:
    """Results of ``cross_validate`` by model, as mappings or as frames of pandas."""
    rows, designs = [], []
    of_all: str | None = None
    for name, result in results.items():
        metrics = [k[5:] for k in result if isinstance(k, str) and k.startswith("test_")]
        if not metrics and any(map(is_split_column, result)):
            raise ValueError(
                "`obj` must hold the scores of one model under each name; "
                f"{shown(name)} is a cv_results_, of many. Give the fitted search itself."
            )
        if not metrics:
            raise ValueError(f"`obj` must hold test scores of every model; {shown(name)} has none.")
        chosen = chosen_metric(metric, metrics)
        if of_all is not None and chosen != of_all:
            raise ValueError(
                "`obj` must hold the same metric for every model; got "
                f"{shown_list([of_all, chosen])}."
            )
        of_all = chosen
        rows.append(numbers(result[f"test_{chosen}"], shown(name)))
        designs.append(result.get("indices"))
    scores = stacked(rows)
    labels = [str(name) for name in results]
    known = [splits_of(indices, scores.shape[1]) for indices in designs if indices is not None]
    if known:
        _check_same_splits(known, labels)
    if known and len(known) == len(designs) and sizes.data is None:
        design = SplitDesign.from_indices(known[0], n_samples_of(known[0]))
    else:
        design = sizes.design(scores.shape[1], hint=HINT)
    return Found(SplitScores(scores, design), of_all or "score", labels=labels, may_be_loss=True)


def stacked(rows: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Stack vectors of scores, one per model, into a matrix."""
    lengths = {row.size for row in rows}
    if len(lengths) > 1:
        listed = shown_list(map(str, sorted(lengths)))
        raise ValueError(
            "`obj` must hold the same splits for every model; got models with different "
            f"numbers of scores: {listed}."
        )
    if lengths == {0}:
        raise ValueError("`obj` must hold the scores of at least one split; got none.")
    return np.stack(rows)


def _check_same_splits(splits: list[Splits], names: list[str]) -> None:
    for other in splits[1:]:
        for (train, test), (other_train, other_test) in zip(splits[0], other, strict=True):
            if not (np.array_equal(train, other_train) and np.array_equal(test, other_test)):
                raise ValueError(
                    "`obj` must hold the same splits for every model; those of "
                    f"{shown_list(names)} differ. Give cross_validate a splitter with a "
                    "`random_state`, or a list of splits."
                )
