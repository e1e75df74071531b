"""StatisticalGridSearchCV: a grid of settings."""

from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import GridSearchCV

from sklearn_stats_compare.search._mixin import STATISTICAL_CONSTRAINTS, StatisticalSearchMixin


class StatisticalGridSearchCV(StatisticalSearchMixin, GridSearchCV):
    """Grid search that also tells which candidates really differ.

    A drop-in replacement for :class:`sklearn.model_selection.GridSearchCV`: the same arguments,
    the same ``cv_results_``, ``best_*`` and predictions, at the same cost. After ``fit`` it
    answers which of the differences between candidates are more than luck.

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
        tables speak of the metric named here, or by the rule.
    cv : int, cross-validation generator or an iterable, default=None
        As for ``GridSearchCV``. The default of 5 folds can decide little. Begin with
        ``RepeatedStratifiedKFold(n_splits=5, n_repeats=2)`` and ``test="samples"``; for the
        corrected t take ``n_splits=10, n_repeats=10``.
    verbose : int, default=0
        As for ``GridSearchCV``, but 1 prints one progress line for the whole search too.
    pre_dispatch : int, or str, default='2*n_jobs'
        As for ``GridSearchCV``.
    error_score : 'raise' or numeric, default=np.nan
        As for ``GridSearchCV``. A candidate with a NaN score is ``missing`` in every table.
    return_train_score : bool, default=False
        As for ``GridSearchCV``.
    alternative : {'greater', 'less', 'two-sided'}, default='greater'
        Alternative of the p-values, for the better-ranked candidate of each pair. The default
        gives the numbers of scikit-learn's published example. Because the ranking chose the
        direction, a one-sided p-value is up to two times too small; so verdicts and intervals are
        two-sided whatever it is, and a `p_val` below `alpha` may stand beside ``undecided``.
    p_adjust : {None, 'bonferroni', 'sidak', 'holm', 'hochberg', 'bh', 'by', 'maxt'}, \
            default='bonferroni'
        How p-values are adjusted for the number of pairs.
    rope : float, (float, float) or str, default=0.01
        Region of practical equivalence of a score difference: a half-width ≥ 0 or (low, high),
        in score units, or a share of the leader's mean without its sign, such as ``'1%'``. The
        default is a convention for scores between 0 and 1; for an error in dollars choose the
        largest difference that would not matter.
    alpha : float, default=0.05
        Level of verdicts and intervals, in (0, 1).
    ledger : str or path-like, default=None
        An SQLite file in which every finished block of fits is saved before the next begins. A
        search that was killed, started again with the same data, estimator, `cv` and `scoring`,
        fits only what is lacking; so does one with more candidates. A few of the saved fits, three
        or one in a hundred, are made again and compared first. The file of another search is
        refused, and so is one of other code or versions; other data are kept beside. Scores,
        times and keys are in it, labels and parameters as text, and nothing that is unpickled or
        executed. See `ledger_status`, and `compare`, which reads it.
    ledger_block : int, default=None
        Number of candidates of a block, with `ledger`. Default: as many as give each worker four
        fits, at least one.
    ledger_strict : bool, default=True
        Whether a ledger is refused that was written with other versions of Python or of a library,
        or has scores that the same fits do not have now. If False, a warning says so, and the
        scores are kept.
    retry_failed : bool, default=True
        Whether fits that failed, or were scored NaN, are tried again when a search with a `ledger`
        is started again. If False, they stay failed.
    return_predictions : bool or "values", default=False
        Whether to keep what every candidate predicted for every test sample, in the call that
        scores: no second fit, and no second prediction. `predictions` returns them. They take m × n
        × R values, of m candidates, n samples and R repeats; above 1 GB a warning says so before
        the first fit, and what the memory does not hold is refused. "values" keeps the value that
        each metric gives each sample, in single precision, and no predictions: enough for
        ``test="samples"``. Only the responses that the metrics ask for are kept: with "roc_auc"
        alone decision values, so that `Comparison.mcnemar` and ``with_metric("neg_log_loss")`` need
        "accuracy" and "neg_log_loss" among `scoring`.
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
            default="corrected_t"
        Test of a pair, which every table, verdict and set reads. "samples" tests the predictions of
        single samples, with n − 1 degrees of freedom in place of the number of splits minus 1: it
        answers for ``cv=5`` too. It implies ``return_predictions="values"``. See `SampleTTest`.

    Attributes
    ----------
    n_train_, n_test_ : ndarray of int, shape (n_splits,)
        Number of samples that each split trained on and tested on.
    test_train_ratio_ : float
        Σ n_test / Σ n_train, which corrects the variance for the overlap of the splits.
    comparison_ : Comparison
        Everything that can be asked of the scores: ``leader``, ``ranking``, ``leader_table``, ….
    pairwise_frequentist_ : DataFrame
        Corrected t-tests of all pairs of candidates, with the columns ``model_1, model_2,
        mean_diff, std_err, t_stat, p_unadjusted, p_val, ci_low, ci_high, verdict``; see
        `Comparison.frequentist`.
    pairwise_bayesian_ : DataFrame
        Posterior probabilities of the same pairs, with the columns ``model_1, model_2,
        mean_diff, worse_prob, better_prob, rope_prob, verdict``; see `Comparison.bayesian`. The
        ROPE is in score units; where scores do not lie between 0 and 1, ``comparison_`` prints
        how wide it is beside the leader's mean.
    possibly_best_ : DataFrame
        The candidates that may be the best at level `alpha`; see `Comparison.possibly_best`.
    selection_report_ : DataFrame
        With a rule as `refit`: every candidate, whether it was kept, why, and its complexity.
    n_reused_, n_retried_ : int
        With `ledger`: how many outcomes were in it already, and how many fits that had failed were
        tried again.
    extension_stop_, extension_history_ : str, DataFrame
        After ``extend(until="decided")``: why it stopped, and a row per look.
    cv_results_, best_estimator_, best_score_, best_params_, best_index_, scorer_, n_splits_, \
    refit_time_, multimetric_, classes_, n_features_in_, feature_names_in_
        As for ``GridSearchCV``.

    Raises
    ------
    sklearn.exceptions.NotFittedError
        By the attributes and methods above, before ``fit``.
    AttributeError
        By the tables, after a search of several metrics whose `refit` names none of them; the
        message says which call to use instead.
    ValueError
        By the pairwise tables, of more than 20 million pairs; the message says what to ask of
        ``comparison_`` instead.

    See Also
    --------
    StatisticalRandomizedSearchCV : The same for a random sample of settings.
    Comparison : What ``comparison_`` is.

    Notes
    -----
    The tables are computed when they are first asked for, from ``cv_results_`` and the sizes of
    the very splits that were used, then kept. They hold the settings that ``fit`` saw:
    ``set_params(alpha=…)`` afterwards changes nothing before the next ``fit``; use ``compare``
    for another view of the same scores.

    ``fit`` works on a shallow copy of the search and hands over what it leaves, so that the
    parameters never change meanwhile and a fit that fails leaves the one before it whole. Hooks of
    a subclass, such as ``_run_search``, are called on that copy. With scikit-learn's callbacks
    (1.9) the search itself is fitted.

    ``fit`` never fails for a statistical reason. One `ComparisonWarning` comes with the first
    comparison where the splits strain the method: fewer than 10, growing training sets, test
    sizes that differ more than twofold.

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

    The polynomial of degree 2 is out. The other three cannot be told apart, whatever their means.
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
