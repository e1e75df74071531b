"""BootstrapSplit: train in bag, test out of bag, as a splitter for `cv=`."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state, indexable
from sklearn.utils.multiclass import type_of_target

from sklearn_stats_compare._messages import check_count, check_flag, check_seed, outside_level
from sklearn_stats_compare.evaluation._sklearn_private import count_samples

# A draw from two samples leaves one out half of the time, so 1,000 draws fail only if no draw can
# leave a sample out: one sample in all, or in each stratum.
_MOST_DRAWS = 1000


@dataclass(eq=False)
class BootstrapSplit:
    """Splits that train on a bootstrap sample and test on the samples left out of it.

    Every split draws n of n samples with replacement; about 63 % of the samples are drawn, some of
    them repeatedly, and the rest is the test set. A draw that leaves no sample out is repeated.

    Parameters
    ----------
    n_splits : int, default=100
        Number of splits.
    random_state : int, RandomState or None, default=None
        Source of the draws; an int makes every call of `split` give the same splits.
    stratify : bool, default=False
        Whether each class keeps its number of samples in the bag. Needs classes as `y`.

    Raises
    ------
    ValueError
        If `n_splits` is not a whole number ≥ 1, `random_state` is not a valid seed, or `stratify`
        is not a bool.

    See Also
    --------
    bootstrap_score : Estimates the score on new data from such splits.

    Notes
    -----
    In a comparison, sizes count the distinct samples of a bag, and a warning says that the variance
    correction is a heuristic: Nadeau and Bengio derived it for training sets without repeated
    samples. To compare models, prefer repeated k-fold cross-validation.

    References
    ----------
    Efron, B. (1983). Estimating the error rate of a prediction rule. JASA 78, 316–331.
    https://doi.org/10.1080/01621459.1983.10477973

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_stats_compare import BootstrapSplit
    >>> for train, test in BootstrapSplit(2, random_state=0).split(np.zeros((6, 1))):
    ...     print(train, test)
    [0 3 3 3 4 5] [1 2]
    [0 0 1 1 2 4] [3 5]
    """

    n_splits: int = 100
    random_state: Any = None
    stratify: bool = False

    def __post_init__(self) -> None:
        self.n_splits = check_count("n_splits", self.n_splits)
        check_seed("random_state", self.random_state)
        self.stratify = check_flag("stratify", self.stratify)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits; the arguments are ignored."""
        return self.n_splits

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Generate the indices of each split.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data.
        y : array-like of shape (n_samples,), optional
            Classes, for `stratify`.
        groups : object
            Ignored, with a warning.

        Yields
        ------
        train : ndarray of int, shape (n_samples,)
            Samples in the bag, sorted, repeated as often as they were drawn.
        test : ndarray of int
            Samples that were not drawn; at least one.

        Raises
        ------
        ValueError
            If 1,000 draws in a row leave no sample out, or `stratify` is True and `y` does not hold
            classes.
        """
        # scikit-learn's splitters that ignore groups issue a UserWarning too.
        if groups is not None:
            warnings.warn(
                "`groups` are ignored by BootstrapSplit: samples of a group may be trained on and "
                "tested on.",
                UserWarning,
                stacklevel=outside_level(),
            )
        X, y = indexable(X, y)
        strata = self._strata(count_samples(X), y)
        # Here and not in __init__, as in scikit-learn's splitters: an int gives the same splits at
        # every call, a RandomState continues its stream.
        rng = check_random_state(self.random_state)
        for _ in range(self.n_splits):
            yield self._draw(strata, rng)

    def _strata(self, n: int, y: Any) -> list[NDArray[np.intp]]:
        """Groups of samples that are resampled separately."""
        if not self.stratify:
            return [np.arange(n)]
        if y is None or type_of_target(y) not in ("binary", "multiclass"):
            found = "none" if y is None else type_of_target(y)
            raise ValueError(f"`stratify` must be False where `y` is not classes; `y` is {found}.")
        classes = np.unique(np.asarray(y), return_inverse=True)[1]
        return [np.flatnonzero(classes == k) for k in range(classes.max() + 1)]

    def _draw(
        self, strata: list[NDArray[np.intp]], rng: np.random.RandomState
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        n = sum(len(samples) for samples in strata)
        for _ in range(_MOST_DRAWS):
            train = np.concatenate([s[rng.randint(len(s), size=len(s))] for s in strata])
            # Counted in O(n); a difference of sets would sort.
            left_out = np.bincount(train, minlength=n) == 0
            if left_out.any():
                return np.sort(train), np.flatnonzero(left_out)
        raise ValueError(
            f"`X` must be larger for a bootstrap: {_MOST_DRAWS} draws in a row left no sample out "
            f"to test on; got {n} samples."
        )
