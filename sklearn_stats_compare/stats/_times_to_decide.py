"""How many times the samples would show a difference, were it as it was seen."""

from scipy import special


def times_to_decide(difference: float, std_err: float, df: float, *, alpha: float) -> float:
    """Times the samples with which every other such difference is found.

    The variance of a mean difference falls as one over the number of samples, and the degrees of
    freedom are taken to stay as they are. A difference is found every other time where its
    statistic, were the difference the true one, is at its critical value. Not for differences
    within a ROPE, where equivalence may be shown first.

    Parameters
    ----------
    difference : float
        Mean difference, ≥ 0, in score units.
    std_err : float
        Its standard error.
    df : float
        Degrees of freedom.
    alpha : float
        Level of the pair.

    Returns
    -------
    float
        Below 1 where there are more than enough; infinite where no number is; NaN where the
        standard error is.
    """
    # By the small tail: 1 − alpha/2 may round to 1.
    critical = -float(special.stdtrit(df, alpha / 2))
    return (std_err * critical / difference) ** 2 if difference > 0 else float("inf")
