"""Comparison.to_csv and compare(path): what was saved comes back to the last bit, or an error."""

import inspect
import json
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.feature_selection import f_classif, mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare import Comparison, SplitDesign, SplitScores, compare
from sklearn_stats_compare.stats._sample_t import SampleTTest

X, y = make_classification(n_samples=103, n_features=6, flip_y=0.1, random_state=0)
CV = RepeatedKFold(n_splits=5, n_repeats=3, random_state=0)
GRID = {
    "C": np.array([1e-05, 0.1 + 0.2]),
    "kernel": ["linear", "rbf"],
    "class_weight": [None, "balanced"],
}
SETTINGS = {"alternative": "two-sided", "p_adjust": "holm", "rope": (-0.02, 0.03), "alpha": 0.1}
TEN = SplitDesign([90] * 10, [10] * 10, [0] * 10)
SMOOTHING = {"var_smoothing": [1e-9, 1]}


@pytest.fixture(scope="module")
def search():
    return ssc.StatisticalGridSearchCV(SVC(), GRID, cv=CV, scoring="accuracy").fit(X, y)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "scores.csv"


def assert_same(again, comparison):
    """All that is saved, equal to the last bit; tables follow from it."""
    np.testing.assert_array_equal(again.scores.values, comparison.scores.values)
    for name in ("n_train", "n_test", "repeat", "n_samples", "expanding", "sliding", "resampled",
                 "complementary_halves", "sizes_known", "stratified"):  # fmt: skip
        designs = (getattr(one.scores.design, name) for one in (again, comparison))
        np.testing.assert_array_equal(*designs)
    for name in ("labels", "_candidates", "metric", "note", "_naming", "_n_entered", "rope",
                 "alpha", "alternative", "p_adjust", "test"):  # fmt: skip
        assert getattr(again, name) == getattr(comparison, name), name


def round_trip(comparison, path, **arguments):
    comparison.to_csv(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ssc.ComparisonWarning)
        return compare(path, **arguments)


def test_a_search_comes_back_with_labels_types_repeats_and_settings(search, path):
    comparison = search.compare(**SETTINGS)
    for given_path in (path, str(path)):
        again = round_trip(comparison, given_path)
        assert_same(again, comparison)
        assert [dict(p) for p in again.params] == [dict(p) for p in comparison.params]
        assert {type(p["C"]) for p in again.params} == {float}
        assert again.scores.design.repeat.tolist() == np.repeat([0, 1, 2], 5).tolist()
        for table in ("frequentist", "bayesian", "against", "ranking"):
            tables = (getattr(one, table)() for one in (again, comparison))
            pd.testing.assert_frame_equal(*tables, rtol=0, atol=0)
    assert repr(again.optimism(rng=0)) == repr(comparison.optimism(rng=0))


def test_settings_are_those_that_were_saved_unless_others_are_given(search, path):
    comparison = search.compare(**SETTINGS)
    comparison.to_csv(path)
    assert compare(path, p_adjust=None).p_adjust is None
    defaults = {"rope": 0.01, "alpha": 0.05, "alternative": "greater", "p_adjust": "bonferroni"}
    changed = compare(path, **defaults)
    comparison.to_csv(path, settings=False)
    plain = compare(path)
    for name, value in defaults.items():
        assert getattr(changed, name) == getattr(plain, name) == value
        assert type(getattr(plain, name)) is type(value)
    relative = search.compare(rope="1%", test="uncorrected_t")
    assert_same(round_trip(relative, path), relative)
    assert compare(path, test="corrected_t").test.name == "corrected_t"


def test_the_signature_of_compare_shows_the_defaults_of_a_comparison():
    own, others = (inspect.signature(f).parameters for f in (compare, Comparison))
    for name in ("alternative", "p_adjust", "rope", "alpha"):
        assert own[name].default == others[name].default
        assert repr(own[name].default) == repr(others[name].default)


def test_survivors_of_a_race_are_read_back_as_survivors(path):
    race = ssc.RacingGridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 5, 20, 70, 80]}, cv=CV, random_state=0
    ).fit(X, y)
    comparison = race.comparison_
    assert comparison.scores.n_candidates < 5
    again = round_trip(comparison, path)
    assert_same(again, comparison)
    assert again._n_entered == 5
    named = compare(path, labels=list("abcde"))
    assert named.labels == tuple("abcde"[i] for i in comparison._candidates)


def test_parts_of_the_pool_are_read_back_and_given_sizes_override_saved_ones(path):
    cv = ShuffleSplit(12, train_size=0.2, test_size=0.1, random_state=0)
    comparison = ssc.StatisticalGridSearchCV(GaussianNB(), SMOOTHING, cv=cv).fit(X, y).comparison_
    assert_same(round_trip(comparison, path), comparison)
    assert compare(path, test_train_ratio=0.5).scores.design.test_train_ratio == 0.5
    assert compare(path, n_samples=500).scores.design.n_samples == 500
    for wrong, message in (
        ({"n_samples": 3}, "`n_samples` must be a whole number"),
        ({"metric": "f1"}, "`metric` must be one of 'accuracy'; got 'f1'"),
        ({"orient": "models in rows"}, "`orient` must be left out"),
    ):
        with pytest.raises(ValueError, match=message):
            compare(path, **wrong)


def test_pandas_reads_the_table_below_the_first_line(search, path):
    search.comparison_.to_csv(path)
    table = pd.read_csv(path, skiprows=1)
    assert table["label"].tolist() == list(search.comparison_.labels)
    assert table.columns[3] == "split0_test_accuracy"
    # pandas 2 reads numbers to the last but one bit.
    np.testing.assert_allclose(table.iloc[:, 3:], search.comparison_.scores.values, rtol=1e-14)


def test_values_that_are_not_literals_are_read_back_as_text(path):
    params = [
        {"clf": SVC(C=2), "f": np.dot, "C": np.float64(0.1), "n": np.int32(3), "t": (1, [None])},
        {"clf": GaussianNB, "f": np.sum, "C": float("nan"), "n": 10**5000, "t": {"a": {1, 2}}},
        {"clf": np.arange(3), "f": "x" * 20_000, "C": -np.inf, "n": True, "t": object()},
    ]
    comparison = Comparison(SplitScores(np.arange(30).reshape(3, 10) / 30, TEN), params=params)
    again = round_trip(comparison, path)
    assert_same(again, comparison)
    one, two, three = again.params
    assert one == {"clf": "SVC(C=2)", "f": "dot", "C": 0.1, "n": 3, "t": (1, [None])}
    assert np.isnan(two.pop("C"))
    assert two == {"clf": "GaussianNB", "f": "sum", "n": "int", "t": {"a": {1, 2}}}
    assert len(three.pop("f")) == 10_000
    assert three == {"clf": "[0 1 2]", "C": -np.inf, "n": True, "t": "object"}


def test_parameters_that_are_too_long_together_are_shortened(path):
    params = [{f"p{k}": "x" * 9_000 for k in range(40)}, {"a": list(range(9_000))}]
    scores = SplitScores([[0.5] * 10, [0.6] * 10], TEN)
    again = round_trip(Comparison(scores, ["many", "long"], params=params), path)
    assert {len(value) for value in again.params[0].values()} == {1_000}
    # A list is saved item by item, so that only its items are cut.
    assert again.params[1] == params[1]


def test_columns_that_were_sorted_are_those_of_their_names(path):
    scores = np.random.default_rng(0).random((2, 12))
    scores[1, 4] = np.nan
    design = SplitDesign(range(50, 62), range(20, 32))
    Comparison(SplitScores(scores, design), warn=False).to_csv(path)
    head, table = path.read_text().partition("\n")[0], pd.read_csv(path, skiprows=1, dtype=str)
    for columns in (sorted(table.columns[3:]), table.columns[4:]):
        text = table[[*table.columns[:3], *columns]].to_csv(index=False)
        path.write_text(f"{head}\n{text}")
        if len(columns) == 12:
            again = compare(path).scores
            np.testing.assert_array_equal(again.values, scores)
            assert again.design.n_test.tolist() == list(range(20, 32))
    with pytest.raises(ValueError, match="lacks one column per split, 0 to 11"):
        compare(path)


@pytest.mark.parametrize("path", ["", "a\0b.csv", "folder"])
def test_what_is_no_path_of_a_file_is_refused(path, tmp_path):
    comparison = Comparison(SplitScores([[0.5] * 10, [0.6] * 10], TEN))
    with pytest.raises(ValueError, match="`path` must be the path of a file"):
        comparison.to_csv(tmp_path if path == "folder" else path)
    with pytest.raises(TypeError, match="`params` must be text; got 1"):
        Comparison(comparison.scores, params=[{1: 2}, {1: 3}])


LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner)
    | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


@given(
    st.lists(st.tuples(st.text(st.characters()), st.dictionaries(st.text(), LITERALS, max_size=3),
                       NUMBERS, NUMBERS),
             min_size=1, max_size=4, unique_by=lambda row: row[0]),
    st.text(), st.text(),
)  # fmt: skip
@settings(deadline=None)
def test_any_text_number_and_parameter_comes_back(tmp_path_factory, rows, metric, note):
    labels, params, *columns = zip(*rows, strict=True)
    comparison = Comparison(
        SplitScores(np.column_stack(columns), SplitDesign([9, 8], [1, 2], n_samples=10)),
        labels, params=params, metric=metric, note=note, warn=False,
    )  # fmt: skip
    again = round_trip(comparison, tmp_path_factory.mktemp("any") / "scores.csv")
    assert_same(again, comparison)
    assert again.params == list(params)
    assert [str(p) for p in again.params] == [str(p) for p in params]


def test_scores_without_parameters_have_none_again(path):
    comparison = compare({"svm": [0.9, 0.8] * 5, "nb": [0.7, 0.6] * 5}, n_train=90, n_test=10)
    again = round_trip(comparison, path)
    assert again.params is None
    assert_same(again, comparison)


@pytest.mark.parametrize("test", ["samples", SampleTTest(instability=0)])
def test_a_test_that_needs_predictions_is_not_replaced_silently(test, path):
    options = {"cv": CV, "scoring": "accuracy", "test": test}
    search = ssc.StatisticalGridSearchCV(GaussianNB(), SMOOTHING, **options).fit(X, y)
    with pytest.warns(ssc.ComparisonWarning, match=r'compare\(path, test="corrected_t"\) reads it'):
        search.comparison_.to_csv(path)
    with pytest.raises(ValueError, match=r"`test` must be given here, .*: 'samples'|'SampleTTest'"):
        compare(path)
    assert compare(path, test="corrected_t").scores.n_splits == 15
    with pytest.warns(ssc.ComparisonWarning, match="no values of single samples"):
        search.comparison_.to_csv(path, settings=False)
    assert compare(path).test.name == "corrected_t"


def test_what_cannot_be_saved_raises(search, tmp_path):
    with pytest.raises(TypeError, match="`path` must be the path of a file; got None"):
        search.comparison_.to_csv(None)
    with pytest.raises(ValueError, match="`settings` must be True or False; got 'all'"):
        search.comparison_.to_csv(tmp_path / "a.csv", settings="all")
    assert not list(tmp_path.iterdir())


def head_with(**changes):
    def change(text):
        first, rest = text.split("\n", 1)
        head = json.loads(first.removeprefix("# sklearn_stats_compare "))
        return f"# sklearn_stats_compare {json.dumps(head | changes)}\n{rest}"

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    {
        "cut short": (lambda text: text[: len(text) * 2 // 3], "cannot be read"),
        "no last row": (lambda text: text[:-1].rpartition("\n")[0], "it holds 7 of 8 candidates"),
        "the first line alone": (lambda text: text.partition("\n")[0], "it holds 0 of 8 candi"),
        "half of the first line": (lambda text: text[:100], "JSONDecodeError"),
        "no JSON": (lambda text: "# sklearn_stats_compare \n", "JSONDecodeError"),
        "a list": (lambda text: "# sklearn_stats_compare [1]\n", "TypeError"),
        "nested": (lambda text: "# sklearn_stats_compare " + "[" * 10**5, "cannot be read"),
        "another format": (head_with(format=2), "its format is 2, and 1 is known here"),
        "other sizes": (head_with(n_train=[1, 2]), "must each have one entry per split"),
        "sizes of text": (head_with(n_train="90"), "`n_train` must be whole numbers"),
        "fewer splits": (head_with(n_train=[9], n_test=[1], repeat=[0]), "one column per split"),
        "a metric of numbers": (head_with(metric=3), "`metric` must be text; got 3"),
        "a note of numbers": (head_with(note=None), "`note` must be text; got None"),
        "a score of words": (lambda text: text.replace(",0.", ",good", 1), "could not convert"),
        "parameters of words": (lambda text: text.replace('"{', '"SVC{', 1), "must be a mapping"),
        "no bytes of text": (lambda text: text.encode("utf-16"), "cannot be read as one"),
    }.values(),
)  # fmt: skip
def test_a_damaged_file_raises_an_error_that_explains_why(change, words, search, path):
    search.comparison_.to_csv(path)
    changed = change(path.read_text())
    path.write_bytes(changed if isinstance(changed, bytes) else changed.encode())
    with pytest.raises(ValueError, match=r"^`obj` must be ") as error:
        compare(path)
    assert words in str(error.value)
    assert len(str(error.value)) < 1200


@pytest.mark.parametrize(
    ("saved", "words"),
    [
        ({"rope": -1}, "`rope` must be"),
        ({"alpha": 3}, r"`alpha` must be in \(0, 1\)"),
        ({"p_adjust": "none"}, "`p_adjust` must be one of"),
        ({"test": "wilcoxon"}, "`test` must be given here"),
        ({"mood": 3}, "`obj` must hold settings among alternative, .*; got 'mood'"),
        ([1], "`obj` must be a CSV file"),
    ],
)
def test_settings_that_were_edited_are_checked(saved, words, search, path):
    search.comparison_.to_csv(path)
    path.write_text(head_with(settings=saved)(path.read_text()))
    with pytest.raises(ValueError, match=words):
        compare(path)


def test_the_csv_file_of_cv_results_keeps_labels_and_types(tmp_path):
    """1e-05 came back as 9.999999999999999e-06: pandas read the column, not the parameters."""
    search = GridSearchCV(SVC(), GRID, cv=KFold(10, shuffle=True, random_state=0)).fit(X, y)
    expected = compare(search)
    assert "1e-05" in str(expected.labels)
    path = tmp_path / "results.csv"
    for index in (True, False):
        pd.DataFrame(search.cv_results_).to_csv(path, index=index)
        for obj in (path, pd.read_csv(path)):
            again = compare(obj, test_train_ratio=1 / 9)
            assert again.labels == expected.labels
            assert list(again.params) == [dict(p) for p in expected.params]
            assert {type(p["C"]) for p in again.params} == {float}
        exact = compare(path, test_train_ratio=1 / 9).scores.values
        np.testing.assert_array_equal(exact, expected.scores.values)
    # Without the column of all parameters None is an empty cell.
    frame = pd.DataFrame(search.cv_results_).drop(columns=["params", "param_class_weight"])
    frame.to_csv(path)
    again = compare(path, test_train_ratio=1 / 9, labels=expected.labels)
    assert [p["C"] for p in again.params] == [p["C"] for p in expected.params]
    assert {type(p["C"]) for p in again.params} == {float}


def results_read_back(path, params, columns=()):
    frame = pd.DataFrame({
        "params": params,
        **{f"param_{name}": [p[name] for p in params] for name in columns},
        **{f"split{k}_test_score": np.arange(4) / 10 + k / 100 for k in range(10)},
    })  # fmt: skip
    frame.to_csv(path, index=False)
    return compare(path, test_train_ratio=1 / 9), frame


def test_parameters_that_are_no_literals_leave_the_others_their_types(path):
    params = [{"estimator": e, "n": n} for e in (SVC(C=1), LogisticRegression()) for n in (1, 2)]
    again, _ = results_read_back(path, params)
    assert [p["n"] for p in again.params] == [1, 2, 1, 2]
    assert again.params[0]["estimator"].startswith("SVC(C=1")


def test_functions_are_read_back_by_name(path):
    functions = np.repeat([f_classif, mutual_info_classif], 2)
    params = [{"score_func": f, "k": k} for f, k in zip(functions, [1e-05, 2] * 2, strict=True)]
    again, frame = results_read_back(path, params, ["score_func", "k"])
    assert [p["score_func"] for p in again.params] == [f.__name__ for f in functions]
    assert [p["k"] for p in again.params] == [1e-05, 2, 1e-05, 2]
    live = compare(frame.filter(regex="params|split"), test_train_ratio=1 / 9)
    first = [[label.split("_")[0] for label in one.labels] for one in (again, live)]
    assert first[0] == first[1]


def test_parameters_that_are_text_are_read_from_their_columns(path):
    params = [{"C": C, "gamma": gamma} for C in (1, 2) for gamma in ("scale", 0.5)]
    _, frame = results_read_back(path, params, ["C", "gamma"])
    frame.assign(params="SVC(C=1)").to_csv(path, index=False)
    assert len(set(compare(path, test_train_ratio=1 / 9).labels)) == 4


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-05", 1e-05), ("2", 2), ("2.0", 2.0), ("True", True), ("(5, 5)", (5, 5)),
        ("scale", "scale"), ("1e5", "1e5"), ("007", "007"), ("1_000", "1_000"),
        ("SVC(C=1)", "SVC(C=1)"), ("__import__('os')", "__import__('os')"),
        ("<class 'sklearn.svm._classes.SVC'>", "SVC"), ("<lambda", "<lambda"),
        ("-" * 5000 + "1", "-" * 5000 + "1"), ("[" * 500, "[" * 500), ("a\x00b", "a\x00b"),
    ],
)  # fmt: skip
def test_a_cell_of_a_parameter_is_a_literal_where_it_is_written_as_python_does(text, value):
    results = {"param_a": [text, "other"], "param_b": ["x", "y"]}
    results |= {f"split{k}_test_score": [0.5, k / 10] for k in range(10)}
    found = compare(results, test_train_ratio=1 / 9).params[0]["a"]
    assert found == value
    assert type(found) is type(value)
