"""What import-linter cannot see: names inside scikit-learn."""

import ast
import re
from pathlib import Path

import sklearn_stats_compare

PACKAGE = Path(sklearn_stats_compare.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))


def private_imports(path):
    """Names beginning with an underscore that a file imports from scikit-learn."""
    text = path.read_text()
    imports = re.search(r"(from|import) sklearn\b", text)
    for node in ast.walk(ast.parse(text)) if imports else ():
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sklearn":
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names if a.name.split(".")[0] == "sklearn"]
        else:
            continue
        yield from (name for name in names if "._" in name)


def test_one_module_imports_private_parts_of_scikit_learn():
    found = {path.relative_to(PACKAGE): list(private_imports(path)) for path in FILES}
    assert [str(path) for path, names in found.items() if names] == ["_sklearn_private.py"]
