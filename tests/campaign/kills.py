"""Processes that end in the middle: what is stored afterwards equals what an undisturbed run stores.

A process scores recipes, runs tasks, a sweep or a search, or changes a deck, all in a cache folder. It is
ended at a random moment, or aimed: just before its n-th operation on a file of the cache (opening,
renaming, removing, making a folder), counted by an audit hook. Then an undisturbed process with the same
cache has to find the same and leave the same bytes.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from core.storage import pass_writer
from tests.campaign.damages import Answers, recipes_in
from tests.campaign.tally import Bounds, Tally
from tests.campaign.works import WORKS
from tests.core.helpers.batches import cpu_with

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
PATIENCE = 120.0
"""Seconds after which a process counts as hung."""

KINDS = 4
"""Recipes that are asked for: a pass of a model under three of them, and word vectors."""

OPERATIONS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "shutil.rmtree"}
"""Audit events that are counted where their first argument is a path in the cache."""

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([__name__, "transformers.models.bert.modeling_bert", "optuna"])


@dataclass(frozen=True)
class Ending:
    """How a process ends: by a signal, at an operation on the cache or some seconds after it begins."""

    sent: signal.Signals
    operation: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        moment = f"operation {self.operation}" if self.operation else f"{self.seconds:.2f} s"
        return f"{self.sent.name} at {moment}"


def processes(bounds: Bounds, folder: Path) -> Tally:
    """Kill a process, at random moments and aimed, and let another go on; each kind of work in turn."""
    tally = Tally("processes ended in the middle")
    chance = random.Random(bounds.seed)
    recipes = recipes_in(folder)[:KINDS]
    undisturbed = {work: _undisturbed(work, recipes, folder / "right" / work) for work in WORKS}
    for number in bounds.trials():
        cache, sent = folder / "killed", chance.choice(SIGNALS)
        work = [*WORKS][number % len(WORKS)]
        operations, right, lasted = undisturbed[work]
        shutil.rmtree(cache, ignore_errors=True)
        aimed = Ending(sent, operation=chance.randint(1, operations))
        ending = aimed if chance.random() < 0.5 else Ending(sent, seconds=chance.uniform(0, lasted))
        _ended(work, recipes, cache, ending)
        try:
            _, found, _ = _undisturbed(work, recipes, cache)
            problem = None if found == right else f"another answer afterwards: {_other(right, found)}"
            problem = problem or _other_bytes(folder / "right" / work, cache)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        tally.count(f"{work}: {ending}", problem)
    return tally


def _undisturbed(work: str, recipes: list[str], cache: Path) -> tuple[int, Answers, float]:
    """The number of operations on the cache, the answers, and the seconds, of a process nobody ends."""
    ours, theirs = _FORKS.Pipe()
    process = _FORKS.Process(target=_work, args=(work, recipes, cache, None, theirs))
    process.start()
    theirs.close()
    try:
        if not ours.poll(PATIENCE):
            raise TimeoutError(f"no answer within {PATIENCE:.0f} s")
        return ours.recv()
    finally:
        process.kill()
        process.join()


def _ended(work: str, recipes: list[str], cache: Path, ending: Ending) -> None:
    """Start a process and see it end."""
    ours, theirs = _FORKS.Pipe()
    process = _FORKS.Process(target=_work, args=(work, recipes, cache, ending, theirs))
    process.start()
    if not ending.operation:
        process.join(ending.seconds)
        if process.pid is not None and process.is_alive():
            os.kill(process.pid, ending.sent)
    process.join(PATIENCE)
    process.kill()
    process.join()
    ours.close()


def _work(work: str, recipes: list[str], cache: Path, ending: Ending | None, answer: Connection) -> None:
    """What runs in a process of its own: a kind of work, in many small batches, each noted at once."""
    begun, seen = time.monotonic(), 0
    cpu_with(tokens=64)
    pass_writer.JOURNAL_SECONDS = 0.0
    sys.stderr = Path(os.devnull).open("w")  # an interruption is no news here

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal seen
        if event in OPERATIONS and arguments and str(arguments[0]).startswith(str(cache)):
            seen += 1
            if ending is not None and seen == ending.operation:
                os.kill(os.getpid(), ending.sent)

    sys.addaudithook(watch)
    found = WORKS[work](recipes, cache)
    answer.send((seen, found, time.monotonic() - begun))


def _other(right: Answers, found: Answers) -> str:
    """The first answer that is not the same."""
    name = next(name for name in {**right, **found} if right.get(name) != found.get(name))
    return f"{name} is {found.get(name)!r:.120} and was {right.get(name)!r:.120}"


def _other_bytes(right: Path, cache: Path) -> str | None:
    """The first stored array that is not the same to the byte, or is missing."""
    for path in sorted(right.rglob("*.npy")):
        other = cache / path.relative_to(right)
        if not other.is_file() or other.read_bytes() != path.read_bytes():
            return f"{path.relative_to(right)} is not the same to the byte"
    return None
