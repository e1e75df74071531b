"""Looking: verdicts on scores that are looked at several times, and the record of the looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from sklearn_stats_compare._messages import count
from sklearn_stats_compare.comparison import Comparison, Undecided
from sklearn_stats_compare.stats import SplitDesign, SplitScores, level_of_a_look

_HISTORY = ["look", "n_splits", "n_fits", "possibly_best", "pairs", "undecided", "out_of_reach"]


def stop_reason(found: Undecided) -> str | None:
    """Why to stop before the next repeat: "decided" or "floor"; None to continue."""
    if not found.n_open:  # also where a single candidate may be the best
        return "decided"
    return "floor" if found.n_out_of_reach == found.n_open else None


@dataclass(frozen=True)
class Looking:
    """The level of verdicts on scores that are looked at several times.

    Attributes
    ----------
    settings : dict
        Settings of the comparison; `alpha` is the level of each look.
    alpha : float
        Joint level of all looks.
    n_looks : int
        Largest number of looks, including those of earlier extensions and at the current scores.
    """

    settings: dict[str, Any]
    alpha: float
    n_looks: int

    @classmethod
    def planned(
        cls, settings: Mapping[str, Any], design: SplitDesign, *, n_candidates: int,
        repeats_at_a_time: int, max_fits: int, n_looks_before: int,
    ) -> "Looking":  # fmt: skip
        """Return the looks that `max_fits` allows, after the earlier ones."""
        # Counted before any look: a number that depended on the scores would not keep the level.
        step = design.splits_per_repeat * repeats_at_a_time
        # One for the current scores: they decide whether the first further repeat is run.
        n_looks = n_looks_before + 1 + max_fits // (n_candidates * step)
        # An adjustment for all pairs shares the level among them; without one each pair has it all.
        n_pairs = n_candidates * (n_candidates - 1) // 2 if settings["p_adjust"] else 1
        alpha = settings["alpha"]
        level = level_of_a_look(design, step, n_looks, alpha, n_pairs)
        return cls({**settings, "alpha": level}, alpha, n_looks)

    def undecided(self, scores: SplitScores) -> Undecided:
        """Return what one look finds."""
        # Without warnings: the comparison of the fitted search gives them, once.
        return Undecided.of(Comparison(scores, warn=False, **self.settings))

    @property
    def note(self) -> str:
        """Why the verdicts have another level than the user set."""
        return (
            f"Verdicts and intervals are at alpha = {self.settings['alpha']:.3g}, so that all "
            f"{count(self.n_looks, 'look')} that there could be together keep "
            f"{self.alpha:g}."
        )


class Looked(NamedTuple):
    """Earlier looks at the scores, as a comparison reports them.

    Attributes
    ----------
    looking : Looking
        The level of all looks.
    note : str
        A sentence about the looks.
    """

    looking: Looking
    note: str


def looks_so_far(
    stop: str, found: Undecided, looks: Sequence[Mapping[str, int]], looking: Looking
) -> tuple[Looked, dict[str, Any]]:
    """Return the report of an extension with looks, and its fitted attributes."""
    looked = Looked(looking, f"{_stop_sentence(stop, found, len(looks))} {looking.note}")
    return looked, {
        # Named columns, since an extension that stops at once has no rows.
        "extension_history_": pd.DataFrame(looks, columns=_HISTORY),
        "extension_stop_": stop,
    }


def _stop_sentence(stop: str, found: Undecided, n_looks: int) -> str:
    """Why an extension stopped, as a sentence for the note of a comparison."""
    after = f"Extended a repeat at a time, with {count(n_looks, 'look')} at the scores"
    if n_looks == 0:
        after = "Not extended"
    if found.n_candidates == 1:
        return f"{after}: a single candidate may be the best."
    candidates = f"the {count(found.n_candidates, 'candidate')} that may be the best"
    if stop == "decided":
        return f"{after}: no pair of {candidates} is undecided."
    are = "is" if found.n_open == 1 else "are"
    left = f"{found.n_open:,} of {count(found.n_pairs, 'pair')} of {candidates} {are} undecided"
    if stop == "floor":
        return f"{after}: {left}, and by these scores no number of repeats would change that."
    ended = "`max_fits`" if stop == "max_fits" else "there were no further repeats"
    return f"{after}, until {ended}: {left}."
