"""A server of the dashboard in a process of its own, and a Chromium to visit it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
STARTING = 120.0
"""Seconds within which a server answers."""

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def streamlit(port: int, script: str = "app.py") -> list[str]:
    """The command that serves the dashboard, or another script, on a port."""
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless=true"]
    return [
        *command,
        "--server.address=127.0.0.1",
        f"--server.port={port}",
        "--server.fileWatcherType=none",
    ]


@contextmanager
def served(command: Sequence[str], port: int, settings: Mapping[str, str], folder: Path) -> Iterator[str]:
    """The address of a server; it ends with the context.

    ``settings`` are its environment variables beside those of this process whose names do not begin with
    ``STRATA_``; what it prints goes to a file in ``folder``.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith("STRATA_")}
    printed, url = folder / "printed", f"http://127.0.0.1:{port}"
    with printed.open("w") as output:
        server = subprocess.Popen(
            command,
            cwd=ROOT,
            env=own | settings,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait(server, url, printed)
            yield url
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(30)


def _wait(server: subprocess.Popen[bytes], url: str, printed: Path) -> None:
    until = time.monotonic() + STARTING
    while time.monotonic() < until and server.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2)
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"The server did not start:\n{printed.read_text()}")


@contextmanager
def chromium() -> Iterator[Any]:
    """A Chromium without a window; it ends with the context."""
    from playwright.sync_api import sync_playwright

    path = next((path for each in CHROMIUM if (path := shutil.which(each))), None)
    if path is None:
        raise SystemExit(f"no Chromium here (looked for {', '.join(CHROMIUM)})")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
