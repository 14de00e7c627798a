"""docs/fidelity.md is what its script prints; each entry has a state, and a note where it is not right."""

from pathlib import Path

from benchmarks import fidelity
from core.literature.tables import tables

DOCUMENT = Path(__file__).parents[3] / "docs" / "fidelity.md"


def test_the_document_is_printed_from_its_data():
    assert DOCUMENT.read_text("utf-8") == fidelity.document(), (
        "python -m benchmarks.fidelity > docs/fidelity.md"
    )


def test_an_entry_says_its_state_and_why():
    for entry in fidelity.entries():
        assert entry.state in fidelity.STATES, entry
        assert entry.note or entry.state == "right", entry
        assert entry.where or entry.note, entry


def test_the_number_of_printed_figures_is_told():
    told = f"{sum(table.results for table in tables()):,} figures in all"
    assert told in (DOCUMENT.parent / "command-line.md").read_text("utf-8")


def test_every_table_is_an_entry():
    there = fidelity.ENTRIES.read_text("utf-8")
    for table in tables():
        if table.name not in ("Section 4.2", "error rates, IMDB"):
            assert f"\ttable {table.name}\t" in there, table.name
