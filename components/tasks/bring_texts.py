"""A visitor's own labelled texts: a dialog in which a file is looked at, read and named."""

from __future__ import annotations

import streamlit as st

from components import bring_file
from core.corpora.brought import Draft, LabelledReading
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine

BROUGHT = "brought.texts"
"""Where this visit's labelled texts are kept, by what a link finds them by."""

CHOSEN = "tasks.brought"
"""Where labelled texts that were just brought wait to be chosen, by what a link finds them by."""

_KEY = "texts"
_ONE_TEXT = "none: one text a row"


def button(engine: Engine) -> None:
    """A button that opens the dialog."""
    if st.button("Bring texts", icon=":material/upload_file:", type="tertiary", key=_KEY):
        _dialog(engine)


@st.dialog("Bring labelled texts", width="large", icon=":material/upload_file:")
def _dialog(engine: Engine) -> None:
    form(engine)
    if CHOSEN in st.session_state:
        st.rerun()


def form(engine: Engine) -> None:
    """A place to drop a file; then its first rows, and how it is read. Pressed, the texts are kept."""
    draft = bring_file.draft(
        engine,
        _KEY,
        "labelled texts",
        "One row for each text, one column for it and one for its label; a second text makes a pair, and a "
        "column called split says what is learnt from.",
    )
    if draft is None:
        return
    reading = _reading(draft)
    corpus = bring_file.corpus(draft, reading) if reading else None
    classified = corpus is not None and _has_classes(corpus)
    bring_file.use_button(engine, _KEY, "Use these texts", reading if classified else None, _kept)


def _reading(draft: Draft) -> LabelledReading | None:
    """Which column is what, and the name; None, and the reason, where something is missing."""
    start = draft.guess_labelled()
    chosen: dict[str, str | None] = {}
    for place, (wanted, title) in zip(
        st.columns(3, gap="small"),
        (("text", "Text"), ("label", "Label"), ("text2", "Second text")),
        strict=True,
    ):
        options = [_ONE_TEXT, *draft.columns] if wanted == "text2" else draft.columns
        first = start[wanted] or (_ONE_TEXT if wanted == "text2" else None)
        chosen[wanted] = place.selectbox(
            title,
            options,
            index=options.index(first) if first in options else None,
            placeholder="which column?",
            key=f"texts.{wanted}/{draft.file_name}",
        )
    name = bring_file.name_box(draft, _KEY, "texts")
    text, label = chosen["text"], chosen["label"]
    if text is None or label is None:
        st.info("Say which column is the text, and which its label.", icon=":material/view_column:")
        return None
    second = "" if chosen["text2"] in (None, _ONE_TEXT) else str(chosen["text2"])
    if len({text, label, second}) < 3:
        st.error("Text, label and second text need a column each.", icon=":material/error:")
        return None
    return LabelledReading(name, text, label, second)


def _has_classes(corpus: Corpus) -> bool:
    """Rows and classes are said; whether there are two classes or more."""
    classes = len(corpus.classes)
    st.markdown(f"**{corpus.rows:,} rows** of {classes:,} class{'es' * (classes != 1)}")
    bring_file.notes(corpus)
    if classes < 2:
        st.error("A classifier needs two classes or more.", icon=":material/error:")
    return classes > 1


def _kept(link: str) -> None:
    st.session_state.setdefault(BROUGHT, []).append(link)
    st.session_state[CHOSEN] = link
