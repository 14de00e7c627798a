"""A PowerPoint file of a deck without a visitor: a browser of this machine draws its figures, unseen.

It is given one page, by a server for this page alone on the machine's own address, and gives the file back
to it. Nothing else is asked of it, and it keeps nothing.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue

from components.deck import powerpoint, presenter
from components.deck.document import Deck, DeckError
from core.errors import shorten

PROGRAMS = (
    *("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    *("chrome", "microsoft-edge", "msedge", "brave-browser"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
"""Browsers that can draw unseen, by name or path."""

PATIENCE = 5.0
"""Seconds that a browser has to end by itself."""

SECONDS = 60.0
"""How long a browser may take to begin, and each figure after that."""


def powerpoint_file(deck: Deck, address: str = "", browser: str = "") -> bytes:
    """The deck as a PowerPoint file with its pictures; ``browser`` is the program that draws them.

    Raises DeckError where there is none, or where it does not draw.
    """
    made = powerpoint.unfinished(deck, address)
    if not made.pictures:
        return made.content
    page = presenter.drawing(deck, made.packed(), "deck.pptx", gives_back=True)
    given: Queue[tuple[bool, bytes]] = Queue()
    drawing, seconds = program(browser), SECONDS * (1 + len(made.pictures))
    with _served(page.encode(), given) as url, _opened(drawing, url):
        try:
            is_made, content = given.get(timeout=seconds)
        except Empty:
            raise DeckError(
                f"{shorten(drawing)} drew no figure in {seconds:.0f} s; give another browser with "
                "--browser PATH, or write .html, which needs none."
            ) from None
    if not is_made:
        raise DeckError(f"PowerPoint could not be made: {shorten(content.decode(errors='replace'), 200)}")
    return content


def program(asked: str = "") -> str:
    """The browser that draws: the one asked for, or the first that is found.

    Raises DeckError where there is none.
    """
    if found := next(filter(None, map(shutil.which, (asked,) if asked else PROGRAMS)), None):
        return found
    why = f"--browser: got {shorten(asked)}, which is no program here." if asked else "None is found here."
    raise DeckError(
        f"Figures of a .pptx are drawn by Chrome, Chromium or Edge. {why} Give one with --browser PATH, or "
        "write .html, which needs none; the page Deck makes .pptx in the browser that shows it."
    )


@contextmanager
def _served(page: bytes, given: Queue[tuple[bool, bytes]]) -> Iterator[str]:
    """The address of a page that gives its file, or its problem, back."""
    secret = f"/{secrets.token_hex(16)}"

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(page if self.path == secret else None)

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if is_known := self.path in (secret, f"{secret}?problem"):
                given.put((self.path == secret, content))
            self._answer(b"" if is_known else None)

        def _answer(self, content: bytes | None) -> None:
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{secret}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def _opened(browser: str, url: str) -> Iterator[None]:
    """A browser that shows an address unseen, with a profile of its own, until it is no longer needed."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with tempfile.TemporaryDirectory(prefix="strata-browser-", ignore_cleanup_errors=True) as profile:
        command = [browser, "--headless", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"]
        command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
        command += ["--no-sandbox"] * is_root  # Chromium refuses to be root in one
        command += [f"--user-data-dir={Path(profile)}", "--window-size=1600,900", url]
        try:
            process = subprocess.Popen(  # noqa: S603  (a program that whoever runs the command has)
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
            )
        except OSError as error:
            raise DeckError(f"{shorten(browser)} does not start: {error.strerror}.") from error
        try:
            yield
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a browser with all that it has started: its program may be a script that waits for it."""
    if not hasattr(os, "killpg"):
        process.kill()
        process.wait()
        return
    until = time.monotonic() + PATIENCE
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
        while time.monotonic() < until:
            process.poll()
            os.killpg(process.pid, 0)  # until there is nobody
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
