"""Columns of ``cv_results_`` with the scores of one split, such as ``split0_test_score``."""

import re
from typing import Any

# Named by `_format_results` of scikit-learn's searches. The name of a metric is a key of the user's
# `scoring` and may be any text, even with line breaks. In CSV files edited by hand, blanks may
# surround a name.
_COLUMN = re.compile(r"\s*split(\d+)_(test|train)_(.*?)\s*", re.DOTALL)
# Python does not convert text of more than 4,300 digits to int: sys.set_int_max_str_digits.
_MOST_DIGITS = 9


def split_column(split: int, metric: str) -> str:
    """Name of the column of test scores of one split."""
    return f"split{split}_test_{metric}"


def split_and_metric(key: Any, part: str = "test") -> tuple[int, str] | None:
    """Split and metric of a column of test (or train) scores; None for any other column."""
    match = _COLUMN.fullmatch(str(key))
    if match is None or match[2] != part:
        return None
    digits = match[1]
    return (int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS), match[3]
