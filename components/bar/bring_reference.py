"""A visitor's own texts to learn from: a dialog in which a file is looked at, read and named."""

from __future__ import annotations

import streamlit as st

from components import bring_file
from components.bar.control import Control
from components.bring_file import Wanting
from components.dialogs import dialog
from core.corpora.readings import TextsReading
from core.errors import counted
from core.pipeline.engine import Engine

_KEY = "reference"
_KEPT = "reference.kept"


def button(control: Control, engine: Engine) -> None:
    """A button that opens the dialog; the texts become the recipe's reference."""
    if st.button(
        "Bring texts",
        icon=":material/upload_file:",
        type="tertiary",
        key=control.key("bring"),
        help="A text file with one text a line, or a column of a table",
    ):
        _dialog(control, engine)


@dialog("Bring texts to learn from", icon=":material/upload_file:")
def _dialog(control: Control, engine: Engine) -> None:
    form(control, engine)
    if st.session_state.pop(_KEPT, False):
        st.rerun()


def form(control: Control, engine: Engine) -> None:
    """A place to drop a file; then its first rows. Pressed, the texts are kept and are the reference."""
    draft = bring_file.draft(engine, _KEY, "texts", "One text a line, or in one column.", texts=True)
    if draft is None:
        return
    start = draft.guess_labelled()["text"]
    column = draft.columns[0]
    if len(draft.columns) > 1:
        column = st.selectbox(
            "Text",
            draft.columns,
            index=draft.columns.index(start) if start in draft.columns else 0,
            key=f"{_KEY}.text/{draft.key}",
        )
    reading = TextsReading(bring_file.name_box(draft, _KEY, "texts"), column, draft.first.names)
    corpus = bring_file.corpus(draft, reading)
    if not isinstance(corpus, Wanting):
        st.markdown(
            f"**{counted(int(corpus.repeats.sum()), 'text')}**, {len(corpus.sentences):,} of them different"
        )
        bring_file.notes(corpus)

    def kept(link: str) -> None:
        control.put_text(link)
        st.session_state[_KEPT] = True

    bring_file.first_rows(draft)
    usable = corpus if isinstance(corpus, Wanting) else reading
    bring_file.foot(engine, _KEY, "Use these texts", usable, kept)
