"""Names and estimators of models, checked, and whether their folds are stratified."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from sklearn_stats_compare._messages import shown


def named_models(models: Any, name: str = "models") -> tuple[list[str] | None, list[Any]]:
    """Checked names, or None if they are not given, and estimators."""
    if isinstance(models, Mapping):
        # Labels are text, so 1 and "1" would be equal.
        names, estimators = [str(own) for own in models], list(models.values())
        if len(set(names)) < len(names):
            raise ValueError(
                f"`{name}` must have different names, as text; got {shown(list(models))}."
            )
    # Each letter of text would be a model.
    elif isinstance(models, Sequence) and not isinstance(models, str):
        names, estimators = None, list(models)
    else:
        raise TypeError(
            f"`{name}` must be a mapping of names to estimators or a sequence of estimators; got "
            f"{type(models).__name__}."
        )
    if not estimators:
        raise ValueError(f"`{name}` must contain at least one estimator; got {models!r}.")
    for estimator in estimators:
        if not hasattr(estimator, "fit") or isinstance(estimator, type):
            raise TypeError(
                f"`{name}` must contain estimator instances with a `fit` method; got "
                f"{shown(estimator)}."
            )
    return names, estimators


def stratifies(cv: Any, estimators: list[Any]) -> bool:
    """Whether a number of folds means stratified folds, as in scikit-learn for classifiers."""
    kinds = {is_classifier(estimator) for estimator in estimators}
    if len(kinds) > 1 and (cv is None or isinstance(cv, int | np.integer)):
        raise ValueError(
            "`cv` must be a splitter, such as KFold(5), if only some of the models are "
            f"classifiers, because it is not clear whether to stratify; got {shown(cv)}."
        )
    # check_cv stratifies a number of folds where this is True and `y` holds classes.
    return kinds == {True}
