"""What may differ between a search that was killed and the one that is started again, and must not.

Projects as in _projects.py: what differs stands as «before|after». Beside each, how it is run:
`together` in one process; or the second time with `flags` of the interpreter, an `environment`, a
`umask`, its ledger `as_copy`, the project `moved`, or as a `program`. A `run` is what
fit_as_planned knows of the second run.
"""

from benchmarks._identity_cases import MAIN

_OWN = """
class Own(Learner):
    by = 0.5

    def more(self, X):
        return self.by

estimator = Own()
"""

RESTARTS = {
    "nothing": ("", {}),
    "the seed of hashes": (
        """
T = frozenset({"a", "b", "c"}), {"d", "e"}, {"f": 1, "g": 2}

def scoring(estimator, X, y):
    return scored(estimator, X, len(T[0]) + len(T[1]) + len({"a", "b"}) + (estimator in {"x", "y"}))
""",
        {"environment": {"PYTHONHASHSEED": "77"}},
    ),
    "the working directory": (_OWN, {"run": {"chdir": "/"}}),
    "the order of imports": (
        """
«import helpers, deeper|import csv, json, deeper, helpers»

class Own(Learner):
    def more(self, X):
        return helpers.helped() + deeper.deep()

estimator = Own()
--- helpers.py
«import json|import csv»
from deeper import deep

def helped():
    return deep()
--- deeper.py
def deep():
    return 0.5
""",
        {},
    ),
    "a comment": (
        """
«|# One.
# Two.
»
class Own(Learner):
    def more(self, X):
        «|# Three.
        »return 0.5«|  # Four.»

estimator = Own()

def scoring(estimator, X, y):
    «|# Five.
    »return scored(estimator, X, 0.5)
""",
        {},
    ),
    "a docstring": (
        """
class Own(Learner):
    '''«Learns.|Learns, and more.»'''

    def more(self, X):
        '''«More.|More than that.»'''
        return 0.5

estimator = Own()

def scoring(estimator, X, y):
    «'''A score.'''|'''Another word for it.'''»
    return scored(estimator, X, 0.5)
""",
        {},
    ),
    "the formatting": (
        """
class Own(Learner):
    def more(self, X):
        return «sum([0.5, 1])|sum(
            [
                0.5,
                1,
            ]
        )»

estimator = Own()
scoring = «lambda estimator, X, y: scored(estimator, X, 0.5)|lambda estimator, X, y: scored(
    estimator, X, 0.5
)»
""",
        {},
    ),
    "the place of a class and of a function": (
        """
«|def scoring(estimator, X, y):
    return scored(estimator, X, 0.5)
»
class Other(Learner):
    pass

«|class Own(Learner):
    def more(self, X):
        return 0.5
»
«class Own(Learner):
    def more(self, X):
        return 0.5

def scoring(estimator, X, y):
    return scored(estimator, X, 0.5)
|»
estimator = Own()
""",
        {},
    ),
    "a function that nobody calls": (
        """
class Own(Learner):
    def more(self, X):
        return 0.5
«|
def unused():
    return 1

UNUSED = 2
»
estimator = Own()
""",
        {},
    ),
    "the number of jobs": (_OWN + "arguments = «{}|{'n_jobs': 2}»\n", {"workers": True}),
    "a copy of the process": ("", {"together": True, "run": {"forked": True}}),
    "a count of fits, after an interrupt": (
        """
class Own(Learner):
    fits = Counter()

    def fit(self, X, y=None):
        type(self).fits[self.number] += 1
        if self.number == 6 and os.environ.pop("STOP", ""):
            raise KeyboardInterrupt
        return super().fit(X, y)

estimator = Own()
""",
        {"together": True, "interrupted": True},
    ),
    "predictions that are kept": (
        """
class Own(Learner):
    def predict(self, X):
        return self.mean_ + self.number * X[:, 0] / 3

estimator, scoring = Own(), 'neg_mean_squared_error'
arguments = «{'return_predictions': True}|{'test': 'samples'}»
""",
        {},
    ),
    "what a scorer keeps": (
        """
KEPT = {}

def scoring(estimator, X, y):
    return KEPT.setdefault((estimator.number, X.tobytes()), scored(estimator, X, 0.5))
""",
        {"together": True},
    ),
    "what a function remembers": (
        """
@functools.lru_cache
def helped(k):
    return k + 0.5

def scoring(estimator, X, y):
    return scored(estimator, X, helped(estimator.number))
""",
        {"together": True},
    ),
    "a log": (
        """
import logging
import threading
log, lock = logging.getLogger(__name__), threading.Lock()
«|logging.basicConfig(level=logging.ERROR, handlers=[logging.NullHandler()])
logging.getLogger("another").info("hello")»

class Own(Learner):
    def more(self, X):
        with lock:
            log.debug("number %s", self.number)
        return 0.5

estimator = Own()
""",
        {},
    ),
    "a cell of a notebook that is run again": (_OWN, {"together": True, "run": {"reload": True}}),
    "how much is printed": ("arguments = {'verbose': «0|3»}\n", {}),
    "how an array lies in memory": (
        "X = «np.ascontiguousarray(X)|np.asfortranarray(np.repeat(X, 2, axis=0))[::2]»\n",
        {},
    ),
    "text that is equal and not the same": (
        """
def see(X, y):
    return sum(map(len, X["a"]))

names = ["north", "south"] * 12
X = pd.DataFrame({"a": pd.Series(«names|["".join(list(name)) for name in names]», dtype=object)})
estimator = Seeing()
""",
        {},
    ),
    "an estimator that was fitted": (_OWN + "estimator = «Own()|Own().fit(X)»\n", {}),
    "how the path is written": ("", {"relative": True}),
    "a script": (
        _OWN
        + """
scoring = lambda estimator, X, y: scored(estimator, X, 0.5)
"""
        + MAIN,
        {"program": True},
    ),
    "the development mode": (_OWN, {"flags": ["-X", "dev"]}),
    "the rights of new files": ("", {"umask": 0o077}),
    "a copy of the file": ("", {"as_copy": True}),
    "the folder of the project": (
        """
from helpers import helped

class Own(Learner):
    def more(self, X):
        return helped()

estimator = Own()
scoring = lambda estimator, X, y: scored(estimator, X, 0.5)
--- helpers.py
def helped():
    return 0.5
""",
        {"moved": True},
    ),
    "the order of candidates": ("values = «[0, 1, 2, 3, 4, 5]|[9, 5, 4, 3, 2, 1, 0, 8]»\n", {}),
    "objects whose repr is their address": (
        """
class Thing:
    def __init__(self, value):
        self.value = value

def see(X, y):
    return sum(thing.value for thing in X["o"])

X = pd.DataFrame({"a": np.arange(24), "o": [Thing(k) for k in range(24)]})
estimator = Seeing()
""",
        {},
    ),
    "an object among the parameters": (
        """
class Thing:
    def __init__(self, value):
        self.value = value

class Own(Learner):
    def __init__(self, number=0, thing=None):
        self.number = number
        self.thing = thing

    def more(self, X):
        return self.thing.value

estimator = Own(thing=Thing(0.5))
""",
        {},
    ),
    "the statistics": (
        "arguments = «{}|{'alpha': 0.1, 'rope': 0.05, 'p_adjust': 'holm', 'refit': True}»\n",
        {},
    ),
}
