"""Names of a search's tables: completers find them, and a diagram does not read them."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

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
