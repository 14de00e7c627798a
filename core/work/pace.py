"""How fast work goes, as its steps tell: the part that goes on, and how long it and the whole take."""

from __future__ import annotations

from dataclasses import dataclass

from core.progress import Step

SETTLED = 5.0
"""Seconds of one part of the work from which on its pace says how long it takes."""

FEW = 5
"""How many of what it counts have to be done for that, or a quarter of them: one alone is no pace."""


@dataclass
class _Part:
    """A part of the work: all steps of one kind, told by the same words.

    Attributes
    ----------
    number
        Its place among the parts so far, from 1.
    done, begun
        How many of what it counts are done now, and were at its first step.
    first
        How much of the part was done at its first step, 0 to 1.
    lasted
        Seconds since then, without those of other parts between, such as the reading within a trial.
    """

    number: int
    done: int
    begun: int
    first: float
    lasted: float = 0.0


class Pace:
    """The pace of one piece of work, by steps that are counted as they come.

    Attributes
    ----------
    part
        The number of the latest step among the kinds of steps so far, from 1; one that begins anew counts
        again. 0 before the first.
    expected
        About how many seconds the work takes in all: as was estimated, or longer as the pace of its part
        says; never shorter, as what follows is not known. 0 where nothing was estimated.
    left
        About how many seconds its part still takes, by its pace; None where that says nothing yet.
    """

    def __init__(self, estimated: float = 0.0) -> None:
        self.expected = self._estimated = estimated
        self.left: float | None = None
        self.part = 0
        self._parts: dict[str, _Part] = {}
        self._counted = 0.0

    def estimate(self, seconds: float) -> None:
        """Take another estimate of the whole, before the first step."""
        self.expected = self._estimated = seconds

    def count(self, step: Step, elapsed: float) -> None:
        """Take a step, so many seconds after the work began.

        Another kind of step is another part, and so is one from its start. Threads that count together may
        tell numbers out of order: half of the last one is a new start.
        """
        part = self._parts.get(step.what)
        if part is None or 2 * step.done < part.done:
            number = 1 + max((one.number for one in self._parts.values()), default=0)
            part = self._parts[step.what] = _Part(number, step.done, step.done, step.finished)
        else:
            part.lasted += elapsed - self._counted
        self._counted = elapsed
        part.done = max(part.done, step.done)
        self.part = part.number
        self._expect(part, step, elapsed)

    def _expect(self, part: _Part, step: Step, elapsed: float) -> None:
        """Estimate the whole anew by the pace of the part that goes on, whose latest step this is."""
        made, count = step.finished - part.first, step.done - part.begun
        self.left = None
        if made > 0 and part.lasted >= SETTLED and count >= min(FEW, step.total / 4):
            self.left = (1 - step.finished) * part.lasted / made
            if self._estimated:
                self.expected = max(self._estimated, elapsed + self.left)
