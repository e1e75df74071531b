"""compare(): fitted searches, cross_validate results or plain scores → Comparison.

The CSV file of `Comparison.to_csv` is read here too. Its first line is a comment with JSON: sizes
and repeats of the splits, the metric, the settings. The other lines are a table like
``cv_results_``, with a row per candidate.
"""

import csv
import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from sklearn_stats_compare._utils._formatting import shortened
from sklearn_stats_compare._utils._validation import (
    Alternative,
    check_option,
    check_text,
    printable,
    refuse,
    shown,
    shown_list,
)
from sklearn_stats_compare.comparison import _saving
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._labels import CandidateLabels, labels_among
from sklearn_stats_compare.comparison._predictions import with_samples
from sklearn_stats_compare.comparison._tables import ChosenByScores, joined_notes
from sklearn_stats_compare.comparison.readers import (
    _matrix,
    _metrics,
    _models,
    _rows,
    _searches,
    _sizes,
)
from sklearn_stats_compare.comparison.readers._long_table import (
    LongNames,
    direction_of,
    is_long,
    read_long,
)
from sklearn_stats_compare.stats._family import PAdjust, PairTest, PairTestName
from sklearn_stats_compare.stats._scores import UNITS, SplitDesign, SplitScores


def compare(
    obj: Any,
    *,
    metric: str | None = None,
    model: str | Sequence[str] | None = None,
    split: str | Sequence[str] | None = None,
    value: str | None = None,
    lower_is_better: bool | None = None,
    orient: Literal["models in rows", "models in columns", "index", "columns"] | None = None,
    test_train_ratio: float | None = None,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    n_samples: int | None = None,
    X: Any = None,
    y: Any = None,
    groups: Any = None,
    labels: Sequence[str] | None = None,
    alternative: Alternative = _saving.GREATER,
    p_adjust: PAdjust | None = _saving.BONFERRONI,
    rope: float | tuple[float, float] | str = _saving.ROPE,
    alpha: float = _saving.ALPHA,
    test: PairTestName | PairTest | None = None,
) -> Comparison:
    """Compare the candidates of existing results; nothing is fitted.

    Parameters
    ----------
    obj : object
        One of

        - a fitted search with ``cv_results_``: of this package, scikit-learn's, or another with
          scikit-learn's format that is known to have scored all candidates on the same splits. For
          a halving search, the last iteration is compared, with a warning;
        - an Optuna study whose trials report one score per split; see the Notes;
        - several such searches, as a mapping from names to searches or a list: the best candidate
          of each is compared. All searches must have the same `cv`, `scoring` and data; see the
          Notes. Any search may be replaced by its `Comparison` or by the path of one of the next
          three kinds of file;
        - the path of a CSV file that `Comparison.to_csv` wrote;
        - a ``cv_results_`` itself: a mapping, the DataFrame made from it, or the path of the CSV
          file made from that;
        - the path of the `ledger` of a search, whether it has ended, is running or was stopped;
        - a mapping of names to results of scikit-learn's ``cross_validate`` or DataFrames of them.
          If the results were made with ``return_indices=True``, the split sizes are read from
          them, and splits that differ between models raise an error;
        - a mapping of names to vectors of scores, as ``cross_val_score`` returns them;
        - reports of cross-validations by skore: a ``ComparisonReport`` of them, a mapping of names
          to them, or a list; see the Notes;
        - a matrix of scores, candidates × splits: an array, a DataFrame, or the CSV file made from
          that. The names of the rows and columns of a DataFrame must show which of the two are the
          models; see the Notes;
        - a long table, a row for each model and split, as `Comparison.to_long` makes it: a
          DataFrame or a CSV file; see the Notes.

        DataFrames of polars, and others with ``to_pandas``, are read like those of pandas.
    metric : str, optional
        Metric to compare by, if there are several. Default: for a search or its ledger, the `refit`
        metric. A single metric of a search has the name of its `scoring`; "score" is accepted too.
        Of a long table, a column of scores, a column that names the metric of each row, or one of
        the names in it.
    model, split : str or list of str, optional
        Columns of a long table that name the model and the split of each row; several of them name
        it together, such as ``["repeat", "fold"]``. Default: those of `Comparison.to_long`.
    value : str, optional
        Column of a long table with the scores. Default: ``score``, as in `Comparison.to_long`.
    lower_is_better : bool, optional
        Whether lower scores are better, as of an error. They are then negated, and ``neg_`` comes
        before the metric's name. Default: what the name of the metric says. "rmse" is a loss, whose
        positive scores are negated, and the ``note`` says so; "score" and "auc" are not; other
        names raise an error. Not for searches and studies: they show which scores are better.
        Optuna's ``trials_dataframe`` does not.
    orient : {"models in rows", "models in columns"}, optional
        Which axis of a matrix of scores holds the models; the other holds the splits. "index" means
        "models in rows", and "columns" means "models in columns". Default: the rows of an array are
        models; a DataFrame must show it by its names.
    test_train_ratio : float, optional
        Σ n_test / Σ n_train of the splits, > 0: 1/(k − 1) for k-fold, repeated or not. If the
        training and test sets of a split together hold fewer than all n samples, use
        n_test/(n − n_test). Given sizes replace those of a saved comparison or a long table.
    n_train, n_test : int or array-like of int, shape (n_splits,), optional
        Sizes of the splits, instead of the ratio. Give both or neither.
    n_samples : int, optional
        Number of samples that the splits are drawn from. Pass it if the splitter of a search
        belongs to the ShuffleSplit family and has shares of the samples as sizes. Also pass it
        (with `n_train` and `n_test`, or for the ShuffleSplit family) if the training and test sets
        of a split together do not hold all samples.
    X, y, groups : array-like, optional
        What a search of another package was fitted on. Its splitter splits them once more, and the
        sizes are counted. Pass them if the sizes do not follow from the parameters of the splitter:
        shares of the samples, time series, predefined or grouped splits. Searches of this package
        recorded the sizes. Default: the sizes come from the other arguments or the splitter.
    labels : sequence of str or "name=value", optional
        A unique name for each candidate, in the order of `obj`; of a Series, for the names or rows
        in its index. "name=value" makes it from the parameters of a search, as ``C=1, gamma=0.1``.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        As for `Comparison`.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, \
            default="bonferroni"
        As for `Comparison`.
    rope : float, (float, float) or str, default=0.01
        As for `Comparison`.
    alpha : float, default=0.05
        As for `Comparison`. The settings of a search of this package, of a ledger, or of a file
        that `Comparison.to_csv` wrote are the defaults of `alternative`, `p_adjust`, `rope` and
        `alpha`; for a ledger the ``note`` says so.
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, optional
        As for `Comparison`. Default: the test of the search (of this package) or of the file, else
        "corrected_t". "samples" requires a search of this package that kept its predictions, or
        reports of skore. To test other models by samples, use `cross_validate_models`, or
        `compare_predictions` if predictions exist.

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError
        If `obj` is none of the objects listed above, or if `metric` is not a string.
    ValueError
        If `obj` is a search that is not fitted, the sizes of the splits are unknown, the metric is
        unknown, or the results are incomplete. Sizes are never guessed: they are read from the
        splitter of a search if they follow from its parameters (k-fold, leave-one-out,
        shuffle-split); otherwise the error names the arguments to pass. Also if a search may have
        used different splits for each candidate, or if a DataFrame does not show which axis holds
        the models.

    Notes
    -----
    The comparison is valid only if all candidates were scored on the same splits. Scores on
    different splits are not paired. A splitter that shuffles without a seed gives each model
    different splits, and the scores do not show this.

    **Pairing.** The index of a pandas Series says which entry belongs to which split: vectors of
    scores, results of ``cross_validate`` and columns of a ``cv_results_`` are put in the order 0,
    1, 2, … of its labels, which is also that of `n_train` and `n_test`, or with other labels in
    that of the first one's index. Levels of an index pair by their names; columns ``repeat`` and
    ``fold`` of a frame are its index. Arrays, lists and frames without an index of their own have
    the labels 0, 1, 2, …. Different labels raise an error.

    **Searches.** A search that runs scikit-learn's own ``fit`` and ``_run_search`` splits once for
    all candidates, so any splitter is valid; scikit-learn's halving searches check their splitter.
    Every other search, such as ``OptunaSearchCV`` or ``BayesSearchCV``, is assumed to split anew
    for each candidate. It is compared if its `cv` is known to give the same splits each time: a
    number of folds, a list of splits, a splitter with an integer ``random_state`` or with
    ``shuffle=False``, or one of scikit-learn's that never draws. Otherwise an error is raised. A
    ``cv_results_`` alone does not say how it was made, so nothing is checked.

    **Optuna.** The scores of a trial are its user attributes ``split0_test_score``,
    ``split1_test_score``, …, or else its intermediate values if these are scores of splits: each
    trial's value must be their mean but not their last, or `n_train` and `n_test` must have one
    entry for each step. Otherwise the steps may be epochs, and an error is raised. Pruned and
    failed trials are missing. If the study minimizes, the scores are negated, and the name of the
    metric begins with ``neg_``. Optuna does not record the splits, so these are not checked; an
    error is raised if trials with the same parameters have different scores.

    **Ledgers.** Only complete blocks of candidates and splits are compared. For a search that has
    ended, these are the candidates that ran on every split; otherwise the largest complete block.
    The ``note`` says what is missing. The file has the split sizes, the labels and the name of the
    metric. Parameters that are not numbers are read as text. Predictions are not read:
    ``test="samples"`` needs the search. The error rates are valid for one look at the scores. If
    you look repeatedly and may stop at a verdict, use the levels of
    `StatisticalGridSearchCV.extend` or a race.

    **Candidates that were chosen by their scores.** The error rates are valid for candidates that
    were chosen before any score was seen. If a Bayesian, genetic or halving search chose them, the
    ``note`` of the comparison says so, and its printed form and every report show the note. Every
    search outside scikit-learn counts as one of these, unless its name says that it is a grid or
    randomized search, or its Optuna sampler uses no scores.

    **Several searches.** Each model is the best of its search, chosen by the same scores that it is
    compared by. This makes every mean too optimistic, most for searches with many candidates, and
    the ``note`` says so. An error is raised if a splitter shuffles without an integer
    ``random_state``, or if the searches differ in `cv` or `scoring`. Searches of this package keep
    fingerprints of their splits and data, as for `StatisticalGridSearchCV.extend`, and so do
    ledgers: different data raise an error. If fingerprints are lacking (a CSV file, scikit-learn's
    searches) or differ in kind (a ledger and a fitted search), the ``note`` says that the data
    could not be checked. Settings that all files and comparisons share are the defaults of
    `alternative`, `p_adjust`, `rope`, `alpha` and `test`.

    **skore.** Scores, splits and predictions are read from the reports, so `metric` is one of
    ``report.metrics.available()``. Metrics for which lower is better are negated, and the ``note``
    says so. Reports that differ in ``y`` or in their splits raise an error, although skore compares
    them. A report of one test set has no splits and raises an error. Reports contain no groups of
    samples: with ``test="samples"`` each sample is a unit.

    **DataFrames.** The columns are models if they have names (text) and the rows have either none
    (numbers) or names of splits, such as ``split0``, ``fold_1``, ``Fold 3``, ``rep1_fold2`` or
    ``Fold01.Rep1``. The rows are models if the columns are splits, or if the rows have names and
    the columns have none. Otherwise `orient` must say which are the models: nothing is guessed.
    Columns of several levels raise an error. A CSV file and a polars frame have no index: their
    first column is the index if it has no name, has a name such as "model" or "fold", or holds
    text.

    **Tables of results** have columns ``split0_test_score``, ``split1_test_score``, …. Their rows
    are named after parameters, models in the index and all columns of text, or else numbered.
    ``metric``, ``greater_is_better`` and ``rank_test_score`` say what the scores are.

    **What is no score.** Every row and column counts as a model or a split, and its name says what
    it is only if programs write it so. Recognised, and refused, are usual names of means,
    deviations, run times, parameters and metrics, a first or last row that is the mean or the sum
    of the others, and a model that is a small difference of two others, or in the first or last
    place the mean of at least three. Summaries that were rounded, or are of a part of the rows, may
    not be. So make sure that a table has scores alone, by one metric, whose direction its name or
    `lower_is_better` gives.

    **Long tables.** Models, splits and scores are in the columns ``model``, ``split`` (``repeat``,
    ``fold``) and ``score``, or in those that `model`, `split` and `value` name. If several columns
    name the model, they are also the parameters of the candidate. Each model must have each split
    once: other splits, absent rows, duplicates and several data sets raise an error. An empty score
    is that of a run that failed. Splits are compared in the order of their names. Sizes are read
    from columns ``n_train`` and ``n_test``, and which scores are better from a column
    ``greater_is_better``. Splits in a column ``fold``, or with names such as
    ``Fold1``, count as folds of a partition if the sizes agree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import compare
    >>> search = GridSearchCV(SVC(), {"C": [0.01, 1, 100]}, cv=10).fit(*load_iris(return_X_y=True))
    >>> compare(search).against()[["model_1", "model_2", "verdict"]]
      model_1 model_2    verdict
    0       1     100  undecided
    1       1    0.01  undecided
    """
    if metric is not None:
        check_text("metric", metric)
    settings = {
        "alternative": alternative, "p_adjust": p_adjust, "rope": rope, "alpha": alpha,
        "test": test,
    }  # fmt: skip
    # Only collected here. Which sizes are valid depends on `obj`, and the readers check it.
    data = _sizes.Data.given(X, y, groups)
    sizes = _sizes.Sizes(test_train_ratio, n_train, n_test, n_samples, data)
    names = LongNames(model, split, value)
    direction = _metrics.check_direction(lower_is_better)
    axis: str | None = _matrix.ORIENTATIONS[check_option("orient", orient, _matrix.ORIENTATIONS)]
    if _sizes.is_ours(obj):
        check_no_orientation(axis)
        names.check_none()
        _metrics.refuse_direction(direction, "a search")
        where = f"for {type(obj).__name__}, which recorded the sizes of its splits"
        refuse("X", None if data is None else data.X, where)
        refuse("n_samples", n_samples, where)
        sizes.check(SplitDesign(obj.n_train_, obj.n_test_))
        given = _saving.given_settings(settings)
        given |= {} if labels is None else {"labels": labels}
        return obj.compare(metric=metric, **given)
    found = read_object(obj, metric, sizes, axis, names)
    if found.may_be_loss:
        found = _metrics.higher_is_better(found, direction)
        scores = found.scores
        if scores.may_be_rounded:  # as scores in a table may be, but not those of a search
            most = min(scores.n_independent, scores.design.splits_per_repeat)
            scores = dataclasses.replace(scores, n_independent=most)
            found = dataclasses.replace(found, scores=scores)
    else:
        _metrics.refuse_direction(direction, "a search or a file of one")
    if isinstance(labels, pd.Series):
        by_name = {str(name): own for name, own in labels.items()}
        # Of models by name, or of the rows of the same table.
        candidates = found.arguments.get("_candidates", ())
        for own in (found.row_names, candidates, found.labels or ()):
            if sorted(names_of := [*map(str, own)]) == sorted(by_name):
                labels = [by_name[name] for name in names_of]
                break
    # One for each row, of which some may be left out.
    if found.row_names:
        labels = labels_among(labels, found.rows, len(found.row_names))
    elif "_n_entered" in found.arguments and "_candidates" in found.arguments:
        labels = labels_among(labels, found.arguments["_candidates"], found.arguments["_n_entered"])
    note = joined_notes(found.arguments.get("note"), found.settings_note)
    arguments = {**found.arguments, "note": note}
    return Comparison(
        with_samples(found.scores, arguments.get("_predicted"), test),
        found.labels if labels is None else labels,
        params=found.params,
        metric=found.metric,
        **arguments,
        **_saving.without_defaults(settings, found.settings),
    )


def read_object(
    obj: Any, metric: str | None, sizes: _sizes.Sizes, orient: str | None, names: LongNames
) -> _sizes.ParsedScores:
    """Scores, names and notes of an object, by the reader of its kind."""
    # Text is a path, never the content of a file: no string is parsed by guess.
    is_path = isinstance(obj, str | os.PathLike)
    reader = read_saved if _saving.begins_with(obj, _saving.MARK.encode()) else _reader_of(obj)
    if reader is not None:
        check_no_orientation(orient)
        names.check_none()
        return reader(obj, metric, sizes)
    # Before searches: a DataFrame has its columns as attributes, and one may be named cv_results_.
    if is_path or _matrix.is_frame(obj):
        return _read_table(obj, metric, sizes, orient, names)
    names.check_none()
    if _models.is_list_of_results(obj):
        check_no_orientation(orient)
        return _models.read_listed(obj, metric, sizes, _read_path)
    if isinstance(obj, np.ndarray | list | tuple):
        if metric is None and not isinstance(obj, np.ndarray):  # perhaps a list of Series
            called = {str(getattr(own, "name", "")) for own in obj}
            metric = called.pop() if len(called) == 1 and _metrics.says_metric(*called) else None
        return _matrix.read_matrix(obj, metric, sizes, orient)
    check_no_orientation(orient)
    if _searches.is_study(obj):
        return _searches.read_study(obj, metric, sizes)
    if _searches.has_study(obj) or hasattr(obj, "cv_results_"):
        return _searches.read_search(obj, metric, sizes)
    if isinstance(obj, Mapping):
        # Both forms are mappings: cv_results_ of column names, the other of names to results.
        if any(map(_matrix.is_split_column, obj)):
            return _searches.read_results(obj, metric, sizes)
        comparisons = {name: own for name, own in obj.items() if isinstance(own, Comparison)}
        own = [name for name, each in comparisons.items() if each.metric == name]
        if len(own) == len(obj) > 1:  # of cross_validate_models
            raise ValueError(
                f"`obj` must be one comparison; got those by {shown_list(own)}. Each is a "
                f"`Comparison` already, such as that under {own[0]!r}."
            )
        return _models.read_named(obj, metric, sizes, _read_path)
    # A hook of scikit-learn's searches: estimators such as LassoCV have `fit` and `cv` too.
    if hasattr(obj, "_run_search"):
        raise ValueError(
            f"`obj` must be a fitted search; got a {type(obj).__name__} that is not fitted. Call "
            "its `fit` first."
        )
    raise TypeError(
        "`obj` must be a fitted search, a list of them, an Optuna study, reports of skore, a "
        "cv_results_ (mapping, DataFrame or path of a CSV file), a mapping of names to "
        "cross_validate results, scores or searches, a matrix of scores, or a long table; "
        f"got {type(obj).__name__}."
    )


def _reader_of(obj: Any) -> _models.Reader | None:
    """The reader of an object that says what it is; None if it does not."""
    # Ledgers belong to the searches, a layer above.
    from sklearn_stats_compare.search.ledger._read import is_sqlite, read_ledger

    if is_sqlite(obj):
        return read_ledger
    if not _sizes.is_skore(obj):
        return None
    # skore is an optional dependency: other objects need not know how its predictions are read.
    from sklearn_stats_compare.comparison.readers._skore import read_skore

    return read_skore


def _read_path(path: Any, metric: str | None, sizes: _sizes.Sizes) -> _sizes.ParsedScores:
    return read_object(path, metric, sizes, None, LongNames())


def check_no_orientation(orient: str | None) -> None:
    """Raise ValueError if `orient` is given for an object that is no matrix of scores."""
    matrix = "where `obj` is not a matrix of scores: results name their columns and models"
    refuse("orient", orient, matrix)


def _read_table(
    obj: Any, metric: str | None, sizes: _sizes.Sizes, orient: str | None, names: LongNames
) -> _sizes.ParsedScores:
    """The table of a frame or a file: results of a search, a long table, or a matrix of scores."""
    is_file = isinstance(obj, str | os.PathLike)
    table = _matrix.read_csv(obj) if is_file else _matrix.as_pandas(obj)
    is_results = not names.given and any(map(_matrix.is_split_column, table.columns))
    if table.index.nlevels > 1 and (is_results or not is_long(_with_index(table), names)):
        for name in (own for own in table.index.names if isinstance(own, str)):
            cells = table.index.get_level_values(name)
            lower = direction_of(pd.DataFrame({name: cells}))
            if lower is not None:
                found = _read_table(table.droplevel(name), metric, sizes, orient, names)
                return dataclasses.replace(found, lower_is_better=lower, may_be_loss=True)
            if metric is None and _metrics.is_called_metric(name) and cells.nunique() == 1:
                return _read_table(table.droplevel(name), str(cells[0]), sizes, orient, names)
    if is_results or names.given:
        check_no_orientation(orient)
    if is_results:
        if is_file:
            table = _rows.with_plain_names(table, _matrix.read_csv(obj, gaps=False))
        return _searches.read_results(table, metric, sizes)
    # pandas keeps the names of rows in the index, so no column of its frames is one.
    has_index = not _matrix.is_plain(obj, table)
    whole = _with_index(table) if has_index else table
    # `orient` says that the table is a matrix.
    if orient is None and is_long(whole, names):
        # "None" and "NA" are names of models, as of max_depth=None.
        table = _matrix.read_csv(obj, gaps=False) if is_file else whole
        return read_long(table, metric, sizes, names)
    scores = table if has_index else _matrix.with_row_names(table)
    return _matrix.read_matrix(scores, metric, sizes, orient)


def _with_index(table: pd.DataFrame) -> pd.DataFrame:
    """The frame with named levels of its index as columns, as `groupby` returns models."""
    named = [name for name in table.index.names if name is not None]
    is_plain = table.columns.nlevels == 1 and not set(named) & set(table.columns)
    return table.reset_index(named) if named and is_plain else table


# Errors that a truncated or edited file may cause.
_DAMAGE = (ValueError, TypeError, KeyError, OverflowError, RecursionError, csv.Error)


def read_saved(
    path: str | os.PathLike[Any], metric: str | None, sizes: _sizes.Sizes
) -> _sizes.ParsedScores:
    """Scores, names and settings of a file that `Comparison.to_csv` wrote."""
    whole = os.path.abspath(os.fsdecode(path))
    try:
        with open(whole, encoding="utf-8-sig", errors="surrogatepass", newline="") as file:
            head = json.loads(file.readline().removeprefix(_saving.MARK))
            found = _parsed(head, [row for row in csv.reader(file) if row])
    except _DAMAGE as error:
        why = shortened(printable(f"{type(error).__name__}: {error}"), 300)
        raise ValueError(
            "`obj` must be a CSV file as Comparison.to_csv wrote it, which may have been cut short "
            f"or edited; {shown(path)} cannot be read: {why}"
        ) from None
    _sizes.chosen_metric(metric, [found.metric])
    # Arguments of the caller take precedence over saved ones.
    scores, design = found.scores, found.scores.design
    if sizes.given and not design.sizes_known:  # and so the number of samples, too
        scores = dataclasses.replace(scores, n_independent=np.inf)
    if sizes.given:
        # What a file says of the structure of the splits is not in sizes.
        flags = {name: getattr(design, name) for name in (*_saving.STRUCTURE, "repeat")}
        given = sizes.design(design.n_splits)
        design = dataclasses.replace(given, **flags)
    elif sizes.n_samples is not None:
        where = "where `obj` was compared by the ratio of the sizes alone"
        refuse("n_samples", None if design.sizes_known else sizes.n_samples, where)
        design = dataclasses.replace(design, n_samples=sizes.n_samples)
    return dataclasses.replace(found, scores=dataclasses.replace(scores, design=design))


def _parsed(head: Any, table: list[list[str]]) -> _sizes.ParsedScores:
    known = _saving.FORMAT
    if head["format"] != known:
        raise ValueError(f"its format is {shown(head['format'])}, and {known} is known here")
    names, rows = table[0] if table else [], table[1:]
    n = head["n_candidates"]
    if names[: len(_saving.NAMES)] != _saving.NAMES or len(rows) != n:
        raise ValueError(f"it holds {len(rows)} of {shown(n)} candidates")
    complete = {"stratified": False, **head}  # not in files of older versions
    of_design = (*_saving.SIZES, "n_samples", *_saving.FLAGS)
    design = SplitDesign(**{name: complete[name] for name in of_design})
    note = check_text("note", head["note"])
    instead = check_text("instead", head.get("instead", ""))  # not in files of older versions
    arguments = {
        "_candidates": [int(row[0]) for row in rows],
        "note": ChosenByScores(note, instead) if instead else note,
    }
    if head["n_entered"] is not None:
        arguments["_n_entered"] = head["n_entered"]
        arguments["_dropped_pvalue"] = head.get("dropped_pvalue")  # not in files of older versions
    # Programs may sort columns.
    splits = [(_saving.split_and_metric(name) or (-1,))[0] for name in names[len(_saving.NAMES) :]]
    if sorted(splits) != list(range(design.n_splits)):
        raise ValueError(f"it lacks one column per split, 0 to {design.n_splits - 1}, by name")
    values = np.empty((len(rows), design.n_splits))
    for own, row in zip(values, rows, strict=True):
        own[splits] = [float(cell or "nan") for cell in row[len(_saving.NAMES) :]]
    return _sizes.ParsedScores(
        SplitScores(values, design, **{name: head[name] for name in UNITS if name in head}),
        check_text("metric", head["metric"]),
        labels=CandidateLabels([row[1] for row in rows], check_text("naming", head["naming"])),
        params=_params([row[2] for row in rows]),
        arguments=arguments,
        settings=dict(head.get("settings", {})),
    )


def _params(texts: list[str]) -> list[dict[str, Any]] | None:
    if not any(texts):
        return None
    params = [_matrix.params_from_text(text) for text in texts]
    for text, own in zip(texts, params, strict=True):
        if own is None:
            raise ValueError(f"parameters must be a mapping; got {shown(text)}")
    return params
