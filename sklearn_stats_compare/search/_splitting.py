"""The splits of given data as a search makes them, from any `cv` that scikit-learn accepts."""

from typing import Any

from sklearn.base import is_classifier
from sklearn.model_selection import check_cv


def split_as_search(cv: Any, estimator: Any, X: Any, y: Any, groups: Any) -> list[tuple[Any, Any]]:
    """The (train, test) samples of each split.

    A number of folds is stratified if the estimator is a classifier.
    """
    classifier = estimator is not None and is_classifier(estimator)
    return list(check_cv(cv, y, classifier=classifier).split(X, y, groups))
