"""Given models on data: fits what it is given and compares it. Adds scikit-learn."""

from sklearn_stats_compare.evaluation._models import cross_validate_models

__all__ = ["cross_validate_models"]
