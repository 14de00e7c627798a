"""The address in the browser says what the controls say, after quick clicks too.

Where code sets a control, Streamlit (1.67) sends the browser the whole address, as the browser had it when
it asked for that run. What the visitor has clicked meanwhile is taken out of it, and is missing for good:
in the next run the control says what was clicked, and nobody writes it. What is said again here may meet
such a click on its way, too. So it is said in each run until the browser asks for one with what was said.
"""

from __future__ import annotations

import streamlit as st

from components import held
from components.link import controls
from components.link.controls import Said
from components.streamlit_inside import address, this_run

_SAID = "address.said"
"""Key of the address that was said last, until the browser has asked with it."""


def say_again() -> None:
    """Send what the controls of a run say, at its end, where an address may be on its way to the browser.

    So it is where code has set a control shortly before, and where one was sent that the browser did not
    say in this request. What is right already is sent as the browser spells it, which then does nothing.
    """
    before, asked = st.session_state.get(_SAID), this_run.query_string()
    if before is None and not held.is_recent():
        return
    said = controls.of_this_run()
    wanted = {name: () if one.values == one.untouched else one.values for name, one in said.items()}
    written = address.written(wanted)
    missed = {name: values for name, values in wanted.items() if not Said(values).agrees(written[name])}
    if missed:
        address.write(missed)
    elif asked == before and not held.is_recent():
        del st.session_state[_SAID]
        return
    else:
        address.send_as_asked()
    st.session_state[_SAID] = this_run.query_string()
