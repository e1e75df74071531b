"""WholeRun: scikit-learn's own search, once, over all candidates; its splits and outcomes kept."""

from collections.abc import Callable, Collection
from typing import Any

from sklearn.base import is_classifier

from sklearn_stats_compare.predictions import Responses
from sklearn_stats_compare.search.ledger import Ledger
from sklearn_stats_compare.search.runs._looking import Looked
from sklearn_stats_compare.search.runs._plan import Evaluated, Given, Hooks
from sklearn_stats_compare.search.runs._split_recorder import SplitRecorder
from sklearn_stats_compare.stats import SplitDesign


class WholeRun:
    """A fit as scikit-learn's search makes it.

    Parameters
    ----------
    given : Given
        What ``fit`` was given.
    """

    looked: Looked | None = None

    def __init__(self, given: Given) -> None:
        self.cv, self.verbose = given.cv, given.options.verbose
        self._given = given
        self._keeps = given.options.return_predictions
        self.fitted_attributes: dict[str, Any] = {"stopped_": None}
        self.note = ""
        # It stays empty where a subclass has a `_format_results` of its own.
        self._ledger = Ledger(0, 0)
        self._recorder: SplitRecorder | None = None

    @property
    def design(self) -> SplitDesign | None:
        """Of the splits, as soon as they are known."""
        return None if self._recorder is None else self._recorder.design

    @property
    def groups(self) -> Any:
        """Groups of samples that the splitter was given."""
        return None if self._recorder is None else self._recorder.groups

    @property
    def evaluated(self) -> Evaluated:
        """The outcomes; without a design where the search evaluated by itself."""
        if self._recorder is None or self._recorder.design is None:
            return Evaluated(None, (), self._ledger)
        recorder = self._recorder
        return Evaluated(recorder.design, recorder.split_keys, self._ledger)

    def search(self, evaluate_candidates: Callable[..., Any], context: Any, hooks: Hooks) -> None:
        """Have scikit-learn list the candidates, and evaluate them on recorded splits."""
        recorder = SplitRecorder(
            hooks.search.cv,
            classifier=is_classifier(self._given.options.estimator),
            keep_tests=bool(self._keeps),
        )
        # scikit-learn 1.9 passes a context to `_run_search`; that of 1.6 has no such parameter.
        options = {} if context is None else {"callback_ctx": context}
        self._recorder = recorder

        def evaluate(candidates: Any, **more: Any) -> Any:
            candidates = list(candidates)  # as scikit-learn does
            if self._keeps:
                recorder.check = lambda design: self._given.check_keeping(len(candidates), design)
            # Through the `cv` argument, so that the search keeps the user's splitter.
            return evaluate_candidates(candidates, cv=recorder, **more)

        hooks.run_search(evaluate, **options)

    def format_results(
        self, hooks: Hooks, candidates: Any, n_splits: int, outcomes: Any, more: Any
    ) -> Any:
        """``cv_results_`` as scikit-learn has it."""
        # Called again after each `evaluate_candidates`, with all outcomes so far.
        kept = None
        if self._keeps and self._recorder is not None and self._recorder.is_steady:
            kept = Responses(are_values=self._keeps == "values").widened(
                self._recorder.tests, self._recorder.n_samples
            )
        self._ledger = Ledger(len(candidates), n_splits, kept)
        self._ledger.fill(range(len(candidates)), range(n_splits), outcomes)
        return hooks.format_results(candidates, n_splits, outcomes, more)

    def continues_after(self, error: BaseException) -> bool:
        """False: nothing is saved."""
        return False

    def note_saved(self, error: BaseException) -> None:
        """Nothing is saved."""

    def close(self, changed: Collection[str]) -> None:
        """There is nothing to let go of."""
