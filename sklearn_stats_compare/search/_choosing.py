"""choose_by_rule: the candidate that a rule in `refit` takes, while the search is being fitted."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sklearn_stats_compare.comparison import split_scores
from sklearn_stats_compare.predictions import Scoring, tested_by_samples
from sklearn_stats_compare.search._record import samples_of
from sklearn_stats_compare.search.runs import Evaluated
from sklearn_stats_compare.search.selection import SelectionRule
from sklearn_stats_compare.stats import PairTest


def choose_by_rule(
    rule: SelectionRule,
    results: Mapping[str, Any],
    evaluated: Evaluated,
    test: PairTest,
    scoring: Scoring | None,
) -> tuple[int, pd.DataFrame]:
    """Return the row of ``cv_results_`` that the rule chooses, and its report.

    Of a search with several stages, such as halving, it chooses among the candidates of the last.
    """
    design = evaluated.design
    assert design is not None
    stages = evaluated.stages
    rows: Sequence[int] = range(len(results["params"]))
    if stages:
        rows, results = stages[-1].rows, stages[-1].of(results)
    metric = rule.chosen_metric(results)
    scores = split_scores(results, metric, design)
    if not test.of_splits:
        scores, test = tested_by_samples(
            scores,
            lambda: samples_of(evaluated.ledger, scoring, scores, rows, metric),
            test,
            what="`refit` chooses",
        )
    chosen, report = rule.choose(results, scores, test)
    report.index = pd.Index([rows[i] for i in report.index], name=report.index.name)
    return rows[chosen], report
