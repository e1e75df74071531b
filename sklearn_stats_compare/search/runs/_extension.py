"""Extension: further splits of the same data, as many as asked for or until pairs are decided."""

from __future__ import annotations

import copy
import hashlib
import inspect
import math
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count as count_from
from itertools import islice
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import warn_user
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._planning import InterimAnalyses, Undecided
from sklearn_stats_compare.comparison.readers._sizes import single_metric_name
from sklearn_stats_compare.search.ledger._ledger import Cell
from sklearn_stats_compare.search.runs._plans import Chosen, FitContext, Plan, PlanResult
from sklearn_stats_compare.stats._design import SplitDesign, n_repeated, split_keys
from sklearn_stats_compare.stats._scores import SplitScores

if TYPE_CHECKING:
    from sklearn_stats_compare.search.runs._run import Run


@dataclass(frozen=True, eq=False)
class Extent:
    """The size of an extension, and when it stops.

    Attributes
    ----------
    rows : ndarray of int
        The candidates that are evaluated.
    n_repeats : int
        Number of repeats; with `until`, the number added at a time.
    scores : callable
        Returns the scores for an analysis, from a ledger, a design, candidates and the metric.
    earlier : InterimAnalyses or None
        Those of an earlier extension, which still count.
    further : int, splitter, iterable or None
        Makes the further splits. If None, they are repeats of the search's own `cv`.
    interim : InterimAnalyses or None
        Analyse the scores after each repeat, until no pair is undecided or further repeats would
        decide none.
    max_fits : int
        The most fits, with `interim`.
    metric : str or None
        The metric of these analyses.
    more : mapping of str to array
        Columns of ``cv_results_`` that are kept.
    fitted : mapping of str to object
        Fitted attributes that are kept.
    are_probes : bool, default=False
        Whether scores are not averaged over these splits and those so far.
    """

    rows: Chosen
    n_repeats: int
    scores: Callable[..., SplitScores]
    earlier: InterimAnalyses | None
    further: Any = None
    interim: InterimAnalyses | None = None
    max_fits: int = 0
    metric: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    fitted: Mapping[str, Any] = field(default_factory=dict)
    are_probes: bool = False


class Extension(Plan):
    """The plan of an extension.

    Parameters
    ----------
    given : FitContext
        The arguments of ``fit``, which are passed again.
    extent : Extent
        The size of the extension.
    """

    def __init__(self, given: FitContext, extent: Extent) -> None:
        self.interim = extent.earlier
        self.rows = extent.rows
        self.adds_splits = not extent.are_probes
        # Such analyses have a lower level, which a comparison of the ledger must keep.
        planned = extent.interim or extent.earlier
        self.settings = None if planned is None else planned.settings
        self._given = given
        self._extent = extent
        self._columns: Chosen
        self._before: NDArray[np.bool_]  # the cells that were evaluated before
        self.n_fits = extent.max_fits
        self._looks: list[dict[str, int]] = []
        self._found: Undecided | None = None
        self._stop: str | None = None

    def begin(self, run: Run) -> None:
        """Take the first of the further splits."""
        extent = self._extent
        self._before = run.ledger.ran
        self._columns = self._take(run)
        most = None if extent.interim is None else extent.max_fits
        self.size = extent.rows.size, self._columns.size, most
        if extent.interim is None:
            self.n_fits = int(run.ledger.lacks(extent.rows, self._columns).sum())
            return
        # Before the first fit: `max_fits` must allow at least one repeat.
        n_fits = extent.rows.size * self._columns.size
        if n_fits > extent.max_fits:
            raise ValueError(
                f"`max_fits` must allow for {count(extent.n_repeats, 'repeat')}, which takes "
                f"{n_fits:,} fits; got {extent.max_fits:,}."
            )

    def cells(self, run: Run) -> Iterator[Cell]:
        """The further splits so far; with `until` also those that the analyses ask for."""
        rows, interim = self._extent.rows, self._extent.interim
        while (
            interim is not None
            and self._stop is None
            and not run.ledger.lacks(rows, self._columns).any()
        ):
            self._look(run, interim)
        # All splits of a candidate, then those of the next, as scikit-learn.
        yield from ((int(row), int(column)) for row in rows for column in self._columns)

    def end(self, run: Run, *, cut: bool) -> PlanResult:
        """The splits before, and the further ones."""
        asked = np.pad(self._before, ((0, 0), (0, run.n_splits - self._before.shape[1])))
        asked[np.ix_(self._extent.rows, np.arange(self._before.shape[1], run.n_splits))] = True
        n_made = self._extent.rows.size * (run.n_splits - self._before.shape[1])
        result = PlanResult(asked, dict(self._extent.more), dict(self._extent.fitted))
        if self._extent.interim is not None:
            assert self._stop is not None
            assert self._found is not None
            looked_at = name_of_metric(self._extent.metric, self._given.options)
            self.interim, fitted = self._extent.interim.ended(
                self._stop, self._found, self._looks, looked_at
            )
            result.attributes.update(fitted)
        # cv_results_ has NaN on the further splits for candidates that were left out.
        n_evaluated = asked.sum(axis=1)
        if (n_evaluated < run.n_splits).any():
            result.columns["n_splits_evaluated"] = n_evaluated
        if "n_fits_" in result.attributes:  # the extension of a race
            # A new int: the record before keeps its own.
            result.attributes["n_fits_"] += n_made
            result.attributes["n_fits_full_"] = len(run.candidates) * run.n_splits
        return result

    def _look(self, run: Run, interim: InterimAnalyses) -> None:
        """Analyse the scores; take another repeat unless all is decided, or nothing can be."""
        rows, metric, max_fits = self._extent.rows, self._extent.metric, self._extent.max_fits
        assert metric is not None
        assert run.design is not None
        n_made = rows.size * (run.n_splits - self._before.shape[1])
        scores = self._extent.scores(run.ledger, run.design, rows.tolist(), metric)
        self._found = found = undecided(scores, interim)
        self._looks.append(
            {
                "look": len(self._looks) + 1,
                "n_splits": run.n_splits,
                "n_fits": n_made,
                "possibly_best": found.n_candidates,
                "pairs": found.n_pairs,
                "undecided": found.n_open,
                "out_of_reach": found.n_out_of_reach,
            }
        )
        self._stop = found.stop_reason
        # Before the next repeat, which may not be stopped halfway.
        if self._stop is None and n_made + rows.size * self._columns.size > max_fits:
            self._stop = "max_fits"
        if self._stop is None:
            try:
                self._columns = self._take(run)
            # The repeats so far are valid: the extension ends normally, and says why.
            except NoFurtherSplitsError:
                self._stop = "exhausted"

    def _take(self, run: Run) -> Chosen:
        cv, n_repeats, further = self._given.cv, self._extent.n_repeats, self._extent.further
        if further is not None:
            return run.take(further)
        # scikit-learn stratifies folds of a classifier, and so must further ones.
        classifier = is_classifier(self._given.options.estimator)
        splits = further_repeats(
            cv, n_repeats, run.data, set(run.split_keys), classifier=classifier
        )
        # Once: the first extension alone goes from unshuffled splits to shuffled ones.
        # Splitters such as ShuffleSplit always draw, and have no `shuffle`.
        splitter = check_cv(cv, run.data[1], classifier=classifier)
        is_first = run.n_batches == 1 and not self._extent.are_probes
        if is_first and not getattr(splitter, "shuffle", True):
            warn_user(
                "The splits of this search were not shuffled, but its further repeats are "
                "shuffled: if the order of the samples matters, the scores of the two are not "
                "comparable.",
                "shuffled-repeats",
            )
        return run.take(splits)


def name_of_metric(metric: str | None, options: Any) -> str:
    """What is called "score" in the results of a search by one metric has a name."""
    return metric if metric and metric != "score" else single_metric_name(options)


def undecided(scores: SplitScores, interim: InterimAnalyses) -> Undecided:
    """What one analysis finds."""
    # Without warnings: the comparison of the fitted search gives them, once.
    return Undecided.of(Comparison(scores, warn=False, **interim.settings))


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
    if not draws_at_random(splitter):
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


def draws_at_random(splitter: Any) -> bool:
    """Whether further repeats can be drawn; not by the wrapper of `check_cv` for given splits."""
    return "random_state" in inspect.signature(type(splitter)).parameters


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
    # Seeds that follow from the splits so far; of other splits, others. Not hash(), which differs
    # between processes for text (PYTHONHASHSEED).
    digest = hashlib.sha256(" ".join(sorted(known)).encode()).digest()
    for seed in count_from(int.from_bytes(digest[:4], "big")):
        splitter.random_state = seed % _N_SEEDS
        yield list(splitter.split(X, y, **params))
