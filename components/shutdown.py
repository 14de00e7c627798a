"""The end of a server: what still runs ends at its next step.

A thread that is inside native code, such as torch's, when the interpreter ends aborts the process, which
looks like a crash to whoever started the server.
"""

from __future__ import annotations

import atexit
import os
import sys

from core.work import Queue

PATIENCE = 8.0
"""Seconds until the next step, at most: a container is killed after ten."""


def at_end(queue: Queue) -> None:
    """Have the work of a queue ended before the interpreter ends."""
    atexit.register(_end, queue)


def _end(queue: Queue) -> None:
    if not queue.close(PATIENCE):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
