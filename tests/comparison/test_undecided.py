"""Undecided: what is open among the possibly best, and what no number of repeats would close."""

import numpy as np
import pytest

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.comparison._planning import Undecided

J = 100
DESIGN = SplitDesign([90] * J, [10] * J, np.arange(J) // 10)
# Mean 0 and standard deviation 1 (ddof=1), exactly.
NOISE = np.tile([1.0, -1.0], J // 2) * np.sqrt((J - 1) / J)


def comparison(*means, **settings):
    """Candidates of which every one but the first is flat, so that s is 1 against the first."""
    values = np.repeat(np.array(means)[:, None], J, axis=1)
    values[0] += NOISE
    settings = {"p_adjust": None, "rope": 0.0, **settings}
    return Comparison(SplitScores(values, DESIGN), warn=False, **settings)


@pytest.mark.parametrize(
    ("difference", "rope", "expected"),
    [
        # s = 1, q = 1/9. Decided now above t(0.975, 99)·√(1/100 + 1/9) = 1.984 · 0.348 = 0.690;
        # in the limit above 1.960 / 3 = 0.653, and two standard errors of 100 splits are 0.2.
        # Above 1.660 · 0.348 = 0.58 the other is not possibly the best, and there is no pair.
        (0.70, 0.0, Undecided(1, 0, 0, 0)),
        (0.68, 0.0, Undecided(1, 0, 0, 0)),
        (0.46, 0.0, Undecided(2, 1, 1, 0)),
        (0.44, 0.0, Undecided(2, 1, 1, 1)),
        (0.00, 0.0, Undecided(2, 1, 1, 1)),
        # At difference 0 the limit is equivalent where rope · 3 > 1.645: 0.548.
        (0.00, 0.54, Undecided(2, 1, 1, 1)),
        (0.00, 0.56, Undecided(2, 1, 1, 0)),
    ],
)
def test_a_pair_is_out_of_reach_if_its_limit_is_undecided(difference, rope, expected):
    assert Undecided.of(comparison(difference, 0.0, rope=rope)) == expected


@pytest.mark.parametrize(
    ("difference", "rope", "out_of_reach"),
    [
        # 0.25 moves to 0.05, and (0.62 − 0.05) · 3 = 1.71 > 1.645; for 0.58 it is 1.59.
        (0.25, 0.62, 0),
        (0.25, 0.58, 1),
        # The middle of this one is 0.3: equivalence is nearer from 0.3 than from 0.
        (0.1, (-0.26, 0.86), 0),
        (0.1, (-0.40, 0.56), 1),
    ],
)
def test_equivalence_may_come_within_reach_by_two_standard_errors(difference, rope, out_of_reach):
    assert Undecided.of(comparison(difference, 0.0, rope=rope)).n_out_of_reach == out_of_reach


@pytest.mark.parametrize("p_adjust", [None, "bonferroni", "sidak", "holm", "by", "maxt"])
def test_only_pairs_of_the_possibly_best_count_and_failures_do_not(p_adjust):
    values = 0.8 + 0.02 * np.random.default_rng(0).standard_normal((5, J))
    values[3] -= 0.5
    values[4, 7] = np.nan
    of_five = Comparison(SplitScores(values, DESIGN), p_adjust=p_adjust, rope=0.0, warn=False)
    found = Undecided.of(of_five)
    assert (found.n_candidates, found.n_pairs, found.n_open) == (3, 3, 3)
    pairs = of_five.frequentist()
    among = pairs["model_1"].isin(["0", "1", "2"]) & pairs["model_2"].isin(["0", "1", "2"])
    assert (pairs["verdict"][among] == "undecided").sum() == 3


def test_a_single_candidate_that_may_be_the_best_leaves_nothing_open():
    assert Undecided.of(comparison(5.0, 0.0, 0.1)) == Undecided(1, 0, 0, 0)


@pytest.mark.parametrize("rope", [(-np.inf, 0.1), (-0.1, np.inf), (-np.inf, np.inf)])
@pytest.mark.parametrize("difference", [0.0, 0.3])
def test_a_one_sided_rope_is_treated_like_a_very_wide_one(rope, difference):
    wide = tuple(np.clip(rope, -1e6, 1e6))
    assert Undecided.of(comparison(difference, 0.0, rope=rope)) == Undecided.of(
        comparison(difference, 0.0, rope=wide)
    )
