"""BlockRun: a fit that goes block by block, and asks scikit-learn only for what is not known."""

import contextlib
import copy
import math
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from joblib import effective_n_jobs, parallel_config
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import check_cv
from sklearn.utils.validation import _num_samples

from sklearn_stats_compare._messages import count, outside_level
from sklearn_stats_compare.search._blocks import BlockSplitter
from sklearn_stats_compare.search._chance import may_draw, warn_of_drawn_candidates
from sklearn_stats_compare.search._failures import all_failed, errors_of, warn_of_failures
from sklearn_stats_compare.search._further_splits import check_alike
from sklearn_stats_compare.search._keys import candidate_keys, split_keys, splitter_key
from sklearn_stats_compare.search._ledger import Ledger
from sklearn_stats_compare.search._ledger_file import LedgerFile
from sklearn_stats_compare.search._losses import Block, Losses
from sklearn_stats_compare.search._plan import FitRecord, Given, Plan
from sklearn_stats_compare.search._spot_check import SpotChecks
from sklearn_stats_compare.stats import SplitDesign, as_index

Chosen = NDArray[np.intp]


class BlockRun:
    """What a search keeps while it fits block by block; pickled, as for workers, it is nothing.

    Parameters
    ----------
    search : BaseSearchCV
        Whose fits they are.
    plan : Plan
        What is evaluated.
    given : Given
        What ``fit`` was given, and what is known of it.
    losses : Losses
        What was lost with workers before, in the same call of ``fit``.
    """

    def __init__(self, search: Any, plan: Plan, given: Given, losses: Losses) -> None:
        self.plan = plan
        self.design: SplitDesign | None = None
        self.ledger = Ledger(0, 0)
        self.split_keys: list[str] = []
        self.n_batches = 0
        self.splitter = BlockSplitter(search.cv, self._begin)
        self.candidates = list(given.candidates or ())
        self.results: dict[str, Any] = {}
        self.more: dict[str, Any] = {}
        self.left: dict[str, Any] = {}
        self._search = search
        self._given = given
        self._losses = losses
        self._file: LedgerFile | None = None
        self._candidate_keys: list[str] = []
        self._asked = self._reused = self.ledger.ran
        self._n_retried = 0
        self._told_trouble = False
        self._may_draw = False
        self._spot_checks: SpotChecks | None = None
        self.fitting: Block | None = None
        self._splits: dict[int, tuple[Any, Any]] = {}
        self._data: tuple[Any, Any, Mapping[str, Any]] = (None, None, {})
        self._evaluate: Callable[..., Any] | None = None
        self._context: Any = None
        self._n_seen = 0
        self._outcomes: list[dict[str, Any]] = []
        self._unknown: list[tuple[Chosen, Chosen, Counter[str]]] = []
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
        if not splits or not self.candidates:
            raise ValueError(
                "No fits were performed. Was the CV iterator empty? Were there no candidates?"
            )
        n_samples = _num_samples(self._data[0])
        try:
            keys = split_keys(splits, n_samples)
        except (IndexError, TypeError, ValueError):
            raise ValueError("`cv` must hand out (train, test) indices of samples.") from None
        are_new = not any(_comes_again(key) or key in self.split_keys for key in keys)
        if not of_any_size and are_new and self.design is not None:
            # Before the file gets to know them.
            check_alike(self.design, SplitDesign.from_indices(splits, n_samples))
        if self._file is not None:
            keys, splits = self._settled(self._file, cv, keys, splits, n_samples)
        # One that comes twice has a number at the end of its key.
        again = sum(_comes_again(key) or key in self.split_keys for key in keys)
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
            self._load(self._file)
        return columns

    def _load(self, file: LedgerFile) -> None:
        """Take what the file has, and see that the same fits would have such scores now."""
        before = self.ledger.ran
        starts = file.load(self.ledger, self._candidate_keys, self.split_keys)
        found = self.ledger.ran & ~before
        if self._search.retry_failed and not self._losses.n:
            failed = self.ledger.failed & found
            self._n_retried += int(np.count_nonzero(failed))
            self.ledger = self.ledger.only(~failed)
            found &= ~failed
            if failed.any():
                warnings.warn(
                    f"{count(int(failed.sum()), 'fit')} that failed before are tried again. With "
                    "`retry_failed=False` they stay failed.",
                    UserWarning,
                    stacklevel=outside_level(),
                )
        self._reused |= found
        if self._search.verbose > 0 and found.any():
            print(f"[ledger] {found.sum():,} of {found.size:,} fits are done already")
        if self._spot_checks is not None and not self._losses.n:
            eligible = found & ~self.ledger.failed
            with self._beside_the_search():
                self._spot_checks.compare(self.ledger, self._splits, eligible, starts, file.name)
        file.start(self._candidate_keys, self.split_keys)
        self._warn_of_trouble()

    def block_size(self, rows: Chosen, columns: Chosen) -> int:
        """The most splits at a time with which whatever is lacking can be fitted exactly."""
        lacking = self.ledger.lacks(rows, columns).sum(axis=1)
        return math.gcd(*lacking.tolist()) or 1

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
        alone = np.isin(todo, list(self._losses.suspects))
        size = todo.size if self._file is None else self._n_candidates_at_once()
        together = todo[~alone]
        for start in range(0, together.size, max(1, size)):
            self._run_block(together[start : start + size], columns)
        for row in todo[alone]:  # last, so that what others have is safe
            self._run_block(np.array([row]), columns)

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
            raise self._all_failed()
        if not self._answered:
            self._ask_something()
        _end(self._context, self._search)
        # The file may know of cells that were not asked for.
        asked = self.ledger.only(self._asked)
        warn_of_failures(asked, self._search.error_score)
        self.left = {"n_splits_": self.n_splits, **self.plan.left(self)}
        if self._file is not None:
            self.left["n_reused_"] = int(np.count_nonzero(self._reused & self._asked))
            self.left["n_retried_"] = self._n_retried
            self._file.end()
            self._warn_of_trouble()
        assert self.design is not None
        keys = tuple(self.split_keys)
        outline, belongs = self._given.outline, self._given.identity
        return FitRecord(self.design, keys, asked, outline, belongs, self.n_batches)

    def collect(self, outcomes: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Take the newest of the outcomes so far, as ``_format_results`` is given them.

        scikit-learn keeps what it gets last for ``cv_results_``; it is filled in the end.
        """
        self._outcomes, self._n_seen = list(outcomes[self._n_seen :]), len(outcomes)
        return self.results

    @property
    def is_saving(self) -> bool:
        """Whether what is finished now will be found again."""
        return self._file is not None and self._file.is_in_place and not self._file.trouble

    @property
    def n_saved(self) -> int:
        """Number of this search's fits that the file has for good."""
        return self._saved().n_ran

    def tell_saved(self, error: BaseException) -> None:
        """Add to an error that ends the search how much of it will not be fitted again."""
        if self._file is not None and self.ledger.n_ran:
            saved = self._saved()
            n_again = np.count_nonzero(saved.failed) if self._search.retry_failed else 0
            safe = count(saved.n_ran - int(n_again), "fit")
            error.add_note(
                f"{safe} of this search are in its `ledger` and will not be fitted again when it "
                "is started anew."
            )

    def _saved(self) -> Ledger:
        """What the file has of this search: an interrupt may come between a save and its note."""
        saved = Ledger(self.ledger.n_candidates, self.ledger.n_splits)
        if self._file is not None and self._file.is_in_place:
            self._file.load(saved, self._candidate_keys, self.split_keys)
        return saved

    def note_state(self, names: Collection[str]) -> None:
        """Note which values of the user's code were changed by the fits."""
        if self._file is not None:
            self._file.add_state(names)

    def close(self) -> None:
        """Let go of the file, and of the splits, which may be larger than the data."""
        self._data, self._splits = (None, None, {}), {}
        self.splitter.forget()
        if self._file is not None:
            self._file.close()

    @contextlib.contextmanager
    def _beside_the_search(self) -> Iterator[None]:
        """Where other fits are made in the middle of scikit-learn's own `Parallel`.

        In a `joblib.parallel_config` both would have the same backend, and the inner one would end
        it (joblib 1.6). Before the search begins there is no other.
        """
        if self._evaluate is None:
            yield
        else:
            with parallel_config(backend="sequential"):
                yield

    def _begin(self, X: Any, y: Any, params: Mapping[str, Any]) -> int:
        self._data = X, y, params
        self.candidates = self.candidates or list(self._search._candidates())
        known = self._given.known
        if known is None:
            self.ledger = Ledger(len(self.candidates), 0)
        else:
            self.design, self.ledger = known.design, known.ledger
            self.split_keys, self.n_batches = list(known.split_keys), known.n_batches
        self._asked = self.ledger.ran
        self._reused = np.zeros_like(self._asked)
        belongs = self._given.identity
        if belongs is not None:
            self._candidate_keys = candidate_keys(self.candidates)
            self._file = LedgerFile(self._given.ledger, belongs, strict=self._search.ledger_strict)
            self._spot_checks = SpotChecks(self._search, self.candidates, self._given)
            if not self._losses.n:
                warn_of_drawn_candidates(self._search)
                self._may_draw = may_draw(self._search, self.candidates)
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
        saved = file.saved_splits(self.n_batches, n_samples)
        if stored == keys:
            return keys, splits
        drawn = "" if self._repeats(cv, keys, n_samples) else splitter_key(self._checked(cv))
        if stored and saved and drawn and file.was_drawn(self.n_batches, drawn):
            return stored, list(saved)
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
        try:
            # A copy: a seeded generator of random numbers is the user's, and has moved on.
            again = copy.deepcopy(cv)
        except Exception:  # it holds what cannot be copied, such as a generator of splits
            return False
        return split_keys(self._split(again), n_samples) == keys

    def _n_candidates_at_once(self) -> int:
        """Candidates of a block that is saved: enough for all workers to be busy."""
        if self._search.ledger_block is not None:
            return int(self._search.ledger_block)
        n_workers = effective_n_jobs(self._search.n_jobs)
        return max(1, math.ceil(4 * n_workers / self.splitter.block))

    def _run_block(self, rows: Chosen, columns: Chosen) -> None:
        self.fitting = block = rows.tobytes(), columns.tobytes()
        lost = self._losses.given_up.get(block)
        if lost is not None:
            self._unknown.append((rows, columns, Counter({lost: rows.size * columns.size})))
        elif self._fit(rows, columns):
            self.ledger.fill(rows, columns, self._outcomes)
            if not self.ledger.metrics():
                raise ValueError("`scoring` must return at least one score; got {}.")
            self._save(rows, columns)
            if self._may_draw and self._spot_checks is not None:
                with self._beside_the_search():
                    self._may_draw = not self._spot_checks.warn_if_random(
                        self.ledger, self._splits, rows, columns
                    )
        if self.ledger.n_ran:  # else what an outcome looks like is not known yet
            while self._unknown:
                failed, on, why = self._unknown.pop()
                self.ledger.fail(failed, on, float(self._search.error_score), "\n".join(why))
                self._save(failed, on)
        self.fitting = None

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
            self._unknown.append((rows, columns, errors_of(failure)))
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
            self._warn_of_trouble()

    def _warn_of_trouble(self) -> None:
        """Say once that nothing more is saved, and how much was."""
        if self._file is None or not self._file.trouble or self._told_trouble:
            return
        self._told_trouble = True
        warnings.warn(
            f"The search goes on, but it is not being saved any more: {self._file.name} cannot be "
            f"written to ({self._file.trouble}). {count(self.n_saved, 'fit')} of this search are "
            "in it; what is finished from now on will be fitted again.",
            UserWarning,
            stacklevel=outside_level(),
        )

    def _ask_something(self) -> None:
        """Fit one candidate on a block again: scikit-learn must be asked something."""
        columns = np.array(sorted(self._splits)[: self.splitter.block])
        fitted = ~self.ledger.lacks(np.arange(self.ledger.n_candidates), columns).any(axis=1)
        sound = fitted & ~self.ledger.failed[:, columns].any(axis=1)
        if not self._fit(np.flatnonzero(sound if sound.any() else fitted)[:1], columns):
            raise self._all_failed()

    def _all_failed(self) -> ValueError:
        return all_failed(errors for _, _, errors in self._unknown)


def _comes_again(key: str) -> bool:
    """Whether a split is one that came before in the same `cv`: such keys have a number."""
    return "-" in key


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
