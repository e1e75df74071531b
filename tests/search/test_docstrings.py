"""The searches describe their parameters and attributes once, and in full."""

import inspect
import re
import subprocess
import sys

import numpy as np
import pytest

import sklearn_stats_compare as ssc

SEARCHES = [
    ssc.StatisticalGridSearchCV,
    ssc.StatisticalRandomizedSearchCV,
    ssc.RacingGridSearchCV,
    ssc.RacingRandomizedSearchCV,
]


def parameters(search):
    """Each parameter of the docstring with its type line and description."""
    section = re.split(r"\n(?:Parameters|Attributes)\n-+\n", search.__doc__)[1]
    described = re.finditer(r"^(\w+) : .*\n(?: {4}.*\n?)+", section, flags=re.MULTILINE)
    return {block[1]: block[0].rstrip() for block in described}


@pytest.mark.parametrize("search", SEARCHES)
def test_every_parameter_is_described_with_its_default_in_the_order_of_the_signature(search):
    described, signature = parameters(search), inspect.signature(search).parameters
    assert list(described) == list(signature)
    assert "%(" not in search.__doc__
    for name, parameter in signature.items():
        if parameter.default is not inspect.Parameter.empty:
            default = described[name].splitlines()[0].split("default=")[1]
            value = eval(default, {"np": np})
            assert repr(value) == repr(parameter.default), name


@pytest.mark.parametrize(("grid", "randomized"), [SEARCHES[:2], SEARCHES[2:4]])
def test_a_grid_search_and_its_randomized_one_agree(grid, randomized):
    of_grid, of_randomized = parameters(grid), parameters(randomized)
    for name in of_grid.keys() & of_randomized.keys():
        assert of_grid[name] == of_randomized[name]


@pytest.mark.slow  # it compiles all packages anew
def test_the_searches_import_without_docstrings():
    subprocess.run(
        [sys.executable, "-OO", "-c", "import sklearn_stats_compare"], check=True, timeout=120
    )
