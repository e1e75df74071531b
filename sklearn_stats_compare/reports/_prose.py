"""Facts → paragraphs fit for the methods and results of a paper."""

from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import count, level_words, sentence, shown_number
from sklearn_stats_compare.reports._facts import LETTERED, Facts

_NAMED = 5


def paragraphs(facts: Facts) -> list[str]:
    """Methods, results, the leader's luck, what strains the assumptions; the last two if any."""
    further = [_luck(facts), _strained(facts)]
    return [_methods(facts), _results(facts), *(paragraph for paragraph in further if paragraph)]


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
    return f"{level_words(facts.comparison.alpha)} intervals, {kind}"


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


def _methods(facts: Facts) -> str:
    comparison = facts.comparison
    scores, settings = comparison.scores, facts.settings
    pairs = settings.adjustment.sentence(count(scores.n_pairs, "pair"))
    scored = (
        f"{count(scores.n_candidates, 'candidate')} "
        f"{'was' if scores.n_candidates == 1 else 'were'} scored by {comparison.metric} on "
        f"{count(scores.n_splits, 'split')} of the same data{_folds(facts)}."
    )
    scored = " ".join(filter(None, (scored, sentence(comparison.naming), comparison.note)))
    if not _tested(facts):
        return scored
    return (
        f"{scored} Mean scores were compared pair by pair with {settings.test.methods(scores)}; "
        f"{pairs}. Two candidates count as practically equivalent where "
        "two one-sided tests, adjusted alike, place their difference within the region of "
        f"practical equivalence, {rope_words(facts)}. All p-values and verdicts here are "
        f"two-sided, with alpha = {settings.alpha:g}."
    )


def _tested(facts: Facts) -> bool:
    """Whether there is a pair to test, and splits to test it with."""
    scores = facts.comparison.scores
    return bool(scores.n_pairs) and scores.n_splits > 1


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


def _results(facts: Facts) -> str:
    comparison, decimals = facts.comparison, facts.decimals
    if comparison.leader is None:
        return "Every candidate failed on some split, so nothing can be compared."
    first = facts.ranking.iloc[0]
    sentences = [
        f"The leader is {comparison.leader}, with a mean of {number(first['mean'], decimals)} "
        f"({facts.settings.test.std_err_words} {number(first['std_err'], decimals)})."
    ]
    table = facts.leader_table if _tested(facts) else facts.leader_table.iloc[:0]
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
    if comparison.scores.n_available == 1:
        sentences.append("There is no other candidate to compare it with.")
    if facts.n_missing:
        names = facts.ranking["label"].iloc[comparison.scores.n_available :]
        sentences.append(
            f"Missing, because a score is NaN or infinite: {_some(names.tolist())}; pairs with "
            f"{'it' if facts.n_missing == 1 else 'them'} are in no family."
        )
    return " ".join(sentences)


def _luck(facts: Facts) -> str:
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
            "one for splits without known repeats, which usually corrects too much,"
        )
    else:
        how = "Corrected for that choice from the split scores, by a bootstrap of the folds,"
    text = (
        f"The leader's mean was chosen as the highest of {chosen}, which flatters it. {how} it is "
        f"{number(found.corrected_mean, decimals)} ({level_words(alpha)} interval {low} to {high}, "
        "which covers neither the choice itself nor the uncertainty of the correction). "
        "The correction is approximate: it stays optimistic where all candidates are near chance "
        "(an accuracy by up to about 0.07, so that one slightly above chance is no signal), and is "
        "pessimistic where one is clearly better. For a figure to publish use nested "
        "cross-validation or an untouched test set."
    )
    second = facts.resolution.iloc[0]
    if not second["detectable_limit"] > 0 or not second["detectable"] > 0:
        return text
    digits = facts.difference_decimals
    return (
        f"{text} A true difference between the leader and {second['label']} would be found with a "
        f"probability of {100 * facts.power:g} % (in a single test at "
        f"alpha = {facts.comparison.alpha:g}) if it were "
        f"{number(second['detectable'], digits)}, and with any number of repeats only if it were "
        f"more than {number(second['detectable_limit'], digits)}."
    )


def _pairs_in_words(rows: pd.DataFrame, facts: Facts) -> str:
    df = facts.settings.test.df(facts.comparison.scores)
    first_rows: Any = rows.head(_NAMED).itertuples()
    items = [
        f"{row.model_2} (difference {number(row.mean_diff, facts.difference_decimals)}, "
        f"t({df}) = {number(row.t_stat, 2)}, p {p_value(row.p_val, facts.comparison.alpha)})"
        for row in first_rows
    ]
    return _some(items, len(rows))


def _some(items: list[str], n: int | None = None) -> str:
    """A list in words: the first few, and how many more there are."""
    n = len(items) if n is None else n
    shown = items[:_NAMED]
    if n > len(shown):
        return f"{', '.join(shown)} and {n - len(shown):,} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _strained(facts: Facts) -> str:
    sentences = list(facts.strained)
    if facts.alternative != "two-sided" and _tested(facts):
        sentences.append(
            f'The comparison\'s own p_val are one-sided (alternative="{facts.alternative}") in the '
            "direction that the ranking chose, which makes them up to two times too small; the "
            "p-values of this report are two-sided instead."
        )
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
    if facts.comparison.scores.n_available > LETTERED:
        note += f" Letters are given to the best {LETTERED}."
    return note
