"""What signs in the names of a table's rows stand for."""

from __future__ import annotations

from core.literature.tables.table import Table

_SIGNS = {
    "^W": "^W: learnt from WikiText-2",
    "^T": "^T: from the texts that are scored",
    "idf^": "print has the two letters interchanged behind idf",
}
"""What a sign says, by what the name of a row then holds; of paper 000."""


def signs_of(table: Table) -> str:
    """The meanings in one line; empty where no row has a sign."""
    names = [cell.row for cell in table.cells]
    return "; ".join(said for sign, said in _SIGNS.items() if any(sign in name for name in names))
