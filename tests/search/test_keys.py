"""Keys: the same for equal things in every process, others for what differs, code included."""

import dataclasses
import functools
import importlib
import linecache
import subprocess
import sys
import textwrap
import threading
import types
import zlib
from datetime import date
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.svm import SVC

from sklearn_stats_compare import StatisticalGridSearchCV
from sklearn_stats_compare.search.ledger._fingerprint import (
    CodeReader,
    candidate_keys,
    data_key,
    differences,
    identity,
    is_own,
    key,
    versions_of,
)
from sklearn_stats_compare.stats._design import split_keys

X = np.arange(24.0).reshape(8, 3)
y = np.arange(8) % 2
FRAME = pd.DataFrame({"a": X[:, 0], "b": list("uvwxuvwx"), "c": X[:, 2]})

MODULE = '''
"""A module of the user's."""
import functools

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

import {helpers}
from {helpers} import shift

T = 0.5
COLUMNS = ["a", "b"]
CALLS = []
CACHE = {{}}


class Base(TransformerMixin, BaseEstimator):
    def fit(self, X, y=None):
        return self


class Scaler(Base):
    """Scales."""

    factor = 2.0
    fits = 0

    def __init__(self, by=1):
        self.by = by

    def transform(self, X):
        type(self).fits += 1
        CALLS.append(len(X))
        # By a factor.
        return shift(X * self.factor * self.by)

    @property
    def name(self):
        return "scaler"

    @staticmethod
    def add(a, b):
        new = a + b
        return new


@functools.lru_cache
def cached(n):
    return n + 1


def lazily(X):
    from own_late import late

    return late(X)


def deep(X):
    return {helpers}.twice(X)


def score(estimator, X, y, *, weight=1.0):
    CACHE[len(X)] = 1
    return float(np.mean(X[:, 0] > T)) * weight + cached(0) * 0 + len(COLUMNS) * 0
'''
LATE = """
LATE = 1


def late(X):
    return X + LATE
"""
HELPERS = """
OFFSET = 1


def shift(X):
    return X + OFFSET


def twice(X):
    def inner(X):
        return X * 2

    return inner(X)
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Imports a module of the user's, and what it imports, from sources that were changed."""
    monkeypatch.syspath_prepend(tmp_path)
    # Sources of one second and one size would share a .pyc, whoever imports them.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(change=lambda module, helpers: (module, helpers)):
        module, helpers = change(MODULE.format(helpers="own_helpers"), HELPERS)
        late = LATE.replace("LATE = 1", "LATE = 2") if "# late" in module else LATE
        sources = {"own_late": late, "own_helpers": helpers, "own_module": module}
        for name, source in sources.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(source))
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module("own_module")

    yield load
    for name in ("own_late", "own_helpers", "own_module"):
        sys.modules.pop(name, None)


def parts(module):
    reader = CodeReader()
    return reader.parts([module.Scaler, module.score, module.deep, module.lazily])


def changed(old, new):
    def change(module, helpers):
        assert old in module + helpers
        return module.replace(old, new), helpers.replace(old, new)

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (changed("X * self.factor", "X / self.factor"), "`Scaler.transform`"),
        (changed("factor = 2.0", "factor = 3.0"), "`factor` in `Scaler` (2.0 there, 3.0 here)"),
        (changed("return self\n", "return None\n"), "`Base.fit`"),
        (changed("class Scaler(Base)", "class Scaler(Base, object)"), "`Scaler`"),
        (changed('return "scaler"', 'return "other"'), "`Scaler.name`"),
        (changed("new = a + b", "new = a - b"), "`Scaler.add`"),
        (changed("T = 0.5", "T = 0.6"), "`T` in `score` (0.5 there, 0.6 here)"),
        (changed('["a", "b"]', '["a", "c"]'), "`COLUMNS` in `score` (another list)"),
        (changed("weight=1.0", "weight=2.0"), "`weight` in `score` (1.0 there, 2.0 here)"),
        (changed("return n + 1", "return n + 2"), "`cached`"),
        (changed("OFFSET = 1", "OFFSET = 2"), "`OFFSET` in `shift` (1 there, 2 here)"),
        (changed("return X + OFFSET", "return X - OFFSET"), "`shift`"),
        (changed("return X * 2", "return X * 3"), "`twice`"),
        (changed("(self, by=1)", "(self, by=2)"), "`by` in `Scaler.__init__`"),
        (changed("return late(X)", "return late(X)  # late"), "`LATE` in `late` (1 there, 2"),
        (changed("return float(", "return 2 * float("), "`score` (another code)"),
    ],
)
def test_what_can_change_a_score_is_named(load, change, expected):
    before = parts(load())
    assert expected in differences(before, parts(load(change)))


@pytest.mark.parametrize(
    "change",
    [
        lambda module, helpers: (module, helpers),
        changed("# By a factor.", "# By another word."),
        changed('"""Scales."""', '"""Scales, and says more."""'),
        changed('"""A module of the user\'s."""', "UNUSED = 3\n"),
        changed("def add(a, b):", "def add(\n        a,\n        b,\n    ):"),
        changed("def twice(X):", 'def twice(X):\n    """Twice."""'),
    ],
)
def test_what_cannot_change_a_score_does_not_count(load, change):
    assert parts(load()) == parts(load(change))


def run_as_a_cell(source, space):
    """Run code as IPython does, with its source in `linecache`."""
    name = f"<cell {zlib.crc32(source.encode())}>"
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    exec(compile(source, name, "exec", dont_inherit=True), space)


def test_signatures_differ():
    def made(source):
        space = {"__name__": "__main__"}
        run_as_a_cell(source, space)
        return key(space["f"], "it")

    signatures = ["a, b", "a, *, b", "a, *b", "a, b, /", "a, **b", "b, a"]
    assert len({made(f"def f({names}): pass") for names in signatures}) == len(signatures)


def test_modules_that_import_each_other_are_read_once(monkeypatch):
    """Each names all, as parts of a package do: in every order that would be 12! ways."""
    modules = {f"ring{k}": types.ModuleType(f"ring{k}") for k in range(12)}
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
        vars(module).update(modules, T=1)
    source = "def f(): return " + " + ".join(f"{name}.T" for name in modules)
    run_as_a_cell(source, vars(modules["ring0"]))
    assert key(modules["ring0"].f, "it")


OWN = {
    "singledispatch": """
        @functools.singledispatch
        def g(x): return 0
        @g.register
        def _(x: int): return {k}
        def f(): return g(3)
    """,
    "partialmethod": """
        class C:
            def impl(self, k): return k
            g = functools.partialmethod(impl, k={k})
        def f(): return C().g()
    """,
    "descriptor": """
        class scaled:
            def __init__(self, func, by): self.func, self.by = func, by
            def __get__(self, obj, cls): return self.by
        class C:
            g = scaled(len, {k})
        def f(): return C().g
    """,
    "cached static method": """
        class C:
            @staticmethod
            @functools.cache
            def g(): return {k}
        def f(): return C.g()
    """,
    "method that scikit-learn wraps for set_output": """
        class Wrapped(TransformerMixin, BaseEstimator):
            def transform(self, X): return X * {k}
        def f(): return Wrapped().transform(1)
    """,
    "client with a lock": """
        class Client:
            def __init__(self): self.lock, self.factor = threading.Lock(), {k}
        CLIENT = Client()
        def f(): return CLIENT.factor
    """,
    "class of a client with a lock": """
        class Client:
            def __init__(self): self.lock = threading.Lock()
            def g(self): return {k}
        CLIENT = Client()
        def f(): return CLIENT.g()
    """,
    "dict with a module": """
        TOOLS = {{"np": np, "k": {k}}}
        def f(): return TOOLS["k"]
    """,
    "dict with a lock": """
        TOOLS = {{"lock": threading.Lock(), "k": {k}}}
        def f(): return TOOLS["k"]
    """,
    "attribute of the same name": """
        class Config:
            scale = {k}
        class Other:
            def __init__(self, scale): self.scale = scale
        def f(): return Config.scale + Other(1).scale
    """,
    "attribute of a function": """
        def g(): return g.k
        g.k = {k}
        def f(): return g()
    """,
    "bound method": """
        class C:
            pass
        def g(self): return {k}
        METHOD = types.MethodType(g, C())
        def f(): return METHOD()
    """,
    "field of a dataclass": """
        @dataclasses.dataclass(slots=True)
        class C:
            a: int = 1
            k: list = dataclasses.field(default_factory=lambda: [{k}])
        def f(): return C().k
    """,
    "option of a dataclass": """
        @dataclasses.dataclass(order={k} == 9)
        class C:
            a: int = 1
        def f(): return C()
    """,
    "field of a named tuple": """
        class C(NamedTuple):
            k: int = {k}
        def f(): return C().k
    """,
    "one of two lambdas in a line": """
        g = (lambda x: x + 1) if {k} == 1 else (lambda x: x + 2)
        def f(): return g(1)
    """,
    "module as a value": """
        module = types.ModuleType("own_by_hand")
        module.k = {k}
        def f(of=module): return of.k
    """,
    "dunder": """
        __T__ = {k}
        def f(): return __T__
    """,
}


@pytest.mark.parametrize("source", OWN.values(), ids=OWN)
def test_code_in_every_shape_counts(source):
    def made(k):
        space = {
            "__name__": "__main__", "functools": functools, "threading": threading, "np": np,
            "types": types, "dataclasses": dataclasses, "NamedTuple": NamedTuple,
            "TransformerMixin": TransformerMixin, "BaseEstimator": BaseEstimator,
        }  # fmt: skip
        run_as_a_cell(textwrap.dedent(source).format(k=k), space)
        return CodeReader().parts([space["f"]])

    assert made(1) == made(1)
    assert made(1) != made(9)


def test_code_without_a_source_is_refused():
    space = {"__name__": "__main__"}
    exec("def f(): return 1", space)
    with pytest.raises(ValueError, match=r"^`ledger` must be .*; `f` has none.* Put it into a mod"):
        key(space["f"], "it")


def test_a_file_that_was_edited_since_its_import_is_refused(load, tmp_path):
    module = load()
    known = parts(module)
    file = tmp_path / "own_module.py"
    file.write_text(file.read_text().replace("return shift(", "return -shift("))
    assert parts(module) == known  # read before: the user may edit while a search runs
    assert parts(load(changed("# By a factor.", "# By another."))) == known
    module = load(changed("return shift(", "return 2 + shift("))
    file.write_text(file.read_text().replace("2 + shift(", "3 + shift("))
    edited = r"^`ledger` must be .*; `Scaler.transform` was not compiled from .*import it again"
    with pytest.raises(ValueError, match=edited):
        parts(module)


def test_values_of_any_depth_have_a_key():
    class Link:
        def __init__(self, to):
            self.to = to

    linked, nested = None, []
    for _ in range(5000):
        linked, nested = Link(linked), [nested]

    def f():
        return linked, nested

    assert key(f, "it") == key(f, "it")


def test_functions_are_known_by_their_code_and_what_they_close_over():
    def cut(k):
        return lambda A: A[:, :k]

    def down(n):  # calls itself
        return down(n - 1) if n else 0

    assert key(cut(1), "it") == key(cut(1), "it") != key(cut(2), "it")
    assert key(lambda x: x + 1, "it") != key(lambda x: x + 2, "it")
    assert key(down, "it") == key(down, "it")
    partials = [functools.partial(accuracy_score, normalize=n) for n in (True, True, False)]
    for metrics in (partials, [lambda a, b, n=n: n for n in (1, 1, 2)]):
        keys = [key(make_scorer(metric), "it") for metric in metrics]
        assert keys[0] == keys[1] != keys[2]


def test_code_of_installed_packages_is_known_by_its_version():
    assert is_own("__main__")
    assert is_own(__name__)
    assert not any(map(is_own, ("sklearn.svm", "numpy", "json", "builtins", "joblib.parallel")))
    assert not is_own("sklearn_stats_compare.search")
    assert versions_of(["json", "sklearn"]).keys() == {"scikit-learn"}
    search = StatisticalGridSearchCV(SVC(), {"C": [1]})
    assert set(identity(search, X, y, {}).versions) == {"Python", "numpy", "scipy", "scikit-learn"}


def test_the_version_of_what_a_candidate_comes_from_counts(load):
    module = load()
    module.__version__ = "1.2"
    search = StatisticalGridSearchCV(SVC(), {"C": [1]})
    found = identity(search, X, y, {}, [{"C": module.Scaler()}]).versions
    assert found["own_module"] == "1.2"


class Plain:
    """Has the default repr, with its address."""

    def __init__(self, value):
        self.value = value


@pytest.mark.parametrize(
    "values",
    [
        [1, "1", 1.0, True, None, float("nan"), np.float64(1.0), "nan", "None", (1,), [1]],
        [Plain(1), Plain(2), Plain(1.0), Plain("1")],
    ],
)
def test_values_of_an_object_column_count_with_their_types(values):
    def of(value):
        return data_key(pd.DataFrame({"a": pd.Series([value, "z"], dtype=object)}), "`X`")

    assert len({of(value) for value in values}) == len(values)
    assert of(Plain(3)) == of(Plain(3))


def same(one, other):
    return data_key(one, "X") == data_key(other, "X")


def test_how_data_lie_in_memory_does_not_matter():
    assert same(X, np.asfortranarray(X))
    assert same(X, np.hstack([X, X])[:, :3])
    grown = FRAME[["a"]].copy()
    for name in ("b", "c"):
        grown[name] = FRAME[name]
    assert same(FRAME, grown)
    before = data_key(grown, "X")
    grown.to_numpy()
    grown["a"].sum()
    assert data_key(grown, "X") == before
    days = [date(2026, 1, 1 + k % 2) for k in range(8)]  # the same objects, and equal ones
    assert same(pd.DataFrame({"a": [days[0], days[1]] * 4}), pd.DataFrame({"a": days}))
    pair = (3, 4)
    assert key([pair, pair], "it") == key([pair, tuple([3, 4])], "it")


LETTERS = FRAME["b"].astype("category")
MASKED = np.ma.masked_array(X, X > 5)


@pytest.mark.parametrize(
    ("data", "other"),
    [
        (X, X + 1e-12),
        (X, X.astype(np.float32)),
        (X, X[:, ::-1]),
        (X, X[::-1]),
        (X, X.reshape(3, 8)),
        (MASKED, np.ma.masked_array(X, X > 6)),
        (FRAME, FRAME.rename(columns={"a": "z"})),
        (FRAME, FRAME.set_axis(range(1, 9))),
        (FRAME, FRAME.astype({"b": "category"})),
        (LETTERS, LETTERS.cat.reorder_categories(list("xwvu"))),
        (LETTERS, LETTERS.cat.as_ordered()),
        (FRAME["b"], FRAME["b"].rename("c")),
    ],
)
def test_other_data_has_another_key(data, other):
    assert not same(data, other)


@pytest.mark.parametrize(
    "index",
    [
        pd.MultiIndex.from_product([[1, 2], list("abcd")]),
        pd.date_range("2026-01-01", periods=8, tz="Europe/Berlin"),
        pd.period_range("2026-01", periods=8, freq="M"),
        pd.Index(list("abcdefgh")),
    ],
)
def test_any_index_has_a_key_of_its_values(index):
    frame = FRAME.set_axis(index)
    assert same(frame, FRAME.set_axis(index.copy(deep=True)))
    assert not same(frame, FRAME.set_axis(index[::-1]))


@pytest.mark.slow  # test_killed.py goes on in another process
def test_keys_are_the_same_in_every_process():
    """Sets and strings hash differently in each; keys must not."""
    program = (
        "from sklearn.metrics import accuracy_score, make_scorer\n"
        "from sklearn.svm import SVC\n"
        "from sklearn_stats_compare.search.ledger._fingerprint import key\n"
        "print(key((SVC(C=3), make_scorer(accuracy_score), frozenset('abc'), {'x', 'y', 'z'}), ''))"
    )
    there = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    things = SVC(C=3), make_scorer(accuracy_score), frozenset("abc"), {"x", "y", "z"}
    assert there.stdout.strip() == key(things, "")


def test_a_setting_that_comes_again_has_a_key_of_its_own():
    keys = candidate_keys([{"C": 1}, {"C": 2}, {"C": 1}, {"C": 1}])
    assert len(set(keys)) == 4
    assert keys[0] == candidate_keys([{"C": 1}])[0]
    assert candidate_keys([{"svc": SVC()}]) == candidate_keys([{"svc": SVC().fit(X, X[:, 0] > 9)}])


def test_a_split_is_known_by_its_samples_in_whatever_form():
    train, test = np.arange(6), np.arange(6, 8)
    mask = np.array([True] * 6 + [False] * 2)
    assert split_keys([(train, test)], 8) == split_keys([(mask, ~mask)], 8)
    assert split_keys([(train, test)], 8) == split_keys([(list(train), slice(6, 8))], 8)
    assert split_keys([(train, test)], 8) != split_keys([(train[::-1], test)], 8)
    assert len(set(split_keys([(train, test)] * 2, 8))) == 2
