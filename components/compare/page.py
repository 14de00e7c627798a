"""The parts of the page Compare."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from components import figure_frame, state, theme, token_strip
from components.figure_frame import Framed
from components.figures.heatmaps import Panel, similarity_panels
from components.text import escape
from core.comparison import SimilarityMatrix, as_corpus, pair_table
from core.embed import Road
from core.progress import Progress
from core.recipe import POOL, Recipe


def heatmaps(sentences: Sequence[str], a: SimilarityMatrix, b: SimilarityMatrix | None) -> None:
    """A and B on one colour scale, their difference, and what changes most, in words."""
    look = theme.of(state.theme_name())
    table = pair_table(sentences, a, b)
    panels = [Panel(a.values, "A", look.a)]
    units = [a.recipe.spelled()["similarity"]]
    if b is not None:
        units.append(b.recipe.spelled()["similarity"])
        panels.append(Panel(b.values, "B", look.b))
        if units[0] == units[1]:
            panels.append(Panel(b.values - a.values, "B − A", look.text, signed=True))
    pair = table.iloc[0]
    mark = (int(pair["first"]) - 1, int(pair["second"]) - 1) if b is not None else None
    figure = similarity_panels(
        sentences, panels, look, shared=len(set(units)) == 1, mark=mark, unit=units[0]
    )
    figure_frame.show(
        Framed(
            key="compare",
            title=finding(table, len(sentences)),
            figure=figure,
            caption=(
                *(f"{side}: {made.recipe.label()}" for side, made in _sides(a, b)),
                f"{a.embedded.source.name} ({a.embedded.source.revision}) · {len(sentences)} sentences · "
                f"{len(table)} pairs · {' and '.join(dict.fromkeys(units))}",
            ),
            alt=finding(table, len(sentences)),
            numbers=table,
        )
    )


def finding(table: pd.DataFrame, sentences: int) -> str:
    """What the table of pairs says, in one sentence."""
    top = table.iloc[0]
    pair = f"“{_clip(top['sentence 1'])}” / “{_clip(top['sentence 2'])}”"
    if "change" not in table:
        return f"Under A the closest of {len(table)} pairs is {pair}."
    if top["change"] == 0:
        return f"A and B put all {len(table)} pairs of {sentences} sentences in the same order."
    verb = "rises" if top["change"] > 0 else "falls"
    return f"Under B {pair} {verb} from rank {top['rank A']} to {top['rank B']} of {len(table)}."


def pairs(table: pd.DataFrame) -> None:
    """The full table of pairs."""
    number = st.column_config.NumberColumn(format="%.3f")
    st.dataframe(table, hide_index=True, column_config={"A": number, "B": number}, height=300)


def weights(
    road: Road, sentences: Sequence[str], recipes: Sequence[tuple[str, Recipe]], progress: Progress
) -> None:
    """Every sentence's tokens tinted by their weight, under A beside B."""
    look = theme.of(state.theme_name())
    corpus = as_corpus(sentences)
    rows = corpus.rows_of(sentences)
    for column, (side, recipe) in zip(st.columns(len(recipes)), recipes, strict=True):
        with column, st.container(height=390, border=False):
            spelled = recipe.spelled()
            weighted = POOL.find(recipe.pool).traits.get("weighted")
            uses = spelled["weight"] if weighted else f"none: pool={spelled['pool']}"
            st.markdown(f"**{side}** · weights {escape(uses)} · tokens {escape(spelled['tokens'])}")
            found = road.token_weights(recipe, corpus, progress)
            color = look.side(side)
            st.html("".join(token_strip.strip(found[i], color, n) for n, i in enumerate(rows, 1)))


def _sides(a: SimilarityMatrix, b: SimilarityMatrix | None) -> list[tuple[str, SimilarityMatrix]]:
    return [("A", a)] + ([("B", b)] if b is not None else [])


def _clip(text: str, length: int = 48) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
