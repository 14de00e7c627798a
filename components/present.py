"""Present view: one figure large, for a projector; arrow keys turn the page's figures over.

A page draws as always. Its figures are collected by the frame, and when the page is done the door hides
everything else. A page that ends early (an error, a question) stays as it is, so nothing is hidden that
a reader must see.
"""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from components.figure_frame import FRAMES, Framed
from components.text import escape

KEY = "present"
PAGE = "page"
"""Key of the container that a page draws into."""

_HIDE = f"""<style>
  [data-testid="stSidebar"], [data-testid="stHeader"], .st-key-{PAGE} {{ display: none !important; }}
  .stMainBlockContainer {{ padding-top: 1rem !important; }}
</style>"""


def switch() -> None:
    """The button that turns the view on; ``?present=true`` in the URL does too."""
    st.toggle(
        "Present",
        key=KEY,
        bind="query-params",
        help="One figure large, without sidebar and controls; arrow keys turn over",
    )


def show() -> None:
    """Show one of the figures that the page drew, if the visitor is presenting."""
    frames: list[Framed] = st.session_state.get(FRAMES, [])
    if not st.session_state.get(KEY) or not frames:
        return
    st.html(_HIDE)
    number = min(int(st.session_state.get("slide", 0)), len(frames) - 1)
    framed = frames[number]
    st.markdown(f"## {escape(framed.title)}")
    st.plotly_chart(_large(framed.figure), theme=None, key=f"present.{framed.key}", alt=framed.alt)
    with st.container(horizontal=True, vertical_alignment="center"):
        last = len(frames) - 1
        _turn("Previous", max(0, number - 1), ":material/chevron_left:", "ArrowLeft", number == 0)
        st.markdown(f"{number + 1} / {len(frames)}")
        _turn("Next", min(last, number + 1), ":material/chevron_right:", "ArrowRight", number == last)
        st.button("Leave", icon=":material/close:", shortcut="Escape", on_click=_leave, type="tertiary")
        st.caption(" · ".join(escape(line) for line in framed.caption))


def _turn(label: str, to: int, icon: str, key: str, off: bool) -> None:
    st.button(label, icon=icon, shortcut=key, disabled=off, on_click=_go, args=(to,), type="tertiary")


def _go(to: int) -> None:
    st.session_state["slide"] = to


def _leave() -> None:
    st.session_state[KEY] = False


def _large(figure: go.Figure) -> go.Figure:
    """A copy for the whole window: taller, with type for the back of the room."""
    large = go.Figure(figure)
    large.update_layout(height=max(480, int((figure.layout.height or 450) * 1.35)), font={"size": 20})
    large.update_xaxes(title_font_size=22)
    return large
