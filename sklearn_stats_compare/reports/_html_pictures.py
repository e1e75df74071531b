"""Pictures of the page, each with its key and caption, and sentences as HTML."""

from html import escape
from itertools import combinations

import numpy as np

from sklearn_stats_compare.comparison import parameter_grid, varying_parameters, verdict_words
from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._spans import laid_out
from sklearn_stats_compare.reports._svg import forest_svg, posterior_svg
from sklearn_stats_compare.reports._svg_heat_map import MARK_WORDS, heat_map_svg
from sklearn_stats_compare.reports._words import adjusted, interval_words, number, rope_words

_FOREST_ROWS = 25
_MENU_CANDIDATES = 12
_HEAT_MAP_VALUES = 30


def html_sentence(text: str) -> str:
    """A sentence as HTML; unbreakable parts stay on one line."""
    return laid_out(text, escape, lambda piece: escape(piece).replace(" ", "\u00a0"))


def heat_map(facts: Facts, tag: str) -> str:
    """Means over two hyper-parameters, if exactly two vary and at least half their pairs exist."""
    comparison = facts.comparison
    varying = varying_parameters(comparison.params)
    if len(varying) != 2 or comparison.leader is None:
        return ""
    # The cost of `parameter_grid` is quadratic in the number of values: high for random searches.
    sizes = [len({repr(params[name]) for params in comparison.params or ()}) for name in varying]
    if max(sizes) > _HEAT_MAP_VALUES:
        return ""
    grid = parameter_grid(comparison, *varying)
    verdicts = grid.verdicts.to_numpy()
    if min(verdicts.shape) < 2 or 2 * (verdicts != "").sum() < verdicts.size:
        return ""
    means = grid.means.to_numpy()
    low, high = (number(end, facts.decimals) for end in (np.nanmin(means), np.nanmax(means)))
    key = [words for verdict, words in MARK_WORDS.items() if (verdicts == verdict).any()]
    caption = (
        f"Mean {facts.metric} by {varying[0]} and {varying[1]}, from {low} (pale) to {high} "
        f"(strong), and what the test says of each against the leader: {', '.join(key)}, by "
        f"two-sided p-values {adjusted(facts)}."
    )
    if grid.several:
        caption += " Of several candidates with the same two values the best is shown."
    svg = heat_map_svg(grid, facts.decimals, f"mean {facts.metric}")
    return (
        f"<{tag}>Means over two parameters</{tag}><figure>{svg}"
        f"<figcaption>{html_sentence(caption)}</figcaption></figure>"
    )


def forest(facts: Facts) -> str:
    """The leader against the best of the others, with a key of colours and a caption."""
    comparison = facts.comparison
    table = facts.leader_table
    # Candidates that failed have no interval to draw.
    known = table[table["ci_low"].notna()]
    if known.empty:
        return ""
    axis = f"difference in {facts.metric}: leader − candidate"
    words = f"Difference and {interval_words(facts)}; the band is the ROPE, {rope_words(facts)}."
    if len(known) > _FOREST_ROWS:
        words += f" The best {_FOREST_ROWS} of {len(known):,} are drawn."
    svg = forest_svg(known.head(_FOREST_ROWS), comparison.rope_bounds, axis)
    # Each verdict once, in the order of rows; pandas orders a categorical column by category.
    shown = dict.fromkeys(map(str, known["verdict"].head(_FOREST_ROWS)))
    key = "".join(f'<span class="{v}">{verdict_words(v)}</span>' for v in shown)
    return (
        f'<figure><p class="key">{key}<span class="band">ROPE</span></p>{svg}'
        f"<figcaption>{html_sentence(words)}</figcaption></figure>"
    )


def posteriors(facts: Facts, tag: str) -> str:
    """The posterior of one pair of the best candidates, chosen from a menu."""
    comparison = facts.comparison
    known = facts.ranking[facts.ranking["std_err"].notna()]
    # By labels, which are unique and shown in the menu.
    best = known["label"].head(_MENU_CANDIDATES).tolist()
    if len(best) < 2:
        return ""
    options, figures = [], []
    # All of them are in the page, at most 66 for twelve candidates, because it may fetch nothing.
    for k, (first, second) in enumerate(combinations(best, 2)):
        posterior = comparison.posterior(first, second)
        worse, rope, better = posterior.probabilities()
        pair = f"{first} − {second}"
        options.append(f'<option value="{k}">{escape(pair)}</option>')
        words = (
            f"P({second} better) = {worse:.3f}, P(equivalent) = {rope:.3f}, "
            f"P({first} better) = {better:.3f}, not adjusted for the number of pairs. With "
            "probability 0.95 the difference is at most "
            f"{posterior.break_even_rope(0.95):.3g} in absolute value."
        )
        axis = f"difference in {facts.metric}"
        figures.append(
            f'<figure data-pair="{k}"{" hidden" if k else ""}>{posterior_svg(posterior, axis)}'
            f"<figcaption>{escape(pair)}: {escape(words)}</figcaption></figure>"
        )
    note = ""
    if len(best) < len(known):
        note = f"<p>The menu holds the pairs of the best {len(best)} candidates.</p>"
    return (
        f'<div class="pairs"><{tag}>One pair</{tag}><p><label>Posterior of the difference '
        f"<select>{''.join(options)}</select></label></p>{note}{''.join(figures)}</div>"
    )
