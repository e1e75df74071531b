"""A splitter's parameters → the design of its splits, if it follows from them.

Splitters are recognised by class name, so that scikit-learn need not be imported here.
"""

from typing import Any

import numpy as np

from sklearn_stats_compare.stats import SplitDesign

_FOLDS = {
    "KFold",
    "StratifiedKFold",
    "GroupKFold",
    "StratifiedGroupKFold",
    "RepeatedKFold",
    "RepeatedStratifiedKFold",
}
_SHUFFLES = {"ShuffleSplit", "StratifiedShuffleSplit"}


def design_of_splitter(
    splitter: tuple[Any, Any] | None, n_splits: int, n_samples: int | None
) -> SplitDesign | None:
    """The design of ``(cv, n_splits_)`` of a fitted search, or None if it is unknown.

    In k-fold cross-validation, every sample is in one test set and k − 1 training sets, so the
    ratio is exactly 1/(k − 1), however uneven the folds.
    """
    cv, fitted_splits = splitter if splitter is not None else (None, None)
    if fitted_splits is None:
        return None
    name = type(cv).__name__
    # None is five folds since scikit-learn 0.22, and `n_splits_` has the number. bool is an int in
    # Python, but not a number of folds.
    if cv is None or (isinstance(cv, int | np.integer) and not isinstance(cv, bool)):
        return _folds(n_splits, n_splits)
    if name in _FOLDS:
        n_repeats = int(getattr(cv, "n_repeats", 1))
        return _folds(n_splits // n_repeats, n_splits)
    if name == "LeaveOneOut":
        return _folds(n_splits, n_splits)
    if name in _SHUFFLES:
        return _shuffled(cv, n_splits, n_samples)
    return None


def _folds(k: int, n_splits: int) -> SplitDesign | None:
    if k < 2:
        return None
    return SplitDesign.from_ratio(1 / (k - 1), n_splits, np.arange(n_splits) // k)


def _shuffled(cv: Any, n_splits: int, n_samples: int | None) -> SplitDesign | None:
    """Sizes as rounded by scikit-learn: test shares up, training shares down."""
    test, train = cv.test_size, cv.train_size
    if n_samples is None:
        if not (isinstance(test, int | np.integer) and isinstance(train, int | np.integer)):
            return None
        return _sizes(int(train), int(test), n_splits, None)
    if test is None and train is None:
        # Private in scikit-learn, and 0.1 in ShuffleSplit and its kin; GroupShuffleSplit has 0.2.
        test = getattr(cv, "_default_test_size", 0.1)
    if test is None:
        n_train = _count(train, n_samples, np.floor)
        return _sizes(n_train, n_samples - n_train, n_splits, n_samples)
    n_test = _count(test, n_samples, np.ceil)
    if train is None:
        return _sizes(n_samples - n_test, n_test, n_splits, n_samples)
    return _sizes(_count(train, n_samples, np.floor), n_test, n_splits, n_samples)


def _count(size: Any, n_samples: int, rounded: Any) -> int:
    return int(rounded(size * n_samples)) if isinstance(size, float) else int(size)


def _sizes(n_train: int, n_test: int, n_splits: int, n_samples: int | None) -> SplitDesign:
    sizes = np.full(n_splits, n_train), np.full(n_splits, n_test)
    return SplitDesign(*sizes, n_samples=n_samples)
