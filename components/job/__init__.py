"""Work on a page: its result when it is there; until then how far it is, and a way to stop it.

A page never computes for long itself. It asks for :class:`~core.work.Work`, which the queue of the
installation runs in another thread, and draws what is there. A question stands before long work; a panel
shows the rest as it goes on, redraws itself, and has the page drawn anew when a result has arrived.
"""

from components.job.aside import Aside, look_aside
from components.job.panel import progress_line
from components.job.question import Asking, Question, at_once
from components.job.showing import (
    STOPPED,
    ahead,
    available,
    beside,
    idle,
    results,
    show,
    show_all,
    show_each,
)
from components.job.visit import (
    asked_for,
    is_done,
    is_idle,
    is_left,
    on_page,
    start,
    was_dropped,
    was_stopped,
)
from components.job.waiting import TICK, patient, renew

__all__ = [
    "STOPPED",
    "TICK",
    "Aside",
    "Asking",
    "Question",
    "ahead",
    "asked_for",
    "at_once",
    "available",
    "beside",
    "idle",
    "is_done",
    "is_idle",
    "is_left",
    "look_aside",
    "on_page",
    "patient",
    "progress_line",
    "renew",
    "results",
    "show",
    "show_all",
    "show_each",
    "start",
    "was_dropped",
    "was_stopped",
]
