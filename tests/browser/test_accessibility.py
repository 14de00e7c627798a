"""Keys alone do what the mouse does."""

import re

import pytest

from tests.browser.conftest import settle
from tests.browser.reading import query, wait_for
from tests.components.test_theme import contrast

DOGS = "corpus=dogs&a=source%3Duntuned%3Blayers%3Dlast&b=source%3Duntuned%3Blayers%3Dfirst%2Blast"


def tab_to(page, selector: str, name: str = "", key: str = "Tab") -> None:
    """Press Tab until an element that matches, and reads so, has the focus."""
    for _ in range(150):
        if page.evaluate(
            """([selector, name]) => {
                const at = document.activeElement;
                return at.matches(selector) && (!name || at.textContent.trim() === name);
            }""",
            [selector, name],
        ):
            return
        page.keyboard.press(key)
    pytest.fail(f"{selector} {name} is not reached")


def test_keys_alone_choose_layers_read_the_score_pin_it_and_copy_the_link(visit):
    page = visit(f"/geometry?{DOGS.partition('&b=')[0]}&b=source%3Duntuned%3Blayers%3Dlast")
    tab_to(page, ".st-key-cell-b-layers button")
    page.keyboard.press("Enter")
    page.locator(".st-key-editor button").first.wait_for()
    settle(page)
    pill = ".st-key-editor [data-testid=stButtonGroup] button"
    tab_to(page, pill)  # Tab goes from group to group, arrows go within one
    for option, written in (("2", "2+last"), ("5", "2+5+last"), ("last", "2+5")):
        tab_to(page, pill, option, key="ArrowRight")
        page.keyboard.press("Space")
        wait_for(page, lambda text=written: query(page)["b"] == f"source=untuned;layers={text}")
        settle(page)
        focused = page.evaluate("document.activeElement.textContent.trim()")
        assert focused == option, "the option that was picked keeps the focus"
    score = page.locator(".st-key-score-b [role=status]").inner_text()
    assert re.fullmatch(r"−?[0-9.]+ ± [0-9.]+", score)
    tab_to(page, ".st-key-pin-b button")
    page.keyboard.press("Enter")
    wait_for(page, lambda: query(page).get("pins") == "source=untuned;layers=2+5")
    settle(page)
    tab_to(page, ".st-key-link-open button", key="Shift+Tab")
    page.keyboard.press("Enter")
    copier = page.frame_locator("iframe")
    copier.get_by_role("button", name="Copy link").wait_for()
    tab_to(page, "iframe")
    for _ in range(4):
        if copier.locator("button").evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    copier.get_by_text("Copied.").wait_for()
    assert "b=source%3Duntuned%3Blayers%3D2%2B5" in copier.get_by_label("Link").input_value()


@pytest.mark.parametrize("side", ["a", "b"])
def test_tab_enters_the_editor_and_escape_gives_the_focus_back_to_its_cell(visit, side):
    page = visit(f"/geometry?{DOGS}")
    cell = f".st-key-cell-{side}-layers button"
    tab_to(page, cell)
    page.keyboard.press("Enter")
    page.locator(".st-key-editor button").first.wait_for()
    settle(page)
    page.keyboard.press("Tab")
    assert page.evaluate(
        "document.activeElement.closest('.st-key-editor [data-testid=stButtonGroup]') !== null"
    )
    page.keyboard.press("Escape")
    page.locator(".st-key-editor").wait_for(state="detached")
    wait_for(page, lambda: page.evaluate("cell => document.activeElement.matches(cell)", cell))


def test_tab_goes_from_the_button_of_an_open_popover_into_it(visit):
    page = visit(f"/geometry?{DOGS}")
    tab_to(page, ".st-key-link-open button")
    page.keyboard.press("Enter")
    page.frame_locator("iframe").get_by_role("button", name="Copy link").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('[data-testid=stPopoverBody]') !== null")


@pytest.mark.parametrize("place", ["/", "/scores", "/deck"])
def test_the_link_to_the_content_leads_behind_the_bar(visit, place):
    page = visit(place)
    tab_to(page, "[data-testid=stSkipToContent]")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "H1"
    page.keyboard.press("Tab")
    assert page.evaluate(
        """() => {
            const [bar] = document.getElementsByClassName("st-key-bar"), at = document.activeElement
            const follows = bar.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING
            return Boolean(follows) && !bar.contains(at) && at.closest("[data-testid=stMain]") !== null
        }"""
    )


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_fades_for_who_wants_nothing_to_move(visit, motion):
    page = visit("/scores?b=none", reduced_motion=motion)
    fades = """() => [...document.querySelectorAll('.stApp *')].some(
        (one) => parseFloat(getComputedStyle(one).transitionDuration) > 0)"""
    assert page.evaluate(fades) == (motion != "reduce")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_words_of_a_primary_button_can_be_read_also_while_it_is_disabled(visit, mode):
    """A disabled one has no ground of its own: it stands on the page's."""
    page = visit("/", color_scheme=mode)
    page.locator("[class*=st-key-finding] button").first.click()
    settle(page)
    button = page.locator("[data-testid=stMain] [data-testid=stBaseButton-primary]").first
    for disabled in (False, True):
        text, ground = button.evaluate(
            """(button, disabled) => {
                button.disabled = disabled;
                const parse = (color) => color.match(/[0-9.]+/g).map(Number);
                const hex = (color) => "#" + parse(color).slice(0, 3)
                    .map((part) => part.toString(16).padStart(2, "0")).join("");
                const style = (element) => getComputedStyle(element);
                let ground = button;
                while (parse(style(ground).backgroundColor)[3] === 0) ground = ground.parentElement;
                const [words] = [...button.querySelectorAll("p")];
                if (parse(style(words).color).length === 4) throw Error("the words are transparent");
                return [hex(style(words).color), hex(style(ground).backgroundColor)];
            }""",
            disabled,
        )
        assert contrast(text, ground) >= 4.5
