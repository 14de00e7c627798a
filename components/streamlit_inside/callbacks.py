"""A click counts, whatever asks for a run of the page in the same moment.

Streamlit calls the callback of a control once, in the first run that hears of its new value. Two requests
in one moment, such as those of a click and of the clock of a part that redraws itself, could end that
callback in the middle, or end the run before it calls any; the run that follows hears of nothing new, and
shows the choice before. So each run calls all its callbacks to their end here, and the request is taken up
when the page is drawn. That no two runs of a visitor change the same state at a time is the setting
``runner.fastReruns``.

A click is sent once the browser is idle. The clock of a part may send a request before, which tells of the
click as well; called twice, what opens a menu would close it again. So a request of a clock tells of none.
It names the page that the browser shows, too: behind a request for another page, which waits for the run
that goes on, it would take that back. So no clock is heard while a run of a whole page is asked for.
"""

from __future__ import annotations

import threading
from functools import wraps
from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_requests import _has_active_trigger_value as is_click
from streamlit.runtime.scriptrunner_utils.script_requests import _is_full_app_rerun as is_whole
from streamlit.runtime.state.safe_session_state import SafeSessionState

_TAKE_UP = ScriptRunner._maybe_handle_execution_control_request
_CALL = SafeSessionState.on_script_will_rerun
_REQUEST = AppSession.request_rerun

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


@wraps(_REQUEST)
def _request(visit: AppSession, client_state: ClientState | None) -> None:
    if client_state is not None and client_state.is_auto_rerun:
        if _awaits_whole_page(visit):
            return
        states = client_state.widget_states.widgets
        for click in filter(is_click, list(states)):
            states.remove(click)
    _REQUEST(visit, client_state)


def _awaits_whole_page(visit: AppSession) -> bool:
    """Whether a run of the whole page was asked for, which draws all its parts, and has not begun."""
    if visit._scriptrunner is None:
        return False
    requests = visit._scriptrunner._requests
    return requests._state is ScriptRequestType.RERUN and is_whole(requests._rerun_data)


def run_to_their_end() -> None:
    """Have the callbacks of a request called to their end, and of a click once, in all runs after this.

    ``ScriptRunner._maybe_handle_execution_control_request``, which ends a run where another one is asked
    for, does nothing during ``SafeSessionState.on_script_will_rerun``, which takes up the values of a
    request and calls their callbacks, and begins with the former. ``AppSession.request_rerun`` takes what a
    browser asks for, ``is_click`` tells clicks from what a control says in each request, and ``_state`` and
    ``_rerun_data`` of ``ScriptRunner._requests`` are what waits. A version that lacks one of them raises
    ImportError or AttributeError when app.py is run, or when a clock asks.
    """
    AppSession.request_rerun = _request  # type: ignore[method-assign]
    ScriptRunner._maybe_handle_execution_control_request = _take_up_after_callbacks  # type: ignore[method-assign]
    SafeSessionState.on_script_will_rerun = _call_to_the_end  # type: ignore[method-assign]
