"""BlockRun: a fit that goes block by block, and asks scikit-learn only for what is not known."""

import copy
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import check_cv
from sklearn.utils.validation import _num_samples

from sklearn_stats_compare.comparison._text import count
from sklearn_stats_compare.search._blocks import BlockSplitter
from sklearn_stats_compare.search._chance import warn_of_chance
from sklearn_stats_compare.search._further_splits import check_alike
from sklearn_stats_compare.search._identity import Identity
from sklearn_stats_compare.search._keys import candidate_keys, split_keys, splitter_key
from sklearn_stats_compare.search._ledger import Ledger
from sklearn_stats_compare.search._ledger_file import LedgerFile
from sklearn_stats_compare.search._plan import FitRecord, Plan
from sklearn_stats_compare.stats import SplitDesign
from sklearn_stats_compare.stats._splits import as_index
from sklearn_stats_compare.stats._warnings import outside_level

Chosen = NDArray[np.intp]

_SAME = 1e-12
"""How far the scores of a fit may lie from those that the same fit had before."""


class BlockRun:
    """What a search keeps while it fits block by block; pickled, as for workers, it is nothing.

    Parameters
    ----------
    search : BaseSearchCV
        Whose fits they are.
    plan : Plan
        What is evaluated.
    identity : mapping or None
        What the outcomes belong to; None where there is no file and it cannot be known again.
    known : FitRecord, optional
        Of the fit that is extended.
    candidates : sequence of dict, optional
        Of the fit that is extended. Default: the search's own.
    """

    def __init__(
        self,
        search: Any,
        plan: Plan,
        identity: Identity | None,
        known: FitRecord | None = None,
        candidates: Sequence[dict[str, Any]] | None = None,
    ) -> None:
        self.plan = plan
        self.design: SplitDesign | None = None
        self.ledger = Ledger(0, 0)
        self.split_keys: list[str] = []
        self.n_batches = 0
        self.splitter = BlockSplitter(search.cv, self._begin)
        self.candidates = list(candidates or ())
        self.results: dict[str, Any] = {}
        self.more: dict[str, Any] = {}
        self.left: dict[str, Any] = {}
        self._search = search
        self._identity = identity
        self._known = known
        self._file: LedgerFile | None = None
        self._candidate_keys: list[str] = []
        self._asked = self._reused = self.ledger.ran
        self._splits: dict[int, tuple[Any, Any]] = {}
        self._data: tuple[Any, Any, Mapping[str, Any]] = (None, None, {})
        self._evaluate: Callable[..., Any] | None = None
        self._context: Any = None
        self._n_seen = 0
        self._outcomes: list[dict[str, Any]] = []
        self._unknown: list[tuple[Chosen, Chosen]] = []
        self._nothing_fits: ValueError | None = None
        self._answered = False

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return object, ()

    @property
    def n_splits(self) -> int:
        """Number of splits that were taken."""
        return self.ledger.n_splits

    @property
    def n_evaluated(self) -> NDArray[np.int64]:
        """Number of splits that each candidate was asked to be evaluated on."""
        return self._asked.sum(axis=1)

    @property
    def data(self) -> tuple[Any, Any, Mapping[str, Any]]:
        """X, y and what is routed to the splitter, while the search runs."""
        return self._data

    def take(self, cv: Any, *, of_any_size: bool = True) -> Chosen:
        """Take the splits of `cv` beside those that there are; return their columns.

        Raises
        ------
        ValueError
            If it makes none, or splits that are no indices, were there before, or are not those of
            the file; or, with `of_any_size` False, that train on more or less than those.
        """
        splits = self._split(cv)
        if not splits:
            raise ValueError(
                "No fits were performed. Was the CV iterator empty? Were there no candidates?"
            )
        n_samples = _num_samples(self._data[0])
        try:
            keys = split_keys(splits, n_samples)
        except (IndexError, TypeError, ValueError):
            raise ValueError("`cv` must hand out (train, test) indices of samples.") from None
        are_new = not any("-" in key or key in self.split_keys for key in keys)
        if not of_any_size and are_new and self.design is not None:
            # Before the file gets to know them.
            check_alike(self.design, SplitDesign.from_indices(splits, n_samples))
        if self._file is not None:
            keys, splits = self._settled(self._file, cv, keys, splits, n_samples)
        # One that comes twice has a number at the end of its key.
        again = sum("-" in key or key in self.split_keys for key in keys)
        if self.n_batches > 0 and again:
            raise ValueError(
                f"`cv` must make splits that there are not yet; {again} of its {len(keys)} are "
                "there already, or come twice."
            )
        design = SplitDesign.from_indices(splits, n_samples)
        columns = np.arange(self.n_splits, self.n_splits + len(splits))
        self.design = design if self.design is None else self.design.followed_by(design)
        self.split_keys += keys
        self.ledger = self.ledger.widened(len(splits))
        self._asked, self._reused = (
            np.pad(cells, ((0, 0), (0, len(splits)))) for cells in (self._asked, self._reused)
        )
        self._splits.update(zip(columns.tolist(), splits, strict=True))
        self.n_batches += 1
        if self._file is not None:
            before = self.ledger.ran
            self._file.load(self.ledger, self._candidate_keys, self.split_keys)
            found = self.ledger.ran & ~before
            self._reused |= found
            if self._search.verbose > 0 and found.any():
                print(f"[ledger] {found.sum():,} of {found.size:,} fits are done already")
        return columns

    def block_size(self, rows: Chosen, columns: Chosen) -> int:
        """The most splits at a time with which whatever is lacking can be fitted exactly."""
        lacking = self.ledger.lacks(rows, columns).sum(axis=1)
        return math.gcd(*lacking.tolist()) or columns.size

    def run_all(self, rows: Chosen, columns: Chosen) -> None:
        """See to it that the ledger has these cells, whichever are lacking."""
        self._asked[np.ix_(rows, columns)] = True
        lacks = self.ledger.lacks(rows, columns)
        patterns: dict[bytes, list[int]] = {}
        for k in np.flatnonzero(lacks.any(axis=1)):
            patterns.setdefault(lacks[k].tobytes(), []).append(int(k))
        size = self.splitter.block
        for alike in patterns.values():
            todo = columns[lacks[alike[0]]]
            for first in range(0, todo.size, size):
                self.run(rows[alike], todo[first : first + size])

    def run(self, rows: Chosen, columns: Chosen) -> None:
        """See to it that the ledger has these cells; `columns` are as many as make a block."""
        self._asked[np.ix_(rows, columns)] = True
        todo = rows[self.ledger.lacks(rows, columns).any(axis=1)]
        size = todo.size if self._file is None else self._n_candidates_at_once()
        for start in range(0, todo.size, max(1, size)):
            self._run_block(todo[start : start + size], columns)

    def order(self, drawn: Chosen) -> Chosen:
        """The order of splits that the file has from before, else the one that was drawn."""
        return drawn if self._file is None else np.array(self._file.order(drawn.tolist()))

    def search(self, evaluate_candidates: Callable[..., Any], callback_ctx: Any) -> FitRecord:
        """Evaluate what the plan asks for with scikit-learn's `evaluate_candidates`.

        Raises
        ------
        ValueError
            If all fits failed, as scikit-learn says it.
        """
        self._evaluate = evaluate_candidates
        self._context = _begun(callback_ctx, self._search, "search", sequential_subtasks=True)
        self.more = self.plan.evaluate(self)
        if not self.ledger.n_ran:
            assert self._nothing_fits is not None
            raise self._nothing_fits
        if not self._answered:
            self._check()
        _end(self._context, self._search)
        # The file may know of cells that were not asked for.
        asked = self.ledger.only(self._asked)
        self._tell_failures(asked)
        self.left = {"n_splits_": self.n_splits, **self.plan.left(self)}
        if self._file is not None:
            self.left["n_reused_"] = int(np.count_nonzero(self._reused & self._asked))
        assert self.design is not None
        keys = tuple(self.split_keys)
        return FitRecord(self.design, keys, asked, self._identity, self.n_batches)

    def collect(self, outcomes: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Take the newest of the outcomes so far, as ``_format_results`` is given them.

        scikit-learn keeps what it gets last for ``cv_results_``; it is filled in the end.
        """
        self._outcomes, self._n_seen = list(outcomes[self._n_seen :]), len(outcomes)
        return self.results

    @property
    def n_saved(self) -> int:
        """Number of fits that the file has for good; −1 where nothing is being saved."""
        return self.ledger.n_ran if self._file is not None and self._file.is_saving else -1

    def tell_saved(self, error: BaseException) -> None:
        """Add to an error that ends the search how much of it will not be fitted again."""
        if self.n_saved > 0:
            error.add_note(
                f"{count(self.n_saved, 'fit')} of this search are in its `ledger` and will not be "
                "fitted again when it is started anew."
            )

    def close(self) -> None:
        """Let go of the file, and of the splits, which may be larger than the data."""
        self._data, self._splits = (None, None, {}), {}
        self.splitter.forget()
        if self._file is not None:
            self._file.close()

    def _begin(self, X: Any, y: Any, params: Mapping[str, Any]) -> int:
        self._data = X, y, params
        self.candidates = self.candidates or list(self._search._candidates())
        known = self._known
        if known is None:
            self.ledger = Ledger(len(self.candidates), 0)
        else:
            self.design, self.ledger = known.design, known.ledger
            self.split_keys, self.n_batches = list(known.split_keys), known.n_batches
        self._asked = self.ledger.ran
        self._reused = np.zeros_like(self._asked)
        if self._search.ledger is not None:
            assert self._identity is not None
            self._file = LedgerFile(self._search.ledger, self._identity)
            warn_of_chance(self._search, self.candidates)
            self._candidate_keys = candidate_keys(self.candidates)
        return self.plan.begin(self)

    def _split(self, cv: Any) -> list[tuple[Any, Any]]:
        X, y, params = self._data
        return list(self._checked(cv).split(X, y, **params))

    def _checked(self, cv: Any) -> Any:
        return check_cv(cv, self._data[1], classifier=is_classifier(self._search.estimator))

    def _settled(
        self,
        file: LedgerFile,
        cv: Any,
        keys: list[str],
        splits: list[tuple[Any, Any]],
        n_samples: int,
    ) -> tuple[list[str], list[tuple[Any, Any]]]:
        """The splits that the file has for this batch, or these, which it gets."""
        stored = file.batch(self.n_batches)
        if stored == keys:
            return keys, splits
        drawn = "" if self._repeats(cv, keys, n_samples) else splitter_key(self._checked(cv))
        if stored is not None and drawn:
            replayed = file.replayed(self.n_batches, drawn)
            if replayed is not None:
                return stored, list(replayed)
        if stored is not None and self.n_batches == 0:
            raise ValueError(
                "`ledger` must belong to this search; the file has "
                f"{count(len(stored), 'split')} that are not the {len(keys)} of this `cv`. Take "
                "another file, or delete it to begin anew; for more splits there is `extend`."
            )
        kept = []
        if drawn:  # masks and slices as the samples that they are
            samples = np.arange(n_samples)
            kept = [(samples[as_index(train)], samples[as_index(test)]) for train, test in splits]
        file.add_batch(self.n_batches, keys, drawn, kept)
        return keys, splits

    def _repeats(self, cv: Any, keys: list[str], n_samples: int) -> bool:
        """Whether `cv` makes the same splits when it is asked again."""
        if not hasattr(cv, "split"):  # a number, or the splits themselves
            return True
        # A copy: a seeded generator of random numbers is the user's, and has moved on.
        return split_keys(self._split(copy.deepcopy(cv)), n_samples) == keys

    def _n_candidates_at_once(self) -> int:
        """Candidates of a block that is saved: enough for all workers to be busy."""
        if self._search.ledger_block is not None:
            return int(self._search.ledger_block)
        n_workers = effective_n_jobs(self._search.n_jobs)
        return max(1, math.ceil(4 * n_workers / self.splitter.block))

    def _run_block(self, rows: Chosen, columns: Chosen) -> None:
        if self._fit(rows, columns):
            self.ledger.fill(rows, columns, self._outcomes)
            self._save(rows, columns)
        else:
            self._unknown.append((rows, columns))
        if self.ledger.n_ran:  # else what an outcome looks like is not known yet
            while self._unknown:
                failed = self._unknown.pop()
                self.ledger.fail(*failed, float(self._search.error_score), str(self._nothing_fits))
                self._save(*failed)

    def _fit(self, rows: Chosen, columns: Chosen) -> bool:
        """Have scikit-learn fit a block; False if every fit of it failed."""
        assert self._evaluate is not None
        self.splitter.serve([self._splits[int(column)] for column in columns])
        block = _begun(
            self._context,
            self._search,
            "block",
            rows.size * columns.size,
            sequential_subtasks=False,
        )
        context = {} if block is None else {"callback_ctx": block}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FitFailedWarning)  # told once, at the end
                self._evaluate([self.candidates[row] for row in rows], cv=self.splitter, **context)
        except ValueError as failure:
            # How scikit-learn says that every fit of the block failed.
            if "fits failed" not in str(failure) or self._search.error_score == "raise":
                raise
            self._nothing_fits = failure
            return False
        finally:
            self.splitter.serve(())
        _end(block, self._search)
        self._answered = True
        return True

    def _save(self, rows: Chosen, columns: Chosen) -> None:
        if self._file is not None:
            self._file.save(
                self.ledger,
                {int(row): self._candidate_keys[row] for row in rows},
                {int(column): self.split_keys[column] for column in columns},
            )

    def _check(self) -> None:
        """Fit one candidate on a block again: scikit-learn must be asked something."""
        columns = np.array(sorted(self._splits)[: self.splitter.block])
        fitted = ~self.ledger.lacks(np.arange(self.ledger.n_candidates), columns).any(axis=1)
        sound = fitted & ~self.ledger.failed(columns)
        row = np.flatnonzero(sound if sound.any() else fitted)[:1]
        if not self._fit(row, columns):
            assert self._nothing_fits is not None
            raise self._nothing_fits
        again = Ledger(1, columns.size)
        again.fill([0], range(columns.size), self._outcomes)
        for metric in self.ledger.metrics():
            then = self.ledger.scores(row, columns, metric)
            now = again.scores([0], range(columns.size), metric)
            if not np.allclose(then, now, rtol=0, atol=_SAME, equal_nan=True):
                warnings.warn(
                    f"This search is not deterministic: candidate {row[0]}, fitted once more, has "
                    f"other scores than its `ledger`, by up to {np.nanmax(abs(then - now)):.3g} in "
                    f"{metric}. The scores of the ledger were kept.",
                    UserWarning,
                    stacklevel=outside_level(),
                )
                return

    def _tell_failures(self, ledger: Ledger) -> None:
        """scikit-learn's warning of fits that failed, once for the whole search."""
        errors = ledger.errors
        if errors:
            details = "\n".join(
                f"{n} fits failed with the following error:\n{error}" for error, n in errors.items()
            )
            warnings.warn(
                f"\n{errors.total()} fits failed out of a total of {ledger.n_ran}.\n"
                "The score on these train-test partitions for these parameters will be set to "
                f"{self._search.error_score}.\n\n{details}",
                FitFailedWarning,
                stacklevel=outside_level(),
            )


def _begun(
    context: Any, search: Any, name: str, n_subtasks: int | None = None, **options: bool
) -> Any:
    """A subcontext for scikit-learn's callbacks (from 1.9 on), begun; None without."""
    if context is None:
        return None
    sub = context.subcontext(task_name=name, max_subtasks=n_subtasks, **options)
    return sub.call_on_fit_task_begin(estimator=search)


def _end(context: Any, search: Any) -> None:
    if context is not None:
        context.call_on_fit_task_end(estimator=search)
