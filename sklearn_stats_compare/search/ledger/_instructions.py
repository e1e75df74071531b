"""Names, imports and changed variables of functions, from their bytecode and source."""

import ast
import contextlib
import dis
import functools
import importlib
import inspect
import linecache
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

from sklearn_stats_compare.search.ledger._keys import hashed

# Methods of lists, dicts, sets, deques, arrays and files that change the object itself.
_CHANGING = {
    "add", "append", "appendleft", "clear", "discard", "extend", "fill", "insert", "pop", "popitem",
    "popleft", "put", "remove", "setdefault", "sort", "update", "write",
}  # fmt: skip
# The other flags, such as CO_NESTED, depend on where a function was defined.
_MARKS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE


def described(code: CodeType) -> tuple[Any, ...]:
    """The parts of a function's code that can change what it returns, and its signature."""
    # A docstring is the first constant, and so shifts the numbers of the others in `co_code`.
    n_arguments = code.co_argcount + code.co_kwonlyargcount
    n_arguments += bool(code.co_flags & inspect.CO_VARARGS)
    n_arguments += bool(code.co_flags & inspect.CO_VARKEYWORDS)
    steps = [
        (step.opname, _argument(step))
        for step in dis.get_instructions(code)
        # Both do nothing but mark places for tracing (documentation of `dis`).
        if step.opname not in ("NOP", "RESUME")
    ]
    # From Python 3.11 on a `try` has no instruction: its range is in the table of exceptions.
    # Callers may pass arguments by name; the names of other variables are free.
    return (
        tuple(steps), code.co_exceptiontable, code.co_varnames[:n_arguments], code.co_argcount,
        code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & _MARKS,
    )  # fmt: skip


def _argument(step: dis.Instruction) -> Any:
    if isinstance(step.argval, CodeType):
        return described(step.argval)
    # A local variable by its number: another name for it changes nothing.
    return step.arg if "FAST" in step.opname else step.argval


def whole(module: ModuleType) -> str:
    """Key of all code of a module without its comments; empty if there is no source."""
    try:
        source = inspect.getsource(module)
        # Else `compile` would apply the __future__ imports of this module.
        return hashed(described(compile(source, "", "exec", dont_inherit=True))).key
    except (OSError, TypeError, SyntaxError, ValueError):
        return ""


def parts_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Parts of a value that has no key itself."""
    if isinstance(value, Mapping):
        yield from ((repr(key) if isinstance(key, str | int) else "…", value[key]) for key in value)
    elif isinstance(value, list | tuple | set | frozenset):
        yield from ((str(k), part) for k, part in enumerate(value))
    else:
        yield from sorted(getattr(value, "__dict__", {}).items())


def names_in(code: CodeType) -> Iterator[str]:
    """Names of globals and attributes in a function and its inner functions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def imported(code: CodeType, package: str | None) -> Iterator[ModuleType]:
    """Modules that a function imports when it is called; they are imported now, as they will be."""
    steps = list(dis.get_instructions(code))
    for k, step in enumerate(steps):
        # It takes the level of a relative import and the names after `import` from the stack, where
        # the two instructions before have put them.
        if step.opname == "IMPORT_NAME":
            level, names = steps[k - 2].argval, steps[k - 1].argval or ()
            with contextlib.suppress(Exception):  # the fit imports it again, and raises the same
                module = importlib.import_module("." * level + step.argval, package)
                for name in names:
                    if name not in vars(module):  # `from package import module`
                        importlib.import_module(f"{module.__name__}.{name}")
                yield module
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from imported(constant, package)


def changed_by(function: FunctionType) -> set[str]:
    """Variables, and after a dot attributes, that a function assigns to or changes in place."""
    changed: set[str] = set()
    for step in dis.get_instructions(function):
        if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            changed.add(step.argval)
        elif step.opname in ("STORE_ATTR", "DELETE_ATTR"):
            changed.add(f".{step.argval}")
    code = function.__code__
    # Instructions do not say which variable a method call or an item assignment changes.
    tree = _trees(code.co_filename).get(code.co_firstlineno)
    for target in filter(None, map(_mutated, ast.walk(tree) if tree else ())):
        if isinstance(target, ast.Attribute):
            changed.add(f".{target.attr}")
            of = target.value
            # `settings.cache[k] = v`, where `settings` may be a module and `cache` its variable.
            if not (isinstance(of, ast.Name) and of.id in ("self", "cls")):
                changed.add(target.attr)
        elif isinstance(target, ast.Name) and target.id not in code.co_varnames:
            changed.add(target.id)
    return changed


@functools.lru_cache(maxsize=64)
def _trees(filename: str) -> dict[int, ast.AST]:
    """Functions of a file by their first lines; empty if there is no source."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError):
        return {}
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    # `co_firstlineno` is the line of the first decorator, `lineno` of a node that of its `def`.
    return {
        min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]): node
        for node in ast.walk(tree)
        if isinstance(node, functions)
    }


def _mutated(node: ast.AST) -> ast.expr | None:
    """What a piece of code changes in place: x of ``x[0] = 1``, ``x += 1`` and ``x.append(1)``."""
    target: ast.expr | None = None
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        target = node.value
    elif isinstance(node, ast.AugAssign):
        target = node.target
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        target = node.func.value if node.func.attr in _CHANGING else None
    while isinstance(target, ast.Subscript):
        target = target.value
    return target


def short_text(value: Any) -> str:
    """A short text for a value; only the type if its repr might do anything."""
    if isinstance(value, bool | int | float | complex | str | bytes | None):
        words = repr(value)
        return words if len(words) <= 60 else f"{words[:60]}…"
    return type(value).__qualname__
