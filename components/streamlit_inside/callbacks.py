"""A click counts, whatever asks for a run of the page in the same moment.

Streamlit calls the callback of a control once, in the first run that hears of its new value. Two requests
in one moment, such as those of a click and of the clock of a part that redraws itself, could end that
callback in the middle, or end the run before it calls any; the run that follows hears of nothing new, and
shows the choice before. So each run calls all its callbacks to their end here, and the request is taken up
when the page is drawn. That no two runs of a visitor change the same state at a time is the setting
``runner.fastReruns``.
"""

from __future__ import annotations

import threading
from functools import wraps
from typing import Any

from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.state.safe_session_state import SafeSessionState

_TAKE_UP = ScriptRunner._maybe_handle_execution_control_request
_CALL = SafeSessionState.on_script_will_rerun

_RUN = threading.local()
"""Of the thread of a run: whether it hears of a request, and calls what was asked for."""


@wraps(_CALL)
def _call_to_the_end(state: SafeSessionState, *arguments: Any, **named: Any) -> None:
    _RUN.calls = True
    try:
        _CALL(state, *arguments, **named)
    finally:
        _RUN.calls = False


@wraps(_TAKE_UP)
def _take_up_after_callbacks(runner: ScriptRunner) -> None:
    if not getattr(_RUN, "calls", False):
        _TAKE_UP(runner)


def run_to_their_end() -> None:
    """Have the callbacks of a request called to their end, in all runs that begin after this.

    ``ScriptRunner._maybe_handle_execution_control_request``, which ends a run where another one is asked
    for, does nothing during ``SafeSessionState.on_script_will_rerun``, which takes up the values of a
    request and calls their callbacks, and begins with the former. A version that lacks one of them raises
    ImportError or AttributeError when app.py is run.
    """
    ScriptRunner._maybe_handle_execution_control_request = _take_up_after_callbacks  # type: ignore[method-assign]
    SafeSessionState.on_script_will_rerun = _call_to_the_end  # type: ignore[method-assign]
