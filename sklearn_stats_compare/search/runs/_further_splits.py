"""Further repeats of a cross-validation that do not repeat the splits of the search."""

import copy
import hashlib
import inspect
import math
import sys
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from numbers import Integral
from typing import Any

from sklearn.model_selection import check_cv

from sklearn_stats_compare.search._sklearn_private import num_samples
from sklearn_stats_compare.stats import SplitDesign, n_repeated, split_keys

Splits = list[tuple[Any, Any]]

_ALIKE = 0.05
"""The largest relative difference of mean training sizes of splits that go together."""
_TRIES = 100
"""Most repeats with splits that the search has already, before no others are expected."""
_N_SEEDS = 2**32
"""`numpy.random.RandomState` takes seeds from 0 to one less."""


class NoFurtherSplitsError(ValueError):
    """A splitter can make no other splits of such data."""


def further_repeats(
    cv: Any,
    n_repeats: int,
    data: tuple[Any, Any, Mapping[str, Any]],
    known: Collection[str],
    *,
    classifier: bool,
) -> Splits:
    """Splits of the next `n_repeats` repeats of `cv`.

    A repeated splitter with an integer seed makes its own next repeats. Other splitters shuffle
    with new seeds. These are computed from the splits so far, so the result is reproducible.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        As for scikit-learn's searches.
    n_repeats : int
        Number of repeats.
    data : (X, y, dict)
        What is split, and what is routed to the splitter.
    known : collection of str
        Keys of the splits so far.
    classifier : bool
        Whether the estimator is a classifier, for which scikit-learn stratifies.

    Raises
    ------
    ValueError
        If the splits of `cv` are not drawn at random, or there are no others.
    """
    X, y, _ = data
    # A copy: `_repeats` sets attributes on it, and the splitter is the user's.
    splitter = copy.copy(check_cv(cv, y, classifier=classifier))
    # `check_cv` wraps an iterable of splits in `_CVIterableWrapper`, which draws nothing.
    if "random_state" not in inspect.signature(type(splitter)).parameters:
        raise ValueError(
            f"`n_repeats` must come with a `cv` that draws splits at random; got {n_repeats} with "
            f"{type(splitter).__name__.lstrip('_')}. Pass further splits as `cv`."
        )
    made: Splits = []
    taken = set(known)
    for repeat in islice(_repeats(splitter, data, known), _TRIES + n_repeats):
        keys = split_keys(repeat, num_samples(X))
        # Few samples or groups have few partitions, and a new seed may draw one again.
        if not n_repeated(keys, taken):
            made += repeat
            taken |= set(keys)
            n_repeats -= 1
        if not n_repeats:
            return made
    raise NoFurtherSplitsError(
        "`n_repeats` must not exceed the possible repeats: with so few samples or groups "
        f"{type(splitter).__name__} makes no further splits. Pass other splits as `cv`."
    )


def check_alike(design: SplitDesign, further: SplitDesign) -> None:
    """Raise ValueError if further splits train on more or less data than those so far.

    A mean over both would be one of models that saw different amounts of data. Mean training sizes
    may differ by 5 %, as those of 20 and of 40 folds do not, and those of 5 and of 10 folds do; or,
    where sizes vary from split to split (groups, windows), by two standard errors of the means.
    """
    before, after = design.n_train, further.n_train
    # Means of random sizes differ by chance, by less than this in 95 of 100 cases.
    by_chance = 2 * math.sqrt(before.var() / before.size + after.var() / after.size)
    if abs(after.mean() - before.mean()) > max(_ALIKE * before.mean(), by_chance):
        raise ValueError(
            f"`cv` must make splits that train on as many samples as those so far, "
            f"{before.mean():.4g} on average, to within {100 * _ALIKE:g} %; got "
            f"{after.mean():.4g}. Scores of models trained on more or less data are not "
            "comparable: use a splitter with the same share of training samples, such as the same "
            "number of folds."
        )


def check_new(keys: Collection[str], known: Collection[str]) -> None:
    """Raise ValueError if further splits repeat splits that are known, or each other."""
    again = n_repeated(keys, known)
    if again:
        raise ValueError(
            f"`cv` must not repeat splits that were already evaluated; {again} of its "
            f"{len(keys)} are repeated."
        )


def _repeats(
    splitter: Any, data: tuple[Any, Any, Mapping[str, Any]], known: Collection[str]
) -> Iterator[Splits]:
    """Repeats of `splitter`, without end: its own, or with new seeds."""
    X, y, params = data
    if hasattr(splitter, "n_repeats"):
        n_folds = splitter.get_n_splits(X, y, **params) // splitter.n_repeats
        if isinstance(splitter.random_state, Integral):
            # `_RepeatedSplits.split` draws all repeats from one generator, lazily: the same seed
            # makes the known repeats again, and then the next ones.
            splitter.n_repeats = sys.maxsize
            series = iter(splitter.split(X, y, **params))
            # Skip its repeats that the search has, however many of the known splits are its own.
            for _ in range(math.ceil(len(known) / n_folds)):
                repeat = list(islice(series, n_folds))
                if split_keys(repeat, num_samples(X))[0] not in known:
                    yield repeat
            while True:
                yield list(islice(series, n_folds))
        # Without a number as seed it draws others each time: one repeat for each seed below.
        splitter.n_repeats = 1
    if hasattr(splitter, "shuffle"):
        splitter.shuffle = True  # else KFold makes the same splits whatever its seed
    for seed in _seeds(known):
        splitter.random_state = seed
        yield list(splitter.split(X, y, **params))


def is_shuffled(cv: Any, y: Any, *, classifier: bool) -> bool:
    """Whether the splits of `cv` are drawn at random."""
    # Splitters such as ShuffleSplit always draw, and have no `shuffle`.
    return bool(getattr(check_cv(cv, y, classifier=classifier), "shuffle", True))


def _seeds(known: Collection[str]) -> Iterator[int]:
    """Seeds that follow from the splits so far; of other splits, others."""
    # Not hash(), which differs between processes for text (PYTHONHASHSEED).
    digest = hashlib.sha256(" ".join(sorted(known)).encode()).digest()
    first = int.from_bytes(digest[:4], "big")
    while True:
        yield first % _N_SEEDS
        first += 1
