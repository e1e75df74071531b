"""The sign test of all pairs of models over data sets: wins, ties and losses."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sklearn_stats_compare._messages import check_finite, check_option
from sklearn_stats_compare.stats.datasets._ties import check_dataset_values, differences_from

SIGN_TIES = ("drop", "split")


@dataclass(frozen=True, eq=False)
class SignTestPairs:
    """Sign tests of all pairs of models, in the order of the models.

    Attributes
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        Numbers of the two models, from 0.
    wins, n_ties, losses : ndarray of int, shape (n_pairs,)
        Numbers of data sets on which the first is better, tied, or worse.
    pvalue : ndarray of float, shape (n_pairs,)
        Two-sided p-values, not adjusted for the number of pairs.
    greater, less : ndarray of float, shape (n_pairs,)
        One-sided p-values: "greater" is small if the first is better.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    wins: NDArray[np.intp]
    n_ties: NDArray[np.intp]
    losses: NDArray[np.intp]
    pvalue: NDArray[np.float64]
    greater: NDArray[np.float64]
    less: NDArray[np.float64]


def sign_test_pairs(values: Any, *, ties: str = "drop", shift: float = 0.0) -> SignTestPairs:
    """Test all pairs of models by their wins and losses over data sets.

    Parameters
    ----------
    values : array-like of float, shape (n_models, n_datasets)
        One score of each model on each data set, higher is better.
    ties : {"drop", "split"}, default="drop"
        "drop" leaves out the data sets on which the two are tied. The test is then exact. "split"
        counts half of them as wins and half as losses, and leaves out one if their number is odd
        (Demšar, 2006). This is conservative: ties are not random.
    shift : float, default=0.0
        The difference that is tested, in score units: it is subtracted from every difference.

    Returns
    -------
    SignTestPairs
        Each array has one entry per pair, in the order (0, 1), (0, 2), …, (1, 2) and so on. Adjust
        `pvalue` by `shaffer_pvalues` or ``adjust_pvalues(pvalue, "holm")``.

    Raises
    ------
    ValueError
        If `values` is not a finite table of at least 2 models, or `ties` is unknown.

    See Also
    --------
    wilcoxon_pairs : Uses the sizes of the differences too, and has more power.

    Notes
    -----
    Valid for independent data sets. The test is the exact binomial test with probability 1/2, for
    the hypothesis that the first model is as often better as worse. It needs no common scale of the
    data sets. Fewer than 6 data sets without ties cannot give p < 0.05.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.

    Examples
    --------
    >>> from sklearn_stats_compare.stats import sign_test_pairs
    >>> better = [0.90, 0.81, 0.75, 0.70, 0.93, 0.66, 0.82]
    >>> worse = [0.88, 0.80, 0.75, 0.66, 0.90, 0.65, 0.80]
    >>> pairs = sign_test_pairs([better, worse])
    >>> print(pairs.wins, pairs.n_ties, pairs.losses, pairs.pvalue)
    [6] [1] [0] [0.03125]

    The first model is better on all six data sets without a tie: p = 2/2⁶.
    """
    table = check_dataset_values(values)
    check_option("ties", ties, SIGN_TIES)
    shift = check_finite("shift", shift)
    n_models, n_datasets = table.shape
    signs = [np.sign(differences_from(table, i, shift)[0]) for i in range(n_models - 1)]
    wins = np.concatenate([np.count_nonzero(sign > 0, axis=1) for sign in signs])
    losses = np.concatenate([np.count_nonzero(sign < 0, axis=1) for sign in signs])
    n_ties = n_datasets - wins - losses
    shared = n_ties // 2 if ties == "split" else 0
    first, second = np.triu_indices(n_models, 1)
    n = wins + losses + 2 * shared
    greater, less = _at_least(wins + shared, n), _at_least(losses + shared, n)
    # Both tails together; they share the middle count.
    pvalue = np.minimum(1.0, 2 * np.minimum(greater, less))
    return SignTestPairs(first, second, wins, n_ties, losses, pvalue, greater, less)


def _at_least(k: NDArray[np.intp], n: NDArray[np.intp]) -> NDArray[np.float64]:
    """P(X ≥ k) of the binomial with p = 1/2."""
    some = np.maximum(k, 1)
    tail: NDArray[np.float64] = special.betainc(some, np.maximum(n - some, 0) + 1.0, 0.5)
    return np.where(k > 0, tail, 1.0)
