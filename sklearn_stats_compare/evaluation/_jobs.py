"""Checks of arguments that scikit-learn and joblib would reject later with other messages."""

from numbers import Integral, Real
from typing import Any

from sklearn_stats_compare._messages import shown


def check_estimator(name: str, estimator: Any) -> None:
    """Raise TypeError unless `estimator` has ``fit`` and is not a class."""
    if not hasattr(estimator, "fit") or isinstance(estimator, type):
        raise TypeError(f"`{name}` must be an estimator, with `fit`; got {shown(estimator)}.")


def check_jobs(n_jobs: Any, verbose: Any = 0) -> None:
    """Raise ValueError unless joblib accepts these."""
    # joblib treats True as 1 job, and rejects 0 with "n_jobs == 0 in Parallel has no meaning".
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and (not whole or n_jobs == 0 or abs(n_jobs) > _MOST_JOBS):
        raise ValueError(
            "`n_jobs` must be None or a whole number, −1 for all processors, but not 0; got "
            f"{shown(n_jobs)}."
        )
    if not isinstance(verbose, Integral) or verbose < 0:
        raise ValueError(f"`verbose` must be a whole number ≥ 0; got {shown(verbose)}.")


def check_error_score(error_score: Any) -> None:
    """Raise ValueError unless it is "raise" or a number, NaN too."""
    # Not `in`: an array would be compared element by element.
    text = isinstance(error_score, str) and error_score == "raise"
    number = isinstance(error_score, Real) and not isinstance(error_score, bool)
    if not text and not number:
        raise ValueError(f"`error_score` must be 'raise' or a number; got {shown(error_score)}.")


def check_splitter(cv: Any) -> None:
    """Raise ValueError for bytes, which have a ``split`` of another kind."""
    if isinstance(cv, bytes | bytearray):
        raise ValueError(
            "`cv` must be a number of folds, a splitter, or an iterable of (train, test); got "
            f"{shown(cv)}."
        )


_MOST_JOBS = 10**6
