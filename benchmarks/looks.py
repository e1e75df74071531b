"""What looking after every repeat costs: error rates of ``extend(until="decided")``.

python -m benchmarks.looks [number of data sets, default 500]

A search begins with one repeat and looks after each further one, up to twenty, by the very rule and
the levels of `extend`; beside it, the same scores with the number of repeats fixed beforehand, and
with looks that each have the whole level. Normal scores have exactly the dependence that the
correction assumes; equal logistic regressions on features of their own are those of the study of
calibration, and those that differ show the power.
"""

import sys
import time
import warnings
from functools import cache

import numpy as np
import pandas as pd

from benchmarks._cells import blocks, differing, folds
from sklearn_stats_compare import Comparison, ComparisonWarning, SplitDesign, SplitScores
from sklearn_stats_compare.comparison._planning import Undecided
from sklearn_stats_compare.stats import _family
from sklearn_stats_compare.stats._power import level_of_interim_analysis

MOST_REPEATS = 20
ALPHA = 0.05


def repeats(rng):
    return folds(rng, 10, MOST_REPEATS)


def normal(n_candidates, n_folds):
    """Equal candidates under exactly the dependence that the correction assumes."""
    n = n_folds * MOST_REPEATS
    design = SplitDesign([100 * (n_folds - 1)] * n, [100] * n, np.arange(n) // n_folds)

    def scores(rng):
        shared = np.sqrt(1 / (n_folds - 1)) * rng.standard_normal((n_candidates, 1))
        return SplitScores(shared + rng.standard_normal((n_candidates, n)), design)

    return scores


def first_two(of_ten):
    def scores(rng):
        found = of_ten(rng, cv=repeats)[0]
        return SplitScores(found.values[:2], found.design)

    return scores


SEARCHES = {
    # name: (scores, how p-values are adjusted)
    "normal, two equal candidates, 5 folds": (normal(2, 5), "bonferroni"),
    "normal, two equal candidates, 10 folds": (normal(2, 10), "bonferroni"),
    "normal, ten equal candidates, 5 folds": (normal(10, 5), "bonferroni"),
    "normal, ten equal candidates, 5 folds, max-t": (normal(10, 5), "maxt"),
    "two equal logistic regressions": (first_two(blocks), "bonferroni"),
    "ten equal logistic regressions": (lambda rng: blocks(rng, cv=repeats)[0], "bonferroni"),
    "two that differ": (first_two(differing), "bonferroni"),
}


@cache
def level(n_folds, n_candidates):
    """Level of each of up to twenty looks."""
    design = SplitDesign([n_folds - 1] * n_folds, [1] * n_folds, np.zeros(n_folds, dtype=int))
    n_pairs = n_candidates * (n_candidates - 1) // 2
    looks = range(n_folds, n_folds * MOST_REPEATS + 1, n_folds)
    return level_of_interim_analysis(design, looks, ALPHA, n_pairs)


def first_repeats(scores, n_repeats, **settings):
    design = scores.design
    kept = slice(0, int((design.repeat < n_repeats).sum()))
    part = SplitDesign(design.n_train[kept], design.n_test[kept], design.repeat[kept])
    return Comparison(SplitScores(scores.values[:, kept], part), warn=False, **settings)


def any_difference(comparison):
    return comparison.frequentist()["verdict"].isin(["better", "worse"]).any()


def until_decided(scores, **settings):
    """The comparison at which the looks end, why, and after how many repeats."""
    for n_repeats in range(1, MOST_REPEATS + 1):
        comparison = first_repeats(scores, n_repeats, **settings)
        stop = Undecided.of(comparison).stop_reason
        if stop is not None:
            break
    return comparison, stop, n_repeats


def of_one_search(scores, p_adjust):
    """Whether any candidate is called better than another: with looks, and without."""
    settings = {"p_adjust": p_adjust}
    claimed = {
        f"{n} repeats, fixed": any_difference(first_repeats(scores, n, **settings))
        for n in (1, MOST_REPEATS)
    }
    whole, _, _ = until_decided(scores, **settings)
    n_folds = int((scores.design.repeat == 0).sum())
    alpha = level(n_folds, scores.n_candidates)
    ended, stop, n_repeats = until_decided(scores, alpha=alpha, **settings)
    return {
        **claimed,
        "looks at the whole level": any_difference(whole),
        "until decided": any_difference(ended),
        "stopped: decided": stop == "decided",
        "stopped: floor": stop == "floor",
        "repeats": n_repeats,
    }


def rates(name, n_data_sets, seed=11):
    """Mean and standard error over data sets."""
    scores, p_adjust = SEARCHES[name]
    rng = np.random.default_rng(seed)
    draws, _family.N_DRAWS = _family.N_DRAWS, 1000  # the level does not depend on their number
    try:
        rows = [of_one_search(scores(rng), p_adjust) for _ in range(n_data_sets)]
    finally:
        _family.N_DRAWS = draws
    frame = pd.DataFrame(rows).astype(float)
    return pd.DataFrame({"rate": frame.mean(), "se": frame.std(ddof=1) / np.sqrt(len(frame))})


def main(n_data_sets):
    start = time.perf_counter()
    warnings.simplefilter("ignore", ComparisonWarning)
    for name in SEARCHES:
        n = n_data_sets // 5 if name.endswith("max-t") else n_data_sets
        print(f"\n{name}: {n:,} data sets", flush=True)
        for what, row in rates(name, n).iterrows():
            if what == "repeats":
                print(f"  {what:26}{row['rate']:7.1f} ± {row['se']:.1f}")
            else:
                print(f"  {what:26}{100 * row['rate']:7.2f} ± {100 * row['se']:.2f} %")
    print(f"\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
