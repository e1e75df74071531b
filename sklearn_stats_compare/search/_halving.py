"""StatisticalHalvingGridSearchCV: a grid of settings, of which fewer get more resources.

Imported only when its name is used, because scikit-learn's class is experimental.
"""

from typing import Any, ClassVar

import numpy as np

from sklearn_stats_compare.search._any_search import SETTINGS_OF_ANY, AnySearchMixin
from sklearn_stats_compare.search._docstrings import with_shared_docstring
from sklearn_stats_compare.search._search import STATISTICAL_CONSTRAINTS

try:
    from sklearn.model_selection import HalvingGridSearchCV
except ImportError:  # an experiment that must be enabled (scikit-learn 1.6 to 1.9)
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV


@with_shared_docstring
class StatisticalHalvingGridSearchCV(AnySearchMixin, HalvingGridSearchCV):
    """Successive halving that also shows which of its last candidates really differ.

    A drop-in replacement for :class:`sklearn.model_selection.HalvingGridSearchCV`: the same
    candidates, ``cv_results_`` and ``best_*``, at the same cost. All candidates are evaluated with
    few resources, by default few samples. The best third of them are then evaluated with three
    times as many, and so on. After ``fit``, the candidates of the last iteration are compared.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Raises
    ------
    ValueError
        By ``fit``, if `cv` may make other splits at each call. scikit-learn requires an integer
        `random_state`.

    See Also
    --------
    RacingGridSearchCV : Drops candidates with a stated risk of losing the winner.
    StatisticalGridSearchCV : Evaluates every candidate on all data.
    with_statistics : Gives statistics to other searches.

    Notes
    -----
    Halving keeps a fixed share of the candidates, whatever their scores show. It may drop the
    candidate that would be best with all resources, and nothing bounds this risk; see the user
    guide for how often it does so. The candidates of the last iteration were chosen by their scores
    on a part of the same data. The error rates of p-values, intervals and verdicts are therefore
    not known: a warning and a note say so. ``compare(stage=0)`` compares all candidates on the
    smallest part of the data. No scores chose these candidates.

    The splits of an iteration are subsamples of those of `cv`. The correction uses their own sizes,
    as if the subsample were all data. Repeats of folds are then not complete, so
    ``test="samples"`` needs a `resource` other than ``"n_samples"``.

    References
    ----------
    Jamieson, K. and Talwalkar, A. (2016). Non-stochastic best arm identification and
    hyperparameter optimization. AISTATS, PMLR 51, 240–248.
    https://proceedings.mlr.press/v51/jamieson16.html

    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239–281. https://doi.org/10.1023/A:1024068626366

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import StatisticalHalvingGridSearchCV
    >>> X, y = load_digits(return_X_y=True)
    >>> search = StatisticalHalvingGridSearchCV(
    ...     SVC(),
    ...     {"gamma": np.logspace(-5, -1, 9)},
    ...     min_resources=400,
    ...     cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0),
    ...     random_state=0,
    ... ).fit(X, y)
    >>> search.n_candidates_, search.n_resources_
    ([9, 3], [400, 1200])
    >>> first = search.compare(stage=0)
    >>> first.leader_table[["model_1", "model_2", "mean_diff", "verdict"]].round(3).head(4)
      model_1    model_2  mean_diff    verdict
    0   0.001  0.0003162      0.006  undecided
    1   0.001   0.003162      0.030  undecided
    2   0.001     0.0001      0.035  undecided
    3   0.001  3.162e-05      0.171  undecided

    With 400 samples, ten splits do not show that the next four candidates are worse than the
    leader. Halving keeps two of them.
    """

    # `_validate_params` reads this attribute of the class alone, not those of its bases.
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **HalvingGridSearchCV._parameter_constraints,
        **{name: STATISTICAL_CONSTRAINTS[name] for name in SETTINGS_OF_ANY},
    }

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        factor: float = 3,
        resource: str = "n_samples",
        max_resources: int | str = "auto",
        min_resources: int | str = "exhaust",
        aggressive_elimination: bool = False,
        cv: Any = 5,
        scoring: Any = None,
        refit: Any = True,
        error_score: Any = np.nan,
        return_train_score: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        alternative: str = "greater",
        p_adjust: str | None = "bonferroni",
        rope: float | tuple[float, float] | str = 0.01,
        alpha: float = 0.05,
        return_predictions: bool | str = False,
        test: Any = "corrected_t",
    ) -> None:
        super().__init__(
            estimator,
            param_grid,
            factor=factor,
            resource=resource,
            max_resources=max_resources,
            min_resources=min_resources,
            aggressive_elimination=aggressive_elimination,
            cv=cv,
            scoring=scoring,
            refit=refit,
            error_score=error_score,
            return_train_score=return_train_score,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.alternative = alternative
        self.p_adjust = p_adjust
        self.rope = rope
        self.alpha = alpha
        self.return_predictions = return_predictions
        self.test = test
