"""Junk is refused in words that name the parameter, and extreme numbers give right answers."""

import datetime
import inspect
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import sklearn_stats_compare as ssc
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
@pytest.mark.parametrize("method", ["probability_best", "optimism", "calibrate"])
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
    table = small.leader_table
    assert (table["verdict"] == "undecided").all()
    assert table["mean_diff"].between(table["ci_low"], table["ci_high"]).all()
    assert (small.pairwise_frequentist["verdict"] == "undecided").all()
    assert len(small.possibly_best()) == 4
    assert len(small.resolution()) == 3
    for kind in FORMATS:
        assert report(small, kind)


def test_resolution_returns_at_two_splits_and_a_tiny_level():
    design = ssc.SplitDesign.from_ratio(0.25, 2)
    few = ssc.Comparison(ssc.SplitScores(SCORES[:, :2], design), alpha=1e-7, warn=False)
    assert len(few.resolution()) == 3


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e308])
@pytest.mark.parametrize("rope", [0.01, 1e308])
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
    yield ssc.accuracy_interval, {"n_correct": 3, "n": 10}
    yield ssc.cochrans_q, {"y_true": [0, 1, 1], "preds": ([0, 1, 1], [0, 0, 1])}
    yield ssc.mcnemar, {"y_true": [0, 1, 1], "pred1": [0, 1, 1], "pred2": [0, 0, 1]}
    yield ssc.delong, {"y_true": [0, 1, 1, 0], "score1": [0, 1, 1, 0.5], "score2": [0, 0, 1, 0.2]}
    yield ssc.compare_error_rates, {"error1": 0.3, "n1": 10, "error2": 0.2, "n2": 10}
    yield ssc.corrected_ttest, {
        "scores_1": SCORES[0], "scores_2": SCORES[1], "n_train": 4, "n_test": 1,
    }  # fmt: skip
    yield ssc.make_cost_scorer, {"cost_matrix": [[0, 1], [1, 0]]}
    yield ssc.misclassification_cost, {
        "y_true": [0, 1], "y_pred": [0, 1], "cost_matrix": [[0, 1], [1, 0]],
    }  # fmt: skip
    yield report, {"comparison": comparison()}
    yield ssc.ledger_status, {"path": "nowhere.sqlite"}
    yield ssc.Comparison, {"scores": ssc.SplitScores(SCORES, DESIGN)}
    yield ssc.DatasetsComparison, {
        "values": WIDE.to_numpy().T, "labels": list("abc"), "datasets": list(WIDE.index),
    }  # fmt: skip
    yield ssc.SplitScores, {"values": SCORES, "design": DESIGN}
    yield ssc.SplitDesign, {"n_train": [4, 4], "n_test": [1, 1]}
    yield ssc.SplitDesign.from_ratio, {"test_train_ratio": 0.2, "n_splits": 3}
    yield ssc.SplitDesign.from_indices, {"splits": [([0], [1]), ([1], [0])], "n_samples": 2}
    yield ssc.SampleScores, {"values": SCORES[:, None], "n_folds": 2}
    yield ssc.SampleTTest, {}
    yield ssc.Posterior, {"df": 4, "loc": 0.1, "scale": 0.1}
    named = {
        "i": 0, "j": 1, "which": 0, "reference": 0, "candidates": [0, 1], "groups": Y,
        "scorer": "accuracy", "rule": ssc.SimplestPossiblyBest("C"), "difference": 0.05,
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


# They write files, print, take a class's own options, or compute for seconds.
LEFT_OUT = {"to_csv", "help", "plot", "report", "hierarchical", "posterior_draws", "iter_pairs"}


def objects():
    """Comparisons and results whose methods are attacked."""
    quiet = {"warn": False}
    design = ssc.SplitDesign.from_ratio(0.25, 10, np.arange(10) // 5)
    yield ssc.Comparison(ssc.SplitScores(SCORES, design), list("abcd"), params=PARAMS, **quiet)
    yield ssc.compare_datasets(BY_NAME, test_train_ratio=0.1, **quiet)
    yield ssc.compare_predictions(Y, PREDICTED, metric="accuracy", folds=FOLDS)
    yield comparison().posterior(0, 1)
    yield ssc.mcnemar([0, 1, 1], [0, 1, 1], [0, 0, 1])
    yield ssc.cochrans_q([0, 1, 1], [0, 1, 1], [0, 0, 1])
    yield ssc.delong([0, 1, 1, 0], [0, 1, 1, 0.5], [0, 0, 1, 0.2])
    yield ssc.compare_error_rates(0.3, 10, 0.2, 10)
    yield ssc.corrected_ttest(SCORES[0], SCORES[1], n_train=4, n_test=1)


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
    for function, arguments in calls():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:  # an object without predictions lacks a method that another one has
                called(function, arguments)
            except (ValueError, FileNotFoundError) as error:
                if isinstance(error, ValueError) and inspect.ismethod(function):
                    continue
        for name, argument in inspect.signature(function).parameters.items():
            if argument.kind is not argument.VAR_KEYWORD:
                for value in HOSTILE:
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
            is_named = any(f"`{own}" in words for own in names)
            in_words = is_named and " must " in words and ("got " in words or ";" in words)
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
    # Functions that fit pass their arguments to scikit-learn; log_mlflow writes to a server.
    fitting = {
        "bootstrap_score", "combined_ftest_5x2cv", "compare_learning_curves",
        "cross_validate_models", "log_mlflow", "nested_score", "paired_ttest_5x2cv",
        "paired_ttest_kfold_cv",
        "paired_ttest_resampled", "possibly_pareto",
    }  # fmt: skip
    functions = {name for name in ssc.__all__ if inspect.isfunction(getattr(ssc, name))}
    assert functions - {function.__name__ for function, _ in calls()} == fitting
