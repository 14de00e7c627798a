"""Work on a page: quick results at once, a panel for the rest, a question before, Stop, and coming back."""

import threading
import time

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from components import cached, job
from components.job import waiting
from core.errors import StrataError
from core.progress import Step
from core.work import Job, State, Work
from tests.pages.reading import plain

SCRIPT = """
import streamlit as st
from components import job
from tests.components.test_job import WORK

with job.asked_for():
    jobs = job.show_all([WORK[name] for name in st.session_state["names"]], WORK["question"])
    for one in jobs:
        st.markdown(f"result: {one.value()}")
    st.markdown("the rest of the page")
"""

WORK = {}
"""What the page above asks for, by name, and the question before it."""


class Held:
    """Work that runs until it is let go."""

    def __init__(self, name, seconds=0.0, error=None, *, asks=False):
        self.go, self.calls = threading.Event(), 0
        self.error = error
        WORK[name] = Work((name,), f"Making {name}", self._compute, seconds, asks=asks)

    def _compute(self, progress):
        self.calls += 1
        for i in range(5000):
            progress(Step("Counting", i, 5000))
            if self.go.wait(0.01):
                break
        if self.error:
            raise self.error
        return "made"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(waiting, "PATIENCE", 0.2)
    st.cache_resource.clear()
    WORK.clear()
    WORK["question"] = job.at_once
    yield
    for one in cached.shared_queue().active():
        cached.shared_queue().stop(one.key)
    st.cache_resource.clear()


def page(*names: str) -> AppTest:
    at = AppTest.from_string(SCRIPT, default_timeout=30)
    at.session_state["names"] = names
    return at.run()


def texts(at) -> list[str]:
    assert not at.exception, at.exception[0].message
    return [plain(box.value) for box in at.markdown]


def button(at, label):
    return [one for one in at.button if one.label == label]


def progress_of(at) -> list[str]:
    return [plain(bar.proto.text) for bar in at.get("progress")]


def final(*names: str) -> None:
    for name in names:
        assert cached.shared_queue().find((name,)).wait(10)


def test_quick_work_appears_at_once_and_without_a_panel():
    WORK["quick"] = Work(("quick",), "Quick", lambda progress: "made")
    at = page("quick")
    assert texts(at) == ["result: made", "the rest of the page"]
    assert not at.button
    assert not progress_of(at)


def test_no_run_of_a_page_waits_long():
    held = [Held(name) for name in "abcdef"]
    begin = time.monotonic()
    at = page(*"abcdef")
    assert time.monotonic() - begin < 5
    assert texts(at)[-1] == "the rest of the page"
    assert len(button(at, "Stop")) == 1
    for one in held:
        one.go.set()


def test_a_panel_says_what_how_much_and_how_long():
    held = Held("slow", seconds=120.0)
    at = page("slow")
    (text,) = progress_of(at)
    assert text.startswith("Making slow · Counting: ")
    assert " of 5,000 · " in text
    assert text.endswith("s of about 2 minutes")
    assert texts(at) == ["result: None", "the rest of the page"]
    held.go.set()
    final("slow")
    at.run()
    assert texts(at)[0] == "result: made"
    assert not at.button
    assert held.calls == 1


def test_what_is_ready_is_drawn_while_the_rest_goes_on():
    held = Held("slow")
    WORK["quick"] = Work(("quick",), "Quick", lambda progress: "made")
    at = page("slow", "quick")
    assert texts(at)[:2] == ["result: None", "result: made"]
    held.go.set()
    final("slow")
    assert texts(at.run())[:2] == ["result: made", "result: made"]


def test_two_visitors_share_one_computation():
    held = Held("slow")
    one, other = page("slow"), page("slow")
    held.go.set()
    final("slow")
    assert texts(one.run())[0] == texts(other.run())[0] == "result: made"
    assert held.calls == 1


def test_stop_ends_the_work_and_start_begins_it_anew():
    held = Held("slow")
    at = page("slow")
    button(at, "Stop")[0].click().run()
    final("slow")
    assert cached.shared_queue().find(("slow",)).state is State.STOPPED
    at.run()
    assert "was stopped" in at.info[0].value
    assert not button(at, "Stop")
    assert texts(at)[0] == "result: None"
    button(at, "Start")[0].click().run()
    assert button(at, "Stop")
    held.go.set()
    final("slow")
    assert texts(at.run())[0] == "result: made"
    assert held.calls == 2


def test_stop_of_one_visitor_leaves_the_work_to_the_other():
    held = Held("slow")
    one, other = page("slow"), page("slow")
    button(one, "Stop")[0].click().run()
    assert button(one, "Start")
    assert button(other.run(), "Stop")
    held.go.set()
    final("slow")
    assert texts(other.run())[0] == texts(one.run())[0] == "result: made"
    assert held.calls == 1


def test_another_visitor_is_not_asked_after_a_stop():
    held = Held("slow")
    one = page("slow")
    button(one, "Stop")[0].click().run()
    final("slow")
    held.go.set()
    assert texts(page("slow"))[0] == "result: made"


def test_a_question_waits_for_the_click_and_is_asked_once_for_all():
    held = [Held(name, asks=True) for name in "ab"]
    WORK["question"] = lambda: job.Question("Both take about 2 minutes.")
    at = page(*"ab")
    assert [plain(box.value) for box in at.info] == ["Both take about 2 minutes."]
    assert len(button(at, "Start")) == 1
    assert [one.calls for one in held] == [0, 0]
    button(at, "Start")[0].click().run()
    assert not button(at, "Start")
    assert not at.info
    for one in held:
        one.go.set()
    final(*"ab")
    assert texts(at.run())[:2] == ["result: made", "result: made"]
    assert [one.calls for one in held] == [1, 1]


def test_what_runs_or_is_there_needs_no_question():
    held = Held("slow", asks=True)
    page("slow")
    WORK["question"] = lambda: job.Question("It takes long.")
    other = page("slow")
    assert not other.info
    assert button(other, "Stop")
    held.go.set()
    final("slow")
    assert not page("slow").info


def test_work_that_asks_for_nothing_begins_beside_a_question():
    Held("long", asks=True)
    WORK["quick"] = Work(("quick",), "Quick", lambda progress: "made")
    WORK["question"] = lambda: job.Question("It takes long.")
    at = page("long", "quick")
    assert button(at, "Start")
    assert texts(at)[:2] == ["result: None", "result: made"]


def test_work_that_asks_begins_by_itself_where_it_is_short_after_all():
    held = Held("slow", asks=True)
    WORK["question"] = lambda: None
    at = page("slow")
    assert not button(at, "Start")
    assert button(at, "Stop")
    held.go.set()


def test_work_that_is_offered_has_its_button_beside_the_text():
    held = Held("slow", asks=True)
    WORK["question"] = lambda: job.Question("Takes a while.", "Score everything", aside=True)
    at = page("slow")
    assert not at.info
    assert [plain(box.value) for box in at.caption] == ["Takes a while."]
    button(at, "Score everything")[0].click().run()
    assert held.calls == 1
    held.go.set()


def test_work_that_was_stopped_and_has_not_ended_is_nobody_elses():
    go, asking = threading.Event(), Held("asking", seconds=60.0, asks=True)
    WORK["deaf"] = Work(("deaf",), "Making deaf", lambda progress: go.wait(30), 60.0)
    WORK["question"] = lambda: job.Question("It takes about a minute.")
    button(page("deaf"), "Stop")[0].click().run()
    (said,) = [plain(box.value) for box in page("asking").info]
    go.set()
    assert said == "It takes about a minute. It will wait until what was stopped has ended."
    assert asking.calls == 0


def test_a_question_says_what_the_work_would_wait_for():
    running, asking = Held("running", seconds=60.0), Held("asking", seconds=60.0, asks=True)
    WORK["question"] = lambda: job.Question("It takes about a minute.")
    alone = page("asking")
    assert [plain(box.value) for box in alone.info] == ["It takes about a minute."]
    at = page("running", "asking")
    (said,) = [plain(box.value) for box in at.info]
    assert said == (
        "It takes about a minute. It will wait, as what you started goes first: Making running."
    )
    other = page("asking")
    (said,) = [plain(box.value) for box in other.info]
    assert said.endswith("It will wait, as long work of another visitor goes first.")
    button(at, "Start")[0].click().run()
    assert asking.calls == 0
    assert "Then: Making asking" in [plain(box.value) for box in at.caption]
    running.go.set()
    asking.go.set()
    final("running", "asking")
    assert texts(at.run())[:2] == ["result: made", "result: made"]


def test_a_question_no_longer_says_what_has_ended_meanwhile(monkeypatch):
    running, ticks = Held("running", seconds=60.0), []
    Held("asking", seconds=60.0, asks=True)
    WORK["question"] = lambda: job.Question("It takes about a minute.")
    page("running")

    def fragment(draw, run_every):
        """Draw something, and again a while later."""

        def drawn(*given):
            draw(*given)
            ticks.append(run_every)
            running.go.set()
            final("running")
            draw(*given)

        return drawn

    monkeypatch.setattr(st, "fragment", fragment)
    at = page("asking")
    assert ticks == [waiting.REDRAW]
    assert [plain(box.value) for box in at.info] == ["It takes about a minute."]


def test_a_bar_that_begins_anew_says_the_number_of_its_step():
    go = [threading.Event(), threading.Event()]

    def compute(progress):
        for what, each in zip(("Reading", "Scoring"), go, strict=True):
            for i in range(5000):
                progress(Step(what, i, 5000))
                if each.wait(0.01):
                    break
        return "made"

    WORK["parts"] = Work(("parts",), "Making both", compute)
    at = page("parts")
    assert progress_of(at)[0].startswith("Making both · Reading: ")
    go[0].set()
    running = cached.shared_queue().find(("parts",))
    while not (running.step and running.step.what == "Scoring"):
        time.sleep(0.01)
    assert job.progress_line(running).startswith("Making both · step 2, Scoring: ")
    go[1].set()
    final("parts")


def test_the_line_of_progress_says_what_is_left_of_a_step_once_its_pace_is_known():
    running = Job(Work("reading", "Reading it", lambda progress: None, 120.0))
    assert job.progress_line(running) == "Reading it · 0 s of about 2 minutes"
    for left, told in ((34.0, "0 s, about 30 seconds more for this step"), (2.0, "0 s")):
        running.pace.left = left
        assert job.progress_line(running) == f"Reading it · {told}"


@pytest.mark.parametrize("error", [StrataError("no such layer"), KeyError("our mistake")])
def test_an_error_is_raised_on_the_page(error):
    Held("bad", error=error).go.set()
    at = page("bad")
    assert error.args[0] in at.exception[0].message


def test_whoever_comes_back_finds_the_work_still_running():
    held = Held("slow")
    WORK["quick"] = Work(("quick",), "Quick", lambda progress: "made")
    at = page("slow")
    at.session_state["names"] = ("quick",)
    at.run()
    at.session_state["names"] = ("slow",)
    at.run()
    assert button(at, "Stop")
    held.go.set()
    final("slow")
    assert texts(at.run())[0] == "result: made"
    assert held.calls == 1


def test_short_work_that_is_not_asked_for_any_more_is_not_begun(monkeypatch):
    monkeypatch.setenv("STRATA_JOBS", "1")
    first, second = Held("first"), Held("second")
    at = page("first", "second")
    at.session_state["names"] = ("first",)
    at.run()
    for one in (first, second):
        one.go.set()
    final("first")
    time.sleep(0.05)
    assert (first.calls, second.calls) == (1, 0)


def test_long_work_can_be_told_to_stop_when_nobody_waits():
    held = Held("slow", seconds=60.0)
    at = page("slow")
    running = cached.shared_queue().find(("slow",))
    assert at.checkbox[0].value is True
    at.checkbox[0].uncheck().run()
    assert not running.finishes(at.session_state["work.visitor"])
    at.session_state["names"] = ()
    at.run()
    final("slow")
    assert running.state is State.STOPPED
    held.go.set()


def test_work_that_waits_has_no_bar_of_the_work_before_it_and_says_when_it_may_begin():
    first, second = Held("first", seconds=120.0), Held("second", seconds=130.0)
    at = page("first")
    other = page("second")
    (text,) = progress_of(other)
    assert text.startswith(
        "Making second waits for its turn, and may begin in about 2 minutes. Now: Making first"
    )
    assert [bar.proto.value for bar in other.get("progress")] == [0]
    for one in (first, second):
        one.go.set()
    final("first", "second")
    assert texts(at.run())[0] == "result: made"


def test_short_work_has_no_such_choice():
    held = Held("slow", seconds=1.0)
    assert not page("slow").checkbox
    held.go.set()


AHEAD = """
import streamlit as st
from components import job
from tests.components.test_job import WORK

with job.asked_for():
    job.ahead([WORK[name] for name in st.session_state["names"]])
    st.markdown("the page")
"""


def test_short_work_begins_ahead_of_its_place_and_neither_reading_nor_what_asks_does():
    short, reads, asks = Held("short"), Held("reads", seconds=2.0), Held("asks", asks=True)
    at = AppTest.from_string(AHEAD, default_timeout=30)
    at.session_state["names"] = ("short", "reads", "asks")
    assert texts(at.run()) == ["the page"], "nothing is drawn"
    job_of = cached.shared_queue().find
    assert job_of(("short",)).state is State.RUNNING
    assert all(job_of((name,)) is None or job_of((name,)).state is State.NEW for name in ("reads", "asks"))
    short.go.set()
    assert (short.calls, reads.calls, asks.calls) == (1, 0, 0)


def test_another_click_ends_the_wait_for_work(monkeypatch):
    monkeypatch.setattr(waiting, "PATIENCE", 1000.0)
    runners, start = [], LocalScriptRunner.start
    monkeypatch.setattr(LocalScriptRunner, "start", lambda runner: (runners.append(runner), start(runner)))
    held = Held("long")

    def click():
        while not held.calls:
            time.sleep(0.01)
        runners[0].request_stop()

    clicking = threading.Thread(target=click, daemon=True)
    clicking.start()
    at = page("long")  # without an end to the wait this is not done in time
    clicking.join()
    assert not at.exception
    assert "the rest of the page" not in texts(at)
    assert cached.shared_queue().find(("long",)).state is State.RUNNING


GUIDE = """
from components.dialogs import dialog, page_begins

@dialog("Guide")
def guide():
    st.markdown("words of the guide")

page_begins()
if st.button("Guide"):
    guide()
"""


def test_work_that_ends_meanwhile_leaves_a_dialog_open(monkeypatch):
    slow = Held("slow", seconds=60.0)
    at = AppTest.from_string(SCRIPT.replace("\nwith", f"{GUIDE}\nwith", 1), default_timeout=30)
    at.session_state["names"] = ("slow",)
    at.run()

    def drawn_again(draw, run_every):
        def drawn(*given):
            draw(*given)
            slow.go.set()
            final("slow")
            draw(*given)

        return drawn

    monkeypatch.setattr(st, "fragment", drawn_again)
    button(at, "Guide")[0].click().run()
    assert "words of the guide" in texts(at)
    at.run()
    assert texts(at) == ["result: made", "the rest of the page"]
