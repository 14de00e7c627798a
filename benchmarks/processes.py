"""Work in a process of its own, with the peak of its memory."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

SAMPLE_SECONDS = 0.02


def ask(module: str, *arguments: str) -> dict[str, Any]:
    """Run a module of the benchmarks in a new process; the JSON object that it prints last.

    It holds its own ``recorded`` peak; ``peak`` is the larger of this and of what was seen from outside.
    """
    command = [sys.executable, "-m", module, *arguments]
    root = Path(__file__).resolve().parents[1]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        with _watched(process.pid) as seen:
            out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{' '.join([module, *arguments])} ended with {process.returncode}")
    answer = dict(json.loads(out.splitlines()[-1]))
    return answer | {"peak": max(answer["recorded"], *seen)}


def recorded() -> int:
    """The peak of this process in bytes.

    Linux carries ``ru_maxrss`` over from the process that started this one, so the high-water mark of
    its own memory is used where there is one.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text("utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024)


@contextmanager
def _watched(pid: int) -> Iterator[list[int]]:
    """The largest resident memory of a process while the block runs, as a list of one."""
    seen, over = [0], threading.Event()

    def watch() -> None:
        process = psutil.Process(pid)
        while not over.wait(SAMPLE_SECONDS):
            try:
                seen[0] = max(seen[0], process.memory_info().rss)
            except psutil.Error:
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()
