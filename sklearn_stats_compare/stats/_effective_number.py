"""The effective number of correlated tests."""

import numpy as np
from numpy.typing import NDArray


def effective_number(rows: NDArray[np.float64]) -> float:
    """Number of independent tests that correlated ones amount to, from 1 to their number.

    Parameters
    ----------
    rows : ndarray of float, shape (n_tests, n_values)
        Values whose means are tested. Rows without variation count as one test each.

    References
    ----------
    Li, J. and Ji, L. (2005). Adjusting multiple testing in multilocus analyses using the
    eigenvalues of a correlation matrix. Heredity 95, 221–227.
    https://doi.org/10.1038/sj.hdy.6800717
    """
    std = rows.std(axis=1)
    varies = std > 0
    n_constant = int((~varies).sum())
    if n_constant == len(rows):
        return float(max(1, n_constant))
    centred = rows[varies] - rows[varies].mean(axis=1, keepdims=True)
    centred /= std[varies, None]
    # The smaller of the two Gram matrices has the same eigenvalues other than 0.
    gram = centred @ centred.T if len(centred) <= centred.shape[1] else centred.T @ centred
    eigenvalues = np.linalg.eigvalsh(gram / centred.shape[1])
    # Rounding: 0.9999999999 of two identical rows would count for two tests, 1 and a fraction.
    eigenvalues = np.round(eigenvalues[eigenvalues > 0], 9)
    counted = (eigenvalues >= 1) + (eigenvalues - np.floor(eigenvalues))
    return max(1.0, n_constant + float(counted.sum()))
