"""Extension: further splits of the same data, for candidates that have all those so far."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sklearn.base import is_classifier

from sklearn_stats_compare._messages import ComparisonWarning, count, outside_level
from sklearn_stats_compare.search.runs._further_splits import (
    NoFurtherSplitsError,
    further_repeats,
    is_shuffled,
)
from sklearn_stats_compare.search.runs._looking import Looked, Looking, looks_so_far, stop_reason
from sklearn_stats_compare.search.runs._plan import Chosen, Given, PlanResult, PlanRun
from sklearn_stats_compare.stats import SplitScores


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
                "The splits of `fit` were not shuffled, but the further repeats are. If the order "
                "of the samples matters, the two do not measure the same.",
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
