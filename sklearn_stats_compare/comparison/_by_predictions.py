"""Other settings and metrics for the same scores and predictions, without refitting.

Each function is a method of `Comparison`.
"""

import dataclasses
from typing import Any, Protocol, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare.comparison._assumptions import warn_of_settings
from sklearn_stats_compare.comparison._chosen_by_scores import joined_notes
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._rope import resolve_rope
from sklearn_stats_compare.stats import (
    DeLongResult,
    McNemarResult,
    PairTest,
    SampleScores,
    SplitScores,
    delong_of_folds,
    pair_test,
)
from sklearn_stats_compare.stats import mcnemar as mcnemar_of_predictions


class KeptPredictions(Protocol):
    """What candidates predicted for the test samples of the splits."""

    @property
    def metric(self) -> str:
        """Name of the score."""

    @property
    def note(self) -> str:
        """What users should know about the scores."""

    @property
    def scores(self) -> NDArray[np.float64]:
        """Scores, candidates × splits."""

    @property
    def tested(self) -> NDArray[np.intp]:
        """Rows of the data that are tested on, sorted."""

    @property
    def n_rows(self) -> int:
        """Number of rows of the data."""

    @property
    def index(self) -> pd.Index | None:
        """Index of the rows if the data were a frame."""

    def samples(self) -> SampleScores:
        """Values of every sample in every repeat."""

    def by_subgroup(self, codes: NDArray[np.intp], least: int) -> list[SampleScores | None]:
        """Values of the samples of each subgroup; None for subgroups with too few samples."""

    def with_metric(self, scorer: Any) -> Self:
        """The same predictions under another metric."""

    def pooled(self, k: int, scorer: str, repeat: int) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Truth and response of a candidate, by fold of a repeat."""


class ByPredictions(Compared, Protocol):
    """A comparison that may have predictions."""

    @property
    def predicted(self) -> KeptPredictions | None:
        """What its candidates predicted."""


def with_settings(self: Any, **settings: Any) -> Any:
    """The same scores under other settings; no warning about the splits is repeated.

    Parameters
    ----------
    **settings
        Any of `alternative`, `p_adjust`, `rope`, `alpha`, `test`, `labels`; labels may be
        "name=value", as ``C=1, gamma=0.1``, where parameters are known.

    Raises
    ------
    TypeError
        If a setting is unknown.
    """
    known = ("alternative", "p_adjust", "rope", "alpha", "test", "labels")
    for name in settings:
        if name not in known:
            raise TypeError(f"A setting must be one of {', '.join(known)}; got {name!r}.")
    scores = with_samples(self.scores, self.predicted, settings.get("test", self.test))
    other = dataclasses.replace(self, scores=scores, **settings, warn=False)
    warn_of_settings(
        scores,
        resolve_rope(other.rope, 1.0) if "rope" in settings else None,
        other.alpha if "alpha" in settings else None,
    )
    return other


def with_samples(
    scores: SplitScores, kept: KeptPredictions | None, test: str | PairTest | None
) -> SplitScores:
    """The scores, with values of samples if the test needs them and there are predictions."""
    if kept is None or test is None or scores.samples is not None or pair_test(test).of_splits:
        return scores
    return dataclasses.replace(scores, samples=kept.samples())


def with_metric(self: Any, scorer: Any, **settings: Any) -> Any:
    """Compare by another metric of the same predictions; nothing is fitted again.

    Parameters
    ----------
    scorer : str or callable
        As for scikit-learn's `scoring`: a name, or what ``make_scorer`` returns. It must be
        computed from a response that was kept. A search scored by accuracy keeps ``predict``.
    **settings
        As for `with_settings`. A `rope` is in units of the score: 0.01 is a convention for scores
        between 0 and 1.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If no predictions were kept, or the scorer needs more than these.

    Notes
    -----
    With two classes, probabilities replace decisions that were not kept, and `Comparison.note` says
    so; with more classes this raises an error. Scores are unweighted, even if the search passed
    sample weights to its scorers.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn_stats_compare import StatisticalGridSearchCV
    >>> search = StatisticalGridSearchCV(
    ...     KNeighborsClassifier(), {"n_neighbors": [1, 9]}, scoring="neg_log_loss", cv=5,
    ...     test="samples", return_predictions=True,
    ... ).fit(*load_breast_cancer(return_X_y=True))
    >>> by_area = search.comparison_.with_metric("roc_auc")
    >>> by_area.leader, by_area.metric
    ('9', 'roc_auc')
    """
    kept = predictions_of(self).with_metric(scorer)
    samples = None if self.settings.test.of_splits else kept.samples()
    scores = SplitScores(kept.scores, self.scores.design, samples)
    changed = dataclasses.replace(
        self,
        scores=scores,
        metric=kept.metric,
        predicted=kept,
        note=joined_notes(self.note, kept.note),
        dropped_pvalue=None,  # a race drops candidates by one metric
        warn=False,
    )
    return changed.with_settings(**settings) if settings else changed


def mcnemar(
    self: ByPredictions, i: int | str, j: int | str, *, repeat: int = 0, method: str = "exact"
) -> McNemarResult:
    """McNemar's test of two candidates on their out-of-fold predictions.

    Parameters
    ----------
    i, j : int or str
        Candidate indices or labels.
    repeat : int, default=0
        Which repeat of the cross-validation: several would count each sample several times.
    method : {"exact", "mid-p", "chi2", "chi2_corrected"}, default="exact"
        As for `mcnemar`.

    Returns
    -------
    McNemarResult
        Of candidate `i` as model 1 and `j` as model 2.

    Raises
    ------
    ValueError
        If no predictions were kept, none of them from ``predict``, or there is no such candidate or
        repeat.

    Warns
    -----
    ComparisonWarning
        Always: the predictions come from one fit per fold, and the test treats them as those of one
        model. The result is valid for the fitted models only and ignores how models vary with their
        training data. ``test="samples"`` by accuracy includes that variation.
    """
    folds = _folds_of_pair(self, i, j, "accuracy", repeat)
    truth, pred1, pred2 = map(np.concatenate, zip(*folds, strict=True))
    if truth.ndim > 1:
        raise ValueError("`mcnemar` needs one class per sample; these have several labels each.")
    return mcnemar_of_predictions(truth, pred1, pred2, method=method, pooled_over_folds=True)


def delong(
    self: ByPredictions,
    i: int | str,
    j: int | str,
    *,
    repeat: int = 0,
    alternative: str = "two-sided",
) -> DeLongResult:
    """DeLong's test of two candidates' areas under the ROC curve, fold by fold.

    Parameters
    ----------
    i, j : int or str
        Candidate indices or labels.
    repeat : int, default=0
        Which repeat of the cross-validation: several would count each sample several times.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        As for `delong`.

    Returns
    -------
    DeLongResult
        Of candidate `i` as model 1 and `j` as model 2: means of the areas over folds, and the
        variances of these means. Curves are means of the folds' at each false positive rate.

    Raises
    ------
    ValueError
        If no predictions were kept, none of them decisions or probabilities of two classes, a fold
        has fewer than two samples of a class, or there is no such candidate or repeat.

    Notes
    -----
    Scores of models from different folds are not on one scale and are never ranked together. The
    areas are averaged, as scikit-learn does, and their variances are added, because folds share no
    test sample. Valid for the fitted models only: the variance ignores how models vary with their
    training data. ``test="samples"`` by ROC AUC includes that variation.
    """
    folds = _folds_of_pair(self, i, j, "roc_auc", repeat)
    if any(score.ndim > 1 for _, score, _ in folds):
        raise ValueError(
            "`delong` needs two classes; the candidates predict more, or several labels."
        )
    return delong_of_folds(folds, alternative=alternative)


def _folds_of_pair(
    self: ByPredictions, i: int | str, j: int | str, scorer: str, repeat: int
) -> list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
    """For each fold of a repeat, the truth and the responses of two candidates."""
    kept = predictions_of(self)
    first, second = (
        kept.pooled(_row(self, which, name), scorer, repeat) for which, name in ((i, "i"), (j, "j"))
    )
    return [(truth, one, other) for (truth, one), (_, other) in zip(first, second, strict=True)]


def samples(self: Any) -> SampleScores:
    """Values of single samples with the scores as means; ValueError if there are none."""
    own: SampleScores | None = self.scores.samples
    return predictions_of(self).samples() if own is None else own


def predictions_of(self: Any) -> KeptPredictions:
    """The candidates' predictions; ValueError if these were not kept."""
    kept: KeptPredictions | None = self.predicted
    if kept is None:
        raise ValueError(
            "This comparison has no predictions: set `return_predictions=True` before `fit`, or in "
            "cross_validate_models."
        )
    return kept


def _row(self: Compared, which: int | str, name: str) -> int:
    row = self._candidate_names.row(which, name)
    if self.scores.missing[row]:
        raise ValueError(f"`{name}` must be a candidate that did not fail; got {which!r}.")
    return row
