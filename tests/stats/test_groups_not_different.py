"""Groups in which no pair was found different: all maximal ones, by definition."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from sklearn_stats_compare.stats import groups_not_different

graphs = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.just(n), st.sets(st.sampled_from([*combinations(range(n), 2)] or [None]))
    )
)


@given(graphs)
def test_they_are_the_sets_that_no_other_contains(graph):
    n, different = graph
    different = different - {None}
    alike = [
        set(group)
        for size in range(1, n + 1)
        for group in combinations(range(n), size)
        if not different & {*combinations(group, 2)}
    ]
    maximal = [tuple(sorted(a)) for a in alike if not any(a < b for b in alike)]
    assert groups_not_different(n, different) == sorted(maximal)


def test_differences_of_more_than_a_critical_one_give_runs():
    ranks = [1.0, 1.5, 2.5, 4.0]
    pairs = combinations(range(4), 2)
    # Runs with a range below 2: 1 to 2.5, and 2.5 to 4.
    different = [(i, j) for i, j in pairs if ranks[j] - ranks[i] >= 2]
    assert groups_not_different(4, different) == [(0, 1, 2), (2, 3)]


def test_more_groups_than_allowed_are_given_up():
    different = [(0, 1), (2, 3), (4, 5)]  # one of each pair: 2³ = 8 groups
    assert len(groups_not_different(6, different, most=8)) == 8
    assert groups_not_different(6, different, most=7) is None
    assert groups_not_different(0, []) == []
