"""ChosenByScores: the note of a comparison whose models were chosen by the scores it compares."""

from typing import Self

UNSEEN_SPLITS = (
    "These scores chose the candidates. Nested cross-validation, cross_val_score of the search on "
    "outer splits, says how good its choice is; splits that it has not seen compare candidates."
)
"""What to do with candidates that their search chose by scores."""


class ChosenByScores(str):
    """A note on the choice by scores, and what to do instead of reading verdicts.

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


def joined_notes(*notes: str | None) -> str:
    """Join notes; the result has the advice `instead` if one of them has."""
    text = " ".join(filter(None, notes))
    instead = next((note.instead for note in notes if isinstance(note, ChosenByScores)), None)
    return text if instead is None else ChosenByScores(text, instead)
