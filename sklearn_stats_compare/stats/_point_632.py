"""Efron and Tibshirani's .632 and .632+ rules, from errors to an error."""

from dataclasses import dataclass

WEIGHT = 0.632
"""Share of the samples that a bootstrap draws, 1 − 1/e."""


@dataclass(frozen=True)
class WeightedError:
    """An error between the apparent and the out-of-bag one.

    Attributes
    ----------
    error : float
        The estimate.
    weight : float
        Weight of the out-of-bag error where it is not above the no-information rate; the apparent
        error has the rest.
    overfitting : float
        Relative overfitting rate R, from 0 to 1; NaN where the rule does not use it.
    """

    error: float
    weight: float
    overfitting: float = float("nan")


def out_of_bag(oob: float) -> WeightedError:
    """The leave-one-out bootstrap's error as it is; somewhat pessimistic."""
    return WeightedError(oob, 1.0)


def point_632(apparent: float, oob: float) -> WeightedError:
    """The .632 rule: optimistic for models that fit their training data closely."""
    return WeightedError((1 - WEIGHT) * apparent + WEIGHT * oob, WEIGHT)


def point_632_plus(apparent: float, oob: float, no_information: float) -> WeightedError:
    """The .632+ rule: more weight on the out-of-bag error the more the model overfits.

    Efron and Tibshirani's equation 32: the .632 error, and the more added to it the larger the
    relative overfitting rate R = (min(oob, γ) − apparent) / (γ − apparent) is, clipped to [0, 1]
    and 0 where the out-of-bag error or γ is not above the apparent one. Where the out-of-bag error
    is at most γ this is (1 − w)·apparent + w·oob with w = 0.632/(1 − 0.368·R).
    """
    capped = min(oob, no_information)
    overfitting = 0.0
    if capped > apparent:
        overfitting = min(1.0, max(0.0, (capped - apparent) / (no_information - apparent)))
    weight = WEIGHT / (1 - (1 - WEIGHT) * overfitting)
    error = point_632(apparent, oob).error + (weight - WEIGHT) * (capped - apparent)
    return WeightedError(error, weight, overfitting)
