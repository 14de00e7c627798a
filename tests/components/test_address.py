"""After quick clicks too the address says what the controls say."""

import pytest
from streamlit.testing.v1 import AppTest


@pytest.fixture
def page():
    """A bound control, and a button whose callback sets another one."""

    def script():
        import streamlit as st

        from components import address, held

        held.hear()
        st.pills("Family", ["Layers", "Weights"], key="family", bind="query-params")
        st.segmented_control("Map", ["pca", "umap"], default="pca", key="map", bind="query-params")
        st.text_input("Method", "SIF", key="method", bind="query-params")
        st.button("Set", on_click=held.hold, args=("method", "Ditto"))
        address.say_again()
        held.tell()

    page = AppTest.from_function(script, default_timeout=60).run()
    page.button_group[0].set_value("Layers").run()
    page.query_params["family"] = "Layers"  # which the browser writes by itself
    return page


def test_what_was_clicked_before_the_browser_had_the_whole_address_is_said_again(page):
    """The browser has an address from before the click on the family."""
    page.button_group[0].set_value("Weights")
    page.button_group[1].set_value("umap")
    page.button[0].click().run()
    assert page.query_params == {"family": "Weights", "map": "umap", "method": "Ditto"}


def test_a_control_at_its_default_is_in_no_address(page):
    page.query_params["map"] = "umap"
    page.button[0].click().run()
    assert page.query_params == {"family": "Layers", "method": "Ditto"}


def test_long_after_code_has_set_a_control_the_address_is_left_to_the_browser(page):
    page.query_params["family"] = "Weights"
    page.run()
    assert page.query_params == {"family": "Weights"}
