"""The sentences that a visitor chooses on a map: one by a click, several by a lasso."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import chosen_points, sentence_links
from components.tokens.reading import lasso
from components.tokens.sentence_neighbours import RANK
from core.analysis.comparison import MOST
from core.analysis.token_maps.sentence_map import NeighbourChange
from core.corpora.corpus import Corpus
from core.errors import counted

GROUP = "sentences.group"
"""Key of the sentences in the lasso, by their places in the corpus."""

HINT = "A click chooses a sentence, whose neighbours are listed below; the lasso a group."


def take(
    points: Sequence[dict[str, Any]],
    traces: Sequence[tuple[int, np.ndarray]],
    places: np.ndarray,
    corpus: Corpus,
    changed: NeighbourChange | None,
) -> None:
    """Choose what was clicked on or drawn around (a callback); nothing forgets the group."""
    panels = [places] * (1 + max((panel for panel, _ in traces), default=0))
    chosen = sorted({place for group in lasso(points, traces, panels) for place in group})
    if len(chosen) == 1 and changed is not None:
        (at,) = np.flatnonzero(places == chosen[0])
        st.session_state[RANK] = int(np.flatnonzero(changed.order == at)[0]) + 1
    elif chosen:
        chosen_points.take(GROUP, corpus.fingerprint, [chosen])
    else:
        _clear()


def show(corpus: Corpus) -> None:
    """The sentences in the lasso, and the page that compares them."""
    chosen_points.field(GROUP)
    found = chosen_points.of(GROUP, corpus.fingerprint)
    group = [place for places in found for place in places if place < len(corpus.sentences)]
    if not group:
        return
    sentences = [corpus.sentences[place] for place in group]
    st.markdown(f"## Chosen: {counted(len(sentences), 'sentence')}")
    st.dataframe(
        pd.DataFrame({"sentence": sentences}),
        hide_index=True,
        height=min(320, 36 * len(sentences) + 40),
        alt="The chosen sentences",
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if len(sentences) == 1:
            sentence_links.show("It on", sentences[0])
        else:
            some = sentences[:MOST]
            label = "Compare them" if len(some) == len(sentences) else f"Compare the first {MOST}"
            sentence_links.to_compare(label, some)
        st.button("Clear the choice", icon=":material/ink_eraser:", type="tertiary", on_click=_clear)


def _clear() -> None:
    chosen_points.clear(GROUP)
