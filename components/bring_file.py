"""A visitor's own table: dropped or pasted, it is read as is said, and kept under a name.

What is chosen stands above the first rows, and what keeps the table, or why it cannot be kept, at the foot:
both are in sight in a window of 720 pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from components import bounded, errors
from components.text import escape
from components.wording import listed
from core.corpora.brought import LONGEST_NAME, Draft, name_of, stem_of
from core.corpora.corpus import Corpus
from core.corpora.first_line import NO_NAMES
from core.corpora.readings import AnyReading, TextsReading
from core.errors import READ_ONLY, CorpusError, StrataError
from core.pipeline.engine import Engine
from core.storage.keys import key_of

MOST_PASTED = 200_000
"""Characters that can be pasted: each request of the browser sends them."""

FOOT = "brought-foot"
"""Key of what stays in sight at the foot of a dialog."""

_ROWS, _LOOKED_AT = 5, 100
"""Rows that are shown, and those of pasted ones that say what parts their columns."""


@dataclass(frozen=True)
class _Given:
    """What a visitor has brought, as a file; ``key`` tells it from others."""

    name: str
    content: bytes
    key: str


@dataclass(frozen=True)
class Wanting:
    """Why a table cannot be kept yet; ``wrong`` unless something is only left to be said."""

    reason: str
    wrong: bool = True


@dataclass(frozen=True)
class Kept:
    """Where a visit keeps what it has brought of a kind, by what a link finds it by.

    ``chosen`` is where the last of it waits until the page chooses it.
    """

    brought: str
    chosen: str

    def keep(self, link: str, choice: str) -> None:
        """Keep what was just brought, and have ``choice`` wait (a callback)."""
        st.session_state.setdefault(self.brought, []).append(link)
        st.session_state[self.chosen] = choice

    def close(self) -> None:
        """Close the dialog once something waits to be chosen."""
        if self.chosen in st.session_state:
            st.rerun()


def draft(engine: Engine, key: str, what: str, columns: str, *, texts: bool = False) -> Draft | None:
    """Places to drop and to paste a table of ``what``; None, and why, until one can be read.

    ``columns`` says which columns the table has. ``key`` begins the keys of the widgets. With ``texts`` a
    text file is taken as well, one text a line.
    """
    uploads = engine.uploads
    if uploads.closed:
        st.info(READ_ONLY, icon=":material/lock:")
        return None
    dropped, pasted = st.columns(2, gap="small", vertical_alignment="bottom")
    file = dropped.file_uploader(
        f"{'A text file, or a' if texts else 'A'} table of {what}: {'.txt, ' * texts}.tsv, .csv "
        f"({'all' if texts else 'both'} also .gz) or .parquet",
        key=_file(key),
        max_upload_size=max(1, uploads.file_bytes // 1_000_000),
    )
    pasted.text_area(
        "… or paste its rows, as they are copied from a spreadsheet",
        key=_pasted(key),
        on_change=_refuse_long,
        args=(key,),
        height=100,
        disabled=file is not None,
        help=f"A row a line, its columns parted by tabs"
        f"{'; without them, one text a line' if texts else ' or commas'}. "
        f"Ctrl+Enter reads them. At most {MOST_PASTED:,} characters; more in a file.",
    )
    if problem := st.session_state.pop(_problem(key), ""):
        errors.say(problem)
    given = _given(key, texts=texts)
    if given is None:
        st.caption(
            f"{columns} What is brought is kept on this server, so that a link to it works, until newer "
            f"files need its place: {uploads.budget_bytes / 1e6:,.0f} MB are kept."
        )
        return None
    first = f"{key}.first/{given.key}"
    chosen = st.session_state.get(first)
    try:
        read = uploads.draft(given.name, given.content, texts=texts, names=chosen)
    except CorpusError as error:
        errors.tell(error)
        if chosen is not None:
            _first_line(first, chosen)
        return None
    if not (read.first.sure and read.first.names):
        _first_line(first, read.first.names)
    return read


def first_rows(draft: Draft) -> None:
    """The first rows of a table, below what is chosen."""
    st.caption(f"The first rows of {len(draft.table):,}")
    st.dataframe(draft.table.head(_ROWS), hide_index=True, alt="The first rows of the file")


def _first_line(key: str, names: bool) -> None:
    """What the first line of the file is read as, and the other way at a click."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        said = "Read with names of columns: the first line has them." if names else NO_NAMES
        st.caption(said, width="content")
        st.segmented_control(
            "The first line is",
            (True, False),
            format_func=lambda names: "names" if names else "a row",
            default=names,
            required=True,
            key=key,
            label_visibility="collapsed",
        )


def columns(
    draft: Draft,
    key: str,
    wanted: Mapping[str, str],
    start: Mapping[str, str | None],
    without: Mapping[str, str] | None = None,
) -> dict[str, str] | Wanting:
    """The column of each thing that is ``wanted``, by menus of these labels.

    ``start`` are the columns they begin with. What may have no column is in ``without``, by the word for
    that, and is empty then. The reason where a column is not chosen or is chosen twice.
    """
    words, chosen = without or {}, dict[str, str | None]()
    for place, (name, label) in zip(st.columns(len(wanted), gap="small"), wanted.items(), strict=True):
        options = [*([words[name]] if name in words else []), *draft.columns]
        first = start[name] or words.get(name)
        chosen[name] = place.selectbox(
            label,
            options,
            index=options.index(first) if first in options else None,
            placeholder="which column?",
            key=f"{key}.{name}/{draft.key}",
        )
    if missing := [label for name, label in wanted.items() if chosen[name] is None]:
        return Wanting(f"Say which column is {' and which is '.join(missing)}.", wrong=False)
    found = {name: "" if column == words.get(name) else str(column) for name, column in chosen.items()}
    if len({*found.values()}) < len(found):
        return Wanting(f"{listed(list(wanted.values()))} need a column each.")
    return found


def name_box(draft: Draft, key: str, otherwise: str, shown: str = "as menus and figures show it") -> str:
    """The name under which the table is kept, ``otherwise`` where none is left; ``shown`` says where."""
    name = bounded.text_input(
        f"Name, {shown}",
        name_of(stem_of(draft.file_name)),
        most=LONGEST_NAME,
        key=f"{key}.name/{draft.file_name}",
    )
    return name_of(name) or otherwise


def corpus(draft: Draft, reading: AnyReading) -> Corpus | Wanting:
    """What the columns give; the reason where they give no corpus."""
    try:
        return draft.corpus(reading)
    except CorpusError as error:
        return Wanting(str(error))


def notes(corpus: Corpus) -> None:
    """What reading the columns has left out or changed; of names, the line under the first rows speaks."""
    for note in (note for note in corpus.notes if note != NO_NAMES):
        st.caption(f":material/info: {escape(note)}")


def foot(
    engine: Engine,
    key: str,
    label: str,
    reading: AnyReading | Wanting,
    kept: Callable[[str], None],
) -> None:
    """A button that keeps the table and hands over what a link finds it by; where it cannot, why."""
    given = _given(key, texts=isinstance(reading, TextsReading))
    shown = given.key if given else ""  # its content would be held for as long as the button
    with st.container(key=FOOT, horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            label,
            type="primary",
            key=f"{key}.use",
            disabled=isinstance(reading, Wanting),
            on_click=_keep,
            args=(engine, key, shown, reading, kept),
        )
        if isinstance(reading, Wanting):
            if reading.wrong:
                errors.say(reading.reason)
            else:
                st.info(escape(reading.reason), icon=":material/view_column:")


def _keep(engine: Engine, key: str, shown: str, reading: AnyReading, kept: Callable[[str], None]) -> None:
    """Keep the table that was ``shown`` and read (a callback): pasted rows may be others by now."""
    texts = isinstance(reading, TextsReading)
    given, uploads = _given(key, texts=texts), engine.uploads
    if given is None:
        return
    if given.key != shown:
        st.session_state[_problem(key)] = "The rows have changed since they were read: look at them again."
        return
    try:
        read = uploads.draft(given.name, given.content, texts=texts, names=reading.names)
        kept(uploads.keep(read, reading))
    except StrataError as error:
        st.session_state[_problem(key)] = str(error)


def _refuse_long(key: str) -> None:
    """Take out rows that are too many to be sent with each request (a callback)."""
    if len(st.session_state[_pasted(key)] or "") > MOST_PASTED:
        st.session_state[_pasted(key)] = ""
        st.session_state[_problem(key)] = (
            f"More than {MOST_PASTED:,} characters: bring these rows in a file."
        )


def _given(key: str, *, texts: bool) -> _Given | None:
    """The file that was dropped, or else the rows that were pasted; None where there is neither.

    Where most rows have no tab, commas part the columns of a table; with ``texts``, it is one text a line.
    """
    file = st.session_state.get(_file(key))
    if file is not None:
        return _Given(file.name, file.getvalue(), file.file_id)
    rows = str(st.session_state.get(_pasted(key)) or "").strip("\r\n")
    if not rows.strip():
        return None
    lines = [line for line in rows.splitlines()[:_LOOKED_AT] if line.strip()]
    is_tabbed = 2 * sum("\t" in line for line in lines) > len(lines)
    ending = ".tsv" if is_tabbed else ".txt" if texts else ".csv"
    return _Given(f"pasted{ending}", rows.encode(), key_of(rows))


def _file(key: str) -> str:
    return f"{key}.file"


def _pasted(key: str) -> str:
    return f"{key}.pasted"


def _problem(key: str) -> str:
    return f"{key}.problem"
