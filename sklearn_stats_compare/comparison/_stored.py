"""Files and objects read by another layer, such as a ledger or a report → input of compare()."""

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
    """Scores in a file or object, with their design, names and settings.

    Attributes
    ----------
    scores : mapping of str to ndarray, shape (n_candidates, n_splits)
        By metric.
    metric : str or None
        Display name of a single metric; None if the file does not say.
    design : SplitDesign or None
        Design of the splits; None if the file does not say.
    labels : sequence of str or None
        Of the candidates.
    params : sequence of mappings or None
        Of the candidates.
    arguments : dict
        Further arguments of a `Comparison`.
    settings : mapping or None
        Settings of the search, as `to_save` returns them; None if the file does not say.
    refit : str or None
        The refit metric, if there are several.
    marks : DataMarks or None
        Marks of the data.
    of_metric : callable or None
        Takes the name of the chosen metric. Returns its display name as "metric", and further
        arguments of a `Comparison`.
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
    of_metric: Callable[[str], dict[str, Any]] | None = None


_READERS: list[tuple[Callable[[Any], bool], Callable[[Any], Stored]]] = []


def add_reader(recognises: Callable[[Any], bool], read: Callable[[Any], Stored]) -> None:
    """Have `compare` read files of another kind than CSV, or objects of another package.

    The code for these may lie in a layer that this one must not import. The ``__init__`` of
    the package, which imports all layers, registers it.
    """
    _READERS.append((recognises, read))


def read_stored(obj: Any, metric: str | None, sizes: Sizes) -> Found | None:
    """The content of a file or object; None if no reader recognises it."""
    read = next((read for recognises, read in _READERS if recognises(obj)), None)
    if read is None:
        return None
    stored = read(obj)
    searched = SimpleNamespace(scoring=stored.metric, refit=stored.refit)
    column, name = metric_of(searched, metric, list(stored.scores))
    values = stored.scores[column]
    design = stored.design
    if design is None or sizes.given:
        design = sizes.design(values.shape[1])
    scores = SplitScores(values, design)
    settings, left_out = settings_for_splits(stored.settings or {})
    arguments = dict(stored.arguments)
    if stored.of_metric is not None:
        arguments |= stored.of_metric(column)
        name = arguments.pop("metric")
    said = settings_note(None if stored.settings is None else settings, left_out)
    return Found(
        scores,
        name,
        labels=stored.labels,
        params=stored.params,
        arguments=arguments,
        settings=settings,
        settings_note=said,
        marks=stored.marks,
    )
