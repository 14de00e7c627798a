"""The recipe bar in a real browser."""

import re
from urllib.parse import quote

import pytest

from tests.browser.conftest import settle
from tests.browser.keys import tab_to
from tests.browser.reading import (
    IN_VIEW,
    SENTENCES,
    A,
    B,
    alerts,
    answer,
    box,
    cell,
    changed,
    open_menu,
    pill,
    query,
    wait_for,
    write,
)

HEATMAPS = ".js-plotly-plot .heatmaplayer image"
PANELS = 6
"""Three matrices, each with a layer for the values in its light cells."""


def test_a_recipe_is_written_by_keys_alone_and_stands_in_the_address_and_nonsense_is_told(visit):
    page = visit()
    labels = [cell(page, f"{side}-pool").get_attribute("aria-label") for side in "ab"]
    assert labels == ["A pool: mean", "B pool: mean"]
    assert cell(page, "a-source").get_attribute("aria-label").startswith("A model: ")
    page.locator("body").press("Tab")
    tab_to(page, ".st-key-cell-a button")
    page.keyboard.press("Enter")
    page.locator(".st-key-text-a").wait_for(state="visible")
    settle(page)
    tab_to(page, f'[aria-label="{A}"]')
    page.keyboard.press("Control+a")
    page.keyboard.type("layers=2")
    page.keyboard.press("Enter")
    wait_for(page, lambda: query(page).get("a") == "layers=2")
    settle(page)
    write(page, A, "layers=all;pool=max")
    assert query(page)["a"] == "layers=all;pool=max"
    assert "A: all layers, max pooling" in "".join(answer(page)["captions"])
    write(page, A, "pool=mena")
    assert "Did you mean 'mean'?" in "".join(alerts(page))


def test_a_click_is_answered_with_what_changed_not_with_what_draws_it(visit):
    page = visit("/layers?corpus=dogs&edit=b.pool")
    frames: list[bytes | str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    page.reload()
    settle(page)
    assert sum(b"class Plot" in frame for frame in frames) == 1, "once for all figures"
    frames.clear()
    pill(page, "max").click()
    wait_for(page, lambda: "pool=max" in query(page).get("b", ""))
    settle(page)
    assert any(b'"figure":' in frame for frame in frames)
    assert not any(b"class Plot" in frame or b"class Row" in frame for frame in frames)


def test_a_tooltip_goes_when_its_button_or_cell_is_pressed_and_comes_again(visit):
    page = visit("/?corpus=dogs&a=layers%3Dlast&b=none")
    name, tooltip = cell(page, "a"), page.locator("[role=tooltip]")
    name.hover()
    tooltip.wait_for(state="visible")
    name.click()
    wait_for(page, lambda: not tooltip.is_visible())
    page.locator(".st-key-text-a").wait_for(state="visible")
    settle(page)
    assert not tooltip.is_visible(), "the pointer is over the button still"
    drag = page.locator(".js-plotly-plot .nsewdrag").first
    drag.scroll_into_view_if_needed()
    label = page.locator(".hoverlayer .hovertext").first
    drag.hover(position={"x": 40, "y": 60})
    label.wait_for(state="visible")
    drag.click(position={"x": 40, "y": 60})
    settle(page)
    assert not label.is_visible()
    drag.hover(position={"x": 80, "y": 60})
    label.wait_for(state="visible")


def test_a_cell_that_a_tooltip_covers_is_pressed(visit):
    """The pointer that comes from below passes the name of B, whose tooltip opens over the cells of A."""
    page = visit("/?corpus=dogs")
    cell(page, "b").hover()
    tooltip = page.locator("[role=tooltip]")
    tooltip.wait_for(state="visible")
    covers, covered = tooltip.bounding_box(), cell(page, "a-source").bounding_box()
    across = (
        max(covers["x"], covered["x"]),
        min(covers["x"] + covers["width"], covered["x"] + covered["width"]),
    )
    down = (
        max(covers["y"], covered["y"]),
        min(covers["y"] + covers["height"], covered["y"] + covered["height"]),
    )
    assert across[0] < across[1], "it covers none of the cell"
    assert down[0] < down[1], "it covers none of the cell"
    page.mouse.move(sum(across) / 2, sum(down) / 2)
    page.mouse.down()
    page.wait_for_timeout(80)
    page.mouse.up()
    wait_for(page, lambda: query(page).get("edit") == "a.source")


def mark(pill):
    """What stands before the words of an option."""
    return pill.evaluate("button => getComputedStyle(button, '::before').content")


def test_a_cell_opens_its_editor_by_a_click_or_two_and_the_editor_writes_the_recipe(visit):
    page = visit("/?corpus=dogs&a=layers%3Dlast")
    cell(page, "a-pool").dblclick()
    wait_for(page, lambda: query(page).get("edit") == "a.pool")
    settle(page)
    assert query(page).get("edit") == "a.pool", "a double click opens a cell and leaves it open"
    cell(page, "a-pool").click()
    wait_for(page, lambda: "edit" not in query(page))
    settle(page)
    cell(page, "a-pool").click()
    assert mark(pill(page, "max")) == "none", "a click replaces"
    pill(page, "max").click()
    wait_for(page, lambda: query(page).get("a") == "layers=last;pool=max")
    settle(page)
    assert query(page)["edit"] == "a.pool"
    assert box(page, A).input_value() == "layers=last;pool=max"
    assert page.locator(".st-key-cell-a-pool").inner_text() == "max"
    assert "A: last layer, max pooling" in "".join(answer(page)["captions"])
    page.keyboard.press("Escape")
    page.locator(".st-key-editor").wait_for(state="detached")


def test_what_is_no_number_leaves_a_number_as_it_was(visit):
    recipe = "layers=last;weight=usif(n=7)"
    page = visit(f"/?corpus=dogs&a={recipe.replace('=', '%3D')}&edit=a.weight")
    field = page.locator(".st-key-editor [data-testid=stNumberInput] input")
    for written in ("abc", ""):
        field.press("Control+a")
        field.press("Delete")
        page.keyboard.type(written)
        field.press("Enter")
        settle(page)
        assert field.input_value() == "7"
        assert query(page)["a"] == recipe
    refused = {
        "1e30": "Value must be less than or equal to 1000.",
        "3.7": "A whole number is needed, as 4.",
        "0.2": "A whole number is needed, as 1.",
        "1e1": "",
    }
    for written, said in refused.items():
        field.fill(written)
        field.press("Enter")
        settle(page)
        assert query(page)["a"] == (recipe if said else "layers=last;weight=usif(n=10)")
        assert field.evaluate("one => one.validationMessage") == said
    field.fill("5.5")
    field.press("Tab")
    settle(page)
    assert query(page)["a"] == "layers=last;weight=usif(n=10)"
    assert field.evaluate("one => one.validationMessage") == "A whole number is needed, as 6."


def test_layers_2_and_5_for_b_are_four_clicks_without_scrolling(visit):
    page = visit("/?b=layers%3Dlast")
    figure = page.locator(".js-plotly-plot").first.element_handle()
    before = figure.evaluate("one => JSON.stringify(one.data)")
    cell(page, "b-layers").click()
    page.locator(".st-key-editor button").first.wait_for()
    settle(page)
    seen = page.evaluate(IN_VIEW)
    for written, name in (("2+last", "2"), ("2+5+last", "5"), ("2+5", "last")):
        assert pill(page, name).bounding_box()["y"] < 720
        pill(page, name).click()
        wait_for(page, lambda text=written: query(page).get("b") == f"layers={text}")
        settle(page)
    assert [mark(pill(page, name)) for name in ("2", "3")] == ['"✓"', '""'], "a box to tick: a click adds"
    assert "B: layers 2+5, mean" in "".join(answer(page)["captions"])
    assert figure.evaluate("one => one.isConnected"), "a figure changes in place"
    assert figure.evaluate("one => JSON.stringify(one.data)") != before
    assert changed(seen, page.evaluate(IN_VIEW)), "a figure that is in view"


def test_clicks_that_come_faster_than_the_page_answers_all_count(visit):
    page = visit("/?b=layers%3Dlast&edit=b.layers")
    for _ in range(3):
        for name in "123450":
            place = pill(page, name).bounding_box()
            page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
            page.wait_for_timeout(40)
        settle(page)
        assert query(page)["b"] == "layers=0+1+2+3+4+5+last"
        pill(page, "last alone").click()
        wait_for(page, lambda: query(page)["b"] == "layers=last")
        settle(page)


@pytest.mark.parametrize(
    ("names", "added"), [(("target", "quantile"), ""), (("quantile", "target"), "(fit=reference)")]
)
def test_clicks_in_two_groups_of_an_editor_both_count(visit, names, added):
    """The second comes with all that the browser showed before it heard of the first.

    A step that is added learns from what the step before it learns from at that moment.
    """
    begin = "source=untuned;layers=last;post=zscore"
    page = visit(f"/?b={quote(begin + '(fit=reference)')}&edit=b.post")
    first, second = (pill(page, name).element_handle() for name in names)
    page.evaluate(
        "([first, second]) => (first.click(), setTimeout(() => second.click(), 60))", [first, second]
    )
    clicked = f"{begin}+quantile{added}"
    wait_for(page, lambda: query(page)["b"] == clicked)
    settle(page)
    assert query(page)["b"] == clicked


def test_the_closed_bar_is_low_and_stays_in_sight(visit):
    page = visit("/scores")
    bar = page.locator(".st-key-bar")
    for width, height in ((1280, 720), (1440, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        page.locator("h1, h2").first.scroll_into_view_if_needed()
        assert bar.bounding_box()["height"] <= 140
        page.locator(".js-plotly-plot").last.scroll_into_view_if_needed()
        assert 0 <= bar.bounding_box()["y"] < 20
        right = page.locator(".st-key-score-b").bounding_box()
        assert right["x"] + right["width"] <= width
    bottom = page.evaluate(
        """() => {
            const stop = document.createElement('div');
            stop.dataset.testid = 'stStatusWidget';
            stop.textContent = 'Stop';
            document.querySelector('[data-testid=stHeader]').append(stop);
            const {top} = stop.getBoundingClientRect();
            stop.remove();
            return window.innerHeight - top;
        }"""
    )
    assert 0 < bottom < 60, "what is there while a page works does not lie over the bar"


@pytest.mark.parametrize(("path", "side"), [("/scores", "b"), ("/layers", "a")])
def test_a_toggle_changes_a_figure_that_is_in_view(visit, path, side):
    page = visit(f"{path}?{side}=layers%3Dlast&edit={side}.pool")
    before = page.evaluate(IN_VIEW)
    pill(page, "max").click()
    wait_for(page, lambda: query(page).get(side) == "layers=last;pool=max")
    settle(page)
    assert changed(before, page.evaluate(IN_VIEW))


def test_the_menu_of_a_recipe_has_its_header_on_top_and_nothing_covers_its_text_form(visit):
    page = visit("/?edit=b")
    page.locator(".st-key-text-b").wait_for(state="visible")
    settle(page)
    blocks = [page.locator(f".st-key-{name}") for name in ("row-b", "editor", "text-b")]
    edges = [block.bounding_box() for block in (*blocks, box(page, B))]
    row, header, form, field = ((round(edge["y"]), round(edge["y"] + edge["height"])) for edge in edges)
    assert row[0] < header[0]
    assert header[1] <= form[0]
    assert form[0] < field[0] < field[1] < form[1] - 5
    lines = cell(page, "b").locator("p").bounding_box()["height"]
    frame = cell(page, "b").evaluate("button => button.clientHeight")
    assert 20 < lines <= frame, "a name of two lines is whole in its frame"


def test_a_preset_is_taken_and_one_that_needs_more_sentences_offers_the_reference(visit):
    page = visit("/?b=source%3Duntuned%3Blayers%3Dlast")
    open_menu(page, "b")
    page.get_by_role("combobox", name=re.compile("Preset")).click()
    page.keyboard.type("ABTT")  # the menu is long: one types to find a method
    page.get_by_role("option", name=re.compile("^ABTT · ")).first.click()
    wait_for(page, lambda: query(page).get("b") == "source=untuned;post=abtt")
    settle(page)
    write(page, SENTENCES, "A cat sat.\nA dog ran.")
    assert "fit=reference" in "".join(alerts(page))
    page.get_by_role("button", name="Fit on the reference instead").click()
    wait_for(page, lambda: query(page).get("b") == "source=untuned;post=abtt(fit=reference)")
    settle(page)
    assert alerts(page) == []
    assert page.locator(HEATMAPS).count() == PANELS
    cell(page, "b-post").click()
    menu = page.get_by_role("combobox", name=re.compile("reference"))
    menu.wait_for()
    assert page.locator(".st-key-editor").bounding_box()["height"] <= 220, "the figure is in view"
    menu.click()
    page.keyboard.type("dogs")  # any corpus can be written, one of pairs too
    page.keyboard.press("Enter")
    wait_for(page, lambda: query(page)["b"] == "source=untuned;post=abtt(fit=reference);reference=dogs")
    settle(page)
    assert alerts(page) == []
