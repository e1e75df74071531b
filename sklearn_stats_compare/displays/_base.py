"""What all displays share: sources of data, axes, colours, rows that fit."""

import io
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self
from xml.etree import ElementTree

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.isotonic import isotonic_regression

from sklearn_stats_compare._utils._formatting import short_labels, shortened, visible
from sklearn_stats_compare._utils._validation import shown, without_warnings
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._labels import CandidateNames
from sklearn_stats_compare.comparison._tables import verdict_words

# Okabe and Ito's palette, which is readable with the common kinds of colour blindness.
BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"

PURPLE, SKY, YELLOW, GREY = "#CC79A7", "#56B4E9", "#F0E442", "#8C8C8C"

LINE_COLOURS = (BLUE, ORANGE, GREEN, VERMILLION, PURPLE, SKY)

VERDICT_COLOURS = {
    "better": BLUE,
    "worse": VERMILLION,
    "equivalent": GREEN,
    "undecided": GREY,
    "missing": GREY,
}

Style = Mapping[str, Any] | None
"""Style arguments of matplotlib, which replace the defaults."""

Which = int | str | None
"""A candidate or model, by its index or label; None for the usual one."""

BAND = {"color": ORANGE, "alpha": 0.18, "linewidth": 0}

# Characters. A longer label takes more than a third of a figure of the usual width.
_LABEL_WIDTH = 28


class Display:
    """A picture of results.

    A class method reads the data and draws. The data are kept: `plot` draws them again, on other
    axes or in another style, and `frame` returns them. Text has the size of the user's style, and
    no rcParams are changed.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        Axes of the last picture.
    figure_ : matplotlib.figure.Figure
        Figure that holds them.
    """

    ax_: Any
    figure_: Any
    _own_figure: bool

    def __new__(cls, *args: Any, **options: Any) -> Self:
        """Raise for a search or a comparison instead of the data, and say what to call."""
        # Before `__init__`, which would complain about the first missing argument.
        for given in [*args, *options.values()][:1]:
            instead = _what_to_call(cls, given)
            if instead is not None:
                raise TypeError(
                    f"`{cls.__name__}` is made of data that were read already; got "
                    f"{type(given).__name__}. {instead}"
                )
        return super().__new__(cls)

    def frame(self) -> pd.DataFrame:
        """The plotted data, with labels in full."""
        raise NotImplementedError

    def _set_axes(self, ax: Any, *, width: float = 6.4, height: float = 4.0) -> Any:
        """Draw on `ax`, or on the only axes of a new figure.

        The new figure has this size in inches at matplotlib's default text size, and grows with the
        text size of the user's style.
        """
        self._own_figure = is_own_figure(ax)
        # By the methods used: importing matplotlib's Axes fails if it is not installed.
        if not self._own_figure and not (hasattr(ax, "get_figure") and hasattr(ax, "plot")):
            raise TypeError(f"`ax` must be matplotlib axes; got {type(ax).__name__}.")
        if self._own_figure:
            plt = pyplot()
            # Constrained layout makes room for a legend next to the axes.
            figure = plt.figure(layout="constrained") if ax is None else ax
            # matplotlib's default font.size is 10. Labels keep their place in styles with larger
            # text, such as seaborn's "talk".
            grown = max(1.0, float(plt.rcParams["font.size"]) / 10)
            figure.set_size_inches(grown * width, grown * height)
            ax = figure.subplots()
        self.ax_, self.figure_ = ax, ax.get_figure()
        return ax

    def _legend(self, *title: str, above: bool = False, **options: Any) -> None:
        """A legend next to the axes of our own figure; inside given axes, or `above`.

        Its title has the lines that are not empty.
        """
        ax = self.ax_
        if not ax.get_legend_handles_labels()[0]:
            return
        # In the user's figure there may be no room next to the axes.
        beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "frameon": False}
        inside: dict[str, Any] = {"loc": "best", "fontsize": "small"}
        if above:  # if intervals fill the axes
            height = 1.1 if ax.get_title(loc="left") else 1.0
            inside |= {"loc": "lower left", "bbox_to_anchor": (0, height), "ncols": 2}
            inside["frameon"] = False
        options["title"] = "\n".join(filter(None, title)) or None
        ax.legend(**{**(beside if self._own_figure else inside), **options})

    def _name_rows(self, at: NDArray[Any], names: Sequence[str]) -> None:
        """Names of rows instead of a vertical axis, and room around the rows."""
        self.ax_.set_yticks(at, names)
        self.ax_.set_ylim(min(at) - 0.7, max(at) + 0.7)
        self.ax_.spines[["left", "right", "top"]].set_visible(False)
        self.ax_.tick_params(axis="y", length=0)

    def _rank_axis(self, n_ranks: int) -> None:
        """Whole ranks on the horizontal axis, from 1."""
        locator = self.ax_.xaxis.get_major_locator()
        locator.set_params(integer=True, min_n_ticks=1)
        # Ranks begin at 1, where a locator has no tick; one that is close would overlap it.
        ticks = locator.tick_values(1, n_ranks)
        self.ax_.set_xticks([1, *(tick for tick in ticks if 1 + n_ranks / 15 < tick <= n_ranks)])

    def _label_below(self, words: str, naming: str) -> None:
        """Label the horizontal axis, and say below what labels are made of."""
        self.ax_.set_xlabel(f"{words}\n{naming_lines(naming, 60)}".rstrip())

    def _write_above(self, words: str) -> None:
        """Write a line above the axes, from their left end."""
        self.ax_.set_title(words, loc="left", fontsize="medium")

    def _draw_named(
        self,
        x: Any,
        lines: Mapping[str, NDArray[np.float64]],
        defaults: Mapping[str, Any],
        line_kw: Style,
    ) -> None:
        """Draw lines with their names, each in a colour of its own; the first is on top."""
        for (name, y), colour in reversed(list(zip(lines.items(), LINE_COLOURS, strict=False))):
            self.ax_.plot(x, y, **styled({"color": colour, "label": name, **defaults}, line_kw))

    def _draw_band(self, rope: tuple[float, float], **options: Any) -> None:
        """Shade the ROPE; a one-sided one up to the limits of the axes."""
        # axvspan cannot draw the infinite end of a one-sided ROPE, and would widen the axes to a
        # wide one.
        low, high = self.ax_.get_xlim()
        self.ax_.axvspan(max(rope[0], low), min(rope[1], high), **{**BAND, **options})
        self.ax_.set_xlim(low, high)

    def _draw_differences(
        self, table: pd.DataFrame, at: NDArray[Any], errorbar_kw: Style, role: str = "leader"
    ) -> None:
        """Draw the differences of a table with their intervals, in the colours of their verdicts.

        `role` is the role of the first candidate, for the legend.
        """
        # One call per verdict, for one legend entry each.
        for verdict, colour in VERDICT_COLOURS.items():
            which = (table["verdict"] == verdict).to_numpy()
            if not which.any():
                continue
            part = table[which]
            defaults = {"fmt": "o", "color": colour, "capsize": 3, "markersize": 5}
            words = {"label": verdict_words(verdict, role)}
            style = styled({**defaults, **words}, errorbar_kw, "errorbar_kw")
            spread = arms(part["mean_diff"], part["ci_low"], part["ci_high"])
            self.ax_.errorbar(part["mean_diff"], at[which], xerr=spread, **style)

    def _write_marks(self, image: Any, words: NDArray[Any], size: str = "medium") -> None:
        """Write words into the cells of a heat map, so that they can be read."""
        values = np.ma.filled(image.get_array(), np.nan)
        for row, column in np.argwhere(words != ""):
            value = values[row, column]
            # From the image itself, because the user may have changed colour map and limits.
            colour = on_colour(image.cmap(image.norm(value))) if np.isfinite(value) else ink()
            self.ax_.text(column, row, words[row, column], ha="center", va="center", color=colour,
                          fontsize=size, clip_on=True)  # fmt: skip

    def _label_width(self) -> int:
        """How many characters of a label fit next to the axes: fewer if these are narrow."""
        return int(np.clip(0.35 * self._size()[0] / (0.55 * float(font_size())), 10, 28))

    def _legend_columns(self) -> dict[str, int]:
        """Options of a legend above the axes: a single column if these are narrow."""
        return {"ncols": 1} if self._size()[0] < 28 * float(font_size()) else {}

    def _room_of_rows(self, n_rows: float, reserved: float = 0.0) -> float:
        """Size of text in points at which `n_rows` lines fit into the height of the axes.

        `reserved` points of the height are for something else. The size is at most that of the
        user's style; it is smaller in small axes only.
        """
        self._lay_out()
        return max(1.0, min(float(font_size()), (self._size()[1] - reserved) / (1.25 * n_rows)))

    def _lay_out(self) -> None:
        """Place the axes: before this, their size is that of no layout."""
        # The canvas of a subfigure is that of its figure.
        self.ax_.figure.canvas.figure.draw_without_rendering()

    def _size(self) -> NDArray[np.float64]:
        """Width and height of the axes, in points."""
        return np.array(72 * self.ax_.get_window_extent().size / self.ax_.figure.dpi)


class ComparisonDisplay(Display):
    """A picture of a comparison: `from_comparison` and `from_search` read the data and draw."""

    @classmethod
    def from_comparison(cls, comparison: Comparison, *args: Any, **options: Any) -> Self:
        """Draw a comparison; each display documents its own arguments."""
        raise NotImplementedError

    @classmethod
    def from_search(
        cls, search: Any, *args: Any, metric: str | None = None, **options: Any
    ) -> Self:
        """Draw the comparison of a fitted search.

        Parameters
        ----------
        search : StatisticalGridSearchCV or another search with ``comparison_``
            A fitted search.
        *args
            As for `from_comparison`.
        metric : str, optional
            Metric to compare by, for a search that scored several. Default: the refit metric.
        **options
            As for `from_comparison`.

        Returns
        -------
        display
            The display, drawn.
        """
        if not _is_own_search(search):
            instead = _what_to_call(cls, search)
            raise TypeError(
                "`search` must be a fitted search with `comparison_`, such as "
                f"StatisticalGridSearchCV; got {type(search).__name__}."
                f"{'' if instead is None else f' {instead}'}"
            )
        comparison = search.comparison_ if metric is None else search.compare(metric=metric)
        return cls.from_comparison(comparison, *args, **options)


def _is_own_search(obj: Any) -> bool:
    # Look at the class first: errors of its properties, such as before `fit`, say what to do.
    return hasattr(type(obj), "comparison_") or hasattr(obj, "comparison_")


def _is_other_search(obj: Any) -> bool:
    # By attributes that searches of all packages have, even before a fit; `compare` rejects others.
    if isinstance(obj, type):
        return False
    return hasattr(obj, "cv_results_") or (hasattr(obj, "estimator") and hasattr(obj, "cv"))


def _what_to_call(display: type, obj: Any) -> str | None:
    """A sentence on how a display draws an object; None if it cannot."""
    name = display.__name__
    # A frame has its columns as attributes, and a label may be "cv_results_".
    if isinstance(obj, pd.DataFrame):
        return None
    of_one = issubclass(display, ComparisonDisplay)
    of_several = hasattr(display, "from_comparison") and not of_one
    if (of_one and isinstance(obj, Comparison)) or (of_several and compares_datasets(obj)):
        return f"Of a comparison draw {name}.from_comparison(comparison)."
    if _is_own_search(obj):
        if hasattr(display, "from_search"):
            return f"Of a search draw {name}.from_search(search)."
    elif _is_other_search(obj) and of_one:
        return f"Of another fitted search draw {name}.from_comparison(compare(search))."
    return None


def compares_datasets(obj: Any) -> bool:
    """Whether an object compares models over data sets, as a DatasetsComparison does."""
    # By its methods: its module is in a folder that no display imports.
    return hasattr(type(obj), "on_each") and hasattr(type(obj), "frequentist")


def chosen_pair(comparison: Comparison, i: Which, j: Which) -> tuple[int, int]:
    """Indices of the pair to draw: by default the leader, and the best of the others.

    Raises ValueError if there is no such candidate, no second one, or one of them failed.
    """
    available = comparison.ranking().dropna(subset="rank").index
    first = comparison._candidate(i, name="i") if i is not None else next(iter(available), None)
    others = (candidate for candidate in available if candidate != first)
    second = comparison._candidate(j, name="j") if j is not None else next(others, None)
    if first is None or second is None:
        raise ValueError(
            f"A pair needs two candidates that did not fail; there are {len(available)}."
        )
    if np.isnan(comparison.posterior(first, second).scale):
        names = comparison.ranking()["label"]
        raise ValueError(
            f"There is nothing to draw of {names[first]!r} and {names[second]!r}: one of them "
            "failed on some split, or there is only one split."
        )
    return int(first), int(second)


def check_comparison(comparison: Any) -> Comparison:
    """Return `comparison` if it is one, else raise TypeError."""
    if not isinstance(comparison, Comparison):
        instead = "Of a fitted search draw with from_search."
        if not _is_own_search(comparison) and _is_other_search(comparison):
            instead = "Of another fitted search draw from_comparison(compare(search))."
        raise TypeError(
            f"`comparison` must be a Comparison; got {type(comparison).__name__}. {instead}"
        )
    return comparison


def styled(defaults: Mapping[str, Any], user: Style, name: str = "line_kw") -> dict[str, Any]:
    """Style arguments of matplotlib, the user's before the defaults."""
    if user is not None and not isinstance(user, Mapping):
        raise TypeError(
            f"`{name}` must be a mapping of matplotlib's style arguments, such as "
            f"{{'color': 'black'}}; got {shown(user)}."
        )
    return {**defaults, **(user or {})}


def in_short(label: str, longest: int = _LABEL_WIDTH) -> str:
    """A label that fits next to a plot; `frame` has it in full."""
    return plain(shortened(visible(label), longest))


def in_short_each(labels: Iterable[str], longest: int = _LABEL_WIDTH) -> dict[str, str]:
    """Labels shortened to fit next to a plot; different labels stay different."""
    return {label: plain(short) for label, short in short_labels(labels, longest).items()}


def in_short_list(values: Iterable[Any], longest: int = _LABEL_WIDTH) -> list[str]:
    """The text of each value, shortened like labels."""
    words = list(map(str, values))
    short = in_short_each(words, longest)
    return [short[word] for word in words]


def naming_lines(naming: str, width: int) -> str:
    """What labels are made of, in at most three lines; the comparison has it in full."""
    lines = textwrap.wrap(visible(naming), width, max_lines=3, placeholder=" …")
    return "\n".join(map(plain, lines))


def arms(middle: Any, low: Any, high: Any) -> NDArray[np.float64]:
    """Distances from points to the ends of their intervals, which `errorbar` expects."""
    return np.array([middle - low, high - middle], dtype=float)


def plain(text: str) -> str:
    """Text that matplotlib draws unchanged: not as mathematics, and with its legend entry."""
    # matplotlib reads text between two $ as mathematics, and skips legend entries with a label that
    # begins with an underscore.
    escaped = visible(" ".join(text.split())).replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped


def ink() -> Any:
    """The text colour of the user's style, visible on its background."""
    # Black would not show in a dark style.
    return pyplot().rcParams["text.color"]


def font_size() -> Any:
    """The size of text in the user's style, in points."""
    return pyplot().rcParams["font.size"]


def on_colour(rgba: tuple[float, float, float, float]) -> str:
    """Black or white, whichever reads better on the colour."""
    red, green, blue, alpha = rgba
    # The weights of luma in ITU-R BT.601; the figure's own background shows where alpha is 0.
    return "black" if alpha == 0 or 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "white"


def row_height(n_rows: int) -> float:
    """Height in inches of a picture with a row of text for each candidate."""
    return 1.4 + 0.3 * n_rows


def pyplot() -> Any:
    """matplotlib.pyplot, or an ImportError that says what to install."""
    try:
        # Here, because importing pyplot takes time and chooses a backend.
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(
            "Displays need matplotlib, which is not installed: pip install matplotlib."
        ) from None
    return plt


def is_own_figure(ax: Any) -> bool:
    """Whether a picture has a figure to itself: a new one, or the empty one of `as_svg`."""
    return ax is None or hasattr(ax, "set_size_inches")


def as_svg(draw: Callable[[Any], Any], words: str) -> str:
    """What `draw` draws on a figure, as an element of an HTML page; `words` name it.

    In matplotlib's own style, so that the same numbers give the same picture. Text stays text.
    """
    plt = pyplot()
    # Inside the function, because importing this package must not import matplotlib.
    from matplotlib.figure import Figure

    style = {"svg.fonttype": "none", "svg.hashsalt": "sklearn_stats_compare"}
    file = io.StringIO()
    # Warnings are of letters that are not in matplotlib's font: the browser has others. The style
    # is the process's too, and has the same lock.
    with without_warnings(), plt.style.context(["default", style]):
        # Not of pyplot, which would open a window, and fails outside of the main thread.
        figure = Figure(layout="constrained")
        draw(figure)
        figure.savefig(file, format="svg", metadata={"Date": None})
    return _without_effect_outside(file.getvalue(), words)


def _without_effect_outside(svg: str, words: str) -> str:
    """An SVG file as an element without a style sheet and names that other elements may have."""
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        for child in list(element):
            if child.tag.rpartition("}")[2] in ("metadata", "style"):
                element.remove(child)
        # HTML knows SVG without its namespaces.
        element.tag = element.tag.rpartition("}")[2]
        own = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
        if element.tag == "g":
            own.pop("id", None)
        element.attrib, element.tail = own, None
        if element.tag != "text":
            element.text = None
    # The style sheet of the file says the first two of all elements.
    root.set("style", "stroke-linejoin: round; stroke-linecap: butt; white-space: pre")
    root.attrib |= {"role": "img", "aria-label": words}
    return ElementTree.tostring(root, encoding="unicode")


def check_datasets_comparison(comparison: Any) -> Any:
    """Return `comparison` if it compares models over data sets, else raise TypeError."""
    if not compares_datasets(comparison):
        raise TypeError(
            "`comparison` must be a comparison over data sets, which compare_datasets returns; got "
            f"{type(comparison).__name__}."
        )
    return comparison


def chosen_models(comparison: Any, i: Which, j: Which) -> tuple[tuple[int, int], tuple[str, str]]:
    """Rows and labels of the pair to draw: by default the leader, and the best of the others."""
    labels = tuple(map(str, comparison.labels))
    names = CandidateNames(labels, tuple(range(len(labels))))
    order = [int(row) for row in comparison.order]
    first = order[0] if i is None else names.row(i, "i")
    others = [row for row in order if row != first]
    second = others[0] if j is None else names.row(j, "j")
    if first == second:
        raise ValueError(f"`i` and `j` must be two models; got {labels[first]!r} twice.")
    return (first, second), (labels[first], labels[second])


def spread(wanted: NDArray[np.float64], gap: float) -> NDArray[np.float64]:
    """Places from 0 to 1 near the given ones, at least `gap` apart where there is room."""
    n = len(wanted)
    gap = min(gap, 1 / max(n - 1, 1))
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(n)
    # Isotonic regression: neighbours that are too close move together, about their mean.
    means = isotonic_regression(wanted[order] - steps)
    places = np.empty(n)
    places[order] = np.clip(means, 0, 1 - gap * (n - 1)) + steps
    return places
