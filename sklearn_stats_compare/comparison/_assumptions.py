"""What strains the assumptions behind the numbers, in plain words."""

from sklearn_stats_compare.stats import SplitDesign

FEW_SPLITS = 10


class ComparisonWarning(UserWarning):
    """The numbers are as good as the splits allow, and the splits do not allow much."""


def strained_assumptions(design: SplitDesign) -> list[str]:
    """Sentences, one for each assumption that the splits strain; empty where all is well."""
    sentences = []
    advice = "RepeatedStratifiedKFold(n_splits=10, n_repeats=10), RepeatedKFold for regression"
    if design.n_splits < 2:
        sentences.append(
            "There is only 1 split, and a standard error needs at least 2: every statistic is "
            f"NaN. Use more splits, for example {advice}."
        )
    elif design.n_splits < FEW_SPLITS:
        sentences.append(
            f"There are only {design.n_splits} splits: intervals are wide and real differences "
            f"will often stay undecided. Use more splits, for example {advice}."
        )
    if design.expanding:
        sentences.append(
            "The training sets grow from split to split, for which the variance correction is a "
            "heuristic: read p-values and probabilities as a guide."
        )
    if design.n_test.max() > 2 * design.n_test.min():
        sentences.append(
            f"Test sizes differ more than twofold (from {design.n_test.min()} to "
            f"{design.n_test.max()}), for which the variance correction is a heuristic: read "
            "p-values and probabilities as a guide."
        )
    return sentences
