"""What controls hold: what a request says of them, and kept when their page is left."""

from __future__ import annotations

from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx


def keep() -> None:
    """Have what the controls of this run hold count as of an earlier run, at the end of this one.

    Streamlit looks for what a control of a page that was left holds among what earlier runs have left
    alone: ``SessionState._compact_state`` puts it there. A version that lacks it is left as it is.
    """
    run = get_script_run_ctx()
    compact = getattr(run.session_state._state, "_compact_state", None) if run is not None else None
    if compact is not None:
        compact()


def said(key: str) -> Any:
    """What the browser says of a control in the request of this run; None where it says nothing of it.

    ``st.session_state`` gives what code has set where the browser does not have the control. What came with
    the request is in ``SessionState._new_widget_state``, by the id of ``get_widget_id_from_key``.
    """
    run = get_script_run_ctx()
    if run is None:
        return None
    state = run.session_state._state
    return state._new_widget_state.get(state.get_widget_id_from_key(key) or "")


def is_drawn(key: str) -> bool:
    """Whether this run has drawn a control so far (``widget_ids_this_run``)."""
    run = get_script_run_ctx()
    if run is None:
        return False
    return run.session_state._state.get_widget_id_from_key(key) in run.shared.widget_ids_this_run.snapshot()
