"""The inputs whose outputs `benchmarks.outputs` saves: a function for each part of the package."""

import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, make_classification, make_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import sklearn_stats_compare as ssc

ALTERNATIVES = ("greater", "less", "two-sided")
TESTS = ("corrected_t", "uncorrected_t", "5x2cv_t", "5x2cv_f", "samples")
RULES = {
    "possibly_best": lambda: ssc.SimplestPossiblyBest("max_depth"),
    "one_std_err": lambda: ssc.SimplestWithinOneStandardError("max_depth"),
    "not_worse": lambda: ssc.SimplestNotPracticallyWorse("max_depth", rope=0.02),
    "within": lambda: ssc.SimplestWithin("max_depth", 0.03),
    "percent": lambda: ssc.SimplestWithinPercentLoss("max_depth", 2),
    "subject_to": lambda: ssc.BestSubjectTo("score", {"score": 0.7}),
}
# Where ledgers and tables are written.
FOLDER = Path(tempfile.mkdtemp())

# Splits: training and test sizes, repeats, and whether pairs swap two halves.
DESIGNS: dict[int, dict[str, Any]] = {
    2: {"n_train": [50] * 2, "n_test": [50] * 2, "repeat": [0] * 2, "complementary_halves": True},
    5: {"n_train": [80] * 5, "n_test": [20] * 5, "repeat": [0] * 5},
    10: {"n_train": [50] * 10, "n_test": [50] * 10, "repeat": [r for r in range(5) for _ in "12"],
         "complementary_halves": True},
    20: {"n_train": [90, 89] * 10, "n_test": [10, 11] * 10,
         "repeat": [r for r in range(2) for _ in range(10)]},
    100: {"n_train": [190] * 100, "n_test": [10] * 100,
          "repeat": [r for r in range(10) for _ in range(10)]},
}  # fmt: skip
KINDS: dict[str, Callable[[Any], Any]] = {
    "plain": lambda s: s,
    "ties": lambda s: s.round(1),
    "constant": lambda s: s[:1] + 0.01 * np.arange(len(s))[:, None],
    "identical": lambda s: s[[0, 0, *range(2, len(s))]],
    "missing": lambda s: np.where(np.arange(len(s))[:, None] == 1, np.nan, s),
    "near_one": lambda s: 1 - np.maximum(s - 0.8, 0) * 1e-6,
    "near_zero": lambda s: s * 1e-9,
    "negative": lambda s: -1000 * s,
}


def scores_of(n_candidates: int, n_splits: int, seed: int = 0) -> Any:
    """Scores with an effect of the split, of the candidate, and noise."""
    rng = np.random.default_rng([n_candidates, n_splits, seed])
    effects = np.linspace(0, 0.06, n_candidates)[:, None]
    scores = rng.normal(0.8, 0.03, n_splits) + effects
    return scores + rng.normal(0, 0.015, (n_candidates, n_splits))


def matrices(out: Any) -> None:
    """Comparisons of matrices of scores."""
    for n_splits, sizes in DESIGNS.items():
        for n_candidates in (2, 5, 12):
            params = [{"max_depth": k // 2, "kind": "ab"[k % 2]} for k in range(n_candidates)]
            for kind, change in KINDS.items():
                values = change(scores_of(n_candidates, n_splits))

                scores = ssc.SplitScores(values, ssc.SplitDesign(**sizes))
                build = partial(ssc.Comparison, scores, params=params)
                whole = (
                    2 if n_candidates == 5 and (kind in ("plain", "ties") or n_splits == 10) else 1
                )
                name = f"matrix/{kind}/{n_candidates}x{n_splits}"
                out.add(name, build, whole=whole)
                if n_candidates == 12 and kind == "plain":
                    for test in TESTS:
                        out.add(f"{name}/test={test}", build, test=test)
                    for alternative in ALTERNATIVES:
                        out.add(
                            f"{name}/{alternative}", build, alternative=alternative, p_adjust="bh"
                        )
    scores = ssc.SplitScores(scores_of(3, 12), ssc.SplitDesign(n_train=[90] * 12, n_test=[10] * 12))
    out.add("matrix/resampled", ssc.Comparison, scores=scores, labels=["a", "b", "c"], whole=2)


def data(n_samples: int = 120) -> dict[str, Any]:
    """A small problem of two classes."""
    X, y = make_classification(n_samples, n_features=6, flip_y=0.2, random_state=0)
    return {"X": X, "y": y}


TREE = DecisionTreeClassifier(random_state=0)
GRID = {"max_depth": [1, 2, 4, 8]}
TWICE = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
MODELS = {"tree": TREE, "bayes": GaussianNB(), "knn": KNeighborsClassifier(5)}


def readers(out: Any) -> None:
    """Everything that `compare` reads."""
    values = scores_of(3, 10)
    names = ["svm", "tree", "knn"]
    frame = pd.DataFrame(values.T, columns=names)
    long = pd.DataFrame(
        [(name, k // 5, k % 5, values[i, k])
         for i, name in enumerate(names) for k in range(10)],
        columns=["who", "again", "part", "acc"],
    )  # fmt: skip
    usual = long.set_axis(["model", "repeat", "fold", "score"], axis=1)
    searches = {
        "grid": GridSearchCV(TREE, GRID, cv=TWICE),
        "random": RandomizedSearchCV(TREE, GRID, n_iter=3, cv=TWICE, random_state=0),
        "metrics": GridSearchCV(
            TREE, GRID, cv=TWICE, scoring=["accuracy", "roc_auc"], refit="roc_auc"
        ),
        "shuffle": GridSearchCV(TREE, GRID, cv=ShuffleSplit(6, test_size=0.2, random_state=0)),
        "unfitted": GridSearchCV(TREE, GRID),
    }
    for name, search in searches.items():
        if name != "unfitted":
            search.fit(**data())
    results = searches["grid"].cv_results_
    validated = {
        name: cross_validate(model, **data(), cv=TWICE, return_indices=True)
        for name, model in MODELS.items()
    }
    sizes = {"n_train": 80, "n_test": 20}
    named = {"model": "who", "split": ["again", "part"], "value": "acc"}
    saved = FOLDER / "saved.csv"
    paths = {kind: FOLDER / f"{kind}.csv" for kind in ("long", "wide", "results")}
    long.to_csv(paths["long"], index=False)
    frame.to_csv(paths["wide"])
    pd.DataFrame(results).to_csv(paths["results"], index=False)
    ratio = {"test_train_ratio": 0.25}
    cases: dict[str, tuple[Any, dict[str, Any]]] = {
        "dict": (dict(zip(names, values, strict=True)), sizes),
        "dict/ratio": (dict(zip(names, values, strict=True)), ratio),
        "array": (values, {**sizes, "labels": names}),
        "array/no sizes": (values, {}),
        "array/columns": (values.T, {**sizes, "orient": "models in columns"}),
        "array/1d": (values[0], sizes),
        "frame": (frame, sizes),
        "frame/rows": (frame.T, {**sizes, "orient": "index"}),
        "frame/nan": (frame.where(frame < frame.max()), sizes),
        "frame/loss": (frame, {**sizes, "metric": "rmse", "lower_is_better": True}),
        "frame/csv": (paths["wide"], sizes),
        "long": (usual, sizes),
        "long/named": (long, {**sizes, **named}),
        "long/csv": (paths["long"], {**sizes, **named}),
        "long/unnamed": (long, sizes),
        "long/lacking": (usual.iloc[1:], sizes),
        "long/twice": (pd.concat([usual, usual.iloc[:1]]), sizes),
        "long/unknown": (long, {**sizes, **named, "value": "none"}),
        "long/metrics": (
            pd.concat([usual.assign(metric=m, score=usual["score"] * k)
                       for k, m in ((1, "accuracy"), (0.9, "f1"))]),
            {**sizes, "metric": "f1"},
        ),
        "results": (results, sizes),
        "results/no sizes": (results, {}),
        "results/frame": (pd.DataFrame(results), ratio),
        "results/csv": (paths["results"], ratio),
        "validated": (validated, {}),
        "several searches": (
            {"a": searches["grid"], "b": searches["random"]}, {},
        ),
        "data": (searches["shuffle"], data()),
        "labels": (searches["grid"], {"labels": "name=value"}),
        "metric": (searches["metrics"], {"metric": "accuracy"}),
        "metric/unknown": (searches["metrics"], {"metric": "f1"}),
        "nothing": (None, {}),
        "text": ("no such file.csv", {}),
        **{f"search/{name}": (search, {}) for name, search in searches.items()},
    }  # fmt: skip
    for name, (obj, options) in cases.items():
        for settings in (
            {},
            {"p_adjust": "holm", "alternative": "two-sided", "rope": (-0.02, 0.01)},
        ):
            place = f"compare/{name}" + ("/settings" if settings else "")
            found = out.add(place, ssc.compare, obj=obj, **options, **settings)
            if isinstance(found, ssc.Comparison) and not settings:
                out.add(f"{place}/to_csv", lambda f=found: (f.to_csv(saved), saved.read_text()))
                out.add(f"{place}/read back", ssc.compare, obj=saved)
                saved.unlink(missing_ok=True)
    found = ssc.compare(searches["metrics"])
    out.add("compare/pareto", ssc.possibly_pareto, obj=searches["metrics"],
            metrics=["accuracy", "roc_auc"])  # fmt: skip
    out.add("compare/whole", lambda: found, whole=2)


def searches(out: Any) -> None:
    """Searches and races, with and without a ledger and predictions, extended and refitted."""
    # fmt: off
    race = {"cls": ssc.RacingGridSearchCV, "random_state": 0}
    cases: dict[str, dict[str, Any]] = {
        "plain": {},
        "predictions": {"return_predictions": True, "test": "samples"},
        "values": {"return_predictions": "values"},
        "ledger": {"ledger": FOLDER / "plain.ledger"},
        "ledger/blocks": {"ledger": FOLDER / "blocks.ledger", "return_predictions": True},
        "auc": {"scoring": "roc_auc", "return_predictions": True, "p_adjust": "maxt"},
        "metrics": {"scoring": ["accuracy", "roc_auc"], "refit": "accuracy",
                    "return_train_score": True},
        "5x2": {"cv": RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0),
                "test": "5x2cv_t"},
        "one repeat": {"cv": StratifiedKFold(10, shuffle=True, random_state=0)},
        "shuffle": {"cv": ShuffleSplit(8, test_size=0.2, random_state=0)},
        "list": {"cv": list(TWICE.split(**data()))},
        "failing": {"param_grid": {"max_depth": [1, 2, -3]}},
        "single": {"param_grid": {"max_depth": [1]}},
        "regression": {"estimator": DecisionTreeRegressor(random_state=0), "cv": KFold(5)},
        "random": {"cls": ssc.StatisticalRandomizedSearchCV, "n_iter": 3, "random_state": 0},
        "race": race,
        "race/ledger": {**race, "ledger": FOLDER / "race.ledger"},
        "race/splits": {**race, "look": "splits"},
        "race/strict": {**race, "strategy": "strict"},
        "race/samples": {**race, "look": "samples", "return_predictions": True},
        "race/inferior": {**race, "eliminate": "inferior"},
        "race/tolerance": {**race, "tolerance": 0.02},
        "race/random": {"cls": ssc.RacingRandomizedSearchCV, "n_iter": 4, "random_state": 0},
        "bad": {"p_adjust": "none"},
        "bad/alpha": {"alpha": 3},
        **{f"rule/{key}": {"refit": rule()} for key, rule in RULES.items() if key != "subject_to"},
        "rule/no column": {"refit": ssc.SimplestPossiblyBest("none")},
        "rule/subject_to": {
            "scoring": ["accuracy", "recall"],
            "refit": ssc.BestSubjectTo("accuracy", {"recall": 0.75}),
        },
    }
    # fmt: on
    for name, case in cases.items():
        case = {"cls": ssc.StatisticalGridSearchCV, "estimator": TREE, "cv": TWICE, **case}
        cls, estimator = case.pop("cls"), case.pop("estimator")
        grid = case.pop("param_grid", GRID)
        given = data()
        if name == "regression":
            given = dict(zip("Xy", make_regression(90, 4, noise=9, random_state=0), strict=True))

        def fitted(build: Callable[[], Any], given: dict[str, Any] = given) -> Any:
            return build().fit(**given)

        build = lambda cls=cls, e=estimator, g=grid, case=case: cls(e, g, **case)  # noqa: E731
        whole = name in ("plain", "predictions", "auc", "race")
        search = out.add(f"search/{name}", fitted, build=build, whole=3 if whole else 2)
        if not hasattr(search, "cv_results_"):
            continue
        out.add(f"search/{name}/cv_results", lambda s=search: s.cv_results_)
        if "ledger" in case:
            path = case["ledger"]
            out.add(f"search/{name}/status", lambda p=path: ssc.ledger_status(p).to_dict())
            out.add(f"search/{name}/read", ssc.compare, obj=path)
            again = out.add(f"search/{name}/again", fitted, build=build, whole=0)
            out.add(f"search/{name}/again/cv_results", lambda s=again: s.cv_results_)
        with_predictions(out, f"search/{name}", search)
        if "race" in name:
            out.add(f"search/{name}/race", ssc.RaceDisplay.from_search, search=search)
        if isinstance(search.scorer_, dict) and name == "metrics":
            for kind in ("pairwise", "report"):
                out.add(f"search/{name}/{kind}", lambda s=search: ssc.report(s))
            out.add(f"search/{name}/scatter", ssc.MetricScatterDisplay.from_search, search=search,
                    x="accuracy", y="roc_auc")  # fmt: skip
        for further in ({"n_repeats": 1}, {"until": "decided", "max_fits": 40},
                        {"n_repeats": 1, "candidates": "possibly_best"}):  # fmt: skip
            place = f"search/{name}/extend/{further}"
            extended = out.add(
                place, lambda b=build, f=further, g=given: fitted(b, g).extend(**g, **f), whole=0,
            )  # fmt: skip
            if hasattr(extended, "cv_results_"):
                out.add(f"{place}/cv_results", lambda s=extended: s.cv_results_)
                out.add(f"{place}/comparison", lambda s=extended: s.comparison_)


def with_predictions(out: Any, name: str, search: Any) -> None:
    """What needs kept predictions; without them, how it is refused."""
    comparison = search.comparison_ if hasattr(search, "comparison_") else search
    groups = np.arange(len(data()["y"])) % 3
    by = out.add(f"{name}/by", comparison.by, groups=groups)
    if isinstance(by, ssc.SubgroupComparison):
        out.add(f"{name}/by/plot", ssc.SubgroupDisplay.from_comparison, comparison=comparison,
                groups=groups)  # fmt: skip
    for scorer in ("balanced_accuracy", "f1", "neg_log_loss", "roc_auc"):
        out.add(f"{name}/with_metric/{scorer}", comparison.with_metric, scorer=scorer)
    if hasattr(search, "predictions"):
        out.add(f"{name}/predictions", search.predictions, i=0)


def datasets(out: Any) -> None:
    """Comparisons over several data sets."""
    names = ["iris", "wine", "adult", "letter", "voting", "glass", "sonar", "yeast"]
    wide = pd.DataFrame(scores_of(8, 4).round(3), index=names, columns=list("abcd"))
    rows = [
        (name, model, k, score)
        for n, name in enumerate(names)
        for model, scores in zip("abc", scores_of(3, 10, n), strict=True)
        for k, score in enumerate(scores)
    ]
    splits = pd.DataFrame(rows, columns=["dataset", "model", "fold", "score"])
    long = splits.groupby(["dataset", "model"], as_index=False)["score"].mean()
    named = splits.set_axis(["where", "who", "part", "acc"], axis=1)
    path = FOLDER / "datasets.csv"
    wide.to_csv(path)
    ratio = {"test_train_ratio": 1 / 9}
    # fmt: off
    cases: dict[str, tuple[Any, dict[str, Any]]] = {
        "wide": (wide, {}),
        "wide/ties": (wide.round(2), {}),
        "wide/two": (wide[["a", "b"]], {}),
        "wide/few": (wide.iloc[:3], {}),
        "wide/nan": (wide.where(wide > wide.min().min()), {}),
        "wide/nan/datasets": (wide.where(wide > wide.min().min()), {"missing": "drop_datasets"}),
        "wide/nan/models": (wide.where(wide > wide.min().min()), {"missing": "drop_models"}),
        "wide/loss": (wide, {"metric": "rmse", "lower_is_better": True}),
        "wide/sign": (wide, {"test": "sign", "p_adjust": "shaffer", "alternative": "greater"}),
        "wide/nemenyi": (wide, {"test": "nemenyi"}),
        "wide/csv": (path, {}),
        "long": (long, {}),
        "splits": (splits, ratio),
        "splits/no sizes": (splits, {}),
        "splits/named": (named, {**ratio, "dataset": "where", "model": "who",
                                 "split": "part", "value": "acc"}),
        "mapping": ({n: part.pivot(index="model", columns="fold", values="score").to_numpy()
                     for n, part in splits.groupby("dataset")}, ratio),
        "nothing": (None, {}),
    }
    # fmt: on
    for name, (obj, options) in cases.items():
        whole = 2 if name in ("wide", "wide/ties", "splits") else 1
        out.add(f"datasets/{name}", ssc.compare_datasets, obj=obj, **options, whole=whole)


def evaluation(out: Any) -> None:
    """Cross-validated models, nested scores, curves, bootstrap, and the paired tests."""
    given = data()
    several = {f"d{k}": tuple(make_classification(80, random_state=k)) for k in range(4)}
    five = StratifiedKFold(5, shuffle=True, random_state=0)
    for name, options in {
        "plain": {"cv": TWICE},
        "metrics": {"cv": TWICE, "scoring": ["accuracy", "roc_auc"]},
        "samples": {"cv": five, "test": "samples"},
        "predictions": {"cv": five, "return_predictions": True},
        "ledger": {"cv": five, "ledger": FOLDER / "models.ledger"},
        "bad": {"cv": five, "scoring": "unknown"},
    }.items():
        found = out.add(
            f"models/{name}", ssc.cross_validate_models, models=MODELS, **given, **options
        )
        if isinstance(found, dict):
            for key, value in found.items():
                out.add(f"models/{name}/{key}", lambda v=value: v, whole=2)
            if isinstance(found.get("comparison"), ssc.Comparison):
                with_predictions(out, f"models/{name}", found["comparison"])
    found = out.add("models/datasets", ssc.cross_validate_models, models=MODELS, X=several, cv=five)
    for key, value in found.items():
        out.add(f"models/datasets/{key}", lambda v=value: v)
    predictions = {k: cross_val_predict(m, **given, cv=five) for k, m in MODELS.items()}
    chances = {
        k: cross_val_predict(m, **given, cv=five, method="predict_proba") for k, m in MODELS.items()
    }
    folds = list(five.split(**given))
    # fmt: off
    for name, options in {
        "classes": {"predictions": predictions, "metric": "accuracy"},
        "f1": {"predictions": predictions, "metric": "f1", "test": "corrected_t"},
        "chances": {"predictions": chances, "metric": "neg_log_loss"},
        "auc": {"predictions": chances, "metric": "roc_auc"},
        "lacking": {"predictions": predictions, "metric": "roc_auc"},
        "groups": {"predictions": predictions, "metric": "accuracy", "groups": np.arange(120) // 3},
    }.items():
        found = out.add(f"predictions/{name}", ssc.compare_predictions, y=given["y"], folds=folds,
                        whole=2, **options)
        if isinstance(found, ssc.Comparison):
            with_predictions(out, f"predictions/{name}", found)
    # fmt: on
    search = GridSearchCV(TREE, {"max_depth": [1, 4]}, cv=3)
    for interval in ("auto", "bates", "corrected_t", "samples"):
        found = out.add(f"nested/{interval}", ssc.nested_score, procedure=search, **given, cv=five,
                        interval=interval, whole=2)  # fmt: skip
        for metric, value in getattr(found, "comparisons", {}).items():
            out.add(f"nested/{interval}/comparisons/{metric}", lambda v=value: v)
    both = out.add("nested/two", ssc.nested_score, procedure={"s": search, "b": GaussianNB()},
                   **given, cv=five, ledger=FOLDER / "nested.ledger")  # fmt: skip
    if isinstance(both, Mapping):
        for key, value in both.items():
            out.add(f"nested/two/{key}", lambda v=value: v)
    curves = out.add("curves", ssc.compare_learning_curves, models=MODELS, **given, cv=five,
                     n_sizes=3, random_state=0)  # fmt: skip
    for size, value in curves.comparisons.items():
        out.add(f"curves/comparisons/{size}", lambda v=value: v)
    out.add(
        "curves/drawn", ssc.LearningCurveComparisonDisplay.from_learning_curves, compared=curves
    )
    for method in ("oob", ".632", ".632+"):
        out.add(f"bootstrap/{method}", ssc.bootstrap_score, estimator=TREE, **given, method=method,
                n_splits=20, random_state=0)  # fmt: skip
    pair = {"estimator1": TREE, "estimator2": LogisticRegression(), **given, "random_seed": 0}
    for function in (ssc.combined_ftest_5x2cv, ssc.paired_ttest_5x2cv, ssc.paired_ttest_resampled):
        for scoring in (None, "roc_auc"):
            out.add(f"pairs/{function.__name__}/{scoring}", function, **pair, scoring=scoring)
    for correction in ("nadeau_bengio", None):
        out.add(f"pairs/paired_ttest_kfold_cv/{correction}", ssc.paired_ttest_kfold_cv,
                **pair, shuffle=True, correction=correction)  # fmt: skip
    out.add("pairs/ridge", ssc.paired_ttest_5x2cv, **{**pair, "estimator2": Ridge()})


def test_sets(out: Any) -> None:
    """Tests of the predictions for one test set, and of vectors of scores."""
    X, y = load_breast_cancer(return_X_y=True)
    train, test = slice(0, 300), slice(300, None)
    fitted = [
        model.fit(X[train], y[train]) for model in (TREE, GaussianNB(), KNeighborsClassifier())
    ]
    classes = [model.predict(X[test]) for model in fitted]
    chances = [model.predict_proba(X[test])[:, 1] for model in fitted]
    for method in ("exact", "mid-p", "chi2", "chi2_corrected", "bad"):
        out.add(f"test set/mcnemar/{method}", ssc.mcnemar, y_true=y[test], pred1=classes[0],
                pred2=classes[1], method=method)  # fmt: skip
    out.add("test set/cochrans_q", lambda: ssc.cochrans_q(y[test], *classes), whole=2)
    for alternative in ALTERNATIVES:
        found = out.add(f"test set/delong/{alternative}", ssc.delong, y_true=y[test],
                        score1=chances[0], score2=chances[1], alternative=alternative)  # fmt: skip
        out.add(f"test set/roc/{alternative}", ssc.RocComparisonDisplay.from_result, result=found)
        for n_splits, sizes in DESIGNS.items():
            some = {key: sizes[key] for key in ("n_train", "n_test")}
            one, two = scores_of(2, n_splits)
            out.add(f"corrected_ttest/{n_splits}/{alternative}", ssc.corrected_ttest,
                    scores_1=one, scores_2=two, alternative=alternative, whole=2,
                    **some)  # fmt: skip
        for method in ("wald", "pooled", "exact", "boschloo"):
            out.add(f"test set/error rates/{alternative}/{method}", ssc.compare_error_rates,
                    error1=0.2, n1=50, error2=0.3, n2=40, method=method, alternative=alternative,
                    whole=2)  # fmt: skip
    for method in ("wilson", "wilson_cc", "exact", "agresti_coull", "jeffreys", "wald", "bad"):
        for n_correct in (0, 37, 40):
            out.add(f"test set/accuracy/{method}/{n_correct}", ssc.accuracy_interval,
                    n_correct=n_correct, n=40, method=method)  # fmt: skip
    costs = [[0, 5], [1, 0]]
    out.add(
        "costs", ssc.misclassification_cost, y_true=y[test], y_pred=classes[0], cost_matrix=costs
    )
    scorer = ssc.make_cost_scorer(costs)
    search = ssc.StatisticalGridSearchCV(TREE, GRID, cv=TWICE, scoring=scorer)
    out.add("costs/search", lambda: search.fit(**data()).comparison_)


SECTIONS = (matrices, readers, searches, datasets, evaluation, test_sets)
