"""FitRecord: everything that a fit leaves on a search, how it is saved, and its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from threading import RLock
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import sentence, visible
from sklearn_stats_compare._utils._validation import (
    check_count,
    check_option,
    shown,
    shown_list,
    warn_user,
)
from sklearn_stats_compare.comparison import _labels, _tables
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._planning import Calls, InterimAnalyses
from sklearn_stats_compare.comparison._repr import headline
from sklearn_stats_compare.comparison._saving import INDEPENDENT, split_and_metric
from sklearn_stats_compare.comparison.readers import _searches
from sklearn_stats_compare.comparison.readers._sizes import (
    DataFingerprint,
    mixed_metrics,
    single_metric_name,
)
from sklearn_stats_compare.predictions._predicted import Independent, Predicted
from sklearn_stats_compare.predictions._responses import Scoring
from sklearn_stats_compare.predictions._scorers import read_scorer
from sklearn_stats_compare.search.ledger._fingerprint import Fingerprint, Identity
from sklearn_stats_compare.search.ledger._ledger import Column, Outcomes
from sklearn_stats_compare.search.ledger._storage import mark_of_splits
from sklearn_stats_compare.search.runs._plans import Evaluated, Options
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._family import pair_test
from sklearn_stats_compare.stats._sample_scores import MeasuredInstability, SampleScores
from sklearn_stats_compare.stats._scores import SplitScores

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
    fingerprint : Fingerprint
        Of what ``fit`` was given.
    identity : Identity or None
        With a ledger, what the outcomes belong to.
    ledger : (str, Path) or None
        The ledger as the user gave it, and where it is: the working directory may change between a
        fit and its extension.
    options : Options
        Parameters of the search, without its `cv`, as they were when ``fit`` was called.
    metric : str or None
        The metric that attributes speak of, as ``cv_results_`` calls it; None where several were
        scored and `refit` names none.
    selection : DataFrame or None
        The report of the rule in `refit`.
    interim : InterimAnalyses or None
        Analyses of the scores that were made before; their level and their note go first.
    scoring : Scoring or None
        What predictions were scored with, where they are kept.
    measured : mapping of str to MeasuredInstability, or None
        What probes showed, by metric.
    cut : str
        Where `max_time` cut the search, as a sentence; empty if it finished.
    searched_by : str
        Name of the class of the search.
    names : tuple of str
        Fitted attributes of the search, which the next fit replaces.
    independent : mapping of str to mappings, or None
        As from `independent_units`.
    lost : bool
        Whether values of samples were left out of its pickle.
    weighted : bool
        Whether samples have weights in some score.
    extend : str
        How `extend` is called with the data of ``fit``; empty if the splits have no further
        repeats.
    """

    evaluated: Evaluated
    fingerprint: Fingerprint
    identity: Identity | None
    ledger: tuple[str, Path] | None
    options: Options
    metric: str | None
    selection: pd.DataFrame | None
    interim: InterimAnalyses | None
    scoring: Scoring | None = None
    # None also in pickles of versions that had no probes.
    measured: Mapping[str, MeasuredInstability | None] | None = None
    cut: str = ""
    searched_by: str = ""
    names: tuple[str, ...] = ()
    independent: Independent | None = None
    lost: bool = False
    weighted: bool = False
    extend: str = Calls.extend
    _comparisons: dict[tuple[str, bool], Comparison] = field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # A relative path may lead elsewhere on another machine. Comparisons are made again.
        kept, record = self.evaluated.ledger.responses, self
        if kept is not None and kept.by_default:
            record = replace(self.without_predictions(), lost=True)
        state = {**vars(record), "ledger": None, "_comparisons": {}}
        # The class has the defaults.
        return {k: own for k, own in state.items() if own is not getattr(FitRecord, k, ...)}

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
            key: replace(made, _predicted=None, warn=False)
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
        return replace(
            self,
            evaluated=evaluated,
            scoring=None,
            independent=getattr(stage, "independent", None),  # None of a pickle of 0.1
            _comparisons={},
        )

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
        _ = self.design  # raises the other AttributeError where the sizes are missing
        if self.metric is None:
            metrics = _searches.metrics_of(cv_results)
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
            by_samples = not pair_test(self.options.settings["test"]).of_splits
        key = metric, by_samples
        with _MAKING_A_COMPARISON:
            if key not in self._comparisons:
                self._comparisons[key] = self._new_comparison(cv_results, metric, by_samples)
            return self._comparisons[key]

    def _new_comparison(
        self, cv_results: Mapping[str, Any], metric: str, by_samples: bool, warn: bool = True
    ) -> Comparison:
        cv_results = {**cv_results, INDEPENDENT: self.independent or {}}
        scores = _searches.split_scores(cv_results, metric, self.design)
        params = cv_results["params"]
        # The splits are the same for every metric.
        warn = warn and not any(known == by_samples for _, known in self._comparisons)
        stages = self.evaluated.stages
        if stages:
            rows, arguments = self._last_stage(len(params), warn)
        else:
            rows, arguments = _searches.survivors(cv_results, metric)
        note = "" if self.interim is None else self.interim.note
        cut = _tables.ChosenByScores(self.cut, _tables.FINISH) if self.cut else ""
        mixed = mixed_metrics(self.options, params)
        if mixed and warn:
            warn_user(mixed, "comparison-warnings")
        arguments["note"] = _tables.joined_notes(
            arguments.get("note"), note, cut, _tables.LOST if self.lost else "", mixed
        )
        labels = None
        # Labels leave out what all candidates share; the survivors keep theirs from among all.
        # Those of a stage have the same settings in the stages before.
        if len(rows) < len(params) and not stages:
            labels = _labels.candidate_labels(params).of(rows)
        settings = self.options.settings if self.interim is None else self.interim.settings
        if by_samples == pair_test(settings["test"]).of_splits:
            # Until `compare` names another: the warning must be of the kind that is asked for.
            settings = {**settings, "test": "samples" if by_samples else "corrected_t"}
        named = "" if metric == self.metric else f"metric={metric!r}, "
        scores = scores.subset(rows)
        ledger, measured = self.evaluated.ledger, (self.measured or {}).get(metric)
        predicted = predicted_of(ledger, self.scoring, scores, rows.tolist(), metric, measured)
        if by_samples:
            try:
                scores = replace(scores, samples=samples_of(predicted, scores.design))
            except ValueError:
                if self.cut:  # what the splits lack are those that were not run
                    raise ValueError(
                        f'`test` "samples" needs whole repeats. {self.cut} {_tables.FINISH}'
                    ) from None
                raise
        return Comparison(
            scores,
            labels,
            params=[params[i] for i in rows],
            metric=metric if metric != "score" or mixed else single_metric_name(self.options),
            _predicted=predicted,
            _results=cv_results,
            _calls=Calls(f"search.compare({named}", self.extend),
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
            _tables.warn_of_last_iteration(len(rows), n_rows)
        if len(stages) > 1:
            notes.append(_tables.kept_by_halving())
        elif stages[-1].n_batches > 1 and not halving and not _searches.is_fixed(self.searched_by):
            notes.append(_tables.chosen_by_search(self.searched_by))
        return rows, {"_candidates": rows.tolist(), "note": _tables.joined_notes(*notes)}

    def headline(self, cv_results: Mapping[str, Any]) -> list[str]:
        """Who leads, and how many may be the best; nothing where it takes more than a moment.

        It costs the labels, the means and a pass over the scores, milliseconds for thousands of
        candidates. No table is computed, no value of a sample is read, and no warning is given:
        that is left to the first who asks for a table.
        """
        if self.metric is None or self.evaluated.design is None:
            return []
        by_samples = not pair_test(self.options.settings["test"]).of_splits
        known = self._comparisons.get((self.metric, by_samples))
        if known is None:
            # Of the split scores alone, which have the same leader.
            known = self._new_comparison(cv_results, self.metric, by_samples=False, warn=False)
            said = headline(known, counting=not by_samples)
        else:
            said = headline(known)
        return [*said, *filter(None, [sentence(known._naming)])]

    def scores(
        self, ledger: Outcomes, design: SplitDesign, rows: Sequence[int], metric: str
    ) -> SplitScores:
        """Scores of some candidates in a ledger of these data, as the test of the search needs."""
        known = (self.independent or {}).get(metric, {})
        values = ledger.scores(rows, range(ledger.n_splits), metric)
        scores = SplitScores(values, design, **known)
        if pair_test(self.options.settings["test"]).of_splits:
            return scores
        measured = (self.measured or {}).get(metric)
        predicted = predicted_of(ledger, self.scoring, scores, rows, metric, measured)
        return replace(scores, samples=samples_of(predicted, scores.design))


def samples_of(predicted: Predicted | None, design: SplitDesign) -> SampleScores:
    """Values of samples of some candidates; ValueError where nothing was kept."""
    if predicted is None:
        pair_test("samples").check(design)
        raise ValueError(
            '`test` "samples" needs the predictions of the search, or its per-sample values, but '
            "they were not kept, as those of earlier stages, were dropped, as by pickling, or "
            'cannot exist, as of metrics that a callable names. Fit with test="samples" or '
            'return_predictions=True, or use compare(test="corrected_t"), which needs neither.'
        )
    return predicted.samples()


def predicted_of(
    ledger: Outcomes,
    scoring: Scoring | None,
    scores: SplitScores,
    rows: Sequence[int],
    metric: str,
    measured: MeasuredInstability | None = None,
) -> Predicted | None:
    """What some candidates predicted; None where it was not kept."""
    # A callable that returns several scores names their metrics itself.
    if ledger.responses is None or scoring is None or metric not in scoring.scorers:
        return None
    if ledger.responses.by_default:
        reading = read_scorer(scoring.scorers[metric], scoring.estimator)
        if reading.how not in ("mean", "influence"):  # a jackknife takes long
            return None
    return Predicted(
        ledger.responses, scoring, scores.design, rows, metric, scores.values, measured=measured
    )


def fingerprint_of_data(search: Any) -> DataFingerprint | None:
    """Fingerprint of what a search of this package was fitted on; None of any other object."""
    record = getattr(search, "_record", None)
    if not isinstance(record, FitRecord):
        return None
    weighted = "weighted" if record.weighted else "not weighted"
    lines = {
        **record.fingerprint.data,
        "the scores": ("", weighted),
        **mark_of_splits(record.evaluated.split_keys),
    }
    return DataFingerprint("fingerprint", lines)


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


def compared_again(
    search: Any, record: FitRecord, metric: str | None, changed: Mapping[str, Any]
) -> Comparison:
    """Compare the candidates of a record with changed settings; nothing is refitted."""
    results, settings = search.cv_results_, dict(changed)
    if metric is None:
        metric = record.own_metric(results)
    elif search.multimetric_:
        metric = check_option("metric", metric, _searches.metrics_of(results))
    else:
        own_name = single_metric_name(record.options)
        other = "or another, of kept predictions, by comparison_.with_settings(metric=…)"
        check_option("metric", metric, dict.fromkeys((own_name, "score")), or_else=other)
        metric = "score"
    test = pair_test(settings.get("test", record.options.settings["test"]))
    comparison = record.comparison(results, metric, by_samples=not test.of_splits)
    labels = settings.get("labels")
    if isinstance(labels, str) and labels == _labels.NAMED:
        # Of all candidates, as parameters that the survivors of a race share stay in theirs.
        params, rows = results["params"], comparison._candidates or ()
        if record.evaluated.stages:  # the stages before have the same settings
            settings["labels"] = _labels.named_labels([params[i] for i in rows])
        else:
            settings["labels"] = _labels.named_labels(params).of(rows)
    elif labels is not None:
        # The user's are in the order of cv_results_; a race compares some of its candidates.
        rows = comparison._candidates or ()
        settings["labels"] = _labels.labels_among(labels, rows, len(results["params"]))
    return comparison.with_settings(**settings) if settings else comparison


def candidate_row(
    i: int | str, params: Sequence[Mapping[str, Any]], record: FitRecord, name: str = "i"
) -> int:
    """Row of ``cv_results_``; all of them have predictions, also those that a race dropped.

    Of a halving search, only those of the last iteration have predictions.
    """
    stages = record.evaluated.stages
    rows: Sequence[int] = stages[-1].rows if stages else range(len(params))
    if isinstance(i, str):
        labels = _labels.candidate_labels([params[row] for row in rows])
        if i not in labels:
            raise ValueError(
                f"`{name}` must be a candidate's index, from 0 to {len(params) - 1}, or its label, "
                f"one of {shown_list(map(repr, labels))}; got {shown(i)}."
            )
        return rows[labels.index(i)]
    candidate = check_count(name, i, least=0, most=len(params) - 1)
    if candidate not in rows:
        raise ValueError(
            f"`{name}` must be a candidate of the last iteration, because the predictions of the "
            f"others are not kept: from {min(rows)} to {max(rows)}; got {candidate}."
        )
    return candidate


_PACKED = "_packed"


def saved(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state without what ``cv_results_`` says too, and without tables of pandas."""
    record = state.get("_record")
    if not isinstance(record, FitRecord):
        return dict(state)
    record = record.without_scores(_scores(state.get("cv_results_")))
    selection: Any = _packed(record.selection)
    if selection is not None:
        record = replace(record, selection=selection)
    kept = {**state, "_record": record}
    packed = {}
    for name in record.names:  # of the fit: parameters are the user's
        form = _packed(kept.get(name))
        if form is not None:
            packed[name] = form
            del kept[name]
    return {**kept, _PACKED: packed} if packed else kept


def restored(state: Mapping[str, Any]) -> dict[str, Any]:
    """What `saved` was given."""
    whole = dict(state)
    for name, form in whole.pop(_PACKED, {}).items():
        whole[name] = _unpacked(form)
    record = whole.get("_record")
    if isinstance(record, FitRecord):
        selection: Any = record.selection
        if isinstance(selection, Mapping):
            record = replace(record, selection=_unpacked(selection))
        whole["_record"] = record.with_scores(_scores(whole.get("cv_results_")))
    return whole


def _scores(results: Any) -> dict[Column, NDArray[np.float64]]:
    """Scores of each part and metric, candidates × splits."""
    columns: dict[Column, dict[int, Any]] = {}
    for key, values in results.items() if isinstance(results, Mapping) else ():
        for part in ("test", "train"):
            column = split_and_metric(key, part)
            if column is not None:
                split, metric = column
                columns.setdefault((f"{part}_scores", metric), {})[split] = values
    found = {}
    for named, of_splits in columns.items():
        if sorted(of_splits) == list(range(len(of_splits))):
            in_order = [of_splits[split] for split in range(len(of_splits))]
            found[named] = np.asarray(np.column_stack(in_order), dtype=np.float64)
    return found


# skops saves neither pandas' objects nor attributes of a tuple.
def _packed(value: Any) -> dict[str, Any] | None:
    """A table or labels in plain values; None of anything else, and of odd tables."""
    if isinstance(value, _labels.CandidateLabels):
        return {"labels": list(value), "naming": value.naming}
    if not isinstance(value, pd.DataFrame) or value.index.nlevels > 1:
        return None
    form = {
        "columns": [[name, *_values(column)] for name, column in value.items()],
        "index": [value.index.name, *_values(value.index.to_series())],
    }
    # A subclass may leave tables of any kind.
    return form if _is_same(_unpacked(form), value) else None


def _unpacked(form: Mapping[str, Any]) -> Any:
    if "labels" in form:
        return _labels.CandidateLabels(form["labels"], form["naming"])
    name, kind, values = form["index"]
    index = pd.Index(pd.array(values, dtype=kind), name=name, dtype=kind)
    columns = {
        named: pd.Series(pd.array(of, dtype=dtype), index=index, dtype=dtype)
        for named, dtype, of in form["columns"]
    }
    return pd.DataFrame(columns, index=index, columns=[named for named, _, _ in form["columns"]])


def _values(column: pd.Series) -> tuple[str, Any]:
    """Type and values; None where one is missing."""
    return str(column.dtype), column.astype(object).where(column.notna(), None).tolist()


def _is_same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    try:
        pd.testing.assert_frame_equal(one, other, check_exact=True)
    except AssertionError:
        return False
    return type(one) is type(other)


# `BaseSearchCV.fit` of scikit-learn 1.9 keeps the checked splitter there; 1.6 keeps none.
_LEFT_BY_SCIKIT_LEARN = ("_checked_cv_orig",)


def state_for_workers(search: Any, state: Mapping[str, Any]) -> dict[str, Any]:
    """State of a search during a fit, which scikit-learn sends with every task from 1.9 on.

    Workers need neither the fit before this one, whose tables may be large, nor the splits.
    """
    own = search.get_params(deep=False)
    left = {name for name in vars(search) if name.endswith("_") and name not in own}
    unwanted = {"_fitting", "_record", "cv", *_LEFT_BY_SCIKIT_LEARN, *left}
    return {name: value for name, value in state.items() if name not in unwanted} | {"cv": None}


TABLES = ("comparison_", "pairwise_frequentist_", "pairwise_bayesian_", "possibly_best_")


def tables_of(search: Any) -> tuple[str, ...]:
    """Names of the tables that a search can be asked for; nothing is computed."""
    record = vars(search).get("_record")
    if record is None or not hasattr(search, "cv_results_"):
        return ()
    # The attributes raise where several metrics were scored and `refit` names none of them.
    return TABLES if record.metric is not None and record.evaluated.design is not None else ()


def line_below(search: Any) -> str:
    """HTML that names the leader below scikit-learn's diagram; nothing before a fit."""
    record = vars(search).get("_record")
    if record is None or not tables_of(search):
        return ""
    try:
        said = record.headline(search.cv_results_)
    except (ValueError, AttributeError):
        # Settings or splits that cannot be compared. A table raises this error; the diagram of the
        # search must still be shown.
        return ""
    words = escape(visible(" ".join([*said, "See comparison_."])))
    return f'<div style="margin-top: 0.4em; overflow-wrap: anywhere">{words}</div>' if said else ""
