"""The searches that ledger_attacks.py attacks, run in processes of their own.

python -m benchmarks._attacked plan.json

A search is described by a module `own.py` in a folder, as a user would write it; what differs from
the simplest search is given by these names: estimator, scoring, cv, X, y, params (for ``fit``),
parameter and values (the candidates), kind (of search), arguments.
"""

import hashlib
import importlib
import importlib.metadata
import json
import os
import pickle
import platform
import re
import resource
import signal
import sqlite3
import sys
import time
import warnings
from collections import namedtuple
from dataclasses import asdict, dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from threading import Thread

import numpy as np
from joblib.externals.loky import get_reusable_executor
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold, RepeatedStratifiedKFold

NO_ANSWER = "no answer"
"""The error of a search whose process ended, or had to be ended."""
KINDS = {"whole": "StatisticalGridSearchCV", "race": "RacingGridSearchCV"}


@dataclass(frozen=True)
class Outcome:
    """How a search ended."""

    results: dict = field(default_factory=dict)
    """``cv_results_`` but for times, and ``best_index_``, as text that tells every bit; predictions
    and values of samples too, where they are kept."""
    n_reused: int = 0
    error: str = ""
    """Name of the exception that ended it, or how its process ended."""
    message: str = ""
    is_told_kindly: bool = False
    """Whether the exception is of a kind that the documentation names."""
    warned: list = field(default_factory=list)
    """UserWarnings that speak of what is saved."""

    @property
    def is_refused(self):
        told = self.message.startswith("`ledger` must") or "in use" in self.message
        return self.is_told_kindly and told and not self.warned

    @property
    def words(self):
        if not self.error:
            return "ended"
        after = f" after the warning {self.warned[0]!r}" if self.warned else ""
        return f"{self.error}: {self.message}"[:300] + after


def outcome_of(fit, *arguments):
    """What became of `fit`, which returns a search and how many fits it reused."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            search, n_reused = fit(*arguments)
        except BaseException as error:
            kind = type(error).__name__
            ended = {
                "error": kind,
                "message": str(error),
                "is_told_kindly": isinstance(error, ValueError | RuntimeError | OSError),
            }
        else:
            ended = {"results": _exact(search), "n_reused": n_reused}
    users = [str(w.message) for w in told if issubclass(w.category, UserWarning)]
    return Outcome(**ended, warned=[text for text in users if re.search("saved|`ledger`", text)])


def _exact(search):
    results = {
        name: [_text(value) for value in (v.tolist() if hasattr(v, "tolist") else v)]
        for name, v in search.cv_results_.items()
        if not name.endswith("_time")
    }
    return results | {"best_index_": [repr(int(search.best_index_))]} | _exact_samples(search)


def _exact_samples(search):
    told = {}
    if search.return_predictions is True:
        n_candidates = len(search.cv_results_["params"])
        told["predictions"] = [_predicted(search, i) for i in range(n_candidates)]
    if search.test == "samples":
        samples = search.comparison_.scores.samples
        told["samples"] = [hashlib.sha256(values).hexdigest() for values in samples.values]
    return told


def _predicted(search, i):
    try:
        frame = search.predictions(i)
    except ValueError as error:  # all of its fits failed
        return str(error)
    return hashlib.sha256(pickle.dumps(frame.to_numpy().tolist())).hexdigest()


def _text(value):
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))  # where a thing lies in memory


def limit_memory(megabytes):
    """Let this process take that much more than it has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


# Searches that a module describes.


def fit_own(folder, ledger, n_candidates):
    """Fit what `own.py` of a folder describes, with the first candidates."""
    return outcome_of(_fit, lambda: _module(folder), ledger, n_candidates)


def fit_as_planned(plan, module=None):
    """Outcomes of the runs of a plan, one after the other in this process.

    A plan has a folder and runs; a run has a ledger, n_candidates, and may have chdir, environment,
    rewrite (new text of the module), reload (the module) and forked (in a copy of this process).
    """
    module = module or (lambda: _module(plan["folder"]))
    outcomes = []
    for run in plan["runs"]:
        os.environ.update(run.get("environment", {}))
        if "chdir" in run:
            os.chdir(run["chdir"])
        if "rewrite" in run:
            Path(plan["folder"], "own.py").write_text(run["rewrite"])
        if run.get("reload"):
            importlib.reload(module())
        fit = _forked if run.get("forked") else outcome_of
        outcomes.append(fit(_fit, module, run["ledger"], run["n_candidates"]))
    return outcomes


def _module(folder):
    sys.dont_write_bytecode = True  # the text changes within the second that bytecode goes by
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module("own")


def _fit(module, ledger, n_candidates):
    import sklearn_stats_compare  # after `pretend`, where there is any

    own = vars(module())
    arguments = {"refit": False, **own.get("arguments", {})}
    kind = own.get("kind", "whole")
    if kind == "race":
        arguments.setdefault("random_state", 0)
    values = own.get("values", list(range(8)))[:n_candidates]
    search = getattr(sklearn_stats_compare, KINDS[kind])(
        own["estimator"],
        {own.get("parameter", "number"): values},
        scoring=own.get("scoring"),
        cv=own.get("cv", KFold(4)),
        ledger=ledger,
        **arguments,
    )
    search.fit(own["X"], own["y"], **own.get("params", {}))
    return search, getattr(search, "n_reused_", 0)


def _forked(*arguments):
    """The outcome of a copy of this process."""
    context = get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sending.send(outcome_of(*arguments)))
    process.start()
    found = receiving.recv()
    process.join()
    return found


def main(module=None):
    """Run the plan in the file that the command line names, and answer into its other file."""
    plan = json.loads(Path(sys.argv[1]).read_text())
    pretend(plan.get("versions", {}))
    outcomes = [asdict(outcome) for outcome in fit_as_planned(plan, module)]
    Path(plan["answer"]).write_text(json.dumps(outcomes))


def pretend(versions):
    """Be of other versions, wherever these are read; before the package is imported."""
    names = {"scikit-learn": "sklearn"}
    for name in ("numpy", "scipy", "pandas", "sklearn.model_selection", "joblib"):
        importlib.import_module(name)
    for name, version in versions.items():
        if name == "python":
            _pretend_python(version)
            continue
        module = importlib.import_module(names.get(name, name))
        for part in (module, getattr(module, "version", None)):
            for told in ("__version__", "version", "short_version", "full_version"):
                if isinstance(getattr(part, told, None), str):
                    setattr(part, told, version)
        _pretend_distribution(name, version)


def _pretend_python(version):
    parts = [int(part) for part in version.split(".")]
    fields = "major minor micro releaselevel serial"
    sys.version_info = namedtuple("version_info", fields)(*parts, "final", 0)
    sys.version = version + sys.version[sys.version.index(" ") :]
    platform.python_version = lambda: version
    platform.python_version_tuple = lambda: tuple(version.split("."))


def _pretend_distribution(name, version):
    files = importlib.metadata.PathDistribution
    read = files.read_text

    def read_text(self, filename):
        text = read(self, filename)
        if filename == "METADATA" and text and f"\nName: {name}\n" in text:
            return re.sub(r"(?m)^Version: .*$", f"Version: {version}", text, count=1)
        return text

    files.read_text = read_text


# Searches that are killed.

N_SPLITS = 5
KILLED_CV = RepeatedStratifiedKFold(n_splits=N_SPLITS, n_repeats=2, random_state=0)
KILLED_GRID = {"number": list(range(16))}
STARTED = "started"
DONE = "done"
_rng = np.random.default_rng(0)
KILLED_X, KILLED_Y = _rng.standard_normal((60, 2)), np.arange(60) % 2


class Logged(ClassifierMixin, BaseEstimator):
    """Writes down every fit, takes a while for it, and fails for some candidates."""

    def __init__(self, number=0, log=os.devnull):
        self.number = number
        self.log = log

    def fit(self, X, y):
        _note(self.log, f"{self.number} {time.monotonic()}")  # the same clock in all processes
        time.sleep(0.01)
        if self.number == 5 or (self.number == 7 and X[0, 0] > 0):
            raise ValueError(f"number {self.number} fails")
        self.classes_ = np.unique(y)
        self.shift_ = X[:, 0].mean() + self.number / 16
        return self

    def predict_proba(self, X):
        positive = expit(X[:, 0] - self.shift_ + 0.5)
        return np.column_stack([1 - positive, positive])


def fit_killed(kind, log, ledger):
    """Fit a search, or a race, or a search and its extension; the log is of every fit.

    "two jobs" is a search by two workers, which are killed with it.
    """
    return outcome_of(_fit_killed, kind, log, ledger)


def fit_until_killed(kind, log, ledger, commit=None, delay=0.0):
    """The same, with a line in the log at the start and, if it gets there, at the end.

    It kills itself `delay` seconds after it begins to write its n-th transaction, where `commit`
    says which: from outside nobody could hit that moment.
    """
    os.setpgid(0, 0)  # a group of its own, for its workers to be killed with it
    _note(log, STARTED)
    if commit is not None:
        connect = sqlite3.connect
        killer = partial(Killer, left=[commit], delay=delay)
        sqlite3.connect = partial(connect, factory=killer)
    outcome = fit_killed(kind, log, ledger)
    if outcome.error:
        raise SystemExit(outcome.words)
    _note(log, DONE)


class Killer(sqlite3.Connection):
    """A connection that has its process killed while it writes a transaction."""

    def __init__(self, *arguments, left, delay, **options):
        super().__init__(*arguments, **options)
        self._left, self._delay = left, delay

    def execute(self, statement, *arguments):
        if statement.upper().startswith(("COMMIT", "END")):
            self._begin_to_write()
        return super().execute(statement, *arguments)

    def commit(self):
        self._begin_to_write()
        super().commit()

    def _begin_to_write(self):
        if self._left[0] == 0:
            Thread(target=self._kill, daemon=True).start()
        self._left[0] -= 1

    def _kill(self):
        time.sleep(self._delay)
        os.killpg(os.getpid(), signal.SIGKILL)


def _note(log, line):
    with open(log, "a") as file:
        file.write(f"{line}\n")


def _fit_killed(kind, log, ledger):
    import sklearn_stats_compare

    arguments = {"cv": KILLED_CV, "refit": False, "ledger": ledger}
    arguments |= {"scoring": "neg_log_loss", "test": "samples", "return_predictions": True}
    if kind == "two jobs":
        arguments["n_jobs"] = 2
    if kind == "race":
        arguments["random_state"] = 0
    name = KINDS["race" if kind == "race" else "whole"]
    search = getattr(sklearn_stats_compare, name)(Logged(log=log), KILLED_GRID, **arguments)
    search.fit(KILLED_X, KILLED_Y)
    n_reused = getattr(search, "n_reused_", 0)
    if kind == "extension":
        search.extend(KILLED_X, KILLED_Y, n_repeats=1)
        n_reused += getattr(search, "n_reused_", 0)
    if kind == "two jobs":
        # Workers that are left hold what tells that this process has ended.
        get_reusable_executor().shutdown(kill_workers=True)
    return search, n_reused


if __name__ == "__main__":
    main()
