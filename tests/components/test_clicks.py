"""A callback runs to its end, whatever asks for a run meanwhile."""

import threading
import tomllib
from pathlib import Path

import pytest
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException, StopException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState

from components.streamlit_inside import callbacks


@pytest.fixture
def runner():
    """One that is in the middle of a run, in this thread."""
    callbacks.run_to_their_end()
    runner = object.__new__(ScriptRunner)
    runner._script_thread, runner._execing = threading.current_thread(), True
    runner._requests = ScriptRequests()
    return runner


@pytest.mark.parametrize("asked", ["run", "end"])
def test_a_request_waits_for_the_callback_and_no_longer(runner, asked):
    if asked == "run":
        runner._requests.request_rerun(RerunData(query_string="later"))
    else:
        runner._requests.request_stop()
    ThreadState.initialize()
    with ThreadState.scoped(run_location=RunLocation.CALLBACK):
        runner._maybe_handle_execution_control_request()
    with pytest.raises(RerunException if asked == "run" else StopException):
        runner._maybe_handle_execution_control_request()


def test_one_visitors_runs_follow_each_other():
    """With runs of their own, a click and the clock of a panel change the same choices at a time."""
    settings = Path(__file__).parents[2] / ".streamlit" / "config.toml"
    assert tomllib.loads(settings.read_text("utf-8"))["runner"]["fastReruns"] is False
