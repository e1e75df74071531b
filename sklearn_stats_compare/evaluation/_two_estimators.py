"""Two estimators on one data set: their scores on the same splits, and the result of a test."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.model_selection import GroupShuffleSplit, train_test_split
from sklearn.utils import indexable

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_flag,
    check_seed,
    outside_level,
    shown,
)
from sklearn_stats_compare.comparison import strained_structure
from sklearn_stats_compare.evaluation._jobs import check_estimator, check_jobs
from sklearn_stats_compare.evaluation._models_on_splits import compared_models
from sklearn_stats_compare.evaluation._sklearn_private import count_samples
from sklearn_stats_compare.stats import SplitScores, StatisticPair

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


def scores_of_two(
    estimators: tuple[Any, Any],
    X: Any,
    y: Any,
    split: Callable[..., list[Split]],
    scoring: Any,
    random_seed: int | None,
    stratify: bool,
    groups: Any,
    n_jobs: int | None,
    *,
    halves: bool = False,
) -> SplitScores:
    """Scores of both estimators on the same splits.

    Warns if the splits strain the assumptions of the tests. With `halves`, this includes splits
    that are not halves, as groups may make them.
    """
    for name, estimator in zip(("estimator1", "estimator2"), estimators, strict=True):
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
        first = estimators[0]
        scoring = "accuracy" if is_classifier(first) else "r2" if is_regressor(first) else None
    found = compared_models(
        dict(zip(("estimator1", "estimator2"), estimators, strict=True)),
        # These tests cannot handle missing scores, so a failed fit raises.
        X, y, cv=splits, scoring=scoring, n_jobs=n_jobs, error_score="raise",
        warn=False,  # see below
    )  # fmt: skip
    if list(found) != ["score"]:
        raise ValueError(f"`scoring` must be a single metric; got {shown(scoring)}.")
    scores = found["score"].scores
    for name, values in zip(("estimator1", "estimator2"), scores.values, strict=True):
        if not np.isfinite(values).all():
            bad = ", ".join(map(str, np.flatnonzero(~np.isfinite(values))))
            raise ValueError(
                f"`scoring` must give a finite score on every split; got others for `{name}` on "
                f"splits {bad}."
            )
    # These tests are made for few splits, so no warning mentions their number.
    strained = strained_structure(scores.design)
    if halves and not scores.design.complementary_halves:
        # Few large groups: GroupShuffleSplit divides the number of groups, whatever their sizes.
        sizes = f"{scores.design.n_test.min()} to {scores.design.n_test.max()} samples"
        strained.insert(0, f"These groups cannot be halved: one part has {sizes}, and 5×2cv is "
                           "derived for halves.")  # fmt: skip
    if strained:
        warnings.warn(" ".join(strained), ComparisonWarning, stacklevel=outside_level())
    return scores


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
        own_seed = rng.randint(low=0, high=_SEEDS)
        if groups is not None:
            shuffle = GroupShuffleSplit(1, test_size=test_size, random_state=own_seed)
            splits.append(next(shuffle.split(samples, y, groups)))
        else:
            train, test = train_test_split(
                samples,
                test_size=test_size,
                random_state=own_seed,
                stratify=y if stratify else None,
            )
            splits.append((train, test))
    return splits
