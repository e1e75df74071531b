"""compare_predictions(): existing predictions → Comparison; two models by their predictions."""

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import get_scorer
from sklearn.utils.multiclass import type_of_target

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare._utils._validation import (
    Alternative,
    check_one_kind,
    check_same_index,
    shown,
    warn_user,
    wrong,
)
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._predictions import predictions_of
from sklearn_stats_compare.comparison.readers._matrix import as_pandas, is_frame
from sklearn_stats_compare.comparison.readers._names import is_bookkeeping, names_models
from sklearn_stats_compare.evaluation import _read_predictions
from sklearn_stats_compare.predictions._predicted import Predicted
from sklearn_stats_compare.predictions._responses import CLASSES, Responses, Scoring, response_in
from sklearn_stats_compare.predictions._sample_losses import as_labels
from sklearn_stats_compare.predictions._scorers import ScorerReading, name_of_scorer, read_scorer
from sklearn_stats_compare.stats._family import PAdjust, PairTest, PairTestName, pair_test
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats.test_set import _classifiers


def compare_predictions(
    y: Any,
    predictions: Any = None,
    *,
    metric: Any,
    folds: Any = None,
    groups: Any = None,
    classes: Any = None,
    model: Any = None,
    row: str | None = None,
    fold: str | None = None,
    repeat: str | None = None,
    truth: str | None = None,
    response: Any = None,
    alternative: Alternative = "greater",
    p_adjust: PAdjust | None = "bonferroni",
    rope: float | tuple[float, float] | str = 0.01,
    alpha: float = 0.05,
    test: PairTestName | PairTest = "samples",
) -> Comparison:
    """Compare models by predictions that were made out of fold; nothing is fitted.

    Parameters
    ----------
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), or DataFrame
        The truth, or a long table of truth and predictions with a row per model, fold and sample.
        See the Notes.
    predictions : mapping of str to array-like, or None
        Predictions of each model, in the order of `y`; None if `y` is a table. Each sample must be
        predicted by a model that was not trained on it, as ``cross_val_predict`` does. The shape is
        (n_samples,) for classes or values, and (n_samples, n_classes) for probabilities. With two
        classes, (n_samples,) may also contain scores or probabilities of the second class, if the
        metric takes them. With repeats, a list of such arrays, or one array with the repeats as its
        first axis. All pandas objects must have the same index.
    metric : str or callable
        As `scoring` of scikit-learn: a name such as "accuracy" or "neg_log_loss", or what
        ``make_scorer`` returns. Higher is better. It determines which predictions are required:
        classes or values, probabilities, or scores.
    folds : array-like, list of (train, test) or splitter
        The folds that the predictions were made with: the fold of each sample, of shape
        (n_samples,) or (n_repeats, n_samples), where the training set is all samples of other
        folds; the indices of the splits; or a splitter with the same splits at every call. Every
        repeat must test every sample once. Must be None if `y` is a table.
    groups : array-like of shape (n_samples,), or str, optional
        Groups of samples that belong together, such as those of a patient. They are the units of
        the test of samples, and a splitter given as `folds` receives them. For a table, the name of
        a column.
    classes : array-like of shape (n_classes,), optional
        Order of the columns of probabilities. Default: sorted, as in scikit-learn.
    model, row, fold, repeat, truth : str, optional
        Names of columns of a table: of the model, the sample, its fold, its repeat and its true
        value. `model` may be a list of columns. Required for a table, but `repeat` may be missing
        if folds have different names in every repeat.
    response : str or dict of class to str, optional
        Names of the column of predicted values, or of the columns of probabilities. Required for a
        table.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        As for `Comparison`.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, \
            default="bonferroni"
        As for `Comparison`.
    rope : float, (float, float) or str, default=0.01
        As for `Comparison`.
    alpha : float, default=0.05
        As for `Comparison`.
    test : {"samples", "corrected_t", "uncorrected_t", "5x2cv_t", "5x2cv_f"} or PairTest, \
            default="samples"
        As for `Comparison`. "samples" compares the models by the values of single samples;
        "corrected_t" compares the scores of the folds.

    Returns
    -------
    Comparison
        It contains the predictions, so that `Comparison.by`,
        ``with_settings(metric=…)``, `evaluation.mcnemar_of` and `evaluation.delong_of` work.

    Raises
    ------
    TypeError
        If `predictions` is not a mapping, or a name of a column is not text.
    ValueError
        If `folds` are unknown, or do not test every sample once in each repeat; if predictions are
        missing, have another shape or index, or are not what the metric takes; if a column of a
        table is unknown or ambiguous; or if the rows of two models in a table differ in samples,
        folds or truth.

    Warns
    -----
    ComparisonWarning
        As for `Comparison`, about few folds, samples, or samples of a class.

    See Also
    --------
    cross_validate_models : Fits the models, on the same folds.
    compare : Compares existing scores.
    sklearn_stats_compare.stats.mcnemar : Compares the classes that two fitted models predict.
    sklearn_stats_compare.stats.delong : Compares the areas of two fitted models.

    Notes
    -----
    The numbers are those of `cross_validate_models` with the same folds and ``test``. The score of
    each fold is computed from its own predictions, never from pooled ones.

    Not valid if each model was fitted once and all predict one test set. Such predictions do not
    show how a model varies with its training data, so `folds` has no default. Also not valid if a
    model saw its test samples in training, which the predictions do not show. For test sets that
    overlap, such as those of ShuffleSplit or a bootstrap, compare the scores of splits. Classes
    that are floats cannot be told from scores, such as probabilities of 0 and 1. See `SampleTTest`
    for the level of the test of samples.

    **Tables.** A DataFrame of pandas or polars has a row per model, fold and sample, and the
    arguments name its columns. With two classes, the positive one is that of scikit-learn: class 1
    for F1, precision, recall, "jaccard" and "average_precision", otherwise the last in sorted
    order. R packages may use the first.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239–281. https://doi.org/10.1023/A:1024068626366

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import StratifiedKFold, cross_val_predict
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import compare_predictions
    >>> X, y = load_iris(return_X_y=True)
    >>> folds = StratifiedKFold(10)
    >>> models = {"lr": LogisticRegression(max_iter=1000), "svm": SVC(), "dummy": DummyClassifier()}
    >>> predictions = {
    ...     name: cross_val_predict(model, X, y, cv=folds) for name, model in models.items()
    ... }
    >>> found = compare_predictions(y, predictions, metric="accuracy", folds=folds)
    >>> found.against()[["model_1", "model_2", "verdict"]]
      model_1 model_2    verdict
    0      lr     svm  undecided
    1      lr   dummy     better
    """
    test = pair_test(test)
    reading, name = _read_metric(metric)
    columns = _read_predictions.ColumnNames(model, row, fold, repeat, truth, response)
    is_table = is_frame(y) and predictions is None
    if is_table:
        if folds is not None or classes is not None:
            raise ValueError(
                "`folds` and `classes` must be left out for a table, whose columns show them; got "
                f"{shown(folds if classes is None else classes)}. Use `fold`, `repeat` and "
                "`response`."
            )
        y, predictions, folds, groups = _read_predictions.read_table(
            as_pandas(y), replace(columns, groups=groups), name
        )
    elif columns.given:
        raise ValueError(
            f"`{columns.given[0]}` must be left out unless `y` is a table and `predictions` is "
            f"None; got {shown(getattr(columns, columns.given[0]))}."
        )
    # Copies, which a later change by the caller does not reach.
    target = _checked_truth(y).copy()
    units = copy.copy(_checked_groups(groups, target))
    _check_unmasked("folds", folds)
    splits, design = _read_predictions.splits_of_folds(folds, target, units, len(target))
    outputs = as_pandas(y).columns if is_frame(y) else None
    reader = _read_predictions.ArrayReader(reading, name, target, classes, outputs)
    if isinstance(response, str):
        reader.check_column("`response`", response)
    named = _named(predictions)
    index = _shared_index(y, named, {"groups": groups, "folds": folds})
    responses = Responses().widened([each for _, each in splits], len(target))
    scores = np.empty((len(named), len(splits)))
    for k, (label, given) in enumerate(named.items()):
        parts = reader.read(label, given, int(design.repeat.max()) + 1)
        for j, (_, each) in enumerate(splits):
            arrays = {
                key: array if key == CLASSES else array[each]
                for key, array in parts[design.repeat[j]].items()
            }
            responses.enter(k, j, arrays)
            try:
                scores[k, j] = reading.score(target[each], *response_in(reading, arrays))
            except (TypeError, ValueError) as error:  # a metric may raise either
                raise ValueError(
                    f"`predictions[{label!r}]` must be what {name!r} takes; it cannot score fold "
                    f"{j}: {error}"
                ) from None
    by_name = is_table and index is not None and not index.equals(pd.RangeIndex(len(target)))
    scoring = Scoring(target, {name: metric}, None, units, index, by_name)
    predicted = Predicted(responses, scoring, design, range(len(named)), name, scores)
    samples = None if test.of_splits else predicted.samples()
    one_of_two = metric in _OF_CLASS_1 and np.unique(target)[0] == 1
    return Comparison(
        SplitScores(scores, design, samples),
        list(named),
        metric=name,
        note=f"The positive class of {name} is 1." if one_of_two else "",
        _predicted=predicted,
        alternative=alternative,
        p_adjust=p_adjust,
        rope=rope,
        alpha=alpha,
        test=test,
    )


# The last of two classes is the positive one of other metrics.
_OF_CLASS_1 = ("f1", "precision", "recall", "jaccard", "average_precision")


def _read_metric(metric: Any) -> tuple[ScorerReading, str]:
    """How a metric is computed, and its name."""
    if isinstance(metric, str):
        try:
            get_scorer(metric)
        except ValueError:
            raise ValueError(
                "`metric` must be one of sklearn.metrics.get_scorer_names(), such as 'accuracy' or "
                f"'neg_log_loss', or a scorer of make_scorer; got {metric!r}."
            ) from None
    elif not callable(metric):
        raise wrong("metric", "be a name such as 'accuracy' or a scorer of make_scorer", metric)
    reading = read_scorer(metric)
    if not reading.can_score:
        raise ValueError(
            f"`metric` must be computed from predictions alone; got {shown(metric)}: "
            f"{reading.reason}."
        )
    return reading, name_of_scorer(metric) or reading.metric


def _check_unmasked(name: str, given: Any) -> None:
    # `np.asarray` returns the values below a mask.
    if isinstance(given, np.ma.MaskedArray) and np.ma.getmaskarray(given).any():
        raise ValueError(f"`{name}` must have no missing values; got masked ones.")


def _array(name: str, given: Any) -> NDArray[Any]:
    _check_unmasked(name, given)
    try:
        return np.asarray(given)
    except ValueError:  # rows of different lengths
        raise ValueError(f"`{name}` must be an array; got {shown(given)}.") from None


def _checked_truth(y: Any) -> NDArray[Any]:
    target = _array("y", y)
    if target.ndim == 2 and target.shape[1] == 1:
        target = target.ravel()
    if target.ndim not in (1, 2) or not target.size:
        raise ValueError(
            "`y` must be the truth of each sample, or a table of predictions if `predictions` is "
            f"None; got shape {target.shape}."
        )
    if pd.isna(target).any():
        raise ValueError(f"`y` must have no missing values; got {int(pd.isna(target).sum())}.")
    if any(isinstance(cell, bytes) for cell in target.ravel()[:1].tolist()):  # of an ARFF file
        raise ValueError(
            f"`y` must have classes of text or numbers; got {target.ravel()[0]!r}. Decode them, as "
            "by column.str.decode('utf-8')."
        )
    return target.astype(np.asarray(target.tolist()).dtype) if target.dtype.kind == "O" else target


def _checked_groups(groups: Any, target: NDArray[Any]) -> Any:
    if groups is None:
        return None
    units = _array("groups", groups)
    if units.shape != target.shape[:1] or pd.isna(units).any():
        raise ValueError(
            f"`groups` must be the group of each of {len(target)} samples, none missing; got "
            f"shape {units.shape}."
        )
    check_one_kind("groups", units)
    return units


def _shared_index(y: Any, named: dict[str, Any], more: dict[str, Any]) -> pd.Index | None:
    """The index of every pandas object with a row per sample; ValueError if two differ."""
    labelled = pd.DataFrame | pd.Series
    given = {"y": y, **{f"predictions[{name!r}]": part for name, part in named.items()}}
    found: list[tuple[str, Any]] = []
    without: list[tuple[str, Any]] = []
    for words, part in given.items():
        several = isinstance(part, list | tuple) and any(isinstance(one, labelled) for one in part)
        for item in part if several else [part]:
            (found if isinstance(item, labelled) else without).append((words, item))
    n_samples = count_samples(y)
    for words, part in more.items():
        # A frame of folds has a row per repeat, and samples as columns.
        row = part.iloc[0] if isinstance(part, pd.DataFrame) and len(part) else part
        listed = [row] if not isinstance(part, list | tuple) else part
        series = [
            one
            for item in listed
            for one in (item if isinstance(item, tuple) else [item])
            if isinstance(one, pd.Series) and (one is row or len(one) == n_samples)
        ]
        if series:
            found += [(words, one) for one in series]
        elif isinstance(part, list | np.ndarray) and not _read_predictions.are_pairs(part):
            without.append((words, part))
    check_same_index([*found, *without])
    return found[0][1].index if found else None


def _named(predictions: Any) -> dict[str, Any]:
    """Predictions by model; the columns of a frame are models."""
    if is_frame(predictions):
        if getattr(predictions.columns, "nlevels", 1) > 1:
            raise ValueError(
                "`predictions` must be a frame with a column for each model, in one level; got "
                f"{shown(predictions.columns[0])}. Map names to frames of probabilities."
            )
        predictions = {name: predictions[name] for name in predictions.columns}
    if not isinstance(predictions, Mapping):
        raise TypeError(
            "`predictions` must map names of models to arrays, as {'svm': cross_val_predict(…)}; "
            f"got {type(predictions).__name__}."
        )
    named = {str(name): given for name, given in predictions.items()}
    for name in named:
        is_truth = name.lower() in ("y", "target", "truth", "actual", "label", "labels", "true")
        if is_truth or (is_bookkeeping(name) and not names_models(name)):
            raise ValueError(
                "`predictions` must be of models; got "
                f"{shown(name)}, which is none. Leave it out, or rename the model."
            )
    if not named or len(named) < len(predictions):
        raise ValueError(
            "`predictions` must be of at least one model, with different names as text; got "
            f"{shown(list(predictions))}."
        )
    return named


def mcnemar_of(
    comparison: Comparison,
    i: int | str,
    j: int | str,
    *,
    repeat: int = 0,
    method: _classifiers.McNemarMethod = "exact",
) -> _classifiers.McNemarResult:
    """McNemar's test of two candidates on their out-of-fold predictions.

    Parameters
    ----------
    comparison : Comparison
        One that has predictions, of `return_predictions` or `compare_predictions`.
    i, j : int or str
        Candidate indices or labels.
    repeat : int, default=0
        Which repeat of the cross-validation: several would count each sample several times.
    method : {"exact", "mid-p", "chi2", "chi2_corrected"}, default="exact"
        As for `stats.mcnemar`.

    Returns
    -------
    McNemarResult
        Of candidate `i` as model 1 and `j` as model 2.

    Raises
    ------
    ValueError
        If no predictions were kept, none of them from ``predict``, or there is no such
        candidate or repeat.

    Warns
    -----
    ComparisonWarning
        Always: the predictions come from one fit per fold, and the test treats them as those of
        one model. The result is valid for the fitted models only and ignores how models vary
        with their training data. ``test="samples"`` by accuracy includes that variation.
    """
    folds, labels = _folds_of_pair(comparison, i, j, "accuracy", repeat)
    truth, pred1, pred2 = map(np.concatenate, zip(*folds, strict=True))
    if truth.ndim > 1:
        raise ValueError("`mcnemar_of` needs one class per sample; these have several labels each.")
    found = _classifiers.mcnemar(truth, pred1, pred2, method=method, pooled_over_folds=True)
    return replace(found, labels=labels)


def delong_of(
    comparison: Comparison,
    i: int | str,
    j: int | str,
    *,
    repeat: int = 0,
    alternative: Alternative = "two-sided",
) -> _classifiers.DeLongResult:
    """DeLong's test of two candidates' areas under the ROC curve, fold by fold.

    Parameters
    ----------
    comparison : Comparison
        One that has predictions, of `return_predictions` or `compare_predictions`.
    i, j : int or str
        Candidate indices or labels.
    repeat : int, default=0
        Which repeat of the cross-validation: several would count each sample several times.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        As for `stats.delong`.

    Returns
    -------
    DeLongResult
        Of candidate `i` as model 1 and `j` as model 2: means of the areas over folds, and the
        variances of these means. Curves are means of the folds' at each false positive rate.

    Raises
    ------
    ValueError
        If no predictions were kept, none of them decisions or probabilities of two classes, a
        fold has fewer than two samples of a class, or there is no such candidate or repeat.

    Notes
    -----
    Scores of models from different folds are not on one scale and are never ranked together.
    The areas are averaged, as scikit-learn does, and their variances are added, because folds
    share no test sample. Valid for the fitted models only: the variance ignores how models vary
    with their training data. ``test="samples"`` by ROC AUC includes that variation.
    """
    kept = comparison._predicted if isinstance(comparison, Comparison) else None
    if kept is not None and type_of_target(as_labels(kept.scoring.y)) != "binary":
        raise ValueError(
            "`delong_of` needs two classes; the candidates predict more, or several labels."
        )
    folds, labels = _folds_of_pair(comparison, i, j, "roc_auc", repeat)
    return replace(_classifiers.delong_of_folds(folds, alternative=alternative), labels=labels)


def _folds_of_pair(
    comparison: Comparison, i: int | str, j: int | str, scorer: str, repeat: int
) -> tuple[list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]], tuple[str, str]]:
    """For each fold of a repeat, the truth and the responses of two candidates."""
    if not isinstance(comparison, Comparison):
        raise TypeError(f"`comparison` must be a Comparison; got {type(comparison).__name__}.")
    kept, names, parts = predictions_of(comparison), comparison._candidate_names, []
    rows = np.unique(np.concatenate(kept.responses.tests))
    known = {"groups": kept.n_units(rows) < rows.size, "weights": kept.weights is not None}
    if ignored := [name for name, is_known in known.items() if is_known]:
        warn_user(
            f"The samples have {' and '.join(ignored)}, which this test ignores: it counts each "
            'sample as one, independent of the others. test="samples" allows for them.',
            "pooled-predictions",
        )
    for which, name in ((i, "i"), (j, "j")):
        row = names.row(which, name)
        if comparison.scores.missing[row] or kept.failed[row].any():
            raise ValueError(f"`{name}` must be a candidate that did not fail; got {which!r}.")
        parts.append(kept.pooled(row, scorer, repeat))
    folds = [(truth, one, other) for (truth, one), (_, other) in zip(*parts, strict=True)]
    return folds, (names.labels[names.row(i, "i")], names.labels[names.row(j, "j")])
