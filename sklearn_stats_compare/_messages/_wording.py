"""How messages, tables and reports write text of strangers, numbers and counts."""

import re

import numpy as np

# What no file can hold or what changes the text around it: control characters, halves of surrogate
# pairs, marks that turn the direction of writing, and what no Unicode text may hold.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def visible(text: str) -> str:
    """Text with each character that cannot be shown or saved replaced by its code point."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def shortened(text: str, longest: int) -> str:
    """Text of at most `longest` characters; it keeps both ends, where labels differ."""
    if len(text) <= longest:
        return text
    tail = longest // 3
    return f"{text[: longest - 1 - tail]}…{text[-tail:]}"


def one_line(text: str, longest: int) -> str:
    """Text of at most `longest` characters that stays on its line and shows what is in it."""
    return shortened(visible(" ".join(text.split())), longest)


def sentence(clause: str) -> str:
    """A clause as a sentence, and nothing as nothing."""
    return f"{clause[0].upper()}{clause[1:]}." if clause else ""


def shown_decimals(std_err: np.ndarray) -> int:
    """Enough decimals to show three digits of a typical standard error."""
    positive = std_err[np.isfinite(std_err) & (std_err > 0)]
    if not positive.size:
        return 4
    return int(np.clip(2 - np.floor(np.log10(np.median(positive))), 0, 15))


def shown_number(value: float, decimals: int) -> str:
    """A number with these decimals, or in scientific notation where it would be very long."""
    return f"{value:.4g}" if abs(value) >= 1e9 else f"{value:.{decimals}f}"


def level_words(alpha: float) -> str:
    """1 − alpha as people write it, ``"95 %"``; of an alpha too small for that ``"1 − 1e-07"``."""
    percent = f"{100 * (1 - alpha):g}"
    return f"1 − {alpha:g}" if percent == "100" else f"{percent} %"


def count(n: int, thing: str) -> str:
    """``"1 pair"``, ``"6 pairs"``."""
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"
