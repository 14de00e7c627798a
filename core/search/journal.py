"""The trials of a search in a file, a line each, so that a search that is killed anywhere goes on."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.search.measured import Trial
from core.settings import SEARCHES_BYTES
from core.storage.eviction import Used, beyond
from core.storage.folders import size_of

if TYPE_CHECKING:  # it is imported when a search begins
    from optuna.distributions import BaseDistribution


@dataclass(frozen=True)
class Entry:
    """A trial with what the sampler proposed, of which ranges, and the CPU seconds that it took."""

    trial: Trial
    parameters: dict[str, Any]
    distributions: dict[str, BaseDistribution]
    seconds: float


class Journal:
    """A file of trials in the order asked."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def make_room(self) -> None:
        """Forget the searches beyond the budget, never this one; asked for again, they begin anew."""
        others: list[Used] = []
        for path in self._path.parent.glob("*.jsonl"):
            with suppress(OSError):  # another visitor's search has removed it just now
                stat = path.stat()
                if path != self._path:
                    others.append((stat.st_mtime_ns, stat.st_size, path))
        own = size_of(self._path)
        for path in beyond(others, SEARCHES_BYTES - own):
            with suppress(OSError):
                path.unlink()

    def read(self) -> list[Entry]:
        """What is kept; a line that was cut by the end of a process is none, nor is what follows it."""
        found: list[Entry] = []
        with suppress(OSError):
            for line in self._path.read_bytes().split(b"\n")[:-1]:
                try:
                    found.append(_entry(json.loads(line)))
                except (ValueError, KeyError, TypeError):
                    break
        return found

    def add(self, entry: Entry) -> None:
        """Keep a trial; where that cannot be written the search goes on, and begins anew when stopped."""
        from optuna.distributions import distribution_to_json

        line = {
            "trial": asdict(entry.trial)
            | {"dev": entry.trial.dev if math.isfinite(entry.trial.dev) else None},
            "parameters": entry.parameters,
            "distributions": {n: distribution_to_json(d) for n, d in entry.distributions.items()},
            "seconds": entry.seconds,
        }
        with suppress(OSError):
            self._write(json.dumps(line) + "\n")

    def _write(self, line: str) -> None:
        """Put a line behind the last whole one."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            if file.tell() and not self._ends_whole():
                file.truncate(self._whole_bytes())
            file.write(line.encode())

    def _ends_whole(self) -> bool:
        """Whether the last line is whole."""
        with self._path.open("rb") as file:
            file.seek(-1, 2)
            return file.read(1) == b"\n"

    def _whole_bytes(self) -> int:
        """The bytes up to the end of the last whole line."""
        return self._path.read_bytes().rfind(b"\n") + 1


def _entry(line: Mapping[str, Any]) -> Entry:
    from optuna.distributions import json_to_distribution

    told = dict(line["trial"])
    told["dev"] = math.nan if told["dev"] is None else float(told["dev"])
    told["each"], told["rungs"] = tuple(told["each"]), tuple(told["rungs"])
    ranges = {name: json_to_distribution(text) for name, text in line["distributions"].items()}
    return Entry(Trial(**told), dict(line["parameters"]), ranges, float(line["seconds"]))
