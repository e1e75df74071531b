"""StatisticalRandomizedSearchCV: a random sample of settings."""

from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import RandomizedSearchCV

from sklearn_stats_compare.search._constraints import STATISTICAL_CONSTRAINTS
from sklearn_stats_compare.search._docstrings import with_shared_docstring
from sklearn_stats_compare.search._mixin import StatisticalSearchMixin


@with_shared_docstring
class StatisticalRandomizedSearchCV(StatisticalSearchMixin, RandomizedSearchCV):
    """Randomized search that also shows which candidates really differ.

    A drop-in replacement for :class:`sklearn.model_selection.RandomizedSearchCV`. Errors,
    notes and references are those of `StatisticalGridSearchCV`.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    StatisticalGridSearchCV : The same for a grid of settings, with errors and notes.

    Examples
    --------
    >>> from scipy.stats import loguniform
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn_stats_compare import StatisticalRandomizedSearchCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = StatisticalRandomizedSearchCV(
    ...     make_pipeline(StandardScaler(), LogisticRegression()),
    ...     {"logisticregression__C": loguniform(1e-4, 1e3)},
    ...     n_iter=5,
    ...     cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0),
    ...     random_state=0,
    ...     rope=0.02,
    ... ).fit(X, y)
    >>> search.comparison_
    5 candidates on 15 splits (3 × 5 folds), score: accuracy
    candidates are named by C
    corrected t-test, n_test/n_train = 0.25
    10 pairs, adjusted by bonferroni, verdicts two-sided at alpha = 0.05
    ROPE ±0.02
    <BLANKLINE>
    rank  candidate     mean  std_err  verdict
       1  0.6945     0.97716  0.00830  leader
       1  0.6519     0.97716  0.00717  equivalent
       3  1.657      0.97424  0.00843  equivalent
       4  0.09238    0.97364  0.00792  undecided
       5  10.15      0.97130  0.00823  undecided
    <BLANKLINE>
    Next: Undecided against 0.09238 and 1 other candidate: a fit with test="samples" can
    decide more on the same splits; or take the simplest of the 5 candidates that may be the
    best, whose means are up to 0.00586 below the leader's.

    If two points of accuracy do not matter, C = 0.65 and C = 1.66 are shown to be as good as the
    best. For the other two the data do not decide.
    """

    # `_validate_params` reads this attribute of the class alone, not those of its bases.
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **RandomizedSearchCV._parameter_constraints,
        **STATISTICAL_CONSTRAINTS,
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
        self.max_time = max_time
        self.ledger = ledger
        self.ledger_block = ledger_block
        self.ledger_strict = ledger_strict
        self.retry_failed = retry_failed
        self.return_predictions = return_predictions
        self.test = test
