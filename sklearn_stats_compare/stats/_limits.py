"""Numerical limits: the largest score, and the size of rounding error."""

import numpy as np

LARGEST = 1e150
"""The largest absolute score that can be squared and summed."""

ROUNDING = 8 * float(np.finfo(np.float64).eps)
"""A standard deviation of at most this share of the largest score counts as zero."""
