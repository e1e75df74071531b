"""compare_learning_curves(): named estimators on growing training sets, compared at each size."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.utils import check_random_state, indexable
from sklearn.utils.multiclass import type_of_target

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._tables import REPEATED, PairNames, frequentist_table
from sklearn_stats_compare.evaluation import _fits
from sklearn_stats_compare.evaluation._cross_validate import compared_models
from sklearn_stats_compare.stats._corrected_t import rope_probabilities
from sklearn_stats_compare.stats._design import SplitDesign, as_index
from sklearn_stats_compare.stats._family import Family, PAdjust
from sklearn_stats_compare.stats._scores import SplitScores


def compare_learning_curves(
    models: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    schedule: Literal["geometric", "arithmetic"] | Sequence[float] = "geometric",
    n_sizes: int = 5,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    random_state: Any = None,
    params: dict[str, Any] | None = None,
    error_score: Any = np.nan,
    alternative: checks.Alternative = "greater",
    p_adjust: PAdjust | None = "bonferroni",
    rope: float | tuple[float, float] | str = 0.01,
    alpha: float = 0.05,
) -> "LearningCurveComparison":
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
        As for `cross_validate_models`. Training subsets are drawn by sample, not by group.
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
        do not meet the assumptions of the comparisons.
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
    >>> from sklearn_stats_compare.evaluation import compare_learning_curves
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
    _fits.refuse_datasets(X)
    names, estimators = _fits.named_models(models)
    # Before hours of fits. A callable may still return several metrics; `_compared` checks that.
    if isinstance(scoring, list | tuple | set | dict):
        raise ValueError(f"`scoring` must be a single metric; got {checks.shown(scoring)}.")
    _fits.check_fitting(n_jobs, error_score=error_score, cv=cv)
    checks.check_seed("random_state", random_state)
    settings: dict[str, Any] = {
        "alternative": alternative, "p_adjust": p_adjust, "rope": rope, "alpha": alpha,
    }  # fmt: skip
    fitting = {
        "scoring": scoring, "n_jobs": n_jobs, "params": params, "error_score": error_score,
    }  # fmt: skip
    X, y, groups = indexable(X, y, groups)
    drawn = _fits.drawn_splits(cv, X, y, groups, estimators)
    splits = shuffled_splits(drawn, count_samples(X), random_state)
    # The size of the smallest, so that each size has all splits: means over different splits are
    # not comparable.
    sizes = training_sizes(schedule, n_sizes, min(train.size for train, _ in splits))
    whole = SplitDesign.from_indices(splits, count_samples(X))
    in_time = _warn_of_splits_in_time(whole)
    if whole.repeated:  # at smaller sizes training sets are drawn anew
        checks.warn_user(REPEATED, "comparison-warnings")
    # The targets of a regressor may all differ: they are not classes that could be missing.
    classes = class_numbers(y) if any(map(is_classifier, estimators)) else None
    # The name that `cross_validate_models` gives a single metric.
    name = _fits.name_of_scores(scoring, estimators)
    # Without names, parameters, from which `Comparison` makes unique labels.
    params_of = None if names else [{"model": estimator} for estimator in estimators]
    comparisons: dict[int, Comparison] = {}
    lacking: list[int] = []
    scored: list[int] = []
    for size in sizes:
        # The first samples of one random order, so that the sets are nested and a curve does not
        # jump because of the draw.
        at_size = [(train[:size], test) for train, test in splits]
        comparison = None
        if lacks_a_class(classes, at_size):
            lacking.append(size)
        else:
            # The test sets are the same at every size, so one warning is enough. The pool is that
            # of the full splits: n_test/n_train of a small set would give a q that is far too
            # large, as if small sets overlapped more than full ones.
            comparison = _compared(
                models, X, y, at_size,
                {**fitting, **settings, "warn": not scored and not in_time,
                 "pool": whole.n_samples, "groups": groups},
            )  # fmt: skip
        if comparison is None:
            design = SplitDesign.from_indices(at_size, count_samples(X))
            # A size without scores keeps its rows, as NaN, so that tables of all sizes have one
            # shape.
            nothing = SplitScores(np.full((len(estimators), len(splits)), np.nan), design)
            comparison = Comparison(
                nothing, names, params=params_of, metric=name, warn=False, **settings
            )
        else:
            scored.append(size)
        comparisons[size] = comparison
    if lacking:
        checks.warn_user(
            f"In some training sets of {', '.join(map(str, lacking))} samples a class is missing, "
            "and no model can learn it there: the scores at "
            f"{'this size are' if len(lacking) == 1 else 'these sizes are'} NaN "
            f"({len(lacking)} of {len(sizes)} sizes). Start with more samples.",
            "class-missing",
        )
    # If classes are missing, the warning has given the reason.
    elif not scored:
        raise ValueError(
            "`models` must contain one that can be fitted: every fit at every size failed."
        )
    return LearningCurveComparison(sizes, comparisons, name)


def _compared(
    models: Any, X: Any, y: Any, splits: "list[Split]", options: dict[str, Any]
) -> Comparison | None:
    """The comparison at one size; None if no fit succeeds."""
    try:
        found = compared_models(models, X, y, cv=splits, **options)
    except _fits.NothingFitsError as error:
        checks.warn_user(
            f"With training sets of {splits[0][0].size} samples {error.failures}. Their scores are "
            "NaN.",
            "fits-failed",
            FitFailedWarning,
        )
        return None
    if list(found) != ["score"]:
        raise checks.wrong("scoring", "be a single metric", options["scoring"])
    return found["score"]


def _warn_of_splits_in_time(design: SplitDesign) -> bool:
    """Whether training sets follow time; if so, warn that samples drawn from them do not."""
    if not (design.expanding or design.sliding):
        return False
    least, most = design.n_train.min(), design.n_train.max()
    checks.warn_user(
        "The training sets of `cv` follow time. Learning curves draw samples from them at random, "
        f"up to the smallest of them ({least} of up to {most} samples), and do not keep their "
        "order: read them with care.",
        "curves-in-time",
    )
    return True


@dataclass(frozen=True, eq=False)
class LearningCurveComparison:
    """Result of `compare_learning_curves`.

    Attributes
    ----------
    sizes : tuple of int
        Training-set sizes, ascending.
    comparisons : dict of int to Comparison
        The comparison of the models at each size. Its variance is corrected for the overlap of the
        splits that the training sets are drawn from.
    metric : str
        Name of the score.
    """

    sizes: tuple[int, ...]
    comparisons: dict[int, Comparison] = field(repr=False)
    metric: str

    @property
    def curves(self) -> pd.DataFrame:
        """Mean score of each model at each size, a row per size and model.

        Columns: ``n_train``, ``model``, ``mean``, ``std_err`` (corrected), ``ci_low``, ``ci_high``
        (two-sided, of level 1 − alpha, not adjusted), ``n_splits``. NaN if a class was missing from
        a training set, or a fit failed.
        """
        frames = [
            comparison.ranking()
            .sort_index()  # from rank order to that of the models
            .rename(columns={"label": "model"})
            .assign(n_train=size, n_splits=comparison.scores.n_splits)
            for size, comparison in self.comparisons.items()
        ]
        columns = ["n_train", "model", "mean", "std_err", "ci_low", "ci_high", "n_splits"]
        return pd.concat(frames, ignore_index=True)[columns]

    @property
    def verdicts(self) -> pd.DataFrame:
        """Verdict on every pair of models at each size.

        Columns: ``n_train``, ``model_1``, ``model_2``, in the order in which the models were given;
        ``mean_diff`` (model_1 − model_2), ``p_val``, two-sided and adjusted for the pairs of its
        size, ``verdict``. There is no adjustment for the number of sizes. An asymmetric ROPE is
        that of model_1 − model_2 at every size, whichever leads.
        """
        # Two-sided whatever `alternative` is: models are in the given order, not by rank.
        frames = [
            _pairs_in_given_order(comparison).assign(n_train=size)
            for size, comparison in self.comparisons.items()
        ]
        columns = ["n_train", "model_1", "model_2", "mean_diff", "p_val", "verdict"]
        return pd.concat(frames, ignore_index=True)[columns]


def _pairs_in_given_order(comparison: Comparison) -> pd.DataFrame:
    """The two-sided table of all pairs, each the earlier model minus the later one."""
    ranked = comparison._settings.test.all_pairs(comparison.scores)
    turned = ranked.first > ranked.second
    # The pairs are reversed before they are tested: an asymmetric ROPE is then that of model_1 −
    # model_2 as in the table, whichever leads at this size.
    tests = dataclasses.replace(
        ranked,
        first=np.where(turned, ranked.second, ranked.first),
        second=np.where(turned, ranked.first, ranked.second),
        mean_diff=np.where(turned, -ranked.mean_diff, ranked.mean_diff),
    )
    settings = dataclasses.replace(comparison._settings, alternative="two-sided")
    given = np.arange(comparison.scores.n_candidates)
    table = frequentist_table(
        Family(comparison.scores, tests, settings),
        rope_probabilities(tests.mean_diff, tests.std_err, tests.df, settings.rope),
        names=PairNames(tuple(comparison.labels or ()), given, comparison.scores.missing),
    )
    names = {name: table[name].astype(object) for name in ("model_1", "model_2")}
    return table.assign(**names).iloc[np.lexsort((tests.second, tests.first))]


SCHEDULES = ("geometric", "arithmetic")

Split = tuple[NDArray[np.intp], NDArray[np.intp]]


def training_sizes(schedule: Any, n_sizes: int, full: int) -> tuple[int, ...]:
    """Training-set sizes, ascending and different."""
    if isinstance(schedule, str):
        checks.check_option("schedule", schedule, SCHEDULES)
        # More sizes would repeat: sizes are whole numbers from 1 on.
        n_sizes = checks.check_count("n_sizes", n_sizes)
        if schedule == "geometric":
            sizes = full / 2.0 ** np.arange(min(n_sizes, full.bit_length()))
        else:
            n_sizes = min(n_sizes, full)
            sizes = full * (np.arange(n_sizes) + 1) / n_sizes
        return tuple(sorted({max(1, int(size)) for size in sizes}))
    try:
        given = list(schedule)
    except TypeError:
        names = ", ".join(map(repr, SCHEDULES))
        rule = f"be one of {names}, or a sequence of sizes"
        raise checks.wrong("schedule", rule, schedule) from None
    found = set()
    for size in given:
        # 1 is one sample and 1.0 all of them, as for `train_sizes` of scikit-learn's
        # learning_curve.
        if isinstance(size, int | np.integer) and not isinstance(size, bool) and 1 <= size <= full:
            found.add(int(size))
        elif isinstance(size, float | np.floating) and 0 < size <= 1:
            # Rounded down and at least 1, as in `_translate_train_sizes` of scikit-learn.
            found.add(max(1, int(float(size) * full)))
        else:
            raise ValueError(
                f"`schedule` must name sizes from 1 to {full}, the smallest training set, or "
                f"shares in (0, 1]; got {checks.shown(size)}."
            )
    if not found:
        raise ValueError("`schedule` must name at least one size; got none.")
    return tuple(sorted(found))


def shuffled_splits(splits: list[Any], n_samples: int, random_state: Any) -> list[Split]:
    """Splits with training sets in random order, for any form of indices."""
    # One stream for all splits, in their order, so that only `random_state` matters.
    rng, samples = check_random_state(random_state), np.arange(n_samples)
    return [
        # Distinct samples only: a bootstrap bag holds some of them repeatedly.
        (rng.permutation(np.unique(samples[as_index(train)])), samples[as_index(test)])
        for train, test in splits
    ]


def class_numbers(y: Any) -> NDArray[np.intp] | None:
    """Index of each sample's class; None if the target is not a single class per sample."""
    if y is None or type_of_target(y) not in ("binary", "multiclass"):
        return None
    # From NumPy 2.0 on, the inverse has the shape of its input, (n, 1) for a column; hence `ravel`.
    return np.asarray(np.unique(np.asarray(y), return_inverse=True)[1].ravel())


def lacks_a_class(classes: NDArray[np.intp] | None, splits: list[Split]) -> bool:
    """Whether the training set of some split lacks a class; never without `classes`."""
    if classes is None:
        return False
    # Classes of all samples: a class without training samples cannot be learned.
    n_classes = classes.max() + 1
    return any(np.unique(classes[train]).size < n_classes for train, _ in splits)
