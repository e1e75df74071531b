"""A whole ledger → ``cv_results_``, and scikit-learn's warning of scores that are not finite."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import count, outside_level
from sklearn_stats_compare.search.ledger import Ledger
from sklearn_stats_compare.search.runs._plan import Hooks

_MOST_NAMED = 20  # candidates in a warning


def rendered(
    ledger: Ledger, candidates: Sequence[Mapping[str, Any]], more: Mapping[str, Any], hooks: Hooks
) -> dict[str, Any]:
    """``cv_results_`` as scikit-learn makes it of all outcomes, with `more` columns."""
    with warnings.catch_warnings():
        # scikit-learn (`_format_results`, 1.6 to 1.9) says this of every NaN, also of cells that a
        # race or an extension did not run.
        warnings.filterwarnings("ignore", message="One or more of the .* scores are non-finite")
        results: dict[str, Any] = hooks.format_results(
            candidates, ledger.n_splits, ledger.rows(), more
        )
    for part in ("test", "train"):
        bad = np.flatnonzero(ledger.non_finite(f"{part}_scores")).tolist()
        if bad:
            named = ", ".join(map(str, bad[:_MOST_NAMED]))
            rest = ", …" if len(bad) > _MOST_NAMED else ""
            warnings.warn(
                f"One or more of the {part} scores are non-finite, those of "
                f"{count(len(bad), 'candidate')}: {named}{rest}",
                UserWarning,
                stacklevel=outside_level(),
            )
    return results
