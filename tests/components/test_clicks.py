"""A callback runs to its end, and once for a click, whatever asks for a run meanwhile."""

import threading
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException, StopException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.runtime.state.safe_session_state import SafeSessionState

from components.streamlit_inside import callbacks


@pytest.fixture
def runner():
    """One that is in the middle of a run, in this thread."""
    callbacks.run_to_their_end()
    runner = object.__new__(ScriptRunner)
    runner._script_thread, runner._execing = threading.current_thread(), True
    runner._requests = ScriptRequests()
    return runner


@pytest.fixture
def called() -> list[str]:
    """What was called, in the order."""
    return []


@pytest.fixture
def state(runner, called) -> SafeSessionState:
    """The state of a visit in which one control has changed, whose callback draws something."""

    class Changed:
        def on_script_will_rerun(self, *_, **__) -> None:
            runner._maybe_handle_execution_control_request()
            called.append("close")

    return SafeSessionState(Changed(), runner._maybe_handle_execution_control_request)


@pytest.mark.parametrize("asked", ["run", "end"])
def test_a_request_waits_for_the_callbacks_of_the_one_before_and_no_longer(runner, state, called, asked):
    if asked == "run":
        runner._requests.request_rerun(RerunData(query_string="later"))
    else:
        runner._requests.request_stop()
    state.on_script_will_rerun(None)
    assert called == ["close"]
    with pytest.raises(RerunException if asked == "run" else StopException):
        runner._maybe_handle_execution_control_request()


def test_a_callback_that_ends_its_run_itself_holds_no_later_request_up(runner):
    class Ends:
        def on_script_will_rerun(self, *_, **__) -> None:
            raise StopException

    with pytest.raises(StopException):
        SafeSessionState(Ends(), lambda: None).on_script_will_rerun(None)
    runner._requests.request_stop()
    with pytest.raises(StopException):
        runner._maybe_handle_execution_control_request()


def test_one_visitors_runs_follow_each_other():
    """With runs of their own, a click and the clock of a panel change the same choices at a time."""
    settings = Path(__file__).parents[2] / ".streamlit" / "config.toml"
    assert tomllib.loads(settings.read_text("utf-8"))["runner"]["fastReruns"] is False


@pytest.fixture
def told(monkeypatch) -> list[ClientState | None]:
    """The requests that reach Streamlit."""
    told: list[ClientState | None] = []
    monkeypatch.setattr(callbacks, "_REQUEST", lambda _, state: told.append(state))
    monkeypatch.setattr(AppSession, "request_rerun", AppSession.request_rerun)
    callbacks.run_to_their_end()
    return told


@pytest.mark.parametrize("of_clock", [True, False])
def test_a_click_is_told_by_its_own_request_and_by_no_clock_before_it(told, of_clock):
    """The browser says what is clicked in all that it sends until it has sent the click."""
    state = ClientState(is_auto_rerun=of_clock, fragment_id="clock" if of_clock else "")
    state.widget_states.widgets.add(id="open", trigger_value=True)
    state.widget_states.widgets.add(id="name", string_value="first+last")
    state.widget_states.widgets.add(id="menu").json_trigger_value = '[{"event": "chosen"}]'
    AppSession.request_rerun(SimpleNamespace(_scriptrunner=None), state)
    kept = [one.id for one in told[0].widget_states.widgets]
    assert kept == (["name"] if of_clock else ["open", "name", "menu"])


@pytest.mark.parametrize(
    ("waits", "is_heard"),
    [(None, True), (RerunData(fragment_id="clock"), True), (RerunData(page_script_hash="second"), False)],
    ids=["nothing", "a part", "another page"],
)
def test_no_clock_takes_back_a_request_for_another_page(told, waits, is_heard):
    requests = ScriptRequests()
    if waits is not None:
        requests.request_rerun(waits)
    visit = SimpleNamespace(_scriptrunner=SimpleNamespace(_requests=requests))
    AppSession.request_rerun(visit, ClientState(is_auto_rerun=True, page_script_hash="first"))
    assert len(told) == is_heard
    click = ClientState(page_script_hash="first")
    AppSession.request_rerun(visit, click)
    assert told[-1] == click, "a click is always heard"


def test_a_run_without_a_browsers_words_is_asked_for_as_before(told):
    AppSession.request_rerun(SimpleNamespace(), None)
    assert told == [None]
