"""The runs of a visitor follow each other, in a thread and from one thread to the next.

A thread takes the requests of a visit one after the other, and ends when there is none.

* A request that comes in that moment, as the clock of a part that redraws itself sends one each second,
  begins the next thread. Streamlit passes over what the former has sent and its loop has not come to yet:
  the end of a page, or all of it, would never arrive; a part that was closed would stay open.
* A page that follows the run of a part in one thread finds what that leaves. Streamlit, made for a thread
  for each page, would draw it inside the part, and take what the controls of the page before held for lost.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData, ScriptRunContext, ScriptRunner, ScriptRunnerEvent

_CREATE = AppSession._create_scriptrunner
_HANDLE = AppSession._handle_scriptrunner_event_on_event_loop
_FINISH = ScriptRunner._on_script_finished

_FORMER = "strata_former"
"""The attribute of a visit: its threads that took no request any more when the next was begun."""


@wraps(_CREATE)
def _create(visit: AppSession, initial_rerun_data: RerunData) -> None:
    former = visit._scriptrunner
    _CREATE(visit, initial_rerun_data)
    if former is not None:
        setattr(visit, _FORMER, (*getattr(visit, _FORMER, ()), former))


@wraps(_HANDLE)
def _handle(
    visit: AppSession,
    sender: ScriptRunner | None,
    event: ScriptRunnerEvent,
    *arguments: Any,
    **named: Any,
) -> None:
    """Take what a former thread has sent as well, until the one that followed it begins its first run.

    A thread that ends by itself has sent all of its runs by then; one that was stopped may go on.
    """
    current = visit._scriptrunner
    if sender is current:
        setattr(visit, _FORMER, ())
    elif sender in getattr(visit, _FORMER, ()) and event is not ScriptRunnerEvent.SHUTDOWN:
        visit._scriptrunner = sender
    try:
        _HANDLE(visit, sender, event, *arguments, **named)
    finally:
        if sender is not current:
            visit._scriptrunner = current


@wraps(_FINISH)
def _finish(runner: ScriptRunner, run: ScriptRunContext, *arguments: Any, **named: Any) -> None:
    _FINISH(runner, run, *arguments, **named)
    run.fragment_ids_this_run = None
    context_dg_stack.set(get_default_dg_stack_value())


def lose_nothing() -> None:
    """Have all that a thread of runs has sent taken up, and each run begin afresh, in all visits.

    ``ScriptRunner._on_script_finished`` ends a run: ``ScriptRunContext.fragment_ids_this_run`` are its
    parts, whose controls alone may be let go, and ``context_dg_stack`` is where it draws.
    ``AppSession._create_scriptrunner`` begins a thread, where ``AppSession._scriptrunner`` is still the
    former if that takes no request any more, and ``_handle_scriptrunner_event_on_event_loop`` takes what
    threads send, in the order in which they sent it. A version that lacks one of them raises ImportError
    or AttributeError when app.py is run.
    """
    ScriptRunner._on_script_finished = _finish  # type: ignore[method-assign]
    AppSession._create_scriptrunner = _create  # type: ignore[method-assign]
    AppSession._handle_scriptrunner_event_on_event_loop = _handle  # type: ignore[method-assign]
