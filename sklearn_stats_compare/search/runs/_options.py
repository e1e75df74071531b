"""Options: what a run and its plan read of the parameters of their search."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from sklearn.model_selection import ParameterGrid, ParameterSampler

from sklearn_stats_compare.stats import pair_test

SETTINGS = ("alternative", "p_adjust", "rope", "alpha", "test")


@dataclass(frozen=True, eq=False)
class Options:
    """Parameters of a search as they were when a fit began.

    A run has these and not the search, so that nothing in it can write to the search, and a test
    can make one by hand.

    Attributes
    ----------
    estimator, scoring, refit, cv, n_jobs, pre_dispatch, verbose, error_score, return_train_score
        As scikit-learn's searches have them.
    settings : mapping
        Those of comparisons.
    draws_candidates : bool
        Whether candidates are drawn from distributions.
    random_state : int, RandomState or None
        Of a randomized search, or of a race.
    ledger_block, ledger_strict, retry_failed, return_predictions
        As `StatisticalGridSearchCV` has them.
    strategy, race_metric, look, tolerance, eliminate
        As `RacingGridSearchCV` has them; None for other searches.
    keeps_for_looks : bool
        Whether values of samples are kept only because a race looks at them.
    """

    estimator: Any
    scoring: Any
    refit: Any
    cv: Any
    n_jobs: int | None
    pre_dispatch: int | str
    verbose: int
    error_score: Any
    return_train_score: bool
    settings: Mapping[str, Any]
    draws_candidates: bool
    random_state: Any
    ledger_block: int | None
    ledger_strict: bool
    retry_failed: bool
    return_predictions: bool | str
    strategy: str | None
    race_metric: str | None
    look: str | None
    tolerance: float | None
    eliminate: str | None
    keeps_for_looks: bool

    @classmethod
    def of(cls, search: Any) -> Self:
        """Options of a search, whose own parameters they are for the time of the fit."""
        settings = {name: getattr(search, name) for name in SETTINGS}
        # A user may change a list in place after the fit.
        if isinstance(search.rope, list):
            settings["rope"] = tuple(search.rope)
        keeps = search.return_predictions or (_is_of_samples(search.test) and "values")
        look = getattr(search, "look", None)  # of races only, as those below
        return cls(
            estimator=search.estimator,
            scoring=search.scoring,
            refit=search.refit,
            cv=search.cv,
            n_jobs=search.n_jobs,
            pre_dispatch=search.pre_dispatch,
            verbose=search.verbose,
            error_score=search.error_score,
            return_train_score=search.return_train_score,
            settings=settings,
            draws_candidates=hasattr(search, "param_distributions"),  # a randomized search
            random_state=getattr(search, "random_state", None),
            ledger_block=search.ledger_block,
            ledger_strict=search.ledger_strict,
            retry_failed=search.retry_failed,
            return_predictions=keeps or (look in ("auto", "samples") and "values"),
            strategy=getattr(search, "strategy", None),
            race_metric=getattr(search, "race_metric", None),
            look=look,
            tolerance=getattr(search, "tolerance", None),
            eliminate=getattr(search, "eliminate", None),
            keeps_for_looks=not keeps and look in ("auto", "samples"),
        )


def _is_of_samples(test: Any) -> bool:
    """Whether a test needs the predictions; False of what scikit-learn is to refuse."""
    try:
        return not pair_test(test).of_splits
    except ValueError:
        return False


def candidates_of(search: Any) -> list[dict[str, Any]]:
    """All candidates of a search, in scikit-learn's order."""
    # As `_run_search` of RandomizedSearchCV and of GridSearchCV lists them.
    if hasattr(search, "param_distributions"):
        return list(
            ParameterSampler(
                search.param_distributions, search.n_iter, random_state=search.random_state
            )
        )
    return list(ParameterGrid(search.param_grid))


class ReadOnce:
    """An iterable of splits that reads another, perhaps a generator, once and then remembers.

    It reads nothing before the first iteration: a search that is refused for its parameters leaves
    the generator as it was.
    """

    def __init__(self, splits: Iterable[Any]) -> None:
        self._splits = splits

    def __iter__(self) -> Iterator[Any]:
        if not isinstance(self._splits, list):
            self._splits = list(self._splits)
        return iter(self._splits)


def read_once(cv: Any) -> Any:
    """`cv`, or where it is an iterable of splits, one that is read once and can be read again."""
    # The distinction that `check_cv` makes: an iterable without `split` is one of splits.
    is_splits = isinstance(cv, Iterable) and not isinstance(cv, str) and not hasattr(cv, "split")
    return ReadOnce(cv) if is_splits else cv
