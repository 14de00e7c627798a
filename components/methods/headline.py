"""The score of a method here beside a published one, on the page Methods."""

from __future__ import annotations

import streamlit as st

from components.methods.scores import Outcome, best_match
from components.papers import cell_link
from components.text import escape
from components.wording import value
from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.scoring import Scored
from core.literature.presets import Preset


def show(preset: Preset, outcome: Outcome, corpus: Corpus, model: str) -> None:
    """The score here beside the published figure most like it, and where that is printed."""
    match = best_match(preset, corpus, model)
    with st.container(horizontal=True, gap="small"):
        if isinstance(outcome, Scored):
            st.metric(
                f":blue[**here**], {escape(corpus.name)}",
                value(outcome.score),
                delta=escape(f"{counted(len(corpus), 'pair')} · {outcome.about['model']}"),
                delta_color="off",
                delta_arrow="off",
                width="content",
            )
        if match:
            st.metric(
                f"published, {escape(match.corpus)}",
                f"{match.value:.1f}",
                delta=escape(f"{match.model} · {match.metric}"),
                delta_color="off",
                delta_arrow="off",
                width="content",
                help=escape(match.where),
            )
    if match:
        cell_link.to_papers(match.cell)
