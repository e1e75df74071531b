"""Formatting of labels, numbers and counts in messages, tables and reports."""

import re

import numpy as np

# Characters that cannot be saved or that change the text around them: control characters, lone
# surrogates, marks of writing direction, and Unicode noncharacters.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def visible(text: str) -> str:
    """Replace each character that cannot be shown or saved by its code point."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def shortened(text: str, longest: int) -> str:
    """Cut text to at most `longest` characters; keep both ends, where labels differ."""
    if len(text) <= longest:
        return text
    tail = longest // 3
    return f"{text[: longest - 1 - tail]}…{text[-tail:]}"


def one_line(text: str, longest: int) -> str:
    """Cut text to at most `longest` visible characters on one line."""
    return shortened(visible(" ".join(text.split())), longest)


def sentence(clause: str) -> str:
    """Return a clause as a sentence; an empty clause stays empty."""
    return f"{clause[0].upper()}{clause[1:]}." if clause else ""


def shown_decimals(std_err: np.ndarray) -> int:
    """Return the number of decimals that shows three digits of a typical standard error."""
    positive = std_err[np.isfinite(std_err) & (std_err > 0)]
    if not positive.size:
        return 4
    return int(np.clip(2 - np.floor(np.log10(np.median(positive))), 0, 15))


def shown_number(value: float, decimals: int) -> str:
    """Format a number with these decimals, or in scientific notation from 1e9 on."""
    return f"{value:.4g}" if abs(value) >= 1e9 else f"{value:.{decimals}f}"


def level_words(alpha: float) -> str:
    """Write 1 − alpha as ``"95 %"``, or as ``"1 − 1e-07"`` if alpha is too small for that."""
    percent = f"{100 * (1 - alpha):g}"
    return f"1 − {alpha:g}" if percent == "100" else f"{percent} %"


def count(n: int, thing: str) -> str:
    """``"1 pair"``, ``"6 pairs"``."""
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"
