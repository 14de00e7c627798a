"""What components run in the browser, which is given it once.

Streamlit sends a component's script with each of its elements in each run: 36 kB for a figure, three
quarters of what a click had sent. Here one element, the first of a page, brings the scripts of all
components. It is the same in each run, so that Streamlit sends it again in a few bytes; the components' own
scripts ask for theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import streamlit as st

from components import plotly_library
from components.scripts import sources

COMPONENT = "scripts"

KEY = "early"

_STYLE = f"""<style>
  [data-testid="stLayoutWrapper"]:has(> .st-key-{KEY}) {{ position: absolute; left: -9999px; }}
</style>"""

_FILES = {
    "plot": (
        *("point_texts.js", "minus.js", "fitting.js", "beside_points.js", "beside_cells.js"),
        *("cell_values.js", "token_names.js", "stacking.js", "plot.js"),
    ),
    "point_texts": ("point_texts.js", "point_texts_kept.js"),
    "in_browser": ("after_run.js", "pressed.js", "focus.js", "escape.js", "numbers.js", "in_browser.js"),
    "cells": ("cells.js",),
    "words": ("words.js",),
}
"""The files of each component; the last one has its default export, which Streamlit calls."""


def _script(files: tuple[str, ...]) -> str:
    """The files of a component as the body of a function that gives the default export."""
    before, export, after = sources.read(*files).partition("export default ")
    if not export:
        raise ValueError(f"{files[-1]} exports nothing")
    return f"{before}const run = {after}\nreturn run"


_EACH = ",\n".join(f"{name}: (() => {{\n{_script(files)}\n}})()" for name, files in _FILES.items())
"""The script of each component; its names are its own."""

_EDITION = blake2b(_EACH.encode(), digest_size=4).hexdigest()

_READY = f"const scripts = (window.strata{_EDITION} ??= Promise.withResolvers())"
"""Whichever comes first, a component or its script, makes what the other one finds.

Those of another edition, in a window that was open while the server was upgraded, are not taken.
"""

_bring = st.components.v2.component(
    COMPONENT,
    js=f"{_READY}\n{plotly_library.LOAD}\nscripts.resolve({{\n{_EACH}\n}})\nexport default () => {{}}",
    isolate_styles=False,
)


def component(name: str, **options: Any) -> Callable[..., Any]:
    """A component that runs its script; ``options`` are those of ``st.components.v2.component``."""
    asking = f"{_READY}\nexport default (await scripts.promise).{name}"
    return st.components.v2.component(name, js=asking, **options)


def bring() -> None:
    """Give the browser the scripts, which it keeps from page to page, and have it load Plotly.

    The first of a page: Plotly is most of what a first figure waits for.
    """
    plotly_library.serve()
    with st.container(key=KEY):
        st.html(_STYLE + plotly_library.EARLY, unsafe_allow_javascript=True)
        _bring(key=COMPONENT)
