"""What a browser keeps of a page: blocks and elements, each at a place in the block above.

A browser (Streamlit 1.67) that is sent what belongs behind something it was not sent ends the page with an
error. Here that is raised, by the same rules, and without a browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOTS = 4
"""The page, the sidebar, what happens, and the bottom."""

CLEARS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
"""Ends of runs after which what they did not draw again goes."""


@dataclass
class Node:
    """A block, or an element, which has no ``children``: of which run, and of which part, if any."""

    run: str
    part: str = ""
    kind: str | None = None
    children: list[Node] | None = None

    def is_current(self, run: str, parts: Sequence[str], inside: bool) -> bool:
        """Whether it stays once a run is over, which was of these parts or else of the whole page."""
        of_no_part = self.children is None and not self.part
        return self.run == run or (bool(parts) and (not inside or of_no_part))

    def clear(self, run: str, parts: Sequence[str], inside: bool = False) -> None:
        """Let go of what was not drawn again, down from here."""
        if self.children is None:
            return
        inside = inside or (self.part in parts and self.run == run)
        self.children = [one for one in self.children if one.is_current(run, parts, inside)]
        for one in self.children:
            one.clear(run, parts, inside)


@dataclass
class Blocks:
    """The blocks of one page."""

    roots: list[Node] = field(default_factory=lambda: [Node("", children=[]) for _ in range(ROOTS)])
    run: str = ""

    def take(self, message: ForwardMsg) -> None:
        """Take a message in the order in which it was sent.

        Raises
        ------
        LookupError
            It belongs into a block, or behind something, that is not there.
        """
        kind, run = message.WhichOneof("type"), message.metadata.run
        if kind == "new_session":
            self.run = run.script_run_id
        elif kind == "script_finished" and message.script_finished in CLEARS:
            if run.fragment_ids or run.script_run_id == self.run:
                for root in self.roots:
                    root.clear(run.script_run_id, run.fragment_ids)
        elif kind == "delta" and not message.delta.HasField("new_transient"):
            self._set(message)

    def _set(self, message: ForwardMsg) -> None:
        root, *between, last = message.metadata.delta_path
        block, delta = self.roots[root], message.delta
        block.run = self.run
        for place in between:
            siblings = _children(block, place, message)
            if place == len(siblings):
                raise LookupError(_no_place(place, message))
            block = siblings[place]
            block.run = self.run
        siblings = _children(block, last, message)
        made = Node(self.run, delta.fragment_id)
        if delta.HasField("add_block"):
            made.kind, made.children = delta.add_block.WhichOneof("type"), []
            for there in siblings[last : last + 1]:
                if there.children is not None and there.kind == made.kind:
                    made.children = there.children
        siblings[last : last + 1] = [made]


def _children(block: Node, place: int, message: ForwardMsg) -> list[Node]:
    """The children of a block, of which the one at ``place`` is there or is the next."""
    if block.children is None or place > len(block.children):
        raise LookupError(_no_place(place, message))
    return block.children


def _no_place(place: int, message: ForwardMsg) -> str:
    return f"{place} of {[*message.metadata.delta_path]} is no place on the page"
