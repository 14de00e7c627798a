"""What a thread of runs has sent is taken up though the next one has begun; each run begins afresh."""

import asyncio
from types import SimpleNamespace

import pytest
from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner import ScriptRunnerEvent as Event
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor
from streamlit.signal_util import Signal

from components.streamlit_inside import sending, succession


class Thread:
    """A thread of runs, whose runs are written out; it takes requests until it has ended."""

    def __init__(self, **_given) -> None:
        self.on_event, self.has_ended = Signal(), False

    def start(self) -> None:
        """What it does is called by a test."""

    def request_rerun(self, _data) -> bool:
        return not self.has_ended

    def request_stop(self) -> None:
        self.has_ended = True

    def begin(self, fragments: list[str] | None = None) -> None:
        """Begin a run of the page, or of parts of it."""
        self.on_event.send(
            self,
            event=Event.SCRIPT_STARTED,
            page_script_hash="page",
            fragment_ids_this_run=fragments,
            run_descriptor=RunDescriptor.create(fragments),
        )

    def draw(self, words: str) -> None:
        message = ForwardMsg()
        message.metadata.delta_path[:] = [0, len(words)]
        message.delta.new_element.markdown.body = words
        self.on_event.send(self, event=Event.ENQUEUE_FORWARD_MSG, forward_msg=message)

    def finish(self) -> None:
        self.on_event.send(
            self, event=Event.SCRIPT_STOPPED_WITH_SUCCESS, run_descriptor=RunDescriptor.create()
        )

    def shut_down(self) -> None:
        self.on_event.send(self, event=Event.SHUTDOWN, client_state=ClientState())


class Visit:
    """A visit as Streamlit keeps it, whose loop goes on when it is asked for what was sent."""

    def __init__(self) -> None:
        files = SimpleNamespace(remove_session_files=lambda _: None)
        self.session = AppSession(ScriptData("app.py"), files, ScriptCache(), None, {})

    def request(self) -> Thread:
        """The browser asks for a run; the thread that gets to it."""
        self.session.request_rerun(ClientState())
        return self.session._scriptrunner

    async def sent(self) -> list[str]:
        """What the browser is sent: the words of elements, else the kinds of messages."""
        await asyncio.sleep(2 * sending.GATHER)
        return [
            message.delta.new_element.markdown.body or message.WhichOneof("type")
            for message in self.session.flush_browser_queue()
            if message.WhichOneof("type") != "session_status_changed"
        ]


@pytest.fixture(autouse=True, params=[sending._CALL, sending._call], ids=["one by one", "together"])
def threads(monkeypatch, request):
    """Threads of a test; what they send is taken one by one, or together as ``sending`` has it."""
    monkeypatch.setattr(AppSession, "_call_soon_on_event_loop", request.param)
    for name in ("_create_scriptrunner", "_handle_scriptrunner_event_on_event_loop"):
        monkeypatch.setattr(AppSession, name, getattr(AppSession, name))
    monkeypatch.setattr(ScriptRunner, "_on_script_finished", ScriptRunner._on_script_finished)
    monkeypatch.setattr(app_session, "ScriptRunner", Thread)
    monkeypatch.setattr(AppSession, "register_file_watchers", lambda _: None)
    succession.lose_nothing()


def run(check) -> None:
    asyncio.run(check())


def test_the_end_of_a_page_arrives_though_a_clock_has_begun_the_next_thread():
    async def check():
        visit = Visit()
        first = visit.request()
        first.begin()
        first.draw("page")
        first.finish()
        first.has_ended = True
        second = visit.request()
        assert second is not first
        first.shut_down()
        second.begin(["clock"])
        assert await visit.sent() == ["new_session", "page", "script_finished", "new_session"]
        second.draw("part")
        second.finish()
        assert await visit.sent() == ["part", "script_finished"]
        second.has_ended = True
        second.shut_down()
        await visit.sent()
        assert visit.session._scriptrunner is None

    run(check)


def test_a_thread_that_was_stopped_and_goes_on_is_heard_no_longer_once_the_next_one_has_begun():
    async def check():
        visit = Visit()
        first = visit.request()
        first.begin()
        first.draw("before")
        assert await visit.sent() == ["new_session", "before"]
        visit.session.request_script_stop()
        second = visit.request()
        second.begin()
        first.draw("too late")
        first.finish()
        second.draw("now")
        first.shut_down()
        assert await visit.sent() == ["new_session", "now"]
        assert visit.session._scriptrunner is second

    run(check)


def test_threads_that_follow_each_other_at_once_are_all_heard():
    async def check():
        visit = Visit()
        for number in range(3):
            thread = visit.request()
            thread.begin()
            thread.draw("page" + "!" * number)
            thread.finish()
            thread.has_ended = True
            thread.shut_down()
        sent = await visit.sent()
        assert sent.count("script_finished") == 3
        assert sent[-3:] == ["new_session", "page!!", "script_finished"]
        assert visit.session._scriptrunner is None

    run(check)


def test_a_new_visit_begins_with_its_thread():
    async def check():
        visit = Visit()
        thread = visit.request()
        thread.begin()
        thread.draw("page")
        assert visit.request() is thread, "it takes requests"
        assert await visit.sent() == ["new_session", "page"]

    run(check)


def test_a_page_that_follows_a_part_in_its_thread_is_drawn_beside_it_and_lets_go_of_all_controls(
    monkeypatch,
):
    """Streamlit draws a part by what is drawn around it, and would draw the page there as well."""
    ended = []
    monkeypatch.setattr(succession, "_FINISH", lambda *given, **named: ended.append((given, named)))
    run = SimpleNamespace(fragment_ids_this_run=["clock"])
    held = context_dg_stack.set((*get_default_dg_stack_value(), "the part"))
    try:
        runner = object.__new__(ScriptRunner)
        runner._on_script_finished(run, Event.FRAGMENT_STOPPED_WITH_SUCCESS, False, run_descriptor="one")
        assert ended == [
            ((runner, run, Event.FRAGMENT_STOPPED_WITH_SUCCESS, False), {"run_descriptor": "one"})
        ]
        assert context_dg_stack.get() == get_default_dg_stack_value()
        assert run.fragment_ids_this_run is None
    finally:
        context_dg_stack.reset(held)
