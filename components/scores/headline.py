"""Each score with its interval, and the paired difference in words, on the page Scores."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from components import provenance
from components.text import escape
from components.wording import brief, unit_of
from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.scoring import Scored, are_of_the_same_subsets, difference
from core.evaluation.sts import FEW_PAIRS
from core.evaluation.wording import between

COLORS = {"A": "blue", "B": "orange"}


def show(sides: Mapping[str, Scored], corpus: Corpus) -> None:
    """The scores side by side, their difference, and why a score does not exist."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        for side, scored in sides.items():
            score = scored.score
            told = between(score.low, score.high)
            if not np.isfinite(score.low):
                told = f"{counted(score.pairs, 'pair')}: no interval below {FEW_PAIRS}"
            st.metric(
                f":{COLORS[side]}[**{side}**] {unit_of(score.aggregate)}",
                brief(score.spearman, score.low, score.high),
                delta=told if np.isfinite(score.spearman) else None,
                delta_color="off",
                delta_arrow="off",
                width="content",
            )
        if len(sides) == 2:
            with st.container(gap=None):
                unit = unit_of(next(iter(sides.values())).score.aggregate)
                st.markdown(f"## {escape(difference(*sides.values(), corpus).words(unit))}")
                if not are_of_the_same_subsets(*sides.values()):
                    st.caption("The difference is over the subsets in which both have a correlation.")
                if differing := provenance.differing(sides):
                    st.caption(escape(differing))
    for side, scored in sides.items():
        if scored.score.problem:
            st.warning(f"**{side}.** {escape(scored.score.problem)}", icon=":material/warning:")
