"""The tables of docs/evidence: complete, on a page, and with a command that measures them again."""

from pathlib import Path

import pytest

from benchmarks import evidence
from benchmarks._evidence_tables import GROUPS

ROOT = Path(__file__).parent.parent
TABLES = evidence.tables()


@pytest.mark.parametrize("name", TABLES)
def test_a_table_says_what_it_is_and_how_to_measure_it_again(name):
    table = TABLES[name]
    assert tuple(table) == evidence.FIELDS
    assert len(table["caption"].split()) <= 60
    assert {len(row) for row in table["rows"]} == {len(table["columns"])}
    assert table["share"] == 1  # not a quick run
    assert all((ROOT / script).is_file() for script in table["script"].split(", "))
    *command, group = table["command"].split()
    assert command == ["python", "-m", "benchmarks", "evidence"]
    assert group in GROUPS


def test_every_table_is_on_one_page():
    shown = [name for *_, names in evidence.PAGES.values() for name in names]
    assert sorted(shown) == sorted(TABLES)


def test_pages_are_those_of_the_tables():
    for page, text in evidence.rendered(TABLES).items():
        path = evidence.DOCS / f"{page}.rst"
        assert path.read_text() == text, "run `python -m benchmarks evidence --render`"


def test_new_figures_keep_the_names_of_their_rows():
    table = {"columns": ["what", "kept", "rate"], "rows": [["a", "b", "1"], ["c", "d", "2"]]}
    filled = evidence.filled(table, [["3"], ["4"]], 0.1, 2.0)
    assert filled["rows"] == [["a", "b", "3"], ["c", "d", "4"]]
    assert (filled["share"], filled["core_minutes"]) == (0.1, 2.0)
    with pytest.raises(ValueError, match="shorter"):
        evidence.filled(table, [["3"]], 0.1, 2.0)


def test_a_quick_run_does_not_replace_what_was_measured(capsys):
    with pytest.raises(SystemExit):
        evidence.main("--quick", "--out", str(evidence.DOCS), "cost")
    assert "must not replace" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_a_quick_run_measures_every_row_of_a_group(group):
    named = {name for name, table in TABLES.items() if table["command"].endswith(f" {group}")}
    found, _ = evidence.measured(group, GROUPS[group][1])
    assert set(found) == named
    for name, figures in found.items():
        assert len(evidence.filled(TABLES[name], figures, 0.01, 0.0)["rows"]) == len(figures)
