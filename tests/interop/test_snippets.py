"""Each script of docs/howto/results runs if the packages that it imports are installed."""

import ast
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "howto" / "results"
SCRIPTS = sorted(FOLDER.glob("*.py"))


def imported(path):
    """Top-level packages that a script imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)


# Other packages warn of their own plans and dependencies.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_script_runs_to_its_last_assertion(path, tmp_path, monkeypatch):
    # A module that is there already may be a lazy one, which has no spec.
    missing = [name for name in imported(path) if not (name in sys.modules or find_spec(name))]
    if missing:
        pytest.skip(f"{missing[0]} is not installed")
    monkeypatch.chdir(tmp_path)  # what a script writes
    if "mlflow" in imported(path):
        import mlflow

        mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.sqlite")
    assert "assert " in path.read_text(encoding="utf-8").rstrip().rpartition("\n\n")[2]
    try:
        runpy.run_path(str(path), run_name="__main__")
    finally:
        if "mlflow" in imported(path):  # it would log the fits of the next scripts
            mlflow.sklearn.autolog(disable=True)


def test_every_script_is_on_the_page():
    page = (FOLDER.parents[1] / "coming_from.rst").read_text(encoding="utf-8")
    assert SCRIPTS
    for path in SCRIPTS:
        assert f".. literalinclude:: howto/results/{path.name}" in page
