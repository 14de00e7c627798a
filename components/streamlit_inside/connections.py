"""A connection that was lost: the browser that comes back begins with the beginning of a run.

Streamlit ends the run of a browser that has gone, and keeps what the run has drawn since, and draws until
it ends. Sent to the browser when it has come back, that would be the end of a page whose beginning it never
had: it shows nothing then, for good. It asks for another run by itself where it missed some of the last.

A browser that has heard that a run began, and not yet of which page, asks for the script of all pages then:
it would be shown the first one, under that one's address. It is given the page that it asked for before.
"""

from __future__ import annotations

from functools import wraps

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

_DISCONNECT = WebsocketSessionManager.disconnect_session
_INTEND = PagesManager.set_script_intent

_ASKED = "strata_asked_page"
"""The attribute of a visit's pages: the name of the page that the address asked for."""


class FromNextRun(ForwardMsgQueue):
    """What is sent to a browser, without what comes before the next run begins."""

    def __init__(self) -> None:
        super().__init__()
        self._waits = True

    def enqueue(self, msg: ForwardMsg) -> None:
        """Take a message, or leave it out."""
        self._waits = self._waits and msg.WhichOneof("type") != "new_session"
        if not self._waits:
            super().enqueue(msg)


@wraps(_DISCONNECT)
def _disconnect(visits: WebsocketSessionManager, session_id: str) -> None:
    visit = visits.get_active_session_info(session_id)
    _DISCONNECT(visits, session_id)
    if visit is not None:
        visit.session._browser_queue = FromNextRun()


@wraps(_INTEND)
def _intend(pages: PagesManager, page_script_hash: str, page_name: str) -> None:
    if page_script_hash == pages.main_script_hash and not page_name:
        page_script_hash, page_name = "", getattr(pages, _ASKED, "")
    setattr(pages, _ASKED, page_name)
    _INTEND(pages, page_script_hash, page_name)


def begin_with_a_run() -> None:
    """Have browsers that come back begin with a run of their page, from now on.

    ``WebsocketSessionManager.disconnect_session`` is followed by another ``AppSession._browser_queue``, and
    ``PagesManager.set_script_intent`` takes the name of before in the place of ``main_script_hash``. A
    version that lacks one of them raises ImportError or AttributeError when app.py is run.
    """
    PagesManager.set_script_intent = _intend  # type: ignore[method-assign]
    WebsocketSessionManager.disconnect_session = _disconnect  # type: ignore[method-assign]
