"""Forms: the structure of a ledger's entries; a crafted entry is refused before it is used."""

import math
from collections.abc import Callable
from typing import Any

from sklearn_stats_compare.search.ledger._description import design_of
from sklearn_stats_compare.search.ledger._outcomes import PARTS

_MOST = 2**62
"""Counts stay below: NumPy's int64 ends at 2⁶³, and Python's `json` reads any number of digits."""


class Forms:
    """Checks entries in the order that they were added, each against those before it.

    `check` raises a ValueError that says what is wrong, or the error of reading another form.
    """

    def __init__(self) -> None:
        self._n_data = 0
        self._splits: dict[int, set[str]] = {}
        self._n_first: dict[int, int] = {}
        self._columns: dict[int, Any] = {}
        self._checks: dict[str, Callable[[Any], None]] = {
            "search": self._check_search,
            "versions": lambda body: _check(_is_lines(body["versions"], 0), "versions"),
            "data": self._check_data,
            "state": lambda body: _check(_are_texts(body["names"]), "names"),
            "start": self._check_start,
            "splits": self._check_splits,
            "indices": lambda body: _check(
                _are_texts([body["key"], body["train"], body["test"]]), "indices"
            ),
            "order": self._check_order,
            "block": self._check_block,
            "end": lambda body: _check(
                _is_numeric(body["time"]) and isinstance(body.get("cut", False), bool), "time"
            ),
        }

    def check(self, kind: Any, body: Any) -> None:
        """Check the next entry."""
        _check(isinstance(body, dict), "an entry")
        if kind not in self._checks:
            raise ValueError(f"no search writes entries of kind {kind!r}")
        # These three are of the whole file; all others belong to the data of one section.
        if kind not in ("search", "versions", "data"):
            _check(_are_counts([body["of"]]) and body["of"] < self._n_data, "a section")
        self._checks[kind](body)

    def _check_search(self, body: Any) -> None:
        _check(_is_lines(body["settings"], 2) and _is_lines(body["code"], 2), "settings")

    def _check_data(self, body: Any) -> None:
        _check(_is_lines(body["data"], 2), "data")
        self._splits[self._n_data] = set()
        self._n_data += 1

    def _check_start(self, body: Any) -> None:
        _check(_are_texts(body["candidates"]), "candidates")
        _check(self._are_splits(body), "splits")
        _check(_is_numeric(body["time"]), "time")
        if "told" in body:
            shown, n = body["told"], len(body["candidates"])
            _check(_are_texts(shown["labels"]) and _are_texts([shown["naming"]]), "labels")
            _check(len(shown["labels"]) == len(shown["params"]) == n, "labels")
            _check(all(isinstance(params, dict) for params in shown["params"]), "params")
            _check(_are_texts([shown.get("metric", "")]), "a metric")
            _check(_are_texts([shown.get("refit") or ""]), "a metric")
            _check(isinstance(shown.get("settings", {}), dict), "settings")

    def _check_splits(self, body: Any) -> None:
        _check(_are_counts([body["batch"]]), "batch")
        _check(_are_texts(body["keys"]) and _are_texts([body["drawn"]]), "keys")
        if "design" in body:
            _check(design_of(body["design"]).n_splits == len(body["keys"]), "sizes of splits")
        self._splits[body["of"]] |= set(body["keys"])
        # A race orders the splits of `fit`, which are entered before those of extensions.
        self._n_first.setdefault(body["of"], len(body["keys"]))

    def _check_order(self, body: Any) -> None:
        order = body["order"]
        _check(_are_counts(order), "order")
        _check(sorted(order) == list(range(self._n_first[body["of"]])), "order")

    def _check_block(self, body: Any) -> None:
        candidates, splits, outcomes = body["candidates"], body["splits"], body["outcomes"]
        _check(_are_texts(candidates) and _is_numeric(body["time"]), "candidates")
        # Of a split that came twice `fill_block` would keep one of two outcomes.
        _check(self._are_splits(body) and len(set(splits)) == len(splits), "splits")
        names = [(part, metric) for part, metric, _ in outcomes["columns"]]
        # Without scores `Ledger.failed` would take every fit for a sound one.
        _check(any(part == "test_scores" for part, _ in names), "scores")
        for part, metric, table in outcomes["columns"]:
            _check(part in PARTS and isinstance(metric, str | None), "a column")
            _check(isinstance(table, list) and len(table) == len(candidates), "a column")
            for row in table:
                _check(
                    isinstance(row, list)
                    and len(row) == len(splits)
                    and all(map(_is_numeric, row)),
                    "a column",
                )
        # `Ledger` keeps one table a metric: a block with others would leave cells without scores.
        _check(self._columns.setdefault(body["of"], names) == names, "metrics")
        for i, j, arrays in outcomes.get("responses", []):
            _check(_are_counts([i, j]), "responses")
            _check(i < len(candidates) and j < len(splits), "responses")
            for array in arrays.values():
                _check(_are_texts([array["dtype"], array["was"], array["raw"]]), "responses")
                _check(_are_counts(array["shape"]), "responses")
        for i, j, error in outcomes["errors"]:
            _check(_are_counts([i, j]) and _are_texts([error]), "errors")
            _check(i < len(candidates) and j < len(splits), "errors")

    def _are_splits(self, body: Any) -> bool:
        # `LedgerFile` numbers the keys of a section in the order in which they first came.
        known = len(self._splits[body["of"]])
        return _are_counts(body["splits"]) and all(number < known for number in body["splits"])


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"{what} in another form than a search writes")


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(text, str) for text in values)


def _are_counts(values: Any) -> bool:
    """Whether a list is of whole numbers from 0 on."""
    # `type(number) is int`, because True is an instance of int.
    return isinstance(values, list) and all(
        type(number) is int and 0 <= number < _MOST for number in values
    )


def _is_numeric(value: Any) -> bool:
    # float() of an int above 1.8e308 raises OverflowError, which counts as another form.
    return type(value) is float or (type(value) is int and math.isfinite(float(value)))


def _is_lines(lines: Any, n_texts: int) -> bool:
    """Whether a mapping is of texts, or of lists of so many texts."""
    if not isinstance(lines, dict):
        return False
    if not n_texts:
        return _are_texts(list(lines.values()))
    return all(_are_texts(line) and len(line) == n_texts for line in lines.values())
