"""Metrics of the models' own scores, so that accuracy is not compared with R²."""

from collections.abc import Sequence
from typing import Any

from sklearn_stats_compare._messages import shown_list
from sklearn_stats_compare.comparison import own_metric, own_metric_name


def check_one_score(names: Sequence[str], models: Sequence[Any]) -> None:
    """Raise ValueError if the models' own scores are different metrics."""
    by_metric: dict[str, list[str]] = {}
    for name, model in zip(names, models, strict=True):
        by_metric.setdefault(own_metric(model), []).append(name)
    if len(by_metric) > 1:
        listed = "; ".join(f"{m} for {shown_list(of)}" for m, of in by_metric.items())
        raise ValueError(
            "`scoring` must be given if the `score` methods of the models compute different "
            f"metrics; got None, which is {listed}. Pass one metric that suits all models, or "
            "compare only models of the same kind."
        )


def name_of_scores(scoring: Any, models: Sequence[Any]) -> str:
    """Display name of the only metric."""
    if isinstance(scoring, str):
        return scoring
    names = set(map(own_metric_name, models)) if scoring is None else set()
    name = names.pop() if len(names) == 1 else "score"
    # The scorer of a search may be a function, which is shown as "<function …>".
    return "score" if name.startswith("<") else name
