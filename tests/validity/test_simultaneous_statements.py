"""Coverage of the leader's interval, and of all shortfalls and all ranks at once, on real learners.

Thirty candidates and accuracies of six samples a fold are among the cells.
"""

import time

import pytest

from benchmarks import simultaneous


@pytest.mark.slow
@pytest.mark.parametrize("cell", simultaneous.CELLS)
def test_statements_on_all_candidates_and_on_the_leader_hold(cell, capsys):
    start = time.perf_counter()
    table = simultaneous.rates(cell, 400)
    with capsys.disabled():
        print(f"\n{cell}\n{(100 * table).round(2).to_string()}")
        print(f"{time.perf_counter() - start:.0f} s")
    # A rate contradicts its level of 95 % only if it ± 2 standard errors is below. The standard
    # error is that of a rate of 95 %: a rate of 100 % has none of its own.
    assert (table["rate"] + 2 * (0.05 * 0.95 / 400) ** 0.5 >= 0.95).all()
