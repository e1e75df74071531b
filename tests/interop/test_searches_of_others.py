"""Fitted searches of other packages as they are; each test is skipped without its package."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import GroupKFold, KFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare

# Each warns of its own plans and of those of its dependencies.
pytestmark = pytest.mark.filterwarnings("ignore")

X, y = make_classification(n_samples=120, flip_y=0.2, random_state=0)
GROUPS = np.arange(120) // 7
CV = KFold(6, shuffle=True, random_state=0)
REASON = "it is installed by `nox -s interop`"
TREE = DecisionTreeClassifier(random_state=0)


def of_skopt(cv):
    skopt = pytest.importorskip("skopt", reason=REASON)
    return skopt.BayesSearchCV(TREE, {"max_depth": (1, 6)}, cv=cv, n_iter=5, random_state=0)


def of_dask_ml(cv):
    model_selection = pytest.importorskip("dask_ml.model_selection", reason=REASON)
    return model_selection.GridSearchCV(TREE, {"max_depth": [1, 2, 4]}, cv=cv)


def of_sklearn_genetic(cv):
    genetic = pytest.importorskip("sklearn_genetic", reason=REASON)
    from sklearn_genetic.space import Continuous

    # Its version 0.12 makes numbers with fractions of a single whole one.
    return genetic.GASearchCV(
        TREE, param_grid={"ccp_alpha": Continuous(0, 0.1)}, cv=cv, population_size=4,
        generations=2, verbose=False,
    )  # fmt: skip


SEARCHES = [of_skopt, of_dask_ml, of_sklearn_genetic]


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_gives_the_tables_of_the_matrix_read_by_hand(search):
    """The matrix is scikit-learn's: it pairs only if the search really repeated the splits."""
    fitted = search(CV).fit(X, y)
    found = compare(fitted)
    trees = [clone(TREE).set_params(**params) for params in fitted.cv_results_["params"]]
    matrix = [cross_val_score(tree, X, y, cv=CV) for tree in trees]
    options = {"metric": "accuracy", "test_train_ratio": 1 / 5}
    expected = compare(np.array(matrix), labels=list(found.labels), **options)
    for table in ("frequentist", "bayesian", "against"):
        pd.testing.assert_frame_equal(getattr(found, table)(), getattr(expected, table)())
    assert ("chose candidates" in found.note) == (search is not of_dask_ml)


@pytest.mark.parametrize("search", SEARCHES)
def test_splits_that_are_drawn_anew_are_refused(search):
    fitted = search(KFold(6, shuffle=True)).fit(X, y)
    with pytest.raises(ValueError, match="which may have split anew for each candidate"):
        compare(fitted)


def test_grouped_splits_are_counted_from_the_data():
    fitted = of_dask_ml(GroupKFold(4)).fit(X, y, groups=GROUPS)
    sizes = [test.size for _, test in GroupKFold(4).split(X, y, GROUPS)]
    assert len(set(sizes)) > 1  # 120 samples in groups of 7 are not four equal folds
    design = compare(fitted, X=X, y=y, groups=GROUPS).scores.design
    assert design.n_test.tolist() == sizes
