"""Facts → paragraphs for the methods and results of a paper."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._utils._formatting import count, level_words, sentence
from sklearn_stats_compare.comparison._planning import DEPLOY
from sklearn_stats_compare.datasets._comparison import DatasetsComparison
from sklearn_stats_compare.reports import _bibliography
from sklearn_stats_compare.reports._facts import (
    NAMED,
    AnyFacts,
    DatasetsFacts,
    Facts,
    adjusted,
    alpha_words,
    cited,
    level,
    listed,
    number,
    p_value,
    rope_words,
    unbroken,
    with_symbols,
)
from sklearn_stats_compare.stats._best import best_method
from sklearn_stats_compare.stats._multitest import ADJUSTMENTS

_CAVEAT = (
    "The correction for the choice of the leader is approximate: it stays optimistic where all "
    "candidates are near chance (an accuracy by up to about 0.07, so that one slightly above "
    "chance is no signal), and is pessimistic where one is clearly better. For a figure to publish "
    "use nested cross-validation or an untouched test set."
)


def methods(all_facts: list[Facts]) -> list[str]:
    """A paragraph on the methods for each set of metrics compared in the same way."""
    alike: dict[str, list[Facts]] = {}
    for facts in all_facts:
        alike.setdefault(_methods(facts, ""), []).append(facts)
    paragraphs = [
        _methods(group[0], listed([facts.metric for facts in group], most=len(group)))
        for group in alike.values()
    ]
    if len(all_facts) > 1 and all_facts[0].settings.adjustment.prose:
        paragraphs[-1] += with_symbols(
            f" p-values were adjusted within each metric, not over the {len(all_facts)} of them."
        )
    return paragraphs


def findings(facts: Facts, *, several: bool = False) -> list[str]:
    """Results, and the leader's optimism if there was a choice, for one of `several` metrics."""
    return list(filter(None, [_results(facts, several), _referred(facts), _luck(facts)]))


def remarks(facts: Facts, *, first: bool = True) -> list[str]:
    """Remarks for the author: what to deploy, what to do next, and strained assumptions, if any.

    The note on the accuracy of the leader's corrected mean comes with the `first` metric.
    """
    caveat = _CAVEAT if first and facts.optimism is not None else ""
    sentences = list(facts.strained)
    if facts.n_missing:
        share = f"{facts.n_missing:,} of {count(facts.comparison.scores.n_candidates, 'candidate')}"
        sentences.append(f"{share} failed on some split and could not be compared.")
    if not facts.settings.adjustment.prose and facts.comparison.scores.n_pairs > 1:
        sentences.append(
            "Without an adjustment, some of the differences called better or worse are to be "
            "expected by chance alone."
        )
    deploy = facts.recommendation.replace(level_words(facts.comparison.alpha), level(facts))
    advice = facts.next_step.removesuffix(DEPLOY) if deploy else facts.next_step
    return list(filter(None, [deploy, advice, caveat, " ".join(sentences)]))


def works(all_facts: list[Facts]) -> list[str]:
    """Keys of the works for the methods named in the prose."""
    keys: list[str] = []
    for facts in all_facts:
        if facts.tested:
            keys += [*facts.settings.test.works, *facts.settings.adjustment.works]
            keys += [*_bibliography.EQUIVALENCE, *_bibliography.ROPE]
            keys += _bibliography.POSSIBLY_BEST if _has_choice(facts) else ()
        if facts.optimism is not None:
            keys += _bibliography.OPTIMISM[facts.optimism.method]
            low, high = facts.optimism.limits(facts.settings.alpha / 2)
            keys += _bibliography.AFTER_CHOICE if low < high else ()
    return list(dict.fromkeys(keys))


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
    scored = " ".join(filter(None, (scored, sentence(comparison._naming), comparison.note)))
    if not facts.tested:
        return scored
    fewer = ""
    if (facts.dfs(facts.leader_table) < settings.test.df(scores)).any():
        fewer = " Pairs with rare large differences have fewer degrees of freedom."
    return (
        f"{scored} Mean scores were compared pair by pair with {test}{cited(settings.test.works)}; "
        f"{pairs}{cited(settings.adjustment.works)}. Two candidates count as practically "
        f"equivalent where two one-sided tests{cited(_bibliography.EQUIVALENCE)}, adjusted alike, "
        "place their difference within the region of practical "
        f"equivalence{cited(_bibliography.ROPE)}, {rope_words(facts)}. All {unbroken('p-values')} "
        f"and verdicts are two-sided, with {alpha_words(facts)}.{fewer}"
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
    sentences += _by_verdict(table, facts)
    if _has_choice(facts):
        sentences.append(_possibly_best(facts))
    if comparison.scores.n_available == 1:
        sentences.append("There is no other candidate to compare it with.")
    if facts.n_missing:
        names = facts.ranking["label"].iloc[comparison.scores.n_available :]
        sentences.append(
            f"Missing, because a score is NaN or infinite: {listed(names.tolist())}; pairs with "
            f"{'it' if facts.n_missing == 1 else 'them'} are in no family."
        )
    return " ".join(sentences)


def _referred(facts: Facts) -> str:
    """The reference candidate against every other."""
    if facts.reference_table is None:
        return ""
    if not facts.n_referred:
        return f"{facts.reference}, which was named beforehand, failed on some split."
    family = with_symbols(adjusted(facts, facts.n_referred))
    opening = (
        f"{facts.reference} was named before the scores were seen and compared with every other "
        f"candidate, with {unbroken('p-values')} {family}."
    )
    return " ".join([opening, *_by_verdict(facts.reference_table, facts)])


def _by_verdict(table: pd.DataFrame, facts: Facts) -> list[str]:
    """A sentence for each verdict in a table of one candidate against others."""
    verdicts = table["verdict"].astype(str)
    outside = (table["ci_low"] > 0) | (table["ci_high"] < 0)
    table = table.assign(verdict=verdicts.mask(verdicts.eq("equivalent") & outside, "too small"))
    table["df"] = facts.dfs(table)

    def numbers(row: Any) -> Iterator[str]:
        yield f"difference {number(row.mean_diff, facts.difference_decimals)}"
        yield unbroken(f"t({row.df:.4g}) = {number(row.t_stat, 2)}")

    return _said(table, _VERDICTS, numbers, facts)


_VERDICTS = {
    "better": "It is better than {}.",
    "worse": "It is worse than {}.",
    "equivalent": "It is practically equivalent to {}: two one-sided tests place each of these "
    "differences within the ROPE.",
    "too small": "It is different from {}, but by less than the ROPE: practically equivalent.",
    "undecided": "The data do not separate it from {}; that does not show that they are equal.",
}

_VERDICTS_OVER_DATASETS = {
    "better": "It is better than {}.",
    "worse": "By the test of the pair it is worse than {}.",
    "equivalent": "It is practically equivalent to {}.",
    "undecided": "The data sets do not separate it from {}; that does not show that they are "
    "equal.",
}


def _said(
    table: pd.DataFrame,
    words: Mapping[str, str],
    numbers: Callable[[Any], Iterator[str]],
    facts: AnyFacts,
) -> list[str]:
    """A sentence for each verdict that has rows, with the second candidates and their numbers.

    The first of `numbers` is the difference. p of no difference is no evidence of equivalence:
    only the difference is said there.
    """
    sentences = []
    for verdict, template in words.items():
        rows = table[table["verdict"] == verdict]
        items = []
        first_rows: Any = rows.head(NAMED).itertuples()
        for row in first_rows:
            said = [*numbers(row), unbroken(f"p {p_value(row.p_val, facts.comparison.alpha)}")]
            shown = said[:1] if verdict == "equivalent" else said
            items.append(f"{row.model_2} ({', '.join(shown)})")
        if items:
            sentences.append(template.format(listed(items, len(rows))))
    return sentences


def _has_choice(facts: Facts) -> bool:
    return facts.tested and facts.comparison.scores.n_available > 1


def _possibly_best(facts: Facts) -> str:
    scores, entered = facts.comparison.scores, facts.comparison._n_entered
    names = facts.ranking["label"][facts.ranking["possibly_best"]].tolist()
    verb = "are" if len(names) > 1 else "is only"
    rivals = count(scores.n_available - 1, "one-sided test")
    by_maxt = best_method(scores, facts.settings.test) == "maxt"
    method = "max-t" if by_maxt else "Bonferroni's method"
    text = (
        f"Possibly the best {verb} {listed(names)} ({len(names):,} of {scores.n_available:,}; by "
        f"Hsu's multiple comparisons with the best{cited(_bibliography.POSSIBLY_BEST)}, adjusted "
        f"for {rivals} against the leader by {method}, a given true best is left out with a "
        f"probability of at most {unbroken(f'{100 * facts.comparison.alpha:g} %')})."
    )
    text += _differing(facts)
    if facts.shortfall:  # 0 if the leader is alone in that set
        bound = number(facts.shortfall, facts.difference_decimals)
        text += (
            f" With {level(facts)} confidence, {'by splits, ' * facts.settings.test.of_splits}the "
            f"true mean of the leader is at most {bound} below that of the best."
        )
    if facts.comparison._may_lack_the_best:
        # The guarantee covers compared candidates: a race drops those that cannot win on these
        # splits.
        text += f" The true best of all {entered:,} that entered may be one that was dropped."
    return text


def _differing(facts: Facts) -> str:
    """Why a candidate that was not found different is not possibly best, or the other way."""
    table = facts.leader_table
    outside = table["ci_low"].gt(0) | table["ci_high"].lt(0)
    verdicts = table["verdict"].astype(str)
    apart = verdicts.isin(["better", "worse"]) | (verdicts.eq("equivalent") & outside)
    members = set(facts.ranking["label"][facts.ranking["possibly_best"]])
    # A "missing" verdict is neither.
    differ = verdicts.ne("missing") & (apart == table["model_2"].isin(members))
    if not differ.any():
        return ""
    return with_symbols(
        f" That set and the verdicts differ on {listed(table['model_2'][differ].tolist())}, as the "
        f"verdicts come from two-sided p-values {adjusted(facts)}."
    )


def _luck(facts: Facts) -> str:
    """The optimism of the leader's mean, and differences too small to be found."""
    found, decimals = facts.optimism, facts.decimals
    n, entered = facts.comparison.scores.n_available, facts.comparison._n_entered
    if entered is not None and entered <= facts.comparison.scores.n_candidates:
        entered = None  # no candidate was left out
    if found is None:
        if entered is None or n == 0:
            return ""
        return (
            f"The leader's mean was chosen as the highest of {entered:,}, which flatters it; by "
            "how much, these scores cannot tell."
        )
    chosen = f"{n:,}"
    if entered is not None:
        chosen = (
            f"{entered:,}, of which the {n:,} compared here are all that the correction and the "
            "interval know"
        )
    alpha = facts.comparison.alpha
    interval = "The leader's scores do not vary over the splits, so that no interval can be given."
    ends = found.limits(alpha / 2)
    if ends[0] < ends[1]:
        low, high = (number(end, decimals) for end in ends)
        interval = (
            f"The {level(facts)} interval of the leader's expected score, which allows for the "
            f"choice and uses scores of splits, is {low} to {high}"
            f"{cited(_bibliography.AFTER_CHOICE)}."
        )
    if found.method == "tibshirani":
        how = (
            "Approximately corrected for that choice by the method of Tibshirani and Tibshirani "
            "(2009), the only one for splits without known repeats, which usually corrects too much"
        )
    else:
        how = "Approximately corrected for that choice by a bootstrap of the folds' scores"
    how += cited(_bibliography.OPTIMISM[found.method])
    text = (
        f"The leader's mean was chosen as the highest of {chosen}, which flatters it. {how}, it is "
        f"{number(found.corrected_mean, decimals)}. {interval}"
    )
    second = facts.resolution.iloc[0]
    if not second["detectable_limit"] > 0 or not second["detectable"] > 0:
        return text
    digits = facts.difference_decimals
    return (
        f"{text} A true difference between the leader and {second['label']} would be found with a "
        f"probability of {unbroken(f'{100 * facts.power:g} %')} (in a single test at "
        f"{alpha_words(facts)}) if it were "
        f"{number(second['detectable'], digits)}, and with any number of repeats only if it were "
        f"more than {number(second['detectable_limit'], digits)}."
    )


_SHAFFER = ("shaffer1986modified",)


def datasets_methods(facts: DatasetsFacts) -> str:
    """A paragraph on the methods."""
    comparison = facts.comparison
    settings = comparison._settings
    adjustment = with_symbols(
        f"p-values were {datasets_adjusted(comparison)}".replace("were which are", "are")
    )
    sentences = [
        f"{count(comparison.n_models, 'model')} were compared by {comparison.metric} over "
        f"{count(comparison.n_datasets, 'data set')}, each of which counts once"
        f"{', by the mean score over its splits' if comparison.comparisons else ''}.",
        comparison.note,
        f"Pairs of models were tested by {comparison.test_words}{cited(settings.row.works)}; "
        f"{adjustment}{cited(adjustment_works(comparison))}.",
    ]
    if settings.row.of_scores and settings.rope[0] < settings.rope[1]:
        sentences.append(
            "Two models count as practically equivalent where two one-sided tests of this kind "
            "place their difference within the region of practical equivalence, "
            f"{rope_words(facts)}."
        )
    p_values, alpha = unbroken("p-values"), alpha_words(facts)
    if settings.alternative == "two-sided":
        sentences.append(f"All {p_values} and verdicts are two-sided, with {alpha}.")
    else:
        sentences.append(
            f"{p_values} are one-sided ({settings.alternative}), and verdicts are two-sided, with "
            f"{alpha}."
        )
    return " ".join(filter(None, sentences))


def datasets_findings(facts: DatasetsFacts) -> str:
    """A paragraph on the results."""
    comparison = facts.comparison
    friedman, ranking, alpha = comparison.friedman(), comparison.ranking(), comparison.alpha
    f_df = ", ".join(map(str, friedman.f_df))
    unequal = "differ" if friedman.f_pvalue < alpha else "do not differ significantly"
    f_test = unbroken(f"F({f_df}) = {number(friedman.f_statistic, 2)}")

    def numbers(row: Any) -> Iterator[str]:
        yield f"mean difference {number(row.mean_diff, 4)}"

    sentences = [
        f"The ranks of the models {unequal} (Friedman's test, Iman and Davenport's {f_test}, "
        + unbroken(f"p {p_value(friedman.f_pvalue, alpha)}")
        + f"; Kendall's W = {number(friedman.kendalls_w, 2)}){cited(_bibliography.FRIEDMAN)}.",
        f"{comparison.leader} has the best mean rank, {number(ranking['mean_rank'].iloc[0], 2)} "
        f"of {comparison.n_models}.",
        *_said(comparison.against(), _VERDICTS_OVER_DATASETS, numbers, facts),
    ]
    if comparison._settings.row.of_scores:
        members = comparison.possibly_best()["label"].tolist()
        verb = "are" if len(members) > 1 else "is only"
        sentences.append(
            f"Possibly the best {verb} {listed(members)}: a given true best is left out with a "
            f"probability of at most {unbroken(f'{100 * alpha:g} %')}."
        )
    return " ".join(sentences)


def datasets_remarks(facts: DatasetsFacts) -> list[str]:
    """Remarks for the author: what to do next, and what strains the tests."""
    return list(filter(None, [f"Next: {facts.comparison.next_step()}", " ".join(facts.strained)]))


def datasets_works(comparison: DatasetsComparison) -> list[str]:
    """Keys of the works for the methods that the paragraphs name."""
    return [*comparison._settings.row.works, *adjustment_works(comparison), *_bibliography.FRIEDMAN]


def adjustment_works(comparison: DatasetsComparison) -> tuple[str, ...]:
    """Keys of the works for the adjustment."""
    p_adjust = comparison._settings.p_adjust_used
    return _SHAFFER if p_adjust == "shaffer" else ADJUSTMENTS[p_adjust].works


def datasets_adjusted(comparison: DatasetsComparison) -> str:
    """How p-values are adjusted, as ``"adjusted for 10 pairs by Holm's method"``."""
    settings = comparison._settings
    if settings.row.adjusted:
        return "which are adjusted for all pairs by the test itself"
    if settings.p_adjust is None:
        return "not adjusted for the number of pairs"
    n_pairs = count(comparison.n_models * (comparison.n_models - 1) // 2, "pair")
    shaffer = settings.p_adjust == "shaffer"
    how = "by Shaffer's static method" if shaffer else ADJUSTMENTS[settings.p_adjust].prose
    return f"adjusted for {n_pairs} {how}"
