"""Searches that were not done, started again: after something changed, or after nothing did."""

import functools
import re
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import sklearn

from benchmarks import _projects
from benchmarks._attacked import NO_ANSWER
from benchmarks._children import planned, planned_in_interpreter
from benchmarks._entries import copied, n_successful
from benchmarks._identity_cases import CELLS, CODE, DATA, SCRIPTS, SETTINGS, VERSIONS
from benchmarks._restart_cases import RESTARTS
from benchmarks._verdicts import REFUSED, SAME, WRONG, Verdict, judged

N_CHANGES = sum(map(len, (CODE, DATA, SETTINGS, CELLS, SCRIPTS, VERSIONS)))
N_RESTARTS = len(RESTARTS)
N_FIRST, N_ALL = 6, 8
"""Candidates of the search that was not done, and of the one that is started again."""


def identity(only=""):
    """Something changed: what was saved is not for this search.

    Each case is also restarted with nothing changed, and must then reuse whatever was saved.
    """
    for case, text in (CODE | DATA | SETTINGS).items():
        if only in case:
            yield _changed(case, text, planned)
    for case, text in CELLS.items():
        if only in case:
            yield _edited_in_place(case, text)
    for case, text in SCRIPTS.items():
        if only in case:
            yield _changed(case, text, planned_in_interpreter)
    for case, (text, name) in VERSIONS.items():
        if only in case:
            yield _changed(case, text, planned_in_interpreter, {name: _next(name)} if name else {})


def _changed(case, text, run, versions=None):
    with tempfile.TemporaryDirectory() as home:
        folder, ledger = Path(home) / "project", Path(home) / "search.sqlite"
        environment = {"PYTHONPATH": str(folder / "site-packages")}
        if run is planned_in_interpreter:
            program = [str(folder / "own.py")] if "__main__" in text else ()
            run = functools.partial(run, environment=environment, program=program)

        def outcomes(*ledgers, version, n_candidates=N_ALL):
            _projects.write(folder, text, version)
            more = {"MORE": "0.6" if version else "0.5"}
            runs = [
                {"ledger": path and str(path), "n_candidates": n_candidates, "environment": more}
                for path in ledgers
            ]
            plan = {"folder": str(folder), "runs": runs}
            return run(plan | {"versions": versions or {}} if version else plan)

        (begun,) = outcomes(ledger, version=0, n_candidates=N_FIRST)
        if begun.is_refused:  # at once, as code without a source is
            return Verdict(case, REFUSED, begun.words)
        if not begun.results:
            return Verdict(case, WRONG, f"new and not changed, {begun.words}")
        n_saved, content = n_successful(ledger), ledger.read_bytes()
        unchanged, before = outcomes(copied(ledger, home), None, version=0)
        changed, after = outcomes(ledger, None, version=1)
        for crashed in (unchanged, changed):
            if crashed.error == NO_ANSWER:
                return Verdict(case, WRONG, crashed.words)
        _check_change(case, before, after)
        verdict = judged(case, changed, after)
        if verdict.kind == REFUSED and ledger.read_bytes() != content:
            return Verdict(case, WRONG, "it was refused, but not left as it was")
        same = _resumed(case, unchanged, before, n_saved)
        if same.kind == WRONG:
            words = "; ".join(filter(None, [verdict.words, f"not changed: {same.words}"]))
            return Verdict(case, WRONG, words)
        return verdict


def restarts(only=""):
    """Nothing changed that matters: no search is refused, and all that was saved is reused."""
    for case, (text, how) in RESTARTS.items():
        if only in case:
            yield _restarted(case, text, **how)


def _restarted(case, text, *, run=None, together=False, program=False, as_copy=False, moved=False,
               relative=False, interrupted=False, workers=False, **how):  # fmt: skip
    with tempfile.TemporaryDirectory() as home:
        folder, ledger = Path(home) / "project", Path(home) / "search.sqlite"
        first = {"ledger": str(ledger), "n_candidates": N_FIRST}
        second = {"ledger": str(ledger), "n_candidates": N_ALL, **(run or {})}
        if interrupted:
            first |= {"n_candidates": N_ALL, "environment": {"STOP": "yes"}}
        if relative:
            second |= {"ledger": ledger.name, "chdir": home}
        if as_copy:
            second["ledger"] = str(ledger.with_name("copy"))
        if program:
            how["program"] = [str(folder / "own.py")]
        _projects.write(folder, text, 0)
        plan = {"folder": str(folder), "runs": [first]}
        if together:
            plan["runs"].append(second)
            begun, found = planned_in_interpreter(plan)
            n_saved = 4 * N_FIRST  # before the second, which cannot be looked at from here
        else:
            environment = how.pop("environment", {"PYTHONHASHSEED": "2"})
            # From one that has imported the package before, if that makes no difference.
            begin = functools.partial(planned_in_interpreter, **how) if program else planned
            (begun,) = begin(plan)
            n_saved = n_successful(ledger)
            if as_copy:
                shutil.copy(ledger, second["ledger"])
            if moved:
                folder = Path(home) / "elsewhere" / "project"
            _projects.write(folder, text, 1)
            plan = {"folder": str(folder), "runs": [second]}
            (found,) = planned_in_interpreter(plan, environment=environment, **how)
        if not begun.results and begun.error != "KeyboardInterrupt":
            return Verdict(case, WRONG, f"new, {begun.words}")
        alone = {"ledger": None, "n_candidates": N_ALL}
        # Workers outlive a process that was forked.
        (expected,) = (planned_in_interpreter if workers else planned)(
            {"folder": str(folder), "runs": [alone]}
        )
        return _resumed(case, found, expected, n_saved)


def _edited_in_place(case, text):
    with tempfile.TemporaryDirectory() as home:
        folder, ledger = Path(home) / "project", Path(home) / "search.sqlite"
        _projects.write(folder, text, 0)
        own = _projects.files(text, 1)["own.py"]
        runs = [
            {"ledger": None, "n_candidates": N_ALL},
            {"ledger": str(ledger), "n_candidates": N_FIRST},
            {"ledger": str(ledger), "n_candidates": N_ALL, "rewrite": own, "reload": True},
            {"ledger": None, "n_candidates": N_ALL},
        ]
        before, begun, changed, after = planned({"folder": str(folder), "runs": runs})
        if not begun.results:
            return Verdict(case, WRONG, f"new and not changed, {begun.words}")
        _check_change(case, before, after)
        return judged(case, changed, after)


def _check_change(case, before, after):
    """An attack that cannot be seen to succeed is none."""
    for found in (before, after):
        assert found.results, f"{case}: without a ledger {found.words}"
    assert before.results != after.results, f"{case}: a change that changes nothing"


def _resumed(case, outcome, expected, n_saved):
    verdict = judged(case, outcome, expected, allowed=(SAME,))
    if verdict.kind == SAME and outcome.n_reused < n_saved:
        words = f"{n_saved} fits were saved, and {outcome.n_reused} reused"
        return Verdict(case, WRONG, words)
    return verdict


def _next(name):
    """A version that there is not; of Python an earlier one, whose ways the later ones know."""
    if name == "python":
        return f"3.{sys.version_info.minor - 1}.0"
    version = {"numpy": np, "scikit-learn": sklearn}[name].__version__
    return re.sub(r"^(\d+)\.(\d+).*", lambda found: f"{found[1]}.{int(found[2]) + 1}.0", version)
