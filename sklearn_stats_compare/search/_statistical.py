"""StatisticalGridSearchCV: a grid of settings."""

from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import GridSearchCV

from sklearn_stats_compare.search._mixin import STATISTICAL_CONSTRAINTS, StatisticalSearchMixin


class StatisticalGridSearchCV(StatisticalSearchMixin, GridSearchCV):
    """Grid search that also tells which candidates really differ.

    A drop-in replacement for :class:`sklearn.model_selection.GridSearchCV`: the same arguments,
    the same ``cv_results_``, ``best_*`` and predictions, at the same cost. After ``fit`` it also
    tests which differences between candidates are more than luck.

    Parameters
    ----------
    estimator : estimator object
        Implements the scikit-learn estimator interface; provides ``score``, or `scoring` is given.
    param_grid : dict or list of dictionaries
        Parameter names mapped to lists of settings to try, or a list of such grids.
    scoring : str, callable, list, tuple or dict, default=None
        As for ``GridSearchCV``. Higher is better, as for all of scikit-learn's scorers.
    n_jobs : int, default=None
        Number of jobs to run in parallel, as for ``GridSearchCV``.
    refit : bool, str, or callable, default=True
        As for ``GridSearchCV``, or a rule such as `SimplestPossiblyBest`. With several metrics, the
        tables compare by the metric that `refit`, or its rule, names.
    cv : int, cross-validation generator or an iterable, default=None
        As for ``GridSearchCV``. The default of 5 folds can decide little. Begin with
        ``RepeatedStratifiedKFold(n_splits=5, n_repeats=2)`` and ``test="samples"``. For the
        corrected t-test, use ``n_splits=10, n_repeats=10``.
    verbose : int, default=0
        As for ``GridSearchCV``, but 1 also prints one progress line for the whole search.
    pre_dispatch : int, or str, default='2*n_jobs'
        As for ``GridSearchCV``.
    error_score : 'raise' or numeric, default=np.nan
        As for ``GridSearchCV``. A candidate with a NaN score is ``missing`` in every table.
    return_train_score : bool, default=False
        As for ``GridSearchCV``.
    alternative : {'greater', 'less', 'two-sided'}, default='greater'
        Alternative hypothesis of the p-values, for the better-ranked candidate of each pair. The
        default gives the numbers of scikit-learn's published example. A one-sided p-value is up
        to two times too small, because the ranking chose its direction. Verdicts and intervals
        are therefore always two-sided, and a pair with `p_val` below `alpha` may be ``undecided``.
    p_adjust : {None, 'bonferroni', 'sidak', 'holm', 'hochberg', 'bh', 'by', 'maxt'}, \
            default='bonferroni'
        How p-values are adjusted for the number of pairs.
    rope : float, (float, float) or str, default=0.01
        Region of practical equivalence of a score difference: a half-width ≥ 0 or (low, high),
        in score units, or a percentage of the absolute value of the leader's mean, such as
        ``'1%'``. The default is a convention for scores between 0 and 1; for an error in dollars
        choose the largest difference that would not matter.
    alpha : float, default=0.05
        Level of verdicts and intervals, in (0, 1).
    ledger : str or path-like, default=None
        An SQLite file in which the search saves every finished block of fits before it begins the
        next. If a search was killed, start it again with the same data, estimator, `cv` and
        `scoring`: it makes only the missing fits. The same holds for a search with more candidates.
        A few of the saved fits, three or one in a hundred, are first repeated and compared. The
        search refuses the file of another search, or one written by other code or versions.
        Results for other data are kept in the same file, in a separate section. The file contains
        scores, times and keys, and labels and parameters as text; nothing in it is unpickled or
        executed. See `ledger_status`, and `compare`, which reads such a file.
    ledger_block : int, default=None
        Number of candidates in a block, with `ledger`. Default: enough to give each worker four
        fits, at least one.
    ledger_strict : bool, default=True
        Whether to refuse a ledger that was written with other versions of Python or of a library,
        or whose scores differ from those of the same fits now. If False, the search warns and
        keeps the scores.
    retry_failed : bool, default=True
        Whether to repeat fits that failed or scored NaN when a search with a `ledger` is started
        again. If False, they stay failed.
    return_predictions : bool or "values", default=False
        Whether to keep the predictions of every candidate for every test sample. They come from
        the scoring, without a second fit or prediction; `predictions` returns them. For m
        candidates, n samples and R repeats they take m × n × R values. Above 1 GB the search warns
        before the first fit, and it refuses more than the memory can hold. "values" keeps no
        predictions, but the value that each metric gives each sample, in single precision: this
        is enough for ``test="samples"``. Only the responses that the metrics require are kept, so
        "roc_auc" alone keeps decision values: `Comparison.mcnemar` requires "accuracy" in
        `scoring`, and ``with_metric("neg_log_loss")`` requires "neg_log_loss".
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
            default="corrected_t"
        Test of each pair, used by every table, verdict and set of candidates. "samples" tests the
        values of single samples, with n − 1 degrees of freedom instead of the number of splits
        minus 1, so it can also decide with ``cv=5``. It implies ``return_predictions="values"``.
        See `SampleTTest`.

    Attributes
    ----------
    n_train_, n_test_ : ndarray of int, shape (n_splits,)
        Number of samples that each split trained on and tested on.
    test_train_ratio_ : float
        Σ n_test / Σ n_train, used to correct the variance for the overlap of the splits.
    comparison_ : Comparison
        All statistics of the scores: ``leader``, ``ranking``, ``leader_table``, ….
    pairwise_frequentist_ : DataFrame
        Corrected t-tests of all pairs of candidates, with the columns ``model_1, model_2,
        mean_diff, std_err, t_stat, p_unadjusted, p_val, ci_low, ci_high, verdict``; see
        `Comparison.frequentist`.
    pairwise_bayesian_ : DataFrame
        Posterior probabilities of the same pairs, with the columns ``model_1, model_2,
        mean_diff, worse_prob, better_prob, rope_prob, verdict``; see `Comparison.bayesian`. The
        ROPE is in score units. If scores do not lie between 0 and 1, the printed ``comparison_``
        also gives its width as a percentage of the leader's mean.
    possibly_best_ : DataFrame
        The candidates that may be the best at level `alpha`; see `Comparison.possibly_best`.
    selection_report_ : DataFrame
        With a rule as `refit`: for every candidate, whether it was kept, why, and its complexity.
    n_reused_, n_retried_ : int
        With `ledger`: number of results that it already contained, and number of failed fits that
        were repeated.
    extension_stop_, extension_history_ : str, DataFrame
        After ``extend(until="decided")``: why it stopped, and a table with one row for each look
        at the verdicts.
    cv_results_, best_estimator_, best_score_, best_params_, best_index_, scorer_, n_splits_, \
    refit_time_, multimetric_, classes_, n_features_in_, feature_names_in_
        As for ``GridSearchCV``.

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
    StatisticalRandomizedSearchCV : The same for a random sample of settings.
    Comparison : What ``comparison_`` is.

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

    The polynomial kernel of degree 2 is out. The other three cannot be told apart, although their
    means differ.
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
        self.ledger = ledger
        self.ledger_block = ledger_block
        self.ledger_strict = ledger_strict
        self.retry_failed = retry_failed
        self.return_predictions = return_predictions
        self.test = test
