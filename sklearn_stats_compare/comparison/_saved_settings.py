"""Settings of `compare`: what the caller gives, what was saved with the scores, or the default."""

from collections.abc import Mapping
from typing import Any

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.stats import PAIR_TESTS, PairTest


# Subclasses: a signature shows the plain defaults, and `compare` can still distinguish a default
# from the same value given by the caller.
class _DefaultText(str):
    pass


class _DefaultNumber(float):
    pass


GREATER, BONFERRONI = _DefaultText("greater"), _DefaultText("bonferroni")
ROPE, ALPHA = _DefaultNumber(0.01), _DefaultNumber(0.05)
_NAMES = ("alternative", "p_adjust", "rope", "alpha", "test")


_DEFAULTS = dict(zip(_NAMES, (GREATER, BONFERRONI, ROPE, ALPHA, "corrected_t"), strict=True))


def to_save(
    alternative: str, p_adjust: str | None, rope: Any, alpha: float, test: PairTest
) -> dict[str, Any]:
    """Settings of a comparison as JSON has them."""
    if not isinstance(rope, str):
        rope = list(map(float, rope)) if isinstance(rope, tuple | list) else float(rope)
    return {
        "alternative": alternative,
        "p_adjust": p_adjust,
        "rope": rope,
        "alpha": float(alpha),
        # Another test of the same name has other settings, and the user's own no known name.
        "test": test.name if PAIR_TESTS.get(test.name) == test else type(test).__name__,
    }


def of_splits_alone(saved: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Settings that scores of splits suffice for, and the test that was left out; "" if none was.

    Raises
    ------
    ValueError
        If a setting is unknown.
    """
    _check_known(saved)
    kept = dict(saved)
    known = PAIR_TESTS.get(str(kept.get("test", "corrected_t")))
    if known is not None and known.of_splits:
        return kept, ""
    return kept, str(kept.pop("test"))


def settings_note(saved: Mapping[str, Any] | None, left_out: str) -> str:
    """What to say of settings that a file told; nothing where they are the usual ones."""
    if saved is None:
        return (
            "The file does not say the settings of its search: the usual ones stand where the "
            "call gives none."
        )
    own = [f"{name}={value!r}" for name, value in saved.items() if value != _DEFAULTS[name]]
    said = []
    if own:
        said.append(f"Where the call gives no others, settings are the search's: {', '.join(own)}.")
    if left_out:
        said.append(
            f"The test of the search, {left_out}, needs more than the file has: it is corrected_t "
            "where the call gives no other."
        )
    return " ".join(said)


def without_defaults(settings: Mapping[str, Any], saved: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a comparison, `saved` ones where the caller gave none.

    Raises
    ------
    ValueError
        If a setting that was saved is unknown, or the test needs more than was saved.
    """
    _check_known(saved)
    chosen = {name: _chosen(name, value, saved) for name, value in settings.items()}
    if chosen["test"] is None:  # that of `Comparison`, or of a search
        del chosen["test"]
    return chosen


def _check_known(saved: Mapping[str, Any]) -> None:
    unknown = [name for name in saved if name not in _NAMES]
    if unknown:
        raise ValueError(
            f"`obj` must hold settings among {', '.join(_NAMES)}; got {shown(unknown[0])}."
        )


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
