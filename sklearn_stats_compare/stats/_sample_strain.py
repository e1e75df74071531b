"""Warnings about conditions under which the test of samples is unreliable."""

from sklearn_stats_compare._messages import count
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._splits import SplitDesign

FEWEST_SAMPLES = 30
FEWEST_OF_A_CLASS = 20


def strained_samples(samples: SampleScores, design: SplitDesign) -> list[str]:
    """Sentences on few samples, rare classes and uneven folds; empty if there are none."""
    sentences, n_test = [], design.n_test
    if samples.n_samples < FEWEST_SAMPLES:
        sentences.append(
            f"There are only {samples.n_samples} samples or groups to test on, and the test of "
            f"per-sample losses needs about {FEWEST_SAMPLES}: read p-values and probabilities "
            "as a guide."
        )
    if samples.fewest is not None and samples.fewest < FEWEST_OF_A_CLASS:
        sentences.append(
            f"A class has as few as {count(samples.fewest, 'sample')} in a fold. For this "
            f"metric the test of per-sample losses needs about {FEWEST_OF_A_CLASS}: with 3 samples "
            "it finds a difference between equal models three times as often as alpha allows. Use "
            'larger folds, such as n_splits=2 with more repeats, or test="corrected_t" with more '
            "splits."
        )
    if n_test.max() > 2 * n_test.min():
        sentences.append(
            f"Test sizes differ more than twofold (from {n_test.min()} to {n_test.max()}). A mean "
            "over splits gives the samples of small test sets more weight, which the standard "
            "error ignores: read p-values and probabilities as a guide."
        )
    return sentences
