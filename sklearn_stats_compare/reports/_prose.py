"""Facts → paragraphs fit for the methods and results of a paper."""

from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import count, level_words, sentence, shown_number
from sklearn_stats_compare.reports._bibliography import (
    EQUIVALENCE,
    LETTERS,
    OPTIMISM,
    POSSIBLY_BEST,
    ROPE,
)
from sklearn_stats_compare.reports._facts import LETTERED, Facts
from sklearn_stats_compare.reports._spans import cited, unbroken, with_symbols

_NAMED = 5
_CAVEAT = (
    " The correction is approximate: it stays optimistic where all candidates are near chance (an "
    "accuracy by up to about 0.07, so that one slightly above chance is no signal), and is "
    "pessimistic where one is clearly better. For a figure to publish use nested cross-validation "
    "or an untouched test set."
)


def methods(all_facts: list[Facts]) -> list[str]:
    """A paragraph on the methods for all metrics that were compared alike."""
    alike: dict[str, list[Facts]] = {}
    for facts in all_facts:
        alike.setdefault(_methods(facts, ""), []).append(facts)
    paragraphs = [
        _methods(group[0], _some([facts.metric for facts in group], shown=len(group)))
        for group in alike.values()
    ]
    if len(all_facts) > 1 and all_facts[0].settings.adjustment.prose:
        paragraphs[-1] += with_symbols(
            f" p-values were adjusted within each metric, not over the {len(all_facts)} of them."
        )
    return paragraphs


def findings(facts: Facts, *, several: bool = False, first: bool = True) -> list[str]:
    """Results, and the leader's luck if there was a choice; of one of `several` metrics.

    What the correction for that luck is worth is said with the `first` of them.
    """
    return list(filter(None, [_results(facts, several), _luck(facts, first)]))


def remarks(facts: Facts) -> list[str]:
    """What its author should know: what to do next, and what strains the assumptions, if any."""
    return list(filter(None, [facts.next_step, _strained(facts)]))


def works(all_facts: list[Facts]) -> list[str]:
    """Keys of the works whose methods are named in the prose."""
    keys: list[str] = []
    for facts in all_facts:
        if facts.tested:
            keys += [*facts.settings.test.works, *facts.settings.adjustment.works]
            keys += [*EQUIVALENCE, *ROPE]
            keys += POSSIBLY_BEST if _has_choice(facts) else ()
        if facts.optimism is not None:
            keys += OPTIMISM[facts.optimism.method]
    return list(dict.fromkeys(keys))


def number(value: float, decimals: int) -> str:
    """A number for people, or what it is instead."""
    if np.isnan(value):
        return "–"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return shown_number(value, decimals).replace("-", "−")


def p_value(p: float, alpha: float) -> str:
    """A p-value as papers print it, with its sign of equality."""
    if np.isnan(p):
        return "–"
    if p < alpha < 0.001:  # the floor would hide what was decided
        return f"= {p:.1e}"
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def interval_words(facts: Facts) -> str:
    """What the intervals of the leader table are, as ``"95 % intervals, simultaneous"``."""
    simultaneous = facts.settings.adjustment.simultaneous
    kind = "simultaneous over all pairs" if simultaneous else "each by itself"
    return f"{level(facts)} intervals, {kind}"


def level(facts: Facts) -> str:
    """The level of intervals, as ``"95 %"``."""
    return unbroken(level_words(facts.comparison.alpha))


def rope_words(facts: Facts) -> str:
    """The ROPE in score units."""
    low, high = facts.comparison.rope_bounds
    rope = facts.comparison.rope
    if np.isnan(high):
        return f"{rope} of the leader's |mean|"
    if low == -high:
        share = f" ({rope} of the leader's |mean|)" if isinstance(rope, str) else ""
        return f"±{high:.4g}{share}"
    return (
        f"{number(low, 4)} to {number(high, 4)}"
        if np.isinf([low, high]).any()
        else (f"{low:.4g} to {high:.4g}".replace("-", "−"))
    )


def _methods(facts: Facts, metrics: str) -> str:
    comparison = facts.comparison
    scores, settings = comparison.scores, facts.settings
    pairs = with_symbols(settings.adjustment.sentence(count(scores.n_pairs, "pair")))
    test = with_symbols(settings.test.methods(scores))
    scored = (
        f"{count(scores.n_candidates, 'candidate')} "
        f"{'was' if scores.n_candidates == 1 else 'were'} scored by {metrics} on "
        f"{count(scores.n_splits, 'split')} of the same data{_folds(facts)}."
    )
    scored = " ".join(filter(None, (scored, sentence(comparison.naming), comparison.note)))
    if not facts.tested:
        return scored
    return (
        f"{scored} Mean scores were compared pair by pair with {test}"
        f"{cited(settings.test.works)}; {pairs}{cited(settings.adjustment.works)}. Two candidates "
        f"count as practically equivalent where two one-sided tests{cited(EQUIVALENCE)}, adjusted "
        f"alike, place their difference within the region of practical equivalence{cited(ROPE)}, "
        f"{rope_words(facts)}. All {unbroken('p-values')} and verdicts are two-sided, with "
        f"{unbroken(f'alpha = {settings.alpha:g}')}."
    )


def _folds(facts: Facts) -> str:
    design = facts.comparison.scores.design
    if not design.sizes_known:
        return ""
    sizes = [_range(design.n_train), _range(design.n_test)]
    samples = f"{sizes[0]} training and {sizes[1]} test samples each"
    if (design.repeat < 0).any():
        return f" ({samples})"
    folds = np.bincount(design.repeat)
    if np.ptp(folds):
        return f" ({samples})"
    if len(folds) == 1:
        return f" ({count(int(folds[0]), 'fold')}; {samples})"
    return f" ({len(folds)} repeats of {count(int(folds[0]), 'fold')}; {samples})"


def _range(sizes: np.ndarray) -> str:
    low, high = sizes.min(), sizes.max()
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _results(facts: Facts, several: bool) -> str:
    comparison, decimals = facts.comparison, facts.decimals
    if comparison.leader is None:
        return "Every candidate failed on some split, so nothing can be compared."
    first = facts.ranking.iloc[0]
    by = f"By {facts.metric} the" if several else "The"
    sentences = [
        f"{by} leader is {comparison.leader}, with a mean of {number(first['mean'], decimals)} "
        f"({facts.settings.test.std_err_words} {number(first['std_err'], decimals)})."
    ]
    table = facts.leader_table if facts.tested else facts.leader_table.iloc[:0]
    by_verdict = {str(v): table[table["verdict"] == v] for v in table["verdict"].unique()}
    if "equivalent" in by_verdict:
        rows = by_verdict.pop("equivalent")
        differs = (rows["ci_low"] > 0) | (rows["ci_high"] < 0)
        for name, part in (("equivalent", rows[~differs]), ("too small", rows[differs])):
            if len(part):
                by_verdict[name] = part
    for verdict, words in (
        ("better", "It is better than {}."),
        ("worse", "It is worse than {}."),
        ("equivalent", "It is practically equivalent to {}."),
        (
            "too small",
            "It is different from {}, but by less than the ROPE: practically equivalent.",
        ),
        ("undecided", "It cannot be told apart from {}; that does not show that they are equal."),
    ):
        if verdict in by_verdict:
            sentences.append(words.format(_pairs_in_words(by_verdict[verdict], facts)))
    if _has_choice(facts):
        sentences.append(_possibly_best(facts))
    if comparison.scores.n_available == 1:
        sentences.append("There is no other candidate to compare it with.")
    if facts.n_missing:
        names = facts.ranking["label"].iloc[comparison.scores.n_available :]
        sentences.append(
            f"Missing, because a score is NaN or infinite: {_some(names.tolist())}; pairs with "
            f"{'it' if facts.n_missing == 1 else 'them'} are in no family."
        )
    return " ".join(sentences)


def _has_choice(facts: Facts) -> bool:
    return facts.tested and facts.comparison.scores.n_available > 1


def _possibly_best(facts: Facts) -> str:
    scores, entered = facts.comparison.scores, facts.comparison.n_entered
    names = facts.ranking["label"][facts.ranking["possibly_best"]].tolist()
    verb = "are" if len(names) > 1 else "is only"
    told = (
        f"Possibly the best {verb} {_some(names)} ({len(names):,} of {scores.n_available:,}; a "
        f"given true best is left out with a probability of at most "
        f"{unbroken(f'{100 * facts.comparison.alpha:g} %')}{cited(POSSIBLY_BEST)})."
    )
    if entered is not None and entered > scores.n_candidates:
        # The guarantee is for those compared: a race drops what cannot win on these splits.
        told += f" The true best of all {entered:,} that entered may be one that was dropped."
    return told


def _luck(facts: Facts, caveat: bool) -> str:
    """What the leader's mean owes to its having been chosen, and what could not have been found."""
    found, decimals = facts.optimism, facts.decimals
    n, entered = facts.comparison.scores.n_available, facts.comparison.n_entered
    if entered is not None and entered <= facts.comparison.scores.n_candidates:
        entered = None  # nobody was left out
    if found is None:
        if entered is None or n == 0:
            return ""
        return (
            f"The leader's mean was chosen as the highest of {entered:,}, which flatters it; by "
            "how much, the scores of one survivor cannot tell."
        )
    chosen = f"{n:,}"
    if entered is not None:
        chosen = f"{entered:,}, of which the {n:,} compared here are all that the correction knows"
    alpha = facts.comparison.alpha
    low, high = (number(end, decimals) for end in found.limits(alpha / 2))
    if found.method == "tibshirani":
        how = (
            "Corrected for that choice by the method of Tibshirani and Tibshirani (2009), the only "
            "one for splits without known repeats, which usually corrects too much"
        )
    else:
        how = "Corrected for that choice from the split scores, by a bootstrap of the folds"
    how += cited(OPTIMISM[found.method])
    text = (
        f"The leader's mean was chosen as the highest of {chosen}, which flatters it. {how}, it is "
        f"{number(found.corrected_mean, decimals)} ({level(facts)} interval {low} to {high}, "
        "which covers neither the choice itself nor the uncertainty of the correction)."
    )
    if caveat:
        text += _CAVEAT
    second = facts.resolution.iloc[0]
    if not second["detectable_limit"] > 0 or not second["detectable"] > 0:
        return text
    digits = facts.difference_decimals
    return (
        f"{text} A true difference between the leader and {second['label']} would be found with a "
        f"probability of {unbroken(f'{100 * facts.power:g} %')} (in a single test at "
        f"{unbroken(f'alpha = {alpha:g}')}) if it were "
        f"{number(second['detectable'], digits)}, and with any number of repeats only if it were "
        f"more than {number(second['detectable_limit'], digits)}."
    )


def _pairs_in_words(rows: pd.DataFrame, facts: Facts) -> str:
    df = facts.settings.test.df(facts.comparison.scores)
    first_rows: Any = rows.head(_NAMED).itertuples()
    items = [
        f"{row.model_2} (difference {number(row.mean_diff, facts.difference_decimals)}, "
        f"{unbroken(f't({df}) = {number(row.t_stat, 2)}')}, "
        f"{unbroken(f'p {p_value(row.p_val, facts.comparison.alpha)}')})"
        for row in first_rows
    ]
    return _some(items, len(rows))


def _some(items: list[str], n: int | None = None, *, shown: int = _NAMED) -> str:
    """A list in words: the first few, and how many more there are."""
    n, listed = len(items) if n is None else n, items[:shown]
    if n > len(listed):
        return f"{', '.join(listed)} and {n - len(listed):,} more"
    return " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)


def _strained(facts: Facts) -> str:
    sentences = list(facts.strained)
    if facts.n_missing:
        share = f"{facts.n_missing:,} of {count(facts.comparison.scores.n_candidates, 'candidate')}"
        sentences.append(f"{share} failed on some split and could not be compared.")
    if not facts.settings.adjustment.prose and facts.comparison.scores.n_pairs > 1:
        sentences.append(
            "Without an adjustment, some of the differences called better or worse are to be "
            "expected by chance alone."
        )
    return " ".join(sentences)


def letters_note(facts: Facts) -> str:
    """What the column of letters means."""
    note = (
        "Candidates that share a letter are not told apart (undecided or practically equivalent)."
    )
    if facts.letters_left_out:
        return "Letters are left out: they would be too many, or take too long."
    if not facts.lettered:
        return ""
    note = f"{note[:-1]}{cited(LETTERS)}."
    if facts.comparison.scores.n_available > LETTERED:
        note += f" Letters are given to the best {LETTERED}."
    return note
