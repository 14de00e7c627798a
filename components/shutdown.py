"""The end of a server: what still runs ends at its next step, work as well as pages.

A thread that is inside native code, such as torch's, when the interpreter ends aborts the process, which
looks like a crash to whoever started the server. Nothing else has to be finished: what is stored is whole
at any moment. So what has no step soon, such as loading a library, is left, and what the process holds is
not looked through for what could be freed, which takes seconds.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import time

from components.streamlit_inside import runs
from core.work import Queue

PATIENCE = 2.0
"""Seconds until the next step, at most."""

LOOK = 0.1
"""Seconds after which work that a page has begun meanwhile is stopped as well."""


def at_end(queue: Queue) -> None:
    """Have the work of a queue, and the runs of pages, ended before the interpreter ends."""
    atexit.register(_end, queue)


def _end(queue: Queue) -> None:
    until = time.monotonic() + PATIENCE
    while not _ended(queue):
        if time.monotonic() > until:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
    gc.freeze()


def _ended(queue: Queue) -> bool:
    """Whether neither work nor a page goes on; the last thing that a page does may be to begin work."""
    queue.close()
    return runs.end_within(LOOK) and queue.close(LOOK)
