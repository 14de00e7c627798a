"""In which order a run reaches the browser: its first screen, and the rest when that had time to be drawn.

A run sends each of its elements as soon as it has it. A browser that is drawing the first figures would
take what arrives meanwhile together, some sixty elements with tables among them, before it draws on; so a
page says where its first screen ends (:func:`first_screen`), and what follows waits for :data:`PAUSE`
seconds at most.

The thread that sends asks for Python's lock at each message, and waits up to a switch interval for it while
the run computes. With :data:`INTERVAL` messages go out while the run goes on. Woken by each of a run's two
hundred messages, it would have the run wait as often: it takes what comes within :data:`GATHER` together.

``benchmarks.toggles`` measures both.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial, wraps

from streamlit import runtime
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.runtime_util import MESSAGE_FLUSH_INTERVAL_SECS
from streamlit.runtime.scriptrunner import get_script_run_ctx

PAUSE = 0.2
"""Seconds in which a browser draws the figures of a first screen."""

INTERVAL = 0.0005
"""Seconds after which a thread that computes lets another one go on; Python's own are 0.005.

With a fifth of it, runs that compute side by side take a fifth longer.
"""

GATHER = MESSAGE_FLUSH_INTERVAL_SECS
"""Seconds within which what a run draws is taken together: Streamlit sends no oftener."""

_FLUSH = ForwardMsgQueue.flush
_CLEAR = ForwardMsgQueue.clear
_CALL = AppSession._call_soon_on_event_loop

_WAITING = "strata_waiting"
"""The attribute of a queue of messages: what of it waits; missing or None where nothing does."""

_GATHERED = "strata_gathered"
"""The attribute of a visit: what its loop is to do, and when it did the last of it."""


@dataclass(eq=False)
class _Waiting:
    """All messages of a queue wait but the first ``ready``."""

    ready: int


@dataclass(eq=False)
class _Gathered:
    """What the loop of a visit is to do, in order; ``since`` is when it was last at it (monotonic)."""

    calls: list[Callable[[], None]] = field(default_factory=list)
    since: float = 0.0
    guard: threading.Lock = field(default_factory=threading.Lock)


@wraps(_CALL)
def _call(visit: AppSession, callback: Callable[[], None]) -> None:
    gathered: _Gathered = visit.__dict__.setdefault(_GATHERED, _Gathered())
    with gathered.guard:
        gathered.calls.append(callback)
        if len(gathered.calls) > 1:
            return  # it comes for the first
    wait = gathered.since + GATHER - time.monotonic()
    work = partial(_work_off, visit, gathered)
    _CALL(visit, work if wait <= 0 else partial(visit._event_loop.call_later, wait, work))


def _work_off(visit: AppSession, gathered: _Gathered) -> None:
    """Do what was gathered; on the loop, which hears of an error as it would of any call's.

    What sends is woken once after all of it: each waking writes to a socket, which lets Python's lock go.
    """
    gathered.since = time.monotonic()
    with gathered.guard:
        calls, gathered.calls = gathered.calls, []
    wake, visit._message_enqueued_callback = visit._message_enqueued_callback, None
    try:
        for call in calls:
            _do(visit, call)
    finally:
        visit._message_enqueued_callback = wake
    if wake is not None:
        wake()


def _do(visit: AppSession, call: Callable[[], None]) -> None:
    try:
        call()
    except Exception as error:
        visit._event_loop.call_exception_handler({"message": f"Error in {call}", "exception": error})


@wraps(_FLUSH)
def _flush(queue: ForwardMsgQueue) -> list[ForwardMsg]:
    waiting = getattr(queue, _WAITING, None)
    if waiting is None:
        return _FLUSH(queue)
    ready, waiting.ready = waiting.ready, 0
    messages = _FLUSH(queue)
    for message in messages[ready:]:
        queue.enqueue(message)
    setattr(queue, _WAITING, waiting)
    return messages[:ready]


@wraps(_CLEAR)
def _clear(
    queue: ForwardMsgQueue,
    retain_lifecycle_msgs: bool = False,
    fragment_ids_this_run: list[str] | None = None,
) -> None:
    """End the waiting; where parts of a page begin a run of their own, what the page drew is sent whole.

    Streamlit would leave out what those parts drew in the page's run. The browser would then be given what
    stands behind them before them, and end the page with an error.
    """
    setattr(queue, _WAITING, None)
    if fragment_ids_this_run:
        queue._delta_index_map = {}  # what the parts draw now stands behind what the page's run drew
    else:
        _CLEAR(queue, retain_lifecycle_msgs, fragment_ids_this_run)


def first_screen() -> None:
    """Have the browser draw what the run has drawn so far before it is sent the rest.

    Nothing waits outside a server, nor longer than :data:`PAUSE` or until the next run begins.
    """
    run = get_script_run_ctx()
    if run is None or not runtime.exists():
        return
    visit = runtime.get_instance().get_app_session(run.session_id)
    if isinstance(visit, AppSession):  # else the browser has gone, or the server is an AppTest's
        visit._call_soon_on_event_loop(partial(_let_wait, visit))


def _let_wait(visit: AppSession) -> None:
    """Let what is enqueued after this wait; on the loop that enqueues and sends."""
    waiting = _Waiting(len(visit._browser_queue))
    setattr(visit._browser_queue, _WAITING, waiting)
    visit._event_loop.call_later(PAUSE, _send, visit, waiting)


def _send(visit: AppSession, waiting: _Waiting) -> None:
    if getattr(visit._browser_queue, _WAITING, None) is waiting:
        setattr(visit._browser_queue, _WAITING, None)
        if visit._message_enqueued_callback is not None:
            visit._message_enqueued_callback()


def first_screens_first() -> None:
    """Send first screens first, together, and while their runs go on, from now on.

    ``ForwardMsgQueue.flush`` gives what does not wait, and ``ForwardMsgQueue.clear``, which begins a run,
    ends the waiting; ``_delta_index_map`` says which messages others may take the place of. The loop and
    the queue of a visit are ``AppSession._event_loop`` and ``AppSession._browser_queue``, found by
    ``Runtime.get_app_session``; its loop is woken by ``AppSession._message_enqueued_callback``, and called
    from other threads by ``AppSession._call_soon_on_event_loop``. A version
    that lacks one of them raises AttributeError when app.py is run or a page says where its first screen
    ends.
    """
    ForwardMsgQueue.flush = _flush  # type: ignore[method-assign]
    ForwardMsgQueue.clear = _clear  # type: ignore[method-assign]
    AppSession._call_soon_on_event_loop = _call  # type: ignore[method-assign]
    sys.setswitchinterval(INTERVAL)
