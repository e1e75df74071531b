"""Differences that a design can find, now and with more repeats.

Each public function is a method of `Comparison`.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_option, check_probability, is_number, shown
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.stats import (
    P_ADJUST,
    PairedTTests,
    repeats_of,
)

_SMALLEST = 5e-324
"""The smallest positive float: a level divided by the number of tests must not become 0."""


def resolution(
    self: Compared, power: float = 0.8, alpha: float | None = None, p_adjust: str | None = None
) -> pd.DataFrame:
    """Smallest true differences from the leader that this cross-validation is likely to find.

    For the leader and each other candidate, this is the difference that the two-sided corrected
    t-test finds with probability `power`: with the present design, with 2 and 5 times its repeats,
    and with infinitely many. No number of repeats finds a smaller difference than this last one
    with that probability (about 2.80·s·√q at the defaults), because repeats reuse the same data.

    Parameters
    ----------
    power : float, default=0.8
        Probability of finding the difference, in (0, 1) and above `alpha`.
    alpha : float, optional
        Two-sided level, in (0, 1). Default: the comparison's.
    p_adjust : str, optional
        If None, the default, `alpha` is the level of each test. With any of the comparison's
        methods, `alpha` is divided by m − 1, the number of candidates other than the leader that
        did not fail. The result is Bonferroni's level and the first level of stepwise methods; for
        "sidak" and "maxt" it is slightly too strict.

    Returns
    -------
    DataFrame
        A row per candidate but the leader, in rank order, indexed by candidate, with the
        columns

        - ``label``;
        - ``mean_diff``: the leader's mean minus its own, in score units;
        - ``std``: standard deviation s of the split differences, in score units;
        - ``detectable``, ``detectable_2x``, ``detectable_5x``, ``detectable_limit``: the
          differences found with probability `power`, in score units;
        - ``note``: why a number is NaN, or "". 2x and 5x are NaN if the repeats are unknown.

    Raises
    ------
    ValueError
        If an option is unknown or out of its range.

    Notes
    -----
    The values are computed from the non-central t distribution with J − 1 degrees of freedom and
    non-centrality δ/(s·√(1/J + q)), with the observed s and a correlation of the splits of q/(1 +
    q), which the corrected test assumes. With ``test="samples"`` there are n − 1 degrees of
    freedom, more repeats reduce only the part of the variance that is between repeats, and ``std``
    is √n times the standard error. More repeats require that the folds can be drawn anew, unlike
    those of LeaveOneGroupOut and PredefinedSplit.

    The values refer to single tests of a candidate against a given leader. The verdicts of
    `leader_table` have less power: they are adjusted for all pairs, because the scores determined
    the leader. For their resolution under Bonferroni's method, set ``alpha=0.05 / n_pairs``.

    This is not a test. It describes what the design can show; the pairwise tables describe what the
    scores show.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine
    Learning 52, 239–281. https://doi.org/10.1023/A:1024068626366
    """
    power, level = _planning_levels(self, power, alpha, p_adjust)
    tests = _leader_tests(self, "resolution")
    repeats, test = repeats_of(self.scores), self.settings.test
    known = not isinstance(repeats, str)  # else it says why not
    table = _leader_rows(self, tests)
    for name, times in (("", 1.0), ("_2x", 2.0), ("_5x", 5.0), ("_limit", np.inf)):
        # The present design and the limit do not depend on what a repeat is.
        if known or times in (1.0, np.inf):
            found = test.detectable(self.scores, tests, times, power=power, alpha=level)
        else:
            found = np.full(len(tests.std), np.nan)
        table[f"detectable{name}"] = found
    notes = _notes(self, tests, repeats, table["detectable"].to_numpy())
    return table.assign(note=_with_unknown_limit(notes, table["detectable_limit"].to_numpy()))


def plan(
    self: Compared,
    difference: float,
    power: float = 0.8,
    alpha: float | None = None,
    p_adjust: str | None = None,
) -> pd.DataFrame:
    """How many repeats it takes to find a true difference from the leader in a single test.

    The verdicts of the tables are adjusted for all pairs and require more repeats, so a pair may be
    ``undecided`` although the answer here is "enough". With `p_adjust`, the level is adjusted as in
    `resolution`.

    Parameters
    ----------
    difference : float
        True difference to find, > 0, in score units.
    power : float, default=0.8
        Probability of finding it, in (0, 1) and above `alpha`.
    alpha : float, optional
        Two-sided level, in (0, 1). Default: the comparison's.
    p_adjust : str, optional
        As for `resolution`.

    Returns
    -------
    DataFrame
        A row per candidate but the leader, in rank order, indexed by candidate, with the
        columns

        - ``label``, ``mean_diff``, ``std``: as in `resolution`;
        - ``n_repeats``, ``n_splits``: the smallest design of the same folds that finds the
          difference, <NA> if there is none or it is unknown;
        - ``detectable_limit``: the smallest difference that any number of repeats can find, in
          score units;
        - ``answer``: in words, such as "8 × 10 folds in one test (now 10: enough)" or "not
          with this data: the limit is 0.0413"; with `p_adjust` it names the level.

    Raises
    ------
    ValueError
        If an option is unknown or out of its range.

    Notes
    -----
    The assumptions are those of `resolution`. Each further repeat helps less. Beyond ten, further
    repeats are seldom worthwhile.
    """
    if not (is_number(difference) and 0 < float(difference) < np.inf):
        raise ValueError(f"`difference` must be a finite number > 0; got {shown(difference)}.")
    difference = float(difference)
    power, level = _planning_levels(self, power, alpha, p_adjust)
    tests, test = _leader_tests(self, "plan"), self.settings.test
    limit = test.detectable(self.scores, tests, np.inf, power=power, alpha=level)
    repeats = repeats_of(self.scores)
    needed = np.full(len(tests.std), np.nan)
    if not isinstance(repeats, str):
        needed = test.repeats_needed(self.scores, tests, difference, power=power, alpha=level)
        # At the limit itself, rounding may give a huge number of repeats instead of ∞.
        needed[difference <= limit] = np.inf
    any_difference = np.zeros(len(tests.std))  # too few splits are no obstacle: repeats add some
    notes = _with_unknown_limit(_notes(self, tests, repeats, any_difference), limit)
    tested = "in one test" if p_adjust is None else f"at level {level:.2g}"
    answers = [
        _answer(difference, n, most, repeats, note, tested)
        for n, most, note in zip(needed, limit, notes, strict=True)
    ]
    # Int64 has <NA>; it converts NaN, but raises for ∞.
    n_repeats = pd.Series(np.where(np.isfinite(needed), needed, np.nan)).astype("Int64")
    n_folds = 0 if isinstance(repeats, str) else repeats[1]
    return _leader_rows(self, tests).assign(
        n_repeats=n_repeats.array,  # not the Series, whose index 0, 1, … would be aligned
        n_splits=(n_repeats * n_folds).array,
        detectable_limit=limit,
        answer=answers,
    )


def _planning_levels(
    comparison: Compared, power: float, alpha: float | None, p_adjust: str | None
) -> tuple[float, float]:
    check_option("p_adjust", p_adjust, P_ADJUST)
    level = comparison.settings.alpha if alpha is None else check_probability("alpha", alpha)
    found = check_probability("power", power)
    if p_adjust is not None:
        level = max(level / max(comparison.scores.n_available - 1, 1), _SMALLEST)
    if not found > level:
        raise ValueError(f"`power` must be above `alpha`, {level:g}; got {power!r}.")
    return found, level


def _leader_tests(comparison: Compared, asked: str) -> PairedTTests:
    comparison.settings.check_has_std_err(asked)
    return comparison.settings.test.against_leader(comparison.scores)


def _leader_rows(comparison: Compared, tests: PairedTTests) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "label": [comparison._candidate_names.label(i) for i in tests.second],
            "mean_diff": tests.mean_diff,
            "std": tests.std,
        },
        index=pd.Index(comparison._candidate_names.indices_of(tests.second), name="candidate"),
    )


def _notes(
    comparison: Compared,
    tests: PairedTTests,
    repeats: tuple[int, int] | str,
    detectable: NDArray[np.float64],
) -> list[str]:
    """For each row, why it has a NaN."""
    missing, test = comparison.scores.missing[tests.second], comparison.settings.test
    if comparison.scores.n_splits < 2:
        general = "there is only one split"
    elif np.isnan(detectable[~missing]).any():
        few = "splits" if test.of_splits else "samples"
        known = np.isfinite(test.overlap_ratio(comparison.scores.design))
        general = f"too few {few} for so small a level" if known else "nothing is trained on"
    else:
        general = repeats if isinstance(repeats, str) else ""
    return ["a score is not a finite number" if failed else general for failed in missing]


def _with_unknown_limit(notes: list[str], limit: NDArray[np.float64]) -> list[str]:
    unknown = "one repeat does not show the limit of many repeats; a second repeat does"
    return [
        note or (unknown if np.isnan(most) else "") for note, most in zip(notes, limit, strict=True)
    ]


def _above(difference: float, limit: float) -> str:
    """The limit with enough digits to exceed the difference visibly."""
    # With 3 digits a limit of 0.04134 would read 0.0413, below a difference of 0.04132.
    texts = [f"{limit:.{digits}g}" for digits in range(3, 17)]
    return next((text for text in texts if float(text) > difference), texts[-1])


def _answer(
    difference: float, needed: float, limit: float, repeats: Any, note: str, tested: str
) -> str:
    if difference <= limit or np.isinf(needed):
        return f"not with this data: the limit is {_above(difference, limit)}"
    if note:
        return f"not known: {note}"
    now, n_folds = repeats  # a tuple: a reason in words would have been a note
    # Short: pandas truncates text of more than 50 characters.
    found = f"{int(needed):,} × {n_folds} folds {tested}"
    return f"{found} (now {now:,}: {'enough' if needed <= now else 'too few'})"
