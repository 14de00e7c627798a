"""Work of a visitor that stands beside what the page shows, as the scores of the bar do."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.cached import shared_queue
from components.job import visit
from core.work import Job, Work

_ASIDE = "work.aside"


@dataclass(frozen=True)
class Aside:
    """Work of this visitor that stands beside the page's own; it ends once it is not asked for any more.

    It is made at the beginning of a run: one that another click has ended cannot read the session's state.
    """

    visitor: str
    held: set[Hashable]

    @classmethod
    def of_visit(cls) -> Aside:
        """What this visit has had done beside its pages."""
        return cls(visit.visitor(), st.session_state.setdefault(_ASIDE, set()))

    def ask(self, works: Iterable[Work[Any]]) -> None:
        """Have all of this work done that the visitor has not stopped, and let go of other work."""
        queue, wanted = shared_queue(), {work.key: work for work in works}
        for key in self.held - wanted.keys():
            queue.leave(key, self.visitor)
        self.held.intersection_update(wanted)
        for key, work in wanted.items():
            if not queue.job(work).was_left(self.visitor):
                queue.submit(work, self.visitor, aside=True)
                self.held.add(key)


def look_aside(job: Job[Any]) -> None:
    """Note that this visitor still waits for work beside the page."""
    job.watch(visit.visitor(), aside=True)
