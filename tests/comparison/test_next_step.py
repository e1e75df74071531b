"""next_step(): a sentence that a reader can act on, for each thing a comparison can find."""

import numpy as np
import pytest

from sklearn_stats_compare import Comparison, SampleScores, SplitDesign, SplitScores


def of_splits(means, spread=0.02, *, folds=10, repeats=10, seed=0, repeat=True, **options):
    rng = np.random.default_rng(seed)
    n = folds * repeats
    n_test = np.full(n, 100 // folds)
    numbers = np.repeat(np.arange(repeats), folds) if repeat else None
    design = SplitDesign(100 - n_test, n_test, numbers)
    values = np.array(means)[:, None] + spread * rng.standard_normal((len(means), n))
    return Comparison(SplitScores(values, design), warn=False, **options)


def test_a_sole_winner_is_to_be_refitted():
    said = of_splits([0.9, 0.7, 0.6]).next_step()
    assert said == "Decided: refit 0, the only one that may be the best."


def test_equivalent_candidates_leave_the_choice():
    said = of_splits([0.9, 0.9, 0.6], 0.001, rope=0.05).next_step()
    assert said.startswith("Decided: ")
    assert "1 equivalent candidate; take the simplest or the cheapest" in said


def test_few_splits_are_to_be_tested_by_samples():
    said = of_splits([0.90, 0.89], 0.03, folds=5, repeats=1).next_step()
    assert 'search with test="samples", which decides more with the same fits' in said
    assert said.endswith("or take the simpler of the two.")


def test_further_repeats_come_with_their_number():
    # Of one repeat the test of samples takes the refits for as unstable as can be; more show less.
    rng = np.random.default_rng(0)
    n_test = np.full(5, 40)
    design = SplitDesign(200 - n_test, n_test, np.zeros(5, dtype=int))
    found = []
    for difference in np.linspace(0.05, 0.4, 36):
        values = rng.normal(size=(2, 1, 200)) + np.array([difference, 0.0])[:, None, None]
        splits = values.reshape(2, 5, -1).mean(axis=2)
        scores = SplitScores(splits, design, SampleScores(values, 5))
        comparison = Comparison(scores, test="samples", warn=False)
        said = comparison.next_step()
        if "repeats in place of 1" in said:
            needed = int(said.split(": ")[1].split(" repeats")[0])
            seen = abs(float(comparison.leader_table["mean_diff"].iloc[0]))
            plan = comparison.plan(seen, power=0.5)
            assert plan["n_repeats"].iloc[0] == needed
            assert f"extend(n_repeats={needed - 1})" in said
            found.append(needed)
    assert found
    assert max(found) <= 5


def test_where_no_repeats_would_do_more_samples_are_asked_for():
    said = of_splits([0.90, 0.8999, 0.8998], 0.05).next_step()
    assert "more samples would decide" in said
    assert "2 others" not in said
    assert said.startswith("Undecided against")


@pytest.mark.parametrize("means", [[0.9], [0.9, np.nan]])
def test_nothing_is_said_without_a_rival(means):
    assert of_splits(means).next_step() == ""


def test_tests_without_standard_errors_say_nothing():
    n_test = np.full(10, 50)
    rng = np.random.default_rng(0)
    design = SplitDesign(n_test, n_test, np.repeat(np.arange(5), 2), complementary_halves=True)
    scores = SplitScores(0.9 + 0.01 * rng.standard_normal((2, 10)), design)
    assert Comparison(scores, test="5x2cv_t", warn=False).next_step() == ""


def test_it_is_the_last_line_of_the_text():
    comparison = of_splits([0.9, 0.7, 0.6])
    assert repr(comparison).splitlines()[-1] == f"Next: {comparison.next_step()}"


def test_samples_that_are_tested_already_are_not_advised():
    rng = np.random.default_rng(0)
    values = (rng.random((2, 1, 200)) < 0.8).astype(float)
    n_test = np.full(5, 40)
    design = SplitDesign(200 - n_test, n_test, np.zeros(5, dtype=int))
    scores = SplitScores(values.reshape(2, 5, -1).mean(axis=2), design, SampleScores(values, 5))
    said = Comparison(scores, test="samples").next_step()
    assert "samples in place" not in said
    assert 'test="samples"' not in said
