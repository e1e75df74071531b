"""OuterLedger: the finished fits of a nested cross-validation, in a folder."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare._utils._validation import printable, shown
from sklearn_stats_compare.predictions._responses import Responses
from sklearn_stats_compare.search.ledger._file import LedgerFile
from sklearn_stats_compare.search.ledger._fingerprint import candidate_keys, identity
from sklearn_stats_compare.search.ledger._ledger import Outcomes
from sklearn_stats_compare.search.ledger._storage import is_locked
from sklearn_stats_compare.search.runs._run import SplitSource, keys_of, tested_samples
from sklearn_stats_compare.stats._design import SplitDesign

Split = tuple[NDArray[np.intp], NDArray[np.intp]]


class FinishedFit(NamedTuple):
    """A fit of a procedure on an outer split.

    Attributes
    ----------
    scores : mapping of str to float, or str
        Score by metric, or why the fit failed.
    seconds : float
        How long it took.
    arrays : mapping of str to ndarray
        Values of the test samples, and what was chosen.
    """

    scores: Mapping[str, float] | str
    seconds: float
    arrays: Mapping[str, Any]


class OuterLedger:
    """The finished fits of a nested cross-validation, in a folder.

    ``outer.sqlite`` has the outer fits, in the form of a search's ledger: a candidate per
    procedure. Every search of this package within has a ledger of its own per outer split, because
    a file is locked while a search uses it. A fit that failed is not saved.

    Parameters
    ----------
    folder : str or path-like
        Made if there is none.
    procedures : mapping of str to estimator
        The procedures by name.
    X, y : object
        The data.
    params : mapping
        Arguments of ``fit``.
    scoring, error_score : object
        As for ``cross_validate``.

    Raises
    ------
    ValueError
        If the folder's file is damaged, not a ledger, or of other data or settings.
    RuntimeError
        If another run is using it.
    OSError
        If it cannot be made or written to.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        procedures: Mapping[str, Any],
        X: Any,
        y: Any,
        params: Mapping[str, Any],
        *,
        scoring: Any,
        error_score: Any,
    ) -> None:
        if not isinstance(folder, str | os.PathLike) or not os.fspath(folder):
            raise ValueError(f"`ledger` must be the path of a folder; got {shown(folder)}.")
        self.folder = Path(folder).absolute()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:  # a file, or a name that no folder can have
            raise ValueError(
                f"`ledger` must be the path of a folder; got {shown(str(folder))}: "
                f"{printable(shown(str(error)))}."
            ) from error
        candidates = [{"procedure": _as_keyed(model)} for model in procedures.values()]
        # The procedures are the candidates, which a later run may add to; no estimator is fixed.
        settings = SimpleNamespace(
            estimator=BaseEstimator(), scoring=scoring, error_score=error_score,
            return_train_score=False, cv=None,
        )  # fmt: skip
        self._X, self._y = X, y
        self._n_samples = count_samples(X)
        self._names = list(procedures)
        self._keys = candidate_keys(candidates)
        belongs = identity(settings, X, y, params, candidates)
        self._split_keys: list[str] = []
        self._tests: list[NDArray[np.intp]] = []
        self._file = LedgerFile(self.folder / "outer.sqlite", belongs)

    def settle(self, cv: Any, groups: Any, *, classifier: bool) -> list[Split]:
        """Return the outer splits: those in the file if `cv` draws them at random, else of `cv`."""
        given = {} if groups is None else {"groups": groups}
        source = SplitSource(cv, self._X, self._y, given, classifier=classifier)
        splits = source.splits()
        if not splits:
            return splits
        keys = keys_of(splits, self._n_samples)
        design = SplitDesign.from_indices(splits, self._n_samples)
        found = self._file.settle(0, keys, splits, design, self._n_samples, source.drawn)
        if found is not None:
            keys, splits = found
        self._add(keys, splits)
        return splits

    def add(self, splits: Sequence[Split]) -> None:
        """Add splits that follow from those of `settle`."""
        keys = keys_of(splits, self._n_samples)
        design = SplitDesign.from_indices(splits, self._n_samples)
        self._file.settle(1, keys, list(splits), design, self._n_samples, lambda _: "")
        self._add(keys, splits)

    def found(self) -> dict[tuple[int, int], FinishedFit]:
        """The fits in the file, by procedure and split."""
        shape = len(self._keys), len(self._split_keys)
        ledger = Outcomes(*shape, self._responses())
        self._file.load(ledger, self._keys, self._split_keys)
        self._file.start(self._keys, self._split_keys)
        rows, kept = ledger.rows(), ledger.responses
        assert kept is not None
        return {
            (i, j): FinishedFit(
                rows[i * shape[1] + j]["test_scores"],
                rows[i * shape[1] + j]["fit_time"],
                kept.arrays(i, j),
            )
            for i, j in np.argwhere(ledger.ran).tolist()
        }

    def save(self, row: int, split: int, fit: FinishedFit) -> str:
        """Save a fit that did not fail; return why it could not be, or nothing."""
        assert not isinstance(fit.scores, str)
        ledger = Outcomes(len(self._keys), len(self._split_keys), self._responses())
        outcome = {
            "test_scores": dict(fit.scores), "fit_time": fit.seconds, "score_time": 0.0,
            "fit_error": None,
        }  # fmt: skip
        ledger.enter((row, split), outcome)
        assert ledger.responses is not None
        ledger.responses.enter(row, split, fit.arrays)
        body = self._file.outcomes([(row, split)], self._keys, self._split_keys, ledger)
        return "" if self._file.save([body]) else self._file.trouble

    def of_search(self, row: int, split: int) -> str:
        """Path of the ledger of a search that runs within a procedure on a split."""
        name = re.sub(r"\W+", "_", self._names[row])[:40]
        # By their keys: a later run may have further procedures before this one.
        return str(self.folder / f"{name}-{self._keys[row][:8]}-{self._split_keys[split]}.sqlite")

    @staticmethod
    def is_in_use(path: str) -> bool:
        """Whether the ledger of a search within is in use.

        A worker may outlive a run that was killed, until its fit ends.
        """
        return is_locked(Path(path))

    def end(self) -> None:
        """Save that all fits have ended."""
        self._file.end()

    def close(self) -> None:
        """Release the folder."""
        self._file.close()

    def _add(self, keys: Sequence[str], splits: Sequence[Split]) -> None:
        self._split_keys += keys
        self._tests += tested_samples(splits, self._n_samples)

    def _responses(self) -> Responses:
        return Responses(are_values=True).widened(self._tests, self._n_samples)


def _as_keyed(procedure: Any) -> Any:
    """A clone without the parameters that change no score."""
    own = clone(procedure)
    how = {"n_jobs": None, "verbose": 0, "pre_dispatch": "2*n_jobs"}
    names = {name: name.rpartition("__")[2] for name in own.get_params(deep=True)}
    return own.set_params(**{name: how[last] for name, last in names.items() if last in how})
