"""The address in the browser says what the controls say, after quick clicks too.

Where code sets a control, Streamlit (1.67) sends the browser the whole address, as the browser had it when
it asked for that run. What the visitor has clicked meanwhile is taken out of it, and is missing for good:
in the next run the control says what was clicked, and nobody writes it.
"""

from __future__ import annotations

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components import held
from components.link import controls
from components.link.controls import Said


def say_again() -> None:
    """Send what the controls of a run say, at its end, where code has set one shortly before.

    What is right already is sent as the browser spells it, which then does nothing.
    """
    run = get_script_run_ctx()
    if run is None or not held.is_recent():
        return
    said = controls.of_this_run()
    with run.session_state.query_params() as parameters:
        wanted = {name: () if one.values == one.untouched else one.values for name, one in said.items()}
        missed = {
            name: values
            for name, values in wanted.items()
            if not Said(values).agrees(parameters.get_all(name))
        }
        for name, values in missed.items():
            parameters.discard_param_no_forward_msg(name)
            if values:
                parameters._query_params[name] = values[0] if len(values) == 1 else list(values)
        if missed:
            parameters._send_query_param_msg()
            return
    message = ForwardMsg()
    message.page_info_changed.query_string = run.query_string
    run.enqueue(message)
