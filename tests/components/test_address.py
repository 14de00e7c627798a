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


def test_what_was_clicked_while_an_address_was_on_its_way_is_said_again(page):
    """The run of the button says an address, which takes out what the browser writes by itself."""
    page.button[0].click().run()
    said = page.session_state["address.said"]
    page.query_params["map"] = "umap"
    page.button_group[1].set_value("umap").run()
    assert page.query_params == {"family": "Layers", "map": "umap", "method": "Ditto"}
    assert page.session_state["address.said"] not in ("", said)


def test_an_address_is_said_until_the_browser_asks_with_it(page):
    page.button[0].click().run()
    for _ in range(4):
        page.run()
    assert "address.said" not in page.session_state


def test_an_address_that_undid_a_click_is_mended_by_the_next_run(page):
    """The run of the click was ended by the next before it could say anything."""
    page.button[0].click().run()
    page.button_group[1].set_value("umap")
    del page.query_params["family"]
    page.run()
    assert page.query_params == {"family": "Layers", "map": "umap", "method": "Ditto"}
