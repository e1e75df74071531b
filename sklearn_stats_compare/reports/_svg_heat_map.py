"""Means over two hyper-parameters as inline SVG, shaded in the colour of the page's style sheet."""

from html import escape

import numpy as np

from sklearn_stats_compare.comparison import ParameterGrid
from sklearn_stats_compare.reports._svg import WIDTH, svg, svg_text
from sklearn_stats_compare.reports._words import number

# Marks for the leader's verdict, from the candidate's point of view.
_MARKS = {"leader": "★", "better": "−", "worse": "+", "equivalent": "=", "missing": "×"}
MARK_WORDS = {
    "leader": "★ leader",
    "better": "− worse",
    "worse": "+ better",
    "equivalent": "= practically equivalent",
    "undecided": "no mark undecided",
    "missing": "× failed",
}
_LABELS, _ROW, _BELOW = 90, 30, 44
# Maximum opacity at which text stays readable in the light and the dark theme.
_PALEST, _STRONGEST = 0.06, 0.6


def heat_map_svg(grid: ParameterGrid, decimals: int, words: str) -> str:
    """A cell for each pair of values, with its mark, and its mean if there is room."""
    means, verdicts = grid.means.to_numpy(), grid.verdicts.to_numpy()
    width = (WIDTH - _LABELS - 4) / means.shape[1]
    low, spread = np.nanmin(means), np.nanmax(means) - np.nanmin(means)
    bottom = 22 + _ROW * means.shape[0]
    y_name, x_name = str(grid.means.index.name), str(grid.means.columns.name)
    parts = [svg_text(4, 14, "start", y_name, _LABELS + 60)]
    for row, name in enumerate(grid.means.index):
        middle = 22 + _ROW * (row + 0.5) + 4
        parts.append(svg_text(_LABELS - 8, middle, "end", str(name), _LABELS - 12))
        for column, verdict in enumerate(verdicts[row]):
            if not verdict:
                continue
            mean, x = means[row, column], _LABELS + width * column
            share = (mean - low) / spread if spread > 0 else 1.0
            shade = 0.0 if np.isnan(mean) else _PALEST + (_STRONGEST - _PALEST) * share
            mark = _MARKS.get(str(verdict), "")
            text = mark if np.isnan(mean) else f"{number(mean, decimals)} {mark}".strip()
            # About 8 pixels for a digit; else only the mark, with the mean as a tooltip.
            shown = text if 8 * len(text) <= width else mark
            label = escape(str(grid.labels.iat[row, column]))
            parts.append(
                f"<g><title>{label}: {text}</title>"
                f'<rect class="cell" x="{x:.1f}" y="{22 + _ROW * row}" width="{width - 2:.1f}" '
                f'height="{_ROW - 2}" fill-opacity="{shade:.2f}"/>'
                f"{svg_text(x + width / 2 - 1, middle, 'middle', shown, width)}</g>"
            )
    for column, name in enumerate(grid.means.columns):
        # With many narrow columns, only every second or third is named.
        if column % max(1, int(np.ceil(34 / width))) == 0:
            x = _LABELS + width * (column + 0.5) - 1
            parts.append(svg_text(x, bottom + 15, "middle", str(name), max(width, 34) - 2))
    parts.append(svg_text((_LABELS + WIDTH) / 2, bottom + 34, "middle", x_name, WIDTH - _LABELS))
    return svg(parts, bottom + _BELOW, words)
