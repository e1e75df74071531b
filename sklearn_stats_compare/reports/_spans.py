"""Parts of a sentence with a format-specific layout: ``p = 0.012``, ``95 %``, citations."""

import re
from collections.abc import Callable, Iterable

# Noncharacters, which Unicode reserves for internal use.
_OPEN, _CLOSE, _SPACE = "\ufdd0", "\ufdd1", "\ufdd2"
_SPAN = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_CITED = re.compile(r"cite:[A-Za-z0-9:.,_-]+")
_SYMBOLS = re.compile(r"\b[pt]-(?:values?|tests?|statistics?)\b|\b1/\d+ \+ [\d.]+\b")


def unbroken(text: str) -> str:
    """Mark text that stays on one line, with symbols that a format may set as mathematics."""
    return f"{_OPEN}{text}{_CLOSE}"


def cited(works: Iterable[str]) -> str:
    """Mark a citation of the works with these keys."""
    keys = ",".join(works)
    return f"{_OPEN}cite:{keys}{_CLOSE}" if keys else ""


def with_symbols(text: str) -> str:
    """Our own text, with p-values, t-tests and sums of fractions marked as `unbroken`."""
    return _SYMBOLS.sub(lambda match: unbroken(match[0]), text)


def laid_out(
    sentence: str,
    text: Callable[[str], str],
    span: Callable[[str], str],
    cite: Callable[[list[str]], str] = lambda keys: "",
) -> str:
    """Lay out a sentence: each of its parts by the function of its kind.

    The text between two marks may be anything, because labels may contain any character.
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
    """The sentence with its lines broken by `fill`, but not within an unbroken part."""
    held = laid_out(sentence, str, lambda piece: piece.replace(" ", _SPACE))
    return fill(held).replace(_SPACE, " ")
