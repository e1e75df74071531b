"""extend: further splits for a search that was fitted before."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import check_count, check_option
from sklearn_stats_compare.comparison.readers._searches import survivors
from sklearn_stats_compare.search._record import FitRecord
from sklearn_stats_compare.search.ledger._fingerprint import Outline
from sklearn_stats_compare.search.runs._extension import Extension, Extent
from sklearn_stats_compare.search.runs._settings import (
    Looking,
    Options,
    looks_so_far,
    read_once,
    stop_reason,
)

# An extension keeps what a race and earlier extensions left.
_OF_A_RACE = (
    "race_history_", "race_order_", "race_labels_", "race_metric_", "n_fits_", "n_fits_full_",
)  # fmt: skip

_COLUMNS = ("n_splits_evaluated", "eliminated_at", "elimination_pvalue", "elimination")


def extend(
    self: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = None,
    n_repeats: int | None = None,
    until: str | None = None,
    max_fits: int | None = None,
    candidates: str = "all",
    **params: Any,
) -> Any:
    """Evaluate the candidates on further splits of the same data, without repeating fits.

    Afterwards ``cv_results_``, ``best_*``, the refitted estimator, ``n_splits_`` and every table
    are the same as if ``fit`` had used all splits.

    Parameters
    ----------
    X, y : array-like
        The same data as for ``fit``. With a `ledger`, `extend` compares the data completely, and
        the code of the estimator and the scoring. Without one, it compares only the type, size and
        names of the data and up to 64 rows.
    cv : int, cross-validation generator or an iterable, optional
        Determines the further splits. Their mean training size must be within 5 % of that of the
        splits so far, because the mean score is taken over both.
    n_repeats : int, optional
        Number of further repeats of the search's own `cv`, if the parameter `cv` is not given. For
        RepeatedStratifiedKFold and RepeatedKFold with an int as `random_state`, they are the next
        repeats of the same series. Other splitters are shuffled with a new seed for each repeat,
        which depends on the splits so far.
    until : {"decided"}, optional
        If "decided", add `n_repeats` (default: 1) repeats at a time and look at the scores after
        each step. Stop when no pair of the candidates that may be the best is ``undecided``, or
        when the scores so far suggest that the undecided pairs would stay so after infinitely many
        repeats. Every look lowers the level of the verdicts; see Notes.
    max_fits : int, optional
        Maximum number of further fits, with `until`. Default: the number of fits so far.
    candidates : {"all", "possibly_best"}, default="all"
        Which candidates to evaluate: all that have a score on every split so far, or only those
        of them in ``possibly_best_``. For the others, the scores on the further splits and the
        means are NaN, and no table contains them, as after a race.
    **params : dict of str -> object
        The other parameters of ``fit``, such as `groups`.

    Returns
    -------
    self : object
        The search. With `until`, ``extension_stop_`` is the reason why it stopped: "decided",
        "floor" (more repeats would not help), "max_fits", or "exhausted" (there are no further
        repeats). ``extension_history_`` has one row per look, and ``comparison_.note`` describes
        both in words.

    Raises
    ------
    ValueError
        If the data, the estimator or the scoring differ from those of ``fit``; if none of `cv`,
        `n_repeats` and `until` is given, or `cv` with one of the others; if `max_fits` is given
        without `until`, or is too small for one look; if `cv` repeats splits, or makes splits with
        another training size; if `max_time` cut the search; or if the splitter of the search draws
        no random splits, so there are no others.

    Notes
    -----
    With `cv` or `n_repeats`, the tables are valid if you chose the number of splits without
    looking at the scores. With `until`, the scores determine it, and frequent looks would find
    differences by chance. Every look, and ``comparison_`` afterwards, therefore has a lower level
    than `alpha`, by Pocock's boundary for as many looks as `max_fits` allows. All looks together
    keep `alpha`. ``comparison_.alpha`` is the level of one look; it is higher if fewer looks are
    possible. The scores before the extension count as the first look at this level. If you have
    already decided by the tables before the extension, at `alpha`, that was an additional look. The
    user guide has the measured error rates.

    With a `ledger`, an extension that was killed resumes if you call ``fit`` and ``extend`` as
    before.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import StatisticalGridSearchCV
    >>> X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    >>> search = StatisticalGridSearchCV(
    ...     SVC(random_state=0),
    ...     {"kernel": ["linear", "rbf", "poly"]},
    ...     rope=0.05,
    ...     cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=1, random_state=0),
    ... ).fit(X, y)
    >>> search.comparison_.leader_table["verdict"].tolist()
    ['undecided', 'undecided']
    >>> search.extend(X, y, until="decided", max_fits=600).extension_stop_
    'floor'
    >>> search.n_splits_
    30
    >>> search.comparison_.leader_table[["model_2", "verdict"]]
      model_2    verdict
    0     rbf  undecided
    1    poly  undecided

    After two more repeats, the extension stops because further ones would not help: with these
    data, even infinitely many repeats could not detect differences this small. The note describes
    the looks, and ``comparison_.alpha`` is the level of each:

    >>> search.comparison_.note[:60]
    'Extended a repeat at a time, with 2 looks at the scores: 3 o'
    >>> round(search.comparison_.alpha, 4)
    0.0141
    """
    record: FitRecord = self._fit_record
    if record.cut:
        raise ValueError(
            f"`extend` must follow a search that finished. {record.cut} Give `fit` "
            "more time first; with a `ledger` it goes on from there."
        )
    design, ledger = record.design, record.evaluated.ledger
    until = check_option("until", until, ("decided", None))
    check_option("candidates", candidates, ("all", "possibly_best"))
    _check_extent(cv, n_repeats, until, max_fits)
    # Parameters as they are now: the user may have changed `n_jobs` or `verbose` since the fit.
    options = Options.of(self)
    # A generator can be read once, and a fit begins anew after each loss of workers.
    further = None if cv is None else read_once(cv)
    outline = Outline.of(options, X, y, params)
    differing = record.outline.differences(outline)
    if differing:
        raise ValueError(
            "`extend` must be called with the same arguments, estimator and scoring as `fit`; they "
            f"differ in {differing}."
        )
    if ledger.n_splits < 2 and (until is not None or candidates != "all"):
        raise ValueError(
            "`until` and `candidates` must have their defaults after a fit on a single split, "
            "which allows no verdict."
        )
    results = self.cv_results_
    # Candidates that a race dropped lack splits, and are not compared: they get no further ones.
    rows = _rows_to_extend(record, results, candidates)
    metric = None if until is None else _metric_to_decide(record, results)
    most_fits = max_fits or 0
    before = record.looked
    looking: Looking | None = None
    if metric is not None:
        most_fits = most_fits or ledger.n_ran  # by default as many again as were made
        looking = Looking.planned(
            options.settings,
            design,
            n_candidates=rows.size,
            repeats_at_a_time=n_repeats or 1,
            max_fits=most_fits,
            # All looks at the same scores share one level, those of earlier extensions included.
            n_looks_before=before.looking.n_looks if before else 0,
        )
        found = looking.undecided(record.scores(ledger, design, rows.tolist(), metric))
        stop = stop_reason(found)
        # Nothing is left to decide: no fit, and the search keeps all but its looks.
        if stop is not None:
            looked, fitted = looks_so_far(stop, found, [], looking)
            names = tuple({*record.names, *fitted})
            vars(self).update(fitted, _record=record.looked_again(looked, names))
            return self
    extent = Extent(
        rows=rows,
        further=further,
        n_repeats=n_repeats or 1,
        looking=looking,
        max_fits=most_fits,
        metric=metric,
        scores=record.scores,
        more={name: results[name] for name in _COLUMNS if name in results},
        fitted={name: vars(self)[name] for name in _OF_A_RACE if name in vars(self)},
        # Those looks led to this extension: its verdicts keep their level.
        looked=before._replace(note=before.looking.note) if before else None,
    )
    self._fit(X, y, params, partial(Extension, extent=extent), record, (options, outline))
    return self


def _check_extent(cv: Any, n_repeats: int | None, until: str | None, max_fits: int | None) -> None:
    # `until` repeats by itself, one repeat at a time unless `n_repeats` says another number.
    if (cv is None) == (n_repeats is None and until is None):
        raise ValueError(
            "`extend` must be given either `cv`, or `n_repeats`, `until` or both; got "
            f"cv={cv!r}, n_repeats={n_repeats!r}, until={until!r}."
        )
    if n_repeats is not None:
        check_count("n_repeats", n_repeats, least=1)
    if max_fits is not None:
        check_count("max_fits", max_fits, least=1)
        if until is None:
            raise ValueError(f"`max_fits` must be None without `until`; got {max_fits!r}.")


def _rows_to_extend(record: FitRecord, results: Any, candidates: str) -> NDArray[np.intp]:
    complete = np.flatnonzero(record.evaluated.ledger.complete)
    rows = np.intersect1d(complete, survivors(results)[0])
    if candidates == "possibly_best":
        # Not `possibly_best`, which would warn of the survivors of a race.
        comparison = record.comparison(results, _metric_to_decide(record, results))
        members = comparison._possibly_best_members
        # Members are rows of the comparison; after a race these are not those of cv_results_.
        indices = np.asarray(comparison.candidates or np.arange(members.size))
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
