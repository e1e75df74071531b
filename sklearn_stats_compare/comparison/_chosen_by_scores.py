"""ChosenByScores: the note of a comparison whose models were chosen by the scores it compares."""

from typing import Self


class ChosenByScores(str):
    """A note that says so, and what to do in place of reading verdicts.

    Attributes
    ----------
    instead : str
        A sentence, for `Comparison.next_step`.
    """

    instead: str

    def __new__(cls, note: str, instead: str = "") -> Self:
        """From the note and the sentence."""
        made = super().__new__(cls, note)
        made.instead = instead
        return made
