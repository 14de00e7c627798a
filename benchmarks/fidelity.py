"""docs/fidelity.md: what the five papers define, name and print, entry by entry, and its state here.

    python -m benchmarks.fidelity > docs/fidelity.md

The entries are docs/fidelity.tsv. The state of a result table is counted: how many of its figures have a
rule (``core/literature/rules``), what differs in some of them, and why the others have none.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from core.literature.rules import Rule, rule_of
from core.literature.tables import PAPERS, Table, find_table, tables

ENTRIES = Path(__file__).parents[1] / "docs" / "fidelity.tsv"

STATES = ("right", "differs", "not here")

_HEAD = """# The papers, entry by entry

Printed by `python -m benchmarks.fidelity` from [fidelity.tsv](fidelity.tsv), the tables in
`core/literature/tables` and the rules in `core/literature/rules`. *Right*: it is here as the paper has it,
as far as its definition goes; a corpus, a model or a file of vectors may have to be brought. *Differs*: it
is here, and the note says how it is not the paper's. *Not here*: the note says why. Of a table, *right*
says that every figure has a recipe and that nothing is known to differ, *differs* that some have one. The
page Papers sets each figure beside what its recipe gives."""


class Entry(NamedTuple):
    """One thing that a paper defines, names or prints, and its state here."""

    paper: str
    kind: str
    entry: str
    state: str
    where: str
    note: str


def entries() -> list[Entry]:
    """All entries, those of result tables with their counted state."""
    with ENTRIES.open(encoding="utf-8", newline="") as file:
        lines = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [_counted(Entry(*line)) for line in list(lines)[1:]]


def document() -> str:
    """The whole text."""
    found = entries()
    lines = [_HEAD, "", *_counts(found)]
    for paper in PAPERS:
        lines += ["", f"## {paper.number} {paper.citation}: {paper.title}", ""]
        own = [entry for entry in found if entry.paper == paper.number]
        lines += _table(
            ("kind", "entry", "state", "where", "note"),
            [(one.kind, one.entry, one.state, one.where, one.note) for one in own],
        )
    return "\n".join(lines) + "\n"


def _counted(entry: Entry) -> Entry:
    if not entry.state.startswith("table "):
        return entry
    table = find_table(entry.paper, entry.state.removeprefix("table "))
    found = [rule_of(table, cell) for cell in table.cells if cell.is_result]
    rules = [each for each in found if isinstance(each, Rule)]
    told = [f"{len(rules):,} of {table.results:,} figures have a recipe."]
    for sentence, count in Counter(each for rule in rules for each in rule.differs).most_common():
        told.append(f"Of {count:,}: {sentence}")
    for reason, count in Counter(each for each in found if isinstance(each, str)).most_common():
        told.append(f"{count:,} have none: {reason}")
    state = "right" if len(told) == 1 and rules else "differs" if rules else "not here"
    return entry._replace(state=state, note=" ".join(told))


def _rules(table: Table) -> int:
    """How many figures of a table have a rule."""
    return sum(isinstance(rule_of(table, cell), Rule) for cell in table.cells if cell.is_result)


def _counts(found: Sequence[Entry]) -> list[str]:
    """A line for each paper: entries by state, and printed figures with a recipe."""
    rows = []
    for paper in PAPERS:
        own = [entry.state for entry in found if entry.paper == paper.number]
        printed = tables(paper.number)
        rules = sum(_rules(table) for table in printed)
        figures = f"{rules:,} of {sum(table.results for table in printed):,}"
        rows.append((f"{paper.number} {paper.citation}", *map(str, map(own.count, STATES)), figures))
    states = [entry.state for entry in found]
    rules = sum(_rules(table) for table in tables())
    figures = f"{rules:,} of {sum(table.results for table in tables()):,}"
    rows.append(("all", *map(str, map(states.count, STATES)), figures))
    return _table(("paper", *STATES, "figures with a recipe"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    cells = [[text.replace("|", "\\|") for text in row] for row in rows]
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *cells)]


if __name__ == "__main__":
    print(document(), end="")
