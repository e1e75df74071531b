"""Numbers do not depend on the form of y: a vector, a column, dense or sparse labels."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_classification, make_multilabel_classification, make_regression
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer, r2_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    GroupShuffleSplit,
    HalvingGridSearchCV,
    KFold,
    PredefinedSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    BestSubjectTo,
    ComparisonWarning,
    Simplest,
    StatisticalGridSearchCV,
    StatisticalSearchMixin,
    cross_validate_models,
    nested_score,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")

X, y = make_classification(300, weights=[0.9], class_sep=3, flip_y=0, random_state=1)
TREE = DecisionTreeClassifier(random_state=0)


@pytest.mark.parametrize("form", [lambda y: y[:, None], lambda y: pd.DataFrame({"t": y})])
def test_a_column_of_classes_has_the_rarest_class_of_a_vector(form):
    search = StatisticalGridSearchCV(TREE, {"max_depth": [2, 5]}, cv=5, scoring="f1_macro")
    expected = search.fit(X, y + 1).comparison_.frequentist()
    found = search.fit(X, form(y + 1)).comparison_.frequentist()
    pd.testing.assert_frame_equal(found, expected)
    # 29 samples of the rarer class: a difference that none of them shows.
    assert expected["ci_high"][0] == pytest.approx(1 - 0.025 ** (1 / (y == 1).sum()))


def test_sparse_labels_have_the_tables_of_dense_ones():
    data, labels = make_multilabel_classification(200, n_classes=4, random_state=0)
    grid = {"estimator__C": [0.01, 1.0]}
    model = OneVsRestClassifier(LogisticRegression())
    search = StatisticalGridSearchCV(model, grid, cv=5, scoring="f1_macro")
    expected = search.fit(data, labels).comparison_.frequentist()
    found = search.fit(data, sparse.csr_matrix(labels)).comparison_.frequentist()
    pd.testing.assert_frame_equal(found, expected)
    assert pickle.loads(pickle.dumps(search)).best_index_ == search.best_index_


def test_the_area_does_not_depend_on_which_label_is_called_1():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(300, 4))
    labels = np.c_[data[:, 0] > -1.65, data[:, 1] > -1.3].astype(int)
    cv = KFold(5, shuffle=True, random_state=0)
    search = StatisticalGridSearchCV(TREE, {"max_depth": [2, 3]}, cv=cv, scoring="roc_auc")
    tables = [
        search.fit(data, own).comparison_.frequentist()[["ci_low", "ci_high"]]
        for own in (labels, 1 - labels)
    ]
    pd.testing.assert_frame_equal(*tables)
    fewest = (labels == 0).sum(axis=0).min()
    assert tables[0]["ci_high"][0] == pytest.approx(1 - 0.025 ** (1 / fewest))


@pytest.mark.parametrize("routing", [False, True])
@pytest.mark.parametrize("scoring", [None, "r2", make_scorer(r2_score)])
@pytest.mark.parametrize("form", [np.ravel, lambda t: t[:, None], lambda t: pd.DataFrame({"t": t})])
def test_r2_of_nested_scores_is_pooled_for_every_target_and_scorer(form, scoring, routing):
    data, target = make_regression(60, 5, noise=60, random_state=0)
    procedure = GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=3)
    cv = KFold(10, shuffle=True, random_state=0)
    predicted = cross_val_predict(procedure, data, target, cv=cv)
    expected = 1 - ((target - predicted) ** 2).sum() / ((target - target.mean()) ** 2).sum()
    with sklearn.config_context(enable_metadata_routing=routing):
        found = nested_score(procedure, data, form(target), cv=cv, scoring=scoring)
    assert found.score == pytest.approx(expected, abs=1e-6)


def test_weights_by_another_name_are_weights():
    weights = np.random.default_rng(0).exponential(size=300)
    with sklearn.config_context(enable_metadata_routing=True):
        scorers = {
            name: make_scorer(accuracy_score).set_score_request(sample_weight=name)
            for name in ("sample_weight", "w2")
        }
        plain = make_scorer(accuracy_score).set_score_request(sample_weight=False)
        model = LogisticRegression().set_fit_request(sample_weight=False)
        tables = []
        for name, scorer in scorers.items():
            for scoring in (scorer, {"plain": plain, "weighted": scorer}):
                search = StatisticalGridSearchCV(
                    model, {"C": [0.001, 10]}, cv=5, scoring=scoring, test="samples", refit=False
                ).fit(X, y, **{name: weights})
                metric = "weighted" if isinstance(scoring, dict) else None
                tables.append(search.compare(metric=metric).frequentist())
        unweighted = search.compare(metric="plain").frequentist()
    for table in tables[1:]:
        pd.testing.assert_frame_equal(table, tables[0])
    assert not np.allclose(unweighted["std_err"], tables[0]["std_err"])


class FailsOnSome(DecisionTreeClassifier):
    """Cannot predict some samples with one depth."""

    def predict(self, X, check_input=True):
        if self.max_depth == 5 and X[0, 0] > 0:
            raise ValueError("no prediction")
        return super().predict(X, check_input)


@pytest.mark.filterwarnings("ignore:Scoring failed", "ignore:One or more of the test scores")
@pytest.mark.filterwarnings("ignore:Of . fits? that failed")
@pytest.mark.parametrize("saved", [False, True])
def test_a_scorer_that_fails_leaves_the_candidate_missing_or_its_error_score(saved):
    for error_score in (np.nan, 0.0):
        search = StatisticalGridSearchCV(
            FailsOnSome(random_state=0),
            {"max_depth": [1, 2, 5]},
            cv=5,
            test="samples",
            error_score=error_score,
        ).fit(X, y)
        search = pickle.loads(pickle.dumps(search)) if saved else search
        means = search.comparison_.ranking()["mean"].sort_index()
        np.testing.assert_allclose(means, search.cv_results_["mean_test_score"], rtol=1e-6)
        assert means.isna().sum() == np.isnan(error_score)


@pytest.mark.parametrize("options", [{}, {"return_predictions": False}])
def test_groups_and_classes_bound_identical_candidates_whatever_is_kept(options):
    groups = np.arange(300) % 12
    for scoring, cv, n in (("accuracy", GroupKFold(5), 12), ("f1_macro", 5, (y == 1).sum())):
        given = {"groups": groups} if n == 12 else {}
        search = StatisticalGridSearchCV(
            TREE, {"max_depth": [4, 5]}, cv=cv, scoring=scoring, **options
        )
        row = search.fit(X, y, **given).comparison_.frequentist().iloc[0]
        assert row["mean_diff"] == 0
        assert row["ci_high"] == pytest.approx(1 - 0.025 ** (1 / n))
        models = {"a": TREE, "b": clone(TREE).set_params(max_depth=5)}
        found = cross_validate_models(models, X, y, cv=cv, scoring=scoring, **given)
        assert found.scores.n_agreed == pytest.approx(n)


@pytest.mark.parametrize("scoring", ["f1_micro", "f1_macro", "f1_samples"])
def test_a_label_that_no_sample_has_decides_nothing(scoring):
    data, labels = make_multilabel_classification(200, n_classes=4, random_state=0)
    wider = np.c_[labels, np.zeros(200, int)]
    search = StatisticalGridSearchCV(TREE, {"max_depth": [2, 5]}, cv=5, scoring=scoring)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        found = [search.fit(data, own).comparison_.scores.n_agreed for own in (wider, labels)]
    assert found[0] == found[1]


def test_samples_are_advised_only_where_the_metric_has_values():
    def scoring(model, X, y):
        return float(np.mean(model.predict(X) == y))

    models = {
        name: GridSearchCV(TREE, {"max_depth": depths}, scoring=scoring)
        for name, depths in (("a", [1, 2]), ("b", [3, 4]))
    }
    with pytest.warns(ComparisonWarning) as said:
        cross_validate_models(models, X, y, cv=5, test="samples")
    assert "no per-sample values" in str(said[0].message)
    assert not any("same fits may decide more" in str(own.message) for own in said)


def patients(seed, n=15, rows=40):
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n), rows)
    target = np.repeat(rng.permutation(np.arange(n) % 2), rows)
    noise = rng.normal(size=(n * rows, 2))
    return np.column_stack([target + 0.3 * noise[:, 0], noise[:, 1]]), target, groups


@pytest.mark.parametrize("seed", range(3))
def test_a_rule_during_the_fit_knows_the_groups_that_it_knows_after_it(seed):
    data, target, groups = patients(seed)
    rule = Simplest("max_depth", within=0.05)
    search = StatisticalGridSearchCV(TREE, {"max_depth": [1, 2, 3]}, cv=GroupKFold(5), refit=rule)
    later = search.fit(data, target, groups=groups).comparison_.choose(rule)
    assert search.best_params_ == later.params
    assert search.selection_report_["why"].tolist() == later.report["why"].tolist()


def test_few_groups_do_not_show_that_a_bound_is_satisfied():
    data, target, groups = patients(1)
    rule = BestSubjectTo("neg_brier_score", {"accuracy": 0.95}, shown_to_satisfy=True)
    search = StatisticalGridSearchCV(
        TREE,
        {"max_depth": [1, 2]},
        cv=GroupKFold(5),
        scoring=["neg_brier_score", "accuracy"],
        refit=rule,
    )
    with pytest.warns(ComparisonWarning, match="No candidate is shown to satisfy all bounds"):
        search.fit(data, target, groups=groups)


def test_looks_know_the_groups_that_the_table_knows():
    data, target, groups = patients(4, n=20, rows=30)
    cv = StratifiedGroupKFold(5, shuffle=True, random_state=0)
    search = StatisticalGridSearchCV(TREE, {"max_depth": [1, 2]}, rope=0.05, cv=cv)
    search.fit(data, target, groups=groups)
    search.extend(data, target, until="decided", groups=groups, max_fits=60)
    verdicts = search.pairwise_frequentist_["verdict"].tolist()
    assert (search.extension_stop_ == "decided") == ("undecided" not in verdicts)


@pytest.mark.parametrize(
    ("cv", "scoring"),
    [
        (GroupShuffleSplit(3, test_size=4, random_state=0), "accuracy"),
        (PredefinedSplit(np.where(np.arange(900) < 120, np.arange(900) // 30, -1)), "accuracy"),
        (TimeSeriesSplit(5, test_size=60), "recall"),
    ],
)
@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_only_tested_groups_and_classes_are_evidence(cv, scoring):
    data, target, groups = patients(0, n=60, rows=15)
    if scoring == "recall":
        target = np.random.default_rng(0).permutation((np.arange(900) < 60).astype(int))
        data[:, 0] = target + 0.1 * data[:, 0]
    given = {} if scoring == "recall" else {"groups": groups}
    tested = np.unique(np.concatenate([test for _, test in cv.split(data, target, groups)]))
    n = target[tested].sum() if scoring == "recall" else len(set(groups[tested]))
    search = StatisticalGridSearchCV(TREE, {"max_depth": [1, 2]}, cv=cv, scoring=scoring)
    assert search.fit(data, target, **given).comparison_.scores.n_independent == n
    found = cross_validate_models(
        [TREE, clone(TREE)], data, target, cv=cv, scoring=scoring, **given
    )
    assert found.scores.n_independent == n


def test_an_iteration_of_halving_counts_the_classes_that_it_tested():
    class Halving(StatisticalSearchMixin, HalvingGridSearchCV):
        pass

    target = np.random.default_rng(0).permutation((np.arange(1500) < 150).astype(int))
    data = np.random.default_rng(1).normal(size=(1500, 2)) * 0.1 + target[:, None]
    search = Halving(
        TREE, {"max_depth": [1, 2, 3, 4]}, cv=StratifiedKFold(5), scoring="recall",
        min_resources=300, max_resources=900, random_state=0,
    ).fit(data, target)  # fmt: skip
    first, last = (search.compare(stage=stage).scores.n_independent for stage in (0, 1))
    assert first == pytest.approx(30, abs=15)
    assert last == pytest.approx(90, abs=15)
