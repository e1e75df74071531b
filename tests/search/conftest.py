"""Fixtures of the tests of searches."""

import pytest
from counted import Counted

from sklearn_stats_compare.search.runs import _spot_checks


@pytest.fixture
def unchecked(monkeypatch):
    """No spot checks, where fits are counted."""
    monkeypatch.setattr(_spot_checks, "SPOT_CHECKS", 0)
    monkeypatch.setattr(_spot_checks, "_SHARE", 0)
    Counted.fits.clear()


@pytest.fixture
def path(tmp_path):
    """Where a ledger may be."""
    return tmp_path / "search.sqlite"
