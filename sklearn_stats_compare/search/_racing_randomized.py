"""RacingRandomizedSearchCV: a random sample of settings."""

from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import RandomizedSearchCV

from sklearn_stats_compare.search._mixin import STATISTICAL_CONSTRAINTS, StatisticalSearchMixin
from sklearn_stats_compare.search._racing import RACING_CONSTRAINTS
from sklearn_stats_compare.search.runs import Race


class RacingRandomizedSearchCV(StatisticalSearchMixin, RandomizedSearchCV):
    """Randomized search that drops candidates that can no longer become the winner.

    A drop-in replacement for :class:`sklearn.model_selection.RandomizedSearchCV` that needs at
    least 10 splits. `RacingGridSearchCV` documents the race, the attributes and the errors.

    Parameters
    ----------
    estimator : estimator object
        Implements the scikit-learn estimator interface; provides ``score``, or `scoring` is given.
    param_distributions : dict or list of dicts
        As for ``RandomizedSearchCV``.
    n_iter : int, default=10
        Number of settings to sample.
    scoring : str, callable, list, tuple or dict, default=None
        As for `RacingGridSearchCV`.
    n_jobs : int, default=None
        As for `RacingGridSearchCV`.
    refit : bool, str, or rule, default=True
        As for `RacingGridSearchCV`.
    cv : int, cross-validation generator or an iterable, default=None
        As for `RacingGridSearchCV`.
    verbose : int, default=0
        As for `RacingGridSearchCV`.
    pre_dispatch : int, or str, default='2*n_jobs'
        As for `RacingGridSearchCV`.
    random_state : int, RandomState instance or None, default=None
        Controls the sampling of settings, as for ``RandomizedSearchCV``, and the order of the
        splits.
    error_score : 'raise' or numeric, default=np.nan
        As for `RacingGridSearchCV`.
    return_train_score : bool, default=False
        As for `RacingGridSearchCV`.
    alternative : {'greater', 'less', 'two-sided'}, default='greater'
        As for `RacingGridSearchCV`.
    p_adjust : {None, 'bonferroni', 'sidak', 'holm', 'hochberg', 'bh', 'by', 'maxt'}, \
            default='bonferroni'
        As for `RacingGridSearchCV`.
    rope : float, (float, float) or str, default=0.01
        As for `RacingGridSearchCV`.
    alpha : float, default=0.05
        As for `RacingGridSearchCV`.
    strategy : {'pooled', 'strict'}, default='pooled'
        As for `RacingGridSearchCV`.
    race_metric : str, default=None
        As for `RacingGridSearchCV`.
    ledger : str or path-like, default=None
        As for `RacingGridSearchCV`.
    ledger_block : int, default=None
        As for `RacingGridSearchCV`.
    ledger_strict : bool, default=True
        As for `RacingGridSearchCV`.
    retry_failed : bool, default=True
        As for `RacingGridSearchCV`.
    return_predictions : bool or "values", default=False
        As for `RacingGridSearchCV`.
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
            default="corrected_t"
        As for `RacingGridSearchCV`.

    See Also
    --------
    RacingGridSearchCV : Races a grid of settings; documents what both classes add.

    Examples
    --------
    >>> from scipy.stats import loguniform
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn_stats_compare import RacingRandomizedSearchCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = RacingRandomizedSearchCV(
    ...     make_pipeline(StandardScaler(), LogisticRegression()),
    ...     {"logisticregression__C": loguniform(1e-6, 1e2)},
    ...     n_iter=20,
    ...     cv=10,
    ...     random_state=0,
    ... ).fit(X, y)
    >>> search.n_fits_ < search.n_fits_full_
    True
    """

    _plan = Race
    # `_validate_params` reads this attribute of the class alone, not those of its bases.
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **RandomizedSearchCV._parameter_constraints,
        **STATISTICAL_CONSTRAINTS,
        **RACING_CONSTRAINTS,
    }

    # `get_params` and `clone` read the parameters off this signature, so that it names those of
    # scikit-learn too.
    def __init__(
        self,
        estimator: Any,
        param_distributions: Any,
        *,
        n_iter: int = 10,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: int | str = "2*n_jobs",
        random_state: Any = None,
        error_score: Any = np.nan,
        return_train_score: bool = False,
        alternative: str = "greater",
        p_adjust: str | None = "bonferroni",
        rope: float | tuple[float, float] | str = 0.01,
        alpha: float = 0.05,
        strategy: str = "pooled",
        race_metric: str | None = None,
        ledger: str | PathLike[str] | None = None,
        ledger_block: int | None = None,
        ledger_strict: bool = True,
        retry_failed: bool = True,
        return_predictions: bool | str = False,
        test: Any = "corrected_t",
    ) -> None:
        super().__init__(
            estimator,
            param_distributions,
            n_iter=n_iter,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
            random_state=random_state,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.alternative = alternative
        self.p_adjust = p_adjust
        self.rope = rope
        self.alpha = alpha
        self.strategy = strategy
        self.race_metric = race_metric
        self.ledger = ledger
        self.ledger_block = ledger_block
        self.ledger_strict = ledger_strict
        self.retry_failed = retry_failed
        self.return_predictions = return_predictions
        self.test = test
