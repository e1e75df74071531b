"""The comparisons whose reports are kept as references, and the script that writes them.

Run ``python tests/reports/cases.py`` after a change that is meant, read every file that changed
and commit them.
"""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.reports import report

REFERENCES = Path(__file__).parent / "references"
PICTURE = re.compile("<svg.*?</svg>", re.DOTALL)
ENDINGS = {"text": "txt", "markdown": "md", "latex": "tex", "html": "html", "json": "json"}
MOONS = Path(__file__).parents[1] / "reference" / "sklearn_moons_scores.csv"


def _moons_scores():
    return np.loadtxt(MOONS, delimiter=",", skiprows=1)[:, 1:].T


def _design(n_splits, n_folds):
    return SplitDesign([90] * n_splits, [10] * n_splits, repeat=np.arange(n_splits) // n_folds)


def cases():
    """Name → comparison: one candidate, the published four, forty, and one that failed."""
    labels = ["linear", "2_poly", "3_poly", "rbf"]
    four, rng = _moons_scores(), np.random.default_rng(0)
    failed = four.copy()
    failed[2, 17] = np.nan
    noise = rng.normal(0, 20, 30) + rng.normal(0, 12, (40, 30))
    forty = np.linspace(-310, -420, 40)[:, None] + noise
    return {
        "one": Comparison(SplitScores(four[:1], _design(100, 10)), labels[:1], metric="roc_auc"),
        "four": Comparison(SplitScores(four, _design(100, 10)), labels, metric="roc_auc"),
        "forty": Comparison(
            SplitScores(forty, _design(30, 10)),
            [f"alpha={a:.3g}, selection=cyclic" for a in np.logspace(-4, 2, 40)],
            metric="neg_mean_absolute_error",
            rope="2%",
            p_adjust="holm",
        ),
        "failed": Comparison(
            SplitScores(failed, _design(100, 10)),
            ["linear", "<script>alert(1)</script>", r"a_b|c $x$ \& 50% #1", "rbf"],
            metric="roc_auc",
            alternative="two-sided",
        ),
    }


needs_latex = pytest.mark.skipif(
    not (shutil.which("pdflatex") and shutil.which("bibtex")), reason="pdflatex is not installed"
)


def compiled(bodies, folder, bib="", options=""):
    """What pdflatex, and bibtex where there are entries, print of a document with these bodies."""
    needed = {
        package: None
        for body in bodies
        for package in re.findall(r"\\usepackage(?:\[\w+\])?\{\w+\}", body.splitlines()[0])
    }
    ending = [r"\bibliographystyle{plain}", r"\bibliography{stats}"] if bib else []
    lines = [rf"\documentclass{options}{{article}}", *needed, r"\begin{document}", *bodies, *ending]
    (folder / "paper.tex").write_text("\n".join([*lines, r"\end{document}"]), encoding="utf-8")
    (folder / "stats.bib").write_text(bib, encoding="utf-8")
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    for command in [latex, ["bibtex", "paper"], latex, latex] if bib else [latex]:
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        printed = done.stdout.decode(errors="replace")
        assert done.returncode == 0, printed[-2000:]
        if command[0] == "bibtex":
            assert "Warning" not in printed, printed
    assert (folder / "paper.pdf").exists()
    return printed


def main():
    for name, comparison in cases().items():
        for format, ending in ENDINGS.items():
            # Pictures depend on matplotlib's release.
            kept = re.sub(PICTURE, "", report(comparison, format))
            (REFERENCES / f"{name}.{ending}").write_text(kept)


if __name__ == "__main__":
    main()
