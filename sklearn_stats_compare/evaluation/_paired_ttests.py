"""Paired t-tests of two estimators over k folds or over repeated random splits."""

import warnings
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_count,
    check_flag,
    check_option,
    outside_level,
)
from sklearn_stats_compare.evaluation._two_estimators import (
    Split,
    TwoEstimatorsResult,
    random_splits,
    scores_of_two,
)
from sklearn_stats_compare.stats import PAIR_TESTS, SplitScores

CORRECTIONS = ("nadeau_bengio", None)


def paired_ttest_kfold_cv(
    estimator1: Any,
    estimator2: Any,
    X: Any,
    y: Any,
    cv: int = 10,
    scoring: Any = None,
    shuffle: bool = False,
    random_seed: int | None = None,
    *,
    correction: str | None = "nadeau_bengio",
    stratify: bool = False,
    groups: Any = None,
    n_jobs: int | None = None,
) -> TwoEstimatorsResult:
    """Paired t-test of two estimators over the folds of a k-fold cross-validation.

    Parameters
    ----------
    estimator1, estimator2 : estimator
        The estimators. They are cloned and never fitted in place.
    X : array-like of shape (n_samples, n_features)
        Data.
    y : array-like of shape (n_samples,)
        Target.
    cv : int, default=10
        Number of folds, k.
    scoring : str or callable, optional
        As for ``cross_validate``. Default: accuracy for classifiers, R² for regressors.
    shuffle : bool, default=False
        Whether to shuffle the samples before dividing them into folds.
    random_seed : int, optional
        Seeds the shuffle.
    correction : {"nadeau_bengio", None}, default="nadeau_bengio"
        None assumes independent folds, as textbooks do, with a warning: for equal estimators that
        test rejects far too often.
    stratify : bool, default=False
        Whether the folds are stratified by class.
    groups : array-like of shape (n_samples,), optional
        Groups that are kept together; not with `shuffle`.
    n_jobs : int, optional
        Number of jobs in parallel.

    Returns
    -------
    TwoEstimatorsResult
        Unpacks as ``statistic, pvalue``; t has k − 1 degrees of freedom.

    Raises
    ------
    ValueError
        If `cv` is not a whole number ≥ 2, both `stratify` and `groups`, or `shuffle` and `groups`,
        are given, or a score is not finite.

    Warns
    -----
    ComparisonWarning
        With ``correction=None``, and if groups make folds of very different sizes.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52,
    239–281. https://doi.org/10.1023/A:1024068626366
    """
    check_option("correction", correction, CORRECTIONS)
    check_count("cv", cv, least=2)
    check_flag("shuffle", shuffle)

    def folds(n: int, y: Any, seed: int | None, stratify: bool, groups: Any) -> list[Split]:
        if groups is not None:
            # GroupKFold can shuffle from scikit-learn 1.6 on. Then all folds have the same number
            # of groups, whatever their sizes; otherwise it balances sizes.
            if shuffle:
                raise ValueError("`shuffle` must be False where `groups` are given; got True.")
            return list(GroupKFold(cv).split(np.arange(n), y, groups))
        # KFold raises ValueError for a seed without shuffling.
        kind = StratifiedKFold if stratify else KFold
        return list(kind(cv, shuffle=shuffle, random_state=seed if shuffle else None).split(
            np.arange(n), y
        ))  # fmt: skip

    scores = scores_of_two(
        (estimator1, estimator2), X, y, folds, scoring, random_seed, stratify, groups, n_jobs
    )
    return _t_test(scores, correction)


def paired_ttest_resampled(
    estimator1: Any,
    estimator2: Any,
    X: Any,
    y: Any,
    num_rounds: int = 30,
    test_size: float | int = 0.3,
    scoring: Any = None,
    random_seed: int | None = None,
    *,
    correction: str | None = "nadeau_bengio",
    stratify: bool = False,
    groups: Any = None,
    n_jobs: int | None = None,
) -> TwoEstimatorsResult:
    """Paired t-test of two estimators over repeated random train/test splits.

    Parameters
    ----------
    estimator1, estimator2 : estimator
        The estimators. They are cloned and never fitted in place.
    X : array-like of shape (n_samples, n_features)
        Data.
    y : array-like of shape (n_samples,)
        Target.
    num_rounds : int, default=30
        Number of splits.
    test_size : float or int, default=0.3
        Share or number of samples that are tested on.
    scoring : str or callable, optional
        As for ``cross_validate``. Default: accuracy for classifiers, R² for regressors.
    random_seed : int, optional
        Seeds the splits. Without `stratify` and `groups` they are those of mlxtend.
    correction : {"nadeau_bengio", None}, default="nadeau_bengio"
        None assumes independent splits, with a warning: for equal estimators that test rejects far
        too often, and more often with more rounds.
    stratify : bool, default=False
        Whether the splits are stratified by class.
    groups : array-like of shape (n_samples,), optional
        Groups that are kept together.
    n_jobs : int, optional
        Number of jobs in parallel.

    Returns
    -------
    TwoEstimatorsResult
        Unpacks as ``statistic, pvalue``; t has num_rounds − 1 degrees of freedom.

    Raises
    ------
    ValueError
        If `num_rounds` is not a whole number ≥ 2, both `stratify` and `groups` are given, or a
        score is not finite.

    Warns
    -----
    ComparisonWarning
        With ``correction=None``, and if groups make test sets of very different sizes.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52,
    239–281. https://doi.org/10.1023/A:1024068626366
    """
    check_option("correction", correction, CORRECTIONS)
    check_count("num_rounds", num_rounds, least=2)

    def resamples(n: int, y: Any, seed: int | None, stratify: bool, groups: Any) -> list[Split]:
        return random_splits(n, y, num_rounds, test_size, seed, stratify, groups)

    scores = scores_of_two(
        (estimator1, estimator2), X, y, resamples, scoring, random_seed, stratify, groups, n_jobs
    )
    return _t_test(scores, correction)


def _t_test(scores: SplitScores, correction: str | None) -> TwoEstimatorsResult:
    # Estimator 1 minus estimator 2, as in mlxtend, not by rank.
    test = PAIR_TESTS["uncorrected_t" if correction is None else "corrected_t"]
    if correction is None:
        warnings.warn(
            "Without a correction this test treats the splits as independent, which they are not: "
            "it calls equally good models different in a quarter to more than half of all cases.",
            ComparisonWarning,
            stacklevel=outside_level(),
        )
    tests = test.against(scores, 0, np.array([1]))
    return TwoEstimatorsResult(
        statistic=float(tests.statistic[0]),
        pvalue=float(tests.pvalue("two-sided")[0]),
        df=(tests.df,),
        mean_diff=float(tests.mean_diff[0]),
        scores=scores,
    )
