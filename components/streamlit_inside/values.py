"""What controls hold, kept when their page is left."""

from __future__ import annotations

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
