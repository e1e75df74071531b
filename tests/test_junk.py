"""Junk is refused in words that name the parameter, and extreme numbers give right answers."""

import datetime
import inspect
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare import evaluation, stats
from sklearn_stats_compare.reports import report

DESIGN = ssc.SplitDesign.from_ratio(0.25, 10)
SCORES = np.random.default_rng(0).normal(0.8, 0.02, (4, 10))
FORMATS = ("text", "markdown", "latex", "html", "json")


def comparison(values=SCORES, labels=None, **settings):
    return ssc.Comparison(ssc.SplitScores(values, DESIGN), labels, warn=False, **settings)


@pytest.mark.parametrize(
    "splits",
    [
        None, "abc", {"a": 1}, [], [(0, 1)], [("a", "b")], [([0.5], [1])], [([0, 99], [1])],
        [([-11], [1])], [([True, False], [1])], [([[0, 1]], [1])], [([0], [1], [2])],
    ],
)  # fmt: skip
def test_splits_that_are_none_are_refused(splits):
    with pytest.raises(ValueError, match="`splits` must be"):
        ssc.SplitDesign.from_indices(splits, 10)


@pytest.mark.parametrize("n_samples", [0, -1, 1.5, "x", None])
def test_a_number_of_samples_is_a_whole_one(n_samples):
    with pytest.raises(ValueError, match="`n_samples` must be a whole number ≥ 1"):
        ssc.SplitDesign.from_indices([([0], [1])], n_samples)


@pytest.mark.parametrize("rng", ["x", -1, 1.5, [1, "a"], object()])
@pytest.mark.parametrize("method", ["possibly_best", "optimism", "ranking"])
def test_a_source_of_random_numbers_is_a_seed_or_a_generator(method, rng):
    with pytest.raises(ValueError, match="`rng` must be None, a whole number ≥ 0 or a numpy"):
        getattr(comparison(), method)(rng=rng)


@pytest.mark.parametrize(
    "values",
    [SCORES * 1j, np.array(1.0), SCORES[None], [[1, 2], [3]], SCORES.astype("M8[s]")],
    ids=["complex", "0-d", "3-d", "ragged", "dates"],
)
def test_scores_are_a_matrix_of_real_numbers(values):
    with pytest.raises(ValueError, match="`values` must be"):
        ssc.SplitScores(values, DESIGN)


@pytest.mark.parametrize("alpha", [1e-300, 5e-324])
def test_levels_near_nothing_go_through_all_tables_and_reports(alpha):
    small = comparison(alpha=alpha)
    table = small.against()
    assert (table["verdict"] == "undecided").all()
    assert table["mean_diff"].between(table["ci_low"], table["ci_high"]).all()
    assert (small.frequentist()["verdict"] == "undecided").all()
    assert len(small.possibly_best()) == 4
    assert len(small.plan()) == 3
    for kind in FORMATS:
        assert report(small, kind)


def test_resolution_returns_at_two_splits_and_a_tiny_level():
    few = ssc.SplitScores(SCORES[:, :2], ssc.SplitDesign.from_ratio(0.25, 2))
    assert len(ssc.Comparison(few, alpha=1e-7, warn=False).plan()) == 3


RARE = ((5e-324, 1e308), (1e-300, 0.01))
AT_NIGHT = [pytest.param(*ends, marks=pytest.mark.slow) for ends in RARE]


@pytest.mark.parametrize(
    ("scale", "rope"),
    [(5e-324, 0.01), (1e-300, 1e308), (1e308, 0.01), (1e308, 1e308), *AT_NIGHT],
)
def test_scores_at_the_ends_of_the_numbers_are_reported_without_warnings(scale, rope):
    values = SCORES * scale  # of the smallest number 0 or 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in FORMATS:
            assert report(comparison(values, rope=rope), kind)


def test_labels_of_any_characters_can_be_printed():
    assert str(comparison(labels=["\ud800", "a\x00b", "$x", "a\nb"])).encode()


# One table of hostile values against every public function and method. The arguments come from the
# signatures, so that a new one is attacked without anyone adding it here.


class Odd:
    """An object of which nothing can be asked."""

    def __repr__(self):
        raise RuntimeError("no repr")

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    def __bool__(self):
        raise RuntimeError("no truth value")

    __hash__ = None


def fails(*_, **__):
    raise KeyError("fails")


HOSTILE = {
    "None": None, "True": True, "0": 0, "3": 3, "-1": -1, "1.5": 1.5, "NaN": np.nan, "inf": np.inf,
    "1e308": 1e308, "10**400": 10**400, "empty text": "", "text": "x", "a lone surrogate": "\ud800",
    "a null character": "a\x00b", "long text": "x" * 10**5, "bytes": b"x", "complex": 1j,
    "odd": Odd(), "[]": [], "{}": {}, "()": (), "[1]": [1], "(1, 2)": (1, 2), "['x']": ["x"],
    "[None]": [None], "[[1]]": [[1]], "ragged": [[1], [1, 2]], "{1: 1}": {1: 1},
    "{'a': 'x'}": {"a": "x"}, "{'nope': 0.1}": {"nope": 0.1}, "set": {1}, "0-d": np.array(0.5),
    "no rows": np.empty(0), "3-d": np.ones((2, 2, 2)), "NaNs": np.full((3, 10), np.nan),
    "huge": np.full((3, 10), 1e308), "objects": np.array([object()]),
    "dates": np.array(["2020"], "M8[D]"), "Series": pd.Series([1.0, 2.0], ["a", "b"]),
    "Series of text": pd.Series(["a"]), "frame": pd.DataFrame({"a": [1.0]}),
    "empty frame": pd.DataFrame(), "NA": pd.NA, "NaT": pd.NaT, "masked": np.ma.masked,
    "date": datetime.date(2020, 1, 1), "Decimal": Decimal("0.5"), "Fraction": Fraction(1, 2),
    "function": fails, "type": int, "RandomState": np.random.RandomState(0),
}  # fmt: skip

Y = np.arange(40) % 2
PREDICTED = {"a": np.where(np.arange(40) % 7, Y, 1 - Y), "b": np.where(np.arange(40) % 5, Y, 1 - Y)}
FOLDS = np.arange(40) // 10
WIDE = pd.DataFrame(
    np.random.default_rng(1).random((6, 3)), index=list("uvwxyz"), columns=["a", "b", "c"]
)
BY_NAME = {name: dict(zip("abc", SCORES + k, strict=False)) for k, name in enumerate(WIDE.index)}
PARAMS = [{"C": k} for k in range(4)]
OF_TABLE = dict(zip(("model", "row", "fold", "truth", "response"), "mrftp", strict=True))
TABLE = pd.concat(
    pd.DataFrame({"m": name, "r": range(40), "f": FOLDS, "t": Y, "p": own})
    for name, own in PREDICTED.items()
)


def calls():
    """Each public function with arguments that it accepts, some in several forms."""
    yield ssc.compare, {"obj": SCORES, "test_train_ratio": 0.25}
    yield ssc.compare, {"obj": {"a": SCORES[0], "b": SCORES[1]}, "test_train_ratio": 0.25}
    yield ssc.compare, {"obj": comparison().to_long()}
    yield ssc.compare_datasets, {"obj": WIDE}
    long = WIDE.stack().rename_axis(["dataset", "model"]).reset_index(name="score")
    yield ssc.compare_datasets, {"obj": long}
    yield ssc.compare_datasets, {"obj": BY_NAME, "test_train_ratio": 0.1}
    yield ssc.compare_predictions, {
        "y": Y, "predictions": PREDICTED, "metric": "accuracy", "folds": FOLDS,
    }  # fmt: skip
    yield ssc.compare_predictions, {"y": TABLE, "metric": "accuracy", **OF_TABLE}
    yield stats.accuracy_interval, {"n_correct": 3, "n": 10}
    yield stats.cochrans_q, {"y_true": [0, 1, 1], "preds": ([0, 1, 1], [0, 0, 1])}
    yield stats.mcnemar, {"y_true": [0, 1, 1], "pred1": [0, 1, 1], "pred2": [0, 0, 1]}
    yield stats.delong, {"y_true": [0, 1, 1, 0], "score1": [0, 1, 1, 0.5], "score2": [0, 0, 1, 0.2]}
    yield stats.compare_error_rates, {"error1": 0.3, "n1": 10, "error2": 0.2, "n2": 10}
    yield stats.corrected_ttest, {
        "scores_1": SCORES[0], "scores_2": SCORES[1], "n_train": 4, "n_test": 1,
    }  # fmt: skip
    yield evaluation.make_cost_scorer, {"cost_matrix": [[0, 1], [1, 0]]}
    yield evaluation.misclassification_cost, {
        "y_true": [0, 1], "y_pred": [0, 1], "cost_matrix": [[0, 1], [1, 0]],
    }  # fmt: skip
    yield report, {"comparison": comparison()}
    yield evaluation.calibrate, {"comparison": comparison(), "n_simulations": 20}
    kept = ssc.compare_predictions(Y, PREDICTED, metric="accuracy", folds=FOLDS)
    for of_fits in (evaluation.mcnemar_of, evaluation.delong_of):
        yield of_fits, {"comparison": kept, "i": 0, "j": 1}
    yield ssc.Ledger, {"path": "nowhere.sqlite"}
    yield ssc.Comparison, {"scores": ssc.SplitScores(SCORES, DESIGN)}
    yield ssc.DatasetsComparison, {
        "values": WIDE.to_numpy().T, "labels": list("abc"), "datasets": list(WIDE.index),
    }  # fmt: skip
    yield ssc.SplitScores, {"values": SCORES, "design": DESIGN}
    yield ssc.SplitDesign, {"n_train": [4, 4], "n_test": [1, 1]}
    yield ssc.SplitDesign.from_ratio, {"test_train_ratio": 0.2, "n_splits": 3}
    yield ssc.SplitDesign.from_indices, {"splits": [([0], [1]), ([1], [0])], "n_samples": 2}
    yield stats.SampleScores, {"values": SCORES[:, None], "n_folds": 2}
    yield stats.SampleTTest, {}
    yield stats.Posterior, {"df": 4, "loc": 0.1, "scale": 0.1}
    named = {
        "i": 0, "j": 1, "which": 0, "reference": 0, "candidates": [0, 1], "groups": Y,
        "metric": "accuracy", "rule": ssc.Simplest("C"), "difference": 0.05,
        "n_simulations": 20, "n_draws": 200, "x": 0.1, "q": 0.5, "confidence": 0.9,
    }  # fmt: skip
    for obj in objects():
        for name, member in inspect.getmembers(type(obj), inspect.isfunction):
            if name.startswith("_") or name in LEFT_OUT:
                continue
            own = inspect.signature(member).parameters
            yield getattr(obj, name), {
                argument: value for argument, value in named.items() if argument in own
            }  # fmt: skip


# scikit-learn checks these itself, of its own searches in the same words.
SKLEARNS = {
    "estimator", "estimator1", "estimator2", "procedure", "models", "X", "y", "cv", "scoring",
    "groups", "params", "n_jobs", "error_score", "random_state", "random_seed", "verbose",
    "n_sizes",
}  # fmt: skip
DATA = {"X": np.arange(80.0).reshape(40, 2) % 7, "y": np.arange(40) % 2}
DEPTHS = {"max_depth": [1, 2]}


def fitted(search, *, own, **given):
    """A function that makes a search, with more parameters of its `own`, and fits it."""

    def fit(**parameters):
        return search(DecisionTreeClassifier(random_state=0), DEPTHS, **given, **parameters).fit(
            *DATA.values()
        )

    fit.__qualname__ = search.__name__
    fit.__signature__ = inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in sorted(own)]
    )
    return fit


def fitting_calls():
    """The same of what fits models: functions, searches, rules, and an extension."""
    tree = DecisionTreeClassifier(random_state=0)
    models = {"a": tree, "b": GaussianNB()}
    of_search = set(inspect.signature(ssc.StatisticalGridSearchCV).parameters)
    of_race = set(inspect.signature(ssc.RacingGridSearchCV).parameters)
    searched = set(inspect.signature(GridSearchCV).parameters)
    yield fitted(ssc.StatisticalGridSearchCV, own=of_search - searched, cv=2), {}
    yield fitted(ssc.RacingGridSearchCV, own=of_race - of_search - SKLEARNS, cv=3), {}
    search = ssc.StatisticalGridSearchCV(tree, DEPTHS, cv=KFold(2, shuffle=True, random_state=0))

    def extend(*, n_repeats, until=None, candidates="all", max_fits=None):
        arguments = {"until": until, "candidates": candidates, "max_fits": max_fits}
        return clone(search).fit(**DATA).extend(**DATA, n_repeats=n_repeats, **arguments)

    yield extend, {"n_repeats": 1}
    for rule, given in (
        (ssc.Simplest, {"by": "max_depth"}),
        (ssc.BestSubjectTo, {"metric": "score", "bounds": {"mean_fit_time": 9.0}}),
    ):

        def choose(rule=rule, **parameters):
            return fitted(ssc.StatisticalGridSearchCV, own=(), cv=2)(refit=rule(**parameters))

        choose.__qualname__ = rule.__name__
        choose.__signature__ = inspect.signature(rule)
        yield choose, given
    yield ssc.cross_validate_models, {"models": models, **DATA, "cv": 2}
    yield ssc.nested_score, {"procedure": search, **DATA, "cv": 2}
    yield evaluation.paired_cv_test, {"estimator1": tree, "estimator2": GaussianNB(), **DATA}
    yield evaluation.bootstrap_score, {"estimator": tree, **DATA, "n_splits": 30}
    # Not any order: naive Bayes divides by zero where a class has one sample.
    seeded = {"models": models, **DATA, "cv": 2, "random_state": 0}
    yield evaluation.compare_learning_curves, seeded


# They write files, print, take a class's own options, or compute for seconds.
LEFT_OUT = {"to_csv", "plot", "report", "hierarchical", "posterior_draws"}


def objects():
    """Comparisons and results whose methods are attacked."""
    quiet = {"warn": False}
    design = ssc.SplitDesign.from_ratio(0.25, 10, np.arange(10) // 5)
    yield ssc.Comparison(ssc.SplitScores(SCORES, design), list("abcd"), params=PARAMS, **quiet)
    yield ssc.compare_datasets(BY_NAME, test_train_ratio=0.1, **quiet)
    yield ssc.compare_predictions(Y, PREDICTED, metric="accuracy", folds=FOLDS)
    yield comparison().posterior(0, 1)
    yield stats.mcnemar([0, 1, 1], [0, 1, 1], [0, 0, 1])
    yield stats.cochrans_q([0, 1, 1], [0, 1, 1], [0, 0, 1])
    yield stats.delong([0, 1, 1, 0], [0, 1, 1, 0.5], [0, 0, 1, 0.2])
    yield stats.compare_error_rates(0.3, 10, 0.2, 10)
    yield stats.corrected_ttest(SCORES[0], SCORES[1], n_train=4, n_test=1)


def called(function, arguments):
    """The result of a call, for which all positional arguments are given by name."""
    own = inspect.signature(function).parameters
    several = [name for name, each in own.items() if each.kind is each.VAR_POSITIONAL]
    if not several or several[0] not in arguments:
        return function(**arguments)
    before = [arguments[name] for name in own if own[name].kind is own[name].POSITIONAL_OR_KEYWORD]
    given = arguments[several[0]]
    return function(*before, *(given if isinstance(given, list | tuple) else [given]))


def attacks():
    """(function, arguments, name of an argument, hostile value) of all public functions."""
    fitting = list(fitting_calls())
    fits = {function for function, _ in fitting}
    for function, arguments in [*calls(), *fitting]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:  # an object without predictions lacks a method that another one has
                called(function, arguments)
            except (ValueError, FileNotFoundError) as error:
                if isinstance(error, ValueError) and inspect.ismethod(function):
                    continue
        for name, argument in inspect.signature(function).parameters.items():
            if function in fits and name in SKLEARNS:
                continue
            if argument.kind is not argument.VAR_KEYWORD and not name.startswith("_"):
                # scikit-learn prints what it refuses, and asks of numbers whether they are NaN.
                left_out = {"odd", "Fraction"} if function in fits else set()
                # A function of the user's may raise what it likes.
                left_out |= {"function", "type"} if name in ("by", "loss") else set()
                for value in [each for each in HOSTILE if each not in left_out]:
                    yield function, arguments, name, value


def problem(function, arguments, name, value):
    """What is wrong with the answer to a hostile value; "" if it is accepted or refused well."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ssc.ComparisonWarning)
        try:
            found = called(function, {**arguments, name: HOSTILE[value]})
        except FileNotFoundError:
            return ""
        except Exception as error:
            words = str(error)
            names = [*inspect.signature(function).parameters, "ledger"]
            # scikit-learn: "The 'alpha' parameter of StatisticalGridSearchCV must be …. Got …".
            is_named = any(f"`{own}" in words or f"'{own}' parameter" in words for own in names)
            in_words = is_named and " must " in words and ("ot " in words or ";" in words)
            is_right = isinstance(error, TypeError | ValueError) and in_words
            return "" if is_right else f"{type(error).__name__}: {words[:200]!a}"
        if value != "odd":
            try:
                str(found).encode()
            except Exception as error:
                return f"printed: {type(error).__name__}: {error!a:.200}"
    return ""


@pytest.mark.parametrize(
    "share", [pytest.param(0.02, id="a sample"), pytest.param(1, marks=pytest.mark.slow, id="all")]
)
def test_hostile_values_are_refused_with_name_rule_and_value(share, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    every = list(attacks())
    drawn = np.random.default_rng(0).random(len(every)) < share
    found = [
        f"{function.__qualname__}({name}={value}): {said}"
        for (function, arguments, name, value), is_drawn in zip(every, drawn, strict=True)
        if is_drawn and (said := problem(function, arguments, name, value))
    ]
    assert not found, "\n".join(found)


def test_every_public_function_is_attacked():
    functions = {
        name
        for public in (ssc, evaluation, stats)
        for name in public.__all__
        if inspect.isfunction(getattr(public, name))
    }
    attacked = {function.__name__ for function, _ in [*calls(), *fitting_calls()]}
    assert functions - attacked == {"possibly_pareto"}
