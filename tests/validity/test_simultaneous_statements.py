"""Coverage of the leader's interval, and of all shortfalls and all ranks at once, on real learners.

Thirty candidates and accuracies of six samples a fold are among the cells. A band fails only if the
rate ± 2 standard errors lies wholly outside.
"""

import time

import pytest

from benchmarks import simultaneous
from tests.validity.test_error_rates import outside

BANDS = {
    "interval of the leader's score covers": (0.95, 1.0),
    "all shortfalls are within their bounds": (0.95, 1.0),
    "all ranks are within their intervals": (0.95, 1.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("cell", simultaneous.CELLS)
def test_statements_on_all_candidates_and_on_the_leader_hold(cell, capsys):
    start = time.perf_counter()
    table = simultaneous.rates(cell, 400)
    with capsys.disabled():
        print(f"\n{cell}\n{(100 * table).round(2).to_string()}")
        print(f"{time.perf_counter() - start:.0f} s")
    assert not outside(table, BANDS)
