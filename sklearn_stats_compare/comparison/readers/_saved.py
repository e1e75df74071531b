"""The CSV file that holds a comparison → scores, names and settings.

The first line is a comment with JSON: sizes and repeats of the splits, the metric, the settings.
The other lines are a table like ``cv_results_``, with a row per candidate.
"""

import csv
import dataclasses
import json
import os
from typing import Any

import numpy as np

from sklearn_stats_compare._utils._formatting import shortened
from sklearn_stats_compare._utils._validation import check_text, printable, shown
from sklearn_stats_compare.comparison._labels import CandidateLabels
from sklearn_stats_compare.comparison._saving import FLAGS, FORMAT, MARK, NAMES
from sklearn_stats_compare.comparison._tables import ChosenByScores
from sklearn_stats_compare.comparison.readers._matrix import params_from_text
from sklearn_stats_compare.comparison.readers._sizes import ParsedScores, Sizes, chosen_metric
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._scores import SplitScores

# Errors that a truncated or edited file may cause.
_DAMAGE = (ValueError, TypeError, KeyError, OverflowError, RecursionError, csv.Error)


def is_saved(path: str | os.PathLike[Any]) -> bool:
    """Whether a file is one that `Comparison.to_csv` wrote."""
    try:
        with open(os.path.abspath(os.fsdecode(path)), "rb") as file:
            return file.read(len(MARK)) == MARK.encode()
    except (OSError, ValueError):  # the next reader reports what is wrong
        return False


def read_saved(path: str | os.PathLike[Any], metric: str | None, sizes: Sizes) -> ParsedScores:
    """Scores, names and settings of a file that `Comparison.to_csv` wrote."""
    whole = os.path.abspath(os.fsdecode(path))
    try:
        with open(whole, encoding="utf-8", errors="surrogatepass", newline="") as file:
            head = json.loads(file.readline().removeprefix(MARK))
            found = _parsed(head, [row for row in csv.reader(file) if row])
    except _DAMAGE as error:
        why = shortened(printable(f"{type(error).__name__}: {error}"), 300)
        raise ValueError(
            "`obj` must be a CSV file as Comparison.to_csv wrote it, which may have been cut short "
            f"or edited; {shown(path)} cannot be read: {why}"
        ) from None
    chosen_metric(metric, [found.metric])
    # Arguments of the caller take precedence over saved ones.
    design = found.scores.design
    if sizes.given:
        design = sizes.design(design.n_splits)
    elif sizes.n_samples is not None:
        design = dataclasses.replace(design, n_samples=sizes.n_samples)
    return dataclasses.replace(found, scores=SplitScores(found.scores.values, design))


def _parsed(head: Any, table: list[list[str]]) -> ParsedScores:
    if head["format"] != FORMAT:
        raise ValueError(f"its format is {shown(head['format'])}, and {FORMAT} is known here")
    names, rows = table[0] if table else [], table[1:]
    n = head["n_candidates"]
    if names[: len(NAMES)] != NAMES or len(rows) != n:
        raise ValueError(f"it holds {len(rows)} of {shown(n)} candidates")
    design = SplitDesign(
        head["n_train"],
        head["n_test"],
        repeat=head["repeat"],
        n_samples=head["n_samples"],
        **{flag: head[flag] for flag in FLAGS},
    )
    note = check_text("note", head["note"])
    instead = check_text("instead", head.get("instead", ""))  # not in files of older versions
    arguments = {
        "candidates": [int(row[0]) for row in rows],
        "note": ChosenByScores(note, instead) if instead else note,
    }
    if head["n_entered"] is not None:
        arguments["n_entered"] = head["n_entered"]
        arguments["dropped_pvalue"] = head.get("dropped_pvalue")  # not in files of older versions
    return ParsedScores(
        SplitScores(
            np.array([[float(cell) for cell in row[len(NAMES) :]] for row in rows]), design
        ),
        check_text("metric", head["metric"]),
        labels=CandidateLabels([row[1] for row in rows], check_text("naming", head["naming"])),
        params=_params([row[2] for row in rows]),
        arguments=arguments,
        settings=dict(head.get("settings", {})),
    )


def _params(texts: list[str]) -> list[dict[str, Any]] | None:
    if not any(texts):
        return None
    params = [params_from_text(text) for text in texts]
    for text, own in zip(texts, params, strict=True):
        if own is None:
            raise ValueError(f"parameters must be a mapping; got {shown(text)}")
    return params
