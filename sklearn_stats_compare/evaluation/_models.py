"""cross_validate_models(): named estimators, scored on the same splits → Comparison."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.parallel import Parallel, delayed

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.evaluation._by_metric import ByMetric
from sklearn_stats_compare.evaluation._jobs import check_error_score, check_jobs, check_splitter
from sklearn_stats_compare.evaluation._kept_of_models import KeptOfModels
from sklearn_stats_compare.evaluation._model_fits import (
    Outcome,
    metrics_of_outcomes,
    outcome_of,
    warn_of_failures,
)
from sklearn_stats_compare.evaluation._own_scores import check_one_score, name_of_scores
from sklearn_stats_compare.evaluation._sklearn_private import (
    count_samples,
)
from sklearn_stats_compare.predictions import Predicted, tested_by_samples
from sklearn_stats_compare.stats import (
    CORRECTED_T,
    PairTest,
    SampleScores,
    SplitDesign,
    SplitScores,
    check_splits,
    pair_test,
)


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
) -> dict[str, Comparison]:
    """Cross-validate several models on the same splits and compare them.

    Parameters
    ----------
    models : mapping of str to estimator, or sequence of estimators
        The models. They are cloned for each fit, and not modified. Models in a sequence are named
        after their classes and, if these are not unique, their parameters.
    X : array-like of shape (n_samples, n_features)
        Data to fit.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        Target.
    groups : array-like of shape (n_samples,), optional
        Groups of samples, for the splitter.
    scoring : str, callable, list, tuple or dict, optional
        As for scikit-learn's ``cross_validate``. If None, the ``score`` method of each estimator is
        used, which must be the same metric for all: accuracy for classifiers, R² for regressors,
        and `scoring` for a search.
    cv : int, splitter, iterable or None, optional
        As for scikit-learn's ``cross_validate``: an int makes stratified folds for classifiers. The
        splits are drawn once, for all models, so the splitter may shuffle without a seed.
    n_jobs : int, optional
        Number of jobs to run in parallel. The fits of all models on all splits are run in one
        joblib call.
    verbose : int, default=0
        Verbosity of joblib.
    params : dict, optional
        Parameters to pass to ``fit`` and, with metadata routing, to the scorers, as for
        ``cross_validate``. Every model receives all of them and must accept them. Pass groups for
        the splitter as `groups`, even with metadata routing.
    pre_dispatch : int or str, default="2*n_jobs"
        As for ``cross_validate``.
    error_score : "raise" or float, default=nan
        Score of a fit that fails; "raise" raises the error. With NaN, the model is ``missing``: it
        is last in the ranking, and the tests exclude it.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        As for `Comparison`.
    p_adjust : {None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"}, \
            default="bonferroni"
        As for `Comparison`.
    rope : float, (float, float) or str, default=0.01
        As for `Comparison`.
    alpha : float, default=0.05
        As for `Comparison`.
    return_predictions : bool or "values", default=False
        As for `StatisticalGridSearchCV`. True keeps the predictions of every model for every test
        sample, which `Comparison.by`, `Comparison.with_metric` and other methods need. "values"
        keeps only the value of each metric for each sample.
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
            default="corrected_t"
        As for `Comparison`. "samples" implies ``return_predictions="values"``.

    Returns
    -------
    dict of str to Comparison
        One comparison per metric, with scikit-learn's names as keys. The key of a single metric is
        ``"score"``; its own name, as in ``found["roc_auc"]``, also works. As the last expression
        of a notebook cell, the result shows every comparison.

    Raises
    ------
    TypeError
        If `models` is neither a mapping nor a sequence, or if one of the models has no ``fit``.
    ValueError
        If `models` is empty; if every fit failed; if only some of the models are classifiers and
        `cv` is None or an int, so it is not clear whether to stratify; or if `scoring` is None and
        the ``score`` methods of the models compute different metrics.

    Warns
    -----
    FitFailedWarning
        If some fits failed and `error_score` is a number. One warning lists the models, the number
        of failures and the first error of each.

    See Also
    --------
    compare : Compares existing results.
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
    return ByMetric(compared_models(
        models, X, y, groups=groups, scoring=scoring, cv=cv, n_jobs=n_jobs, verbose=verbose,
        params=params, pre_dispatch=pre_dispatch, error_score=error_score, alternative=alternative,
        p_adjust=p_adjust, rope=rope, alpha=alpha, return_predictions=return_predictions, test=test,
    ))  # fmt: skip


def compared_models(
    models: Any,
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: dict[str, Any] | None = None,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: Any = np.nan,
    warn: bool = True,
    pool: int | None = None,
    return_predictions: bool | str = False,
    test: str | PairTest = CORRECTED_T,
    fits: Callable[..., list[Outcome]] | None = None,
    **settings: Any,
) -> dict[str, Comparison]:
    """`cross_validate_models`; with `warn` False, without warnings about the splits.

    `pool` is the number of samples that the splits are drawn from, if they do not show it. `fits`
    takes names, models, splits, options of ``cross_validate`` and what to keep, and returns the
    outcomes, model by model.
    """
    names, estimators = named_models(models)
    check_jobs(n_jobs, verbose)
    check_error_score(error_score)
    check_splitter(cv)
    if names is None:
        settings["params"] = [{"model": estimator} for estimator in estimators]
    # Check the settings before hours of fits.
    labels = Comparison(_no_scores(len(estimators)), names, warn=False, **settings).labels
    if return_predictions not in (False, True, "values"):
        raise ValueError(
            '`return_predictions` must be True, False or "values"; got '
            f"{shown(return_predictions)}."
        )
    test = pair_test(test)
    keeps = return_predictions or (not test.of_splits and "values")
    X, y, groups = indexable(X, y, groups)
    checked = check_cv(cv, y, classifier=stratifies(cv, estimators))
    if scoring is None:
        check_one_score(list(labels or ()), estimators)
    # Once for all models: an unseeded shuffle would give each of them different splits.
    splits = list(checked.split(X, y, groups))
    if not splits:
        raise ValueError(f"`cv` must give at least one split; got none from {shown(cv)}.")
    splits = check_splits("cv", splits, count_samples(X))
    kept = None
    if keeps:
        kept = KeptOfModels(estimators, scoring, X, y, groups, splits, keeps)
    options = {"scoring": scoring, "params": params, "error_score": error_score}
    keeping = None if kept is None else kept.of_values
    if fits is None:
        # All models and splits in one loop, so that no worker waits for the last fit of each model.
        # scikit-learn's Parallel passes its configuration to the workers (from 1.3 on).
        found = Parallel(n_jobs=n_jobs, verbose=verbose, pre_dispatch=pre_dispatch)(
            # A clone for each split, as in `cross_validate`: independent of the others, and no
            # fitted model is sent to a worker.
            delayed(outcome_of)(clone(estimator), X, y, split, options, keeping, name)
            for name, estimator in zip(labels or (), estimators, strict=True)
            for split in splits
        )
    else:
        found = fits(list(labels or ()), estimators, splits, options, keeping)
    outcomes = [outcome for outcome, _ in found]
    if kept is not None:
        kept.fill([arrays for _, arrays in found])
    warn_of_failures(outcomes, list(labels or ()), error_score)
    design = SplitDesign.from_indices(splits, count_samples(X))
    if pool is not None:
        design = dataclasses.replace(design, n_samples=pool)
    shape = (len(estimators), len(splits))
    failed = np.reshape([isinstance(outcome, str) for outcome in outcomes], shape)
    comparisons: dict[str, Comparison] = {}
    for metric in metrics_of_outcomes(outcomes, error_score):
        values = [
            error_score if isinstance(o, str) else o.get(metric, error_score) for o in outcomes
        ]
        scores = SplitScores(np.reshape(values, shape), design)
        predicted = None if kept is None else kept.predicted(metric, scores, failed)
        used = test
        if not test.of_splits:
            scores, used = tested_by_samples(
                scores, partial(_samples_of, predicted), test, what=f"{metric} is compared"
            )
        comparisons[metric] = Comparison(
            scores,
            names,
            # scikit-learn names every single metric "score".
            metric=name_of_scores(scoring, estimators) if metric == "score" else metric,
            predicted=predicted,
            test=used,
            **settings,
            warn=warn and not comparisons,  # the splits are the same for every metric
        )
    return comparisons


def _samples_of(predicted: Predicted | None) -> SampleScores:
    if predicted is None:
        raise ValueError("it is a metric that a callable names, without values of samples.")
    return predicted.samples()


def named_models(models: Any, name: str = "models") -> tuple[list[str] | None, list[Any]]:
    """Checked names, or None if they are not given, and estimators."""
    if isinstance(models, Mapping):
        # Labels are text, so 1 and "1" would be equal.
        names, estimators = [str(own) for own in models], list(models.values())
        if len(set(names)) < len(names):
            raise ValueError(
                f"`{name}` must have different names, as text; got {shown(list(models))}."
            )
    # Each letter of text would be a model.
    elif isinstance(models, Sequence) and not isinstance(models, str):
        names, estimators = None, list(models)
    else:
        raise TypeError(
            f"`{name}` must be a mapping of names to estimators or a sequence of estimators; got "
            f"{type(models).__name__}."
        )
    if not estimators:
        raise ValueError(f"`{name}` must contain at least one estimator; got {models!r}.")
    for estimator in estimators:
        if not hasattr(estimator, "fit") or isinstance(estimator, type):
            raise TypeError(
                f"`{name}` must contain estimator instances with a `fit` method; got "
                f"{shown(estimator)}."
            )
    return names, estimators


def stratifies(cv: Any, estimators: list[Any]) -> bool:
    """Whether a number of folds means stratified folds, as in scikit-learn for classifiers."""
    kinds = {is_classifier(estimator) for estimator in estimators}
    if len(kinds) > 1 and (cv is None or isinstance(cv, int | np.integer)):
        raise ValueError(
            "`cv` must be a splitter, such as KFold(5), if only some of the models are "
            f"classifiers, because it is not clear whether to stratify; got {shown(cv)}."
        )
    # check_cv stratifies a number of folds where this is True and `y` holds classes.
    return kinds == {True}


def _no_scores(n_models: int) -> SplitScores:
    # Two splits, the fewest for which a comparison has numbers.
    return SplitScores(np.zeros((n_models, 2)), SplitDesign.from_ratio(1.0, 2))
