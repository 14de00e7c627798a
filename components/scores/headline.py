"""Each score with its interval, and the paired difference in words, on the page Scores."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from components import provenance
from components.text import escape, headline
from components.wording import brief, unit_of
from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.scoring import Scored, are_of_the_same_subsets, difference
from core.evaluation.sts import FEW_PAIRS
from core.evaluation.wording import between

COLORS = {"A": "blue", "B": "orange"}


def show(sides: Mapping[str, Scored], corpus: Corpus) -> None:
    """The scores by their recipes' names, their difference, and why a score does not exist."""
    named = provenance.sides_named({side: scored.recipe for side, scored in sides.items()})
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        for side, scored in sides.items():
            score = scored.score
            told = [unit_of(score.aggregate)]
            if np.isfinite(score.low):
                told.append(between(score.low, score.high))
            elif np.isfinite(score.spearman):
                told.append(f"{counted(score.pairs, 'pair')}: no interval below {FEW_PAIRS}")
            st.metric(
                f":{COLORS[side]}[**{escape(named[side])}**]",
                brief(score.spearman, score.low, score.high),
                delta=" · ".join(told),
                delta_color="off",
                delta_arrow="off",
                width="content",
            )
        if len(sides) == 2:
            with st.container(gap=None):
                unit = unit_of(next(iter(sides.values())).score.aggregate)
                st.markdown(f"## {headline(difference(*sides.values(), corpus).words(unit))}")
                if not are_of_the_same_subsets(*sides.values()):
                    st.caption("The difference is over the subsets in which both have a correlation.")
                if differing := provenance.differing(sides):
                    st.caption(escape(differing))
    for side, scored in sides.items():
        if scored.score.problem:
            st.warning(f"**{side}.** {escape(scored.score.problem)}", icon=":material/warning:")
