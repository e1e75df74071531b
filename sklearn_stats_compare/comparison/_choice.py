"""choose(): the candidate that a rule would deploy, from existing scores."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison._assumptions import warn_of_survivors
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._split_columns import split_column


@dataclass(frozen=True, eq=False)
class Choice:
    """Result of `Comparison.choose`.

    Attributes
    ----------
    index : int
        Index of the candidate: its row in ``cv_results_``.
    label : str
        Its label.
    params : dict
        Its parameters.
    report : DataFrame
        A row per candidate, in rank order, indexed by candidate, with the columns ``label``,
        ``mean``, ``kept`` (whether the rule accepts it), ``why``, ``complexity`` (of rules that
        take the simplest), ``chosen``.
    """

    index: int
    label: str
    params: Mapping[str, Any]
    report: pd.DataFrame = field(repr=False)


def choose(self: Compared, rule: Any) -> Choice:
    """Which candidate a rule for ``refit=`` takes; nothing is fitted.

    Parameters
    ----------
    rule : SelectionRule
        Such as `SimplestPossiblyBest`. Its `complexity` may be parameters or a function of them,
        but not columns of ``cv_results_`` such as times, which a comparison does not have. For the
        same reason `BestSubjectTo` cannot have bounds of other metrics here. The comparison
        supplies the split sizes and the metric.

    Returns
    -------
    Choice
        With the attributes ``index``, ``label``, ``params`` and ``report``. To refit it:
        ``clone(search.estimator).set_params(**choice.params).fit(X, y)``.

    Raises
    ------
    TypeError
        If `rule` is not a selection rule.
    ValueError
        If the comparison has no parameters or another metric than the rule, or if the rule cannot
        choose, for example because every candidate failed.

    Warns
    -----
    ComparisonWarning
        After a race, or an extension of some candidates: others are not compared. Not after a race
        with ``eliminate="inferior"``.

    Examples
    --------
    >>> from sklearn.base import clone
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_stats_compare import SimplestPossiblyBest, StatisticalGridSearchCV
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> search = StatisticalGridSearchCV(tree, {"max_depth": [1, 2, 3, 4]}, cv=10).fit(X, y)
    >>> choice = search.comparison_.choose(SimplestPossiblyBest("max_depth"))
    >>> choice
    Choice(index=1, label='2', params={'max_depth': 2})
    >>> deployed = clone(search.estimator).set_params(**choice.params).fit(X, y)
    """
    # This folder may not import its class; a class in place of an instance has a `choose` too.
    if isinstance(rule, type) or not callable(getattr(rule, "choose", None)):
        raise TypeError(
            f"`rule` must be a rule, such as SimplestPossiblyBest('C'); got {shown(rule)}."
        )
    if self.params is None:
        raise ValueError("The comparison knows no parameters; one of a search does.")
    if getattr(rule, "metric", None) not in (None, "score", self.metric):
        raise ValueError(
            f"`rule` must be of the metric that is compared, {self.metric!r}; got one of "
            f"{rule.metric!r}. Ask compare(metric={rule.metric!r}) of the search."
        )
    self.settings.check_has_std_err("choose")
    columns = {split_column(k, self.metric): own for k, own in enumerate(self.scores.values.T)}
    row, report = rule.choose(
        {"params": list(self.params), **columns}, self.scores, self.settings.test
    )
    warn_of_survivors(
        self.n_entered,
        self.scores.n_candidates,
        f"The choice of {type(rule).__name__}",
        self.dropped_pvalue,
        getattr(rule, "alpha", None),
    )
    names = self._candidate_names
    report = report.assign(label=[names.label(k) for k in report.index])
    report.index = pd.Index(names.indices_of(report.index), name="candidate")
    return Choice(names.indices[row], names.label(row), self.params[row], report)
