"""The private parts of scikit-learn that searches use; nothing else in `search` imports any.

All have been as they are here from 1.6 to 1.9, and the tests run on both ends.
"""

# A search that evaluates other candidates than a grid must be one: `evaluate_candidates` is a
# closure of its `fit`. Public as documentation of subclasses, but not exported.
from sklearn.model_selection._search import BaseSearchCV

# Rows of whatever `fit` takes: lists, frames, sparse matrices.
from sklearn.utils import _safe_indexing as safe_indexing

# `_parameter_constraints` is how estimators declare what `_validate_params` refuses; there is no
# public form of these two (scikit-learn 1.9).
from sklearn.utils._param_validation import Interval, StrOptions

# Of frames, lists and array API arrays too, and with scikit-learn's own errors.
from sklearn.utils.validation import _num_samples as num_samples

__all__ = [
    "BaseSearchCV",
    "Interval",
    "StrOptions",
    "num_samples",
    "safe_indexing",
]
