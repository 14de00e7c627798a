"""A visitor's own pairs: a dialog in which a file is looked at, read and named."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components.text import escape
from core.corpora.brought import LONGEST_NAME, PAIR, Draft, Reading, name_of, scales_for, stem_of
from core.corpora.corpus import Corpus
from core.errors import CorpusError, StrataError
from core.pipeline.engine import Engine

BROUGHT = "brought"
"""Where this visit's corpora are kept, by what a link finds them by."""

CHOSEN = "brought.chosen"
"""Where a corpus that was just brought waits to be chosen."""

_FILE, _PROBLEM = "bring.file", "bring.problem"
_OTHER = "another scale"
_LABELS = dict(zip(PAIR, ("Sentence 1", "Sentence 2", "Score"), strict=True))
_ROWS = 5


def button(engine: Engine, on_click: Callable[[], None] | None = None) -> None:
    """A button that opens the dialog; ``on_click`` is called before."""
    if st.button(
        "Bring pairs", icon=":material/upload_file:", type="tertiary", key="bring", on_click=on_click
    ):
        _dialog(engine)


@st.dialog("Bring pairs", width="large", icon=":material/upload_file:")
def _dialog(engine: Engine) -> None:
    form(engine)
    if CHOSEN in st.session_state:
        st.rerun()


def form(engine: Engine) -> None:
    """A place to drop a file; then its first rows, and how it is read. Pressed, the pairs are kept."""
    uploads = engine.uploads
    file = st.file_uploader(
        "A table of scored pairs: .tsv, .csv (both also .gz) or .parquet",
        key=_FILE,
        max_upload_size=max(1, uploads.file_bytes // 1_000_000),
    )
    if problem := st.session_state.pop(_PROBLEM, ""):
        st.error(escape(problem), icon=":material/error:")
    if file is None:
        st.caption(
            "One row for each pair, one column for each sentence and one for the score; columns called "
            "subset and split are used too. The file is kept on this server, so that a link to it works, "
            f"until newer files need its place: {uploads.budget_bytes / 1e6:,.0f} MB are kept."
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
    corpus = _corpus(draft, reading) if reading else None
    if reading and corpus:
        st.markdown(f"**{len(corpus):,} pairs** of {len(corpus.sentences):,} different sentences")
        for note in corpus.notes:
            st.caption(f":material/info: {escape(note)}")
    st.button(
        "Use these pairs",
        type="primary",
        key="bring.use",
        disabled=corpus is None,
        on_click=_keep,
        args=(engine, reading),
    )


def _reading(draft: Draft) -> Reading | None:
    """Which column is what, the scale and the name; None, and the reason, where something is missing."""
    guess = draft.guess()
    columns: dict[str, str | None] = {}
    for place, (wanted, label) in zip(st.columns(3, gap="small"), _LABELS.items(), strict=True):
        start = guess[wanted]
        columns[wanted] = place.selectbox(
            label,
            draft.columns,
            index=draft.columns.index(start) if start in draft.columns else None,
            placeholder="which column?",
            key=f"bring.{wanted}/{draft.file_name}",
        )
    named = {wanted: column for wanted, column in columns.items() if column is not None}
    if missing := [_LABELS[wanted] for wanted in PAIR if wanted not in named]:
        st.info(f"Say which column is {' and which is '.join(missing)}.", icon=":material/view_column:")
        return None
    if len(set(named.values())) < len(PAIR):
        st.error("Sentence 1, sentence 2 and the score need a column each.", icon=":material/error:")
        return None
    scale = _scale(draft, named["score"])
    name = st.text_input(
        "Name, as menus and figures show it",
        value=name_of(stem_of(draft.file_name)),
        max_chars=LONGEST_NAME,
        key=f"bring.name/{draft.file_name}",
    )
    if scale is None:
        return None
    return Reading(name_of(name or "") or "pairs", **named, scale=scale)


def _scale(draft: Draft, column: str) -> tuple[float, float] | None:
    """The scale of the scores; None, and the reason, where there is none."""
    bounds = draft.score_range(column)
    if bounds is None:
        st.error(escape(f"The column {column} holds no number."), icon=":material/error:")
        return None
    low, high = bounds
    scales = {f"{a:g} to {b:g}": (a, b) for a, b in scales_for(low, high)}
    left, right = st.columns([3, 4], gap="small", vertical_alignment="bottom")
    chosen = left.selectbox(
        "Scale of the scores",
        [*scales, _OTHER],
        key=f"bring.scale/{draft.file_name}/{column}",
        help="What is the lowest and what is the highest score that could be given? Thresholds such as "
        "“more than 4 of 5” are at the same share of the scale.",
    )
    if chosen != _OTHER:
        right.markdown(f"Scores found: {low:g} to {high:g}; scored as **{chosen}**")
        return scales.get(chosen or "", next(iter(scales.values())))
    with right.container(horizontal=True):
        start = st.number_input("Lowest", value=low, key="bring.low", format="%.6g")
        end = st.number_input("Highest", value=high, key="bring.high", format="%.6g")
    if not start < end:
        st.error("The highest score must be above the lowest.", icon=":material/error:")
        return None
    return float(start), float(end)


def _corpus(draft: Draft, reading: Reading) -> Corpus | None:
    """The pairs; None, and the reason, where the columns give none."""
    try:
        return draft.corpus(reading)
    except CorpusError as error:
        st.error(escape(str(error)), icon=":material/error:")
        return None


def _keep(engine: Engine, reading: Reading) -> None:
    file = st.session_state.get(_FILE)
    if file is None:
        return
    try:
        link = engine.uploads.keep(engine.uploads.draft(file.name, file.getvalue()), reading)
    except StrataError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    st.session_state.setdefault(BROUGHT, []).append(link)
    st.session_state[CHOSEN] = link
