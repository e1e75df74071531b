"""Limits of what is computed with: the largest score, and what counts as rounding error."""

import numpy as np

LARGEST = 1e150
"""The largest score, without its sign, that can be squared and summed."""

ROUNDING = 8 * float(np.finfo(np.float64).eps)
"""A standard deviation of at most this share of the largest score is rounding error: zero."""
