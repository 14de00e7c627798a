"""The run of a page: which page, which address was asked for, and how.

All of it is of Streamlit's ``ScriptRunContext``, by ``get_script_run_ctx``. Outside a run there is none,
and each function gives what stands for nothing. In a version that lacks a field of it, the function that
reads it raises AttributeError.
"""

from __future__ import annotations

from pathlib import Path

from streamlit.runtime.scriptrunner import get_script_run_ctx


def page() -> str:
    """What tells the page of this run from others (``page_script_hash``); empty outside a run."""
    run = get_script_run_ctx()
    return run.page_script_hash if run is not None else ""


def query_string() -> str:
    """The query of the address as the browser asked for this run (``query_string``); empty outside a run.

    ``st.query_params`` lacks what is bound to controls of the page that was left.
    """
    run = get_script_run_ctx()
    return run.query_string if run is not None else ""


def goes_through_history() -> bool:
    """Whether the visitor pressed Back or Forward (``is_history_navigation``)."""
    run = get_script_run_ctx()
    return run is not None and run.is_history_navigation


def main_script() -> Path | None:
    """The script that the server runs (``pages_manager.main_script_path``); None outside a run."""
    run = get_script_run_ctx()
    return Path(run.pages_manager.main_script_path) if run is not None else None
