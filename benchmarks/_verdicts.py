"""What became of an attack on a ledger: it was refused, or did no harm, or went wrong."""

from dataclasses import dataclass

REFUSED, SAME, WRONG = "refused", "same", "wrong"


@dataclass(frozen=True)
class Verdict:
    """What became of one case, and why where it is wrong."""

    case: str
    kind: str
    words: str = ""


def judged(case, outcome, expected, *, allowed=(REFUSED, SAME)):
    """Verdict on an outcome, of which the results must be those of `expected` if there are any."""
    assert expected.results, f"{case}: without a ledger too it {expected.words}"
    if outcome.is_refused:
        kind, words = REFUSED, outcome.words
    elif not outcome.results:
        kind, words = WRONG, outcome.words
    elif SAME not in allowed:
        kind, words = WRONG, "it was not refused"
    else:
        words = differences(outcome.results, expected.results)
        kind = WRONG if words else SAME
    if kind == REFUSED and REFUSED not in allowed:
        kind, words = WRONG, f"it was refused: {words}"
    return Verdict(case, kind, words)


def differences(found, expected):
    """In what results differ, in words; empty where they do not."""
    if list(found) != list(expected):
        return f"its `cv_results_` has other columns: {sorted(set(found) ^ set(expected))}"
    differing = {
        name: [(k, *pair) for k, pair in enumerate(zip(found[name], expected[name], strict=True))
               if pair[0] != pair[1]]
        for name in expected
        if len(found[name]) == len(expected[name])
    }  # fmt: skip
    if len(differing) < len(expected):
        return "its `cv_results_` has another number of candidates"
    told = [name for name in differing if differing[name]]
    if not told:
        return ""
    # Scores say more than the ranks that follow from them.
    name = min(told, key=lambda name: not name.startswith("split"))
    k, other, right = differing[name][0]
    n_scores = sum(len(differing[name]) for name in told if name.startswith("split"))
    return f"{n_scores} scores are others: {name} of candidate {k} is {other}, not {right}"
