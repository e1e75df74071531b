"""Splitters between a user's cv and scikit-learn, and the words about fits that failed."""

import copy
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import check_cv

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare._utils._validation import warn_user
from sklearn_stats_compare.search.ledger._fingerprint import splitter_key
from sklearn_stats_compare.stats._design import as_index, split_keys

Splits = Sequence[tuple[Any, Any]]


class BlockSplitter:
    """Replaces a search's `cv` during a fit that goes block by block.

    scikit-learn reads the number of splits once, calls `split` for every set of candidates, and
    requires that number each time. So it is the number of a block, and the run sets which splits
    come next.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        The user's own, for its metadata requests.
    begin : callable
        Called once with X, y and routed metadata; returns the number of splits of a block.

    Attributes
    ----------
    block : int
        Number of splits of a block.
    served : sequence of (train, test)
        The splits that `split` yields next.
    """

    def __init__(self, cv: Any, begin: Callable[[Any, Any, Mapping[str, Any]], int]) -> None:
        self._begin: Callable[[Any, Any, Mapping[str, Any]], int] | None = begin
        self.served: Splits = ()
        self.block = 0
        # scikit-learn calls it on the search's `cv` to find out whether it needs `groups`.
        if hasattr(cv, "get_metadata_routing"):
            self.get_metadata_routing = cv.get_metadata_routing

    def __getstate__(self) -> dict[str, Any]:
        # From 1.9 on scikit-learn sends the search, and with it its cv, to the workers with every
        # task (`caller=self`). They split nothing, and splits may be larger than the data.
        return {"served": (), "block": self.block, "_begin": None}

    def get_n_splits(self, X: Any = None, y: Any = None, **params: Any) -> int:
        """Number of splits of a block."""
        # `fit` passes the data, and what is routed to the splitter, before it evaluates anything.
        if self._begin is not None:
            # Dropped: scikit-learn 1.9 keeps its cv, and so would keep the run and the data.
            begin, self._begin = self._begin, None
            self.block = begin(X, y, params)
        return self.block

    def split(self, X: Any, y: Any = None, **params: Any) -> Iterator[tuple[Any, Any]]:
        """Yield the chosen splits."""
        if not self.served:
            raise ValueError(
                "`ledger` and `max_time` must be None if a subclass overrides `_run_search`, "
                "because the candidates must be known beforehand."
            )
        return iter(self.served)


def tested_samples(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[NDArray[np.intp]]:
    """Test samples of splits, as whole numbers."""
    samples = np.arange(n_samples)
    return [samples[as_index(test)] for _, test in splits]


def keys_of(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[str]:
    """Keys of splits; ValueError if they are no indices."""
    try:
        return split_keys(splits, n_samples)
    except (IndexError, TypeError, ValueError):
        raise ValueError("`cv` must yield (train, test) indices of samples.") from None


class SplitSource:
    """A user's `cv`, and the data that it splits.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        As for scikit-learn's searches.
    X, y, params : object
        What is split, and what metadata routing or ``groups=`` brings.
    classifier : bool
        Whether the estimator is a classifier, for which scikit-learn stratifies.
    """

    def __init__(
        self, cv: Any, X: Any, y: Any, params: Mapping[str, Any], *, classifier: bool
    ) -> None:
        self._cv = cv
        self._X, self._y, self._params = X, y, params
        self._classifier = classifier

    def splits(self) -> list[tuple[Any, Any]]:
        """The splits that it makes now."""
        return list(self._checked(self._cv).split(self._X, self._y, **self._params))

    def drawn(self, keys: list[str]) -> str:
        """Key of how it draws splits; empty where it makes those with these keys every time."""
        if not hasattr(self._cv, "split"):  # a number, or the splits themselves
            return ""
        try:
            # A copy: drawing from a RandomState in `cv` would change what the user draws next.
            again = self._checked(copy.deepcopy(self._cv))
        except Exception:  # it cannot be copied: it holds a generator, say
            again = None
        if again is not None:
            # An unseeded splitter makes other splits this time.
            splits = list(again.split(self._X, self._y, **self._params))
            if split_keys(splits, count_samples(self._X)) == keys:
                return ""
        return splitter_key(self._checked(self._cv))

    def _checked(self, cv: Any) -> Any:
        return check_cv(cv, self._y, classifier=self._classifier)


# As ``_warn_or_raise_about_fit_failures`` of scikit-learn 1.6 to 1.9 writes them.
_ONE_ERROR = re.compile(r"-{80}\n(\d+) fits failed with the following error:\n")


def says_that_all_failed(error: ValueError) -> bool:
    """Whether an error is the one that scikit-learn raises if every fit of a call failed."""
    # It is a plain ValueError: only its text distinguishes it from others.
    return "fits failed" in str(error)


def errors_of(failure: ValueError) -> Counter[str]:
    """The errors of a block whose fits all failed, and how often each occurred."""
    # The pattern has a group, so that the parts are: number, error, number, error, …
    _, *parts = _ONE_ERROR.split(str(failure))
    return Counter(
        {error.strip("\n"): int(n) for n, error in zip(parts[::2], parts[1::2], strict=True)}
    )


def all_failed(blocks: Iterable[Counter[str]]) -> ValueError:
    """scikit-learn's error if every fit failed, for all blocks."""
    errors = sum(blocks, Counter())
    return ValueError(
        f"\nAll the {errors.total()} fits failed.\n"
        "It is very likely that your model is misconfigured.\n"
        "You can try to debug the error by setting error_score='raise'.\n\n"
        f"Below are more details about the failures:\n{_details(errors, '-' * 80 + chr(10))}"
    )


def warn_of_failures(errors: Counter[str], n_fits: int, error_score: Any) -> None:
    """scikit-learn's warning of fits that failed, once for the whole search."""
    if errors:
        warn_user(
            f"\n{errors.total()} fits failed out of a total of {n_fits}.\n"
            "The score on these train-test partitions for these parameters will be set to "
            f"{error_score}.\n\n{_details(errors)}",
            FitFailedWarning,
        )


def _details(errors: Counter[str], before: str = "") -> str:
    return "\n".join(
        f"{before}{n} fits failed with the following error:\n{error}" for error, n in errors.items()
    )
