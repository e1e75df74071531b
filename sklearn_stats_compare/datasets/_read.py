"""compare_datasets(): results of the same models on several data sets → DatasetsComparison."""

import os
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare._utils._validation import (
    WARNINGS_LOCK,
    Alternative,
    ComparisonWarning,
    check_option,
    check_text,
    refuse,
    shown,
    shown_list,
    warn_user,
)
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._labels import Reader, params_in_full
from sklearn_stats_compare.comparison._tables import check_assumptions
from sklearn_stats_compare.comparison.readers import _long_table, _matrix, _metrics, _names, _sizes
from sklearn_stats_compare.comparison.readers._compare import compare
from sklearn_stats_compare.comparison.readers._rows import NUMBERED
from sklearn_stats_compare.datasets._comparison import DatasetsComparison
from sklearn_stats_compare.datasets._tests import DatasetsPAdjust, DatasetTestName, Zeros
from sklearn_stats_compare.stats._scores import denominator


def compare_datasets(
    obj: Any,
    *,
    metric: str | None = None,
    dataset: str | None = None,
    model: str | Sequence[str] | None = None,
    split: str | Sequence[str] | None = None,
    value: str | None = None,
    lower_is_better: bool | None = None,
    missing: Literal["raise", "drop_datasets", "drop_models"] = "raise",
    test_train_ratio: float | Mapping[str, float] | None = None,
    n_train: ArrayLike | Mapping[str, ArrayLike] | None = None,
    n_test: ArrayLike | Mapping[str, ArrayLike] | None = None,
    test: DatasetTestName = "wilcoxon",
    zeros: Zeros = "pratt",
    alternative: Alternative = "two-sided",
    p_adjust: DatasetsPAdjust | None = "holm",
    rope: float | tuple[float, float] = 0.01,
    alpha: float = 0.05,
    warn: bool = True,
) -> DatasetsComparison:
    """Compare the same models over several data sets; nothing is fitted.

    Every data set counts once. The tests are about data sets like these, not about one of them.

    Parameters
    ----------
    obj : object
        One of

        - a mapping of data sets to results: a `Comparison`, a fitted search, the result of
          `cross_validate_models`, or anything else that `compare` reads, such as a matrix of
          scores;
        - a long table, as a DataFrame or the path of a CSV file: a row for each data set, model
          and, if there are several, split;
        - a wide table, as a DataFrame or the path of a CSV file, with a row for each data set and a
          column for each model. The names of the data sets are the index, the column ``dataset``,
          or the first column of a file.
    metric : str, optional
        Metric to compare by, if there are several.
    dataset, model, split, value : str, optional
        Columns of a long table that contain the data sets, the models, the splits and the scores.
        Default: the columns of `DatasetsComparison.to_long`. `model` and `split` may be lists of
        columns.
    lower_is_better : bool, optional
        Whether lower scores are better, as for `compare`. If True, the scores are negated.
    missing : {"raise", "drop_datasets", "drop_models"}, default="raise"
        What to do if a model has no score on some data set: raise an error that lists the missing
        scores, or leave out these data sets or models, which the ``note`` lists.
    test_train_ratio : float or mapping of str to float, optional
        Σ n_test / Σ n_train of the splits of each data set, as for `compare`. Needed only for
        verdicts on single data sets and for the hierarchical model.
    n_train, n_test : int, array-like or mapping of str to these, optional
        Sizes of the splits of each data set, instead of the ratio.
    test : {"wilcoxon", "sign", "nemenyi"}, default="wilcoxon"
        As for `DatasetsComparison`.
    zeros : {"pratt", "wilcox", "zsplit"}, default="pratt"
        As for `DatasetsComparison`.
    alternative : {"greater", "less", "two-sided"}, default="two-sided"
        As for `DatasetsComparison`.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "shaffer"}, \
            default="holm"
        As for `DatasetsComparison`.
    rope : float or (float, float), default=0.01
        As for `DatasetsComparison`.
    alpha : float, default=0.05
        As for `DatasetsComparison`.
    warn : bool, default=True
        Whether to issue one `ComparisonWarning` if there are too few data sets for the test.

    Returns
    -------
    DatasetsComparison

    Raises
    ------
    TypeError
        If `obj` is not one of the objects listed above.
    ValueError
        If the results do not have the same models and metric; if two data sets are the same; if
        scores are missing and `missing` is "raise"; if columns of a table are not recognised, or
        several could be meant; or if rows are the splits of one data set.

    See Also
    --------
    compare : Compares models on one data set.
    cross_validate_models : Fits and compares models, also over several data sets.

    Notes
    -----
    **Splits are not data sets.** Folds or repeats of one data set share their samples, and tests
    over data sets reject far too often for them. Names such as "fold 3" and searches on the same
    data are refused; a table that hides where its rows come from cannot be recognised. What else is
    recognised in a table, and what is not: `compare`, "What is no score".

    **Split scores** are averaged for each data set. If the sizes of the splits are known
    (`Comparison`, searches of this package, `test_train_ratio`), each data set has a `Comparison`
    of its own.

    Examples
    --------
    Areas under the ROC curve of four decision trees on 14 data sets (Demšar, 2006, Table 6):

    >>> import pandas as pd
    >>> from sklearn_stats_compare import compare_datasets
    >>> table = pd.DataFrame(
    ...     {
    ...         "C4.5": [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661,
    ...                  0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957],
    ...         "C4.5+m": [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668,
    ...                    0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978],
    ...         "C4.5+cf": [0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609,
    ...                     0.563, 0.866, 1.000, 0.965, 0.614, 0.9751, 0.946],
    ...         "C4.5+m+cf": [0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685,
    ...                       0.625, 0.875, 1.000, 0.962, 0.669, 0.975, 0.970],
    ...     },
    ...     index=["adult", "breast", "wisconsin", "cmc", "ionosphere", "iris", "bupa",
    ...            "lung", "lymphography", "mushrooms", "tumor", "rheum", "voting", "wine"],
    ... )
    >>> comparison = compare_datasets(table, metric="AUC")
    >>> print(comparison.ranking()[["label", "mean_rank"]].round(3).to_string(index=False))
        label  mean_rank
    C4.5+m+cf      1.964
       C4.5+m      2.000
      C4.5+cf      2.893
         C4.5      3.143
    >>> comparison.frequentist()[["model_1", "model_2", "p_val", "verdict"]].tail(2).round(3)
       model_1 model_2  p_val    verdict
    4   C4.5+m    C4.5  0.047     better
    5  C4.5+cf    C4.5  0.900  undecided
    """
    sizes = {"test_train_ratio": test_train_ratio, "n_train": n_train, "n_test": n_test}
    options = {"metric": metric, "lower_is_better": _metrics.check_direction(lower_is_better)}
    if metric is not None:
        check_text("metric", metric)
    found = _read(obj, _long_table.LongNames(model, split, value, dataset), options, sizes)
    for argument, given in sizes.items():
        if given is None:
            continue
        if not found.of_splits:
            one = "where `obj` has one score of a model on a data set, and not those of splits"
            refuse(argument, given, one)
        names = given.keys() if isinstance(given, Mapping | pd.Series) else ()
        strange = [name for name in names if str(name) not in found.scores.columns]
        if strange:
            raise ValueError(
                f"`{argument}` must be named after data sets, which are "
                f"{shown_list(map(repr, found.scores.columns))}; got {shown(strange[0])}."
            )
    found = found.complete(missing)
    _check_other_datasets(found.scores)
    return DatasetsComparison(
        found.scores.to_numpy(),
        list(found.scores.index),
        list(found.scores.columns),
        metric=found.metric,
        comparisons=found.comparisons,
        note=found.note,
        test=test,
        zeros=zeros,
        alternative=alternative,
        p_adjust=p_adjust,
        rope=rope,
        alpha=alpha,
        warn=warn,
    )


def _check_other_datasets(scores: pd.DataFrame) -> None:
    """Raise ValueError if a data set is the mean of all others, or the same as another."""
    if (place := _matrix.mean_among(scores.to_numpy())) is not None:
        raise ValueError(
            "`obj` must hold scores of models on data sets alone; got a data set "
            f"{shown(scores.columns[place])}, with the means of all others. Drop it."
        )
    # Shares of few samples, or rounded scores, may agree.
    fine = scores.loc[:, [not np.isfinite(denominator(own)) for own in scores.to_numpy().T]].T
    if len(scores) > 1 and (twice := fine.duplicated()).any():
        raise ValueError(
            f"`obj` must hold different data sets; {shown(fine.index[twice][0])} has the same "
            "scores of every model as another."
        )


Given = Mapping[str, Any]
"""Arguments by name: those that name columns, those on sizes of splits, or others of `compare`."""


def _read(obj: Any, names: _long_table.LongNames, options: Given, sizes: Given) -> "ParsedDatasets":
    if _matrix.is_frame(obj) or isinstance(obj, str | os.PathLike):
        # "None" and "NA" are names of models and data sets, too.
        is_given = _matrix.is_frame(obj)
        table = _matrix.as_pandas(obj) if is_given else _matrix.read_csv(obj, gaps=False)
        if any(map(_matrix.is_split_column, table.columns)):
            raise ValueError(
                "`obj` must be a mapping of data sets to tables of results; got one table with "
                "columns such as split0_test_score. If a column names the data sets, pass "
                "dict(list(table.groupby(column)))."
            )
        if names.given or {_long_table.DATASET, "model"} <= {*table.columns}:
            return read_long(table, names, options, sizes)
        names.check_none()
        scores = table if is_given else _matrix.read_csv(obj).set_axis(table.columns, axis=1)
        return read_wide(
            with_dataset_names(scores, table if _matrix.is_plain(obj, table) else None), options
        )
    names.check_none()
    if isinstance(obj, Mapping) and obj:
        return read_mapping(obj, options, sizes)
    raise TypeError(
        "`obj` must be a mapping of data sets to results, a DataFrame or the path of a CSV file; "
        f"got {'{}' if isinstance(obj, Mapping) else type(obj).__name__}. Of an array make a "
        "DatasetsComparison(values, labels, datasets)."
    )


def read_mapping(obj: Mapping[Any, Any], options: Given, sizes: Given) -> "ParsedDatasets":
    """Results by data set: comparisons, searches, results by metric or matrices of scores."""
    names = [str(name) for name in obj]
    if len(set(names)) < len(names):
        raise ValueError(f"`obj` must have different names of data sets; got {shown(list(obj))}.")
    _check_other_data(obj)
    searches = {name: value for name, value in obj.items() if hasattr(value, "scoring")}
    _sizes.check_same_metric(searches, options["metric"])
    comparisons, unsized = _compared(obj, options, sizes)
    _check_other_scores(comparisons)
    named = [own.metric for own in comparisons.values()]
    named = _sizes.metrics_apart(named, [own.scores for own in comparisons.values()])
    metrics = {*named}
    if len(metrics) > 1:
        raise ValueError(
            "`obj` must hold scores by one metric; got "
            f"{shown_list(map('{} for {}'.format, named, comparisons))}. Give "
            "`metric`."
        )
    for name in filter(_names.is_summary, names):
        raise ValueError(
            f"`obj` must hold scores on data sets alone; got a data set {shown(name)}. Drop it, or "
            "give it another name."
        )
    check_no_splits(pd.Index(names), "data set")
    models = _models(comparisons)
    _check_same_candidates(obj, comparisons)
    means = {
        name: pd.Series(own.scores.means, index=list(own.labels or ()))
        for name, own in comparisons.items()
    }
    scores = pd.DataFrame(means).reindex(models)
    known = {name: own for name, own in comparisons.items() if name not in unsized}
    notes = dict.fromkeys(own.note for own in comparisons.values() if own.note)
    return ParsedDatasets(scores, metrics.pop(), known, " ".join(notes), of_splits=True)


def _compared(
    obj: Mapping[Any, Any], options: Given, sizes: Given
) -> tuple[dict[str, Comparison], set[str]]:
    """A comparison for each data set, and those for which the sizes of the splits are unknown."""
    found: dict[str, Comparison] = {}
    unsized: set[str] = set()
    for key, value in obj.items():
        name = str(key)
        own = {size: _of_dataset(size, given, key) for size, given in sizes.items()}
        with WARNINGS_LOCK, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ComparisonWarning)
            try:
                found[name] = _comparison(key, value, {**own, **options})
            except _sizes.UnknownSizesError:
                # Means need no sizes; the comparison of these splits is not kept.
                own["test_train_ratio"] = 1.0
                found[name] = _comparison(key, value, {**own, **options})
                unsized.add(name)
        # Not on the splits of one data set: the tests over data sets use means, and the comparison
        # on the data set itself shows these warnings.
        problems = check_assumptions(found[name].scores, found[name]._settings.test)
        for each in caught:
            if not (problems and str(each.message).startswith(problems[0])):
                warn_user(f"{name}: {each.message}", None, each.category)
    return found, unsized


def _comparison(name: Any, value: Any, options: Given) -> Comparison:
    metric = options["metric"]
    by_metric = _by_metric(value)
    if by_metric is not None:
        if metric is None and len(by_metric) > 1:
            raise ValueError(f"`metric` must be one of {shown_list(by_metric)}; got None.")
        try:
            value = by_metric[next(iter(by_metric)) if metric is None else metric]
        except KeyError:
            raise ValueError(
                f"`metric` must be one of {shown_list(map(repr, by_metric))}, the metrics of "
                f"{shown(name)}; got {shown(metric)}."
            ) from None
    if isinstance(value, Comparison):
        given = _sizes.Sizes(
            options["test_train_ratio"], options["n_train"], options["n_test"], None
        )
        given.check(value.scores.design)
        _metrics.refuse_direction(options["lower_is_better"], "a Comparison")
        if by_metric is None and metric is not None and metric != value.metric:
            raise ValueError(
                f"`metric` must be {value.metric!r}, that of the comparison of {shown(name)}; got "
                f"{shown(metric)}."
            )
        return _named(name, value)
    try:
        found = compare(value, **options)
    except _sizes.UnknownSizesError:
        raise
    except (TypeError, ValueError) as error:
        raise type(error)(f"Of the data set {shown(name)}: {error}") from None
    return _named(name, found)


def _named(name: Any, found: Comparison) -> Comparison:
    # Labels of equal parameters end with the number of the row, and rows may have any order.
    params = [repr(sorted(own.items(), key=repr)) for own in found.params or ()]
    numbered = any(re.search(r" #\d+$", label) for label in found.labels or ())
    twice = found._results is None and numbered and len({*params}) < len(params)
    if found._naming == NUMBERED or twice:
        raise ValueError(
            f"`obj` must name the models of each data set, because names pair them; those of "
            f"{shown(name)} have none. Make the names the index or a column 'model', and call "
            "columns of parameters param_C."
        )
    return found


def _by_metric(value: Any) -> Mapping[str, Comparison] | None:
    """The result of cross_validate_models, comparisons by metric; None if it is none."""
    by_metric = isinstance(value, Mapping) and bool(value) and all(
        isinstance(own, Comparison) and own.metric == name for name, own in value.items()
    )  # fmt: skip
    return value if by_metric else None


def _of_dataset(key: str, given: Any, name: Any) -> Any:
    """The size of one data set, from one for all, or a mapping or Series of data sets."""
    if isinstance(given, pd.Series):
        given = given.to_dict()
    if not isinstance(given, Mapping):
        return given
    by_name = {str(own): size for own, size in given.items()}
    if str(name) not in by_name:
        raise ValueError(f"`{key}` must name every data set; {shown(name)} is not in it.")
    return by_name[str(name)]


def _models(comparisons: Mapping[str, Comparison]) -> list[str]:
    """All models, in the order in which they first occur."""
    found = dict.fromkeys(label for own in comparisons.values() for label in own.labels or ())
    first, *others = ([*(own.labels or ())] for own in comparisons.values())
    for name, labels in zip(list(comparisons)[1:], others, strict=True):
        if not set(first) & set(labels):
            raise ValueError(
                "`obj` must hold the same models for each data set; "
                f"{shown(next(iter(comparisons)))} has {shown_list(map(repr, first))}, and "
                f"{shown(name)} has {shown_list(map(repr, labels))}."
            )
    return list(found)


def _check_same_candidates(obj: Mapping[Any, Any], comparisons: Mapping[str, Comparison]) -> None:
    """Raise ValueError if a label, which names what varies in a grid, is of other models too."""
    known: dict[str, tuple[str, str]] = {}
    read = Reader()
    for (name, own), value in zip(comparisons.items(), obj.values(), strict=True):
        estimator = type(value.estimator).__name__ if hasattr(value, "estimator") else ""
        for label, params in zip(own.labels or (), own.params or (), strict=False):
            model = f"{estimator}({params_in_full(params, read)})"
            first, other = known.setdefault(label, (name, model))
            if other != model:
                raise ValueError(
                    "`obj` must hold the same models for each data set; "
                    f"{shown(label)} is {shown(other)} on {shown(first)}, and {shown(model)} on "
                    f"{shown(name)}. Search the same grid on every data set."
                )


def _check_other_scores(comparisons: Mapping[str, Comparison]) -> None:
    """Raise ValueError if two data sets have the same split scores, and not by chance."""
    seen: dict[tuple[Any, ...], str] = {}
    for name, own in comparisons.items():
        # Whatever the order of the models and of the splits.
        labels = np.array(own.labels or ())
        order = np.argsort(labels)
        values = own.scores.values[order]
        values = np.ascontiguousarray(values[:, np.lexsort(values)])
        # A few coarse scores may agree.
        if len(np.unique(values)) < _matrix.FEWEST_DISTINCT:
            continue
        other = seen.setdefault((tuple(labels[order]), values.shape, values.tobytes()), name)
        if other != name:
            raise ValueError(
                f"`obj` must hold different data sets; {shown(other)} and {shown(name)} have the "
                "same scores of every model on every split."
            )


def _check_other_data(obj: Mapping[Any, Any]) -> None:
    """Raise ValueError if two searches are known to have been fitted on the same data."""
    seen: dict[tuple[str, str], Any] = {}
    for name, value in obj.items():
        fingerprint = _sizes.fingerprint_of(value)
        data = None if fingerprint is None else fingerprint.lines.get("the data")
        if fingerprint is None or data is None:
            continue
        other = seen.setdefault((fingerprint.kind, data[0]), name)
        if other != name:
            raise ValueError(
                f"`obj` must hold different data sets; {shown(other)} and {shown(name)} have the "
                "same X. Splits or repeats of one data set are not independent: compare them with "
                "`compare`."
            )


_FOLDS = (
    "Splits or repeats of one data set are not independent, so tests over data sets reject far too "
    "often for them: use `compare`."
)


def read_wide(frame: pd.DataFrame, options: Given) -> "ParsedDatasets":
    """Rows are data sets and columns are models; cells may be empty."""
    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        raise ValueError(
            "`obj` must have data sets as its rows and models as its columns, in one level each; "
            "got several levels. Take one metric, or pass a long table."
        )
    if (nameless := np.flatnonzero(_is_empty(frame.index))).size:
        raise ValueError(
            f"`obj` must have a name of each data set; got none in row {nameless[0]}, which may be "
            "one of means. Name the row, or drop it."
        )
    rows, columns = frame.index.name, frame.columns.name
    if _names.names_models(rows) or _names.names_datasets(columns):
        raise ValueError(
            "`obj` must have data sets as its rows and models as its columns; got rows called "
            f"{shown(rows)} and columns called {shown(columns)}. Pass table.T."
        )
    _matrix.check_header(frame)
    _matrix.check_flags(frame)
    check_no_splits(frame.index, "row")
    check_no_splits(frame.columns, "column")
    for label in frame.columns:
        _matrix.check_no_saved_index(str(label))
        if options["metric"] is None and _metrics.is_metric(label):
            raise ValueError(
                "`obj` must have models as its columns, with scores by one metric; got a column "
                f"{shown(label)}, which is a metric."
            )
    for what, axis in (("row", frame.index), ("column", frame.columns)):
        for label in axis:
            is_other = _names.is_time(label) or _names.is_bookkeeping(label)
            if _names.is_summary(label) or (what == "column" and is_other):
                raise ValueError(
                    "`obj` must hold scores of models on data sets alone; got a "
                    f"{what} {shown(label)}. Drop it, or rename a data set or model of that name."
                )
    for what, axis in (("rows", frame.index), ("columns", frame.columns)):
        if axis.has_duplicates:
            twice = axis[axis.duplicated()][0]
            raise ValueError(
                f"`obj` must have different names of {what}; got {shown(twice)} more than once."
            )
    cells = [_matrix.numbers(column, f"column {name!r}") for name, column in frame.items()]
    values = np.column_stack(cells or [np.empty((len(frame), 0))])
    _matrix.check_companions(list(frame.columns), values.T)
    if (made := _matrix.made_of_others(list(frame.columns), values.T)) is not None:
        raise ValueError(
            "`obj` must hold scores of models on data sets alone; got a column "
            f"{shown(made)}, which is made of the others. Drop it."
        )
    for label, why in _matrix.counts(frame.columns, values.T, many=True):
        raise ValueError(
            "`obj` must hold scores of models on data sets alone; got a column "
            f"{shown(label)}, {why}. Drop it."
        )
    models, datasets = ([str(name) for name in axis] for axis in (frame.columns, frame.index))
    lower = options["lower_is_better"]
    given = options["metric"] or _matrix.metric_of_axes(frame.columns, frame.index) or "score"
    metric = _metrics.metric_of(given, models, lower)
    name, scores, note = _metrics.turned(metric, values.T, lower)
    return ParsedDatasets(pd.DataFrame(scores, models, datasets), name, note=note)


def with_dataset_names(frame: pd.DataFrame, names: pd.DataFrame | None) -> pd.DataFrame:
    """A wide frame with its data sets as the index.

    `names` is a frame without an index, such as that of a file, with all of its cells as text; None
    for a frame that has one.
    """
    is_named = _long_table.DATASET in frame.columns
    if names is None:
        # Rows of a frame that was sorted or filtered have numbers in any order.
        is_numbered = frame.index.nlevels == 1 and frame.index.dtype.kind in "iu"
        return frame.set_index(_long_table.DATASET) if is_numbered and is_named else frame
    if frame.shape[1] < 2:
        return frame
    first = frame.columns[0]
    if _names.names_models(first):
        raise ValueError(
            "`obj` must have data sets as its rows and models as its columns; got a first column "
            f"{shown(first)}. Pass the transposed table."
        )
    column = _long_table.DATASET if is_named else first
    cells = pd.to_numeric(names.iloc[:, 0], errors="coerce")
    # pandas saves its index in a column without a name.
    if column != first and str(first) == "" and np.array_equal(cells, np.arange(len(cells))):
        frame, names = frame.iloc[:, 1:], names.iloc[:, 1:]
    elif not is_named and str(first) != "" and (cells.notna() | _is_empty(names.iloc[:, 0])).all():
        raise ValueError(
            "`obj` must name its data sets in its first column; got numbers in a column "
            f"{shown(first)}. Name it 'dataset' if they are names."
        )
    if not is_named and str(first) != "":
        _matrix.check_row_names(names.iloc[:, 0])
    place = list(frame.columns).index(column)
    others = [k for k in range(frame.shape[1]) if k != place]
    # The name of the first column may be the metric.
    index = pd.Index(names.iloc[:, place].to_list(), name=column if column != "" else None)
    return frame.iloc[:, others].set_axis(index, axis=0)


def _is_empty(labels: Any) -> NDArray[np.bool_]:
    return np.array([pd.isna(label) or not str(label).strip() for label in labels], dtype=bool)


def check_no_splits(names: pd.Index, what: str) -> None:
    """Raise ValueError if names, which should be of data sets, are of splits."""
    if len(names) and (_names.kind_of(names) == "splits" or all(map(_names.has_split, names))):
        raise ValueError(
            f"`obj` must hold scores on different data sets; got a {what} {shown(names[0])}, which "
            f"names a split. {_FOLDS}"
        )


def read_long(
    table: pd.DataFrame, names: _long_table.LongNames, options: Given, sizes: Given
) -> "ParsedDatasets":
    """A row for each data set, model and score, and split if there are several."""
    table = _long_table.with_plain_columns(table)
    column = _long_table.dataset_column(table, names.dataset)
    check_no_splits(pd.Index(table[column].unique(), name=column), "data set")
    if _long_table.has_splits(table.drop(columns=column), names):
        own = {"model": names.model, "split": names.split, "value": names.value}
        return read_mapping(_long_table.by_dataset(table, column), {**own, **options}, sizes)
    metric = options["metric"]
    values, models, datasets, name, own_direction = _long_table.scores_by_dataset(
        table, column, metric, names
    )
    lower = _metrics.direction(options["lower_is_better"], own_direction)
    name = _metrics.metric_of(name, models, lower)
    name, values, note = _metrics.turned(name, values, lower)
    return ParsedDatasets(pd.DataFrame(values, models, datasets), name, note=note)


MISSING = ("raise", "drop_datasets", "drop_models")

_SHOWN_CELLS = 5


@dataclass(frozen=True, eq=False)
class ParsedDatasets:
    """Scores of models on data sets, as they were read.

    Attributes
    ----------
    scores : DataFrame of shape (n_models, n_datasets)
        Mean scores, higher is better; NaN where a model has none.
    metric : str
        Name of the score.
    comparisons : mapping of str to Comparison
        The comparison on each data set, where split scores are known.
    note : str, default=""
        A sentence on the scores for the user.
    of_splits : bool, default=False
        Whether the scores are means over splits.
    """

    scores: pd.DataFrame
    metric: str
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    note: str = ""
    of_splits: bool = False

    def complete(self, missing: str) -> "ParsedDatasets":
        """The same without missing cells, as `missing` says, with a note on what was left out.

        Raises
        ------
        ValueError
            If cells are missing and `missing` is "raise", or if too little would be left.
        """
        check_option("missing", missing, MISSING)
        if min(self.scores.shape) < 2:
            raise ValueError(
                "`obj` must hold scores of at least 2 models on at least 2 data sets; got "
                f"{shown_list(map(repr, self.scores.index)) or 'no model'} on "
                f"{shown_list(map(repr, self.scores.columns)) or 'no data set'}."
            )
        absent = ~self.scores.apply(np.isfinite)
        if not absent.any(axis=None):
            return self
        if missing == "raise":
            raise ValueError(
                f"`obj` must hold a score of each model on each data set; {self._cells(absent)}. "
                'Leave out data sets with missing="drop_datasets" or models with '
                'missing="drop_models".'
            )
        by_dataset = missing == "drop_datasets"
        dropped = absent.any(axis="index" if by_dataset else "columns")
        what, left_out = "data set" if by_dataset else "model", list(dropped.index[dropped])
        if dropped.all():
            raise ValueError(
                f"`missing` {missing!r} would leave out every {what}; {self._cells(absent)}."
            )
        note = (
            f"{len(left_out)} of {len(dropped)} {what}s left out, because scores are missing: "
            f"{shown_list(left_out)}."
        )
        left = (~dropped).sum()
        if left < 2:
            raise ValueError(
                f"`missing` {missing!r} would leave {left} {what}, and at least 2 are compared; "
                f"{self._cells(absent)}."
            )
        return ParsedDatasets(
            self.scores.loc[:, ~dropped] if by_dataset else self.scores.loc[~dropped],
            self.metric,
            # A comparison of all models has pairs that are not asked for; none is lost.
            {name: own for name, own in self.comparisons.items() if name not in left_out},
            f"{self.note} {note}".strip(),
            self.of_splits,
        )

    def _cells(self, absent: pd.DataFrame) -> str:
        cells = [f"{shown(self.scores.index[i])} on {shown(self.scores.columns[j])}"
                 for i, j in np.argwhere(absent)[:_SHOWN_CELLS]]  # fmt: skip
        n = int(absent.to_numpy().sum())
        more = f" and {n - len(cells):,} more" if n > len(cells) else ""
        return f"{n:,} of {absent.size:,} are missing: {', '.join(cells)}{more}"
