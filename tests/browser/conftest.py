"""The dashboard in a real Chromium: a server of its own, and a watch on console and network."""

import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Programs of Chromium; the first has no windows to draw, and takes a fifth less of the processor."""

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # One process for all pages of a context: V8 compiles Streamlit's and Plotly's scripts for the first
    # alone, where another process, or a thread beside, would compile them anew. The rest is Playwright's.
    "--process-per-site",
    # No page lives long enough to gain by what V8 compiles a second time, in threads beside.
    "--js-flags=--no-opt",
    "--disable-features=ScriptStreaming,PaintHolding,ThirdPartyStoragePartitioning",
]
PATIENCE = 180_000
"""Milliseconds for something to appear: the first visit loads the model."""

SCREEN = {"viewport": {"width": 1280, "height": 720}, "accept_downloads": True, "reduced_motion": "reduce"}
"""Of a visitor who wants nothing to move: what fades draws the page sixty times a second."""

MOVES = {"reduced_motion": "no-preference"}
"""As ``SETTINGS`` of a module: its pages are those of a visitor who has no such wish."""

DOGS = [f"The dog number {i} runs.\tThe dog number {i * i % 17} sits down.\t{i % 6}" for i in range(24)]
"""A corpus that is read in a second: the built-in one is for tests about arriving."""

KINDS = ("first half", "second half")


def pytest_collection_modifyitems(items):
    """Everything here needs a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def chromium() -> str:
    """The path of a Chromium; a skip, or a failure where one must be, when there is none."""
    problem = ""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        problem = f"no Chromium here (looked for {', '.join(NAMES)})"
    try:
        import playwright  # noqa: F401
    except ImportError:
        problem = "the package playwright is not installed"
    if problem and os.environ.get("STRATA_NEEDS_BROWSER") == "1":
        pytest.fail(problem)
    if problem:
        pytest.skip(problem)
    return str(path)


@pytest.fixture(scope="package")
def site(chromium, tmp_path_factory, with_lasting_passes) -> Iterator[str]:
    """The address of the dashboard, with decks and a data folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    with_lasting_passes(folder / "cache")
    with served(folder) as url:
        yield url


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A server of the dashboard that keeps its files in ``folder``, and its address."""
    (folder / "data" / "sts").mkdir(parents=True, exist_ok=True)
    pairs = {
        "dogs": ("", DOGS),
        "kinds": ("\tsubset", [f"{row}\t{KINDS[i % 2]}" for i, row in enumerate(DOGS)]),
    }
    for name, (column, rows) in pairs.items():
        table = "\n".join([f"sentence1\tsentence2\tscore{column}", *rows]) + "\n"
        (folder / "data" / "sts" / f"{name}.tsv").write_text(table, "utf-8")
    own = {name: value for name, value in os.environ.items() if not name.startswith("STRATA_")}
    own |= {"STRATA_CACHE": str(folder / "cache"), "STRATA_DATA": str(folder / "data")}
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    settings = {
        "server.headless": "true",
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    command += [f"--{name}={value}" for name, value in settings.items()]
    log = (folder / "log").open("w")
    server = subprocess.Popen(
        command, cwd=ROOT, env=own, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(url, server, folder / "log")
        yield url
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
        log.close()


def _wait(url: str, server: subprocess.Popen, log: Path) -> None:
    for _ in range(240):
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2)
            return
        except OSError:
            if server.poll() is not None:
                break
            time.sleep(0.25)
    pytest.fail(f"the dashboard did not start:\n{log.read_text()}")


@pytest.fixture(scope="package")
def browser(chromium):
    """One Chromium for all tests; each opens contexts of its own."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as p:
        launched = p.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


@dataclass
class Watch:
    """What a page complained about, and where it tried to go."""

    site: str
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def message(self, message) -> None:
        """Keep a console error.

        Opened by its own address, a page first asks for Streamlit's files under it: those 404s are
        Streamlit's habit.
        """
        where = message.location.get("url", "")
        habit = "404" in message.text and re.search(r"//[^/]+/\w+/_stcore/", where)
        if message.type == "error" and not habit:
            self.errors.append(f"{message.text} ({where})")

    def request(self, url: str) -> None:
        """Keep the address of a request that leaves this machine."""
        if not url.startswith((self.site, self.site.replace("http", "ws"), "data:", "blob:")):
            self.outside.append(url)


class Visitors:
    """Browsers that have the dashboard's own files, compiled: most tests can do without loading them anew.

    There is one for each way to set it, for all tests. A page that stays open keeps its process.
    """

    def __init__(self, browser, site: str) -> None:
        self.browser, self.site, self.contexts = browser, site, {}

    def known(self, name: str = "known", **settings):
        """Somebody who was here before."""
        key = name, str(sorted(settings.items()))
        if key not in self.contexts:
            self.contexts[key] = self.browser.new_context(**SCREEN | settings)
            self.contexts[key].new_page().goto(f"{self.site}/_stcore/health")
        return self.contexts[key]

    def stranger(self, **settings):
        """Somebody who was not: no cookie is there, and nothing that a page has stored."""
        context = self.known("stranger", **settings)
        context.clear_cookies()
        session = context.new_cdp_session(context.pages[0])
        session.send("Storage.clearDataForOrigin", {"origin": self.site, "storageTypes": "all"})
        session.detach()
        return context


@pytest.fixture(scope="package")
def visitors(browser, site) -> Iterator[Visitors]:
    """The browsers of visitors of ``site``."""
    visitors = Visitors(browser, site)
    yield visitors
    for context in visitors.contexts.values():
        context.close()


@pytest.fixture
def visit(request, site, visitors) -> Iterator[Callable]:
    """``visit("/scores?b=none")`` opens an address; ``fresh`` as somebody who was never here.

    When the test ends, no page may have complained on its console or left this machine.
    """
    opened, watches = [], []

    def open_(address: str = "/", *, fresh: bool = False, color_scheme: str | None = None, **settings):
        settings = getattr(request.module, "SETTINGS", {}) | settings
        context = (visitors.stranger if fresh else visitors.known)(**settings)
        watch = Watch("/".join(address.split("/")[:3]) if address.startswith("http") else site)
        watches.append(watch)
        page = context.new_page()
        opened.append(page)
        page.set_default_timeout(PATIENCE)
        if color_scheme:
            page.emulate_media(color_scheme=color_scheme)
        page.on("console", watch.message)
        page.on("pageerror", lambda error: watch.errors.append(error.stack or str(error)))
        page.on("request", lambda request: watch.request(request.url))
        page.on("websocket", lambda socket: watch.request(socket.url))
        page.goto(address if address.startswith("http") else site + address)
        settle(page)
        return page

    yield open_
    for one in opened:
        one.close()
    assert [error for watch in watches for error in watch.errors] == []
    assert [url for watch in watches for url in watch.outside] == []


_CALLS = itertools.count(1)


def settle(page) -> None:
    """Wait until the page's script has run, its work is done, its figures are drawn, and it stays quiet for
    half a second, in another document too if it is just being loaded."""
    page.wait_for_function(
        """(call) => {
            if (window.__settling !== call) window.__quiet = null;
            window.__settling = call;
            const app = document.querySelector('[data-testid="stApp"]');
            const quiet = app && app.dataset.testScriptState === 'notRunning'
                && document.querySelectorAll('[data-testid="stMain"] [data-testid^="st"]').length > 3
                && !document.querySelector('[data-testid="stSkeleton"], [data-testid="stProgress"]')
                && !document.querySelector('[aria-busy="true"]');
            const now = performance.now();
            if (!quiet) window.__quiet = null;
            else window.__quiet = window.__quiet || now;
            return window.__quiet && now - window.__quiet > 500;
        }""",
        arg=next(_CALLS),
        timeout=PATIENCE,
        polling=100,
    )
    assert page.locator('[data-testid="stException"]').all_inner_texts() == []
