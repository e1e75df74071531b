"""Tables of scores on which a race might drop the winner."""

import numpy as np

ADVERSARIAL = ["equal", "noisy winner", "heavy tails", "catastrophic split", "duplicates"]
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
    elif kind == "duplicates":
        table[n_candidates // 2 :] = table[: n_candidates // 2]
    return table
