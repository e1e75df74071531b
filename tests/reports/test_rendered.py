"""A report as the last expression of a notebook's cell, and as a string everywhere else."""

import copy
import io
import json
import pickle
from html.parser import HTMLParser

import pytest
from cases import cases

from sklearn_stats_compare.reports import report

CASES = cases()
FORMATS = ("text", "markdown", "latex", "html", "json")


class Frames(HTMLParser):
    """Attributes of the frames of a page."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        assert tag == "iframe"
        self.found.append(dict(attributes))


def formatted(obj):
    """What IPython shows of an object, by kind."""
    formatter = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    return formatter.format(obj)[0]


def test_the_page_is_shown_whole_in_a_frame_of_its_own():
    page = report(CASES["four"], "html")
    (frame,) = Frames(page._repr_html_()).found
    assert frame["srcdoc"] == page
    # No storage, no navigation of the notebook, none of its origin: its tables sort, no more.
    assert frame["sandbox"] == "allow-scripts"


@pytest.mark.parametrize("format", FORMATS)
def test_a_cell_shows_each_format_as_what_it_is(format):
    written = report(CASES["four"], format)
    shown = formatted(written)
    assert shown.pop("text/plain") == str(written)  # as printed, not with quotes and \n
    kinds = {"html": {"text/html"}, "markdown": {"text/markdown"}}
    assert set(shown) == kinds.get(format, set())


@pytest.mark.parametrize("format", FORMATS)
def test_a_report_is_a_string(format):
    written = report(CASES["four"], format)
    assert isinstance(written, str)
    assert written == str(written) == written + ""
    assert {written: 1}[str(written)] == 1
    assert json.loads(json.dumps(written)) == written
    assert written.upper() == str(written).upper()
    assert callable(written.format)
    assert io.StringIO().write(written) == len(written)
    for again in (pickle.loads(pickle.dumps(written)), copy.deepcopy(written)):
        assert again == written
        assert again.kind == format
