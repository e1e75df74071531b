"""Results of a search → the scores of a comparison."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.comparison._split_columns import split_and_metric, split_column
from sklearn_stats_compare.stats import SplitDesign, SplitScores

_PREFIX = "mean_test_"
INFERIOR = "inferior"
"""In the column "elimination": a candidate that a race dropped as worse on new data."""


def metrics_of(cv_results: Mapping[str, Any]) -> list[str]:
    """Names of the metrics in `cv_results`; a single metric is called "score"."""
    return [key.removeprefix(_PREFIX) for key in cv_results if str(key).startswith(_PREFIX)]


def n_split_columns(cv_results: Mapping[str, Any], metric: str) -> int:
    """Number of splits with test scores in `cv_results`."""
    found = (split_and_metric(key) for key in cv_results)
    return sum(column is not None and column[1] == metric for column in found)


def split_scores(cv_results: Mapping[str, Any], metric: str, design: SplitDesign) -> SplitScores:
    """The split scores of one metric of `cv_results`, candidates × splits."""
    columns = [cv_results[split_column(k, metric)] for k in range(design.n_splits)]
    return SplitScores(np.column_stack(columns), design)


def inferior_in(metric: str) -> str:
    """Entry of "elimination" for a candidate that is worse on new data by this metric."""
    return INFERIOR if metric == "score" else f"{INFERIOR} in {metric}"


def survivors(
    cv_results: Mapping[str, Any], metric: str = "score"
) -> tuple[NDArray[np.intp], dict[str, Any]]:
    """Rows of `cv_results` that were evaluated to the end, and arguments of a `Comparison`.

    All rows and no arguments if the results are not of a race or an extension, or no candidate was
    dropped. A dropped candidate ran on some splits only and cannot be compared.
    """
    n = len(cv_results[next(key for key in cv_results if str(key).startswith("split"))])
    dropped = ~np.isnan(_column(cv_results, "eliminated_at", n))
    if dropped.all():  # the last ones failed, and no candidate finished
        return np.arange(n), {}
    evaluated = _column(cv_results, "n_splits_evaluated", n)
    left_out = ~dropped & (evaluated < evaluated[~dropped].max())
    rows = np.flatnonzero(~dropped & ~left_out)
    if len(rows) == n:
        return rows, {}
    said = []
    dropped_pvalue = None
    if dropped.any():
        pvalues = _column(cv_results, "elimination_pvalue", n)[dropped]
        why = np.array(list(map(str, cv_results.get("elimination", [""] * n))))[dropped]
        worse = (why == inferior_in(metric)) & np.isfinite(pvalues)
        n_failed = int(np.isnan(pvalues).sum())
        failed = f", {n_failed:,} of them for a failed split" if n_failed else ""
        if worse.all():
            # A p-value that is 0 in double precision is no probability of `Comparison`.
            dropped_pvalue = float(max(pvalues.max(), np.finfo(float).tiny))
            how = (
                f"because they are worse on new data (adjusted p ≤ {dropped_pvalue:.2g}), and are "
                "not compared."
            )
        else:
            how = (
                f"before the end{failed}, and are not compared. Statements about the best refer to "
                "these candidates only."
            )
        said.append(
            f"These are the survivors of a race among {n:,} candidates: {dropped.sum():,} were "
            f"dropped {how}"
        )
    if left_out.any():
        dropped_pvalue = None
        said.append(
            f"{left_out.sum():,} of {n - dropped.sum():,} candidates were left out of the last "
            "splits, which were for those that might be the best, and are not compared."
        )
    return rows, {
        "candidates": rows.tolist(),
        "note": " ".join(said),
        "n_entered": n,
        "dropped_pvalue": dropped_pvalue,
    }


def _column(cv_results: Mapping[str, Any], name: str, n: int) -> NDArray[np.float64]:
    """A column that races and extensions add; NaN where there is none."""
    return np.asarray(list(cv_results.get(name, [np.nan] * n)), dtype=float)
