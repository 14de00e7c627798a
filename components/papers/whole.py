"""The whole paper: of each table how many figures can be had here, are measured, and are met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.controls import folded
from components.figure_frame import Framed
from components.figures.printed_and_here import Point, printed_and_here
from components.papers.here import CellHere, States, states
from components.provenance import Summary
from core.errors import counted
from core.literature.rules.running import Reproduction
from core.literature.tables import Paper, Table, tables
from core.pipeline.engine import Engine
from core.recipe import Recipe


def show(engine: Engine, paper: Paper, base: Recipe) -> None:
    """The expander; what is in it is looked up when it is open."""

    def look() -> None:
        found = _look_up(engine, paper, base)
        _against(paper, found)
        st.dataframe(
            overview(found), hide_index=True, alt=f"The tables of {paper.citation}, figures by state"
        )

    label = f"The whole of {paper.citation}: what is reproduced here"
    folded(label, look, "papers.whole", ":material/checklist:")


def overview(found: Mapping[Table, States]) -> pd.DataFrame:
    """A line for each table, and their sum."""
    lines = [
        {"table": f"{table.label}: {table.title}"} | _counts(list(there.values()))
        for table, there in found.items()
    ]
    return pd.DataFrame([*lines, {"table": "all"} | _total(found)])


def _total(found: Mapping[Table, States]) -> dict[str, int]:
    """The figures of all tables by state."""
    return _counts([one for there in found.values() for one in there.values()])


def _counts(every: Sequence[CellHere]) -> dict[str, int]:
    results = [one for one in every if one.cell.is_result]
    measured = [one for one in results if one.here.measured]
    same = [one for one in measured if one.here.is_same]
    return {
        "figures": len(results),
        "can be computed": sum(one.here.found is not None for one in results),
        "measured": len(measured),
        "own setting": len(same),
        "inside our interval": sum(one.is_met for one in same),
    }


def _look_up(engine: Engine, paper: Paper, base: Recipe) -> dict[Table, States]:
    every, rules = tables(paper.number), Reproduction(engine, base)
    bar = st.progress(0.0)
    found: dict[Table, States] = {}
    for number, table in enumerate(every):
        bar.progress(number / len(every), text=f"{table.label}, {number + 1} of {len(every)}")
        found[table] = states(rules, table)
    bar.empty()
    return found


def _nothing(total: Mapping[str, int]) -> str:
    """What to do where no figure of a paper is measured."""
    able, figures = total["can be computed"], counted(total["figures"], "figure")
    if able:
        some = f"{able:,} of {figures}"
        return f"Nothing of this paper is measured here yet: Compute, beside a table, does it for {some}."
    return (
        f"Nothing of this paper is measured here, and none of its {figures} "
        "can be computed yet: under each table stands what that needs."
    )


def _against(paper: Paper, found: Mapping[Table, States]) -> None:
    """Every measured figure against the printed one."""
    points = [
        _point(table, one)
        for table, there in found.items()
        for one in there.values()
        if one.here.measured and np.isfinite(one.difference)
    ]
    if not points:
        st.caption(_nothing(_total(found)))
        return
    same = [point for point in points if point.same]
    near = (
        f"{np.mean([abs(p.here - p.printed) for p in same]):.2f} points from print on average"
        if same
        else ""
    )
    have = "has" if len(points) == 1 else "have"
    title = (
        f"{counted(len(same), 'figure')} of {paper.citation} measured under its own setting: {near}"
        if same
        else f"{counted(len(points), 'figure')} of {paper.citation} {have} one here, on another model or "
        "setting"
    )
    figure_frame.show(
        Framed(
            key="papers.against",
            title=title,
            figure=printed_and_here(points, theme.of(state.theme_name())),
            caption=(
                f"{paper.citation}: {paper.title}",
                f"{counted(len(points), 'figure')} of {counted(len(found), 'table')}",
            ),
            summary=Summary("papers", corpus=paper.citation, size=counted(len(points), "figure")),
            alt=title,
            numbers=lambda: pd.DataFrame(points),
        )
    )


def _point(table: Table, one: CellHere) -> Point:
    value, (low, high) = (
        (one.here.measured.value, one.here.measured.bounds)
        if one.here.measured
        else (np.nan, (np.nan, np.nan))
    )
    label = f"{table.label}: {one.cell.row}, {one.cell.column}"
    return Point(label, (one.cell.value or 0.0) * one.cell.scale, value, low, high, one.here.is_same)
