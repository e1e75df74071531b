"""report(): a comparison in words; log_mlflow(): the same for MLflow."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Literal, Self

from sklearn_stats_compare._utils._formatting import visible
from sklearn_stats_compare._utils._validation import check_option, check_text, refuse, wrong
from sklearn_stats_compare.comparison._comparison import ReportFormat
from sklearn_stats_compare.datasets._comparison import DatasetsComparison
from sklearn_stats_compare.reports._document import Document, Options
from sklearn_stats_compare.reports._facts import Facts, all_facts
from sklearn_stats_compare.reports._html import html_report
from sklearn_stats_compare.reports._json import json_report
from sklearn_stats_compare.reports._text import latex_report, markdown_report, text_report

_FORMATS: dict[str, Callable[[Document], str]] = {
    "text": text_report,
    "markdown": markdown_report,
    "latex": latex_report,
    "html": html_report,
    "json": json_report,
    "bibtex": lambda document: document.bibtex,
}


def report(
    comparison: Any,
    format: ReportFormat = "text",
    *,
    reference: int | str | None = None,
    digits: int | None = None,
    caption: str | Mapping[str, str] | None = None,
    label: str | None = None,
    parts: Sequence[str] | None = None,
    cite: Literal["bibtex"] | None = None,
    latex_tables: Literal["booktabs", "siunitx", "plain"] = "booktabs",
    latex_width: Literal["column", "page"] = "column",
    columns: Mapping[str, Sequence[str]] | None = None,
) -> str:
    r"""Report a comparison in words and tables, to read or to paste into a paper.

    The report begins with paragraphs for methods and results: the design, the test and its
    correction; the leader, the candidates it does not differ from or is practically equivalent to,
    and those that may be the best; missing candidates; the optimism of the leader's mean, and the
    differences that the design could detect; and strained assumptions. The ranking and the leader
    against every other candidate follow. In the ranking, candidates share a letter if no difference
    between them was found.

    Parameters
    ----------
    comparison : Comparison or DatasetsComparison, object with ``comparison_``, or mapping of these
        What to report, such as a fitted search. A mapping of metrics to comparisons of the same
        candidates, or a search with several metrics, is reported for every metric, with one table
        of all metrics.
    format : {"text", "markdown", "latex", "html", "json", "bibtex"}, default="text"
        "latex" needs the packages named in its first line. "html" is one self-contained page with
        sortable tables, and with pictures if matplotlib is installed; in a notebook it does not
        affect the notebook's style. "json" has the same facts for machines and ignores `digits` and
        `parts`; its ``version`` changes when its keys change, NaN is null, and an infinite number
        is the text "Infinity" or "-Infinity".
        "bibtex" returns only the entries for the methods in the report.
    reference : int or str, optional
        A candidate that was named before the scores were seen, by index or label: a paragraph and a
        table compare it with every other, adjusted for these m − 1 tests (`Comparison.against`).
    digits : int, optional
        Decimals of scores and of their differences, 0 to 15. Default: as many as show three digits
        of a typical standard error. Probabilities keep three.
    caption : str or mapping of str to str, optional
        Text before the caption of every table, or a mapping of table names to new captions:
        ``{"ranking": "Models by {metric}."}``. The text is plain and will be escaped; ``{metric}``
        is replaced by the name of the metric. With several metrics, a caption without it begins
        with that name.
    label : str, optional
        Prefix of labels in LaTeX: ``"tab:moons"`` makes ``\label{tab:moons-ranking}``. Default: a
        different name for each table, which changes with its numbers.
    parts : str or sequence of str, optional
        Parts to include: "prose" (methods and results), "remarks" (for the author: strained
        assumptions), "metrics" (means and marks by every metric), "ranking", "leader" (the leader
        against the others), "reference" (if there is one), "pairs" (all pairs, at most 500) and
        "pictures" (in HTML). The order is fixed. Default: all but "pairs".
    cite : {None, "bibtex"}, default=None
        "bibtex" cites the works for the methods by ``\cite`` in LaTeX, and adds the entries at the
        end of every format, in LaTeX as comments. Keys do not change between releases.
    latex_tables : {"booktabs", "siunitx", "plain"}, default="booktabs"
        Style of LaTeX tables: rules of booktabs; these with numbers aligned by siunitx; or lines
        that need no package.
    latex_width : {"column", "page"}, default="column"
        Width of LaTeX tables: ``table``, or ``table*`` over both columns of a page.
    columns : mapping of str to sequence of str, optional
        Columns of "ranking", "leader", "reference" or "pairs", by the names that
        `Comparison.ranking`, `Comparison.against` and `Comparison.frequentist` give
        them, in the order given: ``{"leader": ["mean_diff", "p_val"]}``. The ranking has
        "possibly_best" and "letters" too. Names of candidates always have a column. Captions
        describe the shown columns.

    Returns
    -------
    str
        The report. Nothing is printed and no file is written. As the last expression of a notebook
        cell it is rendered: HTML as a page in a frame, Markdown as formatted text.

    Raises
    ------
    TypeError
        If `comparison` is not a comparison and has none, or an option has the wrong type.
    ValueError
        If an option is unknown or out of range, there is no such `reference`, comparisons by
        several metrics are not of the same candidates, there are more than 500 pairs for "pairs",
        or `p_adjust` needs every pair's p-value and there are more than 20 million.

    Notes
    -----
    p-values are two-sided, whatever the comparison's `alternative` is: the ranking chose the
    direction, which makes a one-sided p-value too small, by up to a factor of two. With several
    metrics, p-values are adjusted within each metric, and the report says so. Labels are escaped in
    every format, and invisible characters are shown by code point.

    The best 40 candidates get letters. With more than two million pairs (20,000 for "maxt") there
    are none, because they would take too long.

    Examples
    --------
    >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
    >>> from sklearn_stats_compare.reports import report
    >>> scores = SplitScores(
    ...     [[0.91, 0.89, 0.93, 0.90, 0.92, 0.94, 0.90, 0.91, 0.93, 0.92],
    ...      [0.71, 0.66, 0.74, 0.70, 0.69, 0.73, 0.72, 0.70, 0.68, 0.75]],
    ...     SplitDesign([90] * 10, [10] * 10),
    ... )
    >>> print(report(Comparison(scores, ["svm", "tree"])).split("\n\n")[1])
    The leader is svm, with a mean of 0.9150 (corrected standard error 0.0073). It is better
    than tree (difference 0.2070, t(9) = 18.38, p < 0.001). Possibly the best is only svm (1
    of 2; by Hsu's multiple comparisons with the best, adjusted for 1 one-sided test against
    the leader by Bonferroni's method, a given true best is left out with a probability of
    at most 5 %).
    """
    write = _FORMATS[check_option("format", format, _FORMATS)]
    options = Options(digits, caption, label, parts, cite, latex_tables, latex_width, columns)
    if isinstance(comparison, DatasetsComparison):
        refuse("columns", columns, "for a comparison over data sets")
    return Report(visible(write(Document.of(comparison, options, reference))), format)


class Report(str):
    """A report: a string that notebooks render in its format.

    As the last expression of a cell, an HTML report is shown as a page in a frame, Markdown as
    formatted text, and other formats as printed.

    Attributes
    ----------
    kind : str
        Its format; the name `format` is a method of every string.
    """

    kind: str

    def __new__(cls, text: str, kind: str = "text") -> Self:
        """Create from a text and its format."""
        made = super().__new__(cls, text)
        made.kind = kind
        return made

    def _repr_html_(self) -> str | None:
        if self.kind != "html":
            return None
        # In a frame, the style sheet and script of the page do not affect the notebook.
        return (
            f'<iframe srcdoc="{escape(self)}" title="Report" sandbox="allow-scripts" '
            'style="width: 100%; height: 40rem; box-sizing: border-box; border: 1px solid #8c8c8c">'
            "</iframe>"
        )

    def _repr_markdown_(self) -> str | None:
        return str(self) if self.kind == "markdown" else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # IPython calls this for plain text; without it, the repr with quotes and "\\n" is shown.
        printer.text(str(self))


# What MLflow allows in names of metrics and parameters, `_VALID_PARAM_AND_METRIC_NAMES` of its
# validation, without the blank and the slash, which would make folders of artifacts.
_REFUSED = re.compile(r"[^A-Za-z0-9_.-]")


def log_mlflow(comparison: Any, *, run_id: str | None = None, prefix: str = "comparison") -> None:
    """Log a comparison to a run of MLflow: the HTML report, the leader table and the scores.

    With ``mlflow.sklearn.autolog()``, MLflow logs parameters, the refitted model and
    ``cv_results.csv`` of a search. This function adds what the comparison says.

    Parameters
    ----------
    comparison : Comparison, object with one as ``comparison_``, or mapping of str to these
        As for `report`, such as a fitted search of this package. For another search, pass
        ``compare(search)``. Several metrics are all logged.
    run_id : str, optional
        The run to log to, which may have ended. Default: the active run.
    prefix : str, default="comparison"
        Start of the names of everything that is logged: letters, digits, ``_``, ``-`` and ``.``.

    Raises
    ------
    ImportError
        If MLflow is not installed.
    TypeError
        If `comparison` is not a comparison and does not have one, or an argument is not a string.
    ValueError
        If there is no active run and no `run_id`, or `prefix` is empty or has other characters.

    Notes
    -----
    Logged under the default `prefix`:

    - artifacts ``comparison/report.html``, the report, and ``comparison/leader_table.csv``, the
      leader against every other candidate with two-sided p-values;
    - metrics ``comparison.leader_mean``; ``comparison.leader_corrected_mean`` and
      ``comparison.optimism``, as of `Comparison.optimism` with ``rng=0``, by the method
      "tibshirani" if the repeats of the splits are not known; ``comparison.n_candidates`` and
      ``comparison.n_possibly_best``. Values that do not exist are left out: one candidate has no
      optimism;
    - tags ``comparison.leader``, ``comparison.metric``, ``comparison.optimism_method``,
      ``comparison.note`` and the settings, such as ``comparison.p_adjust``. They are tags, because
      MLflow does not let a parameter change if you log again.

    With several metrics, the name of each follows the prefix, ``comparison.roc_auc.leader_mean``,
    and there is a leader table for each. Characters of it that `prefix` may not contain become
    ``_``, and names that are then alike are numbered. Logging again under the same `prefix`
    replaces what was logged, and MLflow keeps the history of the metrics.

    The corrected mean is approximate; see `Comparison.optimism` for when it is too high or too low.

    Examples
    --------
    Within a run, after a search of this package and one of scikit-learn:

    .. code-block:: python

        with mlflow.start_run():
            log_mlflow(search)
        with mlflow.start_run():
            log_mlflow(compare(grid_search))
    """
    check_text("prefix", prefix)
    if not prefix or _REFUSED.search(prefix):
        raise wrong("prefix", "be letters, digits, '_', '-' and '.', at least one of them", prefix)
    if run_id is not None:
        check_text("run_id", run_id)
    try:
        import mlflow
    except ImportError as error:
        raise ImportError(
            "log_mlflow needs MLflow, which is not installed: pip install mlflow."
        ) from error
    found = all_facts(comparison, None)
    if run_id is None:
        active = mlflow.active_run()
        # The functions of MLflow would start a run that nobody ends.
        if active is None:
            raise ValueError(
                "`run_id` must be given if no run is active; got None. Call log_mlflow within "
                "`with mlflow.start_run():`."
            )
        run_id = active.info.run_id
    client = mlflow.MlflowClient()
    client.log_text(run_id, report(comparison, format="html"), f"{prefix}/report.html")
    names = [_REFUSED.sub("_", facts.metric) for facts in found]
    for k, (name, facts) in enumerate(zip(names, found, strict=True)):
        name = f"{name}_{names[:k].count(name)}" if names.count(name) > 1 else name
        own = f"{prefix}.{name}" if len(found) > 1 else prefix
        file = f"leader_table.{name}.csv" if len(found) > 1 else "leader_table.csv"
        client.log_text(run_id, facts.leader_table.to_csv(index=False), f"{prefix}/{file}")
        for key, value in _metrics(facts):
            client.log_metric(run_id, f"{own}.{key}", value)
        for key, text in _tags(facts):
            client.set_tag(run_id, f"{own}.{key}", text)


def _metrics(facts: Facts) -> Iterator[tuple[str, float]]:
    scores = facts.comparison.scores
    if scores.n_available:
        yield "leader_mean", float(scores.means[scores.order[0]])
    if facts.optimism is not None:
        yield "leader_corrected_mean", facts.optimism.corrected_mean
        yield "optimism", facts.optimism.optimism
    yield "n_candidates", scores.n_candidates
    yield "n_possibly_best", int(facts.ranking["possibly_best"].sum())


def _tags(facts: Facts) -> Iterator[tuple[str, str]]:
    comparison = facts.comparison
    yield "metric", facts.metric
    if comparison.leader is not None:
        yield "leader", comparison.leader
    if facts.optimism is not None:
        yield "optimism_method", facts.optimism.method
    if comparison.note:
        yield "note", comparison.note
    low, high = comparison._settings.rope
    yield "test", facts.settings.test.name
    yield "p_adjust", str(facts.settings.p_adjust)
    yield "alpha", f"{facts.settings.alpha:g}"
    yield "rope", f"[{low:g}, {high:g}]"
