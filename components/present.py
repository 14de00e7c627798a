"""Present view: one figure large, for a projector; arrow keys turn the page's figures over.

A page draws as always. Its figures are collected by the frame, and when the page is done the door hides
everything else. A page that ends early (an error, a question) stays as it is, so nothing is hidden that
a reader must see.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import plot
from components.controls import number_asked, renew
from components.figure_frame import Framed
from components.figures.enlarged import enlarged
from components.text import escape, headline

KEY = "present"
PAGE = "page"
"""Key of the container that a page draws into."""

STAGE, LINE, KEYS, FIGURE = "stage", "stage.line", "stage.keys", "figure"
"""Keys of the containers of figure, line below and buttons for a remote; of the number of the figure."""

LATER = "figure.later"
"""Key of a number that is asked for and not there yet: figures come as they are computed."""

_WAITS = "present.waits"
"""Key of whether a visitor was told that a figure is waited for."""

_HIDE = f"""<style>
  [data-testid="stHeader"], .st-key-{PAGE} {{ display: none !important; }}
  .stMainBlockContainer {{ padding-top: 1rem !important; padding-bottom: .5rem !important; }}
  .stMainBlockContainer h2 {{ font-size: clamp(1.3rem, 2.4vw, 2.6rem) !important; padding: 0; }}
  .stMainBlockContainer > [data-testid="stVerticalBlock"] {{
    height: calc(100vh - 1.5rem); flex-wrap: nowrap; }}
  [data-testid="stLayoutWrapper"]:has(> .st-key-{STAGE}) {{
    height: auto !important; min-height: 0; max-height: none !important; flex: 1 1 0 !important; }}
  .st-key-{STAGE} {{ height: 100% !important; max-height: none !important; }}
  .st-key-{LINE.replace(".", "-")} p {{ font-size: clamp(.875rem, 1.25vw, 1.75rem) !important; }}
  .st-key-{KEYS.replace(".", "-")} {{ position: absolute; left: -9999px; }}
</style>"""


def switch() -> None:
    """The button that turns the view on; ``?present=true`` in the URL does too."""
    st.toggle(
        "Present",
        key=KEY,
        bind="query-params",
        help="One figure large, without bar and controls; arrow keys turn over",
    )


def show(frames: Sequence[Framed]) -> None:
    """Show one of the figures that the page has drawn, if the visitor is presenting."""
    if not st.session_state.get(KEY):
        st.session_state.pop(_WAITS, None)
        return
    if not frames:
        _wait()
        return
    st.html(_HIDE)
    title, stage, pager = st.container(), st.container(key=STAGE, height=500, border=False), st.container()
    with pager:
        framed = _turned(frames)
    title.markdown(f"## {headline(framed.title)}")
    with stage:
        plot.draw(enlarged(framed.figure), key=f"present.{framed.key}", alt=framed.alt, fills=True)


def by_page() -> None:
    """Leave it to a page that presents by itself, as that of decks: no figure is waited for."""
    st.session_state[_WAITS] = True


def _wait() -> None:
    """Say once that a page has no figure to show large: a search that was not begun has none."""
    if not st.session_state.get(_WAITS):
        st.session_state[_WAITS] = True
        st.toast(
            "No figure here yet: the first one is shown large once it is there.",
            icon=":material/slideshow:",
        )


def _turned(frames: Sequence[Framed]) -> Framed:
    """The figure that is shown, and the row that turns over; its number is in the URL."""
    first = frames[0]
    last = len(frames)
    page = first.summary.page if first.summary else first.key
    renew(FIGURE, page, 1)
    renew(LATER, page, None)
    asked = st.session_state.pop(LATER, None) or number_asked(FIGURE)
    if asked is not None:
        st.session_state[FIGURE] = min(max(1, asked), last)
        if asked > last:
            st.session_state[LATER] = asked
    with st.container(horizontal=True, vertical_alignment="center"):
        buttons = st.container(horizontal=True, vertical_alignment="center", width="content")
        number = st.number_input(
            "Figure",
            1,
            last,
            key=FIGURE,
            bind="query-params",
            on_change=_forget_later,
            label_visibility="collapsed",
            width=110,
        )
        at = int(number or 1)
        with buttons:
            _turn("Previous", at - 1, ":material/chevron_left:", "ArrowLeft", at == 1)
            st.markdown(f"{at} / {last}")
            _turn("Next", at + 1, ":material/chevron_right:", "ArrowRight", at == last)
            st.button("Leave", icon=":material/close:", shortcut="Escape", on_click=_leave, type="tertiary")
        with st.container(key=LINE):
            st.caption(escape(frames[at - 1].line))
    with st.container(key=KEYS):  # a presenter's remote sends these; a button has one shortcut
        _turn("Page up", at - 1, ":material/chevron_left:", "PageUp", at == 1)
        _turn("Page down", at + 1, ":material/chevron_right:", "PageDown", at == last)
    return frames[at - 1]


def _turn(label: str, to: int, icon: str, key: str, off: bool) -> None:
    st.button(label, icon=icon, shortcut=key, disabled=off, on_click=_go, args=(to,), type="tertiary")


def _go(to: int) -> None:
    st.session_state[FIGURE] = to
    _forget_later()


def _forget_later() -> None:
    st.session_state.pop(LATER, None)


def _leave() -> None:
    st.session_state[KEY] = False
