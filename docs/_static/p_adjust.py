"""Draws p_adjust_light.png and p_adjust_dark.png, the tree of the page "Which p_adjust?".

Run it in this folder.
"""

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

# Question, short answer of "yes", and what stands below it; the last question is answered by both.
QUESTIONS = [
    ("One pair, named before\nyou saw the scores?", "None", "nothing to adjust"),
    ("May a share of the\nclaims be false?", '"bh"', 'any dependence: "by"'),
    ("Up to some 200\ncandidates, and\nseconds to wait?", '"maxt"', "the sharpest"),
    ("Must intervals agree\nwith the verdicts?", '"bonferroni"', 'or "sidak"'),
]
LAST = ('"holm"', 'or "hochberg"')
# Text, lines, box of a question, box of an answer; text has at least 7:1 on its box.
COLOURS = {
    "light": ("#1a1a1a", "#5c5c5c", "#f2f2f2", "#d6e6f7"),
    "dark": ("#f0f0f0", "#a8a8a8", "#2b2b2b", "#1d3d5c"),
}
# One unit is a pixel of a page that is 360 px wide, so that sizes of text are those on a phone.
WIDTH, HEIGHT, DPI = 360, 438, 100
ROW, BOX = 92, 62
LEFT, LEFT_WIDTH, RIGHT, RIGHT_WIDTH = 2, 170, 214, 144


def box(axes, x, y, width, colour, line):
    """Draw a box that `y` goes through the middle of."""
    axes.add_patch(
        FancyBboxPatch(
            (x + 4, y - BOX / 2 + 4),
            width - 8,
            BOX - 8,
            boxstyle="round,pad=4",
            facecolor=colour,
            edgecolor=line,
            linewidth=0.8,
        )
    )


def arrow(axes, start, end, colour):
    """Draw an arrow that touches both of its ends."""
    axes.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0},
    )


def answer(axes, y, name, below, colours):
    """Draw an answer: the method's name, and a remark below it."""
    text, line, _, fill = colours
    box(axes, RIGHT, y, RIGHT_WIDTH, fill, line)
    middle = RIGHT + RIGHT_WIDTH / 2
    axes.text(middle, y + 10, name, color=text, size=10, ha="center", va="center", weight="bold")
    axes.text(middle, y - 13, below, color=text, size=8.5, ha="center", va="center")


def draw(scheme):
    """Write the tree in the colours of a scheme."""
    colours = COLOURS[scheme]
    text, line, fill, _ = colours
    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
    axes.axis("off")
    middle = LEFT + LEFT_WIDTH / 2
    for row, (question, name, below) in enumerate(QUESTIONS):
        y = HEIGHT - BOX / 2 - 4 - row * ROW
        box(axes, LEFT, y, LEFT_WIDTH, fill, line)
        axes.text(middle, y, question, color=text, size=9, ha="center", va="center")
        arrow(axes, (LEFT + LEFT_WIDTH, y), (RIGHT, y), line)
        axes.text(193, y + 3, "yes", color=text, size=8.5, ha="center", va="bottom")
        answer(axes, y, name, below, colours)
        if row + 1 < len(QUESTIONS):
            arrow(axes, (middle, y - BOX / 2), (middle, y - ROW + BOX / 2), line)
            axes.text(middle + 8, y - ROW / 2, "no", color=text, size=8.5, ha="left", va="center")
    last = y - ROW
    axes.plot([middle, middle], [y - BOX / 2, last], color=line, linewidth=1)
    arrow(axes, (middle, last), (RIGHT, last), line)
    axes.text(middle + 8, y - ROW / 2, "no", color=text, size=8.5, ha="left", va="center")
    answer(axes, last, *LAST, colours)
    # Without the name and version of the program that wrote it, so that the file does not change.
    figure.savefig(
        f"p_adjust_{scheme}.png", dpi=2 * DPI, transparent=True, metadata={"Software": None}
    )


if __name__ == "__main__":
    for scheme in COLOURS:
        draw(scheme)
