"""A comparison as the last expression of a notebook's cell: a page that says what the text says."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.comparison import _repr
from sklearn_stats_compare.comparison._repr import STYLE, IntervalBars

DESIGN = SplitDesign([180] * 20, [20] * 20, np.arange(20) // 10)
VOID = {"input", "meta", "br"}


class Page(HTMLParser):
    """Rows of cells of each table, words, and tags; fails where tags are not closed in order."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.words, self.tags, self.open, self.titles = [], [], [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            if len(self.tables) == 1:  # the ranking
                self.titles.append(dict(attributes).get("title"))

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" in self.open or "title" in self.open:
            return
        self.words.append(data)
        if {"td", "th"} & set(self.open):
            self.tables[-1][-1][-1] += data


def page_of(comparison):
    return Page(comparison._repr_html_())


def words_of(comparison):
    return " ".join(" ".join(page_of(comparison).words).split())


def comparison_of(means, *, sd=0.01, **options):
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.03, 20) + rng.normal(0, sd, (len(means), 20))
    return Comparison(SplitScores(np.array(means)[:, None] + noise, DESIGN), **options)


def test_the_page_has_the_content_of_the_text(moons_comparison):
    page, text = page_of(moons_comparison), repr(moons_comparison).split("\n")
    words = " ".join(page.words)
    facts = text[: text.index("")]
    assert facts
    assert all(fact in words for fact in facts)
    for line in text[text.index("") + 2 : text.index("") + 6]:
        rank, label, mean, std_err, verdict = re.split(r"\s{2,}", line.strip())
        row = next(row for row in page.tables[0] if row[1].removesuffix(" ★") == label)
        assert [row[0], *row[2:5]] == [rank, verdict, mean, std_err]
    assert page.tables[0][0][:6] == ["rank", "candidate", "verdict", "mean", "std. err.", "behind"]


def test_the_headline_names_the_leader_and_counts_those_that_may_be_the_best(multi_scores):
    comparison = Comparison(multi_scores, list("abcdef"), metric="auc")
    n = len(comparison.possibly_best())
    assert 1 < n < 6
    words = words_of(comparison)
    mean = comparison.ranking()["mean"].iloc[0]
    assert words.startswith(f"{comparison.leader} leads, with a mean auc of {mean:.4f}.")
    assert f"{n} of 6 candidates may be the best, at alpha = 0.05." in words
    stars = [row[1].removesuffix(" ★") for row in page_of(comparison).tables[0] if "★" in row[1]]
    assert stars == comparison.possibly_best()["label"].tolist()


@pytest.mark.parametrize(
    ("means", "expected"),
    [
        ([0.9], "0 is the only candidate, with a mean score of"),
        ([0.9, 0.5, 0.4], "Of 3 candidates it alone may be the best, at alpha = 0.05."),
    ],
)
def test_a_single_possibly_best_candidate_is_in_the_singular(means, expected):
    assert expected in words_of(comparison_of(means))


@pytest.mark.parametrize(("n", "others"), [(3, "2 others"), (2, "1 other")])
def test_ties_for_the_lead_are_reported(n, others):
    values = np.tile(np.random.default_rng(0).random(20), (n, 1))
    assert f"0 leads, tied with {others}," in words_of(Comparison(SplitScores(values, DESIGN)))


def test_there_is_no_leader_if_all_failed():
    comparison = Comparison(SplitScores(np.full((2, 20), np.nan), DESIGN))
    for said in (words_of(comparison), repr(comparison)):
        assert "leader" not in said
        assert "2 candidates missing" in said
    assert words_of(comparison).startswith("No candidate has a score on every split.")


def test_a_failed_candidate_has_no_number_and_no_bar():
    values = comparison_of([0.9, 0.8, 0.7]).scores.values.copy()
    values[1, 3] = np.nan
    page = page_of(Comparison(SplitScores(values, DESIGN), ["a", "failed", "c"]))
    (row,) = (row for row in page.tables[0] if row[1] == "failed")
    assert row == ["–", "failed", "missing", "–", "–", "–", ""]
    assert page.tags.count("svg") == 2  # the axis, and c


def test_one_split_gives_a_ranking_and_no_claim():
    with pytest.warns(UserWarning, match="only 1 split"):
        comparison = Comparison(SplitScores([[0.9], [0.8]], SplitDesign([9], [1])))
    words = words_of(comparison)
    assert "may be the best" not in words.replace("★: may be the best", "")
    assert "There is only 1 split" in words


def test_parameters_and_labels_are_shown_in_full_and_on_hover():
    params = [{"svc__C": 14.38, "svc__kernel": "rbf"}, {"svc__C": 0.1, "svc__kernel": "rbf"}]
    comparison = comparison_of([0.9, 0.8], params=params)
    page = page_of(comparison)
    full = ["svc__C=14.38, svc__kernel=rbf", "svc__C=0.1, svc__kernel=rbf"]
    # Under the name, where a narrow screen shows them too.
    names = [row[1] for row in page.tables[0][1:]]
    assert all(name.endswith(of) for name, of in zip(names, full, strict=True))
    assert page.tables[0][0][2] == "verdict"
    assert [title for title in page.titles if title] == full
    assert page.tags.count("input") == 1
    # Checkboxes of several cells have different ids.
    ids = re.findall(r'id="([^"]+)"', comparison._repr_html_() + comparison._repr_html_())
    assert len(ids) == len(set(ids)) == 2
    without = page_of(comparison_of([0.9, 0.8]))
    assert "input" not in without.tags
    assert "parameters" not in without.tables[0][0]
    labels = ["x" * 199 + "a", "x" * 199 + "b"]
    page = page_of(comparison_of([0.9, 0.8], labels=labels))
    assert set(labels) == {title for title in page.titles if title}
    assert {row[1][-3:] for row in page.tables[0][1:]} == {"a ★", "xxb"}


def test_the_leader_table_is_folded_and_complete_with_the_verdict_next_to_the_name():
    comparison = comparison_of([0.9, 0.8, 0.7])
    page = page_of(comparison)
    assert "details" in page.tags
    assert page.tables[1][0] == list(comparison.against())
    assert len(page.tables[1]) == 3
    assert page.tables[1][1][2] == f"{comparison.against()['mean_diff'].iloc[0]:.4g}"
    for setting in ({}, {"p_adjust": "holm"}, {"test": "uncorrected_t"}):
        head = page_of(comparison.with_settings(**setting)).tables[0][0]
        assert head[head.index("candidate") + 1] == "verdict"


def test_hostile_names_are_escaped():
    hostile = '</style></div><script>alert(1)</script><img src=x onerror="a" \x1b[31m\ud800'
    params = [{hostile: hostile}, {hostile: "b"}]
    plain = comparison_of([0.9, 0.8], labels=["a", "b"], params=[{"n": 1}, {"n": 2}])
    found = comparison_of([0.9, 0.8], labels=[hostile, "b"], params=params, metric=hostile,
                          note=hostile)  # fmt: skip
    page = page_of(found)
    assert set(page.tags) == set(page_of(plain).tags)
    assert "script" not in page.tags
    found._repr_html_().encode()  # no half of a surrogate pair


def test_every_style_rule_applies_to_the_fragment_only_and_follows_the_theme():
    rules = re.sub(r"@(?:media|container)[^{]*\{(.*?\})\s*\}", r"\1", STYLE, flags=re.DOTALL)
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", rules)
    assert len(selectors) > 20
    for selector in selectors:
        # `:is(td, th)` holds a comma that separates no selectors.
        for one in re.sub(r":is\([^)]*\)", "", selector).split(","):
            assert ".ssc-glance" in one, one
            assert not one.split(".ssc-glance")[0].strip(" \n").endswith(("body", "html"))
    for theme in ('[data-jp-theme-light="false"]', '[data-theme="dark"]', ".vscode-dark"):
        assert theme in STYLE
    # What a page says goes before what the system says, so it comes later.
    assert STYLE.index("prefers-color-scheme: dark") < STYLE.index('data-jp-theme-light="true"')


def test_nothing_slow_is_computed_for_a_glance(monkeypatch):
    comparison = comparison_of([0.9, 0.8])
    monkeypatch.setattr(_repr, "_QUICK_SCORES", 39)  # of 40
    words = words_of(comparison)
    assert "may be the best" not in words
    assert words.startswith("0 leads, with a mean score of")


def lines_of(bar):
    return [(float(a), float(b)) for a, b in re.findall(r'<line x1="([\d.]+)" x2="([\d.]+)"', bar)]


def test_bars_share_a_scale_that_one_bad_candidate_does_not_squeeze():
    low, high = np.array([-0.01, 0.0, 0.01, 0.7]), np.array([0.01, 0.02, 0.03, 0.9])
    bars = IntervalBars(low, high, (-0.01, 0.01))
    drawn = [bars.bar(*ends, "better", "words") for ends in zip(low, (low + high) / 2, high,
                                                                 strict=True)]  # fmt: skip
    spans = [lines_of(bar)[0] for bar in drawn]
    widths = [b - a for a, b in spans]
    # As wide as each other, as all are 0.02 wide; the last one is cut.
    np.testing.assert_allclose(widths[:2], widths[0], atol=0.2)
    assert "<path" in drawn[3]
    assert "<path" not in drawn[0]
    assert "<circle" not in drawn[3]


@settings(max_examples=60)
@given(st.lists(st.tuples(*[st.floats(allow_nan=True, allow_infinity=True)] * 3), min_size=1),
       st.tuples(st.floats(max_value=0), st.floats(min_value=0)))  # fmt: skip
def test_any_numbers_make_a_picture_within_its_frame(rows, rope):
    rows = [(min(row), sorted(row)[1], max(row)) for row in rows]
    low, middle, high = map(np.array, zip(*rows, strict=True))
    bars = IntervalBars(low, high, rope)
    for ends in zip(low, middle, high, strict=True):
        bar = bars.bar(*ends, "undecided", "words")
        places = [float(x) for x in re.findall(r' (?:x1|x2|cx|x)="([^"]+)"', bar)]
        assert all(0 <= place <= 180 for place in places)
    assert "nan" not in bars.axis(3)


def test_a_rope_far_wider_than_all_intervals_fills_the_picture_and_squeezes_nothing():
    bars = IntervalBars(np.array([-0.01, 0.0]), np.array([0.01, 0.02]), (-5, 5))
    ((start, end),) = lines_of(bars.bar(-0.01, 0, 0.01, "equivalent", ""))
    assert end - start > 40
