"""Processes for ledger_attacks.py: forked from one that has imported the package, or fresh."""

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from multiprocessing import forkserver
from pathlib import Path

from benchmarks import _attacked
from benchmarks._attacked import NO_ANSWER, Outcome

SECONDS = 60
"""More than any of them takes, on a slow machine too."""
MEGABYTES = 1000
"""What a process may take beside what it begins with."""
ROOT = str(Path(__file__).resolve().parents[1])


def start(function, *arguments):
    """A process that was started, of which nobody waits for an answer."""
    context = _context()
    process = context.Process(target=function, args=arguments)
    process.start()
    return process


def in_child(function, *arguments):
    """What `function` returns in a process of its own: an Outcome, or a list of them."""
    (found,) = in_children(function, [arguments])
    return found


def in_children(function, cases):
    """The same of many cases, in one process; after one that ended it, in another."""
    cases = list(cases)
    while cases:
        receiving, sending = _context().Pipe(duplex=False)
        process = start(_answer, sending, function, cases)
        sending.close()
        trouble = None
        try:
            while cases and trouble is None:
                found, trouble = _received(receiving, process)
                del cases[0]
                yield found if trouble is None else Outcome(error=NO_ANSWER, message=trouble)
            if trouble is None:
                process.join(SECONDS)
        finally:
            process.kill()
            process.join()
            receiving.close()


def _received(receiving, process):
    """What was sent; or why nothing was, in words."""
    if not receiving.poll(SECONDS):
        return None, f"it took longer than {SECONDS} s"
    try:
        return receiving.recv(), None
    except EOFError:
        process.join()
        return None, f"its process ended with {process.exitcode}"


def _answer(sending, function, cases):
    _attacked.limit_memory(MEGABYTES)
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    for arguments in cases:
        sending.send(function(*arguments))


def planned(plan):
    """Outcomes of the runs of a plan, as in _attacked.py, in a process of their own."""
    found = in_child(_attacked.fit_as_planned, plan)
    return found if isinstance(found, list) else [found] * len(plan["runs"])


def planned_in_interpreter(plan, *, program=(), flags=(), environment=None, umask=-1):
    """The same in an interpreter that imports the package itself."""
    with tempfile.TemporaryDirectory() as folder:
        told, answer = Path(folder) / "plan.json", Path(folder) / "answer.json"
        told.write_text(json.dumps(plan | {"answer": str(answer)}))
        environment = {"PYTHONHASHSEED": "1", "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})}
        path = [*environment.get("PYTHONPATH", "").split(os.pathsep), ROOT, *sys.path]
        environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(filter(None, path)))
        program = program or ("-m", "benchmarks._attacked")
        errors = Path(folder) / "errors"  # a pipe would last as long as workers that hold its end
        try:
            with errors.open("w") as stderr:
                done = subprocess.run(
                    [sys.executable, *flags, *program, str(told)],
                    env=os.environ | environment,
                    stdout=subprocess.DEVNULL,  # of `verbose`
                    stderr=stderr,
                    timeout=SECONDS,
                    umask=umask,
                    check=False,
                )
            if answer.exists():
                return [Outcome(**found) for found in json.loads(answer.read_text())]
            last = "\n".join(errors.read_text().splitlines()[-3:])
            trouble = f"its process ended with {done.returncode}: {last}"
        except subprocess.TimeoutExpired:
            trouble = f"it took longer than {SECONDS} s"
    return [Outcome(error=NO_ANSWER, message=trouble)] * len(plan["runs"])


def _context():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["sklearn_stats_compare", "benchmarks._attacked"])
    seed = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = "1"  # which the server hands on; restarts have another
    try:
        forkserver.ensure_running()
    finally:
        del os.environ["PYTHONHASHSEED"]
        if seed is not None:
            os.environ["PYTHONHASHSEED"] = seed
    return context
