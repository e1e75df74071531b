"""Results of a search → the scores that a comparison is made of."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats import SplitDesign, SplitScores

_PREFIX = "mean_test_"


def metrics_of(cv_results: Mapping[str, Any]) -> list[str]:
    """Names of the metrics in `cv_results`; a single metric is called "score"."""
    return [key.removeprefix(_PREFIX) for key in cv_results if str(key).startswith(_PREFIX)]


def split_scores(cv_results: Mapping[str, Any], metric: str, design: SplitDesign) -> SplitScores:
    """The split scores of one metric of `cv_results`, candidates × splits."""
    columns = [cv_results[f"split{k}_test_{metric}"] for k in range(design.n_splits)]
    return SplitScores(np.column_stack(columns), design)


def survivors(cv_results: Mapping[str, Any]) -> tuple[NDArray[np.intp], dict[str, Any]]:
    """Rows of `cv_results` that a race finished with, and what a `Comparison` says of them.

    All rows, and nothing to say, where the results are of no race or nobody was dropped. Of a
    dropped candidate only some splits were run, so that it cannot be compared.
    """
    n = len(cv_results[next(key for key in cv_results if str(key).startswith("split"))])
    out = np.zeros(n, dtype=bool)
    if "eliminated_at" in cv_results:
        out = ~np.isnan(np.asarray(list(cv_results["eliminated_at"]), dtype=float))
    if not out.any() or out.all():  # all: the last ones failed, and nobody finished
        return np.arange(n), {}
    pvalues = np.asarray(list(cv_results["elimination_pvalue"]), dtype=float)
    n_failed = int(np.isnan(pvalues[out]).sum())
    failed = f", {n_failed:,} of them for a failed split" if n_failed else ""
    rows = np.flatnonzero(~out)
    note = (
        f"These are the survivors of a race among {n:,} candidates: {out.sum():,} were dropped "
        f"before the end{failed}, and are not compared."
    )
    return rows, {"candidates": rows.tolist(), "note": note, "n_entered": n}
