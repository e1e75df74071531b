"""Efron and Tibshirani's .632 and .632+ rules."""

from dataclasses import dataclass

WEIGHT = 0.632
"""Expected share of the samples in a bootstrap sample, 1 − 1/e."""


@dataclass(frozen=True)
class WeightedError:
    """A weighted mean of the apparent and the out-of-bag error.

    Attributes
    ----------
    error : float
        The estimate.
    weight : float
        Weight of the out-of-bag error, if that is at most the no-information rate; the rest is the
        weight of the apparent error.
    overfitting : float
        Relative overfitting rate R, from 0 to 1; NaN if the rule does not use it.
    """

    error: float
    weight: float
    overfitting: float = float("nan")


def out_of_bag(oob: float) -> WeightedError:
    """The error of the leave-one-out bootstrap, which is somewhat pessimistic."""
    return WeightedError(oob, 1.0)


def point_632(apparent: float, oob: float) -> WeightedError:
    """The .632 rule, which is optimistic for models that fit their training data closely."""
    return WeightedError((1 - WEIGHT) * apparent + WEIGHT * oob, WEIGHT)


def point_632_plus(apparent: float, oob: float, no_information: float) -> WeightedError:
    """The .632+ rule: the weight of the out-of-bag error grows with overfitting.

    Efron and Tibshirani's equation 32 adds a term to the .632 error that grows with the relative
    overfitting rate R = (min(oob, γ) − apparent) / (γ − apparent). R is clipped to [0, 1], and is 0
    if the out-of-bag error or γ is not above the apparent error. If the out-of-bag error is at most
    γ, the result is (1 − w)·apparent + w·oob with w = 0.632/(1 − 0.368·R).
    """
    capped = min(oob, no_information)
    overfitting = 0.0
    if capped > apparent:
        overfitting = min(1.0, max(0.0, (capped - apparent) / (no_information - apparent)))
    weight = WEIGHT / (1 - (1 - WEIGHT) * overfitting)
    error = point_632(apparent, oob).error + (weight - WEIGHT) * (capped - apparent)
    return WeightedError(error, weight, overfitting)
