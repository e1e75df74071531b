"""Messages: checks of arguments, the warning class, and formatting of text and numbers.

The lowest layer: it imports only NumPy, and every other folder may import it.
"""

from sklearn_stats_compare._messages._checks import (
    ALTERNATIVES,
    check_classes,
    check_count,
    check_finite,
    check_flag,
    check_interval,
    check_listed,
    check_numbers,
    check_option,
    check_probability,
    check_rng,
    check_same_kind,
    check_seed,
    check_text,
    is_number,
    printable,
    real_score,
    shown,
    shown_list,
)
from sklearn_stats_compare._messages._short_labels import short_labels
from sklearn_stats_compare._messages._warnings import ComparisonWarning, outside_level
from sklearn_stats_compare._messages._wording import (
    count,
    level_words,
    one_line,
    sentence,
    shortened,
    shown_decimals,
    shown_number,
    visible,
)

__all__ = [
    "ALTERNATIVES",
    "ComparisonWarning",
    "check_classes",
    "check_count",
    "check_finite",
    "check_flag",
    "check_interval",
    "check_listed",
    "check_numbers",
    "check_option",
    "check_probability",
    "check_rng",
    "check_same_kind",
    "check_seed",
    "check_text",
    "count",
    "is_number",
    "level_words",
    "one_line",
    "outside_level",
    "printable",
    "real_score",
    "sentence",
    "short_labels",
    "shortened",
    "shown",
    "shown_decimals",
    "shown_list",
    "shown_number",
    "visible",
]
