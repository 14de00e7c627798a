"""Ending a page early, so that what surrounds the page is still drawn.

``st.stop`` would end app.py too: after it, nothing can be written and the session's state cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn


class PageEnded(Exception):
    """The page has said all that it can say."""


@dataclass
class End:
    """How a page ended."""

    early: bool = False


def end_page() -> NoReturn:
    """End the page here; the reason stands on it."""
    raise PageEnded


@contextmanager
def caught() -> Iterator[End]:
    """Run a page that may end early."""
    end = End()
    try:
        yield end
    except PageEnded:
        end.early = True
