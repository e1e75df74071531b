"""Names that go: a warning at the user's line, for as long as docs/stability.rst promises."""

import ast
import inspect
import pickle
from pathlib import Path

import pytest

import sklearn_stats_compare
from sklearn_stats_compare._utils._validation import deprecated


@deprecated("1.1", "1.3", "`new`")
def old(a, *, b=2):
    """Add."""
    return a + b


@deprecated("1.1", "1.3", "`New`")
class Old:
    def __init__(self, a):
        self.a = a

    @deprecated("1.2", "1.4", "`a`")
    def get(self):
        return self.a


def test_what_is_deprecated_works_and_warns_at_the_users_line():
    words = r"`old` is deprecated since version 1\.1, and version 1\.3 removes it\. Use `new`\."
    with pytest.warns(FutureWarning, match=words) as caught:
        assert old(1, b=3) == 4
    assert caught[0].filename == __file__
    with pytest.warns(FutureWarning, match="`Old` is deprecated"):
        made = Old(5)
    with pytest.warns(FutureWarning, match=r"`Old\.get` is deprecated since version 1\.2"):
        assert made.get() == 5


def test_it_keeps_its_name_signature_and_pickle():
    assert (old.__name__, old.__doc__) == ("old", "Add.")
    assert str(inspect.signature(old)) == "(a, *, b=2)"
    assert str(inspect.signature(Old)) == "(a)"
    assert isinstance(Old, type)
    with pytest.warns(FutureWarning):
        made = Old(5)
    assert pickle.loads(pickle.dumps(made)).a == 5


def test_nothing_stays_longer_than_its_warning_says():
    now = tuple(map(int, sklearn_stats_compare.__version__.split(".")[:2]))
    for path in Path(sklearn_stats_compare.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "deprecated":
                since, removed = (tuple(map(int, a.value.split("."))) for a in call.args[:2])
                assert since <= now < removed, f"{path.name}: line {call.lineno}"
                assert removed >= (since[0], since[1] + 2) or removed[0] > since[0]
