"""Reports of skore, recognised by the module of their class → input of compare().

Read with skore 0.28. Only documented attributes and methods are used.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import get_scorer_names, make_scorer, precision_score, recall_score

from sklearn_stats_compare._utils._validation import shown, shown_list
from sklearn_stats_compare.comparison.readers import _sizes
from sklearn_stats_compare.predictions._predicted import Predicted
from sklearn_stats_compare.predictions._responses import CLASSES, Responses, Scoring
from sklearn_stats_compare.predictions._scorers import read_scorer
from sklearn_stats_compare.stats._scores import SplitDesign, SplitScores

_OF_CLASS: dict[str, Callable[..., float]] = {"precision": precision_score, "recall": recall_score}

_SCORERS = {
    "rmse": "neg_root_mean_squared_error",
    "mae": "neg_mean_absolute_error",
    "mape": "neg_mean_absolute_percentage_error",
}
"""Scorers of skore's names for metrics; other names are scikit-learn's, with or without "neg_"."""

_ONE_TEST_SET = (
    "one test set has no splits. Compare the fitted models by `mcnemar`, `cochrans_q` or `delong` "
    "of their predictions, or create a CrossValidationReport of each"
)


def read_skore(obj: Any, metric: str | None, sizes: _sizes.Sizes) -> _sizes.ParsedScores:
    """Scores of several reports of cross-validation, on the same splits.

    Raises
    ------
    TypeError
        If a list or mapping contains something else.
    ValueError
        If there are fewer than two models, a report has one test set, or the reports differ in
        splits, truth or positive class.
    """
    reports = _named(obj)
    for name, report in reports.items():
        if _sizes.skore_kind(report) == "EstimatorReport":
            raise ValueError(
                "`obj` must be reports of cross-validation; got an EstimatorReport for "
                f"{name!r}: {_ONE_TEST_SET}."
            )
    if len(reports) < 2:
        raise ValueError(
            "`obj` must be reports of at least two models; got one CrossValidationReport, of "
            f"{shown_list(reports)}. Pass a ComparisonReport, or a mapping of names to reports."
        )
    _check_alike(reports)
    first = next(iter(reports.values()))
    splits = list(first.split_indices)
    last = max(int(np.max(side)) for split in splits for side in split if len(side))
    n_samples = 1 + last if first.y is None else len(first.y)
    design = SplitDesign.from_indices(splits, n_samples)
    available = [report.metrics.available() for report in reports.values()]
    metrics = [name for name in available[0] if all(name in own for own in available)]
    chosen = _sizes.chosen_metric(metric, metrics)
    values, is_negated = _scores(reports, chosen, len(splits))
    name = chosen
    arguments: dict[str, Any] = {}
    if is_negated:
        name = f"neg_{chosen}"
        arguments["note"] = (
            f"Lower values of skore's {chosen} are better: scores are its values times −1."
        )
    scorer = _scorer(chosen, first)
    if scorer is not None and first.y is not None:
        responses = _responses(reports, read_scorer(scorer).response_methods, len(first.y))
        index = first.X.index if isinstance(first.X, pd.DataFrame | pd.Series) else None
        scoring = Scoring(np.asarray(first.y), {name: scorer}, None, None, index)
        arguments["_predicted"] = Predicted(
            responses, scoring, design, range(len(reports)), name, values
        )
    scores = SplitScores(values, sizes.design(len(splits)) if sizes.given else design)
    return _sizes.ParsedScores(scores, name, labels=list(reports), arguments=arguments)


def _scores(
    reports: Mapping[str, Any], metric: str, n_splits: int
) -> tuple[NDArray[np.float64], bool]:
    """Scores, models × splits, higher is better; and whether they are negated values of skore."""
    values, directions = [], set()
    for report in reports.values():
        table = report.metrics.summarize(data_source="test", metric=metric).summary
        if table["split"].duplicated().any():
            raise ValueError(
                f"`metric` must have one value for each split; got {metric!r}, which has one for "
                "each class or output. Create the reports with `pos_label=`, or add a metric "
                "that averages: report.metrics.add('f1_macro')."
            )
        table = table.set_index("split").reindex(range(n_splits))
        better = table["greater_is_better"].dropna().unique().tolist()
        directions.add(better[0] if len(better) == 1 else None)
        values.append(pd.to_numeric(table["score"]).to_numpy(np.float64))
    if directions not in ({True}, {False}):
        raise ValueError(
            "`metric` must have one direction, higher or lower is better, for all models; "
            f"skore does not name one for {metric!r}."
        )
    sign = 1.0 if directions == {True} else -1.0
    return sign * np.stack(values), sign < 0


def _scorer(metric: str, report: Any) -> Any:
    """The scorer of scikit-learn for a metric; None for times and functions of the user."""
    if metric == "default_score":
        return "accuracy" if "classification" in report.ml_task else "r2"
    if metric in _OF_CLASS:
        return make_scorer(_OF_CLASS[metric], pos_label=report.pos_label)
    names = (_SCORERS.get(metric), metric, f"neg_{metric}")
    return next((name for name in names if name in get_scorer_names()), None)


def _responses(reports: Mapping[str, Any], methods: tuple[str, ...], n_samples: int) -> Responses:
    """The predictions for the test samples, which skore keeps after it has computed scores."""
    tests = [np.asarray(test) for _, test in next(iter(reports.values())).split_indices]
    responses = Responses().widened(tests, n_samples)
    # Probabilities first, as in skore.
    wanted = sorted(methods, key=lambda method: method != "predict_proba")
    for k, report in enumerate(reports.values()):
        fitted = [part.estimator_ for part in report.reports_]
        method = next((name for name in wanted if hasattr(fitted[0], name)), None)
        if method is None:
            continue
        predictions = report.get_predictions(data_source="test", response_method=method)
        for j, (estimator, array) in enumerate(zip(fitted, predictions, strict=True)):
            arrays = {method: np.asarray(array)}
            if hasattr(estimator, "classes_"):
                classes = arrays[CLASSES] = np.asarray(estimator.classes_)
                arrays[method] = _of_classes(arrays[method], classes, method, report.pos_label)
            responses.enter(k, j, arrays)
    return responses


def _of_classes(
    array: NDArray[Any], classes: NDArray[Any], method: str, pos_label: Any
) -> NDArray[Any]:
    """Responses as classifiers of scikit-learn return them; those of skore are of `pos_label`."""
    if array.ndim > 1 or len(classes) != 2 or pos_label is None or pos_label != classes[0]:
        return array
    if method == "predict_proba":
        return np.column_stack([array, 1 - array])
    return -array if method == "decision_function" else array


def _named(obj: Any) -> dict[str, Any]:
    """Reports by name."""
    if _sizes.skore_kind(obj) == "ComparisonReport":
        return {str(name): report for name, report in obj.reports_.items()}
    if isinstance(obj, Mapping):
        pairs = [(str(name), report) for name, report in obj.items()]
    else:
        items = obj if isinstance(obj, list | tuple) else [obj]
        pairs = [(getattr(item, "estimator_name_", "?"), item) for item in items]
    for name, report in pairs:
        if _sizes.skore_kind(report) not in ("CrossValidationReport", "EstimatorReport"):
            raise TypeError(
                "`obj` must contain only CrossValidationReport if it contains one; got "
                f"{type(report).__name__} for {name!r}."
            )
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(
            "`obj` must be a mapping of names to reports if several have the same name; got "
            f"{shown_list(names)}."
        )
    return dict(pairs)


def _check_alike(reports: Mapping[str, Any]) -> None:
    """Raise ValueError unless all reports have the same truth, splits and positive class."""
    (first_name, first), *others = reports.items()
    for name, other in others:
        both = f"those of {first_name!r} and {name!r}"
        if not _same(first.y, other.y):
            raise ValueError(f"`obj` must be reports with the same `y`; {both} differ.")
        # The features may differ, but not the order of the samples.
        rows = [
            report.X.index
            for report in (first, other)
            if isinstance(report.X, pd.DataFrame | pd.Series)
        ]
        if len(rows) == 2 and not rows[0].equals(rows[1]):
            raise ValueError(
                f"`obj` must be reports with the same samples in `X`; the index of {both} differs."
            )
        one, two = (
            [side for pair in report.split_indices for side in pair] for report in (first, other)
        )
        if len(one) != len(two) or not all(map(_same, one, two)):
            raise ValueError(
                f"`obj` must be reports on the same splits; {both} differ, which skore accepts. "
                "Scores on different splits are not paired: give every report a `splitter` with "
                "the same integer `random_state`."
            )
        if first.pos_label != other.pos_label:
            raise ValueError(
                f"`obj` must be reports with the same `pos_label`; {both} have "
                f"{shown(first.pos_label)} and {shown(other.pos_label)}."
            )


def _same(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.array_equal(np.asarray(one), np.asarray(other)))
