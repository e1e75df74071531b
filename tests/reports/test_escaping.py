"""Labels, parameters and metrics of any text stay text in every format of a report.

The readers below are written without the library: each takes a report apart by the rules of its
format, refuses what only a label could have brought in, and gives the words back.
"""

import json
import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores, compare
from sklearn_stats_compare.reports import report

SCORES = np.random.default_rng(0).random((2, 12))
DESIGN = SplitDesign([9] * 12, [1] * 12)
NASTY = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "' onmouseover='alert(1)", "&",
    "&lt;", "&#60;b&#62;", "]]>", "<!--", "--><b>", "</title></style></script>", "<svg/onload=a>",
    "javascript:alert(1)", "https://example.org/a?b=c&d", "www.example.org", "me@example.org",
    "@somebody", "![a](http://b)", "[a](b)", "<http://a.b>", "`code`", "``", "| a | b |", "\\|",
    "\\\\|", "|---|", "# a", "- a", "1. a", "> a", "***", "~~a~~", "a\n\n# b", "a\r\nb", "a\x0bb",
    r"\input{/etc/passwd}", r"\write18{ls}", r"\immediate\write18{ls}", "\\", "\\\\", "$", "$$",
    "$x$", "%", "% \n", "#1", "_", "^", "^^5c", "^^M", "~", "{", "}", "}{", "{}", "\\end{tabular}",
    "[1]", "*", "\\begin", "\\begin{document}", "\x00", "a\x00b", "\x07\x1b[31mred", "\x7f",
    "\x80\x9f", "\xad", "\xa0", "\u200f\u202eabc", "\u2066", "\u2028", "\ufeff", "\ud800", "\udfff",
    "\ud83d", "\U0001f600", "\uffff", "\U0010ffff", "e\u0301", "日本", "α", "…−–×±∞", "a" * 10_000,
    "<&\\|$" * 2_000, "a " * 5_000, "\\" * 999, "None", "nan", "", " ", "\t", "default", "&amp",
]  # fmt: skip
TEXT = st.one_of(
    st.sampled_from(NASTY),
    st.text(alphabet=st.characters(exclude_categories=()), max_size=30),
    st.text(alphabet=list("<>&\"'`{}()\\/$%#_^~|*[]!=;:-@.a1 é\t\n\r\x00\x1b\ud800\u202e")),
    st.lists(st.sampled_from(NASTY[:70]), max_size=4).map("".join),
)
ROUTES = ["label", "parameter", "metric"]
each_route = pytest.mark.parametrize("route", ROUTES)


def report_with(text, route, format):
    """A report of two candidates in which `text` is a label, a parameter or the metric."""
    if route == "parameter":
        scores = {f"split{k}_test_score": SCORES[:, k] for k in range(12)}
        params = [{"p": text, "q": 1}, {"p": "other", "q": 2}]
        comparison = compare({**scores, "params": params}, n_train=9, n_test=1)
    else:
        names = {"labels": [text, "other"]} if route == "label" else {"metric": text}
        comparison = Comparison(SplitScores(SCORES, DESIGN), **names)
    found = report(comparison, format)
    found.encode()  # a file can hold it
    return found


@cache
def plain_report(route, format):
    """The same report with a label that needs no care."""
    return report_with("plain", route, format)


def tame(text):
    """Text as a report may show it: no control characters, one blank for several."""
    unseen = ("Cc", "Cs", "Cn", "Cf")
    seen = "".join("�" if unicodedata.category(c) in unseen else c for c in text)
    return " ".join(seen.split())


def assert_nothing_unseen(found, but="\n\t"):
    strange = {c for c in found if unicodedata.category(c) in ("Cc", "Cs")} - set(but)
    assert not strange
    assert not re.search("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", found)


class Page(HTMLParser):
    """Tags, attributes and text of a page; no comment or declaration but its own."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.names, self.values, self.text, self.others = [], [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        # A label that is squeezed into its place has two attributes more.
        seen = [a for a in attributes if a[0] not in ("textlength", "lengthadjust")]
        self.names.extend((tag, name) for name, _ in seen)
        self.values.extend(v for name, v in seen if name not in ("title", "aria-label"))

    def handle_endtag(self, tag):
        self.tags.append(f"/{tag}")

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        self.others.append(data)

    handle_decl = unknown_decl = handle_pi = handle_comment


@each_route
@settings(max_examples=40, deadline=None, derandomize=True)
@given(TEXT)
def test_html_has_no_element_or_attribute_from_a_text(route, text):
    if text == "other":
        return
    page, plain = Page(report_with(text, route, "html")), Page(plain_report(route, "html"))
    assert page.tags == plain.tags
    assert page.names == plain.names
    assert page.values == plain.values
    assert page.others == plain.others == ["DOCTYPE html"]
    words = "".join(page.text)
    assert_nothing_unseen(words, but="\n\t")
    if route != "parameter" and len(text) <= 200 and tame(text) == text:
        assert text in words


def test_a_notebook_shows_any_label_as_text():
    def shown(label):
        return Page(Comparison(SplitScores(SCORES, DESIGN), [label, "other"])._repr_html_())

    for label in NASTY:
        assert (shown(label).tags, shown(label).names) == (shown("a").tags, shown("a").names)


ESCAPED = {
    r"\textbackslash": "\\", r"\textasciicircum": "^", r"\textasciitilde": "~", r"\textless": "<",
    r"\textgreater": ">", r"\textbar": "|", r"\textquotedbl": '"', r"\ldots": "…",
    r"\allowbreak": "", r"\{": "{", r"\}": "}", r"\$": "$", r"\&": "&", r"\#": "#", r"\%": "%",
    r"\_": "_", r"\,": " ",
}  # fmt: skip
ACCENTED = {r"\v{s}": "š", r"\v{S}": "Š"}
NUMBER = r"(?:-?(?:[\d.]+(?: \\times 10\^\{-?\d+\})?|\\infty))"
MATHS = re.compile(
    # A sign, a symbol, a number, a statistic, a sum: whatever else stands between $ is a label's.
    r"\$(-|\\(?:times|pm|infty|[a-z]{2,7})|[pt]|(?:< )?N|(?:[tp]|t\(\d+\)|\\alpha) [=<] N"
    r"|1/\d+ \+ [\d.]+)\$".replace("N", NUMBER)
)
STRUCTURE = {
    r"\usepackage", r"\caption", r"\label", r"\begin", r"\end", r"\centering", r"\footnotesize",
    r"\setlength", r"\tabcolsep", r"\toprule", r"\midrule", r"\bottomrule", "\\\\",
}  # fmt: skip
OF_WIDE_COLUMNS = {r"\raggedright", r"\arraybackslash", r"\linewidth"}


def read_latex(found):
    """The words of a LaTeX report, and how often each command of its structure and & occur."""
    first, found = found.split("\n", 1)
    assert re.fullmatch(r"% needs (\\usepackage(\[T1\])?\{\w+\} ?)+", first)
    for accented, letter in ACCENTED.items():
        found = found.replace(accented, letter)
    words, structure, depth, at = [], Counter(), 0, 0
    while at < len(found):
        maths = MATHS.match(found, at)
        command = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL).match(found, at)
        if maths:
            words.append({"-": "−"}.get(maths[1], "·"))
            at = maths.end()
        elif command:
            name, at = command[0], command.end()
            if name in ESCAPED:
                words.append(ESCAPED[name])
                at += 2 * (name[1].isalpha() and found.startswith("{}", at))
            else:
                assert name in STRUCTURE | OF_WIDE_COLUMNS, name
                structure[name] += name in STRUCTURE
        else:
            character, at = found[at], at + 1
            assert character not in "$%#_^~", (character, found[max(0, at - 40) : at + 9])
            depth += (character == "{") - (character == "}")
            assert depth >= 0
            structure["&"] += character == "&"
            words.append("" if character in "{}" else character)
            assert ord(character) < 256
    assert depth == 0
    return "".join(words), structure


@each_route
@settings(max_examples=40, deadline=None, derandomize=True)
@given(TEXT)
def test_latex_has_no_command_from_a_text(route, text):
    if text == "other":
        return
    found = report_with(text, route, "latex")
    assert_nothing_unseen(found)
    words, structure = read_latex(found)
    assert structure == read_latex(plain_report(route, "latex"))[1]
    if route != "parameter" and all(" " <= c < "\x7f" for c in text):
        assert tame(text) in words


def test_the_reader_of_latex_refuses_what_is_not_escaped():
    whole = report_with("plain", "label", "latex")
    for bad in (r"\input{a}", r"\write18", "a_b", "50%", "$x", "}", "{", "~", "^^41", r"\v"):
        with pytest.raises(AssertionError):
            assert read_latex(whole.replace("plain", bad))[1] == read_latex(whole)[1]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_of_every_nasty_label_compiles_and_reads_no_file(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text(r"\errmessage{this file was read}")
    labels = [*dict.fromkeys(NASTY), f"\\input{{{secret}}}"]
    labels = [label[:300] for label in labels]  # a row that is longer than a page fits none
    scores = np.random.default_rng(0).random((len(labels), 12))
    body = report(Comparison(SplitScores(scores, DESIGN), labels, metric=labels[-1]), "latex")
    packages = re.findall(r"\\usepackage(?:\[\w+\])?\{\w+\}", body.splitlines()[0])
    document = [r"\documentclass{article}", *packages, r"\begin{document}", body, r"\end{document}"]
    (tmp_path / "report.tex").write_text("\n".join(document), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]


def read_markdown(line):
    """The cells of a row, and the words of a line; what would be markup is refused."""
    cells, at = [""], 0
    while at < len(line):
        character = line[at]
        if character == "\\" and at + 1 < len(line) and line[at + 1] in "\\`*_{}[]<>|#~&$@:.":
            cells[-1] += line[at + 1]
            at += 2
            continue
        assert character not in "`_{}[]<>#~&$@", line
        assert not line.startswith("://", at), line
        assert not line[at:].lower().startswith("www."), line
        if character == "|":
            cells.append("")
        else:
            cells[-1] += character
        at += 1
    return cells


@each_route
@settings(max_examples=40, deadline=None, derandomize=True)
@given(TEXT)
def test_markdown_rows_keep_their_columns_and_words_are_no_markup(route, text):
    if text == "other":
        return
    found = report_with(text, route, "markdown").split("\n")
    plain = plain_report(route, "markdown").split("\n")
    assert_nothing_unseen("\n".join(found))
    assert len(found) == len(plain)
    everything = []
    for line, same in zip(found, plain, strict=True):
        caption = line.startswith("**") and line.endswith("**")
        cells = read_markdown(line[2:-2] if caption else line)
        assert len(cells) == len(read_markdown(same))
        assert all("*" not in cell.replace("*", "", line.count("\\*")) for cell in cells) or caption
        everything += [cell.strip() for cell in cells]
    if route == "label" and tame(text) == text:
        assert text in everything


@each_route
@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_json_gives_every_text_back_and_plain_text_keeps_its_lines(route, text):
    facts = json.loads(report_with(text, route, "json"))
    if route == "label":
        assert [row["label"] for row in facts["ranking"] if row["label"] != "other"] == [text]
    if route == "metric":
        assert facts["metric"] == text
    found = report_with(text, route, "text")
    assert_nothing_unseen(found)
    if route == "label":
        rows = [line for line in found.split("\n") if re.match(r" +[12]  ", line)]
        assert len(rows) == 2
