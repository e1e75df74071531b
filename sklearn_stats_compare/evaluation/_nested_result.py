"""NestedScoreResult: the score of a procedure that tunes, and what it chose."""

import json
import textwrap
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import check_option, check_probability, warn_user
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._predictions import with_settings
from sklearn_stats_compare.comparison._tables import check_structure
from sklearn_stats_compare.evaluation._fits import ByMetric, labels_of
from sklearn_stats_compare.stats._nested import NestedIntervalResult
from sklearn_stats_compare.stats._numeric import two_sided_z
from sklearn_stats_compare.stats._score_range import ScoreRange, mean_limits, metric_range

_WIDTH = 88

INTERVALS = ("samples", "corrected_t", "bates")

AUTO = "auto"

ReportFormat = Literal["text", "markdown", "latex"]

COLUMNS = ("repeat", "n_train", "n_test", "seconds", "inner_score", "gap", "chosen", "n_splits",
           "share")  # fmt: skip
"""Columns of the tables, which metrics must not be named as."""

_OF_INTERVAL = {
    "corrected_t": "corrected t",
    "samples": "from the values of samples",
    "bates": "after Bates, Hastie and Tibshirani",
}


@dataclass(frozen=True, eq=False, repr=False)
class NestedScoreResult:
    """Result of `nested_score`: the score of one procedure, tuning included.

    When printed, or displayed in a notebook, it says what to publish.

    Attributes
    ----------
    name : str
        Name of the procedure.
    interval : str
        The `interval` that was passed to `nested_score`: how intervals are computed by default.
    comparisons : mapping of str to Comparison
        The procedure's outer scores by metric, for reports and plots.
    bates : mapping of str to NestedIntervalResult
        Result of Bates, Hastie and Tibshirani's method by metric; empty without that interval.
    n_reused : int
        Number of fits that were found in the ledger.
    """

    name: str
    interval: str
    comparisons: Mapping[str, Comparison]
    bates: Mapping[str, NestedIntervalResult]
    n_reused: int
    _index: int = field(repr=False)
    _of_splits: Mapping[str, NDArray[np.float64]] = field(repr=False)
    _scorers: Mapping[str, str | None] = field(repr=False)
    _chosen: list[dict[str, Any] | None] = field(repr=False)
    _seconds: list[float] = field(repr=False)

    @property
    def metrics(self) -> list[str]:
        """Names of the metrics; the first one is the default of all methods."""
        return [comparison.metric for comparison in self.comparisons.values()]

    @property
    def score(self) -> float:
        """Mean outer score by the first metric, with the correction of "bates" if that is used."""
        return self._estimate(0.95, None, None)[0]

    @cached_property
    def _scores(self) -> pd.DataFrame:
        design = next(iter(self.comparisons.values())).scores.design
        table = pd.DataFrame(
            {"repeat": design.repeat, "n_train": design.n_train, "n_test": design.n_test},
            index=pd.RangeIndex(design.n_splits, name="split"),
        )
        for key, comparison in self.comparisons.items():
            table[comparison.metric] = self._of_splits[key]
        table["seconds"] = self._seconds
        known = [chosen for chosen in self._chosen if chosen is not None]
        if known:
            inner = [chosen and chosen["score"] for chosen in self._chosen]
            table["inner_score"] = pd.Series(inner, dtype=float)
            if self._tuned_by is not None:  # else the two are not comparable
                table["gap"] = table["inner_score"] - table[self._tuned_by]
            table["chosen"] = self._labels
            for name in dict.fromkeys(name for chosen in known for name in chosen["params"]):
                table[f"param_{name}"] = pd.Series(
                    [np.nan if c is None else c["params"].get(name, np.nan) for c in self._chosen],
                    dtype=object,
                )
        return table

    @cached_property
    def _labels(self) -> list[str | None]:
        keys = [c and json.dumps(c["keys"], sort_keys=True) for c in self._chosen]
        distinct = {key: c["params"] for key, c in zip(keys, self._chosen, strict=True) if c}
        labels = dict(zip(distinct, labels_of(list(distinct.values())), strict=True))
        return [labels.get(key) for key in keys]

    @property
    def scores(self) -> pd.DataFrame:
        """A row per outer split.

        The columns are ``repeat``, ``n_train``, ``n_test``, the outer score by each metric, and
        ``seconds`` (of the fit with all tuning). If the procedure is or ends in a search, also
        ``inner_score`` (the search's best score), ``gap`` (inner minus outer score, if both are of
        one metric), ``chosen`` (a label) and the chosen parameters as ``param_<name>``.
        """
        return self._scores.copy()

    @property
    def choices(self) -> pd.DataFrame:
        """A row per setting that was chosen, the most frequent first.

        The columns are ``chosen``, ``n_splits``, ``share`` of the outer splits, the mean outer
        score by each metric where it was chosen, and its parameters. Empty without a search.
        """
        if "chosen" not in self._scores:
            return pd.DataFrame(columns=["chosen", "n_splits", "share", *self.metrics])
        groups = self._scores.groupby("chosen", sort=False)
        table = groups[self.metrics].mean()
        table.insert(0, "n_splits", groups.size())
        table.insert(1, "share", groups.size() / len(self._scores))
        for name in self._parameter_columns:
            table[name] = self._scores.drop_duplicates("chosen").set_index("chosen")[name]
        return table.sort_values("n_splits", ascending=False, kind="stable").reset_index()

    @property
    def parameters(self) -> pd.DataFrame:
        """How often each value of each parameter was chosen.

        The columns are ``parameter``, ``value``, ``n_splits`` and ``share`` of the outer splits,
        the most frequent value of each parameter first.
        """
        rows = []
        for name in self._parameter_columns:
            own = name.removeprefix("param_")
            having = [c for c in self._chosen if c and own in c["params"]]
            value_of = {c["keys"][own]: c["params"][own] for c in having}
            counted = Counter(c["keys"][own] for c in having).most_common()
            rows += [(own, value_of[key], n, n / len(self._scores)) for key, n in counted]
        columns = ["parameter", "value", "n_splits", "share"]
        table = pd.DataFrame(rows, columns=columns, dtype=object)
        return table.astype({"n_splits": int, "share": float})

    def confidence_interval(
        self,
        confidence_level: float = 0.95,
        *,
        method: Literal["samples", "corrected_t", "bates"] | None = None,
        metric: str | None = None,
    ) -> tuple[float, float]:
        """Interval of the procedure's score on new data.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Level, in (0, 1).
        method : {"samples", "corrected_t", "bates"}, optional
            How it is computed; see `nested_score`. Default: the method that `nested_score` used.
        metric : str, optional
            One of `metrics`. Default: the first.

        Returns
        -------
        low, high : float
            In score units, within the range of the score if it is known, that of scikit-learn's
            scorers by name. Scores by another name that may be shares of samples, or may be such as
            Cohen's kappa, have the wider of two intervals: Wilson's and mean ± t·SE. NaN, with a
            warning, if the outer scores do not vary and the range is unknown.

        Raises
        ------
        ValueError
            If an argument is unknown or out of range; if `method` is "bates" and `nested_score` was
            not called with it; or if `method` is "samples" and the metric has no values of samples,
            or the outer splits are not repeats of folds.
        """
        _, _, low, high = self._estimate(confidence_level, method, metric)
        return low, high

    @cached_property
    def _summary(self) -> pd.DataFrame:
        rows = []
        for metric in self.metrics:
            inner = self._scores.get("inner_score", pd.Series(dtype=float)).mean()
            # A mean over the splits that did not fail would be of other splits than the score.
            has_gap = metric == self._tuned_by and not self._scores["gap"].isna().any()
            gaps = (inner, self._scores["gap"].mean()) if has_gap else (np.nan, np.nan)
            rows.append((*self._estimate(0.95, None, metric), *gaps))
        columns = ["mean", "std_err", "ci_low", "ci_high", "inner_mean", "gap"]
        return pd.DataFrame(rows, index=pd.Index(self.metrics, name="metric"), columns=columns)

    @property
    def summary(self) -> pd.DataFrame:
        """A row per metric.

        The columns are ``mean`` (the score to publish), ``std_err``, ``ci_low`` and ``ci_high`` (of
        the 95 % interval), ``inner_mean`` (mean of the best inner scores) and ``gap`` (how much
        that exceeds the outer mean); the last two are NaN for metrics by which the procedure does
        not tune, and if a fit failed. With "bates" the mean is extrapolated to all samples, and R²
        is pooled; the gap remains that of the splits.
        """
        return self._summary.copy()

    @property
    def _parameter_columns(self) -> list[str]:
        return [str(name) for name in self._scores if str(name).startswith("param_")]

    @property
    def _tuned_by(self) -> str | None:
        """The metric by which the procedure tunes, if it is among the outer metrics."""
        chosen = next((chosen for chosen in self._chosen if chosen is not None), None)
        if chosen is None:
            return None
        if not self._scorers:  # the outer score is the procedure's own
            return self.metrics[0] if chosen["is_own"] else None
        keys = [key for key, name in self._scorers.items() if name and name == chosen["metric"]]
        return self.comparisons[keys[0]].metric if keys else None

    def _estimate(self, level: float, method: str | None, metric: str | None) -> tuple[float, ...]:
        """Mean, its standard error, and the limits of the interval."""
        level = check_probability("confidence_level", level)
        metric = check_option("metric", self.metrics[0] if metric is None else metric, self.metrics)
        key = next(k for k, c in self.comparisons.items() if c.metric == metric)
        if method is None:
            method = self._methods[key]
        check_option("method", method, INTERVALS)
        if method == "bates":
            if self.interval != "bates":
                raise ValueError(
                    '`method` "bates" needs further fits, which nested_score(interval="bates") '
                    f"makes; this result has {self.interval!r}."
                )
            if key not in self.bates:  # a fit failed, or a value is too large
                return float(self.comparisons[key].scores.means[self._index]), *(np.nan,) * 3
            found = self.bates[key]
            scores = self.comparisons[key].scores
            # At least the variance of K folds; see `SampleTTest`.
            factor = found.n_folds / (found.n_folds - 1)
            within = ScoreRange.of(scores, factor, metric)
            ends = mean_limits(found.mean, found.std_err, two_sided_z(level), within)
            return self._unless_unknown(metric, found.mean, found.std_err, *map(float, ends))
        own = with_settings(self.comparisons[key], test=method, alpha=1 - level)
        row: Any = own.ranking().loc[self._index]
        names = ("mean", "std_err", "ci_low", "ci_high")
        mean, std_err, low, high = (float(row[name]) for name in names)
        # Pooled R² has values of folds above 1, so that its range seems to be unknown.
        least, most = metric_range(self.comparisons[key].scores.scorer_name or metric)
        if self.scores[metric].between(least, most).all():
            low, high = max(low, least), min(high, most)
        return self._unless_unknown(metric, mean, std_err, low, high)

    def _unless_unknown(
        self, metric: str, mean: float, std_err: float, low: float, high: float
    ) -> tuple[float, ...]:
        """The estimate, without an interval if outer scores without spread have no known range."""
        if low < high or np.isnan(low):
            return mean, std_err, low, high
        warn_user(
            f"The outer scores by {metric} do not vary, and the range of this score is not known: "
            "there is no interval. Name a scorer of scikit-learn in `scoring`, or use more "
            "samples.",
            "constant-scores",
        )
        return mean, std_err, np.nan, np.nan

    def report(self, format: ReportFormat = "text") -> str:
        """Report what to publish.

        Parameters
        ----------
        format : {"text", "markdown", "latex"}, default="text"
            "text" gives the sentences; the others add a table of the chosen settings.

        Returns
        -------
        str
            The report.

        Raises
        ------
        ValueError
            If `format` is unknown.
        """
        # Imported when it is asked for, like everything of reports/.
        from sklearn_stats_compare.reports._text import escaped, markdown_escaped

        if check_option("format", format, get_args(ReportFormat)) == "text":
            return "\n".join(self._sentences())
        mark = escaped if format == "latex" else markdown_escaped
        said = "\n\n".join(mark(line) for line in self._sentences())
        names, *rows = [
            [mark(f"{v:.4g}" if isinstance(v, float) else str(v)) for v in row]
            for row in [list(self.choices), *self.choices.itertuples(index=False)]
        ]
        if not rows:  # nothing was chosen
            return said
        if format == "markdown":
            lines = [names, ["---"] * len(names), *rows]
            return f"{said}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)
        head, *body = [f"{' & '.join(line)} \\\\" for line in [names, *rows]]
        begin = f"\\begin{{tabular}}{{{'l' * len(names)}}}\n\\hline"
        table = [begin, head, r"\hline", *body, "\\hline\n\\end{tabular}"]
        return f"{said}\n\n" + "\n".join(table)

    def __str__(self) -> str:
        """What to publish, in sentences."""
        return "\n".join(textwrap.fill(line, _WIDTH) for line in self._sentences())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{escape(line)}</p>" for line in self._sentences())
        return lines + self.choices.to_html(index=False, float_format="{:.4g}".format)

    @cached_property
    def _methods(self) -> dict[str, str]:
        """The method of each metric; "auto" is that of samples where there are values of these."""
        found = {}
        for key, comparison in self.comparisons.items():
            found[key] = self.interval
            if self.interval == AUTO:
                found[key] = "corrected_t"
                with suppress(ValueError):  # there are no values of samples
                    own = with_settings(comparison, test="samples")
                    has_failed = own.scores.samples is None or own.scores.samples.n_failed > 0
                    if not has_failed and np.isfinite(own.ranking()["std_err"].loc[self._index]):
                        found[key] = "samples"
        return found

    def strained_assumptions(self) -> list[str]:
        """A sentence for each strained assumption of the intervals, as of a `Comparison`."""
        found: list[str] = []
        for key, method in self._methods.items():
            if method == "bates":
                continue
            own = with_settings(self.comparisons[key], test=method)
            scores, test = own.scores, own._settings.test
            if not test.of_splits:
                found += test.strained(scores)
            elif not (scores.design.expanding or scores.design.sliding):  # these are warned of
                found += check_structure(scores.design)
        return list(dict.fromkeys(found))

    def _sentences(self) -> list[str]:
        n_splits = len(self._scores)
        said: list[str] = []
        methods = self._methods.values()
        for (metric, row), method in zip(self._summary.iterrows(), methods, strict=True):
            n_failed = int(self._scores[metric].isna().sum())
            if n_failed:
                said.append(
                    f"{n_failed} of {n_splits} splits have no {metric} of {self.name}, so there is "
                    "no mean."
                )
                continue
            ends = f"{row['ci_low']:.4g} to {row['ci_high']:.4g}"
            interval = f"95 % interval {ends}; {_OF_INTERVAL[method]}"
            if np.isnan(row["ci_low"]):
                interval = "no interval"
            said.append(
                f"{metric} of {self.name} on new data: {row['mean']:.4g} ({interval}; "
                f"{count(n_splits, 'outer split')})."
            )
            if note := next(c.note for c in self.comparisons.values() if c.metric == metric):
                said.append(note)
            if np.isfinite(row["gap"]):
                side = "above" if row["gap"] >= 0 else "below"
                is_none = abs(row["gap"]) < 1e-12 * abs(row["inner_mean"])
                gap = 0.0 if is_none else abs(row["gap"])
                outer = f"{row['inner_mean'] - row['gap']:.4g}"
                # R² of all predictions is not the mean over the splits.
                of_splits = "" if outer == f"{row['mean']:.4g}" else f", {outer}"
                said.append(
                    f"The best scores of the inner searches average {row['inner_mean']:.4g}, "
                    f"{gap:.2g} {side} the mean of the outer splits"
                    f"{of_splits}."
                )
        repeat = next(iter(self.comparisons.values())).scores.design.repeat
        if "samples" in methods and np.isfinite(self._summary["ci_low"]).any() and not repeat.any():
            said.append(
                "With one outer repeat the interval allows for the largest effect of another "
                "division into folds; a second repeat, as by RepeatedKFold(n_repeats=2), measures "
                "it and may narrow the interval."
            )
        choices = self.choices
        if len(choices) == 1 and choices.iloc[0]["n_splits"] == n_splits:
            said.append(f"{choices.iloc[0]['chosen']} was chosen on every split.")
        elif len(choices) > 1 and choices["n_splits"].iloc[0] == choices["n_splits"].iloc[1]:
            most = choices["n_splits"].iloc[0]
            said.append(
                f"{count(len(choices), 'setting')} were chosen, none on more than {most} of "
                f"{n_splits} splits."
            )
        elif len(choices):
            first = choices.iloc[0]
            said.append(
                f"The most frequent choice was {first['chosen']}, on {first['n_splits']} of "
                f"{n_splits} splits; {count(len(choices), 'setting')} were chosen in all."
            )
        return said


class NestedComparison(ByMetric):
    """Comparisons of procedures by metric, and the nested scores of each procedure.

    Attributes
    ----------
    results : dict of str to NestedScoreResult
        By name of the procedure.
    """

    results: dict[str, NestedScoreResult]
