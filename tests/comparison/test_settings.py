"""Settings of a comparison as one value, and the test of a pair among them."""

import dataclasses
import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.comparison._planning import Undecided
from sklearn_stats_compare.displays import LeaderDisplay
from sklearn_stats_compare.evaluation import calibrate
from sklearn_stats_compare.reports import report
from sklearn_stats_compare.stats import SampleScores
from sklearn_stats_compare.stats._family import PAIR_TESTS
from sklearn_stats_compare.stats._pair_tests import SplitTTest

HALVES = SplitDesign([50] * 10, [50] * 10, np.arange(10) // 2, complementary_halves=True)
VALUES = np.random.default_rng(0).normal([[0.9], [0.88], [0.7], [0.89]], 0.03, (4, 10))
QUESTIONS = {
    "bayesian": lambda c: c.bayesian(),
    "against": lambda c: c.against(),
    "chunk_size": lambda c: c.frequentist(chunk_size=100_000),
    "posterior": lambda c: c.posterior(0, 1),
    "calibrate": lambda c: calibrate(c, n_simulations=2, rng=0),
    "possibly_best": lambda c: c.possibly_best(),
    "plan": lambda c: c.plan(0.1),
    "extend": Undecided.of,
    "a report": report,
}


# Two samples for each split, with its score as their mean.
PER_SAMPLE = np.repeat(VALUES, 2, axis=1) + np.tile([0.01, -0.01], 10) * np.arange(4)[:, None]
SAMPLES = SampleScores(PER_SAMPLE.reshape(4, 5, 4), 2)


def comparison_of(**options):
    return Comparison(SplitScores(VALUES, HALVES, SAMPLES), **{"warn": False, **options})


@dataclass(frozen=True)
class HalfTheOverlap(SplitTTest):
    name: str = "half_t"
    words: str = "half-corrected t-test"

    def overlap_ratio(self, design):
        return design.overlap_ratio / 2


def test_settings_survive_a_copy():
    comparison = comparison_of(test="uncorrected_t", p_adjust="sidak")
    for copy in (
        pickle.loads(pickle.dumps(comparison)),
        dataclasses.replace(comparison, warn=False),
        comparison.with_settings(labels=list("abcd")),
    ):
        assert copy._settings == comparison._settings
        assert copy.test == PAIR_TESTS["uncorrected_t"]


@pytest.mark.parametrize("name", PAIR_TESTS)
def test_the_comparisons_test_is_that_of_its_table(name):
    own = comparison_of(test=name).frequentist()
    for same in (
        comparison_of().frequentist(test=name),
        comparison_of().with_settings(test=name).frequentist(),
        comparison_of(test=PAIR_TESTS[name]).frequentist(),
    ):
        assert same.equals(own)


@pytest.mark.parametrize("name", ["5x2cv_t", "5x2cv_f"])
def test_a_test_without_a_standard_error_has_verdicts_and_refuses_what_needs_one(name):
    comparison = comparison_of(test=name)
    text = repr(comparison)
    assert PAIR_TESTS[name].words in text
    assert "verdict" in text
    assert "<table" in comparison._repr_html_()
    assert comparison.frequentist(test="corrected_t", p_adjust="maxt").notna().all(axis=None)
    for asked, ask in QUESTIONS.items():
        with pytest.raises(ValueError, match=rf"`test` must be .* for {asked}.*; got '{name}'"):
            ask(comparison)


def test_every_method_uses_the_uncorrected_test():
    corrected, plain = comparison_of(), comparison_of(test="uncorrected_t")
    narrower = np.sqrt(0.1 / 1.1)  # √(1/J) against √(1/J + q), J = 10, q = 1
    pairs = [c.frequentist()["std_err"].to_numpy() for c in (corrected, plain)]
    assert pairs[1] == pytest.approx(narrower * pairs[0])
    means = [c.ranking()["std_err"].to_numpy() for c in (corrected, plain)]
    assert means[1] == pytest.approx(narrower * means[0])
    assert plain.posterior(0, 1).scale == pytest.approx(narrower * corrected.posterior(0, 1).scale)
    assert plain.against()["std_err"].tolist() == pairs[1][:3].tolist()
    streamed = next(plain.frequentist(chunk_size=100_000))
    assert streamed["std_err"].tolist() == pairs[1].tolist()
    detectable = [c.plan()["detectable"].to_numpy() for c in (corrected, plain)]
    assert detectable[1] == pytest.approx(narrower * detectable[0], rel=1e-6)
    assert (plain.plan()["detectable_limit"] == 0).all()
    assert len(plain.possibly_best()) <= len(corrected.possibly_best())
    assert (plain.possibly_best(1e-12)["p_val"] <= corrected.possibly_best(1e-12)["p_val"]).all()
    bayes = {"method": "bayes", "everyone": True, "rng": 0}
    wide, narrow = (c.possibly_best(**bayes)["best_prob"].iloc[0] for c in (corrected, plain))
    assert narrow > wide


def test_every_method_uses_a_custom_test():
    comparison = comparison_of(test=HalfTheOverlap())
    two_sided = comparison.with_settings(alternative="two-sided", p_adjust=None)
    difference = VALUES[0] - VALUES[2]
    std_err = difference.std(ddof=1) * np.sqrt(1 / 10 + 1 / 2)
    own, alone = (
        table.set_index(["model_1", "model_2"]).loc["0", "2"]
        for table in (comparison.frequentist(), two_sided.frequentist())
    )
    assert own["std_err"] == pytest.approx(std_err)
    assert two_sided.posterior(0, 2).scale == pytest.approx(std_err)
    assert alone["p_val"] == pytest.approx(2 * stats.t.sf(difference.mean() / std_err, 9))
    assert "half-corrected t-test" in repr(comparison)
    assert "half-corrected t-test" in report(comparison)
    for question in QUESTIONS.values():
        question(comparison)
    for p_adjust in ("maxt", "holm"):
        assert len(comparison.with_settings(p_adjust=p_adjust).against()) == 3
    LeaderDisplay.from_comparison(comparison)
