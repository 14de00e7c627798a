"""A visitor's own labelled texts: a dialog in which a file is looked at, read and named."""

from __future__ import annotations

import streamlit as st

from components.text import escape
from core.corpora.brought import LONGEST_NAME, Draft, LabelledReading, name_of, stem_of
from core.errors import CorpusError, StrataError
from core.pipeline.engine import Engine

CHOSEN = "tasks.brought"
"""Where labelled texts that were just brought wait to be chosen, by what a link finds them by."""

_FILE, _PROBLEM = "texts.file", "texts.problem"
_ONE_TEXT = "none: one text a row"
_ROWS = 5


def button(engine: Engine) -> None:
    """A button that opens the dialog."""
    if st.button("Bring texts", icon=":material/upload_file:", type="tertiary", key="texts"):
        _dialog(engine)


@st.dialog("Bring labelled texts", width="large", icon=":material/upload_file:")
def _dialog(engine: Engine) -> None:
    form(engine)
    if CHOSEN in st.session_state:
        st.rerun()


def form(engine: Engine) -> None:
    """A place to drop a file; then its first rows, and how it is read. Pressed, the texts are kept."""
    uploads = engine.uploads
    file = st.file_uploader(
        "A table of labelled texts: .tsv, .csv (both also .gz) or .parquet",
        key=_FILE,
        max_upload_size=max(1, uploads.file_bytes // 1_000_000),
    )
    if problem := st.session_state.pop(_PROBLEM, ""):
        st.error(escape(problem), icon=":material/error:")
    if file is None:
        st.caption(
            "One row for each text, one column for it and one for its label; a second text makes a pair, "
            "and a column called split says what is learnt from. The file is kept on this server, so that "
            "a link to it works, until newer files need its place: "
            f"{uploads.budget_bytes / 1e6:,.0f} MB are kept."
        )
        return
    try:
        draft = uploads.draft(file.name, file.getvalue())
    except CorpusError as error:
        st.error(escape(str(error)), icon=":material/error:")
        return
    st.caption(f"The first rows of {len(draft.table):,}")
    st.dataframe(draft.table.head(_ROWS), hide_index=True, alt="The first rows of the file")
    reading = _reading(draft)
    st.button(
        "Use these texts",
        type="primary",
        key="texts.use",
        disabled=reading is None or not _told(draft, reading),
        on_click=_keep,
        args=(engine, reading),
    )


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
    name = st.text_input(
        "Name, as menus and figures show it",
        value=name_of(stem_of(draft.file_name)),
        max_chars=LONGEST_NAME,
        key=f"texts.name/{draft.file_name}",
    )
    text, label = chosen["text"], chosen["label"]
    if text is None or label is None:
        st.info("Say which column is the text, and which its label.", icon=":material/view_column:")
        return None
    second = "" if chosen["text2"] in (None, _ONE_TEXT) else str(chosen["text2"])
    if len({text, label, second}) < 3:
        st.error("Text, label and second text need a column each.", icon=":material/error:")
        return None
    return LabelledReading(name_of(name or "") or "texts", text, label, second)


def _told(draft: Draft, reading: LabelledReading) -> bool:
    """What the columns give is said; whether it is a corpus of several classes."""
    try:
        corpus = draft.corpus(reading)
    except CorpusError as error:
        st.error(escape(str(error)), icon=":material/error:")
        return False
    classes = len(corpus.classes)
    st.markdown(f"**{corpus.rows:,} rows** of {classes:,} class{'es' * (classes != 1)}")
    for note in corpus.notes:
        st.caption(f":material/info: {escape(note)}")
    if classes < 2:
        st.error("A classifier needs two classes or more.", icon=":material/error:")
    return classes > 1


def _keep(engine: Engine, reading: LabelledReading) -> None:
    file = st.session_state.get(_FILE)
    if file is None:
        return
    try:
        draft = engine.uploads.draft(file.name, file.getvalue())
        st.session_state[CHOSEN] = engine.uploads.keep(draft, reading)
    except StrataError as error:
        st.session_state[_PROBLEM] = str(error)
