"""short_labels(): labels that differ still do when they are shortened."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sklearn_stats_compare._utils._formatting import one_line, short_labels

TREES = [f"DecisionTreeClassifier_{d}_20_{s}" for d in (3, 5, 10, None) for s in ("mean", "median")]
NAMED = [
    f"strategy=median, max_features=sqrt, criterion={c}, max_depth={d}, min_samples_leaf=20"
    for c in ("gini", "entropy")
    for d in (3, 5, 10)
]


@pytest.mark.parametrize("labels", [TREES, NAMED])
def test_what_sets_labels_apart_is_shown(labels):
    assert len({one_line(label, 28) for label in labels}) < len(labels)  # both ends are alike
    found = short_labels(labels, 28)
    assert list(found) == labels
    assert len(set(found.values())) == len(labels)
    assert max(map(len, found.values())) <= 28
    assert not any("#" in short for short in found.values())


def test_depths_are_seen_in_the_middle():
    found = short_labels(TREES, 28)
    assert "3_20_mean" in found[TREES[0]]
    assert "10_20_median" in found[TREES[5]]


def test_labels_that_fit_and_those_that_no_other_is_like_stay_as_they_are():
    labels = ["rbf", "x" * 40, "linear"]
    assert short_labels(labels, 28) == {label: one_line(label, 28) for label in labels}


def test_what_differs_in_too_much_is_numbered():
    labels = [f"{'a' * 50}{k:0100b}{'b' * 50}" for k in (1 << 50, 3 << 50)]
    found = list(short_labels(labels, 12).values())
    assert len(set(found)) == 2


_LETTERS = st.text(alphabet="ab_,= \n$…#12\x01", max_size=30)
_JOINED = st.lists(
    st.sampled_from(["Tree", "_20", "median", "=", ", ", "…", " #1", "3"]), max_size=12
)


@given(
    st.lists(_LETTERS | _JOINED.map("".join), min_size=1, max_size=12, unique=True),
    st.integers(min_value=8, max_value=40),
)
@example(["a b", "a  b"], 28)
@example(["x" * 30, "x" * 31, "x" * 18 + "…" + "x" * 9], 28)
def test_different_labels_stay_different_and_fit(labels, longest):
    found = short_labels(labels, longest)
    assert len(set(found.values())) == len(labels)
    assert max(map(len, found.values())) <= longest
    assert all("\n" not in short for short in found.values())
