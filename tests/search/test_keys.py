"""Keys: the same for equal things in every process, others for what differs."""

import subprocess
import sys
from datetime import date

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.svm import SVC

from sklearn_stats_compare.search.ledger._code import candidate_keys, data_key, key
from sklearn_stats_compare.stats import split_keys

X = np.arange(24.0).reshape(8, 3)
FRAME = pd.DataFrame({"a": X[:, 0], "b": list("uvwxuvwx"), "c": X[:, 2]})


def same(one, other):
    return data_key(one, "X") == data_key(other, "X")


def test_how_an_array_lies_in_memory_does_not_matter():
    assert same(X, np.asfortranarray(X))
    assert same(X, np.hstack([X, X])[:, :3])


def test_how_a_frame_keeps_its_columns_does_not_matter():
    grown = FRAME[["a"]].copy()
    for name in ("b", "c"):
        grown[name] = FRAME[name]
    assert same(FRAME, grown)
    before = data_key(grown, "X")
    grown.to_numpy()
    grown["a"].sum()
    assert data_key(grown, "X") == before


@pytest.mark.parametrize(
    "other",
    [
        X + 1e-12,
        X.astype(np.float32),
        X[:, ::-1],
        X[::-1],
        X.reshape(3, 8),
        FRAME.rename(columns={"a": "z"}),
        FRAME.set_axis(range(1, 9)),
        FRAME.astype({"b": "category"}),
    ],
)
def test_other_data_has_another_key(other):
    assert not same(FRAME if isinstance(other, pd.DataFrame) else X, other)


def test_masks_and_order_of_categories_count():
    masked = np.ma.masked_array(X, X > 5)
    assert not same(masked, np.ma.masked_array(X, X > 6))
    letters = FRAME["b"].astype("category")
    assert not same(letters, letters.cat.reorder_categories(list("xwvu")))
    assert not same(letters, letters.cat.as_ordered())
    assert not same(FRAME["b"], FRAME["b"].rename("c"))


def test_things_that_are_equal_and_not_the_same_have_one_key():
    days = [date(2026, 1, 1 + k % 2) for k in range(8)]
    shared = pd.DataFrame({"a": [days[0], days[1]] * 4})
    assert same(shared, pd.DataFrame({"a": days}))
    pair = (3, 4)
    assert key([pair, pair], "it") == key([pair, tuple([3, 4])], "it")


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


def test_a_function_is_known_by_its_code():
    def scorer(estimator, X, y):
        return 1.0

    first = key(scorer, "`scoring`")

    def scorer(estimator, X, y):  # the same name, edited
        return 2.0

    assert key(scorer, "`scoring`") != first
    assert key(lambda x: x + 1, "it") != key(lambda x: x + 2, "it")
    made = [make_scorer(lambda a, b, n=n: n) for n in (1, 1, 2)]
    assert key(made[0], "it") == key(made[1], "it") != key(made[2], "it")


def test_a_function_that_calls_itself_has_a_key():
    def down(n):
        return down(n - 1) if n else 0

    assert key(down, "it")


def test_keys_are_the_same_in_every_process():
    """Sets and strings hash differently in each; keys must not."""
    program = (
        "from sklearn.metrics import accuracy_score, make_scorer\n"
        "from sklearn.svm import SVC\n"
        "from sklearn_stats_compare.search.ledger._code import key\n"
        "print(key((SVC(C=3), make_scorer(accuracy_score), frozenset('abc'), {'x', 'y', 'z'}), ''))"
    )
    there = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    things = SVC(C=3), make_scorer(accuracy_score), frozenset("abc"), {"x", "y", "z"}
    assert there.stdout.strip() == key(things, "")


def test_what_cannot_be_pickled_is_refused_by_name():
    with pytest.raises(ValueError, match=r"`scoring` must be picklable, so .*genera"):
        key((n for n in range(3)), "`scoring`")


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
