"""Every warning of the package names the line of the user's that led to it."""

import ast
import contextlib
import copy
import doctest
import functools
import linecache
import os
import re
import threading
import types
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    HalvingGridSearchCV,
    KFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

import sklearn_stats_compare as ssc
from sklearn_stats_compare import Comparison, SplitScores, compare
from sklearn_stats_compare._utils._validation import _OfThisThread, without_warnings
from sklearn_stats_compare.evaluation import compare_learning_curves, paired_cv_test
from sklearn_stats_compare.stats import mcnemar

PACKAGE = Path(ssc.__file__).parent
X, y = make_classification(80, random_state=0)
FOLDS = KFold(10)
GRID = {"var_smoothing": [1e-9, 0.1]}


class Fickle(ClassifierMixin, BaseEstimator):
    """Fails where `fails` says so, and predicts by chance where `chance` says so."""

    def __init__(self, fails=False, by_chance=False, dies=""):
        self.fails = fails
        self.by_chance = by_chance
        self.dies = dies

    def fit(self, X, y):
        if self.fails is True or (self.fails == "below 50" and len(X) < 50):
            raise ValueError("cannot learn")
        if self.dies and not Path(self.dies).exists():
            Path(self.dies).touch()
            os._exit(1)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        check_is_fitted(self)
        chance = np.random.default_rng() if self.by_chance else np.random.default_rng(0)
        return chance.integers(0, 2, len(X))


def race(**options):
    grid = {"max_depth": [1, 2, 3, 5, 8, 10], "max_features": [1, 5]}
    tree = DecisionTreeClassifier(random_state=0)
    cv = ShuffleSplit(20, test_size=0.3, random_state=0)
    return ssc.RacingGridSearchCV(tree, grid, cv=cv, random_state=0, **options)


fitted_race = functools.cache(lambda: race().fit(X, y))


def raced(path):
    return copy.deepcopy(fitted_race())


def search(estimator=None, grid=None, cv=FOLDS, **options):
    estimator, grid = (GaussianNB(), GRID) if estimator is None else (estimator, grid)
    return ssc.StatisticalGridSearchCV(estimator, grid, cv=cv, **options)


def of_scores(n_splits, **options):
    scores = np.random.default_rng(0).normal(0.8, 0.05, (3, n_splits))
    design = ssc.SplitDesign([72] * n_splits, [8] * n_splits)
    return Comparison(SplitScores(scores, design), **options)


def bootstrap(path):
    return ssc.evaluation.BootstrapSplit(10, random_state=0)


def halved(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return HalvingGridSearchCV(
            GaussianNB(), {"var_smoothing": [1e-9, 0.1, 1.0]}, cv=10, min_resources=40, factor=2
        ).fit(X, y)


def failing(path):
    return search(Fickle(), {"fails": [False, True]}, ledger=path)


def failed_before(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return failing(path).fit(X, y)


def by_chance(path):
    def scoring(estimator, X, y):
        return np.random.default_rng().random()

    return search(Fickle(), {"fails": [False]}, ledger=path, scoring=scoring).fit(X, y)


def without_a_seed(path):
    # Continuous scores: three accuracies may be the same by chance.
    forest = ExtraTreesClassifier(3, max_features=1)
    return search(forest, {"max_depth": [1, 2]}, ledger=path, scoring="neg_log_loss")


def deleting_its_file(path):
    if os.name != "posix":
        pytest.skip("Windows deletes no file that is open")

    def scoring(estimator, X, y):
        path.unlink(missing_ok=True)
        return estimator.score(X, y)

    return search(ledger=path, scoring=scoring)


def with_an_empty_file(path):
    path.touch()
    return search(ledger=path)


def killing_a_worker(path):
    return search(Fickle(), {"dies": ["", f"{path}.dead"]}, n_jobs=2, ledger=path)


def case(name, asked, made=lambda path: None, match="", category=Warning, marks=()):
    return pytest.param(asked, made, match, category, id=name, marks=marks)


def of_fit(name, made, match="", category=Warning, marks=()):
    return case(name, lambda one: one.fit(X, y), made, match, category, marks)


FOUR = of_scores(4, warn=False)
MODELS = {"bayes": GaussianNB(), "logistic": LogisticRegression()}
FIXED = {"random_state": 0}
# What leads to each warning that the package gives; what is made before is to be silent.
CASES = [
    case("few splits", lambda _: compare([[0.8, 0.9, 0.7], [0.7, 0.8, 0.9]], test_train_ratio=0.5)),
    case("few splits of a comparison", lambda _: Comparison(FOUR.scores)),
    case("few splits where fields are replaced", lambda _: replace(FOUR, alpha=0.1)),
    case("few splits of a search", lambda s: s.comparison_, lambda _: search(cv=4).fit(X, y)),
    case("few splits of a table", lambda s: s.pairwise_bayesian_, lambda _: search(cv=4).fit(X, y)),
    case("few splits of models", lambda _: ssc.cross_validate_models(MODELS, X, y, cv=4)),
    case(
        "fits of models that fail",
        lambda models: ssc.cross_validate_models(models, X, y, cv=FOLDS),
        lambda _: {"a": GaussianNB(), "b": Fickle(fails=True)},
    ),
    case(
        "fits of a size that fail",
        lambda many: compare_learning_curves(many, X, y, cv=FOLDS, schedule=[20, 70]),
        lambda _: {"many": Fickle(fails="below 50")},
    ),
    case(
        "a size without a class",
        lambda rare: compare_learning_curves(MODELS, X, rare, cv=FOLDS, schedule=[2, 70], **FIXED),
        lambda _: np.where(np.arange(80) % 10 == 0, 1, 0),
    ),
    case(
        "curves in time",
        lambda cv: compare_learning_curves(MODELS, X, y, cv=cv, schedule=[1.0], **FIXED),
        lambda _: TimeSeriesSplit(10),
    ),
    case(
        "groups that cannot be halved",
        lambda own: paired_cv_test(*MODELS.values(), X, y, method="5x2cv_t", groups=own),
        lambda _: np.repeat([0, 1, 2], [60, 12, 8]),
    ),
    case(
        "folds taken for independent",
        lambda _: paired_cv_test(*MODELS.values(), X, y, method="kfold", correction=None),
    ),
    case("groups of a bootstrap", lambda cv: list(cv.split(X, y, np.arange(80))), bootstrap),
    case(
        "groups of a bootstrap within a search",
        lambda one: one.fit(X, y, groups=np.arange(80)),
        lambda path: search(cv=bootstrap(path)),
    ),
    case(
        "groups of a bootstrap within scikit-learn",
        lambda cv: cross_val_score(GaussianNB(), X, y, cv=cv, groups=np.arange(80)),
        bootstrap,
    ),
    case("predictions pooled", lambda _: mcnemar(y, y, 1 - y, pooled_over_folds=True)),
    case("several pooled", lambda _: ssc.stats.cochrans_q(y, y, 1 - y, pooled_over_folds=True)),
    case("optimism without repeats", lambda c: c.optimism("tibshirani"), lambda _: of_scores(10)),
    case(
        "optimism after a race",
        lambda comparison: comparison.optimism("tibshirani"),
        lambda path: raced(path).comparison_,
        "leader was chosen from 12",
    ),
    case("the best after a race", lambda fitted: fitted.possibly_best_, raced),
    of_fit("the choice after a race", lambda _: race(refit=ssc.Simplest("max_depth"))),
    case(
        "the Pareto set after a race",
        lambda fitted: ssc.possibly_pareto(fitted, ["score"]),
        raced,
        "The possibly-Pareto set",
    ),
    of_fit(
        "no candidate within the bounds",
        lambda _: search(cv=10, refit=ssc.BestSubjectTo("score", {"score": 1.5})),  # no accuracy is
        "Every candidate is shown to violate a bound",
    ),
    case("the last iteration", lambda given: compare(given), halved, "Only the last iteration"),
    case(
        "further repeats after none that were shuffled",
        lambda fitted: fitted.extend(X, y, n_repeats=1),
        lambda _: search(cv=KFold(10)).fit(X, y),
    ),
    of_fit("a search by chance", by_chance, "not deterministic"),
    of_fit("a search without a seed", without_a_seed, "may differ: `random_state` of"),
    of_fit("a file that is deleted", deleting_its_file, "no longer saved"),
    of_fit("an empty file", with_an_empty_file, "was an empty file"),
    of_fit("fits that failed before", failed_before, "that failed before will be repeated"),
    of_fit("a worker that dies", killing_a_worker, "A worker was lost", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("asked", "made", "match", "category"), CASES)
def test_a_warning_names_the_line_that_led_to_it(asked, made, match, category, tmp_path):
    given = made(tmp_path / "l.sqlite")
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        asked(given)
    found = [one for one in record if issubclass(one.category, category)]
    found = [one for one in found if re.search(match, str(one.message))]
    assert found
    for one in found:
        assert one.filename == __file__
        assert one.lineno == asked.__code__.co_firstlineno


def test_every_warning_of_the_package_looks_for_the_users_line():
    n = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "warn" in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "warnings.warn":
                given = {word.arg: ast.unparse(word.value) for word in node.keywords}
                assert given.get("stacklevel") == "outside_level()", f"{path.name}:{node.lineno}"
                n += 1
            n += isinstance(node, ast.Call) and ast.unparse(node.func).endswith("warn_user")
    assert n >= 15


def located(call):
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        call()
    (one,) = record
    return one.filename, one.lineno


SOURCE = """
def wrapped(function):
    return function()

def asked(mcnemar):
    return mcnemar([0, 1], [0, 1], [1, 1], pooled_over_folds=True)
"""


ALMOST = ["sklearn_helpers", "sklearn_stats_compare_helpers", "joblib_helpers", "my.sklearn"]


@pytest.mark.parametrize("name", [*ALMOST, "__main__", None])
def test_a_module_of_the_users_may_be_named_almost_as_a_package_is(name, tmp_path):
    # It may lie beside the package or below a folder of its name, too.
    path = str(PACKAGE) + "_helpers/mine.py"
    namespace = {} if name is None else {"__name__": name}
    exec(compile(SOURCE, path, "exec"), namespace)
    assert located(lambda: namespace["asked"](mcnemar)) == (path, 6)


def test_code_that_is_typed_in_is_the_users():
    for name in ("<stdin>", "<string>", "<ipython-input-1-abc>", "/tmp/ipykernel_1/2.py"):
        namespace = {"__name__": "__main__"}
        exec(compile(SOURCE, name, "exec"), namespace)
        assert located(lambda ns=namespace: ns["asked"](mcnemar)) == (name, 6)


def test_an_example_of_a_docstring_is_the_users():
    """The package's own run under the name of their module."""
    text = ">>> found = mcnemar([0, 1], [0, 1], [1, 1], pooled_over_folds=True)"
    names = {"__name__": "sklearn_stats_compare.stats.test_set._classifiers", "mcnemar": mcnemar}
    example = doctest.DocTestParser().get_doctest(text, names, "example", None, 0)
    filename, line = located(lambda: doctest.DocTestRunner().run(example))
    assert filename.startswith("<doctest example")
    assert line == 1


def test_a_decorator_of_the_standard_library_is_nobodys_line():
    @contextlib.contextmanager
    def around():
        yield

    asked = functools.partial(mcnemar, [0, 1], [0, 1], [1, 1], pooled_over_folds=True)
    decorated = around()(asked)
    filename, line = located(lambda: decorated())
    assert filename == __file__
    assert "decorated()" in linecache.getline(__file__, line)


def test_a_dataclass_of_the_users_is_not_the_line_that_makes_one():
    @dataclass(frozen=True, eq=False, repr=False)
    class Own(Comparison):
        mine: int = 0

    scores = SplitScores(np.eye(3), ssc.SplitDesign([9] * 3, [3] * 3))
    filename, line = located(lambda: Own(scores))
    assert filename == __file__
    assert "located(lambda: Own(scores))" in linecache.getline(__file__, line)


def test_a_subclass_that_calls_its_parent_is_the_users():
    class Own(Comparison):
        def __init__(self, scores):
            super().__init__(scores)

    scores = SplitScores(np.eye(3), ssc.SplitDesign([9] * 3, [3] * 3))
    filename, line = located(lambda: Own(scores))
    assert "super().__init__(scores)" in linecache.getline(filename, line)


def test_what_runs_in_jobs_of_the_same_thread_is_named_by_the_users_line():
    def job():
        return mcnemar([0, 1], [0, 1], [1, 1], pooled_over_folds=True)

    filename, line = located(lambda: Parallel(n_jobs=1)(delayed(job)() for _ in range(1)))
    assert "pooled_over_folds" in linecache.getline(filename, line)
    asked = delayed(mcnemar)([0, 1], [0, 1], [1, 1], pooled_over_folds=True)
    filename, line = located(lambda: Parallel(n_jobs=1)([asked]))
    assert filename == __file__
    assert "Parallel(n_jobs=1)([asked])" in linecache.getline(filename, line)


def test_where_no_line_is_the_users_the_outermost_one_is_named():
    """As in a worker: there is nobody to point at, and the warning is given all the same."""
    categories = []
    module = types.ModuleType("sklearn.worker")
    exec(compile(SOURCE, "worker.py", "exec"), module.__dict__)

    def note(message, category, filename, lineno, *rest):
        categories.append(category)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = note
        thread = threading.Thread(target=module.asked, args=(mcnemar,))
        thread.start()
        thread.join()
    assert categories == [ssc.ComparisonWarning]


def test_a_warning_ends_with_the_anchor_of_its_entry():
    with pytest.warns(ssc.ComparisonWarning, match=r"\[troubleshooting#pooled-predictions\]$"):
        mcnemar(y, y, 1 - y, pooled_over_folds=True)


def test_only_what_is_asked_for_is_ignored_and_only_meanwhile():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with without_warnings(UserWarning):
            with without_warnings(RuntimeWarning, "of .*"):
                for category in (UserWarning, RuntimeWarning, DeprecationWarning):
                    warnings.warn(f"of {category.__name__}", category, stacklevel=1)
            warnings.warn("later", RuntimeWarning, stacklevel=1)
        # What another thread may leave behind has no effect.
        warnings.filterwarnings("ignore", category=_OfThisThread)
        warnings.warn("last", UserWarning, stacklevel=1)
    assert [str(one.message) for one in caught] == ["of DeprecationWarning", "later", "last"]
