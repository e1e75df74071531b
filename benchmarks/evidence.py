"""Measure the tables of the documentation again, and write the pages that show them.

python -m benchmarks evidence [--quick] [--out FOLDER] [group ...]
python -m benchmarks evidence --render

Each table is a file in docs/evidence/data. Its words are written by hand: title, caption, columns
and names of the rows. Its figures are those of the last run of its group, with the date, the
version and what it took. Without groups all are measured, which takes days of one core. ``--quick``
measures a small part of every table in a few minutes of two cores, to see that all of them can be
measured, and writes to build/evidence unless told otherwise. ``--render`` only writes
docs/evidence/*.rst from the files.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from joblib.externals.loky import get_reusable_executor

DOCS = Path(__file__).parent.parent / "docs" / "evidence"
FIELDS = (
    "title", "caption", "columns", "rows", "script", "command", "seed", "date", "commit", "version",
    "core_minutes", "share",
)  # fmt: skip

# Page: title, what it shows, its tables.
PAGES = {
    "levels": (
        "Where levels are exceeded",
        "Read this page before you rely on a p-value. Its tables compare cases where tests keep "
        "their level with cases where they exceed it. The corrected t-test and the test of "
        "samples can both exceed it for repeated rows, rare large losses, candidates near "
        "chance and 1-NN (:ref:`evidence-sample-rates`). The corrected t-test also exceeds it "
        "for candidates that favour different classes on stratified folds, for few groups, and "
        "for Matthews' correlation of many candidates that are almost alike. The test of "
        "samples also exceeds it for few positives in a fold, models that change as a whole "
        "(perceptrons), and squared errors of 1-NN regression with heavy tails "
        "(:ref:`evidence-probe-levels`). Other cases may exist. Why: :doc:`/why/split_scores`, "
        ":doc:`/why/samples`.",
        ("levels-exceeded", "more-cases", "rare-losses", "sample-ratios", "hard-cells",
         "agreement", "agreement-units", "groups", "margins"),
    ),
    "rates": (
        "Error rates, power and regret",
        "What the corrected t-test, its intervals, sets and rules do with real learners whose true "
        "scores are known. The statements: :doc:`/why/verdicts`, :doc:`/why/families`.",
        ("error-rates", "five-by-two", "power", "adjustments", "rules", "probabilities",
         "named-reference", "statements", "looks", "pareto", "pareto-learners"),
    ),
    "samples": (
        "The test of samples",
        "What ``test=\"samples\"`` finds, for how many fits, and when it rejects too often. "
        "The test: :doc:`/why/samples`.",
        ("fits-for-equal-power", "one-repeat", "sample-rates", "sample-instability",
         "sample-families", "sample-power", "sample-intervals", "probe-power", "probe-levels"),
    ),
    "races": (
        "Races and halving",
        "What races save and risk. Why: :doc:`/why/races`.",
        ("race-grids", "race-misleading", "race-split-scores", "race-sets", "race-tolerance",
         "race-clock", "halving"),
    ),
    "scores": (
        "The winner's score, and that of a procedure",
        "What estimates and intervals of a single score do. Why the winner's score is too high: "
        ":doc:`/why/limits`. Naive is the mean ± 1.96·s/√n, t the corrected t over outer "
        "splits, samples what `~sklearn_stats_compare.Comparison.ranking` shows with "
        "``test=\"samples\"``, nested the interval of Bates, Hastie and Tibshirani.",
        ("optimism-bias", "optimism-coverage", "optimism-by-lead", "optimism-many-repeats",
         "nested-intervals", "nested-cells", "nested-hard"),
    ),
    "datasets": (
        "Several data sets",
        "What the tests over several data sets do. The tests: :doc:`/why/families`.",
        ("folds-as-datasets", "bayes-equal", "unequal-variances", "hierarchical"),
    ),
    "cost": (
        "Time and memory",
        "What the statistics cost. Times are of one machine; ratios and growth are not.",
        ("cost-of-fit", "cost-stream", "cost-limit", "cost-growth", "cost-scale", "cost-datasets"),
    ),
}  # fmt: skip

INDEX = """.. Written by `python -m benchmarks evidence --render`.

Evidence
========

The figures that this documentation rests on, each with the script, the seed, and the date and the
commit at which it was recorded. The seeds of {seeds} tables and the cost of {costs} are unknown.
± is a standard error.
``python -m benchmarks evidence`` with the name of a group measures its tables again; core minutes
are those of the whole group. With ``--quick`` it measures a small part of every table.

.. toctree::
   :maxdepth: 2

{listed}
"""


def tables(folder=DOCS / "data"):
    """{name: table} of the files in a folder."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}


def page_of(title, words, names, tables):
    """The text of a page."""
    heading = "\n".join((title, "=" * len(title)))
    parts = [".. Written by `python -m benchmarks evidence --render`: edit data/ instead.", heading]
    parts.append(words)
    for name in names:
        parts += _section(name, tables[name])
    return "\n\n".join(parts) + "\n"


def _section(name, table):
    yield f".. _evidence-{name}:"
    yield "\n".join((table["title"], "-" * len(table["title"])))
    if table["share"] != 1:
        yield f"**A quick run of {table['share']:.1%} of the data sets: not a measurement.**"
    yield _linked(table["caption"])
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for row in (table["columns"], *table["rows"]):
        for first, cell in zip(("*", *" " * len(row)), row, strict=False):
            lines.append(f"   {first} - {_linked(cell)}".rstrip())
    yield "\n".join(lines)
    cost = table["core_minutes"]
    cost = cost if isinstance(cost, str) else f"{cost:,.0f}"
    yield (
        f"*Measured on {table['date']} (version {table['version']}, commit {table['commit']}) by* "
        f"``{table['script']}``, *seed {table['seed']}. Again:* ``{table['command']}``, *core "
        f"minutes: {cost}.*"
    )


def _linked(text):
    """Names of the package's public objects as links from a page without a current module."""
    parts = text.split("`")
    # Single backticks only: a code span has two on both sides, which makes empty parts.
    if len(parts) % 2 == 1 and "" not in parts[1:-1]:
        parts[1::2] = (
            own if "sklearn" in own or before.endswith(":") else f"~sklearn_stats_compare.{own}"
            for before, own in zip(parts[::2], parts[1::2], strict=False)
        )
    return "`".join(parts)


def index_of(found):
    """The text of the first page."""
    lacks = {
        key: sum(table[key] == "unknown" for table in found.values())
        for key in ("seed", "core_minutes")
    }
    listed = "\n".join(f"   {page}" for page in PAGES)
    return INDEX.format(listed=listed, seeds=lacks["seed"], costs=lacks["core_minutes"])


def rendered(found):
    """{page: text} of all pages."""
    pages = {page: page_of(*words, found) for page, words in PAGES.items()}
    return {"index": index_of(found)} | pages


def render(folder=DOCS):
    """Write the pages of the tables in `folder`/data."""
    for page, text in rendered(tables(folder / "data")).items():
        (folder / f"{page}.rst").write_text(text)


def measured(group, share):
    """Rows of all tables of a group, and the minutes of one core that they took."""
    from benchmarks._evidence_tables import GROUPS

    start = sum(os.times()[:4])  # of this process and of those that it waited for
    rows = GROUPS[group][0](share)
    get_reusable_executor().shutdown()  # else this process waits five minutes for idle workers
    return rows, (sum(os.times()[:4]) - start) / 60


def filled(table, figures, share, minutes):
    """The table with new figures behind the names of its rows."""
    kept = len(table["columns"]) - len(figures[0])
    rows = [[*row[:kept], *own] for row, own in zip(table["rows"], figures, strict=True)]
    import sklearn_stats_compare

    commit = subprocess.run(
        ["git", "rev-parse", "--short=7", "HEAD"], capture_output=True, text=True, check=False
    )
    return table | {
        "rows": rows,
        "date": datetime.date.today().isoformat(),
        "commit": commit.stdout.strip() or "unknown",
        "version": sklearn_stats_compare.__version__,
        "core_minutes": round(minutes, 1),
        "share": share,
    }


def main(*words):
    from benchmarks._evidence_tables import GROUPS

    parser = argparse.ArgumentParser(prog="python -m benchmarks evidence")
    parser.add_argument("groups", nargs="*", metavar="group", help=", ".join(GROUPS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--render", action="store_true")
    given = parser.parse_args(words)
    if unknown := set(given.groups) - set(GROUPS):
        parser.error(f"no group of tables is named {', '.join(sorted(unknown))}")
    if given.render:
        render()
        return 0
    out = given.out or (Path("build/evidence") if given.quick else DOCS)
    if given.quick and out.resolve() == DOCS.resolve():
        parser.error("a quick run must not replace what was measured; choose another --out")
    (out / "data").mkdir(parents=True, exist_ok=True)
    old, start = tables(), time.perf_counter()
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    shares = {g: GROUPS[g][1] if given.quick else 1 for g in given.groups or GROUPS}
    # Not forked: they would have OpenMP's number of threads from before, and wait for each other.
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        jobs = {pool.submit(measured, group, share): group for group, share in shares.items()}
        for job in as_completed(jobs):
            (found, minutes), group = job.result(), jobs[job]
            print(f"{group:14}{minutes:8.1f} minutes", flush=True)
            for name, figures in found.items():
                table = filled(old[name], figures, shares[group], minutes)
                text = json.dumps(table, ensure_ascii=False, indent=1)
                (out / "data" / f"{name}.json").write_text(f"{text}\n")
    if not given.groups or out == DOCS:
        render(out)
    print(f"{(time.perf_counter() - start) / 60:.1f} minutes, written to {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
