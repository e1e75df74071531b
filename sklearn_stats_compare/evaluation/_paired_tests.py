"""Tests of two estimators on one data set: t over k folds or random splits, and the 5×2cv tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    StratifiedKFold,
    train_test_split,
)
from sklearn.utils import indexable

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare._utils._validation import (
    check_count,
    check_flag,
    check_option,
    check_seed,
    shown,
    warn_user,
)
from sklearn_stats_compare.comparison._tables import check_structure
from sklearn_stats_compare.evaluation._cross_validate import compared_models
from sklearn_stats_compare.evaluation._fits import check_estimator, check_jobs
from sklearn_stats_compare.stats._family import PAIR_TESTS
from sklearn_stats_compare.stats._numeric import StatisticPair
from sklearn_stats_compare.stats._scores import SplitScores

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
    test = _t_test(correction)
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

    return _tested(
        test, folds, estimator1, estimator2, X, y, scoring, random_seed, stratify, groups, n_jobs
    )


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
    test = _t_test(correction)
    check_count("num_rounds", num_rounds, least=2)

    def draws(n: int, y: Any, seed: int | None, stratify: bool, groups: Any) -> list[Split]:
        return random_splits(n, y, num_rounds, test_size, seed, stratify, groups)

    return _tested(
        test, draws, estimator1, estimator2, X, y, scoring, random_seed, stratify, groups, n_jobs
    )


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
    return _tested(
        "5x2cv_t", _halvings, estimator1, estimator2, X, y, scoring, random_seed, stratify, groups,
        n_jobs,
    )  # fmt: skip


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
    return _tested(
        "5x2cv_f", _halvings, estimator1, estimator2, X, y, scoring, random_seed, stratify, groups,
        n_jobs,
    )  # fmt: skip


def _halvings(n: int, y: Any, seed: int | None, stratify: bool, groups: Any) -> list[Split]:
    """Both splits of each of five halvings; the tests read them as pairs in this order."""
    # The first half trains first, as in mlxtend: t uses the difference of that split only.
    splits = random_splits(n, y, 5, 0.5, seed, stratify, groups)
    return [split for train, test in splits for split in ((train, test), (test, train))]


_SEEDS = 32767  # mlxtend's, see `random_splits`

Split = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True)
class TwoEstimatorsResult(StatisticPair):
    """Result of a test of two estimators; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        t or F; the sign of t is that of estimator 1 minus estimator 2.
    pvalue : float
        Two-sided p-value.
    df : tuple of int
        Degrees of freedom: one number for t, two for F.
    mean_diff : float
        Mean score of estimator 1 minus that of estimator 2, over all splits, in score units.
    scores : SplitScores
        Scores of the two on every split, and the sizes of the splits.
    """

    df: tuple[int, ...]
    mean_diff: float
    scores: SplitScores = field(repr=False, compare=False)


def _t_test(correction: str | None) -> str:
    """The key of the test with a correction, or without."""
    check_option("correction", correction, CORRECTIONS)
    return "uncorrected_t" if correction is None else "corrected_t"


def _tested(
    test: str,
    split: Callable[..., list[Split]],
    estimator1: Any,
    estimator2: Any,
    X: Any,
    y: Any,
    scoring: Any,
    random_seed: int | None,
    stratify: bool,
    groups: Any,
    n_jobs: int | None,
) -> TwoEstimatorsResult:
    """Score both estimators on the same splits and test their difference.

    Warns if the splits do not meet the assumptions of the test.
    """
    models = {"estimator1": estimator1, "estimator2": estimator2}
    for name, estimator in models.items():
        check_estimator(name, estimator)
    check_jobs(n_jobs)
    check_seed("random_seed", random_seed)
    check_flag("stratify", stratify)
    if stratify and groups is not None:
        raise ValueError("`stratify` must be False where `groups` are given; got True.")
    X, y, groups = indexable(X, y, groups)
    splits = split(count_samples(X), y, random_seed, stratify, groups)
    if scoring is None:
        # mlxtend also chooses by the first estimator. `cross_validate` would use each one's own
        # `score`.
        if is_classifier(estimator1):
            scoring = "accuracy"
        elif is_regressor(estimator1):
            scoring = "r2"
    found = compared_models(
        # These tests cannot handle missing scores, so a failed fit raises.
        models, X, y, cv=splits, scoring=scoring, n_jobs=n_jobs, error_score="raise",
        warn=False,  # see below
    )  # fmt: skip
    if list(found) != ["score"]:
        raise ValueError(f"`scoring` must be a single metric; got {shown(scoring)}.")
    scores = found["score"].scores
    for name, values in zip(models, scores.values, strict=True):
        if not np.isfinite(values).all():
            bad = ", ".join(map(str, np.flatnonzero(~np.isfinite(values))))
            raise ValueError(
                f"`scoring` must give a finite score on every split; got others for `{name}` on "
                f"splits {bad}."
            )
    # These tests are made for few splits, so no warning mentions their number.
    problems = check_structure(scores.design)
    if split is _halvings and not scores.design.complementary_halves:
        # Few large groups: GroupShuffleSplit divides the number of groups, whatever their sizes.
        sizes = f"{scores.design.n_test.min()} to {scores.design.n_test.max()} samples"
        problems.insert(0, f"These groups cannot be halved: one part has {sizes}, and 5×2cv is "
                           "derived for halves.")  # fmt: skip
    if problems:
        warn_user(" ".join(problems))
    if test == "uncorrected_t":
        warn_user(
            "Without a correction this test treats the splits as independent, which they are not: "
            "it calls equally good models different in a quarter to more than half of all cases."
        )
    # Estimator 1 minus estimator 2, as in mlxtend, not by rank.
    tests = PAIR_TESTS[test].against(scores, 0, np.array([1]))
    return TwoEstimatorsResult(
        statistic=float(tests.statistic[0]),
        pvalue=float(tests.pvalue("two-sided")[0]),
        df=(10, 5) if test == "5x2cv_f" else (tests.df,),
        mean_diff=float(tests.mean_diff[0]),
        scores=scores,
    )


def random_splits(
    n: int, y: Any, n_splits: int, test_size: float | int, seed: int | None, stratify: bool,
    groups: Any,
) -> list[Split]:  # fmt: skip
    """Splits drawn one after another, as in mlxtend."""
    # mlxtend's stream, so that its users reproduce their numbers: RandomState, a seed below 32767
    # for each split, and train_test_split on the data, which draws as on their indices.
    rng = np.random.RandomState(seed)
    samples = np.arange(n)
    splits = []
    for _ in range(n_splits):
        options = {"test_size": test_size, "random_state": rng.randint(low=0, high=_SEEDS)}
        if groups is not None:
            splits += GroupShuffleSplit(1, **options).split(samples, y, groups)
        else:
            train, test = train_test_split(samples, stratify=y if stratify else None, **options)
            splits.append((train, test))
    return splits
