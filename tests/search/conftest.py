"""Fixtures of the tests of searches."""

import pytest

from sklearn_stats_compare.search import _spot_check


@pytest.fixture
def unchecked(monkeypatch):
    """No spot checks, where fits are counted."""
    monkeypatch.setattr(_spot_check, "SPOT_CHECKS", 0)
    monkeypatch.setattr(_spot_check, "_SHARE", 0)
