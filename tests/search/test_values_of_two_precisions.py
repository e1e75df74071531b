"""A ledger may have values of samples of some fits and predictions of others."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    RacingGridSearchCV,
    Simplest,
    StatisticalGridSearchCV,
    cross_validate_models,
)
from sklearn_stats_compare.displays import RaceDisplay

pytestmark = pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")


def data_of(seed):
    return make_classification(150, 8, flip_y=0.2, random_state=seed)


@pytest.mark.parametrize("seed", [225904, 673757])
@pytest.mark.parametrize("scoring", ["f1", "neg_log_loss"])
def test_a_race_on_the_ledger_of_a_grid_drops_whom_it_drops_without_it(tmp_path, seed, scoring):
    X, y = data_of(seed)
    tree, cv = (
        DecisionTreeClassifier(random_state=0),
        StratifiedKFold(10, shuffle=True, random_state=0),
    )
    path = tmp_path / "both.sqlite"
    grid = {"max_depth": [1, 5, 6]}
    StatisticalGridSearchCV(tree, grid, cv=cv, scoring=scoring, ledger=path).fit(X, y)
    found = [
        RacingGridSearchCV(
            tree, {"max_depth": [3, 1, 5, 2]}, cv=cv, scoring=scoring, random_state=0, **options
        ).fit(X, y)
        for options in ({}, {"ledger": path}, {"return_predictions": True})
    ]
    for race in found[1:]:
        for name in ("eliminated_at", "elimination_pvalue"):
            np.testing.assert_array_equal(race.cv_results_[name], found[0].cv_results_[name])


@pytest.mark.parametrize("scoring", ["roc_auc", "balanced_accuracy", "neg_log_loss"])
def test_identical_candidates_have_identical_values_whoever_saved_them(tmp_path, scoring):
    X, y = data_of(643828)
    tree = DecisionTreeClassifier(random_state=0, min_samples_leaf=30)
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    path = tmp_path / "both.sqlite"
    RacingGridSearchCV(
        tree, {"max_depth": [3, 6]}, cv=cv, scoring=scoring, random_state=0, ledger=path
    ).fit(X, y)
    depths, bests = {"max_depth": [3, 4, 6]}, []
    for options in ({"ledger": path}, {}):
        search = StatisticalGridSearchCV(
            tree, depths, cv=cv, scoring=scoring, rope=0.02, refit=Simplest(within=None), **options
        ).fit(X, y)
        table = search.compare(test="samples").frequentist()
        assert (table["std_err"] == 0).all()  # the three trees are the same on all folds
        assert table["ci_high"].nunique() == 1
        assert (table["verdict"] == "undecided").all()
        bests.append(search.best_params_)
    assert bests[0] == bests[1]


class Counts(DecisionTreeClassifier):
    """Counts its fits."""

    n_fits = 0

    def fit(self, X, y, sample_weight=None, check_input=True):
        type(self).n_fits += 1
        return super().fit(X, y, sample_weight, check_input)


def by_estimator(estimator, X, y):
    return accuracy_score(y, estimator.predict(X))


@pytest.mark.parametrize("kind", ["groups", "function"])
def test_a_race_that_cannot_look_at_samples_resumes(tmp_path, kind):
    X, y = make_classification(200, 8, flip_y=0.2, random_state=0)
    groups = {"groups": np.arange(200) % 40} if kind == "groups" else {}
    race = RacingGridSearchCV(
        Counts(random_state=0),
        {"max_depth": [1, 3, 9]},
        cv=GroupKFold(10) if groups else 10,
        scoring=None if groups else by_estimator,
        random_state=0,
        ledger=tmp_path / "race.sqlite",
    )
    n_fits = race.fit(X, y, **groups).n_fits_
    Counts.n_fits = 0
    assert race.fit(X, y, **groups).n_reused_ >= n_fits - 1
    assert Counts.n_fits <= 5  # three checks and the refit


@pytest.mark.parametrize("options", [{"test": "samples"}, {"return_predictions": "values"}])
def test_saved_fits_without_values_are_not_repeated_where_there_are_none(tmp_path, options):
    X, y = make_classification(200, 8, flip_y=0.2, random_state=0)
    models = {"a": Counts(max_depth=1), "b": Counts(max_depth=3)}
    for expected in (10, 0):
        Counts.n_fits = 0
        cross_validate_models(models, X, y, cv=5, scoring=by_estimator, ledger=tmp_path, **options)
        assert Counts.n_fits == expected


def test_the_picture_of_a_race_is_that_of_before_it_was_extended():
    X, y = data_of(0)
    race = RacingGridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 2, 3, 5, 8]},
        cv=StratifiedKFold(10, shuffle=True, random_state=0),
        random_state=0,
    ).fit(X, y)
    before = RaceDisplay.from_search(race).frame()
    after = RaceDisplay.from_search(race.extend(X, y, n_repeats=1)).frame()
    np.testing.assert_array_equal(after.sort_index(), before.sort_index())
