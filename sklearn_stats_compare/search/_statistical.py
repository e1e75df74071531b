"""StatisticalGridSearchCV: a grid of settings."""

from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import GridSearchCV

from sklearn_stats_compare.search._constraints import STATISTICAL_CONSTRAINTS
from sklearn_stats_compare.search._docstrings import with_shared_docstring
from sklearn_stats_compare.search._mixin import StatisticalSearchMixin


@with_shared_docstring
class StatisticalGridSearchCV(StatisticalSearchMixin, GridSearchCV):
    """Grid search that also shows which candidates really differ.

    A drop-in replacement for :class:`sklearn.model_selection.GridSearchCV`: the same arguments,
    the same ``cv_results_``, ``best_*`` and predictions, at the same cost. After ``fit`` it also
    tests which differences between candidates are more than luck.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Raises
    ------
    sklearn.exceptions.NotFittedError
        If an attribute or method is used before ``fit``.
    AttributeError
        If a table is requested after a search with several metrics whose `refit` names none of
        them. The message says which call to use instead.
    ValueError
        If a pairwise table would have more than 20 million pairs. The message says what to call on
        ``comparison_`` instead.

    See Also
    --------
    StatisticalRandomizedSearchCV : Samples settings at random.
    Comparison : The class of ``comparison_``.

    Notes
    -----
    Each table is computed when it is first used, from ``cv_results_`` and the sizes of the splits,
    and then kept. The tables use the settings at the time of ``fit``: a later
    ``set_params(alpha=…)`` has no effect until the next ``fit``. To compare the same scores with
    other settings, use the method ``compare``.

    ``fit`` works on a shallow copy of the search and takes over its results, so that parameters
    never change during a fit, and a fit that fails leaves the results of the previous one intact.
    Hooks of a subclass, such as ``_run_search``, are called on that copy. With scikit-learn's
    callbacks (1.9) the search itself is fitted.

    ``fit`` never fails for a statistical reason. The first comparison issues one
    `ComparisonWarning` if the splits strain the assumptions of the test, for example if there are
    fewer than 10, if training sets grow, or if test sizes differ more than twofold.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239–281. https://doi.org/10.1023/A:1024068626366

    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
    http://jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import StatisticalGridSearchCV
    >>> X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    >>> search = StatisticalGridSearchCV(
    ...     SVC(random_state=0),
    ...     [{"kernel": ["linear", "rbf"]}, {"kernel": ["poly"], "degree": [2, 3]}],
    ...     scoring="roc_auc",
    ...     cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),
    ... ).fit(X, y)
    >>> search.pairwise_frequentist_[["model_1", "model_2", "t_stat", "p_val", "verdict"]].round(3)
      model_1 model_2  t_stat  p_val    verdict
    0     rbf  linear   0.750  1.000  undecided
    1     rbf  3_poly   1.657  0.302  undecided
    2     rbf  2_poly   4.565  0.000     better
    3  linear  3_poly   1.111  0.807  undecided
    4  linear  2_poly   4.276  0.000     better
    5  3_poly  2_poly   3.851  0.001     better

    The polynomial of degree 2 is worse than each of the others. The data do not separate the other
    three, although their means differ.
    """

    # `_validate_params` reads this attribute of the class alone, not those of its bases.
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **GridSearchCV._parameter_constraints,
        **STATISTICAL_CONSTRAINTS,
    }

    # `get_params` and `clone` read the parameters off this signature, so that it names those of
    # scikit-learn too.
    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: int | str = "2*n_jobs",
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
            param_grid,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
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
