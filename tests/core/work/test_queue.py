"""The queue: one computation for all who ask, a bound, an order, stopping, errors, kept results."""

import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from core.errors import StrataError
from core.progress import Step
from core.work import Job, Queue, State, Work
from core.work import job as jobs
from core.work import queue as queues

SOON = 10.0


class Gate:
    """Work that runs until it is let go, and knows how often it began and how many ran at once."""

    def __init__(self):
        self.open = threading.Event()
        self.begun: list[str] = []
        self.at_once = self.most = 0
        self._guard = threading.Lock()

    def work(self, key, seconds=0.0, reads=(), result=None, idle=False):
        def compute(progress):
            with self._guard:
                self.begun.append(key)
                self.at_once += 1
                self.most = max(self.most, self.at_once)
            try:
                for i in range(10_000):
                    progress(Step(f"Making {key}", i, 10_000))
                    if self.open.wait(0.005):
                        break
            finally:
                with self._guard:
                    self.at_once -= 1
            return result if result is not None else f"made {key}"

        return Work(key, f"Work {key}", compute, seconds, frozenset(reads), idle=idle)


@pytest.fixture
def gate():
    gate = Gate()
    yield gate
    gate.open.set()


def until(condition) -> None:
    """Wait for something that other threads bring about."""
    end = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


def simple(key, result="result", seconds=0.0):
    return Work(key, "Work", lambda progress: result, seconds)


def failing(key, error, after=0.0):
    def compute(progress):
        time.sleep(after)
        raise error

    return Work(key, "Work", compute)


# -- joining and bounds --------------------------------------------------------------------------------


def test_work_is_done_and_its_result_is_kept():
    queue, calls = Queue(), []
    work = Work("key", "Work", lambda progress: calls.append(1) or "result")
    job = queue.submit(work)
    assert job.wait(SOON)
    assert job.state is State.DONE
    assert queue.submit(work).value() == queue.job(work).value() == "result"
    assert calls == [1]


def test_twenty_visitors_who_ask_at_once_start_one_computation(gate):
    queue, ready = Queue(), threading.Barrier(20)

    def ask(visitor):
        ready.wait()
        job = queue.submit(gate.work("same"), f"visitor {visitor}")
        gate.open.set()
        assert job.wait(SOON)
        return job.value()

    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(ask, range(20)))
    assert results == ["made same"] * 20
    assert gate.begun == ["same"]


@pytest.mark.parametrize("left", [0.0, 12.0, 300.0])
def test_work_that_waited_is_estimated_anew_when_it_begins(left):
    expected = []

    def compute(progress):
        progress(Step("Learning", 0, 10))
        expected.append(job.expected)

    job = Job(Work("score", "Score", compute, 120.0, anew=lambda: left))
    assert job.expected == 120.0
    assert job.run(lambda job: None) is State.DONE
    assert expected == [left]


def test_what_waits_begins_when_what_runs_is_now_expected_to_end(gate):
    queue = Queue(1)
    running = queue.submit(gate.work("running", 60.0))
    waiting = queue.submit(gate.work("waiting", 60.0))
    until(lambda: running.state is State.RUNNING)
    running.pace.expected = 600.0
    assert queue.begins_in(waiting) == pytest.approx(600, abs=30)


def test_the_parts_of_a_job_are_numbered():
    steps = [Step("read", 0, 4), Step("read", 4, 4), Step("score", 1, 2), Step("read", 3, 4)]
    steps += [Step("score", 2, 2), Step("score", 1, 2), Step("score", 0, 2), Step("read", 0, 4)]
    queue, parts = Queue(), []

    def compute(progress):
        for step in steps:
            progress(step)
            parts.append(queue.job(work).pace.part)

    work = Work("key", "Work", compute)
    assert queue.submit(work).wait(SOON)
    assert parts == [1, 1, 2, 1, 2, 2, 3, 4], "a little back is no new start: threads count together"


def test_background_work_that_goes_before_is_known_beforehand(gate):
    queue = Queue(3)
    long, same = (gate.work(key, 60.0, {"pass"}) for key in ("long", "same"))
    other, third = (gate.work(key, 60.0) for key in ("other", "third"))
    assert queue.before([other]) == []
    running = queue.submit(long)
    queue.submit(gate.work("short"))
    assert queue.before([other]) == [], "two of three places are for background work"
    assert queue.before([same]) == [running], "they read the same"
    assert queue.before([long]) == []
    second = queue.submit(other)
    assert queue.before([third]) == [running, second]
    gate.open.set()
    assert all(job.wait(SOON) for job in (running, second))


def test_joining_gives_the_very_job():
    queue = Queue()
    assert queue.submit(simple("a")) is queue.submit(simple("a"))
    assert queue.submit(simple("a")) is not queue.submit(simple("b"))


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_at_most_so_many_jobs_run_at_once(gate, limit):
    queue = Queue(limit)
    made = [queue.submit(gate.work(f"job {i}")) for i in range(8)]
    until(lambda: gate.at_once == limit)
    time.sleep(0.05)
    assert gate.at_once == limit
    gate.open.set()
    assert all(job.wait(SOON) for job in made)
    assert gate.most == limit
    assert sorted(gate.begun) == sorted(f"job {i}" for i in range(8))


def test_a_job_is_seen_while_it_waits_and_while_it_runs(gate):
    queue = Queue(1)
    first, second = (queue.submit(gate.work(key, 2.0)) for key in "ab")
    until(lambda: first.step is not None)
    assert (first.state, second.state) == (State.RUNNING, State.QUEUED)
    assert str(first.step).startswith("Making a: ")
    assert first.elapsed > 0
    assert second.elapsed == 0
    assert queue.active() == [first, second]
    assert first.value() is None
    assert not first.wait(0.01)
    gate.open.set()
    assert second.wait(SOON)
    until(lambda: not queue.active())


def test_a_job_that_was_not_submitted_does_not_run():
    queue = Queue()
    job = queue.job(simple("a"))
    assert job.state is State.NEW
    assert queue.find("a") is None
    assert job.value() is None


# -- order ---------------------------------------------------------------------------------------------


def test_first_come_first_served_and_long_work_after_short(gate):
    queue = Queue(1)
    queue.submit(gate.work("first"))
    for key, seconds in (("long", 60.0), ("short", 1.0), ("unknown", 0.0), ("longer", 600.0)):
        job = queue.submit(gate.work(key, seconds))
    assert queue.ahead_of(job) == 3
    gate.open.set()
    assert job.wait(SOON)
    assert gate.begun == ["first", "short", "unknown", "long", "longer"]


def test_a_queued_job_waits_for_the_running_one_that_reads_the_same(gate):
    queue = Queue(2)
    other = queue.submit(gate.work("other"))
    reading = queue.submit(Work("reading", "Reading", gate.work("reading").compute, reads=frozenset("r")))
    until(lambda: other.step is not None and reading.step is not None)
    same = queue.submit(Work("same", "The same", lambda progress: 1, reads=frozenset("rs")))
    assert queue.waits_for(same) is reading
    assert queue.waits_for(queue.submit(simple("free"))) is other
    assert queue.is_read(frozenset("r"))
    assert queue.is_read(frozenset("rs"))
    assert not queue.is_read(frozenset("t"))
    assert not queue.is_read(frozenset())
    gate.open.set()
    assert same.wait(SOON)
    until(lambda: not queue.active())
    assert not queue.is_read(frozenset("r"))


def test_when_long_work_begins_is_known_where_all_that_goes_first_is_estimated(gate):
    queue = Queue(2)
    short, first = queue.submit(gate.work("short")), queue.submit(gate.work("first", 60.0))
    second, third = queue.submit(gate.work("second", 90.0)), queue.submit(gate.work("third", 120.0))
    until(lambda: short.step is not None and first.step is not None)
    assert queue.waits_for(second) is first, "the place of short work is none for it"
    left = queue.begins_in(second)
    assert 50.0 < left < 60.0
    assert queue.begins_in(third) == pytest.approx(left + 90.0, abs=1.0)
    assert queue.begins_in(first) is None
    pressed = queue.submit(gate.work("pressed"), pressed=True)
    assert queue.ahead_of(third) == 2
    assert queue.begins_in(third) is None, "how long the second takes nobody knows"
    assert queue.begins_in(pressed) is not None
    gate.open.set()
    until(lambda: not queue.active())


def test_work_started_by_a_button_gives_way_to_what_a_page_waits_for(gate):
    queue = Queue(1)
    queue.submit(gate.work("first"))
    last = queue.submit(gate.work("pressed", 1.0), pressed=True)
    queue.submit(gate.work("page", 1.0))
    gate.open.set()
    assert last.wait(SOON)
    assert gate.begun == ["first", "page", "pressed"]


def test_one_place_stays_free_of_long_work(gate):
    queue = Queue(2)
    long = [queue.submit(gate.work(key, 60.0)) for key in ("long", "longer")]
    until(lambda: gate.begun == ["long"])
    short = queue.submit(simple("short"))
    assert short.wait(SOON)
    assert gate.begun == ["long"]
    gate.open.set()
    assert all(job.wait(SOON) for job in long)


def test_every_visitor_has_a_share_of_the_places(gate):
    queue = Queue(1)
    made = [queue.submit(gate.work(f"one {i}"), "one") for i in range(4)]
    made += [queue.submit(gate.work(f"other {i}"), "other") for i in range(2)]
    made += [queue.submit(gate.work("bar"))]
    assert queue.ahead_of(made[4]) == 0
    gate.open.set()
    assert all(job.wait(SOON) for job in made)
    assert gate.begun == ["one 0", "other 0", "one 1", "bar", "other 1", "one 2", "one 3"]


def test_who_has_fewer_running_jobs_is_next(gate):
    queue = Queue(3)
    for key, visitor in (("a", "one"), ("b", "one"), ("c", "other")):
        queue.submit(gate.work(key), visitor)
    until(lambda: gate.at_once == 3)
    for key, visitor in (("d", "one"), ("e", "other"), ("f", "third")):
        job = queue.submit(gate.work(key), visitor)
    assert [job.key for job in queue.active()] == ["a", "b", "c", "f", "e", "d"]
    gate.open.set()
    assert job.wait(SOON)
    assert gate.begun[3] == "f"


def test_the_shortest_long_work_is_next_and_waiting_counts(gate, monkeypatch):
    queue = Queue(1)
    queue.submit(gate.work("first"))
    hour, minutes, unknown = (queue.submit(gate.work(key, seconds), pressed=True) for key, seconds in LONG)
    assert queue.active()[1:] == [unknown, minutes, hour]
    hour.submitted -= 3500.0
    assert queue.active()[1:] == [unknown, hour, minutes]


LONG = (("hour", 3600.0), ("minutes", 120.0), ("unknown", 0.0))


def test_long_work_gives_way_to_short_work_where_there_is_no_place(gate):
    queue = Queue(1, pause=0.01)
    long = queue.submit(gate.work("long", 600.0), "one")
    until(lambda: long.step is not None)
    made = [queue.submit(simple(key), "other") for key in "abc"]
    assert all(job.wait(SOON) for job in made)
    assert long.state is State.RUNNING
    step = long.step
    until(lambda: not long.paused and long.step is not step)
    gate.open.set()
    assert long.wait(SOON)
    assert long.value() == "made long"


def test_work_that_turns_out_to_be_long_gives_way(gate, monkeypatch):
    monkeypatch.setattr(jobs, "LONG", 0.02)
    queue = Queue(2, pause=0.01)
    stated = [queue.submit(gate.work(key), "one") for key in "ab"]
    short = queue.submit(simple("short"), "other")
    assert short.wait(SOON)
    assert not any(job.state.is_final for job in stated)


def test_long_work_goes_on_beside_short_work_that_is_not_short(gate):
    queue = Queue(1, pause=0.05)
    long = queue.submit(gate.work("long", 600.0))
    until(lambda: long.step is not None)
    queue.submit(gate.work("not short"))
    until(lambda: gate.begun == ["long", "not short"])
    more = queue.submit(gate.work("more"))
    until(lambda: not long.paused)
    step = long.step
    until(lambda: long.step is not step)
    assert more.state is State.QUEUED, "one place is taken twice, and no third job begins"


def test_long_work_does_not_give_way_to_what_waits_for_it_nor_to_long_work(gate):
    queue = Queue(1, pause=0.0)
    long = queue.submit(gate.work("long", 600.0, reads={"a pass"}))
    same = queue.submit(gate.work("same", reads={"a pass"}))
    other = queue.submit(gate.work("other", 60.0))
    for _ in range(3):
        step = long.step
        until(lambda step=step: long.step is not step)
    assert gate.begun == ["long"]
    gate.open.set()
    assert same.wait(SOON)
    assert other.wait(SOON)


def test_work_that_gives_way_can_be_stopped(gate):
    queue = Queue(1, pause=SOON)
    long = queue.submit(gate.work("long", 600.0))
    long.resumed = -SOON  # it has run for long
    until(lambda: long.step is not None)
    queue.submit(gate.work("short"))
    until(lambda: long.paused)
    queue.stop("long")
    assert long.wait(SOON)
    assert long.state is State.STOPPED
    assert queue.ended == {State.STOPPED: 1}


def test_idle_work_begins_when_nothing_else_runs_or_waits_one_piece_at_a_time(gate):
    queue = Queue(3)
    other = queue.submit(gate.work("other"))
    first, second = (queue.submit(gate.work(key, idle=True)) for key in ("first", "second"))
    until(lambda: other.step is not None)
    assert (first.state, second.state) == (State.QUEUED, State.QUEUED)
    queue.stop("other")
    until(lambda: first.step is not None)
    assert second.state is State.QUEUED
    gate.open.set()
    assert second.wait(SOON)
    assert gate.begun == ["other", "first", "second"]


@pytest.mark.parametrize("limit", [1, 2])
def test_idle_work_ends_when_other_work_comes_and_can_begin_anew(gate, limit):
    queue = Queue(limit)
    idle = queue.submit(gate.work("idle", idle=True))
    until(lambda: idle.step is not None)
    waiting, other = queue.submit(gate.work("waiting", idle=True)), queue.submit(gate.work("other", 60.0))
    assert queue.ahead_of(other) == 0
    until(lambda: other.step is not None and idle.state is State.STOPPED)
    again = queue.submit(gate.work("idle", idle=True))
    assert (waiting.state, again.state) == (State.QUEUED, State.QUEUED)
    gate.open.set()
    assert waiting.wait(SOON)
    assert again.wait(SOON)
    assert gate.begun == ["idle", "other", "waiting", "idle"]


def test_idle_work_ends_when_its_visitor_has_turned_to_something_else(gate):
    queue = Queue()
    idle = queue.submit(gate.work("idle", idle=True), "one", aside=True)
    until(lambda: idle.step is not None)
    queue.leave("idle", "one")
    assert idle.wait(SOON)
    assert idle.state is State.STOPPED


def test_idle_work_that_waits_stays_for_another_visitor_who_looks_at_the_same(gate, monkeypatch):
    monkeypatch.setattr(jobs, "LOOKING", 0.0)
    queue = Queue(1)
    queue.submit(gate.work("other"), "three")
    for visitor in ("one", "two"):
        idle = queue.submit(gate.work("idle", idle=True), visitor, aside=True)
    queue.leave("idle", "one")
    assert idle.state is State.QUEUED
    queue.leave("idle", "two")
    assert idle.state is State.STOPPED


def test_an_error_of_idle_work_goes_to_the_log_and_others_go_on(gate, capsys):
    def fail(progress):
        raise ZeroDivisionError("in an option")

    queue = Queue(1)
    failed = queue.submit(Work("failing", "Options of pool", fail, idle=True))
    other = queue.submit(gate.work("other"))
    gate.open.set()
    assert failed.wait(SOON)
    assert other.wait(SOON)
    told = capsys.readouterr().err
    assert told.startswith("Options of pool\n")
    assert told.endswith("ZeroDivisionError: in an option\n")


def test_jobs_that_read_the_same_pass_run_one_after_the_other(gate):
    queue = Queue(2)
    made = [queue.submit(gate.work(key, reads={"a pass"})) for key in "ab"]
    other = queue.submit(gate.work("c", reads={"another"}))
    until(lambda: gate.at_once == 2)
    assert gate.begun == ["a", "c"]
    gate.open.set()
    assert all(job.wait(SOON) for job in (*made, other))
    assert gate.begun == ["a", "c", "b"]


# -- stopping ------------------------------------------------------------------------------------------


def test_a_running_job_ends_at_its_next_progress_step(gate):
    queue = Queue(1)
    job = queue.submit(gate.work("a"))
    until(lambda: job.step is not None)
    queue.stop("a")
    assert job.wait(SOON)
    assert job.state is State.STOPPED
    assert job.value() is None
    assert not gate.open.is_set()
    assert queue.submit(simple("b")).wait(SOON)


def test_what_handles_errors_does_not_hold_a_stop_up(gate):
    def stubborn(progress):
        for i in range(10_000):
            try:
                progress(Step("Going on", i, 10_000))
                time.sleep(0.002)
            except Exception:
                time.sleep(0.002)

    queue = Queue()
    job = queue.submit(Work("a", "Work", stubborn))
    until(lambda: job.step is not None)
    queue.stop("a")
    assert job.wait(SOON)
    assert job.state is State.STOPPED


def test_what_is_stored_before_a_stop_is_kept():
    queue, stored, going = Queue(), [], threading.Event()

    def compute(progress):
        for i in range(10_000):
            progress(Step("Storing", i, 10_000))
            stored.append(i)
            going.set()
            time.sleep(0.002)

    job = queue.submit(Work("a", "Work", compute))
    going.wait(SOON)
    queue.stop("a")
    assert job.wait(SOON)
    assert stored
    assert stored == list(range(len(stored)))


def test_a_queued_job_stops_at_once(gate):
    queue = Queue(1)
    queue.submit(gate.work("a"))
    job = queue.submit(gate.work("b"))
    queue.stop("b")
    assert job.state is State.STOPPED
    gate.open.set()
    until(lambda: not queue.active())
    assert gate.begun == ["a"]


def test_stopped_work_can_begin_anew(gate):
    queue = Queue()
    first = queue.submit(gate.work("a"))
    until(lambda: first.step is not None)
    queue.stop("a")
    again = queue.submit(gate.work("a"))
    assert again is not first
    assert first.wait(SOON)
    gate.open.set()
    assert again.wait(SOON)
    assert again.value() == "made a"
    assert gate.most == 1


def test_closing_stops_everything(gate):
    queue = Queue(1)
    made = [queue.submit(gate.work(key)) for key in "abc"]
    assert queue.close(10)
    assert all(job.wait(SOON) for job in made)
    assert {job.state for job in made} == {State.STOPPED}


# -- errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [StrataError("not so"), KeyError("our mistake"), MemoryError()])
def test_an_error_is_raised_where_the_result_is_asked_for(error):
    job = Queue().submit(failing("a", error))
    assert job.wait(SOON)
    assert job.state is State.FAILED
    for _ in range(2):
        with pytest.raises(type(error)) as caught:
            job.value()
        assert caught.value is error
        names = [frame.name for frame in traceback.extract_tb(caught.tb)]
        assert names.count("compute") == 1


def test_every_visitor_gets_the_error_of_the_job_they_share(gate):
    def compute(progress):
        gate.open.wait(SOON)
        raise StrataError("not so")

    queue = Queue()
    one, other = (queue.submit(Work("a", "Work", compute), visitor) for visitor in ("one", "other"))
    gate.open.set()
    for job in (one, other):
        assert job.wait(SOON)
        with pytest.raises(StrataError, match="not so"):
            job.value()


def test_a_quick_failure_is_tried_again_by_the_next_who_asks():
    queue = Queue()
    first = queue.submit(failing("a", StrataError("the disk is full")))
    assert first.wait(SOON)
    assert queue.submit(simple("a")) is first, "nobody has seen the error yet"
    with pytest.raises(StrataError):
        first.value()
    again = queue.submit(simple("a"))
    assert again.wait(SOON)
    assert again.value() == "result"


def test_a_failure_of_work_that_a_visitor_started_is_kept():
    queue = Queue()
    first = queue.submit(failing("a", StrataError("too few sentences")), pressed=True)
    assert first.wait(SOON)
    with pytest.raises(StrataError):
        first.value()
    assert queue.job(simple("a")) is first


def test_a_long_failure_is_kept_for_a_while_and_until_it_is_forgotten(monkeypatch):
    monkeypatch.setattr(queues, "QUICK", 0.0)
    queue = Queue()
    first = queue.submit(failing("a", StrataError("diverged"), after=0.01))
    assert first.wait(SOON)
    with pytest.raises(StrataError):
        first.value()
    assert queue.submit(simple("a")) is first
    queue.forget("a")
    assert queue.submit(simple("a")).wait(SOON)

    second = queue.submit(failing("b", StrataError("diverged"), after=0.01))
    assert second.wait(SOON)
    with pytest.raises(StrataError):
        second.value()
    monkeypatch.setattr(queues, "ERRORS_KEPT", 0.0)
    assert queue.submit(simple("b")) is not second


def test_after_a_failure_others_go_on():
    queue = Queue(1)
    made = [queue.submit(failing("a", ValueError("x"))), queue.submit(simple("b"))]
    assert all(job.wait(SOON) for job in made)
    assert made[1].value() == "result"


class Unmeasurable:
    """A result that does not say what it holds."""

    @property
    def __dict__(self):
        raise RuntimeError("dictionary changed size during iteration")


def test_after_a_result_that_cannot_be_measured_others_go_on():
    queue = Queue(limit=1)
    kept = queue.submit(Work("odd", "Work odd", lambda _: Unmeasurable()), "ann")
    until(lambda: kept.state.is_final)
    assert isinstance(kept.value(), Unmeasurable)
    other = queue.submit(Work("other", "Work other", lambda _: "made"), "ann")
    until(lambda: other.state.is_final)
    assert other.value() == "made"


# -- visitors ------------------------------------------------------------------------------------------


def test_stop_of_one_visitor_leaves_the_job_to_others_who_look_at_it(gate):
    queue = Queue()
    job = queue.submit(gate.work("a"), "one")
    queue.submit(gate.work("a"), "other")
    queue.stop("a", "one")
    assert job.was_left("one")
    assert not job.was_left("other")
    assert not job.stopping
    queue.submit(gate.work("a"), "one")
    assert not job.was_left("one")
    queue.stop("a", "one")
    queue.stop("a", "other")
    assert job.wait(SOON)
    assert job.state is State.STOPPED


def test_stop_ends_a_job_that_others_have_left(gate, monkeypatch):
    monkeypatch.setattr(jobs, "LOOKING", 0.0)
    queue = Queue()
    job = queue.submit(gate.work("a"), "one")
    queue.submit(gate.work("a"), "other")
    queue.stop("a", "one")
    assert job.wait(SOON)


def test_a_job_finishes_when_its_visitor_has_left(gate, monkeypatch):
    monkeypatch.setattr(jobs, "AWAY", 0.0)
    queue = Queue()
    job = queue.submit(gate.work("a"), "one")
    queue.leave("a", "one")
    assert not job.wait(0.05)
    gate.open.set()
    assert job.wait(SOON)
    assert job.value() == "made a"


def test_a_job_stops_when_its_visitor_has_left_and_said_so(gate):
    queue = Queue(1)
    job, queued = (queue.submit(gate.work(key, 60.0), "one") for key in "ab")
    for each in (job, queued):
        each.watch("one", finish=False)
        assert not each.finishes("one")
    assert not job.wait(0.05)
    for key in "ab":
        queue.leave(key, "one")
    assert job.wait(SOON)
    assert queued.wait(SOON)
    assert job.state is queued.state is State.STOPPED
    assert gate.begun == ["a"]


def test_a_job_beside_a_page_stops_when_it_is_left_and_one_that_a_page_asked_for_too_goes_on(gate):
    queue = Queue(2)
    alone, shared = (queue.submit(gate.work(key), "one", aside=True) for key in ("alone", "shared"))
    queue.submit(gate.work("shared"), "one")
    assert shared.finishes("one")
    for key in ("alone", "shared"):
        queue.leave(key, "one")
    assert alone.wait(SOON)
    assert alone.state is State.STOPPED
    assert not alone.was_left("one")
    assert not shared.wait(0.05)


def test_a_stop_on_a_page_holds_for_what_stands_beside_it(gate):
    queue = Queue()
    job = queue.submit(gate.work("a"), "one")
    queue.submit(gate.work("a"), "other")
    queue.stop("a", "one")
    job.watch("one", aside=True)
    assert job.was_left("one")
    assert job.visitors() == ["other"]


def test_a_job_that_one_of_two_wants_finished_finishes(gate, monkeypatch):
    monkeypatch.setattr(jobs, "AWAY", 0.0)
    queue = Queue()
    job = queue.submit(gate.work("a"), "one")
    queue.submit(gate.work("a"), "other")
    job.watch("one", finish=False)
    assert not job.wait(0.05)
    assert job.finishes("other")


def test_short_work_that_nobody_waits_for_any_more_is_not_begun(gate):
    queue = Queue(1)
    queue.submit(gate.work("a"), "one")
    short = queue.submit(gate.work("short"), "one")
    shared = queue.submit(gate.work("shared"), "one")
    queue.submit(gate.work("shared"), "other")
    long = queue.submit(gate.work("long", 60.0), "one")
    pressed = queue.submit(gate.work("pressed"), "one", pressed=True)
    for key in ("a", "short", "shared", "long", "pressed"):
        queue.leave(key, "one")
    assert short.state is State.STOPPED
    assert not short.was_left("one")
    gate.open.set()
    assert all(job.wait(SOON) for job in (shared, long, pressed))
    assert gate.begun == ["a", "shared", "pressed", "long"]


# -- what is kept --------------------------------------------------------------------------------------


def test_the_least_recently_used_results_are_let_go_by_bytes():
    queue = Queue(memory_bytes=10_000, grace=0.0)
    for i in range(5):
        assert queue.submit(simple(i, np.zeros(400))).wait(SOON)  # 3,200 bytes each
    until(lambda: queue.find(0) is None)
    assert queue.find(2).value() is not None
    assert queue.submit(simple(5, np.zeros(400))).wait(SOON)
    until(lambda: queue.find(3) is None)
    assert queue.find(2) is not None


def test_final_jobs_are_bounded_by_number_too():
    queue = Queue(count=3, grace=0.0)
    for i in range(8):
        assert queue.submit(simple(i)).wait(SOON)
    until(lambda: queue.find(4) is None)
    assert [queue.find(i) is not None for i in range(8)] == [False] * 5 + [True] * 3


def test_a_result_is_kept_until_whoever_asked_for_it_comes_to_take_it():
    queue = Queue(memory_bytes=0, count=0)
    made = [queue.submit(simple(i, np.zeros(1000))) for i in range(5)]
    assert all(job.wait(SOON) for job in made)
    assert [queue.find(i) is job for i, job in enumerate(made)] == [True] * 5


@pytest.mark.parametrize("fails", [False, True])
def test_a_final_job_holds_its_work_no_longer(fails):
    """Nor does its error hold what the work had made before it failed."""
    import gc
    import weakref

    class Large:
        pass

    def compute(progress, large):
        held = [large]
        try:
            return 1 // (not fails)
        except ZeroDivisionError as error:
            raise StrataError(f"{len(held)} is too few.") from error

    large = Large()
    seen = weakref.ref(large)
    job = Queue().submit(Work("a", "Work", partial(compute, large=large)))
    del large
    assert job.wait(SOON)

    def is_gone():
        gc.collect()
        return seen() is None

    until(is_gone)
