"""The state of a search during a fit, as scikit-learn sends it to workers."""

from collections.abc import Mapping
from typing import Any

RECORD, FITTING = "_record", "_fitting"
"""The package's private names on a search: one after a fit, and one during it."""

# `BaseSearchCV.fit` of scikit-learn 1.9 keeps the checked splitter there; 1.6 keeps none.
_LEFT_BY_SCIKIT_LEARN = ("_checked_cv_orig",)


def state_for_workers(search: Any, state: Mapping[str, Any]) -> dict[str, Any]:
    """State of a search during a fit, which scikit-learn sends with every task from 1.9 on.

    Workers need neither the fit before this one, whose tables may be large, nor the splits.
    """
    own = search.get_params(deep=False)
    left = {name for name in vars(search) if name.endswith("_") and name not in own}
    unwanted = {FITTING, RECORD, "cv", *_LEFT_BY_SCIKIT_LEARN, *left}
    return {name: value for name, value in state.items() if name not in unwanted} | {"cv": None}
