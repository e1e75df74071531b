"""The works to cite for the methods of a report, as BibTeX."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

# Authors cite by these keys: a released key never changes.
EQUIVALENCE = ("schuirmann1987comparison",)

ROPE = ("benavoli2017time",)

POSTERIOR = ("corani2015bayesian",)

POSSIBLY_BEST = ("hsu1981simultaneous",)

LETTERS = ("piepho2004algorithm",)

OPTIMISM: Mapping[str, tuple[str, ...]] = {
    "fold_bootstrap": ("tsamardinos2018bootstrapping",),
    "tibshirani": ("tibshirani2009bias",),
}

AFTER_CHOICE = ("zrnic2024locally",)
"""The interval of the leader's own score."""

FRIEDMAN = ("friedman1937use", "iman1980approximations")

SIGNED_RANK = ("benavoli2014bayesian", "benavoli2017time")
"""The Bayesian signed-rank test over data sets."""

_ENTRY = re.compile(r"^@\w+\{(\w+),\n.*?^\}\n", re.MULTILINE | re.DOTALL)


@cache
def works() -> Mapping[str, str]:
    """Key → entry, of all works."""
    file = files("sklearn_stats_compare.reports") / "references.bib"
    return {entry[1]: entry[0] for entry in _ENTRY.finditer(file.read_text(encoding="utf-8"))}


def bibtex(keys: Iterable[str]) -> str:
    """The entries of these keys, each once, in order of first use."""
    return "\n".join(works()[key] for key in dict.fromkeys(keys) if key in works())
