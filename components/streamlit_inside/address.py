"""The query parameters of a visit, where ``st.query_params`` may not: those that are bound to controls.

All of it is of Streamlit's ``QueryParams``, by the session state of the run. Outside a run nothing is done.
In a version that lacks an attribute of it, each function raises AttributeError.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx


def start_with(name: str, values: Sequence[str]) -> None:
    """Have a control that is drawn for the first time after this start with what a link says.

    Streamlit starts controls with ``_initial_query_params``: the address as the page was opened, by name.
    """
    if (run := get_script_run_ctx()) is not None:
        with run.session_state.query_params() as parameters:
            parameters._initial_query_params[name] = list(values)


def start_without(name: str) -> None:
    """Have a control that is drawn for the first time after this start with its default."""
    if (run := get_script_run_ctx()) is not None:
        with run.session_state.query_params() as parameters:
            parameters._initial_query_params.pop(name, None)


def written(names: Collection[str]) -> dict[str, list[str]]:
    """What the address says of these parameters (``get_all``), bound ones too; nothing is an empty list."""
    if (run := get_script_run_ctx()) is None:
        return {name: [] for name in names}
    with run.session_state.query_params() as parameters:
        return {name: parameters.get_all(name) for name in names}


def write(changes: Mapping[str, Sequence[str]]) -> None:
    """Write parameters, bound ones too, and send the browser the whole address; no value takes one out.

    ``discard_param_no_forward_msg``, ``_query_params`` and ``_send_query_param_msg``.
    """
    if (run := get_script_run_ctx()) is not None:
        with run.session_state.query_params() as parameters:
            for name, values in changes.items():
                parameters.discard_param_no_forward_msg(name)
                if values:
                    parameters._query_params[name] = values[0] if len(values) == 1 else list(values)
            parameters._send_query_param_msg()


def send_as_asked() -> None:
    """Send the browser the address as it asked for this run: ``page_info_changed`` of a ``ForwardMsg``."""
    if (run := get_script_run_ctx()) is not None:
        message = ForwardMsg()
        message.page_info_changed.query_string = run.query_string
        run.enqueue(message)
