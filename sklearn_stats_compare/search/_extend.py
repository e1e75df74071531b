"""extend: further splits for a search that was fitted before."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import (
    check_count,
    check_listed,
    check_option,
    shown,
    warn_user,
)
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._planning import InterimAnalyses
from sklearn_stats_compare.comparison.readers._searches import metrics_of, survivors
from sklearn_stats_compare.search._record import FitRecord, candidate_row, predicted_of, samples_of
from sklearn_stats_compare.search.ledger._fingerprint import Fingerprint, check_same
from sklearn_stats_compare.search.runs import _extension
from sklearn_stats_compare.search.runs._plans import Options, read_once
from sklearn_stats_compare.stats._sample_scores import MeasuredInstability
from sklearn_stats_compare.stats._sample_t import N_PROBES
from sklearn_stats_compare.stats._scores import SplitScores

# An extension keeps what a race and earlier extensions left.
_OF_A_RACE = (
    "race_history_", "race_order_", "race_labels_", "race_metric_", "n_fits_", "n_fits_full_",
)  # fmt: skip

_COLUMNS = ("n_splits_evaluated", "eliminated_at", "elimination_pvalue", "elimination")


def given_params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a fit, without groups and weights of None, which give nothing."""
    absent = {name for name in ("groups", "sample_weight") if params.get(name) is None}
    return {name: own for name, own in params.items() if name not in absent}


def extend(
    search: Any,
    X: Any,
    y: Any,
    params: Mapping[str, Any],
    cv: Any,
    n_repeats: int | None,
    until: str | None,
    max_fits: int | None,
    candidates: str | int | Sequence[int | str],
) -> Any:
    """See `StatisticalSearchMixin.extend`."""
    record: FitRecord = search._fit_record
    if record.cut:
        raise ValueError(
            f"`extend` must follow a search that finished. {record.cut} Give `fit` "
            "more time first; with a `ledger` it goes on from there."
        )
    design, ledger = record.design, record.evaluated.ledger
    until = check_option("until", until, ("decided", None))
    probes = None if isinstance(candidates, str) else candidates
    if isinstance(candidates, str):
        check_option("candidates", candidates, ("all", "possibly_best"))
    elif n_repeats is None or cv is not None or until is not None:
        raise ValueError(
            "`n_repeats` must be given, without `cv` and `until`, if `candidates` are probes; got "
            f"cv={cv!r}, n_repeats={n_repeats!r}, until={until!r}."
        )
    # `until` repeats by itself, one repeat at a time unless `n_repeats` says another number.
    if (cv is None) == (n_repeats is None and until is None):
        raise ValueError(
            "`extend` must be given either `cv`, or `n_repeats`, `until` or both; got "
            f"cv={cv!r}, n_repeats={n_repeats!r}, until={until!r}."
        )
    if n_repeats is not None:
        check_count("n_repeats", n_repeats, least=1, limit=10**6)
    if max_fits is not None:
        check_count("max_fits", max_fits, least=1)
        if until is None:
            raise ValueError(f"`max_fits` must be None without `until`; got {max_fits!r}.")
    # Parameters as they are now: the user may have changed `n_jobs` or `verbose` since the fit.
    options = Options.of(search)
    # A generator can be read once, and a fit begins anew after each loss of workers.
    further = None if cv is None else read_once(cv)
    params = given_params(params)
    check_same(record.fingerprint.differences(Fingerprint.of(options, X, y, params)))
    if ledger.n_splits < 2 and (until is not None or candidates != "all"):
        raise ValueError(
            "`until` and `candidates` must have their defaults after a fit on a single split, "
            "which allows no verdict."
        )
    results = search.cv_results_
    # Candidates that a race dropped lack splits, and are not compared: they get no further ones.
    if probes is not None:
        to_probe = _rows_to_probe(record, results, probes)
        return _probe(search, X, y, params, record, to_probe, n_repeats)
    rows = _rows_to_extend(record, results, str(candidates))
    metric = None if until is None else _metric_to_decide(record, results)
    most_fits = max_fits or 0
    interim: InterimAnalyses | None = None
    if metric is not None:
        if not record.scores(ledger, design, rows.tolist(), metric).n_available:
            raise ValueError(
                "`until` must follow a fit in which some candidate has a score on every split; by "
                f"{metric!r} every candidate failed on some."
            )
        most_fits = most_fits or ledger.n_ran  # by default as many again as were made
        interim = InterimAnalyses.planned(
            options.settings,
            design,
            n_candidates=rows.size,
            repeats_at_a_time=n_repeats or 1,
            max_fits=most_fits,
            # All looks at the same scores share one level, those of earlier extensions included.
            earlier=record.interim,
        )
        found = _extension.undecided(record.scores(ledger, design, rows.tolist(), metric), interim)
        stop = found.stop_reason
        # Nothing is left to decide: no fit, and the search keeps all but its looks.
        if stop is not None:
            looked_at = _extension.name_of_metric(metric, options)
            interim, fitted = interim.ended(stop, found, [], looked_at)
            names = tuple({*record.names, *fitted})
            record = replace(record, interim=interim, names=names, _comparisons={})
            vars(search).update(fitted, _record=record)
            return search
    extent = _extension.Extent(
        rows=rows,
        further=further,
        n_repeats=n_repeats or 1,
        interim=interim,
        max_fits=most_fits,
        metric=metric,
        scores=record.scores,
        more={name: results[name] for name in _COLUMNS if name in results},
        fitted={name: vars(search)[name] for name in _OF_A_RACE if name in vars(search)},
        # Those looks led to this extension: its verdicts keep their level.
        earlier=replace(record.interim, stopped="") if record.interim else None,
    )
    search._fit(X, y, params, partial(_extension.Extension, extent=extent), record)
    return search


def probe_after_fit(search: Any, X: Any, y: Any, params: Mapping[str, Any]) -> None:
    """Measure the instability by the best three candidates.

    Only after one repeat, from which it cannot be known. The search has ended: what forbids a
    probe costs a warning.
    """
    record = search._record
    design = record.evaluated.design
    n_compared = survivors(search.cv_results_)[0].size
    if record.cut or design is None or design.repeat.max() > 0 or n_compared < 2:
        return
    try:
        extend(search, X, y, params, None, 1, None, None, N_PROBES)
    except ValueError as error:
        warn_user(f"The instability was not measured, and is assumed: {error}", "not-measured")


def _probe(
    search: Any,
    X: Any,
    y: Any,
    params: Mapping[str, Any],
    record: FitRecord,
    rows: NDArray[np.intp],
    n_repeats: int | None,
) -> Any:
    """Evaluate some candidates on further repeats, and keep only what these show of refits.

    A copy of the search is extended, without a refit, so that the search keeps its results. The
    ledger has the fits, which a later extension of all candidates loads.
    """
    copied = object.__new__(type(search))
    vars(copied).update(vars(search), refit=False)
    extent = _extension.Extent(rows, n_repeats or 1, record.scores, record.interim, are_probes=True)
    copied._fit(X, y, params, partial(_extension.Extension, extent=extent), record)
    made: FitRecord = copied._record
    measured = {}
    for metric in metrics_of(search.cv_results_):
        values = made.evaluated.ledger.scores(rows, range(made.design.n_splits), metric)
        # A fit that failed shows nothing of refits, also where `error_score` is a number.
        values = np.where(made.evaluated.ledger.fit_failed[rows], np.nan, values)
        scores = SplitScores(values, made.design)
        try:
            ledger, at = made.evaluated.ledger, rows.tolist()
            predicted = predicted_of(ledger, made.scoring, scores, at, metric)
            samples = samples_of(predicted, made.design)
        except ValueError:  # a metric without values of samples, beside one that has them
            continue
        measured[metric] = MeasuredInstability.of(samples)
    if "n_fits_" in vars(search):  # of a race
        search.n_fits_ += rows.size * (made.design.n_splits - record.design.n_splits)
    vars(search)["_record"] = replace(record, measured=measured, _comparisons={})
    return search


def _rows_to_probe(
    record: FitRecord, results: Any, candidates: int | Sequence[int | str]
) -> NDArray[np.intp]:
    """Candidates to probe: the best so many, or those of the given indices and labels."""
    are_named = isinstance(candidates, Iterable)
    if record.design.repeat.max() > 0:
        raise ValueError(
            "`candidates` must be 'all' or 'possibly_best' after a fit of several repeats, which "
            f"measure the instability themselves; got {shown(candidates)}."
        )
    # Raises ValueError unless there are values of samples, of folds that test each once.
    if are_named:
        comparison = _by_any_metric(record, results)
    else:
        comparison = record.comparison(results, _metric_to_decide(record, results), by_samples=True)
    known = np.asarray(comparison._candidates or np.arange(len(comparison.scores.means)))
    if are_named:
        labels = results["params"]
        listed = check_listed("candidates", candidates, "a number, or a list of indices or labels")
        rows = np.unique([candidate_row(each, labels, record, "candidates") for each in listed])
        if rows.size < 2 or not np.isin(rows, known).all():
            raise ValueError(
                f"`candidates` must name at least two that are compared; got {shown(candidates)}."
            )
        return rows
    n = check_count("candidates", candidates, least=2)
    scores = comparison.scores
    best = known[scores.order[: min(n, scores.n_available)]]
    if best.size < 2:
        raise ValueError(
            f"`candidates` must find at least two with a score on every split; got {best.size}."
        )
    return np.sort(best)


def _by_any_metric(record: FitRecord, results: Any) -> Comparison:
    """The comparison by the first metric with values of samples; ValueError if none has any."""
    *others, last = metrics_of(results)
    for metric in others:
        with suppress(ValueError):
            return record.comparison(results, metric, by_samples=True)
    return record.comparison(results, last, by_samples=True)


def _rows_to_extend(record: FitRecord, results: Any, candidates: str) -> NDArray[np.intp]:
    rows = np.intersect1d(np.flatnonzero(record.evaluated.ledger.complete), survivors(results)[0])
    if candidates == "possibly_best":
        # Not `possibly_best`, which would warn of the survivors of a race.
        comparison = record.comparison(results, _metric_to_decide(record, results))
        members = comparison._possibly_best_members
        # Members are rows of the comparison; after a race these are not those of cv_results_.
        indices = np.asarray(comparison._candidates or np.arange(members.size))
        rows = np.intersect1d(rows, indices[members])
    if not rows.size:
        raise ValueError(
            f"`candidates` must leave some to evaluate; got {candidates!r}, which leaves none: "
            "no candidate has a score on every split."
        )
    return rows


def _metric_to_decide(record: FitRecord, results: Any) -> str:
    try:
        return record.own_metric(results)
    # An AttributeError out of a method would read as if `extend` did not exist.
    except AttributeError as error:
        raise ValueError(str(error)) from None
