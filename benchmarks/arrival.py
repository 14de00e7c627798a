"""How long a page takes to arrive on a server that has computed nothing yet, in Chromium.

python -m benchmarks.arrival           one cold server for each page, with idle and with busy cores
python -m benchmarks.arrival --ship    writes core/storage/arrival.zip, the results that one arrives on
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import circumstances, show, table
from benchmarks.serving import ROOT, chromium, free_port, served, streamlit
from components import state
from components.methods.two_models import ModelGains
from core.encoders.bundled_encoders import BUNDLED
from core.evaluation.gains import gains
from core.pipeline.engine import Engine
from core.progress import Step
from core.recipe import Recipe
from core.search.aims import part
from core.search.budget import Budget
from core.search.find import find
from core.search.question import Question
from core.settings import Settings
from core.storage.shipped import ship

PATIENCE = 900.0
"""Seconds for a page to be complete."""

SEARCHED = 50
"""Trials of the search that the page Find arrives on."""

QUIET = 1.0
"""Seconds without a run or a progress bar after which a page is complete."""

KEPT_APART = ("sha256-",)
"""Kinds of tables that are about files of one machine."""

_STATE = """() => ({
    figures: [...document.querySelectorAll('.js-plotly-plot .main-svg')].some(e => e.checkVisibility()),
    busy: document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== 'notRunning'
        || !!document.querySelector('[data-testid="stSkeleton"], [data-testid="stProgress"]')
        || !document.querySelector('h1'),
    asks: [...document.querySelectorAll('button')].some(e => e.innerText.trim() === 'Start'),
})"""


@dataclass(frozen=True)
class Arrival:
    """Seconds from the address to the first figure and to the complete page; whether it asked to start."""

    page: str
    first: float
    complete: float
    asked: bool


def pages() -> list[str]:
    """The names of all pages, the one that opens first at the front."""
    names = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
    return sorted(names, key=lambda name: name != "compare")


def dashboard(cache: Path, **settings: str) -> AbstractContextManager[str]:
    """A new server of the dashboard on a cache folder, and its address."""
    port = free_port()
    return served(streamlit(port), port, {"STRATA_CACHE": str(cache)} | settings, cache)


def arrive(browser: Any, url: str, page: str) -> Arrival:
    """Open a page in a new context of the browser, and wait until it is complete."""
    with browser.new_context(viewport={"width": 1280, "height": 720}) as context:
        return complete(context.new_page(), url, page)


def complete(tab: Any, url: str, page: str) -> Arrival:
    """Open a page in a tab, and wait until it is complete."""
    begin, first, since, asked = time.perf_counter(), float("nan"), None, False
    tab.goto(url if page == "compare" else f"{url}/{page}")
    while time.perf_counter() - begin < PATIENCE:
        seen, now = tab.evaluate(_STATE), time.perf_counter() - begin
        if seen["figures"] and math.isnan(first):
            first, since = now, None
        asked = asked or seen["asks"]
        since = None if seen["busy"] else since or now
        if since is not None and now - since > QUIET:
            break
        tab.wait_for_timeout(50)
    return Arrival(page, first, since or float("nan"), asked)


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that do nothing but compute."""
    workers = [multiprocessing.Process(target=_compute, daemon=True) for _ in range(processes)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _compute() -> None:
    while True:
        sum(range(100_000))


def cold(browser: Any, names: Sequence[str]) -> list[Arrival]:
    """Each page on a server of its own with an empty cache."""
    arrivals = []
    for name in names:
        with tempfile.TemporaryDirectory(prefix="strata-arrival-") as cache, dashboard(Path(cache)) as url:
            arrivals.append(arrive(browser, url, name))
    return arrivals


def write(browser: Any, archive: Path, cache: Path | None) -> int:
    """Compute what all pages arrive on, and write it into an archive; the number of tables.

    Every page is visited on one server, which computes everything anew: the archive is away meanwhile. A
    ``cache`` may hold forward passes, which are not made again.
    """
    with tempfile.TemporaryDirectory(prefix="strata-arrival-") as folder:
        archive.unlink(missing_ok=True)
        cache = cache or Path(folder)
        for old in (cache / "tables").glob("*.npz"):
            old.unlink()
        with dashboard(cache, STRATA_SHIPS="1") as url:
            for name in pages():
                arrived = arrive(browser, url, name)
                print(f"{name}: complete after {arrived.complete:.0f} s", file=sys.stderr, flush=True)
        engine = Engine(Settings(cache=cache, shipped=None))
        corpus = engine.corpus("demo")
        plain = Recipe.parse(state.DEFAULTS["a"])
        for model in BUNDLED:
            compared = ModelGains.on(plain.replace(source=model.source))
            gains(engine, compared.plain, compared.recipes, corpus, progress=_said)
        question = Question.of(engine, plain, [part(engine.corpus("demo", "all"))])
        find(engine, question, Budget(trials=SEARCHED), _said)
        new = archive.with_suffix(".new")
        count = ship(
            (p for p in (cache / "tables").glob("*.npz") if not p.name.startswith(KEPT_APART)), new
        )
        shutil.move(new, archive)
        return count


def _said(step: Step) -> None:
    """Say what is done where there is time to read it."""
    if step.what.startswith(("Comparing", "Trying", "Scoring")):
        print(f"{step.what}: {step.done} of {step.total}", file=sys.stderr, flush=True)


def main() -> None:
    """Measure, or write the archive and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ship", action="store_true", help="write core/storage/arrival.zip anew")
    parser.add_argument("--cache", type=Path, help="folder of forward passes to use with --ship")
    parser.add_argument("--page", action="append", choices=pages(), help="this page alone")
    given = parser.parse_args()
    with chromium() as browser:
        if given.ship:
            archive = Settings().shipped
            assert archive is not None
            count = write(browser, archive, given.cache)
            print(f"{count} tables in {archive.name}, {archive.stat().st_size:,} bytes")
            return
        names = given.page or pages()
        idle = cold(browser, names)
        with busy(os.cpu_count() or 1):
            loaded = cold(browser, names)
    print(circumstances())
    rows = [
        [
            one.page,
            *map(_seconds, (one.first, one.complete, two.first, two.complete)),
            _asked(one, two),
        ]
        for one, two in zip(idle, loaded, strict=True)
    ]
    header = [
        "page",
        "first figure",
        "complete",
        "first figure, busy cores",
        "complete, busy cores",
        "asks",
    ]
    show("Seconds to arrive on a server that has computed nothing", table(header, rows))


def _seconds(seconds: float) -> str:
    """Of a page without a figure none are told."""
    return "–" if math.isnan(seconds) else f"{seconds:.1f}"


def _asked(*arrivals: Arrival) -> str:
    return "yes" if any(arrival.asked for arrival in arrivals) else "no"


if __name__ == "__main__":
    main()
