"""StatisticalRandomizedSearchCV: a random sample of settings."""

from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import RandomizedSearchCV

from sklearn_stats_compare.search._mixin import STATISTICAL_CONSTRAINTS, StatisticalSearchMixin


class StatisticalRandomizedSearchCV(StatisticalSearchMixin, RandomizedSearchCV):
    """Randomized search that also shows which candidates really differ.

    A drop-in replacement for :class:`sklearn.model_selection.RandomizedSearchCV`.
    `StatisticalGridSearchCV` documents what both classes add: attributes, errors, notes and
    references.

    Parameters
    ----------
    estimator : estimator object
        Implements the scikit-learn estimator interface; provides ``score``, or `scoring` is given.
    param_distributions : dict or list of dicts
        As for ``RandomizedSearchCV``.
    n_iter : int, default=10
        Number of settings to sample. A setting that is sampled twice becomes two candidates. Their
        labels differ by the index; with a deterministic estimator their verdict is ``equivalent``.
    scoring : str, callable, list, tuple or dict, default=None
        As for `StatisticalGridSearchCV`.
    n_jobs : int, default=None
        As for `StatisticalGridSearchCV`.
    refit : bool, str, or callable, default=True
        As for `StatisticalGridSearchCV`.
    cv : int, cross-validation generator or an iterable, default=None
        As for `StatisticalGridSearchCV`.
    verbose : int, default=0
        As for `StatisticalGridSearchCV`.
    pre_dispatch : int, or str, default='2*n_jobs'
        As for `StatisticalGridSearchCV`.
    random_state : int, RandomState instance or None, default=None
        Controls the sampling of settings, as for ``RandomizedSearchCV``.
    error_score : 'raise' or numeric, default=np.nan
        As for `StatisticalGridSearchCV`.
    return_train_score : bool, default=False
        As for `StatisticalGridSearchCV`.
    alternative : {'greater', 'less', 'two-sided'}, default='greater'
        As for `StatisticalGridSearchCV`.
    p_adjust : {None, 'bonferroni', 'sidak', 'holm', 'hochberg', 'bh', 'by', 'maxt'}, \
            default='bonferroni'
        As for `StatisticalGridSearchCV`.
    rope : float, (float, float) or str, default=0.01
        As for `StatisticalGridSearchCV`.
    alpha : float, default=0.05
        As for `StatisticalGridSearchCV`.
    ledger : str or path-like, default=None
        As for `StatisticalGridSearchCV`.
    ledger_block : int, default=None
        As for `StatisticalGridSearchCV`.
    ledger_strict : bool, default=True
        As for `StatisticalGridSearchCV`.
    retry_failed : bool, default=True
        As for `StatisticalGridSearchCV`.
    return_predictions : bool or "values", default=False
        As for `StatisticalGridSearchCV`.
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
            default="corrected_t"
        As for `StatisticalGridSearchCV`.

    See Also
    --------
    StatisticalGridSearchCV : Searches a grid of settings; documents what both classes add.

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
    Next: Undecided against 0.09238 and 1 other: a fit with test="samples" decides more on
    the same splits, or take the simplest of the 5 that may be the best, which are up to
    0.00586 behind in their means.

    If a difference of 0.02 in accuracy does not matter, C = 0.6519 and C = 1.657 are practically
    equivalent to the leader. The other two are undecided.
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
        self.ledger = ledger
        self.ledger_block = ledger_block
        self.ledger_strict = ledger_strict
        self.retry_failed = retry_failed
        self.return_predictions = return_predictions
        self.test = test
