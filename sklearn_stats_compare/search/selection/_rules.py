"""The rules that take the simplest: what keeps a candidate in the choice."""

from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_probability
from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.search.selection._simplest import SimplestRule
from sklearn_stats_compare.stats import PairedTTests, possibly_best_pvalues, shortfall_bounds


@dataclass(frozen=True)
class SimplestPossiblyBest(SimplestRule):
    """Take the simplest candidate that may be the best.

    The rule keeps the candidates that may be the best; see `Comparison.possibly_best`. The true
    best is among them with probability at least 1 − alpha. If several candidates are equally good,
    this applies to each of them separately. After a race, it is valid only among the survivors, and
    a warning says so.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        As for `SimplestRule`.
    alpha : float, default=0.05
        Level of the test that a candidate may be the best, in (0, 1).
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.
    """

    alpha: float = 0.05

    def _check_own(self) -> None:
        check_probability("alpha", self.alpha)

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        p = possibly_best_pvalues(comparison.scores, test=comparison.settings.test)
        return p >= self.alpha, [
            f"p = {value:.3g} for the hypothesis that it is the best" for value in p
        ]


@dataclass(frozen=True)
class SimplestWithinOneStandardError(SimplestRule):
    """Take the simplest candidate whose mean is within one standard error of the leader's.

    The standard error is that of the paired difference between the leader and the candidate,
    corrected for overlapping splits. The rule is a heuristic that favours simple candidates. It is
    not a test and controls no error rate. The common form of the rule uses std/√J of the leader's
    scores on J splits. That is so small that the rule nearly always returns the leader.

    After a race, the rule chooses only among the survivors, and a warning says so.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        As for `SimplestRule`.
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.
    """

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        tests = _against_all(comparison)
        with np.errstate(invalid="ignore"):  # NaN of candidates that failed: kept out by the base
            keep = tests.mean_diff <= tests.std_err
        return keep, [
            f"behind by {d:.3g}, standard error {s:.3g}"
            for d, s in zip(tests.mean_diff, tests.std_err, strict=True)
        ]


@dataclass(frozen=True)
class SimplestNotPracticallyWorse(SimplestRule):
    """Take the simplest candidate not shown to be worse than the leader by more than `rope`.

    After a race, the rule chooses only among the survivors, and a warning says so.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        As for `SimplestRule`.
    rope : float
        Half-width of the region of practical equivalence, ≥ 0, in score units: a loss up to `rope`
        does not matter.
    probability : float, default=0.95
        A candidate is excluded if the posterior probability that it is worse than the leader by
        more than `rope` is at least this value, in (0, 1).
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.
    """

    rope: float
    probability: float = 0.95

    def _check_own(self) -> None:
        check_probability("probability", self.probability)
        if not isinstance(self.rope, Real) or isinstance(self.rope, bool) or not self.rope >= 0:
            raise ValueError(f"`rope` must be a half-width ≥ 0; got {self.rope!r}.")

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        tests = _against_all(comparison)
        bounds = (-float(self.rope), float(self.rope))
        # Of the leader minus the candidate, "better" is the leader by more than the ROPE.
        worse = tests.rope_probabilities(bounds).better
        # Negated: a NaN compares False, and is no evidence against a candidate.
        return ~(worse >= self.probability), [
            f"P(worse by more than the ROPE) {p:.3g}" for p in worse
        ]


@dataclass(frozen=True)
class SimplestWithin(SimplestRule):
    """Take the simplest candidate that is shown to be at most `at_most` worse than the best.

    The rule keeps the candidates whose bound in `Comparison.shortfall` is at most `at_most`. With
    probability at least 1 − alpha none of them is further below the true best, and so neither is
    the choice. If the bound of no candidate is that small, the rule takes the leader, and nothing
    is guaranteed. After a race, it is valid only among the survivors, and a warning says so.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        As for `SimplestRule`.
    at_most : float
        Tolerated loss, ≥ 0, in score units.
    alpha : float, default=0.05
        Probability that some bound is too small, in (0, 1).
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.

    References
    ----------
    Hsu, J. C. (1981). Simultaneous confidence intervals for all distances from the "best".
    Annals of Statistics 9, 1026–1034. https://doi.org/10.1214/aos/1176345582
    """

    at_most: float
    alpha: float = 0.05

    # The bound of another candidate may be smaller than the leader's.
    _keeps_the_leader: ClassVar[bool] = False

    def _check_own(self) -> None:
        check_probability("alpha", self.alpha)
        _check_loss("at_most", self.at_most)

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        test = comparison.settings.test
        comparison.settings.check_has_std_err("SimplestWithin")
        bounds = shortfall_bounds(comparison.scores, alpha=self.alpha, test=test)
        with np.errstate(invalid="ignore"):  # NaN of candidates that failed
            keep = bounds <= self.at_most
        why = [
            "one split gives no bound"
            if np.isnan(bound)
            else f"at most {bound:.3g} worse than the best"
            for bound in bounds
        ]
        if not keep.any():
            why[comparison.scores.order[0]] += "; the leader, as no bound is small enough"
        return keep, why


@dataclass(frozen=True)
class SimplestWithinPercentLoss(SimplestRule):
    """Take the simplest candidate whose mean is within `percent` of the leader's.

    The rule is a heuristic that uses only the means. It is not a test and controls no error rate.

    After a race, the rule chooses only among the survivors, and a warning says so.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        As for `SimplestRule`.
    percent : float
        Tolerated loss, ≥ 0, in per cent of the leader's absolute mean.
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.

    Raises
    ------
    ValueError
        When called, if the leader's mean is 0 or the means have both signs, because a percentage of
        the leader's mean is then meaningless.
    """

    percent: float

    _reads_sizes: ClassVar[bool] = False

    def _check_own(self) -> None:
        _check_loss("percent", self.percent)

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        means = comparison.scores.means
        known = means[~comparison.scores.missing]
        best = known.max()
        # Such as r2, whose mean may be near 0 or below: a share of it says nothing.
        if best == 0 or (known.min() < 0 < best):
            raise ValueError(
                "A percentage of the leader's mean has no meaning if that mean is 0 or the means "
                f"have both signs; they range from {known.min():.4g} to {best:.4g}. Use "
                "SimplestNotPracticallyWorse with a `rope` in score units."
            )
        loss = 100 * (best - means) / abs(best)
        with np.errstate(invalid="ignore"):  # NaN of candidates that failed
            return loss <= self.percent, [f"loss {value:.3g} %" for value in loss]


def _check_loss(name: str, value: float) -> None:
    """Raise ValueError unless a tolerated loss is a finite number ≥ 0."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value < np.inf:
        raise ValueError(f"`{name}` must be a number ≥ 0; got {value!r}.")


def _against_all(comparison: Comparison) -> PairedTTests:
    """The leader minus every candidate, itself included, in the order of candidates."""
    # With itself too, so that row i of the result is candidate i.
    scores = comparison.scores
    test = comparison.settings.test
    return test.against(scores, int(scores.order[0]), np.arange(scores.n_candidates))
