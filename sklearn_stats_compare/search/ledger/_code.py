"""Keys that count the user's own code, and CodeReader: what of that can change a score."""

import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any

from sklearn.base import clone

from sklearn_stats_compare.search.ledger._instructions import (
    changed_by,
    described,
    imported,
    names_in,
    parts_of,
    short_text,
    whole,
)
from sklearn_stats_compare.search.ledger._keys import (
    THE_DATA,
    Hashed,
    has_own_code,
    hashed,
    is_own,
    key_and_code,
    kind_and_size,
    module_of,
    numbered,
    values_of,
)

Parts = dict[str, tuple[str, str]]
"""A part's name, such as "`Scaler.fit`" or "`T` in `scorer`" → its key, and how it is shown."""

_PARTS: dict[type, tuple[str, ...]] = {
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    functools.cached_property: ("func",),
}
"""Functions that a class keeps in wrappers of Python's own."""
_DEEPEST = 10
"""Parts of parts of values that have no key: a linked list has as many levels as members."""
# Python sets these on every module.
_OF_A_MODULE = {
    "__annotations__", "__builtins__", "__cached__", "__doc__", "__file__", "__loader__",
    "__name__", "__package__", "__path__", "__spec__",
}  # fmt: skip


class CodeReader:
    """Reads classes and functions, and what these name, to the edge of the user's own modules.

    Parameters
    ----------
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
    not count. Of a value that has no key, such as a client with a lock, the class counts, and the
    parts that have one.
    """

    def __init__(self, *, exempt: bool = False) -> None:
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
            name: (key, shown)
            for name, (key, shown, bare) in self._parts.items()
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
                self._changed |= changed_by(thing)
            yield from (
                self._read_class(thing) if isinstance(thing, type) else self._read_function(thing)
            )

    def _read_class(self, own: type) -> Iterator[Any]:
        bases = [base.__qualname__ for base in own.__bases__]
        self._add(f"`{own.__qualname__}`", f"code: bases {bases}", "class")
        yield from (*own.__bases__, type(own))  # a metaclass may change what a method does
        # The order in which a class defines its members changes no score.
        for name, value in sorted(vars(own).items()):
            inner = [getattr(value, part) for part in _PARTS.get(type(value), ())]
            if isinstance(value, FunctionType | type):
                yield value
            elif inner:
                for function in filter(None, inner):
                    yield from self._read_value(name, own.__qualname__, function)
            # Else __module__, __dict__, __slots__ and the like, which change no score.
            elif not name.startswith("__"):
                yield from self._read_value(name, own.__qualname__, value, f".{name}")

    def _read_function(self, function: FunctionType) -> Iterator[Any]:
        name, code = function.__qualname__, function.__code__
        if is_own(module_of(function)):
            key = hashed(described(code)).key
            self._add(f"`{name}`", f"code: {key}", "code")
        for variable, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:  # Python raises it for a cell whose variable is not assigned yet
                continue
            yield from self._read_value(variable, name, value, variable)
        arguments = code.co_varnames[: code.co_argcount]
        # These belong to the last of the positional arguments; others are in `__kwdefaults__`.
        defaults = function.__defaults__ or ()
        named = dict(zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True))
        for argument, value in (named | (function.__kwdefaults__ or {})).items():
            yield from self._read_value(argument, name, value)
        for attribute, value in sorted(vars(function).items()):
            yield from self._read_value(attribute, name, value)
        if is_own(module_of(function)):
            names = sorted(set(names_in(code)))
            read = {id(function.__globals__)}  # modules may import each other
            yield from self._read_names(names, function.__globals__, name, read)
            for module in imported(code, function.__globals__.get("__package__")):
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
        # A module as a value, such as a default: names in the code do not tell which parts it uses.
        if isinstance(value, ModuleType):
            yield value
            if is_own(value.__name__):
                self._add(f"`{value.__name__}`", f"code: {whole(value)}", "module")
            return
        key, found = self._hash(value)
        if not key:
            key = f"of type {type(value).__qualname__}"
            yield type(value)
            for part, inner in parts_of(value) if depth < _DEEPEST else ():
                if id(inner) not in self._members:
                    self._members[id(inner)] = inner
                    yield from self._read_value(f"{name}.{part}", by, inner, bare, depth + 1)
        self._add(f"`{name}` in `{by}`", f"value: {key}", short_text(value), bare)
        for thing in found:
            if isinstance(thing, ModuleType):
                yield from self._read_value(name, by, thing)
            else:
                yield thing

    def _hash(self, value: Any) -> tuple[str, list[Any]]:
        """Key of a value, and what it holds; empty where it has none."""
        if id(value) not in self._hashed:
            try:
                self._hashed[id(value)] = (value, *hashed(value)[:2])
            except Exception:  # the __reduce__ of another library may raise anything
                self._hashed[id(value)] = (value, "", [])
        return self._hashed[id(value)][1:]

    def _add(self, name: str, key: str, shown: str, bare: str = "") -> None:
        numbered, n = name, 1
        # All lambdas are called <lambda>, and functions of several modules may share a name.
        while numbered in self._parts:
            n += 1
            numbered = f"{name} ({n})"
        self._parts[numbered] = key, shown, bare


def key(thing: Any, what: str) -> str:
    """Key of `thing`, and of the user's own code that it holds.

    Raises
    ------
    ValueError
        As by `key_and_code`.
    """
    own = key_and_code(thing, what)
    return _whole_key(own) if own.holds_code else own.key


def _whole_key(own: Hashed) -> str:
    # A counter or cache that fits change must not change a key: nothing would be found again.
    return _with_code(own.key, CodeReader(exempt=True).parts(own.found))


def _with_code(own: str, code: Parts) -> str:
    if not code:
        return own
    # Not for security: FIPS builds of OpenSSL refuse MD5 without that word.
    both = repr((own, sorted(code.items()))).encode()
    return hashlib.md5(both, usedforsecurity=False).hexdigest()


def data_lines(named: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Key of each of the things that were handed to ``fit``, and its kind and size."""
    return {
        name: (data_key(data, "`X`" if name == THE_DATA else name), kind_and_size(data))
        for name, data in named.items()
    }


def data_key(data: Any, what: str) -> str:
    """Key of something that was handed to ``fit``.

    It is of the values and their types: not of how an array lies in memory, nor of how a frame
    keeps its columns.
    """
    own = key_and_code(values_of(data, what), what)
    return _whole_key(own) if own.holds_code else own.key


def splitter_key(splitter: Any) -> str:
    """Key of how splits are drawn, without `random_state`."""
    own = getattr(splitter, "__dict__", None)
    if own is None:  # its class has __slots__
        return key(splitter, "`cv`")
    settings = {name: value for name, value in own.items() if name != "random_state"}
    return key((type(splitter), settings), "`cv`")


def candidate_keys(candidates: Sequence[Mapping[str, Any]]) -> list[str]:
    """A key for each candidate; a setting that comes again has its number at the end."""
    # As `_fit_and_score` clones them: an estimator among the values may be fitted already.
    cloned = [
        {name: clone(value, safe=False) for name, value in params.items()} for params in candidates
    ]
    keys = []
    known: dict[tuple[int, ...], Parts] = {}
    # The list keeps alive what the hashes found, so that no id is given to another object.
    for own in [key_and_code(params, "Candidates") for params in cloned]:
        code: Parts = {}
        if own.holds_code:
            things = tuple(map(id, own.found))
            if things not in known:
                known[things] = CodeReader(exempt=True).parts(own.found)
            code = known[things]
        keys.append(_with_code(own.key, code) if code else own.key)
    return numbered(keys)
