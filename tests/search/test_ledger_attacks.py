"""Whatever is done to a ledger, a search refuses it or ends as it does without one."""

import signal

import pytest

pytest.importorskip("resource", reason="Windows limits neither memory nor files")

from benchmarks.ledger_attacks import ATTACKS


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_on_a_ledger_does_harm(name, capsys):
    attack, n_cases = ATTACKS[name]
    verdicts = list(attack())
    with capsys.disabled():
        kinds = [verdict.kind for verdict in verdicts]
        print(f"\n{name}: {', '.join(f'{kinds.count(k)} {k}' for k in sorted(set(kinds)))}")
    assert len(verdicts) == n_cases
    wrong = [f"{verdict.case}: {verdict.words}" for verdict in verdicts if verdict.kind == "wrong"]
    assert not wrong, "\n".join(wrong)
