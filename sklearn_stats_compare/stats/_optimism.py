"""How much of the winner's score is luck: the mean that was chosen as the highest, corrected."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_stats_compare._messages import check_option, check_probability
from sklearn_stats_compare.stats._limits import ROUNDING
from sklearn_stats_compare.stats._scores import SplitScores

OPTIMISM_METHODS = ("fold_bootstrap", "cross_selection", "tibshirani")
_RESAMPLES = 100
_RESAMPLES_A_REPEAT = 20


@dataclass(frozen=True)
class OptimismResult:
    """Result of `selection_optimism`.

    Attributes
    ----------
    mean : float
        The leader's mean score, as it stands.
    optimism : float
        How much of it is estimated to be selection, in score units: `mean` − `corrected_mean`.
    corrected_mean : float
        The score to expect, corrected for the choice.
    std_err : float
        Corrected standard error of the leader's mean, s·√(1/J + q), as if the leader had been given
        before: neither the choice nor the correction adds to it.
    df : int
        Degrees of freedom, n_splits − 1.
    method : str
        The method that was used.
    """

    mean: float
    optimism: float
    corrected_mean: float
    std_err: float
    df: int
    method: str

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Interval of the leader's score around `corrected_mean`, as wide as without correction.

        It is the usual interval of a cross-validated score, moved. It covers how a score varies
        with the splits, and neither the choice itself (other data would have chosen another
        leader) nor how uncertain the correction is, so that its level is nominal: the user guide
        has the coverage that was measured.
        """
        level = check_probability("confidence_level", confidence_level)
        return self.limits((1 - level) / 2)

    def limits(self, tail: float) -> tuple[float, float]:
        """The same interval, by the share `tail` that is outside on either side."""
        # At a level of nearly 1 the critical value is infinite, and 0·∞ would be NaN.
        half_width = float(stats.t.isf(tail, self.df)) * self.std_err if self.std_err else 0.0
        return self.corrected_mean - half_width, self.corrected_mean + half_width


def selection_optimism(
    scores: SplitScores, *, method: str = "fold_bootstrap", rng: Any = None
) -> OptimismResult:
    """Estimate how much of the leader's mean is owed to its having been chosen as the highest.

    An approximate correction from the split scores alone. It stays optimistic, by up to about 0.07
    where all candidates are near chance, and is pessimistic where one is clearly better; a value
    slightly above chance is no signal. For a figure to publish use nested cross-validation or an
    untouched test set.

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates, on splits that form repeats; missing candidates are left out.
    method : {"fold_bootstrap", "cross_selection", "tibshirani"}, default="fold_bootstrap"
        "fold_bootstrap" draws the folds of each repeat with replacement (100 resamples in all, at
        least 20 a repeat), takes the candidate with the best mean on the folds drawn and scores it
        on the others. "cross_selection" takes, for each split, the candidate that is best on the
        other splits of its repeat and scores it on that split. "tibshirani" is Tibshirani and
        Tibshirani's: the mean over the splits of the best score on the split minus the leader's.
        Of candidates that tie, the scores are averaged.
    rng : None, int or numpy.random.Generator, optional
        Source of the resamples of "fold_bootstrap". Default: fresh entropy.

    Returns
    -------
    OptimismResult
        All numbers NaN where every candidate is missing, and of "tibshirani" where there is only
        one split.

    Raises
    ------
    ValueError
        If `method` is unknown, or is not "tibshirani" and the splits form no repeats of at least
        two folds: folds of different repeats test on the same samples, and selecting on some of
        them to score on others would leave most of the optimism in.

    Notes
    -----
    The resamples' scores are read relative to the leader's on the same folds, which leaves their
    expectation as it is and makes the optimism exactly zero where there was nothing to choose.

    References
    ----------
    Tibshirani, R. J. and Tibshirani, R. (2009). A bias correction for the minimum error rate in
    cross-validation. Annals of Applied Statistics 3, 822–829. https://doi.org/10.1214/08-AOAS224

    Tsamardinos, I., Greasidou, E. and Borboudakis, G. (2018). Bootstrapping the out-of-sample
    predictions for efficient and accurate cross-validation. Machine Learning 107, 1895–1922.
    https://doi.org/10.1007/s10994-018-5714-4 (whose bootstrap is of samples; here it is of folds).
    """
    check_option("method", method, OPTIMISM_METHODS)
    folds = folds_by_repeat(scores)
    if method != "tibshirani" and not folds:
        raise ValueError(
            f"`method` must be 'tibshirani' here; got {method!r}. The splits form no repeats, that "
            "is, runs of at least two splits whose test sets partition the data, as those of "
            "KFold and RepeatedKFold do."
        )
    df = scores.n_splits - 1
    if df < 1 or not scores.n_available:
        nothing = float("nan")
        return OptimismResult(nothing, nothing, nothing, nothing, df, method)
    leader = scores.order[0]
    values = scores.comparable(scores.order[: scores.n_available])
    # Relative to the leader: see the Notes. Each resample's own level drops out.
    ahead = values - values[0]
    if method == "tibshirani":
        # Tibshirani and Tibshirani (2009): the mean over folds of (leader's error − lowest error).
        optimism = float(ahead.max(axis=0).mean())
    else:
        # Rounding follows the size of a candidate's own scores: huge ones of a candidate that
        # diverged must not make ties among the others.
        rounding = ROUNDING * np.abs(values).max(axis=1)
        if method == "cross_selection":
            chosen = [_cross_selected(values[:, k], ahead[:, k], rounding) for k in folds]
        else:
            generator = np.random.default_rng(rng)
            # −(−a // b) rounds up in whole numbers.
            n = max(_RESAMPLES_A_REPEAT, -(-_RESAMPLES // len(folds)))
            chosen = [
                _bootstrapped(values[:, k], ahead[:, k], rounding, n, generator) for k in folds
            ]
        # Every split counts the same, as in the mean itself, should repeats differ in folds.
        optimism = -float(np.average(chosen, weights=[k.size for k in folds]))
    mean = float(scores.means[leader])
    return OptimismResult(
        mean=mean,
        optimism=optimism or 0.0,  # no −0
        corrected_mean=mean - optimism,
        std_err=float(scores.std_errs[leader]),
        df=df,
        method=method,
    )


def folds_by_repeat(scores: SplitScores) -> list[NDArray[np.intp]]:
    """The splits of each repeat; empty unless all splits are in repeats of two folds or more."""
    repeat = scores.design.repeat
    if (repeat < 0).any():
        return []
    folds = [np.flatnonzero(repeat == number) for number in np.unique(repeat)]
    return folds if min(fold.size for fold in folds) >= 2 else []


def _cross_selected(
    values: NDArray[np.float64], ahead: NDArray[np.float64], rounding: NDArray[np.float64]
) -> float:
    """Mean lead over the leader, on each fold, of the candidate that is best on the others."""
    # All but one fold by subtraction, in O(m·k) instead of O(m·k²).
    elsewhere = (values.sum(axis=1, keepdims=True) - values) / (values.shape[1] - 1)
    return float(_of_the_best(elsewhere, ahead, rounding).mean())


def _bootstrapped(
    values: NDArray[np.float64],
    ahead: NDArray[np.float64],
    rounding: NDArray[np.float64],
    n_resamples: int,
    generator: np.random.Generator,
) -> float:
    """Mean lead over the leader, on the folds not drawn, of the candidate best on those drawn."""
    k = values.shape[1]
    drawn = np.empty((k, 0))
    while drawn.shape[1] < n_resamples:
        # How often each fold was drawn; k draws with replacement are one multinomial draw.
        more = generator.multinomial(k, np.full(k, 1 / k), size=n_resamples).T
        # With few folds all may be drawn, which leaves none to score on.
        drawn = np.hstack([drawn, more[:, (more == 0).any(axis=0)]])
    drawn = drawn[:, :n_resamples]
    left = drawn == 0
    # Means of all candidates over all resamples as one matrix product.
    return float(_of_the_best(values @ drawn / k, ahead @ left / left.sum(axis=0), rounding).mean())


def _of_the_best(
    chosen_by: NDArray[np.float64], scored_by: NDArray[np.float64], rounding: NDArray[np.float64]
) -> NDArray[np.float64]:
    """In every column, `scored_by` of the row with the highest `chosen_by`; ties averaged."""
    first = chosen_by.argmax(axis=0)
    # Sums in another order differ by rounding: equal candidates would win by it, and a tie be
    # decided by the order of candidates.
    tolerance = np.maximum(rounding[:, None], rounding[first])
    best = chosen_by >= chosen_by.max(axis=0) - tolerance
    return (scored_by * best).sum(axis=0) / best.sum(axis=0)
