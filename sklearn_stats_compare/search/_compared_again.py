"""compared_again: the candidates of a fitted search, by another metric or with other settings."""

from collections.abc import Mapping
from typing import Any

from sklearn_stats_compare._messages import check_option
from sklearn_stats_compare.comparison import NAMED, Comparison, metrics_of, named_labels
from sklearn_stats_compare.search._record import FitRecord
from sklearn_stats_compare.stats import pair_test


def compared_again(
    search: Any, record: FitRecord, metric: str | None, changed: Mapping[str, Any]
) -> Comparison:
    """Compare the candidates of a record with changed settings; nothing is refitted."""
    results, settings = search.cv_results_, dict(changed)
    if metric is None:
        metric = record.own_metric(results)
    elif search.multimetric_:
        metric = check_option("metric", metric, metrics_of(results))
    else:
        check_option("metric", metric, dict.fromkeys((record.metric_name, "score")))
        metric = "score"
    test = pair_test(settings.get("test", record.settings["test"]))
    comparison = record.comparison(results, metric, by_samples=not test.of_splits)
    labels = settings.get("labels")
    if isinstance(labels, str) and labels == NAMED:
        # Of all candidates, as parameters that the survivors of a race share stay in theirs.
        params, rows = results["params"], comparison.candidates or ()
        if record.evaluated.stages:  # the stages before have the same settings
            settings["labels"] = named_labels([params[i] for i in rows])
        else:
            settings["labels"] = named_labels(params).of(rows)
    elif labels is not None and len(labels) == len(results["params"]):
        # The user's are in the order of cv_results_; a race compares some of its candidates.
        settings["labels"] = [labels[i] for i in comparison.candidates or ()]
    return comparison.with_settings(**settings) if settings else comparison
