"""The 5×2cv tests of two estimators: Dietterich's t and Alpaydın's combined F."""

from typing import Any

import numpy as np

from sklearn_stats_compare.evaluation._two_estimators import (
    Split,
    TwoEstimatorsResult,
    random_splits,
    scores_of_two,
)
from sklearn_stats_compare.stats import FiveByTwo


def paired_ttest_5x2cv(
    estimator1: Any,
    estimator2: Any,
    X: Any,
    y: Any,
    scoring: Any = None,
    random_seed: int | None = None,
    *,
    stratify: bool = False,
    groups: Any = None,
    n_jobs: int | None = None,
) -> TwoEstimatorsResult:
    """Dietterich's 5×2cv paired t-test of two estimators.

    The data are halved five times; each half trains and tests once. The statistic is the score
    difference on the first split divided by the root of the mean of the five variances.

    Parameters
    ----------
    estimator1, estimator2 : estimator
        The estimators. They are cloned and never fitted in place.
    X : array-like of shape (n_samples, n_features)
        Data.
    y : array-like of shape (n_samples,)
        Target.
    scoring : str or callable, optional
        As for ``cross_validate``. Default: accuracy for classifiers, R² for regressors.
    random_seed : int, optional
        Seeds the halvings. Without `stratify` and `groups` they are those of mlxtend.
    stratify : bool, default=False
        Whether the halves are stratified by class.
    groups : array-like of shape (n_samples,), optional
        Groups that are kept together.
    n_jobs : int, optional
        Number of jobs in parallel.

    Returns
    -------
    TwoEstimatorsResult
        Unpacks as ``statistic, pvalue``; t has 5 degrees of freedom. Two identical estimators have
        t = 0 and p = 1.

    Raises
    ------
    ValueError
        If both `stratify` and `groups` are given, or a score is not finite. Errors of the
        estimators are not caught.

    Warns
    -----
    ComparisonWarning
        If `groups` cannot be divided into halves.

    See Also
    --------
    combined_ftest_5x2cv : Uses the same splits, in any order.

    Notes
    -----
    The t statistic depends on which split comes first: another order of the same ten scores gives
    another statistic. That of `combined_ftest_5x2cv` does not. Both tests train on half of the
    data, which costs about half of the power, and a repetition with new halvings gives the same
    result in only about half of the cases. For a decision use the corrected t over 10×10-fold
    cross-validation (`cross_validate_models`).

    References
    ----------
    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification
    learning algorithms. Neural Computation 10, 1895–1923.
    https://doi.org/10.1162/089976698300017197

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_stats_compare import paired_ttest_5x2cv
    >>> X, y = load_iris(return_X_y=True)
    >>> stump = DecisionTreeClassifier(max_depth=1, random_state=1)
    >>> t, p = paired_ttest_5x2cv(LogisticRegression(max_iter=1000), stump, X, y, random_seed=1)
    >>> round(t, 2), round(p, 4)
    (7.83, 0.0005)
    """
    scores = scores_of_two(
        (estimator1, estimator2), X, y, _halvings, scoring, random_seed, stratify, groups, n_jobs,
        halves=True,
    )  # fmt: skip
    tests = FiveByTwo.of(scores, np.array([0]), np.array([1]))
    return TwoEstimatorsResult(
        statistic=float(tests.t_statistic[0]),
        pvalue=float(tests.t_pvalue("two-sided")[0]),
        df=(5,),
        mean_diff=float(tests.mean_diff[0]),
        scores=scores,
    )


def combined_ftest_5x2cv(
    estimator1: Any,
    estimator2: Any,
    X: Any,
    y: Any,
    scoring: Any = None,
    random_seed: int | None = None,
    *,
    stratify: bool = False,
    groups: Any = None,
    n_jobs: int | None = None,
) -> TwoEstimatorsResult:
    """Alpaydın's combined 5×2cv F-test of two estimators.

    The statistic is the sum of all ten squared differences divided by twice the sum of the five
    variances. Unlike the 5×2cv t, it does not depend on which split comes first.

    Parameters
    ----------
    estimator1, estimator2 : estimator
        The estimators. They are cloned and never fitted in place.
    X : array-like of shape (n_samples, n_features)
        Data.
    y : array-like of shape (n_samples,)
        Target.
    scoring : str or callable, optional
        As for ``cross_validate``. Default: accuracy for classifiers, R² for regressors.
    random_seed : int, optional
        Seeds the halvings. Without `stratify` and `groups` they are those of mlxtend.
    stratify : bool, default=False
        Whether the halves are stratified by class.
    groups : array-like of shape (n_samples,), optional
        Groups that are kept together.
    n_jobs : int, optional
        Number of jobs in parallel.

    Returns
    -------
    TwoEstimatorsResult
        Unpacks as ``statistic, pvalue``; F has 10 and 5 degrees of freedom. Two identical
        estimators have F = 0 and p = 1.

    Raises
    ------
    ValueError
        If both `stratify` and `groups` are given, or a score is not finite. Errors of the
        estimators are not caught.

    Warns
    -----
    ComparisonWarning
        If `groups` cannot be divided into halves.

    See Also
    --------
    paired_ttest_5x2cv : Its notes on 5×2cv apply here too.

    References
    ----------
    Alpaydın, E. (1999). Combined 5×2 cv F test for comparing supervised classification learning
    algorithms. Neural Computation 11, 1885–1892. https://doi.org/10.1162/089976699300016007
    """
    scores = scores_of_two(
        (estimator1, estimator2), X, y, _halvings, scoring, random_seed, stratify, groups, n_jobs,
        halves=True,
    )  # fmt: skip
    tests = FiveByTwo.of(scores, np.array([0]), np.array([1]))
    return TwoEstimatorsResult(
        statistic=float(tests.f_statistic[0]),
        pvalue=float(tests.f_pvalue()[0]),
        df=(10, 5),
        mean_diff=float(tests.mean_diff[0]),
        scores=scores,
    )


def _halvings(n: int, y: Any, seed: int | None, stratify: bool, groups: Any) -> list[Split]:
    """Both splits of each of five halvings; the tests read them as pairs in this order."""
    # The first half trains first, as in mlxtend: t uses the difference of that split only.
    splits = random_splits(n, y, 5, 0.5, seed, stratify, groups)
    return [split for train, test in splits for split in ((train, test), (test, train))]
