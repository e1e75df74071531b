"""Fixtures of the tests of reports."""

import pytest

from sklearn_stats_compare.displays import _base


@pytest.fixture
def no_pictures(monkeypatch):
    """Pages whose pictures, which take most of their time, are empty; captions are there."""
    monkeypatch.setattr(_base, "as_svg", lambda draw, words: "")
