"""The runs of pages that go on, each in a thread of its own.

``ScriptRunner.start`` calls these threads :data:`NAME`. In a version that calls them otherwise none is
found, and a server that ends in the middle of one may end with an abort.
"""

from __future__ import annotations

import threading
import time

NAME = "ScriptRunner.scriptThread"


def end_within(seconds: float) -> bool:
    """Wait for all runs to end, at most so many seconds; whether none goes on."""
    until = time.monotonic() + seconds
    for run in (thread for thread in threading.enumerate() if thread.name == NAME):
        run.join(max(0.0, until - time.monotonic()))
        if run.is_alive():
            return False
    return True
