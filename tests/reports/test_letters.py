"""Compact letters: two candidates share one exactly when the verdict does not separate them."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_stats_compare.reports._facts import compact_letters

graphs = st.integers(1, 9).flatmap(
    lambda n: st.tuples(
        st.just(n), st.sets(st.sampled_from([*combinations(range(n), 2)] or [None]))
    )
)


@given(graphs)
def test_candidates_that_share_a_letter_are_not_separated_and_none_can_be_left_out(graph):
    n, different = graph
    different = different - {None}
    letters = [set(word) for word in compact_letters(n, different)]
    assert all(letters)
    for i, j in combinations(range(n), 2):
        assert bool(letters[i] & letters[j]) == ((i, j) not in different)
    groups = [{i for i in range(n) if letter in letters[i]} for letter in set().union(*letters)]
    assert not any(a < b for a in groups for b in groups)


@pytest.mark.parametrize(
    ("n", "different", "expected"),
    [
        (0, [], []),
        (1, [], ["a"]),
        (3, [], ["a", "a", "a"]),
        (3, [(0, 1), (0, 2), (1, 2)], ["a", "b", "c"]),
        (3, [(0, 2)], ["a", "ab", "b"]),
        (4, [(0, 3), (1, 3), (2, 3)], ["a", "a", "a", "b"]),
        (4, [(0, 2), (0, 3), (1, 3)], ["a", "ab", "bc", "c"]),
    ],
)
def test_small_cases_by_hand(n, different, expected):
    assert compact_letters(n, different) == expected


def test_more_sets_than_letters():
    everything = [*combinations(range(60), 2)]
    words = compact_letters(60, everything)
    assert words[:2] == ["a", "b"]
    assert words[51:54] == ["Z", "a2", "b2"]
    assert len(set(words)) == 60


def test_exponentially_many_letters_are_given_up():
    # Twins, each separated from the other only: every choice of one of each pair is a set.
    assert compact_letters(40, [(2 * k, 2 * k + 1) for k in range(20)]) is None
    assert len(set("".join(compact_letters(10, [(2 * k, 2 * k + 1) for k in range(5)])))) == 32
