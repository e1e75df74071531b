"""RacingSearchMixin: what turns a compared search into a race."""

import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import StrOptions

from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.comparison._labels import candidate_labels
from sklearn_stats_compare.comparison._results import survivors
from sklearn_stats_compare.comparison._text import count
from sklearn_stats_compare.search._blocks import BlockSplitter
from sklearn_stats_compare.search._ledger import Ledger
from sklearn_stats_compare.search._mixin import StatisticalSearchMixin
from sklearn_stats_compare.search._selection import SelectionRule
from sklearn_stats_compare.stats import SplitDesign, SplitScores
from sklearn_stats_compare.stats._checks import check_option
from sklearn_stats_compare.stats._elimination import STRATEGIES, RaceResult, RaceStep, race
from sklearn_stats_compare.stats._warnings import outside_level

RACING_CONSTRAINTS: dict[str, list[Any]] = {
    "strategy": [StrOptions(set(STRATEGIES))],
    "race_metric": [str, None],
    "random_state": ["random_state"],
}

# Scorers whose lowest and highest score are known, by the beginning of their names.
_BOUNDS: dict[tuple[str, ...], tuple[float, float]] = {
    ("accuracy", "balanced_accuracy", "top_k_accuracy", "average_precision"): (0.0, 1.0),
    ("f1", "precision", "recall", "jaccard", "roc_auc"): (0.0, 1.0),
    ("matthews_corrcoef",): (-1.0, 1.0),
}


class _Running:
    """What a race keeps on the search while it runs; pickled, as for workers, it is empty."""

    def __init__(self) -> None:
        self.n_seen = 0
        self.block: list[dict[str, Any]] = []
        self.results: dict[str, Any] = {}

    def __reduce__(self) -> tuple[type["_Running"], tuple[()]]:
        return type(self), ()


class RacingSearchMixin(StatisticalSearchMixin):
    """A race: candidates that cannot win any more stop being fitted.

    Stands before one of scikit-learn's searches among the bases, which says what `_candidates` are.
    """

    strategy: str
    race_metric: str | None
    random_state: Any
    # What fit leaves.
    race_history_: pd.DataFrame
    race_order_: NDArray[np.intp]
    race_labels_: tuple[str, ...]
    race_metric_: str
    n_fits_: int
    n_fits_full_: int
    n_splits_: int

    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Run the race over all sets of parameters, and record the sizes of the splits.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            Training vectors; for a precomputed kernel or distance matrix it is square.
        y : array-like of shape (n_samples, n_output) or (n_samples,), default=None
            Target relative to X; None for unsupervised learning.
        **params : dict of str -> object
            Parameters passed to the ``fit`` method of the estimator, the scorer and the splitter,
            as for scikit-learn's searches.

        Returns
        -------
        self : object
            The fitted search.

        Raises
        ------
        ValueError
            If `cv` makes fewer than 10 splits, `refit` is a callable that is none of this package's
            rules, or several metrics are scored and none of them is named to race by.
        """
        try:
            super().fit(X, y, **params)
        finally:
            raced = self.__dict__.pop("_raced", {})
        # As all else, last: a fit that fails leaves the one before it whole.
        vars(self).update(raced)
        return self

    def _cv_for_fit(self, cv: Any) -> Any:
        self._validate_params()  # `cv` while it is the user's own
        refit: Any = self.refit  # type: ignore[attr-defined]
        if callable(refit) and not isinstance(refit, SelectionRule):
            raise ValueError(
                "`refit` must be a metric's name, a bool or a rule such as "
                "SimplestPossiblyBest('C') in a race: another callable might choose a candidate "
                f"that was dropped; got {refit!r}."
            )
        scoring: Any = self.scoring  # type: ignore[attr-defined]
        # A `refit` that several metrics do not allow is for scikit-learn to refuse, in its words.
        if self.race_metric is not None or refit is False:
            if isinstance(scoring, list | tuple | set | dict):
                self._metric_to_race_by(list(scoring))
            elif not callable(scoring):
                self._metric_to_race_by(["score"])
        return BlockSplitter(cv, classifier=is_classifier(self.estimator))  # type: ignore[attr-defined]

    def _candidates(self) -> Sequence[dict[str, Any]]:
        """All candidates, in the order of the search that does not race."""
        raise NotImplementedError

    def _run_search(
        self, evaluate_candidates: Callable[..., Any], *, callback_ctx: Any = None
    ) -> None:
        splitter: BlockSplitter = self.cv
        candidates = list(self._candidates())
        error_score: Any = self.error_score  # type: ignore[attr-defined]
        design = splitter.design
        order = _random_order(design, check_random_state(self.random_state))
        ledger = Ledger(len(candidates), design.n_splits)
        self._running = running = _Running()
        metric: str | None = None
        unknown: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
        nothing_fits: ValueError | None = None
        n_blocks = design.n_splits // splitter.block
        search = _begun(callback_ctx, self, "search", n_blocks, sequential_subtasks=True)

        def evaluate(rows: NDArray[np.intp], positions: NDArray[np.intp]) -> NDArray[np.float64]:
            nonlocal metric, nothing_fits
            splits = order[positions]
            splitter.serve(splits)
            n_fits = rows.size * splits.size
            block = _begun(search, self, "racing-block", n_fits, sequential_subtasks=False)
            context = {} if block is None else {"callback_ctx": block}
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", FitFailedWarning)  # told once, at the end
                    evaluate_candidates([candidates[row] for row in rows], cv=splitter, **context)
            except ValueError as failure:
                # How scikit-learn says that every fit of the block failed.
                if "fits failed" not in str(failure) or error_score == "raise":
                    raise
                nothing_fits = failure
                unknown.append((rows, splits))
            else:
                ledger.fill(rows, splits, running.block)
            _end(block, self)
            if not ledger.ran.any():  # what an outcome looks like is not known yet
                return np.full((rows.size, splits.size), float(error_score))
            while unknown:
                ledger.fail(*unknown.pop(), error_score, str(nothing_fits))
            if metric is None:
                metric = self._metric_to_race_by(ledger.metrics())
            return ledger.scores(rows, splits, metric)

        labels = candidate_labels(candidates)
        try:
            result = race(
                evaluate,
                len(candidates),
                design.n_splits,
                alpha=self.alpha,
                strategy=self.strategy,
                bounds=self._bounds(candidates),
                columns=order,
                after_step=lambda step: self._tell(step, labels, design.n_splits),
            )
        finally:
            del self._running
            splitter.forget()
        _end(search, self)
        if not ledger.ran.any():
            assert nothing_fits is not None
            raise nothing_fits
        self._tell_failures(ledger)
        self._recorded = design
        self._raced = {
            "race_metric_": metric,
            "race_order_": order,
            "race_labels_": labels,
            "race_history_": _history(result, labels),
            "n_fits_": int(result.n_evaluated.sum()),
            "n_fits_full_": len(candidates) * design.n_splits,
            "n_splits_": design.n_splits,  # during the race it was a block's
        }
        running.results.update(self._rendered(candidates, ledger, result))

    def _format_results(
        self, candidate_params: Any, n_splits: int, out: Any, more_results: Any = None
    ) -> dict[str, Any]:
        running: _Running = self._running
        running.block, running.n_seen = list(out[running.n_seen :]), len(out)
        # scikit-learn keeps what it gets here last; it is filled when the race is over.
        return running.results

    def _rendered(
        self, candidates: list[dict[str, Any]], ledger: Ledger, result: RaceResult
    ) -> dict[str, Any]:
        """``cv_results_`` of the whole ledger, splits in the order of the user's cv."""
        eliminated = np.where(result.alive, np.nan, result.n_evaluated)
        more = {
            "n_splits_evaluated": result.n_evaluated,
            "eliminated_at": eliminated,
            "elimination_pvalue": result.pvalue,
        }
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="One or more of the .* scores are non-finite")
            results: dict[str, Any] = super()._format_results(
                candidates, ledger.n_splits, ledger.rows(), more
            )
        # Cells that were not run are no news; scores that were, are.
        ran = ledger.ran
        for part in ("test", "train"):
            bad = np.zeros(ledger.n_candidates, dtype=bool)
            for key, scores in results.items():
                if key.startswith("split") and f"_{part}_" in key:
                    split = int(key.removeprefix("split").partition("_")[0])
                    bad |= ran[:, split] & ~np.isfinite(scores)
            if bad.any():
                named = ", ".join(map(str, np.flatnonzero(bad)[:20]))
                rest = ", …" if bad.sum() > 20 else ""
                warnings.warn(
                    f"One or more of the {part} scores are non-finite, those of "
                    f"{count(int(bad.sum()), 'candidate')}: {named}{rest}",
                    UserWarning,
                    stacklevel=outside_level(),
                )
        return results

    def _tell_failures(self, ledger: Ledger) -> None:
        """scikit-learn's warning of fits that failed, once for the whole race."""
        errors = Counter(
            outcome["fit_error"] for outcome in ledger.rows() if outcome["fit_error"] is not None
        )
        if errors:
            details = "\n".join(
                f"{n} fits failed with the following error:\n{error}" for error, n in errors.items()
            )
            warnings.warn(
                f"\n{errors.total()} fits failed out of a total of {ledger.ran.sum()}.\n"
                "The score on these train-test partitions for these parameters will be set to "
                f"{self.error_score}.\n\n{details}",  # type: ignore[attr-defined]
                FitFailedWarning,
                stacklevel=outside_level(),
            )

    def _metric_to_race_by(self, metrics: list[str]) -> str:
        refit: Any = self.refit  # type: ignore[attr-defined]
        scoring: Any = self.scoring  # type: ignore[attr-defined]
        if self.race_metric is not None:
            if metrics == ["score"] and self.race_metric == scoring:
                return "score"
            return str(check_option("race_metric", self.race_metric, metrics))
        if len(metrics) == 1:
            return metrics[0]
        named = refit.metric if isinstance(refit, SelectionRule) else refit
        if isinstance(named, str) and named in metrics:
            return named
        raise ValueError(
            f"`race_metric` must be one of {', '.join(metrics)} where `refit` names none of them; "
            f"got {self.race_metric!r}."
        )

    def _bounds(self, candidates: Sequence[dict[str, Any]]) -> tuple[float, float] | None:
        """Lowest and highest score of the metric, where the scorer's name tells them."""
        scoring: Any = self.scoring  # type: ignore[attr-defined]
        if isinstance(scoring, list | tuple | set):
            scoring = self._metric_to_race_by(list(scoring))
        elif isinstance(scoring, dict):
            scoring = scoring[self._metric_to_race_by(list(scoring))]
        if scoring is None and self._scores_by_accuracy(candidates):
            scoring = "accuracy"
        if not isinstance(scoring, str):
            return None
        bounds = next((b for names, b in _BOUNDS.items() if scoring.startswith(names)), None)
        error_score = self.error_score  # type: ignore[attr-defined]
        if bounds is None or error_score == "raise" or np.isnan(error_score):
            return bounds
        return min(bounds[0], error_score), max(bounds[1], error_score)

    def _scores_by_accuracy(self, candidates: Sequence[dict[str, Any]]) -> bool:
        """Whether the estimator's own score, a pipeline's last step's, is a classifier's."""
        estimator: Any = self.estimator  # type: ignore[attr-defined]
        while hasattr(estimator, "steps"):
            estimator = estimator.steps[-1][1]
            if any(hasattr(value, "fit") for params in candidates for value in params.values()):
                return False  # a step may be another one in some candidate
        return getattr(type(estimator), "score", None) is ClassifierMixin.score

    def _tell(self, step: RaceStep, labels: Sequence[str], n_splits: int) -> None:
        if self.verbose > 0:  # type: ignore[attr-defined]
            leader = "" if step.leader is None else f", leader {labels[step.leader]}"
            print(
                f"[race] after {step.n_splits} of {n_splits} splits: {step.dropped.size} dropped, "
                f"{count(step.n_alive, 'candidate')} left{leader}"
            )

    def _new_comparison(self, scores: SplitScores, **options: Any) -> Comparison:
        """Of the candidates that finished, and it says so."""
        rows, told = survivors(self.cv_results_)
        return Comparison(
            SplitScores(scores.values[rows], scores.design),
            [self.race_labels_[i] for i in rows],
            params=[self.cv_results_["params"][i] for i in rows],
            **told,
            **options,
        )


def _random_order(design: SplitDesign, random_state: np.random.RandomState) -> NDArray[np.intp]:
    """Order of the splits: repeats in random order, and the splits within each."""
    repeat = design.repeat
    if (repeat < 0).any():
        return random_state.permutation(design.n_splits)
    order = [
        random_state.permutation(np.flatnonzero(repeat == number))
        for number in random_state.permutation(np.unique(repeat))
    ]
    return np.concatenate(order)


def _history(result: RaceResult, labels: Sequence[str]) -> pd.DataFrame:
    steps = result.steps
    return pd.DataFrame(
        {
            "look": pd.array([step.look for step in steps], dtype="Int64"),
            "n_splits": [step.n_splits for step in steps],
            "alive": [step.n_alive for step in steps],
            "dropped": [step.dropped.size for step in steps],
            "leader": [None if step.leader is None else labels[step.leader] for step in steps],
            "n_fits": [step.n_fits for step in steps],
        }
    )


def _begun(context: Any, search: Any, name: str, n_subtasks: int, **options: bool) -> Any:
    """A subcontext for scikit-learn's callbacks (from 1.9 on), begun; None without."""
    if context is None:
        return None
    sub = context.subcontext(task_name=name, max_subtasks=n_subtasks, **options)
    return sub.call_on_fit_task_begin(estimator=search)


def _end(context: Any, search: Any) -> None:
    if context is not None:
        context.call_on_fit_task_end(estimator=search)
