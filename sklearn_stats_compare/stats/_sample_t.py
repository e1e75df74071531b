"""The t-test of per-sample differences, which compares candidates by samples, not by splits."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import check_written, is_number, wrong
from sklearn_stats_compare.stats import _numeric
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._joint_null import JointNull
from sklearn_stats_compare.stats._numeric import Flags, Numbers, Places, Rows, parts, ranked_pairs
from sklearn_stats_compare.stats._pair_tests import PairTest
from sklearn_stats_compare.stats._power import Simulator, detectable_difference, sample_simulator
from sklearn_stats_compare.stats._sample_scores import (
    ASSUMED_INSTABILITY,
    FEWEST_OF_A_CLASS,
    MeasuredInstability,
    SampleScores,
    SampleSums,
    SampleVariance,
    standard_errors,
)
from sklearn_stats_compare.stats._scores import SplitDesign, SplitScores, in_units

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
    instability : float or "measured", optional
        Ratio ê²/s̄² ≥ 0 if there is one repeat, which cannot show it. By default, it is the ratio
        that ``extend(X, y, n_repeats=1, candidates=3)`` of a search measured, and 0.5 without it.
        With "measured", ``fit`` of a search does this itself at its end. See Notes.

    Notes
    -----
    The estimate is the difference of mean scores over splits, by which candidates are ranked. With
    folds of equal size it is the mean over samples. Otherwise split means give the samples of small
    folds more weight. The standard error assumes equal weights; it is too small by at most 6 % for
    sizes that differ up to twofold.

    With one repeat and instability 1 the variance is that of Nadeau and Bengio (2003), estimated
    from n differences instead of K: s²·(1/K + 1/(K − 1)) for split means with variance s²·K/n.
    Their test has K − 1 degrees of freedom, 4 with ``cv=5``; this one has n − 1. Without the factor
    K/(K − 1) and ê² it is the statistic of Bayle et al. (2020), whose variance is too small if
    models change when they are refitted. No estimate of the variance is unbiased for all models
    (Bengio and Grandvalet, 2004), and no test without assumptions on the algorithms has power
    against them on one data set (Luo and Barber, 2024).

    If some candidates, the probes, have a second repeat, their pairs measure the ratio: Σê²/Σs̄²
    over these pairs. If the upper one-sided 95 % limit is at most 0.2, it is used for all pairs; it
    is at least Wilson's limit for no change on the samples on which the probes differ;
    otherwise, and for areas and ratios of counts, the larger of the ratio and 0.5 is. Models that
    change more also vary with what all training sets share, which refits do not show.
    "Power with three probes" and "Levels with three probes" in the documentation's evidence have
    what this gains and risks.

    An `instability` below 1 assumes that models change little when they are refitted. The ratio
    ê²/s̄² of a pair can be estimated from two repeats. Measured values are 0.02 to 0.15 for
    logistic regressions, 0.2 to 0.35 for areas under ROC curves, 0.4 to 0.55 for near-duplicates,
    0.6 for unpruned trees and 0.7 for trees with random splits. At a nominal 5 % and with ``cv=5``
    the test rejected 7.8 ± 1.1 % of pairs of equal trees with instability 0, 3.9 % with the default
    and 2.1 % with 1. For logistic regressions it rejected 4.0, 1.4 and 0.5 %, and for areas under
    ROC curves of pure noise 13.1, 7.8 and 4.6 %.

    The test is of the fitted models; what their algorithms would give on other training sets of
    this size, it may miss in a fifth of the data sets or more. For two logistic regressions with C
    = 1 (log loss, 100 samples, 10×2 folds), 95 % intervals missed the fitted models in 7.1 ± 0.8 %
    of data sets and the algorithms in 5.1 ± 0.7 %. With C = 0.01 all fitted models of a data set
    err alike, and the intervals missed them in 4.6 ± 0.7 % and the algorithms in 20.5 ± 1.3 %. The
    corrected t-test of the same 20 splits missed the algorithms in 15.3 %.

    Rare, large differences, such as costly errors under log loss, make the variance as uncertain as
    their number. Above a kurtosis κ of 9 a pair has 2n/(κ − 1) degrees of freedom (Satterthwaite),
    and its largest difference counts once more. Two equal candidates, of which one lost 10 to 20 on
    3 % of 100 samples, were found different in 6.0 ± 0.5 % of the data sets that showed any such
    loss, and with this rule in 0.1 ± 0.1 %. No test sees losses that the sample does not contain.

    Not valid if the test sets of a repeat overlap (shuffle splits, bootstraps), for time series, or
    if samples depend on each other, unless each value is that of a group. Below 30 samples or
    groups it is only a guide. With two repeats, this test often exceeds its level if the corrected
    t-test does (1-NN, areas of pure noise). If folds have few samples of a class, influences
    approximate ratios of counts such as F1 and recall poorly, and only this test exceeds its level.
    By F1 it rejected 22 ± 1 % of pairs of equal logistic regressions with two positives in a fold
    and 13 ± 1 % with three (corrected t 4 to 5 %). By F1 and recall it rejected 5 to 6 % with six
    (3 to 4 %), and 4 % with twelve. A warning is issued below 20 samples of a class in a fold.

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

    Bayle, P., Bayle, A., Janson, L. and Mackey, L. (2020). Cross-validation confidence intervals
    for test error. NeurIPS 33. https://arxiv.org/abs/2007.12671

    Bengio, Y. and Grandvalet, Y. (2004). No unbiased estimator of the variance of K-fold
    cross-validation. JMLR 5, 1089–1105. https://www.jmlr.org/papers/v5/grandvalet04a.html

    Luo, Y. and Barber, R. F. (2024). The limits of assumption-free tests for algorithm performance.
    https://arxiv.org/abs/2402.07388
    """

    name: str = "samples"
    words: str = "paired per-sample losses"
    of_splits: bool = False
    std_err_words: str = "per-sample standard error"
    works: tuple[str, ...] = ("nadeau2003inference",)
    best_method: str = "maxt"
    instability: float | Literal["measured"] | None = None

    def __post_init__(self) -> None:
        for name in ("name", "words"):
            object.__setattr__(self, name, check_written(name, getattr(self, name)))
        given = self.instability
        if given is None or (isinstance(given, str) and given == "measured"):
            return
        if not (is_number(given) and 0 <= float(given) < np.inf):
            raise wrong("instability", "be a finite number ≥ 0, 'measured' or None", given)
        object.__setattr__(self, "instability", float(given))

    def check(self, design: SplitDesign) -> None:
        """Raise ValueError unless every repeat tests every sample once, without order in time."""
        found = self.misfit(design)
        if not found:
            return
        raise ValueError(
            f"`test` must be 'corrected_t' for these splits; got {self.name!r}, which needs folds "
            "that test on every sample once, such as those of RepeatedStratifiedKFold(n_splits=5, "
            f"n_repeats=2). These are {found}."
        )

    @staticmethod
    def misfit(design: SplitDesign) -> str:
        """Why the splits are no repeats that test every sample once, without order in time."""
        if design.expanding or design.sliding:
            return "windows over a time series, in which samples depend on each other"
        if design.resampled:
            return "bootstraps, with repeated samples in their training sets"
        overlap = "test sets that overlap or leave samples out: shuffle splits, or cut repeats"
        return overlap if (design.repeat < 0).any() else ""

    def check_scores(self, scores: SplitScores) -> None:
        """Raise ValueError if the splits cannot be tested, or there are no values of samples."""
        _samples(scores)
        self.check(scores.design)

    def strained(self, scores: SplitScores) -> list[str]:
        """Sentences on few samples, rare classes, uneven folds and large differences."""
        samples = _samples(scores)
        return [*check_samples(scores), *check_large_differences(samples)]

    def is_suited(self, scores: SplitScores) -> bool:
        """Whether nothing strains it but large differences, which strain every test."""
        return not check_samples(scores)

    def in_chunks(self, scores: SplitScores, chunk_size: int) -> Iterator[PairedTTests]:
        """Yield every pair in rank order, better minus worse, in chunks."""
        return self._in_chunks(scores, chunk_size, 1.0)

    def against(self, scores: SplitScores, i: int, others: Places) -> PairedTTests:
        """Candidate `i` minus each of `others`."""
        return self._against(scores, i, others, 1.0)

    def weight_of_a_sample(
        self, scores: SplitScores, tests: PairedTTests, which: Places
    ) -> Numbers:
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

    def std_errs(self, scores: SplitScores) -> Numbers:
        """Standard error of each candidate's mean, by the formula for differences."""
        samples = _samples(scores)
        found = np.full(scores.n_candidates, np.nan)
        known = np.flatnonzero(~scores.missing)
        errors = standard_errors(samples, self._variance(samples), known, None)
        rounding = samples.rounding * samples.root_mean_squares[known]
        found[known] = np.where(errors * samples.n_samples**0.5 <= rounding, 0.0, errors)
        return found

    def share_factor(self, scores: SplitScores) -> float:
        """Variance of the mean of right and wrong values over its binomial variance."""
        samples = _samples(scores)
        shows = samples.n_repeats > 1 and not samples.are_of_groups
        refits = 0.0 if shows else self._ratio(samples) / samples.n_repeats
        return samples.n_folds / (samples.n_folds - 1) + refits

    def line(self, scores: SplitScores) -> str:
        """The test, its samples, and the instability if it was measured."""
        samples = _samples(scores)
        said = f"{self.words} of {samples.described}"
        measured = self._measured(samples)
        if measured is None:
            wanted = self.instability == "measured" and samples.n_repeats == 1
            unknown = f", instability {ASSUMED_INSTABILITY:g}, as none could be measured"
            return f"{said}{unknown if wanted else ''}"
        how = f"measured by {_further(measured)}"
        if measured.pooled < measured.ratio == ASSUMED_INSTABILITY:
            how = f"assumed although {_further(measured)} show {measured.pooled:.2g}"
        return f"{said}, instability {measured.ratio:.2g}, {how}"

    def methods(self, scores: SplitScores) -> str:
        """The test, its degrees of freedom and its variance."""
        samples = _samples(scores)
        measured = self._measured(samples)
        if measured is not None:
            refits = (
                f"the variance between refits taken to be {measured.ratio:.2g} times the variance "
                f"between samples, as {_further(measured)} of "
                f"{count(measured.n_candidates, 'candidate')} showed (ratio {measured.pooled:.2g})"
            )
        elif samples.n_repeats == 1 or samples.are_of_groups:
            what = "one repeat" if samples.n_repeats == 1 else "a jackknife of groups"
            refits = (
                f"the variance between refits, which {what} cannot estimate, assumed to be "
                f"{self._ratio(samples):g} times the variance between samples"
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
    ) -> tuple[PairedTTests, Numbers]:
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
    ) -> Numbers:
        """True differences detected with `power` and `times` as many repeats."""
        n = _samples(scores).n_samples
        shift = detectable_difference(n, 0.0, power=power, alpha=alpha) * n**0.5
        return shift * self._repeated(scores, tests, times).std_err

    def repeats_needed(
        self,
        scores: SplitScores,
        tests: PairedTTests,
        difference: float | Numbers,
        *,
        power: float,
        alpha: float,
    ) -> Numbers:
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
        return SampleVariance.of(samples, self._ratio(samples), times)

    def _measured(self, samples: SampleScores) -> MeasuredInstability | None:
        """What the test uses of it: nothing if a number was given, or there are repeats."""
        is_used = samples.n_repeats == 1 and not isinstance(self.instability, float)
        return samples.measured if is_used else None

    def _ratio(self, samples: SampleScores) -> float:
        """ê²/s̄² of one repeat, as given, as measured, or else as assumed."""
        if isinstance(self.instability, float):
            return self.instability
        measured = self._measured(samples)
        return ASSUMED_INSTABILITY if measured is None else measured.ratio

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
        errors = Rows(sums.standard_errors, n_known)
        for size, of_rows in ranked_pairs(len(order), chunk_size):
            first, second = np.empty(size, dtype=order.dtype), np.empty(size, dtype=order.dtype)
            std_err = np.full(size, np.nan)
            for i, others, pairs in of_rows:
                first[pairs], second[pairs] = order[i], order[others]
                n_others = max(0, min(others.stop, n_known) - others.start)
                known = slice(pairs.start, pairs.start + n_others)
                if i == 0:  # the leader's rows, bit-identical to those of `against`
                    std_err[known] = standard_errors(samples, variance, first[known], second[known])
                elif n_others:
                    std_err[known] = errors(i, slice(others.start, others.start + n_others))
            yield self._tests(scores, first, second, std_err)

    def _against(self, scores: SplitScores, i: int, others: Places, times: float) -> PairedTTests:
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
        first: Places,
        second: Places,
        std_err: Numbers,
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
        df = np.full(len(std), n - 1.0)
        known = np.flatnonzero((std > 0) & ~constant)
        df[known], factor = samples.tails(first[known], second[known])
        std[known] *= factor
        own = {
            "n_agreed": min(scores.n_independent, n) if np.isfinite(scores.n_agreed) else np.inf,
            "n_shared": min(scores.n_shared, n) if np.isfinite(scores.n_shared) else np.inf,
            "n_rows": scores.n_rows,
            "unit": scores.unit,
        }
        df_of_all: Any = n - 1 if (df == n - 1).all() else df
        return PairedTTests(first, second, mean_diff, std, constant, df_of_all, 1 / n, **own)


def _further(measured: MeasuredInstability) -> str:
    return count(measured.n_fits, "further fit")


def _samples(scores: SplitScores) -> SampleScores:
    if scores.samples is None:
        raise ValueError(
            "`test` must not be 'samples' for scores without per-sample values. Fit a search "
            'with test="samples" (with its ledger again, without new fits), compare models and '
            "searches by cross_validate_models, or give "
            "SplitScores(values, design, samples=SampleScores(…))."
        )
    return scores.samples


def _mean_differences(scores: SplitScores, first: Places, second: Places) -> Numbers:
    """Mean split differences, bit-identical to those of the tests of splits."""
    unit, (values,) = in_units(scores.comparable(slice(None)))
    means = np.empty(len(first))
    for part in parts(len(first), _NUMBERS_AT_ONCE // scores.n_splits):
        means[part] = (values[first[part]] - values[second[part]]).mean(axis=1)
    largest = np.abs(values).max(axis=1)
    means[np.abs(means) <= _numeric.ROUNDING * np.maximum(largest[first], largest[second])] = 0.0
    return np.multiply(means, unit, out=means)


SAMPLES = SampleTTest()

# Draws per batch. Another size would give other draws for the same seed.
_DRAWS_AT_ONCE = 1_000

# Numbers in one array at a time, small enough for the processor's cache.
_DRAWN_NUMBERS_AT_ONCE = 64_000

# Candidates × draws of means in memory at a time.
_MEANS_AT_ONCE = 500_000

# Below it Gaver and Kafadar's approximation is off by more than 1 % at z = 4.
_FEWEST_APPROXIMATED = 9

# Pairs whose error is a smaller share of their candidates' errors are not drawn: only three of the
# seven digits of single precision would remain.
_CLOSE = 1e-4


class SampleNull(JointNull):
    """Draws of the t statistics of all pairs, each with the standard error of its test.

    The means of candidates are drawn from a normal distribution. Its covariance reproduces the
    squared standard errors of all pairs: it has the sums of products of their per-sample values,
    including the variation of refits, without the factor of heavy tails. The difference of a pair
    over its standard error is then standard normal. This z is converted to the t of n − 1 degrees
    of freedom with the same tail
    probability, so that a family of one pair has the p-value of that pair. The covariance is not
    shrunk because there are many samples.

    The conversion is Gaver and Kafadar's approximation t² = (n − 1)·(exp(g·z²) − 1), which is
    accurate to 0.1 % from 30 samples on.

    Parameters
    ----------
    scores : SplitScores
        The scores.
    samples : SampleScores
        Values of the samples.
    variance : SampleVariance
        The squared standard error of their mean.
    rng : None, int or numpy.random.Generator
        Source of the draws, as for `JointNull`.
    n_draws : int
        Number of draws.

    References
    ----------
    Gaver, D. P. and Kafadar, K. (1984). A retrievable recipe for inverse t. The American
    Statistician 38, 308–311.
    """

    def __init__(
        self,
        scores: SplitScores,
        samples: SampleScores,
        variance: SampleVariance,
        rng: Any,
        n_draws: int,
    ) -> None:
        super().__init__(scores, rng, n_draws)
        self._df = samples.n_samples - 1
        self._dtype = np.float64 if len(self.candidates) <= 200 else np.float32
        self._sums = SampleSums(samples, variance, self.candidates)
        self._level = samples.rounding * samples.root_mean_squares[self.candidates]

    @cached_property
    def _errors(self) -> Numbers:
        """Standard errors of all pairs, (m, m)."""
        every = slice(None)
        return self._sums.standard_errors(every, every)

    @cached_property
    def excluded(self) -> Flags:
        """Pairs that are not drawn, shape (m, m)."""
        n = self._df + 1
        own = self._errors[0]
        rounding = np.maximum(self._level[:, None], self._level) / n**0.5
        close: Flags = self._errors <= _CLOSE * np.hypot(own[:, None], own)
        close |= self._errors <= rounding
        np.fill_diagonal(close, True)
        return close

    @cached_property
    def _weights(self) -> NDArray[Any]:
        """1/standard error of every drawn pair, 0 for the others."""
        weights = np.zeros_like(self._errors)
        np.divide(1.0, self._errors, out=weights, where=~self.excluded)
        return weights.astype(self._dtype)

    @cached_property
    def _root(self) -> tuple[Numbers, Places]:
        return self._sums.root()

    def means(self, tests: PairedTTests) -> Iterator[Numbers]:
        """Yield draws of the means of equal candidates, (draws, candidates) per batch.

        Multivariate t of n − 1 degrees of freedom, one χ² for a whole draw; see `JointNull.means`.
        """
        generator = np.random.default_rng(self._rng)
        root, copy_of = self._root
        position = np.empty(self._scores.n_candidates, dtype=np.intp)
        position[self.candidates] = np.arange(len(self.candidates))
        which = copy_of[position[tests.second]]
        # If candidates differ from the leader by a constant, one more number gives these
        # differences the standard errors of the posteriors of the pairs.
        own_error = np.where(tests.constant, tests.std_err, 0.0)
        width = max(1, _MEANS_AT_ONCE // len(which))
        for start in range(0, self.n_draws, _DRAWS_AT_ONCE):
            n = min(_DRAWS_AT_ONCE, self.n_draws - start)
            chi = np.sqrt(generator.chisquare(self._df, n) / self._df)
            student = generator.standard_normal((root.shape[1] + 1, n)) / chi
            for part in range(0, n, width):
                some = student[:, part : part + width].T
                draws = (some[:, :-1] @ root.T)[:, which]
                if tests.constant.any():
                    draws += some[:, -1:] * own_error
                yield draws

    def squares(self) -> Iterator[Numbers]:
        """Yield signed squares T*·|T*| of all pairs, row minus column, (draws, m, m) per batch."""
        m = len(self.candidates)
        for drawn in self._drawn_means():
            for part in parts(drawn.shape[1], _DRAWN_NUMBERS_AT_ONCE // m**2):
                z = drawn[:, part].T
                pairs = (z[:, :, None] - z[:, None, :]) * self._weights
                yield np.copysign(self._squared_t(pairs), pairs)

    def row_extremes(
        self, order: Places, *, everyone: bool = False
    ) -> Iterator[tuple[Numbers, Numbers]]:
        """Lowest and highest T* of the candidates before each one in `order`, minus that one.

        See `JointNull.row_extremes`.
        """
        m = len(order)
        weights = np.ascontiguousarray(self._weights[np.ix_(order, order)])
        for drawn in self._drawn_means():
            z = np.ascontiguousarray(drawn[order])
            low, high = np.zeros((2, m, z.shape[1]), dtype=self._dtype)
            height = max(1, _DRAWN_NUMBERS_AT_ONCE // z.shape[1])
            buffer = np.empty((height, z.shape[1]), dtype=self._dtype)
            for i in range(1, m):
                for start in range(0, i, height):
                    before = slice(start, min(i, start + height))
                    pairs = buffer[: before.stop - start]
                    np.subtract(z[before], z[i], out=pairs)
                    np.multiply(pairs, weights[before, i, None], out=pairs)
                    np.minimum(low[i], pairs.min(axis=0), out=low[i])
                    np.maximum(high[i], pairs.max(axis=0), out=high[i])
                    if everyone:
                        np.negative(pairs, out=pairs)
                        np.minimum(low[before], pairs, out=low[before])
                        np.maximum(high[before], pairs, out=high[before])
            lowest, highest = (np.sqrt(self._squared_t(end.T.astype(float))) for end in (low, high))
            yield -lowest, highest

    def _drawn_means(self) -> Iterator[NDArray[Any]]:
        """Yield means of the candidates, (m, draws) per batch."""
        root, copy_of = self._root
        generator = np.random.default_rng(self._rng)  # an int restarts: every pass is the same
        for start in range(0, self.n_draws, _DRAWS_AT_ONCE):
            n = min(_DRAWS_AT_ONCE, self.n_draws - start)
            drawn = root @ generator.standard_normal((root.shape[1], n))
            yield drawn.astype(self._dtype)[copy_of]

    def _squared_t(self, z: NDArray[Any]) -> NDArray[Any]:
        """The square of the t with the same tail probability as the standard normal z."""
        df = self._df
        if df < _FEWEST_APPROXIMATED:
            exact: NDArray[Any] = special.stdtrit(df, special.ndtr(-np.abs(z))) ** 2
            return exact
        squares = z * z
        squares *= (df - 1.5) / (df - 1) ** 2
        np.expm1(squares, out=squares)
        squares *= df
        return squares


_MOST_REPEATS = 1_000_000


def needed_repeats(
    std_err: Numbers,
    lasting: Numbers,
    most: Numbers,
    n_repeats: int,
    variance: Callable[[int, int], float] | None,
) -> Numbers:
    """Smallest numbers of repeats with which squared standard errors are at most `most`.

    Parameters
    ----------
    std_err, lasting : ndarray of float, shape (n_pairs,)
        Standard errors with `n_repeats` repeats, and with infinitely many.
    most : ndarray of float, shape (n_pairs,)
        Largest variance that is small enough.
    n_repeats : int
        Number of repeats now.
    variance : callable or None
        Variance of a pair by its place and a number of repeats, where that is no line in one over
        the repeats: that of areas, whose lasting part may be estimated as 0, has a bend.

    Returns
    -------
    ndarray of float
        At least 1; inf where no number is enough, NaN where one repeat is not, and does not show
        what others leave.
    """
    passing = np.maximum(std_err**2 - lasting**2, 0.0) * n_repeats
    left = most - lasting**2
    with np.errstate(divide="ignore", invalid="ignore"):
        # Less a little, so that rounding makes no 3 repeats of 2.
        needed = np.maximum(np.ceil(passing / left * (1 - 1e-12)), 1.0)
    if variance is not None:
        for k in np.flatnonzero((lasting == 0) & (std_err > 0)):
            needed[k] = _smallest(partial(variance, int(k)), float(most[k]) * (1 + 1e-12))
    unknown = np.isnan(std_err) | np.isnan(left)
    needed = np.where(unknown, np.nan, np.where(left > 0, needed, np.inf))
    is_enough = (std_err**2 <= most) & (n_repeats == 1)
    return np.where(is_enough, 1.0, needed)


def _smallest(variance: Callable[[int], float], most: float) -> float:
    def is_enough(repeats: int) -> bool:
        return variance(repeats) <= most

    found = 1 + bisect_left(range(1, _MOST_REPEATS), True, key=is_enough)
    return float(found) if found < _MOST_REPEATS else float("inf")


FEWEST_SAMPLES = 30

MANY_SPLITS = 100
"""From so many on, such as 10 × 10 folds, the test of splits is as powerful as that of samples."""

_N_RIVALS = 21

N_PROBES = 3
"""Number of candidates whose second repeat measures the instability."""


def check_samples(scores: SplitScores) -> list[str]:
    """Sentences on few samples, rare classes and unlike folds; empty if there are none."""
    samples, sentences, n_test = _samples(scores), [], scores.design.n_test
    if samples.n_samples < FEWEST_SAMPLES:
        sentences.append(
            f"There are only {samples.n_samples} samples or groups to test on, and the test of "
            f"per-sample losses needs about {FEWEST_SAMPLES}: read p-values and probabilities "
            "as a guide."
        )
    if samples.has_rare_class:
        assert samples.fewest is not None
        sentences.append(
            f"A class has as few as {count(samples.fewest, 'sample')} in a fold, of precision also "
            "of those that a candidate puts into it. For this "
            f"metric the test of per-sample losses needs about {FEWEST_OF_A_CLASS[samples.form]}: "
            "with 2 or 3 it finds a difference between equal models 2.5 to 4.5 times as often "
            "as alpha allows. Use larger folds, such as n_splits=2 with more repeats, or "
            'test="corrected_t" with more splits.'
        )
    if samples.n_failed:
        sentences.append(
            f"Of {count(samples.n_failed, 'fit')} that failed, all samples count as `error_score`. "
            "The test of per-sample losses does not allow for whole folds that fail: use "
            'test="corrected_t".'
        )
    if n_test.max() > 2 * n_test.min():
        sentences.append(
            f"Test sizes differ more than twofold (from {n_test.min()} to {n_test.max()}). A mean "
            "over splits gives the samples of small test sets more weight, which the standard "
            "error ignores: read p-values and probabilities as a guide."
        )
    if samples.form == "mean" and scores.n_available and _folds_vary(scores):
        sentences.append(
            "Scores vary more between splits than their samples explain, as with models that "
            "change as a whole when they are trained again. The test of per-sample losses "
            'does not allow for that and finds too many differences: use test="corrected_t".'
        )
    return sentences


def _folds_vary(scores: SplitScores) -> bool:
    """Whether split differences vary more than the test allows for, at 1 %.

    In the median of the leader minus the next candidates, or of a single candidate. Differences of
    several pairs depend on each other, so the quantile is that of one pair.
    """
    samples, design = _samples(scores), scores.design
    rows = scores.order[: min(scores.n_available, _N_RIVALS)]
    splits, values = scores.values[rows], samples.values[rows].astype(float)
    if len(rows) > 1:
        splits, values = splits[0] - splits[1:], values[0] - values[1:]
    repeats = [splits[:, design.repeat == k] for k in range(samples.n_repeats)]
    found = np.mean([own.var(axis=1, ddof=1) for own in repeats], axis=0)
    explained = values.var(axis=2, ddof=1).mean(axis=1) * samples.n_folds / samples.n_samples
    allowed = explained * (samples.n_folds / (samples.n_folds - 1) + ASSUMED_INSTABILITY)
    df = samples.n_repeats * (samples.n_folds - 1)
    return bool(np.median(found - allowed * special.chdtri(df, 0.01) / df) > 0)


def check_large_differences(samples: SampleScores | None) -> list[str]:
    """A sentence if three samples decide, as costly errors do; it holds for every test."""
    if samples is None or not samples.few_decide:
        return []
    return [
        "Three samples make up over half of the squared differences between two candidates. If "
        "errors are rare and costly, as under log loss, a candidate whose costly errors happen to "
        "be missing here seems better than it is, and no test can show it: look at the largest "
        "losses, and prefer a bounded score or more samples."
    ]
