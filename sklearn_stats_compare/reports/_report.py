"""report(): a comparison in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sklearn_stats_compare._messages import check_option, visible
from sklearn_stats_compare.datasets import DatasetsComparison
from sklearn_stats_compare.reports._datasets_document import DatasetsDocument
from sklearn_stats_compare.reports._document import Document
from sklearn_stats_compare.reports._html import datasets_html_report, html_report
from sklearn_stats_compare.reports._json import datasets_json_report, json_report
from sklearn_stats_compare.reports._latex import latex_report
from sklearn_stats_compare.reports._plain import markdown_report, text_report
from sklearn_stats_compare.reports._rendered import Report
from sklearn_stats_compare.reports._report_options import Options

_FORMATS: dict[str, Callable[[Any], str]] = {
    "text": text_report,
    "markdown": markdown_report,
    "latex": latex_report,
    "html": html_report,
    "json": json_report,
    "bibtex": lambda document: document.bibtex,
}
_FORMATS_OF_DATASETS = {**_FORMATS, "html": datasets_html_report, "json": datasets_json_report}


def report(
    comparison: Any,
    format: str = "text",
    *,
    reference: int | str | None = None,
    digits: int | None = None,
    caption: str | Mapping[str, str] | None = None,
    label: str | None = None,
    parts: Sequence[str] | None = None,
    cite: str | None = None,
    latex_tables: str = "booktabs",
    latex_width: str = "column",
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
        sortable tables and pictures; in a notebook it does not affect the notebook's style. "json"
        has the same facts for machines, with a ``version``, and ignores `digits` and `parts`.
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
        `Comparison.ranking`, `Comparison.leader_table` and `Comparison.pairwise_frequentist` give
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
    options = Options.checked(
        digits=digits,
        caption=caption,
        label=label,
        parts=parts,
        cite=cite,
        latex_tables=latex_tables,
        latex_width=latex_width,
        columns=columns,
    )
    if isinstance(comparison, DatasetsComparison):
        if columns is not None:
            raise ValueError("`columns` must be left out for a comparison over data sets.")
        over = DatasetsDocument(comparison, options, reference)
        return Report(visible(_FORMATS_OF_DATASETS[format](over)), format)
    return Report(visible(write(Document.of(comparison, options, reference))), format)
