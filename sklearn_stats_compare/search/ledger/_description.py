"""Descriptions of a search and its splits, for programs that have only the ledger."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import count, shortened
from sklearn_stats_compare.comparison import SPLITS, CandidateLabels, candidate_labels, to_save
from sklearn_stats_compare.stats import SplitDesign, pair_test

_LONGEST_VALUE = 200
_SIZES = ("n_train", "n_test", "repeat")
_FLAGS = ("complementary_halves", "expanding", "sliding", "resampled")


def search_description(
    candidates: Sequence[Mapping[str, Any]], metric: str, settings: Mapping[str, Any], refit: Any
) -> dict[str, Any]:
    """Labels, parameters, settings and metrics for an entry; values unknown to JSON become text.

    `metric` is the name of a single metric; with several, `refit` may name one.
    """
    params = [
        {name: _plain(value) for name, value in candidate.items()} for candidate in candidates
    ]
    labels = candidate_labels(candidates)
    test = pair_test(settings["test"])
    by = refit if isinstance(refit, str) else getattr(refit, "metric", None)
    return {
        "labels": list(labels),
        "naming": labels.naming,
        "params": params,
        "metric": metric,
        "settings": to_save(**{**settings, "test": test}),
        "refit": by if isinstance(by, str) else None,
    }


def labels_of(described: Mapping[str, Any]) -> CandidateLabels:
    """The labels of `search_description`."""
    return CandidateLabels(described["labels"], described["naming"])


def mark_of_splits(keys: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return a line of `DataMarks` for the splits; empty if their keys were not recorded."""
    if not keys:
        return {}
    digest = hashlib.sha256(" ".join(keys).encode()).hexdigest()
    return {SPLITS: (digest, count(len(keys), "split"))}


def design_description(design: SplitDesign) -> dict[str, Any]:
    """Sizes and structure of splits for an entry."""
    sizes = {name: getattr(design, name).tolist() for name in _SIZES}
    flags = {name: getattr(design, name) for name in _FLAGS}
    return {**sizes, **flags, "n_samples": design.n_samples}


def design_of(described: Mapping[str, Any]) -> SplitDesign:
    """Invert `design_description`; raise ValueError or KeyError for anything else."""
    parts: dict[str, Any] = {name: described[name] for name in (*_SIZES, *_FLAGS, "n_samples")}
    return SplitDesign(**parts)


def part_of(design: SplitDesign, columns: Sequence[int]) -> SplitDesign:
    """The design of some of the splits."""
    chosen = np.asarray(columns, dtype=np.intp)
    if np.array_equal(chosen, np.arange(design.n_splits)):
        return design
    repeat = design.repeat[chosen]
    # A repeat that lacks a split no longer partitions the data.
    for number in np.unique(repeat[repeat >= 0]):
        if np.count_nonzero(repeat == number) < np.count_nonzero(design.repeat == number):
            repeat[repeat == number] = -1
    _, numbered = np.unique(repeat[repeat >= 0], return_inverse=True)
    repeat[repeat >= 0] = numbered
    return SplitDesign(
        n_train=design.n_train[chosen],
        n_test=design.n_test[chosen],
        repeat=repeat,
        complementary_halves=design.complementary_halves and bool((repeat >= 0).all()),
        expanding=design.expanding,
        sliding=design.sliding,
        resampled=design.resampled,
        n_samples=design.n_samples,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float):
        return value
    text = value if isinstance(value, str) else " ".join(repr(value).split())
    return shortened(text, _LONGEST_VALUE)
