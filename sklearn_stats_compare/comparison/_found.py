"""What compare() reads from an object: scores, sizes of their splits, and notes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_stats_compare._messages import check_option, shown_list
from sklearn_stats_compare.comparison._same_data import DataMarks
from sklearn_stats_compare.comparison._splits_of_data import Data
from sklearn_stats_compare.comparison._splitter_sizes import design_of_splitter
from sklearn_stats_compare.stats import SplitDesign, SplitScores


@dataclass(frozen=True, eq=False)
class Found:
    """What `compare` has read of an object.

    `arguments` are further arguments of a `Comparison`, `settings` are saved ones, with a note on
    them, and `marks` are those of the data, if known. `may_be_loss` says that lower scores may be
    better, because no scorer of scikit-learn computed them.
    """

    scores: SplitScores
    metric: str
    labels: Sequence[str] | None = None
    params: Sequence[Mapping[str, Any]] | None = None
    arguments: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    settings_note: str = ""
    marks: DataMarks | None = None
    may_be_loss: bool = False


class UnknownSizesError(ValueError):
    """Results do not contain the sizes of their splits."""


class Sizes:
    """Sizes of splits as the caller gives them."""

    def __init__(
        self,
        ratio: float | None,
        n_train: ArrayLike | None,
        n_test: ArrayLike | None,
        n_samples: int | None,
        data: Data | None = None,
    ) -> None:
        if (n_train is None) != (n_test is None):
            raise ValueError("`n_train` and `n_test` must be given together; got only one of them.")
        if ratio is not None and n_train is not None:
            raise ValueError(
                "`test_train_ratio` must be left out where `n_train` and `n_test` are given."
            )
        if data is not None and (ratio is not None or n_train is not None):
            raise ValueError(
                "`X` must be left out where `test_train_ratio`, or `n_train` and `n_test`, are "
                "given."
            )
        if data is not None and n_samples is not None:
            raise ValueError("`n_samples` must be left out where `X` is given, which has it.")
        self.ratio, self.n_train, self.n_test, self.n_samples = ratio, n_train, n_test, n_samples
        self.data = data

    @classmethod
    def of(cls, design: SplitDesign) -> "Sizes":
        """The sizes of a design."""
        return cls(None, design.n_train, design.n_test, design.n_samples)

    @property
    def given(self) -> bool:
        """Whether the caller gave sizes that determine the design, or the data that have them."""
        return any(given is not None for given in (self.ratio, self.n_train, self.data))

    def design(self, n_splits: int, hint: str = "", search: Any = None) -> SplitDesign:
        """The design, from given sizes or else from the splitter of the search that split.

        `hint` is a further sentence of the error if neither determines it.
        """
        if self.data is not None:
            return self.data.design(search, n_splits)
        # Given sizes take precedence over those of a splitter.
        if self.ratio is not None:
            return SplitDesign.from_ratio(self.ratio, n_splits)
        if self.n_train is not None:
            n_train, n_test = (_per_split(n, n_splits) for n in (self.n_train, self.n_test))
            return SplitDesign(n_train, n_test, n_samples=self.n_samples)
        # The sizes of some splitters, such as KFold, follow from their parameters without data.
        # `n_splits_` is what the search found; a splitter's own `get_n_splits` may need the data.
        splitter = (getattr(search, "cv", None), getattr(search, "n_splits_", None))
        design = design_of_splitter(splitter, n_splits, self.n_samples)
        if design is None:
            raise UnknownSizesError(
                "`test_train_ratio` must be given, or both `n_train` and `n_test`, because the "
                f"results do not contain the sizes of the splits.{hint} The ratio is "
                "Σ n_test / Σ n_train, which is 1/(k - 1) for k-fold."
            )
        return design


def is_ours(obj: Any) -> bool:
    """Whether an object is a fitted search of this package."""
    # By its attributes, because comparison/ lies below search/ and may not import its classes.
    return hasattr(obj, "n_train_") and callable(getattr(obj, "compare", None))


def chosen_metric(metric: str | None, metrics: list[str]) -> str:
    """The requested metric, or the only one."""
    if metric is not None:
        return str(check_option("metric", metric, metrics))
    # Not the first one: metrics have no order, and a wrong choice would go unnoticed.
    if len(metrics) > 1:
        raise ValueError(f"`metric` must be one of {shown_list(metrics)}; got None.")
    return metrics[0]


def _per_split(size: Any, n_splits: int) -> Any:
    """A size for each split; one size is repeated for all."""
    # A string is iterable too; `SplitDesign` refuses it, with the name of the argument.
    one_for_all = not isinstance(size, Iterable) or isinstance(size, str)
    return np.full(n_splits, size) if one_for_all else size
