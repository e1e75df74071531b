"""ChosenByScores: the note of a comparison whose models were chosen by the scores it compares."""

import warnings
from typing import Self

from sklearn_stats_compare._messages import ComparisonWarning, outside_level

UNSEEN_SPLITS = (
    "These scores chose the candidates. Nested cross-validation, cross_val_score of the search on "
    "outer splits, says how good its choice is; splits that it has not seen compare candidates."
)
"""What to do with candidates that their search chose by scores."""

NO_ERROR_RATES = (
    "so the error rates of p-values, intervals and verdicts no longer hold: read them as a "
    "description."
)


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


def chosen_by_search(name: str) -> ChosenByScores:
    """Note of a search, such as a Bayesian one, that saw scores of the compared splits."""
    return ChosenByScores(
        f"{name} chose candidates after it had seen scores on these splits, {NO_ERROR_RATES}",
        UNSEEN_SPLITS,
    )


def kept_by_halving() -> ChosenByScores:
    """Note of a halving search, of its iterations from the second on."""
    return ChosenByScores(
        f"The halving search kept these candidates for their scores on less data, {NO_ERROR_RATES}",
        UNSEEN_SPLITS,
    )


def warn_of_last_iteration(n_compared: int, n_rows: int) -> None:
    """Warn that only the last iteration of a halving search is compared."""
    warnings.warn(
        f"Only the last iteration of the halving search is compared, {n_compared} of "
        f"{n_rows} rows: the others were scored on less data.",
        ComparisonWarning,
        stacklevel=outside_level(),
    )
