"""Sentences whose neighbours change between recipes A and B, and the neighbours of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from components.text import escape
from core.analysis.projection import Projection
from core.analysis.sentence_map import Change
from core.corpus import Corpus
from core.recipe import Recipe

CHOSEN = "sentences.chosen"


@dataclass(frozen=True, eq=False)
class Side:
    """The vectors of the sentences that are looked at, under one recipe, and their map."""

    letter: str
    recipe: Recipe
    name: str
    vectors: np.ndarray
    map: Projection
    identity: tuple[object, ...]


def chosen_of(changed: Change | None, corpus: Corpus, places: np.ndarray) -> int | None:
    """The sentence that was picked in the list; the one that changes most to start with."""
    if changed is None:
        return None
    kept = st.session_state.get(CHOSEN)
    if kept and kept[0] == corpus.fingerprint and kept[1] < len(places):
        return int(kept[1])
    return int(changed.order[0])


def ranked(changed: Change, corpus: Corpus, places: np.ndarray, chosen: int) -> int:
    """The list of sentences, those that change most first; the one that is picked."""
    st.markdown("##### Whose neighbours change most")
    table = pd.DataFrame(
        {
            "sentence": [corpus.sentences[i] for i in places[changed.order].tolist()],
            "shared": changed.overlap[changed.order],
        }
    )
    state_ = st.dataframe(
        table,
        hide_index=True,
        height=240,
        key=f"ranked.{corpus.fingerprint}.{changed.k}",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "shared": st.column_config.NumberColumn(
                "shared (Jaccard)", format="%.2f", help=f"Of the {changed.k} nearest under A and under B"
            )
        },
    )
    rows = state_["selection"]["rows"] if state_ else []
    if rows and rows[0] < len(places):
        chosen = int(changed.order[rows[0]])
        st.session_state[CHOSEN] = (corpus.fingerprint, chosen)
    return chosen


def both(changed: Change, sides: Sequence[Side], corpus: Corpus, places: np.ndarray, chosen: int) -> None:
    """The neighbours of a sentence under A and under B, those of one alone marked."""
    st.markdown(f"Nearest to **{escape(corpus.sentences[places[chosen]])}**")
    for column, side, own, other in zip(
        st.columns(2, gap="medium"), sides, (changed.a, changed.b), (changed.b, changed.a), strict=True
    ):
        near = own[chosen]
        units = side.vectors.astype(np.float64)
        lengths = np.linalg.norm(units[near], axis=1) * np.linalg.norm(units[chosen])
        cosines = np.divide(
            units[near] @ units[chosen], lengths, out=np.zeros(len(near)), where=lengths > 0
        )
        with column:
            st.markdown(f"**{side.letter}** · {escape(side.recipe.label())}")
            st.dataframe(
                pd.DataFrame(
                    {
                        "sentence": [corpus.sentences[i] for i in places[near].tolist()],
                        "cosine": cosines,
                        f"{side.letter} alone": ~np.isin(near, other[chosen]),
                    }
                ),
                hide_index=True,
                column_config={"cosine": st.column_config.NumberColumn(format="%.3f")},
            )
