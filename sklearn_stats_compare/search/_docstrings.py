"""The parameters and attributes that our searches share, described once for all of them.

Parameters of searches:

estimator : estimator object
    Implements the scikit-learn estimator interface; provides ``score``, or `scoring` is given.
param_grid : dict or list of dictionaries
    Parameter names mapped to lists of settings to try, or a list of such grids.
param_distributions : dict or list of dicts
    Parameter names mapped to distributions (with an ``rvs`` method) or to lists to sample from.
n_iter : int, default=10
    Number of settings to sample. A setting drawn twice gives two candidates. Their labels differ
    by the candidate's index, and their verdict is ``equivalent``.
scoring : str, callable, list, tuple or dict, default=None
    As for ``GridSearchCV``. Higher is better, as for all of scikit-learn's scorers.
n_jobs : int, default=None
    Number of jobs to run in parallel, as for ``GridSearchCV``.
refit : bool, str, or callable, default=True
    As for ``GridSearchCV``, or a rule such as `Simplest`. With several metrics, the
    tables use the metric that `refit`, or its rule, names.
cv : int, cross-validation generator or an iterable, default=None
    As for ``GridSearchCV``. The scores of the default of 5 folds can decide little; the values of
    samples that are kept from the same fits decide more, see `return_predictions`. For the
    corrected t-test, use ``RepeatedStratifiedKFold(n_splits=10, n_repeats=10)``.
verbose : int, default=0
    As for ``GridSearchCV``. With 1, one progress line for the whole search is printed too.
pre_dispatch : int, or str, default='2*n_jobs'
    As for ``GridSearchCV``.
random_state : int, RandomState instance or None, default=None
    Seed for sampling the settings, as for ``RandomizedSearchCV``. With `ledger` and no seed, the
    name of the file is the seed, so that a search that was killed draws the same settings again.
error_score : 'raise' or numeric, default=np.nan
    As for ``GridSearchCV``. A candidate with a NaN score is ``missing`` in every table.
return_train_score : bool, default=False
    As for ``GridSearchCV``.
alternative : {'greater', 'less', 'two-sided'}, default='greater'
    Alternative hypothesis of the p-values, for the better-ranked candidate of each pair. The
    default gives the numbers of scikit-learn's published example. The ranking chose the direction,
    which makes a one-sided p-value too small, by up to a factor of two. Verdicts and intervals are
    therefore always two-sided, and a pair with `p_val` below `alpha` may be ``undecided``.
p_adjust : {None, 'bonferroni', 'sidak', 'holm', 'hochberg', 'bh', 'by', 'maxt'}, \
default='bonferroni'
    How p-values are adjusted for the number of pairs.
rope : float, (float, float) or str, default=0.01
    Region of practical equivalence of a score difference: a half-width ≥ 0 or (low, high),
    in score units, or a share of the absolute value of the leader's mean, such as ``'1%'``. The
    default is a convention for scores between 0 and 1. For an error in dollars, choose the
    largest difference that would not matter.
alpha : float, default=0.05
    Level of verdicts and intervals, in (0, 1).
max_time : float, default=None
    Number of seconds after which no further fit begins, counted from the start of ``fit``. Fits
    that are under way are finished. All candidates are evaluated on the first split, then on the
    next one. They are then compared on the splits that all of them have, as if `cv` had made no
    others; with ``test="samples"`` on the complete repeats among them. If they have no split in
    common yet, those that have the first split are compared, and a note says how many. ``stopped_``
    says how much is left. With `ledger`, every ``fit`` makes at least one new fit, and the next one
    goes on from there. The refit is not included, and ``extend`` has no such limit.
ledger : str, path-like or Ledger, default=None
    An SQLite file in which the search saves every fit, at most half a second after it ended. If a
    search was killed, start it again with the same data, estimator, `cv` and
    `scoring`: it makes only the missing fits, also with more candidates. It first repeats a few
    of the saved fits (three, or one in a hundred) and compares them. It refuses the file of
    another search, or one written by other code or versions. Results for other data are kept in
    the same file, in a section of their own. The file contains scores, times and keys, labels
    and parameters as text, and what `return_predictions` keeps of each test sample: share it only
    with those who may see these. Nothing in it is unpickled or executed. A `Ledger` has two options
    and tells the progress; `compare` reads such a file.
return_predictions : {"auto", "values"} or bool, default="auto"
    "auto" keeps the response of each test sample that a metric of scikit-learn takes, such as its
    probabilities, where this is cheap: if there are fewer than 100 splits that ``test="samples"``
    can use, and the responses take at most 64 MB. ``recommend()`` and ``compare(test="samples")``
    compute values of samples from them, for metrics that need no jackknife. They are not pickled
    with the search. True keeps every candidate's predictions for every test sample. They come from
    the call that scores, so nothing is fitted or predicted twice. The method `predictions` returns
    them. They need memory for m × n × R values (m candidates, n samples, R repeats). Above 1 GB a
    warning says so before the first fit, and more than 64 GB is refused. "values" keeps the value
    that each metric gives each sample, in single precision, and no predictions, which is enough for
    ``test="samples"``, and is pickled. Only the responses that the metrics use are kept: "roc_auc"
    alone keeps decision values, so `evaluation.mcnemar_of` needs "accuracy" among `scoring`, and
    ``with_settings(metric="neg_log_loss")`` needs "neg_log_loss".
test : {"corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"} or PairTest, \
default="corrected_t"
    Test of a pair, which every table, verdict and set uses. "samples" tests the predictions of
    single samples. Its degrees of freedom are n − 1 rather than the number of splits minus 1, so it
    can also decide with ``cv=5``. It implies ``return_predictions="values"``. See `SampleTTest`.

Parameters of races:

scoring : str, callable, list, tuple or dict, default=None
    As for ``GridSearchCV``. With several metrics, `race_metric` decides which candidates are
    dropped.
n_jobs : int, default=None
    Number of jobs to run in parallel. The history of the race does not depend on it.
refit : bool, str, or rule, default=True
    As for ``GridSearchCV``, or a rule such as ``Simplest("C")``, which sees only the
    survivors. Other callables are refused because they might choose a candidate that was dropped.
cv : int, cross-validation generator or an iterable, default=None
    As for ``GridSearchCV``, with at least 3 splits, or 10 if the race looks at the scores of
    splits. The data are split once.
verbose : int, default=0
    As for ``GridSearchCV``. From 1 on, one progress line for the whole race and a line for every
    look are printed.
error_score : 'raise' or numeric, default=np.nan
    As for ``GridSearchCV``. With NaN, a candidate is dropped when a split fails.
p_adjust : {None, 'bonferroni', 'sidak', 'holm', 'hochberg', 'bh', 'by', 'maxt'}, \
default='bonferroni'
    How p-values are adjusted for the number of pairs of survivors.
alpha : float, default=0.05
    Level of the race, which is about the highest probability that the full search's winner is
    dropped, and level of verdicts and intervals.
max_time : float, default=None
    Number of seconds after which no further fit begins, counted from the start of ``fit``. Fits
    that are under way are finished. The survivors are then compared on the splits so far, as if
    `cv` had made no others. ``stopped_`` says how much is left. With `ledger`, every ``fit`` makes
    at least one new fit, and the next one goes on from there; when it finishes, its results are
    those of a race that was never cut. The refit is not included, and ``extend`` has no such limit.
strategy : {'pooled', 'strict'}, default='pooled'
    How a candidate's distance from the leader is judged. 'pooled' uses the variation that all
    candidates still in the race have in common, or a candidate's own if it is larger. 'strict'
    assumes nothing in common: it needs more fits, and protects the winner if a few candidates vary
    much more than the rest, as with several learners in one grid.
interim : {'auto', 'samples', 'splits'}, default='auto'
    What interim looks compare to drop candidates. 'samples': the values that the metric gives
    single test samples, from 3 splits on, with a look after every split from the second on.
    'splits': the scores of splits, from 10 splits on, with at most six looks. 'auto': samples,
    unless the metric has no values of samples, there are groups, or the values would take more than
    1 GB. Samples need fewer fits. They imply ``return_predictions="values"``.
tolerance : float, default=0.0
    Also drop candidates that cannot beat the leader by more than this, in score units. The mean of
    the candidate chosen is then more than `tolerance` below the best mean of the full search with
    probability at most about `alpha`.
eliminate : {'futility', 'inferiority'}, default='futility'
    'futility' drops candidates that will not have the best mean in the full search. They may still
    be the best on new data, so the sets of possibly best candidates have no guarantee.
    'inferiority' drops only candidates that are worse on new data, at half of `alpha`: these sets
    keep their guarantee approximately, for more fits.
race_metric : str, default=None
    The metric that decides which candidates are dropped, if there are several. By default the
    refit metric.
random_state : int, RandomState instance or None, default=None
    Seed for the order of the splits and, in a randomized search, for sampling the settings. With
    `ledger` and no seed, the race keeps the order that the ledger has, and the name of the file is
    the seed of the settings.

Attributes of searches:

n_train_, n_test_ : ndarray of int, shape (n_splits,)
    Number of samples that each split trained on and tested on.
test_train_ratio_ : float
    Σ n_test / Σ n_train, which corrects the variance for the overlap of the splits.
comparison_ : Comparison
    Answers every question about the scores: ``leader``, ``ranking()``, ``against()``, ….
pairwise_frequentist_ : DataFrame
    Corrected t-tests of all pairs of candidates, with the columns ``model_1, model_2,
    mean_diff, std_err, t_stat, p_unadjusted, p_val, ci_low, ci_high, verdict``; see
    `Comparison.frequentist`.
pairwise_bayesian_ : DataFrame
    Posterior probabilities of the same pairs, with the columns ``model_1, model_2,
    mean_diff, worse_prob, better_prob, rope_prob, verdict``; see `Comparison.bayesian`. The
    ROPE is in score units. If scores do not lie between 0 and 1, ``comparison_`` prints the width
    of the ROPE beside the leader's mean.
possibly_best_ : DataFrame
    The candidates that may be the best at level `alpha`; see `Comparison.possibly_best`.
selection_report_ : DataFrame
    With a rule as `refit`: every candidate, whether it was kept, why, and its complexity.
stopped_ : str or None
    None if the search finished. If `max_time` cut it, after how many splits and fits, how much is
    left, and about how long that and the refit take.
n_reused_, n_retried_ : int
    With `ledger`: the number of results that it already held, and of failed fits that were
    repeated.
extension_stop_, extension_history_ : str, DataFrame
    After ``extend(until="decided")``: why it stopped, and a row per look.
cv_results_, best_estimator_, best_score_, best_params_, best_index_, scorer_, n_splits_, \
refit_time_, multimetric_, classes_, n_features_in_, feature_names_in_
    As for ``GridSearchCV``.

Attributes of races:

cv_results_ : dict
    As ``GridSearchCV``'s, with every candidate. Splits that were not run are NaN, and so is a mean
    over some of the splits only, because it must not be compared with means over all of them. Four
    more columns: ``n_splits_evaluated``; ``eliminated_at``, the number of splits after which a
    candidate was dropped, NaN for survivors; ``elimination_pvalue``, below `alpha`, NaN for
    survivors and for candidates that were dropped because a split failed; ``elimination``,
    "hopeless", "inferior" ("not superior" with a `tolerance`) or "failed", and "" for survivors.
    With several metrics "inferior" names the metric of the race, as in "inferior in accuracy".
race_history_ : DataFrame
    A row per look, with ``look`` (<NA> for the finish), ``n_splits`` so far, ``alive``
    candidates, how many were ``dropped``, the ``leader`` so far, and ``n_fits`` so far.
race_order_ : ndarray of int, shape (n_splits,)
    Order in which the splits were run.
stopped_ : str or None
    None if the race finished. If `max_time` cut it, after how many splits and fits, how much is
    left, and about how long that and the refit take. ``cv_results_`` and ``race_order_`` then refer
    to the splits that were run.
race_labels_ : tuple of str
    Labels of all candidates, as in the tables of the survivors.
race_metric_ : str
    The metric that decided which candidates were dropped.
n_fits_, n_fits_full_ : int
    Number of fits of the race, with those of extensions and probes, and of a search that does not
    race, both without the final refit.
n_fits_speculative_ : int
    Number of further fits, of candidates that were dropped meanwhile: a worker that would wait for
    the last fits before a look begins a further split. A ledger keeps them; they decide nothing.
comparison_, pairwise_frequentist_, pairwise_bayesian_, possibly_best_, selection_report_, \
n_train_, n_test_, test_train_ratio_, n_reused_, n_retried_, extension_stop_, extension_history_
    As for `StatisticalGridSearchCV`, of the survivors; ``comparison_`` says so.
    ``possibly_best_`` holds those that may be the best of the survivors. The race may have dropped
    the candidate that is best on new data, and a warning says so, unless it was run with
    ``eliminate="inferiority"`` and no `tolerance`, and dropped no candidate for a failed split.
best_estimator_, best_score_, best_params_, best_index_, scorer_, n_splits_, refit_time_, \
multimetric_, classes_, n_features_in_, feature_names_in_
    As for ``GridSearchCV``.
"""

import inspect
import re
from typing import TypeVar

Search = TypeVar("Search", bound=type)


def with_shared_docstring(cls: Search) -> Search:
    """Fill ``%(parameters)s`` and ``%(attributes)s`` in the docstring of a search.

    The signature gives the parameters and their order, so that none can be left out.
    """
    if cls.__doc__ is None:  # python -OO
        return cls
    names = inspect.signature(cls).parameters
    _, *parts = re.split(r"^(\w[\w ]*):\n\n", str(__doc__), flags=re.MULTILINE)
    texts = dict(zip(parts[::2], parts[1::2], strict=True))
    blocks, attributes = _blocks(texts["Parameters of searches"]), texts["Attributes of searches"]
    if "strategy" in names:
        blocks |= _blocks(texts["Parameters of races"])
        attributes = texts["Attributes of races"]
    sections = {"parameters": "".join(blocks[name] for name in names), "attributes": attributes}
    # Python 3.13 removes the common indentation of docstrings; earlier versions keep it.
    cls.__doc__ = f"{inspect.cleandoc(cls.__doc__)}\n"
    for name, text in sections.items():
        cls.__doc__ = cls.__doc__.replace(f"%({name})s", text.strip("\n"))
    return cls


def _blocks(text: str) -> dict[str, str]:
    """Descriptions by name; each begins with a line that is not indented."""
    described = re.finditer(r"^(\w+) : .*\n(?: +.*\n)+", text, flags=re.MULTILINE)
    return {block[1]: block[0] for block in described}
