"""Predicted: predictions of candidates, as values of samples for any metric and subgroup."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.utils.multiclass import type_of_target

from sklearn_stats_compare._sklearn_private import take_rows
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import check_count, shown, warn_user
from sklearn_stats_compare.predictions import _responses
from sklearn_stats_compare.predictions._influence import MOST_GROUPS, group_values
from sklearn_stats_compare.predictions._responses import Scoring
from sklearn_stats_compare.predictions._sample_losses import as_labels, indicators
from sklearn_stats_compare.predictions._scorers import (
    ScorerReading,
    is_of_scikit_learn,
    name_of_scorer,
    read_scorer,
)
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._pair_tests import CORRECTED_T, PairTest
from sklearn_stats_compare.stats._sample_scores import (
    WHOLE,
    MeasuredInstability,
    SampleScores,
    type_of_values,
)
from sklearn_stats_compare.stats._sample_t import SampleTTest
from sklearn_stats_compare.stats._scores import UNITS, SplitScores

_INSTEAD = 'compare(test="corrected_t") requires no per-sample values'

_NAMES = {"accuracy_score": "accuracy", "r2_score": "r2"}

_KEEP = "set `return_predictions=True` before `fit`"


@dataclass(frozen=True, eq=False)
class Predicted:
    """Predictions of some candidates for the test samples of splits, and how they were scored.

    Attributes
    ----------
    responses : Responses
        The stored responses.
    scoring : Scoring
        The data and scorers.
    design : SplitDesign
        The design of the splits.
    rows : sequence of int
        Numbers of the candidates in `responses`.
    metric : str
        Name of one of the scorers.
    scores : ndarray of shape (n_candidates, n_splits)
        The scores of these candidates, NaN where one failed.
    note : str, default=""
        A remark on the scores for the user.
    measured : MeasuredInstability, optional
        What probes showed by this metric.
    is_rescored : bool, default=False
        Whether the scores are of the predictions, without the weights that a fit scored with.
    """

    responses: _responses.Responses
    scoring: Scoring  # pickles of 0.1 have its class in this module
    design: SplitDesign
    rows: Sequence[int]
    metric: str
    scores: NDArray[np.float64]
    note: str = ""
    measured: MeasuredInstability | None = None
    is_rescored: bool = False

    def samples(self) -> SampleScores:
        """Values of every sample in every repeat.

        Raises
        ------
        ValueError
            If the splits are not repeats of folds, the metric has no values of samples, or a
            candidate's predictions do not give its score. The message gives the reason and a
            remedy.
        """
        return replace(self._of_units(self._values(), self.tested), measured=self.measured)

    @property
    def tested(self) -> NDArray[np.intp]:
        """Rows of the samples in any test set, sorted."""
        SampleTTest().check(self.design)
        first = self._splits_of_repeats()[0]
        return np.unique(np.concatenate([self.responses.tests[j] for j in first]))

    def with_metric(self, scorer: Any) -> Self:
        """The same predictions under another metric.

        Raises
        ------
        ValueError
            If the scorer needs more than was kept.
        """
        kept, current = self.scoring.scorers, self.scoring.scorers[self.metric]
        own = scorer
        if isinstance(scorer, str):  # perhaps that of the search under this name
            named = {name_of_scorer(each): each for each in kept.values()}
            own = kept.get(scorer) or named.get(scorer, scorer)
        reading = read_scorer(own, self.scoring.estimator)
        if not reading.can_score:
            raise ValueError(
                f"`metric` must be computed from predictions alone; got {shown(scorer)}: "
                f"{reading.reason}."
            )
        if self.responses.are_values:
            raise ValueError(
                "`metric` needs the predictions, but only their values under one metric were "
                f"kept: {_KEEP}."
            )
        name = name_of_scorer(own if scorer == "score" else scorer)
        name = name or _NAMES.get(reading.metric, reading.metric)
        scores, note = np.where(self._scored, np.nan, self.scores), ""
        for k, split, y in self._cells():
            cell = self.responses.arrays(self.rows[k], split)
            try:
                scores[k, split] = reading.score(y, *_responses.response_in(reading, cell))
            # A metric may raise either if the target or its options do not suit it.
            except (TypeError, ValueError) as error:
                raise ValueError(
                    f"`metric` must be computed from what was kept; {name!r} cannot be "
                    f"computed for candidate {self.rows[k]}: {error}"
                ) from None
            asked = _responses.first_response(reading, cell)
            if asked is not None and asked not in cell:
                note = (
                    f"{name} is computed from the probabilities that were kept; a search would use "
                    f"`{asked}`."
                )
        if self.weights is not None:
            note = f"{note} By {name} the scores are of the predictions, without weights.".strip()
        scoring = replace(self.scoring, scorers={**kept, name: own})
        is_same = own is current or name_of_scorer(own) == (name_of_scorer(current) or None)
        measured = self.measured if is_same else None
        if measured is not self.measured:
            note = f"{note} By {name} the instability was not measured, and is assumed.".strip()
        return replace(
            self, scoring=scoring, metric=name, scores=scores, note=note, measured=measured,
            is_rescored=True,
        )  # fmt: skip

    def by_subgroup(self, codes: NDArray[np.intp], least: int) -> list[SampleScores | None]:
        """Values of the samples of each subgroup; their mean is the score of the subgroup.

        Parameters
        ----------
        codes : ndarray of int, shape (n_samples,)
            Subgroup of each row of the data, numbered from 0.
        least : int
            Fewest tested samples (or groups of samples) of a subgroup; smaller subgroups get None.

        Raises
        ------
        ValueError
            If the score is not a mean and its predictions were not kept, or is a sum.
        """
        if self._reading.is_sum:
            raise ValueError(
                "`metric` must be no sum for subgroups, which have other numbers of samples; got "
                f"{self.metric!r}, with normalize=False. Use its mean, normalize=True."
            )
        tested = self.tested
        rows = [tested[codes[tested] == k] for k in range(int(codes.max(initial=-1)) + 1)]
        is_tested = np.array([self.n_units(chosen) >= least for chosen in rows], dtype=bool)
        if not is_tested.any():
            return [None] * len(rows)
        weighted = any(_responses.WEIGHTS in cell for cell in self.responses.cells.values())
        if self._reading.how == "mean" and not weighted:
            values = self._values()
        elif self.responses.are_values:
            what = "weighted" if weighted else "not a mean over samples"
            raise ValueError(
                f"{self._reading.metric} is {what}, and within a subgroup it needs the "
                f"predictions: {_KEEP}."
            )
        else:
            values = self._values(np.where(is_tested[codes], codes, -1))
        return [
            replace(self._of_units(values, chosen), measured=self.measured) if tests else None
            for chosen, tests in zip(rows, is_tested, strict=True)
        ]

    def n_units(self, rows: NDArray[np.intp]) -> int:
        """Number of these samples, or of their groups."""
        if self.scoring.groups is None:
            return int(rows.size)
        return len(np.unique(np.asarray(take_rows(self.scoring.groups, rows))))

    def pooled(self, k: int, scorer: str, repeat: int) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Truth and response of a candidate in each fold of a repeat, as a scorer takes them.

        Parameters
        ----------
        k : int
            Position in `rows`.
        scorer : str
            Name of the scorer that takes the response.
        repeat : int
            Number of the repeat, from 0.
        """
        if self.responses.are_values:
            raise ValueError(f"There are no predictions, only values of samples: {_KEEP}.")
        _ = self.tested  # raises if there are no repeats
        repeats = self._splits_of_repeats()
        repeat = check_count("repeat", repeat, least=0, most=len(repeats) - 1)
        reading = read_scorer(scorer)
        parts = []
        for split in repeats[repeat]:
            cell = self.responses.arrays(self.rows[k], int(split))
            truth = as_labels(take_rows(self.scoring.y, self.responses.tests[split]))
            try:
                parts.append((truth, _responses.response_in(reading, cell)[0]))
            except ValueError as error:
                raise ValueError(
                    f"`comparison` must have kept the predictions that {scorer} takes: {error}"
                ) from None
        return parts

    @property
    def failed(self) -> NDArray[np.bool_]:
        """Which cells, candidates × splits, have the `error_score` of a fit that failed."""
        return np.isfinite(self.scores) & ~self._scored

    @property
    def have_values(self) -> bool:
        """Whether the metric has values of samples."""
        return self._reading.how != "none"

    @property
    def _reading(self) -> ScorerReading:
        return read_scorer(self.scoring.scorers[self.metric], self.scoring.estimator)

    def _cells(self) -> Any:
        """Yield each candidate that did not fail with each split and the truth of its test set."""
        y = [take_rows(self.scoring.y, test) for test in self.responses.tests]
        for k, split in np.argwhere(self._scored):
            yield int(k), int(split), y[split]

    @property
    def _scored(self) -> NDArray[np.bool_]:
        """Whether each cell has a score of predictions, and not that of a failure."""
        scored = np.isfinite(self.scores)
        for k, split in np.argwhere(self.scores == self.scoring.error_score):
            scored[k, split] = bool(self.responses.cells.get((self.rows[k], int(split))))
        return scored

    def _values(self, codes: NDArray[np.intp] | None = None) -> NDArray[Any]:
        """Values of samples by row of the data, (n_candidates, n_repeats, n_rows).

        With `codes`, values of the score within samples of equal code; negative codes are skipped.
        """
        responses, design = self.responses, self.design
        SampleTTest().check(design)
        n_folds = np.bincount(design.repeat)
        if np.ptp(n_folds):
            raise ValueError(
                f'`test` "samples" needs repeats with the same number of folds; {_INSTEAD}.'
            )
        # Raise ValueError if folds are repeated: refits on them show no instability.
        folds = [
            frozenset(np.sort(self.responses.tests[j]).tobytes() for j in splits)
            for splits in self._splits_of_repeats()
        ]
        if len(set(folds)) < len(folds):
            raise ValueError(
                '`test` "samples" needs repeats with different folds; two repeats of this `cv` '
                f"have the same folds. {_INSTEAD}."
            )
        reading = self._reading
        if reading.how == "none":
            raise ValueError(
                f'`test` "samples" has no per-sample values here: {reading.reason}; {_INSTEAD}.'
            )
        # What no one asked for may be of any kind.
        errors: Any = Exception if responses.by_default else ValueError
        units: list[Any] = [None] * design.n_splits
        if self.scoring.groups is not None:
            units = [take_rows(self.scoring.groups, test) for test in responses.tests]
        # Whole numbers, such as 0 and 1 of an accuracy, until a value is none.
        shape = len(self.rows), len(n_folds), responses.n_samples
        is_whole = bool(self._scored.all())
        values = np.zeros(shape, WHOLE) if is_whole else np.full(shape, np.nan, np.float32)
        # Values that a fit kept are in single precision. Then all are, so that identical candidates
        # have identical values. Those of kept responses need not be.
        name = _responses.VALUES + self.metric
        single = responses.are_values and not responses.by_default
        single |= any(name in cell for cell in responses.cells.values())
        for k, split, y in self._cells():
            test, unit = responses.tests[split], units[split]
            cell, score = responses.arrays(self.rows[k], split), float(self.scores[k, split])
            if self.is_rescored:
                cell = {name: own for name, own in cell.items() if name != _responses.WEIGHTS}
            found = cell.get(name)
            if found is None:
                try:
                    with np.errstate(all="ignore" if responses.by_default else None):
                        found, weights = _responses.values_in_split(
                            reading, cell, y, score, unit, self.metric
                        )
                except errors as error:
                    if score == self.scoring.error_score:  # of a scorer that failed
                        values = values.astype(np.promote_types(values.dtype, float), copy=False)
                        values[k, design.repeat[split], test] = score
                        continue
                    raise ValueError(
                        '`test` "samples" has no per-sample values for candidate '
                        f"{self.rows[k]}: {error} {_INSTEAD}."
                    ) from None
                if codes is not None:
                    for code in np.unique(codes[test][codes[test] >= 0]):
                        inside = np.flatnonzero(codes[test] == code)
                        part = reading, cell, y, weights, unit, inside
                        found[inside] = _responses.values_within(*part)
            dtype = type_of_values(found, single=single)
            values = values.astype(np.promote_types(values.dtype, dtype), copy=False)
            values[k, design.repeat[split], test] = found
        # A fit that failed has its `error_score`, and so has each sample that it did not predict.
        for k, split in np.argwhere(self.failed):
            dtype = type_of_values(self.scores[k, [split]], single=single)
            values = values.astype(np.promote_types(values.dtype, dtype), copy=False)
            values[k, design.repeat[split], responses.tests[split]] = self.scores[k, split]
        values.setflags(write=False)  # so that nothing below copies them
        return values

    def _splits_of_repeats(self) -> list[NDArray[np.intp]]:
        repeat = self.design.repeat
        return [np.flatnonzero(repeat == k) for k in range(int(repeat.max()) + 1)]

    def _of_units(self, values: NDArray[Any], rows: NDArray[np.intp]) -> SampleScores:
        """Values of these samples, or of their groups if groups are the independent units."""
        words = ""
        if not np.array_equal(rows, np.arange(values.shape[2])):
            values = values[:, :, rows]
            values.setflags(write=False)
        n_folds = int(np.bincount(self.design.repeat)[0])
        if self.scoring.groups is not None:
            groups = np.asarray(take_rows(self.scoring.groups, rows))
            # Centred first: otherwise the sum of a group would grow with its size times the score.
            means = values.mean(axis=2, keepdims=True, dtype=float)
            sums, names = group_values(values - means, groups)
            if len(names) < n_folds:
                raise ValueError(
                    f'`groups` must be at least {n_folds} for `test` "samples", one per fold; got '
                    f"{len(names)}. {_INSTEAD}."
                )
            values = sums + means
            repeats = f"{values.shape[1]:,} × " if values.shape[1] > 1 else ""
            n_samples = f"{rows.size:,} samples"
            words = f"{repeats}{n_folds} folds, {count(len(names), 'group')} of {n_samples}"
        form = "auc" if self._reading.metric == "roc_auc_score" else "mean"
        fewest = None
        if self._depends_on_classes:
            having, tests = self._classes(rows), self.responses.tests
            fewest = min(
                int(having[np.isin(rows, test)].sum(axis=0).min(initial=len(rows)))
                for test in tests
            )
            said = self._n_said(rows)
            fewest = int(said[said > 0].min(initial=fewest))
        n_failed = int(self.failed.sum())
        samples = SampleScores(
            values, n_folds, form=form, words=words, fewest=fewest, n_failed=n_failed
        )
        if self._reading.how == "jackknife":
            samples = replace(
                samples,
                words=f"{samples.described}, approximated by a jackknife",
                are_of_groups=max(map(self.n_units, self.responses.tests)) > MOST_GROUPS,
            )
        return samples

    @cached_property
    def independent(self) -> dict[str, Any]:
        """What `SplitScores` takes of the samples: its `units`."""
        return self.independent_of(np.unique(np.concatenate(self.responses.tests)))

    def independent_of(self, rows: NDArray[np.intp]) -> dict[str, Any]:
        """The same of some rows of the data, where it is not usual."""
        n = self.n_independent_of(rows)
        if rows.size < np.floor(self.design.samples_per_repeat):
            n = min(n, rows.size)  # of a test set that is fixed, for example
        found: dict[str, Any] = {"n_independent": n, "sample_range": self._sample_range}
        if np.isfinite(self.scoring.error_score):
            found["error_score"] = self.scoring.error_score
        name = name_of_scorer(self.scoring.scorers[self.metric])
        if name != self.metric and is_of_scikit_learn(name):
            found["scorer_name"] = name
        return {name: own for name, own in found.items() if own != UNITS[name]}

    def n_independent_of(self, rows: NDArray[np.intp]) -> float:
        """Number of groups, or of samples of the rarest class, on which the score depends.

        Of groups with a sample of the class, if both matter. With weights w, at most Σw/max w of
        these samples or groups: models may differ on the heaviest alone. For precision it is also
        at most the number that a candidate puts into a class, of the candidate with the fewest; a
        split of which that is not known counts as one.
        """
        is_weighted = self.scoring.groups is not None or self.weights is not None
        n = self._n_weighted(rows) if is_weighted else np.inf
        if self.scoring.y is not None:
            if not self._depends_on_classes:
                return n
            n = min(self._n_weighted(rows[has]) for has in self._classes(rows).T)
        of_all = self._reading.options.get("average") in ("micro", "samples")
        if self._reading.metric != "precision_score" or of_all:
            return n
        said = self._n_said(rows)[self._scored.all(axis=1)]
        said = np.nan_to_num(said, nan=1.0).mean(axis=1) if said.size else np.ones(1)
        known = said[said > 0]  # others have no precision
        least = max(float(known.min()), 1.0) if known.size else 1.0
        return min(n, self.design.splits_per_repeat * least)

    @cached_property
    def puts_none(self) -> bool:
        """Whether a candidate puts no sample into a class of which the score is a precision."""
        rows = np.unique(np.concatenate(self.responses.tests))
        return bool((self._n_said(rows).sum(axis=1) == 0).any())

    @cached_property
    def splits_groups(self) -> bool:
        """Whether a group is in several folds of a repeat, and so in their training sets too."""
        repeats, tests = self.design.repeat, self.responses.tests
        if self.scoring.groups is None or (repeats < 0).any():
            return False
        for repeat in np.unique(repeats):
            own = [tests[k] for k in np.flatnonzero(repeats == repeat)]
            if sum(map(self.n_units, own)) > self.n_units(np.concatenate(own)):
                return True
        return False

    def _n_said(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """How many of these samples a fit puts into each class of which the score is a precision.

        Shape (n_candidates, n_splits, n_classes), NaN where it is not known.
        """
        reading = self._reading
        if reading.metric != "precision_score" or not self.responses.cells:
            return np.full((len(self.rows), self.design.n_splits, 1), np.nan)
        labels = reading.options.get("labels")
        if reading.options.get("average", "binary") == "binary":
            labels = [reading.pos_label]
        elif labels is None:
            y = as_labels(self.scoring.y)
            labels = np.unique(y) if y.ndim == 1 else np.arange(y.shape[1])
        found = np.full((len(self.rows), self.design.n_splits, len(labels)), np.nan)
        for k, split, truth in self._cells():
            cell, test = self.responses.arrays(self.rows[k], split), self.responses.tests[split]
            if "predict" in cell:
                said = indicators(truth, cell["predict"], labels)[1] & np.isin(test, rows)[:, None]
                found[k, split] = [
                    self._n_weighted(test[has]) if has.any() else 0.0 for has in said.T
                ]
        return found

    def _n_weighted(self, rows: NDArray[np.intp]) -> float:
        """Number of these samples, or of their groups; with weights w, at most Σw/max w."""
        n, weights, groups = float(self.n_units(rows)), self.weights, self.scoring.groups
        if weights is not None:
            own: NDArray[Any] = weights[rows]
            if groups is not None:  # the mean of each, because sizes do not count without weights
                codes = np.unique(np.asarray(take_rows(groups, rows)), return_inverse=True)[1]
                own = np.bincount(codes.ravel(), own) / np.bincount(codes.ravel())
            n = min(n, own.sum() / max(own.max(initial=0.0), 1e-300))
        return float(max(n, 1e-3))  # of weights that are all 0

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """Weight of each row of the data in the scores; None without any."""
        return None if self.is_rescored else (self.scoring.weights or {}).get(self.metric)

    @property
    def _sample_range(self) -> float:
        """Largest difference of two values of a sample, of costs and of sums; else inf."""
        reading, largest = self._reading, 1.0
        of_costs = reading.metric == "misclassification_cost"
        if not of_costs and not reading.is_sum:
            return np.inf
        if of_costs:
            largest = np.ptp(np.asarray(reading.options["cost_matrix"]), axis=1).max()
        if reading.is_sum:
            weights = self.weights
            largest *= self.design.n_test.mean() * (1.0 if weights is None else weights.mean())
        return float(largest) or 1.0

    @property
    def _depends_on_classes(self) -> bool:
        reading = self._reading
        average, labels = (reading.options.get(name) for name in ("average", "labels"))
        if labels is not None and not np.isin(self.scoring.y, labels).all():
            average = None
        is_recall = reading.metric == "recall_score"
        is_micro = average == "micro" and reading.metric != "jaccard_score"
        if average == "samples" or (
            (is_micro or (average == "weighted" and is_recall))
            and type_of_target(self.scoring.y) in ("binary", "multiclass")
        ):
            return False  # a mean over samples, or the accuracy
        return reading.is_of_counts or reading.metric == "roc_auc_score"

    def _classes(self, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of these samples are of each class, or have each label, samples × classes."""
        y, reading = as_labels(self.scoring.y), self._reading
        if y.ndim == 1:
            classes = np.unique(y[rows])
            if reading.metric == "recall_score":  # of one class, or of some
                binary = reading.options.get("average", "binary") == "binary"
                asked = [reading.pos_label] if binary else reading.options.get("labels")
                if asked is not None and (known := np.isin(asked, y)).any():
                    classes = np.asarray(asked)[known]
            return y[rows, None] == classes
        having = (y != 0)[:, (y != 0).any(axis=0)]  # a label that no sample has decides nothing
        if reading.metric == "roc_auc_score":  # of those without a label, too
            having = np.hstack([having, ~having])
        return having[rows]


Independent = Mapping[str, Mapping[str, Any]]


def independent_units(
    scoring: Scoring, design: SplitDesign, metrics: Iterable[str], rows: NDArray[np.intp]
) -> Independent:
    """What `SplitScores` takes of `rows`, by metric: see `Predicted.independent`."""
    empty, found = np.empty((0, 0)), {}
    for metric in metrics:
        # A callable may name metrics that no scorer has.
        known = {metric: scoring.scorers.get(metric, len)}
        of = replace(scoring, scorers=known)
        found[metric] = Predicted(
            _responses.Responses(), of, design, (), metric, empty
        ).independent_of(rows)
    return found


def tested_by_samples(
    scores: SplitScores, samples: Callable[[], SampleScores], test: PairTest, *, what: str
) -> tuple[SplitScores, PairTest]:
    """Return scores with values of samples and their test, or else scores and the corrected t-test.

    The fits are done by then and must not be lost: a warning gives the reason for the fallback.

    Parameters
    ----------
    scores : SplitScores
        Scores of the splits.
    samples : callable
        Returns the values of samples, or raises ValueError.
    test : PairTest
        The test of samples.
    what : str
        Start of the warning, such as "roc_auc is compared".
    """
    try:
        test.check(scores.design)
        return replace(scores, samples=samples()), test
    except ValueError as error:
        warn_user(f"{what} by the corrected t-test of splits: {error}", "no-sample-values")
        return scores, CORRECTED_T


_LARGE_SIZE = 10**9

_LARGEST_SIZE = 64 * 10**9
"""Bytes of predictions that are refused, whatever memory the machine has."""

_FLOAT = 8
"""Bytes of a probability, of a decision value, and of a predicted number."""

_VALUE = 4
"""Bytes of a value of a sample, stored in single precision."""


def are_large_values(n_metrics: int, n_candidates: int, n_tested: int) -> bool:
    """Whether the values of samples would take so much memory that `check_memory` warns."""
    return 2 * n_metrics * n_candidates * n_tested * _VALUE > _LARGE_SIZE


def check_memory(
    scorers: Mapping[str, Any],
    estimator: Any,
    y: Any,
    *,
    keeps: bool | str,
    n_candidates: int,
    n_tested: int,
) -> None:
    """Warn or raise if the predictions of all candidates would take much memory.

    Parameters
    ----------
    scorers : mapping of str to callable
        The scorer of each metric.
    estimator : estimator
        The estimator that is scored.
    y : array-like
        The truth.
    keeps : True or "values"
        As `return_predictions`.
    n_candidates, n_tested : int
        Number of candidates, and total number of test samples over all splits.

    Raises
    ------
    ValueError
        If they would take more than 64 GB.

    Warns
    -----
    UserWarning
        If they will take more than 1 GB.
    """
    try:
        of_sample = _bytes_per_sample(scorers, estimator, y, keeps)
    except Exception:  # a target or an estimator of a kind that scikit-learn does not know
        of_sample = 2 * _FLOAT
    # Twice: scikit-learn keeps all outcomes until its `fit` ends.
    size = 2 * n_candidates * n_tested * of_sample
    what = "values" if keeps == "values" else "predictions"
    estimate = (
        f"The {what} of {n_candidates:,} candidates for {n_tested:,} test samples take about "
        f"{size / 1e9:.3g} GB"
    )
    if size > _LARGEST_SIZE:
        raise ValueError(
            "`return_predictions` must be False if the predictions take more than "
            f"{_LARGEST_SIZE / 1e9:g} GB of memory. {estimate}."
        )
    if size > _LARGE_SIZE:
        warn_user(
            f"{estimate} of memory. Call `drop_predictions()` to free it.", "memory", UserWarning
        )


def _bytes_per_sample(scorers: Mapping[str, Any], estimator: Any, y: Any, keeps: bool | str) -> int:
    """Bytes of a candidate's responses to one sample."""
    if keeps == "values":
        return _VALUE * len(scorers)
    n_classes = 1
    labels = _FLOAT
    n_outputs = np.shape(y)[1] if y is not None and np.ndim(y) == 2 else 1
    if is_classifier(estimator) and y is not None and type_of_target(y) in ("binary", "multiclass"):
        classes = np.unique(np.asarray(y))
        n_classes = classes.size
        # Integer labels are stored in the smallest type that holds them.
        labels = classes.dtype.itemsize  # NumPy's text has four bytes per character
        if classes.dtype.kind in "iub":
            labels = np.min_scalar_type(classes.max(initial=0)).itemsize
    sizes = {
        "predict": labels,
        "predict_proba": _FLOAT * n_classes,
        "predict_log_proba": _FLOAT * n_classes,
        "decision_function": _FLOAT * _n_decisions(estimator, n_classes),
    }
    needed = set()
    for scorer in scorers.values():
        method = read_scorer(scorer, estimator).response_method(estimator)
        # A function of the estimator may call any of its methods.
        needed |= {method} if method else {"predict", "predict_proba"}
    return n_outputs * sum(sizes[method] for method in needed)


def _n_decisions(estimator: Any, n_classes: int) -> int:
    if n_classes <= 2:
        return 1
    one_vs_one = getattr(estimator, "decision_function_shape", None) == "ovo"
    return n_classes * (n_classes - 1) // 2 if one_vs_one else n_classes
