"""From a click in the bar to the new figure, in a real Chromium.

A server of the dashboard with timers (:mod:`benchmarks.timed_server`) is opened on Compare, Scores, Layers
and Geometry. On each, recipes are toggled by a click on an option of an open editor: of B, and on Layers,
which shows A alone, of A. A toggle lasts from the click to the frame in which the last figure of the page
that changes by it is drawn. Beside it is told when the first one was, and the last of those that are in
view without scrolling. The corpus' forward pass is stored, the recipes are not scored. Options that wait
for an argument, and toggles that change no figure, are left out; the latter are counted.

Between two toggles the page is quiet for some seconds, in which it computes what the next ones show, as it
does for a visitor who looks; with ``--nothing-ahead`` it does not.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from benchmarks.report import circumstances, show, table
from benchmarks.serving import ROOT, chromium, free_port, served

PAGES = ("compare", "scores", "layers", "geometry")
STAGES = ("layers", "tokens", "weight", "pool", "post")
TOGGLES = 60
CORPUS = "STS-B"
TARGET = "a median of 300 and a p95 of 600 on two quiet cores, on SICK twice that"
ADDED = ("post",)
"""Stages whose options add up: each is taken away before the next, so that one is toggled at a time."""

BARE = "layers=last"
"""The recipe that toggles start from."""

BESIDE = "source=untuned;layers=last"
"""A recipe of the model that B has on arrival: Layers shows it beside A's, and asks before long reading."""

QUIET = 2.2
"""Seconds without a run of the script or a new figure after which a toggle is over."""

SOONEST = 0.03
"""Seconds before which no answer can be there: what is drawn then belongs to the toggle before."""

PATIENCE = 60_000
"""Milliseconds for a toggle."""

LOOKS = 100
"""Milliseconds from one look whether a toggle is over to the next: each takes time from the page."""

STARTS = 300
"""Milliseconds within which a click has the script run; before, the page looks as quiet as after."""

PARTS = ("engine", "figures as JSON", "rest of the script", "browser and transfer")

_WATCH = """() => {
  const written = (_, value) => ArrayBuffer.isView(value) ? Array.from(value) : value;
  const text = data => JSON.stringify(data, written);
  const place = plot => plot.closest('[class*="st-key-"]')?.className ?? '';
  const plots = [...document.getElementsByClassName('js-plotly-plot')];
  const last = new Map(plots.map(plot => [place(plot), text(plot.data)])), draws = [];
  const inView = plot => {
    const { top, bottom } = plot.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  };
  window.__latest = 0;
  const { react } = window.Plotly;
  window.Plotly.react = (...given) => {
    const made = react(...given);
    made.then(plot => requestAnimationFrame(() => {
      window.__latest = performance.now();
      draws.push([performance.timeOrigin + window.__latest, place(plot), plot.data, inView(plot)]);
    }));
    return made;
  };
  window.__changed = () => {
    const changed = draws.splice(0).filter(([at, where, data]) => {
      const before = last.get(where), drawn = text(data);
      last.set(where, drawn);
      return before !== drawn;
    }).filter(([at]) => at > window.__clicked);
    const seen = changed.filter(([,,, seen]) => seen);
    return [window.__clicked, ...[changed[0], seen.at(-1), changed.at(-1)].map(draw => draw?.[0] ?? 0)]
      .map(at => at / 1000);
  };
  const app = document.querySelector('[data-testid="stApp"]');
  const ran = new MutationObserver(() => window.__ran = performance.now());
  ran.observe(app, { attributeFilter: ['data-test-script-state'] });
  const click = () => window.__clicked = performance.timeOrigin + performance.now();
  document.addEventListener('click', click, true);
}"""
"""Notes the frame in which a figure is drawn, and when the script has begun or ended.

A look at every frame would be simpler, and would have the browser draw sixty of them a second. Whether a
figure has changed is asked when the toggle is over.
"""

_QUIET = """quiet => {
  const app = document.querySelector('[data-testid="stApp"]');
  const busy = app?.dataset.testScriptState !== 'notRunning'
    || document.querySelector('[data-testid="stSkeleton"], [data-testid="stProgress"]');
  if (busy) window.__ran = performance.now();
  return performance.now() - Math.max(window.__ran ?? 0, window.__latest) > 1000 * quiet;
}"""


@dataclass
class Toggle:
    """One click: seconds to the last new figure, to the last in view and to the first, and their parts.

    ``in_view`` is NaN where no figure in view has changed. ``sent`` are bytes, ``runs`` counts all runs of
    the script until the page was quiet again, and ``cpu`` is what its thread worked in them: other load on
    the machine does not change it.
    """

    recipe: str
    seconds: float
    in_view: float
    first: float
    parts: dict[str, float]
    sent: int
    runs: int
    cpu: float


@dataclass
class Measured:
    """The toggles of a page, and how many were left out."""

    toggles: list[Toggle] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)


def settle(page: Any, quiet: float = QUIET) -> None:
    """Wait until nothing has run and nothing was drawn for a while."""
    page.wait_for_timeout(STARTS)
    page.wait_for_function(_QUIET, arg=quiet, timeout=PATIENCE * 10, polling=LOOKS)


def options(page: Any) -> list[str]:
    """The options in the open editor that can be picked."""
    return page.eval_on_selector_all(
        ".st-key-editor [data-testid='stButtonGroup'] button:not([disabled])",
        "buttons => buttons.map(each => each.innerText.trim())",
    )


def pick(page: Any, name: str) -> None:
    """Click an option as soon as it is there."""
    page.locator(".st-key-editor [data-testid='stButtonGroup'] button:visible").filter(
        has_text=name
    ).get_by_text(name, exact=True).first.click()


def measure(url: str, log: Path, page: Any, name: str, corpus: dict[str, str], toggles: int) -> Measured:
    """Toggle on one page."""
    measured, side = Measured(), "a" if name == "layers" else "b"
    per_stage = -(-toggles // len(STAGES))
    for stage in STAGES:
        query = corpus | {side: BARE, "edit": f"{side}.{stage}"}
        page.goto(f"{url}/{'' if name == 'compare' else name}?{urlencode(query)}")
        page.wait_for_selector(".js-plotly-plot", timeout=PATIENCE * 10)
        page.wait_for_selector(".st-key-editor button", timeout=PATIENCE)
        page.evaluate(_WATCH)
        settle(page)
        done = len(measured.toggles)
        for option in options(page):
            if len(measured.toggles) - done >= per_stage or len(measured.toggles) >= toggles:
                break
            before = page.url
            at = log.stat().st_size
            try:
                pick(page, option)
            except Exception:  # an option that went away with the one before
                continue
            settle(page)
            if page.url == before:
                continue
            recipe = page.evaluate("side => new URL(location).searchParams.get(side)", side)
            toggle = _read(page, log, at, str(recipe))
            if stage in ADDED:
                pick(page, option)
                settle(page)
            if toggle is None:
                measured.unchanged.append(str(recipe))
            else:
                measured.toggles.append(toggle)
    return measured


def _read(page: Any, log: Path, at: int, recipe: str) -> Toggle | None:
    """What the browser and the log say of the toggle that is over; None if no figure changed."""
    clicked, first, in_view, drawn = page.evaluate("window.__changed()")
    if drawn - clicked < SOONEST:
        return None
    with log.open(encoding="utf-8") as file:
        file.seek(at)
        lines = [json.loads(line) for line in file]
    runs = [line for line in lines if "begin" in line and line["end"] > clicked]
    sent = [line for line in lines if "sent" in line and clicked <= line["sent"] <= drawn]
    parts = dict.fromkeys(PARTS, 0.0)
    begin = clicked
    for run in sorted(runs, key=lambda run: run["begin"]):
        inside = min(run["end"], drawn) - max(run["begin"], begin)
        if inside <= 0:
            continue
        begin = run["end"]
        share = inside / max(run["end"] - run["begin"], 1e-9)
        parts["engine"] += share * run["engine"]
        parts["figures as JSON"] += share * run["json"]
        parts["rest of the script"] += share * (run["end"] - run["begin"] - run["engine"] - run["json"])
    parts["browser and transfer"] = drawn - clicked - sum(parts.values())
    return Toggle(
        recipe,
        drawn - clicked,
        in_view - clicked if in_view else float("nan"),
        first - clicked,
        parts,
        sum(line["bytes"] for line in sent),
        len(runs),
        sum(run["cpu"] for run in runs),
    )


def row(name: str, measured: Measured) -> list[object]:
    """One row of the table, in milliseconds and kB."""
    toggles = measured.toggles
    if not toggles:
        return [name.capitalize(), 0, *[""] * (9 + len(PARTS))]
    durations = np.array([(toggle.seconds, toggle.in_view, toggle.first) for toggle in toggles])
    middle = [statistics.median(toggle.parts[part] for toggle in toggles) for part in PARTS]
    cpu = statistics.median(toggle.cpu for toggle in toggles)
    times = [*np.nanpercentile(durations, (50, 95), axis=0).T.flat, *middle, cpu]
    sent = statistics.median(toggle.sent for toggle in toggles) / 1000
    runs = statistics.mean(toggle.runs for toggle in toggles)
    return [
        name.capitalize(),
        len(toggles),
        *(f"{1000 * t:.0f}" for t in times),
        f"{sent:.0f}",
        f"{runs:.1f}",
    ]


def run(
    data: Path | None,
    toggles: int = TOGGLES,
    pages: Sequence[str] = PAGES,
    cache: Path | None = None,
    details: bool = False,
    name: str = CORPUS,
    ahead: bool = True,
) -> None:
    """Toggle on every page, and print the table; without data the corpus is demo."""
    corpus = {"corpus": name if data else "demo", "split": "test"}
    before, rows, left_out = os.getloadavg(), [], Counter()
    with tempfile.TemporaryDirectory(prefix="strata-benchmark-") as name_of_folder, chromium() as browser:
        folder = Path(name_of_folder)
        cache = cache or folder / "cache"
        warm(data, cache, corpus)
        log, port = folder / "log", free_port()
        log.touch()
        command = [sys.executable, "-m", "benchmarks.timed_server", str(port), str(log)]
        command += [] if ahead else ["--nothing-ahead"]
        settings = {"STRATA_CACHE": str(cache)} | ({"STRATA_DATA": str(data)} if data else {})
        with served(command, port, settings, folder) as url:
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.set_default_timeout(PATIENCE)
            for each in pages:
                measured = measure(url, log, page, each, corpus, toggles)
                rows.append(row(each, measured))
                left_out[each] = len(measured.unchanged)
                if details:
                    for toggle in measured.toggles:
                        print(each, toggle)
                    for recipe in measured.unchanged:
                        print(each, "no figure changed:", recipe)
        browser_version = browser.version
    after = os.getloadavg()
    show(
        "Toggles" if ahead else "Toggles, nothing computed ahead",
        table(
            [
                "",
                "toggles",
                "median ms",
                "p95 ms",
                "in view, median ms",
                "in view, p95 ms",
                "first figure, median ms",
                "first figure, p95 ms",
                *(f"{part}, ms" for part in PARTS),
                "CPU of all runs, ms",
                "kB sent",
                "runs",
            ],
            rows,
        ),
        f"{corpus['corpus']} test, milliseconds; target {TARGET}. Parts and kB are medians; runs of the "
        "script until the page is quiet are a mean, and CPU is the median of what the script's "
        "thread worked in all of them, which other load hardly changes. Load (1, 5, 15 minutes) before "
        f"{_load(before)}, after {_load(after)} on {os.cpu_count()} cores. Chromium {browser_version}, "
        f"Streamlit {version('streamlit')}, Plotly {version('plotly')}. No figure changed: "
        f"{', '.join(f'{count} on {each.capitalize()}' for each, count in left_out.items())}.\n",
    )


def warm(data: Path | None, cache: Path, corpus: dict[str, str]) -> None:
    """Store the forward passes, which every toggle then reads."""
    own = os.environ | {"STRATA_CACHE": str(cache)} | ({"STRATA_DATA": str(data)} if data else {})
    for recipe in (BARE, BESIDE):
        command = [sys.executable, "-m", "core", "score", "--recipe", recipe, "--corpus", corpus["corpus"]]
        subprocess.run(
            [*command, "--split", corpus["split"]], cwd=ROOT, env=own, check=True, capture_output=True
        )


def _load(load: tuple[float, float, float]) -> str:
    return ", ".join(f"{each:.1f}" for each in load)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    parser = argparse.ArgumentParser(description="From a click in the bar to the new figure.")
    parser.add_argument("--data", type=Path, help="folder with sts/ (default: STRATA_DATA, else demo)")
    parser.add_argument("--toggles", type=int, default=TOGGLES, help="at most so many on each page")
    parser.add_argument("--pages", nargs="+", choices=PAGES, default=PAGES)
    parser.add_argument("--cache", type=Path, help="keep stored passes here (default: a temporary folder)")
    parser.add_argument("--corpus", default=CORPUS, help=f"its test split (default: {CORPUS})")
    parser.add_argument("--details", action="store_true", help="print every toggle")
    parser.add_argument(
        "--nothing-ahead", action="store_true", help="compute each toggle when it is clicked"
    )
    given = parser.parse_args(arguments)
    data = given.data or (Path(os.environ["STRATA_DATA"]) if os.environ.get("STRATA_DATA") else None)
    print(circumstances())
    ahead = not given.nothing_ahead
    run(data, given.toggles, given.pages, given.cache, given.details, given.corpus, ahead)


if __name__ == "__main__":
    main()
