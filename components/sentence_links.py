"""Links to the pages that look at one sentence, and to the one that compares several."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import link, selection
from components.compare.examples import MIXED

COMPARED = "compare.sentences"
"""The sentences that were compared last."""

LONGEST = 6000
"""Characters of text beyond which a link may be cut by browsers and mail programs."""

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


def compare(sentence: str) -> None:
    """A link that sets the sentence over those that Compare has, as many as a link holds."""
    others = [one for one in st.session_state.get(COMPARED, MIXED) if one != sentence]
    while len("\n".join([sentence, *others])) > LONGEST and len(others) > 1:
        others.pop()
    to_compare("Compare", [sentence, *others], why="Sets it over the sentences that Compare has")


def to_compare(label: str, sentences: Sequence[str], *, pair: str = "", why: str | None = None) -> None:
    """A link to the matrices of these sentences on Compare, whatever stood there before."""
    said = {"sentences": "\n".join(sentences), "shown": "matrices", "pair": pair}
    st.page_link(
        "pages/compare.py",
        label=label,
        icon=":material/arrow_forward:",
        help=why,
        query_params=link.setting(link.kept() | said),
    )
