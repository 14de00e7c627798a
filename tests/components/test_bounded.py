"""Fields of bounded length: more than they take is cut, with a word."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components import bounded

ROOT = Path(bounded.__file__).parent


def page() -> None:
    import streamlit as st

    from components import bounded

    def note(which: str) -> None:
        st.session_state.setdefault("seen", []).append((which, st.session_state[which]))

    line = bounded.text_input("Title", "as it is", most=10, key="line", on_change=note, args=("line",))
    lines = bounded.text_area("Note", most=20, key="lines")
    st.write(f"{len(line)} {len(lines)}")


@pytest.mark.parametrize("more", [11, 20, 1_000_000])
def test_what_is_too_long_is_cut_and_told(more):
    at = AppTest.from_function(page).run()
    at.text_input(key="line").set_value("x" * more).run()
    assert at.text_input(key="line").value == "x" * 10
    assert at.session_state["seen"] == [("line", "x" * 10)]
    assert [one.value for one in at.toast] == [f"Title: of {more:,} characters the first 10 are kept."]
    at.text_area(key="lines").set_value("y" * 2 * more).run()
    assert [one.value for one in at.toast] == [f"Note: of {2 * more:,} characters the first 20 are kept."]
    assert at.markdown[0].value == "10 20"


def test_what_fits_is_not_spoken_of():
    at = AppTest.from_function(page).run()
    at.text_input(key="line").set_value("x" * 10).run()
    assert not at.toast
    assert at.session_state["seen"] == [("line", "x" * 10)]


def test_no_field_leaves_a_long_paste_out_without_a_word():
    texts = {path: path.read_text("utf-8") for path in ROOT.rglob("*.py")}
    assert [path.name for path, text in texts.items() if "max_chars=" in text] == []
