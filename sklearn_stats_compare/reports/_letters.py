"""Compact letters: candidates that share a letter were not found different."""

from collections.abc import Iterable
from string import ascii_letters

from sklearn_stats_compare.stats import groups_not_different


def compact_letters(n: int, different: Iterable[tuple[int, int]]) -> list[str] | None:
    """Letters for `n` candidates in rank order, given the pairs that were found different.

    A letter is a group of `groups_not_different`: two candidates share a letter exactly when they
    are not among `different`.

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
    groups = groups_not_different(n, different)
    if groups is None:
        return None
    return ["".join(_letter(k) for k, group in enumerate(groups) if i in group) for i in range(n)]


def _letter(k: int) -> str:
    turn, position = divmod(k, len(ascii_letters))
    return ascii_letters[position] + (str(turn + 1) if turn else "")
