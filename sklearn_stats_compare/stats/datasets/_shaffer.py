"""Shaffer's static adjustment of the p-values of all pairs of one set of models."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare._messages import check_count, check_numbers, shown

_MOST_MODELS = 1000


def shaffer_pvalues(pvalues: ArrayLike, n_models: int) -> NDArray[np.float64]:
    """Adjust the p-values of all pairs of models by Shaffer's static procedure.

    Holm's method multiplies the smallest of 10 p-values by 10, the next by 9, then 8 and so on. But
    if one pair of 5 models differs, at most 6 of the other pairs can be equal: then four models are
    equal, and differ from the fifth. Shaffer's factors are these largest numbers of pairs that can
    be equal at once, here 10, 6, 6, 6, 6, 4, 4, 3, 2, 1.

    Parameters
    ----------
    pvalues : array-like of float, shape (n_models * (n_models - 1) / 2,)
        Unadjusted p-values of all pairs, in any order.
    n_models : int
        Number of models, from 2 to 1,000.

    Returns
    -------
    ndarray of float, shape (n_models * (n_models - 1) / 2,)
        Adjusted p-values, at most 1, in the same order; never above Holm's.

    Raises
    ------
    ValueError
        If the p-values are not those of all pairs of `n_models` models, or one is not in [0, 1].

    Notes
    -----
    Valid under any dependence, for all pairs of one set of models. It is not valid for some of the
    pairs, for comparisons with a control, or for one-sided tests. It controls the probability of
    any false rejection if equality is transitive, that is, if models 1 and 3 are equal when both
    equal model 2. Equality is transitive if effects of models add to those of the data sets. For
    the hypotheses of tests of pairs it need not be: the differences 1 − 2 and 2 − 3 may be
    symmetric about 0, and 1 − 3 may not. In such a case, with three models, the sign test at 5 %
    rejected one of two true hypotheses in 6.9 ± 0.4 % of 4,000 simulations with 100 data sets, and
    Wilcoxon's in 6.5 ± 0.4 % with 200; with Holm's method, in 4.4 and 4.2 %.

    References
    ----------
    Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures. JASA 81,
    826–831. https://doi.org/10.1080/01621459.1986.10478341

    García, S. and Herrera, F. (2008). An extension on "Statistical comparisons of classifiers over
    multiple data sets" for all pairwise comparisons. JMLR 9, 2677–2694.

    Examples
    --------
    Mean ranks of five classifiers on 30 data sets (García and Herrera, 2008). The pair of 1-NN and
    naive Bayes is at index 4:

    >>> from sklearn_stats_compare.stats import adjust_pvalues, rank_pairs, shaffer_pvalues
    >>> pvalue = rank_pairs([63 / 30, 97.5 / 30, 66 / 30, 130 / 30, 93.5 / 30], 30).pvalue
    >>> print(adjust_pvalues(pvalue, "holm")[4].round(4), shaffer_pvalues(pvalue, 5)[4].round(4))
    0.0506 0.0478

    The test rejects that the two are equal with Shaffer's factors, and not with Holm's.
    """
    m = check_count("n_models", n_models, least=2, limit=_MOST_MODELS)
    p = check_numbers("pvalues", pvalues)
    n_pairs = m * (m - 1) // 2
    if p.ndim != 1 or p.size != n_pairs or not ((p >= 0) & (p <= 1)).all():
        raise ValueError(
            f"`pvalues` must be the {n_pairs} p-values of all pairs of {m} models, numbers in "
            f"[0, 1]; got {shown(pvalues)}."
        )
    order = np.argsort(p)
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p[order] * shaffer_factors(m))
    return np.minimum(adjusted, 1.0)


def shaffer_factors(n_models: int) -> NDArray[np.int64]:
    """Most pairs that can be equal after 0, 1, 2, … pairs are known to differ."""
    n_pairs = n_models * (n_models - 1) // 2
    packed = _numbers_of_equal_pairs(n_models).to_bytes(n_pairs // 8 + 1, "little")
    possible = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")[: n_pairs + 1]
    number = np.arange(n_pairs + 1)
    # The largest possible number up to each: n_pairs − i + 1 pairs remain at step i.
    largest: NDArray[Any] = np.maximum.accumulate(np.where(possible, number, 0))
    return largest[:0:-1]


def _numbers_of_equal_pairs(n_models: int) -> int:
    """The possible numbers of equal pairs among all, as the bits of an integer.

    Equality splits the models into groups: a group of j has j(j − 1)/2 equal pairs, and the other
    models any of their own possible numbers (Shaffer, 1986, section 3).
    """
    possible = [1]  # no model has 0 equal pairs: bit 0
    for m in range(1, n_models + 1):
        bits = 0
        for j in range(1, m + 1):
            bits |= possible[m - j] << (j * (j - 1) // 2)
        possible.append(bits)
    return possible[n_models]
