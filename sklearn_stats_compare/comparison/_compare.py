"""compare(): fitted searches, cross_validate results or plain scores → Comparison."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_stats_compare._messages import check_option, check_text, shown
from sklearn_stats_compare.comparison._columns import is_split_column
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._cv_results import read_results, read_search
from sklearn_stats_compare.comparison._files import check_header, read_csv
from sklearn_stats_compare.comparison._found import Found, Sizes, is_ours
from sklearn_stats_compare.comparison._frames import ORIENTATIONS, read_matrix
from sklearn_stats_compare.comparison._named_models import (
    is_list_of_results,
    read_listed,
    read_named,
)
from sklearn_stats_compare.comparison._other_frames import as_pandas, is_frame, with_row_names
from sklearn_stats_compare.comparison._saved_scores import is_saved, read_saved
from sklearn_stats_compare.comparison._saved_settings import (
    ALPHA,
    BONFERRONI,
    GREATER,
    ROPE,
    without_defaults,
)
from sklearn_stats_compare.comparison._stored import read_stored
from sklearn_stats_compare.stats import PairTest


def compare(
    obj: Any,
    *,
    metric: str | None = None,
    orient: str | None = None,
    test_train_ratio: float | None = None,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    n_samples: int | None = None,
    labels: Sequence[str] | None = None,
    alternative: str = GREATER,
    p_adjust: str | None = BONFERRONI,
    rope: float | tuple[float, float] | str = ROPE,
    alpha: float = ALPHA,
    test: str | PairTest | None = None,
) -> Comparison:
    """Compare the candidates of results that exist already; nothing is fitted.

    Parameters
    ----------
    obj : object
        One of

        - a fitted search with ``cv_results_``: of this package, scikit-learn's, or another that
          keeps scikit-learn's form and is known to have scored all candidates on the same splits.
          Of a halving search the last iteration is compared, with a warning;
        - several such searches, as a mapping of names or a list: the best candidate of each is
          compared, where all searches have the same `cv`, `scoring` and data; see the Notes. A
          `Comparison`, or the path of a file among the next three, stands for its search;
        - the path of a CSV file that `Comparison.to_csv` wrote;
        - such a ``cv_results_`` itself: a mapping, the DataFrame made from it, or the path of the
          CSV file made from that;
        - the path of the `ledger` of a search, whether it has ended, is running or was stopped;
        - a mapping of names to results of scikit-learn's ``cross_validate`` or DataFrames of them;
          with ``return_indices=True`` the sizes are read from the mappings, and splits that differ
          between models are refused;
        - a mapping of names to vectors of scores, as ``cross_val_score`` returns them;
        - a matrix of scores, candidates × splits, higher is better: an array, or a DataFrame, or
          the CSV file made from that, whose rows and columns say which are the models; see the
          Notes.

        Frames of polars, and others with ``to_pandas``, are read as those of pandas.
    metric : str, optional
        Metric to compare by, where there are several. Default: of a search or its ledger the one of
        `refit`. A
        single metric of a search has the name of its `scoring`, and "score" is understood too.
    orient : {"models in rows", "models in columns"}, optional
        Which axis of a matrix of scores holds the models; the other holds the splits. "index" is
        another word for "models in rows", and "columns" for "models in columns". Default: of an
        array the rows are models; a DataFrame must say it by its names.
    test_train_ratio : float, optional
        Σ n_test / Σ n_train of the splits, > 0: 1/(k − 1) for k-fold, repeated or not. Where
        training and test set together are less than all n samples, n_test/(n − n_test).
    n_train, n_test : int or array-like of int, shape (n_splits,), optional
        Sizes of the splits, together, instead of the ratio.
    n_samples : int, optional
        Number of samples that the splits are drawn from, where the sizes follow from it and the
        search's splitter (the ShuffleSplit family with shares as sizes), or where training and test
        set together are not all of them (beside `n_train` and `n_test`, or for the ShuffleSplit
        family).
    labels : sequence of str or "name=value", optional
        A unique name for each candidate, in the order of `obj`; "name=value" makes it from the
        parameters of a search, as ``C=1, gamma=0.1``.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        As for `Comparison`.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, \
            default="bonferroni"
        As for `Comparison`.
    rope : float, (float, float) or str, default=0.01
        As for `Comparison`.
    alpha : float, default=0.05
        As for `Comparison`. Of a ledger, and of a file that `Comparison.to_csv` wrote with its
        settings, they are the defaults of these four; of a ledger the ``note`` says so.
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, optional
        As for `Comparison`. Default: that of a search of this package or of the file, else
        "corrected_t".
        "samples" needs such a search, with predictions that were kept; of models under
        cross-validation use `cross_validate_models`.

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError
        If `obj` is none of these, or `metric` is no text.
    ValueError
        If the sizes of the splits cannot be known, the metric is unknown, or the results are
        incomplete. Sizes are never guessed: of a search they are read from its splitter where
        they follow from the splitter's parameters (k-fold, leave-one-out, shuffle-split), and
        asked for by name otherwise. If a search may have split anew for each candidate, or a
        DataFrame does not say which axis holds the models.

    Notes
    -----
    Valid only where all candidates were scored on the same splits. Scores of cross-validations
    with different splits are not paired; an unseeded shuffle makes them differ from model to
    model, which cannot be seen in the scores.

    **Searches.** A search that runs scikit-learn's own ``fit`` and ``_run_search`` splits once for
    all candidates, so any splitter will do; scikit-learn's halving searches check their splitter.
    Every other search, such as ``OptunaSearchCV`` or ``BayesSearchCV``, is taken to split anew for
    each candidate. It is compared where its `cv` is known to give the same splits each time: a
    number of folds, a list of splits, a splitter with an integer ``random_state`` or with
    ``shuffle=False``, or one of scikit-learn's that never draws. Otherwise it is refused. A
    ``cv_results_`` by itself does not say how it was made, and nothing is checked.

    **Ledgers.** Compared are candidates and splits of which every fit is done: of a search that has
    ended the candidates that ran on every split, of another the largest such block. The ``note``
    says what is missing. Sizes of the splits, labels and the name of the metric are in the file,
    parameters as text where they are no numbers. Predictions are not read: ``test="samples"`` needs
    the search. The error rates hold for one look at the scores: whoever looks again and again, and
    stops when a verdict pleases, needs the levels of `StatisticalGridSearchCV.extend` or a race.

    **Candidates that were chosen by their scores.** The error rates hold for candidates that were
    chosen before any score was seen. Where a Bayesian, genetic or halving search chose them, the
    comparison says so in its ``note``, which its printed form and every report show. Searches
    outside scikit-learn count as such, unless their name says that they are a grid or a randomized
    search, or their Optuna sampler looks at no score.

    **Several searches.** Each model is the best of its search, chosen by the very scores that it
    is compared by. That flatters every mean, most where a search had many candidates, and the
    ``note`` says so. Searches are refused where a splitter has no integer ``random_state`` but
    shuffles, or where they differ in `cv` or `scoring`. Those of this package keep marks of their
    splits and data, as for `StatisticalGridSearchCV.extend`, and ledgers have marks of theirs:
    other data are refused. Where marks are lacking (a CSV file, scikit-learn's searches) or differ
    in kind (a ledger and a fitted search) the ``note`` says that it could not be checked. Settings
    that all files and comparisons share are the defaults of `alternative`, `p_adjust`, `rope`,
    `alpha` and `test`.

    **DataFrames.** The columns are models where they have names (text) and the rows have none
    (numbers) or those of splits, such as ``split0``, ``fold_1``, ``Fold 3``, ``rep1_fold2`` or
    ``Fold01.Rep1``. The rows are models where the columns are such splits, or where the rows have
    names and the columns have none. Else `orient` must say which are the models: nothing is
    guessed. Means and standard deviations among the rows, run times, parameters, metrics beside
    each other, and columns of several levels are refused. A CSV file and a polars frame have no
    index: their first column is taken for it where it has no name, one such as "model" or "fold",
    or holds text.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import compare
    >>> search = GridSearchCV(SVC(), {"C": [0.01, 1, 100]}, cv=10).fit(*load_iris(return_X_y=True))
    >>> compare(search).leader_table[["model_1", "model_2", "verdict"]]
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
    # Only kept together here. What is right to give depends on `obj`, and the readers check it.
    sizes = Sizes(test_train_ratio, n_train, n_test, n_samples)
    orient = ORIENTATIONS[check_option("orient", orient, ORIENTATIONS)]
    if is_ours(obj):
        _check_no_orientation(orient)
        own = without_defaults(settings, {})
        given = {} if labels is None else {"labels": labels}
        comparison: Comparison = obj.compare(metric=metric, **own, **given)
        return comparison
    found = _read(obj, metric, sizes, orient)
    # `Comparison` refuses labels of any other form, in its own words.
    is_list = isinstance(labels, Sequence) and not isinstance(labels, str)
    if labels is not None and is_list and found.told.get("n_entered") == len(labels):
        labels = [labels[i] for i in found.told["candidates"]]  # of a race, one per candidate
    told = found.told
    if found.settings_note:
        said = filter(None, (told.get("note"), found.settings_note))
        told = {**told, "note": " ".join(said)}
    return Comparison(
        found.scores,
        found.labels if labels is None else labels,
        params=found.params,
        metric=found.metric,
        **told,
        **without_defaults(settings, found.settings),
    )


def _read(obj: Any, metric: str | None, sizes: Sizes, orient: str | None) -> Found:
    # Before searches: a DataFrame answers for attributes by the names of its columns, and one of
    # them may be cv_results_.
    if is_frame(obj):
        table = as_pandas(obj)
        if not any(map(is_split_column, table.columns)):
            # What pandas calls its rows is in their index, so that no column of its frames is one.
            named = table if table is obj else with_row_names(table)
            return read_matrix(named, metric, sizes, orient)
        _check_no_orientation(orient)
        return read_results(table, metric, sizes)
    if is_list_of_results(obj):
        _check_no_orientation(orient)
        return read_listed(obj, metric, sizes, _read_path)
    if isinstance(obj, np.ndarray | list | tuple):
        return read_matrix(obj, metric, sizes, orient)
    # Text is a path and never the content of a file, so that no string is parsed by guess.
    if isinstance(obj, str | os.PathLike) and is_saved(obj):
        _check_no_orientation(orient)
        return read_saved(obj, metric, sizes)
    if isinstance(obj, str | os.PathLike):
        stored = read_stored(obj, metric, sizes)
        if stored is not None:
            _check_no_orientation(orient)
            return stored
        table = read_csv(obj)
        if not any(map(is_split_column, table.columns)):
            check_header(table.columns)
            return read_matrix(with_row_names(table), metric, sizes, orient)
        _check_no_orientation(orient)
        return read_results(table, metric, sizes)
    _check_no_orientation(orient)
    if hasattr(obj, "cv_results_"):
        return read_search(obj, metric, sizes)
    if isinstance(obj, Mapping):
        # Both forms are mappings: cv_results_ of column names, the other of names to results.
        if any(map(is_split_column, obj)):
            return read_results(obj, metric, sizes)
        return read_named(obj, metric, sizes, _read_path)
    raise TypeError(
        "`obj` must be a fitted search, a list of them, a cv_results_ (mapping, DataFrame or path "
        "of a CSV file), a mapping of names to cross_validate results, scores or searches, or a "
        f"matrix of scores; got {type(obj).__name__}."
    )


def _read_path(path: Any, metric: str | None, sizes: Sizes) -> Found:
    return _read(path, metric, sizes, None)


def _check_no_orientation(orient: str | None) -> None:
    if orient is not None:
        raise ValueError(
            "`orient` must be left out where `obj` is not a matrix of scores: results name their "
            f"splits themselves; got {shown(orient)}."
        )
