"""Sentences whose neighbours change between recipes A and B, and the neighbours of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from components import chooser, names, sentence_links, table_row
from components.controls import number_asked, renew
from components.text import escape
from components.tokens import neighbour_table
from core.analysis.token_maps.projection import Projection
from core.analysis.token_maps.sentence_map import NeighbourChange
from core.corpora.corpus import Corpus
from core.recipe import Recipe

RANK = "rank"
"""Key of the rank of the sentence whose neighbours are shown."""


@dataclass(frozen=True, eq=False)
class RecipeMap:
    """The vectors of the sentences that are looked at, under one recipe, and their map."""

    letter: str
    recipe: Recipe
    name: str
    vectors: np.ndarray
    map: Projection
    identity: tuple[object, ...]


def ranked(changed: NeighbourChange, corpus: Corpus, places: np.ndarray) -> int:
    """The list of sentences, those that change most first; the one chosen by its rank or a click."""
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    left.markdown("## Whose neighbours change most")
    name = f"ranked.{corpus.fingerprint}.{changed.k}"

    def choose() -> None:
        row = table_row.chosen(st.session_state[key], len(places))
        if row is not None and chooser.makes(name, key, row + 1):
            st.session_state[RANK] = row + 1

    renew(RANK, (corpus.fingerprint, len(places)), 1)
    number_asked(RANK)
    with right:
        rank = st.number_input(
            "Rank of the sentence",
            1,
            len(places),
            value=1,
            key=RANK,
            bind="query-params",
            persist_state="session",
            help="1: its neighbours change most. A click on a row chooses it too.",
        )
    table = pd.DataFrame(
        {
            "sentence": [corpus.sentences[i] for i in places[changed.order].tolist()],
            "shared": changed.overlap[changed.order],
        }
    )
    key = chooser.key(name, rank)
    st.dataframe(
        table,
        hide_index=True,
        height=240,
        key=key,
        on_select=choose,
        selection_mode=table_row.MODE,
        alt="Sentences by how much their neighbours change from A to B, the most first",
        column_config={
            "shared": st.column_config.NumberColumn(
                "shared (Jaccard)", format="%.2f", help=f"Of the {changed.k} nearest under A and under B"
            )
        },
    )
    return int(changed.order[int(rank or 1) - 1])


def both(
    changed: NeighbourChange,
    sides: Sequence[RecipeMap],
    corpus: Corpus,
    places: np.ndarray,
    chosen: int,
    *,
    wide: bool = True,
) -> None:
    """The neighbours of a sentence under A and under B, those of one alone marked.

    They stand side by side where the page is ``wide``, else one under the other.
    """
    sentence = corpus.sentences[places[chosen]]
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        st.markdown(f"Nearest to **{escape(sentence)}**", width="content")
        sentence_links.show("It on", sentence)
    called = names.of({side.letter: side.recipe for side in sides})
    for column, side, own, other in zip(
        st.columns(2, gap="medium") if wide else (st.container(), st.container()),
        sides,
        (changed.a, changed.b),
        (changed.b, changed.a),
        strict=True,
    ):
        near = own[chosen]
        units = side.vectors.astype(np.float64)
        lengths = np.linalg.norm(units[near], axis=1) * np.linalg.norm(units[chosen])
        cosines = np.divide(
            units[near] @ units[chosen], lengths, out=np.zeros(len(near)), where=lengths > 0
        )
        sentences = [corpus.sentences[i] for i in places[near].tolist()]
        alone = (~np.isin(near, other[chosen])).tolist()
        with column:
            neighbour_table.show(side.letter, called[side.letter], sentences, cosines, alone)
