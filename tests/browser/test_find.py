"""A search on the page Find in a real browser, and its recipe taken along."""

from urllib.parse import urlencode

from tests.browser.conftest import settle
from tests.browser.reading import A, answer, box, query, wait_for

SMALL = {
    "a": "source=random(dim=24);layers=static",
    "b": "none",
    "find.budget": "50",
    "find.stages": ["tokens", "similarity"],
    "find.reference": "false",
}


def test_a_search_of_the_demo_is_asked_for_and_what_it_found_is_taken_into_the_bar(visit):
    page = visit(f"/find?{urlencode(SMALL, doseq=True)}")
    assert page.locator(".js-plotly-plot").count() == 0
    page.get_by_role("button", name="Search", exact=True).click()
    page.locator(".js-plotly-plot").first.wait_for()
    settle(page)
    assert "the recipe chosen on dev" in answer(page)["headings"][0]
    page.locator("button:visible", has_text="Take as recipe A").first.click()
    wait_for(
        page, lambda: "similarity=" in query(page).get("a", "") or "tokens=" in query(page).get("a", "")
    )
    settle(page)
    assert box(page, A).input_value() == query(page)["a"]
    assert query(page)["a"].startswith(SMALL["a"])
    page.emulate_media(color_scheme="dark")
    page.get_by_role("button", name="What is tried").click()
    stage = page.locator("[data-testid=stPopoverBody] [data-tag] span").first
    stage.wait_for()
    wait_for(page, lambda: stage.evaluate("words => getComputedStyle(words).color") == "rgb(11, 18, 32)")
