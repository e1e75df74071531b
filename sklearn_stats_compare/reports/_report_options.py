"""What may be chosen of a report, checked once."""

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

PARTS = ("prose", "remarks", "metrics", "ranking", "leader", "pictures")
"""Every part of a report, in the order in which they come."""
_TABLES = ("metrics", "ranking", "leader")
_LATEX_TABLES = ("booktabs", "siunitx", "plain")
_MOST_DIGITS = 15  # what a float holds


@dataclass(frozen=True)
class Options:
    """The arguments of `report`, which documents them."""

    digits: int | None = None
    caption: str = ""
    captions: Mapping[str, str] = field(default_factory=dict)
    label: str | None = None
    parts: tuple[str, ...] = PARTS
    cite: str | None = None
    latex_tables: str = "booktabs"

    @classmethod
    def checked(
        cls, digits: Any, caption: Any, label: Any, parts: Any, cite: Any, latex_tables: Any
    ) -> "Options":
        """The options, or an error that says which is wrong."""
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
        # One part alone may be given by its name.
        listed = [parts] if isinstance(parts, str) else parts
        chosen = PARTS if listed is None else check_listed("parts", listed, "names of parts")
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
        )
