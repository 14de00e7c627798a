"""What pages need of the visitor's browser beyond widgets: light and dark, keys for figures, focus, Back.

Streamlit does not run the script when the browser goes from light to dark, and would leave figures in the
old colours; a theme that is chosen on one page it would forget on the others. Plotly's figures have no
keys: here Tab reaches those with cells, arrow keys go from cell to cell as the mouse would, and Enter
clicks. What is picked by keys keeps the focus where its widget is made anew. Back leads to the page before
with its recipes, which Streamlit would leave out. A tooltip goes when what it explains is pressed. A page
that is left with a menu open is left when the menu is closed.
"""

from __future__ import annotations

import streamlit as st

from components import state
from components.scripts import brought

KEY = "in-browser"

STYLE = f"""
  [data-testid="stLayoutWrapper"]:has(> .st-key-{KEY}) {{ position: absolute; left: -9999px; }}
  [data-pressed] :is([role="tooltip"], .hoverlayer) {{ visibility: hidden; }}
  [role="tooltip"], [role="tooltip"] * {{ pointer-events: none; }}
"""
"""It takes no room. What explains a thing is hidden when that is pressed, and leaves presses to what it
covers: half of one would go to the cell under it, whose click would be lost.
"""

_SPOKEN = '<p role="status"></p>'
"""Where the cell that keys have reached is told to a screen reader."""

_watch = brought.component("in_browser", html=_SPOKEN)


def watch() -> None:
    """Watch the browser; the page is drawn anew when it has gone from light to dark or back."""
    with st.container(key=KEY):
        _watch(key="browser", data={"drawn": state.theme_name()}, on_scheme_change=_drawn_anew)


def _drawn_anew() -> None:
    """Nothing else: the run that follows reads the new scheme."""
