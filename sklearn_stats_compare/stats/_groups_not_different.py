"""Groups of candidates in which no pair was found different."""

from collections.abc import Iterable

MOST_GROUPS = 60
"""More groups than this are not readable; there can be exponentially many."""


def groups_not_different(
    n: int, different: Iterable[tuple[int, int]], most: int = MOST_GROUPS
) -> list[tuple[int, ...]] | None:
    """All largest groups of `n` candidates in which no pair was found different.

    Piepho's insert-and-absorb algorithm: two candidates share a group exactly when they are not
    among `different`, and no group is part of another.

    Parameters
    ----------
    n : int
        Number of candidates.
    different : iterable of (int, int)
        Pairs of positions that were found different.
    most : int, default=60
        Largest number of groups.

    Returns
    -------
    list of tuple of int, or None
        The positions in each group, in increasing order; None if there are more than `most`
        groups.

    References
    ----------
    Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise
    comparisons. Journal of Computational and Graphical Statistics 13, 456–466.
    https://doi.org/10.1198/1061860043515
    """
    groups = [frozenset(range(n))] if n else []
    for i, j in different:
        apart: list[frozenset[int]] = []
        for group in groups:
            split = i in group and j in group
            apart.extend([group - {i}, group - {j}] if split else [group])
        groups = _absorbed(apart)
        # Checked at every pair, because the number may double with each.
        if len(groups) > most:
            return None
    return sorted(tuple(sorted(group)) for group in groups)


def _absorbed(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    """Drop every group that another one contains."""
    # A group can be contained only in one of at least its size.
    largest_first = sorted(set(groups), key=len, reverse=True)
    kept: list[frozenset[int]] = []
    for group in largest_first:
        if not any(group <= other for other in kept):
            kept.append(group)
    return kept
