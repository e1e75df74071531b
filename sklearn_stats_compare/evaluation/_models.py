"""cross_validate_models(): named estimators, scored on the same splits → Comparison."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from sklearn_stats_compare.evaluation._by_metric import ByMetric
from sklearn_stats_compare.evaluation._models_on_splits import compared_models
from sklearn_stats_compare.evaluation._models_over_datasets import by_metric, compared_over_datasets
from sklearn_stats_compare.evaluation._named_estimators import named_models
from sklearn_stats_compare.stats import CORRECTED_T, PairTest


def cross_validate_models(
    models: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: dict[str, Any] | None = None,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: Any = np.nan,
    alternative: str = "greater",
    p_adjust: str | None = "bonferroni",
    rope: float | tuple[float, float] | str = 0.01,
    alpha: float = 0.05,
    return_predictions: bool | str = False,
    test: str | PairTest = CORRECTED_T,
    ledger: str | PathLike[str] | None = None,
) -> dict[str, Any]:
    """Cross-validate several models on the same splits and compare them.

    Over several data sets, all fits run in one parallel loop.

    Parameters
    ----------
    models : mapping of str to estimator, or sequence of estimators
        The models. They are cloned for each fit, and not modified. Models in a sequence are named
        after their classes and, if these are not unique, their parameters.
    X : array-like of shape (n_samples, n_features), or mapping of str to (X, y)
        Data to fit, or several data sets by name, as ``{"iris": (X, y), …}``.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        Target; left out for several data sets.
    groups : array-like of shape (n_samples,), or mapping of str to these, optional
        Groups of samples, for the splitter; for several data sets, by their names.
    scoring : str, callable, list, tuple or dict, optional
        As for scikit-learn's ``cross_validate``. If None, the ``score`` method of each estimator is
        used, which must be the same metric for all: accuracy for classifiers, R² for regressors,
        and `scoring` for a search.
    cv : int, splitter, iterable or None, optional
        As for scikit-learn's ``cross_validate``: an int makes stratified folds for classifiers. The
        splits are drawn once, for all models, so the splitter may shuffle without a seed. For
        several data sets an int or a splitter.
    n_jobs : int, optional
        Number of jobs to run in parallel. The fits of all models on all splits are run in one
        joblib call.
    verbose : int, default=0
        Verbosity of joblib. For several data sets, or with a `ledger`, a progress line from 1 on.
    params : dict, optional
        Parameters to pass to ``fit`` and, with metadata routing, to the scorers, as for
        ``cross_validate``. Every model receives all of them and must accept them. Pass groups for
        the splitter as `groups`, even with metadata routing.
    pre_dispatch : int or str, default="2*n_jobs"
        As for ``cross_validate``.
    error_score : "raise" or float, default=nan
        Score of a fit that fails; "raise" raises the error. With NaN, the model is ``missing``: it
        is last in the ranking, and the tests exclude it. Of several data sets, those on which a
        model failed are left out, or, if fewer than two would remain, the models that failed; the
        result's ``note`` lists them.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        As for `Comparison`.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, \
            default="bonferroni"
        As for `Comparison`.
    rope : float, (float, float) or str, default=0.01
        As for `Comparison`; in score units for several data sets.
    alpha : float, default=0.05
        As for `Comparison`.
    return_predictions : bool or "values", default=False
        As for `StatisticalGridSearchCV`. True keeps the predictions of every model for every test
        sample, which `Comparison.by`, `Comparison.with_metric` and other methods need. "values"
        keeps only the value of each metric for each sample.
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
            default="corrected_t"
        As for `Comparison`. "samples" implies ``return_predictions="values"``.
    ledger : str or path-like, optional
        Folder in which every finished fit is saved at once, in a file per data set. Another run
        with the same models, data and settings fits only what is missing; other data have a section
        of their own. It keeps values of samples, and no predictions. Searches of this package among
        the models have files of their own in it.

    Returns
    -------
    dict of str to Comparison or DatasetsComparison
        One comparison per metric, with scikit-learn's names as keys; for several data sets a
        `DatasetsComparison` with its default test, whose ``comparisons`` are those on each data set
        with the settings given here. The key of a single metric is
        ``"score"``; its own name, as in ``found["roc_auc"]``, also works. As the last expression
        of a notebook cell, the result shows every comparison.

    Raises
    ------
    TypeError
        If `models` is neither a mapping nor a sequence, or if one of the models has no ``fit``.
    ValueError
        If `models` is empty; if every fit failed; if only some of the models are classifiers and
        `cv` is None or an int, so it is not clear whether to stratify; or if `scoring` is None and
        the ``score`` methods of the models compute different metrics. Also if `ledger` is of other
        settings or splits. Of several data sets, if fewer than two or only one model are given, two
        are the same, `scoring` names other metrics on another, or no model can be fitted on one of
        them; the error names it.

    Warns
    -----
    FitFailedWarning
        If some fits failed and `error_score` is a number. One warning for each data set lists the
        models, the number of failures and the first error of each.

    See Also
    --------
    compare : Compares existing results.
    compare_datasets : Compares existing results over several data sets.
    StatisticalGridSearchCV : Compares the settings of one estimator.

    Notes
    -----
    The tests are valid only if you chose the models before you saw these scores. To compare tuned
    models, pass searches as models: each search then tunes within every training set.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import cross_validate_models
    >>> found = cross_validate_models(
    ...     {"lr": LogisticRegression(max_iter=1000), "svm": SVC(), "dummy": DummyClassifier()},
    ...     *load_iris(return_X_y=True),
    ...     cv=10,
    ... )
    >>> found["score"].leader_table[["model_1", "model_2", "verdict"]]
      model_1 model_2    verdict
    0      lr     svm  undecided
    1      lr   dummy     better
    """
    on_splits: dict[str, Any] = {
        "scoring": scoring, "cv": cv, "params": params, "error_score": error_score,
        "return_predictions": return_predictions, "test": test,
    }  # fmt: skip
    fitting: dict[str, Any] = {"n_jobs": n_jobs, "verbose": verbose, "pre_dispatch": pre_dispatch}
    settings: dict[str, Any] = {
        "alternative": alternative,
        "p_adjust": p_adjust,
        "rope": rope,
        "alpha": alpha,
    }
    if not isinstance(X, Mapping):
        if ledger is None:
            found = compared_models(models, X, y, groups=groups, **on_splits, **fitting, **settings)
        else:
            found = compared_over_datasets(
                models, {"data": (X, y)}, groups=None if groups is None else {"data": groups},
                ledger=ledger, **on_splits, **fitting, **settings,
            )["data"]  # fmt: skip
        return ByMetric(found)
    if y is not None:
        raise ValueError("`y` must be left out where `X` maps data sets to (X, y).")
    if len(X) < 2:
        raise ValueError(f"`X` must hold at least 2 data sets where it is a mapping; got {len(X)}.")
    if isinstance(rope, str):
        raise ValueError(f"`rope` must be in score units for several data sets; got {rope!r}.")
    n_models = len(named_models(models)[1])
    if n_models < 2:
        raise ValueError(
            f"`models` must contain at least 2 where `X` maps data sets to (X, y); got {n_models}."
        )
    over = compared_over_datasets(
        models, X, groups=groups, ledger=ledger, **on_splits, **fitting, **settings
    )
    return ByMetric(by_metric(over, rope=rope, alpha=alpha))
