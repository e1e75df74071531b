"""Costs of misclassification: their sum or mean, and a scorer for searches."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import confusion_matrix, make_scorer

from sklearn_stats_compare._utils._validation import (
    check_classes,
    check_flag,
    check_numbers,
    check_same_index,
    check_same_kind,
    shown,
    wrong,
)


def misclassification_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: ArrayLike,
    labels: Sequence[Any] | None = None,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Cost of predictions, from the cost of each kind of error.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes.
    cost_matrix : array-like of float, shape (n_classes, n_classes)
        ``cost_matrix[i, j]`` is the cost of predicting ``labels[j]`` for a sample of ``labels[i]``,
        oriented as scikit-learn's ``confusion_matrix``. Correct predictions may have a cost, and a
        negative cost is a gain.
    labels : sequence of shape (n_classes,), optional
        The classes in the order of `cost_matrix`. Default: the classes in `y_true` and `y_pred`,
        sorted; their number must then equal that of the rows of the matrix.
    normalize : bool, default=True
        Whether to return the mean cost per sample instead of the sum.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the samples, in the sum and in the mean.

    Returns
    -------
    float
        The cost, lower is better.

    Raises
    ------
    ValueError
        If `cost_matrix` is not square, is not finite or does not fit `labels`; if `labels` do not
        name every class; or if `y_true` and `y_pred` differ in length.

    See Also
    --------
    make_cost_scorer : For ``scoring=`` of searches and cross-validations.

    References
    ----------
    Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI 2001, 973–978.

    Examples
    --------
    Missing a sick person costs ten times as much as alarming a healthy one:

    >>> from sklearn_stats_compare.evaluation import misclassification_cost
    >>> costs = [[0, 1], [10, 0]]
    >>> truth = ["healthy", "healthy", "healthy", "sick"]
    >>> misclassification_cost(truth, ["healthy"] * 4, costs, ["healthy", "sick"], normalize=False)
    10.0
    >>> misclassification_cost(truth, ["sick"] * 4, costs, ["healthy", "sick"], normalize=False)
    3.0

    The first is right for three of four samples and the second for one, yet the second costs less.
    """
    costs = _checked_costs(cost_matrix, labels)
    check_flag("normalize", normalize)
    check_same_index([("y_true", y_true), ("y_pred", y_pred), ("sample_weight", sample_weight)])
    truth, predicted = check_classes("y_true", y_true), check_classes("y_pred", y_pred)
    check_same_kind("y_pred", predicted, truth)
    if truth.size != predicted.size:
        raise ValueError(
            f"`y_pred` must have one prediction per entry of `y_true`, {truth.size}; got "
            f"{predicted.size}."
        )
    try:
        found = np.unique(np.concatenate([np.unique(truth), np.unique(predicted)]))
    except TypeError:  # classes that have no order
        raise wrong(
            "y_pred", f"be classes like those of `y_true`, {shown(y_true)}", y_pred
        ) from None
    if labels is None:
        if len(found) != len(costs):
            raise ValueError(
                f"`labels` must be given where not every class of `cost_matrix`, {len(costs)}, "
                f"occurs; got {len(found)}: {_classes(found)}."
            )
        labels = found.tolist()
    else:
        # scikit-learn's confusion_matrix silently drops samples of classes not in `labels`, and
        # with them their costs.
        unknown = [label for label in found.tolist() if label not in list(labels)]
        if unknown:
            raise ValueError(
                f"`labels` must name every class; got {list(labels)!r}, without "
                f"{_classes(unknown)}."
            )
    weights = None
    if sample_weight is not None:
        weights = check_numbers("sample_weight", sample_weight)
        if weights.shape != truth.shape:
            raise ValueError(
                f"`sample_weight` must be one number per sample, {truth.size}; got shape "
                f"{weights.shape}."
            )
    counts = confusion_matrix(truth, predicted, labels=list(labels), sample_weight=weights)
    # 0 times a cost is 0, and NaN costs raised an error.
    total = float((counts * costs).sum())
    if not normalize:
        return total
    # Written so that a NaN sum raises too.
    if not counts.sum() > 0:
        raise ValueError(f"`sample_weight` must have a sum > 0; got {float(counts.sum())!r}.")
    return total / float(counts.sum())


def make_cost_scorer(
    cost_matrix: ArrayLike, labels: Sequence[Any] | None = None, normalize: bool = True
) -> "CostScorer":
    """Make a scorer for ``scoring=`` that ranks, tests and selects by cost.

    Parameters
    ----------
    cost_matrix : array-like of float, shape (n_classes, n_classes)
        As for `misclassification_cost`.
    labels : sequence of shape (n_classes,), optional
        The classes in the order of `cost_matrix`. Default: the fitted estimator's ``classes_``,
        that is, sorted.
    normalize : bool, default=True
        Whether to score the mean cost per sample instead of the sum. Sums are not comparable
        between test sets of different sizes.

    Returns
    -------
    CostScorer
        A callable ``scorer(estimator, X, y, sample_weight=None)`` → minus the cost, so that higher
        is better. It supports metadata routing by ``set_score_request(sample_weight=True)``.

    Raises
    ------
    ValueError
        As for `misclassification_cost`: immediately for the matrix and its labels, and when scoring
        for classes that are not in `labels`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_stats_compare import StatisticalGridSearchCV
    >>> from sklearn_stats_compare.evaluation import make_cost_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)  # 0 is malignant
    >>> search = StatisticalGridSearchCV(
    ...     DecisionTreeClassifier(class_weight={0: 10, 1: 1}, random_state=0),
    ...     {"min_samples_leaf": [1, 10, 50]},
    ...     scoring=make_cost_scorer([[0, 10], [1, 0]]),
    ...     cv=10,
    ...     rope=0.05,
    ... ).fit(X, y)
    >>> search.best_params_, round(float(search.best_score_), 2)
    ({'min_samples_leaf': 50}, -0.24)
    """
    return CostScorer(cost_matrix, labels, normalize)


class CostScorer:
    """A scorer of minus the misclassification cost; made by `make_cost_scorer`."""

    def __init__(
        self, cost_matrix: ArrayLike, labels: Sequence[Any] | None, normalize: bool
    ) -> None:
        self._costs = _checked_costs(cost_matrix, labels)
        self._labels = None if labels is None else list(labels)
        self._normalize = check_flag("normalize", normalize)
        # scikit-learn's own scorer handles metadata routing.
        self._own = make_scorer(
            misclassification_cost,
            greater_is_better=False,
            cost_matrix=self._costs,
            labels=self._labels,
            normalize=self._normalize,
        )

    def __getattr__(self, name: str) -> Any:
        # TunedThresholdClassifierCV reads attributes that scikit-learn's own scorer has.
        # copy and pickle look up methods such as __setstate__ before any attribute is set: reading
        # `_own` would recurse without end.
        if name == "_own" or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._own, name)

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None) -> float:
        """Minus the cost of the estimator's predictions."""
        labels = self._labels
        if labels is None:
            # Not the classes of y_true: a test fold may lack one. Pipelines and searches of
            # classifiers have `classes_` too.
            classes = getattr(estimator, "classes_", None)
            if classes is None or len(classes) != len(self._costs):
                got = "none" if classes is None else f"{len(classes)}: {_classes(classes)}"
                raise ValueError(
                    "`labels` must be given where the estimator does not know as many classes as "
                    f"`cost_matrix` has rows, {len(self._costs)}; it knows {got}."
                )
            labels = list(np.asarray(classes).tolist())
        return -misclassification_cost(
            y_true,
            estimator.predict(X),
            self._costs,
            labels,
            normalize=self._normalize,
            sample_weight=sample_weight,
        )

    def set_score_request(self, **requests: Any) -> "CostScorer":
        """Request metadata for scoring, as for scikit-learn's scorers; routing must be enabled."""
        self._own.set_score_request(**requests)
        return self

    def get_metadata_routing(self) -> Any:
        """Metadata that this scorer requests."""
        return self._own.get_metadata_routing()

    def __repr__(self) -> str:
        return (
            f"make_cost_scorer({self._costs.tolist()}, labels={self._labels}, "
            f"normalize={self._normalize})"
        )


def _checked_costs(cost_matrix: ArrayLike, labels: Any) -> NDArray[np.float64]:
    # A copy, so that later changes to the argument have no effect.
    costs = np.array(check_numbers("cost_matrix", cost_matrix, "a matrix of numbers"))
    if isinstance(cost_matrix, pd.DataFrame):
        for names in (cost_matrix.index, cost_matrix.columns):
            if not isinstance(names, pd.RangeIndex) and list(names) != list(labels or ()):
                raise ValueError(
                    "`labels` must be the names of rows and of columns of `cost_matrix`, here "
                    f"{_classes(names)}; got {shown(labels)}."
                )
    if costs.ndim != 2 or costs.shape[0] != costs.shape[1] or costs.shape[0] < 2:
        raise ValueError(
            "`cost_matrix` must be square, a row and a column per class, at least 2; got shape "
            f"{costs.shape}."
        )
    if not np.isfinite(costs).all():
        raise ValueError(f"`cost_matrix` must be finite; got {costs.tolist()}.")
    if labels is not None:
        try:
            # Each letter of text would be a class.
            different = not isinstance(labels, str) and len(set(labels)) == len(labels)
        except TypeError:
            different = False
        if not different:
            raise wrong("labels", "be different classes, in a sequence", labels)
        if len(labels) != len(costs):
            raise ValueError(
                f"`labels` must name each of the {len(costs)} classes of `cost_matrix`; got "
                f"{len(labels)}: {_classes(labels)}."
            )
    return costs


def _classes(labels: Any) -> str:
    shown = [repr(label) for label in np.asarray(labels).tolist()]
    return ", ".join(shown[:10]) + (", …" if len(shown) > 10 else "")
