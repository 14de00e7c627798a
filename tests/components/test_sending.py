"""In which order a run reaches the browser: first its first screen; nothing is lost, nothing sent twice."""

import asyncio
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from components.streamlit_inside import sending
from components.streamlit_inside.connections import FromNextRun


class Loop:
    """A loop whose clock stands still: what is called later is called by ``later``."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, Callable[[], None]]] = []
        self.woken, self.errors = 0, []

    def call_soon_threadsafe(self, call, *arguments):
        self.woken += 1
        call(*arguments)

    def call_exception_handler(self, told):
        self.errors.append(told["exception"])

    def call_later(self, seconds, call, *arguments):
        self.calls.append((seconds, lambda: call(*arguments)))

    def later(self):
        for _, call in self.calls:
            call()


class Clock:
    """A clock that a test sets; from one look to the next as much time has gone as is gathered in."""

    def __init__(self) -> None:
        self.now, self.stands = 1000.0, False

    def monotonic(self) -> float:
        self.now += 0 if self.stands else sending.GATHER
        return self.now


class Visit(AppSession):
    """A visit with a queue of messages and that loop."""

    def __init__(self) -> None:
        self._browser_queue, self._event_loop, self.woken = ForwardMsgQueue(), Loop(), 0

    def __del__(self) -> None:
        """There is nothing to shut down."""

    def _message_enqueued_callback(self) -> None:
        self.woken += 1


@pytest.fixture
def visit(monkeypatch):
    """A visit of a server, in whose run the code of a test is."""
    for name in ("flush", "clear"):
        monkeypatch.setattr(ForwardMsgQueue, name, getattr(ForwardMsgQueue, name))
    monkeypatch.setattr(AppSession, "_call_soon_on_event_loop", AppSession._call_soon_on_event_loop)
    monkeypatch.setattr(sending, "time", Clock())
    monkeypatch.setattr(sending.sys, "setswitchinterval", lambda _: None)
    sending.first_screens_first()
    visit = Visit()
    server = SimpleNamespace(get_app_session={"mine": visit}.get)
    monkeypatch.setattr(
        sending, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: server)
    )
    monkeypatch.setattr(sending, "get_script_run_ctx", lambda: SimpleNamespace(session_id="mine"))
    return visit


def text(place: int, words: str = "") -> ForwardMsg:
    """An element of the page."""
    message = ForwardMsg()
    message.metadata.delta_path[:] = [0, place]
    message.delta.new_element.markdown.body = words or f"at {place}"
    return message


def words(messages: list[ForwardMsg]) -> list[str]:
    return [message.delta.new_element.markdown.body or message.WhichOneof("type") for message in messages]


def draw(visit, *messages: ForwardMsg) -> None:
    for message in messages:
        visit._browser_queue.enqueue(message)


def test_the_rest_waits_until_the_first_screen_could_be_drawn(visit):
    draw(visit, text(1), text(2))
    sending.first_screen()
    draw(visit, text(3), text(4))
    assert words(visit._browser_queue.flush()) == ["at 1", "at 2"]
    draw(visit, text(5))
    assert visit._browser_queue.flush() == []
    assert [seconds for seconds, _ in visit._event_loop.calls] == [sending.PAUSE]
    assert visit.woken == 1, "for the mark, when nothing is ready any more"
    visit._event_loop.later()
    assert visit.woken == 2
    assert words(visit._browser_queue.flush()) == ["at 3", "at 4", "at 5"]
    assert visit._browser_queue.is_empty()


def test_what_was_sent_before_the_mark_is_not_sent_again(visit):
    draw(visit, text(1))
    assert words(visit._browser_queue.flush()) == ["at 1"]
    sending.first_screen()
    draw(visit, text(2))
    assert visit._browser_queue.flush() == []
    visit._event_loop.later()
    assert words(visit._browser_queue.flush()) == ["at 2"]


def test_an_element_drawn_anew_while_it_waits_is_sent_once_as_it_is_last(visit):
    sending.first_screen()
    draw(visit, text(1, "first"), text(2))
    assert visit._browser_queue.flush() == []
    draw(visit, text(1, "last"))
    visit._event_loop.later()
    assert words(visit._browser_queue.flush()) == ["last", "at 2"]


def test_an_element_of_the_first_screen_drawn_anew_is_sent_after_it(visit):
    draw(visit, text(1, "first"))
    sending.first_screen()
    assert words(visit._browser_queue.flush()) == ["first"]
    draw(visit, text(1, "last"))
    visit._event_loop.later()
    assert words(visit._browser_queue.flush()) == ["last"]


def test_the_next_run_waits_for_nothing(visit):
    sending.first_screen()
    draw(visit, text(1))
    visit._browser_queue.clear(retain_lifecycle_msgs=True)
    draw(visit, text(2))
    assert words(visit._browser_queue.flush()) == ["at 2"]
    visit._event_loop.later()
    assert visit.woken == 1, "for the mark alone: it was over"


def test_a_part_that_runs_by_itself_leaves_out_nothing_of_the_page_and_comes_after_it(visit):
    """A browser that is given a second child of a block before its first ends the page with an error."""
    draw(visit, text(1))
    sending.first_screen()
    parts = [text(place, f"part {place}") for place in (2, 3, 4)]
    for part in parts:
        part.delta.fragment_id = part.delta.new_element.markdown.body
    finished = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
    draw(visit, *parts, finished)
    visit._browser_queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["part 3"])
    begun, again = ForwardMsg(), text(3, "part 3 again")
    begun.new_session.name = "page"
    again.delta.fragment_id = "part 3"
    draw(visit, begun, again)
    sent = visit._browser_queue.flush()
    assert words(sent) == [
        "at 1",
        "part 2",
        "part 3",
        "part 4",
        "script_finished",
        "new_session",
        "part 3 again",
    ]
    assert sent[4].script_finished == ForwardMsg.FINISHED_SUCCESSFULLY, "the page's run is over, as it was"
    assert visit._browser_queue.is_empty()


def test_a_screen_marked_twice_waits_from_the_second_mark(visit):
    draw(visit, text(1))
    sending.first_screen()
    draw(visit, text(2))
    sending.first_screen()
    draw(visit, text(3))
    assert words(visit._browser_queue.flush()) == ["at 1", "at 2"]
    first, second = (call for _, call in visit._event_loop.calls)
    first()
    assert visit._browser_queue.flush() == []
    second()
    assert words(visit._browser_queue.flush()) == ["at 3"]


def test_a_browser_that_has_gone_leaves_no_mark_to_the_one_that_comes_back(visit):
    sending.first_screen()
    draw(visit, text(1))
    visit._browser_queue = FromNextRun()
    begun = ForwardMsg()
    begun.new_session.name = "page"
    draw(visit, begun, text(2))
    assert words(visit._browser_queue.flush()) == ["new_session", "at 2"]
    visit._event_loop.later()
    assert visit.woken == 1, "for the mark alone"


def test_outside_a_server_and_without_a_browser_nothing_is_done(visit, monkeypatch):
    for run in (SimpleNamespace(session_id="gone"), None):
        monkeypatch.setattr(sending, "get_script_run_ctx", lambda run=run: run)
        sending.first_screen()
    draw(visit, text(1))
    assert words(visit._browser_queue.flush()) == ["at 1"]


def test_what_comes_soon_after_another_wakes_the_loop_once_and_keeps_its_order(visit):
    done = []
    sending.time.stands = True
    for number in range(200):
        visit._call_soon_on_event_loop(lambda number=number: done.append(number))
    assert done == [0], "the first of a run waits for nothing"
    assert visit._event_loop.woken == 2
    assert [seconds for seconds, _ in visit._event_loop.calls] == [pytest.approx(sending.GATHER)]
    visit._event_loop.later()
    assert done == list(range(200))
    sending.time.now += sending.GATHER
    visit._call_soon_on_event_loop(lambda: done.append("next"))
    assert done[-1] == "next"


def test_what_sends_is_woken_once_for_all_that_was_gathered(visit):
    sending.time.stands = True
    for place in range(200):
        visit._call_soon_on_event_loop(partial(visit._enqueue_forward_msg, text(place)))
    visit._event_loop.later()
    assert visit.woken == 2, "once for the first, once for what came soon after it"
    assert len(visit._browser_queue.flush()) == 200
    visit._enqueue_forward_msg(text(0))
    assert visit.woken == 3, "what is not gathered wakes it as ever"


def test_what_was_drawn_beside_an_error_is_sent(visit):
    def draw_and_fail():
        visit._enqueue_forward_msg(text(1))
        raise ValueError("no")

    visit._call_soon_on_event_loop(draw_and_fail)
    assert visit.woken == 1


def test_an_error_in_one_call_is_told_and_the_others_are_done(visit):
    done = []

    def fail():
        raise ValueError("no")

    sending.time.stands = True
    for call in (fail, lambda: done.append(1), fail, lambda: done.append(2)):
        visit._call_soon_on_event_loop(call)
    visit._event_loop.later()
    assert done == [1, 2]
    assert list(map(str, visit._event_loop.errors)) == ["no", "no"]


def test_a_mark_stands_behind_what_was_drawn_before_it(visit):
    sending.time.stands = True
    for place in (1, 2):
        visit._call_soon_on_event_loop(lambda place=place: draw(visit, text(place)))
    sending.first_screen()
    visit._call_soon_on_event_loop(lambda: draw(visit, text(3)))
    (_, gathered), *_ = visit._event_loop.calls
    gathered()
    assert words(visit._browser_queue.flush()) == ["at 1", "at 2"]


def test_threads_that_call_at_once_lose_nothing():
    done: list[tuple[int, int]] = []

    async def serve() -> None:
        visit = Visit()
        visit._event_loop = asyncio.get_running_loop()

        def call(thread: int) -> None:
            for number in range(500):
                sending._call(visit, partial(done.append, (thread, number)))

        await asyncio.gather(*(asyncio.to_thread(call, thread) for thread in range(4)))
        await asyncio.sleep(5 * sending.GATHER)

    asyncio.run(serve())
    assert len(done) == 2000
    for thread in range(4):
        assert [number for one, number in done if one == thread] == list(range(500))
