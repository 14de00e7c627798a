"""Links to the pages that look at one sentence, and to the one that compares several."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import link, selection

PAGES: dict[str, tuple[str, dict[str, str]]] = {
    "Layers": ("pages/layers.py", {"view": "sentence"}),
    "Heads": ("pages/heads.py", {}),
    "Masking": ("pages/masking.py", {}),
}
"""The pages, and what their links say beside the sentence."""


def show(said: str, sentence: str) -> None:
    """The links after ``said``."""
    with st.container(horizontal=True, width="content", gap="small", vertical_alignment="center"):
        st.caption(said, width="content")
        for name, (page, settings) in PAGES.items():
            st.page_link(
                page,
                label=name,
                icon=":material/arrow_forward:",
                query_params=link.setting(
                    link.kept() | {"sentence": sentence[: selection.MOST]} | settings
                ),
            )
        if len(sentence) > selection.MOST:
            st.caption(f"They take its first {selection.MOST:,} characters.", width="content")


def to_compare(sentences: Sequence[str], pair: str = "") -> dict[str, str]:
    """What a link to Compare says: the matrices of these sentences, whatever stood there before."""
    return {"sentences": "\n".join(sentences), "shown": "matrices", "pair": pair}
