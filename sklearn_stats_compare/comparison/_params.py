"""Parameters of candidates, from results that may have been saved and read back."""

import ast
import re
import warnings
from collections.abc import Mapping
from typing import Any

from sklearn_stats_compare.comparison._columns import entries, is_absent

LONGEST_LITERAL = 100_000
# NumPy 2 writes its scalars in a dict as np.float64(0.1), and NumPy 1 as 0.1.
_NUMPY = ("np", "numpy")
_SCALAR = re.compile(r"(float|int|uint|complex)\d+|longdouble|bool_?|str_|bytes_")
_CONSTANTS = {"nan": float("nan"), "inf": float("inf"), "True_": True, "False_": False}
# The name in the representation of a function or class. The address in it changes between runs.
_NAMED = re.compile(r"<(?:function|built-in function|class) '?([^\s']+?)'?(?: .*)?>", re.DOTALL)


def params_of(results: Any, n_candidates: int) -> list[dict[str, Any]] | None:
    """Parameters of the candidates; from a CSV file, those that are literals.

    Nothing is evaluated: `ast.literal_eval` reads literals such as ``{'C': 1}`` and nothing else.
    """
    if "params" in results:
        params = entries(results["params"], "params", n_candidates)
        if all(isinstance(p, Mapping) for p in params):
            return [_named(p) for p in params]
        read = [params_from_text(p) for p in params]
        if all(isinstance(p, dict) for p in read):
            return [_named(p) for p in read]
    columns = {
        str(key).removeprefix("param_"): entries(results[key], str(key)[:100], n_candidates)
        for key in results
        if str(key).startswith("param_")
    }
    if not columns:
        return None
    return [
        {
            name: cell_value(values[i])
            for name, values in columns.items()
            if not is_absent(values[i])
        }
        for i in range(n_candidates)
    ]


def params_from_text(text: Any) -> Any:
    """The mapping that a text represents; None for any other text.

    A value that is not a literal, such as an estimator, stays text.
    """
    node = _parsed(text)
    if not isinstance(node, ast.Dict) or None in node.keys:
        return None
    try:
        return {
            ast.literal_eval(key): _value(value, text)
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        }
    except (ValueError, TypeError, MemoryError, RecursionError):  # {[]: 1} has an invalid key
        return None


def _named(params: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in params.items()}


def cell_value(value: Any) -> Any:
    """A cell of a parameter's column, as a number or a constant if its text is one."""
    if not isinstance(value, str):
        return value
    node = _parsed(value)
    if node is None:
        found = _NAMED.fullmatch(value)
        return value if found is None else found[1].rpartition(".")[2]
    read = _value(node, value)
    # pandas writes numbers as Python shows them. Other text, such as 1e5, 007 or 1_000, is the
    # user's.
    return read if repr(read) == value else value


def _parsed(text: Any) -> ast.expr | None:
    """The expression in a text; None if it is not one."""
    if not isinstance(text, str) or len(text) > LONGEST_LITERAL:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # of odd escapes
            return ast.parse(text, mode="eval").body
    # Deeply nested text exhausts the parser, and a null character is an error.
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _value(node: ast.expr, text: str) -> Any:
    """The value of a literal, or its text."""
    try:
        return ast.literal_eval(_WithoutNumPy().visit(node))
    except (ValueError, TypeError, MemoryError, RecursionError):
        source = ast.get_source_segment(text, node) or text
        found = _NAMED.fullmatch(source)
        return " ".join(source.split()) if found is None else found[1].rpartition(".")[2]


class _WithoutNumPy(ast.NodeTransformer):
    """Replace NumPy scalars by their values, and nan and inf by numbers."""

    def visit_Call(self, node: ast.Call) -> ast.AST:  # the name that ast calls
        is_scalar = _of_numpy(node.func) and _SCALAR.fullmatch(node.func.attr)  # type: ignore[attr-defined]
        if is_scalar and len(node.args) == 1 and not node.keywords:
            return self.visit(node.args[0])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        is_known = _of_numpy(node) and node.attr in _CONSTANTS
        return _constant(node, node.attr) if is_known else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return _constant(node, node.id) if node.id in ("nan", "inf") else node


def _of_numpy(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in _NUMPY
    )


def _constant(node: ast.expr, name: str) -> ast.Constant:
    return ast.copy_location(ast.Constant(_CONSTANTS[name]), node)
