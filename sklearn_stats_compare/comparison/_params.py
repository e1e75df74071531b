"""Parameters of the candidates of results that somebody may have saved and read back."""

import ast
import warnings
from collections.abc import Mapping
from typing import Any

from sklearn_stats_compare.comparison._columns import entries, is_absent

_LONGEST_LITERAL = 100_000


def params_of(results: Any, n_candidates: int) -> list[dict[str, Any]] | None:
    """Parameters of the candidates; from a CSV file, as far as their text is a literal.

    Nothing is evaluated: `ast.literal_eval` reads literals such as ``{'C': 1}`` and nothing else.
    """
    if "params" in results:
        params = entries(results["params"], "params", n_candidates)
        if all(isinstance(p, Mapping) for p in params):
            return [_named(p) for p in params]
        read = [_literal(p) for p in params]
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
        {name: values[i] for name, values in columns.items() if not is_absent(values[i])}
        for i in range(n_candidates)
    ]


def _named(params: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in params.items()}


def _literal(text: Any) -> Any:
    """What a literal stands for; None for any other text."""
    if not isinstance(text, str) or len(text) > _LONGEST_LITERAL:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # of odd escapes
            return ast.literal_eval(text)
    # Deeply nested text exhausts the parser, and {[]: 1} has a key that cannot be one.
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
