"""RacingGridSearchCV: a grid of settings."""

from numbers import Real
from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import GridSearchCV

from sklearn_stats_compare.search._constraints import STATISTICAL_CONSTRAINTS
from sklearn_stats_compare.search._docstrings import with_shared_docstring
from sklearn_stats_compare.search._mixin import StatisticalSearchMixin
from sklearn_stats_compare.search._sklearn_private import Interval, StrOptions
from sklearn_stats_compare.search.runs import Race
from sklearn_stats_compare.stats import ELIMINATE, STRATEGIES

# "random_state" is scikit-learn's word for None, a seed or a RandomState.
RACING_CONSTRAINTS: dict[str, list[Any]] = {
    "strategy": [StrOptions(set(STRATEGIES))],
    "look": [StrOptions({"auto", "samples", "splits"})],
    "tolerance": [Interval(Real, 0, None, closed="left")],
    "eliminate": [StrOptions(set(ELIMINATE))],
    "race_metric": [str, None],
    "random_state": ["random_state"],
}


@with_shared_docstring
class RacingGridSearchCV(StatisticalSearchMixin, GridSearchCV):
    """Grid search that drops candidates that can no longer become the winner.

    A drop-in replacement for :class:`sklearn.model_selection.GridSearchCV` and
    `StatisticalGridSearchCV`. The search evaluates the candidates on one or a few splits at a time,
    in random order. It drops a candidate as soon as the splits so far show that the full search
    would not choose it. The survivors are evaluated on all splits.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Raises
    ------
    ValueError
        By ``fit``, if `cv` makes fewer than 3 splits, or fewer than 10 for looks at splits; if
        `look` is "samples" and the race cannot look at samples; if `refit` is a callable that is
        not a rule of this package; or if there are several metrics and neither `race_metric` nor
        `refit` names one.

    See Also
    --------
    RacingRandomizedSearchCV : Races a random sample of settings.
    StatisticalGridSearchCV : Evaluates every candidate on every split.

    Notes
    -----
    A race tries to return the candidate that the full search would return. Given the data, the
    scores of all candidates on all J splits are a fixed table, and the splits so far are a simple
    random sample of its columns. The standard error of a paired mean difference after n splits is
    therefore τ·√(1/n − 1/J), where τ is the standard deviation of the differences, whatever the
    overlap of the training sets. Looks at splits estimate τ from the scores of splits. Looks at
    samples estimate τ² by the variance of the differences of single samples over the size of a test
    set, times the dispersion: how many times more the scores of splits vary than that, at least 1.
    The degrees of freedom are Satterthwaite's, and count few if few samples decide. `alpha` is
    divided among the looks and, as in Bonferroni's method, among the rivals; with looks at samples,
    among the effective number of correlated rivals (Li and Ji, 2005).

    The winner was dropped in none of 200 random orders of seven real and simulated grids, and in
    less than 5 % of the tables of most kinds that were made to mislead. The exceptions are rare
    events, such as a rival that is ahead on every split except one, on which it crashes; and, with
    "pooled", a few candidates that vary with the training set three to ten times as much as with
    the test samples, while the others do not: 4 to 16 %. See the user guide for the figures.

    A race does not show which candidate is better on new data. The tables of the survivors do.

    At each look, the workers share the fits of all remaining candidates on a few splits. With few
    survivors, many of a large number of workers wait.

    References
    ----------
    Li, J. and Ji, L. (2005). Adjusting multiple testing in multilocus analyses using the
    eigenvalues of a correlation matrix. Heredity 95, 221–227.
    https://doi.org/10.1038/sj.hdy.6800717

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_stats_compare import RacingGridSearchCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = RacingGridSearchCV(
    ...     DecisionTreeClassifier(random_state=0),
    ...     {"max_depth": [1, 2, 3, 5, 8], "criterion": ["gini", "entropy"]},
    ...     cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0),
    ...     random_state=0,
    ... ).fit(X, y)
    >>> history = search.race_history_
    >>> history.loc[history["dropped"] > 0, ["look", "n_splits", "alive", "dropped", "n_fits"]]
        look  n_splits  alive  dropped  n_fits
    3      4         5      9        1      50
    4      5         6      8        1      59
    5      6         7      7        1      67
    17    18        19      6        1     151
    18    19        20      5        1     157
    19    20        21      4        1     162
    26    27        28      3        1     190
    27    28        29      2        1     193
    >>> search.comparison_.ranking["label"].tolist()
    ['gini_5', 'entropy_5']
    >>> search.n_fits_, search.n_fits_full_
    (195, 300)

    The race takes 195 fits instead of 300. It saves little, because half of the ten candidates are
    very similar. Larger grids often need about a third of the fits.
    """

    _plan = Race
    # `_validate_params` reads this attribute of the class alone, not those of its bases.
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **GridSearchCV._parameter_constraints,
        **STATISTICAL_CONSTRAINTS,
        **RACING_CONSTRAINTS,
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
        strategy: str = "pooled",
        look: str = "auto",
        tolerance: float = 0.0,
        eliminate: str = "hopeless",
        race_metric: str | None = None,
        random_state: Any = None,
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
        self.strategy = strategy
        self.look = look
        self.tolerance = tolerance
        self.eliminate = eliminate
        self.race_metric = race_metric
        self.random_state = random_state
        self.max_time = max_time
        self.ledger = ledger
        self.ledger_block = ledger_block
        self.ledger_strict = ledger_strict
        self.retry_failed = retry_failed
        self.return_predictions = return_predictions
        self.test = test
