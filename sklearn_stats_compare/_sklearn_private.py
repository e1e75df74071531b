"""The private parts of scikit-learn and joblib that the package uses; no other module imports any.

scikit-learn may change them in any release. All have been as they are here from 1.6 to 1.9, and the
tests of this module run on the oldest and the newest version in `pyproject.toml` and would fail.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

# The scorer of a search with several metrics; `_fit_and_score` checks for this class.
from sklearn.metrics._scorer import _MultimetricScorer as MultimetricScorer

# `_Scorer` is the class of scorers made by `make_scorer`. `_PassthroughScorer` replaces
# `scoring=None`: it calls the estimator's own `score`.
from sklearn.metrics._scorer import _PassthroughScorer, _Scorer

# A search that evaluates other candidates than a grid must be one: `evaluate_candidates` is a
# closure of its `fit`. Public as documentation of subclasses, but not exported.
from sklearn.model_selection._search import BaseSearchCV

# The numbers of training and test samples of `ShuffleSplit` and its kin, and whether a splitter
# makes the same splits at every call; both were the same from 1.6 to 1.9.
from sklearn.model_selection._split import _validate_shuffle_split as sizes_of_shuffle
from sklearn.model_selection._split import _yields_constant_splits as yields_constant_splits

# One fit of a search, and what a search says of fits that failed: a warning, or the error if all
# did. A search of this package evaluates its candidates in an order of its own.
from sklearn.model_selection._validation import _fit_and_score as fit_and_score
from sklearn.model_selection._validation import (
    _warn_or_raise_about_fit_failures as warn_or_raise_about_failures,
)

# Selects rows of any kind of data by index: arrays, lists, frames, sparse matrices. scikit-learn
# documents it as private. `resample` and `shuffle` are public and call it, but choose the rows
# themselves.
from sklearn.utils import _safe_indexing as take_rows

# `_parameter_constraints` is how estimators declare what `_validate_params` refuses; there is no
# public form of these (scikit-learn 1.9).
from sklearn.utils._param_validation import Interval, StrOptions, validate_parameter_constraints

# The number of samples of any kind of data: lists, arrays, sparse matrices, frames of any package,
# with scikit-learn's own errors. `check_consistent_length` and `indexable` are public and call it,
# but only compare the numbers.
from sklearn.utils.validation import _num_samples as count_samples

__all__ = [
    "BaseSearchCV",
    "Interval",
    "MultimetricScorer",
    "StrOptions",
    "count_samples",
    "estimator_passed_through",
    "fit_and_score",
    "in_place_of_parallel",
    "parameters_around",
    "parts_of_scorer",
    "says_that_all_fits_failed",
    "sizes_of_shuffle",
    "take_rows",
    "takes_weights",
    "unordered",
    "validate_parameter_constraints",
    "warn_or_raise_about_failures",
    "yields_constant_splits",
]


def parts_of_scorer(scorer: Any) -> tuple[Callable[..., Any], int, dict[str, Any], Any] | None:
    """Return score function, sign, arguments and response method of a scorer; None if it has none.

    Scorers made by `make_scorer` store them in these private attributes, which
    TunedThresholdClassifierCV reads too. A custom scorer must have all four, and must score by
    sign · score_func(y, response, **kwargs).
    """
    # A subclass that overrides how it scores.
    kind = type(scorer)
    if isinstance(scorer, _Scorer) and (
        kind._score is not _Scorer._score or kind.__call__ is not _Scorer.__call__
    ):
        return None
    function = getattr(scorer, "_score_func", None)
    sign, kwargs = getattr(scorer, "_sign", None), getattr(scorer, "_kwargs", None)
    method = getattr(scorer, "_response_method", None)
    if callable(function) and sign in (-1, 1) and isinstance(kwargs, dict) and method:
        return function, int(sign), kwargs, method
    return None


def estimator_passed_through(scorer: Any) -> Any:
    """Return the estimator whose own `score` a search's scorer calls; None for other scorers."""
    return scorer._estimator if isinstance(scorer, _PassthroughScorer) else None


def takes_weights(scorer: Any) -> bool:
    """Whether a search without metadata routing passes `sample_weight` to a scorer.

    ``BaseSearchCV._check_scorers_accept_sample_weight`` of 1.9 asks the same, and warns if not.
    Searches of 1.6, without that method, pass none.
    """
    if not hasattr(BaseSearchCV, "_check_scorers_accept_sample_weight"):
        return False
    if hasattr(scorer, "_accept_sample_weight"):
        return bool(scorer._accept_sample_weight())
    return "sample_weight" in inspect.signature(scorer).parameters


def says_that_all_fits_failed(error: ValueError) -> bool:
    """Whether an error is the one that ``cross_validate`` raises if every fit failed.

    scikit-learn has no class for it: `_warn_or_raise_about_fit_failures` of
    ``sklearn.model_selection._validation`` raises a ValueError whose text, from 1.6 to 1.9, is "All
    the 5 fits failed." and the tracebacks. If the text changes, a model that cannot be fitted
    raises instead of counting as missing.
    """
    return "fits failed" in str(error)


def parameters_around(is_part: Callable[[Any], bool]) -> Mapping[str, Any]:
    """Parameters that a search sets of an estimator with such a part, which it is fitting now.

    Empty if none does: scikit-learn's searches fit every candidate by `_fit_and_score`, and
    ``cross_validate`` passes it no parameters.
    """
    frame = inspect.currentframe()
    while frame is not None:
        if frame.f_code is fit_and_score.__code__:
            parameters, estimator = frame.f_locals["parameters"], frame.f_locals["estimator"]
            if parameters and any(map(is_part, [estimator, *estimator.get_params().values()])):
                return parameters
        frame = frame.f_back
    return {}


@contextmanager
def in_place_of_parallel(
    evaluate_candidates: Callable[..., Any], run: Callable[[Any, Iterator[Any]], Sequence[Any]]
) -> Iterator[None]:
    """Have scikit-learn call ``run(parallel, tasks)`` where it would call ``parallel(tasks)``.

    `evaluate_candidates` is a closure of ``BaseSearchCV.fit``, which evaluates all tasks at once,
    in a fixed order, and returns when the last has ended. `run` gets the same `Parallel` and tasks,
    and returns as many outcomes. All else of ``fit`` stays scikit-learn's: data, routing, scorers,
    checks, results, callbacks and the refit.

    Raises
    ------
    ValueError
        If it is another function, such as one that a subclass wraps around it.
    """
    names = getattr(getattr(evaluate_candidates, "__code__", None), "co_freevars", ())
    if "parallel" not in names:
        raise ValueError(
            "`ledger` and `max_time` must be None if a subclass wraps `evaluate_candidates` in its "
            "`_run_search`, because the candidates must be known beforehand."
        )
    cell = (evaluate_candidates.__closure__ or ())[names.index("parallel")]
    parallel = cell.cell_contents
    cell.cell_contents = lambda tasks: run(parallel, tasks)
    try:
        yield
    finally:
        cell.cell_contents = parallel


def unordered(parallel: Any, *, pre_dispatch: Any) -> bool:
    """Have a `Parallel` of joblib return outcomes as they come; False if its backend cannot.

    Another `Parallel` within the first would use the same backend object in a
    ``joblib.parallel_config``, and terminate it. These are the attributes that its `__init__` sets
    for ``return_as="generator_unordered"`` and ``batch_size=1`` (joblib 1.4 to 1.6).
    """
    # One worker is the calling thread, which needs nothing of a backend.
    able = parallel._backend.supports_return_generator or parallel._effective_n_jobs() == 1
    parallel.return_generator, parallel.return_ordered = able, not able
    parallel.batch_size = 1  # a task may hold several fits already
    parallel.pre_dispatch = pre_dispatch
    return able
