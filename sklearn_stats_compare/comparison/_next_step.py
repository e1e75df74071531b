"""next_step(): what to do about what a comparison found, in a sentence or two."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import count, short_labels
from sklearn_stats_compare.comparison._by_predictions import ByPredictions
from sklearn_stats_compare.comparison._chosen_by_scores import ChosenByScores
from sklearn_stats_compare.stats import SampleTTest, SplitScores, repeats_of, times_to_decide

_MOST_REPEATS = 5
"""Times the repeats so far; beyond that, more samples cost less than more fits."""
_FEW_SPLITS = 100
"""With 10 × 10 folds the test of splits has as much power as that of samples."""
_MOST_SAMPLES = 1000
"""Times the samples so far; larger numbers are reported as "over" this many times."""
_POWER = 0.5
"""Probability of finding a difference as large as the observed one."""


def next_step(self: ByPredictions) -> str:
    """What to do next, in a sentence or two; empty where there is no leader or no rival.

    Notes
    -----
    If rivals are undecided, the advice is the first of these that applies. (1) Values of single
    samples instead of few splits, which need no further fit if predictions were kept. (2) A second
    repeat, if samples are tested and there is only one repeat, because one repeat does not show how
    much the models change when they are retrained. (3) Further repeats, if at most five times as
    many would find true differences as large as the observed ones, each with probability 0.5 at the
    level of the verdicts. (4) More samples, if no number of repeats would. Their number is for the
    best rival, with the same probability, and assumes that the variance falls as one over the
    number of samples. Folds that cannot be drawn anew, such as those of LeaveOneGroupOut, have no
    further repeats.

    The advice may also name the simplest of the candidates that may be the best, and how far
    its mean can be below the leader's. If that is more than the ROPE and the leader's standard
    error, the advice names a rule that limits it: see `choose`.

    If the scores chose the candidates, as in halving or tuned searches, the advice is the
    cross-validation that can compare them.

    Examples
    --------
    >>> import textwrap
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn_stats_compare import StatisticalGridSearchCV
    >>> search = StatisticalGridSearchCV(
    ...     make_pipeline(StandardScaler(), LogisticRegression()),
    ...     {"logisticregression__C": [0.001, 1.0, 10.0]},
    ...     scoring="neg_log_loss", cv=5, test="samples",
    ... ).fit(*load_breast_cancer(return_X_y=True))
    >>> print(textwrap.fill(search.comparison_.next_step(), 96))
    Undecided against 10.0: first add a second repeat with search.extend(X, y, n_repeats=1), because
    one repeat does not show how much the models change when they are retrained. The other candidate
    that may be the best has a mean 0.0505 below the leader's;
    choose(SimplestWithinOneStandardError(…)) limits that difference.
    """
    if isinstance(self.note, ChosenByScores):
        return self.note.instead
    scores, settings = self.scores, self.settings
    if scores.n_available < 2 or not settings.test.has_std_err:
        return ""
    table: pd.DataFrame = self._leader_table
    # By position: pandas hashes the labels of a subset, and fails with half a surrogate pair.
    open_rows = np.flatnonzero(table["verdict"].to_numpy() == "undecided")
    members = self._possibly_best_members
    if not open_rows.size:
        return _decided(table, int(members.sum()))
    against = _against(_label(table, "model_2", open_rows[0]), open_rows.size - 1)
    return f"{against}: {_what_would_decide(self, table, open_rows)}{_simplest(self, members)}."


def _decided(table: pd.DataFrame, n_best: int) -> str:
    leader = _label(table, "model_1", 0)
    n_equivalent = int((table["verdict"] == "equivalent").sum())
    if not n_equivalent:
        return f"Decided: refit {leader}, the only candidate that may be the best."
    others = count(n_equivalent, "equivalent candidate")
    choice = f"simplest or the cheapest of the {n_equivalent + 1:,}"
    if n_equivalent == 1:
        choice = "simpler or the cheaper of the two"
    return f"Decided: {leader} has {others}; take the {choice}."


def _against(first: str, n_others: int) -> str:
    others = f" and {count(n_others, 'other candidate')}" if n_others else ""
    return f"Undecided against {first}{others}"


def _label(table: pd.DataFrame, column: str, row: int) -> str:
    # As in the terminal's table, which shows the best dozen.
    best = [*table["model_1"].iloc[:1], *table["model_2"].iloc[:11]]
    label = table[column].iloc[row]
    shown = short_labels(map(str, [*best, label]), 40)[str(label)]
    # "against 2 and 1 other candidate" would read as two numbers of candidates.
    return f"candidate {shown}" if shown.isdecimal() else shown


def _simplest(self: ByPredictions, members: NDArray[np.bool_]) -> str:
    """What choosing a simple candidate may cost if there is no decision."""
    scores, n_best = self.scores, int(members.sum())
    if n_best == 0:  # with one split there is no standard error
        return ""
    if n_best == 1:
        return "; or take the leader"
    leader = int(scores.order[0])
    behind = float(scores.means[leader] - scores.means[members].min())
    # What Breiman et al. (1984, section 3.4.3) would give up for a smaller tree. With few splits
    # the set may hold candidates that are several standard errors behind.
    one_std_err = float(self.settings.test.std_errs(scores)[leader])
    if behind <= max(self.settings.rope[1], one_std_err):
        if n_best == 2:
            labels = self._candidate_names.labels
            names = short_labels(labels, 40)
            two = " and ".join(names[labels[row]] for row in np.flatnonzero(members))
            return f"; or take the simpler of {two}, whose means are {behind:.3g} apart"
        return (
            f"; or take the simplest of the {n_best:,} candidates that may be the best, whose "
            f"means are up to {behind:.3g} below the leader's"
        )
    some = f"The {n_best:,} candidates that may be the best have means up to"
    if n_best == 2:
        some = "The other candidate that may be the best has a mean"
    # A rule needs parameters, which models named by hand do not have.
    limit = "; choose(SimplestWithinOneStandardError(…)) limits that difference"
    return f". {some} {behind:.3g} below the leader's{'' if self.params is None else limit}"


def _repeats_in_all(self: ByPredictions, n_repeats: int, n_now: int) -> str:
    """How to get further repeats: extend a search; evaluate anything else again."""
    if self.params is None:
        return f"a cv of n_repeats={n_repeats}"
    return f"search.extend(X, y, n_repeats={n_repeats - n_now})"


def _what_would_decide(
    self: ByPredictions, table: pd.DataFrame, open_rows: NDArray[np.intp]
) -> str:
    scores, test = self.scores, self.settings.test
    if test.of_splits and scores.n_splits < _FEW_SPLITS and _may_go_by_samples(self):
        if self.predicted is not None:
            return 'compare by samples instead of splits, with_settings(test="samples")'
        return 'a fit with test="samples" can decide more on the same splits'
    if test.of_splits and not scores.design.sizes_known and scores.n_splits < _FEW_SPLITS:
        return 'cross_validate_models(…, test="samples") may decide more on the same splits'
    repeats = repeats_of(scores)
    n_now = 0 if isinstance(repeats, str) else repeats[0]
    if n_now == 1 and not test.of_splits:
        how = _repeats_in_all(self, 2, 1)
        return (
            f"first add a second repeat with {how}, because one repeat does not show how much the "
            "models change when they are retrained"
        )
    needed = _repeats_for(self, table, open_rows) if n_now else np.empty(0)
    in_reach = needed[needed <= _MOST_REPEATS * n_now]
    if not in_reach.size:
        return f"more samples may decide{_about_samples(self, table, open_rows)}"
    n_repeats = max(int(in_reach.max()), n_now + 1)
    how = _repeats_in_all(self, n_repeats, n_now)
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


def _level(self: ByPredictions) -> float:
    """Level of a single verdict; for stepwise methods, that of the first step."""
    n_available = self.scores.n_available
    n_tests = 1 if self.settings.p_adjust is None else n_available * (n_available - 1) // 2
    # The power must be above the level, and the user may choose a high level.
    return min(self.settings.alpha / n_tests, _POWER / 2)


def _repeats_for(
    self: ByPredictions, table: pd.DataFrame, rows: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Smallest number of repeats that finds the observed difference, for some rows of the table."""
    scores, test = self.scores, self.settings.test
    # The rows of the table are the rivals in rank order.
    tests = test.against(scores, int(scores.order[0]), scores.order[rows + 1])
    differences = np.abs(table["mean_diff"].to_numpy()[rows])
    return test.repeats_needed(scores, tests, differences, power=_POWER, alpha=_level(self))


def _about_samples(self: ByPredictions, table: pd.DataFrame, rows: NDArray[np.intp]) -> str:
    """About how many samples would decide on the best rival; empty if unknown.

    Within the ROPE the verdict may be "equivalent", which does not follow from one quantile and
    requires more samples if candidates differ on few (`SampleTTest`): the number is unknown there.
    """
    scores, row, n_now = self.scores, int(rows[0]), _n_samples(self.scores)
    rival = scores.order[[row + 1]]
    tests = self.settings.test.against(scores, int(scores.order[0]), rival)
    difference, std_err = float(tests.mean_diff[0]), float(tests.std_err[0])
    times = times_to_decide(difference, std_err, float(tests.df), alpha=_level(self))
    if n_now is None or np.isnan(times) or difference <= self.settings.rope[1]:
        return ""
    whom = ""
    if rows.size > 1:
        names = _label(table, "model_1", row), _label(table, "model_2", row)
        whom = f" to decide between {names[0]} and {names[1]}"
    if times > _MOST_SAMPLES:
        return f", over {_MOST_SAMPLES:,} times as many{whom}"
    about = float(f"{max(times, 1.1) * n_now:.2g}")  # two significant digits: it is an estimate
    return f", about {about:,.0f} instead of {n_now:,}{whom}"


def _n_samples(scores: SplitScores) -> int | None:
    if scores.samples is not None:
        return scores.samples.n_samples
    design = scores.design
    if design.n_samples is not None or not design.sizes_known:
        return design.n_samples
    return int((design.n_train + design.n_test).max())


def _may_go_by_samples(self: ByPredictions) -> bool:
    try:
        SampleTTest().check(self.scores.design)
    except ValueError:
        return False
    return True
