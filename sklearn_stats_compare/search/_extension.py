"""Extension: further splits of the same data, for candidates that have all those so far."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import is_classifier

from sklearn_stats_compare._messages import ComparisonWarning, count, outside_level
from sklearn_stats_compare.comparison import Comparison, Undecided
from sklearn_stats_compare.search._further_splits import (
    NoFurtherSplitsError,
    further_repeats,
    is_shuffled,
)
from sklearn_stats_compare.stats import SplitDesign, SplitScores, level_of_a_look

if TYPE_CHECKING:
    from sklearn_stats_compare.search._block_run import BlockRun

_HISTORY = ["look", "n_splits", "n_fits", "possibly_best", "pairs", "undecided", "out_of_reach"]


class Extension:
    """The plan of an extension.

    Parameters
    ----------
    search : BaseSearchCV
        That is extended.
    cv : int, splitter, iterable or None
        The search's own, which is repeated.
    rows : ndarray of int
        The candidates that are evaluated.
    further : int, splitter, iterable or None
        Makes the further splits. None: they are repeats of `cv`.
    n_repeats : int
        Number of repeats, of `until` at a time.
    looking : Looking, optional
        Look at the scores after each repeat, until no pair is undecided or the undecided ones
        would remain so.
    max_fits : int
        The most fits, with `looking`.
    metric : str, optional
        The metric that is looked at.
    more : mapping of str to array
        Columns of ``cv_results_`` that are kept.
    left : mapping of str to object
        Fitted attributes that are kept.
    """

    def __init__(
        self,
        search: Any,
        cv: Any,
        rows: NDArray[np.intp],
        *,
        further: Any,
        n_repeats: int,
        looking: "Looking | None",
        max_fits: int,
        metric: str | None,
        more: Mapping[str, Any],
        left: Mapping[str, Any],
    ) -> None:
        self._search = search
        self._cv = cv
        self._rows = rows
        self._further = further
        self._n_repeats = n_repeats
        self._max_fits = max_fits
        self._metric = metric
        self._more = more
        self._left = dict(left)
        self._looking = looking
        self._columns: NDArray[np.intp] = np.arange(0)
        self._n_fits = 0

    def begin(self, run: "BlockRun") -> int:
        """Take the first of the further splits."""
        self._columns = self._take(run)
        if self._looking is not None:
            n_fits = self._rows.size * self._columns.size
            if n_fits > self._max_fits:
                raise ValueError(
                    f"`max_fits` must allow for {count(self._n_repeats, 'repeat')}, which takes "
                    f"{n_fits:,} fits; got {self._max_fits:,}."
                )
            return self._columns.size
        return run.block_size(self._rows, self._columns)

    def evaluate(self, run: "BlockRun") -> dict[str, Any]:
        """Fit the further splits, and with `until` look after each repeat."""
        self._fit(run)
        if self._looking is not None:
            self._go_on(run, self._looking)
        n_evaluated = run.n_evaluated
        if (n_evaluated < run.n_splits).any():
            return {**self._more, "n_splits_evaluated": n_evaluated}
        return dict(self._more)

    def left(self, run: "BlockRun") -> dict[str, Any]:
        """What it stopped for, if it looked, and what a race left."""
        if "n_fits_" in self._left:
            self._left["n_fits_"] += self._n_fits
            self._left["n_fits_full_"] = len(run.candidates) * run.n_splits
        return self._left

    def _take(self, run: "BlockRun") -> NDArray[np.intp]:
        if self._further is not None:
            return run.take(self._further, of_any_size=False)
        classifier = is_classifier(self._search.estimator)
        splits = further_repeats(
            self._cv, self._n_repeats, run.data, set(run.split_keys), classifier=classifier
        )
        if run.n_batches == 1 and not is_shuffled(self._cv, run.data[1], classifier=classifier):
            warnings.warn(
                "The splits of this search were not shuffled, and its further repeats are: where "
                "the order of the samples means something, the two do not measure the same.",
                ComparisonWarning,
                stacklevel=outside_level(),
            )
        return run.take(splits)

    def _fit(self, run: "BlockRun") -> None:
        self._n_fits += self._rows.size * self._columns.size
        run.run_all(self._rows, self._columns)

    def _go_on(self, run: "BlockRun", looking: "Looking") -> None:
        """Repeat until there is nothing left to decide, or no use in it, or no fits."""
        assert self._metric is not None
        looks: list[dict[str, int]] = []
        while True:
            assert run.design is not None
            values = run.ledger.scores(self._rows, range(run.n_splits), self._metric)
            found = looking.undecided(SplitScores(values, run.design))
            looks.append(
                {
                    "look": len(looks) + 1,
                    "n_splits": run.n_splits,
                    "n_fits": self._n_fits,
                    "possibly_best": found.n_candidates,
                    "pairs": found.n_pairs,
                    "undecided": found.n_open,
                    "out_of_reach": found.n_out_of_reach,
                }
            )
            stop = stops_for(found)
            if (
                stop is None
                and self._n_fits + self._rows.size * self._columns.size > self._max_fits
            ):
                stop = "max_fits"
            if stop is not None:
                break
            try:
                self._columns = self._take(run)
            except NoFurtherSplitsError:
                stop = "exhausted"
                break
            self._fit(run)
        self._left |= what_looks_leave(stop, found, looks, looking)


def stops_for(found: Undecided) -> str | None:
    """Why to evaluate no further repeat: "decided", "floor", or None where there is no reason."""
    if not found.n_open:
        return "decided"
    return "floor" if found.n_out_of_reach == found.n_open else None


@dataclass(frozen=True)
class Looking:
    """The level of verdicts on scores that are looked at several times.

    Attributes
    ----------
    settings : dict
        Those of the comparison, `alpha` being the level of each look.
    alpha : float
        Level of all looks together.
    n_looks : int
        Looks that there can be, those of earlier extensions and of the scores at hand included.
    """

    settings: dict[str, Any]
    alpha: float
    n_looks: int

    @classmethod
    def planned(
        cls, settings: dict[str, Any], design: SplitDesign, *, n_candidates: int,
        repeats_at_a_time: int, max_fits: int, n_looks_before: int,
    ) -> "Looking":  # fmt: skip
        """The looks that `max_fits` allows for, after those there were."""
        step = design.splits_per_repeat * repeats_at_a_time
        n_looks = n_looks_before + 1 + max_fits // (n_candidates * step)
        n_pairs = n_candidates * (n_candidates - 1) // 2 if settings["p_adjust"] else 1
        alpha = settings["alpha"]
        level = level_of_a_look(design, step, n_looks, alpha, n_pairs)
        return cls({**settings, "alpha": level}, alpha, n_looks)

    def undecided(self, scores: SplitScores) -> Undecided:
        """What one look finds."""
        return Undecided.of(Comparison(scores, warn=False, **self.settings))

    @property
    def note(self) -> str:
        """Why the verdicts are at another level than was asked for."""
        return (
            f"Verdicts and intervals are at alpha = {self.settings['alpha']:.3g}, so that all "
            f"{count(self.n_looks, 'look')} that there could be together keep "
            f"{self.alpha:g}."
        )


def what_looks_leave(
    stop: str, found: Undecided, looks: Sequence[Mapping[str, int]], looking: Looking
) -> dict[str, Any]:
    """Fitted attributes of an extension that looked, or need not be made."""
    return {
        "extension_history_": pd.DataFrame(looks, columns=_HISTORY),
        "extension_stop_": stop,
        "_note": f"{_told(stop, found, len(looks))} {looking.note}",
        "_looking": looking,
        "_settings": looking.settings,
    }


def _told(stop: str, found: Undecided, n_looks: int) -> str:
    """What an extension stopped for, in a sentence that goes with the scores."""
    after = f"Extended a repeat at a time, with {count(n_looks, 'look')} at the scores"
    if n_looks == 0:
        after = "Not extended"
    if found.n_candidates == 1:
        return f"{after}: a single candidate may be the best."
    candidates = f"the {count(found.n_candidates, 'candidate')} that may be the best"
    if stop == "decided":
        return f"{after}: no pair of {candidates} is undecided."
    are = "is" if found.n_open == 1 else "are"
    left = f"{found.n_open:,} of {count(found.n_pairs, 'pair')} of {candidates} {are} undecided"
    if stop == "floor":
        return f"{after}: {left}, and by these scores no number of repeats would change that."
    ended = "`max_fits`" if stop == "max_fits" else "there were no further repeats"
    return f"{after}, until {ended}: {left}."
