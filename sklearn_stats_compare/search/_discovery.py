"""How a search's tables are found: names for completers, and a line below its diagram."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape
from typing import Any

from sklearn_stats_compare._messages import visible

TABLES = ("comparison_", "pairwise_frequentist_", "pairwise_bayesian_", "possibly_best_")

# By thread and task: a diagram in one must not hide the names from a completer in another. The
# search itself, as a diagram of one may show another inside it.
_drawn: ContextVar[Any] = ContextVar("drawn", default=None)


def tables_of(search: Any) -> tuple[str, ...]:
    """Names of the tables that a search can be asked for; nothing is computed."""
    record = vars(search).get("_record")
    if record is None or _drawn.get() is search or not hasattr(search, "cv_results_"):
        return ()
    # The attributes raise where several metrics were scored and `refit` names none of them.
    return TABLES if record.metric is not None and record.evaluated.design is not None else ()


@contextmanager
def without_tables(search: Any) -> Iterator[None]:
    """Leave the tables out of dir() of a search meanwhile."""
    token = _drawn.set(search)
    try:
        yield
    finally:
        _drawn.reset(token)


def line_below(search: Any) -> str:
    """HTML that names the leader below scikit-learn's diagram; nothing before a fit."""
    record = vars(search).get("_record")
    if record is None or not tables_of(search):
        return ""
    try:
        said = record.headline(search.cv_results_)
    except (ValueError, AttributeError):
        # Settings or splits that cannot be compared. A table raises this error; the diagram of the
        # search must still be shown.
        return ""
    words = escape(visible(" ".join([*said, "See comparison_."])))
    return f'<div style="margin-top: 0.4em; overflow-wrap: anywhere">{words}</div>' if said else ""
