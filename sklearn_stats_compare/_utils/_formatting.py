"""Labels, numbers and counts as text, in messages, tables and reports."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

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


_MOST_DECIMALS = 15


def shown_decimals(std_err: np.ndarray) -> int:
    """Return the number of decimals that shows three digits of a typical standard error."""
    positive = std_err[np.isfinite(std_err) & (std_err > 0)]
    if not positive.size:
        return 4
    return int(np.clip(2 - np.floor(np.log10(np.median(positive))), 0, _MOST_DECIMALS))


def shown_number(value: float, decimals: int) -> str:
    """Format a number with these decimals, or in scientific notation if it is tiny or huge."""
    is_tiny = decimals == _MOST_DECIMALS and 0 < abs(value) < 1e-12
    return f"{value:.4g}" if is_tiny or abs(value) >= 1e9 else f"{value:.{decimals}f}"


def plus_minus(mean: float, std_err: float) -> str:
    """A mean with its standard error as people write them, ``"0.996 ± 0.003"``."""
    if not (np.isfinite(std_err) and std_err > 0 and np.isfinite(mean)):
        return f"{mean:.4g}"
    place = int(np.floor(np.log10(std_err)))
    digits = 1 if std_err >= 2.95 * 10.0**place else 2  # 0.012, but 0.003
    decimals = int(np.clip(digits - 1 - place, 0, _MOST_DECIMALS))
    return f"{shown_number(mean, decimals)} ± {shown_number(std_err, decimals)}"


def rounded_up(bound: float) -> str:
    """An upper bound in two digits, not below it."""
    if not (np.isfinite(bound) and bound > 0):
        return f"{bound:g}"
    step = 10.0 ** (int(np.floor(np.log10(bound))) - 1)
    return two_digits(np.ceil(bound / step - 1e-9) * step)


def two_digits(value: float) -> str:
    """``"0.0065"``, ``"240"`` for 243."""
    return f"{float(f'{value:.2g}'):g}"


def aligned(rows: Sequence[Sequence[str]], sides: Sequence[str]) -> list[str]:
    """Rows of cells as lines, each column padded on its side: "<" or ">"."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map("{:{}{}}".format, row, sides, widths)).rstrip() for row in rows]


def level_words(alpha: float) -> str:
    """Write 1 − alpha as ``"95 %"``, or as ``"1 − 1e-07"`` if alpha is too small for that."""
    percent = f"{100 * (1 - float(f'{alpha:.3g}')):g}"  # a share of alpha has many digits
    return f"1 − {alpha:g}" if percent == "100" else f"{percent} %"


def count(n: int, thing: str) -> str:
    """``"1 pair"``, ``"6 pairs"``."""
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"


# The begun word or number at the end of a text.
_PART = re.compile(r"(?:[^\W_]|[.+-])*\Z")

# Letters. In less, what differs is shown by a number instead.
_LEAST = 8


def short_labels(labels: Iterable[str], longest: int) -> dict[str, str]:
    """Each label on one line, in at most `longest` characters where there is room for that.

    Different labels stay different: where both ends of some are alike, what these have in common
    makes room for what sets them apart, and where that is too long they are numbered.
    """
    given = list(dict.fromkeys(labels))
    texts = [visible(" ".join(label.split())) for label in given]
    if max(map(len, texts), default=0) > longest:
        texts = _briefer_names(texts, longest)
    return dict(zip(given, _numbered(texts, _apart(texts, longest), longest), strict=True))


def _briefer_names(texts: Sequence[str], longest: int) -> list[str]:
    """Labels of the form ``C=1, gamma=0.1`` with shorter names, as values say more than these.

    Other labels stay as they are.
    """
    labels = [[part.partition("=") for part in text.split(", ")] for text in texts]
    if not all(sign and name for label in labels for name, sign, _ in label):
        return list(texts)
    names = {name for label in labels for name, *_ in label}
    made = [", ".join(map("".join, label)) for label in labels]
    for room in range(max(map(len, names)) - 1, 1, -1):
        if max(map(len, made)) <= longest:
            break
        cut = {name: name if len(name) <= room else f"{name[: room - 1]}…" for name in names}
        if len(set(cut.values())) < len(names):
            break
        made = [", ".join(f"{cut[name]}={value}" for name, _, value in label) for label in labels]
    return made if len(set(made)) == len(set(texts)) else list(texts)


def _apart(texts: Sequence[str], longest: int) -> list[str]:
    short = [shortened(text, longest) for text in texts]
    groups = _alike(short)
    if longest < _LEAST or not groups:
        return short
    # Together first, with those that are long too, so that all are cut at the same place.
    alike = {row for rows in groups for row in rows}
    long = alike | {row for row, text in enumerate(texts) if len(text) > longest}
    if any(_without_common(texts, short, sorted(rows), longest) for rows in (long, alike)):
        return short
    for rows in groups:
        _without_common(texts, short, rows, longest)
    return short


def _without_common(texts: Sequence[str], short: list[str], rows: list[int], longest: int) -> bool:
    """Shorten what these have in common at their ends; False where that is nothing."""
    group = [texts[row] for row in rows]
    # Back to where a value begins, so that 10 and 1 differ as such and not as 0 and nothing.
    head = _whole(_common(group))
    tail = _whole(_common([text[len(head) :][::-1] for text in group]))[::-1]
    middles = [text[len(head) : len(text) - len(tail)] for text in group]
    room = longest - min(max(map(len, middles)), longest - _LEAST // 2)
    begin, end = _cut(head, tail, room)
    if not begin and not end:
        return False
    inner = _apart(middles, longest - len(begin) - len(end))
    for row, middle in zip(rows, inner, strict=True):
        short[row] = f"{begin}{middle}{end}"
    return True


def _common(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    # The first and the last in order differ as early as any two.
    pairs = zip(min(texts), max(texts), strict=False)
    return "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _whole(common: str) -> str:
    return _PART.sub("", common) or common


def _cut(head: str, tail: str, room: int) -> tuple[str, str]:
    """What comes before and after a difference, in `room` characters."""
    if len(head) + len(tail) <= room:
        return head, tail
    of_tail = min(len(tail), max(room // 3, room - len(head)))
    if len(tail) > of_tail and of_tail < 4:  # no more than a letter or two could be read
        of_tail = min(of_tail, 1)
    of_head = room - of_tail
    if len(head) > of_head:
        head = f"{head[: max(of_head - 1, 0)]}…"[:of_head]
    if len(tail) > of_tail:
        tail = f"…{tail[len(tail) - max(of_tail - 1, 0) :]}"[:of_tail]
    return head, tail


def _numbered(texts: Sequence[str], short: list[str], longest: int) -> list[str]:
    """Numbers for what is still alike; a number may make a label like another, and so on."""
    numbered: set[int] = set()
    while alike := [row for rows in _alike(short) for row in rows if row not in numbered]:
        for row in alike:
            end = f" ({row + 1})"  # not #, which is a candidate's index
            short[row] = f"{shortened(texts[row], max(longest - len(end), 4))}{end}"
        numbered.update(alike)
    return short


def _alike(short: Sequence[str]) -> list[list[int]]:
    """Rows of labels that are the same, where there are several."""
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(short):
        rows.setdefault(label, []).append(row)
    return [found for found in rows.values() if len(found) > 1]


def duration(seconds: float) -> str:
    """A span of time in its two largest units, or with two digits below 10 seconds."""
    if seconds < 10:
        return f"{seconds:.2g} s"
    whole = round(seconds)
    for size, name, part, its_name in _SPANS:
        if whole >= size:
            return f"{whole // size} {name} {whole % size // part} {its_name}"
    return f"{whole} s"


_SPANS = ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s"))
