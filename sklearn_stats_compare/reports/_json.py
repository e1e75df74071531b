"""Reports as JSON: the same facts for machines, versioned."""

import dataclasses
import json
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._prose import paragraphs

VERSION = 1


def json_report(facts: Facts) -> str:
    """The facts as JSON; NaN is null, and an infinite number the text "Infinity" or "-Infinity"."""
    comparison = facts.comparison
    design = comparison.scores.design
    low, high = comparison.rope_bounds
    content = {
        "version": VERSION,
        "metric": comparison.metric,
        "note": comparison.note,
        "design": {
            "n_candidates": comparison.scores.n_candidates,
            "n_entered": comparison.n_entered,
            "n_splits": design.n_splits,
            # Where only the ratio is known the sizes stand for it, and count no samples.
            "n_train": design.n_train.tolist() if design.sizes_known else None,
            "n_test": design.n_test.tolist() if design.sizes_known else None,
            "repeat": design.repeat.tolist(),
            "n_samples": design.n_samples,
            "test_train_ratio": design.test_train_ratio,
            "overlap_ratio": design.overlap_ratio,
            "complementary_halves": design.complementary_halves,
            "expanding": design.expanding,
            "sliding": design.sliding,
            "resampled": design.resampled,
        },
        "settings": {
            "test": facts.settings.test.name,
            "df": facts.settings.test.df(comparison.scores),
            "p_adjust": facts.settings.p_adjust,
            "n_pairs": comparison.scores.n_pairs,
            "alternative_of_p": "two-sided",
            "alternative_of_comparison": facts.alternative,
            "rope_low": low,
            "rope_high": high,
            "alpha": facts.settings.alpha,
        },
        "leader": comparison.leader,
        "ranking": _records(facts.ranking.reset_index()),
        "leader_table": _records(facts.leader_table),
        "optimism": None if facts.optimism is None else dataclasses.asdict(facts.optimism),
        "resolution": _records(facts.resolution.reset_index()),
        "paragraphs": paragraphs(facts),
        "strained_assumptions": facts.strained,
    }
    # A line for each part, so that reports can be compared by diff. NaN is no JSON (RFC 8259), and
    # JSON.parse of browsers refuses it.
    lines = [
        f"{json.dumps(key)}: {json.dumps(_plain(value), allow_nan=False, ensure_ascii=False)}"
        for key, value in content.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    # As objects first: in a column of floats pandas would make NaN of None again.
    as_objects = table.astype(object).where(table.notna(), None)
    return [{str(k): v for k, v in row.items()} for row in as_objects.to_dict("records")]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    # json knows no number of NumPy's but float64, which is a float.
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None if np.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value
