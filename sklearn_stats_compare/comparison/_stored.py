"""Files that another layer reads, such as the ledger of a search → what compare() compares."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from numpy.typing import NDArray

from sklearn_stats_compare.comparison._found import Found, Sizes
from sklearn_stats_compare.comparison._searches import metric_of
from sklearn_stats_compare.stats import SplitDesign, SplitScores


@dataclass(frozen=True, eq=False)
class Stored:
    """Scores that a file has.

    Attributes
    ----------
    scores : mapping of str to ndarray, shape (n_candidates, n_splits)
        By metric.
    metric : str or None
        What people call a single metric; None where the file does not say.
    design : SplitDesign or None
        Of the splits; None where the file does not say.
    labels : sequence of str or None
        Of the candidates.
    params : sequence of mappings or None
        Of the candidates.
    told : dict
        Further arguments of a `Comparison`.
    """

    scores: Mapping[str, NDArray[Any]]
    metric: str | None
    design: SplitDesign | None
    labels: Sequence[str] | None = None
    params: Sequence[Mapping[str, Any]] | None = None
    told: dict[str, Any] = field(default_factory=dict)


Path = str | os.PathLike[Any]
_READERS: list[tuple[Callable[[Path], bool], Callable[[Path], Stored]]] = []


def add_reader(recognises: Callable[[Path], bool], read: Callable[[Path], Stored]) -> None:
    """Have `compare` read files of another kind than CSV.

    What knows such files may lie above this layer, which must not import it: the package's own
    ``__init__``, which imports all layers, brings both together.
    """
    _READERS.append((recognises, read))


def read_stored(path: Path, metric: str | None, sizes: Sizes) -> Found | None:
    """What a file holds; None where no reader recognises it."""
    read = next((read for recognises, read in _READERS if recognises(path)), None)
    if read is None:
        return None
    stored = read(path)
    searched = SimpleNamespace(scoring=stored.metric, refit=None)
    column, name = metric_of(searched, metric, list(stored.scores))
    values = stored.scores[column]
    design = stored.design
    if design is None or sizes.given:
        design = sizes.design(values.shape[1])
    scores = SplitScores(values, design)
    return Found(scores, name, labels=stored.labels, params=stored.params, told=stored.told)
