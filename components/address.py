"""The address in the browser says what the controls say, after quick clicks too.

Where code sets a control, Streamlit (1.67) sends the browser the whole address, as the browser had it when
it asked for that run. What the visitor has clicked meanwhile is taken out of it, and is missing for good:
in the next run the control says what was clicked, and nobody writes it.
"""

from __future__ import annotations

from components import held
from components.link import controls
from components.link.controls import Said
from components.streamlit_inside import address


def say_again() -> None:
    """Send what the controls of a run say, at its end, where code has set one shortly before.

    What is right already is sent as the browser spells it, which then does nothing.
    """
    if not held.is_recent():
        return
    said = controls.of_this_run()
    wanted = {name: () if one.values == one.untouched else one.values for name, one in said.items()}
    written = address.written(wanted)
    missed = {name: values for name, values in wanted.items() if not Said(values).agrees(written[name])}
    if missed:
        address.write(missed)
    else:
        address.send_as_asked()
