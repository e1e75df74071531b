"""The user's own code: what of it can change a score, part by part, and whose versions count."""

import ast
import contextlib
import dis
import functools
import importlib
import importlib.metadata
import inspect
import sys
import sysconfig
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

Parts = dict[str, tuple[str, str]]
"""A part's name, such as "`Scaler.fit`" or "`T` in `scorer`" → its key, and how it is shown."""

_PACKAGE = __name__.partition(".")[0]
_INSTALLED = {"site-packages", "dist-packages"}
_CHANGING = {
    "add", "append", "appendleft", "clear", "discard", "extend", "fill", "insert", "pop", "popitem",
    "popleft", "put", "remove", "setdefault", "sort", "update", "write",
}  # fmt: skip
_MARKS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE


@functools.cache
def is_own(module_name: str | None) -> bool:
    """Whether a module is the user's: of no installed distribution, nor Python's own.

    An editable installation lies outside site-packages: its code changes under the same version.
    """
    top = (module_name or "").partition(".")[0]
    if top == "__main__":
        return True
    if top in (_PACKAGE, "builtins") or top in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(module_name or ""), "__file__", None)
    if file is None:  # made by hand
        return True
    stdlib = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    path = Path(file)
    return not (_INSTALLED & set(path.parts) or any(path.is_relative_to(at) for at in stdlib))


def module_of(thing: Any) -> str | None:
    """Name of the module where the code of a class or a function is written.

    Of a function its globals tell it: ``functools.wraps`` copies another's ``__module__``.
    """
    if isinstance(thing, FunctionType):
        return thing.__globals__.get("__name__")
    return getattr(thing, "__module__", None)


def has_own_code(thing: Any) -> bool:
    """Whether a class or a function is the user's, or a wrapper that may hold one that is."""
    return is_own(module_of(thing)) or (isinstance(thing, FunctionType) and bool(thing.__closure__))


def version_of(top: str) -> tuple[str, str] | None:
    """Name and version of the distribution that a top-level module comes from, as it is loaded."""
    if top in sys.stdlib_module_names:
        return None
    name = "scikit-learn" if top == "sklearn" else top
    version = getattr(sys.modules.get(top), "__version__", None)
    if isinstance(version, str):
        return name, version
    for found in _distributions().get(top, ()):
        return found, importlib.metadata.version(found)
    return None


@functools.cache
def _distributions() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()


class CodeReader:
    """Reads classes and functions, and what these name, to the edge of the user's own modules.

    Parameters
    ----------
    hasher : callable
        Of a value; returns its key, and the classes and functions that it holds. It raises
        whatever pickling raises.

    Attributes
    ----------
    modules : set of str
        Top-level modules that are used.

    Notes
    -----
    Read are: bytecode, signature, defaults and closures of functions; all of these of the methods
    of a class and of its own bases, and the values of its attributes; the functions, classes,
    modules and values that the code names. Comments, docstrings and the names of local variables do
    not count. A value that the code itself changes, such as a counter or a cache, is no constant
    and does not count either; nor does one that has no key, such as an open file.
    """

    def __init__(self, hasher: Any) -> None:
        self._hash = hasher
        self._parts: dict[str, tuple[str, str, str]] = {}
        self._changed: set[str] = set()  # names of variables, and of attributes after a dot
        self._seen: dict[int, Any] = {}
        self.modules: set[str] = set()

    def parts(self, things: Iterable[Any]) -> Parts:
        """Read things; return all that was read by then."""
        todo = list(things)
        while todo:
            thing = todo.pop(0)
            if id(thing) not in self._seen:
                self._seen[id(thing)] = thing  # keeps it alive, so that its id stays its own
                todo += self._read(thing)
        return {
            name: (key, told)
            for name, (key, told, bare) in self._parts.items()
            if bare not in self._changed
        }

    def _read(self, thing: Any) -> Iterator[Any]:
        """Read one class, function or module; return what is to be read because of it."""
        if isinstance(thing, functools._lru_cache_wrapper):
            yield thing.__wrapped__
            return
        if isinstance(thing, ModuleType):
            self.modules.add(thing.__name__.partition(".")[0])
            return
        if not isinstance(thing, type | FunctionType):
            return
        self.modules.add((module_of(thing) or "").partition(".")[0])
        if has_own_code(thing):
            self._changed |= _changed_by(thing)
            yield from (
                self._read_class(thing) if isinstance(thing, type) else self._read_function(thing)
            )

    def _read_class(self, own: type) -> Iterator[Any]:
        bases = [base.__qualname__ for base in own.__bases__]
        self._add(f"`{own.__qualname__}`", f"code: bases {bases}", "class")
        yield from (*own.__bases__, type(own))
        for name, value in sorted(vars(own).items()):
            inner = [
                getattr(value, part)
                for part in ("__func__", "fget", "fset", "fdel", "func")
                if isinstance(getattr(value, part, None), FunctionType)
            ]
            if isinstance(value, FunctionType | type):
                yield value
            elif inner:
                yield from inner
            elif not name.startswith("__"):  # what Python keeps there changes no score
                yield from self._read_value(name, own.__qualname__, value, f".{name}")

    def _read_function(self, function: FunctionType) -> Iterator[Any]:
        name, code = function.__qualname__, function.__code__
        if is_own(module_of(function)):
            key, _ = self._hash(_described(code))
            self._add(f"`{name}`", f"code: {key}", "code")
        for variable, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:  # not set yet
                continue
            yield from self._read_value(variable, name, value, variable)
        arguments = code.co_varnames[: code.co_argcount]
        defaults = function.__defaults__ or ()
        named = dict(zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True))
        for argument, value in (named | (function.__kwdefaults__ or {})).items():
            yield from self._read_value(argument, name, value)
        if is_own(module_of(function)):
            names = sorted(set(_names(code)))
            yield from self._read_names(names, function.__globals__, name, set())
            for module in _imported(code, function.__globals__.get("__package__")):
                yield module
                if is_own(module.__name__):
                    yield from self._read_names(names, vars(module), name, {id(module)})

    def _read_names(
        self, names: list[str], module: Mapping[str, Any], by: str, inside: set[int]
    ) -> Iterator[Any]:
        """What code names in a module, and in modules that it names."""
        for name in names:
            if name not in module or name.startswith("__"):
                continue
            value = module[name]
            if isinstance(value, ModuleType):
                yield value
                if is_own(value.__name__) and id(value) not in inside:
                    yield from self._read_names(names, vars(value), by, inside | {id(value)})
            else:
                yield from self._read_value(name, by, value, name)

    def _read_value(self, name: str, by: str, value: Any, bare: str = "") -> Iterator[Any]:
        """Add a value under the name by which code may change it, if it may."""
        if isinstance(value, type | FunctionType | functools._lru_cache_wrapper):
            yield value
            return
        try:
            key, found = self._hash(value)
        except Exception:  # whatever a foreign __reduce__ raises; it is known by its type alone
            key, found = f"of type {type(value).__qualname__}", []
        self._add(f"`{name}` in `{by}`", f"value: {key}", _shown(value), bare)
        yield from found

    def _add(self, name: str, key: str, told: str, bare: str = "") -> None:
        numbered, n = name, 1
        while numbered in self._parts:  # lambdas, and functions of one name in several modules
            n += 1
            numbered = f"{name} ({n})"
        self._parts[numbered] = key, told, bare


def _described(code: CodeType) -> tuple[Any, ...]:
    """Of a function's code what can change what it returns, and its signature.

    Instructions rather than ``co_code``: there a docstring moves the numbers of the constants.
    """
    n_arguments = code.co_argcount + code.co_kwonlyargcount
    n_arguments += bool(code.co_flags & inspect.CO_VARARGS)
    n_arguments += bool(code.co_flags & inspect.CO_VARKEYWORDS)
    steps = [
        (step.opname, _described(step.argval) if isinstance(step.argval, CodeType) else step.argval)
        for step in dis.get_instructions(code)
        if step.opname not in ("NOP", "RESUME")
    ]
    return (
        tuple(steps), code.co_exceptiontable, code.co_varnames[:n_arguments], code.co_argcount,
        code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & _MARKS,
    )  # fmt: skip


def _names(code: CodeType) -> Iterator[str]:
    """Names of globals and attributes in a function, and in those inside of it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _imported(code: CodeType, package: str | None) -> Iterator[ModuleType]:
    """Modules that a function imports when it is called; they are imported now, as they will be."""
    steps = list(dis.get_instructions(code))
    for k, step in enumerate(steps):
        if step.opname == "IMPORT_NAME":
            level = steps[k - 2].argval  # then comes what is imported from it
            with contextlib.suppress(Exception):  # whatever a module raises, the fit will say
                yield importlib.import_module("." * level + step.argval, package)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _imported(constant, package)


def _changed_by(thing: Any) -> set[str]:
    """Variables, and after a dot attributes, that a class or a function assigns to or mutates."""
    changed: set[str] = set()
    local: set[str] = set()
    for member in vars(thing).values() if isinstance(thing, type) else [thing]:
        function = getattr(member, "__func__", member)
        if isinstance(function, FunctionType):
            local |= set(function.__code__.co_varnames)
            for step in dis.get_instructions(function):
                if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
                    changed.add(step.argval)
                elif step.opname in ("STORE_ATTR", "DELETE_ATTR"):
                    changed.add(f".{step.argval}")
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
    except (OSError, TypeError, SyntaxError, ValueError):  # no source, or a part of a line
        return changed
    for target in filter(None, map(_mutated, ast.walk(tree))):
        if isinstance(target, ast.Attribute):
            changed.add(f".{target.attr}")
            of = target.value
            if not (isinstance(of, ast.Name) and of.id in ("self", "cls")):  # a module's, maybe
                changed.add(target.attr)
        elif isinstance(target, ast.Name) and target.id not in local:
            changed.add(target.id)
    return changed


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


def _shown(value: Any) -> str:
    """A value in few words; only Python's own types, as another's repr may do anything."""
    if isinstance(value, bool | int | float | complex | str | bytes | None):
        words = repr(value)
        return words if len(words) <= 60 else f"{words[:60]}…"
    return type(value).__qualname__
