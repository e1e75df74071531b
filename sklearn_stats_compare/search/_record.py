"""FitRecord: everything that a fit leaves on a search, apart from scikit-learn's attributes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import sentence
from sklearn_stats_compare.comparison import (
    Comparison,
    DataMarks,
    candidate_labels,
    chosen_by_search,
    headline,
    is_fixed,
    joined_notes,
    kept_by_halving,
    metrics_of,
    split_scores,
    survivors,
    warn_of_last_iteration,
)
from sklearn_stats_compare.predictions import Predicted, Scoring
from sklearn_stats_compare.search.ledger import Column, Identity, Ledger, Outline, mark_of_splits
from sklearn_stats_compare.search.runs import Evaluated, Looked
from sklearn_stats_compare.stats import SampleScores, SplitDesign, SplitScores, pair_test

# Threads that ask at once get one comparison, and one warning. It takes milliseconds, so one lock
# serves all searches; pickle would refuse one on each search. A warning may be shown by code that
# asks the search again, hence reentrant.
_MAKING_A_COMPARISON = RLock()


@dataclass(frozen=True, eq=False)
class FitRecord:
    """What a fit leaves for its tables, and to be extended.

    Attributes
    ----------
    evaluated : Evaluated
        The outcomes, and the splits that they are of.
    outline : Outline
        Marks of what ``fit`` was given.
    identity : Identity or None
        With a ledger, what the outcomes belong to.
    ledger : (str, Path) or None
        The ledger as the user gave it, and where it is: the working directory may change between a
        fit and its extension.
    settings : mapping
        Of comparisons, as they were when ``fit`` was called.
    metric : str or None
        The metric that attributes speak of, as ``cv_results_`` calls it; None where several were
        scored and `refit` names none.
    metric_name : str
        What people call a single metric.
    selection : DataFrame or None
        The report of the rule in `refit`.
    looked : Looked or None
        Looks at the scores that were taken before; their level and their note go first.
    scoring : Scoring or None
        What predictions were scored with, where they are kept.
    cut : str
        Where `max_time` cut the search, as a sentence; empty if it finished.
    searched_by : str
        Name of the class of the search.
    names : tuple of str
        Fitted attributes of the search, which the next fit replaces.
    """

    evaluated: Evaluated
    outline: Outline
    identity: Identity | None
    ledger: tuple[str, Path] | None
    settings: Mapping[str, Any]
    metric: str | None
    metric_name: str
    selection: pd.DataFrame | None
    looked: Looked | None
    scoring: Scoring | None = None
    cut: str = ""
    searched_by: str = ""
    names: tuple[str, ...] = ()
    _comparisons: dict[tuple[str, bool], Comparison] = field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # A relative path may lead elsewhere on another machine. Comparisons are made again.
        return {**vars(self), "ledger": None, "_comparisons": {}}

    def without_scores(self, known: Mapping[Column, NDArray[np.float64]]) -> Self:
        """The same without the scores that ``cv_results_`` has, and without comparisons."""
        ledger = self.evaluated.ledger.without_scores(known)
        return replace(self, evaluated=replace(self.evaluated, ledger=ledger), _comparisons={})

    def with_scores(self, known: Mapping[Column, NDArray[np.float64]]) -> Self:
        """The same with the scores that `without_scores` left out."""
        ledger = self.evaluated.ledger.with_scores(known)
        return replace(self, evaluated=replace(self.evaluated, ledger=ledger))

    def without_predictions(self) -> Self:
        """The same without what candidates predicted, and without what was made of it."""
        evaluated = replace(self.evaluated, ledger=self.evaluated.ledger.without_responses())
        kept = {
            key: replace(made, predicted=None, warn=False)
            for key, made in self._comparisons.items()
            if not key[1]
        }
        return replace(self, evaluated=evaluated, scoring=None, _comparisons=kept)

    def at_stage(self, number: int) -> Self:
        """The same as if a halving search had ended with this iteration, without predictions."""
        evaluated = self.evaluated
        stage = evaluated.stages[number]
        evaluated = replace(
            evaluated,
            design=stage.design,
            split_keys=stage.split_keys,
            ledger=evaluated.ledger.without_responses(),
            stages=evaluated.stages[: number + 1],
        )
        return replace(self, evaluated=evaluated, scoring=None, _comparisons={})

    def looked_again(self, looked: Looked, names: tuple[str, ...]) -> Self:
        """The same after a look that asked for no further splits."""
        return replace(self, looked=looked, names=names, _comparisons={})

    @property
    def design(self) -> SplitDesign:
        """Of the splits that were used; AttributeError where they were not recorded."""
        design = self.evaluated.design
        if design is None:
            raise AttributeError(
                "The sizes of the splits were not recorded: this search overrides `_run_search`, "
                "or its splits are not indices."
            )
        return design

    def own_metric(self, cv_results: Mapping[str, Any], then: str = "") -> str:
        """The metric that the attributes speak of.

        Where there is no one metric, the error says which call to use instead: `compare` with a
        metric, and `then` what was asked for.
        """
        if self.evaluated.design is None or self.metric is None:
            _ = self.design  # raises the other AttributeError where the sizes are missing
            metrics = metrics_of(cv_results)
            raise AttributeError(
                f"This search scored {len(metrics)} metrics, and `refit` names none of them; use "
                f"`search.compare(metric={metrics[0]!r}){then}`. The metrics are "
                f"{', '.join(metrics)}."
            )
        return self.metric

    def comparison(
        self, cv_results: Mapping[str, Any], metric: str, *, by_samples: bool | None = None
    ) -> Comparison:
        """Comparison of the candidates with a score on every split, made once.

        It says so where others have none. `by_samples` adds the value of every sample; default:
        where the test of the search needs them.
        """
        if by_samples is None:
            by_samples = not pair_test(self.settings["test"]).of_splits
        key = metric, by_samples
        with _MAKING_A_COMPARISON:
            if key not in self._comparisons:
                self._comparisons[key] = self._new_comparison(cv_results, metric, by_samples)
            return self._comparisons[key]

    def _new_comparison(
        self, cv_results: Mapping[str, Any], metric: str, by_samples: bool, warn: bool = True
    ) -> Comparison:
        scores = split_scores(cv_results, metric, self.design)
        params = cv_results["params"]
        # The splits are the same for every metric.
        warn = warn and not any(known == by_samples for _, known in self._comparisons)
        stages = self.evaluated.stages
        if stages:
            rows, arguments = self._last_stage(len(params), warn)
        else:
            rows, arguments = survivors(cv_results, metric)
        note = "" if self.looked is None else self.looked.note
        arguments["note"] = joined_notes(arguments.get("note"), note, self.cut)
        labels = None
        # Labels leave out what all candidates share; the survivors keep theirs from among all.
        # Those of a stage have the same settings in the stages before.
        if len(rows) < len(params) and not stages:
            labels = candidate_labels(params).of(rows)
        settings = self.settings if self.looked is None else self.looked.looking.settings
        if by_samples == pair_test(settings["test"]).of_splits:
            # Until `compare` names another: the warning must be of the kind that is asked for.
            settings = {**settings, "test": "samples" if by_samples else "corrected_t"}
        scores = scores.subset(rows)
        ledger = self.evaluated.ledger
        if by_samples:
            samples = samples_of(ledger, self.scoring, scores, rows.tolist(), metric)
            scores = replace(scores, samples=samples)
        predicted = predicted_of(ledger, self.scoring, scores, rows.tolist(), metric)
        return Comparison(
            scores,
            labels,
            params=[params[i] for i in rows],
            metric=self.metric_name if metric == "score" else metric,
            predicted=predicted,
            warn=warn,
            **settings,
            **arguments,
        )

    def _last_stage(self, n_rows: int, warn: bool) -> tuple[NDArray[np.intp], dict[str, Any]]:
        """Rows of the candidates that are compared, and arguments of a `Comparison`."""
        stages = self.evaluated.stages
        rows = np.array(stages[-1].rows, dtype=np.intp)
        halving = stages[-1].n_resources is not None
        notes: list[str] = []
        if n_rows > sum(len(stage.rows) for stage in stages):
            notes.append(
                f"This is iteration {len(stages) - 1} of a halving search, with "
                f"n_resources = {stages[-1].n_resources}, and not its last."
            )
        elif warn and len(stages) > 1:
            warn_of_last_iteration(len(rows), n_rows)
        if len(stages) > 1:
            notes.append(kept_by_halving())
        elif stages[-1].n_batches > 1 and not halving and not is_fixed(self.searched_by):
            notes.append(chosen_by_search(self.searched_by))
        return rows, {"candidates": rows.tolist(), "note": joined_notes(*notes)}

    def headline(self, cv_results: Mapping[str, Any]) -> list[str]:
        """Who leads, and how many may be the best; nothing where it takes more than a moment.

        It costs the labels, the means and a pass over the scores, milliseconds for thousands of
        candidates. No table is computed, no value of a sample is read, and no warning is given:
        that is left to the first who asks for a table.
        """
        if self.metric is None or self.evaluated.design is None:
            return []
        by_samples = not pair_test(self.settings["test"]).of_splits
        known = self._comparisons.get((self.metric, by_samples))
        if known is None:
            # Of the split scores alone, which have the same leader.
            known = self._new_comparison(cv_results, self.metric, by_samples=False, warn=False)
            said = headline(known, counting=not by_samples)
        else:
            said = headline(known)
        return [*said, *filter(None, [sentence(known.naming)])]

    def scores(
        self, ledger: Ledger, design: SplitDesign, rows: Sequence[int], metric: str
    ) -> SplitScores:
        """Scores of some candidates in a ledger of these data, as the test of the search needs."""
        scores = SplitScores(ledger.scores(rows, range(ledger.n_splits), metric), design)
        if pair_test(self.settings["test"]).of_splits:
            return scores
        return replace(scores, samples=samples_of(ledger, self.scoring, scores, rows, metric))


def samples_of(
    ledger: Ledger, scoring: Scoring | None, scores: SplitScores, rows: Sequence[int], metric: str
) -> SampleScores:
    """Values of samples of some candidates; ValueError where there are none."""
    predicted = predicted_of(ledger, scoring, scores, rows, metric)
    if predicted is None:
        raise ValueError(
            '`test` "samples" needs the predictions of the search, or its per-sample values, but '
            'they were not kept or were dropped. Fit with test="samples" or '
            'return_predictions=True, or use compare(test="corrected_t"), which needs neither.'
        )
    return predicted.samples()


def predicted_of(
    ledger: Ledger, scoring: Scoring | None, scores: SplitScores, rows: Sequence[int], metric: str
) -> Predicted | None:
    """What some candidates predicted; None where it was not kept."""
    if ledger.responses is None or scoring is None:
        return None
    # A fit that failed predicted nothing, also where `error_score` is a number.
    failed = ledger.failed[np.asarray(rows, dtype=np.intp)]
    values = np.where(failed, np.nan, scores.values)
    return Predicted(ledger.responses, scoring, scores.design, rows, metric, values)


def marks_of_data(search: Any) -> DataMarks | None:
    """Marks of what a search of this package was fitted on; None of any other object."""
    record = getattr(search, "_record", None)
    if not isinstance(record, FitRecord):
        return None
    lines = {**record.outline.data, **mark_of_splits(record.evaluated.split_keys)}
    return DataMarks("outline", lines)


@dataclass(frozen=True)
class UnfinishedRecord:
    """What is left of a first fit that failed or was interrupted.

    Attributes
    ----------
    ledger : (str, Path) or None
        As of a `FitRecord`.
    names : tuple of str
        Always empty: a failed fit sets no fitted attributes.
    """

    ledger: tuple[str, Path] | None
    names: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        return {"ledger": None, "names": ()}
