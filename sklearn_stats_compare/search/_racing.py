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
    """Grid search that stops fitting candidates which cannot become the winner.

    A drop-in replacement for :class:`sklearn.model_selection.GridSearchCV` and
    `StatisticalGridSearchCV`, for at least 10 splits: candidates are evaluated on a few splits at a
    time, in an order drawn at random, and dropped as soon as the splits so far show that the full
    search would not choose them. The survivors are evaluated on all splits.

    Parameters
    ----------
    estimator : estimator object
        Implements the scikit-learn estimator interface; provides ``score``, or `scoring` is given.
    param_grid : dict or list of dicts
        Parameter names mapped to lists of values to try.
    scoring : str, callable, list, tuple or dict, default=None
        As for ``GridSearchCV``; one metric, the race's, decides who is dropped.
    n_jobs : int, default=None
        Number of jobs in parallel. The race's history is the same for every number.
    refit : bool, str, or rule, default=True
        As for ``GridSearchCV``, or a rule such as ``SimplestPossiblyBest("C")``, which sees the
        survivors only. Other callables are refused: they might choose a candidate that was dropped.
    cv : int, cross-validation generator or an iterable, default=None
        As for ``GridSearchCV``, with at least 10 splits, which the default's 5 are not. It splits
        once.
    verbose : int, default=0
        As for ``GridSearchCV``; from 1 on, one progress line for the whole race, and a line for
        every look.
    pre_dispatch : int, or str, default='2*n_jobs'
        As for ``GridSearchCV``.
    error_score : 'raise' or numeric, default=np.nan
        As for ``GridSearchCV``. With NaN a candidate is dropped when a split fails.
    return_train_score : bool, default=False
        As for ``GridSearchCV``.
    alternative : {'greater', 'less', 'two-sided'}, default='greater'
        As for `StatisticalGridSearchCV`.
    p_adjust : {None, 'bonferroni', 'sidak', 'holm', 'hochberg', 'bh', 'by', 'maxt'}, \
            default='bonferroni'
        As for `StatisticalGridSearchCV`; the family is that of the survivors.
    rope : float, (float, float) or str, default=0.01
        As for `StatisticalGridSearchCV`.
    alpha : float, default=0.05
        Level of the race, about the highest probability that the full search's winner is dropped,
        and of verdicts and intervals.
    strategy : {'pooled', 'strict'}, default='pooled'
        How a candidate's distance from the leader is judged: 'pooled' by the residual variance of
        all candidates that are left, and by its own as well; 'strict' by its own alone, at the
        Bonferroni level. 'strict' needs more fits.
    race_metric : str, default=None
        The metric that decides who is dropped, where there are several. Default: the refit metric.
    random_state : int, RandomState instance or None, default=None
        Order of the splits. With `ledger` and no number here, the order that it has.
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
        As ``GridSearchCV``'s, with every candidate; NaN for splits that were not run and for means
        over some of the splits only, which are never to be compared with means over all. Three
        more columns: ``n_splits_evaluated``; ``eliminated_at``, the number of splits after which a
        candidate was dropped, NaN for survivors; ``elimination_pvalue``, below `alpha`, NaN for
        survivors and for candidates that were dropped for a failed split.
    race_history_ : DataFrame
        A row per look, with ``look`` (<NA> for the finish), ``n_splits`` so far, ``alive``
        candidates, how many were ``dropped``, the ``leader`` so far, and ``n_fits`` so far.
    race_order_ : ndarray of int, shape (n_splits,)
        Order in which the splits were run.
    race_labels_ : tuple of str
        Labels of all candidates, as the tables of the survivors have them.
    race_metric_ : str
        The metric that decided.
    n_fits_, n_fits_full_ : int
        Fits of the race, and of a search that does not race; refitting is not counted.
    comparison_, pairwise_frequentist_, pairwise_bayesian_, possibly_best_, selection_report_, \
    n_train_, n_test_, test_train_ratio_, n_reused_, extension_stop_, extension_history_
        As for `StatisticalGridSearchCV`, of the survivors; ``comparison_`` says so.
        ``possibly_best_`` holds those that may be the best of the survivors: a given true best of
        all that entered may well have been dropped, and a warning says so.
    best_estimator_, best_score_, best_params_, best_index_, scorer_, n_splits_, refit_time_, \
    multimetric_, classes_, n_features_in_, feature_names_in_
        As for ``GridSearchCV``.

    Raises
    ------
    ValueError
        By ``fit``, if `cv` makes fewer than 10 splits, `refit` is another callable than one of this
        package's rules, or several metrics are scored and none is named to race by.

    See Also
    --------
    RacingRandomizedSearchCV : The same for a random sample of settings.
    StatisticalGridSearchCV : Evaluates every candidate on every split.

    Notes
    -----
    The race aims at the candidate that the full search would return. Given the data, the scores of
    all candidates on all J splits are a fixed table, of which the splits so far are a simple random
    sample; so the standard error of a paired mean difference after n splits is
    s·√(1/n − 1/J), whatever the overlap of training sets. `alpha` is divided by the number of looks
    (at most six) and, Bonferroni, by the number of rivals. On four real grids the winner was
    dropped in at most 1 % of 200 random orders, and in less than 5 % on tables made to mislead; see
    the user guide for the figures. No race knows of what is still to come: where a rival is ahead
    on all splits but one, on which it crashes, the winner is usually dropped before that.

    It is no statement about which candidate is better on new data: that is what the tables of the
    survivors are for.

    scikit-learn wants the same number of splits every time, so that `n_jobs` workers share alive
    candidates × block fits at a time: near the end of a race with few survivors, many workers wait.

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

    200 fits in place of 300: with ten candidates, half of them much alike, there is not much to
    save. Larger grids need about a third of the fits.
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
