"""with_statistics: any search class, with its split scores kept and compared."""

import copyreg
import inspect
from abc import ABCMeta
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Self, cast

import sklearn.model_selection
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV

from sklearn_stats_compare._sklearn_private import BaseSearchCV
from sklearn_stats_compare._utils._validation import check_count, shown
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.search._docstrings import described
from sklearn_stats_compare.search._record import compared_again
from sklearn_stats_compare.search._search import (
    STATISTICAL_CONSTRAINTS,
    AfterFit,
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
    StatisticalSearchMixin,
)
from sklearn_stats_compare.search.runs._whole_run import BatchedRun, WholeRun

_SHIPPED: dict[type, type[Any]] = {
    GridSearchCV: StatisticalGridSearchCV,
    RandomizedSearchCV: StatisticalRandomizedSearchCV,
}

_DOC = """{name} that also shows which candidates really differ.

The same search as ``{name}``, with the same candidates, ``cv_results_`` and ``best_*``. After
``fit`` it has the comparisons of `StatisticalGridSearchCV`; see `with_statistics`.

Parameters
----------
*args, **params
    The parameters of ``{name}``.
{settings}
"""


def with_statistics(search_class: Any) -> type[Any]:
    """Return the class of a search that also compares its candidates.

    The class has the parameters of `search_class`, and its results and attributes. After ``fit`` it
    also has the tables, sets, rules and displays of `StatisticalGridSearchCV`. The search may list
    candidates in advance or choose them by their scores, in one batch or many.

    Parameters
    ----------
    search_class : type
        A subclass of scikit-learn's ``BaseSearchCV``, such as ``HalvingRandomSearchCV``, or
        scikit-optimize's ``BayesSearchCV``.

    Returns
    -------
    type
        A subclass of `search_class`, the same one at every call. Its further parameters are the
        keywords `alternative`, `p_adjust`, `rope`, `alpha`, `return_predictions` and `test` of
        `StatisticalGridSearchCV`. For ``GridSearchCV``, ``RandomizedSearchCV`` and
        ``HalvingGridSearchCV`` it is the class of this package. A class that has statistics is
        returned as it is.

    Raises
    ------
    TypeError
        If `search_class` is not a subclass of ``BaseSearchCV`` that can be instantiated; or if one
        of its parameters has the name of one of these keywords.

    Notes
    -----
    All candidates that are compared must have the same splits. The class keeps a fingerprint of the
    splits of each batch. ``fit`` raises ValueError if a batch has other splits than the one before,
    as with a shuffled splitter without `random_state`. In a halving search each iteration is
    compared separately: ``comparison_`` contains the candidates of the last one, and
    ``compare(stage=0)`` those of the first. ``fit`` raises TypeError if the search evaluates
    candidates in another way than through the ``evaluate_candidates`` of ``BaseSearchCV``.

    A search that evaluates a second batch may have chosen it by the scores of the first. The error
    rates of p-values, intervals and verdicts are then not known. A note of the comparison says so.

    `max_time` and `ledger`, with its options, need a list of all candidates before the first fit.
    They are not parameters, and there is no ``extend``. A rule such as
    ``SimplestPossiblyBest("C")`` as `refit` works if the search takes a callable; ``BayesSearchCV``
    does not, and ``comparison_.choose(rule)`` works after its ``fit``. With `return_predictions`, a
    halving search keeps the predictions of the last iteration only.

    Instances and the class can be pickled if `search_class` can be imported. The class cannot be
    saved with skops, which looks it up by name.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection._search import BaseSearchCV
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import with_statistics
    >>> class Climb(BaseSearchCV):
    ...     def __init__(self, estimator, *, cv=None):
    ...         super().__init__(estimator, cv=cv)
    ...
    ...     def _run_search(self, evaluate_candidates):
    ...         C, results = 0.01, evaluate_candidates([{"C": 0.01}])
    ...         while results["mean_test_score"].argmax() == len(results["params"]) - 1:
    ...             C *= 10
    ...             results = evaluate_candidates([{"C": C}])
    >>> search = with_statistics(Climb)(SVC(), cv=10, rope=0.02).fit(*load_iris(return_X_y=True))
    >>> search.comparison_.leader_table[["model_1", "model_2", "mean_diff", "verdict"]].round(3)
      model_1 model_2  mean_diff    verdict
    0    10.0     1.0      0.007  undecided
    1    10.0   100.0      0.007  undecided
    2    10.0     0.1      0.047  undecided
    3    10.0    0.01      0.053  undecided

    The search stopped at ``C=100`` because ``C=10`` had a higher mean score, and the test does not
    confirm this difference.
    """
    if not inspect.isclass(search_class) or not issubclass(search_class, BaseSearchCV):
        raise TypeError(
            "`search_class` must be a class, a subclass of scikit-learn's BaseSearchCV; got "
            f"{shown(search_class)}."
        )
    if issubclass(search_class, StatisticalSearchMixin):
        return search_class
    _check_complete(search_class)
    if search_class is vars(sklearn.model_selection).get("HalvingGridSearchCV"):
        # At the top its import would enable the experiment for everybody.
        module = import_module("sklearn_stats_compare.search._halving")
        return cast("type[Any]", module.StatisticalHalvingGridSearchCV)
    shipped = _SHIPPED.get(search_class)
    return _made(cast(Any, search_class)) if shipped is None else shipped


def _check_complete(search_class: Any) -> None:
    if inspect.isabstract(search_class):
        raise TypeError(
            "`search_class` must implement the abstract methods of BaseSearchCV; got "
            f"{search_class.__name__}, which lacks "
            f"{', '.join(sorted(search_class.__abstractmethods__))}."
        )


class _Made(ABCMeta):
    """The metaclass of the classes that are made here, by which pickle knows them."""


@cache
def _made(search_class: Any) -> type[Any]:
    signature = _signature(search_class)

    def initialise(self: Any, *args: Any, **params: Any) -> None:
        refused = sorted(params.keys() & set(OF_BLOCKS) - signature.parameters.keys())
        if refused:
            raise TypeError(
                f"`{refused[0]}` needs a list of all candidates before the first fit, which "
                f"{search_class.__name__} does not give; StatisticalGridSearchCV and "
                "StatisticalRandomizedSearchCV have it."
            )
        settings = {name: params.pop(name, value) for name, value in SETTINGS_OF_ANY.items()}
        search_class.__init__(self, *args, **params)
        for name, value in settings.items():
            setattr(self, name, value)

    # `get_params` and `clone` read the parameters off it.
    initialise.__signature__ = signature  # type: ignore[attr-defined]
    name = f"Statistical{search_class.__name__}"
    settings = "".join(described(name) for name in SETTINGS_OF_ANY)
    return _Made(
        name,
        (AnySearchMixin, search_class),
        {
            "__init__": initialise,
            "__reduce_ex__": _reduced,
            "__module__": __name__,
            "__doc__": _DOC.format(name=search_class.__name__, settings=settings.strip()),
            "_parameter_constraints": {
                **search_class._parameter_constraints,
                **{name: STATISTICAL_CONSTRAINTS[name] for name in SETTINGS_OF_ANY},
            },
            "_made_of": search_class,
        },
    )


def _signature(search_class: Any) -> inspect.Signature:
    """Signature of ``__init__``, with the settings as keywords."""
    signature = inspect.signature(search_class.__init__)
    taken = signature.parameters.keys() & SETTINGS_OF_ANY.keys()
    if taken:
        raise TypeError(
            "`search_class` must not have a parameter with the name of a setting, "
            f"{', '.join(SETTINGS_OF_ANY)}; {search_class.__name__} has {', '.join(sorted(taken))}."
        )
    own = list(signature.parameters.values())
    any_name = [p for p in own if p.kind is p.VAR_KEYWORD]
    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
        for name, value in SETTINGS_OF_ANY.items()
    ]
    named = [p for p in own if p.kind is not p.VAR_KEYWORD]
    return signature.replace(parameters=[*named, *keywords, *any_name])


# By what it was made of: pickle would look the class up by its name.
def _reduced(search: Any, protocol: Any) -> Any:
    if type(search) is not _made(search._made_of):  # a subclass, which has a name
        return object.__reduce_ex__(search, protocol)
    return _empty, (search._made_of,), search.__getstate__()


def _empty(search_class: Any) -> Any:
    """A search without attributes."""
    return object.__new__(with_statistics(search_class))


def _reduced_class(made: Any) -> Any:
    # A text is the name of a global, as of any other class.
    return (with_statistics, (made._made_of,)) if "_made_of" in vars(made) else made.__qualname__


copyreg.pickle(_Made, _reduced_class)

SETTINGS_OF_ANY = {
    "alternative": "greater",
    "p_adjust": "bonferroni",
    "rope": 0.01,
    "alpha": 0.05,
    "return_predictions": False,
    "test": "corrected_t",
}
"""The parameters that any search can have, and their defaults."""

# A ledger and blocks need the list of all candidates before the first fit, which only the search's
# own code knows.
OF_BLOCKS = ("max_time", "ledger", "ledger_block", "ledger_strict", "retry_failed")
"""The parameters that such a search cannot have."""


class AnySearchMixin(StatisticalSearchMixin):
    """Stands before any subclass of BaseSearchCV; its batches of candidates are recorded."""

    _whole: ClassVar[type[WholeRun]] = BatchedRun

    # What `Options` and `Fitting` read of every search; not parameters here.
    max_time: ClassVar[None] = None
    ledger: ClassVar[None] = None
    ledger_block: ClassVar[None] = None
    ledger_strict: ClassVar[bool] = True
    retry_failed: ClassVar[bool] = True

    def fit(self, X: Any, y: Any = None, *args: Any, **params: Any) -> Self:
        """Run fit of the search, and record its splits.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            Training vectors, or a precomputed kernel or distance matrix.
        y : array-like of shape (n_samples, n_output) or (n_samples,), default=None
            Target relative to X; None for unsupervised learning.
        *args, **params : object
            Further arguments of the ``fit`` method of the search.

        Returns
        -------
        self : object
            The fitted search.

        Raises
        ------
        TypeError
            If the search evaluates candidates in another way than through scikit-learn's
            `evaluate_candidates`.
        ValueError
            If it evaluates candidates of one stage on different splits.
        """
        if args:
            # By name, as the record of a fit has them. `bind` raises the TypeError of too many.
            own = inspect.signature(super(StatisticalSearchMixin, self).fit)
            names = list(own.bind(X, y, *args, **params).arguments)[2:]
            params |= dict(zip(names, args, strict=False))
        # Before what is read of them; scikit-learn's own `fit` does it again.
        self._validate_params()
        return self._fit(X, y, params, None)

    @AfterFit
    def compare(
        self, *, metric: str | None = None, stage: int | None = None, **settings: Any
    ) -> Comparison:
        """Compare the candidates with other settings, another metric or at an earlier iteration.

        Parameters
        ----------
        metric : str, optional
            One of the metrics in `scoring`. Default: the refit metric when ``fit`` was called.
        stage : int, optional
            Iteration of a halving search, from 0: its candidates are compared by their scores on
            its splits. Candidates of iteration 0 were not chosen by scores. Default: the last.
        **settings
            Any of `alternative`, `p_adjust`, `rope`, `alpha`, `test` (see `Comparison`), and
            `labels`, one per candidate, or "name=value" for labels such as ``C=1, gamma=0.1``.
            Default: the settings when ``fit`` was called.

        Returns
        -------
        Comparison

        Raises
        ------
        ValueError
            If `metric`, `stage` or the value of a setting is unknown.
        TypeError
            If a setting is unknown.
        """
        record = self._fit_record
        if stage is not None:
            last = len(record.evaluated.stages) - 1
            stage = check_count("stage", stage, least=0, most=last)
            if stage < last:  # that of the last has its predictions
                record = record.at_stage(stage)
        return compared_again(self, record, metric, settings)

    @property
    def extend(self) -> Any:
        """Not available: splits can be added to searches that list their candidates beforehand."""
        raise AttributeError(
            f"{type(self).__name__} has no `extend`, because its own code evaluates candidates. "
            "Compare the candidates of interest with StatisticalGridSearchCV, whose `extend` adds "
            "splits."
        )
