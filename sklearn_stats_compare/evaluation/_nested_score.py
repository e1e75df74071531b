"""nested_score(): the score of procedures that tune within each training set."""

import json
from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import indexable

from sklearn_stats_compare._messages import (
    check_option,
    shown,
)
from sklearn_stats_compare.evaluation._jobs import check_error_score, check_jobs, check_splitter
from sklearn_stats_compare.evaluation._model_fits import NothingFitsError
from sklearn_stats_compare.evaluation._models_on_splits import compared_models
from sklearn_stats_compare.evaluation._named_estimators import named_models, stratifies
from sklearn_stats_compare.evaluation._nested_arguments import (
    Split,
    check_refit,
    check_values,
    checked_splits,
    own_scoring,
    scorer_names,
)
from sklearn_stats_compare.evaluation._nested_fits import NestedFits
from sklearn_stats_compare.evaluation._nested_result import (
    AUTO,
    INTERVALS,
    NestedComparison,
    NestedScoreResult,
)
from sklearn_stats_compare.evaluation._pairs_of_folds import (
    bates_intervals,
    pairs_of_folds,
)
from sklearn_stats_compare.evaluation._procedures import (
    check_own_ledgers,
    warn_of_ungrouped,
)
from sklearn_stats_compare.evaluation._sklearn_private import count_samples
from sklearn_stats_compare.predictions import CHOICE
from sklearn_stats_compare.search import OuterLedger, SplitSource


def nested_score(
    procedure: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = None,
    scoring: Any = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    interval: str = "auto",
    n_jobs: int | None = None,
    verbose: int = 0,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: Any = np.nan,
    ledger: str | PathLike[str] | None = None,
    p_adjust: str | None = "bonferroni",
    rope: float | tuple[float, float] | str = 0.01,
    alpha: float = 0.05,
) -> NestedScoreResult | NestedComparison:
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
        another `error_score` or other splits of the same data need a folder of their own. All
        workers must have access to the folder.
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
        If there are fewer than 5 outer splits, or they follow time; or if `groups` are given and
        the search that is a procedure, or its last step, splits without them.
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

    **Outer splits.** Use one repeat of 5 or 10 folds; only "bates" needs at least ten repeats. All
    repeats share their samples, so more repeats narrow "samples" and "corrected_t" by more than
    they reduce the error, and coverage falls. In simulations with 30 to 300 samples, 95 % intervals
    contained the score of the fitted model in this share of the data sets, on average (and in the
    worst case):

    - "samples": 97 % (92.5 %) with one repeat, 93 % (86.5 %) with 10 × 10 folds;
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
    check_option("interval", interval, (AUTO, *INTERVALS))
    names, estimators = named_models(
        procedure if isinstance(procedure, Mapping) else [procedure], "procedure"
    )
    procedures = dict(zip(names or [type(estimators[0]).__name__], estimators, strict=True))
    check_jobs(n_jobs, verbose)
    check_error_score(error_score)
    check_splitter(cv)
    if params is not None and not isinstance(params, Mapping):
        raise ValueError(f"`params` must be a mapping of names to values; got {shown(params)}.")
    check_refit(procedures)
    if effective_n_jobs(n_jobs) > 1:
        check_own_ledgers(procedures)
    if scoring is None:
        scoring = own_scoring(procedures)
    scorers = {} if scoring is None else scorer_names(scoring)
    check_values(interval, scoring, estimators[0])
    X, y, groups = indexable(X, y, groups)
    classifier = stratifies(cv, estimators)
    book = None
    if ledger is not None:
        book = OuterLedger(
            ledger, procedures, X, y, {**(params or {}), "groups": groups},
            scoring=scoring, error_score=error_score,
        )  # fmt: skip
    try:
        if book is None:
            given = {} if groups is None else {"groups": groups}
            drawn = SplitSource(cv, X, y, given, classifier=classifier).splits()
        else:
            drawn = book.settle(cv, groups, classifier=classifier)
        splits, design = checked_splits(cv, drawn, count_samples(X), interval, groups)
        further: list[Split] = []
        if interval == "bates":
            further = pairs_of_folds(splits, design)
            if book is not None:
                book.add(further)
        if groups is not None:
            warn_of_ungrouped(procedures)
        fits = NestedFits(
            X, y, params, groups, n_jobs, pre_dispatch, verbose, book, further
        )  # fmt: skip
        found = compared_models(
            procedures, X, y, groups=groups, scoring=scoring, cv=splits,
            error_score=error_score, return_predictions="values", fits=fits, warn=False,
            alternative="two-sided", p_adjust=p_adjust, rope=rope, alpha=alpha,
        )  # fmt: skip
    except NothingFitsError as error:
        raise ValueError(f"`procedure` must fit on some split: {error.failures}") from error
    finally:
        if book is not None:
            book.close()
    results = {
        name: NestedScoreResult(
            name,
            interval,
            found,
            bates_intervals(found, fits.arrays, i, splits, further) if further else {},
            sum(row == i for row, _ in fits.reused),
            i,
            scorers,
            [_choice(fits.arrays.get((i, j), {})) for j in range(len(splits))],
            [fits.seconds[i, j] for j in range(len(splits))],
        )
        for i, name in enumerate(procedures)
    }
    if not isinstance(procedure, Mapping):
        return results.popitem()[1]
    compared = NestedComparison(found)
    compared.results = results
    return compared


def _choice(arrays: Mapping[str, Any]) -> dict[str, Any] | None:
    found = arrays.get(CHOICE)
    return None if found is None else json.loads(found.tobytes().decode())
