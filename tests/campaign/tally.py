"""What a campaign counts, and when it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.errors import StrataError


@dataclass(frozen=True)
class Bounds:
    """How many trials a campaign makes, the seconds after which it begins no more, and its seed.

    Three are for visitors: ``pause``, the mean seconds between two changes of one of them, and
    ``memory_gb``, the server's setting, both None as they are, and ``processes``, the servers on one store.
    """

    count: int
    seconds: float = float("inf")
    seed: int = 0
    pause: float | None = None
    memory_gb: str | None = None
    processes: int = 1

    def trials(self) -> Iterator[int]:
        """The numbers of the trials, from 0."""
        begun = time.monotonic()
        for number in range(self.count):
            if time.monotonic() - begun > self.seconds:
                return
            yield number


@dataclass
class Tally:
    """What was tried, and how it ended.

    ``right`` are answers that were checked, ``refused`` requests that the product declined in its own
    words, ``broken`` everything else, each with what was tried: an exception that is not the product's
    own, another number, a value that is not finite and not said to be.
    """

    what: str
    right: int = 0
    refused: int = 0
    broken: list[str] = field(default_factory=list)
    seconds: float = 0.0
    told: str = ""
    """What was measured besides."""

    @property
    def tried(self) -> int:
        """All trials."""
        return self.right + self.refused + len(self.broken)

    def count(self, tried: object, problem: str | BaseException | None) -> None:
        """Count one trial: no problem, a refusal, or something broken."""
        if problem is None:
            self.right += 1
        elif isinstance(problem, StrataError) and str(problem).strip():
            self.refused += 1
        else:
            kind = f"{type(problem).__name__}: " if isinstance(problem, BaseException) else ""
            self.broken.append(f"{tried!r:.300}: {kind}{problem!s:.300}")
