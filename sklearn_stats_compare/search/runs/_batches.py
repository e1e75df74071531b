"""BatchedRun: a fit of a search that lists its candidates itself, in one batch or many."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare.predictions._responses import Responses, responses_of
from sklearn_stats_compare.search.ledger._ledger import Outcomes
from sklearn_stats_compare.search.runs._plans import Evaluated, FitContext, Hooks, Stage
from sklearn_stats_compare.search.runs._run import tested_samples
from sklearn_stats_compare.stats._design import SplitDesign, split_keys


class BatchedRun:
    """A fit whose `_run_search` evaluates candidates in batches, with splitters of its own.

    scikit-learn's own loop evaluates each batch. The batches of a halving search that have the same
    ``iter`` are a stage; in other searches all batches are one.

    Parameters
    ----------
    given : FitContext
        What ``fit`` was given.
    """

    interim: None = None
    note = ""

    def __init__(self, given: FitContext) -> None:
        self.cv = given.cv
        self.fitted_attributes: dict[str, Any] = {}
        self._given = given
        self._keeps = given.options.return_predictions
        self._recorder: SplitRecorder | None = None
        self._stages: dict[Any, Stage] = {}
        self._stage: Any = None
        self._n_formatted = 0
        self._outcomes: Any = ()

    @property
    def design(self) -> SplitDesign | None:
        """Of the splits, as soon as they are known."""
        return None if self._recorder is None else self._recorder.design

    @property
    def groups(self) -> Any:
        """Groups of samples that the splitter was given."""
        return None if self._recorder is None else self._recorder.groups

    @property
    def tested(self) -> NDArray[np.intp] | None:
        """Rows of the data that the last stage tested."""
        return next((stage.tested for stage in reversed(self._stages.values())), None)

    @property
    def evaluated(self) -> Evaluated:
        """The outcomes, and the design of the last stage; none if nothing was recorded."""
        stages = tuple(self._stages.values())
        if not stages or self._recorder is None:
            return Evaluated(None, (), Outcomes(0, 0))
        last, n_splits = stages[-1], stages[-1].design.n_splits
        ledger = Outcomes(self._n_formatted, n_splits)
        for k, outcome in enumerate(self._outcomes):
            ledger.enter(divmod(k, n_splits), outcome)
        if self._keeps:
            # Of the last stage, because the test samples of the others may be different ones.
            ledger.responses = Responses(are_values=self._keeps == "values").widened(
                self._recorder.tests, self._recorder.n_samples
            )
            for i in last.rows:
                for j in range(n_splits):
                    outcome = self._outcomes[i * n_splits + j]
                    ledger.responses.enter(i, j, responses_of(outcome))
        return Evaluated(last.design, last.split_keys, ledger, stages=stages)

    def search(self, evaluate_candidates: Callable[..., Any], context: Any, hooks: Hooks) -> None:
        """Have the search evaluate its batches on recorded splits."""
        # A `fit` of its own may search more than once; scikit-learn keeps the last results.
        self._stages, self._n_formatted = {}, 0

        # Without keywords only, because halving passes `cv` by its place.
        def evaluate(
            candidate_params: Any, cv: Any = None, more_results: Any = None, **more: Any
        ) -> Any:
            candidates = list(candidate_params)
            recorder = self._recorder = SplitRecorder(
                hooks.search.cv if cv is None else cv,
                classifier=is_classifier(self._given.options.estimator),
            )
            recorder.check = lambda design: self._begin(
                recorder, design, len(candidates), more_results or {}
            )
            if more_results is not None:
                more["more_results"] = more_results
            return evaluate_candidates(candidates, cv=recorder, **more)

        # scikit-learn 1.9 passes a context to a `_run_search` that takes one. Searches written for
        # earlier versions take none.
        takes = inspect.signature(hooks.run_search).parameters
        takes_context = context is not None and "callback_ctx" in takes
        hooks.run_search(evaluate, **({"callback_ctx": context} if takes_context else {}))

    def format_results(
        self, hooks: Hooks, candidates: Any, n_splits: int, outcomes: Any, more: Any
    ) -> Any:
        """``cv_results_`` as the search makes it; the new rows are of the stage that runs."""
        stage = self._stages.get(self._stage)
        if stage is not None:
            new = range(self._n_formatted, len(candidates))
            self._stages[self._stage] = replace(stage, rows=(*stage.rows, *new))
        self._n_formatted, self._outcomes = len(candidates), outcomes
        return hooks.format_results(candidates, n_splits, outcomes, more)

    def check(self, search: Any) -> None:
        """Raise TypeError unless all candidates in ``cv_results_`` were recorded."""
        results = getattr(search, "cv_results_", None)
        params = results.get("params") if isinstance(results, Mapping) else None
        n_rows = 0 if params is None else len(params)
        n_recorded = sum(len(stage.rows) for stage in self._stages.values())
        if n_recorded and n_recorded == n_rows:
            return
        raise TypeError(
            "`StatisticalSearchMixin` needs a search that evaluates all candidates through the "
            f"`evaluate_candidates` of scikit-learn's BaseSearchCV; {type(search).__name__} has "
            f"{n_rows} candidates in cv_results_, and {n_recorded} were recorded. A `fit`, "
            "`_run_search` or `_format_results` of its own must call the one it overrides."
        )

    def note_saved(self, error: BaseException) -> None:
        """Nothing is saved."""

    def close(self, changed: Collection[str]) -> None:
        """There is nothing to let go of."""

    def _begin(
        self, recorder: SplitRecorder, design: SplitDesign, n: int, more: Mapping[str, Any]
    ) -> None:
        """Note the splits of a batch before its first fit; ValueError if its stage has others."""
        iterations = more.get("iter", ())
        # The two columns that `BaseSuccessiveHalving._run_search` of scikit-learn adds.
        halves = len(iterations) > 0 and "n_resources" in more
        self._stage = iterations[0] if halves else None
        known = self._stages.get(self._stage)
        if known is None:
            self._given.keeps(n, design)
            if halves:
                # Subsamples of the folds have more samples in common than independent draws from
                # all samples: with a seed, scikit-learn takes the same places of every fold. An
                # unknown pool gives the larger correction, as if the subsample were all data.
                design = replace(design, n_samples=None)
            resources = more["n_resources"][0] if halves else None
            tested = np.unique(np.concatenate(recorder.tests))
            self._stages[self._stage] = Stage(
                (), design, recorder.split_keys, n_resources=resources, tested=tested
            )
        elif known.split_keys != recorder.split_keys:
            raise ValueError(
                "`cv` must make the same splits for all candidates that are compared; got others "
                f"for batch {known.n_batches + 1} than for the batches before, so that differences "
                "of scores would be differences of splits too. Give the splitter an integer "
                f"`random_state`, or pass a list of splits. `cv` is {recorder.cv!r}."
            )
        else:
            self._stages[self._stage] = replace(known, n_batches=known.n_batches + 1)


class SplitRecorder:
    """A splitter that hands on another's splits and keeps their sizes and structure.

    It splits once and describes the very splits that it hands on, so that an unseeded shuffle
    needs no second look and the indices need not be kept.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        As for scikit-learn's searches.
    classifier : bool
        Whether the estimator is a classifier, for which scikit-learn stratifies.

    Attributes
    ----------
    design : SplitDesign or None
        Of the splits that were handed on; None before, and where their indices cannot be read.
    split_keys : tuple of str
        Of the same splits.
    tests : list of ndarray
        Test samples of the same splits.
    n_samples : int
        Number of samples of the data.
    groups : array-like or None
        What the splitter was given as `groups`, whatever ``fit`` calls it.
    check : callable or None
        Called with the design, before the first fit.
    """

    def __init__(self, cv: Any, *, classifier: bool) -> None:
        self.cv = cv
        self.classifier = classifier
        self.tests: list[NDArray[np.intp]] = []
        self.n_samples = 0
        self.groups: Any = None
        self.check: Callable[[SplitDesign], None] | None = None
        self.design: SplitDesign | None = None
        self.split_keys: tuple[str, ...] = ()

    def split(self, X: Any, y: Any = None, **params: Any) -> Iterator[tuple[Any, Any]]:
        """Split as `cv` does; `params` are what metadata routing, or `groups=`, brings."""
        # With `y`, as `BaseSearchCV.fit` calls it: it stratifies if `y` holds classes.
        splits = list(check_cv(self.cv, y, classifier=self.classifier).split(X, y, **params))
        n_samples = count_samples(X)
        self.groups = params.get("groups")
        try:
            self.design = SplitDesign.from_indices(splits, n_samples) if splits else None
            self.split_keys = tuple(split_keys(splits, n_samples))
            self.tests, self.n_samples = tested_samples(splits, n_samples), n_samples
        except (IndexError, TypeError, ValueError):
            self.design = None  # scikit-learn refuses bad indices, in its own words
        if self.check is not None and self.design is not None:
            self.check(self.design)
        return iter(splits)
