"""Comparison → the facts that every format of a report shows, and numbers and settings in words."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from string import ascii_letters
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._utils._formatting import (
    count,
    level_words,
    shown_decimals,
    shown_number,
)
from sklearn_stats_compare._utils._validation import shown
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._labels import Reader, params_in_full
from sklearn_stats_compare.comparison._tables import check_assumptions, doubtful_rope
from sklearn_stats_compare.comparison.readers._searches import metrics_of
from sklearn_stats_compare.datasets._comparison import DatasetsComparison
from sklearn_stats_compare.datasets._tests import check_dataset_assumptions
from sklearn_stats_compare.stats._best import groups_not_different, regret_bounds
from sklearn_stats_compare.stats._family import Settings
from sklearn_stats_compare.stats._nested import OptimismResult, folds_by_repeat, selection_optimism
from sklearn_stats_compare.stats._numeric import Numbers

LETTERED = 40
"""Maximum number of candidates with letters, the best first."""

# Letters need every pair's verdict, which takes too long for a report beyond this many pairs.
_MOST_PAIRS = 2_000_000

_MOST_PAIRS_DRAWN = 20_000

_HIGHEST = 1 - 2**-53


@dataclass(frozen=True, eq=False)
class Facts:
    """The content of a report, independent of its format.

    Attributes
    ----------
    comparison : Comparison
        The reported comparison, with two-sided p-values.
    metric : str
        Name of the score.
    alternative : str
        Alternative of the given comparison.
    ranking : DataFrame
        The comparison's ranking, with the columns ``letters`` ("" if there are none) and
        ``possibly_best``.
    leader_table : DataFrame
        The comparison's leader table, p-values two-sided.
    lettered : bool
        Whether there are letters.
    letters_left_out : bool
        Whether letters were left out because they take too long or are too many.
    strained : list of str
        Sentences on strained assumptions.
    optimism : OptimismResult or None
        Optimism of the leader's mean, by the fold bootstrap or, without known repeats, by
        Tibshirani's method; None if there was no choice.
    resolution : DataFrame
        Detectable differences of the leader from each candidate, per test.
    power : float
        Probability of detection: 0.8, or more if `alpha` is not below 0.8.
    digits : int or None
        Requested number of decimals.
    reference : str, default=""
        The reference candidate, if any.
    reference_table : DataFrame or None
        That candidate against every other, p-values two-sided.
    shortfall : float or None
        How much worse than the best the leader is at most; None if there was no choice.
    next_step : str, default=""
        A sentence on what to do next; the remarks begin with it.
    recommendation : str, default=""
        What `Comparison.recommend` says: by samples, where splits are few and values are kept.
    """

    comparison: Comparison
    metric: str
    alternative: str
    ranking: pd.DataFrame
    leader_table: pd.DataFrame
    lettered: bool
    letters_left_out: bool
    strained: list[str]
    optimism: OptimismResult | None
    resolution: pd.DataFrame
    power: float
    digits: int | None = None
    next_step: str = ""
    recommendation: str = ""
    reference: str = ""
    reference_table: pd.DataFrame | None = None
    shortfall: float | None = None

    @classmethod
    def of(
        cls,
        source: Any,
        *,
        metric: str | None = None,
        digits: int | None = None,
        reference: int | str | None = None,
    ) -> "Facts":
        """Read a Comparison, or anything that has one as ``comparison_``."""
        given = _comparison(source)
        against = None if reference is None else given.against(reference)
        given._settings.check_has_std_err("a report")
        # The ranking chose the direction, so a one-sided p-value may be too small by half.
        comparison = given
        if given.alternative != "two-sided":
            comparison = given.with_settings(alternative="two-sided")
        most = _MOST_PAIRS_DRAWN if given._settings.adjustment.joint else _MOST_PAIRS
        testable = given.scores.n_available >= 2 and given.scores.n_splits >= 2
        letters = _letters(comparison) if testable and given.scores.n_pairs <= most else None
        ranking = comparison.ranking()
        members = given._possibly_best_members[given.scores.order]
        some = letters or []
        padded = some + [""] * (len(ranking) - len(some))
        power = 0.8 if given.alpha < 0.8 else min((1 + given.alpha) / 2, _HIGHEST)
        said = given.next_step()
        strained = check_assumptions(
            given.scores, given._settings.test, advising=not said, params=given.params,
            metric=given.metric, kept=given._keeps_values,
        )  # fmt: skip
        strained += filter(None, [doubtful_rope(given.scores, given._settings.rope)])
        return cls(
            comparison=comparison,
            metric=given.metric if metric is None else metric,
            alternative=given.alternative,
            ranking=ranking.assign(letters=padded, possibly_best=members),
            leader_table=comparison.against(),
            lettered=letters is not None,
            letters_left_out=testable and letters is None,
            strained=strained,
            optimism=_optimism(given) if testable else None,
            # No power is above the highest possible level; the level just below it is as good.
            resolution=given.plan(
                power=power, alpha=given.alpha if given.alpha < power else 2 * power - 1
            ),
            power=power,
            digits=digits,
            # A single candidate, against which there is none.
            reference="" if against is None else str([*against["model_1"], *ranking["label"]][0]),
            reference_table=against,
            shortfall=_shortfall(given) if testable else None,
            next_step=f"Next: {said}" if said else "",
            # After a race recommend() would warn, and the next step names it.
            # That of a search says what its predict() uses.
            recommendation=repr(getattr(source, "recommend", given.recommend)()).replace("\n", " ")
            if testable and not given._may_lack_the_best
            else "",
        )

    @property
    def settings(self) -> Settings:
        """Test, adjustment, ROPE and level of the comparison."""
        return self.comparison._settings

    @property
    def tested(self) -> bool:
        """Whether there is a pair to test, and enough splits."""
        return bool(self.comparison.scores.n_pairs) and self.comparison.scores.n_splits > 1

    @property
    def has_rivals(self) -> bool:
        """Whether there is a leader, and another candidate."""
        return bool(len(self.leader_table)) and self.comparison.leader is not None

    @property
    def n_referred(self) -> int:
        """Number of tests of the reference."""
        table = self.reference_table
        return 0 if table is None else int(table["verdict"].ne("missing").sum())

    @property
    def n_missing(self) -> int:
        """Number of candidates that failed on some split."""
        scores = self.comparison.scores
        return scores.n_candidates - scores.n_available

    @cached_property
    def params(self) -> dict[str, str]:
        """All parameters of each candidate as text, by label; empty if unknown."""
        labels = self.comparison.labels or ()
        read = Reader()
        return {
            label: params_in_full(params, read)
            for label, params in zip(labels, self.comparison.params or (), strict=False)
        }

    def dfs(self, table: pd.DataFrame) -> Numbers:
        """Degrees of freedom of the tests in a table of one candidate against others."""
        scores, test = self.comparison.scores, self.settings.test
        if test.of_splits or table.empty:
            return np.full(len(table), float(test.df(scores)))
        place = {label: i for i, label in enumerate(self.comparison.labels or ())}
        others = np.array([place[label] for label in table["model_2"]])
        first = place[table["model_1"].iloc[0]]
        return np.broadcast_to(test.against(scores, first, others).df, others.shape).astype(float)

    # Used for every number of a table: computing a median each time would be quadratic.
    @cached_property
    def decimals(self) -> int:
        """Decimals that show three digits of a typical standard error of a mean."""
        if self.digits is not None:
            return self.digits
        return shown_decimals(self.ranking["std_err"].to_numpy())

    @cached_property
    def difference_decimals(self) -> int:
        """The same for differences, because their standard errors may be far smaller."""
        if self.digits is not None:
            return self.digits
        return max(self.decimals, shown_decimals(self.leader_table["std_err"].to_numpy()))


@dataclass(frozen=True, eq=False)
class DatasetsFacts:
    """The content of a report over data sets, as far as it is not in the comparison."""

    comparison: DatasetsComparison
    digits: int | None = None
    reference_table: pd.DataFrame | None = None
    params: Mapping[str, str] = field(default_factory=dict)

    @property
    def metric(self) -> str:
        """Name of the score."""
        return self.comparison.metric

    @property
    def decimals(self) -> int:
        """Decimals of scores."""
        return 4 if self.digits is None else self.digits

    @property
    def difference_decimals(self) -> int:
        """Decimals of differences."""
        return self.decimals

    @property
    def reference(self) -> str:
        """Label of the model that was named beforehand; "" if none was."""
        table = self.reference_table
        return "" if table is None else str(table["model_1"].iloc[0])

    @cached_property
    def strained(self) -> list[str]:
        """Sentences on what strains the tests."""
        return check_dataset_assumptions(self.comparison.values, self.comparison._settings)


AnyFacts = Facts | DatasetsFacts


def all_facts(source: Any, digits: int | None, reference: int | str | None = None) -> list[Facts]:
    """The facts of every metric, from a mapping or from a search with several metrics."""
    # A search with several metrics may have no `comparison_`; its comparisons are named by metric.
    refit = None
    if getattr(source, "multimetric_", False) and hasattr(source, "compare"):
        refit = getattr(source.refit, "metric", source.refit)  # of a rule
        refit = refit if isinstance(refit, str) else None
        names = sorted(metrics_of(source.cv_results_), key=lambda name: name != refit)
        search, source = source, {name: source.compare(metric=name) for name in names}
    if not isinstance(source, Mapping):
        return [Facts.of(source, digits=digits, reference=reference)]
    for name in source:
        if not isinstance(name, str):
            raise TypeError(f"`comparison` must have names of metrics as keys; got {shown(name)}.")
    if not source:
        raise ValueError("`comparison` must hold at least one metric; got {}.")
    found: list[Facts] = []
    for name, given in source.items():
        found.append(Facts.of(given, metric=name, digits=digits, reference=reference))
        reference = found[0].reference or None  # a number may be of another in another order
    if refit is not None:  # by which one candidate is deployed
        found[1:] = [replace(facts, recommendation="") for facts in found[1:]]
        if found[0].recommendation:
            said = repr(search.recommend()).replace("\n", " ")
            found[0] = replace(found[0], recommendation=said)
    candidates = [set(facts.ranking["label"]) for facts in found]
    for facts, own in zip(found, candidates, strict=True):
        if own != candidates[0]:
            raise ValueError(
                "`comparison` must be of the same candidates by every metric; those of "
                f"{shown(facts.metric)} are others than those of {shown(found[0].metric)}."
            )
        if facts.comparison.scores.n_splits != found[0].comparison.scores.n_splits:
            raise ValueError(
                "`comparison` must be of the same splits by every metric; those of "
                f"{shown(facts.metric)} are others than those of {shown(found[0].metric)}. Compare "
                "over data sets by compare_datasets."
            )
    return found


def _comparison(source: Any) -> Comparison:
    given = source
    if hasattr(type(source), "comparison_") or hasattr(source, "comparison_"):
        given = source.comparison_  # its errors say what to do instead
    if not isinstance(given, Comparison):
        raise TypeError(
            "`comparison` must be a Comparison or have one as `comparison_`, as a fitted search "
            f"does, or be a mapping of metrics to such; got {type(source).__name__}."
        )
    return given


def _shortfall(comparison: Comparison) -> float:
    leader = comparison.scores.order[:1]
    settings = comparison._settings
    bounds = regret_bounds(
        comparison.scores, alpha=settings.alpha, test=settings.test, candidates=leader
    )
    return float(bounds[leader[0]])


def _optimism(comparison: Comparison) -> OptimismResult:
    scores = comparison.scores
    method = "fold_bootstrap" if folds_by_repeat(scores) else "tibshirani"
    # A report repeats.
    return selection_optimism(scores, method=method, rng=0, metric=comparison.metric)


def _letters(comparison: Comparison) -> list[str] | None:
    n = min(LETTERED, comparison.scores.n_available)
    table = comparison.frequentist()
    first, second = (table[name].cat.codes.to_numpy() for name in ("model_1", "model_2"))
    differs = table["verdict"].isin(["better", "worse"]).to_numpy() & (second < n) & (first < n)
    return compact_letters(n, zip(first[differs].tolist(), second[differs].tolist(), strict=True))


NAMED = 3
"""Number of list items named in a sentence; the others are counted."""

# Adjustment → how its intervals are made. Holm's verdicts have no simple intervals.
_INTERVALS: Mapping[str | None, str] = {
    "bonferroni": "by Bonferroni's method",
    "sidak": "by Šidák's method",
    "holm": "by Bonferroni's method",
    "maxt": "by single-step max-t",
}


def number(value: float, decimals: int) -> str:
    """A number as text, or text for a missing or infinite one."""
    if np.isnan(value):
        return "–"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return shown_number(value, decimals).replace("-", "−")


def p_value(p: float, alpha: float) -> str:
    """A p-value as printed in papers, with "=" or "<"."""
    if np.isnan(p):
        return "–"
    if p < alpha < 0.001:  # the floor would hide the decision
        return f"= {p:.1e}"
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def adjusted(facts: Facts, n_tests: int | None = None) -> str:
    """How p-values were adjusted, as ``"adjusted for 6 pairs by Bonferroni's method"``.

    The family is all pairs, or `n_tests` of a reference.
    """
    adjustment = facts.settings.adjustment
    if not adjustment.prose:
        return f"not adjusted for the number of {'pairs' if n_tests is None else 'tests'}"
    return f"adjusted for {_family(facts, n_tests)} {adjustment.prose}"


def interval_words(facts: Facts, n_tests: int | None = None) -> str:
    """The kind of intervals in a table, as ``"95 % intervals, simultaneous …"``."""
    adjustment = facts.settings.adjustment
    if not adjustment.simultaneous:
        return f"{level(facts)} intervals, each by itself and not adjusted"
    family = _family(facts, n_tests)
    return f"{level(facts)} intervals, simultaneous for {family} {_INTERVALS[adjustment.name]}"


def _family(facts: Facts, n_tests: int | None) -> str:
    if n_tests is None:
        return count(facts.comparison.scores.n_pairs, "pair")
    return count(n_tests, "test")


def level(facts: AnyFacts) -> str:
    """The level of intervals, as ``"95 %"``."""
    return unbroken(level_words(facts.comparison.alpha))


def alpha_words(facts: AnyFacts) -> str:
    """The level of the tests, as ``"alpha = 0.05"``."""
    return unbroken(f"alpha = {facts.comparison.alpha:g}")


def rope_words(facts: AnyFacts) -> str:
    """The ROPE in score units."""
    low, high = facts.comparison._settings.rope
    rope = facts.comparison.rope
    if np.isnan(high):
        return f"{rope} of the leader's |mean|"
    if low == -high:
        share = f" ({rope} of the leader's |mean|)" if isinstance(rope, str) else ""
        return f"±{high:.4g}{share}"
    if np.isinf([low, high]).any():
        return f"{number(low, 4)} to {number(high, 4)}"
    return f"{low:.4g} to {high:.4g}".replace("-", "−")


def listed(items: Sequence[str], n: int | None = None, *, most: int = NAMED) -> str:
    """A list in words: the first items, and the number of further ones of `n`."""
    n, named = len(items) if n is None else n, list(items[:most])
    if n > len(named):
        where = " in the table" if most == NAMED else ""
        return f"{', '.join(named)} and {n - len(named):,} more{where}"
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


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


# Noncharacters, which Unicode reserves for internal use.
_OPEN, _CLOSE, _SPACE = "\ufdd0", "\ufdd1", "\ufdd2"

_SPAN = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")

_CITED = re.compile(r"cite:[A-Za-z0-9:.,_-]+")

_SYMBOLS = re.compile(r"\b[pt]-(?:values?|tests?|statistics?)\b|\b1/\d+ \+ [\d.]+\b")


def unbroken(text: str) -> str:
    """Mark text that stays on one line, with symbols that a format may set as mathematics."""
    return f"{_OPEN}{text}{_CLOSE}"


def cited(works: Iterable[str]) -> str:
    """Mark a citation of the works with these keys."""
    keys = ",".join(works)
    return f"{_OPEN}cite:{keys}{_CLOSE}" if keys else ""


def with_symbols(text: str) -> str:
    """Our own text, with p-values, t-tests and sums of fractions marked as `unbroken`."""
    return _SYMBOLS.sub(lambda match: unbroken(match[0]), text)


def laid_out(
    sentence: str,
    text: Callable[[str], str],
    span: Callable[[str], str],
    cite: Callable[[list[str]], str] = lambda keys: "",
) -> str:
    """Lay out a sentence: each of its parts by the function of its kind.

    The text between two marks may be anything, because labels may contain any character.
    """
    parts = []
    for k, piece in enumerate(_SPAN.split(sentence)):
        if not k % 2:
            parts.append(text(piece))
        elif _CITED.fullmatch(piece):
            parts.append(cite(piece.removeprefix("cite:").split(",")))
        else:
            parts.append(span(piece))
    return "".join(parts)


def without_spans(sentence: str) -> str:
    """The sentence as plain text."""
    return laid_out(sentence, str, str)


def filled(sentence: str, fill: Callable[[str], str]) -> str:
    """The sentence with its lines broken by `fill`, but not within an unbroken part."""
    held = laid_out(sentence, str, lambda piece: piece.replace(" ", _SPACE))
    return fill(held).replace(_SPACE, " ")
