"""Further repeats of a cross-validation, of which none was there before."""

import copy
import hashlib
import inspect
import math
from collections.abc import Collection, Iterator, Mapping
from numbers import Integral
from typing import Any

from sklearn.model_selection import check_cv
from sklearn.utils.validation import _num_samples

from sklearn_stats_compare.search._keys import split_keys

Splits = list[tuple[Any, Any]]


def further_repeats(
    cv: Any,
    n_repeats: int,
    data: tuple[Any, Any, Mapping[str, Any]],
    known: Collection[str],
    *,
    classifier: bool,
) -> Splits:
    """Splits of the next `n_repeats` repeats of `cv`.

    Of a repeated splitter that is seeded with a number they are its own next ones. Others are
    shuffled with new seeds that follow from the splits that there are, so that the same splits are
    always followed by the same.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        As for scikit-learn's searches.
    n_repeats : int
        Number of repeats.
    data : (X, y, dict)
        What is split, and what is routed to the splitter.
    known : collection of str
        Keys of the splits that there are.
    classifier : bool
        Whether the estimator is a classifier, for which scikit-learn stratifies.

    Raises
    ------
    ValueError
        If the splits of `cv` are not drawn at random, so that there are no others.
    """
    X, y, params = data
    splitter = copy.copy(check_cv(cv, y, classifier=classifier))
    if "random_state" not in inspect.signature(type(splitter)).parameters:
        raise ValueError(
            f"`n_repeats` must be of a `cv` that draws its splits at random; got {n_repeats} of "
            f"{type(splitter).__name__.lstrip('_')}. Give further splits as `cv`."
        )
    repeated = hasattr(splitter, "n_repeats")
    if repeated and isinstance(splitter.random_state, Integral):
        n_folds = splitter.get_n_splits(X, y, **params) // splitter.n_repeats
        # However many of those that there are were its own: the first that are new, come next.
        splitter.n_repeats = math.ceil(len(known) / n_folds) + n_repeats
        splits = list(splitter.split(X, y, **params))
        keys = split_keys(splits, _num_samples(X))
        new = [split for split, key in zip(splits, keys, strict=True) if key not in known]
        return new[: n_repeats * n_folds]
    if hasattr(splitter, "shuffle"):
        splitter.shuffle = True
    splits = []
    seeds = _seeds(known)
    if repeated:
        splitter.n_repeats, n_repeats = n_repeats, 1
    for _ in range(n_repeats):
        splitter.random_state = next(seeds)
        splits += splitter.split(X, y, **params)
    return splits


def is_shuffled(cv: Any, y: Any, *, classifier: bool) -> bool:
    """Whether the splits of `cv` are drawn at random."""
    return bool(getattr(check_cv(cv, y, classifier=classifier), "shuffle", True))


def _seeds(known: Collection[str]) -> Iterator[int]:
    """Seeds that follow from the splits that there are; of other splits, others."""
    digest = hashlib.sha256(" ".join(sorted(known)).encode()).digest()
    first = int.from_bytes(digest[:4], "big")
    while True:
        yield first % 2**32
        first += 1
