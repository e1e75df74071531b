"""How many times the samples would decide a pair, were the difference as it was seen."""

from scipy import special


def times_to_decide(
    difference: float, std_err: float, df: float, *, rope: tuple[float, float], alpha: float
) -> float:
    """Times the samples with which every other such pair has a verdict.

    The variance of a mean difference falls as one over the number of samples, and the degrees of
    freedom are taken to stay as they are. A verdict is a difference, |t| above its two-sided
    quantile, or equivalence, both one-sided tests against the ends of the ROPE; each is found every
    other time where its statistic, were the difference the true one, is at its critical value.

    Parameters
    ----------
    difference : float
        Mean difference, ≥ 0, in score units.
    std_err : float
        Its standard error.
    df : float
        Degrees of freedom.
    rope : (float, float)
        The ROPE in score units.
    alpha : float
        Level of the pair.

    Returns
    -------
    float
        Below 1 where there are more than enough; infinite where no number is; NaN where the
        standard error is.
    """
    # By the small tail: 1 − alpha/2 may round to 1.
    two_sided = -float(special.stdtrit(df, alpha / 2))
    one_sided = -float(special.stdtrit(df, alpha))
    # What the standard error must not exceed.
    most = max(
        difference / two_sided,
        min(rope[1] - difference, difference - rope[0]) / one_sided,
    )
    return (std_err / most) ** 2 if most > 0 else float("inf")
