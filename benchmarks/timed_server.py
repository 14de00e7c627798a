"""The dashboard with timers: ``python -m benchmarks.timed_server PORT LOG [--nothing-ahead]``.

The app is the one that visitors get; Streamlit, Plotly and the engine are wrapped from outside. A line of
the log is a JSON object: a run of the script (``begin`` and ``end`` in seconds since 1970, of which
``engine`` seconds were spent in the engine or waiting for its queue, ``json`` in writing figures; ``cpu``
seconds did the script's thread work), or a message to the browser (``sent`` when, and its ``bytes``).
"""

from __future__ import annotations

import functools
import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import plotly.io
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.web import bootstrap
from streamlit.web.server.starlette import starlette_websocket

from components import job
from core.pipeline.engine import Engine
from core.work import Job

APP = Path(__file__).parents[1] / "app.py"

_CLOCKS = threading.local()


class Log:
    """Lines of JSON, from any thread."""

    def __init__(self, file: TextIO) -> None:
        self._file, self._guard = file, threading.Lock()

    def write(self, **values: float) -> None:
        """Write a line."""
        with self._guard:
            self._file.write(json.dumps(values) + "\n")
            self._file.flush()


def timed(kind: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """The call, counted for the script run that makes it; calls inside it are not counted twice."""

    @functools.wraps(call)
    def counted(*args: Any, **kwargs: Any) -> Any:
        spent = getattr(_CLOCKS, "spent", None)
        if spent is None or _CLOCKS.inside:
            return call(*args, **kwargs)
        _CLOCKS.inside, begin = True, time.perf_counter()
        try:
            return call(*args, **kwargs)
        finally:
            _CLOCKS.inside = False
            spent[kind] += time.perf_counter() - begin

    return counted


def watch(log: Log) -> None:
    """Wrap what is to be timed."""
    run = ScriptRunner._run_script

    @functools.wraps(run)
    def whole(self: ScriptRunner, rerun: Any) -> None:
        _CLOCKS.spent, _CLOCKS.inside, begin = {"engine": 0.0, "json": 0.0}, False, time.time()
        working = time.thread_time()
        try:
            run(self, rerun)
        finally:
            log.write(begin=begin, end=time.time(), cpu=time.thread_time() - working, **_CLOCKS.spent)

    ScriptRunner._run_script = whole  # type: ignore[method-assign]
    plotly.io.to_json = timed("json", plotly.io.to_json)
    Job.wait = timed("engine", Job.wait)  # type: ignore[method-assign]
    for name, member in list(vars(Engine).items()):
        if callable(member) and not name.startswith("_") and not isinstance(member, type):
            setattr(Engine, name, timed("engine", member))
    _watch_messages(log)


def compute_nothing_ahead() -> None:
    """Leave out what pages compute of the options of an open editor while nothing else is done."""
    job.idle = lambda work: None  # type: ignore[assignment]


def _watch_messages(log: Log) -> None:
    write = starlette_websocket.serialize_forward_msg

    def written(message: Any) -> bytes:
        payload = write(message)
        log.write(sent=time.time(), bytes=len(payload))
        return payload

    starlette_websocket.serialize_forward_msg = written


def main(port: int, log: Path) -> None:
    """Serve until the process is ended."""
    with log.open("a", encoding="utf-8") as file:
        watch(Log(file))
        options = {
            "server_headless": True,
            "server_address": "127.0.0.1",
            "server_port": port,
            "server_fileWatcherType": "none",
            "browser_gatherUsageStats": False,
        }
        bootstrap.load_config_options(flag_options=options)
        bootstrap.run(str(APP), is_hello=False, args=[], flag_options=options)


if __name__ == "__main__":
    if "--nothing-ahead" in sys.argv[3:]:
        compute_nothing_ahead()
    main(int(sys.argv[1]), Path(sys.argv[2]))
