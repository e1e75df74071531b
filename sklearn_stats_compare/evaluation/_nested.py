"""nested_score(): the score of procedures that tune within each training set."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Literal

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.utils import indexable

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._progress import Progress
from sklearn_stats_compare._utils._validation import check_option, shown, warn_user, wrong
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._tables import joined_notes
from sklearn_stats_compare.evaluation import _fits, _nested_result
from sklearn_stats_compare.evaluation._cross_validate import ModelsOnSplits, fits_in_ledgers, fitted
from sklearn_stats_compare.predictions._responses import CHOICE, VALUES, by_metric
from sklearn_stats_compare.predictions._sample_losses import as_labels
from sklearn_stats_compare.predictions._scorers import name_of_scorer, read_scorer
from sklearn_stats_compare.search._outer_ledger import FinishedFit, OuterLedger
from sklearn_stats_compare.stats._design import SplitDesign, as_index
from sklearn_stats_compare.stats._multitest import PAdjust
from sklearn_stats_compare.stats._nested import NestedIntervalResult, nested_cv_interval
from sklearn_stats_compare.stats._sample_t import SampleTTest


def nested_score(
    procedure: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = None,
    scoring: Any = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    interval: Literal["auto", "samples", "corrected_t", "bates"] = "auto",
    n_jobs: int | None = None,
    verbose: int = 0,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: Any = np.nan,
    ledger: str | PathLike[str] | None = None,
    p_adjust: PAdjust | None = "bonferroni",
    rope: float | tuple[float, float] | str = 0.01,
    alpha: float = 0.05,
) -> _nested_result.NestedScoreResult | _nested_result.NestedComparison:
    """Score a whole tuning procedure by nested cross-validation.

    The procedure is fitted on the training set of every outer split, with all its tuning, and
    scored on the test set, which the tuning never saw. The mean estimates the score on new data of
    what ``procedure.fit(X, y)`` returns. This is the score to publish: the best score of a search
    is too high, because the search chose it.

    Parameters
    ----------
    procedure : estimator, or mapping of str to estimator
        The procedure: usually a search, such as ``GridSearchCV`` or `RacingGridSearchCV`, or a
        pipeline that ends in one. Any other estimator is accepted too. It is cloned for each fit. A
        mapping of names to procedures compares them on the same outer splits.
    X : array-like of shape (n_samples, n_features)
        Data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        Target.
    cv : int, splitter, iterable or None, optional
        The outer splits, as for scikit-learn's ``cross_validate``. They are drawn once.
    scoring : str, callable, list, tuple or dict, optional
        Metrics of the outer scores, as for ``cross_validate``. Default: the metric of the
        procedure's ``score``, which is the `scoring` of a search.
    groups : array-like of shape (n_samples,), optional
        Groups of samples, for the outer splits. They are passed on to a search whose own splitter
        uses groups.
    params : dict, optional
        Parameters to pass to ``fit``, as for ``cross_validate``.
    interval : {"auto", "samples", "corrected_t", "bates"}, default="auto"
        How the interval of the score is computed. "samples" uses the values of all test samples
        and, with several repeats, the scores of the splits, as the test of this name does. It needs
        splits that are repeats of folds, and a metric with values of samples. "corrected_t" uses
        the scores of the splits alone, and corrects their variance for the overlap of training sets
        (Nadeau and Bengio, 2003). "bates" estimates the error of cross-validation instead of
        assuming it (Bates, Hastie and Tibshirani, 2024). It needs K·(K − 1)/2 further fits for each
        repeat of K folds and a metric that is a mean over samples, and extrapolates the score to
        all n samples; use it with at least ten repeats. "auto" is "samples", or "corrected_t" where
        that is not possible. See the Notes for measured coverage.
    n_jobs : int, optional
        Number of outer fits in parallel. With more than one, everything within a procedure
        runs with one job, whatever its own `n_jobs`, so that no more processes run than asked for.
        With the default, None, and without a `joblib.parallel_config`, outer fits run one after the
        other, and each search uses its own `n_jobs`: better for few splits and many processors.
    verbose : int, default=0
        1 shows a progress line.
    pre_dispatch : int or str, default="2*n_jobs"
        As for ``cross_validate``.
    error_score : "raise" or float, default=nan
        Outer score of a fit that fails; "raise" raises the error.
    ledger : str or path-like, optional
        Folder to which every outer fit with finite scores is saved when it is finished. If the run
        is interrupted, the same call continues. A search of this package that is a procedure or its
        last step, and has no `ledger` of its own, saves its fits there too, and continues in the
        middle of them. Runs on other data may share the folder; runs with another `scoring`,
        another `error_score` or other splits of the same data need a folder of their own. Saved
        fits are not repeated to check them, as a search does: after a change in what your code
        reads, such as a file, use a new folder. All workers must have access to it.
    p_adjust, rope, alpha : optional
        Settings of the comparison of several procedures; see `Comparison`.

    Returns
    -------
    NestedScoreResult or NestedComparison
        For one procedure, its scores, intervals and choices. For a mapping, a dict of metric →
        `Comparison` of the procedures, as from `cross_validate_models`, with the attribute
        ``results``: name → NestedScoreResult.

    Raises
    ------
    TypeError
        If a procedure has no ``fit``.
    ValueError
        If an option is unknown or out of range; if every fit failed; if a search has
        ``refit=False``; if `scoring` is None and a search has several metrics, none of which its
        `refit` names; if a split of `cv` trains and tests on the same sample; if `interval` needs
        values of samples that the metric does not have, or repeats of folds that `cv` does not
        make; if outer fits run in parallel and a search has a `ledger` of its own; or if `ledger`
        is a file, is damaged, or belongs to other settings or splits.
    RuntimeError
        If another run is using `ledger`.
    OSError
        If `ledger` cannot be made or written to.

    Warns
    -----
    ComparisonWarning
        If there are fewer than 5 outer splits, or they follow time; if an assumption of the
        interval is strained, such as by few samples of a class; or if `groups` are given and the
        search that is a procedure, or its last step, splits without them.
    FitFailedWarning
        If some fits failed.

    See Also
    --------
    cross_validate_models : Compares given models.
    Comparison.optimism : Corrects the best score of a search without further fits.

    Notes
    -----
    The score is valid for independent samples, or for independent groups with splitters that keep
    groups together. It describes the procedure and not one choice of parameters: each outer fit may
    choose others, and `NestedScoreResult.choices` shows how stable the choice is. The outer fits
    train on fewer samples than the final fit. The score is therefore slightly pessimistic, by as
    much as the learning curve rises between the two numbers of samples.

    **Scores that are not means.** R² is 1 − ΣSSE/ΣSST, with sums over the folds of a repeat,
    because the mean R² of small folds is far too low. With `groups`, weights, several targets, a
    constant target in some fold or a scorer without values of samples it remains that mean. F1 and
    average precision are means over folds, and biased if these have few positives: see the
    documentation's evidence for coverage. Use few large folds.

    **Outer splits.** Use one repeat of 5 or 10 folds; only "bates" needs at least ten repeats. All
    repeats share their samples, so more repeats narrow "samples" and "corrected_t" by more than
    they reduce the error, and coverage falls. In simulations with 30 to 300 samples, 95 % intervals
    contained the score of the fitted model in this share of the data sets, on average (and in the
    worst case):

    - "samples": 96 % (89 %) with one repeat, 93 % (86.5 %) with 10 × 10 folds;
    - "corrected_t": 96 to 97 % (92.5 %) with one repeat, 92 % (85 %) with 10 × 10 folds;
    - "bates" with 5 folds: 95 % (89.5 %) with ten repeats, 91 % (86 %) with one.

    References
    ----------
    Varma, S. and Simon, R. (2006). Bias in error estimation when using cross-validation for model
    selection. BMC Bioinformatics 7, 91. https://doi.org/10.1186/1471-2105-7-91

    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239–281. https://doi.org/10.1023/A:1024068626366

    Bates, S., Hastie, T. and Tibshirani, R. (2024). Cross-validation: what does it estimate and how
    well does it do it? JASA 119, 1434–1445. https://doi.org/10.1080/01621459.2023.2197686

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import nested_score
    >>> search = GridSearchCV(SVC(), {"C": [0.1, 1, 10], "gamma": [0.01, 0.1]}, cv=3)
    >>> outer = RepeatedStratifiedKFold(n_splits=10, n_repeats=1, random_state=0)
    >>> nested = nested_score(search, *load_iris(return_X_y=True), cv=outer)
    >>> nested.choices[["chosen", "n_splits"]]
                chosen  n_splits
    0  C=10, gamma=0.1         6
    1   C=1, gamma=0.1         4
    """
    check_option("interval", interval, (_nested_result.AUTO, *_nested_result.INTERVALS))
    _fits.refuse_datasets(X)
    if isinstance(procedure, list | tuple):
        raise TypeError(
            "`procedure` must be an estimator, or a mapping of names to estimators; got a "
            f"{type(procedure).__name__}."
        )
    names, estimators = _fits.named_models(
        procedure if isinstance(procedure, Mapping) else [procedure], "procedure"
    )
    procedures = dict(zip(names or [type(estimators[0]).__name__], estimators, strict=True))
    _fits.check_fitting(n_jobs, verbose, error_score, cv)
    _fits.check_params(params)
    found_searches = ((name, _fits.search_in(each)) for name, each in procedures.items())
    searches = {name: own for name, own in found_searches if own is not None}
    _check_refit(searches)
    if effective_n_jobs(n_jobs) > 1:
        _fits.check_own_ledgers(searches)
    if scoring is None:
        scoring = _own_scoring(procedures, searches, bool(params))
    scorers = {} if scoring is None else scorer_names(scoring)
    check_values(interval, scoring, estimators[0])
    X, y, groups = indexable(X, y, groups)
    book = None
    if ledger is not None:
        book = OuterLedger(
            ledger, procedures, X, y, {**(params or {}), "groups": groups},
            scoring=scoring, error_score=error_score,
        )  # fmt: skip
    try:
        drawn = _fits.drawn_splits(cv, X, y, groups, estimators, book)
        splits, design = checked_splits(cv, drawn, count_samples(X), interval, groups)
        further: list[Split] = []
        if interval == "bates":
            further = pairs_of_folds(splits, design)
            if book is not None:
                book.add(further)
        if groups is not None:
            _fits.warn_of_ungrouped(searches, splits, groups)
        plan = ModelsOnSplits(
            procedures, X, y, groups=groups, scoring=scoring, cv=splits, error_score=error_score,
            return_predictions="values", alternative="two-sided", p_adjust=p_adjust, rope=rope,
            alpha=alpha, params=params,
        )  # fmt: skip
        plan.options["return_estimator"] = True
        plan.book, plan.further = book, further
        known = fits_in_ledgers([plan])
        n_splits = len(splits) + len(further)
        fits = fitted(
            [plan],
            known,
            Progress("nested_score", plan.n_fits, shown=verbose > 0),
            f"Fitting {count(len(procedures), 'procedure')} on {n_splits} outer splits",
            "nested cross-validation",
            n_jobs,
            pre_dispatch,
        )
        _warn_of_further([fit for (_, _, j), fit in fits.items() if j >= len(splits)])
        found = plan.comparisons(fits, warn=False)
        of_splits = {key: comparison.scores.values for key, comparison in found.items()}
        found = {key: with_pooled_r2(own, y, splits) for key, own in found.items()}
    except _fits.NothingFitsError as error:
        raise ValueError(f"`procedure` must fit on some split: {error.failures}") from error
    finally:
        if book is not None:
            book.close()
    results = {
        name: _nested_result.NestedScoreResult(
            name,
            interval,
            found,
            bates_intervals(found, fits, i, splits, further) if further else {},
            sum(row == i for _, row, _ in known),
            i,
            {key: values[i] for key, values in of_splits.items()},
            scorers,
            [_choice(fits[0, i, j].arrays) for j in range(len(splits))],
            [fits[0, i, j].seconds for j in range(len(splits))],
        )
        for i, name in enumerate(procedures)
    }
    strained = next(iter(results.values())).strained_assumptions()
    if strained:
        warn_user(" ".join(strained), "comparison-warnings")
    if not isinstance(procedure, Mapping):
        return results.popitem()[1]
    compared = _nested_result.NestedComparison(found)
    compared.results = results
    return compared


def _choice(arrays: Mapping[str, Any]) -> dict[str, Any] | None:
    found = arrays.get(CHOICE)
    return None if found is None else json.loads(found.tobytes().decode())


Split = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Training and test samples."""


def with_pooled_r2(comparison: Comparison, y: Any, splits: Sequence[Split]) -> Comparison:
    """A comparison by R², by 1 − ΣSSE/ΣSST, with the sums over all folds of a repeat.

    In a small fold the total of its own mean varies much, so that the mean R² of folds is far too
    low. Values of samples are (1 − R²)·(z/z̄ − 1) + 1 − e²/z̄, with e the error and z the squared
    deviation from the mean target, as those of `losses.r2` in a fold. Without values of independent
    samples the comparison remains that of the folds' means, as by any other metric.
    """
    scores, kept = comparison.scores, comparison._predicted
    if kept is None or kept.scoring.groups is not None:
        return comparison
    reading = read_scorer(kept.scoring.scorers[kept.metric], kept.scoring.estimator)
    if (reading.metric, reading.sign) != ("r2_score", 1):
        return comparison
    try:
        target = as_labels(y).astype(np.float64)
        samples = kept.samples()
    except (TypeError, ValueError):
        return comparison
    if target.ndim > 1:
        return comparison
    tested, target = kept.tested, target[kept.tested]
    tests = (np.searchsorted(tested, test) for _, test in splits)
    folds = list(zip(scores.design.repeat, tests, strict=True))
    totals = np.array([target[test].var() for _, test in folds]) / target.var()
    if not (totals > 0).all():
        return comparison
    errors = 1 - samples.values.astype(np.float64)
    for (repeat, test), total in zip(folds, totals, strict=True):
        own = errors[:, repeat, test]  # less the effect of each sample on the total of its fold
        own += own.mean(axis=1, keepdims=True) * (_squares(target[test]) - 1)
        errors[:, repeat, test] = own * total
    values = 1 - errors + errors.mean(axis=(1, 2), keepdims=True) * (_squares(target) - 1)
    # The mean over folds of any size is to be that over samples.
    mean = values.mean(axis=(1, 2), keepdims=True)
    shares = np.ones(values.shape[1:])
    for repeat, test in folds:
        shares[repeat, test] = test.size * samples.n_folds / target.size
    values = mean + shares * (values - mean)
    of_folds = [values[:, repeat, test].mean(axis=1) for repeat, test in folds]
    kept_as = replace(samples, values=values)
    pooled = replace(scores, values=np.stack(of_folds, axis=1), samples=kept_as)
    said = "R² is 1 − ΣSSE/ΣSST of all test samples of a repeat; the mean of the folds is not used."
    return replace(comparison, scores=pooled, note=joined_notes(comparison.note, said), warn=False)


def _squares(target: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared deviations from the mean, over their mean."""
    return np.asarray((target - target.mean()) ** 2 / target.var())


_FEW = 5
"""Fewer outer splits than this are warned of."""


def checked_splits(
    cv: Any, drawn: list[Any], n_samples: int, interval: str, groups: Any
) -> tuple[list[Split], SplitDesign]:
    """Splits as indices that the interval can use, and their design.

    Warns of few splits, and of splits that follow time.
    """
    samples = np.arange(n_samples)
    splits = [(samples[as_index(train)], samples[as_index(test)]) for train, test in drawn]
    for k, (train, test) in enumerate(splits):
        if not test.size or not train.size:
            raise ValueError(f"`cv` must train and test on samples; got none in split {k}.")
        if np.isin(test, train).any():
            raise ValueError(
                "`cv` must test on samples that it does not train on; split "
                f"{k} has {np.count_nonzero(np.isin(test, train))} of them in both."
            )
    design = SplitDesign.from_indices(splits, n_samples)
    if interval == "bates":
        check_folds(design, groups)
    if interval == "samples":
        try:
            SampleTTest().check(design)
        except ValueError as error:
            raise ValueError(
                '`interval` "samples" needs a `cv` of repeats of folds, each of which tests every '
                f"sample once; got other splits: {shown(cv)}."
            ) from error
    trouble = []
    if design.n_splits < _FEW:
        trouble.append(
            f"There are only {count(design.n_splits, 'outer split')}: use one repeat of 5 or 10 "
            "folds, or read the interval as a guide."
        )
    if design.expanding or design.sliding:
        trouble.append("The outer splits follow time: read the interval as a guide.")
    if trouble:
        warn_user(" ".join(trouble), "outer-splits")
    return splits, design


def _check_refit(searches: _fits.Searches) -> None:
    for name, (search, _) in searches.items():
        if getattr(search, "refit", True) is False:
            raise ValueError(
                "`procedure` must refit what its search chose, to be scored on outer test sets; "
                f"got refit=False in {name!r}."
            )


def _own_scoring(procedures: Mapping[str, Any], searches: _fits.Searches, has_params: bool) -> Any:
    """The scorer of the procedures' `score`, or its name; None where none is known.

    A search hides its predictions behind its `score`. By its scorer, the values of samples are
    known.
    """
    for name, (search, _) in searches.items():
        scoring, refit = getattr(search, "scoring", None), getattr(search, "refit", True)
        if isinstance(scoring, str) or not isinstance(scoring, Collection) or len(scoring) == 1:
            continue
        if not isinstance(refit, str):
            by = getattr(refit, "metric", None)
            chosen = f", and chooses by {by!r}" if by else ""
            raise ValueError(
                f"`scoring` must be given, because the search in {name!r} has several metrics and "
                f"its `refit` is the name of none{chosen}; got refit={shown(refit)}."
            )
    _fits.check_one_score(list(procedures), list(procedures.values()))
    return _fits.common_scoring(procedures.values(), has_params)


def scorer_names(scoring: Any) -> dict[str, str | None]:
    """Name of the scorer of each metric; None if it is no name."""
    if isinstance(scoring, str):
        return {"score": scoring}
    if isinstance(scoring, list | tuple | set):
        found: dict[str, str | None] = {str(name): str(name) for name in scoring}
    elif isinstance(scoring, Mapping):
        found = {str(name): name_of_scorer(own) or None for name, own in scoring.items()}
    else:
        return {"score": name_of_scorer(scoring) or None}
    for name in found:
        if name in _nested_result.COLUMNS:
            raise wrong("scoring", "not name a metric as a column of the results", name)
    return found


def check_values(interval: str, scoring: Any, procedure: Any) -> None:
    """Raise ValueError if a metric lacks the values that an interval needs."""
    if interval in (_nested_result.AUTO, "corrected_t"):
        return
    for name, scorer in by_metric(check_scoring(procedure, scoring=scoring)).items():
        reading = read_scorer(scorer, procedure)
        if reading.how == "none":
            raise ValueError(
                f"`interval` {interval!r} needs a metric with a value for every sample; got "
                f"{name}: {reading.reason}. Name a scorer in `scoring`, or use "
                'interval="corrected_t".'
            )
        if interval == "bates" and reading.how != "mean":
            raise ValueError(
                '`interval` "bates" needs a metric that is the mean of a value of every sample, '
                f"such as accuracy, log loss or squared error; got {reading.metric}."
            )


def _warn_of_further(fits: Iterable[FinishedFit]) -> None:
    failed = [fit.scores for fit in fits if not _fits.is_scored(fit)]
    if failed:
        why = next((f", one with {scores}" for scores in failed if isinstance(scores, str)), "")
        warn_user(
            f'`interval` "bates" needs further fits, of which {len(failed)} failed{why}. There is '
            "no interval.",
            "further-fits",
            FitFailedWarning,
        )


_FEWEST_FOLDS = 3


def check_folds(design: SplitDesign, groups: Any) -> None:
    """Raise ValueError unless splits are repeats of folds of independent samples."""
    if groups is not None:
        raise ValueError(
            '`interval` "bates" needs independent samples; got `groups`. Use "corrected_t".'
        )
    sizes = np.unique(np.bincount(design.repeat[design.repeat >= 0], minlength=1))
    if (design.repeat < 0).any() or sizes.size > 1 or sizes[0] < _FEWEST_FOLDS:
        raise ValueError(
            f'`interval` "bates" needs a `cv` of repeats of K ≥ {_FEWEST_FOLDS} folds that test '
            "every sample once, such as RepeatedKFold; got other splits."
        )
    if design.n_test.min() < 2:
        raise ValueError(
            '`interval` "bates" needs at least two samples in every test set of `cv`; got one.'
        )


def pairs_of_folds(splits: Sequence[Split], design: SplitDesign) -> list[Split]:
    """Splits that train without two folds of a repeat, and test on both."""
    return [
        (np.setdiff1d(splits[k][0], splits[other][1]), np.r_[splits[k][1], splits[other][1]])
        for k, other in _pairs(design.repeat)
    ]


def bates_intervals(
    comparisons: Mapping[str, Comparison],
    fits: Mapping[_fits.Cell, FinishedFit],
    row: int,
    splits: Sequence[Split],
    further: Sequence[Split],
) -> dict[str, NestedIntervalResult]:
    """Results by metric; without a metric of which a fit failed.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        By metric.
    fits : mapping of (int, int, int) to FinishedFit
        The fits of each procedure on each split, `further` after `splits`.
    row : int
        The procedure.
    splits, further : sequence of (train, test)
        The outer splits, and those of `pairs_of_folds`.
    """
    found = {}
    for metric, comparison in comparisons.items():
        cells = (fits[0, row, j].arrays for j in range(len(splits) + len(further)))
        every = [cell.get(VALUES + metric, np.nan) for cell in cells]
        if not all(np.isfinite(values).all() for values in every):
            continue
        outer = every[: len(splits)]
        repeat = comparison.scores.design.repeat
        inner: list[list[NDArray[Any]]] = [[] for _ in splits]
        for values, (k, other) in zip(every[len(splits) :], _pairs(repeat), strict=True):
            of_k, of_other = np.split(values, [len(splits[k][1])])
            # Without fold k, the other fold is tested, and the other way round.
            inner[k].append(of_other)
            inner[other].append(of_k)
        n_folds = int(np.count_nonzero(repeat == repeat[0]))
        found[metric] = nested_cv_interval(outer, [np.concatenate(own) for own in inner], n_folds)
    return found


def _pairs(repeat: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Pairs of splits of the same repeat."""
    for number in np.unique(repeat):
        folds = np.flatnonzero(repeat == number).tolist()
        for place, k in enumerate(folds):
            for other in folds[place + 1 :]:
                yield k, other
