"""The folder pages beside app.py, of which Streamlit would make pages by itself.

``PagesManager.uses_pages_directory``, of the class, is None until a server or an ``AppTest`` has looked for
such a folder, and False once ``st.navigation`` was called. A version that lacks it takes no notice of what
is set here, which a page that is opened by its own address on a new server shows: it has no navigation.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.runtime.pages_manager import PagesManager


def leave_folder_alone() -> None:
    """Have the server run app.py for every page."""
    PagesManager.uses_pages_directory = False


@contextmanager
def folder_left_alone() -> Iterator[None]:
    """Have every ``AppTest`` of the block run app.py for every page; it forgets between runs.

    ``PagesManager.__init__``, which each of its runs calls, is followed by :func:`leave_folder_alone`.
    """
    made = PagesManager.__init__

    def make(self: PagesManager, *arguments: object, **named: object) -> None:
        made(self, *arguments, **named)
        leave_folder_alone()

    PagesManager.__init__ = make
    try:
        yield
    finally:
        PagesManager.__init__ = made
