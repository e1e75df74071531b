"""Labels, parameters and metrics of any text stay text in every format of a report.

The readers below are written without the library: each takes a report apart by the rules of its
format, refuses what only a label could have brought in, and gives the words back.
"""

import json
import re
import unicodedata
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from unittest import mock

import numpy as np
import pytest
from cases import compiled, needs_latex
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores, compare
from sklearn_stats_compare.displays import _base
from sklearn_stats_compare.reports import report

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
    "a\tb  c", "a<b>c&d\"e'f`g{h}i(j)k\\l/m$n%o#p_q^r~s|t*u[v]w!x=y;z:A-B.C é",
]  # fmt: skip
TEXT = st.one_of(
    st.sampled_from(NASTY),
    st.text(alphabet=st.characters(exclude_categories=()), max_size=30),
    st.text(alphabet=list("<>&\"'`{}()\\/$%#_^~|*[]!=;:-@.a1 é\t\n\r\x00\x1b\ud800\u202e")),
    st.lists(st.sampled_from(NASTY[:70]), max_size=4).map("".join),
)
# All in one, for a report has one metric; the longest are labels, too.
METRICS = [["".join(text[:300] for text in NASTY)], [""], [" "], ["\\"]]
ROUTES = ["label", "parameter", "metric"]


@cache
def comparison_with(texts, route):
    """A comparison with texts as labels or parameters, or one as its metric and its leader.

    One for all formats, so that its tables are computed once.
    """
    scores = np.random.default_rng(0).random((max(2, len(texts)), 12))
    scores = scores[np.argsort(-scores.mean(axis=1))]  # the first is in headings and pictures
    if route == "parameter":
        results = {f"split{k}_test_score": row for k, row in enumerate(scores.T)}
        params = [{"p": text, "q": k} for k, text in enumerate(texts)]
        return compare({**results, "params": params}, n_train=9, n_test=1)
    names = {"labels": texts}
    if route == "metric":
        names = {"labels": [texts[0], "another"], "metric": texts[0]}
    return Comparison(SplitScores(scores, DESIGN), **names)


@cache
def plain_report(m, route, format):
    """The report of as many texts that need no care; no check looks at its pictures."""
    with mock.patch.object(_base, "as_svg", return_value=""):
        return report(comparison_with(tuple(f"plain {k}" for k in range(m)), route), format)


def tame(text):
    """Text as a report may show it: no control characters, one blank for several."""
    unseen = ("Cc", "Cs", "Cn", "Cf")
    seen = "".join("�" if unicodedata.category(c) in unseen else c for c in text)
    return " ".join(seen.split())


def assert_nothing_unseen(found, but="\n\t"):
    strange = {c for c in found if unicodedata.category(c) in ("Cc", "Cs")} - set(but)
    assert not strange
    assert not re.search("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", found)


# What matplotlib makes its pictures of. Labels that are longer move lines and numbers of an axis.
DRAWN = {
    "g": set(), "defs": set(), "use": {"href", "x", "y"}, "text": {"x", "y"},
    "path": {"id", "d"}, "clippath": {"id"}, "rect": {"x", "y", "width", "height"},
    "svg": {"width", "height", "viewbox", "version", "role", "aria-label"},
    "image": {"id", "href", "x", "y", "width", "height"},
}  # fmt: skip
EVERYWHERE = {"style", "transform", "clip-path"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; no comment or declaration but its own.

    Those of pictures are only looked at.
    """

    def __init__(self, page):
        super().__init__()
        self.tags, self.names, self.values, self.text, self.others = [], [], [], [], []
        self.drawing = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.drawing |= self.tags[-1:] == ["div"] and tag == "svg"
        if self.drawing:
            assert set(found) <= DRAWN[tag] | EVERYWHERE, (tag, found)
            assert found.get("href", "#").startswith(("#", "data:image/png;base64,"))
            assert re.fullmatch(r"[\w%.,:;#() '-]*", found.get("style", ""))
            return
        self.tags.append(tag)
        self.names.extend((tag, name) for name, _ in attributes)
        self.values.extend(value for name, value in attributes if name != "title")

    def handle_endtag(self, tag):
        if self.drawing:
            self.drawing = tag != "svg"
        else:
            self.tags.append(f"/{tag}")

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        self.others.append(data)

    handle_decl = unknown_decl = handle_pi = handle_comment


def assert_html_has_no_element_or_attribute_from_a_text(found, plain, texts, route):
    page, plain = Page(found), Page(plain)
    assert page.tags == plain.tags
    assert page.names == plain.names
    assert page.values == plain.values
    assert page.others == plain.others == ["DOCTYPE html"]
    words = "".join(page.text)
    assert_nothing_unseen(words)
    for text in texts if route != "parameter" else ():
        printable = all(" " <= c < "\x7f" or c == "\t" for c in text)
        if len(text) <= 200 and (tame(text) == text or printable):
            assert text in words


def test_a_notebook_shows_any_label_as_text():
    for first in range(0, len(NASTY), 31):
        labels = NASTY[first : first + 31]
        plain = [f"plain {k}" for k in range(len(labels))]
        page, other = (
            Page(comparison_with(tuple(own), "label")._repr_html_()) for own in (labels, plain)
        )
        assert (page.tags, page.names) == (other.tags, other.names)
        assert page.tags.count("table") == 2
        if first == 0:
            assert "<script>alert(1)</script>" in page.text


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


def assert_latex_has_no_command_from_a_text(found, plain, texts, route):
    assert_nothing_unseen(found)
    words, structure = read_latex(found)
    assert structure == read_latex(plain)[1]
    for text in texts if route != "parameter" else ():
        if all(" " <= c < "\x7f" for c in text):
            assert tame(text) in words


def test_the_reader_of_latex_refuses_what_is_not_escaped():
    whole = plain_report(2, "label", "latex")
    for bad in (r"\input{a}", r"\write18", "a_b", "50%", "$x", "}", "{", "~", "^^41", r"\v"):
        with pytest.raises(AssertionError):
            assert read_latex(whole.replace("plain 1", bad))[1] == read_latex(whole)[1]


@needs_latex
def test_latex_of_every_nasty_label_compiles_and_reads_no_file(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text(r"\errmessage{this file was read}")
    labels = [*NASTY, f"\\input{{{secret}}}"]
    labels = [label[:300] for label in labels]  # a row that is longer than a page fits none
    scores = np.random.default_rng(0).random((len(labels), 12))
    comparison = Comparison(SplitScores(scores, DESIGN), labels, metric=labels[-1])
    compiled([report(comparison, "latex")], tmp_path)


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
        assert line[at : at + 4].lower() != "www.", line
        if character == "|":
            cells.append("")
        else:
            cells[-1] += character
        at += 1
    return cells


def assert_markdown_rows_keep_their_columns_and_words_are_no_markup(found, plain, texts, route):
    assert_nothing_unseen(found)
    found, plain = found.split("\n"), plain.split("\n")
    assert len(found) == len(plain)
    everything = []
    for line, same in zip(found, plain, strict=True):
        caption = line.startswith("**") and line.endswith("**")
        cells = read_markdown(line[2:-2] if caption else line)
        assert len(cells) == len(read_markdown(same))
        assert all("*" not in cell.replace("*", "", line.count("\\*")) for cell in cells) or caption
        everything += [cell.strip() for cell in cells]
    if route == "label":
        assert {text for text in texts if tame(text) == text} <= set(everything)


def escaped(text):
    """A text as a `Comparison` keeps it: halves of a character are escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


def assert_json_gives_every_text_back(found, plain, texts, route):
    facts = json.loads(found)
    rows = sorted(facts["ranking"], key=lambda row: row["candidate"])
    if route == "label":
        assert [row["label"] for row in rows] == [escaped(text) for text in texts]
    elif route == "metric":
        assert facts["metric"] == escaped(texts[0])
    else:
        assert [row["params"]["p"] for row in rows] == json.loads(json.dumps(texts))


def assert_plain_text_keeps_its_lines(found, plain, texts, route):
    assert_nothing_unseen(found)
    if route == "label":
        ranks = [int(rank) for rank in re.findall(r"^ *(\d+)  ", found, re.MULTILINE)]
        assert ranks[: len(texts)] == [*range(1, len(texts) + 1)]  # a label may be a number


CHECKS = {
    "html": assert_html_has_no_element_or_attribute_from_a_text,
    "latex": assert_latex_has_no_command_from_a_text,
    "markdown": assert_markdown_rows_keep_their_columns_and_words_are_no_markup,
    "json": assert_json_gives_every_text_back,
    "text": assert_plain_text_keeps_its_lines,
}


def assert_texts_stay_text(texts, route, format):
    found = report(comparison_with(tuple(texts), route), format)
    found.encode()  # a file can hold it
    CHECKS[format](found, plain_report(len(texts), route, format), texts, route)


# Labels are made of parameters.
@pytest.mark.parametrize("format", CHECKS)
@pytest.mark.parametrize(
    "route", ["label", "metric", pytest.param("parameter", marks=pytest.mark.slow)]
)
def test_every_nasty_text_stays_text(route, format):
    n = 8 if format == "latex" else 47  # no table of LaTeX goes over several pages
    together = [NASTY[k : k + n] for k in range(0, len(NASTY), n)]
    for texts in METRICS if route == "metric" else together:
        assert_texts_stay_text(texts, route, format)


@pytest.mark.slow  # the texts that are known to be nasty stay text, above
@settings(max_examples=20, deadline=None)
@given(st.lists(TEXT, min_size=4, max_size=4, unique=True), st.sampled_from(ROUTES))
def test_any_texts_stay_text_in_every_format(texts, route):
    for format in CHECKS:
        assert_texts_stay_text(texts[:1] if route == "metric" else texts, route, format)
