"""Scores after a choice: intervals of nested cross-validation, optimism, and .632 rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from scipy import stats

from sklearn_stats_compare._utils._formatting import plus_minus
from sklearn_stats_compare._utils._validation import check_option, check_probability
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._numeric import ROUNDING, Numbers, Places, two_sided_z
from sklearn_stats_compare.stats._score_range import ANY_RANGE, ScoreRange, mean_limits
from sklearn_stats_compare.stats._scores import SplitScores

# Multiples of (inner mean − outer mean) that are subtracted from the inner mean.
BIAS_FACTORS: dict[str, Callable[[int], float]] = {
    # Exact if the score is a + b/(training size): K/(K − 2) − 1 over K/(K − 2) − K/(K − 1).
    "paper": lambda k: 1 + (k - 2) / k,
    "r_package": lambda k: 1 + ((k - 2) / (k - 1)) ** 1.5,
    "outer": lambda k: 1.0,
}


@dataclass(frozen=True)
class NestedIntervalResult:
    """Result of `nested_cv_interval`.

    Attributes
    ----------
    mean : float
        Estimated score of the procedure trained on all samples: the mean of the inner values minus
        `bias`.
    std_err : float
        Square root of the estimated mean squared error of `mean`, limited to `naive_std_err` times
        1 to √n_folds.
    bias : float
        What was subtracted from the mean of the inner values; negative if scores rise with the
        number of training samples.
    inflation : float
        `std_err` / `naive_std_err`, from 1 to √n_folds; 1 if all values are equal.
    naive_std_err : float
        Standard deviation of the inner values over √n_samples.
    mse : float
        Estimated mean squared error before it is limited. It is negative in some data sets.
    n_samples, n_folds, n_repeats : int
        Number of samples n, of folds K and of repeats R.
    """

    mean: float
    std_err: float
    bias: float
    inflation: float
    naive_std_err: float = field(repr=False)
    mse: float = field(repr=False)
    n_samples: int = field(repr=False)
    n_folds: int = field(repr=False)
    n_repeats: int = field(repr=False)

    @property
    def lower(self) -> float:
        """Lower limit of the 95 % interval."""
        return self.confidence_interval()[0]

    @property
    def upper(self) -> float:
        """Upper limit of the 95 % interval."""
        return self.confidence_interval()[1]

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Interval `mean` ± z·`std_err`; it may exceed the range of the score."""
        level = check_probability("confidence_level", confidence_level)
        # At a level close to 1 the quantile is infinite, and 0·∞ would be NaN.
        half_width = two_sided_z(level) * self.std_err if self.std_err else 0.0
        return self.mean - half_width, self.mean + half_width


def nested_cv_interval(
    outer: Sequence[Any], inner: Sequence[Any], n_folds: int, *, bias: str = "paper"
) -> NestedIntervalResult:
    """Interval for the score of one procedure by Bates, Hastie and Tibshirani's nested CV.

    Parameters
    ----------
    outer : sequence of array-like of float, length n_repeats * n_folds
        For each fold of each repeat, in order: values of its samples from the model trained on the
        other K − 1 folds. Values are scores or losses, whose mean is estimated; at least two in
        each fold. The folds of every repeat partition the same n samples.
    inner : sequence of array-like of float, length n_repeats * n_folds
        For each fold k: values of all samples of the other folds, in any order. Those of fold l are
        from the model trained on all folds but k and l. This model also tests fold k, for the inner
        values of fold l, so that a repeat needs K + K·(K − 1)/2 fits.
    n_folds : int
        Number of folds K ≥ 3 of a repeat.
    bias : {"paper", "r_package", "outer"}, default="paper"
        Factor of the estimated bias: `mean` is the inner mean minus factor·(inner mean − outer
        mean). "paper" is 1 + (K − 2)/K. It is exact if the expected score is a + b/m with m
        training samples. "r_package" is 1 + ((K − 2)/(K − 1))^1.5. "outer" is 1, which gives the
        outer mean, that is, the usual cross-validated score.

    Returns
    -------
    NestedIntervalResult
        With `mean`, `std_err`, `lower`, `upper`, `bias` and `inflation`; `confidence_interval`
        computes intervals of other levels.

    Notes
    -----
    Every fold k gives one estimate of the squared error of cross-validation on the other folds:
    a_k = (inner mean − outer mean)², which also contains the error of the outer mean,
    b_k = s²/n_k. The means of a and b over all folds of all repeats estimate the mean squared
    error for n·(K − 1)/K samples::

        mse = (K − 1)/K·(ā − b̄),   std_err = √mse, at least naive_std_err, at most √K times that

    The target is the expected score of the model that the procedure fits on all n samples. A
    procedure includes its tuning: each model above is then the result of a search within its own
    training folds.

    Valid for scores that are means of values of independent samples (accuracy, log loss, squared
    error). If samples depend on each other, give one value per group. Not valid for areas under
    ROC curves or other scores that are not means, time series, or shuffle splits. A single repeat
    gives only K estimates of the error: their mean is often negative, and `inflation` is then 1.
    The authors recommend many repeats (200 in their simulations). The quantile is normal, without
    regard to the uncertainty of the estimated error. In 24 simulated cases of 30 to 300 samples
    (benchmarks/nested.py), 95 % intervals with ten repeats of five folds covered the score of the
    fitted model in 94.7 % of data sets on average, at worst in 89.5 %; with one repeat in 91.0 %.

    The published implementations agree on the limits of the error, on the factor (K − 1)/K and on
    the naive standard error from inner values. They differ otherwise. R's nestedcv, by the first
    author (R/core.R), has the factor "r_package" and takes the outer mean from other splits. It
    fits no outer models: its outer value of fold k is from one model without k and another fold, so
    that ā contains no difference due to the number of training samples. Its ā is a variance about
    the mean, and its b̄ that of the means of all tested folds. R's mlr3inferr
    (R/MeasureCiNestedCV.R) follows the paper, as this function does by default; without its bias
    correction it returns the outer mean. The paper's factor is the default because it follows from
    a learning curve. The other is 3 % larger with 5 folds and 2 % with 10.

    References
    ----------
    Bates, S., Hastie, T. and Tibshirani, R. (2024). Cross-validation: what does it estimate and how
    well does it do it? JASA 119, 1434–1445. https://doi.org/10.1080/01621459.2023.2197686

    Examples
    --------
    Three folds of two samples, once. The model of folds 2 and 3 is right on one sample of fold 1;
    those of one fold are right on every second sample, whichever fold they test:

    >>> from sklearn_stats_compare.stats._nested import nested_cv_interval
    >>> outer = [[1, 0], [1, 1], [1, 0]]
    >>> inner = [[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]]
    >>> result = nested_cv_interval(outer, inner, n_folds=3)
    >>> round(result.mean, 3), round(result.bias, 3)
    (0.722, -0.222)

    The inner mean is 0.5, the outer one 0.667, and the bias 4/3 of the difference. The learning
    curve is assumed to rise on to 0.722 with all six samples.
    """
    k = n_folds
    tested, others = ([np.asarray(fold, dtype=float) for fold in folds] for folds in (outer, inner))
    pooled, all_tested = np.concatenate(others), np.concatenate(tested)
    n_repeats = len(outer) // k
    n = all_tested.size // n_repeats
    outer_mean = float(np.mean(all_tested))
    # Around a common level, because squares of large values lose digits.
    inner_mean = float(outer_mean + (pooled - outer_mean).mean())
    spread = float(pooled.std(ddof=1))
    if spread <= ROUNDING * float(np.abs(pooled).max()):
        spread = 0.0
    squares = np.mean(np.square([_difference(a, b) for a, b in zip(others, tested, strict=True)]))
    noise = np.mean([values.var(ddof=1) / values.size for values in tested])
    mse = float((k - 1) / k * (squares - noise))
    naive = spread / sqrt(n)
    std_err = min(max(naive, sqrt(max(mse, 0.0))), sqrt(k) * naive)
    correction = BIAS_FACTORS[bias](k) * (inner_mean - outer_mean)
    return NestedIntervalResult(
        mean=inner_mean - correction,
        std_err=std_err,
        bias=correction,
        inflation=std_err / naive if naive else 1.0,
        naive_std_err=naive,
        mse=mse,
        n_samples=n,
        n_folds=k,
        n_repeats=n_repeats,
    )


def _difference(inner: Numbers, outer: Numbers) -> float:
    """Inner mean − outer mean of one fold."""
    level = outer[0]
    return float((inner - level).mean() - (outer - level).mean())


OPTIMISM_METHODS = ("fold_bootstrap", "cross_selection", "tibshirani")

_RESAMPLES = 100

_RESAMPLES_A_REPEAT = 20


@dataclass(frozen=True)
class OptimismResult:
    """Result of `selection_optimism`.

    Attributes
    ----------
    mean : float
        The leader's mean score, uncorrected.
    optimism : float
        Estimated optimism due to selection, in score units: `mean` − `corrected_mean`.
    corrected_mean : float
        The expected score of the leader, corrected for selection.
    std_err : float
        Corrected standard error of the leader's mean, s·√(1/J + q). It treats the leader as fixed
        in advance, and does not include the uncertainty of the choice or of the correction.
    df : int
        Degrees of freedom, n_splits − 1.
    method : str
        The method.
    leads : tuple of float
        How far the leader's mean is above that of each other candidate, in standard errors of their
        difference; candidates with the same scores on all splits count once.
    """

    mean: float
    optimism: float
    corrected_mean: float
    std_err: float
    df: int
    method: str
    leads: tuple[float, ...] = field(default=(), repr=False)
    _within: ScoreRange = field(default=ScoreRange(), repr=False)

    def __repr__(self) -> str:
        corrected = plus_minus(self.corrected_mean, self.std_err)
        return (
            f"The leader's mean of {self.mean:.4g} is about {self.optimism:.2g} too high, because "
            f"it was chosen as the highest: corrected, it is {corrected} ({self.method})."
        )

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Interval of the leader's expected score, valid although the scores chose the leader.

        Whichever candidate leads, the interval contains its expected score with a probability of
        about `confidence_level` or more. The lower limit holds at once for all candidates that
        could have led, so it is lower if more of them are near the leader. The upper limit is that
        of a candidate fixed in advance. The interval surrounds `mean`, not `corrected_mean`.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Level, in (0, 1).

        Returns
        -------
        low, high : float
            In score units. NaN if every candidate is missing, or with one split.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).

        Notes
        -----
        The limits are mean − t(β)·SE and mean + t(α/2)·SE, with alpha = 1 − `confidence_level` and
        critical values of Student's t. For one candidate this is the usual interval. Otherwise
        β = 0.9·(α/2)/K. K is the number of candidates that could have led: those behind the leader
        by no more than 2·t(0.1·(α/2)/(m(m − 1))) standard errors of the difference (Zrnic and
        Fithian, 2024, with Bonferroni's inequality). If all are near the leader, K = m. Candidates
        with the same scores on all splits count once.

        The interval is valid under the assumptions of the corrected t-test, and if all the
        candidates that the leader was chosen from are compared; the upper limit also assumes that
        candidates that could have led have similar standard errors. Limits of shares of samples,
        such as accuracies, are Wilson's with the inflated variance. With many repeats coverage may
        be a few points below the level, because repeats share their samples (figures: "The winner's
        score" in the documentation's evidence).
        It is not valid after a race. With few splits and
        many candidates it is wide: 5.9 standard errors below the mean for 200 candidates and ten
        splits, 3.8 for a hundred splits.

        References
        ----------
        Zrnic, T. and Fithian, W. (2024). Locally simultaneous inference. Annals of Statistics 52,
        1227–1253. https://doi.org/10.1214/24-AOS2391

        Examples
        --------
        The best of twenty models that toss coins, on 100 splits:

        >>> import numpy as np
        >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
        >>> coins = np.random.default_rng(0).binomial(30, 0.5, size=(20, 100)) / 30
        >>> design = SplitDesign([270] * 100, [30] * 100, repeat=np.arange(100) // 10)
        >>> found = Comparison(SplitScores(coins, design), metric="accuracy").optimism(rng=0)
        >>> low, high = found.confidence_interval()
        >>> print(f"{found.mean:.3f} [{low:.3f}, {high:.3f}]")
        0.515 [0.408, 0.583]

        Its true score, 0.5, is inside.
        """
        return self.limits((1 - check_probability("confidence_level", confidence_level)) / 2)

    def limits(self, tail: float) -> tuple[float, float]:
        """The same interval, given the probability `tail` on either side."""
        return interval_after_choice(
            self.mean, self.std_err, self.df, self.leads, tail, within=self._within
        )


def selection_optimism(
    scores: SplitScores,
    *,
    method: str = "fold_bootstrap",
    rng: Any = None,
    metric: str = "",
) -> OptimismResult:
    """Estimate the optimism of the leader's mean due to its selection as the highest.

    This is an approximate correction that uses only the split scores. It remains optimistic, by up
    to about 0.07, if all candidates are near chance, and is pessimistic if one is clearly better. A
    corrected value slightly above chance is not evidence of skill. For a published figure use
    nested cross-validation or an untouched test set.

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates on splits that form repeats; missing candidates are left out.
    method : {"fold_bootstrap", "cross_selection", "tibshirani"}, default="fold_bootstrap"
        "fold_bootstrap" draws the folds of each repeat with replacement (100 resamples in all, at
        least 20 per repeat), selects the candidate with the best mean on the drawn folds and scores
        it on the others. "cross_selection" selects, for each split, the best candidate on the other
        splits of its repeat and scores it on that split. "tibshirani" is Tibshirani and
        Tibshirani's estimate: the mean over splits of the best score minus the leader's. Scores of
        tied candidates are averaged.
    rng : None, int or numpy.random.Generator, optional
        Source of the resamples of "fold_bootstrap". Default: fresh entropy.
    metric : str, default=""
        Name of the metric in scikit-learn, whose range the interval stays in.

    Returns
    -------
    OptimismResult
        All numbers are NaN if every candidate is missing, or for "tibshirani" if there is only one
        split.

    Raises
    ------
    ValueError
        If `method` is unknown, or is not "tibshirani" and the splits do not form repeats of at
        least two folds. Selection on some folds and scoring on others removes the optimism only if
        they test on different samples.

    Notes
    -----
    The scores of the resamples are taken relative to the leader's on the same folds. This does not
    change their expectation, and makes the optimism exactly zero for a single candidate.

    References
    ----------
    Tibshirani, R. J. and Tibshirani, R. (2009). A bias correction for the minimum error rate in
    cross-validation. Annals of Applied Statistics 3, 822–829. https://doi.org/10.1214/08-AOAS224

    Tsamardinos, I., Greasidou, E. and Borboudakis, G. (2018). Bootstrapping the out-of-sample
    predictions for efficient and accurate cross-validation. Machine Learning 107, 1895–1922.
    https://doi.org/10.1007/s10994-018-5714-4 (bootstraps samples; here folds are drawn).
    """
    check_option("method", method, OPTIMISM_METHODS)
    folds = folds_by_repeat(scores)
    if method != "tibshirani" and not folds:
        raise ValueError(
            f"`method` must be 'tibshirani' here; got {method!r}. The splits do not form repeats, "
            "that is, runs of at least two splits whose test sets partition the data, as with "
            "KFold and RepeatedKFold."
        )
    df = scores.n_splits - 1
    if df < 1 or not scores.n_available:
        nothing = float("nan")
        return OptimismResult(nothing, nothing, nothing, nothing, df, method)
    known = scores.order[: scores.n_available]
    leader = int(known[0])
    values = scores.comparable(known)
    # Relative to the leader (see the Notes): the level of each resample cancels.
    ahead = values - values[0]
    if method == "tibshirani":
        # Tibshirani and Tibshirani (2009): the mean over folds of (leader's error − lowest error).
        optimism = float(ahead.max(axis=0).mean())
    else:
        # Rounding error relative to each candidate's own scores: those of a candidate that diverged
        # must not cause ties among the others.
        rounding = ROUNDING * np.abs(values).max(axis=1)
        generator = np.random.default_rng(rng)
        chosen = []
        for k in folds:
            own, left_out = values[:, k], ahead[:, k]
            if method == "cross_selection":
                # Sums over all but one fold by subtraction: O(m·k) instead of O(m·k²).
                seen = (own.sum(axis=1, keepdims=True) - own) / (k.size - 1)
            else:
                # −(−a // b) rounds up in whole numbers.
                n = max(_RESAMPLES_A_REPEAT, -(-_RESAMPLES // len(folds)))
                drawn = _drawn_folds(k.size, n, generator)
                # Means of all candidates over all resamples as one matrix product.
                left = drawn == 0
                seen, left_out = own @ drawn / k.size, left_out @ left / left.sum(axis=0)
            chosen.append(_scores_of_selected(seen, left_out, rounding).mean())
        # Every split has the same weight, as in the mean, also if repeats differ in folds.
        optimism = -float(np.average(chosen, weights=[k.size for k in folds]))
    mean = float(scores.means[leader])
    # A copy has the same interval, and so counts once. The leader is the first of its copies.
    different = np.sort(np.unique(values, axis=0, return_index=True)[1])
    tests = PairedTTests.against(scores, leader, known[different[1:]])
    design = scores.design
    return OptimismResult(
        mean=mean,
        optimism=optimism or 0.0,  # no −0
        corrected_mean=mean - optimism,
        std_err=float(scores.std_errs[leader]),
        df=df,
        method=method,
        leads=tuple(tests.statistic.tolist()),
        _within=ScoreRange.of(scores, design.splits_per_repeat * design.variance_factor, metric),
    )


def folds_by_repeat(scores: SplitScores) -> list[Places]:
    """The splits of each repeat; empty unless all splits are in repeats of two folds or more."""
    repeat = scores.design.repeat
    if (repeat < 0).any():
        return []
    folds = [np.flatnonzero(repeat == number) for number in np.unique(repeat)]
    return folds if min(fold.size for fold in folds) >= 2 else []


def _drawn_folds(k: int, n_resamples: int, generator: np.random.Generator) -> Numbers:
    """How often each of `k` folds is in each of `n_resamples` bootstrap samples of them."""
    drawn = np.empty((k, 0))
    while drawn.shape[1] < n_resamples:
        # Number of times each fold was drawn; k draws with replacement are one multinomial draw.
        more = generator.multinomial(k, np.full(k, 1 / k), size=n_resamples).T
        # With few folds all may be drawn, and none remains for scoring.
        drawn = np.hstack([drawn, more[:, (more == 0).any(axis=0)]])
    return drawn[:, :n_resamples]


def _scores_of_selected(chosen_by: Numbers, scored_by: Numbers, rounding: Numbers) -> Numbers:
    """In every column, `scored_by` of the row with the highest `chosen_by`; average over ties."""
    first = chosen_by.argmax(axis=0)
    # Sums in another order differ by rounding, which must not decide between equal candidates.
    tolerance = np.maximum(rounding[:, None], rounding[first])
    best = chosen_by >= chosen_by.max(axis=0) - tolerance
    return (scored_by * best).sum(axis=0) / best.sum(axis=0)


_SHARE_FOR_PLAUSIBLE = 0.1
"""Share of a tail that finds who could have led; a tenth, as Zrnic and Fithian (2024) suggest."""


def interval_after_choice(
    mean: float,
    std_err: float,
    df: int,
    leads: Sequence[float],
    tail: float,
    within: ScoreRange = ANY_RANGE,
) -> tuple[float, float]:
    """Interval of the expected score of the candidate with the highest mean.

    Two steps of the argument take estimates for known: the standard errors that tell who could have
    led, and copies, which count once. In simulations neither cost coverage.

    The lower limit holds for all candidates at once that could have led (Bonferroni's inequality).
    The upper limit is that of a candidate fixed in advance, because the choice cannot make a mean
    too low: the leader's mean is at least that of the truly best candidate, whose expected score is
    at least the leader's.

    Parameters
    ----------
    mean, std_err : float
        The leader's mean and its standard error, in score units.
    df : int
        Degrees of freedom.
    leads : sequence of float, shape (n_candidates − 1,)
        How far the leader's mean is above that of each other candidate, in standard errors of their
        difference.
    tail : float
        Probability on either side, half of alpha.
    within : ScoreRange, optional
        Range of the score. Default: unbounded.

    Returns
    -------
    low, high : float
        In score units; the mean itself if the standard error is 0 and the range is unknown.
    """
    below = tail
    if leads:
        # With probability 1 − spent, no difference is above its expectation by more than `apart`
        # standard errors. Then whoever might lead is at most twice that behind the leader.
        m = len(leads) + 1
        spent = _SHARE_FOR_PLAUSIBLE * tail
        apart = stats.t.isf(spent / (m * (m - 1)), df)
        plausible = 1 + np.count_nonzero(np.asarray(leads) <= 2 * apart)
        below = (tail - spent) / plausible
    low, high = mean_limits(mean, std_err, stats.t.isf([below, tail], df), within)
    return float(low), float(high)


WEIGHT = 0.632
"""Expected share of the samples in a bootstrap sample, 1 − 1/e."""


@dataclass(frozen=True)
class WeightedError:
    """A weighted mean of the apparent and the out-of-bag error.

    Attributes
    ----------
    error : float
        The estimate.
    weight : float
        Weight of the out-of-bag error, if that is at most the no-information rate; the rest is the
        weight of the apparent error.
    overfitting : float
        Relative overfitting rate R, from 0 to 1; NaN if the rule does not use it.
    """

    error: float
    weight: float
    overfitting: float = float("nan")


def out_of_bag(oob: float) -> WeightedError:
    """The error of the leave-one-out bootstrap, which is somewhat pessimistic."""
    return WeightedError(oob, 1.0)


def point_632(apparent: float, oob: float) -> WeightedError:
    """The .632 rule, which is optimistic for models that fit their training data closely."""
    return WeightedError((1 - WEIGHT) * apparent + WEIGHT * oob, WEIGHT)


def point_632_plus(apparent: float, oob: float, no_information: float) -> WeightedError:
    """The .632+ rule: the weight of the out-of-bag error grows with overfitting.

    Efron and Tibshirani's equation 32 adds a term to the .632 error that grows with the relative
    overfitting rate R = (min(oob, γ) − apparent) / (γ − apparent). R is clipped to [0, 1], and is 0
    if the out-of-bag error or γ is not above the apparent error. If the out-of-bag error is at most
    γ, the result is (1 − w)·apparent + w·oob with w = 0.632/(1 − 0.368·R).
    """
    capped = min(oob, no_information)
    overfitting = 0.0
    if capped > apparent:
        overfitting = min(1.0, max(0.0, (capped - apparent) / (no_information - apparent)))
    weight = WEIGHT / (1 - (1 - WEIGHT) * overfitting)
    error = point_632(apparent, oob).error + (weight - WEIGHT) * (capped - apparent)
    return WeightedError(error, weight, overfitting)
