"""The printed table with what is here, as a figure, and the same as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, provenance, state, theme
from components.figure_frame import Framed
from components.figures.labels import plain, wrapped
from components.figures.papers import PrintedTable, TableCell, printed_table
from components.papers.here import NOTED, CellHere, States
from components.papers.page import take_cell
from components.provenance import Summary
from components.text import escape
from core.errors import are, counted
from core.evaluation.wording import fixed, signed
from core.literature.tables import Table
from core.literature.tables.signs import signs_of
from core.literature.tables.slips import Slip, slips_of
from core.literature.tables.table import Cell


def show(table: Table, there: States, chosen: Cell) -> None:
    """The figure in its frame; a click on a cell chooses it."""
    rows = list(dict.fromkeys((cell.group, cell.row) for cell in table.cells if cell.is_placed))
    columns = list(table.columns)
    place = {
        cell: (rows.index((cell.group, cell.row)), columns.index(cell.column))
        for cell in table.cells
        if cell.is_placed
    }
    at = {where: cell for cell, where in place.items()}

    def choose(points: Sequence[dict[str, Any]]) -> None:
        if points:
            row, column = points[0]["customdata"]
            take_cell(table, at[int(row), int(column)])

    told = slips_of(table)
    drawn = PrintedTable(
        [(row, group) for group, row in rows],
        columns,
        {
            where: table_cell(there[cell], [slip for slip in told if slip.is_of(cell)])
            for cell, where in place.items()
        },
        place[chosen],
        chosen.scale,
    )
    title, told_here, told_signs = finding(table, there), legend(drawn), signs_of(table)
    figure_frame.show(
        Framed(
            key="papers.table",
            title=title,
            figure=printed_table(drawn, theme.of(state.theme_name())),
            caption=(*caption(table, there), *filter(None, (told_signs,)), told_here),
            summary=Summary(
                "papers",
                corpus=f"{table.paper.citation}, {table.label}",
                size=f"{_units(table)} · {told_here}",
            ),
            alt=f"{table.paper.citation}, {table.label}: {title}",
            numbers=lambda: numbers(table, there),
            on_select=choose,
            hint=f"A click on a cell chooses it. {told_signs}".strip(),
        )
    )


def finding(table: Table, there: States) -> str:
    """How many figures are here and how near they are, in one sentence."""
    same = [one for one in there.values() if one.here.is_same]
    others = sum(one.here.measured is not None for one in there.values()) - len(same)
    also = f"; {others} more on another model or setting" if others else ""
    if same:
        met = sum(one.is_met for one in same)
        distance = fixed(np.nanmean([abs(one.difference) for one in same]), same[0].cell.digits)
        points = " points" * (same[0].cell.scale == 1)
        compared = [one for one in same if one.here.measured and np.isfinite(one.here.measured.bounds[0])]
        inside = f", {met} of {len(compared)} inside our interval" if compared else ""
        return (
            f"{len(same)} of {counted(table.results, 'figure')} {are(len(same))} measured here under the "
            f"paper's own setting: {distance}{points} from print on average{inside}{also}"
        )
    if others:
        return f"{others} of {table.results} figures have one here, all on another model or setting"
    open_ = sum(one.here.is_open for one in there.values())
    can = f"{open_} of them can be computed here" if open_ else "none of them can be computed here yet"
    return f"{table.title}: {table.results} figures as printed, {can}"


def caption(table: Table, there: States) -> tuple[str, ...]:
    """Where the table is from, the models that are compared, and each corpus with its fingerprint."""
    found = [one.here.found for one in there.values() if one.here.found and one.here.measured]
    lines = [f"{table.paper.citation}: {table.paper.title}. {table.label}, {_units(table)}"]
    models = dict.fromkeys(
        f"{one.rule.model or one.model} there, {one.model} here" if one.rule.model else one.model
        for one in found
    )
    lines += [f"Models: {'; '.join(models)}"] if models else []
    corpora = {part.corpus.fingerprint: part.corpus for one in found for part in one.parts}
    lines += [
        f"{provenance.split(corpus)}: {corpus.origin} · fingerprint {fingerprint}"
        for fingerprint, corpus in corpora.items()
    ]
    return tuple(lines)


def legend(table: PrintedTable) -> str:
    """What the marks and colours mean that the table has, where there is no hover."""
    cells = table.cells.values()
    neutral = [cell for cell in cells if not np.isfinite(cell.difference)]
    said = {
        "printed · here": any(cell.here for cell in cells),
        "italics: another model or setting": any("<i>" in cell.here for cell in cells),
        "grey: cannot be computed here": any(not cell.open for cell in neutral),
        "△ does not add up in print": any(cell.slip for cell in cells),
        "framed: the chosen cell": table.chosen is not None,
    }
    return "; ".join(words for words, is_so in said.items() if is_so)


def numbers(table: Table, there: States) -> pd.DataFrame:
    """A line for each row as printed; behind a column that has figures here those, with their interval."""
    rows = dict.fromkeys((cell.group, cell.row) for cell in table.cells if cell.is_placed)
    here = {cell.column for cell, one in there.items() if one.here.measured}
    grouped = any(group for group, _ in rows)
    lines = []
    for group, row in rows:
        line: dict[str, object] = ({"group": group} if grouped else {}) | {"row": row}
        for column in table.columns:
            cell = table.get(row, column, group)
            line[column] = "" if cell is None else cell.printed
            if column in here:
                one = there[cell] if cell else None
                values = (one.value, *one.bounds) if one else (np.nan,) * 3
                for end, value in zip(("here", "low", "high"), values, strict=True):
                    line[f"{column}, {end}"] = (
                        round(value, cell.digits) if cell and np.isfinite(value) else None
                    )
        lines.append(line)
    return pd.DataFrame(lines)


def table_cell(one: CellHere, slips: Sequence[Slip]) -> TableCell:
    """A cell as it is drawn: the printed figure, the value here below it, and what is told on hover."""
    cell, here = one.cell, ""
    lines = [f"<b>{plain(cell.row)}</b>, {plain(cell.column)}", f"{cell.unit}, printed {cell.printed}"]
    if one.here.measured:
        here = fixed(one.value, min(cell.digits, cell.decimals or 1))
        interval = f", {one.interval}" if np.isfinite(one.bounds[0]) else ""
        lines.append(
            f"here {fixed(one.value, cell.digits)}{interval}; {signed(one.difference, cell.digits)}"
        )
        if not one.here.is_same:
            here = f"<i>{here}</i>"
    if one.here.found:
        lines += [wrapped(each) for each in one.here.found.differs]
        lines += [] if one.here.measured else ["can be computed here"]
    if one.here.why:
        lines.append(wrapped(one.here.why))
    lines += [wrapped(f"△ {slip.told}") for slip in slips]
    if cell.note:
        lines.append(wrapped(f"{NOTED}{cell.note}"))
    printed = f"{cell.printed}{'*' if cell.emphasis == 'bold' else ''}"
    return TableCell(printed, "<br>".join(lines), here, one.difference, one.here.is_open, bool(slips))


def _units(table: Table) -> str:
    return ", ".join(dict.fromkeys(cell.unit for cell in table.cells if cell.is_result))


def list_slips(table: Table) -> None:
    """What does not add up in print, as a list."""
    if told := slips_of(table):
        st.markdown("### What does not add up in print")
        for slip in told:
            place = ", ".join(filter(None, (slip.row, slip.column)))
            st.markdown(f"- {escape(f'{place}: ' if place else '')}{escape(slip.told)}")
