"""The site's pages: what they must name, and that the README's program prints what it says."""

import ast
import contextlib
import inspect
import io
import re
from pathlib import Path

import numpy as np
import pytest

import sklearn_stats_compare as ssc
from sklearn_stats_compare import displays, reports
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
# Pages of each kind, and how many words one of them and all of them may have.
KINDS = {"start": (2, 1_000, 1_000), "howto": (14, 500, 7_000), "why": (6, 1_200, 7_200)}
PAGES = {kind: sorted((DOCS / kind).glob("*.rst")) for kind in KINDS}
# Shorter pieces of a warning, between the numbers and names that it fills in, say nothing.
TELLING = 12


def text_in(page):
    return (DOCS / page).read_text(encoding="utf-8")


def text_of(page):
    """The text of a page in one line, as line breaks and indents are no part of it."""
    return " ".join(text_in(page).split())


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


WARN = ("warnings.warn", "warn_user", "checks.warn_user")


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
    listed = set(re.findall(r"^ {4}(\w+)$", text_in("api.rst"), re.MULTILINE))
    public = {*ssc.__all__, *displays.__all__, *reports.__all__}
    assert public <= listed


def test_a_short_table_has_a_question_for_every_call():
    rows = re.findall(r"^ {3}(\S.*) \| (.*)$", text_in("api.rst"), re.MULTILINE)
    assert 30 < len(rows) <= 60
    calls = " ".join(call for _, call in rows)
    names = [name for name, own in vars(ssc.Comparison).items() if inspect.isfunction(own)]
    for module in (ssc, ssc.stats, ssc.evaluation, reports):
        names += [name for name in module.__all__ if inspect.isfunction(getattr(module, name))]
    names = [name for name in names if not name.startswith("_")]
    assert not [name for name in names if not re.search(rf"\b{name}\b", calls)]


def n_words(*paths):
    return sum(len(path.read_text(encoding="utf-8").split()) for path in paths)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_page_keeps_its_number_of_words(kind):
    most_pages, most_words, most_in_all = KINDS[kind]
    assert 0 < len(PAGES[kind]) <= most_pages
    assert {page.stem: n_words(page) for page in PAGES[kind] if n_words(page) > most_words} == {}
    assert n_words(*PAGES[kind]) <= most_in_all


def test_everything_but_evidence_and_reference_has_at_most_20_000_words():
    others = (DOCS / "index.rst", DOCS / "architecture.rst", ROOT / "README.md")
    pages = [page for of_kind in PAGES.values() for page in of_kind]
    assert n_words(*others, ROOT / "CONTRIBUTING.md", *pages) <= 20_000


def test_the_front_page_lists_every_page():
    index = (DOCS / "index.rst").read_text()
    pages = [f"{kind}/{page.stem}" for kind in KINDS for page in PAGES[kind]]
    written_by_a_build = {"index", "sg_execution_times"}
    pages += [page.stem for page in DOCS.glob("*.rst") if page.stem not in written_by_a_build]
    assert not [page for page in pages if f"\n   {page}\n" not in index]


@pytest.mark.parametrize("page", PAGES["howto"], ids=lambda page: page.stem)
def test_a_how_to_has_an_example_and_three_reasons_not_to(page):
    text = page.read_text()
    assert ">>> " in text
    assert ".. plot::" in text or ".. list-table::" in text
    not_to = text.split("\nWhen not to\n-----------\n")[1]
    assert not_to.count("\n- ") == 3
    assert "Why" in not_to
    assert ":doc:`../evidence/" in not_to


DESIGNS = {
    "one": ssc.SplitDesign([90], [10]),
    "few": ssc.SplitDesign([80] * 5, [20] * 5, [0] * 5),
    "untrained": ssc.SplitDesign([0] * 20, [10] * 20),
    "expanding": ssc.SplitDesign(np.arange(10, 30), [10] * 20, expanding=True),
    "sliding": ssc.SplitDesign([10] * 20, [10] * 20, sliding=True),
    "resampled": ssc.SplitDesign([63] * 20, [37] * 20, resampled=True),
    "uneven": ssc.SplitDesign([90] * 20, [10] * 19 + [30]),
    "repeated": ssc.SplitDesign([90] * 20, [10] * 20, repeated=True, tests_training=True),
}


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_every_strained_assumption_is_on_the_troubleshooting_page(design):
    scores = ssc.SplitScores(np.full((2, design.n_splits), 0.5), design)
    sentences = check_assumptions(scores, CORRECTED_T)
    assert sentences
    numbers = r"\(from \d+ to \d+\)|(?<=only )\d+(?= splits)"
    assert_on_the_troubleshooting_page(sentences, numbers)


def test_what_strains_the_test_of_samples_is_on_the_troubleshooting_page():
    n_test = np.array([2, 4, 5, 5, 5])
    design = ssc.SplitDesign(21 - n_test, n_test, np.zeros(5, dtype=int))
    samples = SampleScores(np.full((2, 1, 21), 0.5), 5, fewest=3)
    test = PAIR_TESTS["samples"]
    sentences = check_assumptions(ssc.SplitScores(np.full((2, 5), 0.5), design, samples), test)
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
    page, pieces = text_of("troubleshooting.rst"), list(warned_pieces())
    names = ("comparison", "tables", "classifiers", "fits", "run", "file")
    files = {f"_{name}.py" for name in names}
    assert files <= {name for name, _ in pieces}
    for name, piece in pieces:
        wanted = " ".join(piece.split())
        if len(wanted) >= TELLING:
            assert wanted in page, f"{name} warns of {wanted!r}"


def test_every_warning_ends_with_the_anchor_of_its_entry():
    anchors = re.findall(r"^\.\. _([\w-]+):$", text_in("troubleshooting.rst"), re.MULTILINE)
    named = {
        ast.literal_eval(node.args[1])
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in WARN[1:]
    }
    assert sorted(named - {None}) == sorted(anchors)


def test_an_entry_of_the_troubleshooting_page_has_at_most_60_words():
    page = text_in("troubleshooting.rst")
    # An entry ends at the next heading or anchor; the text of a warning itself is not counted.
    advice = re.findall(r"\n~{4,}\n(.*?)(?=\n\.\. _|\n.*\n[-~]{4,}\n)", page, re.DOTALL)
    advice = [re.sub(r"\.\. code-block:: text\n(\n(   .*\n)+)+", "", entry) for entry in advice]
    errors = re.findall(r"^(?=\S).+\n((?:   \S.*\n)+)", page, re.MULTILINE)
    assert len(advice) > 40
    assert len(errors) > 70
    assert not [entry for entry in advice + errors if len(entry.split()) > 60]


def test_every_doi_of_a_docstring_is_among_the_references():
    page = text_of("references.rst")
    text = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    found = {doi.rstrip(".") for doi in re.findall(r"https://doi\.org/\S+", text)}
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
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(program, {})
        assert out.getvalue() == printed


def test_a_page_lists_every_adjustment_and_whose_intervals_are_simultaneous():
    page = (DOCS / "why" / "families.rst").read_text()
    table = page.split("* - ``p_adjust``")[1].split("\n\n")[0]
    listed = {}
    for row in re.split(r"\n   \* - ", table)[1:]:
        names, *_, intervals = re.split(r"\n     - ", row)
        for name in re.findall(r"``(.*?)``", names):
            listed[ast.literal_eval(name)] = intervals
    assert set(listed) == set(P_ADJUST)
    for name, intervals in listed.items():
        # Holm's are Bonferroni's, which the page says instead.
        alone = intervals.strip() == "of each pair alone"
        assert alone != ADJUSTMENTS[name].simultaneous


def listed_in_docstrings(name):
    """Each file, and each set of words that it lists for a parameter."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for listed in re.findall(rf"\b{name} : (\{{.*?\}})", path.read_text(), re.DOTALL):
            yield path, ast.literal_eval(listed.replace("\\", ""))


def test_every_docstring_lists_all_adjustments_and_all_tests():
    # Fitted models on one test set have p-values alone, and no joint null to draw from.
    of_pvalues = {name for name, row in ADJUSTMENTS.items() if not row.joint}
    adjustments, of_datasets = set(DATASETS_P_ADJUST), []
    # Shaffer's method is for all pairs, and not for one model against the others.
    of_one_model = adjustments - {"shaffer"}
    for path, listed in listed_in_docstrings("p_adjust"):
        if path.parent == PACKAGE / "datasets":
            of_datasets.append(listed)
            assert listed in (adjustments, of_one_model), path
        elif path.parent.name != "datasets":
            assert listed == (of_pvalues if path.name == "_classifiers.py" else set(P_ADJUST)), path
    assert of_datasets.count(of_one_model) == 1
    assert len(of_datasets) > 3
    for path, listed in listed_in_docstrings("test"):
        if path.parent == PACKAGE / "datasets":
            assert listed in (set(DATASET_TESTS), set(_BAYESIAN)), path
        elif path.parent.name != "datasets":
            assert listed == set(PAIR_TESTS), path


def test_every_file_that_the_architecture_names_exists():
    text = text_in("architecture.rst") + text_in("howto/extend.rst")
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
