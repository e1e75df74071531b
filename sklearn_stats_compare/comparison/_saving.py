"""A comparison as a CSV file or a long table, which `compare` reads back."""

from __future__ import annotations

import ast
import codecs
import csv
import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._utils._formatting import shortened
from sklearn_stats_compare._utils._validation import check_flag, shown, warn_user, wrong
from sklearn_stats_compare.comparison._labels import Reader
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._family import PAIR_TESTS, PairTest

if TYPE_CHECKING:
    from sklearn_stats_compare.comparison._comparison import Comparison

# Values up to this many characters are saved unchanged; fewer if the parameters of a candidate are
# too long together.
_LONGEST_VALUES = (10_000, 1_000, 100)


def to_csv(comparison: Comparison, path: str | os.PathLike[str], settings: bool) -> None:
    """See `Comparison.to_csv`."""
    check_flag("settings", settings)
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"`path` must be the path of a file; got {shown(path)}.")
    if not comparison._settings.test.of_splits:
        warn_user(
            "The file holds the scores of splits and no values of single samples, by which this "
            'comparison tests: compare(path, test="corrected_t") reads it, with other standard '
            "errors. A pickle keeps these values.",
            "file-without-values",
        )
    if not os.fspath(path) or "\0" in os.fsdecode(path) or os.path.isdir(path):
        raise wrong("path", "be the path of a file", os.fsdecode(path))
    scores, read = comparison.scores, Reader()
    params = [None] * scores.n_candidates if comparison.params is None else comparison.params
    names = comparison._candidate_names
    rows = zip(names.indices, names.labels, params, scores.values.tolist(), strict=True)
    columns = [split_column(k, comparison.metric) for k in range(scores.n_splits)]
    # Names of columns may contain lone surrogates, which are not valid UTF-8.
    with open(path, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        file.write(f"{MARK}{json.dumps(_head(comparison, settings))}\n")
        # Text is quoted, so that no label is read as a number or ends its line.
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        writer.writerow([*NAMES, *columns])
        for candidate, label, own, values in rows:
            text = "" if own is None else _text_of_params(own, read)
            writer.writerow([candidate, label, text, *values])


def _head(comparison: Comparison, settings: bool) -> dict[str, Any]:
    head: dict[str, Any] = {
        "format": FORMAT,
        "metric": comparison.metric,
        "n_candidates": comparison.scores.n_candidates,
        "n_entered": comparison._n_entered,
        "dropped_pvalue": comparison._dropped_pvalue,
        **design_description(comparison.scores.design, FLAGS),
        "naming": comparison._naming,
        "note": comparison.note,
        "instead": getattr(comparison.note, "instead", ""),
    }
    head |= comparison.scores.units
    if settings:
        own = comparison._settings
        head["settings"] = to_save(
            own.alternative, own.p_adjust, comparison.rope, own.alpha, own.test
        )
    return head


def design_description(design: SplitDesign, flags: Sequence[str]) -> dict[str, Any]:
    """Sizes and structure of splits as JSON has them."""
    n_samples = None if design.n_samples is None else int(design.n_samples)
    sizes = {name: getattr(design, name).tolist() for name in SIZES}
    return {**sizes, "n_samples": n_samples, **{flag: getattr(design, flag) for flag in flags}}


def _text_of_params(params: Mapping[str, Any], read: Reader) -> str:
    text = ""
    for longest in _LONGEST_VALUES:
        text = repr({str(name): _plain(value, read, longest) for name, value in params.items()})
        if len(text) <= LONGEST_LITERAL:
            break
    return text


def _plain(value: Any, read: Reader, longest: int) -> Any:
    """A value with a literal as its representation: itself, or else its text."""
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) in (list, tuple):
        return type(value)(_plain(item, read, longest) for item in value)
    if type(value) is dict:
        return {
            _plain(key, read, longest): _plain(item, read, longest) for key, item in value.items()
        }
    try:
        text = repr(value)
        # NaN is not equal to itself, and "nan" and "inf" are not literals, but are read as numbers.
        is_literal = type(value) is float or ast.literal_eval(text) == value
        if is_literal and len(text) <= longest:
            return value
    except Exception:  # classes of other packages may raise anything
        pass
    return shortened(read(value, in_full=True), longest)


# Subclasses, so that a signature shows the plain defaults, and yet a default differs from the same
# value given by a caller.
class _DefaultText(str):
    pass


class _DefaultNumber(float):
    pass


GREATER: Any = _DefaultText("greater")
BONFERRONI: Any = _DefaultText("bonferroni")

ROPE, ALPHA = _DefaultNumber(0.01), _DefaultNumber(0.05)

_NAMES = ("alternative", "p_adjust", "rope", "alpha", "test")

_DEFAULTS = dict(zip(_NAMES, (GREATER, BONFERRONI, ROPE, ALPHA, "corrected_t"), strict=True))


def to_save(
    alternative: str, p_adjust: str | None, rope: Any, alpha: float, test: PairTest
) -> dict[str, Any]:
    """Settings of a comparison in the form of JSON."""
    if not isinstance(rope, str):
        rope = list(map(float, rope)) if isinstance(rope, tuple | list) else float(rope)
    return {
        "alternative": alternative,
        "p_adjust": p_adjust,
        "rope": rope,
        "alpha": float(alpha),
        # Another test of the same name has other settings, and a user's test has no known name.
        "test": test.name if PAIR_TESTS.get(test.name) == test else type(test).__name__,
    }


def begins_with(path: Any, start: bytes) -> bool:
    """Whether an object is the path of a file that begins with these bytes."""
    if not isinstance(path, str | os.PathLike):
        return False
    try:
        with open(os.path.abspath(os.fsdecode(path)), "rb") as file:
            head = file.read(len(codecs.BOM_UTF8) + 1 + len(start))
            # A spreadsheet writes the mark of UTF-8, and quotes a line that has commas.
            return head.removeprefix(codecs.BOM_UTF8).removeprefix(b'"').startswith(start)
    except (OSError, ValueError):  # the next reader reports what is wrong
        return False


def settings_for_splits(saved: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Settings that need only split scores, and the test that was left out, or "".

    Raises
    ------
    ValueError
        If a setting is unknown.
    """
    _check_known(saved)
    kept = dict(saved)
    known = PAIR_TESTS.get(str(kept.get("test", "corrected_t")))
    if known is not None and known.of_splits:
        return kept, ""
    return kept, str(kept.pop("test"))


def settings_note(saved: Mapping[str, Any] | None, left_out: str) -> str:
    """A note on settings from a file; "" if they are the defaults."""
    if saved is None:
        return (
            "The file does not say the settings of its search: the usual ones stand where the "
            "call gives none."
        )
    own = [f"{name}={value!r}" for name, value in saved.items() if value != _DEFAULTS[name]]
    said = []
    if own:
        said.append(f"Where the call gives no others, settings are the search's: {', '.join(own)}.")
    if left_out:
        said.append(
            f"The test of the search, {left_out}, needs more than the file has: it is corrected_t "
            "where the call gives no other."
        )
    return " ".join(said)


def given_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the caller gave."""
    defaults = (_DefaultText, _DefaultNumber)
    given = {name: own for name, own in settings.items() if not isinstance(own, defaults)}
    return given if given["test"] is not None else {k: v for k, v in given.items() if k != "test"}


def without_defaults(settings: Mapping[str, Any], saved: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a comparison, with `saved` ones if the caller gave none.

    Raises
    ------
    ValueError
        If a setting that was saved is unknown, or the test needs more than was saved.
    """
    _check_known(saved)
    chosen = {name: _chosen(name, value, saved) for name, value in settings.items()}
    if chosen["test"] is None:  # that of `Comparison`, or of a search
        del chosen["test"]
    return chosen


def _check_known(saved: Mapping[str, Any]) -> None:
    unknown = [name for name in saved if name not in _NAMES]
    if unknown:
        raise wrong("obj", f"hold settings among {', '.join(_NAMES)}", unknown[0])


def _chosen(name: str, value: Any, saved: Mapping[str, Any]) -> Any:
    if name == "test":
        return _saved_test(saved.get("test")) if value is None else value
    if isinstance(value, _DefaultText):
        return saved.get(name, str(value))
    if isinstance(value, _DefaultNumber):
        return saved.get(name, float(value))
    return value


def _saved_test(test: Any) -> Any:
    known = PAIR_TESTS.get(test) if isinstance(test, str) else None
    if test is None or (known is not None and known.of_splits):
        return test
    raise ValueError(
        f"`test` must be given here, such as 'corrected_t': {shown(test)}, by which the scores "
        "were compared when they were saved, needs more than a file holds."
    )


def to_long(comparison: Comparison) -> pd.DataFrame:
    """See `Comparison.to_long`."""
    scores, design = comparison.scores, comparison.scores.design
    split = np.arange(scores.n_splits)
    of_splits: dict[str, Any] = {"split": split}
    if (design.repeat >= 0).all():
        first = {repeat: k for k, repeat in reversed(list(enumerate(design.repeat.tolist())))}
        of_splits["repeat"] = design.repeat
        of_splits["fold"] = split - np.array([first[repeat] for repeat in design.repeat.tolist()])
    sizes: dict[str, Any] = {RATIO: np.full(split.size, design.test_train_ratio)}
    if design.sizes_known:
        sizes = {"n_train": design.n_train, "n_test": design.n_test}
    if design.n_samples is not None:
        sizes[POOL] = np.full(split.size, design.n_samples)
    sizes |= {name: np.full(split.size, n) for name, n in scores.units.items()}
    sizes |= {name: np.full(split.size, True) for name in STRUCTURE if getattr(design, name)}
    n = scores.n_candidates
    return pd.DataFrame(
        {
            "model": np.repeat(
                np.array(comparison._candidate_names.labels, dtype=object), split.size
            ),
            **{name: np.tile(column, n) for name, column in of_splits.items()},
            "metric": comparison.metric,
            DIRECTION: True,  # whatever the name of the metric suggests
            "score": scores.values.ravel(),
            **{name: np.tile(column, n) for name, column in sizes.items()},
        }
    )


# Named by `_format_results` of scikit-learn's searches. The name of a metric is a key of the user's
# `scoring` and may be any text, even with line breaks. In CSV files edited by hand, blanks may
# surround a name.
_COLUMN = re.compile(r"\s*split(\d+)_(test|train)_(.*?)\s*", re.DOTALL)

# Python does not convert text of more than 4,300 digits to int: sys.set_int_max_str_digits.
_MOST_DIGITS = 9


INDEPENDENT = "_n_independent"
"""Key by which a search of this package adds `independent_units` to its results, for rules."""


def split_column(split: int, metric: str) -> str:
    """Name of the column of test scores of one split."""
    return f"split{split}_test_{metric}"


def split_and_metric(key: Any, part: str = "test") -> tuple[int, str] | None:
    """Split and metric of a column of test (or train) scores; None for any other column."""
    match = _COLUMN.fullmatch(str(key))
    if match is None or match[2] != part:
        return None
    digits = match[1]
    return (int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS), match[3]


LONGEST_LITERAL = 100_000

SIZES = ("n_train", "n_test", "repeat")

RATIO, POOL = "test_train_ratio", "n_samples"

DIRECTION = "greater_is_better"

STRUCTURE = (
    "complementary_halves", "expanding", "sliding", "resampled", "repeated", "tests_training",
    "stratified",
)  # fmt: skip
"""Columns of `Comparison.to_long` that are the same in all rows."""

MARK = "# sklearn_stats_compare "

FORMAT = 1

NAMES = ["candidate", "label", "params"]

FLAGS = (*STRUCTURE, "sizes_known")
