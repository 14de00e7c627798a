"""Figures of a deck drawn anew from the page Deck: the report's command in a process of its own.

The report runs pages by Streamlit's ``AppTest``, which puts a runtime of its own into its process; in the
process of the dashboard it would take the runtime of all visitors away. A process of its own also leaves
the queue free for the work of the pages that it runs. It finds the same stored passes, and loads its own
models.
"""

from __future__ import annotations

import queue
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from components.deck import changes, files
from components.deck.document import Deck, DeckError, PinnedFigure, Slide
from components.deck.store import DeckStore
from core.errors import StrataError
from core.progress import Progress, Step
from core.work import Work

COMMAND = (sys.executable, "-m", "components", "report")
"""What draws a deck anew; the deck and ``--output`` follow."""

FOLDER = Path(__file__).parents[2]
"""Where it runs."""

TICK = 0.5
"""Seconds between two looks whether it shall stop."""

_FIGURE = re.compile(r"(\d+) of (\d+): (.*)")
_PROBLEM = re.compile(r" +not drawn anew: (.*)")


def work(store: DeckStore, address: str, slides: Sequence[Slide], token: str) -> Work[tuple[str, ...]]:
    """Draw the figures of some slides anew, and put them into the deck at an address.

    The result are the reasons why figures stay as they were. ``token`` tells one press of a button from the
    next: what is drawn depends on the models and corpora of the moment.
    """

    def compute(progress: Progress) -> tuple[str, ...]:
        before = store.get(address)
        if before is None:
            raise DeckError(f"There is no deck {address} any more: it was removed meanwhile.")
        new, problems = drawn(before, slides, progress)
        if new:
            store.change(address, lambda deck: changes.redraw(deck, new))
        return problems

    count = len({name for slide in slides for name in slide.figures})
    what = f"Drawing {count} figures anew" if count > 1 else "Drawing the figure anew"
    return Work(("deck.redraw", address, token), what, compute)


def drawn(
    deck: Deck, slides: Sequence[Slide], progress: Progress
) -> tuple[dict[str, PinnedFigure], tuple[str, ...]]:
    """Today's figures by the names of the old ones, and why others could not be drawn."""
    part = Deck(deck.title, tuple(slides), deck.figures).pruned()
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="strata-redraw-") as folder:
        old, new = Path(folder) / "old.json", Path(folder) / "new.json"
        old.write_bytes(files.write(part))
        said = _run([*COMMAND, str(old), "--output", str(new)], progress, problems.append)
        if not new.exists():
            raise StrataError(f"The figures could not be drawn anew: {said or 'the program ended'}")
        after = files.read(new.read_bytes(), checked=False)
    figures = {
        was: after.figures[now]
        for one, other in zip(part.slides, after.slides, strict=True)
        for was, now in zip(one.figures, other.figures, strict=True)
        if was != now
    }
    return figures, tuple(problems)


def _run(command: Sequence[str], progress: Progress, complain: Callable[[str], None]) -> str:
    """Run it, tell its steps, and give its last line; it ends when ``progress`` raises."""
    step, last = Step("starting", 0, 1), ""
    with _running(command) as lines:
        while (line := lines()) is not None:
            if found := _FIGURE.fullmatch(line):
                step = Step(found[3], int(found[1]) - 1, int(found[2]))
            elif problem := _PROBLEM.fullmatch(line):
                complain(f"{step.what}: {problem[1]}")
            last = line or last
            progress(step)
    return last


@contextmanager
def _running(command: Sequence[str]) -> Iterator[Callable[[], str | None]]:
    """A process, by a function that gives its next line: empty where none came in time, None at its end."""
    process = subprocess.Popen(  # noqa: S603  (our own program; the deck is a file that it checks)
        command,
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_read, args=(process.stderr, lines), daemon=True).start()

    def line() -> str | None:
        try:
            return lines.get(timeout=TICK)
        except queue.Empty:
            return ""

    try:
        yield line
        process.wait()
    finally:
        process.kill()
        process.wait()


def _read(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    with stream:
        for line in stream:
            lines.put(line.rstrip())
    lines.put(None)
