"""Captions of tables: everything needed to understand the table alone."""

from collections.abc import Collection

from sklearn_stats_compare.reports._bibliography import LETTERS, POSSIBLY_BEST, POSTERIOR, ROPE
from sklearn_stats_compare.reports._facts import LETTERED, Facts
from sklearn_stats_compare.reports._spans import cited, unbroken, with_symbols
from sklearn_stats_compare.reports._table_columns import POSTERIORS
from sklearn_stats_compare.reports._words import (
    adjusted,
    interval_words,
    level,
    listed,
    rope_words,
)


def ranking_caption(facts: Facts, columns: Collection[str]) -> str:
    """Caption of the ranking with these columns."""
    shown = []
    if "std_err" in columns:
        shown.append(f"{facts.settings.test.std_err_words}s")
    if {"ci_low", "ci_high"} & set(columns):
        shown.append(f"{level(facts)} intervals, each by itself and not adjusted")
    caption = f"Candidates by mean {facts.metric}{', with ' if shown else ''}{listed(shown)}."
    if "possibly_best" in columns:
        caption += (
            " Those with a * may be the best (Hsu's multiple comparisons with the best"
            f"{cited(POSSIBLY_BEST)}, {_alpha(facts)})."
        )
    if "letters" in columns:
        caption += (
            " Candidates that share a letter are not separated (undecided or practically "
            f"equivalent) by {_p_values(facts)}{cited(LETTERS)}."
        )
        if facts.comparison.scores.n_available > LETTERED:
            caption += f" Letters are given to the best {LETTERED}."
    elif facts.letters_left_out:
        caption += " Letters are left out: they would be too many, or take too long."
    return caption


def leader_caption(facts: Facts, columns: Collection[str]) -> str:
    """Caption of the leader table with these columns."""
    caption = f"The leader, {facts.comparison.leader}, against every other candidate: "
    return caption + _compared(facts, columns, "leader − candidate", "the leader")


def reference_caption(facts: Facts, columns: Collection[str]) -> str:
    """Caption of the table of the reference with these columns."""
    caption = f"{facts.reference}, which was named beforehand, against every other candidate: "
    words = _compared(facts, columns, "it − candidate", facts.reference, facts.n_referred)
    return caption + words


def pairs_caption(facts: Facts, columns: Collection[str]) -> str:
    """Caption of the table of all pairs with these columns."""
    return "All pairs: " + _compared(facts, columns, "first − second", "the first")


def metrics_caption(all_facts: list[Facts]) -> str:
    """Caption of the table of several metrics, or of one."""
    several = len(all_facts) > 1
    metrics = listed([facts.metric for facts in all_facts], most=len(all_facts))
    # Comparisons by several metrics may use different tests.
    errors = dict.fromkeys(facts.settings.test.std_err_words for facts in all_facts)
    caption = (
        f"Mean {metrics} of every candidate ± {' or '.join(errors)}. Marks tell how it stands"
        f"{' by that metric' if several else ''}: * the best mean (bold); against that, − worse, "
        "= practically equivalent, ? undecided, × missing."
    )
    tested = [facts for facts in all_facts if facts.tested]
    families = dict.fromkeys(_p_values(facts) for facts in tested)
    if len(families) == 1:
        within = " within each metric" if several else ""
        caption += f" The marks come from {next(iter(families))}{within}."
    elif families:
        by = "; ".join(f"by {facts.metric}, {_p_values(facts)}" for facts in tested)
        caption += f" The marks come from: {by}."
    return caption


def _compared(
    facts: Facts,
    columns: Collection[str],
    difference: str,
    first: str,
    n_tests: int | None = None,
) -> str:
    shown = []
    if "mean_diff" in columns:
        shown.append(f"difference in mean {facts.metric} ({difference})")
    if "std_err" in columns:
        shown.append(f"its {facts.settings.test.std_err_words}")
    if {"ci_low", "ci_high"} & set(columns):
        shown.append(interval_words(facts, n_tests))
    if "t_stat" in columns:
        shown.append(with_symbols("t-statistic"))
    if "p_unadjusted" in columns:
        shown.append(with_symbols("two-sided p-value, not adjusted"))
    if "p_val" in columns:
        shown.append(_p_values(facts, n_tests))
    if set(POSTERIORS) & set(columns):
        shown.append(
            f"posterior probabilities{cited((*POSTERIOR, *ROPE))}, not adjusted, that {first} is "
            "worse, practically equivalent or better"
        )
    if "verdict" in columns:
        shown.append(f"verdict at {_alpha(facts)}")
    caption = f"{'; '.join(shown)}."
    if {*POSTERIORS, "verdict"} & set(columns):
        caption += f" The region of practical equivalence is {rope_words(facts)}."
    return caption


def _p_values(facts: Facts, n_tests: int | None = None) -> str:
    return with_symbols(f"two-sided p-values {adjusted(facts, n_tests)}")


def _alpha(facts: Facts) -> str:
    return unbroken(f"alpha = {facts.comparison.alpha:g}")
