"""RacingRandomizedSearchCV: a random sample of settings."""

from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import RandomizedSearchCV

from sklearn_stats_compare.search._constraints import STATISTICAL_CONSTRAINTS
from sklearn_stats_compare.search._docstrings import with_shared_docstring
from sklearn_stats_compare.search._mixin import StatisticalSearchMixin
from sklearn_stats_compare.search._racing import RACING_CONSTRAINTS
from sklearn_stats_compare.search.runs import Race


@with_shared_docstring
class RacingRandomizedSearchCV(StatisticalSearchMixin, RandomizedSearchCV):
    """Randomized search that drops candidates that can no longer become the winner.

    A drop-in replacement for :class:`sklearn.model_selection.RandomizedSearchCV`. The race, its
    errors and its notes are those of `RacingGridSearchCV`.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    RacingGridSearchCV : The same for a grid of settings, with errors and notes.

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
        look: str = "auto",
        tolerance: float = 0.0,
        eliminate: str = "hopeless",
        race_metric: str | None = None,
        max_time: float | None = None,
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
        self.look = look
        self.tolerance = tolerance
        self.eliminate = eliminate
        self.race_metric = race_metric
        self.max_time = max_time
        self.ledger = ledger
        self.ledger_block = ledger_block
        self.ledger_strict = ledger_strict
        self.retry_failed = retry_failed
        self.return_predictions = return_predictions
        self.test = test
