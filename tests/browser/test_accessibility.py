"""Keys alone do what the mouse does."""

import itertools
import re

from tests.browser.conftest import settle
from tests.browser.keys import tab_to
from tests.browser.reading import IN_VIEW, changed, query, wait_for
from tests.components.test_theme import contrast

DOGS = "corpus=dogs&a=source%3Duntuned%3Blayers%3Dlast&b=source%3Duntuned%3Blayers%3Dlast"


def test_escape_closes_the_menu_of_the_link_once_it_is_copied(visit):
    page = visit("/scores?corpus=dogs")
    page.locator(".st-key-link-open button").click()
    button = page.locator("iframe:visible").content_frame.get_by_role("button", name="Copy link")
    button.click()
    button.press("Escape")
    button.wait_for(state="hidden")
    page.close()


def test_keys_alone_choose_layers_read_the_score_pin_it_and_copy_the_link(visit):
    page = visit(f"/geometry?{DOGS}")
    for side in "ab":
        enter_the_editor_and_leave_it(page, f".st-key-cell-{side} button", "[data-testid=stSelectbox]")
        enter_the_editor_and_leave_it(
            page, f".st-key-cell-{side}-layers button", "[data-testid=stButtonGroup]"
        )
    page.keyboard.press("Enter")
    page.locator(".st-key-editor button").first.wait_for()
    settle(page)
    before = page.evaluate(IN_VIEW)
    pill = ".st-key-editor [data-testid=stButtonGroup] button"
    tab_to(page, pill)  # Tab goes from group to group, arrows go within one
    for option, written in (("2", "2+last"), ("5", "2+5+last"), ("last", "2+5")):
        tab_to(page, pill, option, key="ArrowRight")
        page.keyboard.press("Space")
        wait_for(page, lambda text=written: query(page)["b"] == f"source=untuned;layers={text}")
        settle(page)
        focused = page.evaluate("document.activeElement.textContent.trim()")
        assert focused == option, "the option that was picked keeps the focus"
    assert changed(before, page.evaluate(IN_VIEW))
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
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('[data-testid=stPopoverBody]') !== null")
    tab_to(page, "iframe")
    for _ in range(4):
        if copier.locator("button").evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    copier.get_by_text("Copied.").wait_for()
    assert "b=source%3Duntuned%3Blayers%3D2%2B5" in copier.get_by_label("Link").input_value()


def enter_the_editor_and_leave_it(page, cell: str, first: str) -> None:
    """Tab enters the editor of a cell or a name, and Escape gives the focus back to it.

    Where a list of options is open in it, Escape closes that first, and takes back what was written.
    """
    tab_to(page, cell)
    page.keyboard.press("Enter")
    page.locator(".st-key-editor button").first.wait_for()
    settle(page)
    page.keyboard.press("Tab")
    assert page.evaluate(
        "first => document.activeElement.closest(`.st-key-editor ${first}`) !== null", first
    )
    if "Selectbox" in first:
        tab_to(page, f".st-key-editor {first} [role=combobox]")
        page.keyboard.press("ArrowDown")
        page.locator("[role=listbox]").wait_for()
        page.keyboard.press("Escape")
        page.locator("[role=listbox]").wait_for(state="detached")
        settle(page)
        assert page.locator(".st-key-editor").count() == 1
        assert page.evaluate("document.activeElement.role") == "combobox"
        here = page.url
        text = f".st-key-{cell.removeprefix('.st-key-cell-')[0]} input"
        tab_to(page, text, key="Shift+Tab")
        recipe = page.locator(text).input_value()
        page.keyboard.type(";post=centr")
        page.keyboard.press("Escape")
        assert page.locator(text).input_value() == recipe != ""
        settle(page)
        assert page.locator(".st-key-editor").count() == 1
        assert page.url == here
    page.keyboard.press("Escape")
    page.locator(".st-key-editor").wait_for(state="detached")
    wait_for(page, lambda: page.evaluate("cell => document.activeElement.matches(cell)", cell))


def test_the_words_of_a_primary_button_can_be_read_also_while_it_is_disabled(visit):
    """A disabled one has no ground of its own: it stands on the page's."""
    page = visit("/")
    page.locator("[class*=st-key-finding] button").first.click()
    settle(page)
    button = page.locator("[data-testid=stMain] [data-testid=stBaseButton-primary]").first
    for mode, disabled in itertools.product(("light", "dark"), (False, True)):
        page.emulate_media(color_scheme=mode)
        page.wait_for_function(
            "mode => getComputedStyle(document.querySelector('.stApp')).colorScheme === mode", arg=mode
        )
        settle(page)
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
        assert contrast(text, ground) >= 4.5, (mode, disabled)
