"""One visitor who toggles for a long time: the server's memory may not grow with it."""

from __future__ import annotations

import statistics
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from benchmarks.resident import megabytes, server
from tests.campaign.session import Session
from tests.campaign.tally import Bounds, Tally
from tests.campaign.visitors import not_followed

LAYERS = ("last", "first+last", "all", "2+5", "0")
WEIGHTS = ("uniform", "idf", "sif", "norm")
POST = ("none", *(f"{step},fit=reference)" for step in ("abtt(d=3", "ccr(d=2", "whiten(k=64")))
PAGES = ("compare", "scores", "geometry")

WARM = 0.5
"""Share of the toggles after which a server has seen every recipe and should not grow any more."""


def toggles(bounds: Bounds, folder: Path) -> Tally:
    """``count`` changes of recipe A by one visitor, who goes to the next page after every eighty."""
    tally = Tally("toggles by one visitor")
    choices = product(LAYERS, WEIGHTS, POST)
    recipes = [f"source=untuned;layers={a};weight={b};post={c};reference=topics" for a, b, c in choices]
    took, memory = list[float](), list[tuple[int, float]]()
    with server({"STRATA_MEMORY_GB": "0.2"}) as (url, pid), ExitStack() as visit:
        for number in bounds.trials():
            recipe = recipes[number * 7 % len(recipes)]  # every one, and each unlike the one before it
            if number % len(recipes) == 0:
                visit.close()
                page = PAGES[number // len(recipes) % len(PAGES)]
                session = visit.enter_context(Session(url, page, urlencode({"corpus": "demo"})))
                session.open()
            took.append(session.type("a", recipe))
            problem = "; ".join(session.problems) or not_followed(session, "a", recipe)
            tally.count((page, recipe), problem)
            memory.append((number, megabytes(pid)))
    tally.told = told(took, memory)
    return tally


def told(took: list[float], memory: list[tuple[int, float]]) -> str:
    """The median of the seconds to a whole page, and what the server's memory did in the second half."""
    late = np.array(memory[int(len(memory) * WARM) :])
    if len(late) < 2:
        return "too few toggles to say"
    slope = 1000 * np.polyfit(late[:, 0], late[:, 1], 1)[0]
    return (
        f"a page was whole after {statistics.median(took):.2f} s (median); the server held "
        f"{memory[0][1]:,.0f} MB after the first toggle, {late[0, 1]:,.0f} MB after half of them, "
        f"{late[-1, 1]:,.0f} MB at the end, {late[:, 1].max():,.0f} MB at most: {slope:+.1f} MB for a "
        "thousand toggles of the second half"
    )
