"""The ROPE in every form; one warning of a ROPE or a level that decides every pair by itself."""

import dataclasses
import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

import sklearn_stats_compare as ssc
from sklearn_stats_compare.comparison._tables import resolve_rope

SCORES = np.random.default_rng(0).uniform(0.7, 0.9, (3, 10))
TEN = ssc.SplitDesign([90] * 10, [10] * 10)
WIDE = "The `rope` is wider than the range of all scores, which lie between 0 and 1"
LEVEL = "`alpha` is a level"


def comparison(scores=SCORES, **settings):
    return ssc.Comparison(ssc.SplitScores(scores, TEN), **settings)


def warned(make):
    """The result, and the texts of its warnings, each given in this file."""
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        made = make()
    assert {warning.category for warning in record} <= {ssc.ComparisonWarning}
    assert {warning.filename for warning in record} <= {__file__}
    return made, [str(warning.message) for warning in record]


@pytest.mark.parametrize("rope", [5, 1, (-1, 2), (-np.inf, np.inf), "100%", "500%"])
def test_a_rope_wider_than_the_range_of_scores_warns(rope):
    found, (message,) = warned(lambda: comparison(rope=rope))
    assert message.startswith(WIDE)
    assert set(found.against()["verdict"]) == {"equivalent"}


@pytest.mark.parametrize("rope", [0, 0.01, 0.5, (-0.01, 5), (-np.inf, 0.1), "5%", "99%"])
def test_a_rope_narrower_than_the_range_of_scores_does_not_warn(rope):
    assert not warned(lambda: comparison(rope=rope))[1]


@pytest.mark.parametrize("scores", [-SCORES, SCORES + 1, 100 * SCORES, np.full((3, 10), np.nan)])
def test_scores_beyond_zero_to_one_never_warn_about_the_width(scores):
    assert not warned(lambda: comparison(scores, rope=5))[1]


@pytest.mark.parametrize("alpha", [0.95, 0.9, 0.5])
def test_an_alpha_that_looks_like_a_confidence_level_warns(alpha):
    found, (message,) = warned(lambda: comparison(-100 * SCORES, alpha=alpha))
    assert found.alpha == alpha
    assert message.startswith(LEVEL)
    # 1 − alpha is what intervals cover.
    assert f"intervals cover only {100 * (1 - alpha):g} %" in message
    assert not warned(lambda: comparison(alpha=0.4))[1]


def test_both_and_few_splits_are_one_warning():
    few = ssc.SplitScores(SCORES[:, :4], ssc.SplitDesign([30] * 4, [10] * 4))
    found, messages = warned(lambda: ssc.Comparison(few, rope=5, alpha=0.95))
    assert len(messages) == 1
    for words in ("There are only 4 splits", WIDE, LEVEL):
        assert words in messages[0]
    assert not warned(lambda: dataclasses.replace(found, warn=False))[1]


def test_other_settings_are_warned_of_where_they_are_given():
    fine = comparison()
    wide, messages = warned(lambda: fine.with_settings(rope=5))
    assert [text.startswith(WIDE) for text in messages] == [True]
    assert not warned(lambda: wide.with_settings(p_adjust="holm"))[1]
    assert [text[:7] for text in warned(lambda: wide.with_settings(alpha=0.95))[1]] == ["`alpha`"]
    messages = warned(lambda: ssc.compare(SCORES, test_train_ratio=1 / 9, rope=5, alpha=0.95))[1]
    assert len(messages) == 1


def test_a_search_is_warned_of_by_its_first_table_and_not_in_fit():
    X, y = make_classification(80, random_state=0)
    grid, options = {"var_smoothing": [1e-9, 0.1]}, {"cv": KFold(10), "rope": 5, "alpha": 0.95}
    search = ssc.StatisticalGridSearchCV(GaussianNB(), grid, **options)
    assert not warned(lambda: search.fit(X, y))[1]
    messages = warned(lambda: search.pairwise_bayesian_)[1]
    assert len(messages) == 1
    assert WIDE in messages[0]
    assert LEVEL in messages[0]
    assert not warned(lambda: (search.pairwise_frequentist_, search.comparison_.against()))[1]
    other, messages = warned(lambda: search.compare(rope=0.02, alpha=0.1))
    assert not messages
    assert other.rope == 0.02


@pytest.mark.parametrize(
    ("rope", "leader_mean", "expected"),
    [
        (0.01, 0.9, (-0.01, 0.01)),
        (0, 0.9, (0, 0)),
        ((-0.02, 0.01), 0.9, (-0.02, 0.01)),
        ([0.0, 0.0], 0.9, (0, 0)),
        ("1%", 0.9, (-0.009, 0.009)),
        (" 2.5 % ", -3000.0, (-75, 75)),
        ("0%", 0.9, (0, 0)),
    ],
)
def test_every_form_becomes_low_and_high_in_score_units(rope, leader_mean, expected):
    assert resolve_rope(rope, leader_mean) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rope", "message"),
    [
        ((0.01, -0.01), r"`rope` must be \(low, high\) with low ≤ high; got \(0.01, -0.01\)"),
        (-0.01, "`rope` must be a finite half-width ≥ 0; got -0.01"),
        (float("nan"), "`rope` must be a finite half-width ≥ 0; got nan"),
        (float("inf"), "`rope` must be a finite half-width ≥ 0; got inf"),
        ((0.1, float("nan")), "low ≤ high"),
        ("1", "such as '1%'; got '1'"),
        ("-1%", "such as '1%'; got '-1%'"),
        ("one %", "such as '1%'; got 'one %'"),
        ("nan%", "such as '1%'; got 'nan%'"),
        (None, "`rope` must be a half-width ≥ 0 or"),
        ((0.1,), "`rope` must be a half-width ≥ 0 or"),
        (("a", "b"), "`rope` must be a half-width ≥ 0 or"),
        (True, "`rope` must be a half-width ≥ 0 or"),
    ],
)
def test_other_forms_raise_with_the_rule_and_the_value(rope, message):
    with pytest.raises(ValueError, match=message):
        resolve_rope(rope, 1.0)
