"""Which candidates may be the best, and how much of the leader's mean is luck.

Each public function but `ranked_with` is a method of `Comparison`.
"""

import warnings
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_count,
    check_option,
    check_probability,
    check_rng,
    outside_level,
)
from sklearn_stats_compare.comparison._assumptions import warn_of_survivors
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._stream import check_n_pairs
from sklearn_stats_compare.stats import (
    BEST_METHODS,
    N_DRAWS,
    OptimismResult,
    folds_by_repeat,
    model_confidence_set_pvalues,
    possibly_best_pvalues,
    selection_optimism,
)
from sklearn_stats_compare.stats import probability_best as best_probabilities

_MOST_DRAWS = 10**9
"""With this many, the standard error of a probability is below 0.00002; more is a mistake."""


def possibly_best(
    self: Compared, alpha: float | None = None, *, method: str = "bonferroni", rng: Any = 0
) -> pd.DataFrame:
    """Candidates that may be the best: a true best is left out with probability ≤ alpha.

    This guarantee accounts for the choice of the leader from the same data. Candidates tied with
    the leader are always in the set. After most races the guarantee covers only the survivors: see
    the Notes.

    Parameters
    ----------
    alpha : float, optional
        Level, in (0, 1). Default: the comparison's.
    method : {"bonferroni", "maxt"}, default="bonferroni"
        Adjustment for the m − 1 one-sided tests. "bonferroni" uses their number; "maxt" uses their
        joint null distribution, which usually gives a smaller set and takes longer.
    rng : None, int or numpy.random.Generator, default=0
        Source of the 20,000 draws of "maxt".

    Returns
    -------
    DataFrame
        The members in rank order, indexed by candidate, with the columns ``label``, ``mean``,
        ``behind`` (the leader's mean minus its own, in score units) and ``p_val`` (of the
        hypothesis that the candidate is the best; at least alpha). The table is empty if all
        candidates failed or there is only one split.

    Raises
    ------
    ValueError
        If `alpha`, `method` or `rng` is invalid, or if `method` is "maxt" and there are more than
        20 million pairs.

    Warns
    -----
    ComparisonWarning
        After a race, or an extension of some candidates: others are not compared. Not after a race
        with ``eliminate="inferior"``, at its level or a higher one.

    Notes
    -----
    The set is valid under the assumptions of the corrected t-test. Its members cannot be excluded
    as the best, but they are not necessarily equally good.

    There is no guarantee for all candidates that entered a race, unless it was run with
    ``eliminate="inferior"``. By default a race drops the candidates that cannot win on these
    splits, which says nothing about new data. In simulations with equal
    candidates, a given true best was not in the set in 55 to 86 % of races among 5 to 50 candidates
    over 30 splits, and in 2 to 4 % of full searches.

    References
    ----------
    Hsu, J. C. (1981). Simultaneous confidence intervals for all distances from the "best".
    Annals of Statistics 9, 1026–1034. https://doi.org/10.1214/aos/1176345582
    """
    # "maxt" needs all pairs at once; Bonferroni's method needs only those of the leader.
    if check_option("method", method, BEST_METHODS) == "maxt":
        check_n_pairs(self.scores)
    check_rng(rng)
    self.settings.check_has_std_err("possibly_best")
    pvalues = possibly_best_pvalues(self.scores, method=method, rng=rng, test=self.settings.test)
    table = ranked_with(self, p_val=pvalues)
    level = self.settings.alpha if alpha is None else check_probability("alpha", alpha)
    members = table[table["p_val"] >= level]
    # Last, so that a wrong argument raises without a warning before it.
    warn_of_survivors(
        self.n_entered, len(table), "The possibly-best set", self.dropped_pvalue, level
    )
    return members


def model_confidence_set(self: Compared, *, rng: Any = 0) -> pd.DataFrame:
    """p-value of each candidate in the model confidence set of Hansen, Lunde and Nason.

    The set of candidates with a p-value of at least alpha contains all best candidates with
    probability at least 1 − alpha. It is usually larger than `possibly_best`, which contains any
    given best candidate with this probability. After most races both cover
    only the survivors: see `possibly_best`.

    Parameters
    ----------
    rng : None, int or numpy.random.Generator, default=0
        Source of the 20,000 draws.

    Returns
    -------
    DataFrame
        All candidates in rank order, indexed by candidate, with the columns ``label``,
        ``mean``, ``behind``, ``p_val``, and ``in_set`` at the comparison's alpha.

    Raises
    ------
    ValueError
        If there are more than 20 million pairs, or `rng` is not a valid source of draws.

    Warns
    -----
    ComparisonWarning
        After a race, or an extension of some candidates: others are not compared. Not after a race
        with ``eliminate="inferior"``, at its level or a higher one.

    Notes
    -----
    The statistic is the range statistic T_R with the corrected variance. Its null distribution is
    the joint distribution of all t statistics, with a standard deviation for each pair. It is not a
    bootstrap of the splits, because these are not independent. The covariance of the candidates is
    shrunk towards independence, because few splits estimate it poorly. The cost grows with the
    square of the number of candidates: about 10 seconds at 500, up to a minute at 1,000.

    References
    ----------
    Hansen, P. R., Lunde, A. and Nason, J. M. (2011). The model confidence set. Econometrica
    79, 453–497. https://doi.org/10.3982/ECTA5771
    """
    check_rng(rng)
    check_n_pairs(self.scores)
    self.settings.check_has_std_err("model_confidence_set")
    # The null distribution covers every pair: the method has no form for the leader alone.
    pvalues = model_confidence_set_pvalues(self.scores, rng=rng, test=self.settings.test)
    table = ranked_with(self, p_val=pvalues)
    alpha = self.settings.alpha
    warn_of_survivors(
        self.n_entered, len(table), "The model confidence set", self.dropped_pvalue, alpha
    )
    return table.assign(in_set=table["p_val"] >= alpha)


def probability_best(self: Compared, n_draws: int = N_DRAWS, rng: Any = None) -> pd.DataFrame:
    """Probability that each candidate has the highest mean, and that it is within the ROPE of it.

    Parameters
    ----------
    n_draws : int, default=20,000
        Draws from the joint posterior of all means; the standard error of a probability is at
        most 0.5/√n_draws.
    rng : None, int or numpy.random.Generator, optional
        Source of the draws. Default: fresh entropy, so that two calls differ by a little.

    Returns
    -------
    DataFrame
        All candidates in rank order, indexed by candidate, with the columns ``label``,
        ``mean``, ``best_prob`` (they sum to 1; candidates that are always tied share theirs)
        and ``within_rope_prob`` (the highest mean exceeds its own by no more than the ROPE's
        upper end).

    Raises
    ------
    ValueError
        If `n_draws` is not a whole number ≥ 1, or `rng` is not a valid source of draws.

    Notes
    -----
    The joint posterior is multivariate t with J − 1 degrees of freedom; its pairwise
    differences are those of `posterior`. Candidates with the same score on every split are tied in
    each draw, although `posterior` allows a difference between them.
    """
    check_rng(rng)
    check_count("n_draws", n_draws, limit=_MOST_DRAWS)
    settings = self.settings
    settings.check_has_std_err("probability_best")  # 5×2cv tests have no posterior
    found = best_probabilities(
        self.scores,
        most_behind=settings.rope[1],  # the best minus a candidate is never negative
        n_draws=n_draws,
        rng=rng,
        test=settings.test,
    )
    table = ranked_with(self, best_prob=found.best, within_rope_prob=found.within_rope)
    return table.drop(columns="behind")


def optimism(self: Compared, method: str = "fold_bootstrap", rng: Any = None) -> OptimismResult:
    """How much of the leader's mean is luck: it was chosen for being the highest.

    This is an approximate correction from the split scores alone. The corrected mean is still too
    high, by up to about 0.07, if all candidates are near chance, so a value slightly above chance
    is no evidence of a signal. It is too low if one candidate is clearly better. To publish a
    score, use `nested_score` or an untouched test set.

    Parameters
    ----------
    method : {"fold_bootstrap", "cross_selection", "tibshirani"}, default="fold_bootstrap"
        "fold_bootstrap" draws the folds of each repeat with replacement (100 resamples in all, at
        least 20 a repeat), takes the candidate with the best mean on the folds drawn and scores it
        on the others; of the three methods, it has the smallest error. "cross_selection" takes, for
        each split, the candidate that is best on the other splits of the same repeat and scores it
        on that split; it draws nothing. "tibshirani" subtracts the mean over the splits of the best
        score there minus the leader's (Tibshirani and Tibshirani, 2009); it corrects too much, and
        is there for comparison.
    rng : None, int or numpy.random.Generator, optional
        Source of the resamples. Default: fresh entropy, so that two calls differ by a little.

    Returns
    -------
    OptimismResult
        With ``mean`` (the leader's), ``optimism``, ``corrected_mean``, ``std_err``, ``method``, in
        score units, and ``confidence_interval(confidence_level)``. ``search.best_score_`` stays
        scikit-learn's. The interval is of the leader's expected score and allows for its choice:
        see `OptimismResult.confidence_interval`.

    Raises
    ------
    ValueError
        If `rng` is not a valid source of draws, or `method` is unknown. If the splits do not form
        repeats (runs of splits whose test sets partition the data) and `method` is not
        "tibshirani": for shuffle splits, and for plain scores of which only the sizes are known.

    Warns
    -----
    ComparisonWarning
        If "tibshirani" is used and the repeats are not known. After a race, because the estimate
        leaves out the candidates that were dropped.

    References
    ----------
    Tibshirani, R. J. and Tibshirani, R. (2009). A bias correction for the minimum error rate
    in cross-validation. Annals of Applied Statistics 3, 822–829.
    https://doi.org/10.1214/08-AOAS224

    Tsamardinos, I., Greasidou, E. and Borboudakis, G. (2018). Bootstrapping the out-of-sample
    predictions for efficient and accurate cross-validation. Machine Learning 107, 1895–1922.
    https://doi.org/10.1007/s10994-018-5714-4
    """
    check_rng(rng)  # before the work; "tibshirani" would not look at it
    found = selection_optimism(self.scores, method=method, rng=rng)
    # The two others score the choice of some folds on the other folds of the same repeat.
    if not folds_by_repeat(self.scores):
        warnings.warn(
            "The splits form no repeats, so only 'tibshirani' can correct for the choice of "
            "the leader, and it usually corrects too much.",
            ComparisonWarning,
            stacklevel=outside_level(),
        )
    # The optimism grows with the number of candidates to choose from.
    if self.n_entered is not None and self.n_entered > self.scores.n_candidates:
        warnings.warn(
            f"The leader was chosen from {self.n_entered:,} candidates, of which "
            f"{self.scores.n_candidates:,} are compared here: the others are left out of this "
            "estimate, and more of the leader's mean may be luck than it says.",
            ComparisonWarning,
            stacklevel=outside_level(),
        )
    return found


def ranked_with(comparison: Compared, **columns: NDArray[np.float64]) -> pd.DataFrame:
    """Candidates in rank order with their means, and columns given in the order of candidates."""
    # Labels and indices of the names are of cv_results_, rows of scores only of those compared.
    order, names = comparison.scores.order, comparison._candidate_names
    means = comparison.scores.means[order]
    return pd.DataFrame(
        {
            "label": [names.label(i) for i in order],
            "mean": means,
            "behind": means[0] - means,
            **{name: values[order] for name, values in columns.items()},
        },
        index=pd.Index(names.indices_of(order), name="candidate"),
    )


def leader_index(self: Compared) -> int | None:
    """Index of the candidate with the best mean (the first of ties); None if all failed."""
    if not self.scores.n_available:
        return None
    return int(self._candidate_names.indices_of(self.scores.order[:1])[0])


def leader(self: Compared) -> str | None:
    """Label of the candidate with the best mean (the first of ties); None if all failed."""
    return self._candidate_names.label(self.scores.order[0]) if self.scores.n_available else None
