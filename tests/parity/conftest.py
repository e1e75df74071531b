"""The peer of two files."""

import warnings

import pytest


@pytest.fixture(scope="session")
def baycomp():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # baycomp's own, about old matplotlib calls
        return pytest.importorskip("baycomp")
