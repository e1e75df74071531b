"""Whether the texts of a picture can be read: within the figure, and none on top of another."""

import pytest
from matplotlib.text import Text


def slow(*values):
    """Values of parameters whose neighbours do as well, for the nightly session."""
    return pytest.param(*values, marks=pytest.mark.slow)


def boxes_of(texts):
    """Places of texts that are drawn; an annotation's own extent includes its line."""
    return [Text.get_window_extent(t) for t in texts if t.get_visible() and t.get_text()]


def assert_apart(boxes):
    for k, box in enumerate(boxes):
        assert not any(box.shrunk(0.9, 0.9).overlaps(other) for other in boxes[k + 1 :])


def assert_within(figure, boxes, sides="xy"):
    inside = figure.bbox.padded(1)
    for box in boxes:
        if box.width:
            assert "x" not in sides or inside.x0 <= box.x0 <= box.x1 <= inside.x1, box
            assert "y" not in sides or inside.y0 <= box.y0 <= box.y1 <= inside.y1, box
