"""Identity of a search (data, settings, code, versions), and differences between two.

Equal objects have equal keys in every process.
"""

from __future__ import annotations

import dataclasses
import dis
import functools
import hashlib
import importlib
import importlib.metadata
import platform
import sys
import sysconfig
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy
import sklearn
from joblib.hashing import NumpyHasher
from scipy.sparse import issparse
from sklearn.base import clone

from sklearn_stats_compare._sklearn_private import count_samples, take_rows
from sklearn_stats_compare._utils._validation import printable, warn_user
from sklearn_stats_compare.search.ledger._source import imported, source_of, with_inner

Lines = Mapping[str, Sequence[str]]
"""Name → key and readable text."""

_PYTHON = "Python"

_CONFIG = ("array_api_dispatch", "enable_metadata_routing", "transform_output")
"""Settings of scikit-learn that can change a score."""


@dataclass(frozen=True)
class Identity:
    """What the outcomes of a search belong to, apart from candidates and splits.

    Attributes
    ----------
    data : mapping
        X, y and the other arguments of ``fit``.
    settings : mapping
        Estimator, scoring, and the other settings that change an outcome.
    code : mapping
        The parts of the user's own code that estimator and scoring use.
    versions : mapping of str to str
        Versions of Python, the core dependencies, and the distributions that define estimator,
        scoring, splitter and candidates.
    """

    data: Lines
    settings: Lines
    code: Lines
    versions: Mapping[str, str]


def identity(
    search: Any,
    X: Any,
    y: Any,
    params: Mapping[str, Any],
    candidates: Sequence[Mapping[str, Any]] = (),
) -> Identity:
    """What the outcomes of a search belong to.

    Raises
    ------
    ValueError
        If an object has no key, because it is not picklable.
    """
    config = {name: sklearn.get_config().get(name) for name in _CONFIG}
    listed = [dict(params) for params in candidates]
    data = {
        THE_DATA: (data_key(X, "`X`"), kind_and_size(X)),
        "`y`": (data_key(y, "`y`"), kind_and_size(y)),
        **{f"`{name}`": (data_key(params[name], f"`{name}`"), "array") for name in sorted(params)},
    }
    estimator, scoring = _own_things(search)
    # The keys of candidates and splitter have the user's code, but not the versions of the
    # distributions that their classes come from.
    others = key_and_code((listed, type(search.cv)), "Candidates")
    reader = CodeReader()
    code = reader.parts([*estimator.found, *scoring.found])
    reader.parts(others.found)
    settings = {
        "`estimator`": (estimator.key, _short_repr(search.estimator)),
        "`scoring`": (scoring.key, _short_repr(search.scoring)),
        # As text, because NaN is unequal to itself.
        "`error_score`": (repr(search.error_score),) * 2,
        "`return_train_score`": (repr(search.return_train_score),) * 2,
        "`sklearn.set_config`": (repr(config),) * 2,
    }
    versions = {
        _PYTHON: ".".join(platform.python_version_tuple()[:2]),  # patch releases only fix bugs
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }
    return Identity(data, settings, code, versions | versions_of(reader.modules))


def changed_meanwhile(search: Any, code: Lines) -> set[str]:
    """Names of values in `code` that have changed: counters, caches, random generators."""
    estimator, scoring = _own_things(search)
    try:
        now = CodeReader().parts([*estimator.found, *scoring.found])
    except ValueError:  # code that is used only now, from a file that was edited: no reason to fail
        return set()
    # Only values: code that changes while a search runs was edited, and must count.
    other = {name for name in {*code, *now} if code.get(name) != now.get(name)}
    return {name for name in other if now.get(name, code.get(name, ""))[0].startswith("value:")}


def _own_things(search: Any) -> tuple[Hashed, Hashed]:
    """Keys and code of estimator and scoring."""
    # A clone has no fitted attributes: scikit-learn clones the estimator for every fit too.
    return (
        key_and_code(clone(search.estimator), "`estimator`"),
        key_and_code(search.scoring, "`scoring`"),
    )


def differences(there: Lines, here: Lines) -> str:
    """Describe how two searches differ; empty if they do not."""
    found = []
    nothing = ("", "nothing")
    for name in dict.fromkeys([*here, *there]):
        (other_key, other), (own_key, own) = there.get(name, nothing), here.get(name, nothing)
        if other_key != own_key:
            values = f"{other} there, {own} here" if other != own else f"another {own}"
            found.append(f"{name} ({values})")
    return "; ".join(found)


def differences_of(
    stored: Mapping[str, Any],
    versions: Mapping[str, str],
    state: Collection[str],
    identity: Identity,
) -> tuple[str, str]:
    """Describe how the search of a file differs, and which versions changed; ignore `state`.

    Versions read such as "numpy 2.4.6 → 2.5.0".
    """
    # The syntax tree of the same source changes between minor versions of Python.
    other = versions.get(_PYTHON) != identity.versions.get(_PYTHON)

    def compared(settings: Lines, code: Lines) -> Lines:
        return dict(settings) | {
            name: line
            for name, line in code.items()
            if name not in state and not (other and line[0].startswith("code:"))
        }

    there = compared(stored["settings"], stored["code"])
    here = compared(identity.settings, identity.code)
    upgraded = [
        f"{name} {versions[name]} → {version}"
        for name, version in identity.versions.items()
        if versions.get(name, version) != version
    ]
    return printable(differences(there, here)), printable(", ".join(upgraded))


def check_belongs(name: str, differing: str, upgraded: str, *, strict: bool) -> None:
    """Raise ValueError unless a file, called `name`, belongs to the search that reads it.

    If `strict` is False, other versions give only a warning.
    """
    if upgraded and not strict and not differing:
        warn_user(
            f"The ledger {name} was written with other versions: {upgraded}. Its scores are kept, "
            "because `strict` is False.",
            "other-versions",
            UserWarning,
        )
    elif upgraded or differing:
        hint = (
            "" if differing else " With `Ledger(path, strict=False)` other versions are accepted."
        )
        raise ValueError(
            f"`ledger` must belong to this search; {name} differs in "
            f"{'; '.join(filter(None, [differing, upgraded]))}. Use another file, or delete "
            f"it to start again.{hint}"
        )


def check_same(differing: str) -> None:
    """Raise ValueError if what `extend` was given differs from what ``fit`` was."""
    if differing:
        raise ValueError(
            "`extend` must be called with the same arguments, estimator and scoring as `fit`; they "
            f"differ in {differing}."
        )


def _short_repr(thing: Any) -> str:
    words = " ".join(repr(thing).split())
    return words if len(words) <= 200 else f"{words[:200]}…"


THE_DATA = "the data"
"""What messages call `X`."""

_PACKAGE = __name__.partition(".")[0]

_INSTALLED = {"site-packages", "dist-packages"}  # the second on Debian and Ubuntu


@functools.cache
def is_own(module_name: str | None) -> bool:
    """Whether a module is the user's, and not of an installed distribution or of Python.

    An editable installation lies outside site-packages: its code changes under the same version.
    """
    top = (module_name or "").partition(".")[0]
    if top == "__main__":  # a script or a notebook, which need not have a file
        return True
    if top == _PACKAGE or top.startswith("namedtuple_"):  # the second of a `__new__`
        return False
    file = getattr(sys.modules.get(module_name or ""), "__file__", None)
    # Modules that are built into Python, such as sys, have none; nor has one made by hand.
    if file is None:
        return top not in sys.stdlib_module_names
    # In a virtual environment "platstdlib" lies inside it, and "stdlib" in the base Python.
    stdlib = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    path = Path(file)
    return not (_INSTALLED & set(path.parts) or any(path.is_relative_to(at) for at in stdlib))


def module_of(thing: Any) -> str | None:
    """Name of the module that has the code of a class or a function.

    For a function it is in the globals: ``functools.wraps`` copies another's ``__module__``.
    """
    if isinstance(thing, FunctionType):
        return thing.__globals__.get("__name__")
    return getattr(thing, "__module__", None)


def has_own_code(thing: Any) -> bool:
    """Whether a class or a function is the user's, or a wrapper that may hold one that is."""
    return is_own(module_of(thing)) or (isinstance(thing, FunctionType) and bool(thing.__closure__))


def versions_of(modules: Iterable[str]) -> dict[str, str]:
    """Loaded versions of the distributions of top-level modules."""
    found = {}
    for top in sorted(set(modules) - sys.stdlib_module_names):
        # The module in memory: an upgrade while Python runs changes the metadata alone.
        version = getattr(sys.modules.get(top), "__version__", None)
        if isinstance(version, str):
            found["scikit-learn" if top == "sklearn" else top] = version
        elif names := _distributions().get(top):
            found[names[0]] = importlib.metadata.version(names[0])
    return found


# It reads the metadata of every installed distribution.
_distributions = functools.cache(importlib.metadata.packages_distributions)

_NOT_SETTINGS = ("_sklearn_version", "_skl_callbacks")
"""In the state of an estimator, and no settings of its own."""


class _Hasher(NumpyHasher):
    """`joblib.hash`, but it identifies classes and functions by name, and collects them in `found`.

    A lambda has no name to pickle. `CodeReader` also reads the code of the user's own.
    """

    def __init__(self) -> None:
        # joblib's default; it passes usedforsecurity=False, as FIPS builds of OpenSSL require.
        super().__init__("md5")
        self.found: list[Any] = []
        self.holds_code = False

    def save(self, obj: Any) -> None:
        if isinstance(obj, functools._lru_cache_wrapper):  # pickled by name, without its function
            obj = obj.__wrapped__
        # `joblib.hashing.Hasher.save` takes the name and the object of a method, not its code.
        if isinstance(obj, MethodType):
            self.found.append(obj.__func__)
            self.holds_code |= has_own_code(obj.__func__)
        if isinstance(obj, ModuleType):  # pickle refuses modules
            self.found.append(obj)
            obj = "module", obj.__name__
        if isinstance(obj, FunctionType | type):
            self.found.append(obj)
            if has_own_code(obj):
                self.holds_code = True
                obj = "own", obj.__qualname__
            else:
                obj = module_of(obj), obj.__qualname__
        # joblib does not hash the mask, and cannot hash the constant `np.ma.masked`.
        elif isinstance(obj, np.ma.MaskedArray):
            obj = "masked", np.ma.getdata(obj), np.ma.getmaskarray(obj)
        # The order of a frozenset differs between processes, as hashes of text do. joblib sorts
        # sets alone (`Hasher.save_set`).
        elif isinstance(obj, frozenset):
            obj = "frozenset", set(obj)
        # `BaseEstimator.__getstate__` adds it to scikit-learn's classes. A ledger keeps versions
        # apart, so that `Ledger(path, strict=False)` can accept another one.
        # Callbacks (scikit-learn 1.9) only watch.
        elif type(obj) is dict and any(name in obj for name in _NOT_SETTINGS):
            obj = {name: value for name, value in obj.items() if name not in _NOT_SETTINGS}
        super().save(obj)

    def memoize(self, obj: Any) -> None:
        # The pickle of an object that occurs again is a reference to the first one, so two equal
        # objects would differ from one that is used twice. joblib avoids that for text and bytes.
        if not isinstance(obj, tuple | date | time | timedelta | Decimal):
            super().memoize(obj)


class Hashed(NamedTuple):
    """Key of an object without the code in it.

    Attributes
    ----------
    key : str
        Key of values, and of the names of classes and functions.
    found : list
        The classes, functions and modules in it.
    holds_code : bool
        Whether one of them is the user's, or may contain one that is.
    """

    key: str
    found: list[Any]
    holds_code: bool


def hashed(thing: Any) -> Hashed:
    """Key of anything picklable; lets errors of pickling pass."""
    hasher = _Hasher()
    return Hashed(str(hasher.hash(thing)), hasher.found, hasher.holds_code)


def key_and_code(thing: Any, what: str) -> Hashed:
    """Key of `thing` without the code in it, and its classes and functions.

    Raises
    ------
    ValueError
        If it is neither picklable nor a function; `what` names it.
    """
    try:
        return hashed(thing)
    # The __reduce__ of another library may raise anything.
    except Exception as error:
        raise ValueError(
            f"{what} must be picklable, so that the ledger can recognise it; got "
            f"{type(thing).__name__}: {error}"
        ) from error


def kind_and_size(data: Any) -> str:
    """Kind and size of data."""
    if data is None:
        return "None"
    shape = getattr(data, "shape", None) or (len(data) if hasattr(data, "__len__") else "?",)
    size = " × ".join(f"{n:,}" if isinstance(n, int) else str(n) for n in shape)
    return f"{type(data).__name__} of {size}"


def values_of(data: Any, what: str) -> Any:
    if isinstance(data, pd.DataFrame):
        columns = [
            _column(data.iloc[:, k], f"{what}, column {name!r},")
            for k, name in enumerate(data.columns)
        ]
        return "frame", list(data.columns), _column(data.index, f"{what}, index,"), columns
    if isinstance(data, pd.Series):
        return "series", data.name, _column(data.index, f"{what}, index,"), _column(data, what)
    if isinstance(data, pd.Index):
        return "index", list(data.names), _column(data, what)
    if issparse(data):
        # Without `has_sorted_indices` and `has_canonical_format`, which scipy finds out when they
        # are first used, and then keeps on the matrix.
        parts = ("data", "indices", "indptr", "row", "col", "offsets")
        # These two keep Python objects: a dict, and arrays of lists.
        whole = data if data.format not in ("dok", "lil") else data.tocoo()
        arrays = [values_of(getattr(whole, part), what) for part in parts if hasattr(whole, part)]
        return data.format, data.shape, arrays
    # `joblib.hashing.NumpyHasher` reads the buffer of an array: it would leave out the mask, and
    # count the values under it.
    if isinstance(data, np.ma.MaskedArray):
        return np.ascontiguousarray(data.filled(0)), np.ma.getmaskarray(data)
    # joblib hashes the strides too, so that an array and its copy in another order would differ.
    if isinstance(data, np.ndarray):
        return np.ascontiguousarray(data)
    if isinstance(data, tuple):
        return tuple(values_of(part, what) for part in data)
    if isinstance(data, dict):
        return {name: values_of(value, what) for name, value in data.items()}
    return data


def _column(values: pd.Series | pd.Index, what: str) -> Any:
    """The values of a column, or hashes of them if pandas keeps more than values."""
    if isinstance(values, pd.MultiIndex):
        levels = range(values.nlevels)
        return "levels", [_column(values.get_level_values(level), what) for level in levels]
    if isinstance(values.dtype, np.dtype) and values.dtype != object:
        return np.ascontiguousarray(values.to_numpy())
    # pandas hashes a categorical by its values: unused categories and their order do not count.
    categories = None
    if isinstance(values.dtype, pd.CategoricalDtype):
        categories = _column(values.dtype.categories, what), values.dtype.ordered
    # pandas hashes a column of mixed objects as their text (`_hash_ndarray`): 1 like "1", and an
    # object without a repr by its address in memory.
    is_text = pd.api.types.infer_dtype(values, skipna=False) == "string"
    if values.dtype != object or is_text:
        try:
            hashes = pd.util.hash_pandas_object(values, index=False).to_numpy()
            return str(values.dtype), categories, hashes
        except TypeError:  # an extension type that holds objects
            pass
    return str(values.dtype), categories, key_and_code(list(values), what).key


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

    Raises
    ------
    ValueError
        If the source of the user's own code cannot be read, or is not that of the running code.

    Notes
    -----
    Read are: source, defaults and closures of functions; all of these of the methods of a class and
    of its own bases, and the values of its attributes; the functions, classes, modules and values
    that the code names. Comments, docstrings and formatting do not count. Of a value that has no
    key, such as a client with a lock, the class counts, and the parts that have one.
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
            yield from (
                self._read_class(thing) if isinstance(thing, type) else self._read_function(thing)
            )

    def _read_class(self, own: type) -> Iterator[Any]:
        bases = [base.__qualname__ for base in own.__bases__]
        self._add(f"`{own.__qualname__}`", f"code: bases {bases}", "class")
        yield from (*own.__bases__, type(own))  # a metaclass may change what a method does
        members: Mapping[str, Any] = vars(own)
        if "__dataclass_fields__" in members:
            yield from self._read_dataclass(own)
            members = {name: v for name, v in members.items() if not _is_generated(name, v)}
        # The order in which a class defines its members changes no score.
        for name, value in sorted(members.items()):
            inner = [getattr(value, part) for part in _PARTS.get(type(value), ())]
            if isinstance(value, FunctionType | type):
                if name != "__annotate_func__":  # from Python 3.14 on
                    yield value
            elif inner:
                for function in filter(None, inner):
                    yield from self._read_value(name, own.__qualname__, function)
            # Else __module__, __dict__, __slots__ and the like, which change no score.
            elif not name.startswith("__"):
                yield from self._read_value(name, own.__qualname__, value, f".{name}")

    def _read_dataclass(self, own: type) -> Iterator[Any]:
        """Read the fields and options, of which `dataclass` makes methods without a source."""
        fields: Mapping[str, Any] = vars(own)["__dataclass_fields__"]
        told = [(f.name, f.init, f.repr, f.hash, f.compare, f.kw_only) for f in fields.values()]
        key = f"code: {told}, {vars(own)['__dataclass_params__']}"
        self._add(f"fields of `{own.__qualname__}`", key, "code")
        for name, field in fields.items():
            for value in (field.default, field.default_factory):
                if value is not dataclasses.MISSING:
                    yield from self._read_value(name, own.__qualname__, value)

    def _read_function(self, function: FunctionType) -> Iterator[Any]:
        name, code = function.__qualname__, function.__code__
        if is_own(module_of(function)):
            source = source_of(function)
            self._add(f"`{name}`", f"code: {source.key}", "code")
            if self._exempt:
                self._changed |= source.changed
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
            names = sorted({name for inner in with_inner(code) for name in inner.co_names})
            read = {id(function.__globals__)}  # modules may import each other
            # Other names are of attributes: `y.shape` does not use a global called shape.
            own = {
                each.argval
                for inner in with_inner(code)
                for each in dis.get_instructions(inner)
                if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")
            }
            used = {key: value for key, value in function.__globals__.items() if key in own}
            yield from self._read_names(names, used, name, read)
            for module in imported(source.imports, function.__globals__.get("__package__")):
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
                yield from self._read_names(
                    sorted(vars(value)), vars(value), name, {id(vars(value))}
                )
            return
        # Key of a value, and what it holds; empty where it has none.
        if id(value) not in self._hashed:
            try:
                self._hashed[id(value)] = (value, *hashed(value)[:2])
            except Exception:  # the __reduce__ of another library may raise anything
                self._hashed[id(value)] = (value, "", [])
        key, found = self._hashed[id(value)][1:]
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
    # A counter or cache that fits change must not change a key: nothing would be found again.
    code = CodeReader(exempt=True).parts(own.found) if own.holds_code else {}
    return _with_code(own.key, code)


def _with_code(own: str, code: Parts) -> str:
    if not code:
        return own
    # Not for security: FIPS builds of OpenSSL refuse MD5 without that word.
    both = repr((own, sorted(code.items()))).encode()
    return hashlib.md5(both, usedforsecurity=False).hexdigest()


def data_key(data: Any, what: str) -> str:
    """Key of something that was handed to ``fit``.

    It is of the values and their types: not of how an array lies in memory, nor of how a frame
    keeps its columns.
    """
    return key(values_of(data, what), what)


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
        keys.append(_with_code(own.key, code))
    n_seen: Counter[str] = Counter()
    for place, own_key in enumerate(keys):
        n_seen[own_key] += 1
        if n_seen[own_key] > 1:
            keys[place] = f"{own_key}-{n_seen[own_key]}"
    return keys


def parts_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Parts of a value that has no key itself."""
    if isinstance(value, Mapping):
        yield from ((repr(key) if isinstance(key, str | int) else "…", value[key]) for key in value)
    elif isinstance(value, list | tuple | set | frozenset):
        yield from ((str(k), part) for k, part in enumerate(value))
    else:
        yield from sorted(getattr(value, "__dict__", {}).items())


def _is_generated(name: str, member: Any) -> bool:
    """Whether a member of a dataclass was generated."""
    if not (name.startswith("__") and isinstance(member, FunctionType)):
        return False
    return member.__code__.co_filename == "<string>" or not is_own(module_of(member))


def short_text(value: Any) -> str:
    """A short text for a value; only the type if its repr might do anything."""
    if isinstance(value, bool | int | float | complex | str | bytes | None):
        words = repr(value)
        return words if len(words) <= 60 else f"{words[:60]}…"
    return type(value).__qualname__


_MOST_ROWS = 64

_MOST_VALUES = 100_000


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """Cheap fingerprint of the arguments of ``fit``; the data are neither kept nor hashed.

    Attributes
    ----------
    data : mapping of str to (str, str)
        Key of some rows, and kind and size, of X, y and the other arguments.
    settings : mapping of str to object
        Parameters of the estimator, and those of the search that change a score, at the fit.
    """

    data: Mapping[str, tuple[str, str]]
    settings: Mapping[str, Any]

    @classmethod
    def of(cls, search: Any, X: Any, y: Any, params: Mapping[str, Any]) -> Fingerprint:
        """Return the fingerprint of a search and a few rows of its data."""
        named = {THE_DATA: X, "`y`": y, **{f"`{name}`": params[name] for name in sorted(params)}}
        own = _params(search.estimator)
        nested: dict[str, Any] = {
            name: type(value) for name, value in own.items() if hasattr(value, "get_params")
        }
        # Copies: a user may change these in place after the fit.
        nested |= {name: v.copy() for name, v in own.items() if isinstance(v, dict | list | set)}
        scoring = search.scoring
        return cls(
            {name: (_mark(data), kind_and_size(data)) for name, data in named.items()},
            {
                "`estimator`": (type(search.estimator), own | nested),
                "`scoring`": scoring.copy() if isinstance(scoring, dict | list) else scoring,
                "`error_score`": search.error_score,
                "`return_train_score`": search.return_train_score,
            },
        )

    def differences(self, other: Fingerprint) -> str:
        """Describe how another fingerprint differs; empty if it does not."""
        found = [differences(self.data, other.data)]
        # A number, such as a misspelt option of `extend`, has no rows and so no key.
        found += [
            f"{name} (nothing there, {shown} here)"
            for name, (marked, shown) in other.data.items()
            if name not in self.data and not marked
        ]
        for name, value in self.settings.items():
            if not _alike(value, other.settings[name]):
                found.append(name)
        return "; ".join(filter(None, found))


def _params(estimator: Any) -> dict[str, Any]:
    """Parameters; empty if this is not an estimator, for which scikit-learn raises an error."""
    get_params = getattr(estimator, "get_params", None)
    return {} if get_params is None or isinstance(estimator, type) else get_params(deep=True)


def _mark(data: Any) -> str:
    """Key of up to 64 evenly spaced rows; empty if there is none."""
    try:
        n_samples = count_samples(data)
        width = np.prod(getattr(data, "shape", (1,))[1:], dtype=int)
        n_rows = int(np.clip(_MOST_VALUES // max(1, width), 1, min(_MOST_ROWS, n_samples)))
        # `_safe_indexing` takes rows, which coo and dia matrices do not have.
        data = data.tocsr() if issparse(data) else data
        rows = np.linspace(0, n_samples - 1, n_rows).astype(int)
        return key_and_code(values_of(take_rows(data, rows), ""), "").key
    except Exception:  # no rows, or no key; `fit` itself refuses what it cannot take
        return ""


def _alike(one: Any, other: Any) -> bool:
    """Whether two settings are the same, as far as this can be checked."""
    if one is other:
        return True
    # By their parts, which are the same objects in a copy: code need not be readable for that.
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_alike(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple) and type(one) is type(other):
        return len(one) == len(other) and all(map(_alike, one, other))
    try:
        return key(clone(one, safe=False), "") == key(clone(other, safe=False), "")
    except Exception:  # another object that has no key, such as one with a lock
        return False
