"""The sentences a visitor pastes."""

from __future__ import annotations

import streamlit as st

from components.text import escape
from core.comparison import MOST, as_corpus
from core.corpus import clean_lines
from core.errors import StrataError

EXAMPLES = (
    "The bakery opens at seven every morning.",
    "You can buy fresh bread there from 7 a.m.",
    "The bakery closes at seven every morning.",
    "The central bank raised interest rates again.",
    "Borrowing money has become more expensive.",
    "We had a picnic on the bank of the river.",
    "The nurse thanked the doctor.",
    "The doctor thanked the nurse.",
    "Her train was cancelled because of the storm.",
    "Bad weather kept her from travelling by rail.",
    "It is not raining any more.",
    "It is raining more than ever.",
)
"""What one arrives with: paraphrases without shared words, and near copies with another meaning."""

LINK_LIMIT = 6000
"""Characters of text beyond which a link may be cut by browsers and mail programs."""


def show() -> list[str] | None:
    """The box to paste into; its sentences, or None (and the reason) when they cannot be compared."""
    text = st.text_area(
        "Sentences, one per line",
        value="\n".join(EXAMPLES),
        key="sentences",
        bind="query-params",
        height=372,
        help=f"Two to {MOST} sentences. Ctrl+Enter compares them; the link in the address bar holds them.",
    )
    cleaned = clean_lines(text or "")
    try:
        as_corpus(cleaned.sentences)
    except StrataError as error:
        st.error(escape(str(error)), icon=":material/error:")
        return None
    count = f"{len(cleaned.sentences)} sentences. "
    st.caption(escape(count + " ".join(cleaned.notes)))
    if len(text or "") > LINK_LIMIT:
        st.caption(":material/link_off: Too much text for a link to be shared safely; send the sentences.")
    return list(cleaned.sentences)
