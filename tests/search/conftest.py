"""Fixtures of the tests of searches."""

import pytest
from counted import Counted

from sklearn_stats_compare.search.ledger import _saving
from sklearn_stats_compare.stats import _power


@pytest.fixture(autouse=True)
def quick_levels_of_interim_analyses(monkeypatch):
    """Fewer draws; tests/stats/test_detectable.py has the numbers of all of them."""
    monkeypatch.setattr(_power, "_N_DRAWS", 20_000)


@pytest.fixture
def unchecked(monkeypatch):
    """No spot checks, where fits are counted."""
    monkeypatch.setattr(_saving, "SPOT_CHECKS", 0)
    monkeypatch.setattr(_saving, "_SHARE", 0)
    Counted.fits.clear()


@pytest.fixture
def path(tmp_path):
    """Where a ledger may be."""
    return tmp_path / "search.sqlite"
