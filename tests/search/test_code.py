"""The user's own code belongs to a ledger: what of it can change a score, and nothing else."""

import functools
import importlib
import sys
import textwrap
import threading
import types

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import make_moons
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.svm import SVC

from sklearn_stats_compare import StatisticalGridSearchCV
from sklearn_stats_compare.search.ledger._code import CodeReader, data_key, key
from sklearn_stats_compare.search.ledger._identity import differences, identity
from sklearn_stats_compare.search.ledger._keys import is_own, versions_of

X, y = make_moons(n_samples=60, noise=0.35, random_state=1)

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

    def load(change=lambda module, helpers: (module, helpers)):
        module, helpers = change(MODULE.format(helpers="own_helpers"), HELPERS)
        late = LATE.replace("LATE = 1", "LATE = 2") if "# late" in module else LATE
        sources = {"own_late": late, "own_helpers": helpers, "own_module": module}
        for name, source in sources.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(source))
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
        try:
            return importlib.import_module("own_module")
        finally:
            sys.dont_write_bytecode = before

    yield load
    for name in ("own_late", "own_helpers", "own_module"):
        sys.modules.pop(name, None)


def parts(module):
    reader = CodeReader()
    return reader.parts([module.Scaler, module.score, module.deep, module.lazily])


def changed(old, new, where="module"):
    def change(module, helpers):
        assert old in (module if where == "module" else helpers)
        if where == "module":
            return module.replace(old, new), helpers
        return module, helpers.replace(old, new)

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
        (changed("OFFSET = 1", "OFFSET = 2", "helpers"), "`OFFSET` in `shift` (1 there, 2 here)"),
        (changed("return X + OFFSET", "return X - OFFSET", "helpers"), "`shift`"),
        (changed("return X * 2", "return X * 3", "helpers"), "`twice`"),
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
        changed("new = a + b\n        return new", "other = a + b\n        return other"),
        changed("def add(a, b):", "def add(\n        a,\n        b,\n    ):"),
        changed("def twice(X):", 'def twice(X):\n    """Twice."""', "helpers"),
    ],
)
def test_what_cannot_change_a_score_does_not_count(load, change):
    assert parts(load()) == parts(load(change))


def test_signatures_differ():
    def made(source):
        space = {"__name__": "__main__"}
        exec(source, space)
        return key(space["f"], "it")

    sources = ["def f(a, b): pass", "def f(a, *, b): pass", "def f(a, *b): pass",
               "def f(a, b, /): pass", "def f(a, **b): pass", "def f(b, a): pass"]  # fmt: skip
    assert len({made(source) for source in sources}) == len(sources)


def ring(n):
    """Modules of which each names all, as parts of a package do."""
    modules = [types.ModuleType(f"ring{k}") for k in range(n)]
    for module in modules:
        sys.modules[module.__name__] = module
        vars(module).update({other.__name__: other for other in modules}, T=1)
    return modules


def test_modules_that_import_each_other_are_read_once(monkeypatch):
    modules = ring(12)  # in every order that would be 12! ways
    source = "def f(): return " + " + ".join(f"ring{k}.T" for k in range(12))
    exec(source, vars(modules[0]))
    try:
        assert key(modules[0].f, "it")
    finally:
        for module in modules:
            del sys.modules[module.__name__]


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
            "types": types,
        }  # fmt: skip
        exec(textwrap.dedent(source).format(k=k), space)
        return CodeReader().parts([space["f"]])

    assert made(1) == made(1)
    assert made(1) != made(9)


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


def test_lambdas_and_partials_are_known_by_what_they_close_over():
    def cut(k):
        return lambda A: A[:, :k]

    assert key(cut(1), "it") == key(cut(1), "it") != key(cut(2), "it")
    scorers = [functools.partial(accuracy_score, normalize=n) for n in (True, True, False)]
    keys = [key(make_scorer(scorer), "it") for scorer in scorers]
    assert keys[0] == keys[1] != keys[2]


def test_a_method_that_scikit_learn_wraps_is_read():
    def made(factor):
        class Wrapped(TransformerMixin, BaseEstimator):
            def transform(self, X):  # wrapped for set_output
                return X * factor

        return Wrapped()

    assert key(made(1), "it") == key(made(1), "it") != key(made(2), "it")


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


def test_a_column_that_cannot_be_known_again_is_refused_by_name(tmp_path):
    data = pd.DataFrame({"a": X[:, 0], "b": [(n for n in range(3)) for _ in y]})
    search = StatisticalGridSearchCV(SVC(), {"C": [1]}, ledger=tmp_path / "search.sqlite")
    with pytest.raises(ValueError, match=r"`X`, column 'b', must be picklable, so that the ledger"):
        search.fit(data, y)
    assert not (tmp_path / "search.sqlite").exists()
