"""Every warning of the package names the line of the user's that led to it."""

import ast
import contextlib
import doctest
import functools
import inspect
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
from sklearn.exceptions import FitFailedWarning
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

import sklearn_stats_compare
from sklearn_stats_compare import (
    BestSubjectTo,
    BootstrapSplit,
    Comparison,
    ComparisonWarning,
    RacingGridSearchCV,
    SimplestPossiblyBest,
    SplitDesign,
    SplitScores,
    StatisticalGridSearchCV,
    cochrans_q,
    compare,
    compare_learning_curves,
    cross_validate_models,
    mcnemar,
    paired_ttest_5x2cv,
    paired_ttest_kfold_cv,
    possibly_pareto,
)

PACKAGE = Path(sklearn_stats_compare.__file__).parent
X, y = make_classification(80, random_state=0)
FOLDS = KFold(10)
GRID = {"var_smoothing": [1e-9, 0.1]}
TEN = SplitDesign([72] * 10, [8] * 10, n_samples=80)


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


def race():
    grid = {"max_depth": [1, 2, 3, 5, 8, 10], "max_features": [1, 5]}
    tree = DecisionTreeClassifier(random_state=0)
    cv = ShuffleSplit(20, test_size=0.3, random_state=0)
    return RacingGridSearchCV(tree, grid, cv=cv, random_state=0)


def search(estimator=None, grid=None, cv=FOLDS, kind=StatisticalGridSearchCV, **options):
    estimator, grid = (GaussianNB(), GRID) if estimator is None else (estimator, grid)
    return kind(estimator, grid, cv=cv, **options)


def of_scores(n_splits, **options):
    scores = np.random.default_rng(0).normal(0.8, 0.05, (3, n_splits))
    design = SplitDesign([72] * n_splits, [8] * n_splits)
    return Comparison(SplitScores(scores, design), **options)


def groups_of_two_thirds():
    return np.repeat([0, 1, 2], [60, 12, 8])


def fitted_twice(path, estimator, grid, **options):
    def again(run):
        search(estimator, grid, ledger=path, refit=False, **options).fit(X, y)
        run(search(estimator, grid, ledger=path, refit=False, **options))

    return again


# The text of each warning that the package gives, and a line of the user's that leads to it. What
# comes before that line in a case is to be silent.
def splits_that_are_few(line):
    line(lambda: compare([[0.8, 0.9, 0.7], [0.7, 0.8, 0.9]], test_train_ratio=0.5))


def few_splits_of_a_comparison(line):
    scores = of_scores(4, warn=False).scores
    line(lambda: Comparison(scores))


def few_splits_where_fields_are_replaced(line):
    comparison = of_scores(4, warn=False)
    line(lambda: replace(comparison, alpha=0.1))


def few_splits_of_a_search(line):
    fitted = search(cv=4).fit(X, y)
    line(lambda: fitted.comparison_)


def few_splits_of_a_table_of_a_search(line):
    fitted = search(cv=4).fit(X, y)
    line(lambda: fitted.pairwise_frequentist_)


def few_splits_of_models(line):
    models = {"a": GaussianNB(), "b": LogisticRegression()}
    line(lambda: cross_validate_models(models, X, y, cv=4))


def fits_of_models_that_fail(line):
    models = {"a": GaussianNB(), "b": Fickle(fails=True)}
    line(lambda: cross_validate_models(models, X, y, cv=FOLDS))


def fits_of_a_size_that_fail(line):
    models = {"many": Fickle(fails="below 50")}
    line(lambda: compare_learning_curves(models, X, y, cv=FOLDS, schedule=[20, 70]))


def a_size_without_a_class(line):
    rare = np.where(np.arange(80) % 10 == 0, 1, 0)
    models = {"bayes": GaussianNB()}
    line(lambda: compare_learning_curves(models, X, rare, cv=FOLDS, schedule=[2, 70],
                                         random_state=0))  # fmt: skip


def curves_in_time(line):
    models = {"bayes": GaussianNB()}
    line(lambda: compare_learning_curves(models, X, y, cv=TimeSeriesSplit(10), schedule=[1.0],
                                         random_state=1))  # fmt: skip


def groups_that_cannot_be_halved(line):
    models = GaussianNB(), LogisticRegression()
    line(lambda: paired_ttest_5x2cv(*models, X, y, groups=groups_of_two_thirds()))


def folds_taken_for_independent(line):
    models = GaussianNB(), LogisticRegression()
    line(lambda: paired_ttest_kfold_cv(*models, X, y, correction=None))


def groups_of_a_bootstrap(line):
    line(lambda: list(BootstrapSplit(10, random_state=0).split(X, y, np.arange(80))))


def groups_of_a_bootstrap_within_a_search(line):
    one = search(cv=BootstrapSplit(10, random_state=0))
    line(lambda: one.fit(X, y, groups=np.arange(80)))


def groups_of_a_bootstrap_within_scikit_learn(line):
    line(lambda: cross_val_score(GaussianNB(), X, y, cv=BootstrapSplit(3, random_state=0),
                                 groups=np.arange(80)))  # fmt: skip


def predictions_pooled(line):
    line(lambda: mcnemar(y, y, 1 - y, pooled_over_folds=True))


def predictions_of_several_pooled(line):
    line(lambda: cochrans_q(y, y, 1 - y, pooled_over_folds=True))


def optimism_without_repeats(line):
    comparison = of_scores(10)
    line(lambda: comparison.optimism("tibshirani"))


def optimism_after_a_race(line):
    fitted = race().fit(X, y)
    comparison = fitted.comparison_
    with contextlib.suppress(ValueError):
        line(lambda: comparison.optimism("tibshirani"), match="leader was chosen from 12")


def the_best_after_a_race(line):
    fitted = race().fit(X, y)
    line(lambda: fitted.possibly_best_)


def the_choice_after_a_race(line):
    chosen = race().set_params(refit=SimplestPossiblyBest("max_depth"))
    line(lambda: chosen.fit(X, y))


def the_pareto_set_after_a_race(line):
    fitted = race().fit(X, y)
    line(lambda: possibly_pareto(fitted, ["score"]), match="The possibly-Pareto set")


def no_candidate_within_the_bounds(line):
    rule = BestSubjectTo("score", {"score": 1.5})  # no accuracy is
    one = search(cv=10, refit=rule)
    line(lambda: one.fit(X, y), match="Every candidate is shown to violate a bound")


def the_last_iteration_of_a_halving_search(line):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        halving = HalvingGridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 0.1, 1.0]},
                                      cv=10, min_resources=40, factor=2).fit(X, y)  # fmt: skip
    line(lambda: compare(halving), match="Only the last iteration")


def further_repeats_after_none_that_were_shuffled(line):
    fitted = search(cv=KFold(10)).fit(X, y)
    line(lambda: fitted.extend(X, y, n_repeats=1))


def fits_of_a_search_that_fail(line, path):
    one = search(Fickle(), {"fails": [False, True]}, ledger=path)
    line(lambda: one.fit(X, y), match="fits failed", category=FitFailedWarning)


def scores_of_a_search_that_are_not_finite(line, path):
    one = search(Fickle(), {"fails": [False, True]}, ledger=path)
    line(lambda: one.fit(X, y), match="test scores are non-finite, those of")


def fits_of_a_race_that_fail(line):
    one = search(Fickle(), {"fails": [False, True]}, kind=RacingGridSearchCV)
    line(lambda: one.fit(X, y), match="fits failed", category=FitFailedWarning)


def a_search_by_chance(line, path):
    def scoring(estimator, X, y):
        return np.random.default_rng().random()

    one = search(Fickle(), {"fails": [False]}, ledger=path, scoring=scoring).fit(X, y)
    line(lambda: one.fit(X, y), match="not deterministic")


def a_search_without_a_seed(line, path):
    # Continuous scores: three accuracies may be the same by chance.
    forest = ExtraTreesClassifier(3, max_features=1)
    one = search(forest, {"max_depth": [1, 2]}, ledger=path, scoring="neg_log_loss")
    line(lambda: one.fit(X, y), match="may differ: `random_state` of")


def a_file_that_is_deleted_meanwhile(line, path):
    if os.name != "posix":
        pytest.skip("Windows deletes no file that is open")

    def scoring(estimator, X, y):
        path.unlink(missing_ok=True)
        return estimator.score(X, y)

    one = search(ledger=path, scoring=scoring)
    line(lambda: one.fit(X, y), match="no longer saved")


def an_empty_file(line, path):
    path.touch()
    one = search(ledger=path)
    line(lambda: one.fit(X, y), match="was an empty file")


def fits_that_failed_before(line, path):
    one = search(Fickle(), {"fails": [False, True]}, ledger=path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one.fit(X, y)
    line(lambda: one.fit(X, y), match="that failed before will be repeated")


def a_worker_that_dies(line, path):
    one = search(Fickle(), {"dies": ["", str(path) + ".dead"]}, n_jobs=2, ledger=path)
    line(lambda: one.fit(X, y), match="A worker was lost")


CASES = [
    value
    for value in list(globals().values())
    if inspect.isfunction(value) and next(iter(inspect.signature(value).parameters), "") == "line"
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_warning_names_the_line_that_led_to_it(case, tmp_path):
    seen = []

    def line(call, match="", category=Warning):
        with warnings.catch_warnings(record=True) as record:
            warnings.simplefilter("always")
            call()
        found = [
            w
            for w in record
            if issubclass(w.category, category) and re.search(match, str(w.message))
        ]
        assert found
        for one in found:
            assert one.filename == __file__
            first = call.__code__.co_firstlineno
            assert first <= one.lineno <= first + 1
        seen.append(case)

    paths = [tmp_path / "l.sqlite"] if len(inspect.signature(case).parameters) > 1 else []
    case(line, *paths)
    assert seen


def test_every_warning_of_the_package_looks_for_the_users_line():
    n = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "warnings.warn":
                given = {word.arg: ast.unparse(word.value) for word in node.keywords}
                assert given.get("stacklevel") == "outside_level()", f"{path.name}:{node.lineno}"
                n += 1
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


@pytest.mark.parametrize(
    "name",
    [
        "sklearn_helpers",
        "sklearn_stats_compare_helpers",
        "joblib_helpers",
        "my.sklearn",
        "__main__",
        None,
    ],
)
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
    names = {"__name__": "sklearn_stats_compare.stats._mcnemar", "mcnemar": mcnemar}
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

    scores = SplitScores(np.eye(3), SplitDesign([9] * 3, [3] * 3))
    filename, line = located(lambda: Own(scores))
    assert filename == __file__
    assert "located(lambda: Own(scores))" in linecache.getline(__file__, line)


def test_a_subclass_that_calls_its_parent_is_the_users():
    class Own(Comparison):
        def __init__(self, scores):
            super().__init__(scores)

    scores = SplitScores(np.eye(3), SplitDesign([9] * 3, [3] * 3))
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
    assert categories == [ComparisonWarning]
