"""Using a page by keys alone."""

import pytest


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


def skip_to_the_content(page) -> None:
    """The link to the content leads behind the bar."""
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
