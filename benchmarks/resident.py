"""The memory of a server, page by page: ``python -m benchmarks.resident --most 1000``.

A new server on an empty store is visited by one browser, page after page, on the built-in corpus, and then
under recipes that are not those of arrival, for which the models read it. After
each page stands what the server holds in memory (resident) and the most that it held so far. With
``--most`` the program ends with code 1 where that is more megabytes than allowed: free places of hosts
have 1 GB.
``--rounds 3`` visits all pages again, which shows whether it goes on growing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote_plus, urlencode

from benchmarks.serving import ROOT, chromium, free_port, served

PAGES = (
    "/",
    *(f"/{path.stem}" for path in sorted((ROOT / "pages").glob("*.py")) if path.stem != "compare"),
)

RECIPES = (
    "source=bundled;layers=first+last",
    "source=bundled;layers=all;weight=idf;post=zscore",
    "source=bundled;layers=wk;weight=variance",
    "source=untuned;layers=1+2+6;post=whiten(k=256)",
    "source=untuned;pool=max",
    "source=untuned;template=T0;tokens=mask;layers=last",
)
"""Recipes on both models that come along: one and two layers, all of them, a template."""

QUIET_SECONDS = 2.0
"""A page is done when its script and its work have rested for so long."""

PAGE_SECONDS = 900.0
"""After which a page is no longer waited for, and its row says so."""


def main() -> int:
    """Print the table; the exit code says whether the server stayed within ``--most``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.resident", description=__doc__)
    parser.add_argument("--most", type=float, help="megabytes that the server may hold")
    parser.add_argument("--memory-gb", help="the setting memory_gb of the server")
    parser.add_argument(
        "--cgroup", type=Path, help="folder of a cgroup that the server joins, for its limit"
    )
    parser.add_argument("--rounds", type=int, default=1, help="how often all pages are visited")
    given = parser.parse_args()
    print("| page | resident, MB | most so far, MB | seconds |\n|---|---|---|---|", flush=True)
    settings = {"STRATA_MEMORY_GB": given.memory_gb} if given.memory_gb else {}
    paths = [*PAGES, *(f"/scores?{urlencode({'a': recipe, 'b': 'none'})}" for recipe in RECIPES)]
    with server(settings) as (url, pid), chromium() as browser:
        if given.cgroup:
            (given.cgroup / "cgroup.procs").write_text(str(pid), "ascii")
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        print(_row("before the first visit", pid, 0.0), flush=True)
        for _ in range(given.rounds):
            for path in paths:
                begin = time.perf_counter()
                page.goto(url + path)
                rested = rest(page)
                name = unquote_plus(path) + ("" if rested else ", which goes on")
                print(_row(name, pid, time.perf_counter() - begin), flush=True)
        most = megabytes(pid, "VmHWM")
    if given.most and most > given.most:
        print(f"{most:,.0f} MB are more than {given.most:,.0f}.", file=sys.stderr)
        return 1
    return 0


@contextmanager
def server(settings: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """The address and the process of a new server on an empty store, under some environment variables."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [
            sys.executable,
            "-m",
            "components",
            "serve",
            "--address",
            "127.0.0.1",
            "--port",
            str(port),
        ]
        with served(command, port, {"STRATA_CACHE": f"{folder}/cache", **settings}, Path(folder)) as url:
            yield url, _listening(command)


def rest(page: object) -> bool:
    """Wait until a page's script and its work have rested; whether they have."""
    since, end = time.monotonic(), time.monotonic() + PAGE_SECONDS
    while time.monotonic() - since < QUIET_SECONDS and time.monotonic() < end:
        busy = page.evaluate(  # type: ignore[attr-defined]
            """() => {
                const app = document.querySelector('[data-testid="stApp"]');
                return !app || app.dataset.testScriptState !== 'notRunning'
                    || document.querySelectorAll('[data-testid="stMain"] [data-testid^="st"]').length < 4
                    || [...document.querySelectorAll('button')].some(
                        button => /^(stop\\s+)?Stop$/.test(button.innerText.trim()));
            }"""
        )
        if busy:
            since = time.monotonic()
        time.sleep(0.1)
    return time.monotonic() - since >= QUIET_SECONDS


def megabytes(pid: int, name: str = "VmRSS") -> float:
    """A line of a process' status in megabytes: VmRSS is resident now, VmHWM the most there was."""
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    kibibytes = next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
    return kibibytes * 1024 / 1e6


def _listening(command: list[str]) -> int:
    """The process that the command has become."""
    wanted = f"--server.port={command[-1]}"
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if wanted in path.read_text("utf-8", "replace").split("\0"):
                return int(path.parent.name)
    raise SystemExit("The server's process is not found; this needs Linux.")


def _row(name: str, pid: int, seconds: float) -> str:
    return f"| {name} | {megabytes(pid):,.0f} | {megabytes(pid, 'VmHWM'):,.0f} | {seconds:.1f} |"


if __name__ == "__main__":
    sys.exit(main())
