"""Extension: further splits of the same data, for candidates that have all those so far."""

import copy
import hashlib
import inspect
import math
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from numbers import Integral
from typing import Any

from sklearn.base import is_classifier
from sklearn.model_selection import check_cv

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import ComparisonWarning, outside_level
from sklearn_stats_compare.search.runs._plans import Chosen, Given, PlanResult, PlanRun
from sklearn_stats_compare.search.runs._settings import Looked, Looking, looks_so_far, stop_reason
from sklearn_stats_compare.stats._design import SplitDesign, n_repeated, split_keys
from sklearn_stats_compare.stats._scores import SplitScores


@dataclass(frozen=True, eq=False)
class Extent:
    """The size of an extension, and when it stops.

    Attributes
    ----------
    rows : ndarray of int
        The candidates that are evaluated.
    further : int, splitter, iterable or None
        Makes the further splits. If None, they are repeats of the search's own `cv`.
    n_repeats : int
        Number of repeats; with `until`, the number added at a time.
    looking : Looking or None
        Look at the scores after each repeat, until no pair is undecided or further repeats would
        decide none.
    max_fits : int
        The most fits, with `looking`.
    metric : str or None
        The metric of the looks.
    scores : callable
        Returns the scores for a look, from a ledger, a design, candidates and the metric.
    more : mapping of str to array
        Columns of ``cv_results_`` that are kept.
    fitted : mapping of str to object
        Fitted attributes that are kept.
    looked : Looked or None
        The looks of an earlier extension, which still count.
    """

    rows: Chosen
    further: Any
    n_repeats: int
    looking: Looking | None
    max_fits: int
    metric: str | None
    scores: Callable[..., SplitScores]
    more: Mapping[str, Any]
    fitted: Mapping[str, Any]
    looked: Looked | None


class Extension:
    """The plan of an extension.

    Parameters
    ----------
    given : Given
        The arguments of ``fit``, which are passed again.
    extent : Extent
        The size of the extension.
    """

    def __init__(self, given: Given, extent: Extent) -> None:
        self.looked = extent.looked
        self.rows: Chosen | None = extent.rows
        before = None if extent.looked is None else extent.looked.looking
        looking = extent.looking or before
        # Looks have a lower level, which a comparison of the ledger must keep.
        self.settings = None if looking is None else looking.settings
        self._given = given
        self._extent = extent
        self._columns: Chosen
        self.n_fits = extent.max_fits
        self._n_made = 0

    def size(self, run: PlanRun) -> tuple[int, int, int | None]:
        """The extended candidates, on the further splits only."""
        most = None if self._extent.looking is None else self._extent.max_fits
        return self._extent.rows.size, self._columns.size, most

    def begin(self, run: PlanRun) -> int:
        """Take the first of the further splits."""
        extent = self._extent
        self._columns = self._take(run)
        if extent.looking is None:
            self.n_fits = int(run.ledger.lacks(extent.rows, self._columns).sum())
            return run.ledger.block_size(extent.rows, self._columns)
        # Before the first fit: `max_fits` must allow at least one repeat.
        n_fits = extent.rows.size * self._columns.size
        if n_fits > extent.max_fits:
            raise ValueError(
                f"`max_fits` must allow for {count(extent.n_repeats, 'repeat')}, which takes "
                f"{n_fits:,} fits; got {extent.max_fits:,}."
            )
        # Each look needs a whole repeat, so a block is one repeat for each candidate.
        return self._columns.size

    def evaluate(self, run: PlanRun) -> PlanResult:
        """Fit the further splits; with `until`, look after each repeat."""
        result = PlanResult(dict(self._extent.more), dict(self._extent.fitted))
        self._fit(run)
        if self._extent.looking is not None:
            result.attributes.update(self._add_repeats(run, self._extent.looking))
        n_evaluated, n_splits = run.n_evaluated, run.ledger.n_splits
        # cv_results_ has NaN on the further splits for candidates that were left out.
        if (n_evaluated < n_splits).any():
            result.columns["n_splits_evaluated"] = n_evaluated
        if "n_fits_" in result.attributes:  # the extension of a race
            # A new int: the record before keeps its own.
            result.attributes["n_fits_"] += self._n_made
            result.attributes["n_fits_full_"] = len(run.candidates) * n_splits
        return result

    def _take(self, run: PlanRun) -> Chosen:
        cv, n_repeats, further = self._given.cv, self._extent.n_repeats, self._extent.further
        if further is not None:
            # Scores are averaged over both, so the models must be trained on as much data.
            return run.take(further, of_any_size=False)
        # scikit-learn stratifies folds of a classifier, and so must further ones.
        classifier = is_classifier(self._given.options.estimator)
        splits = further_repeats(
            cv, n_repeats, run.data, set(run.split_keys), classifier=classifier
        )
        # Once: the first extension alone goes from unshuffled splits to shuffled ones.
        if run.n_batches == 1 and not is_shuffled(cv, run.data[1], classifier=classifier):
            warnings.warn(
                "The splits of this search were not shuffled, but its further repeats are "
                "shuffled: if the order of the samples matters, the scores of the two are not "
                "comparable.",
                ComparisonWarning,
                stacklevel=outside_level(),
            )
        return run.take(splits)

    def _fit(self, run: PlanRun) -> None:
        self._n_made += self._extent.rows.size * self._columns.size
        run.run_all(self._extent.rows, self._columns)

    def _add_repeats(self, run: PlanRun, looking: Looking) -> dict[str, Any]:
        """Add repeats until all is decided, cannot be decided, or costs more than `max_fits`.

        Returns the reason for stopping and the looks, as fitted attributes.
        """
        rows, metric, max_fits = self._extent.rows, self._extent.metric, self._extent.max_fits
        assert metric is not None
        looks: list[dict[str, int]] = []
        while True:
            assert run.design is not None
            scores = self._extent.scores(run.ledger, run.design, rows.tolist(), metric)
            found = looking.undecided(scores)
            looks.append(
                {
                    "look": len(looks) + 1,
                    "n_splits": run.ledger.n_splits,
                    "n_fits": self._n_made,
                    "possibly_best": found.n_candidates,
                    "pairs": found.n_pairs,
                    "undecided": found.n_open,
                    "out_of_reach": found.n_out_of_reach,
                }
            )
            stop = stop_reason(found)
            # Before the next repeat, which may not be stopped halfway.
            if stop is None and self._n_made + rows.size * self._columns.size > max_fits:
                stop = "max_fits"
            if stop is not None:
                break
            try:
                self._columns = self._take(run)
            # The repeats so far are valid: the extension ends normally, and says why.
            except NoFurtherSplitsError:
                stop = "exhausted"
                break
            self._fit(run)
        self.looked, fitted = looks_so_far(stop, found, looks, looking)
        return fitted


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
        keys = split_keys(repeat, count_samples(X))
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
                if split_keys(repeat, count_samples(X))[0] not in known:
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
