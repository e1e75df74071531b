"""Compact letters: candidates that share a letter were not found different."""

from collections.abc import Iterable
from string import ascii_letters

MOST_GROUPS = 60
"""More letters than this are not readable; there can be exponentially many."""


def compact_letters(n: int, different: Iterable[tuple[int, int]]) -> list[str] | None:
    """Letters for `n` candidates in rank order, given the pairs that were found different.

    Piepho's insert-and-absorb algorithm: two candidates share a letter exactly when they are not
    among `different`.

    Parameters
    ----------
    n : int
        Number of candidates.
    different : iterable of (int, int)
        Pairs of positions that were found different.

    Returns
    -------
    list of str, length n, or None
        None if more than 60 letters are needed. Otherwise the letters of each candidate, ``"a"``
        for the set with the best one. From the 53rd set on, a number follows the letter, as in
        ``"a2"``.

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
        if len(groups) > MOST_GROUPS:
            return None
    ordered = sorted(groups, key=sorted)
    return ["".join(_letter(k) for k, group in enumerate(ordered) if i in group) for i in range(n)]


def _absorbed(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    """Drop every group that another one contains."""
    # A group can be contained only in one of at least its size.
    largest_first = sorted(set(groups), key=len, reverse=True)
    kept: list[frozenset[int]] = []
    for group in largest_first:
        if not any(group <= other for other in kept):
            kept.append(group)
    return kept


def _letter(k: int) -> str:
    turn, position = divmod(k, len(ascii_letters))
    return ascii_letters[position] + (str(turn + 1) if turn else "")
