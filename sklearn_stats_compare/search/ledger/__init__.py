"""Known outcomes, the file that keeps them, and the identity of the search they belong to."""

from sklearn_stats_compare.search.ledger._code import candidate_keys, splitter_key
from sklearn_stats_compare.search.ledger._description import mark_of_splits, search_description
from sklearn_stats_compare.search.ledger._entries import absolute
from sklearn_stats_compare.search.ledger._file import LedgerFile
from sklearn_stats_compare.search.ledger._identity import (
    Identity,
    changed_meanwhile,
    differences,
    identity,
    without,
)
from sklearn_stats_compare.search.ledger._ledger import Ledger
from sklearn_stats_compare.search.ledger._lock import is_locked
from sklearn_stats_compare.search.ledger._outcomes import Column
from sklearn_stats_compare.search.ledger._outline import Outline
from sklearn_stats_compare.search.ledger._packing import Indices
from sklearn_stats_compare.search.ledger._reading import is_sqlite, read_ledger
from sklearn_stats_compare.search.ledger._status import LedgerStatus, ledger_status
from sklearn_stats_compare.search.ledger._unseeded import is_unseeded, warn_of_drawn_candidates

__all__ = [
    "Column",
    "Identity",
    "Indices",
    "Ledger",
    "LedgerFile",
    "LedgerStatus",
    "Outline",
    "absolute",
    "candidate_keys",
    "changed_meanwhile",
    "differences",
    "identity",
    "is_locked",
    "is_sqlite",
    "is_unseeded",
    "ledger_status",
    "mark_of_splits",
    "read_ledger",
    "search_description",
    "splitter_key",
    "warn_of_drawn_candidates",
    "without",
]
