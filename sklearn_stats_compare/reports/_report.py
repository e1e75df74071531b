"""report(): the one door to a comparison in words."""

from collections.abc import Callable
from typing import Any

from sklearn_stats_compare._messages import check_option, visible
from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._html import html_report
from sklearn_stats_compare.reports._json import json_report
from sklearn_stats_compare.reports._latex import latex_report
from sklearn_stats_compare.reports._plain import markdown_report, text_report
from sklearn_stats_compare.reports._rendered import Report

_FORMATS: dict[str, Callable[[Facts], str]] = {
    "text": text_report,
    "markdown": markdown_report,
    "latex": latex_report,
    "html": html_report,
    "json": json_report,
}


def report(comparison: Any, format: str = "text") -> str:
    r"""Report a comparison in words and tables, to read or to paste into a paper.

    It opens with paragraphs fit for methods and results: the design, the test and its correction;
    the leader, from whom it cannot be told apart and to whom it is practically equivalent; what is
    missing; how much of the leader's mean is luck, and what the design could have detected; which
    assumptions are strained. Then come the ranking, with letters that candidates
    share when they are not told apart, and the leader against every other candidate.

    Parameters
    ----------
    comparison : Comparison, or an object with one as ``comparison_``
        What to report, such as a fitted search.
    format : {"text", "markdown", "latex", "html", "json"}, default="text"
        "latex" needs the packages that its first line names. "html" is one self-contained page
        with tables that sort on a click and pictures. "json" holds the same facts for machines,
        with a ``version``.

    Returns
    -------
    str
        The report. Nothing is printed and no file is written. As the last expression of a
        notebook's cell it is rendered: HTML as a page in a frame, Markdown as formatted text.

    Raises
    ------
    TypeError
        If `comparison` is none and has none.
    ValueError
        If `format` is unknown, or `p_adjust` needs every pair's p-value and there are more than 20
        million pairs.

    Notes
    -----
    p-values are two-sided, whatever the comparison's `alternative` is: the ranking chose the
    direction, and a one-sided p-value is up to two times too small then. Where the comparison's
    own are one-sided, the report says so. Labels are escaped in every format, and characters that
    cannot be seen are told by their number.

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
    than tree (difference 0.2070, t(9) = 18.38, p < 0.001).
    """
    written = _FORMATS[check_option("format", format, _FORMATS)](Facts.of(comparison))
    return Report(visible(written), format)
