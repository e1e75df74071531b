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
        Weight of the out-of-bag error; the apparent error has the rest.
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

    R = (min(oob, γ) − apparent) / (γ − apparent), clipped to [0, 1], and 0 where the out-of-bag
    error or γ is not above the apparent one.
    """
    oob = min(oob, no_information)
    overfitting = 0.0
    if min(oob, no_information) > apparent:
        overfitting = min(1.0, max(0.0, (oob - apparent) / (no_information - apparent)))
    weight = WEIGHT / (1 - (1 - WEIGHT) * overfitting)
    return WeightedError((1 - weight) * apparent + weight * oob, weight, overfitting)
