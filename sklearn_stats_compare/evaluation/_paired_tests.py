"""paired_cv_test(): t over k folds or random splits, and the 5×2cv tests, of two estimators."""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

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
from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare.comparison._tables import check_structure
from sklearn_stats_compare.evaluation._cross_validate import compared_models
from sklearn_stats_compare.evaluation._fits import check_estimator, check_fitting
from sklearn_stats_compare.stats._family import PAIR_TESTS
from sklearn_stats_compare.stats._numeric import StatisticPair
from sklearn_stats_compare.stats._scores import SplitScores

CORRECTIONS = ("nadeau_bengio", None)

PairedMethod = Literal["5x2cv_f", "5x2cv_t", "kfold", "resampled"]

_SPLITS = {"kfold": 10, "resampled": 30}


def paired_cv_test(
    estimator1: Any,
    estimator2: Any,
    X: Any,
    y: Any,
    *,
    method: PairedMethod = "5x2cv_f",
    scoring: Any = None,
    n_splits: int | None = None,
    test_size: float | int = 0.3,
    shuffle: bool = False,
    stratify: bool = False,
    groups: Any = None,
    correction: Literal["nadeau_bengio"] | None = "nadeau_bengio",
    random_seed: int | None = None,
    n_jobs: int | None = None,
) -> "TwoEstimatorsResult":
    """Textbook test of two estimators by cross-validation.

    Parameters
    ----------
    estimator1, estimator2 : estimator
        The estimators. They are cloned and never fitted in place.
    X : array-like of shape (n_samples, n_features)
        Data.
    y : array-like of shape (n_samples,)
        Target.
    method : {"5x2cv_f", "5x2cv_t", "kfold", "resampled"}, default="5x2cv_f"
        The test and its splits. "5x2cv_t" is Dietterich's: the data are halved five times, each
        half trains and tests once, and t is the difference on the first split divided by the root
        of the mean of the five variances. "5x2cv_f" is Alpaydın's: the sum of all ten squared
        differences divided by twice the sum of the five variances. "kfold" is a paired t-test over
        the folds of a k-fold cross-validation, "resampled" one over random train/test splits.
    scoring : str or callable, optional
        As for ``cross_validate``. Default: accuracy for classifiers, R² for regressors.
    n_splits : int, optional
        Number of folds of "kfold", default 10, or of random splits of "resampled", default 30;
        not with the others.
    test_size : float or int, default=0.3
        Share or number of samples that "resampled" tests on.
    shuffle : bool, default=False
        Whether "kfold" shuffles the samples before dividing them into folds.
    stratify : bool, default=False
        Whether the splits are stratified by class.
    groups : array-like of shape (n_samples,), optional
        Groups that are kept together; not with `shuffle` or `stratify`.
    correction : {"nadeau_bengio", None}, default="nadeau_bengio"
        Of "kfold" and "resampled". None assumes independent splits, as textbooks do, with a
        warning: for equal estimators that test rejects far too often.
    random_seed : int, optional
        Seeds the splits. Without `stratify` and `groups` they are those of mlxtend.
    n_jobs : int, optional
        Number of jobs in parallel.

    Returns
    -------
    TwoEstimatorsResult
        Unpacks as ``statistic, pvalue``. t has 5 degrees of freedom for "5x2cv_t", otherwise the
        number of splits minus 1; F has 10 and 5. Two identical estimators have t or F = 0.

    Raises
    ------
    ValueError
        If an option is unknown or without effect, `n_splits` is not a whole number ≥ 2, both
        `groups` and `stratify` or `shuffle` are given, or a score is not finite. Errors of the
        estimators are not caught.

    Warns
    -----
    ComparisonWarning
        With ``correction=None``; if `groups` make test sets of very different sizes, or cannot be
        divided into halves.

    Notes
    -----
    The 5×2cv t depends on which split comes first: another order of the same ten scores gives
    another statistic. The F statistic does not. Both train on half of the data, which costs about
    half of the power, and a repetition with new halvings gives the same result in only about half
    of the cases. For a decision use the corrected t over 10×10-fold cross-validation
    (`cross_validate_models`).

    References
    ----------
    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification
    learning algorithms. Neural Computation 10, 1895–1923.
    https://doi.org/10.1162/089976698300017197

    Alpaydın, E. (1999). Combined 5×2 cv F test for comparing supervised classification learning
    algorithms. Neural Computation 11, 1885–1892. https://doi.org/10.1162/089976699300016007

    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52,
    239–281. https://doi.org/10.1023/A:1024068626366

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_stats_compare.evaluation import paired_cv_test
    >>> X, y = load_iris(return_X_y=True)
    >>> stump = DecisionTreeClassifier(max_depth=1, random_state=1)
    >>> t, p = paired_cv_test(
    ...     LogisticRegression(max_iter=1000), stump, X, y, method="5x2cv_t", random_seed=1
    ... )
    >>> round(t, 2), round(p, 4)
    (7.83, 0.0005)
    """
    checks.check_option("method", method, get_args(PairedMethod))
    checks.check_option("correction", correction, CORRECTIONS)
    halves = method.startswith("5x2cv")
    test: str = method if halves else "uncorrected_t" if correction is None else "corrected_t"
    if halves and n_splits is not None:
        raise ValueError(f"`n_splits` must be None with {method!r}; got {checks.shown(n_splits)}.")
    n_splits = _SPLITS.get(method, 5) if n_splits is None else n_splits
    checks.check_count("n_splits", n_splits, 2)
    checks.check_flag("shuffle", shuffle)
    models = {"estimator1": estimator1, "estimator2": estimator2}
    for name, estimator in models.items():
        check_estimator(name, estimator)
    check_fitting(n_jobs)
    checks.check_seed("random_seed", random_seed)
    checks.check_flag("stratify", stratify)
    if stratify and groups is not None:
        raise ValueError("`stratify` must be False where `groups` are given; got True.")
    # GroupKFold can shuffle from scikit-learn 1.6 on. Then all folds have the same number of
    # groups, whatever their sizes; otherwise it balances sizes.
    if shuffle and groups is not None:
        raise ValueError("`shuffle` must be False where `groups` are given; got True.")
    X, y, groups = indexable(X, y, groups)
    n = count_samples(X)
    if halves:
        # The first half trains first, as in mlxtend: t uses the difference of that split only.
        splits = [
            split
            for train, test_rows in random_splits(n, y, 5, 0.5, random_seed, stratify, groups)
            for split in ((train, test_rows), (test_rows, train))
        ]
    elif method == "resampled":
        splits = random_splits(n, y, n_splits, test_size, random_seed, stratify, groups)
    elif groups is not None:
        splits = list(GroupKFold(n_splits).split(np.arange(n), y, groups))
    else:
        # KFold raises ValueError for a seed without shuffling.
        kind = StratifiedKFold if stratify else KFold
        folds = kind(n_splits, shuffle=shuffle, random_state=random_seed if shuffle else None)
        splits = list(folds.split(np.arange(n), y))
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
        raise ValueError(f"`scoring` must be a single metric; got {checks.shown(scoring)}.")
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
    if halves and not scores.design.complementary_halves:
        # Few large groups: GroupShuffleSplit divides the number of groups, whatever their sizes.
        sizes = f"{scores.design.n_test.min()} to {scores.design.n_test.max()} samples"
        problems.insert(0, f"These groups cannot be halved: one part has {sizes}, and 5×2cv is "
                           "derived for halves.")  # fmt: skip
    if problems:
        checks.warn_user(" ".join(problems), "comparison-warnings")
    if test == "uncorrected_t":
        checks.warn_user(
            "Without a correction this test treats the splits as independent, which they are not: "
            "over repeated splits it calls equally good models different in a quarter to more than "
            "half of all cases.",
            "no-correction",
        )
    # Estimator 1 minus estimator 2, as in mlxtend, not by rank.
    tests = PAIR_TESTS[test].against(scores, 0, np.array([1]))
    return TwoEstimatorsResult(
        statistic=float(tests.statistic[0]),
        pvalue=float(tests.pvalue("two-sided")[0]),
        df=(10, 5) if test == "5x2cv_f" else (tests.df,),
        mean_diff=float(tests.mean_diff[0]),
        labels=_labels(estimator1, estimator2),
        scores=scores,
    )


def _labels(*estimators: Any) -> tuple[str, ...]:
    names = [type(estimator).__name__ for estimator in estimators]
    same = len(set(names)) < len(names)
    return tuple(f"{name} {k}" if same else name for k, name in enumerate(names, start=1))


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
    labels : tuple of str
        The classes of the two, numbered where they are the same.
    scores : SplitScores
        Scores of the two on every split, and the sizes of the splits.
    """

    df: tuple[int, ...]
    mean_diff: float
    labels: tuple[str, ...]
    scores: SplitScores = field(repr=False, compare=False)


_SEEDS = 32767  # mlxtend's, see `random_splits`

Split = tuple[NDArray[np.intp], NDArray[np.intp]]


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
