"""Small pictures as inline SVG, coloured by the page's style sheet to follow its theme."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shortened
from sklearn_stats_compare.reports._words import number
from sklearn_stats_compare.stats import Posterior

WIDTH = 480
_LABELS, _MARGIN = 170, 14
_ROW, _AXIS = 22, 34


def forest_svg(table: pd.DataFrame, rope: tuple[float, float], axis: str) -> str:
    """The leader against others: a row per line of a leader table, its interval and verdict."""
    # The axis includes every interval, zero, and the ROPE if it is two-sided.
    bounds = table[["ci_low", "ci_high"]].to_numpy()
    scale = _Scale(_spread([*bounds.ravel(), *rope, 0.0]), _LABELS, WIDTH - _MARGIN)
    height = _ROW * len(table) + _AXIS
    bottom = height - _AXIS
    parts = [_band(scale, rope, bottom), _vertical(scale(0.0), bottom)]
    for k, row in enumerate(table.itertuples()):
        # In SVG y grows downwards, so the first row is on top.
        y = _ROW * (k + 0.5)
        low, middle, high = scale(row.ci_low), scale(row.mean_diff), scale(row.ci_high)
        parts.append(
            f'<g class="{row.verdict}"><title>{escape(str(row.model_2))}: {row.verdict}</title>'
            f"{svg_text(_LABELS - 8, y + 4, 'end', str(row.model_2), _LABELS - 14)}"
            f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<circle cx="{middle:.1f}" cy="{y:.1f}" r="4"/></g>'
        )
    parts.append(_axis(scale, bottom, axis))
    return svg(parts, height, axis)


def posterior_svg(posterior: Posterior, axis: str) -> str:
    """The density of a difference, its areas below, inside and above the ROPE."""
    rope: Any = posterior.rope
    # The tails beyond have no visible height.
    low, high = posterior.interval(0.998)
    scale = _Scale(_spread([low, high, *rope, 0.0]), _MARGIN, WIDTH - _MARGIN)
    height, top = 230, 14
    bottom = height - _AXIS
    parts = [_band(scale, rope, bottom)]
    # The density of a subnormal scale overflows: it is drawn as a point.
    width = posterior.scale or posterior.std()  # models may agree on every split
    if np.finfo(float).tiny < width < np.inf:
        x = np.linspace(scale.low, scale.high, 61)
        # Extra points for the peak, however narrow.
        peak = posterior.loc + width * np.sinh(np.linspace(-6, 6, 81))
        x = np.concatenate([x, peak[(peak > scale.low) & (peak < scale.high)]])
        # The ends of the areas are points of the curve, so that they meet.
        x = np.unique(np.concatenate([x, [v for v in rope if scale.low < v < scale.high]]))
        density = posterior.pdf(x)
        y = bottom - (bottom - top) * density / density.max()
        areas = (("worse", x <= rope[0]), ("inside", (x >= rope[0]) & (x <= rope[1])),
                 ("better", x >= rope[1]))  # fmt: skip
        for name, where in areas:
            if where.any():
                parts.append(_area(scale(x[where]), y[where], bottom, name))
        parts.append(f'<path class="curve" d="M{_points(scale(x), y)}"/>')
    elif width < np.inf:  # no curve for an infinite scale
        at = scale(posterior.loc)
        parts.append(f'<line class="curve" x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{bottom}"/>')
    parts += [_vertical(scale(0.0), bottom), _axis(scale, bottom, axis)]
    return svg(parts, height, axis)


class _Scale:
    """Linear map from score units to pixels."""

    def __init__(self, ends: tuple[float, float], left: float, right: float) -> None:
        self.low, self.high = ends
        self.left, self.right = left, right

    def __call__(self, value: Any) -> Any:
        # An interval or a ROPE may be infinite, but SVG has no infinite numbers.
        share = (np.clip(value, self.low, self.high) - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)


def _spread(values: Sequence[float]) -> tuple[float, float]:
    """Lowest and highest of the finite values, with a margin."""
    # Wide enough for any score, and such that the width stays finite.
    finite = [float(np.clip(value, -1e300, 1e300)) for value in values if np.isfinite(value)]
    width = max(finite) - min(finite)
    room = 0.06 * width if width > 1e-300 else 1e-3  # no ticks lie within less
    return min(finite) - room, max(finite) + room


def _ticks(low: float, high: float) -> tuple[NDArray[np.float64], int]:
    """Three to six round numbers between the ends, and the decimals they need."""
    # At most six steps; the next round number is at most 2.5 times as large.
    raw = (high - low) / 6
    power = 10.0 ** np.floor(np.log10(raw))
    step = power * next(m for m in (1, 2, 5, 10) if m * power >= raw)
    ticks = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
    # A step of 0.001 is a product of floats, and its logarithm may be just below −3.
    return ticks, max(0, -int(np.floor(np.log10(step) + 1e-9)))


def _axis(scale: _Scale, y: float, words: str) -> str:
    ticks, decimals = _ticks(scale.low, scale.high)
    marks = "".join(
        f'<line x1="{scale(t):.1f}" x2="{scale(t):.1f}" y1="{y}" y2="{y + 4}"/>'
        # t + 0.0 turns −0 into 0, because −0 would be written with its sign.
        f"{svg_text(scale(t), y + 16, 'middle', number(t + 0.0, decimals), 60)}"
        for t in ticks
    )
    middle = (scale.left + scale.right) / 2
    return (
        f'<g class="axis"><line x1="{scale.left}" x2="{scale.right}" y1="{y}" y2="{y}"/>{marks}'
        f"{svg_text(middle, y + 30, 'middle', words, 2 * min(middle, WIDTH - middle) - 8)}</g>"
    )


def svg_text(x: float, y: float, anchor: str, words: str, room: float) -> str:
    """Text within `room` pixels: shortened, and squeezed if letters may be wide."""
    words = shortened(words, int(room / 6.0))
    # An average letter is 7 pixels wide at this size, a wide one 9. Only the browser knows the
    # width of text: letters and system fonts differ.
    squeeze = f' textLength="{room:.0f}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
        f"{squeeze if 7.0 * len(words) > room else ''}>{escape(words)}</text>"
    )


def _band(scale: _Scale, rope: tuple[float, float], bottom: float) -> str:
    left, right = scale(rope[0]), scale(rope[1])
    # A ROPE of zero width stays visible as a line.
    width = max(right - left, 0.5)
    return f'<rect class="rope" x="{left:.1f}" y="0" width="{width:.1f}" height="{bottom}"/>'


def _vertical(x: float, bottom: float) -> str:
    return f'<line class="zero" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>'


def _area(x: NDArray[np.float64], y: NDArray[np.float64], bottom: float, name: str) -> str:
    return (
        f'<path class="area {name}" d="M{x[0]:.1f},{bottom} L{_points(x, y)} '
        f'L{x[-1]:.1f},{bottom} Z"/>'
    )


def _points(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))


def svg(parts: list[str], height: float, words: str) -> str:
    return (
        # With a viewBox and no size, the style sheet scales it; the label is for screen readers.
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(words)}">'
        f"{''.join(parts)}</svg>"
    )
