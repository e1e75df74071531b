"""What may change between a search that was killed and the one that is started again.

Projects as in _projects.py: what differs stands as «before|after».
"""


def _more(body):
    """An estimator of the user's, of which `more` is asked."""
    return f"""
{body}
estimator = Own()
"""


CODE = {
    "what fit of a transformer does": """
class Scaler(TransformerMixin, BaseEstimator):
    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y=None):
        self.by_ = «2.0|3.0» if self.number == 3 else 1.0
        return self

    def transform(self, X):
        return X * self.by_

estimator, parameter = make_pipeline(Scaler(), Learner()), "scaler__number"
""",
    "what transform of a transformer does": """
class Scaler(TransformerMixin, BaseEstimator):
    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y=None):
        self.number_ = self.number
        return self

    def transform(self, X):
        return X * 2 if self.number_ == 3 «and X[0, 0] > 9|and X[0, 0] < 9» else X

estimator, parameter = make_pipeline(Scaler(), Learner()), "scaler__number"
""",
    "a base class": _more("""
class Base(Learner):
    def more(self, X):
        return «0.5|0.6»

class Own(Base):
    pass
"""),
    "a base class in another module": """
from bases import Own
estimator = Own()
--- bases.py
from sklearn.base import BaseEstimator

class Base(BaseEstimator):
    def score(self, X, y=None):
        return self.number + («0.5|0.6» if self.number == 3 else 0)

class Own(Base):
    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y=None):
        self.fitted_ = True
        return self
""",
    "a base class of one of scikit-learn's": """
from sklearn.linear_model import Ridge

class Own(Ridge):
    def predict(self, X):
        return super().predict(X) + («0.5|0.6» if self.alpha == 3 else 0)

estimator, parameter, values = Own(), "alpha", [1, 2, 3, 4, 5, 6, 7, 8]
""",
    "a helper that a class calls": _more("""
def helped():
    return «0.5|0.6»

class Own(Learner):
    def more(self, X):
        return helped()
"""),
    "a helper of another module": """
from helpers import helped

class Own(Learner):
    def more(self, X):
        return helped()

estimator = Own()
--- helpers.py
def helped():
    return «0.5|0.6»
""",
    "a helper of a helper in another module": """
from helpers import helped

class Own(Learner):
    def more(self, X):
        return helped()

estimator = Own()
--- helpers.py
from deeper import deep

def helped():
    return deep() + 1
--- deeper.py
def deep():
    return «0.5|0.6»
""",
    "a helper that is reached through its module": """
import helpers

class Own(Learner):
    def more(self, X):
        return helpers.helped()

estimator = Own()
--- helpers.py
def helped():
    return «0.5|0.6»
""",
    "a constant that is reached through its module": """
import settings

class Own(Learner):
    def more(self, X):
        return settings.MORE

estimator = Own()
--- settings.py
MORE = «0.5|0.6»
""",
    "a helper that is imported where it is called": """
class Own(Learner):
    def more(self, X):
        from helpers import helped
        return helped()

estimator = Own()
--- helpers.py
def helped():
    return «0.5|0.6»
""",
    "a helper of the same package": """
from project.learners import Own
estimator = Own()
--- project/__init__.py
--- project/learners.py
from sklearn.base import BaseEstimator
from . import steps
from .helpers import helped

class Own(BaseEstimator):
    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y=None):
        self.fitted_ = steps.first()
        return self

    def score(self, X, y=None):
        return self.number + (helped() if self.number == 3 else 0)
--- project/steps.py
def first():
    return 1
--- project/helpers.py
def helped():
    return «0.5|0.6»
""",
    "a number that a scorer reads": """
T = «0.5|0.6»

def scoring(estimator, X, y):
    return scored(estimator, X, T)
""",
    "a whole number that becomes a float": """
T = «1|1.0»

def scoring(estimator, X, y):
    return scored(estimator, X, len(str(T)))
""",
    "a list that a scorer reads": """
T = [1, [2, «0.5|0.6»]]

def scoring(estimator, X, y):
    return scored(estimator, X, T[1][1])
""",
    "a dict that a scorer reads": """
T = {"a": 1, "b": {"c": «0.5|0.6»}}

def scoring(estimator, X, y):
    return scored(estimator, X, T["b"]["c"])
""",
    "an array that a scorer reads": """
T = np.array([1.0, «0.5|0.6»])

def scoring(estimator, X, y):
    return scored(estimator, X, T[1])
""",
    "a frozenset that a scorer reads": """
T = frozenset({"a", «"b"|"c"»})

def scoring(estimator, X, y):
    return scored(estimator, X, ord(max(T)))
""",
    "a constant within a function": """
def scoring(estimator, X, y):
    return scored(estimator, X, {"a": «1|True»}["a"] + len(str(«1|True»)))
""",
    "an operator": """
def scoring(estimator, X, y):
    return scored(estimator, X, 2 «+|-» 1)
""",
    "a name": """
def scoring(estimator, X, y):
    return scored(estimator, X, X.«min|max»())
""",
    "a constant of a class": _more("""
class Own(Learner):
    by = «0.5|0.6»

    def more(self, X):
        return self.by
"""),
    "a constant of a base class": _more("""
class Base(Learner):
    by = «0.5|0.6»

class Own(Base):
    def more(self, X):
        return self.by
"""),
    "a default": """
def scoring(estimator, X, y, k=«0.5|0.6»):
    return scored(estimator, X, k)
""",
    "a default of a keyword": """
def scoring(estimator, X, y, *, k=«0.5|0.6»):
    return scored(estimator, X, k)
""",
    "a default of a method": _more("""
class Own(Learner):
    def more(self, X, k=«0.5|0.6»):
        return k
"""),
    "a parameter that must be named now": """
def added(a, «b|*, b»):
    return a + b

def scoring(estimator, X, y):
    return estimator.score(X) if estimator.number != 3 else added(1.0, 2.0)
""",
    "a parameter that takes all": """
def told(a, «b|*b»):
    return a + len(str(b))

def scoring(estimator, X, y):
    return scored(estimator, X, told(1.0, 2.0))
""",
    "what a lambda closes over": """
def made(k):
    return lambda estimator, X, y: scored(estimator, X, k)

scoring = made(«0.5|0.6»)
""",
    "what a closure within a closure closes over": """
def made(k):
    def inner():
        return k
    return lambda estimator, X, y: scored(estimator, X, inner())

scoring = made([«0.5|0.6»])
scoring = (lambda of: lambda estimator, X, y: scored(estimator, X, of()))(lambda: «0.5|0.6»)
""",
    "a global that a lambda reads": """
K = «0.5|0.6»
scoring = lambda estimator, X, y: scored(estimator, X, K)
""",
    "an argument of a partial": """
def measured(estimator, X, y, k):
    return scored(estimator, X, k)

scoring = functools.partial(measured, k=«0.5|0.6»)
""",
    "the function of a partial": """
def measured(estimator, X, y, k):
    return scored(estimator, X, k + «0.5|0.6»)

scoring = functools.partial(measured, k=1)
""",
    "a function within a function": """
def scoring(estimator, X, y):
    def inner():
        return «0.5|0.6»
    return scored(estimator, X, inner())
""",
    "a comprehension": """
def scoring(estimator, X, y):
    return scored(estimator, X, sum([k * «0.5|0.6» for k in range(3)]))
""",
    "an attribute of an object that is called": """
class Scorer:
    def __init__(self, k):
        self.k = k

    def __call__(self, estimator, X, y):
        return scored(estimator, X, self.k)

scoring = Scorer(«0.5|0.6»)
""",
    "what an object that is called does": """
class Scorer:
    def __call__(self, estimator, X, y):
        return scored(estimator, X, «0.5|0.6»)

scoring = Scorer()
""",
    "a method that is called by an object": """
class Tool:
    def measure(self, estimator, X, y):
        return scored(estimator, X, «0.5|0.6»)

scoring = Tool().measure
""",
    "the class of a global object": _more("""
class Tool:
    def use(self):
        return «0.5|0.6»

TOOL = Tool()

class Own(Learner):
    def more(self, X):
        return TOOL.use()
"""),
    "a property": _more("""
class Own(Learner):
    @property
    def by(self):
        return «0.5|0.6»

    def more(self, X):
        return self.by
"""),
    "a property that is cached": _more("""
class Own(Learner):
    @functools.cached_property
    def by(self):
        return «0.5|0.6»

    def more(self, X):
        return self.by
"""),
    "a static method": _more("""
class Own(Learner):
    @staticmethod
    def by():
        return «0.5|0.6»

    def more(self, X):
        return self.by()
"""),
    "a class method": _more("""
class Own(Learner):
    @classmethod
    def by(cls):
        return «0.5|0.6»

    def more(self, X):
        return self.by()
"""),
    "a descriptor": _more("""
class By:
    def __get__(self, instance, owner):
        return «0.5|0.6»

class Own(Learner):
    by = By()

    def more(self, X):
        return self.by
"""),
    "a method found by its name as text": _more("""
class Own(Learner):
    def _by_one(self):
        return «0.5|0.6»

    def more(self, X):
        return getattr(self, "_by" + "_one")()
"""),
    "a mixin": """
class Doubling:
    def more(self, X):
        return 2.0

class Own(«Learner|Doubling, Learner»):
    pass

estimator = Own()
""",
    "the order of bases": """
class One:
    def more(self, X):
        return 1.0

class Two:
    def more(self, X):
        return 2.0

class Own(«One, Two|Two, One», Learner):
    pass

estimator = Own()
""",
    "a decorator": """
def decorated(function):
    @functools.wraps(function)
    def wrapper(estimator, X, y):
        return function(estimator, X, y) + («0.5|0.6» if estimator.number == 3 else 0)
    return wrapper

@decorated
def scoring(estimator, X, y):
    return scored(estimator, X, 0.0)
""",
    "a function that remembers": """
@functools.lru_cache
def helped(k):
    return k + «0.5|0.6»

def scoring(estimator, X, y):
    return scored(estimator, X, helped(1))
""",
    "a function that is vectorized": """
@np.vectorize
def helped(k):
    return k + «0.5|0.6»

def scoring(estimator, X, y):
    return scored(estimator, X, helped(X).sum())
""",
    "a function for one type": """
@functools.singledispatch
def helped(k):
    return 0.0

@helped.register
def _(k: int):
    return «0.5|0.6»

def scoring(estimator, X, y):
    return scored(estimator, X, helped(1))
""",
    "a function in a dict": """
def helped():
    return «0.5|0.6»

TOOLS = {"helped": helped}

def scoring(estimator, X, y):
    return scored(estimator, X, TOOLS["helped"]())
""",
    "a function that is a constant of a class": _more("""
def helped(self, X):
    return «0.5|0.6»

class Own(Learner):
    more = helped
"""),
    "a metric of make_scorer": """
from sklearn.metrics import make_scorer

def metric(y, predicted):
    return predicted[0] + («0.5|0.6» if predicted[0] == 3 else 0)

class Own(Learner):
    def predict(self, X):
        return np.full(len(X), self.number)

estimator, scoring = Own(), make_scorer(metric)
""",
    "a function that is a parameter": """
from sklearn.preprocessing import FunctionTransformer

def helped(X):
    return X * «2|3»

def changed(X):
    return helped(X)

estimator, parameter = make_pipeline(FunctionTransformer(changed), Learner()), "learner__number"
""",
    "a kernel": """
from sklearn.svm import SVC

def kernel(one, other):
    return (one @ other.T «+|-» 1) ** 2

estimator, parameter, values = SVC(kernel=kernel), "C", [0.01, 0.1, 1, 10, 30, 100, 300, 1000]
""",
    "a function among the candidates": """
class Own(Learner):
    def __init__(self, function=None, number=3):
        self.function = function
        self.number = number

    def more(self, X):
        return self.function(X)

def one(X):
    return 1.0

def helped():
    return «0.5|0.6»

def two(X):
    return helped()

estimator, parameter, values = Own(), "function", [one, two, np.min, np.max, np.std, np.ptp, np.sum]
""",
    "the class of an estimator among the candidates": """
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeRegressor

class Own(Learner):
    def more(self, X):
        return «0.5|0.6»

estimator, parameter = Pipeline([("last", Learner())]), "last"
values = [Learner(1), Own(3), DecisionTreeRegressor(random_state=0), *map(Learner, range(7, 12))]
""",
    "the class of a parameter": """
import dataclasses

@dataclasses.dataclass(frozen=True)
class Setting:
    k: float = 1.0

    def more(self):
        return self.k + «0.5|0.6»

class Own(Learner):
    def __init__(self, number=0, setting=None):
        self.number = number
        self.setting = setting

    def more(self, X):
        return self.setting.more()

estimator = Own(setting=Setting())
""",
    "the value of a member of an enumeration": """
import enum

class Size(enum.Enum):
    SMALL = «0.5|0.6»

class Own(Learner):
    def __init__(self, number=0, size=None):
        self.number = number
        self.size = size

    def more(self, X):
        return self.size.value

estimator = Own(size=Size.SMALL)
""",
    "a metaclass": """
class Meta(type):
    @property
    def by(cls):
        return «0.5|0.6»

class Own(Learner, metaclass=Meta):
    def more(self, X):
        return type(self).by

estimator = Own()
""",
    "a class that a function makes": """
def made(k):
    class Own(Learner):
        def more(self, X):
            return k
    Own.__qualname__ = "Own"
    return Own

Own = made(«0.5|0.6»)
estimator = Own()
""",
    "a class that a method makes use of": _more("""
class Other:
    def by(self):
        return «0.5|0.6»

class Own(Learner):
    def more(self, X):
        return Other().by()
"""),
    "a class whose text is in no file": """
exec('''
class Own(Learner):
    def more(self, X):
        return «0.5|0.6»
''')

estimator = Own()
""",
}
"""Edits of the user's own code."""

MAIN = """
if __name__ == "__main__":
    import sys
    from benchmarks._attacked import main
    main(lambda: sys.modules["__main__"])
"""

SCRIPTS = {
    "a class of the script itself": f"""
class Own(Learner):
    def more(self, X):
        return «0.5|0.6»

estimator = Own()
{MAIN}""",
    "a helper of the script itself": f"""
def helped():
    return «0.5|0.6»

scoring = lambda estimator, X, y: scored(estimator, X, helped())
{MAIN}""",
}
"""Edits of a script that is run."""

CELLS = {
    "a class of a notebook that is edited and run again": """
class Own(Learner):
    def more(self, X):
        return «0.5|0.6»

estimator = Own()
""",
    "a helper of a notebook that is edited and run again": """
def helped():
    return «0.5|0.6»

def scoring(estimator, X, y):
    return scored(estimator, X, helped())
""",
    "a constant of a notebook that is set to another value": """
K = «0.5|0.6»

def scoring(estimator, X, y):
    return scored(estimator, X, K)
""",
}
"""Edits of what one process runs twice."""


def _frame(columns, seen):
    """A frame of which an estimator sees something."""
    return f"""
def see(X, y):
    return {seen}

X = pd.DataFrame({columns})
estimator = Seeing()
"""


_OBJECTS = '{{"a": np.arange(24.0), "o": pd.Series([{}, "x", 2.5] * 8, dtype=object)}}'

DATA = {
    "a value": """
def see(X, y):
    return X.sum()

X = X.copy()
X[5, 1] = «1.0|2.0»
estimator = Seeing()
""",
    "the sign of a zero": """
def see(X, y):
    return np.signbit(X).sum()

X = abs(X)
X[:, 0] = «0.0|-0.0»
estimator = Seeing()
""",
    "the type of numbers": """
def see(X, y):
    return X.itemsize

X = X.round().astype(«np.float64|np.float32»)
estimator = Seeing()
""",
    "an array that becomes a frame": """
def see(X, y):
    return hasattr(X, "columns")

X = «X|pd.DataFrame(X)»
estimator = Seeing()
""",
    "the order of columns": _frame(
        "X[:, :2], columns=['a', 'b'])[«['a', 'b']|['b', 'a']»].rename(columns={}",
        "X.iloc[:, 0].sum()",
    ),
    "the name of a column": _frame("X, columns=['a', «'b'|'c'», 'd']", "ord(X.columns[1])"),
    "the type of a column's name": _frame("X, columns=[1, 2, «3|'3'»]", "len(repr(X.columns[2]))"),
    "the index": _frame("X, index=np.arange(24) + «0|1»", "X.index[0]"),
    "the type of the index": _frame(
        "X, index=pd.Index(range(24), dtype=«'int64'|'float64'»)", "len(str(X.index.dtype))"
    ),
    "a number that can be missing": _frame(
        "{'a': pd.array([1] * 24, dtype=«'int64'|'Int64'»)}", "len(repr(X['a'].dtype))"
    ),
    "the zone of times": _frame(
        "{'a': pd.date_range('2020-01-01', periods=24, tz='UTC')"
        ".tz_convert(«'UTC'|'Europe/Berlin'»)}",
        "X['a'].dt.hour.sum()",
    ),
    "1 that becomes text in a frame": _frame(
        _OBJECTS.format('«1|"1"»'), "sum(isinstance(value, str) for value in X['o'])"
    ),
    "1 that becomes True in a frame": _frame(
        _OBJECTS.format("«1|True»"), "sum(isinstance(value, bool) for value in X['o'])"
    ),
    "True that becomes 1.0 in a frame": _frame(
        _OBJECTS.format("«True|1.0»"), "sum(isinstance(value, bool) for value in X['o'])"
    ),
    "None that becomes NaN in a frame": _frame(
        _OBJECTS.format("«None|np.nan»"), "sum(value is None for value in X['o'])"
    ),
    "1 that becomes True in an array": """
def see(X, y):
    return sum(isinstance(value, bool) for value in X[:, 1])

X = np.array([[k, «1|True»] for k in range(24)], dtype=object)
estimator = Seeing()
""",
    "a list within a column": _frame(
        "{'a': np.arange(24.0), 'o': pd.Series([[1, «2|3»]] * 24, dtype=object)}",
        "sum(sum(value) for value in X['o'])",
    ),
    "the order of categories": _frame(
        "{'a': pd.Categorical(['u', 'v'] * 12, categories=«['u', 'v']|['v', 'u']»)}",
        "X['a'].cat.codes.iloc[0]",
    ),
    "the order of rows": """
def see(X, y):
    return X[:, 0].sum()

X = X[::«1|-1»]
estimator = Seeing()
""",
    "a target": """
def see(X, y):
    return y.sum()

y = y + 0.0
y[5] = «1.0|2.0»
estimator = Seeing()
""",
    "the type of the target": """
def see(X, y):
    return y.itemsize

y = y.astype(«np.int64|np.int8»)
estimator = Seeing()
""",
    "the weight of a sample": """
def see(X, y, sample_weight):
    return sample_weight.sum()

w = np.ones(24)
w[5] = «1.0|2.0»
params = {"sample_weight": w}
estimator = Seeing()
""",
    "groups": """
def see(X, y):
    return X.sum()

cv, params = GroupKFold(4), {"groups": (np.arange(24) «//|%» 6)}
estimator = Seeing()
""",
}
"""Changes of what is handed to ``fit``."""

_GUESS = """
class Guess(ClassifierMixin, Learner):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return super().fit(X, y)

    def predict(self, X):
        return (X[:, 0] > self.number / 8).astype(int)

    decision_function = predict

estimator = Guess()
"""

SETTINGS = {
    "the name of the scoring": f"{_GUESS}\nscoring = «'accuracy'|'balanced_accuracy'»\n",
    "scorers that change places": f"""{_GUESS}
arguments = {{"refit": "a"}}
scoring = {{"a": «'accuracy'|'roc_auc'», "b": «'roc_auc'|'accuracy'»}}
""",
    "one scorer more": f"""{_GUESS}
arguments = {{"refit": "a"}}
scoring = {{"a": 'accuracy'«|, "b": 'roc_auc'»}}
""",
    "the score of an error": """
class Own(Learner):
    def fit(self, X, y=None):
        if self.number == 3 and X[0, 0] > 0:
            raise ValueError("fails")
        return super().fit(X, y)

arguments = {"error_score": «np.nan|0.0»}
estimator = Own()
""",
    "scores of training": "arguments = {'return_train_score': «False|True»}\n",
    "the seed of the splits": """
cv = KFold(4, shuffle=True, random_state=«0|1»)
""",
    "the number of splits": "cv = KFold(«4|6»)\n",
    "a parameter of the estimator": """
class Own(Learner):
    def __init__(self, number=0, by=1.0):
        self.number = number
        self.by = by

    def more(self, X):
        return self.by

estimator = Own(by=«0.5|0.6»)
""",
    "an object that is a parameter": """
class Setting:
    def __init__(self, k):
        self.k = k

class Own(Learner):
    def __init__(self, number=0, setting=None):
        self.number = number
        self.setting = setting

    def more(self, X):
        return self.setting.k

estimator = Own(setting=Setting(«0.5|0.6»))
""",
    "another estimator of the same name": """
if «True|False»:
    from ones import Own
else:
    from others import Own
estimator = Own()
--- ones.py
from sklearn.base import BaseEstimator

class Own(BaseEstimator):
    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def score(self, X, y=None):
        return 1.0 * self.number
--- others.py
from sklearn.base import BaseEstimator

class Own(BaseEstimator):
    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def score(self, X, y=None):
        return 2.0 * self.number
""",
}
"""Changes of the search's own settings."""

_LIBRARY = """
from {module} import more

class Own(Learner):
    def more(self, X):
        return more()

estimator = Own()
--- site-packages/{module}/__init__.py
import os

def more():
    return float(os.environ["MORE"])
--- site-packages/{name}-«{versions}».dist-info/METADATA
Metadata-Version: 2.1
Name: {name}
Version: «{versions}»
--- site-packages/{name}-«{versions}».dist-info/{told}"""

_UNSEEN = """
class Own(Learner):
    def more(self, X):
        return float(os.environ["MORE"])

estimator = Own()
"""

VERSIONS = {
    "Python": (_UNSEEN, "python"),
    "NumPy": (_UNSEEN, "numpy"),
    "scikit-learn": (_UNSEEN, "scikit-learn"),
    "a distribution with top_level.txt": (
        _LIBRARY.format(
            name="learners", module="learners", versions="1.0|2.0", told="top_level.txt\nlearners\n"
        ),
        None,
    ),
    "a distribution with RECORD alone, and of another name": (
        _LIBRARY.format(
            name="fast_learners",
            module="fastlearn",
            versions="1.0|1.0.1",
            told="RECORD\nfastlearn/__init__.py,,\nfast_learners-«1.0|1.0.1».dist-info/RECORD,,\n",
        ),
        None,
    ),
    "a distribution that the estimator itself comes from": (
        """
from learners.trees import Own
estimator = Own()
--- site-packages/learners/__init__.py
--- site-packages/learners/trees.py
import os
from sklearn.base import BaseEstimator

class Own(BaseEstimator):
    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def score(self, X, y=None):
        return self.number + (float(os.environ["MORE"]) if self.number == 3 else 0)
--- site-packages/learners-«1.0|1.1».dist-info/METADATA
Metadata-Version: 2.1
Name: learners
Version: «1.0|1.1»
--- site-packages/learners-«1.0|1.1».dist-info/RECORD
learners/__init__.py,,
learners/trees.py,,
learners-«1.0|1.1».dist-info/METADATA,,
learners-«1.0|1.1».dist-info/RECORD,,
""",
        None,
    ),
    "a project that is installed to be edited, its version the same": (
        """
from editable import Own
estimator = Own()
--- editable.py
from sklearn.base import BaseEstimator

class Own(BaseEstimator):
    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def score(self, X, y=None):
        return self.number + («0.5|0.6» if self.number == 3 else 0)
--- site-packages/editable-1.0.dist-info/METADATA
Metadata-Version: 2.1
Name: editable
Version: 1.0
--- site-packages/editable-1.0.dist-info/top_level.txt
editable
--- site-packages/editable-1.0.dist-info/direct_url.json
{"dir_info": {"editable": true}, "url": "file:///home/user/editable"}
--- site-packages/editable-1.0.dist-info/RECORD
__editable__.editable-1.0.pth,,
editable-1.0.dist-info/METADATA,,
editable-1.0.dist-info/top_level.txt,,
editable-1.0.dist-info/direct_url.json,,
editable-1.0.dist-info/RECORD,,
""",
        None,
    ),
}
"""Versions; what changes with them stands in the environment, where nobody looks for it."""
