"""The run of a page: which page, which address was asked for, and how.

All of it is of Streamlit's ``ScriptRunContext``, by ``get_script_run_ctx``. Outside a run there is none,
and each function gives what stands for nothing. In a version that lacks a field of it, the function that
reads it raises AttributeError.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState


def page() -> str:
    """What tells the page of this run from others (``page_script_hash``); empty outside a run."""
    run = get_script_run_ctx()
    return run.page_script_hash if run is not None else ""


def script() -> str:
    """What tells the script that draws now, a page's or the door's (``ThreadState``); empty outside a run.

    The identities of controls depend on it.
    """
    return ThreadState.get().active_script_hash if get_script_run_ctx() is not None else ""


@contextmanager
def drawn_by(script: str) -> Iterator[None]:
    """Have the block draw as a script does (``run_with_active_hash``); nothing changes outside a run."""
    run = get_script_run_ctx()
    if run is None:
        yield
        return
    with run.run_with_active_hash(script):
        yield


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
