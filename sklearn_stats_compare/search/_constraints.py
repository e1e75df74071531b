"""STATISTICAL_CONSTRAINTS: which values the parameters of a search may have."""

from numbers import Integral, Real
from os import PathLike
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import ALTERNATIVES
from sklearn_stats_compare.search._sklearn_private import Interval, StrOptions
from sklearn_stats_compare.stats import P_ADJUST, PAIR_TESTS, PairTest

# Checked by scikit-learn when `fit` is called, in its own words; `check_rope` looks into a tuple.
STATISTICAL_CONSTRAINTS: dict[str, list[Any]] = {
    "alternative": [StrOptions(set(ALTERNATIVES))],
    "p_adjust": [StrOptions({name for name in P_ADJUST if name is not None}), None],
    "rope": [Interval(Real, 0, None, closed="left"), tuple, list, str],
    "alpha": [Interval(Real, 0, 1, closed="neither")],
    "max_time": [Interval(Real, 0, np.inf, closed="neither"), None],
    "ledger": [str, PathLike, None],
    "ledger_block": [Interval(Integral, 1, None, closed="left"), None],
    "ledger_strict": ["boolean"],
    "retry_failed": ["boolean"],
    "return_predictions": ["boolean", StrOptions({"values"})],
    "test": [StrOptions(set(PAIR_TESTS)), PairTest],
}
