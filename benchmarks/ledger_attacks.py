"""Attacks on the ledger of a search: kills, damaged files, other code and data, files that harm.

python -m benchmarks.ledger_attacks [attack or attack:words in the name of a case ...]

Every search runs in a process of its own and ends in one of three ways. It is refused: by a
ValueError, RuntimeError or OSError that says "`ledger` must". It is the same as without a ledger,
under the code, data and versions that there are now, to the last bit. Or it is wrong: a score of
other code or data, another exception, a crash, a fit that was lost; and where a search must not be
refused, or must be, if it is not so. Exits with 1 if any is wrong, and says which.

An edit that leaves an entry well-formed and makes its digest anew is a forgery, and not among them.
"""

import sys
import time
from collections import Counter

from benchmarks._crafted import N_CRAFTED, crafted
from benchmarks._damage import N_DAMAGED, N_FLIPS, damage, flips
from benchmarks._kills import N_KILLS, kills
from benchmarks._restarts import N_CHANGES, N_RESTARTS, identity, restarts
from benchmarks._verdicts import REFUSED, SAME, WRONG

ATTACKS = {
    # name: (attack, number of its cases)
    "kills": (kills, sum(N_KILLS.values())),
    "flips": (flips, N_FLIPS),
    "damage": (damage, N_DAMAGED),
    "identity": (identity, N_CHANGES),
    "restarts": (restarts, N_RESTARTS),
    "crafted": (crafted, N_CRAFTED),
}


def main(chosen):
    print(f"{'attack':10}{'cases':>8}{'refused':>9}{'same':>7}{'wrong':>7}{'seconds':>9}")
    wrong = []
    for choice in chosen or ATTACKS:
        name, _, only = choice.partition(":")
        attack, n_cases = ATTACKS[name]
        start = time.perf_counter()
        verdicts = list(attack(only))
        seconds = time.perf_counter() - start
        n = Counter(verdict.kind for verdict in verdicts)
        kinds = f"{n[REFUSED]:9}{n[SAME]:7}{n[WRONG]:7}"
        print(f"{name:10}{len(verdicts):8}{kinds}{seconds:9.0f}", flush=True)
        if not only and len(verdicts) != n_cases:
            wrong.append(f"{name}: {n_cases} cases were promised")
        wrong += [f"{name}: {v.case}: {v.words}" for v in verdicts if v.kind == WRONG]
    if wrong:
        print("\nwrong:")
    for words in wrong:
        print("-", " ".join(words.split()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
