"""Errors and warnings of failed fits, in scikit-learn's words but once per search."""

import re
import warnings
from collections import Counter
from collections.abc import Iterable
from typing import Any

from sklearn.exceptions import FitFailedWarning

from sklearn_stats_compare._messages import outside_level

# As ``_warn_or_raise_about_fit_failures`` of scikit-learn 1.6 to 1.9 writes them.
_ONE_ERROR = re.compile(r"-{80}\n(\d+) fits failed with the following error:\n")


def says_that_all_failed(error: ValueError) -> bool:
    """Whether an error is the one that scikit-learn raises if every fit of a call failed."""
    # It is a plain ValueError: only its text distinguishes it from others.
    return "fits failed" in str(error)


def errors_of(failure: ValueError) -> Counter[str]:
    """The errors of a block whose fits all failed, and how often each occurred."""
    # The pattern has a group, so that the parts are: number, error, number, error, …
    _, *parts = _ONE_ERROR.split(str(failure))
    return Counter(
        {error.strip("\n"): int(n) for n, error in zip(parts[::2], parts[1::2], strict=True)}
    )


def all_failed(blocks: Iterable[Counter[str]]) -> ValueError:
    """scikit-learn's error if every fit failed, for all blocks."""
    errors = sum(blocks, Counter())
    return ValueError(
        f"\nAll the {errors.total()} fits failed.\n"
        "It is very likely that your model is misconfigured.\n"
        "You can try to debug the error by setting error_score='raise'.\n\n"
        f"Below are more details about the failures:\n{_details(errors, '-' * 80 + chr(10))}"
    )


def warn_of_failures(errors: Counter[str], n_fits: int, error_score: Any) -> None:
    """scikit-learn's warning of fits that failed, once for the whole search."""
    if errors:
        warnings.warn(
            f"\n{errors.total()} fits failed out of a total of {n_fits}.\n"
            "The score on these train-test partitions for these parameters will be set to "
            f"{error_score}.\n\n{_details(errors)}",
            FitFailedWarning,
            stacklevel=outside_level(),
        )


def _details(errors: Counter[str], before: str = "") -> str:
    return "\n".join(
        f"{before}{n} fits failed with the following error:\n{error}" for error, n in errors.items()
    )
