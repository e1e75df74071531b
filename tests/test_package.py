"""The package as a whole: its public names, what importing it does, what it stands on."""

import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import sklearn_stats_compare

ROOT = Path(__file__).parents[1]


def test_public_names_are_sorted_and_there():
    assert sklearn_stats_compare.__all__ == sorted(sklearn_stats_compare.__all__)
    for name in sklearn_stats_compare.__all__:
        assert getattr(sklearn_stats_compare, name).__doc__


def test_no_public_name_looks_like_a_test():
    assert not [n for n in sklearn_stats_compare.__all__ if n.lower().startswith("test")]


@pytest.mark.parametrize("module", ["matplotlib", "statsmodels"])
def test_importing_the_package_imports_no_extra(module):
    if find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    code = f"import sys, sklearn_stats_compare; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_core_dependencies_are_four():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {requirement.split(">=")[0] for requirement in project["dependencies"]}
    assert names == {"numpy", "scipy", "pandas", "scikit-learn"}
