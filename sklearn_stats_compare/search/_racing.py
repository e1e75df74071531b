"""RacingGridSearchCV: a grid of settings."""

from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import GridSearchCV

from sklearn_stats_compare.search._mixin import STATISTICAL_CONSTRAINTS, StatisticalSearchMixin
from sklearn_stats_compare.search._sklearn_private import StrOptions
from sklearn_stats_compare.search.runs import Race
from sklearn_stats_compare.stats import STRATEGIES

# "random_state" is scikit-learn's word for None, a seed or a RandomState.
RACING_CONSTRAINTS: dict[str, list[Any]] = {
    "strategy": [StrOptions(set(STRATEGIES))],
    "race_metric": [str, None],
    "random_state": ["random_state"],
}


class RacingGridSearchCV(StatisticalSearchMixin, GridSearchCV):
    """Grid search that drops candidates that can no longer become the winner.

    A drop-in replacement for :class:`sklearn.model_selection.GridSearchCV` and
    `StatisticalGridSearchCV` that needs at least 10 splits. The search evaluates the candidates on
    a few splits at a time, in random order. It drops a candidate as soon as the splits so far show
    that the full search would not choose it. The survivors are evaluated on all splits.

    Parameters
    ----------
    estimator : estimator object
        Implements the scikit-learn estimator interface; provides ``score``, or `scoring` is given.
    param_grid : dict or list of dicts
        Parameter names mapped to lists of values to try.
    scoring : str, callable, list, tuple or dict, default=None
        As for ``GridSearchCV``. With several metrics, `race_metric` or `refit` determines which one
        decides the race.
    n_jobs : int, default=None
        Number of jobs to run in parallel. ``race_history_`` does not depend on it.
    refit : bool, str, or rule, default=True
        As for ``GridSearchCV``, or a rule such as ``SimplestPossiblyBest("C")``, which chooses
        among the survivors. Other callables raise an error, because they might choose a candidate
        that was dropped.
    cv : int, cross-validation generator or an iterable, default=None
        As for ``GridSearchCV``, but it must make at least 10 splits, so the default of 5 folds
        raises an error. The splits are drawn once per ``fit``.
    verbose : int, default=0
        As for ``GridSearchCV``. With 1 or more, the search also prints one progress line for the
        whole race, and a line after every look.
    pre_dispatch : int, or str, default='2*n_jobs'
        As for ``GridSearchCV``.
    error_score : 'raise' or numeric, default=np.nan
        As for ``GridSearchCV``. With NaN, a candidate is dropped if its fit or score fails on a
        split.
    return_train_score : bool, default=False
        As for ``GridSearchCV``.
    alternative : {'greater', 'less', 'two-sided'}, default='greater'
        As for `StatisticalGridSearchCV`.
    p_adjust : {None, 'bonferroni', 'sidak', 'holm', 'hochberg', 'bh', 'by', 'maxt'}, \
            default='bonferroni'
        As for `StatisticalGridSearchCV`, for the pairs of survivors.
    rope : float, (float, float) or str, default=0.01
        As for `StatisticalGridSearchCV`.
    alpha : float, default=0.05
        Level of verdicts and intervals, in (0, 1), and of the race: the probability of dropping
        the winner of the full search is at most about `alpha`.
    strategy : {'pooled', 'strict'}, default='pooled'
        Variance by which the race judges how far a candidate is behind the leader. 'pooled' uses
        the residual variance of all remaining candidates, and the candidate's own at a milder
        level. 'strict' uses only the candidate's own, at the Bonferroni level, and needs more fits.
    race_metric : str, default=None
        Metric that decides which candidates are dropped, if `scoring` has several. If None, the
        metric of `refit`.
    random_state : int, RandomState instance or None, default=None
        Controls the order of the splits. If it is not an int and `ledger` already has an order,
        that order is used.
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

    Attributes
    ----------
    cv_results_ : dict
        As for ``GridSearchCV``, with every candidate. Scores of splits that were not run are NaN,
        and so are the mean scores of dropped candidates, because a mean over some splits cannot be
        compared with a mean over all. Three more columns: ``n_splits_evaluated``;
        ``eliminated_at``, the number of splits after which a candidate was dropped, NaN for
        survivors; ``elimination_pvalue``, below `alpha`, NaN for survivors and for candidates that
        were dropped because of a failed split.
    race_history_ : DataFrame
        One row per look. The columns are ``look`` (<NA> for the end of the race), ``n_splits`` (so
        far), ``alive`` (number of remaining candidates), ``dropped`` (number dropped at this look),
        ``leader`` (so far) and ``n_fits`` (so far).
    race_order_ : ndarray of int, shape (n_splits,)
        Order in which the splits were run.
    race_labels_ : tuple of str
        Labels of all candidates. The tables use the same labels for the survivors.
    race_metric_ : str
        The metric that decided the race.
    n_fits_, n_fits_full_ : int
        Number of fits of the race, and of the full search; the refit is not counted.
    comparison_, pairwise_frequentist_, pairwise_bayesian_, possibly_best_, selection_report_, \
    n_train_, n_test_, test_train_ratio_, n_reused_, extension_stop_, extension_history_
        As for `StatisticalGridSearchCV`, for the survivors; ``comparison_`` says so.
        ``possibly_best_`` contains the candidates that may be the best of the survivors. The true
        best of all candidates may have been dropped, and a warning says so.
    best_estimator_, best_score_, best_params_, best_index_, scorer_, n_splits_, refit_time_, \
    multimetric_, classes_, n_features_in_, feature_names_in_
        As for ``GridSearchCV``.

    Raises
    ------
    ValueError
        By ``fit``, if `cv` makes fewer than 10 splits; if `refit` is a callable that is not a rule
        of this package; or if there are several metrics and neither `race_metric` nor `refit` names
        one.

    See Also
    --------
    RacingRandomizedSearchCV : Races a random sample of settings.
    StatisticalGridSearchCV : Evaluates every candidate on every split.

    Notes
    -----
    A race tries to return the candidate that the full search would return. Given the data, the
    scores of all candidates on all J splits are a fixed table, and the splits so far are a simple
    random sample of its columns. The standard error of a paired mean difference after n splits is
    therefore s·√(1/n − 1/J), where s is the standard deviation of the differences, whatever the
    overlap of the training sets. `alpha` is divided by the number of looks (at most six) and, as in
    Bonferroni's method, by the number of rivals. On four real grids, the winner was dropped in at
    most 1 % of 200 random orders; on most adversarial tables of scores, it was dropped in less than
    5 %. The exceptions are rare events: if a rival is ahead on every split except one, on which it
    crashes, the race usually drops the winner before that split. See the user guide for the
    figures.

    A race does not show which candidate is better on new data. The tables of the survivors do.

    At each look, the workers share the fits of all remaining candidates on a few splits. With few
    survivors, many of a large number of workers wait.

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
    >>> search.race_history_[["look", "n_splits", "alive", "n_fits"]]
       look  n_splits  alive  n_fits
    0     1         5      9      50
    1     2        10      6      95
    2     3        15      6     125
    3     4        20      5     155
    4     5        25      4     180
    5  <NA>        30      4     200
    >>> search.comparison_.ranking["label"].tolist()
    ['gini_5', 'entropy_5', 'entropy_3', 'gini_3']

    The race takes 200 fits instead of 300. It saves little, because half of the ten candidates are
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
        race_metric: str | None = None,
        random_state: Any = None,
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
        self.race_metric = race_metric
        self.random_state = random_state
        self.ledger = ledger
        self.ledger_block = ledger_block
        self.ledger_strict = ledger_strict
        self.retry_failed = retry_failed
        self.return_predictions = return_predictions
        self.test = test
