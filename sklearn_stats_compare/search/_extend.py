"""extend: further splits for a search that was fitted before."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_count, check_option
from sklearn_stats_compare.comparison import possibly_best_members, survivors
from sklearn_stats_compare.search._record import FitRecord
from sklearn_stats_compare.search.ledger import Outline
from sklearn_stats_compare.search.runs import (
    Extension,
    Extent,
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
_COLUMNS = ("n_splits_evaluated", "eliminated_at", "elimination_pvalue")


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
    """Evaluate the candidates on further splits of the same data; nothing is fitted again.

    Everything follows as if ``fit`` had had all splits at once: ``cv_results_``, ``best_*``,
    the refitted estimator, ``n_splits_`` and every table.

    Parameters
    ----------
    X, y : array-like
        What ``fit`` was given. Without a `ledger` they are recognised by kind, size, names and
        up to 64 of their rows, and the code of estimator and scoring is not; with one, whole.
    cv : int, cross-validation generator or an iterable, optional
        Makes the further splits. They must train on about as many samples as those so far, to
        within 5 % on average, since a mean over both is one score.
    n_repeats : int, optional
        In place of `cv`: this many more repeats of the search's own. Of RepeatedStratifiedKFold
        and RepeatedKFold with a number as `random_state` they are the next ones of the same
        series; other splitters are shuffled with a new seed each, which follows from the splits
        so far.
    until : {"decided"}, optional
        Add `n_repeats`, one by default, at a time and look at the scores after each, until
        every pair of the candidates that may be the best has a verdict other than undecided,
        or those that have not would have none after infinitely many repeats either, as far as
        the scores so far tell. Such looks have a price: see Notes.
    max_fits : int, optional
        The most fits, with `until`. Default: as many as there were so far.
    candidates : {"all", "possibly_best"}, default="all"
        Which candidates are evaluated: all that have a score on every split so far, or those of
        them in ``possibly_best_``. The others keep NaN for the further splits and for means,
        and stand in no table, as after a race.
    **params : dict of str -> object
        What else ``fit`` was given, such as `groups`.

    Returns
    -------
    self : object
        The search. After `until`, ``extension_stop_`` tells why it stopped: "decided",
        "floor", "max_fits", or "exhausted" where there are no further repeats;
        ``extension_history_`` has a row per look, and ``comparison_.note`` says both in words.

    Raises
    ------
    ValueError
        If the data, the estimator or the scoring are not those of ``fit``; none of `cv`,
        `n_repeats` and `until` is given, or `cv` beside another; `max_fits` is given without
        `until`, or allows for less than one look; `cv` makes splits that there are already, or
        that train on more or less than those; `max_time` cut the search; or the search's splits
        are not drawn at random, so that there are no others.

    Notes
    -----
    With `cv` or `n_repeats`, valid as the tables are: the number of splits was chosen
    without looking at the scores. With `until` it was not: whoever looks often enough sees a
    difference sooner or later. So every look, and ``comparison_`` afterwards, has a lower level
    than `alpha`, by Pocock's boundary for as many looks as `max_fits` allows for:
    ``comparison_.alpha`` is that level, and all looks together keep `alpha`. The fewer looks
    there can be, the higher it is. The scores before the extension count as the first look, at
    that level: whoever has already decided by their tables, at `alpha`, has looked once more.
    The user guide has the error rates that were measured.

    An extension that is killed goes on, with a `ledger`, from where it was: call ``fit`` and
    ``extend`` as before.

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

    Two more repeats were enough to see that further ones would not help: the limit of these data
    lies above the differences. The level of each look is part of the note:

    >>> search.comparison_.note[:60]
    'Extended a repeat at a time, with 2 looks at the scores: 3 o'
    >>> round(search.comparison_.alpha, 4)
    0.0141
    """
    record: FitRecord = self._record
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
        raise ValueError(f"`extend` must be given what `fit` was given; it differs in {differing}.")
    if ledger.n_splits < 2 and (until is not None or candidates != "all"):
        raise ValueError(
            "`until` and `candidates` must be left out after a single split, of which no "
            "verdict can be made."
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
            "`extend` must be given either `cv`, or `n_repeats` or `until`; got "
            f"cv={cv!r}, n_repeats={n_repeats!r}, until={until!r}."
        )
    if n_repeats is not None:
        check_count("n_repeats", n_repeats, least=1)
    if max_fits is not None:
        check_count("max_fits", max_fits, least=1)
        if until is None:
            raise ValueError(f"`max_fits` must be given with `until` alone; got {max_fits!r}.")


def _rows_to_extend(record: FitRecord, results: Any, candidates: str) -> NDArray[np.intp]:
    complete = np.flatnonzero(record.evaluated.ledger.complete)
    rows = np.intersect1d(complete, survivors(results)[0])
    if candidates == "possibly_best":
        # Not `possibly_best`, which would warn of the survivors of a race.
        comparison = record.comparison(results, _metric_to_decide(record, results))
        members = possibly_best_members(comparison)
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
