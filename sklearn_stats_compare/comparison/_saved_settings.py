"""Settings of `compare`: what the caller gives, what was saved with the scores, or the default."""

from collections.abc import Mapping
from typing import Any

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.stats import PAIR_TESTS


# Subclasses, so that a signature shows the defaults as they are, and yet a default is told from the
# same value that a caller gives.
class _DefaultText(str):
    pass


class _DefaultNumber(float):
    pass


GREATER, BONFERRONI = _DefaultText("greater"), _DefaultText("bonferroni")
ROPE, ALPHA = _DefaultNumber(0.01), _DefaultNumber(0.05)
_NAMES = ("alternative", "p_adjust", "rope", "alpha", "test")


def without_defaults(settings: Mapping[str, Any], saved: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a comparison, `saved` ones where the caller gave none.

    Raises
    ------
    ValueError
        If a setting that was saved is unknown, or the test needs more than was saved.
    """
    unknown = [name for name in saved if name not in _NAMES]
    if unknown:
        raise ValueError(
            f"`obj` must hold settings among {', '.join(_NAMES)}; got {shown(unknown[0])}."
        )
    chosen = {name: _chosen(name, value, saved) for name, value in settings.items()}
    if chosen["test"] is None:  # that of `Comparison`, or of a search
        del chosen["test"]
    return chosen


def _chosen(name: str, value: Any, saved: Mapping[str, Any]) -> Any:
    if name == "test":
        return _saved_test(saved.get("test")) if value is None else value
    if isinstance(value, _DefaultText):
        return saved.get(name, str(value))
    if isinstance(value, _DefaultNumber):
        return saved.get(name, float(value))
    return value


def _saved_test(test: Any) -> Any:
    known = PAIR_TESTS.get(test) if isinstance(test, str) else None
    if test is None or (known is not None and known.of_splits):
        return test
    raise ValueError(
        f"`test` must be given here, such as 'corrected_t': {shown(test)}, by which the scores "
        "were compared when they were saved, needs more than a file holds."
    )
