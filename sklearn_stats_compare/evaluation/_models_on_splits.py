"""ModelsOnSplits: models and the splits of one data set, from the checks to the comparisons."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.parallel import Parallel, delayed

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.evaluation._jobs import check_error_score, check_jobs, check_splitter
from sklearn_stats_compare.evaluation._kept_of_models import KeptOfModels
from sklearn_stats_compare.evaluation._model_fits import (
    Outcome,
    metrics_of_outcomes,
    outcome_of,
    warn_of_failures,
)
from sklearn_stats_compare.evaluation._named_estimators import named_models, stratifies
from sklearn_stats_compare.evaluation._own_scores import check_one_score, name_of_scores
from sklearn_stats_compare.evaluation._sklearn_private import count_samples
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


@dataclass(frozen=True, eq=False)
class ModelsOnSplits:
    """Models on the splits of one data set, ready to be fitted.

    Attributes
    ----------
    names : list of str or None
        Names of the models, if they were given.
    labels : list of str
        Names that messages use.
    estimators : list of estimators
        Not fitted.
    X, y : object
        The data.
    splits : list of (array, array)
        Training and test samples.
    options : dict
        Options of ``cross_validate``.
    kept : KeptOfModels or None
        Where predictions are kept, if they are.
    test : PairTest
        Test of a pair.
    settings : dict
        Further arguments of a `Comparison`.
    """

    names: list[str] | None
    labels: list[str]
    estimators: list[Any]
    X: Any
    y: Any
    splits: list[Any]
    options: dict[str, Any]
    kept: KeptOfModels | None
    test: PairTest
    settings: dict[str, Any]

    @classmethod
    def of(
        cls,
        models: Any,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        scoring: Any = None,
        cv: Any = None,
        params: dict[str, Any] | None = None,
        error_score: Any = np.nan,
        return_predictions: bool | str = False,
        test: str | PairTest = CORRECTED_T,
        **settings: Any,
    ) -> Self:
        """Check the arguments and draw the splits, before hours of fits."""
        names, estimators = named_models(models)
        check_error_score(error_score)
        check_splitter(cv)
        if names is None:
            settings["params"] = [{"model": estimator} for estimator in estimators]
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
        return cls(
            names, list(labels or ()), estimators, X, y, splits, options, kept, test, settings
        )

    @property
    def of_values(self) -> bool | None:
        """Whether values of samples are kept rather than responses; None if nothing is."""
        return None if self.kept is None else self.kept.of_values

    def comparisons(
        self,
        found: list[Outcome],
        *,
        pool: int | None = None,
        warn: bool = True,
        dataset: str = "",
    ) -> dict[str, Comparison]:
        """The comparison by each metric, from the outcomes of the fits, model by model.

        `dataset` is its name among several.
        """
        error_score, scoring = self.options["error_score"], self.options["scoring"]
        outcomes = [outcome for outcome, _ in found]
        if self.kept is not None:
            self.kept.fill([arrays for _, arrays in found])
        warn_of_failures(outcomes, self.labels, error_score, dataset)
        design = SplitDesign.from_indices(self.splits, count_samples(self.X))
        if pool is not None:
            design = dataclasses.replace(design, n_samples=pool)
        shape = (len(self.estimators), len(self.splits))
        failed = np.reshape([isinstance(outcome, str) for outcome in outcomes], shape)
        comparisons: dict[str, Comparison] = {}
        for metric in metrics_of_outcomes(outcomes, error_score):
            values = [
                error_score if isinstance(o, str) else o.get(metric, error_score) for o in outcomes
            ]
            scores = SplitScores(np.reshape(values, shape), design)
            predicted = None if self.kept is None else self.kept.predicted(metric, scores, failed)
            used = self.test
            if not self.test.of_splits:
                scores, used = tested_by_samples(
                    scores,
                    partial(_samples_of, predicted),
                    self.test,
                    what=f"{metric} is compared",
                )
            comparisons[metric] = Comparison(
                scores,
                self.names,
                # scikit-learn names every single metric "score".
                metric=name_of_scores(scoring, self.estimators) if metric == "score" else metric,
                predicted=predicted,
                test=used,
                **self.settings,
                warn=warn and not comparisons,  # the splits are the same for every metric
            )
        return comparisons


def compared_models(
    models: Any,
    X: Any,
    y: Any,
    *,
    n_jobs: int | None = None,
    verbose: int = 0,
    pre_dispatch: int | str = "2*n_jobs",
    warn: bool = True,
    pool: int | None = None,
    fits: Callable[..., list[Outcome]] | None = None,
    **arguments: Any,
) -> dict[str, Comparison]:
    """`cross_validate_models` on one data set.

    With `warn` False, there are no warnings about the splits. `pool` is the number of samples that
    the splits are drawn from, if they do not show it. `fits` takes names, models, splits, options
    of ``cross_validate`` and what to keep, and returns the outcomes, model by model. `arguments`
    are those of `ModelsOnSplits.of`.
    """
    check_jobs(n_jobs, verbose)
    plan = ModelsOnSplits.of(models, X, y, **arguments)
    if fits is None:
        # All models and splits in one loop, so that no worker waits for the last fit of each model.
        # scikit-learn's Parallel passes its configuration to the workers (from 1.3 on).
        found = Parallel(n_jobs=n_jobs, verbose=verbose, pre_dispatch=pre_dispatch)(
            # A clone for each split, as in `cross_validate`: independent of the others, and no
            # fitted model is sent to a worker.
            delayed(outcome_of)(
                clone(estimator), plan.X, plan.y, split, plan.options, plan.of_values, name
            )
            for name, estimator in zip(plan.labels, plan.estimators, strict=True)
            for split in plan.splits
        )
    else:
        found = fits(plan.labels, plan.estimators, plan.splits, plan.options, plan.of_values)
    return plan.comparisons(found, pool=pool, warn=warn)


def _samples_of(predicted: Predicted | None) -> SampleScores:
    if predicted is None:
        raise ValueError("it is a metric that a callable names, without values of samples.")
    return predicted.samples()


def _no_scores(n_models: int) -> SplitScores:
    # Two splits, the fewest for which a comparison has numbers.
    return SplitScores(np.zeros((n_models, 2)), SplitDesign.from_ratio(1.0, 2))
