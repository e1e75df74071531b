"""A comparison → the CSV file that `compare` reads back, which `_saved_scores` describes."""

import ast
import csv
import json
import os
import warnings
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_flag,
    outside_level,
    shortened,
    shown,
)
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._labels import Reader
from sklearn_stats_compare.comparison._params import LONGEST_LITERAL
from sklearn_stats_compare.comparison._saved_scores import FLAGS, FORMAT, MARK, NAMES
from sklearn_stats_compare.comparison._saved_settings import to_save
from sklearn_stats_compare.comparison._split_columns import split_column

# Values up to this many characters are saved unchanged; fewer if the parameters of a candidate are
# too long together.
_LONGEST_VALUES = (10_000, 1_000, 100)


class _Saved(Compared, Protocol):
    """The attributes of a comparison that are saved in addition to those of `Compared`."""

    candidates: Any
    labels: Any
    rope: Any


def to_csv(self: _Saved, path: str | os.PathLike[str], *, settings: bool = True) -> None:
    """Save scores, labels, parameters, and sizes and repeats of the splits, as a CSV file.

    ``compare(path)`` reads it back: the same numbers to the last bit, labels and types of the
    parameters included.

    Parameters
    ----------
    path : str or path
        Path of the file. An existing file is replaced.
    settings : bool, default=True
        Whether to save `alternative`, `p_adjust`, `rope`, `alpha` and `test` as well.
        ``compare(path)`` uses them as defaults.

    Notes
    -----
    The first line is a comment with everything that belongs to no single candidate. The rest is a
    table with a row per candidate and a column per split, which ``pandas.read_csv(path,
    skiprows=1)`` reads. Parameters that are not Python literals, such as estimators, are saved as
    text. Predictions and values of single samples are not saved, and a comparison that tests by
    them warns. To save these, pickle the search or the comparison.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn_stats_compare import compare
    >>> scores = {"svm": [0.91, 0.89, 0.93] * 4, "tree": [0.71, 0.66, 0.74] * 4}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     compare(scores, n_train=90, n_test=10, rope=0.02).to_csv(path)
    ...     again = compare(path)
    >>> again.leader, again.rope, again.scores.design.n_train.tolist() == [90] * 12
    ('svm', 0.02, True)
    """
    check_flag("settings", settings)
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"`path` must be the path of a file; got {shown(path)}.")
    if not self.settings.test.of_splits:
        warnings.warn(
            "The file holds the scores of splits and no values of single samples, by which this "
            'comparison tests: compare(path, test="corrected_t") reads it, with other standard '
            "errors. A pickle holds everything.",
            ComparisonWarning,
            stacklevel=outside_level(),
        )
    scores, read = self.scores, Reader()
    params = [None] * scores.n_candidates if self.params is None else self.params
    rows = zip(self.candidates, self.labels, params, scores.values.tolist(), strict=True)
    columns = [split_column(k, self.metric) for k in range(scores.n_splits)]
    # Names of columns may contain lone surrogates, which are not valid UTF-8.
    with open(path, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        file.write(f"{MARK}{json.dumps(_head(self, settings))}\n")
        # Text is quoted, so that no label is read as a number or ends its line.
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        writer.writerow([*NAMES, *columns])
        for candidate, label, own, values in rows:
            text = "" if own is None else _text_of_params(own, read)
            writer.writerow([candidate, label, text, *values])


def _head(comparison: _Saved, settings: bool) -> dict[str, Any]:
    design = comparison.scores.design
    head: dict[str, Any] = {
        "format": FORMAT,
        "metric": comparison.metric,
        "n_candidates": comparison.scores.n_candidates,
        "n_entered": comparison.n_entered,
        "dropped_pvalue": comparison.dropped_pvalue,
        "n_train": design.n_train.tolist(),
        "n_test": design.n_test.tolist(),
        "repeat": design.repeat.tolist(),
        "n_samples": None if design.n_samples is None else int(design.n_samples),
        **{flag: getattr(design, flag) for flag in FLAGS},
        "naming": comparison.naming,
        "note": comparison.note,
        "instead": getattr(comparison.note, "instead", ""),
    }
    if settings:
        own = comparison.settings
        head["settings"] = to_save(
            own.alternative, own.p_adjust, comparison.rope, own.alpha, own.test
        )
    return head


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
