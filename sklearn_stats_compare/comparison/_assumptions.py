"""Sentences and warnings about splits, candidates and settings that strain the assumptions."""

import warnings

from sklearn_stats_compare._messages import ComparisonWarning, level_words, outside_level
from sklearn_stats_compare.stats import PairTest, SplitDesign, SplitScores

FEW_SPLITS = 10
_DEFAULT_ROPE = (-0.01, 0.01)
# No one accepts as many false claims as true ones.
_NO_LEVEL = 0.5


def strained_assumptions(
    scores: SplitScores, test: PairTest, *, advising: bool = True
) -> list[str]:
    """One sentence for each strained assumption of the test; empty if there is none.

    `advising` False leaves out what to do about few splits, which `next_step` says too.
    """
    if not test.of_splits:
        return test.strained(scores)
    few = _few_splits(scores.design)
    return [*(few if advising else few[:1]), *strained_structure(scores.design)]


def _few_splits(design: SplitDesign) -> list[str]:
    """What is wrong with few splits, and then what to do about it."""
    sentences = []
    if design.n_splits < 2:
        sentences.append(
            "There is only 1 split, and a standard error needs at least 2: every statistic is NaN."
        )
    elif design.n_splits < FEW_SPLITS:
        sentences.append(
            f"There are only {design.n_splits} splits: intervals are wide and real differences "
            "will often stay undecided."
        )
    # Repeats shuffle samples, and samples of a time series must keep their order.
    if design.n_splits < FEW_SPLITS and not (design.expanding or design.sliding):
        sentences.append(
            "Use more splits if samples are independent of each other, for example "
            "RepeatedStratifiedKFold(n_splits=10, n_repeats=10), or RepeatedKFold for regression."
        )
        # That test requires repeats of folds, which shuffled subsamples are not.
        if design.n_splits > 1 and (design.repeat >= 0).all():
            sentences.append('A fit with test="samples" can decide more with the same splits.')
    return sentences


def strained_structure(design: SplitDesign) -> list[str]:
    """Sentences on all assumptions but the number of splits."""
    # Nadeau and Bengio (2003) derive the correction for random splits with one n₁ and one n₂.
    sentences = []
    # Pre-trained models: n_test/n_train is infinite.
    if not design.n_train.any():
        sentences.append(
            "The training sets are empty, so the overlap of the splits is unknown and the "
            "correction is infinite: nothing but identical candidates can be decided."
        )
    # Such as TimeSeriesSplit, which has a different n_train on every split.
    if design.expanding:
        sentences.append(
            "The training sets grow from split to split, for which the variance correction is a "
            "heuristic: read p-values and probabilities as a guide."
        )
    if design.sliding:
        sentences.append(
            "Every split trains on samples before those that it tests on (a sliding window), for "
            "which the variance correction is a heuristic: read p-values and probabilities as a "
            "guide."
        )
    # A sample drawn twice is one observation, but n_train counts it twice.
    if design.resampled:
        sentences.append(
            "Training sets hold samples more than once (a bootstrap), for which the variance "
            "correction is a heuristic: read p-values and probabilities as a guide."
        )
    if design.n_test.max() > 2 * design.n_test.min():
        sentences.append(
            f"Test sizes differ more than twofold (from {design.n_test.min()} to "
            f"{design.n_test.max()}), for which the variance correction is a heuristic: read "
            "p-values and probabilities as a guide."
        )
    return sentences


def scores_of_zero_to_one(scores: SplitScores) -> bool:
    """Whether all scores lie between 0 and 1, as accuracies do; True if there are none."""
    known = scores.values[~scores.missing]
    # A range, not a list of metric names: `scoring` may be any callable.
    return not known.size or bool(known.min() >= 0 and known.max() <= 1)


def doubtful_rope(scores: SplitScores, rope: tuple[float, float]) -> str | None:
    """A sentence if the ROPE does not seem to be chosen for these scores."""
    # The user chose any other width.
    if rope != _DEFAULT_ROPE or scores_of_zero_to_one(scores):
        return None
    return (
        "A ROPE of ±0.01 is a convention for scores between 0 and 1: choose the largest difference "
        "that would not matter here, or a percentage of the leader's mean, such as rope='1%'."
    )


def mistaken_settings(
    scores: SplitScores, rope: tuple[float, float] | None, alpha: float | None
) -> list[str]:
    """One sentence for each setting that decides every pair whatever the scores are.

    Pass a `rope` that is a share of a mean as that share of 1. None is not checked.
    """
    sentences = []
    # Compared with the range that such scores can have, not with the range of these scores: a ROPE
    # is chosen before scores are seen, and equal candidates are no mistake. A share of 100 % is the
    # leader's mean, and no other mean can be further below it.
    if (
        rope is not None
        and min(-rope[0], rope[1]) >= 1
        and scores.n_available
        and scores_of_zero_to_one(scores)
    ):
        sentences.append(
            "The `rope` is wider than the range of all scores, which lie between 0 and 1: it makes "
            "almost every pair equivalent, however much the scores differ. Choose the largest "
            "difference that would not matter, such as 0.01, or a share such as '1%'."
        )
    if alpha is not None and alpha >= _NO_LEVEL:
        sentences.append(
            "`alpha` is a level, the accepted probability of a false claim, such as 0.05, and not "
            f"a confidence, such as 0.95: with {alpha:g}, intervals cover only "
            f"{level_words(alpha)}, and most verdicts mean nothing."
        )
    return sentences


def warn_of_settings(
    scores: SplitScores, rope: tuple[float, float] | None, alpha: float | None
) -> None:
    """Warn once of `mistaken_settings`."""
    mistaken = mistaken_settings(scores, rope, alpha)
    if mistaken:
        warnings.warn(" ".join(mistaken), ComparisonWarning, stacklevel=outside_level())


def may_lack_the_best(
    n_entered: int | None, n_compared: int, dropped_pvalue: float | None, alpha: float | None
) -> bool:
    """Whether the best of all candidates that entered may be one that is not compared.

    `alpha` is the level at which the best is asked for; None for a choice without a level.
    """
    # None: the comparison is not of a search that dropped candidates.
    if n_entered is None or n_entered <= n_compared:
        return False
    return dropped_pvalue is None or (alpha is not None and dropped_pvalue >= alpha)


def warn_of_survivors(
    n_entered: int | None,
    n_compared: int,
    choice: str,
    dropped_pvalue: float | None = None,
    alpha: float | None = None,
) -> None:
    """Warn if `choice` among the compared candidates says nothing about all that entered."""
    if not may_lack_the_best(n_entered, n_compared, dropped_pvalue, alpha):
        return
    why = "after a race of very similar candidates it usually is."
    if dropped_pvalue is not None:
        why = (
            "the race dropped them as worse on new data with p-values of up to "
            f"{dropped_pvalue:.2g}, which is not below alpha = {alpha:g}."
        )
    warnings.warn(
        f"Only {n_compared:,} of {n_entered:,} candidates ran on all splits. {choice} refers "
        f"to these only. The true best may be one of the others; {why}",
        ComparisonWarning,
        stacklevel=outside_level(),
    )
