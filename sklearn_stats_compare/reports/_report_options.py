"""Options of a report, checked once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sklearn_stats_compare._messages import (
    check_count,
    check_listed,
    check_option,
    check_text,
    shown,
)
from sklearn_stats_compare.reports._table_columns import COLUMNS, DEFAULTS, NAMES

PARTS = ("prose", "remarks", "metrics", "ranking", "leader", "reference", "pairs", "pictures")
"""Every part of a report, in order."""
# There may be hundreds of pairs.
_USUAL = tuple(part for part in PARTS if part != "pairs")
_TABLES = ("metrics", *COLUMNS)
_LATEX_TABLES = ("booktabs", "siunitx", "plain")
_LATEX_WIDTHS = ("column", "page")
_MOST_DIGITS = 15  # precision of a float


@dataclass(frozen=True)
class Options:
    """The arguments of `report`, which documents them."""

    digits: int | None = None
    caption: str = ""
    captions: Mapping[str, str] = field(default_factory=dict)
    label: str | None = None
    parts: tuple[str, ...] = _USUAL
    cite: str | None = None
    latex_tables: str = "booktabs"
    latex_width: str = "column"
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: DEFAULTS)
    parts_chosen: bool = False

    @classmethod
    def checked(
        cls,
        *,
        digits: Any,
        caption: Any,
        label: Any,
        parts: Any,
        cite: Any,
        latex_tables: Any,
        latex_width: Any,
        columns: Any,
    ) -> "Options":
        """Check the options; raise an error that names an invalid one."""
        if digits is not None:
            digits = check_count("digits", digits, least=0, most=_MOST_DIGITS)
        captions: dict[str, str] = {}
        if isinstance(caption, Mapping):
            for table, words in caption.items():
                check_option("caption", table, _TABLES)
                captions[table] = check_text(f"caption[{table!r}]", words)
            caption = None
        if label is not None and not re.fullmatch(
            r"[A-Za-z0-9:._+/-]+", check_text("label", label)
        ):
            raise ValueError(
                "`label` must be ASCII letters, digits and any of : . _ + / -, as LaTeX reads it; "
                f"got {shown(label)}."
            )
        # A single part may be given by its name.
        listed = [parts] if isinstance(parts, str) else parts
        chosen = _USUAL if listed is None else check_listed("parts", listed, "names of parts")
        for part in chosen:
            check_option("parts", part, PARTS)
        return cls(
            digits,
            "" if caption is None else check_text("caption", caption),
            captions,
            label,
            tuple(chosen),
            check_option("cite", cite, (None, "bibtex")),
            check_option("latex_tables", latex_tables, _LATEX_TABLES),
            check_option("latex_width", latex_width, _LATEX_WIDTHS),
            _checked_columns(columns),
            parts is not None,
        )


def _checked_columns(columns: Any) -> Mapping[str, tuple[str, ...]]:
    """The columns of every table: the chosen ones, each once, or the default."""
    if columns is None:
        return DEFAULTS
    if not isinstance(columns, Mapping):
        raise TypeError(
            "`columns` must be a mapping of tables to names of columns, such as "
            f'{{"leader": ["mean_diff", "p_val"]}}; got {shown(columns)}.'
        )
    found = dict(DEFAULTS)
    for table, names in columns.items():
        check_option("columns", table, COLUMNS)
        option = f"columns[{table!r}]"
        chosen = check_listed(option, names, "names of columns")
        for name in chosen:
            check_option(option, name, COLUMNS[table])
        # Names of candidates come first, unless they were given a place.
        left_out = [name for name in NAMES[table] if name not in chosen]
        found[table] = tuple(dict.fromkeys([*left_out, *chosen]))
    return found
