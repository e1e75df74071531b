"""compare() of the same search on two nights: fitted, pickled, saved as CSV, and in ledgers."""

import os
import pickle

import numpy as np
import pandas as pd
import pytest
from quick import Votes
from sklearn.datasets import make_moons
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, ShuffleSplit

from sklearn_stats_compare import RacingGridSearchCV, StatisticalGridSearchCV, compare

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
X_NEW, Y_NEW = make_moons(noise=0.352, random_state=2, n_samples=100)
CV = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
UNCHECKED = "same splits of the same data could not be checked"


def search(Cs=(1.0, 10.0), **options):
    return StatisticalGridSearchCV(Votes(), {"gamma": list(Cs)}, **{"cv": CV, **options})


def best_of(fitted):
    return [fitted.cv_results_[f"split{k}_test_score"][fitted.best_index_] for k in range(20)]


@pytest.fixture(scope="module")
def nights(tmp_path_factory):
    """Two nights on the same data, and a third one on others: searches, CSV files, ledgers."""
    folder = tmp_path_factory.mktemp("nights")
    found = {"folder": folder}
    nights = {"last": ((1.0, 10.0), X, y), "tonight": ((0.01, 0.1), X, y),
              "other": ((1.0, 10.0), X_NEW, Y_NEW)}  # fmt: skip
    for name, (Cs, X_, y_) in nights.items():
        found[name] = search(Cs, ledger=folder / f"{name}.sqlite", rope=0.02).fit(X_, y_)
        found[name].comparison_.to_csv(folder / f"{name}.csv")
    return found


@pytest.mark.parametrize("loaded", [lambda night: night, lambda n: pickle.loads(pickle.dumps(n))])
def test_fitted_searches_on_other_data_are_refused(nights, loaded):
    last, tonight, other = (loaded(nights[name]) for name in ("last", "tonight", "other"))
    assert "could not be checked" not in compare({"last": last, "tonight": tonight}).note
    words = (
        r"must hold searches on the same splits of the same data; those of 'last', 'tonight' "
        r"differ in the data \(not the same ndarray of 100 × 2\); `y` \(not the same "
        r"ndarray of 100\)\. Scores on other data"
    )
    with pytest.raises(ValueError, match=words):
        compare({"last": last, "tonight": other})
    with pytest.raises(ValueError, match="same splits of the same data"):
        compare([last, other])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ((X[:-1], y[:-1]), r"the data \(ndarray of 100 × 2, ndarray of 99 × 2\)"),
        ((pd.DataFrame(X, columns=["a", "b"]), y), r"ndarray of 100 × 2, DataFrame of 100 × 2"),
        ((X, 1 - y), r"differ in `y` \(not the same ndarray of 100\)"),
        ((X[::-1].copy(), y[::-1].copy()), "differ in the data"),
    ],
)
def test_kind_size_labels_and_rows_are_looked_at(nights, data, words):
    tonight = search().fit(*data)
    with pytest.raises(ValueError, match=words):
        compare({"last": nights["last"], "tonight": tonight})


def test_names_of_columns_are_looked_at():
    one, other = (search().fit(pd.DataFrame(X, columns=list(names)), y) for names in ("ab", "ba"))
    with pytest.raises(ValueError, match=r"the data \(not the same DataFrame of 100 × 2\)"):
        compare([one, other])


def test_equal_splitters_that_were_extended_otherwise_have_other_splits():
    def extended(seed):
        further = ShuffleSplit(10, test_size=0.1, random_state=seed)
        return search().fit(X, y).extend(X, y, cv=further)

    with pytest.raises(ValueError, match=r"differ in the splits \(not the same 30 splits\)"):
        compare({"a": extended(1), "b": extended(2)})
    with pytest.raises(ValueError, match="'a', 'b' have 20 and 30 splits") as record:
        compare({"a": search().fit(X, y), "b": extended(1)})
    assert "cv=" not in str(record.value)


def test_a_race_and_a_plain_search_of_the_same_data_are_compared(nights):
    race = RacingGridSearchCV(Votes(), {"gamma": [1e-7, 1.0]}, cv=CV, random_state=0).fit(X, y)
    assert list(compare({"race": race, "last": nights["last"]}).labels) == ["race", "last"]
    plain = GridSearchCV(Votes(), {"gamma": [1.0]}, cv=CV).fit(X, y)
    note = compare({"plain": plain, "last": nights["last"]}).note
    assert "That all were scored on the same data could not be checked." in note


@pytest.mark.parametrize(
    "saved",
    [
        lambda nights, name: nights["folder"] / f"{name}.csv",
        lambda nights, name: os.fspath(nights["folder"] / f"{name}.csv"),
        lambda nights, name: nights["folder"] / f"{name}.sqlite",
        lambda nights, name: nights[name].comparison_,
        lambda nights, name: nights[name] if name == "last" else nights["folder"] / f"{name}.csv",
    ],
    ids=["csv", "text", "ledger", "comparison", "mixed"],
)
def test_saved_nights_side_by_side(nights, saved):
    found = compare({name: saved(nights, name) for name in ("last", "tonight")})
    expected = np.stack([best_of(nights[name]) for name in ("last", "tonight")])
    np.testing.assert_array_equal(found.scores.values, expected)
    assert list(found.labels) == ["last", "tonight"]
    assert found.params[0] == nights["last"].best_params_
    assert found.scores.design.splits_per_repeat == 10
    assert "last of 2 candidates, tonight of 2 candidates" in found.note
    # All were searched with the same ROPE, which is not the usual one.
    assert found.rope == 0.02
    assert "settings are the search's: rope=0.02." in found.note
    assert compare({"a": saved(nights, "last")}, rope=0.1).rope == 0.1
    is_ledger = str(saved(nights, "last")).endswith("sqlite")
    assert (UNCHECKED in found.note) is not is_ledger


def test_ledgers_of_other_data_are_refused(nights):
    paths = [nights["folder"] / f"{name}.sqlite" for name in ("last", "other")]
    with pytest.raises(ValueError, match="same splits of the same data; those of 'last', 'other'"):
        compare(paths)


def test_files_in_a_list_are_called_by_their_names(nights):
    paths = [nights["folder"] / f"{name}.csv" for name in ("last", "tonight")]
    assert list(compare(paths).labels) == ["last", "tonight"]
    with pytest.raises(ValueError, match=r"mapping of names to searches .*; got last, last"):
        compare([paths[0], paths[0].with_suffix(".sqlite")])
    with pytest.raises(FileNotFoundError):
        compare([*paths, "nowhere.csv"])


def test_saved_nights_with_other_splits_metrics_or_settings(nights, tmp_path):
    folds = search(cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)).fit(X, y)
    fewer = search(cv=10).fit(X, y)
    auc = search(scoring="roc_auc", alpha=0.1).fit(X, y)
    last = nights["folder"] / "last.csv"
    with pytest.raises(ValueError, match="last, tonight have other sizes"):
        compare({"last": last, "tonight": folds.comparison_})
    with pytest.raises(ValueError, match="last, tonight have 20, 10 splits"):
        compare({"last": last, "tonight": fewer.comparison_})
    with pytest.raises(ValueError, match="same metric for every search; got accuracy, roc_auc"):
        compare({"last": last, "tonight": auc.comparison_})
    tonight = nights["tonight"].compare(alpha=0.1)
    found = compare({"last": last, "tonight": tonight})
    assert (found.alpha, found.rope) == (0.05, 0.02)
    assert "The searches differ in alpha: the usual ones stand" in found.note
