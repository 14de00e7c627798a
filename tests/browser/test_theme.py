"""Light or dark, as it is chosen in the menu, holds for the whole dashboard."""

from tests.browser.conftest import settle
from tests.browser.reading import wait_for


def scheme(page) -> str:
    """What the page is shown in."""
    return page.locator('[data-testid="stApp"]').evaluate("app => getComputedStyle(app).colorScheme")


def choose(page, theme: str) -> None:
    """Choose a theme in Streamlit's menu."""
    page.get_by_test_id("stMainMenu").get_by_role("button").click()
    page.get_by_test_id(f"stMainMenuItem-theme-{theme}").click()
    page.keyboard.press("Escape")


def test_dark_that_was_chosen_on_a_page_holds_for_others_after_a_reload(visit):
    page = visit("/heads?corpus=dogs", fresh=True, color_scheme="light")
    page.get_by_role("link", name="Scores", exact=True).first.click()
    settle(page)
    choose(page, "Dark")
    wait_for(page, lambda: scheme(page) == "dark")
    settle(page)
    page.reload()
    settle(page)
    assert scheme(page) == "dark", "the page on which it was chosen, which is not the one that was loaded"
    page.get_by_role("link", name="Compare", exact=True).first.click()
    settle(page)
    page.reload()
    settle(page)
    assert scheme(page) == "dark"
    choose(page, "Light")
    wait_for(page, lambda: scheme(page) == "light")
    page.goto(page.url.split("?")[0] + "layers?corpus=dogs")
    settle(page)
    assert scheme(page) == "light"
