"""The source of the user's own functions: what a definition says, imports and changes."""

from __future__ import annotations
import __future__

import ast
import contextlib
import copy
import functools
import hashlib
import importlib
import linecache
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from sklearn_stats_compare._utils._validation import printable, shown


class Source(NamedTuple):
    """What is read of the definition of a function.

    Attributes
    ----------
    key : str
        Key of the definition without comments, docstrings and formatting.
    imports : list of Import or ImportFrom
        Imports within the function.
    changed : set of str
        Variables, and after a dot attributes, that it assigns to or changes in place.
    """

    key: str
    imports: list[ast.Import | ast.ImportFrom]
    changed: set[str]


_KNOWN: dict[CodeType, Source] = {}
"""What was read before: the user may edit a file while a search runs."""


def source_of(function: FunctionType) -> Source:
    """Read the definition of one of the user's functions.

    Raises
    ------
    ValueError
        If there is no source, or the running code was not compiled from it.
    """
    code = function.__code__
    if code not in _KNOWN:
        node = copy.deepcopy(_definition(code, function))
        changed = {name for inner in ast.walk(node) for name in _changed_by(inner, code)}
        imports = [n for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom)]
        for inner in ast.walk(node):
            if isinstance(inner, _DOCUMENTED) and ast.get_docstring(inner) is not None:
                inner.body = inner.body[1:] or [ast.Pass()]
        # Not for security: FIPS builds of OpenSSL refuse MD5 without that word.
        key = hashlib.md5(ast.dump(node).encode(), usedforsecurity=False).hexdigest()
        _KNOWN[code] = Source(key, imports, changed)
    return _KNOWN[code]


_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _definition(code: CodeType, function: FunctionType) -> Any:
    """The syntax tree of a function, from the source that its code was compiled from."""
    file = code.co_filename
    linecache.checkcache(file)
    text = "".join(linecache.getlines(file, function.__globals__))
    # A notebook compiles a cell with the __future__ imports of the cells before.
    flags = code.co_flags & __future__.annotations.compiler_flag
    try:
        tree, codes = _parsed(text, flags)
    except (SyntaxError, ValueError):
        raise _unreadable(function, text) from None
    begin = code.co_name, code.co_firstlineno
    found: list[Any] = [node for node in ast.walk(tree) if _begins(node) == begin]
    if code not in codes or not found:
        raise _unreadable(function, text)
    # Lambdas may share a line. A change of one changes its code and that of those around it.
    for node in sorted(found, key=lambda node: node.col_offset) if len(found) > 1 else ():
        node.args.posonlyargs.insert(0, ast.copy_location(ast.arg("·"), node))
        is_other = code in _codes(tree, flags)
        del node.args.posonlyargs[0]
        if not is_other:
            return node
    return found[0]


@functools.lru_cache(maxsize=16)
def _parsed(text: str, flags: int) -> tuple[ast.Module, set[CodeType]]:
    tree = ast.parse(text)
    return tree, _codes(tree, flags)


def _codes(tree: ast.Module, flags: int) -> set[CodeType]:
    return set(with_inner(compile(tree, "", "exec", flags, dont_inherit=True)))


def with_inner(code: CodeType) -> Iterator[CodeType]:
    """Code, and that of its inner functions and classes."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from with_inner(constant)


def _begins(node: ast.AST) -> tuple[str, int] | None:
    """Name and first line of a function, as its code has them; None of anything else."""
    if isinstance(node, ast.Lambda):
        return "<lambda>", node.lineno
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name, min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return None


def _unreadable(function: FunctionType, text: str) -> ValueError:
    file = function.__code__.co_filename
    if text and file != "<string>":  # Python 3.13 keeps the text of `python -c` under that name
        why = (
            f"was not compiled from the present text of {shown(file)}. After an edit, import it "
            "again; if something rewrites code at the import, as pytest rewrites `assert`, put it "
            "elsewhere"
        )
    else:
        why = "has none, as code from `exec` or a prompt. Put it into a module or a notebook's cell"
    return ValueError(
        "`ledger` must be able to read the source of your own code, to know when it changes; "
        f"`{printable(function.__qualname__)}` {why}."
    )


def imported(
    imports: Iterable[ast.Import | ast.ImportFrom], package: str | None
) -> Iterator[ModuleType]:
    """Modules that a function imports when it is called; they are imported now, as they will be."""
    for node in imports:
        names = [each.name for each in node.names]
        with contextlib.suppress(Exception):  # the fit imports it again, and raises the same
            if isinstance(node, ast.Import):
                yield from map(importlib.import_module, names)
                continue
            module = importlib.import_module("." * node.level + (node.module or ""), package)
            for name in names:
                if name not in vars(module):  # `from package import module`
                    importlib.import_module(f"{module.__name__}.{name}")
            yield module


# Methods of lists, dicts, sets, deques, arrays and files that change the object itself.
_CHANGING = {
    "add", "append", "appendleft", "clear", "discard", "extend", "fill", "insert", "pop", "popitem",
    "popleft", "put", "remove", "setdefault", "sort", "update", "write",
}  # fmt: skip


def _changed_by(node: ast.AST, code: CodeType) -> Iterator[str]:
    """What a node assigns to or changes in place: x of ``x[0] = 1``, ``x += 1``, ``x.pop()``."""
    target: Any = None
    if isinstance(node, ast.Global):
        yield from node.names
    elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield f".{node.attr}"
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        target = node.value
    elif isinstance(node, ast.AugAssign):
        target = node.target
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        target = node.func.value if node.func.attr in _CHANGING else None
    while isinstance(target, ast.Subscript):
        target = target.value
    if isinstance(target, ast.Attribute):
        yield f".{target.attr}"
        # `settings.cache[k] = v`, where `settings` may be a module and `cache` its variable.
        if not (isinstance(target.value, ast.Name) and target.value.id in ("self", "cls")):
            yield target.attr
    elif isinstance(target, ast.Name) and target.id not in code.co_varnames:
        yield target.id
