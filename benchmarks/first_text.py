"""From pasted sentences to their matrices on Compare, on a server that has read no text yet, in Chromium.

python -m benchmarks.first_text
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.arrival import _STATE, PATIENCE, QUIET, dashboard
from benchmarks.report import circumstances, show, table
from benchmarks.serving import chromium

PASTED = "The night train leaves at nine.\nNobody fed the lynx.\nThe lynx is hungry."
"""The sentences that are pasted first."""

_DRAWN = "() => JSON.stringify(document.querySelector('.st-key-compare .js-plotly-plot')?.layout ?? '')"


def first_and_second(browser: Any, wait: float) -> tuple[float, float]:
    """Seconds from the first pasted text, and from a second one, to their matrices on a new server.

    The first is pasted ``wait`` seconds after the page one arrives on is complete.
    """
    with tempfile.TemporaryDirectory(prefix="strata-first-text-") as cache, dashboard(Path(cache)) as url:
        tab = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
        tab.goto(url)
        _until_complete(tab)
        tab.wait_for_timeout(1000 * wait)
        found = _paste(tab, PASTED), _paste(tab, PASTED.replace("lynx", "otter"))
        tab.context.close()
        return found


def _until_complete(tab: Any) -> None:
    begin, since = time.perf_counter(), None
    while time.perf_counter() - begin < PATIENCE:
        now = time.perf_counter()
        since = None if tab.evaluate(_STATE)["busy"] else since or now
        if since is not None and now - since > QUIET:
            return
        tab.wait_for_timeout(50)


def _paste(tab: Any, text: str) -> float:
    """Seconds from the key that ends the text to the figure that shows its last sentence."""
    box = tab.get_by_role("textbox", name="Paste your own sentences, one per line")
    box.fill(text)
    *_, animal, _, _ = text.split()
    begin = time.perf_counter()
    box.press("Control+Enter")
    while time.perf_counter() - begin < PATIENCE:
        if animal in tab.evaluate(_DRAWN):
            return time.perf_counter() - begin
        tab.wait_for_timeout(20)
    raise TimeoutError(text)


def main() -> None:
    """Measure, each case on several servers in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, default=3, help="new servers for each case")
    parser.add_argument("--wait", type=float, nargs="+", default=[0.0, 15.0], help="seconds of reading")
    given = parser.parse_args()
    found: dict[float, list[tuple[float, float]]] = {wait: [] for wait in given.wait}
    with chromium() as browser:
        for _ in range(given.servers):
            for wait in given.wait:
                found[wait].append(first_and_second(browser, wait))
    print(circumstances())
    rows = [
        [f"{wait:g}", *(f"{statistics.median(times):.2f}" for times in zip(*pairs, strict=True))]
        for wait, pairs in found.items()
    ]
    header = ["pasted after so many s", "first text, s", "second text, s"]
    show(
        f"From pasted sentences to their matrices (medians of {given.servers} new servers)",
        table(header, rows),
    )


if __name__ == "__main__":
    main()
