"""DeLong's test fold by fold: means of areas, sums of variances, and curves of that area."""

import numpy as np
import pytest
from sklearn.metrics import auc, roc_auc_score

from sklearn_stats_compare import delong
from sklearn_stats_compare.stats import delong_of_folds


def folds_of(n_folds, n=60, seed=0):
    rng = np.random.default_rng(seed)
    folds = []
    for k in range(n_folds):
        truth = np.r_[[0, 0, 1, 1], rng.integers(0, 2, n + k - 4)]
        signal = truth + rng.normal(size=truth.size)
        folds.append((truth, np.round(signal, 1), signal + rng.normal(size=truth.size)))
    return folds


def test_one_fold_equals_delongs_test():
    (fold,) = folds_of(1)
    one, whole = delong_of_folds([fold]), delong(*fold)
    for name in ("statistic", "pvalue", "auc1", "auc2", "var1", "var2", "cov", "variance"):
        assert getattr(one, name) == pytest.approx(getattr(whole, name), rel=1e-12)


def test_areas_and_variances_are_those_of_means():
    folds = folds_of(4)
    found, each = delong_of_folds(folds), [delong(*fold) for fold in folds]
    areas = [roc_auc_score(truth, score) for truth, score, _ in folds]
    assert found.auc1 == pytest.approx(np.mean(areas), rel=1e-12)  # scikit-learn's mean over folds
    assert found.variance == pytest.approx(sum(one.variance for one in each) / 16, rel=1e-12)
    assert found.statistic == pytest.approx(found.difference / found.variance**0.5, rel=1e-12)


def test_mean_curves_are_increasing_with_the_mean_area():
    found = delong_of_folds(folds_of(3))
    for (false, true), area in ((found.curve1, found.auc1), (found.curve2, found.auc2)):
        assert auc(false, true) == pytest.approx(area, rel=1e-12)
        assert (np.diff(false) >= 0).all()
        assert (np.diff(true) >= 0).all()
        assert (false[0], true[-1]) == (0, 1)


def test_swapping_the_models_flips_the_sign():
    folds = folds_of(3)
    turned = delong_of_folds([(truth, two, one) for truth, one, two in folds])
    assert turned.statistic == pytest.approx(-delong_of_folds(folds).statistic)


def test_equal_models_differ_as_often_as_stated():
    # z of sums over 5 folds of 40: 5 % of 1,000, whose standard error is 0.7 %.
    rng = np.random.default_rng(0)
    rejected = 0
    for _ in range(1000):
        folds = []
        for _ in range(5):
            truth = np.repeat([0, 1], 20)
            common = truth + rng.normal(size=40)
            folds.append((truth, common + rng.normal(size=40), common + rng.normal(size=40)))
        rejected += delong_of_folds(folds).pvalue < 0.05
    assert 0.03 < rejected / 1000 < 0.075


def test_fold_with_fewer_than_two_of_a_class_raises():
    truth = np.r_[1, np.zeros(9, dtype=int)]
    with pytest.raises(ValueError, match="at least two samples of each class"):
        delong_of_folds([(truth, np.arange(10.0), np.arange(10.0))])
