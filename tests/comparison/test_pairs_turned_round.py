"""A pair that is turned round turns its ROPE too."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

from sklearn_stats_compare import compare, compare_datasets, compare_predictions

pytestmark = pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")

ROPE = (-0.01, 0.03)


@pytest.mark.parametrize("p_adjust", ["bonferroni", "holm", "hochberg", "bh", "by", "maxt"])
def test_subgroups_in_which_the_leader_is_behind(p_adjust):
    rng = np.random.default_rng(0)
    y = rng.normal(size=4000)
    group = np.where(np.arange(4000) % 4 == 0, "small", "large")
    leader = y + 0.10 * rng.choice([-1, 1], 4000)
    # Worse by 0.06 in "large" and better by 0.02 in "small".
    rival = leader + np.sign(leader - y) * np.where(group == "large", 0.06, -0.02)
    rival += 0.002 * rng.normal(size=4000)
    found = compare_predictions(
        y,
        {"leader": leader, "rival": rival},
        metric="neg_mean_absolute_error",
        folds=KFold(5),
        rope=ROPE,
        p_adjust=p_adjust,
    )
    row = found.by(group).table.query("group == 'small'").iloc[0]
    difference = np.abs(rival - y) - np.abs(leader - y)
    assert row["mean_diff"] == pytest.approx(difference[group == "small"].mean(), abs=1e-6)
    # −0.02 is outside −0.01 to 0.03, and would be inside −0.03 to 0.01.
    assert row["verdict"] == "worse"


def test_wins_and_losses_are_the_verdicts_on_each_data_set():
    rng = np.random.default_rng(0)
    results = {}
    for k in range(12):
        fold, lead = 0.02 * rng.normal(size=10), 0.05 if k < 8 else -0.02
        results[f"set {k}"] = compare(
            {
                "a": 0.8 + lead + fold + 0.001 * rng.normal(size=10),
                "b": 0.8 + fold + 0.001 * rng.normal(size=10),
            },
            test_train_ratio=1 / 9,
        )
    found = compare_datasets(results, rope=ROPE)
    row = found.win_tie_loss().iloc[0]
    assert (row["better"], row["worse"], row["equivalent"]) == (8, 4, 0)
    assert found.on_each("a", "b")["verdict"].astype(str).tolist() == ["better"] * 8 + ["worse"] * 4


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_one_bound_of_a_rope_may_be_infinite_over_data_sets(test):
    rng = np.random.default_rng(0)
    first = rng.uniform(0.7, 0.9, 20)
    table = np.stack([first + 0.002 * rng.normal(size=20), first, first - 0.2])
    results = {f"set {k}": dict(zip("abc", own[:, None] + np.zeros(3), strict=True))
               for k, own in enumerate(table.T)}  # fmt: skip
    for k, own in enumerate(results.values()):  # distinct split scores
        for name in own:
            own[name] = own[name] + 1e-4 * np.arange(3) * (k + 1)
    settings = {"test": test, "test_train_ratio": 1 / 2, "warn": False}
    found = compare_datasets(results, rope=(-np.inf, 0.01), **settings)
    bounded = compare_datasets(results, rope=(-10, 0.01), **settings)
    assert found.frequentist().equals(bounded.frequentist())
    assert "equivalent" in found.frequentist()["verdict"].tolist()
    assert repr(found)
