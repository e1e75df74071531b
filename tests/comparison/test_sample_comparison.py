"""A comparison with test="samples": every table, set, plan and report reads the same test."""

import warnings
from functools import partial

import numpy as np
import pytest
from scipy import stats

import sklearn_stats_compare as ssc
from sklearn_stats_compare.comparison._parameters import parameter_profile
from sklearn_stats_compare.evaluation import calibrate
from sklearn_stats_compare.reports import report


def scores_of(n=300, n_candidates=4, repeats=1, seed=0, gap=0.06):
    """Accuracies of five folds; candidates right on a sample together, or not."""
    rng = np.random.default_rng(seed)
    easy = rng.normal(size=(1, 1, n)) + 0.5
    level = gap * np.arange(n_candidates)[:, None, None]
    values = (easy + level + 0.3 * rng.normal(size=(n_candidates, repeats, n)) > 0).astype(float)
    n_test = np.full(5 * repeats, n // 5)
    design = ssc.SplitDesign(n - n_test, n_test, np.repeat(np.arange(repeats), 5))
    splits = values.reshape(n_candidates, 5 * repeats, -1).mean(axis=2)
    return ssc.SplitScores(splits, design, ssc.stats.SampleScores(values, 5))


def of(scores, **options):
    return ssc.Comparison(scores, rope=0.02, test="samples", **options)


def test_five_folds_of_many_samples_strain_nothing_and_say_what_was_tested():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = repr(of(scores_of()))
    assert "paired per-sample losses of 5 folds, 300 samples" in text
    assert "only 5 splits" not in text
    assert "paired per-sample losses of 2 × 5 folds, 300 samples" in repr(of(scores_of(repeats=2)))
    with pytest.warns(ssc.ComparisonWarning, match="only 5 splits"):
        ssc.Comparison(scores_of())


def test_few_samples_strain_it():
    with pytest.warns(ssc.ComparisonWarning, match="only 25 samples or groups.*needs about 30"):
        of(scores_of(25))


def test_missing_values_per_sample_raise_with_the_remedy():
    scores = scores_of()
    without = ssc.SplitScores(scores.values, scores.design)
    comparison = ssc.Comparison(without, warn=False)
    made = partial(ssc.Comparison, without)
    for asked in (made, comparison.with_settings, comparison.frequentist):
        with pytest.raises(ValueError, match=r"`test` must not be 'samples'.*with its ledger"):
            asked(test="samples")


@pytest.mark.parametrize("p_adjust", ["bonferroni", "holm", "maxt"])
@pytest.mark.parametrize("repeats", [1, 2])
def test_all_answers_are_of_one_test(p_adjust, repeats):
    comparison = of(scores_of(repeats=repeats), p_adjust=p_adjust, metric="accuracy")
    pairs, leaders = comparison.frequentist(), comparison.against()
    for column in ("mean_diff", "std_err", "t_stat", "p_val", "ci_low", "ci_high"):
        np.testing.assert_array_equal(pairs[column][:3], leaders[column])
    assert (pairs["verdict"][:3] == leaders["verdict"]).all()
    row = pairs.iloc[0]
    assert row["t_stat"] == pytest.approx(row["mean_diff"] / row["std_err"])
    posterior = comparison.posterior(row["model_1"], row["model_2"])
    assert (posterior.df, posterior.scale) == (299, pytest.approx(row["std_err"]))
    ranking = comparison.ranking()
    # Wilson's equation for shares: both ends are t standard errors of a mean there away.
    mean, at_mean = ranking["mean"], ranking["mean"] * (1 - ranking["mean"])
    for end in (ranking["ci_low"], ranking["ci_high"]):
        at_end = ranking["std_err"] * np.sqrt(end * (1 - end) / at_mean)
        np.testing.assert_allclose(np.abs(end - mean), stats.t.isf(0.025, 299) * at_end, rtol=0.02)
    assert comparison.possibly_best()["p_val"].iloc[0] == 1
    probabilities = comparison.possibly_best(method="bayes", everyone=True, rng=0)["best_prob"]
    assert probabilities.sum() == pytest.approx(1)
    assert len(comparison.possibly_best(method="mcs", everyone=True))
    plan, resolution = comparison.plan(0.05), comparison.plan()
    assert (resolution["detectable_limit"] < resolution["detectable"]).all()
    assert (plan["detectable_limit"] == resolution["detectable_limit"]).all()
    report_text = report(comparison, format="markdown")
    assert "299 degrees of freedom" in report_text
    assert "t(299)" in report_text or "undecided" in report_text


@pytest.mark.parametrize("repeats", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_calibrated_by_bootstraps_it_keeps_its_level(repeats):
    comparison = of(scores_of(repeats=repeats, n_candidates=2), p_adjust=None)
    found = calibrate(comparison, n_simulations=200, rng=0)
    equal = found[(found["truth"] == "equal") & (found["dependence"] == "corrected")].iloc[0]
    assert equal["any_false"] == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / 200) ** 0.5)
    naive = found[(found["truth"] == "equal") & (found["dependence"] == "naive")].iloc[0]
    assert naive["any_false"] < equal["any_false"]


def test_another_instability_is_another_test():
    scores = scores_of()
    never = ssc.stats.SampleTTest(instability=0.0)
    stable = ssc.Comparison(scores, test=never).against()["std_err"]
    # s²·(5/4) and s²·(5/4 + 1/2)
    np.testing.assert_allclose(of(scores).against()["std_err"], stable * np.sqrt(1.75 / 1.25))


def test_windows_over_time_raise():
    scores = scores_of()
    design = ssc.SplitDesign(np.arange(60, 360, 60), [60] * 5, expanding=True)
    with pytest.raises(ValueError, match="`test` must be 'corrected_t' for these splits"):
        of(ssc.SplitScores(scores.values, design, scores.samples))


def test_a_profile_averages_the_values_of_samples_too():
    scores = scores_of()
    params = [{"C": c, "d": d} for c in (1, 2) for d in (1, 2)]
    comparison = of(scores, params=params)
    averaged = parameter_profile(comparison, "C", others="averaged").table
    values = scores.samples.values.reshape(2, 2, 300).mean(axis=1)
    # One repeat: s²·(5/4 + 1/2)/n.
    error = np.sqrt(values.var(axis=1, ddof=1) * 1.75 / 300)
    half_width = stats.t.isf(0.025, 299) * error
    # Of shares of samples not above the mean of the limits of those that are averaged.
    of_each = comparison.ranking()["ci_high"].sort_index().to_numpy().reshape(2, 2).mean(axis=1)
    expected = np.maximum(half_width, of_each - averaged["mean"])
    np.testing.assert_allclose(averaged["ci_high"] - averaged["mean"], expected, rtol=1e-9)
