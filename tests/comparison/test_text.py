"""The table that a person reads in a terminal."""

import re

import numpy as np
import pytest

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.comparison import _repr


def test_the_published_example_reads(moons_comparison):
    assert repr(moons_comparison).splitlines() == [
        "4 candidates on 100 splits, score: score",
        "corrected t-test, n_test/n_train = 0.1111",
        "6 pairs, adjusted by bonferroni, verdicts two-sided at alpha = 0.05",
        "ROPE ±0.01",
        "",
        "rank  candidate    mean  std_err  verdict",
        "   1  rbf        0.9400   0.0277  leader",
        "   2  linear     0.9300   0.0272  undecided",
        "   3  3_poly     0.9044   0.0345  undecided",
        "   4  2_poly     0.6852   0.0591  leader better",
        "",
        "Next: Undecided against linear and 1 other candidate. More samples may decide. To deploy",
        "one now, recommend() says which, and what it may cost.",
    ]


def test_known_repeats_are_named():
    design = SplitDesign([80] * 10, [20] * 10, repeat=np.repeat([0, 1], 5))
    text = repr(Comparison(SplitScores(np.random.default_rng(0).random((2, 10)), design)))
    assert "10 splits (2 × 5 folds)" in text


LOW = -3000.0 + np.array([[1, -1] * 6, [-9, -11] * 6])
AROUND_0 = np.array([[-1.0, 1.0] * 6, [-2.0, 1.0] * 6])  # the leader's mean has no share


@pytest.mark.parametrize(
    ("scores", "rope", "line"),
    [
        (LOW, 0.01, "ROPE ±0.01 score units, 0.00033 % of the leader's |mean|"),
        (LOW, "1%", "ROPE ±30 score units, 1 % of the leader's |mean|"),
        (LOW, (-10, 60), "ROPE -10 to 60 score units, 2 % of the leader's |mean|"),
        (AROUND_0, 0.5, "ROPE ±0.5 score units"),
        (AROUND_0 - 9, (-np.inf, 0.9), "ROPE -inf to 0.9 score units, 10 % of the leader's |mean|"),
    ],
)
def test_outside_0_to_1_the_rope_is_shown_relative_to_the_leaders_mean(
    make_comparison, scores, rope, line
):
    assert line in repr(make_comparison(scores, rope=rope)).splitlines()


def test_the_default_rope_is_called_a_convention_for_other_scores(make_comparison):
    scores = np.random.default_rng(0).random((2, 12))
    assert "convention" not in repr(make_comparison(scores))
    text = " ".join(repr(make_comparison(-scores)).split())
    assert "choose the largest difference that would not matter" in text
    assert "convention" not in repr(make_comparison(-scores, rope="1%"))


def test_a_hundred_candidates_are_truncated_and_counted(make_comparison):
    rng = np.random.default_rng(0)
    scores = rng.normal(np.linspace(0.9, 0.5, 100)[:, None], 0.02, (100, 20))
    comparison = make_comparison(scores)
    lines = repr(comparison).splitlines()
    lines = lines[: lines.index("", 5)]  # behind the next empty line are notes
    assert len(lines) == 5 + 1 + 12 + 1
    verdicts = comparison.against()["verdict"].iloc[11:].value_counts()
    assert verdicts.sum() == 88
    n_better, n_undecided = verdicts["better"], verdicts["undecided"]
    assert lines[-1] == f"… and 88 more: {n_better} leader better, {n_undecided} undecided"


def test_long_labels_are_shortened_to_the_end_that_differs_and_columns_stay_aligned(
    make_comparison,
):
    scores = np.random.default_rng(0).random((3, 12))
    text = repr(make_comparison(scores[:2], labels=["x" * 90, "y"]))
    rows = text.splitlines()[6:8]
    assert max(map(len, text.splitlines())) < 90
    assert rows[0].index("0.") == rows[1].index("0.")
    labels = [f"clf=LogisticRegression, fit_intercept=True, penalty=l2 #{i}" for i in range(3)]
    text = repr(make_comparison(scores, labels=labels))
    assert all(f"#{i} " in text for i in range(3))


def test_a_slow_maxt_table_is_not_computed_for_a_glance(make_comparison):
    comparison = make_comparison(np.random.default_rng(0).random((250, 12)), p_adjust="maxt")
    text = repr(comparison)
    assert "see against()" in text
    assert "verdict" not in text.splitlines()[5]


def test_slow_tables_are_shown_once_they_are_there(make_comparison, monkeypatch):
    monkeypatch.setattr(_repr, "_QUICK_PAIRS_DRAWN", 10)
    comparison = make_comparison(np.random.default_rng(0).random((6, 12)), p_adjust="maxt")
    assert "undecided" not in repr(comparison)
    assert comparison.against() is not None
    assert "undecided" in repr(comparison)


def test_enormous_and_tiny_differences_and_a_rope_of_no_width_stay_readable(make_comparison):
    scores = np.random.default_rng(0).random((2, 12))
    text = repr(make_comparison(-1e33 * (1 + scores)))
    assert max(map(len, text.splitlines())) <= 88
    assert "e+33" in text
    assert "0.9999990" in repr(make_comparison(0.999999 + 1e-9 * (scores - 0.5)))
    assert "ROPE of no width" in repr(make_comparison(np.full((2, 12), np.nan), rope="1%"))
    text = repr(make_comparison(scores[:, :5]))  # strained assumptions are printed
    assert "There are only 5 splits" in text
    assert max(map(len, text.splitlines())) <= 88


def test_labels_of_values_say_what_they_are_made_of_and_labels_of_users_are_kept(make_comparison):
    params = [{"svc__C": C, "svc__gamma": gamma} for C in (1, 14.38) for gamma in (0.004642, 1)]
    comparison = make_comparison(np.random.default_rng(0).random((4, 10)), params=params)
    assert repr(comparison).splitlines()[1] == "candidates are named C_gamma"
    assert "<li>Candidates are named C_gamma</li>" in comparison._repr_html_()
    # As long as the labels last.
    assert comparison.with_settings(alpha=0.1)._naming == "candidates are named C_gamma"
    own = comparison.with_settings(labels=list("abcd"))
    assert own._naming == ""
    assert "named" not in repr(own) + own._repr_html_()


def test_six_long_names_are_shown_in_full_and_wrapped(make_comparison):
    names = [letter * 60 for letter in "abcdef"]
    params = [dict.fromkeys(names, 1), dict.fromkeys(names, 2)]
    scores = np.random.default_rng(0).random((2, 10))
    lines = repr(make_comparison(scores, params=params)).splitlines()
    assert max(map(len, lines)) <= 88
    assert all(name in " ".join(lines) for name in names)


def test_long_labels_that_differ_in_the_middle_stay_different(make_comparison):
    labels = [f"{'DecisionTree' * 3}_{depth}_{'median' * 4}" for depth in (3, 5, 10)]
    comparison = make_comparison(np.random.default_rng(0).random((3, 12)), labels=labels)
    rows = repr(comparison).splitlines()[6:9]
    assert sorted(re.search(r"[_…](\d+)[_…]", row)[1] for row in rows) == ["10", "3", "5"]
    table = comparison._repr_html_().split("<details>")[1]
    assert len(set(re.findall(r"<td title=[^>]*>([^<]*)</td>", table))) >= 3
    # The next step names a rival as the table does.
    rival = comparison.next_step().removeprefix("Undecided against ").split(" and ")[0]
    assert any(rival.split(":")[0] in row for row in rows)
