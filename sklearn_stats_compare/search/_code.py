"""The user's own code: what of it can change a score, part by part, and whose versions count."""

import ast
import contextlib
import dis
import functools
import importlib
import importlib.metadata
import inspect
import linecache
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

Parts = dict[str, tuple[str, str]]
"""A part's name, such as "`Scaler.fit`" or "`T` in `scorer`" → its key, and how it is shown."""

_PACKAGE = __name__.partition(".")[0]
_INSTALLED = {"site-packages", "dist-packages"}
_PARTS: dict[type, tuple[str, ...]] = {
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    functools.cached_property: ("func",),
}
"""Functions that a class keeps in wrappers of Python's own."""
_DEEPEST = 10
"""Parts of parts of values that have no key: a linked list has as many levels as members."""
# Names that every module has.
_OF_A_MODULE = {
    "__annotations__", "__builtins__", "__cached__", "__doc__", "__file__", "__loader__",
    "__name__", "__package__", "__path__", "__spec__",
}  # fmt: skip
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
    if top == _PACKAGE:
        return False
    file = getattr(sys.modules.get(module_name or ""), "__file__", None)
    if file is None:  # of C, or made by hand
        return top not in sys.stdlib_module_names
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
        Of a value; returns its key, and the classes, functions and modules that it holds. It
        raises whatever pickling raises.
    exempt : bool, default=False
        Whether values that the code seems to change in place do not count.

    Attributes
    ----------
    modules : set of str
        Top-level modules that are used.

    Notes
    -----
    Read are: bytecode, signature, defaults and closures of functions; all of these of the methods
    of a class and of its own bases, and the values of its attributes; the functions, classes,
    modules and values that the code names. Comments, docstrings and the names of local variables do
    not count. Of a value that has no key, such as a client with a lock, the class counts and
    whatever of its parts has one.
    """

    def __init__(self, hasher: Any, *, exempt: bool = False) -> None:
        self._hasher = hasher
        self._exempt = exempt
        self._hashed: dict[int, tuple[Any, str, list[Any]]] = {}
        self._parts: dict[str, tuple[str, str, str]] = {}
        self._changed: set[str] = set()  # names of variables, and of attributes after a dot
        self._seen: dict[int, Any] = {}
        self._members: dict[int, Any] = {}  # of values that have no key
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
            if self._exempt and isinstance(thing, FunctionType):
                self._changed |= _changed_by(thing)
            yield from (
                self._read_class(thing) if isinstance(thing, type) else self._read_function(thing)
            )

    def _read_class(self, own: type) -> Iterator[Any]:
        bases = [base.__qualname__ for base in own.__bases__]
        self._add(f"`{own.__qualname__}`", f"code: bases {bases}", "class")
        yield from (*own.__bases__, type(own))
        for name, value in sorted(vars(own).items()):
            inner = [getattr(value, part) for part in _PARTS.get(type(value), ())]
            if isinstance(value, FunctionType | type):
                yield value
            elif inner:
                for function in filter(None, inner):
                    yield from self._read_value(name, own.__qualname__, function)
            elif not name.startswith("__"):  # what Python keeps there changes no score
                yield from self._read_value(name, own.__qualname__, value, f".{name}")

    def _read_function(self, function: FunctionType) -> Iterator[Any]:
        name, code = function.__qualname__, function.__code__
        if is_own(module_of(function)):
            key, _ = self._hasher(_described(code))
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
        for attribute, value in sorted(vars(function).items()):
            yield from self._read_value(attribute, name, value)
        if is_own(module_of(function)):
            names = sorted(set(_names(code)))
            read = {id(function.__globals__)}
            yield from self._read_names(names, function.__globals__, name, read)
            for module in _imported(code, function.__globals__.get("__package__")):
                yield module
                if is_own(module.__name__) and id(vars(module)) not in read:
                    read.add(id(vars(module)))
                    yield from self._read_names(names, vars(module), name, read)

    def _read_names(
        self, names: list[str], module: Mapping[str, Any], by: str, read: set[int]
    ) -> Iterator[Any]:
        """What code names in a module, and in modules that it names; `read` are done already."""
        for name in names:
            if name not in module or name in _OF_A_MODULE:
                continue
            value = module[name]
            if isinstance(value, ModuleType):
                yield value
                if is_own(value.__name__) and id(vars(value)) not in read:
                    read.add(id(vars(value)))
                    yield from self._read_names(names, vars(value), by, read)
            else:
                yield from self._read_value(name, by, value, name)

    def _read_value(
        self, name: str, by: str, value: Any, bare: str = "", depth: int = 0
    ) -> Iterator[Any]:
        """Add a value under the name by which code may change it, if it may."""
        if isinstance(value, type | FunctionType | functools._lru_cache_wrapper):
            yield value
            return
        if isinstance(value, ModuleType):  # what is used of it cannot be told from names
            yield value
            if is_own(value.__name__):
                self._add(f"`{value.__name__}`", f"code: {_whole(value, self._hasher)}", "module")
            return
        key, found = self._hash(value)
        if not key:
            key = f"of type {type(value).__qualname__}"
            yield type(value)
            for part, inner in _parts_of(value) if depth < _DEEPEST else ():
                if id(inner) not in self._members:
                    self._members[id(inner)] = inner
                    yield from self._read_value(f"{name}.{part}", by, inner, bare, depth + 1)
        self._add(f"`{name}` in `{by}`", f"value: {key}", _shown(value), bare)
        for thing in found:
            if isinstance(thing, ModuleType):
                yield from self._read_value(name, by, thing)
            else:
                yield thing

    def _hash(self, value: Any) -> tuple[str, list[Any]]:
        """Key of a value, and what it holds; empty where it has none."""
        if id(value) not in self._hashed:
            try:
                self._hashed[id(value)] = (value, *self._hasher(value))
            except Exception:  # whatever a foreign __reduce__ raises
                self._hashed[id(value)] = (value, "", [])
        return self._hashed[id(value)][1:]

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
        (step.opname, _argument(step))
        for step in dis.get_instructions(code)
        if step.opname not in ("NOP", "RESUME")
    ]
    return (
        tuple(steps), code.co_exceptiontable, code.co_varnames[:n_arguments], code.co_argcount,
        code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & _MARKS,
    )  # fmt: skip


def _argument(step: dis.Instruction) -> Any:
    if isinstance(step.argval, CodeType):
        return _described(step.argval)
    # A local variable by its number: another name for it changes nothing.
    return step.arg if "FAST" in step.opname else step.argval


def _whole(module: ModuleType, hasher: Any) -> str:
    """Key of all code of a module, but for its comments; empty where there is no source."""
    try:
        source = inspect.getsource(module)
        return str(hasher(_described(compile(source, "", "exec", dont_inherit=True)))[0])
    except (OSError, TypeError, SyntaxError, ValueError):
        return ""


def _parts_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Parts of a value that has no key as a whole."""
    if isinstance(value, Mapping):
        yield from ((repr(key) if isinstance(key, str | int) else "…", value[key]) for key in value)
    elif isinstance(value, list | tuple | set | frozenset):
        yield from ((str(k), part) for k, part in enumerate(value))
    else:
        yield from sorted(getattr(value, "__dict__", {}).items())


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
            level, names = steps[k - 2].argval, steps[k - 1].argval or ()
            with contextlib.suppress(Exception):  # whatever a module raises, the fit will say
                module = importlib.import_module("." * level + step.argval, package)
                for name in names:
                    if name not in vars(module):  # a module of a package
                        importlib.import_module(f"{module.__name__}.{name}")
                yield module
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _imported(constant, package)


def _changed_by(function: FunctionType) -> set[str]:
    """Variables, and after a dot attributes, that a function assigns to or changes in place."""
    changed: set[str] = set()
    for step in dis.get_instructions(function):
        if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            changed.add(step.argval)
        elif step.opname in ("STORE_ATTR", "DELETE_ATTR"):
            changed.add(f".{step.argval}")
    code = function.__code__
    tree = _trees(code.co_filename).get(code.co_firstlineno)
    for target in filter(None, map(_mutated, ast.walk(tree) if tree else ())):
        if isinstance(target, ast.Attribute):
            changed.add(f".{target.attr}")
            of = target.value
            if not (isinstance(of, ast.Name) and of.id in ("self", "cls")):  # a module's, maybe
                changed.add(target.attr)
        elif isinstance(target, ast.Name) and target.id not in code.co_varnames:
            changed.add(target.id)
    return changed


@functools.lru_cache(maxsize=64)
def _trees(filename: str) -> dict[int, ast.AST]:
    """Functions of a file, by their first lines; empty where there is no source."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError):
        return {}
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
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


def _shown(value: Any) -> str:
    """A value in few words; only Python's own types, as another's repr may do anything."""
    if isinstance(value, bool | int | float | complex | str | bytes | None):
        words = repr(value)
        return words if len(words) <= 60 else f"{words[:60]}…"
    return type(value).__qualname__
