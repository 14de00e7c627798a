"""Plotly for the browser, as the Python package brings it: pages and files have the same.

The browser is told to load it (5 MB) while Python still imports: most of what a first figure waits for.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from components.streamlit_inside import files

_PACKAGE, _FOLDER = "plotly", "package_data"

ADDRESS = files.address_of(_PACKAGE, _FOLDER, "plotly.min.js")
"""Where the server hands it out, from the page's base."""

LOAD = f"""
function library() {{
  window.strataPlotly ??= new Promise((resolve, reject) => {{
    const script = document.createElement("script")
    script.src = new URL("{ADDRESS}", document.baseURI)
    script.onload = () => resolve(window.Plotly)
    script.onerror = () => {{
      delete window.strataPlotly
      script.remove()
      reject(new Error("The server did not give Plotly. Reload the page."))
    }}
    document.head.append(script)
  }})
  return window.strataPlotly
}}
"""
"""A function of JavaScript that loads it once, and gives it."""

EARLY = f"<script>(() => {{ {LOAD} library().catch(() => {{}}) }})()</script>"
"""Loads it while the page is built; a component would be mounted half a second later."""


def serve() -> None:
    """Have the server hand out the package's folder, without importing the package."""
    files.hand_out(_PACKAGE, _FOLDER, _root())


def _root() -> Path:
    """The package's folder, without importing it."""
    package = find_spec(_PACKAGE)
    if package is None or package.origin is None:
        raise ModuleNotFoundError(f"{_PACKAGE} is not installed")
    return Path(package.origin).parent
