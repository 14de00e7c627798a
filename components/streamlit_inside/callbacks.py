"""A click counts, whatever asks for a run of the page in the same moment.

Streamlit calls the callback of a control once, in the first run that hears of its new value. Two requests
in one moment, such as those of a click and of the clock of a part that redraws itself, could end that
callback in the middle; the run that follows hears of nothing new, and shows the choice before. So callbacks
run to their end here, and the request is taken up when the page is drawn. That no two runs of a visitor
change the same state at a time is the setting ``runner.fastReruns``.
"""

from __future__ import annotations

from functools import wraps

from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState

_TAKE_UP = ScriptRunner._maybe_handle_execution_control_request


@wraps(_TAKE_UP)
def _take_up_after_callbacks(runner: ScriptRunner) -> None:
    if ThreadState.get().run_location is not RunLocation.CALLBACK:
        _TAKE_UP(runner)


def run_to_their_end() -> None:
    """Have callbacks run to their end, in all runs that begin after this.

    ``ScriptRunner._maybe_handle_execution_control_request``, which ends a run where another one is asked
    for, does nothing while ``ThreadState`` says that the run is in a callback. A version that lacks one of
    them raises ImportError or AttributeError when app.py is run.
    """
    ScriptRunner._maybe_handle_execution_control_request = _take_up_after_callbacks  # type: ignore[method-assign]
