"""Levels and power if a second repeat of three candidates measures the instability.

The cells are benchmarks/probes.py's. A rate fails if it is above its bound by two standard errors.
"""

import pytest

from benchmarks import probes
from sklearn_stats_compare.stats import SampleScores
from sklearn_stats_compare.stats._sample_scores import MeasuredInstability

USED = "best 3, used"
LEVELS = [name for name in probes.CELLS if "power" not in name and "AUC" not in name]


# As the docs list it; no less without probes. A few large targets decide the means of squared
# errors, so that fewer data sets do not make the two kinds equal.
LISTED = {"ridge and 1-NN, heavy tails, n = 100": 0.14}


def assert_kept(found, rule=USED, most=0.06):
    for what in ("pair", "set"):
        row = found.loc[(what, rule)]
        # 6 % at a nominal 5 %, as everywhere in the study.
        assert row["rate"] - 2 * row["se"] < most, what


def test_equal_models_are_rejected_at_most_at_the_nominal_rate():
    assert_kept(probes.rates(probes.CELLS["logistic, accuracy, n = 100"], 0.03))


def test_the_study_uses_the_ratio_of_the_package():
    values, _ = probes.CELLS["logistic and 1-NN, n = 100"].draw(0)
    for rows in (slice(0, 3), slice(7, 10), slice(3, 7)):
        own = MeasuredInstability.of(SampleScores(values[rows], 5))
        # The study divides the squares by n, where the package divides by n − 1.
        assert own.ratio == pytest.approx(probes.used(*probes.pooled(values[rows])), rel=0.011)
        assert own.pooled == pytest.approx(probes.of_pool(*probes.pooled(values[rows])) * 0.99)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEVELS)
def test_levels_are_kept(name, show):
    found = probes.rates(probes.CELLS[name], 1 if name in LISTED else 0.5)
    show(found.loc[[("pair", USED), ("set", USED)]].to_string())
    most = LISTED.get(name, 0.06)
    assert_kept(found, most=most)
    if " and " in name:
        assert_kept(found, "first 3, used", most)  # probes of the stable kind only


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cell", "least"),
    [("logistic, accuracy", 0.45), ("logistic, log loss", 0.65), ("trees, accuracy", 0.68)],
)
def test_fifteen_fits_have_the_power_of_a_second_repeat(cell, least, show):
    found = probes.rates(probes.CELLS[f"power, {cell}, n = 300"], 0.3)
    show(found.loc["power"].to_string())
    row = found.loc[("power", USED)]
    assert row["rate"] + 2 * row["se"] > least
    if "logistic" in cell:  # trees are unstable, which one repeat cannot show of each pair
        assert row["rate"] > found.loc[("power", "5×2"), "rate"] - 3 * row["se"]
