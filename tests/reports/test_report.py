"""Reports: the references that a person has read, letters, and every format's own rules."""

import copy
import json
import pickle
import re
import sys
from functools import cache
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from cases import ENDINGS, PICTURE, REFERENCES, cases, compiled, needs_latex
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    BestSubjectTo,
    Comparison,
    SplitDesign,
    SplitScores,
    StatisticalGridSearchCV,
    compare,
    compare_predictions,
)
from sklearn_stats_compare.comparison import _tables
from sklearn_stats_compare.reports import _facts, report
from sklearn_stats_compare.reports._facts import compact_letters
from sklearn_stats_compare.reports._text import escaped, markdown_escaped

CASES = cases()
TENFOLD = SplitDesign([90] * 10, [10] * 10)
REPEATED = SplitDesign([90] * 20, [10] * 20, repeat=np.arange(20) // 10)


def prose(comparison, **options):
    """The text in one line."""
    return " ".join(report(comparison, **options).split())


@cache
def page_of(name):
    """The page of a case with its pictures, drawn once."""
    return report(HEAT_MAP if name == "heat map" else CASES[name], "html")


@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
@pytest.mark.parametrize("name", CASES)
def test_the_report_is_the_one_that_was_read(name, format):
    expected = (REFERENCES / f"{name}.{ENDINGS[format]}").read_text()
    assert report(CASES[name], format) == expected


@pytest.mark.parametrize("name", CASES)
def test_the_page_is_the_one_that_was_read(name):
    sortable = r' data-v="([^"]*)"'
    found, expected = page_of(name), (REFERENCES / f"{name}.html").read_text()
    found = re.sub(PICTURE, "", found)
    assert re.sub(sortable, "", found) == re.sub(sortable, "", expected)
    # Cells sort by eight digits, of which SciPy 1.11's quantiles of t hold six after a difference.
    values = [[float(v) for v in re.findall(sortable, page)] for page in (found, expected)]
    assert values[0] == pytest.approx(values[1], rel=1e-6, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", CASES)
def test_the_json_report_is_the_one_that_was_read(name):
    def close(found, expected):
        if isinstance(expected, dict):
            assert list(found) == list(expected)
            return all(close(found[key], expected[key]) for key in expected)
        if isinstance(expected, list):
            assert len(found) == len(expected)
            return all(close(a, b) for a, b in zip(found, expected, strict=True))
        if isinstance(expected, float):
            # SciPy 1.11 has ten digits of a quantile of t, of which a difference leaves fewer.
            assert found == pytest.approx(expected, rel=1e-6, abs=1e-12)
        else:
            assert found == expected
        return True

    expected = json.loads((REFERENCES / f"{name}.json").read_text())
    assert close(json.loads(report(CASES[name], "json")), expected)
    assert expected["version"] == 2


def test_a_fitted_search_is_reported_as_its_comparison(moons_search):
    assert report(moons_search) == report(moons_search.comparison_)
    assert "10 repeats of 10 folds; 90 training and 10 test samples each" in prose(moons_search)


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize("format", ENDINGS)
def test_labels_of_values_say_what_they_are_made_of(format):
    scores = SplitScores(np.random.default_rng(0).random((2, 10)), TENFOLD)
    by_values = Comparison(scores, params=[{"C": 1, "gamma": 2}, {"C": 2, "gamma": 1}])
    assert "Candidates are named C" in report(by_values, format)
    assert "Candidates are named" not in report(by_values.with_settings(labels=["a", "b"]), format)


def test_what_is_no_comparison_and_unknown_formats_are_refused():
    with pytest.raises(TypeError, match=r"`comparison` must be a Comparison or .*; got list"):
        report([1, 2])
    with pytest.raises(ValueError, match=r"`format` must be one of 'text', .*; got 'pdf'"):
        report(CASES["four"], "pdf")


def test_p_values_are_two_sided_whatever_the_comparison_has(moons):
    four = CASES["four"]
    expected = [min(1, 6 * pair["p_two_sided"]) for pair in moons["pairs"][:3]]
    for alternative in ("greater", "less", "two-sided"):
        facts = json.loads(report(four.with_settings(alternative=alternative), "json"))
        assert [row["p_val"] for row in facts["leader_table"]] == pytest.approx(expected, rel=1e-9)
        # Nothing in a paper on settings that its numbers do not use.
        assert facts["settings"]["alternative_of_comparison"] == alternative
        assert facts["paragraphs"] == json.loads(report(four, "json"))["paragraphs"]


def test_strained_assumptions_are_named():
    design = SplitDesign([10, 20, 30, 40], [5, 5, 5, 25], expanding=True)
    values = np.random.default_rng(0).random((3, 4))
    text = report(Comparison(SplitScores(values, design), p_adjust=None, warn=False))
    for words in (
        "only 4 splits",
        "training sets grow",
        "more than twofold",
        "10 to 40 training and 5 to 25 test samples",
        "expected by chance alone",
        "not adjusted for the number of pairs",
    ):
        assert words in " ".join(text.split())


def test_one_split_is_reported_with_the_reason():
    one = Comparison(SplitScores([[0.9], [0.8]], SplitDesign([9], [1])), warn=False)
    for format in ENDINGS:
        assert "standard error needs at least 2" in report(one, format)


@pytest.mark.usefixtures("no_pictures")
def test_all_failed_and_identical_candidates():
    design = SplitDesign([11] * 12, [1] * 12)
    failed = Comparison(SplitScores(np.full((2, 12), np.nan), design), rope="1%")
    for format in ENDINGS:
        assert "Every candidate failed" in report(failed, format)
    # 1,200 samples of three pairs show a difference of 0.01: 3·0.99^1200 = 2e-5. Twelve do not.
    values = np.tile(np.linspace(0, 1, 12), (3, 1))
    twins = Comparison(SplitScores(values, SplitDesign([1100] * 12, [100] * 12)))
    for format in ENDINGS:
        assert "practically equivalent to" in report(twins, format)
    assert "practically equivalent to" not in report(Comparison(SplitScores(values, design)))
    constant = Comparison(SplitScores([[1.0] * 12, [0.5] * 12], design))
    # 12 equal signs: two-sided p = 2^−11 = 0.00049.
    assert "t(11) = 4.88, p < 0.001" in report(constant)
    facts = json.loads(report(constant, "json"))
    assert facts["leader_table"][0]["p_val"] == pytest.approx(2**-11)


def test_a_thousand_candidates_make_a_page_of_less_than_five_megabytes():
    rng = np.random.default_rng(0)
    scores = rng.normal(np.linspace(0.9, 0.6, 1000)[:, None], 0.03, (1000, 30))
    labels = [f"C={i}, gamma={i / 7:.4g}, kernel=rbf" for i in range(1000)]
    page = report(Comparison(SplitScores(scores, SplitDesign([9] * 30, [1] * 30)), labels), "html")
    assert len(page.encode()) < 5e6
    assert page.count("<svg") == 2  # the leader against the others: intervals and posteriors
    assert page.count("<tr>") == 1 + 1000 + 1 + 999


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize("small", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_more_pairs_than_a_table_holds_are_reported_where_the_leader_is_enough(monkeypatch, small):
    n = 60 if small else 6_326
    if small:  # as few tables as of 20,005,975 pairs
        monkeypatch.setattr(_tables, "MOST_PAIRS", 1_000)
        monkeypatch.setattr(_facts, "_MOST_PAIRS", 100)
    values = np.random.default_rng(0).normal(0.8, 0.03, (n, 10))
    comparison = Comparison(SplitScores(values, SplitDesign([9] * 10, [1] * 10)))
    facts = json.loads(report(comparison, "json"))
    assert facts["settings"]["n_pairs"] == n * (n - 1) // 2
    assert len(facts["leader_table"]) == n - 1
    with pytest.raises(ValueError, match=r"`frequentist\(chunk_size=…\)`"):
        report(comparison.with_settings(p_adjust="holm"))


HEAT_MAP = Comparison(
    SplitScores(np.random.default_rng(0).random((12, 20)), SplitDesign([90] * 20, [10] * 20)),
    params=[{"clf__C": c, "clf__gamma": g} for c in (0.1, 1, 10) for g in (1e-4, 1e-2, 1, 100)],
)


def test_the_page_needs_nothing_from_anywhere():
    # What a picture uses is in it: parts of it, and the colours of a heat map.
    elsewhere = r"""src=|href="(?!#|data:image/png;base64,)|url\((?!#)|@import|https?:"""
    for name in ("four", "heat map"):
        page = page_of(name)
        assert not re.search(elsewhere, page)
        assert "default-src 'none'" in page


def test_pictures_are_those_of_the_displays_and_the_same_each_time():
    page = page_of("heat map")
    with matplotlib.style.context("dark_background"):
        before = dict(matplotlib.rcParams)
        assert report(HEAT_MAP, "html") == page
        assert dict(matplotlib.rcParams) == before
    assert plt.get_fignums() == []
    heat_map, leader, posteriors = re.findall(PICTURE, page)
    for label in HEAT_MAP.ranking()["label"].iloc[1:]:
        assert f">★ {label}</text>" in leader
    for words in ("worse", "equiv.", "better"):
        assert f">{words}</text>" in posteriors
    for mean in HEAT_MAP.ranking()["mean"].iloc[1:]:
        assert f">{mean:.3f}</text>" in heat_map
    assert "metadata" not in page


def test_pictures_name_the_metric_as_the_report_does():
    page = report({"area": CASES["four"], "the same": CASES["four"]}, "html")
    for metric in ("area", "the same"):
        assert f">difference in {metric}: rbf − the other</text>" in page


def test_without_matplotlib_the_page_has_tables_and_says_what_to_install(monkeypatch):
    with_pictures = page_of("four")
    for name in ("matplotlib", "matplotlib.pyplot"):
        monkeypatch.setitem(sys.modules, name, None)
    page = report(CASES["four"], "html")
    assert re.findall(PICTURE, page) == []
    assert "pip install matplotlib" in page
    assert page.count("<table") == with_pictures.count("<table") == 2
    assert "pip install" not in report(CASES["four"], "html", parts=["ranking"])


def test_the_package_contains_the_files_that_reports_read():
    pytest.importorskip("hatchling")
    from hatchling.builders.sdist import SdistBuilder
    from hatchling.builders.wheel import WheelBuilder

    root = Path(__file__).parents[2]
    if not (root / "sklearn_stats_compare" / "__init__.py").exists():
        pytest.skip("`nox -s release` tests the installed package")
    for builder in (WheelBuilder(str(root)), SdistBuilder(str(root))):
        shipped = {file.relative_path for file in builder.recurse_included_files()}
        for name in ("report.css", "report.js", "references.bib"):
            assert f"sklearn_stats_compare/reports/{name}" in shipped


def test_markdown_shows_special_characters_as_they_are():
    assert markdown_escaped("a_b|c <b> 2*3 `x`\ny") == r"a\_b\|c \<b\> 2\*3 \`x\` y"


def test_latex_escapes_every_special_character():
    assert escaped(r"50% & a_b #1 {x} $5 ~ ^ \n <>|") == (
        r"50\% \& a\_b \#1 \{x\} \$5 \textasciitilde{} \textasciicircum{} \textbackslash{}n "
        r"\textless{}\textgreater{}\textbar{}"
    )


@needs_latex
@pytest.mark.parametrize("names", [["one", "four", "forty", "failed"], ["hostile"]])
def test_latex_compiles_and_fits_the_page(names, tmp_path):
    printed = compiled([report(LATEX_CASES[name], "latex") for name in names], tmp_path)
    for trouble in ("Overfull", "too large for page"):
        assert trouble not in printed, [x for x in printed.splitlines() if trouble in x]


LATEX_CASES = {
    **CASES,
    "hostile": Comparison(
        SplitScores(np.random.default_rng(0).random((8, 12)), SplitDesign([9] * 12, [1] * 12)),
        ["[50]", "[100, 50]", "* a", "a\n\nb", "α=1", "β=日本", "\\x{$_", "é ß"],
        metric="F₁",
    ),
}


def test_a_notebook_shows_a_fitted_search_as_scikit_learn_does(moons_search):
    assert "sk-top-container" in moons_search._repr_html_()  # scikit-learn's own diagram


def test_real_differences_are_not_printed_as_zero():
    rng = np.random.default_rng(0)
    base = -400 + rng.normal(0, 30, 30)
    values = [base, base - 0.02 + rng.normal(0, 0.003, 30), base - 0.05 + rng.normal(0, 0.003, 30)]
    text = prose(Comparison(SplitScores(values, SplitDesign([9] * 30, [1] * 30)), rope=0.001))
    assert "leader better" in text
    assert re.search(r"1 \(difference 0\.01\d|1 \(difference 0\.02\d", text)


def test_too_many_letters_are_left_out_and_said_so():
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(15):
        base = -400 + rng.normal(0, 20, 30)
        rows += [base, base - 0.05 + rng.normal(0, 0.001, 30)]
    comparison = Comparison(SplitScores(rows, SplitDesign([9] * 30, [1] * 30)), rope=0.0)
    assert "letters" not in report(comparison).split("rank  ")[1].splitlines()[0]
    assert "Letters are left out" in prose(comparison)


@pytest.mark.usefixtures("no_pictures")
def test_a_search_of_several_metrics_is_reported_by_each_of_them(moons_data):
    search = StatisticalGridSearchCV(
        LogisticRegression(), {"C": [0.01, 1]}, scoring=["accuracy", "roc_auc"], refit=False, cv=10
    )
    with pytest.raises(AttributeError, match="not fitted yet"):
        report(search)
    search.fit(*moons_data)
    assert "By accuracy the leader is" in report(search)
    assert "scored by roc_auc on" in report(search.compare(metric="roc_auc"))
    # One candidate is deployed, by the metric of the refit or of its rule.
    for refit in ("roc_auc", BestSubjectTo("roc_auc", {"accuracy": 0.1})):
        assert report(search.set_params(refit=refit).fit(*moons_data)).count("Deploy ") == 1
    # Of a search that uses another it says so.
    deployed = search.recommend().index
    search.set_params(scoring="roc_auc", refit=lambda results: 1 - deployed).fit(*moons_data)
    assert "predict() of this search uses" in " ".join(report(search).split())


def test_a_tiny_alpha_is_not_hidden_by_the_floor_of_p_values(moons_comparison):
    text = report(moons_comparison.with_settings(alpha=1e-4))
    assert "p = 8.6e-05" in text


def test_unknown_sizes_are_left_out():
    comparison = compare(np.random.default_rng(0).random((2, 12)), test_train_ratio=0.25)
    assert "training" not in report(comparison)
    assert json.loads(report(comparison, "json"))["design"]["n_train"] is None


def test_a_difference_that_is_real_but_within_the_rope_is_reported_as_both():
    # d = 0.005 ± 0.0005 on ten folds: the interval excludes 0 and lies within ±0.01.
    design = SplitDesign([900] * 10, [100] * 10, np.zeros(10, dtype=int))
    noise = 0.0005 * np.tile([1.0, -1.0], 5)
    level = np.linspace(0.84, 0.86, 10)
    values = [level + 0.005 + noise, level, level + 0.0049 - noise]
    comparison = Comparison(SplitScores(values, design), ["a", "b", "c"])
    table = comparison.against().set_index("model_2")
    assert table["verdict"].tolist() == ["equivalent", "equivalent"]
    assert table.loc["b", "ci_low"] > 0 > table.loc["c", "ci_low"]
    text = prose(comparison)
    assert "It is practically equivalent to c (" in text
    after = text.partition("It is different from b (")[2]
    assert "), but by less than the ROPE: practically equivalent." in after


@pytest.mark.usefixtures("no_pictures")
def test_the_interval_of_the_leaders_score_is_the_one_after_the_choice():
    scores = np.random.default_rng(0).normal(0.8, 0.05, (4, 20))
    comparison = Comparison(SplitScores(scores, REPEATED))
    low, high = comparison.optimism(rng=0).confidence_interval()
    sentence = (
        "interval of the leader's expected score, which allows for the choice and uses scores of "
        "splits, is"
    )
    for format in ("text", "html"):
        words = prose(comparison, format=format).replace("&#x27;", "'")
        assert f"{sentence} {low:.4f} to {high:.4f}" in words
    facts = json.loads(report(comparison, "json"))["optimism"]
    assert (facts["ci_low"], facts["ci_high"]) == pytest.approx((low, high))


def test_the_report_bounds_what_the_leader_costs():
    noise = np.random.default_rng(0).normal(0, 0.05, (4, 20))
    comparison = Comparison(SplitScores(0.8 + noise, REPEATED))
    bound = comparison.shortfall()["at_most"].iloc[0]
    sentence = f"the true mean of the leader is at most {bound:.4f} below that of the best."
    assert sentence in prose(comparison)
    assert json.loads(report(comparison, "json"))["shortfall_of_leader"] == bound
    clear = Comparison(SplitScores(np.arange(4)[:, None] + noise, REPEATED))
    assert "the true mean of the leader" not in prose(clear)
    assert json.loads(report(clear, "json"))["shortfall_of_leader"] == 0


@pytest.mark.filterwarnings("ignore:There are only 5 splits")
def test_a_report_says_what_to_deploy_as_recommend_does():
    # By samples, where five splits kept them: the report's own bound is by splits.
    X, y = make_moons(noise=0.3, random_state=0, n_samples=60)
    search = StatisticalGridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]})
    said = " ".join(repr(search.fit(X, y).recommend()).split())
    assert "By samples: " in said
    assert json.loads(report(search, "json"))["recommendation"] == said
    assert said in prose(search)
    assert "recommend()" not in prose(search)


@pytest.mark.usefixtures("no_pictures")
def test_json_and_html_have_the_parameters_that_short_labels_leave_out():
    # Of cv_results_, which scikit-learn fills: labels such as "svm_0.004642" name no parameter.
    X, y = make_moons(noise=0.3, random_state=0, n_samples=60)
    model = make_pipeline(StandardScaler(), SVC())
    grid = {"svc": [SVC(C=2.5)], "svc__gamma": np.logspace(-3, 0, 4), "svc__shrinking": [False]}
    search = StatisticalGridSearchCV(model, grid, cv=3, test="samples").fit(X, y)
    facts = json.loads(report(search, "json"))
    for entry in facts["ranking"]:
        expected = search.cv_results_["params"][entry["candidate"]]
        assert entry["params"] == {**expected, "svc": str(expected["svc"])}
    assert facts["next_step"] == search.comparison_.next_step()

    page = report(search, "html")
    for gamma in grid["svc__gamma"]:
        in_full = f"svc=SVC(C=2.5), svc__gamma={gamma}, svc__shrinking=False"
        # A tooltip in both tables but for the leader, who is in one of them; a cell in the ranking.
        assert page.count(f'title="{in_full}"') in (1, 2)
        assert page.count(f'<div class="params">{in_full}</div>') == 1


def test_values_that_json_does_not_know_are_text():
    params = [{"a": np.float32(0.5), "b": (1, None), "c": {1}, "d": np.nan}, {"a": int, "b": "ü"}]
    scores = SplitScores([[0.1, 0.2, 0.3], [0.2, 0.2, 0.1]], SplitDesign([9] * 3, [3] * 3))
    facts = json.loads(report(Comparison(scores, params=params, warn=False), "json"))
    by_index = {entry["candidate"]: entry["params"] for entry in facts["ranking"]}
    assert by_index[0] == {"a": 0.5, "b": [1, None], "c": "{1}", "d": None}
    assert by_index[1] == {"a": "int", "b": "ü"}


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "json"])
def test_a_single_candidate_may_be_the_reference(format):
    only = Comparison(SplitScores([[0.8, 0.7] * 10], REPEATED), ["only"], warn=False)
    assert "only" in report(only, format, reference="only")


def test_a_reference_has_a_paragraph_and_a_table_of_its_own_family():
    comparison = CASES["four"]
    table = comparison.against("linear")
    words = prose(comparison, reference="linear", parts=["prose", "reference"])
    for sentence in (
        "linear was named before the scores were seen and compared with every other candidate, "
        "with p-values adjusted for 3 tests by Bonferroni's method. It is better than 2_poly ",
        "The data do not separate it from rbf ",
        "linear, which was named beforehand, against every other candidate",
        "95 % intervals, simultaneous for 3 tests",
        "reference better",
    ):
        assert sentence in words
    assert "leader better" not in words
    # Two-sided p of three tests: 3 × the unadjusted one, which scipy gives for t and 99 df.
    row = table.set_index("model_2").loc["3_poly"]
    assert row["p_val"] == pytest.approx(min(1, 3 * 2 * stats.t.sf(abs(row["t_stat"]), 99)))
    saved = json.loads(report(comparison, "json", reference="linear"))
    assert saved["reference"] == "linear"
    assert [entry["p_val"] for entry in saved["reference_table"]] == table["p_val"].tolist()
    for format in ("html", "latex", "markdown"):
        assert "named beforehand, against" in report(comparison, format, reference="linear")
    assert json.loads(report(comparison, "json"))["reference"] is None
    with pytest.raises(ValueError, match="`reference` must be"):
        report(comparison, reference="cubic")
    failed = prose(CASES["failed"], reference=2, parts=["prose"])
    assert "named beforehand, failed on some split." in failed


def test_equivalence_comes_without_the_p_of_no_difference():
    scores = 0.9 + 0.001 * np.random.default_rng(0).standard_normal((3, 10))
    comparison = Comparison(SplitScores(scores, TENFOLD), ["a", "b", "c"], rope=0.05)
    assert (comparison.against()["verdict"] == "equivalent").all()
    text = report(comparison, "markdown", parts="prose")  # which breaks no lines
    sentence = text.partition("It is practically equivalent to")[2]
    assert "two one-sided tests place each" in sentence
    assert "p =" not in sentence.split("within the ROPE.")[0]


@pytest.mark.parametrize("sign", "≤≥≠≈→√λ")
def test_signs_of_mathematics_in_a_label_are_signs_in_latex(sign):
    assert "U+" not in escaped(f"depth {sign} 4")


@pytest.mark.parametrize("parts", ["pictures", "reference"])
@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
def test_parts_that_a_format_has_nothing_for_leave_it_empty(parts, format):
    text = report(CASES["four"], format, parts=parts)
    assert [line for line in text.splitlines() if line and not line.startswith("%")] == []


def test_the_page_is_shown_whole_in_a_frame_of_its_own():
    page = page_of("four")
    found = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: found.append((tag, dict(attributes)))
    parser.feed(page._repr_html_())
    ((tag, frame),) = found
    assert tag == "iframe"
    assert frame["srcdoc"] == page
    # No storage, no navigation of the notebook, none of its origin: its tables sort, no more.
    assert frame["sandbox"] == "allow-scripts"


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize("format", ENDINGS)
def test_a_cell_shows_each_format_as_what_it_is(format):
    formatter = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    written = report(CASES["four"], format)
    shown = formatter.format(written)[0]
    assert shown.pop("text/plain") == str(written)  # as printed, not with quotes and \n
    kinds = {"html": {"text/html"}, "markdown": {"text/markdown"}}
    assert set(shown) == kinds.get(format, set())


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize("format", ENDINGS)
def test_a_report_is_a_string(format):
    written = report(CASES["four"], format)
    assert isinstance(written, str)
    assert {written: 1}[str(written)] == 1
    assert json.loads(json.dumps(written)) == written
    assert callable(written.format)  # `kind` is the format
    for again in (pickle.loads(pickle.dumps(written)), copy.deepcopy(written)):
        assert again == written
        assert again.kind == format


graphs = st.integers(1, 9).flatmap(
    lambda n: st.tuples(
        st.just(n), st.sets(st.sampled_from([*combinations(range(n), 2)] or [None]))
    )
)


@given(graphs)
def test_candidates_that_share_a_letter_are_not_separated_and_none_can_be_left_out(graph):
    n, different = graph
    different = different - {None}
    letters = [set(word) for word in compact_letters(n, different)]
    assert all(letters)
    for i, j in combinations(range(n), 2):
        assert bool(letters[i] & letters[j]) == ((i, j) not in different)
    groups = [{i for i in range(n) if letter in letters[i]} for letter in set().union(*letters)]
    assert not any(a < b for a in groups for b in groups)


@pytest.mark.parametrize(
    ("n", "different", "expected"),
    [
        (0, [], []),
        (1, [], ["a"]),
        (3, [], ["a", "a", "a"]),
        (3, [(0, 1), (0, 2), (1, 2)], ["a", "b", "c"]),
        (3, [(0, 2)], ["a", "ab", "b"]),
        (4, [(0, 3), (1, 3), (2, 3)], ["a", "a", "a", "b"]),
        (4, [(0, 2), (0, 3), (1, 3)], ["a", "ab", "bc", "c"]),
    ],
)
def test_small_cases_by_hand(n, different, expected):
    assert compact_letters(n, different) == expected


def test_more_sets_than_letters():
    everything = [*combinations(range(60), 2)]
    words = compact_letters(60, everything)
    assert words[:2] == ["a", "b"]
    assert words[51:54] == ["Z", "a2", "b2"]
    assert len(set(words)) == 60


def test_exponentially_many_letters_are_given_up():
    # Twins, each separated from the other only: every choice of one of each pair is a set.
    assert compact_letters(40, [(2 * k, 2 * k + 1) for k in range(20)]) is None
    assert len(set("".join(compact_letters(10, [(2 * k, 2 * k + 1) for k in range(5)])))) == 32


def test_a_pair_is_reported_with_its_own_degrees_of_freedom():
    # Twelve costly errors in 300 samples: a kurtosis above 9, and 2n/(κ − 1) degrees of freedom.
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 300)
    first = np.clip(0.5 + (truth - 0.5) * 0.6 + 0.15 * rng.normal(size=300), 0.02, 0.98)
    second = np.clip(first + 0.01 * rng.normal(size=300), 0.02, 0.98)
    worst = rng.choice(300, 12, replace=False)
    second[worst] = np.where(truth[worst] == 1, 1e-5, 1 - 1e-5)
    comparison = compare_predictions(
        truth, {"a": first, "b": second}, metric="neg_log_loss", folds=np.arange(300) % 5
    )
    text = " ".join(comparison.report().split())
    (df,) = map(float, re.findall(r"t\(([\d.]+)\) =", text))
    row = comparison.frequentist(alternative="two-sided").iloc[0]
    assert df < 100
    # Rounded to four digits in the text.
    assert 2 * stats.t.sf(row["t_stat"], df) == pytest.approx(row["p_val"], rel=1e-2)
    assert "Pairs with rare large differences have fewer degrees of freedom." in text
    table = json.loads(comparison.report("json"))["leader_table"]
    assert 2 * stats.t.sf(row["t_stat"], table[0]["df"]) == pytest.approx(row["p_val"], rel=1e-9)


def test_data_sets_are_no_metrics():
    by_data_set = {
        name: Comparison(
            SplitScores(np.arange(2.0)[:, None] + np.arange(J), SplitDesign([9] * J, [1] * J))
        )
        for name, J in (("iris", 10), ("wine", 20))
    }
    with pytest.raises(ValueError, match="compare_datasets"):
        report(by_data_set)
