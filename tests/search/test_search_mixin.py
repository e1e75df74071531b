"""StatisticalSearchMixin: statistics for searches whose own code lists and evaluates candidates."""

import pickle
import warnings

import cloudpickle
import numpy as np
import pytest
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection._search import BaseSearchCV
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc

X, y = make_classification(150, 6, n_informative=3, flip_y=0.1, random_state=0)
TREE = DecisionTreeClassifier(random_state=0)
FOLDS = ms.KFold(10, shuffle=True, random_state=0)
DEPTHS = {"max_depth": [1, 2, 3, 4]}


class Batches(BaseSearchCV):
    """A search of its own, for scikit-learn before 1.9: batches, and no callback context."""

    def __init__(self, estimator, depths=(1, 2, 3, 4), *, cv=None, refit=True, batch=2):
        super().__init__(estimator, cv=cv, refit=refit)
        self.depths = depths
        self.batch = batch

    def _run_search(self, evaluate_candidates):
        for k in range(0, len(self.depths), self.batch):
            evaluate_candidates([{"max_depth": d} for d in self.depths[k : k + self.batch]])


class OwnFit(Batches):
    def __init__(self, estimator, *, cv=None, **more):
        super().__init__(estimator, cv=cv)
        self.seen = []

    def fit(self, X, y=None, callback=None, *, groups=None):
        self.seen.append(callback)
        self.callback_ = callback
        return super().fit(X, y)


class Bypasses(Batches):
    def fit(self, X, y=None):
        own = ms.GridSearchCV(self.estimator, DEPTHS, cv=self.cv).fit(X, y)
        self.cv_results_, self.best_index_ = own.cv_results_, own.best_index_
        return self


class Drops(Batches):
    def fit(self, X, y=None):
        super().fit(X, y)
        self.cv_results_ = {name: column[:3] for name, column in self.cv_results_.items()}
        return self


class ByPlace(Batches):
    """Passes a splitter by its place, as halving does, and `more_results`."""

    def _run_search(self, evaluate_candidates):
        candidates = [{"max_depth": d} for d in self.depths]
        evaluate_candidates(candidates, self.cv, {"named": [f"d{d}" for d in self.depths]})


SETTINGS = {"alpha", "rope", "test", "return_predictions"}


def statistical(kind=Batches, **settings):
    return type(f"Statistical{kind.__name__}", (ssc.StatisticalSearchMixin, kind), settings)


def fitted(kind=Batches, **params):
    settings = {name: params.pop(name) for name in SETTINGS & params.keys()}
    return statistical(kind, **settings)(TREE, **{"cv": FOLDS, **params}).fit(X, y)


@pytest.fixture(scope="module")
def batches():
    return fitted()


@pytest.fixture(scope="module")
def grid():
    return ssc.StatisticalGridSearchCV(TREE, DEPTHS, cv=FOLDS).fit(X, y)


@pytest.mark.parametrize("kind", [Batches, OwnFit, ByPlace])
def test_the_comparison_is_that_of_a_grid_search_with_the_same_candidates(kind, grid):
    search = fitted(kind)
    # The same candidates on the same splits: nothing may depend on how they were batched.
    ours, theirs = search.pairwise_frequentist_, grid.pairwise_frequentist_
    np.testing.assert_array_equal(ours["model_1"], theirs["model_1"])
    np.testing.assert_array_equal(ours["p_val"], theirs["p_val"])
    np.testing.assert_array_equal(search.n_train_, grid.n_train_)
    np.testing.assert_array_equal(search.n_test_, [15] * 10)  # 150 samples in ten folds
    assert search.test_train_ratio_ == pytest.approx(1 / 9)
    assert search.best_params_ == grid.best_params_
    assert search.posterior(0, 1) == grid.posterior(0, 1)
    assert list(search.possibly_best_.index) == list(grid.possibly_best_.index)
    assert "max_depth" in ssc.report(search)
    assert search.comparison_.plot().figure_.axes


def test_results_are_those_of_the_class_without_statistics(batches):
    own, ours = Batches(TREE, cv=FOLDS).fit(X, y), batches
    assert own.cv_results_.keys() == ours.cv_results_.keys()
    np.testing.assert_array_equal(
        own.cv_results_["mean_test_score"], ours.cv_results_["mean_test_score"]
    )
    np.testing.assert_array_equal(own.predict(X), ours.predict(X))


def test_a_second_batch_may_have_been_chosen_by_scores_and_the_note_says_so(batches):
    assert "chose candidates after it had seen scores" in batches.comparison_.note
    assert batches.comparison_.next_step().startswith("These scores chose the candidates")
    # One batch is listed before any score is seen.
    assert fitted(batch=4).comparison_.note == ""


def test_a_search_that_redraws_its_splits_raises_before_the_fits_of_the_second_batch(batches):
    search = statistical()(TREE, cv=ms.ShuffleSplit(10))
    with pytest.raises(ValueError, match=r"`cv` must make the same splits .* for batch 2 than"):
        search.fit(X, y)
    assert not hasattr(search, "cv_results_")
    # One batch splits once, so that nothing can differ.
    assert fitted(cv=ms.ShuffleSplit(10), batch=4).n_splits_ == 10
    # A seed, and a list of splits that can be read once only, give the same splits each time.
    assert fitted(cv=ms.ShuffleSplit(10, random_state=0)).n_splits_ == 10
    assert fitted(cv=FOLDS.split(X)).comparison_.leader == batches.comparison_.leader


def test_a_fit_that_goes_around_the_hooks_raises_and_says_why():
    with pytest.raises(TypeError, match=r"Bypasses has 4 candidates in cv_results_, and 0 were"):
        fitted(Bypasses)
    with pytest.raises(TypeError, match=r"Drops has 3 candidates in cv_results_, and 4 were"):
        fitted(Drops)


def test_a_subclass_with_a_run_of_its_own_does_not_record_nothing():
    class Mine(ssc.StatisticalSearchMixin, Batches):
        def _run_search(self, evaluate_candidates):
            evaluate_candidates([{"max_depth": 1}, {"max_depth": 2}])

    with pytest.raises(TypeError, match="0 were recorded"):
        Mine(TREE, cv=FOLDS).fit(X, y)

    # The mixin goes outside.
    class Own(Batches):
        _run_search = Mine._run_search

    assert fitted(Own).comparison_.scores.n_candidates == 2


def test_a_fit_of_its_own_gets_its_arguments_by_place_and_by_name():
    search = statistical(OwnFit)(TREE, cv=FOLDS)
    search.fit(X, y, "by place")
    assert search.callback_ == "by place"
    search.fit(X, y, callback="by name", groups=None)
    # What `__init__` made is not of the fit: the second one must find it.
    assert search.seen == ["by place", "by name"]
    with pytest.raises(TypeError, match="too many positional"):
        search.fit(X, y, 1, 2)


def test_parameters_are_those_of_the_search_and_settings_those_of_the_class():
    class Strict(ssc.StatisticalSearchMixin, Batches):
        alpha = 0.01

    search = Strict(TREE, (1, 2), cv=FOLDS)
    assert search.get_params(deep=False) == Batches(TREE, (1, 2), cv=FOLDS).get_params(deep=False)
    assert clone(search.set_params(batch=3)).fit(X, y).comparison_._settings.alpha == 0.01
    assert search.fit(X, y).compare(alpha=0.1)._settings.alpha == 0.1
    with pytest.raises(ValueError, match="'alpha' parameter of StatisticalBatches must be a float"):
        fitted(alpha=2)


def test_a_setting_that_init_takes_is_a_parameter():
    class Levelled(ssc.StatisticalSearchMixin, Batches):
        def __init__(self, estimator, *, cv=None, alpha=0.05):
            super().__init__(estimator, cv=cv)
            self.alpha = alpha

    search = clone(Levelled(TREE, cv=FOLDS, alpha=0.2))
    assert search.fit(X, y).comparison_._settings.alpha == 0.2
    assert "alpha=0.2" in repr(search)


class Named(ssc.StatisticalSearchMixin, Batches):
    """A class that a module can import."""


@pytest.mark.parametrize("library", [pickle, cloudpickle])
def test_instances_can_be_pickled(library, batches):
    search = library.loads(library.dumps(Named(TREE, cv=FOLDS).fit(X, y)))
    assert type(search) is Named
    np.testing.assert_array_equal(search.predict(X), batches.predict(X))
    assert search.pairwise_frequentist_.equals(batches.pairwise_frequentist_)


@pytest.mark.slow  # the same with threads: test_workers::test_jobs_within_jobs
def test_a_search_in_workers_of_an_outer_cross_validation():
    search = Named(TREE, cv=3)
    scores = ms.cross_val_score(search, X, y, cv=3, n_jobs=2, error_score="raise")
    np.testing.assert_array_equal(scores, ms.cross_val_score(Batches(TREE, cv=3), X, y, cv=3))


def test_classes_that_cannot_be_made_are_refused():
    with pytest.raises(TypeError, match=r"must stand before the search .* of Behind; got Batches,"):

        class Behind(Batches, ssc.StatisticalSearchMixin):
            pass

    class Alpha(Batches):
        def __init__(self, estimator, alpha=1.0):
            super().__init__(estimator)

    # Its alpha would be the level.
    with pytest.raises(TypeError, match=r"the name of a setting, .*; Alpha has alpha"):
        statistical(Alpha)


def test_what_needs_a_list_of_candidates_is_missing(batches, grid):
    for name in ("ledger", "max_time"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            statistical()(TREE, **{name: 1})
    assert not hasattr(batches, "extend")
    with pytest.raises(ValueError, match="`stage` must be None, because only a halving search"):
        grid.compare(stage=0)


def test_predictions_and_the_test_of_samples():
    search = fitted(return_predictions=True)
    # Each sample is in one of ten folds.
    predicted = search.predictions("3")["predict"].to_numpy()
    scores = search.cv_results_["mean_test_score"]
    assert (predicted == y).mean() == pytest.approx(scores[2])  # folds of one size
    assert search.compare(test="samples").leader == search.comparison_.leader
    assert fitted(test="samples").comparison_.scores.samples is not None


def test_a_rule_in_refit_chooses_and_an_error_before_the_fits():
    search = fitted(refit=ssc.Simplest("max_depth"))
    grid = ssc.StatisticalGridSearchCV(TREE, DEPTHS, cv=FOLDS, refit=ssc.Simplest("max_depth")).fit(
        X, y
    )
    assert search.best_params_ == grid.best_params_
    assert search.selection_report_.equals(grid.selection_report_)
    with pytest.raises(ValueError, match="min_samples"):
        fitted(refit=ssc.Simplest("min_samples"))


LEAVES = {"min_samples_leaf": list(range(1, 30))}
HALVING = {"min_resources": 40, "factor": 2, "random_state": 0, "cv": FOLDS}


def halving(**params):
    given = {"n_candidates": 9, **HALVING, **params}
    return statistical(ms.HalvingRandomSearchCV)(TREE, LEAVES, **given).fit(X, y)


# The first table of a halving search warns.
of_last_iteration = pytest.mark.filterwarnings("ignore:Only the last iteration")


@pytest.fixture(scope="module")
def halved():
    return halving()


@of_last_iteration
def test_halving_compares_the_last_iteration_on_its_subsamples(halved):
    own = ms.HalvingRandomSearchCV(TREE, LEAVES, n_candidates=9, **HALVING).fit(X, y)
    assert own.best_params_ == halved.best_params_
    assert halved.n_candidates_ == [9, 5]
    assert halved.n_resources_ == [40, 80]
    # int(fraction × size) of 135 and 15 samples, the fraction 80/150 in the last iteration.
    np.testing.assert_array_equal(halved.n_train_, [72] * 10)
    np.testing.assert_array_equal(halved.n_test_, [8] * 10)
    assert halved.comparison_.scores.design.overlap_ratio == 8 / 72
    # Candidates are rows of cv_results_: nine of the first iteration go before.
    assert halved.comparison_._candidates == (9, 10, 11, 12, 13)
    best = halved.comparison_.ranking()["mean"].iloc[0]
    assert best == halved.best_score_ == halved.cv_results_["mean_test_score"][9:].max()
    for words in (halved.comparison_.note, ssc.report(halved)):
        assert "halving search kept these candidates" in " ".join(words.split())


def test_the_first_table_of_halving_warns_once():
    search = halving()
    with pytest.warns(ssc.ComparisonWarning, match="Only the last iteration .* 5 of 14 rows"):
        search.comparison_  # noqa: B018
    search.pairwise_bayesian_  # noqa: B018  # a second warning would be an error


@of_last_iteration
def test_an_earlier_iteration_can_be_compared(halved):
    first = halved.compare(stage=0)
    assert first._candidates == tuple(range(9))
    # Its candidates were not chosen by scores, so that the tests keep their error rates.
    assert first.note.startswith("This is iteration 0 of a halving search, with n_resources = 40")
    assert "kept these candidates" not in first.note
    np.testing.assert_array_equal(first.scores.design.n_train, [36] * 10)  # 135 × 40/150
    np.testing.assert_allclose(first.scores.means, halved.cv_results_["mean_test_score"][:9])
    assert halved.compare(stage=1)._candidates == halved.comparison_._candidates
    assert halved.compare(stage=0, alpha=0.1)._settings.alpha == 0.1
    for wrong in (2, -1, "first"):
        with pytest.raises(ValueError, match="`stage` must be a whole number from 0 to 1; got"):
            halved.compare(stage=wrong)


def test_compare_of_a_fitted_halving_search_is_the_same_comparison(halved):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = ssc.compare(halved)
    assert given.frequentist()["p_val"].equals(halved.pairwise_frequentist_["p_val"])


def test_a_rule_chooses_among_the_last_iteration():
    search = halving(refit=ssc.Simplest({"min_samples_leaf": "descending"}))
    assert search.best_index_ >= 9
    assert set(search.selection_report_.index) == {9, 10, 11, 12, 13}
    assert search.best_score_ == search.cv_results_["mean_test_score"][search.best_index_]


@of_last_iteration
def test_resources_other_than_samples_use_whole_splits():
    given = HALVING | {"resource": "max_leaf_nodes", "max_resources": 16, "min_resources": 4}
    kind = statistical(ms.HalvingGridSearchCV, return_predictions=True)
    search = kind(TREE, {"min_samples_leaf": [1, 3, 5, 9]}, **given).fit(X, y)
    np.testing.assert_array_equal(search.n_test_, [15] * 10)
    last = search.comparison_._candidates
    assert search.compare(test="samples")._candidates == last
    assert search.predictions(last[0]).shape == (150, 1)
    with pytest.raises(ValueError, match="last iteration"):
        search.predictions(0)
