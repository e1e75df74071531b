"""Text as LaTeX: every character escaped, statistics and numbers as mathematics."""

import re
import unicodedata

from sklearn_stats_compare.reports._spans import laid_out

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    # In OT1, LaTeX's default encoding, these three are other signs: ¡, ¿ and a dash.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # after \\ it would open an optional argument
    "]": "{]}",
    "*": "{*}",  # and this would star it
    '"': r"\textquotedbl{}",
    "−": "$-$",
    "–": "--",
    "×": r"$\times$",
    "±": r"$\pm$",
    "∞": r"$\infty$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "≈": r"$\approx$",
    "→": r"$\to$",
    "√": r"$\surd$",
    "Δ": r"$\Delta$",
    "Σ": r"$\Sigma$",
    "Ω": r"$\Omega$",
    "λ": r"$\lambda$",  # which Unicode calls "lamda"
    "…": r"\ldots{}",
    # For Šidák: they are not among the first 256 characters of Unicode; others are shown by code
    # point.
    "š": r"\v{s}",
    "Š": r"\v{S}",
}

# Small letters with a command of their own.
_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta",
    "iota", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho",
    "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
}  # fmt: skip

WIDE = 14
"""Characters; a longer label may need a second line."""

# Unbroken parts of a sentence. Anything else between marks is part of a label, and text.
_NUMBER = r"−?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|∞)"
_STATISTIC = re.compile(rf"(?:(t)\((\d+)\)|(p|alpha)) ([=<]) ({_NUMBER})")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?(?:e[+-]?\d+)?) %")
_NAMED = re.compile(r"([pt])(-[a-z]+)")
_SUM = re.compile(r"1/\d+ \+ \d+(?:\.\d+)?")
_LEVEL = re.compile(rf"1 − ({_NUMBER})")
_SYMBOLS = {"alpha": r"\alpha"}


def escaped(text: str) -> str:
    """Text that LaTeX shows unchanged, in one line."""
    return "".join(character(c) for c in re.sub(r"\s+", " ", text))


def breakable(text: str) -> str:
    """Text of a cell; a long label may break after every sign except a decimal point."""
    text = " ".join(text.split())
    return _broken(text) if len(text) > WIDE else escaped(text)


def sentence(text: str, *, cites: bool = False) -> str:
    """A sentence of prose or of a caption; with `cites` its works are cited by their keys."""
    # An unbreakable space keeps the number of a work on the line of its name.
    cite = (lambda keys: f"~\\cite{{{','.join(keys)}}}") if cites else (lambda keys: "")
    return laid_out(text, _prose, _mathematics, cite).strip()


def mathematical(text: str) -> str | None:
    """A number in a table as mathematics, without dollar signs; None if it is not a number."""
    if match := re.fullmatch(rf"({_NUMBER}) ± ({_NUMBER})", text):
        return rf"{_number(match[1])} \pm {_number(match[2])}"
    match = re.fullmatch(rf"(<? ?)({_NUMBER})", text)
    return f"{match[1]}{_number(match[2])}" if match else None


def _prose(text: str) -> str:
    """Text in which long words are names or labels and may break as in a cell."""
    words = re.split(r"\s+", text)
    return " ".join(_broken(word) if len(word) > WIDE else escaped(word) for word in words)


def _broken(text: str) -> str:
    return "".join(
        # TeX hyphenates words only, and long labels have none: C=0.001,kernel=rbf.
        character(c) if c.isalnum() or c in " .…" else character(c) + r"\allowbreak{}"
        for c in text
    )


def _mathematics(text: str) -> str:
    if match := _STATISTIC.fullmatch(text):
        of = f"{match[1]}({match[2]})" if match[1] else _SYMBOLS.get(match[3], match[3])
        return f"${of} {match[4]} {_number(match[5])}$"
    if match := _PERCENT.fullmatch(text):
        number = match[1] if match[1].replace(".", "").isdigit() else f"${_number(match[1])}$"
        return rf"{number}\,\%"
    if match := _NAMED.fullmatch(text):
        return f"${match[1]}${match[2]}"
    if _SUM.fullmatch(text):
        return f"${text}$"
    if match := _LEVEL.fullmatch(text):
        return f"$1 - {_number(match[1])}$"
    return escaped(text)


def _number(text: str) -> str:
    digits, _, power = text.replace("−", "-").replace("∞", r"\infty").partition("e")
    return rf"{digits} \times 10^{{{int(power)}}}" if power else digits


def character(character: str) -> str:
    """One character as LaTeX shows it."""
    if character in _ESCAPES:
        return _ESCAPES[character]
    # In T1, because LaTeX reads UTF-8; it rejects control characters.
    if ord(character) <= 0xFF and character.isprintable():
        return character
    kind, _, name = unicodedata.name(character, "").lower().rpartition(" letter ")
    if kind == "greek small" and name in _GREEK:
        return f"$\\{name}$"
    return f"U+{ord(character):04X}"  # shown as what it is, since no font may have it
