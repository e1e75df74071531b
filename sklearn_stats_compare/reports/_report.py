"""report(): the one door to a comparison in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sklearn_stats_compare._messages import check_option, visible
from sklearn_stats_compare.reports._document import Document
from sklearn_stats_compare.reports._html import html_report
from sklearn_stats_compare.reports._json import json_report
from sklearn_stats_compare.reports._latex import latex_report
from sklearn_stats_compare.reports._plain import markdown_report, text_report
from sklearn_stats_compare.reports._rendered import Report
from sklearn_stats_compare.reports._report_options import Options

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

    It opens with paragraphs fit for methods and results: the design, the test and its correction;
    the leader, from whom it cannot be told apart, to whom it is practically equivalent, and who may
    be the best; what is missing; how much of the leader's mean is luck, and what the design could
    have detected; which assumptions are strained. Then come the ranking, with letters that
    candidates share when they are not told apart, and the leader against every other candidate.

    Parameters
    ----------
    comparison : Comparison, object with one as ``comparison_``, or mapping of str to these
        What to report, such as a fitted search. A mapping of metrics to comparisons of the same
        candidates, or a search that scored several metrics, is reported by every metric, with one
        table of them all.
    format : {"text", "markdown", "latex", "html", "json", "bibtex"}, default="text"
        "latex" needs the packages that its first line names. "html" is one self-contained page
        with tables that sort on a click and pictures; displayed in a notebook it leaves the
        notebook's own look alone. "json" holds the same facts for machines, with a ``version``,
        all of them whatever `digits` and `parts` are. "bibtex" are the entries of the works whose
        methods the report uses, and nothing else.
    reference : int or str, optional
        A candidate that was named before the scores were seen, by index or label: a paragraph and a
        table set it against every other, adjusted for these m − 1 tests (`Comparison.against`).
    digits : int, optional
        Decimals of scores and of their differences, 0 to 15. Default: as many as show three digits
        of a typical standard error. Probabilities keep three.
    caption : str or mapping of str to str, optional
        Words before the caption of every table, or captions in place of those of the tables that
        are named: ``{"ranking": "Models by {metric}."}``. Plain text, which is escaped;
        ``{metric}`` stands for the metric's name. Of several metrics a caption without it begins
        with that name.
    label : str, optional
        What LaTeX's labels begin with: ``"tab:moons"`` makes ``\label{tab:moons-ranking}``.
        Default: a name of its own for each table, which changes when its numbers do.
    parts : str or sequence of str, optional
        Which parts to tell, of "prose" (methods and results), "remarks" (for the author: what
        strains the assumptions), "metrics" (means and marks by every metric), "ranking", "leader"
        (the leader against the others), "reference" (where one is named), "pairs" (all pairs, at
        most 500) and "pictures" (of a page). They keep this order. Default: all but "pairs".
    cite : {None, "bibtex"}, default=None
        "bibtex" cites the works behind the methods: by ``\cite`` in LaTeX, and everywhere with the
        entries at the end, in LaTeX as comments. The keys stay the same from release to release.
    latex_tables : {"booktabs", "siunitx", "plain"}, default="booktabs"
        How LaTeX draws tables: with the rules of booktabs, with these and numbers aligned by
        siunitx, or with lines that need no package.
    latex_width : {"column", "page"}, default="column"
        How wide LaTeX's tables may be: ``table``, or ``table*`` over both columns of a page.
    columns : mapping of str to sequence of str, optional
        Columns of "ranking", "leader", "reference" or "pairs", by the names that
        `Comparison.ranking`, `Comparison.leader_table` and `Comparison.pairwise_frequentist` give
        them, in the order given: ``{"leader": ["mean_diff", "p_val"]}``. The ranking has
        "possibly_best" and "letters" too. Candidates' names always have a column. Captions tell
        what is shown.

    Returns
    -------
    str
        The report. Nothing is printed and no file is written. As the last expression of a
        notebook's cell it is rendered: HTML as a page in a frame, Markdown as formatted text.

    Raises
    ------
    TypeError
        If `comparison` is none and has none, or an option has another type than it should.
    ValueError
        If an option is unknown or out of range, there is no such `reference`, comparisons by
        several metrics are not of the same candidates, there are more than 500 pairs for "pairs",
        or `p_adjust` needs every pair's p-value and there are more than 20 million.

    Notes
    -----
    p-values are two-sided, whatever the comparison's `alternative` is: the ranking chose the
    direction, and a one-sided p-value is up to two times too small then. With several metrics
    they are adjusted within each metric, as a sentence says. Labels are escaped in every format,
    and invisible characters are shown by code point.

    Letters are given to the best 40 candidates, and to none where there are more than two million
    pairs (20,000 for "maxt"), which would take too long.

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
    return Report(visible(write(Document.of(comparison, options, reference))), format)
