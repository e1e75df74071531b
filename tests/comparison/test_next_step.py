"""next_step(): a sentence that a reader can act on, for each thing a comparison can find."""

import dataclasses
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
)
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare.comparison._tables import ChosenByScores


def of_splits(means, spread=0.02, *, folds=10, repeats=10, seed=0, repeat=True, **options):
    rng = np.random.default_rng(seed)
    n = folds * repeats
    n_test = np.full(n, 100 // folds)
    numbers = np.repeat(np.arange(repeats), folds) if repeat else None
    design = ssc.SplitDesign(100 - n_test, n_test, numbers)
    values = np.array(means)[:, None] + spread * rng.standard_normal((len(means), n))
    return ssc.Comparison(ssc.SplitScores(values, design), warn=False, **options)


def test_a_sole_winner_is_to_be_refitted():
    comparison = of_splits([0.9, 0.7, 0.6])
    said = comparison.next_step()
    assert said == "Decided: refit candidate 0, which is better than every other candidate."
    assert repr(comparison).splitlines()[-1] == f"Next: {said}"


def test_equivalent_candidates_leave_the_choice():
    said = of_splits([0.9, 0.9, 0.6], 0.001, rope=0.05).next_step()
    assert said.startswith("Decided: ")
    assert "1 equivalent candidate; recommend() says which to take" in said


@pytest.mark.parametrize(
    ("labels", "rival"),
    [(None, "candidate 1"), (["1.0", "2.0", "3.0"], "2.0"), (["a", "b", "c"], "b")],
)
def test_a_label_of_digits_is_not_read_as_a_number_of_candidates(labels, rival):
    said = of_splits([0.90, 0.895, 0.85], 0.1, labels=labels).next_step()
    assert said.startswith(f"Undecided against {rival} and 1 other candidate. ")


def test_few_splits_are_to_be_tested_by_samples_and_mentioned_once():
    comparison = of_splits([0.90, 0.89], 0.03, folds=5, repeats=1)
    # Of a search or of cross_validate_models: a comparison does not know which.
    said = 'If the metric has values of samples, a fit with test="samples" can decide more'
    assert said in comparison.next_step()
    text = " ".join(repr(comparison).split())
    assert "only 5 splits" in text
    assert text.count('test="samples"') == 1
    assert "RepeatedStratifiedKFold" not in text
    # Without a next step, as for a single candidate, the advice stands.
    assert "RepeatedStratifiedKFold" in repr(of_splits([0.9], folds=5, repeats=1))


def of_samples(differences, *, repeats, n=200, spread=1.0, seed=0, **options):
    """Values of samples in repeats of 5 folds; the others are behind the first by these."""
    rng = np.random.default_rng(seed)
    means = -np.array([0.0, *differences])
    values = means[:, None, None] + 0.1 * rng.normal(size=(len(means), 1, n))
    values = values + spread * rng.normal(size=(len(means), repeats, n))
    n_test = np.full(5 * repeats, n // 5)
    design = ssc.SplitDesign(n - n_test, n_test, np.repeat(np.arange(repeats), 5))
    splits = values.reshape(len(means), 5 * repeats, -1).mean(axis=2)
    scores = ssc.SplitScores(splits, design, ssc.stats.SampleScores(values, 5))
    return ssc.Comparison(scores, test="samples", warn=False, **options)


def test_further_repeats_come_with_their_number():
    found = []
    for difference in np.linspace(0.1, 0.3, 21):
        comparison = of_samples([difference], repeats=2)
        said = comparison.next_step()
        if "repeats instead of 2" in said:
            needed = int(said.split(". ")[1].split(" repeats")[0])
            seen = abs(float(comparison.against()["mean_diff"].iloc[0]))
            plan = comparison.plan(seen, power=0.5)
            assert plan["n_repeats"].iloc[0] == needed
            assert f"a cv of n_repeats={needed}" in said  # models have no search to extend
            found.append(needed)
    assert found
    assert max(found) <= 10


def test_a_second_repeat_is_advised_first():
    # docs/why/samples.rst: one repeat does not show how much models change, and the test takes
    # the worst for it.
    of_models = of_samples([0.2], repeats=1).next_step()
    assert "add a second repeat, of shuffled folds, with a cv of n_repeats=2, because" in of_models
    of_search = of_samples([0.2], repeats=1, params=[{"C": 1}, {"C": 2}]).next_step()
    assert "with search.extend(X, y, n_repeats=1), because" in of_search
    assert "second repeat" not in of_samples([0.2], repeats=2).next_step()
    # Of many candidates the best three do; not where the instability is given, which they leave.
    many = of_samples([0.14] * 4, repeats=1, n=1000, params=[{"C": k} for k in range(5)])
    assert "candidates=3), because" in many.next_step()
    given = many.with_settings(test=ssc.stats.SampleTTest(instability=1.0)).next_step()
    assert "with search.extend(X, y, n_repeats=1), because" in given
    # In the limit of many repeats, a difference of 0.1 is not found either.
    assert "More samples may decide" in of_samples([0.1], repeats=1).next_step()
    assert "samples instead" not in of_models  # the test is of samples already
    assert 'test="samples"' not in of_models


def test_repeats_are_counted_over_all_rivals():
    # The rivals' differences are far apart: repeats reach some of them, and never the nearest.
    comparison = of_samples([0.001, 0.2, 0.22, 0.24], repeats=3, seed=1, p_adjust=None, rope=1e-4)
    table = comparison.against()
    open_rows = table[table["verdict"] == "undecided"]
    needed = [
        comparison.plan(abs(row.mean_diff), power=0.5)["n_repeats"].loc[
            comparison._candidate(row.model_2)
        ]
        for row in open_rows.itertuples()
    ]
    in_reach = [n for n in needed if not pd.isna(n) and n <= 15]
    assert 0 < len(in_reach) < len(needed)
    said = comparison.next_step()
    assert f"{max(in_reach)} repeats instead of 3 (" in said
    assert f"would decide on {len(in_reach)} of the {len(needed)} rivals" in said
    assert "the others require more samples" in said


def test_the_number_of_samples_follows_from_the_t_quantile():
    # One rival, no ROPE: n·(t·se/d)², with t the quantile of its 99 degrees of freedom.
    comparison = of_splits([0.90, 0.88], 0.05, rope=0.0)
    row = comparison.against().iloc[0]
    assert row.verdict == "undecided"
    about = 100 * (stats.t.isf(0.025, 99) * row.std_err / row.mean_diff) ** 2
    said = comparison.next_step()
    assert f"More samples may decide, about {float(f'{about:.2g}'):,.0f} instead of 100" in said

    def number(said):
        return int(said.split("about ")[1].split(" ")[0].replace(",", ""))

    # It is for a verdict of the whole family.
    many = of_splits([0.90, 0.88, 0.5, 0.5, 0.5, 0.5], 0.05, rope=0.0).next_step()
    assert number(many) > number(said)


def test_the_number_of_samples_names_the_pair_that_it_is_for():
    comparison = of_splits([0.90, 0.88, 0.87], 0.05, rope=0.0)
    assert (comparison.against()["verdict"] == "undecided").all()
    assert "instead of 100 to decide between candidate 0 and candidate 1." in comparison.next_step()


def test_there_is_no_number_of_samples_without_sizes():
    values = 0.9 + 0.05 * np.random.default_rng(0).standard_normal((2, 100))
    scores = ssc.SplitScores(values, ssc.SplitDesign.from_ratio(1 / 9, 100))
    assert "More samples may decide. To deploy" in ssc.Comparison(scores).next_step()


DEAR = [0.7385, 0.73, 0.629]


def test_equal_candidates_without_sizes_ask_for_them():
    scores = {name: [0.9, 0.8, 0.85, 0.95, 0.7, 0.9, 0.8, 1.0, 0.9, 0.6] for name in "ab"}
    assert "n_train and n_test" in ssc.compare(scores, test_train_ratio=1 / 9).next_step()
    assert "n_test" not in ssc.compare(scores, n_train=180, n_test=20).next_step()


def test_every_next_step_that_leaves_a_choice_names_one_rule():
    rule = "recommend() says which"
    params = [{"a": k} for k in range(3)]
    for given in ({"params": params}, {}):
        for options in ({"folds": 5, "repeats": 1}, {}, {"rope": 0.3}):
            said = of_splits(DEAR, 0.05, seed=3, **options, **given).next_step()
            assert said.count(rule) == 1
            assert "Simplest" not in said
            assert "simplest" not in said
    assert rule not in of_splits([0.9, 0.7, 0.6]).next_step()  # there is one candidate to take


def test_tuned_searches_are_to_be_nested():
    grids = {"few": {"max_depth": [1, 2]}, "more": {"max_depth": [3, 4, 5]}}
    tree = DecisionTreeClassifier(random_state=0)
    searches = {
        name: GridSearchCV(tree, grid, cv=KFold(10)).fit(*make_classification(random_state=0))
        for name, grid in grids.items()
    }
    comparison = ssc.compare(searches)
    said = comparison.next_step()
    assert "Nested cross-validation" in said
    assert "cross_val_score" in said
    assert "Decided" not in said
    assert repr(comparison.with_settings(alpha=0.1)).count("Decided") == 0


def test_the_advice_for_chosen_candidates_survives_copies_and_files(tmp_path):
    note = ChosenByScores("They were chosen.", "Nest them.")
    comparison = of_splits([0.9, 0.7, 0.6], note=note)
    assert comparison.next_step() == "Nest them."
    assert pickle.loads(pickle.dumps(comparison)).next_step() == "Nest them."
    assert comparison.with_settings(alpha=0.1).next_step() == "Nest them."
    comparison.to_csv(tmp_path / "scores.csv")
    again = ssc.compare(tmp_path / "scores.csv")
    assert (again.note, again.next_step()) == ("They were chosen.", "Nest them.")


def test_more_samples_are_advised_if_no_repeats_suffice():
    comparison = of_splits([0.90, 0.8999, 0.8998], 0.05)
    said = comparison.next_step()
    assert said.startswith("Undecided against")
    assert "More samples may decide" in said
    assert "2 others" not in said
    assert said.endswith("To deploy one now, recommend() says which, and what it may cost.")


@pytest.mark.parametrize("means", [[0.9], [0.9, np.nan]])
def test_there_is_no_advice_without_a_rival(means):
    assert of_splits(means).next_step() == ""


def test_tests_without_standard_errors_give_no_advice():
    halves = [50] * 10, [50] * 10, np.repeat(np.arange(5), 2)
    values = 0.9 + 0.01 * np.random.default_rng(0).standard_normal((2, 10))
    scores = ssc.SplitScores(values, ssc.SplitDesign(*halves, complementary_halves=True))
    assert ssc.Comparison(scores, test="5x2cv_t", warn=False).next_step() == ""


def test_candidates_that_halving_chose_are_not_decided_by_its_scores():
    tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3, 4, 5, 6]}
    halving = HalvingGridSearchCV(tree, grid, cv=KFold(10), factor=2, random_state=0)
    halving.fit(*make_classification(200, random_state=0))
    with pytest.warns(ssc.ComparisonWarning, match="Only the last iteration"):
        comparison = ssc.compare(halving, n_train=90, n_test=10)
    assert comparison.scores.n_candidates > 1
    assert "halving" in comparison.note.lower()
    said = comparison.next_step()
    assert "Nested cross-validation, cross_val_score of the search on outer splits" in said
    assert "Decided" not in repr(comparison)


def test_candidates_that_a_search_with_feedback_chose_are_not_decided_by_its_scores():
    class BayesSearchCV(GridSearchCV):
        def _run_search(self, evaluate_candidates):
            evaluate_candidates([{"max_depth": depth} for depth in (1, 2, 3)])

    data = make_classification(200, random_state=0)
    search = BayesSearchCV(DecisionTreeClassifier(random_state=0), {}, cv=KFold(10)).fit(*data)
    comparison = ssc.compare(search, n_train=180, n_test=20)
    assert "BayesSearchCV chose candidates" in comparison.note
    assert "Nested cross-validation" in comparison.next_step()


GROUPS = np.arange(569) // 5


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
@pytest.mark.parametrize(
    ("cv", "fit", "call"),
    [
        (KFold(5), {}, "search.extend(X, y, n_repeats="),
        (GroupKFold(5), {"groups": GROUPS}, "search.extend(X, y, groups=groups, n_repeats="),
        (LeaveOneGroupOut(), {"groups": GROUPS % 5}, ""),
        (PredefinedSplit(np.arange(569) % 5), {}, ""),
        (list(KFold(5).split(GROUPS)), {}, ""),
    ],
    ids=["KFold", "GroupKFold", "LeaveOneGroupOut", "PredefinedSplit", "list"],
)
def test_a_step_can_be_taken_as_it_is_printed(cv, fit, call):
    X, y = load_breast_cancer(return_X_y=True)
    tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3, 4]}
    search = ssc.StatisticalGridSearchCV(tree, grid, cv=cv, scoring="accuracy").fit(X, y, **fit)
    said = search.comparison_.next_step()
    found = re.findall(r"search\.extend\([^)]*\)", said)
    # The folds of GroupKFold, and so the advice, depend on the version of scikit-learn.
    assert len(found) == bool(call) or (type(cv) is GroupKFold and not found)
    assert all(one.startswith(call) for one in found)
    for one in found:
        eval(one, {"search": search, "X": X, "y": y, **fit})


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
@pytest.mark.parametrize("refit", ["recall", False])
def test_a_step_names_the_metric(refit):
    X, y = make_classification(n_samples=400, flip_y=0.1, random_state=1)
    search = ssc.StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3, 4]}, cv=KFold(5),
        scoring=["neg_log_loss", "recall"], refit=refit,
    ).fit(X, y)  # fmt: skip
    said = search.compare(metric="neg_log_loss").next_step()
    (call,) = re.findall(r"search\.compare\([^)]*\)", said)
    assert eval(call).metric == "neg_log_loss"
    # Under other settings it is this comparison that is asked, which keeps them.
    for other in ({"alpha": 0.3}, {"rope": 0.2}):
        said = search.compare(metric="neg_log_loss", **other).next_step()
        assert "search.compare(" not in said


def test_more_groups_are_groups():
    plain = of_samples([0.1], repeats=10, n=60)
    samples = dataclasses.replace(
        plain.scores.samples, words="10 × 5 folds, 60 groups of 300 samples"
    )
    scores = dataclasses.replace(plain.scores, samples=samples)
    grouped = ssc.Comparison(scores, test="samples", warn=False)
    assert " instead of 60" in plain.next_step()
    assert " groups instead of 60" in grouped.next_step()
