"""A visit to the dashboard without a browser: Streamlit's own messages over its websocket.

A browser sends what a page's controls hold, and the server answers with the elements of a run of the
script. This does the same, draws nothing, and keeps what arrived.
"""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from types import TracebackType
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from components import held
from components.bar.cells import COMPONENT
from tests.campaign.blocks import Blocks

SECONDS = 180.0
"""Within which a page is whole, its work included."""

LARGEST = 1 << 28
"""Bytes of a message that is still taken."""


class Session:
    """One visitor's connection to a server at ``url``, opened on a page with query parameters.

    After each run, ``boxes`` has the names of the page's text boxes by their keys, ``helps`` the
    explanations of the bar's cells, ``content`` what arrived, and ``problems`` what it says went wrong.
    """

    def __init__(self, url: str, page: str, query: str) -> None:
        self._page, self._query, self._script = page, query, ""
        self._sent: dict[str, bytes] = {}
        self._again: dict[str, float] = {}
        self._told: dict[str, str] = {}
        self._blocks = Blocks()
        self.boxes: dict[str, str] = {}
        self.helps: dict[str, str] = {}
        self.content: list[bytes] = []
        self.problems: list[str] = []
        address = f"{url.replace('http', 'ws', 1)}/_stcore/stream"
        self._closing = ExitStack()
        self._socket: ClientConnection = self._closing.enter_context(
            connect(address, subprotocols=["streamlit"], max_size=LARGEST, open_timeout=SECONDS)
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.close()

    def open(self) -> float:
        """Run the page as it is opened; the seconds until it is whole."""
        return self._whole(self._state())

    def type(self, key: str, text: str) -> float:
        """Write into the text box with that key, which the address has too; the seconds until all is there.

        Raises
        ------
        KeyError
            The page has no such box.
        """
        name = self.boxes[key]
        self._query = urlencode(dict(parse_qsl(self._query)) | {key: text})
        message = self._state()
        widget = message.rerun_script.widget_states.widgets.add()
        widget.id, widget.string_value = name, text
        return self._whole(message)

    def _state(self, fragment: str = "") -> BackMsg:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash, state.page_name = self._query, self._script, self._page
        state.fragment_id, state.is_auto_rerun = fragment, bool(fragment)
        for name, said in self._told.items():
            widget = state.widget_states.widgets.add()
            widget.id, widget.string_value = name, said
        return message

    def _whole(self, message: BackMsg) -> float:
        """Send what asks for a run, and take what comes until nothing more is announced."""
        begun = time.monotonic()
        self.content, self.problems = [], []
        self._again = {}
        while True:
            self._socket.send(message.SerializeToString())
            self._until_finished(begun + SECONDS, message.rerun_script.fragment_id)
            if not self._again:
                return time.monotonic() - begun
            fragment, interval = min(self._again.items(), key=lambda item: item[1])
            time.sleep(interval)
            message = self._state(fragment)

    def _until_finished(self, end: float, fragment: str) -> None:
        """Take messages until a run of the script has ended that no other follows.

        The first run is of the ``fragment`` if one was asked for; one that follows is of the whole page.
        """
        self._again.pop(fragment, None)
        while True:
            payload = self._socket.recv(timeout=max(0.0, end - time.monotonic()))
            received = self._decoded(payload)
            kind = received.WhichOneof("type")
            if kind == "new_session":
                if not fragment:
                    self._again = {}
                fragment = ""
            elif (
                kind == "script_finished"
                and received.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
            ):
                return
            else:
                self._take(received)

    def _decoded(self, payload: str | bytes) -> ForwardMsg:
        """The message that arrived, with what it refers to; each belongs to a place on the page.

        Raises
        ------
        LookupError
            A browser would end the page, as it has no such place.
        """
        assert isinstance(payload, bytes)
        received = ForwardMsg.FromString(payload)
        if received.WhichOneof("type") == "ref_hash":
            place, received = received.metadata, ForwardMsg.FromString(self._sent[received.ref_hash])
            received.metadata.CopyFrom(place)
        elif received.hash:
            self._sent[received.hash] = payload
        self._blocks.take(received)
        return received

    def _take(self, received: ForwardMsg) -> None:
        """Keep what a message says: the page, a part that redraws itself, an element, what went wrong."""
        kind = received.WhichOneof("type")
        if kind == "navigation":
            self._script = received.navigation.page_script_hash
        elif kind == "auto_rerun":
            self._again[received.auto_rerun.fragment_id] = received.auto_rerun.interval
        elif kind == "delta":
            self.content.append(received.SerializeToString())
            self._keep(received.delta.new_element)
        elif kind == "session_event" and received.session_event.HasField("script_compilation_exception"):
            self.problems.append(received.session_event.script_compilation_exception.message)

    def _keep(self, element: Element) -> None:
        """Keep of an element the name of a box, the explanations of cells, what an error says."""
        kind = element.WhichOneof("type")
        if kind == "text_input":
            box = element.text_input
            if not (key := key_of(box.id)).startswith(held.FIELD):
                self.boxes[key] = box.id
            elif box.set_value:
                self._told[box.id] = box.value
        elif kind == "bidi_component" and element.bidi_component.component_name == COMPONENT:
            row = json.loads(element.bidi_component.json)
            self.helps |= {f"cell-{row['side']}-{cell['stage']}": cell["help"] for cell in row["cells"]}
        elif kind == "exception":
            where = " < ".join(line.strip() for line in reversed(element.exception.stack_trace))
            self.problems.append(f"{element.exception.type}: {element.exception.message} ({where})")
        elif kind == "alert" and element.alert.format == element.alert.ERROR:
            self.problems.append(element.alert.body)


def key_of(name: str) -> str:
    """The key that the page gave a control, which Streamlit names ``$$ID-``, a hash, ``-`` and the key."""
    return name.split("-", 2)[-1]
