"""compare_learning_curves(): named estimators on growing training sets, compared at each size."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_seed,
    outside_level,
    shown,
)
from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.evaluation._jobs import check_error_score, check_jobs, check_splitter
from sklearn_stats_compare.evaluation._learning_curve_comparison import LearningCurveComparison
from sklearn_stats_compare.evaluation._model_fits import NothingFitsError
from sklearn_stats_compare.evaluation._models_on_splits import compared_models
from sklearn_stats_compare.evaluation._named_estimators import named_models, stratifies
from sklearn_stats_compare.evaluation._own_scores import name_of_scores
from sklearn_stats_compare.evaluation._sklearn_private import count_samples
from sklearn_stats_compare.evaluation._training_sizes import (
    Split,
    class_numbers,
    lacks_a_class,
    shuffled_splits,
    training_sizes,
)
from sklearn_stats_compare.stats import (
    SplitDesign,
    SplitScores,
)


def compare_learning_curves(
    models: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    schedule: str | Sequence[float] = "geometric",
    n_sizes: int = 5,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    random_state: Any = None,
    params: dict[str, Any] | None = None,
    error_score: Any = np.nan,
    alternative: str = "greater",
    p_adjust: str | None = "bonferroni",
    rope: float | tuple[float, float] | str = 0.01,
    alpha: float = 0.05,
) -> LearningCurveComparison:
    """Cross-validate several models on growing training sets and compare them at each size.

    The training set of every split is put into a random order, and its first samples are used. So
    smaller training sets are subsets of larger ones, and all models train on the same samples.

    Parameters
    ----------
    models : mapping of str to estimator, or sequence of estimators
        As for `cross_validate_models`.
    X : array-like of shape (n_samples, n_features)
        Data to fit.
    y : array-like of shape (n_samples,), optional
        Target.
    schedule : {"geometric", "arithmetic"} or sequence of numbers, default="geometric"
        Sizes of the training sets. "geometric" doubles them up to the full size, "arithmetic" adds
        equal steps. Or give sizes as whole numbers, or as shares of the full size in (0, 1]. The
        full size is the number of distinct samples in the smallest training set among the splits.
    n_sizes : int, default=5
        Number of sizes of "geometric" and "arithmetic" schedules.
    groups : array-like of shape (n_samples,), optional
        Groups of samples, for the splitter. Training subsets are drawn by sample, not by group.
    scoring : str or callable, optional
        A single metric, as for `cross_validate_models`.
    cv : int, splitter, iterable or None, optional
        As for `cross_validate_models`; it splits once.
    n_jobs : int, optional
        Number of jobs in parallel.
    random_state : int, RandomState or None, default=None
        Source of the random order of training sets.
    params : dict, optional
        As for `cross_validate_models`.
    error_score : "raise" or float, default=nan
        Score of a fit that fails.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        As for `Comparison`.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, \
            default="bonferroni"
        As for `Comparison`; the family is all pairs at one size.
    rope : float, (float, float) or str, default=0.01
        As for `Comparison`.
    alpha : float, default=0.05
        As for `Comparison`.

    Returns
    -------
    LearningCurveComparison
        With the tables `curves` and `verdicts`, and a `Comparison` per size.

    Raises
    ------
    TypeError
        If `models` is neither form, or one of them has no ``fit``.
    ValueError
        If `schedule` is unknown or has impossible sizes, `scoring` names several metrics, or every
        fit at every size failed. As for `cross_validate_models`.

    Warns
    -----
    ComparisonWarning
        Once, if a training set of some size lacks a class: all scores of that size are NaN, because
        a mean over the other splits is not comparable. Once, if the splits follow time or otherwise
        strain the assumptions of the comparisons.
    FitFailedWarning
        If fits failed; if all fits of a size failed, its scores are NaN.

    Notes
    -----
    Valid, as for `cross_validate_models`, for independent samples and models that were chosen
    before. The verdicts at different sizes use the same splits and are not independent. The
    correction is that of the full splits at every size, q = n_test/(n − n_test). It is
    conservative, because smaller training sets drawn from them overlap less. Not for splits in
    time: their training sets would have to end where the test set begins.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239–281. https://doi.org/10.1023/A:1024068626366

    Provost, F., Jensen, D. and Oates, T. (1999). Efficient progressive sampling. KDD 1999, 23–32.
    https://doi.org/10.1145/312129.312188

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn_stats_compare import compare_learning_curves
    >>> X, y = load_digits(return_X_y=True)
    >>> found = compare_learning_curves(
    ...     {"knn": KNeighborsClassifier(), "bayes": GaussianNB()},
    ...     X[:600], y[:600], cv=10, n_sizes=4, random_state=0,
    ... )
    >>> found.verdicts[["n_train", "model_1", "model_2", "verdict"]]
       n_train model_1 model_2 verdict
    0       67     knn   bayes  better
    1      135     knn   bayes  better
    2      270     knn   bayes  better
    3      540     knn   bayes  better
    """
    names, estimators = named_models(models)
    # Before hours of fits. A callable may still return several metrics; `_compared` checks that.
    if isinstance(scoring, list | tuple | set | dict):
        raise ValueError(f"`scoring` must be a single metric; got {shown(scoring)}.")
    check_jobs(n_jobs)
    check_error_score(error_score)
    check_splitter(cv)
    check_seed("random_state", random_state)
    settings: dict[str, Any] = {
        "alternative": alternative, "p_adjust": p_adjust, "rope": rope, "alpha": alpha,
    }  # fmt: skip
    fitting = {
        "scoring": scoring, "n_jobs": n_jobs, "params": params, "error_score": error_score,
    }  # fmt: skip
    X, y, groups = indexable(X, y, groups)
    checked = check_cv(cv, y, classifier=stratifies(cv, estimators))
    splits = shuffled_splits(checked.split(X, y, groups), count_samples(X), random_state)
    if not splits:
        raise ValueError(f"`cv` must give at least one split; got none from {shown(cv)}.")
    # The size of the smallest, so that each size has all splits: means over different splits are
    # not comparable.
    full = min(train.size for train, _ in splits)
    sizes = training_sizes(schedule, n_sizes, full)
    whole = SplitDesign.from_indices(splits, count_samples(X))
    in_time = _warn_of_splits_in_time(whole)
    # The targets of a regressor may all differ: they are not classes that could be missing.
    classes = class_numbers(y) if any(map(is_classifier, estimators)) else None
    found: dict[int, Comparison | None] = {}
    lacking = []
    for size in sizes:
        # The first samples of one random order, so that the sets are nested and a curve does not
        # jump because of the draw.
        at_size = [(train[:size], test) for train, test in splits]
        found[size] = None
        if lacks_a_class(classes, at_size):
            lacking.append(size)
        else:
            # The test sets are the same at every size, so one warning is enough.
            first = not any(found.values())
            found[size] = _compared(
                models, X, y, at_size, first and not in_time,
                # The pool of the full splits: n_test/n_train of a small set would give a q that is
                # far too large, as if small sets overlapped more than full ones.
                {**fitting, **settings, "pool": whole.n_samples},
            )  # fmt: skip
    if lacking:
        _warn_of_missing_classes(lacking, sizes)
    # If classes are missing, the warning has given the reason.
    elif not any(found.values()):
        raise ValueError(
            "`models` must contain one that can be fitted: every fit at every size failed."
        )
    # The name that `cross_validate_models` gives a single metric.
    name = name_of_scores(scoring, estimators)
    if names is None:
        # As parameters, from which `Comparison` makes unique labels.
        settings["params"] = [{"model": estimator} for estimator in estimators]
    comparisons = {}
    for size, comparison in found.items():
        if comparison is None:
            design = SplitDesign.from_indices([(a[:size], b) for a, b in splits], count_samples(X))
            # A size without scores keeps its rows, as NaN, so that tables of all sizes have one
            # shape.
            nothing = SplitScores(np.full((len(estimators), len(splits)), np.nan), design)
            comparison = Comparison(nothing, names, metric=name, warn=False, **settings)
        comparisons[size] = comparison
    return LearningCurveComparison(sizes, comparisons, name)


def _compared(
    models: Any, X: Any, y: Any, splits: list[Split], warn: bool, options: dict[str, Any]
) -> Comparison | None:
    """The comparison at one size; None if no fit succeeds."""
    try:
        found = compared_models(models, X, y, cv=splits, warn=warn, **options)
    except NothingFitsError as error:
        warnings.warn(
            f"With training sets of {splits[0][0].size} samples {error.failures}. Their scores are "
            "NaN.",
            FitFailedWarning,
            stacklevel=outside_level(),
        )
        return None
    if list(found) != ["score"]:
        raise ValueError(f"`scoring` must be a single metric; got {shown(options['scoring'])}.")
    return found["score"]


def _warn_of_splits_in_time(design: SplitDesign) -> bool:
    """Whether training sets follow time; if so, warn that samples drawn from them do not."""
    if not (design.expanding or design.sliding):
        return False
    least, most = design.n_train.min(), design.n_train.max()
    warnings.warn(
        "The training sets of `cv` follow time. Learning curves draw samples from them at random, "
        f"up to the smallest of them ({least} of up to {most} samples), and do not keep their "
        "order: read them with care.",
        ComparisonWarning,
        stacklevel=outside_level(),
    )
    return True


def _warn_of_missing_classes(lacking: list[int], sizes: tuple[int, ...]) -> None:
    named = ", ".join(map(str, lacking))
    warnings.warn(
        f"In some training sets of {named} samples a class is missing, and no model can learn it "
        f"there: the scores at {'this size are' if len(lacking) == 1 else 'these sizes are'} NaN "
        f"({len(lacking)} of {len(sizes)} sizes). Start with more samples.",
        ComparisonWarning,
        stacklevel=outside_level(),
    )
