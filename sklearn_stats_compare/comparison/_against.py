"""against(): one candidate that was named beforehand, tested against every other."""

import dataclasses

import numpy as np
import pandas as pd

from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._pairwise import OWN, OfComparison
from sklearn_stats_compare.comparison._tables import (
    bayesian_table,
    frequentist_table,
    joined_table,
)
from sklearn_stats_compare.stats import MOST_STEPPED_DOWN, Family


def against(
    self: Compared,
    reference: int | str,
    *,
    alternative: str = "two-sided",
    p_adjust: str | OfComparison | None = OWN,
) -> pd.DataFrame:
    """Test one candidate, named before the scores were seen, against every other.

    The family has m − 1 tests, not the m(m − 1)/2 pairs of `frequentist`, so the same difference
    gets a smaller p-value. Use it for a paper that proposes a method or defends a baseline. With
    ``p_adjust="maxt"`` this is Dunnett's comparison, with the dependence and the variances
    estimated from the scores.

    Parameters
    ----------
    reference : int or str
        Index of the candidate (its row in ``cv_results_``), or its label.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Alternative of `p_val` and `p_unadjusted`: "greater" asks whether the reference is better.
        Choose it before the scores are seen, too. Verdicts are two-sided.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, optional
        Correction for the m − 1 tests. Default: the comparison's.

    Returns
    -------
    DataFrame
        A row for each other candidate, best first, with the columns of `leader_table`:
        ``model_1`` is the reference, and the verdict says how it stands against ``model_2``.
        Intervals are simultaneous as in `frequentist`, over the m − 1 differences.

    Raises
    ------
    ValueError
        If there is no such candidate, an option is unknown, the test knows no standard error, or
        "maxt" is requested for more than 200 candidates.

    Warnings
    --------
    Do not choose the reference by its scores: the best of ten equal candidates is called better
    than some other too often. For the best candidate use `leader_table`, which adjusts for all
    pairs.

    References
    ----------
    Dunnett, C. W. (1955). A multiple comparison procedure for comparing several treatments with a
    control. JASA 50, 1096–1121. https://doi.org/10.1080/01621459.1955.10501294

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
    >>> means = np.array([[0.80], [0.83], [0.79], [0.80]])
    >>> scores = means + 0.02 * np.random.default_rng(0).standard_normal((4, 30))
    >>> comparison = Comparison(
    ...     SplitScores(scores, SplitDesign([90] * 30, [10] * 30)),
    ...     labels=["baseline", "new", "old", "tree"],
    ... )
    >>> table = comparison.against("baseline")
    >>> table[["model_1", "model_2", "mean_diff", "p_val", "verdict"]].round(3)
        model_1 model_2  mean_diff  p_val    verdict
    0  baseline     new     -0.038  0.005      worse
    1  baseline    tree     -0.002  1.000  undecided
    2  baseline     old      0.004  1.000  undecided
    """
    row = self._candidate_names.row(reference, "reference")
    settings = dataclasses.replace(
        self.settings,
        alternative=alternative,
        p_adjust=self.settings.p_adjust if isinstance(p_adjust, OfComparison) else p_adjust,
    )
    settings.check_has_std_err("against")
    scores = self.scores
    if settings.adjustment.joint and scores.n_pairs > MOST_STEPPED_DOWN:
        raise ValueError(
            '`p_adjust` "maxt" must have at most 200 candidates here, because it simulates all of '
            f'their pairs; got {scores.n_candidates:,}. Use "holm".'
        )
    others = scores.order[scores.order != row]
    tests = settings.test.against(scores, row, others)
    n_tests = 0 if scores.missing[row] else int(np.count_nonzero(~scores.missing[others]))
    # Nothing is known about a reference that failed, and a family has at least one test.
    family = Family(scores, tests, settings, n_tests=max(n_tests, 1))
    probabilities = tests.rope_probabilities(settings.rope)
    names = self._pair_names
    return joined_table(
        frequentist_table(family, probabilities, names=names),
        bayesian_table(tests, probabilities, names=names, alpha=settings.alpha),
    )
