"""Sizes and structure of splits, read from their indices, and the matrix of their scores."""

import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.comparison._saving import STRUCTURE

UNTRAINED = [([], [0, 1]), ([], [2, 3])]
THIRDS_TWICE = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
PARTIAL = ShuffleSplit(20, train_size=0.2, test_size=0.1, random_state=0)


def splits_of(cv, n_samples, y=None, groups=None):
    return list(cv.split(np.zeros((n_samples, 1)), y, groups))


def design_of(cv, n_samples, y=None, groups=None):
    return SplitDesign.from_indices(splits_of(cv, n_samples, y, groups), n_samples)


@pytest.mark.parametrize(
    ("splits", "n_samples", "expected"),
    [
        (splits_of(KFold(4), 12), 12, [0] * 4),
        (splits_of(THIRDS_TWICE, 12), 12, [0, 0, 0, 1, 1, 1]),
        (splits_of(LeaveOneOut(), 12), 12, [0] * 12),
        (splits_of(StratifiedKFold(3), 20, np.repeat([0, 1], [14, 6])), 20, [0] * 3),
        (splits_of(TimeSeriesSplit(3), 12), 12, [-1] * 3),  # the first block is never tested
        (splits_of(ShuffleSplit(6, test_size=0.5, random_state=0), 12), 12, [-1] * 6),
        # A split outside any repeat, and then a partition.
        ([(np.arange(4, 12), np.arange(4)), *splits_of(THIRDS_TWICE, 12)[:3]], 12, [-1, 0, 0, 0]),
        # Four test samples, but only three distinct ones.
        ([([2, 3], [0, 0]), ([0, 1], [2, 3])], 4, [-1, -1]),
        # The search moves past the overlap and finds the partition after it, in one pass.
        ([([0], test) for test in ([0, 1], [1], [0], [2], [2], [1])], 3, [-1, 0, 0, 0, -1, -1]),
        ([([0], np.arange(k % 7, k % 7 + 3)) for k in range(2000)], 9, [-1] * 2000),
        (UNTRAINED, 4, [0, 0]),
    ],
)
def test_consecutive_test_sets_that_partition_the_data_form_a_repeat(splits, n_samples, expected):
    assert SplitDesign.from_indices(splits, n_samples).repeat.tolist() == expected


def test_grouped_folds_form_one_repeat_of_unequal_sizes():
    design = design_of(GroupKFold(4), 20, groups=np.repeat([0, 1, 2, 3], [10, 5, 3, 2]))
    assert sorted(design.n_test.tolist()) == [2, 3, 5, 10]
    assert design.test_train_ratio == 20 / 60


HALVES = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
SLIDES = splits_of(TimeSeriesSplit(5, max_train_size=10), 60)
WINDOWS = [
    (np.arange(end - n, end), np.arange(end, end + 10))
    for end in (20, 30, 40, 50)
    for n in (10, 12, 14, 16, 18)
]


@pytest.mark.parametrize(
    ("splits", "n_samples", "kind"),
    [
        (splits_of(HALVES, 21, np.arange(21) % 3), 21, "complementary_halves"),
        (splits_of(ShuffleSplit(10, test_size=0.5, random_state=0), 20), 20, None),
        # Halves of unequal size
        ([(np.arange(3), np.arange(3, 12)), (np.arange(3, 12), np.arange(3))], 12, None),
        (splits_of(TimeSeriesSplit(4), 20), 20, "expanding"),
        ([([0, 1], [5]), ([1, 2, 3], [4])], 6, None),  # growing but not nested
        (splits_of(KFold(10), 21), 21, None),
        (SLIDES, 60, "sliding"),
        ([(np.arange(40), np.arange(40, 60))] * 3, 60, "repeated"),  # one hold-out
        (splits_of(KFold(5), 20) * 10, 20, "repeated"),
        # Four windows after several lengths of history, whose n_test/n_train is that of six.
        (WINDOWS, 60, "repeated"),
        ([([0, 1, 3], [2]), ([0, 1, 2], [2, 3])], 4, "tests_training"),
        (SLIDES[:1], 60, None),
        ([([0, 1], [2, 3])], 4, None),
        ([([0, 0, 1, 3], [2]), ([1, 1, 1, 2], [0, 3])], 4, "resampled"),
        ([([0, 1, 3], [2])], 4, None),
        ([([0, 1], []), ([2, 3], [])], 4, None),  # a filter that matches nothing
    ],
)
def test_halves_windows_and_bootstraps_are_detected_and_nothing_else(splits, n_samples, kind):
    design = SplitDesign.from_indices(splits, n_samples)
    for name in STRUCTURE:
        assert getattr(design, name) == (name == kind)


def test_sizes_of_bootstraps_count_distinct_samples():
    design = SplitDesign.from_indices([([0, 0, 1, 3], [2]), ([1, 1, 1, 2], [0, 3])], 4)
    assert design.n_train.tolist() == [3, 2]


def test_masks_lists_ranges_and_slices_are_equivalent():
    mask = np.array([True, True, False, False])
    forms = [(~mask, mask), ([2, 3], [0, 1]), (range(2, 4), range(2)), (slice(2, 4), slice(0, 2))]
    for form in forms:
        design = SplitDesign.from_indices([form, ([0, 1], [2, 3])], 4)
        assert design.n_train.tolist() == [2, 2]
        assert design.repeat.tolist() == [0, 0]


def test_empty_sets_have_size_zero():
    design = SplitDesign.from_indices([([0, 1, 2], []), ([0, 1], [2])], 3)
    assert design.n_test.tolist() == [0, 1]
    design = SplitDesign.from_indices(UNTRAINED, 4)
    assert design.test_train_ratio == design.overlap_ratio == np.inf


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (([90, 90], [10]), "got 2 and 1 entries"),
        (([90.5], [10]), "`n_train` must be whole numbers ≥ 0"),
        (([90], [-1]), "`n_test` must be whole numbers ≥ 0"),
        ((np.ma.array([90, 90], mask=[0, 1]), [10, 10]), "`n_train` must be whole numbers ≥ 0"),
        (([], []), "one per split"),
        ((90, 10), "one per split"),
        (([9, 9], [1, 1], [0]), "`repeat` must be 2 whole numbers"),
        *(
            (([80, 70], [20, 30], None, n), r"`n_samples` must be a whole number ≥ 80.*; got")
            for n in (79, 80.0, True, "100")
        ),
    ],
)
def test_invalid_sizes_raise(sizes, message):
    names = ("n_train", "n_test", "repeat", "n_samples")
    with pytest.raises(ValueError, match=message):
        SplitDesign(**dict(zip(names, sizes, strict=False)))


def test_recorded_sizes_are_read_only():
    design = SplitDesign([9, 9], [1, 1])
    for array in (design.n_train, design.n_test, design.repeat):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def test_followed_by_equals_the_design_of_all_splits():
    cvs = THIRDS_TWICE, ShuffleSplit(3, random_state=0), KFold(5)
    joined = design_of(cvs[0], 20)
    for cv in cvs[1:]:
        joined = joined.followed_by(design_of(cv, 20))
    whole = SplitDesign.from_indices([split for cv in cvs for split in splits_of(cv, 20)], 20)
    for name in ("n_train", "n_test", "repeat"):
        np.testing.assert_array_equal(getattr(joined, name), getattr(whole, name))
    assert joined.test_train_ratio == whole.test_train_ratio


def test_followed_by_keeps_weaknesses_of_either_part():
    growing = SplitDesign([10, 20], [5, 5], expanding=True)
    plain = SplitDesign([15, 15], [5, 5])
    assert plain.followed_by(growing).expanding
    assert growing.followed_by(plain).expanding
    assert not plain.followed_by(plain).expanding
    halves = SplitDesign([10, 10], [10, 10], [0, 0], complementary_halves=True)
    assert halves.followed_by(halves).complementary_halves
    assert not halves.followed_by(plain).complementary_halves


def test_overlap_ratio_of_partial_splits_assumes_full_training_sets():
    design = design_of(PARTIAL, 600)
    assert design.n_samples == 600
    assert design.test_train_ratio == 60 / 120
    # n_test/(n − n_test); two random training sets overlap less than those of 90/10 splits
    assert design.overlap_ratio == 60 / 540
    assert design.variance_factor == 1 / 20 + 60 / 540


def test_overlap_ratio_sums_split_by_split():
    # The first split uses all 100 samples, the second 30 of them: n_train 80 + (100 − 10).
    design = SplitDesign([80, 20], [20, 10], n_samples=100)
    assert design.overlap_ratio == 30 / 170
    assert SplitDesign([80, 20], [20, 10]).overlap_ratio == 30 / 100  # the pool is unknown


@pytest.mark.parametrize(
    ("cv", "n_samples", "ratio"),
    [
        # 103 / (9 · 103) = 1/9; the first split alone would give 11/92 = 0.1196
        (KFold(10), 103, 1 / 9),
        (RepeatedKFold(n_splits=5, n_repeats=3, random_state=0), 33, 1 / 4),
        (ShuffleSplit(30, test_size=0.3, random_state=0), 50, 15 / 35),
        (LeaveOneOut(), 12, 1 / 11),
    ],
)
def test_both_ratios_are_that_of_the_sizes_if_splits_use_the_whole_pool(cv, n_samples, ratio):
    design = design_of(cv, n_samples)
    assert design.n_samples == n_samples
    assert design.overlap_ratio == design.test_train_ratio == ratio
    assert not design.draws_part


@pytest.mark.parametrize("options", [{}, {"gap": 3}, {"max_train_size": 10}])
def test_overlap_ratio_of_windows_is_the_ratio_of_sizes(options):
    # Nested training sets overlap more than random ones, not less.
    design = design_of(TimeSeriesSplit(5, **options), 60)
    assert design.overlap_ratio == design.test_train_ratio


def test_samples_set_aside_are_not_in_the_pool():
    design = SplitDesign.from_indices(splits_of(KFold(5), 50), 100)
    assert design.n_samples == 50
    assert design.overlap_ratio == 1 / 4  # and not 10/(100 − 10)
    assert SplitDesign.from_indices(splits_of(PARTIAL, 300), 600).n_samples <= 300
    # Two such splits leave out about 49 % by chance, which does not indicate a smaller pool.
    few = ShuffleSplit(2, train_size=0.2, test_size=0.1, random_state=0)
    assert design_of(few, 600).n_samples == 600


def test_test_sets_larger_than_the_pool_have_no_pool():
    splits = [([0, 1], [2, 3, 2, 3, 2]), ([2, 3], [0, 1, 0, 1, 0])]
    design = SplitDesign.from_indices(splits, 4)
    assert design.n_samples is None
    assert design.overlap_ratio == 10 / 4


def test_splits_of_different_pools_have_no_common_pool():
    one, other = (SplitDesign([20] * 2, [10] * 2, n_samples=n) for n in (100, 200))
    assert one.followed_by(one).n_samples == 100
    assert one.followed_by(other).n_samples is None
    assert one.followed_by(other).overlap_ratio == 1 / 2


THREE = SplitDesign([90] * 3, [10] * 3)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -1.8e308])  # too large to be squared
def test_any_score_that_is_not_finite_makes_a_candidate_missing(bad):
    scores = SplitScores([[0.9, bad, 0.9], [0.5, 0.5, 0.5]], THREE)
    assert scores.missing.tolist() == [True, False]
    # The partial mean of the first, 0.9, would beat the second's 0.5.
    assert scores.order.tolist() == [1, 0]
    assert np.isnan(scores.means[0])
    assert (scores.n_available, scores.n_pairs) == (1, 0)
    assert not SplitScores([[0.5, 1e150, 0.5]], THREE).missing.any()


def test_higher_is_better_and_ties_are_in_the_order_of_candidates():
    for means, expected in (([-10, -2, -5], [1, 2, 0]), ([0.1, 0.7, 0.2, 0.7], [1, 3, 2, 0])):
        assert SplitScores(np.tile(means, (3, 1)).T, THREE).order.tolist() == expected


def test_scores_are_copied_and_read_only():
    values = np.full((2, 3), 0.5)
    scores = SplitScores(values, THREE)
    values[:] = 0
    assert (scores.values == 0.5).all()
    with pytest.raises(ValueError, match="read-only"):
        scores.values[0, 0] = 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.1, 0.2, 0.3], "must be a matrix"),
        (np.empty((0, 3)), "must be a matrix"),
        ([[0.1, 0.2]], "one column per split of `design`, 3; got 2"),
        ([["a", "b", "c"]], "must be numbers"),
        ([[0.1, 0.2, 0.3], [0.1]], "must be numbers"),
    ],
)
def test_invalid_score_matrices_raise(values, message):
    with pytest.raises(ValueError, match=message):
        SplitScores(values, THREE)


def test_agreement_counts_no_more_than_the_units_on_which_a_score_depends():
    # Two models that are right on 30 positives may miss 5 % of all others: 0.95^30 = 0.21.
    design = SplitDesign([240] * 5, [60] * 5, [0] * 5)
    scores = SplitScores(np.ones((2, 5)), design)
    assert scores.n_agreed == 300
    assert SplitScores(scores.values, design, n_independent=30).n_agreed == 30
    assert SplitScores(scores.values, design, n_independent=30).subset([1, 0]).n_shared == 30
    for wrong in (0, np.nan, "30", None):
        with pytest.raises(ValueError, match="`n_independent` must be a number > 0; got"):
            SplitScores(scores.values, design, n_independent=wrong)
