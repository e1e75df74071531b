"""Sizes and structure of splits, read from their indices."""

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

from sklearn_stats_compare import SplitDesign


def design_of(cv, n_samples, y=None, groups=None):
    X = np.zeros((n_samples, 1))
    return SplitDesign.from_indices(list(cv.split(X, y, groups)), n_samples)


def test_ratio_of_uneven_folds_is_exactly_one_over_k_minus_one():
    design = design_of(KFold(10), 103)
    assert design.n_test.tolist() == [11] * 3 + [10] * 7
    # 103 / (9 · 103) = 1/9; the first split alone would give 11/92 = 0.1196
    assert design.test_train_ratio == 1 / 9


def test_ratio_of_shuffle_split_depends_on_sizes_only():
    design = design_of(ShuffleSplit(30, test_size=0.3, random_state=0), 50)
    assert design.test_train_ratio == 15 / 35
    assert design.variance_factor == 1 / 30 + 15 / 35


@pytest.mark.parametrize(
    ("cv", "expected"),
    [
        (KFold(4), [0, 0, 0, 0]),
        (RepeatedKFold(n_splits=3, n_repeats=2, random_state=0), [0, 0, 0, 1, 1, 1]),
        (LeaveOneOut(), [0] * 12),
        (TimeSeriesSplit(3), [-1, -1, -1]),  # the first block is never in a test set
    ],
)
def test_consecutive_test_sets_that_partition_the_data_form_a_repeat(cv, expected):
    assert design_of(cv, 12).repeat.tolist() == expected


def test_shuffled_splits_have_no_repeats():
    assert (design_of(ShuffleSplit(6, test_size=0.5, random_state=0), 12).repeat == -1).all()


def test_partition_is_found_after_a_split_outside_any_repeat():
    hold_out = (np.arange(4, 12), np.arange(4))
    splits = [hold_out, *KFold(3, shuffle=True, random_state=0).split(np.zeros(12))]
    assert SplitDesign.from_indices(splits, 12).repeat.tolist() == [-1, 0, 0, 0]


def test_repeated_test_samples_do_not_form_a_partition():
    splits = [([2, 3], [0, 0]), ([0, 1], [2, 3])]  # four test samples, but only three distinct ones
    assert SplitDesign.from_indices(splits, 4).repeat.tolist() == [-1, -1]


def test_five_by_two_is_detected_from_its_halves():
    y = np.arange(21) % 3
    halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    assert design_of(halves, 21, y).complementary_halves
    assert not design_of(KFold(10), 21).complementary_halves
    assert not design_of(ShuffleSplit(10, test_size=0.5, random_state=0), 20).complementary_halves


def test_halves_of_unequal_size_are_not_complementary():
    splits = [(np.arange(3), np.arange(3, 12)), (np.arange(3, 12), np.arange(3))]
    assert not SplitDesign.from_indices(splits, 12).complementary_halves


def test_expanding_windows_are_detected():
    assert design_of(TimeSeriesSplit(4), 20).expanding
    assert not design_of(TimeSeriesSplit(4, max_train_size=4), 20).expanding
    assert not design_of(KFold(4), 20).expanding
    growing_but_not_nested = [([0, 1], [5]), ([1, 2, 3], [4])]
    assert not SplitDesign.from_indices(growing_but_not_nested, 6).expanding


def test_sliding_windows_are_detected_and_repeated_hold_out_is_not_one():
    slides = list(TimeSeriesSplit(5, max_train_size=10).split(np.zeros(60)))
    design = SplitDesign.from_indices(slides, 60)
    assert design.sliding
    assert not design.expanding
    assert not SplitDesign.from_indices(list(TimeSeriesSplit(5).split(np.zeros(60))), 60).sliding
    same = [(np.arange(40), np.arange(40, 60))] * 3
    assert not SplitDesign.from_indices(same, 60).sliding
    assert not SplitDesign.from_indices(slides[:1], 60).sliding


def test_sizes_of_bootstraps_count_distinct_samples():
    design = SplitDesign.from_indices([([0, 0, 1, 3], [2]), ([1, 1, 1, 2], [0, 3])], 4)
    assert design.resampled
    assert design.n_train.tolist() == [3, 2]
    assert not SplitDesign.from_indices([([0, 1, 3], [2])], 4).resampled


def test_one_split_is_neither_expanding_nor_halved():
    design = SplitDesign.from_indices([([0, 1], [2, 3])], 4)
    assert not design.expanding
    assert not design.complementary_halves


def test_masks_lists_ranges_and_slices_are_equivalent():
    mask = np.array([True, True, False, False])
    forms = [(~mask, mask), ([2, 3], [0, 1]), (range(2, 4), range(2)), (slice(2, 4), slice(0, 2))]
    for form in forms:
        design = SplitDesign.from_indices([form, ([0, 1], [2, 3])], 4)
        assert design.n_train.tolist() == [2, 2]
        assert design.repeat.tolist() == [0, 0]


def test_empty_test_set_has_size_zero():
    design = SplitDesign.from_indices([([0, 1, 2], []), ([0, 1], [2])], 3)
    assert design.n_test.tolist() == [0, 1]


def test_stratified_and_grouped_folds_form_repeats():
    y = np.array([0] * 14 + [1] * 6)
    assert design_of(StratifiedKFold(3), 20, y).repeat.tolist() == [0, 0, 0]
    groups = np.repeat([0, 1, 2, 3], [10, 5, 3, 2])
    design = design_of(GroupKFold(4), 20, groups=groups)
    assert sorted(design.n_test.tolist()) == [2, 3, 5, 10]
    assert design.test_train_ratio == 20 / 60


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (([90, 90], [10]), "got 2 and 1 entries"),
        (([90.5], [10]), "`n_train` must be whole numbers ≥ 0"),
        (([90], [-1]), "`n_test` must be whole numbers ≥ 0"),
        (([], []), "one per split"),
        ((90, 10), "one per split"),
    ],
)
def test_invalid_sizes_raise(sizes, message):
    with pytest.raises(ValueError, match=message):
        SplitDesign(*sizes)


def test_repeat_of_wrong_length_raises():
    with pytest.raises(ValueError, match="`repeat` must be 2 whole numbers"):
        SplitDesign([9, 9], [1, 1], repeat=[0])


def test_repeats_are_found_in_one_pass_even_if_test_sets_overlap():
    one = [(np.arange(1), np.arange(k % 7, k % 7 + 3)) for k in range(2000)]
    assert (SplitDesign.from_indices(one, 9).repeat == -1).all()
    # The search moves past the overlap and finds the partition after it.
    tests = [[0, 1], [1], [0], [2], [2], [1]]
    splits = [([0], test) for test in tests]
    assert SplitDesign.from_indices(splits, 3).repeat.tolist() == [-1, 0, 0, 0, -1, -1]


def test_empty_training_sets_make_the_ratio_infinite():
    design = SplitDesign.from_indices([([], [0, 1]), ([], [2, 3])], 4)
    assert design.test_train_ratio == np.inf
    assert design.repeat.tolist() == [0, 0]


def test_recorded_sizes_are_read_only():
    design = SplitDesign([9, 9], [1, 1])
    for array in (design.n_train, design.n_test, design.repeat):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def test_followed_by_equals_the_design_of_all_splits():
    X = np.zeros(20)
    parts = [
        list(RepeatedKFold(n_splits=4, n_repeats=2, random_state=0).split(X)),
        list(ShuffleSplit(3, random_state=0).split(X)),
        list(KFold(5).split(X)),
    ]
    joined = SplitDesign.from_indices(parts[0], 20)
    for part in parts[1:]:
        joined = joined.followed_by(SplitDesign.from_indices(part, 20))
    whole = SplitDesign.from_indices([split for part in parts for split in part], 20)
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
    cv = ShuffleSplit(20, train_size=0.2, test_size=0.1, random_state=0)
    design = design_of(cv, 600)
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
    ("cv", "n_samples"),
    [
        (KFold(10), 103),
        (RepeatedKFold(n_splits=5, n_repeats=3, random_state=0), 33),
        (ShuffleSplit(30, test_size=0.3, random_state=0), 50),
        (LeaveOneOut(), 12),
    ],
)
def test_both_ratios_agree_if_splits_use_the_whole_pool(cv, n_samples):
    design = design_of(cv, n_samples)
    assert design.n_samples == n_samples
    assert design.overlap_ratio == design.test_train_ratio
    assert not design.draws_part


@pytest.mark.parametrize(
    "cv", [TimeSeriesSplit(5), TimeSeriesSplit(5, gap=3), TimeSeriesSplit(5, max_train_size=10)]
)
def test_overlap_ratio_of_windows_is_the_ratio_of_sizes(cv):
    design = design_of(cv, 60)  # nested training sets overlap more than random ones, not less
    assert design.overlap_ratio == design.test_train_ratio


def test_samples_set_aside_are_not_in_the_pool():
    splits = list(KFold(5).split(np.zeros(50)))
    design = SplitDesign.from_indices(splits, 100)
    assert design.n_samples == 50
    assert design.overlap_ratio == 1 / 4  # and not 10/(100 − 10)
    cv = ShuffleSplit(20, train_size=0.2, test_size=0.1, random_state=0)
    design = SplitDesign.from_indices(list(cv.split(np.zeros(300))), 600)
    assert design.n_samples <= 300
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


@pytest.mark.parametrize("n_samples", [79, 80.0, True, "100"])
def test_pool_smaller_than_a_set_raises(n_samples):
    with pytest.raises(ValueError, match=r"`n_samples` must be a whole number ≥ 80.*; got"):
        SplitDesign([80, 70], [20, 30], n_samples=n_samples)


def test_ratio_without_training_samples_is_infinite_in_a_pool():
    design = SplitDesign.from_indices([([], [0, 1]), ([], [2, 3])], 4)
    assert design.overlap_ratio == np.inf
