"""The t-test of per-sample differences, which compares candidates by samples, not by splits."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_stats_compare._messages import count, is_number, shown
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._detectable import detectable_difference
from sklearn_stats_compare.stats._distances import Rows
from sklearn_stats_compare.stats._joint_null import JointNull
from sklearn_stats_compare.stats._moments import in_units
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._sample_null import SampleNull
from sklearn_stats_compare.stats._sample_repeats import needed_repeats
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_strain import strained_samples
from sklearn_stats_compare.stats._sample_sums import SampleSums
from sklearn_stats_compare.stats._sample_variance import SampleVariance, standard_errors
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._simulated import Simulator, sample_simulator
from sklearn_stats_compare.stats._splits import SplitDesign

_NUMBERS_AT_ONCE = 500_000


@dataclass(frozen=True)
class SampleTTest(PairTest):
    """Student's t of per-sample differences; every sample is tested once in each repeat.

    With K folds, R repeats and d_ir the difference of the values of sample i in repeat r::

        SE² = (1/n)·[s̄²·K/(K − 1) + ê²/R],  t with n − 1 degrees of freedom

    s̄² is the mean over repeats of Var_i(d_ir). ê² is the mean over samples of Var_r(d_ir), which
    measures how much the difference on a sample changes when the models are refitted. For areas
    under ROC curves the per-sample values are influences, and the variance is
    K/(K − 1)·[Var_i(d̄_i)/n + s_R²/R], with s_R² the variance of the means of the repeats.

    Parameters
    ----------
    instability : float, default=1.0
        Assumed ratio ê²/s̄² ≥ 0 if there is one repeat, which cannot show it. See Notes.

    Notes
    -----
    The estimate is the difference of mean scores over splits, by which candidates are ranked. With
    folds of equal size it is the mean over samples. Otherwise split means give the samples of small
    folds more weight. The standard error assumes equal weights; it is too small by at most 6 % for
    sizes that differ up to twofold.

    With one repeat and instability 1 the variance is that of Nadeau and Bengio (2003), estimated
    from n differences instead of K: s²·(1/K + 1/(K − 1)) for split means with variance s²·K/n.
    Their test has K − 1 degrees of freedom, 4 with ``cv=5``; this one has n − 1.

    An `instability` below 1 assumes that models change little when they are refitted. The ratio
    ê²/s̄² of a pair can be estimated from two repeats. Measured values are 0.02 to 0.15 for
    logistic regressions, 0.2 to 0.35 for areas under ROC curves, 0.4 to 0.55 for near-duplicates,
    0.6 for unpruned trees and 0.7 for trees with random splits. At a nominal 5 % and with ``cv=5``
    the test rejected 7.4 ± 0.6 % of pairs of equal trees with instability 0, and 1.8 % with
    instability 1. For logistic regressions it rejected 3.9 and 0.5 %.

    There are two targets: the fitted models, and the algorithm on other training sets of this size.
    The interval is for the fitted models. It also covers the algorithm if models vary less between
    training sets than scores vary between test sets. For two logistic regressions with C = 1 (log
    loss, 100 samples, 10×2 folds), 95 % intervals missed the fitted models in 7.1 ± 0.8 % of data
    sets and the algorithms in 5.1 ± 0.7 %. With C = 0.01 all fitted models of a data set err alike,
    and the intervals missed them in 4.6 ± 0.7 % and the algorithms in 20.5 ± 1.3 %. The corrected
    t-test of the same 20 splits missed the algorithms in 15.3 %.

    Not valid if the test sets of a repeat overlap (shuffle splits, bootstraps), for time series, or
    if samples depend on each other, unless each value is that of a group. Below 30 samples or
    groups it is only a guide. With two repeats, this test often exceeds its level if the corrected
    t-test does (1-NN, areas of pure noise). If folds have few samples of a class, influences
    approximate ratios of counts such as F1 and recall poorly, and only this test exceeds its level.
    It rejected 17 ± 1 % of pairs of equal logistic regressions with three positives in a fold (F1;
    corrected t 5 %), 7 to 9 % with six (F1, recall; 3 to 4 %), and 5 % with twelve. A warning is
    issued below 20 samples of a class in a fold.

    The equivalence test is stricter than the interval if candidates differ on few samples. A count
    of rare events that is too small has an estimated variance that is too small, and so z²
    differing samples are added to the variance, as in Wilson's limit. For two candidates whose true
    difference was the ROPE, 0.01 in accuracy with 300 samples, 17.8 % were called equivalent
    without this addition and 4.6 % with it. No p-value of equivalence of accuracies is below the
    binomial probability of so few differences; see `Comparison`.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239–281. https://doi.org/10.1023/A:1024068626366
    """

    name: str = "samples"
    words: str = "paired per-sample losses"
    of_splits: bool = False
    std_err_words: str = "per-sample standard error"
    works: tuple[str, ...] = ("nadeau2003inference",)
    instability: float = 1.0

    def __post_init__(self) -> None:
        if not (is_number(self.instability) and 0 <= float(self.instability) < np.inf):
            raise ValueError(
                f"`instability` must be a finite number ≥ 0; got {shown(self.instability)}."
            )
        object.__setattr__(self, "instability", float(self.instability))

    def check(self, design: SplitDesign) -> None:
        """Raise ValueError unless every repeat tests every sample once, without order in time."""
        if design.expanding or design.sliding:
            found = "windows over a time series, in which samples depend on each other"
        elif design.resampled:
            found = "bootstraps, with repeated samples in their training sets"
        elif (design.repeat < 0).any():
            found = "test sets that overlap or leave samples out, as in shuffle splits"
        else:
            return
        raise ValueError(
            f"`test` must be 'corrected_t' for these splits; got {self.name!r}, which needs folds "
            "that test on every sample once, such as those of RepeatedStratifiedKFold(n_splits=5, "
            f"n_repeats=2). These are {found}."
        )

    def check_scores(self, scores: SplitScores) -> None:
        """Raise ValueError if the splits cannot be tested, or there are no values of samples."""
        _samples(scores)
        self.check(scores.design)

    def strained(self, scores: SplitScores) -> list[str]:
        """Sentences on few samples, rare classes and uneven folds."""
        return strained_samples(_samples(scores), scores.design)

    def in_chunks(self, scores: SplitScores, chunk_size: int) -> Iterator[PairedTTests]:
        """Yield every pair in rank order, better minus worse, in chunks."""
        return self._in_chunks(scores, chunk_size, 1.0)

    def against(self, scores: SplitScores, i: int, others: NDArray[np.intp]) -> PairedTTests:
        """Candidate `i` minus each of `others`."""
        return self._against(scores, i, others, 1.0)

    def weight_of_a_sample(
        self, scores: SplitScores, tests: PairedTTests, which: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """The size of a rare difference over n, scaled like the standard error."""
        samples = _samples(scores)
        inflation = (samples.n_folds / (samples.n_folds - 1)) ** 0.5
        return (
            inflation
            / samples.n_samples
            * samples.rare_differences(tests.first[which], tests.second[which])
        )

    def joint_null(self, scores: SplitScores, rng: Any, n_draws: int) -> JointNull:
        """Draws of the statistics of all pairs under the hypothesis of equal means."""
        samples = _samples(scores)
        return SampleNull(scores, samples, self._variance(samples), rng, n_draws)

    def df(self, scores: SplitScores) -> int:
        """n − 1, for a pair and for the mean of one candidate."""
        return _samples(scores).n_samples - 1

    def std_errs(self, scores: SplitScores) -> NDArray[np.float64]:
        """Standard error of each candidate's mean, by the formula for differences."""
        samples = _samples(scores)
        found = np.full(scores.n_candidates, np.nan)
        known = np.flatnonzero(~scores.missing)
        errors = standard_errors(samples, self._variance(samples), known, None)
        rounding = samples.rounding * samples.root_mean_squares[known]
        found[known] = np.where(errors * samples.n_samples**0.5 <= rounding, 0.0, errors)
        return found

    def line(self, scores: SplitScores) -> str:
        """The test and its samples."""
        return f"{self.words} of {_samples(scores).described}"

    def methods(self, scores: SplitScores) -> str:
        """The test, its degrees of freedom and its variance."""
        samples = _samples(scores)
        if samples.n_repeats == 1:
            refits = (
                "the variance between refits, which one repeat cannot estimate, assumed to be "
                f"{self.instability:g} times the variance between samples"
            )
        else:
            refits = f"the variance between the {samples.n_repeats} repeats"
        return (
            f"the paired t-test of per-sample losses ({samples.described}), with "
            f"{count(self.df(scores), 'degree')} of freedom and the variance of Nadeau and Bengio "
            f"(2003) estimated from samples instead of splits, with {refits}"
        )

    def simulator(self, scores: SplitScores, dependence: str) -> Simulator:
        """Return a function that draws scores like these with other true means, by bootstrap."""
        samples = _samples(scores)
        return sample_simulator(scores, samples, self._variance(samples), dependence)

    def in_the_limit(
        self, scores: SplitScores, tests: PairedTTests
    ) -> tuple[PairedTTests, NDArray[np.float64]]:
        """Return all pairs in the limit of infinitely many repeats, and how far means may move."""
        samples, order = _samples(scores), scores.order
        if samples.form == "auc":
            # Pair by pair, because it is a difference of sums. With one repeat the limit is
            # unknown, and no difference is excluded.
            rows = [
                self._against(scores, int(order[k]), order[k + 1 :], np.inf).std_err
                for k in range(len(order) - 1)
            ]
            std_err = np.concatenate(rows) if rows else np.empty(0)
            std_err[np.isnan(std_err) & ~np.isnan(tests.std_err)] = 0.0
            limit = self._tests(scores, tests.first, tests.second, std_err, seen=False)
        else:
            (limit,) = self._in_chunks(scores, max(len(tests.first), 1), np.inf)
        # The part divided by R is the variance of these repeats around the mean of all repeats.
        passing = np.sqrt(np.maximum(tests.std_err**2 - limit.std_err**2, 0.0))
        return limit, 2 * passing

    def detectable(
        self, scores: SplitScores, tests: PairedTTests, times: float, *, power: float, alpha: float
    ) -> NDArray[np.float64]:
        """True differences detected with `power` and `times` as many repeats."""
        n = _samples(scores).n_samples
        shift = detectable_difference(n, 0.0, power=power, alpha=alpha) * n**0.5
        return shift * self._repeated(scores, tests, times).std_err

    def repeats_needed(
        self,
        scores: SplitScores,
        tests: PairedTTests,
        difference: float | NDArray[np.float64],
        *,
        power: float,
        alpha: float,
    ) -> NDArray[np.float64]:
        """Smallest number of repeats that finds a true difference; see `needed_repeats`."""
        samples = _samples(scores)
        n, n_now = samples.n_samples, samples.n_repeats
        shift = detectable_difference(n, 0.0, power=power, alpha=alpha) * n**0.5
        most = np.broadcast_to((difference / shift) ** 2, tests.std_err.shape)
        lasting = self._repeated(scores, tests, np.inf).std_err

        def variance(k: int, repeats: int) -> float:
            one = self._against(scores, int(tests.first[k]), tests.second[[k]], repeats / n_now)
            return float(one.std_err[0] ** 2)

        bends = variance if samples.form == "auc" else None
        return needed_repeats(tests.std_err, lasting, most, n_now, bends)

    def _variance(self, samples: SampleScores, times: float = 1.0) -> SampleVariance:
        return SampleVariance.of(samples, self.instability, times)

    def _repeated(self, scores: SplitScores, tests: PairedTTests, times: float) -> PairedTTests:
        """Pairs against one candidate with `times` as many repeats."""
        if not len(tests.first) or times == 1.0:
            return tests
        return self._against(scores, int(tests.first[0]), tests.second, times)

    def _in_chunks(
        self, scores: SplitScores, chunk_size: int, times: float
    ) -> Iterator[PairedTTests]:
        samples, order, n_known = _samples(scores), scores.order, scores.n_available
        variance = self._variance(samples, times)
        sums = SampleSums(samples, variance, order[:n_known])
        m = len(order)
        n_pairs = m * (m - 1) // 2
        i, j = 0, 1  # the next pair, in rank order
        errors = Rows(sums.standard_errors, n_known)
        for start in range(0, max(n_pairs, 1), chunk_size):
            size = min(chunk_size, n_pairs - start)
            first, second = np.empty(size, dtype=order.dtype), np.empty(size, dtype=order.dtype)
            std_err = np.full(size, np.nan)
            done = 0
            while done < size:
                stop = min(m, j + size - done)
                pairs = slice(done, done + stop - j)
                first[pairs], second[pairs] = order[i], order[j:stop]
                known = slice(done, done + max(0, min(stop, n_known) - j))
                if i == 0:  # the leader's rows, bit-identical to those of `against`
                    std_err[known] = standard_errors(samples, variance, first[known], second[known])
                elif known.stop > known.start:
                    std_err[known] = errors(i, slice(j, min(stop, n_known)))
                done, j = pairs.stop, stop
                if j == m:
                    i, j = i + 1, i + 2
            yield self._tests(scores, first, second, std_err)

    def _against(
        self, scores: SplitScores, i: int, others: NDArray[np.intp], times: float
    ) -> PairedTTests:
        samples = _samples(scores)
        first, second = np.full(len(others), i), np.asarray(others)
        std_err = np.full(len(second), np.nan)
        known = ~(scores.missing[first] | scores.missing[second])
        std_err[known] = standard_errors(
            samples, self._variance(samples, times), first[known], second[known]
        )
        return self._tests(scores, first, second, std_err, seen=times == 1.0)

    def _tests(
        self,
        scores: SplitScores,
        first: NDArray[np.intp],
        second: NDArray[np.intp],
        std_err: NDArray[np.float64],
        seen: bool = True,
    ) -> PairedTTests:
        samples = _samples(scores)
        n, sizes = samples.n_samples, samples.root_mean_squares
        mean_diff = _mean_differences(scores, first, second)
        std = np.multiply(std_err, n**0.5, out=std_err)
        rounding = samples.rounding * np.maximum(sizes[first], sizes[second])
        std[std <= rounding] = 0.0
        same = std == 0
        mean_diff[same & (np.abs(mean_diff) <= rounding)] = 0.0
        constant = same & (mean_diff != 0) & seen  # an extrapolated error may be 0 by chance
        if constant.any():
            # Counts as one equal sign per sample: the two-sided p-value is 2^(1 − n).
            t = float(stats.t.isf(max(2.0**-n, 1e-300), n - 1))
            std[constant] = np.abs(mean_diff[constant]) / t * n**0.5
        own = {"n_agreed": n if np.isfinite(scores.n_agreed) else np.inf}
        return PairedTTests(first, second, mean_diff, std, constant, n - 1, 1 / n, **own)


def _samples(scores: SplitScores) -> SampleScores:
    if scores.samples is None:
        raise ValueError(
            "`test` must not be 'samples' for scores without per-sample values. Fit a search "
            'with return_predictions="values" or test="samples", or give '
            "SplitScores(values, design, samples=SampleScores(…))."
        )
    return scores.samples


def _mean_differences(
    scores: SplitScores, first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Mean split differences, bit-identical to those of the tests of splits."""
    unit, (values,) = in_units(scores.comparable(slice(None)))
    means = np.empty(len(first))
    step = max(1, _NUMBERS_AT_ONCE // scores.n_splits)
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        means[part] = (values[first[part]] - values[second[part]]).mean(axis=1)
    return np.multiply(means, unit, out=means)


SAMPLES = SampleTTest()
