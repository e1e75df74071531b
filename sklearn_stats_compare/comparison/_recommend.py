"""recommend(): which candidate to deploy, and what it and the cheaper ones may cost at most."""

from __future__ import annotations

import copy
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _formatting
from sklearn_stats_compare.comparison._labels import candidate_labels
from sklearn_stats_compare.comparison._tables import LOST, ChosenByScores
from sklearn_stats_compare.stats._best import observed_front, regret_bounds

if TYPE_CHECKING:
    from sklearn_stats_compare.comparison._comparison import Comparison

_MOST_CHEAPER = 3

_LABEL_WIDTH = 40

_WIDTH = 92


@dataclass(frozen=True, eq=False)
class Recommendation:
    """Result of `Comparison.recommend`: one candidate to deploy, with its price.

    Attributes
    ----------
    index : int
        Index of the candidate: its row in ``cv_results_``.
    label : str
        Its label.
    params : mapping
        Its parameters; empty if they are not known.
    at_most : float
        How much worse than the best it may be, in score units: with probability at least 1 − alpha,
        no candidate exceeds its bound. NaN with one split.
    candidates : DataFrame
        A row per candidate, in rank order, indexed by candidate, with the columns ``label``,
        ``mean``, ``cost`` (what the rule orders candidates by, the smallest first), ``at_most``,
        ``kept`` (whether it is good enough), ``why``, ``frontier`` (no other candidate has a cost
        and a bound that are as small and one that is smaller) and ``chosen``.
    metric : str
        Name of the score.
    by : str
        What ``cost`` is.
    within : float or str
        Which candidates are good enough, as for `Simplest`.
    naming : str
        What labels are made of, as a sentence; "" if they show it.
    """

    index: int
    label: str
    params: Any
    at_most: float
    candidates: pd.DataFrame = field(repr=False)
    metric: str = "score"
    by: str = ""
    within: float | str = 0.0
    naming: str = ""
    _said: str = field(default="", repr=False)

    def __repr__(self) -> str:
        return self._said

    def plot(self, **options: Any) -> Any:
        """Draw the cost of each candidate against its bound.

        Parameters
        ----------
        **options
            As for ``from_recommendation`` of `displays.RecommendationDisplay`, such as ``ax``.

        Returns
        -------
        display : RecommendationDisplay
            The display, drawn; ``display.figure_`` is the figure.
        """
        # A layer above, imported when it is asked for.
        from sklearn_stats_compare import displays

        return displays.RecommendationDisplay.from_recommendation(self, **options)


def recommend(
    comparison: Comparison, by: Any, within: Any, refitted: int | None = None
) -> Recommendation:
    """See `Comparison.recommend`; `refitted` is the candidate that a search predicts with."""
    # The rule of `refit`, a layer above, imported when it is asked for.
    from sklearn_stats_compare.search._selection import (
        AS_CHEAP,
        Simplest,
        default_order,
        directions_of,
        time_columns,
        with_best_mean,
    )

    judged = comparison._by_samples() or comparison
    scores, settings = judged.scores, judged._settings
    if not scores.n_available:
        raise ValueError("No candidate can be recommended: every candidate failed on some split.")
    settings.check_has_std_err("recommend")
    results = judged._results_of_rules()
    by = default_order(results) if by is None else by
    rule = Simplest(by, within, alpha=settings.alpha, rope=settings.rope)
    rule.check(results["params"], scoring=callable)  # the results have the metrics
    row, report = rule.choose(results, scores, settings.test)
    judged._warn_of_survivors("The recommendation", settings.alpha)
    bounds = regret_bounds(scores, alpha=settings.alpha, test=settings.test)
    complexity = report["complexity"].tolist()
    places = places_of(complexity)
    if times := time_columns(by):
        cost, what, first = complexity, _SECONDS if len(times) > 1 else by, _AS_FAST
    else:
        alike = places.max() == 1
        cost, what, first = _cost(complexity, alike, None if callable(by) else directions_of(by))
    table = judged._ranked_with(at_most=bounds).drop(columns="behind")
    table.insert(2, "cost", cost)
    table = table.assign(**{name: report[name].to_numpy() for name in ("kept", "why", "chosen")})
    gains = -np.column_stack([places, table["at_most"]])
    known = ~np.isnan(gains).any(axis=1)
    table["frontier"] = False
    table.loc[known, "frontier"] = observed_front(gains[known])
    loss = settings.rope[1] if within is None else within
    loss = loss if isinstance(loss, str) else float(loss)  # also of a Fraction
    if isinstance(loss, str):
        of_means = f"with a mean within {loss} of the leader's"
        reason = _ENOUGH.get(loss, of_means).format(settings.rope[1])
    else:
        reason = f"shown to be within {'the ROPE' if within is None else f'{loss:.3g}'} of the best"
    n_kept = int(table["kept"].sum())
    if scores.n_available == 1:
        reason = "the only candidate with a score on every split"
    elif not isinstance(loss, str) and not (bounds <= loss).any():
        weighed = "time" if times else what or "cost"
        best = f"the best mean, whatever its {weighed}"
        n_best = int(with_best_mean(scores).sum())
        if n_best > 1 and places.max() > 1:
            best = f"{'the fastest' if times else first} of the {n_best:,} with the best mean"
        reason = f"{best}; no candidate is {reason}"
    elif n_kept == 1:
        reason = f"the only candidate {reason}"
    else:
        reason = f"{first} of the {n_kept:,} {reason}"
    names = judged._candidate_names
    return Recommendation(
        names.indices[row],
        names.labels[row],
        # Copies: who sets them on an estimator and fits it leaves the search as it is.
        {} if judged.params is None else copy.deepcopy(judged.params[row]),
        float(bounds[row]),
        table,
        metric=judged.metric,
        by=what,
        within=loss,
        naming=judged._naming,
        _said=_said(judged, table, reason, places, (what, AS_CHEAP) if times else None, refitted),
    )


_SECONDS = "seconds to fit and score"

_AS_FAST = "the best mean among those that take less than twice as long as the fastest"

_ENOUGH = {
    "possibly_best": "that may be the best",
    "rope": "not shown to be over {:.3g} (the ROPE) worse than the leader",
    "1se": "with a mean at most one standard error of the difference below the leader's",
}
"""What each rule keeps, in words."""


def places_of(costs: Sequence[Any]) -> NDArray[np.float64]:
    """Place of each in the order of the costs, from 1; ties share one, and NaN is last."""
    order = sorted(range(len(costs)), key=lambda k: (costs[k] != costs[k], costs[k]))
    places = np.ones(len(costs))
    for before, k in pairwise(order):  # costs may be lists, which have no hash
        places[k] = places[before] + (costs[k] != costs[before])
    return places


def _cost(
    complexity: list[Any], alike: bool, directions: Mapping[Any, str] | None
) -> tuple[list[Any], str, str]:
    """What candidates cost, its name, and what the first in that order is called.

    `directions` are of names; None if a function of the parameters orders them.
    """
    if directions is None:
        return complexity, "" if alike else "complexity", "the " + ("best" if alike else "simplest")
    name = ", ".join(map(str, directions))
    if len(directions) > 1:
        return complexity, name, "the simplest"
    # Numbers are negated where the larger is the simpler.
    negated = "descending" in directions.values()
    size = "largest" if negated else "smallest"
    values = [-value for value in complexity] if negated else complexity
    return values, name, f"the {size} {name.rpartition('__')[2]}"


def _said(
    judged: Comparison,
    table: pd.DataFrame,
    reason: str,
    places: NDArray[np.float64],
    as_cheap: tuple[str, float] | None,
    refitted: int | None,
) -> str:
    """The recommendation in two to five lines."""
    scores, settings = judged.scores, judged._settings
    chosen = int(np.flatnonzero(table["chosen"])[0])
    names: Sequence[str] = judged._candidate_names.labels
    if judged.params is not None and judged._naming:
        named = candidate_labels(judged.params, named=True)
        names = named if max(map(len, named)) <= _LABEL_WIDTH else names
    short = _formatting.short_labels([names[row] for row in scores.order], _LABEL_WIDTH)
    labels = [short[names[row]] for row in scores.order]
    bounds = table["at_most"].to_numpy()
    lines = [f"Deploy {labels[chosen]}: {reason}."]
    if scores.n_available > 1:
        price = f"at most {_formatting.rounded_up(bounds[chosen])} below the best of"
        if bounds[chosen] == 0:
            alike = "it alone" if (bounds == 0).sum() == 1 else "it and its equals"
            price = f"{alike} may be the best of"
        splits = _formatting.count(scores.n_splits, "split")
        basis = splits if settings.test.of_splits else "samples"
        price += f" {scores.n_available:,} ({_formatting.level_words(settings.alpha)})"
        if np.isnan(bounds[chosen]):
            price = "one split gives no bound on what it may cost"
        std_err = float(settings.test.std_errs(scores)[scores.order[chosen]])
        mean = _formatting.plus_minus(float(table["mean"].iloc[chosen]), std_err)
        lines.append(f"By {basis}: mean {_formatting.one_line(judged.metric, 40)} {mean}; {price}.")
    cheaper = np.flatnonzero(table["frontier"].to_numpy() & (places < places[chosen]))
    times = None
    if as_cheap is not None:
        seconds = table["cost"].to_numpy(dtype=float)
        times = seconds[chosen] / seconds
        cheaper = cheaper[times[cheaper] >= as_cheap[1]]
    parts, own = [], _formatting.rounded_up(bounds[chosen])
    for k in cheaper[np.argsort(bounds[cheaper], kind="stable")][:_MOST_CHEAPER]:
        faster = "" if times is None else f"is {_formatting.two_digits(times[k])} × faster and "
        cost = _formatting.rounded_up(bounds[k])
        parts.append(f"{labels[k]} {faster}may cost up to {cost}{' too' if cost == own else ''}")
    if parts:
        n_more = cheaper.size - len(parts)
        more = f"; {n_more:,} more in candidates" if n_more else ""
        kind = "Simpler" if as_cheap is None else f"Cheaper in {as_cheap[0]}"
        lines.append(f"{kind}: {'; '.join(parts)}{more}.")
    if settings.test.of_splits and (judged._lost or LOST in judged.note):
        lines.append(LOST)
    if isinstance(judged.note, ChosenByScores):
        lines.append(judged.note.instead)
    if refitted in table.index and refitted != table.index[chosen]:
        lines.append(f"predict() of this search uses {labels[table.index.get_loc(refitted)]}.")
    # No line ends between a number and its percent sign.
    joined = (_formatting.visible(line).replace(" %", "\0%") for line in lines)
    wrapped = (textwrap.wrap(line, _WIDTH) for line in joined)
    return "\n".join(line for lines in wrapped for line in lines).replace("\0%", " %")
