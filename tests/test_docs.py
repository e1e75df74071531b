"""The site's pages: what they must name, and that the README's program prints what it says."""

import ast
import contextlib
import inspect
import io
import re
from pathlib import Path

import numpy as np
import pytest

import sklearn_stats_compare
from sklearn_stats_compare import (
    Comparison,
    SplitDesign,
    SplitScores,
    displays,
    evaluation,
    reports,
    stats,
)
from sklearn_stats_compare.comparison._tables import check_assumptions
from sklearn_stats_compare.datasets._comparison import _BAYESIAN
from sklearn_stats_compare.datasets._tests import (
    DATASET_TESTS,
    DATASETS_P_ADJUST,
    DatasetsSettings,
    check_dataset_assumptions,
)
from sklearn_stats_compare.stats import SampleScores
from sklearn_stats_compare.stats._family import PAIR_TESTS
from sklearn_stats_compare.stats._multitest import ADJUSTMENTS, P_ADJUST
from sklearn_stats_compare.stats._pair_tests import CORRECTED_T

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PACKAGE = ROOT / "sklearn_stats_compare"
QUESTIONS = [
    "How do I install it?",
    "From GridSearchCV(cv=5) to a decision",
    "Are these differences real?",
    "Which p_adjust?",
    "How sure can I be?",
    "Which one should I deploy?",
    "Which number goes into the paper?",
    "What can this CV not tell me?",
    "How do I spend fewer fits?",
    "How do I add splits to a search I have?",
    "How do I run on a cluster, or survive a crash?",
    "How far is my search?",
    "How do I save a fitted search?",
    "How do I run it every night?",
    "How do I compare two models I already have?",
    "How do I compare models over several data sets?",
    "What did each candidate predict, and where does the winner win?",
    "How do I report it in a paper?",
    "Which CV should I use?",
    "What does it cost?",
    "What are the assumptions, and when are they broken?",
    "What can I ask of a fitted search?",
    "Coming from …",
]
PAGES = sorted((DOCS / "guide").glob("*.rst"))
# Shorter pieces of a warning, between the numbers and names that it fills in, say nothing.
TELLING = 12


def text_of(page):
    """The text of a page in one line, as line breaks and indents are no part of it."""
    return " ".join((DOCS / page).read_text().split())


def assert_on_the_troubleshooting_page(sentences, numbers):
    """All of each sentence but its numbers, of which a pattern tells where they are."""
    page = text_of("troubleshooting.rst")
    for sentence in sentences:
        for piece in re.split(numbers, sentence):
            assert piece.strip() in page


def pieces_of(node, module):
    """The constant pieces of a text, which may be an f-string or a constant of its module."""
    if isinstance(node, ast.Name):
        for statement in module.body:
            if isinstance(statement, ast.Assign) and statement.targets[0].id == node.id:
                return pieces_of(statement.value, module)
    if isinstance(node, ast.Constant):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return [part.value for part in node.values if isinstance(part, ast.Constant)]
    return []


WARN = ("warnings.warn", "warn_user")


def warned_pieces():
    """The pieces of every text that the package warns with, and the file that does."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text()
        module = ast.parse(text if "warn" in text else "")
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in WARN:
                for piece in pieces_of(node.args[0], module):
                    yield path.name, piece


def test_every_public_name_has_an_api_page():
    listed = set(re.findall(r"^ {4}(\w+)$", (DOCS / "api.rst").read_text(), re.MULTILINE))
    public = {*sklearn_stats_compare.__all__, *displays.__all__, *reports.__all__}
    assert public <= listed


def test_a_short_table_has_a_question_for_every_call():
    page = (DOCS / "api.rst").read_text()
    rows = re.findall(r"^ {3}(\S.*) \| (.*)$", page, re.MULTILINE)
    assert 30 < len(rows) <= 60
    calls = " ".join(call for _, call in rows)
    methods = [name for name, own in vars(Comparison).items() if inspect.isfunction(own)]
    modules = (sklearn_stats_compare, stats, evaluation, reports)
    functions = [
        name
        for module in modules
        for name in module.__all__
        if inspect.isfunction(getattr(module, name))
    ]
    names = [name for name in (*methods, *functions) if not name.startswith("_")]
    assert not [name for name in names if not re.search(rf"\b{name}\b", calls)]


def test_there_is_a_page_for_each_question():
    assert sorted(page.read_text().split("\n")[2] for page in PAGES) == sorted(QUESTIONS)
    index = (DOCS / "index.rst").read_text()
    assert not [page.stem for page in PAGES if f"guide/{page.stem}\n" not in index]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_page_is_a_stub(page):
    text = page.read_text()
    assert ">>> " in text
    assert "\nWhen not to\n-----------\n" in text


@pytest.mark.parametrize(
    "design",
    [
        SplitDesign([90], [10]),
        SplitDesign([80] * 5, [20] * 5, [0] * 5),
        SplitDesign([0] * 20, [10] * 20),
        SplitDesign(np.arange(10, 30), [10] * 20, expanding=True),
        SplitDesign([10] * 20, [10] * 20, sliding=True),
        SplitDesign([63] * 20, [37] * 20, resampled=True),
        SplitDesign([90] * 20, [10] * 19 + [30]),
    ],
    ids=["one", "few", "untrained", "expanding", "sliding", "resampled", "uneven"],
)
def test_every_strained_assumption_is_on_the_troubleshooting_page(design):
    scores = SplitScores(np.full((2, design.n_splits), 0.5), design)
    sentences = check_assumptions(scores, CORRECTED_T)
    assert sentences
    numbers = r"\(from \d+ to \d+\)|(?<=only )\d+(?= splits)"
    assert_on_the_troubleshooting_page(sentences, numbers)


def test_what_strains_the_test_of_samples_is_on_the_troubleshooting_page():
    n_test = np.array([2, 4, 5, 5, 5])
    design = SplitDesign(21 - n_test, n_test, np.zeros(5, dtype=int))
    samples = SampleScores(np.full((2, 1, 21), 0.5), 5, fewest=3)
    test = PAIR_TESTS["samples"]
    sentences = check_assumptions(SplitScores(np.full((2, 5), 0.5), design, samples), test)
    assert len(sentences) == 3
    assert_on_the_troubleshooting_page(sentences, r"\(from \d+ to \d+\)|\d+(?= samples)")


@pytest.mark.parametrize("n_datasets", [3, 8, 20])
def test_what_strains_a_comparison_over_data_sets_is_on_the_troubleshooting_page(n_datasets):
    # On the last data set the models differ 1,000 times as much as on the others.
    values = np.vstack([np.ones(n_datasets), np.zeros(n_datasets)])
    values[0, -1] = 1000.0
    settings = DatasetsSettings("wilcoxon", "pratt", "two-sided", "holm", (-0.01, 0.01), 0.05)
    sentences = check_dataset_assumptions(values, settings)
    assert len(sentences) == (1 if n_datasets == 20 else 2)
    assert_on_the_troubleshooting_page(sentences, r"^\d+ |(?<=p-value is ).*")


def test_every_warning_is_on_the_troubleshooting_page():
    page = text_of("troubleshooting.rst")
    pieces = list(warned_pieces())
    files = {
        "_comparison.py",
        "_tables.py",
        "_classifiers.py",
        "_fits.py",
        "_run.py",
        "_file.py",
    }
    assert files <= {name for name, _ in pieces}
    for name, piece in pieces:
        wanted = " ".join(piece.split())
        if len(wanted) >= TELLING:
            assert wanted in page, f"{name} warns of {wanted!r}"


def test_every_doi_of_a_docstring_is_among_the_references():
    page = text_of("references.rst")
    found = {
        doi.rstrip(".")
        for path in PACKAGE.rglob("*.py")
        for doi in re.findall(r"https://doi\.org/\S+", path.read_text())
    }
    assert len(found) > 20
    assert not [doi for doi in found if doi not in page]


@pytest.mark.filterwarnings("ignore:There are only 5 splits")  # the first has cv=5
def test_the_readme_programs_print_what_the_readme_shows():
    text = (ROOT / "README.md").read_text()
    programs = re.findall(r"```python\n(.*?)```\s+```text\n(.*?)```", text, re.S)
    assert len(programs) == 2
    assert "cv=5" in programs[0][0]
    assert len(programs[0][0].splitlines()) <= 12
    for program, printed in programs:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(program, {})
        assert out.getvalue() == printed


def test_the_guide_lists_every_adjustment_and_whose_intervals_are_simultaneous():
    page = (DOCS / "guide" / "real.rst").read_text()
    table = page.split("* - ``p_adjust``")[1].split("\n\n\n")[0]
    listed = {}
    for row in re.split(r"\n   \* - ", table)[1:]:
        names, *_, intervals = re.split(r"\n     - ", row)
        for name in re.findall(r"``(.*?)``", names):
            listed[ast.literal_eval(name)] = intervals
    assert set(listed) == set(P_ADJUST)
    for name, intervals in listed.items():
        # Holm's are Bonferroni's, which the page says instead.
        alone = intervals.strip() == "each pair alone"
        assert alone != ADJUSTMENTS[name].simultaneous


def test_every_docstring_lists_all_adjustments_and_all_tests():
    # Fitted models on one test set have p-values alone, and no joint null to draw from.
    of_pvalues = {name for name, row in ADJUSTMENTS.items() if not row.joint}
    for path in PACKAGE.rglob("*.py"):
        if path.parent.name == "datasets":  # which have a test of their own
            continue
        text = path.read_text()
        known = of_pvalues if path.name == "_classifiers.py" else set(P_ADJUST)
        for listed in re.findall(r"p_adjust : (\{.*?\})", text, re.DOTALL):
            assert ast.literal_eval(listed.replace("\\", "")) == known, path
        for listed in re.findall(r" test : (\{.*?\})", text, re.DOTALL):
            assert ast.literal_eval(listed) == set(PAIR_TESTS), path


def test_docstrings_over_data_sets_list_all_adjustments_and_all_tests():
    adjustments, found = set(DATASETS_P_ADJUST), []
    # Shaffer's method is for all pairs, and not for one model against the others.
    of_one_model = adjustments - {"shaffer"}
    for path in sorted((PACKAGE / "datasets").glob("*.py")):
        text = path.read_text()
        for listed in re.findall(r"p_adjust : (\{.*?\})", text, re.DOTALL):
            found.append(ast.literal_eval(listed.replace("\\", "")))
            assert found[-1] in (adjustments, of_one_model), path
        for listed in re.findall(r" test : (\{.*?\})", text, re.DOTALL):
            assert ast.literal_eval(listed) in (set(DATASET_TESTS), set(_BAYESIAN)), path
    assert found.count(of_one_model) == 1
    assert len(found) > 3


def test_links_of_the_readme_lead_to_files():
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text())
    assert len(links) > 5
    assert not [link for link in links if not (ROOT / link).exists()]


def test_every_file_that_the_architecture_names_exists():
    text = (DOCS / "architecture.rst").read_text()
    named = set(re.findall(r"``((?:\w+/)+\w+\.(?:py|rst))``", text))
    assert len(named) > 15
    homes = (PACKAGE, DOCS, ROOT, PACKAGE / "comparison")
    assert not [name for name in sorted(named) if not any((at / name).is_file() for at in homes)]


def test_the_tree_of_the_architecture_lists_every_module():
    text = (DOCS / "architecture.rst").read_text()
    listed, folders = set(), []
    for line in re.findall(r"^    ([│├└].*)$", text, flags=re.M):
        at, entry = re.match(r"([│├└─ ]*)(.*)", line).groups()
        folders = folders[: len(at) // 4 - 1]
        if folder := re.match(r"(\w+)/", entry):
            folders.append(folder[1])
        # A name in words is that of a class or a function, and has no underscore in front.
        for name in re.findall(r"(?<![\w.])_[a-z]\w*(?![\w]*/)", entry):
            listed.add("/".join([*folders, f"{name}.py"]))
    files = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("_[!_]*.py")}
    assert listed == files
