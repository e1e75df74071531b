"""What import-linter cannot see: names inside scikit-learn."""

import ast
from pathlib import Path

import pytest

import sklearn_stats_compare

PACKAGE = Path(sklearn_stats_compare.__file__).parent


def private_imports(path):
    """Names beginning with an underscore that a file imports from scikit-learn."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sklearn":
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names if a.name.split(".")[0] == "sklearn"]
        else:
            continue
        yield from (name for name in names if "._" in name)


@pytest.mark.parametrize("folder", ["search", "evaluation", "predictions"])
def test_one_module_of_a_folder_imports_private_parts_of_scikit_learn(folder):
    found = {path.name: list(private_imports(path)) for path in (PACKAGE / folder).rglob("*.py")}
    assert {name for name, imported in found.items() if imported} == {"_sklearn_private.py"}


def test_the_other_folders_import_none():
    others = ("_messages", "stats", "comparison", "displays", "reports")
    assert not any(
        list(private_imports(path)) for folder in others for path in (PACKAGE / folder).glob("*.py")
    )
