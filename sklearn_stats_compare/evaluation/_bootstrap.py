"""bootstrap_score(): a model's score on new data by the .632+ bootstrap; and its splitter."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import check_random_state, indexable
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.parallel import Parallel, delayed

from sklearn_stats_compare._sklearn_private import count_samples, take_rows
from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare.evaluation._fits import check_estimator, check_fitting
from sklearn_stats_compare.stats._nested import out_of_bag, point_632, point_632_plus

METHODS = ("oob", ".632", ".632+")

Loss = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class BootstrapScoreResult:
    """Result of `bootstrap_score`; all scores are higher for better models.

    Attributes
    ----------
    score : float
        The estimated score on new data.
    metric : str
        "accuracy", "neg_mean_squared_error", or "neg_mean_loss" for a custom loss.
    apparent : float
        Score of a model fitted to all data, on the same data.
    out_of_bag : float
        Leave-one-out bootstrap score.
    no_information : float
        Score if predictions are independent of the target; NaN except for ".632+".
    weight : float
        Weight of the out-of-bag score.
    overfitting : float
        Relative overfitting rate, from 0 (none) to 1; NaN except for ".632+".
    """

    score: float
    metric: str
    apparent: float
    out_of_bag: float
    no_information: float
    weight: float
    overfitting: float


def bootstrap_score(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    method: Literal["oob", ".632", ".632+"] = ".632+",
    loss: Loss | None = None,
    n_splits: int = 200,
    stratify: bool = False,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> BootstrapScoreResult:
    """Estimate a model's score on new data by the bootstrap.

    Parameters
    ----------
    estimator : estimator
        The model; it is cloned and never fitted in place.
    X : array-like of shape (n_samples, n_features)
        Data.
    y : array-like of shape (n_samples,)
        Target.
    method : {"oob", ".632", ".632+"}, default=".632+"
        "oob" is the leave-one-out bootstrap: each sample is scored by models trained on bags
        without it. It is somewhat pessimistic, because bags hold 63 % of the samples. ".632" mixes
        it with the apparent score, which is too optimistic for models that fit their training data
        closely. ".632+" gives the apparent score less weight, the more the model overfits.
    loss : callable, optional
        ``loss(y_true, y_pred)`` → array of one loss per sample, lower is better. Default: the 0-1
        loss of a classifier, the squared error of a regressor. ".632+" evaluates a custom loss on
        all pairs of samples.
    n_splits : int, default=200
        Number of bootstrap samples.
    stratify : bool, default=False
        Whether each class keeps its number of samples in the bag.
    random_state : int, RandomState or None, default=None
        Source of the bootstrap samples.
    n_jobs : int, optional
        Number of jobs in parallel.

    Returns
    -------
    BootstrapScoreResult
        With `score` and its components.

    Raises
    ------
    TypeError
        If `estimator` has no ``fit``.
    ValueError
        If `method` is unknown, `loss` does not return a finite number per sample, `loss` is missing
        for an estimator that is neither classifier nor regressor, or a sample was in every bag.

    See Also
    --------
    sklearn_stats_compare.cross_validate_models : Compare models by repeated cross-validation.

    Notes
    -----
    Valid for independent samples; ".632+" for models better than random predictions. This estimates
    the score of one model, without a standard error, and is not a test.

    Errors are averaged for each observation over the bags without it, then over observations, as
    defined by Efron and Tibshirani. mlxtend's ``bootstrap_point632_score`` averages a value per
    replicate instead and applies the .632+ weight replicate by replicate: its numbers differ.

    References
    ----------
    Efron, B. and Tibshirani, R. (1997). Improvements on cross-validation: the .632+ bootstrap
    method. JASA 92, 548–560. https://doi.org/10.1080/01621459.1997.10474007

    Examples
    --------
    A model memorises labels that are independent of the data, so half of its predictions on new
    data are right. Its apparent accuracy is 1, which makes .632 too optimistic.

    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn_stats_compare.evaluation import bootstrap_score
    >>> X = np.random.default_rng(0).normal(size=(100, 5))
    >>> y = np.arange(100) % 2
    >>> by_heart = KNeighborsClassifier(1)
    >>> few = {"n_splits": 50, "random_state": 0}
    >>> round(bootstrap_score(by_heart, X, y, method=".632", **few).score, 2)
    0.68
    >>> round(bootstrap_score(by_heart, X, y, method=".632+", **few).score, 2)
    0.5
    """
    checks.check_option("method", method, METHODS)
    check_estimator("estimator", estimator)
    check_fitting(n_jobs)
    if loss is not None and (not callable(loss) or hasattr(loss, "_score_func")):  # a scorer
        raise checks.wrong("loss", "be a function of targets and predictions", loss)
    # Sparse matrices in COO form cannot be indexed by rows; `indexable` converts them to CSR.
    X, y = indexable(X, y)
    metric, own = _metric(estimator, loss)
    # Mean over samples of the mean loss under models that were not trained on the sample.
    cv = BootstrapSplit(n_splits, random_state, stratify)
    n = count_samples(X)
    splits = list(cv.split(X, y))
    # scikit-learn's Parallel and delayed pass its configuration, such as metadata routing, to the
    # workers (from 1.3 on); joblib's do not. A clone for each bag, as in `cross_validate`, is
    # independent of the others and picklable.
    outcomes = Parallel(n_jobs=n_jobs)(
        delayed(_losses_out_of_bag)(clone(estimator), X, y, own, train, test)
        for train, test in splits
    )
    total, times = np.zeros(n), np.zeros(n)
    for (_, test), losses in zip(splits, outcomes, strict=True):
        # By observation, not by replicate: see the Notes of `bootstrap_score`. The samples of
        # `test` are distinct, so += counts each.
        total[test] += losses
        times[test] += 1
    if not times.all():
        raise ValueError(
            f"`n_splits` must be larger: {int((times == 0).sum())} of {n} samples were in every "
            f"bag; got {cv.n_splits}."
        )
    oob = float(np.mean(total / times))
    truth = _as_vector(y)
    # Fitted to all samples once: Efron and Tibshirani define the apparent score by this model.
    predictions = _as_vector(clone(estimator).fit(X, y).predict(X))
    apparent = float(np.mean(_losses(own, truth, predictions)))
    no_information = float("nan")
    if method == "oob":
        result = out_of_bag(oob)
    elif method == ".632":
        result = point_632(apparent, oob)
    else:
        no_information = _no_information(metric, own, truth, predictions)
        result = point_632_plus(apparent, oob, no_information)
    # Accuracy is 1 − error. The other scores are minus the loss.
    best = 1.0 if metric == "accuracy" else 0.0
    return BootstrapScoreResult(
        score=best - result.error,
        metric=metric,
        apparent=best - apparent,
        out_of_bag=best - oob,
        no_information=best - no_information,
        weight=result.weight,
        overfitting=result.overfitting,
    )


def _metric(estimator: Any, loss: Loss | None) -> tuple[str, Loss]:
    if loss is not None:
        return "neg_mean_loss", loss
    if is_classifier(estimator):
        return "accuracy", _is_wrong
    if is_regressor(estimator):
        return "neg_mean_squared_error", _squared_error
    raise ValueError(
        "`loss` must be given for an estimator that is neither classifier nor regressor; got None."
    )


def _is_wrong(y_true: NDArray[Any], y_pred: NDArray[Any]) -> NDArray[np.float64]:
    wrong = (y_true != y_pred).astype(np.float64)
    # With several outputs all must be right, as for scikit-learn's accuracy.
    return wrong if wrong.ndim == 1 else wrong.max(axis=1)


def _squared_error(y_true: NDArray[Any], y_pred: NDArray[Any]) -> NDArray[np.float64]:
    # As floats: small integer types would overflow, and numbers may be objects, such as Decimals.
    squared = np.square(y_true.astype(np.float64) - y_pred.astype(np.float64))
    return squared if squared.ndim == 1 else squared.mean(axis=1)


def _losses(loss: Loss, y_true: NDArray[Any], y_pred: NDArray[Any]) -> NDArray[np.float64]:
    if y_true.shape != y_pred.shape:
        raise ValueError(
            f"`estimator` must predict what `y` holds, shape {y_true.shape}; its predictions have "
            f"shape {y_pred.shape}."
        )
    rule = f"given as one finite number per sample, shape ({len(y_true)},)"
    losses = checks.check_numbers("loss", loss(y_true, y_pred), rule)
    if losses.shape != (len(y_true),) or not np.isfinite(losses).all():
        shape = f"({len(y_true)},)"
        raise checks.wrong("loss", f"give one finite number per sample, shape {shape}", losses)
    return losses


def _losses_out_of_bag(
    estimator: Any, X: Any, y: Any, loss: Loss, train: NDArray[np.intp], test: NDArray[np.intp]
) -> NDArray[np.float64]:
    estimator.fit(take_rows(X, train), take_rows(y, train))
    predictions = _as_vector(estimator.predict(take_rows(X, test)))
    return _losses(loss, _as_vector(take_rows(y, test)), predictions)


def _as_vector(y: Any) -> NDArray[Any]:
    """Targets or predictions; a single column becomes a vector, so that shapes agree."""
    array = np.asarray(y)
    # scikit-learn's models predict a vector if `y` was a column, most with a DataConversionWarning.
    return array.ravel() if array.ndim == 2 and array.shape[1] == 1 else array


def _no_information(metric: str, loss: Loss, y_true: NDArray[Any], y_pred: NDArray[Any]) -> float:
    """Mean loss over all pairs of a target and a prediction, γ."""
    # γ = Σ p(1 − q) over the classes, without the n² pairs.
    if metric == "accuracy" and y_true.ndim == 1:
        classes, counts = np.unique(y_true, return_counts=True)
        predicted = np.array([np.count_nonzero(y_pred == label) for label in classes])
        return 1 - float((counts / len(y_true)) @ (predicted / len(y_true)))
    if metric == "neg_mean_squared_error":
        y_true, y_pred = y_true.astype(np.float64), y_pred.astype(np.float64)
        # Over all pairs E(y − ŷ)² = Var y + Var ŷ + (mean y − mean ŷ)², again without the pairs.
        apart = (np.mean(y_true, axis=0) - np.mean(y_pred, axis=0)) ** 2
        return float(np.mean(np.var(y_true, axis=0) + np.var(y_pred, axis=0) + apart))
    # Each rotation pairs every target with another prediction; n rotations give all n² pairs with
    # O(n) memory.
    shifted = (np.roll(y_pred, shift, axis=0) for shift in range(len(y_pred)))
    return float(np.mean([_losses(loss, y_true, predictions).mean() for predictions in shifted]))


# A draw from two samples leaves one out half of the time, so 1,000 draws fail only if no draw can
# leave a sample out: one sample in all, or in each stratum.
_MOST_DRAWS = 1000


@dataclass(eq=False)
class BootstrapSplit:
    """Splits that train on a bootstrap sample and test on the samples left out of it.

    Every split draws n of n samples with replacement; about 63 % of the samples are drawn, some of
    them repeatedly, and the rest is the test set. A draw that leaves no sample out is repeated.

    Parameters
    ----------
    n_splits : int, default=100
        Number of splits.
    random_state : int, RandomState or None, default=None
        Source of the draws; an int makes every call of `split` give the same splits.
    stratify : bool, default=False
        Whether each class keeps its number of samples in the bag. Needs classes as `y`.

    Raises
    ------
    ValueError
        If `n_splits` is not a whole number ≥ 1, `random_state` is not a valid seed, or `stratify`
        is not a bool.

    See Also
    --------
    bootstrap_score : Estimates the score on new data from such splits.

    Notes
    -----
    In a comparison, sizes count the distinct samples of a bag, and a warning says that the variance
    correction is a heuristic: Nadeau and Bengio derived it for training sets without repeated
    samples. To compare models, prefer repeated k-fold cross-validation.

    References
    ----------
    Efron, B. (1983). Estimating the error rate of a prediction rule. JASA 78, 316–331.
    https://doi.org/10.1080/01621459.1983.10477973

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_stats_compare.evaluation import BootstrapSplit
    >>> for train, test in BootstrapSplit(2, random_state=0).split(np.zeros((6, 1))):
    ...     print(train, test)
    [0 3 3 3 4 5] [1 2]
    [0 0 1 1 2 4] [3 5]
    """

    n_splits: int = 100
    random_state: Any = None
    stratify: bool = False

    def __post_init__(self) -> None:
        self.n_splits = checks.check_count("n_splits", self.n_splits, limit=10**6)
        checks.check_seed("random_state", self.random_state)
        self.stratify = checks.check_flag("stratify", self.stratify)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits; the arguments are ignored."""
        return self.n_splits

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Generate the indices of each split.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data.
        y : array-like of shape (n_samples,), optional
            Classes, for `stratify`.
        groups : object
            Ignored, with a warning.

        Yields
        ------
        train : ndarray of int, shape (n_samples,)
            Samples in the bag, sorted, repeated as often as they were drawn.
        test : ndarray of int
            Samples that were not drawn; at least one.

        Raises
        ------
        ValueError
            If 1,000 draws in a row leave no sample out, or `stratify` is True and `y` does not hold
            classes.
        """
        # scikit-learn's splitters that ignore groups issue a UserWarning too.
        if groups is not None:
            checks.warn_user(
                "`groups` are ignored by BootstrapSplit: samples of a group may be trained on and "
                "tested on.",
                "bootstrap-groups",
                UserWarning,
            )
        X, y = indexable(X, y)
        strata = self._strata(count_samples(X), y)
        # Here and not in __init__, as in scikit-learn's splitters: an int gives the same splits at
        # every call, a RandomState continues its stream.
        rng = check_random_state(self.random_state)
        for _ in range(self.n_splits):
            yield self._draw(strata, rng)

    def _strata(self, n: int, y: Any) -> list[NDArray[np.intp]]:
        """Groups of samples that are resampled separately."""
        if not self.stratify:
            return [np.arange(n)]
        if y is None or type_of_target(y) not in ("binary", "multiclass"):
            found = "none" if y is None else type_of_target(y)
            raise ValueError(f"`stratify` must be False where `y` is not classes; `y` is {found}.")
        classes = np.unique(np.asarray(y), return_inverse=True)[1]
        return [np.flatnonzero(classes == k) for k in range(classes.max() + 1)]

    def _draw(
        self, strata: list[NDArray[np.intp]], rng: np.random.RandomState
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        n = sum(len(samples) for samples in strata)
        for _ in range(_MOST_DRAWS):
            train = np.concatenate([s[rng.randint(len(s), size=len(s))] for s in strata])
            # Counted in O(n); a difference of sets would sort.
            left_out = np.bincount(train, minlength=n) == 0
            if left_out.any():
                return np.sort(train), np.flatnonzero(left_out)
        raise ValueError(
            f"`X` must be larger for a bootstrap: {_MOST_DRAWS} draws in a row left no sample out "
            f"to test on; got {n} samples."
        )
