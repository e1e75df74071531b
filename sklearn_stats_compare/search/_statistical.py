"""StatisticalGridSearchCV: a grid of settings."""

from os import PathLike
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import GridSearchCV

from sklearn_stats_compare.search._mixin import STATISTICAL_CONSTRAINTS, StatisticalSearchMixin


class StatisticalGridSearchCV(StatisticalSearchMixin, GridSearchCV):
    """Grid search that also shows which candidates really differ.

    A drop-in replacement for :class:`sklearn.model_selection.GridSearchCV`: the same parameters,
    the same ``cv_results_``, ``best_*`` and predictions, at the same cost. After ``fit``, the
    search also shows which differences between candidates are more than chance.

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
        tables use the metric that `refit` or its rule names.
    cv : int, cross-validation generator or an iterable, default=None
        As for ``GridSearchCV``. The default of 5 folds leaves most pairs undecided. Start with
        ``RepeatedStratifiedKFold(n_splits=5, n_repeats=2)`` and ``test="samples"``; for the
        corrected t-test use ``n_splits=10, n_repeats=10``.
    verbose : int, default=0
        As for ``GridSearchCV``, but 1 also prints one progress line for the whole search.
    pre_dispatch : int, or str, default='2*n_jobs'
        As for ``GridSearchCV``.
    error_score : 'raise' or numeric, default=np.nan
        As for ``GridSearchCV``. A candidate with a NaN score is ``missing`` in every table.
    return_train_score : bool, default=False
        As for ``GridSearchCV``.
    alternative : {'greater', 'less', 'two-sided'}, default='greater'
        Alternative of the p-values, for the better-ranked candidate of each pair. The default
        gives the numbers of scikit-learn's published example. Because the ranking chose the
        direction, a one-sided p-value is up to two times too small. Verdicts and intervals are
        therefore always two-sided, and a verdict may be ``undecided`` although `p_val` is below
        `alpha`.
    p_adjust : {None, 'bonferroni', 'sidak', 'holm', 'hochberg', 'bh', 'by', 'maxt'}, \
            default='bonferroni'
        Method that adjusts the p-values for the number of pairs.
    rope : float, (float, float) or str, default=0.01
        Region of practical equivalence of a score difference: a half-width ≥ 0 or (low, high),
        in score units, or a share of the leader's mean without its sign, such as ``'1%'``. The
        default is a convention for scores between 0 and 1; for an error in dollars choose the
        largest difference that would not matter.
    alpha : float, default=0.05
        Level of verdicts and intervals, in (0, 1).
    ledger : str or path-like, default=None
        SQLite file in which the search saves every finished block of fits before the next begins.
        If a search is started again with the same data, estimator, `cv` and `scoring`, it runs only
        the missing fits, also with more candidates. It first repeats a few of the saved fits, three
        or one in a hundred, and compares their scores. A file of another search, other code or
        other versions raises an error. Other data get their own section. The file contains scores,
        times and keys, and labels and parameters as text. Reading it unpickles and executes
        nothing. See `ledger_status`, and `compare`, which reads it.
    ledger_block : int, default=None
        Number of candidates per block, with `ledger`. If None, each worker gets about four fits
        per block, and a block has at least one candidate.
    ledger_strict : bool, default=True
        Whether to raise an error if the ledger was written with other versions of Python or of a
        library, or has scores that the same fits no longer give. If False, the search warns and
        keeps the scores.
    retry_failed : bool, default=True
        Whether a restarted search with a `ledger` repeats fits that failed or were scored NaN. If
        False, they stay failed.
    return_predictions : bool or "values", default=False
        Whether to keep the predictions of every candidate for every test sample. They are recorded
        during scoring, without further fits or predictions; `predictions` returns them. They take
        m × n × R values for m candidates, n samples and R repeats. Above 1 GB, the search warns
        before the first fit; if they do not fit in memory, it raises an error. "values" keeps only
        the value of each metric for each sample, in single precision, which is enough for
        ``test="samples"``. Only the responses that the metrics use are kept. "roc_auc" alone, for
        example, keeps only decision values: `Comparison.mcnemar` then also needs "accuracy" in
        `scoring`, and ``with_metric("neg_log_loss")`` needs "neg_log_loss".
    test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
            default="corrected_t"
        Test of a pair, which all tables, verdicts and sets use. "samples" tests the predictions for
        single samples, with n − 1 degrees of freedom instead of the number of splits minus 1, so it
        can decide with ``cv=5`` too. It implies ``return_predictions="values"``. See `SampleTTest`.

    Attributes
    ----------
    n_train_, n_test_ : ndarray of int, shape (n_splits,)
        Number of samples that each split trained on and tested on.
    test_train_ratio_ : float
        Σ n_test / Σ n_train, which corrects the variance for the overlap of the splits.
    comparison_ : Comparison
        Comparison of the candidates, with ``leader``, ``ranking``, ``leader_table``, ….
    pairwise_frequentist_ : DataFrame
        Corrected t-tests of all pairs of candidates, with the columns ``model_1, model_2,
        mean_diff, std_err, t_stat, p_unadjusted, p_val, ci_low, ci_high, verdict``; see
        `Comparison.frequentist`.
    pairwise_bayesian_ : DataFrame
        Posterior probabilities of the same pairs, with the columns ``model_1, model_2,
        mean_diff, worse_prob, better_prob, rope_prob, verdict``; see `Comparison.bayesian`. The
        ROPE is in score units. If the scores are not between 0 and 1, ``comparison_`` prints it
        also as a share of the leader's mean.
    possibly_best_ : DataFrame
        The candidates that may be the best at level `alpha`; see `Comparison.possibly_best`.
    selection_report_ : DataFrame
        With a rule as `refit`: every candidate, whether it was kept, why, and its complexity.
    n_reused_, n_retried_ : int
        With `ledger`: number of fits that were reused, and number of failed fits that were
        repeated.
    extension_stop_, extension_history_ : str, DataFrame
        After ``extend(until="decided")``: the reason why it stopped, and a table with one row per
        look.
    cv_results_, best_estimator_, best_score_, best_params_, best_index_, scorer_, n_splits_, \
    refit_time_, multimetric_, classes_, n_features_in_, feature_names_in_
        As for ``GridSearchCV``.

    Raises
    ------
    sklearn.exceptions.NotFittedError
        If an attribute or method is used before ``fit``.
    AttributeError
        By the tables, if `scoring` has several metrics and `refit` names none of them; the message
        says which call to use instead.
    ValueError
        By the pairwise tables, if there are more than 20 million pairs; the message says which
        method of ``comparison_`` to use instead.

    See Also
    --------
    StatisticalRandomizedSearchCV : Samples settings at random.
    Comparison : The class of ``comparison_``.

    Notes
    -----
    The tables are computed on first access, from ``cv_results_`` and the recorded sizes of the
    splits, and then cached. They use the settings at the time of ``fit``: ``set_params(alpha=…)``
    has no effect until the next ``fit``. To compare the same scores with other settings, use
    ``compare``.

    ``fit`` fits a shallow copy of the search and then sets the fitted attributes on the search. The
    parameters therefore never change during the fit, and a fit that fails does not change the
    fitted attributes. Hooks of a subclass, such as ``_run_search``, are called on the copy. With
    scikit-learn's callbacks (1.9 and later), the search itself is fitted.

    ``fit`` never fails for a statistical reason. The first comparison gives one `ComparisonWarning`
    if the splits do not suit the method: fewer than 10 splits, growing training sets, or test
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

    The polynomial kernel of degree 2 is worse than the other three. The test cannot decide between
    those.
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
