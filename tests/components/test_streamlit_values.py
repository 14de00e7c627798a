"""What a visit holds, looked up one by one: the same answers as of all of it."""

import pytest
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest

from components.streamlit_inside import values


@pytest.fixture(params=[False, True], ids=["whole", "one"])
def way(request, monkeypatch) -> bool:
    """Streamlit's own way, and ours."""
    monkeypatch.setattr(SafeSessionState, "filtered_state", SafeSessionState.filtered_state)
    if request.param:
        values.look_up_one()
    else:
        SafeSessionState.filtered_state = property(values._WHOLE)
    return request.param


def controls() -> None:
    import streamlit as st

    if st.button("empty"):
        for key in ("text", "number", "radio", "select", "slider"):
            st.session_state[key] = None
    st.session_state.setdefault("mine", "kept")
    st.text_input("text", value="a", key="text")
    st.text_input("without a key", value="b")
    st.number_input("number", value=3, key="number")
    st.radio("radio", ["x", "y"], key="radio")
    st.selectbox("select", ["x", "y"], key="select")
    st.text(sorted(st.session_state))
    st.text(len(st.session_state))
    st.text(str({key: st.session_state[key] for key in sorted(st.session_state)}))
    st.text("gone" in st.session_state)


def seen(at: AppTest) -> list[str]:
    assert not at.exception
    return [text.value for text in at.text] + [
        str(one.value) for one in (*at.text_input, *at.number_input, *at.radio, *at.selectbox)
    ]


def walked() -> list[list[str]]:
    """What is seen on arrival, after a change, and after controls are emptied."""
    at = AppTest.from_function(controls).run()
    steps = [seen(at)]
    at.text_input(key="text").set_value("typed").run()
    steps.append(seen(at))
    at.button[0].click().run()
    steps.append(seen(at))
    at.text_input(key="text").set_value("again").run()
    return [*steps, seen(at)]


EXPECTED = [
    ["a", "b", "3", "x", "x"],
    ["typed", "b", "3", "x", "x"],
    ["None", "b", "None", "None", "None"],
    ["again", "b", "None", "None", "None"],
]


def test_controls_hold_what_they_hold_the_other_way(way):
    steps = walked()
    assert [step[4:] for step in steps] == EXPECTED
    assert "'mine'" in steps[0][0]
    assert steps[0][1] == "5"
    assert all(step[3] == "False" for step in steps)


def test_a_control_that_is_drawn_does_not_go_through_all(monkeypatch):
    monkeypatch.setattr(SafeSessionState, "filtered_state", SafeSessionState.filtered_state)
    values.look_up_one()
    whole, asked = values._WHOLE, []
    monkeypatch.setattr(values, "_WHOLE", lambda state: asked.append(1) or whole(state))

    def page():
        import streamlit as st

        st.text_input("text", value="a", key="text")
        if st.toggle("all"):
            list(st.session_state)

    at = AppTest.from_function(page).run()
    assert not asked
    at.toggle[0].set_value(True).run()
    assert asked


def test_a_control_without_a_key_and_a_note_of_streamlits_are_not_among_the_values(way):
    def page():
        import streamlit as st
        from streamlit.runtime.state import get_session_state

        st.text_input("without a key", value="b")
        ids = [key for key in get_session_state()._state._keys() if key.startswith("$$")]
        held = get_session_state().filtered_state
        st.text(f"{len(ids)} {[key in held for key in ids]}")

    at = AppTest.from_function(page).run()
    assert [text.value for text in at.text] == ["2 [False, False]"]
