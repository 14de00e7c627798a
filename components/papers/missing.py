"""Why figures of a table cannot be computed here, each reason with how many it concerns."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from components.papers.here import States
from components.text import escape
from core.errors import counted


def show(there: States) -> None:
    """The reasons, those of most figures first."""
    reasons = Counter(one.here.why for cell, one in there.items() if one.here.why and cell.is_result)
    if not reasons:
        return
    number = sum(reasons.values())
    title = f"{counted(number, 'figure')} cannot be computed here, and why"
    with st.expander(title, icon=":material/block:"):
        st.markdown(
            "\n".join(f"- **{count}**: {escape(reason)}" for reason, count in reasons.most_common())
        )
        st.caption(
            "Corpora come from a data folder (STRATA_DATA), models from the hub or a folder, word vectors "
            "from a file; models and vectors are chosen in the bar, as the source of recipe A."
        )
