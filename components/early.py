"""What the browser can load while Python still imports: Plotly, most of what a first figure waits for.

Streamlit's page asks for Plotly (5 MB) when the first figure is there, and needs a second or more to read
it. Here it is told to load the same file before anything else.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

KEY = "early"

_STYLE = f"""<style>
  [data-testid="stLayoutWrapper"]:has(> .st-key-{KEY}) {{ position: absolute; left: -9999px; }}
</style>"""

FILES = [path.name for path in Path(st.__file__).parent.glob("static/static/js/PlotlyChart.*.js")]
"""Names of the files that hold it, as this Streamlit has them."""

_JS = f"""
const FILES = {FILES}
export default function () {{
  for (const name of FILES) import(new URL("static/js/" + name, document.baseURI)).catch(() => {{}})
}}
"""

_load = st.components.v2.component("early", js=_JS)


def load_plotly() -> None:
    """Have the browser load the file of Streamlit that holds Plotly; nothing where there is none."""
    with st.container(key=KEY):
        st.html(_STYLE)
        _load(key="early.load")
