"""Tables of scores, and of values of samples, on which a race might drop the winner."""

import numpy as np

ADVERSARIAL = [
    "equal", "noisy winner", "heavy tails", "catastrophic split", "duplicates", "repeat effect",
]  # fmt: skip
OUT_OF_REACH = ["infinite variance", "rival crashes once"]
"""Where no rule on a few splits can keep its word: what decides is rarely seen."""


def adversarial_table(kind, rng, n_candidates=60, n_splits=30):
    """Tables on which dropping the winner is easy."""
    table = rng.normal(size=(n_candidates, n_splits)) + rng.normal(size=n_splits)
    if kind == "noisy winner":
        table *= 0.2
        table[0] += 3 * rng.normal(size=n_splits)
        table[0] += table.mean(axis=1)[1:].max() + 0.05 - table[0].mean()
    elif kind == "heavy tails":
        table = rng.standard_t(3, size=table.shape)
    elif kind == "infinite variance":
        table = rng.standard_t(2, size=table.shape)
    elif kind == "catastrophic split":
        table = 0.1 * table + np.linspace(0.5, 0, n_candidates)[:, None]
        table[0, rng.integers(n_splits)] -= 5
        table[0] += table.mean(axis=1)[1:].max() + 0.01 - table[0].mean()
    elif kind == "rival crashes once":
        table = 0.1 * rng.normal(size=table.shape)
        table[1] += 0.3
        table[1, rng.integers(n_splits)] -= 12
        table[0] += table.mean(axis=1).max() + 0.01 - table[0].mean()
    elif kind == "repeat effect":
        # What the splits of a repeat share, 0.6 standard deviations of a split.
        table = rng.normal(size=table.shape)
        table += 0.6 * np.repeat(rng.normal(size=(n_candidates, 3)), n_splits // 3, axis=1)
    elif kind == "duplicates":
        table[n_candidates // 2 :] = table[: n_candidates // 2]
    return table


ADVERSARIAL_CELLS = [
    "equal", "spread", "noisy winner", "heavy tails", "unstable winner", "all unstable",
    "all very unstable", "repeat effect", "catastrophic split", "collapses in 10 %", "duplicates",
    "rare differences", "costly errors", "log losses", "cancelling effects",
]  # fmt: skip
NOT_POOLED_CELLS = ["very unstable winner", "very unstable rivals", "sorted samples"]
"""One winner, or up to three rivals just behind it, vary three or ten times as much with the
training set as with the test samples, and the others do not; or folds hold neighbours in an order
on which the scores of candidates depend: strategy="strict" is for these."""
OUT_OF_REACH_CELLS = ["bold rival"]
"""Half of the candidates are better except on 2 % of the samples, which cost them the table."""


def folds(n_samples, n_repeats, n_folds, rng):
    """Split that tests each sample in each repeat, (n_repeats, n_samples)."""
    one = np.arange(n_samples) % n_folds
    return np.stack([rng.permutation(one) + r * n_folds for r in range(n_repeats)])


def split_means(cells, where):
    """Scores of splits from values of samples, (n_candidates, n_splits)."""
    means = np.empty((len(cells), where.max() + 1))
    for j in range(means.shape[1]):
        repeat, sample = np.nonzero(where == j)
        means[:, j] = cells[:, repeat, sample].mean(axis=1)
    return means


def adversarial_cells(kind, rng, n_candidates=60, n_samples=200, n_repeats=3, n_folds=10):
    """Values of samples, (n_candidates, n_repeats, n_samples), and the split of each.

    In units of the standard deviation of a split's score that its test samples cause, unstable
    models vary by 1 with the training set, very unstable ones by 2 (all) or 3 (the winner). A
    catastrophic split costs 15. The effect of a repeat is 0.6. Effects that cancel over the splits
    of a candidate vary by 20.
    """
    where = folds(n_samples, n_repeats, n_folds, rng)
    n_splits = n_repeats * n_folds
    of_split = np.sqrt(n_folds / n_samples)
    every = np.arange(n_candidates)
    shape = n_candidates, n_repeats, n_samples
    own, trained = 0.7 * rng.normal(size=(2, *shape))
    own = own[:, :1]  # what a sample contributes in every repeat
    hard = rng.normal(size=n_samples)
    cells = own + trained + hard

    def shift(rows, by):
        """Shift all values of a split."""
        for j in range(n_splits):
            repeat, sample = np.nonzero(where == j)
            cells[np.ix_(rows, repeat[:1], sample)] += of_split * by[:, j, None, None]

    def lift_winner():
        means = split_means(cells, where).mean(axis=1)
        cells[0] += means[1:].max() + 0.001 - means[0]

    normal = rng.normal(size=(n_candidates, n_splits))
    spread = np.linspace(0.5, 0, n_candidates)[:, None, None]
    if kind == "spread":
        cells += spread
    elif kind == "noisy winner":
        cells = np.where(every == 0, 3, 0.2)[:, None, None] * (own + trained) + hard
        lift_winner()
    elif kind == "heavy tails":
        cells = rng.standard_t(3, size=(n_candidates, 1, n_samples)) + rng.standard_t(3, size=shape)
    elif kind in ("unstable winner", "very unstable winner"):
        shift(every[:1], (3 if "very" in kind else 1) * normal[:1])
        lift_winner()
    elif kind == "very unstable rivals":
        few = every[1 : min(4, n_candidates)]
        shift(few, 10 * normal[few])
        means = split_means(cells, where).mean(axis=1)
        cells[few] += (means[0] - means[few])[:, None, None]
        lift_winner()
    elif kind in ("all unstable", "all very unstable"):
        shift(every, (2 if "very" in kind else 1) * normal)
    elif kind == "cancelling effects":
        shift(every, 20 * (normal - normal.mean(axis=1, keepdims=True)))
    elif kind == "sorted samples":
        place = np.empty(n_samples)
        place[np.argsort(where[0], kind="stable")] = np.linspace(0, 1, n_samples)
        waves = np.array([np.cos(np.pi * k * place) / k for k in range(1, 5)])
        own = rng.normal(size=(n_candidates, 4)) @ waves + 0.3 * own[:, 0] / 0.7
        cells = np.repeat(own[:, None], n_repeats, axis=1)
    elif kind == "repeat effect":
        shift(every, 0.6 * np.repeat(normal[:, :n_repeats], n_folds, axis=1))
    elif kind in ("catastrophic split", "collapses in 10 %"):
        cells += spread
        falls = rng.random((1, n_splits)) < 0.1
        if kind == "catastrophic split":
            falls = np.arange(n_splits)[None] == rng.integers(n_splits)
        shift(every[:1], -15.0 * falls)
        lift_winner()
    elif kind == "duplicates":
        cells[n_candidates // 2 :] = cells[: n_candidates // 2]
    elif kind == "rare differences":
        wrong = rng.random((n_candidates, 1, n_samples)) < 0.03
        wrong = wrong & (rng.random(shape) < 0.7) | (rng.random(n_samples) < 0.02)
        cells = 1.0 - wrong
    elif kind == "costly errors":
        # Half of the candidates make cheap errors, half rare ones that cost ten times as much.
        chance = rng.random((n_candidates, 1, n_samples)) + 0.02 * rng.normal(size=shape)
        rare = (every % 2 == 0)[:, None, None]
        cells = -1.0 * (chance < np.where(rare, 0.05, 0.3))
        cells -= 9.0 * (rare & (chance < 0.025))
    elif kind in ("log losses", "bold rival"):
        # Every other model is bold: it loses little on most samples, and much on a few.
        bold = (every % 2 == 1)[:, None, None]
        rate, cost = np.linspace(0.05, 0.15, n_candidates)[:, None, None], 6.0
        if kind == "bold rival":
            rate, cost = 0.02, 17.0
        wrong = bold & (rng.random((n_candidates, 1, n_samples)) < rate)
        cells = -np.exp(np.where(bold, -2.5, -1.0) + 0.3 * (own + trained) + 0.3 * hard)
        cells -= cost * wrong * rng.uniform(0.5, 1.5, size=shape)
    return cells, where
