"""Similarities of all pairs of sentences under A and B, on the page Compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import figure_frame, names, provenance, state, theme
from components.compare import chosen_pair, findings
from components.compare.findings import Units
from components.controls import segments
from components.figure_frame import Framed
from components.figures.heatmaps import PRINTED, SimilarityPanel, similarity_panels
from components.figures.similarities import UP_TO_1
from components.provenance import Summary
from core.analysis.close_pairs import ClosePairs, Pair, pair_of
from core.analysis.comparison import SimilarityMatrix, clustered_order
from core.errors import counted

VIEWS = ("matrices", "map")

ROW = "compare-row"
"""Key of the row over the figure; in a narrow window its buttons stand closer."""

FINDINGS = "compare-findings"
"""Key of the buttons in it that lead to pairs."""

CLUSTERED = 30
"""Sentences from which on similar ones stand together."""


@dataclass(frozen=True)
class Choices:
    """What the row over the figure says: what is shown, the pair, and the order of the matrices.

    ``findings`` is the place of the buttons, which are known only with the figure.
    """

    view: str
    findings: DeltaGenerator
    pair: tuple[int, int] | None
    clustered: bool


def choose(count: int) -> Choices:
    """The row over the figure of so many sentences; it is drawn before the figure is there."""
    with st.container(key=ROW, horizontal=True, vertical_alignment="center", gap="small"):
        view = segments(
            "Show", VIEWS, "shown", persist_state="session", label_visibility="collapsed", width="content"
        )
        place = st.container(key=FINDINGS, horizontal=True, width="content", gap="small")
        return Choices(view, place, chosen_pair.choose(count), _clustered(count))


def show(
    sentences: Sequence[str],
    table: pd.DataFrame,
    close: ClosePairs,
    a: SimilarityMatrix,
    b: SimilarityMatrix | None,
    choices: Choices,
) -> Pair | None:
    """The findings, A and B on one colour scale, and their difference; the pair that is chosen."""
    units = units_of(a, b)
    rows = findings.findings(close, units)
    with choices.findings:
        findings.show(rows, choices.pair)
    order = clustered_order(a.values) if choices.clustered else None
    chosen = pair_of(table, *choices.pair) if choices.pair else None
    only = close.closest if close.pairs == 1 else None
    title = findings.headline(close, rows, units, chosen, only)
    named = chosen or (None if only or close.same_order else close.closest)
    figure = similarity_panels(
        sentences,
        panels(a, b),
        theme.of(state.theme_name()),
        order=order,
        mark=(named.first - 1, named.second - 1) if named else None,
    )
    figure_frame.show(
        Framed(
            key="compare",
            title=title,
            figure=figure,
            caption=caption(a, b, len(sentences), close, clustered=order is not None),
            alt=f"Similarity matrices of {len(sentences)} sentences. {title}",
            numbers=lambda: table,
            on_select=chosen_pair.take,
            summary=summary({"A": a} | ({"B": b} if b else {}), f"{len(sentences)} sentences"),
            hint="A click on a cell shows its pair below: its tokens, and where it stands at each layer.",
        )
    )
    return chosen


def _clustered(count: int) -> bool:
    """Whether similar sentences stand together; asked where there are many."""
    return count >= CLUSTERED and st.toggle(
        "Similar ones together",
        value=True,
        key="clustered",
        bind="query-params",
        persist_state="session",
        help="Rows and columns in the order of a hierarchical clustering under A (average linkage); off: "
        "in the order of the box.",
    )


def panels(a: SimilarityMatrix, b: SimilarityMatrix | None) -> list[SimilarityPanel]:
    """A, B and their difference, as far as they are there and can be compared."""
    look, units = theme.of(state.theme_name()), units_of(a, b)
    called = names.of({"A": a.recipe} | ({"B": b.recipe} if b else {}))
    drawn = [SimilarityPanel(a.values, f"A · {called['A']}", look.a, units.a)]
    if b is not None and units.b is not None:
        drawn.append(SimilarityPanel(b.values, f"B · {called['B']}", look.b, units.b))
        if units.shared:
            drawn.append(SimilarityPanel(b.values - a.values, "B − A", look.text, units.a, signed=True))
    return drawn


def units_of(a: SimilarityMatrix, b: SimilarityMatrix | None) -> Units:
    """The similarities that A and B take."""
    return Units(a.recipe.spelled()["similarity"], b.recipe.spelled()["similarity"] if b else None)


def summary(sides: Mapping[str, SimilarityMatrix], size: str) -> Summary:
    """The recipes' names by side, their models, and how much is compared."""
    return provenance.summary(
        "compare",
        {side: matrix.recipe for side, matrix in sides.items()},
        {side: matrix.source for side, matrix in sides.items()},
        "",
        size,
    )


def caption(
    a: SimilarityMatrix, b: SimilarityMatrix | None, sentences: int, close: ClosePairs, *, clustered: bool
) -> tuple[str, ...]:
    """The recipes, their models, what is compared, how it is drawn, and what of it is cut."""
    sides = [("A", a)] + ([("B", b)] if b is not None else [])
    units = list(dict.fromkeys(matrix.recipe.spelled()["similarity"] for _, matrix in sides))
    parts = [
        provenance.models({side: matrix.source for side, matrix in sides}),
        f"{sentences} sentences",
        counted(close.pairs, "pair") + " of different sentences, each counted once" * close.copied,
    ]
    printed = sentences <= PRINTED and all(unit in UP_TO_1 for unit in units)
    parts.append(" and ".join(units) + (", drawn × 100 in the cells" if printed else ""))
    if clustered:
        parts.append("in the order of a hierarchical clustering under A")
    return (
        *(provenance.recipe_line(side, matrix.recipe) for side, matrix in sides),
        " · ".join(parts),
        *provenance.told({side: matrix.of_sentences for side, matrix in sides}),
    )
