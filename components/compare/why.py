"""Which pairs of tokens make two sentences similar, on the page Compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from components import figure_frame, job, provenance, state, theme, works
from components.figure_frame import Framed
from components.figures.contributions import ContributionPanel, contribution_panels
from components.figures.similarities import name, shown
from components.text import escape
from core.analysis.close_pairs import Pair
from core.analysis.comparison import SimilarityMatrix, as_corpus
from core.analysis.why import Contributions, contributions, refuse
from core.errors import StrataError
from core.pipeline.engine import Engine

NAMED = 5
"""Pairs of tokens that the caption names."""


def show(
    engine: Engine, sentences: Sequence[str], pair: Pair, matrices: Mapping[str, SimilarityMatrix]
) -> None:
    """Token × token matrices of what sums to the similarity under A and B; or why there are none."""
    found = _read(engine, sentences, pair, matrices)
    if not found:
        return
    look = theme.of(state.theme_name())
    units = {side: matrices[side].recipe.spelled()["similarity"] for side in found}
    panels = [
        ContributionPanel(
            each, f"{side}: {shown(each.similarity, units[side])}", look.side(side), name(units[side])
        )
        for side, each in found.items()
    ]
    title = finding(found, units)
    figure_frame.show(
        Framed(
            key="compare.why",
            title=title,
            figure=contribution_panels(panels, look),
            caption=caption(found, pair, units, matrices),
            alt=f"Token by token contributions to a similarity. {title}",
            numbers=lambda: numbers(found),
        )
    )


def _read(
    engine: Engine, sentences: Sequence[str], pair: Pair, matrices: Mapping[str, SimilarityMatrix]
) -> dict[str, Contributions]:
    """The contributions under each recipe that has them; the page says which has none."""
    corpus = as_corpus(sentences)
    first, second = corpus.rows_of(pair.sentences).tolist()
    wanted, refused = {}, dict[str, list[str]]()
    for side, matrix in matrices.items():
        try:
            refuse(matrix.recipe)
        except StrataError as error:
            refused.setdefault(str(error), []).append(side)
            continue
        compute = partial(contributions, engine, matrix.recipe, corpus, (first, second))
        what = f"Tokens of sentences {pair.first} and {pair.second} under {side}"
        wanted[side] = works.recipe_work("why", what, engine, matrix.recipe, corpus, compute, first, second)
    found = {}
    for side, each in job.show_each(wanted).items():
        try:
            value = each.value()
        except StrataError as error:
            refused.setdefault(str(error), []).append(side)
            continue
        if value is not None:
            found[side] = value
    for reason, sides in refused.items():
        st.caption(f":material/info: {escape(' and '.join(sides))}: {escape(reason)}")
    return found


def finding(found: Mapping[str, Contributions], units: Mapping[str, str]) -> str:
    """The pair of tokens that contributes most under each recipe, in one sentence."""
    parts = []
    for side, each in found.items():
        one, other, value = each.strongest(1)[0]
        total, most = shown(each.similarity, units[side]), shown(value, units[side])
        whole = f"the {name(units[side]).lower()} {total} under {side}"
        if 0 < value < each.similarity:
            parts.append(f"of {whole}, {most} comes from {one} ↔ {other}")
        else:
            parts.append(f"the largest part of {whole} is {most}, {one} ↔ {other}")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def caption(
    found: Mapping[str, Contributions],
    pair: Pair,
    units: Mapping[str, str],
    matrices: Mapping[str, SimilarityMatrix],
) -> tuple[str, ...]:
    """The recipes with the strongest pairs of tokens, what is drawn, and of which models."""
    lines = []
    for side, each in found.items():
        strongest = ", ".join(
            f"{one} ↔ {other} {shown(value, units[side])}" for one, other, value in each.strongest(NAMED)
        )
        lines.append(f"{side}: {matrices[side].recipe.label()} · largest: {strongest}")
    models = dict.fromkeys(provenance.model(matrices[side].source) for side in found)
    return (
        *lines,
        f"Rows: “{pair.sentences[0]}” · columns: “{pair.sentences[1]}” · the cells sum to the similarity · "
        f"{' and '.join(models)}",
    )


def numbers(found: Mapping[str, Contributions]) -> pd.DataFrame:
    """One row for each recipe and pair of tokens."""
    tables = [
        pd.DataFrame(
            {
                "recipe": side,
                "token 1": [one for one in each.first for _ in each.second],
                "token 2": [*each.second] * len(each.first),
                "contribution": each.values.ravel(),
            }
        )
        for side, each in found.items()
    ]
    return pd.concat(tables, ignore_index=True)
