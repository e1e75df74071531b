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

    `equivalent` takes precedence over `better` and `worse`.
    """
    codes = np.full(len(better), _UNDECIDED, dtype=np.int8)
    codes[better] = _BETTER
    codes[worse] = _WORSE
    codes[equivalent] = _EQUIVALENT
    codes[missing] = _MISSING
    return pd.Categorical.from_codes(codes, categories=pd.Index(VERDICTS))


def verdict_words(verdict: str, role: str = "leader") -> str:
    """A verdict on the leader against another, where only the other's name is shown.

    `role` describes the first candidate if it is not the leader.
    """
    return f"{role} {verdict}" if verdict in ("better", "worse") else verdict


def verdict_counts(verdicts: pd.Series, role: str = "leader") -> str:
    """How often each verdict on the leader occurs, the most frequent first."""
    counts = verdicts.astype(str).value_counts()
    return ", ".join(f"{n:,} {verdict_words(str(verdict), role)}" for verdict, n in counts.items())
