"""Intervals as small pictures in the rows of a table, all on one scale."""

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WIDTH, _HEIGHT = 180, 16
_MARGIN = 8


class IntervalBars:
    """Draw intervals of differences with zero and the ROPE.

    The scale includes zero and most intervals. Intervals that are far longer or farther away than
    the others are cut, with an arrowhead. A far wider ROPE is cut without one.

    Parameters
    ----------
    low, high : ndarray
        Ends of all intervals that are drawn.
    rope : (float, float)
        The ROPE.
    """

    def __init__(
        self, low: NDArray[np.float64], high: NDArray[np.float64], rope: tuple[float, float]
    ) -> None:
        self._rope = rope
        ends, of_rope = _finite(np.concatenate([low, high])), _finite(np.array(rope))
        # One very bad candidate, or a wide ROPE, would squeeze all others into a line.
        limit = 3 * np.quantile(np.abs(ends), 0.75) if ends.any() else np.inf
        shown = np.clip([*ends, *of_rope, 0.0], -limit, limit)
        room = 0.04 * (shown.max() - shown.min())
        self._low, self._high = float(shown.min() - room), float(shown.max() + room)
        if not self._high - self._low > 1e-300:
            self._low, self._high = -1e-3, 1e-3

    def axis(self, decimals: int) -> str:
        """Zero, and the ends of the scale in words, for the head of the column."""
        zero = self._at(0.0)
        marks = [(zero, "0", "middle")]
        # Only where there is room next to the 0.
        if zero > _WIDTH / 3:
            marks.append((_MARGIN, f"{self._low:.{decimals}f}", "start"))
        if zero < 2 * _WIDTH / 3:
            marks.append((_WIDTH - _MARGIN, f"{self._high:.{decimals}f}", "end"))
        words = "".join(
            f'<text x="{x:.1f}" y="11" text-anchor="{anchor}">{escape(text)}</text>'
            for x, text, anchor in marks
            if len(text) < 14
        )
        return _svg(words, "difference of the leader and the candidate")

    def bar(self, low: float, middle: float, high: float, kind: str, words: str) -> str:
        """Draw one interval as SVG; `words` are its tooltip and its text for screen readers."""
        y = _HEIGHT / 2
        left, right = self._at(self._rope[0]), self._at(self._rope[1])
        zero = self._at(0.0)
        parts = [
            # A ROPE of zero width stays visible as a line.
            f'<rect x="{left:.1f}" y="0" width="{max(right - left, 0.5):.1f}" height="{_HEIGHT}"/>',
            f'<line class="ssc-zero" x1="{zero:.1f}" x2="{zero:.1f}" y1="0" y2="{_HEIGHT}"/>',
        ]
        # For ends near the largest float, or infinite ones.
        with np.errstate(over="ignore", invalid="ignore"):
            known = not np.isnan(low + high)
        if known:
            start, end = self._at(low), self._at(high)
            drawn = f'<line x1="{start:.1f}" x2="{end:.1f}" y1="{y}" y2="{y}"/>'
            if low < self._low:
                drawn += f'<path d="M{start - 5:.1f},{y} l6,-4 l0,8 Z"/>'
            if high > self._high:
                drawn += f'<path d="M{end + 5:.1f},{y} l-6,-4 l0,8 Z"/>'
            if self._low <= middle <= self._high:
                drawn += f'<circle cx="{self._at(middle):.1f}" cy="{y}" r="3"/>'
            parts.append(f'<g class="ssc-{kind}">{drawn}</g>')
        return _svg("".join(parts), words)

    def _at(self, value: Any) -> float:
        inside = min(max(float(value), self._low), self._high)
        share = (inside - self._low) / (self._high - self._low)
        return _MARGIN + share * (_WIDTH - 2 * _MARGIN)


def _finite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The finite values; next to float64's largest, the width would be infinite."""
    return np.clip(values[np.isfinite(values)], -1e300, 1e300)


def _svg(content: str, words: str) -> str:
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(words)}"><title>{escape(words)}</title>{content}</svg>'
    )
