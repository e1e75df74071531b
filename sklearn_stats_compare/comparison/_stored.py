"""Files that another layer reads, such as the ledger of a search → what compare() compares."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from numpy.typing import NDArray

from sklearn_stats_compare.comparison._found import Found, Sizes
from sklearn_stats_compare.comparison._same_data import DataMarks
from sklearn_stats_compare.comparison._saved_settings import settings_for_splits, settings_note
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
    arguments : dict
        Further arguments of a `Comparison`.
    settings : mapping or None
        Of the search, as `to_save` returns them; None where the file does not say.
    refit : str or None
        Of several metrics the one that the search was refitted by.
    marks : DataMarks or None
        Of the data.
    """

    scores: Mapping[str, NDArray[Any]]
    metric: str | None
    design: SplitDesign | None
    labels: Sequence[str] | None = None
    params: Sequence[Mapping[str, Any]] | None = None
    arguments: dict[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] | None = None
    refit: str | None = None
    marks: DataMarks | None = None


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
    searched = SimpleNamespace(scoring=stored.metric, refit=stored.refit)
    column, name = metric_of(searched, metric, list(stored.scores))
    values = stored.scores[column]
    design = stored.design
    if design is None or sizes.given:
        design = sizes.design(values.shape[1])
    scores = SplitScores(values, design)
    settings, left_out = settings_for_splits(stored.settings or {})
    said = settings_note(None if stored.settings is None else settings, left_out)
    return Found(
        scores,
        name,
        labels=stored.labels,
        params=stored.params,
        arguments=stored.arguments,
        settings=settings,
        settings_note=said,
        marks=stored.marks,
    )
