"""A callback runs to its end, whatever asks for a run meanwhile."""

import threading
import tomllib
from pathlib import Path

import pytest
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
