"""What stays the same for somebody else and from page to page."""

import re
from urllib.parse import urlsplit

import pytest

from components.link.arriving import MARK
from components.state import DEFAULTS
from components.stories import STORIES
from tests.browser.conftest import settle
from tests.browser.reading import (
    SENTENCES,
    A,
    B,
    alerts,
    answer,
    box,
    cell,
    chosen,
    open_menu,
    option,
    pill,
    query,
    wait_for,
    write,
)


def test_a_link_shows_the_same_to_somebody_else_by_the_names_of_recipes_too(visit):
    page = visit()
    open_menu(page, "a")
    box(page, "Name of recipe A").fill("my baseline")
    box(page, "Name of recipe A").press("Enter")
    wait_for(page, lambda: query(page).get("an") == "my baseline")
    settle(page)
    assert "my baseline" in page.locator(".st-key-cell-a").inner_text()
    write(page, A, "layers=0+last;tokens=unbiased")
    write(page, SENTENCES, "Ein Hund läuft.\nשלום עולם\nA dog runs; 100 % & more + so?\n# no\nA dog runs.")
    other = visit(page.url, fresh=True)
    assert "my baseline" in other.locator(".st-key-cell-a").inner_text()
    assert box(other, A).input_value() == "layers=0+last;tokens=unbiased"
    assert box(other, B).input_value() == box(page, B).input_value()
    assert box(other, SENTENCES).input_value() == box(page, SENTENCES).input_value()
    assert answer(other) == answer(page)


def test_a_page_is_left_with_a_menu_open_and_nothing_is_lost(visit):
    recipes = {"a": "layers=last;weight=idf", "b": "layers=2+5"}
    page = visit("/layers?corpus=dogs&a=layers%3Dlast%3Bweight%3Didf&b=layers%3D2%2B5")
    for menu, there in (("hops-save", "Scores"), ("link-open", "Layers"), ("corpus-menu", "Scores")):
        page.locator(f".st-key-{menu} button").first.click()
        page.locator("[data-testid='stPopoverBody']").wait_for()
        settle(page)
        page.get_by_role("link", name=there, exact=True).first.click()
        wait_for(page, lambda there=there: f"/{there.lower()}" in page.url)
        settle(page)
        assert f"/{there.lower()}" in page.url
        assert {name: query(page)[name] for name in recipes} == recipes, menu
        assert page.locator("h1").all_inner_texts() == [there]
        assert page.locator("[data-testid='stPopoverBody']").count() == 0, menu


def test_a_menu_that_opens_slowly_stays_open(visit):
    """Its arrow is another one then: a click on the first one lies outside the menu for Streamlit."""
    page = visit("/scores?corpus=dogs")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 12})
    arrows = page.locator(".st-key-corpus-menu button:visible").get_by_text("expand_more")
    arrow = arrows.locator("visible=true").last.bounding_box()
    page.mouse.click(arrow["x"] + arrow["width"] / 2, arrow["y"] + arrow["height"] / 2)
    page.locator("[data-testid='stPopoverBody']").wait_for(timeout=20_000)
    settle(page)
    assert page.locator("[data-testid='stPopoverBody']").count() == 1


def test_a_story_sets_its_recipes_whatever_they_were_before(visit):
    page = visit("/?a=layers%3D2%2B5&an=mine&b=weight%3Didf&sentences=One.%0ATwo.&shown=map&pair=1%2C2")
    for layer, story in enumerate(STORIES[:3]):
        follow(page, story.steps[0], f"layers={layer}")


def follow(page, step, other: str) -> None:
    """Go to a step by the guide, then say another recipe, and find that after a reload.

    One that stood there before the step would be passed over for seconds, as said by a browser that has not
    heard of the step.
    """
    page.get_by_role("button", name="Guide").click()
    page.locator("[role=dialog] a", has_text=step.page.title()).first.click()
    settle(page)
    path = "/" if step.page == "compare" else f"/{step.page}"
    wait_for(page, lambda: page.url.split("?")[0].endswith(path) and MARK not in query(page))
    settle(page)
    for side in ("a", "b"):
        assert query(page).get(side, DEFAULTS[side]) == step.settings[side]
        assert box(page, f"Recipe {side.upper()} as text").input_value() == step.settings[side]
    assert not {"an", "shown", "pair"} & query(page).keys()
    if step.page == "compare":
        assert chosen(page, "shown") == "matrices", "the page that one is on shows it too"
        assert box(page, "Pair").input_value() == ""
    write(page, A, other)
    page.reload()
    settle(page)
    assert query(page)["a"] == other, "what the link said holds once"


def test_recipes_pins_and_the_switch_of_b_travel_from_page_to_page(visit):
    page = visit("/geometry?corpus=dogs")
    write(page, A, "source=untuned;layers=2")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Pin A").click()
    wait_for(page, lambda: "pins" in query(page))
    settle(page)
    for name in ("Scores", "Methods", "Tokens", "Compare", "Masking", "Mixing", "Geometry"):
        page.get_by_role("link", name=name, exact=True).first.click()
        path = "" if name == "Compare" else name.lower()
        wait_for(page, lambda path=path: urlsplit(page.url).path == f"/{path}")
        if name == "Scores":
            page.locator('[data-testid="stMetricValue"]').first.wait_for()
        settle(page)
        assert page.get_by_label("Compare with recipe B").is_checked(), name
        assert box(page, A).input_value() == "source=untuned;layers=2", name
        assert query(page)["a"] == "source=untuned;layers=2", name
        if name == "Scores":
            assert "A: layer 2, mean" in "".join(answer(page)["captions"])
    assert query(page)["pins"] == "source=untuned;layers=2"
    assert alerts(page) == []
    lines = page.evaluate(LINES_TO_NAMES)
    page.locator("label", has=page.get_by_label("Compare with recipe B")).click()
    wait_for(page, lambda: query(page).get("b") == "none")
    settle(page)
    [said, drawn] = page.evaluate(LINES_TO_NAMES)
    assert said == drawn == lines[1] - 1, "the line to the name of B is gone with it"


LINES_TO_NAMES = """() => {
    const plot = document.querySelector(".js-plotly-plot")
    return [plot.layout.shapes.length, plot.querySelectorAll("path[data-index]").length]
}"""
"""The lines from points to names in the first figure: as it says, and as they are drawn."""


def test_the_address_follows_the_sentences_after_an_error_was_mended(visit):
    page = visit("/?corpus=dogs&sentences=One+cat.%0ATwo+dogs.")
    for text in ("layers=lst", "layers=last"):
        write(page, B, text)
    open_menu(page, "b")
    page.get_by_role("button", name="Reset").first.click()
    settle(page)
    write(page, SENTENCES, "Red apples.\nGreen pears.")
    wait_for(page, lambda: query(page)["sentences"] == "Red apples.\nGreen pears.")


def test_back_leads_to_what_was_there_before_and_one_step_is_one_thing_that_was_done(visit):
    page = visit("/?corpus=dogs&b=layers%3D2%2B5")
    visited = page.evaluate("history.length")
    for name in ("Scores", "Geometry"):
        page.get_by_role("link", name=name, exact=True).first.click()
        wait_for(page, lambda name=name: f"/{name.lower()}?" in page.url)
        settle(page)
    assert page.evaluate("history.length") == visited + 2
    cell(page, "b-pool").click()
    pill(page, "max").click()
    wait_for(page, lambda: query(page)["b"] == "layers=2+5;pool=max")
    settle(page)
    page.go_back()
    wait_for(page, lambda: query(page)["b"] == "layers=2+5")
    page.go_back()  # the editor was opened
    page.go_back()
    wait_for(page, lambda: "/scores?" in page.url)
    settle(page)
    assert box(page, B).input_value() == query(page)["b"] == "layers=2+5"
    page.go_back()
    wait_for(page, lambda: urlsplit(page.url).path == "/")
    settle(page)
    assert box(page, B).input_value() == query(page)["b"] == "layers=2+5"


def test_back_brings_the_split_of_the_address_to_menu_and_figures(visit):
    page = visit("/scores?corpus=demo&split=test&b=none")
    cell(page, "a-pool").click()
    settle(page)
    page.locator(".st-key-corpus-menu button:visible").first.click()
    option(page, "dev").click()  # as the menu opens, whose run may say the address without it
    wait_for(page, lambda: query(page).get("split") == "dev")
    settle(page)
    assert query(page).get("split") == "dev"
    assert any("demo dev" in caption for caption in answer(page)["captions"])
    page.go_back()
    wait_for(page, lambda: "split=dev" not in page.url)
    settle(page)
    split = query(page).get("split", "test")
    assert split == "test"
    assert any(f"demo {split}" in caption for caption in answer(page)["captions"])
    assert f"demo {split}" in page.locator(".st-key-corpus-menu button:visible").first.inner_text()


def test_scores_are_the_same_for_somebody_else(visit):
    page = visit("/scores?corpus=kinds")
    write(page, A, "layers=1+2;pool=max")
    option(page, "wmean").click()
    wait_for(page, lambda: query(page).get("aggregate") == "wmean")
    settle(page)
    other = visit(page.url, fresh=True)
    found = answer(page)
    assert "A: layers 1+2, max pooling" in "".join(found["captions"])
    assert answer(other)["numbers"] == found["numbers"]
    assert answer(other)["headings"][0] == found["headings"][0]


@pytest.mark.parametrize("start", ["/", "/layers"])
def test_what_a_link_says_travels_with_whoever_goes_on_at_once(visit, start):
    visit(f"{start}?corpus=dogs")  # the work is done: what follows is a single run
    opened = visit(
        f"{start}?corpus=dogs&a=layers%3D1&b=layers%3D2%3Bpool%3Dmax&an=first&bn=second", fresh=True
    )
    for name in ("Scores", "Geometry"):
        opened.get_by_role("link", name=re.compile(name)).first.click()
        opened.wait_for_url(re.compile(f"/{name.lower()}"))
        settle(opened)
        assert box(opened, A).input_value() == "layers=1"
        assert box(opened, B).input_value() == "layers=2;pool=max"
        said = query(opened)
        assert [said.get(key) for key in ("corpus", "a", "b", "an", "bn")] == [
            *("dogs", "layers=1", "layers=2;pool=max", "first", "second")
        ]


def test_a_column_that_was_the_start_of_one_table_is_in_the_address_on_another(visit):
    """The mean is where one arrives on Table 1, and a choice on Table 6: a reload shows it again."""
    page = visit("/papers?paper=Chen+et+al.+2023")
    column = page.get_by_role("combobox", name="Column")
    assert column.input_value() == "Avg."
    assert "papers.column" not in query(page)
    menu = page.get_by_role("combobox", name="Table")
    menu.click()
    menu.fill("Table 6")
    page.get_by_role("option", name="Table 6").first.click()
    settle(page)
    wait_for(page, lambda: query(page).get("papers.column") == "Avg.")
    page.reload()
    settle(page)
    assert column.input_value() == "Avg."
