"""Levels where no other test looks: each cell of benchmarks/hard_cells.py, and its band.

A band fails only if the rate ± 2 standard errors lies wholly outside. Where the docs list a level
as exceeded, the band has the excess, so that a test fails if the docs no longer say what is true.
"""

import pytest

from benchmarks import hard_cells

KEPT, COVERED = (0, 0.05), (0.95, 1)

BANDS = {
    **{name: dict.fromkeys(("corrected_t", "samples"), COVERED) for name in hard_cells.INTERVALS},
    **{name: {"covered": COVERED} for name in hard_cells.SELECTED},
    **{name: dict.fromkeys(("corrected_t", "samples"), KEPT) for name in hard_cells.EQUAL},
    # Above 0.95 in either direction: two one-sided tests at 5 %.
    **{name: {"hierarchical": (0, 0.1), "δ₀ in 95 %": COVERED} for name in hard_cells.DATASETS},
    **{name: {"beyond": KEPT} for name in hard_cells.RACES},
}
for name in BANDS:
    if name.startswith("given"):
        BANDS[name] = {"samples": KEPT}
    elif name.startswith("looks"):
        BANDS[name] = {"until decided": KEPT}
    elif name.startswith("accuracy"):
        BANDS[name] |= {"bates": COVERED}
LISTED = {
    "R², log-normal, n = 100, 5 folds": {"samples": (0.86, 0.93)},
    "average precision, 10 % positives, n = 200": {"samples": (0.86, 0.93)},
    "ROC AUC, 60 samples near chance, 10 candidates, 10 × 10": {"covered": (0.88, 0.95)},
    "ROC AUC, 60 samples, 2 candidates at .87, 10 × 10": {"covered": (0.84, 0.93)},
    "thresholds, 5 × 1": {"corrected_t": (0.15, 0.3)},
    "thresholds, 5 × 2": {"corrected_t": (0.25, 0.4)},
    "thresholds, 10 × 10": {"corrected_t": (0.3, 0.5)},
    "average precision, two positives a fold, 5 × 1": {"samples": (0.05, 0.09)},
    "average precision, two positives a fold, 5 × 2": {"samples": (0.05, 0.09)},
    "areas, 10 of 300 positive, 5 × 1": {"samples": (0.09, 0.17)},
    "areas, 10 of 300 positive, 5 × 2": {"samples": (0.17, 0.27)},
    "perceptrons, n = 1,000": {"samples": (0.06, 0.11)},
    "perceptrons, n = 5,000": {"samples": (0.3, 0.5)},
    "rows twice, 5 × 2": {"corrected_t": (0.06, 0.1), "samples": (0.09, 0.14)},
    "rows three times, 5 × 2": {"corrected_t": (0.1, 0.16), "samples": (0.15, 0.22)},
}
"""Exceeded levels, as the docs list them."""

QUICK = {"thresholds, 5 × 1": 60, "rows twice, 5 × 2": 60, "R², n = 60, 10 folds": 15}


def found_in(name, n_tables, contradicted):
    table = hard_cells.measured(hard_cells.FURTHER[name][0], n_tables)
    found = {row: (float(table["rate"][row]), float(table["se"][row])) for row in table.index}
    return table, contradicted(found, BANDS[name] | LISTED.get(name, {}))


@pytest.mark.parametrize(("name", "n_tables"), QUICK.items())
def test_a_few_tables_do_not_contradict_the_bands(name, n_tables, contradicted):
    assert not found_in(name, n_tables, contradicted)[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", hard_cells.FURTHER)
def test_rates_are_in_their_bands(name, contradicted, show):
    table, beyond = found_in(name, hard_cells.FURTHER[name][1], contradicted)
    show(name, (100 * table).round(1).to_string())
    assert not beyond
