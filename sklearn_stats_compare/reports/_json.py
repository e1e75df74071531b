"""Reports as JSON: the same facts for machines, versioned."""

import dataclasses
import json
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare.comparison._labels import Reader
from sklearn_stats_compare.comparison._saving import design_description
from sklearn_stats_compare.reports._document import DatasetsDocument, Document
from sklearn_stats_compare.reports._facts import DatasetsFacts, Facts, without_spans
from sklearn_stats_compare.reports._prose import findings, methods, remarks

VERSION = 2
_FLAGS = ("complementary_halves", "expanding", "sliding", "resampled", "stratified")


def json_report(document: Document) -> str:
    """The facts as JSON; NaN is null, and an infinite number the text "Infinity" or "-Infinity"."""
    if isinstance(document, DatasetsDocument):
        content = _of_datasets(document, document.facts[0])
    elif document.several:
        content = {"metrics": {facts.metric: _content(facts) for facts in document.facts}}
    else:
        content = _content(document.facts[0])
    content = {"version": VERSION, **content}
    if document.cites:
        content["bibtex"] = document.bibtex
    # A line for each part, so that diff can compare reports. NaN is not valid JSON (RFC 8259), and
    # JSON.parse of browsers rejects it.
    lines = [
        f"{json.dumps(key)}: {json.dumps(_plain(value), allow_nan=False, ensure_ascii=False)}"
        for key, value in content.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _of_datasets(document: DatasetsDocument, facts: DatasetsFacts) -> dict[str, Any]:
    own = facts.comparison
    settings = own._settings
    low, high = settings.rope
    friedman = dataclasses.asdict(own.friedman())
    paragraphs: list[Any] = [*document.opening(), *document.paragraphs_of(facts)]
    return {
        "metric": own.metric,
        "note": own.note,
        "models": list(own.labels),
        "datasets": list(own.datasets),
        "scores": own.values.tolist(),
        "settings": {
            "test": settings.test,
            "zeros": settings.zeros,
            "p_adjust": settings.p_adjust,
            "n_pairs": own.n_models * (own.n_models - 1) // 2,
            "alternative": settings.alternative,
            "rope_low": low,
            "rope_high": high,
            "alpha": settings.alpha,
        },
        "leader": own.leader,
        "friedman": {**friedman, "mean_ranks": friedman["mean_ranks"].tolist()},
        "ranking": _records(own.ranking().reset_index()),
        "leader_table": _records(own.against()),
        "reference_table": _records(facts.reference_table),
        "next_step": own.next_step(),
        "paragraphs": [without_spans(paragraph) for paragraph in paragraphs],
        "strained_assumptions": facts.strained,
    }


def _content(facts: Facts) -> dict[str, Any]:
    comparison = facts.comparison
    design = comparison.scores.design
    low, high = comparison._settings.rope
    ranking = facts.ranking.reset_index()
    ranking_records = _records(ranking) or []
    if comparison.params is not None:
        # By row, because the ranking numbers candidates within the comparison's scores.
        for entry, row in zip(ranking_records, comparison.scores.order, strict=True):
            entry["params"] = {str(k): _param(v) for k, v in comparison.params[row].items()}
    paragraphs = [*methods([facts]), *findings(facts), *remarks(facts)]
    return {
        "metric": facts.metric,
        "note": comparison.note,
        "design": {
            "n_candidates": comparison.scores.n_candidates,
            "n_entered": comparison._n_entered,
            "n_splits": design.n_splits,
            **design_description(design, ()),
            # If only the ratio is known, the sizes represent it and do not count samples.
            **({} if design.sizes_known else {"n_train": None, "n_test": None}),
            "test_train_ratio": design.test_train_ratio,
            "overlap_ratio": design.overlap_ratio,
            **{flag: getattr(design, flag) for flag in _FLAGS},
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
        "naming": comparison._naming,
        "leader": comparison.leader,
        "possibly_best": ranking["label"][ranking["possibly_best"]].tolist(),
        "ranking": ranking_records,
        "reference": facts.reference or None,
        "reference_table": _records(_with_df(facts.reference_table, facts)),
        "leader_table": _records(_with_df(facts.leader_table, facts)),
        "optimism": _optimism(facts),
        "shortfall_of_leader": facts.shortfall,
        "resolution": _records(facts.resolution.reset_index()),
        "next_step": facts.next_step.removeprefix("Next: "),
        "recommendation": facts.recommendation,
        "paragraphs": [without_spans(paragraph) for paragraph in paragraphs],
        "strained_assumptions": facts.strained,
    }


def _optimism(facts: Facts) -> dict[str, Any] | None:
    if facts.optimism is None:
        return None
    fields = dataclasses.asdict(facts.optimism)
    del fields["leads"], fields["_within"]
    low, high = facts.optimism.limits(facts.settings.alpha / 2)
    # If scores do not vary and their range is unknown, the interval would be a point.
    ends = (low, high) if low < high else (None, None)
    return {**fields, "ci_low": ends[0], "ci_high": ends[1]}


def _with_df(table: pd.DataFrame | None, facts: Facts) -> pd.DataFrame | None:
    return None if table is None else table.assign(df=facts.dfs(table))


def _records(table: pd.DataFrame | None) -> list[dict[str, Any]] | None:
    if table is None:
        return None
    # As objects first: in a column of floats pandas converts None back to NaN.
    as_objects = table.astype(object).where(table.notna(), None)
    return [{str(k): v for k, v in row.items()} for row in as_objects.to_dict("records")]


def _param(value: Any) -> Any:
    """A hyper-parameter in JSON: numbers, booleans, None and lists stay, others become text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, list | tuple):
        return [_param(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return Reader()(value, in_full=True)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    # json supports no NumPy number except float64, which is a float.
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None if np.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value
