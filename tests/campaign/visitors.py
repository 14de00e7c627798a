"""Many visitors at once over real websockets, each with own sentences and recipes.

Nobody may see another's sentence, meet an error, or be kept waiting by a server that grows. A few visitors
who change something all the time (``python -m tests.campaign visitors --count 4 --pause 0.5 --seconds 660
--memory-gb 0.1``) show in minutes what grows with each change once results that are kept fill their budget.
"""

from __future__ import annotations

import random
import re
import statistics
import threading
import time
import urllib.request
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from benchmarks.resident import megabytes, server
from core.recipe import Recipe
from tests.campaign.session import Session
from tests.campaign.tally import Bounds, Tally

PAUSE = 15.0
"""Mean seconds that a visitor looks at a page before the next change, unless it is said."""

KEPT = re.compile(r"^strata_memory_bytes\{.*\} (\d+)$", re.MULTILINE)
"""What a server says of the results that it keeps, a line for each kind."""

MARK = re.compile(rb"kettle(\d{4})")
"""The word in the sentences of a visitor that nobody else writes."""

PAGES = ("compare", "scores", "layers", "heads", "masking", "geometry", "tokens")

RECIPES = (
    "source=untuned;layers=last",
    "source=untuned;layers=first+last",
    "source=untuned;layers=all;weight=idf",
    "source=untuned;layers=2+5;post=zscore(fit=reference);reference=topics",
    "source=untuned;layers=last;weight=ditto(layer=5,head=4)",
    "source=untuned;layers=static;weight=sif;post=abtt(fit=reference);reference=topics",
    "source=bundled;layers=last",
    "source=bundled;layers=all;pool=max",
)

CELLS = ("layers", "weight", "pool", "post")
"""Cells of the bar that say the option in the recipe's own words when the pointer rests on them."""

WARM = 600.0
"""Seconds after which a server that has seen all this should not grow any more; half of a shorter run."""


Memory = tuple[float, float, float]
"""Seconds since the start, megabytes that the servers hold, and those of results among them."""

Waited = tuple[float, float]
"""Seconds since the start when a change was whole, and those that it took."""


@dataclass
class Crowd:
    """What visitors met, from many threads."""

    tally: Tally
    begun: float = field(default_factory=time.monotonic)
    waited: dict[str, list[Waited]] = field(default_factory=lambda: {page: [] for page in PAGES})
    guard: threading.Lock = field(default_factory=threading.Lock)

    def count(self, tried: object, problem: str | BaseException | None) -> None:
        """Count a page that was opened or changed."""
        with self.guard:
            self.tally.count(tried, problem)

    def wait(self, page: str, seconds: float) -> None:
        """Keep how long a change took until the page was whole."""
        with self.guard:
            self.waited[page].append((time.monotonic() - self.begun, seconds))


def at_once(bounds: Bounds, folder: Path) -> Tally:
    """``count`` visitors on one installation until the seconds are over (30 minutes when they have no end).

    Of several ``processes``, which have one store, each visitor stays with one, as behind a proxy.
    """
    seconds = min(bounds.seconds, 1800.0)
    on = f" on {bounds.processes} servers with one store" if bounds.processes > 1 else ""
    crowd = Crowd(Tally(f"changes by {bounds.count} visitors at once{on}, {seconds / 60:.1f} minutes"))
    memory: list[Memory] = []
    settings = {"STRATA_MEMORY_GB": bounds.memory_gb} if bounds.memory_gb else {}
    if bounds.processes > 1:
        settings["STRATA_CACHE"] = str(folder / "cache")
    with ExitStack() as running:
        servers = [running.enter_context(server(settings)) for _ in range(bounds.processes)]
        begun = crowd.begun = time.monotonic()
        visitors = [
            threading.Thread(
                target=visit,
                args=(crowd, url, number, begun + seconds, bounds.seed, bounds.pause or PAUSE),
                daemon=True,
            )
            for number, (url, _) in zip(range(bounds.count), cycle(servers), strict=False)
        ]
        for visitor in visitors:
            visitor.start()
        while any(visitor.is_alive() for visitor in visitors):
            try:
                held = sum(megabytes(pid) for _, pid in servers)
                memory.append((time.monotonic() - begun, held, sum(kept(url) for url, _ in servers)))
            except OSError as error:
                crowd.count("/_stcore/metrics", error)
            time.sleep(min(10.0, seconds / 10))
    crowd.tally.told = told(crowd.waited, memory)
    return crowd.tally


def _times(waited: list[float]) -> str:
    return f"{statistics.median(waited):.2f} s (median), {_late(waited):.2f} s (p95)"


def _late(waited: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(waited, n=20)[-1]


def kept(url: str) -> float:
    """The megabytes of results that a server keeps, within its budget; 0 before the first visit."""
    with urllib.request.urlopen(f"{url}/_stcore/metrics", timeout=60) as answer:
        return sum(map(int, KEPT.findall(answer.read().decode()))) / 1e6


def visit(crowd: Crowd, url: str, number: int, end: float, seed: int, pause: float = PAUSE) -> None:
    """One visitor: open a page, change a recipe now and then, go to another page."""
    chance = random.Random(seed * 10_000 + number)
    time.sleep(chance.random() * min(pause, end - time.monotonic()))
    own = f"kettle{number:04d}"
    while time.monotonic() < end:
        page = chance.choice(PAGES)
        query = urlencode({"sentences": sentences(own), "sentence": f"The {own} is on.", "corpus": "demo"})
        try:
            with Session(url, page, query) as session:
                session.open()
                crowd.count((own, page), seen(session, own, page))
                for _ in range(chance.randint(2, 8)):
                    time.sleep(min(chance.expovariate(1 / pause), max(0.0, end - time.monotonic())))
                    if time.monotonic() >= end:
                        return
                    side, recipe = chance.choice("ab"), chance.choice(RECIPES)
                    took = session.type(side, recipe)
                    problem = seen(session, own, page) or not_followed(session, side, recipe)
                    crowd.count((own, page, recipe), problem)
                    crowd.wait(page, took)
        except Exception as error:
            crowd.count((own, page), error)


def sentences(own: str) -> str:
    """What a visitor has pasted."""
    return f"The {own} is on.\nSomebody put the {own} on the stove.\nA {own} is no teapot.\nIt rains."


def seen(session: Session, own: str, page: str) -> str | None:
    """What is wrong with a page as it arrived; None where nothing is."""
    words = {match.decode("ascii") for content in session.content for match in MARK.findall(content)}
    if others := words - {own.removeprefix("kettle")}:
        return f"saw the sentences of visitors {sorted(others)}"
    if page == "compare" and not words:
        return "did not see the own sentences"
    return "; ".join(session.problems) or None


def not_followed(session: Session, side: str, recipe: str) -> str | None:
    """The cells of the bar that are not those of the recipe that was written."""
    stages = {stage: text for stage, text in Recipe.parse(recipe).spelled().items() if stage in CELLS}
    helps = {stage: session.helps.get(f"cell-{side}-{stage}", "") for stage in stages}
    wrong = [stage for stage, text in stages.items() if not helps[stage].startswith(f"{stage}={text}")]
    return f"the bar says {[helps[stage] for stage in wrong]}" if wrong else None


def told(waited: Mapping[str, list[Waited]], memory: list[Memory]) -> str:
    """Median and 95th percentile of the seconds until a changed page was whole, and the server's growth.

    ``waited`` is by page. The seconds after :data:`WARM`, or the first half, are told apart: a new server
    reads much for the first time. Beside the growth of all memory stands that of the results that are
    kept, which have a budget.
    """
    whole = [one for some in waited.values() for one in some]
    if len(whole) < 2:
        return "no page was changed"
    warm = min(WARM, memory[-1][0] / 2)
    some_of = {page: [seconds for _, seconds in some] for page, some in waited.items() if len(some) > 1}
    by_page = ", ".join(f"{page} {_late(some):.2f}" for page, some in some_of.items())
    said = f"a changed page was whole after {_times([seconds for _, seconds in whole])} ({by_page})"
    after = [seconds for at, seconds in whole if at > warm]
    if len(after) > 1:
        said += f"; after minute {warm / 60:.2g}, {_times(after)} of {len(after):,} changes"
    said += f"; the server held {max(size for _, size, _ in memory):,.0f} MB at most"
    late = np.array([one for one in memory if one[0] > warm])
    if len(late) > 2:
        slope, results = (np.polyfit(late[:, 0] / 60, late[:, column], 1)[0] for column in (1, 2))
        said += (
            f", and grew by {slope:+.2f} MB a minute after minute {warm / 60:.2g}, of which results that "
            f"are kept {results:+.2f}"
        )
    return said
