"""What to do next: differences that a design can find, error rates, further repeats, looks."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare._utils._formatting import count, one_line, sentence, short_labels
from sklearn_stats_compare.comparison._tables import (
    ChosenByScores,
    check_is_comparison,
    check_n_pairs,
)
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._family import Family, Settings, calibration
from sklearn_stats_compare.stats._multitest import P_ADJUST
from sklearn_stats_compare.stats._numeric import LARGEST, Flags, Numbers, Places
from sklearn_stats_compare.stats._power import (
    level_of_all_looks,
    level_of_interim_analysis,
    repeats_of,
    times_to_decide,
)
from sklearn_stats_compare.stats._sample_t import MANY_SPLITS, N_PROBES, SampleTTest
from sklearn_stats_compare.stats._scores import SplitScores

if TYPE_CHECKING:
    from sklearn_stats_compare.comparison._comparison import Comparison

_SMALLEST = 5e-324
"""The smallest positive float: a level divided by the number of tests must not become 0."""


def resolution(
    comparison: Comparison, power: float, alpha: float | None, p_adjust: str | None
) -> pd.DataFrame:
    """`Comparison.plan` without a difference."""
    power, level = _planning_levels(comparison, power, alpha, p_adjust)
    repeats, test = repeats_of(comparison.scores), comparison._settings.test
    tests = test.against_leader(comparison.scores)
    known = not isinstance(repeats, str)  # else it says why not
    table = _leader_rows(comparison, tests)
    for name, times in (("", 1.0), ("_2x", 2.0), ("_5x", 5.0), ("_limit", np.inf)):
        # The present design and the limit do not depend on what a repeat is.
        if known or times in (1.0, np.inf):
            found = test.detectable(comparison.scores, tests, times, power=power, alpha=level)
        else:
            found = np.full(len(tests.std), np.nan)
        table[f"detectable{name}"] = np.where(tests.std == 0, np.nan, found)
    notes = _notes(comparison, tests, repeats, table["detectable"].to_numpy())
    return table.assign(note=_with_unknown_limit(notes, table["detectable_limit"].to_numpy()))


def plan(
    comparison: Comparison,
    difference: float,
    power: float,
    alpha: float | None,
    p_adjust: str | None,
) -> pd.DataFrame:
    """See `Comparison.plan`."""
    # Squares of larger ones overflow.
    if not (checks.is_number(difference) and 0 < float(difference) <= LARGEST):
        raise checks.wrong("difference", f"be a finite number > 0, at most {LARGEST:g}", difference)
    difference = float(difference)
    power, level = _planning_levels(comparison, power, alpha, p_adjust)
    test = comparison._settings.test
    tests = test.against_leader(comparison.scores)
    limit = test.detectable(comparison.scores, tests, np.inf, power=power, alpha=level)
    limit[tests.std == 0] = np.nan
    repeats = repeats_of(comparison.scores)
    needed = np.full(len(tests.std), np.nan)
    if not isinstance(repeats, str):
        needed = test.repeats_needed(comparison.scores, tests, difference, power=power, alpha=level)
        # At the limit itself, rounding may give a huge number of repeats instead of ∞.
        needed[difference <= limit] = np.inf
        needed[tests.std == 0] = np.nan
    any_difference = np.zeros(len(tests.std))  # too few splits are no obstacle: repeats add some
    notes = _with_unknown_limit(_notes(comparison, tests, repeats, any_difference), limit)
    tested = "in one test" if p_adjust is None else f"at level {level:.2g}"
    answers = [
        _answer(difference, n, most, repeats, note, tested)
        for n, most, note in zip(needed, limit, notes, strict=True)
    ]
    # Int64 has <NA>; it converts NaN, but raises for ∞.
    n_repeats = pd.Series(np.where(np.isfinite(needed), needed, np.nan)).astype("Int64")
    n_folds = 0 if isinstance(repeats, str) else repeats[1]
    return _leader_rows(comparison, tests).assign(
        n_repeats=n_repeats.array,  # not the Series, whose index 0, 1, … would be aligned
        n_splits=(n_repeats * n_folds).array,
        detectable_limit=limit,
        answer=answers,
    )


def _planning_levels(
    comparison: Comparison, power: float, alpha: float | None, p_adjust: str | None
) -> tuple[float, float]:
    checks.check_option("p_adjust", p_adjust, P_ADJUST)
    own = comparison._settings.alpha
    level = own if alpha is None else checks.check_probability("alpha", alpha)
    found = checks.check_probability("power", power)
    if p_adjust is not None:
        level = max(level / max(comparison.scores.n_available - 1, 1), _SMALLEST)
    if not found > level:
        raise ValueError(f"`power` must be above `alpha`, {level:g}; got {power!r}.")
    comparison._settings.check_has_std_err("plan")
    return found, level


def _leader_rows(comparison: Comparison, tests: PairedTTests) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "label": [comparison._candidate_names.labels[i] for i in tests.second],
            "mean_diff": tests.mean_diff,
            "std": tests.std,
        },
        index=pd.Index(comparison._candidate_names.indices_of(tests.second), name="candidate"),
    )


def _notes(
    comparison: Comparison, tests: PairedTTests, repeats: tuple[int, int] | str, detectable: Numbers
) -> list[str]:
    """For each row, why it has a NaN."""
    same = tests.std == 0
    missing, test = comparison.scores.missing[tests.second], comparison._settings.test
    if comparison.scores.n_splits < 2:
        general = "there is only one split"
    elif np.isnan(detectable[~(missing | same)]).any():
        few = "splits" if test.of_splits else "samples"
        known = np.isfinite(test.overlap_ratio(comparison.scores.design))
        general = f"too few {few} for so small a level" if known else "nothing is trained on"
    else:
        general = repeats if isinstance(repeats, str) else ""
    reasons = {True: "equal scores show no spread", False: general}
    return [
        comparison.scores.why_missing if failed else reasons[bool(equal)]
        for failed, equal in zip(missing, same, strict=True)
    ]


def _with_unknown_limit(notes: list[str], limit: Numbers) -> list[str]:
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
    if np.isnan(needed):
        return f"not known: {note}"
    now, n_folds = repeats  # a tuple: a reason in words would have been a note
    # Short: pandas truncates text of more than 50 characters.
    found = f"{int(needed):,} × {n_folds} folds {tested}"
    return f"{found} (now {now:,}: {'enough' if needed <= now else 'too few'})"


_MOST_SIMULATIONS = 10**7


def calibrate(
    comparison: Comparison, *, n_simulations: int = 1000, rng: Any = None
) -> pd.DataFrame:
    """How often verdicts like these would be right, by simulation from the scores' covariance.

    Candidates are simulated with the covariance that these scores have between candidates, once
    all equally good and once with the observed differences. The verdicts are those of
    `Comparison.frequentist`, with the same family, adjustment, ROPE and level.

    Parameters
    ----------
    comparison : Comparison
        What to simulate.
    n_simulations : int, default=1000
        Number of simulated tables for each row. Each costs as much as `frequentist`: use fewer
        with `p_adjust="maxt"` or hundreds of candidates.
    rng : None, int or numpy.random.Generator, optional
        Source of the draws. Default: fresh entropy.

    Returns
    -------
    DataFrame
        Four rows, with the columns

        - ``truth``: "equal" candidates, or differences "as observed";
        - ``dependence``: "corrected", splits correlated as the correction assumes, or "naive",
          independent splits, for which the correction is conservative; with ``test="samples"``
          bootstraps of the samples, with or without what training sets add to the variance;
        - ``any_false``: share of the tables with any false verdict: "better" or "worse" for a
          pair without that difference, or "equivalent" for a pair with a true difference
          outside the ROPE. An adjustment for the family should bound this share by `alpha`;
        - ``claimed``, ``equivalent``, ``undecided``: mean shares of the pairs. ``claimed``,
          better or worse, is a rate of false claims where candidates are equal and the power
          where they differ as observed;
        - ``any_false_se`` and so on: their standard errors.

    Raises
    ------
    ValueError
        If `n_simulations` is not a whole number ≥ 2, `rng` is not a valid source of draws,
        there are fewer than two candidates that did not fail or fewer than two splits, nothing
        was trained on, or there are more than 20 million pairs.

    Notes
    -----
    ``any_false`` of equal candidates under "corrected" is the true level of the adjustment with
    this many candidates and splits. It shows, for example, whether "maxt" exceeds its nominal
    level.

    Valid under two assumptions: scores are normal, and splits correlate by n_test/(n_train +
    n_test). The simulation cannot check the second; see the measured error rates in the
    documentation's evidence. The power is for differences as large as those observed, which are
    exaggerated if the leader was lucky.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
    >>> from sklearn_stats_compare.evaluation import calibrate
    >>> scores = np.random.default_rng(0).normal([[0.9], [0.9], [0.8]], 0.03, (3, 50))
    >>> comparison = Comparison(SplitScores(scores, SplitDesign([80] * 50, [20] * 50)))
    >>> found = calibrate(comparison, n_simulations=300, rng=0)
    >>> found[["truth", "dependence", "any_false", "claimed"]].round(2)
             truth dependence  any_false  claimed
    0        equal  corrected       0.05     0.02
    1        equal      naive       0.00     0.00
    2  as observed  corrected       0.01     0.67
    3  as observed      naive       0.00     0.67

    Among three equal candidates, some pair would be found different in 5 % of cases. The
    differences observed here would be found again.
    """
    check_is_comparison(comparison)
    checks.check_count("n_simulations", n_simulations, least=2, limit=_MOST_SIMULATIONS)
    checks.check_rng(rng)
    comparison._settings.check_has_std_err("calibrate")
    scores = comparison.scores
    available = np.flatnonzero(~scores.missing)
    if available.size < 2 or scores.n_splits < 2:
        raise ValueError(
            "`scores` must be of at least two candidates that did not fail, on at least two "
            f"splits; got {available.size} and {scores.n_splits}."
        )
    if comparison._settings.test.of_splits and not np.isfinite(scores.design.overlap_ratio):
        raise ValueError("`scores` must come from splits that train on something; got none.")
    check_n_pairs(scores, comparison._settings.p_adjust)
    found = calibration(scores.subset(available), comparison._settings, int(n_simulations), rng)
    columns = ["any_false", "claimed", "equivalent", "undecided"]
    columns += [f"{column}_se" for column in columns]
    table = pd.DataFrame([np.concatenate([rates, ses]) for *_, rates, ses in found])
    table.columns = pd.Index(columns)
    table.insert(0, "truth", [truth for truth, *_ in found])
    table.insert(1, "dependence", [dependence for _, dependence, *_ in found])
    return table


LABEL_WIDTH = 56
"""Letters of a label in the terminal: with the other columns of the table, 100 columns."""

_MOST_VALUES = 50_000_000
"""Values of samples that a sentence may read: they take a fraction of a second."""

_MOST_REPEATS = 5
"""Times the repeats so far; beyond that, more samples cost less than more fits."""

_MOST_SAMPLES = 1000
"""Times the samples so far; larger numbers are reported as "over" this many times."""

DEPLOY = " To deploy one now, recommend() says which, and what it may cost."

_POWER = 0.5
"""Probability of finding a difference as large as the observed one."""


@dataclass(frozen=True)
class Calls:
    """How the search is asked for more; `extend` is "" if its splits have no further repeats."""

    again: ClassVar[str] = "with_settings("  # of this comparison
    compare: str = "search.compare("
    extend: str = "search.extend(X, y, "


def next_step(comparison: Comparison) -> str:
    """See `Comparison.next_step`."""
    if isinstance(comparison.note, ChosenByScores):
        return comparison.note.instead
    scores, settings = comparison.scores, comparison._settings
    if scores.n_available < 2 or not settings.test.has_std_err:
        return ""
    table: pd.DataFrame = comparison._leader_table
    # By position: pandas hashes the labels of a subset, and fails with half a surrogate pair.
    open_rows = np.flatnonzero(table["verdict"].to_numpy() == "undecided")
    if not open_rows.size:
        return _decided(table, comparison)
    first, n_others = _label(table, "model_2", open_rows[0]), open_rows.size - 1
    others = f" and {count(n_others, 'other candidate')}" if n_others else ""
    answer = _what_would_decide(comparison, table, open_rows)
    # With one split there is no standard error.
    deploy = DEPLOY if scores.n_splits > 1 else ""
    return f"Undecided against {first}{others}. {sentence(answer)}{deploy}"


def _decided(table: pd.DataFrame, comparison: Comparison) -> str:
    leader = _label(table, "model_1", 0)
    entered, n = comparison._n_entered, comparison.scores.n_candidates
    if entered is not None and entered > n and comparison._dropped_pvalue is None:
        return (
            f"Decided among {n:,} of {entered:,} candidates, {leader} first. The others were "
            f"dropped or left out, not shown to be worse by {one_line(comparison.metric, 40)}."
        )
    n_equivalent = int((table["verdict"] == "equivalent").sum())
    if not n_equivalent:
        failed = " that did not fail" if (table["verdict"] == "missing").any() else ""
        return f"Decided: refit {leader}, which is better than every other candidate{failed}."
    others = count(n_equivalent, "equivalent candidate")
    return f"Decided: {leader} has {others}; recommend() says which to take."


def _label(table: pd.DataFrame, column: str, row: int) -> str:
    # As in the terminal's table, which shows the best dozen.
    best = [*table["model_1"].iloc[:1], *table["model_2"].iloc[:11]]
    label = table[column].iloc[row]
    shown = short_labels(map(str, [*best, label]), LABEL_WIDTH)[str(label)]
    # "against 2 and 1 other candidate" would read as two numbers of candidates.
    return f"candidate {shown}" if shown.isdecimal() else shown


def _what_would_decide(comparison: Comparison, table: pd.DataFrame, open_rows: Places) -> str:
    scores, test, calls = comparison.scores, comparison._settings.test, comparison._calls
    if scores.n_splits < 2:
        return "one split allows no test: use a cross-validation"
    if test.of_splits and scores.n_splits < MANY_SPLITS and not SampleTTest.misfit(scores.design):
        call = calls.compare if comparison._results is not None else calls.again
        n_values = 0
        if comparison._predicted is not None:
            responses = comparison._predicted.responses
            n_values = (
                scores.n_candidates * responses.n_samples * (int(scores.design.repeat.max()) + 1)
            )
        if n_values > _MOST_VALUES:
            return f'by samples the same fits may decide more: {call}test="samples")'
        samples = comparison._by_samples()
        if samples is None and not comparison._keeps_values:
            return 'if the metric has values of samples, a fit with test="samples" can decide more'
        if samples is not None:
            found = samples._leader_table["verdict"].to_numpy()
            n_decided = int(np.count_nonzero(found[open_rows] != "undecided"))
            if n_decided:
                of = f"{n_decided:,} of {open_rows.size:,}"
                return f'by samples the same fits decide {of}: {call}test="samples")'
            advice = _what_would_decide(samples, samples._leader_table, open_rows)
            return f"by samples the same fits decide none of them; {advice}"
    are_equal = (table[["mean_diff", "std_err"]].to_numpy()[open_rows] == 0).all(axis=1)
    is_unknown = scores.n_agreed <= scores.design.splits_per_repeat
    if not scores.design.sizes_known and is_unknown and are_equal.any():
        return "sizes, n_train and n_test, show on how many samples equal candidates agree"
    if test.of_splits and not scores.design.sizes_known and scores.n_splits < MANY_SPLITS:
        return 'on the same splits cross_validate_models(…, test="samples") may decide more'
    repeats = repeats_of(scores)
    n_now = 0 if isinstance(repeats, str) or not calls.extend else repeats[0]
    needed = _repeats_for(comparison, table, open_rows) if n_now else np.empty(0)
    in_reach = needed[needed <= _MOST_REPEATS * n_now]
    if n_now == 1 and not test.of_splits and np.isfinite(needed).any():
        why = "because one repeat does not show how much the models change when they are retrained"
        if comparison.params is None:
            return f"first add a second repeat, of shuffled folds, with a cv of n_repeats=2, {why}"
        n_in_reach = int(np.isfinite(needed).sum())
        if n_in_reach < len(needed):
            why += f"; repeats may decide on at most {n_in_reach:,} of the {len(needed):,} rivals"
        call = f"{calls.extend}n_repeats=1"
        assert scores.samples is not None
        is_given = isinstance(
            getattr(test, "instability", None), float
        )  # so that probes are unused
        if not (is_given or scores.samples.measured) and scores.n_available > N_PROBES:
            n_fits = N_PROBES * scores.n_splits
            best: Any = N_PROBES
            if calls.compare != Calls.compare:  # by another metric, the search has another order
                indices = comparison._candidate_names.indices
                best = sorted(indices[row] for row in scores.order[:N_PROBES])
            return (
                f"first refit the best three on other folds, {n_fits:,} fits, with {call}, "
                f"candidates={best}), {why}"
            )
        again = f"add a second repeat, of shuffled folds, with {call})"
        return again if scores.samples.measured is not None else f"first {again}, {why}"
    if not in_reach.size:
        return f"more samples may decide{_about_samples(comparison, table, open_rows)}"
    n_repeats = max(int(in_reach.max()), n_now + 1)
    how = f"{calls.extend}n_repeats={n_repeats - n_now})"
    if comparison.params is None:
        how = f"a cv of n_repeats={n_repeats}"
    if len(needed) == 1:
        seen = abs(float(table["mean_diff"].iloc[open_rows[0]]))
        return (
            f"{n_repeats:,} repeats instead of {n_now:,} ({how}) would find a true difference as "
            f"large as the observed {seen:.3g} with probability {_POWER:g}"
        )
    which = f"all {len(needed):,} rivals"
    rest = ""
    if in_reach.size < len(needed):
        which = f"{in_reach.size:,} of the {len(needed):,} rivals"
        rest = "; the others require more samples"
    return (
        f"{n_repeats:,} repeats instead of {n_now:,} ({how}) would decide on {which}, each with "
        f"probability {_POWER:g}, if the true differences are as observed{rest}"
    )


def _level(comparison: Comparison) -> float:
    """Level of a single verdict; for stepwise methods, that of the first step."""
    n_available = comparison.scores.n_available
    n_tests = 1 if comparison._settings.p_adjust is None else n_available * (n_available - 1) // 2
    # The power must be above the level, and the user may choose a high level.
    return min(comparison._settings.alpha / n_tests, _POWER / 2)


def _repeats_for(comparison: Comparison, table: pd.DataFrame, rows: Places) -> Numbers:
    """Smallest number of repeats that finds the observed difference, for some rows of the table."""
    scores, test = comparison.scores, comparison._settings.test
    # The rows of the table are the rivals in rank order.
    tests = test.against(scores, int(scores.order[0]), scores.order[rows + 1])
    differences = np.abs(table["mean_diff"].to_numpy()[rows])
    return test.repeats_needed(scores, tests, differences, power=_POWER, alpha=_level(comparison))


def _about_samples(comparison: Comparison, table: pd.DataFrame, rows: Places) -> str:
    """About how many samples would decide on the best rival; empty if unknown.

    Within the ROPE the verdict may be "equivalent", which does not follow from one quantile and
    requires more samples if candidates differ on few (`SampleTTest`): the number is unknown there.
    """
    scores, row, n_now = comparison.scores, int(rows[0]), _n_samples(comparison.scores)
    tests = comparison._settings.test.against(scores, int(scores.order[0]), scores.order[[row + 1]])
    difference, std_err = float(tests.mean_diff[0]), float(tests.std_err[0])
    df = float(np.ravel(tests.df)[0])  # one for all pairs, or one each
    times = times_to_decide(difference, std_err, df, alpha=_level(comparison))
    if n_now is None or np.isnan(times) or difference <= comparison._settings.rope[1]:
        return ""
    whom = ""
    if rows.size > 1:
        names = _label(table, "model_1", row), _label(table, "model_2", row)
        whom = f" to decide between {names[0]} and {names[1]}"
    if times > _MOST_SAMPLES:
        return f", over {_MOST_SAMPLES:,} times as many{whom}"
    about = float(f"{max(times, 1.1) * n_now:.2g}")  # two significant digits: it is an estimate
    units = " groups" if scores.samples is not None and "group" in scores.samples.words else ""
    return f", about {about:,.0f}{units} instead of {n_now:,}{whom}"


def _n_samples(scores: SplitScores) -> int | None:
    if scores.samples is not None:
        return scores.samples.n_samples
    design = scores.design
    if design.n_samples is not None or not design.sizes_known:
        return design.n_samples
    return int((design.n_train + design.n_test).max())


@dataclass(frozen=True)
class Undecided:
    """Pairs among the candidates that may be the best.

    Attributes
    ----------
    n_candidates : int
        Number of candidates that may be the best.
    n_pairs : int
        Number of pairs of these candidates.
    n_open : int
        Number of undecided pairs.
    n_out_of_reach : int
        Number of undecided pairs that infinitely many repeats would leave undecided as well, even
        if the mean difference moved two standard errors towards a verdict. The mean over J splits
        is within s/√J of its limit over all repeats of the same data. At that limit, its variance
        as an estimate for new data is q·s², the minimum. Tests of samples know both from the
        variance between repeats.
    """

    n_candidates: int
    n_pairs: int
    n_open: int
    n_out_of_reach: int

    @classmethod
    def of(cls, comparison: Comparison) -> Undecided:
        """Count them, by the comparison's own settings: family, adjustment, ROPE, alpha."""
        scores, settings = comparison.scores, comparison._settings
        settings.check_has_std_err('extend(until="decided")')
        test = settings.test
        rows = np.flatnonzero(comparison._possibly_best_members)
        # The family size is still that of `scores`, although fewer pairs are tested.
        if settings.adjustment.closed_form:  # these need no p-value of another pair
            among = scores.subset(rows)
            tests = test.all_pairs(among)
            chosen = np.ones(tests.first.shape, dtype=bool)
        else:
            among = scores
            tests = test.all_pairs(scores)
            chosen = np.isin(tests.first, rows) & np.isin(tests.second, rows)
        is_open = _undecided(scores, tests, settings)[chosen]
        out_of_reach = is_open.copy()
        # "maxt" draws a number for every split, so the limit needs a method without draws.
        in_the_limit = dataclasses.replace(settings, p_adjust=settings.adjustment.in_the_limit)
        limit, step = test.in_the_limit(among, tests)
        for moved in _shifted_both_ways(limit, step, settings.rope):
            out_of_reach &= _undecided(scores, moved, in_the_limit)[chosen]
        return cls(len(rows), is_open.size, int(is_open.sum()), int(out_of_reach.sum()))

    @property
    def stop_reason(self) -> str | None:
        """Why to stop before the next repeat: "decided" or "floor"; None to continue."""
        if not self.n_open:  # also where a single candidate may be the best
            return "decided"
        return "floor" if self.n_out_of_reach == self.n_open else None


def _shifted_both_ways(
    tests: PairedTTests, step: Numbers, rope: tuple[float, float]
) -> tuple[PairedTTests, PairedTTests]:
    """The same pairs shifted by `step`, once away from zero and once towards equivalence."""
    away = tests.mean_diff + np.copysign(step, tests.mean_diff)
    low, high = rope
    # A one-sided ROPE has no middle: shift towards its infinite end.
    if np.isinf(low) or np.isinf(high):
        nearer = tests.mean_diff + (np.isinf(high) * step - np.isinf(low) * step)
    else:
        middle = (low + high) / 2
        behind = tests.mean_diff - middle
        nearer = middle + np.copysign(np.maximum(np.abs(behind) - step, 0), behind)
    return (
        dataclasses.replace(tests, mean_diff=away),
        dataclasses.replace(tests, mean_diff=nearer),
    )


def _undecided(scores: SplitScores, tests: PairedTTests, settings: Settings) -> Flags:
    outside = tests.rope_probabilities(settings.rope)
    # A pair with a failed candidate has no verdict, and further splits cannot change that.
    decided = np.logical_or.reduce(Family(scores, tests, settings).decisions(outside))
    return np.asarray(~decided & ~np.isnan(tests.mean_diff))


_HISTORY = ["look", "n_splits", "n_fits", "possibly_best", "pairs", "undecided", "out_of_reach"]


@dataclass(frozen=True)
class InterimAnalyses:
    """The level of verdicts on scores that are analysed several times.

    Attributes
    ----------
    settings : dict
        Settings of the comparison; `alpha` is the level of each analysis.
    alpha : float
        Joint level of all of them, for which they were planned.
    looks : dict of int to float
        Level of each analysis that there can be, of the current scores and of earlier extensions,
        by number of splits.
    joint : float
        Their level together: above `alpha` if an earlier extension had planned for its own alone.
    stopped : str
        Why the extension with the last of them stopped, as a sentence; empty before.
    """

    settings: dict[str, Any]
    alpha: float
    looks: dict[int, float]
    joint: float
    stopped: str = ""

    @classmethod
    def planned(
        cls, settings: Mapping[str, Any], design: SplitDesign, *, n_candidates: int,
        repeats_at_a_time: int, max_fits: int, earlier: InterimAnalyses | None,
    ) -> InterimAnalyses:  # fmt: skip
        """Return the analyses that `max_fits` allows, after the earlier ones."""
        # Counted before any look: a number that depended on the scores would not keep the level.
        step, n = design.splits_per_repeat * repeats_at_a_time, design.n_splits
        # One for the current scores: they decide whether the first further repeat is run.
        further = range(n, n + step * (1 + max_fits // (n_candidates * step)), step)
        # Those that an earlier extension had planned for more splits than it made are no more.
        before = {k: own for k, own in (earlier.looks if earlier else {}).items() if k <= n}
        # An adjustment for all pairs shares the level among them; without one each pair has it all.
        n_pairs = n_candidates * (n_candidates - 1) // 2 if settings["p_adjust"] else 1
        joint = alpha = settings["alpha"]
        level = level_of_interim_analysis(design, [*{**before, n: 0}, *further[1:]], alpha, n_pairs)
        # Splits that were added between have been read at the earlier level.
        shown = before.get(n, earlier.settings["alpha"] if earlier else 0.0)
        looks = {**before, **dict.fromkeys(further, level), n: max(shown, level)}
        if before:
            joint = max(alpha, level_of_all_looks(design, looks, alpha, n_pairs))
        return cls({**settings, "alpha": level}, alpha, looks, joint)

    def ended(
        self, stop: str, found: Undecided, looks: Sequence[Mapping[str, int]], metric: str
    ) -> tuple[InterimAnalyses, dict[str, Any]]:
        """Return these analyses after an extension, and its fitted attributes."""
        stopped = _stop_sentence(stop, found, len(looks), metric)
        return dataclasses.replace(self, stopped=stopped), {
            # Named columns, since an extension that stops at once has no rows.
            "extension_history_": pd.DataFrame(looks, columns=_HISTORY),
            "extension_stop_": stop,
        }

    @property
    def note(self) -> str:
        """Why the extension stopped, and why the verdicts have another level than the user set.

        It is true of other metrics and settings too, whose comparisons repeat it.
        """
        own, most = self.settings["alpha"], max(self.looks.values())
        before = f" (at up to {most:.3g} in an earlier extension)" if most > own else ""
        level = (
            f"Each look is at alpha = {own:.3g}{before}, so that all "
            f"{count(len(self.looks), 'look')} that there could be together keep {self.joint:.3g}."
        )
        # `extend` by a number of repeats, or further splits, after them.
        return f"{self.stopped or 'Splits were added after the last look.'} {level}"


def _stop_sentence(stop: str, found: Undecided, n_looks: int, metric: str) -> str:
    """Why an extension stopped, as a sentence for the note of a comparison."""
    after = f"Extended by whole repeats, with {count(n_looks, 'look')} at the {metric}"
    if n_looks == 0:
        after = f"Not extended, by the {metric}"
    if found.n_candidates == 1:
        return f"{after}: a single candidate could be the best."
    candidates = f"the {count(found.n_candidates, 'candidate')} that could be the best"
    if stop == "decided":
        return f"{after}: no pair of {candidates} was undecided."
    were = "was" if found.n_open == 1 else "were"
    left = f"{found.n_open:,} of {count(found.n_pairs, 'pair')} of {candidates} {were} undecided"
    if stop == "floor":
        return f"{after}: {left}, and by these scores no number of repeats would change that."
    ended = "`max_fits`" if stop == "max_fits" else "there were no further repeats"
    return f"{after}, until {ended}: {left}."
