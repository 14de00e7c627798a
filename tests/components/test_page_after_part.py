"""A page that is asked for while a part of another one redraws itself: whole, and as it was chosen."""

import time

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.serving import free_port, served, streamlit
from tests.campaign.session import Session

SCRIPT = """
import time

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.streamlit_inside import callbacks, sending, succession

callbacks.run_to_their_end()
sending.first_screens_first()
succession.lose_nothing()


def part():
    st.write("the part")
    if get_script_run_ctx().fragment_ids_this_run:
        time.sleep(WORKS)  # the browser's next request waits for its end


def count():
    st.session_state.counted = st.session_state.get("counted", 0) + 1


def page():
    st.selectbox("Corpus", ["demo", "dogs"], key="corpus", bind="query-params", persist_state="session")
    st.button("Count", key="count", on_click=count)
    st.write(f"counted {st.session_state.get('counted', 0)}")
    st.write("the page")


pages = [st.Page(page, title=name, url_path=name) for name in ("first", "second")]
at = st.navigation(pages, position="hidden")
with st.container(key="parts"):
    for _ in range(3):
        st.fragment(part, run_every=60)()
at.run()
"""

WORKS = 0.5
"""Seconds that the part takes when it redraws itself."""


class Browser(Session):
    """One that asks for what a test asks for, and keeps what it is sent until a page is whole."""

    def __init__(self, url: str, query: str) -> None:
        super().__init__(url, "first", query)
        self.hashes: dict[str, str] = {}
        self.messages: list[ForwardMsg] = []

    def request(self, *, part: str = "", page: str = "", click: str = "") -> None:
        """Ask for a part, or for a page, with a click where one has been made."""
        message: BackMsg = self._state(part)
        if page:
            message.rerun_script.page_script_hash = self.hashes[page]
            message.rerun_script.query_string = ""  # as Streamlit takes out what the page before has bound
        if click:
            message.rerun_script.widget_states.widgets.add(id=click, trigger_value=True)
        self._socket.send(message.SerializeToString())

    def take(self) -> None:
        """Take messages until a run of the whole page is over."""
        self.messages = []
        while not self.messages or not _is_whole(self.messages[-1]):
            received = self._decoded(self._socket.recv(timeout=30))
            self.messages.append(received)
            self._take(received)
            self.hashes |= {one.page_name: one.page_script_hash for one in received.navigation.app_pages}

    def path(self, words: str) -> list[int]:
        """Where the latest text with these words stands."""
        found = [one for one in self.messages if one.delta.new_element.markdown.body == words]
        return [*found[-1].metadata.delta_path]


def _is_whole(message: ForwardMsg) -> bool:
    return (
        message.WhichOneof("type") == "script_finished"
        and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
    )


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    script = folder / "script.py"
    script.write_text(SCRIPT.replace("WORKS", str(WORKS)), "utf-8")
    port = free_port()
    with served(streamlit(port, str(script)), port, {}, folder) as url:
        yield url


@pytest.fixture
def browser(url):
    with Browser(url, "corpus=dogs") as browser:
        browser.request()
        browser.take()
        yield browser


def test_the_page_stands_where_it_stands_without_and_keeps_what_was_chosen(browser):
    before = browser.path("the page")
    part = next(iter(browser._again))
    browser.request(part=part)
    time.sleep(WORKS / 2)
    browser.request(page="second")
    browser.take()  # Blocks raises where it could not be drawn
    assert browser.path("the page") == before
    (box,) = [one.delta.new_element.selectbox for one in browser.messages if _holds(one, "selectbox")]
    assert (box.set_value, box.raw_value) == (True, "dogs"), "else the browser shows the first option"


def test_a_click_that_a_part_tells_of_first_counts_once(browser):
    (button,) = [one.delta.new_element.button.id for one in browser.messages if _holds(one, "button")]
    browser.request(part=next(iter(browser._again)), click=button)
    browser.request(click=button)
    browser.take()
    assert browser.path("counted 1")


def _holds(message: ForwardMsg, kind: str) -> bool:
    return message.delta.new_element.WhichOneof("type") == kind
