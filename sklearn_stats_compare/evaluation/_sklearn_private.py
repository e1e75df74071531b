"""The private parts of scikit-learn that evaluation/ uses; no other module of it imports any.

scikit-learn may change them in any release. The tests of this module run on the oldest and the
newest version in `pyproject.toml` and would fail.
"""

# Selects rows of any kind of data by index. Same name and place from 1.6 to 1.9; scikit-learn
# documents it as private. `resample` and `shuffle` are public and call it, but choose the rows
# themselves.
from sklearn.utils import _safe_indexing as take_rows

# The number of samples of any kind of data: lists, arrays, sparse matrices, frames of any package.
# Same name and place from 1.6 to 1.9. `check_consistent_length` and `indexable` are public and call
# it, but only compare the numbers.
from sklearn.utils.validation import _num_samples as count_samples

__all__ = ["count_samples", "says_that_all_fits_failed", "take_rows"]


def says_that_all_fits_failed(error: ValueError) -> bool:
    """Whether an error is the one that ``cross_validate`` raises if every fit failed.

    scikit-learn has no class for it: `_warn_or_raise_about_fit_failures` of
    ``sklearn.model_selection._validation`` raises a ValueError whose text, from 1.6 to 1.9, is "All
    the 5 fits failed." and the tracebacks. If the text changes, a model that cannot be fitted
    raises instead of counting as missing.
    """
    return "fits failed" in str(error)
