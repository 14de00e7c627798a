"""What ``components/cached.py`` needs of Streamlit beside its public interface."""

import inspect
from importlib.metadata import version

import pytest
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from components import cached
from components.figure_frame import FRAMES
from components.streamlit_inside import this_run

CHECKED = "1.67"
"""The Streamlit version for which :func:`components.cached._through_the_door` was checked in a browser."""


def test_the_private_flag_was_checked_for_this_version():
    assert version("streamlit").startswith(f"{CHECKED}."), (
        f"Streamlit {version('streamlit')} is not {CHECKED}. Open a page by its own address on a server "
        "that nobody has visited yet: navigation and the title must be there. Then raise CHECKED."
    )


def test_the_flag_of_the_pages_folder_is_an_attribute_of_the_class():
    assert "uses_pages_directory" in vars(PagesManager)
    assert PagesManager.uses_pages_directory in (None, True, False)


def test_streamlit_still_reads_the_flag_from_the_class():
    source = inspect.getsource(inspect.getmodule(PagesManager))
    assert "PagesManager.uses_pages_directory is None" in source, "False once set must stay False"


class SentAnew(Exception):
    """The page is run again."""


@pytest.mark.parametrize(
    "flag", [True, False], ids=["the first visitor", "one who came at the same moment"]
)
def test_a_page_that_was_run_past_app_py_is_sent_through_it(monkeypatch, flag):
    def rerun():
        raise SentAnew

    monkeypatch.setattr(this_run, "main_script", lambda: cached.APP)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", flag)
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(st, "rerun", rerun)
    with pytest.raises(SentAnew):
        cached._through_the_door()
    assert PagesManager.uses_pages_directory is False
    st.session_state[FRAMES] = "app.py was run"
    cached._through_the_door()
