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


@pytest.mark.parametrize("module", ["matplotlib", "polars", "rich", "distributed", "statsmodels"])
def test_importing_the_package_imports_no_extra(module):
    if find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    everything = "sklearn_stats_compare, sklearn_stats_compare.displays"
    code = (
        "import sys, sklearn.model_selection; before = set(sys.modules);"
        f"import {everything}; sys.exit({module!r} in set(sys.modules) - before)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_importing_the_package_imports_no_other_package_than_scikit_learn_does():
    # What it costs is in benchmarks/import_time.py; here is why it costs little.
    code = (
        "import sys, sklearn.model_selection; before = set(sys.modules);"
        "import sklearn_stats_compare; new = set(sys.modules) - before;"
        "print(*{n.partition('.')[0] for n in new} - {n.partition('.')[0] for n in before})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert set(done.stdout.split()) - sys.stdlib_module_names == {"sklearn_stats_compare"}


def test_core_dependencies_are_four():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {requirement.split(">=")[0] for requirement in project["dependencies"]}
    assert names == {"numpy", "scipy", "pandas", "scikit-learn"}
