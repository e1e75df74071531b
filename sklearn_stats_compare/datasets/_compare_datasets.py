"""compare_datasets(): results of the same models on several data sets → DatasetsComparison."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison import as_pandas, check_direction, is_frame, read_csv
from sklearn_stats_compare.datasets._datasets_comparison import DatasetsComparison
from sklearn_stats_compare.datasets._found_datasets import FoundDatasets
from sklearn_stats_compare.datasets._read_long_datasets import is_long_of_datasets, read_long
from sklearn_stats_compare.datasets._read_mapping import read_mapping
from sklearn_stats_compare.datasets._read_wide import read_wide, with_dataset_names


def compare_datasets(
    obj: Any,
    *,
    metric: str | None = None,
    dataset: str | None = None,
    model: str | Sequence[str] | None = None,
    split: str | Sequence[str] | None = None,
    value: str | None = None,
    lower_is_better: bool | None = None,
    missing: str = "raise",
    test_train_ratio: float | Mapping[str, float] | None = None,
    n_train: ArrayLike | Mapping[str, ArrayLike] | None = None,
    n_test: ArrayLike | Mapping[str, ArrayLike] | None = None,
    test: str = "wilcoxon",
    zeros: str = "pratt",
    alternative: str = "two-sided",
    p_adjust: str | None = "holm",
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
          column for each model. The names of the data sets are the index, a column such as
          ``dataset``, or the first column of a file.
    metric : str, optional
        Metric to compare by, if there are several.
    dataset, model, split, value : str, optional
        Columns of a long table that contain the data sets, the models, the splits and the scores.
        Default: the spellings of tidymodels, mlr3, OpenML, MOABB and `DatasetsComparison.to_long`
        are recognised. `model` and `split` may be lists of columns.
    lower_is_better : bool, optional
        Whether lower scores are better, as for an error. If True, the scores are negated. Default:
        in a long table, known names of metrics decide, and the ``note`` says so; other scores are
        not negated.
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
    data are refused; a table that hides where its rows come from cannot be recognised.

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
    >>> print(comparison.ranking[["label", "mean_rank"]].round(3).to_string(index=False))
        label  mean_rank
    C4.5+m+cf      1.964
       C4.5+m      2.000
      C4.5+cf      2.893
         C4.5      3.143
    >>> comparison.pairwise_frequentist[["model_1", "model_2", "p_val", "verdict"]].tail(2).round(3)
       model_1 model_2  p_val    verdict
    4   C4.5+m    C4.5  0.047     better
    5  C4.5+cf    C4.5  0.900  undecided
    """
    sizes = {"test_train_ratio": test_train_ratio, "n_train": n_train, "n_test": n_test}
    columns = {"dataset": dataset, "model": model, "split": split, "value": value}
    direction = check_direction(lower_is_better)
    found = _read(obj, metric, columns, sizes, direction).complete(missing)
    return DatasetsComparison(
        found.values,
        found.models,
        found.datasets,
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


def _read(
    obj: Any,
    metric: str | None,
    columns: Mapping[str, Any],
    sizes: Mapping[str, Any],
    lower_is_better: bool | None,
) -> FoundDatasets:
    if is_frame(obj) or isinstance(obj, str | os.PathLike):
        # "None" and "NA" are names of models and data sets, too.
        table = as_pandas(obj) if is_frame(obj) else read_csv(obj, gaps=False)
        if is_long_of_datasets(table, columns):
            return read_long(table, metric, columns, sizes, lower_is_better)
        _check_no_columns(columns)
        scores = table if is_frame(obj) else read_csv(obj).set_axis(table.columns, axis=1)
        named = with_dataset_names(scores, None if table is obj else table)
        return read_wide(named, metric, lower_is_better)
    _check_no_columns(columns)
    if isinstance(obj, Mapping) and obj:
        return read_mapping(obj, metric, sizes, lower_is_better)
    if isinstance(obj, np.ndarray | list | tuple):
        raise TypeError(
            "`obj` must name its models and data sets; got "
            f"{type(obj).__name__}. Pass a DataFrame with a row for each data set and a column for "
            "each model, or make a DatasetsComparison(values, labels, datasets)."
        )
    raise TypeError(
        "`obj` must be a mapping of data sets to results, a DataFrame or the path of a CSV file; "
        f"got {shown(obj) if obj == {} else type(obj).__name__}."
    )


def _check_no_columns(columns: Mapping[str, Any]) -> None:
    for name, given in columns.items():
        if given is not None:
            raise ValueError(
                f"`{name}` must be left out where `obj` is no long table, which has a column for "
                f"it; got {shown(given)}."
            )
