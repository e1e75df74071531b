"""Splits of a long table by name → their order, and the repeats that the names show."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison._long_columns import is_fold, is_repeat

# caret names the folds of repeated cross-validation so; rsample has the parts in two columns.
_FOLD_OF_REPEAT = re.compile(r"(Fold\d+)\.(Rep\d+)")
_FOLD, _REPEAT = re.compile(r"Fold\d+"), re.compile(r"Repeat\d+")
_BOOTSTRAP = re.compile(r"Bootstrap\d+")
# rsample's bootstraps(apparent = TRUE) adds one split that tests the training samples.
_APPARENT = "Apparent"
_MOST_DIGITS = 18
# A ratio may be rounded, such as 0.11 for ten folds.
_TOLERANCE = 0.05

Name = tuple[str, ...]


def in_order(splits: Sequence[Name], columns: Sequence[str]) -> list[Name]:
    """The splits by name, Fold2 before Fold10, with repeats one after another."""

    def place(split: Name) -> tuple[object, ...]:
        # caret's names, such as Fold01.Rep1, have the repeat last.
        repeat, _ = _repeat_and_fold(split, columns)
        return _natural((repeat or "", *split)), split

    return sorted(splits, key=place)


def repeats_of(
    splits: Sequence[Name], columns: Sequence[str], overlap_ratio: float
) -> NDArray[np.int64] | None:
    """The repeat of each split, if the names are folds that partition the data; else None.

    The names alone do not show this: the sizes must be those of as many folds too.
    """
    named = [_repeat_and_fold(split, columns) for split in splits]
    if any(fold is None for _, fold in named):
        return None
    repeats = [repeat or "" for repeat, _ in named]
    sizes = set(Counter(repeats).values())
    k = next(iter(sizes))
    if len(sizes) > 1 or k < 2 or len(set(named)) < len(named):
        return None
    if not abs(overlap_ratio * (k - 1) - 1) <= _TOLERANCE:
        return None
    numbers = {repeat: i for i, repeat in enumerate(dict.fromkeys(repeats))}
    return np.array([numbers[repeat] for repeat in repeats])


def are_bootstraps(splits: Sequence[Name]) -> bool:
    """Whether all splits are named as rsample names bootstraps."""
    return all(any(map(_BOOTSTRAP.fullmatch, split)) for split in splits)


def check_no_training_scores(splits: Sequence[Name]) -> None:
    """Raise ValueError for a split that tests the training samples."""
    if any(_APPARENT in split for split in splits):
        raise ValueError(
            f"`obj` must have the scores of test samples alone; got a split {shown(_APPARENT)}, "
            "which tests the training samples. Drop its rows."
        )


def n_folds(splits: Sequence[Name], columns: Sequence[str]) -> int | None:
    """The number of folds of each repeat, if all splits are named as folds."""
    named = [_repeat_and_fold(split, columns) for split in splits]
    sizes = set(Counter(repeat for repeat, _ in named).values())
    known = all(fold is not None for _, fold in named) and len(sizes) == 1
    return next(iter(sizes)) if known else None


def _repeat_and_fold(split: Name, columns: Sequence[str]) -> tuple[str | None, str | None]:
    repeat = fold = None
    for column, part in zip(columns, split, strict=True):
        both = _FOLD_OF_REPEAT.fullmatch(part)
        if both is not None:
            fold, repeat = both.groups()
        elif is_repeat(column) or _REPEAT.fullmatch(part):
            repeat = part
        elif is_fold(column) or _FOLD.fullmatch(part):
            fold = part
    return repeat, fold


def _natural(parts: Sequence[str]) -> tuple[tuple[tuple[int, int, str], ...], ...]:
    """A key by which numbers within text are sorted as numbers."""
    return tuple(tuple(map(_piece, re.split(r"(\d+)", part))) for part in parts)


def _piece(text: str) -> tuple[int, int, str]:
    # `isdigit` is true of superscripts too, and Python reads no text of thousands of digits.
    if re.fullmatch(r"[0-9]+", text) and len(text) <= _MOST_DIGITS:
        return 0, int(text), ""
    return 1, 0, text
