"""Pieces of a sentence that a format sets in its own way: ``p = 0.012``, ``95 %``, citations."""

import re
from collections.abc import Callable, Iterable

# Noncharacters, which Unicode keeps for marks inside a program.
_OPEN, _CLOSE, _SPACE = "\ufdd0", "\ufdd1", "\ufdd2"
_SPAN = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_CITED = re.compile(r"cite:[A-Za-z0-9:.,_-]+")
_SYMBOLS = re.compile(r"\b[pt]-(?:values?|tests?|statistics?)\b|\b1/\d+ \+ [\d.]+\b")


def unbroken(text: str) -> str:
    """Text that stays on one line, in which a format may set symbols as mathematics."""
    return f"{_OPEN}{text}{_CLOSE}"


def cited(works: Iterable[str]) -> str:
    """Where the works with these keys are cited."""
    keys = ",".join(works)
    return f"{_OPEN}cite:{keys}{_CLOSE}" if keys else ""


def with_symbols(text: str) -> str:
    """Text of ours, p-values and t-tests and sums of fractions in it marked as `unbroken`."""
    return _SYMBOLS.sub(lambda match: unbroken(match[0]), text)


def laid_out(
    sentence: str,
    text: Callable[[str], str],
    span: Callable[[str], str],
    cite: Callable[[list[str]], str] = lambda keys: "",
) -> str:
    """A sentence with each of its pieces written by the function of its kind.

    What stands between two marks may be anything, since labels may hold any character.
    """
    parts = []
    for k, piece in enumerate(_SPAN.split(sentence)):
        if not k % 2:
            parts.append(text(piece))
        elif _CITED.fullmatch(piece):
            parts.append(cite(piece.removeprefix("cite:").split(",")))
        else:
            parts.append(span(piece))
    return "".join(parts)


def without_spans(sentence: str) -> str:
    """The sentence as plain text."""
    return laid_out(sentence, str, str)


def filled(sentence: str, fill: Callable[[str], str]) -> str:
    """The sentence with its lines broken by `fill`, and none within a piece that is unbroken."""
    held = laid_out(sentence, str, lambda piece: piece.replace(" ", _SPACE))
    return fill(held).replace(_SPACE, " ")
