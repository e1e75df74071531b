"""What is read from an object: scores, metric, sizes of splits; and what two searches share."""

from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv

from sklearn_stats_compare._sklearn_private import (
    count_samples,
    parts_of_scorer,
    sizes_of_shuffle,
    yields_constant_splits,
)
from sklearn_stats_compare._utils._validation import (
    check_count,
    check_option,
    printable,
    refuse,
    shown,
    shown_list,
    wrong,
)
from sklearn_stats_compare.predictions._scorers import is_of_scikit_learn, name_of_scorer
from sklearn_stats_compare.stats._design import (
    LARGEST_SIZE,
    SplitDesign,
    check_splits,
    stratifies,
    tested_rows,
)
from sklearn_stats_compare.stats._scores import SplitScores


@dataclass(frozen=True, eq=False)
class ParsedScores:
    """Scores that were read from an object, by one metric.

    `arguments` are further arguments of a `Comparison`, `settings` are saved ones, with a note on
    them, and `fingerprint` is that of the data, if known. `may_be_loss` says that lower scores may
    be better, `of_scorer` that the metric is called after a scorer of scikit-learn, and
    `lower_is_better` what the object itself says. `splits` are their names, if they have any.
    `models` are names of models beside parameters. `rows` are those of the candidates in a table of
    results, and `row_names` the labels of all of its rows.
    """

    scores: SplitScores
    metric: str
    labels: Sequence[str] | None = None
    params: Sequence[Mapping[str, Any]] | None = None
    arguments: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    settings_note: str = ""
    fingerprint: "DataFingerprint | None" = None
    may_be_loss: bool = False
    of_scorer: bool = False
    lower_is_better: bool | None = None
    splits: Sequence[str] = ()
    models: Sequence[str] = ()
    rows: Sequence[int] = ()
    row_names: Sequence[Any] = ()


class UnknownSizesError(ValueError):
    """Results do not contain the sizes of their splits."""


@dataclass(frozen=True, eq=False)
class Sizes:
    """Sizes of splits as the caller gives them, or as another search `recorded` them."""

    ratio: float | None
    n_train: ArrayLike | None
    n_test: ArrayLike | None
    n_samples: int | None
    data: "Data | None" = None
    recorded: SplitDesign | None = None

    def __post_init__(self) -> None:
        if (self.n_train is None) != (self.n_test is None):
            raise ValueError("`n_train` and `n_test` must be given together; got only one of them.")
        if self.n_train is not None:
            refuse("test_train_ratio", self.ratio, "where `n_train` and `n_test` are given")
        if self.data is not None:
            if self.ratio is not None or self.n_train is not None:
                where = "where `test_train_ratio`, or `n_train` and `n_test`, are given"
                refuse("X", self.data.X, where)
            refuse("n_samples", self.n_samples, "where `X` is given, which has it")
        if self.ratio is not None:
            refuse("n_samples", self.n_samples, "where `test_train_ratio` is given")
        if self.n_samples is not None:
            check_count("n_samples", self.n_samples, limit=int(LARGEST_SIZE))

    @property
    def given(self) -> bool:
        """Whether the caller gave sizes that determine the design, or the data that have them."""
        return any(given is not None for given in (self.ratio, self.n_train, self.data))

    def check_labels(self, splits: pd.Index) -> None:
        """Raise ValueError for sizes without labels if the splits are not in order."""
        for name, size in (("n_train", self.n_train), ("n_test", self.n_test)):
            listed = isinstance(size, Iterable) and not isinstance(size, str | pd.Series)
            listed &= getattr(size, "ndim", 1) > 0
            if listed and len(set(map(str, size))) > 1:  # type: ignore[arg-type]
                raise ValueError(
                    f"`{name}` must be a Series with the numbers of the splits where scores are "
                    f"numbered in another order, {shown_list(map(str, splits[:3]))}, …; got "
                    f"{type(size).__name__}. Or number them anew: reset_index(drop=True)."
                )

    def pool(self, known: int) -> int:
        """Number of samples that splits are drawn from, of which at least `known` are in them."""
        if self.n_samples is not None and self.n_samples < known:
            raise ValueError(
                f"`n_samples` must be at least {known:,}, as the splits have such indices; "
                f"got {self.n_samples:,}."
            )
        return known if self.n_samples is None else self.n_samples

    def check(self, recorded: SplitDesign) -> None:
        """Raise ValueError for given sizes that are not those that the results or splitter have."""
        if self.n_samples is not None and recorded.n_samples not in (None, self.n_samples):
            raise ValueError(
                f"`n_samples` must be left out, or be that of `obj`, {recorded.n_samples:,}; got "
                f"{self.n_samples:,}."
            )
        if self.data is None and self.given:
            given = self.design(recorded.n_splits).test_train_ratio
            known = [recorded.test_train_ratio, recorded.overlap_ratio]
            # One size for all splits rounds. Often 1/k is given for the 1/(k - 1) of k folds.
            if not np.isclose(given, known, 0.04).any():
                raise ValueError(
                    "`test_train_ratio`, or `n_train` and `n_test`, must be left out, or be of the "
                    f"splits of `obj`, whose ratio is {recorded.test_train_ratio:.4g}; got "
                    f"{given:.4g}."
                )

    def design(self, n_splits: int, hint: str = "", search: Any = None) -> SplitDesign:
        """The design, from given sizes or else from the splitter of the search that split.

        `hint` is a further sentence of the error if neither determines it.
        """
        if self.data is not None:
            return self.data.design(search, n_splits)
        # The sizes of some splitters, such as KFold, follow from their parameters without data.
        # `n_splits_` is what the search found; a splitter's own `get_n_splits` may need the data.
        found = None
        if getattr(search, "n_splits_", None) is not None:
            cv = getattr(search, "cv", None)
            found = _design_of_splitter(cv, n_splits, self.n_samples)
            if found is not None and (stratifies(cv) or (_is_number(cv) and _classifies(search))):
                found = replace(found, stratified=True)
        if self.recorded is not None and self.recorded.n_splits == n_splits:
            given = Sizes(self.recorded.test_train_ratio, None, None, None)
            if found is not None:
                given.check(found)
            return self.recorded
        if found is not None:
            self.check(found)
        if self.ratio is not None:
            return SplitDesign.from_ratio(self.ratio, n_splits)
        if self.n_train is not None:
            n_train, n_test = (_per_split(n, n_splits) for n in (self.n_train, self.n_test))
            design = SplitDesign(n_train, n_test, n_samples=self.n_samples)
            design = with_growth(design)
            if not design.n_test.all():
                then = "Without test samples there is no score."
                raise wrong("n_test", "be whole numbers ≥ 1", self.n_test, then)
            return design
        if found is None:
            raise UnknownSizesError(
                "`test_train_ratio` must be given, or both `n_train` and `n_test`, because the "
                f"results do not contain the sizes of the splits; got None.{hint} The ratio is "
                "Σ n_test / Σ n_train, which is 1/(k - 1) for k-fold."
            )
        return found


def with_growth(design: SplitDesign) -> SplitDesign:
    """The design, as of time series if each test set becomes training data."""
    trained, tested = design.n_train, design.n_test
    if design.n_splits < 3 or not tested.all() or not np.array_equal(np.diff(trained), tested[:-1]):
        return design
    pool = design.n_samples or int(trained[-1] + tested[-1])
    return replace(design, expanding=True, n_samples=pool)


def is_ours(obj: Any) -> bool:
    """Whether an object is a fitted search of this package."""
    # By its attributes, because comparison/ lies below search/ and may not import its classes.
    return hasattr(obj, "n_train_") and callable(getattr(obj, "compare", None))


def skore_kind(obj: Any) -> str:
    """Name of the class of a report of skore; "" for anything else."""
    for kind in type(obj).__mro__:
        if kind.__module__.partition(".")[0] == "skore" and kind.__name__ in (
            "CrossValidationReport",
            "ComparisonReport",
            "EstimatorReport",
        ):
            return kind.__name__
    return ""


def is_skore(obj: Any) -> bool:
    """Whether an object is a report of skore, or a list or mapping that contains one."""
    several = obj.values() if isinstance(obj, Mapping) else obj
    is_list = isinstance(obj, Mapping | list | tuple)
    return any(map(skore_kind, several if is_list else [obj]))


def chosen_metric(metric: str | None, metrics: list[str]) -> str:
    """The requested metric, or the only one."""
    if metric is not None:
        return str(check_option("metric", metric, metrics))
    # Not the first one: metrics have no order, and a wrong choice would go unnoticed.
    if len(metrics) > 1:
        raise ValueError(f"`metric` must be one of {shown_list(metrics)}; got None.")
    return metrics[0]


def _per_split(size: Any, n_splits: int) -> Any:
    """A size for each split; one size is repeated for all."""
    if isinstance(size, Mapping | Set | pd.DataFrame):
        raise wrong("n_train` and `n_test", "be one number, or one for each split in order", size)
    # A string is iterable too; `SplitDesign` refuses it, with the name of the argument.
    no_list = isinstance(size, str) or getattr(size, "ndim", 1) == 0
    if no_list or not isinstance(size, Iterable):
        return np.full(n_splits, size)
    if isinstance(size, pd.Series):
        plain = pd.RangeIndex(len(size))
        if not plain.isin(size.index).all():
            raise ValueError(
                "`n_train` and `n_test` must be in the order of the splits, as arrays, or as "
                "Series that are numbered 0, 1, 2, …, because no other labels are compared; got "
                f"labels such as {shown(size.index[0])}. Pass `to_numpy()` if the order is right."
            )
        size = size.loc[plain]
    found = list(size)
    if len(found) != n_splits:
        raise ValueError(
            "`n_train` and `n_test` must be one number, or one for each split, "
            f"{n_splits}; got {len(found)}."
        )
    return found


@dataclass(frozen=True, eq=False)
class Data:
    """The data that a search was fitted on, as the caller of `compare` gives them again."""

    X: Any
    y: Any = None
    groups: Any = None

    @classmethod
    def given(cls, X: Any, y: Any, groups: Any) -> "Data | None":
        """The data; None if none were given.

        Raises
        ------
        ValueError
            If there is no `X`.
        """
        if X is None:
            for name, value in (("y", y), ("groups", groups)):
                if value is not None:
                    raise ValueError(f"`{name}` must be given together with `X`; got no `X`.")
            return None
        return cls(X, y, groups)

    def design(self, search: Any, n_splits: int) -> SplitDesign:
        """The design of the splits of a search with this number of columns of scores."""
        cv, splits = self._splits(search, n_splits)
        design = SplitDesign.from_indices(splits, count_samples(self.X))
        return replace(design, stratified=stratifies(cv))

    def tested(self, search: Any, n_splits: int) -> NDArray[np.intp]:
        """Rows of the data that these splits test."""
        return tested_rows(self._splits(search, n_splits)[1], count_samples(self.X))

    def _splits(self, search: Any, n_splits: int) -> tuple[Any, list[Any]]:
        if not hasattr(search, "cv"):
            what = "scores without a search" if search is None else type(search).__name__
            raise ValueError(
                "`X` must be given with a fitted search, whose splitter makes the splits; got "
                f"{what}, which has no `cv`. Give `n_train` and `n_test`, or `test_train_ratio`."
            )
        try:
            n_samples = count_samples(self.X)
        except TypeError:
            raise TypeError(
                f"`X` must be the data that the search was fitted on; got {shown(self.X)}."
            ) from None
        _check_same_samples(search, n_samples)
        splitter = _repeatable(search.cv)
        rule = "`X`, `y` and `groups` must be those that the search was fitted on; "
        of = f"cv={shown(search.cv)}"
        try:
            # As a search does: a number of folds is stratified if the estimator is a classifier.
            cv = check_cv(splitter, self.y, classifier=_classifies(search))
            splits = list(cv.split(self.X, self.y, self.groups))
            if len(splits) == n_splits:
                check_splits("cv", splits, n_samples)
                return cv, splits
        except (ValueError, TypeError, IndexError) as error:
            raise ValueError(f"{rule}its {of} cannot split them: {error}") from error
        raise ValueError(
            f"{rule}{of} makes {len(splits)} splits of them, and the search has "
            f"scores of {n_splits}."
        )


def _check_same_samples(search: Any, n_samples: int) -> None:
    """Raise ValueError if the search scored on fewer samples, as far as it says."""
    # A halving search draws from each split; only the last iteration is compared.
    resources = getattr(search, "n_resources_", None)
    if resources and getattr(search, "resource", None) == "n_samples" and resources[-1] < n_samples:
        raise ValueError(
            f"`X` must be left out for {type(search).__name__}, which scored its last candidates "
            f"on about {resources[-1]} of the {n_samples} samples. Give `test_train_ratio`."
        )
    drawn = getattr(search, "sample_indices_", None)  # of OptunaSearchCV
    if drawn is not None and len(drawn) != n_samples:
        raise ValueError(
            f"`X` must be the {len(drawn)} samples that {type(search).__name__} drew, "
            f"X[search.sample_indices_]; got {n_samples} samples."
        )


def _repeatable(cv: Any) -> Any:
    """A splitter that makes splits of the same sizes, and draws from no generator of the user's."""
    if hasattr(cv, "__next__"):
        raise ValueError(
            "`X` must be left out where `cv` is a generator, which the search used up; got "
            f"cv={shown(cv)}. Give `n_train` and `n_test`, or `test_train_ratio`."
        )
    if is_constant(cv):
        return cv
    if package_of(type(cv)) == "sklearn" and type(cv).__name__ in _SAME_SIZES:
        seeded = copy(cv)
        seeded.random_state = 0
        return seeded
    raise ValueError(
        "`X` must be left out where the sizes depend on a draw that is not repeated; got "
        f"cv={shown(cv)}. Give `n_train` and `n_test`, or `test_train_ratio`, or fit the search "
        "with an integer `random_state` in its splitter."
    )


# Splitters are recognised by class name and package: a subclass may split in another way.

_SHUFFLES = {"ShuffleSplit", "StratifiedShuffleSplit"}

_REPEATED = {"RepeatedKFold", "RepeatedStratifiedKFold"}

_FOLDS = {
    "KFold",
    "StratifiedKFold",
    "GroupKFold",
    "StratifiedGroupKFold",
    "LeaveOneOut",
} | _REPEATED

# The draw decides which samples are in a split of these, and not how many.
_SAME_SIZES = {"KFold", "StratifiedKFold"} | _REPEATED | _SHUFFLES


def _design_of_splitter(cv: Any, n_splits: int, n_samples: int | None) -> SplitDesign | None:
    """The design of the splits of a search, or None if it is unknown.

    In k-fold cross-validation, every sample is in one test set and k − 1 training sets, so the
    ratio is exactly 1/(k − 1), however uneven the folds.
    """
    name = type(cv).__name__ if package_of(type(cv)) in _KNOWN_SPLITTERS else ""
    if name in _SHUFFLES:
        return _shuffled(cv, n_splits, n_samples)
    if not _is_number(cv) and name not in _FOLDS:
        return None
    k = n_splits // int(getattr(cv, "n_repeats", 1))
    # A `cv` that was set after the fit makes another number. Of single samples it is not known.
    if k < 2 or (name != "LeaveOneOut" and check_cv(cv).get_n_splits() != n_splits):
        return None
    if n_samples is not None and name in ("GroupKFold", "StratifiedGroupKFold"):
        refuse("n_samples", n_samples, f"for {name}, whose folds differ in size")
    if n_samples is not None:
        if n_samples < k or (name == "LeaveOneOut" and n_samples > k):
            rule = "be" if name == "LeaveOneOut" else "be at least"
            raise ValueError(f"`n_samples` must {rule} the number of folds, {k}; got {n_samples}.")
        sizes = n_samples // k + (np.arange(n_splits) % k < n_samples % k)
        return SplitDesign(
            n_samples - sizes, sizes, repeat=np.arange(n_splits) // k, n_samples=n_samples
        )
    return SplitDesign.from_ratio(1 / (k - 1), n_splits, np.arange(n_splits) // k)


def _shuffled(cv: Any, n_splits: int, n_samples: int | None) -> SplitDesign | None:
    test, train = cv.test_size, cv.train_size
    if n_samples is None:
        if not (isinstance(test, int | np.integer) and isinstance(train, int | np.integer)):
            return None
    else:
        # 0.1 in ShuffleSplit and its kin.
        default = getattr(cv, "_default_test_size", 0.1)
        try:
            train, test = sizes_of_shuffle(n_samples, test, train, default)
        except ValueError as error:
            raise ValueError(f"`n_samples` must be of the splitter's data; {error}.") from None
    return SplitDesign(np.full(n_splits, train), np.full(n_splits, test), n_samples=n_samples)


# Splitters are recognised by the module of their code, so that no package need be imported here.

ABSENT = object()

_KNOWN_SPLITTERS = ("sklearn", "sklearn_stats_compare")


def is_constant(cv: Any) -> bool:
    """Whether every call to split is known to give the same splits.

    A number of folds does not shuffle, and an iterable becomes a list. scikit-learn's splitters
    without a `random_state` draw nothing; for other splitters this is unknown.
    """
    if cv is ABSENT:
        return False
    # `check_cv` of scikit-learn also uses this attribute to distinguish splitters from lists.
    if not hasattr(cv, "split"):
        return True
    # A generator goes on drawing at every call to split, under whatever name it is kept.
    draws = getattr(cv, "__dict__", {}).values()
    if any(isinstance(value, np.random.RandomState | np.random.Generator) for value in draws):
        return False
    # scikit-learn's function takes a splitter without `random_state` for constant. Its own are, but
    # those of other packages may draw from NumPy's global state.
    if hasattr(cv, "random_state") or package_of(type(cv)) in _KNOWN_SPLITTERS:
        return bool(yields_constant_splits(cv))
    return not getattr(cv, "shuffle", True)


def package_of(owner: type, method: str | None = None) -> str:
    """The package of a class, or of its method; "" if there is no such method."""
    code = owner if method is None else getattr(owner, method, None)
    return str(getattr(code, "__module__", "")).partition(".")[0]


# Five folds since scikit-learn 0.22.
_DEFAULT_FOLDS = 5


def check_same_splits(searches: Mapping[Any, Any], metric: str | None) -> None:
    """Raise ValueError unless all searches split and score alike, as far as known.

    Fewer than two searches always pass.
    """
    names = list(searches)
    for name, search in searches.items():
        results = search.cv_results_
        if "iter" in results and "n_resources" in results:
            raise ValueError(
                "`obj` must hold searches that scored all candidates on the same splits; "
                f"{shown(name)} is a {type(search).__name__}, which drew samples for each "
                "iteration. Compare it by itself, or search its best candidates again."
            )
    first = searches[names[0]] if names else None
    for name in names[1:]:
        pair = shown_list([shown(names[0]), shown(name)])
        other = searches[name]
        n_splits = [getattr(search, "n_splits_", None) for search in (first, other)]
        if n_splits[0] != n_splits[1] and None not in n_splits:
            raise ValueError(
                "`obj` must hold searches on the same splits; those of "
                f"{pair} have {n_splits[0]} and {n_splits[1]} splits. Give every search the same "
                "splitter, and extend all of them or none."
            )
        if not _split_alike(first, other):
            raise ValueError(
                "`obj` must hold searches on the same splits; those of "
                f"{pair} may differ, with cv={shown(getattr(first, 'cv', None))} and "
                f"cv={shown(getattr(other, 'cv', None))}. Give every search the same splitter "
                "with an integer `random_state`, or the same list of splits."
            )
    check_same_metric(searches, metric)


def check_same_metric(searches: Mapping[Any, Any], metric: str | None) -> None:
    """Raise ValueError unless one function scores all searches, as far as known."""
    names = list(searches)
    for name in names[1:]:
        pair = searches[names[0]], searches[name]
        one, other = (_scoring_of(search, metric) for search in pair)
        functions = [getattr(scorer, "_score_func", scorer) for scorer in (one, other)]
        # The representation of a scorer has the name of its function and all arguments.
        alike = bool(functions[0] == functions[1]) and repr(one) == repr(other)
        # Also "accuracy" and its scorer, or a classifier's own score.
        named = [
            single_metric_name(search) if own is None else name_of_scorer(own)
            for search, own in zip(pair, (one, other), strict=True)
        ]
        alike |= named[0] == named[1] and is_of_scikit_learn(named[0])
        if not alike or (one is None and not _of_one_kind(*pair)):
            raise ValueError(
                "`obj` must hold searches with the same metric; those of "
                f"{shown_list([shown(names[0]), shown(name)])} have scoring={shown(one)} and "
                f"scoring={shown(other)}. Give every search the same `scoring`, such as 'accuracy'."
            )


def _split_alike(one: Any, other: Any) -> bool:
    cvs = [getattr(search, "cv", np.nan) for search in (one, other)]
    # One search exhausts a generator, so that of another search is a different one.
    if not all(is_constant(cv) and not hasattr(cv, "__next__") for cv in cvs):
        return False
    if getattr(one, "n_splits_", None) != getattr(other, "n_splits_", None):
        return False
    # `check_cv` of scikit-learn stratifies a number of folds where the estimator is a classifier.
    if _is_number(cvs[0]) and _is_number(cvs[1]):
        folds = [_DEFAULT_FOLDS if cv is None else int(cv) for cv in cvs]
        return folds[0] == folds[1] and _of_one_kind(one, other)
    return are_alike(*cvs)


def _scoring_of(search: Any, metric: str | None) -> Any:
    """What scored the compared metric: a name, a scorer, or None for the estimator's own score."""
    scoring = getattr(search, "scoring", None)
    if callable(scoring) or not getattr(search, "multimetric_", False):
        return scoring
    refit = getattr(search, "refit", None)
    name = getattr(refit, "metric", refit) if metric is None else metric  # of a rule
    return scoring.get(name) if isinstance(scoring, Mapping) else name


def _classifies(search: Any) -> bool:
    estimator = getattr(search, "estimator", None)
    return estimator is not None and bool(is_classifier(estimator))


def _is_number(cv: Any) -> bool:
    return cv is None or (isinstance(cv, Integral) and not isinstance(cv, bool))


def estimator_kind(model: Any) -> str | None:
    """Return "classifier", "regressor" or another kind that an estimator names; None without one.

    From scikit-learn 1.6 on the kind is a tag. Before it was the attribute ``_estimator_type``,
    which is all that some searches of other packages have.
    """
    try:
        kind = model.__sklearn_tags__().estimator_type
    except Exception:  # an estimator from outside scikit-learn may raise anything
        kind = None
    return kind or getattr(model, "_estimator_type", None)


# Estimators of other packages are recognised by name, so that these need not be imported.

_BY_KIND = {"classifier": "accuracy", "regressor": "r2"}

# Their `score` uses their `scoring`. Elsewhere the parameter means something else: boosting models
# use it for early stopping, and RidgeCV to choose its penalty.
_SCORED_BY_SCORING = ("LogisticRegressionCV", "RFECV")

# Their `score` is that of the inner estimator.
_HAND_ON = ("FrozenEstimator", "RFE", "SelfTrainingClassifier")

# Their `score` is the share of the deviance that they explain, D², and not R².
_BY_DEVIANCE = ("GammaRegressor", "PoissonRegressor", "TweedieRegressor")

# Packages in which all other classifiers score by accuracy and regressors by R², even with their
# own method for it.
_KNOWN = ("sklearn", "imblearn", "xgboost", "lightgbm", "catboost")


def own_metric(model: Any) -> str:
    """What ``model.score`` returns: the name of a metric, or the kind of model that defines it.

    A user's class counts as its kind, whatever its `score` does: only its author knows whether that
    is comparable with the others.
    """
    scoring, model = _scored_by(model)
    kind = estimator_kind(model) or ""
    of_kind = f"the score of a {kind}" if kind else "a score of its own"
    return scoring or _BY_KIND.get(kind, of_kind)


def own_metric_name(model: Any) -> str:
    """Name of what ``model.score`` returns, such as ``"accuracy"`` or ``"KMeans.score"``."""
    scoring, model = _scored_by(model)
    name = _BY_KIND.get(estimator_kind(model) or "")
    known = name if package_of(type(model), "score") in _KNOWN else None
    return scoring or known or f"{type(model).__name__}.score"


def single_metric_name(search: Any) -> str:
    """Display name of the metric of a single-metric search; "score" if unknown."""
    scoring, estimator = getattr(search, "scoring", None), getattr(search, "estimator", None)
    if scoring is None:
        return "score" if estimator is None else own_metric_name(estimator)
    return name_of_scorer(scoring) or "score"


def metrics_apart(metrics: Sequence[str], scores: Sequence[SplitScores]) -> list[str]:
    """The metrics of scores; their names in scikit-learn, where these differ under one name."""
    if len({*metrics}) == 1:
        known = (metric if is_of_scikit_learn(metric) else "" for metric in metrics)
        named = [own.scorer_name or name for own, name in zip(scores, known, strict=True)]
        if len({*filter(None, named)}) > 1:
            return [name or metrics[0] for name in named]
    return list(metrics)


def mixed_metrics(search: Any, candidates: Iterable[Mapping[str, Any]]) -> str:
    """What to say if ``model.score`` of candidates computes several metrics; empty if one.

    Without `scoring` a search compares models by their own ``score``, and candidates may exchange
    the model, or the last step of a pipeline.
    """
    estimator = getattr(search, "estimator", None)
    if getattr(search, "scoring", None) is not None or not hasattr(estimator, "get_params"):
        return ""
    found: dict[str, None] = {}
    seen: set[Any] = set()
    for params in candidates:
        models = {key: value for key, value in params.items() if hasattr(value, "get_params")}
        exchanged = frozenset((key, id(value)) for key, value in models.items())
        if exchanged not in seen:
            seen.add(exchanged)
            model = estimator
            with suppress(Exception):  # the fits of such a candidate have failed too
                model = clone(estimator).set_params(**{k: clone(v) for k, v in models.items()})
            found[own_metric_name(model)] = None
    if len(found) < 2:
        return ""
    return (
        f"Without `scoring`, the candidates were compared by the {shown_list(found)} of their own "
        "`score` methods, which are on different scales: set `scoring`."
    )


def _scored_by(model: Any) -> tuple[str | None, Any]:
    """The metric of ``model.score``, if its class or `scoring` says so, and the inner model."""
    # A pipeline's `score` is that of its last step, which may also be "passthrough" or None.
    if hasattr(model, "named_steps") and hasattr(model.steps[-1][1], "fit"):
        return _scored_by(model.steps[-1][1])
    name = type(model).__name__
    is_search = any(kind.__name__.endswith("SearchCV") for kind in type(model).__mro__)
    if is_search or name in _SCORED_BY_SCORING:
        scoring, refit = getattr(model, "scoring", None), getattr(model, "refit", None)
        by = getattr(refit, "metric", refit)  # of a rule
        if isinstance(scoring, dict | list | tuple | set) and len(scoring) == 1:
            (by,) = scoring
        if isinstance(by, str) and isinstance(scoring, dict):
            scoring = scoring.get(by, by)
        elif isinstance(by, str) and by != "score" and not isinstance(scoring, str | None):
            # Of a list, or of a function that returns several.
            scoring = by if parts_of_scorer(scoring) is None else scoring
        if scoring is not None and scoring != "warn":  # a default that scikit-learn will change
            return name_of_scorer(scoring) or shown(scoring), model
    elif name not in _HAND_ON:
        return ("d2" if name in _BY_DEVIANCE else None), model
    return _scored_by(model.estimator) if hasattr(model, "estimator") else (None, model)


def _of_one_kind(*searches: Any) -> bool:
    """Whether the estimators of all searches are classifiers, or all regressors."""
    return len({estimator_kind(getattr(search, "estimator", None)) for search in searches}) == 1


def are_alike(one: Any, other: Any) -> bool:
    """Whether two splitters, or their attributes, have the same type and content."""
    if one is other:
        return True
    if isinstance(one, np.ndarray | list | tuple) and isinstance(other, np.ndarray | list | tuple):
        if all(isinstance(side, np.ndarray) for side in (one, other)):
            return np.array_equal(one, other)
        return len(one) == len(other) and all(map(are_alike, one, other))
    if type(one) is not type(other):
        return False
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(are_alike(one[key], other[key]) for key in one)
    if hasattr(one, "split") and hasattr(one, "__dict__"):
        return are_alike(vars(one), vars(other))
    try:
        return bool(one == other)
    except Exception:  # values of other packages may raise anything
        return False


SPLITS = "the splits"
"""The name of the splits in a fingerprint, which come last."""


@dataclass(frozen=True)
class DataFingerprint:
    """Fingerprint of X, y, the splits and other inputs; two of the same `kind` can be compared.

    Attributes
    ----------
    kind : str
        How the keys were made.
    lines : mapping of str to (str, str)
        Name of an input → its key, and a description for users.
    """

    kind: str
    lines: Mapping[str, Sequence[str]]


def fingerprint_of(search: Any) -> DataFingerprint | None:
    """Fingerprint of the data that a search was fitted on; None if it has none."""
    # What a fitted search of this package was fitted on is known a layer above.
    from sklearn_stats_compare.search._record import fingerprint_of_data

    return fingerprint_of_data(search)


def check_same_data(fingerprints: Mapping[str, DataFingerprint | None]) -> bool:
    """Whether all are known to come from the same splits of the same data.

    Raises
    ------
    ValueError
        If some are known to come from different ones.
    """
    first: dict[str, tuple[str, DataFingerprint]] = {}
    for name, own in fingerprints.items():
        if own is None:
            continue
        other_name, other = first.setdefault(own.kind, (name, own))
        differing = _differences(other, own)
        if differing:
            raise ValueError(
                "`obj` must hold searches on the same splits of the same data; those of "
                f"{shown_list([shown(other_name), shown(name)])} differ in {differing}. Scores on "
                "other data are not paired: fit both on the same X and y, and choose columns or "
                "prepare them in a Pipeline."
            )
    return len(first) == 1 and None not in fingerprints.values()


def _differences(one: DataFingerprint, other: DataFingerprint) -> str:
    found = []
    # An input of one search only, such as weights, cannot be compared.
    for name in [name for name in one.lines if name in other.lines]:
        (key, description), (other_key, other_description) = one.lines[name], other.lines[name]
        if description != other_description:
            found.append(f"{name} ({description}, {other_description})")
        elif key != other_key:
            found.append(f"{name} (not the same {description})")
    # Different data also have different splits.
    return printable("; ".join(found[:-1] if len(found) > 1 and SPLITS in found[-1] else found))
