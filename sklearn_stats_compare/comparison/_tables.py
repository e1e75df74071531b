"""Scores and families of tests → tables and verdicts, with warnings of strained assumptions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import level_words
from sklearn_stats_compare._utils._validation import check_interval, shown, warn_user
from sklearn_stats_compare.stats._corrected_t import PairedTTests, RopeProbabilities
from sklearn_stats_compare.stats._family import Family, PairTest, Settings
from sklearn_stats_compare.stats._multitest import CLOSED_FORM, critical_value
from sklearn_stats_compare.stats._sample_t import check_large_differences
from sklearn_stats_compare.stats._score_range import ScoreRange, mean_limits
from sklearn_stats_compare.stats._scores import SplitDesign, SplitScores

# From pandas 3 on, a shallow copy is copied on write.
_PANDAS = int(pd.__version__.partition(".")[0])

FREQUENTIST_COLUMNS = (
    "model_1",
    "model_2",
    "mean_diff",
    "std_err",
    "t_stat",
    "p_unadjusted",
    "p_val",
    "ci_low",
    "ci_high",
    "verdict",
)

_PROBABILITIES = ("worse_prob", "better_prob", "rope_prob")

BAYESIAN_COLUMNS = (*FREQUENTIST_COLUMNS[:3], *_PROBABILITIES, "verdict")


def frequentist_table(
    family: Family, probabilities: RopeProbabilities | None, *, names: "PairNames"
) -> pd.DataFrame:
    """The table of tests, a row per pair of `family`; nothing is rounded.

    `probabilities` are None if the test has no standard error; intervals are NaN then. The columns
    are the arrays of `family`, because copies take 0.7 GB for 5,000 candidates.
    """
    tests, alternative = family.tests, family.settings.alternative
    p_val = two_sided = family.pvalue(alternative) if alternative == "two-sided" else None
    # Before the other columns: it needs a few more arrays while it is computed.
    verdict = verdicts(*family.decisions(probabilities, two_sided), missing=names.missing(tests))
    if p_val is None:
        p_val = family.pvalue(alternative)
    ci_low, ci_high = family.interval()
    columns = (
        *names.of(tests),
        tests.mean_diff,
        tests.std_err,
        tests.statistic,
        tests.pvalue(alternative),
        p_val,
        ci_low,
        ci_high,
        verdict,
    )
    return pd.DataFrame(dict(zip(FREQUENTIST_COLUMNS, columns, strict=True)), copy=False)


def bayesian_table(
    tests: PairedTTests, probabilities: RopeProbabilities, *, names: "PairNames", alpha: float
) -> pd.DataFrame:
    """The table of posterior probabilities, a row per pair of `tests`; nothing is rounded.

    The columns are the arrays of `tests` and `probabilities`, not copies.
    """
    enough = 1 - alpha
    columns = (
        *names.of(tests),
        tests.mean_diff,
        probabilities.worse,
        probabilities.better,
        probabilities.rope,
        verdicts(
            better=probabilities.better >= enough,
            worse=probabilities.worse >= enough,
            equivalent=probabilities.rope >= enough,
            missing=names.missing(tests),
        ),
    )
    return pd.DataFrame(dict(zip(BAYESIAN_COLUMNS, columns, strict=True)), copy=False)


def both_tables(family: Family, names: "PairNames") -> tuple[pd.DataFrame, pd.DataFrame]:
    """The frequentist and the Bayesian table of the family's tests."""
    probabilities = family.tests.rope_probabilities(family.settings.rope)
    return (
        frequentist_table(family, probabilities, names=names),
        bayesian_table(family.tests, probabilities, names=names, alpha=family.settings.alpha),
    )


def copy_to_return(kept: pd.DataFrame) -> pd.DataFrame:
    """A copy of a cached table; from pandas 3 on, it is copied on write."""
    return kept.copy(deep=_PANDAS < 3)


def joined_table(frequentist: pd.DataFrame, bayesian: pd.DataFrame) -> pd.DataFrame:
    """Both tables of the same pairs as one, with the verdict of the t-tests."""
    # The rows are the same pairs in the same order; concat aligns by index, which both share.
    return pd.concat(
        [
            frequentist[list(FREQUENTIST_COLUMNS[:-1])],
            bayesian[list(_PROBABILITIES)],
            frequentist[["verdict"]],
        ],
        axis=1,
    )


def ranking_table(
    scores: SplitScores, labels: Sequence[str], settings: Settings, metric: str = ""
) -> pd.DataFrame:
    """Candidates in rank order with their means and marginal 1 − alpha intervals.

    `labels` are in rank order as well; the index is left to the caller. The intervals stay in the
    range of `metric`.
    """
    order, test = scores.order, settings.test
    mean, std_err = scores.means[order], test.std_errs(scores)[order]
    critical = critical_value(None, alpha=settings.alpha, n_tests=1, df=test.df(scores))
    within = ScoreRange.of(scores, test.share_factor(scores), metric)
    low, high = mean_limits(mean, std_err, critical, within)
    return pd.DataFrame(
        {
            # Int64, pandas' nullable integers: a failed candidate's rank is <NA>, not 7.0.
            "rank": pd.Series(mean).rank(method="min", ascending=False).astype("Int64").array,
            "label": list(labels),
            "mean": mean,
            "std_err": std_err,
            "ci_low": low,
            "ci_high": high,
        }
    )


class PairNames:
    """Candidates of pairs → labels, as categoricals whose categories are in rank order."""

    def __init__(
        self, labels: tuple[str, ...], order: NDArray[np.intp], missing: NDArray[np.bool_]
    ) -> None:
        self._categories = pd.CategoricalDtype([labels[i] for i in order])
        self._rank = np.empty_like(order)
        self._rank[order] = np.arange(len(order))
        self._missing = missing

    def of(self, tests: PairedTTests) -> tuple[pd.Categorical, pd.Categorical]:
        """Labels of the first and of the second candidate of each pair."""
        return self._labels(tests.first), self._labels(tests.second)

    def missing(self, tests: PairedTTests) -> NDArray[np.bool_]:
        """Whether a candidate of each pair is missing."""
        return np.asarray(self._missing[tests.first] | self._missing[tests.second])

    def _labels(self, candidates: NDArray[np.intp]) -> pd.Categorical:
        # from_codes, with one dtype for all: a Categorical made from labels would hash millions of
        # them, and chunks of a stream would differ in their categories.
        return pd.Categorical.from_codes(self._rank[candidates], dtype=self._categories)


def check_is_comparison(comparison: Any) -> None:
    """Raise TypeError for what is no `Comparison`, whose module imports this one."""
    if not hasattr(type(comparison), "_possibly_best_members"):
        raise TypeError(f"`comparison` must be a Comparison; got {type(comparison).__name__}.")


def known_params(comparison: Any) -> Sequence[Mapping[str, Any]]:
    """Parameters of the candidates; ValueError if the comparison knows none."""
    if comparison.params is None:
        raise ValueError("The comparison knows no parameters; one of a search does.")
    params: Sequence[Mapping[str, Any]] = comparison.params
    return params


MOST_PAIRS = 20_000_000
"""Maximum of pairs in a table of all pairs; both tables then take 3 GB, with pandas 2 about 6."""


def too_many_pairs(scores: SplitScores) -> bool:
    """Whether a table of all pairs, those of missing candidates included, would be too large."""
    return _n_rows(scores) > MOST_PAIRS


def check_n_pairs(scores: SplitScores, p_adjust: str | None = None) -> None:
    """Raise ValueError if a table of all pairs would be too large, and name alternatives.

    `p_adjust` is the comparison's adjustment, which the alternatives would use.
    """
    if not too_many_pairs(scores):
        return
    # `against()` and chunks would raise as well.
    one_by_one = ""
    if p_adjust not in CLOSED_FORM:
        one_by_one = (
            f" Under {p_adjust!r}, which needs every pair's p-value at once, use "
            'with_settings(p_adjust="bonferroni") for the first and the last.'
        )
    raise ValueError(
        f"`scores` must make at most {MOST_PAIRS:,} pairs for what needs all of them at once; got "
        f"{_n_rows(scores):,}, of {scores.n_candidates:,} candidates. Use `against()` for the "
        "leader against every other, `possibly_best()` for who may be the best, or "
        f"`frequentist(chunk_size=…)` for all pairs, some at a time.{one_by_one}"
    )


def check_streamable(p_adjust: str | None) -> None:
    """Raise ValueError if an adjustment needs all p-values, so that no chunk would be final."""
    if p_adjust in CLOSED_FORM:  # their p-values need the size of the family alone
        return
    raise ValueError(
        f"`p_adjust` must be one of {', '.join(map(repr, CLOSED_FORM))} where pairs are streamed, "
        f"as the other methods need every pair's p-value at once; got {p_adjust!r}. Use "
        'with_settings(p_adjust="bonferroni").'
    )


def pair_tables(
    scores: SplitScores, chunk_size: int, *, names: PairNames, settings: Settings
) -> Iterator[pd.DataFrame]:
    """Both tables of all pairs as one, `chunk_size` rows at a time, numbered through."""
    start = 0
    for tests in settings.test.in_chunks(scores, chunk_size):
        # The family is that of `scores`, so that each chunk is adjusted for all pairs.
        table, bayesian = both_tables(Family(scores, tests, settings), names)
        for column in _PROBABILITIES:
            table[column] = bayesian[column]
        table["bayesian_verdict"] = bayesian["verdict"]
        # Not reset_index: it would copy every column of every chunk.
        table.index = pd.RangeIndex(start, start + len(table))
        yield table
        start += len(table)


def _n_rows(scores: SplitScores) -> int:
    # Pairs with a failed candidate have a row, "missing", but do not count in the family.
    return scores.n_candidates * (scores.n_candidates - 1) // 2


VERDICTS = ("better", "worse", "equivalent", "undecided", "missing")

# Of a pair, the verdict on the reversed one.
TURNED = {"better": "worse", "worse": "better"}


def verdicts(
    better: NDArray[np.bool_],
    worse: NDArray[np.bool_],
    equivalent: NDArray[np.bool_],
    missing: NDArray[np.bool_],
) -> "pd.Categorical[str]":
    """One word per pair, of its first candidate against its second.

    `equivalent` takes precedence over `better` and `worse`.
    """
    codes = np.full(len(better), VERDICTS.index("undecided"), dtype=np.int8)
    for code, which in enumerate((better, worse, equivalent)):
        codes[which] = code
    codes[missing] = VERDICTS.index("missing")
    return pd.Categorical.from_codes(codes, categories=pd.Index(VERDICTS))


def verdict_words(verdict: str, role: str = "leader") -> str:
    """A verdict on the leader against another, where only the other's name is shown.

    `role` describes the first candidate if it is not the leader.
    """
    return f"{role} {verdict}" if verdict in ("better", "worse") else verdict


def verdict_counts(verdicts: pd.Series, role: str = "leader") -> str:
    """How often each verdict on the leader occurs, the most frequent first."""
    counts = verdicts.astype(str).value_counts()
    return ", ".join(f"{n:,} {verdict_words(str(verdict), role)}" for verdict, n in counts.items())


def resolve_rope(rope: Any, leader_mean: float) -> tuple[float, float]:
    """Return `rope` as (low, high); a share is one of the absolute `leader_mean`."""
    if isinstance(rope, str):
        half_width = _share(rope) * abs(leader_mean)
        return -half_width, half_width
    return check_interval("rope", rope)


def leader_mean(scores: SplitScores) -> float:
    """The highest mean, for a relative ROPE; NaN if every candidate failed."""
    return float(scores.means[scores.order[0]])


def _share(rope: str) -> float:
    text = rope.strip()
    try:
        if not text.endswith("%"):
            raise ValueError
        _, high = check_interval("rope", float(text[:-1]))
    except ValueError:
        raise ValueError(
            "`rope` must be a half-width ≥ 0, a (low, high) pair, or a share of the leader's "
            f"|mean| such as '1%'; got {shown(rope)}."
        ) from None
    return high / 100


FEW_SPLITS = 10

_DEFAULT_ROPE = (-0.01, 0.01)

# No one accepts as many false claims as true ones.
_NO_LEVEL = 0.5


def check_assumptions(
    scores: SplitScores,
    test: PairTest,
    *,
    advising: bool = True,
    params: Sequence[Mapping[str, Any]] | None = None,
    metric: str = "",
    kept: bool = False,
) -> list[str]:
    """One sentence for each strained assumption of the test; empty if there is none.

    `advising` False leaves out what to do about few splits, which `next_step` says too. `params`
    are those of the candidates; `kept` is whether values of samples are kept.
    """
    if not test.of_splits:
        strained = [*test.strained(scores), *_defects(scores.design)]
        return [*strained, *failed_on_some(scores)]
    favours = _favours_a_class(params or ()) if not metric.startswith(_OF_ONE_CLASS) else ""
    few = _few_splits(scores.design, bool(favours), kept and scores.n_available > 1)
    sentences = [*(few if advising else few[:1]), *check_large_differences(scores.samples)]
    if favours and scores.design.stratified:
        sentences.append(
            f"Candidates differ in {favours} and the splits are stratified. Such splits do not "
            "show how much a difference depends on the shares of the classes in the sample, and "
            "the corrected t-test often calls equally good candidates different: use "
            'test="samples", or splits that are not stratified, such as RepeatedKFold.'
        )
    return [*sentences, *check_structure(scores.design), *failed_on_some(scores)]


def failed_on_some(scores: SplitScores) -> list[str]:
    """A sentence on candidates whose `error_score` is no score, or above all other means."""
    failed = scores.failed
    on_all = failed.all(axis=1)
    on_some = failed.any(axis=1) & ~on_all
    others = scores.values[~failed & np.isfinite(scores.values)]
    is_usual = others.size > 0 and others.min() <= scores.error_score <= others.max()
    # 0 of negative losses; after a race perhaps without any other.
    means = scores.means[~on_all & ~scores.missing]
    is_best = on_all.any() and not (means >= scores.error_score).any()
    # Single samples, and recall of few, may be 0 for every candidate.
    are_all = scores.error_score == 0 and failed.any(axis=1).all()
    if not is_best and (is_usual or are_all or not on_some.any()):
        return []
    where = "all" if is_best else "some"
    return [
        f"A candidate has the `error_score` {scores.error_score:g} on {where} splits, which counts "
        "as its score there. If its fits failed, error_score=np.nan leaves it out of the "
        "comparison."
    ]


_FAVOUR_A_CLASS = ("class_weight", "class_prior", "priors", "scale_pos_weight")

_OF_ONE_CLASS = ("balanced_accuracy", "recall", "roc_auc")
"""Metrics that do not depend on the shares of the classes."""


def _favours_a_class(params: Sequence[Mapping[str, Any]]) -> str:
    """The first parameter in which candidates differ and that favours one class; "" if none does.

    A `threshold` is one of decisions if it is the model's own, and not that of a step, where it
    selects features.
    """
    for name in dict.fromkeys(name for own in params for name in own):
        last = name.rpartition("__")[2]
        if (last in _FAVOUR_A_CLASS or name == "threshold") and len(
            {repr(own.get(name)) for own in params}
        ) > 1:
            return last
    return ""


def _few_splits(design: SplitDesign, favours: bool, kept: bool) -> list[str]:
    """What is wrong with few splits, and then what to do about it.

    If candidates favour one class, more stratified splits are no remedy.
    """
    sentences = []
    if design.n_splits < 2:
        sentences.append(
            "There is only 1 split, and a standard error needs at least 2: every statistic is NaN."
        )
    elif design.n_splits == 2:
        sentences.append(
            "There are only 2 splits, and two splits cannot tell: they may agree by chance, so "
            "that even a standard error of 0 shows nothing."
        )
    elif design.n_splits < FEW_SPLITS:
        sentences.append(
            f"There are only {design.n_splits} splits: intervals are wide and real differences "
            "will often stay undecided."
        )
    # That test requires repeats of folds, which shuffled subsamples are not.
    if kept and 1 < design.n_splits < FEW_SPLITS and (design.repeat >= 0).all():
        sentences.append(
            'By samples the same fits may decide more, without another: compare(test="samples").'
        )
    # Repeats shuffle samples, and samples of a time series must keep their order.
    elif design.n_splits < FEW_SPLITS and not (design.expanding or design.sliding):
        sentences.append(
            "Use more splits if samples are independent of each other, for example "
            + (
                "RepeatedKFold(n_splits=10, n_repeats=10)."
                if favours
                else "RepeatedStratifiedKFold(n_splits=10, n_repeats=10), or RepeatedKFold for "
                "regression."
            )
        )
        if design.n_splits > 1 and (design.repeat >= 0).all():
            sentences.append(
                'If the metric has values of samples, a fit with test="samples" can decide more.'
            )
    return sentences


def check_structure(design: SplitDesign) -> list[str]:
    """Sentences on all assumptions but the number of splits."""
    # Nadeau and Bengio (2003) derive the correction for random splits with one n₁ and one n₂.
    sentences = _defects(design)
    # Pre-trained models: n_test/n_train is infinite.
    if not design.n_train.any():
        sentences.append(
            "The training sets are empty, so the overlap of the splits is unknown and the "
            "correction is infinite: nothing but identical candidates can be decided."
        )
    # Such as TimeSeriesSplit, which has a different n_train on every split.
    least, most = design.n_test.min(), design.n_test.max()
    window = "Every split trains on samples before those that it tests on (a sliding window)"
    doubts = (
        # Such as TimeSeriesSplit, which has a different n_train on every split.
        (design.expanding, "The training sets grow from split to split"),
        (design.sliding, window),
        # A sample drawn twice is one observation, but n_train counts it twice.
        (design.resampled, "Training sets hold samples more than once (a bootstrap)"),
        (most > 2 * least, f"Test sizes differ more than twofold (from {least} to {most})"),
    )
    return sentences + [
        f"{words}, for which the variance correction is a heuristic: read p-values and "
        "probabilities as a guide."
        for is_doubtful, words in doubts
        if is_doubtful
    ]


REPEATED = (
    "Some splits are the same as others, or test the same samples, but the test counts each as a "
    "new one: p-values and intervals claim more than the data show. Draw each repeat by another "
    "seed."
)

_DEFECTS = {
    "repeated": REPEATED,
    "tests_training": "Some splits test samples that they train on: scores are too good, and "
    "favour candidates that overfit.",
}


def _defects(design: SplitDesign) -> list[str]:
    return [sentence for name, sentence in _DEFECTS.items() if getattr(design, name)]


def scores_of_zero_to_one(scores: SplitScores) -> bool:
    """Whether all scores lie between 0 and 1, as accuracies do; True if there are none."""
    known = scores.values[~scores.missing]
    # A range, not a list of metric names: `scoring` may be any callable.
    return not known.size or bool(known.min() >= 0 and known.max() <= 1)


def doubtful_rope(scores: SplitScores, rope: tuple[float, float]) -> str | None:
    """A sentence if the ROPE does not seem to be chosen for these scores."""
    # The user chose any other width.
    if rope != _DEFAULT_ROPE or scores_of_zero_to_one(scores):
        return None
    return (
        "A ROPE of ±0.01 is a convention for scores between 0 and 1: choose the largest difference "
        "that would not matter here, or a percentage of the leader's mean, such as rope='1%'."
    )


def mistaken_settings(
    scores: SplitScores, rope: tuple[float, float] | None, alpha: float | None
) -> list[str]:
    """One sentence for each setting that decides every pair whatever the scores are.

    Pass a `rope` that is a share of a mean as that share of 1. None is not checked.
    """
    sentences = []
    # Compared with the range that such scores can have, not with the range of these scores: a ROPE
    # is chosen before scores are seen, and equal candidates are no mistake. A share of 100 % is the
    # leader's mean, and no other mean can be further below it.
    if (
        rope is not None
        and min(-rope[0], rope[1]) >= 1
        and scores.n_available
        and scores_of_zero_to_one(scores)
    ):
        sentences.append(
            "The `rope` is wider than the range of all scores, which lie between 0 and 1: it makes "
            "almost every pair equivalent, however much the scores differ. Choose the largest "
            "difference that would not matter, such as 0.01, or a share such as '1%'."
        )
    if alpha is not None and alpha >= _NO_LEVEL:
        sentences.append(
            "`alpha` is a level, the accepted probability of a false claim, such as 0.05, and not "
            f"a confidence, such as 0.95: with {alpha:g}, intervals cover only "
            f"{level_words(alpha)}, and most verdicts mean nothing."
        )
    return sentences


def may_lack_the_best(
    n_entered: int | None, n_compared: int, dropped_pvalue: float | None, alpha: float | None
) -> bool:
    """Whether the best of all candidates that entered may be one that is not compared.

    `alpha` is the level at which the best is asked for; None for a choice without a level.
    """
    # None: the comparison is not of a search that dropped candidates.
    if n_entered is None or n_entered <= n_compared:
        return False
    return dropped_pvalue is None or (alpha is not None and dropped_pvalue >= alpha)


def warn_of_survivors(
    n_entered: int | None,
    n_compared: int,
    choice: str,
    dropped_pvalue: float | None = None,
    alpha: float | None = None,
) -> None:
    """Warn if `choice` among the compared candidates says nothing about all that entered."""
    if not may_lack_the_best(n_entered, n_compared, dropped_pvalue, alpha):
        return
    why = "after a race of very similar candidates it usually is."
    if dropped_pvalue is not None:
        why = (
            "the race dropped them as worse on new data with p-values of up to "
            f"{dropped_pvalue:.2g}, which is not below alpha = {alpha:g}."
        )
    warn_user(
        f"Only {n_compared:,} of {n_entered:,} candidates ran on all these splits. {choice} refers "
        f"to these only. The true best may be one of the others; {why}",
        "survivors",
    )


UNSEEN_SPLITS = (
    "These scores chose the candidates. Nested cross-validation, cross_val_score of the search on "
    "outer splits, says how good its choice is; splits that it has not seen compare candidates."
)
"""What to do with candidates that their search chose by scores."""

FINISH = (
    "Finish the search: call `fit` again with more time; with a `ledger`, it goes on from here."
)
"""What to do with a search that `max_time` cut."""

NO_ERROR_RATES = (
    "so the error rates of p-values, intervals and verdicts no longer hold: read them as a "
    "description."
)


BEST_OF_SEARCHES = (
    "These scores chose the models. Nested cross-validation compares the searches fairly: "
    "cross_validate_models of the searches, or cross_val_score of each, on the same outer "
    "splits tunes them anew within every training set."
)
"""What to do with the best candidates of several searches, which may be of other estimators."""


LOST = (
    "The values of samples that fit kept by default are not in this pickle; those of "
    'return_predictions="values" are.'
)

SPLITS_GROUPS = (
    "Samples of one group are in the training and in the test set of a split: where they are "
    "alike, the scores are too good."
)


class ChosenByScores(str):
    """A note on the choice by scores, or on a cut, and what to do instead of reading verdicts.

    Attributes
    ----------
    instead : str
        A sentence, for `Comparison.next_step`.
    """

    instead: str

    def __new__(cls, note: str, instead: str = "") -> Self:
        """From the note and the sentence."""
        made = super().__new__(cls, note)
        made.instead = instead
        return made


def joined_notes(*notes: str | None) -> str:
    """Join notes; the result has the advice `instead` if one of them has."""
    text = " ".join(filter(None, notes))
    instead = next((note.instead for note in notes if isinstance(note, ChosenByScores)), None)
    return text if instead is None else ChosenByScores(text, instead)


def chosen_by_search(name: str) -> ChosenByScores:
    """Note of a search, such as a Bayesian one, that saw scores of the compared splits."""
    return ChosenByScores(
        f"{name} chose candidates after it had seen scores on these splits, {NO_ERROR_RATES}",
        UNSEEN_SPLITS,
    )


def kept_by_halving() -> ChosenByScores:
    """Note of a halving search, of its iterations from the second on."""
    return ChosenByScores(
        f"The halving search kept these candidates for their scores on less data, {NO_ERROR_RATES}",
        UNSEEN_SPLITS,
    )


def warn_of_last_iteration(n_compared: int, n_rows: int) -> None:
    """Warn that only the last iteration of a halving search is compared."""
    warn_user(
        f"Only the last iteration of the halving search is compared, {n_compared} of "
        f"{n_rows} rows: the others were scored on less data.",
        "last-iteration",
    )
