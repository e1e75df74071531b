"""Numbers → the four words: better, worse, equivalent, undecided; and missing."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

VERDICTS = ("better", "worse", "equivalent", "undecided", "missing")
_BETTER, _WORSE, _EQUIVALENT, _UNDECIDED, _MISSING = range(len(VERDICTS))


def verdicts(
    better: NDArray[np.bool_],
    worse: NDArray[np.bool_],
    equivalent: NDArray[np.bool_],
    missing: NDArray[np.bool_],
) -> "pd.Categorical[str]":
    """One word per pair, of its first candidate against its second.

    `equivalent` goes before a difference that is real but too small to matter.
    """
    codes = np.full(len(better), _UNDECIDED, dtype=np.int8)
    codes[better] = _BETTER
    codes[worse] = _WORSE
    codes[equivalent] = _EQUIVALENT
    codes[missing] = _MISSING
    return pd.Categorical.from_codes(codes, categories=pd.Index(VERDICTS))
