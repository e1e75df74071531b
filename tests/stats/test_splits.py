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


def test_ratio_of_shuffle_split_comes_from_sizes_not_from_the_number_of_splits():
    design = design_of(ShuffleSplit(30, test_size=0.3, random_state=0), 50)
    assert design.test_train_ratio == 15 / 35
    assert design.variance_factor == 1 / 30 + 15 / 35


@pytest.mark.parametrize(
    ("cv", "expected"),
    [
        (KFold(4), [0, 0, 0, 0]),
        (RepeatedKFold(n_splits=3, n_repeats=2, random_state=0), [0, 0, 0, 1, 1, 1]),
        (LeaveOneOut(), [0] * 12),
        (TimeSeriesSplit(3), [-1, -1, -1]),  # the first block is never tested on
    ],
)
def test_a_run_of_test_sets_that_partitions_the_data_is_one_repeat(cv, expected):
    assert design_of(cv, 12).repeat.tolist() == expected


def test_shuffled_splits_have_no_repeats():
    assert (design_of(ShuffleSplit(6, test_size=0.5, random_state=0), 12).repeat == -1).all()


def test_a_partition_is_found_behind_a_split_that_is_in_none():
    hold_out = (np.arange(4, 12), np.arange(4))
    splits = [hold_out, *KFold(3, shuffle=True, random_state=0).split(np.zeros(12))]
    assert SplitDesign.from_indices(splits, 12).repeat.tolist() == [-1, 0, 0, 0]


def test_test_samples_drawn_twice_make_no_partition():
    splits = [([2, 3], [0, 0]), ([0, 1], [2, 3])]  # four tested, but only three different ones
    assert SplitDesign.from_indices(splits, 4).repeat.tolist() == [-1, -1]


def test_five_by_two_is_known_by_its_halves_and_not_by_its_number():
    y = np.arange(21) % 3
    halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    assert design_of(halves, 21, y).complementary_halves
    assert not design_of(KFold(10), 21).complementary_halves
    assert not design_of(ShuffleSplit(10, test_size=0.5, random_state=0), 20).complementary_halves


def test_halves_of_unlike_size_are_none():
    splits = [(np.arange(3), np.arange(3, 12)), (np.arange(3, 12), np.arange(3))]
    assert not SplitDesign.from_indices(splits, 12).complementary_halves


def test_training_sets_that_only_grow_are_seen():
    assert design_of(TimeSeriesSplit(4), 20).expanding
    assert not design_of(TimeSeriesSplit(4, max_train_size=4), 20).expanding
    assert not design_of(KFold(4), 20).expanding
    growing_but_not_nested = [([0, 1], [5]), ([1, 2, 3], [4])]
    assert not SplitDesign.from_indices(growing_but_not_nested, 6).expanding


def test_windows_that_slide_are_seen_and_a_repeated_hold_out_is_none():
    slides = list(TimeSeriesSplit(5, max_train_size=10).split(np.zeros(60)))
    design = SplitDesign.from_indices(slides, 60)
    assert design.sliding
    assert not design.expanding
    assert not SplitDesign.from_indices(list(TimeSeriesSplit(5).split(np.zeros(60))), 60).sliding
    same = [(np.arange(40), np.arange(40, 60))] * 3
    assert not SplitDesign.from_indices(same, 60).sliding
    assert not SplitDesign.from_indices(slides[:1], 60).sliding


def test_bags_count_different_samples():
    design = SplitDesign.from_indices([([0, 0, 1, 3], [2]), ([1, 1, 1, 2], [0, 3])], 4)
    assert design.resampled
    assert design.n_train.tolist() == [3, 2]
    assert not SplitDesign.from_indices([([0, 1, 3], [2])], 4).resampled


def test_one_split_neither_expands_nor_halves():
    design = SplitDesign.from_indices([([0, 1], [2, 3])], 4)
    assert not design.expanding
    assert not design.complementary_halves


def test_masks_lists_ranges_and_slices_are_read_alike():
    mask = np.array([True, True, False, False])
    forms = [(~mask, mask), ([2, 3], [0, 1]), (range(2, 4), range(2)), (slice(2, 4), slice(0, 2))]
    for form in forms:
        design = SplitDesign.from_indices([form, ([0, 1], [2, 3])], 4)
        assert design.n_train.tolist() == [2, 2]
        assert design.repeat.tolist() == [0, 0]


def test_an_empty_test_set_is_counted_as_zero():
    design = SplitDesign.from_indices([([0, 1, 2], []), ([0, 1], [2])], 3)
    assert design.n_test.tolist() == [0, 1]


def test_stratified_and_grouped_folds_are_repeats():
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
def test_impossible_sizes_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        SplitDesign(*sizes)


def test_repeat_must_have_an_entry_per_split():
    with pytest.raises(ValueError, match="`repeat` must be 2 whole numbers"):
        SplitDesign([9, 9], [1, 1], repeat=[0])


def test_repeats_are_found_in_one_pass_also_where_every_split_clashes():
    one = [(np.arange(1), np.arange(k % 7, k % 7 + 3)) for k in range(2000)]
    assert (SplitDesign.from_indices(one, 9).repeat == -1).all()
    # The window slides past the clash and finds the partition behind it.
    tests = [[0, 1], [1], [0], [2], [2], [1]]
    splits = [([0], test) for test in tests]
    assert SplitDesign.from_indices(splits, 3).repeat.tolist() == [-1, 0, 0, 0, -1, -1]


def test_nothing_trained_on_is_recorded_and_leaves_the_ratio_infinite():
    design = SplitDesign.from_indices([([], [0, 1]), ([], [2, 3])], 4)
    assert design.test_train_ratio == np.inf
    assert design.repeat.tolist() == [0, 0]


def test_what_was_recorded_cannot_be_edited():
    design = SplitDesign([9, 9], [1, 1])
    for array in (design.n_train, design.n_test, design.repeat):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def test_splits_that_follow_others_are_described_as_if_taken_together():
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


def test_what_strains_a_part_strains_the_whole():
    growing = SplitDesign([10, 20], [5, 5], expanding=True)
    plain = SplitDesign([15, 15], [5, 5])
    assert plain.followed_by(growing).expanding
    assert growing.followed_by(plain).expanding
    assert not plain.followed_by(plain).expanding
    halves = SplitDesign([10, 10], [10, 10], [0, 0], complementary_halves=True)
    assert halves.followed_by(halves).complementary_halves
    assert not halves.followed_by(plain).complementary_halves


def test_a_split_that_uses_a_part_of_the_pool_overlaps_as_if_it_trained_on_all_it_could():
    cv = ShuffleSplit(20, train_size=0.2, test_size=0.1, random_state=0)
    design = design_of(cv, 600)
    assert design.n_samples == 600
    assert design.test_train_ratio == 60 / 120
    # n_test/(n − n_test); two random training sets share less than those of 90/10 splits do
    assert design.overlap_ratio == 60 / 540
    assert design.variance_factor == 1 / 20 + 60 / 540


def test_sizes_that_differ_are_summed_one_split_at_a_time():
    # The first split uses all 100 samples, the second 30 of them: n_train 80 + (100 − 10).
    design = SplitDesign([80, 20], [20, 10], n_samples=100)
    assert design.overlap_ratio == 30 / 170
    assert SplitDesign([80, 20], [20, 10]).overlap_ratio == 30 / 100  # the pool is not known


@pytest.mark.parametrize(
    ("cv", "n_samples"),
    [
        (KFold(10), 103),
        (RepeatedKFold(n_splits=5, n_repeats=3, random_state=0), 33),
        (ShuffleSplit(30, test_size=0.3, random_state=0), 50),
        (LeaveOneOut(), 12),
    ],
)
def test_splits_that_use_the_whole_pool_have_one_ratio(cv, n_samples):
    design = design_of(cv, n_samples)
    assert design.n_samples == n_samples
    assert design.overlap_ratio == design.test_train_ratio
    assert not design.draws_part


@pytest.mark.parametrize(
    "cv", [TimeSeriesSplit(5), TimeSeriesSplit(5, gap=3), TimeSeriesSplit(5, max_train_size=10)]
)
def test_windows_keep_the_ratio_of_their_own_sizes(cv):
    design = design_of(cv, 60)  # nested training sets overlap more than random ones, not less
    assert design.overlap_ratio == design.test_train_ratio


def test_samples_that_were_set_aside_are_no_part_of_the_pool():
    splits = list(KFold(5).split(np.zeros(50)))
    design = SplitDesign.from_indices(splits, 100)
    assert design.n_samples == 50
    assert design.overlap_ratio == 1 / 4  # and not 10/(100 − 10)
    cv = ShuffleSplit(20, train_size=0.2, test_size=0.1, random_state=0)
    design = SplitDesign.from_indices(list(cv.split(np.zeros(300))), 600)
    assert design.n_samples <= 300
    # As few as two such splits leave about 49 % to chance, which is no sign of anything.
    few = ShuffleSplit(2, train_size=0.2, test_size=0.1, random_state=0)
    assert design_of(few, 600).n_samples == 600


def test_test_sets_larger_than_what_they_are_drawn_from_have_no_pool():
    splits = [([0, 1], [2, 3, 2, 3, 2]), ([2, 3], [0, 1, 0, 1, 0])]
    design = SplitDesign.from_indices(splits, 4)
    assert design.n_samples is None
    assert design.overlap_ratio == 10 / 4


def test_splits_of_two_pools_have_none_together():
    one, other = (SplitDesign([20] * 2, [10] * 2, n_samples=n) for n in (100, 200))
    assert one.followed_by(one).n_samples == 100
    assert one.followed_by(other).n_samples is None
    assert one.followed_by(other).overlap_ratio == 1 / 2


@pytest.mark.parametrize("n_samples", [79, 80.0, True, "100"])
def test_a_pool_smaller_than_a_set_of_it_is_refused(n_samples):
    with pytest.raises(ValueError, match=r"`n_samples` must be a whole number ≥ 80.*; got"):
        SplitDesign([80, 70], [20, 30], n_samples=n_samples)


def test_what_was_fitted_before_stays_uncorrectable_in_a_pool():
    design = SplitDesign.from_indices([([], [0, 1]), ([], [2, 3])], 4)
    assert design.overlap_ratio == np.inf
