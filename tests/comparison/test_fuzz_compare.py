"""compare() of damaged results: the right answer, or a refusal in words; never anything else."""

import datetime
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_stats_compare import Comparison, ComparisonWarning, compare

ERRORS = (ValueError, TypeError)
EXAMPLES = max(40, settings.default.max_examples)
LONGEST = 1200  # characters; a message is read, not scrolled
SCORES = np.array([[0.9, 0.8, 0.7, 0.95], [0.6, 0.7, 0.5, 0.55], [0.65, 0.6, 0.75, 0.5]])
SPLITS = {f"split{k}_test_score": SCORES[:, k] for k in range(4)}
RACE = {**SPLITS, "elimination_pvalue": [1] * 3}
PARAMS = [{"C": 1, "kernel": "rbf"}, {"C": 2, "kernel": "rbf"}, {"C": 2, "kernel": "a b"}]


def attempt(obj, **arguments):
    """The scores that are read; or the message of a refusal, which says what of which parameter."""
    arguments = {"test_train_ratio": 1 / 3, **arguments}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ComparisonWarning)
        try:
            found = compare(obj, **arguments)
        except ERRORS as error:
            message = str(error)
            assert message.startswith("`"), message
            assert " must " in message, message
            assert len(message) <= LONGEST, len(message)
            return message
    assert isinstance(found, Comparison)
    return found


def assert_reads(obj, scores, **arguments):
    found = attempt(obj, **arguments)
    assert isinstance(found, Comparison), found
    np.testing.assert_array_equal(found.scores.values, np.asarray(scores, dtype=float))
    # A straightforward computation, so that what is read is also what is compared.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = np.abs(scores).max(axis=1) < 1e150
        means = np.where(known, np.mean(scores, axis=1), np.nan)
    ranking = found.ranking().sort_index()
    np.testing.assert_allclose(ranking["mean"], means, rtol=1e-12)
    return found


class Anything:
    def __repr__(self):
        return "anything"


@pytest.mark.parametrize(
    ("column", "expected"),
    {
        "floats": ([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]),
        "tuple": ((0.1, 0.2, 0.3), [0.1, 0.2, 0.3]),
        "float32": (np.array([0.5, 0.25, 2], dtype=np.float32), [0.5, 0.25, 2]),
        "unsigned": (np.array([1, 2, 3], dtype=np.uint8), [1, 2, 3]),
        "booleans": ([True, False, True], [1, 0, 1]),
        "booleans in an array": (np.array([True, False, True]), [1, 0, 1]),
        "numbers as text": (["0.1", " 2e-1", "-3"], [0.1, 0.2, -3]),
        "numbers as objects": (np.array([1, 0.5, "2"], dtype=object), [1, 0.5, 2]),
        "decimals and fractions": ([Decimal("0.5"), Fraction(1, 4), 3], [0.5, 0.25, 3]),
        "None": ([0.1, None, 0.3], [0.1, np.nan, 0.3]),
        "NaN and infinities": ([np.nan, np.inf, -np.inf], [np.nan, np.inf, -np.inf]),
        "NaN as text": (["nan", "inf", "1"], [np.nan, np.inf, 1]),
        "masked": (np.ma.array([1.0, 7.0, 3.0], mask=[0, 1, 0]), [1, np.nan, 3]),
        "a masked constant": ([1.0, np.ma.masked, 3.0], [1, np.nan, 3]),
        "NA": (pd.array([1.5, None, 3], dtype="Float64"), [1.5, np.nan, 3]),
        "series of NA": (pd.Series([1.5, None, 3], dtype="Float64"), [1.5, np.nan, 3]),
        "series in another order": (pd.Series([1, 2, 3], index=[2, 1, 0]), [3, 2, 1]),
        "series with another index": (pd.Series([1, 2, 3], index=[9, 1, 0]), None),
        "categories": (pd.Series([1, 2, 1], dtype="category"), [1, 2, 1]),
        "an iterator": (lambda: iter([1, 2, 3]), [1, 2, 3]),
        "too large to square": ([1e200, 1, 2], [1e200, 1, 2]),
        "words": (["good", "bad", "0.1"], None),
        "empty text": (["", "1", "2"], None),
        "one text": ("123", None),
        "bytes": (b"123", None),
        "a mapping, as to_dict() gives": ({0: 0.1, 1: 0.2, 2: 0.3}, None),
        "a set": ({0.1, 0.2, 0.3}, None),
        "a number": (0.5, None),
        "nothing": (None, None),
        "an array of no dimension": (np.array(0.5), None),
        "too few": ([0.1, 0.2], None),
        "too many": ([0.1, 0.2, 0.3, 0.4], None),
        "none": ([], None),
        "complex": ([1j, 2.0, 3.0], None),
        "complex array": (np.array([1 + 2j, 2, 3]), None),
        "nested": ([[0.1], [0.2], [0.3]], None),
        "ragged": ([[0.1], [0.2, 0.3], 0.1], None),
        "huge whole numbers": ([10**400, 1, 2], None),
        "huge whole number as text": (["9" * 5000, "1", "2"], [np.inf, 1, 2]),
        "dates": ([datetime.date(2020, 1, 1)] * 3, None),
        "NumPy's dates": (np.array(["2020", "2021", "2022"], dtype="M8[D]"), None),
        "NumPy's durations": (np.array([1, 2, 3], dtype="m8[s]"), None),
        "pandas' dates": (pd.Series(pd.date_range("2020", periods=3)), None),
        "no time": ([pd.NaT, 1.0, 2.0], None),
        "objects": ([Anything()] * 3, None),
        "mappings": ([{}, {}, {}], None),
        "long words": (["x" * 10**6, 1, 2], None),
    }.values(),
)  # fmt: skip
def test_a_column_is_read_as_numbers_or_raises(column, expected):
    results = {**SPLITS, "split2_test_score": column() if callable(column) else column}
    if expected is None:
        assert "split2" in attempt(results)
    else:
        scores = SCORES.copy()
        scores[:, 2] = expected
        assert_reads(results, scores)


@pytest.mark.parametrize(
    ("results", "words"),
    {
        "missing": ({k: v for k, v in SPLITS.items() if "1" not in k},
                    "every split of 'score'; split 1 of 4 is missing"),
        "the first missing": ({k: v for k, v in SPLITS.items() if "0" not in k}, "split 0 of 4"),
        "far away": ({**SPLITS, "split999999999999_test_score": [1, 2, 3]}, "split 4 of"),
        "thousands of digits": ({**SPLITS, f"split{'9' * 5000}_test_score": [1] * 3}, "split 4 of"),
        "twice": ({**SPLITS, "split01_test_score": [1, 2, 3]}, "split 1 occurs twice"),
        "no candidates": ({k: [] for k in SPLITS}, "at least one candidate"),
        "several metrics": ({**SPLITS, "split0_test_other": [1, 2, 3]}, "`metric` must be one of"),
        "params of another length": ({**SPLITS, "params": PARAMS[:2]}, "params, 3; got 2"),
        "too many params": ({**SPLITS, "params": PARAMS * 2}, "params, 3; got 6"),
        "params that are none": ({**SPLITS, "params": 5}, "as params; got 5"),
        "a parameter of another length": ({**SPLITS, "param_C": [1]}, "param_C, 3; got 1"),
        "a race without p-values": ({**SPLITS, "eliminated_at": [1, 2, np.nan]}, "elimination_p"),
        "a race in words": ({**RACE, "eliminated_at": ["x"] * 3}, "eliminated_at"),
        "a short race": ({**RACE, "eliminated_at": [1]}, "eliminated_at, 3; got 1"),
        "halving in words": ({**SPLITS, "iter": ["a"] * 3, "n_resources": [1] * 3}, "iter does"),
        "halving nowhere": ({**SPLITS, "iter": [np.nan] * 3, "n_resources": [1] * 3}, "`iter`"),
        "halving, short": ({**SPLITS, "iter": [0, 1], "n_resources": [1] * 3}, "2; got 3"),
        "models without scores": ({"a": {}, "b": {}}, "'a' has none"),
        "different metrics": ({"a": {"test_f1": [1]}, "b": {"test_r2": [1]}}, "same metric"),
        "a model without splits": ({"a": {"test_score": []}}, "one split"),
        "models with one name": ({1: {"test_score": [1]}, "1": {"test_score": [1]}}, "unique"),
        "a column of words": ({"a": {"test_score": ["x", 1]}}, "'a' does not: got 'x'"),
    }.values(),
)  # fmt: skip
def test_damaged_results_raise_an_error_that_explains_why(results, words):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assert words in attempt(results)
        if "5" not in words and any("split" in str(key) for key in results):
            try:
                frame = pd.DataFrame(results)
            except ValueError:  # columns of different lengths
                return
            assert words in attempt(frame)


INDICES = {"train": [[0, 1], [2, 3]], "test": [[2, 3], [0, 1]]}


@pytest.mark.parametrize(
    "indices",
    [
        5, [], {}, {"train": [[0]]}, {"train": [[0, 1]], "test": [[2, 3]]},
        {"train": None, "test": None}, {**INDICES, "test": [[2, 3], [-1, 1]]},
        {**INDICES, "test": [[2, 3], [0.5, 1]]}, {**INDICES, "test": [[2, 3], ["a", "b"]]},
        {**INDICES, "test": [[2, 3], [[0], [1, 2]]]}, {**INDICES, "test": [[2, 3], [0, 10**15]]},
        {**INDICES, "test": [[2, 3], [0, 10**30]]}, {"train": [[], []], "test": [[], []]},
    ],
)  # fmt: skip
def test_invalid_indices_raise(indices):
    results = {name: {"test_score": [0.5, 0.6], "indices": indices} for name in "ab"}
    assert "indices" in attempt(results)


def test_indices_may_be_masks():
    first, second = [True, True, False, False], [False, False, True, True]
    masks = {"train": [first, second], "test": [second, first]}
    for indices in (INDICES, masks):
        results = {name: {"test_score": [0.5, 0.6], "indices": indices} for name in "ab"}
        design = attempt(results, test_train_ratio=None).scores.design
        assert (design.n_train.tolist(), design.n_test.tolist()) == ([2, 2], [2, 2])
        assert design.complementary_halves


@pytest.mark.parametrize(
    ("obj", "expected"),
    {
        "integers": (np.arange(6).reshape(2, 3), [[0, 1, 2], [3, 4, 5]]),
        "masked": (np.ma.array([[1.0, 9.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]]),
                   [[1, np.nan], [3, 4]]),
        "lists": ([[1, "2"], (3, None)], [[1, 2], [3, np.nan]]),
        "objects": (np.array([[1, "2"], [None, 4.0]], dtype=object), [[1, 2], [np.nan, 4]]),
        "a frame of NA": (pd.DataFrame({"split0": [1, 2], "split1": pd.array([None, 4], "Int64")}),
                          [[1, np.nan], [2, 4]]),
        "columns twice": (pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]), None),
        "one dimension": ([1.0, 2.0], None),
        "three": (np.ones((2, 2, 2)), None),
        "nested": ([[[1.0]], [[2.0]]], None),
        "ragged": ([[1, 2, 3], [1, 2]], None),
        "empty": ([], None),
        "rows of nothing": ([[], []], None),
        "no columns": (np.empty((3, 0)), None),
        "no rows": (np.empty((0, 3)), None),
        "an empty frame": (pd.DataFrame(), None),
        "complex": (np.array([[1j, 2], [3, 4]]), None),
        "dates": (np.array([["2020", "2021"]], dtype="M8[D]"), None),
        "a frame of dates": (pd.DataFrame({0: pd.date_range("2020", periods=2)}), None),
        "huge": ([[10**400, 1], [2, 3]], None),
        "words": ([["a", "b"], ["c", "d"]], None),
        "text rows": (["12", "34"], None),
        "mappings": ([{0: 1}, {0: 2}], None),
        "a structured array": (np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]), None),
        "a million words": ([["x" * 10**6, "y"]], None),
        "a saved index": (pd.DataFrame({"Unnamed: 0": [0, 1], "0": [0.5, 0.6], "1": [1, 2]}), None),
        "means alone": (pd.DataFrame({"mean_test_score": [0.5], "std_test_score": [0.1]}), None),
        "results in two levels": (
            pd.DataFrame(SCORES, columns=pd.MultiIndex.from_product([SPLITS, [""]])), None
        ),
    }.values(),
)  # fmt: skip
def test_a_matrix_is_read_or_raises(obj, expected):
    if expected is None:
        assert attempt(obj).startswith("`obj`")
    else:
        assert_reads(obj, expected)


@pytest.mark.parametrize(
    "arguments",
    [
        {"test_train_ratio": value}
        for value in (0, -1, np.nan, np.inf, 1e300, 1e-300, 10**400, "1", [1], True, 1j)
    ]
    + [
        {"n_train": value, "n_test": 1}
        for value in (-1, 0.5, "a", [1], [[1], [2, 3]], 10**30, 2**62, np.uint64(2**63), [None] * 4)
    ]
    + [{"rope": value} for value in (10**400, "x" * 10**6, [1], (2, 1), None, np.ones(3), "1e999%")]
    + [{"alpha": value} for value in (0, 1, np.nan, "a", None, 10**400, [0.05])]
    + [{"metric": "x" * 10**6}, {"metric": 3}, {"labels": "abc"}, {"labels": 3}]
    + [{"labels": ["a"] * 3}, {"labels": ["a", "b"]}, {"labels": ["x" * 10**6] * 3}]
    + [{"p_adjust": "x" * 10**6}, {"p_adjust": ["holm"]}, {"alternative": None}],
)
def test_invalid_arguments_raise_an_error_that_explains_why(arguments):
    if "n_train" in arguments:
        arguments = {**arguments, "test_train_ratio": None}
    message = attempt(SPLITS, **arguments)
    assert isinstance(message, str), message
    assert message.startswith(f"`{next(iter(arguments))}`")


def test_splits_in_any_order_and_under_untidy_names_are_put_in_order():
    scores = np.random.default_rng(0).random((2, 12))
    order = sorted(range(12), key=str)  # 0, 1, 10, 11, 2, …
    results = {f" split{k}_test_a\nb ": scores[:, k] for k in order}
    assert attempt(results).metric == "a\nb"
    assert_reads(results, scores)
    assert_reads(pd.DataFrame(results), scores)


def test_a_frame_that_was_sorted_keeps_its_labels():
    frame = pd.DataFrame({**SPLITS, "param_C": [1, 2, 3]})
    # Candidates keep their numbers: `recommend().index` is a row of the search's `cv_results_`.
    found = attempt(frame.sort_values("param_C", ascending=False))
    np.testing.assert_array_equal(found.scores.values, SCORES[::-1])
    assert found.labels == ("3", "2", "1")
    # Candidates keep their numbers: `recommend().index` is a row of the search's `cv_results_`.
    assert found.ranking()["label"].to_dict() == {0: "1", 1: "2", 2: "3"}
    strings = frame.set_axis(["x", "y", "z"])
    assert assert_reads(strings, SCORES).labels == ("x_1", "y_2", "z_3")


def test_parameters_of_any_kind_make_labels():
    odd = [{1: 10**5000, None: "a"}, {1: [[]], None: "b"}, {1: np.arange(3), None: "c"}]
    found = assert_reads({**SPLITS, "params": odd}, SCORES)
    assert len(set(found.labels)) == 3


@pytest.mark.parametrize(
    "text",
    [
        "[" * 10_000, "-" * 100_000 + "1", "{[]: 1}", "__import__('os').getcwd()",
        "1+" * 9999 + "1", "{'C': 1", "'\\d'", "", "\x00", "9" * 5000, "f'{1}'", "{" * 9 + "}" * 9,
    ],
)  # fmt: skip
def test_text_that_is_not_a_literal_is_kept(text):
    found = assert_reads({**SPLITS, "params": [text, "{'C': 1}", "{'C': 2}"]}, SCORES)
    assert found.params is None


def test_csv_files(tmp_path):
    frame = pd.DataFrame({**SPLITS, "params": PARAMS, "param_C": [1, 2, 2]})
    path = tmp_path / "results.csv"
    frame.to_csv(path)  # with the index, as "Unnamed: 0"
    found = assert_reads(path, SCORES)
    assert [dict(p) for p in found.params] == PARAMS
    read_back = pd.read_csv(path)
    assert "Unnamed: 0" in read_back
    assert_reads(read_back, SCORES)
    frame.iloc[::-1].to_csv(path, encoding="utf-8-sig")
    # The saved index numbers the candidates, as that of the frame does.
    assert attempt(path).to_long().equals(attempt(frame.iloc[::-1]).to_long())
    frame.to_csv(path.with_suffix(".csv.gz"))
    assert_reads(str(path.with_suffix(".csv.gz")), SCORES)


TWO_SPLITS = "split0_test_score,split1_test_score\n"


@pytest.mark.parametrize(
    ("content", "words"),
    {
        "nothing": ("", "cannot be read"),
        "a header": (TWO_SPLITS, "at least one"),
        "other columns": ("a,b\n1,many\n", "numbers as scores; row 0 does not"),
        "a column twice": ("split0_test_score,split0_test_score\n1,2\n", "split 0 occurs twice"),
        "rows longer than the header": (TWO_SPLITS + "1,2,3\n4,5,6\n", "cannot be read"),
        "words": (TWO_SPLITS + "1,good\n", "got 'good'"),
        "a decimal comma": (TWO_SPLITS + '1,"0,5"\n', "got '0,5'"),
        "semicolons": (TWO_SPLITS.replace(",", ";") + "1;2\n", "with commas"),
        "JSON": ('[{"model": "a", "fold": 1, "score": 0.5}]', "with commas"),
        "no text": (bytes(range(256)), "cannot be read"),
        "an open quote": (TWO_SPLITS + '"1,2\n', "cannot be read"),
    }.values(),
)
def test_damaged_files_raise_an_error_that_explains_why(content, words, tmp_path):
    path = tmp_path / "results.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    message = attempt(path)
    assert isinstance(message, str), message
    assert words in message


def test_rows_that_are_cut_off_are_missing(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(TWO_SPLITS + "1,2\n4\n")
    found = assert_reads(path, [[1, 2], [4, np.nan]])
    assert found.scores.missing.tolist() == [False, True]


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/a.csv", "s3://nowhere/a.csv", "nowhere"])
def test_a_path_is_a_local_file_and_nothing_is_downloaded(address):
    with pytest.raises(FileNotFoundError, match=r"a\.csv|nowhere"):
        compare(address)


VALUES = st.one_of(
    st.floats(), st.integers(), st.booleans(), st.none(), st.text(max_size=5),
    st.complex_numbers(max_magnitude=9), st.dates(), st.just(10**400), st.decimals(),
    st.sampled_from([pd.NA, pd.NaT, np.ma.masked, np.float32(0.5), np.complex128(1), {}, [1.0]]),
    st.floats(0, 1).map(str),
)  # fmt: skip
MOSTLY_NUMBERS = st.one_of(st.floats(-10, 10), st.floats(-10, 10), st.floats(-10, 10), VALUES)
FORMS = [
    *(list, tuple, lambda column: pd.Series(column, dtype=object)),
    lambda column: np.array([*column, None], dtype=object)[:-1],
]


def framed(results):
    try:
        return pd.DataFrame(results)
    except OverflowError:  # pandas 2.1 takes no whole number that large
        return results


def plain(value):
    """What a value is as a score, or None where it is none; written without the library."""
    if value is None or value is pd.NA or value is np.ma.masked:
        return np.nan
    if isinstance(value, str | bool | int | float | np.floating | Decimal):
        try:
            return float(value)
        except (ValueError, OverflowError):
            return None
    return None


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(st.data())
def test_random_results_are_read_as_numbers_or_raise(data):
    n, n_splits = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 12))
    cells = data.draw(st.lists(st.lists(MOSTLY_NUMBERS, min_size=n, max_size=n),
                               min_size=n_splits, max_size=n_splits))  # fmt: skip
    form = data.draw(st.sampled_from(FORMS))
    columns = data.draw(st.permutations(range(n_splits)))
    results = {f"split{k}_test_score": form(cells[k]) for k in columns}
    as_scores = [[plain(value) for value in column] for column in cells]
    found = attempt(data.draw(st.sampled_from([dict, framed]))(results))
    if any(value is None for column in as_scores for value in column):
        assert isinstance(found, str), (cells, found.scores.values)
        assert found.startswith("`obj` must hold numbers as scores")
    else:
        assert not isinstance(found, str), found
        np.testing.assert_array_equal(found.scores.values, np.array(as_scores).T)


KEYS = st.one_of(
    st.text(max_size=4), st.integers(), st.none(), st.tuples(st.integers()),
    st.from_regex(r"split[0-3]_(test|train)_(a|score)", fullmatch=True),
    st.sampled_from(["params", "param_C", "iter", "n_resources", "eliminated_at", "test_score",
                     "elimination_pvalue", "indices", "mean_test_score"]),
)  # fmt: skip
TREES = st.recursive(
    VALUES, lambda inner: st.one_of(st.lists(inner, max_size=4),
                                    st.dictionaries(KEYS, inner, max_size=4)), max_leaves=25
)  # fmt: skip


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(st.one_of(TREES, st.dictionaries(KEYS, st.one_of(st.lists(VALUES, max_size=3), TREES))))
def test_any_object_is_read_or_raises(obj):
    if not isinstance(obj, str):  # the path of a file, which there is not
        attempt(obj)


# A quadratic reader would take minutes with the fewer, and hours with the more.
MORE = pytest.param(3 * 10**5, marks=pytest.mark.slow)
MANY = pytest.mark.parametrize("many", [5 * 10**4, MORE])


@MANY
def test_very_many_columns_are_read_or_raise(many):
    scores = np.random.default_rng(0).random((2, many))
    names = [f"split{k}_test_score" for k in range(many)]
    found = attempt(pd.DataFrame(scores, columns=names))
    np.testing.assert_array_equal(found.scores.values, scores)
    assert "every split" in attempt(pd.DataFrame(scores, columns=["split0_test_score"] * many))
    metrics = [f"split0_test_{k}" for k in range(many)]
    assert f"and {many - 20} more" in attempt(pd.DataFrame(scores, columns=metrics))


@MANY
def test_very_many_keys_are_read_or_raise(many):
    results = {f"split{k}_test_score": [0.5, k] for k in range(many)}
    np.testing.assert_array_equal(attempt(results).scores.values[1], np.arange(many))
    del results["split7_test_score"]
    assert f"split 7 of {many} is missing" in attempt(results)
    n_models = many // 10
    models = {k: {"test_score": [k, k + 1]} for k in range(n_models)}
    assert attempt(models).labels[-1] == str(n_models - 1)
    message = attempt(models, labels=[str(k // 2) for k in range(n_models)])
    assert f"and {n_models // 2 - 20} more" in message
